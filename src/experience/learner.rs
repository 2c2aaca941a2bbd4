//! Chooses moves with the help of remembered losses, records when a game is lost, and uses spare time to search more
//! deeply where it was lost.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use parking_lot::Mutex;

use super::canonical::CanonicalPosition;
use super::forced::{fives, makes_five, only_stop};
use super::lessons::{Avoided, Better, Lesson, Lessons};
use super::store::{DEFAULT_LIMIT, Store, StoreError};
use super::watch::{Blamed, OwnMove, Watch};
use crate::board::{Point, PointSet, Size, Stones};
use crate::engine::{Engine, Question};
use crate::eval::score::{MAX_EVAL, Score, is_loss, lost_in, win_probability};
use crate::levels::{Level, Style, choose};
use crate::rules::Rule;
use crate::rules::fallback::is_forbidden;
use crate::search::clock::TimeBudget;
use crate::search::{Answer, Control, Limits, Line, Request, Task, TimeControl};

/// A position is studied with this many times the nodes of a move.
const STUDY_MOVES: u64 = 4;
/// Where a node limit is missing, a study consists of this many slices.
const STUDY_SLICES: u32 = 4;
/// Below this winning probability the game was lost earlier: then a move before is to blame as well.
const DOUBTFUL: f64 = 0.25;
/// A move is only to blame if the winning probability fell by at least this much with it.
const FALL: f64 = 0.05;
/// Each loss takes so many points off the move to blame, about 5 % of winning probability in an even position. A move
/// that is worse by no more is tried in its place.
const PENALTY: Score = 40;
/// One study gets at most 1/`GAME_SHARE` of the time left for the game.
const GAME_SHARE: u32 = 40;
/// The assumed speed in nodes per second until the first search has measured it: more than most machines reach, so that
/// no search is skipped that might have gone deeper.
const FASTEST: f64 = 2_000_000.0;
/// A search of at least this many nodes measures the speed of the machine.
const TELLING_NODES: u64 = 1000;
/// The score of a position of which nothing is known.
const EVEN: Score = 0;
/// How many positions may wait to be studied. The newest are studied first, and the oldest are dropped.
const MOST_STUDIES: usize = 32;

/// A player that remembers lost games. Several games may be played with it at a time, each by an engine of its own: all
/// of them know at once what one of them teaches.
#[derive(Debug)]
pub struct Learner {
    /// Never held during a search.
    state: Mutex<State>,
}

/// What is known, and what is still to be found out.
#[derive(Debug)]
struct State {
    store: Store,
    lessons: Lessons,
    watch: Watch,
    studies: VecDeque<Study>,
    /// Lessons that could not be written yet.
    unwritten: Vec<Lesson>,
    /// Nodes per second of the last search that was long enough to measure it.
    speed: f64,
}

/// A position to study: the last of these moves was played in it and was to blame for a loss.
#[derive(Debug)]
struct Study {
    rule: Rule,
    moves: Vec<OwnMove>,
    nodes: u64,
    slices: u32,
}

impl Learner {
    /// Opens this experience file, which is created if it does not exist.
    ///
    /// # Errors
    /// A file that cannot be read or written, or that is not an experience file of this program.
    pub fn open(path: &Path) -> Result<Learner, StoreError> {
        Ok(Learner::of_lines(Store::open(path, DEFAULT_LIMIT)?))
    }

    /// Like [`Learner::open`], but waits for no other program, for whoever tries again later.
    pub(crate) fn open_at_once(path: &Path) -> Result<Learner, StoreError> {
        Ok(Learner::of_lines(Store::open_after(path, DEFAULT_LIMIT, 0)?))
    }

    fn of_lines((store, lines): (Store, Vec<String>)) -> Learner {
        let mut lessons = Lessons::default();
        lessons.read(&lines);
        let state = State {
            store,
            lessons,
            watch: Watch::default(),
            studies: VecDeque::new(),
            unwritten: Vec::new(),
            speed: FASTEST,
        };
        Learner { state: Mutex::new(state) }
    }

    /// Asks the engine for a move in a style, as [`choose`] does, but avoids moves that were followed by a loss before,
    /// unless all others are worse. Levels below full strength remember nothing.
    ///
    /// # Panics
    /// If the board is full.
    pub fn choose(&self, engine: &mut Engine, style: &Style, question: &Question<'_>) -> Answer {
        let &Question { rule, stones, request, control, .. } = question;
        let mut ask = |request: &Request| choose(engine, style, &Question { request, ..*question });
        let remembers = request.task == Task::Best && style.level == Level::FULL;
        let Some(canonical) = CanonicalPosition::new(rule, stones).filter(|_| remembers) else {
            return ask(request);
        };
        // The only move that stops a five has lost nothing, whatever came after it: it is neither avoided nor blamed.
        let is_forced = only_stop(rule, stones).is_some_and(|point| !request.blocked.contains(point));
        let (avoided, hope, known) = if is_forced {
            (PointSet::EMPTY, None, None)
        } else {
            let state = self.state.lock();
            let hope = state.lessons.best_avoided(&canonical).filter(|avoided| !is_loss(avoided.score));
            (state.lessons.avoided(&canonical), hope, state.known_better(&canonical, question))
        };
        let answer = match known {
            Some(answer) => answer,
            None if avoided.is_empty() => ask(request),
            None => {
                let answer = ask(&Request { blocked: request.blocked | avoided, ..request.clone() });
                if score_of(&answer).is_some_and(is_loss) && hope.is_none() {
                    // Every other move loses too: play the one that resists longest.
                    let mut rest = with_latest_time(request, control);
                    rest.limits.nodes =
                        rest.limits.nodes.map(|limit| limit.saturating_sub(answer.nodes).max(1));
                    later_loss(answer, ask(&rest))
                } else {
                    answer
                }
            }
        };
        let answer = or_avoided(answer, hope, &canonical, question);
        if !is_forced {
            self.state.lock().note_answer(rule, stones, &answer);
        }
        self.study(engine, question, &answer);
        answer
    }

    /// Whether this move, which somebody else suggests to the engine, may be played: not if it was followed by a loss
    /// before. Otherwise it counts as a move of the engine's, with this score.
    pub fn admits(&self, rule: Rule, stones: &Stones, point: Point, score: Score) -> bool {
        let Some(canonical) = CanonicalPosition::new(rule, stones) else { return true };
        let mut state = self.state.lock();
        let is_admitted = !state.lessons.avoided(&canonical).contains(point);
        if is_admitted {
            state.note(rule, stones, point, score);
        }
        is_admitted
    }

    /// Searches more deeply where a game was lost, with what this move has left of its limits.
    fn study(&self, engine: &mut Engine, question: &Question<'_>, answer: &Answer) {
        let &Question { request, control, .. } = question;
        let aside = control.companion();
        let spared = spare(&with_latest_time(request, control), answer);
        let Some(limits) = spared.filter(|_| !control.is_stopped()) else { return };
        let game = (question.rule, question.stones.size());
        let Some((study, avoided)) = self.state.lock().next_study(game) else { return };
        let Some(own) = study.moves.last() else { return };
        // The clock runs on from the command, even if the manager changes the time meanwhile.
        let best = Request { blocked: avoided, started: request.started, ..Request::best(limits) };
        // The manager is only told of its own search, and the best move so far stays that of the game.
        let found = engine.think(&Question::new(study.rule, &own.stones, &best, &aside));
        let wanted = request.limits.nodes.map(|nodes| nodes.saturating_mul(STUDY_MOVES));
        self.state.lock().go_on_with(study, &found, wanted);
    }
}

impl State {
    /// The move that an earlier search found, if that search was deeper than this one will be.
    fn known_better(&self, canonical: &CanonicalPosition, question: &Question<'_>) -> Option<Answer> {
        let &Question { stones, request, .. } = question;
        let Better { point, score, nodes } = self.lessons.better(canonical)?;
        let is_deeper =
            expected_nodes(&request.limits, stones, self.speed).is_some_and(|expected| nodes > expected);
        let point = playable(canonical, point, question).filter(|_| is_deeper)?;
        Some(remembered_answer(point, score, 0, question))
    }

    /// Records the move of a search, and the speed of the machine.
    fn note_answer(&mut self, rule: Rule, stones: &Stones, answer: &Answer) {
        let seconds = answer.elapsed.as_secs_f64();
        if answer.nodes >= TELLING_NODES && seconds > 0.0 {
            self.speed = answer.nodes as f64 / seconds;
        }
        let Some(&point) = answer.moves.first() else { return };
        let score = score_of(answer).unwrap_or_else(|| score_without_search(rule, stones, point));
        self.note(rule, stones, point, score);
    }

    /// Records the move and, if the game turns out to be lost with it, what is to be learned.
    fn note(&mut self, rule: Rule, stones: &Stones, point: Point, score: Score) {
        let blamed = self.watch.note(rule, stones, point, score);
        for (n, Blamed { moves, score }) in blamed.into_iter().enumerate() {
            self.blame(rule, moves.last(), score);
            if n == 0 {
                self.take_up(Study { rule, moves, nodes: 0, slices: 0 });
            }
        }
    }

    /// Remembers a move to avoid, which has turned out to be worth this much; less if it has lost before.
    fn blame(&mut self, rule: Rule, own: Option<&OwnMove>, score: Score) {
        let position = own.and_then(|own| Some((own, CanonicalPosition::new(rule, &own.stones)?)));
        let Some((own, canonical)) = position else { return };
        let known = self.lessons.score_avoided(&canonical, own.point);
        let score = known.map_or(score, |known| known.min(score));
        let score = if is_loss(score) { score } else { (score - PENALTY).max(-MAX_EVAL) };
        self.keep(Lesson::avoid(&canonical, own.point, score));
    }

    fn take_up(&mut self, study: Study) {
        self.studies.push_front(study);
        self.studies.truncate(MOST_STUDIES);
    }

    /// Adds a lesson and writes it down. If it cannot be written now, it is written with the next one.
    fn keep(&mut self, lesson: Lesson) {
        if !self.lessons.take(lesson) {
            return;
        }
        self.unwritten.push(lesson);
        while let Some(lesson) = self.unwritten.first() {
            match self.store.add(&lesson.line()) {
                Ok(others) => self.lessons.read(&others),
                Err(error) => {
                    log::warn!("a lesson cannot be written yet: {error}");
                    return;
                }
            }
            self.unwritten.remove(0);
        }
    }

    /// The next position to study, with the moves to avoid in it. It has the rule and the board of the game that is
    /// played: for others the engine would forget what it has found in this game.
    fn next_study(&mut self, game: (Rule, Size)) -> Option<(Study, PointSet)> {
        let is_of_game =
            |study: &Study| study.moves.last().is_some_and(|own| (study.rule, own.stones.size()) == game);
        let next = self.studies.iter().position(is_of_game)?;
        let study = self.studies.remove(next)?;
        let canonical = CanonicalPosition::new(study.rule, &study.moves.last()?.stones)?;
        let avoided = self.lessons.avoided(&canonical);
        Some((study, avoided))
    }

    /// Takes in what a search has found for a study, for which this many nodes are wanted if nodes are limited.
    fn go_on_with(&mut self, mut study: Study, found: &Answer, wanted: Option<u64>) {
        study.nodes += found.nodes;
        study.slices += 1;
        let is_done = wanted.map_or(study.slices >= STUDY_SLICES, |wanted| study.nodes >= wanted);
        let (Some(score), Some(&point)) = (score_of(found), found.moves.first()) else { return };
        let position = study.moves.last().map(|own| &own.stones);
        let canonical = position.and_then(|stones| CanonicalPosition::new(study.rule, stones));
        let Some(canonical) = canonical else { return };
        let avoided = self.lessons.best_avoided(&canonical);
        let best = avoided.map_or(score, |avoided| avoided.score.max(score));
        if win_probability(best) < DOUBTFUL {
            // The game was lost earlier, by the last move that promised more, if there is one.
            study.moves.pop();
            let promised = |own: &OwnMove| win_probability(own.score) - win_probability(best) >= FALL;
            let count = study.moves.iter().rposition(promised).map_or(0, |last| last + 1);
            study.moves.truncate(count);
            self.blame(study.rule, study.moves.last(), best);
            if count > 0 {
                self.take_up(Study { nodes: 0, slices: 0, ..study });
            }
        } else if !is_done {
            self.take_up(study);
        } else if score >= best {
            let point = canonical.remembered(point);
            self.keep(Lesson::Better { key: canonical.key, point, score, nodes: study.nodes });
        }
    }
}

/// The first of the points remembered as this one that may be played: the file may have been edited, and different
/// positions may share a key.
fn playable(canonical: &CanonicalPosition, point: (u8, u8), question: &Question<'_>) -> Option<Point> {
    let &Question { rule, stones, request, .. } = question;
    let is_playable = |point: &Point| {
        stones.is_empty_at(*point) && !request.blocked.contains(*point) && !is_forbidden(rule, stones, *point)
    };
    canonical.points(point).iter().find(is_playable)
}

/// A move that needs no search of its own, after a search of so many nodes for another.
fn remembered_answer(point: Point, score: Score, nodes: u64, question: &Question<'_>) -> Answer {
    let line = Line { points: vec![point], score, depth: 0, selective_depth: 0 };
    Answer { moves: vec![point], lines: vec![line], nodes, elapsed: question.request.started.elapsed() }
}

/// This answer, or the best of the moves to avoid if that does not lose and is worth more all the same.
fn or_avoided(
    answer: Answer,
    hope: Option<Avoided>,
    canonical: &CanonicalPosition,
    question: &Question<'_>,
) -> Answer {
    let worth_more = |avoided: &Avoided| score_of(&answer).is_some_and(|score| avoided.score > score);
    let avoided = hope.filter(worth_more);
    let point = avoided.and_then(|avoided| playable(canonical, avoided.point, question));
    match avoided.zip(point) {
        Some((avoided, point)) => remembered_answer(point, avoided.score, answer.nodes, question),
        None => answer,
    }
}

fn score_of(answer: &Answer) -> Option<i32> {
    answer.lines.first().map(|line| line.score)
}

/// What a move is worth that was played without a search, since there was no time for one: it has lost if a five may
/// follow, and nothing else is known of it.
fn score_without_search(rule: Rule, stones: &Stones, point: Point) -> Score {
    let own = stones.to_move();
    let mut after = stones.clone();
    after.place(point, own);
    let may_lose = !makes_five(rule, stones, point, own) && fives(rule, &after, !own).next().is_some();
    if may_lose { lost_in(2) } else { EVEN }
}

/// Of an answer that loses and another one, the one that loses later or does not lose, with the nodes of both. Nothing
/// is known of a move that was played without a search because the limits were used up: it may be the one that lost the
/// game before.
fn later_loss(one: Answer, other: Answer) -> Answer {
    let nodes = one.nodes + other.nodes;
    let is_later = score_of(&other).zip(score_of(&one)).is_some_and(|(score, known)| score > known);
    let later = if is_later { other } else { one };
    Answer { nodes, ..later }
}

/// How many nodes a search within these limits is expected to reach at this speed, in nodes per second; `None` where
/// nothing but a depth limits it.
fn expected_nodes(limits: &Limits, stones: &Stones, speed: f64) -> Option<u64> {
    let budget = TimeBudget::new(limits, stones.empty_count());
    let by_time = (budget.hard < Duration::MAX).then_some((budget.soft.as_secs_f64() * speed) as u64);
    limits.nodes.into_iter().chain(by_time).min()
}

/// The request with the time that the manager allows now, which may have changed since the request was made.
fn with_latest_time(request: &Request, control: &Control) -> Request {
    Request { limits: control.latest(request.limits), ..request.clone() }
}

/// The limits left for a study, with time counted from the command, if at least half of what the move might have taken
/// is left. `None` without any limit.
fn spare(request: &Request, answer: &Answer) -> Option<Limits> {
    let elapsed = request.started.elapsed();
    let nodes = request.limits.nodes.map(|limit| limit.saturating_sub(answer.nodes));
    if nodes.zip(request.limits.nodes).is_some_and(|(left, limit)| left < limit / 2) {
        return None;
    }
    let time = request.limits.time;
    if time.turn.is_some_and(|turn| turn.saturating_sub(elapsed) < turn / 2) {
        return None;
    }
    // A tenth of the turn stays in reserve, in addition to what every search keeps back.
    let turn = time.turn.map(|turn| turn - turn / 10);
    let of_game = time.left.map(|left| elapsed + left / GAME_SHARE);
    let turn = turn.into_iter().chain(of_game).min();
    let is_short = |turn: Duration| turn.saturating_sub(elapsed) < Duration::from_millis(20);
    if turn.is_some_and(is_short) || turn.is_none() && nodes.is_none() {
        return None;
    }
    Some(Limits { time: TimeControl { turn, ..TimeControl::default() }, nodes, depth: None })
}

#[cfg(test)]
#[path = "learner_tests.rs"]
mod tests;
