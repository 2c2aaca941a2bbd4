//! `kagetsu board`: a board in the browser.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use anyhow::Context;
use clap::Args;

use super::arguments::{DEFAULT_MEGABYTES, MEGABYTE};
use super::output::{print_line, remark};
use crate::engine::MAX_THREADS;
use crate::experience::{Learner, ensure_usable};
use crate::gui::server::{Server, ServerOptions, Timeouts, USUAL_PORT};
use crate::library::{LibraryAccess, own_book};

/// Options of the board.
#[derive(Args, Clone, Debug)]
pub struct BoardOptions {
    /// Port to listen on, 0 for any free one [default: 15150, or any free one if that is taken]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,

    /// Print the address, but do not open it in the browser
    #[arg(long)]
    pub no_open: bool,

    /// Let other machines in: listen on this address (0.0.0.0 for all), and print a link with a token that they need
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<IpAddr>,

    /// Memory for the engine of each page, in MB
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_MEGABYTES, value_parser = clap::value_parser!(u32).range(64..))]
    pub memory: u32,

    /// Maximum number of threads of a search [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub threads: Option<u16>,

    /// Library of positions to show beside the board, and to play from
    #[cfg(feature = "library")]
    #[arg(long, value_name = "FILE", conflicts_with = "own_book")]
    pub library: Option<PathBuf>,

    /// Show the engine's own book of the first moves beside the board, and play from it
    #[arg(long)]
    pub own_book: bool,

    /// Remember the games that Kagetsu loses at full strength in this file, and do not lose them again
    #[arg(long, value_name = "FILE")]
    pub experience_file: Option<PathBuf>,

    /// For work on the page: take its files from this folder, and what pages share from ../../page beside it
    #[arg(long, value_name = "FOLDER", hide = true)]
    pub assets: Option<PathBuf>,
}

/// Serves the board until its page or Ctrl-C ends it.
///
/// # Errors
/// The address is not available, or a file cannot be opened.
pub fn run(options: &BoardOptions) -> anyhow::Result<()> {
    let processors = || thread::available_parallelism().map_or(1, |count| count.get().min(MAX_THREADS));
    let library: Option<Arc<dyn LibraryAccess>> = options.own_book.then(own_book);
    #[cfg(feature = "library")]
    let library = match &options.library {
        Some(path) => {
            let library = crate::library::Library::open(path);
            let library = library.map_err(|error| super::library::naming(path, error.into()))?;
            Some(Arc::new(library) as Arc<dyn LibraryAccess>)
        }
        None => library,
    };
    if let Some(path) = &options.experience_file {
        ensure_usable(path).context("--experience-file")?;
    }
    let learner = options.experience_file.as_deref().map(Learner::open).transpose()?;
    let server = Server::bind(ServerOptions {
        listen: options.listen,
        port: options.port,
        memory: u64::from(options.memory) * MEGABYTE,
        threads: options.threads.map_or_else(processors, usize::from),
        assets: options.assets.clone(),
        library,
        learner: learner.map(Arc::new),
        timeouts: Timeouts::default(),
    });
    let server = server.with_context(|| match options.port {
        None | Some(0) => "no port to listen on".to_owned(),
        Some(port) => format!("listening on port {port}"),
    })?;
    print_line(server.address())?;
    if server.is_elsewhere() {
        remark(format_args!(
            "port {USUAL_PORT} is taken, perhaps by another board; games and settings of pages there are not seen here"
        ));
    }
    if !options.no_open
        && let Err(error) = open::that_detached(server.address())
    {
        remark(format_args!("open this address in a browser; none could be started: {error}"));
    }
    server.run().context("serving the board")
}
