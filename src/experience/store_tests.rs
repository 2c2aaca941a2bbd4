use std::io::{BufRead, BufReader};
use std::sync::mpsc;

use tempfile::TempDir;

use super::*;

/// A folder for a test, and the path of a file in it, whose own folders are not there yet.
fn new_file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/a folder/losses.txt");
    (folder, path)
}

fn lines(path: &Path) -> Vec<String> {
    Store::open(path, DEFAULT_LIMIT).unwrap().1
}

/// Tries again for as long as others hold the file: on a busy machine that may be longer than a move would wait.
fn once_free<T>(mut work: impl FnMut() -> Result<T, StoreError>) -> T {
    loop {
        match work() {
            Ok(done) => break done,
            Err(StoreError::Busy(_)) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// A kill can leave a file that ends anywhere. All complete lines are still there, and the next one can follow.
#[test]
fn a_kill_at_any_byte_costs_one_line_at_most() {
    let (_folder, path) = new_file();
    let (mut store, found) = Store::open(&path, DEFAULT_LIMIT).unwrap();
    assert!(found.is_empty());
    let all: Vec<String> = (0..40).map(|n| format!("{{\"n\":{n}}} é")).collect();
    for line in &all {
        store.add(line).unwrap();
    }
    let whole = fs::read(&path).unwrap();
    assert!(whole.len() > 800);
    for end in 0..whole.len() {
        fs::write(&path, &whole[..end]).unwrap();
        let (mut store, found) = Store::open(&path, DEFAULT_LIMIT).unwrap();
        let ends = whole[..end].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(found, all[..ends.saturating_sub(1)], "after {end} bytes");
        store.add("after").unwrap();
        let again = lines(&path);
        let expected = found.len() + 1;
        // A line that lacked only its end counts as complete.
        assert!(again.len() == expected || again.len() == expected + 1, "after {end} bytes: {again:?}");
        assert_eq!(again.last().map(String::as_str), Some("after"));
        assert_eq!(again[..found.len()], found);
    }
}

#[test]
fn what_cannot_be_used_is_told_before_it_is_needed() {
    let (folder, path) = new_file();
    let said = |path: &Path| ensure_usable(path).unwrap_err().to_string();
    assert!(said(&path).ends_with("losses.txt: no such folder"), "{}", said(&path));
    assert!(!folder.path().join("new").exists(), "a folder with a mistyped name must not be made");
    let folder_of_file = path.parent().unwrap();
    fs::create_dir_all(folder_of_file).unwrap();
    assert!(matches!(ensure_usable(folder_of_file), Err(StoreError::Io(..))), "it is a folder");
    assert!(!beside(folder_of_file, ".lock").exists());
    ensure_usable(&path).unwrap();
    // Another program holds it for a while.
    let held = File::create(beside(&path, ".lock")).unwrap();
    assert!(try_hold(&held).unwrap());
    ensure_usable(&path).unwrap();
    drop(held);
    fs::write(&path, "something else\n").unwrap();
    assert!(matches!(ensure_usable(&path), Err(StoreError::Format(..))));
    assert_eq!(fs::read(&path).unwrap(), b"something else\n");
}

/// An editor of Windows, or a transfer in text mode, has changed the line ends.
#[test]
fn line_ends_of_windows_are_read() {
    let (_folder, path) = new_file();
    let (mut store, _) = Store::open(&path, DEFAULT_LIMIT).unwrap();
    store.add("one").unwrap();
    store.add("two").unwrap();
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace('\n', "\r\n")).unwrap();
    let (mut store, found) = Store::open(&path, DEFAULT_LIMIT).unwrap();
    assert_eq!(found, ["one", "two"]);
    store.add("three").unwrap();
    assert_eq!(lines(&path), ["one", "two", "three"]);
}

#[test]
fn lines_with_wrong_checksums_are_counted() {
    let (good, wrong) = (with_checksum("one"), with_checksum("two").replace("two", "too"));
    let text = format!("{good}\r\n{wrong}cut\n");
    let (sound, damaged) = sound_lines(text.as_bytes().split(|&byte| byte == b'\n'));
    assert_eq!((sound, damaged), (vec!["one".to_owned()], 2));
}

#[test]
fn several_programs_write_one_file() {
    let (_folder, path) = new_file();
    const EACH: usize = 25;
    thread::scope(|scope| {
        for writer in 0..4 {
            let path = path.clone();
            scope.spawn(move || {
                let (mut store, _) = once_free(|| Store::open(&path, DEFAULT_LIMIT));
                for n in 0..EACH {
                    once_free(|| store.add(&format!("{writer} {n}")));
                }
            });
        }
    });
    let found = lines(&path);
    assert_eq!(found.len(), 4 * EACH);
    for writer in 0..4 {
        let own: Vec<String> =
            found.iter().filter(|line| line.starts_with(&format!("{writer} "))).cloned().collect();
        assert_eq!(own, (0..EACH).map(|n| format!("{writer} {n}")).collect::<Vec<_>>());
    }
}

#[test]
fn others_are_heard_of() {
    let (_folder, path) = new_file();
    let (mut one, _) = Store::open(&path, DEFAULT_LIMIT).unwrap();
    let (mut two, _) = Store::open(&path, DEFAULT_LIMIT).unwrap();
    assert!(one.add("a").unwrap().is_empty());
    assert_eq!(two.add("b").unwrap(), ["a"]);
    assert_eq!(one.add("c").unwrap(), ["b"]);
    assert_eq!(lines(&path), ["a", "b", "c"]);
}

#[test]
fn a_file_that_was_deleted_is_begun_again() {
    let (_folder, path) = new_file();
    let (mut one, _) = Store::open(&path, DEFAULT_LIMIT).unwrap();
    let (mut two, _) = Store::open(&path, DEFAULT_LIMIT).unwrap();
    one.add("a long line that is not there any more").unwrap();
    two.add("b").unwrap();
    fs::remove_file(&path).unwrap();
    assert!(one.add("c").unwrap().is_empty());
    assert_eq!(two.add("d").unwrap(), ["c"]);
    assert_eq!(lines(&path), ["c", "d"]);
    // It may have grown beyond what was read of the old one.
    fs::remove_file(&path).unwrap();
    for n in 0..20 {
        two.add(&format!("anew {n}")).unwrap();
    }
    assert_eq!(one.add("f").unwrap().len(), 20);
    fs::remove_file(&path).unwrap();
    // Somebody has emptied it, or a kill has cut it off.
    for left in ["", "kagetsu-mem"] {
        fs::write(&path, left).unwrap();
        one.add("e").unwrap();
        assert_eq!(lines(&path), ["e"]);
    }
}

#[test]
fn the_oldest_go_first() {
    const LIMIT: u64 = 2000;
    let (_folder, path) = new_file();
    let (mut store, _) = Store::open(&path, LIMIT).unwrap();
    let (mut other, _) = Store::open(&path, LIMIT).unwrap();
    for n in 0..500 {
        store.add(&format!("lesson {n}")).unwrap();
        assert!(fs::metadata(&path).unwrap().len() <= LIMIT);
    }
    let found = lines(&path);
    assert!(found.len() >= 40 && found.last().unwrap() == "lesson 499", "{}", found.len());
    let first: usize = found[0].split(' ').next_back().unwrap().parse().unwrap();
    let expected: Vec<String> = (first..500).map(|n| format!("lesson {n}")).collect();
    assert_eq!(found, expected);
    // A program that did not look meanwhile reads the new file from its beginning.
    assert_eq!(other.add("more").unwrap(), expected);
}

#[cfg(unix)]
#[test]
fn a_link_and_who_may_read_stay() {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    let (folder, link) = new_file();
    let file = folder.path().join("far.txt");
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(&file, &link).unwrap();
    let (mut store, _) = Store::open(&link, 300).unwrap();
    fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
    for n in 0..50 {
        store.add(&format!("lesson {n}")).unwrap();
    }
    assert!(link.is_symlink() && store.generation > 0);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(lines(&link), lines(&file));
    // Who opens it by its own name uses the same lock.
    let lock = File::open(beside(&file, ".lock")).unwrap();
    lock.lock().unwrap();
    assert!(matches!(store.add("x"), Err(StoreError::Busy(_))));
}

#[test]
fn other_files_are_left_alone() {
    let (folder, path) = new_file();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    for text in ["my letters\n", "kagetsu-memory 2 0\n", "kagetsu-memory 1\n", "\u{0}\u{1}\n"] {
        fs::write(&path, text).unwrap();
        let error = Store::open(&path, DEFAULT_LIMIT).unwrap_err();
        assert!(matches!(error, StoreError::Format(..)), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    // Lines that somebody has changed are skipped.
    let (mut store, _) = Store::open(&folder.path().join("new.txt"), DEFAULT_LIMIT).unwrap();
    store.add("one").unwrap();
    store.add("two").unwrap();
    let text = fs::read_to_string(folder.path().join("new.txt")).unwrap().replace("one", "six");
    fs::write(folder.path().join("new.txt"), text).unwrap();
    assert_eq!(lines(&folder.path().join("new.txt")), ["two"]);
}

#[test]
fn who_waits_too_long_is_told() {
    let (_folder, path) = new_file();
    let (mut store, _) = Store::open(&path, DEFAULT_LIMIT).unwrap();
    let lock = File::open(beside(&path, ".lock")).unwrap();
    lock.lock().unwrap();
    assert!(matches!(store.add("x"), Err(StoreError::Busy(_))));
    drop(lock);
    store.add("x").unwrap();
}

/// Holds the name of the writer and then the file, for the process that runs [`a_writer_that_is_killed`].
const CHILD: &str = "KAGETSU_EXPERIENCE_CHILD";
/// So few bytes that the file is rewritten all the time.
const SMALL: u64 = 1000;
/// The number of kills, unless `KAGETSU_KILLS` says otherwise.
const KILLS: u64 = 12;

/// Part of the next test, and does nothing by itself: writes lines until the process is killed, and prints each that is
/// written.
#[test]
fn a_writer_that_is_killed() {
    let Ok(words) = std::env::var(CHILD) else { return };
    let (writer, path) = words.split_once(' ').unwrap();
    let (mut store, found) = once_free(|| Store::open(Path::new(path), SMALL));
    let begin: u64 = found.iter().filter_map(|line| number_of(line, writer)).max().unwrap_or(0);
    for n in begin + 1.. {
        once_free(|| store.add(&format!("{writer} {n}")));
        println!("\nwritten {n}");
        // Let the other process have its turn.
        thread::sleep(Duration::from_micros(200));
    }
}

fn number_of(line: &str, writer: &str) -> Option<u64> {
    line.strip_prefix(writer)?.strip_prefix(' ')?.parse().ok()
}

/// Two processes write to one file, which is rewritten again and again, and both are killed at any moment. Every line
/// that either has reported as written is there, unless newer lines have taken its room.
#[test]
fn kills_of_two_programs_lose_nothing_that_was_written() {
    use std::process::{Command, Stdio};

    let (_folder, path) = new_file();
    let kills = std::env::var("KAGETSU_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(KILLS);
    let test = format!("{}::a_writer_that_is_killed", module_path!().split_once("::").unwrap().1);
    let (mut written, mut renewed) = (0, 0);
    for kill in 0..kills {
        let children = ["a", "b"].map(|writer| {
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args([&test, "--exact", "--nocapture", "--test-threads=1"])
                .env(CHILD, format!("{writer} {}", path.display()))
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut output = BufReader::new(child.stdout.take().unwrap());
            let (tell, begun) = mpsc::channel();
            let said = thread::spawn(move || {
                let mut said = String::new();
                while output.read_line(&mut said).is_ok_and(|length| length > 0) {
                    if said.ends_with('\n') && said.contains("\nwritten ") {
                        let _ = tell.send(());
                    }
                }
                said
            });
            // Both begin to write, however long this machine takes to start them; but some are killed on their way there.
            if kill % 4 != 3 {
                begun.recv_timeout(Duration::from_secs(60)).unwrap();
            }
            (writer, child, said)
        });
        // Any moment after that.
        thread::sleep(Duration::from_micros(kill * 7919 % 60_000));
        let ended = children.map(|(writer, mut child, said)| {
            child.kill().unwrap();
            child.wait().unwrap();
            (writer, said)
        });
        for (writer, said) in ended {
            let said = said.join().unwrap();
            // The last line may have been cut off in the middle of a number.
            let whole = said.rsplit_once('\n').map_or("", |(whole, _)| whole);
            let last = whole
                .lines()
                .filter_map(|line| line.strip_prefix("written ")?.parse::<u64>().ok())
                .next_back();
            let found = lines(&path);
            let own: Vec<u64> = found.iter().filter_map(|line| number_of(line, writer)).collect();
            assert!(own.windows(2).all(|pair| pair[1] == pair[0] + 1), "kill {kill}: {own:?}");
            let newer = found.iter().map(|line| with_checksum(line).len() as u64).sum::<u64>();
            let is_there = last.is_none_or(|last| own.last().is_some_and(|&own| own >= last));
            // The oldest lines go first, so the last one goes only when none of its writer is left.
            let is_displaced = own.is_empty() && newer > SMALL / 3;
            assert!(is_there || is_displaced, "kill {kill}: {last:?} of {writer} is not in {found:?}");
            written += last.unwrap_or(0);
        }
        assert!(fs::metadata(&path).unwrap().len() <= SMALL);
        let text = fs::read_to_string(&path).unwrap();
        renewed = read_header(text.lines().next().unwrap()).unwrap();
    }
    assert!(written > 0 && renewed > 0, "{written} written, {renewed} times made anew");
}
