//! `solve`: whether the side to move wins by force, with the proof as a tree to click through.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::control::JobControl;
use super::limits::LONGEST;
use super::messages::{At, Code, Frame, Rejection, at, done, event, milliseconds};
use super::position::PositionMessage;
use crate::game::Game;
use crate::solve::{
    Flaw, FlawKind, NodeId, Proof, Solution, Solver, SolverLimits, SolverProgress, SolverVerdict,
    ThreatSpace, check,
};

/// Most nodes of a proof that are sent. A page has no use for more, and nobody clicks through so many.
const MOST_NODES: usize = 20_000;
/// Larger proofs are not checked. A check plays out each reply, which would take longer than the search.
const MOST_CHECKED: usize = 200_000;
/// Least time between two progress reports.
const NEWS_EVERY: Duration = Duration::from_millis(200);

/// The part of a message that the solver needs.
#[derive(Debug)]
pub(super) struct SolveQuestion {
    space: ThreatSpace,
    limits: SolveLimits,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SolveLimits {
    ms: Option<u64>,
    nodes: Option<u64>,
}

/// The message.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SolveMessage {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "op")]
    _op: IgnoredAny,
    pub(super) position: PositionMessage,
    space: SpaceMessage,
    #[serde(default)]
    limits: SolveLimits,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SpaceMessage {
    Vcf,
    Vct,
}

impl SolveMessage {
    pub fn question(&self) -> SolveQuestion {
        let space = match self.space {
            SpaceMessage::Vcf => ThreatSpace::Vcf,
            SpaceMessage::Vct => ThreatSpace::Vct,
        };
        SolveQuestion { space, limits: self.limits }
    }
}

/// Looks for a win of the side to move and returns the frame that answers. Progress reports go to `tell`.
pub(super) fn solve(
    id: u64,
    question: &SolveQuestion,
    game: &Game,
    memory: usize,
    control: &JobControl,
    tell: &mut dyn FnMut(Frame),
) -> Result<String, Rejection> {
    let time = question.limits.ms.map(|ms| Duration::from_millis(ms).min(LONGEST));
    let limits = SolverLimits { time, nodes: question.limits.nodes, memory };
    let mut last: Option<Duration> = None;
    let mut news = |progress: SolverProgress| {
        if last.is_none_or(|last| progress.elapsed.saturating_sub(last) >= NEWS_EVERY) {
            last = Some(progress.elapsed);
            tell(Frame::Event(event(id, "progress", &ProgressMessage::new(progress))));
        }
    };
    let solver = Solver::new(limits).within(question.space);
    let solution = solver.solve_with_progress(game.rule(), game.stones(), &control.solver, &mut news);
    let solution = solution.map_err(|error| Rejection::new(Code::GameOver, error.to_string()))?;
    Ok(done(id, &SolvedMessage::new(&solution, control.is_stopped())?))
}

/// The progress of the search.
#[derive(Debug, Serialize)]
struct ProgressMessage {
    space: &'static str,
    nodes: u64,
    plies: usize,
    ms: u64,
}

impl ProgressMessage {
    fn new(progress: SolverProgress) -> ProgressMessage {
        ProgressMessage {
            space: space_name(progress.space),
            nodes: progress.nodes,
            plies: progress.depth,
            ms: milliseconds(progress.elapsed),
        }
    }
}

/// The result.
#[derive(Debug, Serialize)]
struct SolvedMessage {
    verdict: &'static str,
    exhausted: Option<&'static str>,
    nodes: u64,
    ms: u64,
    /// Plies to the end of the win, or of the longest line searched if there is none.
    plies: usize,
    /// Whether every reply to every move of the proof was played out.
    checked: bool,
    proof: Option<ProofMessage>,
    stopped: bool,
}

impl SolvedMessage {
    fn new(solution: &Solution, stopped: bool) -> Result<SolvedMessage, Rejection> {
        let mut message = SolvedMessage {
            verdict: "unknown",
            exhausted: solution.exhausted.map(space_name),
            nodes: solution.nodes,
            ms: milliseconds(solution.time),
            plies: solution.deepest,
            checked: false,
            proof: None,
            stopped,
        };
        match &solution.verdict {
            SolverVerdict::Unknown => {}
            SolverVerdict::NoWin(_) => message.verdict = "none",
            SolverVerdict::Win(proof) => {
                message.verdict = "win";
                // Whoever has stopped it does not wait for the check, which nobody can stop.
                let checked = if stopped { None } else { checked_plies(proof)? };
                message.checked = checked.is_some();
                message.plies = checked.unwrap_or_else(|| {
                    proof.lengths().get(proof.root as usize).map_or(0, |&plies| plies as usize)
                });
                message.proof = Some(ProofMessage::new(proof, MOST_NODES));
            }
        }
        Ok(message)
    }
}

/// Plies to the end of the win as a check finds them; `None` if the check would take too long.
fn checked_plies(proof: &Proof) -> Result<Option<usize>, Rejection> {
    if proof.nodes.len() > MOST_CHECKED {
        return Ok(None);
    }
    match check(proof) {
        Ok(checked) => Ok(Some(checked.plies as usize)),
        Err(Flaw { kind: FlawKind::TooLong(_), .. }) => Ok(None),
        Err(flaw) => Err(Rejection::new(Code::Internal, format!("the proof is flawed: {flaw}"))),
    }
}

/// A proof as it is sent. Its nodes are renumbered from the root, which is 0.
#[derive(Debug, Serialize)]
struct ProofMessage {
    root: usize,
    nodes: Vec<NodeMessage>,
}

#[derive(Debug, Serialize)]
struct NodeMessage {
    #[serde(rename = "move")]
    point: At,
    /// The node that wins after every reply that is not listed; `None` if the move makes five, or if the node is cut.
    threat: Option<usize>,
    /// Column and row of a reply, and the node that wins after it; none if the node is cut.
    replies: Vec<(i64, i64, usize)>,
    /// Whether there was no room for what follows. A part of it would be misread: a reply that is not listed is one
    /// that the threat answers.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
}

impl ProofMessage {
    /// The proof from its root, breadth first, as far as `most` nodes go.
    fn new(proof: &Proof, most: usize) -> ProofMessage {
        let mut numbers: HashMap<NodeId, usize> = HashMap::from([(proof.root, 0)]);
        let mut open = VecDeque::from([proof.root]);
        let mut nodes = Vec::new();
        while let Some(id) = open.pop_front() {
            let Some(node) = proof.nodes.get(id as usize) else { break };
            let following = node.threat.into_iter().chain(node.replies.iter().map(|&(_, id)| id));
            let unseen: BTreeSet<NodeId> = following.filter(|id| !numbers.contains_key(id)).collect();
            let cut = numbers.len() + unseen.len() > most;
            if !cut {
                for id in unseen {
                    numbers.insert(id, numbers.len());
                    open.push_back(id);
                }
            }
            let number = |id: NodeId| numbers.get(&id).copied().filter(|_| !cut);
            let replies = node.replies.iter().filter_map(|&(reply, id)| {
                let (x, y) = at(reply);
                Some((x, y, number(id)?))
            });
            let threat = node.threat.and_then(number);
            nodes.push(NodeMessage { point: at(node.point), threat, replies: replies.collect(), cut });
        }
        ProofMessage { root: 0, nodes }
    }
}

fn space_name(space: ThreatSpace) -> &'static str {
    match space {
        ThreatSpace::Vcf => "vcf",
        ThreatSpace::OpenThrees => "open-threes",
        ThreatSpace::Vct => "vct",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::board::{Point, Size, Stones};
    use crate::rules::Rule;
    use crate::solve::ProofNode;

    /// A reply that was left out must not look like one that does not help, nor the end of what was sent like a five.
    #[test]
    fn a_node_says_where_there_is_no_room_for_what_follows() {
        let point = |name: &str| name.parse::<Point>().unwrap();
        let node = |name, threat, replies: &[(&str, NodeId)]| ProofNode {
            point: point(name),
            threat,
            replies: replies.iter().map(|&(reply, id)| (point(reply), id)).collect(),
        };
        let proof = Proof {
            rule: Rule::Freestyle,
            stones: Stones::new(Size::square(15)),
            root: 0,
            nodes: vec![
                node("a1", Some(1), &[("b1", 2), ("c1", 3)]),
                node("d1", None, &[]),
                node("e1", Some(4), &[("f1", 5), ("g1", 5)]),
                node("h1", Some(1), &[]),
                node("a2", None, &[]),
                node("b2", None, &[]),
            ],
        };
        let sent = |most| serde_json::to_value(ProofMessage::new(&proof, most)).unwrap();
        let whole = json!({"root": 0, "nodes": [
            {"move": [0, 0], "threat": 1, "replies": [[1, 0, 2], [2, 0, 3]]},
            {"move": [3, 0], "threat": null, "replies": []},
            {"move": [4, 0], "threat": 4, "replies": [[5, 0, 5], [6, 0, 5]]},
            {"move": [7, 0], "threat": 1, "replies": []},
            {"move": [0, 1], "threat": null, "replies": []},
            {"move": [1, 1], "threat": null, "replies": []},
        ]});
        assert_eq!(sent(6), whole);
        // One node short, the third has no room for both that follow it, and the others stay as they are.
        let mut cut = whole;
        cut["nodes"].as_array_mut().unwrap().truncate(4);
        cut["nodes"][2] = json!({"move": [4, 0], "threat": null, "replies": [], "cut": true});
        assert_eq!(sent(5), cut);
        let root = json!({"move": [0, 0], "threat": null, "replies": [], "cut": true});
        assert_eq!(sent(1), json!({"root": 0, "nodes": [root]}));
    }
}
