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
//!
//! It takes a quarter of an hour; `KAGETSU_FILE=hold.pos` makes that file alone.

mod harness;
#[path = "harness/positions.rs"]
#[allow(dead_code)]
mod positions;

use std::fmt::Write as _;
use std::fs;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use harness::{Client, Fours, Outcome, PATIENCE, Unmet, defends, wins_at};
use kagetsu::board::{Color, Point, Size, Stones};
use kagetsu::formats::{moves, picture};
use kagetsu::rules::{Rule, RuleSet, reference};
use kagetsu::with_rule;
use positions::parse_head;
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
    let mut moves = legal_moves::<R>(stones);
    moves.retain(|&point| defends::<R>(stones, point, plies, NODE_LIMIT) == Some(true));
    moves
}

fn legal_moves<R: RuleSet>(stones: &Stones) -> Vec<Point> {
    let is_legal = |p: &Point| stones.is_empty_at(*p) && !is_foul::<R>(stones, *p);
    stones.size().points().filter(is_legal).collect()
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

/// A win that is hard to find is hard to check, too: positions where one takes more are left out.
const EASY: u64 = 3_000;

/// Makes `fours-*.pos` and `hold.pos` anew.
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
    let is_wanted = |file: &str| std::env::var("KAGETSU_FILE").map_or(true, |wanted| wanted == file);
    for (n, (file, rule, attacker)) in made.into_iter().enumerate().filter(|(_, made)| is_wanted(made.0)) {
        let mut rng = StdRng::seed_from_u64(SEED + n as u64);
        let mut text = format!(
            "# Wins by consecutive fours, {rule}: random stones from seed {}, made by suites.rs.\n",
            SEED + n as u64
        );
        text += &with_rule!(rule, R => make_wins::<R>(rule, attacker, &mut rng));
        fs::write(folder().join(file), text).expect("the file can be written");
    }
    if !is_wanted("hold.pos") {
        return;
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
    let mut text = String::new();
    for (n, wanted) in LENGTHS.into_iter().enumerate() {
        // Some on the large board; long ways where only fours win are too rare there.
        let side = if n % 4 == 3 && wanted < 15 && !R::forbids(Color::Black) { 20 } else { 15 };
        let stones = loop {
            if let Some(stones) = lengthened_win::<R>(side, attacker, wanted, rng) {
                break stones;
            }
        };
        println!("{rule} {wanted} plies, after {:?}", start.elapsed());
        text += &format!("{rule} {side} {}; win {wanted}\n", moves_of(&stones));
    }
    text
}

/// A position that is won by fours in just so many plies: from random stones, one stone after the other
/// is moved elsewhere, as long as that does not make the way to the win shorter.
fn lengthened_win<R: RuleSet>(side: usize, attacker: Color, wanted: u32, rng: &mut StdRng) -> Option<Stones> {
    const STEPS: usize = 400;
    let mut stones = random_stones::<R>(side, attacker, 8..=26, rng)?;
    let solve = |stones: &mut Stones| match Fours::<R>::new(EASY).shortest(stones, wanted) {
        Outcome::Win(plies) => plies,
        _ => 0,
    };
    let mut plies = 0;
    for _ in 0..STEPS {
        let Some(mut other) = with_one_moved::<R>(&stones, rng) else { continue };
        let other_plies = solve(&mut other);
        if other_plies >= plies.max(1) {
            (stones, plies) = (other, other_plies);
            if plies == wanted && only_fours_win::<R>(&mut stones) {
                return Some(stones);
            }
        }
    }
    None
}

/// The same stones in the same order, one of them elsewhere.
fn with_one_moved<R: RuleSet>(stones: &Stones, rng: &mut StdRng) -> Option<Stones> {
    let history = stones.history();
    let moved = rng.random_range(0..history.len());
    let near = history[rng.random_range(0..history.len())].0;
    let mut nudge = |at: usize| at as i64 + rng.random_range(-2..=2);
    let place = Point::checked(nudge(near.x()), nudge(near.y()), stones.size())?;
    let mut changed = Stones::new(stones.size());
    for (n, &(point, color)) in history.iter().enumerate() {
        let point = if n == moved { place } else { point };
        if !may_stand::<R>(&changed, point, color) {
            return None;
        }
        changed.place(point, color);
    }
    Some(changed)
}

/// Whether a stone can be placed there without making five or a foul.
fn may_stand<R: RuleSet>(stones: &Stones, point: Point, color: Color) -> bool {
    stones.is_empty_at(point)
        && !wins_at::<R>(stones, point, color)
        && !reference::is_forbidden::<R>(stones, point, color)
}

/// Whether no quiet move could win as well: each lets the opponent win by fours, or threatens nothing.
fn only_fours_win<R: RuleSet>(stones: &mut Stones) -> bool {
    let own = stones.to_move();
    legal_moves::<R>(stones).into_iter().all(|point| {
        if outcome_after::<R>(stones, point) != Outcome::NoWin {
            return true;
        }
        stones.place(point, own);
        let lost = matches!(shortest::<R>(stones), Outcome::Win(_));
        stones.set_to_move(own);
        let threatens = lost || shortest::<R>(stones) != Outcome::NoWin;
        stones.undo();
        lost || !threatens
    })
}

fn make_holds<R: RuleSet>(rule: Rule, defender: Color, rng: &mut StdRng) -> String {
    let mut text = String::new();
    for wanted in [3, 5, 7] {
        loop {
            let Some(mut stones) = random_stones::<R>(15, defender, 6..=11, rng) else { continue };
            if shortest::<R>(&mut stones) != Outcome::NoWin {
                continue;
            }
            stones.set_to_move(!defender);
            let threat = shortest::<R>(&mut stones);
            stones.set_to_move(defender);
            if threat != Outcome::Win(wanted) {
                continue;
            }
            let holding = holding_moves::<R>(&mut stones, HOLD_PLIES);
            let few = (1..=8).contains(&holding.len());
            if few && holding.iter().any(|&point| holds_once_more::<R>(&mut stones, point)) {
                let ways = holding.len();
                println!("{rule} {} holds against {wanted} plies in {ways} ways", defender.name());
                text += &format!("{rule} 15 {}; hold {HOLD_PLIES}; ms 500\n", moves_of(&stones));
                break;
            }
        }
    }
    text
}

/// Whether this move holds and every threat that could follow can be held, too: a position that is lost
/// anyway asks nothing of the engine.
fn holds_once_more<R: RuleSet>(stones: &mut Stones, point: Point) -> bool {
    let own = stones.to_move();
    stones.place(point, own);
    let holds = legal_moves::<R>(stones).into_iter().all(|threat| {
        stones.place(threat, !own);
        stones.set_to_move(!own);
        let harmless = shortest::<R>(stones) == Outcome::NoWin;
        stones.set_to_move(own);
        let held = harmless
            || shortest::<R>(stones) != Outcome::NoWin
            || !holding_moves::<R>(stones, HOLD_PLIES).is_empty();
        stones.undo();
        held
    });
    stones.undo();
    holds
}

/// The shortest win by fours, as far as making positions needs it.
fn shortest<R: RuleSet>(stones: &mut Stones) -> Outcome {
    Fours::<R>::new(EASY).shortest(stones, HOLD_PLIES)
}

fn outcome_after<R: RuleSet>(stones: &mut Stones, point: Point) -> Outcome {
    Fours::<R>::new(EASY).shortest_after(stones, point, FAR)
}

/// Stones strewn over the middle of a board, in such an order that nobody made five or a foul on the way.
fn random_stones<R: RuleSet>(
    side: usize,
    to_move: Color,
    pairs: RangeInclusive<usize>,
    rng: &mut StdRng,
) -> Option<Stones> {
    let spread = rng.random_range(8..=11);
    let margin = (side - spread) / 2;
    let pairs = rng.random_range(pairs);
    let count = 2 * pairs + usize::from(to_move == Color::White);
    let mut stones = Stones::new(Size::square(side));
    let mut misses = 0;
    while stones.history().len() < count {
        let mut place = || margin + rng.random_range(0..spread);
        let (point, color) = (Point::new(place(), place()), stones.to_move());
        if may_stand::<R>(&stones, point, color) {
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

fn moves_of(stones: &Stones) -> String {
    let points: Vec<Point> = stones.history().iter().map(|&(point, _)| point).collect();
    moves::letters(&points, "")
}
