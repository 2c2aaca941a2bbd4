//! [Iterative deepening](https://www.chessprogramming.org/Iterative_Deepening) with [aspiration
//! windows](https://www.chessprogramming.org/Aspiration_Windows): each iteration searches one ply deeper, with a window
//! around the last score, until the time is over or there is nothing more to find out.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use super::clock::Stability;
use super::margins;
use super::params::{
    ASPIRATION_FROM, ASPIRATION_LIMIT, ITERATIONS_AFTER_DECISION, MAX_DEPTH, aspiration_width,
};
use super::progress::{Line, SearchProgress};
use super::root_search::RootSearch;
use super::team::Team;
use crate::board::Point;
use crate::eval::Evaluator;
use crate::eval::score::{self, INFINITE, Score};
use crate::rules::RuleSet;

/// A root move: a move that can be played now.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub point: Point,
    pub line: Line,
}

impl RootMove {
    pub(super) fn new(point: Point) -> RootMove {
        RootMove { point, line: Line { points: vec![point], score: -INFINITE, depth: 0, selective_depth: 0 } }
    }
}

/// Searches deeper and deeper and leaves `moves` sorted, best first. The first `ranks` of them have a line with a
/// score, unless the search was stopped before it found one. If it was stopped during an iteration, the moves that this
/// iteration has searched come first.
pub(super) fn deepen<R: RuleSet, E: Evaluator<R>>(
    team: &mut Team<'_, '_, R, E>,
    moves: &mut [RootMove],
    ranks: usize,
    report: &(dyn Fn(SearchProgress) + Sync),
) {
    let shared = team.workers[0].shared;
    let ranks = ranks.clamp(1, moves.len());
    let deepest = shared.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    let mut stable = 0;
    let mut after_end = 0;
    for depth in 1..=deepest {
        report(SearchProgress::IterationStarted { depth });
        let (best_before, score_before) = (moves[0].point, moves[0].line.score);
        let nodes_before = team.nodes();
        let mut effort = 0;
        for rank in 0..ranks {
            // A caller that cannot wait for the iteration to end plays what it has found by then.
            let report_and_note = |progress: SearchProgress| {
                if let SearchProgress::NewBest(point) = progress
                    && rank == 0
                {
                    shared.control.note_best(point);
                }
                report(progress);
            };
            let nodes = search_rank(team, &mut moves[rank..], depth, &report_and_note);
            if rank == 0 {
                effort = nodes;
            }
            if shared.stop.load(Relaxed) && moves[rank].line.depth != depth {
                break;
            }
            shared.control.note_best(moves[0].point);
            let line = moves[rank].line.clone();
            let (nodes, elapsed) = (team.nodes(), shared.clock.lock().elapsed());
            report(SearchProgress::Line { rank, ranks, line, nodes, elapsed });
        }
        // A later rank can turn out better than an earlier one, because it is searched with what the table has learned
        // since. Ranks that an interrupted iteration has not reached stay behind.
        let searched = moves[..ranks].iter().take_while(|root_move| root_move.line.depth == depth).count();
        moves[..searched].sort_by_key(|root_move| std::cmp::Reverse(root_move.line.score));
        if shared.stop.load(Relaxed) {
            break;
        }
        let score = moves[0].line.score;
        stable = if moves[0].point == best_before { stable + 1 } else { 0 };
        if score::is_decided(score) && ranks == 1 {
            after_end += 1;
            let is_shortest =
                score::plies_to_end(score).is_some_and(|plies| plies > 0 && plies <= depth as i32);
            if is_shortest || after_end > ITERATIONS_AFTER_DECISION {
                break;
            }
        } else {
            after_end = 0;
        }
        let iteration = (team.nodes() - nodes_before).max(1);
        let stability = Stability {
            stable,
            effort: (effort * 100 / iteration).min(100) as u32,
            fall: if depth > 1 { score_before - score } else { 0 },
        };
        if !shared.clock.lock().allows_iteration(stability) {
            break;
        }
    }
}

/// Searches these root moves to one depth, widening the window until it contains the score, and moves the best to the
/// front. Returns the nodes that all workers spent on the best in the last window.
pub(super) fn search_rank<R: RuleSet, E: Evaluator<R>>(
    team: &mut Team<'_, '_, R, E>,
    moves: &mut [RootMove],
    depth: u32,
    report: &(dyn Fn(SearchProgress) + Sync),
) -> u64 {
    let stop = &team.workers[0].shared.stop;
    let mut width = aspiration_width();
    let last = moves[0].line.score;
    let (mut alpha, mut beta) = if depth < ASPIRATION_FROM || score::is_decided(last) {
        (-INFINITE, INFINITE)
    } else {
        (last - width, last + width)
    };
    loop {
        let points = moves.iter().map(|root_move| root_move.point).collect();
        let root = Arc::new(RootSearch::new(points, depth, alpha, beta));
        team.run(&root, depth, report);
        let window = Window { alpha, beta };
        let (best, nodes) = take_results(moves, &root, depth, window);
        let Some(best) = best.filter(|_| !stop.load(Relaxed)) else { return nodes };
        if window.is_failed_low_by(best) {
            beta = i32::midpoint(alpha, beta);
            alpha = moved(best, -width);
        } else if window.is_failed_high_by(best) {
            beta = moved(best, width);
        } else {
            return nodes;
        }
        width = margins::widened(width);
        if score::is_decided(best) || width > ASPIRATION_LIMIT {
            (alpha, beta) = (-INFINITE, INFINITE);
        }
    }
}

fn moved(score: Score, by: Score) -> Score {
    (score + by).clamp(-INFINITE, INFINITE)
}

/// The window of a root search. What lies outside of it is only a bound, if the window could have been wider.
#[derive(Clone, Copy, Debug)]
struct Window {
    alpha: Score,
    beta: Score,
}

impl Window {
    fn is_failed_low_by(self, score: Score) -> bool {
        score <= self.alpha && self.alpha > -INFINITE
    }

    fn is_failed_high_by(self, score: Score) -> bool {
        score >= self.beta && self.beta < INFINITE
    }
}

/// Takes over the results of a root search: moves the best move to the front and leaves the others in their old order.
/// Returns the best score, if the first move was searched at all, and the nodes spent on the best move.
///
/// A bound comes with a line of a single move. Should the search be stopped before the wider window has been searched,
/// the whole line and the score of the iteration before say more, if the same move is still first.
fn take_results(
    moves: &mut [RootMove],
    root: &RootSearch,
    depth: u32,
    window: Window,
) -> (Option<Score>, u64) {
    let results = root.take_results();
    let best = (0..moves.len())
        .filter_map(|n| results[n].as_ref().map(|result| (n, result)))
        .filter(|(n, result)| *n == 0 || result.improves)
        .max_by_key(|(n, result)| (result.score, std::cmp::Reverse(*n)));
    let Some((n, result)) = best else { return (None, 0) };
    let is_bound = window.is_failed_low_by(result.score) || window.is_failed_high_by(result.score);
    let has_whole_line = (1..depth).contains(&moves[0].line.depth);
    if !(is_bound && n == 0 && has_whole_line) {
        moves[n].line = Line {
            points: result.pv.clone(),
            score: result.score,
            depth,
            selective_depth: result.selective_depth as u32,
        };
    }
    moves[..=n].rotate_right(1);
    (Some(result.score), root.nodes(n))
}
