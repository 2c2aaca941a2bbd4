//! Games to learn from, for the commands that learn.

use std::path::PathBuf;

use anyhow::ensure;

use super::output::remark;
use crate::data::TrainingGame;
use crate::data::reading::read_all;

/// Reads the games of these shards and folders of shards, and says on standard error what is damaged.
///
/// # Errors
/// Files that cannot be read, are no shards, or hold the same games; damage to more than `max_damaged` in a hundred of
/// the bytes.
pub(super) fn read_games(paths: &[PathBuf], max_damaged: f64) -> anyhow::Result<Vec<TrainingGame>> {
    let mut games = Vec::new();
    let report = read_all(paths, |shard| games.extend(shard.games))?;
    report.damaged.iter().for_each(remark);
    if !report.damaged.is_empty() {
        let percent = report.percent_left_out();
        let games = report.games;
        remark(format_args!("{percent:.2} % of the data is damaged and left out; {games} games are read"));
        ensure!(
            percent <= max_damaged,
            "more than {max_damaged} % of the data is damaged. The command that played the games plays what is \
             missing again; --max-damaged {:.0} learns from the rest",
            percent.ceil()
        );
    }
    Ok(games)
}

/// `1` or `0.5`: a share in a hundred.
pub(super) fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text.parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
    percent.ok_or_else(|| "a number from 0 to 100".to_owned())
}
