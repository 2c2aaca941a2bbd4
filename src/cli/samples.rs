//! `kagetsu samples`: training positions from recorded matches.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;

use super::arguments::parse_share;
use super::files::{ensure_is_no_input, ensure_text_can_be_written, file_of};
use super::output::{counted, remark};
use super::report::{names_of, records_file};
use crate::arena::duplicates::leave_out_copies;
use crate::arena::records::Records;
use crate::arena::samples::Sampler;
use crate::files::write_whole_by;
use crate::formats::samples::SampleFormat;

/// Options of `kagetsu samples`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
csv: stones, move and result, as in `h8i9,j8,2`; results are 0, 1 and 2 for loss, draw and win of the side to
move. bin and binpack are the formats of c-gomoku-cli; binpack holds whole games with scores. Games that were lost
by a fault are left out.

Examples:
  kagetsu samples my-match > positions.csv
  kagetsu samples my-match --format binpack | lz4 > games.binpack.lz4
  kagetsu samples my-match --lost-by new --frequency 0.25 -o losses.csv")]
pub struct SampleOptions {
    /// games.jsonl as `kagetsu match --out` writes it, or its folder
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Output format: csv, bin or binpack
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    pub format: SampleFormat,

    /// Share of the positions to take, or with binpack of the games, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = parse_share::<f64>)]
    pub frequency: f64,

    /// Seed that decides which ones are taken
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Take only games that this engine lost
    #[arg(long, value_name = "NAME")]
    pub lost_by: Option<String>,

    /// Output file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Reads the records and writes the samples.
///
/// # Errors
/// Files that cannot be read or are not records, an engine that played in none of them, rules or boards that do not fit
/// into the format, an output that cannot be written.
pub fn run(options: &SampleOptions) -> anyhow::Result<()> {
    let files: Vec<PathBuf> = options.files.iter().map(|file| records_file(file)).collect();
    let out = file_of(options.out.as_deref());
    if let Some(out) = out {
        ensure_text_can_be_written("--out", out)?;
        ensure_is_no_input(out, files.iter().map(PathBuf::as_path))?;
    }
    // Read before the output is opened: a mistyped name must not leave an empty file.
    let mut records: Vec<Records> =
        files.iter().map(|file| Records::read(file)).collect::<anyhow::Result<_>>()?;
    let is_any = records.iter().any(|part| !part.games.is_empty());
    ensure!(is_any, "{}: there is no finished game yet", names_of(&files));
    if let Some(name) = &options.lost_by {
        ensure_played(name, &records)?;
    }
    let copies = leave_out_copies(&mut records);
    if copies > 0 {
        let games = counted(copies as u64, "game");
        remark(format_args!("note: taken once: {games} in more than one of the files"));
    }
    let is_wanted = |loser: Option<&str>| options.lost_by.is_none() || loser == options.lost_by.as_deref();
    let write = |out: &mut dyn Write| {
        let mut sampler = Sampler::new(options.format, options.frequency, options.seed, out);
        for (part, file) in records.iter().zip(&files) {
            let swap2 = part.header.as_ref().is_some_and(|header| header.swap2);
            for game in part.games.iter().filter(|game| is_wanted(game.loser())) {
                sampler.add(game, swap2).with_context(|| format!("taking samples of {}", file.display()))?;
            }
        }
        sampler.finish()
    };
    let taken = match out {
        None => write(&mut BufWriter::new(std::io::stdout().lock()))?,
        Some(path) => write_whole_by(path, write)?,
    };
    let what = if options.format == SampleFormat::Binpack { "game" } else { "position" };
    remark(counted(taken, what));
    Ok(())
}

/// Makes sure that an engine of this name played: a mistyped name would give no losses and no error.
fn ensure_played(name: &str, records: &[Records]) -> anyhow::Result<()> {
    let mut known = BTreeSet::new();
    for part in records {
        known
            .extend(part.header.iter().flat_map(|header| &header.engines).map(|engine| engine.name.as_str()));
        known.extend(part.games.iter().flat_map(|game| [game.names.0.as_str(), game.names.1.as_str()]));
    }
    let names = || known.iter().copied().collect::<Vec<&str>>().join(", ");
    ensure!(known.contains(name), "--lost-by: `{name}` did not play here; the engines are {}", names());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::outcome::{GameResult, Reason};
    use crate::arena::records::{GameRecord, MoveRecord, RecordLine};

    fn options(file: PathBuf, lost_by: Option<&str>) -> SampleOptions {
        SampleOptions {
            out: Some(file.with_extension("csv")),
            files: vec![file],
            format: SampleFormat::Csv,
            frequency: 1.0,
            seed: 1,
            lost_by: lost_by.map(str::to_owned),
        }
    }

    #[test]
    fn mistakes_are_told() {
        let thought = |at: &str| MoveRecord { at: at.to_owned(), ms: Some(1.0), ..MoveRecord::default() };
        let game = GameRecord {
            id: 0,
            pair: 0,
            engines: (0, 1),
            black: 0,
            names: ("new".to_owned(), "old".to_owned()),
            rule: "freestyle".to_owned(),
            size: (15, 15),
            opening: 0,
            moves: vec![thought("h8")],
            result: GameResult::Black,
            reason: Reason::Line,
            duration_ms: 1,
            overhead_ms: None,
        };
        let line = |game: &GameRecord| {
            serde_json::to_string(&RecordLine::Game(Box::new(game.clone()))).unwrap() + "\n"
        };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("samples.jsonl");
        let csv = file.with_extension("csv");
        std::fs::write(&file, line(&game)).unwrap();
        let error = run(&options(file.clone(), Some("nwe"))).unwrap_err().to_string();
        assert!(error.contains("`nwe` did not play here; the engines are new, old"), "{error}");
        assert!(!csv.exists());
        for (lost_by, expected) in [(None, "h8"), (Some("old"), "h8"), (Some("new"), "")] {
            run(&options(file.clone(), lost_by)).unwrap();
            let written = std::fs::read_to_string(&csv).unwrap();
            assert_eq!(written.contains("h8"), !expected.is_empty(), "{lost_by:?}: {written}");
        }
        // The records are named if they are damaged, and not only the output.
        std::fs::write(&file, line(&GameRecord { moves: vec![thought("z99")], ..game })).unwrap();
        let error = format!("{:#}", run(&options(file.clone(), None)).unwrap_err());
        assert!(error.contains(&format!("taking samples of {}: game 0", file.display())), "{error}");
    }
}
