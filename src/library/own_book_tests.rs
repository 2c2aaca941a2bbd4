//! The book that every build contains.

use std::collections::BTreeMap;

use super::*;
use crate::board::Size;
use crate::eval::score::win_probability;
use crate::formats::moves::position;
use crate::library::{BookOptions, book_move};
use crate::rules::{judge, with_rule};

fn key(rule: Rule, moves: &str) -> PositionKey {
    PositionKey::of(rule, &position(moves, Size::square(15)).unwrap()).unwrap().key
}

fn written(positions: &BTreeMap<PositionKey, (Score, u32)>) -> Vec<u8> {
    to_bytes(positions.iter().map(|(key, &(score, depth))| (key, score, depth)))
}

#[test]
fn a_book_is_read_as_it_was_written() {
    let games = ["", "h8", "h8 i9", "h8 h9", "h8 i9 j9"];
    let positions: BTreeMap<PositionKey, (Score, u32)> =
        games.into_iter().zip(-2..).map(|(moves, n)| (key(Rule::Renju, moves), (1000 * n, 300))).collect();
    let bytes = written(&positions);
    let book = OwnBook::from_bytes(&bytes).unwrap();
    assert_eq!(book.len(), positions.len());
    for (key, (score, _)) in &positions {
        let entry = book.entry(Rule::Renju, &key.position()).unwrap().unwrap();
        assert_eq!((entry.score, entry.depth), (Some(*score), Some(255)));
    }
    assert_eq!(book.entry(Rule::Standard, &Stones::new(Size::square(15))), Ok(None));
    // However the board is turned.
    let turned = position("h8 g7", Size::square(15)).unwrap();
    assert_eq!(book.entry(Rule::Renju, &turned).unwrap().unwrap().score, Some(0));
    let branches =
        book.position_record(Rule::Renju, &position("h8", Size::square(15)).unwrap()).unwrap().branches;
    assert_eq!(branches.len(), 8, "four images of each of two moves");
}

#[test]
fn what_is_no_book_is_refused() {
    let positions = BTreeMap::from([(key(Rule::Caro, "h8"), (5, 9)), (key(Rule::Caro, "h8 i9"), (-5, 8))]);
    let bytes = written(&positions);
    assert!(OwnBook::from_bytes(&bytes).is_ok());
    // After the beginning, and after the first position: two numbers, its key, score and depth.
    let first = MAGIC.len() + 2 + usize::from(bytes[MAGIC.len() + 1]) + 3;
    for length in 0..bytes.len() {
        let is_whole = [MAGIC.len(), first].contains(&length);
        assert_eq!(OwnBook::from_bytes(&bytes[..length]).is_ok(), is_whole, "{length} bytes");
    }
    for at in 0..bytes.len() {
        // Whatever is read from damaged bytes, reading must end.
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            let _ = OwnBook::from_bytes(&damaged);
        }
    }
    let twice = [&bytes[..], &bytes[MAGIC.len()..]].concat();
    assert_eq!(OwnBook::from_bytes(&twice), Err(NoBook));
}

#[test]
fn nothing_can_be_changed_in_it() {
    let stones = Stones::new(Size::square(15));
    let book = own_book();
    assert!(book.change(Rule::Renju, &stones, &mut |_| ()).is_err());
    assert!(book.remove(Rule::Renju, &stones).is_err());
    assert!(book.remove_after(Rule::Renju, &stones).is_err());
    assert!(book.add_renlib(Rule::Renju, &[]).is_err());
    assert_eq!(book.check(), Ok(Vec::new()));
}

/// From the empty board the build's book plays legal moves for both sides under every rule, and both keep a chance.
#[test]
fn the_book_of_the_build_plays_every_rule_on_both_boards() {
    let book = own_book();
    for rule in Rule::ALL {
        for side in [15, 20] {
            let mut stones = Stones::new(Size::square(side));
            let options = BookOptions { variety: 0.02, seed: 7 };
            while let Some(found) = book_move(&*book, rule, &stones, options) {
                assert!(stones.is_empty_at(found.point));
                let foul = with_rule!(rule, R => judge::foul::<R>(&stones, found.point, stones.to_move()));
                assert_eq!(foul, None, "{rule} {side}");
                stones.place(found.point, stones.to_move());
            }
            assert!(stones.history().len() >= 4, "{rule} {side}: the book ends after {:?}", stones.history());
        }
    }
    let empty = Stones::new(Size::square(15));
    let worth = book.entry(Rule::Freestyle, &empty).unwrap().unwrap().share().unwrap();
    assert!(worth > win_probability(0), "Black moves first, but is worth {worth}");
}
