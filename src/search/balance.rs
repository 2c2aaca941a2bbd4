//! Balanced moves for swap openings: the one move, or the pair of moves, after which the score is nearest to the one
//! asked for.

use std::sync::atomic::Ordering::Relaxed;

use super::deepening::{RootMove, search_rank};
use super::node::Pv;
use super::params::{BALANCE_AHEAD, BALANCE_DEPTH, BALANCE_KEPT, Depth, PAIR_FIRST, PAIR_SECOND, PLY};
use super::picker::root_moves;
use super::progress::Line;
use super::request::Request;
use super::team::Team;
use super::worker::{Interrupted, Worker};
use crate::board::Point;
use crate::eval::Evaluator;
use crate::eval::score::{self, INFINITE, Score};
use crate::rules::RuleSet;

/// A move or a pair of moves, and its score, once it was searched.
struct BalanceOption {
    points: Vec<Point>,
    score: Option<Score>,
}

impl BalanceOption {
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
    let moves = root_moves(&mut team.workers[0], &request.blocked);
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
    /// Options of one move come with a search for the best.
    best: Option<DeeperBest>,
    bias: Score,
}

impl Field {
    /// Searches the options to this depth, one after the other. Returns their scores: fewer than there are options if
    /// the search was interrupted.
    fn search<R: RuleSet, E: Evaluator<R>>(
        &mut self,
        team: &mut Team<'_, '_, R, E>,
        depth: u32,
    ) -> Vec<Score> {
        if let Some(best) = self.best.as_mut().filter(|_| self.options.len() > BALANCE_KEPT) {
            best.deepen(team, depth + BALANCE_AHEAD);
        }
        let worker = &mut team.workers[0];
        let mut scores = Vec::with_capacity(self.options.len());
        for option in &self.options {
            worker.resume();
            let Ok(score) = score_after(worker, &option.points, depth as Depth * PLY) else { break };
            scores.push(score);
        }
        scores
    }

    /// Drops half of the options: those that promise to end up farther from the bias.
    fn drop_farther_half(&mut self) {
        let Field { options, best, bias } = self;
        let target = best.as_ref().map_or(*bias, |best| best.target(options, *bias));
        options.sort_by_key(|option| option.distance_from(*bias).min(option.distance_from(target)));
        let kept = (options.len() / 2).max(BALANCE_KEPT);
        // The best move stays, so that the others can be compared with it.
        if let Some(n) = best.as_ref().and_then(|best| best.find(options)).filter(|&n| n >= kept) {
            options.swap(kept - 1, n);
        }
        options.truncate(kept);
    }

    /// Takes over these scores; options that an interrupted iteration has not reached keep those of the one before.
    fn take_over(&mut self, scores: &[Score]) {
        self.options.iter_mut().zip(scores).for_each(|(option, &score)| option.score = Some(score));
    }
}

/// The option whose score for the side to move at the root is nearest to `bias`. Each iteration searches one ply deeper
/// and drops half of the options.
fn nearest<R: RuleSet, E: Evaluator<R>>(
    team: &mut Team<'_, '_, R, E>,
    options: Vec<Vec<Point>>,
    best: Option<DeeperBest>,
    bias: Score,
) -> (Vec<Point>, Vec<Line>) {
    let options = options.into_iter().map(|points| BalanceOption { points, score: None }).collect();
    let mut field = Field { options, best, bias };
    let shared = team.workers[0].shared;
    let deepest = shared.limits.depth.unwrap_or(BALANCE_DEPTH).clamp(1, BALANCE_DEPTH);
    let mut reached = 0;
    // Whatever the time allows, there is an option to answer with.
    shared.may_stop.store(true, Relaxed);
    for depth in 1..=deepest {
        let scores = field.search(team, depth);
        let is_complete = scores.len() == field.options.len();
        field.take_over(&scores);
        if is_complete || depth == 1 {
            field.drop_farther_half();
            reached = if scores.is_empty() { 0 } else { depth };
        }
        if !is_complete || team.workers[0].poll().is_err() {
            break;
        }
    }
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

    #[test]
    fn an_interrupted_iteration_replaces_every_score_that_it_has_found() {
        let option = |score| BalanceOption { points: Vec::new(), score: Some(score) };
        let mut field = Field { options: [0, 5, 45].map(option).into(), best: None, bias: 0 };
        field.take_over(&[50, 40]);
        assert_eq!(
            field.options.iter().map(|option| option.score).collect::<Vec<_>>(),
            [50, 40, 45].map(Some)
        );
    }
}
