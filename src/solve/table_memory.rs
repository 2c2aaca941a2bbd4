//! The memory of the solver's tables.

use bytemuck::allocation::try_zeroed_slice_box;

/// Zeros for `buckets` buckets of so many words. If the system refuses this much, there are half as many buckets, or
/// half of that, but always one. The system hands out zeroed memory only when it is used, so this is quick.
///
/// # Panics
/// If there is no memory for a single bucket.
pub(super) fn zeroed_buckets(mut buckets: usize, words: usize) -> Vec<u64> {
    loop {
        match try_zeroed_slice_box(buckets.saturating_mul(words)) {
            Ok(zeros) => return zeros.into_vec(),
            Err(()) if buckets > 1 => buckets /= 2,
            Err(()) => panic!("there is no memory for a bucket of {words} words"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_as_large_as_the_system_allows() {
        assert_eq!(zeroed_buckets(5, 12), [0; 60]);
        // No address space is as large as that.
        for buckets in [usize::MAX, usize::MAX / 8 / 12] {
            let words = zeroed_buckets(buckets, 12);
            assert!(!words.is_empty() && words.len().is_multiple_of(12), "{}", words.len());
        }
    }
}
