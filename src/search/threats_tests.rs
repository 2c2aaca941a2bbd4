//! Claims about forced wins and forced replies, verified move by move.

use super::*;
use crate::board::Size;
use crate::formats::picture;
use crate::random::lively_games;
use crate::rules::{Renju, Rule, judge, with_rule};
use crate::search::picker::useful_moves;
use crate::search::selectivity::urgent_points;

/// Calls `visit` after every stone of this many lively games.
fn random_positions<R: RuleSet>(games: u64, mut visit: impl FnMut(&mut Position<R>)) {
    for game in lively_games::<R>(games) {
        let mut position = Position::<R>::new(game.size(), &mut ());
        for &(point, _) in game.history() {
            position.play(point, &mut ());
            visit(&mut position);
        }
    }
}

/// Tries the claimed win against every reply.
fn holds<R: RuleSet>(position: &mut Position<R>, win: ForcedWin) -> Result<(), String> {
    let own = position.to_move();
    if win.plies == 1 {
        let wins = judge::wins_at::<R>(position.stones(), win.point, own);
        return wins.then_some(()).ok_or_else(|| format!("{} is not a five", win.point));
    }
    if !position.is_legal(win.point) {
        return Err(format!("{} is not legal", win.point));
    }
    position.play(win.point, &mut ());
    let mut result = Ok(());
    for reply in position.empty_points() {
        if position.wins_at(reply) {
            result = Err(format!("{} is answered by five at {reply}", win.point));
            break;
        }
        if !position.is_legal(reply) {
            continue;
        }
        position.play(reply, &mut ());
        result = match sure_win(position) {
            Some(next) if next.plies + 2 <= win.plies || win.plies == 5 => holds(position, next),
            Some(next) => Err(format!("after {} {reply} it takes {} plies more", win.point, next.plies)),
            // A four of the opponent comes first. After it is blocked, the win must still be there.
            None => holds_after_block(position, win),
        };
        position.undo();
        if result.is_err() {
            break;
        }
    }
    position.undo();
    result
}

fn holds_after_block<R: RuleSet>(position: &mut Position<R>, win: ForcedWin) -> Result<(), String> {
    let ForcedReply::StopFive(_) = forced_reply(position) else {
        return Err(format!("{} wins no more:\n{}", win.point, picture::draw(position.stones())));
    };
    let reply = forced_reply(position);
    for block in useful_moves(position, reply) {
        if !position.is_legal(block) {
            continue;
        }
        position.play(block, &mut ());
        // Every further four of the opponent must come to an end as well.
        let lost = position.empty_points().iter().any(|reply| {
            if position.wins_at(reply) {
                return true;
            }
            if !position.is_legal(reply) {
                return false;
            }
            position.play(reply, &mut ());
            let fails = match sure_win(position) {
                Some(next) => holds(position, next).is_err(),
                None => holds_after_block(position, win).is_err(),
            };
            position.undo();
            fails
        });
        position.undo();
        if !lost {
            return Ok(());
        }
    }
    Err(format!("{} is met by fours:\n{}", win.point, picture::draw(position.stones())))
}

#[test]
fn sure_wins_are_wins() {
    let mut claims = [0; 6];
    for rule in Rule::ALL {
        with_rule!(rule, R => random_positions::<R>(150, |position| {
            if let Some(win) = sure_win(position) {
                claims[win.plies] += 1;
                // The longest proofs take a while, so only some of them are checked.
                if win.plies < 5 || claims[5] % 8 == 0 {
                    let drawing = picture::draw(position.stones());
                    if let Err(why) = holds(position, win) {
                        panic!("{rule}, {:?} to move: {win:?}, but {why}\n{drawing}", position.to_move());
                    }
                }
            }
        }));
    }
    assert!(claims[1] > 100 && claims[3] > 100 && claims[5] > 100, "{claims:?}");
}

/// Moves of renju, Black's first, after which a black stone on h8 looks like a double three but is a four instead.
const HIDDEN_FOUR: &str = "4,7 3,7 5,7 8,3 6,7 8,10 8,4 6,5 8,5 6,9 8,6 4,10 8,8 7,5 8,9 14,5 6,8";
/// The moves that follow until White threatens, with Black to move.
const TO_REPLY: &str = "2,13 6,6 3,13 10,5 4,13 11,5 0,0 12,5 14,0 13,5 14,14";
/// The same with White to move, who seems to have a sure win.
const TO_WIN: &str = "3,13 6,6 4,13 10,5 14,0 11,5 2,12 12,5 2,11 13,5";

/// The renju position after these moves, given as columns and rows counted from the top left.
fn renju(moves: [&str; 2]) -> Position<Renju> {
    let mut position = Position::new(Size::square(15), &mut ());
    for (x, y) in moves.iter().flat_map(|moves| moves.split(' ')).filter_map(|point| point.split_once(',')) {
        position.play(Point::new(x.parse().unwrap(), y.parse().unwrap()), &mut ());
    }
    position
}

#[test]
fn a_four_that_looks_like_a_foul_is_a_reply() {
    let mut position = renju([HIDDEN_FOUR, TO_REPLY]);
    let four = Point::new(7, 7);
    assert_eq!(position.map().threat(four, Color::Black), Threat::LooksForbidden);
    assert!(position.is_legal(four));
    let reply = forced_reply(&mut position);
    assert!(useful_moves(&position, reply).contains(four), "{reply:?}");
}

#[test]
fn a_four_that_looks_like_a_foul_spoils_a_sure_win() {
    let mut position = renju([HIDDEN_FOUR, TO_WIN]);
    if let Some(win) = sure_win(&mut position) {
        holds(&mut position, win).unwrap();
    }
}

#[test]
fn what_a_forced_reply_leaves_out_loses() {
    let mut checked = [0; 3];
    for rule in Rule::ALL {
        with_rule!(rule, R => random_positions::<R>(150, |position| {
            let reply = forced_reply(position);
            let kind = match reply {
                ForcedReply::Free => return,
                ForcedReply::StopFive(_) => 0,
                ForcedReply::StopOpenFour => 1,
                ForcedReply::StopFourThree(_) => 2,
            };
            // A side that can win need not defend.
            if sure_win(position).is_some() {
                return;
            }
            let useful = useful_moves(position, reply);
            for point in position.empty_points() & !useful {
                if !position.is_legal(point) {
                    continue;
                }
                position.play(point, &mut ());
                let loses = sure_win(position).is_some();
                position.undo();
                assert!(loses, "{rule} {reply:?}: {point} was left out\n{}", picture::draw(position.stones()));
                checked[kind] += 1;
            }
        }));
    }
    assert!(checked.iter().all(|&count| count > 1000), "{checked:?}");
}

#[test]
fn hidden_fours_are_urgent() {
    let mut count = 0;
    random_positions::<Renju>(150, |position| {
        let hidden = hidden_fours(position.map(), position.to_move());
        assert!((hidden & !urgent_points(position)).is_empty(), "{}", picture::draw(position.stones()));
        count += hidden.len();
    });
    assert!(count > 10, "{count}");
}
