//! `kagetsu analyse`: what the engine thinks of a position, or of every position of a game.

use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::Args;

use super::arguments::{DEFAULT_MEGABYTES, edge_name};
use super::color::{BAD, DOUBTFUL, GOOD, styled};
use super::ending::{Interrupted, Mistake};
use super::output::counted;
use super::position::{PositionOptions, after};
use super::progress::live_line;
use crate::board::{Color, Point, Stones};
use crate::engine::{Engine, MAX_THREADS, Question};
use crate::eval::score::{plies_to_end, win_probability};
use crate::formats::duration::parse_duration;
use crate::formats::picture;
use crate::formats::point_names::{PointNames, Rows};
use crate::rules::judge::{self, Verdict};
use crate::rules::{Rule, RuleSet, with_rule};
use crate::search::{Answer, Control, Limits, Line, Request, Task, TimeControl};

/// A move that gives away this much of the expected score is a mistake.
const MISTAKE: f64 = 0.15;
/// A move that gives away this much of the expected score is a blunder.
const BLUNDER: f64 = 0.35;

/// The longest time for a position.
const MOST_TIME: Duration = Duration::from_secs(10_000_000);

/// Options of `kagetsu analyse`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Percentages are the expected score (a win counts 1, a draw one half); they and scores are those of the side to move.\n\
With --game the limits apply to each position; a move marked ? gives away 15 % or more, one marked ?? 35 %.")]
pub struct AnalyseOptions {
    #[command(flatten)]
    position: PositionOptions,

    /// Analyse every position of the game and mark mistakes
    #[arg(long)]
    game: bool,

    /// Number of best lines to show [default: 3, with --game 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    lines: Option<u32>,

    /// Time, such as 500ms, 10s or 10m; 0 is no limit, and needs --nodes or --depth
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "5s")]
    time: Duration,

    /// Nodes to search [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Depth to search to, in plies [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MAX_THREADS as i64))]
    threads: u32,

    /// Memory in MB
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_MEGABYTES, value_parser = clap::value_parser!(u32).range(32..=1 << 20))]
    memory: u32,

    /// For scripts: one JSON object for each position, one a line
    #[arg(long)]
    json: bool,
}

fn parse_time(text: &str) -> anyhow::Result<Duration> {
    let time = parse_duration(text)?;
    ensure!(time <= MOST_TIME, "at most {} seconds", MOST_TIME.as_secs());
    Ok(time)
}

/// What was found out about one position.
struct Analysis {
    /// Stones on the board.
    stones: usize,
    to_move: Color,
    verdict: Verdict,
    /// Best first; empty where the game is over, and where a limit came before the first of them.
    lines: Vec<Line>,
    nodes: u64,
    elapsed: Duration,
    /// The winning probability of the side to move; `None` where nothing was found out.
    win_rate: Option<f64>,
}

impl Analysis {
    /// The winning probability of this colour.
    fn win_rate_of(&self, color: Color) -> Option<f64> {
        self.win_rate.map(|own| if self.to_move == color { own } else { 1.0 - own })
    }
}

/// Analyses what the options ask for.
///
/// # Errors
/// A position that cannot be read, a writer that fails, Ctrl-C.
pub(crate) fn run(options: &AnalyseOptions, rows: Rows, mut out: impl Write) -> anyhow::Result<()> {
    let is_limited = !options.time.is_zero() || options.nodes.is_some() || options.depth.is_some();
    ensure!(
        is_limited,
        Mistake(
            "--time 0 needs --nodes or --depth: without any limit a search takes five seconds".to_owned()
        )
    );
    let given = options.position.read(rows)?;
    let (stones, rule) = (&given.stones, given.rule);
    let last = stones.history().len();
    // Stones that were set up are not analysed one by one.
    let first = if options.game { given.set_up.min(last) } else { last };
    ensure!(!options.game || first < last, "--game: there are no moves, or only stones that were set up");
    let control = std::sync::Arc::new(Control::new());
    let stopped = std::sync::Arc::clone(&control);
    // Setting the handler fails in a process that has one already, which does no harm.
    let _ = ctrlc::set_handler(move || stopped.stop());
    let mut engine = Engine::new(options.threads as usize, u64::from(options.memory) << 20);
    let counts: Vec<usize> = (first..=last).collect();
    let bar = live_line(counts.len() as u64);
    let mut analyses: Vec<Analysis> = Vec::new();
    for &count in &counts {
        let position = after(stones, count);
        let verdict = with_rule!(rule, R => verdict::<R>(&position, given.ends_with_move(count)));
        let analysis = options.analyse(&mut engine, rule, &position, verdict, &control);
        if options.json {
            let played = stones.history().get(count).map(|&(point, _)| point);
            let before = analyses.last().and_then(|before| loss(before, &analysis));
            writeln!(out, "{}", as_json(rule, &position, &analysis, played, before, rows))?;
        }
        analyses.push(analysis);
        bar.inc(1);
        if control.is_stopped() {
            break;
        }
    }
    bar.finish_and_clear();
    if !options.json {
        let text = match analyses.as_slice() {
            [only] if !options.game => one_position(rule, stones, only, rows),
            all => whole_game(stones, all, rows, options.lines.is_some()),
        };
        out.write_all(text.as_bytes()).context("writing the analysis")?;
    }
    // This holds at the last position too, which was not searched as far as it was meant to be.
    if control.is_stopped() {
        bail!(Interrupted { goes_on: false });
    }
    Ok(())
}

/// The verdict on a position, whose last stone need not be the one that has won. Whether a stone was forbidden can be
/// told only if it was the last move.
fn verdict<R: RuleSet>(stones: &Stones, ends_with_move: bool) -> Verdict {
    match judge::verdict_of_setup::<R>(stones) {
        Verdict::Win(color) => Verdict::Win(color),
        _ if ends_with_move => judge::verdict::<R>(stones),
        verdict => verdict,
    }
}

impl AnalyseOptions {
    fn analyse(
        &self,
        engine: &mut Engine,
        rule: Rule,
        stones: &Stones,
        verdict: Verdict,
        control: &Control,
    ) -> Analysis {
        let (to_move, count) = (stones.to_move(), stones.history().len());
        let nothing = Answer { moves: Vec::new(), lines: Vec::new(), nodes: 0, elapsed: Duration::ZERO };
        let (answer, win_rate) = match verdict {
            Verdict::Ongoing => {
                let answer = self.search(engine, rule, stones, control);
                let win_rate = answer.lines.first().map(|line| win_probability(line.score));
                (answer, win_rate)
            }
            Verdict::Draw => (nothing, Some(0.5)),
            Verdict::Win(color) => (nothing, Some(f64::from(color == to_move))),
            Verdict::Foul(color) => (nothing, Some(f64::from(color != to_move))),
        };
        Analysis {
            stones: count,
            to_move,
            verdict,
            lines: answer.lines,
            nodes: answer.nodes,
            elapsed: answer.elapsed,
            win_rate,
        }
    }

    fn search(&self, engine: &mut Engine, rule: Rule, stones: &Stones, control: &Control) -> Answer {
        let turn = (!self.time.is_zero()).then_some(self.time);
        let time = TimeControl { turn, ..TimeControl::default() };
        let limits = Limits { time, nodes: self.nodes, depth: self.depth };
        let mut ask = |lines| {
            let request = Request { task: Task::for_lines(lines), ..Request::best(limits) };
            engine.think(&Question::new(rule, stones, &request, control))
        };
        // A second line costs each position of a game a share of its time.
        let answer = ask(self.lines.map_or(if self.game { 1 } else { 3 }, |lines| lines as usize));
        // Where only one move makes sense nothing is searched, unless a second line is asked for.
        if answer.lines.is_empty() && !control.is_stopped() { ask(2) } else { answer }
    }
}

/// How much of the expected score the side that moved between these two positions has given away; `None` if nothing was
/// found out about one of them.
fn loss(before: &Analysis, now: &Analysis) -> Option<f64> {
    // The same side moves again after a pass, and where stones of the other side are left out.
    let left = now.win_rate_of(before.to_move)?;
    Some((before.win_rate? - left).max(0.0))
}

fn mark(loss: f64) -> &'static str {
    if loss >= BLUNDER {
        "??"
    } else if loss >= MISTAKE {
        "?"
    } else {
        ""
    }
}

/// The distance to a forced win or loss, or the score in points.
fn score_text(score: i32) -> String {
    match plies_to_end(score) {
        Some(plies) if plies > 0 => format!("wins in {plies}"),
        Some(plies) => format!("loses in {}", -plies),
        None => format!("{score:+}"),
    }
}

fn percent(win_rate: Option<f64>) -> String {
    win_rate.map_or_else(|| "-".to_owned(), |win_rate| format!("{:.0} %", 100.0 * win_rate))
}

fn one_position(rule: Rule, stones: &Stones, analysis: &Analysis, rows: Rows) -> String {
    let names = PointNames::of(stones.size()).with_rows(rows);
    let mut text = picture::draw_with_rows(stones, rows);
    let _ = writeln!(
        text,
        "\n{} {}, {}, {} to move",
        rule.name(),
        stones.size(),
        counted(stones.history().len() as u64, "stone"),
        stones.to_move().name()
    );
    if analysis.verdict != Verdict::Ongoing {
        text += "The game is over.\n";
        return text;
    }
    if analysis.lines.is_empty() {
        text += "Nothing was searched within the limits.\n";
    }
    for (n, line) in analysis.lines.iter().enumerate() {
        let row = line_text(n, line, names);
        text += &if n == 0 { styled(GOOD, row) } else { row };
        text.push('\n');
    }
    let _ = writeln!(text, "{} nodes, {:.2} s", analysis.nodes, analysis.elapsed.as_secs_f64());
    text
}

/// The `n`th best line of a position, the best being number 0.
fn line_text(n: usize, line: &Line, names: PointNames) -> String {
    let moves: Vec<String> = line.points.iter().map(|&point| names.name(point)).collect();
    format!(
        "{:2}. {:>5}  {:>11}  depth {:2}  {}",
        n + 1,
        percent(Some(win_probability(line.score))),
        score_text(line.score),
        line.depth,
        moves.join(" ")
    )
}

/// A row for each move: the side, the point, Black's expected score afterwards, what would have been better, and
/// Black's expected score after that instead. `with_lines` adds the lines of the position before the move, which are
/// those of the side that moved.
fn whole_game(stones: &Stones, analyses: &[Analysis], rows: Rows, with_lines: bool) -> String {
    let names = PointNames::of(stones.size()).with_rows(rows);
    let mut text = String::from("  #  side   move     Black   best    instead  depth\n");
    for pair in analyses.windows(2) {
        let [before, now] = pair else { continue };
        let Some(&(point, color)) = stones.history().get(before.stones) else { continue };
        let best = before.lines.first();
        let better = best.filter(|line| line.points.first() != Some(&point));
        let mark = loss(before, now).map_or("", mark);
        let row = format!(
            "{:3}  {:5}  {:<7}  {:>5}   {:<6}  {:>7}  {:>5}",
            now.stones,
            color.name(),
            format!("{}{mark}", names.name(point)),
            percent(now.win_rate_of(Color::Black)),
            better.and_then(|line| line.points.first()).map_or_else(String::new, |&point| names.name(point)),
            better.map_or_else(String::new, |_| percent(before.win_rate_of(Color::Black))),
            best.map_or_else(String::new, |line| line.depth.to_string()),
        );
        text += &match mark {
            "??" => styled(BAD, row),
            "?" => styled(DOUBTFUL, row),
            _ => row,
        };
        text.push('\n');
        for (n, line) in before.lines.iter().enumerate().filter(|_| with_lines) {
            let _ = writeln!(text, "     {}", line_text(n, line, names));
        }
    }
    let lost: Vec<f64> = analyses.windows(2).filter_map(|pair| loss(&pair[0], &pair[1])).collect();
    let count = |least: f64, most: f64| lost.iter().filter(|&&lost| lost >= least && lost < most).count();
    let _ = writeln!(text, "mistakes: {}, blunders: {}", count(MISTAKE, BLUNDER), count(BLUNDER, f64::MAX));
    text
}

/// The record of one position; `loss` is that of the move that led to it.
fn as_json(
    rule: Rule,
    stones: &Stones,
    analysis: &Analysis,
    played: Option<Point>,
    loss: Option<f64>,
    rows: Rows,
) -> serde_json::Value {
    let names = PointNames::of(stones.size()).with_rows(rows);
    let lines: Vec<serde_json::Value> = analysis
        .lines
        .iter()
        .map(|line| {
            serde_json::json!({
                "moves": line.points.iter().map(|&point| names.name(point)).collect::<Vec<String>>(),
                "score": line.score,
                "win_rate": win_probability(line.score),
                "plies_to_end": plies_to_end(line.score),
                "depth": line.depth,
            })
        })
        .collect();
    serde_json::json!({
        "format": "kagetsu analysis 1",
        "rule": rule.name(),
        "size": [stones.size().width(), stones.size().height()],
        "rows": edge_name(rows),
        "stones": analysis.stones,
        "to_move": analysis.to_move.name().to_lowercase(),
        "win_rate": analysis.win_rate,
        "lines": lines,
        "nodes": analysis.nodes,
        "ms": analysis.elapsed.as_millis() as u64,
        "played": played.map(|point| names.name(point)),
        "lost_by_last_move": loss,
        "mark": loss.map(mark),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        options: AnalyseOptions,
    }

    fn said(arguments: &str, moves: &str) -> String {
        let words = arguments.split_whitespace();
        let words = std::iter::once("analyse").chain(words).chain(["--moves", moves]);
        let mut out = Vec::new();
        run(&Program::parse_from(words).options, Rows::FromBottom, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_best_lines_of_a_position_are_shown() {
        // Black has an open three; White must stop it.
        let text = said("--nodes 20000 --lines 2 --rule standard", "h8 a1 i8 o1 j8");
        assert!(text.contains("standard 15x15, 5 stones, White to move"), "{text}");
        assert!(text.contains(" 1. ") && text.contains(" 2. ") && !text.contains(" 3. "), "{text}");
        let best = text.lines().find(|line| line.contains(" 1. ")).unwrap();
        assert!(["g8", "k8", "f8", "l8"].iter().any(|name| best.contains(name)), "{text}");
    }

    #[test]
    fn blunders_of_a_game_are_marked() {
        // White lets an open three stand.
        let game = "h8 i9 i8 a1 j8 a2 g8 a3 f8";
        let text = said("--game --nodes 20000", game);
        assert!(text.contains("a1?") && text.contains("blunders: "), "{text}");
        assert!(text.lines().count() == 11, "{text}");
        // Positions within a finished game can be analysed.
        let text = said("--stop-at 4 --nodes 5000", game);
        assert!(text.contains("4 stones, Black to move"), "{text}");
        let text = said("--nodes 5000", game);
        assert!(text.contains("The game is over"), "{text}");
    }

    #[test]
    fn a_game_is_over_whatever_comes_after_its_end() {
        for (options, moves) in [
            ("", "h8 a1 h9 b1 h10 d1 h11 e1 h12 o1 o2"),
            // The fifth stone of the row is not the last of the picture.
            ("--size 5", "XXXXX\n.OO..\n.O...\n.....\nO...."),
            // Black's last stone makes two threes.
            ("--rule renju", "g4 a1 h4 a3 i5 a5 i6 a7 i4"),
        ] {
            let text = said(&format!("--nodes 1000 {options}"), moves);
            assert!(text.contains("The game is over"), "{text}");
        }
        // The same stones in a picture: which of them came last is not known.
        let picture = "...............\n".repeat(8)
            + "O..............\n........X......\nO.......X......\n......XXX......\nO..............\n\
               ...............\nO..............\n";
        let text = said("--nodes 1000 --rule renju", &picture);
        assert!(!text.contains("The game is over"), "{text}");
    }

    #[test]
    fn a_game_goes_on_although_nothing_was_searched() {
        let text = said("--nodes 1 --time 0", "h8 i9 j8");
        assert!(text.contains("Nothing was searched") && !text.contains("over"), "{text}");
        let text = said("--nodes 1 --time 0 --game", "h8 i9 j8");
        assert!(text.contains("    -   ") && !text.contains("50 %"), "{text}");
        let text = said("--nodes 1 --time 0 --json", "h8 i9 j8");
        let value: serde_json::Value = text.parse().unwrap();
        assert_eq!((&value["win_rate"], &value["lines"]), (&serde_json::Value::Null, &serde_json::json!([])));
        // Where only one point is left, a line is asked for all the same.
        let text = said("--nodes 1000 --lines 1 --size 5", "XXOXX\nOOXOO\nXXOXX\nOOXOO\nXXOO.");
        assert!(text.contains(" 1. ") && !text.contains("over"), "{text}");
    }

    #[test]
    fn a_game_in_sgf_brings_its_rule_and_its_first_move() {
        let game = "(;GM[4]SZ[15]RU[renju];B[hi];W[aa];B[hj];W[ba];B[ih];W[ac];B[jh];W[bc])";
        assert!(said("--nodes 500", game).contains("renju 15x15"));
        assert!(said("--nodes 500 --rule standard", game).contains("standard 15x15"));
        // A pass, and stones that were set up.
        for (game, moves) in [
            ("(;GM[4]SZ[15];B[hh];W[ih];B[ii];W[];B[jj];W[aa])", 5),
            ("(;GM[4]SZ[15]AB[hh][ih]AW[aa]PL[B];B[jh];W[gh])", 2),
        ] {
            let text = said("--game --nodes 300", game);
            assert_eq!(text.lines().count(), 1 + moves + 1, "{text}");
        }
        // White loses by passing, and nobody by moving twice.
        let text = said("--game --nodes 5000", "(;GM[4]SZ[15];B[hh];B[ii];B[jj])");
        assert!(text.ends_with("mistakes: 0, blunders: 0\n") && !text.contains('?'), "{text}");
        let only_stones = Program::parse_from(["analyse", "--game", "--moves", "(;AB[hh]AW[aa])"]).options;
        assert!(run(&only_stones, Rows::FromBottom, &mut Vec::new()).is_err());
    }

    #[test]
    fn every_position_of_a_game_has_the_lines_that_are_asked_for() {
        let game = "h8 i9 i8 a1";
        let text = said("--game --lines 2 --nodes 4000", game);
        let count = |start: &str| text.lines().filter(|line| line.trim_start().starts_with(start)).count();
        // On the empty board only the middle is looked at.
        assert_eq!((count("1. "), count("2. "), count("3. ")), (4, 3, 0), "{text}");
        let counts = |options: &str| -> Vec<usize> {
            let positions = said(options, game);
            let lines =
                |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["lines"].clone();
            positions.lines().map(|line| lines(line).as_array().unwrap().len()).collect()
        };
        assert_eq!(counts("--game --json --lines 3 --nodes 4000"), [1, 3, 3, 3, 3]);
        assert_eq!(counts("--game --json --nodes 4000"), [1; 5]);
        assert_eq!(counts("--json --nodes 4000"), [3]);
    }

    #[test]
    fn scripts_get_a_line_for_each_position() {
        let text = said("--game --json --nodes 2000", "h8 i9 j8");
        let values: Vec<serde_json::Value> = text.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(values.len(), 4);
        assert_eq!(values[1]["played"], "i9");
        assert_eq!(values[1]["rows"], "bottom");
        assert_eq!(values[3]["played"], serde_json::Value::Null);
        assert!(values[2]["lines"][0]["moves"].as_array().is_some_and(|moves| !moves.is_empty()));
        assert!(values.iter().all(|value| value["format"] == "kagetsu analysis 1"));
    }
}
