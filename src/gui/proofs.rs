//! `solve`: whether the side to move wins by force, with the proof as a tree to click through.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::control::JobControl;
use super::limits::LONGEST;
use super::messages::{At, Code, Frame, Rejection, at, done, event, milliseconds};
use super::position::PositionMessage;
use crate::game::Game;
use crate::solve::{
    NodeId, Proof, Solution, Solver, SolverLimits, SolverProgress, SolverVerdict, ThreatSpace, check,
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
                message.plies = if proof.nodes.len() <= MOST_CHECKED {
                    let flawed =
                        |flaw| Rejection::new(Code::Internal, format!("the proof is flawed: {flaw}"));
                    message.checked = true;
                    check(proof).map_err(flawed)?.plies as usize
                } else {
                    proof.lengths().get(proof.root as usize).map_or(0, |&plies| plies as usize)
                };
                message.proof = Some(ProofMessage::new(proof));
            }
        }
        Ok(message)
    }
}

/// A proof as it is sent. Its nodes are renumbered from the root, which is 0.
#[derive(Debug, Serialize)]
struct ProofMessage {
    root: usize,
    nodes: Vec<NodeMessage>,
    /// Whether nodes were left out, together with the replies that lead to them.
    truncated: bool,
}

#[derive(Debug, Serialize)]
struct NodeMessage {
    #[serde(rename = "move")]
    point: At,
    /// The node that wins after every reply that is not listed; `None` if the move makes five.
    threat: Option<usize>,
    /// Column and row of a reply, and the node that wins after it.
    replies: Vec<(i64, i64, usize)>,
}

impl ProofMessage {
    /// The proof from its root, breadth first, as far as it is sent.
    fn new(proof: &Proof) -> ProofMessage {
        let mut numbers: HashMap<NodeId, usize> = HashMap::from([(proof.root, 0)]);
        let mut open = VecDeque::from([proof.root]);
        let mut nodes = Vec::new();
        let mut truncated = false;
        while let Some(id) = open.pop_front() {
            let Some(node) = proof.nodes.get(id as usize) else { break };
            let mut number = |id: NodeId| {
                let next = numbers.len();
                match numbers.get(&id) {
                    Some(&number) => Some(number),
                    None if next >= MOST_NODES => {
                        truncated = true;
                        None
                    }
                    None => {
                        numbers.insert(id, next);
                        open.push_back(id);
                        Some(next)
                    }
                }
            };
            let threat = node.threat.and_then(&mut number);
            let replies = node.replies.iter().filter_map(|&(reply, id)| {
                let (x, y) = at(reply);
                Some((x, y, number(id)?))
            });
            let replies = replies.collect();
            nodes.push(NodeMessage { point: at(node.point), threat, replies });
        }
        ProofMessage { root: 0, nodes, truncated }
    }
}

fn space_name(space: ThreatSpace) -> &'static str {
    match space {
        ThreatSpace::Vcf => "vcf",
        ThreatSpace::OpenThrees => "open-threes",
        ThreatSpace::Vct => "vct",
    }
}
