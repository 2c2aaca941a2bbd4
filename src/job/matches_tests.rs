use std::path::PathBuf;

use super::super::build::Build;
use super::super::file::Job;
use super::super::job_state::JobState;
use super::super::manifest::folder_of;
use super::super::merge::{Merging, merge};
use super::super::run::{ShardEnd, run_shard};
use super::super::work::Work;
use super::*;
use crate::arena::duplicates::leave_out_copies;
use crate::arena::match_play;
use crate::arena::spec::make_names_unique;
use crate::arena::sprt::SprtVerdict;
use crate::arena::standings::Standings;
use crate::arena::stop::Stop;
use crate::files::beside;

fn config(games: usize, limits: [&str; 2], sprt: Option<&str>) -> MatchConfig {
    let mut engines = limits.map(|limit| EngineSpec::parse(limit, &[]).unwrap()).to_vec();
    make_names_unique(&mut engines, &[false; 2]).unwrap();
    let book = Book::random(Rule::default(), Size::square(9), 4, 8, 1).unwrap();
    let sprt = sprt.map(|text| text.parse().unwrap());
    MatchConfig { games, seed: 1, sprt, ..MatchConfig::new(engines, book) }
}

fn job(config: &MatchConfig, pairs_per_shard: usize) -> Job {
    let work = MatchWork::of(config, pairs_per_shard).unwrap();
    Job::new(Build::this(1), Work::Match(Box::new(work))).unwrap()
}

/// A folder for the results of shards and one for what is merged from them, which end with the first.
fn places() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let [results, out] = ["results", "out"].map(|name| folder.path().join(name));
    (folder, results, out)
}

/// The games of the plain command, without what depends on time.
fn plain(config: &MatchConfig) -> Vec<GameRecord> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let config = MatchConfig { out: Some(out.clone()), ..config.clone() };
    match_play::run(&config, &MatchContext::default(), &Stop::new(), |_, _| {}).unwrap();
    let games = Records::read(&out.join(GAMES_FILE)).unwrap().games;
    games.into_iter().map(GameRecord::without_times).collect()
}

#[test]
fn shards_in_any_order_are_the_match_of_one_machine() {
    let config = config(10, ["nodes=120", "nodes=60"], None);
    let expected = plain(&config);
    let mut merged = Vec::new();
    for (pairs_per_shard, order) in [(5, vec![0]), (2, vec![2, 0, 2, 1]), (1, vec![4, 3, 1, 0, 2])] {
        let job = job(&config, pairs_per_shard);
        let (folder, results, out) = places();
        assert!(merge(&job, &folder.path().join("nothing"), &out, &Merging::default()).is_err());
        for (n, &shard) in order.iter().enumerate() {
            let ran = run_shard(&job, shard, &results, &ShardEnvironment::of_the_job()).unwrap();
            assert_eq!(matches!(ran, ShardEnd::DoneBefore(_)), order[..n].contains(&shard));
            if n == 0 && order.len() > 1 {
                let error = merge(&job, &results, &out, &Merging::default()).unwrap_err().to_string();
                assert!(error.contains("shards are missing: 0, "), "{error}");
            }
        }
        merge(&job, &results, &out, &Merging::default()).unwrap();
        assert_eq!(Records::read(&out.join(GAMES_FILE)).unwrap().games, expected);
        merged.push(std::fs::read(out.join(GAMES_FILE)).unwrap());
        // Merging again into the same folder gives the same result.
        merge(&job, &results, &out, &Merging::default()).unwrap();
        assert_eq!(std::fs::read(out.join(GAMES_FILE)).unwrap(), merged[0]);
    }
    assert!(merged.iter().all(|bytes| *bytes == merged[0]));
}

#[test]
fn a_test_is_decided_by_the_same_pair_everywhere() {
    let config = config(60, ["nodes=600", "nodes=2"], Some("-200,0"));
    let mut expected = plain(&config);
    // The worker may have begun another game before it heard that the test is decided.
    let mut standings = Standings::default();
    let decided = expected.iter().position(|game| {
        standings.add(game);
        config.sprt.unwrap().verdict(&standings.encounter((0, 1))) != SprtVerdict::Open
    });
    expected.truncate(decided.unwrap() + 1);
    assert!(expected.len() < 40 && expected.len().is_multiple_of(2), "{} games", expected.len());
    let job = job(&config, 2);
    let (_folder, results, out) = places();
    let needed = expected.len().div_ceil(4) as u32;
    // The last shards first, and two that will not be needed.
    for shard in (0..needed + 2).rev() {
        assert!(
            matches!(
                run_shard(&job, shard, &results, &ShardEnvironment::of_the_job()).unwrap(),
                ShardEnd::Done(_)
            ),
            "{shard}"
        );
        // What is entered now is left out later.
        if shard == needed + 1 {
            let partial = Merging { partial: true, ..Merging::default() };
            merge(&job, &results, &out, &partial).unwrap();
            assert_eq!(Records::read(&out.join(GAMES_FILE)).unwrap().games.len(), 4);
        }
    }
    // Now it is decided.
    assert_eq!(
        run_shard(&job, needed + 3, &results, &ShardEnvironment::of_the_job()).unwrap(),
        ShardEnd::NotNeeded
    );
    merge(&job, &results, &out, &Merging::default()).unwrap();
    assert_eq!(Records::read(&out.join(GAMES_FILE)).unwrap().games, expected);
    let manifests = super::super::manifest::read_all(&job, &results).unwrap();
    // What does not fit changes nothing, so the true manifest is counted as if it had come first.
    let mut state = JobState::new(&job);
    let mut strange = manifests[0].clone();
    let ShardOutcome::Match { games, .. } = &mut strange.outcome else { panic!("{strange:?}") };
    let again = games[0].0;
    for id in [999_999, again] {
        let ShardOutcome::Match { games, .. } = &mut strange.outcome else { panic!("{strange:?}") };
        games.last_mut().unwrap().0 = id;
        let error = state.add(&strange).unwrap_err().to_string();
        assert!(error.contains(&format!("no such game {id}")), "{error}");
    }
    manifests.iter().for_each(|manifest| assert!(state.add(manifest).unwrap()));
    let figures = state.figures().unwrap();
    assert_eq!((&figures["over"], &figures["match"]["sprt"]["verdict"]), (&json!(true), &json!("passed")));
    assert_eq!(figures["match"]["sprt"]["pairs"], json!(expected.len() / 2));
    assert_eq!(figures["match"]["sprt"]["alpha"], json!(config.sprt.unwrap().alpha));
    // Games beyond the decision were played, but do not count.
    let tally = &figures["match"]["encounters"][0];
    let counted = ["wins", "draws", "losses"].map(|what| tally[what].as_u64().unwrap());
    assert_eq!(counted.iter().sum::<u64>(), expected.len() as u64);
    assert_eq!(figures["match"]["games"], json!(expected.len()));
    let moves = |manifest: &ShardManifest| match manifest.outcome {
        ShardOutcome::Match { moves, .. } => moves,
        _ => panic!("{manifest:?}"),
    };
    let counted: usize = manifests[..needed as usize].iter().map(moves).sum();
    assert_eq!(figures["match"]["moves"], json!(counted));
}

/// Two of the openings are the same, and only the last one has more than one side.
#[test]
fn a_test_plans_no_game_twice() {
    let mut test = config(40, ["nodes=30", "nodes=20"], Some("0,1"));
    let [one, two] = ["e5", "e5d4"].map(|text| moves::read(text, test.size).unwrap());
    test.book = Book::of(vec![Vec::new(), one, Vec::new(), two], test.rule, test.size).unwrap();
    // Without repetition the first game of every pair begins on the empty board.
    for (repeat, pairs) in [(true, vec![0, 1, 3, 7, 11, 15]), (false, vec![0])] {
        let test = MatchConfig { repeat, ..test.clone() };
        let schedule = test.schedule();
        assert_eq!(schedule.iter().step_by(2).map(|game| game.pair).collect::<Vec<_>>(), pairs);
        let begins = |game: &GameRecord| (game.black, game.moves[..game.opening].to_vec());
        let expected: Vec<_> = plain(&test).iter().map(begins).collect();
        assert_eq!(expected.len(), 2 * pairs.len());
        let job = job(&test, 2);
        let (_folder, results, out) = places();
        (0..job.shards).for_each(|shard| {
            run_shard(&job, shard, &results, &ShardEnvironment::of_the_job()).unwrap();
        });
        merge(&job, &results, &out, &Merging::default()).unwrap();
        let merged = Records::read(&out.join(GAMES_FILE)).unwrap().games;
        assert_eq!(merged.iter().map(begins).collect::<Vec<_>>(), expected);
    }
}

#[test]
fn a_shard_goes_on_where_it_was_left() {
    let config = config(6, ["nodes=100", "nodes=50"], None);
    let job = job(&config, 3);
    let (_folder, results, out) = places();
    run_shard(&job, 0, &results, &ShardEnvironment::of_the_job()).unwrap();
    let shard = folder_of(&results, 0);
    let whole = std::fs::read(shard.join(GAMES_FILE)).unwrap();
    std::fs::remove_file(shard.join("done.json")).unwrap();
    std::fs::write(shard.join(GAMES_FILE), &whole[..whole.len() / 2]).unwrap();
    assert!(merge(&job, &results, &out, &Merging::default()).is_err());
    assert!(matches!(
        run_shard(&job, 0, &results, &ShardEnvironment::of_the_job()).unwrap(),
        ShardEnd::Done(_)
    ));
    let games = |bytes: &[u8]| -> Vec<GameRecord> {
        Records::parse(bytes).unwrap().games.into_iter().map(GameRecord::without_times).collect()
    };
    let again = std::fs::read(shard.join(GAMES_FILE)).unwrap();
    assert_eq!(games(&again), games(&whole));
    // A shard whose file was tampered with is not merged, and is done again.
    std::fs::write(shard.join(GAMES_FILE), &whole[..whole.len() / 2]).unwrap();
    let error = merge(&job, &results, &out, &Merging::default()).unwrap_err();
    assert!(format!("{error:#}").contains("has changed"), "{error:#}");
    assert!(!out.exists(), "a folder without a result is of no use");
    assert!(matches!(
        run_shard(&job, 0, &results, &ShardEnvironment::of_the_job()).unwrap(),
        ShardEnd::Done(_)
    ));
    // A run that is asked to end reports that it was interrupted.
    let ended = ShardEnvironment::of_the_job();
    ended.stop_request.interrupt();
    std::fs::remove_file(shard.join("done.json")).unwrap();
    std::fs::remove_file(shard.join(GAMES_FILE)).unwrap();
    assert_eq!(run_shard(&job, 0, &results, &ended).unwrap(), ShardEnd::Interrupted);
}

#[test]
fn a_merge_replaces_no_other_games() {
    let (folder, results, out) = places();
    let job_of = |games| job(&config(games, ["nodes=40", "nodes=20"], None), 1);
    let long = job_of(6);
    let partial = Merging { partial: true, keep_times: true, ..Merging::default() };
    for shard in 0..3 {
        run_shard(&long, shard, &results, &ShardEnvironment::of_the_job()).unwrap();
        merge(&long, &results, &out, &partial).unwrap();
    }
    // The times alone make no other games.
    merge(&long, &results, &out, &Merging::default()).unwrap();
    let path = out.join(GAMES_FILE);
    let before = std::fs::read(&path).unwrap();
    let refused = |job: &Job, results: &Path, why: &str| {
        let error = format!("{:#}", merge(job, results, &out, &Merging::default()).unwrap_err());
        assert!(error.contains(why), "{error}");
    };
    let (short, short_results) = (job_of(2), folder.path().join("short"));
    run_shard(&short, 0, &short_results, &ShardEnvironment::of_the_job()).unwrap();
    refused(&short, &short_results, "holds more games, such as game 2; choose another folder");
    // A runner is at work there. On Windows nobody else can read the file meanwhile.
    let run = || Recorder::open(&out, &config(6, ["nodes=40", "nodes=20"], None).header(), Copies::default());
    let runner = run();
    refused(&long, &results, "another match is being written to");
    drop(runner);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    // And no runner begins while the records are compared and replaced.
    let replacement = Replacement::begin(&out).unwrap();
    let mut other = replacement.before().unwrap();
    let error = run().unwrap_err().to_string();
    assert!(error.contains("another match is being written to"), "{error}");
    other.games[0].moves.pop();
    replacement.finish(&other.header.unwrap(), &other.games).unwrap();
    refused(&long, &results, "holds other games, such as game ");
    // The same where there are no records yet, and if nothing comes of it, nothing stays.
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let replacement = Replacement::begin(&empty).unwrap();
    assert!(Replacement::begin(&empty).is_err());
    drop(replacement);
    assert_eq!(empty.read_dir().unwrap().count(), 0);
}

#[test]
fn what_cannot_be_cut_is_refused() {
    let fatal = MatchConfig { faults_are_fatal: true, ..config(2, ["nodes=1", "nodes=1"], None) };
    assert!(MatchWork::of(&fatal, 1).is_err());
    let unlimited = config(2, ["threads=1", "nodes=1"], None);
    assert!(MatchWork::of(&unlimited, 1).is_err());
    let mut job = job(&config(4, ["nodes=1", "nodes=1"], None), 1);
    let Work::Match(work) = &mut job.work else { panic!("it is a match") };
    work.openings.swap(0, 1);
    let folder = tempfile::tempdir().unwrap();
    let error =
        run_shard(&job, 0, &folder.path().join("first"), &ShardEnvironment::of_the_job()).unwrap_err();
    assert!(error.to_string().contains("openings"), "{error}");
    assert!(run_shard(&job, 2, &folder.path().join("last"), &ShardEnvironment::of_the_job()).is_err());
}

#[test]
fn only_searches_of_one_thread_that_nodes_end_are_the_same_everywhere() {
    let is_timeless =
        |limit: &str| MatchWork::of(&config(2, [limit, "nodes=9"], None), 1).unwrap().is_timeless();
    assert!(is_timeless("nodes=9") && is_timeless("depth=2"));
    assert!(!is_timeless("nodes=9 turn=1") && !is_timeless("nodes=9 threads=2"));
    for refused in ["nodes=9 experiencefile=lost.txt", "cmd=./kagetsu nodes=9 dir=/tmp"] {
        let error = MatchWork::of(&config(2, [refused, "nodes=9"], None), 1).unwrap_err().to_string();
        assert!(error.starts_with("kagetsu"), "{error}");
    }
}

#[test]
fn the_name_of_a_job_does_not_tell_where_its_openings_were() {
    let name = |place: &str| {
        let config = config(2, ["nodes=1", "nodes=1"], None);
        job(&MatchConfig { book_name: place.to_owned(), ..config }, 1).name().unwrap()
    };
    assert_eq!(name("here/openings.txt"), name("/there/openings.txt"));
}

#[test]
fn records_that_are_damaged_before_anyone_counts_them_are_played_again() {
    let job = job(&config(4, ["nodes=40", "nodes=20"], None), 2);
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("results");
    let run = || run_shard(&job, 0, &results, &ShardEnvironment::of_the_job()).unwrap();
    let ShardEnd::Done(manifest) = run() else { panic!("nobody else is there") };
    let games = || Records::read(&folder_of(&results, 0).join(GAMES_FILE)).unwrap().games;
    let expected: Vec<_> = games().into_iter().map(GameRecord::without_times).collect();
    let path = folder_of(&results, 0).join(GAMES_FILE);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 50].fill(0);
    std::fs::write(&path, &bytes).unwrap();
    std::fs::remove_file(folder_of(&results, 0).join(MANIFEST_FILE)).unwrap();
    let ShardEnd::Done(again) = run() else { panic!("nobody else is there") };
    assert_eq!(games().into_iter().map(GameRecord::without_times).collect::<Vec<_>>(), expected);
    assert_eq!(again.outcome, manifest.outcome);
    assert_eq!(std::fs::read(beside(&path, ".damaged")).unwrap(), bytes);
}

#[test]
fn a_manifest_that_says_something_else_than_its_games_is_refused() {
    let config = config(4, ["nodes=40", "nodes=20"], None);
    let job = job(&config, 2);
    let (_folder, results, out) = places();
    run_shard(&job, 0, &results, &ShardEnvironment::of_the_job()).unwrap();
    let mut manifests = super::super::manifest::read_all(&job, &results).unwrap();
    let ShardOutcome::Match { games, .. } = &mut manifests[0].outcome else { panic!("it is a match") };
    games[0].1 ^= 2;
    let Work::Match(work) = &job.work else { panic!("it is a match") };
    std::fs::create_dir(&out).unwrap();
    let error = work.merge(&manifests, &results, &out, None, false).unwrap_err().to_string();
    assert!(error.ends_with("holds other games than done.json says; remove its folder"), "{error}");
}

#[test]
fn a_merged_match_is_a_copy_of_its_shards() {
    let config = config(4, ["nodes=40", "nodes=20"], None);
    let job = job(&config, 1);
    let (_folder, results, out) = places();
    (0..2).for_each(|shard| {
        run_shard(&job, shard, &results, &ShardEnvironment::of_the_job()).unwrap();
    });
    merge(&job, &results, &out, &Merging::default()).unwrap();
    // The times of the merged games were left out.
    let read = |folder: &Path| Records::read(&folder.join(GAMES_FILE)).unwrap();
    let mut parts = [read(&folder_of(&results, 0)), read(&folder_of(&results, 1)), read(&out)];
    assert_eq!(leave_out_copies(&mut parts), 4);
    // With a limit of time the same moves may well be those of another game.
    for part in &mut parts {
        *part = read(&out);
        part.header.as_mut().unwrap().engines[0].turn_ms = Some(1);
    }
    parts[1].games[0].moves[5].ms = Some(1.5);
    assert_eq!(leave_out_copies(&mut parts), 4 + 3);
}
