//! `kagetsu job show`: what a job does, and how far it has got.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::match_text::{duel_lines, table_of};
use super::output::counted;
use crate::job::Job;
use crate::job::job_state::JobState;
use crate::job::manifest::read_all;
use crate::job::matches::MatchState;

/// Shows the job with the results that are there, for people or as a line of JSON.
///
/// # Errors
/// A file that is not a job, results of another job, or a job that this build cannot count.
pub(super) fn show(
    path: &Path,
    results: Option<&Path>,
    as_json: bool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let job = Job::read(path)?;
    let manifests = results.map_or(Ok(Vec::new()), |results| read_all(&job, results))?;
    let state = JobState::of(&job, &manifests)?;
    let mut figures = state.figures()?;
    if as_json {
        figures["build"] = serde_json::to_value(&job.build)?;
        figures["files"] = json!(job.work.files());
        writeln!(out, "{figures}")?;
        return Ok(());
    }
    let shards = counted(job.shards.into(), "shard");
    writeln!(out, "job      {}, {}, in {shards}", job.name()?, job.work.kind())?;
    writeln!(out, "build    {}", job.build)?;
    writeln!(out, "done     {} of {shards}", figures["done"])?;
    if let Some(games) = state.games() {
        match_lines(games).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    }
    for name in ["games", "solve", "grow"] {
        for (key, value) in figures[name].as_object().into_iter().flatten() {
            writeln!(out, "{name:8} {key} {value}")?;
        }
    }
    print_values(&figures["spsa"], out)
}

/// The results of a match as `kagetsu match` prints them.
fn match_lines(games: &MatchState) -> Vec<String> {
    let (names, results) = (games.names(), games.results());
    let mut lines = match (names.as_slice(), results.as_slice()) {
        ([first, second], [(_, tally)]) => {
            let played = format!("{} of {}", tally.games(), counted(games.planned() as u64, "game"));
            duel_lines(first, second, &played, tally, games.test())
        }
        _ => vec![table_of(names, &results)],
    };
    if games.faults() > 0 {
        lines.push(format!("{} ended by a fault", counted(games.faults() as u64, "game")));
    }
    lines
}

/// The parameters that are tuned, one to a line.
fn print_values(figures: &Value, out: &mut impl Write) -> anyhow::Result<()> {
    if figures.is_null() {
        return Ok(());
    }
    writeln!(out, "spsa     {} of {} pairs", figures["pairs"], figures["planned"])?;
    for value in figures["named"].as_array().into_iter().flatten() {
        let name = value[0].as_str().unwrap_or_default();
        writeln!(out, "{name:26} {:8.1}", value[1].as_f64().unwrap_or_default())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_a_line_each() {
        let mut out = Vec::new();
        let figures = json!({ "pairs": 3, "planned": 9, "values": [1.25], "named": [["lmr_factor", 1.25]] });
        print_values(&figures, &mut out).unwrap();
        print_values(&Value::Null, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, format!("spsa     3 of 9 pairs\n{:26} {:>8}\n", "lmr_factor", "1.2"));
    }
}
