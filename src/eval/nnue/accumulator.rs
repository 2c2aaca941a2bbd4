//! The accumulator: the features of all points summed up by region, kept current move by move.
//!
//! Stones are only noted down while they come and go. What they change is worked out when the position is evaluated:
//! first what was worked out for stones that are gone is taken back, then the new stones are gone through, and the last
//! of them on top, without a trace. Most of what is evaluated next begins with the same moves but the last.

use arrayvec::ArrayVec;
use bytemuck::cast;
use wide::{i8x16, i16x16};

use super::lines::{LineKey, growths_along, key};
use super::regions::{REGIONS, has_features, region};
use super::transformer::{FeatureTransformer, Features};
use crate::board::{ByColor, Cell, Color, Direction, POINT_COUNT, Point, Size, Stones};
use crate::rules::RuleSet;
use crate::shapes::{Code, ShapeChange, Tables};

/// Features summed up, as Black sees them and as White does.
pub(super) type RegionSum = [i16x16; 2];

/// The sums over each region.
pub(super) type Accumulator = [RegionSum; REGIONS];

/// Where there are no points, or dead ones.
const NOWHERE: u8 = REGIONS as u8;

/// What a point looks like.
#[derive(Clone, Copy)]
struct PointView {
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
    /// An occupied point has no codes, hence no features, and its lines are not kept current.
    is_occupied: bool,
}

impl PointView {
    /// What the lines add once the key of this direction has grown.
    #[inline(always)]
    fn lines_after(
        &self,
        direction: Direction,
        growth: LineKey,
        transformer: &FeatureTransformer,
    ) -> Features {
        let key = self.keys[direction.index()];
        self.lines + transformer.line(key + growth) - transformer.line(key)
    }
}

/// A stone, or a pass.
#[derive(Clone, Copy)]
struct Move {
    stone: Option<(Point, Color)>,
    /// Changes of shapes before it.
    changes: u32,
}

/// More points than a stone changes: those that [look different](crate::shapes) after it, and the same number again on
/// its lines.
const ROOM: usize = 80;

/// What a move changed.
#[derive(Clone)]
struct Step {
    /// The sums after it.
    sums: Accumulator,
    /// For those who go back: codes as they were before it, by [`Point::index`], and views as they were before any other
    /// change.
    codes_before: ArrayVec<(u16, ByColor<Code>), ROOM>,
    views_before: ArrayVec<PointView, ROOM>,
}

impl Step {
    fn from_sums(sums: Accumulator) -> Step {
        Step { sums, codes_before: ArrayVec::new(), views_before: ArrayVec::new() }
    }
}

/// The accumulators of a position and of those that led to it.
#[derive(Clone)]
pub(super) struct AccumulatorStack {
    /// Codes of a point that is as free as a point can be: it counts for nothing.
    free: ByColor<Code>,
    /// All changes since the empty board.
    changes: Vec<ShapeChange>,
    /// Since the position that was announced first.
    moves: Vec<Move>,
    /// After no move, after the first ...; what stands behind those that count is left over from before.
    steps: Vec<Step>,
    /// So many of the steps count; none before anything was evaluated.
    done: usize,
    /// So many of these are those of the moves as they are now.
    valid: usize,
    /// By [`Point::index`], as they are after the last step.
    views: Box<[PointView; POINT_COUNT]>,
}

impl AccumulatorStack {
    /// An empty board of this size whose shapes have not been announced yet.
    pub(super) fn new<R: RuleSet>(size: Size) -> AccumulatorStack {
        let view = PointView {
            features: Features::splat(0),
            lines: Features::splat(0),
            keys: [0; 4],
            codes: ByColor::default(),
            index: 0,
            region: NOWHERE,
            is_occupied: false,
        };
        let views: Box<[PointView]> =
            (0..POINT_COUNT as u16).map(|index| PointView { index, ..view }).collect();
        AccumulatorStack {
            free: Tables::of::<R>().free_codes(),
            changes: Vec::with_capacity(8 * POINT_COUNT),
            moves: Vec::with_capacity(size.area()),
            steps: Vec::new(),
            done: 0,
            valid: 0,
            views: views.try_into().ok().expect("there is one for each point"),
        }
    }

    /// Notes what points offer from now on.
    #[inline]
    pub(super) fn note(&mut self, changes: &[ShapeChange]) {
        self.changes.extend_from_slice(changes);
    }

    /// A stone is about to be placed, or a side is about to pass.
    #[inline]
    pub(super) fn push(&mut self, stone: Option<(Point, Color)>) {
        self.moves.push(Move { stone, changes: self.changes.len() as u32 });
    }

    /// The last stone, or pass, was taken back.
    #[inline]
    pub(super) fn pop(&mut self) {
        let Some(last) = self.moves.pop() else { return };
        self.changes.truncate(last.changes as usize);
        self.valid = self.valid.min(self.moves.len() + 1);
    }

    /// The sums of the position as it is now, with these stones. The last stone leaves nothing behind: most positions
    /// are left as soon as they are evaluated, and it takes longer to write down what a stone changes at every point,
    /// and what was there before, than to work it out once more for those that are not.
    pub(super) fn current(&mut self, transformer: &FeatureTransformer, stones: &Stones) -> Accumulator {
        let last = self.moves.last().and_then(|last| last.stone.map(|stone| (stone, last.changes as usize)));
        self.work_out(self.moves.len() - usize::from(last.is_some()), transformer, stones);
        match last {
            Some((stone, changes)) if self.done == self.moves.len() => self.with(stone, changes, transformer),
            _ => self.steps[self.done - 1].sums,
        }
    }

    /// The sums after the last step and this stone, whose changes of shapes begin there.
    fn with(
        &mut self,
        stone: (Point, Color),
        changes: usize,
        transformer: &FeatureTransformer,
    ) -> Accumulator {
        let mut sums = self.steps[self.done - 1].sums;
        let (changes, views) = (&self.changes[changes..], &mut self.views);
        for change in changes {
            views[change.point.index()].codes = change.new;
        }
        let mut on_lines = [0_u64; POINT_COUNT / 64];
        for_line_points(views, stone, |view, direction, growth| {
            let index = usize::from(view.index);
            on_lines[index / 64 % on_lines.len()] |= 1 << (index % 64);
            let lines = view.lines_after(direction, growth, transformer);
            enter(view, features(view.codes, lines, self.free, transformer), &mut sums);
        });
        let is_on_line = |index: usize| on_lines[index / 64] >> (index % 64) & 1 != 0;
        for change in changes.iter().filter(|change| !is_on_line(change.point.index())) {
            let view = &views[change.point.index()];
            enter(view, features(view.codes, view.lines, self.free, transformer), &mut sums);
        }
        for change in changes {
            views[change.point.index()].codes = change.old;
        }
        sums
    }

    /// Works out the position after so many of the moves, if not a later one.
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

    /// Works out the position before the first of the moves.
    #[cold]
    fn begin(&mut self, transformer: &FeatureTransformer, stones: &Stones) {
        let mut stones = stones.clone();
        for _ in self.moves.iter().filter(|one| one.stone.is_some()) {
            stones.undo();
        }
        for point in stones.size().points().filter(|&point| stones.cell(point) != Cell::Dead) {
            let view = &mut self.views[point.index()];
            view.region = region(point, stones.size()) as u8;
            view.is_occupied = !stones.is_empty_at(point);
            if !view.is_occupied {
                view.keys = Direction::ALL.map(|direction| key(&stones, point, direction, Color::Black));
                view.lines =
                    view.keys.iter().fold(Features::splat(0), |sum, &key| sum + transformer.line(key));
            }
        }
        let upto = self.moves.first().map_or(self.changes.len(), |first| first.changes as usize);
        let mut sums = [[i16x16::ZERO; 2]; REGIONS];
        for change in &self.changes[..upto] {
            self.views[change.point.index()].codes = change.new;
        }
        for view in &mut self.views[..] {
            let features = features(view.codes, view.lines, self.free, transformer);
            enter(view, features, &mut sums);
            view.features = features;
        }
        self.steps.push(Step::from_sums(sums));
        (self.done, self.valid) = (1, 1);
    }

    /// Takes the last step back.
    fn step_back(&mut self) {
        self.done -= 1;
        let Step { codes_before, views_before, .. } = &self.steps[self.done];
        for view in views_before.iter().rev() {
            self.views[usize::from(view.index) % POINT_COUNT] = *view;
        }
        for (index, codes) in codes_before {
            self.views[usize::from(*index) % POINT_COUNT].codes = *codes;
        }
    }

    /// Works out what the next move changes.
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
        step.views_before.clear();
        let mut work = Work { transformer, free: self.free, views: &mut self.views, step };
        work.enter_codes(changes);
        if let Some((point, color)) = stone {
            work.occupy(point);
            work.enter_lines((point, color));
        }
        work.enter_features(changes);
        self.done += 1;
    }
}

/// A step that is worked out.
struct Work<'a> {
    transformer: &'a FeatureTransformer,
    free: ByColor<Code>,
    views: &'a mut [PointView; POINT_COUNT],
    step: &'a mut Step,
}

impl Work<'_> {
    /// Notes what points offer after these changes, each of which is there once.
    #[inline(always)]
    fn enter_codes(&mut self, changes: &[ShapeChange]) {
        for change in changes {
            let index = change.point.index();
            let before = std::mem::replace(&mut self.views[index].codes, change.new);
            self.step.codes_before.push((index as u16, before));
        }
    }

    /// Notes that a point is occupied from now on.
    #[inline(always)]
    fn occupy(&mut self, stone: Point) {
        let view = &mut self.views[stone.index()];
        self.step.views_before.push(*view);
        view.is_occupied = true;
    }

    /// Lets the points of its lines see a stone.
    #[inline(always)]
    fn enter_lines(&mut self, stone: (Point, Color)) {
        let Work { transformer, free, views, step } = self;
        for_line_points(views, stone, |view, direction, growth| {
            step.views_before.push(*view);
            view.lines = view.lines_after(direction, growth, transformer);
            view.keys[direction.index()] += growth;
            let features = features(view.codes, view.lines, *free, transformer);
            enter(view, features, &mut step.sums);
            view.features = features;
        });
    }

    /// Works out the features of the points of these changes, which mostly lie on the lines that have been entered.
    #[inline(always)]
    fn enter_features(&mut self, changes: &[ShapeChange]) {
        for change in changes {
            let view = &mut self.views[change.point.index()];
            let features = features(view.codes, view.lines, self.free, self.transformer);
            if features != view.features {
                self.step.views_before.push(*view);
                enter(view, features, &mut self.step.sums);
                view.features = features;
            }
        }
    }
}

/// Goes through the empty points that see a stone on one of their lines, with the direction of that line and what its key
/// grows by.
#[inline(always)]
fn for_line_points(
    views: &mut [PointView; POINT_COUNT],
    (point, color): (Point, Color),
    mut act: impl FnMut(&mut PointView, Direction, LineKey),
) {
    for direction in Direction::ALL {
        for along in [false, true] {
            for (index, growth) in growths_along(point, color, direction, along) {
                let view = &mut views[index];
                if view.region == NOWHERE {
                    break;
                }
                if !view.is_occupied {
                    act(view, direction, growth);
                }
            }
        }
    }
}

/// The features of a point with these codes, given what its lines add, where it has any.
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

/// Adds to the sums what changes when a point gets these features.
#[inline(always)]
fn enter(view: &PointView, features: Features, sums: &mut Accumulator) {
    let [black, white]: [i8x16; 2] = cast(features - view.features);
    let sum = &mut sums[usize::from(view.region) % REGIONS];
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

    /// However often it was asked on the way, and whatever was tried and taken back.
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
