//! The judge: who has won, and what is forbidden, read off the board cell by cell.
//!
//! Slow and simple, so that fast code can be tested against it and a game can rely on it. Uses no line tables
//! and names no variant. The words four, straight four and three are used as the Renju International Federation
//! defines them:
//!
//! ```text
//! five           X X X X X       for a colour whose overlines do not win: no more and no fewer
//! four           X X . X X       one more stone makes five
//! straight four  . X X X X .     an unbroken four, and five can be made at both ends
//! three          . X . X X .     one more stone, legal and not making five itself, makes a straight four
//! ```
//!
//! Dead cells and the edge are part of no line and belong to neither colour.

use std::fmt;

use super::ruleset::RuleSet;
use crate::board::{Cell, Color, Direction, Point, Stones};

/// The number of stones in a five.
const FIVE: i64 = 5;

/// Why a stone is forbidden; if several reasons apply, the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Foul {
    /// It makes a row of more than five.
    Overline,
    /// It makes two fours or more.
    DoubleFour,
    /// It makes two threes or more.
    DoubleThree,
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Foul::Overline => "overline",
            Foul::DoubleFour => "double four",
            Foul::DoubleThree => "double three",
        })
    }
}

/// The state of the game after the last stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The game goes on.
    Ongoing,
    /// This colour has completed a winning line.
    Win(Color),
    /// This colour has made a forbidden move and loses.
    Foul(Color),
    /// Nobody has won and no empty cell is left.
    Draw,
}

impl Verdict {
    /// Who has won; `None` while the game goes on, and of a draw.
    #[must_use]
    pub fn winner(self) -> Option<Color> {
        match self {
            Verdict::Ongoing | Verdict::Draw => None,
            Verdict::Win(color) => Some(color),
            Verdict::Foul(color) => Some(!color),
        }
    }
}

/// The verdict after the last placed stone; only lines through that stone are looked at.
///
/// ```
/// use kagetsu::board::{Color, Point, Size, Stones};
/// use kagetsu::rules::Freestyle;
/// use kagetsu::rules::judge::{self, Verdict};
///
/// let mut stones = Stones::new(Size::square(15));
/// (0..4).for_each(|x| stones.place(Point::new(x, 0), Color::Black));
/// assert_eq!(judge::verdict::<Freestyle>(&stones), Verdict::Ongoing);
/// stones.place(Point::new(4, 0), Color::Black);
/// assert_eq!(judge::verdict::<Freestyle>(&stones), Verdict::Win(Color::Black));
/// ```
#[must_use]
pub fn verdict<R: RuleSet>(stones: &Stones) -> Verdict {
    if let Some((point, color)) = stones.recent(0) {
        if wins_at::<R>(stones, point, color) {
            return Verdict::Win(color);
        }
        let mut before = stones.clone();
        before.undo();
        if is_forbidden::<R>(&before, point, color) {
            return Verdict::Foul(color);
        }
    }
    if stones.is_full() { Verdict::Draw } else { Verdict::Ongoing }
}

/// The verdict on a position whose stones were set up in no order: any winning line counts, and a foul cannot be told,
/// because it takes a last move.
#[must_use]
pub fn verdict_of_setup<R: RuleSet>(stones: &Stones) -> Verdict {
    match winning_stone::<R>(stones) {
        Some((_, color)) => Verdict::Win(color),
        None if stones.is_full() => Verdict::Draw,
        None => Verdict::Ongoing,
    }
}

/// A stone of a winning line and its colour, whichever stone was placed last: the first in row order. In a position
/// that was set up, [`verdict`] may miss the line.
#[must_use]
pub fn winning_stone<R: RuleSet>(stones: &Stones) -> Option<(Point, Color)> {
    stones.size().points().find_map(|point| match stones.cell(point) {
        Cell::Stone(color) if wins_at::<R>(stones, point, color) => Some((point, color)),
        _ => None,
    })
}

/// Whether a stone of `color` at `point` completes a winning line, whatever the cell holds now. Fouls do not
/// matter here, because five takes precedence.
#[must_use]
pub fn wins_at<R: RuleSet>(stones: &Stones, point: Point, color: Color) -> bool {
    Direction::ALL.into_iter().any(|direction| Row::through(stones, point, direction, color).wins::<R>())
}

/// Whether a stone of `color` at `point` is a foul, which loses at once. A winning stone is never a foul, and
/// neither is a stone on a point that is not empty.
#[must_use]
pub fn is_forbidden<R: RuleSet>(stones: &Stones, point: Point, color: Color) -> bool {
    foul::<R>(stones, point, color).is_some()
}

/// Why a stone of `color` at `point` is a foul; `None` if it is not one, see [`is_forbidden`].
#[must_use]
pub fn foul<R: RuleSet>(stones: &Stones, point: Point, color: Color) -> Option<Foul> {
    let may_be = R::forbids(color) && stones.is_empty_at(point);
    may_be.then(|| foul_at::<R>(&mut stones.clone(), point, color)).flatten()
}

/// [`foul`] for an empty point and a colour that has forbidden points. Leaves the stones of `scratch` as they were.
///
/// Each recursive call has one more stone on the board, so the recursion ends.
fn foul_at<R: RuleSet>(scratch: &mut Stones, point: Point, color: Color) -> Option<Foul> {
    if wins_at::<R>(scratch, point, color) {
        return None;
    }
    let is_overline = |direction| Row::through(scratch, point, direction, color).len() > FIVE;
    if Direction::ALL.into_iter().any(is_overline) {
        return Some(Foul::Overline);
    }
    scratch.place(point, color);
    let fours = |direction| fours::<R>(scratch, point, direction, color);
    // Two fours may lie on one line, but only one three: with two, the stones of each would make the other's
    // straight four an overline.
    let is_double_four = Direction::ALL.into_iter().map(fours).sum::<usize>() >= 2;
    let threes = |scratch: &mut Stones| {
        Direction::ALL.into_iter().filter(|&d| makes_three::<R>(scratch, point, d, color)).count()
    };
    let foul = match is_double_four {
        true => Some(Foul::DoubleFour),
        false => (threes(scratch) >= 2).then_some(Foul::DoubleThree),
    };
    scratch.undo();
    foul
}

/// The points of the winning row that a stone of `color` at `point` completes, in order along its direction. If
/// it completes several, the first one; `None` if it does not win.
#[must_use]
pub fn winning_line_through<R: RuleSet>(stones: &Stones, point: Point, color: Color) -> Option<Vec<Point>> {
    let mut rows = Direction::ALL.into_iter().map(|direction| Row::through(stones, point, direction, color));
    rows.find(Row::wins::<R>).map(|row| row.points().collect())
}

/// How many fours the stone at `point` belongs to on one line. Fours are told apart by their stones, so a
/// straight four, which becomes five in two ways, counts once.
fn fours<R: RuleSet>(stones: &Stones, point: Point, direction: Direction, color: Color) -> usize {
    let mut fours: Vec<Vec<Point>> = Vec::new();
    for gap in empty_points(stones, point, direction, FIVE - 1) {
        let row = Row::through(stones, gap, direction, color);
        if row.len() == FIVE && row.wins::<R>() && row.contains(point) {
            let four = row.points().filter(|&p| p != gap).collect();
            if !fours.contains(&four) {
                fours.push(four);
            }
        }
    }
    fours.len()
}

/// Whether the stone at `point` belongs to a three on this line. Leaves the stones of `scratch` as they
/// were.
fn makes_three<R: RuleSet>(scratch: &mut Stones, point: Point, direction: Direction, color: Color) -> bool {
    let spots: Vec<Point> = empty_points(scratch, point, direction, FIVE - 2).collect();
    spots.into_iter().any(|spot| {
        scratch.place(spot, color);
        let straight = is_straight_four::<R>(scratch, spot, direction, color)
            && Row::through(scratch, spot, direction, color).contains(point);
        scratch.undo();
        straight && !wins_at::<R>(scratch, spot, color) && foul_at::<R>(scratch, spot, color).is_none()
    })
}

/// Whether the row through the stone at `point` is a straight four.
fn is_straight_four<R: RuleSet>(stones: &Stones, point: Point, direction: Direction, color: Color) -> bool {
    let row = Row::through(stones, point, direction, color);
    row.len() == FIVE - 1
        && row.ends().into_iter().all(|end| {
            end.is_some_and(|end| {
                let longer = Row::through(stones, end, direction, color);
                stones.is_empty_at(end) && longer.len() == FIVE && longer.wins::<R>()
            })
        })
}

/// The unbroken row of stones of one colour that a stone at a point belongs to.
struct Row<'a> {
    stones: &'a Stones,
    color: Color,
    point: Point,
    direction: Direction,
    /// Stones of the row before the point, against the direction.
    before: i64,
    /// Stones of the row after the point, along the direction.
    behind: i64,
}

impl<'a> Row<'a> {
    /// The row through a stone of `color` at `point`, whatever the cell holds now.
    fn through(stones: &'a Stones, point: Point, direction: Direction, color: Color) -> Row<'a> {
        let is_own = |steps: i64| {
            walk(stones, point, direction, steps).is_some_and(|p| stones.cell(p) == Cell::Stone(color))
        };
        let before = (1..).take_while(|&steps| is_own(-steps)).count() as i64;
        let behind = (1..).take_while(|&steps| is_own(steps)).count() as i64;
        Row { stones, color, point, direction, before, behind }
    }

    /// Stones in the row.
    fn len(&self) -> i64 {
        self.before + 1 + self.behind
    }

    /// The points of the row, in order.
    fn points(&self) -> impl Iterator<Item = Point> {
        (-self.before..=self.behind).filter_map(|steps| walk(self.stones, self.point, self.direction, steps))
    }

    /// Whether the point lies in the row.
    fn contains(&self, point: Point) -> bool {
        self.points().any(|p| p == point)
    }

    /// The points next to the row at either end; `None` off the board.
    fn ends(&self) -> [Option<Point>; 2] {
        [-self.before - 1, self.behind + 1].map(|steps| walk(self.stones, self.point, self.direction, steps))
    }

    /// Whether the row wins.
    fn wins<R: RuleSet>(&self) -> bool {
        let winning = R::winning(self.color);
        let is_other =
            |end: Option<Point>| end.is_some_and(|p| self.stones.cell(p) == Cell::Stone(!self.color));
        if self.len() == FIVE {
            !(winning.five_needs_open_end && self.ends().into_iter().all(is_other))
        } else {
            self.len() > FIVE && winning.overline
        }
    }
}

/// The empty points on the line through `point`, at most `reach` steps to either side, in order.
fn empty_points(
    stones: &Stones,
    point: Point,
    direction: Direction,
    reach: i64,
) -> impl Iterator<Item = Point> {
    (-reach..=reach)
        .filter_map(move |steps| walk(stones, point, direction, steps))
        .filter(|&p| stones.is_empty_at(p))
}

/// The point `steps` steps from `point` along the direction, or against it if negative; `None` off the board.
fn walk(stones: &Stones, point: Point, direction: Direction, steps: i64) -> Option<Point> {
    let (dx, dy) = direction.delta();
    Point::checked(point.x() as i64 + steps * dx, point.y() as i64 + steps * dy, stones.size())
}

#[cfg(test)]
#[path = "judge_tests.rs"]
pub(crate) mod tests;
