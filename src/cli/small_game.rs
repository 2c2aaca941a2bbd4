//! `kagetsu solve --board`: a small game of k in a row, solved completely.

use std::fmt::Write;
use std::time::Instant;

use anyhow::{Context, ensure};

use super::ending::{Ending, Mistake};
use crate::board::Size;
use crate::formats::moves;
use crate::formats::point_names::Rows;
use crate::solve::mnk::{self, MnkBoard, MnkGame, MnkMethod};

/// The default node limit of a search.
const DEFAULT_NODES: u64 = 200_000_000;

/// A game, and the position in it that is to be solved.
pub(super) struct SmallGame {
    game: MnkGame,
    board: MnkBoard,
    nodes: u64,
}

impl SmallGame {
    /// A game of `line` in a row on so many columns and rows, after these moves.
    ///
    /// # Errors
    /// A board that is too large; moves that cannot be played.
    pub fn new(
        (width, height): (usize, usize),
        line: usize,
        moves: Option<&str>,
        rows: Rows,
        nodes: Option<u64>,
    ) -> anyhow::Result<SmallGame> {
        ensure!(
            width > 0 && height > 0 && line > 0,
            Mistake(
                "a board needs at least one column and one row, and a line at least one stone".to_owned()
            )
        );
        let game = MnkGame::new(width, height, line).ok_or_else(|| {
            Mistake("a small game fits into one word: (columns + 1) times rows is at most 64".to_owned())
        })?;
        let mut board = game.start();
        if let Some(moves) = moves {
            let size = Size::new(width, height).context("no such board")?;
            for &(point, _) in moves::position_with_rows(moves, size, rows)?.history() {
                board = game.play(board, point.x(), point.y()).context("a cell is taken")?;
            }
        }
        Ok(SmallGame { game, board, nodes: nodes.unwrap_or(DEFAULT_NODES) })
    }

    /// The value of the position and a best move as text, and whether the value was found.
    pub fn value(&self) -> (String, Ending) {
        let solution = mnk::solve(&self.game, self.board, MnkMethod::Table, self.nodes);
        let Some(value) = solution.value else {
            let text = format!("{} is not solved within {} nodes\n", self.game, solution.nodes - 1);
            return (text, Ending::NotFound);
        };
        let best = solution.best.map_or_else(String::new, |best| {
            let (x, y) = self.game.coordinates(best);
            format!("; a best move is {x},{y}")
        });
        let text =
            format!("{} is {value} for the side to move{best} ({} nodes)\n", self.game, solution.nodes);
        (text, Ending::Done)
    }

    /// A table of the nodes and the time that each method needs.
    pub fn comparison(&self) -> String {
        let mut text = format!(
            "{}: the board (columns, rows) and how many in a row win\n\n{:20} {:>8} {:>14} {:>10} {:>9} {:>10}\n",
            self.game, "method", "value", "nodes", "part", "exponent", "ms"
        );
        let mut all = None;
        for method in MnkMethod::ALL {
            let started = Instant::now();
            let solution = mnk::solve(&self.game, self.board, method, self.nodes);
            let ms = started.elapsed().as_millis();
            let name = method.name();
            let Some(value) = solution.value else {
                let nodes = format!(">{}", self.nodes);
                let _ = writeln!(text, "{name:20} {:>8} {nodes:>14} {ms:>31}", "?");
                continue;
            };
            let nodes = solution.nodes as f64;
            let all = *all.get_or_insert(nodes);
            let part = 100.0 * nodes / all;
            // The nodes needed, as a power of minimax's; perfect move ordering would give an exponent of one half.
            let exponent = nodes.ln() / all.ln();
            let _ = writeln!(
                text,
                "{name:20} {:>8} {:>14} {part:>8.3} % {exponent:>9.2} {ms:>10}",
                value.to_string().trim_start_matches("a "),
                solution.nodes
            );
        }
        text + "\nThe part and the exponent are relative to the first method that finished; an exponent of 0.50 is\n\
                the square root, which perfect move ordering would come close to.\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_games_are_solved() {
        let game = SmallGame::new((3, 3), 3, None, Rows::FromTop, None).unwrap();
        assert!(game.value().0.starts_with("3,3,3 is a draw"));
        let table = game.comparison();
        assert!(table.contains("549946") && table.lines().count() > 7, "{table}");
        let game = SmallGame::new((3, 3), 3, Some("0,0 1,0 0,1 1,1"), Rows::FromTop, None).unwrap();
        let (text, _) = game.value();
        assert!(text.contains("is a win for the side to move; a best move is 0,2"), "{text}");
        let game = SmallGame::new((4, 4), 4, None, Rows::FromTop, Some(100)).unwrap();
        let unsolved = "4,4,4 is not solved within 100 nodes\n".to_owned();
        assert_eq!(game.value(), (unsolved, Ending::NotFound));
        let refused = |board, line| SmallGame::new(board, line, None, Rows::FromTop, None).err().unwrap();
        assert!(refused((9, 9), 5).to_string().contains("one word"));
        assert!(refused((0, 3), 3).to_string().contains("one column and one row"));
        assert!(SmallGame::new((3, 3), 3, Some("0,0 0,0"), Rows::FromTop, None).is_err());
    }
}
