//! The position in a library that a subcommand works on.

use clap::Args;

use crate::board::{Size, Stones};
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
    /// The rule.
    pub fn rule(&self) -> Rule {
        self.position.rule
    }

    /// Reads the position.
    ///
    /// # Errors
    /// Input that is not a position, with the place of the mistake.
    pub fn read(&self, rows: Rows) -> anyhow::Result<Stones> {
        if self.position.file.is_none() && self.position.moves.is_none() {
            return Ok(Stones::new(self.position.size.unwrap_or(Size::square(15))));
        }
        Ok(self.position.read(rows)?.0)
    }
}
