use std::sync::{Arc, Mutex};

use tempfile::TempDir;

use super::*;
use crate::board::{Color, Size};
use crate::rules::judge::{self, Verdict};
use crate::rules::with_rule;

const RULE: Rule = Rule::Freestyle;
/// So few nodes that games are lost.
const NODES: u64 = 60;
const OPPONENT_NODES: u64 = 3_000;

/// A learner that remembers nothing yet, and the folder of its file.
fn new_learner() -> (TempDir, Learner) {
    let folder = tempfile::tempdir().unwrap();
    let learner = Learner::open(&folder.path().join("new/losses.txt")).unwrap();
    (folder, learner)
}

fn request(nodes: u64) -> Request {
    Request::best(Limits { nodes: Some(nodes), ..Limits::default() })
}

/// Plays a game as White against an opponent that always plays the same. Returns whether it was lost, and its
/// moves.
fn play(learner: &Learner, opening: &str) -> (bool, Vec<Point>) {
    let size = Size::square(15);
    let mut stones = Stones::new(size);
    for name in opening.split(' ') {
        stones.place(name.parse().unwrap(), stones.to_move());
    }
    let (mut own, mut other) = (Engine::new(1, 29 << 20), Engine::new(1, 29 << 20));
    loop {
        let answer = if stones.to_move() == Color::White {
            let (request, control) = (request(NODES), Control::new());
            let question = Question::new(RULE, &stones, &request, &control);
            learner.choose(&mut own, &Style::PLAIN, &question)
        } else {
            other.new_game();
            other.think(&Question::new(RULE, &stones, &request(OPPONENT_NODES), &Control::new()))
        };
        stones.place(answer.moves[0], stones.to_move());
        let is_lost = match with_rule!(RULE, R => judge::verdict::<R>(&stones)) {
            Verdict::Ongoing => continue,
            Verdict::Win(color) | Verdict::Foul(color) => color == Color::Black,
            Verdict::Draw => false,
        };
        return (is_lost, stones.history().iter().map(|&(point, _)| point).collect());
    }
}

#[test]
fn no_loss_is_suffered_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/losses.txt");
    let mut learner = Learner::open(&path).unwrap();
    let mut lost: Vec<Vec<Point>> = Vec::new();
    for round in 0..5 {
        // Read anew in every second round, as by another process.
        if round % 2 == 1 {
            learner = Learner::open(&path).unwrap();
        }
        let (is_lost, moves) = play(&learner, "h8 i9 h10");
        assert!(!lost.contains(&moves), "the same loss again in round {round}");
        if is_lost {
            lost.push(moves);
        }
    }
    assert!(!lost.is_empty(), "the opponent is too weak for this test");
}

#[test]
fn a_level_below_full_strength_remembers_nothing() {
    let (_folder, learner) = new_learner();
    let mut stones = Stones::new(Size::square(15));
    stones.place("h8".parse().unwrap(), Color::Black);
    let canonical = CanonicalPosition::new(RULE, &stones).unwrap();
    let style = Style { level: Level::from_number(5).unwrap(), ..Style::PLAIN };
    let mut engine = Engine::new(1, 29 << 20);
    let mut choose = |learner: &Learner, style: &Style| {
        engine.new_game();
        let (request, control) = (request(500), Control::new());
        let question = Question::new(RULE, &stones, &request, &control);
        learner.choose(&mut engine, style, &question).moves[0]
    };
    let (weak, full) = (choose(&learner, &style), choose(&learner, &Style::PLAIN));
    for point in [weak, full] {
        learner.state.lock().keep(Lesson::avoid(&canonical, point, lost_in(4)));
    }
    assert_eq!(choose(&learner, &style), weak);
    assert_ne!(choose(&learner, &Style::PLAIN), full);
}

#[test]
fn what_is_left_of_a_move_is_spare() {
    let answer = |nodes| Answer { moves: Vec::new(), lines: Vec::new(), nodes, elapsed: Duration::ZERO };
    let by_nodes = |used| spare(&request(1000), &answer(used)).map(|limits| limits.nodes);
    assert_eq!((by_nodes(300), by_nodes(900)), (Some(Some(700)), None));
    let timed = |time| spare(&Request::best(Limits { time, ..Limits::default() }), &answer(5));
    let turn = TimeControl { turn: Some(Duration::from_secs(10)), ..TimeControl::default() };
    let left = timed(turn).unwrap().time.turn.unwrap();
    assert!((Duration::from_secs(8)..Duration::from_secs(10)).contains(&left), "{left:?}");
    let game = TimeControl { left: Some(Duration::from_secs(40)), ..turn };
    let left = timed(game).unwrap().time.turn.unwrap();
    assert!((Duration::from_secs(1)..Duration::from_secs(2)).contains(&left), "{left:?}");
    assert!(
        timed(TimeControl::default()).is_none()
            && timed(TimeControl { turn: Some(Duration::ZERO), ..turn }).is_none()
    );
}

/// An engine that answers every request with the point and score that this function returns, which can also
/// inspect the request.
fn answering(answer: impl Fn(&Stones, &Control) -> (&'static str, i32) + Send + 'static) -> Engine {
    Engine::scripted(Box::new(move |_, question| {
        let (point, score) = answer(question.stones, question.control);
        let line = Line { points: vec![point.parse().unwrap()], score, depth: 4, selective_depth: 4 };
        Answer {
            moves: line.points.clone(),
            lines: vec![line],
            nodes: question.request.limits.nodes.unwrap_or(5000) / 10,
            elapsed: Duration::from_millis(1),
        }
    }))
}

#[test]
fn a_study_hears_of_a_stop() {
    let (_folder, learner) = new_learner();
    let control = Arc::new(Control::new());
    // For each search: the number of stones, and whether it was told to stop before it ended.
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (outer, log) = (Arc::clone(&control), Arc::clone(&asked));
    let mut engine = answering(move |stones, control| {
        let count = stones.history().len();
        let mut log = log.lock().unwrap();
        if log.len() == 2 {
            outer.stop();
        }
        log.push((count, control.is_stopped()));
        if count < 3 { ("h8", 10) } else { ("a1", lost_in(4)) }
    });
    let mut stones = Stones::new(Size::square(15));
    stones.place("i9".parse().unwrap(), Color::Black);
    for other in ["c3", "d3"] {
        let request = request(9000);
        let question = Question::new(RULE, &stones, &request, &control);
        let answer = learner.choose(&mut engine, &Style::PLAIN, &question);
        stones.place(answer.moves[0], stones.to_move());
        stones.place(other.parse().unwrap(), stones.to_move());
    }
    // The search of the second move found the loss, and what followed was the study of the first.
    assert_eq!(*asked.lock().unwrap(), [(1, false), (3, false), (1, true)]);
}

/// The only move that stops a five says nothing of why the game was lost.
#[test]
fn a_forced_reply_is_neither_blamed_nor_avoided() {
    let (_folder, learner) = new_learner();
    let mut engine = Engine::new(1, 29 << 20);
    let mut stones = Stones::new(Size::square(15));
    // Black has four in a row, which White has stopped at one end, and three.
    for name in ["d13", "c13", "e13", "a1", "f13", "o1", "g13", "o15", "f7", "a5", "g7", "m3", "h7"] {
        stones.place(name.parse().unwrap(), stones.to_move());
    }
    let mut choose = |stones: &Stones| {
        let (request, control) = (request(2000), Control::new());
        learner.choose(&mut engine, &Style::PLAIN, &Question::new(RULE, stones, &request, &control))
    };
    let canonical = CanonicalPosition::new(RULE, &stones).unwrap();
    let block = choose(&stones).moves[0];
    assert_eq!(block.to_string(), "h13");
    let mut open_four = stones.clone();
    open_four.place(block, Color::White);
    open_four.place("e7".parse().unwrap(), Color::Black);
    // Here the game is lost.
    choose(&open_four);
    assert_eq!(learner.state.lock().lessons.score_avoided(&canonical, block), None);
    // A file of an earlier version may say otherwise.
    learner.state.lock().keep(Lesson::avoid(&canonical, block, lost_in(2)));
    assert_eq!(choose(&stones).moves, [block]);
}

#[test]
fn a_lost_game_is_studied_only_during_games_like_it() {
    let (_folder, learner) = new_learner();
    let study = |rule, side| {
        let own = OwnMove { stones: Stones::new(Size::square(side)), point: Point::new(7, 7), score: 0 };
        Study { rule, moves: vec![own], nodes: 0, slices: 0 }
    };
    let mut state = learner.state.lock();
    [(Rule::Freestyle, 15), (Rule::Freestyle, 20), (Rule::Renju, 15)]
        .into_iter()
        .for_each(|(rule, side)| state.take_up(study(rule, side)));
    assert!(state.next_study((Rule::Renju, Size::square(19))).is_none());
    let (found, _) = state.next_study((Rule::Freestyle, Size::square(15))).unwrap();
    assert_eq!((found.rule, state.studies.len()), (Rule::Freestyle, 2));
    assert!(state.next_study((Rule::Freestyle, Size::square(15))).is_none());
}

/// Whoever is told to move at once has no score to go by, and loses all the same.
#[test]
fn a_game_without_searches_is_lost_by_the_five_that_follows() {
    let (_folder, learner) = new_learner();
    let mut engine = Engine::scripted(Box::new(|_, question| {
        let free =
            |point: &Point| question.stones.is_empty_at(*point) && !question.request.blocked.contains(*point);
        let moves = ["a1", "a15", "o1", "o15", "a8", "o8"].map(|name| name.parse::<Point>().unwrap());
        let moves = moves.into_iter().filter(free).take(1).collect();
        Answer { moves, lines: Vec::new(), nodes: 0, elapsed: Duration::ZERO }
    }));
    let mut play = || {
        let mut stones = Stones::new(Size::square(15));
        for own in ["g8", "h8", "i8", "j8"] {
            stones.place(own.parse().unwrap(), stones.to_move());
            let (request, control) = (request(100), Control::new());
            let question = Question::new(RULE, &stones, &request, &control);
            let answer = learner.choose(&mut engine, &Style::PLAIN, &question);
            stones.place(answer.moves[0], stones.to_move());
        }
        stones.history().iter().skip(1).step_by(2).map(|(point, _)| point.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(play(), ["a1", "a15", "o1", "o15"]);
    // The third move let Black make an open four, and so would its mirror image.
    assert_eq!(play(), ["a1", "a15", "a8", "o1"]);
}

#[test]
fn a_lesson_of_a_short_search_does_not_spare_a_long_one() {
    let (_folder, learner) = new_learner();
    let mut stones = Stones::new(Size::square(15));
    stones.place("i9".parse().unwrap(), Color::Black);
    let canonical = CanonicalPosition::new(RULE, &stones).unwrap();
    let point = canonical.remembered("k11".parse().unwrap());
    learner.state.lock().keep(Lesson::Better { key: canonical.key, point, score: 50, nodes: 40_000 });
    // 500 nodes in a millisecond.
    let mut engine = answering(|_, _| ("h8", 10));
    let mut choose = |nodes: Option<u64>, seconds: Option<u64>| {
        let time = TimeControl { turn: seconds.map(Duration::from_secs), ..TimeControl::default() };
        let request = Request::best(Limits { time, nodes, depth: nodes.or(seconds).is_none().then_some(30) });
        let control = Control::new();
        let question = Question::new(RULE, &stones, &request, &control);
        learner.choose(&mut engine, &Style::PLAIN, &question).moves[0].to_string()
    };
    assert_eq!(choose(Some(30_000), None), "k11");
    assert_eq!(choose(Some(50_000), None), "h8");
    assert_eq!(choose(None, Some(60)), "h8");
    assert_eq!(choose(Some(30_000), Some(60)), "k11");
    // A depth limit alone says nothing about nodes.
    assert_eq!(choose(None, None), "h8");
    // On a machine as slow as this, the search would find out less than the lesson knows.
    learner.state.lock().speed = 200.0;
    let time = TimeControl { turn: Some(Duration::from_secs(60)), ..TimeControl::default() };
    let limits = Limits { time, ..Limits::default() };
    assert_eq!(
        expected_nodes(&limits, &stones, learner.state.lock().speed).map(|nodes| nodes < 12_000),
        Some(true)
    );
    let (request, control) = (Request::best(limits), Control::new());
    let question = Question::new(RULE, &stones, &request, &control);
    assert!(learner.state.lock().known_better(&canonical, &question).is_some());
}

#[test]
fn a_forbidden_point_is_no_lesson() {
    let (_folder, learner) = new_learner();
    let mut stones = Stones::new(Size::square(15));
    for name in ["g7", "a1", "g9", "c1", "f8", "e1", "i8", "h1"] {
        stones.place(name.parse().unwrap(), stones.to_move());
    }
    let point: Point = "g8".parse().unwrap();
    for (rule, is_played) in [(Rule::Freestyle, true), (Rule::Renju, false)] {
        let canonical = CanonicalPosition::new(rule, &stones).unwrap();
        let point = canonical.remembered(point);
        learner.state.lock().keep(Lesson::Better { key: canonical.key, point, score: 50, nodes: 40_000 });
        let (request, control) = (request(1000), Control::new());
        let question = Question::new(rule, &stones, &request, &control);
        assert_eq!(learner.state.lock().known_better(&canonical, &question).is_some(), is_played, "{rule}");
    }
}

#[test]
fn two_searches_share_the_nodes_of_a_move() {
    let (_folder, learner) = new_learner();
    let mut stones = Stones::new(Size::square(15));
    stones.place("i9".parse().unwrap(), Color::Black);
    let canonical = CanonicalPosition::new(RULE, &stones).unwrap();
    learner.state.lock().keep(Lesson::avoid(&canonical, "h8".parse().unwrap(), lost_in(6)));
    // Every move loses, and each search uses a tenth of its limit.
    let mut engine = answering(|_, _| ("h9", lost_in(6)));
    let (request, control) = (request(1000), Control::new());
    let answer =
        learner.choose(&mut engine, &Style::PLAIN, &Question::new(RULE, &stones, &request, &control));
    assert_eq!(answer.nodes, 100 + 90);
    // A limit as large as a number can be is one as well.
    let request = Request::best(Limits { nodes: Some(u64::MAX), ..Limits::default() });
    learner.choose(&mut engine, &Style::PLAIN, &Question::new(RULE, &stones, &request, &control));
}

/// The search without the moves to avoid may have used up the limits.
#[test]
fn a_move_that_lost_before_is_not_played_for_want_of_a_search() {
    let answer = |name: &str, score: Option<Score>| {
        let points = vec![name.parse().unwrap()];
        let line = |score| Line { points: points.clone(), score, depth: 3, selective_depth: 3 };
        let lines = score.map(line).into_iter().collect();
        Answer { moves: points.clone(), lines, nodes: 10, elapsed: Duration::ZERO }
    };
    for (other, chosen) in
        [(None, "h9"), (Some(lost_in(4)), "h9"), (Some(lost_in(8)), "h8"), (Some(-500), "h8")]
    {
        let later = later_loss(answer("h9", Some(lost_in(6))), answer("h8", other));
        assert_eq!((later.moves[0].to_string().as_str(), later.nodes), (chosen, 20), "{other:?}");
    }
}

#[test]
fn a_move_to_avoid_is_played_if_every_other_is_worse() {
    let mut stones = Stones::new(Size::square(15));
    stones.place("i9".parse().unwrap(), Color::Black);
    let canonical = CanonicalPosition::new(RULE, &stones).unwrap();
    // The other move is worth -500, or loses.
    for (avoided, other, chosen) in [
        (-100, -500, "h8"),
        (-600, -500, "h9"),
        (-600, lost_in(6), "h8"),
        (lost_in(8), lost_in(6), "h9"),
        (lost_in(8), -500, "h9"),
    ] {
        let (_folder, learner) = new_learner();
        learner.state.lock().keep(Lesson::avoid(&canonical, "h8".parse().unwrap(), avoided));
        let mut engine = answering(move |_, _| ("h9", other));
        let (request, control) = (request(1000), Control::new());
        let question = Question::new(RULE, &stones, &request, &control);
        let answer = learner.choose(&mut engine, &Style::PLAIN, &question);
        assert_eq!(answer.moves[0].to_string(), chosen, "{avoided} {other}");
    }
}

#[test]
fn each_loss_makes_the_move_to_blame_worth_less() {
    let (_folder, learner) = new_learner();
    let mut stones = Stones::new(Size::square(15));
    stones.place("i9".parse().unwrap(), Color::Black);
    let canonical = CanonicalPosition::new(RULE, &stones).unwrap();
    let point = "h8".parse().unwrap();
    let own = OwnMove { stones, point, score: 10 };
    let mut state = learner.state.lock();
    for (score, worth) in
        [(-100, -140), (-100, -180), (-500, -540), (lost_in(8), lost_in(8)), (0, lost_in(8))]
    {
        state.blame(RULE, Some(&own), score);
        assert_eq!(state.lessons.score_avoided(&canonical, point), Some(worth));
    }
}

#[test]
fn a_position_that_was_bad_from_the_start_blames_no_move() {
    let blamed = |scores: [Score; 3]| {
        let (_folder, learner) = new_learner();
        let mut stones = Stones::new(Size::square(15));
        let mut moves = Vec::new();
        for (n, score) in scores.into_iter().enumerate() {
            stones.place(Point::new(n, 0), stones.to_move());
            let point = Point::new(n, 2);
            moves.push(OwnMove { stones: stones.clone(), point, score });
            stones.place(point, stones.to_move());
        }
        let line = Line { points: vec![Point::new(9, 9)], score: -900, depth: 4, selective_depth: 4 };
        let found =
            Answer { moves: line.points.clone(), lines: vec![line], nodes: 10, elapsed: Duration::ZERO };
        let mut state = learner.state.lock();
        state.go_on_with(Study { rule: RULE, moves: moves.clone(), nodes: 0, slices: 0 }, &found, None);
        moves
            .iter()
            .map(|own| {
                let canonical = CanonicalPosition::new(RULE, &own.stones).unwrap();
                state.lessons.score_avoided(&canonical, own.point)
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(blamed([-800, -850, -870]), [None; 3]);
    // The last move that promised more.
    assert_eq!(blamed([10, -850, -870]), [Some(-940), None, None]);
    assert_eq!(blamed([10, 20, -870]), [None, Some(-940), None]);
}

#[test]
fn a_study_that_finds_nothing_better_than_the_move_to_avoid_leaves_it_at_that() {
    let mut stones = Stones::new(Size::square(15));
    stones.place("i9".parse().unwrap(), Color::Black);
    let canonical = CanonicalPosition::new(RULE, &stones).unwrap();
    let own = OwnMove { stones, point: "h8".parse().unwrap(), score: 10 };
    for (score, is_kept) in [(-50, true), (-150, false), (lost_in(6), false)] {
        let (_folder, learner) = new_learner();
        let mut state = learner.state.lock();
        state.keep(Lesson::avoid(&canonical, own.point, -100));
        let line = Line { points: vec!["h9".parse().unwrap()], score, depth: 4, selective_depth: 4 };
        let found =
            Answer { moves: line.points.clone(), lines: vec![line], nodes: 10, elapsed: Duration::ZERO };
        let study = Study { rule: RULE, moves: vec![own.clone()], nodes: 0, slices: STUDY_SLICES - 1 };
        state.go_on_with(study, &found, None);
        assert_eq!(
            (state.lessons.better(&canonical).is_some(), state.studies.len()),
            (is_kept, 0),
            "{score}"
        );
    }
}
