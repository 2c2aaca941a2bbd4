use super::*;
use crate::random::crowded_games;
use crate::rules::{Rule, with_rule};

/// Keeps what it is told, as an evaluation does.
struct Told(Box<[ByColor<Code>; POINT_COUNT]>);

impl ShapeObserver for Told {
    fn changed(&mut self, changes: &[ShapeChange]) {
        for change in changes {
            let known = &mut self.0[change.point.index()];
            assert_eq!(*known, change.old, "{}", change.point);
            assert_ne!(change.old, change.new, "{}", change.point);
            *known = change.new;
        }
    }
}

#[test]
fn an_observer_is_told_of_every_change_under_every_rule() {
    for game in crowded_games(6) {
        for rule in Rule::ALL {
            with_rule!(rule, R => {
                let size = game.start.size();
                let mut told = Told(Box::new([ByColor::default(); POINT_COUNT]));
                let mut map = ShapeMap::<R>::new(size, &mut told);
                for point in game.start.dead_cells() {
                    map.kill(point, &mut told);
                }
                for &(stone, color) in &game.moves {
                    map.place(stone, color, &mut told);
                    for point in size.points() {
                        let codes = ByColor::from_fn(|color| map.code(point, color));
                        assert_eq!(told.0[point.index()], codes, "{rule} {point}");
                    }
                }
            });
        }
    }
}

#[test]
fn points_are_found_by_their_threats_under_every_rule() {
    for game in crowded_games(6) {
        for rule in Rule::ALL {
            with_rule!(rule, R => game.replay::<R>(|position| {
                let map = position.map();
                for color in Color::ALL {
                    let empty = position.empty_points();
                    let with = |is: &dyn Fn(Threat) -> bool| -> PointSet {
                        empty.iter().filter(|&point| is(map.threat(point, color))).collect()
                    };
                    assert_eq!(map.has_four(color), !map.fours(color).is_empty());
                    for threat in Threat::ALL {
                        if threat >= Threat::OpenThree {
                            assert_eq!(map.points_from(color, threat), with(&|other| other >= threat), "{rule}");
                        }
                        if crate::shapes::is_tracked(threat) {
                            assert_eq!(*map.points(color, threat), with(&|other| other == threat), "{rule}");
                            assert_eq!(map.count(color, threat), with(&|other| other == threat).len(), "{rule}");
                        }
                    }
                }
            }));
        }
    }
}

#[test]
fn a_threat_with_one_more_stone_is_that_once_it_stands() {
    for game in crowded_games(4) {
        for rule in Rule::ALL {
            let mut visits = 0;
            with_rule!(rule, R => game.clone().replay::<R>(|position| {
                visits += 1;
                let Some(point) = position.empty_points().iter().nth(visits % 7) else { return };
                let mut map = position.map().clone();
                for other in position.empty_points().iter() {
                    for (color, stone) in Color::ALL.into_iter().flat_map(|c| Color::ALL.map(|s| (c, s))) {
                        let found = map.threat_with(point, color, other, stone);
                        map.place(other, stone, &mut ());
                        let expected = if other == point { Threat::None } else { map.threat(point, color) };
                        map.undo();
                        assert_eq!(found, expected, "{rule}: {point} with {other}");
                    }
                }
            }));
        }
    }
}
