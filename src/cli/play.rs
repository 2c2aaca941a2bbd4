//! `kagetsu` without a subcommand: the protocol on standard input and output.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use super::arguments::{DEFAULT_MEGABYTES, MEGABYTE, seed_or_random};
use crate::engine::Engine;
use crate::engine::MAX_THREADS;
use crate::experience::ensure_usable;
use crate::formats::text::quoted;
use crate::levels::{Level, Style, Variety};
use crate::library::BookOptions;
use crate::protocol::{Database, Options, serve_with};

/// Options of the protocol mode.
#[derive(Args, Clone, Debug)]
pub struct PlayOptions {
    /// Search threads, until the manager says otherwise (INFO thread_num)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub threads: u16,

    /// Memory of the whole process in MB, until the manager says otherwise (INFO max_memory, INFO hash_size)
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_MEGABYTES, value_parser = clap::value_parser!(u32).range(32..))]
    pub memory: u32,

    /// Level to play at, by number or name as `kagetsu levels` lists them, or full, until the manager says otherwise
    /// (INFO strength, INFO level)
    #[arg(long, value_name = "N", default_value_t = Level::FULL)]
    pub level: Level,

    /// Choose at random among moves that give away at most this much expected score, in percent (a win is 100, a draw
    /// 50), in the first moves of a game (INFO variety)
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=i64::from(Variety::MOST)))]
    pub variety: u8,

    /// Seed of the random choices at weak levels and with --variety (INFO seed). With a seed, every game of the process
    /// makes the same choices, and with --variety one thread searches [default: random, and different for each game]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Remember lost games in this file, and do not lose them again. (INFO learn 1 remembers them in the folder that
    /// the manager names by INFO folder.)
    #[arg(long, value_name = "FILE", alias = "memory-file")]
    pub experience_file: Option<PathBuf>,

    /// Append commands, replies and errors to this file [default: the file that KAGETSU_LOG_FILE names]
    #[arg(long, value_name = "FILE")]
    pub log_file: Option<PathBuf>,

    /// Library of positions to play from where it knows a move; the database commands of Yixin-Board use it too
    #[cfg(feature = "library")]
    #[arg(long, value_name = "FILE", group = "any_book")]
    pub book: Option<PathBuf>,

    /// Play the first moves from the engine's own book as long as it knows the position (INFO own_book)
    #[arg(long, group = "any_book")]
    pub own_book: bool,

    /// Let the manager open and create libraries by name (YXSETDATABASE)
    #[cfg(feature = "library")]
    #[arg(long)]
    pub databases: bool,

    /// With a book: also play moves whose expected score is below that of the best by no more than this, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0, requires = "any_book", value_parser = clap::value_parser!(u8).range(0..=100))]
    pub book_variety: u8,

    /// With a book: seed of the choice between its moves; the same seed plays the same moves [default: random]
    #[arg(long, value_name = "N", requires = "any_book")]
    pub book_seed: Option<u64>,

    /// Switches that the program does not know
    #[arg(skip)]
    pub ignored: Vec<String>,

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

/// Replaces the built-in parameters and weights with those of the options.
#[cfg(feature = "tunable")]
fn try_out(options: &PlayOptions) -> anyhow::Result<()> {
    use crate::eval::hand_crafted::weights;
    use crate::eval::nnue;
    options.parameters.iter().try_for_each(|text| set_parameter(text))?;
    if let Some(path) = &options.weights {
        weights::replace(super::files::read_hand_crafted(path)?).map_err(anyhow::Error::msg)?;
    }
    if let Some(path) = &options.network {
        nnue::builtin::replace(&super::files::read_network(path)?).map_err(anyhow::Error::msg)?;
    }
    Ok(())
}

/// Sets a parameter of the search, given as `NAME=VALUE`.
#[cfg(feature = "tunable")]
fn set_parameter(text: &str) -> anyhow::Result<()> {
    use crate::search::params_by_name::{self, Parameter, TUNABLE};
    let (name, value) = text.split_once('=').with_context(|| format!("{text} is not NAME=VALUE"))?;
    let value = value.parse().with_context(|| format!("{value} is not a whole number"))?;
    let index = params_by_name::index_of(name).with_context(|| crate::tune::spsa::no_parameter(name))?;
    let Parameter { low, high, .. } = TUNABLE[index];
    let is_possible = (low..=high).contains(&value);
    anyhow::ensure!(is_possible, "{name} cannot be {value}: its values are {low} to {high}");
    params_by_name::set_default(name, value).map_err(anyhow::Error::msg)
}

/// Speaks the protocol until END or the end of the input.
///
/// # Errors
/// A log file, an experience file or a library that cannot be opened; a writer that fails for another reason than being
/// closed.
pub fn play(options: &PlayOptions) -> anyhow::Result<()> {
    let from_environment = || std::env::var_os("KAGETSU_LOG_FILE").filter(|name| !name.is_empty());
    let log_file = options.log_file.clone().or_else(|| from_environment().map(PathBuf::from));
    log_to(log_file.as_deref())?;
    for switch in &options.ignored {
        log::warn!("ignored: there is no option {}", quoted(switch));
    }
    #[cfg(feature = "tunable")]
    try_out(options)?;
    // Managers merge stderr into stdout, where the text of a panic would be taken for a reply.
    std::panic::set_hook(Box::new(|panic| {
        log::error!("{panic}\n{}", std::backtrace::Backtrace::capture());
    }));
    let style = Style {
        level: options.level,
        variety: Variety::percent(options.variety),
        seed: seed_or_random(options.seed),
        repeats: options.seed.is_some(),
    };
    let memory = u64::from(options.memory) * MEGABYTE;
    let experience_file = options.experience_file.clone();
    if let Some(path) = &experience_file {
        ensure_usable(path).context("--experience-file")?;
    }
    let database = database(options)?;
    let options = Options { threads: options.threads.into(), memory, style, experience_file };
    let engine = Engine::new(options.threads, options.memory);
    let input = BufReader::new(io::stdin());
    match serve_with(input, io::stdout().lock(), engine, options, database) {
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

/// The library of positions that the options name, or the engine's own book.
fn database(options: &PlayOptions) -> anyhow::Result<Database> {
    let mut database = Database::default();
    let variety = f64::from(options.book_variety) / 100.0;
    database.book = BookOptions { variety, seed: seed_or_random(options.book_seed) };
    open_libraries(options, &mut database)?;
    database.is_own_book_used = options.own_book;
    Ok(database)
}

#[cfg(feature = "library")]
fn open_libraries(options: &PlayOptions, database: &mut Database) -> anyhow::Result<()> {
    use std::sync::Arc;

    use crate::library::{Library, LibraryAccess};
    if options.databases {
        database.opener = Some(|path| Ok(Arc::new(Library::open_or_create(path)?) as Arc<dyn LibraryAccess>));
    }
    if let Some(path) = &options.book {
        let library = Library::open(path).map_err(|error| super::library::naming(path, error.into()))?;
        database.library = Some(Arc::new(library) as Arc<dyn LibraryAccess>);
        database.is_used = true;
    }
    Ok(())
}

#[cfg(not(feature = "library"))]
fn open_libraries(_: &PlayOptions, _: &mut Database) -> anyhow::Result<()> {
    Ok(())
}

/// Sends the log to a file if there is one, to stderr if `RUST_LOG` asks for it, and otherwise nowhere.
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

#[cfg(all(test, feature = "tunable"))]
mod tests {
    use super::*;

    #[test]
    fn parameters_have_ranges() {
        for (text, said) in [
            ("lmr_factor=99999999", "lmr_factor cannot be 99999999: its values are 400 to 2600"),
            ("lmr_factor=a", "a is not a whole number"),
            ("no_such=1", "there is no parameter no_such"),
        ] {
            assert_eq!(set_parameter(text).unwrap_err().to_string(), said);
        }
    }
}
