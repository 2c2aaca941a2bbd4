//! The same game in several files: a folder that was copied, a match that was copied and then continued.
//!
//! A game is told by what its record says, down to the microseconds of its moves, and by the seed of its match. No two
//! games agree in all of that, unless no move was made in either.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::records::Records;

/// Leaves out games that another part has as well, and says how many they were. They stay in the part with most games,
/// so that pairs are not torn where one part is an earlier state of another.
pub fn leave_out_copies(parts: &mut [Records]) -> usize {
    let mut seen = HashSet::new();
    let mut copies = 0;
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&n| Reverse(parts[n].games.len()));
    for n in order {
        let seed = parts[n].header.as_ref().map(|header| header.seed);
        parts[n].games.retain(|game| {
            let mut identity = DefaultHasher::new();
            // Numbers with a point have no hash of their own; as text they have.
            (seed, serde_json::to_string(game).unwrap_or_default()).hash(&mut identity);
            let is_new = seen.insert(identity.finish());
            copies += usize::from(!is_new);
            is_new
        });
    }
    copies
}
