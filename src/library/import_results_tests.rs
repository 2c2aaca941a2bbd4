//! Which games an import counts, and as won by whom.

use super::tests::{import, played, position};
use super::*;
use crate::formats::moves;
use crate::library::LibraryAccess;

const SIZE: Size = Size::square(15);

#[test]
fn games_of_unknown_rules_are_counted() {
    let (_, count) = import(|import| {
        import.add_sgf("(;SZ[15]RU[Japanese];B[hh])(;SZ[15]RU[renju];B[hh])(;SZ[15]RU[ ];B[hh])")?;
        import.add_pgn("[Variant \"gomoku\"]\n1. h8 *\n[Variant \"caro\"]\n1. h8 *\n[Round \"1\"]\n1. h8 *\n")
    });
    let count = count.unwrap();
    assert_eq!((count.games, count.unknown_rules), (6, 2));
}

#[test]
fn a_line_on_the_board_refutes_another_result() {
    // Black has five in the first two of each format, and nobody has won the last one.
    let pgn = "[Result \"1-0\"]\n1. f8 a1 2. g8 c1 3. h8 e1 4. i8 g1 5. j8 1-0\n\n\
               [Result \"0-1\"]\n1. f8 a1 2. g8 c1 3. h8 e1 4. i8 g1 5. j8 0-1\n\n[Result \"1-0\"]\n1. f8 a1 1-0\n";
    let five = ";B[fh];W[aa];B[gh];W[ca];B[hh];W[ea];B[ih];W[ga];B[jh]";
    let sgf = format!("(;SZ[15]RE[0]{five})(;SZ[15]RE[B+]{five})(;SZ[15]RE[W+T];B[fh];W[aa])");
    for (work, of_all) in [
        (
            Box::new(|import: &mut Import<'_>| import.add_pgn(pgn)) as Box<dyn FnOnce(&mut Import<'_>) -> _>,
            Played { games: 3, black: 2, white: 1, draws: 0 },
        ),
        (Box::new(|import| import.add_sgf(&sgf)), Played { games: 3, black: 2, white: 1, draws: 0 }),
    ] {
        let (library, count) = import(work);
        assert_eq!(count.unwrap().results_refuted, 1);
        assert_eq!(played(&library, Rule::ALL[0], ""), of_all);
    }
    // Black's last stone makes two threes, which White may have overlooked.
    let moves = moves::read("g4a1h4a3i5a5i6a7i4", SIZE).unwrap();
    let end_of = |end| {
        let line = GameLine { rule: Rule::Renju, size: SIZE, moves: moves.clone(), end };
        let (library, count) = import(|import| Ok(import.add_game(&line)?));
        (played(&library, Rule::Renju, "").black, count.unwrap().results_refuted)
    };
    assert_eq!((end_of(GameEnd::Won(Color::Black)), end_of(GameEnd::Unknown)), ((1, 0), (0, 0)));
}

#[test]
fn files_without_moves_are_refused() {
    for text in ["(;GM[4]SZ[15])", "(;GM[4]SZ[15]RE[B+];W[];B[])"] {
        let (library, error) = import(|import| import.add_sgf(text));
        assert!(matches!(error, Err(ImportError::NoMoves)), "{text}");
        assert_eq!(library.count().unwrap().positions, 0);
    }
    let (_, error) = import(|import| import.add_psq("Piskvorky 15x15, 11:11, 0\nA\nB\n-1\n"));
    assert!(matches!(error, Err(ImportError::NoMoves)));
    // Beside others, an empty game is no game; stones that were set up are a position that was played.
    let (library, count) =
        import(|import| import.add_sgf("(;SZ[15])(;SZ[15]AB[hh];W[ii])(;SZ[15]C[remark])"));
    assert_eq!(count.unwrap().games, 1);
    let entry = library.entry(Rule::default(), &position("")).unwrap().unwrap();
    assert_eq!((entry.played.games, entry.comment.as_str()), (0, "remark"));
    assert_eq!(played(&library, Rule::default(), "h8").games, 1);
}

#[test]
fn results_in_words_are_those_of_who_wins() {
    let won = |color| (u64::from(color == Some(Color::Black)), u64::from(color == Some(Color::White)));
    for (said, expected) in [
        ("B+R", Some(Color::Black)),
        ("Black", Some(Color::Black)),
        ("White wins", Some(Color::White)),
        ("white + resign", Some(Color::White)),
        ("White resigns", None),
        ("Black loses on time", None),
    ] {
        let mut library = Library::in_memory().unwrap();
        let mut import = library.import(ImportOptions::default()).unwrap();
        import.add_sgf(&format!("(;GM[4]SZ[15]RE[{said}];B[hh];W[ii])")).unwrap();
        import.commit().unwrap();
        let empty = Stones::new(Size::square(15));
        let played = library.entry(Rule::default(), &empty).unwrap().unwrap().played;
        assert_eq!((played.black, played.white), won(expected), "{said}");
    }
}

#[test]
fn results_that_are_not_understood_are_counted() {
    let five = ";B[fh];W[aa];B[gh];W[ca];B[hh];W[ea];B[ih];W[ga];B[jh]";
    let text = format!(
        "(;SZ[15]RE[黒勝];B[hh])(;SZ[15]RE[½-½];B[hh])(;SZ[15]RE[?];B[hh])(;SZ[15];B[hh])\
         (;SZ[15]RE[forfeit];B[hh])(;SZ[15]RE[forfeit]{five})"
    );
    let (library, count) = import(|import| import.add_sgf(&text));
    let count = count.unwrap();
    assert_eq!((count.games, count.results_not_understood, count.results_refuted), (6, 1, 0));
    assert_eq!(played(&library, Rule::ALL[0], ""), Played { games: 6, black: 2, white: 0, draws: 1 });
}
