use super::*;
use crate::board::Size;
use crate::engine::{DEFAULT_MEMORY, Engine};
use crate::rules::renju_openings::BOARD;
use crate::search::{Answer, Control, Limits, Line, Request, TimeControl};

use OpeningRule::{Soosorv8, Taraguchi10};

fn point((x, y): (usize, usize)) -> Point {
    Point::new(x, y)
}

/// The first stones of a game; up to five are allowed under either opening rule.
fn start(count: usize) -> Stones {
    let points = [(7, 7), (7, 6), (8, 6), (5, 9), (9, 9)].map(point);
    with_stones(&Stones::new(BOARD), &points[..count])
}

/// Decides with a search whose n-th line, from 0, has the score that the script gives it. The first moves of its
/// lines are the first allowed points, row by row from the top left.
fn decide(
    opening: OpeningRule,
    question: &RifQuestion,
    stones: &Stones,
    mut script: impl FnMut(&Stones, usize) -> Score,
) -> RifChoice {
    let mut search = |stones: &Stones, request: &Request| {
        let count = if let Task::Rank { lines } = request.task { lines } else { 1 };
        let allowed = |point: &Point| stones.is_empty_at(*point) && !request.blocked.contains(*point);
        let points: Vec<Point> = BOARD.points().filter(allowed).take(count).collect();
        let line = |(n, &point): (usize, &Point)| Line {
            points: vec![point],
            score: script(stones, n),
            depth: 1,
            selective_depth: 1,
        };
        let lines: Vec<Line> = points.iter().enumerate().map(line).collect();
        Answer { moves: points, lines, nodes: 1, elapsed: Duration::ZERO }
    };
    question.check(opening, Rule::Renju, stones).unwrap();
    let (control, request) = (Control::new(), Request::best(Limits::default()));
    let inquiry = Inquiry { search: &mut search, request: &request, control: &control };
    Decision { inquiry, opening, stones }.decide(question)
}

/// Every question of an opening rule, with stones that fit it.
fn questions(opening: OpeningRule) -> Vec<(RifQuestion, Stones)> {
    let offered: Vec<Point> =
        [(6, 6), (6, 7), (9, 8), (10, 4), (4, 4), (5, 5), (6, 10), (10, 10)].map(point).to_vec();
    match opening {
        Soosorv8 => vec![
            (RifQuestion::Propose, start(0)),
            (RifQuestion::Swap, start(3)),
            (RifQuestion::Fourth, start(3)),
            (RifQuestion::SwapAfterFourth { fifths: 3 }, start(4)),
            (RifQuestion::Offer { fifths: 1 }, start(4)),
            (RifQuestion::Offer { fifths: 8 }, start(4)),
            (RifQuestion::Take { offered: offered[..1].to_vec() }, start(4)),
            (RifQuestion::Take { offered }, start(4)),
        ],
        Taraguchi10 => {
            let ten = [offered, [(0, 0), (14, 14)].map(point).to_vec()].concat();
            let mut all: Vec<_> = (0..5).map(|count| (RifQuestion::Stone, start(count))).collect();
            all.extend((1..6).map(|count| (RifQuestion::Swap, start(count))));
            all.push((RifQuestion::Fifth, start(4)));
            all.push((RifQuestion::Offer { fifths: 10 }, start(4)));
            all.push((RifQuestion::Take { offered: ten }, start(4)));
            all
        }
    }
}

/// Asserts that the choice answers the question and can be carried out.
fn assert_sound(opening: OpeningRule, question: &RifQuestion, stones: &Stones, choice: &RifChoice) {
    let what = format!("{opening}: {question:?} -> {choice:?}");
    let count = stones.history().len();
    let is_offer = |points: &[Point], wanted: usize| {
        points.len() == wanted
            && points.iter().all(|&point| stones.is_empty_at(point))
            && StoneSymmetries::of(stones).are_distinct(points)
    };
    let placed = |points: &[Point]| opening.check(Rule::Renju, &with_stones(stones, points)) == Ok(());
    let sound = match (question, choice) {
        (RifQuestion::Propose, RifChoice::Place(points)) => points.len() == 3 && placed(points),
        (RifQuestion::Stone, RifChoice::Place(points)) => points.len() == 1 && placed(points),
        (RifQuestion::Fifth, RifChoice::Place(points)) => count == 4 && points.len() == 1 && placed(points),
        (RifQuestion::Fifth, RifChoice::Offer(points)) => is_offer(points, 10),
        (RifQuestion::Offer { fifths }, RifChoice::Offer(points)) => is_offer(points, *fifths),
        (RifQuestion::Take { offered }, RifChoice::Take(point)) => offered.contains(point),
        (RifQuestion::Fourth, RifChoice::Fourth { point, fifths }) => {
            stones.is_empty_at(*point) && opening.allows_fifths(*fifths)
        }
        (RifQuestion::Swap | RifQuestion::SwapAfterFourth { .. }, RifChoice::Swap(_)) => true,
        _ => false,
    };
    assert!(sound, "{what}");
}

#[test]
fn choices_can_be_carried_out_whatever_the_search_says() {
    for opening in OpeningRule::ALL {
        for (question, stones) in questions(opening) {
            for score in [-30_000, -50, 0, 50, 30_000] {
                let choice = decide(opening, &question, &stones, |_, n| score - n as Score);
                assert_sound(opening, &question, &stones, &choice);
            }
            assert_sound(opening, &question, &stones, &unsearched(opening, &question, &stones));
        }
    }
}

#[test]
fn black_swaps_where_the_last_of_the_fifths_is_worse() {
    let swaps = |fifths: usize| {
        decide(Soosorv8, &RifQuestion::SwapAfterFourth { fifths }, &start(4), |_, n| 25 - 10 * n as Score)
    };
    assert_eq!(swaps(1), RifChoice::Swap(false));
    assert_eq!(swaps(3), RifChoice::Swap(false));
    assert_eq!(swaps(4), RifChoice::Swap(true));
}

#[test]
fn the_number_of_fifths_makes_the_game_even() {
    // The best fifth moves are worth 92, 62, 32, 2, -28 ...; White's best fourth stone is not too good.
    let script = |stones: &Stones, n: usize| {
        if stones.history().len() == 3 { -20 } else { 92 - 30 * n as Score }
    };
    let choice = decide(Soosorv8, &RifQuestion::Fourth, &start(3), script);
    assert_eq!(choice, RifChoice::Fourth { point: Point::new(0, 0), fifths: 4 });
    assert_eq!(decide(Soosorv8, &RifQuestion::Swap, &start(3), script), RifChoice::Swap(false));
    // Nothing makes it even: whoever places the fourth stone is worse off.
    assert_eq!(decide(Soosorv8, &RifQuestion::Swap, &start(3), |_, _| 300), RifChoice::Swap(true));
    // One of the later fourth stones does.
    let script = |stones: &Stones, n: usize| match stones.recent(0) {
        Some((last, _)) if last == Point::new(4, 0) => 33 - 8 * n as Score,
        _ => 200,
    };
    let choice = decide(Soosorv8, &RifQuestion::Fourth, &start(3), script);
    assert_eq!(choice, RifChoice::Fourth { point: Point::new(4, 0), fifths: 5 });
    assert_eq!(decide(Soosorv8, &RifQuestion::Swap, &start(3), script), RifChoice::Swap(false));
}

#[test]
fn an_opening_that_can_be_made_even_is_proposed() {
    let first = RENJU_OPENINGS[0].stones;
    let even = decide(Soosorv8, &RifQuestion::Propose, &start(0), |_, _| 0);
    assert_eq!(even, RifChoice::Place(first.to_vec()));
    let third = RENJU_OPENINGS[2].stones;
    let script = |stones: &Stones, _: usize| if stones.history()[2].0 == third[2] { 3 } else { 500 };
    assert_eq!(decide(Soosorv8, &RifQuestion::Propose, &start(0), script), RifChoice::Place(third.to_vec()));
}

#[test]
fn moves_that_the_stones_mirror_are_offered_once() {
    // A vertical line: the search finds moves on the left and then their mirror images on the right.
    let stones = with_stones(&Stones::new(BOARD), &[(7, 7), (7, 6), (7, 5), (7, 4)].map(point));
    let offered =
        |opening, fifths| decide(opening, &RifQuestion::Offer { fifths }, &stones, |_, n| -(n as Score));
    let eight: Vec<Point> = (0..8).map(|x| Point::new(x, 0)).collect();
    assert_eq!(offered(Soosorv8, 8), RifChoice::Offer(eight.clone()));
    // The other seven of the first row are mirror images.
    let ten = [eight, [(0, 1), (1, 1)].map(point).to_vec()].concat();
    assert_eq!(offered(Taraguchi10, 10), RifChoice::Offer(ten));
    // The eighth best move makes the game even.
    let question = RifQuestion::SwapAfterFourth { fifths: 8 };
    let script = |_: &Stones, n: usize| 7 - n as Score;
    assert_eq!(decide(Soosorv8, &question, &stones, script), RifChoice::Swap(false));
}

#[test]
fn white_takes_what_is_worst_for_black() {
    let offered = [(6, 6), (9, 8), (10, 4)].map(point).to_vec();
    let script = |stones: &Stones, _: usize| match stones.recent(0) {
        Some((last, _)) if last == Point::new(9, 8) => 40,
        _ => -10,
    };
    let choice = decide(Soosorv8, &RifQuestion::Take { offered }, &start(4), script);
    assert_eq!(choice, RifChoice::Take(Point::new(9, 8)));
}

#[test]
fn taraguchi_weighs_both_ways() {
    // Ten good fifth moves: they are offered, and Black does not swap.
    let good = |_: &Stones, n: usize| 100 - n as Score;
    assert!(matches!(decide(Taraguchi10, &RifQuestion::Fifth, &start(4), good), RifChoice::Offer(_)));
    assert_eq!(decide(Taraguchi10, &RifQuestion::Swap, &start(4), good), RifChoice::Swap(false));
    // None is good: a single one is played, since White would take the worst. The script's moves are far from the
    // centre.
    let bad = |_: &Stones, n: usize| -100 - 50 * n as Score;
    let RifChoice::Place(points) = decide(Taraguchi10, &RifQuestion::Fifth, &start(4), bad) else { panic!() };
    assert!(Taraguchi10.allows(5, points[0]));
    // The fifth stone is on the board: White is to move and swaps if White is worse.
    for (score, swaps) in [(-1, true), (0, false), (1, false)] {
        assert_eq!(decide(Taraguchi10, &RifQuestion::Swap, &start(5), |_, _| score), RifChoice::Swap(swaps));
    }
    for count in 1..3 {
        assert_eq!(
            decide(Taraguchi10, &RifQuestion::Swap, &start(count), |_, _| -500),
            RifChoice::Swap(false)
        );
    }
}

#[test]
fn taraguchi_weighs_what_a_swap_after_the_fourth_stone_leaves() {
    let nothing = |_: &Stones, _: &Request| unreachable!("nothing is searched");
    let (mut search, control, stones) = (nothing, Control::new(), start(4));
    let request = Request::best(Limits::default());
    let inquiry = Inquiry { search: &mut search, request: &request, control: &control };
    let decision = Decision { inquiry, opening: Taraguchi10, stones: &stones };
    // Without a swap, and with one: one fifth move near the centre has the first score, the worst of ten the second.
    let worth = |near: Score, worst: Score| {
        let mut fifths: Vec<(Point, Score)> = (0..10).map(|x| (Point::new(x, 0), worst)).collect();
        fifths[0] = (Point::new(6, 6), near);
        (decision.worth_of_both_ways(&fifths), decision.worth_with_swap(&fifths))
    };
    assert_eq!(worth(400, -1), (Some(-1), Some(400)));
    assert_eq!(worth(-80, -90), (Some(-80), Some(80)));
    assert_eq!(worth(0, -90), (Some(0), Some(0)));
    assert_eq!(worth(70, 50), (Some(50), Some(70)));
    assert_eq!((decision.worth_of_both_ways(&[]), decision.worth_with_swap(&[])), (None, None));
    // Who has swapped leaves the fifth stone to the other, near the centre.
    let RifChoice::Place(points) = decide(Taraguchi10, &RifQuestion::Stone, &start(4), |_, _| 0) else {
        panic!()
    };
    assert!(Taraguchi10.allows(5, points[0]));
}

#[test]
fn a_search_that_is_cut_short_still_names_a_fourth_stone() {
    let control = Control::new();
    let mut search = |_: &Stones, request: &Request| {
        control.stop();
        Answer {
            moves: vec![Point::new(9, 6)],
            lines: Vec::new(),
            nodes: 0,
            elapsed: request.started.elapsed(),
        }
    };
    let (request, stones) = (Request::best(Limits::default()), start(3));
    let inquiry = Inquiry { search: &mut search, request: &request, control: &control };
    let choice = Decision { inquiry, opening: Soosorv8, stones: &stones }.decide(&RifQuestion::Fourth);
    assert_eq!(choice, RifChoice::Fourth { point: Point::new(9, 6), fifths: FIFTHS_UNSEARCHED });
}

#[test]
fn all_searches_together_stay_within_the_time() {
    for opening in OpeningRule::ALL {
        for (question, stones) in questions(opening) {
            let mut asked = Duration::ZERO;
            let mut search = |_: &Stones, request: &Request| {
                asked += request.limits.time.turn.unwrap();
                // Nothing is ever even, so that everything is tried that there is time for.
                let line = |point| Line { points: vec![point], score: 300, depth: 1, selective_depth: 1 };
                let free = BOARD.points().filter(|&at| stones.is_empty_at(at) && at.distance(CENTER) == 3);
                let lines: Vec<Line> = free.map(line).collect();
                Answer { moves: vec![lines[0].points[0]], lines, nodes: 1, elapsed: Duration::ZERO }
            };
            let turn = Duration::from_millis(800);
            let time = TimeControl { turn: Some(turn), ..TimeControl::default() };
            let (control, request) = (Control::new(), Request::best(Limits { time, ..Limits::default() }));
            let inquiry = Inquiry { search: &mut search, request: &request, control: &control };
            Decision { inquiry, opening, stones: &stones }.decide(&question);
            assert!(asked < turn, "{opening}: {question:?} takes {asked:?}");
        }
    }
}

#[test]
fn questions_that_do_not_fit_are_refused() {
    let count = |needed, found| Err(OpeningError::Count { needed, found });
    let check =
        |opening, question: RifQuestion, stones: usize| question.check(opening, Rule::Renju, &start(stones));
    assert_eq!(check(Soosorv8, RifQuestion::Propose, 3), count(0, 3));
    assert_eq!(check(Soosorv8, RifQuestion::Fourth, 2), count(3, 2));
    assert_eq!(check(Taraguchi10, RifQuestion::Swap, 0), count(1, 0));
    assert_eq!(check(Taraguchi10, RifQuestion::Fourth, 3), Err(OpeningError::NoQuestion(Taraguchi10)));
    assert_eq!(check(Soosorv8, RifQuestion::Fifth, 4), Err(OpeningError::NoQuestion(Soosorv8)));
    for fifths in [0, 9] {
        let refused = Err(OpeningError::Fifths(Soosorv8, fifths));
        assert_eq!(check(Soosorv8, RifQuestion::Offer { fifths }, 4), refused);
    }
    let take = |points: &[(usize, usize)]| {
        let offered = points.iter().copied().map(point).collect();
        check(Soosorv8, RifQuestion::Take { offered }, 4)
    };
    assert_eq!(take(&[(6, 6), (7, 7)]), Err(OpeningError::Offered(Point::new(7, 7))));
    assert_eq!(take(&[(6, 6), (6, 6)]), Err(OpeningError::Offered(Point::new(6, 6))));
    assert_eq!(take(&[]), Err(OpeningError::Fifths(Soosorv8, 0)));
    let board = Stones::new(Size::square(19));
    let refused = RifQuestion::Propose.check(Soosorv8, Rule::Renju, &board);
    assert_eq!(refused, Err(OpeningError::NotRenju(Soosorv8)));
}

#[test]
fn the_search_itself_decides_the_same_each_time() {
    let limits = Limits { nodes: Some(300), ..Limits::default() };
    let run = |stopped: bool| {
        let mut engine = Engine::new(1, DEFAULT_MEMORY);
        let mut choices = Vec::new();
        for opening in OpeningRule::ALL {
            for (question, stones) in questions(opening) {
                let control = Control::new();
                if stopped {
                    control.stop();
                }
                engine.new_game();
                let request = Request::best(limits);
                let choice = engine.decide_rif(opening, &question, &stones, &request, &control).unwrap();
                assert_sound(opening, &question, &stones, &choice);
                choices.push(choice);
            }
        }
        choices
    };
    assert_eq!(run(false), run(false));
    assert_eq!(run(true), run(true));
}
