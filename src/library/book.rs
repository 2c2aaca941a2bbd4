//! A library as an opening book: chooses one of the moves that it knows.

use super::access::{Branch, LibraryAccess, PositionRecord};
use super::entry::Entry;
use crate::board::{Point, Stones};
use crate::eval::score::{Score, win_probability};
use crate::rules::{Rule, judge, with_rule};

/// How moves are chosen from a book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookOptions {
    /// The winning probability, from 0 to 1, by which a move may be worse than the best and still be played.
    pub variety: f64,
    /// The same seed plays the same moves.
    pub seed: u64,
}

impl Default for BookOptions {
    fn default() -> BookOptions {
        BookOptions { variety: 0.0, seed: 0 }
    }
}

/// By how much the winning probability of the best known move may fall short of that of the position. If it falls short
/// by more, the move behind the value of the position is not in the book.
const TRUST: f64 = 0.05;

/// A move of the book.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookMove {
    /// Where it goes.
    pub point: Point,
    /// The engine's score for the side that plays it.
    pub score: Score,
    /// Its winning probability.
    pub share: f64,
}

/// The move that a book plays in this position; `None` if no move has a score or a proof, or if the book cannot be
/// read.
#[must_use]
pub fn book_move(
    library: &dyn LibraryAccess,
    rule: Rule,
    stones: &Stones,
    options: BookOptions,
) -> Option<BookMove> {
    let record = library.position_record(rule, stones).ok()?;
    let is_legal = |point: Point| {
        stones.is_empty_at(point)
            && with_rule!(rule, R => judge::foul::<R>(stones, point, stones.to_move())).is_none()
    };
    choose(&record, options, stones.hash(), is_legal)
}

fn choose(
    record: &PositionRecord,
    options: BookOptions,
    salt: u64,
    is_legal: impl Fn(Point) -> bool,
) -> Option<BookMove> {
    let judged = |branch: &Branch| {
        let score = -branch.entry.value()?;
        Some(BookMove { point: branch.point, score, share: win_probability(score) })
    };
    let mut moves: Vec<BookMove> = record.branches.iter().filter_map(judged).collect();
    // The sort is stable, so that among equal moves the first in board order stays first.
    moves.sort_by_key(|found| std::cmp::Reverse(found.score));
    moves.retain(|found| is_legal(found.point));
    let best = *moves.first()?;
    let promised = record.entry.as_ref().and_then(Entry::share).unwrap_or(0.0);
    if best.share < promised - TRUST {
        return None;
    }
    let near: Vec<BookMove> =
        moves.into_iter().take_while(|found| best.share - found.share <= options.variety).collect();
    let number = if options.variety > 0.0 { mixed(options.seed ^ salt) % near.len() as u64 } else { 0 };
    near.get(number as usize).copied().or(Some(best))
}

/// Pseudorandom numbers (splitmix64, which is public domain).
fn mixed(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::library::entry::{Decided, Outcome};

    fn branch(name: &str, score: Score) -> Branch {
        // The score is for the side to move after the move.
        Branch { point: name.parse().unwrap(), entry: Entry { score: Some(-score), ..Entry::default() } }
    }

    fn known() -> PositionRecord {
        let silent = Branch { point: "a1".parse().unwrap(), entry: Entry::default() };
        PositionRecord {
            entry: None,
            branches: vec![branch("i8", 30), silent, branch("h8", 40), branch("j8", -300)],
        }
    }

    fn played(record: &PositionRecord, variety: f64, seed: u64) -> String {
        choose(record, BookOptions { variety, seed }, 5, |_| true).unwrap().point.to_string()
    }

    #[test]
    fn the_best_is_played_unless_more_is_wanted() {
        assert!((0..50).all(|seed| played(&known(), 0.0, seed) == "h8"));
        let found: BTreeSet<String> = (0..50).map(|seed| played(&known(), 0.05, seed)).collect();
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["h8", "i8"]);
        assert_eq!(played(&known(), 0.05, 7), played(&known(), 0.05, 7));
        let legal = choose(&known(), BookOptions::default(), 5, |point| point.to_string() != "h8").unwrap();
        assert_eq!(legal.point.to_string(), "i8");
    }

    #[test]
    fn proofs_go_before_scores() {
        let mut record = known();
        let lost = Decided { outcome: Outcome::Loss, plies: Some(8), is_checked: true };
        record.branches[3].entry.decided = Some(lost);
        assert_eq!(played(&record, 0.05, 1), "j8");
        record.branches[3].entry.decided = Some(Decided { outcome: Outcome::Win, ..lost });
        assert_eq!(played(&record, 0.0, 1), "h8");
    }

    #[test]
    fn a_book_that_lacks_the_best_move_is_silent() {
        let promise = |score| Some(Entry { score: Some(score), ..Entry::default() });
        assert!(
            choose(&PositionRecord { entry: promise(50), ..known() }, BookOptions::default(), 5, |_| true)
                .is_some()
        );
        assert!(
            choose(&PositionRecord { entry: promise(400), ..known() }, BookOptions::default(), 5, |_| true)
                .is_none()
        );
        assert!(choose(&PositionRecord::default(), BookOptions::default(), 5, |_| true).is_none());
    }
}
