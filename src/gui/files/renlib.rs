//! A library of RenLib as a game with variations.

use super::game_tree::{GameTree, Info, LONGEST_LINE, MOST_NODES, Mark, TreeNode, too_large, too_many_nodes};
use crate::board::{Color, Point};
use crate::formats::binary::{BinaryError, BinaryMistake, TextDecoder};
use crate::formats::renlib::{self, LibMove, LibNode};
use crate::formats::sgf::MarkKind;
use crate::gui::messages::{Code, Rejection, at};

/// Reads a library as far as it goes, and tells whether it ends early, as files do that RenLib itself has written. The
/// file does not say in which encoding its texts are, so a character of theirs is sent for each byte, and the page
/// decodes them.
///
/// # Errors
/// Bytes that are not a library, and one with more moves than a page can show.
pub(super) fn read(bytes: &[u8]) -> Result<(GameTree, bool), Rejection> {
    let as_bytes = TextDecoder::new(|bytes| bytes.iter().map(|&byte| char::from(byte)).collect());
    let mut tree = LibTree::new();
    let mut without_end = false;
    for node in renlib::nodes(bytes).map_err(unreadable)?.with_texts(as_bytes) {
        match node {
            Ok(node) => tree.add(node)?,
            Err(BinaryError { mistake: BinaryMistake::End(_), .. }) => without_end = true,
            Err(error) => return Err(unreadable(error)),
        }
    }
    Ok((tree.into_game(), without_end))
}

fn unreadable(error: BinaryError) -> Rejection {
    Rejection::new(Code::Unreadable, error.to_string())
}

/// The tree as far as it was read.
struct LibTree {
    nodes: Vec<TreeNode>,
    /// The nodes from the root to the last one that was read, by their depth in the library, each with the side to
    /// move.
    path: Vec<(usize, Color)>,
    /// How many nodes of the library were read; not each becomes one here.
    count: usize,
}

impl LibTree {
    fn new() -> LibTree {
        LibTree { nodes: vec![TreeNode::default()], path: vec![(0, Color::Black)], count: 0 }
    }

    fn add(&mut self, node: LibNode) -> Result<(), Rejection> {
        let LibNode { depth, action, is_marked, comment, board_text, .. } = node;
        if depth > LONGEST_LINE {
            return Err(too_large(format!("only lines of up to {LONGEST_LINE} nodes are read")));
        }
        self.count += 1;
        if self.count > MOST_NODES {
            return Err(too_many_nodes());
        }
        self.path.truncate(depth.max(1));
        let (before, to_move) = self.path.last().copied().unwrap_or((0, Color::Black));
        if let LibMove::Stone(point) | LibMove::Text(point) = action {
            // The text belongs to the board before the move.
            if !board_text.is_empty() {
                self.mark(before, MarkKind::Label, point, Some(board_text));
            }
        }
        let (own, next) = match action {
            LibMove::Root | LibMove::Text(_) => (before, to_move),
            LibMove::Pass => (self.child(before, None, !to_move), !to_move),
            LibMove::Stone(point) => (self.child(before, Some(point), to_move), !to_move),
        };
        if depth > 0 {
            self.path.push((own, next));
        }
        if let (LibMove::Stone(point), true) = (action, is_marked) {
            self.mark(own, MarkKind::Circle, point, None);
        }
        if let Some(own) = self.nodes.get_mut(own).filter(|_| !comment.is_empty()) {
            own.comment = Some(own.comment.take().map_or_else(String::new, |known| known + "\n") + &comment);
        }
        Ok(())
    }

    fn mark(&mut self, number: usize, kind: MarkKind, point: Point, text: Option<String>) {
        if let Some(node) = self.nodes.get_mut(number) {
            node.marks.push(Mark { kind, point: at(point), text });
        }
    }

    /// The node that follows one with this move, or with a pass. Where there is one already, as behind texts without a
    /// move, it is that one.
    fn child(&mut self, parent: usize, point: Option<Point>, color: Color) -> usize {
        let point = point.map(at);
        let known = self.nodes.get(parent).map_or(&[][..], |node| &node.children);
        let is_same = |&child: &usize| self.nodes.get(child).is_some_and(|node| node.point == point);
        if let Some(same) = known.iter().copied().find(is_same) {
            return same;
        }
        let own = self.nodes.len();
        self.nodes.push(TreeNode { point, color: Some(color), ..TreeNode::default() });
        if let Some(parent) = self.nodes.get_mut(parent) {
            parent.children.push(own);
        }
        own
    }

    fn into_game(self) -> GameTree {
        let (width, height) = (renlib::BOARD.width(), renlib::BOARD.height());
        let nodes = self.nodes;
        GameTree { rule: None, unknown_rule: None, width, height, info: Info::default(), nodes }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn stone(depth: usize, point: &str) -> LibNode {
        LibNode { depth, action: LibMove::Stone(point.parse().unwrap()), ..LibNode::default() }
    }

    fn read_as_sent(bytes: &[u8]) -> (serde_json::Value, bool) {
        let (tree, without_end) = read(bytes).unwrap();
        (serde_json::to_value(tree).unwrap(), without_end)
    }

    #[test]
    fn moves_variations_and_texts_come_out_of_a_library() {
        let nodes = [
            LibNode { comment: "root".to_owned(), ..LibNode::default() },
            LibNode { comment: "first\nand more".to_owned(), board_text: "A".to_owned(), ..stone(1, "h8") },
            LibNode { is_marked: true, ..stone(2, "i9") },
            LibNode { depth: 3, action: LibMove::Pass, ..LibNode::default() },
            stone(4, "a1"),
            LibNode {
                depth: 2,
                action: LibMove::Text("g7".parse().unwrap()),
                comment: "é".to_owned(),
                board_text: "x".to_owned(),
                ..LibNode::default()
            },
            stone(3, "h9"),
            stone(1, "g8"),
        ];
        let (game, _) = read_as_sent(&renlib::write(nodes));
        assert_eq!((&game["rule"], &game["width"], &game["height"]), (&json!(null), &json!(15), &json!(15)));
        let brief: Vec<_> = game["nodes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|node| json!([node["move"], node["color"], node["comment"], node["children"]]))
            .collect();
        assert_eq!(
            json!(brief),
            json!([
                [null, null, "root", [1, 6]],
                [[7, 7], "black", "first\nand more\n\u{c3}\u{a9}", [2, 5]],
                [[8, 8], "white", null, [3]],
                [null, "white", null, [4]],
                [[0, 0], "white", null, []],
                [[7, 8], "white", null, []],
                [[6, 7], "black", null, []],
            ])
        );
        assert_eq!(game["nodes"][0]["marks"], json!([{"kind": "label", "point": [7, 7], "text": "A"}]));
        assert_eq!(game["nodes"][1]["marks"], json!([{"kind": "label", "point": [6, 6], "text": "x"}]));
        assert_eq!(game["nodes"][2]["marks"], json!([{"kind": "circle", "point": [8, 8]}]));
    }

    #[test]
    fn what_is_there_is_read_and_nothing_else_is_taken_for_a_library() {
        let whole = renlib::write([LibNode::default(), stone(1, "h8"), stone(2, "i9"), stone(2, "h9")]);
        let (cut, without_end) = read_as_sent(&whole[..whole.len() - 1]);
        assert_eq!((without_end, cut["nodes"].as_array().unwrap().len()), (true, 3));
        assert!(!read_as_sent(&whole).1);
        let refused = read(b"no library").unwrap_err();
        assert_eq!(refused.code, Code::Unreadable);
    }

    #[test]
    fn a_library_that_is_too_large_is_refused() {
        let long =
            (0..=LONGEST_LINE).map(|n| LibNode { depth: n + 1, action: LibMove::Pass, ..LibNode::default() });
        let refused = read(&renlib::write([LibNode::default()].into_iter().chain(long))).unwrap_err();
        assert_eq!(refused.code, Code::TooLarge);
        let texts = (0..=MOST_NODES).map(|_| LibNode {
            depth: 1,
            action: LibMove::Text("a1".parse().unwrap()),
            ..LibNode::default()
        });
        let refused = read(&renlib::write([LibNode::default()].into_iter().chain(texts))).unwrap_err();
        assert_eq!(refused.code, Code::TooLarge);
    }
}
