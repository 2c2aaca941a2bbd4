//! What subcommands tell people, and what happens when nobody reads it any more.
//!
//! Results go to standard output through writers whose errors are passed up (`println!` would panic), so a subcommand
//! ends when its reader has left. Remarks go to standard error, and nothing depends on whether they are read.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use super::color::{self, BAD, styled};
use super::ending::Ending;
use crate::formats::text::{printable, quoted};

/// Prints a remark on standard error.
pub(super) fn remark(text: impl Display) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Prints on standard error why a subcommand has failed.
pub(super) fn complain(text: impl Display) {
    let _ = writeln!(color::err(), "{} {text}", styled(BAD, "kagetsu:"));
}

/// Prints a line on standard output.
///
/// # Errors
/// Standard output is closed.
pub(super) fn print_line(text: impl Display) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{text}")?;
    out.flush()
}

/// `1 file`, `2 files`.
pub(super) fn counted(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// An error on one line, with its causes. Text that it quotes between backticks is cut, like everything else with which
/// a foreign file could fill a terminal.
pub(super) fn in_words(error: &anyhow::Error) -> String {
    /// Most characters of a line.
    const MOST: usize = 1_000;
    let line = |line: &str| {
        let parts: Vec<String> = line
            .split('`')
            .enumerate()
            .map(|(n, part)| if n % 2 == 1 { quoted(part) } else { printable(part).into_owned() })
            .collect();
        let whole = parts.join("`");
        match whole.char_indices().nth(MOST) {
            Some((end, _)) => format!("{}…", &whole[..end]),
            None => whole,
        }
    };
    format!("{error:#}").lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Turns the error of a closed output into success: a reader may want the first lines only, as `head` does.
pub(super) fn unless_reader_left(result: anyhow::Result<Ending>) -> anyhow::Result<Ending> {
    /// The error code that Windows may return for a pipe whose other end is closed; the standard library has no name
    /// for it.
    const PIPE_NOT_CONNECTED: i32 = 233;
    let is_closed = |cause: &io::Error| match cause.raw_os_error() {
        Some(PIPE_NOT_CONNECTED) if cfg!(windows) => true,
        Some(_) => matches!(cause.kind(), ErrorKind::BrokenPipe),
        None => false,
    };
    result.or_else(|error| {
        let has_left = error.chain().any(|cause| cause.downcast_ref().is_some_and(is_closed));
        if has_left { Ok(Ending::Done) } else { Err(error) }
    })
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn what_an_error_quotes_is_cut() {
        let nothing = "\0".repeat(1 << 20);
        let error = anyhow!("`{nothing}` is not a point").context("proof.json");
        let said = in_words(&error);
        assert!(
            said.starts_with(r"proof.json: `\u{0}\u{0}") && said.ends_with("…` is not a point"),
            "{said}"
        );
        assert!(said.chars().count() < 120, "{said}");
        let said = in_words(&anyhow!("{nothing}"));
        assert!(said.chars().count() <= 1_001 && !said.contains('\0'), "{said}");
        let plain = anyhow!("no space left").context("writing games.sgf");
        assert_eq!(in_words(&plain), "writing games.sgf: no space left");
    }
}
