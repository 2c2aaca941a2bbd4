//! RenLib's `.lib`: a tree of moves on a board of 15x15 with comments, marks and texts on the board. Renju players
//! exchange their analyses in this format.
//!
//! A file begins with a header of twenty bytes (`FF`, `RenLib`, `FF`, two bytes of version, ten times `FF`). The oldest
//! files have no header and begin with a move in the centre. The nodes of the tree follow in preorder, two bytes each:
//!
//! | byte | holds |
//! |---|---|
//! | point | the column from 1 in the low four bits, the row from 0 at the top in the high ones; 0 is the root or a pass |
//! | flags | 80 a sibling follows later, 40 no child follows, 20 a comment of the oldest kind, 10 a mark, 08 a comment, 04 a start position, 02 no move but a text on the board, 01 two more bytes follow |
//!
//! Of these two bytes only the last bit is used: it says that a text for the board follows. Comments and texts end with
//! a zero byte, and with a second one if that is needed to make their length even. A comment holds its first line, a
//! backspace, and its further lines. The format does not specify the encoding of texts; Kagetsu writes UTF-8.

use super::binary::{BinaryError, BinaryMistake, Bytes, TextDecoder};
use crate::board::{Point, Size};

/// The board of every library.
pub const BOARD: Size = Size::square(15);

const MAGIC: [u8; 8] = *b"\xFFRenLib\xFF";
const HEADER: usize = 20;
/// The version that is written, and the newest that is read.
const VERSION: [u8; 2] = [3, 4];
/// The first byte of files without a header: a move on h8.
const CENTER: u8 = 0x78;

const SIBLING: u8 = 0x80;
const LEAF: u8 = 0x40;
const OLD_COMMENT: u8 = 0x20;
const MARK: u8 = 0x10;
const COMMENT: u8 = 0x08;
const START: u8 = 0x04;
const NO_MOVE: u8 = 0x02;
const EXTENSION: u8 = 0x01;
/// A bit in the second of the two extension bytes: a text for the board follows.
const BOARD_TEXT: u8 = 0x01;

/// Separates the first line of a comment from the others.
const NEXT_LINES: u8 = 0x08;
/// The most bytes of a comment or a text and its end, far more than RenLib's own windows show. The longest comment of a
/// library is 1 MB, and a line end in it becomes two bytes here.
const LONGEST_TEXT: usize = 2 << 20;

/// The kind of a node, with its point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LibMove {
    /// The position before the first move.
    #[default]
    Root,
    /// A stone, Black's and White's in turn.
    Stone(Point),
    /// A turn without a stone.
    Pass,
    /// No turn, only a text, which stands at this point of the board before the move.
    Text(Point),
}

/// A node of the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LibNode {
    /// The distance from the root: 0 for the root, 1 for a first move.
    pub depth: usize,
    /// The move, or what the node has in its place.
    pub action: LibMove,
    /// Whether it is marked.
    pub is_marked: bool,
    /// Whether it is flagged as a start position.
    pub is_start: bool,
    /// The lines of the comment.
    pub comment: String,
    /// The text that stands at its point on the board until the move is played.
    pub board_text: String,
}

/// The nodes of a library in preorder. Only the path to the current node is kept in memory.
///
/// ```
/// use kagetsu::formats::renlib::{self, LibMove, LibNode};
/// let stone = |name: &str| LibMove::Stone(name.parse().unwrap());
/// let nodes = vec![
///     LibNode::default(),
///     LibNode { depth: 1, action: stone("h8"), comment: "the centre".to_owned(), ..LibNode::default() },
///     LibNode { depth: 2, action: stone("i9"), ..LibNode::default() },
///     LibNode { depth: 2, action: stone("h9"), is_marked: true, ..LibNode::default() },
/// ];
/// let bytes = renlib::write(nodes.iter().cloned());
/// let again: Result<Vec<LibNode>, _> = renlib::nodes(&bytes).unwrap().collect();
/// assert_eq!(again, Ok(nodes));
/// ```
#[derive(Clone, Debug)]
pub struct LibNodes<'a> {
    bytes: Bytes<'a>,
    /// The depth of the next node.
    depth: usize,
    /// Depths at which siblings follow.
    open: Vec<usize>,
    /// Whether the last node was a leaf that a sibling must follow.
    is_owed: bool,
    state: State,
    decoder: TextDecoder,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the first node, which need not be the root.
    Start,
    /// A child or a sibling may follow.
    Inside,
    /// After a leaf, with no siblings left.
    Complete,
    Failed,
}

/// Whether these bytes begin like a library.
#[must_use]
pub fn looks_like_library(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Begins to read a library.
///
/// # Errors
/// Bytes that are not a library, and a version newer than any that is known.
pub fn nodes(bytes: &[u8]) -> Result<LibNodes<'_>, BinaryError> {
    let mut all = Bytes::new(bytes);
    if looks_like_library(bytes) {
        let header: [u8; HEADER] = all.array("the end of its header")?;
        let version = [header[8], header[9]];
        if version > VERSION {
            return Err(BinaryMistake::Version(version[0], version[1]).at(8));
        }
    } else if bytes.first() != Some(&CENTER) {
        return Err(BinaryMistake::NoHeader("library of RenLib").at(0));
    }
    Ok(LibNodes {
        bytes: all,
        depth: 0,
        open: Vec::new(),
        is_owed: false,
        state: State::Start,
        decoder: TextDecoder::default(),
    })
}

impl LibNodes<'_> {
    /// Decodes the texts of all further nodes with this decoder.
    #[must_use]
    pub fn with_texts(self, decoder: TextDecoder) -> Self {
        LibNodes { decoder, ..self }
    }

    /// The byte at which the next node begins.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.bytes.offset()
    }

    fn node(&mut self) -> Result<LibNode, BinaryError> {
        let at = self.bytes.offset();
        let [point, flags] = self.bytes.array("the end of a move")?;
        let is_root = self.state == State::Start && point == 0;
        if self.state == State::Start && !is_root {
            // The root may be left out.
            self.depth = 1;
        }
        self.state = State::Inside;
        let extension =
            if flags & EXTENSION == 0 { 0 } else { self.bytes.array::<2>("the flags of a move")?[1] };
        let action = match (point, flags & NO_MOVE != 0) {
            _ if is_root => LibMove::Root,
            (0, false) => LibMove::Pass,
            // Where there is not even a point, the node has no content, and what follows would continue from before it.
            (_, true) => LibMove::Text(point_of(point).ok_or_else(|| BinaryMistake::NoPoint(point).at(at))?),
            (_, false) => {
                LibMove::Stone(point_of(point).ok_or_else(|| BinaryMistake::NoPoint(point).at(at))?)
            }
        };
        let comment = if flags & OLD_COMMENT != 0 {
            let bytes = self.old_text()?;
            comment_of(&bytes, &self.decoder)
        } else if flags & COMMENT != 0 {
            let decoder = self.decoder.clone();
            comment_of(self.text()?, &decoder)
        } else {
            String::new()
        };
        let board_text = if extension & BOARD_TEXT == 0 {
            String::new()
        } else {
            let decoder = self.decoder.clone();
            decoder.text_of(self.text()?)
        };
        let node = LibNode {
            depth: self.depth,
            action,
            is_marked: flags & MARK != 0,
            is_start: flags & START != 0,
            comment,
            board_text,
        };
        if flags & SIBLING != 0 && !is_root {
            self.open.push(self.depth);
        }
        self.is_owed = false;
        if flags & LEAF == 0 {
            self.depth += 1;
        } else if let Some(depth) = self.open.pop() {
            self.depth = depth;
            self.is_owed = true;
        } else {
            self.state = State::Complete;
        }
        Ok(node)
    }

    /// The bytes before the next zero byte. Together with the terminator their number is even.
    fn text(&mut self) -> Result<&'_ [u8], BinaryError> {
        let rest = self.bytes.rest();
        let window = rest.get(..LONGEST_TEXT).unwrap_or(rest);
        let Some(length) = window.iter().position(|&byte| byte == 0) else {
            let end = self.bytes.offset() + window.len();
            let is_cut = window.len() == rest.len();
            return Err(if is_cut {
                BinaryMistake::End("the end of a text")
            } else {
                BinaryMistake::LongText
            }
            .at(end));
        };
        let whole = self.bytes.take(length + 2 - length % 2, "the end of a text")?;
        Ok(&whole[..length])
    }

    /// A comment as the first versions wrote it: its last byte has the highest bit set.
    fn old_text(&mut self) -> Result<Vec<u8>, BinaryError> {
        let rest = self.bytes.rest();
        let window = rest.get(..LONGEST_TEXT).unwrap_or(rest);
        let Some(last) = window.iter().position(|&byte| byte >= 0x80) else {
            let end = self.bytes.offset() + window.len();
            let is_cut = window.len() == rest.len();
            let mistake =
                if is_cut { BinaryMistake::End("the end of a comment") } else { BinaryMistake::LongText };
            return Err(mistake.at(end));
        };
        let length = last + 1;
        let whole = self.bytes.take(length + length % 2, "the end of a comment")?;
        Ok(whole[..length].iter().map(|byte| byte & 0x7F).collect())
    }
}

impl Iterator for LibNodes<'_> {
    type Item = Result<LibNode, BinaryError>;

    fn next(&mut self) -> Option<Result<LibNode, BinaryError>> {
        let offset = self.bytes.offset();
        let is_empty = self.bytes.rest().is_empty();
        let read = match self.state {
            State::Failed => return None,
            State::Complete if is_empty => return None,
            State::Complete => Err(BinaryMistake::Rest.at(offset)),
            // In a part of a tree that was saved by itself, the last move is not flagged as a leaf.
            State::Start | State::Inside if is_empty && self.open.is_empty() && !self.is_owed => return None,
            State::Start | State::Inside if is_empty => {
                Err(BinaryMistake::End("the moves that are announced").at(offset))
            }
            State::Start | State::Inside => self.node(),
        };
        if read.is_err() {
            self.state = State::Failed;
        }
        Some(read)
    }
}

fn point_of(byte: u8) -> Option<Point> {
    let (column, row) = (i64::from(byte & 0x0F), i64::from(byte >> 4));
    Point::checked(column - 1, row, BOARD)
}

fn byte_of(point: Point) -> u8 {
    assert!(BOARD.contains(point), "{point} is off the board of RenLib");
    (point.y() as u8) << 4 | (point.x() as u8 + 1)
}

/// A comment with its lines separated by `\n`.
fn comment_of(bytes: &[u8], decoder: &TextDecoder) -> String {
    let mut parts = bytes.splitn(2, |&byte| byte == NEXT_LINES).map(|part| decoder.text_of(part));
    let first = parts.next().unwrap_or_default();
    let others = parts.next().unwrap_or_default().replace("\r\n", "\n");
    if first.is_empty() || others.is_empty() { first + &others } else { format!("{first}\n{others}") }
}

/// A comment as RenLib stores it.
fn comment_bytes(comment: &str) -> Vec<u8> {
    let (first, others) = comment.split_once('\n').unwrap_or((comment, ""));
    let mut bytes = first.as_bytes().to_vec();
    if !others.is_empty() {
        bytes.push(NEXT_LINES);
        bytes.extend(others.replace('\n', "\r\n").into_bytes());
    }
    bytes
}

/// Writes a library. The nodes must be in preorder, the root first. Gaps of depth are closed: each node is written as a
/// child of the last node before it that is less deep, or of the root. Zero bytes and backspaces in texts are left out.
#[must_use]
pub fn write(nodes: impl IntoIterator<Item = LibNode>) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION);
    bytes.resize(HEADER, 0xFF);
    let nodes: Vec<LibNode> = nodes.into_iter().collect();
    let depths = closed_depths(&nodes);
    let siblings = later_siblings(&depths);
    for (number, node) in nodes.iter().enumerate() {
        let has_child = depths.get(number + 1).is_some_and(|&next| next > depths[number]);
        write_node(&mut bytes, node, siblings[number], has_child);
    }
    bytes
}

/// The depths of the nodes without gaps: how many nodes each of them is under.
fn closed_depths(nodes: &[LibNode]) -> Vec<usize> {
    let has_root = nodes.first().is_some_and(|first| first.action == LibMove::Root);
    let mut path: Vec<usize> = Vec::new();
    let mut depths = Vec::with_capacity(nodes.len());
    for node in nodes {
        while path.len() > usize::from(has_root) && path.last().is_some_and(|&depth| depth >= node.depth) {
            path.pop();
        }
        depths.push(path.len());
        path.push(node.depth);
    }
    depths
}

/// For each node, whether another node follows under the same parent.
fn later_siblings(depths: &[usize]) -> Vec<bool> {
    let mut has = vec![false; depths.len()];
    // Going backwards: whether a node of this depth has been met since the last node nearer to the root.
    let mut met: Vec<bool> = Vec::new();
    for (number, &depth) in depths.iter().enumerate().rev() {
        met.resize(depth + 1, false);
        has[number] = met[depth];
        met[depth] = true;
    }
    has
}

fn write_node(bytes: &mut Vec<u8>, node: &LibNode, has_sibling: bool, has_child: bool) {
    let (point, is_text) = match node.action {
        LibMove::Root | LibMove::Pass => (0, false),
        LibMove::Stone(point) => (byte_of(point), false),
        LibMove::Text(point) => (byte_of(point), true),
    };
    let clean = |text: Vec<u8>| -> Vec<u8> { text.into_iter().filter(|&byte| byte != 0).collect() };
    let comment = clean(comment_bytes(&node.comment.replace('\u{8}', "")));
    let text = clean(node.board_text.replace('\u{8}', "").into_bytes());
    let is_root = node.action == LibMove::Root;
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    bytes.push(point);
    bytes.push(
        flag(has_sibling && !is_root, SIBLING)
            | flag(!has_child && !is_root, LEAF)
            | flag(node.is_marked, MARK)
            | flag(!comment.is_empty(), COMMENT)
            | flag(node.is_start, START)
            | flag(is_text, NO_MOVE)
            | flag(!text.is_empty(), EXTENSION),
    );
    if !text.is_empty() {
        bytes.extend([0, BOARD_TEXT]);
    }
    for text in [comment, text].iter().filter(|text| !text.is_empty()) {
        bytes.extend(text);
        bytes.push(0);
        if text.len() % 2 == 0 {
            bytes.push(0);
        }
    }
}

#[cfg(test)]
#[path = "renlib_tests.rs"]
mod tests;
