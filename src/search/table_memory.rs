//! The memory of the transposition table: how it is claimed, and hints about its use to the operating system and the
//! processor.
//!
//! A search touches a fresh table of hundreds of megabytes page by page in random order, and the first touch of each
//! small page costs more than the search of a position. Linux uses large pages instead if it is asked to.

use std::sync::atomic::AtomicU64;
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

use rayon::ThreadPool;

/// The size in bytes of a small page on every Linux that has large ones. If pages are larger, advice about them fails.
#[cfg(target_os = "linux")]
const PAGE: usize = 4096;

/// Asks the system to back this memory with large pages, unless it is slow at providing them: where memory is
/// fragmented, as in a virtual machine that is short of it, a large page can take more time than it saves over all
/// moves. This is only a hint: nothing changes if it is ignored.
#[cfg(target_os = "linux")]
pub(super) fn prefer_large(words: &[AtomicU64]) {
    advise(words, libc::MADV_HUGEPAGE);
    if let Some(took) = time_of_large_page(words)
        && took > LARGE_PAGE_LIMIT
    {
        log::debug!("a large page takes {took:?}: small ones are used");
        advise(words, libc::MADV_NOHUGEPAGE);
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
    const PAGE_WORDS: usize = PAGE / size_of::<AtomicU64>();
    /// Words between two looks at whether to go on, which take some tenth of a millisecond to claim.
    const CHUNK: usize = 64 * PAGE_WORDS;
    let next = AtomicUsize::new(0);
    let claim_chunks = || {
        while may_go_on()
            && let Some(chunk) = words.chunks(CHUNK).nth(next.fetch_add(1, Relaxed))
        {
            write_pages(chunk.iter().step_by(PAGE_WORDS));
        }
    };
    match pool.filter(|_| !words.is_empty()) {
        Some(pool) => drop(pool.broadcast(|_| claim_chunks())),
        None => claim_chunks(),
    }
    (next.into_inner() * CHUNK).min(words.len())
}

/// Writes to these words, but changes nothing. Their memory is then claimed, for which a read need not suffice.
#[cfg(target_os = "linux")]
fn write_pages<'a>(words: impl Iterator<Item = &'a AtomicU64>) {
    for word in words {
        // The processor treats this as a write whatever it finds. The compiler may turn a `fetch_or` of 0 into a read.
        let _ = word.compare_exchange(0, 0, Relaxed, Relaxed);
    }
}

/// The longest time that a large page may take, several times what zeroing it takes.
#[cfg(target_os = "linux")]
const LARGE_PAGE_LIMIT: Duration = Duration::from_millis(2);

/// How long the first touch of a large page of this memory takes: the median of a few. `None` for memory with too few
/// of them.
#[cfg(target_os = "linux")]
fn time_of_large_page(words: &[AtomicU64]) -> Option<Duration> {
    const TRIED: usize = 5;
    const WORDS: usize = (2 << 20) / size_of::<AtomicU64>();
    if words.len() < 8 * TRIED * WORDS {
        return None;
    }
    let mut took: [Duration; TRIED] = std::array::from_fn(|n| {
        let start = Instant::now();
        write_pages(std::iter::once(&words[(n + 1) * WORDS]));
        start.elapsed()
    });
    took.sort_unstable();
    Some(took[TRIED / 2])
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
pub(super) fn prefer_large(_words: &[AtomicU64]) {}

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
            prefer_large(&words);
            assert_eq!(claim(&words, || true, None), words.len());
            assert_eq!(claim(&words, || true, Some(&pool)), words.len());
            assert!(words.iter().enumerate().all(|(n, word)| word.load(Relaxed) == n as u64));
        }
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
