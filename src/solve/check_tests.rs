//! Proofs that hold, and a broken one for each kind of flaw.

use super::*;
use crate::formats::picture;
use crate::rules::Rule;

fn point(text: &str) -> Point {
    text.parse().unwrap()
}

fn node(at: &str, threat: Option<NodeId>, replies: &[(&str, NodeId)]) -> ProofNode {
    let mut replies: Vec<_> = replies.iter().map(|&(at, id)| (point(at), id)).collect();
    replies.sort_unstable();
    ProofNode { point: point(at), threat, replies }
}

fn proof(rule: &str, attacker: Color, picture: &str, nodes: Vec<ProofNode>) -> Proof {
    let mut stones = picture::read(picture).unwrap().stones;
    stones.set_to_move(attacker);
    Proof { rule: rule.parse().unwrap(), stones, root: 0, nodes }
}

const THREE: &str = ". . . . . . .
                     . . X X X . .
                     . . . . . . .";

/// An open four from an open three.
fn open_four(rule: &str, attacker: Color, picture: &str) -> Proof {
    let nodes = vec![node("f2", Some(1), &[("b2", 2)]), node("b2", None, &[]), node("g2", None, &[])];
    proof(rule, attacker, picture, nodes)
}

#[test]
fn an_open_four_wins() {
    for rule in Rule::ALL {
        let checked = check(&open_four(rule.name(), Color::Black, THREE)).unwrap();
        assert_eq!(checked.plies, 3);
        assert!(checked.replies > 5);
    }
}

/// The shorter the limit, the deeper in the proof it may be reached.
#[test]
fn a_proof_that_takes_too_long_is_left_undecided() {
    let proof = open_four("freestyle", Color::Black, THREE);
    let replies = check(&proof).unwrap().replies;
    let checked = |most_replies| with_rule!(proof.rule, R => Checker { most_replies, ..Checker::<R>::new(&proof) }.run());
    assert!(checked(replies).is_ok());
    for most in 0..replies {
        assert_eq!(checked(most).unwrap_err().kind, FlawKind::TooLong(most));
    }
}

#[test]
fn nodes_that_nothing_leads_to_are_not_counted() {
    let mut proof = open_four("freestyle", Color::Black, THREE);
    proof.nodes.push(node("a1", Some(3), &[]));
    assert_eq!(check(&proof).unwrap().nodes, 3);
}

/// Whatever a proof lists, its length is that of the play that it allows.
#[test]
fn only_what_can_be_played_counts_for_the_length() {
    let four = ". . . . . . .
                . X X X X . .
                . . . . . . .";
    for replies in [vec![], vec![("a1", 0)], vec![("a1", 1)]] {
        let nodes = vec![node("f2", None, &replies), node("g1", Some(2), &[]), node("g2", None, &[])];
        assert_eq!(check(&proof("freestyle", Color::Black, four, nodes)).unwrap().plies, 1, "{replies:?}");
    }
    // The reply is onto a stone.
    let mut taken = open_four("freestyle", Color::Black, THREE);
    taken.nodes.push(node("g1", Some(0), &[]));
    taken.nodes[0].replies.push((point("d2"), 3));
    taken.nodes[0].replies.sort_unstable();
    assert_eq!(check(&taken).unwrap().plies, 3);
}

#[test]
fn each_flaw_is_found() {
    let flaw = |change: &dyn Fn(&mut Proof)| {
        let mut proof = open_four("freestyle", Color::Black, THREE);
        change(&mut proof);
        check(&proof).unwrap_err()
    };
    let none = |proof: &mut Proof| proof.nodes[0].replies.clear();
    assert_eq!(flaw(&none), Flaw { line: vec![point("f2")], kind: FlawKind::Unanswered(point("b2")) });
    let wrong = |proof: &mut Proof| proof.nodes[2].point = point("g1");
    let line = vec![point("f2"), point("b2")];
    assert_eq!(flaw(&wrong), Flaw { line, kind: FlawKind::NoFive(point("g1")) });
    let taken = |proof: &mut Proof| proof.nodes[2].point = point("c2");
    assert_eq!(flaw(&taken).kind, FlawKind::Taken(point("c2")));
    let no_four = |proof: &mut Proof| proof.nodes[0].point = point("f1");
    assert!(matches!(flaw(&no_four).kind, FlawKind::Unanswered(_)));
    let no_threat = |proof: &mut Proof| proof.nodes[0].threat = None;
    assert_eq!(flaw(&no_threat).kind, FlawKind::NoFive(point("f2")));
    let nowhere = |proof: &mut Proof| proof.nodes[0].threat = Some(3);
    assert_eq!(flaw(&nowhere), Flaw { line: Vec::new(), kind: FlawKind::NoNode(3) });
    let no_root = |proof: &mut Proof| proof.root = 7;
    assert_eq!(flaw(&no_root).kind, FlawKind::NoNode(7));
    let circle = |proof: &mut Proof| proof.nodes[1].threat = Some(0);
    assert!(
        check(&{
            let mut proof = open_four("freestyle", Color::Black, THREE);
            circle(&mut proof);
            proof.nodes[1].point = point("a1");
            proof
        })
        .is_err()
    );
    let won = |proof: &mut Proof| {
        ["f2", "g2"].iter().for_each(|at| proof.stones.place(point(at), Color::Black));
        proof.stones.set_to_move(Color::Black);
    };
    assert!(matches!(flaw(&won).kind, FlawKind::Decided(_)));
}

#[test]
fn a_five_of_the_opponent_comes_first() {
    let picture = ". O O O O . .
                   . . X X X . .
                   . . . . . . .";
    let flaw = check(&open_four("freestyle", Color::Black, picture)).unwrap_err();
    assert_eq!(flaw.kind, FlawKind::OtherFive(point("a1")));
}

/// The last empty point is taken by a four that nobody can complete.
#[test]
fn a_full_board_is_no_win() {
    let nodes = vec![node("a1", Some(1), &[]), node("a1", None, &[])];
    let full = proof("freestyle", Color::Black, ". X X O X", nodes);
    let flaw = check(&full).unwrap_err();
    assert_eq!(flaw, Flaw { line: vec![point("a1")], kind: FlawKind::Full });
}

#[test]
fn each_flaw_is_told() {
    for (kind, said) in [
        (FlawKind::NoNode(3), "there is no node 3"),
        (FlawKind::Decided(point("b2")), "the game is over, there is a winning line through b2"),
        (FlawKind::Taken(point("b2")), "b2 is not empty"),
        (FlawKind::Forbidden(point("b2")), "b2 is forbidden"),
        (FlawKind::NoFive(point("b2")), "b2 is said to win at once, and does not"),
        (FlawKind::OtherFive(point("b2")), "the opponent wins at b2"),
        (FlawKind::Unanswered(point("b2")), "b2 stops what is threatened, and no answer is given"),
        (FlawKind::Full, "the board is full"),
        (FlawKind::TooLong(9), "more than 9 replies have to be tried, which takes too long"),
    ] {
        assert_eq!(Flaw { line: Vec::new(), kind }.to_string(), said);
        let line = vec![point("f2"), point("b1")];
        assert_eq!(Flaw { line, kind }.to_string(), format!("after f2 b1: {said}"));
    }
}

#[test]
fn an_overline_is_no_five_where_it_does_not_win() {
    // If b2 is blocked, g2 would make six in a row with h2.
    let picture = ". . . . . . . .
                   . . X X X . . X
                   . . . . . . . .";
    assert!(check(&open_four("freestyle", Color::Black, picture)).is_ok());
    let flaw = check(&open_four("standard", Color::Black, picture)).unwrap_err();
    assert_eq!(flaw.kind, FlawKind::NoFive(point("g2")));
}

#[test]
fn white_may_count_on_a_forbidden_point() {
    // White's four can be stopped only at d1, where Black would make two fours.
    let picture = "O O O . . . . . .
                   . . . X X . . . .
                   . . . X . X . . .
                   . . . X . . X . .
                   . . . . . . . . .
                   . . . . . . . . .";
    let nodes = vec![node("e1", Some(1), &[]), node("d1", None, &[])];
    let renju = proof("renju", Color::White, picture, nodes);
    assert!(check(&renju).is_ok());
    let standard = Proof { rule: "standard".parse().unwrap(), ..renju };
    assert_eq!(check(&standard).unwrap_err().kind, FlawKind::Unanswered(point("d1")));
}

#[test]
fn black_may_not_play_a_forbidden_point() {
    // f2 makes a four on two lines.
    let picture = ". . . . . X .
                   . . X X X . .
                   . . . . . X .
                   . . . . . X .
                   . . . . . . .";
    assert!(check(&open_four("standard", Color::Black, picture)).is_ok());
    let flaw = check(&open_four("renju", Color::Black, picture)).unwrap_err();
    assert_eq!(flaw.kind, FlawKind::Forbidden(point("f2")));
}
