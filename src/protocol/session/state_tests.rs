#![allow(clippy::unwrap_used)]

use std::time::Duration;

use super::*;
use crate::engine::Engine;
use crate::protocol::session::Setting;
use crate::protocol::session::settings::MIN_MEMORY;
use crate::rules::Rule;
use crate::search::TimeControl;

fn started(side: i64) -> Session {
    let mut session = Session::new(1, 350 << 20, Style::PLAIN);
    session.start(side, side).unwrap();
    session
}

/// Everything that a faulty command could have changed.
fn state(session: &Session) -> String {
    format!("{session:?}")
}

#[test]
fn faulty_commands_change_nothing() {
    let mut session = started(15);
    session.set_board(&[(7, 7, 1), (8, 8, 2), (0, 0, 3)]).unwrap();
    session.block(&[(1, 1)]).unwrap();
    session.apply(&Setting::TimeLeft(1000));
    let before = state(&session);
    let taken = SessionError::Occupied(Point::new(7, 7));
    assert_eq!(session.start(4, 4), Err(SessionError::Size(4, 4)));
    assert_eq!(session.start(15, 23), Err(SessionError::Size(15, 23)));
    assert_eq!(session.start(i64::MIN, i64::MAX), Err(SessionError::Size(i64::MIN, i64::MAX)));
    assert_eq!(session.begin(), Err(SessionError::NotEmpty));
    assert_eq!(session.turn((7, 7)), Err(taken));
    assert_eq!(session.turn((0, 0)), Err(SessionError::Occupied(Point::new(0, 0))));
    assert_eq!(session.turn((15, 0)), Err(SessionError::Outside(15, 0)));
    assert_eq!(session.turn((-1, i64::MAX)), Err(SessionError::Outside(-1, i64::MAX)));
    assert_eq!(session.play((7, 7)), Err(taken));
    assert_eq!(session.take_back((3, 3)), Err(SessionError::NoStone(Point::new(3, 3))));
    assert_eq!(session.take_back((0, 0)), Err(SessionError::NoStone(Point::new(0, 0))));
    assert_eq!(session.set_board(&[(1, 1, 1), (1, 1, 2)]), Err(SessionError::Occupied(Point::new(1, 1))));
    assert_eq!(session.set_board(&[(1, 1, 4)]), Err(SessionError::Field(4)));
    assert_eq!(session.set_board(&[(1, 15, 1)]), Err(SessionError::Outside(1, 15)));
    assert_eq!(session.set_analysis_board(&[(1, 15, 1)]), Err(SessionError::Outside(1, 15)));
    assert_eq!(session.set_opening(&[(1, 1), (1, 1)]), Err(SessionError::Occupied(Point::new(1, 1))));
    assert_eq!(session.block(&[(2, 2), (15, 15)]), Err(SessionError::Outside(15, 15)));
    assert_eq!(session.unblock(&[(1, 1), (15, 15)]), Err(SessionError::Outside(15, 15)));
    assert_eq!(session.adopt_side_to_move(1000), Err(SessionError::Full));
    for setting in [
        Setting::Rule(16),
        Setting::Rule(-1),
        Setting::TurnTime(-5),
        Setting::MatchTime(-5),
        Setting::MaxMemory(-5),
        Setting::Threads(0),
        Setting::ShowDetail(4),
        Setting::CautionFactor(6),
    ] {
        session.apply(&setting);
    }
    assert_eq!(state(&session), before);
}

#[test]
fn nothing_goes_before_start() {
    let mut session = Session::new(1, 1 << 30, Style::PLAIN);
    let no = Err(SessionError::NoBoard);
    assert_eq!(session.restart(), no);
    assert_eq!(session.begin(), no);
    assert_eq!(session.turn((1, 1)), no);
    assert_eq!(session.take_back((1, 1)), no);
    assert_eq!(session.set_board(&[]), no);
    assert_eq!(session.set_opening(&[]), no);
    assert_eq!(session.block(&[(1, 1)]), no);
    assert_eq!(session.forbidden_points(), Err(SessionError::NoBoard));
}

#[test]
fn colors_follow_from_the_board() {
    type Case = (&'static [(i64, i64, i64)], Color);
    let cases: [Case; 6] = [
        (&[], Color::Black),
        (&[(1, 1, 1), (2, 2, 2)], Color::Black),
        (&[(1, 1, 2)], Color::White),
        // Own stones first, in a freestyle manager's order: counts decide.
        (&[(1, 1, 1), (2, 2, 2), (3, 3, 2)], Color::White),
        // Counts that fit no game in progress: the first stone decides.
        (&[(0, 0, 3), (1, 1, 2), (2, 2, 2), (3, 3, 2)], Color::White),
        (&[(1, 1, 1), (2, 2, 1)], Color::Black),
    ];
    for (cells, own) in cases {
        let mut session = started(15);
        session.set_board(cells).unwrap();
        assert_eq!(session.own(), Some(own), "{cells:?}");
        assert_eq!(session.stones().unwrap().to_move(), own);
        // The opponent's next stone has the other colour, and the engine is to move again.
        session.play_answer(&[Point::new(9, 9)]);
        session.turn((10, 10)).unwrap();
        assert_eq!(session.stones().unwrap().recent(0), Some((Point::new(10, 10), !own)));
        assert_eq!(session.stones().unwrap().to_move(), own);
    }
}

#[test]
fn colors_survive_taking_back() {
    let mut session = started(15);
    session.begin().unwrap();
    session.play_answer(&[Point::new(7, 7)]);
    session.turn((8, 8)).unwrap();
    session.play_answer(&[Point::new(6, 6)]);
    session.take_back((6, 6)).unwrap();
    session.take_back((8, 8)).unwrap();
    session.turn((9, 9)).unwrap();
    assert_eq!(session.own(), Some(Color::Black));
    // All stones away: the game begins anew, and the opponent opens it.
    session.take_back((9, 9)).unwrap();
    session.take_back((7, 7)).unwrap();
    session.turn((3, 3)).unwrap();
    assert_eq!(session.own(), Some(Color::White));
}

#[test]
fn the_last_cell_leaves_no_answer() {
    let mut session = started(5);
    let cells: Vec<_> = (0..24).map(|n| (n % 5, n / 5, 1 + n % 2)).collect();
    session.set_board(&cells).unwrap();
    assert_eq!(session.turn((4, 4)), Err(SessionError::Full));
    let full: Vec<_> = (0..25).map(|n| (n % 5, n / 5, 1 + n % 2)).collect();
    assert_eq!(session.set_board(&full), Err(SessionError::Full));
    assert_eq!(session.set_analysis_board(&full), Ok(()));
}

#[test]
fn rule_two_depends_on_the_dialect() {
    let mut session = Session::new(1, 1 << 30, Style::PLAIN);
    session.apply(&Setting::Rule(2));
    assert_eq!(session.rule(), Rule::Freestyle);
    // The marker may come after the rule.
    session.apply(&Setting::ShowDetail(1));
    assert_eq!(session.rule(), Rule::Renju);
    for (number, rule) in [(4, Rule::Renju), (5, Rule::Freestyle), (6, Rule::Freestyle), (1, Rule::Standard)]
    {
        session.apply(&Setting::Rule(number));
        assert_eq!(session.rule(), rule);
    }
    let mut plain = Session::new(1, 1 << 30, Style::PLAIN);
    plain.apply(&Setting::Rule(5));
    assert_eq!(plain.rule(), Rule::Renju);
}

#[test]
fn time_left_replaces_own_bookkeeping() {
    let ms = Duration::from_millis;
    let mut session = started(15);
    assert_eq!(session.limits().time.turn, Some(crate::search::params::DEFAULT_TURN));
    session.apply(&Setting::MatchTime(10_000));
    assert_eq!(session.limits().time, TimeControl { left: Some(ms(10_000)), ..TimeControl::default() });
    session.record_time(ms(3_000));
    assert_eq!(session.limits().time.left, Some(ms(7_000)));
    session.apply(&Setting::TimeLeft(9_000));
    session.record_time(ms(500));
    assert_eq!(session.limits().time.left, Some(ms(8_500)));
    session.apply(&Setting::TimeLeft(-20));
    assert_eq!(session.limits().time.left, Some(Duration::ZERO));
    session.apply(&Setting::TimeLeft(i64::from(i32::MAX)));
    assert_eq!(session.limits().time.left, None);
    session.apply(&Setting::TurnTime(0));
    assert_eq!(session.limits().time.turn, Some(Duration::ZERO));
}

#[test]
fn what_the_manager_takes_off_beside_is_kept_back_for_the_rest() {
    let ms = Duration::from_millis;
    let mut session = started(15);
    session.apply(&Setting::TimeIncrement(100));
    let mut left = 30_000;
    let mut next = |session: &mut Session, used: u64, overhead: i64| {
        session.record_time(ms(used));
        left += 100 - used as i64 - overhead;
        session.apply(&Setting::TimeLeft(left));
        ms(left as u64).saturating_sub(session.limits().time.left.unwrap())
    };
    session.apply(&Setting::TimeLeft(30_000));
    assert_eq!(session.limits().time.left, Some(ms(30_000)));
    // Half of the 80 ms in the mean after a few moves, and nearly all later; 40 moves are to come.
    assert_eq!(next(&mut session, 500, 80), ms(20 * 40));
    let kept: Vec<Duration> = (0..20).map(|_| next(&mut session, 500, 80)).collect();
    let last = *kept.last().unwrap();
    assert!(kept.is_sorted() && last > ms(75 * 40) && last <= ms(80 * 40), "{kept:?}");
    // Clocks that are set anew change nothing, and little time is shared with what is still to come.
    assert_eq!(next(&mut session, 500, 1_500), last);
    assert!(next(&mut session, 500, -5_000) == last);
    assert!(next(&mut session, 500, 0).abs_diff(last * 3 / 4) < Duration::from_micros(1));
    // Nor does a clock that shows whole seconds: what it hides of one move it shows of the next.
    let kept: Vec<Duration> =
        (0..40).map(|n| next(&mut session, 500, if n % 2 == 0 { 500 } else { -500 })).collect();
    assert!(*kept.last().unwrap() == ms(0), "{kept:?}");
    session.apply(&Setting::TimeLeft(200));
    assert_eq!(session.limits().time.left, Some(ms(200)));
    session.start(15, 15).unwrap();
    session.record_time(ms(0));
    session.start(15, 15).unwrap();
    session.apply(&Setting::TimeLeft(30_000));
    assert_eq!(session.limits().time.left, Some(ms(30_000)));
}

#[test]
fn a_new_game_has_all_its_time_again() {
    let ms = Duration::from_millis;
    let mut session = started(15);
    session.apply(&Setting::MatchTime(10_000));
    session.apply(&Setting::TimeLeft(4_000));
    // As Yixin-Board does it: the time, then the board.
    session.start(15, 15).unwrap();
    assert_eq!(session.limits().time.left, Some(ms(4_000)));
    session.record_time(ms(1_000));
    session.restart().unwrap();
    assert_eq!(session.limits().time.left, Some(ms(10_000)));
    session.apply(&Setting::TimeIncrement(2_000));
    session.record_time(ms(500));
    assert_eq!(session.limits().time.left, Some(ms(11_500)));
}

#[test]
fn memory_is_the_lower_limit() {
    let mut session = Session::new(1, 350 << 20, Style::PLAIN);
    assert_eq!(session.memory(), 350 << 20);
    session.apply(&Setting::HashSize(64 << 10));
    assert_eq!(session.memory(), Engine::memory_for(1, 64 << 20));
    session.apply(&Setting::MaxMemory(70 << 20));
    assert_eq!(session.memory(), 70 << 20);
    session.apply(&Setting::MaxMemory(1000));
    assert_eq!(session.memory(), MIN_MEMORY);
    assert_eq!(session.take_complaint(), Some(SessionError::Memory(1000)));
    assert_eq!(session.take_complaint(), None);
    session.apply(&Setting::HashSize(i64::MAX));
    session.apply(&Setting::MaxMemory(0));
    assert_eq!(session.memory(), u64::MAX);
}

#[test]
fn how_to_play_is_set_and_nonsense_changes_nothing() {
    use std::path::PathBuf;

    use crate::levels::{Level, Variety};

    let mut session = started(15);
    assert_eq!(session.style(), Style { seed: session.style().seed, ..Style::PLAIN });
    session.apply(&Setting::Strength(0));
    assert_eq!(session.style().level.number(), 1);
    session.apply(&Setting::Level(4));
    session.apply(&Setting::Level(0));
    session.apply(&Setting::Strength(-1));
    session.apply(&Setting::Strength(101));
    session.apply(&Setting::Strength(256));
    assert_eq!(session.style().level.number(), 4);
    session.apply(&Setting::Strength(100));
    assert_eq!(session.style().level, Level::FULL);
    session.apply(&Setting::Variety(4));
    for nonsense in [-4, 51, 255, 256, 1000] {
        session.apply(&Setting::Variety(nonsense));
    }
    session.apply(&Setting::Seed(-1));
    assert_eq!((session.style().variety, session.style().seed), (Variety::percent(4), u64::MAX));
    // A seed that was given applies to all games.
    session.start(15, 15).unwrap();
    session.restart().unwrap();
    assert_eq!(session.style().seed, u64::MAX);
    // A folder alone does not mean that games are remembered.
    session.apply(&Setting::Folder(PathBuf::from("data")));
    assert_eq!(session.experience_file(), None);
    session.apply(&Setting::Learn(true));
    assert_eq!(session.experience_file(), Some(PathBuf::from("data/kagetsu/losses.txt")));
    let told = session.remembering_in(Some(PathBuf::from("own.txt")));
    assert_eq!(told.experience_file(), Some(PathBuf::from("own.txt")));
}

#[test]
fn each_game_of_a_process_has_a_seed_of_its_own() {
    let mut session = Session::new(1, 350 << 20, Style { seed: u64::MAX, ..Style::PLAIN });
    let mut seeds = Vec::new();
    for _ in 0..3 {
        session.start(15, 15).unwrap();
        seeds.push(session.style().seed);
        session.restart().unwrap();
        seeds.push(session.style().seed);
    }
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 6);
    // A seed that was given repeats the same game.
    session.apply(&Setting::Seed(5));
    session.restart().unwrap();
    session.start(15, 15).unwrap();
    assert_eq!(session.style().seed, 5);
}
