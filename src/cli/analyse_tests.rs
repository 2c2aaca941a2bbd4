//! What `kagetsu analyse` says.

use super::*;
use clap::Parser;

#[derive(Parser)]
struct Program {
    #[command(flatten)]
    options: AnalyseOptions,
}

fn said(arguments: &str, moves: &str) -> String {
    let words = arguments.split_whitespace();
    let words = std::iter::once("analyse").chain(words).chain(["--moves", moves]);
    let mut out = Vec::new();
    run(&Program::parse_from(words).options, Rows::FromBottom, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_best_lines_of_a_position_are_shown() {
    // Black has an open three; White must stop it.
    let text = said("--nodes 20000 --lines 2 --rule standard", "h8 a1 i8 o1 j8");
    assert!(text.contains("standard 15x15, 5 stones, White to move"), "{text}");
    assert!(text.contains(" 1. ") && text.contains(" 2. ") && !text.contains(" 3. "), "{text}");
    let best = text.lines().find(|line| line.contains(" 1. ")).unwrap();
    assert!(["g8", "k8", "f8", "l8"].iter().any(|name| best.contains(name)), "{text}");
}

#[test]
fn blunders_of_a_game_are_marked() {
    // White lets an open three stand.
    let game = "h8 i9 i8 a1 j8 a2 g8 a3 f8";
    let text = said("--game --nodes 20000", game);
    assert!(text.contains("a1?") && text.contains("blunders: "), "{text}");
    assert!(text.lines().count() == 11, "{text}");
    // Positions within a finished game can be analysed.
    let text = said("--stop-at 4 --nodes 5000", game);
    assert!(text.contains("4 stones, Black to move"), "{text}");
    let text = said("--nodes 5000", game);
    assert!(text.contains("The game is over"), "{text}");
}

#[test]
fn who_has_five_first_has_won_whatever_comes_later() {
    // White completes five as well, in a row that is looked at before that of Black.
    for (game, winner) in [
        ("a1 a15 b1 b15 c1 c15 d1 d15 e1 e15", "Black"),
        ("a15 a1 b15 b1 c15 c1 d15 d1 e15 e1", "Black"),
        ("h8 a1 a15 b1 b15 c1 c15 d1 d15 e1 e15", "White"),
    ] {
        let text = said("--nodes 10", game);
        let end = if winner == "Black" { 9 } else { 10 };
        assert!(text.contains(&format!("The game is over: {winner} has won.")), "{text}");
        assert!(text.contains(&format!("It was over after {end} stones; 1 stone came later.")), "{text}");
        let json = said("--nodes 10 --json", game);
        assert!(json.contains(&format!("\"result\":\"{}\"", winner.to_lowercase())), "{json}");
    }
    // What comes later makes the winning move no mistake.
    let text = said("--game --nodes 1000", "a1 a15 b1 b15 c1 c15 d1 d15 e1 e15");
    let winning = text.lines().find(|line| line.contains("  e1 ")).unwrap();
    assert!(winning.contains("  100 %"), "{text}");
}

#[test]
fn the_best_move_that_is_known_is_no_mistake() {
    // Whatever the next search thinks of it.
    let analysis = |stones: usize, best: Point, win_rate| Analysis {
        stones,
        to_move: if stones.is_multiple_of(2) { Color::Black } else { Color::White },
        verdict: Verdict::Ongoing,
        lines: vec![Line { points: vec![best], score: 0, depth: 9, selective_depth: 9 }],
        nodes: 1000,
        elapsed: Duration::ZERO,
        win_rate: Some(win_rate),
    };
    let stones = crate::formats::moves::position("h8 i9", crate::board::Size::square(15)).unwrap();
    let [h8, i9] = [0, 1].map(|n| stones.history()[n].0);
    for (best, is_lost) in [(i9, false), (Point::new(0, 0), true)] {
        let analyses = [analysis(0, h8, 0.5), analysis(1, best, 0.75), analysis(2, Point::new(1, 1), 0.75)];
        let text = whole_game(&stones, &analyses, Rows::FromBottom, false);
        assert_eq!(text.contains("??"), is_lost, "{text}");
        assert_eq!(text.contains("blunders: 1"), is_lost, "{text}");
    }
}

#[test]
fn what_is_found_late_corrects_the_table_and_the_records() {
    // Black's fourth in a row decides the game, which a search of a few nodes sees only then.
    let game = "h8 a1 i8 a15 j8 o1 k8 o15 l8";
    let text = said("--game --time 0 --nodes 30", game);
    assert!(text.contains("a15") && text.contains("100 %"), "{text}");
    let records: Vec<serde_json::Value> =
        said("--game --json --time 0 --nodes 30", game).lines().map(|line| line.parse().unwrap()).collect();
    let marks = text.lines().filter(|row| row.contains('?')).count();
    assert_eq!(records.iter().filter(|record| record["mark"].as_str() > Some("")).count(), marks, "{text}");
    assert!(records.iter().all(|record| record["hindsight"].is_f64() || record["win_rate"].is_null()));
}

#[test]
fn a_game_is_over_whatever_comes_after_its_end() {
    for (options, moves, told) in [
        (
            "",
            "h8 a1 h9 b1 h10 d1 h11 e1 h12 o1 o2",
            "over: Black has won.\nIt was over after 9 stones; 2 stones came later.\n",
        ),
        ("", "h8 a1 h9 b1 h10 d1 h11 e1 h12", "over: Black has won.\n"),
        // The fifth stone of the row is not the last of the picture.
        ("--size 5", "XXXXX\n.OO..\n.O...\n.....\nO....", "over: Black has won.\n"),
        // Black's last stone makes two threes.
        (
            "--rule renju",
            "g4 a1 h4 a3 i5 a5 i6 a7 i4",
            "over: White has won, because Black's move is forbidden.\n",
        ),
        ("--size 5", "XXOXX\nOOXOO\nXXOXX\nOOXOO\nXXOOX", "over: it is a draw.\n"),
    ] {
        let text = said(&format!("--nodes 1000 {options}"), moves);
        assert!(text.ends_with(told), "{text}");
    }
    let result = |options: &str, moves: &str| {
        let text = said(&format!("--nodes 1000 --json {options}"), moves);
        serde_json::from_str::<serde_json::Value>(&text).unwrap()["result"].clone()
    };
    assert_eq!(result("", "h8 a1 h9 b1 h10 d1 h11 e1 h12 o1"), "black");
    assert_eq!(result("--rule renju", "g4 a1 h4 a3 i5 a5 i6 a7 i4"), "white");
    assert_eq!(result("--size 5", "XXOXX\nOOXOO\nXXOXX\nOOXOO\nXXOOX"), "draw");
    assert_eq!(result("", "h8 a1"), serde_json::Value::Null);
    // The same stones in a picture: which of them came last is not known.
    let picture = "...............\n".repeat(8)
        + "O..............\n........X......\nO.......X......\n......XXX......\nO..............\n\
           ...............\nO..............\n";
    let text = said("--nodes 1000 --rule renju", &picture);
    assert!(!text.contains("The game is over"), "{text}");
}

#[test]
fn a_game_goes_on_although_nothing_was_searched() {
    let text = said("--nodes 1 --time 0", "h8 i9 j8");
    assert!(text.contains("Nothing was searched") && !text.contains("over"), "{text}");
    let text = said("--nodes 1 --time 0 --game", "h8 i9 j8");
    assert!(text.contains("    -   ") && !text.contains("50 %"), "{text}");
    let text = said("--nodes 1 --time 0 --json", "h8 i9 j8");
    let value: serde_json::Value = text.parse().unwrap();
    assert_eq!((&value["win_rate"], &value["lines"]), (&serde_json::Value::Null, &serde_json::json!([])));
    // Where only one point is left, a line is asked for all the same.
    let text = said("--nodes 1000 --lines 1 --size 5", "XXOXX\nOOXOO\nXXOXX\nOOXOO\nXXOO.");
    assert!(text.contains(" 1. ") && !text.contains("over"), "{text}");
}

#[test]
fn a_game_in_sgf_brings_its_rule_and_its_first_move() {
    let game = "(;GM[4]SZ[15]RU[renju];B[hi];W[aa];B[hj];W[ba];B[ih];W[ac];B[jh];W[bc])";
    assert!(said("--nodes 500", game).contains("renju 15x15"));
    assert!(said("--nodes 500 --rule standard", game).contains("standard 15x15"));
    // A pass, and stones that were set up.
    for (game, moves) in [
        ("(;GM[4]SZ[15];B[hh];W[ih];B[ii];W[];B[jj];W[aa])", 5),
        ("(;GM[4]SZ[15]AB[hh][ih]AW[aa]PL[B];B[jh];W[gh])", 2),
    ] {
        let text = said("--game --nodes 300", game);
        assert_eq!(text.lines().count(), 1 + moves + 1, "{text}");
    }
    // White loses by passing, and nobody by moving twice.
    let text = said("--game --nodes 5000", "(;GM[4]SZ[15];B[hh];B[ii];B[jj])");
    assert!(text.ends_with("mistakes: 0, blunders: 0\n") && !text.contains('?'), "{text}");
    let only_stones = Program::parse_from(["analyse", "--game", "--moves", "(;AB[hh]AW[aa])"]).options;
    assert!(run(&only_stones, Rows::FromBottom, &mut Vec::new()).is_err());
}

#[test]
fn every_position_of_a_game_has_the_lines_that_are_asked_for() {
    let game = "h8 i9 i8 a1";
    let text = said("--game --lines 2 --nodes 4000", game);
    let count = |start: &str| text.lines().filter(|line| line.trim_start().starts_with(start)).count();
    // On the empty board only the middle is looked at.
    assert_eq!((count("1. "), count("2. "), count("3. ")), (4, 3, 0), "{text}");
    let counts = |options: &str| -> Vec<usize> {
        let positions = said(options, game);
        let lines = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["lines"].clone();
        positions.lines().map(|line| lines(line).as_array().unwrap().len()).collect()
    };
    assert_eq!(counts("--game --json --lines 3 --nodes 4000"), [1, 3, 3, 3, 3]);
    assert_eq!(counts("--game --json --nodes 4000"), [1; 5]);
    assert_eq!(counts("--json --nodes 4000"), [3]);
}

#[test]
fn scripts_get_a_line_for_each_position() {
    let text = said("--game --json --nodes 2000", "h8 i9 j8");
    let values: Vec<serde_json::Value> = text.lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(values.len(), 4);
    assert_eq!(values[1]["played"], "i9");
    assert_eq!(values[1]["rows"], "bottom");
    assert_eq!(values[3]["played"], serde_json::Value::Null);
    assert!(values[2]["lines"][0]["moves"].as_array().is_some_and(|moves| !moves.is_empty()));
    assert!(values.iter().all(|value| value["format"] == "kagetsu analysis 1"));
}
