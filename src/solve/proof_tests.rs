//! Proofs written to and read from files, and the lines that they contain.

use super::*;
use crate::formats::picture;

/// Black, to move, has an open three and makes an open four, which is answered at one end.
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
fn dead_cells_are_written_and_read() {
    let mut proof = proof();
    let corner = "a1".parse().unwrap();
    proof.stones.kill(corner);
    let text = proof.to_json();
    let again = Proof::from_json(&text).unwrap();
    assert_eq!(again.stones.cell(corner), Cell::Dead);
    assert_eq!(again.stones.hash(), proof.stones.hash());
    let twice = text.replacen("[\"a1\"]", "[\"a1\",\"a1\"]", 1);
    let error = Proof::from_json(&twice).unwrap_err().to_string();
    assert_eq!(error, "`a1` is not a point, or is off the board or taken");
}

#[test]
fn lengths_are_those_of_the_longest_way_however_nodes_are_shared() {
    let mut proof = proof();
    let (at, node) = (proof.nodes[0].point, |point: Point, ids: &[NodeId]| ProofNode {
        point,
        threat: None,
        replies: ids.iter().map(|&id| (point, id)).collect(),
    });
    proof.root = 0;
    proof.nodes = vec![node(at, &[3, 3, 2, 1]), node(at, &[3, 3, 2]), node(at, &[3]), node(at, &[])];
    assert_eq!(proof.lengths(), [7, 5, 3, 1]);
    // A node that refers to itself, which a checker refuses.
    proof.nodes = vec![node(at, &[0, 1]), node(at, &[])];
    assert_eq!(proof.lengths(), [3, 1]);
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
    assert_eq!(error.to_string(), "line 2, column 13: this is not a proof in JSON: expected value");
    assert!(std::error::Error::source(&error).is_none(), "the cause would be told twice");
}

#[test]
fn nonsense_is_refused() {
    let good = proof().to_json();
    for (from, to, said) in [
        ("kagetsu proof 1", "kagetsu proof 2", "the format is `kagetsu proof 2`, not `kagetsu proof 1`"),
        ("freestyle", "chess", "`chess` is not a rule"),
        ("7x5", "7x50", "`7x50` is not a board size"),
        ("\"c3\"", "\"c9\"", "`c9` is not a point, or is off the board or taken"),
        ("\"c3\"", "\"d3\"", "`d3` is not a point, or is off the board or taken"),
        ("{\"b3\":2}", "{\"b03\":2,\"b3\":1}", "`b3` is not a point, or is off the board or taken"),
        ("\"threat\":1", "\"threat\":3", "there is no node 3"),
        ("\"root\":0", "\"root\":3", "there is no node 3"),
        ("\"root\":0", "\"root\":-1", "not a proof in JSON"),
        ("\"nodes\"", "\"knots\"", "not a proof in JSON"),
    ] {
        assert!(good.contains(from), "{from}");
        let error = Proof::from_json(&good.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(said), "{to}: {error}");
    }
}
