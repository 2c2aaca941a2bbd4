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
    run(&line.options, &mut out)?;
    Ok(String::from_utf8(out).expect("it is text"))
}

/// Black to move has an open three.
const THREE: &str = "h8 a1 i8 a15 j8 o1";

#[test]
fn a_win_is_told_in_every_format() {
    let text = output(&["--moves", THREE]).unwrap();
    assert!(text.starts_with("Black to move wins by VCF: five with ply 3 at the latest."), "{text}");
    assert!(text.contains("1 "), "{text}");
    let tree = output(&["--moves", THREE, "--all-defences"]).unwrap();
    assert!(tree.contains("threatens") && tree.contains(" five\n"), "{tree}");
    let sgf = output(&["--moves", THREE, "--format", "sgf", "--all-defences"]).unwrap();
    assert!(sgf.starts_with("(;FF[4]"), "{sgf}");
    let json = output(&["--moves", THREE, "--format", "json"]).unwrap();
    assert!(check(&Proof::from_json(&json).unwrap()).is_ok(), "{json}");
}

#[test]
fn no_win_is_told() {
    let text = output(&["--moves", THREE, "--side", "white"]).unwrap();
    assert!(text.starts_with("no forced win for White by VCT."), "{text}");
    // The option had another name once.
    for only in ["--vcf-only", "--fours-only"] {
        let text = output(&["--moves", THREE, "--side", "white", only]).unwrap();
        assert!(text.starts_with("no forced win for White by VCF."), "{text}");
    }
    let json = output(&["--moves", THREE, "--side", "white", "--format", "json"]).unwrap();
    assert!(json.contains("\"verdict\":\"no win\""), "{json}");
    assert!(json.contains("\"exhausted\":\"fours and threes\""), "{json}");
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
fn mistakes_are_told() {
    for arguments in [
        &["--moves", "h8 h8"][..],
        &["--moves", "x9", "--rule", "renju"],
        &["--moves", "h8", "--rule", "chess"],
        &["--moves", "h8", "--time", "soon"],
        &["--board", "3"],
        &["--line", "3"],
        &["--board", "9", "--line", "5"],
        &["/does/not/exist"],
        &["--moves", "a1 b1 a2 b2 a3 b3 a4 b4 a5"],
    ] {
        assert!(output(arguments).is_err(), "{arguments:?}");
    }
}
