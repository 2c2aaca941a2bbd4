//! The one place where panics are caught, so that a bug in the program costs a move, a game or an answer, but not the
//! process.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `work`. After a panic, the caller has to discard or rebuild whatever was left half done.
///
/// # Errors
/// The message of the panic.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| cause_of(panic.as_ref()))
}

/// The message of a panic, which is a `String` if it was formatted and otherwise a literal.
fn cause_of(panic: &(dyn Any + Send)) -> String {
    let literal = || panic.downcast_ref::<&str>().map(|&text| text.to_owned());
    panic.downcast_ref::<String>().cloned().or_else(literal).unwrap_or_else(|| "unknown".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_of_a_panic_is_told() {
        let number = 7;
        assert_eq!(guarded(|| number), Ok(7));
        assert_eq!(guarded(|| -> u8 { panic!("a literal") }), Err("a literal".to_owned()));
        assert_eq!(guarded(|| -> u8 { panic!("formatted {number}") }), Err("formatted 7".to_owned()));
        let odd = || -> u8 { std::panic::panic_any(number) };
        assert_eq!(guarded(odd), Err("unknown".to_owned()));
    }
}
