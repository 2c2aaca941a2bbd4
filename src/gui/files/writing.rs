//! `write`: turns a game into text, with all its variations in SGF and as a single line in other formats.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::game_tree::{GameTree, Mark, TreeNode};
use crate::board::{Cell, Color, Point, Size, Stones};
use crate::formats::picture;
use crate::formats::point_names::PointNames;
use crate::formats::psq::PsqGame;
use crate::formats::sgf::{MarkKind, SgfGame, SgfNode};
use crate::gui::messages::{At, Code, Rejection, RowsMessage, point};
use crate::gui::position::{read_rule, read_size};

/// The question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::gui) struct WriteQuestion {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "op")]
    _op: IgnoredAny,
    game: GameTree,
    format: FormatMessage,
    /// The last node of the line that is written.
    #[serde(default)]
    node: usize,
    /// The edge from which rows of named points are counted.
    #[serde(default)]
    rows: RowsMessage,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum FormatMessage {
    Sgf,
    Psq,
    Moves,
    Picture,
}

/// The answer.
#[derive(Debug, Serialize)]
pub(in crate::gui) struct Written {
    text: String,
}

impl WriteQuestion {
    /// Writes the game.
    pub fn answer(&self) -> Result<Written, Rejection> {
        let game = &self.game;
        let size = read_size(game.width, game.height)?;
        let text = match self.format {
            FormatMessage::Sgf => write_sgf(game, size)?,
            FormatMessage::Psq => {
                let moves = played(&game.line_to(self.node)?, size)?;
                let moves = moves.into_iter().map(|point| (point, 0)).collect();
                let names = (game.info.black.clone(), game.info.white.clone());
                PsqGame { size, moves, names }.to_string()
            }
            FormatMessage::Moves => {
                let names = PointNames::of(size).with_rows(self.rows.into());
                let points = played(&game.line_to(self.node)?, size)?;
                points.into_iter().map(|point| names.name(point)).collect::<Vec<String>>().join(" ")
            }
            FormatMessage::Picture => {
                picture::draw_with_rows(&board(&game.line_to(self.node)?, size)?, self.rows.into())
            }
        };
        Ok(Written { text })
    }
}

fn not_possible(message: impl Into<String>) -> Rejection {
    Rejection::new(Code::NotPossible, message)
}

/// The point that was sent, on the board.
fn on_board(at: At, size: Size) -> Result<Point, Rejection> {
    point(at, size).ok_or_else(|| {
        Rejection::new(Code::BadPosition, format!("{},{} is off the board of {size}", at.0, at.1))
    })
}

/// Whose move it is. Where the node does not say, the colours take turns.
fn color_of(node: &TreeNode, next: Color) -> Color {
    node.color.unwrap_or(next)
}

/// Who moves after a node, where the next one does not say.
fn next_after(node: &TreeNode, next: Color) -> Color {
    let color = color_of(node, next);
    if node.point.is_some() { !color } else { color }
}

/// The moves of a line that began on an empty board, Black first.
fn played(line: &[&TreeNode], size: Size) -> Result<Vec<Point>, Rejection> {
    let mut points = Vec::new();
    for node in line {
        let next = if points.len().is_multiple_of(2) { Color::Black } else { Color::White };
        if node.setup.as_ref().is_some_and(|setup| !setup.is_nothing()) || color_of(node, next) != next {
            let message = "this format knows only games in which Black begins on an empty board and the colours alternate";
            return Err(Rejection { reason: Some("turns"), ..not_possible(message) });
        }
        if let Some(at) = node.point {
            let point = on_board(at, size)?;
            if points.contains(&point) {
                return Err(not_possible(format!("{point} is taken")));
            }
            points.push(point);
        }
    }
    Ok(points)
}

/// What stands on the board after a line.
fn board(line: &[&TreeNode], size: Size) -> Result<Stones, Rejection> {
    let mut stones = Stones::new(size);
    let mut next = Color::Black;
    for node in line {
        if let Some(setup) = &node.setup {
            for &at in &setup.empty {
                stones.remove(on_board(at, size)?);
            }
            for (points, color) in [(&setup.black, Color::Black), (&setup.white, Color::White)] {
                for &at in points {
                    let point = on_board(at, size)?;
                    // A setup replaces what was on the point.
                    stones.remove(point);
                    place(&mut stones, point, color)?;
                }
            }
            for &at in &setup.dead {
                let point = on_board(at, size)?;
                if stones.cell(point) == Cell::Empty {
                    stones.kill(point);
                }
            }
        }
        if let Some(at) = node.point {
            place(&mut stones, on_board(at, size)?, color_of(node, next))?;
        }
        next = next_after(node, next);
    }
    Ok(stones)
}

fn place(stones: &mut Stones, point: Point, color: Color) -> Result<(), Rejection> {
    if !stones.is_empty_at(point) {
        return Err(not_possible(format!("{point} is taken")));
    }
    stones.place(point, color);
    Ok(())
}

/// Writes the tree as SGF, for other programs that speak to the message handler: the page of this crate writes SGF by
/// itself, so that a game can be saved even while the engine is away.
fn write_sgf(game: &GameTree, size: Size) -> Result<String, Rejection> {
    game.parents()?;
    let mut sgf = SgfGame::new(size);
    if let Some(rule) = &game.rule {
        sgf.node_mut(SgfGame::ROOT).set("RU", [read_rule(rule)?.name()]);
    }
    for (name, value) in game.info.properties() {
        if !value.is_empty() {
            sgf.node_mut(SgfGame::ROOT).set(name, [value.as_str()]);
        }
    }
    // The nodes still to be written, the next one last: the node, its parent in the text's tree, and who moves.
    let mut open: Vec<(usize, Option<usize>, Color)> = vec![(0, None, Color::Black)];
    while let Some((number, before, next)) = open.pop() {
        let Some(node) = game.nodes.get(number) else { continue };
        let own = match before {
            None => SgfGame::ROOT,
            Some(before) => sgf.add(before, SgfNode::new()),
        };
        fill(sgf.node_mut(own), node, size, next, before.is_none())?;
        // What the text calls a rule that nobody knew holds until another is named.
        let is_kept = |name: &str| before.is_some() || name != "RU" || game.rule.is_none();
        for (name, values) in node.properties.iter().filter(|(name, _)| is_kept(name)) {
            sgf.node_mut(own).set(name, values.iter().map(String::as_str));
        }
        let next = next_after(node, next);
        open.extend(node.children.iter().rev().map(|&child| (child, Some(own), next)));
    }
    Ok(sgf.to_string())
}

/// Copies the contents of a node into an SGF node.
fn fill(sgf: &mut SgfNode, node: &TreeNode, size: Size, next: Color, is_root: bool) -> Result<(), Rejection> {
    let all = |points: &[At]| points.iter().map(|&at| on_board(at, size)).collect::<Result<Vec<_>, _>>();
    if let Some(at) = node.point {
        sgf.play_at(color_of(node, next), on_board(at, size)?);
    }
    if let Some(setup) = &node.setup {
        if !setup.dead.is_empty() {
            return Err(not_possible("dead cells have no place in SGF"));
        }
        sgf.set_up(Color::Black, all(&setup.black)?);
        sgf.set_up(Color::White, all(&setup.white)?);
        sgf.clear(all(&setup.empty)?);
    }
    if let (None, Some(color)) = (node.point, node.color) {
        if is_root || node.setup.is_some() {
            sgf.set("PL", [if color == Color::White { "W" } else { "B" }]);
        } else {
            sgf.pass(!color);
        }
    }
    if let Some(comment) = node.comment.as_deref().filter(|comment| !comment.is_empty()) {
        sgf.set("C", [comment]);
    }
    for kind in MarkKind::ALL {
        let marks = node.marks.iter().filter(|mark| mark.kind == kind);
        // A label has a text, though it may be empty; the other marks have none.
        let text = |mark: &'_ Mark| (kind == MarkKind::Label).then(|| mark.text.clone().unwrap_or_default());
        let marks = marks.map(|mark| Ok((on_board(mark.point, size)?, text(mark))));
        let marks = marks.collect::<Result<Vec<_>, Rejection>>()?;
        sgf.mark(kind.property(), marks.iter().map(|(point, text)| (*point, text.as_deref())));
    }
    Ok(())
}
