//! `kagetsu job plan ... grow`: the positions of a library that the engine looks at next, written down as a job.

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;

use super::library::{GrowthChoices, PlaceOptions};
use crate::formats::point_names::Rows;
use crate::job::grow::position_text;
use crate::job::work::GrowWork;
use crate::library::{Growth, Library, PositionKey};

/// One round of growing a book.
#[derive(Args, Clone, Debug)]
pub struct PlannedGrowth {
    /// The library, which need not exist yet
    #[arg(value_name = "LIBRARY")]
    pub library: PathBuf,

    /// Where the book begins.
    #[command(flatten)]
    pub place: PlaceOptions,

    /// Maximum number of positions to search
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    pub positions: u32,

    /// How it grows.
    #[command(flatten)]
    pub growth: GrowthChoices,
}

impl PlannedGrowth {
    /// The work of looking at the positions that matter most at present.
    ///
    /// # Errors
    /// A library or a position that cannot be read; nothing to look at.
    pub(super) fn work(&self, rows: Rows, positions_per_shard: u32) -> anyhow::Result<GrowWork> {
        let library = match self.library.exists() {
            true => Library::open_to_read(&self.library)?,
            false => Library::in_memory()?,
        };
        let (rule, stones) = self.place.read(rows)?;
        let root = PositionKey::of(rule, &stones).context("a library keeps no board with dead cells")?.key;
        let options = self.growth.options();
        let growth = Growth::look(&library, rule, &stones, options)?;
        let positions = growth.frontier(self.positions as usize);
        ensure!(!positions.is_empty(), "nothing is left to search within --stones and --margin");
        Ok(GrowWork {
            root: position_text(&root),
            positions: positions.iter().map(position_text).collect(),
            nodes: options.nodes,
            lines: options.lines.max(2),
            memory: self.growth.memory(),
            positions_per_shard: positions_per_shard as usize,
        })
    }
}
