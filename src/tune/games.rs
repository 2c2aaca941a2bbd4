//! Games to learn from: short searches from random openings, one game a line of text, so that a run that was
//! cut short goes on where it stopped.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::board::{Point, Size, Stones};
use crate::engine::Engine;
use crate::eval::score::is_decided;
use crate::rules::{Rule, reference};
use crate::search::{Answer, Control, Limits, Request};
use crate::with_rule;

/// Boards that games are played on.
const SIDES: [usize; 2] = [15, 20];
/// An opening is kept if neither side stands better by more points than this.
const OPENING_LIMIT: i32 = 300;
/// One move in so many is a random one near the last, so that games differ.
const RANDOM_MOVE: u32 = 24;
/// Memory of one engine, in bytes: the searches are short.
const MEMORY: u64 = 48 << 20;

/// A move of a game and what the search thought of the position before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move.
    pub point: Point,
    /// Score for the side to move, if it was searched and is worth learning from.
    pub score: Option<i32>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The rule it was played under.
    pub rule: Rule,
    /// Side of the board.
    pub side: usize,
    /// 1 if Black won, 0 for a draw, -1 if White won.
    pub result: i32,
    /// The moves, Black first.
    pub moves: Vec<Played>,
}

/// `renju 15 -1 h8 i9 j7:-12 ...`: a score stands behind the move that was chosen.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = format!("{} {} {}", self.rule, self.side, self.result);
        for played in &self.moves {
            match played.score {
                Some(score) => write!(line, " {}:{score}", played.point)?,
                None => write!(line, " {}", played.point)?,
            }
        }
        f.write_str(&line)
    }
}

/// A line that is no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoGame(pub String);

impl fmt::Display for NoGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not the line of a game", self.0)
    }
}

impl std::error::Error for NoGame {}

impl FromStr for Game {
    type Err = NoGame;

    fn from_str(line: &str) -> Result<Game, NoGame> {
        let error = || NoGame(line.chars().take(60).collect());
        let mut words = line.split_whitespace();
        let mut word = || words.next().ok_or_else(error);
        let rule = word()?.parse().map_err(|_| error())?;
        let side = word()?.parse().map_err(|_| error())?;
        let size = Size::new(side, side).ok_or_else(error)?;
        let result = word()?.parse().map_err(|_| error())?;
        let played = |word: &str| {
            let (point, score) = word.split_once(':').map_or((word, None), |(p, s)| (p, Some(s)));
            let point: Point = point.parse().ok().filter(|&p| size.contains(p))?;
            Some(Played { point, score: score.map(str::parse).transpose().ok()? })
        };
        let moves: Option<Vec<Played>> = words.map(played).collect();
        Ok(Game { rule, side, result, moves: moves.ok_or_else(error)? })
    }
}

/// Plays the game with this number: rule, board, opening and random moves follow from it alone.
#[must_use]
pub fn play(number: u64, nodes: u64) -> Game {
    let mut rng = StdRng::seed_from_u64(number);
    let rule = Rule::ALL[number as usize % Rule::ALL.len()];
    let side = SIDES[rng.random_range(0..SIDES.len())];
    let mut engine = Engine::new(1, MEMORY);
    let mut search = |stones: &Stones| {
        let request = Request::best(Limits { nodes: Some(nodes), ..Limits::default() });
        engine.think(rule, stones, &request, &Control::new(), &|_| {})
    };
    let mut stones = loop {
        let stones = random_opening(rule, Size::square(side), &mut rng);
        let score = score_of(&search(&stones));
        if score.is_some_and(|score| score.abs() <= OPENING_LIMIT) {
            break stones;
        }
    };
    let mut moves: Vec<Played> =
        stones.history().iter().map(|&(point, _)| Played { point, score: None }).collect();
    let result = loop {
        if stones.is_full() {
            break 0;
        }
        let answer = search(&stones);
        let score = score_of(&answer);
        let mut point = answer.moves[0];
        let quiet = score.is_some_and(|score| !is_decided(score));
        let random = quiet && rng.random_range(0..RANDOM_MOVE) == 0;
        if random {
            point = random_move(rule, &stones, &mut rng).unwrap_or(point);
        }
        // A random move is nothing to learn from, and neither is a forced one, which has no score.
        moves.push(Played { point, score: score.filter(|_| !random) });
        let own = stones.to_move();
        let (wins, loses) = with_rule!(rule, R => (
            reference::wins_at::<R>(&stones, point, own),
            reference::is_forbidden::<R>(&stones, point, own),
        ));
        stones.place(point, own);
        if wins || loses {
            break if (own.index() == 0) == wins { 1 } else { -1 };
        }
    };
    Game { rule, side, result, moves }
}

fn score_of(answer: &Answer) -> Option<i32> {
    answer.lines.first().filter(|line| line.depth > 0).map(|line| line.score)
}

/// Three to seven stones near each other, somewhere not too near the edge.
fn random_opening(rule: Rule, size: Size, rng: &mut StdRng) -> Stones {
    let mut stones = Stones::new(size);
    let count = rng.random_range(3..=7);
    let reach = rng.random_range(2..=3);
    let corner = |length: usize, rng: &mut StdRng| rng.random_range(2..length - 2 * reach - 3);
    let (left, top) = (corner(size.width(), rng), corner(size.height(), rng));
    while stones.history().len() < count {
        let x = left + rng.random_range(0..=2 * reach);
        let y = top + rng.random_range(0..=2 * reach);
        place_if_quiet(rule, &mut stones, Point::new(x, y));
    }
    stones
}

/// Places a stone of the side to move if it is legal and does not end the game.
fn place_if_quiet(rule: Rule, stones: &mut Stones, point: Point) -> bool {
    let own = stones.to_move();
    let quiet = stones.is_empty_at(point)
        && with_rule!(rule, R => !reference::is_forbidden::<R>(stones, point, own)
            && !reference::wins_at::<R>(stones, point, own));
    if quiet {
        stones.place(point, own);
    }
    quiet
}

/// A legal move near the last that does not win.
fn random_move(rule: Rule, stones: &Stones, rng: &mut StdRng) -> Option<Point> {
    let (last, _) = stones.recent(0)?;
    let near: Vec<Point> = stones
        .size()
        .points()
        .filter(|&point| point.distance(last) <= 3 && place_if_quiet(rule, &mut stones.clone(), point))
        .collect();
    (!near.is_empty()).then(|| near[rng.random_range(0..near.len())])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_survives_its_line() {
        for number in 0..5 {
            let game = play(number, 200);
            assert_eq!(game.to_string().parse(), Ok(game.clone()));
            assert_eq!(play(number, 200), game, "the number decides everything");
            assert!(game.moves.len() > 8);
        }
        for bad in ["", "renju", "renju 15 1 h16", "renju 15 1 h8:x", "renju 99 1 h8", "nim 15 1 h8"] {
            assert!(bad.parse::<Game>().is_err(), "{bad}");
        }
    }
}
