//! Walks through a text character by character, and keeps track of line and column.

use std::str::Chars;

use super::error::Place;

/// The rest of a text, and the place where it begins.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    rest: Chars<'a>,
    place: Place,
}

impl<'a> Cursor<'a> {
    /// A cursor before the first character.
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { rest: text.chars(), place: Place::START }
    }

    /// A cursor before the first character of a text that begins at this place of a larger one.
    pub(super) fn at(text: &'a str, place: Place) -> Cursor<'a> {
        Cursor { rest: text.chars(), place }
    }

    /// The place of the next character.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// The next character, without consuming it.
    pub(super) fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    /// The text that is left.
    pub(super) fn rest(&self) -> &'a str {
        self.rest.as_str()
    }

    /// Skips characters for as long as `is_skipped` accepts them.
    pub(super) fn pass_over(&mut self, is_skipped: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&is_skipped) {
            self.next();
        }
    }
}

impl Iterator for Cursor<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        let next = self.rest.next()?;
        #[cfg(test)]
        PASSED.set(PASSED.get() + 1);
        if next == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some(next)
    }
}

#[cfg(test)]
thread_local! {
    /// Characters that all cursors of this thread have passed: a measure of the readers' work that does not depend on
    /// the machine.
    pub(super) static PASSED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}
