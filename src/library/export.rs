//! Exports a library as trees for other programs: SGF and RenLib's `.lib`.

use std::collections::HashSet;
use std::fmt;
use std::io::Write;

use super::entry::{Entry, MarkKind};
use super::error::LibraryError;
use super::forest::{Forest, Stone, TreeNode};
use super::key::PositionKey;
use super::sgf_facts::{FACTS, Facts};
use super::store::Library;
use crate::board::{Color, Point, Size, Stones};
use crate::formats::renlib::{self, LibMove, LibNode};
use crate::formats::sgf::{SgfGame, SgfNode};
use crate::rules::Rule;

/// The most bytes of an exported game, roughly; readers of SGF keep a game in memory, and ours refuses one of 64 MB.
const LONGEST_TREE: usize = 32 << 20;

/// Why a library was not written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExportError {
    /// It cannot be read.
    Library(LibraryError),
    /// The writer fails.
    Write(std::io::Error),
    /// The format does not support this board.
    Board(Size),
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExportError::Library(error) => error.fmt(f),
            ExportError::Write(_) => f.write_str("the export cannot be written"),
            ExportError::Board(size) => {
                write!(f, "libraries of RenLib are for boards of 15x15, not of {size}")
            }
        }
    }
}

// The cause of a failed writer is left to `source`, in which the command line recognises a reader that has gone.
impl std::error::Error for ExportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ExportError::Write(error) => Some(error),
            _ => None,
        }
    }
}

impl From<LibraryError> for ExportError {
    fn from(error: LibraryError) -> ExportError {
        ExportError::Library(error)
    }
}

impl From<std::io::Error> for ExportError {
    fn from(error: std::io::Error) -> ExportError {
        ExportError::Write(error)
    }
}

/// How much was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExportCount {
    /// Positions.
    pub positions: u64,
    /// Those that the format cannot hold, and rows that mean nothing.
    pub left_out: u64,
    /// Whether pages of the library cannot be read, so that nobody knows how many are missing.
    pub is_cut: bool,
}

impl Library {
    /// Writes trees in SGF: a game for each position that no other leads to, or several games with the same first moves
    /// if the tree is large. They contain everything that the library knows; what SGF has no property for goes into a
    /// property of our own. This takes some 700 bytes of memory per position.
    ///
    /// # Errors
    /// The library cannot be read, or the writer fails.
    pub fn write_sgf(&self, out: &mut dyn Write, rule: Rule, size: Size) -> Result<ExportCount, ExportError> {
        self.write_trees(out, rule, size, LONGEST_TREE)
    }

    fn write_trees(
        &self,
        out: &mut dyn Write,
        rule: Rule,
        size: Size,
        longest: usize,
    ) -> Result<ExportCount, ExportError> {
        let forest = Forest::new(self, rule, size)?;
        let mut count = ExportCount::default();
        for &root in forest.roots() {
            let start = forest.key(root).position();
            let (mut game, mut bytes) = (new_game(&start, rule), 0);
            // The stones on the path from the root, each with the number of its node.
            let mut path: Vec<(Stone, usize)> = Vec::new();
            let end = |path: &[(Stone, usize)]| path.last().map_or(SgfGame::ROOT, |&(_, number)| number);
            forest.walk(root, |node| {
                path.truncate(node.depth.saturating_sub(1));
                if bytes > longest {
                    write!(out, "{game}")?;
                    (game, bytes) = (new_game(&start, rule), 0);
                    say(game.node_mut(SgfGame::ROOT), &Entry::default(), true);
                    let mut before = SgfGame::ROOT;
                    for ((point, color), number) in &mut path {
                        before = game.add(before, SgfNode::play(*color, *point));
                        *number = before;
                    }
                }
                if let Some((point, color)) = node.stone {
                    let number = game.add(end(&path), SgfNode::play(color, point));
                    path.push(((point, color), number));
                }
                let own = game.node_mut(end(&path));
                say(own, &node.entry, node.stone.is_none());
                bytes += most_bytes(own);
                count.positions += 1;
                Ok::<(), ExportError>(())
            })?;
            write!(out, "{game}")?;
        }
        Ok(count)
    }

    /// Writes a RenLib library: moves, marks, comments, and labels as texts on the board. Positions to which no moves
    /// lead from an empty board are left out and counted, because the format has only one root.
    ///
    /// # Errors
    /// The board is not that of renju, the library cannot be read, or the writer fails.
    pub fn write_renlib(
        &self,
        out: &mut dyn Write,
        rule: Rule,
        size: Size,
    ) -> Result<ExportCount, ExportError> {
        if size != renlib::BOARD {
            return Err(ExportError::Board(size));
        }
        let forest = Forest::new(self, rule, size)?;
        let mut nodes: Vec<LibNode> = vec![LibNode::default()];
        let mut count = ExportCount::default();
        // Labels of the positions on the path to the current one.
        let mut labels: Vec<Vec<(Point, String)>> = Vec::new();
        let beginnings = forest.roots().iter().filter(|&&root| is_beginning(forest.key(root)));
        for &root in beginnings {
            forest.walk(root, |node| {
                // A position with only the first stone goes below the root, even if the empty board is not in the
                // library.
                let shift = usize::from(!forest.key(root).stones().eq([]));
                write_lib_node(&mut nodes, &mut labels, node, shift);
                count.positions += 1;
                Ok::<(), ExportError>(())
            })?;
        }
        count.left_out = forest.len() as u64 - count.positions;
        out.write_all(&renlib::write(nodes))?;
        Ok(count)
    }
}

/// Whether a RenLib tree can begin at this position: with nothing on the board, or the first stone.
fn is_beginning(key: &PositionKey) -> bool {
    let is_in_turn = (key.to_move() == Color::Black) == key.stone_count().is_multiple_of(2);
    let first = key.stones().next().is_none_or(|(_, color)| color == Color::Black);
    key.stone_count() <= 1 && is_in_turn && first
}

fn new_game(start: &Stones, rule: Rule) -> SgfGame {
    let is_blank = start.history().is_empty() && start.to_move() == Color::Black;
    let mut game = if is_blank { SgfGame::new(start.size()) } else { SgfGame::of_position(start) };
    game.node_mut(SgfGame::ROOT).set("RU", [rule.name()]);
    game
}

/// The most bytes of a node in a file, where each character of a value may be escaped.
fn most_bytes(node: &SgfNode) -> usize {
    let values = node.properties.iter().flat_map(|property| &property.values);
    10 + values.map(|value| 8 + 2 * value.text.len()).sum::<usize>()
}

/// Writes an entry into a node.
fn say(node: &mut SgfNode, entry: &Entry, is_root: bool) {
    let facts = Facts::of(entry);
    // The root always says that a library has written the game.
    if is_root || facts != Facts::default() {
        let text = serde_json::to_string(&facts).unwrap_or_default();
        node.set(FACTS, [text.as_str()]);
    }
    if !entry.comment.is_empty() {
        node.set("C", [entry.comment.as_str()]);
    }
    for kind in MarkKind::ALL {
        let of_kind = entry.marks.iter().filter(|mark| mark.kind == kind);
        let text = |text: &'_ str| (kind == MarkKind::Label).then_some(text.to_owned());
        let marks: Vec<(Point, Option<String>)> =
            of_kind.map(|mark| (mark.point, text(&mark.text))).collect();
        node.mark(kind.property(), marks.iter().map(|(point, text)| (*point, text.as_deref())));
    }
}

fn write_lib_node(
    nodes: &mut Vec<LibNode>,
    labels: &mut Vec<Vec<(Point, String)>>,
    node: &TreeNode,
    shift: usize,
) {
    let depth = node.depth + shift;
    let own_labels: Vec<(Point, String)> = node
        .entry
        .marks
        .iter()
        .filter(|mark| mark.kind == MarkKind::Label)
        .map(|mark| (mark.point, mark.text.clone()))
        .collect();
    let stone = node.stone.or_else(|| (shift > 0).then_some((node.first?, Color::Black)));
    let action = stone.map_or(LibMove::Root, |(point, _)| LibMove::Stone(point));
    let before = depth.checked_sub(1).and_then(|before| labels.get(before));
    let board_text = stone
        .and_then(|(point, _)| before?.iter().find(|(at, _)| *at == point))
        .map(|(_, text)| text.clone());
    let written = LibNode {
        depth,
        action,
        is_marked: node.entry.is_marked,
        is_start: false,
        comment: node.entry.comment.clone(),
        board_text: board_text.unwrap_or_default(),
    };
    if depth == 0 {
        nodes[0] = written
    } else {
        nodes.push(written)
    }
    // Labels on points without a move are nodes of their own.
    let moves: HashSet<Point> = node.moves.iter().copied().collect();
    for (point, text) in own_labels.iter().filter(|(point, _)| !moves.contains(point)) {
        let action = LibMove::Text(*point);
        nodes.push(LibNode { depth: depth + 1, action, board_text: text.clone(), ..LibNode::default() });
    }
    labels.resize(depth, Vec::new());
    labels.push(own_labels);
}

#[cfg(test)]
#[path = "export_tests.rs"]
mod tests;
