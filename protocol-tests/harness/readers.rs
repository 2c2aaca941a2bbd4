//! Every reader of what others have written, as a function of bytes. Whatever the bytes are, nothing may panic or hang,
//! and what was read must be read again from what is written of it.
//!
//! The crate in `fuzz` hands these functions to libFuzzer, and the test `readers` feeds them the corpus and variations
//! of it in every run of the tests. A new reader gets a function here, a row in [`READERS`], a file in
//! `fuzz/fuzz_targets`, and a few small files in `corpus`.

use std::io::Cursor;
use std::path::Path;

use kagetsu::arena::{EngineSpec, Records};
use kagetsu::data::{Header, Shard, TrainingGame};
use kagetsu::eval::hand_crafted::weights as hand_crafted;
use kagetsu::eval::nnue::NnueWeights;
use kagetsu::experience::Learner;
use kagetsu::formats::opening_file::{self, OpeningFormat};
use kagetsu::formats::point_names::Rows;
use kagetsu::formats::renlib::{self, LibNode};
use kagetsu::formats::samples::{GameSample, PositionSample};
use kagetsu::formats::text::{decode, decode_games, printable, quoted};
use kagetsu::formats::{any, moves, pgn, picture, psq, sgf, yxdb};
use kagetsu::gui::{MessageHandler, MessageHandlerOptions, Reaction};
use kagetsu::library::{Import, ImportOptions, Library};
use kagetsu::protocol::{Options, serve};
use kagetsu::solve::check;
use kagetsu::{Engine, Game, Proof, Rule, Size, Stones};
use serde_json::{Value, json};

/// Takes bytes in.
pub type Reader = fn(&[u8]);

/// All of them, by name.
pub const READERS: [(&str, Reader); 18] = [
    ("board_messages", board_messages),
    ("engine_specs", engine_specs),
    ("experience", experience_files),
    ("games", games),
    ("moves", move_lists),
    ("openings", openings),
    ("pgn", pgn_games),
    ("pictures", pictures),
    ("proofs", proofs),
    ("protocol", protocol),
    ("psq", psq_games),
    ("records", records),
    ("renlib", renlib_files),
    ("sgf", sgf_games),
    ("shards", shards),
    ("tables", library_tables),
    ("weights", weights),
    ("yxdb", yxdb_files),
];

/// Boards that are tried: the usual one, the smallest, the largest, and one that is not square.
fn sizes() -> [Size; 4] {
    [Size::square(15), Size::square(5), Size::square(22), Size::new(7, 12).expect("a size that boards have")]
}

fn same(one: &Stones, other: &Stones) -> bool {
    one.size() == other.size() && one.hash() == other.hash() && one.to_move() == other.to_move()
}

/// Lists of moves, and positions in whatever form.
pub fn move_lists(bytes: &[u8]) {
    let text = decode(bytes);
    for size in sizes() {
        if let Ok(points) = moves::read(&text, size) {
            assert!(points.iter().all(|&point| size.contains(point)));
            assert_eq!(moves::read(&moves::letters(&points, " "), size).as_ref(), Ok(&points));
            assert_eq!(moves::read(&moves::numbers(&points), size).as_ref(), Ok(&points));
        }
        let _ = any::read(&text, Some(size));
    }
    let _ = (any::read(&text, None), printable(&text), quoted(&text));
}

/// Boards that are drawn.
pub fn pictures(bytes: &[u8]) {
    let Ok(picture) = picture::read(&decode(bytes)) else { return };
    let again = picture::read(&picture::draw(&picture.stones)).expect("what was drawn here can be read");
    assert!(same(&again.stones, &picture.stones), "{}", picture::draw(&picture.stones));
}

/// Games and collections in SGF, in the encoding that they name or seem to be in as well.
pub fn sgf_games(bytes: &[u8]) {
    let (text, guessed) = (decode(bytes), decode_games(bytes));
    games_of_collection(&text);
    if guessed != text {
        games_of_collection(&guessed);
    }
}

fn games_of_collection(text: &str) {
    let _ = any::read_first_game(text, None, Rows::FromTop);
    for game in sgf::games(text).filter_map(Result::ok) {
        let written = game.to_string();
        let again = sgf::read(&written).expect("what was written here can be read");
        assert_eq!(again.iter().map(ToString::to_string).collect::<String>(), written);
        for size in sizes().map(Some).into_iter().chain([None]) {
            if let Ok(line) = game.line(size) {
                let _ = (line.position(), line.in_turn());
            }
            let _ = (game.rule(), game.remarks(size.unwrap_or(Size::square(15))).count());
        }
    }
}

/// Games of Piskvork.
pub fn psq_games(bytes: &[u8]) {
    let Ok(game) = psq::read(&decode(bytes)) else { return };
    let again = psq::read(&game.to_string()).expect("what was written here can be read");
    assert_eq!((again.size, again.moves), (game.size, game.moves));
}

/// Results for programs that compute ratings.
pub fn pgn_games(bytes: &[u8]) {
    if let Ok(games) = pgn::games_with_moves(&decode(bytes)) {
        for (_, moves) in games {
            sizes().into_iter().for_each(|size| drop(moves.points(size)));
        }
    }
    let Ok(games) = pgn::read(&decode(bytes)) else { return };
    let write = |games: &[pgn::PgnGame]| games.iter().map(ToString::to_string).collect::<String>();
    let written = write(&games);
    let again = pgn::read(&written).expect("what was written here can be read");
    assert_eq!(write(&again), written);
}

/// Games in every form, played by a rule.
pub fn games(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let rule = Rule::ALL[usize::from(first) % Rule::ALL.len()];
    let Ok(game) = Game::read(&decode(rest), rule) else { return };
    // `SZ[1]` is what programs write that do not know the size, so SGF cannot say such a board.
    if game.size().area() == 1 {
        return;
    }
    let sgf = game.to_sgf().to_string();
    let again = Game::read(&sgf, game.rule()).expect("what was written here can be read");
    // What SGF cannot say: points that are dead.
    if game.stones().size().points().all(|point| game.stones().cell(point) != kagetsu::board::Cell::Dead) {
        assert!(same(again.stones(), game.stones()), "{sgf}");
    }
    if let Some(psq) = game.to_psq() {
        let again = Game::read(&psq.to_string(), game.rule()).expect("what was written here can be read");
        assert!(same(again.stones(), game.stones()), "{psq}");
    }
    if let (Some(offset), Some(pgn)) = (game.to_offset(), game.to_pgn_with_moves()) {
        let (rule, size) = (game.rule(), game.size());
        for again in [Game::from_offset(&offset, rule, size), Game::from_pgn(&pgn, rule, size)] {
            assert!(same(again.expect("what was written here can be read").stones(), game.stones()), "{pgn}");
        }
    }
    let _ = (game.to_pgn().to_string(), game.to_moves(), game.to_picture(), game.winning_line());
}

/// Files of openings, by any name and in any format.
pub fn openings(bytes: &[u8]) {
    let text = decode(bytes);
    for name in ["openings.txt", "games.sgf", "game.psq"] {
        let _ = OpeningFormat::recognise(Path::new(name), &text);
    }
    for format in OpeningFormat::ALL {
        for size in sizes() {
            for found in opening_file::read(&text, format, size) {
                let Ok(points) = found.points else { continue };
                let line = opening_file::line(&points, size, OpeningFormat::Pos);
                let again = opening_file::read(&line, OpeningFormat::Pos, size).next();
                assert_eq!(again.map_or(Ok(Vec::new()), |found| found.points), Ok(points));
            }
        }
    }
    for line in text.lines() {
        let _ = PositionSample::from_csv(line, Rule::Renju, Size::square(15));
    }
}

/// Records of matches.
pub fn records(bytes: &[u8]) {
    let Ok(records) = Records::parse(bytes) else { return };
    assert!(records.length <= bytes.len());
    for game in &records.games {
        let _ = (game.sgf().map(|sgf| sgf.to_string()), game.psq().map(|psq| psq.to_string()));
        let _ = (game.pgn().to_string(), game.loser(), game.half_points());
    }
}

/// Games of self-play, and samples in bytes.
pub fn shards(bytes: &[u8]) {
    let _ = (PositionSample::from_bytes(bytes), GameSample::from_bytes(bytes));
    // Nobody guesses a checksum: the bytes are tried as a game with the one that they should have.
    if let Some(rest) = bytes.get(4..) {
        let summed = [&crc32(rest).to_le_bytes()[..], rest].concat();
        if let Ok((game, length)) = TrainingGame::from_bytes(&summed) {
            assert_eq!(game.to_bytes(), summed[..length]);
        }
    }
    // The settings are for people to read: where they are no UTF-8, that is what is seen of them, and not written again.
    let is_text = |header: &Header| !header.settings.contains(char::REPLACEMENT_CHARACTER);
    if let Ok((header, length)) = Header::from_bytes(bytes)
        && is_text(&header)
    {
        assert_eq!(header.to_bytes(), bytes[..length]);
    }
    let Ok(shard) = Shard::from_bytes(bytes) else { return };
    assert!(shard.good_bytes + shard.rest.map_or(0, |rest| rest.bytes) == bytes.len());
    if !is_text(&shard.header) {
        return;
    }
    let games = shard.games.iter().flat_map(TrainingGame::to_bytes);
    let written: Vec<u8> = shard.header.to_bytes().into_iter().chain(games).collect();
    assert_eq!(written, bytes[..shard.good_bytes]);
}

/// The checksum of zip and PNG, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _: u32| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 };
    !bytes.iter().fold(u32::MAX, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), step))
}

/// Libraries of RenLib.
pub fn renlib_files(bytes: &[u8]) {
    imported(|import| drop(import.add_renlib(bytes)));
    let Ok(nodes) = renlib::nodes(bytes) else { return };
    let Ok(nodes) = nodes.collect::<Result<Vec<LibNode>, _>>() else { return };
    // What ends in the middle of a branch is written with its end.
    let written = renlib::write(nodes.iter().cloned());
    let again = renlib::nodes(&written).expect("what was written here begins as it should");
    let again: Vec<LibNode> = again.map(|node| node.expect("what was written here can be read")).collect();
    assert!(again.len() >= nodes.len() && again.len() <= nodes.len() + 1);
}

/// Databases of Yixin and Rapfi, compressed or not.
pub fn yxdb_files(bytes: &[u8]) {
    imported(|import| drop(import.add_yxdb(bytes)));
    if let Ok(records) = yxdb::records(bytes) {
        for record in records.map_while(Result::ok) {
            let _ = (record.stones.hash(), record.comment, record.labels);
        }
    }
}

/// What a library of positions has written for other programs, as lines of JSON and as a table.
pub fn library_tables(bytes: &[u8]) {
    imported(|import| drop(import.add_json_lines(bytes)));
    imported(|import| drop(import.add_csv(bytes)));
}

/// What comes of an import: the library stays whole, and says of itself what can be read again.
fn imported(work: impl FnOnce(&mut Import<'_>)) {
    let mut library = Library::in_memory().expect("there is memory");
    let mut import = library.import(ImportOptions::default()).expect("nobody else writes");
    work(&mut import);
    // A mistake would have ended it; what came before it is a library all the same.
    import.commit().expect("memory can be written");
    assert_eq!(library.check().expect("it can be read"), Vec::<String>::new());
}

/// Experience files: what is remembered of lost games.
pub fn experience_files(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("losses.txt");
    std::fs::write(&path, bytes).expect("a file can be written");
    if Learner::open(&path).is_err() {
        assert_eq!(std::fs::read(&path).expect("it can be read"), bytes, "what is not ours is left alone");
    }
    // And what the lines of such a file say, with the checksums that they should have.
    let mut text = String::from("kagetsu-memory 1 0\n");
    for line in decode(bytes).lines() {
        let lesson = line.split_once(' ').map_or(line, |(_, lesson)| lesson);
        text += &format!("{:08x} {lesson}\n", crc32(lesson.as_bytes()));
    }
    std::fs::write(&path, text).expect("a file can be written");
    Learner::open(&path).expect("this is one of ours");
}

/// Weights of both evaluations: the bytes themselves, and the files of this build with some bytes replaced as these
/// say, five for each (where, and by what).
pub fn weights(bytes: &[u8]) {
    let network = |bytes: &[u8]| {
        if let Some(weights) = NnueWeights::from_bytes(bytes) {
            assert_eq!(weights.to_bytes(), bytes);
        }
    };
    let hand_made = |bytes: &[u8]| {
        if let Some(weights) = hand_crafted::from_bytes(bytes) {
            assert_eq!(hand_crafted::to_bytes(&weights), bytes);
        }
    };
    network(bytes);
    hand_made(bytes);
    network(&replaced(NnueWeights::builtin().to_bytes(), bytes));
    hand_made(&replaced(hand_crafted::to_bytes(&hand_crafted::builtin()), bytes));
}

fn replaced(mut file: Vec<u8>, changes: &[u8]) -> Vec<u8> {
    for change in changes.chunks_exact(5) {
        let at = u32::from_le_bytes([change[0], change[1], change[2], change[3]]) as usize;
        match file.get_mut(at) {
            Some(byte) => *byte = change[4],
            None => file.truncate(at % (file.len() + 1)),
        }
    }
    file
}

/// Proofs, and whether they hold.
pub fn proofs(bytes: &[u8]) {
    let Ok(proof) = Proof::from_json(&decode(bytes)) else { return };
    let again = Proof::from_json(&proof.to_json()).expect("what was written here can be read");
    assert_eq!((again.root, &again.nodes), (proof.root, &proof.nodes));
    assert!(same(&again.stones, &proof.stones) && again.rule == proof.rule);
    if check(&proof).is_ok() {
        assert!(!proof.longest_line().is_empty());
    }
}

/// What a manager says, up to the end of the input. The searches are small unless the input says otherwise.
pub fn protocol(bytes: &[u8]) {
    const MEMORY: u64 = 40 << 20;
    // Limits that would only make the search longer or wider are left to `protocol-tests/hostile.rs`.
    let text = String::from_utf8_lossy(bytes).to_ascii_lowercase();
    let grows =
        ["timeout", "time_left", "max_node", "max_depth", "memory", "hash_size", "thread", "increment"];
    if grows.iter().any(|word| text.contains(word)) {
        return;
    }
    let input = [b"INFO max_node 40\nINFO timeout_turn 20\nSTART 15\n", bytes].concat();
    let mut output = Vec::new();
    let options = Options::plain(1, MEMORY);
    serve(Cursor::new(input), &mut output, Engine::new(1, MEMORY), options)
        .expect("memory can be written to");
    let said = String::from_utf8(output).expect("the engine speaks ASCII");
    for line in said.lines() {
        assert!(line.is_ascii() && !line.trim().is_empty(), "{line:?}");
    }
}

/// What a page of the board asks, jobs being made and not run; and files that are opened there and saved again.
pub fn board_messages(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    asked(text);
    let read = json!({"id": 1, "op": "read", "text": text, "width": 15, "height": 15});
    let answer: Value = serde_json::from_str(&asked(&read.to_string())).expect("answers are JSON");
    for game in answer["games"].as_array().into_iter().flatten() {
        let last = game["nodes"].as_array().map_or(0, |nodes| nodes.len().saturating_sub(1));
        for format in ["sgf", "psq", "moves", "picture"] {
            asked(&json!({"id": 2, "op": "write", "game": game, "format": format, "node": last}).to_string());
        }
    }
}

fn asked(text: &str) -> String {
    let handler =
        MessageHandler::new(MessageHandlerOptions { threads: 1, is_server: true, can_shut_down: false });
    match handler.handle(text) {
        Reaction::Answer(answer) | Reaction::Stop { answer, .. } | Reaction::ShutDown(answer) => {
            // A question that panics is answered as well, by this word.
            assert!(!answer.contains("a mistake in Kagetsu"), "{answer}");
            answer
        }
        Reaction::Start(_) => String::new(),
    }
}

/// What the command line says of an engine.
pub fn engine_specs(bytes: &[u8]) {
    let text = decode(bytes);
    let _ = EngineSpec::is_named(&text);
    if let Ok(spec) = EngineSpec::parse(&text, &[]) {
        let _ =
            (spec.command_text(), spec.is_limited(), spec.time_control(), spec.margin(), spec.memory_sent());
    }
}
