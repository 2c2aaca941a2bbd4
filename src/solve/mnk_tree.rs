//! The whole game tree of a small game near its end, with the nodes that alpha-beta visits. It is for reading, as
//! [`mnk`](super::mnk) is.

use super::mnk::{MnkBoard, MnkGame, MnkMove};

/// A position in the tree. Values are from the point of view of Black, who moves first: 1 is a win, 0 a draw, -1 a
/// loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MnkNode {
    /// The move that led here; `None` at the root.
    pub point: Option<MnkMove>,
    /// What perfect play leads to.
    pub value: i8,
    /// The [window](https://www.chessprogramming.org/Window) with which alpha-beta enters this node: the best values
    /// that Black and White are sure of elsewhere. `None` if alpha-beta never visits it.
    pub window: Option<(i8, i8)>,
    /// The positions after each move, in row order; none where the game is over.
    pub children: Vec<MnkNode>,
}

/// The whole tree below a position. Use it only for positions with few empty cells: there are more nodes than orders in
/// which these can be filled.
#[must_use]
pub fn tree(game: &MnkGame, board: MnkBoard) -> MnkNode {
    let black_to_move = game.stones(board).is_multiple_of(2);
    node(game, board, black_to_move, None, Some((-1, 1)))
}

fn node(
    game: &MnkGame,
    board: MnkBoard,
    black_to_move: bool,
    point: Option<MnkMove>,
    window: Option<(i8, i8)>,
) -> MnkNode {
    let mut node = MnkNode { point, value: 0, window, children: Vec::new() };
    let sign = if black_to_move { 1 } else { -1 };
    if game.is_won(board) {
        node.value = -sign;
        return node;
    }
    // The window that is still open here; `None` once the remaining moves are cut off.
    let mut open = window;
    for at in game.empty_cells(board) {
        let (x, y) = game.coordinates(at);
        let Some(after) = game.play(board, x, y) else { continue };
        let child = self::node(game, after, !black_to_move, Some(at), open);
        open = open.and_then(|(alpha, beta)| {
            let (alpha, beta) =
                if black_to_move { (alpha.max(child.value), beta) } else { (alpha, beta.min(child.value)) };
            (alpha < beta).then_some((alpha, beta))
        });
        node.children.push(child);
    }
    let best = node.children.iter().map(|child| sign * child.value).max();
    node.value = best.map_or(0, |best| sign * best);
    node
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::mnk::{MnkMethod, MnkValue, solve};

    /// The number of all nodes, and of those that alpha-beta visits.
    fn counts(node: &MnkNode) -> (u64, u64) {
        let below = node.children.iter().map(counts);
        let (all, seen) = below.fold((0, 0), |sum, child| (sum.0 + child.0, sum.1 + child.1));
        (all + 1, seen + u64::from(node.window.is_some()))
    }

    fn game(moves: &[(usize, usize)]) -> (MnkGame, MnkBoard) {
        let game = MnkGame::new(3, 3, 3).unwrap();
        let board = moves.iter().fold(game.start(), |board, &(x, y)| game.play(board, x, y).unwrap());
        (game, board)
    }

    /// The search methods visit as many nodes as the tree shows, and find the same value.
    #[test]
    fn the_tree_agrees_with_the_search() {
        for moves in
            [&[(1, 1), (0, 0), (1, 0)][..], &[(0, 0), (1, 1), (2, 2)], &[(0, 0), (1, 0), (0, 1), (1, 1)]]
        {
            let (game, board) = game(moves);
            let tree = tree(&game, board);
            let (all, seen) = counts(&tree);
            let minimax = solve(&game, board, MnkMethod::Minimax, 1_000_000);
            let alpha_beta = solve(&game, board, MnkMethod::AlphaBeta, 1_000_000);
            assert_eq!((all, seen), (minimax.nodes, alpha_beta.nodes), "{moves:?}");
            let sign = if moves.len().is_multiple_of(2) { 1 } else { -1 };
            let value = match minimax.value.unwrap() {
                MnkValue::Win => 1,
                MnkValue::Draw => 0,
                MnkValue::Loss => -1,
            };
            assert_eq!(tree.value, sign * value, "{moves:?}");
        }
    }

    #[test]
    fn what_is_cut_off_has_no_window() {
        // Black wins in the corner, so all later moves are cut off.
        let (game, board) = game(&[(0, 0), (0, 1), (1, 0), (1, 1)]);
        let tree = tree(&game, board);
        assert_eq!(tree.value, 1);
        assert_eq!(tree.children[0].window, Some((-1, 1)));
        assert!(tree.children[1..].iter().all(|child| child.window.is_none()));
    }
}
