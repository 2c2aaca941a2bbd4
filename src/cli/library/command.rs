//! Chooses the subcommand of `kagetsu library`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{bail, ensure};
use clap::{Args, Subcommand};

use super::edit::{self, EditOptions};
use super::export::{self, ExportOptions};
use super::grow::{self, GrowOptions};
use super::import::{self, ImportArguments};
use super::query::{self, QueryOptions};
use super::words::{board_names, naming};
use crate::cli::output::counted;
use crate::formats::point_names::Rows;
use crate::formats::text::printable;
use crate::library::Library;

/// Options of `kagetsu library`.
#[derive(Args, Clone, Debug)]
pub(crate) struct LibraryOptions {
    #[command(subcommand)]
    command: LibraryCommand,
}

/// What can be done with a library.
#[derive(Clone, Debug, Subcommand)]
enum LibraryCommand {
    /// Create an empty library
    Create {
        /// The file
        #[arg(value_name = "LIBRARY")]
        library: PathBuf,
    },
    /// Import games and other programs' files: SGF, PSQ, PGN, RenLib, YXDB, match and training records, JSON, CSV
    Import(ImportArguments),
    /// Export a library for other programs: RenLib, SGF, JSON, CSV
    Export(ExportOptions),
    /// Show what is known about a position and its moves
    Query(QueryOptions),
    /// Change what a library says about a position, or let the solver prove a win
    Edit(EditOptions),
    /// Grow a book: let the engine search the positions that matter most
    Grow(GrowOptions),
    /// Count the contents of a library
    Stat {
        /// The file
        #[arg(value_name = "LIBRARY")]
        library: PathBuf,
    },
    /// Check that a library is intact
    Check {
        /// The file
        #[arg(value_name = "LIBRARY")]
        library: PathBuf,
    },
}

impl LibraryCommand {
    /// The library that the subcommand works on.
    fn library(&self) -> &Path {
        match self {
            LibraryCommand::Create { library }
            | LibraryCommand::Stat { library }
            | LibraryCommand::Check { library } => library,
            LibraryCommand::Import(options) => &options.library,
            LibraryCommand::Export(options) => &options.library,
            LibraryCommand::Query(options) => &options.library,
            LibraryCommand::Edit(options) => &options.library,
            LibraryCommand::Grow(options) => &options.library,
        }
    }
}

/// Runs the subcommand.
///
/// # Errors
/// A library or file that cannot be read or written, Ctrl-C.
pub(crate) fn run(options: &LibraryOptions, rows: Rows, out: impl Write) -> anyhow::Result<()> {
    carry_out(options, rows, out).map_err(|error| naming(options.command.library(), error))
}

fn carry_out(options: &LibraryOptions, rows: Rows, mut out: impl Write) -> anyhow::Result<()> {
    match &options.command {
        LibraryCommand::Create { library } => {
            ensure!(!library.exists(), "{} exists already", library.display());
            Library::open_or_create(library)?;
            Ok(())
        }
        LibraryCommand::Import(options) => import::run(options, out),
        LibraryCommand::Export(options) => export::run(options, out),
        LibraryCommand::Query(options) => query::run(options, rows, out),
        LibraryCommand::Edit(options) => edit::run(options, rows),
        LibraryCommand::Grow(options) => grow::run(options, rows, out),
        LibraryCommand::Stat { library } => stat(&Library::open_to_read(library)?, &mut out),
        LibraryCommand::Check { library } => {
            let found = Library::open(library)?.check()?;
            found.iter().try_for_each(|line| writeln!(out, "{}", printable(line)))?;
            if found.is_empty() {
                writeln!(out, "{} is intact", library.display())?;
                return Ok(());
            }
            bail!("{} is damaged; export what can be read as json or csv, or use a copy", library.display());
        }
    }
}

fn stat(library: &Library, out: &mut impl Write) -> anyhow::Result<()> {
    let count = library.count()?;
    writeln!(out, "positions  {:>10}", count.positions)?;
    writeln!(out, "played     {:>10}", count.played)?;
    writeln!(out, "scored     {:>10}", count.scored)?;
    writeln!(out, "decided    {:>10}", count.decided)?;
    writeln!(out, "commented  {:>10}", count.commented)?;
    if let Ok(file) = library.path().metadata() {
        writeln!(out, "bytes      {:>10}", file.len())?;
    }
    let boards = library.boards()?;
    if !boards.is_empty() {
        writeln!(out, "boards     {}", board_names(&boards))?;
    }
    for source in library.sources()? {
        writeln!(
            out,
            "from {}: {}, {}",
            printable(&source.name),
            counted(source.games, "game"),
            counted(source.positions, "position")
        )?;
    }
    out.flush()?;
    Ok(())
}
