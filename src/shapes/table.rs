//! The tables that lead from the cells of a line to the [`Shape`] it offers, and from four shapes to a [`Threat`].
//!
//! Nothing here is a list of patterns: a shape is defined by what the line becomes with one more stone. It is derived
//! recursively from a single question, "is this five?", which the rule answers.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

use super::shape::Shape;
use super::threat::Threat;
use crate::board::{ByColor, Color};
use crate::rules::{RuleSet, Winning};

/// An empty cell of a line window, in the two bits that encode a cell.
pub(crate) const EMPTY: u64 = 0;
/// A wall, a dead cell, or a cell beyond the board.
pub(crate) const WALL: u64 = 3;

/// The two bits of a stone.
#[inline]
pub(crate) const fn stone_bits(color: Color) -> u64 {
    match color {
        Color::Black => 1,
        Color::White => 2,
    }
}

/// The number of ways to choose four shapes regardless of their order.
pub const CODE_COUNT: usize = {
    // Combinations with repetition: (n + 3 choose 4).
    let n = Shape::COUNT;
    n * (n + 1) * (n + 2) * (n + 3) / 24
};

/// Four shapes regardless of their order, 0 to [`CODE_COUNT`] - 1; 0 is four times [`Shape::Dead`].
pub type Code = u16;

/// The codes of four lines of which none can become a five any more: each is [`Shape::Dead`] or an [`Shape::Overline`],
/// from no overline to four. In ascending order of the shapes, they are the first with their number of overlines.
const HOPELESS: [Code; 5] = {
    let n = Shape::COUNT;
    [0, 1, n as Code, (n * (n + 1) / 2) as Code, (n * (n + 1) * (n + 2) / 6) as Code]
};

/// Whether no line through the point can become a five any more.
#[must_use]
#[inline]
pub fn is_hopeless(code: Code) -> bool {
    HOPELESS.contains(&code)
}

/// A value for every [`Code`], stored with room for more codes than exist, so that no index needs a bounds check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByCode<T>(Box<[T; 1 << CODE_BITS]>);

impl<T: Copy + Default> ByCode<T> {
    /// The table of `value(code)` for every code.
    #[must_use]
    pub fn from_fn(value: impl Fn(Code) -> T) -> ByCode<T> {
        let mut table = ByCode(Box::new([T::default(); 1 << CODE_BITS]));
        table.values_mut().iter_mut().enumerate().for_each(|(code, entry)| *entry = value(code as Code));
        table
    }

    /// The values of all codes, in the order of the codes.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.0[..CODE_COUNT]
    }

    /// The values of all codes, in the order of the codes, mutable.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.0[..CODE_COUNT]
    }
}

impl<T> std::ops::Index<Code> for ByCode<T> {
    type Output = T;

    #[inline]
    fn index(&self, code: Code) -> &T {
        &self.0[usize::from(code) & ((1 << CODE_BITS) - 1)]
    }
}

/// A [`Code`] and the [`Threat`] it means, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Summary(u16);

const CODE_BITS: u32 = 12;
const _: () = assert!(CODE_COUNT <= 1 << CODE_BITS && Threat::COUNT <= Summary::THREATS);

impl Summary {
    /// The number of threats that a summary can encode: more than exist, so that indexing an array of this length
    /// needs no bounds check.
    pub const THREATS: usize = 1 << (16 - CODE_BITS);

    #[inline]
    fn new(code: Code, threat: Threat) -> Summary {
        Summary(code | (threat as u16) << CODE_BITS)
    }

    /// Extracts the summary of one colour from the [`Summary::bits`] of both: Black's in the low half, White's in the
    /// high one.
    #[inline(always)]
    pub(super) fn of(color: Color, both: u32) -> Summary {
        Summary((both >> (16 * color.index())) as u16)
    }

    /// The code and the threat, with the threat's index in the highest bits.
    #[inline]
    pub(super) const fn bits(self) -> u64 {
        self.0 as u64
    }

    /// The four shapes.
    #[must_use]
    #[inline]
    pub const fn code(self) -> Code {
        self.0 & ((1 << CODE_BITS) - 1)
    }

    /// The threat that they make.
    #[must_use]
    #[inline]
    pub const fn threat(self) -> Threat {
        Threat::from_index(self.threat_index())
    }

    /// The [`Threat::index`] of the threat that they make, below [`Summary::THREATS`].
    #[must_use]
    #[inline]
    pub const fn threat_index(self) -> usize {
        (self.0 >> CODE_BITS) as usize
    }
}

/// The tables of one rule.
pub struct Tables {
    /// Indexed by window key: Black's shape in the low four bits, White's in the high four. Sized for the keys of the
    /// widest windows, so that no key needs a bounds check; with narrower windows the memory beyond their keys is
    /// never touched.
    pub(crate) window: Box<[u8; 1 << (4 * ARM)]>,
    /// Indexed by four shapes of four bits each.
    pub(crate) summary: ByColor<Box<[Summary; 1 << 16]>>,
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").finish_non_exhaustive()
    }
}

impl Tables {
    /// The tables for a rule, built on first use and kept for the life of the process.
    #[must_use]
    pub fn of<R: RuleSet>() -> &'static Tables {
        // Rules with the same answers share their tables.
        static ALL: [OnceLock<Tables>; 64] = [const { OnceLock::new() }; 64];
        let answers = Color::ALL.map(|color| {
            let Winning { overline, five_needs_open_end } = R::winning(color);
            usize::from(overline)
                | usize::from(five_needs_open_end) << 1
                | usize::from(R::forbids(color)) << 2
        });
        ALL[answers[0] | answers[1] << 3].get_or_init(Tables::build::<R>)
    }

    /// The codes of a point with nothing but empty points around it.
    #[must_use]
    pub fn free_codes(&self) -> ByColor<Code> {
        let shapes = usize::from(self.window[0]);
        ByColor::from_fn(|color| {
            let shape = shapes >> (4 * color.index()) & 0xf;
            self.summary[color][shape * 0x1111].code()
        })
    }

    fn build<R: RuleSet>() -> Tables {
        let reach = R::reach();
        let mut window: Box<[u8; 1 << (4 * ARM)]> =
            vec![0; 1 << (4 * ARM)].try_into().expect("the vector has the array's length");
        for color in Color::ALL {
            let halves = Halves::of(color, reach);
            let mut lines = Lines::new(R::winning(color), R::forbids(color));
            let shapes: Vec<u8> = halves
                .distinct
                .iter()
                .flat_map(|left| halves.distinct.iter().map(move |right| (left, right)))
                .map(|(left, right)| lines.shape(&Line::around_stone(left, right)) as u8)
                .collect();
            let count = halves.distinct.len();
            // The left half is in the low bits, with its farthest cell lowest.
            let left_halves: Vec<u8> =
                (0..1 << (2 * reach)).map(|half| halves.index[mirror_half(half, reach)]).collect();
            for (key, entry) in window.iter_mut().enumerate().take(1 << (4 * reach)) {
                let left = left_halves[key & ((1 << (2 * reach)) - 1)];
                let right = halves.index[key >> (2 * reach)];
                *entry |= shapes[usize::from(left) * count + usize::from(right)] << (4 * color.index());
            }
        }
        Tables { window, summary: ByColor::from_fn(build_summary::<R>) }
    }

    /// The shape for `color` in the window with this key.
    #[cfg(test)]
    fn shape(&self, key: usize, color: Color) -> Shape {
        Shape::from_index(usize::from(self.window[key] >> (4 * color.index())) & 0xf)
    }
}

/// The four shapes of a code, in ascending order.
#[must_use]
pub fn shapes_of_code(code: Code) -> [Shape; 4] {
    static ALL: OnceLock<Vec<[Shape; 4]>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Vec::with_capacity(CODE_COUNT);
        for a in 0..Shape::COUNT {
            for b in a..Shape::COUNT {
                for c in b..Shape::COUNT {
                    for d in c..Shape::COUNT {
                        all.push([a, b, c, d].map(Shape::from_index));
                    }
                }
            }
        }
        all
    })[usize::from(code)]
}

fn build_summary<R: RuleSet>(color: Color) -> Box<[Summary; 1 << 16]> {
    let summaries: Vec<Summary> = (0..CODE_COUNT as Code)
        .map(|code| Summary::new(code, Threat::of::<R>(shapes_of_code(code), color)))
        .collect();
    // Indexed like the table, for shapes in ascending order.
    let mut code_of = vec![0; 1 << 16];
    for code in 0..CODE_COUNT {
        code_of[packed(shapes_of_code(code as Code).map(|shape| shape as usize))] = code;
    }
    let mut table: Box<[Summary; 1 << 16]> =
        vec![Summary::default(); 1 << 16].try_into().expect("the vector has the array's length");
    for (key, entry) in table.iter_mut().enumerate() {
        let mut shapes = [0, 4, 8, 12].map(|shift| key >> shift & 0xf);
        // The sixteenth value of four bits stands for no shape and never occurs.
        if shapes.iter().all(|&shape| shape < Shape::COUNT) {
            shapes.sort_unstable();
            *entry = summaries[code_of[packed(shapes)]];
        }
    }
    table
}

/// Four shapes in four bits each.
fn packed(shapes: [usize; 4]) -> usize {
    shapes.into_iter().fold(0, |all, shape| all << 4 | shape)
}

/// A cell of a line as one colour sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Seen {
    Empty,
    Own,
    /// A stone of the opponent.
    Other,
    /// Not a stone, but no stone can be placed there either.
    Wall,
}

/// One side of a window, from the middle outward, as one colour sees it. It ends with the first cell that is neither
/// empty nor own, because nothing beyond that cell can matter.
type Half = Vec<Seen>;

/// The distinct halves for a colour, and for each half key (nearest cell in the lowest bits) the index of its half
/// among them.
struct Halves {
    distinct: Vec<Half>,
    index: Vec<u8>,
}

impl Halves {
    fn of(color: Color, reach: usize) -> Halves {
        let mut distinct: Vec<Half> = Vec::new();
        let mut number: HashMap<Half, u8> = HashMap::new();
        let index = (0..1u64 << (2 * reach))
            .map(|key| {
                let mut half = Half::new();
                for distance in 0..reach {
                    let bits = key >> (2 * distance) & 3;
                    half.push(match bits {
                        EMPTY => Seen::Empty,
                        WALL => Seen::Wall,
                        bits if bits == stone_bits(color) => Seen::Own,
                        _ => Seen::Other,
                    });
                    if matches!(half[distance], Seen::Other | Seen::Wall) {
                        break;
                    }
                }
                *number.entry(half.clone()).or_insert_with(|| {
                    distinct.push(half);
                    u8::try_from(distinct.len() - 1).expect("there are at most 94 halves")
                })
            })
            .collect();
        Halves { distinct, index }
    }
}

/// The half key with its cells in reverse order.
fn mirror_half(key: usize, reach: usize) -> usize {
    (0..reach).fold(0, |mirrored, cell| mirrored << 2 | key >> (2 * cell) & 3)
}

/// The number of cells that a line has on each side of its middle, at least [`RuleSet::reach`].
pub(crate) const ARM: usize = 5;

/// A line with the stone in question in its middle, at [`ARM`].
#[derive(Clone)]
struct Line([Seen; 2 * ARM + 1]);

impl Line {
    /// An own stone with these halves beside it; cells that the halves do not cover are walls.
    fn around_stone(left: &[Seen], right: &[Seen]) -> Line {
        let mut line = Line([Seen::Wall; 2 * ARM + 1]);
        line.0[ARM] = Seen::Own;
        left.iter().enumerate().for_each(|(n, &seen)| line.0[ARM - 1 - n] = seen);
        right.iter().enumerate().for_each(|(n, &seen)| line.0[ARM + 1 + n] = seen);
        line
    }

    /// All cells but the middle one, in two bits each.
    fn index(&self) -> usize {
        let (left, right) = (&self.0[..ARM], &self.0[ARM + 1..]);
        left.iter().chain(right).fold(0, |all, &seen| all << 2 | seen as usize)
    }

    fn with(&self, cell: usize, seen: Seen) -> Line {
        let mut line = self.clone();
        line.0[cell] = seen;
        line
    }

    fn empty_cells(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len()).filter(|&cell| self.0[cell] == Seen::Empty)
    }

    /// First and last cell of the unbroken row of own stones through the middle.
    fn run(&self) -> (usize, usize) {
        let first = (0..=ARM).rev().take_while(|&cell| self.0[cell] == Seen::Own).last();
        let last = (ARM..self.0.len()).take_while(|&cell| self.0[cell] == Seen::Own).last();
        (first.unwrap_or(ARM), last.unwrap_or(ARM))
    }

    fn seen(&self, cell: Option<usize>) -> Seen {
        cell.and_then(|cell| self.0.get(cell).copied()).unwrap_or(Seen::Wall)
    }
}

/// Derives shapes for one colour under one rule.
struct Lines {
    winning: Winning,
    forbids: bool,
    /// By [`Line::index`]. Few of them are used, but hashing would take most of the time of building the tables.
    known: Vec<Option<Shape>>,
}

impl Lines {
    fn new(winning: Winning, forbids: bool) -> Lines {
        Lines { winning, forbids, known: vec![None; 1 << (4 * ARM)] }
    }

    /// The shape of the line for the stone in its middle.
    fn shape(&mut self, line: &Line) -> Shape {
        let index = line.index();
        if let Some(shape) = self.known[index] {
            return shape;
        }
        let shape = self.derive(line);
        self.known[index] = Some(shape);
        shape
    }

    fn derive(&mut self, line: &Line) -> Shape {
        let (first, last) = line.run();
        if self.is_five(line) {
            return Shape::Five;
        }
        if last - first + 1 > 5 {
            return Shape::Overline;
        }
        if self.has_five_point(line) {
            // The opponent has one stone to stop it. Where a five needs an open end, the stone may also close the far
            // end, so every empty cell is tried.
            let stoppable =
                line.empty_cells().any(|cell| !self.has_five_point(&line.with(cell, Seen::Other)));
            return match (stoppable, last - first + 1) {
                (true, _) => Shape::Four,
                (false, 4) => Shape::OpenFour,
                (false, _) => Shape::DoubleFour,
            };
        }
        let next: Vec<Shape> = line
            .empty_cells()
            .collect::<Vec<_>>()
            .into_iter()
            .map(|cell| self.shape(&line.with(cell, Seen::Own)))
            .collect();
        let ways = |is: &dyn Fn(Shape) -> bool| next.iter().filter(|&&shape| is(shape)).count();
        // Two fours on one line are as hard to stop as a straight four, but do not count if they are forbidden.
        let forbids = self.forbids;
        let wins = |shape| shape == Shape::OpenFour || shape == Shape::DoubleFour && !forbids;
        match ways(&wins) {
            0 => {}
            1 => return Shape::OpenThree,
            _ => return Shape::FreeOpenThree,
        }
        if ways(&|shape| shape == Shape::Four) > 0 {
            return Shape::Three;
        }
        match ways(&Shape::is_open_three) {
            0 => {}
            1 => return Shape::OpenTwo,
            2 | 3 => return Shape::WideOpenTwo,
            _ => return Shape::FreeOpenTwo,
        }
        if ways(&|shape| shape == Shape::Three) > 0 {
            return Shape::Two;
        }
        if ways(&Shape::is_open_two) > 0 {
            return Shape::OpenOne;
        }
        if ways(&|shape| shape == Shape::Two) > 0 {
            return Shape::One;
        }
        Shape::Dead
    }

    fn is_five(&self, line: &Line) -> bool {
        let (first, last) = line.run();
        match last - first + 1 {
            0..=4 => false,
            5 => {
                let ends = [line.seen(first.checked_sub(1)), line.seen(Some(last + 1))];
                !self.winning.five_needs_open_end || ends != [Seen::Other; 2]
            }
            _ => self.winning.overline,
        }
    }

    /// Whether one more own stone makes five with the middle; only the empty cells at the ends of the row
    /// through the middle can do that.
    fn has_five_point(&self, line: &Line) -> bool {
        let (first, last) = line.run();
        [first.checked_sub(1), Some(last + 1)]
            .into_iter()
            .filter(|&cell| line.seen(cell) == Seen::Empty)
            .flatten()
            .any(|cell| self.is_five(&line.with(cell, Seen::Own)))
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
