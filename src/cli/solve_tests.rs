//! What `kagetsu solve` says, in every format.

use clap::Parser;

use super::*;
use crate::solve::Proof;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    options: SolveOptions,
}

fn output(arguments: &[&str]) -> anyhow::Result<String> {
    let line = Line::try_parse_from([&["solve"], arguments].concat())?;
    let mut out = Vec::new();
    run(&line.options, Rows::FromBottom, &mut out)?;
    Ok(String::from_utf8(out).expect("it is text"))
}

fn ending(arguments: &[&str]) -> Ending {
    let line = Line::try_parse_from([&["solve"], arguments].concat()).unwrap();
    run(&line.options, Rows::FromBottom, std::io::sink()).unwrap()
}

#[test]
fn the_end_tells_what_was_found() {
    assert_eq!(ending(&["--moves", THREE]), Ending::Done);
    assert_eq!(ending(&["--moves", THREE, "--side", "white"]), Ending::NoWin);
    assert_eq!(ending(&["--moves", "h8 h9 i9 g7 i7 j8", "--nodes", "500"]), Ending::NotFound);
    assert_eq!(ending(&["--board", "3", "--line", "3"]), Ending::Done);
    assert_eq!(ending(&["--board", "4", "--line", "4", "--nodes", "10"]), Ending::NotFound);
    assert_eq!(ending(&["--board", "4", "--line", "4", "--nodes", "10", "--compare"]), Ending::NotFound);
}

#[test]
fn json_is_asked_for_as_elsewhere() {
    let proof = output(&["--moves", THREE, "--json"]).unwrap();
    assert_eq!(Some(proof), output(&["--moves", THREE, "--format", "json"]).ok());
    for other in [["--format", "text"], ["--board", "3"]] {
        assert!(Line::try_parse_from([&["solve", "--json", "--line", "3"], &other[..]].concat()).is_err());
    }
}

#[test]
fn rows_are_read_and_written_alike() {
    let said = |rows: Rows, moves: &str| {
        let line = Line::try_parse_from(["solve", "--moves", moves]).unwrap();
        let mut out = Vec::new();
        run(&line.options, rows, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    // The second row from the lower edge has three stones, whichever edge that is.
    let bottom = said(Rows::FromBottom, "h2 a1 i2 a15 j2 o1");
    let row =
        |text: &str, number: &str| text.lines().find(|line| line.starts_with(number)).unwrap().to_owned();
    assert!(row(&bottom, " 2 ").matches('X').count() == 3, "{bottom}");
    let (first, second) = (bottom.find("\n15 ").unwrap(), bottom.find("\n 2 ").unwrap());
    assert!(
        first < second && bottom.lines().any(|line| line.starts_with("1 g2") || line.starts_with("1 k2")),
        "{bottom}"
    );
    let top = said(Rows::FromTop, "h2 a1 i2 a15 j2 o1");
    assert!(row(&top, " 2 ").matches('X').count() == 3 && top.find("\n15 ") > top.find("\n 2 "), "{top}");
    // Numbers mean the same from either edge.
    assert!(row(&said(Rows::FromBottom, "7,13 0,0 8,13 14,0 9,13 0,14"), " 2 ").contains('X'));
}

#[test]
fn sgf_brings_its_rule() {
    // h8 makes two open threes. Without it, 500 nodes are not enough.
    let game = "(;GM[4]SZ[15]RU[renju];B[hi];W[aa];B[hj];W[ba];B[ih];W[ac];B[jh];W[bc])";
    assert_eq!(ending(&["--moves", game, "--nodes", "500"]), Ending::NotFound);
    assert_eq!(ending(&["--moves", game, "--nodes", "500", "--rule", "freestyle"]), Ending::Done);
}

#[test]
fn a_game_that_is_over_is_not_solved() {
    let error = |arguments: &[&str]| output(arguments).unwrap_err().to_string();
    let won = error(&["--moves", "h8 a1 h9 a2 h10 a3 h11 a4 h12"]);
    assert!(won.contains("a winning line through h12"), "{won}");
    let foul = "g4 a1 h4 a3 i5 a5 i6 a7 i4";
    let lost = error(&["--rule", "renju", "--moves", foul]);
    assert!(lost.contains("i4 was forbidden to Black"), "{lost}");
    // Whoever names the side means the stones, not the game.
    assert!(output(&["--rule", "renju", "--moves", foul, "--side", "white"]).is_ok());
    assert!(output(&["--moves", foul]).is_ok());
}

#[test]
fn a_position_within_a_finished_game_can_be_solved() {
    let game = format!("{THREE} k8 a8 l8");
    let error = output(&["--moves", &game]).unwrap_err();
    assert!(error.to_string().contains("over"), "{error:#}");
    assert_eq!(ending(&["--moves", &game, "--stop-at", "6"]), Ending::Done);
    // Then Black has made a four, and it is White who has nothing.
    assert_eq!(ending(&["--moves", &game, "--stop-at", "7"]), Ending::NoWin);
    let error = output(&["--moves", &game, "--stop-at", "10"]).unwrap_err();
    assert!(format!("{error:#}").contains("the game has 9 stones"), "{error:#}");
}

/// Black to move has an open three.
const THREE: &str = "h8 a1 i8 a15 j8 o1";

#[test]
fn a_win_is_told_in_every_format() {
    let text = output(&["--moves", THREE]).unwrap();
    assert!(
        text.starts_with("Black to move wins by VCF: five on ply 3 at the latest (freestyle 15x15).\n"),
        "{text}"
    );
    assert!(text.contains("1 "), "{text}");
    let tree = output(&["--moves", THREE, "--all-defences"]).unwrap();
    assert!(tree.contains("threatens") && tree.contains(" five\n"), "{tree}");
    let sgf = output(&["--moves", THREE, "--format", "sgf", "--all-defences"]).unwrap();
    assert!(sgf.starts_with("(;FF[4]"), "{sgf}");
    let json = output(&["--moves", THREE, "--format", "json"]).unwrap();
    assert!(check(&Proof::from_json(&json).unwrap()).is_ok(), "{json}");
}

/// In SGF they would be empty, and the proof would not hold.
#[test]
fn positions_with_dead_cells_are_not_written_as_sgf() {
    let picture = ". . . . . . .\n. X X X . . #\n. O O . O . .\n. . . . . . .\n. . . . . . .";
    let error = output(&["--moves", picture, "--format", "sgf"]).unwrap_err();
    assert!(error.is::<Mistake>() && error.to_string().contains("dead cells"), "{error:#}");
    for format in ["text", "json"] {
        assert!(output(&["--moves", picture, "--format", format]).is_ok(), "{format}");
    }
}

#[test]
fn no_win_is_told() {
    let text = output(&["--moves", THREE, "--side", "white"]).unwrap();
    assert!(text.starts_with("no forced win for White by VCT.\nsearched: freestyle 15x15, VCT, "), "{text}");
    // The option had another name once.
    for only in ["--vcf-only", "--fours-only"] {
        let text = output(&["--moves", THREE, "--side", "white", only]).unwrap();
        assert!(text.starts_with("no forced win for White by VCF."), "{text}");
    }
    let json = output(&["--moves", THREE, "--side", "white", "--format", "json"]).unwrap();
    assert!(json.contains("\"verdict\":\"no win\""), "{json}");
    // In the words of the text, and of the solutions of a job.
    assert!(json.contains("\"exhausted\":\"VCT\"") && json.contains("\"searched\":\"VCT"), "{json}");
    let text = output(&["--moves", "h8 h9 i9 g7 i7 j8", "--nodes", "500"]).unwrap();
    assert!(text.starts_with("not found within the limit"), "{text}");
}

#[test]
fn small_games_are_solved() {
    assert!(output(&["--board", "3", "--line", "3"]).unwrap().starts_with("3,3,3 is a draw"));
    let table = output(&["--board", "3x3", "--line", "3", "--compare"]).unwrap();
    assert!(table.contains("alpha-beta"), "{table}");
}

#[test]
fn a_result_has_a_place_before_it_is_looked_for() {
    // A search without a limit, which would not come to its end.
    let hard = ["--moves", "h8 h9 i9 g7 i7 j8", "--time", "0", "--out", "/does/not/exist/a"];
    let error = output(&hard).unwrap_err().to_string();
    assert!(error.contains("--out: /does/not/exist/a cannot be written"), "{error}");
}

#[test]
fn mistakes_are_told() {
    for arguments in [
        &["--moves", "h8 h8"][..],
        &["--moves", "x9", "--rule", "renju"],
        &["--moves", "h8", "--rule", "chess"],
        &["--moves", "h8", "--time", "soon"],
        &["--board", "3"],
        &["--line", "3"],
        &["--board", "9", "--line", "5"],
        &["--board", "3", "--line", "3", "--rule", "renju"],
        &["--board", "3", "--line", "3", "--size", "9"],
        &["--board", "3", "--line", "3", "--moves", "a1 b1", "--stop-at", "1"],
        &["--board", "3", "--line", "3", "--memory", "100"],
        &["/does/not/exist"],
        &["--moves", "a1 b1 a2 b2 a3 b3 a4 b4 a5"],
    ] {
        assert!(output(arguments).is_err(), "{arguments:?}");
    }
}
