//! What a game in SGF means on a board: the stones of its main line.
//!
//! Positions to solve and openings of matches are read through this module.

use super::node::SgfChange;
use super::remark::USUAL_SIDES;
use super::tree::{GOMOKU, SgfGame, SgfNode, SgfValue};
use crate::board::{ByColor, Color, Point, PointSet, Size, Stones};
use crate::formats::error::{FormatError, Mistake, Place};
use crate::formats::picture::side_with_fewer_stones;
use crate::formats::point_names::PointNames;

/// A stone of the main line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SgfStone {
    /// Its colour.
    pub color: Color,
    /// Its point, on the board and on no other stone.
    pub point: Point,
    /// Where the text names it.
    pub place: Place,
}

/// The main line of a game: the stones on the board at its end, in the order in which they were placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfLine {
    /// The board.
    pub size: Size,
    /// The stones in the order of play. Stones that were set up together are ordered as if played in turn, Black first,
    /// since that is what the set-up stones of an opening mean.
    pub stones: Vec<SgfStone>,
    /// How many of the stones, which are the first ones, were there when stones were last set up or removed. Nothing
    /// says in which order these came.
    pub set_up: usize,
    /// The side to move, if the text gives it by `PL` or by a move, and no stones were set up or removed after that.
    pub to_move: Option<Color>,
}

impl SgfGame {
    /// The board size, as given by `SZ`.
    ///
    /// # Errors
    /// A value that is not a size.
    pub fn size(&self) -> Result<Option<Size>, FormatError> {
        let Some(SgfValue { text, place }) = self.node(SgfGame::ROOT).value("SZ") else { return Ok(None) };
        let (width, height) = text.split_once(':').unwrap_or((text, text));
        let size =
            width.trim().parse().ok().zip(height.trim().parse().ok()).and_then(|(w, h)| Size::new(w, h));
        // Programs that do not know the size write `SZ[1]`.
        let size = size.filter(|size| size.area() > 1);
        size.map(Some).ok_or_else(|| Mistake::NoSize(text.clone()).at(*place))
    }

    /// The main line. `size` is the board size that is wanted. If it is `None`, the [board](SgfGame::board) is that of
    /// the text, or 15x15 if the text gives none and the game fits on that. A pass places no stone.
    ///
    /// # Errors
    /// A game other than Gomoku and Renju, a board of another size, a value that is not the size or the point that it
    /// should be, a point off the board, and a move onto a stone.
    pub fn line(&self, size: Option<Size>) -> Result<SgfLine, FormatError> {
        self.ensure_gomoku()?;
        let found = self.size()?;
        if let (Some(found), Some(wanted)) = (found, size)
            && found != wanted
        {
            let place = self.node(SgfGame::ROOT).value("SZ").map_or(self.place(), |value| value.place);
            return Err(Mistake::WrongSize { found, wanted }.at(place));
        }
        let size = found.or(size).map_or_else(|| self.board(Size::square(USUAL_SIDES[0])), Ok)?;
        let mut walk = Walk::on(size);
        self.main_line().try_for_each(|node| walk.take(node))?;
        walk.play_set_up();
        Ok(SgfLine {
            size: walk.size,
            stones: walk.stones,
            set_up: walk.without_order,
            to_move: walk.to_move,
        })
    }

    /// Checks that it is a game of Gomoku or Renju, as far as the text says.
    ///
    /// # Errors
    /// Another game.
    pub fn ensure_gomoku(&self) -> Result<(), FormatError> {
        match self.node(SgfGame::ROOT).value("GM") {
            Some(SgfValue { text, place }) if text.trim() != GOMOKU => {
                Err(Mistake::OtherGame(text.trim().to_owned()).at(*place))
            }
            _ => Ok(()),
        }
    }
}

impl SgfLine {
    /// The position at the end. If the text does not give the side to move, it is the side with fewer stones.
    #[must_use]
    pub fn position(&self) -> Stones {
        let mut stones = Stones::new(self.size);
        self.stones.iter().for_each(|stone| stones.place(stone.point, stone.color));
        stones.set_to_move(
            self.to_move
                .unwrap_or_else(|| side_with_fewer_stones(self.stones.iter().map(|stone| stone.color))),
        );
        stones
    }

    /// The points of a game in which Black began and the colours alternated.
    ///
    /// # Errors
    /// The first stone of the wrong colour.
    pub fn alternating(&self) -> Result<Vec<Point>, FormatError> {
        let turns = Color::ALL.into_iter().cycle();
        let point = |(n, (stone, color)): (usize, (&SgfStone, Color))| {
            let is_in_turn = stone.color == color;
            is_in_turn
                .then_some(stone.point)
                .ok_or(Mistake::WrongTurn { stone: n + 1, color }.at(stone.place))
        };
        self.stones.iter().zip(turns).enumerate().map(point).collect()
    }

    /// The points if Black began, the colours alternated, and the side to move at the end agrees with that; `None` if
    /// the line is a position that was set up in another way.
    #[must_use]
    pub fn in_turn(&self) -> Option<Vec<Point>> {
        let points = self.alternating().ok()?;
        let next = if points.len().is_multiple_of(2) { Color::Black } else { Color::White };
        (self.to_move.unwrap_or(next) == next).then_some(points)
    }
}

/// The state while a main line is read node by node.
struct Walk {
    size: Size,
    stones: Vec<SgfStone>,
    /// Stones set up since the last move, not yet added to `stones`.
    set_up: ByColor<Vec<SgfStone>>,
    /// The number of stones when stones were last set up or removed.
    without_order: usize,
    to_move: Option<Color>,
}

impl Walk {
    fn on(size: Size) -> Walk {
        Walk { size, stones: Vec::new(), set_up: ByColor::default(), without_order: 0, to_move: None }
    }

    fn take(&mut self, node: &SgfNode) -> Result<(), FormatError> {
        for change in node.changes(self.size) {
            let (change, place) = change?;
            match change {
                SgfChange::Play(color, point) => {
                    self.play_set_up();
                    if let Some(point) = point {
                        self.ensure_free(point, place)?;
                        self.stones.push(SgfStone { color, point, place });
                    }
                    self.to_move = Some(!color);
                }
                SgfChange::SetUp(color, points) => {
                    self.remove(&points);
                    self.set_up[color].extend(points.into_iter().map(|point| SgfStone {
                        color,
                        point,
                        place,
                    }));
                }
                SgfChange::Clear(points) => {
                    self.play_set_up();
                    self.remove(&points);
                    self.without_order = self.stones.len();
                }
                SgfChange::ToMove(color) => self.to_move = Some(color),
            }
        }
        if node.leaves_turn_open() {
            self.to_move = None;
        }
        Ok(())
    }

    /// Removes the stones on these points.
    fn remove(&mut self, points: &[Point]) {
        let removed: PointSet = points.iter().copied().collect();
        for stones in self.set_up.0.iter_mut().chain([&mut self.stones]) {
            stones.retain(|stone| !removed.contains(stone.point));
        }
    }

    /// Adds the stones that were set up to the others, Black's and White's in turn.
    fn play_set_up(&mut self) {
        let ByColor([black, white]) = std::mem::take(&mut self.set_up);
        let (mut black, mut white) = (black.into_iter(), white.into_iter());
        loop {
            let pair = [black.next(), white.next()];
            if pair.iter().all(Option::is_none) {
                break;
            }
            self.stones.extend(pair.into_iter().flatten());
            self.without_order = self.stones.len();
        }
    }

    fn ensure_free(&self, point: Point, place: Place) -> Result<(), FormatError> {
        if self.stones.iter().any(|stone| stone.point == point) {
            return Err(Mistake::Taken(PointNames::of(self.size).name(point)).at(place));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::moves::letters;
    use crate::formats::sgf;
    use crate::rules::Rule;

    fn line(text: &str, size: Option<Size>) -> Result<SgfLine, FormatError> {
        sgf::games(text).next().unwrap()?.line(size)
    }

    fn opening(text: &str) -> Result<String, FormatError> {
        line(text, Some(Size::square(15)))?.alternating().map(|points| letters(&points, ""))
    }

    #[test]
    fn the_main_line_is_played() {
        for (text, expected) in [
            ("(;GM[4]SZ[15];B[hh];W[ii](;B[hf])(;B[aa];W[bb]))", "h8i9h6"),
            ("(;AB[aa][bb]AW[oo];W[H8])", "a1o15b2h8"),
            ("(;AB[aa];AW[oo];AB[bb])", "a1o15b2"),
            ("(;AB[aa][bb][cc]AW[oo];AE[bb]\n[cc])", "a1o15"),
            ("(;AB[aa:ab]AW[oo:no])", "a1n15a2o15"),
            ("(;C[nothing but words])", ""),
            // What is set up replaces what stands there.
            ("(;AB[aa][aa])", "a1"),
            ("(;B[aa];W[bb];AB[bb]AW[aa])", "b2a1"),
            ("(;AB[aa][bb]AW[aa]AB[])", "b2a1"),
        ] {
            assert_eq!(opening(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_line_in_turn_is_told_from_a_position() {
        let in_turn = |text: &str| line(text, None).unwrap().in_turn().map(|points| letters(&points, ""));
        assert_eq!(in_turn("(;SZ[15];B[aa];W[bb])").as_deref(), Some("a1b2"));
        assert_eq!(in_turn("(;SZ[15]AB[aa])").as_deref(), Some("a1"));
        for text in ["(;SZ[15]PL[B];B[aa];W[bb]PL[W])", "(;SZ[15]AB[aa]PL[B])", "(;SZ[15]AB[aa][bb])"] {
            assert_eq!(in_turn(text), None, "{text}");
        }
    }

    #[test]
    fn somebody_is_to_move() {
        for (text, expected) in [
            ("(;)", Color::Black),
            ("(;B[aa])", Color::White),
            ("(;B[aa];W[])", Color::Black),
            ("(;W[aa])", Color::Black),
            ("(;AB[aa])", Color::White),
            ("(;AB[aa]AW[bb])", Color::Black),
            ("(;PL[W]AB[aa]AW[bb])", Color::White),
            ("(;AB[aa]AW[bb]PL[white])", Color::White),
            ("(;PL[B];B[aa])", Color::White),
            ("(;B[aa];AB[bb])", Color::White),
            ("(;B[aa];W[bb];AB[cc])", Color::White),
            ("(;PL[W]AB[aa]AW[bb];AE[aa][bb])", Color::Black),
            ("(;AB[aa];W[bb]AB[cc])", Color::Black),
        ] {
            assert_eq!(line(text, None).unwrap().position().to_move(), expected, "{text}");
        }
    }

    #[test]
    fn boards_are_those_of_the_text() {
        let sides = |text: &str, size| line(text, size).map(|line| (line.size.width(), line.size.height()));
        let six = Size::new(6, 7);
        assert_eq!(sides("(;SZ[20:15])", None), Ok((20, 15)));
        assert_eq!(sides("(;SZ[ 19 ])", None), Ok((19, 19)));
        assert_eq!((sides("(;B[aa])", None), sides("(;B[aa])", six)), (Ok((15, 15)), Ok((6, 7))));
        assert_eq!(sides("(;SZ[6:7])", six), Ok((6, 7)));
        assert!(
            ["99", "", "1", "0:5", "a"].iter().all(|size| sides(&format!("(;SZ[{size}])"), None).is_err())
        );
    }

    #[test]
    fn rules_are_read_if_they_are_known() {
        let rule = |text: &str| sgf::read(text).unwrap()[0].rule();
        assert_eq!(rule("(;RU[renju])"), Some(Rule::ALL[2]));
        assert_eq!(rule("(;RU[4])"), Some(Rule::ALL[2]));
        assert_eq!((rule("(;RU[Japanese])"), rule("(;B[aa])")), (None, None));
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        for (text, said) in [
            ("(;GM[1]SZ[19];B[dd])", "line 1, column 6: this is game 1 (Go) of SGF, not game 4 (Gomoku)"),
            ("(;GM[40])", "game 40 of SGF"),
            ("(;SZ[19];B[aa])", "line 1, column 6: the board is 19x19, not 15x15"),
            ("(;B[aa];B[bb])", "line 1, column 11: stone 2 is not White's"),
            ("(;B[aa];W[];B[bb])", "stone 2 is not White's"),
            ("(;B[aa]\n;W[aa])", "line 2, column 4: a1 is taken"),
            ("(;AB[aa];W[aa])", "a1 is taken"),
            ("(;B[pa])", "pa is off the board of 15x15"),
            ("(;B[h16])", "h16 is off the board of 15x15"),
            ("(;B[é])", "`é` is neither"),
            ("(;AB[aa:])", "`` is neither"),
        ] {
            let error = opening(text).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
