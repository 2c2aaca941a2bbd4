//! A game in SGF: a tree of nodes, each with properties. This module knows what is written, not what it means.

use crate::board::{Cell, Color, Point, Size, Stones};
use crate::formats::error::Place;
use crate::rules::Rule;

/// The number of Gomoku and Renju in `GM`.
pub(super) const GOMOKU: &str = "4";

/// One value of a property.
#[derive(Clone, Debug, Default)]
pub struct SgfValue {
    /// The text without brackets and escapes; lines end in `\n`.
    pub text: String,
    /// Where it was read.
    pub place: Place,
}

/// Values are equal regardless of where they were read.
impl PartialEq for SgfValue {
    fn eq(&self, other: &SgfValue) -> bool {
        self.text == other.text
    }
}

impl Eq for SgfValue {}

/// A name and its values, such as `AB[aa][bb]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SgfProperty {
    /// Capital letters.
    pub name: String,
    /// At least one if the property was read from a text. A property without values is not written.
    pub values: Vec<SgfValue>,
}

/// One step of a game: a move, or set-up stones, with comments and other properties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SgfNode {
    /// In the order of the text.
    pub properties: Vec<SgfProperty>,
}

impl SgfNode {
    /// A node without properties.
    #[must_use]
    pub fn new() -> SgfNode {
        SgfNode::default()
    }

    /// A node with a move.
    #[must_use]
    pub fn play(color: Color, point: Point) -> SgfNode {
        SgfNode::new().with(initial(color), &letters(point))
    }

    /// The node with one more property, which has a single value.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> SgfNode {
        self.set(name, [value]);
        self
    }

    /// Adds a property. Only the capital letters of the name are kept; one without capital letters is not added.
    pub fn set<'a>(&mut self, name: &str, values: impl IntoIterator<Item = &'a str>) {
        let name: String = name.chars().filter(char::is_ascii_uppercase).collect();
        if name.is_empty() {
            return;
        }
        let value = |text: &str| SgfValue { text: text.to_owned(), place: Place::START };
        self.properties.push(SgfProperty { name, values: values.into_iter().map(value).collect() });
    }

    /// Sets up stones of a colour, if there are any.
    pub fn set_up(&mut self, color: Color, points: impl IntoIterator<Item = Point>) {
        let letters: Vec<String> = points.into_iter().map(letters).collect();
        if !letters.is_empty() {
            self.set(&format!("A{}", initial(color)), letters.iter().map(String::as_str));
        }
    }

    /// Adds a move.
    pub fn play_at(&mut self, color: Color, point: Point) {
        self.set(initial(color), [letters(point).as_str()]);
    }

    /// Adds a pass.
    pub fn pass(&mut self, color: Color) {
        self.set(initial(color), [""]);
    }

    /// Clears points of the board, if there are any.
    pub fn clear(&mut self, points: impl IntoIterator<Item = Point>) {
        let letters: Vec<String> = points.into_iter().map(letters).collect();
        if !letters.is_empty() {
            self.set("AE", letters.iter().map(String::as_str));
        }
    }

    /// Marks points with a property such as `TR`, each with a text if the property needs one, as `LB` does.
    pub fn mark<'a>(&mut self, name: &str, points: impl IntoIterator<Item = (Point, Option<&'a str>)>) {
        let value = |(point, text): (Point, Option<&str>)| match text {
            Some(text) => format!("{}:{text}", letters(point)),
            None => letters(point),
        };
        let values: Vec<String> = points.into_iter().map(value).collect();
        if !values.is_empty() {
            self.set(name, values.iter().map(String::as_str));
        }
    }

    /// All values of a property.
    pub fn values(&self, name: &str) -> impl Iterator<Item = &SgfValue> {
        self.properties
            .iter()
            .filter(move |property| property.name == name)
            .flat_map(|property| &property.values)
    }

    /// The first value of a property.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&SgfValue> {
        self.values(name).next()
    }
}

/// A game. Its `Display` is the text that [`read`](super::read) reads.
///
/// ```
/// use kagetsu::board::{Color, Size};
/// use kagetsu::formats::sgf::{self, SgfGame, SgfNode};
/// let mut game = SgfGame::new(Size::square(15));
/// let first = game.add(SgfGame::ROOT, SgfNode::play(Color::Black, "h8".parse()?));
/// game.add(first, SgfNode::play(Color::White, "i9".parse()?).with("C", "indirect"));
/// game.add(first, SgfNode::play(Color::White, "h9".parse()?).with("C", "direct"));
/// let text = game.to_string();
/// assert!(text.ends_with("\n;B[hh]\n(;W[ii]C[indirect])\n(;W[hi]C[direct]))\n"));
/// assert_eq!(sgf::read(&text).unwrap(), [game]);
/// # Ok::<(), kagetsu::board::ParsePointError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SgfGame {
    /// At least the root.
    nodes: Vec<SgfNode>,
    /// The numbers of the nodes that follow each, the main line first.
    children: Vec<Vec<usize>>,
    place: Place,
    lacks_end: bool,
}

/// Games are equal regardless of where they were read.
impl PartialEq for SgfGame {
    fn eq(&self, other: &SgfGame) -> bool {
        (&self.nodes, &self.children) == (&other.nodes, &other.children)
    }
}

impl Eq for SgfGame {}

impl SgfGame {
    /// The number of the root in [`SgfGame::node`].
    pub const ROOT: usize = 0;

    /// A game of Gomoku without moves on a board of this size. Its root has the properties that viewers need.
    #[must_use]
    pub fn new(size: Size) -> SgfGame {
        let sides = if size.width() == size.height() {
            size.width().to_string()
        } else {
            format!("{}:{}", size.width(), size.height())
        };
        let root = SgfNode::new()
            .with("FF", "4")
            .with("GM", GOMOKU)
            .with("CA", "UTF-8")
            .with("AP", concat!("Kagetsu:", env!("CARGO_PKG_VERSION")))
            .with("SZ", &sides);
        SgfGame { nodes: vec![root], children: vec![Vec::new()], place: Place::START, lacks_end: false }
    }

    /// A game that begins with these stones on the board, without moves. Dead points cannot be expressed in SGF.
    #[must_use]
    pub fn of_position(stones: &Stones) -> SgfGame {
        let mut game = SgfGame::new(stones.size());
        let root = game.node_mut(SgfGame::ROOT);
        root.set("PL", [initial(stones.to_move())]);
        for color in Color::ALL {
            root.set_up(
                color,
                stones.size().points().filter(|&point| stones.cell(point) == Cell::Stone(color)),
            );
        }
        game
    }

    /// A game of these nodes, each with the numbers of those that follow it. The first is the root, found at this
    /// place; `None` if there are no nodes.
    pub(super) fn from_nodes(nodes: Vec<(SgfNode, Vec<usize>)>, place: Place) -> Option<SgfGame> {
        let (nodes, children): (Vec<SgfNode>, Vec<Vec<usize>>) = nodes.into_iter().unzip();
        (!nodes.is_empty()).then_some(SgfGame { nodes, children, place, lacks_end: false })
    }

    /// The game, read from a text that has ended before it.
    pub(super) fn without_end(self) -> SgfGame {
        SgfGame { lacks_end: true, ..self }
    }

    /// Whether the text has ended before the game, whose closing bracket was missing.
    #[must_use]
    pub fn lacks_end(&self) -> bool {
        self.lacks_end
    }

    /// All nodes, the root first.
    pub(super) fn nodes(&self) -> impl Iterator<Item = &SgfNode> {
        self.nodes.iter()
    }

    /// Where its text begins.
    #[must_use]
    pub fn place(&self) -> Place {
        self.place
    }

    /// The node with this number. The root has the number [`SgfGame::ROOT`]; [`SgfGame::add`] returns the numbers of
    /// the others.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    #[track_caller]
    pub fn node(&self, number: usize) -> &SgfNode {
        &self.nodes[number]
    }

    /// The node with this number, to be changed.
    ///
    /// # Panics
    /// If there is no such node.
    #[track_caller]
    pub fn node_mut(&mut self, number: usize) -> &mut SgfNode {
        &mut self.nodes[number]
    }

    /// Adds a node after another and returns its number. It is a variation if it is not the first.
    ///
    /// # Panics
    /// If there is no node with the number `after`.
    #[track_caller]
    pub fn add(&mut self, after: usize, node: SgfNode) -> usize {
        let number = self.nodes.len();
        self.children[after].push(number);
        self.children.push(Vec::new());
        self.nodes.push(node);
        number
    }

    /// The numbers of the nodes that follow one, the main line first.
    ///
    /// # Panics
    /// If there is no such node.
    #[must_use]
    #[track_caller]
    pub fn children(&self, number: usize) -> &[usize] {
        &self.children[number]
    }

    /// The nodes of the main line, from the root.
    pub fn main_line(&self) -> impl Iterator<Item = &SgfNode> {
        std::iter::successors(Some(SgfGame::ROOT), |&number| self.children[number].first().copied())
            .map(|number| &self.nodes[number])
    }

    /// The text of `RU`, if it is not blank.
    #[must_use]
    pub fn rule_name(&self) -> Option<&str> {
        let text = self.nodes[SgfGame::ROOT].value("RU")?.text.trim();
        (!text.is_empty()).then_some(text)
    }

    /// The rule, if `RU` is the name of a rule that Kagetsu knows, also in other languages, with the word "rule" or
    /// "rules" after it or the name of an opening of renju, or its number in the Gomocup protocol.
    #[must_use]
    pub fn rule(&self) -> Option<Rule> {
        Rule::from_spelling(self.rule_name()?)
    }
}

/// SGF's letter for a colour.
pub(super) fn initial(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// Two letters, column and row from the upper left.
fn letters(point: Point) -> String {
    [point.x(), point.y()].map(|n| (b'a' + n as u8) as char).iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::sgf::read;

    #[test]
    fn games_are_equal_whatever_their_places() {
        let game = |text: &str| read(text).unwrap().remove(0);
        assert_eq!(game("(;B[hh];W[ii])"), game("\n  (;B[hh]\n;W[ii])"));
        for other in ["(;B[hh];W[ij])", "(;B[hh](;W[ii])(;W[ii]))", "(;B[hh];W[ii];B[jj])"] {
            assert_ne!(game("(;B[hh];W[ii])"), game(other), "{other}");
        }
    }

    #[test]
    fn a_node_is_put_together() {
        let mut node = SgfNode::default();
        let [a, b] = [Point::new(0, 0), Point::new(1, 0)];
        node.play_at(Color::White, b);
        node.clear([a, b]);
        node.mark("TR", [(a, None)]);
        node.mark("LB", [(a, Some("1")), (b, Some("x"))]);
        // Nothing is written where there is nothing.
        node.clear([]);
        node.mark("MA", []);
        let values = |name: &str| node.values(name).map(|value| value.text.as_str()).collect::<Vec<_>>();
        assert_eq!((values("W"), values("AE")), (vec!["ba"], vec!["aa", "ba"]));
        assert_eq!((values("TR"), values("LB")), (vec!["aa"], vec!["aa:1", "ba:x"]));
        assert!(node.value("MA").is_none());
    }

    #[test]
    fn rules_go_by_several_names() {
        let rule = |name: &str| read(&format!("(;RU[{name}])")).unwrap()[0].rule();
        for name in ["renju", "Renju rule", "RIF Rules", "4"] {
            assert_eq!(rule(name), Some(Rule::Renju), "{name}");
        }
        for name in ["renju swap2", "no rules", ""] {
            assert_eq!(rule(name), None, "{name}");
        }
    }
}
