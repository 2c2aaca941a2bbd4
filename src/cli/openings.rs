//! `kagetsu openings`: balanced openings for matches, one a line.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::{Context, ensure};
use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};
use rayon::prelude::*;

use super::arguments::{cores, parse_size, parse_stones, seed_or_random};
use super::ending::{Interrupted, note_ctrl_c};
use super::files::{ensure_can_be_written, file_of};
use super::output::remark;
use super::overwriting::{BEGINNING, ensure_replaces_its_like};
use super::progress::live_line;
use crate::board::{Point, Size};
use crate::data::opening_generator::{Distinct, OpeningRecipe, balanced};
use crate::data::selfplay::rng_for;
use crate::engine::Engine;
use crate::eval::score::Score;
use crate::files::{beside, write_whole};
use crate::formats::opening_file::{self, OpeningFormat};
use crate::rules::Rule;

/// Bytes of the transposition table of an engine that judges openings.
const TABLE_BYTES: u64 = 4 << 20;
/// Openings made at once: enough for all cores, few enough that little is thrown away at the end.
const BATCH: u32 = 64;
/// Number of openings in a row without a new one after which none are left: a small board has only so many.
const PATIENCE: u32 = 512;
/// The ending of a book that is not complete and does not replace the one that is there.
const INCOMPLETE: &str = ".incomplete";

/// How an opening is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OpeningNotation {
    /// Offsets from the centre, as Gomocup, Piskvork and c-gomoku-cli read them: `-1,0, 2,3`
    Offset,
    /// Column and row from 0: `6,7 9,10`
    Absolute,
    /// Letter and number without spaces, c-gomoku-cli's other format: `g8j11`
    Pos,
}

/// Options of `kagetsu openings`.
#[derive(Args, Clone, Debug)]
pub struct OpeningsOptions {
    /// Rule under which the openings are balanced
    #[arg(long, value_name = "RULE", default_value_t)]
    pub rule: Rule,

    /// Board: a side such as 15, or width and height such as 20x15
    #[arg(long, value_name = "SIZE", default_value = "15", value_parser = parse_size)]
    pub size: Size,

    /// Number of openings; no two are the same, even rotated or mirrored
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub count: usize,

    /// The same seed gives the same openings [default: random]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Output file [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = OpeningNotation::Offset)]
    pub format: OpeningNotation,

    /// Number of random stones in an opening, from-to; the search may add one more
    #[arg(long, value_name = "N-N", value_parser = parse_stones, default_value = "3-7")]
    pub stones: (usize, usize),

    /// Keep an opening only if neither side is ahead by more than this many points; doubled after 64 attempts in vain
    #[arg(long, value_name = "POINTS", default_value_t = 50, value_parser = clap::value_parser!(Score).range(0..))]
    pub limit: Score,

    /// Nodes to search when judging an opening
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub nodes: u32,

    /// Searches to run at once [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Makes the openings and writes them.
///
/// # Errors
/// A file that cannot be written, a board that has too few openings, Ctrl-C.
pub fn run(options: &OpeningsOptions) -> anyhow::Result<()> {
    let out = file_of(options.out.as_deref());
    if let Some(path) = out {
        ensure_can_be_written("--out", path)?;
        ensure_replaces_its_like("--out", path, "openings", are_openings)?;
    }
    let seed = seed_or_random(options.seed);
    remark(format_args!("seed {seed}"));
    let stop = note_ctrl_c();
    let openings = make(options, seed, || stop.load(Relaxed))?;
    let is_complete = openings.len() == options.count;
    let is_interrupted = !is_complete && stop.load(Relaxed);
    if is_interrupted && openings.is_empty() {
        return Err(Interrupted { goes_on: false }).context("no opening was found yet");
    }
    let text: String =
        openings.iter().map(|opening| written(opening, options.size, options.format) + "\n").collect();
    // A book that is there may have taken hours, and matches go on only with the one that they began with.
    let out = out.map(|path| match is_complete || is_empty(path) {
        true => path.to_owned(),
        false => beside(path, INCOMPLETE),
    });
    let place = match &out {
        Some(path) => {
            write_whole(path, text)?;
            format!(" in {}", path.display())
        }
        None => {
            let mut out = std::io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("writing the openings")?;
            String::new()
        }
    };
    if is_interrupted {
        let found = format!("{} of {} openings written{place}", openings.len(), options.count);
        return Err(Interrupted { goes_on: false }).context(found);
    }
    ensure!(is_complete, "found only {} different openings, written{place}", openings.len());
    Ok(())
}

/// Whether nothing is lost if this is written to: an empty file or none, or a device.
fn is_empty(path: &Path) -> bool {
    path.metadata().map_or(true, |file| !file.is_file() || file.len() == 0)
}

/// Whether a file begins with openings in one of the formats that this command writes, by what it is made of: points
/// with letters, or pairs of numbers, and not both as in the samples of `kagetsu samples`.
fn are_openings(bytes: &[u8]) -> bool {
    let is_point = |word: &str| {
        let number = word.trim_start_matches('-');
        let digits = number.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        !digits.is_empty() && number.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    // The last line of a longer file may be cut.
    let is_cut = bytes.len() as u64 >= BEGINNING;
    let text = String::from_utf8_lossy(bytes);
    let whole = text.rsplit_once('\n').filter(|_| is_cut).map_or(&*text, |(whole, _)| whole);
    let is_opening = |line: &str| {
        let words: Vec<&str> = line.split([',', ' ', '\r']).filter(|word| !word.is_empty()).collect();
        let named = words.iter().filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic())).count();
        let fits = named == words.len() || named == 0 && words.len().is_multiple_of(2);
        fits && words.into_iter().all(is_point)
    };
    whole.lines().all(is_opening)
}

/// The openings that follow from the options and the seed, however many threads there are; fewer than were asked for if
/// the board has no more, or `is_stopped` says meanwhile that no more are wanted.
pub(super) fn make(
    options: &OpeningsOptions,
    seed: u64,
    is_stopped: impl Fn() -> bool + Sync,
) -> anyhow::Result<Vec<Vec<Point>>> {
    let OpeningsOptions { rule, size, count, limit, .. } = *options;
    let (least_stones, most_stones) = options.stones;
    let recipe = OpeningRecipe { least_stones, most_stones, limit, nodes: options.nodes.into() };
    let threads = options.threads.map_or_else(cores, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut distinct = Distinct::new(size);
    let mut openings = Vec::new();
    let bar = live_line(count as u64);
    bar.set_message("openings");
    let (mut first, mut in_vain) = (0, 0);
    while openings.len() < count && in_vain < PATIENCE {
        let (found, tried) = (openings.len(), AtomicUsize::new(0));
        let batch = batch(count - found, threads);
        let numbers = first..first + batch;
        let made: Vec<Option<Vec<Point>>> = pool.install(|| {
            let engine = || Engine::new(1, Engine::memory_for(1, TABLE_BYTES));
            let make = |engine: &mut Engine, number| {
                if is_stopped() {
                    return None;
                }
                engine.new_game();
                let opening = balanced(engine, rule, size, recipe, &mut rng_for(seed, number));
                // Nearly all are new; those that are not are taken back at the end of the batch.
                let tried = tried.fetch_add(1, Relaxed) + 1;
                bar.set_position((found + tried).min(count) as u64);
                Some(opening)
            };
            numbers.into_par_iter().map_init(engine, make).collect()
        });
        let is_complete = made.iter().all(Option::is_some);
        first += batch;
        openings.extend(made.into_iter().flatten().filter(|opening| distinct.insert(opening)));
        if !is_complete {
            break;
        }
        in_vain = if openings.len() > found { 0 } else { in_vain + batch };
    }
    bar.finish_and_clear();
    openings.truncate(count);
    Ok(openings)
}

/// How many openings are tried at once if so many are missing: enough for all threads.
fn batch(missing: usize, threads: usize) -> u32 {
    missing.max(threads).min(BATCH as usize) as u32
}

fn written(opening: &[Point], size: Size, format: OpeningNotation) -> String {
    let format = match format {
        OpeningNotation::Offset => OpeningFormat::Offset,
        OpeningNotation::Absolute => OpeningFormat::Absolute,
        OpeningNotation::Pos => OpeningFormat::Pos,
    };
    opening_file::line(opening, size, format)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(threads: u16) -> OpeningsOptions {
        OpeningsOptions {
            rule: Rule::Standard,
            size: Size::square(15),
            count: 20,
            seed: None,
            out: None,
            format: OpeningNotation::Offset,
            stones: (3, 5),
            limit: 100,
            nodes: 300,
            threads: Some(threads),
        }
    }

    #[test]
    fn openings_follow_from_the_seed_alone() {
        let made = |threads, seed| make(&options(threads), seed, || false).unwrap();
        let openings = made(1, 5);
        assert_eq!(openings.len(), 20);
        assert_eq!(made(3, 5), openings);
        assert_ne!(made(1, 6), openings);
        let mut distinct = Distinct::new(Size::square(15));
        assert!(openings.iter().all(|opening| distinct.insert(opening)));
    }

    #[test]
    fn any_number_of_openings_may_be_asked_for() {
        let all = OpeningsOptions { count: usize::MAX, ..options(1) };
        assert!(make(&all, 5, || true).unwrap().is_empty());
        assert_eq!([1, 40, 1 << 32].map(|missing| batch(missing, 2)), [2, 40, BATCH]);
    }

    #[test]
    fn openings_found_before_an_interruption_are_kept() {
        let asked = AtomicUsize::new(0);
        let openings = make(&options(1), 5, || asked.fetch_add(1, Relaxed) >= 7).unwrap();
        assert_eq!(openings, make(&options(1), 5, || false).unwrap()[..7]);
    }

    #[test]
    fn earlier_openings_are_replaced_and_nothing_else() {
        let size = Size::square(15);
        let opening = ["h8".parse().unwrap(), "a1".parse().unwrap()];
        for format in [OpeningNotation::Offset, OpeningNotation::Absolute, OpeningNotation::Pos] {
            let text = written(&opening, size, format) + "\n";
            assert!(are_openings((text.clone() + &text).as_bytes()), "{text}");
            assert!(are_openings(text.trim_end().as_bytes()), "{text}");
            let long = text.repeat(BEGINNING as usize / text.len()) + "1,2, cut off h";
            assert!(are_openings(long.as_bytes()), "{text}");
        }
        for other in [
            "notes",
            "h8i9\nsome words",
            "two lines\nof notes\n",
            "(;GM[4])",
            "Piskvorky 15x15, 11:11, 0\n8,8,0\n",
            "\0\u{1}",
            // Samples, and a table.
            "h8i9,j8,2\nh8i9j8,h10,0\n",
            "1,2,3\n4,5,6\n",
        ] {
            assert!(!are_openings(other.as_bytes()), "{other}");
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        std::fs::write(&path, "my notes").unwrap();
        let error = run(&OpeningsOptions { out: Some(path.clone()), ..options(1) }).unwrap_err().to_string();
        assert!(error.contains("would be overwritten, and it holds no openings"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "my notes");
    }

    #[test]
    fn a_board_that_runs_out_gives_what_it_has() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("few.txt");
        let few = OpeningsOptions {
            size: Size::square(5),
            count: 100,
            seed: Some(1),
            out: Some(path.clone()),
            stones: (1, 1),
            limit: 100_000,
            nodes: 1,
            ..options(1)
        };
        let said = run(&few).unwrap_err().to_string();
        let written = std::fs::read_to_string(&path).unwrap();
        let found = written.lines().count();
        let told = format!("found only {found} different openings, written in {}", path.display());
        assert_eq!(said, told);
        assert!(!written.is_empty());
        // What was found before is not replaced by less.
        let said = run(&few).unwrap_err().to_string();
        assert_eq!(said, told + INCOMPLETE);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), written);
        assert_eq!(std::fs::read_to_string(beside(&path, INCOMPLETE)).unwrap(), written);
    }

    #[test]
    fn openings_have_a_place_before_they_are_made() {
        let out = Some(PathBuf::from("/does/not/exist/openings.txt"));
        let error = run(&OpeningsOptions { count: usize::MAX, out, ..options(1) }).unwrap_err().to_string();
        assert!(error.contains("--out: /does/not/exist/openings.txt cannot be written"), "{error}");
    }

    #[test]
    fn formats_are_those_of_the_field() {
        let opening: Vec<Point> = ["h8", "a1", "o15"].map(|p| p.parse().unwrap()).into();
        let size = Size::square(15);
        assert_eq!(written(&opening, size, OpeningNotation::Offset), "0,0, -7,-7, 7,7");
        assert_eq!(written(&opening, size, OpeningNotation::Absolute), "7,7 0,0 14,14");
        assert_eq!(written(&opening, size, OpeningNotation::Pos), "h8a1o15");
        assert_eq!(written(&opening[..1], Size::square(20), OpeningNotation::Offset), "-3,-3");
    }
}
