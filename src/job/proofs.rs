//! Searching many positions for wins, as a job. The limits are node counts, so that every machine finds the same.

use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::line_files;
use super::manifest::{ShardManifest, ShardOutcome};
use super::shard_environment::{ShardEnvironment, ShardOutput, StopRequest};
use super::work::{ProofWork, part};
use crate::board::{Size, Stones};
use crate::formats::moves;
use crate::rules::Rule;
use crate::solve::{Proof, Solution, Solver, SolverLimits, SolverVerdict, ThreatSpace, check, ensure_open};

/// The file of lines, both of a shard and of all shards together.
const SOLUTIONS_FILE: &str = "solutions.jsonl";
/// The verdicts, as they stand in the lines.
const WIN: &str = "win";
const NO_WIN: &str = "no win";
const NOT_FOUND: &str = "not found";

impl ProofWork {
    /// The rule and the position with this number.
    fn position(&self, number: usize) -> anyhow::Result<(Rule, Stones)> {
        let size = Size::new(self.size.0, self.size.1).context("the job has no such board")?;
        let text = &self.positions[number];
        let stones = if text.is_empty() { Ok(Stones::new(size)) } else { moves::position(text, size) };
        Ok((self.rule.parse()?, stones.with_context(|| format!("position {number}, {text}"))?))
    }

    /// Makes sure that all positions can be searched.
    ///
    /// # Errors
    /// A position cannot be searched, or is already decided; the error gives its number.
    pub fn check(&self) -> anyhow::Result<()> {
        (0..self.positions.len()).try_for_each(|number| {
            let (rule, stones) = self.position(number)?;
            let text = &self.positions[number];
            ensure_open(rule, &stones).with_context(|| format!("position {number}, {text}"))
        })
    }

    /// Searches the remaining positions of a shard.
    ///
    /// # Errors
    /// A position is already decided, a proof does not hold, or a file cannot be read or written.
    pub(super) fn run(
        &self,
        shard: u32,
        folder: &Path,
        environment: &ShardEnvironment,
    ) -> anyhow::Result<ShardOutput> {
        let numbers = part(shard, self.positions_per_shard, self.positions.len());
        let line = |number| self.solve(number, &environment.stop_request);
        let fits = |number, line: &Value| self.is_answer(number, line);
        let Some(lines) = line_files::complete(&folder.join(SOLUTIONS_FILE), numbers, fits, line)? else {
            return Ok(None);
        };
        let count = |verdict: &str| lines.iter().filter(|line| line["verdict"] == *verdict).count();
        let outcome =
            ShardOutcome::Proofs { won: count(WIN), refuted: count(NO_WIN), open: count(NOT_FOUND) };
        Ok(Some((vec![SOLUTIONS_FILE.to_owned()], outcome)))
    }

    /// Whether a line can be the answer for this position. A win has a proof that holds.
    fn is_answer(&self, number: usize, line: &Value) -> bool {
        let proves = |proof: &Value| {
            Proof::from_json(&proof.to_string()).is_ok_and(|proof| {
                let is_own = self.position(number).is_ok_and(|(rule, stones)| {
                    let of = |stones: &Stones| (stones.size(), stones.to_move(), stones.hash());
                    proof.rule == rule && of(&proof.stones) == of(&stones)
                });
                is_own && check(&proof).is_ok()
            })
        };
        line["position"] == number
            && line["moves"] == *self.positions[number]
            && match line["verdict"].as_str() {
                Some(WIN) => proves(&line["proof"]),
                Some(NO_WIN | NOT_FOUND) => line["proof"].is_null(),
                _ => false,
            }
    }

    /// The line of a position; `None` if the work is to end early.
    fn solve(&self, number: usize, stop_request: &StopRequest) -> anyhow::Result<Option<Value>> {
        let (rule, stones) = self.position(number)?;
        let limits = SolverLimits { time: None, nodes: Some(self.nodes), memory: self.memory };
        let widest = if self.vcf_only { ThreatSpace::Vcf } else { ThreatSpace::Vct };
        let search = Solver::new(limits).within(widest).start(rule, &stones);
        let search = search.with_context(|| format!("position {number}"))?;
        for _ in search.progress() {
            if stop_request.is_asked() {
                search.stop();
            }
        }
        let Solution { verdict, space, nodes, deepest, .. } = search.wait();
        if stop_request.is_asked() {
            return Ok(None);
        }
        let (verdict, proof) = match verdict {
            SolverVerdict::Win(proof) => {
                check(&proof).with_context(|| format!("position {number}: the proof does not hold"))?;
                (WIN, Some(serde_json::from_str::<Value>(&proof.to_json())?))
            }
            SolverVerdict::NoWin(_) => (NO_WIN, None),
            SolverVerdict::Unknown => (NOT_FOUND, None),
        };
        Ok(Some(json!({
            "position": number, "moves": self.positions[number], "verdict": verdict,
            "searched": space.to_string(), "nodes": nodes, "plies": deepest, "proof": proof,
        })))
    }

    /// Writes the lines of all shards into one file.
    ///
    /// # Errors
    /// A file cannot be read or written, or has changed, or `out` holds other lines.
    pub(super) fn merge(
        &self,
        manifests: &[ShardManifest],
        results: &Path,
        out: &Path,
    ) -> anyhow::Result<String> {
        let path = out.join(SOLUTIONS_FILE);
        line_files::merge(manifests, results, &path)?;
        Ok(format!("solutions in {}", path.display()))
    }
}
