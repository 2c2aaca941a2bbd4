//! Word of a test that could not be done here.

use std::io::Write as _;

/// Tells that the test of this thread was left out, and why: past the harness of Rust, which swallows what passing
/// tests print.
pub fn tell_skipped(why: &str) {
    let thread = std::thread::current();
    let text = format!("SKIPPED {}: {why}\n", thread.name().unwrap_or_default());
    let _ = std::io::stderr().write_all(text.as_bytes());
}
