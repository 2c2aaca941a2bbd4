//! The position in a library that a subcommand is about.

use clap::Args;

use crate::board::{Size, Stones};
use crate::cli::position::PositionOptions;
use crate::formats::point_names::Rows;
use crate::rules::Rule;

/// A position; the empty board where none is named.
#[derive(Args, Clone, Debug)]
pub struct PlaceOptions {
    /// As it is named.
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
    /// What is no position, with its place.
    pub fn read(&self, rows: Rows) -> anyhow::Result<Stones> {
        if self.position.file.is_none() && self.position.moves.is_none() {
            return Ok(Stones::new(self.position.size.unwrap_or(Size::square(15))));
        }
        self.position.read(rows)
    }
}
