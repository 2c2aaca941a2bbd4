//! `kagetsu completions` and `kagetsu man`: what shells and manuals know of the command line, made from it.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use clap_complete::Shell;

/// Options of `kagetsu completions`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
For bash, in a file that it reads at its start:\n  source <(kagetsu completions bash)")]
pub struct CompletionsOptions {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Options of `kagetsu man`.
#[derive(Args, Clone, Debug)]
pub struct ManOptions {
    /// Folder for a page of each subcommand; without it, the page of the program goes to standard output
    #[arg(short, long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

/// Writes the script that teaches a shell to complete words.
///
/// # Errors
/// Standard output is closed.
pub(crate) fn complete(
    options: &CompletionsOptions,
    mut command: clap::Command,
    mut out: impl Write,
) -> anyhow::Result<()> {
    // Into memory first, since the crate takes a writer that fails for a mistake of its own.
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
