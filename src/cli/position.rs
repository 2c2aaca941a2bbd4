//! The position that a subcommand works on: from a file, from the command line, or from standard input.

use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;

use super::arguments::{parse_positive, parse_size};
use super::ending::Mistake;
use super::files::{is_standard, read_standard_input, read_text};
use super::output::{counted, remark};
use crate::board::{MAX_SIDE, MIN_SIDE, Size, Stones};
use crate::formats::Mistake as FormatMistake;
use crate::formats::any::{self, PositionText};
use crate::formats::point_names::Rows;
use crate::formats::text::quoted;
use crate::rules::Rule;

/// Where a position comes from.
#[derive(Args, Clone, Debug)]
pub struct PositionOptions {
    /// Position: SGF, PSQ, PGN, a board diagram of `.`, `X` and `O`, or moves [default: standard input]
    #[arg(value_name = "FILE", conflicts_with = "moves")]
    pub file: Option<PathBuf>,

    /// Position as moves, Black first: "7,7 8,8" counted from 0 at the upper left, or "h8 i9" (see --rows)
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,

    /// Rule of the game [default: the one that SGF or PGN names, else freestyle]
    #[arg(long, value_name = "RULE")]
    pub rule: Option<Rule>,

    /// Board, if the position does not give it: a side such as 15, or width and height such as 20x15
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub size: Option<Size>,

    /// Of a file in SGF or PGN with several games, use the Nth [default: the first]
    #[arg(long, value_name = "N", value_parser = parse_positive)]
    pub number: Option<usize>,

    /// Use the position after the first N stones, for example of a finished game
    #[arg(long, value_name = "N")]
    pub stop_at: Option<usize>,
}

/// A position that the options give.
#[derive(Clone, Debug)]
pub struct GivenPosition {
    /// The stones.
    pub stones: Stones,
    /// The rule that the options name, or else the text.
    pub rule: Rule,
    /// How many of the stones, which are the first ones, [were set up](PositionText::set_up).
    pub set_up: usize,
}

impl GivenPosition {
    /// Whether the last of this many stones was a move, so that it can have been forbidden.
    pub fn ends_with_move(&self, stones: usize) -> bool {
        stones > self.set_up
    }
}

impl PositionOptions {
    /// Reads the position. If the text holds several games and none was chosen, says so on standard error.
    ///
    /// # Errors
    /// Nothing to read; input that is not a position, with the place of the mistake; a game that is not there; more
    /// stones asked for than there are, or fewer than were set up.
    pub fn read(&self, rows: Rows) -> anyhow::Result<GivenPosition> {
        let (text, source) = self.text()?;
        // An empty `--moves` means the empty board: whoever gives it has not forgotten the moves.
        let is_empty_board = self.moves.as_ref().is_some_and(|moves| moves.trim().is_empty());
        let PositionText { mut stones, rule, unknown_rule, set_up, remarks } = if is_empty_board {
            let stones = self.empty_board().stones;
            PositionText { stones, rule: None, unknown_rule: None, set_up: 0, remarks: Vec::new() }
        } else {
            self.game(&text, &source, rows)?
        };
        let size = stones.size();
        ensure!(
            size.width().min(size.height()) >= MIN_SIDE,
            "{source}: this is a board of {size}, and boards are from {MIN_SIDE}x{MIN_SIDE} to {MAX_SIDE}x{MAX_SIDE}"
        );
        remarks.iter().for_each(|line| remark(format_args!("{source}: {line}")));
        if let Some(count) = self.stop_at {
            let found = stones.history().len();
            let all = counted(found as u64, "stone");
            ensure!(count <= found, Mistake(format!("--stop-at {count}: the game has {all}")));
            let first = counted(set_up as u64, "stone");
            ensure!(
                count >= set_up,
                Mistake(format!("--stop-at {count}: the first {first} were set up, in no known order"))
            );
            stones = after(&stones, count);
        }
        let rule = self.rule.or(rule).unwrap_or_default();
        if let Some(name) = unknown_rule.filter(|_| self.rule.is_none()) {
            remark(format_args!(
                "{source}: the rule `{}` is not known; it is taken for {rule}",
                quoted(&name)
            ));
        }
        Ok(GivenPosition { stones, rule, set_up })
    }

    /// The position of the game that was chosen, or of the first that can be read.
    fn game(&self, text: &str, source: &str, rows: Rows) -> anyhow::Result<PositionText> {
        let Some(number) = self.number else {
            let read = any::read_first_game(text, self.size, rows);
            let (found, left_out) = read.with_context(|| source.to_owned())?;
            left_out.remarks().for_each(|line| remark(format_args!("{source}: {line}")));
            // A collection of many thousands is not read for the sake of its first game.
            if left_out.count() == 0 && any::has_more_games(text) {
                remark(format_args!(
                    "{source}: this is the first of several games; --number N takes another"
                ));
            }
            return Ok(found);
        };
        any::read_game(text, number, self.size, rows).map_err(|error| {
            if number > 1 && error.mistake == FormatMistake::NoGame {
                let all = counted(any::count_games(text) as u64, "game");
                return anyhow::Error::new(Mistake(format!("--number {number}: the text has {all}")));
            }
            anyhow::Error::new(error).context(source.to_owned())
        })
    }

    /// The empty board.
    pub fn empty_board(&self) -> GivenPosition {
        let stones = Stones::new(self.size.unwrap_or(Size::square(15)));
        GivenPosition { stones, rule: self.rule.unwrap_or_default(), set_up: 0 }
    }

    /// The text that gives the position, and where it is from.
    fn text(&self) -> anyhow::Result<(String, String)> {
        match (&self.moves, &self.file) {
            (Some(moves), _) => Ok((moves.clone(), "reading --moves".to_owned())),
            (None, Some(path)) if !is_standard(path) => Ok((read_text(path)?, path.display().to_string())),
            _ => {
                let none = "no position: name a file, or give --moves, or pipe one to standard input";
                ensure!(!std::io::stdin().is_terminal(), Mistake(none.to_owned()));
                Ok((read_standard_input()?, "standard input".to_owned()))
            }
        }
    }
}

/// The position after the first `count` stones, with whoever comes next to move.
pub(super) fn after(stones: &Stones, count: usize) -> Stones {
    let mut before = stones.clone();
    while before.history().len() > count {
        before.undo();
    }
    if let Some(&(_, color)) = stones.history().get(count) {
        before.set_to_move(color);
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_positions_that_were_on_the_board_are_given() {
        let read = |moves: &str, stop_at: usize| {
            let moves = Some(moves.to_owned());
            let options = PositionOptions {
                file: None,
                moves,
                rule: None,
                size: None,
                number: None,
                stop_at: Some(stop_at),
            };
            options.read(Rows::FromBottom)
        };
        let stones = |moves: &str, stop_at: usize| read(moves, stop_at).unwrap().stones.history().len();
        let mistake = |moves: &str, stop_at: usize| {
            let error = read(moves, stop_at).unwrap_err();
            error.downcast_ref::<Mistake>().unwrap_or_else(|| panic!("{error:#}")).to_string()
        };
        let picture = ". X X . .\nO . . . .\n. . . . .\n. . . . .\n. . . . .";
        assert_eq!((stones("h8 i9", 0), stones("h8 i9", 1), stones(picture, 3)), (0, 1, 3));
        assert!(mistake("h8 i9", 3).contains("the game has 2 stones"));
        assert_eq!(stones(" ", 0), 0);
        assert!(mistake("", 5).contains("--stop-at 5: the game has 0 stones"));
        assert!(mistake(picture, 2).contains("the first 3 stones were set up"));
        let game = "(;SZ[15]AB[aa]AW[bb];B[cc];W[dd])";
        assert_eq!((stones(game, 2), stones(game, 3)), (2, 3));
        assert!(mistake(game, 1).contains("--stop-at 1: the first 2 stones were set up"));
    }

    #[test]
    fn no_board_is_smaller_than_those_that_are_played_on() {
        for text in ["x", "xo\nox", "(;GM[4]SZ[4];B[aa];W[bb])"] {
            let options = PositionOptions {
                file: None,
                moves: Some(text.to_owned()),
                rule: None,
                size: None,
                number: None,
                stop_at: None,
            };
            let error = options.read(Rows::FromBottom).unwrap_err().to_string();
            assert!(error.contains("and boards are from 5x5 to 22x22"), "{error}");
        }
    }
}
