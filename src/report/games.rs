//! The games as the page steps through them.

use std::collections::BTreeMap;

use super::contents::{Contents, PageGame};
use super::figures::short;
use super::merged::Merged;
use crate::arena::outcome::{GameResult, Reason};
use crate::arena::player::Fault;
use crate::arena::records::{GameRecord, MoveRecord};
use crate::board::{Point, Size};

/// Limit on the bytes of messages that are shown, because a browser has to hold them all.
const MESSAGE_BYTES: usize = 16 << 20;

/// Lists all games, and the variants among them.
pub(super) fn list(contents: &mut Contents, merged: &Merged) {
    let mut bytes = 0;
    let mut left_out = 0_u64;
    for (game, &opening) in merged.games.iter().zip(&merged.openings) {
        let variant = (game.rule.clone(), game.size.0, game.size.1);
        let known = contents.variants.iter().position(|other| *other == variant);
        let v = known.unwrap_or_else(|| {
            contents.variants.push(variant);
            contents.variants.len() - 1
        });
        let points: Vec<Point> = points(game);
        let moves = &game.moves[..points.len()];
        let mut say = BTreeMap::new();
        for (ply, record) in moves.iter().enumerate().filter(|(_, record)| !record.messages.is_empty()) {
            bytes += record.messages.iter().map(String::len).sum::<usize>();
            if bytes <= MESSAGE_BYTES {
                say.insert(ply, record.messages.clone());
            } else {
                left_out += 1;
            }
        }
        let (y, t) = reason(game);
        let white = if game.engines.0 == game.black { game.engines.1 } else { game.engines.0 };
        contents.games.push(PageGame {
            id: game.id,
            opening,
            v,
            b: game.black,
            w: white,
            o: game.opening,
            r: match game.result {
                GameResult::Black => 'b',
                GameResult::White => 'w',
                GameResult::Draw => 'd',
            },
            y,
            t,
            m: points.iter().map(Point::to_string).collect(),
            ms: listed(moves, |record| record.time().map(short)),
            s: listed(moves, |record| record.score),
            d: listed(moves, |record| record.depth),
            n: listed(moves, |record| record.nodes),
            say,
        });
    }
    if left_out > 0 {
        contents.notes.push(format!("messages of {left_out} moves are left out: they are too many"));
    }
}

/// A keyword for filtering games, and a text for what the keyword does not say.
fn reason(game: &GameRecord) -> (&'static str, String) {
    let word = match &game.reason {
        Reason::Line => "line",
        Reason::Foul => "foul",
        Reason::FullBoard => "full",
        Reason::Length => "length",
        Reason::Quiet => "quiet",
        Reason::Resignation => "resignation",
        Reason::Fault { fault } => match fault {
            Fault::Late { .. } | Fault::Hang { .. } => "time",
            Fault::Illegal { .. } => "illegal",
            Fault::Crash { .. } | Fault::Launch { .. } => "crash",
            Fault::Memory { .. } => "memory",
            Fault::NoOk { .. }
            | Fault::Refused { .. }
            | Fault::Nonsense { .. }
            | Fault::Error { .. }
            | Fault::Spam { .. } => "protocol",
        },
    };
    (word, game.fault().map(Fault::to_string).unwrap_or_default())
}

/// The stones up to the first invalid one: a file may have been changed by hand.
fn points(game: &GameRecord) -> Vec<Point> {
    let Some(size) = Size::new(game.size.0, game.size.1) else { return Vec::new() };
    let is_on_board = |point: &Point| Point::checked(point.x() as i64, point.y() as i64, size).is_some();
    let read = |record: &MoveRecord| record.at.parse::<Point>().ok().filter(is_on_board);
    game.moves.iter().map_while(read).collect()
}

/// One value per move; an empty list if no move has one.
fn listed<T>(moves: &[MoveRecord], value: impl Fn(&MoveRecord) -> Option<T>) -> Vec<Option<T>> {
    let values: Vec<Option<T>> = moves.iter().map(value).collect();
    if values.iter().any(Option::is_some) { values } else { Vec::new() }
}
