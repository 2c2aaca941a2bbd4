//! Exports a recorded game in other formats: SGF for viewers, PSQ for Piskvork, PGN for programs that compute ratings,
//! and the engines' messages as plain text.

use std::fmt::Write as _;

use anyhow::Context;

use super::outcome::{GameResult, Reason};
use super::player::Fault;
use super::records::{GameRecord, MoveRecord};
use crate::board::{Color, Point, Size};
use crate::formats::pgn::{PgnGame, PgnResult};
use crate::formats::psq::PsqGame;
use crate::formats::sgf::{SgfGame, SgfNode};
use crate::formats::text::printable;

impl GameRecord {
    /// The board.
    ///
    /// # Errors
    /// The recorded board size is invalid.
    pub fn board(&self) -> anyhow::Result<Size> {
        let (width, height) = self.size;
        Size::new(width, height).with_context(|| format!("no board has {width} columns and {height} rows"))
    }

    fn points(&self) -> impl Iterator<Item = (Point, &MoveRecord)> {
        self.moves.iter().filter_map(|record| Some((record.at.parse().ok()?, record)))
    }

    /// The game in SGF, with what the engines reported about each move.
    ///
    /// # Errors
    /// The recorded board size is invalid.
    pub fn sgf(&self) -> anyhow::Result<SgfGame> {
        let how = match &self.reason {
            Reason::Resignation => "R",
            Reason::Fault { fault: Fault::Late { .. } | Fault::Hang { .. } } => "T",
            Reason::Fault { .. } | Reason::Foul => "F",
            _ => "",
        };
        let result = match self.result {
            GameResult::Black => format!("B+{how}"),
            GameResult::White => format!("W+{how}"),
            GameResult::Draw => "0".to_owned(),
        };
        let mut game = SgfGame::new(self.board()?);
        let root = game.node_mut(SgfGame::ROOT);
        for (name, value) in [
            ("RU", self.rule.as_str()),
            ("GN", &format!("game {}", self.id)),
            ("PB", &printable(&self.names.0)),
            ("PW", &printable(&self.names.1)),
            ("RE", &result),
        ] {
            root.set(name, [value]);
        }
        let mut last = SgfGame::ROOT;
        for ((point, record), color) in self.points().zip(Color::ALL.into_iter().cycle()) {
            let mut node = SgfNode::play(color, point);
            let comment = comment(record);
            if !comment.is_empty() {
                node.set("C", [comment.as_str()]);
            }
            last = game.add(last, node);
        }
        Ok(game)
    }

    /// The game as Piskvork saves it.
    ///
    /// # Errors
    /// The recorded board size is invalid.
    pub fn psq(&self) -> anyhow::Result<PsqGame> {
        let moves = self.points().map(|(point, record)| (point, record.ms.unwrap_or(0.0) as u64));
        Ok(PsqGame { size: self.board()?, moves: moves.collect(), names: self.names.clone() })
    }

    /// The result as a game in PGN without moves.
    #[must_use]
    pub fn pgn(&self) -> PgnGame {
        let result = match self.result {
            GameResult::Black => PgnResult::Black,
            GameResult::White => PgnResult::White,
            GameResult::Draw => PgnResult::Draw,
        };
        PgnGame::new(result)
            .with("Round", &self.id.to_string())
            .with("Black", &self.names.0)
            .with("White", &self.names.1)
    }

    /// The engines' messages, move by move.
    pub(super) fn dialogue(&self) -> String {
        let (black, white) = (printable(&self.names.0), printable(&self.names.1));
        let mut text = format!("game {}: {black} - {white}\n", self.id);
        for (ply, (point, record)) in self.points().enumerate() {
            for message in &record.messages {
                let name = if ply % 2 == 0 { &black } else { &white };
                let _ = writeln!(text, "{} {point} {name}: {}", ply + 1, printable(message));
            }
        }
        text.push('\n');
        text
    }
}

fn comment(record: &MoveRecord) -> String {
    let mut parts = Vec::new();
    parts.extend(record.score.map(|score| format!("score {score}")));
    parts.extend(record.depth.map(|depth| format!("depth {depth}")));
    parts.extend(record.nodes.map(|nodes| format!("nodes {nodes}")));
    parts.extend(record.time().map(|ms| format!("{ms:.0} ms")));
    let mut text = parts.join(", ");
    for message in &record.messages {
        let _ = write!(text, "\n{}", printable(message));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::test_records::game;
    use crate::formats::{any, pgn, psq, sgf};

    #[test]
    fn viewers_read_what_was_played() {
        let moves = ["h8", "i9", "a15"].map(|at| at.parse::<Point>().unwrap());
        let text = game(0).sgf().unwrap().to_string();
        assert!(
            text.contains("PB[a\\]]PW[b]RE[W+T]\n;B[hh]\n;W[ii]C[score -7, depth 9, nodes 1234, 12 ms\n"),
            "{text}"
        );
        let line = sgf::read(&text).unwrap()[0].line(None).unwrap();
        assert_eq!(line.alternating().unwrap(), moves);
        let text = game(0).psq().unwrap().to_string();
        assert!(text.starts_with("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,12\n1,15,0\na]\nb\n"), "{text}");
        assert_eq!(psq::read(&text).unwrap().points(), moves);
        assert_eq!(any::read(&text, None).unwrap().hash(), line.position().hash());
    }

    #[test]
    fn times_that_were_left_out_are_no_times() {
        let text = game(0).without_times().sgf().unwrap().to_string();
        assert!(text.contains("C[score -7, depth 9, nodes 1234\n"), "{text}");
    }

    #[test]
    fn names_stay_inside_their_places() {
        let names = ("8,8,0".to_owned(), "a\"]\n[Result \"0-1\"]\u{1b}[2J".to_owned());
        let game = GameRecord { names, ..game(0) };
        for text in [
            game.sgf().unwrap().to_string(),
            game.psq().unwrap().to_string(),
            game.pgn().to_string(),
            game.dialogue(),
        ] {
            assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text}");
        }
        let again = pgn::read(&game.pgn().to_string()).unwrap();
        assert_eq!((again.len(), again[0].result), (1, PgnResult::White));
        assert_eq!(game.sgf().unwrap().main_line().count(), 4);
        assert_eq!(psq::read(&game.psq().unwrap().to_string()).unwrap().moves.len(), 3);
    }

    #[test]
    fn impossible_boards_are_told() {
        let game = GameRecord { size: (0, 99), ..game(0) };
        assert!(game.sgf().is_err() && game.psq().is_err());
    }
}
