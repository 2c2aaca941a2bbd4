//! The answers of the database, in the words that Yixin-Board reads.

use std::fmt::{self, Display, Formatter};

use crate::board::Point;
use crate::eval::score::{plies_to_end, win_probability};
use crate::library::{Entry, Outcome};

/// The longest text on the board, and the longest comment, in bytes: what fits into the buffers of managers.
const LONGEST_LABEL: usize = 30;
const LONGEST_TEXT: usize = 900;
/// The kind of a score that is exact.
const EXACT: u8 = 3;
/// Characters in the short form of a record.
const MOST_SIGNS: usize = 4;

/// An answer of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseReply {
    /// The records of the moves follow.
    Begin,
    /// A point of which something is known.
    Point(Box<PointRecord>),
    /// The end of the records.
    End,
    /// The record of a position, with the character code of its letter.
    One(i64, Box<Option<Entry>>),
    /// A comment.
    Text(String),
}

/// What is known of a point of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointRecord {
    /// The point.
    pub point: Point,
    /// What is known of the position after a move there.
    pub entry: Option<Entry>,
    /// The label of the point.
    pub label: String,
}

impl Display for DatabaseReply {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("MESSAGE DATABASE ")?;
        match self {
            DatabaseReply::Begin => f.write_str("REFRESH"),
            DatabaseReply::End => f.write_str("DONE"),
            DatabaseReply::Point(record) => {
                let PointRecord { point, entry, label } = &**record;
                let signs = entry.as_ref().map_or(-1, |entry| packed(&short_form(entry)));
                write!(f, "{} {} {signs} ", point.x(), point.y())?;
                numbers(f, entry.as_ref())?;
                let has_text = entry.as_ref().is_some_and(|entry| !entry.comment.is_empty());
                write!(f, " {} {}", u8::from(has_text), line(label, LONGEST_LABEL))
            }
            DatabaseReply::One(letter, entry) => {
                write!(f, "ONE {letter} ")?;
                numbers(f, entry.as_ref().as_ref())?;
                write!(f, " {}", entry.as_ref().as_ref().map(short_form).unwrap_or_default())
            }
            DatabaseReply::Text(text) => {
                let text = line(text, LONGEST_TEXT).replace('\\', "\\\\").replace('"', "\\\"");
                write!(f, "TEXT \"{text}\"")
            }
        }
    }
}

/// Score, depth, and the kind of the score.
fn numbers(f: &mut Formatter<'_>, entry: Option<&Entry>) -> fmt::Result {
    let score = entry.and_then(Entry::value);
    let depth = entry.and_then(|entry| entry.depth).unwrap_or(0);
    write!(f, "{} {depth} {}", score.unwrap_or(0), if score.is_some() { EXACT } else { 0 })
}

/// A record in up to four characters, for the side that has moved: `w7` for a win in seven plies, `l*` for a loss of
/// unknown length, `d`, a letter that people gave it, or the winning probability in percent.
fn short_form(entry: &Entry) -> String {
    let plies = || {
        let counted = entry.decided.and_then(|decided| decided.plies).map(i64::from);
        counted.or_else(|| entry.score.and_then(plies_to_end).map(|plies| i64::from(plies.unsigned_abs())))
    };
    let length = || plies().map_or_else(|| "*".to_owned(), |plies| plies.to_string());
    match (entry.decided.map(|decided| decided.outcome), entry.tag) {
        (Some(Outcome::Loss), _) => format!("w{}", length()),
        (Some(Outcome::Win), _) => format!("l{}", length()),
        (Some(Outcome::Draw), _) => "d".to_owned(),
        (None, Some(tag)) if tag.is_ascii_graphic() => tag.to_string(),
        _ => entry.score.map_or_else(String::new, |score| {
            let percent = (100.0 * win_probability(-score)) as u32;
            format!("{}%", percent.min(99))
        }),
    }
}

/// The characters as the bytes of a number, the first one highest; -1 for none.
fn packed(signs: &str) -> i64 {
    if signs.is_empty() {
        return -1;
    }
    signs.bytes().take(MOST_SIGNS).fold(0, |all, sign| all << 8 | i64::from(sign))
}

/// A text on one line, of at most `most` bytes.
fn line(text: &str, most: usize) -> String {
    let mut found = String::new();
    for sign in text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }) {
        if found.len() + sign.len_utf8() > most {
            break;
        }
        found.push(sign);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::Decided;

    fn decided(outcome: Outcome, plies: Option<u32>) -> Entry {
        Entry { decided: Some(Decided { outcome, plies, is_checked: false }), ..Entry::default() }
    }

    #[test]
    fn answers_are_those_of_the_dialect() {
        let point = |entry, label: &str| {
            let record = PointRecord { point: Point::new(7, 8), entry, label: label.to_owned() };
            DatabaseReply::Point(Box::new(record)).to_string()
        };
        assert_eq!(DatabaseReply::Begin.to_string(), "MESSAGE DATABASE REFRESH");
        assert_eq!(DatabaseReply::End.to_string(), "MESSAGE DATABASE DONE");
        // "w7" as a number: 119 * 256 + 55.
        assert_eq!(
            point(Some(decided(Outcome::Loss, Some(7))), ""),
            "MESSAGE DATABASE 7 8 30519 -29993 0 3 0 "
        );
        let scored = Entry { score: Some(0), depth: Some(9), comment: "a".to_owned(), ..Entry::default() };
        assert_eq!(short_form(&scored), "50%");
        assert_eq!(point(Some(scored.clone()), "A\n"), "MESSAGE DATABASE 7 8 3485733 0 9 3 1 A ");
        assert_eq!(point(None, "x"), "MESSAGE DATABASE 7 8 -1 0 0 0 0 x");
        let one = |letter, entry| DatabaseReply::One(letter, Box::new(entry)).to_string();
        assert_eq!(one(0, None), "MESSAGE DATABASE ONE 0 0 0 0 ");
        assert_eq!(one(108, Some(decided(Outcome::Win, None))), "MESSAGE DATABASE ONE 108 29745 0 3 l*");
        assert_eq!(one(-1, Some(scored)), "MESSAGE DATABASE ONE -1 0 9 3 50%");
        let text = DatabaseReply::Text("a \"b\"\\\nc".to_owned()).to_string();
        assert_eq!(text, r#"MESSAGE DATABASE TEXT "a \"b\"\\ c""#);
        let long = DatabaseReply::Text("é\"".repeat(5_000)).to_string();
        assert!(long.len() < 2_000 && long.lines().count() == 1, "{}", long.len());
    }
}
