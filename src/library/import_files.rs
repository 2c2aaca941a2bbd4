//! Imports files of other programs: Piskvork games, collections in PGN, RenLib libraries, Yixin and Rapfi databases.
//! SGF is imported in `import_sgf`.

use std::io::{BufRead, Read};

use lz4_flex::frame::FrameDecoder;

use super::entry::{Decided, Entry, GameEnd, Mark, MarkKind, Outcome};
use super::import::{GameLine, Import, ImportError};
use super::import_sgf::no_game;
use super::key::{KeyWalk, PositionKey};
use crate::board::{Color, Point, PointSet};
use crate::eval::score::{Score, WIN, plies_to_end};
use crate::formats::pgn::PgnResult;
use crate::formats::point_names::PointNames;
use crate::formats::renlib::{self, LibMove, LibNode};
use crate::formats::yxdb::{self, YxRecord};
use crate::formats::{BinaryError, BinaryMistake, pgn, psq};
use crate::rules::Rule;

/// The magic number of an LZ4 frame.
const LZ4: [u8; 4] = 0x184D_2204u32.to_le_bytes();

impl Import<'_> {
    /// Imports a Piskvork game.
    ///
    /// # Errors
    /// A text that is not such a game, with the place of the mistake; a game without moves; the file cannot be written.
    pub fn add_psq(&mut self, text: &str) -> Result<(), ImportError> {
        let game = psq::read(text)?;
        if game.moves.is_empty() {
            return Err(ImportError::NoMoves);
        }
        let line = GameLine {
            rule: self.options.rule,
            size: game.size,
            moves: game.points(),
            end: GameEnd::Unknown,
        };
        Ok(self.add_game(&line)?)
    }

    /// Imports games in PGN, as far as the text contains their moves.
    ///
    /// # Errors
    /// A text that is not PGN, with the place of the mistake; no game, which begins with its tags, or none that has
    /// moves; the file cannot be written.
    pub fn add_pgn(&mut self, text: &str) -> Result<(), ImportError> {
        let mut has_moves = false;
        let games = pgn::games_with_moves(text)?;
        for (game, moves) in &games {
            let points = moves.points(self.options.size)?;
            if points.is_empty() {
                continue;
            }
            has_moves = true;
            // Colours are those of the stones, and PGN writes the result from White's side.
            let end = match game.result {
                PgnResult::White => GameEnd::Won(Color::White),
                PgnResult::Black => GameEnd::Won(Color::Black),
                PgnResult::Draw => GameEnd::Drawn,
                PgnResult::Unknown => GameEnd::Unknown,
            };
            let rule = self.rule_of(game.rule(), game.rule_name());
            self.add_game(&GameLine { rule, size: self.options.size, moves: points, end })?;
        }
        if games.is_empty() {
            return Err(no_game().into());
        }
        if has_moves { Ok(()) } else { Err(ImportError::NoMoves) }
    }

    /// Imports a RenLib library under the rule of the options, because the file does not name one.
    ///
    /// # Errors
    /// Bytes that are not such a library, with their offset; the file cannot be written.
    pub fn add_renlib(&mut self, bytes: &[u8]) -> Result<(), ImportError> {
        let mut path = Path::new(self.options.rule);
        let mut nodes = renlib::nodes(bytes)?.with_texts(self.options.decoder());
        loop {
            let offset = nodes.offset();
            let node = match nodes.next() {
                None => return Ok(()),
                Some(Err(error))
                    if self.options.accept_truncated && matches!(error.mistake, BinaryMistake::End(_)) =>
                {
                    return Ok(());
                }
                Some(node) => node?,
            };
            self.add_lib_node(&mut path, node, offset)?;
        }
    }

    fn add_lib_node(&mut self, path: &mut Path, node: LibNode, offset: usize) -> Result<(), ImportError> {
        path.back_to(node.depth);
        let label = (!node.board_text.is_empty()).then_some(&node.board_text);
        if let (Some(text), LibMove::Stone(point) | LibMove::Text(point)) = (label, node.action) {
            // The text belongs to the board before the move.
            let found = path.walk.canonical();
            let point = found.symmetry.apply(point, renlib::BOARD);
            let mark = Mark { point, kind: MarkKind::Label, text: text.clone() };
            let entry = Entry { marks: vec![mark], ..Entry::default() };
            self.note_misread(&entry);
            self.join(&found.key, entry)?;
        }
        if let Err(taken) = path.step(node.action) {
            let mistake = BinaryMistake::Taken(PointNames::of(renlib::BOARD).name(taken));
            return Err(BinaryError { offset, mistake }.into());
        }
        if !matches!(node.action, LibMove::Text(_)) || !node.comment.is_empty() {
            // Without a move, the comment speaks of the board as it is.
            let entry = Entry { is_marked: node.is_marked, comment: node.comment, ..Entry::default() };
            self.note_misread(&entry);
            self.add_entry(&path.walk.canonical().key, entry)?;
        }
        Ok(())
    }

    /// Imports a database of Yixin or Rapfi, compressed or not.
    ///
    /// # Errors
    /// Bytes that are not such a database, with their offset in the unpacked data; the file cannot be written.
    pub fn add_yxdb(&mut self, mut input: impl BufRead) -> Result<(), ImportError> {
        // A read error is reported when the records are read.
        let begin = input.fill_buf().unwrap_or_default();
        if begin.starts_with(&LZ4) {
            self.add_yxdb_records(FrameDecoder::new(input))
        } else if yxdb::looks_like_database(begin) {
            self.add_yxdb_records(input)
        } else {
            Err(ImportError::OtherDatabase)
        }
    }

    fn add_yxdb_records(&mut self, input: impl Read) -> Result<(), ImportError> {
        for record in yxdb::records(input)?.with_texts(self.options.decoder()) {
            let record = record?;
            let Some(found) = PositionKey::of(record.rule, &record.stones) else { continue };
            let size = record.stones.size();
            let entry = entry_of(record);
            self.note_misread(&entry);
            self.add_entry(&found.key, entry.turned(found.symmetry, size))?;
        }
        Ok(())
    }
}

/// The entry for a Yixin record.
fn entry_of(record: YxRecord) -> Entry {
    let mut entry = Entry { comment: record.comment, ..Entry::default() };
    for (point, text) in record.labels {
        entry.put_mark(Mark { point, kind: MarkKind::Label, text });
    }
    // Nothing is worth more than a win, whatever the file says.
    let score = record
        .score
        .map(|(score, depth)| (Score::from(score).clamp(-WIN, WIN), u32::try_from(depth).unwrap_or(0)));
    let plies = score.and_then(|(score, _)| plies_to_end(score)).map(i32::unsigned_abs);
    // The letter is from the point of view of the side that has moved, the score from that of the side to move.
    let outcome = match record.label {
        Some('w' | 'W') => Some(Outcome::Loss),
        Some('l' | 'L') => Some(Outcome::Win),
        Some('d' | 'D') => Some(Outcome::Draw),
        letter => {
            entry.tag = letter;
            None
        }
    };
    entry.decided = outcome.map(|outcome| Decided { outcome, plies, is_checked: false });
    if let Some((score, depth)) = score {
        (entry.score, entry.depth) = (Some(score), Some(depth));
    }
    entry
}

/// The path from the root of a RenLib library to a node.
struct Path {
    walk: KeyWalk,
    steps: Vec<Step>,
    occupied: PointSet,
}

#[derive(Clone, Copy)]
enum Step {
    Stone(Point, Color),
    Pass,
    /// Only a text.
    Nothing,
}

impl Path {
    fn new(rule: Rule) -> Path {
        Path { walk: KeyWalk::new(rule, renlib::BOARD), steps: Vec::new(), occupied: PointSet::EMPTY }
    }

    /// Goes back to the parent of a node at this depth.
    fn back_to(&mut self, depth: usize) {
        while self.steps.len() > depth.saturating_sub(1) {
            match self.steps.pop() {
                Some(Step::Stone(point, color)) => {
                    self.walk.take(point, color);
                    self.occupied.remove(point);
                }
                Some(Step::Pass) => self.walk.set_to_move(!self.walk.to_move()),
                _ => {}
            }
        }
    }

    /// Goes on to a node; the error is its point, if that is taken.
    fn step(&mut self, action: LibMove) -> Result<(), Point> {
        let color = self.walk.to_move();
        let step = match action {
            LibMove::Root => return Ok(()),
            LibMove::Text(_) => Step::Nothing,
            LibMove::Pass => {
                self.walk.set_to_move(!color);
                Step::Pass
            }
            LibMove::Stone(point) if self.occupied.contains(point) => return Err(point),
            LibMove::Stone(point) => {
                self.walk.place(point, color);
                self.occupied.insert(point);
                Step::Stone(point, color)
            }
        };
        self.steps.push(step);
        Ok(())
    }
}
