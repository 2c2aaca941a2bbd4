//! `kagetsu data`: what is in training records.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::{Args, Subcommand};

use crate::data::record::{Ending, Header};
use crate::data::shards::{self, Union, read_all};
use crate::data::stat::{RuleStat, SCORE_STEPS, Stat, Wdl, step_start};
use crate::eval::score;
use crate::rules::Rule;

/// Options of `kagetsu data`.
#[derive(Args, Clone, Debug)]
pub struct DataOptions {
    /// What to do.
    #[command(subcommand)]
    pub command: DataCommand,
}

/// What can be done with training records.
#[derive(Clone, Debug, Subcommand)]
pub enum DataCommand {
    /// Count: games, results, lengths, scores, and how much is there twice
    Stat {
        /// Shards, or folders of shards
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Print the games as text, one a line
    Dump {
        /// Shard
        file: PathBuf,
    },
    /// Make sure that the shards are whole and can be put together: no two with the same games
    Check {
        /// Shards, or folders of shards
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

/// Does it and writes to `out`.
///
/// # Errors
/// Files that cannot be read or are no shards, shards with the same seed, and for `check` damaged ones.
pub fn run(options: &DataOptions, mut out: impl Write) -> anyhow::Result<()> {
    match &options.command {
        DataCommand::Stat { files } => stat(files, &mut out),
        DataCommand::Dump { file } => dump(file, &mut out),
        DataCommand::Check { files } => check(files, &mut out),
    }
}

fn dump(file: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let shard = shards::read(file)?;
    let Header { seed, shard: number, signature, settings, .. } = &shard.header;
    writeln!(out, "# seed={seed} shard={number} engine={signature} {settings}")?;
    for game in &shard.games {
        writeln!(out, "{game}")?;
    }
    if let Some(rest) = shard.rest {
        writeln!(out, "# {}; {} bytes are left out", rest.damage, rest.bytes)?;
    }
    out.flush().context("writing the games")
}

fn check(files: &[PathBuf], out: &mut impl Write) -> anyhow::Result<()> {
    let mut union = Union::default();
    let mut damaged = 0;
    for path in shards::find(files)? {
        let shard = shards::read(&path)?;
        union.add(&path, &shard.header)?;
        let name = path.display();
        match shard.rest {
            None => writeln!(out, "{name}: {} games", shard.games.len())?,
            Some(rest) => {
                damaged += 1;
                writeln!(out, "{name}: {} games; {}, {} bytes", shard.games.len(), rest.damage, rest.bytes)?;
            }
        }
    }
    ensure!(damaged == 0, "{damaged} shards are not whole");
    Ok(())
}

fn stat(files: &[PathBuf], out: &mut impl Write) -> anyhow::Result<()> {
    let mut stat = Stat::default();
    let (mut shards, mut left_out) = (0, 0);
    read_all(files, |_, shard| {
        shards += 1;
        left_out += shard.rest.map_or(0, |rest| rest.bytes);
        shard.games.iter().for_each(|game| stat.add(game));
    })?;
    let (games, searched) = (stat.game_count(), stat.searched_count());
    writeln!(out, "shards            {shards:>10}")?;
    if left_out > 0 {
        writeln!(out, "bytes left out    {left_out:>10}")?;
    }
    writeln!(out, "games             {games:>10}   {:.3} % twice", percent(stat.equal_games, games))?;
    let twice = percent(stat.equal_positions, searched);
    writeln!(out, "scored positions  {searched:>10}   {twice:.3} % twice")?;
    for rule in Rule::ALL {
        if let Some(of_rule) = stat.rules.get(&rule.gomocup_number()) {
            write_rule(rule, of_rule, out)?;
        }
    }
    out.flush().context("writing the figures")
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn write_rule(rule: Rule, stat: &RuleStat, out: &mut impl Write) -> anyhow::Result<()> {
    let games = stat.black.count();
    let sizes: Vec<String> =
        stat.sizes.iter().map(|((width, height), games)| format!("{width}x{height} {games}")).collect();
    writeln!(out, "\n{rule}: {games} games ({})", sizes.join(", "))?;
    let Wdl { wins, draws, losses } = stat.black;
    let [wins, draws, losses] = [wins, draws, losses].map(|n| percent(n, games));
    writeln!(out, "  Black wins {wins:.1} %, draws {draws:.1} %, loses {losses:.1} %")?;
    let endings = Ending::ALL.iter().zip(stat.endings).filter(|&(_, games)| games > 0);
    let endings: Vec<String> = endings.map(|(ending, games)| format!("{} {games}", ending.name())).collect();
    writeln!(out, "  ended by {}", endings.join(", "))?;
    let at = |share| stat.length_at(share);
    writeln!(
        out,
        "  moves: shortest {}, a quarter up to {}, half {}, three quarters {}, longest {}; mean {:.1}",
        at(0.0),
        at(0.25),
        at(0.5),
        at(0.75),
        at(1.0),
        stat.mean_length()
    )?;
    let RuleStat { moves, random, forced, scored, decided, .. } = stat;
    writeln!(
        out,
        "  {moves} moves after the opening: {random} random, {forced} forced; {scored} scores, {decided} decided"
    )?;
    writeln!(out, "  score of the mover    share  positions    wins  draws  losses  points  (foretold)")?;
    for (step, wdl) in stat.by_score.iter().enumerate().filter(|(_, wdl)| wdl.count() > 0) {
        let from = step_start(step);
        let range = match step {
            0 => format!("below {}", step_start(1)),
            step if step == SCORE_STEPS - 1 => format!("from {from}"),
            step => format!("{from} to {}", step_start(step + 1) - 1),
        };
        let count = wdl.count();
        let [wins, draws, losses] = [wdl.wins, wdl.draws, wdl.losses].map(|n| percent(n, count));
        let middle = (from + step_start(step + 1)) / 2;
        writeln!(
            out,
            "  {range:>18}  {:>5.1} %  {count:>9}  {wins:>5.1} %  {draws:>3.1} %  {losses:>5.1} %  {:>6.3}  ({:.3})",
            percent(count, *scored),
            wdl.share(),
            score::win_probability(middle),
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::record::tests::{game, header, shard_bytes};

    fn output(command: DataCommand) -> anyhow::Result<String> {
        let mut out = Vec::new();
        run(&DataOptions { command }, &mut out)?;
        Ok(String::from_utf8(out)?)
    }

    #[test]
    fn shards_are_shown_counted_and_checked() {
        let folder = std::env::temp_dir().join(format!("kagetsu-data-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let whole = shard_bytes(&header(1, 0), (0..10).map(game));
        let a = write("a.kgr", &whole);
        let b = write("b.kgr", &shard_bytes(&header(2, 0), (0..10).map(game)));
        let cut = write("c", &whole[..whole.len() - 1]);

        let text = output(DataCommand::Dump { file: cut.clone() }).unwrap();
        assert_eq!(text.lines().count(), 1 + 9 + 1);
        assert!(text.contains(&game(8).to_string()), "{text}");

        let both = vec![a.clone(), b];
        let text = output(DataCommand::Stat { files: both.clone() }).unwrap();
        // Another seed, but the same games: half of them are there twice.
        assert!(text.contains("50.000 % twice") && text.contains("renju: 4 games"), "{text}");
        assert_eq!(output(DataCommand::Stat { files: vec![folder.clone()] }).unwrap(), text);
        assert_eq!(output(DataCommand::Check { files: both }).unwrap().lines().count(), 2);

        // The same seed twice; a shard cut short.
        assert!(output(DataCommand::Stat { files: vec![a, cut.clone()] }).is_err());
        assert!(output(DataCommand::Check { files: vec![cut.clone()] }).is_err());
        assert!(output(DataCommand::Stat { files: vec![cut] }).unwrap().contains("bytes left out"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
