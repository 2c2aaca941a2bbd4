//! The position in a library that a subcommand works on.

use anyhow::ensure;
use clap::Args;

use crate::board::Stones;
use crate::cli::ending::Mistake;
use crate::cli::position::{GivenPosition, PositionOptions};
use crate::formats::point_names::Rows;
use crate::rules::Rule;

/// What the help says of the file: unlike other subcommands, those of `library` do not wait for standard input.
const FILE_HELP: &str =
    "Position: SGF, PSQ, PGN, a board diagram of `.`, `X` and `O`, or moves [default: the empty board]";

/// A position; the empty board where none is named.
#[derive(Args, Clone, Debug)]
#[command(mut_arg("file", |file| file.help(FILE_HELP)))]
pub struct PlaceOptions {
    /// How the position is named.
    #[command(flatten)]
    pub position: PositionOptions,
}

impl PlaceOptions {
    /// Reads the position and its rule.
    ///
    /// # Errors
    /// Input that is not a position, with the place of the mistake; `--stop-at` without a position.
    pub fn read(&self, rows: Rows) -> anyhow::Result<(Rule, Stones)> {
        self.given(rows).map(|given| (given.rule, given.stones))
    }

    /// Like [`PlaceOptions::read`], with how many of the stones were set up.
    ///
    /// # Errors
    /// Those of [`PlaceOptions::read`].
    pub fn given(&self, rows: Rows) -> anyhow::Result<GivenPosition> {
        if self.position.file.is_none() && self.position.moves.is_none() {
            let stop_at = self.position.stop_at;
            ensure!(stop_at.is_none(), Mistake("--stop-at: name a file, or give --moves".to_owned()));
            ensure!(self.position.number.is_none(), Mistake("--number: name a file".to_owned()));
            Ok(self.position.empty_board())
        } else {
            self.position.read(rows)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Words {
        #[command(flatten)]
        place: PlaceOptions,
    }

    #[test]
    fn the_empty_board_is_no_part_of_another_game() {
        let stones = |words: &[&str]| {
            let words = Words::try_parse_from([&["place"], words].concat()).unwrap();
            words.place.read(Rows::FromTop).map(|(_, stones)| stones.history().len())
        };
        assert_eq!((stones(&[]).unwrap(), stones(&["--moves", "h8 i9", "--stop-at", "1"]).unwrap()), (0, 1));
        let error = stones(&["--stop-at", "3"]).unwrap_err();
        assert!(error.downcast_ref::<Mistake>().is_some(), "{error}");
    }
}
