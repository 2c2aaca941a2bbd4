//! Compares the stones that stop a threat with what the judge and the map say once each of them stands.

use super::*;
use crate::board::{Cell, Stones};
use crate::formats::point_names::Rows;
use crate::formats::{any, moves};
use crate::position::Position;
use crate::random::crowded_games;
use crate::rules::judge::{self, Foul};
use crate::rules::{Caro, Freestyle, Renju, Rule, with_rule};

const GAMES: u64 = 36;

/// The unbroken row of stones of `color` through a point in one direction, as if one stood there.
fn row(stones: &Stones, point: Point, direction: Direction, color: Color) -> Vec<Point> {
    let along = |step: isize| {
        std::iter::successors(Some(point), move |at| Some(at.offset(step)))
            .skip(1)
            .take_while(|&at| stones.cell(at) == Cell::Stone(color))
    };
    along(-direction.step()).chain([point]).chain(along(direction.step())).collect()
}

/// Whether a stone of `color` at a point, where five wins and no more, leaves a point at which five can be made with
/// it.
fn makes_four(stones: &Stones, point: Point, color: Color) -> bool {
    let mut after = stones.clone();
    after.place(point, color);
    Direction::ALL.into_iter().any(|direction| {
        stones.size().points().filter(|&other| after.is_empty_at(other)).any(|other| {
            let row = row(&after, other, direction, color);
            row.len() == 5 && row.contains(&point)
        })
    })
}

#[test]
fn hidden_fours_are_forbidden_points_that_make_a_four() {
    let mut found = 0;
    for game in crowded_games(GAMES) {
        game.replay::<Renju>(|position| {
            let stones = position.stones();
            let looks_forbidden =
                |point: &Point| position.map().threat(*point, Color::Black) == Threat::LooksForbidden;
            let is_hidden = |point: &Point| {
                looks_forbidden(point)
                    && judge::foul::<Renju>(stones, *point, Color::Black) != Some(Foul::Overline)
                    && makes_four(stones, *point, Color::Black)
            };
            let empty = position.empty_points();
            let expected: PointSet = empty.iter().filter(is_hidden).collect();
            assert_eq!(hidden_fours(position.map(), Color::Black), expected);
            assert_eq!(hidden_fours(position.map(), Color::White), PointSet::EMPTY);
            found += expected.len();
        });
    }
    assert!(found > 100, "{found}");
}

/// Calls `check` for each point that offers a colour this threat.
fn at_each<R: RuleSet>(threat: Threat, mut check: impl FnMut(&mut Position<R>, Point, Color)) -> usize {
    let mut count = 0;
    for game in crowded_games(GAMES) {
        game.replay::<R>(|position| {
            for color in Color::ALL {
                for point in position.map().points(color, threat).iter() {
                    check(position, point, color);
                    count += 1;
                }
            }
        });
    }
    count
}

/// The empty points at which a stone of the opponent of `attacker` takes the point below this threat.
fn lessening<R: RuleSet>(position: &Position<R>, point: Point, attacker: Color, threat: Threat) -> PointSet {
    let mut map = position.map().clone();
    let lessens = |&other: &Point| {
        map.place(other, !attacker, &mut ());
        let is_less = other == point || map.threat(point, attacker) < threat;
        map.undo();
        is_less
    };
    position.empty_points().iter().filter(lessens).collect()
}

#[test]
fn a_five_is_stopped_where_the_judge_says_so() {
    for rule in Rule::ALL {
        with_rule!(rule, R => {
            let count = at_each::<R>(Threat::Five, |position, five, attacker| {
                let stops_it = |&other: &Point| {
                    let mut after = position.stones().clone();
                    after.place(other, !attacker);
                    other == five || !judge::wins_at::<R>(&after, five, attacker)
                };
                let expected: PointSet = position.empty_points().iter().filter(stops_it).collect();
                let found: PointSet = stops_five(position.map(), five, attacker).into_iter().collect();
                assert_eq!(found, expected, "{rule} {five}");
            });
            assert!(count > 100, "{rule}: {count}");
        });
    }
}

#[test]
fn an_open_four_is_stopped_where_it_is_none_any_more() {
    for rule in Rule::ALL {
        with_rule!(rule, R => {
            let count = at_each::<R>(Threat::OpenFour, |position, point, attacker| {
                let expected = lessening(position, point, attacker, Threat::OpenFour);
                let found: PointSet = stops_open_four(position.map(), point, attacker).into_iter().collect();
                assert_eq!(found, expected, "{rule} {point}");
            });
            assert!(count > 100, "{rule}: {count}");
        });
    }
}

/// Whether the defender has a four of its own as soon as it has stopped that of the attacker at `point`.
fn is_countered<R: RuleSet>(map: &mut ShapeMap<R>, point: Point, attacker: Color) -> bool {
    map.place(point, attacker, &mut ());
    let fives = *map.points(attacker, Threat::Five);
    let is_countered = fives.len() == 1
        && fives.iter().all(|block| {
            map.place(block, !attacker, &mut ());
            let has_five = map.count(!attacker, Threat::Five) > 0;
            map.undo();
            has_five
        });
    map.undo();
    is_countered
}

/// Panics unless every stone that stops a four and an open three is listed. Returns the numbers of such threats and of
/// stones that stop them by what the forced block makes.
fn list_stops_of_four_threes<R: RuleSet>() -> (usize, usize) {
    let mut countered = 0;
    let check = |found: PointSet, expected: PointSet| {
        let missing = (expected & !found).iter().next();
        assert!(missing.is_none(), "{}: {missing:?} is not listed", R::RULE);
    };
    let count = at_each::<R>(Threat::FourThree, |position, point, attacker| {
        let found = stops_four_three(position.map(), point, attacker);
        check(found, lessening(position, point, attacker, Threat::FourThree));
        let mut map = position.map().clone();
        // A five to stop comes first.
        if map.count(attacker, Threat::Five) > 0 || is_countered(&mut map, point, attacker) {
            return;
        }
        let counters = |&other: &Point| {
            map.place(other, !attacker, &mut ());
            // A stone that makes a four itself is tried anyway.
            let is_quiet = map.count(!attacker, Threat::Five) == 0;
            let is_countered = is_quiet && is_countered(&mut map, point, attacker);
            map.undo();
            is_countered
        };
        let empty = position.empty_points().iter().filter(|&other| other != point);
        let expected: PointSet = empty.filter(counters).collect();
        check(found, expected);
        countered += expected.len();
    });
    (count, countered)
}

#[test]
fn whatever_stops_a_four_and_three_is_listed() {
    let (count, countered) = list_stops_of_four_threes::<Freestyle>();
    assert!(count > 100 && countered > 10, "{count} {countered}");
    let (count, countered) = list_stops_of_four_threes::<Renju>();
    assert!(count > 100 && countered > 10, "{count} {countered}");
    at_each::<Caro>(Threat::FourThree, |position, point, attacker| {
        let found = stops_four_three(position.map(), point, attacker);
        let expected = lessening(position, point, attacker, Threat::FourThree);
        assert!((expected & !found).is_empty(), "{:?} is not listed", (expected & !found).iter().next());
    });
}

/// The list of [`stops_four_three`] as its documentation defines it, with every stone placed.
fn listed_stops<R: RuleSet>(map: &mut ShapeMap<R>, point: Point, attacker: Color) -> PointSet {
    let near = |map: &ShapeMap<R>, point, direction| map.empty_near(point, direction, R::reach());
    let mut stops: PointSet = [point].into_iter().collect();
    for direction in Direction::ALL {
        let shape = map.shape(point, direction, attacker);
        if !shape.is_four() && !shape.is_open_three() {
            continue;
        }
        let on_line: Vec<Point> = near(map, point, direction).collect();
        for block in on_line {
            stops.insert(block);
            map.place(point, attacker, &mut ());
            let makes_five = map.threat(block, attacker) == Threat::Five;
            map.undo();
            if !shape.is_four() || !makes_five && !R::winning(attacker).five_needs_open_end {
                continue;
            }
            for own in Direction::ALL
                .into_iter()
                .flat_map(|direction| near(map, block, direction))
                .collect::<Vec<_>>()
            {
                map.place(own, !attacker, &mut ());
                let threat = map.threat(block, !attacker);
                map.undo();
                if threat.is_four() || threat == Threat::LooksForbidden {
                    stops.insert(own);
                }
            }
        }
    }
    stops
}

#[test]
fn nothing_else_is_listed() {
    for rule in Rule::ALL {
        with_rule!(rule, R => {
            let count = at_each::<R>(Threat::FourThree, |position, point, attacker| {
                let expected = listed_stops(&mut position.map().clone(), point, attacker);
                assert_eq!(stops_four_three(position.map(), point, attacker), expected, "{rule} {point}");
            });
            assert!(count > 100, "{rule}: {count}");
        });
    }
}

#[test]
fn a_block_that_looks_like_a_foul_may_hide_a_four() {
    let picture = "
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . .
        . . . O . . . O . . . . X . .
        . . . . . . . . O X . . . . .
        . . . . O X . X . . . . . . .
        . . O . . O . X . X . . . . .
        . . X O O O . . X . X . . . .
        . . . . . . X . X . . . . . .
        . . . . . X X . . O . . . . .
        . . . . . X . . . . O . . . .
        . . . . X . . . . . . . . . .
        . . . O O . . . X . O . . . .
        . . . . O . O . . . . . . . .
        . . . . . . . . . . . . . . .
    ";
    let stones = any::read(picture, None).unwrap();
    let position = Position::<Renju>::from_stones(&stones, &mut ());
    let at = |name: &str| moves::read_with_rows(name, stones.size(), Rows::FromBottom).unwrap()[0];
    let (g8, g9) = (at("g8"), at("g9"));
    assert_eq!(position.map().threat(g8, Color::White), Threat::FourThree);
    // The block of White's four at g8, h8, looks like a double three with g9, but is a four.
    assert!(stops_four_three(position.map(), g8, Color::White).contains(g9));
}
