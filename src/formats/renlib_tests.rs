use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::*;

fn stone(name: &str) -> LibMove {
    LibMove::Stone(name.parse().unwrap())
}

fn all(bytes: &[u8]) -> Result<Vec<LibNode>, BinaryError> {
    nodes(bytes)?.collect()
}

fn header() -> Vec<u8> {
    b"\xFFRenLib\xFF\x03\x04\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF".to_vec()
}

/// Written by hand from the description: h8 is column 8, row 7 from the top; o1 is column 15, row 14.
#[test]
fn bytes_are_those_of_renlib() {
    let mut bytes = header();
    bytes.extend(b"\x00\x00"); // the root
    bytes.extend(b"\x78\x08one\x08two\r\nx\0\0"); // h8 with a comment of ten bytes
    bytes.extend(b"\x69\xC0"); // i9 on the screen is column 9, row 6: a leaf with a sibling
    bytes.extend(b"\xEF\xD1\x00\x01A\0"); // the lower right corner, marked, a leaf with a sibling, labelled
    bytes.extend(b"\x01\x43\x00\x01bc\0\0"); // a text in the upper left corner, which is not a move
    let found = all(&bytes).unwrap();
    let node = |depth, action| LibNode { depth, action, ..LibNode::default() };
    let expected = [
        node(0, LibMove::Root),
        LibNode { comment: "one\ntwo\nx".to_owned(), ..node(1, stone("h8")) },
        node(2, stone("i7")),
        LibNode { is_marked: true, board_text: "A".to_owned(), ..node(2, stone("o15")) },
        LibNode { board_text: "bc".to_owned(), ..node(2, LibMove::Text(Point::new(0, 0))) },
    ];
    assert_eq!(found, expected);
    assert_eq!(write(found), bytes);
}

#[test]
fn old_files_have_no_header() {
    // A comment of the oldest kind: the last byte has the highest bit set.
    let bytes = b"\x78\x20ab\xE3\x00\x79\x40";
    let found = all(bytes).unwrap();
    assert_eq!((found[0].depth, found[0].action, found[0].comment.as_str()), (1, stone("h8"), "abc"));
    assert_eq!((found[1].depth, found[1].action), (2, stone("i8")));
    // A comment of an odd number of bytes is followed by one more, another is not.
    let found = all(b"\x78\x20a\xE3\x79\x40").unwrap();
    assert_eq!((found[0].comment.as_str(), found[1].action), ("ac", stone("i8")));
}

#[test]
fn texts_are_decoded_as_the_caller_wishes_and_places_are_known() {
    let bytes = [header().as_slice(), b"\x00\x00\x78\x08one\0\x79\x41\x00\x01two\0"].concat();
    let mut read =
        nodes(&bytes).unwrap().with_texts(TextDecoder::new(|bytes| format!("{} bytes", bytes.len())));
    let mut next = || (read.offset(), read.next().unwrap().unwrap());
    assert_eq!(next().0, header().len());
    assert_eq!(
        next(),
        (
            header().len() + 2,
            LibNode { depth: 1, action: stone("h8"), comment: "3 bytes".to_owned(), ..LibNode::default() }
        )
    );
    let (offset, last) = next();
    assert_eq!((offset, last.board_text.as_str()), (header().len() + 8, "3 bytes"));
}

#[test]
fn a_part_saved_by_itself_ends_without_saying_so() {
    let mut bytes = header();
    bytes.extend(b"\x00\x00\x78\x00");
    assert_eq!(all(&bytes).unwrap().len(), 2);
    assert_eq!(all(&header()).unwrap(), []);
}

#[test]
fn mistakes_are_told_with_their_place() {
    let said = |tail: &[u8]| all(&[header().as_slice(), tail].concat()).unwrap_err().to_string();
    assert_eq!(said(b"\x00\x00\x78\xC0"), "byte 24: the file ends before the moves that are announced");
    assert_eq!(said(b"\x00\x00\x78"), "byte 23: the file ends before the end of a move");
    assert_eq!(said(b"\x00\x00\xF1\x40"), "byte 22: 0xf1 is not a point of the board");
    assert_eq!(said(b"\x00\x00\x70\x40"), "byte 22: 0x70 is not a point of the board");
    assert_eq!(said(b"\x00\x00\x78\x40\x79\x40"), "byte 24: something follows behind the end");
    assert_eq!(said(b"\x00\x08abc"), "byte 25: the file ends before the end of a text");
    assert_eq!(said(b"\x00\x00\x78\x01"), "byte 24: the file ends before the flags of a move");
    assert_eq!(
        said(&[b"\x00\x08".as_slice(), &vec![b'x'; 1 << 22]].concat()),
        "byte 2097174: a text without an end"
    );
    let mut newer = header();
    newer[9] = 5;
    assert_eq!(all(&newer).unwrap_err().to_string(), "byte 8: version 3.5 is newer than what is known");
    assert_eq!(all(b"RenLib").unwrap_err().to_string(), "byte 0: this is not a library of RenLib");
    assert_eq!(
        all(&header()[..12]).unwrap_err().to_string(),
        "byte 12: the file ends before the end of its header"
    );
}

/// A random tree, its root first.
fn tree(random: &mut StdRng) -> Vec<LibNode> {
    const TEXTS: [&str; 6] = ["", "a", "née 水", "two\nlines", "w\n\nmore", "0123456789abcdef"];
    let mut found = vec![LibNode::default()];
    for _ in 0..random.random_range(0..40) {
        let last = found.last().unwrap().depth;
        let point = Point::new(random.random_range(0..15), random.random_range(0..15));
        let action = match random.random_range(0..10) {
            0 => LibMove::Pass,
            1 => LibMove::Text(point),
            _ => LibMove::Stone(point),
        };
        found.push(LibNode {
            depth: random.random_range(1..=last + 1),
            action,
            is_marked: random.random_bool(0.2),
            is_start: random.random_bool(0.1),
            comment: (*TEXTS.choose(random).unwrap()).to_owned(),
            board_text: TEXTS.choose(random).unwrap().replace('\n', ""),
        });
    }
    found
}

#[test]
fn what_is_written_is_read_as_the_same_tree() {
    let mut random = StdRng::seed_from_u64(1);
    for _ in 0..500 {
        let tree = tree(&mut random);
        assert_eq!(all(&write(tree.clone())), Ok(tree));
    }
}

#[test]
fn gaps_of_depth_are_closed() {
    let written = |depths: &[usize]| {
        let mut nodes = vec![LibNode::default()];
        let stone =
            |(n, &depth)| LibNode { depth, action: LibMove::Stone(Point::new(n, 0)), ..LibNode::default() };
        nodes.extend(depths.iter().enumerate().map(stone));
        let again = all(&write(nodes)).unwrap();
        again[1..].iter().map(|node| node.depth).collect::<Vec<usize>>()
    };
    assert_eq!(written(&[1, 5, 3]), [1, 2, 2]);
    assert_eq!(written(&[1, 5, 3, 5, 2, 1]), [1, 2, 2, 3, 2, 1]);
    assert_eq!(written(&[usize::MAX, 7, 0, 0, 1]), [1, 1, 1, 1, 2]);
    let part = [2, 3, 3, 2].map(|depth| LibNode { depth, action: stone("h8"), ..LibNode::default() });
    let depths: Vec<usize> = all(&write(part)).unwrap().iter().map(|node| node.depth).collect();
    assert_eq!(depths, [1, 2, 2, 1]);
}

#[test]
fn nothing_that_is_read_panics() {
    let mut random = StdRng::seed_from_u64(2);
    for _ in 0..2_000 {
        let mut bytes = write(tree(&mut random));
        for _ in 0..random.random_range(1..6) {
            let at = random.random_range(0..bytes.len());
            match random.random_range(0..3) {
                0 => bytes[at] = random.random(),
                1 => bytes.truncate(at.max(1)),
                _ => bytes.insert(at, random.random()),
            }
        }
        let length = bytes.len();
        match all(&bytes) {
            Ok(found) => assert!(found.len() <= length / 2),
            Err(error) => assert!(error.offset <= length, "{error}"),
        }
        let noise: Vec<u8> = (0..random.random_range(0..64)).map(|_| random.random()).collect();
        let _ = all(&[header(), noise.clone()].concat());
        let _ = all(&noise);
    }
}
