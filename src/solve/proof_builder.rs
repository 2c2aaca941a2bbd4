//! Builds a [`Proof`](super::Proof) from a finished search. It writes down the winning moves and tries every
//! legal reply to them again, so a reply that the search left out comes to light here.

use std::collections::HashMap;

use super::budget::NodeBudget;
use super::proof::{NodeId, ProofNode};
use super::vcf::{ANY_LENGTH, VcfResult};
use super::vcf_line::VcfLine;
use super::vct::VctSearch;
use crate::board::Point;
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::Threat;
use crate::shapes::defence::stops_five;

/// Why a proof could not be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// The budget is spent.
    Spent,
    /// There is no answer to a reply. Unless the search thought that it had one, it knows the reply now and must be
    /// repeated.
    Reply,
}

/// Writes the nodes of a proof.
pub(super) struct ProofBuilder<'a> {
    search: &'a mut VctSearch,
    /// Node limit of each VCF search.
    vcf_nodes: u64,
    nodes: Vec<ProofNode>,
    /// Nodes by the hash of the position in which they are played.
    known: HashMap<u64, NodeId>,
    /// Nodes of the moves that make five.
    fives: HashMap<Point, NodeId>,
}

impl<'a> ProofBuilder<'a> {
    pub fn new(search: &'a mut VctSearch, vcf_nodes: u64) -> ProofBuilder<'a> {
        ProofBuilder { search, vcf_nodes, nodes: Vec::new(), known: HashMap::new(), fives: HashMap::new() }
    }

    /// The nodes written so far.
    pub fn into_nodes(self) -> Vec<ProofNode> {
        self.nodes
    }

    /// Writes the proof that the side to move wins.
    pub fn attack<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        budget: &mut NodeBudget,
    ) -> Result<NodeId, Obstacle> {
        let key = position.hash();
        if let Some(&id) = self.known.get(&key) {
            return Ok(id);
        }
        let vcf = self.search.vcf.shortest(position, ANY_LENGTH, self.vcf_nodes, budget);
        let point = match vcf {
            VcfResult::Win(0, point) => return Ok(self.write_five(point)),
            VcfResult::Win(_, point) => point,
            _ => self.winning_move(position, budget)?,
        };
        position.play(point, &mut ());
        let written = self.defence(position, budget);
        position.undo();
        let (threat, replies) = written?;
        let id = self.push(ProofNode { point, threat: Some(threat), replies });
        self.known.insert(key, id);
        Ok(id)
    }

    fn winning_move<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        budget: &mut NodeBudget,
    ) -> Result<Point, Obstacle> {
        if let Some(point) = self.search.winning_move(position) {
            return Ok(point);
        }
        // The table has lost the entry, or the position was never searched.
        self.search.solve(position, budget, &mut |_, _, _| {});
        let found = self.search.winning_move(position);
        found.ok_or(if budget.is_spent() { Obstacle::Spent } else { Obstacle::Reply })
    }

    /// Writes the proof that the side to move loses: the threat, and the answers to all replies that stop it.
    fn defence<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        budget: &mut NodeBudget,
    ) -> Result<(NodeId, Vec<(Point, NodeId)>), Obstacle> {
        let attacker = !position.to_move();
        let mut replies = Vec::new();
        if let Some(five) = position.map().points(attacker, Threat::Five).first() {
            let threat = self.write_five(five);
            for stop in stops_five(position.map(), five, attacker) {
                self.answer(position, stop, &mut replies, budget)?;
            }
            replies.sort_unstable();
            return Ok((threat, replies));
        }
        position.pass();
        let line = VcfLine::find(&mut self.search.vcf, position, self.vcf_nodes, budget);
        position.pass();
        let Some(line) = line else {
            return Err(if budget.is_spent() { Obstacle::Spent } else { Obstacle::Reply });
        };
        let threat = self.write_line(&line);
        for reply in position.empty_points() {
            position.play(reply, &mut ());
            let still_wins = line.holds(position);
            position.undo();
            if !still_wins {
                self.answer(position, reply, &mut replies, budget)?;
            }
        }
        Ok((threat, replies))
    }

    /// Writes the winning answer to a reply, if the reply is legal.
    fn answer<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        reply: Point,
        replies: &mut Vec<(Point, NodeId)>,
        budget: &mut NodeBudget,
    ) -> Result<(), Obstacle> {
        if !position.is_legal(reply) {
            return Ok(());
        }
        position.play(reply, &mut ());
        let known = self.search.is_known_won(position);
        let answer = self.attack(position, budget);
        position.undo();
        if answer == Err(Obstacle::Reply) && !known {
            self.search.add_reply(position, reply);
        }
        replies.push((reply, answer?));
        Ok(())
    }

    fn write_line(&mut self, line: &VcfLine) -> NodeId {
        let Some(five) = line.five else { return self.write_five(line.point) };
        let threat = self.write_five(five);
        let mut replies: Vec<(Point, NodeId)> =
            line.answers.iter().map(|(answer, next)| (*answer, self.write_line(next))).collect();
        replies.sort_unstable();
        self.push(ProofNode { point: line.point, threat: Some(threat), replies })
    }

    fn write_five(&mut self, point: Point) -> NodeId {
        if let Some(&id) = self.fives.get(&point) {
            return id;
        }
        let id = self.push(ProofNode { point, threat: None, replies: Vec::new() });
        self.fives.insert(point, id);
        id
    }

    fn push(&mut self, node: ProofNode) -> NodeId {
        self.nodes.push(node);
        (self.nodes.len() - 1) as NodeId
    }
}
