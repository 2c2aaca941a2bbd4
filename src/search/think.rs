//! From a request to an answer: what can be answered at once, what is searched, and by which workers.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use parking_lot::Mutex;
use rayon::ThreadPool;

use super::balance;
use super::clock::{Clock, TimeBudget};
use super::control::Control;
use super::deepening::{RootMove, deepen};
use super::deferral::DeferralTable;
use super::history::History;
use super::params::{ROOT_VCF_DIVISOR, ROOT_VCF_FOURS, ROOT_VCF_NODES, ROOT_VCF_NODES_PER_MS};
use super::picker::root_moves;
use super::progress::{Answer, Line, SearchProgress};
use super::request::{Request, Task};
use super::table::Table;
use super::team::Team;
use super::threats::{ForcedReply, forced_reply, sure_win};
use super::vcf::VcfLimits;
use super::worker::{Shared, Worker};
use crate::board::{Point, Stones};
use crate::eval::Evaluator;
use crate::eval::score::{self, Score};
use crate::position::Position;
use crate::rules::RuleSet;

/// What a search borrows from its engine.
pub(crate) struct Resources<'a> {
    /// The transposition table.
    pub table: &'a Table,
    /// Which moves caused cutoffs before.
    pub history: &'a mut History,
    /// Where the workers run, one on each thread; `None` for a single worker, which runs on the calling thread.
    pub pool: Option<&'a ThreadPool>,
    /// XORed into every hash, so that rules and board sizes do not mix in the table.
    pub salt: u64,
}

/// Answers a request for the side to move.
///
/// # Panics
/// If the board is full.
pub(crate) fn think<R: RuleSet, E: Evaluator<R>>(
    resources: Resources<'_>,
    stones: &Stones,
    request: &Request,
    control: &Control,
    report: &(dyn Fn(SearchProgress) + Sync),
) -> Answer {
    let Resources { table, history, pool, salt } = resources;
    table.new_search();
    history.fade();
    let empty = stones.empty_count();
    let shared = Shared {
        table,
        history,
        // Moves that are to be balanced are compared although some are searched deeper than others. What the deeper
        // searches have found would make them look worse than the rest.
        corrects: matches!(request.task, Task::Best | Task::Line | Task::Rank { .. }),
        control,
        clock: Mutex::new(Clock::new(request.started, TimeBudget::new(&request.limits, empty))),
        limits: request.limits,
        empty,
        salt,
        deferral: pool.map(|_| DeferralTable::default()),
        stop: AtomicBool::new(false),
        may_stop: AtomicBool::new(false),
        nodes: AtomicU64::new(0).into(),
    };
    let mut evaluator = E::new(stones.size());
    let position = Position::<R>::from_stones(stones, &mut evaluator);
    let worker = || Worker::new(position.clone(), evaluator.clone(), &shared);
    let mut workers: Vec<Worker<'_, R, E>> = match pool {
        // Each worker is made on its own thread, so that their heap allocations lie apart as well.
        Some(pool) => pool.broadcast(|_| worker()),
        None => vec![worker()],
    };
    let mut team = Team { workers: &mut workers, pool };
    let answer = match request.task {
        Task::Best | Task::Line | Task::Rank { .. } => best(&mut team, request, report),
        Task::BalanceOne { bias } => balance::one(&mut team, request, within_scores(bias)),
        Task::BalanceTwo { bias } => balance::two(&mut team, request, within_scores(bias)),
    };
    let nodes = team.nodes();
    let (moves, lines) = answer;
    Answer { moves, lines, nodes, elapsed: request.started.elapsed() }
}

fn best<R: RuleSet, E: Evaluator<R>>(
    team: &mut Team<'_, '_, R, E>,
    request: &Request,
    report: &(dyn Fn(SearchProgress) + Sync),
) -> (Vec<Point>, Vec<Line>) {
    let worker = &mut team.workers[0];
    let moves = root_moves(worker, &request.blocked);
    assert!(!moves.is_empty(), "there is no move on a full board");
    // There is a move to play, so from here on the clock may end the search.
    worker.shared.control.note_best(moves[0]);
    worker.shared.may_stop.store(true, Relaxed);
    if matches!(request.task, Task::Best | Task::Line)
        && let Some(line) = win_at_once(worker, &moves)
    {
        return (vec![line.points[0]], vec![line]);
    }
    if request.task == Task::Best && moves.len() == 1 {
        return (moves, Vec::new());
    }
    let lines = if let Task::Rank { lines } = request.task { lines.max(1) } else { 1 };
    let mut moves: Vec<RootMove> = moves.into_iter().map(RootMove::new).collect();
    team.on_pool(|team| deepen(team, &mut moves, lines, report));
    let lines: Vec<Line> = moves.into_iter().take(lines).map(|root_move| root_move.line).collect();
    (vec![lines[0].points[0]], lines.into_iter().filter(|line| line.depth > 0).collect())
}

/// The nearest score to a number, which may be any: differences of scores must not overflow.
fn within_scores(bias: Score) -> Score {
    bias.clamp(-score::INFINITE, score::INFINITE)
}

/// How many nodes the VCF search at the root may take of a search with these limits.
fn root_vcf_nodes(nodes: Option<u64>, time: Duration) -> u64 {
    let by_nodes = nodes.map_or(u64::MAX, |nodes| nodes / ROOT_VCF_DIVISOR);
    let by_time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).saturating_mul(ROOT_VCF_NODES_PER_MS);
    by_nodes.min(by_time).min(ROOT_VCF_NODES)
}

/// A five, or a VCF of at most [`ROOT_VCF_FOURS`] own fours that is found within a part of the limits.
fn win_at_once<R: RuleSet, E: Evaluator<R>>(worker: &mut Worker<'_, R, E>, moves: &[Point]) -> Option<Line> {
    if let Some(&point) = moves.iter().find(|&&point| worker.position.wins_at(point)) {
        return Some(Line { points: vec![point], score: score::win_in(1), depth: 1, selective_depth: 1 });
    }
    // VCFs of few fours first, so that the shortest is found.
    let limit = root_vcf_nodes(worker.shared.limits.nodes, worker.shared.clock.lock().hard());
    let mut win = None;
    for fours in 1..=ROOT_VCF_FOURS {
        // When the time is over, each try still follows its first line of fours, as far as the node limit allows.
        win = worker.find_vcf(VcfLimits::full(fours, limit)).unwrap_or(None);
        if win.is_some() || worker.nodes >= limit {
            break;
        }
    }
    let win = win?;
    if !moves.contains(&win.point) {
        return None;
    }
    let points = line_of_win(worker, win.point);
    // Reported as if searched to this depth, which is what it takes to see the win.
    let depth = win.plies as u32;
    Some(Line { points, score: score::win_in(win.plies), depth, selective_depth: depth })
}

/// The moves of a VCF, as far as they are in the table.
fn line_of_win<R: RuleSet, E: Evaluator<R>>(worker: &mut Worker<'_, R, E>, first: Point) -> Vec<Point> {
    let mut points = Vec::new();
    let mut next = Some(first);
    while let Some(point) = next {
        let wins = worker.position.wins_at(point);
        points.push(point);
        worker.play(point);
        let is_attackers_turn = points.len() % 2 == 0;
        next = if wins {
            None
        } else if is_attackers_turn {
            let sure = sure_win(&mut worker.position).map(|win| win.point);
            sure.or_else(|| worker.proven_four())
        } else {
            match forced_reply(&mut worker.position) {
                ForcedReply::StopFive(stop) => Some(stop).filter(|&stop| worker.position.is_legal(stop)),
                _ => None,
            }
        };
        next = next.filter(|&point| worker.position.stones().is_empty_at(point) && !worker.at_last_ply());
    }
    for _ in &points {
        worker.undo();
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_vcf_takes_a_part_of_every_limit() {
        let tenth = Duration::from_millis(100);
        assert_eq!(root_vcf_nodes(None, Duration::MAX), ROOT_VCF_NODES);
        assert_eq!(root_vcf_nodes(Some(1600), Duration::MAX), 1600 / ROOT_VCF_DIVISOR);
        let by_time = 100 * ROOT_VCF_NODES_PER_MS;
        assert!(by_time < ROOT_VCF_NODES);
        assert_eq!(root_vcf_nodes(None, tenth), by_time);
        assert_eq!(root_vcf_nodes(Some(u64::MAX), tenth), by_time);
        assert_eq!(root_vcf_nodes(Some(u64::MAX), Duration::ZERO), 0);
    }
}
