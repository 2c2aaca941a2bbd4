//! Compares small games with known values, and every method with minimax.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;

const NO_LIMIT: u64 = u64::MAX;

fn solved(width: usize, height: usize, line: usize, method: MnkMethod) -> MnkSolution {
    let game = MnkGame::new(width, height, line).unwrap();
    solve(&game, game.start(), method, NO_LIMIT)
}

#[test]
fn tic_tac_toe_is_a_draw_for_every_method() {
    for method in MnkMethod::ALL {
        assert_eq!(solved(3, 3, 3, method).value, Some(MnkValue::Draw), "{method:?}");
    }
    // The textbook number of all nodes of the game tree.
    assert_eq!(solved(3, 3, 3, MnkMethod::Minimax).nodes, 549_946);
}

#[test]
fn known_games_have_their_values() {
    // Uiterwijk and van den Herik, The advantage of the initiative (2000), and the small cases by hand.
    for (width, height, line, value) in [
        (1, 1, 1, MnkValue::Win),
        (2, 2, 2, MnkValue::Win),
        (5, 1, 2, MnkValue::Win),
        (2, 1, 3, MnkValue::Draw),
        (4, 3, 3, MnkValue::Win),
        (4, 4, 3, MnkValue::Win),
        (4, 4, 4, MnkValue::Draw),
        (5, 4, 4, MnkValue::Draw),
        (5, 5, 4, MnkValue::Draw),
        (6, 5, 4, MnkValue::Win),
    ] {
        let solution = solved(width, height, line, MnkMethod::Table);
        assert_eq!(solution.value, Some(value), "{width},{height},{line}");
    }
}

#[test]
fn numbers_without_bounds_make_no_game_or_an_easy_one() {
    assert_eq!(MnkGame::new(usize::MAX, 1, 3), None);
    assert_eq!(MnkGame::new(1, usize::MAX, 3), None);
    // Nobody can make a line that is longer than the board.
    for line in [4, 64, 65, 1 << 63, usize::MAX] {
        assert_eq!(solved(2, 2, line, MnkMethod::Table).value, Some(MnkValue::Draw), "{line}");
    }
}

#[test]
fn a_search_ends_when_it_is_told_to() {
    let game = MnkGame::new(5, 5, 4).unwrap();
    let nodes = |deadline, stop| {
        let stop = AtomicBool::new(stop);
        let solution = solve_until(&game, game.start(), MnkMethod::Minimax, 5_000, deadline, &stop);
        assert_eq!((solution.value, solution.best), (None, None));
        solution.nodes
    };
    assert_eq!(nodes(None, false), 5_000);
    assert!(nodes(None, true) < 1_000 && nodes(Some(Instant::now()), false) < 1_000);
}

/// A random position with `empty` cells left, in which nobody has won.
fn random_board(game: &MnkGame, empty: u32, rng: &mut StdRng) -> MnkBoard {
    loop {
        let mut board = game.start();
        while !game.is_won(board) && (game.cells & !board.stones()).count_ones() > empty {
            let free: Vec<u64> = bits(game.cells & !board.stones()).collect();
            board = board.after(MnkMove(free[rng.random_range(0..free.len())]));
        }
        if !game.is_won(board) {
            return board;
        }
    }
}

#[test]
fn every_method_finds_what_minimax_finds() {
    let mut rng = StdRng::seed_from_u64(1);
    let mut seen = [0; 3];
    for (width, height, line) in [(3, 3, 3), (4, 3, 3), (4, 4, 4), (5, 4, 4), (6, 5, 4), (7, 6, 5)] {
        let game = MnkGame::new(width, height, line).unwrap();
        for _ in 0..60 {
            let board = random_board(&game, 7, &mut rng);
            let minimax = solve(&game, board, MnkMethod::Minimax, NO_LIMIT);
            let value = minimax.value.unwrap();
            seen[value as usize] += 1;
            let mut least = minimax.nodes;
            for method in MnkMethod::ALL {
                let solution = solve(&game, board, method, NO_LIMIT);
                assert_eq!(solution.value, Some(value), "{game} {method:?} {board:?}");
                // The move leads to the value.
                let after = solve(&game, board.after(solution.best.unwrap()), method, NO_LIMIT);
                assert_eq!(after.value, Some(-value), "{game} {method:?} {board:?}");
                if method <= MnkMethod::AlphaBeta {
                    assert!(solution.nodes <= least);
                    least = solution.nodes;
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
}

#[test]
fn lines_are_seen_in_every_direction_and_not_around_the_edge() {
    let game = MnkGame::new(4, 4, 3).unwrap();
    let board = |cells: &[(usize, usize)]| {
        cells.iter().fold(0, |all, (x, y)| all | game.play(game.start(), *x, *y).unwrap().other)
    };
    for line in &game.lines {
        assert!(game.has_line(*line) && line.count_ones() == 3);
    }
    assert_eq!(game.lines.len(), 24);
    assert!(!game.has_line(board(&[(2, 0), (3, 0), (0, 1)])));
    assert!(!game.has_line(board(&[(3, 0), (0, 2), (1, 3)])));
}

#[test]
fn a_search_gives_up() {
    let game = MnkGame::new(5, 5, 4).unwrap();
    let solution = solve(&game, game.start(), MnkMethod::Minimax, 1000);
    assert_eq!((solution.value, solution.best), (None, None));
    assert!(MnkGame::new(8, 8, 5).is_none() && MnkGame::new(0, 3, 3).is_none());
    assert!(game.play(game.start(), 5, 0).is_none());
}

/// One table for all moves gives the same values as a separate search of each, and giving up loses nothing that is
/// known.
#[test]
fn every_move_has_the_value_of_its_position() {
    let mut rng = StdRng::seed_from_u64(11);
    for (width, height, line) in [(3, 3, 3), (4, 3, 3), (4, 4, 4), (4, 4, 3)] {
        let game = MnkGame::new(width, height, line).unwrap();
        for empty in [1, 3, 6, 9] {
            let board = random_board(&game, empty, &mut rng);
            let moves = solve_moves(&game, board, 1_000_000);
            assert_eq!(moves.solution, solve(&game, board, MnkMethod::Table, 1_000_000));
            for &(at, value) in &moves.values {
                let alone = solve(&game, board.after(at), MnkMethod::Table, 1_000_000);
                assert_eq!(value, alone.value.map(|value| -value));
            }
            let best = moves.values.iter().filter_map(|&(_, value)| value).max();
            assert_eq!(best, moves.solution.value);
            assert!(moves.values.contains(&(moves.choice.unwrap(), best)));
            // Even with next to no nodes there is a move.
            let hasty = solve_moves(&game, board, 1);
            assert!(hasty.choice.is_some() && hasty.values.len() == moves.values.len());
        }
    }
    let game = MnkGame::new(3, 1, 1).unwrap();
    let over = solve_moves(&game, game.play(game.start(), 1, 0).unwrap(), 1_000_000);
    assert_eq!((over.values, over.choice, over.solution.value), (Vec::new(), None, Some(MnkValue::Loss)));
}
