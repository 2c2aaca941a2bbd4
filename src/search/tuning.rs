//! Setting the [parameters](super::params) of the search while the program runs.

use std::cell::Cell;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use super::params::TUNABLE;

/// A parameter that a tuner may turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// As in `kagetsu play --set NAME=VALUE`.
    pub name: &'static str,
    /// What an ordinary build has.
    pub value: i32,
    /// The least worth trying.
    pub low: i32,
    /// The most worth trying.
    pub high: i32,
}

const COUNT: usize = TUNABLE.len();

/// What threads start with that nobody told anything else.
static DEFAULTS: [AtomicI32; COUNT] = {
    let mut all = [const { AtomicI32::new(0) }; COUNT];
    let mut n = 0;
    while n < COUNT {
        all[n] = AtomicI32::new(TUNABLE[n].value);
        n += 1;
    }
    all
};

thread_local! {
    static VALUES: [Cell<i32>; COUNT] = std::array::from_fn(|n| Cell::new(DEFAULTS[n].load(Relaxed)));
}

#[inline]
pub(super) fn get(index: usize) -> i32 {
    VALUES.with(|values| values[index].get())
}

/// Sets the value, by position in [`TUNABLE`], for threads that start from now on and for this one.
///
/// # Errors
/// If there is no such parameter.
pub fn set_default(name: &str, value: i32) -> Result<(), String> {
    let index = TUNABLE.iter().position(|parameter| parameter.name == name);
    let index = index.ok_or_else(|| format!("there is no parameter {name}"))?;
    DEFAULTS[index].store(value, Relaxed);
    VALUES.with(|values| values[index].set(value));
    Ok(())
}

/// Sets all values, in the order of [`TUNABLE`], for this thread.
///
/// # Panics
/// If there are more or fewer.
pub fn set_for_this_thread(all: &[i32]) {
    assert_eq!(all.len(), COUNT, "a value for each parameter");
    VALUES.with(|values| values.iter().zip(all).for_each(|(cell, &value)| cell.set(value)));
}
