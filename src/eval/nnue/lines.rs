//! The contents of the lines through an empty point, cell by cell, encoded for the [transformer](super::transformer).
//!
//! The point divides a line into two *sides*. A side consists of the [`REACH`] cells next to the point, each empty or a
//! stone; the edge of the board or a dead cell may cut it short. Sides are numbered from 0 to [`SIDES`] - 1. Those of
//! one length are numbered together, in the order of their cells as digits in base 3, the nearest cell being the lowest
//! digit. A new stone therefore adds a fixed number to a side, and a [`LineKey`] combines the two sides of a line.

#[cfg(any(test, feature = "tools"))]
use std::sync::LazyLock;

use crate::board::{Cell, Color, Direction, POINT_COUNT, Point, Stones};
#[cfg(any(test, feature = "tools"))]
use crate::shapes::table::{EMPTY, WALL, stone_bits};

/// The number of cells of a side that is not cut short.
pub const REACH: usize = 4;

/// The number of different sides: the sum of 3^0 to 3^[`REACH`].
pub const SIDES: usize = (3_usize.pow(REACH as u32 + 1) - 1) / 2;

/// The number of different lines, where mirror images count as the same line.
pub const LINES: usize = SIDES * (SIDES + 1) / 2;

/// Both sides of a line in one number: the side against the [step](Direction::step) times [`SIDES`], plus the other
/// side.
pub type LineKey = u16;

/// One more than the largest [`LineKey`].
pub const LINE_KEYS: usize = SIDES * SIDES;

const _: () = assert!(LINE_KEYS <= 1 << LineKey::BITS);

/// The number of the first side with this many cells.
const fn first_of_length(cells: usize) -> usize {
    (3_usize.pow(cells as u32) - 1) / 2
}

/// The digit of a stone as `own` sees it: 1 for its own, 2 for the opponent's.
const fn digit(own: Color, stone: Color) -> usize {
    if own.index() == stone.index() { 1 } else { 2 }
}

/// The number of a side, as `own` sees it; `step` leads away from the point.
fn side(stones: &Stones, point: Point, step: isize, own: Color) -> usize {
    let cells = (1..=REACH as isize).map(|distance| {
        let at = point.index() as isize + distance * step;
        stones.cell(Point::from_strip(at as usize))
    });
    side_of_digits(cells.map_while(|cell| match cell {
        Cell::Empty => Some(0),
        Cell::Stone(stone) => Some(digit(own, stone)),
        Cell::Dead => None,
    }))
}

/// The number of the side with these cells, the nearest first.
fn side_of_digits(digits: impl Iterator<Item = usize>) -> usize {
    let (cells, number, _) = digits
        .fold((0, 0, 1), |(cells, number, power), digit| (cells + 1, number + digit * power, 3 * power));
    first_of_length(cells) + number
}

/// The two sides of the line in this direction through a point, as `own` sees them: against the step first.
pub fn sides(stones: &Stones, point: Point, direction: Direction, own: Color) -> [usize; 2] {
    [-direction.step(), direction.step()].map(|step| side(stones, point, step, own))
}

/// The same side as the other colour sees it.
fn with_colors_changed(side: usize) -> usize {
    let cells = (0..=REACH).rfind(|&cells| first_of_length(cells) <= side).unwrap_or_default();
    let digits = (0..cells).map(|n| 3_usize.pow(n as u32));
    let number = side - first_of_length(cells);
    let changed = digits.map(|power| match number / power % 3 {
        0 => 0,
        digit => (3 - digit) * power,
    });
    first_of_length(cells) + changed.sum::<usize>()
}

/// The index of a line among all [`LINES`], the same for its mirror image.
#[must_use]
pub const fn line_of([one, other]: [usize; 2]) -> usize {
    let (less, more) = if one < other { (one, other) } else { (other, one) };
    more * (more + 1) / 2 + less
}

/// The index of the line that a key stands for, as the key's own colour sees it and as the other colour does.
pub(super) fn lines_of_key(key: usize) -> [usize; 2] {
    let sides = [key / SIDES, key % SIDES];
    [line_of(sides), line_of(sides.map(with_colors_changed))]
}

/// The lines of all [windows](crate::shapes::line_words::LineWords::window) of [`REACH`] cells to each side, as Black
/// and as White see them: training needs them at every point of every position.
#[cfg(any(test, feature = "tools"))]
pub fn lines_of_windows() -> &'static [[u16; 2]; 1 << (4 * REACH)] {
    type Lines = [[u16; 2]; 1 << (4 * REACH)];
    static LINES_OF_WINDOWS: LazyLock<Box<Lines>> = LazyLock::new(|| {
        let lines = |window: usize| Color::ALL.map(|own| line_of(sides_of_window(window, own)) as u16);
        let all: Vec<[u16; 2]> = (0..1 << (4 * REACH)).map(lines).collect();
        all.try_into().expect("there are as many")
    });
    &LINES_OF_WINDOWS
}

/// The sides of a window as `own` sees them.
#[cfg(any(test, feature = "tools"))]
fn sides_of_window(window: usize, own: Color) -> [usize; 2] {
    let side = |place: fn(usize) -> usize| {
        let cells = (1..=REACH).map(|distance| (window >> (2 * place(distance))) as u64 & WALL);
        side_of_digits(cells.take_while(|&bits| bits != WALL).map(|bits| match bits {
            EMPTY => 0,
            _ if bits == stone_bits(own) => 1,
            _ => 2,
        }))
    };
    [side(|distance| REACH - distance), side(|distance| REACH + distance - 1)]
}

/// The points within reach from which a stone lies `along` the step or against it, the nearest first: each by
/// [`Point::index`], with what the stone adds to its key as Black sees it. Some of the points lie on the wall around
/// the board.
#[inline(always)]
pub fn key_deltas_along(
    stone: Point,
    color: Color,
    direction: Direction,
    along: bool,
) -> impl Iterator<Item = (usize, LineKey)> {
    // The stone lies along the step from points before it, and against the step from points behind it.
    let away = if along { -direction.step() } else { direction.step() };
    (1..=REACH).map(move |distance| {
        let index = (stone.index() as isize + distance as isize * away) as usize % POINT_COUNT;
        (index, key_delta(color, distance, along))
    })
}

/// The key of a line as `own` sees it.
pub fn key(stones: &Stones, point: Point, direction: Direction, own: Color) -> LineKey {
    let [against, along] = sides(stones, point, direction, own);
    (against * SIDES + along) as LineKey
}

/// What a stone adds, as Black sees it, to the key of a point that is `distance` steps away from it. The stone lies
/// `along` the step from that point, or against it.
#[inline(always)]
const fn key_delta(stone: Color, distance: usize, along: bool) -> LineKey {
    /// Powers of 3.
    const PLACES: [usize; 4] = [1, 3, 9, 27];
    const { assert!(REACH == PLACES.len()) };
    (digit(Color::Black, stone) * PLACES[distance - 1] * if along { 1 } else { SIDES }) as LineKey
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::random::crowded_games;
    use crate::shapes::line_words::LineWords;

    #[test]
    fn keys_grow_as_stones_come() {
        for game in crowded_games(6) {
            let mut stones = game.start.clone();
            for &(stone, color) in &game.moves {
                let before = stones.clone();
                stones.place(stone, color);
                for direction in Direction::ALL {
                    for distance in 1..=REACH {
                        for along in [false, true] {
                            // With `along`, the step leads from the point to the stone.
                            let steps = if along { -(distance as isize) } else { distance as isize };
                            let index = stone.index() as isize + steps * direction.step();
                            let point = Point::from_strip(index as usize);
                            if !stones.is_empty_at(point) {
                                continue;
                            }
                            // A dead cell between the point and the stone hides it.
                            let hidden = (1..distance as isize).any(|n| {
                                let step = if along { -n } else { n } * direction.step();
                                let between = Point::from_strip((stone.index() as isize + step) as usize);
                                stones.cell(between) == Cell::Dead
                            });
                            let grown = if hidden { 0 } else { key_delta(color, distance, along) };
                            let old = key(&before, point, direction, Color::Black);
                            assert_eq!(
                                key(&stones, point, direction, Color::Black),
                                old + grown,
                                "{stone} {point}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn keys_stand_for_lines_as_each_color_sees_them() {
        let mut seen = vec![false; LINES];
        for game in crowded_games(4) {
            let mut stones = game.start.clone();
            for &(stone, color) in &game.moves {
                stones.place(stone, color);
                for point in stones.size().points().filter(|&point| stones.is_empty_at(point)) {
                    for direction in Direction::ALL {
                        let lines = lines_of_key(key(&stones, point, direction, Color::Black).into());
                        let expected = Color::ALL.map(|own| line_of(sides(&stones, point, direction, own)));
                        assert_eq!(lines, expected);
                        seen[lines[0]] = true;
                    }
                }
            }
        }
        assert!(seen.iter().filter(|&&seen| seen).count() > 500);
    }

    #[test]
    fn windows_show_the_lines_that_keys_stand_for() {
        for game in crowded_games(6).map(crate::random::RandomGame::on_whole_board) {
            let (size, mut stones) = (game.start.size(), game.start.clone());
            let mut words = LineWords::new(size);
            for &(stone, color) in &game.moves {
                stones.place(stone, color);
                words.place(stone, color);
                for point in size.points().filter(|&point| stones.is_empty_at(point)) {
                    for direction in Direction::ALL {
                        let expected = lines_of_key(key(&stones, point, direction, Color::Black).into());
                        let found = lines_of_windows()[words.window(point, direction, REACH)];
                        assert_eq!(found.map(usize::from), expected, "{point}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_line_is_its_mirror_image() {
        let mut all: Vec<usize> = (0..LINE_KEYS).map(|key| lines_of_key(key)[0]).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all, (0..LINES).collect::<Vec<_>>());
        let size = Size::square(15);
        let mut stones = Stones::new(size);
        stones.place(Point::new(5, 7), Color::Black);
        stones.place(Point::new(9, 7), Color::Black);
        let of = |x| line_of(sides(&stones, Point::new(x, 7), Direction::Horizontal, Color::Black));
        assert_eq!(of(6), of(8));
        assert_ne!(of(6), of(7));
    }
}
