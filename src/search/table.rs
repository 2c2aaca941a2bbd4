//! The [transposition table](https://www.chessprogramming.org/Transposition_Table): what was found out about positions,
//! shared by all threads without locks.
//!
//! An entry is two words: the data, and the hash XORed with the data. A reader that meets a half-written entry recovers
//! a hash that does not match, and takes the entry for another position's (R. Hyatt and T. Mann, "A lock-less
//! transposition table implementation", 2002; see
//! [lockless](https://www.chessprogramming.org/Shared_Hash_Table#Lockless)).

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use rayon::ThreadPool;

use super::params::{Depth, PLY, TABLE_AGE, TABLE_REPLACE_DEPTH};
use super::table_memory::{LargePages, claim, claim_large, prefetch};
use crate::board::{Point, zobrist};
use crate::eval::Score;
use crate::eval::score::{from_table, to_table};

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Bound {
    /// There is no score.
    #[default]
    None,
    /// The true score is at most this.
    Upper,
    /// The true score is at least this.
    Lower,
    /// The true score is exactly this.
    Exact,
}

impl Bound {
    /// Whether the true score differs from `other`, given a score and how it relates to the true one.
    #[must_use]
    #[inline]
    pub fn excludes(self, other: Score, score: Score) -> bool {
        match self {
            Bound::None => false,
            Bound::Exact => score != other,
            Bound::Lower => score > other,
            Bound::Upper => score < other,
        }
    }
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The best move, if one was found.
    pub point: Option<Point>,
    /// From the view of the side to move; meaningless without a [`Bound`].
    pub score: Score,
    /// How to read the score.
    pub bound: Bound,
    /// The depth searched. Storing rounds it down to a quarter of a ply.
    pub depth: Depth,
    /// The static evaluation as it was computed, without any correction; `None` if it was not. It depends a little on
    /// the last stone, so it may have come by another order of the same moves.
    pub eval: Option<Score>,
    /// Whether the position was once part of a principal variation.
    pub pv: bool,
    /// The most own fours with which a VCF search has failed here, within the limits of that search.
    pub exhausted_vcf: u8,
}

impl Entry {
    /// Whether the score is enough for a search with this window.
    #[must_use]
    #[inline]
    pub fn settles(&self, alpha: Score, beta: Score) -> bool {
        match self.bound {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }

    /// Whether the entry is deep enough for a search of this depth. The comparison is as coarse as stored depths are.
    #[must_use]
    #[inline]
    pub fn reaches(&self, depth: Depth) -> bool {
        self.depth > depth - PLY / STORED_PLY
    }
}

/// Entries in one bucket of 64 bytes.
const BUCKET: usize = 4;
const WORDS_PER_BUCKET: usize = 2 * BUCKET;
/// Bytes of a bucket: a cache line.
const BUCKET_BYTES: usize = 8 * WORDS_PER_BUCKET;

/// Largest value of [`Entry::exhausted_vcf`] that can be stored.
pub(super) const MAX_EXHAUSTED_VCF: u8 = 15;

/// Steps of a stored depth in one ply.
const STORED_PLY: Depth = 4;
/// Searches are numbered from 1 to this, and then from 1 again. No entry is stored with 0, so none looks like a free
/// place.
const GENERATIONS: u8 = 31;

/// The table. Threads share it as it is: all methods but [`Table::clear`] take `&self`.
pub(crate) struct Table {
    words: Box<[AtomicU64]>,
    /// Words to skip so that buckets lie on cache lines.
    skip: usize,
    buckets: usize,
    generation: AtomicU8,
    /// Words from the first one on whose memory the system has given.
    claimed: usize,
    /// Whether the system was slow at providing large pages. It is not asked again: asking takes time.
    large_pages_are_slow: bool,
}

impl Table {
    /// Bytes that one position takes.
    pub const BYTES_PER_ENTRY: u64 = (BUCKET_BYTES / BUCKET) as u64;

    /// A table of at most `bytes` bytes, at least one bucket. The memory is claimed from the system page by
    /// page as it is first used, so this is quick for any size.
    #[must_use]
    pub fn new(bytes: u64) -> Table {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let mut buckets = (bytes / BUCKET_BYTES).saturating_sub(1).max(1);
        let words: Box<[AtomicU64]> = loop {
            // If the system refuses this much, ask for half.
            match bytemuck::allocation::try_zeroed_slice_box((buckets + 1) * WORDS_PER_BUCKET) {
                Ok(words) => break words,
                Err(()) if buckets > 1 => buckets /= 2,
                Err(()) => panic!("there is no memory for a table of two cache lines"),
            }
        };
        let misaligned = words.as_ptr().addr() % BUCKET_BYTES;
        let skip = (BUCKET_BYTES - misaligned) % BUCKET_BYTES / size_of::<AtomicU64>();
        Table { words, skip, buckets, generation: AtomicU8::new(1), claimed: 0, large_pages_are_slow: false }
    }

    /// Claims memory that is not in use yet from the system, on all threads of the pool, for as long as this holds. A
    /// search does so by itself wherever it looks, but at several times the cost.
    ///
    /// Large pages, if they are wanted, make lookups quicker, but take longer to claim than short moves can spare.
    pub fn claim(
        &mut self,
        wants_large_pages: bool,
        may_go_on: impl Fn() -> bool + Sync,
        pool: Option<&ThreadPool>,
    ) {
        if wants_large_pages && !self.large_pages_are_slow {
            let LargePages { words, are_slow } = claim_large(&self.words[self.claimed..], &may_go_on, pool);
            self.claimed += words;
            self.large_pages_are_slow = are_slow;
        }
        self.claimed += claim(&self.words[self.claimed..], may_go_on, pool);
    }

    /// Forgets everything, in place.
    pub fn clear(&mut self) {
        self.words.iter_mut().for_each(|word| *word.get_mut() = 0);
        *self.generation.get_mut() = 1;
    }

    /// Bytes that the table may come to use.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        size_of_val(&*self.words) as u64
    }

    /// Makes all present entries older by one search, so that newer ones replace them first.
    pub(super) fn new_search(&self) {
        let generation = self.generation.load(Relaxed);
        self.generation.store(generation % GENERATIONS + 1, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let first = self.skip + zobrist::place_of(key, self.buckets) * WORDS_PER_BUCKET;
        &self.words[first..first + WORDS_PER_BUCKET]
    }

    /// Tells the processor that this position will be looked up soon.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.bucket(key)[0]);
    }

    /// The entry of the position with this key, at this distance from the root in plies.
    #[must_use]
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let bucket = self.bucket(key);
        bucket.chunks_exact(2).find_map(|words| {
            let data = words[1].load(Relaxed);
            (words[0].load(Relaxed) ^ data == key && data != 0).then(|| Packed(data).unpack(ply))
        })
    }

    /// Stores what was found out about a position. What the old entry has and `entry` lacks (a move, exhausted VCFs) is
    /// kept.
    pub(super) fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let bucket = self.bucket(key);
        let mut victim = &bucket[..2];
        let mut least = i32::MAX;
        for words in bucket.chunks_exact(2) {
            let data = words[1].load(Relaxed);
            if data != 0 && words[0].load(Relaxed) ^ data == key {
                let known = Packed(data).unpack(ply);
                entry.point = entry.point.or(known.point);
                entry.exhausted_vcf = entry.exhausted_vcf.max(known.exhausted_vcf);
                let keeps = entry.bound == Bound::None
                    || entry.bound != Bound::Exact
                        && known.bound != Bound::None
                        && entry.depth + TABLE_REPLACE_DEPTH < known.depth
                        && Packed(data).generation() == generation;
                if keeps {
                    entry = Entry {
                        exhausted_vcf: entry.exhausted_vcf,
                        eval: known.eval.or(entry.eval),
                        point: known.point.or(entry.point),
                        ..known
                    };
                }
                victim = words;
                break;
            }
            let age = i32::from((GENERATIONS + generation - Packed(data).generation()) % GENERATIONS);
            let worth =
                if data == 0 { i32::MIN } else { Packed(data).stored_depth() - age * TABLE_AGE * STORED_PLY };
            if worth < least {
                least = worth;
                victim = words;
            }
        }
        let data = Packed::pack(&entry, generation, ply).0;
        victim[0].store(key ^ data, Relaxed);
        victim[1].store(data, Relaxed);
    }

    /// How much of the table holds entries of this search, in thousandths, estimated from a sample.
    #[must_use]
    pub fn usage(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let buckets = self.buckets.min(1000);
        let sample = &self.words[self.skip..self.skip + buckets * WORDS_PER_BUCKET];
        let used = sample
            .chunks_exact(2)
            .map(|words| words[1].load(Relaxed))
            .filter(|&data| data != 0 && Packed(data).generation() == generation)
            .count();
        (used * 1000 / (buckets * BUCKET)) as u32
    }
}

/// An entry in one word, from the lowest bit: point 10, score 16, evaluation 16, depth 10, bound 2, pv 1,
/// exhausted VCF 4, generation 5.
#[derive(Clone, Copy)]
struct Packed(u64);

const SCORE_AT: u32 = 10;
const EVAL_AT: u32 = 26;
const DEPTH_AT: u32 = 42;
const BOUND_AT: u32 = 52;
const PV_AT: u32 = 54;
const EXHAUSTED_AT: u32 = 55;
const GENERATION_AT: u32 = 59;
const MAX_STORED_DEPTH: i32 = (1 << (BOUND_AT - DEPTH_AT)) - 1;
/// Stands for an evaluation that was not computed.
const NO_EVAL: i16 = i16::MIN;

impl Packed {
    #[inline]
    fn pack(entry: &Entry, generation: u8, ply: usize) -> Packed {
        let bits = |value: i16| u64::from(value as u16);
        let eval = entry.eval.map_or(NO_EVAL, |eval| eval as i16);
        let depth = (entry.depth * STORED_PLY / PLY).clamp(0, MAX_STORED_DEPTH);
        Packed(
            entry.point.map_or(0, |point| point.index() as u64)
                | bits(to_table(entry.score, ply)) << SCORE_AT
                | bits(eval) << EVAL_AT
                | (depth as u64) << DEPTH_AT
                | (entry.bound as u64) << BOUND_AT
                | u64::from(entry.pv) << PV_AT
                | u64::from(entry.exhausted_vcf.min(MAX_EXHAUSTED_VCF)) << EXHAUSTED_AT
                | u64::from(generation) << GENERATION_AT,
        )
    }

    #[inline]
    fn unpack(self, ply: usize) -> Entry {
        let eval = (self.0 >> EVAL_AT) as i16;
        Entry {
            point: Point::from_cell(self.0 as usize & ((1 << SCORE_AT) - 1)),
            score: from_table((self.0 >> SCORE_AT) as i16, ply),
            bound: match self.0 >> BOUND_AT & 3 {
                0 => Bound::None,
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            depth: self.stored_depth() * PLY / STORED_PLY,
            eval: (eval != NO_EVAL).then_some(Score::from(eval)),
            pv: self.0 >> PV_AT & 1 != 0,
            exhausted_vcf: (self.0 >> EXHAUSTED_AT) as u8 & MAX_EXHAUSTED_VCF,
        }
    }

    #[inline]
    fn stored_depth(self) -> i32 {
        (self.0 >> DEPTH_AT) as i32 & MAX_STORED_DEPTH
    }

    #[inline]
    fn generation(self) -> u8 {
        (self.0 >> GENERATION_AT) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::score::{lost_in, win_in};

    fn entry(n: i32) -> Entry {
        Entry {
            point: Some(Point::new(n as usize % 15, 3)),
            score: 7 * n,
            bound: Bound::Exact,
            depth: n % 60 * PLY,
            eval: (n % 2 == 0).then_some(-n),
            pv: n % 3 == 0,
            exhausted_vcf: (n % 16) as u8,
        }
    }

    #[test]
    fn entries_come_back_as_they_went_in() {
        let table = Table::new(1 << 20);
        for n in 0..1000 {
            let key = zobrist::extra(n);
            table.store(key, 5, entry(n as i32));
            assert_eq!(table.probe(key, 5), Some(entry(n as i32)));
        }
        assert_eq!(table.probe(12345, 0), None);
    }

    #[test]
    fn wins_are_counted_from_the_node() {
        let table = Table::new(1 << 16);
        for (stored, ply, other_ply, read) in
            [(win_in(9), 4, 6, win_in(11)), (lost_in(8), 2, 0, lost_in(6)), (55, 3, 9, 55)]
        {
            table.store(77, ply, Entry { score: stored, bound: Bound::Exact, ..Entry::default() });
            assert_eq!(table.probe(77, other_ply).unwrap().score, read);
        }
    }

    #[test]
    fn what_the_new_entry_does_not_say_is_kept() {
        let table = Table::new(1 << 16);
        table.store(9, 0, entry(6));
        table.store(9, 0, Entry { exhausted_vcf: 9, ..Entry::default() });
        assert_eq!(table.probe(9, 0), Some(Entry { exhausted_vcf: 9, ..entry(6) }));
        let deeper = Entry { score: 3, bound: Bound::Upper, depth: 50 * PLY, ..Entry::default() };
        table.store(9, 0, deeper);
        let kept = Entry { point: entry(6).point, exhausted_vcf: 9, ..deeper };
        assert_eq!(table.probe(9, 0), Some(kept));
    }

    #[test]
    fn an_entry_is_found_whatever_it_holds_and_in_whichever_search_it_was_stored() {
        let table = Table::new(1 << 16);
        for search in 0..2 * u64::from(GENERATIONS) {
            table.store(search, 0, Entry { eval: Some(0), ..Entry::default() });
            assert_eq!(table.probe(search, 0).and_then(|entry| entry.eval), Some(0), "search {search}");
            table.new_search();
        }
    }

    #[test]
    fn a_full_table_still_takes_entries() {
        let table = Table::new(0);
        for n in 0..100 {
            table.new_search();
            table.store(n << 32 | n, 0, entry(n as i32));
            assert!(table.probe(n << 32 | n, 0).is_some());
        }
        assert!(table.usage() > 0);
    }
}
