//! The game that a manager has set up: its board, which colour the engine has, and which points are blocked.

use std::path::PathBuf;

use super::error::SessionError;
use super::settings::{GameClock, Settings};
use crate::board::{Color, Coordinates, MAX_SIDE, MIN_SIDE, Point, PointSet, Size, Stones};
use crate::levels::Style;
use crate::rules::fallback::forbidden_points;

/// Lines of play that may be blocked at a time; Yixin-Board blocks all moves but one at once.
const MOST_BLOCKED_LINES: usize = 4 * MAX_SIDE * MAX_SIDE;

/// What is on a cell, as `BOARD` tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Own,
    Other,
    Dead,
}

/// One game and its settings.
#[derive(Clone, Debug)]
pub struct Session {
    stones: Option<Stones>,
    /// The engine's colour; `None` while that is open.
    own: Option<Color>,
    blocked: PointSet,
    /// Lines of play from the empty board whose last move the engine may not choose.
    blocked_lines: Vec<Vec<Point>>,
    pub(super) clock: GameClock,
    pub(super) settings: Settings,
    pub(super) default_memory: u64,
    /// Where lost games are remembered, whatever the manager says.
    pub(super) experience_file: Option<PathBuf>,
    /// The error about a limit that cannot be met, until it is reported.
    pub(super) complaint: Option<SessionError>,
    /// Whether it was said that the game on the board is over.
    pub(super) is_end_told: bool,
}

impl Session {
    /// A session without a board. The arguments hold until the manager changes them; `memory` is in bytes, for the
    /// whole process.
    #[must_use]
    pub fn new(threads: usize, memory: u64, style: Style) -> Session {
        Session {
            stones: None,
            own: None,
            blocked: PointSet::EMPTY,
            blocked_lines: Vec::new(),
            clock: GameClock::default(),
            settings: Settings::new(threads, style),
            default_memory: memory,
            experience_file: None,
            complaint: None,
            is_end_told: false,
        }
    }

    /// Remembers lost games in this file.
    #[must_use]
    pub fn remembering_in(self, experience_file: Option<PathBuf>) -> Session {
        Session { experience_file, ..self }
    }

    // ----- The board -----

    /// An empty board of this size; settings stay.
    ///
    /// # Errors
    /// [`SessionError::Size`].
    pub fn start(&mut self, width: i64, height: i64) -> Result<(), SessionError> {
        let error = SessionError::Size(width, height);
        let fits = |side: &usize| (MIN_SIDE..=MAX_SIDE).contains(side);
        let side = |n: i64| usize::try_from(n).ok().filter(fits).ok_or(error);
        self.new_game(Size::new(side(width)?, side(height)?).ok_or(error)?);
        Ok(())
    }

    /// The board of `START w h`. Yixin-Board, which alone is known to send it, gives the row of a point first and then
    /// its column, so that the board lies on its side here.
    ///
    /// # Errors
    /// [`SessionError::Size`].
    pub fn start_sides(&mut self, width: i64, height: i64) -> Result<(), SessionError> {
        if self.settings.yixin { self.start(height, width) } else { self.start(width, height) }
    }

    /// An empty board of the same size; settings stay.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`].
    pub fn restart(&mut self) -> Result<(), SessionError> {
        self.new_game(self.stones()?.size());
        Ok(())
    }

    fn new_game(&mut self, size: Size) {
        // Yixin-Board sends START before every question, and says itself when blocked points are free again.
        let is_same_board = self.stones.as_ref().is_some_and(|stones| stones.size() == size);
        if !(self.settings.yixin && is_same_board) {
            self.unblock_all();
            self.unblock_all_lines();
        }
        self.stones = Some(Stones::new(size));
        self.own = None;
        self.is_end_told = false;
        let style = &mut self.settings.style;
        if !style.repeats {
            style.seed = style.seed.wrapping_add(1);
        }
        // Yixin-Board tells the time left before START, so a time that no move has used yet still counts.
        if !self.clock.fresh {
            self.clock = GameClock::default();
        }
    }

    /// The position.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`].
    pub fn stones(&self) -> Result<&Stones, SessionError> {
        self.stones.as_ref().ok_or(SessionError::NoBoard)
    }

    fn stones_mut(&mut self) -> Result<&mut Stones, SessionError> {
        self.stones.as_mut().ok_or(SessionError::NoBoard)
    }

    /// The engine's colour, if it is settled.
    #[cfg(test)]
    pub fn own(&self) -> Option<Color> {
        self.own
    }

    fn on_board(stones: &Stones, (x, y): Coordinates) -> Result<Point, SessionError> {
        Point::checked(x, y, stones.size()).ok_or(SessionError::Outside(x, y))
    }

    fn empty_point(stones: &Stones, at: Coordinates) -> Result<Point, SessionError> {
        let point = Session::on_board(stones, at)?;
        if stones.is_empty_at(point) { Ok(point) } else { Err(SessionError::Occupied(point)) }
    }

    /// The engine is to open the game as Black.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::NotEmpty`], [`SessionError::Full`].
    pub fn begin(&mut self) -> Result<(), SessionError> {
        let stones = self.stones_mut()?;
        if !stones.history().is_empty() {
            return Err(SessionError::NotEmpty);
        }
        if stones.is_full() {
            return Err(SessionError::Full);
        }
        stones.set_to_move(Color::Black);
        self.own = Some(Color::Black);
        Ok(())
    }

    /// Places the opponent's stone; the engine is to move afterwards.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Outside`], [`SessionError::Occupied`], and
    /// [`SessionError::Full`] if the stone would leave no room for an answer.
    pub fn turn(&mut self, at: Coordinates) -> Result<(), SessionError> {
        let own = self.own;
        let stones = self.stones_mut()?;
        let point = Session::empty_point(stones, at)?;
        if stones.empty_count() < 2 {
            return Err(SessionError::Full);
        }
        let other = own.map_or(stones.to_move(), |own| !own);
        stones.place(point, other);
        self.own = Some(!other);
        Ok(())
    }

    /// Places the engine's stone where the manager wants it; the opponent is to move afterwards.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Outside`], [`SessionError::Occupied`].
    pub fn play(&mut self, at: Coordinates) -> Result<Point, SessionError> {
        let own = self.own;
        let stones = self.stones_mut()?;
        let point = Session::empty_point(stones, at)?;
        let own = own.unwrap_or(stones.to_move());
        stones.place(point, own);
        self.own = Some(own);
        Ok(point)
    }

    /// Takes back the stone on the point, whenever it was placed.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Outside`], [`SessionError::NoStone`].
    pub fn take_back(&mut self, at: Coordinates) -> Result<(), SessionError> {
        let stones = self.stones_mut()?;
        let point = Session::on_board(stones, at)?;
        if !stones.remove(point) {
            return Err(SessionError::NoStone(point));
        }
        if stones.history().is_empty() {
            // In effect a new game: whoever is named next opens it.
            stones.set_to_move(Color::Black);
            self.own = None;
        }
        Ok(())
    }

    /// Replaces the position by `cells` (`x, y, field`); the engine, which owns field 1, is to move.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Full`], and what is wrong with the first bad cell.
    pub fn set_board(&mut self, cells: &[(i64, i64, i64)]) -> Result<(), SessionError> {
        let stones = self.position_of(cells)?;
        if stones.is_full() {
            return Err(SessionError::Full);
        }
        self.own = Some(stones.to_move());
        self.stones = Some(stones);
        self.is_end_told = false;
        Ok(())
    }

    /// Replaces the position by `cells` for analysis: field 1 is the side to move, no side is the
    /// engine's, and the board may be full.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], and what is wrong with the first bad cell.
    pub fn set_analysis_board(&mut self, cells: &[(i64, i64, i64)]) -> Result<(), SessionError> {
        self.stones = Some(self.position_of(cells)?);
        self.own = None;
        self.is_end_told = false;
        Ok(())
    }

    fn position_of(&self, cells: &[(i64, i64, i64)]) -> Result<Stones, SessionError> {
        let mut stones = Stones::new(self.stones()?.size());
        let fields = cells
            .iter()
            .map(|&(_, _, field)| match field {
                1 => Ok(Field::Own),
                2 => Ok(Field::Other),
                3 => Ok(Field::Dead),
                _ => Err(SessionError::Field(field)),
            })
            .collect::<Result<Vec<Field>, SessionError>>()?;
        let own = own_color(&fields);
        for (&(x, y, _), field) in cells.iter().zip(fields) {
            let point = Session::empty_point(&stones, (x, y))?;
            match field {
                Field::Own => stones.place(point, own),
                Field::Other => stones.place(point, !own),
                Field::Dead => stones.kill(point),
            }
        }
        stones.set_to_move(own);
        Ok(stones)
    }

    /// Replaces the position by an opening in order of play, Black first. How many stones an opening
    /// question may have is for the caller to say. No side is the engine's yet.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], and what is wrong with the first bad cell.
    pub fn set_opening(&mut self, cells: &[Coordinates]) -> Result<(), SessionError> {
        let stones = self.opening_of(cells)?;
        self.adopt_opening(stones);
        Ok(())
    }

    /// The stones of an opening in order of play, Black first, on a board of the size in use.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], and what is wrong with the first bad cell.
    pub fn opening_of(&self, cells: &[Coordinates]) -> Result<Stones, SessionError> {
        let mut stones = Stones::new(self.stones()?.size());
        for &at in cells {
            let point = Session::empty_point(&stones, at)?;
            stones.place(point, stones.to_move());
        }
        Ok(stones)
    }

    /// Replaces the position by an opening. No side is the engine's yet.
    pub fn adopt_opening(&mut self, stones: Stones) {
        self.stones = Some(stones);
        self.own = None;
        self.is_end_told = false;
    }

    /// Sets the engine's colour, or `None` if this is open again.
    pub fn set_own(&mut self, own: Option<Color>) {
        self.own = own;
    }

    /// Gives the engine the side to move, as for the answer to an analysis question.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Full`] if fewer than `moves` cells are empty.
    pub fn adopt_side_to_move(&mut self, moves: usize) -> Result<(), SessionError> {
        let stones = self.stones()?;
        if stones.empty_count() < moves {
            return Err(SessionError::Full);
        }
        self.own = Some(stones.to_move());
        Ok(())
    }

    /// Puts the engine's answer on the board, one stone of each colour in turn from the side to move.
    /// Points that are taken are left out.
    pub fn play_answer(&mut self, moves: &[Point]) {
        if let Some(stones) = &mut self.stones {
            for &point in moves {
                if stones.is_empty_at(point) {
                    stones.place(point, stones.to_move());
                }
            }
        }
    }

    /// The points that are forbidden to the side to move, in row order; none on an empty board.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`].
    pub fn forbidden_points(&self) -> Result<Vec<Point>, SessionError> {
        Ok(forbidden_points(self.rule(), self.stones()?))
    }

    // ----- Blocked points -----

    /// Blocks points, which the engine may then not choose.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Outside`].
    pub fn block(&mut self, cells: &[Coordinates]) -> Result<(), SessionError> {
        let points: PointSet = self.points_of(cells)?.into_iter().collect();
        self.blocked |= points;
        Ok(())
    }

    /// Unblocks points, so that the engine may choose them again.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Outside`].
    pub fn unblock(&mut self, cells: &[Coordinates]) -> Result<(), SessionError> {
        let points: PointSet = self.points_of(cells)?.into_iter().collect();
        self.blocked = self.blocked & !points;
        Ok(())
    }

    /// Unblocks all points.
    pub fn unblock_all(&mut self) {
        self.blocked = PointSet::EMPTY;
    }

    /// Blocks a line of play from the empty board: the engine may not choose its last move where the rest of it has
    /// been played. Lines that leave the board are ignored, because Yixin-Board blocks all points but one of the
    /// largest board that it knows.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`].
    pub fn block_line(&mut self, cells: &[Coordinates]) -> Result<(), SessionError> {
        self.stones()?;
        if let Ok(line) = self.points_of(cells)
            && self.blocked_lines.len() < MOST_BLOCKED_LINES
            && !line.is_empty()
            && !self.blocked_lines.contains(&line)
        {
            self.blocked_lines.push(line);
        }
        Ok(())
    }

    /// Unblocks a line of play.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`].
    pub fn unblock_line(&mut self, cells: &[Coordinates]) -> Result<(), SessionError> {
        self.stones()?;
        if let Ok(line) = self.points_of(cells) {
            self.blocked_lines.retain(|blocked| *blocked != line);
        }
        Ok(())
    }

    /// Unblocks all lines of play.
    pub fn unblock_all_lines(&mut self) {
        self.blocked_lines.clear();
    }

    /// The points that the engine may not choose in the current position.
    pub(super) fn blocked_now(&self) -> PointSet {
        let Some(stones) = &self.stones else { return self.blocked };
        let played = stones.history();
        let ends_here = |line: &Vec<Point>| {
            let (&last, before) = line.split_last()?;
            let is_played = before.len() == played.len()
                && before.iter().zip(played).all(|(&point, &(stone, _))| point == stone);
            is_played.then_some(last)
        };
        self.blocked | self.blocked_lines.iter().filter_map(ends_here).collect()
    }

    /// The points at these coordinates.
    ///
    /// # Errors
    /// [`SessionError::NoBoard`], [`SessionError::Outside`].
    pub fn points_of(&self, cells: &[Coordinates]) -> Result<Vec<Point>, SessionError> {
        let stones = self.stones()?;
        cells.iter().map(|&at| Session::on_board(stones, at)).collect()
    }
}

/// The colour of the side that owns field 1 and is to move.
///
/// Equal counts make it Black and one stone less makes it White, as in a game in progress; with any
/// other counts the owner of the first stone is Black.
fn own_color(fields: &[Field]) -> Color {
    let count = |field| fields.iter().filter(|&&f| f == field).count();
    let (own, other) = (count(Field::Own), count(Field::Other));
    if own == other {
        Color::Black
    } else if other == own + 1 {
        Color::White
    } else {
        match fields.iter().find(|&&field| field != Field::Dead) {
            Some(Field::Other) => Color::White,
            _ => Color::Black,
        }
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
