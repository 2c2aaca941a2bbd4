//! Compares the solver with slow reference implementations on random positions of every rule. Every win goes
//! through the checker.

use std::collections::HashMap;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::board::Size;
use crate::formats::picture;
use crate::random::scattered;
use crate::rules::judge::{self, Verdict as Judged};
use crate::solve::{Checked, Proof, SolverVerdict, check};

/// A solver with small tables.
fn solver(nodes: Option<u64>) -> Solver {
    Solver::new(SolverLimits { nodes, memory: 1 << 20, ..SolverLimits::default() })
}

/// The result of the checker, which must accept the proof.
fn must_hold(proof: &Proof) -> Checked {
    // Through the file format, so that the proof is checked as it is read.
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
            let stones = scattered(rule, size, count, 9, &mut rng);
            let solution = solver(Some(6_000)).solve(rule, &stones).unwrap();
            if let SolverVerdict::Win(proof) = &solution.verdict {
                let checked = must_hold(proof);
                assert_eq!(checked.plies as usize, proof.longest_line().len());
                wins[solution.space as usize] += 1;
            }
        }
    }
    assert!(wins[0] > 50 && wins[1] > 15 && wins[2] > 1, "{wins:?}");
}

/// The value of a position for the side to move, by exhaustive search: 1, 0 or -1.
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
        let value = match judge::verdict::<R>(stones) {
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
            let mut stones = scattered(rule, size, size.area() - 9, 8, &mut rng);
            if stones.empty_count() > 10 || stones.is_full() {
                continue;
            }
            let solution = solver(None).solve(rule, &stones).unwrap();
            let known = &mut HashMap::new();
            let value = with_rule!(rule, R => exact_value::<R>(&mut stones, known));
            let is_win = matches!(solution.verdict, SolverVerdict::Win(_));
            if let SolverVerdict::Win(proof) = &solution.verdict {
                must_hold(proof);
                assert_eq!(value, 1, "{rule}\n{}", picture::draw(&stones));
            }
            wins += u32::from(is_win);
            missed += u32::from(value == 1 && !is_win);
        }
    }
    // A quiet move may win too, but not often here.
    assert!(wins > 50 && missed * 4 < wins, "{wins} wins, {missed} by quiet moves");
}

#[test]
fn free_games_agree_with_those_that_are_solved_completely() {
    use crate::solve::mnk::{self, MnkGame, MnkMethod, MnkValue};
    let rule = Rule::ALL[0];
    let mut seen = [0; 2];
    let mut rng = StdRng::seed_from_u64(7);
    for _ in 0..60 {
        let size = Size::new(6, 5).unwrap();
        let game = MnkGame::new(6, 5, 5).unwrap();
        let stones = scattered(rule, size, 14, 6, &mut rng);
        // The colours alternate, so the position can be replayed.
        let board = stones.history().iter().fold(game.start(), |board, (point, _)| {
            game.play(board, point.x(), point.y()).expect("the cell is empty")
        });
        let value = mnk::solve(&game, board, MnkMethod::Table, u64::MAX).value;
        let verdict = solver(None).solve(rule, &stones).unwrap().verdict;
        let is_win = matches!(verdict, SolverVerdict::Win(_));
        assert!(!is_win || value == Some(MnkValue::Win), "\n{}", picture::draw(&stones));
        seen[usize::from(is_win)] += 1;
    }
    assert!(seen[0] > 5 && seen[1] > 5, "{seen:?}");
}

#[test]
fn symmetries_and_colors_change_nothing() {
    use crate::board::Symmetry;
    for (n, rule) in Rule::ALL.into_iter().enumerate() {
        let mut rng = StdRng::seed_from_u64(300 + n as u64);
        let size = Size::square(9);
        for _ in 0..12 {
            let stones = scattered(rule, size, 16, 8, &mut rng);
            let vcf = solver(None).within(ThreatSpace::Vcf);
            let plies = |stones: &Stones| match vcf.solve(rule, stones).unwrap().verdict {
                SolverVerdict::Win(proof) => Some(must_hold(&proof).plies),
                SolverVerdict::NoWin(_) => None,
                SolverVerdict::Unknown => panic!("there was no limit"),
            };
            let expected = plies(&stones);
            for symmetry in Symmetry::of(size) {
                let mut image = Stones::new(size);
                for &(point, color) in stones.history() {
                    image.place(symmetry.apply(point, size), color);
                }
                assert_eq!(plies(&image), expected);
            }
            if with_rule!(rule, R => R::treats_colors_alike()) {
                let mut swapped = Stones::new(size);
                stones.history().iter().for_each(|&(point, color)| swapped.place(point, !color));
                swapped.set_to_move(!stones.to_move());
                assert_eq!(plies(&swapped), expected);
            }
        }
    }
}

/// Three stones each: there is no forced win, and much to search.
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
    let (rule, stones) = (Rule::ALL[0], opening());
    let solution = solver(Some(3_000)).solve(rule, &stones).unwrap();
    assert!(matches!(solution.verdict, SolverVerdict::Unknown | SolverVerdict::NoWin(_)));
    assert!(solution.nodes <= 3_100, "{}", solution.nodes);
    // Without any time, nothing is searched but the nodes between two checks of the clock.
    let time = Some(std::time::Duration::ZERO);
    let hasty = Solver::new(SolverLimits { time, memory: 1 << 20, ..SolverLimits::default() });
    let solution = hasty.solve(rule, &stones).unwrap();
    assert!(matches!(solution.verdict, SolverVerdict::Unknown | SolverVerdict::NoWin(_)));
    assert!(solution.nodes < 3_000, "{}", solution.nodes);
    // More time than any clock can show is no limit.
    let limits = SolverLimits { nodes: Some(3_000), memory: 1 << 20, ..SolverLimits::default() };
    let patient = Solver::new(SolverLimits { time: Some(std::time::Duration::MAX), ..limits });
    assert_eq!(
        patient.solve(rule, &stones).unwrap().nodes,
        Solver::new(limits).solve(rule, &stones).unwrap().nodes
    );
}

#[test]
fn a_stopped_search_says_what_it_knows() {
    let control = SolverControl::default();
    control.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let solution = solver(None).run(Rule::ALL[0], &opening(), &control, &mut |_| {});
    assert!(matches!(solution.verdict, SolverVerdict::Unknown | SolverVerdict::NoWin(_)));
    assert!(solution.nodes < 3_000);
}

#[test]
fn each_space_is_exhausted_by_itself() {
    let (rule, stones) = (Rule::ALL[0], opening());
    for space in [ThreatSpace::Vcf, ThreatSpace::OpenThrees, ThreatSpace::Vct] {
        let solution = solver(Some(1 << 20)).within(space).solve(rule, &stones).unwrap();
        assert!(matches!(solution.verdict, SolverVerdict::NoWin(found) if found == space), "{solution:?}");
        assert_eq!((solution.space, solution.exhausted), (space, Some(space)));
    }
}

#[test]
fn a_finished_game_is_refused() {
    let stones = picture::read("X X X X X\nO O O O .").unwrap().stones;
    assert!(matches!(solver(None).solve(Rule::ALL[0], &stones), Err(SolverError::Decided(_))));
    let full = picture::read("X").unwrap().stones;
    assert_eq!(solver(None).solve(Rule::ALL[0], &full).err(), Some(SolverError::Full));
}

/// Breaks a proof in every way that a slip could. None may go unnoticed, unless the proof still holds.
#[test]
fn broken_proofs_are_refused() {
    let mut refused = 0;
    let mut rng = StdRng::seed_from_u64(5);
    let rule = Rule::ALL[1];
    let mut tried = 0;
    while tried < 20 {
        let stones = scattered(rule, Size::square(11), 18, 9, &mut rng);
        let verdict = solver(Some(20_000)).solve(rule, &stones).unwrap().verdict;
        let SolverVerdict::Win(proof) = verdict else { continue };
        if proof.nodes.len() < 4 {
            continue;
        }
        tried += 1;
        for n in 0..proof.nodes.len() {
            // Without its listed replies, a node holds only if none of them matters.
            let mut broken = proof.clone();
            let had = std::mem::take(&mut broken.nodes[n].replies).len();
            refused += u32::from(had > 0 && check(&broken).is_err());
            // A node whose move does not make five must not be accepted as one that does.
            let mut broken = proof.clone();
            broken.nodes[n].threat = None;
            let made_five = proof.nodes[n].threat.is_none();
            assert!(made_five || check(&broken).is_err());
            let mut broken = proof.clone();
            broken.stones.kill(proof.nodes[proof.root as usize].point);
            assert!(check(&broken).is_err());
        }
        // The same claim for the other side.
        let mut broken = proof.clone();
        broken.stones.set_to_move(!proof.stones.to_move());
        assert!(check(&broken).is_err());
    }
    assert!(refused > 50, "{refused}");
}
