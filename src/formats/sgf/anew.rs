//! Where a game begins although the one before has not ended, because its closing bracket is missing: otherwise all
//! games after it would become variations of it.
//!
//! A variation says nothing that belongs to the root of a game, such as the board. Who plays may be said in it, where
//! several games are merged into a tree, but not if the first node of the tree has said so already. Behind a move it is
//! no beginning at all.

/// Properties of a root alone.
const OF_ROOT: [&[u8]; 5] = [b"FF", b"GM", b"SZ", b"CA", b"AP"];
/// Properties that a path from the root has once.
const OF_GAME: [&[u8]; 3] = [b"PB", b"PW", b"RU"];
/// The longest of these names, in letters.
const LONGEST: usize = 2;

/// The characters of a game behind its first bracket are given to it one by one, without those of values.
#[derive(Clone, Debug, Default)]
pub(super) struct Anew {
    /// The capital letters of a name, as far as they are needed to know it.
    name: Vec<u8>,
    node: Node,
    has_property: bool,
    /// Whether the node has a move already.
    has_move: bool,
    /// Whether the first node with properties has ended, and whether it says whose game it is.
    is_behind_first: bool,
    first_names_game: bool,
}

/// Which node a character is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Node {
    /// One that follows another.
    #[default]
    Later,
    /// None; a bracket has just been opened.
    Bracket,
    /// The first behind a bracket.
    First,
}

impl Anew {
    /// Takes the next character; of a longer one, any of its bytes. A value begins behind an opening square bracket.
    /// Returns whether the property that this bracket belongs to shows that a game has begun with the last round one.
    pub(super) fn take(&mut self, c: char) -> bool {
        match c {
            '(' | ')' | ';' => {
                self.node = match (c, self.node) {
                    ('(', _) => Node::Bracket,
                    (';', Node::Bracket) => Node::First,
                    _ => Node::Later,
                };
                self.has_move = false;
                self.is_behind_first = self.has_property;
                self.name.clear();
            }
            '[' => {
                let name = std::mem::take(&mut self.name);
                let names_game = OF_GAME.contains(&name.as_slice());
                let is_of_root = OF_ROOT.contains(&name.as_slice())
                    || names_game && self.first_names_game && !self.has_move;
                if self.node == Node::First && self.is_behind_first && is_of_root {
                    return true;
                }
                self.has_property = true;
                self.has_move |= matches!(name.as_slice(), b"B" | b"W");
                self.first_names_game |= names_game && !self.is_behind_first;
            }
            _ => {
                if self.node == Node::Bracket && !c.is_ascii_whitespace() {
                    self.node = Node::Later;
                }
                if c.is_ascii_uppercase() && self.name.len() <= LONGEST {
                    self.name.push(c as u8);
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Size;
    use crate::formats::sgf;

    /// The moves of the main line of each game, with a bang if its end is missing.
    fn outline(text: &str) -> String {
        let of = |game: &sgf::SgfGame| {
            let moves = game.main_line().filter(|node| node.value("B").or(node.value("W")).is_some()).count();
            let remark = if game.lacks_end() { "!" } else { "" };
            format!("{moves}{remark}")
        };
        let read: Vec<_> = sgf::games(text).collect();
        let streamed: Vec<_> = sgf::stream(std::io::BufReader::with_capacity(3, text.as_bytes())).collect();
        assert_eq!(streamed, read, "{text}");
        let places = |games: &[Result<sgf::SgfGame, _>]| -> Vec<_> {
            games.iter().flatten().map(sgf::SgfGame::place).collect()
        };
        assert_eq!(places(&streamed), places(&read));
        let said: Vec<String> =
            read.iter().map(|game| game.as_ref().map_or_else(ToString::to_string, of)).collect();
        said.join(" ")
    }

    #[test]
    fn a_missing_bracket_loses_no_other_game() {
        let three =
            |root: &str| format!("(;{root};B[hh];W[ii]\n(;{root};B[aa])\n(;{root};B[hh];W[ii];B[jj])");
        for root in ["GM[4]SZ[15]", "C[(;GM\\]]FF[4]", "CA[UTF-8]", "PB[x]PW[y]", "EV[a]\n RU [renju]"] {
            assert_eq!(outline(&three(root)), "2! 1 3", "{root}");
        }
        assert_eq!(outline("(PB[x];B[hh](\n;PB[y];B[hh])"), "1! 1");
        // Within a variation, and more than once.
        assert_eq!(outline("(;GM[4];B[hh](;W[ii];B[jj](;GM[4];B[hh](;W[ii](;GM[4];B[hh])"), "3! 2! 1");
        let game = sgf::games(&three("GM[4]")).next().unwrap().unwrap();
        assert_eq!(game.remarks(Size::square(15)).count(), 1);
        // The place of a later mistake is its own.
        assert!(outline("(;GM[4];B[hh]\n(;GM[4];B[hh]").ends_with("1! 1!"));
        assert!(
            outline("(;GM[4];B[hh]\n(;GM[4];B[h").ends_with("1! line 2, column 11: a value without an end")
        );
    }

    #[test]
    fn variations_stay_what_they_are() {
        for (text, moves) in [
            // Games that were merged into a tree.
            ("(;GM[4]SZ[15];B[hh](;PB[x];W[ii])(;PB[y];W[hi];B[aa]))", "2"),
            // Nothing comes before the root.
            ("((;GM[4];B[hh]))", "1"),
            ("(;(;GM[4]PB[x];B[hh]))", "1"),
            ("(;GM[4];B[hh](;C[GM[4\\]]W[ii]LB[aa:SZ]))", "2"),
            ("(;GM[4];B[hh](;W[ii];PB[x]SZ[15]))", "2"),
            ("(;PB[x];B[hh](;W[ii]PB[y])(;W[hi]))", "2"),
            ("(;PB[x];B[hh](;W[ii]PBX[y]XPB[z]))", "2"),
        ] {
            assert_eq!(outline(text), moves, "{text}");
        }
    }

    #[test]
    fn games_without_ends_are_read_in_one_pass() {
        let work = |count: usize| {
            let text = format!("(;C[{}]GM[4]", "x".repeat(50)).repeat(count);
            let before = crate::formats::cursor::PASSED.get();
            assert_eq!(sgf::games(&text).filter(Result::is_ok).count(), count);
            (crate::formats::cursor::PASSED.get() - before, text.len())
        };
        let ((few, length), (many, _)) = (work(500), work(2000));
        assert!(few < 3 * length && many.abs_diff(4 * few) < 200, "{few} steps and {many} for {length}");
        let text = "(;GM[4]".repeat(1 << 18);
        assert_eq!(sgf::stream(text.as_bytes()).filter(Result::is_ok).count(), 1 << 18);
    }
}
