//! `kagetsu solve`: a position in, a proof out; or a small game of k in a row, solved exactly.
//! `kagetsu check-proof`: whether a proof holds.

use std::fmt::Write as _;
use std::io::{IsTerminal, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::arguments::parse_size;
use super::files::{read_text, write_whole};
use super::proof_text;
use crate::board::{Color, Size, Stones};
use crate::formats::text::decode;
use crate::formats::{any, moves};
use crate::rules::Rule;
use crate::solve::exact::{self, Game, Method};
use crate::solve::{Proof, Settings, Solution, Verdict, check, solve};
use crate::with_rule;

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people: a picture with numbered moves
    Text,
    /// For viewers: with variations if all defences are asked for
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
pub struct SolveOptions {
    /// Position: SGF, PSQ, a picture of `.`, `X` and `O`, or moves. Standard input without
    #[arg(value_name = "FILE", conflicts_with_all = ["moves", "board"])]
    pub file: Option<PathBuf>,

    /// Position as moves, Black first: "7,7 8,8" from 0 or "h8 i9" from 1
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,

    /// Rule
    #[arg(long, value_name = "RULE", default_value_t)]
    pub rule: Rule,

    /// Board, where the position does not say: a side such as 15, or width and height such as 20x15
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub size: Option<Size>,

    /// Who is to win, moving first [default: the side to move]
    #[arg(long, value_enum)]
    pub side: Option<Side>,

    /// Look only for wins by fours
    #[arg(long)]
    pub fours_only: bool,

    /// Time, such as 500ms, 10s or 10m; 0 is no limit
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "60s")]
    pub time: Duration,

    /// Positions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Memory in MB; the proof itself, some 100 bytes a node, comes on top
    #[arg(long, value_name = "MB", default_value_t = 350, value_parser = clap::value_parser!(u32).range(32..=1 << 20))]
    pub memory: u32,

    /// Show what wins against every defence, not only the longest line
    #[arg(long)]
    pub all_defences: bool,

    /// How the result is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    /// File to write; standard output without
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Solve a game of k in a row exactly instead: the board, such as 3 or 5x4
    #[arg(long, value_name = "SIZE", value_parser = parse_small, requires = "line")]
    pub board: Option<(usize, usize)>,

    /// With --board: how many in a row win
    #[arg(long, value_name = "K", requires = "board")]
    pub line: Option<usize>,

    /// With --board: compare minimax, alpha-beta and what improves it
    #[arg(long, requires = "board")]
    pub compare: bool,
}

/// Options of `kagetsu check-proof`.
#[derive(Args, Clone, Debug)]
pub struct CheckOptions {
    /// Proof in JSON, as `kagetsu solve --format json` writes it
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// `500ms`, `10s`, `10m`, or seconds.
fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 1,
        "" | "s" => 1000,
        "m" | "min" => 60_000,
        _ => return Err("a time is a number with ms, s or m".to_owned()),
    };
    let number: u64 = digits.parse().map_err(|_| "a time is a number with ms, s or m".to_owned())?;
    Ok(Duration::from_millis(number.saturating_mul(unit)))
}

/// `3` or `5x4`.
fn parse_small(text: &str) -> Result<(usize, usize), String> {
    let (width, height) = text.split_once('x').unwrap_or((text, text));
    let side =
        |text: &str| text.parse().map_err(|_| "a board is a side such as 3, or such as 5x4".to_owned());
    Ok((side(width)?, side(height)?))
}

/// Memory of the process beside the tables: code, shapes and stacks, in MB.
const RESERVE: u32 = 24;

/// Solves what the options ask for.
///
/// # Errors
/// A position that cannot be read or is decided, a file that cannot be written.
pub fn run(options: &SolveOptions, mut out: impl Write) -> anyhow::Result<()> {
    let text = if let (Some((width, height)), Some(line)) = (options.board, options.line) {
        exactly(options, width, height, line)?
    } else {
        let stones = read_position(options)?;
        let solution = search(options, &stones)?;
        if let Verdict::Win(proof) = &solution.verdict {
            // Never show what does not hold.
            check(proof).context("the proof does not hold: this is a mistake in Kagetsu")?;
        }
        show(options, &stones, &solution)?
    };
    match &options.out {
        Some(path) => write_whole(path, text),
        None => out.write_all(text.as_bytes()).context("writing the result"),
    }
}

/// Checks a proof.
///
/// # Errors
/// A file that cannot be read or is no proof, and a proof that does not hold: where it breaks.
pub fn check_proof(options: &CheckOptions, mut out: impl Write) -> anyhow::Result<()> {
    let name = options.file.display();
    let text = read_text(&options.file)?;
    let proof = Proof::from_json(&text).with_context(|| name.to_string())?;
    let started = Instant::now();
    match check(&proof) {
        Ok(checked) => writeln!(
            out,
            "verified: {} to move wins, {}, five with ply {} at the latest ({} nodes, {} replies, {} ms)",
            proof.stones.to_move().name(),
            proof.rule,
            checked.plies,
            checked.nodes,
            checked.replies,
            started.elapsed().as_millis()
        )
        .context("writing the result"),
        Err(flaw) => bail!("the proof in {name} breaks {flaw}"),
    }
}

fn read_position(options: &SolveOptions) -> anyhow::Result<Stones> {
    let mut stones = match (&options.moves, &options.file) {
        // No moves are the empty board here, where nobody can have forgotten them.
        (Some(moves), _) if moves.trim().is_empty() => Stones::new(options.size.unwrap_or(Size::square(15))),
        (Some(moves), _) => any::read(moves, options.size).context("reading --moves")?,
        (None, Some(path)) if path.as_os_str() != "-" => {
            any::read(&read_text(path)?, options.size).with_context(|| path.display().to_string())?
        }
        _ => {
            let mut bytes = Vec::new();
            let mut input = std::io::stdin().lock();
            ensure!(
                !input.is_terminal(),
                "no position: name a file, or give --moves, or pipe one to standard input"
            );
            input.read_to_end(&mut bytes).context("reading standard input")?;
            any::read(&decode(&bytes), options.size).context("standard input")?
        }
    };
    match options.side {
        Some(Side::Black) => stones.set_to_move(Color::Black),
        Some(Side::White) => stones.set_to_move(Color::White),
        None => {}
    }
    Ok(stones)
}

fn search(options: &SolveOptions, stones: &Stones) -> anyhow::Result<Solution> {
    let settings = Settings {
        fours_only: options.fours_only,
        time: (!options.time.is_zero()).then_some(options.time),
        nodes: options.nodes.unwrap_or(u64::MAX),
        memory: ((options.memory - RESERVE.min(options.memory)) as usize) << 20,
    };
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    // A second one, in a process that has a handler already, does no harm.
    let _ = ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed));
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{elapsed} {msg}")?);
    bar.enable_steady_tick(Duration::from_millis(200));
    let solution = with_rule!(options.rule, R => solve::<R>(stones, &settings, &stop, &mut |news| {
        bar.set_message(format!(
            "{}: {} positions, to {} plies, {} open to prove and {} to refute",
            news.stage, news.nodes, news.deepest, news.proof, news.disproof
        ));
    }));
    bar.finish_and_clear();
    Ok(solution?)
}

fn show(options: &SolveOptions, stones: &Stones, solution: &Solution) -> anyhow::Result<String> {
    let proof = match &solution.verdict {
        Verdict::Win(proof) => proof,
        _ => return Ok(show_failure(options, stones, solution)),
    };
    match options.format {
        Format::Json => return Ok(proof.to_json()),
        Format::Sgf => return Ok(proof_text::sgf(proof, options.all_defences)?),
        Format::Text => {}
    }
    let line = proof.longest_line();
    let mut text = format!(
        "{} to move wins by {}: five with ply {} at the latest.\n\n",
        stones.to_move().name(),
        solution.stage,
        line.len()
    );
    text += &proof_text::numbered_picture(proof, &line);
    let _ = writeln!(text, "\n{}", proof_text::line(&line, stones.size()));
    if line.contains(&None) {
        text += "(.. is a move that does nothing about the threat)\n";
    }
    if options.all_defences {
        let _ = write!(text, "\n{}", proof_text::tree(proof)?);
    }
    let _ = writeln!(
        text,
        "\nFound after {} positions in {}; the proof has {} nodes and was checked.",
        solution.nodes,
        in_words(solution.time),
        proof.nodes.len()
    );
    Ok(text)
}

fn show_failure(options: &SolveOptions, stones: &Stones, solution: &Solution) -> String {
    let side = stones.to_move().name();
    let result = match (&solution.verdict, solution.exhausted) {
        (Verdict::NoWin(stage), _) => format!("no forced win for {side} by {stage}"),
        (_, Some(stage)) => {
            format!("not found within the limit; there is no forced win for {side} by {stage}")
        }
        (_, None) => "not found within the limit".to_owned(),
    };
    let searched = format!(
        "searched: {}, {} positions, lines of up to {} plies",
        solution.stage, solution.nodes, solution.deepest
    );
    match options.format {
        Format::Json => {
            let name = |stage: crate::solve::Stage| stage.to_string();
            let value = serde_json::json!({
                "format": "kagetsu verdict 1",
                "rule": options.rule.name(),
                "side": side.to_lowercase(),
                "verdict": if matches!(solution.verdict, Verdict::NoWin(_)) { "no win" } else { "not found" },
                "exhausted": solution.exhausted.map(name),
                "searched": name(solution.stage),
                "positions": solution.nodes,
                "plies": solution.deepest,
                "ms": solution.time.as_millis() as u64,
            });
            format!("{value}\n")
        }
        Format::Sgf | Format::Text => {
            format!("{result}.\n{searched}, in {}\n", in_words(solution.time))
        }
    }
}

fn in_words(time: Duration) -> String {
    if time < Duration::from_secs(10) {
        format!("{:.1} ms", time.as_secs_f64() * 1000.0)
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}

/// Positions after which a search of a small game is given up, unless the options say otherwise.
const SMALL_NODES: u64 = 200_000_000;

fn exactly(options: &SolveOptions, width: usize, height: usize, line: usize) -> anyhow::Result<String> {
    let game = Game::new(width, height, line);
    let game = game.context("a small game fits into one word: (columns + 1) times rows is at most 64")?;
    let limit = options.nodes.unwrap_or(SMALL_NODES);
    let mut board = game.start();
    if let Some(written) = &options.moves {
        let size = Size::new(width, height).context("no such board")?;
        for point in moves::read(written, size)? {
            board = game.play(board, point.x(), point.y()).context("a cell is taken")?;
        }
    }
    let mut text = String::new();
    if options.compare {
        let _ = writeln!(
            text,
            "{game}: {width}x{height}, {line} in a row\n\n{:20} {:>8} {:>14} {:>10} {:>9} {:>10}",
            "method", "value", "positions", "part", "exponent", "ms"
        );
        let mut all = None;
        for method in Method::ALL {
            let started = Instant::now();
            let solution = exact::solve(&game, board, method, limit);
            let ms = started.elapsed().as_millis();
            let Some(value) = solution.value else {
                let _ =
                    writeln!(text, "{:20} {:>8} {:>14} {:>31}", method.name(), "?", format!(">{limit}"), ms);
                continue;
            };
            let all = *all.get_or_insert(solution.positions as f64);
            let part = 100.0 * solution.positions as f64 / all;
            // What power of minimax' positions is needed; one half would be perfect order.
            let exponent = (solution.positions as f64).ln() / all.ln();
            let _ = writeln!(
                text,
                "{:20} {:>8} {:>14} {part:>8.3} % {exponent:>9.2} {ms:>10}",
                method.name(),
                value.to_string().trim_start_matches("a "),
                solution.positions
            );
        }
        text += "\nThe part and the exponent are of the first method that came to an end; an exponent of 0.50 is the\n\
                 square root, which a perfect order of moves would come near to.\n";
        return Ok(text);
    }
    let solution = exact::solve(&game, board, Method::Table, limit);
    match solution.value {
        Some(value) => {
            let _ = write!(text, "{game} is {value} for the side to move");
            if let Some(best) = solution.best {
                let (x, y) = game.coordinates(best);
                let _ = write!(text, "; a best move is {x},{y}");
            }
            let _ = writeln!(text, " ({} positions)", solution.positions);
        }
        None => {
            let _ = writeln!(text, "{game} is not solved within {} positions", solution.positions - 1);
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: SolveOptions,
    }

    fn output(arguments: &[&str]) -> anyhow::Result<String> {
        let line = Line::try_parse_from([&["solve"], arguments].concat())?;
        let mut out = Vec::new();
        run(&line.options, &mut out)?;
        Ok(String::from_utf8(out).expect("it is text"))
    }

    /// Black to move has an open three.
    const THREE: &str = "h8 a1 i8 a15 j8 o1";

    #[test]
    fn a_win_is_told_in_every_format() {
        let text = output(&["--moves", THREE]).unwrap();
        assert!(text.starts_with("Black to move wins by fours: five with ply 3 at the latest."), "{text}");
        assert!(text.contains("1 "), "{text}");
        let tree = output(&["--moves", THREE, "--all-defences"]).unwrap();
        assert!(tree.contains("threatens") && tree.contains(" five\n"), "{tree}");
        let sgf = output(&["--moves", THREE, "--format", "sgf", "--all-defences"]).unwrap();
        assert!(sgf.starts_with("(;FF[4]"), "{sgf}");
        let json = output(&["--moves", THREE, "--format", "json"]).unwrap();
        assert!(check(&Proof::from_json(&json).unwrap()).is_ok(), "{json}");
    }

    #[test]
    fn no_win_is_told() {
        let text = output(&["--moves", THREE, "--side", "white"]).unwrap();
        assert!(text.starts_with("no forced win for White by fours and threes."), "{text}");
        let text = output(&["--moves", THREE, "--side", "white", "--fours-only"]).unwrap();
        assert!(text.starts_with("no forced win for White by fours."), "{text}");
        let json = output(&["--moves", THREE, "--side", "white", "--format", "json"]).unwrap();
        assert!(json.contains("\"verdict\":\"no win\""), "{json}");
        let text = output(&["--moves", "h8 h9 i9 g7 i7 j8", "--nodes", "500"]).unwrap();
        assert!(text.starts_with("not found within the limit"), "{text}");
    }

    #[test]
    fn small_games_are_solved() {
        assert!(output(&["--board", "3", "--line", "3"]).unwrap().starts_with("3,3,3 is a draw"));
        let text = output(&["--board", "3", "--line", "3", "--moves", "0,0 1,0 0,1 1,1"]).unwrap();
        assert!(text.contains("is a win for the side to move; a best move is 0,2"), "{text}");
        let table = output(&["--board", "3x3", "--line", "3", "--compare"]).unwrap();
        assert!(table.contains("549946") && table.lines().count() > 7, "{table}");
    }

    #[test]
    fn mistakes_are_told() {
        for arguments in [
            &["--moves", "h8 h8"][..],
            &["--moves", "x9", "--rule", "renju"],
            &["--moves", "h8", "--rule", "chess"],
            &["--moves", "h8", "--time", "soon"],
            &["--board", "3"],
            &["--line", "3"],
            &["--board", "9", "--line", "5"],
            &["/does/not/exist"],
            &["--moves", "a1 b1 a2 b2 a3 b3 a4 b4 a5"],
        ] {
            assert!(output(arguments).is_err(), "{arguments:?}");
        }
    }

    #[test]
    fn a_broken_proof_is_refused() {
        let path = std::env::temp_dir().join(format!("kagetsu-{}-proof.json", std::process::id()));
        let json = output(&["--moves", THREE, "--format", "json"]).unwrap();
        let checked = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let mut out = Vec::new();
            let result = check_proof(&CheckOptions { file: path.clone() }, &mut out);
            result.map(|()| String::from_utf8(out).unwrap())
        };
        assert!(checked(&json).unwrap().starts_with("verified: Black to move wins, freestyle"));
        let broken = json.replacen("\"o1\"", "\"k8\"", 1);
        assert_ne!(json, broken);
        let error = checked(&broken).unwrap_err().to_string();
        assert!(error.contains("breaks"), "{error}");
        assert!(checked("{}").is_err());
        std::fs::remove_file(&path).unwrap();
    }
}
