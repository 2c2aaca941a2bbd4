//! The kinds of work as a job writes them down, and how each is cut into shards. How they are done is not known here.

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::program_files::ProgramFile;
use super::recipe::RecipeFile;
use crate::arena::records::MatchHeader;

/// What a job does. A gauntlet and a sequential test are matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Work {
    /// Engines play each other.
    Match(Box<MatchWork>),
    /// The engine plays itself, for games to learn from.
    Selfplay(SelfplayWork),
    /// Such games get new scores.
    Rescore(RescoreWork),
    /// Parameters of the search are tuned.
    Spsa(SpsaWork),
    /// Positions are searched for wins.
    Solve(ProofWork),
    /// Moves of positions are ranked for a book.
    Grow(GrowWork),
}

impl Work {
    /// The word that the file has for it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Work::Match(_) => "match",
            Work::Selfplay(_) => "selfplay",
            Work::Rescore(_) => "rescore",
            Work::Spsa(_) => "spsa",
            Work::Solve(_) => "solve",
            Work::Grow(_) => "grow",
        }
    }

    /// Whether some shards may be enough.
    #[must_use]
    pub fn can_be_decided(&self) -> bool {
        matches!(self, Work::Match(work) if work.header.sprt.is_some())
    }

    /// Whether a shard is one task after the other, so that threads do a shard each.
    #[must_use]
    pub fn goes_step_by_step(&self) -> bool {
        match self {
            Work::Spsa(_) | Work::Solve(_) | Work::Grow(_) => true,
            Work::Match(_) | Work::Selfplay(_) | Work::Rescore(_) => false,
        }
    }

    /// The files that a machine must have for it, besides this program.
    #[must_use]
    pub fn files(&self) -> Vec<&ProgramFile> {
        match self {
            Work::Match(work) => work.programs.iter().collect(),
            Work::Rescore(work) => work.inputs.iter().map(|input| &input.file).collect(),
            Work::Selfplay(_) | Work::Spsa(_) | Work::Solve(_) | Work::Grow(_) => Vec::new(),
        }
    }

    /// How many shards there are; at least one.
    ///
    /// # Errors
    /// Nothing to do, shards of nothing, or more of them than can be numbered.
    pub fn shards(&self) -> anyhow::Result<u32> {
        let shards = match self {
            Work::Match(work) => shards_of(work.pairs(), work.pairs_per_shard)?,
            Work::Selfplay(work) => shards_of(work.games as usize, work.games_per_shard as usize)?,
            Work::Rescore(work) => work.shards()?,
            Work::Spsa(work) => shards_of(work.pairs as usize, work.pairs_per_shard as usize)?,
            Work::Solve(work) => shards_of(work.positions.len(), work.positions_per_shard)?,
            Work::Grow(work) => shards_of(work.positions.len(), work.positions_per_shard)?,
        };
        u32::try_from(shards).context("there are more shards than can be numbered")
    }
}

/// A match, and how it is cut.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchWork {
    /// How the match is played; the first line of the merged records.
    pub header: MatchHeader,
    /// The openings in their order, as `h8i9j8`.
    pub openings: Vec<String>,
    /// The files that the engines' commands name.
    pub programs: Vec<ProgramFile>,
    /// Pairs of games in a shard, times the encounters.
    pub pairs_per_shard: usize,
}

/// Games of the engine against itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfplayWork {
    /// How they are played.
    pub recipe: RecipeFile,
    /// The seed that they follow from.
    pub seed: u64,
    /// Games in all.
    pub games: u32,
    /// Games in a shard.
    pub games_per_shard: u32,
}

/// Games that are searched again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RescoreWork {
    /// The files of games.
    pub inputs: Vec<RescoreInput>,
    /// Nodes for each position.
    pub nodes: u32,
    /// Games of a file that make a shard of the job.
    pub games_per_shard: u32,
}

/// A file of games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RescoreInput {
    /// The file.
    pub file: ProgramFile,
    /// Games in it.
    pub games: u32,
}

/// Parameters of the search, tuned by games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaWork {
    /// How the games are played.
    pub recipe: RecipeFile,
    /// Everything follows from it, as long as one machine plays one pair at a time.
    pub seed: u64,
    /// Pairs of games in all.
    pub pairs: u32,
    /// Pairs in a shard, all around the same values.
    pub pairs_per_shard: u32,
    /// The parameters that may move; all if empty.
    pub names: Vec<String>,
    /// All parameters with the values at the beginning.
    pub start: Vec<(String, f64)>,
}

/// Positions to be settled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofWork {
    /// The rule's name.
    pub rule: String,
    /// Columns and rows.
    pub size: (usize, usize),
    /// The positions as moves, `h8i9j8`.
    pub positions: Vec<String>,
    /// Look only for victories by continuous fours.
    pub vcf_only: bool,
    /// Nodes for each position.
    pub nodes: u64,
    /// Bytes of the tables. Part of the work, because a smaller table forgets more.
    pub memory: usize,
    /// Positions in a shard.
    pub positions_per_shard: usize,
}

/// Positions of a book that the engine looks at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrowWork {
    /// Where the book begins: a key of the library in hexadecimal.
    pub root: String,
    /// The positions in the same form, those that matter most first.
    pub positions: Vec<String>,
    /// Nodes for each position.
    pub nodes: u64,
    /// Moves of each position that are ranked.
    pub lines: usize,
    /// Bytes of the engine's tables.
    pub memory: u64,
    /// Positions in a shard.
    pub positions_per_shard: usize,
}

impl MatchWork {
    /// Pairs of games that each encounter has.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.header.games.div_ceil(2)
    }
}

impl RescoreWork {
    /// Shards of the job that a file makes.
    pub(super) fn shards_of(&self, input: &RescoreInput) -> u32 {
        input.games.div_ceil(self.games_per_shard.max(1))
    }

    /// How many shards there are.
    ///
    /// # Errors
    /// None at all.
    fn shards(&self) -> anyhow::Result<usize> {
        ensure!(self.games_per_shard > 0, "a shard must hold something");
        let shards = self.inputs.iter().map(|input| self.shards_of(input) as usize).sum();
        ensure!(shards > 0, "there is nothing to do in this job");
        Ok(shards)
    }
}

/// So many shards of this size make the whole.
pub(super) fn shards_of(whole: usize, size: usize) -> anyhow::Result<usize> {
    ensure!(whole > 0, "there is nothing to do in this job");
    ensure!(size > 0, "a shard must hold something");
    Ok(whole.div_ceil(size))
}

/// What of the whole belongs to this shard.
pub(super) fn part(shard: u32, size: usize, whole: usize) -> std::ops::Range<usize> {
    let first = (shard as usize).saturating_mul(size).min(whole);
    first..first.saturating_add(size).min(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_make_the_whole() {
        for (whole, size) in [(1, 1), (10, 3), (9, 3), (2, 100)] {
            let shards = shards_of(whole, size).unwrap();
            let all: Vec<usize> = (0..shards as u32).flat_map(|shard| part(shard, size, whole)).collect();
            assert_eq!(all, (0..whole).collect::<Vec<usize>>(), "{whole} {size}");
            assert!((0..shards as u32).all(|shard| !part(shard, size, whole).is_empty()));
        }
        assert!(shards_of(0, 1).is_err() && shards_of(1, 0).is_err());
    }
}
