//! Turns the records of a match into the contents of its page.

use anyhow::ensure;

use super::contents::Contents;
use super::merged::Merged;
use super::{engines, games, results};
use crate::arena::duplicates::leave_out_copies;
use crate::arena::records::Records;
use crate::eval::score::{WIN, WIN_BOUND};

impl Contents {
    /// Counts a match, or several whose engines are identified by name. A game that is in several of them is counted
    /// once.
    ///
    /// # Errors
    /// There is no game.
    pub fn of(mut parts: Vec<Records>) -> anyhow::Result<Contents> {
        let copies = leave_out_copies(&mut parts);
        let mut merged = Merged::of(parts);
        ensure!(!merged.games.is_empty(), "there is no finished game yet");
        match copies {
            0 => {}
            1 => merged
                .notes
                .push("1 game stands in more than one of the files and is counted once".to_owned()),
            _ => merged
                .notes
                .push(format!("{copies} games stand in more than one of the files and are counted once")),
        }
        let mut contents = Contents {
            copies,
            writer: concat!("kagetsu ", env!("CARGO_PKG_VERSION")).to_owned(),
            facts: merged.facts(),
            notes: merged.notes.clone(),
            engines: engines::count(&merged),
            time_steps: engines::TIME_STEPS.to_vec(),
            wins: (WIN_BOUND, WIN),
            ..Contents::default()
        };
        results::count(&mut contents, &merged);
        games::list(&mut contents, &merged);
        Ok(contents)
    }
}

#[cfg(test)]
#[path = "count_tests.rs"]
mod tests;
