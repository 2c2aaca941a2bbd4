//! `kagetsu library query`: what is known of a position.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use super::place::PlaceOptions;
use super::words::nothing_of;
use crate::board::{Color, Size, Stones};
use crate::cli::arguments::edge_name;
use crate::cli::output::counted;
use crate::cli::position::GivenPosition;
use crate::eval::score::plies_to_end;
use crate::formats::picture;
use crate::formats::point_names::{PointNames, Rows};
use crate::formats::text::printable;
use crate::library::{Branch, Entry, Library, LibraryAccess, MarkKind, Outcome, PositionRecord};
use crate::rules::Rule;
use crate::rules::renju_openings::RenjuOpening;

/// Options of `kagetsu library query`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Scores and percentages (the expected score: a win counts 1, a draw one half) are those of the side to move, and in\n\
the rows of the moves those of the side that plays them. A move counts all games that came to the position after it,\n\
in whatever order the stones were played.")]
pub(super) struct QueryOptions {
    /// The library
    #[arg(value_name = "LIBRARY")]
    pub(super) library: PathBuf,

    #[command(flatten)]
    place: PlaceOptions,

    /// Maximum number of moves to show
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    lines: u32,

    /// For scripts: one JSON object
    #[arg(long)]
    json: bool,
}

/// Shows what is known.
///
/// # Errors
/// A library or a position that cannot be read, a writer that fails.
pub(super) fn run(options: &QueryOptions, rows: Rows, mut out: impl Write) -> anyhow::Result<()> {
    let library = Library::open_to_read(&options.library)?;
    let GivenPosition { rule, stones, set_up } = options.place.given(rows)?;
    let opening = RenjuOpening::of_game(rule, &stones, set_up);
    let mut record = library.position_record(rule, &stones)?;
    record.sort_branches();
    record.branches.truncate(options.lines as usize);
    let text = if options.json {
        format!("{}\n", as_json(rule, &stones, opening, &record, rows))
    } else {
        as_text(rule, &stones, opening, &record, rows) + &elsewhere(&library, rule, stones.size())?
    };
    out.write_all(text.as_bytes()).context("writing what is known")?;
    out.flush().context("writing what is known")
}

/// A line that says what the library holds, if it has nothing under this rule on this board. A file that names no rule
/// is taken for freestyle, and whoever asks for it may have games of renju.
fn elsewhere(library: &Library, rule: Rule, size: Size) -> anyhow::Result<String> {
    let boards = library.boards()?;
    let nothing = nothing_of(&boards, Some(rule), Some(size)).filter(|_| !boards.is_empty());
    Ok(nothing.map(|nothing| format!("It has {nothing}.\n")).unwrap_or_default())
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn games(entry: &Entry, color: Color) -> String {
    entry.played.share(color).map(percent).unwrap_or_default()
}

/// What the engine says: with a `sign` of 1 for the side to move, with -1 for the other side.
fn engine(entry: &Entry, sign: i32) -> String {
    let Some(score) = entry.value() else { return String::new() };
    let share = crate::eval::score::win_probability(sign * score);
    let mut text = match plies_to_end(sign * score) {
        Some(plies) if entry.decided.is_some_and(|decided| decided.plies.is_none()) => {
            if plies > 0 {
                "wins".to_owned()
            } else {
                "loses".to_owned()
            }
        }
        Some(plies) if plies > 0 => format!("wins in {plies}"),
        Some(plies) => format!("loses in {}", -plies),
        None if entry.decided.is_some_and(|decided| decided.outcome == Outcome::Draw) => "draw".to_owned(),
        None => format!("{} ({:+})", percent(share), sign * score),
    };
    if let Some(depth) = entry.depth {
        let _ = write!(text, " d{depth}");
    }
    if entry.decided.is_some_and(|decided| decided.is_checked) {
        text += " proved";
    }
    text
}

fn remarks(record: &PositionRecord, branch: &Branch) -> String {
    let mut parts = Vec::new();
    parts.extend(
        record
            .entry
            .as_ref()
            .and_then(|entry| entry.label(branch.point))
            .map(|label| printable(label).into_owned()),
    );
    parts.extend(letter_and_mark(&branch.entry));
    parts.extend(branch.entry.comment.lines().next().map(|line| printable(line).into_owned()));
    parts.join(" ")
}

fn letter_and_mark(entry: &Entry) -> impl Iterator<Item = String> {
    let letter = entry.tag.map(|tag| format!("[{}]", printable(&tag.to_string())));
    letter.into_iter().chain(entry.is_marked.then(|| "marked".to_owned()))
}

/// `opening` is that of renju with which the stones began.
fn as_text(
    rule: Rule,
    stones: &Stones,
    opening: Option<&RenjuOpening>,
    record: &PositionRecord,
    rows: Rows,
) -> String {
    let mover = stones.to_move();
    let names = PointNames::of(stones.size()).with_rows(rows);
    let mut text = picture::draw_with_rows(stones, rows);
    let count = counted(stones.history().len() as u64, "stone");
    let _ = write!(text, "\n{} {}, {count}, {} to move", rule.name(), stones.size(), mover.name());
    if let Some(opening) = opening {
        let _ = write!(text, "; {} ({}, {})", opening.name, opening.code, opening.kanji);
    }
    text.push('\n');
    match &record.entry {
        None => text += "This position is not in the library.\n",
        Some(entry) => {
            let played = entry.played;
            if played.games > 0 {
                let _ = writeln!(
                    text,
                    "{}: Black won {}, White {}, {} drawn",
                    counted(played.games, "game"),
                    played.black,
                    played.white,
                    played.draws
                );
            }
            if entry.value().is_some() {
                let nodes = entry.nodes.map(|nodes| format!(", {nodes} nodes")).unwrap_or_default();
                let _ = writeln!(text, "engine, for {}: {}{nodes}", mover.name(), engine(entry, 1));
            }
            let signs: Vec<String> = letter_and_mark(entry).collect();
            if !signs.is_empty() {
                let _ = writeln!(text, "{}", signs.join(" "));
            }
            entry.comment.lines().for_each(|line| text += &format!("| {}\n", printable(line)));
        }
    }
    let labels =
        record.entry.iter().flat_map(|entry| &entry.marks).filter(|mark| mark.kind == MarkKind::Label);
    let labels: Vec<String> =
        labels.map(|mark| format!("{} {}", names.name(mark.point), printable(&mark.text))).collect();
    if !labels.is_empty() {
        let _ = writeln!(text, "on the board: {}", labels.join(", "));
    }
    if record.branches.is_empty() {
        text += "No move from here is in the library.\n";
        return text;
    }
    text += "\nmove      games  Black  White  engine\n";
    for branch in &record.branches {
        let line = format!(
            "{:<6}  {:>7}  {:>5}  {:>5}  {:<22}  {}",
            names.name(branch.point),
            branch.entry.played.games,
            games(&branch.entry, Color::Black),
            games(&branch.entry, Color::White),
            engine(&branch.entry, -1),
            remarks(record, branch)
        );
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn entry_json(entry: &Entry, names: PointNames) -> serde_json::Value {
    let marks: Vec<serde_json::Value> = entry
        .marks
        .iter()
        .map(|mark| serde_json::json!({ "point": names.name(mark.point), "kind": mark.kind, "text": mark.text }))
        .collect();
    serde_json::json!({
        "games": entry.played.games,
        "black_wins": entry.played.black,
        "white_wins": entry.played.white,
        "draws": entry.played.draws,
        "score": entry.score,
        "depth": entry.depth,
        "nodes": entry.nodes,
        "outcome": entry.decided.map(|decided| decided.outcome),
        "plies": entry.decided.and_then(|decided| decided.plies),
        "checked": entry.decided.is_some_and(|decided| decided.is_checked),
        "marked": entry.is_marked,
        "tag": entry.tag,
        "comment": entry.comment,
        "marks": marks,
    })
}

fn as_json(
    rule: Rule,
    stones: &Stones,
    opening: Option<&RenjuOpening>,
    record: &PositionRecord,
    rows: Rows,
) -> serde_json::Value {
    let names = PointNames::of(stones.size()).with_rows(rows);
    let moves: Vec<serde_json::Value> = record
        .branches
        .iter()
        .map(|branch| {
            let mut value = entry_json(&branch.entry, names);
            value["move"] = names.name(branch.point).into();
            value
        })
        .collect();
    serde_json::json!({
        "format": "kagetsu library 1",
        "rule": rule.name(),
        "size": [stones.size().width(), stones.size().height()],
        "rows": edge_name(rows),
        "stones": stones.history().len(),
        "to_move": stones.to_move().name().to_lowercase(),
        "opening": opening.map(|opening| opening.code),
        "position": record.entry.as_ref().map(|entry| entry_json(entry, names)),
        "moves": moves,
    })
}
