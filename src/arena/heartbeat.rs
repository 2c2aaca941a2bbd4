//! Detects that the runner itself stood still, because it was stopped (Ctrl-Z) or got no processor time.
//!
//! The engines' clocks run on meanwhile, but nobody reads their answers, so a move made in time looks late. A thread
//! measures the time in short steps. A step that took far too long means that the whole process did not run.

use std::io;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The time from one beat to the next.
const STEP: Duration = Duration::from_millis(50);
/// A beat that is at least this late counts as lost time. Together with a step it is less than the default margin of
/// engines, so no pause that can cost an engine its game goes unnoticed. Shorter delays are normal on a busy machine.
const LATE: Duration = Duration::from_millis(100);

/// How long the runner stood still since this value was created.
#[derive(Debug)]
pub(super) struct Heartbeat {
    pulse: Arc<Mutex<Pulse>>,
}

#[derive(Debug)]
struct Pulse {
    last: Instant,
    lost: Duration,
}

impl Pulse {
    fn beat(&mut self, now: Instant) {
        let late = now.saturating_duration_since(self.last).saturating_sub(STEP);
        if late >= LATE {
            self.lost += late;
        }
        self.last = now;
    }
}

impl Heartbeat {
    /// Starts the heartbeat, which ends when the value is dropped.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub(super) fn start() -> io::Result<Heartbeat> {
        let pulse = Arc::new(Mutex::new(Pulse { last: Instant::now(), lost: Duration::ZERO }));
        let weak = Arc::downgrade(&pulse);
        thread::Builder::new().name("heartbeat".to_owned()).spawn(move || beat(&weak))?;
        Ok(Heartbeat { pulse })
    }

    /// As if the runner had stood still for so long.
    #[cfg(test)]
    pub(super) fn lose(&self, time: Duration) {
        self.pulse.lock().lost += time;
    }

    /// The total time lost so far; it never decreases.
    pub(super) fn lost(&self) -> Duration {
        let mut pulse = self.pulse.lock();
        // After a pause the caller may run again before the thread does.
        pulse.beat(Instant::now());
        pulse.lost
    }
}

fn beat(pulse: &Weak<Mutex<Pulse>>) {
    while let Some(pulse) = pulse.upgrade() {
        pulse.lock().beat(Instant::now());
        drop(pulse);
        thread::sleep(STEP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::spec::DEFAULT_MARGIN_MS;

    #[test]
    fn only_long_steps_are_lost_time() {
        let begin = Instant::now();
        let mut pulse = Pulse { last: begin, lost: Duration::ZERO };
        let mut at = |ms: u64| {
            pulse.beat(begin + Duration::from_millis(ms));
            pulse.lost.as_millis()
        };
        assert_eq!((at(50), at(100), at(240), at(250)), (0, 0, 0, 0));
        assert_eq!((at(3300), at(3350)), (3000, 3000));
        assert_eq!(at(3550), 3150);
    }

    #[test]
    fn what_is_not_noticed_fits_into_the_margin() {
        assert!(STEP + LATE < Duration::from_millis(DEFAULT_MARGIN_MS));
    }
}
