//! Removes the positions that only a given position leads to.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::error::LibraryError;
use super::key::{KeyWalk, PositionKey};
use super::rows::{delete, is_there};

/// Removes all positions after this one that no other position leads to, and returns how many.
pub(super) fn remove_after(connection: &mut Connection, root: &PositionKey) -> Result<u64, LibraryError> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let mut removed = 0;
    let mut level: BTreeSet<PositionKey> = [root.clone()].into();
    while !level.is_empty() {
        let mut next = BTreeSet::new();
        for key in level.iter().flat_map(followers) {
            // Positions that were removed already no longer lead to it.
            if !next.contains(&key)
                && is_there(&transaction, &key)?
                && !has_other_way(&transaction, &key, root)?
            {
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

/// The keys of all positions after one more stone.
fn followers(key: &PositionKey) -> Vec<PositionKey> {
    let stones = key.position();
    let mut walk = KeyWalk::new(key.rule(), key.size());
    stones.history().iter().for_each(|&(point, color)| walk.place(point, color));
    walk.set_to_move(stones.to_move());
    let empty = key.size().points().filter(|&point| stones.is_empty_at(point));
    let keys: BTreeSet<PositionKey> = empty.map(|point| walk.after(point)).collect();
    keys.into_iter().collect()
}

/// Whether a position in the library other than `root` leads there.
fn has_other_way(
    connection: &Connection,
    key: &PositionKey,
    root: &PositionKey,
) -> Result<bool, LibraryError> {
    for (before, _) in key.before() {
        if before != *root && is_there(connection, &before)? {
            return Ok(true);
        }
    }
    Ok(false)
}
