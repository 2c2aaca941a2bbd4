//! `small`: a game of k in a row, solved completely to show how a search works.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::messages::{At, Code, Rejection};
use crate::solve::mnk::{MnkBoard, MnkGame, MnkMethod, MnkSolution, MnkValue, solve, solve_moves};
use crate::solve::mnk_tree::{MnkNode, tree};

/// Most empty cells for which the whole tree is sent: some two thousand nodes.
const MOST_EMPTY: u64 = 6;
/// Node limit of a method that does little at each node; enough for all of tic-tac-toe.
const MOST_QUICK_NODES: u64 = 1_000_000;
/// Node limit of a method that does more at each node. It takes some tenths of a second.
const MOST_NODES: u64 = 300_000;
/// Node limit of the method with a table, and again of all moves together. It takes a second or two and is enough for
/// the largest game that the page proposes: 5,4,4 takes 478,184 nodes, and fewer than 800,000 for its moves.
const MOST_TABLE_NODES: u64 = 1_000_000;

/// The question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SmallQuestion {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "op")]
    _op: IgnoredAny,
    width: u8,
    height: u8,
    line: u8,
    #[serde(default)]
    moves: Vec<At>,
    #[serde(default)]
    full_from: u64,
}

/// The answer. Values are for the side to move, and `None` where a limit was reached.
#[derive(Debug, Serialize)]
pub(super) struct SmallAnswer {
    value: Option<&'static str>,
    /// The move to play; the best one where values are known.
    choice: Option<At>,
    children: Vec<ChildMessage>,
    nodes: NodeCounts,
    tree: Option<TreeMessage>,
}

#[derive(Debug, Serialize)]
struct ChildMessage {
    #[serde(rename = "move")]
    point: At,
    value: Option<&'static str>,
}

/// The nodes that each method needs.
#[derive(Debug, Serialize)]
struct NodeCounts {
    minimax: Option<u64>,
    alpha_beta: Option<u64>,
    ordered: Option<u64>,
    forced: Option<u64>,
    table: Option<u64>,
}

/// A node of the tree; values and windows are from Black's view.
#[derive(Debug, Serialize)]
struct TreeMessage {
    #[serde(rename = "move")]
    point: Option<At>,
    value: i8,
    alpha: Option<i8>,
    beta: Option<i8>,
    /// Whether alpha-beta never visits this node.
    cut: bool,
    children: Vec<TreeMessage>,
}

impl SmallQuestion {
    /// Solves the position.
    pub fn answer(&self) -> Result<SmallAnswer, Rejection> {
        let game =
            MnkGame::new(self.width.into(), self.height.into(), self.line.into()).ok_or_else(|| {
                let message =
                    "a small game has a line of 1 or more and at most 64 for (columns + 1) times rows";
                Rejection::new(Code::BadPosition, message)
            })?;
        let board = self.board(&game)?;
        let empty = game.empty_cells(board).count() as u64;
        let solved = solve_moves(&game, board, MOST_TABLE_NODES);
        let point = |at| {
            let (x, y) = game.coordinates(at);
            (x as i64, y as i64)
        };
        let child =
            |&(at, value): &(_, Option<MnkValue>)| ChildMessage { point: point(at), value: value.map(name) };
        let children = solved.values.iter().map(child).collect();
        // What the table does not settle, the others do not either, which have to visit more.
        let count =
            |method, limit| solved.solution.value.and_then(|_| nodes(solve(&game, board, method, limit)));
        let is_shown = empty <= self.full_from.min(MOST_EMPTY);
        Ok(SmallAnswer {
            value: solved.solution.value.map(name),
            choice: solved.choice.map(point),
            children,
            nodes: NodeCounts {
                minimax: count(MnkMethod::Minimax, MOST_QUICK_NODES),
                alpha_beta: count(MnkMethod::AlphaBeta, MOST_QUICK_NODES),
                ordered: count(MnkMethod::Ordered, MOST_NODES),
                forced: count(MnkMethod::Forced, MOST_NODES),
                table: nodes(solved.solution),
            },
            tree: is_shown.then(|| TreeMessage::new(&game, &tree(&game, board))),
        })
    }

    /// The position after the moves.
    fn board(&self, game: &MnkGame) -> Result<MnkBoard, Rejection> {
        let mut board = game.start();
        for (number, &(x, y)) in self.moves.iter().enumerate() {
            let refused = |reason, message: &str| {
                let (number, reason) = (Some(number), Some(reason));
                Rejection { number, reason, ..Rejection::new(Code::IllegalMove, message) }
            };
            if game.is_won(board) {
                return Err(refused("over", "the game is over"));
            }
            let inside = |n: i64, side: u8| usize::try_from(n).ok().filter(|&n| n < side.into());
            let Some((x, y)) = inside(x, self.width).zip(inside(y, self.height)) else {
                return Err(refused("outside", "the move is off the board"));
            };
            board = game.play(board, x, y).ok_or_else(|| refused("occupied", "the cell is taken"))?;
        }
        Ok(board)
    }
}

impl TreeMessage {
    fn new(game: &MnkGame, node: &MnkNode) -> TreeMessage {
        let point = node.point.map(|at| {
            let (x, y) = game.coordinates(at);
            (x as i64, y as i64)
        });
        TreeMessage {
            point,
            value: node.value,
            alpha: node.window.map(|(alpha, _)| alpha),
            beta: node.window.map(|(_, beta)| beta),
            cut: node.window.is_none(),
            children: node.children.iter().map(|child| TreeMessage::new(game, child)).collect(),
        }
    }
}

/// The nodes of a search that finished.
fn nodes(solution: MnkSolution) -> Option<u64> {
    solution.value.map(|_| solution.nodes)
}

fn name(value: MnkValue) -> &'static str {
    match value {
        MnkValue::Win => "win",
        MnkValue::Draw => "draw",
        MnkValue::Loss => "loss",
    }
}
