//! `kagetsu library` as people use it: files come in and go out, and a program that is killed while it writes leaves a
//! whole library behind.

#[path = "harness/random.rs"]
#[allow(dead_code)]
mod random;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use kagetsu::formats::sgf::{SgfGame, SgfNode};
use kagetsu::{Color, Size};
use rand::RngExt;
use rand::rngs::StdRng;
use random::{drawn_points, rng};

const KAGETSU: &str = env!("CARGO_BIN_EXE_kagetsu");

/// Kills, unless `KAGETSU_KILLS` says otherwise; a thousand were tried.
const KILLS: u64 = 25;

/// What the program says and the errors it tells, in this folder.
fn kagetsu(folder: impl AsRef<Path>, arguments: &[&str]) -> (bool, String, String) {
    let output = Command::new(KAGETSU)
        .args(arguments)
        .current_dir(folder)
        .env_remove("RUST_LOG")
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("it says text");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

fn done(folder: impl AsRef<Path>, arguments: &[&str]) -> String {
    let (is_done, said, errors) = kagetsu(folder, arguments);
    assert!(is_done, "kagetsu {arguments:?}: {errors}");
    said
}

/// A collection of so many games that begin in the centre, which Black is said to have won.
fn collection(games: u64, random: &mut StdRng) -> String {
    let size = Size::square(15);
    let game = |_| {
        let mut sgf = SgfGame::new(size);
        sgf.node_mut(SgfGame::ROOT).set("RE", ["B+"]);
        let others = drawn_points(size, 14, random).into_iter().filter(|&point| point != size.center());
        let points = std::iter::once(size.center()).chain(others).take(14);
        points
            .zip(Color::ALL.into_iter().cycle())
            .fold(SgfGame::ROOT, |after, (point, color)| sgf.add(after, SgfNode::play(color, point)));
        sgf.to_string()
    };
    (0..games).map(game).collect()
}

/// The games of the empty board.
fn games_in(folder: impl AsRef<Path>, library: &str) -> u64 {
    let said = done(folder, &["library", "query", library, "--json"]);
    let page: serde_json::Value = serde_json::from_str(&said).expect("it is JSON");
    page["position"]["games"].as_u64().unwrap_or(0)
}

#[test]
fn a_killed_import_loses_nothing_but_the_file_it_was_reading() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut random = rng(7);
    let kills = std::env::var("KAGETSU_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    // Files of different numbers of games, so that none passes for another.
    let counts: Vec<u64> = (0..8).map(|n| 1 << n).collect();
    let names: Vec<String> = (0..counts.len()).map(|n| format!("{n}.sgf")).collect();
    for (name, &games) in names.iter().zip(&counts) {
        fs::write(folder.path().join(name), collection(games, &mut random)).expect("files can be written");
    }
    let all: u64 = counts.iter().sum();
    let mut arguments = vec!["library", "import", "book.kgl"];
    arguments.extend(names.iter().map(String::as_str));
    let (mut interrupted, mut checked, mut was_library) = (0, 0, false);
    // How long a whole import takes, so that the kills fall within it on any machine.
    let started = Instant::now();
    done(&folder, &arguments);
    let whole = (started.elapsed().as_micros() as u64).max(1000);
    for kill in 0..kills {
        if kill % 5 == 0 {
            for name in ["book.kgl", "book.kgl-wal", "book.kgl-shm"] {
                let _ = fs::remove_file(folder.path().join(name));
            }
            was_library = false;
        }
        let mut child = Command::new(KAGETSU)
            .args(&arguments)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        thread::sleep(Duration::from_micros(random.random_range(0..whole)));
        let _ = child.kill();
        let status = child.wait().expect("it ends");
        interrupted += u64::from(!status.success());
        let (is_library, _, errors) = kagetsu(&folder, &["library", "stat", "book.kgl"]);
        if !is_library {
            // Killed before the tables were there, and the next import makes them. What was a library stays one.
            assert!(!was_library, "{errors}");
            continue;
        }
        was_library = true;
        checked += 1;
        let said = done(&folder, &["library", "check", "book.kgl"]);
        assert!(said.contains("is intact"), "{said}");
        // Whatever came in so far, each file came in as a whole, and once.
        let sources = done(&folder, &["library", "stat", "book.kgl"]);
        let mut told = BTreeMap::new();
        for line in sources.lines().filter_map(|line| line.strip_prefix("from ")) {
            let (name, rest) = line.split_once(": ").expect("a name and what came from there");
            let games = rest.split(' ').next().and_then(|games| games.parse::<u64>().ok());
            let number = names.iter().position(|known| known == name).expect("a file of this test");
            assert_eq!(games, Some(counts[number]), "{sources}");
            assert_eq!(told.insert(number, counts[number]), None, "{sources}");
        }
        // And the positions know of these games and of no others.
        assert_eq!(games_in(&folder, "book.kgl"), told.values().sum::<u64>(), "{sources}");
    }
    assert!(
        interrupted > 0 && checked >= kills / 5,
        "{interrupted} interrupted, {checked} checked, of {kills}"
    );
    done(&folder, &arguments);
    assert_eq!(games_in(&folder, "book.kgl"), all);
}

#[test]
fn a_pipe_is_imported_like_a_file() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut random = rng(9);
    let mut pipes = vec![("-", 3), ("-", 2)];
    if cfg!(target_os = "linux") {
        pipes.push(("/dev/stdin", 1));
    }
    let mut total = 0;
    for (name, games) in pipes {
        let mut child = Command::new(KAGETSU)
            .args(["library", "import", "a.kgl", name])
            .current_dir(&folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("it is piped");
        std::io::Write::write_all(&mut input, collection(games, &mut random).as_bytes()).expect("it reads");
        drop(input);
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success());
        total += games;
        assert_eq!(games_in(&folder, "a.kgl"), total);
        let remarks = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!remarks.contains("with the name of"), "standard input has none: {remarks}");
    }
}

#[test]
fn two_programs_write_to_one_library() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut random = rng(8);
    for n in 0..6 {
        fs::write(folder.path().join(format!("{n}.sgf")), collection(20, &mut random))
            .expect("files can be written");
    }
    let import = |files: [&str; 3]| {
        let arguments = [&["library", "import", "book.kgl"], &files[..]].concat();
        Command::new(KAGETSU)
            .args(arguments)
            .current_dir(&folder)
            .stdout(Stdio::null())
            .spawn()
            .expect("it starts")
    };
    done(&folder, &["library", "create", "book.kgl"]);
    let mut both = [import(["0.sgf", "1.sgf", "2.sgf"]), import(["3.sgf", "4.sgf", "5.sgf"])];
    both.iter_mut().for_each(|child| assert!(child.wait().expect("it ends").success()));
    assert_eq!(games_in(&folder, "book.kgl"), 120);
}

#[test]
fn a_library_goes_out_and_comes_back() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let text = "(;GM[4]SZ[15]RU[renju]RE[B+];B[hh]C[the centre];W[ih]LB[ji:A];B[ii](;W[jj]C[usual])(;W[hi]))";
    fs::write(folder.path().join("a.sgf"), text).expect("files can be written");
    assert_eq!(done(&folder, &["library", "import", "a.kgl", "a.sgf"]), "1 file, 1 game, 6 positions\n");
    // Other options change nothing, and this is told.
    let (is_done, known, why) = kagetsu(&folder, &["library", "import", "a.kgl", "a.sgf", "--stones", "2"]);
    assert!(is_done && known.contains("files known already: 1"), "{known}");
    assert!(why.contains("perhaps with other options; --again imports it"), "{why}");
    let query = ["--rule", "renju", "--moves", "h8 i8 i7"];
    let said = done(&folder, &[&["library", "query", "a.kgl"], &query[..]].concat());
    assert!(said.contains("Kagetsu (D4, 花月)") && said.contains("usual"), "{said}");
    let elsewhere = done(&folder, &["library", "query", "a.kgl", "--moves", "h8"]);
    assert!(
        elsewhere.ends_with("nothing of freestyle 15x15, but of renju 15x15: see --rule and --size.\n"),
        "{elsewhere}"
    );
    let (is_done, _, error) = kagetsu(&folder, &["library", "query", "a.kgl", "--lines", "0"]);
    assert!(!is_done && error.contains("0 is not in 1.."), "{error}");
    let error = kagetsu(&folder, &["library", "export", "a.kgl", "--format", "json", "-o", "none/a.json"]).2;
    assert!(error.contains("--out: none/a.json cannot be written: no such folder"), "{error}");
    for (wanted, told) in [
        (
            &["json", "--rule", "caro"][..],
            "a.kgl has nothing of caro, but of renju 15x15: see --rule and --size",
        ),
        (&["sgf", "--size", "20"], "a.kgl has nothing of 20x20, but of renju 15x15"),
        (&["book"], "a.kgl: no position has a score"),
    ] {
        let export = ["library", "export", "a.kgl", "-o", "nothing", "--format"];
        let (is_done, _, error) = kagetsu(&folder, &[&export[..], wanted].concat());
        assert!(!is_done && error.contains(told), "{wanted:?}: {error}");
        assert!(!folder.path().join("nothing").exists(), "{wanted:?}");
    }
    // The same stones as a position that was set up have no order, and are no opening.
    fs::write(folder.path().join("set-up.sgf"), "(;SZ[15]RU[renju]AB[hh][hi]AW[ih]PL[W])")
        .expect("files can be written");
    let said = done(&folder, &["library", "query", "a.kgl", "set-up.sgf"]);
    assert!(said.contains("renju") && !said.contains("D4"), "{said}");
    let contents = |library: &str| done(&folder, &["library", "export", library, "--format", "json"]);
    for (format, name) in [("sgf", "b.sgf"), ("json", "b.jsonl"), ("csv", "b.csv"), ("lib", "b.lib")] {
        done(&folder, &["library", "export", "a.kgl", "--format", format, "-o", name]);
        let again = format!("{format}.kgl");
        done(&folder, &["library", "import", &again, name, "--rule", "renju"]);
        // RenLib has no games, but every position with its comment.
        if format == "lib" {
            assert_eq!(contents(&again).lines().count(), contents("a.kgl").lines().count());
            assert!(contents(&again).contains("usual") && contents(&again).contains("the centre"));
        } else {
            assert_eq!(contents(&again), contents("a.kgl"), "{format}");
        }
    }
    done(
        &folder,
        &[&["library", "edit", "a.kgl", "--comment", "by hand", "--mark", "--tag", "k"], &query[..]].concat(),
    );
    let said = done(&folder, &[&["library", "query", "a.kgl"], &query[..]].concat());
    assert!(said.contains("\n[k] marked\n| by hand"), "{said}");
    // A win by force, proved and checked.
    let won = ["--moves", "h8 a1 i8 a2 j8 a3"];
    done(&folder, &[&["library", "edit", "a.kgl", "--prove"], &won[..]].concat());
    let said = done(&folder, &[&["library", "query", "a.kgl"], &won[..]].concat());
    assert!(said.contains("wins in") && said.contains("proved"), "{said}");
    // It is proved here. Whoever imports the file has to say that they believe it.
    done(&folder, &["library", "export", "a.kgl", "--format", "json", "-o", "a.jsonl"]);
    for (name, options, is_proved) in [("b.kgl", &[][..], false), ("c.kgl", &["--trust-proofs"], true)] {
        done(&folder, &[&["library", "import", name, "a.jsonl"], options].concat());
        let said = done(&folder, &[&["library", "query", name], &won[..]].concat());
        assert!(said.contains("wins in") && said.contains("proved") == is_proved, "{name}: {said}");
    }
}

#[test]
fn a_folder_names_the_rule_however_its_path_is_typed() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::create_dir_all(folder.path().join("Renju")).expect("a folder can be made");
    fs::write(folder.path().join("Renju/1.psq"), "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\nA\nB\n-1\n")
        .expect("files can be written");
    for (inside, path) in [("", "Renju"), ("Renju", "."), ("Renju", "1.psq"), ("Renju", "../Renju/1.psq")] {
        let place = folder.path().join(inside);
        done(&place, &["library", "import", "a.kgl", path, "--again"]);
        let said = done(&place, &["library", "stat", "a.kgl"]);
        assert!(said.contains("boards     renju 15x15\n"), "{inside} {path}: {said}");
        fs::remove_file(place.join("a.kgl")).expect("it was made");
    }
}

#[test]
fn mistakes_name_the_file_and_the_place_and_change_nothing() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join("bad.sgf"), "\n(;B[zz])").expect("files can be written");
    fs::write(
        folder.path().join("cut.lib"),
        b"\xFFRenLib\xFF\x03\x04\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x78\x00\x79",
    )
    .expect("files can be written");
    fs::write(folder.path().join("empty.sgf"), "").expect("files can be written");
    fs::write(folder.path().join("results.pgn"), "[Round \"1\"]\n[Result \"1-0\"]\n\n1-0\n")
        .expect("files can be written");
    done(&folder, &["library", "create", "a.kgl"]);
    for (name, place) in [
        ("bad.sgf", "bad.sgf: line 2, column 5: zz is off the board"),
        ("cut.lib", "cut.lib: byte 23: the file ends before the end of a move"),
        ("results.pgn", "results.pgn: there are no moves"),
        ("empty.sgf", "empty.sgf: the file is empty"),
        ("nothing.sgf", "nothing.sgf"),
    ] {
        let (is_done, _, errors) = kagetsu(&folder, &["library", "import", "a.kgl", name]);
        assert!(!is_done && errors.contains(place), "{errors}");
        assert!(done(&folder, &["library", "stat", "a.kgl"]).starts_with("positions           0"), "{name}");
        assert!(!kagetsu(&folder, &["library", "import", "b.kgl", name]).0, "{name}");
    }
    fs::write(folder.path().join("moves.txt"), "h8 i9 j10\n").expect("files can be written");
    for (command, told) in [
        (
            &["library", "import", "a.kgl", "a.kgl"][..],
            "a.kgl: this is a library already; `kagetsu library export",
        ),
        (
            &["library", "import", "a.kgl", "moves.txt"],
            "moves.txt: it is in none of the formats that can be imported",
        ),
        (&["solve", "a.kgl"], "`kagetsu library query`"),
        (&["analyse", "a.kgl"], "`kagetsu library query`"),
    ] {
        let (is_done, _, errors) = kagetsu(&folder, command);
        assert!(!is_done && errors.contains(told), "{command:?}: {errors}");
    }
    for change in [&["--label", "zz=A"][..], &["--remove"], &["--tag", "AB"]] {
        let edit = ["library", "edit", "b.kgl", "--moves", "h8"];
        assert!(!kagetsu(&folder, &[&edit[..], change].concat()).0, "{change:?}");
    }
    fs::write(folder.path().join("dead.txt"), ". . # . .\n. X . . .\n. . . . .\n. . . . .\n. . . . .\n")
        .expect("files can be written");
    for (grown, why) in [
        (["--moves", "zz"], "reading --moves"),
        (["--positions", "0"], "nothing was searched, so the library b.kgl was not created"),
        // Black has five in a row.
        (["--moves", "h8 a1 h9 b1 h10 c1 h11 d1 h12"], "nothing was searched"),
    ] {
        let (is_done, _, errors) = kagetsu(&folder, &[&["library", "grow", "b.kgl"], &grown[..]].concat());
        assert!(!is_done && errors.contains(why), "{grown:?}: {errors}");
    }
    for change in [["grow", "b.kgl", "dead.txt"].as_slice(), &["edit", "b.kgl", "dead.txt", "--mark"]] {
        let (is_done, _, errors) = kagetsu(&folder, &[&["library"], change].concat());
        assert!(!is_done && errors.contains("dead cells"), "{change:?}: {errors}");
    }
    assert!(!folder.path().join("b.kgl").exists(), "no library is made in vain");
    let skipped = done(
        &folder,
        &["library", "import", "a.kgl", "bad.sgf", "cut.lib", "--skip-bad", "--accept-truncated"],
    );
    assert!(skipped.contains("1 file, 0 games") && skipped.contains("left out: 1"), "{skipped}");
    for arguments in [
        &["library", "query", "none.kgl"][..],
        &["library", "query", "bad.sgf"],
        &["library", "create", "a.kgl"],
    ] {
        assert!(!kagetsu(&folder, arguments).0, "{arguments:?}");
    }
    let mut bytes = fs::read(folder.path().join("a.kgl")).expect("it was made");
    bytes[4096..].fill(0xFF);
    fs::write(folder.path().join("torn.kgl"), bytes).expect("files can be written");
    for (command, more) in
        [("stat", ""), ("query", ""), ("export", "--format=sgf"), ("export", "--format=csv")]
    {
        let arguments = ["library", command, "torn.kgl", more];
        let (is_done, _, errors) = kagetsu(&folder, &arguments[..if more.is_empty() { 3 } else { 4 }]);
        assert!(!is_done && errors.contains("torn.kgl: the library cannot be used"), "{command}: {errors}");
    }
}

#[test]
fn records_of_matches_and_of_training_are_imported() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let fast =
        ["match", "-e", "nodes=20", "-e", "nodes=10", "--size", "9", "--rule", "caro", "-q", "--out", "m"];
    done(&folder, &[&fast[..], &["--games", "4"]].concat());
    done(
        &folder,
        &["selfplay", "--out", "t", "--games", "3", "--nodes", "20", "--rule", "caro", "--size", "9"],
    );
    for (from, games) in [("m", 4), ("t", 3)] {
        let said = done(&folder, &["library", "import", "a.kgl", from]);
        assert!(said.starts_with(&format!("1 file, {games} games, ")), "{said}");
    }
    // A match that has gone on brings its new games.
    done(&folder, &[&fast[..], &["--games", "6"]].concat());
    for said in ["1 file, 2 games, ", "0 files, 0 games, "] {
        assert!(done(&folder, &["library", "import", "a.kgl", "m"]).starts_with(said), "{said}");
    }
    let empty = done(&folder, &["library", "query", "a.kgl", "--rule", "caro", "--size", "9", "--json"]);
    let empty: serde_json::Value = empty.parse().expect("it is JSON");
    let position = &empty["position"];
    let results =
        ["black_wins", "white_wins", "draws"].map(|name| position[name].as_u64().expect("a number"));
    assert_eq!((position["games"].as_u64(), results.iter().sum()), (Some(9), 9), "{empty}");
}

#[test]
fn what_was_read_otherwise_than_it_is_written_is_told() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let five = "B[fh];W[aa];B[gh];W[ca];B[hh];W[ea];B[ih];W[ga];B[jh]";
    let text = format!("(;GM[4]SZ[15]RU[Japanese]RE[W+];{five})");
    fs::write(folder.path().join("a.sgf"), text).expect("files can be written");
    let (is_done, _, told) = kagetsu(&folder, &["library", "import", "a.kgl", "a.sgf"]);
    assert!(is_done && told.contains("a rule which is not known: 1;"), "{told}");
    assert!(told.contains("not that of the line on their board: 1;"), "{told}");
    fs::write(folder.path().join("r.sgf"), "(;GM[4]SZ[15]RE[forfeit];B[hh])(;GM[4]SZ[15]RE[黒勝];B[hh])")
        .expect("files can be written");
    let (is_done, _, told) = kagetsu(&folder, &["library", "import", "r.kgl", "r.sgf"]);
    assert!(is_done && told.contains("whose result (`RE`) is not understood: 1;"), "{told}");
    fs::write(folder.path().join("r.sgf"), "(;GM[4]SZ[15];B[ii])").expect("files can be written");
    let (is_done, _, told) = kagetsu(&folder, &["library", "import", "r.kgl", "r.sgf"]);
    assert!(is_done && told.contains("imported before, and other contents: 1;"), "{told}");
    // Two Chinese characters in GBK.
    let text = b"(;GM[4]SZ[15]CA[UTF-8];B[hh]C[\xbb\xa8\xd4\xc2])";
    fs::write(folder.path().join("b.sgf"), text).expect("files can be written");
    let (is_done, _, told) =
        kagetsu(&folder, &["library", "import", "b.kgl", "b.sgf", "--encoding", "utf-8"]);
    assert!(is_done && told.contains("unreadable characters: 1;"), "{told}");
    let (is_done, _, told) = kagetsu(&folder, &["library", "import", "d.kgl", "b.sgf"]);
    assert!(
        is_done
            && told.contains("b.sgf: it is not UTF-8 and names no other encoding; it was read as gb18030"),
        "{told}"
    );
    let (is_done, _, told) =
        kagetsu(&folder, &["library", "import", "c.kgl", "b.sgf", "--encoding", "klingon"]);
    assert!(!is_done && told.contains("`klingon` is not a known encoding"), "{told}");
}

#[test]
fn a_bad_game_is_left_out_of_its_collection() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let text = "From: a@b (c)\n\n(;GM[4]SZ[15];B[hh])\n(;GM[1]SZ[19];B[dd])\n(;GM[4]SZ[15];B[hh];W[ii])\n";
    fs::write(folder.path().join("games.sgf"), text).expect("files can be written");
    let (is_done, said, errors) = kagetsu(&folder, &["library", "import", "a.kgl", "games.sgf"]);
    assert!(is_done && said.starts_with("1 file, 2 games"), "{said} {errors}");
    let told = "games.sgf: game 2 was left out: line 4, column 6: this is game 1 (Go) of SGF";
    assert!(errors.contains(told), "{errors}");
}

#[test]
fn bad_archives_and_bad_files_in_them_are_skipped() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let good = "(;GM[4]SZ[15];B[hh])";
    fs::write(folder.path().join("good.sgf"), good).expect("files can be written");
    fs::write(folder.path().join("none.zip"), "no archive").expect("files can be written");
    let mut writer =
        zip::ZipWriter::new(fs::File::create(folder.path().join("a.zip")).expect("it can be made"));
    for (name, text) in
        [("bad.sgf", "(;"), ("2.sgf", "(;GM[4]SZ[15];B[ii])"), ("results.pgn", "[Round \"1\"]\n*\n")]
    {
        writer.start_file(name, zip::write::SimpleFileOptions::default()).expect("it can be written");
        std::io::Write::write_all(&mut writer, text.as_bytes()).expect("it can be written");
    }
    writer.finish().expect("it can be written");
    for (file, place) in [("none.zip", "none.zip: "), ("a.zip", "a.zip/bad.sgf: line 1")] {
        let (is_done, _, errors) = kagetsu(&folder, &["library", "import", "a.kgl", file, "good.sgf"]);
        assert!(!is_done && errors.contains(place), "{errors}");
    }
    let arguments = ["library", "import", "a.kgl", "none.zip", "a.zip", "good.sgf", "--skip-bad"];
    let said = done(&folder, &arguments);
    assert!(said.starts_with("2 files, 2 games") && said.contains("left out: 3"), "{said}");
}

#[test]
fn a_book_grows_goes_on_and_is_played_from() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let grow = |positions: &str| {
        let size = ["--nodes", "300", "--positions", positions, "--rule", "standard"];
        done(&folder, &[&["library", "grow", "g.kgl"], &size[..]].concat())
    };
    assert!(grow("3").starts_with("3 more positions, 3 in all"));
    assert!(grow("2").starts_with("2 more positions, 5 in all"));
    assert_eq!(grow("0"), "nothing was searched within --positions and --time\n");
    let mut child = Command::new(KAGETSU)
        .args(["play", "--book", "g.kgl"])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("it is piped");
    std::io::Write::write_all(&mut input, b"START 15\nINFO rule 1\nBEGIN\nEND\n").expect("it reads");
    drop(input);
    let said = String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("it says text");
    assert!(said.contains("MESSAGE book") && said.trim_end().ends_with("7,7"), "{said}");
}
