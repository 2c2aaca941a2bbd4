//! `kagetsu completions` and `kagetsu man`: shell completions and manual pages, generated from the command line.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Command};
use clap_complete::Shell;

use crate::files::make_folder;

/// Options of `kagetsu completions`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
For bash, in a file that it reads at startup:\n  source <(kagetsu completions bash)")]
pub struct CompletionsOptions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Options of `kagetsu man`.
#[derive(Args, Clone, Debug)]
pub struct ManOptions {
    /// Folder for one page for each subcommand; without it, the page of the program goes to standard output
    #[arg(short, long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Writes the completion script of a shell.
///
/// # Errors
/// Standard output is closed.
pub(crate) fn complete(
    options: &CompletionsOptions,
    command: Command,
    mut out: impl Write,
) -> anyhow::Result<()> {
    let mut command = visible(command);
    // Written into memory first, because the crate treats a failing writer as a bug of its own.
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command, "kagetsu", &mut script);
    out.write_all(&script).context("writing the script")
}

/// The command without its hidden subcommands, which are for the program itself.
fn visible(command: Command) -> Command {
    let subcommands: Vec<Command> =
        command.get_subcommands().filter(|own| !own.is_hide_set()).cloned().collect();
    // Clap takes no subcommand out again, so what is to be kept goes into a new command.
    Command::new("kagetsu")
        .version(env!("CARGO_PKG_VERSION"))
        .args(command.get_arguments().cloned())
        .subcommands(subcommands)
}

/// Writes manual pages.
///
/// # Errors
/// A file that cannot be written.
pub(crate) fn man(options: &ManOptions, command: Command, mut out: impl Write) -> anyhow::Result<()> {
    match &options.out {
        Some(folder) => {
            make_folder(folder)?;
            let mut command = command.disable_help_subcommand(true);
            command.build();
            write_pages(&command, folder)
        }
        None => {
            let (_, page) = page(&command).context("writing the manual page")?;
            out.write_all(&page).context("writing the manual page")
        }
    }
}

/// Writes the pages of a command and of all below it.
fn write_pages(command: &Command, folder: &Path) -> anyhow::Result<()> {
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        write_pages(subcommand, folder)?;
    }
    let (name, page) = page(command).context("writing a manual page")?;
    let path = folder.join(name);
    fs::write(&path, page).with_context(|| format!("writing {}", path.display()))
}

/// The name of a page, and the page.
fn page(command: &Command) -> anyhow::Result<(String, Vec<u8>)> {
    // Subcommands have no version of their own, and the foot of their pages would name only them.
    let page = clap_mangen::Man::new(command.clone()).source(concat!("kagetsu ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render(&mut text)?;
    let text = with_notes(&String::from_utf8(text)?);
    Ok((page.get_filename(), with_values(&text, command).into_bytes()))
}

/// Gives a section its name that the crate calls EXTRA: statuses, explanations and examples. Its lines stay as they
/// are, because tables of options would lose their columns.
fn with_notes(page: &str) -> String {
    let Some((before, notes)) = page.split_once("\n.SH EXTRA\n") else { return page.to_owned() };
    let end = notes.find("\n.SH ").map_or(notes.len(), |at| at + 1);
    let (notes, after) = notes.split_at(end);
    format!("{before}\n.SH NOTES\n.nf\n{}\n.fi\n{after}", notes.trim_end_matches('\n'))
}

/// Names the values of options in the synopsis, as the crate does only further down.
fn with_values(page: &str, command: &Command) -> String {
    const SYNOPSIS: &str = "\n.SH SYNOPSIS\n";
    let Some(begin) = page.find(SYNOPSIS).map(|at| at + SYNOPSIS.len()) else { return page.to_owned() };
    let end = page[begin..].find("\n.SH ").map_or(page.len(), |at| begin + at);
    let mut synopsis = page[begin..end].to_owned();
    for option in command.get_arguments().filter(|option| option.get_action().takes_values()) {
        if let (Some(name), Some(values)) = (option.get_long(), option.get_value_names()) {
            let option = format!("\\fB\\-\\-{}\\fR", name.replace('-', "\\-"));
            synopsis = synopsis.replace(&option, &format!("{option} \\fI{}\\fR", values.join(" ")));
        }
    }
    format!("{}{synopsis}{}", &page[..begin], &page[end..])
}
