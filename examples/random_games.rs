//! Random games in SGF, to try a library of positions with:
//! `cargo run --release --example random_games -- 1000000 > games.sgf`.
//!
//! Each stone lies near an earlier one, so the games share their first moves and soon diverge, as games
//! between people do. The second argument is a seed; the same seed makes the same games.

use std::io::{BufWriter, Write};

use kagetsu::{Point, Size};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// The least and the most stones of a game.
const STONES: (usize, usize) = (20, 60);
/// How far a stone may lie from the earlier one that it answers, in columns and rows.
const REACH: i64 = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1);
    let games: u64 = numbers.next().as_deref().unwrap_or("1000").parse()?;
    let mut random = StdRng::seed_from_u64(numbers.next().as_deref().unwrap_or("1").parse()?);
    let mut out = BufWriter::new(std::io::stdout().lock());
    for _ in 0..games {
        let result = ["B+", "W+", "0"].choose(&mut random).ok_or("a game has a result")?;
        write!(out, "(;GM[4]SZ[15]RE[{result}]")?;
        for (n, point) in game(&mut random).into_iter().enumerate() {
            let letter = |n: usize| char::from(b'a' + n as u8);
            let color = if n % 2 == 0 { 'B' } else { 'W' };
            write!(out, ";{color}[{}{}]", letter(point.x()), letter(point.y()))?;
        }
        writeln!(out, ")")?;
    }
    Ok(out.flush()?)
}

/// The stones of a game, which begins in the centre.
fn game(random: &mut StdRng) -> Vec<Point> {
    let size = Size::square(15);
    let mut stones = vec![size.center()];
    let count = random.random_range(STONES.0..=STONES.1);
    while stones.len() < count {
        let before = stones[random.random_range(0..stones.len())];
        let mut near = |n: usize| n as i64 + random.random_range(-REACH..=REACH);
        let (x, y) = (near(before.x()), near(before.y()));
        stones.extend(Point::checked(x, y, size).filter(|point| !stones.contains(point)));
    }
    stones
}
