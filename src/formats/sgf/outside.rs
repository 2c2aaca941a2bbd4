//! What lies outside of all games: text before, between and after them, such as the header of a mail.
//!
//! A game begins where a bracket is followed by what a game begins with: a semicolon, a property, or the bracket of a
//! variation or of an empty game. Other brackets belong to the text.

/// What a character outside of all games tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outside {
    /// Nothing, or not yet.
    Text,
    /// It is in a game, in which this many brackets were opened before it.
    Game(usize),
    /// It is a closing bracket too many: something came before that should not have ended.
    Stray,
}

/// The characters between two games are given to it one by one.
#[derive(Clone, Debug, Default)]
pub(super) struct Between {
    /// Opening brackets of a game, if they are followed by what one begins with.
    pending: usize,
    /// Whether a name has begun behind them, and whether it has a capital letter, as those of properties have.
    has_name: bool,
    has_capital: bool,
    /// Brackets of the text that are open.
    of_text: usize,
    /// Whether a game came before, so that a closing bracket may be one too many of it.
    is_after_game: bool,
}

impl Between {
    /// Before the first character after a game, or of the whole text.
    pub(super) fn new(is_after_game: bool) -> Between {
        Between { is_after_game, ..Between::default() }
    }

    /// Whether the character before was the first bracket of what may be a game.
    pub(super) fn is_at_first_bracket(&self) -> bool {
        self.pending == 1 && !self.has_name
    }

    /// Takes the next character; of a longer one, any of its bytes.
    pub(super) fn take(&mut self, c: char) -> Outside {
        match c {
            '(' if !self.has_name => self.pending += 1,
            ';' | ')' if self.pending > 0 && !self.has_name => return Outside::Game(self.pending),
            '[' if self.has_capital => return Outside::Game(self.pending),
            c if c.is_ascii_alphabetic() && self.pending > 0 => {
                self.has_name = true;
                self.has_capital |= c.is_ascii_uppercase();
            }
            c if c.is_ascii_whitespace() && !self.has_name => {}
            _ => {
                self.of_text += std::mem::take(&mut self.pending);
                (self.has_name, self.has_capital) = (false, false);
                match c {
                    '(' => self.pending = 1,
                    ')' if self.of_text > 0 => self.of_text -= 1,
                    ')' if self.is_after_game => return Outside::Stray,
                    _ => {}
                }
            }
        }
        Outside::Text
    }
}

/// Whether a game begins somewhere in a text in the way of the standard, with a bracket and a semicolon.
#[must_use]
pub fn begins_in(text: &str) -> bool {
    text.split('(').skip(1).any(|after| after.trim_start().starts_with(';'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sgf;

    #[test]
    fn a_game_is_found_in_what_lies_around_it() {
        for text in [
            "Received: from a ([10.0.0.1]) by b (Postfix) (HELO c)\nSubject: final :)\n\n(;B[hh];W[ii])",
            "Final (2nd round, Black)\n\n( ;B[hh];W[ii])\n-- \n(the end)",
            "((;B[hh];W[ii]))",
            "( B[hh];W[ii])",
            "(a (b [c] (;B[hh];W[ii])",
            "See (fig[1]) and (fig[2]) (;B[hh];W[ii])",
        ] {
            let games = sgf::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((games.len(), games[0].main_line().count()), (1, 2), "{text}");
        }
        // The standard's beginning is found without a look at the rest.
        assert!(begins_in("From a\n(\n;B[hh])") && begins_in("x(;"));
        assert!(!begins_in("h8 (i9) ;") && !begins_in("") && !begins_in("("));
    }

    #[test]
    fn a_bracket_too_many_is_told_after_a_game_only() {
        assert_eq!(sgf::games(":-) (;B[hh])\n(2nd) (;B[ii])").filter(Result::is_ok).count(), 2);
        let said: Vec<String> = sgf::games("(;B[hh]))(;B[ii])")
            .map(|game| game.map_or_else(|error| error.to_string(), |_| "game".to_owned()))
            .collect();
        assert_eq!(said, ["game", "line 1, column 9: a bracket too many", "game"]);
    }
}
