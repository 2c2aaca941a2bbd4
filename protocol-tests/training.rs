//! From games of self-play to the file of a network, as a user comes to it.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use kagetsu::data::Shard;
use kagetsu::eval::hand_crafted::weights::{self, ColorWeights};
use kagetsu::eval::nnue::NnueWeights;
use kagetsu::{Color, Rule};
use tempfile::TempDir;

fn kagetsu(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kagetsu")).args(arguments).output().expect("the program starts")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

#[test]
fn games_become_a_network_whatever_the_threads() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let games = folder.path().join("games");
    let rules = ["--rule", "freestyle", "--rule", "renju", "--size", "9"];
    let play = ["selfplay", "--out", text(&games), "--seed", "1", "--games", "96", "--nodes", "60"];
    let played = kagetsu(&[&play[..], &rules].concat());
    assert!(played.status.success(), "{played:?}");
    let train = |name: &str, threads: &str, more: &[&str]| {
        let file = games.join(name);
        let epochs = ["--epochs", "1", "--layer-epochs", "1", "--threads", threads];
        let options = ["train", "--data", text(&games), "--out", text(&file)];
        let trained = kagetsu(&[&options[..], &epochs, more].concat());
        assert!(trained.status.success(), "{trained:?}");
        let told = String::from_utf8(trained.stdout).expect("it speaks UTF-8");
        // Below each rule, its positions by the number of stones; there are some with few stones.
        let starts = told.lines().filter_map(|line| line.split_whitespace().next());
        let starts: Vec<&str> = starts.filter(|start| !matches!(*start, "16-31" | "32-47" | "48+")).collect();
        assert_eq!(starts, ["freestyle", "0-15", "renju", "0-15"], "{told}");
        std::fs::read(&file).expect("the file was written")
    };
    let bytes = train("one.bin", "1", &[]);
    let weights = NnueWeights::from_bytes(&bytes).expect("it is a file of networks");
    // A head for each bucket, in renju for each colour besides; of the other rules there were no games.
    assert_eq!(weights.heads.each_ref().map(Vec::len), [4, 0, 8, 0, 0]);
    assert_eq!(train("three.bin", "3", &[]), bytes);
    // So little is learned at such a rate that rounding hides it.
    let first = games.join("one.bin");
    let on = train("on.bin", "1", &["--from", text(&first), "--rate", "0.0000001"]);
    assert_eq!(NnueWeights::from_bytes(&on).expect("it is one as well").features, weights.features);
}

#[test]
fn only_the_weights_asked_for_are_fitted() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let games = folder.path().join("games");
    let play = ["selfplay", "--out", text(&games), "--seed", "2", "--games", "24", "--nodes", "60"];
    let played = kagetsu(&[&play[..], &["--rule", "standard", "--size", "9"]].concat());
    assert!(played.status.success(), "{played:?}");
    let before = weights::builtin();
    let file = games.join("weights.bin");
    // "promises" is what the ordering was called once.
    for kind in ["values", "ordering", "promises"] {
        let options = ["tune", "--data", text(&games), "--only", kind, "--epochs", "2", "--out", text(&file)];
        let tuned = kagetsu(&options);
        assert!(tuned.status.success(), "{tuned:?}");
        let bytes = std::fs::read(&file).expect("the file was written");
        let after = weights::from_bytes(&bytes).expect("it is a file of weights");
        for rule in Rule::ALL {
            let [old, new] = [&before, &after].map(|all| &all[rule.index()][Color::Black]);
            let fitted = |values| rule == Rule::Standard && values == (kind == "values");
            assert_eq!(old.value != new.value, fitted(true), "{rule} {kind}");
            assert_eq!(old.own_ordering != new.own_ordering, fitted(false), "{rule} {kind}");
            assert_eq!(old.nearness != new.nearness, fitted(false), "{rule} {kind}");
        }
    }
}

#[test]
fn what_was_fitted_before_is_carried_over() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let games = played(&folder, "24", "2");
    let [values, both] = ["values.bin", "both.bin"].map(|name| folder.path().join(name));
    let tune = |more: &[&str], out: &Path| {
        let tuned = kagetsu(&[&["tune", "--epochs", "2", "--out", text(out)], more].concat());
        assert!(tuned.status.success(), "{tuned:?}");
        weights::from_bytes(&std::fs::read(out).expect("it was written")).expect("it is a file of weights")
    };
    let first = tune(&["--data", text(&games), "--only", "values", "--from-initial"], &values);
    let joined = tune(&["--data", text(&games), "--only", "ordering", "--from", text(&values)], &both);
    let is_same = |same: fn(&ColorWeights, &ColorWeights) -> bool| {
        first.iter().zip(&joined).all(|(first, joined)| same(&first[Color::Black], &joined[Color::Black]))
    };
    assert!(is_same(|first, joined| first.value == joined.value && first.tempo == joined.tempo));
    assert!(!is_same(|first, joined| first.own_ordering == joined.own_ordering));
    let refused = kagetsu(&["tune", "--data", text(&games), "--from", text(&values), "--from-initial"]);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let refused = kagetsu(&["tune", "--data", text(&games), "--from", text(&games.join("seed-2-0000.kgr"))]);
    assert!(errors(&refused).contains("holds no weights of the hand-crafted evaluation"), "{refused:?}");
}

/// A folder with games of self-play, in this one.
fn played(folder: &TempDir, games: &str, seed: &str) -> PathBuf {
    let out = folder.path().join(format!("games-{seed}"));
    let options = ["selfplay", "--out", text(&out), "--seed", seed, "--games", games, "--nodes", "60"];
    let played = kagetsu(&[&options[..], &["--rule", "freestyle", "--size", "9"]].concat());
    assert!(played.status.success(), "{played:?}");
    out
}

#[test]
fn a_rule_of_which_nothing_is_left_to_learn_from_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let games = folder.path().join("games");
    let file = games.join("out.bin");
    let play = ["selfplay", "--out", text(&games), "--seed", "9", "--games", "12", "--nodes", "60"];
    let played = kagetsu(&[&play[..], &["--rule", "freestyle", "--rule", "renju", "--size", "9"]].concat());
    assert!(played.status.success(), "{played:?}");
    let shard = games.join("seed-9-0000.kgr");
    let whole = Shard::from_bytes(&std::fs::read(&shard).expect("it was written")).expect("it is a shard");
    // Positions without scores are nothing to learn from.
    let strip = |rules: &[Rule]| {
        let mut bytes = whole.header.to_bytes();
        for mut game in whole.games.clone() {
            if rules.contains(&game.rule) {
                game.moves.iter_mut().for_each(|played| played.score = None);
            }
            bytes.extend(game.to_bytes());
        }
        std::fs::write(&shard, bytes).expect("it was written before");
    };
    let train = || kagetsu(&["train", "--data", text(&games), "--epochs", "1", "--out", text(&file)]);
    strip(&Rule::ALL);
    let refused = train();
    assert!(errors(&refused).contains("there are no positions to learn from"), "{refused:?}");
    assert!(!refused.status.success() && !file.exists(), "{refused:?}");
    strip(&[Rule::Renju]);
    let trained = train();
    assert!(trained.status.success(), "{trained:?}");
    assert!(errors(&trained).contains("renju is left out: in 6 games there is no position"), "{trained:?}");
    let weights = NnueWeights::from_bytes(&std::fs::read(&file).expect("it was written"));
    let heads = weights.expect("it is a file of networks").heads;
    assert_eq!(heads.each_ref().map(Vec::len), [4, 0, 0, 0, 0]);
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn damage_is_told_and_too_much_of_it_refused() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let games = played(&folder, "40", "7");
    let shard = games.join("seed-7-0000.kgr");
    let whole = std::fs::read(&shard).expect("it was written");
    let mut bytes = whole.clone();
    let at = bytes.len() / 4;
    bytes[at] ^= 1;
    std::fs::write(&shard, &bytes).expect("a file can be written");

    for command in [["data", "stat"], ["data", "dump"], ["data", "check"]] {
        let told = kagetsu(&[&command[..], &[text(&games)]].concat());
        assert!(!told.status.success() && !told.stdout.is_empty(), "{told:?}");
        assert!(errors(&told).contains("1 of 1 files are damaged"), "{told:?}");
    }
    let file = games.join("out.bin");
    for learn in [&["train", "--epochs", "1"][..], &["tune", "--epochs", "1"][..]] {
        let learn = [learn, &["--data", text(&games), "--out", text(&file)]].concat();
        let refused = kagetsu(&learn);
        assert!(!refused.status.success() && !file.exists(), "{refused:?}");
        let told = errors(&refused);
        assert!(told.contains("a game is damaged after") && told.contains("are left out"), "{told}");
        assert!(told.contains("more than 1 % of the data is damaged"), "{told}");
        // Whoever knows may learn from the rest, and hears of it all the same.
        let learned = kagetsu(&[&learn[..], &["--max-damaged", "90"]].concat());
        assert!(learned.status.success() && errors(&learned).contains("are left out"), "{learned:?}");
        std::fs::remove_file(&file).expect("it was written");
        assert!(!kagetsu(&[&learn[..], &["--max-damaged", "101"]].concat()).status.success());
    }
    // The command that played the games makes the damage good.
    let again = [
        "selfplay",
        "--out",
        text(&games),
        "--seed",
        "7",
        "--games",
        "40",
        "--nodes",
        "60",
        "--rule",
        "freestyle",
        "--size",
        "9",
    ];
    let again = kagetsu(&again);
    assert!(again.status.success() && errors(&again).contains("are played again"), "{again:?}");
    assert_eq!(std::fs::read(&shard).expect("it is there"), whole);
}

#[test]
fn a_game_cut_short_at_the_end_is_told_and_left_out() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let games = played(&folder, "120", "8");
    let shard = games.join("seed-8-0000.kgr");
    let bytes = std::fs::read(&shard).expect("it was written");
    std::fs::write(&shard, &bytes[..bytes.len() - 5]).expect("a file can be written");
    let file = games.join("out.bin");
    let options = ["tune", "--data", text(&games), "--epochs", "1", "--out", text(&file)];
    let tuned = kagetsu(&[&options[..], &["--max-damaged", "2.5"]].concat());
    let told = errors(&tuned);
    assert!(tuned.status.success() && told.contains("the last game is cut short after 119 games"), "{told}");
}

#[test]
fn weights_that_are_there_are_not_overwritten_unasked() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let games = played(&folder, "30", "9");
    let work = tempfile::tempdir().expect("a folder can be made");
    for (command, name, source) in [
        ("train", "network.bin", "src/eval/nnue/weights.bin"),
        ("tune", "weights.bin", "src/eval/hand_crafted/weights.bin"),
    ] {
        let learn = |more: &[&str]| {
            let options = [command, "--data", text(&games), "--epochs", "1"];
            let mut program = Command::new(env!("CARGO_BIN_EXE_kagetsu"));
            program.args(options).args(more).current_dir(&work).output().expect("the program starts")
        };
        let file = work.path().join(name);
        let first = learn(&[]);
        assert!(first.status.success() && errors(&first).contains(name), "{first:?}");
        let learned = std::fs::read(&file).expect("it was written");
        // What is there stays, until someone asks for it to be replaced.
        std::fs::write(&file, "mine").expect("a file can be written");
        let refused = learn(&[]);
        assert!(!refused.status.success() && errors(&refused).contains("--force"), "{refused:?}");
        assert_eq!(std::fs::read(&file).expect("it is there"), b"mine");
        assert!(learn(&["--force"]).status.success());
        assert!(std::fs::read(&file).expect("it is there") == learned);
        // A file that --out names is replaced if it holds such weights.
        std::fs::write(&file, "mine").expect("a file can be written");
        let refused = learn(&["--out", name]);
        assert!(errors(&refused).contains("would be overwritten, and it holds no weights"), "{refused:?}");
        assert_eq!(std::fs::read(&file).expect("it is there"), b"mine");
        let others = [&learned[..learned.len() - 1], &[!learned[learned.len() - 1]]].concat();
        std::fs::write(&file, others).expect("a file can be written");
        assert!(learn(&["--out", name]).status.success());
        assert!(std::fs::read(&file).expect("it is there") == learned);
        // Nothing is learned for hours that cannot be written in the end.
        let nowhere = learn(&["--out", "no/such/folder.bin"]);
        assert!(!nowhere.status.success() && errors(&nowhere).contains("no such folder"), "{nowhere:?}");
        // Into the source tree only from its root, and only when asked.
        let refused = learn(&["--install"]);
        assert!(!refused.status.success() && errors(&refused).contains(source), "{refused:?}");
        let source = work.path().join(source);
        std::fs::create_dir_all(source.parent().expect("it has a folder")).expect("folders can be made");
        std::fs::write(&source, "shipped").expect("a file can be written");
        assert!(learn(&["--install"]).status.success());
        assert!(std::fs::read(&source).expect("it is there") == learned);
        assert!(!learn(&["--install", "--out", name]).status.success());
    }
}

/// Kills the command again and again, each time soon after it has kept something, and lets it end at last.
fn killed_and_ended(command: &[&str], checkpoint: &Path) {
    const KILLS: u32 = 6;
    let mut kills = 0;
    loop {
        let mut program = Command::new(env!("CARGO_BIN_EXE_kagetsu"));
        let mut child = program
            .args(command)
            .args(["--checkpoint-minutes", "0"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // A new checkpoint takes the place of the last.
        let state = || Some(checkpoint.metadata().ok()?.modified().expect("files have times here"));
        let before = state();
        let ended = loop {
            if let Some(status) = child.try_wait().expect("it can be waited for") {
                break Some(status);
            }
            if kills < KILLS && state().is_some_and(|now| Some(now) != before) {
                break None;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        if let Some(status) = ended {
            let told = errors(&child.wait_with_output().expect("it has ended"));
            assert!(status.success(), "{status}: {told}");
            assert!(kills > 1 && told.contains("resuming an interrupted"), "{kills} kills: {told}");
            break;
        }
        // Another moment each time: between two checkpoints, while one is written, or a few later.
        std::thread::sleep(Duration::from_millis(u64::from(7 * kills)));
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        kills += 1;
    }
}

fn files_in(folder: impl AsRef<Path>) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let name = |entry: std::io::Result<DirEntry>| entry.expect("it can be listed").file_name();
    let mut names: Vec<String> = entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn learning_that_is_killed_goes_on_and_comes_to_the_same() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let games = played(&folder, "400", "11");
    let [whole, killed] = [(); 2].map(|()| tempfile::tempdir().expect("a folder can be made"));
    let commands = [
        ("train", vec!["--epochs", "3", "--layer-epochs", "2"], "network.bin"),
        ("tune", vec!["--epochs", "60"], "weights.bin"),
    ];
    for (command, options, name) in commands {
        let [first, second] = [&whole, &killed].map(|folder| folder.path().join(name));
        let learn = [&[command, "--data", text(&games), "--out"], &options[..]].concat();
        let into = |file| [&learn[..4], &[text(file)], &learn[4..]].concat();
        let learned = kagetsu(&into(&first));
        assert!(learned.status.success(), "{learned:?}");
        killed_and_ended(&into(&second), &killed.path().join(format!("{name}.checkpoint")));
    }
    let names = [
        "network.bin",
        "network.bin.checkpoint.lock",
        "network.bin.losses.csv",
        "network.bin.losses.svg",
        "weights.bin",
        "weights.bin.checkpoint.lock",
    ]
    .map(str::to_owned);
    assert_eq!(files_in(&whole), names);
    assert_eq!(files_in(&killed), names, "nothing else is left");
    for name in names {
        let [whole, killed] =
            [&whole, &killed].map(|folder| std::fs::read(folder.path().join(&name)).expect("it is there"));
        assert!(whole == killed, "{name}");
    }
}

#[test]
fn a_checkpoint_of_another_run_or_a_damaged_one_is_refused() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let games = played(&folder, "120", "12");
    let work = tempfile::tempdir().expect("a folder can be made");
    let checkpoint = work.path().join("network.bin.checkpoint");
    let train = |more: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_kagetsu"));
        program.args(["train", "--data", text(&games), "--checkpoint-minutes", "0"]);
        program.args(more).current_dir(&work);
        program
    };
    let mut child = train(&["--epochs", "1000"]).stderr(Stdio::null()).spawn().expect("the program starts");
    while !checkpoint.exists() {
        assert!(child.try_wait().expect("it can be waited for").is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(1));
    }
    let beside = train(&["--epochs", "1000"]).output().expect("the program starts");
    assert!(!beside.status.success() && errors(&beside).contains("still under way"), "{beside:?}");
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");

    let whole = std::fs::read(&checkpoint).expect("it is there");
    let refused = |more: &[&str], said: &[&str]| {
        let refused = train(more).output().expect("the program starts");
        let told = errors(&refused);
        assert_eq!(refused.status.code(), Some(1), "{told}");
        assert!(said.iter().all(|said| told.contains(said)), "{told}");
        assert!(!work.path().join("network.bin").exists());
    };
    let file = "network.bin.checkpoint: ";
    refused(&["--epochs", "1"], &[file, "epochs 1000", "epochs 1\"", "remove the file to start afresh"]);
    refused(&["--epochs", "1000", "--rate", "0.001"], &[file, "rate 0.001"]);
    let mut bytes = whole.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    for bytes in [&bytes[..], &whole[..middle]] {
        std::fs::write(&checkpoint, bytes).expect("a file can be written");
        refused(&["--epochs", "1000"], &[file, "it is damaged; remove the file to start afresh"]);
        assert!(std::fs::read(&checkpoint).expect("it is there") == bytes, "it is left alone");
    }
    // Other games than it was begun with.
    std::fs::write(&checkpoint, &whole).expect("a file can be written");
    std::fs::remove_dir_all(&games).expect("it was made above");
    std::fs::rename(played(&folder, "60", "13"), &games).expect("a folder can be moved");
    refused(&["--epochs", "1000"], &[file, "120 games", "60 games"]);
    // Without it the run begins anew.
    std::fs::remove_file(&checkpoint).expect("it is there");
    std::fs::write(work.path().join("network.bin"), "mine").expect("a file can be written");
    let forced = train(&["--epochs", "1", "--force"]).output().expect("the program starts");
    assert!(forced.status.success(), "{forced:?}");
    let of_losses = ["network.bin.losses.csv", "network.bin.losses.svg"];
    assert_eq!(files_in(&work), [&["network.bin", "network.bin.checkpoint.lock"], &of_losses[..]].concat());
}

#[test]
fn games_that_would_count_twice_are_refused_before_they_are_played() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let games = played(&folder, "3", "4");
    let file = games.join("weights.bin");
    for data in [games.clone(), games.join("seed-4-0000.kgr"), games.join(".").join("seed-4-0000.kgr")] {
        let options = ["tune", "--play", text(&games), "--games", "5", "--nodes", "60"];
        let refused = kagetsu(&[&options[..], &["--data", text(&data), "--out", text(&file)]].concat());
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        assert!(errors(&refused).contains("--play reads these games already"), "{refused:?}");
        assert!(!games.join("seed-0-0000.kgr").exists() && !file.exists());
    }
}

#[test]
fn initial_weights_go_by_both_names() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let written = ["--from-initial", "--from-prior"].map(|option| {
        let file = folder.path().join(format!("{}.bin", option.trim_start_matches('-')));
        let tuned = kagetsu(&["tune", option, "--out", text(&file)]);
        assert!(tuned.status.success(), "{tuned:?}");
        std::fs::read(&file).expect("it was written")
    });
    assert!(written[0] == written[1] && weights::from_bytes(&written[0]).is_some());
}

#[test]
fn weights_are_not_written_over_the_games() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let games = played(&folder, "4", "14");
    let shard = games.join("seed-14-0000.kgr");
    let whole = std::fs::read(&shard).expect("it was written");
    for learn in [
        &["train", "--epochs", "1", "--data", text(&games)][..],
        &["tune", "--epochs", "1", "--data", text(&shard)],
    ] {
        let refused = kagetsu(&[learn, &["--out", text(&shard)]].concat());
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        assert!(errors(&refused).contains("is read here; choose another file"), "{refused:?}");
        assert!(std::fs::read(&shard).expect("it is there") == whole);
    }
    // Nor over those that are played first.
    let (folder, file) = (games.join("played"), games.join("played/seed-14-0000.kgr"));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let play = ["tune", "--play", text(&folder), "--games", "4", "--seed", "14", "--nodes", "60"];
    let refused = kagetsu(&[&play[..], &["--out", text(&file)]].concat());
    assert!(errors(&refused).contains("is read here; choose another file"), "{refused:?}");
    assert!(Shard::from_bytes(&std::fs::read(&file).expect("it is there")).is_ok());
}

#[test]
fn only_weights_of_the_same_kind_are_overwritten() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let games = played(&folder, "4", "14");
    let [elsewhere, notes] = ["elsewhere.kgr", "notes.txt"].map(|name| folder.path().join(name));
    let shard = games.join("seed-14-0000.kgr");
    std::fs::copy(&shard, &elsewhere).expect("it is there");
    std::fs::write(&notes, "my notes").expect("there is room");
    for file in [&elsewhere, &notes] {
        let before = std::fs::read(file).expect("it is there");
        for (command, kind) in [("train", "networks"), ("tune", "the hand-crafted evaluation")] {
            let learn = [command, "--epochs", "1", "--data", text(&games), "--out", text(file)];
            let refused = kagetsu(&learn);
            assert_eq!(refused.status.code(), Some(1), "{refused:?}");
            let said =
                format!("would be overwritten, and it holds no weights of {kind}; choose another file");
            assert!(errors(&refused).contains(&said), "{refused:?}");
        }
        assert!(std::fs::read(file).expect("it is there") == before);
    }
    let refused = kagetsu(&["openings", "--count", "1", "--nodes", "10", "--out", text(&shard)]);
    assert!(errors(&refused).contains("holds no openings"), "{refused:?}");
    let solve = ["solve", "--moves", "h8 i8", "--nodes", "10", "--out", text(&shard)];
    assert!(errors(&kagetsu(&solve)).contains("it holds training games"));
    // Games go to a folder.
    let refused = kagetsu(&["selfplay", "--games", "1", "--nodes", "10", "--out", text(&shard)]);
    assert!(errors(&refused).contains("seed-14-0000.kgr is a file and no folder"), "{refused:?}");
    assert!(Shard::from_bytes(&std::fs::read(&shard).expect("it is there")).is_ok());
}

#[test]
fn without_games_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("network.bin");
    let trained = kagetsu(&["train", "--data", text(folder.path()), "--out", text(&file)]);
    assert!(!trained.status.success() && !file.exists(), "{trained:?}");
    assert!(!trained.stderr.is_empty());
    std::fs::write(&file, "no weights").expect("a file can be written");
    let out = folder.path().join("out.bin");
    let options = ["train", "--data", text(folder.path()), "--from", text(&file), "--out", text(&out)];
    let trained = kagetsu(&options);
    let told = String::from_utf8_lossy(&trained.stderr);
    assert!(!trained.status.success() && told.contains("holds no weights"), "{told}");
}
