//! Long work cut into shards, as a user or a batch system comes to it: planned, done in pieces, merged.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const KAGETSU: &str = env!("CARGO_BIN_EXE_kagetsu");
/// The exit status of a build that the job was not planned with.
const OTHER_BUILD: i32 = 12;

/// Runs the program in a folder.
fn kagetsu(folder: impl AsRef<Path>, words: &str) -> Output {
    let words = words.split_whitespace();
    Command::new(KAGETSU).args(words).current_dir(folder).output().expect("the program starts")
}

/// The same; what it prints.
fn done(folder: impl AsRef<Path>, words: &str) -> String {
    let output = kagetsu(folder, words);
    assert!(output.status.success(), "kagetsu {words}: {output:?}");
    String::from_utf8(output.stdout).expect("it prints text")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The same where it fails, with the status of a failure, and says this.
fn fails_with(folder: impl AsRef<Path>, words: &str, text: &str) {
    let output = kagetsu(folder, words);
    assert!(output.status.code() == Some(1) && said(&output).contains(text), "kagetsu {words}: {output:?}");
}

/// The files of a folder with this ending, by name.
fn files(folder: impl AsRef<Path>, ending: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        let name = path.file_name().expect("files have names").to_string_lossy().into_owned();
        if name.ends_with(ending) {
            files.push((name, fs::read(&path).expect("it can be read")));
        }
    }
    files.sort();
    files
}

#[test]
fn selfplay_and_rescoring_in_shards_are_those_of_one_machine() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let recipe = "--games 5 --nodes 50 --seed 3 --size 9 --rule freestyle --rule renju";
    done(&folder, &format!("job plan job.json --shard-size 2 selfplay {recipe}"));
    for shard in [2, 0, 2, 1] {
        done(&folder, &format!("job run job.json --shard {shard} --out shards"));
    }
    done(&folder, "job merge job.json shards --out merged");
    done(&folder, &format!("selfplay {recipe} --shard-games 2 --out plain"));
    let merged = files(folder.path().join("merged"), "kgr");
    assert_eq!((merged.len(), &merged), (3, &files(folder.path().join("plain"), "kgr")));

    // The same games, searched again.
    done(&folder, "job plan new.json --shard-size 1 rescore merged --nodes 150");
    let shown: Value = serde_json::from_str(&done(&folder, "job show new.json --json")).expect("it is JSON");
    assert_eq!((&shown["shards"], shown["files"].as_array().map(Vec::len)), (&5.into(), Some(3)));
    // From another folder, too.
    done(folder.path().join("plain"), "job run ../new.json --shard 0 --every 2 --out ../again");
    fails_with(&folder, "job merge new.json again --out better --partial", "missing: 1, 3");
    done(&folder, "job run new.json --out again --threads 2");
    done(&folder, "job merge new.json again --out better");
    let told = done(&folder, "data rescore merged --nodes 150 --out plain-better");
    assert!(told.contains("wins found"), "{told}");
    let better = files(folder.path().join("better"), "kgr");
    assert_eq!(better, files(folder.path().join("plain-better"), "kgr"));
    assert_ne!(better, merged);
    // A run that was cut short goes on, and so does one that was not.
    let path = folder.path().join("plain-better").join(&better[0].0);
    fs::write(&path, &better[0].1[..better[0].1.len() / 2]).expect("it can be written");
    done(&folder, "data rescore merged --nodes 150 --out plain-better");
    assert_eq!(better, files(folder.path().join("plain-better"), "kgr"));
    done(&folder, "data check better");
    // Merged again, but never over the games themselves, nor over others of the same seed.
    done(&folder, "job merge new.json again --out better");
    let other = recipe.replace("--nodes 50", "--nodes 40");
    done(&folder, &format!("job plan other.json --shard-size 2 selfplay {other}"));
    done(&folder, "job run other.json --out others");
    for words in ["job merge new.json again --out merged", "job merge other.json others --out merged"] {
        fails_with(&folder, words, "holds other games; choose another folder");
    }
    // Nor over a file of the same games with more of them.
    let fewer = recipe.replace("--games 5", "--games 3");
    assert_ne!(fewer, recipe);
    done(&folder, &format!("job plan fewer.json --shard-size 2 selfplay {fewer}"));
    done(&folder, "job run fewer.json --out fewer");
    done(&folder, "job merge fewer.json fewer --out fewer-merged");
    fails_with(&folder, "job merge fewer.json fewer --out merged", "holds more games");
    // The same when they are searched again.
    done(&folder, "job plan new-fewer.json --shard-size 1 rescore fewer-merged --nodes 150");
    done(&folder, "job run new-fewer.json --out again-fewer");
    fails_with(&folder, "job merge new-fewer.json again-fewer --out better", "holds more games");
    assert_eq!(better, files(folder.path().join("better"), "kgr"));
    fails_with(&folder, "data rescore plain-better merged --nodes 150 --out merged", "lies there itself");
    assert_eq!(merged, files(folder.path().join("merged"), "kgr"));
    // And not after they have changed.
    fs::write(folder.path().join("merged").join(&merged[0].0), &merged[1].1).expect("it can be written");
    fs::remove_dir_all(folder.path().join("again")).expect("it was made above");
    let changed = "not the file that the job was planned with";
    fails_with(&folder, "job run new.json --shard 0 --out again", changed);
}

#[test]
fn positions_are_solved_in_shards() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join("positions.txt"), "# open three, and nothing\nh8a1i8o1j8a15\n\nh8 i9\n")
        .expect("written");
    done(&folder, "job plan job.json solve positions.txt --nodes 3000 --memory 32");
    for shard in ["1", "0"] {
        let run = Command::new(KAGETSU)
            .args(["job", "run", "job.json", "--shard-from", "SLURM_ARRAY_TASK_ID", "--out", "shards"])
            .env("SLURM_ARRAY_TASK_ID", shard)
            .current_dir(&folder)
            .output()
            .expect("the program starts");
        assert!(run.status.success(), "{run:?}");
    }
    done(&folder, "job merge job.json shards --out merged");
    let text = fs::read_to_string(folder.path().join("merged/solutions.jsonl")).expect("it is there");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    for (words, option) in [
        ("job run job.json --out shards --data .", "--data is for jobs of the kind rescore; this is solve"),
        ("job merge job.json shards --out merged --library l.kgl", "--library is for jobs of the kind grow"),
    ] {
        let refused = kagetsu(&folder, words);
        assert!(refused.status.code() == Some(2) && said(&refused).contains(option), "{refused:?}");
    }
    assert_eq!((lines.len(), &lines[0]["verdict"], &lines[1]["moves"]), (2, &"win".into(), &"h8i9".into()));
    let proof = folder.path().join("proof.json");
    fs::write(&proof, lines[0]["proof"].to_string()).expect("it can be written");
    done(&folder, "check-proof proof.json");
    let shown = done(&folder, "job show job.json shards");
    assert!(shown.contains("won 1"), "{shown}");
    // A manifest that a power failure has emptied: the shard counts as open, and is done again.
    let manifest = folder.path().join("shards/000001/done.json");
    fs::write(&manifest, "").expect("it can be written");
    fails_with(&folder, "job merge job.json shards --out merged", "1 of 2 shards are missing: 1");
    assert!(done(&folder, "job run job.json --out shards").contains("shard 1: done in"));
    done(&folder, "job merge job.json shards --out merged");
    assert_eq!(text, fs::read_to_string(folder.path().join("merged/solutions.jsonl")).expect("it is there"));
    // A game that is over is told when the work is planned, not by each machine that comes to it.
    fs::write(folder.path().join("over.txt"), "h8\nh8 a1 h9 b1 h10 d1 h11 e1 h12\n").expect("written");
    fails_with(&folder, "job plan over.json solve over.txt", "position 1");
    assert!(!folder.path().join("over.json").exists());
}

/// Programs that play are told by what they are, wherever they lie.
#[test]
fn programs_play_from_where_they_are() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::create_dir(folder.path().join("there")).expect("a folder can be made");
    let engine = folder.path().join("engine");
    fs::copy(KAGETSU, &engine).expect("it can be copied");
    let openings = "--openings random --seed 2 --size 9 --draw-after 12";
    let players = "-e cmd=./engine -e name=own --nodes 30";
    done(&folder, &format!("job plan job.json --shard-size 1 match {players} {openings} --games 4"));
    // Also if the job is run from another folder than the one in which it was planned.
    done(folder.path().join("there"), "job run ../job.json --out ../shards --shard 0");
    fs::rename(&engine, folder.path().join("there/engine")).expect("it can be moved");
    let lost = format!("reading {}", folder.path().join("engine").display());
    fails_with(&folder, "job run job.json --out shards", &lost);
    done(&folder, "job run job.json --out shards --programs there");
    done(&folder, "job merge job.json shards --out merged");
    let records = fs::read_to_string(folder.path().join("merged/games.jsonl")).expect("it is there");
    assert_eq!(records.lines().count(), 5);
    assert!(records.contains(r#""duration_ms":0"#) && !records.contains("overhead_ms"), "{records}");
    done(&folder, "report merged");
    fs::write(folder.path().join("there/engine"), "another one").expect("it can be written");
    fs::remove_dir_all(folder.path().join("shards")).expect("it was made above");
    let other = "not the file that the job was planned with";
    fails_with(&folder, "job run job.json --out shards --programs there", other);
}

#[test]
fn mistakes_are_told() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let players = "-e nodes=20 -e nodes=10 --openings random --seed 2 --size 9 --draw-after 12";
    for (more, word) in [
        ("--out x", "--out"),
        ("--concurrency 2", "--threads"),
        ("--fatal-faults", "--fatal-faults"),
        ("--each experiencefile=lost.txt", "experiencefile="),
        ("--each dir=.", "dir="),
    ] {
        let refused = kagetsu(&folder, &format!("job plan job.json match {players} {more}"));
        assert!(!refused.status.success() && said(&refused).contains(word), "{refused:?}");
        assert!(!folder.path().join("job.json").exists());
    }
    assert!(!folder.path().join("lost.txt").exists(), "a job that is refused begins no file of experience");
    done(&folder, &format!("job plan job.json --shard-size 1 match {players} --games 4"));
    for (words, word) in [
        ("job run job.json --shard-from NO_SUCH --out r", "NO_SUCH"),
        ("job merge job.json nowhere --out m", "nowhere"),
        ("job show nothing.json", "nothing.json"),
    ] {
        fails_with(&folder, words, word);
    }
    // The same command plans the same job, and another one replaces it only when asked to.
    done(&folder, &format!("job plan job.json --shard-size 1 match {players} --games 4"));
    let planned = fs::read(folder.path().join("job.json")).expect("it is there");
    let other = "selfplay --games 2 --nodes 40";
    fails_with(&folder, &format!("job plan job.json {other}"), "--force replaces it");
    assert_eq!(fs::read(folder.path().join("job.json")).expect("it is there"), planned);
    fs::copy(folder.path().join("job.json"), folder.path().join("forced.json")).expect("it can be copied");
    done(&folder, &format!("job plan forced.json --force {other}"));
    let refused = kagetsu(&folder, "job run job.json --shard 2 --out r");
    assert!(refused.status.code() == Some(2) && said(&refused).contains("0 to 1"), "{refused:?}");
    // A job of another build is refused in a way that scripts can tell.
    let text = fs::read_to_string(folder.path().join("job.json")).expect("it is there");
    let other = text.replacen("\"signature\": ", "\"signature\": 9", 1);
    fs::write(folder.path().join("other.json"), other).expect("it can be written");
    for words in ["job run other.json --shard 0 --out r", "job merge other.json r --out m"] {
        let refused = kagetsu(&folder, words);
        assert_eq!(refused.status.code(), Some(OTHER_BUILD), "{refused:?}");
        assert!(said(&refused).contains("planned with another build"), "{refused:?}");
    }
    // So are its shards.
    done(&folder, "job run job.json --out r");
    done(&folder, &format!("job plan longer.json --shard-size 1 match {players} --games 6"));
    fails_with(&folder, "job merge longer.json r --out m", "another job");
    // Nobody's files are taken for copies of records that are not there.
    fs::create_dir(folder.path().join("m")).expect("a folder can be made");
    fs::write(folder.path().join("m/games.sgf"), "(;C[mine])").expect("it can be written");
    fails_with(&folder, "job merge job.json r --out m", "m/games.sgf would be overwritten");
    fs::remove_file(folder.path().join("m/games.sgf")).expect("it is there");
    done(&folder, "job merge job.json r --out m");
}

/// Files of a prime number of games are cut into shards of any size, and put together again.
#[test]
fn rescoring_cuts_files_anywhere() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let recipe = "--nodes 40 --seed 3 --size 9 --rule freestyle";
    done(&folder, &format!("selfplay --games 9 {recipe} --shard-games 7 --out games"));
    done(&folder, "job plan job.json --shard-size 3 rescore games --nodes 100");
    let shown: Value = serde_json::from_str(&done(&folder, "job show job.json --json")).expect("it is JSON");
    // 3, 3 and 1 of the first file, and 2 of the second, whose games are counted from 7.
    assert_eq!(shown["shards"], 4);
    done(&folder, "job run job.json --out shards --threads 2");
    done(&folder, "job merge job.json shards --out merged");
    done(&folder, "data rescore games --nodes 100 --out plain");
    assert_eq!(files(folder.path().join("merged"), "kgr"), files(folder.path().join("plain"), "kgr"));
}

/// Of several shards those are done that can be, and those that fail are named.
#[test]
fn a_shard_that_fails_keeps_nobody_from_the_others() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let positions = "h8\nh8 i9\nh8 i8\nh8 i9 j8\n";
    fs::write(folder.path().join("positions.txt"), positions).expect("it can be written");
    done(&folder, "job plan job.json solve positions.txt --nodes 200 --memory 32");
    fs::create_dir_all(folder.path().join("shards")).expect("a folder can be made");
    // No folder can be made where a file is.
    fs::write(folder.path().join("shards/000001"), "in the way").expect("it can be written");
    let refused = kagetsu(&folder, "job run job.json --out shards --threads 2");
    assert_eq!(refused.status.code(), Some(1), "{refused:?}");
    assert!(
        said(&refused).contains("1 of 4 shards failed: 1") && said(&refused).contains("000001"),
        "{refused:?}"
    );
    assert_eq!(String::from_utf8_lossy(&refused.stdout).matches(": done in").count(), 3, "{refused:?}");
    fs::remove_file(folder.path().join("shards/000001")).expect("it was made above");
    done(&folder, "job run job.json --out shards");
    done(&folder, "job run job.json --out alone");
    for name in ["shards", "alone"] {
        done(&folder, &format!("job merge job.json {name} --out {name}-merged"));
    }
    // Two threads find what one finds.
    let solutions = |name: &str| files(folder.path().join(format!("{name}-merged")), "jsonl");
    assert_eq!(solutions("shards"), solutions("alone"));
    // The solutions of a job with fewer positions do not replace them, and they replace none but their own.
    fs::write(folder.path().join("positions.txt"), "h8\n").expect("it can be written");
    done(&folder, "job plan fewer.json solve positions.txt --nodes 200 --memory 32");
    done(&folder, "job run fewer.json --out fewer");
    let other = "solutions.jsonl: line 2 is not of these shards";
    fails_with(&folder, "job merge fewer.json fewer --out alone-merged", other);
    done(&folder, "job merge job.json shards --out alone-merged");
    assert_eq!(solutions("shards"), solutions("alone"));
}

/// Two machines with the same line share the work, and neither fails because of the other.
#[test]
fn shards_that_others_are_doing_are_left_to_them() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    fs::write(folder.path().join("positions.txt"), "h8\nh8 i9\nh8 i8\n").expect("it can be written");
    done(&folder, "job plan job.json solve positions.txt --nodes 200 --memory 32");
    fs::create_dir_all(folder.path().join("shards/000001")).expect("a folder can be made");
    let lock = fs::File::create(folder.path().join("shards/000001/lock")).expect("it can be written");
    lock.lock().expect("nobody else has it");
    let shared = done(&folder, "job run job.json --out shards");
    assert_eq!(shared.matches("shard 1: another process is doing it").count(), 1, "{shared}");
    assert!(shared.contains("1 of 3 shards are being done by other processes: 1"), "{shared}");
    assert_eq!(shared.matches(": done in").count(), 2, "{shared}");
    // Whoever asks for this one alone is told that it cannot be done.
    fails_with(&folder, "job run job.json --out shards --shard 1", "another process is doing shard 1");
    drop(lock);
    assert!(done(&folder, "job run job.json --out shards").contains("shard 1: done in"));
}

/// A machine on which an engine cannot be started says so; its games are not lost for the engine.
#[cfg(unix)]
#[test]
fn an_engine_that_cannot_be_started_loses_no_game() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder can be made");
    let engine = folder.path().join("engine");
    fs::copy(KAGETSU, &engine).expect("it can be copied");
    let may_run =
        |mode: u32| fs::set_permissions(&engine, fs::Permissions::from_mode(mode)).expect("it is ours");
    let openings = "--openings random --seed 2 --size 9 --draw-after 12";
    let players = "-e cmd=./engine -e name=own --nodes 30";
    done(&folder, &format!("job plan job.json --shard-size 2 match {players} {openings} --games 4"));
    may_run(0o644);
    fails_with(&folder, "job run job.json --out shards", "cannot be started");
    assert!(!folder.path().join("shards/000000/done.json").exists());
    may_run(0o755);
    done(&folder, "job run job.json --out shards");
    done(&folder, "job run job.json --out alone");
    for name in ["shards", "alone"] {
        done(&folder, &format!("job merge job.json {name} --out {name}-merged"));
    }
    let records =
        |name: &str| fs::read(folder.path().join(format!("{name}-merged/games.jsonl"))).expect("it is there");
    assert_eq!(records("shards"), records("alone"));
}

/// The same for an engine that starts and then ends before it is ready: a library that it needs may be missing here.
#[cfg(unix)]
#[test]
fn an_engine_that_ends_before_it_is_ready_loses_no_game() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder can be made");
    let engine = folder.path().join("engine.sh");
    let script = format!(
        "#!/bin/sh\n[ -e dead ] && exit 3\nwhile [ -e hasty ] && read line; do\n\
         case $line in ABOUT*) echo name=none;; START*) exit 3;; esac\ndone\nexec '{KAGETSU}'\n"
    );
    fs::write(&engine, script).expect("it can be written");
    fs::set_permissions(&engine, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let openings = "--openings random --seed 2 --size 9 --draw-after 12";
    let players = "-e cmd=./engine.sh -e name=own --nodes 30";
    done(&folder, &format!("job plan job.json --shard-size 1 match {players} {openings} --games 2"));
    for how in ["dead", "hasty"] {
        fs::write(folder.path().join(how), "").expect("it can be written");
        fails_with(&folder, "job run job.json --out shards", "crashed (exit status: 3)");
        assert!(!folder.path().join("shards/000000/done.json").exists());
        fs::remove_file(folder.path().join(how)).expect("it was made above");
    }
    done(&folder, "job run job.json --out shards");
    let shown = done(&folder, "job show job.json shards");
    for said in ["in 1 shard\n", "done     1 of 1 shard\n", " vs own: 2 of 2 games\nW-D-L ", "\npentanomial "]
    {
        assert!(shown.contains(said), "{shown}");
    }
}

#[cfg(feature = "library")]
#[test]
fn a_book_grows_in_rounds() {
    const PLACE: &str = "--rule standard --moves h8i9j8";
    let folder = tempfile::tempdir().expect("a folder can be made");
    let round = |number: u32, positions: u32| {
        let (job, shards) = (format!("{number}.json"), format!("shards-{number}"));
        let grow =
            format!("grow book.kgl {PLACE} --positions {positions} --nodes 300 --memory 32 --margin 50");
        done(&folder, &format!("job plan {job} --shard-size 2 {grow}"));
        done(&folder, &format!("job run {job} --out {shards} --threads 2"));
        done(&folder, &format!("job merge {job} {shards} --out merged-{number} --library book.kgl"))
    };
    assert!(round(0, 10).contains("1 positions entered"), "an empty library has one position to look at");
    assert!(round(1, 3).contains("3 positions entered"));
    let ranked = fs::read_to_string(folder.path().join("merged-1/ranked.jsonl")).expect("it is there");
    assert_eq!(ranked.lines().count(), 3);
    let shown = done(&folder, "job show 1.json shards-1");
    assert!(shown.contains("positions 3") && shown.contains("planned 3"), "{shown}");
    // The plain command goes on with it.
    let more = format!("library grow book.kgl {PLACE} --positions 1 --nodes 300 --memory 32");
    assert!(done(&folder, &more).starts_with("1 more position, 5 in all"));
    done(&folder, "library check book.kgl");
    fails_with(&folder, &format!("job plan n.json grow book.kgl {PLACE} --stones 0"), "nothing is left");
}

/// A driver tells of manifests and is answered, line by line.
#[test]
fn drivers_are_told_how_it_stands() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let players = "-e nodes=600 -e nodes=2 --openings random --seed 1 --size 9 --sprt=-200,0";
    done(&folder, &format!("job plan job.json --shard-size 2 match {players} --games 60"));
    done(&folder, "job run job.json --out r");
    let shown: Value =
        serde_json::from_str(&done(&folder, "job show job.json r --json")).expect("it is JSON");
    assert_eq!((&shown["decided"], &shown["match"]["sprt"]["verdict"]), (&true.into(), &"passed".into()));
    // What came after the decision was not played.
    assert!(shown["done"].as_u64() < shown["shards"].as_u64(), "{shown}");
    let mut child = Command::new(KAGETSU)
        .args(["job", "follow", "job.json"])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("it is piped");
    let manifest = |shard: u32| {
        fs::read_to_string(folder.path().join(format!("r/{shard:06}/done.json"))).expect("it is finished")
    };
    let damaged = manifest(0).replacen("\"faults\":0", "\"faults\":1", 1);
    assert_ne!(damaged, manifest(0));
    let [first, second] = [0, 1].map(manifest);
    for line in [&second, &first, &first, "nothing\n", &damaged] {
        input.write_all(line.as_bytes()).expect("it reads");
    }
    input.write_all(b"{\"a\":\"\xff\"}\n").expect("it reads");
    input.write_all(second.as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("it prints text");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let pairs: Vec<&Value> = lines.iter().map(|line| &line["match"]["sprt"]["pairs"]).collect();
    // The second shard waits for the first, which counts once.
    let null = &Value::Null;
    assert_eq!(pairs, [&0.into(), &0.into(), &4.into(), &4.into(), null, null, null, &4.into()]);
    for line in &lines[4..7] {
        assert!(line["refused"].is_string() && line["damaged"] == true, "{line}");
    }
}
