//! Removes the positions that only a given position leads to.

use std::collections::BTreeSet;

use rusqlite::{Connection, params};

use super::error::LibraryError;
use super::key::{KeyWalk, PositionKey};
use super::rows::{delete, is_there};

/// How many rows are read in the time that it takes to look up every move of one position.
const ROWS_FOR_MOVES: usize = 20;

/// Removes all positions after this one that no other position leads to, and returns how many.
pub(super) fn remove_after(connection: &mut Connection, root: &PositionKey) -> Result<u64, LibraryError> {
    remove_after_by(connection, root, ROWS_FOR_MOVES)
}

fn remove_after_by(
    connection: &mut Connection,
    root: &PositionKey,
    rows_for_moves: usize,
) -> Result<u64, LibraryError> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let mut removed = 0;
    let mut level: BTreeSet<PositionKey> = [root.clone()].into();
    while let Some(one) = level.first() {
        // Where most positions with one stone more are to be removed, it is quicker to read them all.
        let rows = rows_after(&transaction, one, rows_for_moves * level.len())?;
        let candidates: BTreeSet<PositionKey> = match rows {
            Some(rows) => rows.into_iter().collect(),
            None => level.iter().flat_map(followers).collect(),
        };
        let mut next = BTreeSet::new();
        for key in candidates {
            if is_there(&transaction, &key)? && is_only_after(&transaction, &key, &level)? {
                next.insert(key);
            }
        }
        for key in &next {
            removed += u64::from(delete(&transaction, key)?);
        }
        level = next;
    }
    transaction.commit()?;
    Ok(removed)
}

/// The keys of the library that a move in a position like this one could lead to, by their numbers of stones; `None` if
/// they are more than `most`.
fn rows_after(
    connection: &Connection,
    key: &PositionKey,
    most: usize,
) -> Result<Option<Vec<PositionKey>>, LibraryError> {
    let Some(after) = followers(key).into_iter().next() else { return Ok(Some(Vec::new())) };
    let (first, behind) = after.range_of_counts();
    let mut statement = connection.prepare_cached(
        "SELECT key FROM position WHERE key >= ?1 AND key < ?2 AND length(key) = ?3 LIMIT ?4",
    )?;
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let (length, limit) = (number(after.as_bytes().len()), number(most.saturating_add(1)));
    let mut rows = statement.query(params![&first[..], &behind[..], length, limit])?;
    let (mut keys, mut count) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        count += 1;
        // A key that means nothing follows from no position.
        keys.extend(PositionKey::from_bytes(&row.get::<_, Vec<u8>>(0)?));
    }
    Ok((count <= most).then_some(keys))
}

/// The keys of all positions after one more stone.
fn followers(key: &PositionKey) -> BTreeSet<PositionKey> {
    let stones = key.position();
    let mut walk = KeyWalk::at(key.rule(), &stones);
    let empty = key.size().points().filter(|&point| stones.is_empty_at(point));
    empty.map(|point| walk.after(point)).collect()
}

/// Whether positions of this level lead there, and no others of the library. Those of a level are removed before the
/// next one is looked at, except the first.
fn is_only_after(
    connection: &Connection,
    key: &PositionKey,
    level: &BTreeSet<PositionKey>,
) -> Result<bool, LibraryError> {
    let mut is_after = false;
    for (before, _) in key.before() {
        if level.contains(&before) {
            is_after = true;
        } else if is_there(connection, &before)? {
            return Ok(false);
        }
    }
    Ok(is_after)
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::board::{Point, Size, Stones};
    use crate::library::{Entry, Library};
    use crate::rules::Rule;

    #[test]
    fn both_ways_to_find_what_follows_remove_the_same() {
        let mut random = StdRng::seed_from_u64(3);
        for size in [Size::square(7), Size::new(20, 16).unwrap()] {
            let mut libraries = [0; 2].map(|_| Library::in_memory().unwrap());
            for n in 0..60 {
                let mut stones = Stones::new(size);
                // Others do not begin at the empty board.
                let first = if n % 3 == 0 { 3 } else { 0 };
                for m in 0..random.random_range(1..7) {
                    let point = Point::new(random.random_range(2..5), random.random_range(2..5));
                    if stones.is_empty_at(point) {
                        stones.place(point, stones.to_move());
                        for library in libraries.iter().filter(|_| m >= first) {
                            library.put(Rule::Renju, &stones, &Entry::default()).unwrap();
                        }
                    }
                }
            }
            let root = PositionKey::of(Rule::Renju, &Stones::new(size)).unwrap().key;
            let removed: Vec<u64> = libraries
                .iter_mut()
                .zip([0, usize::MAX >> 16])
                .map(|(library, rows)| remove_after_by(library.connection(), &root, rows).unwrap())
                .collect();
            let left = libraries[0].contents().len();
            assert!(removed[0] > 50 && removed[0] == removed[1] && left > 2, "{removed:?} {left}");
            assert_eq!(libraries[0].contents(), libraries[1].contents());
        }
    }
}
