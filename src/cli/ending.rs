//! How a subcommand has ended, as the exit status of the program says it.

use std::fmt;
use std::process::ExitCode;

use crate::job::build::OtherBuild;

/// The end of a subcommand that did what it was asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// All is said, or won.
    Done,
    /// `kagetsu solve`: there is no win of the kind that was looked for.
    NoWin,
    /// `kagetsu solve`: the limits did not suffice to tell.
    NotFound,
}

impl Ending {
    /// The exit status: 0, and numbers that no shell and no other mistake has.
    pub(super) fn status(self) -> u8 {
        match self {
            Ending::Done => 0,
            Ending::NoWin => 10,
            Ending::NotFound => 11,
        }
    }
}

/// The exit status after Ctrl-C or SIGTERM: what shells say of a program that Ctrl-C has ended.
pub(super) const INTERRUPTED: u8 = 130;

/// The exit status after a mistake in the command line.
const MISTAKEN: u8 = 2;

/// The exit status of a build that a job was not planned with: another machine may have the right one.
pub(super) const OTHER_BUILD: u8 = 12;

/// What was told to stop before it was done: Ctrl-C or SIGTERM, which is no failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interrupted {
    /// Whether the same command goes on where this one ended.
    pub goes_on: bool,
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")?;
        if self.goes_on {
            f.write_str("; the same command goes on where this one ended")?;
        }
        Ok(())
    }
}

impl std::error::Error for Interrupted {}

/// A mistake in the command line that only shows where its words are put together.
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
