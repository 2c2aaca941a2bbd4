//! Reproducible random numbers, derived from a seed and a position.

use crate::board::{Stones, zobrist};

/// Random numbers for one move. The same seed and the same position give the same numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeededRandom {
    base: u64,
}

impl SeededRandom {
    /// The random numbers of this seed in this position.
    pub fn new(seed: u64, stones: &Stones) -> SeededRandom {
        SeededRandom { base: mixed(mixed(seed) ^ stones.hash()) }
    }

    /// The number for this purpose, uniformly distributed.
    pub fn number(self, purpose: u64) -> u64 {
        mixed(self.base ^ mixed(purpose))
    }

    /// A number below 1000 for this purpose.
    pub fn permille(self, purpose: u64) -> u32 {
        zobrist::place_of(self.number(purpose), 1000) as u32
    }
}

/// A seed for one game of a match, from the seed of the match and the game's number.
#[must_use]
pub fn seed_of_game(of_match: u64, game: u64) -> u64 {
    mixed(mixed(of_match) ^ game)
}

/// A pseudorandom number from the generator of the hash keys.
fn mixed(number: u64) -> u64 {
    // Keeps the index of the generator from overflowing.
    zobrist::extra(number & (u64::MAX >> 1))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::{Color, Size};

    #[test]
    fn no_two_games_have_the_same_seed() {
        let seeds: BTreeSet<u64> =
            (0..10).flat_map(|of_match| (0..1000).map(move |game| seed_of_game(of_match, game))).collect();
        assert_eq!(seeds.len(), 10_000);
        assert_eq!(seed_of_game(7, 3), seed_of_game(7, 3));
    }

    #[test]
    fn numbers_follow_from_seed_and_position() {
        let empty = Stones::new(Size::square(15));
        let mut stones = empty.clone();
        stones.place(stones.size().center(), Color::Black);
        let numbers = |seed, stones: &Stones| -> Vec<u32> {
            (0..50).map(|purpose| SeededRandom::new(seed, stones).permille(purpose)).collect()
        };
        assert_eq!(numbers(u64::MAX, &empty), numbers(u64::MAX, &empty));
        assert_ne!(numbers(1, &empty), numbers(2, &empty));
        // The numbers of neighbouring seeds and purposes are unrelated.
        for seed in 0..20 {
            let sequence = numbers(seed, &empty);
            assert_ne!(sequence, numbers(seed + 1, &empty));
            assert!(sequence.windows(2).filter(|pair| pair[0] == pair[1]).count() < 3, "{sequence:?}");
        }
        assert_ne!(numbers(1, &empty), numbers(1, &stones));
        let mean = numbers(7, &stones).into_iter().sum::<u32>() / 50;
        assert!((300..700).contains(&mean), "{mean}");
    }
}
