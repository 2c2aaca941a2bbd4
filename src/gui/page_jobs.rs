//! Work that takes time: moves and analyses by the engine, and wins by the solver. A job is made from a message, and
//! its owner decides where it runs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::control::JobControl;
use super::fit::StyleMessage;
use super::library::{BookMessage, Library};
use super::limits::LimitsMessage;
use super::messages::{At, Code, Frame, Rejection, at, done, event, milliseconds};
use super::openings::{OpeningQuestion, OpeningStep};
use super::position::PositionMessage;
use super::proofs::{SolveMessage, SolveQuestion, solve};
use crate::engine::{Engine, Question, guarded};
use crate::eval::score::{Score, plies_to_end, win_probability};
use crate::experience::Learner;
use crate::game::Game;
use crate::levels::{Level, Style, choose};
use crate::library::BookMove;
use crate::search::{Answer, Limits, Line, Request, SearchProgress, Task};

/// Most lines that an analysis ranks.
const MOST_LINES: usize = 20;

/// Work for an engine, as a page has asked for it.
#[derive(Debug)]
pub struct PageJob {
    pub(super) id: u64,
    /// `None` where the number does not matter, because changing it makes the engine forget earlier searches.
    pub(super) threads: Option<usize>,
    pub(super) game: Game,
    pub(super) work: Work,
}

#[derive(Debug)]
pub(super) enum Work {
    /// A move in a style, with progress reports; of a game to learn from if there is a learner.
    Move { limits: Limits, style: Style, learner: Option<Arc<Learner>> },
    /// Ranked lines, with progress reports.
    Search { limits: Limits, lines: usize },
    /// One move or two after which neither side stands better.
    Balance { limits: Limits, task: Task },
    /// A decision in an opening.
    Opening { request: Request, step: OpeningStep },
    /// A win by force.
    Solve(SolveQuestion),
}

impl PageJob {
    /// The number that the page gave it.
    #[must_use]
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The answer of a caller that cannot run it.
    #[must_use]
    pub fn busy(&self, why: &str) -> String {
        Rejection::new(Code::Busy, why).frame(Some(self.id))
    }

    /// Does the work and reports to `tell`; the last frame is the answer. Returns whether all went well: after a panic
    /// the answer is an internal error, and the engine should be replaced.
    pub fn run(
        &self,
        engine: &mut Engine,
        solver_memory: usize,
        control: &JobControl,
        tell: &mut (dyn FnMut(Frame) + Send),
    ) -> bool {
        let answer = guarded(|| self.answer(engine, solver_memory, control, tell));
        let is_sound = answer.is_ok();
        let answer = answer.unwrap_or_else(|cause| {
            log::error!("a job of the board panicked: {cause}");
            Err(Rejection::new(Code::Internal, "the engine failed"))
        });
        tell(Frame::Done(answer.unwrap_or_else(|rejection| rejection.frame(Some(self.id)))));
        is_sound
    }

    fn answer(
        &self,
        engine: &mut Engine,
        solver_memory: usize,
        control: &JobControl,
        tell: &mut (dyn FnMut(Frame) + Send),
    ) -> Result<String, Rejection> {
        if let Some(threads) = self.threads {
            engine.set_threads(threads);
        }
        match &self.work {
            Work::Move { limits, style, learner } => {
                let request = Request::best(*limits);
                let answer = self.search(engine, &request, control, tell, |engine, question| match learner {
                    Some(learner) => learner.choose(engine, style, question),
                    None => choose(engine, style, question),
                });
                // The clock of the page is charged with this, and a lost game may have been studied meanwhile.
                let ms = milliseconds(request.started.elapsed());
                Ok(done(self.id, &Found { ms, ..Found::new(&answer, control) }))
            }
            Work::Search { limits, lines } => {
                let request = Request { task: Task::for_lines(*lines), ..Request::best(*limits) };
                let answer = self.search(engine, &request, control, tell, Engine::think);
                Ok(done(self.id, &Found::new(&answer, control)))
            }
            Work::Balance { limits, task } => {
                let request = Request { task: *task, ..Request::best(*limits) };
                let answer = self.search(engine, &request, control, &mut |_| {}, Engine::think);
                let score = answer.lines.first().map(|line| line.score);
                let moves = answer.moves.iter().copied().map(at).collect();
                let win_rate = score.map(win_probability);
                Ok(done(self.id, &Balanced { moves, score, win_rate, stopped: control.is_stopped() }))
            }
            Work::Opening { request, step } => {
                let (rule, stones) = (self.game.rule(), self.game.stones());
                // The time begins when the engine does, and not when the question came.
                let request = Request { started: Instant::now(), ..request.clone() };
                let decided = step.decide(engine, rule, stones, &request, &control.search)?;
                Ok(done(self.id, &decided))
            }
            Work::Solve(question) => solve(self.id, question, &self.game, solver_memory, control, tell),
        }
    }

    fn search(
        &self,
        engine: &mut Engine,
        request: &Request,
        control: &JobControl,
        tell: &mut (dyn FnMut(Frame) + Send),
        ask: impl FnOnce(&mut Engine, &Question<'_>) -> Answer,
    ) -> Answer {
        let tell = Mutex::new(tell);
        let report = |report| {
            if let SearchProgress::Line { rank, line, nodes, elapsed, .. } = report {
                let line = LineMessage::new(rank, &line, nodes, elapsed);
                (tell.lock())(Frame::Event(event(self.id, "line", &line)));
            }
        };
        let question = Question::new(self.game.rule(), self.game.stones(), request, &control.search);
        ask(engine, &Question { report: &report, ..question })
    }
}

/// `think`: one move for a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ThinkQuestion {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "op")]
    _op: IgnoredAny,
    position: PositionMessage,
    #[serde(default)]
    limits: LimitsMessage,
    threads: Option<usize>,
    #[serde(default)]
    style: StyleMessage,
    /// How to play from the library, if it knows a move.
    #[serde(default)]
    book: Option<BookMessage>,
    /// Whether this is a move of a game to learn from, if there is an experience file.
    #[serde(default)]
    learn: bool,
}

impl ThinkQuestion {
    /// The library's move, which takes no time, unless it has lost a game before. A level below full strength knows no
    /// library.
    pub fn book_answer(
        &self,
        library: &Library,
        learner: Option<&Arc<Learner>>,
    ) -> Result<Option<Found>, Rejection> {
        let Some(book) = self.book else { return Ok(None) };
        if self.style.style()?.level < Level::FULL {
            return Ok(None);
        }
        let game = self.position.open_game()?;
        let line = |found: BookMove| Line {
            points: vec![found.point],
            score: found.score,
            depth: 0,
            selective_depth: 0,
        };
        let (rule, stones) = (game.rule(), game.stones());
        let learner = learner.filter(|_| self.learn);
        let is_admitted = |found: &BookMove| {
            learner.is_none_or(|learner| learner.admits(rule, stones, found.point, found.score))
        };
        let found = book.choose(library, &game).filter(is_admitted);
        Ok(found.map(|found| Found::of_book(&line(found))))
    }

    pub fn job(
        self,
        id: u64,
        most_threads: usize,
        learner: Option<&Arc<Learner>>,
    ) -> Result<PageJob, Rejection> {
        let game = self.position.open_game()?;
        let threads = Some(self.threads.unwrap_or(1).clamp(1, most_threads));
        let learner = learner.filter(|_| self.learn).cloned();
        let work = Work::Move { limits: self.limits.limits(), style: self.style.style()?, learner };
        Ok(PageJob { id, threads, game, work })
    }
}

/// `analyse`: the best moves, for as long as nobody stops it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnalyseQuestion {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "op")]
    _op: IgnoredAny,
    position: PositionMessage,
    lines: usize,
    #[serde(default)]
    limits: LimitsMessage,
    threads: Option<usize>,
}

impl AnalyseQuestion {
    pub fn job(self, id: u64, most_threads: usize) -> Result<PageJob, Rejection> {
        if !(1..=MOST_LINES).contains(&self.lines) {
            return Err(Rejection::bad_request(format!("lines is a number from 1 to {MOST_LINES}")));
        }
        let game = self.position.open_game()?;
        let threads = Some(self.threads.unwrap_or(1).clamp(1, most_threads));
        let work = Work::Search { limits: self.limits.until_stopped(), lines: self.lines };
        Ok(PageJob { id, threads, game, work })
    }
}

impl OpeningQuestion {
    pub fn job(self, id: u64) -> Result<PageJob, Rejection> {
        let (game, request, step) = self.question()?;
        Ok(PageJob { id, threads: None, game, work: Work::Opening { request, step } })
    }
}

impl SolveMessage {
    pub fn job(self, id: u64) -> Result<PageJob, Rejection> {
        let game = self.position.open_game()?;
        Ok(PageJob { id, threads: None, game, work: Work::Solve(self.question()) })
    }
}

/// `balance`: a move or two after which neither side stands better.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BalanceQuestion {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "op")]
    _op: IgnoredAny,
    position: PositionMessage,
    moves: usize,
    #[serde(default)]
    limits: LimitsMessage,
}

impl BalanceQuestion {
    pub fn job(self, id: u64) -> Result<PageJob, Rejection> {
        let task = match self.moves {
            1 => Task::BalanceOne { bias: 0 },
            2 => Task::BalanceTwo { bias: 0 },
            _ => return Err(Rejection::bad_request("moves is 1 or 2")),
        };
        let game = self.position.open_game()?;
        Ok(PageJob { id, threads: None, game, work: Work::Balance { limits: self.limits.limits(), task } })
    }
}

/// A line as it is sent.
#[derive(Debug, Serialize)]
struct LineMessage {
    rank: usize,
    moves: Vec<At>,
    score: Score,
    win_rate: f64,
    plies_to_end: Option<i32>,
    depth: u32,
    selective_depth: u32,
    nodes: u64,
    ms: u64,
}

impl LineMessage {
    fn new(rank: usize, line: &Line, nodes: u64, elapsed: Duration) -> LineMessage {
        LineMessage {
            rank,
            moves: line.points.iter().copied().map(at).collect(),
            score: line.score,
            win_rate: win_probability(line.score),
            plies_to_end: plies_to_end(line.score),
            depth: line.depth,
            selective_depth: line.selective_depth,
            nodes,
            ms: milliseconds(elapsed),
        }
    }
}

/// What a search has found.
#[derive(Debug, Serialize)]
pub(super) struct Found {
    #[serde(rename = "move")]
    first: Option<At>,
    lines: Vec<LineMessage>,
    nodes: u64,
    ms: u64,
    stopped: bool,
    /// Whether the move comes from the library instead of a search.
    book: bool,
}

impl Found {
    fn of_book(line: &Line) -> Found {
        let lines = vec![LineMessage::new(0, line, 0, Duration::ZERO)];
        let first = line.points.first().copied().map(at);
        Found { first, lines, nodes: 0, ms: 0, stopped: false, book: true }
    }

    fn new(answer: &Answer, control: &JobControl) -> Found {
        let line = |(rank, line)| LineMessage::new(rank, line, answer.nodes, answer.elapsed);
        Found {
            first: answer.moves.first().copied().map(at),
            lines: answer.lines.iter().enumerate().map(line).collect(),
            nodes: answer.nodes,
            ms: milliseconds(answer.elapsed),
            stopped: control.is_stopped(),
            book: false,
        }
    }
}

#[derive(Debug, Serialize)]
struct Balanced {
    moves: Vec<At>,
    /// For the side to move; `None` if there was no time to search.
    score: Option<Score>,
    win_rate: Option<f64>,
    stopped: bool,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_analysis_without_limits_goes_on_until_it_is_stopped() {
        let position = json!({"rule": "renju", "width": 15, "height": 15, "moves": []});
        let message = json!({"id": 5, "op": "analyse", "position": position, "lines": 1});
        let question: AnalyseQuestion = serde_json::from_value(message).unwrap();
        let Work::Search { limits, .. } = question.job(5, 1).unwrap().work else { panic!("not a search") };
        assert!(limits.time.turn >= Some(Duration::from_secs(24 * 3600)), "{limits:?}");
    }
}

#[cfg(test)]
#[path = "learning_tests.rs"]
mod learning_tests;
