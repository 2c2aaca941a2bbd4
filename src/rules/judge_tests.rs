//! Diagrams for every rule, and properties that must hold on any board.

use rand::RngExt;

use super::*;
use crate::board::{Size, Symmetry};
use crate::formats::picture::{self, Picture};
use crate::random::{filled, rng};
use crate::rules::{Caro, ExactCaro, Freestyle, Renju, Rule, Standard, with_rule};

/// The positions of `testdata/renju.txt` with their titles.
///
/// In each, the points marked `*` are forbidden to Black and no others are; `!` is an allowed point of
/// interest, `w` one where Black wins.
pub(crate) fn renju_cases() -> Vec<(String, Picture)> {
    let read = |case: &str| {
        let (title, picture) = case.trim().split_once('\n').expect("a title and a picture");
        let title = title.strip_prefix("# ").expect("a title starts with `# `").to_owned();
        let diagram = picture::read(picture).unwrap_or_else(|error| panic!("{title}: {error}"));
        (title, diagram)
    };
    include_str!("testdata/renju.txt").split("\n\n").map(read).collect()
}

fn forbidden_points(stones: &Stones) -> Vec<Point> {
    stones.size().points().filter(|&p| is_forbidden::<Renju>(stones, p, Color::Black)).collect()
}

#[test]
fn renju_diagrams() {
    let mut wrong = String::new();
    for (title, Picture { stones, marks }) in renju_cases() {
        let marked: Vec<Point> = marks.iter().filter(|&&(m, _)| m == '*').map(|&(_, p)| p).collect();
        let found = forbidden_points(&stones);
        if found != marked {
            wrong += &format!("{title}: {found:?}, not {marked:?}\n{}", picture::draw(&stones));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// If a point is forbidden for several reasons at once, the first is reported.
#[test]
fn each_foul_has_its_name() {
    for (picture, said) in [
        ("X X X * X X", "overline"),
        // Two fours on one line, and two that cross.
        ("X . X * X . X", "double four"),
        (
            "X X X * . . . .\n. . . X . . . .\n. . . X . . . .\n. . . X . . . .\n. . . . . . . .",
            "double four",
        ),
        (
            ". . . . . . .\n. . . . . . .\n. . * X X . .\n. . X . . . .\n. . X . . . .\n. . . . . . .",
            "double three",
        ),
        // An overline that is a double four as well.
        ("X X X * X X\n. . X X . .\n. X . X . .\nX . . X . .\n. . . . . .\n. . . . . .", "overline"),
    ] {
        let Picture { stones, marks } = picture::read(picture).unwrap();
        let found = foul::<Renju>(&stones, marks[0].1, Color::Black).map(|foul| foul.to_string());
        assert_eq!(found.as_deref(), Some(said), "{picture}");
        assert_eq!(foul::<Renju>(&stones, marks[0].1, Color::White), None, "{picture}");
    }
}

#[test]
fn the_other_colour_is_free() {
    for (title, Picture { stones, marks }) in renju_cases() {
        for (_, point) in marks {
            assert!(!is_forbidden::<Renju>(&stones, point, Color::White), "{title}: {point}");
            assert!(!is_forbidden::<Standard>(&stones, point, Color::Black), "{title}: {point}");
        }
    }
}

#[test]
fn a_foul_loses_and_five_wins() {
    for (title, Picture { mut stones, marks }) in renju_cases() {
        for (mark, point) in marks {
            let expected = match mark {
                '*' => Verdict::Foul(Color::Black),
                'w' => Verdict::Win(Color::Black),
                _ => Verdict::Ongoing,
            };
            stones.place(point, Color::Black);
            assert_eq!(verdict::<Renju>(&stones), expected, "{title}: {point}");
            stones.undo();
        }
    }
}

/// The names of the rules under which a stone there wins.
fn winners(stones: &Stones, point: Point, color: Color) -> String {
    let wins = |rule: Rule| with_rule!(rule, R => wins_at::<R>(stones, point, color));
    Rule::ALL.into_iter().filter(|&rule| wins(rule)).map(|rule| rule.name().to_owned() + " ").collect()
}

#[test]
fn winning_lines() {
    let all = "freestyle standard renju caro exact-caro ";
    let unclosed = "freestyle standard renju ";
    let long = "freestyle caro ";
    for (picture, expected) in [
        // Five, open, at the edge, and closed on one side only.
        (". . X X * X X . .", all),
        ("X X X X *", all),
        ("X X * X X O", all),
        ("O X X X X * .", all),
        (". O X X * X X . O .", all),
        // Five between two stones of the opponent, and five with something else at one end or both.
        ("O X X * X X O", unclosed),
        ("O X X X X *", all),
        ("# X X X * X #", all),
        ("O * X X X X #", all),
        // Six, seven, nine.
        (". X X * X X X .", long),
        ("O X X * X X X O", long),
        ("X X X * X X X", long),
        ("X X X X * X X X X", long),
        // Four, and dead cells in between.
        (". X X * X . X .", ""),
        ("X X # * X X", ""),
        ("X # X X X X *", all),
        ("O X X X * O", ""),
    ] {
        for color in Color::ALL {
            let swapped = |sign| match sign {
                'X' => 'O',
                'O' => 'X',
                sign => sign,
            };
            let own: String =
                if color == Color::Black { picture.into() } else { picture.chars().map(swapped).collect() };
            let Picture { stones, marks } = picture::read(&own).unwrap();
            // White's overlines win in renju too.
            let expected = match (color, expected == long) {
                (Color::White, true) => "freestyle renju caro ",
                _ => expected,
            };
            assert_eq!(winners(&stones, marks[0].1, color), expected, "{own}");
            assert_eq!(winners(&stones, marks[0].1, !color), "", "{own}");
        }
    }
}

#[test]
fn any_winning_line_will_do() {
    let picture = "
        . . O . . .
        . . X . . .
        . . X . . .
        O X * X X X
        . . X . . .
        . . X . . .";
    let Picture { stones, marks } = picture::read(picture).unwrap();
    assert_eq!(winners(&stones, marks[0].1, Color::Black), "freestyle standard renju caro exact-caro ");
}

#[test]
fn every_direction_and_edge() {
    for size in [Size::square(5), Size::square(15), Size::square(22), Size::new(6, 20).unwrap()] {
        let mut lines = 0;
        for start in size.points() {
            for direction in Direction::ALL {
                let mut stones = Stones::new(size);
                let line: Vec<Point> = (0..FIVE).filter_map(|n| walk(&stones, start, direction, n)).collect();
                if line.len() < 5 {
                    continue;
                }
                lines += 1;
                line[1..].iter().for_each(|&p| stones.place(p, Color::White));
                assert!(!wins_at::<Freestyle>(&stones, line[1], Color::White));
                assert!(wins_at::<ExactCaro>(&stones, line[0], Color::White));
                stones.place(line[0], Color::White);
                assert_eq!(verdict::<Standard>(&stones), Verdict::Win(Color::White));
                assert!(line.iter().all(|&p| wins_at::<Caro>(&stones, p, Color::White)));
            }
        }
        let (w, h) = (size.width(), size.height());
        assert_eq!(lines, (w - 4) * h + w * (h - 4) + 2 * (w - 4) * (h - 4));
    }
}

#[test]
fn draws_and_beginnings() {
    assert_eq!(verdict::<Renju>(&Stones::new(Size::square(15))), Verdict::Ongoing);
    let full = |picture| verdict::<Freestyle>(&picture::read(picture).unwrap().stones);
    assert_eq!(full("X O X O X X"), Verdict::Draw);
    assert_eq!(full("X O # O X X"), Verdict::Draw);
    assert_eq!(full("X O . O X X"), Verdict::Ongoing);
    assert_eq!(full("O X X X X X"), Verdict::Win(Color::Black));
    assert_eq!(full("#"), Verdict::Draw);
}

#[test]
fn a_taken_cell_is_not_forbidden() {
    let Picture { stones, .. } = picture::read("X X X X X X # .").unwrap();
    assert!(forbidden_points(&stones).is_empty());
}

#[test]
fn symmetries_change_nothing() {
    let mut random = rng(20);
    let mut forbidden = 0;
    for round in 0..300 {
        let size = [Size::square(15), Size::square(9), Size::new(7, 16).unwrap()][round % 3];
        let stones = filled(size, [15, 25, 40, 60][round % 4], &mut random);
        let facts = |stones: &Stones, point| {
            let free = stones.is_empty_at(point);
            (free, is_forbidden::<Renju>(stones, point, Color::Black), winners(stones, point, Color::Black))
        };
        let before: Vec<_> = size.points().map(|p| facts(&stones, p)).collect();
        forbidden += before.iter().filter(|(_, forbidden, _)| *forbidden).count();
        for symmetry in Symmetry::of(size) {
            let mut image = Stones::new(size);
            for &(point, color) in stones.history() {
                image.place(symmetry.apply(point, size), color);
            }
            stones.dead_cells().for_each(|p| image.kill(symmetry.apply(p, size)));
            for (point, before) in size.points().zip(&before) {
                assert_eq!(&facts(&image, symmetry.apply(point, size)), before, "{}", picture::draw(&stones));
            }
        }
    }
    assert!(forbidden > 500, "{forbidden} forbidden points are too few to tell");
}

#[test]
fn swapped_colours_change_nothing_where_both_are_alike() {
    let mut random = rng(21);
    for _ in 0..100 {
        let stones = filled(Size::square(10), 70, &mut random);
        let mut swapped = Stones::new(stones.size());
        stones.history().iter().for_each(|&(point, color)| swapped.place(point, !color));
        stones.dead_cells().for_each(|p| swapped.kill(p));
        for rule in Rule::ALL {
            with_rule!(rule, R => if R::treats_colors_alike() {
                for point in stones.size().points() {
                    let wins = wins_at::<R>(&stones, point, Color::Black);
                    assert_eq!(wins_at::<R>(&swapped, point, Color::White), wins);
                }
            });
        }
    }
}

/// Each recursive call adds a stone to the board, so the answer comes quickly even on a board full of threes.
#[test]
fn crowded_boards_are_judged() {
    let size = Size::square(15);
    let mut random = rng(22);
    let mut lattices = vec![];
    for period in 2..6 {
        for shift in 0..period {
            let mut stones = Stones::new(size);
            let on_lattice = |p: &Point| (p.x() + shift * p.y()).is_multiple_of(period);
            size.points().filter(on_lattice).for_each(|p| stones.place(p, Color::Black));
            lattices.push(stones);
        }
    }
    let thrown = (0..600).map(|round| {
        let mut stones = Stones::new(size);
        for point in size.points() {
            if random.random_ratio(10 + round % 40, 100) {
                stones.place(point, Color::Black);
            }
        }
        stones
    });
    let forbidden: usize = thrown.chain(lattices).map(|stones| forbidden_points(&stones).len()).sum();
    assert!(forbidden > 10_000, "{forbidden} forbidden points");
}
