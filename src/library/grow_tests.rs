use super::*;
use crate::board::Size;
use crate::formats::moves;
use crate::library::{BookOptions, GameEnd, ImportOptions, LibraryAccess, Played, RankedMove, book_move};

const OPTIONS: GrowthOptions = GrowthOptions { nodes: 400, lines: 3, margin: 0.3, most_stones: 8 };

fn root() -> Stones {
    moves::position("h8 i9 j8", Size::square(15)).unwrap()
}

fn grown(library: &Library, steps: usize) -> Vec<GrowthStep> {
    let mut growth = Growth::new(library, Rule::ALL[1], &root(), OPTIONS).unwrap();
    let mut engine = Engine::new(1, 64 << 20);
    let control = Control::new();
    let step = |_| {
        // What the engine remembers must not make a difference to a growth that was interrupted.
        engine.new_game();
        growth.step(&mut engine, &control).unwrap()
    };
    (0..steps).map_while(step).collect()
}

#[test]
fn a_growth_goes_on_where_it_ended() {
    let whole = Library::in_memory().unwrap();
    let steps = grown(&whole, 8);
    assert_eq!((steps.len(), steps[7].searched), (8, 8));
    let parts = Library::in_memory().unwrap();
    let mut again = Vec::new();
    for count in [3, 1, 4] {
        again.extend(grown(&parts, count));
    }
    assert_eq!(again, steps);
    assert_eq!(parts.contents(), whole.contents());
    // The root has the value of its best move, and the book plays that move.
    let record = whole.position_record(Rule::ALL[1], &root()).unwrap();
    let worth: Vec<Score> =
        record.branches.iter().filter_map(|branch| branch.entry.value().map(score_before)).collect();
    assert_eq!(record.entry.unwrap().score, worth.iter().copied().max());
    let played = book_move(&whole, Rule::ALL[1], &root(), BookOptions::default()).unwrap();
    assert_eq!(Some(played.score), worth.iter().copied().max());
    assert_eq!(book_move(&whole, Rule::ALL[0], &root(), BookOptions::default()), None);
}

#[test]
fn a_stopped_growth_leaves_no_trace() {
    let library = Library::in_memory().unwrap();
    let mut growth = Growth::new(&library, Rule::ALL[1], &root(), OPTIONS).unwrap();
    let control = Control::new();
    control.stop();
    assert_eq!(growth.step(&mut Engine::new(1, 64 << 20), &control).unwrap(), None);
    assert_eq!((growth.searched(), library.count().unwrap().positions), (0, 0));
}

#[test]
fn what_others_write_meanwhile_is_kept() {
    use std::sync::mpsc::channel;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.kgl");
    let library = Library::open_or_create(&path).unwrap();
    let key = PositionKey::of(Rule::ALL[1], &root()).unwrap().key;
    let mut growth = Growth::new(&library, Rule::ALL[1], &root(), OPTIONS).unwrap();
    let ranked = RankedMove { point: "h9".parse().unwrap(), worth: Some((20, 5)) };
    let ranking = Ranking { nodes: 400, moves: vec![ranked] };
    let grow = || assert_eq!(growth.enter(&key, &ranking).unwrap().searched, 1);
    let edit = || {
        let change = |entry: &mut Entry| {
            entry.add_comment("a comment");
            Ok::<(), LibraryError>(())
        };
        library.change(Rule::ALL[1], &root(), change).unwrap();
    };
    let works: [Box<dyn FnMut()>; 2] = [Box::new(grow), Box::new(edit)];
    for mut work in works {
        let (begun, wait) = channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut other = Library::open(&path).unwrap();
                let mut import = other.import(ImportOptions::default()).unwrap();
                import.add_games(key.clone(), Played::once(GameEnd::Drawn)).unwrap();
                begun.send(()).unwrap();
                // Long enough for the work to read what was there before this is committed, if it would read that.
                std::thread::sleep(std::time::Duration::from_millis(50));
                import.commit().unwrap();
            });
            wait.recv().unwrap();
            work();
        });
    }
    let entry = library.get(&key).unwrap().unwrap();
    assert_eq!((entry.played.games, entry.score, entry.comment.as_str()), (2, Some(20), "a comment"));
}

#[test]
fn won_games_are_not_looked_at() {
    let library = Library::in_memory().unwrap();
    // Black has four in a row with an open end.
    let won = moves::position("h8 a1 i8 a2 j8 a3 k8 b5", Size::square(15)).unwrap();
    let mut growth = Growth::new(&library, Rule::ALL[0], &won, OPTIONS).unwrap();
    let mut engine = Engine::new(1, 64 << 20);
    let first = growth.step(&mut engine, &Control::new()).unwrap().unwrap();
    assert!(is_win(first.score), "{first:?}");
    assert_eq!(growth.step(&mut engine, &Control::new()).unwrap(), None);
    let entry = library.entry(Rule::ALL[0], &won).unwrap().unwrap();
    assert_eq!(entry.decided.map(|decided| decided.outcome), Some(Outcome::Win));
}

#[test]
fn worth_is_counted_in_plies_from_where_one_stands() {
    use crate::eval::score::{MAX_EVAL, MAX_PLY, lost_in, win_in};
    let found = [lost_in(4), win_in(3), -7].map(score_before);
    assert_eq!(found, [win_in(5), lost_in(4), 7]);
    // From the longest win that a score can express, nothing lies one ply farther away.
    for before in (-MAX_EVAL..=MAX_EVAL).chain((1..MAX_PLY).flat_map(|plies| [win_in(plies), lost_in(plies)]))
    {
        assert_eq!(score_before(score_after(before)), before);
    }
    assert_eq!(entry_after((win_in(5), 5)).score, Some(lost_in(4)));
    assert_eq!(entry_after((lost_in(4), 5)).score, Some(win_in(3)));
    assert_eq!((entry_after((20, 5)).score, entry_after((20, 5)).depth), (Some(-20), Some(4)));
}

/// A ranking that gives these moves these scores.
fn ranking(moves: &[(&str, Score)]) -> Ranking {
    let moves = moves
        .iter()
        .map(|&(point, score)| RankedMove { point: point.parse().unwrap(), worth: Some((score, 5)) })
        .collect();
    Ranking { nodes: 400, moves }
}

/// The position after a move, which like those of a ranking is meant as the key has its stones.
fn after(key: &PositionKey, point: &str) -> PositionKey {
    walk_to(key).after(point.parse().unwrap())
}

#[test]
fn a_position_is_not_lost_because_the_ranked_moves_are() {
    use crate::eval::score::{MAX_EVAL, lost_in, win_in};
    let library = Library::in_memory().unwrap();
    let mut growth = Growth::new(&library, Rule::ALL[1], &root(), OPTIONS).unwrap();
    let parent = PositionKey::of(Rule::ALL[1], &root()).unwrap().key;
    let key = after(&parent, "a1");
    growth.enter(&parent, &ranking(&[("a1", 30), ("b1", 10)])).unwrap();
    growth.enter(&key, &ranking(&[("h9", -30), ("i8", -40)])).unwrap();
    growth.enter(&after(&key, "h9"), &ranking(&[("e5", win_in(5)), ("e6", 0)])).unwrap();
    assert_eq!(library.get(&key).unwrap().unwrap().value(), Some(-40));
    growth.enter(&after(&key, "i8"), &ranking(&[("e5", win_in(5)), ("e6", 0)])).unwrap();
    let entry = library.get(&key).unwrap().unwrap();
    assert_eq!((entry.score, entry.decided), (Some(-MAX_EVAL), None));
    assert_eq!(library.get(&parent).unwrap().unwrap().value(), Some(MAX_EVAL));
    // A search that sees the loss looks at every move.
    growth.enter(&key, &ranking(&[("h9", lost_in(6))])).unwrap();
    let entry = library.get(&key).unwrap().unwrap();
    assert_eq!(entry.decided.map(|decided| decided.outcome), Some(Outcome::Loss));
    assert_eq!(library.get(&parent).unwrap().unwrap().value(), Some(win_in(7)));
    // It has erred if one of the moves holds after all.
    growth.enter(&after(&key, "h9"), &ranking(&[("e5", win_in(5)), ("e6", 0)])).unwrap();
    growth.enter(&key, &ranking(&[("c1", -200)])).unwrap();
    let again = Growth::new(&library, Rule::ALL[1], &root(), OPTIONS).unwrap();
    let value = |key| again.nodes.get(key).and_then(|node: &Node| node.value);
    assert_eq!((value(&key), value(&parent)), (Some(-200), Some(200)));
}

#[test]
fn a_proof_is_backed_up_and_stands() {
    let library = Library::in_memory().unwrap();
    let mut growth = Growth::new(&library, Rule::ALL[1], &root(), OPTIONS).unwrap();
    let key = PositionKey::of(Rule::ALL[1], &root()).unwrap().key;
    let proved = after(&key, "a1");
    growth.enter(&key, &ranking(&[("a1", 30), ("b1", 10)])).unwrap();
    growth.enter(&proved, &ranking(&[("h9", -30), ("i8", -40)])).unwrap();
    let mut entry = library.get(&proved).unwrap().unwrap();
    entry.decided = Some(Decided { outcome: Outcome::Win, plies: Some(9), is_checked: true });
    library.put(Rule::ALL[1], &proved.position(), &entry).unwrap();
    let value = |key| library.get(key).unwrap().unwrap().value();
    // Who only looks knows of the proof, and writes nothing.
    let looked = Growth::look(&library, Rule::ALL[1], &root(), OPTIONS).unwrap();
    assert_eq!((looked.nodes[&key].value, value(&key)), (Some(10), Some(30)));
    let mut growth = Growth::new(&library, Rule::ALL[1], &root(), OPTIONS).unwrap();
    assert_eq!(value(&key), Some(10));
    growth.enter(&after(&proved, "h9"), &ranking(&[("e5", 300), ("e6", 0)])).unwrap();
    assert_eq!(value(&proved), entry.value());
    assert_eq!(value(&key), Some(10));
}
