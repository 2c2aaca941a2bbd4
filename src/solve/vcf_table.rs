//! The transposition table of a VCF search: it has a fixed size, and newer entries replace older ones.

use super::table_memory::zeroed_buckets;
use crate::board::{Point, zobrist};

/// Words per entry: a position's hash, and a [`VcfKnowledge`].
const ENTRY: usize = 2;
/// Words per bucket, which is one cache line: the entries that a position may be stored in.
const BUCKET: usize = 4 * ENTRY;
/// The least number of buckets that a search begins with, if the table has as many: 64 KB.
const FIRST_BUCKETS: usize = 1 << 10;

/// What is known about a position with the attacker to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VcfKnowledge {
    /// Nothing yet.
    Unknown,
    /// A search gave up after this many nodes, given as a binary logarithm.
    GaveUp(u32),
    /// No VCF with up to this many fours.
    Refuted(u32),
    /// No VCF at all.
    NoWin,
    /// A VCF with this many fours, which begins with this move.
    Win(u32, Point),
}

impl VcfKnowledge {
    fn unpack(data: u64) -> VcfKnowledge {
        let number = (data >> 8) as u32 & 0xff;
        match data & 0xff {
            1 => VcfKnowledge::GaveUp(number),
            2 => VcfKnowledge::Refuted(number),
            3 => VcfKnowledge::NoWin,
            4 => {
                let point = Point::from_cell((data >> 16) as usize);
                point.map_or(VcfKnowledge::Unknown, |point| VcfKnowledge::Win(number, point))
            }
            _ => VcfKnowledge::Unknown,
        }
    }

    fn pack(self) -> u64 {
        let number = |number: u32| u64::from(number.min(0xff)) << 8;
        match self {
            VcfKnowledge::Unknown => 0,
            VcfKnowledge::GaveUp(n) => 1 | number(n),
            VcfKnowledge::Refuted(n) => 2 | number(n),
            VcfKnowledge::NoWin => 3,
            VcfKnowledge::Win(n, point) => 4 | number(n) | (point.index() as u64) << 16,
        }
    }
}

/// The table.
#[derive(Debug)]
pub(super) struct VcfTable {
    /// Entries of two words each. They are zeros at first, because the system allocates zeroed memory only when it is
    /// used.
    words: Vec<u64>,
    /// Buckets in use. They are few at first and grow with the number of stored entries: most searches are short, and
    /// touching fresh memory for every position takes longer than searching the position.
    buckets: usize,
    /// Positions stored so far.
    stored: usize,
}

impl VcfTable {
    /// A table of at most `bytes` bytes, but always with room for a few entries.
    pub fn new(bytes: usize) -> VcfTable {
        let words = zeroed_buckets((bytes / size_of::<[u64; BUCKET]>()).max(1), BUCKET);
        let most = words.len() / BUCKET;
        let mut buckets = most;
        while buckets >= 2 * FIRST_BUCKETS {
            buckets /= 2;
        }
        VcfTable { words, buckets, stored: 0 }
    }

    /// Where the position's entries begin. The high bits of the key select the place, and the whole key identifies the
    /// position.
    #[inline]
    fn bucket(&self, key: u64) -> usize {
        zobrist::place_of(key, self.buckets) * BUCKET
    }

    #[inline]
    pub fn get(&self, key: u64) -> VcfKnowledge {
        let at = self.bucket(key);
        let mut entries = self.words[at..at + BUCKET].chunks_exact(ENTRY);
        let found = entries.find(|entry| entry[0] == key);
        found.map_or(VcfKnowledge::Unknown, |entry| VcfKnowledge::unpack(entry[1]))
    }

    pub fn store(&mut self, key: u64, known: VcfKnowledge) {
        self.put(key, known.pack());
        self.stored += 1;
        // Doubles the number of buckets before half of the entries are taken.
        if self.stored > self.buckets * BUCKET / ENTRY / 2 && 2 * self.buckets * BUCKET <= self.words.len() {
            self.grow();
        }
    }

    fn put(&mut self, key: u64, data: u64) {
        let at = self.bucket(key);
        let bucket = &mut self.words[at..at + BUCKET];
        let same = bucket.chunks_exact(ENTRY).position(|entry| entry[0] == key || entry[1] == 0);
        // The newest entry comes first, and the oldest drops out.
        let last = same.map_or(BUCKET - ENTRY, |n| n * ENTRY);
        bucket.copy_within(..last, ENTRY);
        bucket[0] = key;
        bucket[1] = data;
    }

    /// Doubles the number of buckets, and moves each entry to its new one.
    fn grow(&mut self) {
        let before = self.buckets;
        self.buckets *= 2;
        // The entries of bucket n belong in bucket 2n or 2n + 1, so working backwards overwrites nothing.
        for n in (0..before).rev() {
            let mut old = [0; BUCKET];
            old.copy_from_slice(&self.words[n * BUCKET..(n + 1) * BUCKET]);
            self.words[n * BUCKET..(n + 1) * BUCKET].fill(0);
            for entry in old.chunks_exact(ENTRY).rev().filter(|entry| entry[1] != 0) {
                self.put(entry[0], entry[1]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_grows_forgets_little() {
        let mut table = VcfTable::new(1 << 22);
        let first = table.buckets;
        let known = |key: u64| VcfKnowledge::Refuted((key % 7) as u32);
        let keys: Vec<u64> = (0..60_000).map(zobrist::extra).collect();
        keys.iter().for_each(|&key| table.store(key, known(key)));
        assert!(table.buckets >= 16 * first, "{} of {}", table.buckets, table.words.len() / BUCKET);
        let found = keys.iter().filter(|&&key| table.get(key) == known(key)).count();
        assert!(found > 55_000, "{found}");
    }
}
