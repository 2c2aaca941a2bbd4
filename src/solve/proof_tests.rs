//! Proofs as files, and what is read off them.

use super::*;
use crate::formats::picture;

/// Black has an open three and to move: an open four, answered at one end.
fn proof() -> Proof {
    let stones = picture::read(
        ". . . . . . .
         . . O . . O .
         . . X X X . .
         . . . . . . .
         . . . O . . .",
    );
    let mut stones = stones.unwrap().stones;
    stones.set_to_move(Color::Black);
    let point = |text: &str| text.parse().unwrap();
    let five = |text: &str| ProofNode { point: point(text), threat: None, replies: Vec::new() };
    let four = ProofNode { point: point("f3"), threat: Some(1), replies: vec![(point("b3"), 2)] };
    Proof { rule: Rule::ALL[0], stones, root: 0, nodes: vec![four, five("b3"), five("g3")] }
}

#[test]
fn written_and_read_again_is_the_same() {
    let proof = proof();
    let again = Proof::from_json(&proof.to_json()).unwrap();
    assert_eq!(again.nodes, proof.nodes);
    assert_eq!((again.rule, again.root), (proof.rule, proof.root));
    assert_eq!(again.stones.hash(), proof.stones.hash());
}

#[test]
fn the_longest_line_is_found() {
    assert_eq!(proof().lengths(), [3, 1, 1]);
    let line: Vec<String> = proof().longest_line().iter().map(|p| p.unwrap().to_string()).collect();
    assert_eq!(line, ["f3", "b3", "g3"]);
}

#[test]
fn a_proof_that_refers_to_itself_comes_to_an_end() {
    let mut circle = proof();
    circle.nodes[1].threat = Some(0);
    circle.nodes[2].threat = Some(2);
    assert_eq!(circle.lengths().len(), 3);
    assert!(!circle.longest_line().is_empty());
}

#[test]
fn mistakes_in_json_are_told_with_their_place() {
    let error = Proof::from_json("{\n  \"format\": x}").unwrap_err();
    assert_eq!(error.to_string(), "line 2, column 13: this is no proof in JSON: expected value");
    assert!(std::error::Error::source(&error).is_none(), "the cause would be told twice");
}

#[test]
fn nonsense_is_refused() {
    let good = proof().to_json();
    for (from, to) in [
        ("kagetsu proof 1", "kagetsu proof 2"),
        ("freestyle", "chess"),
        ("7x5", "7x50"),
        ("\"c3\"", "\"c9\""),
        ("\"c3\"", "\"d3\""),
        ("\"threat\":1", "\"threat\":3"),
        ("\"root\":0", "\"root\":-1"),
        ("\"nodes\"", "\"knots\""),
    ] {
        assert!(good.contains(from), "{from}");
        assert!(Proof::from_json(&good.replacen(from, to, 1)).is_err(), "{to}");
    }
}
