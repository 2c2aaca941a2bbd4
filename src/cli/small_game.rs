//! `kagetsu solve --board`: a small game of k in a row, solved completely.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use super::ending::{Ending, Mistake};
use super::output::counted;
use crate::board::{MAX_SIDE, Point, Size};
use crate::formats::moves;
use crate::formats::point_names::{PointNames, Rows};
use crate::solve::mnk::{self, MnkBoard, MnkGame, MnkMethod, MnkMove, MnkSolution};

/// The default node limit of a search.
const DEFAULT_NODES: u64 = 200_000_000;

/// A game, and the position in it that is to be solved.
pub(super) struct SmallGame {
    game: MnkGame,
    board: MnkBoard,
    /// Most nodes of a search.
    nodes: u64,
    /// The longest time of a search.
    time: Option<Duration>,
    /// The names of its cells, unless the board has too long a side for names.
    names: Option<PointNames>,
}

impl SmallGame {
    /// A game of `line` in a row on so many columns and rows, after these moves.
    ///
    /// # Errors
    /// A board that is too large; moves that cannot be played, or one that has won.
    pub fn new(
        (width, height): (usize, usize),
        line: usize,
        moves: Option<&str>,
        rows: Rows,
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
        let size = Size::new(width, height);
        let names = size.map(|size| PointNames::of(size).with_rows(rows));
        if let Some(moves) = moves {
            let (size, names) = size.zip(names).ok_or_else(|| {
                Mistake(format!("--moves: a board of {width}x{height} has a side of more than {MAX_SIDE}"))
            })?;
            let played = moves::position_with_rows(moves, size, rows).context("reading --moves")?;
            for &(point, _) in played.history() {
                board = game.play(board, point.x(), point.y()).context("a cell is taken")?;
                let name = names.name(point);
                ensure!(!game.is_won(board), "the game is over: there is a winning line through {name}");
            }
        }
        Ok(SmallGame { game, board, nodes: DEFAULT_NODES, time: None, names })
    }

    /// The same with these limits of a search.
    #[must_use]
    pub fn within(self, nodes: Option<u64>, time: Option<Duration>) -> SmallGame {
        SmallGame { nodes: nodes.unwrap_or(DEFAULT_NODES), time, ..self }
    }

    fn solve(&self, method: MnkMethod, stop: &AtomicBool) -> MnkSolution {
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        mnk::solve_until(&self.game, self.board, method, self.nodes, deadline, stop)
    }

    /// The value of the position and a best move as text, and whether the value was found before `stop` was set.
    pub fn value(&self, stop: &AtomicBool) -> (String, Ending) {
        let solution = self.solve(MnkMethod::Table, stop);
        let Some(value) = solution.value else {
            let nodes = solution.nodes;
            let text = if nodes < self.nodes {
                format!("{} is not solved yet, after {}\n", self.game, counted(nodes, "node"))
            } else {
                format!("{} is not solved within {}\n", self.game, counted(nodes, "node"))
            };
            return (text, Ending::NotFound);
        };
        let best =
            solution.best.map_or_else(String::new, |best| format!("; a best move is {}", self.name(best)));
        let text =
            format!("{} is {value} for the side to move{best} ({} nodes)\n", self.game, solution.nodes);
        (text, Ending::Done)
    }

    /// The name of a cell, as `--moves` takes it.
    fn name(&self, cell: MnkMove) -> String {
        let (x, y) = self.game.coordinates(cell);
        self.names.map_or_else(|| format!("{x},{y}"), |names| names.name(Point::new(x, y)))
    }

    /// A table of the nodes and the time that each method needs, whether any of them found the value, and whether
    /// `stop` has cut the comparison short. Methods whose turn comes after it was set are left out.
    pub fn comparison(&self, stop: &AtomicBool) -> (String, Ending, bool) {
        let mut text = format!(
            "{}: the board (columns, rows) and how many in a row win\n\n{:20} {:>8} {:>14} {:>10} {:>9} {:>10}\n",
            self.game, "method", "value", "nodes", "part", "exponent", "ms"
        );
        let mut all = None;
        let mut is_cut_short = false;
        for method in MnkMethod::ALL {
            if stop.load(Relaxed) {
                is_cut_short = true;
                break;
            }
            let started = Instant::now();
            let solution = self.solve(method, stop);
            let ms = started.elapsed().as_millis();
            let name = method.name();
            let Some(value) = solution.value else {
                is_cut_short |= stop.load(Relaxed);
                let nodes = format!(">{}", solution.nodes);
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
        text += "\nThe part and the exponent are relative to the first method that finished; an exponent of 0.50 is\n\
                 the square root, which perfect move ordering would come close to.\n";
        (text, if all.is_some() { Ending::Done } else { Ending::NotFound }, is_cut_short)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn game(board: (usize, usize), line: usize, moves: Option<&str>) -> anyhow::Result<SmallGame> {
        SmallGame::new(board, line, moves, Rows::FromTop)
    }

    #[test]
    fn small_games_are_solved() {
        let tic_tac_toe = game((3, 3), 3, None).unwrap();
        assert!(tic_tac_toe.value(&NEVER).0.starts_with("3,3,3 is a draw"));
        let (table, ending, is_cut_short) = tic_tac_toe.comparison(&NEVER);
        assert!(table.contains("549946") && table.lines().count() > 7, "{table}");
        assert_eq!((ending, is_cut_short), (Ending::Done, false));
        let won = game((3, 3), 3, Some("0,0 1,0 0,1 1,1")).unwrap();
        let (text, _) = won.value(&NEVER);
        assert!(text.contains("is a win for the side to move; a best move is a3"), "{text}");
        let from_bottom = SmallGame::new((3, 3), 3, Some("a3 b3 a2 b2"), Rows::FromBottom).unwrap();
        assert!(from_bottom.value(&NEVER).0.contains("a best move is a1"));
        assert!(game((30, 1), 1, None).unwrap().value(&NEVER).0.contains(",0 ("));
        let refused = |board, line| game(board, line, None).err().unwrap().to_string();
        assert!(refused((9, 9), 5).contains("one word"));
        assert!(refused((usize::MAX, 1), 5).contains("one word"));
        assert!(refused((0, 3), 3).contains("one column and one row"));
        assert!(game((3, 3), 3, Some("0,0 0,0")).is_err());
        for moves in ["a1 b1 a2 b2 a3", "a1 b1 a2 b2 a3 c3"] {
            let error = game((3, 3), 3, Some(moves)).err().unwrap().to_string();
            assert_eq!(error, "the game is over: there is a winning line through a3");
        }
        // A board that has no names for its points.
        assert!(game((30, 1), 3, None).is_ok());
        let error = game((30, 1), 3, Some("a1")).err().unwrap();
        assert!(error.downcast_ref::<Mistake>().is_some(), "{error:#}");
        assert!(error.to_string().contains("a board of 30x1 has a side of more than"), "{error:#}");
    }

    #[test]
    fn limits_and_interruptions_hold() {
        let large = || game((4, 4), 4, None).unwrap();
        let few = large().within(Some(100), None);
        let unsolved = "4,4,4 is not solved within 100 nodes\n".to_owned();
        assert_eq!(few.value(&NEVER), (unsolved, Ending::NotFound));
        let (table, ending, _) = few.comparison(&NEVER);
        assert_eq!((table.matches(">100").count(), ending), (5, Ending::NotFound), "{table}");
        let no_time = large().within(None, Some(Duration::ZERO));
        let (text, ending) = no_time.value(&NEVER);
        assert_eq!(
            (text.starts_with("4,4,4 is not solved yet, after "), ending),
            (true, Ending::NotFound),
            "{text}"
        );
        let interrupted = AtomicBool::new(true);
        let (text, ending) = large().value(&interrupted);
        assert_eq!(
            (text.starts_with("4,4,4 is not solved yet, after "), ending),
            (true, Ending::NotFound),
            "{text}"
        );
        let (table, ending, is_cut_short) = large().comparison(&interrupted);
        let found = (table.contains("minimax"), ending, is_cut_short);
        assert_eq!(found, (false, Ending::NotFound, true), "{table}");
    }
}
