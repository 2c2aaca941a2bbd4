//! Proofs for people: a numbered picture, a tree in text, and SGF with variations.

use std::fmt::{self, Write};

use crate::board::{Cell, Color, Point};
use crate::solve::{Node, NodeId, Proof};

/// Lines or moves after which a tree is cut: a proof may say in few nodes what takes too long to tell.
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
pub fn picture(proof: &Proof, line: &[Option<Point>]) -> String {
    let size = proof.stones.size();
    let mut text = String::from("  ");
    (0..size.width()).for_each(|x| text.extend([' ', ' ', ' ', (b'a' + x as u8) as char]));
    for y in 0..size.height() {
        let _ = write!(text, "\n{:2}", y + 1);
        for x in 0..size.width() {
            let point = Point::new(x, y);
            let number = line.iter().position(|&played| played == Some(point));
            let sign = match (proof.stones.cell(point), number) {
                (_, Some(n)) => (n + 1).to_string(),
                (Cell::Empty, None) => ".".to_owned(),
                (Cell::Stone(Color::Black), None) => "X".to_owned(),
                (Cell::Stone(Color::White), None) => "O".to_owned(),
                (Cell::Dead, None) => "#".to_owned(),
            };
            let _ = write!(text, "{sign:>4}");
        }
    }
    text.push('\n');
    text
}

/// A line in words: `1 h8  2 i9`, `..` for a move anywhere else.
#[must_use]
pub fn line(line: &[Option<Point>]) -> String {
    let name = |point: &Option<Point>| point.map_or_else(|| "..".to_owned(), |point| point.to_string());
    let moves: Vec<String> =
        line.iter().enumerate().map(|(n, point)| format!("{} {}", n + 1, name(point))).collect();
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
pub fn tree(proof: &Proof) -> Result<String, TooLong> {
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
            let _ = write!(text, "{reply}: ");
        }
        let _ = write!(text, "{}", node.point);
        match node.threat {
            None => text.push_str(" five"),
            Some(_) => {
                let threat = threat_line(proof, node);
                text.push_str(" threatens");
                threat.iter().for_each(|point| text.extend([" ".to_owned(), point.to_string()]));
            }
        }
        text.push('\n');
        open.extend(node.replies.iter().rev().map(|&(reply, id)| (id, Some(reply), depth + 1)));
    }
    Ok(text)
}

/// The attacker's moves of the threat, with one answer to each four.
fn threat_line(proof: &Proof, node: &Node) -> Vec<Point> {
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

/// The proof in SGF: with `all_defences` a variation for each reply, otherwise the longest line.
///
/// # Errors
/// A tree that is too long.
pub fn sgf(proof: &Proof, all_defences: bool) -> Result<String, TooLong> {
    let size = proof.stones.size();
    let sides = match (size.width(), size.height()) {
        (width, height) if width == height => width.to_string(),
        (width, height) => format!("{width}:{height}"),
    };
    let letters = |point: Point| {
        let letter = |n: usize| (b'a' + n as u8) as char;
        format!("{}{}", letter(point.x()), letter(point.y()))
    };
    let attacker = proof.stones.to_move();
    let initial = |color: Color| if color == Color::Black { 'B' } else { 'W' };
    let mut text = format!(
        "(;FF[4]GM[4]CA[UTF-8]AP[Kagetsu:{}]SZ[{sides}]RU[{}]PL[{}]",
        env!("CARGO_PKG_VERSION"),
        proof.rule,
        initial(attacker)
    );
    for color in Color::ALL {
        let mut stones = size.points().filter(|&p| proof.stones.cell(p) == Cell::Stone(color)).peekable();
        if stones.peek().is_some() {
            let _ = write!(text, "A{}", initial(color));
            stones.for_each(|point| {
                let _ = write!(text, "[{}]", letters(point));
            });
        }
    }
    let plies = proof.lengths()[proof.root as usize];
    let _ = write!(text, "C[{} wins: five with ply {plies} at the latest]", attacker.name());
    if !all_defences {
        // A stone that stands anywhere else is left out, so that the same side may move twice.
        for (n, point) in proof.longest_line().into_iter().enumerate() {
            let color = if n % 2 == 0 { attacker } else { !attacker };
            if let Some(point) = point {
                let _ = write!(text, "\n;{}[{}]", initial(color), letters(point));
            }
        }
        text.push_str(")\n");
        return Ok(text);
    }
    enum Step {
        Open(Option<Point>, NodeId),
        Close,
    }
    let mut open = vec![Step::Open(None, proof.root)];
    let mut moves = 0;
    while let Some(step) = open.pop() {
        let Step::Open(reply, id) = step else {
            text.push(')');
            continue;
        };
        moves += 1;
        if moves > MOST {
            return Err(TooLong);
        }
        let node = proof.node(id);
        if let Some(reply) = reply {
            let _ = write!(text, "\n(;{}[{}]", initial(!attacker), letters(reply));
            open.push(Step::Close);
        }
        let _ = write!(text, ";{}[{}]", initial(attacker), letters(node.point));
        if node.threat.is_some() {
            let threat: Vec<String> = threat_line(proof, node).iter().map(Point::to_string).collect();
            let _ = write!(text, "C[threatens {}]", threat.join(" "));
        }
        open.extend(node.replies.iter().rev().map(|&(reply, id)| Step::Open(Some(reply), id)));
    }
    text.push_str(")\n");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::diagram;
    use crate::cli::position;
    use crate::rules::Rule;

    fn proof() -> Proof {
        let mut stones = diagram::parse(
            ". . . . . . .
             . . X X X . .
             . . O O . . .
             . . O . . . .",
        )
        .unwrap()
        .stones;
        stones.set_to_move(Color::Black);
        let node = |at: &str, threat, replies: &[(&str, NodeId)]| Node {
            point: at.parse().unwrap(),
            threat,
            replies: replies.iter().map(|&(at, id)| (at.parse().unwrap(), id)).collect(),
        };
        let nodes = vec![node("f2", Some(1), &[("b2", 2)]), node("b2", None, &[]), node("g2", None, &[])];
        Proof { rule: Rule::Freestyle, stones, root: 0, nodes }
    }

    #[test]
    fn lines_are_numbered() {
        let proof = proof();
        let longest = proof.longest_line();
        assert_eq!(line(&longest), "1 f2  2 b2  3 g2");
        let picture = picture(&proof, &longest);
        assert!(picture.contains("2   .   2   X   X   X   1   3\n"), "{picture}");
        assert_eq!(line(&[None]), "1 ..");
    }

    #[test]
    fn trees_are_written() {
        assert_eq!(tree(&proof()).unwrap(), "f2 threatens b2\n  b2: g2 five\n");
        let text = sgf(&proof(), true).unwrap();
        assert!(text.contains("AB[cb][db][eb]AW[cc][dc][cd]"), "{text}");
        assert!(text.ends_with(";B[fb]C[threatens b2]\n(;W[bb];B[gb]))\n"), "{text}");
        let text = sgf(&proof(), false).unwrap();
        assert!(text.ends_with("\n;B[fb]\n;W[bb]\n;B[gb])\n"), "{text}");
        // What is written can be read.
        let mut after = proof().stones;
        ["f2", "b2", "g2"].iter().for_each(|at| after.place(at.parse().unwrap(), after.to_move()));
        assert_eq!(position::read(&text, None).unwrap().hash(), after.hash());
    }
}
