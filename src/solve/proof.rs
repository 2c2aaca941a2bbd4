//! The format of a proof: a forced win, written down so that it can be checked without any search.
//!
//! A [`ProofNode`] is a move of the attacker. If the move does not make five, the node names its *threat*: the node
//! that wins if the opponent ignores the move. It also lists the replies that parry the threat, each with the node that
//! wins against it. The threat itself is the answer to every other reply.
//!
//! ```text
//! h8                 the move
//! +- threat i9 ...   what wins after any reply that is not listed: again a node, with threat and replies
//! +- j10: i7 ...     what wins after the reply j10
//! +- g7: k11 ...     what wins after the reply g7
//! ```
//!
//! The threat of a four is the five, and that of a three is a VCF. Nodes refer to each other by number, so a position
//! that several move orders reach is written once. This module knows nothing of search or shapes, and does not ask
//! whether a claim is true: [`check()`](super::check()) verifies it.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::{Cell, Color, ParseSizeError, Point, Size, Stones};
use crate::rules::{Rule, UnknownRule};

/// The number of a node in [`Proof::nodes`].
pub type NodeId = u32;

/// A move of the attacker, and why it wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofNode {
    /// Where the attacker plays.
    pub point: Point,
    /// The node that wins after every reply that is not listed; `None` if the move makes five.
    pub threat: Option<NodeId>,
    /// Replies with the nodes that win against them, in row order.
    pub replies: Vec<(Point, NodeId)>,
}

/// The claim that the side to move wins by force, with the reasons for it.
///
/// Anyone can write down such a claim; [`check()`](super::check()) decides whether it holds.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The rule.
    pub rule: Rule,
    /// The position; the side to move is the attacker.
    pub stones: Stones,
    /// The node of the first move.
    pub root: NodeId,
    /// All nodes.
    pub nodes: Vec<ProofNode>,
}

/// The value that the field `format` of a file must have.
const FORMAT: &str = "kagetsu proof 1";
/// What the same field of a verdict begins with, which is written where there is no win.
const VERDICT: &str = "kagetsu verdict ";

/// Why a text cannot be read as a proof.
#[derive(Debug)]
pub enum ProofError {
    /// It is not JSON of this form.
    Json(serde_json::Error),
    /// It is a file of another kind, or of a later version.
    Format(String),
    /// It is a verdict: there was no win that could have been proved. The verdict, if it can be read.
    Verdict(Option<String>),
    /// The rule is not known.
    Rule(UnknownRule),
    /// The size of the board is invalid.
    Size(ParseSizeError),
    /// A point is invalid, off the board or listed twice.
    Point(String),
    /// A reference to a node that does not exist.
    Node(NodeId),
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofError::Json(error) => {
                let text = error.to_string();
                let place = format!(" at line {} column {}", error.line(), error.column());
                let reason = text.strip_suffix(&place).unwrap_or(&text);
                write!(
                    f,
                    "line {}, column {}: this is not a proof in JSON: {reason}",
                    error.line(),
                    error.column()
                )
            }
            ProofError::Format(found) => write!(f, "the format is `{found}`, not `{FORMAT}`"),
            ProofError::Verdict(verdict) => {
                let verdict = verdict.as_deref().map_or_else(String::new, |verdict| format!(" ({verdict})"));
                write!(f, "this is a verdict{verdict}, so there is no proof to check")
            }
            ProofError::Rule(error) => fmt::Display::fmt(error, f),
            ProofError::Size(error) => fmt::Display::fmt(error, f),
            ProofError::Point(found) => write!(f, "`{found}` is not a point, or is off the board or taken"),
            ProofError::Node(found) => write!(f, "there is no node {found}"),
        }
    }
}

// `Display` already includes the messages of what went wrong below, so `source` must not repeat them.
impl std::error::Error for ProofError {}

/// A proof as it is stored in a file.
#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    rule: String,
    size: String,
    black: Vec<String>,
    white: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    dead: Vec<String>,
    attacker: Color,
    root: NodeId,
    nodes: Vec<FileNode>,
}

#[derive(Serialize, Deserialize)]
struct FileNode {
    #[serde(rename = "move")]
    point: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    threat: Option<NodeId>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    replies: BTreeMap<String, NodeId>,
}

/// What a text says of itself that has not the form of a proof, if it is of another kind.
fn kind_of(text: &str) -> Option<ProofError> {
    #[derive(Deserialize)]
    struct Kind {
        format: String,
        verdict: Option<String>,
        searched: Option<String>,
    }
    let Kind { format, verdict, searched } = serde_json::from_str(text).ok()?;
    if format.starts_with(VERDICT) {
        let by = searched.map_or_else(String::new, |space| format!(" by {space}"));
        return Some(ProofError::Verdict(verdict.map(|verdict| verdict + &by)));
    }
    (format != FORMAT).then_some(ProofError::Format(format))
}

impl Proof {
    /// The node with this number.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &ProofNode {
        &self.nodes[id as usize]
    }

    /// The proof in JSON, with one node per line.
    #[must_use]
    pub fn to_json(&self) -> String {
        let names = |cell: Cell| {
            let points = self.stones.size().points().filter(|&point| self.stones.cell(point) == cell);
            points.map(|point| point.to_string()).collect()
        };
        let header = File {
            format: FORMAT.to_owned(),
            rule: self.rule.name().to_owned(),
            size: self.stones.size().to_string(),
            black: names(Cell::Stone(Color::Black)),
            white: names(Cell::Stone(Color::White)),
            dead: names(Cell::Dead),
            attacker: self.stones.to_move(),
            root: self.root,
            nodes: Vec::new(),
        };
        let node = |node: &ProofNode| FileNode {
            point: node.point.to_string(),
            threat: node.threat,
            replies: node.replies.iter().map(|(point, id)| (point.to_string(), *id)).collect(),
        };
        let lines: Vec<String> = self.nodes.iter().map(|n| to_text(&node(n))).collect();
        let header = to_text(&header);
        let open = header.strip_suffix("]}").unwrap_or(&header);
        format!("{open}\n{}\n]}}\n", lines.join(",\n"))
    }

    /// Reads what [`Proof::to_json`] writes.
    ///
    /// # Errors
    /// [`ProofError`] says what is wrong. Whether the nodes prove anything is not checked here.
    pub fn from_json(text: &str) -> Result<Proof, ProofError> {
        let file: File =
            serde_json::from_str(text).map_err(|error| kind_of(text).unwrap_or(ProofError::Json(error)))?;
        if file.format != FORMAT {
            return Err(ProofError::Format(file.format));
        }
        let rule = file.rule.parse().map_err(ProofError::Rule)?;
        let size: Size = file.size.parse().map_err(ProofError::Size)?;
        let point = |text: &str| {
            let point = text.parse().ok().filter(|&point| size.contains(point));
            point.ok_or_else(|| ProofError::Point(text.to_owned()))
        };
        let mut stones = Stones::new(size);
        for text in &file.dead {
            let point = free(&stones, point(text)?)?;
            stones.kill(point);
        }
        for (texts, color) in [(&file.black, Color::Black), (&file.white, Color::White)] {
            for text in texts {
                let point = free(&stones, point(text)?)?;
                stones.place(point, color);
            }
        }
        stones.set_to_move(file.attacker);
        let exists = |id: NodeId| {
            if (id as usize) < file.nodes.len() { Ok(id) } else { Err(ProofError::Node(id)) }
        };
        let node = |node: &FileNode| {
            let mut replies = Vec::new();
            for (text, &id) in &node.replies {
                replies.push((point(text)?, exists(id)?));
            }
            replies.sort_unstable();
            // `f08` and `f8` are one point.
            if let Some(pair) = replies.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(ProofError::Point(pair[1].0.to_string()));
            }
            let threat = node.threat.map(exists).transpose()?;
            Ok(ProofNode { point: point(&node.point)?, threat, replies })
        };
        let nodes = file.nodes.iter().map(node).collect::<Result<_, _>>()?;
        Ok(Proof { rule, stones, root: exists(file.root)?, nodes })
    }

    /// Plies from each node's move to five, if the opponent holds out as long as the proof allows; 0 for nodes that
    /// the proof does not use.
    ///
    /// # Panics
    /// If a node refers to one that does not exist, which [`Proof::from_json`] rules out.
    #[must_use]
    pub fn lengths(&self) -> Vec<u32> {
        let mut lengths = vec![0; self.nodes.len()];
        // An iterative depth-first search: a node is visited again once the lengths of all nodes it refers to are
        // known. A node that refers back to one on the path to it belongs to a broken proof, and ends there.
        let mut is_on_path = vec![false; self.nodes.len()];
        let mut open: Vec<(NodeId, bool)> = vec![(self.root, false)];
        while let Some((id, is_known_below)) = open.pop() {
            let node = self.node(id);
            let next = || node.threat.into_iter().chain(node.replies.iter().map(|&(_, id)| id));
            if is_known_below {
                let longest = next().map(|id| lengths[id as usize] + 1).max();
                lengths[id as usize] = 1 + longest.unwrap_or(0);
                is_on_path[id as usize] = false;
            } else if lengths[id as usize] == 0 && !is_on_path[id as usize] {
                is_on_path[id as usize] = true;
                open.push((id, true));
                open.extend(next().map(|id| (id, false)));
            }
        }
        lengths
    }

    /// The line in which the opponent holds out longest: the attacker's moves and the replies in turn. Where an
    /// unlisted reply holds out longer than every listed one, the reply is `None`, and the line goes on with the
    /// threat.
    ///
    /// # Panics
    /// Like [`Proof::lengths`].
    #[must_use]
    pub fn longest_line(&self) -> Vec<Option<Point>> {
        let lengths = self.lengths();
        let mut line = Vec::new();
        let mut id = self.root;
        loop {
            let node = self.node(id);
            line.push(Some(node.point));
            let replies = node.replies.iter().map(|&(point, id)| (Some(point), id));
            // Among equal replies the first is chosen, and a listed reply before an unlisted one.
            let elsewhere = node.threat.map(|id| (None, id));
            let longest = replies.chain(elsewhere).reduce(|best, next| {
                if lengths[next.1 as usize] > lengths[best.1 as usize] { next } else { best }
            });
            let Some((reply, next)) = longest else { return line };
            if line.len() > 2 * self.stones.size().area() {
                return line;
            }
            line.push(reply);
            id = next;
        }
    }
}

fn to_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings and numbers can be written")
}

fn free(stones: &Stones, point: Point) -> Result<Point, ProofError> {
    if stones.is_empty_at(point) { Ok(point) } else { Err(ProofError::Point(point.to_string())) }
}

#[cfg(test)]
#[path = "proof_tests.rs"]
mod tests;
