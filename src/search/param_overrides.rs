//! The values that a tuner has set in place of the built-in ones, by the index of the parameter. Knows neither the
//! names of parameters nor their built-in values.

use std::cell::Cell;

use parking_lot::Mutex;

/// More parameters than there are.
pub(super) const CAPACITY: usize = 64;

/// The values that a new thread starts with.
static DEFAULTS: Mutex<[Option<i32>; CAPACITY]> = Mutex::new([None; CAPACITY]);

thread_local! {
    static VALUES: [Cell<Option<i32>>; CAPACITY] = DEFAULTS.lock().map(Cell::new);
}

/// The value set for this thread, if any.
#[inline]
pub(super) fn get(index: usize) -> Option<i32> {
    VALUES.with(|values| values[index].get())
}

/// Sets a value for this thread.
pub(super) fn set(index: usize, value: i32) {
    VALUES.with(|values| values[index].set(Some(value)));
}

/// Sets a value for this thread and all threads that start from now on.
pub(super) fn set_default(index: usize, value: i32) {
    DEFAULTS.lock()[index] = Some(value);
    set(index, value);
}
