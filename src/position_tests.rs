//! The fast code against its slow twins, along random games under every rule.

use rand::RngExt;

use super::*;
use crate::board::Symmetry;
use crate::eval::{Evaluator, NnueEval};
use crate::formats::picture;
use crate::random::{crowded_games, rng};
use crate::rules::{Rule, judge, with_rule};
use crate::shapes::is_tracked;

/// Calls `visit` after every stone of so many random games.
fn random_games<R: RuleSet>(games: u64, mut visit: impl FnMut(&mut Position<R>)) {
    crowded_games(games).for_each(|game| game.replay::<R>(&mut visit));
}

#[test]
fn incremental_shapes_equal_fresh_ones() {
    for rule in Rule::ALL {
        with_rule!(rule, R => random_games::<R>(36, |position| {
            let fresh = ShapeMap::<R>::fresh(position.stones(), &mut ());
            assert!(position.map().agrees_with(&fresh), "{rule}\n{}", picture::draw(position.stones()));
        }));
    }
}

#[test]
fn counts_and_sets_say_what_the_points_say() {
    for rule in Rule::ALL {
        with_rule!(rule, R => random_games::<R>(12, |position| {
            for color in [Color::Black, Color::White] {
                for threat in Threat::ALL.into_iter().filter(|&threat| is_tracked(threat)) {
                    let scan: PointSet = position
                        .stones()
                        .size()
                        .points()
                        .filter(|&point| position.map().threat(point, color) == threat)
                        .collect();
                    assert_eq!(*position.map().points(color, threat), scan);
                    assert_eq!(position.map().count(color, threat), scan.len());
                }
            }
        }));
    }
}

#[test]
fn wins_are_those_of_the_reference() {
    let mut checked = 0;
    for rule in Rule::ALL {
        with_rule!(rule, R => random_games::<R>(120, |position| {
            for point in position.empty_points() {
                for color in [Color::Black, Color::White] {
                    let fast = position.map().threat(point, color) == Threat::Five;
                    let slow = judge::wins_at::<R>(position.stones(), point, color);
                    assert_eq!(fast, slow, "{rule} {point} {color:?}\n{}", picture::draw(position.stones()));
                    checked += 1;
                }
            }
        }));
    }
    assert!(checked > 1_000_000, "only {checked} points were checked");
}

#[test]
fn forbidden_points_are_those_of_the_reference() {
    let mut forbidden = 0;
    let mut checked = 0;
    for rule in Rule::ALL {
        with_rule!(rule, R => random_games::<R>(if R::forbids(Color::Black) { 240 } else { 12 }, |position| {
            let before = position.map().clone();
            for point in position.empty_points() {
                for color in [Color::Black, Color::White] {
                    let candidate = position.map().threat(point, color) == Threat::LooksForbidden;
                    let fast = is_forbidden(&mut position.map, point, color);
                    // The slow judge is asked about all points that could be one, and some that could not.
                    if candidate || checked % 16 == 0 {
                        let slow = judge::is_forbidden::<R>(position.stones(), point, color);
                        assert_eq!(fast, slow, "{rule} {point} {color:?}\n{}", picture::draw(position.stones()));
                    }
                    assert!(candidate || !fast);
                    forbidden += usize::from(fast);
                    checked += 1;
                }
            }
            assert!(position.map().agrees_with(&before), "looking ahead left a trace");
        }));
    }
    assert!(forbidden > 5_000, "only {forbidden} points were forbidden");
}

#[test]
fn undoing_restores_everything() {
    for rule in Rule::ALL {
        with_rule!(rule, R => {
            let size = Size::square(15);
            let mut evaluator = <NnueEval as Evaluator<R>>::new(size);
            let mut position = Position::<R>::new(size, &mut evaluator);
            let mut rng = rng(3);
            let mut past = Vec::new();
            for _ in 0..60 {
                let near: Vec<Point> = position.candidates().iter().collect();
                past.push((position.map().clone(), position.hash(), position.candidates(),
                    Evaluator::<R>::evaluate(&mut evaluator, &position)));
                Evaluator::<R>::play(&mut evaluator, &mut position, near[rng.random_range(0..near.len())]);
            }
            for (map, hash, candidates, eval) in past.into_iter().rev() {
                position.undo();
                Evaluator::<R>::pop(&mut evaluator);
                assert!(position.map().agrees_with(&map));
                assert_eq!((position.hash(), position.candidates()), (hash, candidates));
                assert_eq!(Evaluator::<R>::evaluate(&mut evaluator, &position), eval);
            }
        });
    }
}

/// The evaluation of stones that were placed in this order.
fn evaluate<R: RuleSet>(size: Size, history: &[(Point, Color)], to_move: Color) -> i32 {
    let mut evaluator = <NnueEval as Evaluator<R>>::new(size);
    let mut position = Position::<R>::new(size, &mut evaluator);
    for &(point, color) in history {
        if position.to_move() != color {
            position.pass();
        }
        Evaluator::<R>::play(&mut evaluator, &mut position, point);
    }
    if position.to_move() != to_move {
        position.pass();
    }
    Evaluator::<R>::evaluate(&mut evaluator, &position)
}

#[test]
fn the_evaluation_has_the_symmetries_of_the_board() {
    for rule in Rule::ALL {
        with_rule!(rule, R => random_games::<R>(6, |position| {
            let stones = position.stones();
            if stones.dead_cells().next().is_some() {
                return;
            }
            let expected = evaluate::<R>(stones.size(), stones.history(), stones.to_move());
            for symmetry in Symmetry::of(stones.size()) {
                let image: Vec<(Point, Color)> = stones
                    .history()
                    .iter()
                    .map(|&(point, color)| (symmetry.apply(point, stones.size()), color))
                    .collect();
                assert_eq!(evaluate::<R>(stones.size(), &image, stones.to_move()), expected);
            }
        }));
    }
}

#[test]
fn swapping_colours_changes_nothing_where_the_rule_treats_them_alike() {
    let mut rules = 0;
    for rule in Rule::ALL {
        with_rule!(rule, R => {
            if !R::treats_colors_alike() {
                continue;
            }
            rules += 1;
            random_games::<R>(6, |position| {
                let stones = position.stones();
                let swapped: Vec<(Point, Color)> =
                    stones.history().iter().map(|&(point, color)| (point, !color)).collect();
                let expected = evaluate::<R>(stones.size(), stones.history(), stones.to_move());
                assert_eq!(evaluate::<R>(stones.size(), &swapped, !stones.to_move()), expected);
            });
        });
    }
    assert_eq!(rules, 4);
}

/// Leaves of the game tree to a depth: legal moves of the side to move, games ending with a win.
fn perft<R: RuleSet>(position: &mut Position<R>, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for point in position.empty_points() {
        if position.wins_at(point) {
            leaves += 1;
        } else if !position.is_forbidden(point) {
            position.play(point, &mut ());
            leaves += perft(position, depth - 1);
            position.undo();
        }
    }
    leaves
}

/// The same with the reference judge.
fn slow_perft<R: RuleSet>(stones: &mut Stones, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let own = stones.to_move();
    let mut leaves = 0;
    for point in stones.size().points().filter(|&point| stones.is_empty_at(point)).collect::<Vec<_>>() {
        if judge::wins_at::<R>(stones, point, own) {
            leaves += 1;
        } else if !judge::is_forbidden::<R>(stones, point, own) {
            stones.place(point, own);
            leaves += slow_perft::<R>(stones, depth - 1);
            stones.undo();
        }
    }
    leaves
}

/// A crowded position in which all rules differ within three plies.
const PERFT: &str = "O X X . X X O .
                     O . . . . . . .
                     . . . O . X . .
                     . X . . X X . .
                     . X . O . . O .
                     O . . . . O . .
                     O X X . X X X .
                     O . O O O . O .";

#[test]
fn the_game_tree_has_the_size_it_had() {
    let stones = picture::read(PERFT).unwrap().stones;
    let leaves = Rule::ALL.map(|rule| {
        with_rule!(rule, R => {
            let fast = perft(&mut Position::<R>::from_stones(&stones, &mut ()), 3);
            assert_eq!(fast, slow_perft::<R>(&mut stones.clone(), 3), "{rule}");
            fast
        })
    });
    assert_eq!(leaves, [38_284, 39_407, 33_399, 39_407, 40_530]);
}
