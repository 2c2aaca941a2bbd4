//! [`NnueEval`]: the network on top of the hand-crafted evaluation.

use std::fmt;

use super::accumulator::AccumulatorStack;
use super::buckets::bucket;
use super::builtin;
use super::network::Network;
use crate::board::{Color, Point, Size};
use crate::eval::evaluator::Evaluator;
use crate::eval::hand_crafted::HandCraftedEval;
use crate::eval::score::{MAX_EVAL, Score};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::{ShapeChange, ShapeObserver};

/// The evaluation by a network.
#[derive(Clone)]
pub struct NnueEval {
    hand_crafted: HandCraftedEval,
    /// `None` for a rule without a network, which uses the hand-crafted evaluation alone.
    network: Option<&'static Network>,
    accumulators: AccumulatorStack,
}

impl fmt::Debug for NnueEval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("NnueEval");
        fields.field("hand_crafted", &self.hand_crafted).field("has_network", &self.network.is_some());
        fields.finish_non_exhaustive()
    }
}

impl ShapeObserver for NnueEval {
    #[inline]
    fn changed(&mut self, changes: &[ShapeChange]) {
        self.hand_crafted.changed(changes);
        if self.network.is_some() {
            self.accumulators.note(changes);
        }
    }
}

impl NnueEval {
    /// The evaluation of an empty board with this network; `None` means the hand-crafted evaluation alone.
    #[must_use]
    pub(crate) fn with_network<R: RuleSet>(size: Size, network: Option<&'static Network>) -> NnueEval {
        NnueEval {
            hand_crafted: <HandCraftedEval as Evaluator<R>>::new(size),
            network,
            accumulators: AccumulatorStack::new::<R>(size),
        }
    }
}

impl<R: RuleSet> Evaluator<R> for NnueEval {
    fn new(size: Size) -> NnueEval {
        NnueEval::with_network::<R>(size, builtin::of::<R>())
    }

    #[inline]
    fn push(&mut self, stone: Option<(Point, Color)>) {
        Evaluator::<R>::push(&mut self.hand_crafted, stone);
        self.accumulators.push(stone);
    }

    #[inline]
    fn pop(&mut self) {
        Evaluator::<R>::pop(&mut self.hand_crafted);
        self.accumulators.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position<R>) -> Score {
        let hand_crafted = Evaluator::<R>::evaluate(&mut self.hand_crafted, position);
        let Some(network) = self.network else { return hand_crafted };
        let sums = self.accumulators.current(&network.transformer, position.stones());
        network
            .evaluate(position.to_move(), bucket(position.stones()), &sums, hand_crafted)
            .clamp(-MAX_EVAL, MAX_EVAL)
    }

    #[inline]
    fn ordering_scores<'p>(&self, position: &'p Position<R>) -> impl Fn(Point) -> i32 + use<'p, R> {
        self.hand_crafted.ordering_scores(position)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::RngExt;

    use super::*;
    use crate::eval::nnue::buckets::BUCKETS;
    use crate::eval::nnue::dims::WEIGHT_LIMIT;
    use crate::eval::nnue::reference;
    use crate::eval::nnue::transformer::FeatureTransformer;
    use crate::eval::nnue::weights::{FeatureWeights, Head, NnueWeights};
    use crate::random::{RandomGame, crowded_game, crowded_games, rng};
    use crate::rules::{Freestyle, Rule, with_rule};

    /// Plays the game and compares the evaluation after every stone with that of the scalar reference.
    fn compare<R: RuleSet>(weights: &NnueWeights, network: &'static Network, game: &RandomGame) {
        let size = game.start.size();
        let mut evaluator = NnueEval::with_network::<R>(size, Some(network));
        let mut hand_crafted = NnueEval::with_network::<R>(size, None);
        let mut position = Position::<R>::from_stones(&game.start, &mut evaluator);
        let mut beside = Position::<R>::from_stones(&game.start, &mut hand_crafted);
        for &(point, color) in &game.moves {
            if position.to_move() != color {
                position.pass();
                beside.pass();
            }
            Evaluator::<R>::play(&mut evaluator, &mut position, point);
            Evaluator::<R>::play(&mut hand_crafted, &mut beside, point);
            let given = Evaluator::<R>::evaluate(&mut hand_crafted, &beside);
            let expected = reference::evaluate(weights, &position, given);
            let found = Evaluator::<R>::evaluate(&mut evaluator, &position);
            assert_eq!(found, expected, "{} {size} after {point}", R::RULE);
        }
    }

    #[test]
    fn vectors_say_what_the_scalar_twin_says_under_every_rule() {
        let weights = NnueWeights::builtin();
        for rule in Rule::ALL {
            with_rule!(rule, R => {
                let network = builtin::of::<R>().expect("every rule has a network");
                crowded_games(18).for_each(|game| compare::<R>(&weights, network, &game));
            });
        }
    }

    /// A network for `R` with these weights, which lives for the rest of the process.
    fn network_of<R: RuleSet>(weights: &NnueWeights) -> &'static Network {
        let transformer = Arc::new(FeatureTransformer::new(&weights.features));
        let network = Network::new(&transformer, &weights.heads[R::RULE.index()]);
        Box::leak(Box::new(network.expect("there are heads")))
    }

    /// The largest weights that a file may hold, of either sign, cause no overflow. Small weights are tested too,
    /// because they leave activations unclipped, and clipping hides mistakes.
    #[test]
    fn vectors_say_what_the_scalar_twin_says_with_any_weights() {
        let mut random = rng(1);
        for (n, part) in [1, 1, 8, 64].into_iter().enumerate() {
            let mut weights = NnueWeights { features: FeatureWeights::zero(), heads: Default::default() };
            for (weight, limit) in weights.features.numbers_mut() {
                let limit = limit / if part == 1 { 1 } else { 2 };
                *weight = random.random_range(-limit..=limit);
            }
            weights.heads = std::array::from_fn(|_| {
                [(); 2 * BUCKETS]
                    .map(|()| {
                        let mut head = Head::zero();
                        let limit = WEIGHT_LIMIT / part;
                        // In the first round every weight has the largest magnitude.
                        let mut draw = || match n {
                            0 => {
                                if random.random() {
                                    limit
                                } else {
                                    -limit
                                }
                            }
                            _ => random.random_range(-limit..=limit),
                        };
                        head.numbers_mut().for_each(|number| *number = draw());
                        head
                    })
                    .to_vec()
            });
            for rule in [Rule::Freestyle, Rule::Renju] {
                with_rule!(rule, R => {
                    let network = network_of::<R>(&weights);
                    for (seed, side) in [(1, 15), (2, 20), (3, 22)] {
                        compare::<R>(&weights, network, &crowded_game(Size::square(side), seed));
                    }
                    let flat = Size::new(5, 22).expect("this is a size of boards");
                    compare::<R>(&weights, network, &crowded_game(flat, 4));
                });
            }
        }
    }

    #[test]
    fn a_rule_without_a_network_has_the_hand_crafted_evaluation() {
        let size = Size::square(15);
        let mut without = NnueEval::with_network::<Freestyle>(size, None);
        let mut hand_crafted = <HandCraftedEval as Evaluator<Freestyle>>::new(size);
        let position = Position::<Freestyle>::new(size, &mut without);
        let _ = Position::<Freestyle>::new(size, &mut hand_crafted);
        let expected = Evaluator::<Freestyle>::evaluate(&mut hand_crafted, &position);
        assert_eq!(Evaluator::<Freestyle>::evaluate(&mut without, &position), expected);
    }
}
