//! The frames between page and server: what all questions have in common, and how answers and refusals are written. The
//! fields of a single question are defined next to the code that answers it.

use std::time::Duration;

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use crate::board::{Point, Size};
use crate::formats::point_names::Rows;

/// Most characters of an error's text.
const LONGEST_MESSAGE: usize = 400;

/// Column from the left and row from the top, both from 0.
pub(super) type At = (i64, i64);

/// A point as it is sent.
pub(super) fn at(point: Point) -> At {
    (point.x() as i64, point.y() as i64)
}

/// The point that was sent, if it is on the board.
pub(super) fn point((x, y): At, size: Size) -> Option<Point> {
    Point::checked(x, y, size)
}

/// The edge from which the rows of named points are counted, as it is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RowsMessage {
    #[default]
    Top,
    Bottom,
}

impl From<RowsMessage> for Rows {
    fn from(rows: RowsMessage) -> Rows {
        match rows {
            RowsMessage::Top => Rows::FromTop,
            RowsMessage::Bottom => Rows::FromBottom,
        }
    }
}

/// A time as it is sent.
pub(super) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A text sent to the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frame {
    /// A progress report of a running job, which may be dropped.
    Event(String),
    /// The last frame of an answer, which must arrive.
    Done(String),
}

/// The fields of every message: the number that its answers repeat, and the operation that it asks for.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Envelope {
    pub id: u64,
    pub op: String,
}

impl Envelope {
    /// Reads the envelope alone; the rest of the message may be anything.
    pub fn read(text: &str) -> Result<Envelope, Rejection> {
        serde_json::from_str(text).map_err(|error| Rejection::bad_request(error.to_string()))
    }
}

/// A message that consists of its envelope alone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Bare {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "op")]
    _op: IgnoredAny,
}

/// Reads the whole of a message.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Rejection> {
    serde_json::from_str(text).map_err(|error| Rejection::bad_request(error.to_string()))
}

/// The kind of refusal, for the page to act upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Code {
    /// The message is not understood.
    BadRequest,
    /// There is no such operation.
    UnknownOp,
    /// The position is not valid.
    BadPosition,
    /// A move of the position is refused by the rule.
    IllegalMove,
    /// The game is over, so there is nothing to think about.
    GameOver,
    /// The text is not a game in any known format.
    Unreadable,
    /// There is more to read than the limits allow.
    TooLarge,
    /// The format cannot express it.
    NotPossible,
    /// The library cannot be read.
    Library,
    /// The engine does not support this.
    NotSupported,
    /// Too much work is waiting already.
    Busy,
    /// This page may not ask for it.
    Refused,
    /// A bug in the program.
    Internal,
}

/// Why a message was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Rejection {
    pub code: Code,
    pub message: Box<str>,
    /// For [`Code::IllegalMove`]: which move of the list, from 0.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// For [`Code::IllegalMove`]: why; for [`Code::NotPossible`], [`Code::BadPosition`] and [`Code::Unreadable`]: why,
    /// if people can cause it. The page has words of its own for it in every language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// For [`Code::Unreadable`]: the part of the text that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Box<str>>,
    /// For a forbidden move: what it would make.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foul: Option<&'static str>,
    /// For [`Code::Unreadable`]: the line of the text, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// For [`Code::Unreadable`]: the character in the line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
}

impl Rejection {
    pub fn new(code: Code, message: impl Into<String>) -> Rejection {
        // A quoted text may be as long as the message.
        let message = message.into().chars().take(LONGEST_MESSAGE).collect::<String>().into();
        let (number, reason, part, foul, line, column) = (None, None, None, None, None, None);
        Rejection { code, message, number, reason, part, foul, line, column }
    }

    pub fn bad_request(message: impl Into<String>) -> Rejection {
        Rejection::new(Code::BadRequest, message)
    }

    /// The frame with this refusal; it has no number if the message had none.
    pub fn frame(&self, id: Option<u64>) -> String {
        #[derive(Serialize)]
        struct Refused<'a> {
            id: Option<u64>,
            done: bool,
            error: &'a Rejection,
        }
        write(&Refused { id, done: true, error: self })
    }
}

/// The last frame of an answer.
pub(super) fn done(id: u64, body: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Done<'a, T> {
        id: u64,
        done: bool,
        #[serde(flatten)]
        body: &'a T,
    }
    write(&Done { id, done: true, body })
}

/// A progress report of a job.
pub(super) fn event(id: u64, event: &'static str, body: &impl Serialize) -> String {
    #[derive(Serialize)]
    struct Event<'a, T> {
        id: u64,
        event: &'static str,
        #[serde(flatten)]
        body: &'a T,
    }
    write(&Event { id, event, body })
}

/// The last frame of an answer without a body.
pub(super) fn done_alone(id: u64) -> String {
    #[derive(Serialize)]
    struct Nothing {}
    done(id, &Nothing {})
}

fn write(frame: &impl Serialize) -> String {
    // Writing fails only for maps whose keys are not text, and there are none.
    serde_json::to_string(frame).unwrap_or_else(|_| {
        r#"{"id":null,"done":true,"error":{"code":"internal","message":"the answer cannot be written"}}"#
            .to_owned()
    })
}
