//! A game under a rule known at run time: play moves, take them back, and ask what is legal, what is forbidden, and who
//! has won.
//!
//! For programs that need the game but no engine. Every question is answered by the slow but reliable judge in
//! [`rules::judge`](crate::rules::judge), which reads the board cell by cell; a search uses a
//! [`Position`](crate::position::Position) instead.
//!
//! ```
//! use kagetsu::{Game, PlayError, Point, Rule, Size, Verdict};
//!
//! let mut game = Game::new(Rule::Renju, Size::square(15));
//! for name in ["h8", "a1", "i8", "b1", "j8", "a3", "k8", "b3"] {
//!     game.play(name.parse()?)?;
//! }
//! // A refused stone leaves the game as it was.
//! assert_eq!(game.play("h8".parse()?), Err(PlayError::Occupied("h8".parse()?)));
//! game.play("l8".parse()?)?;
//! assert_eq!(game.verdict(), Verdict::Win(kagetsu::Color::Black));
//! assert_eq!(game.winning_line().len(), 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use crate::board::{Color, Point, Size, Stones};
use crate::rules::judge::{self, Foul, Verdict};
use crate::rules::{Rule, with_rule};

/// Why a stone was refused. The game is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The game is over.
    Over(Verdict),
    /// The point lies off the board of this size.
    Outside(Point, Size),
    /// The point holds a stone or a dead cell.
    Occupied(Point),
    /// The point is forbidden to the side to move, which has legal moves elsewhere.
    Forbidden(Point, Foul),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayError::Over(_) => f.write_str("the game is over"),
            PlayError::Outside(point, size) => write!(f, "{point} is off the board of {size}"),
            PlayError::Occupied(point) => write!(f, "{point} is taken"),
            PlayError::Forbidden(point, foul) => write!(f, "{point} is forbidden: {foul}"),
        }
    }
}

impl std::error::Error for PlayError {}

/// The move of a list that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveError {
    /// Its number in the list, from 1.
    pub number: usize,
    /// Why it was refused.
    pub error: PlayError,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}: {}", self.number, self.error)
    }
}

impl std::error::Error for MoveError {}

/// One game, from an empty board or a position that was set up.
#[derive(Clone, Debug)]
pub struct Game {
    rule: Rule,
    stones: Stones,
    /// The number of stones placed before the first move of this game.
    given: usize,
    /// The verdict on the position of those stones.
    given_verdict: Verdict,
    verdict: Verdict,
}

impl Game {
    /// An empty board with Black to move.
    #[must_use]
    pub fn new(rule: Rule, size: Size) -> Game {
        Game::from_stones(rule, Stones::new(size))
    }

    /// A game that continues from this position, whose stones were placed in the order of their history; they cannot be
    /// taken back.
    #[must_use]
    pub fn from_stones(rule: Rule, stones: Stones) -> Game {
        let verdict = with_rule!(rule, R => judge::verdict::<R>(&stones));
        Game { rule, given: stones.history().len(), given_verdict: verdict, stones, verdict }
    }

    /// A game that continues from a position that was set up, whose stones have no order; they cannot be taken back. It
    /// is over if there is a winning line anywhere. A stone that was set up is never a foul.
    ///
    /// ```
    /// use kagetsu::{Color, Game, Point, Rule, Size, Stones, Verdict};
    /// let mut stones = Stones::new(Size::square(15));
    /// (3..8).for_each(|x| stones.place(Point::new(x, 7), Color::Black));
    /// stones.place(Point::new(0, 0), Color::White);
    /// assert_eq!(Game::from_setup(Rule::Freestyle, stones).verdict(), Verdict::Win(Color::Black));
    /// ```
    #[must_use]
    pub fn from_setup(rule: Rule, stones: Stones) -> Game {
        let verdict = with_rule!(rule, R => judge::verdict_of_setup::<R>(&stones));
        Game { rule, given: stones.history().len(), given_verdict: verdict, stones, verdict }
    }

    /// The game after these moves, with Black first and the colours alternating.
    ///
    /// # Errors
    /// The first move that is refused.
    pub fn from_moves(
        rule: Rule,
        size: Size,
        moves: impl IntoIterator<Item = Point>,
    ) -> Result<Game, MoveError> {
        let mut game = Game::new(rule, size);
        for (n, point) in moves.into_iter().enumerate() {
            game.play(point).map_err(|error| MoveError { number: n + 1, error })?;
        }
        Ok(game)
    }

    /// The rule in force.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The size of the board.
    #[must_use]
    pub fn size(&self) -> Size {
        self.stones.size()
    }

    /// The stones, for the engine and the solver.
    #[must_use]
    pub fn stones(&self) -> &Stones {
        &self.stones
    }

    /// The moves of this game in order, without the stones that were set up before it.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Point> + '_ {
        self.played().iter().map(|&(point, _)| point)
    }

    /// The moves of this game with their colours, in order.
    #[must_use]
    pub fn played(&self) -> &[(Point, Color)] {
        &self.stones.history()[self.given..]
    }

    /// The position from which the game began.
    #[must_use]
    pub fn start(&self) -> Stones {
        let mut stones = self.stones.clone();
        for _ in self.played() {
            stones.undo();
        }
        stones
    }

    /// The colour to move. After the end it is the one that would be next.
    #[must_use]
    pub fn to_move(&self) -> Color {
        self.stones.to_move()
    }

    /// Whether the game goes on, and otherwise how it ended.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The points of the winning row, in order along it; empty while nobody has won, and after a foul.
    #[must_use]
    pub fn winning_line(&self) -> Vec<Point> {
        let Verdict::Win(color) = self.verdict else { return Vec::new() };
        with_rule!(self.rule, R => {
            let through = |point| judge::winning_line_through::<R>(&self.stones, point, color);
            let last = self.stones.recent(0).filter(|&(_, of)| of == color);
            // The last of several stones that were set up need not be part of the line.
            let other = || judge::winning_stone::<R>(&self.stones);
            last.and_then(|(point, _)| through(point)).or_else(|| through(other()?.0)).unwrap_or_default()
        })
    }

    /// Whether the side to move may place a stone there.
    ///
    /// # Errors
    /// Why it may not.
    pub fn check(&self, point: Point) -> Result<(), PlayError> {
        if self.verdict != Verdict::Ongoing {
            return Err(PlayError::Over(self.verdict));
        }
        if !self.size().contains(point) {
            return Err(PlayError::Outside(point, self.size()));
        }
        if !self.stones.is_empty_at(point) {
            return Err(PlayError::Occupied(point));
        }
        match self.foul(point) {
            Some(foul) if self.has_choice() => Err(PlayError::Forbidden(point, foul)),
            _ => Ok(()),
        }
    }

    /// Places a stone of the side to move. If every empty point is forbidden, a forbidden move is accepted and loses
    /// the game.
    ///
    /// # Errors
    /// Why the stone is refused; the game is then unchanged.
    pub fn play(&mut self, point: Point) -> Result<(), PlayError> {
        self.check(point)?;
        self.stones.place(point, self.stones.to_move());
        self.verdict = with_rule!(self.rule, R => judge::verdict::<R>(&self.stones));
        Ok(())
    }

    /// Takes the last move back, even one that has ended the game; `None` if there is none.
    pub fn undo(&mut self) -> Option<Point> {
        if self.stones.history().len() == self.given {
            return None;
        }
        let (point, _) = self.stones.undo()?;
        self.verdict = if self.stones.history().len() == self.given {
            self.given_verdict
        } else {
            with_rule!(self.rule, R => judge::verdict::<R>(&self.stones))
        };
        Some(point)
    }

    /// The points that the side to move may play, row by row; none once the game is over.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Point> {
        self.size().points().filter(|&point| self.check(point).is_ok()).collect()
    }

    /// The points that are forbidden to the side to move and why, row by row; none once the game is over.
    #[must_use]
    pub fn forbidden_points(&self) -> Vec<(Point, Foul)> {
        if self.verdict != Verdict::Ongoing {
            return Vec::new();
        }
        self.size().points().filter_map(|point| Some((point, self.foul(point)?))).collect()
    }

    /// Why a stone of the side to move would be a foul on this empty point.
    fn foul(&self, point: Point) -> Option<Foul> {
        with_rule!(self.rule, R => judge::foul::<R>(&self.stones, point, self.to_move()))
    }

    /// Whether some empty point is not forbidden.
    fn has_choice(&self) -> bool {
        self.size().points().any(|point| self.stones.is_empty_at(point) && self.foul(point).is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(names: &str) -> Vec<Point> {
        names.split(' ').map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn refused_stones_leave_the_game_as_it_was() {
        // Black's threes cross at h8; White's stones are out of the way.
        let moves = points("h9 a1 h10 b1 i8 a3 j8 b3");
        let mut game = Game::from_moves(Rule::Renju, Size::square(15), moves).unwrap();
        let before = format!("{game:?}");
        let [cross, taken, outside] = ["h8", "i8", "p3"].map(|name| name.parse::<Point>().unwrap());
        assert_eq!(game.play(cross), Err(PlayError::Forbidden(cross, Foul::DoubleThree)));
        assert_eq!(game.play(taken), Err(PlayError::Occupied(taken)));
        assert_eq!(game.play(outside), Err(PlayError::Outside(outside, Size::square(15))));
        assert_eq!(format!("{game:?}"), before);
        assert_eq!(game.forbidden_points(), [(cross, Foul::DoubleThree)]);
        assert_eq!(game.legal_moves().len(), 225 - 8 - 1);
        let said = [cross, taken, outside].map(|point| game.check(point).unwrap_err().to_string());
        assert_eq!(said, ["h8 is forbidden: double three", "i8 is taken", "p3 is off the board of 15x15"]);
    }

    #[test]
    fn a_game_ends_and_can_be_taken_back() {
        let mut game =
            Game::from_moves(Rule::Standard, Size::square(15), points("h8 a1 i8 a2 j8 a3 k8 a4")).unwrap();
        game.play("l8".parse().unwrap()).unwrap();
        assert_eq!(game.verdict(), Verdict::Win(Color::Black));
        assert_eq!(game.winning_line(), points("h8 i8 j8 k8 l8"));
        let next = "a5".parse().unwrap();
        assert_eq!(game.play(next), Err(PlayError::Over(Verdict::Win(Color::Black))));
        assert_eq!(game.check(next).unwrap_err().to_string(), "the game is over");
        assert!(game.legal_moves().is_empty() && game.forbidden_points().is_empty());
        assert_eq!(game.undo(), Some("l8".parse().unwrap()));
        assert_eq!((game.verdict(), game.to_move(), game.moves().len()), (Verdict::Ongoing, Color::Black, 8));
        assert!(game.winning_line().is_empty());
        while game.undo().is_some() {}
        assert_eq!(game.moves().len(), 0);
    }

    #[test]
    fn a_winning_line_is_told_from_its_upper_or_left_end() {
        for line in ["h8 i8 j8 k8 l8", "h8 h9 h10 h11 h12", "h8 i9 j10 k11 l12", "l4 k5 j6 i7 h8"] {
            let line = points(line);
            let mut stones = Stones::new(Size::square(15));
            // From the middle, so that the last stone is not at an end.
            [2, 3, 4, 0, 1].iter().for_each(|&n| stones.place(line[n], Color::White));
            assert_eq!(Game::from_stones(Rule::Standard, stones).winning_line(), line);
        }
    }

    #[test]
    fn stones_without_an_order_are_judged_as_a_whole() {
        let place = |black: &str, white: &str| {
            let mut stones = Stones::new(Size::square(15));
            points(black).into_iter().for_each(|point| stones.place(point, Color::Black));
            points(white).into_iter().for_each(|point| stones.place(point, Color::White));
            stones
        };
        let won = Game::from_setup(Rule::Renju, place("h8 i8 j8 k8 l8", "a1 b2 c3 d4"));
        assert_eq!(
            (won.verdict(), won.winning_line()),
            (Verdict::Win(Color::Black), points("h8 i8 j8 k8 l8"))
        );
        // The last stone lies where two threes cross.
        let mut crossed = place("h9 h10 i8 j8", "a1 b1 a3 b3");
        crossed.place("h8".parse().unwrap(), Color::Black);
        assert_eq!(Game::from_stones(Rule::Renju, crossed.clone()).verdict(), Verdict::Foul(Color::Black));
        let mut game = Game::from_setup(Rule::Renju, crossed);
        assert_eq!(game.verdict(), Verdict::Ongoing);
        game.play("o15".parse().unwrap()).unwrap();
        game.undo().unwrap();
        assert_eq!((game.verdict(), game.undo()), (Verdict::Ongoing, None));
    }

    #[test]
    fn lists_name_the_move_that_is_wrong() {
        let error = Game::from_moves(Rule::Freestyle, Size::square(15), points("h8 i8 h8")).unwrap_err();
        assert_eq!(error.to_string(), "move 3: h8 is taken");
    }

    #[test]
    fn a_foul_must_be_played_where_nothing_else_is_left() {
        // The only empty point makes an overline for Black.
        let picture = ["X X X . X X X", "O O X O O X O"].map(|row| row.replace(' ', ""));
        let mut stones = Stones::new(Size::new(7, 2).unwrap());
        for (y, row) in picture.iter().enumerate() {
            for (x, sign) in row.chars().enumerate() {
                match sign {
                    'X' => stones.place(Point::new(x, y), Color::Black),
                    'O' => stones.place(Point::new(x, y), Color::White),
                    _ => {}
                }
            }
        }
        stones.set_to_move(Color::Black);
        let mut game = Game::from_stones(Rule::Renju, stones);
        let only = Point::new(3, 0);
        assert_eq!(game.legal_moves(), [only]);
        assert_eq!(game.forbidden_points(), [(only, Foul::Overline)]);
        game.play(only).unwrap();
        assert_eq!(game.verdict(), Verdict::Foul(Color::Black));
    }
}
