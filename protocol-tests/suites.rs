//! Positions with known answers: wins by consecutive fours, threats that must be met, and the positions
//! by which tournaments accept an engine.
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
//! win N           there is a win by consecutive fours whose shortest way makes five with ply N; the
//!                 move played must begin such a win, of whatever length
//! hold N          the opponent would win by fours; after the move played it has no such win of up to
//!                 N plies (with `best`: those are all the moves of which this is so)
//! ms N            time for the move (default 1000)
//! from TEXT       where the position is from
//! ```
//!
//! `win` and `hold` are judged by [`Fours`], which shares no code with the engine, and a test holds the
//! files themselves against it.
//!
//! The files `fours-*.pos` and `hold.pos` are made from random stones; this makes them again:
//!
//! ```text
//! cargo test --release --test suites make_positions -- --ignored --nocapture
//! ```

mod harness;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use harness::{Client, Fours, Outcome, PATIENCE, Unmet, defends, wins_at};
use kagetsu::board::{Cell, Color, Point, Size, Stones};
use kagetsu::rules::{Rule, RuleSet, reference};
use kagetsu::with_rule;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// How late a move may be on a busy machine, beyond its limit.
const LATENESS: Duration = Duration::from_millis(700);

/// Positions after which a search by the tests themselves is given up.
const NODE_LIMIT: u64 = 3_000_000;

/// How far the tests look for a win that the engine may have begun, in plies.
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
    fours_freestyle: "fours-freestyle.pos",
    fours_standard: "fours-standard.pos",
    fours_renju_black: "fours-renju-black.pos",
    fours_renju_white: "fours-renju-white.pos",
    fours_caro: "fours-caro.pos",
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
            None => panic!("{file}:{n}: `{line}` is no position"),
        })
        .collect()
}

fn parse(line: usize, text: &str) -> Option<Position> {
    let mut fields = text.split(';').map(str::trim);
    let mut words = fields.next()?.split_whitespace();
    let rule = words.next()?.parse().ok()?;
    let size = words.next()?;
    let (width, height) = size.split_once('x').unwrap_or((size, size));
    let mut stones = Stones::new(Size::new(width.parse().ok()?, height.parse().ok()?)?);
    for point in points(words.next()?)? {
        if !stones.is_empty_at(point) {
            return None;
        }
        stones.place(point, stones.to_move());
    }
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
            "best" => position.best = points(value)?,
            "avoid" => position.avoid = points(value)?,
            "win" => position.win = Some(value.parse().ok()?),
            "hold" => position.hold = Some(value.parse().ok()?),
            "ms" => position.time = Duration::from_millis(value.parse().ok()?),
            "from" => {}
            _ => return None,
        }
    }
    Some(position)
}

/// Points written one after the other, with or without blanks.
fn points(text: &str) -> Option<Vec<Point>> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let digits = rest[1..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |n| n + 1);
        found.push(rest[..digits].parse().ok()?);
        rest = rest[digits..].trim_start();
    }
    Some(found)
}

/// Asks the engine for a move in every position of a file.
fn ask_the_engine(file: &str) {
    let mut client = Client::start();
    let mut wrong = String::new();
    let positions = read(file);
    for position in &positions {
        match position.ask(&mut client) {
            Ok(played) => {
                if let Err(why) = with_rule!(position.rule, R => position.judge::<R>(played)) {
                    let picture = kagetsu::board::diagram::draw(&position.stones);
                    let line = position.line;
                    let _ = writeln!(wrong, "{file}:{line} {}: {played} {why}\n{picture}", position.rule);
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
            match Fours::<R>::new(NODE_LIMIT).shortest_after(&mut stones, played, FAR) {
                Outcome::Win(_) => {}
                Outcome::NoWin => return Err(format!("begins no win by fours; there is one of {plies}")),
                Outcome::Unknown => return Err("could not be judged: raise the node limit".to_owned()),
            }
        }
        match self.hold.map(|plies| defends::<R>(&mut stones, played, plies, NODE_LIMIT)) {
            Some(Some(false)) => Err("lets the opponent win by fours".to_owned()),
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
            let found = Fours::<R>::new(NODE_LIMIT).shortest(&mut stones, plies);
            if found != Outcome::Win(plies) {
                return Err(format!("wins in {plies}, says the file, but the search says {found:?}"));
            }
        }
        if let Some(plies) = self.hold {
            let own = stones.to_move();
            if Fours::<R>::new(NODE_LIMIT).shortest(&mut stones, 3) != Outcome::NoWin {
                return Err("is to be held, but wins at once".to_owned());
            }
            stones.set_to_move(!own);
            if !matches!(Fours::<R>::new(NODE_LIMIT).shortest(&mut stones, plies), Outcome::Win(_)) {
                return Err("is to be held, but nothing threatens".to_owned());
            }
            stones.set_to_move(own);
            let holding = holding_moves::<R>(&mut stones, plies);
            if holding.is_empty() {
                return Err("is to be held, but cannot be".to_owned());
            }
            let agree = holding.len() == self.best.len() && holding.iter().all(|p| self.best.contains(p));
            if !self.best.is_empty() && !agree {
                return Err(format!("is held by {}", names(&holding)));
            }
        }
        Ok(())
    }
}

/// The legal moves after which the opponent has no win by fours of at most so many plies.
fn holding_moves<R: RuleSet>(stones: &mut Stones, plies: u32) -> Vec<Point> {
    let allowed = |p: &Point| stones.is_empty_at(*p) && !is_foul::<R>(stones, *p);
    let allowed: Vec<Point> = stones.size().points().filter(allowed).collect();
    let mut holds = |&p: &Point| defends::<R>(stones, p, plies, NODE_LIMIT) == Some(true);
    allowed.into_iter().filter(|p| holds(p)).collect()
}

fn is_foul<R: RuleSet>(stones: &Stones, point: Point) -> bool {
    reference::is_forbidden::<R>(stones, point, stones.to_move())
}

fn names(points: &[Point]) -> String {
    points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

// The rest makes the files.

/// Where the random stones come from.
const SEED: u64 = 15_2025;

/// The lengths in plies that a file of wins is to hold.
const LENGTHS: [u32; 16] = [3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15, 17, 17, 19];

/// How deep a held position must hold, in plies.
const HOLD_PLIES: u32 = 13;

/// Makes `fours-*.pos` and `hold.pos` anew: minutes in an optimised build.
#[test]
#[ignore = "writes the files of suites/"]
fn make_positions() {
    let made = [
        ("fours-freestyle.pos", Rule::Freestyle, Color::Black),
        ("fours-standard.pos", Rule::Standard, Color::White),
        ("fours-renju-black.pos", Rule::Renju, Color::Black),
        ("fours-renju-white.pos", Rule::Renju, Color::White),
        ("fours-caro.pos", Rule::Caro, Color::Black),
    ];
    for (n, (file, rule, attacker)) in made.into_iter().enumerate() {
        let mut rng = StdRng::seed_from_u64(SEED + n as u64);
        let mut text = format!(
            "# Wins by consecutive fours, {rule}: random stones from seed {}, made by suites.rs.\n",
            SEED + n as u64
        );
        text += &with_rule!(rule, R => make_wins::<R>(rule, attacker, &mut rng));
        fs::write(folder().join(file), text).expect("the file can be written");
    }
    let seed = SEED + 100;
    let mut rng = StdRng::seed_from_u64(seed);
    let mut text = format!("# Threats to be met: random stones from seed {seed}, made by suites.rs.\n");
    for rule in Rule::ALL {
        for color in Color::ALL {
            text += &with_rule!(rule, R => make_holds::<R>(rule, color, &mut rng));
        }
    }
    fs::write(folder().join("hold.pos"), text).expect("the file can be written");
}

fn make_wins<R: RuleSet>(rule: Rule, attacker: Color, rng: &mut StdRng) -> String {
    let start = Instant::now();
    let mut wanted: BTreeMap<u32, usize> = BTreeMap::new();
    LENGTHS.iter().for_each(|&length| *wanted.entry(length).or_default() += 1);
    let mut found: Vec<(u32, String)> = Vec::new();
    let mut tried = 0;
    while wanted.values().any(|&count| count > 0) {
        tried += 1;
        // Every fourth position on the large board.
        let side = if tried % 4 == 0 && !R::forbids(Color::Black) { 20 } else { 15 };
        let Some(mut stones) = random_stones::<R>(side, attacker, rng) else { continue };
        let longest = *wanted.iter().rfind(|&(_, &count)| count > 0).expect("one is wanted").0;
        // A win that is hard to find is hard to check, too: leave those out.
        let Outcome::Win(plies) = Fours::<R>::new(20_000).shortest(&mut stones, longest) else { continue };
        match wanted.get_mut(&plies) {
            Some(count) if *count > 0 => *count -= 1,
            _ => continue,
        }
        println!("{rule} {plies} plies, {tried} tried, {:?}", start.elapsed());
        found.push((plies, format!("{rule} {side} {}; win {plies}\n", moves(&stones))));
    }
    found.sort();
    found.into_iter().map(|(_, line)| line).collect()
}

fn make_holds<R: RuleSet>(rule: Rule, defender: Color, rng: &mut StdRng) -> String {
    let mut text = String::new();
    for wanted in [3, 5, 9] {
        loop {
            let Some(mut stones) = random_stones::<R>(15, defender, rng) else { continue };
            if Fours::<R>::new(20_000).shortest(&mut stones, HOLD_PLIES) != Outcome::NoWin {
                continue;
            }
            stones.set_to_move(!defender);
            let threat = Fours::<R>::new(20_000).shortest(&mut stones, HOLD_PLIES);
            stones.set_to_move(defender);
            if threat != Outcome::Win(wanted) {
                continue;
            }
            let holding = holding_moves::<R>(&mut stones, HOLD_PLIES).len();
            if (1..=8).contains(&holding) {
                println!("{rule} {} holds against {wanted} plies in {holding} ways", defender.name());
                text += &format!("{rule} 15 {}; hold {HOLD_PLIES}; ms 500\n", moves(&stones));
                break;
            }
        }
    }
    text
}

/// Stones strewn over the middle of a board, in such an order that nobody made five or a foul on the way.
fn random_stones<R: RuleSet>(side: usize, to_move: Color, rng: &mut StdRng) -> Option<Stones> {
    let spread = rng.random_range(8..=11);
    let margin = (side - spread) / 2;
    let pairs = rng.random_range(spread..=spread * spread / 4);
    let count = 2 * pairs + usize::from(to_move == Color::White);
    let mut stones = Stones::new(Size::square(side));
    let mut misses = 0;
    while stones.history().len() < count {
        let mut place = || margin + rng.random_range(0..spread);
        let (point, color) = (Point::new(place(), place()), stones.to_move());
        let fits = stones.cell(point) == Cell::Empty
            && !wins_at::<R>(&stones, point, color)
            && !is_foul::<R>(&stones, point);
        if fits {
            stones.place(point, color);
        } else {
            misses += 1;
        }
        if misses > 200 {
            return None;
        }
    }
    Some(stones)
}

fn moves(stones: &Stones) -> String {
    stones.history().iter().map(|(point, _)| point.to_string()).collect()
}
