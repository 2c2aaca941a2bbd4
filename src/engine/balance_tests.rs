//! What an engine guarantees of moves that are to leave the game even.

use super::tests::{MEMORY, QUIET, TWO_FIVES, ask, point, stones, to_depth};
use super::*;
use crate::board::Color;
use crate::eval::score;

#[test]
fn balanced_moves_are_balanced() {
    let empty = Stones::new(Size::square(15));
    let limits = Limits { nodes: Some(60_000), ..Limits::default() };
    let pair = Request { task: Task::BalanceTwo { bias: 0 }, ..Request::best(limits) };
    let answer = ask(Rule::Standard, &stones(QUIET), &pair);
    assert_eq!(answer.moves.len(), 2);
    assert_ne!(answer.moves[0], answer.moves[1]);
    assert!(answer.lines[0].score.abs() < 100, "{:?}", answer.lines);
    let one = Request { task: Task::BalanceOne { bias: 0 }, ..Request::best(limits) };
    assert_eq!(ask(Rule::Standard, &empty, &one).moves.len(), 1);
}

#[test]
fn a_bias_beyond_all_scores_asks_for_the_best_or_the_worst_move() {
    let score_near = |bias| {
        let request = Request { task: Task::BalanceOne { bias }, ..to_depth(1) };
        ask(Rule::Renju, &stones(QUIET), &request).lines[0].score
    };
    let [best, even, worst] = [i32::MAX, 0, i32::MIN].map(score_near);
    assert!(best >= even && even > worst, "{best} {even} {worst}");
}

/// Without an opening rule, Black's first stone in the middle wins: what comes nearest to even is White's best answer,
/// which shallow searches think no better than many others.
#[test]
fn where_every_move_is_bad_the_best_one_is_nearest_to_even() {
    let limits = |nodes| Limits { nodes: Some(nodes), ..Limits::default() };
    let mut first = Stones::new(Size::square(15));
    first.place(point("h8"), Color::Black);
    for rule in [Rule::Freestyle, Rule::Standard] {
        let best = ask(rule, &first, &Request::best(limits(30_000))).lines[0].score;
        for nodes in [3_000, 30_000] {
            let one = Request { task: Task::BalanceOne { bias: 0 }, ..Request::best(limits(nodes)) };
            let mut after = first.clone();
            after.place(ask(rule, &first, &one).moves[0], Color::White);
            let balanced = -ask(rule, &after, &Request::best(limits(30_000))).lines[0].score;
            // Searches of the same move differ by some hundred points; bad moves lose 180 and more.
            assert!(balanced > best - 140, "{rule}, {nodes} nodes: {balanced}, the best move has {best}");
        }
    }
}

#[test]
fn a_search_for_balance_that_is_stopped_at_once_claims_no_end() {
    let empty = Stones::new(Size::square(15));
    for task in [Task::BalanceOne { bias: 0 }, Task::BalanceTwo { bias: 0 }] {
        let limits = Limits { nodes: Some(100), ..Limits::default() };
        let control = Control::new();
        control.stop();
        let request = Request { task, ..Request::best(limits) };
        let answer =
            Engine::new(1, MEMORY).think(&Question::new(Rule::Freestyle, &empty, &request, &control));
        assert!(!answer.moves.is_empty());
        assert!(!score::is_decided(answer.lines[0].score), "{:?}", answer.lines);
    }
}

#[test]
fn a_five_is_no_balanced_move() {
    let one = Request { task: Task::BalanceOne { bias: 0 }, ..to_depth(2) };
    let two = Request { task: Task::BalanceTwo { bias: 0 }, ..to_depth(2) };
    // The only moves searched are fives: a win, not a loss.
    let answer = ask(Rule::Freestyle, &stones(TWO_FIVES), &one);
    assert_eq!(answer.lines[0].score, score::win_in(1));
    assert!([point("a2"), point("f2")].contains(&answer.moves[0]));
    // In a pair, one move may stop what the other allows; neither of them makes a five.
    let answer = ask(Rule::Freestyle, &stones(QUIET), &two);
    assert!(!score::is_decided(answer.lines[0].score));
}
