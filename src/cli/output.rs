//! What subcommands tell people, and what happens when nobody listens any more.
//!
//! Results go to standard output through writers whose errors are passed up (`println!` would panic), so that a reader
//! who has left ends the subcommand; remarks go to standard error, and nothing depends on whether they are read.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

/// A remark on standard error.
pub(super) fn remark(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A line of standard output.
///
/// # Errors
/// It is closed.
pub(super) fn print_line(text: impl Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// Who reads the first lines only, as `head` does, has had enough: that is no error.
pub(super) fn unless_reader_left(result: anyhow::Result<()>) -> anyhow::Result<()> {
    let is_closed =
        |cause: &io::Error| matches!(cause.kind(), ErrorKind::BrokenPipe) && cause.raw_os_error().is_some();
    result.or_else(|error| {
        let has_left = error.chain().any(|cause| cause.downcast_ref().is_some_and(is_closed));
        if has_left { Ok(()) } else { Err(error) }
    })
}
