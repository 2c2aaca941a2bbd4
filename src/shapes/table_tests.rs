//! Shapes of drawn lines under every rule, and the codes that four of them make.

use super::*;
use crate::rules::{Caro, ExactCaro, Freestyle, Renju, Standard};

/// The shape at `*` in a drawn line for the colour of `X`; `|` is a wall, `O` the opponent.
fn shape<R: RuleSet>(text: &str, color: Color) -> Shape {
    let cells: Vec<char> = text.chars().collect();
    let middle = cells.iter().position(|&c| c == '*').unwrap();
    let reach = R::reach() as isize;
    let key = (-reach..=reach).filter(|&offset| offset != 0).rev().fold(0, |key, offset| {
        let cell = middle.checked_add_signed(offset).and_then(|n| cells.get(n));
        let bits = match cell {
            Some('.') => EMPTY,
            Some('X') => stone_bits(color),
            Some('O') => stone_bits(!color),
            _ => WALL,
        };
        key << 2 | bits as usize
    });
    Tables::of::<R>().shape(key, color)
}

#[track_caller]
fn check<R: RuleSet>(cases: &[(&str, Shape)], colors: &[Color]) {
    for &(text, expected) in cases {
        let mirrored: String = text.chars().rev().collect();
        for &color in colors {
            assert_eq!(shape::<R>(text, color), expected, "{text} for {color:?}");
            assert_eq!(shape::<R>(&mirrored, color), expected, "{mirrored} for {color:?}");
        }
    }
}

#[test]
fn freestyle_shapes() {
    check::<Freestyle>(
        &[
            ("|....*|", Shape::One),
            ("|...*|", Shape::Dead),
            ("O..*..O", Shape::One),
            ("O.*..O", Shape::Dead),
            ("......*......", Shape::OpenOne),
            ("|X*...|", Shape::Two),
            ("....X*....", Shape::FreeOpenTwo),
            ("OXX*..", Shape::Three),
            ("..XX*..", Shape::FreeOpenThree),
            ("|.XX*..|", Shape::OpenThree),
            (".X.X*.", Shape::OpenThree),
            ("OXXX*.", Shape::Four),
            ("OX.X*X.", Shape::Four),
            (".XXX*.", Shape::OpenFour),
            ("X.X*X.X", Shape::DoubleFour),
            ("XX.X*.XX", Shape::DoubleFour),
            ("OXXX*X", Shape::Five),
            ("XXX*XXX", Shape::Five),
            (".XXX*.X", Shape::OpenFour),
        ],
        &Color::ALL,
    );
}

#[test]
fn exactly_five_shapes() {
    let cases = [
        ("XXX*XX", Shape::Overline),
        ("OXXX*X.", Shape::Five),
        ("X.XXX*.", Shape::Four),
        // Filling either gap makes six, so nothing can come of it.
        ("X.XXX*.X", Shape::Dead),
        (".XXX*.", Shape::OpenFour),
        ("X.X*X.X", Shape::DoubleFour),
        ("X..XX*..X", Shape::Three),
        ("X..XX*..", Shape::OpenThree),
        ("O.XX*.X", Shape::Four),
    ];
    check::<Standard>(&cases, &Color::ALL);
    check::<Renju>(&cases, &[Color::Black]);
    check::<Renju>(&[("XXX*XX", Shape::Five), ("X.XXX*.", Shape::OpenFour)], &[Color::White]);
}

#[test]
fn closed_fives_are_nothing_in_caro() {
    let cases = [
        ("OXXX*XO", Shape::Dead),
        ("|XXX*XO", Shape::Five),
        ("OXXX*X.", Shape::Five),
        ("OXXX*.O", Shape::Dead),
        ("OXXX*..", Shape::Four),
        // One stone beside the row stops both fives.
        ("O.XXX*.O", Shape::Four),
        ("O.XXX*..", Shape::Four),
        ("..XXX*..", Shape::OpenFour),
        ("|.XXX*.|", Shape::OpenFour),
    ];
    check::<Caro>(&cases, &Color::ALL);
    check::<ExactCaro>(&cases, &Color::ALL);
    check::<Caro>(&[("OXXX*XXO", Shape::Five)], &Color::ALL);
    check::<ExactCaro>(&[("OXXX*XXO", Shape::Overline)], &Color::ALL);
}

#[test]
fn no_two_rules_share_tables() {
    let tables = [
        Tables::of::<Freestyle>(),
        Tables::of::<Standard>(),
        Tables::of::<Renju>(),
        Tables::of::<Caro>(),
        Tables::of::<ExactCaro>(),
    ];
    for (n, one) in tables.iter().enumerate() {
        assert!(tables[..n].iter().all(|other| !std::ptr::eq(*one, *other)), "{n}");
    }
}

#[test]
fn a_free_point_has_the_shapes_of_a_lone_stone() {
    fn holds<R: RuleSet>() {
        let free = Tables::of::<R>().free_codes();
        for color in Color::ALL {
            let shape = shape::<R>(".....*.....", color);
            assert_ne!(shape, Shape::Dead);
            assert_eq!(shapes_of_code(free[color]), [shape; 4]);
        }
    }
    holds::<Freestyle>();
    holds::<Renju>();
    holds::<ExactCaro>();
}

#[test]
fn codes_lead_back_to_their_shapes() {
    assert_eq!(shapes_of_code(0), [Shape::Dead; 4]);
    assert_eq!(shapes_of_code((CODE_COUNT - 1) as Code), [Shape::Five; 4]);
    let tables = Tables::of::<Freestyle>();
    for code in 0..CODE_COUNT as Code {
        let packed = shapes_of_code(code).iter().fold(0, |packed, &shape| packed << 4 | shape as usize);
        let summary = tables.summary[Color::Black][packed];
        assert_eq!(summary.code(), code);
        assert_eq!(summary.threat(), Threat::of::<Freestyle>(shapes_of_code(code), Color::Black));
    }
}

#[test]
fn values_by_code_keep_their_places() {
    let mut table = ByCode::from_fn(|code| u32::from(code) + 7);
    assert_eq!(table.values().len(), CODE_COUNT);
    for code in 0..CODE_COUNT as Code {
        assert_eq!([table[code], table.values()[usize::from(code)]], [u32::from(code) + 7; 2]);
    }
    table.values_mut()[5] = 1;
    assert_eq!([table[4], table[5], table[6]], [11, 1, 13]);
}

#[test]
fn numbers_lead_back_to_shapes_and_threats() {
    for (index, shape) in Shape::ALL.into_iter().enumerate() {
        assert_eq!(Shape::from_index(index), shape);
    }
    for (index, threat) in Threat::ALL.into_iter().enumerate() {
        assert_eq!((Threat::from_index(index), threat.index()), (threat, index));
    }
    // There are codes of four bits that no shape and no threat has.
    for index in [Shape::COUNT, 0xf, usize::MAX] {
        assert_eq!(Shape::from_index(index), Shape::Dead);
    }
    for index in [Threat::COUNT, 0xf, usize::MAX] {
        assert_eq!(Threat::from_index(index), Threat::None);
    }
}

#[test]
fn fours_and_all_above_have_to_be_answered() {
    let answered: Vec<Threat> = Threat::ALL.into_iter().filter(|threat| threat.is_four()).collect();
    assert_eq!(answered, [Threat::Four, Threat::FourPlus, Threat::FourThree, Threat::OpenFour, Threat::Five]);
}

#[test]
fn only_dead_lines_and_overlines_are_hopeless() {
    for code in 0..CODE_COUNT as Code {
        let hopeless = shapes_of_code(code).iter().all(|&shape| shape <= Shape::Overline);
        assert_eq!(is_hopeless(code), hopeless, "{:?}", shapes_of_code(code));
    }
}

#[test]
fn two_threes_are_forbidden_only_to_the_colour_they_are_forbidden_to() {
    let lines = [Shape::OpenThree, Shape::FreeOpenThree, Shape::Dead, Shape::Dead];
    assert_eq!(Threat::of::<Renju>(lines, Color::Black), Threat::LooksForbidden);
    assert_eq!(Threat::of::<Renju>(lines, Color::White), Threat::DoubleThree);
    assert_eq!(Threat::of::<Freestyle>(lines, Color::Black), Threat::DoubleThree);
    let five_too = [Shape::Five, Shape::Overline, Shape::Four, Shape::Four];
    assert_eq!(Threat::of::<Renju>(five_too, Color::Black), Threat::Five);
}
