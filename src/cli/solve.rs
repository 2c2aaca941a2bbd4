//! `kagetsu solve`: a position in, a proof out; or a small game of k in a row, solved completely.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::arguments::{DEFAULT_MEGABYTES, MEGABYTE};
use super::ending::{Ending, Interrupted, Mistake, note_ctrl_c};
use super::files::{ensure_is_no_input, ensure_text_can_be_written, file_of};
use super::position::{GivenPosition, PositionOptions};
use super::proof_text;
use super::small_game::SmallGame;
use crate::board::{Color, Stones};
use crate::engine::MEMORY_RESERVE;
use crate::files::write_whole;
use crate::formats::duration::parse_duration;
use crate::formats::point_names::{PointNames, Rows};
use crate::rules::judge::{self, Verdict};
use crate::rules::{Rule, with_rule};
use crate::solve::{
    Solution, Solver, SolverError, SolverLimits, SolverProgress, SolverVerdict, ThreatSpace, check,
};

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people: a board diagram with numbered moves
    Text,
    /// For viewers: with variations if all defences are asked for; not for positions with dead cells
    Sgf,
    /// For `kagetsu check-proof` and other programs: always the whole proof
    Json,
}

/// A side, as options name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// X
    Black,
    /// O
    White,
}

/// Options of `kagetsu solve`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
VCF is a victory by continuous fours, VCT a victory by continuous threats, that is fours and threes:\n\
https://rarepike.com/five/threat-sequences. docs/solver.md explains what is searched and what a proof is.\n\n\
Exit status: 0 a win was found (or a small game solved), 10 there is no forced win, 11 not found within the limits,\n\
2 a mistake in the command line, 1 any other failure, 130 interrupted.")]
pub struct SolveOptions {
    #[command(flatten)]
    pub position: PositionOptions,

    /// The side that is to win, moving first [default: the side to move]
    #[arg(long, value_enum, conflicts_with = "board")]
    pub side: Option<Side>,

    /// Look only for a VCF, not for a VCT as well
    #[arg(long, alias = "fours-only", conflicts_with = "board")]
    pub vcf_only: bool,

    /// Time, such as 500ms, 10s or 10m; 0 is no limit [default: 60s; no limit with --board]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub time: Option<Duration>,

    /// Nodes (positions) to search [default: no limit; 200000000 with --board]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Memory in MB, not counting the proof itself, which takes some 100 bytes a node
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_MEGABYTES, value_parser = clap::value_parser!(u32).range(32..=1 << 20))]
    pub memory: u32,

    /// Show what wins against every defence, not only the longest line
    #[arg(long, conflicts_with = "board")]
    pub all_defences: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "board")]
    pub format: Format,

    /// The same as --format json
    #[arg(long, conflicts_with_all = ["format", "board"])]
    pub json: bool,

    /// Output file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Instead, solve a game of k in a row completely, on this board such as 3 or 5x4
    #[arg(long, value_name = "SIZE", value_parser = parse_small, requires = "line",
        conflicts_with_all = ["file", "rule", "size", "number", "stop_at", "memory"])]
    pub board: Option<(usize, usize)>,

    /// With --board: how many stones in a row win
    #[arg(long, value_name = "K", requires = "board")]
    pub line: Option<usize>,

    /// With --board: compare minimax, alpha-beta and its improvements; the limits apply to each
    #[arg(long, requires = "board")]
    pub compare: bool,
}

impl SolveOptions {
    fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}

/// The time of a search for a win unless told otherwise.
const DEFAULT_TIME: Duration = Duration::from_secs(60);

/// `3` or `5x4`.
fn parse_small(text: &str) -> Result<(usize, usize), String> {
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    let side =
        |text: &str| text.parse().map_err(|_| "a board is a side such as 3, or such as 5x4".to_owned());
    Ok((side(width)?, side(height)?))
}

/// Solves what the options ask for.
///
/// # Errors
/// A position that cannot be read or is decided, a file that cannot be written, Ctrl-C.
pub(crate) fn run(options: &SolveOptions, rows: Rows, mut out: impl Write) -> anyhow::Result<Ending> {
    if let Some(path) = file_of(options.out.as_deref()) {
        ensure_text_can_be_written("--out", path)?;
        ensure_is_no_input(path, options.position.file.as_deref())?;
    }
    let (text, ending, is_interrupted) = match (options.board, options.line) {
        (Some(board), Some(line)) => solve_small_game(options, board, line, rows)?,
        _ => solve_position(options, rows)?,
    };
    write(options, &text, &mut out)?;
    ensure!(!is_interrupted, Interrupted { goes_on: false });
    Ok(ending)
}

/// The result as text, how it ended, and whether it is not the whole result because Ctrl-C has ended it.
type SolveResult = (String, Ending, bool);

fn solve_small_game(
    options: &SolveOptions,
    board: (usize, usize),
    line: usize,
    rows: Rows,
) -> anyhow::Result<SolveResult> {
    let time = options.time.filter(|time| !time.is_zero());
    let game =
        SmallGame::new(board, line, options.position.moves.as_deref(), rows)?.within(options.nodes, time);
    let stop = note_ctrl_c();
    if options.compare {
        return Ok(game.comparison(&stop));
    }
    let (text, ending) = game.value(&stop);
    Ok((text, ending, ending == Ending::NotFound && stop.load(Ordering::Relaxed)))
}

fn solve_position(options: &SolveOptions, rows: Rows) -> anyhow::Result<SolveResult> {
    let (rule, stones) = read_position(options, rows)?;
    ensure!(
        options.format() != Format::Sgf || stones.dead_cells().next().is_none(),
        Mistake("--format sgf: the position has dead cells, which SGF cannot express".to_owned())
    );
    let (solution, is_interrupted) = search(options, rule, &stones, rows)?;
    if let SolverVerdict::Win(proof) = &solution.verdict {
        // Never show a proof that does not hold.
        check(proof).context("the proof does not hold: this is a mistake in Kagetsu")?;
    }
    let text = show(options, rows, rule, &stones, &solution)?;
    Ok(match &solution.verdict {
        SolverVerdict::Win(_) => (text, Ending::Done, false),
        SolverVerdict::NoWin(_) => (text, Ending::NoWin, false),
        _ => (text, Ending::NotFound, is_interrupted),
    })
}

fn write(options: &SolveOptions, text: &str, out: &mut impl Write) -> anyhow::Result<()> {
    match file_of(options.out.as_deref()) {
        Some(path) => write_whole(path, text),
        None => out.write_all(text.as_bytes()).context("writing the result"),
    }
}

fn read_position(options: &SolveOptions, rows: Rows) -> anyhow::Result<(Rule, Stones)> {
    let given = options.position.read(rows)?;
    let ends_with_move = given.ends_with_move(given.stones.history().len());
    let GivenPosition { mut stones, rule, .. } = given;
    if ends_with_move
        && options.side.is_none()
        && let Some((point, _)) = stones.recent(0)
        && let Verdict::Foul(color) = with_rule!(rule, R => judge::verdict::<R>(&stones))
    {
        let name = PointNames::of(stones.size()).with_rows(rows).name(point);
        bail!("the game is over: {name} was forbidden to {}", color.name());
    }
    match options.side {
        Some(Side::Black) => stones.set_to_move(Color::Black),
        Some(Side::White) => stones.set_to_move(Color::White),
        None => {}
    }
    Ok((rule, stones))
}

/// What was found, and whether Ctrl-C has ended it.
fn search(
    options: &SolveOptions,
    rule: Rule,
    stones: &Stones,
    rows: Rows,
) -> anyhow::Result<(Solution, bool)> {
    let limits = SolverLimits {
        time: Some(options.time.unwrap_or(DEFAULT_TIME)).filter(|time| !time.is_zero()),
        nodes: options.nodes,
        memory: (u64::from(options.memory) * MEGABYTE).saturating_sub(MEMORY_RESERVE) as usize,
    };
    let widest = if options.vcf_only { ThreatSpace::Vcf } else { ThreatSpace::Vct };
    let search = match Solver::new(limits).within(widest).start(rule, stones) {
        Err(SolverError::Decided(point)) => {
            let name = PointNames::of(stones.size()).with_rows(rows).name(point);
            bail!("the game is over: there is a winning line through {name}");
        }
        search => search?,
    };
    // Setting the handler fails in a process that has one already, which does no harm.
    let (interrupted, stop) = (Arc::new(AtomicBool::new(false)), search.stopper());
    let notes = Arc::clone(&interrupted);
    let _ = ctrlc::set_handler(move || {
        notes.store(true, Ordering::SeqCst);
        stop();
    });
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{elapsed} {msg}")?);
    search.progress().for_each(|progress| bar.set_message(progress_in_words(&progress)));
    bar.finish_and_clear();
    let solution = search.wait();
    Ok((solution, interrupted.load(Ordering::SeqCst)))
}

fn progress_in_words(progress: &SolverProgress) -> String {
    let SolverProgress { space, nodes, depth, .. } = progress;
    let missing = progress.numbers.map_or_else(String::new, |numbers| {
        format!(", {} open nodes to prove and {} to refute", numbers.proof, numbers.disproof)
    });
    format!("{space}: {nodes} nodes, to {depth} plies{missing}")
}

fn show(
    options: &SolveOptions,
    rows: Rows,
    rule: Rule,
    stones: &Stones,
    solution: &Solution,
) -> anyhow::Result<String> {
    let names = PointNames::of(stones.size()).with_rows(rows);
    let proof = match &solution.verdict {
        SolverVerdict::Win(proof) => proof,
        _ => return Ok(show_failure(options, rule, stones, solution)),
    };
    match options.format() {
        Format::Json => return Ok(proof.to_json()),
        Format::Sgf => return Ok(proof_text::sgf(proof, options.all_defences, names)?),
        Format::Text => {}
    }
    let line = proof.longest_line();
    let mut text = format!(
        "{} to move wins by {}: five on ply {} at the latest ({rule} {}).\n\n",
        stones.to_move().name(),
        solution.space,
        line.len(),
        stones.size()
    );
    text += &proof_text::numbered_picture(proof, &line, rows);
    let _ = writeln!(text, "\n{}", proof_text::line(&line, names));
    if line.contains(&None) {
        text += "(.. is a move that does nothing about the threat)\n";
    }
    if options.all_defences {
        let _ = write!(text, "\n{}", proof_text::tree(proof, names)?);
    }
    let _ = writeln!(
        text,
        "\nFound after {} nodes in {}; the proof has {} nodes and was checked.",
        solution.nodes,
        in_words(solution.time),
        proof.nodes.len()
    );
    Ok(text)
}

fn show_failure(options: &SolveOptions, rule: Rule, stones: &Stones, solution: &Solution) -> String {
    match options.format() {
        Format::Json => failure_as_json(rule, stones.to_move(), solution),
        Format::Sgf => {
            let verdict = failure_in_words(rule, stones, solution);
            proof_text::commented(rule, stones, verdict.trim_end()).to_string()
        }
        Format::Text => failure_in_words(rule, stones, solution),
    }
}

fn failure_in_words(rule: Rule, stones: &Stones, solution: &Solution) -> String {
    let side = stones.to_move().name();
    let result = match (&solution.verdict, solution.exhausted) {
        (SolverVerdict::NoWin(space), _) => format!("no forced win for {side} by {space}"),
        (_, Some(space)) => {
            format!("not found within the limit; there is no forced win for {side} by {space}")
        }
        (_, None) => "not found within the limit".to_owned(),
    };
    format!(
        "{result}.\nsearched: {rule} {}, {}, {} nodes, lines of up to {} plies, in {}\n",
        stones.size(),
        solution.space,
        solution.nodes,
        solution.deepest,
        in_words(solution.time)
    )
}

fn failure_as_json(rule: Rule, side: Color, solution: &Solution) -> String {
    let is_exhausted = matches!(solution.verdict, SolverVerdict::NoWin(_));
    let value = serde_json::json!({
        "format": "kagetsu verdict 2",
        "rule": rule.name(),
        "side": side.name().to_lowercase(),
        "verdict": if is_exhausted { "no win" } else { "not found" },
        "exhausted": solution.exhausted.map(|space| space.to_string()),
        "searched": solution.space.to_string(),
        "nodes": solution.nodes,
        "plies": solution.deepest,
        "ms": solution.time.as_millis() as u64,
    });
    format!("{value}\n")
}

fn in_words(time: Duration) -> String {
    if time < Duration::from_secs(10) {
        format!("{:.1} ms", time.as_secs_f64() * 1000.0)
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}

#[cfg(test)]
#[path = "solve_tests.rs"]
mod tests;
