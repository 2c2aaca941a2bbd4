//! Properties of all formats: whatever is written is read back as the same thing, and no input makes a reader panic.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::opening_file::OpeningFormat;
use super::pgn::{PgnGame, PgnResult};
use super::psq::PsqGame;
use super::samples::{GameSample, PositionSample, SampleResult};
use super::sgf::{SgfGame, SgfNode};
use super::text::{decode, printable};
use super::{any, moves, offset, opening_file, pgn, picture, psq, renlib, sgf, yxdb};
use crate::board::{Color, Point, Size, Stones};
use crate::random::drawn_points;
use crate::rules::Rule;

/// Square boards of every size, and rectangles.
fn sizes() -> Vec<Size> {
    let squares = (5..=22).map(Size::square);
    let rectangles = [(5, 22), (22, 5), (15, 20), (20, 15), (7, 6)].map(|(w, h)| Size::new(w, h).unwrap());
    squares.chain(rectangles).collect()
}

/// Distinct points of the board in random order, several times for each size: from none to all points.
fn games() -> impl Iterator<Item = (Size, Vec<Point>, StdRng)> {
    sizes().into_iter().enumerate().flat_map(|(n, size)| {
        (0..4).map(move |part| {
            let mut random = StdRng::seed_from_u64(n as u64 * 4 + part);
            let count = if part == 0 { size.area() } else { random.random_range(0..size.area() / 2) };
            (size, drawn_points(size, count, &mut random), random)
        })
    })
}

/// Random text of everything that has a meaning in one of the formats.
fn text(random: &mut StdRng) -> String {
    const SIGNS: [&str; 22] = [
        "(", ")", "[", "]", ";", "\\", "\"", ",", "\n", " ", "#", ".", "X", "O", "h8", "7", "-1", "é", "水",
        "B", "AB", "name",
    ];
    (0..random.random_range(0..12)).map(|_| *SIGNS.choose(random).unwrap()).collect()
}

fn same(one: &Stones, other: &Stones) -> bool {
    one.size() == other.size() && one.hash() == other.hash()
}

#[test]
fn moves_and_openings_are_read_as_they_were_written() {
    for (size, points, _) in games() {
        for written in [moves::letters(&points, ""), moves::letters(&points, " "), moves::numbers(&points)] {
            assert_eq!(moves::read(&written, size).as_ref(), Ok(&points), "{size}: {written}");
        }
        let line = offset::OffsetLine { points: &points, size }.to_string();
        assert_eq!(offset::read(&line, size).as_ref(), Ok(&points), "{size}: {line}");
        for format in [OpeningFormat::Offset, OpeningFormat::Absolute, OpeningFormat::Pos] {
            let line = opening_file::line(&points, size, format);
            let mut found = opening_file::read(&line, format, size);
            assert_eq!(found.next().map_or(Ok(Vec::new()), |found| found.points).as_ref(), Ok(&points));
        }
    }
}

#[test]
fn positions_are_read_as_they_were_drawn() {
    for (size, points, mut random) in games() {
        let mut stones = moves::alternating(&points, size);
        let free: Vec<Point> = size.points().filter(|&point| stones.is_empty_at(point)).collect();
        free.iter().filter(|_| random.random_bool(0.1)).for_each(|&point| stones.kill(point));
        let drawn = picture::draw(&stones);
        assert!(same(&picture::read(&drawn).unwrap().stones, &stones), "{drawn}");
        assert!(same(&any::read(&drawn, Some(size)).unwrap(), &stones), "{drawn}");
    }
}

#[test]
fn games_of_piskvork_are_read_as_they_were_written() {
    for (size, points, mut random) in games() {
        let timed =
            points.iter().map(|&point| (point, random.random_range(0..u64::from(u32::MAX)))).collect();
        let names = ("somebody".to_owned(), "somebody else".to_owned());
        let game = PsqGame { size, moves: timed, names };
        assert_eq!(psq::read(&game.to_string()).as_ref(), Ok(&game));
        assert!(same(&any::read(&game.to_string(), None).unwrap(), &game.position()));
        // Whatever the names are, the stones stay the same.
        let game = PsqGame { names: (text(&mut random), text(&mut random)), ..game };
        assert_eq!(psq::read(&game.to_string()).unwrap().moves, game.moves, "{game}");
    }
}

#[test]
fn games_in_sgf_are_read_as_they_were_written() {
    for (size, points, mut random) in games() {
        let rule = *Rule::ALL.choose(&mut random).unwrap();
        let mut game = SgfGame::new(size);
        game.node_mut(SgfGame::ROOT).set("RU", [rule.name()]);
        game.node_mut(SgfGame::ROOT).set("PB", [text(&mut random).as_str()]);
        let mut last = SgfGame::ROOT;
        for (&point, color) in points.iter().zip(Color::ALL.into_iter().cycle()) {
            let mut node = SgfNode::play(color, point);
            if random.random_bool(0.2) {
                node.set("C", [text(&mut random).as_str()]);
            }
            last = game.add(last, node);
        }
        // Variations anywhere, even within variations. The main line, which came first, stays the main line.
        let mut numbers: Vec<usize> = (0..=points.len()).collect();
        numbers.pop();
        for _ in 0..random.random_range(0..20) {
            let Some(&after) = numbers.choose(&mut random) else { break };
            let node = SgfNode::play(Color::White, size.center()).with("C", &text(&mut random));
            numbers.push(game.add(after, node));
        }
        let written = game.to_string();
        let again = sgf::read(&written).unwrap().remove(0);
        assert_eq!(again.to_string(), written);
        assert_eq!(again.rule(), Some(rule));
        assert_eq!((again.size(), again.main_line().count()), (Ok(Some(size)), points.len() + 1));
        assert_eq!(again.line(Some(size)).unwrap().alternating().as_ref(), Ok(&points), "{written}");
        assert!(same(&any::read(&written, None).unwrap(), &moves::alternating(&points, size)));
    }
}

#[test]
fn positions_in_sgf_are_read_as_they_were_written() {
    for (size, points, mut random) in games() {
        let mut stones = Stones::new(size);
        for &point in &points {
            stones.place(point, if random.random_bool(0.4) { Color::Black } else { Color::White });
        }
        stones.set_to_move(if random.random_bool(0.5) { Color::Black } else { Color::White });
        let game = SgfGame::of_position(&stones);
        assert!(same(&any::read(&game.to_string(), None).unwrap(), &stones), "{game}");
    }
}

#[test]
fn results_in_pgn_are_read_as_they_were_written() {
    let mut random = StdRng::seed_from_u64(1);
    for _ in 0..200 {
        let result = [PgnResult::White, PgnResult::Black, PgnResult::Draw, PgnResult::Unknown];
        let (white, black) = (text(&mut random), text(&mut random));
        let game =
            PgnGame::new(*result.choose(&mut random).unwrap()).with("White", &white).with("Black", &black);
        let again = pgn::read(&game.to_string()).unwrap();
        assert_eq!((again.len(), again[0].result), (1, game.result), "{game}");
        assert_eq!(again[0].tag("White"), Some(&*printable(&white)), "{game}");
        assert_eq!(again[0].tag("Black"), Some(&*printable(&black)), "{game}");
    }
}

#[test]
fn samples_are_read_as_they_were_written() {
    let results = [SampleResult::Loss, SampleResult::Draw, SampleResult::Win];
    for (size, mut points, mut random) in games() {
        let rule = *Rule::ALL.choose(&mut random).unwrap();
        let result = *results.choose(&mut random).unwrap();
        let moves =
            points.iter().map(|&point| (point, random.random_bool(0.5).then(|| random.random()))).collect();
        let Some(played) = points.pop() else { continue };
        let position = PositionSample { size, rule, stones: points, played, result };
        assert_eq!(PositionSample::from_csv(&position.to_csv(), rule, size).as_ref(), Ok(&position));
        if let Ok(bytes) = position.to_bytes() {
            assert_eq!(PositionSample::from_bytes(&bytes), Ok((position, &b""[..])));
        }
        let mut game = GameSample { size, rule, result, opening: Vec::new(), moves };
        let opening = random.random_range(0..=game.moves.len());
        game.opening = game.moves.drain(..opening).map(|(point, _)| point).collect();
        if let Ok(bytes) = game.to_bytes() {
            assert_eq!(GameSample::from_bytes(&bytes), Ok((game, &b""[..])));
        }
    }
}

/// Passes the bytes to every reader.
fn read_in_every_way(bytes: &[u8]) {
    let size = Size::square(15);
    let text = decode(bytes);
    let _ = any::read(&text, None);
    let _ = any::read(&text, Some(size));
    let _ = (moves::read(&text, size), offset::read(&text, size), picture::read(&text));
    let _ = psq::read(&text).map(|game| (game.position(), game.to_string()));
    for game in sgf::games(&text).map_while(Result::ok) {
        let again = sgf::read(&game.to_string()).expect("what is written can be read");
        assert_eq!(again.len(), 1);
        let _ = game.line(None).map(|line| (line.position(), line.alternating()));
    }
    let _ = pgn::read(&text).map(|games| games.iter().map(PgnGame::to_string).collect::<String>());
    let _ = pgn::games_with_moves(&text)
        .map(|games| games.iter().for_each(|(_, moves)| drop(moves.points(size))));
    let _ = (renlib::nodes(bytes).map(Iterator::count), yxdb::records(bytes).map(Iterator::count));
    for format in OpeningFormat::ALL {
        opening_file::read(&text, format, size).for_each(drop);
    }
    let rule = Rule::default();
    let _ = PositionSample::from_csv(&text, rule, size);
    let _ = (PositionSample::from_bytes(bytes), GameSample::from_bytes(bytes));
    let _ = printable(&text);
}

#[test]
fn nothing_that_is_read_panics() {
    for text in [
        "",
        "(",
        "(;",
        ")",
        "é",
        "(;B[é])",
        "(;SZ[])",
        ".",
        "Piskvorky",
        "Piskvorky ",
        "1,",
        ",",
        "h",
        "[",
        "(;B[]",
        "(;AB[:])",
        "(;AB[aa:])",
        "(;SZ[22];AE[aa:vv])",
        "((((",
        "a",
        "1",
        "X",
        "#",
        "\u{FEFF}",
        "\\",
        "[a \"\\",
    ] {
        read_in_every_way(text.as_bytes());
    }
    let mut random = StdRng::seed_from_u64(7);
    for _ in 0..2_000 {
        let bytes: Vec<u8> = (0..random.random_range(0..64)).map(|_| random.random()).collect();
        read_in_every_way(&bytes);
        let text: String = (0..8).map(|_| text(&mut random)).collect();
        read_in_every_way(text.as_bytes());
    }
    // Nearly valid input gets furthest.
    let stones = moves::position("h8i9j10", Size::square(15)).unwrap();
    for whole in [
        "(;GM[4]SZ[15]AB[aa:bb]AE[ab]PL[W];B[hh];W[ii]C[a\\]b](;B[jj])(;B[kk];W[]))".to_owned(),
        "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,12\nme\nyou\n-1\n".to_owned(),
        "[Round \"1\"]\n[White \"a\\\"b\"]\n[Result \"1-0\"]\n\n1-0\n\n".to_owned(),
        "0,0, 1,-1, -2,3\n7,7 8,8\nh8i9,j8,2".to_owned(),
        picture::draw(&stones),
    ] {
        for _ in 0..500 {
            let mut bytes = whole.clone().into_bytes();
            for _ in 0..random.random_range(1..4) {
                let at = random.random_range(0..bytes.len());
                match random.random_range(0..3) {
                    0 => bytes[at] = random.random(),
                    1 => bytes.truncate(at.max(1)),
                    _ => bytes.insert(at, *b"()[]\\;,.X8\n".choose(&mut random).unwrap()),
                }
            }
            read_in_every_way(&bytes);
        }
    }
}
