//! What a node may leave out, and what it may not.

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Instant;

use parking_lot::Mutex;

use super::*;
use crate::board::{Color, diagram};
use crate::eval::Classical;
use crate::position::Position;
use crate::rules::Freestyle;
use crate::search::clock::{Budget, Clock};
use crate::search::history::History;
use crate::search::worker::Shared;
use crate::search::{Control, Limits, Table};

/// Positions that a node one ply above the leaves visits, if the side to move would have to stand better by 2,000
/// points than it does for the node to matter.
fn visited_when_hopeless(picture: &str, to_move: Color) -> u64 {
    let mut stones = diagram::parse(picture).unwrap().stones;
    stones.set_to_move(to_move);
    let (table, control) = (Table::new(1 << 20), Control::new());
    let shared = Shared {
        table: &table,
        history: &History::default(),
        control: &control,
        clock: Mutex::new(Clock::new(Instant::now(), Budget::UNLIMITED)),
        limits: Limits::default(),
        empty: stones.empty_count(),
        salt: 0,
        busy: None,
        stop: AtomicBool::new(false),
        may_stop: AtomicBool::new(false),
        nodes: AtomicU64::new(0).into(),
    };
    let mut evaluator = <Classical as Evaluator<Freestyle>>::new(stones.size());
    let position = Position::<Freestyle>::from_stones(&stones, &mut evaluator);
    let alpha = Evaluator::<Freestyle>::evaluate(&mut evaluator, &position) + 2000;
    let mut worker = Worker::new(position, evaluator, &shared);
    worker.search::<NonPv>(alpha, alpha + 1, PLY, true);
    worker.nodes
}

/// An engine that pruned by a stand-in for the missing evaluation never searched the defences against an open
/// three near the leaves (Rapfi's issue 40).
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
    assert_eq!(visited_when_hopeless(QUIET, Color::White), 0);
}
