//! Reads games from a text, one at a time and in one pass: a collection may hold tens of thousands of games, and a
//! caller that wants the first need not wait for the others.

use super::anew::Anew;
use super::outside::{Between, Outside};
use super::tree::{SgfGame, SgfNode, SgfProperty, SgfValue};
use crate::formats::cursor::Cursor;
use crate::formats::error::{FormatError, Mistake, Place};

/// The most nodes and values of a game, each of which takes up to 150 bytes of memory and may be a character or two of
/// the text. The largest game that an export of a library writes has fewer.
const MOST_PARTS: usize = 10_000_000;

/// All games of a collection.
///
/// # Errors
/// A closing bracket too many, a value without an end, a game without a node, one with more than ten million nodes and
/// values, a game without an end in which nothing stands or what belongs to the root of another, and a text without a
/// game.
pub fn read(text: &str) -> Result<Vec<SgfGame>, FormatError> {
    let all: Vec<SgfGame> = games(text).collect::<Result<_, _>>()?;
    if all.is_empty() { Err(Mistake::NoGame.at(Place::START)) } else { Ok(all) }
}

/// The games of a collection, one by one. Nothing is read beyond the game that was asked for. Text before and between
/// games is ignored. After a mistake comes the next game, if there is one; only a game with too many nodes and values
/// ends the collection.
///
/// ```
/// use kagetsu::formats::sgf;
/// let mut games = sgf::games("(;B[hh];W[ii]) (;B[hh");
/// assert_eq!(games.next().unwrap().unwrap().main_line().count(), 2);
/// assert_eq!(games.next().unwrap().unwrap_err().to_string(), "line 1, column 20: a value without an end");
/// assert!(games.next().is_none());
/// ```
#[must_use]
pub fn games(text: &str) -> SgfGames<'_> {
    SgfGames::beginning_at(text, Place::START)
}

/// See [`games`].
#[derive(Clone, Debug)]
pub struct SgfGames<'a> {
    cursor: Cursor<'a>,
    most_parts: usize,
    has_ended: bool,
}

impl SgfGames<'_> {
    /// The games in a part of a collection; the part begins at this place of the whole.
    pub(super) fn beginning_at(text: &str, place: Place) -> SgfGames<'_> {
        SgfGames { cursor: Cursor::at(text, place), most_parts: MOST_PARTS, has_ended: false }
    }

    /// The place up to which the text has been read.
    pub(super) fn place(&self) -> Place {
        self.cursor.place()
    }

    /// Whether there are no more games, because the last was so large that nobody has looked for its end.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }
}

impl Iterator for SgfGames<'_> {
    type Item = Result<SgfGame, FormatError>;

    fn next(&mut self) -> Option<Result<SgfGame, FormatError>> {
        if self.has_ended {
            return None;
        }
        let mut between = Between::new(self.cursor.place() != Place::START);
        // Behind the bracket with which the game begins, and its place.
        let (mut begin, mut start) = (self.cursor.clone(), Place::START);
        loop {
            let place = self.cursor.place();
            let c = self.cursor.next()?;
            match between.take(c) {
                Outside::Text if between.is_at_first_bracket() && c == '(' => {
                    (begin, start) = (self.cursor.clone(), place);
                }
                Outside::Text => {}
                Outside::Stray => return Some(Err(Mistake::StrayBracket.at(place))),
                Outside::Game(_) => break,
            }
        }
        self.cursor = begin;
        let game = read_game(&mut self.cursor, start, self.most_parts);
        let is_cut = |error: &FormatError| matches!(error.mistake, Mistake::LargeGame(_));
        self.has_ended = game.as_ref().is_err_and(is_cut);
        Some(game)
    }
}

/// Reads the rest of a game after its opening bracket. Text from programs that are careless with semicolons, or that
/// also use lower case letters in names (as the third version of SGF allowed), is understood. So is a game that lacks
/// its closing brackets, at the end of the text or where another game begins.
fn read_game(cursor: &mut Cursor<'_>, start: Place, most_parts: usize) -> Result<SgfGame, FormatError> {
    let mut value_count = 0;
    let mut nodes: Vec<(SgfNode, Vec<usize>)> = Vec::new();
    // For each open bracket, the node that the next node follows.
    let mut open: Vec<Option<usize>> = vec![None];
    let mut name = String::new();
    let mut anew = Anew::default();
    // Before the last opening bracket, and how many nodes there were.
    let mut before = (cursor.clone(), 0);
    loop {
        let ahead = cursor.clone();
        let Some(c) = cursor.next() else { break };
        if open.len().max(nodes.len() + value_count) > most_parts {
            return Err(Mistake::LargeGame(most_parts).at(start));
        }
        let Some(last) = open.last_mut() else { break };
        if anew.take(c) {
            *cursor = before.0;
            take_back(&mut nodes, before.1);
            break;
        }
        match c {
            '(' => {
                before = (ahead, nodes.len());
                let branch = *last;
                open.push(branch);
                name.clear();
            }
            ')' => {
                open.pop();
                if open.is_empty() {
                    return SgfGame::from_nodes(nodes, start).ok_or_else(|| Mistake::NoNode.at(start));
                }
                name.clear();
            }
            ';' => {
                *last = Some(add(&mut nodes, *last));
                name.clear();
            }
            '[' => {
                let values = read_values(cursor, most_parts)?;
                value_count += values.len();
                let node = last.unwrap_or_else(|| add(&mut nodes, None));
                *last = Some(node);
                nodes[node].0.properties.push(SgfProperty { name: std::mem::take(&mut name), values });
            }
            c if c.is_ascii_uppercase() => name.push(c),
            _ => {}
        }
    }
    // What belongs to a root alone shows that another game was taken for a variation of this one.
    let is_root = |(node, _): &(SgfNode, _)| ["FF", "GM", "SZ"].iter().any(|name| node.value(name).is_some());
    let is_whole =
        nodes.iter().any(|(node, _)| !node.properties.is_empty()) && !nodes.iter().skip(1).any(is_root);
    let game = SgfGame::from_nodes(nodes, start).filter(|_| is_whole).map(SgfGame::without_end);
    game.ok_or_else(|| Mistake::UnclosedGame.at(start))
}

/// Adds a node after another and returns its number. A second root belongs to no other node and cannot be reached.
fn add(nodes: &mut Vec<(SgfNode, Vec<usize>)>, after: Option<usize>) -> usize {
    let number = nodes.len();
    if let Some(after) = after {
        nodes[after].1.push(number);
    }
    nodes.push((SgfNode::new(), Vec::new()));
    number
}

/// Takes back the nodes that were added last, so that this many are left.
fn take_back(nodes: &mut Vec<(SgfNode, Vec<usize>)>, count: usize) {
    nodes.truncate(count);
    for (_, children) in nodes {
        while children.last().is_some_and(|&child| child >= count) {
            children.pop();
        }
    }
}

/// Reads the values of a property after the opening bracket of the first, and no more than one beyond this number.
fn read_values(cursor: &mut Cursor<'_>, most: usize) -> Result<Vec<SgfValue>, FormatError> {
    let mut values = Vec::new();
    loop {
        values.push(read_value(cursor)?);
        let mut ahead = cursor.clone();
        ahead.pass_over(char::is_whitespace);
        if ahead.next() != Some('[') || values.len() > most {
            return Ok(values);
        }
        *cursor = ahead;
    }
}

/// Reads a value after its opening bracket.
fn read_value(cursor: &mut Cursor<'_>) -> Result<SgfValue, FormatError> {
    let place = cursor.place();
    let mut text = String::new();
    while let Some(c) = cursor.next() {
        match c {
            ']' => return Ok(SgfValue { text, place }),
            '\\' => match cursor.next() {
                // An escaped line end is dropped.
                Some(end @ ('\n' | '\r')) => skip_rest_of_line_end(cursor, end),
                escaped => text.extend(escaped),
            },
            '\n' | '\r' => {
                skip_rest_of_line_end(cursor, c);
                text.push('\n');
            }
            c => text.push(c),
        }
    }
    Err(Mistake::UnclosedValue.at(place))
}

/// Skips the second character of a line end: lines end in one of two characters, or in both in either order.
fn skip_rest_of_line_end(cursor: &mut Cursor<'_>, first: char) {
    let other = if first == '\n' { '\r' } else { '\n' };
    if cursor.peek() == Some(other) {
        cursor.next();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::cursor::PASSED;

    /// Names and values of all nodes, the tree in brackets.
    fn outline(game: &SgfGame, from: usize) -> String {
        let node = game.node(from);
        let mut text: String = node
            .properties
            .iter()
            .flat_map(|property| {
                property.values.iter().map(|value| format!("{}={} ", property.name, value.text))
            })
            .collect();
        for &child in game.children(from) {
            text += &format!("({})", outline(game, child).trim());
        }
        text
    }

    fn outlines(text: &str) -> Vec<String> {
        read(text).unwrap().iter().map(|game| outline(game, SgfGame::ROOT)).collect()
    }

    #[test]
    fn a_node_is_added_without_those_that_follow_it_elsewhere() {
        let mut game = games("(;SZ[15];B[hh];W[ii])").next().unwrap().unwrap();
        let copy = game.node(1).clone();
        let added = game.add(2, copy);
        assert_eq!(game.children(2), [added]);
        assert!(game.children(added).is_empty());
        // A node that is replaced by a copy of another keeps its own place in the tree.
        let mut game = games("(;SZ[15];B[hh];W[ii])").next().unwrap().unwrap();
        *game.node_mut(2) = game.node(SgfGame::ROOT).clone();
        assert_eq!(game.to_string(), "(;SZ[15]\n;B[hh]\n;SZ[15])\n");
        // A property needs capital letters.
        assert_eq!(SgfNode::new().with("c", "text"), SgfNode::new());
    }

    #[test]
    fn trees_are_read_as_they_are() {
        let text =
            "(;GM[4]SZ[15:20]C[a [b\\] (;)];B[hh];W[ii](;B[hf])(;B[aa];W[bb]))\n\n(;AB[aa]\n[jj]AW[oo])";
        assert_eq!(
            outlines(text),
            ["GM=4 SZ=15:20 C=a [b] (;) (B=hh (W=ii (B=hf)(B=aa (W=bb))))", "AB=aa AB=jj AW=oo "]
        );
        let games = read(text).unwrap();
        assert_eq!((games[0].place(), games[1].place().line), (Place::START, 3));
        let main: Vec<&str> =
            games[0].main_line().flat_map(|node| &node.properties).map(|p| p.name.as_str()).collect();
        assert_eq!(main, ["GM", "SZ", "C", "B", "W", "B"]);
    }

    #[test]
    fn careless_writers_are_understood() {
        assert_eq!(outlines("(B[hh])"), ["B=hh "]);
        assert_eq!(outlines("Hello (;Black[hh];White[ii]) bye"), ["B=hh (W=ii)"]);
        assert_eq!(outlines("((;B[hh];W[ii])(;B[aa]))"), ["B=hh (W=ii)"]);
        assert_eq!(outlines("(;B[hh]()(;W[ii]))"), ["B=hh (W=ii)"]);
        assert_eq!(outlines("(;B[hh](;W[ii])(;W[jj]);W[kk])"), ["B=hh (W=ii)(W=jj)(W=kk)"]);
    }

    #[test]
    fn lines_end_as_they_like() {
        let value =
            |text: &str| read(&format!("(;C[{text}])")).unwrap()[0].node(0).value("C").unwrap().text.clone();
        assert_eq!(value("a\r\nb\nc\rd\n\re"), "a\nb\nc\nd\ne");
        assert_eq!(value("a\\\nb\\\r\nc\\nd\\\\"), "abcnd\\");
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        for (text, said) in [
            ("(;GM[4];B[aa];GM[4]", "line 1, column 1: the game that begins here has no end"),
            ("(;B[aa]\n\n(;W[b", "line 3, column 5: a value without an end"),
            ("(;B[aa])\n)", "line 2, column 1: a bracket too many"),
            ("(;B[a\\", "a value without an end"),
            ("\n ()", "line 2, column 2: the game that begins here is empty"),
            ("", "there is no game"),
            ("nothing", "there is no game"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }

    /// A reader that counts lines from the start for each game would never finish this.
    #[test]
    fn large_collections_are_read_in_one_pass() {
        let text = "(;GM[4]SZ[15];B[hh];W[ii]C[a\nb])\n".repeat(200_000);
        let (count, last) =
            games(&text).fold((0, Place::START), |(count, _), game| (count + 1, game.unwrap().place()));
        assert_eq!((count, last.line), (200_000, 399_999));
    }

    #[test]
    fn four_times_the_games_are_four_times_the_work() {
        let work = |count: usize| {
            let text = "(;GM[4]SZ[15];B[hh] ;W[ii]C[a\nb] (;B[aa][bb]) (;B[cc]))\n".repeat(count);
            let before = PASSED.get();
            assert_eq!(read(&text).unwrap().len(), count);
            (PASSED.get() - before, text.len())
        };
        let ((few, length), (many, _)) = (work(1_000), work(4_000));
        // After a value, a character or two are read twice.
        assert!(few < 2 * length, "{few} steps for {length} characters");
        assert!(many.abs_diff(4 * few) < 10, "{few} steps and {many}");
    }

    #[test]
    fn the_first_game_does_not_wait_for_the_others() {
        let text = format!("(;B[hh]){}", "(".repeat(1 << 20));
        let mut games = games(&text);
        assert!(games.next().unwrap().is_ok());
        assert_eq!(games.cursor.rest().len(), 1 << 20);
    }

    #[test]
    fn games_that_would_fill_the_memory_are_refused() {
        let read = |text: &str, most_parts| SgfGames { most_parts, ..games(text) }.next().unwrap();
        // Two nodes and three values.
        assert!(read("(;B[hh];LB[ii:A][jj:B])", 5).is_ok());
        for text in
            [";".repeat(1000), "[]".repeat(1000), "a[]".repeat(1000), "(".repeat(1000), ";B[]".repeat(3)]
        {
            let error = read(&format!("(;{text})"), 5).unwrap_err();
            assert_eq!(error.mistake, Mistake::LargeGame(5), "{text}");
        }
    }

    #[test]
    fn deep_trees_need_no_deep_stack() {
        let deep = format!("{}{}", "(;B[aa]".repeat(200_000), ")".repeat(200_000));
        let game = read(&deep).unwrap().remove(0);
        assert_eq!(game.main_line().count(), 200_000);
        assert_eq!(read(&game.to_string()).unwrap(), [game]);
    }
}
