//! The live line of a command that takes long, which shows its progress on standard error. It is hidden where that is
//! not a terminal.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A line that counts up to `length`, with a message behind the numbers.
pub(super) fn live_line(length: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length);
    let style = ProgressStyle::with_template("{pos}/{len} {wide_msg} {elapsed}<{eta}");
    bar.set_style(style.expect("the template is well-formed"));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}
