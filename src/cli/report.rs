//! `kagetsu report`: a match as one page of HTML to look at.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::files::{ensure_is_no_input, ensure_page_can_be_written, file_of};
use super::output::{counted, print_line, remark};
use crate::arena::records::{GAMES_FILE, Records};
use crate::files::write_whole;
use crate::formats::point_names::Rows;
use crate::report::{Contents, page};

/// Options of `kagetsu report`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
The page needs no network and no other file. #game=3&ply=10 at the end of its address shows game 3 after ten
stones. A match that is still being played can be looked at as well.

Examples:
  kagetsu report my-match                  writes my-match/games.html
  kagetsu report a.jsonl b.jsonl -o both.html --title 'Both machines'")]
pub struct ReportOptions {
    /// games.jsonl as `kagetsu match --out` writes it, or its folder; several are combined
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Output file, or `-` for standard output [default: beside the first FILE, ending in .html]
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Heading of the page [default: the engines' names]
    #[arg(long, value_name = "TEXT")]
    pub title: Option<String>,
}

/// Reads the records and writes the page.
///
/// # Errors
/// Files that cannot be read, are not records or hold no game; a page that cannot be written.
pub fn run(options: &ReportOptions, rows: Rows) -> anyhow::Result<()> {
    let files: Vec<PathBuf> = options.files.iter().map(|file| records_file(file)).collect();
    let out = options.out.clone().unwrap_or_else(|| files[0].with_extension("html"));
    let page = file_of(Some(&out));
    if let Some(file) = page {
        ensure_page_can_be_written("--out", file)?;
    }
    ensure_is_no_input(&out, files.iter().map(PathBuf::as_path))?;
    let parts: Vec<Records> = files.iter().map(|file| Records::read(file)).collect::<anyhow::Result<_>>()?;
    let contents = contents(parts, rows).with_context(|| names_of(&files))?;
    write(&out, options.title.as_deref(), &contents)?;
    if let Some(file) = page {
        print_line(file.display())?;
    }
    Ok(())
}

/// The file of JSON lines in a folder of records; any other path is left as it is.
pub(super) fn records_file(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(GAMES_FILE) } else { path.to_owned() }
}

/// The files, as an error names them.
pub(super) fn names_of(files: &[PathBuf]) -> String {
    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// What the page of these matches shows.
///
/// # Errors
/// There is no game.
pub(super) fn contents(parts: Vec<Records>, rows: Rows) -> anyhow::Result<Contents> {
    Ok(Contents { rows_from_top: rows == Rows::FromTop, ..Contents::of(parts)? })
}

/// Writes the page.
///
/// # Errors
/// The system refuses.
pub(super) fn write(out: &Path, title: Option<&str>, contents: &Contents) -> anyhow::Result<()> {
    if contents.copies > 0 {
        remark(format_args!(
            "note: counted once: {} in more than one of the files",
            counted(contents.copies as u64, "game")
        ));
    }
    let title = title.map_or_else(|| default_title(contents), str::to_owned);
    let html = page(&title, contents)?;
    match file_of(Some(out)) {
        Some(file) => write_whole(file, html),
        None => std::io::stdout().lock().write_all(html.as_bytes()).context("writing the page"),
    }
}

fn default_title(contents: &Contents) -> String {
    const SHOWN: usize = 4;
    let names: Vec<&str> = contents.engines.iter().map(|engine| engine.name.as_str()).collect();
    match names.as_slice() {
        [first, second] => format!("{first} – {second}"),
        names if names.len() <= SHOWN => names.join(", "),
        names => format!("{} and {} more", names[..SHOWN - 1].join(", "), names.len() - SHOWN + 1),
    }
}
