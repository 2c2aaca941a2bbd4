//! Notices that the runner itself stood still: it was stopped (Ctrl-Z), or the machine gave it no time.
//!
//! The clocks of the engines run on meanwhile, but nobody reads what they answer, so that a move in time looks late.
//! A thread takes the time in short steps; where a step was much too long, nobody in this process was awake.

use std::io;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// From one beat to the next.
const STEP: Duration = Duration::from_millis(50);
/// A beat that is later than this was held up by something. Together with a step it is less than the margin that engines
/// have unless told otherwise, so that no stop that can cost an engine its game goes unnoticed; what is less still is the
/// daily delay of a busy machine.
const LATE: Duration = Duration::from_millis(100);

/// How long the runner stood still since the value was made.
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
    /// Begins to beat; ends with the value.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub(super) fn start() -> io::Result<Heartbeat> {
        let pulse = Arc::new(Mutex::new(Pulse { last: Instant::now(), lost: Duration::ZERO }));
        let weak = Arc::downgrade(&pulse);
        thread::Builder::new().name("heartbeat".to_owned()).spawn(move || beat(&weak))?;
        Ok(Heartbeat { pulse })
    }

    /// All the time that was lost so far; it only grows.
    pub(super) fn lost(&self) -> Duration {
        let mut pulse = self.pulse.lock();
        // Who asks may be awake before the thread is.
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
