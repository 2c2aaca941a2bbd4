//! A question to the engine as one value: the position, what is asked about it, and who listens meanwhile.

use std::fmt;

use crate::board::Stones;
use crate::rules::Rule;
use crate::search::{Control, Request, SearchProgress};

/// What is asked about a position, and how the search is steered and followed meanwhile.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The rule of the game.
    pub rule: Rule,
    /// The position. The side to move asks.
    pub stones: &'a Stones,
    /// What is to be found, and within which limits.
    pub request: &'a Request,
    /// How the caller stops the search, or changes its time.
    pub control: &'a Control,
    /// Is told of the progress, by all threads of the search.
    pub report: &'a (dyn Fn(SearchProgress) + Sync),
}

impl fmt::Debug for Question<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Question");
        fields.field("rule", &self.rule).field("stones", self.stones).field("request", self.request);
        fields.finish_non_exhaustive()
    }
}

impl<'a> Question<'a> {
    /// A question whose progress nobody follows.
    #[must_use]
    pub fn new(rule: Rule, stones: &'a Stones, request: &'a Request, control: &'a Control) -> Question<'a> {
        Question { rule, stones, request, control, report: &|_| {} }
    }
}
