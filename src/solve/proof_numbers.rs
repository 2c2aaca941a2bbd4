//! Proof and disproof numbers: how much work is left to settle a node, and which child to search next.
//!
//! In [proof-number search](https://www.chessprogramming.org/Proof-Number_Search) (Allis, 1994), a node's proof number
//! is the least number of leaves that must be won to prove that the attacker wins there, and its disproof number the
//! least number that must be lost to refute it. The attacker moves in OR nodes, the opponent in AND nodes. This module
//! knows nothing of the game.

use crate::board::Point;

/// Infinity: only settled nodes have this number.
pub(super) const INFINITE: u32 = 1 << 30;

/// How much work is left to settle a position, at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofNumbers {
    /// Open nodes that must be won to prove the attacker's win; 0 when it is proven.
    pub proof: u32,
    /// Open nodes that must be lost to refute it; 0 when it is refuted.
    pub disproof: u32,
}

impl ProofNumbers {
    pub(super) const UNKNOWN: ProofNumbers = ProofNumbers { proof: 1, disproof: 1 };
    pub(super) const PROVEN: ProofNumbers = ProofNumbers { proof: 0, disproof: INFINITE };
    pub(super) const DISPROVEN: ProofNumbers = ProofNumbers { proof: INFINITE, disproof: 0 };

    pub(super) fn settled(is_won: bool) -> ProofNumbers {
        if is_won { ProofNumbers::PROVEN } else { ProofNumbers::DISPROVEN }
    }

    /// Whether the attacker is known to win.
    #[must_use]
    pub fn is_proven(self) -> bool {
        self.proof == 0
    }

    /// Whether the attacker is known to have no win among the moves that are searched.
    #[must_use]
    pub fn is_disproven(self) -> bool {
        self.disproof == 0
    }

    fn swapped(self) -> ProofNumbers {
        ProofNumbers { proof: self.disproof, disproof: self.proof }
    }
}

/// A move that can be made, and what is known about the position after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub point: Point,
    /// The hash of the position after the move.
    pub key: u64,
    pub numbers: ProofNumbers,
}

/// The numbers of an OR node. Its disproof number is that of the hardest move, plus one for each other open move, as in
/// weak proof-number search: the moves of an attack share most of what follows, and the usual sum would count it many
/// times.
pub(super) fn of_or_node(children: &[Child]) -> ProofNumbers {
    best_of(children.iter().map(|child| child.numbers))
}

/// The numbers of an AND node: the same with proof and disproof exchanged.
pub(super) fn of_and_node(children: &[Child]) -> ProofNumbers {
    best_of(children.iter().map(|child| child.numbers.swapped())).swapped()
}

fn best_of(children: impl Iterator<Item = ProofNumbers>) -> ProofNumbers {
    let mut numbers = ProofNumbers::DISPROVEN;
    let mut open = 0;
    for child in children.filter(|child| !child.is_disproven()) {
        numbers.proof = numbers.proof.min(child.proof);
        numbers.disproof = numbers.disproof.max(child.disproof);
        open += 1;
    }
    if numbers.is_proven() {
        return ProofNumbers::PROVEN;
    }
    numbers.disproof += u32::max(open, 1) - 1;
    numbers
}

/// The child with the least work left, and the thresholds up to which it is searched before another child comes first.
pub(super) fn choose(children: &[Child], limit: ProofNumbers, is_or_node: bool) -> (usize, ProofNumbers) {
    // From the view of the side to move: what it needs, and what the other side needs.
    let view = |numbers: ProofNumbers| if is_or_node { numbers } else { numbers.swapped() };
    let mut best = 0;
    let mut least = u32::MAX;
    let mut second = INFINITE;
    let mut open = 0;
    for (n, child) in children.iter().enumerate() {
        let child = view(child.numbers);
        if child.is_disproven() {
            continue;
        }
        open += 1;
        if child.proof < least {
            (second, least, best) = (least.min(INFINITE), child.proof, n);
        } else {
            second = second.min(child.proof);
        }
    }
    let limit = view(limit);
    // The 1 + epsilon trick: a quarter more than the second best, so that the search does not switch back and forth.
    let proof = limit.proof.min(second.saturating_add(second / 4 + 1));
    let disproof = limit.disproof - u32::min(limit.disproof, open - 1);
    (best, view(ProofNumbers { proof, disproof }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn children(numbers: &[(u32, u32)]) -> Vec<Child> {
        let child = |&(proof, disproof): &(u32, u32)| Child {
            point: Point::new(0, 0),
            key: 0,
            numbers: ProofNumbers { proof, disproof },
        };
        numbers.iter().map(child).collect()
    }

    #[test]
    fn one_won_move_is_enough_for_the_attacker_and_one_refutation_for_the_opponent() {
        let mixed = children(&[(0, INFINITE), (3, 2), (INFINITE, 0)]);
        assert_eq!(of_or_node(&mixed), ProofNumbers::PROVEN);
        assert_eq!(of_and_node(&mixed), ProofNumbers::DISPROVEN);
        let lost = children(&[(INFINITE, 0), (INFINITE, 0)]);
        assert_eq!(of_or_node(&lost), ProofNumbers::DISPROVEN);
        // A node without a legal reply is won; one without an attacking move is not.
        assert_eq!(of_and_node(&[]), ProofNumbers::PROVEN);
        assert_eq!(of_or_node(&[]), ProofNumbers::DISPROVEN);
    }

    #[test]
    fn the_hardest_child_stands_for_the_others() {
        let open = children(&[(5, 4), (2, 7), (3, 1), (INFINITE, 0)]);
        assert_eq!(of_or_node(&open), ProofNumbers { proof: 2, disproof: 7 + 2 });
        assert_eq!(of_and_node(&open[..3]), ProofNumbers { proof: 5 + 2, disproof: 1 });
    }

    #[test]
    fn the_search_goes_where_the_least_is_missing() {
        let open = children(&[(8, 4), (2, 7), (4, 1)]);
        let limit = ProofNumbers { proof: 100, disproof: 50 };
        // The threshold is a quarter more than the 4 of the second best, plus one; two other children are open.
        assert_eq!(choose(&open, limit, true), (1, ProofNumbers { proof: 6, disproof: 48 }));
        assert_eq!(choose(&open, limit, false), (2, ProofNumbers { proof: 98, disproof: 6 }));
    }
}
