//! `kagetsu demo`: a short game through the protocol, printed line by line, so that one sees the engine
//! answer.
//!
//! The other side is this module, which speaks to [`serve()`] over a pair of pipes as a manager would. It
//! plays a list of points, and the engine is limited by nodes and not by time, so every run shows the
//! same game.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};

use anyhow::{Context, bail};

use crate::board::{Color, Point, Size, Stones};
use crate::engine::{DEFAULT_MEMORY, Engine};
use crate::formats::picture;
use crate::formats::point_names::Rows;
use crate::levels::Style;
use crate::protocol::{Options, serve};
use crate::rules::Freestyle;
use crate::rules::judge::{self, Verdict};

/// Side of the board.
const SIDE: usize = 15;
/// Nodes searched for each move.
const NODES: u64 = 20_000;
/// The moves of the other side, which plays the first of these points that is still empty.
const SCRIPT: [&str; 16] =
    ["i7", "i9", "g9", "g7", "i8", "h7", "g8", "h9", "j6", "f10", "f6", "j10", "k8", "h5", "e8", "h11"];

/// Plays the game and writes the dialogue and the last position to `out`.
///
/// # Errors
/// If `out` cannot be written to, or the engine does not answer as the protocol demands.
pub fn run(rows: Rows, mut out: impl Write) -> anyhow::Result<()> {
    let (input, commands) = pipe()?;
    let (replies, output) = pipe()?;
    let engine = std::thread::spawn(move || {
        let options =
            Options { threads: 1, memory: DEFAULT_MEMORY, style: Style::PLAIN, experience_file: None };
        serve(BufReader::new(input), output, Engine::new(options.threads, options.memory), options)
    });
    let mut manager = Manager { commands, replies: BufReader::new(replies), rows, out: &mut out };
    manager.play()?;
    manager.tell("END")?;
    drop(manager);
    engine.join().ok().context("the engine panicked")??;
    Ok(())
}

/// The manager's end of the protocol, which prints what it sends and receives.
struct Manager<W> {
    commands: PipeWriter,
    replies: BufReader<PipeReader>,
    rows: Rows,
    out: W,
}

impl<W: Write> Manager<W> {
    /// Plays until the game or the script is over.
    fn play(&mut self) -> anyhow::Result<()> {
        let mut stones = Stones::new(Size::square(SIDE));
        let reply = self.ask(&format!("START {SIDE}"))?;
        if reply != "OK" {
            bail!("START was answered by {reply}");
        }
        self.tell("INFO rule 0")?;
        self.tell(&format!("INFO max_node {NODES}"))?;
        let mut command = "BEGIN".to_owned();
        let verdict = loop {
            let reply = self.ask(&command)?;
            let point = on_board(&reply, &stones).with_context(|| format!("{command}: {reply}"))?;
            stones.place(point, Color::Black);
            if judge::verdict::<Freestyle>(&stones) != Verdict::Ongoing {
                break judge::verdict::<Freestyle>(&stones);
            }
            let mut script = SCRIPT.iter().filter_map(|name| name.parse::<Point>().ok());
            let Some(next) = script.find(|&point| stones.is_empty_at(point)) else { break Verdict::Ongoing };
            stones.place(next, Color::White);
            if judge::verdict::<Freestyle>(&stones) != Verdict::Ongoing {
                break judge::verdict::<Freestyle>(&stones);
            }
            command = format!("TURN {},{}", next.x(), next.y());
        };
        let count = stones.history().len();
        writeln!(self.out, "\n{}", picture::draw_with_rows(&stones, self.rows))?;
        match verdict {
            Verdict::Win(color) => writeln!(self.out, "{} wins with stone {count}.\n", color.name())?,
            _ => writeln!(self.out, "The script ends here, after {count} stones.\n")?,
        }
        Ok(())
    }

    /// Sends a line without waiting for a reply.
    fn tell(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.out, "manager  {line}")?;
        writeln!(self.commands, "{line}").context("sending a command")
    }

    /// Sends a line and returns the reply.
    fn ask(&mut self, line: &str) -> anyhow::Result<String> {
        self.tell(line)?;
        loop {
            let mut reply = String::new();
            if self.replies.read_line(&mut reply)? == 0 {
                bail!("the engine left without an answer to {line}");
            }
            let reply = reply.trim_end();
            writeln!(self.out, " engine  {reply}")?;
            if !reply.starts_with("MESSAGE ") {
                return Ok(reply.to_owned());
            }
        }
    }
}

/// The empty point that a reply `x,y` names.
fn on_board(reply: &str, stones: &Stones) -> Option<Point> {
    let (x, y) = reply.split_once(',')?;
    let point = Point::checked(x.parse().ok()?, y.parse().ok()?, stones.size())?;
    stones.is_empty_at(point).then_some(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_comes_to_its_end() {
        let mut out = Vec::new();
        run(Rows::FromBottom, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let turns = text.lines().filter(|line| line.starts_with("manager  TURN ")).count();
        assert!(turns >= 3 && text.contains("Black wins") && text.ends_with("manager  END\n"), "{text}");
        // The top row has the highest number.
        assert!(text.contains(" a b c d") && text.contains("\n15 . ") && text.contains("\n 1 . "), "{text}");
    }
}
