//! The transposition table of a VCT search: it has a fixed size and keeps the entries that took the most
//! work.

use super::proof_numbers::ProofNumbers;
use super::table_memory::zeroed_buckets;
use crate::board::{Point, zobrist};

/// What the table holds about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct VctEntry {
    pub numbers: ProofNumbers,
    /// Nodes searched below the position, as far as known; at least 1.
    work: u32,
    /// The winning move, in a proven position with the attacker to move that is not won by a VCF.
    pub point: Option<Point>,
}

/// Words per entry: the hash, the two numbers, and work with epoch and point.
const ENTRY: usize = 3;
/// Where the epoch begins in the last word.
const EPOCH_SHIFT: u32 = 16;
/// Words per bucket: the entries that a position may be stored in.
const BUCKET: usize = 4 * ENTRY;

impl VctEntry {
    fn unpack(words: &[u64]) -> VctEntry {
        VctEntry {
            numbers: ProofNumbers { proof: (words[1] >> 32) as u32, disproof: words[1] as u32 },
            work: (words[2] >> 32) as u32,
            point: Point::from_cell(usize::from(words[2] as u16)),
        }
    }

    fn pack(&self, key: u64, epoch: u64, words: &mut [u64]) {
        let point = self.point.map_or(0, |point| point.index() as u64);
        words[0] = key;
        words[1] = u64::from(self.numbers.proof) << 32 | u64::from(self.numbers.disproof);
        words[2] = u64::from(self.work) << 32 | u64::from(epoch as u16) << EPOCH_SHIFT | point;
    }
}

/// The table.
#[derive(Debug)]
pub(super) struct VctTable {
    /// Zeros at first, because the system allocates zeroed memory only when it is used.
    words: Vec<u64>,
    /// A part of every key. It changes with the moves and replies that are searched, because they change the
    /// numbers.
    epoch: u64,
}

impl VctTable {
    /// A table of at most `bytes` bytes, and no more than the system allows, but always with room for a few entries.
    pub fn new(bytes: usize) -> VctTable {
        let buckets = (bytes / size_of::<[u64; BUCKET]>()).max(1);
        VctTable { words: zeroed_buckets(buckets, BUCKET), epoch: 0 }
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.epoch += 1;
    }

    /// The key of a position, and where its entries begin.
    #[inline]
    fn locate(&self, hash: u64) -> (u64, usize) {
        let key = hash ^ zobrist::extra(self.epoch);
        let buckets = self.words.len() / BUCKET;
        (key, zobrist::place_of(key, buckets) * BUCKET)
    }

    #[inline]
    pub fn get(&self, hash: u64) -> Option<VctEntry> {
        let (key, at) = self.locate(hash);
        let mut entries = self.words[at..at + BUCKET].chunks_exact(ENTRY);
        entries.find(|words| words[0] == key).map(VctEntry::unpack)
    }

    pub fn store(&mut self, hash: u64, numbers: ProofNumbers, work: u64, point: Option<Point>) {
        let (key, at) = self.locate(hash);
        let work = u32::try_from(work.max(1)).unwrap_or(u32::MAX);
        let mut entry = VctEntry { numbers, work, point };
        let bucket = &mut self.words[at..at + BUCKET];
        let is_it = |words: &[u64]| words[0] == key;
        let victim = match bucket.chunks_exact(ENTRY).position(is_it) {
            Some(n) => {
                entry.work = entry.work.saturating_add(VctEntry::unpack(&bucket[n * ENTRY..]).work);
                n
            }
            // The entry with the least work is replaced; an empty one has none, and one of another epoch is forgotten.
            None => {
                let is_forgotten =
                    |n: usize| (bucket[n * ENTRY + 2] >> EPOCH_SHIFT) as u16 != self.epoch as u16;
                let work_of = |n: &usize| match is_forgotten(*n) {
                    true => 0,
                    false => VctEntry::unpack(&bucket[n * ENTRY..]).work,
                };
                (0..BUCKET / ENTRY).min_by_key(work_of).unwrap_or_default()
            }
        };
        entry.pack(key, self.epoch, &mut bucket[victim * ENTRY..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_the_most_work_stays() {
        // There is one bucket, so all entries share it.
        let mut table = VctTable::new(0);
        let numbers = ProofNumbers { proof: 3, disproof: 5 };
        let point = Some(Point::new(4, 2));
        (1..=4).for_each(|n| table.store(n, numbers, 10 * n, point));
        table.store(5, numbers, 1, None);
        assert!(table.get(1).is_none());
        assert!((2..=5).all(|n| table.get(n).is_some_and(|entry| entry.numbers == numbers)));
        assert_eq!(table.get(4).unwrap().point, point);
        table.forget();
        assert!((1..=5).all(|n| table.get(n).is_none()));
        // What is forgotten makes room, however much work it took.
        (6..=9).for_each(|n| table.store(n, numbers, 1, point));
        assert!((6..=9).all(|n| table.get(n).is_some_and(|entry| entry.point == point)));
    }
}
