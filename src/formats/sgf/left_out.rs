//! Which games of a collection were left out because they cannot be read, so that one of them does not keep the others
//! from being read.

use std::fmt;

use crate::formats::error::{FormatError, Mistake};

/// How many games that were left out are told one by one.
const MOST_TOLD: usize = 5;

/// A part of a collection that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The number of the game, from 1; `None` for a bracket too many, which is in none.
    pub number: Option<usize>,
    /// Why it was left out.
    pub error: FormatError,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.number {
            Some(number) => write!(f, "game {number} was left out: {}", self.error),
            None => write!(f, "what follows up to the next game was left out: {}", self.error),
        }
    }
}

/// Numbers the games of a collection as they come, and notes those that were left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOutGames {
    games: usize,
    count: usize,
    told: Vec<LeftOut>,
}

impl LeftOutGames {
    /// Counts the next game as the reader found it, and gives it its number, from 1. A bracket too many is no game.
    pub fn number<G>(&mut self, game: &Result<G, FormatError>) -> Option<usize> {
        let is_game = !matches!(game, Err(FormatError { mistake: Mistake::StrayBracket, .. }));
        self.games += usize::from(is_game);
        is_game.then_some(self.games)
    }

    /// Notes that the game with this number is left out.
    pub fn note(&mut self, number: Option<usize>, error: FormatError) {
        self.count += 1;
        if self.told.len() < MOST_TOLD {
            self.told.push(LeftOut { number, error });
        }
    }

    /// How many were left out.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The first five of them.
    #[must_use]
    pub fn told(&self) -> &[LeftOut] {
        &self.told
    }

    /// Why the first was left out, if one was: the reason where no game is left.
    #[must_use]
    pub fn first_error(&self) -> Option<&FormatError> {
        self.told.first().map(|left_out| &left_out.error)
    }

    /// Remarks on those that were left out, a line each.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let more = self.count - self.told.len();
        let rest = (more > 0).then(|| format!("more games that were left out: {more}"));
        self.told.iter().map(ToString::to_string).chain(rest)
    }
}

/// Whether a mistake ends the whole collection, because what comes after it cannot be found or read.
#[must_use]
pub fn ends_collection(error: &FormatError) -> bool {
    matches!(error.mistake, Mistake::Unreadable(_) | Mistake::LongGame(_) | Mistake::LargeGame(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sgf;

    #[test]
    fn bad_games_have_the_numbers_of_the_text() {
        let text = "(;B[hh])()(;B[ii]))(;B[jj])()()()()(;B[kk";
        let mut left_out = LeftOutGames::default();
        let mut good = Vec::new();
        for game in sgf::games(text) {
            let number = left_out.number(&game);
            match game {
                Ok(_) => good.push(number.unwrap()),
                Err(error) => left_out.note(number, error),
            }
        }
        assert_eq!((good, left_out.count()), (vec![1, 3, 4], 7));
        let remarks: Vec<String> = left_out.remarks().collect();
        assert_eq!(remarks[0], "game 2 was left out: line 1, column 9: the game that begins here is empty");
        assert!(remarks[1].starts_with("what follows up to the next game was left out: line 1, column 19"));
        assert_eq!((remarks.len(), remarks[5].as_str()), (6, "more games that were left out: 2"));
        assert_eq!(left_out.first_error().map(|error| &error.mistake), Some(&Mistake::NoNode));
    }
}
