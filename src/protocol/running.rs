//! A running search as the main loop sees it: what its result is for, and what a display was sent about it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::command::SoosorvStep;
use super::reply::ReportedLine;
use crate::board::{PointSet, Stones};
use crate::engine::opening::Swap2Question;
use crate::rules::Rule;
use crate::search::clock::TimeBudget;
use crate::search::{Control, Limits};

/// The largest number of reports about root moves that a display gets in one [`NEWS_WINDOW`].
const MOVES_PER_WINDOW: u32 = 20;
/// The largest number of lines of play that a display gets in one [`NEWS_WINDOW`], a dozen lines of text each. They
/// have a limit of their own, so that the many moves do not crowd them out.
const LINES_PER_WINDOW: u32 = 5;
/// See [`MOVES_PER_WINDOW`] and [`LINES_PER_WINDOW`]: together some 500 lines of text a second.
const NEWS_WINDOW: Duration = Duration::from_millis(200);
/// If the clock keeps less than this in reserve, the search is waited for.
const LEAST_RESERVE: Duration = Duration::from_millis(20);

/// A running search. Dropping it stops the search.
pub(super) struct Running {
    pub control: Arc<Control>,
    pub purpose: Purpose,
    /// When an answer is sent even if the search has not returned, or a decision about an opening is stopped.
    pub latest: Option<Instant>,
    /// Whether it had no move when one was due, and is waited for a moment longer.
    pub is_asked_again: bool,
    pub rule: Rule,
    pub stones: Stones,
    pub started: Instant,
    pub moves: Throttle,
    pub lines: Throttle,
    /// Root moves that a display shows as being searched.
    pub shown: PointSet,
    /// The last line that was sent of each rank, so that none is sent twice.
    sent: Vec<Option<ReportedLine>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.control.stop();
    }
}

/// What is done with the result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// This many moves are printed and played.
    Play {
        /// 1, or 2 for a pair.
        moves: usize,
        /// Lines asked for.
        ranks: usize,
        /// Whether the opponent's time comes next, so that there may be something to ponder.
        in_game: bool,
    },
    /// The answer to SWAP2BOARD, which becomes part of the position.
    Opening,
    /// The answer to a step of Yixin-Board's swap2, which does not.
    OpeningStep(Swap2Question),
    /// The answer to a step of Soosõrv-8, which does not either.
    SoosorvStep(SoosorvStep),
    /// Nothing: the search pondered in the opponent's time.
    Ponder,
    /// Nothing any more: its best move so far had to be played before it returned.
    Overdue {
        /// As in [`Purpose::Play`].
        in_game: bool,
    },
}

impl Purpose {
    /// The next move of a game.
    pub const MOVE: Purpose = Purpose::Play { moves: 1, ranks: 1, in_game: true };

    /// Whether nobody waits for the result.
    pub fn is_idle(self) -> bool {
        matches!(self, Purpose::Ponder | Purpose::Overdue { .. })
    }

    /// Whether a game waits for the result.
    pub fn is_for_game(self) -> bool {
        !self.is_idle() && !matches!(self, Purpose::Play { in_game: false, .. })
    }

    /// When a move within these limits has to be sent even if the search has not returned: some way into the time that
    /// the clock keeps in reserve. `None` without a limit, for limits so short that there is no room in between, and
    /// where more than one move is wanted.
    pub fn latest_answer(self, limits: &Limits, stones: &Stones, started: Instant) -> Option<Instant> {
        let Purpose::Play { moves: 1, .. } = self else { return None };
        let budget = TimeBudget::new(limits, stones.empty_count());
        let latest = started.checked_add(budget.hard + budget.reserve / 3);
        latest.filter(|_| budget.reserve >= LEAST_RESERVE)
    }
}

/// Limits reports to what a display can take.
pub(super) struct Throttle {
    window: Instant,
    count: u32,
    most: u32,
}

impl Throttle {
    /// Counts one more report, and says whether a display can take it.
    pub fn allows(&mut self, now: Instant) -> bool {
        if now.saturating_duration_since(self.window) >= NEWS_WINDOW {
            (self.window, self.count) = (now, 0);
        }
        self.count += 1;
        self.count <= self.most
    }
}

impl Running {
    /// A search that begins with this position; `control` stops it, and its answer is sent at `latest`.
    pub fn new(
        control: Arc<Control>,
        purpose: Purpose,
        latest: Option<Instant>,
        rule: Rule,
        stones: Stones,
        started: Instant,
    ) -> Running {
        let throttle = |most| Throttle { window: started, count: 0, most };
        Running {
            control,
            purpose,
            latest,
            is_asked_again: false,
            rule,
            stones,
            started,
            moves: throttle(MOVES_PER_WINDOW),
            lines: throttle(LINES_PER_WINDOW),
            shown: PointSet::EMPTY,
            sent: Vec::new(),
        }
    }

    /// Records that a display was sent this line.
    pub fn note_sent(&mut self, found: &ReportedLine) {
        if self.sent.len() <= found.rank {
            self.sent.resize(found.rank + 1, None);
        }
        if let Some(sent) = self.sent.get_mut(found.rank) {
            *sent = Some(found.clone());
        }
    }

    /// Whether a display was sent this very line.
    pub fn was_sent(&self, found: &ReportedLine) -> bool {
        self.sent.get(found.rank).and_then(Option::as_ref).is_some_and(|sent| sent.line == found.line)
    }
}
