//! The database commands of Yixin-Board: what they ask, and how their first lines are spelt.

use crate::board::Coordinates;

/// A request to the database about the position whose moves follow, a line `x,y` each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseAsk {
    /// `YXQUERYDATABASEALL`: the moves that are known; with `T` appended, the comment as well.
    All {
        /// Whether the comment is asked for.
        with_text: bool,
    },
    /// `YXQUERYDATABASEONE`: the record of the position.
    One,
    /// `YXQUERYDATABASETEXT`: its comment.
    Text,
    /// `YXEDITTVDDATABASE mask label value depth`.
    EditRecord {
        /// 1 for the label, 2 for the value and 4 for the depth: what is to be changed.
        mask: i64,
        /// The character code of a letter; -1 for none.
        label: i64,
        /// A score for the side to move.
        value: i64,
        /// The depth in plies.
        depth: i64,
    },
    /// `YXEDITTEXTDATABASE "text"`, perhaps over several lines.
    EditText(String),
    /// `YXEDITLABELDATABASE x,y text`: a text on a point; an empty one removes it.
    EditLabel(Coordinates, String),
    /// `YXDELETEDATABASEONE`.
    DeleteOne,
    /// `YXDELETEDATABASEALL`, without a further word.
    DeleteAfter,
}

impl DatabaseAsk {
    /// Whether this changes the database.
    pub(super) fn is_change(&self) -> bool {
        !matches!(self, DatabaseAsk::All { .. } | DatabaseAsk::One | DatabaseAsk::Text)
    }
}

/// What the first line of a database command says.
pub(super) enum DatabaseWords<'a> {
    /// The moves follow, perhaps on the same line.
    Moves(DatabaseAsk, &'a str),
    /// A quoted text that continues on the next lines. This is its beginning, as it was written.
    OpenText(&'a str),
    /// Not understood; the lines that follow are read to their end all the same.
    Unknown(&'static str),
    /// A known command with other parameters than these, which are read to their end as well.
    Bad(&'static str),
}

/// Reads the first line of a command that a list of moves follows; `None` if it is not such a command.
pub(super) fn first_line<'a>(word: &str, rest: &'a str) -> Option<DatabaseWords<'a>> {
    let moves = |ask| Some(DatabaseWords::Moves(ask, rest));
    match word {
        "YXQUERYDATABASEALL" => moves(DatabaseAsk::All { with_text: false }),
        "YXQUERYDATABASEALLT" => moves(DatabaseAsk::All { with_text: true }),
        "YXQUERYDATABASEONE" => moves(DatabaseAsk::One),
        "YXQUERYDATABASETEXT" => moves(DatabaseAsk::Text),
        "YXDELETEDATABASEONE" => moves(DatabaseAsk::DeleteOne),
        // A further word restricts what is deleted. That is not supported, and ignoring the word would delete
        // too much.
        "YXDELETEDATABASEALL" if rest.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_done(rest) => {
            Some(DatabaseWords::Unknown("deleting by label"))
        }
        "YXDELETEDATABASEALL" => moves(DatabaseAsk::DeleteAfter),
        "YXEDITTVDDATABASE" => {
            let Some(([mask, label, value, depth], rest)) = leading_numbers(rest) else {
                return Some(DatabaseWords::Bad("mask, label, value and depth"));
            };
            Some(DatabaseWords::Moves(DatabaseAsk::EditRecord { mask, label, value, depth }, rest))
        }
        "YXEDITTEXTDATABASE" => {
            let Some(text) = rest.strip_prefix('"') else {
                return Some(DatabaseWords::Bad("a text in double quotes"));
            };
            Some(match unquote(text) {
                (whole, Some(rest)) => DatabaseWords::Moves(DatabaseAsk::EditText(whole), rest),
                (_, None) => DatabaseWords::OpenText(text),
            })
        }
        "YXEDITLABELDATABASE" => {
            let (point, text) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
            let number = |text: &str| text.parse::<i64>().ok();
            let at = point.split_once(',').and_then(|(x, y)| number(x).zip(number(y)));
            let Some(at) = at else { return Some(DatabaseWords::Bad("x,y and a text")) };
            Some(DatabaseWords::Moves(DatabaseAsk::EditLabel(at, text.trim().to_owned()), ""))
        }
        _ => None,
    }
}

fn is_done(rest: &str) -> bool {
    rest.eq_ignore_ascii_case("DONE")
}

/// The four numbers at the beginning, and what follows them.
fn leading_numbers(text: &str) -> Option<([i64; 4], &str)> {
    let mut values = [0; 4];
    let mut rest = text;
    for value in &mut values {
        let (word, after) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
        *value = word.parse().ok()?;
        rest = after.trim_start();
    }
    Some((values, rest))
}

/// A text up to its closing quote, and what follows that; a backslash escapes the next character.
pub(super) fn unquote(text: &str) -> (String, Option<&str>) {
    let mut found = String::new();
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '"' => return (found, Some(signs.as_str())),
            '\\' => found.extend(signs.next()),
            sign => found.push(sign),
        }
    }
    (found, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(word: &str, rest: &str) -> Option<(DatabaseAsk, String)> {
        match first_line(word, rest)? {
            DatabaseWords::Moves(ask, rest) => Some((ask, rest.to_owned())),
            _ => None,
        }
    }

    #[test]
    fn edits_that_are_not_understood_are_told() {
        for (word, rest) in [
            ("YXEDITTVDDATABASE", "7 119 -5"),
            ("YXEDITTEXTDATABASE", "no quote"),
            ("YXEDITLABELDATABASE", "5 9"),
            ("YXEDITLABELDATABASE", "x,y A"),
        ] {
            assert!(matches!(first_line(word, rest), Some(DatabaseWords::Bad(_))), "{word} {rest}");
        }
    }

    #[test]
    fn first_lines_are_read() {
        let label = |text: &str| DatabaseAsk::EditLabel((5, 9), text.to_owned());
        let text = |text: &str| DatabaseAsk::EditText(text.to_owned());
        let record = DatabaseAsk::EditRecord { mask: 7, label: 119, value: -5, depth: 3 };
        for (word, rest, expected) in [
            ("YXQUERYDATABASEALLT", "", Some((DatabaseAsk::All { with_text: true }, ""))),
            ("YXQUERYDATABASEONE", "7,7 DONE", Some((DatabaseAsk::One, "7,7 DONE"))),
            ("YXEDITTVDDATABASE", "7 119 -5 3", Some((record, ""))),
            ("YXEDITTVDDATABASE", "7 119 -5", None),
            ("YXEDITTEXTDATABASE", r#""a \"b\" \\" 7,7 done"#, Some((text(r#"a "b" \"#), " 7,7 done"))),
            ("YXEDITTEXTDATABASE", "no quote", None),
            ("YXEDITLABELDATABASE", "5,9 A1", Some((label("A1"), ""))),
            ("YXEDITLABELDATABASE", "5,9 ", Some((label(""), ""))),
            ("YXEDITLABELDATABASE", "5 9", None),
            ("YXDELETEDATABASEALL", "", Some((DatabaseAsk::DeleteAfter, ""))),
            ("YXDELETEDATABASEALL", "done", Some((DatabaseAsk::DeleteAfter, "done"))),
            ("YXDELETEDATABASEALL", "nonwl", None),
            ("YXSETBESTMOVEDATABASE", "", None),
        ] {
            let expected = expected.map(|(ask, rest)| (ask, rest.to_owned()));
            assert_eq!(ask(word, rest), expected, "{word} {rest}");
        }
    }
}
