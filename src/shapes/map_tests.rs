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
