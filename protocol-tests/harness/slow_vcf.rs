//! A slow and plain search for a VCF (victory by continuous fours), to check the engine's first moves and to make
//! the positions of the suites.
//!
//! It shares no code with the engine's search, shapes or tables: lines are walked cell by cell, fouls are
//! left to the slow judge, and every answer to a four is tried out.

use std::collections::HashMap;
use std::marker::PhantomData;

use kagetsu::board::{Cell, Direction};
use kagetsu::rules::{RuleSet, judge};
use kagetsu::{Color, Point, Stones};

/// Whether a stone of this colour on this point makes a line that wins.
pub fn wins_at<R: RuleSet>(stones: &Stones, point: Point, color: Color) -> bool {
    let winning = R::winning(color);
    Direction::ALL.into_iter().any(|direction| {
        let (forth, end) = run(stones, point, direction, 1, color);
        let (back, other_end) = run(stones, point, direction, -1, color);
        match forth + 1 + back {
            5 => {
                let closed = end == Cell::Stone(!color) && other_end == Cell::Stone(!color);
                !(winning.five_needs_open_end && closed)
            }
            length => length > 5 && winning.overline,
        }
    })
}

/// How many stones of the colour stand in a row beside the point, and what ends the row.
fn run(stones: &Stones, point: Point, direction: Direction, sign: i64, color: Color) -> (i64, Cell) {
    let mut length = 0;
    loop {
        let cell = look(stones, point, direction, sign * (length + 1));
        if cell != Cell::Stone(color) {
            return (length, cell);
        }
        length += 1;
    }
}

fn step(stones: &Stones, point: Point, direction: Direction, steps: i64) -> Option<Point> {
    let (dx, dy) = direction.delta();
    Point::checked(point.x() as i64 + steps * dx, point.y() as i64 + steps * dy, stones.size())
}

/// The cell so many steps along the line; beyond the edge all cells are dead.
fn look(stones: &Stones, point: Point, direction: Direction, steps: i64) -> Cell {
    step(stones, point, direction, steps).map_or(Cell::Dead, |point| stones.cell(point))
}

/// What the search found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move wins; its shortest way makes five with this ply (1, 3, 5 ...).
    Win(u32),
    /// There is no VCF within the plies allowed.
    NoWin,
    /// The search was given up.
    Unknown,
}

/// A search for the side to move.
pub struct SlowVcf<R> {
    /// Positions with the attacker to move, and a number of fours that does not suffice there.
    failed: HashMap<u64, u32>,
    nodes: u64,
    node_limit: u64,
    rule: PhantomData<R>,
}

/// The node limit was reached.
struct GivenUp;

impl<R: RuleSet> SlowVcf<R> {
    /// A search that gives up after so many nodes (some 30,000 a second).
    pub fn new(node_limit: u64) -> SlowVcf<R> {
        SlowVcf { failed: HashMap::new(), nodes: 0, node_limit, rule: PhantomData }
    }

    /// The shortest VCF of at most so many plies.
    pub fn shortest(&mut self, stones: &mut Stones, max_plies: u32) -> Outcome {
        let attacker = stones.to_move();
        if !winning_points::<R>(stones, attacker).is_empty() {
            return Outcome::Win(1);
        }
        let threats = winning_points::<R>(stones, !attacker);
        for fours in 1..=max_plies.saturating_sub(1) / 2 {
            match self.attack(stones, fours, &threats) {
                Ok(true) => return Outcome::Win(2 * fours + 1),
                Ok(false) => {}
                Err(GivenUp) => return Outcome::Unknown,
            }
        }
        Outcome::NoWin
    }

    /// The shortest VCF that begins with this move.
    pub fn shortest_after(&mut self, stones: &mut Stones, first: Point, max_plies: u32) -> Outcome {
        let attacker = stones.to_move();
        if wins_at::<R>(stones, first, attacker) {
            return Outcome::Win(1);
        }
        let threats = winning_points::<R>(stones, !attacker);
        for fours in 1..=max_plies.saturating_sub(1) / 2 {
            match self.four_wins(stones, first, fours, &threats) {
                Ok(true) => return Outcome::Win(2 * fours + 1),
                Ok(false) => {}
                Err(GivenUp) => return Outcome::Unknown,
            }
        }
        Outcome::NoWin
    }

    /// Whether the side to move, which cannot make five at once, wins with at most so many fours.
    /// `threats` are the points where the other side would make five.
    fn attack(&mut self, stones: &mut Stones, fours: u32, threats: &[Point]) -> Result<bool, GivenUp> {
        self.nodes += 1;
        if self.nodes > self.node_limit {
            return Err(GivenUp);
        }
        if fours == 0 || threats.len() > 1 && !R::winning(!stones.to_move()).five_needs_open_end {
            return Ok(false);
        }
        if self.failed.get(&stones.hash()).is_some_and(|&enough| enough >= fours) {
            return Ok(false);
        }
        for point in four_candidates(stones) {
            if self.four_wins(stones, point, fours, threats)? {
                return Ok(true);
            }
        }
        self.failed.insert(stones.hash(), fours);
        Ok(false)
    }

    /// Whether this move is a four and wins against every answer, with at most so many fours in all.
    fn four_wins(
        &mut self,
        stones: &mut Stones,
        point: Point,
        fours: u32,
        threats: &[Point],
    ) -> Result<bool, GivenUp> {
        let attacker = stones.to_move();
        if judge::is_forbidden::<R>(stones, point, attacker) {
            return Ok(false);
        }
        stones.place(point, attacker);
        let result = self.all_answers_lose(stones, point, fours, threats);
        stones.undo();
        result
    }

    fn all_answers_lose(
        &mut self,
        stones: &mut Stones,
        four: Point,
        fours: u32,
        threats: &[Point],
    ) -> Result<bool, GivenUp> {
        let (defender, attacker) = (stones.to_move(), !stones.to_move());
        let fives = winning_points_near::<R>(stones, four, attacker);
        let Some(&five) = fives.first() else { return Ok(false) };
        if threats.iter().any(|&t| stones.is_empty_at(t) && wins_at::<R>(stones, t, defender)) {
            return Ok(false);
        }
        // An answer must undo the first five, so it lies on a line through it.
        for answer in near(stones, five) {
            if judge::is_forbidden::<R>(stones, answer, defender) {
                continue;
            }
            stones.place(answer, defender);
            let undone = fives.iter().all(|&f| f == answer || !wins_at::<R>(stones, f, attacker));
            let lost = if undone {
                let threats = winning_points_near::<R>(stones, answer, defender);
                self.attack(stones, fours - 1, &threats)
            } else {
                Ok(true)
            };
            stones.undo();
            if !lost? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Whether, after this move of the side to move, the opponent has no VCF of at most so many plies. `None` if the
/// search was given up.
pub fn defends<R: RuleSet>(stones: &mut Stones, point: Point, plies: u32, nodes: u64) -> Option<bool> {
    let color = stones.to_move();
    if wins_at::<R>(stones, point, color) {
        return Some(true);
    }
    stones.place(point, color);
    let outcome = SlowVcf::<R>::new(nodes).shortest(stones, plies);
    stones.undo();
    match outcome {
        Outcome::Win(_) => Some(false),
        Outcome::NoWin => Some(true),
        Outcome::Unknown => None,
    }
}

/// The legal moves after which the opponent has no VCF of at most so many plies, as far as so many nodes tell.
pub fn holding_moves<R: RuleSet>(stones: &mut Stones, plies: u32, nodes: u64) -> Vec<Point> {
    let mut moves = legal_moves::<R>(stones);
    moves.retain(|&point| defends::<R>(stones, point, plies, nodes) == Some(true));
    moves
}

/// The points where the side to move may play.
pub fn legal_moves<R: RuleSet>(stones: &Stones) -> Vec<Point> {
    let own = stones.to_move();
    let is_legal = |&p: &Point| stones.is_empty_at(p) && !judge::is_forbidden::<R>(stones, p, own);
    stones.size().points().filter(is_legal).collect()
}

/// Whether this move of the side to move threatens five.
pub fn makes_four<R: RuleSet>(stones: &mut Stones, point: Point) -> bool {
    let own = stones.to_move();
    stones.place(point, own);
    let makes = !winning_points::<R>(stones, own).is_empty();
    stones.undo();
    makes
}

/// All points where the colour makes five.
fn winning_points<R: RuleSet>(stones: &Stones, color: Color) -> Vec<Point> {
    let points = stones.size().points();
    points.filter(|&p| stones.is_empty_at(p) && wins_at::<R>(stones, p, color)).collect()
}

/// Points on the lines through the stone on `point` where the colour makes five.
fn winning_points_near<R: RuleSet>(stones: &Stones, point: Point, color: Color) -> Vec<Point> {
    near(stones, point).into_iter().filter(|&p| wins_at::<R>(stones, p, color)).collect()
}

/// The empty points on the four lines through a point that can have to do with a five through it, and
/// the point itself if it is empty.
fn near(stones: &Stones, point: Point) -> Vec<Point> {
    let on_lines = Direction::ALL
        .into_iter()
        .flat_map(|direction| (-5..=5).map(move |steps| (direction, steps)))
        .filter(|&(_, steps)| steps != 0)
        .filter_map(|(direction, steps)| step(stones, point, direction, steps));
    on_lines.chain([point]).filter(|&p| stones.is_empty_at(p)).collect()
}

/// Where the side to move may make a four: the empty points of each stretch of five cells that holds
/// three of its stones and nothing else.
fn four_candidates(stones: &Stones) -> Vec<Point> {
    let own = Cell::Stone(stones.to_move());
    let mut found = Vec::new();
    for start in stones.size().points() {
        for direction in Direction::ALL {
            let mut empty = Vec::new();
            let open = (0..5).all(|n| match step(stones, start, direction, n) {
                Some(point) if stones.is_empty_at(point) && empty.len() < 2 => {
                    empty.push(point);
                    true
                }
                Some(point) => stones.cell(point) == own,
                None => false,
            });
            if open && empty.len() == 2 {
                found.extend(empty);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
