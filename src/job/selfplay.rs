//! Self-play as a job. A shard of the job is a shard of the records, so merging only collects the files in one folder.

use std::path::Path;

use anyhow::ensure;

use super::file::Job;
use super::manifest::{ShardManifest, ShardOutcome};
use super::shard_environment::{ShardEnvironment, ShardOutput};
use super::work::{SelfplayWork, part};
use crate::data::Header;
use crate::data::selfplay::play_all;
use crate::data::writing::{Writer, shard_name};
use crate::files::{read_if_there, write_whole};

impl SelfplayWork {
    /// Plays the remaining games of a shard.
    ///
    /// # Errors
    /// Records cannot be written, or belong to another run.
    pub(super) fn run(
        &self,
        job: &Job,
        shard: u32,
        folder: &Path,
        environment: &ShardEnvironment,
    ) -> anyhow::Result<ShardOutput> {
        let recipe = self.recipe.recipe()?;
        let mut writer = Writer::from_shard(folder, self.header(job)?, shard)?;
        let end = part(shard, self.games_per_shard as usize, self.games as usize).end as u32;
        let missing = writer.missing(end);
        play_all(&recipe, self.seed, missing, environment.threads, &environment.stop_request.flag, |game| {
            writer.push(&game)
        })?;
        finish(&writer, shard, end)
    }

    /// The header of the first shard.
    fn header(&self, job: &Job) -> anyhow::Result<Header> {
        let recipe = self.recipe.recipe()?;
        Ok(Header {
            seed: self.seed,
            shard: 0,
            capacity: self.games_per_shard,
            nodes: recipe.nodes,
            signature: job.build.signature,
            settings: recipe.to_string(),
        })
    }

    /// Collects the shards in one folder.
    ///
    /// # Errors
    /// A file cannot be read or written, or has changed, or the folder holds other games in a file of the same name.
    pub(super) fn merge(
        &self,
        job: &Job,
        manifests: &[ShardManifest],
        results: &Path,
        out: &Path,
    ) -> anyhow::Result<String> {
        let header = self.header(job)?;
        for manifest in manifests {
            let header = Header { shard: manifest.shard, ..header.clone() };
            let bytes = manifest.files.iter().map(|file| file.bytes).sum();
            ensure_no_other_games(&out.join(shard_name(self.seed, manifest.shard)), &header, bytes)?;
        }
        for manifest in manifests {
            for (path, bytes) in manifest.contents(results)? {
                write_whole(&out.join(path.file_name().unwrap_or_default()), bytes)?;
            }
        }
        Ok(format!("{} files of records in {}", manifests.len(), out.display()))
    }
}

/// Makes sure that a merge replaces no other games by a file of so many bytes. Games of the same header are the same
/// games, as far as both files go: those of a merge before this one, or of a job with other numbers of games.
///
/// # Errors
/// The file is there and has another header or more games, or cannot be read.
pub(super) fn ensure_no_other_games(path: &Path, header: &Header, most_bytes: u64) -> anyhow::Result<()> {
    let Some(bytes) = read_if_there(path)? else { return Ok(()) };
    let is_same = Header::from_bytes(&bytes).is_ok_and(|(there, _)| there == *header);
    ensure!(is_same, "{} holds other games; choose another folder", path.display());
    ensure!(
        bytes.len() as u64 <= most_bytes,
        "{} holds more games than would replace them; choose another folder",
        path.display()
    );
    Ok(())
}

/// What a shard of records produced, if it is written up to game `end`; `None` if games are missing.
///
/// # Errors
/// A file that cannot be read.
pub(super) fn finish(writer: &Writer, shard: u32, end: u32) -> anyhow::Result<ShardOutput> {
    if writer.next() < end {
        return Ok(None);
    }
    let path = writer.path(shard);
    let read = crate::data::reading::read(&path)?;
    let games = read.games.len() as u64;
    let moves = read.games.iter().flat_map(|game| &game.moves);
    let positions = moves.filter(|played| played.score.is_some()).count() as u64;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Some((vec![name], ShardOutcome::Games { games, positions })))
}
