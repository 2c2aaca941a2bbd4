//! What a tuner has set in place of the numbers that are built in, by their position in the list of parameters. Knows
//! neither their names nor their values.

use std::cell::Cell;

use parking_lot::Mutex;

/// More parameters than there are.
pub(super) const MOST: usize = 64;

/// What threads start with.
static DEFAULTS: Mutex<[Option<i32>; MOST]> = Mutex::new([None; MOST]);

thread_local! {
    static VALUES: [Cell<Option<i32>>; MOST] = DEFAULTS.lock().map(Cell::new);
}

/// What is set for this thread.
#[inline]
pub(super) fn get(index: usize) -> Option<i32> {
    VALUES.with(|values| values[index].get())
}

/// Sets a value for this thread.
pub(super) fn set(index: usize, value: i32) {
    VALUES.with(|values| values[index].set(Some(value)));
}

/// Sets a value for this thread and all that start from now on.
pub(super) fn set_default(index: usize, value: i32) {
    DEFAULTS.lock()[index] = Some(value);
    set(index, value);
}
