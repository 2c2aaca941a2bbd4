//! The position that a message means.

use serde::Deserialize;

use super::messages::{At, Code, Rejection, point};
use crate::board::{Color, MAX_SIDE, MIN_SIDE, Point, Size, Stones};
use crate::formats::point_names::PointNames;
use crate::game::{Game, PlayError};
use crate::rules::judge::{Foul, Verdict};
use crate::rules::{Rule, UnknownRule, judge, with_rule};

/// A position as it is sent: a board, and what was played on it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionMessage {
    rule: String,
    width: usize,
    height: usize,
    #[serde(default)]
    moves: Vec<At>,
    #[serde(default)]
    setup: Option<SetupMessage>,
}

/// What stands on the board before the first move.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SetupMessage {
    black: Vec<At>,
    white: Vec<At>,
    dead: Vec<At>,
    to_move: Option<Color>,
}

impl PositionMessage {
    /// The game that led to this position.
    pub fn game(&self) -> Result<Game, Rejection> {
        let rule = read_rule(&self.rule)?;
        let size = read_size(self.width, self.height)?;
        let mut game = match &self.setup {
            Some(setup) => Game::from_stones(rule, setup.stones(rule, size)?),
            None => Game::new(rule, size),
        };
        for (number, &at) in self.moves.iter().enumerate() {
            let refused = match point(at, size) {
                Some(point) => game.play(point).err().map(|error| reason(error, size)),
                None => Some(("outside", None, format!("{},{} is off the board", at.0, at.1))),
            };
            if let Some((reason, foul, message)) = refused {
                let (number, reason) = (Some(number), Some(reason));
                let refusal = Rejection::new(Code::IllegalMove, message);
                return Err(Rejection { number, reason, foul, ..refusal });
            }
        }
        Ok(game)
    }

    /// The same game, if there is still something to play.
    pub fn open_game(&self) -> Result<Game, Rejection> {
        let game = self.game()?;
        if game.verdict() != Verdict::Ongoing || game.stones().is_full() {
            return Err(Rejection::new(Code::GameOver, "the game is over"));
        }
        Ok(game)
    }
}

impl SetupMessage {
    fn stones(&self, rule: Rule, size: Size) -> Result<Stones, Rejection> {
        let mut stones = Stones::new(size);
        for &at in &self.dead {
            let point = free(&stones, at)?;
            stones.kill(point);
        }
        for (points, color) in [(&self.black, Color::Black), (&self.white, Color::White)] {
            for &at in points {
                let point = free(&stones, at)?;
                stones.place(point, color);
            }
        }
        let fewer = if self.black.len() > self.white.len() { Color::White } else { Color::Black };
        finish_with_decisive(rule, &mut stones);
        stones.set_to_move(self.to_move.unwrap_or(fewer));
        Ok(stones)
    }
}

/// Chooses the last stone of a position that was set up, so that its verdict is right: a game is judged by its last
/// stone, and a setup has none. The choice is a stone that wins if there is one, else a stone that is not a foul.
fn finish_with_decisive(rule: Rule, stones: &mut Stones) {
    let winning = with_rule!(rule, R => judge::winning_stone::<R>(stones));
    let last = winning.or_else(|| {
        // Only a foul has to be hidden.
        let is_foul = |verdict| matches!(verdict, Verdict::Foul(_));
        if !is_foul(with_rule!(rule, R => judge::verdict::<R>(stones))) {
            return None;
        }
        stones.history().iter().copied().find(|&(point, color)| {
            let mut other = stones.clone();
            other.remove(point);
            other.place(point, color);
            !is_foul(with_rule!(rule, R => judge::verdict::<R>(&other)))
        })
    });
    if let Some((point, color)) = last {
        stones.remove(point);
        stones.place(point, color);
    }
}

/// The rule of this name.
pub(super) fn read_rule(name: &str) -> Result<Rule, Rejection> {
    name.parse().map_err(|error: UnknownRule| Rejection::new(Code::BadPosition, error.to_string()))
}

/// A board that can be played on.
pub(super) fn read_size(width: usize, height: usize) -> Result<Size, Rejection> {
    let sides = MIN_SIDE..=MAX_SIDE;
    let size = Size::new(width, height).filter(|_| sides.contains(&width) && sides.contains(&height));
    size.ok_or_else(|| {
        Rejection::new(Code::BadPosition, format!("a board has {MIN_SIDE} to {MAX_SIDE} columns and rows"))
    })
}

/// The empty point that was sent.
fn free(stones: &Stones, at: At) -> Result<Point, Rejection> {
    point(at, stones.size()).filter(|&point| stones.is_empty_at(point)).ok_or_else(|| {
        Rejection::new(Code::BadPosition, format!("{},{} is off the board or taken", at.0, at.1))
    })
}

/// Why a move was refused, in the words of the page. Rows are counted from the bottom, as the page does if nothing else
/// is set.
fn reason(error: PlayError, size: Size) -> (&'static str, Option<&'static str>, String) {
    let names = PointNames::of(size);
    match error {
        PlayError::Over(_) => ("over", None, error.to_string()),
        PlayError::Outside(..) => ("outside", None, error.to_string()),
        PlayError::Occupied(point) => ("occupied", None, format!("{} is taken", names.name(point))),
        PlayError::Forbidden(point, foul) => {
            ("forbidden", Some(foul_name(foul)), format!("{} is forbidden: {foul}", names.name(point)))
        }
    }
}

/// A foul in the words of the page.
pub(super) fn foul_name(foul: Foul) -> &'static str {
    match foul {
        Foul::Overline => "overline",
        Foul::DoubleFour => "double-four",
        Foul::DoubleThree => "double-three",
    }
}
