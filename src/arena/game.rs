//! One game between two players, decided by the rules in [`judge`].

use std::fmt;
use std::time::{Duration, Instant};

use super::adjudication::Adjudication;
use super::outcome::{GameResult, Reason};
use super::player::{Fault, NoMove, OpeningReply, Player, Thinking, whole_milliseconds};
use super::spec::EngineSpec;
use super::stop::Stop;
use crate::board::{Color, Coordinates, Point, Size, Stones};
use crate::rules::judge::{self, Verdict};
use crate::rules::{Rule, with_rule};
use crate::search::TimeControl;

/// What is played.
#[derive(Clone, Debug)]
pub struct GameSetup<'a> {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Stones to begin with, Black first.
    pub opening: &'a [Point],
    /// The seed of the players' random choices.
    pub seed: u64,
    /// Whether the players choose sides by swap2; the opening then has no stones or the first three.
    pub swap2: bool,
    /// When to end the game early.
    pub adjudication: Adjudication,
}

/// One of the two players of a game.
pub struct Seat<'a> {
    /// Who plays.
    pub player: &'a mut dyn Player,
    /// Under which limits.
    pub spec: &'a EngineSpec,
}

impl fmt::Debug for Seat<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Seat").field("spec", self.spec).finish_non_exhaustive()
    }
}

/// A move as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// Where.
    pub point: Point,
    /// How it was found; `None` for a stone of the opening.
    pub thinking: Option<Thinking>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// All stones in order, Black first.
    pub moves: Vec<PlayedMove>,
    /// How many of them are opening stones: those of the book, or with swap2 all that were placed before the sides were
    /// fixed.
    pub opening: usize,
    /// Which seat has Black in the end.
    pub black: usize,
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// The runner's own time, from the moment both players are ready to the end of the game, minus the players'
    /// thinking time. `None` after a fault, when it is not known.
    pub overhead: Option<Duration>,
}

/// Plays a game. Seat 0 has Black, or proposes the opening in swap2. Returns `None` if the match is being stopped. A
/// player that fails is discarded, so that it starts afresh in its next game.
pub fn play(setup: &GameSetup, seats: &mut [Seat; 2], stop: &Stop) -> Option<PlayedGame> {
    let mut game = Referee {
        setup,
        seats,
        stop,
        stones: Stones::new(setup.size),
        moves: Vec::new(),
        opening: 0,
        black: 0,
        left: [None; 2],
        begun: None,
        thinking: Duration::ZERO,
    };
    game.left = [0, 1].map(|seat| game.seats[seat].spec.time_control().left);
    let end = game.run();
    let taken = game.begun.map_or(Duration::ZERO, |begun| begun.elapsed());
    let (result, reason) = match end {
        Ok(end) => end,
        Err(Failure { no_move: NoMove::Stopped, .. }) => {
            // Neither player's state is known any more.
            game.seats.iter_mut().for_each(|seat| seat.player.discard());
            return None;
        }
        Err(Failure { seat, no_move: NoMove::Fault(fault) }) => {
            game.seats[seat].player.discard();
            let winner = !game.color(seat);
            (GameResult::win(winner), Reason::Fault { fault })
        }
    };
    let is_fault = matches!(reason, Reason::Fault { .. });
    let overhead = (!is_fault).then(|| taken.saturating_sub(game.thinking));
    let Referee { moves, opening, black, .. } = game;
    Some(PlayedGame { moves, opening, black, result, reason, overhead })
}

/// A player gave no move.
struct Failure {
    seat: usize,
    no_move: NoMove,
}

type End = (GameResult, Reason);

/// A game in progress: whose turn it is, how much time is left, and what the rules say.
struct Referee<'g, 's> {
    setup: &'g GameSetup<'g>,
    seats: &'g mut [Seat<'s>; 2],
    stop: &'g Stop,
    stones: Stones,
    moves: Vec<PlayedMove>,
    /// How many of the moves are opening stones.
    opening: usize,
    black: usize,
    left: [Option<Duration>; 2],
    /// When both players were ready.
    begun: Option<Instant>,
    /// The thinking time of both players together.
    thinking: Duration,
}

impl Referee<'_, '_> {
    fn run(&mut self) -> Result<End, Failure> {
        let setup = self.setup;
        for &point in setup.opening {
            self.place(point, None);
        }
        self.opening = setup.opening.len();
        for seat in 0..2 {
            let started = self.seats[seat].player.start(setup.rule, setup.size, setup.seed, self.stop);
            started.map_err(|no_move| Failure { seat, no_move })?;
        }
        self.begun = Some(Instant::now());
        if setup.swap2 {
            self.choose_sides()?;
        }
        if let Some(end) = self.over() {
            return Ok(end);
        }
        loop {
            let color = self.stones.to_move();
            let seat = if color == Color::Black { self.black } else { 1 - self.black };
            let time = self.time(seat);
            let chosen = self.seats[seat].player.choose(&self.stones, time, self.stop);
            let (at, thinking) = chosen.map_err(|no_move| Failure { seat, no_move })?;
            self.spend(seat, &thinking)?;
            let point = self.legal(seat, at)?;
            self.place(point, Some(thinking));
            if let Some(end) = self.over().or_else(|| self.ended_early()) {
                return Ok(end);
            }
        }
    }

    fn color(&self, seat: usize) -> Color {
        if seat == self.black { Color::Black } else { Color::White }
    }

    fn time(&self, seat: usize) -> TimeControl {
        TimeControl { left: self.left[seat], ..self.seats[seat].spec.time_control() }
    }

    /// Takes the time of a move off the clock.
    fn spend(&mut self, seat: usize, thinking: &Thinking) -> Result<(), Failure> {
        self.thinking += thinking.elapsed;
        let time = self.time(seat);
        let limit = time.limit();
        if let Some(limit) = limit
            && thinking.elapsed > limit + self.seats[seat].spec.margin()
        {
            let used_ms = whole_milliseconds(thinking.elapsed);
            let fault = Fault::Late { limit_ms: whole_milliseconds(limit), used_ms };
            return Err(Failure { seat, no_move: fault.into() });
        }
        if let Some(left) = &mut self.left[seat] {
            *left = left.saturating_sub(thinking.elapsed) + time.increment;
        }
        Ok(())
    }

    fn legal(&self, seat: usize, (x, y): Coordinates) -> Result<Point, Failure> {
        let point = Point::checked(x, y, self.setup.size).filter(|&point| self.stones.is_empty_at(point));
        point.ok_or_else(|| Failure { seat, no_move: Fault::Illegal { played: format!("{x},{y}") }.into() })
    }

    fn place(&mut self, point: Point, thinking: Option<Thinking>) {
        self.stones.place(point, self.stones.to_move());
        self.moves.push(PlayedMove { point, thinking });
    }

    /// How the last stone ended the game, if it did.
    fn over(&self) -> Option<End> {
        match with_rule!(self.setup.rule, R => judge::verdict::<R>(&self.stones)) {
            Verdict::Ongoing => None,
            Verdict::Win(color) => Some((GameResult::win(color), Reason::Line)),
            Verdict::Foul(color) => Some((GameResult::win(!color), Reason::Foul)),
            Verdict::Draw => Some((GameResult::Draw, Reason::FullBoard)),
        }
    }

    /// How adjudication ends the game, if it does.
    fn ended_early(&self) -> Option<End> {
        // In swap2 an engine was asked for stones of the opening too, but not as the side that has their colour.
        let score =
            |(n, played): (usize, &PlayedMove)| played.thinking.as_ref().filter(|_| n >= self.opening)?.score;
        let scores: Vec<Option<i32>> = self.moves.iter().enumerate().map(score).collect();
        self.setup.adjudication.end(&scores, self.stones.to_move())
    }

    /// Plays the swap2 opening, which places three to six stones and assigns the colours.
    fn choose_sides(&mut self) -> Result<(), Failure> {
        const PROPOSER: usize = 0;
        const CHOOSER: usize = 1;
        if self.moves.is_empty() {
            self.ask_opening(PROPOSER, &[3])?;
        }
        match self.ask_opening(CHOOSER, &[1, 2])? {
            0 => self.black = CHOOSER,
            1 => self.black = PROPOSER,
            _ => match self.ask_opening(PROPOSER, &[1])? {
                0 => self.black = PROPOSER,
                _ => self.black = CHOOSER,
            },
        }
        Ok(())
    }

    /// Asks one swap2 question and returns how many stones were placed, 0 for a swap. Until the sides are fixed, the
    /// player who is asked counts as White.
    fn ask_opening(&mut self, seat: usize, allowed: &[usize]) -> Result<usize, Failure> {
        self.black = 1 - seat;
        let time = self.time(seat);
        let answer = self.seats[seat].player.open(&self.stones, time, self.stop);
        let (reply, thinking) = answer.map_err(|no_move| Failure { seat, no_move })?;
        self.spend(seat, &thinking)?;
        let illegal = |played: String| Failure { seat, no_move: NoMove::Fault(Fault::Illegal { played }) };
        match reply {
            OpeningReply::Swap if self.moves.is_empty() => Err(illegal("SWAP".to_owned())),
            OpeningReply::Swap => Ok(0),
            OpeningReply::Place(cells) if !allowed.contains(&cells.len()) => {
                Err(illegal(format!("{} stones", cells.len())))
            }
            OpeningReply::Place(cells) => {
                for (n, &at) in cells.iter().enumerate() {
                    let point = self.legal(seat, at)?;
                    // The time of the whole answer is recorded with its last stone.
                    self.place(point, (n + 1 == cells.len()).then(|| thinking.clone()));
                    // A single stone fixes the sides and is the first move of its side.
                    if cells.len() > 1 {
                        self.opening = self.moves.len();
                    }
                }
                Ok(cells.len())
            }
        }
    }
}

#[cfg(test)]
#[path = "game_tests.rs"]
mod tests;
