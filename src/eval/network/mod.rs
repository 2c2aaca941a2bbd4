//! The evaluation by a small network, fitted to self-play.
//!
//! What an empty point offers Black and White (a pair of [`Code`]s) is looked up as a vector of features, as
//! each colour sees it. The features are summed over nine regions of the board and kept current move by
//! move: a stone changes the vectors of some thirty points. What is lively in one place is told from the same
//! spread over the board by a layer that looks at one region at a time. A second layer looks at the whole.
//! Its output is added to a share of the hand-made evaluation.
//!
//! Integers only. Activations are cut to 0 to 1, which stands as 0 to [`weights::FEATURE_ONE`] in features and
//! as 0 to [`weights::HIDDEN_ONE`] behind the layers.

mod layer;
pub mod weights;

use std::ops::Range;
use std::sync::Arc;

use bytemuck::cast;
use wide::{i8x16, i16x16, u8x32};

use super::classical::Classical;
use super::evaluator::Evaluator;
use super::score::{MAX_EVAL, Score};
use crate::board::{ByColor, Color, POINT_COUNT, Point, Size};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::{ByCode, CODE_COUNT, Code, ShapeObserver, Tables};
use layer::{Layer, Sixteen, dot};
use weights::{BOARD_SHIFT, FEATURE_ONE, FEATURES, FRACTION_BITS, Head, LOCAL_SHIFT, Parts, REGIONS_SHIFT};

/// Regions of a board: three by three.
pub const REGIONS: usize = 9;

/// The third of a side of `length` points in which `place` lies, 0 to 2; the outer two are equally long.
#[must_use]
pub const fn third(place: usize, length: usize) -> usize {
    let outer = (length + 1) / 3;
    if place < outer {
        0
    } else if place >= length - outer {
        2
    } else {
        1
    }
}

/// The region of a point on a board of this size, 0 to [`REGIONS`] - 1.
#[must_use]
pub const fn region(point: Point, size: Size) -> usize {
    third(point.y(), size.height()) * 3 + third(point.x(), size.width())
}

/// Whether a point with these codes has features: not where it is nobody's, nor where it is as free as a point
/// can be, as on an empty board.
#[inline]
#[must_use]
pub fn has_features(codes: ByColor<Code>, free: ByColor<Code>) -> bool {
    codes.0 != [0, 0] && codes != free
}

/// Features of a point as Black sees it, then as White does, each 0 to [`FEATURE_ONE`].
type Features = u8x32;

const _: () = assert!(FEATURES == 16);

/// Added to a part of a feature to make it positive.
const PART_BIAS: i16 = 64;

/// Features summed up, as Black sees them and as White does.
type Sum = [i16x16; 2];

/// The sums over each region.
type Sums = [Sum; REGIONS];

/// The layers for one colour to move.
#[derive(Clone, Debug)]
struct Layers {
    local: Layer<2>,
    local_bias: Sixteen,
    board: Layer<2>,
    regions: Layer<1>,
    hidden_bias: Sixteen,
    hidden: [i16x16; 1],
    board_direct: Sum,
    local_direct: [i16x16; 1],
    bias: i32,
    by_hand: i32,
}

impl Layers {
    fn new(head: &Head, color: Color) -> Layers {
        // What is learned has the view of the side to move first, the sums have Black's.
        let place =
            |lane: usize| if color == Color::Black { lane } else { (lane + FEATURES) % (2 * FEATURES) };
        let direct = |first: usize| i16x16::new(std::array::from_fn(|n| head.board_direct[place(first + n)]));
        Layers {
            local: Layer::new(|output, input| head.local[output][place(input)]),
            local_bias: Sixteen::new(&head.local_bias),
            board: Layer::new(|output, input| head.board[output][place(input)]),
            regions: Layer::new(|output, input| head.from_local[output][input]),
            hidden_bias: Sixteen::new(&head.hidden_bias),
            hidden: [i16x16::new(head.hidden)],
            board_direct: [direct(0), direct(FEATURES)],
            local_direct: [i16x16::new(head.local_direct)],
            bias: head.bias.into(),
            by_hand: head.by_hand.into(),
        }
    }

    /// What the network adds to its share of the hand-made evaluation, in points.
    fn output(&self, sums: &Sums) -> Score {
        let mut local = Sixteen::ZERO;
        let mut board = [i16x16::ZERO; 2];
        for region in sums {
            let outputs = self.local.of(region).shifted(LOCAL_SHIFT).plus(self.local_bias);
            local = local.plus(outputs.cut(weights::HIDDEN_ONE.into()));
            board = [board[0] + region[0], board[1] + region[1]];
        }
        let local = [local.narrow()];
        let hidden = self.board.of(&board).shifted(BOARD_SHIFT);
        let hidden = hidden.plus(self.regions.of(&local).shifted(REGIONS_SHIFT)).plus(self.hidden_bias);
        let hidden = [hidden.cut(weights::HIDDEN_ONE.into()).narrow()];
        let direct = dot(&self.board_direct, &board) + dot(&self.local_direct, &local);
        ((dot(&self.hidden, &hidden) + direct) >> FRACTION_BITS) + self.bias
    }
}

/// What points look like, for all networks.
#[derive(Debug)]
pub struct Looks {
    /// By colour and its code: the part of a point's features, and [`PART_BIAS`]. The parts of both colours are
    /// added, then cut to 0 to [`FEATURE_ONE`].
    parts: ByColor<ByCode<u8x32>>,
}

impl Looks {
    /// Points look as these parts say.
    #[must_use]
    pub fn new(Parts { own, other }: &Parts) -> Looks {
        type Table = [[i8; FEATURES]; CODE_COUNT];
        let table = |by_black: &Table, by_white: &Table| {
            ByCode::from_fn(|code| {
                let views = [by_black, by_white].map(|table| table[usize::from(code)]);
                cast(views.map(|view| view.map(|part| (i16::from(part) + PART_BIAS) as u8)))
            })
        };
        Looks { parts: ByColor([table(own, other), table(other, own)]) }
    }

    /// The features of a point with these codes.
    #[inline]
    fn features(&self, codes: ByColor<Code>) -> Features {
        let black = self.parts[Color::Black][codes[Color::Black]];
        let white = self.parts[Color::White][codes[Color::White]];
        let sum = (black + white).saturating_sub(u8x32::splat(2 * PART_BIAS as u8));
        sum.min(u8x32::splat(FEATURE_ONE as u8))
    }
}

/// A network for one rule.
#[derive(Clone, Debug)]
pub struct Network {
    looks: Arc<Looks>,
    /// By colour to move.
    layers: ByColor<Layers>,
}

impl Network {
    /// The network of these heads, one or two; `None` for none.
    #[must_use]
    pub fn new(looks: &Arc<Looks>, heads: &[Head]) -> Option<Network> {
        let (black, white) = (heads.first()?, heads.last()?);
        let layers = ByColor([Layers::new(black, Color::Black), Layers::new(white, Color::White)]);
        Some(Network { looks: Arc::clone(looks), layers })
    }
}

/// What a point offered Black and White, before and after a stone.
#[derive(Clone, Copy, Debug)]
struct Change {
    point: Point,
    old: ByColor<Code>,
    new: ByColor<Code>,
}

/// The evaluation by a network.
#[derive(Clone)]
pub struct NetworkEval {
    classical: Classical,
    /// `None` for a rule without a network: the hand-made evaluation alone.
    network: Option<&'static Network>,
    /// Codes of a point that is as free as a point can be: it counts for nothing.
    free: ByColor<Code>,
    /// By [`Point::index`].
    regions: Box<[u8; POINT_COUNT]>,
    /// All changes since the empty board, and how many there were before each stone.
    changes: Vec<Change>,
    marks: Vec<u32>,
    /// The sums after so many changes, for positions that led here; the first is the one without any.
    known: Vec<(u32, Sums)>,
}

impl ShapeObserver for NetworkEval {
    #[inline]
    fn changed(&mut self, point: Point, old: ByColor<Code>, new: ByColor<Code>) {
        self.classical.changed(point, old, new);
        if self.network.is_some() && old != new {
            self.changes.push(Change { point, old, new });
        }
    }
}

impl NetworkEval {
    /// An evaluation of an empty board by this network; `None` is the hand-made evaluation alone.
    #[must_use]
    pub fn with_network<R: RuleSet>(size: Size, network: Option<&'static Network>) -> NetworkEval {
        let mut regions = Box::new([0; POINT_COUNT]);
        for point in size.points() {
            regions[point.index()] = region(point, size) as u8;
        }
        NetworkEval {
            classical: <Classical as Evaluator<R>>::new(size),
            network,
            free: Tables::of::<R>().free_codes(),
            regions,
            changes: Vec::with_capacity(8 * POINT_COUNT),
            marks: Vec::with_capacity(size.area()),
            known: vec![(0, [[i16x16::ZERO; 2]; REGIONS])],
        }
    }

    /// Brings the sums up to date with the position and keeps those of the positions on the way, for most of what
    /// is evaluated next begins with the same moves.
    fn sums(&mut self, network: &Network) -> &Sums {
        let known = self.last_known().0;
        let unknown = self.marks.partition_point(|&mark| mark <= known);
        for n in unknown..=self.marks.len() {
            let upto = self.marks.get(n).map_or(self.changes.len(), |&mark| mark as usize);
            let (from, sums) = *self.last_known();
            if (from as usize) < upto {
                let sums = self.changed_sums(network, sums, from as usize..upto);
                self.known.push((upto as u32, sums));
            }
        }
        &self.last_known().1
    }

    fn last_known(&self) -> &(u32, Sums) {
        self.known.last().expect("the first sums are never taken away")
    }

    /// These sums after some of the changes.
    #[inline]
    fn changed_sums(&self, network: &Network, mut sums: Sums, changes: Range<usize>) -> Sums {
        // Most changes lie in the region of the one before, so its sums stay at hand.
        let mut region = REGIONS / 2;
        let mut sum = sums[region];
        for change in &self.changes[changes] {
            let next = usize::from(self.regions[change.point.index()]);
            if next != region {
                sums[region] = sum;
                sum = sums[next];
                region = next;
            }
            let grown = self.features(network, change.new) - self.features(network, change.old);
            let [black, white]: [i8x16; 2] = cast(grown);
            sum = [sum[0] + i16x16::from_i8x16(black), sum[1] + i16x16::from_i8x16(white)];
        }
        sums[region] = sum;
        sums
    }

    /// The features of a point with these codes, where it has any.
    #[inline]
    fn features(&self, network: &Network, codes: ByColor<Code>) -> Features {
        let counts = if has_features(codes, self.free) { u8::MAX } else { 0 };
        network.looks.features(codes) & u8x32::splat(counts)
    }
}

impl<R: RuleSet> Evaluator<R> for NetworkEval {
    fn new(size: Size) -> NetworkEval {
        NetworkEval::with_network::<R>(size, weights::of::<R>())
    }

    #[inline]
    fn push(&mut self) {
        Evaluator::<R>::push(&mut self.classical);
        self.marks.push(self.changes.len() as u32);
    }

    #[inline]
    fn pop(&mut self) {
        Evaluator::<R>::pop(&mut self.classical);
        let Some(mark) = self.marks.pop() else { return };
        self.changes.truncate(mark as usize);
        while self.known.last().is_some_and(|known| known.0 > mark) {
            self.known.pop();
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &Position<R>) -> Score {
        let by_hand = Evaluator::<R>::evaluate(&mut self.classical, position);
        let Some(network) = self.network else { return by_hand };
        let layers = &network.layers[position.to_move()];
        let points = ((layers.by_hand * by_hand) >> FRACTION_BITS) + layers.output(self.sums(network));
        points.clamp(-MAX_EVAL, MAX_EVAL)
    }

    #[inline]
    fn promise(&self, position: &Position<R>, point: Point) -> i32 {
        self.classical.promise(position, point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Freestyle, Rule};
    use crate::with_rule;

    /// A walk that touches the edges and fills the middle.
    fn walk(size: Size) -> impl Iterator<Item = Point> {
        let step = move |n: usize| Point::new(n * 7 % size.width(), n * 11 % size.height() / (1 + n % 2));
        (0..120).map(step)
    }

    /// However often it was asked on the way, and whatever was tried and taken back.
    fn sums_are_those_of_the_position<R: RuleSet>(size: Size) {
        let mut asked = <NetworkEval as Evaluator<R>>::new(size);
        let mut position = Position::<R>::new(size, &mut asked);
        let mut played = 0;
        for (n, point) in walk(size).enumerate() {
            if !position.stones().is_empty_at(point) {
                continue;
            }
            for tries in 0..=n % 3 {
                Evaluator::<R>::push(&mut asked);
                position.play(point, &mut asked);
                if (n + tries) % 2 == 0 {
                    Evaluator::<R>::evaluate(&mut asked, &position);
                }
                if tries < n % 3 {
                    position.undo();
                    Evaluator::<R>::pop(&mut asked);
                }
            }
            played += 1;
            let mut fresh = <NetworkEval as Evaluator<R>>::new(size);
            let _ = Position::<R>::from_stones(position.stones(), &mut fresh);
            let Some(network) = weights::of::<R>() else { return };
            assert_eq!(asked.clone().sums(network), fresh.sums(network), "{:?} after {played}", R::RULE);
        }
        assert!(played > 20);
    }

    #[test]
    fn sums_are_those_of_the_position_under_every_rule() {
        for rule in Rule::ALL {
            with_rule!(rule, R => {
                sums_are_those_of_the_position::<R>(Size::square(15));
                sums_are_those_of_the_position::<R>(Size::new(22, 11).unwrap());
            });
        }
    }

    #[test]
    fn regions_are_symmetrical() {
        for length in 5..=22 {
            let thirds: Vec<usize> = (0..length).map(|place| third(place, length)).collect();
            let mirrored: Vec<usize> = thirds.iter().rev().map(|third| 2 - third).collect();
            assert_eq!(thirds, mirrored);
            assert!((0..3).all(|n| thirds.iter().filter(|&&third| third == n).count() * 5 >= length));
        }
    }

    #[test]
    fn a_rule_without_a_network_has_the_evaluation_by_hand() {
        let size = Size::square(15);
        let mut without = NetworkEval::with_network::<Freestyle>(size, None);
        let mut by_hand = <Classical as Evaluator<Freestyle>>::new(size);
        let position = Position::<Freestyle>::new(size, &mut without);
        let _ = Position::<Freestyle>::new(size, &mut by_hand);
        let expected = Evaluator::<Freestyle>::evaluate(&mut by_hand, &position);
        assert_eq!(Evaluator::<Freestyle>::evaluate(&mut without, &position), expected);
    }
}
