//! One game between two players, judged by the reference judge.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::player::{Fault, NoMove, OpeningReply, Player, Thinking};
use super::spec::EngineSpec;
use super::stop::Stop;
use crate::board::Coordinates;
use crate::board::{Color, Point, Size, Stones};
use crate::rules::Rule;
use crate::rules::reference::{Verdict, judge};
use crate::search::TimeControl;
use crate::with_rule;

/// Who wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameResult {
    /// Black.
    Black,
    /// White.
    White,
    /// Nobody.
    Draw,
}

impl GameResult {
    /// The win of a colour.
    #[must_use]
    pub fn win(color: Color) -> GameResult {
        match color {
            Color::Black => GameResult::Black,
            Color::White => GameResult::White,
        }
    }

    /// The colour that wins.
    #[must_use]
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::Black => Some(Color::Black),
            GameResult::White => Some(Color::White),
            GameResult::Draw => None,
        }
    }
}

/// Why a game is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum Reason {
    /// The winner has made a winning line.
    Line,
    /// The loser has made a forbidden move.
    Foul,
    /// No empty cell is left.
    FullBoard,
    /// The game has reached the length at which it is called a draw.
    Length,
    /// Both held the game for even during so many moves.
    Quiet,
    /// The scores say that the loser has lost.
    Resignation,
    /// The loser has failed.
    Fault {
        /// How.
        fault: Fault,
    },
}

/// When a game is ended before it is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// A draw when so many stones are on the board.
    pub draw_after: Option<usize>,
    /// A draw after so many moves in a row with scores no further from 0 than this.
    pub quiet: Option<(usize, i32)>,
    /// A loss after so many own moves in a row with scores of minus this or less.
    pub resign: Option<(usize, i32)>,
    /// The opponent's scores must agree with a resignation.
    pub resign_both: bool,
}

/// What is played.
#[derive(Clone, Debug)]
pub struct GameSetup<'a> {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Stones to begin with, Black first.
    pub opening: &'a [Point],
    /// Whether the players choose sides by swap2; the opening is then empty or the first three stones.
    pub swap2: bool,
    /// When to end early.
    pub adjudication: Adjudication,
}

/// One of the two players of a game.
pub struct Seat<'a> {
    /// Who plays.
    pub player: &'a mut dyn Player,
    /// Under which limits.
    pub spec: &'a EngineSpec,
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
    /// Stones of the opening among them.
    pub opening: usize,
    /// Which seat has Black in the end.
    pub black: usize,
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// What the runner itself took: from the first question to the end, less the players' own time. `None` after
    /// a fault, where that is not known.
    pub overhead: Option<Duration>,
}

/// Plays a game. Seat 0 has Black, or proposes the opening in swap2. `None` if the match is being stopped.
/// A player that fails is discarded, so that it begins afresh in its next game.
pub fn play(setup: &GameSetup, seats: &mut [Seat; 2], stop: &Stop) -> Option<PlayedGame> {
    let mut game = Game {
        setup,
        seats,
        stop,
        stones: Stones::new(setup.size),
        moves: Vec::new(),
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
            // Nobody knows what they are thinking about.
            game.seats.iter_mut().for_each(|seat| seat.player.discard());
            return None;
        }
        Err(Failure { seat, no_move: NoMove::Fault(fault) }) => {
            game.seats[seat].player.discard();
            let winner = !game.color(seat);
            (GameResult::win(winner), Reason::Fault { fault })
        }
    };
    let opening = game.moves.iter().take_while(|played| played.thinking.is_none()).count();
    let is_fault = matches!(reason, Reason::Fault { .. });
    let overhead = (!is_fault).then(|| taken.saturating_sub(game.thinking));
    Some(PlayedGame { opening, black: game.black, result, reason, overhead, moves: game.moves })
}

/// A player gave no move.
struct Failure {
    seat: usize,
    no_move: NoMove,
}

type End = (GameResult, Reason);

struct Game<'g, 's> {
    setup: &'g GameSetup<'g>,
    seats: &'g mut [Seat<'s>; 2],
    stop: &'g Stop,
    stones: Stones,
    moves: Vec<PlayedMove>,
    black: usize,
    left: [Option<Duration>; 2],
    /// When both players were ready.
    begun: Option<Instant>,
    /// The time of both together.
    thinking: Duration,
}

impl Game<'_, '_> {
    fn run(&mut self) -> Result<End, Failure> {
        let setup = self.setup;
        for &point in setup.opening {
            self.place(point, None);
        }
        for seat in 0..2 {
            let started = self.seats[seat].player.start(setup.rule, setup.size, self.stop);
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
            if let Some(end) = self.over().or_else(|| self.adjudicated()) {
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
            let milliseconds = |time: Duration| time.as_millis() as u64;
            let fault =
                Fault::Late { limit_ms: milliseconds(limit), used_ms: milliseconds(thinking.elapsed) };
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

    /// Whether the last stone has ended the game.
    fn over(&self) -> Option<End> {
        match with_rule!(self.setup.rule, R => judge::<R>(&self.stones)) {
            Verdict::Ongoing => None,
            Verdict::Win(color) => Some((GameResult::win(color), Reason::Line)),
            Verdict::Foul(color) => Some((GameResult::win(!color), Reason::Foul)),
            Verdict::Draw => Some((GameResult::Draw, Reason::FullBoard)),
        }
    }

    fn adjudicated(&self) -> Option<End> {
        let rules = self.setup.adjudication;
        if let Some((count, score)) = rules.resign {
            let own = self.last_scores(0, count);
            let other = self.last_scores(1, count);
            let lost = own.is_some_and(|scores| scores.iter().all(|&own| own <= -score));
            let agreed = other.is_some_and(|scores| scores.iter().all(|&other| other >= score));
            if lost && (agreed || !rules.resign_both) {
                // The loser has just moved.
                return Some((GameResult::win(self.stones.to_move()), Reason::Resignation));
            }
        }
        if rules.draw_after.is_some_and(|limit| self.moves.len() >= limit) {
            return Some((GameResult::Draw, Reason::Length));
        }
        if let Some((count, score)) = rules.quiet {
            let last: Vec<_> = self.moves.iter().rev().map_while(scored).take(count).collect();
            if last.len() == count && last.iter().all(|&s| s.abs() <= score) {
                return Some((GameResult::Draw, Reason::Quiet));
            }
        }
        None
    }

    /// Scores of the last `count` moves of the side that moved `back` moves before the last; `None` if
    /// there are fewer.
    fn last_scores(&self, back: usize, count: usize) -> Option<Vec<i32>> {
        let scores: Vec<i32> =
            self.moves.iter().rev().skip(back).step_by(2).map_while(scored).take(count).collect();
        (scores.len() == count).then_some(scores)
    }

    /// The swap2 opening: who gets which colour, and three to six stones.
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

    /// Asks one question of swap2; how many stones were placed, 0 for a swap. Until sides are fixed the
    /// one who is asked counts as White.
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
                    // The time of the whole answer stands beside its last stone.
                    self.place(point, (n + 1 == cells.len()).then(|| thinking.clone()));
                }
                Ok(cells.len())
            }
        }
    }
}

fn scored(played: &PlayedMove) -> Option<i32> {
    played.thinking.as_ref()?.score
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a list of moves with scores.
    struct Scripted {
        moves: Vec<(i64, i64, i32)>,
        opening: Vec<OpeningReply>,
        took: Duration,
    }

    impl Scripted {
        fn row(y: i64, score: i32) -> Scripted {
            let moves = (0..15).rev().map(|x| (x, y, score)).collect();
            Scripted { moves, opening: Vec::new(), took: Duration::ZERO }
        }
    }

    impl Player for Scripted {
        fn start(&mut self, _rule: Rule, _size: Size, _stop: &Stop) -> Result<(), NoMove> {
            Ok(())
        }

        fn choose(
            &mut self,
            _stones: &Stones,
            _time: TimeControl,
            _stop: &Stop,
        ) -> Result<(Coordinates, Thinking), NoMove> {
            let (x, y, score) = self.moves.pop().ok_or(NoMove::Stopped)?;
            Ok(((x, y), Thinking { score: Some(score), elapsed: self.took, ..Thinking::default() }))
        }

        fn open(
            &mut self,
            _stones: &Stones,
            _time: TimeControl,
            _stop: &Stop,
        ) -> Result<(OpeningReply, Thinking), NoMove> {
            Ok((self.opening.remove(0), Thinking::default()))
        }

        fn discard(&mut self) {}

        fn quit(&mut self) -> bool {
            true
        }
    }

    fn setup() -> GameSetup<'static> {
        GameSetup {
            rule: Rule::Renju,
            size: Size::square(15),
            opening: &[],
            swap2: false,
            adjudication: Adjudication::default(),
        }
    }

    fn played(setup: &GameSetup, mut players: [Scripted; 2], spec: &str) -> PlayedGame {
        let spec = EngineSpec::parse(spec, &[]).unwrap();
        let [a, b] = &mut players;
        let mut seats = [Seat { player: a, spec: &spec }, Seat { player: b, spec: &spec }];
        play(setup, &mut seats, &Stop::new()).unwrap()
    }

    fn end(setup: &GameSetup, players: [Scripted; 2], spec: &str) -> (GameResult, Reason, usize) {
        let game = played(setup, players, spec);
        (game.result, game.reason, game.moves.len())
    }

    #[test]
    fn five_wins() {
        let players = [Scripted::row(0, 0), Scripted::row(5, 0)];
        assert_eq!(end(&setup(), players, ""), (GameResult::Black, Reason::Line, 9));
    }

    #[test]
    fn a_foul_loses() {
        // Black fills the gap of three and two: six in a row.
        let black = [(0, 0), (1, 0), (2, 0), (4, 0), (5, 0)];
        let white = [(1, 7), (4, 9), (9, 3), (12, 12), (6, 11)];
        let opening: Vec<Point> = black
            .into_iter()
            .zip(white)
            .flat_map(|(b, w)| [Point::new(b.0, b.1), Point::new(w.0, w.1)])
            .collect();
        let mut players = [Scripted::row(0, 0), Scripted::row(5, 0)];
        players[0].moves = vec![(3, 0, 0)];
        let setup = GameSetup { opening: &opening, ..setup() };
        assert_eq!(end(&setup, players, ""), (GameResult::White, Reason::Foul, 11));
    }

    #[test]
    fn illegal_moves_lose() {
        for at in [(15, 0), (-1, 3), (0, 5)] {
            let mut black = Scripted::row(0, 0);
            black.moves.push((2, 5, 0));
            let last = black.moves.len() - 2;
            black.moves[last] = (at.0, at.1, 0);
            let (result, reason, _) = end(&setup(), [black, Scripted::row(5, 0)], "");
            assert_eq!(result, GameResult::White);
            assert!(matches!(reason, Reason::Fault { fault: Fault::Illegal { .. } }), "{reason:?}");
        }
    }

    #[test]
    fn clocks_run_out() {
        let slow = || Scripted { took: Duration::from_millis(400), ..Scripted::row(5, 0) };
        let late = |spec: &str| {
            matches!(
                end(&setup(), [Scripted::row(0, 0), slow()], spec).1,
                Reason::Fault { fault: Fault::Late { .. } }
            )
        };
        assert!(late("turn=0.3 margin=0"));
        assert!(!late("turn=0.3 margin=0.1"));
        assert!(late("match=1 margin=0"));
        assert!(!late("match=1 inc=0.3 margin=0"));
        // The margin is no gift: what is used of it is not there later.
        assert!(late("match=1 margin=0.1"));
    }

    #[test]
    fn games_are_adjudicated() {
        let rules = |adjudication| GameSetup { adjudication, ..setup() };
        let draw = rules(Adjudication { draw_after: Some(6), ..Adjudication::default() });
        assert_eq!(
            end(&draw, [Scripted::row(0, 0), Scripted::row(5, 0)], ""),
            (GameResult::Draw, Reason::Length, 6)
        );
        let quiet = rules(Adjudication { quiet: Some((4, 10)), ..Adjudication::default() });
        assert_eq!(
            end(&quiet, [Scripted::row(0, 9), Scripted::row(5, -10)], ""),
            (GameResult::Draw, Reason::Quiet, 4)
        );
        assert_eq!(end(&quiet, [Scripted::row(0, 9), Scripted::row(5, 11)], "").2, 9);
        let one = rules(Adjudication { resign: Some((2, 500)), ..Adjudication::default() });
        assert_eq!(
            end(&one, [Scripted::row(0, 0), Scripted::row(5, -500)], ""),
            (GameResult::Black, Reason::Resignation, 4)
        );
        let both =
            rules(Adjudication { resign: Some((2, 500)), resign_both: true, ..Adjudication::default() });
        assert_eq!(end(&both, [Scripted::row(0, 0), Scripted::row(5, -500)], "").1, Reason::Line);
        assert_eq!(end(&both, [Scripted::row(0, 700), Scripted::row(5, -500)], "").1, Reason::Resignation);
    }

    #[test]
    fn swap2_gives_the_colours() {
        let place = |cells: &[Coordinates]| OpeningReply::Place(cells.to_vec());
        let three = || place(&[(7, 7), (8, 8), (9, 7)]);
        let black = |proposer: Vec<OpeningReply>, chooser: Vec<OpeningReply>| {
            let players = [
                Scripted { opening: proposer, ..Scripted::row(0, 0) },
                Scripted { opening: chooser, ..Scripted::row(5, 0) },
            ];
            let game = played(&GameSetup { swap2: true, ..setup() }, players, "");
            (game.black, matches!(game.reason, Reason::Line))
        };
        assert_eq!(black(vec![three()], vec![OpeningReply::Swap]), (1, true));
        assert_eq!(black(vec![three()], vec![place(&[(1, 1)])]), (0, true));
        let two = || place(&[(1, 1), (13, 13)]);
        assert_eq!(black(vec![three(), OpeningReply::Swap], vec![two()]), (0, true));
        assert_eq!(black(vec![three(), place(&[(2, 2)])], vec![two()]), (1, true));
        // Three stones are no answer to three stones.
        assert!(!black(vec![three()], vec![three()]).1);
        assert!(!black(vec![OpeningReply::Swap], vec![]).1);
    }
}
