use std::sync::Arc;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::board::Size;
use crate::eval::nnue::buckets::{BUCKETS, bucket, heads_of};
use crate::eval::nnue::dims::{BOARD_SHIFT, HIDDEN_ONE, LOCAL_SHIFT, REGIONS_SHIFT, WEIGHT_LIMIT};
use crate::eval::nnue::network::Network;
use crate::eval::nnue::transformer::FeatureTransformer;
use crate::eval::{Evaluator, HandCraftedEval, NnueEval};
use crate::position::Position;
use crate::random::{crowded_game, rng};
use crate::rules::{Freestyle, Rule, RuleSet, with_rule};
use crate::tune::loss::SCALE;

fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Along a random game: the evaluations by the search and by the training, and the hand-crafted evaluation, all in
/// points.
fn both_views<R: RuleSet>(model: &Model, seed: u64) -> Vec<[f32; 3]> {
    let transformer = transformer(&model.weights.values);
    let heads = model.rounded_heads();
    let rounded = Arc::new(FeatureTransformer::new(&model.rounded_features()));
    let network: &'static Network = Box::leak(Box::new(Network::new(&rounded, &heads).unwrap()));
    let game = crowded_game(Size::square(15), seed).on_whole_board();
    let mut evaluator = NnueEval::with_network::<R>(game.start.size(), Some(network));
    let mut hand_crafted = <HandCraftedEval as Evaluator<R>>::new(game.start.size());
    let mut position = Position::<R>::from_stones(&game.start, &mut evaluator);
    let mut beside = Position::<R>::from_stones(&game.start, &mut hand_crafted);
    let mut views = Vec::new();
    for &(point, color) in &game.moves {
        if position.to_move() != color {
            position.pass();
            beside.pass();
        }
        Evaluator::<R>::play(&mut evaluator, &mut position, point);
        Evaluator::<R>::play(&mut hand_crafted, &mut beside, point);
        let given = Evaluator::<R>::evaluate(&mut hand_crafted, &beside);
        let mut samples = Samples::default();
        let first = if heads.len() == BUCKETS { 0 } else { position.to_move().index() * BUCKETS };
        let head = (first + bucket(position.stones())) as u8;
        samples.add_position(&position, head, given, 0.5);
        let trained = model.logit(&transformer, &samples, &samples.all[0], &mut Boards::default()) * SCALE;
        let played = Evaluator::<R>::evaluate(&mut evaluator, &position);
        views.push([played as f32, trained, given as f32]);
    }
    views
}

/// Training must use the same evaluation as the search. With weights that no shift rounds, they agree up to the two
/// points that are lost at the output.
#[test]
fn training_sees_what_the_search_evaluates_under_every_rule() {
    let mut numbers = rng(5);
    let mut exact = || -> Head {
        let mut sparse = |limit: i16| match numbers.random_range(0..10) {
            0 => limit,
            1 => -limit,
            _ => 0,
        };
        let mut head = Head::zero();
        head.local.as_flattened_mut().iter_mut().for_each(|weight| *weight = sparse(1 << LOCAL_SHIFT));
        head.board.as_flattened_mut().iter_mut().for_each(|weight| *weight = sparse(1 << BOARD_SHIFT));
        let from_local = head.from_local.as_flattened_mut().iter_mut();
        from_local.for_each(|weight| *weight = sparse(1 << REGIONS_SHIFT));
        let mut any = |limit: i16| numbers.random_range(-limit..=limit);
        let biases = head.local_bias.iter_mut().chain(&mut head.hidden_bias);
        biases.for_each(|bias| *bias = any(2 * HIDDEN_ONE));
        let output = head.hidden.iter_mut().chain(&mut head.board_direct).chain(&mut head.local_direct);
        output.for_each(|weight| *weight = any(300));
        (head.bias, head.hce_share) = (any(300), any(WEIGHT_LIMIT) / 8);
        head
    };
    for rule in Rule::ALL {
        with_rule!(rule, R => {
            let features = Model::new(1, &mut random(7)).rounded_features();
            let heads: Vec<Head> = (0..heads_of::<R>()).map(|_| exact()).collect();
            let known: Vec<Option<&Head>> = heads.iter().map(Some).collect();
            let model = Model::from_weights(&features, &known, &mut random(7));
            for [played, trained, _] in both_views::<R>(&model, rule.index() as u64) {
                assert!((played - trained).abs() < 2.1, "{rule}: {played} {trained}");
            }
        });
    }
}

/// Shifts and rounded weights cost a few points.
#[test]
fn rounding_costs_little_under_every_rule() {
    for rule in Rule::ALL {
        with_rule!(rule, R => {
            let mut model = Model::new(heads_of::<R>(), &mut random(7));
            model.round_features();
            for [played, trained, given] in both_views::<R>(&model, 1) {
                let error = (played - trained).abs() / (100.0 + (trained - given).abs());
                assert!(error < 0.1, "{rule}: {played} {trained}");
            }
        });
    }
}

/// Positions of a game, every other one with a high target.
fn samples() -> (Samples, Vec<u32>) {
    let mut samples = Samples::default();
    crowded_game(Size::square(15), 4).on_whole_board().replay::<Freestyle>(|position| {
        let n = samples.all.len();
        if n < 6 {
            samples.add_position(position, (n % 2) as u8, 0, if n % 2 == 0 { 0.1 } else { 0.9 });
        }
    });
    let all = (0..samples.all.len() as u32).collect();
    (samples, all)
}

#[test]
fn training_learns_and_does_not_depend_on_threads() {
    let (samples, batch) = samples();
    let learn = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut model = Model::new(2, &mut random(1));
            let loss = |model: &Model| model.loss(&samples, |_| true).loss;
            let before = loss(&model);
            for _ in 0..40 {
                model.step(&samples, &batch, 0.01, Learned::All);
            }
            assert!(loss(&model) < before - 0.1, "{before} to {}", loss(&model));
            (model.rounded_features(), model.rounded_heads())
        })
    };
    assert_eq!(learn(1), learn(3));
}

#[test]
fn layers_learn_for_themselves_behind_features_that_stay() {
    let (samples, batch) = samples();
    let mut model = Model::new(2, &mut random(1));
    let (features, exact) = (model.rounded_features(), model.loss(&samples, |_| true).loss);
    model.round_features();
    assert_eq!(model.rounded_features(), features, "rounding twice changes nothing");
    let loss = |model: &Model| model.loss(&samples, |_| true).loss;
    let before = loss(&model);
    assert!((before - exact).abs() < 0.05, "{before} and {exact}");
    for _ in 0..40 {
        model.step(&samples, &batch, 0.01, Learned::Layers);
    }
    assert!(loss(&model) < before - 0.05, "{before} to {}", loss(&model));
    assert_eq!(model.rounded_features(), features);
    let heads = model.rounded_heads();
    assert!(heads.len() == 2 && heads[0] != heads[1], "the heads are taught different things");
}

#[test]
fn training_goes_on_where_weights_were_left() {
    let model = Model::new(2, &mut random(5));
    let (features, heads) = (model.rounded_features(), model.rounded_heads());
    let again = Model::from_weights(&features, &[Some(&heads[1]), None], &mut random(5));
    assert_eq!(again.rounded_features(), features);
    assert_eq!(again.rounded_heads(), [heads[1].clone(), heads[1].clone()], "the second is a new guess");
}
