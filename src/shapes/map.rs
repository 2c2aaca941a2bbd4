//! [`ShapeMap`]: the shapes of both colours at every empty point, kept current as stones come and go.

use std::marker::PhantomData;

use super::shape::Shape;
use super::table::{self, Code, Summary, Tables};
use super::threat::Threat;
use crate::board::{ByColor, Cell, Color, Direction, POINT_COUNT, Point, PointSet, Size, Stones};
use crate::rules::RuleSet;

/// Is told when what a point offers a colour changes; an evaluation keeps its sums current this way.
///
/// Undoing is not announced: whoever observes restores what it had before the stone.
pub trait ShapeObserver {
    /// The four shapes of each colour at `point` were `old` and are `new`; those of one may be the same.
    fn changed(&mut self, point: Point, old: ByColor<Code>, new: ByColor<Code>);
}

/// Observes nothing.
impl ShapeObserver for () {
    #[inline]
    fn changed(&mut self, _: Point, _: ByColor<Code>, _: ByColor<Code>) {}
}

/// Shapes at one point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry {
    /// Four bits per [`Direction::index`], Black's shapes in the low half, White's in the high half.
    lines: u32,
    summary: ByColor<Summary>,
}

/// What an [`Entry`] was before it changed.
#[derive(Clone, Copy, Debug)]
struct Change {
    point: Point,
    before: Entry,
}

/// What a point offered a colour and offers now, as [`Summary::threat_index`]; one of the two threats at least is
/// tracked.
#[derive(Clone, Copy, Debug)]
struct ThreatChange {
    point: Point,
    color: Color,
    from: u8,
    to: u8,
}

/// A stone, and how long the logs were before it.
#[derive(Clone, Copy, Debug)]
struct Mark {
    point: Point,
    changes: u32,
    threat_changes: u32,
}

/// Bits of the threats whose points are counted and kept as sets: what a search asks for, and rare enough that
/// keeping it costs little.
const TRACKED: u16 = {
    let mut bits = 1 << Threat::Forbidden.index();
    let mut index = Threat::OpenThree.index();
    while index < Threat::COUNT {
        bits |= 1 << index;
        index += 1;
    }
    bits
};

/// Whether the points that offer this threat are counted and kept as a set.
#[must_use]
#[inline]
pub const fn is_tracked(threat: Threat) -> bool {
    tracks(threat.index())
}

/// The same by [`Summary::threat_index`].
#[inline]
const fn tracks(threat_index: usize) -> bool {
    TRACKED >> threat_index & 1 != 0
}

/// Two bits of every cell in a line word.
const EVERY_CELL: u64 = 0x5555_5555_5555_5555;

/// For both colours and every empty point, what a stone there would make in each of the four directions
/// and all together, under the rule `R`.
///
/// Stones leave in the reverse of the order in which they came.
#[derive(Clone)]
pub struct ShapeMap<R: RuleSet> {
    /// By [`Direction::index`] and line: two bits a cell.
    words: [[u64; 64]; 4],
    entries: Box<[Entry; POINT_COUNT]>,
    /// Of tracked threats, by [`Summary::threat_index`]; others stay empty.
    counts: ByColor<[u16; Summary::THREATS]>,
    sets: ByColor<[PointSet; Summary::THREATS]>,
    changes: Vec<Change>,
    threat_changes: Vec<ThreatChange>,
    marks: Vec<Mark>,
    tables: &'static Tables,
    rule: PhantomData<R>,
}

impl<R: RuleSet> ShapeMap<R> {
    /// An empty board. `observer` is told of every shape that is not [`Shape::Dead`] on it.
    #[must_use]
    pub fn new(size: Size, observer: &mut impl ShapeObserver) -> ShapeMap<R> {
        let mut map = ShapeMap {
            words: [[u64::MAX; 64]; 4],
            entries: Box::new([Entry::default(); POINT_COUNT]),
            counts: ByColor::default(),
            sets: ByColor([[PointSet::EMPTY; Summary::THREATS]; 2]),
            changes: Vec::with_capacity(8 * POINT_COUNT),
            threat_changes: Vec::with_capacity(POINT_COUNT),
            marks: Vec::with_capacity(size.area()),
            tables: Tables::of::<R>(),
            rule: PhantomData,
        };
        for point in size.points() {
            for direction in Direction::ALL {
                let (line, place) = direction.line_and_place(point);
                map.words[direction.index()][line] &= !(table::WALL << (2 * place));
            }
        }
        for point in size.points() {
            let mut lines = 0;
            for direction in Direction::ALL {
                let (line, place) = direction.line_and_place(point);
                let key = window_key::<R>(map.words[direction.index()][line], place);
                lines |= in_direction(map.tables.window[key], direction);
            }
            map.update(point, lines, observer);
        }
        map.changes.clear();
        map.threat_changes.clear();
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

    fn occupy(&mut self, point: Point, bits: u64, observer: &mut impl ShapeObserver) {
        let reach = R::reach();
        self.marks.push(Mark {
            point,
            changes: self.changes.len() as u32,
            threat_changes: self.threat_changes.len() as u32,
        });
        // An occupied point offers nothing. Whether another line looks different is a toss-up, so that is found out
        // for all of them without a jump first.
        let mut changed = [(point, 0); 1 + 4 * 2 * table::ARM];
        let mut count = 1;
        for direction in Direction::ALL {
            let (line, place) = direction.line_and_place(point);
            let word = self.words[direction.index()][line] | bits << (2 * place);
            self.words[direction.index()][line] = word;
            let near = ((1 << (2 * (2 * reach + 1))) - 1) << (2 * (place - reach));
            let mut empty = !(word | word >> 1) & EVERY_CELL & near;
            while empty != 0 {
                let other_place = empty.trailing_zeros() as usize / 2;
                empty &= empty - 1;
                let shapes = in_direction(self.tables.window[window_key::<R>(word, other_place)], direction);
                let other = point.offset((other_place as isize - place as isize) * direction.step());
                let before = self.entries[other.index()].lines;
                let others = before & !in_direction(u8::MAX, direction);
                changed[count] = (other, others | shapes);
                count += usize::from(before != others | shapes);
            }
        }
        for &(point, lines) in &changed[..count] {
            self.update(point, lines, observer);
        }
    }

    /// Takes the last stone (or dead cell) away.
    pub fn undo(&mut self) {
        let Some(Mark { point, changes, threat_changes }) = self.marks.pop() else { return };
        for direction in Direction::ALL {
            let (line, place) = direction.line_and_place(point);
            self.words[direction.index()][line] &= !(table::WALL << (2 * place));
        }
        // A stone changes each point once at most, so the order does not matter.
        for Change { point, before } in self.changes.drain(changes as usize..) {
            self.entries[point.index()] = before;
        }
        while self.threat_changes.len() > threat_changes as usize {
            if let Some(ThreatChange { point, color, from, to }) = self.threat_changes.pop() {
                self.retally(point, color, to.into(), from.into());
            }
        }
    }

    #[inline(always)]
    fn update(&mut self, point: Point, lines: u32, observer: &mut impl ShapeObserver) {
        let before = self.entries[point.index()];
        self.changes.push(Change { point, before });
        let summary = |color| self.tables.summary[color][four_shapes(lines, color)];
        let now = Entry { lines, summary: ByColor::from_fn(summary) };
        self.entries[point.index()] = now;
        let bits = |summary: Summary| 1 << summary.threat_index();
        let threats = [before, now].map(|entry| bits(entry.summary.0[0]) | bits(entry.summary.0[1]));
        if (threats[0] | threats[1]) & TRACKED != 0 {
            self.track(point, before, now);
        }
        let codes = |entry: &Entry| ByColor(entry.summary.0.map(Summary::code));
        observer.changed(point, codes(&before), codes(&now));
    }

    /// Enters a change that a tracked threat has part in.
    fn track(&mut self, point: Point, before: Entry, now: Entry) {
        for color in Color::ALL {
            let [from, to] = [before, now].map(|entry| entry.summary[color].threat_index());
            if from != to && (tracks(from) || tracks(to)) {
                self.threat_changes.push(ThreatChange { point, color, from: from as u8, to: to as u8 });
                self.retally(point, color, from, to);
            }
        }
    }

    #[inline]
    fn retally(&mut self, point: Point, color: Color, from: usize, to: usize) {
        if tracks(from) {
            self.counts[color][from] -= 1;
            self.sets[color][from].remove(point);
        }
        if tracks(to) {
            self.counts[color][to] += 1;
            self.sets[color][to].insert(point);
        }
    }

    /// What a stone of `color` at an empty point would mean; [`Threat::None`] where it is not empty.
    #[must_use]
    #[inline]
    pub fn threat(&self, point: Point, color: Color) -> Threat {
        self.entries[point.index()].summary[color].threat()
    }

    /// The four shapes of `color` at a point, regardless of their order.
    #[must_use]
    #[inline]
    pub fn code(&self, point: Point, color: Color) -> Code {
        self.entries[point.index()].summary[color].code()
    }

    /// The shape that a stone of `color` would make in one direction.
    #[must_use]
    #[inline]
    pub fn shape(&self, point: Point, direction: Direction, color: Color) -> Shape {
        let shapes = four_shapes(self.entries[point.index()].lines, color);
        Shape::from_index(shapes >> (4 * direction.index()) & 0xf)
    }

    /// How many points offer `color` exactly this threat, which must be [tracked](is_tracked).
    #[must_use]
    #[inline]
    pub fn count(&self, color: Color, threat: Threat) -> usize {
        debug_assert!(is_tracked(threat), "{threat:?} is not counted");
        self.counts[color][threat.index()].into()
    }

    /// Whether some point offers `color` a four or better.
    #[must_use]
    #[inline]
    pub fn has_four(&self, color: Color) -> bool {
        let counts = &self.counts[color];
        counts[Threat::Four.index()..].iter().fold(0, |all, count| all | count) != 0
    }

    /// The points that offer `color` exactly this threat, which must be [tracked](is_tracked).
    #[must_use]
    #[inline]
    pub fn points(&self, color: Color, threat: Threat) -> &PointSet {
        debug_assert!(is_tracked(threat), "{threat:?} has no set");
        &self.sets[color][threat.index()]
    }

    /// The points that offer `color` a four or better.
    #[must_use]
    pub fn fours(&self, color: Color) -> PointSet {
        let sets = &self.sets[color][Threat::Four.index()..Threat::COUNT];
        sets.iter().fold(PointSet::EMPTY, |all, &set| all | set)
    }

    /// What a stone of `color` at `point` would mean if a stone of `other_color` stood on the empty point
    /// `other`, in the same row, column or diagonal.
    #[must_use]
    pub fn threat_with(&self, point: Point, color: Color, other: Point, other_color: Color) -> Threat {
        let (dx, dy) = (other.x() as isize - point.x() as isize, other.y() as isize - point.y() as isize);
        let distance = dx.abs().max(dy.abs());
        let direction = match (dx, dy) {
            (0, 0) => return Threat::None,
            (_, 0) => Direction::Horizontal,
            (0, _) => Direction::Vertical,
            _ if dx == dy => Direction::Diagonal,
            _ if dx == -dy => Direction::Antidiagonal,
            _ => return self.threat(point, color),
        };
        if distance > R::reach() as isize {
            return self.threat(point, color);
        }
        let (line, place) = direction.line_and_place(point);
        let (_, other_place) = direction.line_and_place(other);
        let word = self.words[direction.index()][line] | table::stone_bits(other_color) << (2 * other_place);
        let shapes = in_direction(self.tables.window[window_key::<R>(word, place)], direction);
        let lines = self.entries[point.index()].lines & !in_direction(u8::MAX, direction) | shapes;
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
        let near = ((1 << (2 * (2 * reach + 1))) - 1) << (2 * (place - reach));
        let mut empty = !(word | word >> 1) & EVERY_CELL & near & !(table::WALL << (2 * place));
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

    /// A map computed afresh for these stones: what the incremental one must be equal to.
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

    /// Whether both maps offer the same everywhere and count the same.
    #[must_use]
    pub fn agrees_with(&self, other: &ShapeMap<R>) -> bool {
        self.words == other.words
            && self.entries == other.entries
            && self.counts == other.counts
            && self.sets == other.sets
    }
}

/// What stands around a place of a line, without the place itself: the key of [`Tables::window`].
#[inline]
fn window_key<R: RuleSet>(word: u64, place: usize) -> usize {
    let reach = R::reach();
    let half = (1 << (2 * reach)) - 1;
    let window = word >> (2 * (place - reach));
    (window & half | window >> 2 & half << (2 * reach)) as usize
}

/// The shapes of both colours in one direction, as [`Tables::window`] has them, at their places in [`Entry::lines`].
#[inline]
const fn in_direction(shapes: u8, direction: Direction) -> u32 {
    let shapes = shapes as u32;
    (shapes & 0xf | (shapes & 0xf0) << 12) << (4 * direction.index())
}

/// The four shapes of one colour, four bits each.
#[inline]
fn four_shapes(lines: u32, color: Color) -> usize {
    (lines >> (16 * color.index())) as usize & 0xffff
}
