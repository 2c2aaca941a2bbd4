//! `kagetsu library export`: a library for other programs.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};

use super::words::{board_names, nothing_of};
use crate::board::Size;
use crate::cli::arguments::parse_size;
use crate::cli::files::{ensure_is_no_input, ensure_text_can_be_written, file_of};
use crate::cli::output::remark;
use crate::files::write_whole_by;
use crate::library::{ExportCount, Library, LibraryError, PositionKey};
use crate::rules::Rule;

/// How a library is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OutputFormat {
    /// A library of RenLib: moves, marks, comments and labels, on 15x15
    Lib,
    /// Trees of games with everything in them
    Sgf,
    /// An object for each position, a line each, with everything in it
    Json,
    /// A table with everything in it
    Csv,
    /// A book that a build can contain: positions with scores, without anything else
    Book,
}

/// Options of `kagetsu library export`.
#[derive(Args, Clone, Debug)]
pub(super) struct ExportOptions {
    /// The library
    #[arg(value_name = "LIBRARY")]
    pub(super) library: PathBuf,

    /// Output format
    #[arg(long, value_enum)]
    format: OutputFormat,

    /// Export only positions of this rule; `lib` needs it if there are several
    #[arg(long, value_name = "RULE")]
    rule: Option<Rule>,

    /// Export only positions on this board: a side such as 15, or width and height such as 20x15
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    size: Option<Size>,

    /// Output file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes what the options ask for.
///
/// # Errors
/// A library that cannot be read or has nothing of what is asked for, more than the format can hold, a file that cannot
/// be written; once the rest is written, rows that mean nothing or cannot be read.
pub(super) fn run(options: &ExportOptions, mut out: impl Write) -> anyhow::Result<()> {
    let file = file_of(options.out.as_deref());
    if let Some(path) = file {
        ensure_text_can_be_written("--out", path)?;
        ensure_is_no_input(path, [options.library.as_path()])?;
    }
    let library = Library::open_to_read(&options.library)?;
    options.ensure_something_is_wanted(&library)?;
    let ExportCount { left_out: bad, is_cut, .. } = match file {
        Some(path) => write_whole_by(path, |file| options.write(&library, file))?,
        None => {
            let count = options.write(&library, &mut out)?;
            out.flush().context("writing the library")?;
            count
        }
    };
    ensure!(
        !is_cut,
        "{}: what its damaged pages held is missing; all else was exported",
        options.library.display()
    );
    ensure!(
        bad == 0,
        "{}: rows left out because they mean nothing: {bad}; `kagetsu library check` names them",
        options.library.display()
    );
    Ok(())
}

impl ExportOptions {
    /// # Errors
    /// The library has nothing of the rule and the board that are asked for.
    fn ensure_something_is_wanted(&self, library: &Library) -> anyhow::Result<()> {
        if self.rule.is_none() && self.size.is_none() {
            return Ok(());
        }
        // What can be read of a damaged library is exported all the same.
        let nothing = library.boards().ok().and_then(|boards| nothing_of(&boards, self.rule, self.size));
        match nothing {
            Some(nothing) => bail!("{} has {nothing}", self.library.display()),
            None => Ok(()),
        }
    }

    /// Writes the export; returns what of it was left out although the format has room for it.
    fn write(&self, library: &Library, out: &mut dyn Write) -> anyhow::Result<ExportCount> {
        let is_wanted = |rule: Rule, size: Size| {
            self.rule.is_none_or(|wanted| wanted == rule) && self.size.is_none_or(|wanted| wanted == size)
        };
        let is_wanted_key = |key: &PositionKey| is_wanted(key.rule(), key.size());
        let boards = || -> Result<Vec<(Rule, Size)>, LibraryError> {
            Ok(library.boards()?.into_iter().filter(|&(rule, size)| is_wanted(rule, size)).collect())
        };
        match self.format {
            OutputFormat::Json => return Ok(library.write_json_lines(out, is_wanted_key)?),
            OutputFormat::Csv => return Ok(library.write_csv(out, is_wanted_key)?),
            OutputFormat::Book => {
                let mut book = Vec::new();
                let count = library.write_book(&mut book, is_wanted_key)?;
                ensure!(
                    count.positions > 0,
                    "{}: no position has a score; `kagetsu library grow` lets the engine search some",
                    self.library.display()
                );
                out.write_all(&book)?;
            }
            OutputFormat::Sgf => {
                for (rule, size) in boards()? {
                    library.write_sgf(out, rule, size)?;
                }
            }
            OutputFormat::Lib => {
                let boards = boards()?;
                let names = board_names(&boards);
                ensure!(
                    boards.len() == 1,
                    "a file of RenLib has one rule and one board, but there are {}; choose with --rule and --size",
                    if names.is_empty() { "none" } else { &names }
                );
                let (rule, size) = boards[0];
                let count = library.write_renlib(out, rule, size)?;
                if count.left_out > 0 {
                    remark(format_args!("{} positions were left out: no moves lead there", count.left_out));
                }
            }
        }
        Ok(ExportCount::default())
    }
}
