//! The results of a job so far, counted shard by shard from the manifests, and whether they are enough.

use std::collections::BTreeMap;

use anyhow::{bail, ensure};
use serde_json::{Value, json};

use super::file::Job;
use super::manifest::{ShardManifest, ShardOutcome};
use super::matches::MatchState;
use super::work::Work;

/// The state of a job.
#[derive(Clone, Debug)]
pub struct JobState<'a> {
    job: &'a Job,
    manifests: BTreeMap<u32, ShardManifest>,
    games: Option<MatchState<'a>>,
}

impl<'a> JobState<'a> {
    /// Nothing is done yet.
    #[must_use]
    pub fn new(job: &'a Job) -> JobState<'a> {
        let games = match &job.work {
            Work::Match(work) => Some(MatchState::new(work)),
            _ => None,
        };
        JobState { job, manifests: BTreeMap::new(), games }
    }

    /// The state with these shards done.
    ///
    /// # Errors
    /// Those of [`JobState::add`].
    pub fn of(job: &'a Job, manifests: &[ShardManifest]) -> anyhow::Result<JobState<'a>> {
        let mut state = JobState::new(job);
        for manifest in manifests {
            state.add(manifest)?;
        }
        Ok(state)
    }

    /// Counts a shard, unless it was counted before. Returns whether it was new.
    ///
    /// # Errors
    /// The manifest claims what the shard cannot hold.
    pub fn add(&mut self, manifest: &ShardManifest) -> anyhow::Result<bool> {
        if self.manifests.contains_key(&manifest.shard) {
            return Ok(false);
        }
        self.ensure_fits(manifest)?;
        if let (Some(state), ShardOutcome::Match { games, faults, moves }) =
            (&mut self.games, &manifest.outcome)
        {
            state.add(manifest.shard, games, *faults, *moves)?;
        }
        self.manifests.insert(manifest.shard, manifest.clone());
        Ok(true)
    }

    /// Makes sure that a manifest is of the kind of the job, and of a shard that was done to its end.
    fn ensure_fits(&self, manifest: &ShardManifest) -> anyhow::Result<()> {
        let (shard, work) = (manifest.shard, &self.job.work);
        let done = match (work, &manifest.outcome) {
            (Work::Match(_), ShardOutcome::Match { games, .. }) => games.len(),
            (Work::Selfplay(_) | Work::Rescore(_), ShardOutcome::Games { games, .. }) => *games as usize,
            (Work::Spsa(_), ShardOutcome::Pairs { points, .. }) => points.len(),
            (Work::Solve(_), ShardOutcome::Proofs { won, refuted, open }) => {
                won.saturating_add(*refuted).saturating_add(*open)
            }
            (Work::Grow(_), ShardOutcome::Rankings { positions, .. }) => *positions as usize,
            _ => bail!("shard {shard} holds something else than {}; remove its folder", work.kind()),
        };
        let planned = work.tasks(shard);
        ensure!(done == planned, "shard {shard} holds {done} results and not {planned}; remove its folder");
        Ok(())
    }

    /// Whether the results suffice, although shards may be missing.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.games.as_ref().is_some_and(|games| games.needed().is_some())
    }

    /// The games of a match.
    #[must_use]
    pub(crate) fn games(&self) -> Option<&MatchState<'a>> {
        self.games.as_ref()
    }

    /// The pair of games that decided the match.
    #[must_use]
    pub(super) fn decided_with(&self) -> Option<usize> {
        self.games.as_ref()?.decided_with()
    }

    /// The shards that are still needed.
    pub fn missing(&self) -> impl Iterator<Item = u32> {
        let needed = self.games.as_ref().and_then(MatchState::needed);
        (0..needed.unwrap_or(self.job.shards)).filter(|shard| !self.manifests.contains_key(shard))
    }

    /// The manifests so far, in the order of their shards.
    pub fn manifests(&self) -> impl Iterator<Item = &ShardManifest> {
        self.manifests.values()
    }

    /// All figures, for programs.
    ///
    /// # Errors
    /// The job cannot be given its name, or it is SPSA and the parameters of this build cannot be set.
    pub fn figures(&self) -> anyhow::Result<Value> {
        // Summing nothing with `sum` would give a negative zero.
        let seconds =
            self.manifests().map(|manifest| manifest.seconds).fold(0.0, |sum, seconds| sum + seconds);
        let mut figures = json!({
            "job": self.job.name()?, "kind": self.job.work.kind(),
            "shards": self.job.shards, "done": self.manifests.len(), "seconds": seconds,
            "decided": self.is_decided(), "over": self.missing().next().is_none(),
        });
        match &self.job.work {
            Work::Match(_) => figures["match"] = self.games.as_ref().map_or(Value::Null, MatchState::figures),
            Work::Spsa(work) => {
                let manifests: Vec<ShardManifest> = self.manifests().cloned().collect();
                figures["spsa"] = work.figures(&manifests)?;
            }
            Work::Selfplay(_) | Work::Rescore(_) => {
                let (mut all_games, mut all_positions) = (0, 0);
                for manifest in self.manifests() {
                    if let ShardOutcome::Games { games, positions } = manifest.outcome {
                        all_games += games;
                        all_positions += positions;
                    }
                }
                figures["games"] = json!({ "games": all_games, "positions": all_positions });
            }
            Work::Grow(work) => {
                let (mut ranked, mut all_nodes) = (0, 0);
                for manifest in self.manifests() {
                    if let ShardOutcome::Rankings { positions, nodes } = manifest.outcome {
                        ranked += positions;
                        all_nodes += nodes;
                    }
                }
                let planned = work.positions.len();
                figures["grow"] = json!({ "positions": ranked, "planned": planned, "nodes": all_nodes });
            }
            Work::Solve(_) => {
                let (mut all_won, mut all_refuted, mut all_open) = (0, 0, 0);
                for manifest in self.manifests() {
                    if let ShardOutcome::Proofs { won, refuted, open } = manifest.outcome {
                        all_won += won;
                        all_refuted += refuted;
                        all_open += open;
                    }
                }
                figures["solve"] = json!({ "won": all_won, "refuted": all_refuted, "open": all_open });
            }
        }
        Ok(figures)
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::tests::job;
    use super::*;

    fn manifest(job: &Job, shard: u32, games: u64) -> ShardManifest {
        let outcome = ShardOutcome::Games { games, positions: 30 };
        ShardManifest::new(job, shard, std::path::Path::new("."), &[], outcome, 1.5).unwrap()
    }

    #[test]
    fn a_shard_counts_once() {
        let job = job();
        let mut state = JobState::new(&job);
        let mut add = |shard, games| state.add(&manifest(&job, shard, games)).unwrap();
        assert!(add(2, 1) && !add(2, 1));
        assert!(state.missing().eq([0, 1]) && !state.is_decided());
        assert!([0, 1].into_iter().all(|shard| state.add(&manifest(&job, shard, 2)).unwrap()));
        let figures = state.figures().unwrap();
        assert_eq!(figures["games"], json!({ "games": 5, "positions": 90 }));
        assert_eq!((&figures["over"], &figures["seconds"]), (&json!(true), &json!(4.5)));
    }

    #[test]
    fn other_work_or_less_of_it_does_not_count() {
        let job = job();
        let mut state = JobState::new(&job);
        let mut refused = |manifest: &ShardManifest| state.add(manifest).unwrap_err().to_string();
        let few = refused(&manifest(&job, 1, 1));
        assert_eq!(few, "shard 1 holds 1 results and not 2; remove its folder");
        let mut other = manifest(&job, 1, 2);
        other.outcome = ShardOutcome::Rankings { positions: 2, nodes: 9 };
        assert_eq!(refused(&other), "shard 1 holds something else than selfplay; remove its folder");
        assert!(state.missing().eq([0, 1, 2]));
    }
}
