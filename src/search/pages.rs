//! The memory of the transposition table: hints about its use to the operating system and the processor.
//!
//! A search touches a fresh table of hundreds of megabytes page by page in random order, and the first touch of each
//! small page costs more than the search of a position. Linux uses large pages instead if it is asked to.

use std::sync::atomic::AtomicU64;
#[cfg(target_os = "linux")]
use std::sync::atomic::Ordering::Relaxed;
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

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
        // A write that changes nothing; a read alone need not allocate the page.
        words[(n + 1) * WORDS].fetch_or(0, Relaxed);
        start.elapsed()
    });
    took.sort_unstable();
    Some(took[TRIED / 2])
}

/// Tells the system how this memory will be used.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn advise(words: &[AtomicU64], advice: libc::c_int) {
    /// The size of a small page on every Linux that has large ones. If pages are larger, only the call fails.
    const PAGE: usize = 4096;
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
        for length in [0, 1, 511, 512, 5000, 1 << 20, 11 << 20] {
            let words: Vec<AtomicU64> = (0..length).map(AtomicU64::new).collect();
            prefer_large(&words);
            assert!(words.iter().enumerate().all(|(n, word)| word.load(Relaxed) == n as u64));
        }
    }
}
