//! `kagetsu samples`: positions out of recorded matches, to learn from.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;

use super::output::remark;
use super::report::records_file;
use crate::arena::duplicates::leave_out_copies;
use crate::arena::records::Records;
use crate::arena::samples::{SampleFormat, Sampler};

/// Options of `kagetsu samples`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
csv: stones, move and result, as in `h8i9,j8,2`; results are 0, 1 and 2 for loss, draw and win of the side to
move. bin and binpack are those of c-gomoku-cli; binpack holds whole games with scores. Games that were lost by a
fault are left out.

Examples:
  kagetsu samples my-match > positions.csv
  kagetsu samples my-match --format binpack | lz4 > games.binpack.lz4
  kagetsu samples my-match --lost-by new --frequency 0.25 -o losses.csv")]
pub struct SampleOptions {
    /// JSON lines that `kagetsu match --out` wrote, or its folder
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// csv, bin or binpack
    #[arg(long, value_name = "FORMAT", default_value = "csv")]
    pub format: SampleFormat,

    /// Share of the positions to take, 0 to 1; with binpack of the games
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    pub frequency: f64,

    /// Decides which are taken
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Only games that this engine lost
    #[arg(long, value_name = "NAME")]
    pub lost_by: Option<String>,

    /// Where they go [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Reads the records and writes the samples.
///
/// # Errors
/// Files that cannot be read or are no records, rules or boards that do not fit into the format, an output that
/// cannot be written.
pub fn run(options: &SampleOptions) -> anyhow::Result<()> {
    ensure!((0.0..=1.0).contains(&options.frequency), "--frequency lies between 0 and 1");
    // Read before the output is opened: a mistyped name must not leave an empty file.
    let mut records: Vec<Records> =
        options.files.iter().map(|file| Records::read(&records_file(file))).collect::<anyhow::Result<_>>()?;
    let copies = leave_out_copies(&mut records);
    if copies > 0 {
        remark(format_args!("note: {copies} games stand in more than one of the files and are taken once"));
    }
    let out: Box<dyn Write> = match &options.out {
        None => Box::new(std::io::stdout().lock()),
        Some(path) => Box::new(File::create(path).with_context(|| format!("writing {}", path.display()))?),
    };
    let mut sampler = Sampler::new(options.format, options.frequency, options.seed, BufWriter::new(out));
    let is_wanted = |loser: Option<&str>| options.lost_by.is_none() || loser == options.lost_by.as_deref();
    for game in records.iter().flat_map(|part| &part.games).filter(|game| is_wanted(game.loser())) {
        sampler.add(game)?;
    }
    let taken = sampler.finish()?;
    let what = if options.format == SampleFormat::Binpack { "games" } else { "positions" };
    remark(format_args!("{taken} {what}"));
    Ok(())
}
