//! `kagetsu analyse`: what the engine thinks of a position, or of every position of a game.

use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::Args;

use super::arguments::{DEFAULT_MEGABYTES, edge_name};
use super::color::{BAD, DOUBTFUL, GOOD, styled};
use super::ending::{Interrupted, Mistake};
use super::hindsight::{self, Known, Mark};
use super::output::counted;
use super::position::{GivenPosition, PositionOptions, after};
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

/// The longest time for a position.
const MOST_TIME: Duration = Duration::from_secs(10_000_000);

/// Options of `kagetsu analyse`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Percentages are the expected score (a win counts 1, a draw one half); they and scores are those of the side to move.\n\
With --game the limits apply to each position; a move marked ? gives away 15 % or more, or a forced win,\n\
or runs into a forced loss; one marked ?? gives away 35 %. The move that the engine would have played itself gives\n\
away nothing. A forced win that is found late counts from the last move on that was not the engine's own.")]
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
    /// What the search has found, or what the verdict says; `None` where nothing was found out.
    fn known(&self) -> Option<Known> {
        let share = self.win_rate?;
        Some(match self.lines.first() {
            Some(line) => Known::found(self.to_move, share, line.score, line.points.first().copied()),
            None => Known::over(self.to_move, share),
        })
    }
}

/// The move that a game went on with after an analysed position, and whose it was; `None` at its end.
fn played(stones: &Stones, analysis: &Analysis) -> Option<(Point, Color)> {
    stones.history().get(analysis.stones).copied()
}

/// What is known of the positions of a game once the last of them was analysed.
fn in_hindsight(stones: &Stones, analyses: &[Analysis]) -> Vec<Option<Known>> {
    let mut known: Vec<Option<Known>> = analyses.iter().map(Analysis::known).collect();
    let played: Vec<_> = analyses.iter().map(|analysis| played(stones, analysis)).collect();
    hindsight::correct(&mut known, &played);
    known
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
    let five = with_rule!(rule, R => first_five::<R>(&given));
    let bar = live_line(counts.len() as u64);
    let mut analyses: Vec<Analysis> = Vec::new();
    for &count in &counts {
        let position = after(stones, count);
        let verdict = with_rule!(rule, R => verdict::<R>(&given, five, count));
        let analysis = options.analyse(&mut engine, rule, &position, verdict, &control);
        analyses.push(analysis);
        bar.inc(1);
        if control.is_stopped() {
            break;
        }
    }
    bar.finish_and_clear();
    if options.json {
        // What is found late says something of the positions before it, so none is written before the last is known.
        let known = in_hindsight(stones, &analyses);
        for (n, analysis) in analyses.iter().enumerate() {
            let moved = n.checked_sub(1).and_then(|before| Moved::between(stones, &analyses, &known, before));
            writeln!(out, "{}", as_json(&given, analysis, known[n], moved, rows))?;
        }
    } else {
        let text = match analyses.as_slice() {
            [only] if !options.game => one_position(&given, only, rows),
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

/// After how many stones the first five of a game stood, and who won with it. Moves may have gone on after it, even
/// until the other side had five as well.
fn first_five<R: RuleSet>(given: &GivenPosition) -> Option<(usize, Verdict)> {
    let all = given.stones.history().len();
    (given.set_up.min(all)..=all)
        .map(|count| (count, judge::verdict_of_setup::<R>(&after(&given.stones, count))))
        .find(|(_, verdict)| matches!(verdict, Verdict::Win(_)))
}

/// The verdict on the position after so many stones. Whether a stone was forbidden can be told only if it was the last
/// move.
fn verdict<R: RuleSet>(given: &GivenPosition, five: Option<(usize, Verdict)>, count: usize) -> Verdict {
    match five {
        Some((stones, won)) if stones <= count => won,
        _ if given.ends_with_move(count) => judge::verdict::<R>(&after(&given.stones, count)),
        _ => judge::verdict_of_setup::<R>(&after(&given.stones, count)),
    }
}

/// After how many stones this verdict on the whole game held; all of them if only the last one has ended it.
fn end_of<R: RuleSet>(given: &GivenPosition, result: Verdict) -> usize {
    let all = given.stones.history().len();
    match first_five::<R>(given) {
        Some((stones, _)) => stones,
        None => (given.set_up..all).find(|&count| verdict::<R>(given, None, count) == result).unwrap_or(all),
    }
}

/// Who has won, if the game is over.
fn result_in_words(verdict: Verdict) -> Option<String> {
    Some(match verdict {
        Verdict::Ongoing => return None,
        Verdict::Win(color) => format!("{} has won", color.name()),
        Verdict::Foul(color) => {
            format!("{} has won, because {}'s move is forbidden", (!color).name(), color.name())
        }
        Verdict::Draw => "it is a draw".to_owned(),
    })
}

/// The same for scripts.
fn result_name(verdict: Verdict) -> Option<String> {
    match verdict {
        Verdict::Draw => Some("draw".to_owned()),
        verdict => verdict.winner().map(|color| color.name().to_lowercase()),
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
            verdict => (nothing, Some(verdict.winner().map_or(0.5, |winner| f64::from(winner == to_move)))),
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
        // A second line costs each position of a game a share of its time.
        let lines = self.lines.map_or(if self.game { 1 } else { 3 }, |lines| lines as usize);
        let request = Request { task: Task::for_lines(lines), ..Request::best(limits) };
        engine.think(&Question::new(rule, stones, &request, control))
    }
}

/// A move of an analysed game, between two positions of which something is known.
struct Moved {
    /// The expected score that the side to move has given away.
    loss: f64,
    mark: Mark,
    /// What would have been better, with what is known before the move; `None` where nothing is known to be.
    better: Option<(Point, Known)>,
}

impl Moved {
    /// The move that follows the position with this number.
    fn between(
        stones: &Stones,
        analyses: &[Analysis],
        known: &[Option<Known>],
        before: usize,
    ) -> Option<Self> {
        let point = played(stones, &analyses[before]).map(|(point, _)| point);
        let (before, after) = (known[before]?, known[before + 1]?);
        let better = before.best.filter(|&best| Some(best) != point).map(|best| (best, before));
        let (loss, mark) = (hindsight::loss(&before, &after, point), hindsight::mark(&before, &after, point));
        Some(Self { loss, mark, better })
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

fn one_position(given: &GivenPosition, analysis: &Analysis, rows: Rows) -> String {
    let (rule, stones) = (given.rule, &given.stones);
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
    if let Some(result) = result_in_words(analysis.verdict) {
        let end = with_rule!(rule, R => end_of::<R>(given, analysis.verdict));
        let _ = writeln!(text, "The game is over: {result}.");
        if end < analysis.stones {
            let later = counted((analysis.stones - end) as u64, "stone");
            let _ = writeln!(text, "It was over after {}; {later} came later.", counted(end as u64, "stone"));
        }
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
/// Black's expected score after that instead, all of them in hindsight. `with_lines` adds the lines of the position
/// before the move, which are those of the side that moved.
fn whole_game(stones: &Stones, analyses: &[Analysis], rows: Rows, with_lines: bool) -> String {
    let names = PointNames::of(stones.size()).with_rows(rows);
    let known = in_hindsight(stones, analyses);
    let blacks = |known: Option<Known>| percent(known.map(|known| known.share_of(Color::Black)));
    let mut text = String::from("  #  side   move     Black   best    instead  depth\n");
    let (mut mistakes, mut blunders) = (0, 0);
    for n in 1..analyses.len() {
        let before = &analyses[n - 1];
        let Some((point, color)) = played(stones, before) else { continue };
        let moved = Moved::between(stones, analyses, &known, n - 1);
        let mark = moved.as_ref().map_or(Mark::Nothing, |moved| moved.mark);
        let better = moved.and_then(|moved| moved.better);
        let row = format!(
            "{:3}  {:5}  {:<7}  {:>5}   {:<6}  {:>7}  {:>5}",
            analyses[n].stones,
            color.name(),
            format!("{}{}", names.name(point), mark.text()),
            blacks(known[n]),
            better.map_or_else(String::new, |(point, _)| names.name(point)),
            better.map_or_else(String::new, |(_, known)| blacks(Some(known))),
            before.lines.first().map_or_else(String::new, |line| line.depth.to_string()),
        );
        text += &match mark {
            Mark::Blunder => styled(BAD, row),
            Mark::Mistake => styled(DOUBTFUL, row),
            Mark::Nothing => row,
        };
        mistakes += usize::from(mark == Mark::Mistake);
        blunders += usize::from(mark == Mark::Blunder);
        text.push('\n');
        for (n, line) in before.lines.iter().enumerate().filter(|_| with_lines) {
            let _ = writeln!(text, "     {}", line_text(n, line, names));
        }
    }
    let _ = writeln!(text, "mistakes: {mistakes}, blunders: {blunders}");
    text
}

/// The record of one position: `known` is what is known of it in hindsight, `moved` the move that led to it.
fn as_json(
    given: &GivenPosition,
    analysis: &Analysis,
    known: Option<Known>,
    moved: Option<Moved>,
    rows: Rows,
) -> serde_json::Value {
    let size = given.stones.size();
    let names = PointNames::of(size).with_rows(rows);
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
        "rule": given.rule.name(),
        "size": [size.width(), size.height()],
        "rows": edge_name(rows),
        "stones": analysis.stones,
        "to_move": analysis.to_move.name().to_lowercase(),
        "result": result_name(analysis.verdict),
        "win_rate": analysis.win_rate,
        "hindsight": known.map(|known| known.share),
        "lines": lines,
        "nodes": analysis.nodes,
        "ms": analysis.elapsed.as_millis() as u64,
        "played": played(&given.stones, analysis).map(|(point, _)| names.name(point)),
        "lost_by_last_move": moved.as_ref().map(|moved| moved.loss),
        "mark": moved.map(|moved| moved.mark.text()),
    })
}

#[cfg(test)]
#[path = "analyse_tests.rs"]
mod tests;
