//! `read`: turns a text in whatever format, or a library of RenLib, into games.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::game_tree::{
    GameTree, Info, LONGEST_LINE, MOST_NODES, Mark, Setup, TreeNode, too_large, too_many_nodes,
};
use super::renlib;
use crate::board::{Cell, Color, MIN_SIDE, Point, Size, Stones};
use crate::formats::any::{PositionFormat, read_moves, read_picture, recognise};
use crate::formats::pgn::{PgnGame, PgnResult};
use crate::formats::sgf::{
    LeftOutGames, SgfChange, SgfGame, SgfMarks, SgfNode, SgfRemark, SgfValue, USUAL_SIDES,
};
use crate::formats::text::quoted;
use crate::formats::{FormatError, Mistake, Place, pgn, psq, sgf};
use crate::gui::messages::{At, Code, Rejection, RowsMessage, at};
use crate::gui::position::read_size;

/// Most bytes of a text that is read.
const MOST_BYTES: usize = 8 << 20;
/// Most values in SGF, so that a text of brackets does not become a hundred times as large in memory.
const MOST_VALUES: usize = 1_000_000;
/// Most points that are set up or marked: a rectangle in SGF names many in a few characters.
const MOST_POINTS: usize = 500_000;

/// The question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::gui) struct ReadQuestion {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "op")]
    _op: IgnoredAny,
    #[serde(default)]
    text: String,
    /// A library in place of the text, a character for each byte.
    library: Option<String>,
    width: usize,
    height: usize,
    /// The edge from which rows of named points are counted.
    #[serde(default)]
    rows: RowsMessage,
}

/// The answer.
#[derive(Debug, Default, Serialize)]
pub(in crate::gui) struct Games {
    format: &'static str,
    games: Vec<GameTree>,
    /// How many games of a collection were left out because they cannot be read.
    #[serde(skip_serializing_if = "is_zero")]
    left_out: usize,
    /// The first of them, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_left_out: Option<FirstLeftOut>,
    /// Whether the last game lacks its closing bracket, or the library its end.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    without_end: bool,
    /// Whether a game that names no board does not fit on that of the question, and was read on a larger one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    on_larger_board: bool,
}

/// The first part of a collection that was left out.
#[derive(Debug, Serialize)]
struct FirstLeftOut {
    /// The number of the game, from 1; `None` for a bracket too many, which is in none.
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    /// Where it is wrong, and why.
    #[serde(flatten)]
    rejection: Rejection,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl ReadQuestion {
    /// Reads the text. The board comes from the message where the text does not name it. A rule that it does not name
    /// is for the page to choose, which says so.
    pub fn answer(&self) -> Result<Games, Rejection> {
        if let Some(library) = &self.library {
            let bytes: Option<Vec<u8>> = library.chars().map(|byte| u8::try_from(byte).ok()).collect();
            let bytes = bytes.ok_or_else(|| Rejection::bad_request("a character of a library is no byte"))?;
            let (tree, without_end) = renlib::read(&bytes)?;
            return Ok(Games { format: "renlib", games: vec![tree], without_end, ..Games::default() });
        }
        let text = self.text.trim_start_matches('\u{FEFF}');
        if text.len() > MOST_BYTES {
            return Err(too_large(format!("only texts of up to {} MB are read", MOST_BYTES >> 20)));
        }
        if text.trim().is_empty() {
            return Err(mistaken(&Mistake::Empty));
        }
        let size = read_size(self.width, self.height)?;
        let (format, games) = match recognise(text) {
            PositionFormat::Sgf => return read_sgf(text, size),
            PositionFormat::Pgn => return self.pgn(text, size),
            PositionFormat::Psq => {
                let game = psq::read(text).map_err(unreadable)?;
                let (black, white) = game.names.clone();
                let info = Info { black, white, ..Info::default() };
                ("psq", vec![line_of_moves(game.size, &game.points(), info)?])
            }
            PositionFormat::Picture => {
                let stones = read_picture(text).map_err(unreadable)?;
                ("picture", vec![position(&stones)?])
            }
            PositionFormat::Moves => {
                let (size, points) = self.moves(text, size).map_err(unreadable)?;
                ("moves", vec![line_of_moves(size, &points, Info::default())?])
            }
        };
        Ok(Games { format, games, ..Games::default() })
    }

    /// The points of a list of moves, on the board of this size.
    fn moves(&self, text: &str, size: Size) -> Result<(Size, Vec<Point>), FormatError> {
        ReadQuestion::on_fitting_board(size, |size| read_moves(text, size, self.rows.into()))
    }

    /// The points of a list of moves that `read` reads, on the board of this size. A list says nothing about its board:
    /// if it does not fit on this one, it is read on the first of the usual boards where it does. What is wrong with a
    /// list that can be read on none of them is told of the first board that is not too small for it, or else of this
    /// one.
    fn on_fitting_board(
        size: Size,
        read: impl Fn(Size) -> Result<Vec<Point>, FormatError>,
    ) -> Result<(Size, Vec<Point>), FormatError> {
        let on = |size| Ok((size, read(size)?));
        let fits = |read: &Result<(Size, Vec<Point>), FormatError>| {
            !matches!(read, Err(FormatError { mistake: Mistake::OffBoard { .. }, .. }))
        };
        let on_this = on(size);
        if fits(&on_this) {
            return on_this;
        }
        USUAL_SIDES.iter().map(|&side| on(Size::square(side))).find(fits).unwrap_or(on_this)
    }

    /// The games of a text in PGN that can be read.
    fn pgn(&self, text: &str, size: Size) -> Result<Games, Rejection> {
        let mut read = Games { format: "pgn", ..Games::default() };
        let mut nodes = 0;
        for (n, (game, moves)) in pgn::games_with_moves(text).map_err(unreadable)?.iter().enumerate() {
            let points =
                ReadQuestion::on_fitting_board(size, |size| moves.points_with_rows(size, self.rows.into()));
            match points {
                Ok((board, points)) => {
                    nodes += points.len() + 1;
                    if nodes > MOST_NODES {
                        return Err(too_many_nodes());
                    }
                    let rule = game.rule().map(|rule| rule.name().to_owned());
                    let unknown_rule = game.rule_name().filter(|_| rule.is_none()).map(str::to_owned);
                    let tree = line_of_moves(board, &points, pgn_info(game))?;
                    read.games.push(GameTree { rule, unknown_rule, ..tree });
                    read.on_larger_board |= board != size;
                }
                Err(error) => {
                    read.left_out += 1;
                    let left_out = FirstLeftOut { number: Some(n + 1), rejection: unreadable(error) };
                    read.first_left_out.get_or_insert(left_out);
                }
            }
        }
        match read.first_left_out {
            Some(left_out) if read.games.is_empty() => Err(left_out.rejection),
            _ => Ok(read),
        }
    }
}

/// What the tags of a game say that has a field here; PGN writes question marks for what is not known.
fn pgn_info(game: &PgnGame) -> Info {
    let text = |name| {
        game.tag(name)
            .map(str::trim)
            .filter(|text| *text != "?" && !text.starts_with("????"))
            .unwrap_or_default()
            .to_owned()
    };
    let result = match game.result {
        PgnResult::Black => "B+",
        PgnResult::White => "W+",
        PgnResult::Draw => "0",
        PgnResult::Unknown => "",
    };
    Info {
        black: text("Black"),
        white: text("White"),
        event: text("Event"),
        date: text("Date").replace('.', "-"),
        place: text("Site"),
        result: result.to_owned(),
        comment: String::new(),
    }
}

fn unreadable(error: FormatError) -> Rejection {
    let (line, column) = (Some(error.place.line), Some(error.place.column));
    Rejection { line, column, ..mistaken(&error.mistake) }
}

fn mistaken(mistake: &Mistake) -> Rejection {
    let (reason, part) = reason(mistake).unzip();
    let part = part.filter(|part| !part.is_empty()).map(String::into_boxed_str);
    Rejection { reason, part, ..Rejection::new(Code::Unreadable, mistake.to_string()) }
}

/// What is wrong, in a word for which the page has a text, and the part that the text quotes, empty where it quotes
/// none. `None` for what nobody meets who opens a game.
fn reason(mistake: &Mistake) -> Option<(&'static str, String)> {
    let of = |reason, part: &str| Some((reason, quoted(part)));
    match mistake {
        Mistake::Empty => of("empty", ""),
        Mistake::NoPoint(word) => of("no-point", word),
        Mistake::NoNumber(word) => of("no-number", word),
        Mistake::MissingCoordinate => of("coordinate", ""),
        Mistake::ThreeNumbers(text) => of("three-numbers", text),
        Mistake::OffBoard { point, .. } => of("off-board", point),
        Mistake::Taken(point) => of("taken", point),
        Mistake::WrongTurn { stone, .. } => of("turn", &stone.to_string()),
        Mistake::NoSize(text) => of("no-size", text),
        Mistake::Ragged(row) => of("ragged", &row.to_string()),
        Mistake::NoSign(sign) => of("no-sign", &sign.to_string()),
        Mistake::PictureSize => of("picture-size", ""),
        Mistake::StrayBracket => of("bracket", ""),
        Mistake::UnclosedGame => of("game-end", ""),
        Mistake::UnclosedValue => of("value-end", ""),
        Mistake::NoGame => of("no-game", ""),
        Mistake::NoNode => of("no-node", ""),
        Mistake::OtherGame(number) => of("other-game", number),
        Mistake::NoHeader(line) => of("no-header", line),
        Mistake::NoPosition(_) => of("unknown", ""),
        _ => None,
    }
}

/// Checks that the board is large enough to play on: files may hold smaller ones.
fn ensure_playable(size: Size) -> Result<Size, Rejection> {
    let is_playable = size.width() >= MIN_SIDE && size.height() >= MIN_SIDE;
    is_playable.then_some(size).ok_or_else(|| {
        let message = format!("a board of {size} is too small to be played on");
        Rejection { reason: Some("too-small"), ..Rejection::new(Code::Unreadable, message) }
    })
}

/// A game whose rule is not known.
fn tree(size: Size, info: Info, nodes: Vec<TreeNode>) -> Result<GameTree, Rejection> {
    let size = ensure_playable(size)?;
    let (width, height) = (size.width(), size.height());
    Ok(GameTree { rule: None, unknown_rule: None, width, height, info, nodes })
}

/// A game without variations.
fn line_of_moves(size: Size, points: &[Point], info: Info) -> Result<GameTree, Rejection> {
    let child = |number: usize| if number <= points.len() { vec![number] } else { Vec::new() };
    let mut nodes = vec![TreeNode { children: child(1), ..TreeNode::default() }];
    for ((number, &point), color) in points.iter().enumerate().zip(Color::ALL.into_iter().cycle()) {
        let (point, color) = (Some(at(point)), Some(color));
        nodes.push(TreeNode { point, color, children: child(number + 2), ..TreeNode::default() });
    }
    tree(size, info, nodes)
}

/// A position that was read from a picture.
fn position(stones: &Stones) -> Result<GameTree, Rejection> {
    let all = |cell: Cell| -> Vec<At> {
        stones.size().points().filter(|&point| stones.cell(point) == cell).map(at).collect()
    };
    let setup = Setup {
        black: all(Cell::Stone(Color::Black)),
        white: all(Cell::Stone(Color::White)),
        empty: Vec::new(),
        dead: all(Cell::Dead),
    };
    let setup = (!setup.is_nothing()).then_some(setup);
    let root = TreeNode { color: Some(stones.to_move()), setup, ..TreeNode::default() };
    tree(stones.size(), Info::default(), vec![root])
}

/// How much of a collection may still be read.
struct Allowance {
    nodes: usize,
    points: usize,
}

impl Allowance {
    fn spend_points(&mut self, count: usize) -> Result<(), Rejection> {
        let left = self.points.checked_sub(count);
        self.points = left.ok_or_else(|| too_large("the games set up or mark too many points"))?;
        Ok(())
    }
}

/// The games of a collection that can be read.
///
/// # Errors
/// More than is read; of a collection without a game that can be read, what is wrong with its first.
fn read_sgf(text: &str, size: Size) -> Result<Games, Rejection> {
    let count = |sign: u8| text.bytes().filter(|&byte| byte == sign).count();
    if count(b';') > 2 * MOST_NODES || count(b'[') > MOST_VALUES {
        return Err(too_many_nodes());
    }
    let mut allowance = Allowance { nodes: MOST_NODES, points: MOST_POINTS };
    let mut games = Vec::new();
    let mut numbers = LeftOutGames::default();
    let (mut left_out, mut first) = (0, None);
    let mut remarks = Vec::new();
    for game in sgf::games(text) {
        let number = numbers.number(&game);
        // Millions of brackets too many are only counted.
        if game.is_err() && first.is_some() {
            left_out += 1;
            continue;
        }
        let tree = game.map_err(unreadable).and_then(|game| {
            let board = game.board(size).map_err(unreadable)?;
            let tree = sgf_game(&game, board, &mut allowance)?;
            // Of a game that is left out nothing else is said.
            remarks.extend(game.remarks(size));
            Ok(tree)
        });
        match tree {
            Ok(tree) => games.push(tree.ok_or_else(too_many_nodes)?),
            Err(rejection) if rejection.code == Code::Unreadable => {
                left_out += 1;
                first.get_or_insert((number, rejection));
            }
            Err(rejection) => return Err(rejection),
        }
    }
    match first {
        None if games.is_empty() => Err(mistaken(&Mistake::NoGame)),
        Some((_, rejection)) if games.is_empty() => Err(rejection),
        first => {
            let first_left_out = first.map(|(number, rejection)| FirstLeftOut { number, rejection });
            let without_end = remarks.iter().any(|remark| matches!(remark, SgfRemark::NoEnd(_)));
            let on_larger_board = remarks.iter().any(|remark| matches!(remark, SgfRemark::LargerBoard(..)));
            Ok(Games { format: "sgf", games, left_out, first_left_out, without_end, on_larger_board })
        }
    }
}

/// A game on this board with all its variations; `None` if there are more nodes than allowed.
fn sgf_game(game: &SgfGame, size: Size, allowance: &mut Allowance) -> Result<Option<GameTree>, Rejection> {
    game.ensure_gomoku().map_err(unreadable)?;
    let rule = game.rule().map(|rule| rule.name().to_owned());
    let mut nodes: Vec<TreeNode> = Vec::new();
    // The nodes still to be read, the next one last: the node's number in the text's tree, its parent in ours, and its
    // depth.
    let mut open: Vec<(usize, Option<usize>, usize)> = vec![(SgfGame::ROOT, None, 0)];
    while let Some((number, before, depth)) = open.pop() {
        if depth >= LONGEST_LINE {
            return Err(too_large(format!("only lines of up to {LONGEST_LINE} nodes are read")));
        }
        let Some(left) = allowance.nodes.checked_sub(1) else { return Ok(None) };
        allowance.nodes = left;
        let node = game.node(number);
        let is_foreign = |name: &str| !is_understood(name, number == SgfGame::ROOT, rule.is_some());
        let (read, more) = sgf_node(node, size, allowance)?;
        let read = TreeNode { properties: properties(node, is_foreign), ..read };
        let Some(left) = allowance.nodes.checked_sub(more.len()) else { return Ok(None) };
        allowance.nodes = left;
        let mut last = before;
        for node in std::iter::once(read).chain(more) {
            let own = nodes.len();
            nodes.push(node);
            if let Some(parent) = last.and_then(|last| nodes.get_mut(last)) {
                parent.children.push(own);
            }
            last = Some(own);
        }
        open.extend(game.children(number).iter().rev().map(|&child| (child, last, depth + 1)));
    }
    let root = game.node(SgfGame::ROOT);
    let text = |name: &str| root.value(name).map(|value| value.text.trim().to_owned()).unwrap_or_default();
    let info = Info {
        black: text("PB"),
        white: text("PW"),
        event: text("EV"),
        date: text("DT"),
        result: text("RE"),
        comment: text("GC"),
        place: text("PC"),
    };
    let unknown_rule = game.rule_name().filter(|_| rule.is_none()).map(str::to_owned);
    let tree = tree(size, info, nodes).map_err(|rejection| {
        let Place { line, column } = game.place();
        Rejection { line: Some(line), column: Some(column), ..rejection }
    })?;
    Ok(Some(GameTree { rule, unknown_rule, ..tree }))
}

/// Whether a property is a field of the tree, or says of the text what is no longer true when it is written again. An
/// unknown rule stays what the text calls it.
fn is_understood(name: &str, is_root: bool, has_rule: bool) -> bool {
    match name {
        "" | "FF" | "GM" | "CA" | "AP" | "SZ" | "C" => true,
        "PB" | "PW" | "EV" | "DT" | "PC" | "RE" | "GC" => is_root,
        "RU" => is_root && has_rule,
        _ => SgfNode::is_of_board(name),
    }
}

/// The properties with these names, and their values.
fn properties(node: &SgfNode, is_wanted: impl Fn(&str) -> bool) -> Vec<(String, Vec<String>)> {
    let wanted = node.properties.iter().filter(|property| is_wanted(&property.name));
    let texts = |values: &[SgfValue]| values.iter().map(|value| value.text.clone()).collect();
    wanted.map(|property| (property.name.clone(), texts(&property.values))).collect()
}

/// A node, and more of them where it plays several moves: some programs write Black's and White's into one.
fn sgf_node(
    node: &SgfNode,
    size: Size,
    allowance: &mut Allowance,
) -> Result<(TreeNode, Vec<TreeNode>), Rejection> {
    let mut read = TreeNode::default();
    let mut more = Vec::new();
    let mut setup = Setup::default();
    for change in node.changes(size) {
        match change.map_err(unreadable)?.0 {
            // After a pass the other side is to move.
            SgfChange::Play(color, None) => read.color = Some(!color),
            SgfChange::Play(color, Some(point)) => {
                let after = if read.point.is_none() {
                    &mut read
                } else {
                    more.push(TreeNode::default());
                    more.last_mut().unwrap_or(&mut read)
                };
                (after.point, after.color) = (Some(at(point)), Some(color));
            }
            SgfChange::SetUp(Color::Black, points) => setup.black.extend(spend(points, allowance)?),
            SgfChange::SetUp(Color::White, points) => setup.white.extend(spend(points, allowance)?),
            SgfChange::Clear(points) => setup.empty.extend(spend(points, allowance)?),
            SgfChange::ToMove(color) => {
                if read.point.is_none() {
                    read.color = Some(color);
                }
            }
        }
    }
    // There may be only one, but some programs write several.
    let comments: Vec<&str> =
        node.values("C").map(|value| value.text.as_str()).filter(|text| !text.is_empty()).collect();
    read.comment = (!comments.is_empty()).then(|| comments.join("\n"));
    for SgfMarks { kind, points, text } in node.marks(size) {
        let mark = |point| Mark { kind, point, text: text.map(str::to_owned) };
        read.marks.extend(spend(points, allowance)?.into_iter().map(mark));
    }
    read.setup = (!setup.is_nothing()).then_some(setup);
    Ok((read, more))
}

fn spend(points: Vec<Point>, allowance: &mut Allowance) -> Result<Vec<At>, Rejection> {
    allowance.spend_points(points.len())?;
    Ok(points.into_iter().map(at).collect())
}
