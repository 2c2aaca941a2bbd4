//! What a game needs from a player, and the ways in which a player can fail.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::stop::Stop;
use crate::board::{Coordinates, Size, Stones};
use crate::formats::text::printable;
use crate::rules::Rule;
use crate::search::TimeControl;

/// Why a player lost without being beaten on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Fault {
    /// The program could not be started.
    Launch {
        /// The error message of the system.
        error: String,
    },
    /// `START` was not answered with `OK` in time.
    NoOk {
        /// The last line that came instead, if any.
        got: Option<String>,
    },
    /// `START` was answered with `ERROR`.
    Refused {
        /// The answer.
        text: String,
    },
    /// The move came, but too late.
    Late {
        /// What was allowed in ms, without the margin.
        limit_ms: u64,
        /// What was used in ms.
        used_ms: u64,
    },
    /// No move and no other reply came; the engine was killed.
    Hang {
        /// How long the runner waited, in ms.
        waited_ms: u64,
    },
    /// The process ended.
    Crash {
        /// Exit status or signal.
        status: String,
        /// The last lines that it wrote to stderr; those before the last one often say more, as with wrong options.
        #[serde(default)]
        stderr: Vec<String>,
    },
    /// Something other than a move came, and no move after it.
    Nonsense {
        /// The last such line.
        line: String,
    },
    /// `ERROR` came in place of a move.
    Error {
        /// The reply.
        text: String,
    },
    /// The point is off the board or taken, or a swap2 answer does not fit the question.
    Illegal {
        /// What was played.
        played: String,
    },
    /// Line after line came, but no move.
    Spam {
        /// How many.
        lines: u64,
    },
    /// The process used more memory than allowed.
    Memory {
        /// The peak of resident memory in bytes.
        peak: u64,
        /// What was allowed in bytes.
        limit: u64,
    },
}

impl Fault {
    /// Whether the clock detected it: with more time the answer might have come.
    #[must_use]
    pub fn is_of_time(&self) -> bool {
        match self {
            Fault::Late { .. }
            | Fault::Hang { .. }
            | Fault::NoOk { .. }
            | Fault::Nonsense { .. }
            | Fault::Spam { .. } => true,
            Fault::Launch { .. }
            | Fault::Refused { .. }
            | Fault::Crash { .. }
            | Fault::Error { .. }
            | Fault::Illegal { .. }
            | Fault::Memory { .. } => false,
        }
    }
}

/// Text from the engine is escaped, so that it is safe to show in a terminal.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Launch { error } => write!(f, "cannot be started: {error}"),
            Fault::NoOk { got: None } => write!(f, "no OK after START"),
            Fault::NoOk { got: Some(line) } => write!(f, "no OK after START, but `{}`", printable(line)),
            Fault::Refused { text } => write!(f, "refused START: {}", printable(text)),
            Fault::Late { limit_ms, used_ms } => {
                write!(f, "overstepped the time: {used_ms} of {limit_ms} ms")
            }
            Fault::Hang { waited_ms } => write!(f, "no reply for {waited_ms} ms"),
            Fault::Crash { status, stderr } => {
                write!(f, "crashed ({status})")?;
                let lines = stderr.iter().filter(|line| !line.is_empty());
                lines.enumerate().try_for_each(|(n, line)| {
                    write!(f, "{}{}", if n == 0 { ": " } else { " | " }, printable(line))
                })
            }
            Fault::Nonsense { line } => write!(f, "no move, but `{}`", printable(line)),
            Fault::Error { text } => write!(f, "no move, but {}", printable(text)),
            Fault::Illegal { played } => write!(f, "illegal move `{}`", printable(played)),
            Fault::Spam { lines } => write!(f, "{lines} lines without a move"),
            Fault::Memory { peak, limit } => {
                write!(f, "overstepped the memory: {} of {} MB", peak >> 20, limit >> 20)
            }
        }
    }
}

/// A time in ms, as faults tell it.
pub(super) fn whole_milliseconds(time: Duration) -> u64 {
    time.as_millis() as u64
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoMove {
    /// The player's fault: it loses.
    Fault(Fault),
    /// The match is being stopped: the game does not count.
    Stopped,
}

impl From<Fault> for NoMove {
    fn from(fault: Fault) -> NoMove {
        NoMove::Fault(fault)
    }
}

/// What is known about how a move was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thinking {
    /// Time from the first byte of the command to the line end of the reply.
    pub elapsed: Duration,
    /// In the player's own units, from its own view; forced wins as in [`crate::eval::score`].
    pub score: Option<i32>,
    /// In plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// The engine's messages during the search.
    pub messages: Vec<String>,
}

/// An answer in the swap2 opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningReply {
    /// Take Black.
    Swap,
    /// Place these stones; not yet known to be legal.
    Place(Vec<Coordinates>),
}

/// Someone who plays one side of a game.
pub trait Player: Send {
    /// Starts a new game on an empty board. A player's random choices follow from `seed`, so that games differ and each
    /// can be repeated. External programs are not told the seed.
    ///
    /// # Errors
    /// [`NoMove`].
    fn start(&mut self, rule: Rule, size: Size, seed: u64, stop: &Stop) -> Result<(), NoMove>;

    /// The move of the side to move; not yet known to be legal.
    ///
    /// # Errors
    /// [`NoMove`].
    fn choose(
        &mut self,
        stones: &Stones,
        time: TimeControl,
        stop: &Stop,
    ) -> Result<(Coordinates, Thinking), NoMove>;

    /// The answer to the swap2 question that these stones pose.
    ///
    /// # Errors
    /// [`NoMove`].
    fn open(
        &mut self,
        stones: &Stones,
        time: TimeControl,
        stop: &Stop,
    ) -> Result<(OpeningReply, Thinking), NoMove>;

    /// Discards the player's state, which cannot be trusted in the next game because the player has failed or the match
    /// is being stopped. A process is killed.
    fn discard(&mut self);

    /// Makes the player quit. False if it did not do so by itself.
    fn quit(&mut self) -> bool;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_engines_say_is_shown_and_not_obeyed() {
        let fault =
            Fault::Crash { status: "exit status: 1".to_owned(), stderr: vec!["\u{1b}[31mred".to_owned()] };
        assert_eq!(fault.to_string(), "crashed (exit status: 1): \\u{1b}[31mred");
        // The reason stands first and the advice last.
        let stderr = ["error: unexpected argument", "", "For more information, try '--help'."];
        let fault = Fault::Crash { status: "2".to_owned(), stderr: stderr.map(str::to_owned).to_vec() };
        let said = "crashed (2): error: unexpected argument | For more information, try '--help'.";
        assert_eq!(fault.to_string(), said);
        let fault = Fault::Nonsense { line: "7,\u{7}8".to_owned() };
        assert_eq!(fault.to_string(), "no move, but `7,\\u{7}8`");
    }

    #[test]
    fn each_fault_is_told_and_knows_whether_the_clock_found_it() {
        let text = || "ERROR so".to_owned();
        for (fault, said, is_of_time) in [
            (Fault::Launch { error: "none".to_owned() }, "cannot be started: none", false),
            (Fault::NoOk { got: None }, "no OK after START", true),
            (Fault::NoOk { got: Some(text()) }, "no OK after START, but `ERROR so`", true),
            (Fault::Refused { text: text() }, "refused START: ERROR so", false),
            (Fault::Late { limit_ms: 5, used_ms: 9 }, "overstepped the time: 9 of 5 ms", true),
            (Fault::Hang { waited_ms: 9 }, "no reply for 9 ms", true),
            (Fault::Crash { status: "3".to_owned(), stderr: Vec::new() }, "crashed (3)", false),
            (Fault::Nonsense { line: "a".to_owned() }, "no move, but `a`", true),
            (Fault::Error { text: text() }, "no move, but ERROR so", false),
            (Fault::Illegal { played: "a1".to_owned() }, "illegal move `a1`", false),
            (Fault::Spam { lines: 7 }, "7 lines without a move", true),
            (Fault::Memory { peak: 9 << 20, limit: 8 << 20 }, "overstepped the memory: 9 of 8 MB", false),
        ] {
            assert_eq!((fault.to_string().as_str(), fault.is_of_time()), (said, is_of_time));
        }
    }
}
