//! What a node means: how it changes the board, and which marks it puts on points.
//!
//! This is the only interpreter of these properties. The main line of a game, the tree of a viewer and the positions of
//! a library all use its output, and differ only in what they do with it.

use serde::{Deserialize, Serialize};

use super::tree::{SgfNode, SgfValue};
use crate::board::{Color, Point, Size};
use crate::formats::error::{FormatError, Mistake, Place};
use crate::formats::point_names::{PointNames, on_board};

/// A change of the board, given by one value of a property. Whether a point is free is not checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SgfChange {
    /// A move, or a pass, which has no point. Afterwards the other side is to move.
    Play(Color, Option<Point>),
    /// Stones of a colour set up without a move; they replace what stands there.
    SetUp(Color, Vec<Point>),
    /// Points that are cleared.
    Clear(Vec<Point>),
    /// Who is to move.
    ToMove(Color),
}

/// The kind of a mark on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarkKind {
    /// A text.
    Label,
    /// A triangle.
    Triangle,
    /// A square.
    Square,
    /// A circle.
    Circle,
    /// A cross.
    Cross,
}

impl MarkKind {
    /// Every kind.
    pub const ALL: [MarkKind; 5] =
        [MarkKind::Label, MarkKind::Triangle, MarkKind::Square, MarkKind::Circle, MarkKind::Cross];

    /// Its property in SGF.
    #[must_use]
    pub const fn property(self) -> &'static str {
        match self {
            MarkKind::Label => "LB",
            MarkKind::Triangle => "TR",
            MarkKind::Square => "SQ",
            MarkKind::Circle => "CR",
            MarkKind::Cross => "MA",
        }
    }
}

/// The same mark on one or several points, given by one value of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SgfMarks<'a> {
    /// The kind of the mark.
    pub kind: MarkKind,
    /// The points that carry it.
    pub points: Vec<Point>,
    /// The text of a label; `None` for the other kinds.
    pub text: Option<&'a str>,
}

impl SgfNode {
    /// The changes that the node makes to a board of this size, in the order of the text, each with its place.
    ///
    /// # Errors
    /// A value that is not a point, and a point off the board.
    pub fn changes(&self, size: Size) -> impl Iterator<Item = Result<(SgfChange, Place), FormatError>> {
        let values = self
            .properties
            .iter()
            .flat_map(|property| property.values.iter().map(|value| (property.name.as_str(), value)));
        values.filter_map(move |(name, value)| {
            let change = match name {
                "B" => play(Color::Black, value, size),
                "W" => play(Color::White, value, size),
                "AB" => points(value, size).map(|points| SgfChange::SetUp(Color::Black, points)),
                "AW" => points(value, size).map(|points| SgfChange::SetUp(Color::White, points)),
                "AE" => points(value, size).map(SgfChange::Clear),
                "PL" => {
                    let is_white = value.text.trim_start().starts_with(['W', 'w']);
                    Ok(SgfChange::ToMove(if is_white { Color::White } else { Color::Black }))
                }
                _ => return None,
            };
            Some(change.map(|change| (change, value.place)))
        })
    }

    /// Whether a property of this name says what the node [changes](SgfNode::changes) or [marks](SgfNode::marks).
    #[must_use]
    pub fn is_of_board(name: &str) -> bool {
        matches!(name, "B" | "W" | "AB" | "AW" | "AE" | "PL")
            || MarkKind::ALL.iter().any(|kind| kind.property() == name)
    }

    /// Whether the node sets stones up or clears cells, rather than playing a move.
    #[must_use]
    pub fn sets_up(&self) -> bool {
        ["AB", "AW", "AE"].iter().any(|name| self.value(name).is_some())
    }

    /// Whether the side with fewer stones is to move after the node, because it sets up a position and says nothing
    /// else of it, neither by `PL` nor by a move.
    #[must_use]
    pub fn leaves_turn_open(&self) -> bool {
        self.sets_up() && ["B", "W", "PL"].iter().all(|name| self.value(name).is_none())
    }

    /// The marks on a board of this size, kind by kind. A mark that is not on the board is left out, since nothing
    /// depends on it.
    pub fn marks(&self, size: Size) -> impl Iterator<Item = SgfMarks<'_>> {
        MarkKind::ALL.into_iter().flat_map(move |kind| {
            self.values(kind.property()).filter_map(move |value| {
                if kind == MarkKind::Label {
                    let (point, text) = value.text.split_once(':')?;
                    let points = read_points(point, size).ok()?;
                    Some(SgfMarks { kind, points, text: Some(text) })
                } else {
                    let points = read_points(&value.text, size).ok()?;
                    Some(SgfMarks { kind, points, text: None })
                }
            })
        })
    }
}

/// The largest board on which `tt` is no point.
const LARGEST_WITHOUT_TT: usize = 19;

fn play(color: Color, value: &SgfValue, size: Size) -> Result<SgfChange, FormatError> {
    let name = value.text.trim();
    // The third version of SGF wrote a pass like this, and the fourth still allows it.
    let is_old_pass = name == "tt" && size.width().max(size.height()) <= LARGEST_WITHOUT_TT;
    let point = (!name.is_empty() && !is_old_pass).then(|| read_point(name, size)).transpose();
    point.map(|point| SgfChange::Play(color, point)).map_err(|mistake| mistake.at(value.place))
}

fn points(value: &SgfValue, size: Size) -> Result<Vec<Point>, FormatError> {
    // Some programs write a property without points.
    if value.text.trim().is_empty() {
        return Ok(Vec::new());
    }
    read_points(&value.text, size).map_err(|mistake| mistake.at(value.place))
}

/// Two letters, column and row from the upper left, or a name such as `H8`.
fn read_point(text: &str, size: Size) -> Result<Point, Mistake> {
    match text.as_bytes() {
        &[x @ b'a'..=b'z', y @ b'a'..=b'z'] => on_board((x - b'a').into(), (y - b'a').into(), size)
            .map_err(|_| Mistake::OffBoard { point: text.to_owned(), size }),
        _ => PointNames::of(size).point(text),
    }
}

/// A point, or all points of a rectangle such as `aa:cc`, row by row.
fn read_points(text: &str, size: Size) -> Result<Vec<Point>, Mistake> {
    let Some((first, last)) = text.split_once(':') else { return Ok(vec![read_point(text.trim(), size)?]) };
    let (first, last) = (read_point(first.trim(), size)?, read_point(last.trim(), size)?);
    let is_between = |n: usize, one: usize, other: usize| one.min(other) <= n && n <= one.max(other);
    let is_inside =
        |p: &Point| is_between(p.x(), first.x(), last.x()) && is_between(p.y(), first.y(), last.y());
    Ok(size.points().filter(is_inside).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sgf;

    const SIZE: Size = Size::square(15);

    fn root(text: &str) -> SgfNode {
        sgf::read(text).unwrap()[0].node(0).clone()
    }

    fn named(names: &str) -> Vec<Point> {
        names.split_whitespace().map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn a_node_changes_the_board_in_the_order_of_its_text() {
        let node = root("(;C[no change]AE[aa]\nAB[H8][aa:ab]PL[white]W[ii]B[ ]TR[hh])");
        let changes: Vec<(SgfChange, Place)> = node.changes(SIZE).map(Result::unwrap).collect();
        let (whats, places): (Vec<SgfChange>, Vec<Place>) = changes.into_iter().unzip();
        assert_eq!(
            whats,
            [
                SgfChange::Clear(named("a1")),
                SgfChange::SetUp(Color::Black, named("h8")),
                SgfChange::SetUp(Color::Black, named("a1 a2")),
                SgfChange::ToMove(Color::White),
                SgfChange::Play(Color::White, Some("i9".parse().unwrap())),
                SgfChange::Play(Color::Black, None),
            ]
        );
        assert_eq!(places.iter().map(|place| place.line).collect::<Vec<usize>>(), [1, 2, 2, 2, 2, 2]);
        // What comes before a mistake is read.
        let node = root("(;B[hh]AW[hh:zz])");
        let read: Vec<bool> = node.changes(SIZE).map(|change| change.is_ok()).collect();
        assert_eq!(read, [true, false]);
    }

    #[test]
    fn setting_up_is_told_from_playing() {
        for (text, sets_up, leaves_turn_open) in [
            ("(;B[hh])", false, false),
            ("(;PL[B])", false, false),
            ("(;AW[hh])", true, true),
            ("(;AE[hh]B[hh])", true, false),
        ] {
            assert_eq!(
                (root(text).sets_up(), root(text).leaves_turn_open()),
                (sets_up, leaves_turn_open),
                "{text}"
            );
        }
    }

    #[test]
    fn a_pass_may_be_written_as_a_point_beyond_the_board() {
        let node = root("(;B[tt])");
        let change = |size: Size| node.changes(size).next().unwrap().map(|(change, _)| change);
        for size in [SIZE, Size::square(19)] {
            assert_eq!(change(size), Ok(SgfChange::Play(Color::Black, None)));
        }
        let corner = Point::new(19, 19);
        assert_eq!(change(Size::square(20)), Ok(SgfChange::Play(Color::Black, Some(corner))));
        assert_eq!(
            root("(;AB[])").changes(SIZE).next(),
            Some(Ok((SgfChange::SetUp(Color::Black, Vec::new()), Place { line: 1, column: 6 })))
        );
        assert!(root("(;AB[tt])").changes(SIZE).next().unwrap().is_err());
    }

    #[test]
    fn marks_come_kind_by_kind() {
        let node = root("(;MA[aa:ba]LB[hh:A:B][ii][zz:C]TR[H8][zz]LB[aa:])");
        let marks: Vec<SgfMarks<'_>> = node.marks(SIZE).collect();
        let mark = |kind, points, text| SgfMarks { kind, points: named(points), text };
        assert_eq!(
            marks,
            [
                mark(MarkKind::Label, "h8", Some("A:B")),
                mark(MarkKind::Label, "a1", Some("")),
                mark(MarkKind::Triangle, "h8", None),
                mark(MarkKind::Cross, "a1 b1", None),
            ]
        );
    }
}
