//! The position that a message means.

use serde::Deserialize;

use super::messages::{At, Code, Rejection, point};
use crate::board::{Color, MAX_SIDE, MIN_SIDE, Point, Size, Stones};
use crate::formats::point_names::{PointNames, Rows};
use crate::game::{Game, PlayError};
use crate::rules::judge::{Foul, Verdict};
use crate::rules::{Rule, UnknownRule};

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
    /// The game that led to this position. It may end with a foul, as renju games do.
    pub fn game(&self) -> Result<Game, Rejection> {
        let rule = read_rule(&self.rule)?;
        let size = read_size(self.width, self.height)?;
        let mut game = match &self.setup {
            Some(setup) => Game::from_setup(rule, setup.stones(size)?),
            None => Game::new(rule, size),
        };
        for (number, &at) in self.moves.iter().enumerate() {
            let is_last = number + 1 == self.moves.len();
            let refused = match point(at, size) {
                Some(point) => match game.play(point) {
                    Err(PlayError::Forbidden(..)) if is_last => {
                        game = with_foul(&game, point);
                        None
                    }
                    played => played.err().map(|error| reason(error, size)),
                },
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

    /// How many stones stand on the board before the first move.
    pub fn set_up(&self) -> usize {
        self.setup.as_ref().map_or(0, |setup| setup.black.len() + setup.white.len())
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
    fn stones(&self, size: Size) -> Result<Stones, Rejection> {
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
        stones.set_to_move(self.to_move.unwrap_or(fewer));
        Ok(stones)
    }
}

/// The game after a forbidden move, which a [`Game`] refuses as long as there are others. It is lost by that.
fn with_foul(game: &Game, point: Point) -> Game {
    let mut stones = game.stones().clone();
    stones.place(point, stones.to_move());
    Game::from_stones(game.rule(), stones)
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
        let message = format!("a board has {MIN_SIDE} to {MAX_SIDE} columns and rows");
        Rejection { reason: Some("size"), ..Rejection::new(Code::BadPosition, message) }
    })
}

/// The empty point that was sent.
fn free(stones: &Stones, at: At) -> Result<Point, Rejection> {
    point(at, stones.size()).filter(|&point| stones.is_empty_at(point)).ok_or_else(|| {
        let message = format!("{},{} is off the board or taken", at.0, at.1);
        Rejection { reason: Some("set-up"), ..Rejection::new(Code::BadPosition, message) }
    })
}

/// Why a move was refused, in the words of the page. Rows are counted from the bottom, as the page does if nothing else
/// is set.
fn reason(error: PlayError, size: Size) -> (&'static str, Option<&'static str>, String) {
    let names = PointNames::of(size).with_rows(Rows::FromBottom);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_are_refused_have_the_names_of_the_page() {
        let said = |moves: serde_json::Value| {
            let message = serde_json::json!({"rule": "renju", "width": 15, "height": 15, "moves": moves});
            let position: PositionMessage = serde_json::from_value(message).unwrap();
            serde_json::to_value(position.game().unwrap_err()).unwrap()["message"].clone()
        };
        // The second row from the top is the fourteenth from the bottom.
        assert_eq!(said(serde_json::json!([[0, 1], [0, 1]])), "a14 is taken");
        let crossed = [[7, 9], [0, 0], [7, 10], [1, 0], [8, 8], [0, 2], [9, 8], [1, 2], [7, 8], [0, 4]];
        assert_eq!(said(serde_json::json!(crossed)), "h7 is forbidden: double three");
    }
}
