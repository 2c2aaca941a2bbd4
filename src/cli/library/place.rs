//! The position in a library that a subcommand works on.

use clap::Args;

use crate::board::Stones;
use crate::cli::position::PositionOptions;
use crate::formats::point_names::Rows;
use crate::rules::Rule;

/// What the help says of the file: unlike other subcommands, those of `library` do not wait for standard input.
const FILE_HELP: &str =
    "Position: SGF, PSQ, a picture of `.`, `X` and `O`, or moves [default: the empty board]";

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
    /// Input that is not a position, with the place of the mistake.
    pub fn read(&self, rows: Rows) -> anyhow::Result<(Rule, Stones)> {
        let given = if self.position.file.is_none() && self.position.moves.is_none() {
            self.position.empty_board()
        } else {
            self.position.read(rows)?
        };
        Ok((given.rule, given.stones))
    }
}
