//! Training samples from recorded games: positions with the move that was played and the result of the game.
//!
//! This module decides which positions and games are taken; [`formats::samples`](crate::formats::samples) knows how
//! they are written. Games that were decided by a fault say nothing about positions and are left out.

use std::io::Write;

use anyhow::{Context, ensure};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::outcome::Reason;
use super::records::{GameRecord, SWAP2_STONES};
use crate::board::{Color, Point, PointSet, Size};
use crate::formats::samples::{GameSample, PositionSample, SampleFormat, SampleResult};
use crate::rules::Rule;

/// Writes samples of games.
#[derive(Debug)]
pub struct Sampler<W> {
    format: SampleFormat,
    /// Share of the positions that is taken, 0 to 1; in [`SampleFormat::Binpack`] the share of the games.
    frequency: f64,
    random: StdRng,
    out: W,
    taken: u64,
}

impl<W: Write> Sampler<W> {
    /// The same seed takes the same positions of the same games.
    pub fn new(format: SampleFormat, frequency: f64, seed: u64, out: W) -> Sampler<W> {
        Sampler { format, frequency, random: StdRng::seed_from_u64(seed), out, taken: 0 }
    }

    /// Writes the samples of a game. With swap2, they begin after five stones, when the sides are fixed in every game:
    /// what was placed before they were was to be even, or to be refused, and says nothing about good moves.
    ///
    /// # Errors
    /// Writing fails, the record is damaged, or the format does not support the rule or the board.
    pub fn add(&mut self, game: &GameRecord, swap2: bool) -> anyhow::Result<()> {
        if matches!(game.reason, Reason::Fault { .. }) {
            return Ok(());
        }
        let sampled = SampledGame::of(game).with_context(|| format!("game {}", game.id))?;
        // The number of stones before each move that an engine chose.
        let begin = if swap2 { SWAP2_STONES } else { 0 };
        let plies: Vec<usize> =
            (begin..sampled.points.len()).filter(|&ply| game.moves[ply].ms.is_some()).collect();
        if self.format == SampleFormat::Binpack {
            let Some(&first) = plies.first() else { return Ok(()) };
            if self.random.random_bool(self.frequency) {
                self.out.write_all(&sampled.from(first).to_bytes()?)?;
                self.taken += 1;
            }
            return Ok(());
        }
        for ply in plies {
            if !self.random.random_bool(self.frequency) {
                continue;
            }
            let sample = sampled.at(ply);
            match self.format {
                SampleFormat::Csv => writeln!(self.out, "{}", sample.to_csv())?,
                _ => self.out.write_all(&sample.to_bytes()?)?,
            }
            self.taken += 1;
        }
        Ok(())
    }

    /// Flushes the output and returns how many positions, or games, were taken.
    ///
    /// # Errors
    /// Writing fails.
    pub fn finish(mut self) -> anyhow::Result<u64> {
        self.out.flush()?;
        Ok(self.taken)
    }
}

/// A game whose record has been checked.
struct SampledGame<'a> {
    game: &'a GameRecord,
    size: Size,
    rule: Rule,
    points: Vec<Point>,
}

impl SampledGame<'_> {
    fn of(game: &GameRecord) -> anyhow::Result<SampledGame<'_>> {
        let size = game.board()?;
        let rule = game.rule.parse()?;
        let (mut points, mut taken) = (Vec::with_capacity(game.moves.len()), PointSet::default());
        for record in &game.moves {
            let point: Point = record.at.parse()?;
            ensure!(size.contains(point), "{point} is off the board of {size}");
            ensure!(!taken.contains(point), "{point} is taken");
            taken.insert(point);
            points.push(point);
        }
        Ok(SampledGame { game, size, rule, points })
    }

    /// The position after `ply` stones.
    fn at(&self, ply: usize) -> PositionSample {
        let (size, rule, result) = (self.size, self.rule, self.result(ply));
        PositionSample { size, rule, stones: self.points[..ply].to_vec(), played: self.points[ply], result }
    }

    /// The whole game, with its first `opening` stones as the opening.
    fn from(&self, opening: usize) -> GameSample {
        let (size, rule, result) = (self.size, self.rule, self.result(opening));
        let scores = self
            .game
            .moves
            .iter()
            .map(|record| record.score.map(|score| score.clamp(i16::MIN.into(), i16::MAX.into()) as i16));
        let moves = self.points.iter().copied().zip(scores).skip(opening).collect();
        GameSample { size, rule, result, opening: self.points[..opening].to_vec(), moves }
    }

    /// The outcome for the side that moves after `ply` stones.
    fn result(&self, ply: usize) -> SampleResult {
        match self.game.result.winner() {
            None => SampleResult::Draw,
            Some(winner) if winner == Color::ALL[ply % 2] => SampleResult::Win,
            Some(_) => SampleResult::Loss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::outcome::GameResult;
    use crate::arena::player::Fault;
    use crate::arena::records::MoveRecord;

    fn game() -> GameRecord {
        let thought =
            |at: &str, score| MoveRecord { at: at.to_owned(), ms: Some(1.0), score, ..MoveRecord::default() };
        GameRecord {
            id: 0,
            pair: 0,
            engines: (0, 1),
            black: 0,
            names: ("a".to_owned(), "b".to_owned()),
            rule: "renju".to_owned(),
            size: (15, 15),
            opening: 1,
            moves: vec![
                MoveRecord { at: "h8".to_owned(), ..MoveRecord::default() },
                thought("i9", Some(-3)),
                thought("a15", None),
            ],
            result: GameResult::White,
            reason: Reason::Line,
            duration_ms: 5,
            overhead_ms: None,
        }
    }

    fn sampled(format: &str, frequency: f64, games: &[GameRecord]) -> anyhow::Result<(Vec<u8>, u64)> {
        let mut bytes = Vec::new();
        let mut sampler = Sampler::new(format.parse().unwrap(), frequency, 1, &mut bytes);
        games.iter().try_for_each(|game| sampler.add(game, false))?;
        let taken = sampler.finish()?;
        Ok((bytes, taken))
    }

    #[test]
    fn text() {
        let (bytes, taken) = sampled("csv", 1.0, &[game()]).unwrap();
        assert_eq!((String::from_utf8(bytes).unwrap().as_str(), taken), ("h8,i9,2\nh8i9,a15,0\n", 2));
        let none = GameRecord { reason: Reason::Fault { fault: Fault::Hang { waited_ms: 1 } }, ..game() };
        assert_eq!(sampled("csv", 1.0, &[none]).unwrap().1, 0);
    }

    #[test]
    fn impossible_games_are_refused() {
        for (at, said) in [("h8", "h8 is taken"), ("p1", "p1 is off the board of 15x15")] {
            let mut game = game();
            game.moves[2].at = at.to_owned();
            for format in ["csv", "bin", "binpack"] {
                let error = sampled(format, 1.0, std::slice::from_ref(&game)).unwrap_err();
                assert!(error.root_cause().to_string().ends_with(said), "{error:#}");
            }
        }
    }

    #[test]
    fn bytes() {
        let (bytes, taken) = sampled("bin", 1.0, &[game()]).unwrap();
        let (first, rest) = PositionSample::from_bytes(&bytes).unwrap();
        let (second, rest) = PositionSample::from_bytes(rest).unwrap();
        assert_eq!((first.to_csv().as_str(), second.to_csv().as_str()), ("h8,i9,2", "h8i9,a15,0"));
        assert_eq!((first.rule.name(), taken, rest), ("renju", 2, &b""[..]));
        let (bytes, taken) = sampled("binpack", 1.0, &[game()]).unwrap();
        let (sample, rest) = GameSample::from_bytes(&bytes).unwrap();
        assert_eq!((sample.opening.len(), sample.result, taken, rest), (1, SampleResult::Win, 1, &b""[..]));
        assert_eq!(sample.moves.iter().map(|&(_, score)| score).collect::<Vec<_>>(), [Some(-3), None]);
    }

    #[test]
    fn stones_of_swap2_are_not_learned_from() {
        let thought = |at: &str| MoveRecord { at: at.to_owned(), ms: Some(1.0), ..MoveRecord::default() };
        let moves = ["h8", "i9", "a15", "j10", "k11", "c3", "d4"].map(thought).to_vec();
        let game = GameRecord { opening: 0, moves, ..game() };
        for (format, taken) in [("csv", 2), ("binpack", 1)] {
            let mut bytes = Vec::new();
            let mut sampler = Sampler::new(format.parse().unwrap(), 1.0, 1, &mut bytes);
            sampler.add(&game, true).unwrap();
            assert_eq!(sampler.finish().unwrap(), taken, "{format}");
            if format == "csv" {
                let text = String::from_utf8(bytes).unwrap();
                assert!(text.starts_with("h8i9a15j10k11,c3,"), "{text}");
            } else {
                assert_eq!(GameSample::from_bytes(&bytes).unwrap().0.opening.len(), 5);
            }
        }
    }

    #[test]
    fn damaged_records_are_told() {
        let said = |game: GameRecord| format!("{:#}", sampled("csv", 1.0, &[game]).unwrap_err());
        assert!(said(GameRecord { size: (5, 5), ..game() }).contains("game 0: h8 is off the board of 5x5"));
        assert!(said(GameRecord { size: (0, 5), ..game() }).contains("no board"));
        assert!(said(GameRecord { rule: "x".to_owned(), ..game() }).contains("`x` is not a rule"));
        let moves = vec![MoveRecord { at: "z".to_owned(), ..MoveRecord::default() }];
        assert!(said(GameRecord { moves, ..game() }).contains("`z` is neither"));
        let moves = vec![game().moves[0].clone(); 600];
        assert!(said(GameRecord { moves, ..game() }).contains("game 0: h8 is taken"));
    }

    #[test]
    fn a_share_is_taken_and_the_same_each_time() {
        let games = vec![game(); 1000];
        let (bytes, taken) = sampled("csv", 0.25, &games).unwrap();
        assert!((400..600).contains(&taken), "{taken}");
        assert_eq!(sampled("csv", 0.25, &games).unwrap().0, bytes);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let caro = GameRecord { rule: "caro".to_owned(), ..game() };
        let wide = GameRecord { size: (15, 16), ..game() };
        for format in ["bin", "binpack"] {
            assert!(sampled(format, 1.0, std::slice::from_ref(&caro)).is_err());
            assert!(sampled(format, 1.0, std::slice::from_ref(&wide)).is_err());
        }
        assert_eq!(sampled("csv", 1.0, &[caro, wide]).unwrap().1, 4);
    }
}
