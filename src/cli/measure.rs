//! `kagetsu measure`: is the working tree stronger than a commit? Builds both and lets them play.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser};

use super::arguments::parse_positive;
use super::bench::SIGNATURE_DEPTH;
use super::ending::Interrupted;
use super::files::ensure_page_can_be_written;
use super::match_options::MatchOptions;
use super::match_play;
use super::measure_builds::{Checkout, fingerprint, signature_of};
use super::output::{in_words, print_line, remark};
use crate::arena::match_play::MatchSummary;
use crate::arena::spec::EngineSpec;
use crate::arena::sprt::{Sprt, SprtVerdict};
use crate::arena::stop::Stop;
use crate::board::Size;
use crate::formats::point_names::Rows;
use crate::rules::Rule;

/// Options of `kagetsu measure`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Run it inside a checkout of Kagetsu. It builds the working tree first, then the commit, which takes minutes the first
time. Builds and records go to target/measure. The same command resumes an interrupted run, as long as the working tree
has not changed. The last line printed is meant for the commit message.

Examples:
  kagetsu measure                                    uncommitted changes against HEAD
  kagetsu measure --base HEAD~5 --rule renju --nodes 20000 --sprt=-5,0
  kagetsu measure --turn 0.1 -- --concurrency 4 --openings book.txt")]
pub struct MeasureOptions {
    /// Commit to compare with [default: HEAD if there are uncommitted changes, else the commit before it]
    #[arg(long, value_name = "REVISION")]
    pub base: Option<String>,

    /// What the test decides between: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,10", allow_hyphen_values = true)]
    pub sprt: Sprt,

    /// Nodes a move [default: 10000 unless --turn is given]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Limit for a move: in seconds, or with a unit as in 100ms
    #[arg(long, value_name = "TIME", conflicts_with = "nodes")]
    pub turn: Option<String>,

    /// Rule: freestyle, standard, renju, caro or exact-caro
    #[arg(long, default_value_t = Rule::Freestyle)]
    pub rule: Rule,

    /// Maximum number of games
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = parse_positive)]
    pub games: usize,

    /// Openings: a file, a folder, or `random` [default: random]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<String>,

    /// Play even if both versions have the same signature, so that games with a number of nodes can tell nothing
    #[arg(long)]
    pub anyway: bool,

    /// Further options of `kagetsu match`, but no limits
    #[arg(last = true, value_name = "OPTIONS")]
    pub further: Vec<String>,
}

/// The options of a match, read from words.
#[derive(Debug, Parser)]
#[command(
    name = "kagetsu measure",
    override_usage = "kagetsu measure [OPTIONS] -- [OPTIONS OF kagetsu match]"
)]
struct MatchWords {
    #[command(flatten)]
    options: MatchOptions,
}

/// Builds both versions, plays until the SPRT is decided and prints the verdict.
///
/// # Errors
/// No checkout, no such commit, a build that fails, a match that cannot be played.
pub fn measure(options: &MeasureOptions, rows: Rows) -> anyhow::Result<()> {
    // Building takes minutes, so mistakes are told before.
    let described = described_match(options).unwrap_or_else(|error| error.exit());
    let openings = ensure_playable(&described)?;
    let stop = Stop::new();
    match_play::stop_on_ctrl_c(&stop)?;
    let prepared = prepare(options, &stop);
    // Git and the compiler hear of Ctrl-C as well, and end with errors of their own.
    ensure!(!stop.is_interrupted(), Interrupted { goes_on: true });
    let Some(Prepared { folder, new, state, old, base }) = prepared? else { return Ok(()) };
    let size = described.size;
    let engine = |path: &Path, name: &str| format!("cmd=\"{}\" name={name}", path.display());
    let engine = vec![engine(&new, "change"), engine(&old, "base")];
    let records = folder.join(records_name(options, &format!("{state}-{base}"), openings));
    remark(format_args!("playing; the records go to {}", records.display()));
    let summary =
        match_play::play_until(&MatchOptions { engine, out: Some(records), ..described }, rows, &stop)?;
    ensure_played(&summary)?;
    print_line(verdict_line(options, size, &summary, &base))?;
    Ok(())
}

/// Both versions, ready to play.
struct Prepared {
    /// Where records go.
    folder: PathBuf,
    /// The program of the working tree.
    new: PathBuf,
    /// A fingerprint of that program.
    state: String,
    /// The program of the commit.
    old: PathBuf,
    /// The name of the commit.
    base: String,
}

/// Builds both versions, the working tree first: only there can it be news that something does not compile. `None` if
/// a match between them could tell nothing, which was said.
///
/// # Errors
/// No checkout, no such commit, a build that fails; an interruption.
fn prepare(options: &MeasureOptions, stop: &Stop) -> anyhow::Result<Option<Prepared>> {
    let checkout = Checkout::open(stop)?;
    let base = checkout.base(options.base.as_deref())?;
    let turn = checkout.await_turn()?;
    let (new, state) = checkout.build_tree()?;
    let old = checkout.build_commit(&base)?;
    drop(turn);
    if options.turn.is_none() && !options.anyway {
        remark("comparing the signatures of both");
        if let (Some(signature), Some(before)) = (signature_of(&new, stop)?, signature_of(&old, stop)?)
            && signature == before
        {
            print_line(format_args!(
                "both versions search {signature} nodes to depth {SIGNATURE_DEPTH}: with a number of nodes they play the \
                 same games. Use --turn to compare their speed, or --anyway to play"
            ))?;
            return Ok(None);
        }
    }
    Ok(Some(Prepared { folder: checkout.folder, new, state, old, base }))
}

/// The match that the options describe. Its engines and its folder are named later, when both are built.
///
/// # Errors
/// What `kagetsu match` does not accept, a third engine, or a limit of which the verdict would know nothing.
fn described_match(options: &MeasureOptions) -> Result<MatchOptions, clap::Error> {
    let sprt = options.sprt;
    let mut words = vec!["kagetsu measure".to_owned()];
    let mut option = |key: &str, value: String| words.extend([format!("--{key}={value}")]);
    option("engine", "name=change".to_owned());
    option("engine", "name=base".to_owned());
    option("each", limit(options));
    option("rule", options.rule.to_string());
    option("games", options.games.to_string());
    option("sprt", format!("{},{},{},{}", sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta));
    option("out", "records".to_owned());
    let is_openings = |word: &String| word == "--openings" || word.starts_with("--openings=");
    if options.openings.is_some() || !options.further.iter().any(is_openings) {
        option("openings", options.openings.clone().unwrap_or_else(|| "random".to_owned()));
    }
    words.extend(options.further.iter().cloned());
    let refused = |text: &str| MatchWords::command().error(ErrorKind::ArgumentConflict, text);
    if options.further.iter().any(|word| word == "--out" || word.starts_with("--out=")) {
        return Err(refused("records go to target/measure: --out cannot be given"));
    }
    let described = MatchWords::try_parse_from(words)?.options;
    if described.engine.len() > 2 {
        return Err(refused("the engines are the two builds: --engine cannot be given"));
    }
    let spec = |each: &[String]| {
        EngineSpec::parse("cmd=build", each)
            .map_err(|error| MatchWords::command().error(ErrorKind::ValueValidation, in_words(&error)))
    };
    let limits = |spec: &EngineSpec| (spec.time_control(), spec.nodes, spec.depth);
    let is_changed = limits(&spec(&described.each)?) != limits(&spec(&[limit(options)])?);
    if is_changed || described.nodes.is_some() || described.turn.is_some() || described.tc.is_some() {
        return Err(refused("limits stand before `--`, as --nodes or --turn: the verdict names them"));
    }
    Ok(described)
}

/// Makes sure that the match can be played as soon as both versions are built. Returns the fingerprint of the openings;
/// `None` if they are random: then they follow from the seed of the records that are continued.
///
/// # Errors
/// What `kagetsu match` would refuse, such as openings that cannot be read.
fn ensure_playable(described: &MatchOptions) -> anyhow::Result<Option<u64>> {
    let engine = |name: &str| EngineSpec::parse(&format!("cmd=build name={name}"), &described.each);
    let engines = vec![engine("change")?, engine("base")?];
    // The folder of records depends on the builds, and the order of shuffled openings on a seed.
    let config = MatchOptions { out: None, shuffle: false, ..described.clone() }.config_of(engines)?;
    described.report.as_deref().map_or(Ok(()), |page| ensure_page_can_be_written("--report", page))?;
    let is_random = described.openings.as_deref() == Some("random");
    Ok((!is_random).then(|| config.book.fingerprint()))
}

/// The name of the folder of records, which differs for matches that cannot go on with each other's games.
fn records_name(options: &MeasureOptions, builds: &str, openings: Option<u64>) -> String {
    let mut name = format!("{builds}-{}-{}", options.rule, limit(options).replace(['=', '/'], ""));
    // The contents of a file of openings count as well as its name.
    let openings = openings.map(|openings| openings.to_string());
    let others = options.openings.iter().chain(&openings).map(String::as_str);
    let others: Vec<&str> = others.chain(that_matter(options)).collect();
    if !others.is_empty() {
        name += &format!("-{}", fingerprint(others.join("\0").as_bytes()));
    }
    name
}

/// The further options without those that change nothing about the games.
fn that_matter(options: &MeasureOptions) -> impl Iterator<Item = &str> {
    let mut words = options.further.iter().map(String::as_str);
    std::iter::from_fn(move || {
        loop {
            let word = words.next()?;
            match word.split_once('=').map_or(word, |(name, _)| name) {
                "-q" | "--quiet" => {}
                "--concurrency" | "--report" if word.contains('=') => {}
                "--concurrency" | "--report" => drop(words.next()),
                _ => return Some(word),
            }
        }
    })
}

/// Makes sure that the match was played to its end.
fn ensure_played(summary: &MatchSummary) -> anyhow::Result<()> {
    if let Some(fault) = &summary.fatal {
        bail!("ended by {fault}");
    }
    ensure!(!summary.interrupted, Interrupted { goes_on: true });
    Ok(())
}

fn limit(options: &MeasureOptions) -> String {
    const DEFAULT_NODES: u64 = 10_000;
    match &options.turn {
        Some(turn) => format!("turn={turn}"),
        None => format!("nodes={}", options.nodes.unwrap_or(DEFAULT_NODES)),
    }
}

/// The result in one line.
fn verdict_line(options: &MeasureOptions, size: Size, summary: &MatchSummary, base: &str) -> String {
    let board = if size == Size::square(15) { String::new() } else { format!(" {size}") };
    let tally = summary.standings.encounter((0, 1));
    let verdict = summary.verdict.unwrap_or(SprtVerdict::Open);
    let (low, high) = options.sprt.bounds();
    format!(
        "Match: against {base}, {}{board}, {}: {tally}, pentanomial {}, elo {}, LLR {:.2} ({low:.2}, {high:.2}) {}: {}",
        options.rule,
        limit(options),
        tally.pentanomial_text(),
        tally.elo(),
        options.sprt.llr(&tally),
        options.sprt,
        options.sprt.describe(verdict)
    )
}

#[cfg(test)]
#[path = "measure_tests.rs"]
mod tests;
