//! Variety: one of the moves that are nearly as good as the best is chosen at random. In symmetric positions, moves
//! that are images of each other count as one.

use parking_lot::Mutex;

use super::seeded_random::SeededRandom;
use crate::board::{Cell, Point, PointSet, Stones, Symmetry};
use crate::engine::{Engine, Question};
use crate::eval::score::{Score, is_decided, win_probability};
use crate::search::clock::part_of_time;
use crate::search::{Answer, Control, Line, Request, SearchProgress, Task};

/// Up to this many stones, the whole margin may be given away.
const OPENING: usize = 5;
/// From this many stones on, there is no margin.
const END: usize = 8;
/// How many moves are compared, in the opening and later.
const LINES: (usize, usize) = (8, 4);
/// The percentages of the move's limits at which the comparison of moves ends, and at which the search for the best
/// move ends. The rest is for the rival that was chosen.
const COMPARED: u32 = 15;
const SEARCHED: u32 = 70;
/// With fewer nodes than this the comparison gets all of them, because a part of them would be too few to rank moves.
const FEW_NODES: u64 = 1000;
/// A rival is played only if it was searched to at least the depth of the best move, less this many plies.
const SHALLOWER: u32 = 2;

/// How much of the expected score a move may give away, by the search's own estimate, for the sake of variety.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Variety {
    percent: u8,
}

impl Variety {
    /// Always the best move.
    pub const NONE: Variety = Variety { percent: 0 };
    /// The greatest margin that can be asked for, in percent of the expected score.
    pub const MOST: u8 = 50;

    /// A margin in percent of the expected score, [`Variety::MOST`] at most.
    #[must_use]
    pub const fn percent(percent: u8) -> Variety {
        Variety { percent: if percent < Variety::MOST { percent } else { Variety::MOST } }
    }

    /// The share of the expected score, 0 to 1, that may be given away with so many stones on the board: all of the
    /// margin in the opening, nothing later.
    #[must_use]
    pub fn margin_after(self, stones: usize) -> f64 {
        let left = END.saturating_sub(stones.max(OPENING)) as f64 / (END - OPENING) as f64;
        f64::from(self.percent) / 100.0 * left
    }
}

/// A line of one rank as it was found in one iteration.
struct RankedLine {
    rank: usize,
    line: Line,
}

/// Searches, and now and then plays a rival that is within the margin of the best move.
///
/// Ranking moves costs search depth: with all of the limits spent on it, it cost 75 Elo at 2,000 nodes a move, whatever
/// the margin. So only a small part of the limits is spent on comparing many moves. One of those close to the best is
/// chosen at random, and it is played only if a search of its own finds it as close at the depth of the search for the
/// best move.
pub(super) fn varied(
    engine: &mut Engine,
    variety: Variety,
    random: SeededRandom,
    question: &Question<'_>,
) -> Answer {
    let &Question { stones, request, .. } = question;
    let margin = variety.margin_after(stones.history().len());
    if margin <= 0.0 {
        return engine.think(question);
    }
    let symmetries = own_symmetries(stones);
    let one_of_each = Request {
        blocked: request.blocked | twins(stones, &symmetries, &request.blocked),
        ..request.clone()
    };
    let question = Question { request: &one_of_each, ..*question };
    let mut answer = Trial { engine, question }.answer(margin, random);
    // Of the moves that are equal by symmetry only one was searched, but any may be played.
    let turn = symmetries[(random.number(u64::MAX - 1) % symmetries.len() as u64) as usize];
    let turned = |points: &mut Vec<Point>| {
        points.iter_mut().for_each(|point| *point = turn.apply(*point, stones.size()));
    };
    if !answer.moves.iter().any(|&point| request.blocked.contains(turn.apply(point, stones.size()))) {
        turned(&mut answer.moves);
        answer.lines.iter_mut().for_each(|line| turned(&mut line.points));
    }
    answer
}

/// One question that several searches answer together.
struct Trial<'a> {
    engine: &'a mut Engine,
    question: Question<'a>,
}

impl Trial<'_> {
    /// The best move, or the rival that was chosen if it holds its own.
    fn answer(&mut self, margin: f64, random: SeededRandom) -> Answer {
        let Question { stones, request, control, report, .. } = self.question;
        let count = stones.history().len();
        let lines = if count <= OPENING { LINES.0 } else { LINES.1 };
        let has_few = request.limits.nodes.is_some_and(|nodes| nodes < FEW_NODES);
        let part = if has_few { 100 } else { COMPARED };
        let share = control.with_share(part);
        let compare = Request { task: Task::Rank { lines }, ..self.until(part, 0) };
        let (compared, found) = self.search(&compare, &share, &|_| {});
        if control.is_stopped() {
            // No search after this one would find anything.
            return with_move(compared, None);
        }
        let candidates = near_best(&found, &compared, margin);
        let chosen = (!candidates.is_empty())
            .then(|| candidates[(random.number(u64::MAX) % candidates.len() as u64) as usize]);
        if has_few {
            return with_move(compared, chosen);
        }
        // If the best move of the comparison is chosen there is no rival, and the search for the best move gets all the
        // rest.
        let rival = chosen.filter(|&point| Some(point) != best_of(&compared));
        let part = if rival.is_some() { SEARCHED } else { 100 };
        let share = control.with_share(part);
        let (mut best, found) = self.search(&self.until(part, compared.nodes), &share, report);
        best.nodes += compared.nodes;
        let Some(rival) = rival.filter(|&rival| Some(rival) != best_of(&best) && !control.is_stopped())
        else {
            return best;
        };
        let all: PointSet = stones.size().points().filter(|&point| point != rival).collect();
        // As the best move, a single one that is left would not be searched at all.
        let alone = Request { task: Task::Rank { lines: 1 }, blocked: all, ..self.until(100, best.nodes) };
        // The move that it finds is not yet the move that is played, so it is not noted as the best one.
        let (alone, of_rival) = self.search(&alone, &control.companion(), &|_| {});
        best.nodes += alone.nodes;
        if holds_its_own(&found, &of_rival, margin) {
            best.moves = alone.moves;
            best.lines = alone.lines;
        }
        best.elapsed = alone.elapsed;
        best
    }

    /// The request, with this percentage of its limits, of which `gone` nodes are used up. The manager may have changed
    /// the time since the request was made.
    fn until(&self, percent: u32, gone: u64) -> Request {
        let Question { stones, request, control, .. } = self.question;
        let mut limits = control.latest(request.limits);
        let part = |nodes: u64| (u128::from(nodes) * u128::from(percent) / 100) as u64;
        limits.nodes = limits.nodes.map(|nodes| part(nodes).saturating_sub(gone).max(1));
        limits.time = part_of_time(&limits, stones.empty_count(), percent);
        Request { limits, ..request.clone() }
    }

    /// Asks the engine, and records each line that it reports.
    fn search(
        &mut self,
        request: &Request,
        control: &Control,
        report: &(dyn Fn(SearchProgress) + Sync),
    ) -> (Answer, Vec<RankedLine>) {
        let found = Mutex::new(Vec::new());
        let listen = |news: SearchProgress| {
            if let SearchProgress::Line { rank, line, .. } = &news {
                found.lock().push(RankedLine { rank: *rank, line: line.clone() });
            }
            report(news);
        };
        let answer = self.engine.think(&Question { request, control, report: &listen, ..self.question });
        (answer, found.into_inner())
    }
}

/// The answer with the chosen move in place of the best, if it has a line for it, and with only the line of its move.
fn with_move(mut answer: Answer, chosen: Option<Point>) -> Answer {
    let place = chosen.and_then(|chosen| answer.lines.iter().position(|line| line.points[0] == chosen));
    if let Some(place) = place {
        answer.lines.swap(0, place);
        answer.moves = vec![answer.lines[0].points[0]];
    }
    answer.lines.truncate(1);
    answer
}

fn best_of(answer: &Answer) -> Option<Point> {
    answer.moves.first().copied()
}

/// Whether the rival is within the margin of the best move at the greatest depth that both have reached, which is about
/// that of the best move's last line.
fn holds_its_own(best: &[RankedLine], rival: &[RankedLine], margin: f64) -> bool {
    let Some(deepest) = best.last().map(|found| found.line.depth) else { return false };
    let mut deep = rival.iter().rev().filter(|found| found.line.depth + SHALLOWER >= deepest);
    let pair = deep.find_map(|found| {
        let other = best.iter().rev().find(|other| other.line.depth == found.line.depth)?;
        Some((other.line.score, found.line.score))
    });
    let is_near = |(best, rival): (Score, Score)| !is_decided(rival) && is_near(rival, best, margin);
    pair.is_some_and(is_near)
}

fn is_near(score: Score, best: Score, margin: f64) -> bool {
    win_probability(best) - win_probability(score) <= margin
}

/// The symmetries that leave the position as it is; only the identity where cells are dead.
fn own_symmetries(stones: &Stones) -> Vec<Symmetry> {
    let size = stones.size();
    let has_dead = stones.dead_cells().next().is_some();
    let keeps = |symmetry: &Symmetry| {
        stones
            .history()
            .iter()
            .all(|&(point, color)| stones.cell(symmetry.apply(point, size)) == Cell::Stone(color))
    };
    let count = if has_dead { 1 } else { usize::MAX };
    Symmetry::of(size).take(count).filter(keeps).collect()
}

/// All points but one of each set that these symmetries map to each other: the first that is not blocked.
fn twins(stones: &Stones, symmetries: &[Symmetry], blocked: &PointSet) -> PointSet {
    let size = stones.size();
    let is_first = |point: &Point| {
        let mut images = symmetries.iter().map(|symmetry| symmetry.apply(*point, size));
        images.all(|image| *point <= image || blocked.contains(image))
    };
    size.points().filter(|point| !is_first(point)).collect()
}

/// The moves within the margin of the best. Scores of different iterations cannot be compared, so those of the last
/// iteration that ranked all moves are used; the results of a later one must agree with them.
fn near_best(found: &[RankedLine], answer: &Answer, margin: f64) -> Vec<Point> {
    let ranks = answer.lines.len();
    let Some(best) = answer.lines.first().filter(|line| !is_decided(line.score)) else { return Vec::new() };
    let is_complete = |depth: &u32| found.iter().filter(|found| found.line.depth == *depth).count() >= ranks;
    let Some(depth) = found.iter().map(|found| found.line.depth).filter(is_complete).max() else {
        return Vec::new();
    };
    let whole: Vec<&Line> = found
        .iter()
        .filter(|found| found.line.depth == depth && found.rank < ranks)
        .map(|found| &found.line)
        .collect();
    let Some(top) = whole.iter().map(|line| line.score).max() else { return Vec::new() };
    let holds_later = |point: Point| {
        let later = answer.lines.iter().find(|line| line.points[0] == point && line.depth > depth);
        later.is_none_or(|line| is_near(line.score, best.score, margin))
    };
    let near: Vec<Point> = whole
        .iter()
        .filter(|line| is_near(line.score, top, margin))
        .map(|line| line.points[0])
        .filter(|&point| holds_later(point))
        .collect();
    // A later iteration that prefers a move outside this list takes precedence.
    if near.contains(&best.points[0]) { near } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::rules::Rule;
    use crate::search::TimeControl;

    fn line(name: &str, score: Score, depth: u32) -> Line {
        Line { points: vec![name.parse().unwrap()], score, depth, selective_depth: depth }
    }

    fn near(found: &[(usize, &Line)], lines: &[&Line]) -> Vec<String> {
        let found: Vec<RankedLine> =
            found.iter().map(|&(rank, line)| RankedLine { rank, line: line.clone() }).collect();
        let lines: Vec<Line> = lines.iter().map(|&line| line.clone()).collect();
        let answer = Answer { moves: vec![lines[0].points[0]], lines, nodes: 1, elapsed: Duration::ZERO };
        near_best(&found, &answer, 0.05).iter().map(Point::to_string).collect()
    }

    #[test]
    fn only_moves_within_the_margin_are_chosen() {
        let (a, b, c) = (line("a1", 20, 4), line("b1", 0, 4), line("c1", -40, 4));
        let found = [(0, &a), (1, &b), (2, &c)];
        // 20 points are 2.5 % of the expected score, 60 are 7.4 %.
        assert_eq!(near(&found, &[&a, &b, &c]), ["a1", "b1"]);
        // The next iteration ranks the best only: the others are compared as before.
        let (better, worse) = (line("a1", 60, 5), line("b1", -60, 5));
        let found = [(0, &a), (1, &b), (2, &c), (0, &better)];
        assert_eq!(near(&found, &[&better, &b, &c]), ["a1", "b1"]);
        // One of them was searched again and found worse.
        let found = [(0, &a), (1, &b), (2, &c), (0, &better), (1, &worse)];
        assert_eq!(near(&found, &[&better, &worse, &c]), ["a1"]);
        // The next iteration prefers another move and takes precedence.
        let other = line("c1", 70, 5);
        let found = [(0, &a), (1, &b), (2, &c), (0, &other)];
        assert!(near(&found, &[&other, &a, &b]).is_empty());
        // A win leaves no choice.
        let win = line("a1", crate::eval::score::win_in(5), 5);
        assert!(near(&[(0, &win)], &[&win]).is_empty());
    }

    fn found(score: Score, depth: u32) -> RankedLine {
        RankedLine { rank: 0, line: line("a1", score, depth) }
    }

    /// In a symmetric position any of the equivalent moves is played, not only the one that was searched.
    #[test]
    fn twins_are_played_too() {
        let mut stones = Stones::new(crate::board::Size::square(15));
        stones.place(stones.size().center(), stones.to_move());
        let request = Request::best(crate::search::Limits { nodes: Some(100), ..Default::default() });
        let mut engine = Engine::scripted(Box::new(|_, _| Answer {
            moves: vec!["i9".parse().unwrap()],
            lines: vec![line("i9", 0, 3)],
            nodes: 1,
            elapsed: Duration::ZERO,
        }));
        let mut play = |blocked: &[&str], seed: u64| {
            let blocked = blocked.iter().map(|name| name.parse::<Point>().unwrap()).collect();
            let request = Request { blocked, ..request.clone() };
            let random = SeededRandom::new(seed, &stones);
            let variety = Variety::percent(5);
            let control = Control::new();
            let question = Question::new(Rule::Freestyle, &stones, &request, &control);
            varied(&mut engine, variety, random, &question).moves[0].to_string()
        };
        let played: std::collections::BTreeSet<String> = (0..60).map(|seed| play(&[], seed)).collect();
        assert_eq!(played.into_iter().collect::<Vec<_>>(), ["g7", "g9", "i7", "i9"]);
        assert!((0..60).all(|seed| play(&["g7"], seed) != "g7"));
    }

    #[test]
    fn a_point_whose_twins_are_blocked_is_still_searched() {
        let mut stones = Stones::new(crate::board::Size::square(15));
        stones.place(stones.size().center(), stones.to_move());
        let symmetries = own_symmetries(&stones);
        let only: Point = "m13".parse().unwrap();
        let blocked: PointSet = stones.size().points().filter(|&point| point != only).collect();
        assert!(!twins(&stones, &symmetries, &blocked).contains(only));
        let open = |blocked: &PointSet| stones.size().area() - twins(&stones, &symmetries, blocked).len();
        assert_eq!(open(&PointSet::EMPTY), 36, "an eighth of the board and its edges");
    }

    #[test]
    fn a_rival_is_compared_at_the_same_depth() {
        let best = [found(0, 3), found(200, 4), found(20, 5), found(30, 6)];
        let holds = |rival: &[RankedLine]| holds_its_own(&best, rival, 0.05);
        assert!(holds(&[found(10, 6)]));
        assert!(!holds(&[found(-60, 6)]));
        // The greatest depth that both have reached counts.
        assert!(holds(&[found(-300, 4), found(15, 5)]) && !holds(&[found(15, 5), found(-60, 6)]));
        assert!(!holds(&[found(0, 3), found(20, 4)]));
        // Too shallow, or nothing at all.
        assert!(!holds(&[found(0, 3)]) && !holds(&[]));
        assert!(!holds(&[found(crate::eval::score::lost_in(4), 6)]));
        // A search that came to nothing.
        assert!(!holds_its_own(&[], &[found(10, 6)], 0.05));
    }

    /// The move played where the engine prefers h8 at first and the rival's own search gives the rival this score.
    fn played(score_of_rival: Score, seed: u64) -> String {
        let mut engine = Engine::scripted(Box::new(move |_, question| {
            let names: &[&str] = match question.request.task {
                Task::Best => &["h8"],
                _ if question.request.blocked.len() > 100 => &["j11"],
                _ => &["h8", "j11"],
            };
            let lines: Vec<Line> = names
                .iter()
                .map(|name| line(name, if names[0] == "j11" { score_of_rival } else { 0 }, 5))
                .collect();
            for (rank, line) in lines.iter().enumerate() {
                let (nodes, elapsed) = (1, Duration::ZERO);
                let (ranks, line) = (lines.len(), line.clone());
                (question.report)(SearchProgress::Line { rank, ranks, line, nodes, elapsed });
            }
            Answer { moves: lines[0].points.clone(), lines, nodes: 10, elapsed: Duration::ZERO }
        }));
        let mut stones = Stones::new(crate::board::Size::square(15));
        for name in ["i9", "k4", "f5"] {
            stones.place(name.parse().unwrap(), stones.to_move());
        }
        let request = Request::best(crate::search::Limits { nodes: Some(1000), ..Default::default() });
        let random = SeededRandom::new(seed, &stones);
        let control = Control::new();
        let question = Question::new(Rule::Freestyle, &stones, &request, &control);
        let answer = varied(&mut engine, Variety::percent(5), random, &question);
        assert_eq!(answer.lines[0].points[0], answer.moves[0]);
        answer.moves[0].to_string()
    }

    #[test]
    fn a_rival_is_played_if_a_search_of_its_own_says_so() {
        let all =
            |score| (0..20).map(|seed| played(score, seed)).collect::<std::collections::BTreeSet<String>>();
        assert_eq!(all(0).into_iter().collect::<Vec<_>>(), ["h8", "j11"]);
        assert_eq!(all(-100).into_iter().collect::<Vec<_>>(), ["h8"]);
    }

    /// A manager may tell the time once more while the moves are compared.
    #[test]
    fn a_new_time_holds_for_all_searches_of_a_move() {
        let turn = |ms| TimeControl { turn: Some(Duration::from_millis(ms)), ..TimeControl::default() };
        let seen = std::sync::Arc::new(Mutex::new(Vec::new()));
        let noted = std::sync::Arc::clone(&seen);
        let mut engine = Engine::scripted(Box::new(move |_, question| {
            if noted.lock().is_empty() {
                question.control.set_time(turn(4000));
            }
            noted.lock().push(question.request.limits.time.turn.unwrap());
            Answer {
                moves: vec!["i9".parse().unwrap()],
                lines: vec![line("i9", 0, 3)],
                nodes: 1,
                elapsed: Duration::ZERO,
            }
        }));
        let mut stones = Stones::new(crate::board::Size::square(15));
        stones.place(stones.size().center(), stones.to_move());
        let limits = crate::search::Limits { time: turn(1000), ..Default::default() };
        let (random, control) = (SeededRandom::new(1, &stones), Control::new());
        let request = Request::best(limits);
        let question = Question::new(Rule::Freestyle, &stones, &request, &control);
        let _ = varied(&mut engine, Variety::percent(5), random, &question);
        let seen = seen.lock();
        assert!(seen[0] < Duration::from_millis(200) && seen[1] == Duration::from_millis(4000), "{seen:?}");
    }

    #[test]
    fn twins_of_a_symmetric_position_are_one() {
        let size = crate::board::Size::square(15);
        let mut stones = Stones::new(size);
        stones.place(size.center(), stones.to_move());
        let symmetries = own_symmetries(&stones);
        assert_eq!(symmetries.len(), 8);
        // A triangular eighth of the board: 8 + 7 + ... + 1 points.
        let left = size
            .points()
            .filter(|&point| !twins(&stones, &symmetries, &PointSet::EMPTY).contains(point))
            .count();
        assert_eq!(left, 36);
        stones.place("i9".parse().unwrap(), stones.to_move());
        assert_eq!(own_symmetries(&stones).len(), 2);
        stones.place("k9".parse().unwrap(), stones.to_move());
        assert!(twins(&stones, &own_symmetries(&stones), &PointSet::EMPTY).is_empty());
    }

    #[test]
    fn the_margin_fades() {
        let variety = Variety::percent(4);
        assert!(
            (variety.margin_after(0) - 0.04).abs() < 1e-9 && (variety.margin_after(5) - 0.04).abs() < 1e-9
        );
        let margins: Vec<f64> = (OPENING..=END).map(|stones| variety.margin_after(stones)).collect();
        assert!(margins.is_sorted_by(|more, less| more > less), "{margins:?}");
        assert_eq!((variety.margin_after(END), variety.margin_after(END + 50)), (0.0, 0.0));
        assert_eq!(Variety::NONE.margin_after(0), 0.0);
        assert_eq!(Variety::percent(200), Variety::percent(Variety::MOST));
    }
}
