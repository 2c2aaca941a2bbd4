//! Imports games in SGF with all their variations, comments and marks.

use std::collections::{HashMap, HashSet};
use std::io::BufRead;

use super::entry::{Entry, GameEnd, Mark, Played};
use super::import::{Import, ImportError};
use super::key::{Canonical, KeyWalk};
use super::sgf_facts::{FACTS, Facts};
use super::sgf_result::{SaidEnd, said_end};
use crate::board::{Color, Point, Size};
use crate::formats::FormatError;
use crate::formats::error::{Mistake, Place};
use crate::formats::picture::side_with_fewer_stones;
use crate::formats::point_names::PointNames;
use crate::formats::sgf::{self, LeftOutGames, SgfChange, SgfGame, SgfMarks, SgfNode};
use crate::rules::{Rule, judge, with_rule};

impl Import<'_> {
    /// Imports a collection of games. The main line counts as a game, with the result that the board shows or `RE`
    /// names; variations are positions without games. A game that cannot be read is left out, and noted in
    /// [`Import::left_out`].
    ///
    /// # Errors
    /// A text without a game of Gomoku that can be read, with the place of the first mistake; nothing but empty boards;
    /// the file cannot be written.
    pub fn add_sgf(&mut self, text: &str) -> Result<(), ImportError> {
        self.add_sgf_from(text.as_bytes())
    }

    /// The same for a file of any size; no more than one game is in memory at a time.
    ///
    /// # Errors
    /// Those of [`Import::add_sgf`]; a file that cannot be read, and a game that is too large, since nobody knows what
    /// comes after it.
    pub fn add_sgf_from(&mut self, input: impl BufRead) -> Result<(), ImportError> {
        let mut is_empty = true;
        let before = self.count.positions;
        let mut left_out = LeftOutGames::default();
        for game in sgf::stream(input) {
            let number = left_out.number(&game);
            // A game that is left out must not leave a part of itself behind, so it is looked at before.
            match game.and_then(|game| Ok((self.board_of(&game)?, game))) {
                Ok((size, game)) => {
                    self.add_sgf_game(&game, size)?;
                    is_empty = false;
                }
                Err(error) if sgf::ends_collection(&error) => return Err(error.into()),
                Err(error) => left_out.note(number, error),
            }
        }
        if is_empty {
            Err(left_out.first_error().cloned().unwrap_or_else(no_game).into())
        } else if self.count.positions == before {
            Err(ImportError::NoMoves)
        } else {
            self.left_out = left_out;
            Ok(())
        }
    }

    /// The board of a game that can be imported.
    ///
    /// # Errors
    /// A game that is not one of Gomoku, and one that cannot have been played on its board.
    fn board_of(&self, game: &SgfGame) -> Result<Size, FormatError> {
        game.ensure_gomoku()?;
        let size = game.board(self.options.size)?;
        let mut board = Board::new(Rule::default(), size);
        // The nodes still to be looked at, with the number of changes to keep.
        let mut open = vec![(SgfGame::ROOT, 0)];
        while let Some((number, keep)) = open.pop() {
            board.back_to(keep);
            board.apply(game.node(number))?;
            open.extend(game.children(number).iter().rev().map(|&child| (child, board.changes.len())));
        }
        Ok(size)
    }

    fn add_sgf_game(&mut self, game: &SgfGame, size: Size) -> Result<(), ImportError> {
        self.count.games_without_end += u64::from(game.lacks_end());
        self.count.boards_enlarged += u64::from(game.size()? != Some(size) && size != self.options.size);
        let rule = self.rule_of(game.rule(), game.rule_name());
        // A file that a library has written says itself how often each position was played.
        let is_own = game.node(SgfGame::ROOT).value(FACTS).is_some();
        let played = if is_own { None } else { self.played(game, rule, size)? };
        let mut board = Board::new(rule, size);
        let is_record = !is_own && has_one_line(game);
        // A node without a move repeats the position before it, but a game counts once in each of its positions.
        let mut counted = HashSet::new();
        // The stack of nodes still to be read, with the number of changes to keep and whether the node is on the main
        // line.
        let mut open = vec![(SgfGame::ROOT, 0, true)];
        while let Some((number, keep, is_main)) = open.pop() {
            board.back_to(keep);
            let node = game.node(number);
            board.apply(node)?;
            let mut entry = self.entry_of(node, size, is_own)?;
            // Before the first move of a game without variations people write of the game: who plays it, and where.
            if is_record && board.stones.is_empty() {
                entry.comment.clear();
            }
            if !is_own {
                self.note_misread(&entry);
            }
            let found = board.walk.canonical();
            let is_wanted = board.stones.len() <= self.options.most_stones;
            let counts = |_: &Played| is_main && is_wanted && counted.insert(found.key.clone());
            let must_be_there = is_own || !is_main && is_wanted;
            self.add_sgf_entry(&found, entry, played.filter(counts), must_be_there, size)?;
            let keep = board.changes.len();
            let children = game.children(number).iter().enumerate().rev();
            open.extend(children.map(|(place, &child)| (child, keep, is_main && place == 0)));
        }
        self.count.games += u64::from(played.is_some());
        Ok(())
    }

    /// What the main line counts for; `None` if no stone is on its board, so that there is no game.
    fn played(&mut self, game: &SgfGame, rule: Rule, size: Size) -> Result<Option<Played>, FormatError> {
        let line = game.line(Some(size))?;
        if line.stones.is_empty() {
            return Ok(None);
        }
        let verdict = with_rule!(rule, R => judge::verdict::<R>(&line.position()));
        let said = game.node(SgfGame::ROOT).value("RE").map_or("", |value| &value.text);
        let said = said_end(said);
        let end = match said {
            SaidEnd::Known(end) => end,
            SaidEnd::NotUnderstood => GameEnd::Unknown,
        };
        let end = self.end_of(end, verdict);
        // Where the board shows the result, nothing is missing.
        self.count.results_not_understood +=
            u64::from(said == SaidEnd::NotUnderstood && end == GameEnd::Unknown);
        Ok(Some(Played::once(end)))
    }

    fn add_sgf_entry(
        &mut self,
        found: &Canonical,
        entry: Entry,
        played: Option<Played>,
        must_be_there: bool,
        size: Size,
    ) -> Result<(), ImportError> {
        if entry != Entry::default() || must_be_there {
            let entry = entry.turned(found.symmetry, size);
            // A position that was also played is counted below.
            if played.is_some() { self.join(&found.key, entry)? } else { self.add_entry(&found.key, entry)? }
        }
        if let Some(played) = played {
            self.add_games(found.key.clone(), played)?;
        }
        Ok(())
    }

    /// The entry for the position of a node, in the orientation of the game. Comments of files that a library has
    /// written are kept as they are.
    fn entry_of(&mut self, node: &SgfNode, size: Size, is_own: bool) -> Result<Entry, FormatError> {
        let mut entry = Entry::default();
        if let Some(facts) = node.value(FACTS).filter(|_| is_own) {
            let facts: Facts = serde_json::from_str(&facts.text).unwrap_or_default();
            entry = facts.entry();
        }
        if let Some(comment) = node.value("C").filter(|_| self.options.comments) {
            let has_room = if is_own {
                entry.add_comment(&comment.text)
            } else {
                entry.add_comment(&without_figures(&comment.text))
            };
            self.count.comments_left_out += u64::from(!has_room);
        }
        for SgfMarks { kind, points, text } in node.marks(size) {
            let text = text.unwrap_or_default();
            points.into_iter().for_each(|point| entry.put_mark(Mark { point, kind, text: text.to_owned() }));
        }
        Ok(entry)
    }
}

pub(super) fn no_game() -> FormatError {
    FormatError { place: Place::START, mistake: Mistake::NoGame }
}

/// Whether the game is one line of moves without variations.
fn has_one_line(game: &SgfGame) -> bool {
    let mut number = SgfGame::ROOT;
    while let &[next] = game.children(number) {
        number = next;
    }
    number != SgfGame::ROOT && game.children(number).is_empty()
}

/// A comment without the lines in which an engine reports depths, scores and times.
fn without_figures(comment: &str) -> String {
    comment.lines().filter(|line| !is_report(line)).collect::<Vec<&str>>().join("\n")
}

/// Whether a line of a comment was written by a program: a message of an engine, numbers with their units and names, or
/// what c-gomoku-cli writes at moves of an opening.
fn is_report(line: &str) -> bool {
    const WORDS: [&str; 8] = ["ms", "s", "score", "depth", "nodes", "time", "eval", "nps"];
    if line.starts_with("MESSAGE ") || line.starts_with("DEBUG ") || line.trim() == "opening move" {
        return true;
    }
    let letters = |word: &str| word.chars().filter(|c| c.is_alphabetic()).collect::<String>().to_lowercase();
    let mut words = line
        .split(|c: char| c.is_whitespace() || ",:/".contains(c))
        .map(letters)
        .filter(|word| !word.is_empty())
        .peekable();
    line.contains(|c: char| c.is_ascii_digit())
        && words.peek().is_some()
        && words.all(|word| WORDS.contains(&word.as_str()))
}

/// A change of the board that can be taken back.
enum Change {
    Placed(Point, Color),
    Removed(Point, Color),
    Turned,
}

/// The board along a walk through a tree.
struct Board {
    walk: KeyWalk,
    size: Size,
    stones: HashMap<Point, Color>,
    /// Each change, with the side that was to move before it.
    changes: Vec<(Change, Color)>,
}

impl Board {
    fn new(rule: Rule, size: Size) -> Board {
        Board { walk: KeyWalk::new(rule, size), size, stones: HashMap::new(), changes: Vec::new() }
    }

    fn back_to(&mut self, keep: usize) {
        while self.changes.len() > keep {
            let Some((change, before)) = self.changes.pop() else { return };
            match change {
                Change::Placed(point, color) => {
                    self.walk.take(point, color);
                    self.stones.remove(&point);
                }
                Change::Removed(point, color) => {
                    self.walk.place(point, color);
                    self.stones.insert(point, color);
                }
                Change::Turned => {}
            }
            self.walk.set_to_move(before);
        }
    }

    fn change(&mut self, change: Change) {
        let before = self.walk.to_move();
        match change {
            Change::Placed(point, color) => {
                self.walk.place(point, color);
                self.stones.insert(point, color);
            }
            Change::Removed(point, color) => {
                self.walk.take(point, color);
                self.stones.remove(&point);
                self.walk.set_to_move(before);
            }
            Change::Turned => self.walk.set_to_move(!before),
        }
        self.changes.push((change, before));
    }

    fn place(&mut self, point: Point, color: Color, place: Place) -> Result<(), FormatError> {
        if self.stones.contains_key(&point) {
            let name = PointNames::of(self.walk.size()).name(point);
            return Err(FormatError { place, mistake: Mistake::Taken(name) });
        }
        self.change(Change::Placed(point, color));
        Ok(())
    }

    fn clear(&mut self, point: Point) {
        if let Some(&color) = self.stones.get(&point) {
            self.change(Change::Removed(point, color));
        }
    }

    fn apply(&mut self, node: &SgfNode) -> Result<(), FormatError> {
        let mut to_move = None;
        for change in node.changes(self.size) {
            let (change, place) = change?;
            match change {
                SgfChange::Play(color, point) => {
                    if let Some(point) = point {
                        self.place(point, color, place)?;
                    }
                    to_move = Some(!color);
                }
                SgfChange::SetUp(color, points) => {
                    for point in points {
                        self.clear(point);
                        self.change(Change::Placed(point, color));
                    }
                }
                SgfChange::Clear(points) => points.into_iter().for_each(|point| self.clear(point)),
                SgfChange::ToMove(color) => to_move = Some(color),
            }
        }
        if node.leaves_turn_open() {
            to_move = Some(side_with_fewer_stones(self.stones.values().copied()));
        }
        if to_move.is_some_and(|color| color != self.walk.to_move()) {
            self.change(Change::Turned);
        }
        Ok(())
    }
}
