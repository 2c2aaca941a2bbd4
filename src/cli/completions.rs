//! `kagetsu completions` and `kagetsu man`: shell completions and manual pages, generated from the command line.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use clap_complete::Shell;

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
    mut command: clap::Command,
    mut out: impl Write,
) -> anyhow::Result<()> {
    // Written into memory first, because the crate treats a failing writer as a bug of its own.
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command, "kagetsu", &mut script);
    out.write_all(&script).context("writing the script")
}

/// Writes manual pages.
///
/// # Errors
/// A file that cannot be written.
pub(crate) fn man(options: &ManOptions, command: clap::Command, mut out: impl Write) -> anyhow::Result<()> {
    match &options.out {
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
            clap_mangen::generate_to(command, folder)
                .with_context(|| format!("writing manual pages into {}", folder.display()))
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page).context("writing the manual page")?;
            out.write_all(&page).context("writing the manual page")
        }
    }
}
