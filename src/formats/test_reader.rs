//! A reader for tests of what happens when reading fails.

use std::io::{Error, ErrorKind, Read, Result};

/// Fails once, before it reads the bytes.
pub(super) struct Halting<'a> {
    bytes: &'a [u8],
    error: Option<ErrorKind>,
}

impl<'a> Halting<'a> {
    pub(super) fn new(bytes: &'a [u8], error: ErrorKind) -> Halting<'a> {
        Halting { bytes, error: Some(error) }
    }
}

impl Read for Halting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        match self.error.take() {
            Some(kind) => Err(Error::from(kind)),
            None => self.bytes.read(buffer),
        }
    }
}
