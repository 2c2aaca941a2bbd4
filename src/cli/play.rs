//! `kagetsu` without a subcommand: the protocol on standard input and output.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use crate::engine::Engine;
use crate::engine::MAX_THREADS;
use crate::protocol::{Options, serve};

/// Bytes in one of the `--memory` option's units.
const MEGABYTE: u64 = 1 << 20;

/// Options of the protocol mode.
#[derive(Args, Clone, Debug)]
pub struct PlayOptions {
    /// Search threads, until the manager says otherwise (INFO thread_num)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub threads: u16,

    /// Memory of the whole process in MB, until the manager says otherwise (INFO max_memory)
    #[arg(long, value_name = "MB", default_value_t = 350, value_parser = clap::value_parser!(u32).range(32..))]
    pub memory: u32,

    /// Append commands, replies and errors to this file [default: the file that KAGETSU_LOG_FILE names]
    #[arg(long, value_name = "FILE")]
    pub log_file: Option<PathBuf>,

    /// Set a parameter of the search, see src/search/params.rs
    #[cfg(feature = "tunable")]
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub parameters: Vec<String>,

    /// Weights of the hand-crafted evaluation to play with
    #[cfg(feature = "tunable")]
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,

    /// Networks to play with
    #[cfg(feature = "tunable")]
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
}

/// Replaces what the build has by what the options say.
#[cfg(feature = "tunable")]
fn try_out(options: &PlayOptions) -> anyhow::Result<()> {
    use crate::eval::hand_crafted::weights;
    use crate::eval::nnue;
    use crate::search::tuning;
    for text in &options.parameters {
        let (name, value) = text.split_once('=').with_context(|| format!("{text} is not NAME=VALUE"))?;
        let value = value.parse().with_context(|| format!("{value} is not a whole number"))?;
        tuning::set_default(name, value).map_err(anyhow::Error::msg)?;
    }
    if let Some(path) = &options.weights {
        let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        let all = weights::from_bytes(&bytes).context("this is no file of weights of this version")?;
        weights::replace(all).map_err(anyhow::Error::msg)?;
    }
    if let Some(path) = &options.network {
        nnue::builtin::replace(&super::files::read_network(path)?).map_err(anyhow::Error::msg)?;
    }
    Ok(())
}

/// Speaks the protocol until END or the end of the input.
///
/// # Errors
/// A log file that cannot be opened, a writer that fails in another way than being closed.
pub fn play(options: &PlayOptions) -> anyhow::Result<()> {
    let from_environment = || std::env::var_os("KAGETSU_LOG_FILE").filter(|name| !name.is_empty());
    let log_file = options.log_file.clone().or_else(|| from_environment().map(PathBuf::from));
    log_to(log_file.as_deref())?;
    #[cfg(feature = "tunable")]
    try_out(options)?;
    // Managers join stderr into stdout, where a panic's text would pass for a reply.
    std::panic::set_hook(Box::new(|panic| {
        log::error!("{panic}\n{}", std::backtrace::Backtrace::capture());
    }));
    let options = Options { threads: options.threads.into(), memory: u64::from(options.memory) * MEGABYTE };
    let engine = Engine::new(options.threads, options.memory);
    let input = BufReader::new(io::stdin());
    match serve(input, io::stdout().lock(), engine, options) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            log::info!("nobody reads the replies any more");
            Ok(())
        }
        Err(error) => {
            log::error!("the protocol broke off: {error}");
            Err(error).context("speaking the protocol")
        }
        Ok(()) => Ok(()),
    }
}

/// Sends the log to a file if there is one, to stderr if `RUST_LOG` asks for it, and else nowhere.
fn log_to(file: Option<&Path>) -> anyhow::Result<()> {
    let filter = std::env::var("RUST_LOG").ok().filter(|filter| !filter.is_empty());
    let mut builder = env_logger::Builder::new();
    builder.format_timestamp_millis().parse_filters(filter.as_deref().unwrap_or("info"));
    match file {
        Some(path) => {
            let open = OpenOptions::new().create(true).append(true).open(path);
            let file = open.with_context(|| format!("opening the log file {}", path.display()))?;
            let log = Log { file, to_stderr: filter.is_some() };
            builder.target(env_logger::Target::Pipe(Box::new(log)));
        }
        None if filter.is_some() => {}
        None => return Ok(()),
    }
    // Fails only if there is a logger already: then that one is used.
    let _ = builder.try_init();
    Ok(())
}

/// The log file, and stderr beside it if that was asked for too.
struct Log {
    file: File,
    to_stderr: bool,
}

impl Write for Log {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.file.write_all(text)?;
        if self.to_stderr {
            io::stderr().write_all(text)?;
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
