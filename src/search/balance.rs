//! Balanced moves for swap openings: the one move, or the pair of moves, after which the score is nearest to the one
//! asked for.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use super::deepening::{RootMove, search_rank};
use super::node::Pv;
use super::params::{
    BALANCE_AHEAD, BALANCE_BACK, BALANCE_DEPTH, BALANCE_KEPT, BALANCE_NEAR, Depth, PAIR_FIRST, PAIR_SECOND,
    PLY,
};
use super::picker::root_moves;
use super::progress::Line;
use super::request::Request;
use super::team::Team;
use super::worker::{Interrupted, Worker};
use crate::board::{Point, PointSet, Size};
use crate::eval::Evaluator;
use crate::eval::score::{self, INFINITE, Score};
use crate::rules::RuleSet;

/// A move or a pair of moves, and its score, once it was searched to the depth beside it.
struct BalanceOption {
    points: Vec<Point>,
    score: Option<Score>,
    depth: u32,
}

impl BalanceOption {
    fn new(points: Vec<Point>) -> BalanceOption {
        BalanceOption { points, score: None, depth: 0 }
    }

    /// The distance of its score from this one; the greatest if it was not searched.
    fn distance_from(&self, target: Score) -> Score {
        self.score.map_or(Score::MAX, |score| (score - target).abs())
    }
}

/// The move after which the side that made it stands nearest to `bias`.
pub(super) fn one<R: RuleSet, E: Evaluator<R>>(
    team: &mut Team<'_, '_, R, E>,
    request: &Request,
    bias: Score,
) -> (Vec<Point>, Vec<Line>) {
    let worker = &mut team.workers[0];
    let mut moves = root_moves(worker, &request.blocked);
    let stones = worker.position.stones();
    if stones.empty_count() == stones.size().area() {
        let middle = moves.first().copied();
        let others = first_moves(stones.size(), request.blocked);
        moves.extend(others.filter(|&point| Some(point) != middle));
    }
    let options = moves.iter().map(|&point| vec![point]).collect();
    let best = DeeperBest { moves: moves.into_iter().map(RootMove::new).collect() };
    team.on_pool(|team| nearest(team, options, Some(best), bias))
}

/// The pair of moves, one of each side, after which the side to move stands nearest to `bias`.
pub(super) fn two<R: RuleSet, E: Evaluator<R>>(
    team: &mut Team<'_, '_, R, E>,
    request: &Request,
    bias: Score,
) -> (Vec<Point>, Vec<Line>) {
    let worker = &mut team.workers[0];
    let mut options = Vec::new();
    for first in spread(root_moves(worker, &request.blocked), PAIR_FIRST) {
        worker.play(first);
        if !worker.position.stones().is_full() {
            for second in spread(root_moves(worker, &request.blocked), PAIR_SECOND) {
                options.push(vec![first, second]);
            }
        }
        worker.undo();
    }
    if options.is_empty() {
        return one(team, request, bias);
    }
    nearest(team, options, None, bias)
}

/// The first moves of a game, one of those that rotations and reflections map to each other. The best one is in the
/// middle, and even ones lie near the edge, where no other search looks.
fn first_moves(size: Size, blocked: PointSet) -> impl Iterator<Item = Point> {
    let (half_width, half_height) = (size.width().div_ceil(2), size.height().div_ceil(2));
    let is_square = size.width() == size.height();
    size.points().filter(move |&point| {
        let is_first =
            point.x() < half_width && point.y() < half_height && !(is_square && point.y() < point.x());
        is_first && !blocked.contains(point)
    })
}

/// At most `count` of the moves, spread over the whole move order, since a balanced move may be a poor one.
fn spread(moves: Vec<Point>, count: usize) -> Vec<Point> {
    let step = moves.len().div_ceil(count).max(1);
    moves.into_iter().step_by(step).collect()
}

/// The best move, found by a search that is ahead of that of the options.
///
/// A shallow search calls positions even that a deeper search finds lost. A move that seems even may therefore be far
/// from it. And where even the best move is bad, the best move is the nearest to even. So the best move is searched
/// deeper than the rest, and the others are expected to lose as much by depth as it does. Pairs of moves do not need
/// this: a poor move of one side makes up for a poor move of the other.
struct DeeperBest {
    /// The best first, as far as they were searched.
    moves: Vec<RootMove>,
}

impl DeeperBest {
    /// Searches up to this depth, unless stopped.
    fn deepen<R: RuleSet, E: Evaluator<R>>(&mut self, team: &mut Team<'_, '_, R, E>, deepest: u32) {
        for depth in self.moves[0].line.depth + 1..=deepest {
            search_rank(team, &mut self.moves, depth, &|_| {});
            if self.moves[0].line.depth != depth {
                break;
            }
        }
    }

    /// The line of the best move, once one was searched.
    fn line(&self) -> Option<&Line> {
        Some(&self.moves[0].line).filter(|line| line.depth > 0)
    }

    /// The index of the best move among these options.
    fn find(&self, options: &[BalanceOption]) -> Option<usize> {
        options.iter().position(|option| option.points[0] == self.moves[0].point)
    }

    /// The score that an option which ends up at `bias` is expected to have in the search of these options.
    fn target(&self, options: &[BalanceOption], bias: Score) -> Score {
        let Some(line) = self.line() else { return bias };
        match self.find(options).and_then(|n| options[n].score) {
            Some(shallow) if line.score <= bias => shallow,
            Some(shallow) if !score::is_decided(shallow) && !score::is_decided(line.score) => {
                bias + shallow - line.score
            }
            _ => bias,
        }
    }
}

/// The options that are still considered, and what they are measured by.
struct Field {
    /// The nearest first, once they were searched.
    options: Vec<BalanceOption>,
    /// Those that were dropped because they are better than the ones that were kept, the nearest last.
    better: Vec<BalanceOption>,
    /// Those that were dropped because they are worse, the nearest last.
    worse: Vec<BalanceOption>,
    /// Options of one move come with a search for the best.
    best: Option<DeeperBest>,
    bias: Score,
}

impl Field {
    fn new(options: Vec<Vec<Point>>, best: Option<DeeperBest>, bias: Score) -> Field {
        let options = options.into_iter().map(BalanceOption::new).collect();
        Field { options, better: Vec::new(), worse: Vec::new(), best, bias }
    }

    /// Searches the options that were not searched to this depth yet, one after the other. Returns whether all of them
    /// are now, unless the search was interrupted.
    fn search<R: RuleSet, E: Evaluator<R>>(&mut self, team: &mut Team<'_, '_, R, E>, depth: u32) -> bool {
        let worker = &mut team.workers[0];
        for option in self.options.iter_mut().filter(|option| option.depth < depth) {
            worker.resume();
            let Ok(score) = score_after(worker, &option.points, depth as Depth * PLY) else { return false };
            (option.score, option.depth) = (Some(score), depth);
        }
        true
    }

    /// Drops half of the options.
    fn drop_farther_half(&mut self) {
        self.keep((self.options.len() / 2).max(BALANCE_KEPT));
    }

    /// Drops all but so many options: those that promise to end up farther from the bias.
    fn keep(&mut self, kept: usize) {
        let Field { options, better, worse, best, bias } = self;
        let target = best.as_ref().map_or(*bias, |best| best.target(options, *bias));
        options.sort_by_key(|option| option.distance_from(*bias).min(option.distance_from(target)));
        // The best move stays, so that the others can be compared with it.
        if let Some(n) = best.as_ref().and_then(|best| best.find(options)).filter(|&n| n >= kept) {
            options.swap(kept - 1, n);
        }
        let dropped = options.split_off(kept.min(options.len()));
        let nearest = options.first().and_then(|option| option.score);
        let (mut above, mut below): (Vec<_>, Vec<_>) =
            dropped.into_iter().partition(|option| option.score > nearest);
        above.sort_by_key(|option| Reverse(option.score));
        below.sort_by_key(|option| option.score);
        better.extend(above);
        worse.extend(below);
    }

    /// Brings back some of the options that were dropped before this depth, if those that are left are all too good or
    /// all too bad. Returns whether there are any.
    ///
    /// The deeper the search, the worse it thinks of a poor move, so that moves which seemed far too good may turn out
    /// to be the nearest.
    fn call_back(&mut self, depth: u32) -> bool {
        let Field { options, better, worse, bias, .. } = self;
        let all =
            |is_so: &dyn Fn(Score) -> bool| options.iter().all(|option| option.score.is_some_and(is_so));
        let dropped = if all(&|score| score < *bias - BALANCE_NEAR) {
            better
        } else if all(&|score| score > *bias + BALANCE_NEAR) {
            worse
        } else {
            return false;
        };
        let old = dropped.iter().rev().take(BALANCE_BACK).take_while(|option| option.depth < depth).count();
        options.extend(dropped.drain(dropped.len() - old..));
        old > 0
    }
}

/// The option whose score for the side to move at the root is nearest to `bias`. Each iteration searches one ply deeper
/// and drops half of the options. Some of those that were dropped come back if none of the others is near.
fn nearest<R: RuleSet, E: Evaluator<R>>(
    team: &mut Team<'_, '_, R, E>,
    options: Vec<Vec<Point>>,
    best: Option<DeeperBest>,
    bias: Score,
) -> (Vec<Point>, Vec<Line>) {
    let mut field = Field::new(options, best, bias);
    let shared = team.workers[0].shared;
    let deepest = shared.limits.depth.unwrap_or(BALANCE_DEPTH).clamp(1, BALANCE_DEPTH);
    let mut reached = 0;
    // Whatever the time allows, there is an option to answer with.
    shared.may_stop.store(true, Relaxed);
    for depth in 1..=deepest {
        if let Some(best) = field.best.as_mut().filter(|_| field.options.len() > BALANCE_KEPT) {
            best.deepen(team, depth + BALANCE_AHEAD);
        }
        let mut is_complete = field.search(team, depth);
        if is_complete || depth == 1 {
            field.drop_farther_half();
            reached = field.options.first().map_or(0, |option| option.depth);
        }
        let kept = field.options.len();
        while is_complete && field.call_back(depth) {
            is_complete = field.search(team, depth);
            if is_complete {
                field.keep(kept);
            }
        }
        if !is_complete || team.workers[0].poll().is_err() {
            break;
        }
    }
    // What was called back and not searched any more has an old score.
    field.options.retain(|option| option.depth >= reached);
    let Some(option) = field.options.into_iter().min_by_key(|option| option.distance_from(bias)) else {
        return (Vec::new(), Vec::new());
    };
    // A search that is stopped at once has searched nothing.
    let worker = &mut team.workers[0];
    let score = option.score.unwrap_or_else(|| worker.evaluator.evaluate(&worker.position));
    let line = Line { points: option.points.clone(), score, depth: reached, selective_depth: reached };
    (option.points, vec![line])
}

/// The score after these moves, from the point of view of the side to move before them.
fn score_after<R: RuleSet, E: Evaluator<R>>(
    worker: &mut Worker<'_, R, E>,
    points: &[Point],
    depth: Depth,
) -> Result<Score, Interrupted> {
    // The side to move makes the first move, the third and so on.
    let signed = |moves: usize, score: Score| if moves % 2 == 1 { -score } else { score };
    let end = points.iter().enumerate().find_map(|(n, &point)| {
        let score = worker.score_if_over_after(point);
        worker.play(point);
        score.map(|score| signed(n, score))
    });
    let played = worker.ply;
    let score = match end {
        // The game has ended, however many moves were to follow.
        Some(score) => Ok(score),
        None => {
            worker.search::<Pv>(-INFINITE, INFINITE, depth, false).map(|score| signed(points.len(), score))
        }
    };
    (0..played).for_each(|_| worker.undo());
    let score = score?;
    worker.poll()?;
    Ok(score)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(scores: &[Score], bias: Score) -> Field {
        let mut field = Field::new(vec![Vec::new(); scores.len()], None, bias);
        field.options.iter_mut().zip(scores).for_each(|(option, &score)| {
            (option.score, option.depth) = (Some(score), 1);
        });
        field
    }

    fn scores(options: &[BalanceOption]) -> Vec<Score> {
        options.iter().filter_map(|option| option.score).collect()
    }

    #[test]
    fn what_is_dropped_can_come_back_once_a_depth() {
        let mut field = field(&[90, -190, -210, 10, -100, -300, -230, -170, -400, -250], -200);
        field.keep(4);
        assert_eq!(scores(&field.options), [-190, -210, -230, -170]);
        assert_eq!(
            (scores(&field.better), scores(&field.worse)),
            (vec![90, 10, -100], vec![-400, -300, -250])
        );
        assert!(!field.call_back(2), "some are better and some worse");
        // A deeper search thinks less of all of them.
        let lower = |option: &mut BalanceOption| (option.score, option.depth) = (Some(-300), 2);
        field.options.iter_mut().for_each(lower);
        assert!(field.call_back(2));
        assert_eq!(scores(&field.options[4..]), [10, -100]);
        field.options[4..].iter_mut().for_each(lower);
        field.keep(4);
        assert!(field.call_back(2));
        assert_eq!(scores(&field.options[4..]), [90]);
        lower(&mut field.options[4]);
        field.keep(4);
        assert!(!field.call_back(2), "nothing better is left");
        field.options.iter_mut().for_each(|option| option.score = Some(0));
        assert!(!field.call_back(2), "what is worse was searched to this depth");
        assert!(field.call_back(3));
    }

    #[test]
    fn first_moves_are_those_of_an_eighth_of_the_board() {
        let count = |width, height| {
            let size = Size::new(width, height).unwrap();
            first_moves(size, PointSet::EMPTY).count()
        };
        assert_eq!((count(15, 15), count(20, 20), count(15, 20)), (36, 55, 80));
    }
}
