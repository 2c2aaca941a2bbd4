use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::*;
use crate::board::{Color, Size, Symmetry};
use crate::rules::Rule;
use crate::rules::judge::{self, Verdict};
use crate::search::{Control, Line, SearchProgress};

/// A small table is quicker to clear, which happens at every move.
const MEMORY: u64 = 29 << 20;

fn stones(black: &[&str], white: &[&str], to_move: Color) -> Stones {
    let mut stones = Stones::new(Size::square(15));
    let mut place = |names: &[&str], color| {
        names.iter().for_each(|name| stones.place(name.parse().unwrap(), color));
    };
    place(black, Color::Black);
    place(white, Color::White);
    stones.set_to_move(to_move);
    stones
}

fn at(level: Level, seed: u64) -> Style {
    Style { level, seed, ..Style::PLAIN }
}

fn ask(engine: &mut Engine, style: &Style, rule: Rule, stones: &Stones, nodes: u64) -> Point {
    let request = Request::best(Limits { nodes: Some(nodes), ..Limits::default() });
    choose(engine, style, &Question::new(rule, stones, &request, &Control::new())).moves[0]
}

#[test]
fn every_level_takes_fives_and_all_but_beginners_stop_them() {
    let mut engine = Engine::new(1, MEMORY);
    let own = stones(&["c3", "d3", "e3", "f3", "j12"], &["k8", "l8", "m8", "n8", "b3"], Color::Black);
    let other = stones(&["c3", "d3", "e3", "f3"], &["k11", "l8", "m10", "b3"], Color::White);
    for level in Level::all() {
        let (mut stopped, mut asked) = (0, 0);
        for seed in 0..20 {
            for rule in [Rule::Freestyle, Rule::Renju] {
                let played = |engine: &mut Engine, stones| ask(engine, &at(level, seed), rule, stones, 400);
                assert_eq!(played(&mut engine, &own).to_string(), "g3", "{level}");
                stopped += usize::from(played(&mut engine, &other).to_string() == "g3");
                asked += 1;
            }
        }
        assert_eq!(stopped == asked, level.weakness().fives == 0, "{level}: {stopped} of {asked}");
        assert!(stopped * 2 > asked, "{level}: {stopped} of {asked}");
    }
}

/// The table of five-tuples counts windows, and two of them in a gap that makes six look better than a five.
#[test]
fn no_level_takes_six_for_a_five_where_it_wins_nothing() {
    let mut engine = Engine::new(1, MEMORY);
    let gap = ["c3", "d3", "e3", "g3", "h3"];
    let white = ["c10", "k8", "l5", "m12", "n2", "n14", "b14", "b7"];
    let own = stones(&[&gap[..], &["d10", "e10", "f10", "g10"]].concat(), &white, Color::Black);
    let other = [&["d10", "e10", "f10", "g10"], &white[1..]].concat();
    let other = stones(&[&gap[..], &["c10", "a13", "l13"]].concat(), &other, Color::Black);
    for level in Level::all().filter(|level| level.weakness().fives == 0) {
        // Under exact-caro the other end of the five may be blocked as well.
        for (rule, expected) in [(Rule::Standard, "h10"), (Rule::Freestyle, "f3")] {
            let played = ask(&mut engine, &at(level, 1), rule, &other, 400).to_string();
            assert_eq!(played, expected, "{level}: {rule}");
        }
        for rule in [Rule::Standard, Rule::ExactCaro] {
            assert_eq!(
                ask(&mut engine, &at(level, 1), rule, &own, 400).to_string(),
                "h10",
                "{level}: {rule}"
            );
        }
    }
}

/// Plays a game of a level against itself, and checks that each move is legal and near the other stones.
fn play_out(engine: &mut Engine, style: &Style, rule: Rule) -> Vec<Point> {
    let mut stones = Stones::new(Size::square(15));
    while stones.history().len() < 60 {
        let point = ask(engine, style, rule, &stones, 400);
        assert!(stones.is_empty_at(point));
        let near = stones.history().iter().map(|&(other, _)| other.distance(point)).min();
        assert!(near.is_none_or(|near| near <= 4), "{}: {point} far from all", style.level);
        stones.place(point, stones.to_move());
        match with_rule!(rule, R => judge::verdict::<R>(&stones)) {
            Verdict::Ongoing => {}
            Verdict::Foul(_) => panic!("{}: {point} is forbidden", style.level),
            Verdict::Win(_) | Verdict::Draw => break,
        }
    }
    stones.history().iter().map(|&(point, _)| point).collect()
}

#[test]
fn levels_play_legal_plausible_games_that_a_seed_repeats() {
    let mut engine = Engine::new(1, MEMORY);
    for level in Level::all().filter(|&level| level.weakness() != Weakness::NONE || level.number() <= 4) {
        let game = play_out(&mut engine, &at(level, 1), Rule::Renju);
        assert!(game.len() > 8, "{level}");
        assert_eq!(play_out(&mut engine, &at(level, 1), Rule::Renju), game, "{level}");
        // The strongest of them seldom make a random choice, so not every game has one.
        let mut others = (2..40).map(|seed| play_out(&mut engine, &at(level, seed), Rule::Renju));
        assert!(others.any(|other| other != game), "{level}: chance changes nothing");
    }
}

#[test]
fn a_weak_level_overlooks_now_and_then_what_a_strong_one_sees() {
    let mut engine = Engine::new(1, MEMORY);
    // A three of Black far from the last stones, on a diagonal.
    let three = stones(&["c3", "d4", "e5", "l12"], &["k11", "m13", "l11"], Color::White);
    let stops: BTreeSet<&str> = ["b2", "f6", "a1", "g7"].into();
    let mut share = |level: Level| -> usize {
        (0..60)
            .filter(|&seed| {
                let point = ask(&mut engine, &at(level, seed), Rule::Freestyle, &three, 400).to_string();
                stops.contains(point.as_str())
            })
            .count()
    };
    let weak = share("novice 1".parse().unwrap());
    assert!((10..58).contains(&weak), "{weak} of 60");
    assert_eq!(share(Level::all().find(|level| level.to_string() == "expert 1").unwrap()), 60);
}

#[test]
fn nothing_that_was_searched_before_helps_a_weak_level() {
    let stones = stones(&["h8", "i9", "g10"], &["i8", "h10", "j11"], Color::Black);
    let level = "novice 2".parse().unwrap();
    let mut fresh = Engine::new(1, MEMORY);
    let expected = ask(&mut fresh, &at(level, 9), Rule::Standard, &stones, u64::MAX);
    let mut engine = Engine::new(1, MEMORY);
    ask(&mut engine, &Style::PLAIN, Rule::Standard, &stones, 30_000);
    assert_eq!(ask(&mut engine, &at(level, 9), Rule::Standard, &stones, u64::MAX), expected);
}

#[test]
fn decisions_in_openings_have_the_nodes_of_the_level() {
    let allowed = |nodes| Limits { nodes, depth: Some(9), ..Limits::default() };
    let nodes = |name: &str, allowed: Limits| {
        let request = at(name.parse().unwrap(), 1).opening_request(allowed, Instant::now());
        assert_eq!(request.limits.depth, allowed.depth);
        assert_eq!(request.threads == Threads::All, name == "full");
        request.limits.nodes
    };
    assert_eq!(nodes("tuples", allowed(None)), Some(40));
    assert_eq!(nodes("club 2", allowed(None)), Some(1050));
    assert_eq!(nodes("club 2", allowed(Some(500))), Some(500));
    assert_eq!(nodes("full", allowed(None)), None);
    assert_eq!(nodes("full", allowed(Some(500))), Some(500));
}

#[test]
fn a_level_and_a_varied_game_under_a_seed_search_with_one_thread() {
    let stones = stones(&["h8", "i9", "g10"], &["i8", "h10", "j11"], Color::Black);
    let level = Level::all().find(|level| level.to_string() == "strong 3").unwrap();
    let varied = Style { variety: Variety::percent(5), seed: 3, ..Style::PLAIN };
    for (style, expected) in [
        (at(level, 9), 1),
        (Style { repeats: true, ..varied }, 1),
        (varied, 3),
        (Style { seed: 3, repeats: true, ..Style::PLAIN }, 3),
    ] {
        let seen = Arc::new(AtomicUsize::new(0));
        let noted = Arc::clone(&seen);
        let mut engine = Engine::scripted(Box::new(move |means, _| {
            noted.store(means.threads, Ordering::Relaxed);
            Answer { moves: Vec::new(), lines: Vec::new(), nodes: 0, elapsed: Duration::ZERO }
        }));
        engine.set_threads(3);
        ask(&mut engine, &style, Rule::Standard, &stones, 5000);
        assert_eq!(seen.load(Ordering::Relaxed), expected, "{style:?}");
        assert_eq!(engine.threads(), 3);
    }
}

/// Also by one engine, whose table and history know the first game.
#[test]
fn a_varied_game_under_a_seed_is_played_again() {
    let style = Style { variety: Variety::percent(10), seed: 7, repeats: true, ..Style::PLAIN };
    let mut engine = Engine::new(1, MEMORY);
    let mut play = || {
        let mut stones = Stones::new(Size::square(15));
        for name in ["h8", "i10", "d4", "f10", "k5"] {
            let point = name.parse().unwrap();
            if stones.is_empty_at(point) {
                stones.place(point, Color::Black);
                let reply = ask(&mut engine, &style, Rule::Freestyle, &stones, 3000);
                stones.place(reply, Color::White);
            }
        }
        stones.history().to_vec()
    };
    let first = play();
    assert_eq!(play(), first);
}

/// A panic around the search is caught by callers, who go on with the same engine.
#[test]
fn a_panic_leaves_all_threads_for_what_comes_next() {
    let stones = stones(&["h8", "i9", "g10"], &["i8", "h10", "j11"], Color::Black);
    let seen = Arc::new(AtomicUsize::new(0));
    let noted = Arc::clone(&seen);
    let mut engine = Engine::scripted(Box::new(move |means, question| {
        noted.store(means.threads, Ordering::Relaxed);
        // A line without moves, which no search returns.
        let line = Line { points: Vec::new(), score: 0, depth: 1, selective_depth: 1 };
        (question.report)(SearchProgress::Line {
            rank: 0,
            ranks: 1,
            line: line.clone(),
            nodes: 1,
            elapsed: Duration::ZERO,
        });
        Answer { moves: Vec::new(), lines: vec![line], nodes: 1, elapsed: Duration::ZERO }
    }));
    engine.set_threads(3);
    let style = Style { variety: Variety::percent(5), seed: 3, repeats: true, ..Style::PLAIN };
    let choose = || ask(&mut engine, &style, Rule::Standard, &stones, 5000);
    assert!(crate::engine::guarded(choose).is_err());
    assert_eq!(seen.load(Ordering::Relaxed), 1);
    let request = Request::best(Limits { nodes: Some(100), ..Limits::default() });
    engine.think(&Question::new(Rule::Standard, &stones, &request, &Control::new()));
    assert_eq!(seen.load(Ordering::Relaxed), 3);
}

#[test]
fn the_plain_style_is_the_engine_itself() {
    let stones = stones(&["h8", "i9", "g10"], &["i8", "h10"], Color::White);
    let request = Request::best(Limits { nodes: Some(3000), ..Limits::default() });
    let control = Control::new();
    let question = Question::new(Rule::Renju, &stones, &request, &control);
    let direct = Engine::new(1, MEMORY).think(&question);
    let styled = choose(&mut Engine::new(1, MEMORY), &Style::PLAIN, &question);
    assert_eq!((direct.moves, direct.lines, direct.nodes), (styled.moves, styled.lines, styled.nodes));
}

#[test]
fn blocked_and_forbidden_points_leave_a_legal_move() {
    let mut engine = Engine::new(1, MEMORY);
    let empty = Stones::new(Size::square(5));
    for level in Level::all().take(6) {
        let mut request = Request::best(Limits { nodes: Some(100), ..Limits::default() });
        request.blocked = empty.size().points().collect();
        let control = Control::new();
        let question = Question::new(Rule::Renju, &empty, &request, &control);
        let answer = choose(&mut engine, &at(level, 0), &question);
        assert!(empty.is_empty_at(answer.moves[0]), "{level}");
    }
}

/// A text that is the same for all turned and mirrored images of the position.
fn turned_alike(points: &[Point], size: Size) -> String {
    let turned = |symmetry: Symmetry| -> String {
        let mut names: Vec<String> = points
            .iter()
            .enumerate()
            .map(|(n, &point)| format!("{}{}", n % 2, symmetry.apply(point, size)))
            .collect();
        names.sort();
        names.concat()
    };
    Symmetry::of(size).map(turned).min().unwrap_or_default()
}

#[test]
fn a_hundred_varied_games_begin_in_fifty_ways() {
    let mut engine = Engine::new(1, MEMORY);
    let size = Size::square(15);
    let mut begin = |variety: Variety, seed: u64| {
        let style = Style { variety, seed, ..Style::PLAIN };
        let mut stones = Stones::new(size);
        for _ in 0..5 {
            engine.new_game();
            let point = ask(&mut engine, &style, Rule::Freestyle, &stones, 300);
            stones.place(point, stones.to_move());
        }
        stones.history().iter().map(|&(point, _)| point).collect::<Vec<Point>>()
    };
    let varied: Vec<Vec<Point>> = (0..100).map(|seed| begin(Variety::percent(5), seed)).collect();
    assert_eq!(begin(Variety::percent(5), 42), varied[42], "a seed makes the game");
    let different: BTreeSet<String> = varied.iter().map(|points| turned_alike(points, size)).collect();
    assert!(different.len() >= 50, "{} different positions", different.len());
    let plain: BTreeSet<Vec<Point>> = (0..3).map(|seed| begin(Variety::NONE, seed)).collect();
    assert_eq!(plain.len(), 1);
}
