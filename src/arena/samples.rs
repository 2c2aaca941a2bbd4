//! Positions out of recorded games, to learn from: what was played in them, and who won in the end.
//!
//! The formats are those of c-gomoku-cli, which programs that learn already read; its README describes them.
//! Games that a fault decided say nothing about positions and are left out.
//!
//! | format | holds |
//! |---|---|
//! | csv | a position a line: stones, move, result; `h8i9,j8,2` |
//! | bin | the same in bytes, each position on its own |
//! | binpack | whole games: opening, then each move with its score |
//!
//! Results are those of the side to move: 0 a loss, 1 a draw, 2 a win.

use std::io::Write;
use std::str::FromStr;

use anyhow::{Context, ensure};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::outcome::Reason;
use super::records::GameRecord;
use crate::board::{Color, Point};
use crate::rules::Rule;

/// How samples are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SampleFormat {
    /// Text.
    #[default]
    Csv,
    /// Bytes, position by position.
    Bin,
    /// Bytes, game by game.
    Binpack,
}

impl FromStr for SampleFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<SampleFormat, String> {
        Ok(match text {
            "csv" => SampleFormat::Csv,
            "bin" => SampleFormat::Bin,
            "binpack" => SampleFormat::Binpack,
            _ => return Err("there are csv, bin and binpack".to_owned()),
        })
    }
}

/// Writes samples of games.
#[derive(Debug)]
pub struct Sampler<W> {
    format: SampleFormat,
    /// Share of the positions that is taken, 0 to 1; of the games in [`SampleFormat::Binpack`].
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

    /// Writes the samples of a game.
    ///
    /// # Errors
    /// The system refuses, the record is damaged, or rule or board do not fit into the format.
    pub fn add(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        if matches!(game.reason, Reason::Fault { .. }) {
            return Ok(());
        }
        let points: Vec<Point> = game
            .moves
            .iter()
            .map(|record| record.at.parse().ok().with_context(|| format!("`{}` is no point", record.at)))
            .collect::<anyhow::Result<_>>()
            .with_context(|| format!("game {}", game.id))?;
        // Stones before each move that an engine chose.
        let plies: Vec<usize> = (0..points.len()).filter(|&ply| game.moves[ply].ms.is_some()).collect();
        match self.format {
            SampleFormat::Csv => {
                let text = |points: &[Point]| points.iter().map(Point::to_string).collect::<String>();
                for ply in self.chosen(plies) {
                    let (before, played) = (text(&points[..ply]), points[ply]);
                    writeln!(self.out, "{before},{played},{}", result(game, ply))?;
                }
            }
            SampleFormat::Bin => {
                for ply in self.chosen(plies) {
                    let entry = position_entry(game, &points[..ply], points[ply])?;
                    self.out.write_all(&entry)?;
                }
            }
            SampleFormat::Binpack => {
                let Some(&first) = plies.first() else { return Ok(()) };
                if self.random.random_bool(self.frequency) {
                    self.out.write_all(&game_entry(game, &points, first)?)?;
                    self.taken += 1;
                }
            }
        }
        Ok(())
    }

    /// Ends the writing; how many positions, or games, were taken.
    ///
    /// # Errors
    /// The system refuses.
    pub fn finish(mut self) -> anyhow::Result<u64> {
        self.out.flush()?;
        Ok(self.taken)
    }

    fn chosen(&mut self, plies: Vec<usize>) -> Vec<usize> {
        let chosen: Vec<usize> =
            plies.into_iter().filter(|_| self.random.random_bool(self.frequency)).collect();
        self.taken += chosen.len() as u64;
        chosen
    }
}

/// The outcome for the side that moves after `ply` stones.
fn result(game: &GameRecord, ply: usize) -> u16 {
    let to_move = if ply.is_multiple_of(2) { Color::Black } else { Color::White };
    match game.result.winner() {
        None => 1,
        Some(winner) if winner == to_move => 2,
        Some(_) => 0,
    }
}

/// Side of the board and number of the rule, if the formats in bytes can tell them.
fn side_and_rule(game: &GameRecord) -> anyhow::Result<(usize, u8)> {
    const MOST: u8 = 7;
    let rule: Rule = game.rule.parse().ok().with_context(|| format!("`{}` is no rule", game.rule))?;
    let number = rule.gomocup_number();
    ensure!(number <= MOST, "this format has no number for the rule {rule}; csv takes all rules");
    ensure!(game.size.0 == game.size.1, "this format has square boards only; csv takes all boards");
    Ok((game.size.0, number))
}

/// Five bits each for column and row.
fn cell(point: Point) -> u16 {
    (point.x() as u16) << 5 | point.y() as u16
}

/// Head of two 16-bit numbers, then the stones.
fn position_entry(game: &GameRecord, stones: &[Point], played: Point) -> anyhow::Result<Vec<u8>> {
    let (side, rule) = side_and_rule(game)?;
    let ply = stones.len();
    let head =
        [result(game, ply) | (ply as u16) << 2 | (side as u16) << 11, u16::from(rule) | cell(played) << 3];
    let words = head.into_iter().chain(stones.iter().map(|&point| cell(point)));
    Ok(words.flat_map(u16::to_le_bytes).collect())
}

/// Head of two 32-bit numbers, the stones of the opening, then each move with its score.
fn game_entry(game: &GameRecord, points: &[Point], opening: usize) -> anyhow::Result<Vec<u8>> {
    // Best line of its position, first and last of its lines.
    const ONLY_LINE: u16 = 0b11;
    const NO_SCORE: u16 = 0b100;
    let (side, rule) = side_and_rule(game)?;
    let number = |n: usize| n as u32;
    let head = [
        number(side)
            | u32::from(rule) << 5
            | u32::from(result(game, opening)) << 8
            | number(points.len()) << 12
            | number(opening) << 22,
        number(points.len() - opening) << 14,
    ];
    let mut bytes: Vec<u8> = head.into_iter().flat_map(u32::to_le_bytes).collect();
    bytes.extend(points[..opening].iter().flat_map(|&point| cell(point).to_le_bytes()));
    for (&point, record) in points.iter().zip(&game.moves).skip(opening) {
        let flags = ONLY_LINE | if record.score.is_none() { NO_SCORE } else { 0 };
        bytes.extend((flags | cell(point) << 6).to_le_bytes());
        let score = record.score.unwrap_or(0).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        bytes.extend(score.to_le_bytes());
    }
    Ok(bytes)
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
        games.iter().try_for_each(|game| sampler.add(game))?;
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

    /// By hand from the description of the formats: h8 is column 7, row 7.
    #[test]
    fn bytes_of_positions() {
        let (bytes, _) = sampled("bin", 1.0, &[game()]).unwrap();
        let words: Vec<u16> = bytes.chunks(2).map(|b| u16::from_le_bytes([b[0], b[1]])).collect();
        let (h8, i9, a15) = (7 << 5 | 7, 8 << 5 | 8, 14);
        assert_eq!(words, [2 | 1 << 2 | 15 << 11, 4 | i9 << 3, h8, 2 << 2 | 15 << 11, 4 | a15 << 3, h8, i9]);
    }

    #[test]
    fn bytes_of_games() {
        let (bytes, taken) = sampled("binpack", 1.0, &[game()]).unwrap();
        assert_eq!((bytes.len(), taken), (8 + 2 + 2 * 4, 1));
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!((word(0), word(4)), (15 | 4 << 5 | 2 << 8 | 3 << 12 | 1 << 22, 2 << 14));
        let half = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        assert_eq!((half(8), half(10), half(12) as i16), (7 << 5 | 7, 3 | (8 << 5 | 8) << 6, -3));
        assert_eq!((half(14), half(16)), (7 | 14 << 6, 0));
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
