//! What SGF has no property for: games, scores and verdicts of a position, as a JSON object in a property of our own.

use serde::{Deserialize, Serialize};

use super::entry::{Decided, Entry, Outcome, Played};
use crate::eval::score::Score;

/// The property: facts of a library of Kagetsu.
pub(super) const FACTS: &str = "KGL";

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The facts of an entry except its comment and marks, for which SGF has properties.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Facts {
    #[serde(skip_serializing_if = "is_zero")]
    games: u64,
    #[serde(skip_serializing_if = "is_zero")]
    black: u64,
    #[serde(skip_serializing_if = "is_zero")]
    white: u64,
    #[serde(skip_serializing_if = "is_zero")]
    draws: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    checked: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    marked: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<char>,
}

impl Facts {
    /// The facts of an entry.
    pub(super) fn of(entry: &Entry) -> Facts {
        let Played { games, black, white, draws } = entry.played;
        Facts {
            games,
            black,
            white,
            draws,
            score: entry.score,
            depth: entry.depth,
            nodes: entry.nodes,
            outcome: entry.decided.map(|decided| decided.outcome),
            plies: entry.decided.and_then(|decided| decided.plies),
            checked: entry.decided.is_some_and(|decided| decided.is_checked),
            marked: entry.is_marked,
            tag: entry.tag,
        }
    }

    /// The entry with these facts, without those of the games or those of the engine if they are impossible.
    pub(super) fn entry(&self) -> Entry {
        let Facts { games, black, white, draws, score, depth, nodes, outcome, plies, checked, marked, tag } =
            *self;
        let played = Played { games, black, white, draws };
        let entry = Entry {
            played: if played.mistake().is_none() { played } else { Played::default() },
            score,
            depth,
            nodes,
            decided: outcome.map(|outcome| Decided { outcome, plies, is_checked: checked }),
            is_marked: marked,
            tag,
            ..Entry::default()
        };
        if entry.mistake().is_none() {
            return entry;
        }
        Entry { score: None, depth: None, nodes: None, decided: None, ..entry }
    }
}
