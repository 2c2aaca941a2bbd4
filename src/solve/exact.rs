//! m,n,k-games solved exactly: k in a row on a board of m columns and n rows.
//!
//! A teaching reference and an oracle for tests, small enough to be read in one go; the engine does not use
//! it. The same search climbs five rungs, each of which keeps the value and saves positions:
//!
//! | [`Method`] | what it adds |
//! |---|---|
//! | `Minimax` | every move of every position |
//! | `AlphaBeta` | moves that can no longer change the result are left out |
//! | `Ordered` | moves that look best come first, so that more can be left out |
//! | `Forced` | own line at once; else, where the opponent threatens one, only the move that stops it |
//! | `Table` | a position reached again, turned or mirrored is looked up; boards without open lines are draws |
//!
//! A perfect order would need about the square root of the positions of minimax (Knuth and Moore, 1975).

use std::collections::HashMap;
use std::fmt;

/// Cells of the board and the gap behind each row must fit into one word.
const BITS: usize = 64;

/// A game: who first has `line` stones (or more) in a row wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    width: usize,
    height: usize,
    line: usize,
    /// Every set of cells that makes a line.
    lines: Vec<u64>,
    /// The cells of the board.
    cells: u64,
    /// For each symmetry, where it takes each bit.
    symmetries: Vec<Vec<u8>>,
}

impl Game {
    /// The game of this width, height and length of a line, or `None` if the board is empty, too large for
    /// one word (7x7 and 8x7 fit) or a line is shorter than 1.
    #[must_use]
    pub fn new(width: usize, height: usize, line: usize) -> Option<Game> {
        // One gap behind each row, so that a line never runs around the edge.
        if width == 0 || height == 0 || line == 0 || (width + 1).checked_mul(height)? > BITS {
            return None;
        }
        let bit = |x: usize, y: usize| y * (width + 1) + x;
        let mut game = Game { width, height, line, lines: Vec::new(), cells: 0, symmetries: Vec::new() };
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

    /// The position in which nothing stands.
    #[must_use]
    pub fn start(&self) -> Board {
        Board { own: 0, other: 0 }
    }

    /// Column and row of a move.
    #[must_use]
    pub fn coordinates(&self, at: Move) -> (usize, usize) {
        let bit = at.0.trailing_zeros() as usize;
        (bit % (self.width + 1), bit / (self.width + 1))
    }

    /// The position after a stone of the side to move in column `x` and row `y`, or `None` if the cell is
    /// taken or off the board.
    #[must_use]
    pub fn play(&self, board: Board, x: usize, y: usize) -> Option<Board> {
        let on_board = x < self.width && y < self.height;
        let at = on_board.then(|| Move(1 << (y * (self.width + 1) + x)))?;
        (board.stones() & at.0 == 0).then(|| board.after(at))
    }

    /// Whether these stones hold a line.
    fn has_line(&self, stones: u64) -> bool {
        [1, self.width, self.width + 1, self.width + 2].into_iter().any(|step| {
            // A bit stays as long as so many stones in a row begin there.
            let row = (1..self.line).fold(stones, |row, n| row & (stones >> (step * n).min(BITS - 1)));
            row != 0
        })
    }

    /// Whether the side that has just moved has won.
    #[must_use]
    pub fn is_won(&self, board: Board) -> bool {
        self.has_line(board.other)
    }

    /// Whether no cell is empty.
    #[must_use]
    pub fn is_full(&self, board: Board) -> bool {
        board.stones() == self.cells
    }

    /// The same position for all positions that are turned or mirrored images of each other.
    fn normal(&self, board: Board) -> Board {
        let image = |stones: u64, map: &[u8]| {
            bits(stones).fold(0, |all, bit| all | 1 << map[bit.trailing_zeros() as usize])
        };
        let images =
            self.symmetries.iter().map(|m| Board { own: image(board.own, m), other: image(board.other, m) });
        images.fold(board, |least, image| least.min(image))
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", self.width, self.height, self.line)
    }
}

/// A position: the stones of the side to move, and those of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    own: u64,
    other: u64,
}

impl Board {
    fn stones(self) -> u64 {
        self.own | self.other
    }

    fn after(self, at: Move) -> Board {
        Board { own: self.other, other: self.own | at.0 }
    }
}

/// A move: the bit of its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(u64);

/// The set bits of a word, one by one.
fn bits(mut word: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = word & word.wrapping_neg();
        word ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// What perfect play leads to, from the view of the side to move; in rising order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The other side wins.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl std::ops::Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Value::Loss => "a loss",
            Value::Draw => "a draw",
            Value::Win => "a win",
        })
    }
}

/// The rungs; each has what the ones before it have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// Every move of every position.
    Minimax,
    /// Without moves that cannot change the result.
    AlphaBeta,
    /// The best looking moves first.
    Ordered,
    /// A line is completed, and a threatened one stopped, without looking at anything else.
    Forced,
    /// Positions met before are looked up.
    Table,
}

impl Method {
    /// All, in rising order.
    pub const ALL: [Method; 5] =
        [Method::Minimax, Method::AlphaBeta, Method::Ordered, Method::Forced, Method::Table];

    /// What people call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Method::Minimax => "minimax",
            Method::AlphaBeta => "alpha-beta",
            Method::Ordered => "with ordering",
            Method::Forced => "with forced replies",
            Method::Table => "with table",
        }
    }
}

/// What a search found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    /// For the side to move; `None` if the search was given up.
    pub value: Option<Value>,
    /// A move that leads to it; `None` if the game is over.
    pub best: Option<Move>,
    /// Positions looked at, the first one among them.
    pub positions: u64,
}

/// Solves a position, and gives up after so many positions.
#[must_use]
pub fn solve(game: &Game, board: Board, method: Method, limit: u64) -> Solution {
    let mut search = Search { game, method, limit, positions: 0, best: None, known: HashMap::new() };
    let value = search.value(board, Value::Loss, Value::Win, true).ok();
    Solution { value, best: value.and(search.best), positions: search.positions }
}

/// The limit was reached.
struct GivenUp;

struct Search<'a> {
    game: &'a Game,
    method: Method,
    limit: u64,
    positions: u64,
    /// The best move at the root.
    best: Option<Move>,
    /// The least and the highest value that a position can still have.
    known: HashMap<Board, (Value, Value)>,
}

impl Search<'_> {
    /// The value of a position. With alpha-beta, a value up to `alpha` may be too high and one from `beta`
    /// too low: the side to move has better than `alpha` elsewhere, or the opponent better than `beta`.
    fn value(&mut self, board: Board, alpha: Value, beta: Value, is_root: bool) -> Result<Value, GivenUp> {
        self.positions += 1;
        if self.positions > self.limit {
            return Err(GivenUp);
        }
        if self.game.is_won(board) {
            return Ok(Value::Loss);
        }
        if self.game.is_full(board) {
            return Ok(Value::Draw);
        }
        let has_table = self.method >= Method::Table;
        let key = if has_table { self.game.normal(board) } else { board };
        if has_table && !is_root {
            if self.game.lines.iter().all(|line| line & board.own != 0 && line & board.other != 0) {
                return Ok(Value::Draw);
            }
            if let Some(&(least, most)) = self.known.get(&key)
                && (least == most || least >= beta || most <= alpha)
            {
                return Ok(if least >= beta { least } else { most });
            }
        }
        let mut best = Value::Loss;
        let mut raised = alpha;
        for (n, at) in self.moves(board).into_iter().enumerate() {
            let value = -self.value(board.after(at), -beta, -raised, false)?;
            if is_root && (n == 0 || value > best) {
                self.best = Some(at);
            }
            best = best.max(value);
            raised = raised.max(value);
            let is_cut = best >= beta || best == Value::Win;
            if is_cut && self.method >= Method::AlphaBeta {
                break;
            }
        }
        if has_table {
            let (mut least, mut most) = self.known.get(&key).copied().unwrap_or((Value::Loss, Value::Win));
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

    /// The moves to be looked at, in order.
    fn moves(&self, board: Board) -> Vec<Move> {
        let mut moves: Vec<Move> = bits(self.game.cells & !board.stones()).map(Move).collect();
        if self.method < Method::Ordered {
            return moves;
        }
        let completes = |stones: u64, at: &Move| self.game.has_line(stones | at.0);
        if self.method >= Method::Forced {
            let forced = moves.iter().find(|at| completes(board.own, at));
            if let Some(&at) = forced.or_else(|| moves.iter().find(|at| completes(board.other, at))) {
                return vec![at];
            }
        }
        // Lines that are still open count the more the more stones they hold.
        let promise = |at: &Move| -> u64 {
            let lines = self.game.lines.iter().filter(|&line| line & at.0 != 0);
            let of = |stones: u64, others: u64, line: u64| {
                if line & others == 0 { 1 << (3 * (line & stones).count_ones()) } else { 0 }
            };
            lines.map(|&line| 2 * of(board.own, board.other, line) + of(board.other, board.own, line)).sum()
        };
        moves.sort_by_cached_key(|at| {
            (!completes(board.own, at), !completes(board.other, at), std::cmp::Reverse(promise(at)))
        });
        moves
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    const NO_LIMIT: u64 = u64::MAX;

    fn solved(width: usize, height: usize, line: usize, method: Method) -> Solution {
        let game = Game::new(width, height, line).unwrap();
        solve(&game, game.start(), method, NO_LIMIT)
    }

    #[test]
    fn tic_tac_toe_is_a_draw_for_every_method() {
        for method in Method::ALL {
            assert_eq!(solved(3, 3, 3, method).value, Some(Value::Draw), "{method:?}");
        }
        // The number that every textbook has: all positions of all games.
        assert_eq!(solved(3, 3, 3, Method::Minimax).positions, 549_946);
    }

    #[test]
    fn known_games_have_their_values() {
        // Uiterwijk and van den Herik, The advantage of the initiative (2000), and the small cases by hand.
        for (width, height, line, value) in [
            (1, 1, 1, Value::Win),
            (2, 2, 2, Value::Win),
            (5, 1, 2, Value::Win),
            (2, 1, 3, Value::Draw),
            (4, 3, 3, Value::Win),
            (4, 4, 3, Value::Win),
            (4, 4, 4, Value::Draw),
            (5, 4, 4, Value::Draw),
            (5, 5, 4, Value::Draw),
            (6, 5, 4, Value::Win),
        ] {
            let solution = solved(width, height, line, Method::Table);
            assert_eq!(solution.value, Some(value), "{width},{height},{line}");
        }
    }

    /// A random position with `empty` cells left, in which nobody has won.
    fn random_board(game: &Game, empty: u32, rng: &mut StdRng) -> Board {
        loop {
            let mut board = game.start();
            while !game.is_won(board) && (game.cells & !board.stones()).count_ones() > empty {
                let free: Vec<u64> = bits(game.cells & !board.stones()).collect();
                board = board.after(Move(free[rng.random_range(0..free.len())]));
            }
            if !game.is_won(board) {
                return board;
            }
        }
    }

    #[test]
    fn every_method_finds_what_minimax_finds() {
        let mut rng = StdRng::seed_from_u64(1);
        let mut seen = [0; 3];
        for (width, height, line) in [(3, 3, 3), (4, 3, 3), (4, 4, 4), (5, 4, 4), (6, 5, 4), (7, 6, 5)] {
            let game = Game::new(width, height, line).unwrap();
            for _ in 0..60 {
                let board = random_board(&game, 7, &mut rng);
                let minimax = solve(&game, board, Method::Minimax, NO_LIMIT);
                let value = minimax.value.unwrap();
                seen[value as usize] += 1;
                let mut least = minimax.positions;
                for method in Method::ALL {
                    let solution = solve(&game, board, method, NO_LIMIT);
                    assert_eq!(solution.value, Some(value), "{game} {method:?} {board:?}");
                    // The move leads to the value.
                    let after = solve(&game, board.after(solution.best.unwrap()), method, NO_LIMIT);
                    assert_eq!(after.value, Some(-value), "{game} {method:?} {board:?}");
                    if method <= Method::AlphaBeta {
                        assert!(solution.positions <= least);
                        least = solution.positions;
                    }
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
    }

    #[test]
    fn lines_are_seen_in_every_direction_and_not_around_the_edge() {
        let game = Game::new(4, 4, 3).unwrap();
        let board = |cells: &[(usize, usize)]| {
            cells.iter().fold(0, |all, (x, y)| all | game.play(game.start(), *x, *y).unwrap().other)
        };
        for line in &game.lines {
            assert!(game.has_line(*line) && line.count_ones() == 3);
        }
        assert_eq!(game.lines.len(), 24);
        assert!(!game.has_line(board(&[(2, 0), (3, 0), (0, 1)])));
        assert!(!game.has_line(board(&[(3, 0), (0, 2), (1, 3)])));
    }

    #[test]
    fn a_search_gives_up() {
        let game = Game::new(5, 5, 4).unwrap();
        let solution = solve(&game, game.start(), Method::Minimax, 1000);
        assert_eq!((solution.value, solution.best), (None, None));
        assert!(Game::new(8, 8, 5).is_none() && Game::new(0, 3, 3).is_none());
        assert!(game.play(game.start(), 5, 0).is_none());
    }
}
