//! The solver against slow twins, on random positions of every rule. Every win goes through the checker.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::budget::Budget;
use super::fours::{ALL_FOURS, Fours, FoursSearch};
use super::*;
use crate::board::{Direction, Point, Size, Stones};
use crate::formats::picture;
use crate::position::Position;
use crate::rules::reference::{self, Verdict as Judged, judge};
use crate::rules::{Rule, RuleSet};
use crate::shapes::Shape;
use crate::with_rule;

/// Stones strewn over the middle of a board, none of them making a five or a foul.
fn strewn<R: RuleSet>(size: Size, count: usize, spread: usize, rng: &mut StdRng) -> Stones {
    let mut stones = Stones::new(size);
    let mut misses = 0;
    while stones.history().len() < count && misses < 200 {
        let mut at = |side: usize| {
            let spread = spread.min(side);
            (side - spread) / 2 + rng.random_range(0..spread)
        };
        let (point, own) = (Point::new(at(size.width()), at(size.height())), stones.to_move());
        let fits = stones.is_empty_at(point)
            && !reference::wins_at::<R>(&stones, point, own)
            && !reference::is_forbidden::<R>(&stones, point, own);
        if fits { stones.place(point, own) } else { misses += 1 }
    }
    stones
}

fn settings(nodes: u64) -> Settings {
    Settings { nodes, memory: 1 << 20, ..Settings::default() }
}

fn solved<R: RuleSet>(stones: &Stones, settings: &Settings) -> Solution {
    solve::<R>(stones, settings, &AtomicBool::new(false), &mut |_| {}).expect("the game goes on")
}

/// The checker's word on a proof.
fn must_hold(proof: &Proof) -> Checked {
    // As a file, so that what is read is checked.
    let proof = Proof::from_json(&proof.to_json()).expect("it was written");
    check(&proof).unwrap_or_else(|flaw| {
        let to_move = proof.stones.to_move();
        panic!("{}, {to_move:?} to move: {flaw}\n{}", proof.rule, picture::draw(&proof.stones))
    })
}

#[test]
fn wins_hold_under_every_rule() {
    let mut wins = [0; 3];
    for (n, rule) in Rule::ALL.into_iter().enumerate() {
        let mut rng = StdRng::seed_from_u64(n as u64);
        for game in 0..60 {
            let size = [Size::square(15), Size::square(9), Size::new(20, 6).unwrap()][game % 3];
            let count = rng.random_range(8..30);
            with_rule!(rule, R => {
                let stones = strewn::<R>(size, count, 9, &mut rng);
                let solution = solved::<R>(&stones, &settings(6_000));
                if let Verdict::Win(proof) = &solution.verdict {
                    let checked = must_hold(proof);
                    assert_eq!(checked.plies as usize, proof.longest_line().len());
                    wins[solution.stage as usize] += 1;
                }
            });
        }
    }
    assert!(wins[0] > 50 && wins[1] > 15 && wins[2] > 1, "{wins:?}");
}

/// The value of a position for the side to move, by trying everything: 1, 0 or -1.
fn exact_value<R: RuleSet>(stones: &mut Stones, known: &mut HashMap<u64, i8>) -> i8 {
    if let Some(&value) = known.get(&stones.hash()) {
        return value;
    }
    let own = stones.to_move();
    let mut best = -1;
    for point in stones.size().points().collect::<Vec<_>>() {
        if !stones.is_empty_at(point) {
            continue;
        }
        stones.place(point, own);
        let value = match judge::<R>(stones) {
            Judged::Win(color) => {
                if color == own {
                    1
                } else {
                    -1
                }
            }
            Judged::Foul(color) => {
                if color == own {
                    -1
                } else {
                    1
                }
            }
            Judged::Draw => 0,
            Judged::Ongoing => -exact_value::<R>(stones, known),
        };
        stones.undo();
        best = best.max(value);
        if best == 1 {
            break;
        }
    }
    known.insert(stones.hash(), best);
    best
}

#[test]
fn on_nearly_full_boards_wins_are_wins() {
    let mut wins = 0;
    let mut missed = 0;
    for (n, rule) in Rule::ALL.into_iter().enumerate() {
        let mut rng = StdRng::seed_from_u64(100 + n as u64);
        for game in 0..150 {
            let size = [Size::square(5), Size::new(7, 5).unwrap(), Size::square(6)][game % 3];
            with_rule!(rule, R => {
                let mut stones = strewn::<R>(size, size.area() - 9, 8, &mut rng);
                if stones.empty_count() > 10 || stones.is_full() {
                    continue;
                }
                let solution = solved::<R>(&stones, &settings(u64::MAX));
                let value = exact_value::<R>(&mut stones, &mut HashMap::new());
                let is_win = matches!(solution.verdict, Verdict::Win(_));
                if let Verdict::Win(proof) = &solution.verdict {
                    must_hold(proof);
                    assert_eq!(value, 1, "{rule}\n{}", picture::draw(&stones));
                }
                wins += u32::from(is_win);
                missed += u32::from(value == 1 && !is_win);
            });
        }
    }
    // A quiet move may win, too, but not often here.
    assert!(wins > 50 && missed * 4 < wins, "{wins} wins, {missed} by quiet moves");
}

#[test]
fn free_games_agree_with_the_exact_solver() {
    use super::exact::{Game, Method, Value};
    let rule = Rule::ALL[0];
    let mut seen = [0; 2];
    let mut rng = StdRng::seed_from_u64(7);
    for _ in 0..60 {
        let size = Size::new(6, 5).unwrap();
        let game = Game::new(6, 5, 5).unwrap();
        with_rule!(rule, R => {
            let stones = strewn::<R>(size, 14, 6, &mut rng);
            // Stones alternate, so the board can be played up again.
            let board = stones.history().iter().fold(game.start(), |board, (point, _)| {
                game.play(board, point.x(), point.y()).expect("the cell is empty")
            });
            let value = exact::solve(&game, board, Method::Table, u64::MAX).value;
            let is_win = matches!(solved::<R>(&stones, &settings(u64::MAX)).verdict, Verdict::Win(_));
            assert!(!is_win || value == Some(Value::Win), "\n{}", picture::draw(&stones));
            seen[usize::from(is_win)] += 1;
        });
    }
    assert!(seen[0] > 5 && seen[1] > 5, "{seen:?}");
}

/// Whether the side to move wins by fours and threes, by definition: some move wins by fours, or threatens to
/// and leaves a won position whatever the reply.
fn slow_threats<R: RuleSet>(
    position: &mut Position<R>,
    fours: &mut FoursSearch,
    known: &mut HashMap<u64, bool>,
) -> bool {
    if let Some(&wins) = known.get(&position.hash()) {
        return wins;
    }
    let wins = wins_by_fours(position, fours) || {
        let own = position.to_move();
        let is_in_line = |position: &Position<R>, point: Point| {
            // A stone that stops five need not stand in line with anything.
            position.map().count(!own, crate::shapes::Threat::Five) > 0
                || Direction::ALL.into_iter().any(|d| position.map().shape(point, d, own) >= Shape::Two)
        };
        position.empty_points().into_iter().any(|point| {
            is_in_line(position, point) && position.is_legal(point) && {
                position.play(point, &mut ());
                let wins = threat_wins(position, fours, known);
                position.undo();
                wins
            }
        })
    };
    known.insert(position.hash(), wins);
    wins
}

fn threat_wins<R: RuleSet>(
    position: &mut Position<R>,
    fours: &mut FoursSearch,
    known: &mut HashMap<u64, bool>,
) -> bool {
    position.pass();
    let threatens = wins_by_fours(position, fours);
    position.pass();
    threatens
        && position.empty_points().into_iter().all(|reply| {
            !position.is_legal(reply)
                || !position.wins_at(reply) && {
                    position.play(reply, &mut ());
                    let wins = slow_threats(position, fours, known);
                    position.undo();
                    wins
                }
        })
}

fn wins_by_fours<R: RuleSet>(position: &mut Position<R>, fours: &mut FoursSearch) -> bool {
    let stop = AtomicBool::new(false);
    let mut budget = Budget::new(u64::MAX, None, &stop);
    matches!(fours.shortest(position, ALL_FOURS, u64::MAX, &mut budget), Fours::Win(..))
}

#[test]
fn no_win_by_threats_is_missed() {
    let mut seen = [0; 3];
    for (n, rule) in Rule::ALL.into_iter().enumerate() {
        let mut rng = StdRng::seed_from_u64(200 + n as u64);
        for game in 0..600 {
            let size = [Size::square(6), Size::new(7, 6).unwrap()][game % 2];
            let left = rng.random_range(14..20);
            with_rule!(rule, R => {
                let stones = strewn::<R>(size, size.area() - left, 9, &mut rng);
                if stones.empty_count() > 20 {
                    continue;
                }
                let solution = solved::<R>(&stones, &settings(u64::MAX));
                let found = match &solution.verdict {
                    Verdict::Win(proof) => {
                        must_hold(proof);
                        true
                    }
                    Verdict::NoWin(stage) => {
                        assert_eq!(*stage, Stage::AnyThreat);
                        false
                    }
                    Verdict::NotFound => panic!("there was no limit"),
                };
                let mut position = Position::<R>::from_stones(&stones, &mut ());
                let slow = slow_threats(&mut position, &mut FoursSearch::new(1 << 20), &mut HashMap::new());
                let to_move = stones.to_move();
                assert_eq!(found, slow, "{rule}, {to_move:?} to move\n{}", picture::draw(&stones));
                seen[if found { usize::from(solution.stage > Stage::Fours) } else { 2 }] += 1;
            });
        }
    }
    assert!(seen[0] > 100 && seen[1] > 5 && seen[2] > 100, "{seen:?}");
}

#[test]
fn symmetries_and_colors_change_nothing() {
    use crate::board::Symmetry;
    for (n, rule) in Rule::ALL.into_iter().enumerate() {
        let mut rng = StdRng::seed_from_u64(300 + n as u64);
        let size = Size::square(9);
        for _ in 0..12 {
            with_rule!(rule, R => {
                let stones = strewn::<R>(size, 16, 8, &mut rng);
                let fours_only = Settings { fours_only: true, ..settings(u64::MAX) };
                let plies = |stones: &Stones| match solved::<R>(stones, &fours_only).verdict {
                    Verdict::Win(proof) => Some(must_hold(&proof).plies),
                    Verdict::NoWin(_) => None,
                    Verdict::NotFound => panic!("there was no limit"),
                };
                let expected = plies(&stones);
                for symmetry in Symmetry::of(size) {
                    let mut image = Stones::new(size);
                    for &(point, color) in stones.history() {
                        image.place(symmetry.apply(point, size), color);
                    }
                    assert_eq!(plies(&image), expected);
                }
                if R::treats_colors_alike() {
                    let mut swapped = Stones::new(size);
                    stones.history().iter().for_each(|&(point, color)| swapped.place(point, !color));
                    swapped.set_to_move(!stones.to_move());
                    assert_eq!(plies(&swapped), expected);
                }
            });
        }
    }
}

/// Black has two stones, White two: nothing is forced, and much is to be tried.
fn opening() -> Stones {
    let mut stones = Stones::new(Size::square(15));
    for at in ["h8", "h9", "i9", "g7", "i7", "j8"] {
        let own = stones.to_move();
        stones.place(at.parse().unwrap(), own);
    }
    stones
}

#[test]
fn limits_are_kept() {
    let stones = opening();
    with_rule!(Rule::ALL[0], R => {
        let solution = solved::<R>(&stones, &settings(3_000));
        assert!(matches!(solution.verdict, Verdict::NotFound | Verdict::NoWin(_)));
        assert!(solution.nodes <= 3_100, "{}", solution.nodes);
        let stopped = AtomicBool::new(true);
        let solution = solve::<R>(&stones, &settings(u64::MAX), &stopped, &mut |_| {}).unwrap();
        assert!(matches!(solution.verdict, Verdict::NotFound | Verdict::NoWin(_)));
        assert!(solution.nodes < 3_000);
    });
}

#[test]
fn a_finished_game_is_refused() {
    let stones = picture::read("X X X X X\nO O O O .").unwrap().stones;
    with_rule!(Rule::ALL[0], R => {
        let result = solve::<R>(&stones, &settings(10), &AtomicBool::new(false), &mut |_| {});
        assert!(matches!(result, Err(NothingToSolve::Decided(_))));
        let full = picture::read("X").unwrap().stones;
        let result = solve::<R>(&full, &settings(10), &AtomicBool::new(false), &mut |_| {});
        assert_eq!(result.err(), Some(NothingToSolve::Full));
    });
}

/// Breaks a proof in every way that a slip could, and none may go unnoticed unless the proof is still one.
#[test]
fn broken_proofs_are_refused() {
    let mut refused = 0;
    let mut rng = StdRng::seed_from_u64(5);
    with_rule!(Rule::ALL[1], R => {
        let mut tried = 0;
        while tried < 20 {
            let stones = strewn::<R>(Size::square(11), 18, 9, &mut rng);
            let Verdict::Win(proof) = solved::<R>(&stones, &settings(20_000)).verdict else { continue };
            if proof.nodes.len() < 4 {
                continue;
            }
            tried += 1;
            for n in 0..proof.nodes.len() {
                // Without its replies, a node holds only if there are none that matter.
                let mut broken = proof.clone();
                let had = std::mem::take(&mut broken.nodes[n].replies).len();
                refused += u32::from(had > 0 && check(&broken).is_err());
                // A node that is used by the proof cannot be a five somewhere else.
                let mut broken = proof.clone();
                broken.nodes[n].threat = None;
                let made_five = proof.nodes[n].threat.is_none();
                assert!(made_five || check(&broken).is_err());
                let mut broken = proof.clone();
                broken.stones.kill(proof.nodes[proof.root as usize].point);
                assert!(check(&broken).is_err());
            }
            // The same claim for the other side, or under a rule that knows no win at all there.
            let mut broken = proof.clone();
            broken.stones.set_to_move(!proof.stones.to_move());
            assert!(check(&broken).is_err());
        }
    });
    assert!(refused > 50, "{refused}");
}
