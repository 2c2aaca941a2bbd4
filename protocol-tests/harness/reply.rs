//! The lines that an engine may print, read strictly: what a manager could stumble over is not a reply.

use std::fmt;

use kagetsu::board::MAX_SIDE;
use kagetsu::{Point, Size};

/// Longest MESSAGE, DEBUG or INFO line in bytes: well below the smallest buffer of the GUIs.
const MAX_PROSE: usize = 2000;

/// One line of the engine; displayed, it is that line again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The bare word.
    Ok,
    /// `x,y`, or several of them with one blank between.
    Points(Vec<Point>),
    /// The bare word.
    Swap,
    /// `ERROR text`.
    Error(String),
    /// `UNKNOWN text`.
    Unknown(String),
    /// `name="…", version="…", author="…", country="…"`.
    About(String),
    /// `FORBID XXYYXXYY….`
    Forbid(Vec<Point>),
    /// `MESSAGE text`.
    Message(String),
    /// `DEBUG text`.
    Debug(String),
    /// `INFO key value`, which only Yixin-Board reads.
    Info(String),
}

impl Reply {
    /// Reads a line without its end.
    ///
    /// # Errors
    /// Says why a manager could not read it.
    pub fn parse(line: &[u8]) -> Result<Reply, String> {
        let text = std::str::from_utf8(line).map_err(|_| "not text".to_owned())?;
        if !text.bytes().all(|b| (b' '..0x7f).contains(&b)) {
            return Err("not printable ASCII".to_owned());
        }
        if text.len() > MAX_PROSE {
            return Err(format!("{} bytes long", text.len()));
        }
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        let prose = || {
            if rest.trim().is_empty() { Err(format!("{word} without text")) } else { Ok(rest.to_owned()) }
        };
        match word {
            "OK" if rest.is_empty() && text.len() == 2 => Ok(Reply::Ok),
            "SWAP" if rest.is_empty() && text.len() == 4 => Ok(Reply::Swap),
            "ERROR" => match prose()? {
                reason if points(&reason).is_some() => Err("an ERROR of coordinates alone".to_owned()),
                reason => Ok(Reply::Error(reason)),
            },
            "UNKNOWN" => prose().map(Reply::Unknown),
            "DEBUG" => prose().map(Reply::Debug),
            "MESSAGE" => {
                let prose = prose()?;
                if let Some(details) = prose.strip_prefix("REALTIME ") {
                    check_realtime(details)?;
                }
                Ok(Reply::Message(prose))
            }
            "INFO" => {
                let prose = prose()?;
                check_info(&prose)?;
                Ok(Reply::Info(prose))
            }
            "FORBID" => forbidden(rest).map(Reply::Forbid).ok_or("no list of forbidden points".to_owned()),
            _ if word.starts_with("name=") => {
                check_about(text)?;
                Ok(Reply::About(text.to_owned()))
            }
            _ => points(text).map(Reply::Points).ok_or("no reply that a manager knows".to_owned()),
        }
    }

    /// Whether the line answers nothing: managers skip it.
    pub fn is_prose(&self) -> bool {
        matches!(self, Reply::Message(_) | Reply::Debug(_) | Reply::Info(_))
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ok => write!(f, "OK"),
            Reply::Swap => write!(f, "SWAP"),
            Reply::Points(points) => {
                let points: Vec<String> = points.iter().map(|p| format!("{},{}", p.x(), p.y())).collect();
                write!(f, "{}", points.join(" "))
            }
            Reply::Forbid(points) => {
                let digits: String = points.iter().map(|p| format!("{:02}{:02}", p.x(), p.y())).collect();
                write!(f, "FORBID {digits}.")
            }
            Reply::Error(text) => write!(f, "ERROR {text}"),
            Reply::Unknown(text) => write!(f, "UNKNOWN {text}"),
            Reply::About(text) => write!(f, "{text}"),
            Reply::Message(text) => write!(f, "MESSAGE {text}"),
            Reply::Debug(text) => write!(f, "DEBUG {text}"),
            Reply::Info(text) => write!(f, "INFO {text}"),
        }
    }
}

/// Exactly `number,number`, as c-gomoku-cli demands.
fn point(text: &str) -> Option<Point> {
    let (x, y) = text.split_once(',')?;
    let number = |digits: &str| -> Option<i64> {
        let plain = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        digits.parse().ok().filter(|_| plain)
    };
    Point::checked(number(x)?, number(y)?, Size::square(MAX_SIDE))
}

fn points(text: &str) -> Option<Vec<Point>> {
    text.split(' ').map(point).collect()
}

/// Two digits for each number and a full stop at the end.
fn forbidden(text: &str) -> Option<Vec<Point>> {
    let digits = text.strip_suffix('.')?.as_bytes();
    if digits.len() % 4 != 0 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = |pair: &[u8]| i64::from(pair[0] - b'0') * 10 + i64::from(pair[1] - b'0');
    digits
        .chunks_exact(4)
        .map(|four| Point::checked(number(&four[..2]), number(&four[2..]), Size::square(MAX_SIDE)))
        .collect()
}

fn check_about(text: &str) -> Result<(), String> {
    let mut keys = Vec::new();
    for part in text.split("\", ") {
        let (key, value) = part.split_once("=\"").ok_or(format!("`{part}` is not key=\"value\""))?;
        let value = value.trim_end_matches('"');
        if value.is_empty() || value.contains(['"', '=']) || (key == "name" && value.contains(',')) {
            return Err(format!("{key} may not be `{value}`"));
        }
        keys.push(key);
    }
    if !text.ends_with('"') || keys != ["name", "version", "author", "country"] {
        return Err("not name, version, author and country in this order".to_owned());
    }
    Ok(())
}

fn check_realtime(details: &str) -> Result<(), String> {
    let (key, value) = details.split_once(' ').unwrap_or((details, ""));
    let fits = match key {
        "POS" | "DONE" | "BEST" | "LOST" | "LOSE" => point(value).is_some(),
        "REFRESH" => value.is_empty(),
        "VAL" => is_value(value),
        "PV" => !value.is_empty(),
        _ => false,
    };
    if fits { Ok(()) } else { Err(format!("`REALTIME {details}` is none of the known lines")) }
}

fn check_info(details: &str) -> Result<(), String> {
    let (key, value) = details.split_once(' ').unwrap_or((details, ""));
    let number = value.parse::<u64>().is_ok();
    let fits = match key {
        "PV" => number || value == "DONE",
        "NUMPV" | "DEPTH" | "SELDEPTH" | "NODES" | "TOTALNODES" | "TOTALTIME" | "SPEED" => number,
        "EVAL" => is_value(value),
        "WINRATE" => value.parse::<f64>().is_ok_and(|p| (0.0..=1.0).contains(&p)),
        "BESTLINE" => points(value).is_some(),
        _ => false,
    };
    if fits { Ok(()) } else { Err(format!("`INFO {details}` is none of the known lines")) }
}

/// A number, or `+Mn` or `-Mn` for a win or loss in n.
fn is_value(text: &str) -> bool {
    match text.strip_prefix("+M").or(text.strip_prefix("-M")) {
        Some(plies) => plies.parse::<u32>().is_ok(),
        None => text.parse::<i64>().is_ok(),
    }
}
