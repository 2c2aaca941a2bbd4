//! Balanced moves for swap openings: the one move, or the pair of moves, after which the score is nearest to the one
//! asked for.

use super::deepening::Team;
use super::limits::Request;
use super::node::Pv;
use super::params::{BALANCE_DEPTH, BALANCE_KEPT, Depth, PAIR_FIRST, PAIR_SECOND, PLY};
use super::picker::root_moves;
use super::report::Line;
use super::worker::{Interrupted, Worker};
use crate::board::Point;
use crate::eval::Evaluator;
use crate::eval::score::{self, INFINITE, Score};
use crate::rules::RuleSet;

/// A move or a pair of moves, and its score.
struct Choice {
    points: Vec<Point>,
    score: Score,
}

/// The move after which the side that made it stands nearest to `bias`.
pub(super) fn one<R: RuleSet, E: Evaluator<R>>(
    team: &mut Team<'_, '_, R, E>,
    request: &Request,
    bias: Score,
) -> (Vec<Point>, Vec<Line>) {
    let worker = &mut team.workers[0];
    let options = root_moves(worker, &request.blocked).into_iter().map(|point| vec![point]).collect();
    nearest(worker, options, bias)
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
    nearest(worker, options, bias)
}

/// At most `count` of the moves, spread over the whole move order, since a balanced move may be a poor one.
fn spread(moves: Vec<Point>, count: usize) -> Vec<Point> {
    let step = moves.len().div_ceil(count).max(1);
    moves.into_iter().step_by(step).collect()
}

/// The option whose score for the side to move at the root is nearest to `bias`. Each iteration searches one ply deeper
/// and drops the half of the options that is farther from `bias`.
fn nearest<R: RuleSet, E: Evaluator<R>>(
    worker: &mut Worker<'_, R, E>,
    options: Vec<Vec<Point>>,
    bias: Score,
) -> (Vec<Point>, Vec<Line>) {
    let mut options: Vec<Choice> =
        options.into_iter().map(|points| Choice { points, score: -INFINITE }).collect();
    let shared = worker.shared;
    let deepest = shared.limits.depth.unwrap_or(BALANCE_DEPTH).clamp(1, BALANCE_DEPTH);
    let mut reached = 0;
    for depth in 1..=deepest {
        let mut scores = Vec::with_capacity(options.len());
        for option in &options {
            worker.resume();
            let Ok(score) = score_after(worker, &option.points, depth as Depth * PLY) else { break };
            scores.push(score);
        }
        let is_complete = scores.len() == options.len();
        if is_complete || depth == 1 {
            options.iter_mut().zip(&scores).for_each(|(option, &score)| option.score = score);
            options.sort_by_key(|option| (option.score - bias).abs());
            options.truncate((options.len() / 2).max(BALANCE_KEPT));
            reached = depth;
        } else if let Some(n) = (0..scores.len()).min_by_key(|&n| ((scores[n] - bias).abs(), n)) {
            // The iteration was cut short: of the options it has searched, take the nearest if it has stayed near.
            options[n].score = scores[n];
            if (scores[n] - bias).abs() <= (options[0].score - bias).abs() || n == 0 {
                options.swap(0, n);
            }
        }
        shared.may_stop.store(true, std::sync::atomic::Ordering::Relaxed);
        if !is_complete || worker.poll().is_err() {
            break;
        }
    }
    let Some(option) = options.into_iter().min_by_key(|option| (option.score - bias).abs()) else {
        return (Vec::new(), Vec::new());
    };
    let line =
        Line { points: option.points.clone(), score: option.score, depth: reached, selective_depth: reached };
    (option.points, vec![line])
}

/// The score after these moves, from the view of the side to move before them.
fn score_after<R: RuleSet, E: Evaluator<R>>(
    worker: &mut Worker<'_, R, E>,
    points: &[Point],
    depth: Depth,
) -> Result<Score, Interrupted> {
    // The side to move makes the first move, the third and so on.
    let signed = |moves: usize, score: Score| if moves % 2 == 1 { -score } else { score };
    let five = points.iter().position(|&point| {
        let wins = worker.position.wins_at(point);
        worker.play(point);
        wins
    });
    let played = worker.ply;
    let score = match five {
        // The side that made the five has won, however many moves were to follow.
        Some(n) => Ok(signed(n, score::win_in(n + 1))),
        None => {
            worker.search::<Pv>(-INFINITE, INFINITE, depth, false).map(|score| signed(points.len(), score))
        }
    };
    (0..played).for_each(|_| worker.undo());
    let score = score?;
    worker.poll()?;
    Ok(score)
}
