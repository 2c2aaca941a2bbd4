use super::bytes::{CRC_BYTES, crc32};
use super::game::Damage;
use super::header::HeaderError;
use super::moves::{FLAGS_AT, OPENING, RANDOM, SCORE_AT};
use super::*;
use crate::board::{Color, Point, Size};
use crate::eval::score::{lost_in, win_in};
use crate::rules::Rule;

/// A header for tests.
pub(crate) fn header(seed: u64, shard: u32) -> Header {
    Header { seed, shard, capacity: 10, nodes: 1000, signature: 77, settings: "rules=all é".into() }
}

/// A made-up game, different for each number.
pub(crate) fn game(number: u32) -> TrainingGame {
    let n = number as usize;
    let size = Size::new(15 + n % 8, 20 - n % 5).unwrap();
    let scores = [None, Some(0), Some(-1), Some(31), Some(win_in(5)), Some(lost_in(8)), Some(-20_000)];
    let origins = [Origin::Search, Origin::Forced, Origin::Random];
    let moves = size.points().take(10 + n % 90).enumerate().map(|(i, point)| TrainingMove {
        point,
        origin: if i < 4 { Origin::Opening } else { origins[i % 3] },
        score: if i < 4 { None } else { scores[(i + n) % scores.len()] },
    });
    TrainingGame {
        number,
        rule: Rule::ALL[n % Rule::ALL.len()],
        size,
        opening: 4,
        winner: [None, Some(Color::Black), Some(Color::White)][n % 3],
        ending: Ending::ALL[n % Ending::ALL.len()],
        moves: moves.collect(),
    }
}

/// A shard with these games, in bytes.
pub(crate) fn shard_bytes(header: &Header, games: impl IntoIterator<Item = TrainingGame>) -> Vec<u8> {
    let mut bytes = header.to_bytes();
    games.into_iter().for_each(|game| bytes.extend(game.to_bytes()));
    bytes
}

#[test]
fn a_shard_comes_back_as_it_was_written() {
    let header = header(u64::MAX - 3, 2);
    let games: Vec<TrainingGame> = (20..30).map(game).collect();
    let bytes = shard_bytes(&header, games.clone());
    let shard = Shard::from_bytes(&bytes).unwrap();
    assert_eq!(shard, Shard { header, games, good_bytes: bytes.len(), rest: None });
}

#[test]
fn a_shard_holds_no_more_than_its_header_says() {
    let whole = shard_bytes(&header(3, 1), (10..20).map(game));
    let bytes = shard_bytes(&header(3, 1), (10..22).map(game));
    let shard = Shard::from_bytes(&bytes).unwrap();
    let rest = Rest { bytes: bytes.len() - whole.len(), damage: Damage::Surplus };
    assert_eq!((shard.games.len(), shard.good_bytes, shard.rest), (10, whole.len(), Some(rest)));
}

#[test]
fn the_largest_board_can_be_filled() {
    let size = Size::square(crate::board::MAX_SIDE);
    let moves =
        size.points().map(|point| TrainingMove { point, origin: Origin::Search, score: Some(-4) }).collect();
    let full = TrainingGame { size, moves, ending: Ending::Full, ..game(0) };
    assert_eq!(TrainingGame::from_bytes(&full.to_bytes()), Ok((full.clone(), 16 + 4 * size.area())));
}

#[test]
fn a_shard_may_end_at_any_byte() {
    let header = header(5, 0);
    let bytes = shard_bytes(&header, (0..4).map(game));
    let mut ends = vec![header.to_bytes().len()];
    for n in 0..4 {
        ends.push(ends[n] + game(n as u32).to_bytes().len());
    }
    for end in 0..=bytes.len() {
        let Ok(shard) = Shard::from_bytes(&bytes[..end]) else {
            assert!(end < ends[0], "the header is there after {end} bytes");
            continue;
        };
        let whole = ends.iter().rposition(|&e| e <= end).unwrap();
        assert!(shard.games.iter().cloned().eq((0..whole as u32).map(game)), "{end}");
        assert_eq!(shard.good_bytes, ends[whole]);
        let rest = (end > ends[whole]).then(|| Rest { bytes: end - ends[whole], damage: Damage::Truncated });
        assert_eq!(shard.rest, rest);
    }
}

#[test]
fn no_changed_byte_goes_unnoticed() {
    let header = header(5, 0);
    let bytes = shard_bytes(&header, (0..3).map(game));
    let whole = Shard::from_bytes(&bytes).unwrap();
    for at in 0..bytes.len() {
        for bit in [1, 0x10, 0x80] {
            let mut changed = bytes.clone();
            changed[at] ^= bit;
            match Shard::from_bytes(&changed) {
                Err(_) => assert!(at < header.to_bytes().len()),
                Ok(shard) => {
                    assert!(shard.rest.is_some(), "byte {at}");
                    assert!(whole.games.starts_with(&shard.games));
                }
            }
        }
    }
}

#[test]
fn what_makes_no_sense_is_no_game() {
    let sealed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = game(0).to_bytes();
        change(&mut bytes);
        let crc = crc32(&bytes[CRC_BYTES..]).to_le_bytes();
        bytes[..CRC_BYTES].copy_from_slice(&crc);
        TrainingGame::from_bytes(&bytes)
    };
    assert!(sealed(&|_| {}).is_ok());
    // Rule, columns, rows, opening, winner, ending.
    for (at, value) in [(10, 2), (10, 200), (11, 0), (12, 23), (13, 255), (14, 3), (15, 9)] {
        assert_eq!(sealed(&|bytes| bytes[at] = value), Err(Damage::Content), "byte {at}");
    }
    // The same point twice; a point off the board; opening and random at once; a score without a search.
    assert_eq!(sealed(&|bytes| bytes.copy_within(16..20, 20)), Err(Damage::Content));
    for bits in [20, (OPENING | RANDOM) << FLAGS_AT, 7 << SCORE_AT, 32 << FLAGS_AT] {
        let change = |bytes: &mut Vec<u8>| bytes[16..20].copy_from_slice(&u32::to_le_bytes(bits));
        assert_eq!(sealed(&change), Err(Damage::Content), "{bits:x}");
    }
}

#[test]
fn games_follow_each_other() {
    let bytes = shard_bytes(&header(1, 0), [game(0), game(2)]);
    let shard = Shard::from_bytes(&bytes).unwrap();
    assert_eq!(shard.games, [game(0)]);
    assert_eq!(shard.rest.unwrap().damage, Damage::Number { expected: 1, found: 2 });
}

#[test]
fn strangers_are_told() {
    assert_eq!(Header::from_bytes(b"PK\x03\x04 and more"), Err(HeaderError::Magic));
    assert_eq!(Header::from_bytes(b"PK"), Err(HeaderError::Magic));
    assert_eq!(Header::from_bytes(b""), Err(HeaderError::Truncated));
    assert_eq!(Header::from_bytes(b"KGTREC"), Err(HeaderError::Truncated));
    let mut newer = header(1, 0).to_bytes();
    newer[8] = 2;
    assert_eq!(Header::from_bytes(&newer), Err(HeaderError::Version(2)));
}

#[test]
fn a_game_can_be_read_by_people() {
    let at = |x, origin, score| TrainingMove { point: Point::new(x, 7), origin, score };
    let moves = vec![
        at(7, Origin::Opening, None),
        at(8, Origin::Search, Some(-12)),
        at(9, Origin::Random, Some(3)),
        at(10, Origin::Forced, None),
    ];
    let game = TrainingGame { opening: 1, moves, size: Size::square(15), rule: Rule::Renju, ..game(5) };
    assert_eq!(game.to_string(), "5 renju 15x15 white line h8 | i8:-12 j8?:3 k8!");
}
