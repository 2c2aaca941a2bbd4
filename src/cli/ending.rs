//! How a subcommand ended, and the exit status that reports it.

use std::fmt;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use anyhow::ensure;

use crate::job::build::OtherBuild;

/// The end of a subcommand that did what it was asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The work is done, or a win was found.
    Done,
    /// `kagetsu solve`: there is no win of the kind that was looked for.
    NoWin,
    /// `kagetsu solve`: the limits were too small to tell.
    NotFound,
}

impl Ending {
    /// The exit status: 0, or a number that no shell and no other failure uses.
    pub(super) fn status(self) -> u8 {
        match self {
            Ending::Done => 0,
            Ending::NoWin => 10,
            Ending::NotFound => 11,
        }
    }
}

/// The exit status after Ctrl-C or SIGTERM: the one that shells report for a program ended by Ctrl-C.
pub(super) const INTERRUPTED: u8 = 130;

/// The exit status after a mistake in the command line.
const MISTAKEN: u8 = 2;

/// The exit status if the job was planned with another build: another machine may have the right one.
pub(super) const OTHER_BUILD: u8 = 12;

/// The work was stopped by Ctrl-C or SIGTERM before it was done, which is not a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interrupted {
    /// Whether the same command resumes where this one ended.
    pub goes_on: bool,
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")?;
        if self.goes_on {
            f.write_str("; the same command resumes where this one ended")?;
        }
        Ok(())
    }
}

impl std::error::Error for Interrupted {}

/// Notes the first Ctrl-C or SIGTERM, so that the work ends in good order; the second ends the program.
pub(super) fn note_ctrl_c() -> Arc<AtomicBool> {
    let noted = Arc::new(AtomicBool::new(false));
    let note = Arc::clone(&noted);
    // Setting the handler fails in a process that has one already, which does no harm.
    let _ = ctrlc::set_handler(move || {
        if note.swap(true, Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    });
    noted
}

/// Ends the work if Ctrl-C or SIGTERM was noted.
///
/// # Errors
/// It was.
pub(super) fn ensure_goes_on(interrupted: &AtomicBool, goes_on: bool) -> anyhow::Result<()> {
    ensure!(!interrupted.load(Relaxed), Interrupted { goes_on });
    Ok(())
}

/// A mistake in the command line that shows only after parsing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mistake(pub String);

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Mistake {}

/// The exit status of the whole program. Most mistakes in the command line end it earlier, with status 2.
pub(super) fn exit_code(result: &anyhow::Result<Ending>) -> ExitCode {
    ExitCode::from(status(result))
}

fn status(result: &anyhow::Result<Ending>) -> u8 {
    match result {
        Ok(ending) => ending.status(),
        Err(error) if error.downcast_ref::<Interrupted>().is_some() => INTERRUPTED,
        Err(error) if error.downcast_ref::<Mistake>().is_some() => MISTAKEN,
        Err(error) if error.downcast_ref::<OtherBuild>().is_some() => OTHER_BUILD,
        Err(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use anyhow::{Context, anyhow};

    use super::*;

    #[test]
    fn each_end_has_its_status() {
        let interrupted = || Err(anyhow!(Interrupted { goes_on: true }));
        let all =
            [Ok(Ending::Done), Ok(Ending::NoWin), Ok(Ending::NotFound), Err(anyhow!("no")), interrupted()];
        assert_eq!(all.map(|result| status(&result)), [0, 10, 11, 1, 130]);
        assert_eq!(status(&interrupted().context("while it was doing something")), 130);
        assert_eq!(status(&Err(anyhow!(Mistake("no such option".to_owned())))), 2);
    }
}
