//! What a library knows of a position.

use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::board::{Color, Point, Size, Symmetry};
use crate::eval::score::{Score, lost_in, win_in, win_probability};
pub use crate::formats::sgf::MarkKind;

/// The longest comment in bytes. A remark that does not fit is left out as a whole.
pub const LONGEST_COMMENT: usize = 1 << 20;

/// The longest text of a mark in bytes; the rest is cut off. With the longest comment and such a text on every point,
/// an entry still fits into a line of an export.
const LONGEST_MARK: usize = 512;

/// How often a position came up in games, and how these ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// All games, including those without a result.
    pub games: u64,
    /// Won by Black.
    pub black: u64,
    /// Won by White.
    pub white: u64,
    /// Drawn.
    pub draws: u64,
}

impl Played {
    /// One game with this result.
    #[must_use]
    pub fn once(result: GameEnd) -> Played {
        let one = |end| u64::from(result == end);
        Played {
            games: 1,
            black: one(GameEnd::Won(Color::Black)),
            white: one(GameEnd::Won(Color::White)),
            draws: one(GameEnd::Drawn),
        }
    }

    /// Adds other games, up to 2^53 of each kind.
    pub fn add(&mut self, other: Played) {
        let sum = |one: u64, two: u64| one.saturating_add(two).min(MOST_GAMES);
        *self = Played {
            games: sum(self.games, other.games),
            black: sum(self.black, other.black),
            white: sum(self.white, other.white),
            draws: sum(self.draws, other.draws),
        };
    }

    /// Games that had a result.
    fn ended(&self) -> u64 {
        self.black.saturating_add(self.white).saturating_add(self.draws)
    }

    /// What is wrong with the numbers, if they cannot be meant as what they are.
    #[cfg(feature = "library")]
    pub(super) fn mistake(&self) -> Option<String> {
        let (games, ended) = (self.games, self.ended());
        if games > MOST_GAMES {
            return Some(format!("{games} games are more than {MOST_GAMES}"));
        }
        (ended > games).then(|| format!("{ended} results are more than the {games} games"))
    }

    /// The score of this side, 0 to 1, in games that had a result; `None` without any.
    #[must_use]
    pub fn share(&self, color: Color) -> Option<f64> {
        let won = if color == Color::Black { self.black } else { self.white };
        let ended = self.ended();
        (ended > 0).then(|| (won as f64 + 0.5 * self.draws as f64) / ended as f64)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameEnd {
    /// The result is unknown.
    #[default]
    Unknown,
    /// A side won.
    Won(Color),
    /// Nobody won.
    Drawn,
}

/// The decided result of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It wins.
    Win,
    /// It loses.
    Loss,
    /// Nobody wins.
    Draw,
}

impl Outcome {
    /// Every outcome, in the order of its number in the file.
    pub const ALL: [Outcome; 3] = [Outcome::Win, Outcome::Loss, Outcome::Draw];

    /// The outcome in one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Win => "win",
            Outcome::Loss => "loss",
            Outcome::Draw => "draw",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A verdict about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// Plies to the end, if that is known.
    pub plies: Option<u32>,
    /// Whether a proof was checked against the rules here; otherwise the verdict is from a search or another program.
    pub is_checked: bool,
}

/// A mark on a point of the board.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// The marked point.
    pub point: Point,
    /// The kind of the mark.
    pub kind: MarkKind,
    /// The text of a label; empty for other kinds.
    pub text: String,
}

/// What is known of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Games in which it came up.
    pub played: Played,
    /// The engine's score for the side to move.
    pub score: Option<Score>,
    /// The depth of that search in plies.
    pub depth: Option<u32>,
    /// The nodes of that search; `None` if the score is only from a line of the search of the position before.
    pub nodes: Option<u64>,
    /// The verdict, if there is one.
    pub decided: Option<Decided>,
    /// Whether somebody has marked it.
    pub is_marked: bool,
    /// A letter that somebody has given it.
    pub tag: Option<char>,
    /// Lines of text.
    pub comment: String,
    /// Marks on points, sorted.
    pub marks: Vec<Mark>,
}

/// The largest number of games that is believed: far more than anyone has, and the largest up to which all readers of
/// JSON count without gaps.
pub(crate) const MOST_GAMES: u64 = 1 << 53;

/// The largest depth and the longest way to an end that are believed, in plies: the largest depth that databases of
/// Yixin can hold, and far more than any board has points.
pub(crate) const MOST_PLIES: u32 = 8191;

impl Entry {
    /// What is wrong with the games, the score, the depth or the verdict, if they cannot be meant as what they are.
    #[cfg(feature = "library")]
    pub(super) fn mistake(&self) -> Option<String> {
        if let Some(mistake) = self.played.mistake() {
            return Some(mistake);
        }
        // A win that is on the board already.
        let most = win_in(0);
        if let Some(score) = self.score.filter(|score| score.unsigned_abs() > most.unsigned_abs()) {
            return Some(format!("the score {score} is not between -{most} and {most}"));
        }
        let plies = self.decided.and_then(|decided| decided.plies);
        let figures = [("depth", self.depth), ("number of plies", plies)];
        let found =
            figures.iter().find_map(|&(name, figure)| Some((name, figure.filter(|&n| n > MOST_PLIES)?)));
        found.map(|(name, figure)| format!("the {name} {figure} is more than {MOST_PLIES}"))
    }

    /// The score that follows from the verdict, or else the engine's score; `None` if neither is known.
    #[must_use]
    pub fn value(&self) -> Option<Score> {
        /// The plies assumed where the length is unknown.
        const LONG: u32 = 255;
        let Some(decided) = self.decided else { return self.score };
        let plies = decided.plies.unwrap_or(LONG).min(LONG) as usize;
        Some(match decided.outcome {
            Outcome::Win => win_in(plies),
            Outcome::Loss => lost_in(plies),
            Outcome::Draw => 0,
        })
    }

    /// The winning probability of the side to move in the engine's view.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        self.value().map(win_probability)
    }

    /// Merges what another library or file knows of the same position: games add up, the better verdict and the score
    /// with more search behind it are kept, comments and marks are joined. Returns whether there was room for the
    /// comment.
    pub fn merge(&mut self, other: Entry) -> bool {
        self.merge_by(other, &mut CommentLines::default())
    }

    /// The same, for an entry with which many are merged: `lines` are the same each time, and made for this entry.
    pub(super) fn merge_by(&mut self, other: Entry, lines: &mut CommentLines) -> bool {
        self.played.add(other.played);
        let weight =
            |entry: &Entry| entry.score.map(|_| (entry.nodes.unwrap_or(0), entry.depth.unwrap_or(0)));
        if weight(&other) > weight(self) {
            (self.score, self.depth, self.nodes) = (other.score, other.depth, other.nodes);
        }
        let worth =
            |decided: Option<Decided>| decided.map(|decided| (decided.is_checked, decided.plies.is_some()));
        if worth(other.decided) > worth(self.decided) {
            self.decided = other.decided;
        }
        self.is_marked |= other.is_marked;
        self.tag = other.tag.or(self.tag);
        other.marks.into_iter().for_each(|mark| self.put_mark(mark));
        let text = with_line_feeds(other.comment.trim());
        text.is_empty()
            || lines.may_have(&self.comment, &text) && self.has_comment(&text)
            || self.append_comment(&text)
    }

    /// Adds lines to the comment, unless they are there already, one after the other and each as a whole. Returns
    /// whether there was room for them: a comment that does not fit is left out, and of one that is too long by itself
    /// the first lines are kept.
    pub fn add_comment(&mut self, text: &str) -> bool {
        let text = with_line_feeds(text.trim());
        text.is_empty() || self.has_comment(&text) || self.append_comment(&text)
    }

    /// Whether these lines are part of the comment.
    fn has_comment(&self, text: &str) -> bool {
        // The search for a text takes one pass. Comparing the lines from each line on would not: they may all be alike.
        format!("\n{}\n", self.comment).contains(&format!("\n{text}\n"))
    }

    /// Adds lines to the comment as [`Entry::add_comment`] does, whether they are there already or not.
    fn append_comment(&mut self, text: &str) -> bool {
        if self.comment.is_empty() {
            self.comment.push_str(text);
            cut_at_line(&mut self.comment);
            return self.comment.len() == text.len();
        }
        let has_room = self.comment.len() + 1 + text.len() <= LONGEST_COMMENT;
        if has_room {
            self.comment.push('\n');
            self.comment.push_str(text);
        }
        has_room
    }

    /// Puts a mark on a point, replacing one of the same kind. A text of more than 512 bytes is cut.
    pub fn put_mark(&mut self, mut mark: Mark) {
        mark.text = with_line_feeds(&mark.text);
        cut(&mut mark.text, LONGEST_MARK);
        self.marks.retain(|other| (other.point, other.kind) != (mark.point, mark.kind));
        let at = self.marks.partition_point(|other| *other < mark);
        self.marks.insert(at, mark);
    }

    /// The label of a point.
    #[must_use]
    pub fn label(&self, point: Point) -> Option<&str> {
        let is_it = |mark: &&Mark| mark.point == point && mark.kind == MarkKind::Label;
        self.marks.iter().find(is_it).map(|mark| mark.text.as_str())
    }

    /// The same entry for the image that a symmetry makes of the position.
    #[must_use]
    pub fn turned(mut self, symmetry: Symmetry, size: Size) -> Entry {
        self.marks.iter_mut().for_each(|mark| mark.point = symmetry.apply(mark.point, size));
        self.marks.sort();
        self
    }
}

/// The lines of a comment that grows, by their hashes: whether a text is new is known without a search of the comment,
/// which may have a megabyte.
#[derive(Clone, Debug, Default)]
pub(super) struct CommentLines {
    hashes: HashSet<u64>,
    /// Bytes of the comment whose lines are there.
    length: usize,
}

impl CommentLines {
    /// Whether this comment may have these lines: it has the first of them.
    fn may_have(&mut self, comment: &str, text: &str) -> bool {
        let grown = comment.get(self.length..).unwrap_or(comment);
        self.hashes.extend(grown.split('\n').map(hash_of));
        self.length = comment.len();
        text.split('\n').next().is_some_and(|first| self.hashes.contains(&hash_of(first)))
    }
}

fn hash_of(line: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    line.hash(&mut hasher);
    hasher.finish()
}

/// Shortens a comment that is too long to whole lines, or to whole characters if it has only one.
fn cut_at_line(comment: &mut String) {
    if comment.len() <= LONGEST_COMMENT {
        return;
    }
    cut(comment, LONGEST_COMMENT);
    comment.truncate(comment.rfind('\n').unwrap_or(comment.len()));
}

/// Shortens a text to whole characters of no more than this many bytes.
fn cut(text: &mut String, most: usize) {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
}

/// The text with line feeds alone at the ends of lines, as SGF returns it.
fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: Score, nodes: u64, comment: &str) -> Entry {
        Entry { score: Some(score), nodes: Some(nodes), comment: comment.to_owned(), ..Entry::default() }
    }

    #[test]
    fn what_has_more_behind_it_stays() {
        let mut all = entry(10, 1_000, "first");
        all.merge(entry(20, 500, "first"));
        assert_eq!((all.score, all.comment.as_str()), (Some(10), "first"));
        all.merge(entry(30, 2_000, "second"));
        assert_eq!((all.score, all.comment.as_str()), (Some(30), "first\nsecond"));
        let decided = |is_checked| Decided { outcome: Outcome::Win, plies: None, is_checked };
        all.merge(Entry { decided: Some(decided(false)), ..Entry::default() });
        all.merge(Entry { decided: Some(decided(true)), ..Entry::default() });
        all.merge(Entry { decided: Some(decided(false)), ..Entry::default() });
        assert_eq!((all.score, all.decided.map(|decided| decided.is_checked)), (Some(30), Some(true)));
        assert!(all.value() > Some(20_000) && all.share() == Some(1.0));
        assert_eq!((entry(200, 1, "").share().map(|share| (share * 100.0) as u32)), Some(73));
    }

    #[test]
    fn comments_are_compared_line_by_line() {
        let mut entry = Entry::default();
        for text in ["not lost for White\nreally", " lost for White", "really\r\nlost for White\n", "really"]
        {
            entry.add_comment(text);
        }
        assert_eq!(entry.comment, "not lost for White\nreally\nlost for White");
        entry.add_comment(" \n");
        entry.add_comment("lost for White\nreally");
        assert!(
            entry.comment.ends_with("really\nlost for White\nlost for White\nreally"),
            "{}",
            entry.comment
        );
    }

    #[test]
    fn many_comments_are_joined_as_one_after_the_other() {
        let (mut one, mut other, mut lines) = (Entry::default(), Entry::default(), CommentLines::default());
        for n in 0..500 {
            // Lines by themselves and together, some of them again.
            let text = format!("line {}\nline {}", n * 7 % 60, n * 11 % 90);
            let text = if n % 3 == 0 { text } else { format!("remark {}", n * 13 % 200) };
            one.add_comment(&text);
            other.merge_by(Entry { comment: text, ..Entry::default() }, &mut lines);
        }
        assert_eq!(one.comment, other.comment);
    }

    #[test]
    fn lines_end_alike_whoever_wrote_them() {
        let mut entry = Entry::default();
        entry.add_comment("one\rtwo\r\nthree");
        entry.add_comment("two\nthree");
        assert_eq!(entry.comment, "one\ntwo\nthree");
        let point = "h8".parse().unwrap();
        entry.put_mark(Mark { point, kind: MarkKind::Label, text: "A\r\nB".to_owned() });
        assert_eq!(entry.label(point), Some("A\nB"));
    }

    /// A comparison line by line would take hours.
    #[test]
    fn long_comments_of_equal_lines_are_compared_in_one_pass() {
        let mut entry = Entry::default();
        assert!(entry.add_comment(&"a\n".repeat(400_000)));
        assert!(entry.add_comment(&("a\n".repeat(100_000) + "b")));
        assert!(entry.comment.ends_with("a\nb"));
    }

    #[test]
    fn a_label_is_cut_to_whole_characters() {
        let mut entry = Entry::default();
        let point = "h8".parse().unwrap();
        entry.put_mark(Mark { point, kind: MarkKind::Label, text: "a".to_owned() + &"水".repeat(1000) });
        assert_eq!(entry.label(point).map(str::len), Some(511));
    }

    #[test]
    fn a_comment_that_does_not_fit_is_left_out_as_a_whole() {
        let mut entry = Entry::default();
        assert!(entry.add_comment(&"x".repeat(LONGEST_COMMENT - 10)));
        let full = entry.comment.clone();
        assert!(!entry.add_comment("one\nand two"));
        assert_eq!(entry.comment, full);
        assert!(entry.add_comment("another") && !entry.merge(self::entry(1, 1, "no room")));
        assert!(entry.comment.ends_with("x\nanother") && entry.add_comment("another"));
        // One that is too long by itself is cut at the end of a line, or of a character.
        let mut long = Entry::default();
        assert!(!long.add_comment(&"水 line\n".repeat(LONGEST_COMMENT / 8)));
        assert!(long.comment.ends_with("水 line") && long.comment.len() > LONGEST_COMMENT - 18);
        let mut long = Entry::default();
        assert!(!long.add_comment(&"水".repeat(LONGEST_COMMENT)));
        assert_eq!(long.comment.len(), LONGEST_COMMENT / 3 * 3);
    }

    #[test]
    fn games_add_up() {
        let mut all = Entry::default();
        for end in [GameEnd::Won(Color::Black), GameEnd::Drawn, GameEnd::Unknown, GameEnd::Won(Color::White)]
        {
            all.merge(Entry { played: Played::once(end), ..Entry::default() });
        }
        assert_eq!(all.played, Played { games: 4, black: 1, white: 1, draws: 1 });
        assert_eq!(all.played.share(Color::Black), Some(0.5));
        assert_eq!(Played::once(GameEnd::Unknown).share(Color::White), None);
        let most = Played { games: u64::MAX, black: u64::MAX, white: u64::MAX, draws: 0 };
        assert_eq!(most.share(Color::Black), Some(1.0));
        all.merge(Entry { played: most, ..Entry::default() });
        assert_eq!((all.played.games, all.played.draws), (MOST_GAMES, 1));
    }

    #[test]
    fn a_point_has_one_sign_of_a_kind() {
        let mark =
            |name: &str, kind, text: &str| Mark { point: name.parse().unwrap(), kind, text: text.to_owned() };
        let mut entry = Entry::default();
        for sign in [
            mark("h8", MarkKind::Label, "A"),
            mark("a1", MarkKind::Cross, ""),
            mark("h8", MarkKind::Label, "B"),
            mark("h8", MarkKind::Circle, ""),
        ] {
            entry.put_mark(sign);
        }
        assert_eq!((entry.marks.len(), entry.label("h8".parse().unwrap())), (3, Some("B")));
        assert!(entry.marks.is_sorted());
        let size = Size::square(15);
        let turned = Symmetry::of(size).map(|symmetry| entry.clone().turned(symmetry, size));
        let corners: Vec<Point> = turned
            .map(|entry| entry.marks.iter().find(|mark| mark.kind == MarkKind::Cross).unwrap().point)
            .collect();
        assert!(corners.contains(&"o15".parse().unwrap()), "{corners:?}");
    }
}
