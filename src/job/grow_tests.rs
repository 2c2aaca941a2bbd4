#![cfg(feature = "library")]

use super::super::build::Build;
use super::super::file::Job;
use super::super::merge::{Merging, merge};
use super::super::run::{ShardEnd, run_shard};
use super::super::work::Work;
use super::*;
use crate::board::{Size, Stones};
use crate::library::{Growth, GrowthOptions, Library};
use crate::rules::Rule;

const OPTIONS: GrowthOptions = GrowthOptions { nodes: 300, lines: 3, margin: 0.3, most_stones: 8 };
const MEMORY: u64 = 64 << 20;

fn root() -> Stones {
    moves::position("h8 i9 j8", Size::square(15)).unwrap()
}

/// A job for the next positions to be ranked, at most `most` of them.
fn round(library: &Path, most: usize, positions_per_shard: usize) -> Job {
    let library = Library::open_or_create(library).unwrap();
    let growth = Growth::new(&library, Rule::ALL[1], &root(), OPTIONS).unwrap();
    let work = GrowWork {
        root: position_text(&PositionKey::of(Rule::ALL[1], &root()).unwrap().key),
        positions: growth.frontier(most).iter().map(position_text).collect(),
        nodes: OPTIONS.nodes,
        lines: OPTIONS.lines,
        memory: MEMORY,
        positions_per_shard,
    };
    Job::new(Build::this(1), Work::Grow(work)).unwrap()
}

/// Runs these shards and enters their rankings into the library.
fn enter(job: &Job, shards: &[u32], folder: &Path, library: &Path) -> String {
    for &shard in shards {
        let ran = run_shard(job, shard, &folder.join("results"), &ShardEnvironment::of_the_job()).unwrap();
        assert!(matches!(ran, ShardEnd::Done(_)), "{ran:?}");
    }
    let how = Merging { library: Some(library), ..Merging::default() };
    merge(job, &folder.join("results"), &folder.join("out"), &how).unwrap()
}

#[test]
fn rounds_of_one_position_are_a_growth_at_home() {
    let home = Library::in_memory().unwrap();
    let mut growth = Growth::new(&home, Rule::ALL[1], &root(), OPTIONS).unwrap();
    let mut engine = Engine::new(1, MEMORY);
    let rounds = tempfile::tempdir().unwrap();
    let library = rounds.path().join("book.kgl");
    for _ in 0..4 {
        engine.new_game();
        growth.step(&mut engine, &Control::new()).unwrap().unwrap();
        let folder = tempfile::tempdir().unwrap();
        enter(&round(&library, 1, 1), &[0], folder.path(), &library);
    }
    assert_eq!(Library::open(&library).unwrap().contents(), home.contents());
}

#[test]
fn however_a_round_is_cut_the_book_is_the_same_and_grows_once() {
    let start = tempfile::tempdir().unwrap();
    let begun = start.path().join("book.kgl");
    enter(&round(&begun, 1, 1), &[0], start.path(), &begun);
    let mut books = Vec::new();
    for (positions_per_shard, order) in [(3, vec![0]), (1, vec![2, 0, 1])] {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path();
        let library = folder.join("book.kgl");
        std::fs::copy(&begun, &library).unwrap();
        let job = round(&library, 3, positions_per_shard);
        let said = enter(&job, &order, folder, &library);
        assert!(said.contains("3 positions entered") && said.contains("0 were there"), "{said}");
        let book = Library::open(&library).unwrap().contents();
        // Merging again changes nothing.
        let said = enter(&job, &[], folder, &library);
        assert!(said.contains("0 positions entered") && said.contains("3 were there"), "{said}");
        assert_eq!(Library::open(&library).unwrap().contents(), book);
        let ranked = std::fs::read(folder.join("out").join(RANKED_FILE)).unwrap();
        books.push((book, ranked));
        // The next round looks at other positions.
        let Work::Grow(next) = round(&library, 3, 1).work else { panic!("it is a growth") };
        let Work::Grow(last) = job.work else { panic!("it is a growth") };
        assert!(next.positions.iter().all(|position| !last.positions.contains(position)));
    }
    assert_eq!(books[0], books[1]);
}

#[test]
fn what_is_no_ranking_is_told() {
    let key = PositionKey::of(Rule::ALL[1], &root()).unwrap().key;
    let ranking = Ranking {
        nodes: 7,
        moves: [Some((-3, 5)), None].map(|worth| RankedMove { point: Point::new(0, 0), worth }).to_vec(),
    };
    let line = line_of(&position_text(&key), &ranking).to_string();
    assert_eq!(read_line(&line).unwrap(), (key.clone(), ranking));
    let stone = moves::letters(&[key.stones().next().unwrap().0], "");
    for (from, to) in
        [("a1", "a99"), ("a1", stone.as_str()), ("\"position\":\"", "\"position\":\"zz"), ("moves", "x")]
    {
        let error = read_line(&line.replacen(from, to, 1)).unwrap_err();
        assert!(format!("{error:#}").contains("not a ranking"), "{error:#}");
    }
}
