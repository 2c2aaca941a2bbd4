//! [`ShapeMap`]: the shapes of both colours at every empty point, updated as stones are placed and taken back.

use std::fmt;
use std::marker::PhantomData;

use super::shape::Shape;
use super::table::{self, Code, Summary, Tables};
use super::tally::{ThreatChange, ThreatTally};
use super::threat::Threat;
use crate::board::{ByColor, Cell, Color, Direction, POINT_COUNT, Point, PointSet, Size, Stones};
use crate::rules::RuleSet;

/// The four shapes that a point offered each colour, and those that it offers now. They may be unchanged for one of
/// the colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShapeChange {
    /// The point.
    pub point: Point,
    /// The shapes that it offered before.
    pub old: ByColor<Code>,
    /// The shapes that it offers now.
    pub new: ByColor<Code>,
}

/// Is told when the shapes of points change, so that an evaluation can update its sums.
///
/// Undoing is not announced: the observer restores its own state from before the stone.
pub trait ShapeObserver {
    /// Whether the observer wants to be told.
    const LISTENS: bool = true;

    /// A stone has changed the shapes of these points. Each point occurs once.
    fn changed(&mut self, changes: &[ShapeChange]);
}

/// Observes nothing.
impl ShapeObserver for () {
    const LISTENS: bool = false;

    #[inline]
    fn changed(&mut self, _: &[ShapeChange]) {}
}

/// The shapes at one point, packed into one word because it is written and compared more often than anything else.
/// The low half holds the lines, four bits per [`Direction::index`], first Black's and then White's. The high half
/// holds Black's and White's [`Summary`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry(u64);

impl Entry {
    #[inline(always)]
    fn new(lines: u32, black: Summary, white: Summary) -> Entry {
        Entry(u64::from(lines) | black.bits() << 32 | white.bits() << 48)
    }

    #[inline(always)]
    fn lines(self) -> u32 {
        self.0 as u32
    }

    /// Black's summary in the low half, White's in the high one.
    #[inline(always)]
    fn summaries(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline(always)]
    fn summary(self, color: Color) -> Summary {
        Summary::of(color, self.summaries())
    }

    #[inline(always)]
    fn codes(self) -> ByColor<Code> {
        ByColor::from_fn(|color| self.summary(color).code())
    }
}

/// What an [`Entry`] was before it changed.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    /// The [`Point::index`] of the point.
    index: u16,
    before: Entry,
}

/// A stone, and the lengths of the logs before it was placed.
#[derive(Clone, Copy, Debug)]
struct UndoFrame {
    point: Point,
    changes: u32,
    threat_changes: u32,
}

/// A point and its shapes: [`Point::index`] in the low 32 bits, [`Entry::lines`] in the high ones.
#[inline(always)]
fn packed(index: usize, lines: u32) -> u64 {
    index as u64 | u64::from(lines) << 32
}

/// More than the points whose shapes one stone can change, which are its own and those on its lines within
/// [`table::ARM`]. A power of two, so that no index needs a bounds check.
const ROOM: usize = 64;

const _: () = assert!(4 * 2 * table::ARM < ROOM);

/// The points whose shapes a stone has changed, each with its new [`Entry::lines`].
#[derive(Clone)]
struct ChangedShapes {
    /// Packed by [`packed`]. Values from index `count` on are left over from before.
    packed: Box<[u64; ROOM]>,
    count: usize,
}

/// The low one of the two bits of every cell in a line word.
const EVERY_CELL: u64 = 0x5555_5555_5555_5555;

/// For both colours and every empty point, what a stone there would make in each of the four directions and in all of
/// them together, under the rule `R`.
///
/// Stones are taken back in the reverse of the order in which they were placed.
#[derive(Clone)]
pub struct ShapeMap<R: RuleSet> {
    /// Indexed by [`Direction::index`] and line, with two bits per cell.
    words: [[u64; 64]; 4],
    entries: Box<[Entry; POINT_COUNT]>,
    changed_shapes: ChangedShapes,
    threats: ThreatTally,
    changes: Vec<Change>,
    undo_frames: Vec<UndoFrame>,
    /// Buffer for the changes that an observer is told of.
    told: Box<[ShapeChange; ROOM]>,
    /// Buffer for the changes of threats that are to be tallied.
    tallied: Box<[ThreatChange; ROOM]>,
    tables: &'static Tables,
    rule: PhantomData<R>,
}

impl<R: RuleSet> fmt::Debug for ShapeMap<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShapeMap")
            .field("rule", &R::RULE)
            .field("stones", &self.undo_frames.len())
            .finish_non_exhaustive()
    }
}

impl<R: RuleSet> ShapeMap<R> {
    /// An empty board. `observer` is told of every shape that is not [`Shape::Dead`] on it.
    #[must_use]
    pub fn new<O: ShapeObserver>(size: Size, observer: &mut O) -> ShapeMap<R> {
        let nowhere = ShapeChange { point: size.center(), old: ByColor::default(), new: ByColor::default() };
        let mut map = ShapeMap {
            words: empty_words(size),
            entries: Box::new([Entry::default(); POINT_COUNT]),
            changed_shapes: ChangedShapes { packed: Box::new([0; ROOM]), count: 0 },
            threats: ThreatTally::new(),
            changes: Vec::with_capacity(8 * POINT_COUNT),
            undo_frames: Vec::with_capacity(size.area()),
            told: Box::new([nowhere; ROOM]),
            tallied: Box::new([ThreatChange { point: size.center(), before: 0, now: 0 }; ROOM]),
            tables: Tables::of::<R>(),
            rule: PhantomData,
        };
        for point in size.points() {
            map.changed_shapes.packed[0] = packed(point.index(), lines_at::<R>(&map.words, point));
            map.changed_shapes.count = 1;
            map.enter(point, observer);
        }
        map.changes.clear();
        map.threats.forget();
        map
    }

    /// Places a stone on an empty point.
    #[inline]
    pub fn place(&mut self, point: Point, color: Color, observer: &mut impl ShapeObserver) {
        self.occupy(point, table::stone_bits(color), observer);
    }

    /// Makes an empty point dead.
    pub fn kill(&mut self, point: Point, observer: &mut impl ShapeObserver) {
        self.occupy(point, table::WALL, observer);
    }

    fn occupy<O: ShapeObserver>(&mut self, point: Point, bits: u64, observer: &mut O) {
        self.undo_frames.push(UndoFrame {
            point,
            changes: self.changes.len() as u32,
            threat_changes: self.threats.log_len(),
        });
        // An occupied point offers nothing.
        self.changed_shapes.packed[0] = packed(point.index(), 0);
        self.changed_shapes.count = 1;
        // No loop, so that each call is compiled with the steps of its direction as constants.
        self.update_line(Direction::Horizontal, point, bits);
        self.update_line(Direction::Vertical, point, bits);
        self.update_line(Direction::Diagonal, point, bits);
        self.update_line(Direction::Antidiagonal, point, bits);
        self.enter(point, observer);
    }

    /// Writes the new shapes in `changed_shapes` to the entries, after a stone at `stone`. Whether a change has to be
    /// told or tallied is unpredictable as well, so that is decided without a branch.
    #[inline(always)]
    fn enter<O: ShapeObserver>(&mut self, stone: Point, observer: &mut O) {
        let ShapeMap { entries, changed_shapes, threats, changes, told, tallied, tables, .. } = self;
        let [black, white] = Color::ALL.map(|color| &*tables.summary[color]);
        let (mut to_tell, mut to_tally) = (0, 0);
        changes.extend(changed_shapes.packed[..changed_shapes.count.min(ROOM)].iter().map(|&packed| {
            let (index, lines) = (packed as usize % POINT_COUNT, (packed >> 32) as u32);
            let before = entries[index];
            let now = Entry::new(
                lines,
                black[four_shapes(lines, Color::Black)],
                white[four_shapes(lines, Color::White)],
            );
            entries[index] = now;
            // Cell 0 is never near a stone; with a default given for it, no check is needed.
            let point = Point::from_cell(index).unwrap_or(stone);
            let change = ThreatChange { point, before: before.summaries(), now: now.summaries() };
            tallied[to_tally % ROOM] = change;
            to_tally += usize::from(change.matters::<R>());
            if O::LISTENS {
                let (old, new) = (before.codes(), now.codes());
                told[to_tell % ROOM] = ShapeChange { point, old, new };
                to_tell += usize::from(old != new);
            }
            Change { index: index as u16, before }
        }));
        threats.enter(&tallied[..to_tally.min(ROOM)]);
        if O::LISTENS {
            observer.changed(&told[..to_tell.min(ROOM)]);
        }
    }

    /// Writes a stone into one of its lines, and collects the empty points whose shapes on that line have changed.
    /// Whether a point's shape changes is unpredictable, so that is decided without a branch for each of them.
    #[inline(always)]
    fn update_line(&mut self, direction: Direction, point: Point, bits: u64) {
        let ShapeMap { words, entries, changed_shapes, tables, .. } = self;
        let reach = R::reach();
        let (line, place) = direction.line_and_place(point);
        let word = words[direction.index()][line] | bits << (2 * place);
        words[direction.index()][line] = word;
        let mut empty = !(word | word >> 1) & EVERY_CELL & cells_within(place, reach);
        let start = point.index() as isize - place as isize * direction.step();
        let mut count = changed_shapes.count;
        while empty != 0 {
            let bit = empty.trailing_zeros() as usize;
            let other_place = bit / 2;
            empty &= empty - 1;
            let shapes = in_direction(tables.window[cells_around(word, bit, reach)], direction);
            let other = (start + other_place as isize * direction.step()) as usize % POINT_COUNT;
            let before = entries[other].lines();
            let now = before & !in_direction(u8::MAX, direction) | shapes;
            // The next point overwrites this one unless `count` advances.
            changed_shapes.packed[count % ROOM] = packed(other, now);
            count += usize::from(before != now);
        }
        changed_shapes.count = count;
    }

    /// Takes the last stone (or dead cell) back.
    pub fn undo(&mut self) {
        let Some(UndoFrame { point, changes, threat_changes }) = self.undo_frames.pop() else { return };
        for direction in Direction::ALL {
            let (line, place) = direction.line_and_place(point);
            self.words[direction.index()][line] &= !(table::WALL << (2 * place));
        }
        // A stone changes each point at most once, so the order does not matter.
        for Change { index, before } in self.changes.drain(changes as usize..) {
            self.entries[usize::from(index) % POINT_COUNT] = before;
        }
        self.threats.undo_to(threat_changes);
    }

    /// The threat that a stone of `color` would make at an empty point; [`Threat::None`] if the point is not empty.
    #[must_use]
    #[inline]
    pub fn threat(&self, point: Point, color: Color) -> Threat {
        self.entries[point.index()].summary(color).threat()
    }

    /// The four shapes of `color` at a point, regardless of their order.
    #[must_use]
    #[inline]
    pub fn code(&self, point: Point, color: Color) -> Code {
        self.entries[point.index()].summary(color).code()
    }

    /// The shape that a stone of `color` would make in one direction.
    #[must_use]
    #[inline]
    pub fn shape(&self, point: Point, direction: Direction, color: Color) -> Shape {
        let shapes = four_shapes(self.entries[point.index()].lines(), color);
        Shape::from_index(shapes >> (4 * direction.index()) & 0xf)
    }

    /// How many points offer `color` exactly this threat, which must be [tracked](super::is_tracked).
    #[must_use]
    #[inline]
    pub fn count(&self, color: Color, threat: Threat) -> usize {
        self.threats.count(color, threat)
    }

    /// Whether some point offers `color` a four or better.
    #[must_use]
    #[inline]
    pub fn has_four(&self, color: Color) -> bool {
        self.threats.has_four(color)
    }

    /// The points that offer `color` exactly this threat, which must be [tracked](super::is_tracked).
    #[must_use]
    #[inline]
    pub fn points(&self, color: Color, threat: Threat) -> &PointSet {
        self.threats.points(color, threat)
    }

    /// The points that offer `color` this threat, which must be at least an open three, or a greater one.
    #[must_use]
    pub fn points_from(&self, color: Color, threat: Threat) -> PointSet {
        self.threats.points_from(color, threat)
    }

    /// The points that offer `color` a four or better.
    #[must_use]
    pub fn fours(&self, color: Color) -> PointSet {
        self.points_from(color, Threat::Four)
    }

    /// The threat that a stone of `color` would make at `point` if a stone of `other_color` stood on the empty point
    /// `other`, in the same row, column or diagonal.
    #[must_use]
    pub fn threat_with(&self, point: Point, color: Color, other: Point, other_color: Color) -> Threat {
        if point == other {
            return Threat::None;
        }
        let Some(direction) =
            Direction::between(point, other).filter(|_| point.distance(other) <= R::reach())
        else {
            return self.threat(point, color);
        };
        let (line, place) = direction.line_and_place(point);
        let (_, other_place) = direction.line_and_place(other);
        let word = self.words[direction.index()][line] | table::stone_bits(other_color) << (2 * other_place);
        let shapes = in_direction(self.tables.window[window_key::<R>(word, place)], direction);
        let lines = self.entries[point.index()].lines() & !in_direction(u8::MAX, direction) | shapes;
        self.tables.summary[color][four_shapes(lines, color)].threat()
    }

    /// The other empty points within `reach` of `point` in one direction, on both sides of it.
    pub(crate) fn empty_near(
        &self,
        point: Point,
        direction: Direction,
        reach: usize,
    ) -> impl Iterator<Item = Point> + use<R> {
        let (line, place) = direction.line_and_place(point);
        let word = self.words[direction.index()][line];
        let near = cells_within(place, reach) & !(table::WALL << (2 * place));
        let mut empty = !(word | word >> 1) & EVERY_CELL & near;
        std::iter::from_fn(move || {
            if empty == 0 {
                return None;
            }
            let other_place = empty.trailing_zeros() as isize / 2;
            empty &= empty - 1;
            Some(point.offset((other_place - place as isize) * direction.step()))
        })
    }

    /// The first cell beyond the unbroken row of stones of `color` that begins beside `point`, towards the
    /// end of the line (`step` 1) or its start (`step` -1), if it is empty and within a line window.
    pub(crate) fn end_of_row(
        &self,
        point: Point,
        direction: Direction,
        step: isize,
        color: Color,
    ) -> Option<Point> {
        let (line, place) = direction.line_and_place(point);
        let word = self.words[direction.index()][line];
        for distance in 1..=5 {
            let other_place = place.wrapping_add_signed(step * distance);
            let bits = word.checked_shr(2 * other_place as u32).unwrap_or(table::WALL) & table::WALL;
            if bits == table::EMPTY {
                return Some(point.offset(step * distance * direction.step()));
            }
            if bits != table::stone_bits(color) {
                return None;
            }
        }
        None
    }

    /// A map computed from scratch for these stones, which the incremental one must be equal to.
    #[must_use]
    pub fn fresh(stones: &Stones, observer: &mut impl ShapeObserver) -> ShapeMap<R> {
        let mut map = ShapeMap::new(stones.size(), observer);
        for point in stones.size().points() {
            match stones.cell(point) {
                Cell::Empty => {}
                Cell::Stone(color) => map.place(point, color, observer),
                Cell::Dead => map.kill(point, observer),
            }
        }
        map
    }

    /// Whether both maps have the same lines, shapes and tracked threats.
    #[must_use]
    pub fn agrees_with(&self, other: &ShapeMap<R>) -> bool {
        self.words == other.words && self.entries == other.entries && self.threats.agrees_with(&other.threats)
    }
}

/// The cells around a place of a line, without the place itself: the key into [`Tables::window`].
#[inline]
fn window_key<R: RuleSet>(word: u64, place: usize) -> usize {
    cells_around(word, 2 * place, R::reach())
}

/// The cells of a line around the one that begins at this bit, without that one: `reach` cells before it, the farthest
/// in the lowest two bits, and as many behind it, the nearest of them first.
#[inline(always)]
pub(super) fn cells_around(word: u64, bit: usize, reach: usize) -> usize {
    let half = (1 << (2 * reach)) - 1;
    let window = word >> (bit - 2 * reach);
    (window & half | window >> 2 & half << (2 * reach)) as usize
}

/// The bits of the cells of a line that are at most `reach` away from the one at this place.
#[inline(always)]
const fn cells_within(place: usize, reach: usize) -> u64 {
    ((1 << (2 * (2 * reach + 1))) - 1) << (2 * (place - reach))
}

/// The cells of a board without stones, laid out as in [`ShapeMap`].
pub(super) fn empty_words(size: Size) -> [[u64; 64]; 4] {
    let mut words = [[u64::MAX; 64]; 4];
    for point in size.points() {
        for direction in Direction::ALL {
            let (line, place) = direction.line_and_place(point);
            words[direction.index()][line] &= !(table::WALL << (2 * place));
        }
    }
    words
}

/// The [`Entry::lines`] of an empty point among these cells.
#[inline]
pub(super) fn lines_at<R: RuleSet>(words: &[[u64; 64]; 4], point: Point) -> u32 {
    Direction::ALL.into_iter().fold(0, |lines, direction| {
        let (line, place) = direction.line_and_place(point);
        let key = window_key::<R>(words[direction.index()][line], place);
        lines | in_direction(Tables::of::<R>().window[key], direction)
    })
}

/// The shapes of both colours in one direction, as stored in [`Tables::window`], moved to their places in
/// [`Entry::lines`].
#[inline]
const fn in_direction(shapes: u8, direction: Direction) -> u32 {
    let shapes = shapes as u32;
    ((shapes | shapes << 12) & 0x000f_000f) << (4 * direction.index())
}

/// The four shapes of one colour, four bits each.
#[inline]
pub(super) fn four_shapes(lines: u32, color: Color) -> usize {
    (lines >> (16 * color.index())) as usize & 0xffff
}

#[cfg(test)]
#[path = "map_tests.rs"]
mod tests;
