//! The memory of the transposition table: how it is claimed, and hints about its use to the operating system and the
//! processor.
//!
//! A search touches a fresh table of hundreds of megabytes page by page in random order, and the first touch of each
//! small page costs more than the search of a position. Linux uses large pages instead if it is asked to.

use std::sync::atomic::AtomicU64;
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering::Relaxed};
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

use rayon::ThreadPool;

/// The size in bytes of a small page on every Linux that has large ones. If pages are larger, advice about them fails.
#[cfg(target_os = "linux")]
const PAGE: usize = 4096;
#[cfg(target_os = "linux")]
const PAGE_WORDS: usize = PAGE / size_of::<AtomicU64>();
/// The words of a large page.
#[cfg(target_os = "linux")]
const LARGE_PAGE_WORDS: usize = (2 << 20) / size_of::<AtomicU64>();

/// What came of claiming memory in large pages.
pub(super) struct LargePages {
    /// How many words are claimed, from the first one on.
    pub words: usize,
    /// Whether the system is so slow at providing them that small ones are the better choice.
    pub are_slow: bool,
}

/// Claims this memory from the system like [`claim`], but in large pages, as long as the system is quick at providing
/// them: where memory is fragmented, or a virtual machine has to ask its host for it, a large page can take more time
/// than it saves over all moves. The first ones can be quick and the rest slow, so all of them are timed, and what this
/// has not come to gets small pages: nobody would time it when the search touches it. Large pages are only a hint:
/// nothing changes if it is ignored.
#[cfg(target_os = "linux")]
pub(super) fn claim_large(
    words: &[AtomicU64],
    may_go_on: impl Fn() -> bool + Sync,
    pool: Option<&ThreadPool>,
) -> LargePages {
    advise(words, libc::MADV_HUGEPAGE);
    let debt = Debt::default();
    let threads = pool.map_or(1, ThreadPool::current_num_threads);
    let may_go_on = || !debt.is_too_large() && may_go_on();
    let claimed = claim_chunks(words, LARGE_PAGE_WORDS, may_go_on, pool, |chunk| {
        let start = Instant::now();
        write_pages(chunk);
        debt.add(start.elapsed(), threads);
    });
    advise(&words[claimed..], libc::MADV_NOHUGEPAGE);
    let are_slow = debt.is_too_large();
    if are_slow {
        let number = claimed / LARGE_PAGE_WORDS;
        log::debug!("large pages are slow: small ones are used after the first {number}");
    }
    LargePages { words: claimed, are_slow }
}

/// The time that large pages have taken beyond what they may take. Quick ones pay off what slow ones have run up, but
/// save up nothing.
#[cfg(target_os = "linux")]
#[derive(Default)]
struct Debt {
    microseconds: AtomicI64,
}

#[cfg(target_os = "linux")]
impl Debt {
    /// The longest time that a large page may take, several times what zeroing it takes.
    const PER_PAGE: Duration = Duration::from_millis(2);
    /// The largest debt, so that one page may take long because the system has turned to another program.
    const MOST: Duration = Duration::from_millis(20);

    /// Adds a page that took this long on one of so many threads, which wait for each other in the system.
    fn add(&self, took: Duration, threads: usize) {
        let beyond = took.as_micros() as i64 - Self::PER_PAGE.as_micros() as i64 * threads as i64;
        // Threads that add at the same time may lose a page, which matters little.
        self.microseconds.store((self.microseconds.load(Relaxed) + beyond).max(0), Relaxed);
    }

    fn is_too_large(&self) -> bool {
        self.microseconds.load(Relaxed) > Self::MOST.as_micros() as i64
    }
}

/// Claims this memory from the system, from its beginning and for as long as this holds, on all threads of the pool.
/// Returns how many words are claimed.
///
/// On Linux, the first read of a page maps a page of zeros that all share, and the first write replaces it, for which
/// the processors of all threads have to be interrupted. Two threads that come by their memory in this way search fewer
/// nodes than one. A page that is written to first is claimed at once.
#[cfg(target_os = "linux")]
pub(super) fn claim(
    words: &[AtomicU64],
    may_go_on: impl Fn() -> bool + Sync,
    pool: Option<&ThreadPool>,
) -> usize {
    /// Words between two looks at whether to go on, which take some tenth of a millisecond to claim.
    const CHUNK: usize = 64 * PAGE_WORDS;
    claim_chunks(words, CHUNK, may_go_on, pool, write_pages)
}

/// Has chunks of so many words claimed one after the other, for as long as this holds, on all threads of the pool.
/// Returns how many words are claimed.
#[cfg(target_os = "linux")]
fn claim_chunks(
    words: &[AtomicU64],
    chunk_words: usize,
    may_go_on: impl Fn() -> bool + Sync,
    pool: Option<&ThreadPool>,
    claim_chunk: impl Fn(&[AtomicU64]) + Sync,
) -> usize {
    let next = AtomicUsize::new(0);
    let claim_chunks = || {
        while may_go_on()
            && let Some(chunk) = words.chunks(chunk_words).nth(next.fetch_add(1, Relaxed))
        {
            claim_chunk(chunk);
        }
    };
    match pool.filter(|_| !words.is_empty()) {
        Some(pool) => drop(pool.broadcast(|_| claim_chunks())),
        None => claim_chunks(),
    }
    (next.into_inner() * chunk_words).min(words.len())
}

/// Writes to every page of these words, but changes nothing. Their memory is then claimed, for which a read need not
/// suffice.
#[cfg(target_os = "linux")]
fn write_pages(words: &[AtomicU64]) {
    for word in words.iter().step_by(PAGE_WORDS) {
        // The processor treats this as a write whatever it finds. The compiler may turn a `fetch_or` of 0 into a read.
        let _ = word.compare_exchange(0, 0, Relaxed, Relaxed);
    }
}

/// Tells the system how this memory will be used.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn advise(words: &[AtomicU64], advice: libc::c_int) {
    let start = words.as_ptr().addr().next_multiple_of(PAGE);
    let end = (words.as_ptr().addr() + size_of_val(words)) / PAGE * PAGE;
    if start >= end {
        return;
    }
    let skip = start - words.as_ptr().addr();
    // SAFETY: the range lies within the slice, which is borrowed for the call, and advice about large pages changes
    // neither the contents nor the validity of memory.
    let failed = unsafe {
        let address = words.as_ptr().cast::<libc::c_void>().cast_mut().byte_add(skip);
        libc::madvise(address, end - start, advice) != 0
    };
    if failed {
        log::debug!("no advice about large pages: {}", std::io::Error::last_os_error());
    }
}

/// Only Linux is asked for large pages.
#[cfg(not(target_os = "linux"))]
pub(super) fn claim_large(
    _words: &[AtomicU64],
    _may_go_on: impl Fn() -> bool + Sync,
    _pool: Option<&ThreadPool>,
) -> LargePages {
    LargePages { words: 0, are_slow: true }
}

/// Elsewhere, the first read of a page claims it.
#[cfg(not(target_os = "linux"))]
pub(super) fn claim(
    words: &[AtomicU64],
    _may_go_on: impl Fn() -> bool + Sync,
    _pool: Option<&ThreadPool>,
) -> usize {
    words.len()
}

/// Begins to load the cache line of this word. This is only a hint, too.
#[inline(always)]
#[allow(unsafe_code)]
pub(super) fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = std::ptr::from_ref(word).cast::<i8>();
        // SAFETY: a prefetch reads nothing that the program sees and faults at no address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn the_memory_is_as_it_was() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        for length in [0, 1, 511, 512, 5000, 1 << 20, 11 << 20] {
            let words: Vec<AtomicU64> = (0..length).map(AtomicU64::new).collect();
            let large = claim_large(&words, || true, Some(&pool));
            assert!(large.words == words.len() || large.are_slow);
            assert_eq!(claim(&words, || true, None), words.len());
            assert_eq!(claim(&words, || true, Some(&pool)), words.len());
            assert!(words.iter().enumerate().all(|(n, word)| word.load(Relaxed) == n as u64));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn slow_pages_are_noticed_whenever_they_come() {
        let debt_of = |took: &[u64], threads: usize| {
            let debt = Debt::default();
            took.iter().for_each(|&milliseconds| debt.add(Duration::from_millis(milliseconds), threads));
            debt.is_too_large()
        };
        assert!(!debt_of(&[2; 1000], 1));
        assert!(debt_of(&[7; 5], 1) && !debt_of(&[7; 3], 1));
        // Quick ones before them save up nothing, and a few among them do not help.
        assert!(debt_of(&[[0; 500].as_slice(), &[7; 5]].concat(), 1));
        assert!(debt_of(&[7, 7, 0, 7, 7, 7].repeat(2), 1));
        // The system may turn to another program for once.
        assert!(!debt_of(&[0, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 20, 0], 1));
        // Of several threads, each waits for the others.
        assert!(!debt_of(&[7; 1000], 4) && debt_of(&[9; 1000], 4));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn large_pages_are_claimed_only_as_long_as_wanted() {
        let words: Box<[AtomicU64]> = bytemuck::allocation::zeroed_slice_box(4 * LARGE_PAGE_WORDS + 100);
        assert_eq!(claim_large(&words, || false, None).words, 0);
        let left = AtomicUsize::new(2);
        let may_go_on = || left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok();
        let large = claim_large(&words, may_go_on, None);
        assert!(large.words == 2 * LARGE_PAGE_WORDS || large.are_slow, "{}", large.words);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_claimed_can_be_written_to_without_another_fault() {
        // Of this thread alone, since other tests run beside this one.
        let faults = || {
            let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            let after_name = stat.rsplit_once(')').unwrap().1;
            after_name.split_whitespace().nth(7).unwrap().parse::<usize>().unwrap()
        };
        let words: Box<[AtomicU64]> = bytemuck::allocation::zeroed_slice_box(16 << 17);
        let pages = size_of_val(&*words) / PAGE;
        assert_eq!(claim(&words, || false, None), 0);
        assert_eq!(claim(&words, || true, None), words.len());
        let before = faults();
        words.iter().for_each(|word| word.store(1, Relaxed));
        let later = faults() - before;
        assert!(later < pages / 8, "{later} faults in {pages} pages");
    }
}
