//! `kagetsu library grow`: a book that the engine writes.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::Args;

use super::new_library::open_or_create;
use super::place::PlaceOptions;
use crate::board::Stones;
use crate::cli::arguments::DEFAULT_MEGABYTES;
use crate::cli::ending::Interrupted;
use crate::cli::output::counted;
use crate::cli::progress::live_line;
use crate::engine::{Engine, MAX_THREADS};
use crate::eval::score::win_probability;
use crate::formats::duration::parse_duration;
use crate::formats::point_names::Rows;
use crate::library::{Growth, GrowthOptions, GrowthStep, Library};
use crate::rules::Rule;
use crate::search::Control;

/// Options of `kagetsu library grow`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
The engine searches one position after the other, always the one that matters most, and stores each result at once,\n\
so the next run goes on where this one ended. A run that is interrupted says how many --positions were left. Other\n\
programs may read the library meanwhile. Two runs on one library do not see what the other searches and repeat each\n\
other's work: `kagetsu job plan ... grow` divides it.")]
pub(super) struct GrowOptions {
    /// The library; it is created if it does not exist
    #[arg(value_name = "LIBRARY")]
    pub(super) library: PathBuf,

    #[command(flatten)]
    place: PlaceOptions,

    /// Number of positions to search
    #[arg(long, value_name = "N", default_value_t = 100)]
    positions: u64,

    /// Time, such as 10s or 10m, after which no other position is begun [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    time: Option<Duration>,

    #[command(flatten)]
    growth: GrowthChoices,

    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MAX_THREADS as i64))]
    threads: u32,
}

/// How a book grows, whether here or in a job.
#[derive(Args, Clone, Copy, Debug)]
pub struct GrowthChoices {
    /// Nodes for each position
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Number of moves to rank in each position
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..=20))]
    lines: u32,

    /// Follow moves whose expected score is below that of the best by no more than this, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=100))]
    margin: u32,

    /// Search positions of up to this many stones
    #[arg(long, value_name = "N", default_value_t = 12)]
    stones: usize,

    /// Memory of the engine in MB
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_MEGABYTES, value_parser = clap::value_parser!(u32).range(32..=1 << 20))]
    memory: u32,
}

impl GrowthChoices {
    /// The same options for the library.
    #[must_use]
    pub fn options(&self) -> GrowthOptions {
        GrowthOptions {
            nodes: self.nodes,
            lines: self.lines as usize,
            margin: f64::from(self.margin) / 100.0,
            most_stones: self.stones,
        }
    }

    /// Memory of the engine in bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        u64::from(self.memory) << 20
    }
}

/// Lets the book grow.
///
/// # Errors
/// A library that cannot be written or would stay empty, a position that cannot be read, Ctrl-C.
pub(super) fn run(options: &GrowOptions, rows: Rows, out: impl Write) -> anyhow::Result<()> {
    let (rule, root) = options.place.read(rows)?;
    open_or_create(&options.library, "nothing was searched", |library| {
        grow(options, library, rule, &root, out)
    })
}

fn grow(
    options: &GrowOptions,
    library: &Library,
    rule: Rule,
    root: &Stones,
    mut out: impl Write,
) -> anyhow::Result<()> {
    let mut growth = Growth::new(library, rule, root, options.growth.options())?;
    let control = Arc::new(Control::new());
    let stopped = Arc::clone(&control);
    // Setting the handler fails in a process that has one already, which does no harm.
    let _ = ctrlc::set_handler(move || stopped.stop());
    let mut engine = Engine::new(options.threads as usize, options.growth.memory());
    let started = Instant::now();
    let bar = live_line(options.positions);
    let mut last: Option<GrowthStep> = None;
    let (mut count, mut is_exhausted) = (0, false);
    while count < options.positions {
        if options.time.is_some_and(|time| started.elapsed() >= time) {
            break;
        }
        let Some(step) = growth.step(&mut engine, &control)? else {
            is_exhausted = true;
            break;
        };
        count += 1;
        bar.set_message(in_words(&step));
        bar.inc(1);
        last = Some(step);
    }
    bar.finish_and_clear();
    let is_interrupted = control.is_stopped() && count < options.positions;
    match last {
        Some(step) => writeln!(out, "{}, {}", counted(count, "more position"), in_words(&step)),
        None if is_interrupted => Ok(()),
        None if is_exhausted => writeln!(out, "nothing is left to search within --stones and --margin"),
        None => writeln!(out, "nothing was searched within --positions and --time"),
    }
    .context("writing what was done")?;
    out.flush().context("writing what was done")?;
    if is_interrupted { Err(interrupted(options.positions - count)) } else { Ok(()) }
}

/// What is said at Ctrl-C if there were so many positions left to search.
fn interrupted(left: u64) -> anyhow::Error {
    anyhow!("what was searched is kept; --positions {left} searches the rest")
        .context(Interrupted { goes_on: false })
}

fn in_words(step: &GrowthStep) -> String {
    let root =
        step.root.map(|score| format!(", the beginning is worth {:.0} %", 100.0 * win_probability(score)));
    format!("{} in all{}", step.searched, root.unwrap_or_default())
}
