use super::*;
use crate::board::Size;
use crate::random::crowded_game;
use crate::rules::Freestyle;
use crate::tune::nnue::samples::Samples;
use crate::tune::nnue::training_set::TrainingRecipe;

/// Positions of a game, repeated so that an epoch has three steps, the last of them shorter.
fn set(epochs: usize, layer_epochs: usize) -> TrainingSet {
    let mut known = Samples::default();
    crowded_game(Size::square(9), 4).on_whole_board().replay::<Freestyle>(|position| {
        let n = known.all.len();
        known.add_position(position, 0, 30 * (n % 7) as i32 - 90, (n % 9) as f32 / 10.0 + 0.1);
    });
    let mut train = Samples::default();
    while train.all.len() < 2 * BATCH + 100 {
        train.append(known.clone());
    }
    train.all.truncate(2 * BATCH + 100);
    let recipe = TrainingRecipe { epochs, layer_epochs, rate: 0.002, result_share: 0.5 };
    let mut set = TrainingSet::new(recipe);
    let positions = train.all.len();
    let of_rule = RuleSamples { rule: Rule::ALL[0], games: 2, positions, heads: 0..BUCKETS };
    (set.train, set.test, set.rules) = (train, known, vec![of_rule]);
    set
}

/// The result of a training run: the file, and what is reported.
fn end(mut training: Training) -> (Vec<u8>, String) {
    while !training.is_done() {
        training.step();
    }
    let history = training.history().clone();
    let (weights, losses) = training.finish();
    (weights.to_bytes(), format!("{losses:?} {history:?}"))
}

#[test]
fn it_goes_on_to_the_byte_from_wherever_it_was_cut_short() {
    let set = set(2, 1);
    let whole = end(Training::new(&set, None));
    let mut cut = Training::new(&set, None);
    for step in 0..=9 {
        assert_eq!((cut.steps(), cut.is_done()), ((step, 9), step == 9));
        let mut other = Training::new(&set, None);
        // It may have taken other steps before.
        other.step();
        other.restore(&cut.state()).unwrap();
        assert!(other.state() == cut.state(), "step {step}");
        assert!(end(other) == whole, "cut short after step {step}");
        if step < 9 {
            cut.step();
        }
    }
}

#[test]
fn weights_to_go_on_from_are_gone_on_from_as_well() {
    let set = set(1, 1);
    let first = Training::new(&set, None).finish().0;
    let mut cut = Training::new(&set, Some(&first));
    cut.step();
    let mut other = Training::new(&set, Some(&first));
    other.restore(&cut.state()).unwrap();
    assert!(end(other) == end(cut));
}

#[test]
fn losses_are_told_as_it_goes() {
    let set = set(1, 1);
    let mut training = Training::new(&set, None);
    let records: Vec<Option<LossRecord>> = (0..6).map(|_| training.step()).collect();
    // With few steps each has its record, and that of the last one in an epoch has the loss on held-out games.
    let ends: Vec<bool> = records.iter().map(|record| record.unwrap().held_out.is_some()).collect();
    assert_eq!(ends, [false, false, true, false, false, true]);
    assert!(records.iter().all(|record| record.unwrap().training.is_some_and(|loss| loss > 0.0)));
    assert_eq!(records[2].unwrap().epoch, 1.0);
    assert_eq!(training.history().records.len(), 7, "and one for the beginning");
    let first = training.history().records[0];
    assert_eq!((first.step, first.epoch, first.training), (0, 0.0, None));
}

#[test]
fn without_samples_or_epochs_it_ends_all_the_same() {
    for (epochs, layer_epochs) in [(0, 0), (0, 1), (2, 0)] {
        let set = set(epochs, layer_epochs);
        let (bytes, _) = end(Training::new(&set, None));
        assert!(NnueWeights::from_bytes(&bytes).is_some());
    }
    let mut empty = set(2, 1);
    empty.train = Samples::default();
    let mut training = Training::new(&empty, None);
    for _ in 0..3 {
        assert!(training.step().unwrap().held_out.is_some());
    }
    assert!(training.is_done());
}

#[test]
fn a_state_of_something_else_is_refused() {
    let small = set(1, 1);
    let mut training = Training::new(&small, None);
    training.step();
    let state = training.state();
    assert!(training.restore(&state[..state.len() - 1]).is_err());
    assert!(training.restore(&[&state[..], &[0]].concat()).is_err());
    assert!(Training::new(&small, None).restore(&[]).is_err());
    let mut late = set(3, 1);
    late.recipe.layer_epochs = 0;
    let mut done = Training::new(&late, None);
    while !done.is_done() {
        done.step();
    }
    assert!(Training::new(&small, None).restore(&done.state()).is_err(), "there are no three epochs");
}
