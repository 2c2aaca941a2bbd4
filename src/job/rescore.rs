//! Rescoring stored games, as a job. A shard rescores some games of one file. The merged files have the names and the
//! order that `kagetsu data rescore` gives them.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use super::file::Job;
use super::manifest::ShardManifest;
use super::pinned_files::{PinnedFile, locate};
use super::selfplay::{ensure_no_other_games, finish};
use super::shard_environment::{ShardEnvironment, ShardOutput};
use super::work::{RescoreInput, RescoreWork, part};
use crate::data::reading::{DamagedShard, Union, find};
use crate::data::rescoring::{rescore_all, rescored_header};
use crate::data::writing::{Writer, shard_name};
use crate::data::{Header, Shard};
use crate::files::write_whole;

impl RescoreWork {
    /// The work of rescoring the games of these files and folders, about `games_per_shard` games in each shard.
    ///
    /// # Errors
    /// A file cannot be read, is not a shard, is damaged, or holds the same games as another.
    pub fn of(paths: &[PathBuf], nodes: u32, games_per_shard: u32) -> anyhow::Result<RescoreWork> {
        let mut union = Union::default();
        let mut inputs = Vec::new();
        let mut places = BTreeSet::new();
        for path in find(paths)? {
            let bytes = std::fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
            let shard = Shard::from_bytes(&bytes).with_context(|| format!("reading {}", path.display()))?;
            union.add(&path, &shard.header)?;
            if let Some(damaged) = DamagedShard::of(&path, &shard) {
                anyhow::bail!("{damaged}; play what is missing first");
            }
            let is_new = places.insert((shard.header.seed, shard.header.shard));
            ensure!(is_new, "{} would be merged into the same file as another one", path.display());
            let name = path.to_str().with_context(|| format!("{} is not valid UTF-8", path.display()))?;
            let file = PinnedFile::new(name, &path, &bytes)?;
            inputs.push(RescoreInput { file, games: shard.games.len() as u32 });
        }
        Ok(RescoreWork { inputs, nodes, games_per_shard })
    }

    /// The input file of a shard of the job, and the number of the shard within that file.
    fn input(&self, shard: u32) -> Option<(&RescoreInput, u32)> {
        let mut before = 0;
        for input in &self.inputs {
            let shards = self.shards_of(input);
            if shard < before + shards {
                return Some((input, shard - before));
            }
            before += shards;
        }
        None
    }

    /// The games of a shard, numbered from the first of its input file.
    pub(super) fn games_of(&self, shard: u32) -> Range<usize> {
        let of_input = |(input, number): (&RescoreInput, u32)| {
            part(number, self.games_per_shard as usize, input.games as usize)
        };
        self.input(shard).map_or(0..0, of_input)
    }

    /// Rescores the remaining games of a shard.
    ///
    /// # Errors
    /// A file is not the one of the job, or cannot be read or written.
    pub(super) fn run(
        &self,
        job: &Job,
        shard: u32,
        folder: &Path,
        environment: &ShardEnvironment,
    ) -> anyhow::Result<ShardOutput> {
        let (input, number) = self.input(shard).context("there is no such shard")?;
        let mut read = crate::data::reading::read(&locate(&input.file, environment.data.as_deref())?)?;
        // Games are numbered from the first of the file, so that each part is a valid file by itself, whatever its
        // size.
        let before = read.header.first();
        for game in &mut read.games {
            game.number = game.number.saturating_sub(before);
        }
        let games = self.games_of(shard);
        let end = games.end as u32;
        ensure!(games.end <= read.games.len(), "the file has fewer games than the job says");
        let header = rescored_header(&read.header, self.nodes, job.build.signature);
        let header = Header { capacity: self.games_per_shard, ..header };
        let mut writer = Writer::from_shard(folder, header, number)?;
        let rest = &read.games[writer.next() as usize..games.end];
        rescore_all(rest, self.nodes, environment.threads, &environment.stop_request.flag, |game| {
            writer.push(&game)
        })?;
        finish(&writer, number, end)
    }

    /// Joins the parts of each file.
    ///
    /// # Errors
    /// A file cannot be read or written, or has changed, or the folder holds other games in a file of the same name,
    /// such as those that were rescored.
    pub(super) fn merge(
        &self,
        job: &Job,
        manifests: &[ShardManifest],
        results: &Path,
        out: &Path,
        data: Option<&Path>,
    ) -> anyhow::Result<String> {
        let mut headers = Vec::with_capacity(self.inputs.len());
        for input in &self.inputs {
            let before = crate::data::reading::read(&locate(&input.file, data)?)?;
            let header = rescored_header(&before.header, self.nodes, job.build.signature);
            // Games keep their length when they get new scores.
            let games = before.good_bytes - before.header.to_bytes().len();
            let bytes = (header.to_bytes().len() + games) as u64;
            ensure_no_other_games(&out.join(shard_name(header.seed, header.shard)), &header, bytes)?;
            headers.push(header);
        }
        let mut first = 0;
        for (input, header) in self.inputs.iter().zip(&headers) {
            let shards = first..first + self.shards_of(input);
            first = shards.end;
            let mut bytes = header.to_bytes();
            for manifest in manifests.iter().filter(|manifest| shards.contains(&manifest.shard)) {
                for (path, part) in manifest.contents(results)? {
                    let part = Shard::from_bytes(&part).with_context(|| path.display().to_string())?;
                    for mut game in part.games {
                        game.number += header.first();
                        bytes.extend(game.to_bytes());
                    }
                }
            }
            write_whole(&out.join(shard_name(header.seed, header.shard)), bytes)?;
        }
        Ok(format!("{} files of games in {}", self.inputs.len(), out.display()))
    }
}
