//! Whole games of the engine against itself, each side a process of its own that is spoken to as a
//! manager would, judged by the slow reference.
//!
//! Every rule, sizes from 5 x 5 to 22 x 22 and rectangles, openings of random stones. Each move must be
//! on the board, on an empty point, no foul where another move is left, and in time; no process may ever
//! hold more memory than it was allowed; each must leave with status 0 and nothing on stderr. Any of the
//! rest panics with the dialogue.
//!
//! ```text
//! cargo test --test games                                 two dozen games
//! KAGETSU_GAMES=1000 cargo test --release --test games -- --nocapture
//! cargo test --release --test games under_load -- --ignored --nocapture
//! cargo test --release --test games long_searches -- --ignored --nocapture
//! ```
//!
//! The second plays a thousand with limits from 5 ms to 1 s and with one or two threads, and ends with lines of what
//! was seen. The third asks for 1,000 moves of 100 ms while every core is kept busy, and none of them may be late. The
//! fourth fills large tables. `KAGETSU_SEED` is the number of the first game: another one has other openings and other
//! terms.

mod harness;
#[path = "harness/random.rs"]
#[allow(dead_code)]
mod random;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::Duration;

use harness::{Client, PATIENCE, Unmet, tell_skipped};
use kagetsu::board::ByColor;
use kagetsu::formats::picture;
use kagetsu::rules::judge::{self, Verdict, is_forbidden};
use kagetsu::rules::{RuleSet, with_rule};
use kagetsu::{Color, Point, Rule, Size, Stones};
use rand::RngExt;
use rand::rngs::StdRng;

/// Games played by default: each rule some five times, each size once.
const GAMES: u64 = 24;

/// Games at a time. The two sides of a game think in turn, so each takes one core.
const AT_A_TIME: usize = 2;

/// How late a move may be before a game counts as lost on time: what GomocupJudge and Piskvork allow.
const TOLERANCE: Duration = Duration::from_millis(1000);

/// Held by each test: one that measures does not want the others beside it.
static ALONE: Mutex<()> = Mutex::new(());

/// Board sizes of the games in turn: every side from 5 to 22, rectangles, and most often 15 and 20.
const SIZES: [(usize, usize); 23] = [
    (15, 15),
    (5, 5),
    (20, 20),
    (13, 13),
    (6, 6),
    (7, 12),
    (17, 17),
    (8, 8),
    (22, 22),
    (10, 10),
    (20, 15),
    (9, 9),
    (18, 18),
    (15, 15),
    (11, 11),
    (5, 22),
    (14, 14),
    (7, 7),
    (20, 20),
    (12, 12),
    (19, 19),
    (16, 16),
    (21, 21),
];

/// Columns and rows of the middle in which games begin.
const OPENING_SPREAD: usize = 7;

/// Limits on memory, in bytes: the least that must do, Piskvork's default, and the tournaments'.
const MEMORY: [u64; 3] = [70_000_000, 83_886_080, 367_001_600];

/// What a game is played under.
#[derive(Clone, Copy, Debug)]
struct Terms {
    /// From which all else follows, the opening too.
    number: u64,
    rule: Rule,
    size: Size,
    turn: Duration,
    threads: u64,
    memory: u64,
}

/// Milliseconds of a move in a long run: mostly few, sometimes many, so that the limits share its time about equally
/// and ten thousand games are a matter of hours.
fn any_turn(number: u64) -> u64 {
    // A step spreads each limit over the 199, which share no factor with the sizes or the rules.
    match number * 37 % 199 {
        0 => 1000,
        1..3 => 300,
        3..9 => 100,
        9..19 => 50,
        19..39 => 30,
        _ => [5, 10, 20][number as usize % 3],
    }
}

impl Terms {
    /// The terms of a game; those of a short run take little time. Games that follow each other have different rules,
    /// and each five of them have another limit, so that all pairs of both come within 500 games. The number of sizes
    /// shares no factor with either: all pairs of rule and size come within 115 games, all of everything within 11,500.
    fn of(number: u64, is_long_run: bool) -> Terms {
        let n = number as usize;
        let (width, height) = SIZES[n % SIZES.len()];
        let rules = Rule::ALL.len();
        let round = number / rules as u64;
        Terms {
            number,
            rule: Rule::ALL[n % rules],
            size: Size::new(width, height).expect("sizes that boards have"),
            turn: Duration::from_millis(if is_long_run {
                any_turn(round)
            } else {
                [20, 30][round as usize % 2]
            }),
            threads: if is_long_run && n % 4 == 3 { 2 } else { 1 },
            memory: MEMORY[n % MEMORY.len()],
        }
    }
}

impl fmt::Display for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (turn, megabytes) = (self.turn.as_millis(), self.memory / 1_000_000);
        let Terms { number, rule, size, threads, .. } = self;
        write!(f, "game {number} ({rule}, {size}, {turn} ms, {threads} threads, {megabytes} MB)")
    }
}

/// What was measured in one game or many.
#[derive(Clone, Copy, Debug, Default)]
struct Extremes {
    games: u64,
    moves: u64,
    /// Beyond the limit, as the manager's clock sees it.
    lateness: Duration,
    /// Number of the game and stones on the board where that was.
    latest: (u64, usize),
    late_moves: u64,
    /// Peak of a process in thousandths of what it was allowed.
    memory: u64,
    won: ByColor<u64>,
    drawn: u64,
}

impl Extremes {
    fn add(&mut self, other: &Extremes) {
        self.games += other.games;
        self.moves += other.moves;
        self.note_lateness(other.lateness, other.latest);
        self.late_moves += other.late_moves;
        self.memory = self.memory.max(other.memory);
        Color::ALL.iter().for_each(|&color| self.won[color] += other.won[color]);
        self.drawn += other.drawn;
    }

    fn note_lateness(&mut self, lateness: Duration, place: (u64, usize)) {
        if lateness > self.lateness {
            (self.lateness, self.latest) = (lateness, place);
        }
    }
}

impl fmt::Display for Extremes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (black, white) = (self.won[Color::Black], self.won[Color::White]);
        write!(
            f,
            "{} games (black {black}, white {white}, drawn {}), {} moves, {} after their limit, the worst by \
             {:.1} ms (game {} with {} stones); most memory {:.1} % of the allowed",
            self.games,
            self.drawn,
            self.moves,
            self.late_moves,
            self.lateness.as_secs_f64() * 1000.0,
            self.latest.0,
            self.latest.1,
            self.memory as f64 / 10.0
        )
    }
}

/// Whatever a run begins with, rules, limits and sides meet each other.
#[test]
fn terms_do_not_depend_on_each_other() {
    let terms: Vec<Terms> = (0..11_500).map(|n| Terms::of(1_234_560_000 + n, true)).collect();
    let distinct = |of: &dyn Fn(&Terms) -> String| terms.iter().map(of).collect::<BTreeSet<_>>().len();
    assert_eq!(distinct(&|terms| format!("{} {:?}", terms.rule, terms.turn)), 5 * 8);
    assert_eq!(distinct(&|terms| format!("{} {}", terms.rule, terms.size)), 5 * 21);
    assert_eq!(distinct(&|terms| format!("{} {:?}", terms.size, terms.turn)), 21 * 8);
    assert_eq!(distinct(&|terms| format!("{} {} {}", terms.rule, terms.threads, terms.memory)), 5 * 2 * 3);
    let sides: BTreeSet<usize> = terms.iter().flat_map(|t| [t.size.width(), t.size.height()]).collect();
    assert!(sides.into_iter().eq(5..=22));
    // A run of a hundredth has every rule under most limits.
    let few = terms[..100].iter().map(|terms| (terms.rule.name(), terms.turn)).collect::<BTreeSet<_>>();
    assert!(few.len() >= 25, "{few:?}");
}

fn alone() -> MutexGuard<'static, ()> {
    // A test that failed leaves nothing half done here.
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// The most memory in bytes that the process ever held. Where the system does not tell it, this is said once, and 0
/// stands for it.
fn peak_of(client: &Client) -> Result<u64, Unmet> {
    static TOLD: Once = Once::new();
    match client.peak_memory() {
        Some(peak) => Ok(peak),
        None if cfg!(target_os = "linux") && std::env::var_os("KAGETSU_RUNNER").is_none() => {
            Err(client.unmet("its memory could not be read".to_owned()))
        }
        None => {
            TOLD.call_once(|| tell_skipped("what a process holds is read from /proc"));
            Ok(0)
        }
    }
}

#[test]
fn self_play() {
    let _alone = alone();
    let games = setting("KAGETSU_GAMES").unwrap_or(GAMES);
    let first = setting("KAGETSU_SEED").unwrap_or(1);
    let next = AtomicU64::new(0);
    let total = Mutex::new(Extremes::default());
    let failed = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let nth = next.fetch_add(1, Ordering::Relaxed);
                    if nth >= games {
                        return;
                    }
                    let terms = Terms::of(first.wrapping_add(nth), games > GAMES);
                    match with_rule!(terms.rule, R => play::<R>(&terms)) {
                        Ok(extremes) => total.lock().expect("no panic here").add(&extremes),
                        Err(unmet) => {
                            failed.lock().expect("no panic here").push(unmet.at(&terms.to_string()));
                        }
                    }
                }
            });
        }
    });
    let total = total.into_inner().expect("no panic here");
    let failed = failed.into_inner().expect("no panic here");
    println!("{total}");
    println!(
        "soundness games games={} moves={} after_limit={} most_ms_after_limit={} most_memory_permille={} failed={}",
        total.games,
        total.moves,
        total.late_moves,
        total.lateness.as_millis(),
        total.memory,
        failed.len()
    );
    if let Some(first) = failed.first() {
        panic!("{} of {games} games failed, the first of them:\n{first:?}", failed.len());
    }
}

/// One side of a game.
struct Player {
    client: Client,
    /// Whether it has been sent a position: from then on TURN is enough.
    seated: bool,
}

impl Player {
    fn start(terms: &Terms) -> Result<Player, Unmet> {
        let mut client = Client::start();
        let (width, height) = (terms.size.width(), terms.size.height());
        let start =
            if width == height { format!("START {width}") } else { format!("RECTSTART {width},{height}") };
        client.send(&start);
        client.expect_ok()?;
        client.send_burst([
            format!("INFO max_memory {}", terms.memory).as_str(),
            "INFO timeout_match 0",
            format!("INFO timeout_turn {}", terms.turn.as_millis()).as_str(),
            "INFO game_type 1",
            format!("INFO rule {}", terms.rule.gomocup_number()).as_str(),
            format!("INFO thread_num {}", terms.threads).as_str(),
            "INFO time_left 2147483647",
        ]);
        Ok(Player { client, seated: false })
    }

    /// Asks for a move; how long it took as a manager measures it.
    fn ask(&mut self, stones: &Stones, limit: Duration) -> Result<(Point, Duration), Unmet> {
        let own = stones.to_move();
        match stones.recent(0) {
            None => self.client.send("BEGIN"),
            Some((last, _)) if self.seated => {
                self.client.send(&format!("TURN {},{}", last.x(), last.y()));
            }
            Some(_) => {
                let field = |color| if color == own { 1 } else { 2 };
                let history = stones.history().iter();
                let lines = history.map(|&(p, color)| format!("{},{},{}\n", p.x(), p.y(), field(color)));
                let block: String = ["BOARD\n".to_owned()].into_iter().chain(lines).collect();
                self.client.send_bytes(format!("{block}DONE\n").as_bytes());
            }
        }
        self.seated = true;
        let played = self.client.expect_move(limit + PATIENCE)?;
        Ok((played, self.client.last_received().saturating_duration_since(self.client.last_sent())))
    }

    /// Ends the process; its peak of memory in thousandths of what it was allowed.
    fn finish(self, allowed: u64) -> Result<u64, Unmet> {
        let peak = peak_of(&self.client)?;
        let share = peak * 1000 / allowed;
        if share > 1000 {
            let kilobytes = peak / 1024;
            return Err(self.client.unmet(format!("{kilobytes} KB held, {} allowed", allowed / 1024)));
        }
        self.client.finish()?;
        Ok(share)
    }
}

fn play<R: RuleSet>(terms: &Terms) -> Result<Extremes, Unmet> {
    let mut rng = random::rng(terms.number);
    let mut stones = random_opening(terms, &mut rng);
    let mut players = ByColor([Player::start(terms)?, Player::start(terms)?]);
    let mut extremes = Extremes { games: 1, ..Extremes::default() };
    let verdict = loop {
        let verdict = judge::verdict::<R>(&stones);
        if verdict != Verdict::Ongoing {
            break verdict;
        }
        let color = stones.to_move();
        let player = &mut players[color];
        let (played, took) = player.ask(&stones, terms.turn)?;
        let wrong = |player: &Player, what: &str| {
            let picture = picture::draw(&stones);
            Err(player.client.unmet(format!("{} plays {played}: {what}\n{picture}", color.name())))
        };
        if !terms.size.contains(played) || !stones.is_empty_at(played) {
            return wrong(player, "taken, or off the board");
        }
        if is_avoidable_foul::<R>(&stones, played) {
            return wrong(player, "a foul, though other points are left");
        }
        let lateness = took.saturating_sub(terms.turn);
        if lateness > TOLERANCE {
            return wrong(player, &format!("lost on time, {} ms late", lateness.as_millis()));
        }
        extremes.moves += 1;
        extremes.late_moves += u64::from(!lateness.is_zero());
        extremes.note_lateness(lateness, (terms.number, stones.history().len()));
        stones.place(played, color);
    };
    match verdict {
        Verdict::Win(color) => extremes.won[color] += 1,
        Verdict::Foul(color) => extremes.won[!color] += 1,
        Verdict::Draw | Verdict::Ongoing => extremes.drawn += 1,
    }
    let ByColor(players) = players;
    for player in players {
        extremes.memory = extremes.memory.max(player.finish(terms.memory)?);
    }
    Ok(extremes)
}

/// Whether the move loses as a foul, while some other move would not.
fn is_avoidable_foul<R: RuleSet>(stones: &Stones, played: Point) -> bool {
    let is_foul = |point| is_forbidden::<R>(stones, point, stones.to_move());
    is_foul(played) && stones.size().points().any(|p| stones.is_empty_at(p) && !is_foul(p))
}

/// None to eight stones in the middle, nobody having won and nobody having made a foul.
fn random_opening(terms: &Terms, rng: &mut StdRng) -> Stones {
    let count = rng.random_range(0..=8);
    random::scattered(terms.rule, terms.size, count, OPENING_SPREAD, rng)
}

/// Short moves hardly fill a table: here one process searches longer, under all rules in turn and with
/// several threads, and the peak is checked against the limit.
#[test]
fn memory_stays_below_its_limit() -> Result<(), Unmet> {
    let _alone = alone();
    for (memory, threads) in [(70_000_000, 1), (70_000_000, 4), (83_886_080, 2)] {
        search_every_rule(memory, threads, Duration::from_millis(700))?;
    }
    Ok(())
}

/// As above, for long enough to fill the table of a tournament:
/// `cargo test --release --test games long_searches -- --ignored --nocapture`.
#[test]
#[ignore = "four minutes"]
fn memory_stays_below_its_limit_in_long_searches() -> Result<(), Unmet> {
    let _alone = alone();
    for (memory, threads) in [(70_000_000, 2), (367_001_600, 1), (1_000_000_000, 2)] {
        search_every_rule(memory, threads, Duration::from_secs(16))?;
    }
    Ok(())
}

fn search_every_rule(memory: u64, threads: usize, turn: Duration) -> Result<(), Unmet> {
    let mut client = Client::start();
    client.send_burst([
        format!("INFO max_memory {memory}").as_str(),
        format!("INFO thread_num {threads}").as_str(),
        format!("INFO timeout_turn {}", turn.as_millis()).as_str(),
    ]);
    for (rule, side) in Rule::ALL.into_iter().zip([20, 15, 15, 15, 22]) {
        client.send_burst([
            format!("START {side}").as_str(),
            format!("INFO rule {}", rule.gomocup_number()).as_str(),
            "BOARD 7,7,2 8,8,1 10,4,2 DONE",
        ]);
        client.expect_ok()?;
        client.expect_move(turn + PATIENCE)?;
        let peak = peak_of(&client)?;
        println!("{rule}, {threads} threads: {:.1} of {:.1} MB", peak as f64 / 1e6, memory as f64 / 1e6);
        if peak > memory {
            return Err(client.unmet(format!("{rule}, {threads} threads: {peak} bytes, {memory} allowed")));
        }
    }
    client.finish()
}

/// 1,000 moves of 100 ms, every core busy with something else: none may come after its limit, as the
/// manager's clock sees it. Run it in an optimised build and with nothing else on the machine:
/// `cargo test --release --test games under_load -- --ignored --nocapture`.
#[test]
#[ignore = "two minutes of full load, and a promise only about machines without other work"]
fn a_thousand_moves_under_load() -> Result<(), Unmet> {
    const MOVES: u64 = 1000;
    const TURN: Duration = Duration::from_millis(100);
    let _alone = alone();
    let cores = thread::available_parallelism().map_or(2, usize::from);
    let busy = AtomicBool::new(true);
    let result = thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let mut number = 1_u64;
                while busy.load(Ordering::Relaxed) {
                    number = std::hint::black_box(number.wrapping_mul(6_364_136_223_846_793_005) + 1);
                }
            });
        }
        let result = moves_in_time(MOVES, TURN);
        busy.store(false, Ordering::Relaxed);
        result
    });
    let mut took = result?;
    took.sort_unstable();
    let ms = |n: usize| took[n].as_secs_f64() * 1000.0;
    let last = took.len() - 1;
    println!("{} moves: median {:.1} ms, longest {:.1} ms", took.len(), ms(last / 2), ms(last));
    let late = took.iter().filter(|&&time| time > TURN).count();
    assert!(
        late == 0,
        "{late} of {MOVES} moves came after {TURN:?}, the last of them after {:.1} ms",
        ms(last)
    );
    Ok(())
}

/// How long each of so many moves took, in games of the engine against itself under changing rules.
fn moves_in_time(count: u64, turn: Duration) -> Result<Vec<Duration>, Unmet> {
    let mut took = Vec::new();
    for number in 0.. {
        let rule = Rule::ALL[number as usize % Rule::ALL.len()];
        let terms = Terms { turn, size: Size::square(15), rule, ..Terms::of(number, false) };
        with_rule!(rule, R => {
            let mut stones = random_opening(&terms, &mut random::rng(77 + number));
            let mut players = ByColor([Player::start(&terms)?, Player::start(&terms)?]);
            while judge::verdict::<R>(&stones) == Verdict::Ongoing && (took.len() as u64) < count {
                let color = stones.to_move();
                let (played, time) = players[color].ask(&stones, turn)?;
                took.push(time);
                stones.place(played, color);
            }
        });
        if took.len() as u64 >= count {
            break;
        }
    }
    Ok(took)
}

/// A process that stands still until it is woken, as tournaments keep engines while their opponents think.
#[cfg(unix)]
mod frozen {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    use super::*;

    /// Milliseconds for a move and for a game: fast and slow games of Gomocup a hundred times as quick, and long ones
    /// three hundred times.
    const FORMS: [(u64, u64); 3] = [(50, 1_200), (300, 1_800), (1_000, 3_300)];

    /// Moves of both sides after which a game has told enough.
    const MOVES: usize = 24;

    /// What the clocks of a busy machine may miss, over a game.
    const LATENESS: Duration = Duration::from_millis(700);

    struct Sleeper {
        client: Client,
        left: Duration,
        used: Duration,
        moves: u32,
    }

    impl Sleeper {
        /// Tells everything at once, as Piskvork does, and waits for no reply but the first.
        fn start(turn: Duration, game: Duration) -> Result<Sleeper, Unmet> {
            let mut client = Client::start();
            client.send_burst([
                "START 15",
                format!("INFO timeout_turn {}", turn.as_millis()).as_str(),
                format!("INFO timeout_match {}", game.as_millis()).as_str(),
                "INFO max_memory 73400320",
                "INFO game_type 1",
                "INFO rule 1",
            ]);
            client.expect_ok()?;
            let sleeper = Sleeper { client, left: game, used: Duration::ZERO, moves: 0 };
            sleeper.signal(Signal::SIGSTOP);
            Ok(sleeper)
        }

        fn signal(&self, signal: Signal) {
            let id = i32::try_from(self.client.id()).expect("process ids are small");
            kill(Pid::from_raw(id), signal).expect("the engine lives");
        }

        /// Asks while the engine sleeps, wakes it, takes its move, and puts it to sleep again.
        fn ask(&mut self, last: Option<Point>, turn: Duration) -> Result<Point, Unmet> {
            self.client.send(&format!("INFO time_left {}", self.left.as_millis()));
            self.client.send(&last.map_or("BEGIN".to_owned(), |p| format!("TURN {},{}", p.x(), p.y())));
            // What was sent waits in the pipe, longer than a move may take in the first form.
            thread::sleep(Duration::from_millis(70));
            let woken = std::time::Instant::now();
            self.signal(Signal::SIGCONT);
            let point = self.client.expect_move(turn + PATIENCE)?;
            self.signal(Signal::SIGSTOP);
            let used = self.client.last_received().saturating_duration_since(woken);
            self.used += used;
            self.moves += 1;
            if used > turn + LATENESS || used > self.left + LATENESS {
                return Err(self.client.unmet(format!("{used:?} for a move, {:?} left", self.left)));
            }
            self.left = self.left.saturating_sub(used);
            Ok(point)
        }
    }

    /// Neither a move nor a clock is lost while an engine stands still: the time is not its own, so a good part of what
    /// it has is used, and no more than that.
    #[test]
    fn between_moves() -> Result<(), Unmet> {
        let _alone = alone();
        for (turn, whole) in FORMS {
            let [turn, whole] = [turn, whole].map(Duration::from_millis);
            let mut sleepers = [Sleeper::start(turn, whole)?, Sleeper::start(turn, whole)?];
            let mut game = kagetsu::Game::new(Rule::Standard, Size::square(15));
            while game.verdict() == Verdict::Ongoing && game.played().len() < MOVES {
                let last = game.moves().last();
                let sleeper = &mut sleepers[game.played().len() % 2];
                let point = sleeper.ask(last, turn)?;
                game.play(point).map_err(|error| sleeper.client.unmet(format!("{point}: {error}")))?;
            }
            for sleeper in sleepers {
                sleeper.signal(Signal::SIGCONT);
                // Some moves need no time; had the others been asked without any, there would be next to none in all.
                let fair = (turn * sleeper.moves).min(whole) / 20;
                if sleeper.used < fair {
                    return Err(sleeper.client.unmet(format!("{:?} used of {whole:?}", sleeper.used)));
                }
                sleeper.client.finish()?;
            }
        }
        Ok(())
    }
}
