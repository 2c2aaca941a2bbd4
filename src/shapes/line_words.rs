//! The shapes of a single position, computed at once. For training, which sets up millions of positions and looks at
//! each of them once: placing the stones one after the other on a [`ShapeMap`](super::ShapeMap) takes several times as
//! long.

use super::map::{cells_around, empty_words, four_shapes, lines_at};
use super::table::{Code, Tables, stone_bits};
use crate::board::{ByColor, Color, Direction, Point, Size};
use crate::rules::RuleSet;

/// The cells of a board, line by line in each direction.
#[derive(Clone)]
pub(crate) struct LineWords {
    /// As in a `ShapeMap`: indexed by [`Direction::index`] and line, with two bits per cell.
    words: [[u64; 64]; 4],
}

impl LineWords {
    /// An empty board.
    pub(crate) fn new(size: Size) -> LineWords {
        LineWords { words: empty_words(size) }
    }

    /// Places a stone on an empty point.
    pub(crate) fn place(&mut self, point: Point, color: Color) {
        for direction in Direction::ALL {
            let (line, place) = direction.line_and_place(point);
            self.words[direction.index()][line] |= stone_bits(color) << (2 * place);
        }
    }

    /// The cells around a point on one line, without the point itself: `reach` cells before it, the farthest in the
    /// lowest two bits, and as many behind it, the nearest of them first.
    #[inline]
    pub(crate) fn window(&self, point: Point, direction: Direction, reach: usize) -> usize {
        let (line, place) = direction.line_and_place(point);
        cells_around(self.words[direction.index()][line], 2 * place, reach)
    }

    /// What a point offers each colour, if it is empty.
    #[inline]
    pub(crate) fn codes<R: RuleSet>(&self, point: Point) -> ByColor<Code> {
        let (tables, lines) = (Tables::of::<R>(), lines_at::<R>(&self.words, point));
        ByColor::from_fn(|color| tables.summary[color][four_shapes(lines, color)].code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::crowded_games;
    use crate::rules::{Rule, with_rule};

    #[test]
    fn a_window_shows_what_is_on_both_sides() {
        use crate::shapes::table::WALL;
        let mut words = LineWords::new(Size::square(15));
        let (black, white) = (stone_bits(Color::Black), stone_bits(Color::White));
        for direction in Direction::ALL {
            let at = |steps: isize| Point::new(7, 7).offset(steps * direction.step());
            words.place(at(-1), Color::Black);
            words.place(at(2), Color::White);
            let window = words.window(at(0), direction, 2) as u64;
            assert_eq!(window, black << 2 | white << 6, "an empty cell, a stone, an empty cell, a stone");
            let edge = words.window(at(-7), direction, 2) as u64;
            assert_eq!(edge, WALL | WALL << 2, "beyond the board, then two empty cells");
        }
    }

    #[test]
    fn they_are_those_of_the_map_under_every_rule() {
        for game in crowded_games(6).map(crate::random::RandomGame::on_whole_board) {
            for rule in Rule::ALL {
                let mut words = LineWords::new(game.start.size());
                let mut moves = game.moves.iter();
                with_rule!(rule, R => game.clone().replay::<R>(|position| {
                    let &(point, color) = moves.next().expect("there is one for each visit");
                    words.place(point, color);
                    for point in position.empty_points().iter() {
                        let expected = ByColor::from_fn(|color| position.map().code(point, color));
                        assert_eq!(words.codes::<R>(point), expected, "{rule} {point}");
                    }
                }));
            }
        }
    }
}
