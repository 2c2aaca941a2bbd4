//! The moves of a node in the order in which they are searched, including those that it has deferred.

use arrayvec::ArrayVec;

use super::deferral::Child;
use super::params::DEFERRED_MOVES;
use super::picker::Picker;
use super::selectivity::{Candidate, urgent_points};
use super::threats::ForcedReply;
use super::worker::Worker;
use crate::board::Point;
use crate::eval::Evaluator;
use crate::rules::RuleSet;
use crate::shapes::Threat;
use crate::shapes::defence::hidden_fours;

/// How far a node has come through its moves.
pub(super) struct Candidates {
    picker: Picker,
    excluded: Option<Point>,
    count: usize,
    /// Whether urgent moves are known to be still to come.
    has_urgent: bool,
    deferred: ArrayVec<Candidate, DEFERRED_MOVES>,
}

impl Candidates {
    /// Begins with the table's move, if there is one, and leaves out `excluded`.
    pub(super) fn new(reply: ForcedReply, table_move: Option<Point>, excluded: Option<Point>) -> Candidates {
        Candidates {
            picker: Picker::new(reply, table_move),
            excluded,
            count: 0,
            has_urgent: false,
            deferred: ArrayVec::new(),
        }
    }

    /// Number of legal moves so far.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Defers a move, unless it was deferred before or there is no room for it.
    #[inline]
    pub(super) fn defer(&mut self, candidate: Candidate) -> bool {
        if candidate.was_deferred || self.deferred.is_full() {
            return false;
        }
        self.deferred.push(Candidate { was_deferred: true, ..candidate });
        true
    }
}

impl<'a, R: RuleSet, E: Evaluator<R>> Worker<'a, R, E> {
    /// The next move to search, or `None` after the last. A deferred move that no thread is searching any more comes
    /// first, then the next move of the list, and at the end of the list the first move that is still deferred.
    // Runs once for each move of each node, so often that the cost of a function call would be measurable.
    #[inline(always)]
    pub(super) fn next_candidate(&mut self, moves: &mut Candidates) -> Option<Candidate> {
        loop {
            if let Some(n) = self.released(&moves.deferred) {
                return Some(moves.deferred.remove(n));
            }
            let Some(point) = self.pick(&mut moves.picker) else { return moves.deferred.pop_at(0) };
            if Some(point) == moves.excluded || self.position.is_forbidden(point) {
                continue;
            }
            moves.count += 1;
            let (own, other) = (self.position.own_threat(point), self.position.other_threat(point));
            // A point that looks forbidden but is legal makes threes, though not all of them are real, and perhaps a
            // four.
            let own = match own {
                Threat::LooksForbidden if self.hides_four(point) => Threat::FourThree,
                Threat::LooksForbidden => Threat::OpenThreePlus,
                own => own,
            };
            return Some(Candidate { point, number: moves.count, own, other, was_deferred: false });
        }
    }

    /// Whether a point of the side to move that looks forbidden makes a four.
    #[cold]
    fn hides_four(&self, point: Point) -> bool {
        hidden_fours(self.position.map(), self.position.to_move()).contains(point)
    }

    /// Leaves out all moves that are still to come, except for deferred ones, unless an urgent move is among them.
    // At a node where all moves fail, usually about forty are left.
    pub(super) fn skip_unless_urgent(&self, moves: &mut Candidates) {
        if !moves.has_urgent {
            moves.has_urgent = self.still_has_any_of(&moves.picker, &urgent_points(&self.position));
            if !moves.has_urgent {
                moves.picker.end();
            }
        }
    }

    /// The first of the deferred moves that no thread is searching any more.
    #[inline(always)]
    fn released(&self, deferred: &[Candidate]) -> Option<usize> {
        let table = self.shared.deferral.as_ref()?;
        deferred
            .iter()
            .position(|candidate| !table.child(self.key_after(candidate.point)).is_being_searched())
    }

    /// The position after a move, in the deferral table; `None` with a single thread.
    #[inline]
    pub(super) fn shared_child(&self, point: Point) -> Option<Child<'a>> {
        let table = self.shared.deferral.as_ref()?;
        Some(table.child(self.key_after(point)))
    }
}
