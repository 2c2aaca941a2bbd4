//! Training games, and what else the commands that use them have in common.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, ensure};

use super::ending::ensure_goes_on;
use super::files::ensure_is_no_input;
use super::output::{counted, remark};
use super::progress::live_line;
use crate::data::TrainingGame;
use crate::data::reading::{ReadReport, find, read_all};
use crate::job::build::sha256_of;
use crate::rules::Rule;

/// Reads the games of these shards and folders of shards, and says on standard error how many there are, because
/// reading them and turning them into positions may take minutes, and what is damaged.
///
/// # Errors
/// Files that cannot be read, are not shards, or hold the same games; damage to more than `max_damaged` percent of the
/// bytes; an interruption.
pub(super) fn read_games(
    paths: &[PathBuf],
    max_damaged: f64,
    interrupted: &AtomicBool,
) -> anyhow::Result<Vec<TrainingGame>> {
    let files = find(paths)?.len() as u64;
    remark(format_args!("reading the games of {}", counted(files, "file")));
    let bar = live_line(files);
    bar.set_message("files read");
    let mut games = Vec::new();
    let report = read_all(paths, |shard| {
        bar.inc(1);
        games.extend(shard.games);
        ensure_goes_on(interrupted, false)
    });
    bar.finish_and_clear();
    say_damage(&report?, max_damaged, "learns from")?;
    remark(format_args!("turning {} into positions", counted(games.len() as u64, "game")));
    Ok(games)
}

/// Makes sure that the weights are not written over the games that they are learned from. Call this before any work.
///
/// # Errors
/// The file is one of these shards or lies in one of these folders as a shard, or a path cannot be read.
pub(super) fn ensure_is_no_shard(file: &Path, paths: &[PathBuf]) -> anyhow::Result<()> {
    let shards = find(paths)?;
    ensure_is_no_input(file, shards.iter().map(PathBuf::as_path)).context("--out")
}

/// The training games as part of the identity of a run's checkpoint: their number, and a hash of their bytes in order.
pub(super) fn identity_of(games: &[TrainingGame]) -> String {
    let hash = sha256_of(games.iter().map(TrainingGame::to_bytes));
    format!("{} games, SHA-256 {hash}", games.len())
}

/// Says on standard error that the losses of a rule mean nothing.
pub(super) fn say_nothing_is_held_out(rule: Rule) {
    remark(format_args!("{rule}: none of so few games is held out, so its loss says nothing"));
}

/// A loss on held-out games, or a dash where there are none.
pub(super) fn held_out_loss(loss: Option<f32>) -> String {
    loss.map_or_else(|| "-".to_owned(), |loss| format!("{loss:.4}"))
}

/// Says on standard error which of the data is damaged. `does` says what the command would do with the rest under a
/// larger `max_damaged`.
///
/// # Errors
/// Damage to more than `max_damaged` percent of the bytes.
pub(super) fn say_damage(report: &ReadReport, max_damaged: f64, does: &str) -> anyhow::Result<()> {
    report.damaged.iter().for_each(remark);
    if report.damaged.is_empty() {
        return Ok(());
    }
    let percent = report.percent_left_out();
    let games = report.games;
    remark(format_args!("{percent:.2} % of the data is damaged and left out; {games} games are read"));
    ensure!(
        percent <= max_damaged,
        "more than {max_damaged} % of the data is damaged. The command that played the games plays what is \
         missing again; --max-damaged {:.0} {does} the rest",
        percent.ceil()
    );
    Ok(())
}

/// `1` or `0.5`: a percentage.
pub(super) fn parse_percent(text: &str) -> Result<f64, String> {
    let percent = text.parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
    percent.ok_or_else(|| "a number from 0 to 100".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::ending::Interrupted;
    use crate::data::reading::DamagedShard;
    use crate::data::record::Rest;
    use crate::data::record::game::Damage;
    use crate::data::record::tests::{game, header, shard_bytes};

    #[test]
    fn reading_games_can_be_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.kgr");
        std::fs::write(&path, shard_bytes(&header(1, 0), (0..3).map(game))).unwrap();
        let read =
            |is_interrupted| read_games(std::slice::from_ref(&path), 0.0, &AtomicBool::new(is_interrupted));
        assert_eq!(read(false).unwrap().len(), 3);
        assert!(read(true).unwrap_err().downcast_ref::<Interrupted>().is_some());
    }

    #[test]
    fn games_are_known_by_their_bytes_and_their_order() {
        let [a, b] = [1, 2].map(game);
        let both = identity_of(&[a.clone(), b.clone()]);
        assert!(both.starts_with("2 games"), "{both}");
        let mut other = b.clone();
        other.moves[5].score = Some(77);
        assert_ne!(both, identity_of(&[b, a.clone()]));
        assert_ne!(both, identity_of(&[a, other]));
    }

    #[test]
    fn damage_beyond_the_allowed_share_is_an_error() {
        let rest = Rest { bytes: 20, damage: Damage::Truncated };
        let shard = DamagedShard { path: "a.kgr".into(), games: 9, game_bytes: 900, rest };
        let report = ReadReport { shards: 1, games: 9, bytes: 1000, damaged: vec![shard] };
        assert!(say_damage(&report, 2.0, "rescores").is_ok());
        let error = say_damage(&report, 1.9, "rescores").unwrap_err().to_string();
        assert!(error.contains("--max-damaged 2 rescores the rest"), "{error}");
        assert!(say_damage(&ReadReport::default(), 0.0, "rescores").is_ok());
    }
}
