//! What one search thread owns, and what all of them share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use crossbeam_utils::CachePadded;
use parking_lot::Mutex;

use super::clock::{Clock, TimeBudget, part_of_time};
use super::control::Control;
use super::correction::CorrectionSlots;
use super::deferral::DeferralTable;
use super::history::History;
use super::limits::Limits;
use super::params::{CHECK_INTERVAL, CHECK_TIME, Depth, FIRST_CHECK_INTERVAL, SHARED_CHECK_INTERVAL};
use super::root_search::RootSearch;
use super::scored_move::ScoredMove;
use super::table::{Bound, Entry, Table};
use crate::board::Point;
use crate::eval::Evaluator;
use crate::eval::score::{MAX_EVAL, MAX_PLY, Score};
use crate::position::Position;
use crate::rules::RuleSet;

/// What the threads of one search share.
pub(super) struct Shared<'a> {
    /// The transposition table.
    pub table: &'a Table,
    /// Which moves caused cutoffs before.
    pub history: &'a History,
    /// Whether evaluations are corrected by what was found before.
    pub corrects: bool,
    /// How the caller stops the search or changes its time.
    pub control: &'a Control,
    /// How long the move may take.
    pub clock: Mutex<Clock<Instant>>,
    /// The limits of the request, with the time control as it was at the start.
    pub limits: Limits,
    /// Empty points at the root.
    pub empty: usize,
    /// XORed into every hash, so that rules and board sizes do not mix in the table.
    pub salt: u64,
    /// Which moves are being searched just now; `None` with a single thread.
    pub deferral: Option<DeferralTable>,
    /// Set when the search must end.
    pub stop: AtomicBool,
    /// Whether the clock and the node limit may end the search yet: they may not before there is a move to answer with.
    pub may_stop: AtomicBool,
    /// Nodes searched by all threads, as far as they have reported them. On a cache line of its own, apart from the
    /// fields that all threads keep reading.
    pub nodes: CachePadded<AtomicU64>,
}

impl Shared<'_> {
    /// Lets the clock go by the time control that the caller has set since the last call, if there is one.
    fn adopt_new_time(&self) {
        // Locked before the time is read: another thread may have read a later one, and must set it later.
        let mut clock = self.clock.lock();
        if let Some((time, percent)) = self.control.new_time() {
            let limits = Limits { time, ..self.limits };
            let limits = Limits { time: part_of_time(&limits, self.empty, percent), ..limits };
            clock.set_budget(TimeBudget::new(&limits, self.empty));
        }
    }

    /// Whether the search must end, when all threads together have searched this many nodes.
    fn must_stop(&self, searched: u64) -> bool {
        let is_over =
            || self.limits.nodes.is_some_and(|limit| searched >= limit) || self.clock.lock().is_over();
        self.control.is_stopped() || self.may_stop.load(Relaxed) && is_over()
    }
}

/// The search under way has become worthless, because it was stopped or another thread has its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interrupted;

/// The state of one ply of the line being searched.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// The static evaluation, corrected; `None` where none is meaningful, so that nothing can be pruned by it.
    pub eval: Option<Score>,
    /// The principal variation from here.
    pub pv: Vec<Point>,
    /// The move that a singular extension test leaves out, to see how good the others are.
    pub excluded: Option<Point>,
    /// What a table entry must satisfy to settle the node that is being searched here; `None` with a single thread, or
    /// where the node is too shallow for the check to pay.
    pub bounds: Option<NodeBounds>,
    /// The moves that the node chooses from.
    pub moves: Vec<ScoredMove>,
}

/// What a node has to find out: its score within these bounds, searched to this depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeBounds {
    pub key: u64,
    pub alpha: Score,
    pub beta: Score,
    pub depth: Depth,
}

impl NodeBounds {
    /// Whether this table entry settles the node.
    #[inline]
    pub(super) fn is_settled_by(&self, entry: &Entry) -> bool {
        entry.settles(self.alpha, self.beta) && entry.reaches(self.depth)
    }

    /// What a score that the node returns says about its true score.
    #[inline]
    pub(super) fn bound_of(&self, score: Score) -> Bound {
        match score {
            score if score >= self.beta => Bound::Lower,
            score if score > self.alpha => Bound::Exact,
            _ => Bound::Upper,
        }
    }
}

/// Longest line that a search can follow, in plies.
const FRAMES: usize = MAX_PLY - 8;

/// One search thread with its own position and evaluation. Aligned so that two neighbouring workers share no cache
/// line, because each write of one would take the line from the other (128 bytes, because lines are fetched in pairs).
#[repr(align(128))]
pub(super) struct Worker<'a, R: RuleSet, E: Evaluator<R>> {
    pub(super) position: Position<R>,
    pub(super) evaluator: E,
    pub(super) shared: &'a Shared<'a>,
    pub(super) frames: Vec<Frame>,
    /// Distance from the root.
    pub(super) ply: usize,
    /// The greatest distance of a PV node from the root since a root move was begun.
    pub(super) selective_depth: usize,
    /// Nodes searched by this thread.
    pub(super) nodes: u64,
    /// The part of them that [`Shared::nodes`] has.
    reported_nodes: u64,
    next_check: u64,
    check_interval: u64,
    last_check: Instant,
    /// Whether the search was stopped, or the root move no longer matters.
    interrupted: bool,
    /// The ply of a node that another thread has settled meanwhile, and its score. The search unwinds to that node.
    settled: Option<(usize, Score)>,
    /// The root move being searched: its root search, and its index there. `None` outside of a root search.
    pub(super) root_move: Option<(Arc<RootSearch>, usize)>,
}

impl<'a, R: RuleSet, E: Evaluator<R>> Worker<'a, R, E> {
    pub(super) fn new(position: Position<R>, evaluator: E, shared: &'a Shared<'a>) -> Self {
        Worker {
            position,
            evaluator,
            shared,
            frames: vec![Frame::default(); FRAMES + 4],
            ply: 0,
            selective_depth: 0,
            nodes: 0,
            reported_nodes: 0,
            next_check: 0,
            check_interval: FIRST_CHECK_INTERVAL,
            last_check: Instant::now(),
            interrupted: false,
            settled: None,
            root_move: None,
        }
    }

    /// The key of the position in the table.
    #[inline]
    pub(super) fn key(&self) -> u64 {
        self.position.hash() ^ self.shared.salt
    }

    /// The key of the position after a move.
    #[inline]
    pub(super) fn key_after(&self, point: Point) -> u64 {
        self.position.stones().hash_after(point) ^ self.shared.salt
    }

    /// Corrects a static evaluation of the position by what searches have found in similar ones.
    #[inline]
    pub(super) fn corrected(&self, eval: Score) -> Score {
        if !self.shared.corrects {
            return eval;
        }
        let slots = CorrectionSlots::of(self.position.stones());
        (eval + self.shared.history.corrections.of(slots)).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Learns from a search of the position by how much its score differs from the corrected evaluation.
    pub(super) fn learn_correction(&self, difference: Score, depth: Depth) {
        if !self.shared.corrects {
            return;
        }
        let slots = CorrectionSlots::of(self.position.stones());
        self.shared.history.corrections.learn(slots, difference, depth);
    }

    #[inline]
    pub(super) fn play(&mut self, point: Point) {
        self.count_move(point);
        self.evaluator.play(&mut self.position, point);
    }

    #[inline]
    pub(super) fn undo(&mut self) {
        self.undo_unevaluated();
        self.evaluator.pop();
    }

    /// Plays a move of a line in which no position will be evaluated.
    #[inline]
    pub(super) fn play_unevaluated(&mut self, point: Point) {
        self.count_move(point);
        self.position.play(point, &mut ());
    }

    /// Takes back what was played by [`Worker::play_unevaluated`].
    #[inline]
    pub(super) fn undo_unevaluated(&mut self) {
        self.position.undo();
        self.ply -= 1;
    }

    /// Does the bookkeeping of a move before it is played.
    #[inline]
    fn count_move(&mut self, point: Point) {
        // The table will be probed for the position after the move; by then the cache line has arrived.
        self.shared.table.prefetch(self.key_after(point));
        self.ply += 1;
        self.nodes += 1;
    }

    /// Whether the line must not get any longer.
    #[inline]
    pub(super) fn at_last_ply(&self) -> bool {
        self.ply >= FRAMES
    }

    #[inline]
    pub(super) fn frame(&mut self) -> &mut Frame {
        &mut self.frames[self.ply]
    }

    /// Puts a move before the principal variation of the next ply.
    pub(super) fn extend_pv(&mut self, point: Point) {
        let (here, below) = self.frames.split_at_mut(self.ply + 1);
        let pv = &mut here[self.ply].pv;
        pv.clear();
        pv.push(point);
        pv.extend_from_slice(&below[0].pv);
    }

    /// Reads the principal variation from the table, where another thread has left it.
    pub(super) fn recall_pv(&mut self) {
        let mut pv = Vec::new();
        while let Some(entry) = self.shared.table.probe(self.key(), self.ply)
            && entry.bound == Bound::Exact
            && let Some(point) = entry.point
            && self.position.is_legal(point)
        {
            pv.push(point);
            self.position.play(point, &mut ());
        }
        for _ in &pv {
            self.position.undo();
        }
        self.selective_depth = self.selective_depth.max(self.ply + pv.len());
        self.frame().pv = pv;
    }

    /// Checks the clock and the other threads from time to time.
    ///
    /// # Errors
    /// If what is being searched has become worthless. This remains so until the search is back at the node that
    /// another thread has settled, or until [`Worker::resume`].
    #[inline]
    pub(super) fn poll(&mut self) -> Result<(), Interrupted> {
        if self.nodes >= self.next_check {
            self.check();
        }
        if self.interrupted || self.settled.is_some() { Err(Interrupted) } else { Ok(()) }
    }

    /// The score of this node, if it is the one that another thread has settled. This ends the interruption, and the
    /// search can go on.
    pub(super) fn take_settled(&mut self) -> Option<Score> {
        let is_whole = self.frame().excluded.is_none();
        let (_, score) = self.settled.filter(|&(ply, _)| ply == self.ply && !self.interrupted && is_whole)?;
        self.settled = None;
        Some(score)
    }

    /// The first node of the line being searched that another thread has settled.
    fn find_settled(&self) -> Option<(usize, Score)> {
        (1..=self.ply).find_map(|ply| {
            let bounds = self.frames[ply].bounds?;
            let entry = self.shared.table.probe(bounds.key, ply)?;
            bounds.is_settled_by(&entry).then_some((ply, entry.score))
        })
    }

    /// Makes the thread ready to search something else after an interruption.
    pub(super) fn resume(&mut self) {
        self.interrupted = false;
        self.settled = None;
        self.next_check = self.nodes;
    }

    #[cold]
    fn check(&mut self) {
        let searched = self.flush_nodes();
        self.plan_next_check(searched);
        self.shared.adopt_new_time();
        if self.shared.must_stop(searched) {
            self.shared.stop.store(true, Relaxed);
        }
        let is_done_elsewhere =
            self.root_move.as_ref().is_some_and(|(root, n)| root.is_settled(*n) || root.is_over());
        self.interrupted |= self.shared.stop.load(Relaxed) || is_done_elsewhere;
        if self.shared.deferral.is_some() && !self.interrupted && self.settled.is_none() {
            self.settled = self.find_settled();
        }
    }

    /// Sets the next check so that checks are some [`CHECK_TIME`] apart, and one comes where the limit is reached. What
    /// is searched beyond it is a line of fours that was begun before, and the share of each other thread up to its
    /// next check.
    fn plan_next_check(&mut self, searched: u64) {
        let longest = if self.shared.deferral.is_some() { SHARED_CHECK_INTERVAL } else { CHECK_INTERVAL };
        self.check_interval = match self.last_check.elapsed() {
            gap if gap > CHECK_TIME => (self.check_interval / 2).max(1),
            gap if gap < CHECK_TIME / 2 => (self.check_interval * 2).min(longest),
            _ => self.check_interval,
        };
        self.last_check = Instant::now();
        let left = self.shared.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(searched));
        self.next_check = self.nodes + self.check_interval.min(left).max(1);
    }

    /// Adds the nodes not yet reported to the shared count, and returns the new count.
    pub(super) fn flush_nodes(&mut self) -> u64 {
        let unreported = self.nodes - self.reported_nodes;
        self.reported_nodes = self.nodes;
        self.shared.nodes.fetch_add(unreported, Relaxed) + unreported
    }
}
