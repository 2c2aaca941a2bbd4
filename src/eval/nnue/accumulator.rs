//! The accumulator: the features of all points summed by region, updated move by move.
//!
//! Updates are lazy: stones are only recorded as they come and go, and the sums are computed when a position is
//! evaluated. First the updates for stones that are gone are undone, then those for new stones are applied. The last
//! stone is applied on top without storing anything, because the next position to be evaluated usually shares all moves
//! but the last.

use arrayvec::ArrayVec;
use bytemuck::cast;
use wide::{i8x16, i16x16};

use super::lines::{LineKey, REACH, key, key_deltas_along};
use super::regions::{REGIONS, has_features, region};
use super::transformer::{FeatureTransformer, Features};
use crate::board::{ByColor, Cell, Color, Direction, POINT_COUNT, Point, Size, Stones};
use crate::rules::RuleSet;
use crate::shapes::table::ARM;
use crate::shapes::{Code, ShapeChange, Tables};

/// Summed features, from Black's perspective and from White's.
pub(super) type RegionSum = [i16x16; 2];

/// The sums over each region.
pub(super) type Accumulator = [RegionSum; REGIONS];

/// The region of cells that are off the board or dead.
const NOWHERE: u8 = REGIONS as u8;

/// The cached state of a point: the inputs of its features, and the features.
#[derive(Clone, Copy)]
struct CachedPoint {
    features: Features,
    /// What its lines add to the features.
    lines: Features,
    /// By [`Direction::index`].
    keys: [LineKey; 4],
    codes: ByColor<Code>,
    /// [`Point::index`].
    index: u16,
    /// [`NOWHERE`] on a wall.
    region: u8,
    /// An occupied point has no codes, hence no features, and its lines are not updated.
    is_occupied: bool,
}

impl CachedPoint {
    /// What the lines add to the features once `key_delta` is added to the key of this direction.
    #[inline(always)]
    fn lines_after(
        &self,
        direction: Direction,
        key_delta: LineKey,
        transformer: &FeatureTransformer,
    ) -> Features {
        let key = self.keys[direction.index()];
        self.lines + transformer.line(key + key_delta) - transformer.line(key)
    }
}

/// A stone, or a pass.
#[derive(Clone, Copy)]
struct Move {
    stone: Option<(Point, Color)>,
    /// The number of shape changes before it.
    changes: u32,
}

/// Room for what a stone changes: its own point, the points on its lines whose keys change, and those whose codes do.
const ROOM: usize = 80;

const _: () = assert!(1 + 4 * 2 * REACH + (1 + 4 * 2 * ARM) <= ROOM);

/// What a move changed.
#[derive(Clone)]
struct Step {
    /// The sums after it.
    sums: Accumulator,
    /// For undoing the move: the codes before it, by [`Point::index`], and the cached points before each of its other
    /// changes.
    codes_before: ArrayVec<(u16, ByColor<Code>), ROOM>,
    cached_before: ArrayVec<CachedPoint, ROOM>,
}

impl Step {
    fn from_sums(sums: Accumulator) -> Step {
        Step { sums, codes_before: ArrayVec::new(), cached_before: ArrayVec::new() }
    }
}

/// The accumulators of a position and of the positions that led to it.
#[derive(Clone)]
pub(super) struct AccumulatorStack {
    /// The codes of a point with nothing around it, which has no features.
    free: ByColor<Code>,
    /// All shape changes since the empty board.
    changes: Vec<ShapeChange>,
    /// The moves since the position that was announced first.
    moves: Vec<Move>,
    /// The steps after no move, after the first move, and so on; entries from `done` on are left over from before.
    steps: Vec<Step>,
    /// The number of steps that are computed; none before the first evaluation.
    done: usize,
    /// How many of these belong to the moves as they are now.
    valid: usize,
    /// By [`Point::index`], as they are after the last computed step.
    cached_points: Box<[CachedPoint; POINT_COUNT]>,
}

impl AccumulatorStack {
    /// The stack of an empty board of this size whose shapes have not been announced yet.
    pub(super) fn new<R: RuleSet>(size: Size) -> AccumulatorStack {
        let cached = CachedPoint {
            features: Features::splat(0),
            lines: Features::splat(0),
            keys: [0; 4],
            codes: ByColor::default(),
            index: 0,
            region: NOWHERE,
            is_occupied: false,
        };
        let cached_points: Box<[CachedPoint]> =
            (0..POINT_COUNT as u16).map(|index| CachedPoint { index, ..cached }).collect();
        AccumulatorStack {
            free: Tables::of::<R>().free_codes(),
            changes: Vec::with_capacity(8 * POINT_COUNT),
            moves: Vec::with_capacity(size.area()),
            steps: Vec::new(),
            done: 0,
            valid: 0,
            cached_points: cached_points.try_into().ok().expect("there is one for each point"),
        }
    }

    /// Records changes of what points offer.
    #[inline]
    pub(super) fn note(&mut self, changes: &[ShapeChange]) {
        self.changes.extend_from_slice(changes);
    }

    /// Records that a stone is about to be placed, or that a side is about to pass.
    #[inline]
    pub(super) fn push(&mut self, stone: Option<(Point, Color)>) {
        self.moves.push(Move { stone, changes: self.changes.len() as u32 });
    }

    /// Records that the last stone or pass was taken back.
    #[inline]
    pub(super) fn pop(&mut self) {
        let Some(last) = self.moves.pop() else { return };
        self.changes.truncate(last.changes as usize);
        self.valid = self.valid.min(self.moves.len() + 1);
    }

    /// The sums of the current position, which has these stones. Nothing is stored for the last stone: most positions
    /// are left as soon as they are evaluated, and storing what a stone changes at every point, and what was there
    /// before, takes longer than computing it again for the positions that are not.
    pub(super) fn current(&mut self, transformer: &FeatureTransformer, stones: &Stones) -> Accumulator {
        let last = self.moves.last().and_then(|last| last.stone.map(|stone| (stone, last.changes as usize)));
        self.work_out(self.moves.len() - usize::from(last.is_some()), transformer, stones);
        match last {
            Some((stone, changes)) if self.done == self.moves.len() => self.with(stone, changes, transformer),
            _ => self.steps[self.done - 1].sums,
        }
    }

    /// The sums after the last step and this stone, whose shape changes begin at the index `changes`.
    fn with(
        &mut self,
        stone: (Point, Color),
        changes: usize,
        transformer: &FeatureTransformer,
    ) -> Accumulator {
        let mut sums = self.steps[self.done - 1].sums;
        let (changes, cached_points) = (&self.changes[changes..], &mut self.cached_points);
        for change in changes {
            cached_points[change.point.index()].codes = change.new;
        }
        let mut on_lines = [0_u64; POINT_COUNT / 64];
        for_line_points(cached_points, stone, |cached, direction, key_delta| {
            let index = usize::from(cached.index);
            on_lines[index / 64 % on_lines.len()] |= 1 << (index % 64);
            let lines = cached.lines_after(direction, key_delta, transformer);
            enter(cached, features(cached.codes, lines, self.free, transformer), &mut sums);
        });
        let is_on_line = |index: usize| on_lines[index / 64] >> (index % 64) & 1 != 0;
        for change in changes.iter().filter(|change| !is_on_line(change.point.index())) {
            let cached = &cached_points[change.point.index()];
            enter(cached, features(cached.codes, cached.lines, self.free, transformer), &mut sums);
        }
        for change in changes {
            cached_points[change.point.index()].codes = change.old;
        }
        sums
    }

    /// Computes the steps up to the position after this many moves, unless a later one is computed already.
    fn work_out(&mut self, moves: usize, transformer: &FeatureTransformer, stones: &Stones) {
        if self.done == 0 {
            self.begin(transformer, stones);
        }
        while self.done > self.valid {
            self.step_back();
        }
        while self.done <= moves {
            self.step(transformer);
        }
        self.valid = self.done;
    }

    /// Computes the position before the first move.
    #[cold]
    fn begin(&mut self, transformer: &FeatureTransformer, stones: &Stones) {
        let mut stones = stones.clone();
        for _ in self.moves.iter().filter(|one| one.stone.is_some()) {
            stones.undo();
        }
        for point in stones.size().points().filter(|&point| stones.cell(point) != Cell::Dead) {
            let cached = &mut self.cached_points[point.index()];
            cached.region = region(point, stones.size()) as u8;
            cached.is_occupied = !stones.is_empty_at(point);
            if !cached.is_occupied {
                cached.keys = Direction::ALL.map(|direction| key(&stones, point, direction, Color::Black));
                cached.lines =
                    cached.keys.iter().fold(Features::splat(0), |sum, &key| sum + transformer.line(key));
            }
        }
        let upto = self.moves.first().map_or(self.changes.len(), |first| first.changes as usize);
        let mut sums = [[i16x16::ZERO; 2]; REGIONS];
        for change in &self.changes[..upto] {
            self.cached_points[change.point.index()].codes = change.new;
        }
        for cached in &mut self.cached_points[..] {
            let features = features(cached.codes, cached.lines, self.free, transformer);
            enter(cached, features, &mut sums);
            cached.features = features;
        }
        self.steps.push(Step::from_sums(sums));
        (self.done, self.valid) = (1, 1);
    }

    /// Undoes the last step.
    fn step_back(&mut self) {
        self.done -= 1;
        let Step { codes_before, cached_before, .. } = &self.steps[self.done];
        for cached in cached_before.iter().rev() {
            self.cached_points[usize::from(cached.index) % POINT_COUNT] = *cached;
        }
        for (index, codes) in codes_before {
            self.cached_points[usize::from(*index) % POINT_COUNT].codes = *codes;
        }
    }

    /// Computes the step of the next move.
    fn step(&mut self, transformer: &FeatureTransformer) {
        let next = self.done - 1;
        let Move { stone, changes } = self.moves[next];
        let upto = self.moves.get(next + 1).map_or(self.changes.len(), |after| after.changes as usize);
        let sums = self.steps[next].sums;
        if self.steps.len() == self.done {
            self.steps.push(Step::from_sums(sums));
        }
        let changes = &self.changes[changes as usize..upto];
        let step = &mut self.steps[self.done];
        step.sums = sums;
        step.codes_before.clear();
        step.cached_before.clear();
        let mut work = Work { transformer, free: self.free, cached_points: &mut self.cached_points, step };
        work.enter_codes(changes);
        if let Some((point, color)) = stone {
            work.occupy(point);
            work.enter_lines((point, color));
        }
        work.enter_features(changes);
        self.done += 1;
    }
}

/// A step while it is being computed.
struct Work<'a> {
    transformer: &'a FeatureTransformer,
    free: ByColor<Code>,
    cached_points: &'a mut [CachedPoint; POINT_COUNT],
    step: &'a mut Step,
}

impl Work<'_> {
    /// Stores the codes of points after these changes, each of which is there once.
    #[inline(always)]
    fn enter_codes(&mut self, changes: &[ShapeChange]) {
        for change in changes {
            let index = change.point.index();
            let before = std::mem::replace(&mut self.cached_points[index].codes, change.new);
            self.step.codes_before.push((index as u16, before));
        }
    }

    /// Marks a point as occupied.
    #[inline(always)]
    fn occupy(&mut self, stone: Point) {
        let cached = &mut self.cached_points[stone.index()];
        self.step.cached_before.push(*cached);
        cached.is_occupied = true;
    }

    /// Adds a stone to the lines of the points that see it.
    #[inline(always)]
    fn enter_lines(&mut self, stone: (Point, Color)) {
        let Work { transformer, free, cached_points, step } = self;
        for_line_points(cached_points, stone, |cached, direction, key_delta| {
            step.cached_before.push(*cached);
            cached.lines = cached.lines_after(direction, key_delta, transformer);
            cached.keys[direction.index()] += key_delta;
            let features = features(cached.codes, cached.lines, *free, transformer);
            enter(cached, features, &mut step.sums);
            cached.features = features;
        });
    }

    /// Updates the features of the points of these changes. Most of them lie on the stone's lines and are up to date
    /// already.
    #[inline(always)]
    fn enter_features(&mut self, changes: &[ShapeChange]) {
        for change in changes {
            let cached = &mut self.cached_points[change.point.index()];
            let features = features(cached.codes, cached.lines, self.free, self.transformer);
            if features != cached.features {
                self.step.cached_before.push(*cached);
                enter(cached, features, &mut self.step.sums);
                cached.features = features;
            }
        }
    }
}

/// Calls `act` for each empty point that sees the stone on one of its lines, with the direction of that line and what
/// the stone adds to its key.
#[inline(always)]
fn for_line_points(
    cached_points: &mut [CachedPoint; POINT_COUNT],
    (point, color): (Point, Color),
    mut act: impl FnMut(&mut CachedPoint, Direction, LineKey),
) {
    for direction in Direction::ALL {
        for along in [false, true] {
            for (index, key_delta) in key_deltas_along(point, color, direction, along) {
                let cached = &mut cached_points[index];
                if cached.region == NOWHERE {
                    break;
                }
                if !cached.is_occupied {
                    act(cached, direction, key_delta);
                }
            }
        }
    }
}

/// The features of a point with these codes, given what its lines add; zero if it has none.
#[inline(always)]
fn features(
    codes: ByColor<Code>,
    lines: Features,
    free: ByColor<Code>,
    transformer: &FeatureTransformer,
) -> Features {
    let counts = Features::splat(if has_features(codes, free) { -1 } else { 0 });
    transformer.features(codes, lines) & counts
}

/// Updates the sums for a point whose features change to these.
#[inline(always)]
fn enter(cached: &CachedPoint, features: Features, sums: &mut Accumulator) {
    let [black, white]: [i8x16; 2] = cast(features - cached.features);
    let sum = &mut sums[usize::from(cached.region) % REGIONS];
    *sum = [sum[0] + i16x16::from_i8x16(black), sum[1] + i16x16::from_i8x16(white)];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::weights::NnueWeights;
    use crate::position::Position;
    use crate::random::crowded_games;
    use crate::rules::{Rule, with_rule};
    use crate::shapes::ShapeObserver;

    impl ShapeObserver for AccumulatorStack {
        fn changed(&mut self, changes: &[ShapeChange]) {
            self.note(changes);
        }
    }

    /// The sums are the same however often they were computed on the way, and whatever was tried and taken back.
    #[test]
    fn sums_do_not_depend_on_the_way() {
        let transformer = FeatureTransformer::new(&NnueWeights::builtin().features);
        for rule in Rule::ALL {
            with_rule!(rule, R => for game in crowded_games(6) {
                let mut asked = AccumulatorStack::new::<R>(game.start.size());
                let mut position = Position::<R>::from_stones(&game.start, &mut asked);
                for (n, &(point, color)) in game.moves.iter().enumerate() {
                    if position.to_move() != color {
                        position.pass();
                    }
                    for tries in 0..=n % 3 {
                        asked.push(Some((point, color)));
                        position.play(point, &mut asked);
                        if (n + tries) % 2 == 0 {
                            asked.current(&transformer, position.stones());
                        }
                        if (n + tries) % 5 == 0 {
                            asked.push(None);
                            asked.current(&transformer, position.stones());
                            asked.pop();
                        }
                        if tries < n % 3 {
                            position.undo();
                            asked.pop();
                        }
                    }
                    let mut fresh = AccumulatorStack::new::<R>(game.start.size());
                    let _ = Position::<R>::from_stones(position.stones(), &mut fresh);
                    let expected = fresh.current(&transformer, position.stones());
                    let found = asked.clone().current(&transformer, position.stones());
                    assert_eq!(found, expected, "{rule} after {}", n + 1);
                }
            });
        }
    }
}
