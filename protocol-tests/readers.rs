//! Every reader of what others have written, fed with the corpus and with variations of it: bits flipped, parts
//! cut out, doubled and mixed. Nothing may panic.
//!
//! The variations are the same in every run; `KAGETSU_READER_INPUTS=100000` tries so many for each reader, and
//! `KAGETSU_SEED` others. libFuzzer, which learns from what the program does with its inputs, finds more:
//! `docs/soundness.md` says how it is run.

#[path = "harness/readers.rs"]
mod readers;

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use readers::{READERS, Reader};

/// Variations for each reader by default: a second or so in all.
const INPUTS: u64 = 400;

/// The reader of the protocol starts an engine for each input.
const PROTOCOL_SHARE: u64 = 20;

/// No input is worth more time, even where nothing is optimised.
const PATIENCE: Duration = Duration::from_secs(20);

/// No variation is longer.
const MOST_BYTES: usize = 1 << 16;

fn corpus(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/corpus").join(name);
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("it can be listed").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).expect("a file of the corpus can be read");
        (path, bytes)
    };
    paths.into_iter().map(read).collect()
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn readers_take_any_bytes() {
    let inputs = setting("KAGETSU_READER_INPUTS").unwrap_or(INPUTS);
    let seed = setting("KAGETSU_SEED").unwrap_or(1);
    let mut tried = 0;
    for (name, reader) in READERS {
        let corpus = corpus(name);
        assert!(!corpus.is_empty(), "no examples of {name}");
        for (path, bytes) in &corpus {
            feed(&path.display().to_string(), reader, bytes);
        }
        let examples: Vec<&[u8]> = corpus.iter().map(|(_, bytes)| bytes.as_slice()).collect();
        let count = if name == "protocol" { inputs / PROTOCOL_SHARE } else { inputs };
        for n in 0..count {
            let mut random = StdRng::seed_from_u64(seed.wrapping_mul(1 << 32).wrapping_add(n));
            feed(&format!("{name}, seed {seed}, variation {n}"), reader, &variation(&examples, &mut random));
        }
        tried += corpus.len() as u64 + count;
    }
    println!("soundness readers inputs={tried} readers={} failed=0", READERS.len());
}

/// What the fuzzer is built from is a package of its own, which the tests do not compile.
#[test]
fn every_reader_is_fuzzed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join("fuzz").is_dir() {
        // It is not part of the package of the source.
        return;
    }
    let read =
        |name: &str| fs::read_to_string(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (table, manifest) = (read("protocol-tests/harness/readers.rs"), read("fuzz/Cargo.toml"));
    for (name, _) in READERS {
        let (_, entry) = table.split_once(&format!("(\"{name}\", ")).expect("the table is written there");
        let (function, _) = entry.split_once(')').expect("entries end");
        let target = read(&format!("fuzz/fuzz_targets/{name}.rs"));
        assert!(target.contains(&format!("|bytes: &[u8]| readers::{function}(bytes)")), "{name}: {target}");
        assert!(
            manifest.contains(&format!("\nname = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\n")),
            "{name}"
        );
    }
    let targets = fs::read_dir(root.join("fuzz/fuzz_targets")).expect("it is there").count();
    assert_eq!(targets, READERS.len());
}

fn feed(what: &str, reader: Reader, bytes: &[u8]) {
    let start = Instant::now();
    if catch_unwind(|| reader(bytes)).is_err() {
        let folder = tempfile::TempDir::with_prefix("kagetsu-reader-").expect("a folder can be made");
        let file = folder.keep().join("input");
        fs::write(&file, bytes).expect("a file can be written");
        panic!("{what}: a reader panicked; its input is kept in {}", file.display());
    }
    let took = start.elapsed();
    assert!(took < PATIENCE, "{what}: {} ms for {} bytes", took.as_millis(), bytes.len());
}

/// One of the examples with a few things done to it.
fn variation(examples: &[&[u8]], random: &mut StdRng) -> Vec<u8> {
    const WORDS: [&[u8]; 16] = [
        b"0",
        b"-1",
        b"255",
        b"65536",
        b"4294967296",
        b"18446744073709551616",
        b"\0",
        b"\r\n",
        b"\"",
        b"[",
        b"]",
        b"(",
        b")",
        b"{}",
        b",",
        b"\xef\xbb\xbf",
    ];
    let mut bytes = examples.choose(random).expect("there are examples").to_vec();
    for _ in 0..random.random_range(1..6) {
        let at = random.random_range(0..=bytes.len());
        let end = (at + random.random_range(0..40)).min(bytes.len());
        match random.random_range(0..7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
            1 if at < bytes.len() => bytes[at] = random.random_range(0..=255),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let part = bytes[at..end].repeat(random.random_range(1..4));
                bytes.splice(at..at, part);
            }
            4 => drop(bytes.splice(at..end, WORDS.choose(random).expect("a list").iter().copied())),
            5 => {
                let other = examples.choose(random).expect("there are examples");
                let from = random.random_range(0..=other.len());
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
            _ => bytes.truncate(end.max(1)),
        }
        bytes.truncate(MOST_BYTES);
    }
    bytes
}
