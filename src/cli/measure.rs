//! `kagetsu measure`: is the working tree stronger than a commit? Builds both and lets them play.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser};

use super::arguments::parse_positive;
use super::bench::SIGNATURE_DEPTH;
use super::ending::Interrupted;
use super::files::ensure_can_be_written;
use super::match_options::MatchOptions;
use super::match_play;
use super::output::{in_words, print_line, remark};
use crate::arena::match_play::MatchSummary;
use crate::arena::spec::EngineSpec;
use crate::arena::sprt::{Sprt, SprtVerdict};
use crate::arena::stop::Stop;
use crate::board::Size;
use crate::files::{Fingerprint, beside, lock};
use crate::formats::point_names::Rows;
use crate::rules::Rule;

/// Characters of a commit's hash that are shown.
const SHORT_NAME: usize = 10;
/// Time between two looks whether another process has ended its builds.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

/// Options of `kagetsu measure`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Run it inside a checkout of Kagetsu. Builds and records go to target/measure. The same command resumes an
interrupted run, as long as the working tree has not changed. The last line printed is meant for the commit
message.

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
    let root = PathBuf::from(said(git(Path::new(".")).args(["rev-parse", "--show-toplevel"]))?);
    let is_dirty = !said(git(&root).args(["status", "--porcelain", "--untracked-files=no"]))?.is_empty();
    let revision = options.base.as_deref().unwrap_or(if is_dirty { "HEAD" } else { "HEAD^" });
    let resolve = |revision: &str| -> anyhow::Result<String> {
        let commit = format!("{revision}^{{commit}}");
        let said = said(git(&root).args(["rev-parse", "--verify", "--quiet", &commit]));
        let Ok(mut name) = said else { bail!("`{revision}` is not a commit of {}", root.display()) };
        name.truncate(SHORT_NAME);
        Ok(name)
    };
    let base = resolve(revision)?;
    let folder = root.join("target").join("measure");
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let turn = await_turn(&folder)?;
    let old = build_commit(&root, &folder, &base, &toolchain(&root)?)?;
    remark("building the working tree");
    // The name identifies the contents, so that records of another state are not continued.
    let built = build(&root, &root.join("target"))?;
    let state = fingerprint(&std::fs::read(&built)?);
    let new = folder.join(format!("kagetsu-tree-{state}"));
    keep(&built, &new)?;
    drop(turn);
    if options.turn.is_none()
        && !options.anyway
        && let (Some(signature), Some(before)) = (signature_of(&new), signature_of(&old))
        && signature == before
    {
        print_line(format_args!(
            "both versions search {signature} nodes to depth {SIGNATURE_DEPTH}: with a number of nodes they play the same games. \
             Use --turn to compare their speed, or --anyway to play"
        ))?;
        return Ok(());
    }
    let size = described.size;
    let engine = |path: &Path, name: &str| format!("cmd=\"{}\" name={name}", path.display());
    let engine = vec![engine(&new, "change"), engine(&old, "base")];
    let records = folder.join(records_name(options, &format!("{state}-{base}"), openings));
    let summary = play(&MatchOptions { engine, out: Some(records), ..described }, rows)?;
    print_line(verdict_line(options, size, &summary, &base))?;
    Ok(())
}

/// The nodes that a build searches to [`SIGNATURE_DEPTH`]; `None` if its `kagetsu bench` does not print them last.
fn signature_of(program: &Path) -> Option<u64> {
    let depth = SIGNATURE_DEPTH.to_string();
    let benched =
        Command::new(program).args(["bench", "--depth", &depth]).stderr(Stdio::null()).output().ok()?;
    signature_in(&String::from_utf8_lossy(&benched.stdout))
}

/// The signature in the last line of what `kagetsu bench` prints.
fn signature_in(benched: &str) -> Option<u64> {
    let (nodes, rest) = benched.lines().last()?.split_once(' ')?;
    rest.starts_with("nodes").then(|| nodes.parse().ok()).flatten()
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
    described.report.as_deref().map_or(Ok(()), |page| ensure_can_be_written("--report", page))?;
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

fn fingerprint(bytes: &[u8]) -> String {
    Fingerprint::EMPTY.with_bytes(bytes).to_string()
}

fn play(options: &MatchOptions, rows: Rows) -> anyhow::Result<MatchSummary> {
    let stop = Stop::new();
    match_play::stop_on_ctrl_c(&stop)?;
    let summary = match_play::play_until(options, rows, &stop)?;
    ensure_played(&summary)?;
    Ok(summary)
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
    format!(
        "Match: against {base}, {}{board}, {}: {tally}, pentanomial {}, elo {}, LLR {:.2} {}: {}",
        options.rule,
        limit(options),
        tally.pentanomial_text(),
        tally.elo(),
        options.sprt.llr(&tally),
        options.sprt,
        options.sprt.describe(verdict)
    )
}

fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder);
    command
}

/// What a command prints, without the line end.
fn said(command: &mut Command) -> anyhow::Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stderr(Stdio::piped()).output().with_context(|| format!("running {name}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    ensure!(output.status.success(), "{name}: {}", text(&output.stderr));
    Ok(text(&output.stdout))
}

/// Waits until no other process builds in this folder. None will until the returned file is closed: the builds of all
/// share their folders, and one would remove what another is compiling.
///
/// # Errors
/// The lock file cannot be created or locked.
fn await_turn(folder: &Path) -> anyhow::Result<File> {
    let path = folder.join("build.lock");
    let mut is_told = false;
    loop {
        if let Some(turn) = lock::take(&path)? {
            return Ok(turn);
        }
        if !is_told {
            remark("another `kagetsu measure` is building: waiting until it is done");
            is_told = true;
        }
        std::thread::sleep(LOOK_AGAIN);
    }
}

/// Keeps a built binary under this name. One that is there already may be playing a match, and is the same.
///
/// # Errors
/// The binary cannot be copied.
fn keep(built: &Path, binary: &Path) -> anyhow::Result<()> {
    if binary.exists() {
        return Ok(());
    }
    // Half a copy must not pass for a binary.
    let part = beside(binary, ".part");
    std::fs::copy(built, &part).with_context(|| format!("copying {}", built.display()))?;
    std::fs::rename(&part, binary).with_context(|| format!("renaming {}", part.display()))
}

/// What builds programs here, as a number: the compiler and its flags. With another one, the same commit is another
/// program, and a match would measure the compiler.
fn toolchain(root: &Path) -> anyhow::Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut told = said(Command::new(rustc).arg("-vV").current_dir(root))?.into_bytes();
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET"] {
        told.push(b'\n');
        told.extend(std::env::var_os(name).unwrap_or_default().as_encoded_bytes());
    }
    Ok(fingerprint(&told))
}

/// The binary of a commit; built once by each compiler.
fn build_commit(root: &Path, folder: &Path, commit: &str, toolchain: &str) -> anyhow::Result<PathBuf> {
    let binary = folder.join(format!("kagetsu-{commit}-{toolchain}"));
    if binary.exists() {
        return Ok(binary);
    }
    remark(format_args!("building {commit}"));
    let tree = folder.join(format!("tree-{commit}"));
    let remove = || git(root).args(["worktree", "remove", "--force"]).arg(&tree).output();
    // Left behind by a build that was interrupted.
    let _ = remove();
    said(git(root).args(["worktree", "add", "--force", "--detach"]).arg(&tree).arg(commit))?;
    let built = build(&tree, &folder.join("build"));
    let kept = built.and_then(|built| keep(&built, &binary));
    let _ = remove();
    kept.map(|()| binary)
}

/// Builds the release binary of a checkout.
fn build(tree: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "--quiet", "--bin", "kagetsu", "--target-dir"])
        .arg(target)
        .current_dir(tree)
        .status()
        .context("running cargo")?;
    if !status.success() {
        bail!("{} does not build", tree.display());
    }
    Ok(target.join("release").join(format!("kagetsu{}", std::env::consts::EXE_SUFFIX)))
}

#[cfg(test)]
#[path = "measure_tests.rs"]
mod tests;
