//! Proofs for people: a numbered picture, a tree in text, and SGF with variations. This module knows what a proof
//! holds; `formats` knows how pictures and SGF are written.

use std::fmt::{self, Write};

use crate::board::{Point, Stones};
use crate::formats::picture;
use crate::formats::point_names::{PointNames, Rows};
use crate::formats::sgf::{SgfGame, SgfNode};
use crate::rules::Rule;
use crate::solve::{NodeId, Proof, ProofNode};

/// Most lines or moves of a tree: a proof may hold in few nodes what would take too long to write out.
const MOST: usize = 200_000;

/// The whole tree is longer than can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the whole tree has more than {MOST} moves: write it as JSON, which shares what is the same"
        )
    }
}

impl std::error::Error for TooLong {}

/// The position with the moves of a line numbered from 1; the odd ones are the attacker's.
#[must_use]
pub fn numbered_picture(proof: &Proof, line: &[Option<Point>], rows: Rows) -> String {
    picture::draw_numbered(&proof.stones, line, rows)
}

/// A line in words: `1 h8  2 i9`, `..` for a move anywhere else.
#[must_use]
pub fn line(line: &[Option<Point>], names: PointNames) -> String {
    let name = |point: Option<Point>| point.map_or_else(|| "..".to_owned(), |p| names.name(p));
    let moves: Vec<String> =
        line.iter().enumerate().map(|(n, &point)| format!("{} {}", n + 1, name(point))).collect();
    moves.join("  ")
}

/// The tree, one move of the attacker a line:
///
/// ```text
/// h8 threatens i9 j10 k11
///   g7: i7 threatens k7
/// ```
///
/// # Errors
/// A tree that is too long.
pub fn tree(proof: &Proof, names: PointNames) -> Result<String, TooLong> {
    let mut text = String::new();
    // Node, reply before it, depth; the last is written next.
    let mut open: Vec<(NodeId, Option<Point>, usize)> = vec![(proof.root, None, 0)];
    let mut lines = 0;
    while let Some((id, reply, depth)) = open.pop() {
        lines += 1;
        if lines > MOST {
            return Err(TooLong);
        }
        let node = proof.node(id);
        text.extend(std::iter::repeat_n("  ", depth));
        if let Some(reply) = reply {
            let _ = write!(text, "{}: ", names.name(reply));
        }
        text += &names.name(node.point);
        text.push(' ');
        text += &node.threat.map_or_else(|| "five".to_owned(), |_| threat_text(proof, node, names));
        text.push('\n');
        open.extend(node.replies.iter().rev().map(|&(reply, id)| (id, Some(reply), depth + 1)));
    }
    Ok(text)
}

/// The threat of a node in words: `threatens i9 j10`.
fn threat_text(proof: &Proof, node: &ProofNode, names: PointNames) -> String {
    threat_line(proof, node)
        .into_iter()
        .fold("threatens".to_owned(), |text, point| text + " " + &names.name(point))
}

/// The attacker's moves that carry out the threat, with one answer to each four.
fn threat_line(proof: &Proof, node: &ProofNode) -> Vec<Point> {
    let mut line = Vec::new();
    let mut next = node.threat;
    while let Some(id) = next {
        let node = proof.node(id);
        line.push(node.point);
        next = node.replies.first().map(|&(_, id)| id).or(node.threat);
        if line.len() > proof.stones.size().area() {
            break;
        }
    }
    line
}

/// The proof in SGF, with these point names in its comments. With `all_defences` there is a variation for each reply,
/// otherwise only the longest line.
///
/// # Errors
/// A tree that is too long.
pub fn sgf(proof: &Proof, all_defences: bool, names: PointNames) -> Result<String, TooLong> {
    let attacker = proof.stones.to_move();
    let plies = proof.lengths()[proof.root as usize];
    let verdict = format!("{} wins: five on ply {plies} at the latest", attacker.name());
    let mut game = commented(proof.rule, &proof.stones, &verdict);
    if !all_defences {
        // A move that may be anywhere else is left out, so the same side may move twice in a row.
        let mut last = SgfGame::ROOT;
        for (point, color) in proof.longest_line().into_iter().zip([attacker, !attacker].into_iter().cycle())
        {
            if let Some(point) = point {
                last = game.add(last, SgfNode::play(color, point));
            }
        }
        return Ok(game.to_string());
    }
    // Node of the game, reply of the defender after it, node of the proof.
    let mut open: Vec<(usize, Option<Point>, NodeId)> = vec![(SgfGame::ROOT, None, proof.root)];
    let mut moves = 0;
    while let Some((mut last, reply, id)) = open.pop() {
        moves += 1;
        if moves > MOST {
            return Err(TooLong);
        }
        let node = proof.node(id);
        if let Some(reply) = reply {
            last = game.add(last, SgfNode::play(!attacker, reply));
        }
        let mut played = SgfNode::play(attacker, node.point);
        if node.threat.is_some() {
            played.set("C", [threat_text(proof, node, names).as_str()]);
        }
        last = game.add(last, played);
        open.extend(node.replies.iter().rev().map(|&(reply, id)| (last, Some(reply), id)));
    }
    Ok(game.to_string())
}

/// A game record of the position alone, with this comment.
pub fn commented(rule: Rule, stones: &Stones, comment: &str) -> SgfGame {
    let mut game = SgfGame::of_position(stones);
    let root = game.node_mut(SgfGame::ROOT);
    root.set("RU", [rule.name()]);
    root.set("C", [comment]);
    game
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::formats::any;
    use crate::rules::Rule;

    fn proof() -> Proof {
        let mut stones = picture::read(
            ". . . . . . .
             . . X X X . .
             . . O O . . .
             . . O . . . .",
        )
        .unwrap()
        .stones;
        stones.set_to_move(Color::Black);
        let node = |at: &str, threat, replies: &[(&str, NodeId)]| ProofNode {
            point: at.parse().unwrap(),
            threat,
            replies: replies.iter().map(|&(at, id)| (at.parse().unwrap(), id)).collect(),
        };
        let nodes = vec![node("f2", Some(1), &[("b2", 2)]), node("b2", None, &[]), node("g2", None, &[])];
        Proof { rule: Rule::Freestyle, stones, root: 0, nodes }
    }

    fn names() -> PointNames {
        PointNames::of(proof().stones.size())
    }

    #[test]
    fn lines_are_numbered() {
        let proof = proof();
        let longest = proof.longest_line();
        assert_eq!(line(&longest, names()), "1 f2  2 b2  3 g2");
        assert_eq!(line(&longest, names().with_rows(Rows::FromBottom)), "1 f3  2 b3  3 g3");
        let picture = numbered_picture(&proof, &longest, Rows::FromBottom);
        assert!(picture.contains("3   .   2   X   X   X   1   3\n"), "{picture}");
        let picture = numbered_picture(&proof, &longest, Rows::FromTop);
        assert!(picture.contains("2   .   2   X   X   X   1   3\n"), "{picture}");
        assert_eq!(line(&[None], names()), "1 ..");
    }

    #[test]
    fn trees_are_written() {
        assert_eq!(tree(&proof(), names()).unwrap(), "f2 threatens b2\n  b2: g2 five\n");
        let text = sgf(&proof(), true, names()).unwrap();
        assert!(text.contains("AB[cb][db][eb]AW[cc][dc][cd]"), "{text}");
        assert!(text.ends_with("\n;B[fb]C[threatens b2]\n;W[bb]\n;B[gb])\n"), "{text}");
        let text = sgf(&proof(), false, names()).unwrap();
        assert!(text.ends_with("\n;B[fb]\n;W[bb]\n;B[gb])\n"), "{text}");
        // What is written can be read.
        let mut after = proof().stones;
        ["f2", "b2", "g2"].iter().for_each(|at| after.place(at.parse().unwrap(), after.to_move()));
        assert_eq!(any::read(&text, None).unwrap().hash(), after.hash());
    }
}
