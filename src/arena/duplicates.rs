//! Finds games that occur in several files, because a folder was copied, or a match was copied and then continued.
//!
//! A game is identified by its whole record, including the times of its moves to the microsecond, and by the seed of
//! its match. No two games agree in all of that, unless no move was made in either. If no engine goes by time, the
//! times do not count: a merged job has left them out, and the same game played again is no other evidence.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::records::Records;
use super::spec::EngineSpec;

/// Removes games that another part holds as well, and returns how many were removed. A game stays in the part with the
/// most games, so that no pair is split where one part is an earlier state of another.
pub fn leave_out_copies(parts: &mut [Records]) -> usize {
    let mut seen = HashSet::new();
    let mut copies = 0;
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&n| Reverse(parts[n].games.len()));
    for n in order {
        let header = parts[n].header.as_ref();
        let seed = header.map(|header| header.seed);
        let is_timeless = header.is_some_and(|header| header.engines.iter().all(EngineSpec::is_timeless));
        parts[n].games.retain(|game| {
            let mut identity = DefaultHasher::new();
            // Floating-point numbers cannot be hashed, but their text can.
            let text = if is_timeless {
                serde_json::to_string(&game.clone().without_times())
            } else {
                serde_json::to_string(game)
            };
            (seed, text.unwrap_or_default()).hash(&mut identity);
            let is_new = seen.insert(identity.finish());
            copies += usize::from(!is_new);
            is_new
        });
    }
    copies
}
