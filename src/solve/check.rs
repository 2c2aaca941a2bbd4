//! Checks whether a proof holds, by trying every legal reply to every move.
//!
//! The checker uses only the board and the reference judge, and none of the code that finds proofs: a proof can be
//! trusted only as far as its checker is independent of what found it. It is slow and obvious where it can be; two
//! shortcuts, each explained where it is taken, keep proofs of 100,000 nodes practical.

use std::collections::HashMap;
use std::fmt;
use std::marker::PhantomData;

use super::proof::{NodeId, Proof, ProofNode};
use crate::board::{Color, Direction, Point, Stones};
use crate::rules::{RuleSet, judge, with_rule};

/// The most replies that are tried: five times what proofs of 100,000 nodes take. A threat is tried again after every
/// reply without an answer, so that a few nodes that threaten each other could keep the checker busy for ever.
const MOST_REPLIES: u64 = 1_000_000_000;

/// The size of a proof that holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Nodes of the proof that are part of it, each counted once: a proof may hold others to which nothing leads.
    pub nodes: u64,
    /// Replies tried.
    pub replies: u64,
    /// Plies to five, if the opponent holds out as long as the proof allows. Counted along the legal replies that were
    /// tried, whatever else the proof lists.
    pub plies: u32,
}

/// Where and how a proof fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The moves from the position of the proof on, the sides in turn.
    pub line: Vec<Point>,
    /// What is wrong after them.
    pub kind: FlawKind,
}

/// What can be wrong with a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlawKind {
    /// The proof refers to a node that it does not have.
    NoNode(NodeId),
    /// The game is over before the first move: there is a winning line already, through this point.
    Decided(Point),
    /// The attacker's move is taken or off the board.
    Taken(Point),
    /// The attacker's move is forbidden.
    Forbidden(Point),
    /// The attacker's move is said to win at once and does not.
    NoFive(Point),
    /// The opponent wins at once with this reply.
    OtherFive(Point),
    /// The reply stops the threat and has no answer.
    Unanswered(Point),
    /// The board is full, nobody has won.
    Full,
    /// More replies than this have to be tried, so that nobody knows whether the proof holds.
    TooLong(u64),
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.line.is_empty() {
            write!(f, "after")?;
            self.line.iter().try_for_each(|point| write!(f, " {point}"))?;
            write!(f, ": ")?;
        }
        match self.kind {
            FlawKind::NoNode(id) => write!(f, "there is no node {id}"),
            FlawKind::Decided(point) => {
                write!(f, "the game is over, there is a winning line through {point}")
            }
            FlawKind::Taken(point) => write!(f, "{point} is not empty"),
            FlawKind::Forbidden(point) => write!(f, "{point} is forbidden"),
            FlawKind::NoFive(point) => write!(f, "{point} is said to win at once, and does not"),
            FlawKind::OtherFive(point) => write!(f, "the opponent wins at {point}"),
            FlawKind::Unanswered(point) => {
                write!(f, "{point} stops what is threatened, and no answer is given")
            }
            FlawKind::Full => write!(f, "the board is full"),
            FlawKind::TooLong(most) => {
                write!(f, "more than {most} replies have to be tried, which takes too long")
            }
        }
    }
}

impl std::error::Error for Flaw {}

/// Verifies the whole proof: whether the side to move wins, whatever the opponent replies.
///
/// ```
/// use kagetsu::solve::{Proof, check};
///
/// // Black completes a four: the shortest of all proofs.
/// let json = r#"{"format": "kagetsu proof 1", "rule": "standard", "size": "7x5",
///     "black": ["a1", "b1", "c1", "d1"], "white": ["a2", "b2", "c2", "d2"],
///     "attacker": "black", "root": 0, "nodes": [{"move": "e1"}]}"#;
/// assert_eq!(check(&Proof::from_json(json)?)?.plies, 1);
///
/// // For White the same stone makes nothing.
/// let wrong = json.replace(r#""attacker": "black""#, r#""attacker": "white""#);
/// let flaw = check(&Proof::from_json(&wrong)?).unwrap_err();
/// assert_eq!(flaw.to_string(), "e1 is said to win at once, and does not");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The first [`Flaw`] found.
pub fn check(proof: &Proof) -> Result<Checked, Flaw> {
    with_rule!(proof.rule, R => Checker::<R>::new(proof).run())
}

struct Checker<'a, R> {
    proof: &'a Proof,
    stones: Stones,
    /// The number of stones in the position of the proof.
    given: usize,
    /// Nodes that hold, each with the stones that were added before it, in row order; and the plies to five.
    held: HashMap<(NodeId, Vec<(Point, Color)>), u32>,
    /// Which nodes were reached, as answers or as threats.
    reached: Vec<bool>,
    checked: Checked,
    most_replies: u64,
    rule: PhantomData<R>,
}

impl<'a, R: RuleSet> Checker<'a, R> {
    fn new(proof: &'a Proof) -> Checker<'a, R> {
        Checker {
            proof,
            stones: proof.stones.clone(),
            given: proof.stones.history().len(),
            held: HashMap::new(),
            reached: vec![false; proof.nodes.len()],
            checked: Checked::default(),
            most_replies: MOST_REPLIES,
            rule: PhantomData,
        }
    }

    fn run(mut self) -> Result<Checked, Flaw> {
        let nodes = &self.proof.nodes;
        let named = nodes
            .iter()
            .flat_map(|node| node.threat.into_iter().chain(node.replies.iter().map(|&(_, id)| id)));
        if let Some(id) = named.chain([self.proof.root]).find(|&id| id as usize >= nodes.len()) {
            return Err(self.flaw(FlawKind::NoNode(id)));
        }
        if let Some((point, _)) = judge::winning_stone::<R>(&self.stones) {
            return Err(self.flaw(FlawKind::Decided(point)));
        }
        self.checked.plies = self.wins(self.proof.root)?;
        self.checked.nodes = self.reached.iter().filter(|&&is_reached| is_reached).count() as u64;
        Ok(self.checked)
    }

    /// Whether the side to move wins by this node, whatever the opponent does, and in how many plies at most. The
    /// recursion depth is bounded whatever the proof says, because each node puts a stone on an empty point.
    fn wins(&mut self, id: NodeId) -> Result<u32, Flaw> {
        let key = (id, self.added());
        if let Some(&plies) = self.held.get(&key) {
            return Ok(plies);
        }
        let plies = self.node_wins(id, Check::Every)?;
        self.held.insert(key, plies);
        Ok(plies)
    }

    fn node_wins(&mut self, id: NodeId, check: Check) -> Result<u32, Flaw> {
        self.reached[id as usize] = true;
        let node = self.proof.node(id);
        let (own, other) = (self.stones.to_move(), !self.stones.to_move());
        if !self.stones.size().contains(node.point) || !self.stones.is_empty_at(node.point) {
            return Err(self.flaw(FlawKind::Taken(node.point)));
        }
        if judge::wins_at::<R>(&self.stones, node.point, own) {
            return Ok(1);
        }
        let Some(threat) = node.threat else {
            return Err(self.flaw(FlawKind::NoFive(node.point)));
        };
        if judge::is_forbidden::<R>(&self.stones, node.point, own) {
            return Err(self.flaw(FlawKind::Forbidden(node.point)));
        }
        self.stones.place(node.point, own);
        let result = self.replies_lose(node, threat, other, check);
        self.stones.undo();
        Ok(1 + result?)
    }

    /// Whether every reply to a move that threatens to win by the node `threat` loses, and in how many plies at most,
    /// the reply included.
    fn replies_lose(
        &mut self,
        node: &'a ProofNode,
        threat: NodeId,
        other: Color,
        check: Check,
    ) -> Result<u32, Flaw> {
        if self.stones.is_full() {
            return Err(self.flaw(FlawKind::Full));
        }
        let size = self.stones.size();
        for reply in size.points() {
            // This includes replies that would otherwise be forbidden, because five overrides that.
            if self.stones.is_empty_at(reply) && judge::wins_at::<R>(&self.stones, reply, other) {
                return Err(self.flaw(FlawKind::OtherFive(reply)));
            }
        }
        // A stone changes the lines through a point only if it stands on one of them. So if five is threatened, either
        // all replies elsewhere lose to it or none does.
        self.reached[threat as usize] = true;
        let five = self.proof.node(threat).point;
        let wins_at_five = self.proof.node(threat).threat.is_none()
            && size.contains(five)
            && self.stones.is_empty_at(five)
            && judge::wins_at::<R>(&self.stones, five, !other);
        // Plies after the reply that holds out longest. Where every reply is forbidden, the opponent's next stone
        // loses.
        let mut longest = 0;
        for reply in size.points() {
            if !self.stones.is_empty_at(reply) {
                continue;
            }
            if wins_at_five && reply != five && Direction::between(reply, five).is_none() {
                if longest == 0 && !judge::is_forbidden::<R>(&self.stones, reply, other) {
                    longest = 1;
                }
                continue;
            }
            let answer = node.replies.binary_search_by_key(&reply, |&(point, _)| point);
            let answer = answer.ok().map(|n| node.replies[n].1);
            if self.checked.replies >= self.most_replies {
                return Err(self.flaw(FlawKind::TooLong(self.most_replies)));
            }
            self.checked.replies += 1;
            self.stones.place(reply, other);
            let result = match (answer, check) {
                (Some(answer), Check::Every) => self.wins(answer),
                (Some(answer), Check::Again) => self.node_wins(answer, check),
                (None, _) => self.node_wins(threat, Check::Again),
            };
            self.stones.undo();
            // Asked last, because it takes the longest to tell and rarely matters.
            let is_legal = || !judge::is_forbidden::<R>(&self.stones, reply, other);
            match result {
                Ok(plies) if plies > longest && is_legal() => longest = plies,
                Err(flaw) if is_legal() => {
                    let is_own = answer.is_some() || matches!(flaw.kind, FlawKind::TooLong(_));
                    return Err(if is_own { flaw } else { self.flaw(FlawKind::Unanswered(reply)) });
                }
                _ => {}
            }
        }
        Ok(1 + longest)
    }

    fn flaw(&self, kind: FlawKind) -> Flaw {
        let line = self.stones.history()[self.given..].iter().map(|&(point, _)| point).collect();
        Flaw { line, kind }
    }

    /// The stones added so far, in row order.
    fn added(&self) -> Vec<(Point, Color)> {
        let mut added = self.stones.history()[self.given..].to_vec();
        added.sort_unstable();
        added
    }
}

/// Why a node is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    /// It is the answer to a listed reply. Nodes that hold are cached, because a proof with many transpositions could
    /// otherwise take for ever.
    Every,
    /// It is a threat, tried with one more stone of the opponent.
    Again,
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
