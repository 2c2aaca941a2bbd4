//! `kagetsu data`: what is in training records.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand};

use super::arguments::cores;
use super::bench::short_signature;
use super::ending::{Interrupted, ensure_goes_on, note_ctrl_c};
use super::output::remark;
use super::progress::live_line;
use super::training_data::{parse_percent, say_damage};
use crate::data::reading::{self, DamagedShard, Union, read_all};
use crate::data::record::{Ending, Header, Shard};
use crate::data::rescoring::{RescoreEffort, rescore_all, rescored_header};
use crate::data::stat::{RuleStat, SCORE_STEPS, Stat, Wdl, step_start};
use crate::data::writing::Writer;
use crate::eval::score;
use crate::formats::point_names::{PointNames, Rows};
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
    /// Show statistics: games, results, lengths, scores, and how much occurs twice
    Stat {
        /// Files of records, or folders of them
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Print the games as text, one a line; rows of points count from the bottom unless --rows says otherwise
    Dump {
        /// Files of records, or folders of them
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// Search every position again, with more nodes or a better engine, and write the games with the new scores;
    /// the same command resumes an interrupted run
    Rescore(RescoreOptions),
    /// Check that the files are intact and can be used together: no two hold the same games
    Check {
        /// Files of records, or folders of them
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

/// Options of `kagetsu data rescore`.
#[derive(Args, Clone, Debug)]
pub struct RescoreOptions {
    /// Files of records, or folders of them
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Folder for the games with new scores, other than that of the files
    #[arg(long, value_name = "FOLDER")]
    pub out: PathBuf,

    /// Nodes for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: u32,

    /// Games to search at once [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// How much of the data, in percent of its bytes, may be damaged; damaged data is left out and reported
    #[arg(long, value_name = "PERCENT", default_value = "1", value_parser = parse_percent)]
    pub max_damaged: f64,
}

/// Runs the subcommand and writes to `out`.
///
/// # Errors
/// Files that cannot be read or are not shards, shards with the same seed, damaged shards, whose readable part is
/// written first, and Ctrl-C.
pub(crate) fn run(options: &DataOptions, rows: Rows, mut out: impl Write) -> anyhow::Result<()> {
    match &options.command {
        DataCommand::Stat { files } => stat(files, &mut out),
        DataCommand::Dump { files } => dump(files, rows, &mut out),
        DataCommand::Check { files } => check(files, &mut out),
        DataCommand::Rescore(options) => rescore(options, &mut out),
    }
}

/// An error if anything is damaged.
fn must_be_whole(damaged: &[DamagedShard], files: usize) -> anyhow::Result<()> {
    if let Some(first) = damaged.first() {
        bail!("{} of {files} files are damaged: {first}", damaged.len());
    }
    Ok(())
}

fn dump(files: &[PathBuf], rows: Rows, out: &mut impl Write) -> anyhow::Result<()> {
    let mut damaged = Vec::new();
    let paths = reading::find(files)?;
    for path in &paths {
        let shard = match reading::read_or_damage(path)? {
            Ok(shard) => shard,
            Err(found) => {
                writeln!(out, "# {found}")?;
                damaged.push(found);
                continue;
            }
        };
        let Header { seed, shard: number, signature, settings, .. } = &shard.header;
        writeln!(out, "# seed={seed} file={number} engine={signature} {settings}")?;
        for game in &shard.games {
            let names = PointNames::of(game.size).with_rows(rows);
            writeln!(out, "{}", game.text(|point| names.name(point)))?;
        }
        if let Some(found) = DamagedShard::of(path, &shard) {
            writeln!(out, "# {found}")?;
            damaged.push(found);
        }
    }
    out.flush().context("writing the games")?;
    must_be_whole(&damaged, paths.len())
}

fn check(files: &[PathBuf], out: &mut impl Write) -> anyhow::Result<()> {
    let mut union = Union::default();
    let mut damaged = Vec::new();
    let paths = reading::find(files)?;
    for path in &paths {
        let found = match reading::read_or_damage(path)? {
            Ok(shard) => {
                union.add(path, &shard.header)?;
                let games = shard.games.len();
                DamagedShard::of(path, &shard).map_or(Ok(games), Err)
            }
            Err(found) => Err(found),
        };
        match found {
            Ok(games) => writeln!(out, "{}: {games} games", path.display())?,
            Err(found) => {
                writeln!(out, "{found}")?;
                damaged.push(found);
            }
        }
    }
    out.flush().context("writing what was found")?;
    must_be_whole(&damaged, paths.len())
}

fn rescore(options: &RescoreOptions, out: &mut impl Write) -> anyhow::Result<()> {
    let paths = reading::find(&options.files)?;
    let folder = options.out.canonicalize().ok();
    for path in &paths {
        let own = path.parent().and_then(|own| own.canonicalize().ok());
        ensure!(folder.is_none() || own != folder, "--out: {} lies there itself", path.display());
    }
    let stop = note_ctrl_c();
    // Checked before hours of work: what is left out now would be missing in everything made from the games.
    let report = read_all(&options.files, |_| ensure_goes_on(&stop, false))?;
    say_damage(&report, options.max_damaged, "rescores")?;
    let signature = short_signature()?;
    let threads = options.threads.map_or_else(cores, usize::from);
    let mut effort = RescoreEffort::default();
    for path in &paths {
        // What is damaged was told above.
        let Ok(shard) = reading::read_or_damage(path)? else { continue };
        let header = rescored_header(&shard.header, options.nodes, signature);
        let mut writer = Writer::from_shard(&options.out, header, shard.header.shard)?;
        writer.cut_off().iter().for_each(|damaged| remark(format_args!("{damaged}, and are searched again")));
        let there = count_there(writer.next(), &shard);
        let games = &shard.games[there..];
        let bar = live_line(games.len() as u64);
        effort.add(rescore_all(games, options.nodes, threads, &stop, |game| {
            bar.inc(1);
            writer.push(&game)
        })?);
        bar.finish_and_clear();
        let is_whole = writer.next() - shard.header.first() >= shard.games.len() as u32;
        ensure!(is_whole, Interrupted { goes_on: true });
        remark(format_args!("{}: {} games, {there} of them before", path.display(), shard.games.len()));
    }
    let RescoreEffort { games, positions, moved, compared, decided } = effort;
    // A run that resumes another does not know what that one has found.
    writeln!(out, "searched in this run")?;
    writeln!(out, "games      {games:>10}")?;
    writeln!(out, "positions  {positions:>10}")?;
    if compared > 0 {
        let mean = moved as f64 / compared as f64;
        writeln!(out, "moved by   {mean:>10.1}   points on average, over {compared} positions")?;
        writeln!(out, "wins found {decided:>10}   that the old scores missed")?;
    }
    Ok(())
}

/// How many games of a shard are written already if `next` is the first that is not. The writer may have gone on to
/// later shards that are there as well.
fn count_there(next: u32, shard: &Shard) -> usize {
    ((next - shard.header.first()) as usize).min(shard.games.len())
}

fn stat(files: &[PathBuf], out: &mut impl Write) -> anyhow::Result<()> {
    let mut stat = Stat::default();
    let report = read_all(files, |shard| {
        shard.games.iter().for_each(|game| stat.add(game));
        Ok(())
    })?;
    let (games, searched) = (stat.game_count(), stat.searched_count());
    writeln!(out, "files of records  {:>10}", report.shards)?;
    if !report.damaged.is_empty() {
        let (bytes, percent) = (report.bytes_left_out(), report.percent_left_out());
        writeln!(out, "bytes left out    {bytes:>10}   {percent:.3} %, in {} files", report.damaged.len())?;
    }
    writeln!(out, "games             {games:>10}   {:.3} % twice", percent(stat.equal_games, games))?;
    let twice = percent(stat.equal_positions, searched);
    writeln!(out, "scored positions  {searched:>10}   {twice:.3} % twice")?;
    for rule in Rule::ALL {
        if let Some(of_rule) = stat.rules.get(&rule.gomocup_number()) {
            write_rule(rule, of_rule, out)?;
        }
    }
    out.flush().context("writing the figures")?;
    must_be_whole(&report.damaged, report.shards)
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
    writeln!(out, "  score of the mover    share  positions    wins  draws  losses  points  (expected)")?;
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

    /// The output, and the error that follows it.
    fn output(command: DataCommand) -> (String, Option<String>) {
        let mut out = Vec::new();
        let result = run(&DataOptions { command }, Rows::FromTop, &mut out);
        (String::from_utf8(out).unwrap(), result.err().map(|error| error.to_string()))
    }

    #[test]
    fn games_are_shown_with_rows_from_either_edge() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rows.kgr");
        std::fs::write(&file, shard_bytes(&header(1, 0), [game(0)])).unwrap();
        let shown = |rows: Rows| {
            let mut out = Vec::new();
            let command = DataCommand::Dump { files: vec![file.clone()] };
            run(&DataOptions { command }, rows, &mut out).unwrap();
            String::from_utf8(out).unwrap().lines().nth(1).unwrap().to_owned()
        };
        let (top, bottom) = (shown(Rows::FromTop), shown(Rows::FromBottom));
        // Its first stone stands in the uppermost of 20 rows.
        assert!(top == game(0).to_string() && top.contains(" a1 b1 "), "{top}");
        assert_eq!(bottom.split_once(" a20 b20 ").unwrap().0, top.split_once(" a1 b1 ").unwrap().0);
    }

    #[test]
    fn what_is_damaged_is_not_rescored_without_a_word() {
        let folder = tempfile::tempdir().unwrap();
        let whole = shard_bytes(&header(1, 0), (0..10).map(game));
        let file = folder.path().join("cut.kgr");
        std::fs::write(&file, &whole[..whole.len() - 1]).unwrap();
        let (out, files) = (folder.path().join("better"), vec![file]);
        let options =
            RescoreOptions { files, out: out.clone(), nodes: 10, threads: Some(1), max_damaged: 1.0 };
        let error = output(DataCommand::Rescore(options)).1.expect("a tenth of the games is missing");
        assert!(error.contains("more than 1 % of the data is damaged"), "{error}");
        assert!(!out.exists());
    }

    #[test]
    fn shards_with_a_damaged_header_are_left_out() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path();
        std::fs::write(folder.join("a.kgr"), "").unwrap();
        std::fs::write(folder.join("b.kgr"), &shard_bytes(&header(1, 0), [])[..50]).unwrap();
        std::fs::write(folder.join("c.kgr"), shard_bytes(&header(1, 1), (10..20).map(game))).unwrap();
        let files = vec![folder.to_owned()];
        for command in [
            DataCommand::Stat { files: files.clone() },
            DataCommand::Dump { files: files.clone() },
            DataCommand::Check { files: files.clone() },
        ] {
            let (text, error) = output(command);
            assert!(text.contains("10 games") || text.lines().count() > 10, "{text}");
            let error = error.expect("two are damaged");
            assert!(
                error.contains("2 of 3 files are damaged") && error.contains("ends within its header"),
                "{error}"
            );
        }
        let out = folder.join("better");
        let rescored = |max_damaged| {
            let (files, out) = (files.clone(), out.clone());
            output(DataCommand::Rescore(RescoreOptions {
                files,
                out,
                nodes: 10,
                threads: Some(1),
                max_damaged,
            }))
            .1
        };
        // A file that ends within its header counts as a whole one.
        assert!(rescored(50.0).is_some_and(|error| error.contains("more than 50 %")));
        assert_eq!(rescored(67.0), None);
        assert_eq!(reading::find(&[out]).unwrap().len(), 1);
    }

    #[test]
    fn games_of_later_shards_are_not_counted() {
        let shard = Shard::from_bytes(&shard_bytes(&header(1, 0), (0..10).map(game))).unwrap();
        assert_eq!([0, 4, 10, 20].map(|next| count_there(next, &shard)), [0, 4, 10, 10]);
    }

    #[test]
    fn shards_are_shown_counted_and_checked() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let whole = shard_bytes(&header(1, 0), (0..10).map(game));
        let a = write("a.kgr", &whole);
        let b = write("b.kgr", &shard_bytes(&header(2, 0), (0..10).map(game)));
        let cut = write("c", &whole[..whole.len() - 1]);
        let both = vec![a.clone(), b];

        let (text, error) = output(DataCommand::Stat { files: both.clone() });
        // Another seed, but the same games: half of them are there twice.
        assert!(text.contains("50.000 % twice") && text.contains("renju: 4 games"), "{text}");
        assert_eq!(error, None);
        assert_eq!(output(DataCommand::Stat { files: vec![folder.to_owned()] }), (text, None));
        let (text, error) = output(DataCommand::Check { files: both });
        assert_eq!((text.lines().count(), error), (2, None));
        let (text, error) = output(DataCommand::Dump { files: vec![folder.to_owned()] });
        assert_eq!((text.lines().count(), error), (2 * (1 + 10), None));
        assert_eq!(text.lines().filter(|line| *line == game(8).to_string()).count(), 2);

        // The same seed twice.
        assert!(output(DataCommand::Stat { files: vec![a, cut.clone()] }).1.is_some());
        // The readable part of a truncated shard is shown, and then the damage is an error.
        let (text, error) = output(DataCommand::Dump { files: vec![cut.clone()] });
        assert_eq!(text.lines().count(), 1 + 9 + 1);
        let error = error.expect("the last game is cut short");
        assert!(
            error.contains("1 of 1 files are damaged") && error.contains("about one game, are left out"),
            "{error}"
        );
        for command in
            [DataCommand::Stat { files: vec![cut.clone()] }, DataCommand::Check { files: vec![cut] }]
        {
            let (text, found) = output(command);
            assert!(text.contains("left out") && found.as_ref() == Some(&error), "{text}{found:?}");
        }
    }
}
