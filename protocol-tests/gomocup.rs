//! The archive for the tournament, checked against its rules: one program at the root, named and built as the
//! tournament requires, small enough, and good for a game in each league.
//!
//! `KAGETSU_ARCHIVE=/path/to/archive.zip` names the archive; without it only the rules themselves are tested. Its
//! program is one for Windows, so elsewhere `KAGETSU_RUNNER` must name what starts it (as wine64). `packaging/release
//! gomocup` makes an archive and runs this.

mod harness;

use std::fs;
use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use harness::{Client, PATIENCE, Reply, Unmet, tell_skipped};
use kagetsu::rules::judge::{self, Verdict};
use kagetsu::rules::with_rule;
use kagetsu::{Rule, Size, Stones};
use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// The tournament takes archives below this, in bytes.
const MOST_BYTES: usize = 8_000_000;

/// The one file of the archive.
const PROGRAM: &str = "pbrain-kagetsu64.exe";

/// What stands in every Windows. Another library would have to come in the archive.
const SYSTEM_LIBRARIES: [&str; 13] = [
    "advapi32.dll",
    "bcrypt.dll",
    "bcryptprimitives.dll",
    "kernel32.dll",
    "msvcrt.dll",
    "ntdll.dll",
    "ole32.dll",
    "oleaut32.dll",
    "shell32.dll",
    "user32.dll",
    "userenv.dll",
    "ws2_32.dll",
    "api-ms-win-core-synch-l1-2-0.dll",
];

/// A league: its rule, its board, and what it sends as `INFO rule`.
const LEAGUES: [(&str, Rule, usize); 6] = [
    ("freestyle", Rule::Freestyle, 20),
    ("freestyle 15", Rule::Freestyle, 15),
    ("standard", Rule::Standard, 15),
    ("renju", Rule::Renju, 15),
    ("caro", Rule::Caro, 15),
    ("caro 20", Rule::Caro, 20),
];

/// Milliseconds of a move.
const TURN: u64 = 100;

/// The program in the archive, if the tournament takes it.
fn accepted(archive: &[u8]) -> Result<Vec<u8>, String> {
    if archive.len() >= MOST_BYTES {
        return Err(format!("{} bytes, but less than {MOST_BYTES} are allowed", archive.len()));
    }
    let mut zip = ZipArchive::new(Cursor::new(archive)).map_err(|error| format!("no archive: {error}"))?;
    let names: Result<Vec<String>, _> = zip.file_names().map(|name| name.map(String::from)).collect();
    let names = names.map_err(|error| format!("a name that cannot be read: {error}"))?;
    if names != [PROGRAM] {
        return Err(format!("the archive holds {names:?}, not {PROGRAM} alone"));
    }
    let mut program = Vec::new();
    let mut file = zip.by_name(PROGRAM).map_err(|error| error.to_string())?;
    file.read_to_end(&mut program).map_err(|error| format!("{PROGRAM} is damaged: {error}"))?;
    is_program(&program)?;
    Ok(program)
}

/// Whether these bytes are a console program for 64-bit Windows that needs nothing but Windows.
fn is_program(bytes: &[u8]) -> Result<(), String> {
    const X86_64: u16 = 0x8664;
    const CONSOLE: u16 = 3;
    let word = |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let long = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
    let head = long(0x3C).filter(|_| bytes.starts_with(b"MZ"));
    let head = head.filter(|&head| bytes.get(head..head + 4) == Some(b"PE\0\0"));
    let head = head.ok_or("no program for Windows")?;
    if word(head + 4) != Some(X86_64) {
        return Err("no program for x86-64".to_owned());
    }
    if word(head + 24 + 68) != Some(CONSOLE) {
        return Err("no program of the console".to_owned());
    }
    let libraries = names_of_libraries(bytes);
    let foreign: Vec<&String> =
        libraries.iter().filter(|name| !SYSTEM_LIBRARIES.contains(&name.as_str())).collect();
    if libraries.is_empty() || !foreign.is_empty() {
        return Err(format!("libraries that are not part of Windows: {foreign:?}"));
    }
    Ok(())
}

/// Names of libraries in the table of imports, in small letters: texts that end in `.dll` behind a NUL.
fn names_of_libraries(bytes: &[u8]) -> Vec<String> {
    let is_name = |text: &&[u8]| {
        let lower = text.to_ascii_lowercase();
        let sign = |c: &u8| c.is_ascii_alphanumeric() || b"-_.".contains(c);
        lower.ends_with(b".dll") && lower.len() > 4 && lower.iter().all(sign)
    };
    let texts = bytes.split(|&byte| byte == 0).filter(is_name);
    let mut names: Vec<String> = texts.map(|text| String::from_utf8_lossy(text).to_lowercase()).collect();
    names.sort();
    names.dedup();
    names
}

/// An archive with these files.
fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).expect("a name that archives can have");
        zip.write_all(bytes).expect("memory can be written to");
    }
    zip.finish().expect("memory can be written to").into_inner()
}

/// The least that passes for a program: headers and the name of a library.
fn program() -> Vec<u8> {
    let mut bytes = vec![0; 0x200];
    bytes[..2].copy_from_slice(b"MZ");
    bytes[0x3C] = 0x40;
    bytes[0x40..0x44].copy_from_slice(b"PE\0\0");
    bytes[0x44..0x46].copy_from_slice(&0x8664_u16.to_le_bytes());
    bytes[0x40 + 24 + 68] = 3;
    bytes[0x100..0x10C].copy_from_slice(b"KERNEL32.dll");
    bytes
}

#[test]
fn the_rules_refuse_what_the_tournament_would() {
    let good = program();
    assert_eq!(accepted(&archive(&[(PROGRAM, &good)])).as_ref(), Ok(&good));

    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        archive(&[(PROGRAM, &bytes)])
    };
    let mut large = vec![0; MOST_BYTES];
    // What cannot be compressed.
    let mut state = 1_u64;
    large.iter_mut().for_each(|byte| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        *byte = (state >> 56) as u8;
    });
    let foreign = [&good[..], b"\0libgcc_s_seh-1.dll\0"].concat();
    let whole = archive(&[(PROGRAM, &good)]);
    for (refused, why) in [
        (Vec::new(), "no archive"),
        (whole[..whole.len() - 10].to_vec(), "no archive"),
        (archive(&[]), "not pbrain-kagetsu64.exe alone"),
        (archive(&[("kagetsu.exe", &good)]), "not pbrain-kagetsu64.exe alone"),
        (archive(&[("folder/pbrain-kagetsu64.exe", &good)]), "not pbrain-kagetsu64.exe alone"),
        (archive(&[(PROGRAM, &good), ("README", b"")]), "not pbrain-kagetsu64.exe alone"),
        (archive(&[(PROGRAM, &[&program(), &large[..]].concat())]), "are allowed"),
        (changed(0, b'X'), "no program for Windows"),
        (changed(0x45, 0), "no program for x86-64"),
        (changed(0x40 + 24 + 68, 2), "no program of the console"),
        (changed(0x10B, b'x'), "not part of Windows"),
        (archive(&[(PROGRAM, &foreign)]), "libgcc_s_seh-1.dll"),
    ] {
        let error = accepted(&refused).expect_err(why);
        assert!(error.contains(why), "{error}");
    }
}

/// The program of the archive under test, in a folder of its own; `None` if there is no archive.
fn unpacked() -> Option<(TempDir, PathBuf)> {
    let Some(path) = std::env::var_os("KAGETSU_ARCHIVE") else {
        tell_skipped("KAGETSU_ARCHIVE names no archive");
        return None;
    };
    let bytes = fs::read(&path).expect("the archive can be read");
    let program = accepted(&bytes).expect("the tournament takes the archive");
    let folder = TempDir::with_prefix("kagetsu gomocup ").expect("a folder can be made");
    let file = folder.path().join(PROGRAM);
    fs::write(&file, program).expect("a file can be written");
    Some((folder, file))
}

#[test]
fn the_archive_says_who_it_is() -> Result<(), Unmet> {
    let Some((_folder, program)) = unpacked() else { return Ok(()) };
    let mut client = Client::start_program(&program);
    client.set_crlf(true);
    client.send("ABOUT");
    let about = match client.expect_line(PATIENCE)? {
        Reply::About(about) => format!("{about:?}"),
        other => return Err(client.unmet(format!("ABOUT was answered `{other}`"))),
    };
    for wanted in ["Kagetsu", env!("CARGO_PKG_VERSION"), "author"] {
        if !about.contains(wanted) {
            return Err(client.unmet(format!("ABOUT says nothing of {wanted}: {about}")));
        }
    }
    client.finish()
}

#[test]
fn the_archive_plays_in_every_league() -> Result<(), Unmet> {
    let Some((_folder, program)) = unpacked() else { return Ok(()) };
    for (league, rule, side) in LEAGUES {
        let (verdict, moves) = play(&program, rule, side).map_err(|unmet| unmet.at(league))?;
        println!("{league}: {verdict:?} after {moves} stones");
    }
    Ok(())
}

/// A game of the program against itself, led as the tournament leads it.
fn play(program: &Path, rule: Rule, side: usize) -> Result<(Verdict, usize), Unmet> {
    let mut players = [Client::start_program(program), Client::start_program(program)];
    for client in &mut players {
        client.set_crlf(true);
        client.send(&format!("START {side}"));
        client.expect_ok()?;
        client.send_burst([
            format!("INFO timeout_turn {TURN}").as_str(),
            "INFO timeout_match 100000",
            "INFO max_memory 367001600",
            "INFO game_type 2",
            format!("INFO rule {}", rule.gomocup_number()).as_str(),
            "INFO folder C:\\",
        ]);
    }
    let mut stones = Stones::new(Size::square(side));
    let verdict = loop {
        let verdict = with_rule!(rule, R => judge::verdict::<R>(&stones));
        if verdict != Verdict::Ongoing {
            break verdict;
        }
        let count = stones.history().len();
        let client = &mut players[count % 2];
        client.send("INFO time_left 100000");
        match stones.recent(0) {
            None => client.send_burst(["BOARD", "DONE"]),
            Some((last, _)) if count >= 2 => client.send(&format!("TURN {},{}", last.x(), last.y())),
            Some((last, _)) => {
                client.send_burst(["BOARD", &format!("{},{},2", last.x(), last.y()), "DONE"]);
            }
        }
        let point = client.expect_move(Duration::from_millis(TURN + 1000))?;
        let is_legal = stones.size().contains(point) && stones.is_empty_at(point);
        if !is_legal {
            return Err(client.unmet(format!("{point} is taken or off the board")));
        }
        stones.place(point, stones.to_move());
        if let Verdict::Foul(_) = with_rule!(rule, R => judge::verdict::<R>(&stones)) {
            return Err(players[count % 2].unmet(format!("{point} is a foul")));
        }
    };
    let moves = stones.history().len();
    for client in players {
        client.finish()?;
    }
    Ok((verdict, moves))
}
