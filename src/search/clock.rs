//! How long a move may take: from what the manager allows to a soft and a hard deadline.

use std::time::{Duration, Instant};

use super::limits::{Limits, TimeControl};
use super::params::{
    AMPLE_MOVES, EFFORT_WEIGHT, EFFORTLESS_SHARE, FALL_LIMIT, HARD_PART, HORIZON, LAST_START, RESERVE,
    RESERVE_PART, RESERVE_PART_LIMIT, STEADY_LIMIT, STEADY_STEP, TINY_RESERVE_FIFTHS, UNSTEADY_SHARE,
};

/// Where the time comes from; tests use a fake.
pub(super) trait TimeSource {
    /// Time since the command that asked for this move arrived.
    fn elapsed(&self) -> Duration;
}

impl TimeSource for Instant {
    fn elapsed(&self) -> Duration {
        Instant::elapsed(self)
    }
}

/// How long one move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TimeBudget {
    /// No new iteration begins after this time, which is stretched or shrunk by how clear the choice is.
    pub soft: Duration,
    /// The answer must leave by this time.
    pub hard: Duration,
    /// Whether `soft` may be shrunk, because the time saved can be used later in the game.
    pub saving_pays: bool,
    /// Kept back after `hard` for the answer to reach the manager.
    pub reserve: Duration,
}

impl TimeBudget {
    /// No limit.
    pub const UNLIMITED: TimeBudget =
        TimeBudget { soft: Duration::MAX, hard: Duration::MAX, saving_pays: false, reserve: Duration::ZERO };

    /// The budget for one move with this many empty points on the board.
    #[must_use]
    pub fn new(limits: &Limits, empty: usize) -> TimeBudget {
        let time = limits.or_default_time().time;
        let TimeControl { turn, left, increment } = time;
        let own_moves = (empty as u32).div_ceil(2).max(1);
        let Some(limit) = time.limit() else {
            return TimeBudget::UNLIMITED;
        };
        let reserve = reserve_of(limit);
        let Some(left) = left else {
            let hard = limit - reserve;
            return TimeBudget { soft: percent_of(hard, LAST_START), hard, saving_pays: false, reserve };
        };
        let usable = left - reserve_of(left);
        let turn_or_all = turn.map_or(usable, |turn| turn - reserve_of(turn));
        let hard = (usable / HARD_PART.min(own_moves)).saturating_add(increment).min(turn_or_all).min(usable);
        if turn.is_some_and(|turn| turn.saturating_mul(own_moves.min(AMPLE_MOVES)) < left) {
            return TimeBudget { soft: percent_of(hard, LAST_START), hard, saving_pays: false, reserve };
        }
        let share = (usable / HORIZON.min(own_moves)).saturating_add(increment);
        TimeBudget { soft: share.min(percent_of(hard, LAST_START)), hard, saving_pays: true, reserve }
    }
}

/// The time control of a search that may use this percentage of the time of a move, where several answer together.
#[must_use]
pub(crate) fn part_of_time(limits: &Limits, empty: usize, percent: u32) -> TimeControl {
    let budget = TimeBudget::new(limits, empty);
    if percent >= 100 || budget.hard == Duration::MAX {
        return limits.time;
    }
    let time = if budget.saving_pays { budget.soft } else { budget.hard } + budget.reserve;
    TimeControl { turn: Some(percent_of(time, percent)), ..TimeControl::default() }
}

/// This percentage of a time. A hundredth first, because even the longest time must not overflow.
fn percent_of(time: Duration, percent: u32) -> Duration {
    (time / 100).saturating_mul(percent)
}

/// What is kept back of a limit so that the answer arrives within it.
fn reserve_of(limit: Duration) -> Duration {
    let reserve = RESERVE + (limit / RESERVE_PART).min(RESERVE_PART_LIMIT);
    reserve.min(limit / 5 * TINY_RESERVE_FIFTHS)
}

/// How clear the choice is, as known after an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stability {
    /// Iterations for which the best move has stayed the same.
    pub stable: u32,
    /// Share of the iteration's nodes that went into the best move in the last window, in percent.
    pub effort: u32,
    /// Points by which the score has fallen since the previous iteration.
    pub fall: i32,
}

/// The clock of one move.
#[derive(Debug)]
pub(super) struct Clock<T: TimeSource = Instant> {
    source: T,
    budget: TimeBudget,
}

impl<T: TimeSource> Clock<T> {
    /// A clock that has been running since the command arrived.
    pub fn new(source: T, budget: TimeBudget) -> Clock<T> {
        Clock { source, budget }
    }

    /// Time since the command arrived.
    pub fn elapsed(&self) -> Duration {
        self.source.elapsed()
    }

    /// The time by which the answer must leave.
    #[must_use]
    pub fn hard(&self) -> Duration {
        self.budget.hard
    }

    /// Replaces the budget; the time already used counts.
    pub fn set_budget(&mut self, budget: TimeBudget) {
        self.budget = budget;
    }

    /// Whether the answer must leave now.
    pub fn is_over(&self) -> bool {
        self.budget.hard != Duration::MAX && self.elapsed() >= self.budget.hard
    }

    /// Whether another iteration is worth its time.
    pub fn allows_iteration(&self, stability: Stability) -> bool {
        let TimeBudget { soft, hard, saving_pays, .. } = self.budget;
        if soft == Duration::MAX {
            return true;
        }
        let elapsed = self.elapsed();
        if !saving_pays {
            return elapsed < soft;
        }
        // Percent of the planned time: little when the choice has long been clear, more when it wavers.
        let steadiness = UNSTEADY_SHARE - STEADY_STEP * stability.stable.min(STEADY_LIMIT);
        let effort = EFFORTLESS_SHARE - stability.effort.min(100) * EFFORT_WEIGHT / 100;
        let trouble = 100 + stability.fall.clamp(0, FALL_LIMIT);
        let percent = (steadiness * effort / 100) * trouble as u32 / 100;
        let planned = percent_of(soft, percent);
        elapsed < planned.min(percent_of(hard, LAST_START))
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::DEFAULT_TURN;
    use super::*;
    use std::cell::Cell;

    struct Fake(Cell<Duration>);

    impl TimeSource for &Fake {
        fn elapsed(&self) -> Duration {
            self.0.get()
        }
    }

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn limits(turn: Option<u64>, left: Option<u64>) -> Limits {
        let time = TimeControl { turn: turn.map(ms), left: left.map(ms), increment: ms(0) };
        Limits { time, ..Limits::default() }
    }

    #[test]
    fn every_budget_keeps_within_the_limits() {
        for turn in
            [None, Some(0), Some(1), Some(20), Some(100), Some(5000), Some(300_000), Some(u64::MAX / 4)]
        {
            for left in [None, Some(0), Some(1), Some(50), Some(3000), Some(120_000), Some(1_000_000)] {
                for empty in [1, 2, 30, 224, 484] {
                    let budget = TimeBudget::new(&limits(turn, left), empty);
                    assert!(budget.soft <= budget.hard && budget.reserve <= ms(70));
                    for limit in [turn, left].into_iter().flatten().map(ms) {
                        assert!(budget.hard <= limit);
                        assert!(limit - budget.hard >= RESERVE.min(limit / 5 * 2));
                    }
                }
            }
        }
    }

    #[test]
    fn time_is_used_and_not_hoarded() {
        let budget = TimeBudget::new(&limits(Some(5000), None), 200);
        assert!(budget.hard >= ms(4850) && budget.soft >= ms(4350));
        // 64 moves of 100 ms fit into 10 s.
        let ample = TimeBudget::new(&limits(Some(100), Some(10_000)), 200);
        assert_eq!(ample.hard, Duration::from_micros(79_500));
        // Fast game: 5 s a move, 120 s for all.
        let fast = TimeBudget::new(&limits(Some(5000), Some(120_000)), 380);
        assert!(fast.soft > ms(4300) && fast.saving_pays, "{fast:?}");
        // Nearly out of time.
        let late = TimeBudget::new(&limits(Some(5000), Some(2000)), 300);
        assert!(late.hard < ms(300) && late.soft < ms(100), "{late:?}");
    }

    #[test]
    fn no_limit_at_all_means_a_few_seconds() {
        assert!(TimeBudget::new(&limits(None, None), 200).hard <= DEFAULT_TURN);
        let by_nodes = Limits { nodes: Some(1000), ..limits(None, None) };
        assert_eq!(TimeBudget::new(&by_nodes, 200), TimeBudget::UNLIMITED);
    }

    #[test]
    fn the_clock_ends_the_search() {
        let fake = Fake(Cell::new(ms(0)));
        let mut clock = Clock::new(&fake, TimeBudget::new(&limits(Some(1000), None), 200));
        let calm = Stability { stable: 10, effort: 95, fall: 0 };
        assert!(clock.allows_iteration(calm) && !clock.is_over());
        fake.0.set(ms(900));
        assert!(!clock.allows_iteration(calm) && !clock.is_over());
        fake.0.set(ms(976));
        assert!(clock.is_over());
        clock.set_budget(TimeBudget::new(&limits(Some(5000), None), 200));
        assert!(!clock.is_over());
        clock.set_budget(TimeBudget::UNLIMITED);
        fake.0.set(ms(u64::MAX / 2));
        assert!(!clock.is_over() && clock.allows_iteration(calm));
    }

    #[test]
    fn the_longest_times_are_long() {
        let fake = Fake(Cell::new(ms(1000)));
        let calm = Stability { stable: 10, effort: 95, fall: 0 };
        for left in [86_400_000, 405_828_369_621_700, u64::MAX] {
            let clock = Clock::new(&fake, TimeBudget::new(&limits(None, Some(left)), 380));
            assert!(clock.allows_iteration(calm), "{left} ms");
        }
        let unlimited = Limits { time: TimeControl::UNTIL_STOPPED, ..Limits::default() };
        let clock = Clock::new(&fake, TimeBudget::new(&unlimited, 380));
        assert!(clock.allows_iteration(calm) && !clock.is_over());
        let half = part_of_time(&unlimited, 380, 50);
        assert!(half.turn.is_none_or(|turn| turn > Duration::MAX / 3), "{half:?}");
    }

    #[test]
    fn a_clear_choice_saves_time_and_a_wavering_one_takes_it() {
        let fake = Fake(Cell::new(ms(4000)));
        let clock = Clock::new(&fake, TimeBudget::new(&limits(None, Some(120_000)), 380));
        assert!(!clock.allows_iteration(Stability { stable: 10, effort: 95, fall: 0 }));
        assert!(clock.allows_iteration(Stability { stable: 0, effort: 40, fall: 80 }));
    }
}
