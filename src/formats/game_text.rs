//! Reads a [`Game`] from every text format, and writes it in each.
//!
//! The other format modules know no rules. Here the moves are played under a rule, so the result is a game that the
//! rule allows.

use std::fmt;

use super::any::{PositionFormat, recognise};
use super::error::{FormatError, Mistake, Place};
use super::offset::OffsetLine;
use super::pgn::{PgnGame, PgnResult};
use super::point_names::Rows;
use super::psq::PsqGame;
use super::sgf::{SgfGame, SgfLine, SgfNode};
use super::{any, moves, offset, pgn, picture, psq, sgf};
use crate::board::{Color, Point, Size, Stones};
use crate::game::{Game, MoveError};
use crate::rules::Rule;
use crate::rules::judge::Verdict;

/// Why a text could not be read as a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameTextError {
    /// It cannot be read.
    Format(FormatError),
    /// It can be read, but the rule refuses a move.
    Move(MoveError),
}

impl fmt::Display for GameTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameTextError::Format(error) => error.fmt(f),
            GameTextError::Move(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for GameTextError {}

impl From<FormatError> for GameTextError {
    fn from(error: FormatError) -> GameTextError {
        GameTextError::Format(error)
    }
}

impl From<MoveError> for GameTextError {
    fn from(error: MoveError) -> GameTextError {
        GameTextError::Move(error)
    }
}

impl Game {
    /// Reads a game in SGF, PSQ, PGN, a list of moves, or a picture; the format is recognised. The rule is the one that
    /// SGF names in `RU` or PGN in `Variant`, otherwise `rule`. If the text does not give the board size, it is 15x15;
    /// [`Game::read_on`] takes a board of any size.
    ///
    /// Moves are played one by one if Black began and the colours alternate. Stones that were set up in another way, or
    /// drawn, are a position from which the game goes on.
    ///
    /// # Errors
    /// A text that is not a game, with the place of the mistake, and the first move that the rule refuses.
    ///
    /// ```
    /// use kagetsu::{Game, Rule};
    /// let game = Game::read("(;GM[4]SZ[15]RU[renju];B[hh];W[ii])", Rule::Freestyle)?;
    /// assert_eq!(game.rule(), Rule::Renju);
    /// assert_eq!(game.to_moves(), "h8 i9");
    /// assert_eq!(Game::read(&game.to_sgf().to_string(), Rule::Freestyle)?.to_moves(), "h8 i9");
    /// # Ok::<(), kagetsu::formats::GameTextError>(())
    /// ```
    pub fn read(text: &str, rule: Rule) -> Result<Game, GameTextError> {
        Game::read_as(text, rule, None)
    }

    /// Like [`Game::read`], on a board of this size. The text may name the size, but need not.
    ///
    /// # Errors
    /// Those of [`Game::read`], and a text that names another size.
    ///
    /// ```
    /// use kagetsu::{Game, Rule, Size};
    /// let size = Size::square(20);
    /// let game = Game::read_on("t20 a1", Rule::Freestyle, size)?;
    /// assert_eq!((game.size(), game.to_moves()), (size, "t20 a1".to_owned()));
    /// assert!(Game::read_on("(;SZ[15];B[hh])", Rule::Freestyle, size).is_err());
    /// # Ok::<(), kagetsu::formats::GameTextError>(())
    /// ```
    pub fn read_on(text: &str, rule: Rule, size: Size) -> Result<Game, GameTextError> {
        Game::read_as(text, rule, Some(size))
    }

    fn read_as(text: &str, rule: Rule, size: Option<Size>) -> Result<Game, GameTextError> {
        let (rule, size, points) = match recognise(text) {
            PositionFormat::Sgf => {
                let game =
                    sgf::games(text).next().unwrap_or_else(|| Err(Mistake::NoGame.at(Place::START)))?;
                let rule = game.rule().unwrap_or(rule);
                return Ok(Game::of_line(rule, &game.line(size)?)?);
            }
            PositionFormat::Psq => {
                let game = psq::read(text)?;
                if let Some(wanted) = size.filter(|&wanted| wanted != game.size) {
                    return Err(Mistake::WrongSize { found: game.size, wanted }.at(Place::START).into());
                }
                (rule, game.size, game.points())
            }
            PositionFormat::Pgn => return Game::from_pgn(text, rule, size.unwrap_or(Size::square(15))),
            PositionFormat::Picture => return Ok(Game::from_setup(rule, any::read(text, size)?)),
            PositionFormat::Moves => {
                let size = size.unwrap_or(Size::square(15));
                (rule, size, any::read_moves(text, size, Rows::FromTop)?)
            }
        };
        Ok(Game::from_moves(rule, size, points)?)
    }

    fn of_line(rule: Rule, line: &SgfLine) -> Result<Game, MoveError> {
        // Stones that were set up need not be a game, even if there are as many of both colours: one that ends it may
        // come before others.
        if line.set_up > 0
            && let Some(points) = line.in_turn()
            && let Ok(game) = Game::from_moves(rule, line.size, points)
        {
            return Ok(game);
        }
        let (set_up, played) = line.stones.split_at(line.set_up);
        let Some(first) = played.first() else { return Ok(Game::from_setup(rule, line.position())) };
        let mut start = Stones::new(line.size);
        set_up.iter().for_each(|stone| start.place(stone.point, stone.color));
        start.set_to_move(first.color);
        let mut game = Game::from_setup(rule, start);
        for (n, stone) in played.iter().enumerate() {
            if stone.color != game.to_move() {
                // After a pass, which no game has.
                return Ok(Game::from_stones(rule, line.position()));
            }
            game.play(stone.point).map_err(|error| MoveError { number: set_up.len() + n + 1, error })?;
        }
        let to_move = line.to_move.unwrap_or(game.to_move());
        if to_move == game.to_move() { Ok(game) } else { Ok(Game::from_stones(rule, line.position())) }
    }

    /// Reads an opening in the offset notation, such as `0,0, 1,-1`, and plays it.
    ///
    /// # Errors
    /// A text that is not an opening, with the place of the mistake, and the first move that the rule refuses.
    pub fn from_offset(text: &str, rule: Rule, size: Size) -> Result<Game, GameTextError> {
        Ok(Game::from_moves(rule, size, offset::read(text, size)?)?)
    }

    /// Reads the first game of a PGN text and plays its moves on a board of this size, since PGN does not give one. The
    /// rule is the one that the tag `Variant` names, otherwise `rule`. Results are not read: the board shows who has
    /// won.
    ///
    /// # Errors
    /// A text that is not a game, and the first move that the rule refuses.
    pub fn from_pgn(text: &str, rule: Rule, size: Size) -> Result<Game, GameTextError> {
        let first = pgn::games_with_moves(text)?.into_iter().next();
        let (game, moves) = first.ok_or(Mistake::NoGame.at(Place::START))?;
        let rule = game.rule().unwrap_or(rule);
        Ok(Game::from_moves(rule, size, moves.points(size)?)?)
    }

    /// The game as SGF, with its rule and, once it is over, its result. Stones that were set up before the first move
    /// are in the root node. Dead points cannot be expressed in SGF.
    #[must_use]
    pub fn to_sgf(&self) -> SgfGame {
        let start = self.start();
        let mut sgf =
            if is_blank(&start) { SgfGame::new(start.size()) } else { SgfGame::of_position(&start) };
        let root = sgf.node_mut(SgfGame::ROOT);
        root.set("RU", [self.rule().name()]);
        if let Some(result) = sgf_result(self.verdict()) {
            root.set("RE", [result]);
        }
        let mut after = SgfGame::ROOT;
        for &(point, color) in self.played() {
            after = sgf.add(after, SgfNode::play(color, point));
        }
        sgf
    }

    /// The game as Piskvork saves it, with 0 ms for each move and no names; `None` for a game that did not begin on an
    /// empty board, which PSQ cannot express.
    #[must_use]
    pub fn to_psq(&self) -> Option<PsqGame> {
        let moves = self.moves().map(|point| (point, 0)).collect();
        is_blank(&self.start()).then(|| PsqGame { size: self.size(), moves, names: Default::default() })
    }

    /// The result for programs that compute ratings.
    #[must_use]
    pub fn to_pgn(&self) -> PgnGame {
        let verdict = self.verdict();
        let result = match verdict.winner() {
            Some(Color::Black) => PgnResult::Black,
            Some(Color::White) => PgnResult::White,
            None if verdict == Verdict::Draw => PgnResult::Draw,
            None => PgnResult::Unknown,
        };
        PgnGame::new(result).with("Variant", self.rule().name())
    }

    /// The game in PGN with its moves; `None` for a game that did not begin on an empty board.
    #[must_use]
    pub fn to_pgn_with_moves(&self) -> Option<String> {
        let points: Vec<Point> = self.moves().collect();
        is_blank(&self.start()).then(|| pgn::text_with_moves(&self.to_pgn(), &points))
    }

    /// The moves in the offset notation, such as `0,0, 1,-1`; `None` for a game that did not begin on an empty board.
    #[must_use]
    pub fn to_offset(&self) -> Option<String> {
        let points: Vec<Point> = self.moves().collect();
        is_blank(&self.start()).then(|| OffsetLine { points: &points, size: self.size() }.to_string())
    }

    /// The moves as `h8 i9`.
    #[must_use]
    pub fn to_moves(&self) -> String {
        moves::letters(&self.moves().collect::<Vec<Point>>(), " ")
    }

    /// The position drawn with `X`, `O`, `.` and `#`.
    #[must_use]
    pub fn to_picture(&self) -> String {
        picture::draw(self.stones())
    }
}

/// Whether this is the usual start of a game, which no format has to mention: an empty board with Black to move.
fn is_blank(stones: &Stones) -> bool {
    stones.empty_count() == stones.size().area() && stones.to_move() == Color::Black
}

/// SGF's notation for the result of a game; `None` while it goes on.
fn sgf_result(verdict: Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Ongoing => None,
        Verdict::Draw => Some("0"),
        Verdict::Win(Color::Black) => Some("B+"),
        Verdict::Win(Color::White) => Some("W+"),
        Verdict::Foul(Color::Black) => Some("W+F"),
        Verdict::Foul(Color::White) => Some("B+F"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size::square(15);

    fn won() -> Game {
        let points = moves::read("h8 a1 i8 a2 j8 a3 k8 a4 l8", SIZE).unwrap();
        Game::from_moves(Rule::Renju, SIZE, points).unwrap()
    }

    #[test]
    fn what_is_written_is_read_as_the_same_game() {
        let game = won();
        let sgf = game.to_sgf().to_string();
        assert!(sgf.contains("RE[B+]") && sgf.contains("RU[renju]"), "{sgf}");
        for text in [sgf, game.to_psq().unwrap().to_string(), game.to_moves()] {
            let again = Game::read(&text, Rule::Renju).unwrap();
            assert_eq!((again.rule(), again.verdict()), (Rule::Renju, game.verdict()));
            assert_eq!(again.to_moves(), game.to_moves());
        }
        assert_eq!(game.to_pgn().result, PgnResult::Black);
        let drawn = Game::read(&game.to_picture(), Rule::Renju).unwrap();
        assert_eq!(drawn.stones().hash(), game.stones().hash());
    }

    #[test]
    fn every_text_format_says_the_same_game_on_any_board() {
        for (size, names) in [(Size::square(20), "t20 a1 k10 b2 l11"), (Size::new(7, 6).unwrap(), "a1 g6 c3")]
        {
            let game = Game::read_on(names, Rule::Caro, size).unwrap();
            let sgf = game.to_sgf().to_string();
            let read = [
                Game::read_on(&sgf, Rule::Freestyle, size),
                Game::read_on(&game.to_psq().unwrap().to_string(), Rule::Caro, size),
                Game::read_on(&game.to_moves(), Rule::Caro, size),
                Game::from_offset(&game.to_offset().unwrap(), Rule::Caro, size),
                Game::from_pgn(&game.to_pgn_with_moves().unwrap(), Rule::Freestyle, size),
            ];
            for again in read {
                let again = again.unwrap();
                assert_eq!(
                    (again.rule(), again.size(), again.to_moves()),
                    (Rule::Caro, size, game.to_moves())
                );
            }
            let drawn = Game::read_on(&game.to_picture(), Rule::Caro, size).unwrap();
            assert_eq!(drawn.stones().hash(), game.stones().hash());
            for text in [&sgf, &game.to_psq().unwrap().to_string(), &game.to_picture()] {
                let error = Game::read_on(text, Rule::Caro, SIZE).unwrap_err().to_string();
                assert!(error.contains(&format!("the board is {size}, not 15x15")), "{error}");
            }
        }
        assert!(Game::from_pgn("", Rule::Caro, SIZE).is_err());
        let error = Game::from_pgn("[Round \"1\"]\n\n1. h8 h8 *\n", Rule::Caro, SIZE).unwrap_err();
        assert_eq!(error.to_string(), "line 3, column 7: h8 is taken");
    }

    #[test]
    fn stones_that_were_set_up_are_no_game_to_replay() {
        // Played in turn as they stand, Black would have won before the last of them.
        let game = Game::read("OOXO.XXXXX.OOO.", Rule::Freestyle).unwrap();
        assert_eq!(game.verdict(), Verdict::Win(Color::Black));
        let again = Game::read(&game.to_sgf().to_string(), Rule::Freestyle).unwrap();
        assert_eq!((again.verdict(), again.stones().hash()), (game.verdict(), game.stones().hash()));
        // Moves that were played must be possible.
        let played = "(;SZ[15];B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea];W[eb])";
        assert!(Game::read(played, Rule::Freestyle).is_err());
    }

    #[test]
    fn each_end_has_its_result() {
        use Verdict::{Foul, Win};
        let white_wins = moves::read("a1 h8 a3 i8 a5 j8 a7 k8 a9 l8", SIZE).unwrap();
        let lost_by_foul = moves::read("h9 a1 h10 b1 i8 a3 j8 b3", SIZE).unwrap();
        let mut foul = Game::from_moves(Rule::Freestyle, SIZE, lost_by_foul).unwrap().stones().clone();
        foul.place(Point::new(7, 7), Color::Black);
        let drawn = picture::read("X O X O X").unwrap().stones;
        for (game, verdict, pgn, sgf) in [
            (won(), Win(Color::Black), PgnResult::Black, Some("RE[B+]")),
            (
                Game::from_moves(Rule::Renju, SIZE, white_wins).unwrap(),
                Win(Color::White),
                PgnResult::White,
                Some("RE[W+]"),
            ),
            (Game::from_stones(Rule::Renju, foul), Foul(Color::Black), PgnResult::White, Some("RE[W+F]")),
            (Game::from_stones(Rule::Renju, drawn), Verdict::Draw, PgnResult::Draw, Some("RE[0]")),
            (Game::new(Rule::Renju, SIZE), Verdict::Ongoing, PgnResult::Unknown, None),
        ] {
            assert_eq!((game.verdict(), game.to_pgn().result), (verdict, pgn));
            let text = game.to_sgf().to_string();
            assert_eq!(sgf.is_some_and(|result| text.contains(result)), sgf.is_some(), "{text}");
            assert_eq!(text.contains("RE["), sgf.is_some(), "{text}");
        }
    }

    #[test]
    fn a_position_that_was_set_up_stays_one() {
        // Two stones of Black in a row cannot have been played in turn.
        let text = "(;SZ[15]AB[hh][ii]PL[B];B[jj];W[aa])";
        let game = Game::read(text, Rule::Freestyle).unwrap();
        assert_eq!((game.to_psq(), game.to_offset(), game.to_pgn_with_moves()), (None, None, None));
        let again = Game::read(&game.to_sgf().to_string(), Rule::Freestyle).unwrap();
        assert_eq!(again.stones().hash(), game.stones().hash());
        assert_eq!(again.to_move(), Color::Black);
        // Its moves are moves: they can be taken back, and the rule applies to them.
        assert_eq!((again.to_moves(), again.played()), ("j10 a1".to_owned(), game.played()));
        let white_first = Game::read("(;SZ[15];W[hh];B[ii])", Rule::Freestyle).unwrap();
        assert_eq!(white_first.to_moves(), "h8 i9");
        let over = "(;SZ[15]AB[dh][eh][fh][gh]AW[aa][ba][ca];PL[B];B[hh];W[oo])";
        let error = Game::read(over, Rule::Freestyle).unwrap_err().to_string();
        assert!(error.starts_with("move 9: the game is over"), "{error}");
        // A pass leaves a position that is judged by its last stone.
        let passed = Game::read("(;SZ[15];B[hh];W[];B[ii])", Rule::Freestyle).unwrap();
        assert_eq!((passed.moves().len(), passed.stones().history().len()), (0, 2));
    }

    #[test]
    fn moves_that_the_rule_refuses_are_named() {
        // Black's threes cross at h8.
        let text = "h9 a1 h10 b1 i8 a3 j8 b3 h8";
        assert!(Game::read(text, Rule::Freestyle).is_ok());
        let error = Game::read(text, Rule::Renju).unwrap_err();
        assert_eq!(error.to_string(), "move 9: h8 is forbidden: double three");
        let error = Game::read("h8 h8", Rule::Renju).unwrap_err();
        assert_eq!(error.to_string(), "line 1, column 4: h8 is taken");
    }
}
