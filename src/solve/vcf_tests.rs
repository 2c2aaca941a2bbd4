//! Short VCFs, fives that come first, and tables too small to remember.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::formats::picture;
use crate::rules::{Rule, with_rule};

fn fours(rule: Rule, picture: &str) -> VcfResult {
    let stones = picture::read(picture).unwrap().stones;
    let stop = AtomicBool::new(false);
    let mut budget = NodeBudget::new(u64::MAX, None, &stop);
    let mut search = VcfSearch::new(1 << 20);
    with_rule!(rule, R => {
        let mut position = Position::<R>::from_stones(&stones, &mut ());
        search.shortest(&mut position, ANY_LENGTH, u64::MAX, &mut budget)
    })
}

#[test]
fn short_wins_are_found() {
    let five = "X X X X . . .\nO O O O . . .";
    let four = ". . . . . . . .\nO . . X X X . .\nO O . . . . . .";
    for rule in Rule::ALL {
        assert_eq!(fours(rule, five), VcfResult::Win(0, Point::new(4, 0)), "{rule}");
        assert!(matches!(fours(rule, four), VcfResult::Win(1, _)), "{rule}");
    }
}

#[test]
fn a_five_that_threatens_must_be_met() {
    // Black's open three comes too late.
    let picture = ". . . . . . .\n. . X X X . .\nO O O O . . .\nX . . . . . .";
    assert_eq!(fours(Rule::ALL[0], picture), VcfResult::NoWin);
    // Here the blocking move makes an open four.
    let picture = ". . . . . . .\n. . X X X . .\n. . . . . O .\n. . . . . O .\n. . . . . O .\n. . . . . O .\n. . . . . X .";
    assert_eq!(fours(Rule::ALL[0], picture), VcfResult::Win(1, Point::new(5, 1)));
}

#[test]
fn a_small_table_changes_nothing_but_the_effort() {
    let picture = "
         . . . . . . . . .
         . O X . . . . . .
         . . X . O . . . .
         . . X . X X . . .
         . . . . O X . . .
         . . . . . . X . .
         . . O . O . . . .
         . . . O . . . . .
         . . . . . . . . .";
    let stones = picture::read(picture).unwrap().stones;
    let stop = AtomicBool::new(false);
    let results: Vec<VcfResult> = [0, 1 << 10, 1 << 20]
        .into_iter()
        .map(|bytes| {
            with_rule!(Rule::ALL[0], R => {
                let mut position = Position::<R>::from_stones(&stones, &mut ());
                position.pass();
                let mut budget = NodeBudget::new(u64::MAX, None, &stop);
                VcfSearch::new(bytes).shortest(&mut position, ANY_LENGTH, u64::MAX, &mut budget)
            })
        })
        .collect();
    assert!(results.iter().all(|found| *found == results[0]), "{results:?}");
}
