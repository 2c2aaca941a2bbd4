//! The kinds of work as they are written in a job, and how each is cut into shards. How the work is done is not known
//! here.

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::pinned_files::PinnedFile;
use super::recipe::RecipeFile;
use crate::arena::records::MatchHeader;

/// What a job does. Gauntlets and sequential tests are matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Work {
    /// Engines play each other.
    Match(Box<MatchWork>),
    /// The engine plays itself to produce training games.
    Selfplay(SelfplayWork),
    /// Training games get new scores.
    Rescore(RescoreWork),
    /// Parameters of the search are tuned.
    Spsa(SpsaWork),
    /// Positions are searched for wins.
    Solve(ProofWork),
    /// Moves of positions are ranked for a book.
    Grow(GrowWork),
}

impl Work {
    /// Its name in the job file.
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

    /// Whether some of the shards may be enough.
    #[must_use]
    pub fn can_be_decided(&self) -> bool {
        matches!(self, Work::Match(work) if work.header.sprt.is_some())
    }

    /// Whether a shard does its tasks one after the other, so that each thread does a shard of its own.
    #[must_use]
    pub fn goes_step_by_step(&self) -> bool {
        match self {
            Work::Spsa(_) | Work::Solve(_) | Work::Grow(_) => true,
            Work::Match(_) | Work::Selfplay(_) | Work::Rescore(_) => false,
        }
    }

    /// The files that a machine must have for it, besides this program.
    #[must_use]
    pub fn files(&self) -> Vec<&PinnedFile> {
        match self {
            Work::Match(work) => work.programs.iter().collect(),
            Work::Rescore(work) => work.inputs.iter().map(|input| &input.file).collect(),
            Work::Selfplay(_) | Work::Spsa(_) | Work::Solve(_) | Work::Grow(_) => Vec::new(),
        }
    }

    /// The same work, without where its files were when it was planned: that does not change what is done.
    pub(super) fn without_places(&self) -> Work {
        let mut work = self.clone();
        let files: Vec<&mut PinnedFile> = match &mut work {
            Work::Match(work) => work.programs.iter_mut().collect(),
            Work::Rescore(work) => work.inputs.iter_mut().map(|input| &mut input.file).collect(),
            Work::Selfplay(_) | Work::Spsa(_) | Work::Solve(_) | Work::Grow(_) => Vec::new(),
        };
        files.into_iter().for_each(|file| file.path.clone_from(&file.name));
        // The job lists the openings; this is the file that they were read from.
        if let Work::Match(work) = &mut work {
            work.header.openings.clear();
            // These name arguments with paths; what lies there has its hash among the programs.
            work.header.identities.clear();
        }
        work
    }

    /// How many shards there are; at least one.
    ///
    /// # Errors
    /// There is nothing to do, a shard would be empty, or there are more shards than can be numbered.
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

impl Work {
    /// How many results a shard has: games, pairs of games in SPSA, or positions.
    pub(super) fn tasks(&self, shard: u32) -> usize {
        let size = |size: u32, whole: u32| part(shard, size as usize, whole as usize).len();
        match self {
            Work::Match(work) => work.games_of(shard),
            Work::Selfplay(work) => size(work.games_per_shard, work.games),
            Work::Rescore(work) => work.games_of(shard).len(),
            Work::Spsa(work) => size(work.pairs_per_shard, work.pairs),
            Work::Solve(work) => part(shard, work.positions_per_shard, work.positions.len()).len(),
            Work::Grow(work) => part(shard, work.positions_per_shard, work.positions.len()).len(),
        }
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
    pub programs: Vec<PinnedFile>,
    /// Pairs of games per encounter in a shard.
    pub pairs_per_shard: usize,
}

/// Games of the engine against itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfplayWork {
    /// How they are played.
    pub recipe: RecipeFile,
    /// The seed from which they follow.
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
    pub file: PinnedFile,
    /// Games in it.
    pub games: u32,
}

/// Parameters of the search, tuned by games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaWork {
    /// How the games are played.
    pub recipe: RecipeFile,
    /// The seed from which everything follows, as long as one machine plays one pair at a time.
    pub seed: u64,
    /// Pairs of games in all.
    pub pairs: u32,
    /// Pairs in a shard, all around the same values.
    pub pairs_per_shard: u32,
    /// The parameters that may move; all if empty.
    pub names: Vec<String>,
    /// All parameters with their initial values.
    pub start: Vec<(String, f64)>,
}

/// Positions to be solved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProofWork {
    /// The rule's name.
    pub rule: String,
    /// Columns and rows.
    pub size: (usize, usize),
    /// The positions as moves, `h8i9j8`.
    pub positions: Vec<String>,
    /// Search only for victories by continuous fours.
    pub vcf_only: bool,
    /// Nodes for each position.
    pub nodes: u64,
    /// Size of the tables in bytes. It is part of the work, because a smaller table forgets more.
    pub memory: usize,
    /// Positions in a shard.
    pub positions_per_shard: usize,
}

/// Positions of a book whose moves the engine ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GrowWork {
    /// The root of the book: its key in a library, in hexadecimal.
    pub root: String,
    /// The positions in the same form, the most important first.
    pub positions: Vec<String>,
    /// Nodes for each position.
    pub nodes: u64,
    /// How many moves are ranked in each position.
    pub lines: usize,
    /// Memory limit of the engine in bytes: for the whole process, not only for the tables.
    pub memory: u64,
    /// Positions in a shard.
    pub positions_per_shard: usize,
}

impl MatchWork {
    /// Pairs of games in each encounter.
    #[must_use]
    pub fn pairs(&self) -> usize {
        self.header.games.div_ceil(2)
    }
}

impl RescoreWork {
    /// How many shards of the job a file is cut into.
    pub(super) fn shards_of(&self, input: &RescoreInput) -> u32 {
        input.games.div_ceil(self.games_per_shard.max(1))
    }

    /// How many shards there are.
    ///
    /// # Errors
    /// There are none, or a shard would be empty.
    fn shards(&self) -> anyhow::Result<usize> {
        ensure!(self.games_per_shard > 0, "a shard must hold something");
        let shards = self.inputs.iter().map(|input| self.shards_of(input) as usize).sum();
        ensure!(shards > 0, "there is nothing to do in this job");
        Ok(shards)
    }
}

/// How many shards of this size make up the whole.
pub(super) fn shards_of(whole: usize, size: usize) -> anyhow::Result<usize> {
    ensure!(whole > 0, "there is nothing to do in this job");
    ensure!(size > 0, "a shard must hold something");
    Ok(whole.div_ceil(size))
}

/// The part of the whole that belongs to this shard.
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
