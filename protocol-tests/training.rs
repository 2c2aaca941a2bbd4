//! From games of self-play to the file of a network, as a user comes to it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use kagetsu::board::Color;
use kagetsu::eval::classical;
use kagetsu::eval::network::weights::Weights;
use kagetsu::rules::Rule;

fn kagetsu(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_kagetsu")).args(arguments).output().expect("the program starts")
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("kagetsu-training-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

#[test]
fn games_become_a_network_whatever_the_threads() {
    let games = folder("games");
    let rules = ["--rule", "freestyle", "--rule", "renju", "--size", "9"];
    let play = ["selfplay", "--out", text(&games), "--seed", "1", "--games", "48", "--nodes", "60"];
    let played = kagetsu(&[&play[..], &rules].concat());
    assert!(played.status.success(), "{played:?}");
    let train = |name: &str, threads: &str, more: &[&str]| {
        let file = games.join(name);
        let epochs = ["--epochs", "1", "--layer-epochs", "1", "--threads", threads];
        let options = ["train", "--data", text(&games), "--out", text(&file)];
        let trained = kagetsu(&[&options[..], &epochs, more].concat());
        assert!(trained.status.success(), "{trained:?}");
        let told = String::from_utf8(trained.stdout).expect("it speaks UTF-8");
        let rules: Vec<&str> = told.lines().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!(rules, ["freestyle", "renju"]);
        std::fs::read(&file).expect("the file was written")
    };
    let bytes = train("one.bin", "1", &[]);
    let weights = Weights::from_bytes(&bytes).expect("it is a file of networks");
    // In renju the colours differ; of the other rules there were no games.
    assert_eq!(weights.heads.each_ref().map(Vec::len), [1, 0, 2, 0, 0]);
    assert_eq!(train("three.bin", "3", &[]), bytes);
    // So little is learned at such a rate that rounding hides it.
    let first = games.join("one.bin");
    let on = train("on.bin", "1", &["--from", text(&first), "--rate", "0.0000001"]);
    assert_eq!(Weights::from_bytes(&on).expect("it is one as well").parts, weights.parts);
    std::fs::remove_dir_all(&games).expect("it was made above");
}

#[test]
fn only_the_weights_asked_for_are_fitted() {
    let games = folder("kinds");
    let play = ["selfplay", "--out", text(&games), "--seed", "2", "--games", "24", "--nodes", "60"];
    let played = kagetsu(&[&play[..], &["--rule", "standard", "--size", "9"]].concat());
    assert!(played.status.success(), "{played:?}");
    let before = classical::weights::from_bytes(include_bytes!("../src/eval/classical/weights.bin"))
        .expect("the weights built in are of this version");
    let file = games.join("weights.bin");
    for kind in ["values", "promises"] {
        let options = ["tune", "--data", text(&games), "--only", kind, "--epochs", "2", "--out", text(&file)];
        let tuned = kagetsu(&options);
        assert!(tuned.status.success(), "{tuned:?}");
        let bytes = std::fs::read(&file).expect("the file was written");
        let after = classical::weights::from_bytes(&bytes).expect("it is a file of weights");
        for rule in Rule::ALL {
            let [old, new] = [&before, &after].map(|all| &all[rule.index()][Color::Black]);
            let fitted = |wanted| rule == Rule::Standard && kind == wanted;
            assert_eq!(old.value != new.value, fitted("values"), "{rule} {kind}");
            assert_eq!(old.own_promise != new.own_promise, fitted("promises"), "{rule} {kind}");
            assert_eq!(old.nearness != new.nearness, fitted("promises"), "{rule} {kind}");
        }
    }
    std::fs::remove_dir_all(&games).expect("it was made above");
}

#[test]
fn without_games_nothing_is_written() {
    let folder = folder("nothing");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join("network.bin");
    let trained = kagetsu(&["train", "--data", text(&folder), "--out", text(&file)]);
    assert!(!trained.status.success() && !file.exists(), "{trained:?}");
    assert!(!trained.stderr.is_empty());
    std::fs::write(&file, "no weights").expect("a file can be written");
    let out = folder.join("out.bin");
    let options = ["train", "--data", text(&folder), "--from", text(&file), "--out", text(&out)];
    let trained = kagetsu(&options);
    let told = String::from_utf8_lossy(&trained.stderr);
    assert!(!trained.status.success() && told.contains("holds no weights"), "{told}");
    std::fs::remove_dir_all(&folder).expect("it was made above");
}
