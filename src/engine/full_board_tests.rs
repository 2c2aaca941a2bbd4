//! What an engine makes of boards on which little or nothing can happen any more.

use super::tests::{ask, point, stones, to_depth};
use super::*;
use crate::board::Color;
use crate::eval::score;

#[test]
fn a_board_without_a_line_left_is_a_draw() {
    let picture = "X X O O X X
                   O O X X O O
                   X X O O X X
                   O O X X O O
                   . . . . . .
                   . . . . . .";
    let mut board = stones(picture);
    for rule in Rule::ALL {
        for to_move in Color::ALL {
            board.set_to_move(to_move);
            let answer = ask(rule, &board, &to_depth(8));
            assert!(!score::is_decided(answer.lines[0].score), "{rule} {to_move:?}: {:?}", answer.lines);
        }
    }
}

/// White threatens to make a row of five through two points that are forbidden to Black. Nothing but moves that change
/// nothing is left to Black meanwhile.
#[test]
fn a_side_that_can_only_wait_is_not_safe() {
    const ROW: &str = "# # # # # # # .
                       # # # # # # # #
                       # # # X X # # .
                       # # # X X # # #
                       # # # X X # # .
                       O O . . . # # #
                       # # # X X # # .
                       # # # X X # # #";
    let mut stones = stones(ROW);
    stones.set_to_move(Color::White);
    let answer = ask(Rule::Renju, &stones, &to_depth(8));
    assert_eq!((answer.moves[0], answer.lines[0].score), (point("c6"), score::win_in(5)));
    // Where Black may take the points, there is nothing to win.
    let answer = ask(Rule::Standard, &stones, &to_depth(8));
    assert!(!score::is_decided(answer.lines[0].score), "{:?}", answer.lines);
}

/// Rows of six do not win in standard, so no five fits on a column whose only free point makes one.
#[test]
fn points_that_only_make_overlines_are_of_no_use() {
    const OVERLINES: &str = "X # X # . # .
                             X # X # # # #
                             X # X # . # .
                             . # . # # # #
                             X # X # . # .
                             X # X # # # #";
    let mut stones = stones(OVERLINES);
    for to_move in Color::ALL {
        stones.set_to_move(to_move);
        let answer = ask(Rule::Standard, &stones, &to_depth(2));
        assert_eq!(answer.lines[0].score, score::DRAW, "{to_move:?}");
    }
}

/// In renju, a point where Black would make an overline may be the last one left to Black, and then the foul
/// decides.
#[test]
fn a_foul_that_is_left_to_black_is_seen_before_the_board_is_full() {
    // No five fits anywhere; d4 makes seven.
    const SPENT: [&str; 7] = [
        "O X X X O X O",
        "O O X X X O .",
        "O O O O X X O",
        "X X X . X X X",
        "O O O X X O O",
        "O X O . X X O",
        "O O O X X X O",
    ];
    let look = |rule, first_row: &str, middle_row: &str, to_move| {
        let mut rows = SPENT;
        (rows[0], rows[3]) = (first_row, middle_row);
        let mut stones = stones(&rows.join("\n"));
        stones.set_to_move(to_move);
        let answer = ask(rule, &stones, &to_depth(6));
        (answer.moves[0], answer.lines[0].score)
    };
    let (_, score) = look(Rule::Renju, SPENT[0], SPENT[3], Color::Black);
    assert_eq!(score, score::lost_in(3));
    // White leaves the point alone.
    let (at, score) = look(Rule::Renju, ". X X X O X O", SPENT[3], Color::White);
    assert!(score == score::win_in(4) && at != point("d4"), "{score} {at}");
    // With one point more White must take it in the end.
    let (_, score) = look(Rule::Renju, ". X X X O X O", SPENT[3], Color::Black);
    assert_eq!(score, score::DRAW);
    // Nothing is forbidden: under another rule, or with the point taken.
    let (_, score) = look(Rule::Standard, SPENT[0], SPENT[3], Color::Black);
    assert_eq!(score, score::DRAW);
    let (_, score) = look(Rule::Renju, ". X X X O X O", "X X X O X X X", Color::Black);
    assert_eq!(score, score::DRAW);
    // Where it is the only point, it is played and loses.
    let mut rows = SPENT;
    (rows[1], rows[5]) = ("O O X X X O X", "O X O O X X O");
    let mut stones = stones(&rows.join("\n"));
    stones.set_to_move(Color::Black);
    let answer = ask(Rule::Renju, &stones, &Request { task: Task::Rank { lines: 1 }, ..to_depth(6) });
    assert_eq!(answer.lines[0].score, score::lost_in(1));
}
