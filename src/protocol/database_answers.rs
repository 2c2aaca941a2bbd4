//! Carries out Yixin-Board's database commands on a library of positions, and plays moves from a book.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

use log::warn;

use super::database_command::DatabaseAsk;
use super::database_reply::{DatabaseReply, PointRecord};
use super::reply::Reply;
use super::serve::Server;
use super::session::SessionError;
use crate::board::{Coordinates, PointSet, Stones};
use crate::eval::score::WIN;
use crate::levels::Level;
use crate::library::{
    AccessError, Decided, Entry, LibraryAccess, MOST_PLIES, Mark, MarkKind, Outcome, book_move,
};
use crate::rules::Rule;

const NO_DATABASE: Reply =
    Reply::Unsupported("there is no database; kagetsu play --help says how to name one");
const READ_ONLY: Reply = Reply::Unsupported("changes, because database_readonly is set");
/// Files that a manager names are opened only if whoever started the engine has allowed it.
const NO_FILES: Reply = Reply::Unsupported("files that a manager names; kagetsu play --databases allows it");
/// A library without a file would be gone with the process.
const NO_NAME: Reply = Reply::Unsupported("a database without a file name");
/// The largest RenLib library in bytes; it is read as a whole.
const LARGEST_LIBRARY: u64 = 256 << 20;

/// The character code of the letter in a record; 0 if there is no record, and -1 if it has no letter.
fn letter_of(entry: Option<&Entry>) -> i64 {
    let Some(entry) = entry else { return 0 };
    // The letter is from the point of view of the side that has moved.
    let letter = match entry.decided.map(|decided| decided.outcome) {
        Some(Outcome::Loss) => Some('w'),
        Some(Outcome::Win) => Some('l'),
        Some(Outcome::Draw) => Some('d'),
        None => entry.tag.filter(char::is_ascii_graphic),
    };
    letter.map_or(-1, |letter| i64::from(u32::from(letter)))
}

impl<W: Write> Server<W> {
    /// Plays the book's move for the engine's turn and returns the replies; `None` if the engine has to think.
    pub(super) fn book_replies(&mut self, blocked: PointSet) -> Option<Vec<Reply>> {
        // A level is as strong as it was measured, and that was without a book.
        if self.session.style().level < Level::FULL {
            return None;
        }
        let library = self.database.played_from()?;
        let stones = self.session.stones().ok()?;
        let found = book_move(&*library, self.session.rule(), stones, self.database.book)?;
        if blocked.contains(found.point) {
            return None;
        }
        // The book may lose, too.
        let learner = self.experience_file.lock().learner_at_once(self.session.experience_file());
        if learner
            .is_some_and(|learner| !learner.admits(self.session.rule(), stones, found.point, found.score))
        {
            return None;
        }
        self.session.record_time(Duration::ZERO);
        self.session.play_answer(&[found.point]);
        Some(vec![Reply::Book(found), Reply::Moves(vec![found.point])])
    }

    /// Carries out a database command.
    pub(super) fn ask_database(
        &mut self,
        ask: &DatabaseAsk,
        cells: &[Coordinates],
    ) -> Result<Vec<Reply>, SessionError> {
        let stones = self.session.opening_of(cells)?;
        let changed = match ask {
            DatabaseAsk::EditLabel(at, _) => Some(self.session.points_of(&[*at])?),
            _ => None,
        };
        let rule = self.session.rule();
        let is_change = ask.is_change();
        let Some(library) = self.database.opened() else {
            // Displays ask after every move, whether there is a database or not.
            return Ok(if is_change { vec![NO_DATABASE] } else { Vec::new() });
        };
        let library = &*library;
        if is_change && self.database.is_read_only {
            return Ok(vec![READ_ONLY]);
        }
        let edit = |mut change: &dyn Fn(&mut Entry)| library.change(rule, &stones, &mut change);
        let done = match ask {
            DatabaseAsk::All { with_text } => records(library, rule, &stones).and_then(|mut replies| {
                if *with_text {
                    replies.push(text(library, rule, &stones)?);
                }
                Ok(replies)
            }),
            DatabaseAsk::One => one(library, rule, &stones).map(|reply| vec![reply]),
            DatabaseAsk::Text => text(library, rule, &stones).map(|reply| vec![reply]),
            DatabaseAsk::EditRecord { mask, label, value, depth } => {
                edit(&|entry| change_record(entry, [*mask, *label, *value, *depth]))
                    .and_then(|()| one(library, rule, &stones))
                    .map(|reply| vec![reply])
            }
            DatabaseAsk::EditText(comment) => edit(&|entry| {
                entry.comment.clear();
                entry.add_comment(comment);
            })
            .map(|()| Vec::new()),
            DatabaseAsk::EditLabel(_, text) => edit(&|entry| {
                for &point in changed.iter().flatten() {
                    entry.marks.retain(|mark| mark.point != point || mark.kind != MarkKind::Label);
                    if !text.is_empty() {
                        entry.put_mark(Mark { point, kind: MarkKind::Label, text: text.clone() });
                    }
                }
            })
            .map(|()| Vec::new()),
            DatabaseAsk::DeleteOne => library.remove(rule, &stones).map(|_| Vec::new()),
            DatabaseAsk::DeleteAfter => {
                library.remove_after(rule, &stones).and_then(|_| records(library, rule, &stones))
            }
        };
        Ok(done.unwrap_or_else(|error| {
            warn!("the database: {error}");
            vec![Reply::DatabaseTrouble(error)]
        }))
    }

    /// Opens the library that the manager names.
    pub(super) fn set_database(&mut self, path: &str) -> Vec<Reply> {
        let Some(opener) = self.database.opener else {
            return vec![NO_FILES];
        };
        if path.trim().is_empty() {
            return vec![NO_NAME];
        }
        match opener(Path::new(path)) {
            Ok(library) => {
                self.database.library = Some(library);
                Vec::new()
            }
            Err(error) => vec![Reply::DatabaseTrouble(error)],
        }
    }

    /// There is nothing to do: each change is written as it is made.
    pub(super) fn save_database(&self) -> Vec<Reply> {
        match self.database.library {
            Some(_) => vec![Reply::DatabaseState("is saved; every change is as it is made".to_owned())],
            None => vec![NO_DATABASE],
        }
    }

    /// Checks whether the database is intact.
    pub(super) fn check_database(&self) -> Vec<Reply> {
        let Some(library) = self.database.opened() else { return vec![NO_DATABASE] };
        vec![match library.check() {
            Ok(faults) if faults.is_empty() => Reply::DatabaseState("is intact".to_owned()),
            Ok(faults) => Reply::DatabaseState(format!("is damaged: {}", faults.join("; "))),
            Err(error) => Reply::DatabaseTrouble(error),
        }]
    }

    /// Imports a RenLib library into the database, under the rule in force.
    pub(super) fn import_library(&self, path: &str) -> Vec<Reply> {
        let Some(library) = self.database.opened() else { return vec![NO_DATABASE] };
        if self.database.opener.is_none() {
            return vec![NO_FILES];
        }
        if self.database.is_read_only {
            return vec![READ_ONLY];
        }
        let read = || -> io::Result<Vec<u8>> {
            let mut bytes = Vec::new();
            File::open(path)?.take(LARGEST_LIBRARY + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        let read = read().map_err(|error| AccessError(format!("{path}: {error}")));
        let is_large = |bytes: &Vec<u8>| bytes.len() as u64 > LARGEST_LIBRARY;
        let done = match read {
            Ok(bytes) if is_large(&bytes) => {
                Err(AccessError(format!("{path}: a library has at most {} MB", LARGEST_LIBRARY >> 20)))
            }
            read => read.and_then(|bytes| library.add_renlib(self.session.rule(), &bytes)),
        };
        vec![match done {
            Ok(count) => Reply::DatabaseState(format!("has taken in {count} positions")),
            Err(error) => Reply::DatabaseTrouble(error),
        }]
    }
}

/// What is known of each move.
fn records(library: &dyn LibraryAccess, rule: Rule, stones: &Stones) -> Result<Vec<Reply>, AccessError> {
    let record = library.position_record(rule, stones)?;
    let mut replies = vec![Reply::Database(DatabaseReply::Begin)];
    for point in stones.size().points() {
        let branch = record.branches.iter().find(|branch| branch.point == point);
        let label = record.entry.as_ref().and_then(|entry| entry.label(point));
        if branch.is_none() && label.is_none() {
            continue;
        }
        let entry = branch.map(|branch| branch.entry.clone());
        let label = label.unwrap_or_default().to_owned();
        replies.push(Reply::Database(DatabaseReply::Point(Box::new(PointRecord { point, entry, label }))));
    }
    replies.push(Reply::Database(DatabaseReply::End));
    Ok(replies)
}

fn one(library: &dyn LibraryAccess, rule: Rule, stones: &Stones) -> Result<Reply, AccessError> {
    let entry = library.entry(rule, stones)?;
    let letter = letter_of(entry.as_ref());
    Ok(Reply::Database(DatabaseReply::One(letter, Box::new(entry))))
}

fn text(library: &dyn LibraryAccess, rule: Rule, stones: &Stones) -> Result<Reply, AccessError> {
    let comment = library.entry(rule, stones)?.map(|entry| entry.comment).unwrap_or_default();
    Ok(Reply::Database(DatabaseReply::Text(comment)))
}

fn change_record(entry: &mut Entry, [mask, label, value, depth]: [i64; 4]) {
    const LABEL: i64 = 1;
    const VALUE: i64 = 2;
    const DEPTH: i64 = 4;
    if mask & LABEL != 0 {
        let letter = u32::try_from(label).ok().and_then(char::from_u32).filter(char::is_ascii_graphic);
        let outcome = match letter.map(|letter| letter.to_ascii_lowercase()) {
            Some('w') => Some(Outcome::Loss),
            Some('l') => Some(Outcome::Win),
            Some('d') => Some(Outcome::Draw),
            _ => None,
        };
        entry.decided = outcome.map(|outcome| Decided { outcome, plies: None, is_checked: false });
        entry.tag = letter.filter(|_| outcome.is_none());
    }
    if mask & VALUE != 0 {
        let most = i64::from(WIN);
        entry.score = i32::try_from(value.clamp(-most, most)).ok();
    }
    if mask & DEPTH != 0 {
        entry.depth = u32::try_from(depth.min(MOST_PLIES.into())).ok();
    }
}
