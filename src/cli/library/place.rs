//! The position in a library that a subcommand works on.

use clap::Args;

use crate::board::Stones;
use crate::cli::position::PositionOptions;
use crate::formats::point_names::Rows;
use crate::rules::Rule;

/// A position; the empty board where none is named.
#[derive(Args, Clone, Debug)]
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
