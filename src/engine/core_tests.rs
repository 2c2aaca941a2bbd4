//! What an engine guarantees, whatever it thinks of the position.

use std::time::Duration;

use super::*;
use crate::board::{Color, Point, PointSet, Size};
use crate::eval::score;
use crate::formats::picture;
use crate::search::{Line, Task, TimeControl};

pub(super) const MEMORY: u64 = 64 << 20;

pub(super) fn stones(picture: &str) -> Stones {
    picture::read(picture).unwrap().stones
}

pub(super) fn to_depth(depth: u32) -> Request {
    Request::best(Limits { depth: Some(depth), ..Limits::default() })
}

pub(super) fn ask(rule: Rule, stones: &Stones, request: &Request) -> Answer {
    think(&mut Engine::new(1, MEMORY), rule, stones, request)
}

fn think(engine: &mut Engine, rule: Rule, stones: &Stones, request: &Request) -> Answer {
    engine.think(&Question::new(rule, stones, request, &Control::new()))
}

/// The move for this side in this picture, after a search of six plies.
fn answer(rule: Rule, picture: &str, to_move: Color) -> Point {
    let mut stones = stones(picture);
    stones.set_to_move(to_move);
    ask(rule, &stones, &to_depth(6)).moves[0]
}

pub(super) fn point(text: &str) -> Point {
    text.parse().unwrap()
}

pub(super) const QUIET: &str = ". . . . . . . . .
                     . . . . . . . . .
                     . . . . . . . . .
                     . . . X O . . . .
                     . . . . X . . . .
                     . . . . O O . . .
                     . . . X . . . . .
                     . . . . . . . . .
                     . . . . . . . . .";

#[test]
fn one_thread_searches_the_same_every_time() {
    for rule in Rule::ALL {
        let first = ask(rule, &stones(QUIET), &to_depth(7));
        let mut engine = Engine::new(1, MEMORY);
        // Another game in between must leave nothing behind.
        think(&mut engine, Rule::Renju, &Stones::new(Size::square(15)), &to_depth(4));
        engine.new_game();
        let second = think(&mut engine, rule, &stones(QUIET), &to_depth(7));
        assert_eq!(
            (first.moves, first.nodes, first.lines),
            (second.moves, second.nodes, second.lines),
            "{rule}"
        );
    }
}

/// The history is shared by all rules and boards, so anything left from before would change the result.
#[test]
fn another_rule_or_board_forgets_by_itself() {
    let other = Stones::new(Size::new(15, 9).unwrap());
    for (rule, before) in [(Rule::Standard, &stones(QUIET)), (Rule::Freestyle, &other)] {
        let mut engine = Engine::new(1, MEMORY);
        think(&mut engine, rule, before, &to_depth(6));
        let after = think(&mut engine, Rule::Freestyle, &stones(QUIET), &to_depth(7));
        let fresh = ask(Rule::Freestyle, &stones(QUIET), &to_depth(7));
        assert_eq!((after.moves, after.nodes), (fresh.moves, fresh.nodes));
    }
}

#[test]
fn a_panic_is_answered_and_the_engine_goes_on() {
    let mut calls = 0;
    let mut engine = Engine::scripted(Box::new(move |_, _| {
        calls += 1;
        panic!("for the {calls}. time")
    }));
    for rule in Rule::ALL {
        let answer = think(&mut engine, rule, &stones(QUIET), &to_depth(7));
        assert!(stones(QUIET).is_empty_at(answer.moves[0]) && answer.lines.is_empty());
        let empty = Stones::new(Size::square(15));
        let request = Request::best(Limits::default());
        let choice = engine.decide_swap2(Swap2Question::Propose, rule, &empty, &request, &Control::new());
        assert!(matches!(choice, Ok(Swap2Choice::Place(points)) if points.len() == 3));
    }
}

#[test]
fn a_five_is_made_before_one_is_stopped() {
    let picture = ". . . . . . . . .
                   . X X X X . . . .
                   . . . . . . . . .
                   . O O O O . . . .
                   . . . . . . . . .
                   . . . . . . . . .
                   . . . . . . . . .
                   . . . . . . . . .
                   . . . . . . . . .";
    for rule in Rule::ALL {
        assert!([point("a2"), point("f2")].contains(&answer(rule, picture, Color::Black)), "{rule}");
        assert!([point("a4"), point("f4")].contains(&answer(rule, picture, Color::White)), "{rule}");
    }
}

#[test]
fn a_lost_position_is_defended_all_the_same() {
    // An open four: the position is lost, and yet one end should be blocked.
    let open_four = ". . . . . . . . . . .
                     . . . . . . . . . . .
                     . . . X X X X . . . .
                     . . . . . . . . . . .
                     . . . . O . . . . . .
                     . . . . O O . . . . .
                     . . . . . . . . . . .
                     . . . . . . . . . . .
                     . . . . . . . . . . .
                     . . . . . . . . . . .
                     . . . . . . . . . . .";
    // Two open threes: the move should meet one of them or make a four.
    let two_threes = ". . . . . . . . . . .
                      . . . . . . . . . . .
                      . . . X X X . . . . .
                      . . . . . . . . . . .
                      . . . . . . . X . . .
                      . . . . O . . X . . .
                      . . . . O O . X . . .
                      . . . . . . . . . . .
                      . . . . . . . . . . .
                      . . . . . . . . . . .
                      . . . . . . . . . . .";
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Caro, Rule::ExactCaro] {
        let block = answer(rule, open_four, Color::White);
        assert!([point("c3"), point("h3")].contains(&block), "{rule}: {block}");
        let stop = answer(rule, two_threes, Color::White);
        let near = |text: &str| stop.distance(point(text)) <= 3;
        assert!(near("e3") || near("h6"), "{rule}: {stop}");
    }
}

#[test]
fn an_open_three_is_met() {
    let picture = ". . . . . . . . . . .
                   . . . . . . . . . . .
                   . . . . X . . . . . .
                   . . . . . X . . . . .
                   . . . . O . X . . . .
                   . . . . O . . . . . .
                   . . . . . . . . . . .
                   . . . . . . . . . . .
                   . . . . . . . . . . .
                   . . . . . . . . . . .
                   . . . . . . . . . . .";
    for rule in Rule::ALL {
        let stop = answer(rule, picture, Color::White);
        assert!(["c1", "d2", "h6", "i7"].map(point).contains(&stop), "{rule}: {stop}");
    }
}

#[test]
fn a_blocked_point_is_not_chosen_unless_nothing_else_is_left() {
    let board = stones(QUIET);
    let best = ask(Rule::Freestyle, &board, &to_depth(4)).moves[0];
    let blocked: PointSet = [best].into_iter().collect();
    let request = Request { blocked, ..to_depth(4) };
    assert_ne!(ask(Rule::Freestyle, &board, &request).moves[0], best);
    let request = Request { blocked: PointSet::board(board.size()), ..to_depth(4) };
    let forced = ask(Rule::Freestyle, &board, &request).moves[0];
    assert!(board.is_empty_at(forced));
}

#[test]
fn black_takes_a_forbidden_point_only_if_nothing_else_is_left() {
    // Only one point is empty, and a stone there makes an overline.
    let picture = "X X X . X X
                   O O X X O O
                   X X O O X X
                   O O X X O O
                   X X O O X X
                   O O X X O O";
    let mut board = stones(picture);
    board.set_to_move(Color::Black);
    assert_eq!(ask(Rule::Renju, &board, &to_depth(3)).moves, [point("d1")]);
}

#[test]
fn every_line_can_be_played() {
    let mut engine = Engine::new(1, MEMORY);
    let (mut searches, mut long) = (0, 0);
    for moves in ["", "h8", "h8i9", "h8i9h10", "h8i9h10g7j10"] {
        let stones = crate::formats::moves::position(moves, Size::square(15)).unwrap();
        for nodes in (20..800).step_by(60) {
            for rule in Rule::ALL {
                engine.new_game();
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let request = Request { task: Task::Rank { lines: 3 }, ..Request::best(limits) };
                searches += 1;
                for line in think(&mut engine, rule, &stones, &request).lines {
                    long += usize::from(line.points.len() > 1);
                    let mut after = stones.clone();
                    for &point in &line.points {
                        assert!(after.is_empty_at(point), "{rule}, {moves}, {nodes}: {line:?}");
                        after.place(point, after.to_move());
                    }
                }
            }
        }
    }
    // Most searches come so far that something follows a move.
    assert!(long > searches, "{long} lines of several moves in {searches} searches");
}

#[test]
fn n_best_lines_are_different_and_sorted() {
    let request = Request { task: Task::Rank { lines: 4 }, ..to_depth(6) };
    let answer = ask(Rule::Freestyle, &stones(QUIET), &request);
    assert_eq!(answer.lines.len(), 4);
    assert_eq!(answer.moves[0], answer.lines[0].points[0]);
    for pair in answer.lines.windows(2) {
        assert!(pair[0].score >= pair[1].score && pair[0].points[0] != pair[1].points[0]);
    }
}

/// Each side can make five at two points.
pub(super) const TWO_FIVES: &str = ". . . . . . . . .
                         . X X X X . . . .
                         . . . . . . . . .
                         . O O O O . . . .
                         . . . . . . . . .
                         . . . . . . . . .
                         . . . . . . . . .
                         . . . . . . . . .
                         . . . . . . . . .";

#[test]
fn several_lines_know_that_a_five_ends_the_game() {
    for rule in Rule::ALL {
        let request = Request { task: Task::Rank { lines: 3 }, ..to_depth(4) };
        let answer = ask(rule, &stones(TWO_FIVES), &request);
        let scores: Vec<i32> = answer.lines.iter().map(|line| line.score).collect();
        // If a five can be made, no other moves are searched.
        assert_eq!(scores, [score::win_in(1); 2], "{rule}");
        assert!(answer.lines.iter().all(|line| line.points.len() == 1), "nothing comes after a five");
    }
}

#[test]
fn lines_of_a_search_cut_short_are_sorted_as_far_as_it_came() {
    for nodes in (1_000..6_000).step_by(500) {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request = Request { task: Task::Rank { lines: 4 }, ..Request::best(limits) };
        let lines = ask(Rule::Freestyle, &stones(QUIET), &request).lines;
        let deepest = lines.iter().take_while(|line| line.depth == lines[0].depth);
        assert!(deepest.is_sorted_by_key(|line| std::cmp::Reverse(line.score)), "{nodes} nodes: {lines:?}");
    }
}

#[test]
fn analysis_searches_a_forced_reply_as_well() {
    let mut board = Stones::new(Size::square(15));
    for name in ["d3", "c3", "e3", "a1", "f3", "o1", "g3"] {
        board.place(point(name), board.to_move());
    }
    for (task, lines) in [(Task::Best, 0), (Task::for_lines(1), 1)] {
        let answer = ask(Rule::Freestyle, &board, &Request { task, ..to_depth(5) });
        assert_eq!((answer.moves[0].to_string(), answer.lines.len()), ("h3".to_owned(), lines));
    }
}

/// Where an aspiration window fails, what is known of the best move is a bound, and its line is a single move.
#[test]
fn a_search_cut_short_keeps_the_whole_line_of_the_iteration_before() {
    let limits =
        (4_000..40_000).step_by(1_000).map(|nodes| Limits { nodes: Some(nodes), ..Limits::default() });
    let lines: Vec<Line> = limits
        .map(|limits| ask(Rule::Freestyle, &stones(QUIET), &Request::best(limits)).lines.remove(0))
        .collect();
    // Only a move that has just overtaken another has no more.
    let short = lines.iter().filter(|line| line.points.len() == 1).count();
    assert!(short <= lines.len() / 10, "{short} of {} lines end with the first move", lines.len());
}

#[test]
fn no_more_threads_search_than_the_memory_has_room_for() {
    let threads = |memory: u64| Engine::new(256, memory << 20).threads();
    assert_eq!([16, 27, 28, 43, 350].map(threads), [1, 1, 1, 16, 256]);
    let mut engine = Engine::new(16, 350 << 20);
    assert_eq!(engine.threads(), 16);
    engine.set_memory(32 << 20);
    assert_eq!((engine.threads(), engine.table_bytes()), (5, 1 << 20));
}

#[test]
fn limits_are_kept() {
    let by_nodes = Request::best(Limits { nodes: Some(5000), ..Limits::default() });
    let nodes = ask(Rule::Freestyle, &stones(QUIET), &by_nodes).nodes;
    assert!((2500..=5000 + 512).contains(&nodes), "{nodes}");
    let at_once = TimeControl { turn: Some(Duration::ZERO), ..TimeControl::default() };
    let request = Request::best(Limits { time: at_once, ..Limits::default() });
    let answer = ask(Rule::Freestyle, &stones(QUIET), &request);
    assert!(stones(QUIET).is_empty_at(answer.moves[0]) && answer.nodes < 5000, "{}", answer.nodes);
}

#[test]
fn a_search_can_be_stopped_and_hurried_from_outside() {
    for threads in [1, 2] {
        let unlimited = TimeControl::UNTIL_STOPPED;
        for hurry in [false, true] {
            let control = Control::new();
            let answer = std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(100));
                    if hurry {
                        control.set_time(TimeControl { turn: Some(Duration::ZERO), ..unlimited });
                    } else {
                        control.stop();
                    }
                });
                let request = Request::best(Limits { time: unlimited, ..Limits::default() });
                // Without one of the two the search would never end.
                let mut engine = Engine::new(threads, MEMORY);
                engine.think(&Question::new(Rule::Freestyle, &stones(QUIET), &request, &control))
            });
            assert!(stones(QUIET).is_empty_at(answer.moves[0]));
        }
    }
}

#[test]
fn threads_find_the_same_forced_win() {
    // Black wins with a four and a three at f5; with two lines asked for, the win has to be found by the
    // search.
    let picture = ". . . . . . . . . . .
                   . . . . . . . . . . .
                   . . . . . X . . . . .
                   . . . . . X . . . . .
                   . O X X X . . . . . .
                   . . . O . . . . . . .
                   . . . O O . . O . . .
                   . . . . . . . . . . .
                   . . . . . . . . . . .
                   . . . . . . . . . . .
                   . . . . . . . . . . .";
    let request = Request { task: Task::Rank { lines: 2 }, ..to_depth(9) };
    // Some of twenty threads search ahead of the others.
    for threads in [1, 2, 3, 20] {
        let mut board = stones(picture);
        board.set_to_move(Color::Black);
        let answer = think(&mut Engine::new(threads, MEMORY), Rule::Freestyle, &board, &request);
        assert_eq!(answer.moves, [point("f5")]);
        assert!(score::is_win(answer.lines[0].score), "{threads} threads: {:?}", answer.lines);
    }
}

/// The line of a VCF goes on to the five, although the search stopped where counts of threats prove the win.
#[test]
fn the_line_of_a_long_vcf_is_whole() {
    // The first of the long wins in `protocol-tests/solver`: ten fours and a five.
    let moves = "k3h4e8d12i8h5g5b8e9h10i14f8n14b14c7j3f7g14i11i9k12f11j13l6g13";
    let board = crate::formats::moves::position(moves, Size::square(15)).unwrap();
    let request = to_depth(1);
    let answer = ask(Rule::Freestyle, &board, &request);
    let line = &answer.lines[0];
    assert_eq!(line.score, score::win_in(21));
    assert_eq!(line.points.len(), 21, "{:?}", line.points);
}

/// White stops Black's fours one after the other, with fours of its own, the last of which is open.
#[test]
fn a_vcf_may_end_with_a_block_that_is_an_open_four() {
    let mut board = stones(
        "O X X . . . O
         . X . X . . X
         O . . . O X .
         O X . O . . .
         . O . . . X O
         X O X . O . X
         . . . . . . .",
    );
    board.set_to_move(Color::White);
    let answer = ask(Rule::Standard, &board, &to_depth(1));
    assert_eq!(answer.lines[0].score, score::win_in(9), "{:?}", answer.lines);
}

/// A stone that stops a five can make a four of its own; the five comes first all the same.
#[test]
fn the_line_of_a_win_ends_with_its_five() {
    let board = crate::formats::moves::position("h8f9i8f10j8f11", Size::square(15)).unwrap();
    let answer = ask(Rule::Freestyle, &board, &to_depth(4));
    let line = &answer.lines[0];
    assert_eq!((line.score, line.points.len()), (score::win_in(3), 3), "{:?}", line.points);
}

#[test]
fn every_position_of_a_small_game_has_a_legal_answer() {
    use crate::rules::judge::{self, Verdict};
    for rule in Rule::ALL {
        for size in [Size::square(5), Size::new(6, 9).unwrap()] {
            let mut engine = Engine::new(1, MEMORY);
            let mut board = Stones::new(size);
            let verdict = loop {
                let answer = think(&mut engine, rule, &board, &to_depth(3));
                let own = board.to_move();
                assert!(board.is_empty_at(answer.moves[0]));
                board.place(answer.moves[0], own);
                match with_rule!(rule, R => judge::verdict::<R>(&board)) {
                    Verdict::Ongoing => {}
                    verdict => break verdict,
                }
            };
            assert!(!matches!(verdict, Verdict::Foul(_)), "{rule}\n{}", picture::draw(&board));
        }
    }
}

/// Under caro a stone may stop one of two fives and leave the other, or close the ends of both.
#[test]
fn without_time_every_five_that_can_be_stopped_is_stopped() {
    let moves = "9,12 5,8 9,11 6,7 8,11 6,8 8,9 5,10 9,8 6,5 3,6 7,5 10,6 7,7 11,5 8,8 11,4 7,9 8,12 6,10 10,10 5,11 6,4 \
                 4,6 5,3 3,5 4,3 1,5 5,2 2,4 6,2 9,10";
    let mut stones = Stones::new(Size::square(15));
    for at in moves.split_whitespace() {
        let (x, y) = at.split_once(',').unwrap();
        stones.place(Point::new(x.parse().unwrap(), y.parse().unwrap()), stones.to_move());
    }
    let at_once = Request::best(Limits { nodes: Some(1), ..Limits::default() });
    assert_eq!(ask(Rule::ExactCaro, &stones, &at_once).moves, [Point::new(4, 12)]);
}
