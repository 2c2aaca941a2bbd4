//! A book that grows on many machines. Planning the job chooses the positions that matter most at that time, a shard
//! ranks the best moves of some of them, and merging enters the rankings into the library. Then the next positions can
//! be chosen. Only planning and merging need a library.

use std::path::Path;

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use super::line_files;
use super::manifest::{ShardManifest, ShardOutcome};
use super::shard_environment::{ShardEnvironment, ShardOutput};
use super::work::{GrowWork, part};
use crate::board::Point;
use crate::engine::Engine;
use crate::eval::score::WIN;
use crate::formats::moves;
#[cfg(feature = "library")]
use crate::formats::text::hex;
use crate::library::{PositionKey, RankedMove, Ranking};
use crate::search::Control;

/// The file of lines, both of a shard and of all shards together.
const RANKED_FILE: &str = "ranked.jsonl";

/// A position as it is written in a job: its key in a library, in hexadecimal.
#[cfg(feature = "library")]
#[must_use]
pub fn position_text(key: &PositionKey) -> String {
    hex(key.as_bytes())
}

fn read_position(text: &str) -> anyhow::Result<PositionKey> {
    let digits = text.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    });
    let key = digits.collect::<Option<Vec<u8>>>().and_then(|bytes| PositionKey::from_bytes(&bytes).ok());
    key.with_context(|| format!("`{text}` is the key of no position"))
}

impl GrowWork {
    /// Ranks the moves of the remaining positions of a shard.
    ///
    /// # Errors
    /// A position cannot be read, or a file cannot be read or written.
    pub(super) fn run(
        &self,
        shard: u32,
        folder: &Path,
        environment: &ShardEnvironment,
    ) -> anyhow::Result<ShardOutput> {
        let mut engine = Engine::new(1, self.memory);
        let numbers = part(shard, self.positions_per_shard, self.positions.len());
        let line = |number: usize| -> anyhow::Result<Option<Value>> {
            if environment.stop_request.is_asked() {
                return Ok(None);
            }
            let key = read_position(&self.positions[number])?;
            // Earlier searches must not matter, or the result would depend on how the work is cut.
            engine.new_game();
            let ranking = Ranking::search(&mut engine, &key, self.nodes, self.lines, &Control::new());
            Ok(ranking.map(|ranking| line_of(&self.positions[number], &ranking)))
        };
        let fits = |number: usize, line: &Value| {
            line["position"] == *self.positions[number] && read_line(&line.to_string()).is_ok()
        };
        let Some(lines) = line_files::complete(&folder.join(RANKED_FILE), numbers, fits, line)? else {
            return Ok(None);
        };
        let nodes = lines.iter().filter_map(|line| line["nodes"].as_u64()).sum();
        Ok(Some((
            vec![RANKED_FILE.to_owned()],
            ShardOutcome::Rankings { positions: lines.len() as u64, nodes },
        )))
    }

    /// Writes the lines of all shards into one file, and enters them into the library if there is one.
    ///
    /// # Errors
    /// A file cannot be read or written, or has changed, or `out` holds other lines, or this build has no libraries.
    pub(super) fn merge(
        &self,
        manifests: &[ShardManifest],
        results: &Path,
        out: &Path,
        library: Option<&Path>,
    ) -> anyhow::Result<String> {
        let path = out.join(RANKED_FILE);
        line_files::merge(manifests, results, &path)?;
        let said = format!("rankings in {}", path.display());
        let Some(library) = library else { return Ok(said + "; --library enters them") };
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let rankings: Vec<(PositionKey, Ranking)> =
            text.lines().map(read_line).collect::<anyhow::Result<_>>()?;
        let (entered, known) = self.enter(&rankings, library)?;
        Ok(format!("{said}; {entered} positions entered into {}, {known} were there", library.display()))
    }

    /// Enters the new rankings, and returns how many positions were entered and how many were known.
    #[cfg(feature = "library")]
    fn enter(&self, rankings: &[(PositionKey, Ranking)], path: &Path) -> anyhow::Result<(usize, usize)> {
        use crate::library::{Growth, GrowthOptions, Library};
        let library = Library::open_or_create(path)?;
        let root = read_position(&self.root)?;
        let mut growth = Growth::new(&library, root.rule(), &root.position(), GrowthOptions::default())?;
        let mut entered = 0;
        for (key, ranking) in rankings {
            // A known position is left alone: what has grown since is worth more than this ranking.
            if !growth.knows(key) {
                growth.enter(key, ranking)?;
                entered += 1;
            }
        }
        Ok((entered, rankings.len() - entered))
    }

    #[cfg(not(feature = "library"))]
    fn enter(&self, _rankings: &[(PositionKey, Ranking)], _path: &Path) -> anyhow::Result<(usize, usize)> {
        anyhow::bail!("this build has no libraries: cargo build --release --features library")
    }
}

fn line_of(position: &str, ranking: &Ranking) -> Value {
    let ranked = |ranked: &RankedMove| {
        let name = moves::letters(&[ranked.point], "");
        match ranked.worth {
            Some((score, depth)) => json!({ "move": name, "score": score, "depth": depth }),
            None => json!({ "move": name }),
        }
    };
    let moves: Vec<Value> = ranking.moves.iter().map(ranked).collect();
    json!({ "position": position, "nodes": ranking.nodes, "moves": moves })
}

fn read_line(line: &str) -> anyhow::Result<(PositionKey, Ranking)> {
    let read = || -> anyhow::Result<(PositionKey, Ranking)> {
        let line: Value = serde_json::from_str(line)?;
        let key = read_position(line["position"].as_str().unwrap_or_default())?;
        let mut all = Vec::new();
        for ranked in line["moves"].as_array().context("there are no moves")? {
            let points = moves::read(ranked["move"].as_str().unwrap_or_default(), key.size())?;
            let [point]: [Point; 1] = points.try_into().ok().context("this is not a move")?;
            ensure!(key.stones().all(|(taken, _)| taken != point), "a move onto a stone");
            let score = ranked["score"].as_i64().and_then(|score| i32::try_from(score).ok());
            ensure!(score.is_none_or(|score| score.abs() <= WIN), "a score beyond a win on the board");
            let depth = ranked["depth"].as_u64().and_then(|depth| u32::try_from(depth).ok());
            all.push(RankedMove { point, worth: score.zip(depth) });
        }
        Ok((key, Ranking { nodes: line["nodes"].as_u64().unwrap_or(1).max(1), moves: all }))
    };
    read().with_context(|| format!("this is not a ranking: `{line}`"))
}

#[cfg(test)]
#[path = "grow_tests.rs"]
mod tests;
