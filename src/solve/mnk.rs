//! Small [m,n,k-games](https://en.wikipedia.org/wiki/M,n,k-game) solved completely: k in a row on a board of m
//! columns and n rows, tic-tac-toe being 3,3,3.
//!
//! This module is for reading, and tests compare the solver with it; the engine does not use it. One search of a few
//! dozen lines is improved in five steps, each of which keeps the value and saves nodes:
//!
//! | [`MnkMethod`] | what it adds |
//! |---|---|
//! | `Minimax` | every move in every position |
//! | `AlphaBeta` | moves that can no longer change the result are left out |
//! | `Ordered` | the moves that look best come first, so that more can be left out |
//! | `Forced` | a line is completed at once, and where the opponent threatens one, only the stop is tried |
//! | `Table` | positions reached before, also turned or mirrored, are looked up; boards without open lines are draws |
//!
//! With a perfect order of moves, [alpha-beta](https://www.chessprogramming.org/Alpha-Beta) needs about the square
//! root of the nodes of minimax (Knuth and Moore, 1975).
//!
//! ```
//! use kagetsu::solve::mnk::{MnkGame, MnkMethod, MnkValue, solve};
//!
//! let game = MnkGame::new(3, 3, 3).expect("it fits into one word");
//! let solution = solve(&game, game.start(), MnkMethod::Table, 1_000_000);
//! assert_eq!(solution.value, Some(MnkValue::Draw));
//! ```

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::budget::NodeBudget;

/// Bits of a word, into which the cells of the board and the gap after each row must fit.
const BITS: usize = 64;

/// A game: whoever first has `line` stones (or more) in a row wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MnkGame {
    width: usize,
    height: usize,
    line: usize,
    /// Every set of cells that makes a line.
    lines: Vec<u64>,
    /// The cells of the board.
    cells: u64,
    /// For each symmetry, the bit to which it maps each bit.
    symmetries: Vec<Vec<u8>>,
}

impl MnkGame {
    /// The game of this width, height and length of a line, or `None` if the board is empty, too large for
    /// one word (7x7 and 8x7 fit) or a line is shorter than 1.
    #[must_use]
    pub fn new(width: usize, height: usize, line: usize) -> Option<MnkGame> {
        // A gap after each row keeps lines from wrapping around the edge.
        if width == 0 || height == 0 || line == 0 || width.checked_add(1)?.checked_mul(height)? > BITS {
            return None;
        }
        let bit = |x: usize, y: usize| y * (width + 1) + x;
        let mut game = MnkGame { width, height, line, lines: Vec::new(), cells: 0, symmetries: Vec::new() };
        let line = game.reach();
        for y in 0..height {
            for x in 0..width {
                game.cells |= 1 << bit(x, y);
                for (dx, dy) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                    let at = |n: usize| (x as i64 + dx * n as i64, y as i64 + dy * n as i64);
                    let (end_x, end_y) = at(line - 1);
                    let fits = (0..width as i64).contains(&end_x) && end_y < height as i64;
                    if fits && (line > 1 || (dx, dy) == (1, 0)) {
                        let cells = (0..line).map(|n| bit(at(n).0 as usize, at(n).1 as usize));
                        game.lines.push(cells.fold(0, |all, cell| all | 1 << cell));
                    }
                }
            }
        }
        let turns = if width == height { 8 } else { 4 };
        for n in 1..turns {
            let mut map = vec![0; BITS];
            for y in 0..height {
                for x in 0..width {
                    let flipped_x = if n & 1 == 0 { x } else { width - 1 - x };
                    let flipped_y = if n & 2 == 0 { y } else { height - 1 - y };
                    let (to_x, to_y) =
                        if n & 4 == 0 { (flipped_x, flipped_y) } else { (flipped_y, flipped_x) };
                    map[bit(x, y)] = bit(to_x, to_y) as u8;
                }
            }
            game.symmetries.push(map);
        }
        Some(game)
    }

    /// The empty board.
    #[must_use]
    pub fn start(&self) -> MnkBoard {
        MnkBoard { own: 0, other: 0 }
    }

    /// Column and row of a move.
    #[must_use]
    pub fn coordinates(&self, at: MnkMove) -> (usize, usize) {
        let bit = at.0.trailing_zeros() as usize;
        (bit % (self.width + 1), bit / (self.width + 1))
    }

    /// The position after a stone of the side to move in column `x` and row `y`, or `None` if the cell is
    /// taken or off the board.
    #[must_use]
    pub fn play(&self, board: MnkBoard, x: usize, y: usize) -> Option<MnkBoard> {
        let on_board = x < self.width && y < self.height;
        let at = on_board.then(|| MnkMove(1 << (y * (self.width + 1) + x)))?;
        (board.stones() & at.0 == 0).then(|| board.after(at))
    }

    /// The length of a line, as far as it matters: no row has as many cells as a word has bits.
    fn reach(&self) -> usize {
        self.line.min(BITS)
    }

    /// Whether these stones hold a line.
    fn has_line(&self, stones: u64) -> bool {
        [1, self.width, self.width + 1, self.width + 2].into_iter().any(|step| {
            // A bit stays set as long as the row of stones that begins there is long enough.
            let row = (1..self.reach()).fold(stones, |row, n| row & (stones >> (step * n).min(BITS - 1)));
            row != 0
        })
    }

    /// Whether the side that has just moved has won.
    #[must_use]
    pub fn is_won(&self, board: MnkBoard) -> bool {
        self.has_line(board.other)
    }

    /// Whether no cell is empty.
    #[must_use]
    pub fn is_full(&self, board: MnkBoard) -> bool {
        board.stones() == self.cells
    }

    /// Stones on the board.
    #[must_use]
    pub fn stones(&self, board: MnkBoard) -> u32 {
        board.stones().count_ones()
    }

    /// The moves that can be made, in row order, whether or not the game is over.
    pub fn empty_cells(&self, board: MnkBoard) -> impl Iterator<Item = MnkMove> + use<> {
        bits(self.cells & !board.stones()).map(MnkMove)
    }

    /// The canonical form of a position: the same for all its turned and mirrored images.
    fn normal(&self, board: MnkBoard) -> MnkBoard {
        let image = |stones: u64, map: &[u8]| {
            bits(stones).fold(0, |all, bit| all | 1 << map[bit.trailing_zeros() as usize])
        };
        let images = self
            .symmetries
            .iter()
            .map(|m| MnkBoard { own: image(board.own, m), other: image(board.other, m) });
        images.fold(board, |least, image| least.min(image))
    }
}

impl fmt::Display for MnkGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.width, self.height, self.line)
    }
}

/// A position: the stones of the side to move, and those of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MnkBoard {
    own: u64,
    other: u64,
}

impl MnkBoard {
    fn stones(self) -> u64 {
        self.own | self.other
    }

    fn after(self, at: MnkMove) -> MnkBoard {
        MnkBoard { own: self.other, other: self.own | at.0 }
    }
}

/// A move: the bit of its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MnkMove(u64);

/// The set bits of a word, one by one.
fn bits(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = word & word.wrapping_neg();
        word ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// The result of perfect play, from the point of view of the side to move; in ascending order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MnkValue {
    /// The other side wins.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl std::ops::Neg for MnkValue {
    type Output = MnkValue;

    fn neg(self) -> MnkValue {
        match self {
            MnkValue::Loss => MnkValue::Win,
            MnkValue::Draw => MnkValue::Draw,
            MnkValue::Win => MnkValue::Loss,
        }
    }
}

impl fmt::Display for MnkValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MnkValue::Loss => "a loss",
            MnkValue::Draw => "a draw",
            MnkValue::Win => "a win",
        })
    }
}

/// The five steps; each includes the ones before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MnkMethod {
    /// Every move of every position.
    Minimax,
    /// Without moves that cannot change the result.
    AlphaBeta,
    /// The best looking moves first.
    Ordered,
    /// A line is completed, or a threatened one stopped, without trying anything else.
    Forced,
    /// Positions met before are looked up.
    Table,
}

impl MnkMethod {
    /// All methods, in ascending order.
    pub const ALL: [MnkMethod; 5] =
        [MnkMethod::Minimax, MnkMethod::AlphaBeta, MnkMethod::Ordered, MnkMethod::Forced, MnkMethod::Table];

    /// Its common name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MnkMethod::Minimax => "minimax",
            MnkMethod::AlphaBeta => "alpha-beta",
            MnkMethod::Ordered => "with ordering",
            MnkMethod::Forced => "with forced replies",
            MnkMethod::Table => "with table",
        }
    }
}

/// The result of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MnkSolution {
    /// The value for the side to move; `None` if the search was given up.
    pub value: Option<MnkValue>,
    /// A move that leads to it; `None` if the game is over or the search was given up.
    pub best: Option<MnkMove>,
    /// Nodes, that is positions searched, including the first one.
    pub nodes: u64,
}

/// Solves a position for the side to move, and gives up after `limit` nodes.
#[must_use]
pub fn solve(game: &MnkGame, board: MnkBoard, method: MnkMethod, limit: u64) -> MnkSolution {
    solve_until(game, board, method, limit, None, &AtomicBool::new(false))
}

/// Like [`solve`], but also gives up at the deadline and when `stop` is set.
#[must_use]
pub fn solve_until(
    game: &MnkGame,
    board: MnkBoard,
    method: MnkMethod,
    limit: u64,
    deadline: Option<Instant>,
    stop: &AtomicBool,
) -> MnkSolution {
    Search::new(game, method, NodeBudget::new(limit, deadline, stop)).solve(board)
}

/// The solution of a position, with the value of each move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MnkMoves {
    /// The same as from [`solve`] with a table.
    pub solution: MnkSolution,
    /// Every move in row order with its value for the side that makes it; `None` from the move at which the search was
    /// given up.
    pub values: Vec<(MnkMove, Option<MnkValue>)>,
    /// The move to play: one that leads to the value of the position or, if that is not known, the most promising of
    /// those that are not known to lose. `None` if the game is over.
    pub choice: Option<MnkMove>,
}

/// Solves a position and then each of its moves, with one table for all. Gives up after `limit` nodes for the position
/// and as many for the moves.
#[must_use]
pub fn solve_moves(game: &MnkGame, board: MnkBoard, limit: u64) -> MnkMoves {
    let never = AtomicBool::new(false);
    let budget = || NodeBudget::new(limit, None, &never);
    let mut search = Search::new(game, MnkMethod::Table, budget());
    let solution = search.solve(board);
    if game.is_won(board) {
        return MnkMoves { solution, values: Vec::new(), choice: None };
    }
    search.budget = budget();
    let values: Vec<(MnkMove, Option<MnkValue>)> = game
        .empty_cells(board)
        .map(|at| {
            let value = search.value(board.after(at), MnkValue::Loss, MnkValue::Win, false);
            (at, value.ok().map(|value| -value))
        })
        .collect();
    let is_known_as = |at: MnkMove, value| values.contains(&(at, Some(value)));
    let promising = search.moves(board);
    let first = |wanted: &dyn Fn(MnkMove) -> bool| promising.iter().copied().find(|&at| wanted(at));
    let choice = solution
        .best
        .or_else(|| first(&|at| is_known_as(at, MnkValue::Win)))
        .or_else(|| first(&|at| !is_known_as(at, MnkValue::Loss)))
        .or_else(|| promising.first().copied());
    MnkMoves { solution, values, choice }
}

/// A limit was reached, or the search was stopped.
struct GivenUp;

struct Search<'a> {
    game: &'a MnkGame,
    method: MnkMethod,
    budget: NodeBudget<'a>,
    /// The best move at the root.
    best: Option<MnkMove>,
    /// Lower and upper bounds of the values of positions.
    known: HashMap<MnkBoard, (MnkValue, MnkValue)>,
}

impl<'a> Search<'a> {
    fn new(game: &'a MnkGame, method: MnkMethod, budget: NodeBudget<'a>) -> Search<'a> {
        Search { game, method, budget, best: None, known: HashMap::new() }
    }

    fn solve(&mut self, board: MnkBoard) -> MnkSolution {
        let value = self.value(board, MnkValue::Loss, MnkValue::Win, true).ok();
        MnkSolution { value, best: value.and(self.best), nodes: self.budget.nodes() }
    }

    /// The value of a position. With alpha-beta, a value up to `alpha` is only an upper bound and one from `beta` on
    /// only a lower bound: in these cases the side to move or the opponent has something at least as good elsewhere.
    fn value(
        &mut self,
        board: MnkBoard,
        alpha: MnkValue,
        beta: MnkValue,
        is_root: bool,
    ) -> Result<MnkValue, GivenUp> {
        if !self.budget.spend() {
            return Err(GivenUp);
        }
        if self.game.is_won(board) {
            return Ok(MnkValue::Loss);
        }
        if self.game.is_full(board) {
            return Ok(MnkValue::Draw);
        }
        let has_table = self.method >= MnkMethod::Table;
        let key = if has_table { self.game.normal(board) } else { board };
        if has_table && !is_root {
            if self.game.lines.iter().all(|line| line & board.own != 0 && line & board.other != 0) {
                return Ok(MnkValue::Draw);
            }
            if let Some(&(least, most)) = self.known.get(&key)
                && (least == most || least >= beta || most <= alpha)
            {
                return Ok(if least >= beta { least } else { most });
            }
        }
        let mut best = MnkValue::Loss;
        let mut raised = alpha;
        for (n, at) in self.moves(board).into_iter().enumerate() {
            let value = -self.value(board.after(at), -beta, -raised, false)?;
            if is_root && (n == 0 || value > best) {
                self.best = Some(at);
            }
            best = best.max(value);
            raised = raised.max(value);
            let is_cut = best >= beta || best == MnkValue::Win;
            if is_cut && self.method >= MnkMethod::AlphaBeta {
                break;
            }
        }
        if has_table {
            let (mut least, mut most) =
                self.known.get(&key).copied().unwrap_or((MnkValue::Loss, MnkValue::Win));
            if best > alpha {
                least = least.max(best);
            }
            if best < beta {
                most = most.min(best);
            }
            self.known.insert(key, (least, most));
        }
        Ok(best)
    }

    /// The moves to search, in order.
    fn moves(&self, board: MnkBoard) -> Vec<MnkMove> {
        let mut moves: Vec<MnkMove> = bits(self.game.cells & !board.stones()).map(MnkMove).collect();
        if self.method < MnkMethod::Ordered {
            return moves;
        }
        let completes = |stones: u64, at: &MnkMove| self.game.has_line(stones | at.0);
        if self.method >= MnkMethod::Forced {
            let forced = moves.iter().find(|at| completes(board.own, at));
            if let Some(&at) = forced.or_else(|| moves.iter().find(|at| completes(board.other, at))) {
                return vec![at];
            }
        }
        // Open lines count the more the more stones they hold.
        let score = |at: &MnkMove| -> u64 {
            let lines = self.game.lines.iter().filter(|&line| line & at.0 != 0);
            let of = |stones: u64, others: u64, line: u64| {
                // Beyond eighteen stones in a line they count alike, or the sum would not fit.
                if line & others == 0 { 1 << (3 * (line & stones).count_ones()).min(54) } else { 0 }
            };
            lines.map(|&line| 2 * of(board.own, board.other, line) + of(board.other, board.own, line)).sum()
        };
        moves.sort_by_cached_key(|at| {
            (!completes(board.own, at), !completes(board.other, at), std::cmp::Reverse(score(at)))
        });
        moves
    }
}

#[cfg(test)]
#[path = "mnk_tests.rs"]
mod tests;
