//! Tests of what a node may leave out and what it may not, and of what the quiescence search sees.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use parking_lot::Mutex;

use super::*;
use crate::board::{Color, Size, Stones};
use crate::eval::HandCraftedEval;
use crate::formats::moves::position as moves_of;
use crate::formats::picture;
use crate::position::Position;
use crate::rules::Freestyle;
use crate::search::clock::{Clock, TimeBudget};
use crate::search::deferral::DeferralTable;
use crate::search::history::History;
use crate::search::root_search::RootSearch;
use crate::search::worker::Shared;
use crate::search::{Control, Limits, Table};

/// Neither side threatens anything.
const QUIET: &str = ". . . . . . . . . . .
                     . . . . . . . . . . .
                     . . . . . . . . . . .
                     . . . . X . . . . . .
                     . . . . . . X . . . .
                     . . . . O . . . . . .
                     . . . . . . . . . . .
                     . . . . . . . . . . .
                     . . . . . . . . . . .
                     . . . . . . . . . . .
                     . . . . . . . . . . .";

/// Runs `test` with the state that the threads of a search of this position share.
fn with_shared<T>(
    stones: &Stones,
    deferral: Option<DeferralTable>,
    test: impl FnOnce(&Shared<'_>) -> T,
) -> T {
    let (table, control) = (Table::new(1 << 20), Control::new());
    test(&Shared {
        table: &table,
        history: &History::default(),
        corrects: true,
        control: &control,
        clock: Mutex::new(Clock::new(Instant::now(), TimeBudget::UNLIMITED)),
        limits: Limits::default(),
        empty: stones.empty_count(),
        salt: 0,
        deferral,
        stop: AtomicBool::new(false),
        may_stop: AtomicBool::new(false),
        nodes: AtomicU64::new(0).into(),
    })
}

fn worker<'a>(stones: &Stones, shared: &'a Shared<'a>) -> Worker<'a, Freestyle, HandCraftedEval> {
    let mut evaluator = <HandCraftedEval as Evaluator<Freestyle>>::new(stones.size());
    let position = Position::from_stones(stones, &mut evaluator);
    Worker::new(position, evaluator, shared)
}

/// Nodes visited below a node of one ply whose alpha is 2,000 points above the evaluation for the side to move.
fn visited_when_hopeless(picture: &str, to_move: Color) -> u64 {
    let mut stones = picture::read(picture).unwrap().stones;
    stones.set_to_move(to_move);
    with_shared(&stones, None, |shared| {
        let mut worker = worker(&stones, shared);
        let alpha = worker.evaluator.evaluate(&worker.position) + 2000;
        worker.search::<NonPv>(alpha, alpha + 1, PLY, true).unwrap();
        worker.nodes
    })
}

/// Two threads come to a PV node one after the other.
#[test]
fn a_pv_node_that_another_thread_has_searched_is_not_searched_again() {
    const DEPTH: Depth = 12 * PLY;
    let stones = picture::read(QUIET).unwrap().stones;
    let search_twice = |deferral: Option<DeferralTable>| {
        with_shared(&stones, deferral, |shared| {
            [(); 2].map(|()| {
                let mut worker = worker(&stones, shared);
                let score = worker.search::<Pv>(-INFINITE, INFINITE, DEPTH, false).unwrap();
                (worker.nodes, score, worker.frame().pv.clone())
            })
        })
    };
    let [(nodes, score, pv), (nodes_again, score_again, pv_again)] =
        search_twice(Some(DeferralTable::default()));
    assert!(nodes > 100 && nodes_again == 0, "{nodes} {nodes_again}");
    assert_eq!(score, score_again);
    // The table still has the variation.
    assert!(pv.len() >= 4 && pv_again.len() >= 4 && pv[0] == pv_again[0], "{pv:?} {pv_again:?}");
    let mut board = stones.clone();
    for point in pv_again {
        assert!(board.is_empty_at(point));
        board.place(point, board.to_move());
    }
    // A single thread goes through its PV nodes each time.
    let [_, (nodes_again, ..)] = search_twice(None);
    assert!(nodes_again > 0);
}

/// An engine that used a stand-in for the missing evaluation to prune never searched the defences against an open three
/// near the leaves (Rapfi's issue 40).
#[test]
fn defences_against_an_open_three_are_searched_however_bad_the_position() {
    const THREE: &str = ". . . . . . . . . . .
                         . . . . . . . . . . .
                         . . . . . . . . . . .
                         . . . . . . . . . . .
                         . . . X X X . . . . .
                         . . . . O . . . . . .
                         . . . . . . . O . . .
                         . . . . . . . . . . .
                         . . . . . . . . . . .
                         . . . . . . . . . . .
                         . . . . . . . . . . .";
    // The points beside the three; everything else loses to an open four.
    assert_eq!(visited_when_hopeless(THREE, Color::White), 2);
}

#[test]
fn a_quiet_node_far_below_alpha_is_given_up() {
    assert_eq!(visited_when_hopeless(QUIET, Color::White), 0);
}

/// Rows 5 and 8 hold a three each, stopped on one side. The fours at h5 and h8 make a three with h7. Black's last stone
/// is near the far corner.
#[test]
fn quiescence_search_finds_fours_far_from_the_last_stone() {
    let stones = moves_of("e5d5f5a1g5d8e8a14f8o1g8b12h7g6n14l11", Size::square(15)).unwrap();
    let score = with_shared(&stones, None, |shared| {
        let mut worker = worker(&stones, shared);
        let alpha = worker.evaluator.evaluate(&worker.position);
        worker.search::<NonPv>(alpha, alpha + 1, 0, true).unwrap()
    });
    assert_eq!(score, score::win_in(7));
}

/// Late in a node, all moves but urgent ones are left out at once.
#[test]
fn moves_still_to_come_are_left_out_unless_an_urgent_one_is_among_them() {
    // The white stones make a four with h6 or i6.
    const THREE: &str = ". . . . . . . . . . .
                         . . . . . . . . . . .
                         . . . . . . . . . . .
                         . . . . X . . . . . .
                         . . . . . . X . . . .
                         . . . X O O O . . . .
                         . . . . . . . . . . .
                         . . . . X . . . . . .
                         . . . . . . . . . . .
                         . . . . . . . . . . .
                         . . . . . . . . . . .";
    let left = |picture: &str, to_move: Color| {
        let mut stones = picture::read(picture).unwrap().stones;
        stones.set_to_move(to_move);
        with_shared(&stones, None, |shared| {
            let mut worker = worker(&stones, shared);
            let mut moves = Candidates::new(ForcedReply::Free, None, None);
            let first = worker.next_candidate(&mut moves).unwrap();
            let mut left = 0;
            worker.skip_unless_urgent(&mut moves);
            while worker.next_candidate(&mut moves).is_some() {
                left += 1;
            }
            (first.own, left, moves.count())
        })
    };
    let (_, left_of_quiet, count) = left(QUIET, Color::White);
    assert_eq!((left_of_quiet, count), (0, 1));
    // The first move is one of the two fours, so the other is still to come.
    let (first, left_of_three, _) = left(THREE, Color::White);
    assert!(first >= Threat::Four && left_of_three > 10, "{first:?} {left_of_three}");
    // Taking a four that comes alone is not urgent.
    assert_eq!(left(THREE, Color::Black).1, 0);
}

#[test]
fn a_root_search_that_was_ended_is_left_at_once() {
    let stones = picture::read(QUIET).unwrap().stones;
    let searched = [false, true].map(|is_ended| {
        with_shared(&stones, Some(DeferralTable::default()), |shared| {
            let mut worker = worker(&stones, shared);
            let moves = ["f6", "g6"].map(|name| name.parse().unwrap()).to_vec();
            let root = Arc::new(RootSearch::new(moves, 4, -INFINITE, INFINITE));
            if is_ended {
                root.end();
            }
            worker.search_root(&root, &|_| {});
            (worker.nodes, root.take_results().iter().flatten().count())
        })
    });
    assert!(searched[0].0 > 0 && searched[0].1 == 2, "{searched:?}");
    assert_eq!(searched[1], (0, 0));
}
