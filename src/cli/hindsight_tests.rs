//! What is found late in a game says something of the moves before it.

use super::*;

const OTHER: Point = Point::new(14, 14);

/// What a search has found: the share of the side to move, whether it is forced, and whether the game went on with the
/// best move.
type Search = (f64, bool, bool);

fn point(n: usize) -> Point {
    Point::new(n, 0)
}

/// What is known of a game after it was corrected, and the marks of its moves.
fn judged(searches: &[Search]) -> (Vec<Known>, Vec<&'static str>) {
    let color = |n: usize| if n.is_multiple_of(2) { Color::Black } else { Color::White };
    let mut found: Vec<Option<Known>> = searches
        .iter()
        .enumerate()
        .map(|(n, &(share, is_forced, is_best))| {
            let best = Some(if is_best { point(n) } else { OTHER });
            Some(Known { to_move: color(n), share, is_forced, best })
        })
        .collect();
    let played: Vec<_> = (0..searches.len()).map(|n| Some((point(n), color(n)))).collect();
    correct(&mut found, &played);
    let known: Vec<Known> = found.into_iter().flatten().collect();
    let marks = (1..known.len()).map(|n| mark(&known[n - 1], &known[n], Some(point(n - 1))).text()).collect();
    (known, marks)
}

#[test]
fn a_loss_that_is_seen_late_is_the_mistake_before_which_another_move_was_known() {
    // White's best moves lead into it, and the move before them was not the best one.
    let mut game =
        [(0.5, false, true), (0.5, false, false), (0.5, false, true), (0.4, false, true), (1.0, true, true)];
    let (known, marks) = judged(&game);
    assert_eq!(marks, ["", "??", "", ""]);
    let shares: Vec<f64> = known.iter().map(|known| known.share_of(Color::Black)).collect();
    assert_eq!(shares, [0.5, 0.5, 1.0, 1.0, 1.0]);
    // Without such a move the position that the analysis begins with was lost already.
    game[1].2 = true;
    let (known, marks) = judged(&game);
    assert_eq!((known[0].share, marks.concat().as_str()), (1.0, ""));
}

#[test]
fn a_move_that_turns_out_to_win_was_no_mistake() {
    // Black plays something else than what was thought best, and White is lost.
    let (known, marks) =
        judged(&[(0.5, false, true), (0.5, false, false), (0.6, false, false), (0.0, true, true)]);
    assert_eq!(marks, ["", "??", ""]);
    assert_eq!((known[2].share, known[2].best), (1.0, Some(point(2))));
}

#[test]
fn a_win_given_away_and_a_loss_run_into_are_marked_however_little_was_expected() {
    for (before, after, mark) in [
        ((1.0, true, false), (0.05, false, true), "?"),
        ((0.05, false, false), (1.0, true, true), "?"),
        // One estimate after another, and a longer way to the same end.
        ((0.95, false, false), (0.15, false, true), ""),
        ((1.0, true, false), (0.0, true, true), ""),
        // What draws has not won.
        ((1.0, true, false), (0.5, true, true), "??"),
        // The best move that is known.
        ((1.0, true, true), (0.05, false, true), ""),
    ] {
        assert_eq!(judged(&[before, after]).1, [mark], "{before:?} {after:?}");
    }
}

#[test]
fn estimates_do_not_correct_each_other() {
    let (known, marks) = judged(&[(0.5, false, true), (0.7, false, true), (0.2, false, true)]);
    assert_eq!(known.iter().map(|known| known.share).collect::<Vec<_>>(), [0.5, 0.7, 0.2]);
    assert_eq!(marks, ["", ""]);
}

#[test]
fn a_pass_between_two_moves_corrects_nothing() {
    let black =
        |share, is_forced| Some(Known { to_move: Color::White, share, is_forced, best: Some(point(0)) });
    let mut found = [black(0.5, false), black(0.0, true)];
    correct(&mut found, &[Some((point(0), Color::Black)), None]);
    assert_eq!(found[0], black(0.5, false));
}

#[test]
fn no_result_of_any_game_changes_for_the_worse_without_a_mark() {
    let results = [(0.0, true), (1.0, true), (0.02, false), (0.5, false), (0.98, false)];
    let mut state = 1_u64;
    let mut random = |n: u64| {
        state = state * 48_271 % 2_147_483_647;
        state % n
    };
    let mut worse = 0;
    for _ in 0..2000 {
        let game: Vec<Search> = (0..8)
            .map(|_| {
                let (share, is_forced) = results[random(5) as usize];
                (share, is_forced, random(2) == 0)
            })
            .collect();
        let (known, marks) = judged(&game);
        for (pair, mark) in known.windows(2).zip(marks) {
            let mover = pair[0].to_move;
            let change = pair[1].outcome(mover) - pair[0].outcome(mover);
            // Whoever moves can only lose by it.
            assert!(change <= 0, "{game:?}");
            assert!(change == 0 || !mark.is_empty(), "{game:?}");
            worse += usize::from(change < 0);
        }
    }
    assert!(worse > 1000, "{worse}");
}
