//! Several searches for one decision, within one time budget.

use std::time::Duration;

use crate::board::{PointSet, Stones};
use crate::eval::score::Score;
use crate::search::{Answer, Control, Limits, Request, Task, TimeControl};

/// Up to this score, in points, a position counts as even. It is about one percent of winning probability, and
/// less than the difference between two searches of the same position. Chosen, not measured.
pub(super) const EVEN: Score = 10;
/// The search depth in plies for one of many positions; shallow enough that all of them fit into a few seconds.
const PROBE_DEPTH: u32 = 10;
/// The nodes searched for one of many positions, so that the choice does not depend on the machine's speed.
const PROBE_NODES: u64 = 200_000;
/// The most time that one decision takes, whatever the manager allows.
const LONGEST: Duration = Duration::from_secs(10);
/// One decision may take the time left for the game divided by this.
const SHARE_OF_GAME: u32 = 20;
/// Time reserved for the work between the searches.
const MARGIN: Duration = Duration::from_millis(40);

/// How far a position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// As far as time and the manager's limits allow.
    Full,
    /// No further than is reasonable for one of many positions.
    Probe,
}

/// How a decision runs its searches, within which limits, and on how many threads.
pub(in crate::engine) struct Inquiry<'a> {
    /// Runs a search; the moves of its answer are legal.
    pub search: &'a mut dyn FnMut(&Stones, &Request) -> Answer,
    /// The limits of the whole decision, when the question arrived, and the threads of each search.
    pub request: &'a Request,
    /// Ends the decision early.
    pub control: &'a Control,
}

impl Inquiry<'_> {
    /// The time for all searches together.
    pub(super) fn budget(&self) -> Duration {
        let Request { limits, started, .. } = self.request;
        let TimeControl { turn, left, .. } = limits.time;
        let allowed = turn.unwrap_or(LONGEST).min(left.map_or(LONGEST, |left| left / SHARE_OF_GAME));
        allowed.min(LONGEST).saturating_sub(MARGIN).saturating_sub(started.elapsed())
    }

    /// Searches with no move excluded.
    pub(super) fn ask(&mut self, stones: &Stones, task: Task, time: Duration, effort: Effort) -> Answer {
        self.ask_without(PointSet::EMPTY, stones, task, time, effort)
    }

    /// Searches with these points excluded as the first move.
    pub(super) fn ask_without(
        &mut self,
        blocked: PointSet,
        stones: &Stones,
        task: Task,
        time: Duration,
        effort: Effort,
    ) -> Answer {
        let &Request { limits, threads, .. } = self.request;
        let (nodes, depth) = match effort {
            Effort::Full => (limits.nodes, limits.depth),
            Effort::Probe => (least(limits.nodes, PROBE_NODES), least(limits.depth, PROBE_DEPTH)),
        };
        let time = TimeControl { turn: Some(time), ..TimeControl::default() };
        let request = Request { task, blocked, threads, ..Request::best(Limits { time, nodes, depth }) };
        (self.search)(stones, &request)
    }
}

fn least<N: Ord + Copy>(asked: Option<N>, limit: N) -> Option<N> {
    Some(asked.map_or(limit, |asked| asked.min(limit)))
}
