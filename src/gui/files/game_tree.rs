//! A game with its variations as it is sent. Its moves are not checked against the rule here: the rule judges each
//! position when the page asks about it later.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::board::Color;
use crate::formats::sgf::MarkKind;
use crate::gui::messages::{At, Code, Rejection};

/// Most nodes of all games of a text together, so that an answer fits into a frame.
pub(super) const MOST_NODES: usize = 100_000;

/// Most nodes in a line: no game has so many, and looking back along a line should not take for ever.
pub(super) const LONGEST_LINE: usize = 5_000;

/// A game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GameTree {
    /// The name of the rule, if it is known.
    #[serde(default)]
    pub rule: Option<String>,
    /// What the text that was read calls its rule, if Kagetsu knows none of that name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown_rule: Option<String>,
    pub width: usize,
    pub height: usize,
    #[serde(default)]
    pub info: Info,
    /// The first is the root.
    #[serde(deserialize_with = "read_nodes")]
    pub nodes: Vec<TreeNode>,
}

/// Reads nodes until there are too many: in a few letters each, a message may hold millions, which would take a hundred
/// times its size in memory.
fn read_nodes<'de, D: Deserializer<'de>>(nodes: D) -> Result<Vec<TreeNode>, D::Error> {
    struct Nodes;

    impl<'de> Visitor<'de> for Nodes {
        type Value = Vec<TreeNode>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "up to {MOST_NODES} nodes")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut sent: A) -> Result<Vec<TreeNode>, A::Error> {
            let mut nodes = Vec::new();
            while let Some(node) = sent.next_element()? {
                if nodes.len() == MOST_NODES {
                    return Err(Error::custom(format_args!("a game has 1 to {MOST_NODES} nodes")));
                }
                nodes.push(node);
            }
            Ok(nodes)
        }
    }

    nodes.deserialize_seq(Nodes)
}

/// Who played, when and where. Fields are empty where this is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Info {
    pub black: String,
    pub white: String,
    pub event: String,
    pub date: String,
    pub result: String,
    pub comment: String,
    pub place: String,
}

impl Info {
    /// The properties of the SGF root node that hold these fields.
    pub fn properties(&self) -> [(&'static str, &String); 7] {
        let Info { black, white, event, date, result, comment, place } = self;
        [
            ("PB", black),
            ("PW", white),
            ("EV", event),
            ("DT", date),
            ("PC", place),
            ("RE", result),
            ("GC", comment),
        ]
    }
}

/// A node of the game tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct TreeNode {
    #[serde(rename = "move")]
    pub point: Option<At>,
    /// Who plays the move. In a node without a move, such as a pass, who is to move after it, if the node says so.
    pub color: Option<Color>,
    pub setup: Option<Setup>,
    pub comment: Option<String>,
    pub marks: Vec<Mark>,
    /// Properties of SGF that mean nothing here, each with its name and its values; they are written as they were read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<(String, Vec<String>)>,
    /// The numbers of the nodes that follow, the main line first.
    pub children: Vec<usize>,
}

/// Points that are changed without a move.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Setup {
    pub black: Vec<At>,
    pub white: Vec<At>,
    pub empty: Vec<At>,
    /// Cells that belong to no line; only pictures have them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dead: Vec<At>,
}

impl Setup {
    pub fn is_nothing(&self) -> bool {
        [&self.black, &self.white, &self.empty, &self.dead].iter().all(|points| points.is_empty())
    }
}

/// A mark on a point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mark {
    pub kind: MarkKind,
    pub point: At,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

impl GameTree {
    /// The parent of each node. The root and nodes that belong to no tree have none.
    ///
    /// # Errors
    /// There are no nodes, too many nodes, or nodes that do not form a tree.
    pub fn parents(&self) -> Result<Vec<Option<usize>>, Rejection> {
        if self.nodes.is_empty() {
            return Err(Rejection::bad_request(format!("a game has 1 to {MOST_NODES} nodes")));
        }
        let mut parents = vec![None; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            for &child in &node.children {
                match parents.get_mut(child) {
                    Some(parent @ None) if child != 0 => *parent = Some(number),
                    _ => {
                        return Err(Rejection::bad_request(format!(
                            "node {child} cannot follow node {number}"
                        )));
                    }
                }
            }
        }
        Ok(parents)
    }

    /// The nodes from the root to this one.
    ///
    /// # Errors
    /// Those of [`GameTree::parents`], or the node does not belong to the root.
    pub fn line_to(&self, node: usize) -> Result<Vec<&TreeNode>, Rejection> {
        let parents = self.parents()?;
        let mut line = Vec::new();
        let mut last = None;
        let mut next = Some(node);
        while let Some(number) = next
            && line.len() < self.nodes.len()
        {
            line.extend(self.nodes.get(number));
            last = Some(number);
            next = parents.get(number).copied().flatten();
        }
        if last != Some(0) {
            return Err(Rejection::bad_request(format!("node {node} does not belong to the game")));
        }
        line.reverse();
        Ok(line)
    }
}

pub(super) fn too_many_nodes() -> Rejection {
    too_large(format!("only games of up to {MOST_NODES} nodes together are read"))
}

pub(super) fn too_large(message: impl Into<String>) -> Rejection {
    Rejection::new(Code::TooLarge, message)
}
