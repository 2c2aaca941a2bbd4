//! Positions with known answers: VCFs (victories by continuous fours), threats that must be met, and the
//! positions by which tournaments accept an engine.
//!
//! A file of `suites/` holds one position per line, in fields parted by semicolons:
//!
//! ```text
//! freestyle 15 h8h9i8i9j8j9k8k9; best g8 l8; ms 1000; from the Gomocup acceptance test
//! ```
//!
//! The first field is the rule, the size (`15`, or `20x15`) and the moves, black first; the engine is to
//! move at the end. A point is a column letter and a row counted from 1 at the top. Then follow:
//!
//! ```text
//! best a1 b2      one of these must be played
//! avoid a1 b2     none of these may be played
//! win N           there is a VCF, and the shortest makes five on ply N; the move played must begin a
//!                 VCF, of whatever length
//! hold N          the opponent threatens a VCF; after the move played it has none of up to N plies (with
//!                 `best`: those are all the moves of which this is so)
//! ms N            time for the move (default 1000)
//! from TEXT       where the position is from
//! ```
//!
//! `win` and `hold` are judged by [`SlowVcf`], which shares no code with the engine, and a test holds the
//! files themselves against it. The files `vcf-*.pos` and `hold.pos` are made from random stones by
//! `examples/generate_suites.rs`. The puzzles of the board are held against it as well.

mod harness;
#[path = "harness/positions.rs"]
#[allow(dead_code)]
mod positions;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use harness::{
    Client, Outcome, PATIENCE, SlowVcf, Unmet, defends, holding_moves, legal_moves, makes_four, wins_at,
};
use kagetsu::formats::{moves, picture};
use kagetsu::rules::{RuleSet, with_rule};
use kagetsu::{Point, Rule, Size, Stones};
use positions::parse_head;
use serde::Deserialize;

/// How late a move may be on a busy machine, beyond its limit.
const LATENESS: Duration = Duration::from_millis(700);

/// Nodes after which a search by the tests themselves is given up.
const NODE_LIMIT: u64 = 3_000_000;

/// How far the tests look for a VCF that the engine may have begun, in plies.
const FAR: u32 = 41;

/// Declares one test for each file.
macro_rules! suites {
    ($($name:ident: $file:literal),* $(,)?) => {
        /// Every file.
        const FILES: &[&str] = &[$($file),*];

        $(
            #[test]
            fn $name() {
                ask_the_engine($file);
            }
        )*
    };
}

suites! {
    acceptance: "acceptance.pos",
    defences: "defences.pos",
    hold: "hold.pos",
    vcf_freestyle: "vcf-freestyle.pos",
    vcf_standard: "vcf-standard.pos",
    vcf_renju_black: "vcf-renju-black.pos",
    vcf_renju_white: "vcf-renju-white.pos",
    vcf_caro: "vcf-caro.pos",
}

/// The files say what is so, and no file is forgotten.
#[test]
fn positions_are_what_they_say() {
    let mut files: Vec<String> = fs::read_dir(folder())
        .expect("the folder of the suites can be read")
        .map(|entry| entry.expect("an entry of the folder").file_name().to_string_lossy().into_owned())
        .collect();
    files.sort_unstable();
    let mut listed = FILES.to_vec();
    listed.sort_unstable();
    assert_eq!(files, listed, "suites/ and the list in suites.rs differ");

    let mut wrong = String::new();
    for (file, position) in FILES.iter().flat_map(|file| read(file).into_iter().map(move |p| (file, p))) {
        if let Err(why) = with_rule!(position.rule, R => position.check::<R>()) {
            let _ = writeln!(wrong, "{file}:{} {why}", position.line);
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// A puzzle of the board, as `examples/generate_puzzles.rs` writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Puzzle {
    id: String,
    rule: String,
    fours: u32,
    stones: String,
}

/// The puzzles of the board are won by as many fours as they say, few of the moves that make a four begin the win, and
/// no two puzzles are the same.
#[test]
fn puzzles_are_what_they_say() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/gui/page/puzzles.json");
    let text = fs::read_to_string(path).expect("the puzzles can be read");
    let puzzles: Vec<Puzzle> = serde_json::from_str(&text).expect("they are a list of puzzles");
    assert!(puzzles.len() >= 90, "there are only {}", puzzles.len());
    let ids: BTreeSet<&str> = puzzles.iter().map(|puzzle| puzzle.id.as_str()).collect();
    assert_eq!(ids.len(), puzzles.len(), "two puzzles have the same id");
    for Puzzle { id, rule, fours, stones } in &puzzles {
        let rule: Rule = rule.parse().expect("it is a rule");
        let stones = moves::position(stones, Size::square(15)).expect("it is a position");
        let (choices, right) = with_rule!(rule, R => first_moves::<R>(stones, *fours))
            .unwrap_or_else(|why| panic!("puzzle {id}: {why}"));
        assert!(choices >= 4 && 2 * right <= choices, "puzzle {id}: {right} of {choices} fours begin a VCF");
    }
}

/// How many moves make a four, and how many of them begin a VCF, the shortest of which takes so many fours. The
/// opponent must threaten no five, which would leave nothing to be found.
fn first_moves<R: RuleSet>(mut stones: Stones, fours: u32) -> Result<(usize, usize), String> {
    let (own, legal) = (stones.to_move(), legal_moves::<R>(&stones));
    if legal.iter().any(|&point| wins_at::<R>(&stones, point, !own)) {
        return Err("the opponent threatens five".to_owned());
    }
    let found = SlowVcf::<R>::new(NODE_LIMIT).shortest(&mut stones, FAR);
    if found != Outcome::Win(2 * fours + 1) {
        return Err(format!("{fours} fours, says the file, but the search says {found:?}"));
    }
    let choices = legal.iter().filter(|&&point| makes_four::<R>(&mut stones, point)).count();
    let mut begins = |&point: &Point| {
        matches!(SlowVcf::<R>::new(NODE_LIMIT).shortest_after(&mut stones, point, FAR), Outcome::Win(_))
    };
    Ok((choices, legal.iter().filter(|point| begins(point)).count()))
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("protocol-tests/suites")
}

/// One line of a file.
struct Position {
    line: usize,
    rule: Rule,
    stones: Stones,
    best: Vec<Point>,
    avoid: Vec<Point>,
    win: Option<u32>,
    hold: Option<u32>,
    time: Duration,
}

fn read(file: &str) -> Vec<Position> {
    let path = folder().join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = text.lines().enumerate().map(|(n, line)| (n + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(n, line)| match parse(n, line) {
            Some(position) => position,
            None => panic!("{file}:{n}: `{line}` is not a position"),
        })
        .collect()
}

fn parse(line: usize, text: &str) -> Option<Position> {
    let mut fields = text.split(';').map(str::trim);
    let (rule, stones) = parse_head(fields.next()?)?;
    let size = stones.size();
    let mut position = Position {
        line,
        rule,
        stones,
        best: Vec::new(),
        avoid: Vec::new(),
        win: None,
        hold: None,
        time: Duration::from_secs(1),
    };
    for field in fields {
        let (key, value) = field.split_once(' ')?;
        match key {
            "best" => position.best = moves::read(value, size).ok()?,
            "avoid" => position.avoid = moves::read(value, size).ok()?,
            "win" => position.win = Some(value.parse().ok()?),
            "hold" => position.hold = Some(value.parse().ok()?),
            "ms" => position.time = Duration::from_millis(value.parse().ok()?),
            "from" => {}
            _ => return None,
        }
    }
    Some(position)
}

/// Asks the engine for a move in every position of a file.
fn ask_the_engine(file: &str) {
    let mut client = Client::start();
    let mut wrong = String::new();
    let positions = read(file);
    assert!(!positions.is_empty(), "{file} holds no position");
    for position in &positions {
        match position.ask(&mut client) {
            Ok(played) => {
                if let Err(why) = with_rule!(position.rule, R => position.judge::<R>(played)) {
                    let drawn = picture::draw(&position.stones);
                    let line = position.line;
                    let _ = writeln!(wrong, "{file}:{line} {}: {played} {why}\n{drawn}", position.rule);
                }
            }
            Err(unmet) => panic!("{file}:{}: {unmet:?}", position.line),
        }
    }
    let failed = wrong.matches(file).count();
    assert!(failed == 0, "{failed} of {} positions failed\n{wrong}", positions.len());
    client.finish().expect("the engine leaves as it should");
}

impl Position {
    /// The engine's move, as a manager gets it.
    fn ask(&self, client: &mut Client) -> Result<Point, Unmet> {
        let size = self.stones.size();
        let start = match (size.width(), size.height()) {
            (width, height) if width == height => format!("START {width}"),
            (width, height) => format!("RECTSTART {width},{height}"),
        };
        client.send(&start);
        client.expect_ok()?;
        let own = self.stones.to_move();
        let mut lines = vec![
            format!("INFO rule {}", self.rule.gomocup_number()),
            format!("INFO timeout_turn {}", self.time.as_millis()),
            "BOARD".to_owned(),
        ];
        for &(point, color) in self.stones.history() {
            lines.push(format!("{},{},{}", point.x(), point.y(), if color == own { 1 } else { 2 }));
        }
        lines.push("DONE".to_owned());
        client.send_burst(lines.iter().map(String::as_str));
        let played = client.expect_move(self.time + PATIENCE)?;
        let took = client.last_received().saturating_duration_since(client.last_sent());
        if took > self.time + LATENESS {
            let limit = self.time.as_millis();
            return Err(client.unmet(format!("the move took {} ms of {limit}", took.as_millis())));
        }
        if !size.contains(played) || !self.stones.is_empty_at(played) {
            return Err(client.unmet(format!("{played} is taken or off the board")));
        }
        Ok(played)
    }

    /// Whether the engine's move is one of those wanted.
    fn judge<R: RuleSet>(&self, played: Point) -> Result<(), String> {
        if !self.best.is_empty() && !self.best.contains(&played) {
            return Err(format!("is none of {}", names(&self.best)));
        }
        if self.avoid.contains(&played) {
            return Err(format!("is one of {}", names(&self.avoid)));
        }
        let mut stones = self.stones.clone();
        if let Some(plies) = self.win {
            match SlowVcf::<R>::new(NODE_LIMIT).shortest_after(&mut stones, played, FAR) {
                Outcome::Win(_) => {}
                Outcome::NoWin => return Err(format!("begins no VCF; there is one of {plies}")),
                Outcome::Unknown => return Err("could not be judged: raise the node limit".to_owned()),
            }
        }
        match self.hold.map(|plies| defends::<R>(&mut stones, played, plies, NODE_LIMIT)) {
            Some(Some(false)) => Err("lets the opponent have a VCF".to_owned()),
            Some(None) => Err("could not be judged: raise the node limit".to_owned()),
            None | Some(Some(true)) => Ok(()),
        }
    }

    /// Whether the line in the file is true.
    fn check<R: RuleSet>(&self) -> Result<(), String> {
        if self.best.is_empty() && self.avoid.is_empty() && self.win.is_none() && self.hold.is_none() {
            return Err("asks for nothing".to_owned());
        }
        if let Some(&(point, _)) =
            self.stones.history().iter().find(|&&(p, c)| wins_at::<R>(&self.stones, p, c))
        {
            return Err(format!("has a five already, through {point}"));
        }
        if let Some(point) = self.best.iter().chain(&self.avoid).find(|&&p| !self.stones.is_empty_at(p)) {
            return Err(format!("names {point}, which is taken"));
        }
        let mut stones = self.stones.clone();
        if let Some(plies) = self.win {
            let found = SlowVcf::<R>::new(NODE_LIMIT).shortest(&mut stones, plies);
            if found != Outcome::Win(plies) {
                return Err(format!("wins in {plies}, says the file, but the search says {found:?}"));
            }
        }
        if let Some(plies) = self.hold {
            let own = stones.to_move();
            if SlowVcf::<R>::new(NODE_LIMIT).shortest(&mut stones, 3) != Outcome::NoWin {
                return Err("is to be held, but wins at once".to_owned());
            }
            stones.set_to_move(!own);
            if !matches!(SlowVcf::<R>::new(NODE_LIMIT).shortest(&mut stones, plies), Outcome::Win(_)) {
                return Err("is to be held, but nothing threatens".to_owned());
            }
            stones.set_to_move(own);
            if self.best.is_empty() {
                let holds =
                    |&point: &Point| defends::<R>(&mut stones, point, plies, NODE_LIMIT) == Some(true);
                if !legal_moves::<R>(&self.stones).iter().any(holds) {
                    return Err("is to be held, but cannot be".to_owned());
                }
            } else {
                let holding = holding_moves::<R>(&mut stones, plies, NODE_LIMIT);
                if holding.len() != self.best.len() || !holding.iter().all(|p| self.best.contains(p)) {
                    return Err(format!("is held by {}", names(&holding)));
                }
            }
        }
        Ok(())
    }
}

fn names(points: &[Point]) -> String {
    points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}
