use std::collections::{HashMap, HashSet};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::board::Cell;
use crate::random::loose;

fn sizes() -> Vec<Size> {
    let rectangles = [(15, 20), (20, 15), (5, 7)].map(|(width, height)| Size::new(width, height).unwrap());
    [5, 15, 16, 17, 20, 22].map(Size::square).into_iter().chain(rectangles).collect()
}

fn turned(stones: &Stones, symmetry: Symmetry, random: &mut StdRng) -> Stones {
    let mut placed: Vec<(Point, Color)> = stones.history().to_vec();
    // In another order, which does not matter.
    if !placed.is_empty() {
        let shift = random.random_range(0..placed.len());
        placed.rotate_left(shift);
    }
    let mut image = Stones::new(stones.size());
    placed.iter().for_each(|&(point, color)| image.place(symmetry.apply(point, stones.size()), color));
    image.set_to_move(stones.to_move());
    image
}

#[test]
fn all_images_have_one_key() {
    let mut random = StdRng::seed_from_u64(1);
    for size in sizes() {
        for _ in 0..60 {
            let stones = loose(size, &mut random);
            let rule = Rule::ALL[random.random_range(0..Rule::ALL.len())];
            let found = PositionKey::of(rule, &stones).unwrap();
            for symmetry in Symmetry::of(size) {
                let image = PositionKey::of(rule, &turned(&stones, symmetry, &mut random)).unwrap();
                assert_eq!(image.key, found.key, "{size}");
            }
            // The key shows the position, turned as its symmetry says.
            let shown = found.key.position();
            for point in size.points() {
                assert_eq!(shown.cell(found.symmetry.apply(point, size)), stones.cell(point));
            }
            assert_eq!((shown.to_move(), found.key.rule(), found.key.size()), (stones.to_move(), rule, size));
            assert_eq!(found.key.stone_count(), stones.history().len());
            assert!(found.key.is_least());
            assert_eq!(PositionKey::from_bytes(found.key.as_bytes()), Ok(found.key));
        }
    }
}

/// The least text among the images: a slow reference implementation that is easy to read.
fn slow_key(rule: Rule, stones: &Stones) -> String {
    let size = stones.size();
    let text = |symmetry: Symmetry| -> String {
        let mut image = vec!['.'; size.area()];
        for point in size.points() {
            let at = symmetry.apply(point, size);
            image[at.y() * size.width() + at.x()] = match stones.cell(point) {
                Cell::Stone(Color::Black) => 'X',
                Cell::Stone(Color::White) => 'O',
                _ => '.',
            };
        }
        image.into_iter().collect()
    };
    let least = Symmetry::of(size).map(text).min().unwrap();
    format!("{rule} {size} {:?} {least}", stones.to_move())
}

/// `KAGETSU_POSITIONS` sets the number of positions, such as a million.
#[test]
fn positions_share_a_key_only_with_their_images() {
    let count = std::env::var("KAGETSU_POSITIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(3_000);
    let mut random = StdRng::seed_from_u64(2);
    let mut keys: HashMap<PositionKey, String> = HashMap::new();
    let mut slow = HashSet::new();
    for _ in 0..count {
        // Small boards and few stones, so that images do come up.
        let size = if random.random_bool(0.5) { Size::square(5) } else { Size::square(15) };
        let mut stones = loose(size, &mut random);
        while random.random_bool(0.7) {
            stones.undo();
        }
        let rule = Rule::ALL[random.random_range(0..2)];
        let text = slow_key(rule, &stones);
        let key = PositionKey::of(rule, &stones).unwrap().key;
        assert_eq!(keys.entry(key).or_insert_with(|| text.clone()), &text);
        slow.insert(text);
    }
    assert_eq!(keys.len(), slow.len());
    assert!(keys.len() < count, "images came up");
}

#[test]
fn a_walk_comes_to_the_same_keys() {
    let mut random = StdRng::seed_from_u64(3);
    for size in sizes() {
        let stones = loose(size, &mut random);
        let rule = Rule::ALL[2];
        let mut walk = KeyWalk::new(rule, size);
        let mut so_far = Stones::new(size);
        for &(point, color) in stones.history() {
            walk.set_to_move(color);
            so_far.set_to_move(color);
            let foreseen = walk.after(point);
            walk.place(point, color);
            so_far.place(point, color);
            assert_eq!(walk.canonical(), PositionKey::of(rule, &so_far).unwrap());
            assert_eq!(foreseen, walk.canonical().key);
        }
    }
}

#[test]
fn what_is_no_key_is_refused() {
    let mut dead = Stones::new(Size::square(15));
    dead.kill(Point::new(3, 3));
    assert_eq!(PositionKey::of(Rule::ALL[0], &dead), None);
    for bytes in [
        &[][..],
        &[0, 15, 15, 0],
        &[7, 15, 15, 0, 0],
        &[0, 0, 15, 0, 0],
        &[0, 15, 40, 0, 0],
        &[0, 15, 15, 0, 1],
        &[0, 15, 15, 0, 1, 225],
        &[0, 15, 15, 0, 2, 5, 5],
        &[0, 15, 15, 0, 2, 5, 4],
        &[0, 15, 15, 0, 1, 5, 5],
        &[0, 20, 20, 0, 1, 0],
        &[0, 20, 20, 0, 1, 1, 0x90],
    ] {
        assert_eq!(PositionKey::from_bytes(bytes), Err(NoKey), "{bytes:?}");
    }
    let mut random = StdRng::seed_from_u64(4);
    for _ in 0..5_000 {
        let bytes: Vec<u8> = (0..random.random_range(0..12)).map(|_| random.random_range(0..24)).collect();
        if let Ok(key) = PositionKey::from_bytes(&bytes) {
            assert_eq!(key.position().history().len(), key.stone_count());
            let _ = (key.is_least(), format!("{key:?}"));
        }
    }
}
