//! Several searches for one decision, under one budget of time.

use std::time::{Duration, Instant};

use crate::board::{PointSet, Stones};
use crate::eval::score::Score;
use crate::search::{Answer, Control, Limits, Request, Task, TimeControl};

/// Up to this, in points, a position counts as even: about a percent of winning probability, and less
/// than two searches of the same position differ. Chosen, not measured.
pub(super) const EVEN: Score = 10;
/// Plies to which one of many positions is searched; shallow enough that all of them fit into a few seconds.
const PROBE_DEPTH: u32 = 10;
/// Nodes searched for one of many, so that the choice does not hang on the machine's speed.
const PROBE_NODES: u64 = 200_000;
/// The most that one decision takes, whatever the manager allows.
const LONGEST: Duration = Duration::from_secs(10);
/// The part of the time for the game that one decision may take.
const SHARE_OF_GAME: u32 = 20;
/// Kept back for what happens between the searches.
const MARGIN: Duration = Duration::from_millis(40);

/// How far a position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effort {
    /// As far as time and the manager's limits allow.
    Full,
    /// No further than one of many positions deserves.
    Probe,
}

/// What a decision asks the search, and under which limits.
pub(in crate::engine) struct Inquiry<'a> {
    /// Searches; the moves of its answer are legal.
    pub search: &'a mut dyn FnMut(&Stones, &Request) -> Answer,
    /// Limits for the whole decision.
    pub limits: Limits,
    /// When the question arrived.
    pub started: Instant,
    /// Ends the decision early.
    pub control: &'a Control,
}

impl Inquiry<'_> {
    /// The time for all searches together.
    pub(super) fn budget(&self) -> Duration {
        let TimeControl { turn, left, .. } = self.limits.time;
        let allowed = turn.unwrap_or(LONGEST).min(left.map_or(LONGEST, |left| left / SHARE_OF_GAME));
        allowed.min(LONGEST).saturating_sub(MARGIN).saturating_sub(self.started.elapsed())
    }

    /// Asks about any move.
    pub(super) fn ask(&mut self, stones: &Stones, task: Task, time: Duration, effort: Effort) -> Answer {
        self.ask_without(PointSet::EMPTY, stones, task, time, effort)
    }

    /// Asks about moves that are none of these.
    pub(super) fn ask_without(
        &mut self,
        blocked: PointSet,
        stones: &Stones,
        task: Task,
        time: Duration,
        effort: Effort,
    ) -> Answer {
        let (nodes, depth) = match effort {
            Effort::Full => (self.limits.nodes, self.limits.depth),
            Effort::Probe => (least(self.limits.nodes, PROBE_NODES), least(self.limits.depth, PROBE_DEPTH)),
        };
        let time = TimeControl { turn: Some(time), ..TimeControl::default() };
        let request = Request { task, blocked, ..Request::best(Limits { time, nodes, depth }) };
        (self.search)(stones, &request)
    }
}

fn least<N: Ord + Copy>(asked: Option<N>, limit: N) -> Option<N> {
    Some(asked.map_or(limit, |asked| asked.min(limit)))
}
