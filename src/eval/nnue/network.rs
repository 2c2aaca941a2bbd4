//! The layers after the feature transformer, laid out for inference: for each rule, and for each colour to move.

use std::sync::Arc;

use wide::i16x16;

use super::accumulator::{Accumulator, RegionSum};
use super::buckets::BUCKETS;
use super::dims::{BOARD_SHIFT, FEATURES, FRACTION_BITS, HIDDEN_ONE, LOCAL_SHIFT, REGIONS_SHIFT};
use super::layer::{Layer, Sixteen, dot};
use super::transformer::FeatureTransformer;
use super::weights::Head;
use crate::board::{ByColor, Color};
use crate::eval::score::Score;

/// The layers for one colour to move.
#[derive(Clone, Debug)]
struct Layers {
    local: Layer<2>,
    local_bias: Sixteen,
    board: Layer<2>,
    from_local: Layer<1>,
    hidden_bias: Sixteen,
    hidden: [i16x16; 1],
    board_direct: RegionSum,
    local_direct: [i16x16; 1],
    bias: i32,
    hce_share: i32,
}

impl Layers {
    fn new(head: &Head, color: Color) -> Layers {
        // Learned weights expect the side to move's features first; the accumulator has Black's first.
        let place =
            |lane: usize| if color == Color::Black { lane } else { (lane + FEATURES) % (2 * FEATURES) };
        let direct = |first: usize| i16x16::new(std::array::from_fn(|n| head.board_direct[place(first + n)]));
        Layers {
            local: Layer::new(|output, input| head.local[output][place(input)]),
            local_bias: Sixteen::new(&head.local_bias),
            board: Layer::new(|output, input| head.board[output][place(input)]),
            from_local: Layer::new(|output, input| head.from_local[output][input]),
            hidden_bias: Sixteen::new(&head.hidden_bias),
            hidden: [i16x16::new(head.hidden)],
            board_direct: [direct(0), direct(FEATURES)],
            local_direct: [i16x16::new(head.local_direct)],
            bias: head.bias.into(),
            hce_share: head.hce_share.into(),
        }
    }

    /// The network's own output in points, which is added to a share of the hand-crafted evaluation.
    fn output(&self, sums: &Accumulator) -> Score {
        let one = HIDDEN_ONE.into();
        let mut local = Sixteen::ZERO;
        let mut board = [i16x16::ZERO; 2];
        for region in sums {
            let outputs = self.local.of(region).shifted(LOCAL_SHIFT).plus(self.local_bias);
            local = local.plus(outputs.clipped_relu(one));
            board = [board[0] + region[0], board[1] + region[1]];
        }
        let local = [local.narrow()];
        let hidden = self.board.of(&board).shifted(BOARD_SHIFT);
        let hidden = hidden.plus(self.from_local.of(&local).shifted(REGIONS_SHIFT)).plus(self.hidden_bias);
        let hidden = [hidden.clipped_relu(one).narrow()];
        let direct = dot(&self.board_direct, &board) + dot(&self.local_direct, &local);
        ((dot(&self.hidden, &hidden) + direct) >> FRACTION_BITS) + self.bias
    }
}

/// A network for one rule.
#[derive(Clone, Debug)]
pub struct Network {
    pub(super) transformer: Arc<FeatureTransformer>,
    /// By colour to move and bucket.
    layers: ByColor<[Layers; BUCKETS]>,
}

impl Network {
    /// The network with these heads: one for each bucket that serves both colours, or one for each colour and bucket.
    /// `None` if there are no heads.
    #[must_use]
    pub fn new(transformer: &Arc<FeatureTransformer>, heads: &[Head]) -> Option<Network> {
        let (black, white) = (heads.first_chunk::<BUCKETS>()?, heads.last_chunk::<BUCKETS>()?);
        let layers_for =
            |heads: &[Head; BUCKETS], color| heads.each_ref().map(|head| Layers::new(head, color));
        let layers = ByColor([layers_for(black, Color::Black), layers_for(white, Color::White)]);
        Some(Network { transformer: Arc::clone(transformer), layers })
    }

    /// The evaluation for the side to move in points, before clamping, given the hand-crafted evaluation.
    #[inline]
    pub(super) fn evaluate(
        &self,
        to_move: Color,
        bucket: usize,
        sums: &Accumulator,
        hand_crafted: Score,
    ) -> Score {
        let layers = &self.layers[to_move][bucket];
        ((layers.hce_share * hand_crafted) >> FRACTION_BITS) + layers.output(sums)
    }
}
