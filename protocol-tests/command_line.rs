//! The program as shells meet it: how its commands end when they are told to, and what it tells shells and manuals of
//! its command line.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn kagetsu(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kagetsu"));
    command.args(arguments).stdin(Stdio::null()).env_remove("RUST_LOG");
    command
}

/// The path of a file in this folder, as commands take it.
fn path_in(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().expect("it is text").to_owned()
}

/// What a command does with this input.
fn fed(mut command: Command, input: &[u8]) -> Output {
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the program starts");
    let mut pipe = child.stdin.take().expect("it is piped");
    pipe.write_all(input).expect("the program reads it");
    drop(pipe);
    child.wait_with_output().expect("it ends")
}

/// What a command says, which must end well.
fn said(arguments: &[&str]) -> String {
    let output: Output = kagetsu(arguments).output().expect("the program starts");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it is text")
}

/// The subcommands that the help names.
fn subcommands() -> Vec<String> {
    let help = said(&["--help"]);
    let lines =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A name, and what it does; long texts go on in lines that are indented further.
    let names = lines.filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')));
    let names: Vec<String> =
        names.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    assert!(names.len() > 15 && names.contains(&"analyse".to_owned()), "{help}");
    names
}

/// Those of this system; `packaging/release` compares the whole text with what the libraries of all systems say.
#[test]
fn licences_of_all_libraries_are_printed() {
    let printed = said(&["licenses"]);
    assert!(printed.contains(include_str!("../LICENSE-MIT").trim_end()));
    // Kagetsu is no library, and those under the Apache licence share its copy.
    for once in ["Copyright (c) the Kagetsu authors", "Version 2.0, January 2004"] {
        assert_eq!(printed.matches(once).count(), 1, "{once}");
    }
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--locked", "--offline", "--edges=normal", "--prefix=none", "--manifest-path"]);
    let tree = cargo.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).output().expect("cargo starts");
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let tree = String::from_utf8(tree.stdout).expect("it is text");
    let mut libraries = 0;
    for line in tree.lines().filter(|line| !line.starts_with("kagetsu ")) {
        let mut words = line.split(' ');
        let (Some(name), Some(version)) = (words.next(), words.next()) else { continue };
        let entry = format!("  {name} {}", version.trim_start_matches('v'));
        let is_named = printed.lines().any(|line| line.split(',').next() == Some(&entry));
        assert!(is_named, "packaging/notices has not been run for{entry}");
        libraries += 1;
    }
    assert!(libraries > 50, "{tree}");
}

#[test]
fn completions_know_every_subcommand() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = said(&["completions", shell]);
        for name in subcommands() {
            // As it is offered; most names are parts of other words, or words of the texts beside them.
            let offer = match shell {
                "bash" => format!("kagetsu,{name})"),
                "zsh" => format!("'{name}:"),
                "fish" => format!("-a \"{name}\""),
                "powershell" => format!("::new('{name}', "),
                _ => format!("cand {name} '"),
            };
            assert!(script.contains(&offer), "{shell} does not know {name}");
        }
        assert!(script.contains("stop-at") && script.contains("max-damaged"), "{shell} knows no options");
        assert!(!script.contains("watchdog"), "{shell} offers what only the program itself calls");
    }
    assert!(!kagetsu(&["completions", "tcsh"]).output().expect("the program starts").status.success());
}

/// In bash itself: the words that it offers after some letters.
#[test]
#[cfg(unix)]
fn bash_completes_words() {
    let script = said(&["completions", "bash"]);
    let offered = |words: &str| {
        let last = words.rsplit(' ').next().unwrap_or_default();
        let count = words.split(' ').count() - 1;
        let ask = format!(
            "{script}\nCOMP_WORDS=({words})\nCOMP_CWORD={count}\n_kagetsu kagetsu '{last}' ''\necho \"${{COMPREPLY[@]}}\""
        );
        // The script is longer than an argument may be.
        let mut bash = Command::new("bash");
        bash.arg("--norc").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut bash = bash.spawn().expect("bash is there");
        bash.stdin.take().expect("it is piped").write_all(ask.as_bytes()).expect("bash reads");
        let output = bash.wait_with_output().expect("it was started here");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    let first = offered("kagetsu ");
    for name in subcommands() {
        assert!(first.split(' ').any(|word| word == name), "{name} is not among {first}");
    }
    assert_eq!(offered("kagetsu ana"), "analyse");
    assert_eq!(offered("kagetsu data resc"), "rescore");
    assert_eq!(offered("kagetsu solve --stop"), "--stop-at");
    assert_eq!(offered("kagetsu nothing-of-this"), "");
}

#[test]
fn there_is_a_manual_page_for_every_subcommand() {
    let page = said(&["man"]);
    assert!(page.contains(".TH kagetsu 1"), "{page}");
    for word in ["SYNOPSIS", "analyse", "Exit status", "130"] {
        assert!(page.contains(word), "the page does not know {word}");
    }
    let folder = tempfile::tempdir().expect("there is room");
    let folder = folder.path().join("pages");
    said(&["man", "--out", folder.to_str().expect("it is text")]);
    for name in subcommands().iter().filter(|name| *name != "help") {
        let page = fs::read_to_string(folder.join(format!("kagetsu-{name}.1")))
            .unwrap_or_else(|error| panic!("there is no page of {name}: {error}"));
        assert!(page.contains("SYNOPSIS"), "{name}");
        let source = format!("\"kagetsu {}\"", env!("CARGO_PKG_VERSION"));
        assert!(page.lines().any(|line| line.starts_with(".TH") && line.contains(&source)), "{page}");
        assert!(!page.contains(".SH EXTRA"), "{page}");
    }
    let page = fs::read_to_string(folder.join("kagetsu-match.1")).expect("it was read above");
    // The tables of options keep their columns, and the synopsis says which options take a value.
    assert!(page.contains("\n.SH NOTES\n.nf\n") && page.contains("\n.fi\n"), "{page}");
    assert!(page.contains("[\\fB\\-\\-games\\fR \\fIN\\fR]"), "{page}");
    let page = fs::read_to_string(folder.join("kagetsu-analyse.1")).expect("it was read above");
    assert!(page.contains("\\-\\-stop\\-at"), "{page}");
}

/// What the help of a subcommand says of an option or argument that others have too holds for this one.
#[test]
fn help_offers_what_the_subcommand_takes() {
    assert!(said(&["solve", "--help"]).contains("or moves [default: standard input]"));
    if subcommands().contains(&"library".to_owned()) {
        assert!(said(&["library", "query", "--help"]).contains("or moves [default: the empty board]"));
    }
    let help = said(&["job", "plan", "match", "--help"]);
    for given in [
        "--out m",
        "--report m.html",
        "--log m.log",
        "--messages --out m",
        "--losses-only --out m",
        "--json",
        "--quiet",
        "--concurrency 2",
    ] {
        let option = given.split(' ').next().expect("there is a word");
        let is_offered = help.split_whitespace().any(|word| word == option);
        assert!(!is_offered, "{option} is offered, but no part of a job:\n{help}");
        let words = format!("job plan no/such/job.json match -e nodes=1 -e nodes=1 {given}");
        let refused = kagetsu(&words.split(' ').collect::<Vec<_>>()).output().expect("the program starts");
        let error = String::from_utf8_lossy(&refused.stderr);
        let named = given.rsplit_once(" --").map_or(option, |_| "--out");
        assert!(error.contains(&format!("{named} is not part of a job")), "{given}: {error}");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let engine = format!("nodes=1 experiencefile={}", folder.path().join("lost.txt").display());
    let words = ["job", "plan", "no/such/job.json", "match", "-e", "nodes=1", "-e", &engine];
    let refused = kagetsu(&words).output().expect("the program starts");
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(help.contains("--gauntlet"), "{help}");
    if !subcommands().contains(&"spsa".to_owned()) {
        for work in ["plan", "run"] {
            let help = said(&["job", work, "--help"]).to_ascii_lowercase();
            assert!(!help.contains("spsa") && !help.contains("--given"), "{help}");
        }
    }
    let out_of = |subcommand: &str| {
        let help = said(&[subcommand, "--help"]).split_whitespace().collect::<Vec<_>>().join(" ");
        ["weights.bin", "network.bin"].map(|name| help.contains(&format!("[default: {name} in")))
    };
    assert_eq!((out_of("tune"), out_of("train")), ([true, false], [false, true]));
    let level = kagetsu(&["play", "--level", "20"]).output().expect("the program starts");
    let error = String::from_utf8_lossy(&level.stderr);
    assert!(error.contains("a number from 1 to 19, which is full strength"), "{error}");
}

/// Every line in and out goes into the log file, and the option comes before the variable.
#[test]
fn what_is_said_is_logged_where_it_was_asked_for() {
    let folder = tempfile::tempdir().expect("there is room");
    let talk = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = kagetsu(arguments);
        command.envs(variables.iter().copied());
        let output = fed(command, b"START 15\nTURN 99,99\nEND\n");
        assert!(output.status.success() && output.stdout.starts_with(b"OK"), "{output:?}");
        String::from_utf8(output.stderr).expect("it is text")
    };
    let written = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    let is_whole = |log: &str| {
        ["<- START 15", "-> OK", "<- TURN 99,99", "-> ERROR", "<- END"].iter().all(|line| log.contains(line))
    };
    let [one, other, path] = ["one.log", "other.log", "settings.log"].map(|name| path_in(&folder, name));
    // Managers read standard error as if it were replies.
    assert_eq!(talk(&["--log-file", &one], &[("KAGETSU_LOG_FILE", &other)]), "");
    assert!(is_whole(&written("one.log")) && written("other.log").is_empty());
    assert_eq!(talk(&["play"], &[("KAGETSU_LOG_FILE", &other)]), "");
    assert!(is_whole(&written("other.log")));
    let said = talk(&["--log-file", &one], &[("RUST_LOG", "debug")]);
    assert!(is_whole(&said) && written("one.log").matches("<- START 15").count() == 2, "{said}");
    assert_eq!(talk(&[], &[]), "");
    // A setting that is ignored is told there, and only there.
    let settings =
        "INFO rule renju\nINFO rule 77\nINFO level 99\nINFO own_book 2\nINFO strenght 3\nINFO evaluate 3,4\n";
    let output = fed(kagetsu(&["--log-file", &path]), format!("{settings}INFO rule 4\nEND\n").as_bytes());
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
    let log = written("settings.log");
    for (level, told) in [
        ("WARN", "INFO rule needs a whole number, not `renju`"),
        ("WARN", "Rule(77), since the value must be the number of a rule"),
        ("WARN", "Level(99), since the value must be the number of a level, 1 to "),
        ("WARN", "INFO own_book needs 0 or 1, not `2`"),
        ("INFO", "there is no setting `strenght`"),
    ] {
        let is_told = |line: &str| line.contains(level) && line.contains(&format!("ignored: {told}"));
        assert!(log.lines().any(is_told), "{told}: {log}");
    }
    assert_eq!(log.matches("ignored: ").count(), 5, "{log}");
    // So is an option that nobody knows: managers pass their own.
    assert_eq!(talk(&["--treads=2", "-x", "--log-file", &path], &[]), "");
    let log = written("settings.log");
    for switch in ["--treads=2", "-x"] {
        assert!(log.contains(&format!("ignored: there is no option {switch}")), "{log}");
    }
}

/// A player that is told to learn does not lose the same games twice, and one that is not does.
#[test]
fn games_that_are_lost_over_the_protocol_are_remembered() {
    let folder = tempfile::tempdir().expect("there is room");
    let rounds = |learn: &str| {
        [1, 2].map(|round| {
            let program = env!("CARGO_BIN_EXE_kagetsu");
            let weak = format!(
                "cmd='{program}' arg=play name=weak nodes=30 info.learn={learn} info.folder='{}'",
                folder.path().display()
            );
            let records = path_in(&folder, &format!("{learn}-{round}"));
            let strong = ["-e", "name=strong nodes=1000", "--games", "2", "--size", "11", "--seed", "1"];
            said(&[&["match", "-q", "-e", &weak][..], &strong, &["--out", &records]].concat());
            let text = fs::read_to_string(format!("{records}/games.jsonl")).expect("it was written");
            let lines =
                text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
            let mut games: Vec<(u64, String)> = lines
                .filter(|line| line["type"] == "game")
                .map(|game| {
                    let moves = game["moves"].as_array().expect("a list").iter();
                    let moves = moves.map(|played| played["at"].as_str().expect("a point")).collect();
                    (game["id"].as_u64().expect("a number"), moves)
                })
                .collect();
            games.sort();
            games
        })
    };
    let [first, second] = rounds("0");
    assert_eq!(first, second);
    let lessons = folder.path().join("kagetsu").join("losses.txt");
    assert!(!lessons.exists());
    let [first, second] = rounds("1");
    assert_ne!(first, second);
    assert!(fs::read_to_string(lessons).expect("it was written").contains("\"lesson\":\"avoid\""));
}

/// Whoever names a file in which nothing can be remembered would find out after many games.
#[test]
fn an_experience_file_that_cannot_be_used_is_refused() {
    let folder = tempfile::tempdir().expect("there is room");
    let [no_file, missing] = ["kagetsu-unusable", "no folder/losses.txt"].map(|name| path_in(&folder, name));
    fs::create_dir(&no_file).expect("there is room");
    for (file, reason) in [(no_file, "kagetsu-unusable"), (missing, "no such folder")] {
        let engine = format!("nodes=1 experiencefile='{file}'");
        for (words, option) in [
            (vec!["--experience-file", &file], "--experience-file: "),
            (vec!["match", "-e", &engine, "-e", "nodes=1", "--games", "2"], "experiencefile=: "),
        ] {
            let output = kagetsu(&words).output().expect("the program starts");
            let told = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{words:?}: {told}");
            assert!(told.contains(option) && told.contains(reason), "{told}");
            assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
        }
    }
    assert!(!folder.path().join("no folder").exists());
    // Of a folder that the manager names nothing is said: a line on standard error would be taken for a reply.
    let file = path_in(&folder, "file");
    fs::write(&file, "no folder").expect("there is room");
    let info = format!("INFO folder {file}\nINFO learn 1\nSTART 15\nINFO max_node 100\nBEGIN\nABOUT\n");
    let output = fed(kagetsu(&[]), info.as_bytes());
    assert!(output.status.success() && output.stderr.is_empty());
}

/// As docs/command-line.md lists them.
#[test]
fn solve_and_check_proof_tell_their_results_by_the_status() {
    let status = |words: &str| {
        let words: Vec<&str> = words.split_whitespace().collect();
        kagetsu(&words).stdout(Stdio::null()).status().expect("the program starts").code()
    };
    const WON: &str = "solve --moves f5,h10,f7,h8,e6,e10,h5,g7";
    assert_eq!(status(WON), Some(0));
    assert_eq!(status("solve --vcf-only --moves h8,a1,i8,a15,j8,o1 --side white"), Some(10));
    assert_eq!(status(&format!("{WON} --nodes 2")), Some(11));
    assert_eq!(status(&format!("{WON} --side green")), Some(2));

    let words: Vec<&str> = WON.split_whitespace().chain(["--format", "json"]).collect();
    let proof = said(&words);
    let checked = |proof: &str| fed(kagetsu(&["check-proof", "-"]), proof.as_bytes()).status.code();
    assert_eq!(checked(&proof), Some(0));
    let other = proof.replacen("\"f9\"", "\"a1\"", 1);
    assert_ne!(proof, other);
    assert_eq!(checked(&other), Some(1));
    // Where there is no win there is a verdict, and no proof.
    let words = ["solve", "--moves", "h8 a1", "--vcf-only", "--format", "json"];
    let verdict = kagetsu(&words).output().expect("the program starts").stdout;
    let refused = fed(kagetsu(&["check-proof", "-"]), &verdict);
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(told.contains("this is a verdict (no win by VCF), so there is no proof to check"), "{told}");
    assert_eq!(refused.status.code(), Some(1));
}

/// A result goes into a file of the name `-` only if that is given as `./-`.
#[test]
fn a_hyphen_is_standard_output() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let out_of = |words: &[&str]| {
        let output = kagetsu(words).current_dir(&folder).output().expect("the program starts");
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let solve = ["solve", "--moves", "h8 a1 i8 a15 j8 o1", "--json"];
    let proof = out_of(&[&solve[..], &["-o", "-"]].concat());
    assert!(proof.starts_with(b"{"), "{}", String::from_utf8_lossy(&proof));
    let opening = out_of(&["openings", "--count", "1", "--nodes", "50", "--out", "-"]);
    assert_eq!(opening.iter().filter(|&&byte| byte == b'\n').count(), 1);
    out_of(&["match", "-e", "nodes=5", "-e", "nodes=5", "--games", "2", "--size", "7", "--out", "m"]);
    assert!(!out_of(&["samples", "m", "-o", "-"]).is_empty());
    assert!(out_of(&["report", "m", "-o", "-"]).starts_with(b"<!DOCTYPE html"));
    assert!(!folder.path().join("-").exists());
    assert!(out_of(&[&solve[..], &["-o", "./-"]].concat()).is_empty());
    assert_eq!(fs::read(folder.path().join("-")).expect("it was written"), proof);
}

/// A match writes its games into one file, of which one is analysed at a time.
#[test]
fn one_of_several_games_is_named_or_chosen() {
    let games = b"(;GM[4]SZ[15];B[hh];W[ii]) (;GM[4]SZ[15];B[hh];W[hi];B[jj])";
    let analyse = ["analyse", "--nodes", "200", "--json"];
    for (words, stones, told) in [
        (&analyse[..], "\"stones\":2,", "this is the first of several games; --number N takes another"),
        (&[&analyse[..], &["--number", "2"]].concat(), "\"stones\":3,", ""),
        (&[&analyse[..], &["--number", "1"]].concat(), "\"stones\":2,", ""),
        (&[&analyse[..], &["--number", "3"]].concat(), "", "--number 3: the text has 2 games"),
        (&["solve", "--vcf-only", "--format", "json"], "\"side\":\"black\"", "the first of several games"),
        (&["solve", "--vcf-only", "--format", "json", "--number", "2"], "\"side\":\"white\"", ""),
    ] {
        let output = fed(kagetsu(words), games);
        let (out, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(out.contains(stones) && out.is_empty() == stones.is_empty(), "{words:?}: {out}");
        assert!(said.contains(told) && said.is_empty() == told.is_empty(), "{words:?}: {said}");
    }
    let games = b"(;GM[1]SZ[19];B[dd]) (;GM[4]SZ[15];B[hh];W[ii])";
    let output = fed(kagetsu(&analyse), games);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"stones\":2,"), "{said}");
    assert!(said.contains("game 1 was left out: line 1, column 6: this is game 1 (Go)"), "{said}");
    assert_eq!(fed(kagetsu(&[&analyse[..], &["--number", "1"]].concat()), games).status.code(), Some(1));
}

/// Scripts tell mistakes from failures by the status, whether the parser finds them or the command itself.
#[test]
fn mistakes_in_the_command_line_have_their_status() {
    for words in [
        "match -e name=a -e name=b",
        "match -e nodes=1 -e nodes=1 -e nodes=1 --sprt 0,10",
        "match -e nodes=1 -e nodes=1 --sprt 0,100000",
        "match -e nodes=1 -e nodes=1 --resign 4,-1500",
        "match -e nodes=1 -e nodes=1 --opening-plies 3",
        "match -e nodes=1 -e nodes=1 --games 18446744073709551615",
        "match -e nodes=1 -e nodes=1 --swap2 --openings random --opening-plies 4",
        "match -e nodes=1 -e nodes=1 --openings random --opening-plies 30",
        "match -e info.hash=3 -e nodes=1 --nodes 1",
        "job plan no/such/job.json match -e nodes=1 -e nodes=1 --games 18446744073709551615",
        "samples no-such-file --frequency 2",
        "train --data no-such-file --rate nan",
        "train --data no-such-file --result-share 5",
        "train --data no-such-file --epochs 18446744073709551615",
        "tune --data no-such-file --result-share nan",
        "tune --data no-such-file --result-share=-1",
        "tune --play no-such-folder --games 0",
        "levels --measure --out no-such-folder --games 0",
        "measure --games 0",
        "measure --nodes 0",
        "measure --nodes 60 -- --nodes 70",
        "match -e nodes=1 -e nodes=1 --messages",
        "match -e nodes=1 -e nodes=1 --losses-only",
        "levels --fit 8:1 --size 20",
        "solve --board 3 --line 3 --rule renju",
        "solve --board 3 --line 3 --number 2",
        "solve --moves h8 --number 2",
        "solve --moves h8 --number 0",
        "solve --board 18446744073709551615x1 --line 3",
        "solve --board 30x1 --line 3 --moves a1",
    ] {
        let words: Vec<&str> = words.split_whitespace().collect();
        let output = kagetsu(&words).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[cfg(target_os = "linux")]
mod interrupted {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Child, Command, Stdio};
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    use super::{fs, kagetsu, path_in, said, subcommands};

    /// How long a command is left alone before the signal comes. As long as it has not come far enough by then, it is
    /// tried again with the next of them: a busy machine may take long for what another does at once.
    const WAITS: [Duration; 4] =
        [Duration::from_millis(300), Duration::from_secs(1), Duration::from_secs(3), Duration::from_secs(10)];

    /// Waits until the program catches the signal rather than being ended by it.
    fn wait_until_caught(child: &Child, signal: Signal) {
        let end = Instant::now() + Duration::from_secs(30);
        let is_caught = || {
            let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
            let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
            Some((u64::from_str_radix(mask.trim(), 16).ok()? >> (signal as u32 - 1)) & 1 == 1)
        };
        while is_caught() != Some(true) {
            assert!(Instant::now() < end, "{signal} is not caught");
            sleep(Duration::from_millis(5));
        }
    }

    /// What the command says until the signal ends it with 130, once it has come far enough.
    fn told(arguments: &[&str], signal: Signal, is_enough: impl Fn(&str) -> bool) -> String {
        let mut text = String::new();
        for wait in WAITS {
            text.clear();
            let mut child = kagetsu(arguments)
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program starts");
            wait_until_caught(&child, signal);
            sleep(wait);
            kill(Pid::from_raw(child.id() as i32), signal).expect("it runs");
            let read = child.stdout.take().expect("it is a pipe").read_to_string(&mut text);
            read.expect("it is text");
            let status = child.wait().expect("it was started here").code();
            assert_eq!(status, Some(130), "{arguments:?}, {signal} after {wait:?}: {text}");
            if is_enough(&text) {
                return text;
            }
        }
        panic!("{arguments:?}, {signal}: {text}");
    }

    /// The same where the signal comes once the command has said this on standard error.
    fn told_after(arguments: &[&str], word: &str, signal: Signal) -> (String, Option<i32>) {
        let mut child = kagetsu(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut remarks = BufReader::new(child.stderr.take().expect("it is a pipe")).lines();
        let said = remarks.by_ref().any(|line| line.expect("it is text").contains(word));
        assert!(said, "{arguments:?} never said {word}");
        kill(Pid::from_raw(child.id() as i32), signal).expect("it runs");
        remarks.for_each(drop);
        let mut text = String::new();
        let read = child.stdout.take().expect("it is a pipe").read_to_string(&mut text);
        read.expect("it is text");
        (text, child.wait().expect("it was started here").code())
    }

    /// Either signal ends the command with 130, after it has said all of this.
    fn ends_with(arguments: &[&str], wanted: &[&str]) {
        for signal in [Signal::SIGINT, Signal::SIGTERM] {
            told(arguments, signal, |text| wanted.iter().all(|part| text.contains(part)));
        }
    }

    #[test]
    fn an_analysis_of_one_position_says_that_it_was_cut_short() {
        // What is known by then is shown.
        ends_with(&["analyse", "--moves", "h8 i9 g10", "--time", "600"], &[" 1. ", "nodes, "]);
    }

    #[test]
    fn so_does_that_of_a_game() {
        let options = ["analyse", "--moves", "h8 i9 g10", "--game", "--json", "--time", "600"];
        told(&options, Signal::SIGINT, |text| text.lines().count() == 1);
    }

    #[test]
    fn a_search_for_a_win_shows_what_it_has_come_to() {
        ends_with(&["solve", "--moves", "h8 h9 i9 g7 i7 j8", "--time", "600"], &["nodes"]);
    }

    #[test]
    fn a_small_game_says_how_far_it_got() {
        let large = ["solve", "--board", "7", "--line", "5"];
        told(&large, Signal::SIGINT, |text| text.contains("7,7,5 is not solved yet, after "));
        told(&[&large[..], &["--compare"]].concat(), Signal::SIGTERM, |text| {
            ["minimax", "alpha-beta"].map(|method| text.contains(method)) == [true, false]
        });
    }

    #[test]
    fn a_match_ends_as_well() {
        let options =
            ["match", "-e", "nodes=2000", "-e", "nodes=3000", "--games", "100000", "--json", "--quiet"];
        ends_with(&options, &["\"interrupted\":true"]);
    }

    #[test]
    fn so_do_those_who_make_games_and_openings() {
        let folder = tempfile::tempdir().expect("there is room");
        let [games, better, many] = ["games", "better", "many"].map(|name| path_in(&folder, name));
        let play = ["selfplay", "--seed", "5", "--nodes", "60", "--rule", "freestyle", "--size", "9"];
        said(&[&play[..], &["--out", &games, "--games", "300"]].concat());
        for options in [
            &[&play[..], &["--out", &many, "--games", "1000000"]].concat()[..],
            &["data", "rescore", &games, "--out", &better, "--nodes", "5000"],
        ] {
            for signal in [Signal::SIGINT, Signal::SIGTERM] {
                told(options, signal, str::is_empty);
            }
        }
        // Openings that were found are written.
        for signal in [Signal::SIGINT, Signal::SIGTERM] {
            told(&["openings", "--count", "100000", "--nodes", "1000"], signal, |text| {
                !text.is_empty() && text.lines().all(|line| line.split(", ").count() >= 3)
            });
        }
    }

    #[test]
    fn learning_keeps_what_it_has_come_to() {
        let folder = tempfile::tempdir().expect("there is room");
        let [games, weights] = ["games", "weights.bin"].map(|name| path_in(&folder, name));
        let play = ["selfplay", "--out", &games, "--seed", "5", "--games", "100", "--nodes", "60"];
        said(&[&play[..], &["--rule", "freestyle", "--size", "9"]].concat());
        for (command, signal) in [("train", Signal::SIGINT), ("tune", Signal::SIGTERM)] {
            let options = [command, "--data", &games, "--out", &weights, "--epochs", "1000000"];
            let checkpoint = folder.path().join("weights.bin.checkpoint");
            // Training keeps nothing before its first epoch is over; a fit keeps what it has after each of its passes.
            match command {
                "train" => {
                    let (text, status) = told_after(&options, "epoch", signal);
                    assert_eq!((text.as_str(), status), ("", Some(130)));
                }
                _ => {
                    told(&options, signal, |text| text.is_empty() && checkpoint.exists());
                }
            }
            // The clock alone would not have written one yet.
            assert!(checkpoint.exists() && !folder.path().join("weights.bin").exists(), "{command}");
            fs::remove_file(checkpoint).expect("it is there");
        }
    }

    #[test]
    fn training_that_is_still_reading_games_ends_in_good_order() {
        let folder = tempfile::tempdir().expect("there is room");
        let [games, pipe, weights] = ["games", "pipe.kgr", "weights.bin"].map(|name| path_in(&folder, name));
        let play = ["selfplay", "--out", &games, "--seed", "5", "--games", "20", "--nodes", "60"];
        said(&[&play[..], &["--rule", "freestyle", "--size", "9"]].concat());
        assert!(Command::new("mkfifo").arg(&pipe).status().expect("it is a command of Linux").success());
        let mut command = kagetsu(&["train", "--data", &pipe, "--out", &weights]);
        let child = command.stderr(Stdio::piped()).spawn().expect("the program starts");
        wait_until_caught(&child, Signal::SIGTERM);
        kill(Pid::from_raw(child.id() as i32), Signal::SIGTERM).expect("it runs");
        // It reads the games from here on.
        let shard = fs::read(folder.path().join("games").join("seed-5-0000.kgr")).expect("it was written");
        fs::write(&pipe, shard).expect("it is being read");
        let ended = child.wait_with_output().expect("it was started here");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(130), "{said}");
        assert!(said.contains("reading the games of 1 file") && !said.contains("resumes"), "{said}");
        // Nothing was learned yet.
        assert!(
            !folder.path().join("weights.bin.checkpoint").exists()
                && !folder.path().join("weights.bin").exists()
        );
    }

    /// What `library stat` says first and what it says in all; nothing if there is no library.
    #[cfg(feature = "library")]
    fn positions_in(library: &str) -> (u64, String) {
        let output = kagetsu(&["library", "stat", library]).output().expect("the program starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let count = text.split_whitespace().nth(1).and_then(|count| count.parse().ok());
        (count.unwrap_or(0), text)
    }

    #[cfg(feature = "library")]
    #[test]
    fn a_book_that_grows_keeps_every_position() {
        let folder = tempfile::tempdir().expect("there is room");
        let book = path_in(&folder, "book.kgl");
        let size = ["--nodes", "300", "--positions", "1000000", "--margin", "100", "--memory", "32"];
        let grow = [&["library", "grow", &book][..], &size].concat();
        let mut before = 0;
        for signal in [Signal::SIGINT, Signal::SIGTERM] {
            let text = told(&grow, signal, |text| text.contains("more position"));
            assert!(positions_in(&book).0 > before, "{text}");
            before = positions_in(&book).0;
        }
        assert!(said(&["library", "check", &book]).contains("is intact"));
    }

    /// The files that were read by then are in the library, and of the one that was being read there is nothing.
    #[cfg(feature = "library")]
    #[test]
    fn an_import_ends_between_two_files() {
        let folder = tempfile::tempdir().expect("there is room");
        let [library, small] = ["a.kgl", "small.sgf"].map(|name| path_in(&folder, name));
        let large = [1, 2, 3, 4, 5, 6, 7, 8].map(|number| path_in(&folder, &format!("large-{number}.sgf")));
        fs::write(&small, "(;GM[4]SZ[15];B[hh];W[ii])").expect("there is room");
        // Each game walks over the board with another stride or from another point. So many are not read in a moment.
        let strides = (1..225).filter(|stride| stride % 3 > 0 && stride % 5 > 0);
        let letter = |number: usize| char::from(b'a' + number as u8);
        let game = |start: usize, stride: usize| {
            let stone = |ply: usize| {
                let at = (start + ply * stride) % 225;
                format!(";{}[{}{}]", ["B", "W"][ply % 2], letter(at % 15), letter(at / 15))
            };
            format!("(;GM[4]SZ[15]{})\n", (0..14).map(stone).collect::<String>())
        };
        let games = strides.flat_map(|stride| (0..225).map(move |start| (start, stride)));
        let games: String = games.map(|(start, stride)| game(start, stride)).collect();
        for (number, path) in large.iter().enumerate() {
            fs::write(path, format!("(;GM[4]SZ[15]GN[{number}];B[hh])\n{games}")).expect("there is room");
        }
        let import = ["library", "import", &library, &small].into_iter();
        let import: Vec<&str> = import.chain(large.iter().map(String::as_str)).collect();
        for signal in [Signal::SIGINT, Signal::SIGTERM] {
            told(&import, signal, |text| {
                text.contains(" file") && positions_in(&library).1.contains("from small.sgf: 1 game,")
            });
            let (count, text) = positions_in(&library);
            let whole = text.matches(": 27001 games,").count();
            assert!(whole < large.len() && whole == text.matches("from large-").count(), "{text}");
            assert!(whole > 0 || count == 3, "{text}");
        }
        assert!(said(&["library", "check", &library]).contains("is intact"));
    }

    #[test]
    fn a_job_keeps_the_shards_that_are_done() {
        let folder = tempfile::tempdir().expect("there is room");
        let [job, shards] = ["job.json", "shards"].map(|name| path_in(&folder, name));
        let games = ["selfplay", "--games", "100000", "--nodes", "60", "--size", "9", "--rule", "freestyle"];
        said(&[&["job", "plan", &job, "--shard-size", "1"][..], &games].concat());
        for (signal, kept) in [
            (Signal::SIGINT, "shard 0: done in"),
            // The same command goes on.
            (Signal::SIGTERM, "shard 0: was done before"),
        ] {
            told(&["job", "run", &job, "--out", &shards], signal, |text| text.contains(kept));
        }
    }

    #[test]
    fn the_ladder_keeps_its_games() {
        let folder = tempfile::tempdir().expect("there is room");
        let out = folder.path().to_str().expect("it is text");
        let few = ["--rule", "renju", "--size", "9", "--to", "2", "--openings", "2", "--games", "1000000"];
        let measure = [&["levels", "--measure", "--out", out][..], &few].concat();
        let games = || {
            let records = folder.path().join("renju-9x9").join("01-02").join("games.jsonl");
            fs::read_to_string(records).map_or(0, |text| text.matches("\"type\":\"game\"").count())
        };
        let mut before = 0;
        for signal in [Signal::SIGINT, Signal::SIGTERM] {
            told(&measure, signal, |text| text.is_empty() && games() > before);
            before = games();
        }
    }

    /// A checkout in which a script stands for Cargo: it notes where it builds, fails as long as there is a file
    /// `mistake`, and never comes to an end with the commit.
    fn checkout() -> tempfile::TempDir {
        use std::os::unix::fs::PermissionsExt;

        let temp = tempfile::tempdir().expect("there is room");
        let folder = temp.path();
        let git = |words: &[&str]| {
            let mut git = Command::new("git");
            git.args(["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false"]);
            assert!(git.args(words).current_dir(folder).status().expect("git starts").success(), "{words:?}");
        };
        let cargo = folder.join("cargo");
        let root = folder.display();
        let script = format!(
            "#!/bin/sh\necho \"$PWD\" >> '{root}/built'\n[ ! -e '{root}/mistake' ] || exit 101\ncase $PWD in\n\
             */tree-*) sleep 1000 & echo $! > '{root}/sleeping'; wait ;;\n\
             *) mkdir -p target/other/release && echo program > target/other/release/kagetsu\n\
             echo '{{\"target\":{{\"name\":\"kagetsu\"}},\"executable\":\"{root}/target/other/release/kagetsu\"}}' ;;\nesac\n"
        );
        fs::write(&cargo, script).expect("there is room");
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).expect("it is there");
        fs::write(folder.join(".gitignore"), "*\n").expect("there is room");
        git(&["init", "--quiet"]);
        git(&["add", "--force", ".gitignore"]);
        git(&["commit", "--quiet", "-m", "first"]);
        temp
    }

    #[test]
    fn a_measurement_builds_the_change_first_and_leaves_no_tree_behind() {
        let temp = checkout();
        let folder = temp.path();
        let measure = || {
            let mut command = kagetsu(&["measure", "--base", "HEAD"]);
            command.current_dir(folder).env("CARGO", folder.join("cargo"));
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command
        };
        let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
        fs::write(folder.join("mistake"), "").expect("there is room");
        let failed = measure().output().expect("the program starts");
        let said = String::from_utf8_lossy(&failed.stderr);
        assert_eq!(failed.status.code(), Some(1), "{said}");
        assert!(said.contains("building the working tree") && said.contains("does not build"), "{said}");
        let built = text("built");
        assert!(built.lines().count() == 1 && !built.contains("tree-"), "{built}");
        fs::remove_file(folder.join("mistake")).expect("it is there");

        for signal in [Signal::SIGTERM, Signal::SIGINT] {
            let child = measure().spawn().expect("the program starts");
            let end = Instant::now() + Duration::from_secs(60);
            while !text("sleeping").ends_with('\n') {
                assert!(Instant::now() < end, "the commit is not built");
                sleep(Duration::from_millis(5));
            }
            let sleeping: i32 = text("sleeping").trim().parse().expect("a number");
            kill(Pid::from_raw(child.id() as i32), signal).expect("it runs");
            let ended = child.wait_with_output().expect("it was started here");
            let said = String::from_utf8_lossy(&ended.stderr);
            assert_eq!(ended.status.code(), Some(130), "{signal}: {said}");
            assert!(said.contains("building") && said.contains("the same command resumes"), "{said}");
            assert!(fs::read_to_string(format!("/proc/{sleeping}/cmdline")).unwrap_or_default().is_empty());
            let trees = Command::new("git").args(["worktree", "list"]).current_dir(folder).output();
            let trees = String::from_utf8(trees.expect("git starts").stdout).expect("it is text");
            assert_eq!(trees.lines().count(), 1, "{trees}");
            let left = fs::read_dir(folder.join("target/measure")).expect("it was made").flatten();
            let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
            assert!(!left.iter().any(|name| name.to_string_lossy().starts_with("tree-")), "{left:?}");
            fs::remove_file(folder.join("sleeping")).expect("it is there");
        }
    }

    /// Whether whoever started this test has it ignore the signal, as shells do with SIGINT where they start something
    /// in the background. Then so does the program, unless it catches the signal.
    fn is_ignored(signal: Signal) -> bool {
        let status = fs::read_to_string("/proc/self/status").expect("this process runs");
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("it is told");
        (u64::from_str_radix(mask.trim(), 16).expect("a mask") >> (signal as u32 - 1)) & 1 == 1
    }

    /// Where there is nothing to save the signal itself ends the program, as shells see from its status.
    #[test]
    fn a_signal_ends_a_player_and_a_board_by_itself() {
        let mut commands = vec![vec!["play"]];
        if subcommands().contains(&"board".to_owned()) {
            commands.push(vec!["board", "--no-open", "--port", "0", "--memory", "64"]);
        }
        for signal in [Signal::SIGINT, Signal::SIGTERM].into_iter().filter(|&signal| !is_ignored(signal)) {
            for words in &commands {
                let piped = || Stdio::piped();
                let child = kagetsu(words).stdin(piped()).stdout(piped()).spawn();
                let mut child = child.expect("the program starts");
                let mut input = child.stdin.take().expect("it is a pipe");
                // Only a player reads it.
                input.write_all(b"ABOUT\n").expect("it runs");
                let mut output = BufReader::new(child.stdout.take().expect("it is a pipe"));
                // Its name, or the address of the board.
                let mut line = String::new();
                output.read_line(&mut line).expect("it is text");
                assert!(line.starts_with("name=") || line.starts_with("http://"), "{words:?}: {line}");
                kill(Pid::from_raw(child.id() as i32), signal).expect("it runs");
                let end = Instant::now() + Duration::from_secs(30);
                let status = loop {
                    match child.try_wait().expect("it was started here") {
                        None if Instant::now() < end => sleep(Duration::from_millis(5)),
                        ended => break ended,
                    }
                };
                let _ = child.kill();
                let ended_by = status.and_then(|status| status.signal());
                assert_eq!(ended_by, Some(signal as i32), "{words:?}, {signal}: {status:?}");
            }
        }
    }
}
