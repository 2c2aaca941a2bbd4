//! Chooses a move in a given style.

use std::time::Instant;

use super::level::{Level, Method, Weakness};
use super::oversights::Oversights;
use super::seeded_random::SeededRandom;
use super::variety::{Variety, varied};
use super::{patterns, tuples};
use crate::board::{Point, PointSet, Stones};
use crate::engine::{Engine, Question, legal_moves};
use crate::position::Position;
use crate::rules::{RuleSet, with_rule};
use crate::search::{Answer, Limits, Request, Task, Threads};
use crate::shapes::Threat;

/// Quiet moves are considered no further than this from a stone, in columns and rows.
const PLAUSIBLE_REACH: usize = 2;
/// Nodes for each search of a decision in an opening by a level that plays without a search; the least of a level that
/// has one. Looking at the patterns alone does not tell which side stands better.
const OPENING_NODES: u64 = 40;

/// A style of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// How strong.
    pub level: Level,
    /// How varied.
    pub variety: Variety,
    /// The seed of all random choices, together with the position.
    pub seed: u64,
    /// Whether the seed was given so that games can be repeated.
    pub repeats: bool,
}

impl Style {
    /// Full strength, and nothing left to chance.
    pub const PLAIN: Style = Style { level: Level::FULL, variety: Variety::NONE, seed: 0, repeats: false };

    /// The style of one game: it takes this seed, unless the style was given one for all games.
    #[must_use]
    pub fn in_game(self, seed: u64) -> Style {
        if self.repeats { self } else { Style { seed, ..self } }
    }

    /// The request for the searches of a decision in an opening, such as which side to take: a level gives each of them
    /// the nodes of a move, and one thread. Of the style only the level counts.
    #[must_use]
    pub fn opening_request(&self, limits: Limits, started: Instant) -> Request {
        let all = Request { started, ..Request::best(limits) };
        let nodes = match self.level.method() {
            Method::Full => return all,
            Method::Search(nodes) => nodes,
            Method::Tuples | Method::Patterns => OPENING_NODES,
        };
        let nodes = Some(limits.nodes.map_or(nodes, |allowed| allowed.min(nodes)));
        Request { limits: Limits { nodes, ..limits }, threads: Threads::One, ..all }
    }

    /// Whether each move must follow from the position and the seed alone: searches run on one thread, since those on
    /// several are not reproducible, and get no help from earlier ones. Levels are calibrated like that.
    fn is_by_itself(&self) -> bool {
        self.level < Level::FULL || self.repeats && self.variety != Variety::NONE
    }
}

impl Default for Style {
    fn default() -> Style {
        Style::PLAIN
    }
}

/// Asks the engine, and plays as the style says. The plain style, and any task other than the best move, go straight to
/// the engine. Levels below full strength keep within the limits of the request, search with one thread whatever the
/// engine has, and get no help from earlier searches; nor does a varied style whose games are to be repeated.
///
/// # Panics
/// If the board is full.
pub fn choose(engine: &mut Engine, style: &Style, question: &Question<'_>) -> Answer {
    let &Question { rule, stones, request, .. } = question;
    if request.task != Task::Best {
        return engine.think(question);
    }
    assert!(!stones.is_full(), "there is no move on a full board");
    let random = SeededRandom::new(style.seed, stones);
    let plan = with_rule!(rule, R => plan::<R>(style.level, stones, &request.blocked, random));
    match plan {
        Plan::Play(point) => Answer {
            moves: legal_moves(rule, stones, &[point], 1),
            lines: Vec::new(),
            nodes: 0,
            elapsed: request.started.elapsed(),
        },
        Plan::Search { nodes, forgotten } => {
            let nodes = request.limits.nodes.into_iter().chain(nodes).min();
            let limits = Limits { nodes, ..request.limits };
            let threads = if style.is_by_itself() { Threads::One } else { request.threads };
            let request =
                Request { limits, blocked: request.blocked | forgotten, threads, ..request.clone() };
            if style.is_by_itself() {
                // Otherwise the results of a deeper search of the same position would make a level stronger, and what
                // is left of the last game would change the next.
                engine.new_game();
            }
            varied(engine, style.variety, random, &Question { request: &request, ..*question })
        }
    }
}

/// How the move is found.
enum Plan {
    Play(Point),
    /// A search of this many nodes that leaves out the forgotten moves.
    Search {
        nodes: Option<u64>,
        forgotten: PointSet,
    },
}

fn plan<R: RuleSet>(level: Level, stones: &Stones, blocked: &PointSet, random: SeededRandom) -> Plan {
    let nodes = match level.method() {
        Method::Full => return Plan::Search { nodes: None, forgotten: PointSet::EMPTY },
        Method::Search(nodes) if level.weakness() == Weakness::NONE => {
            return Plan::Search { nodes: Some(nodes), forgotten: PointSet::EMPTY };
        }
        Method::Search(nodes) => Some(nodes),
        Method::Tuples | Method::Patterns => None,
    };
    let mut position = Position::<R>::from_stones(stones, &mut ());
    let near = position.candidates() & !*blocked;
    let open = if near.is_empty() { position.empty_points() & !*blocked } else { near };
    let legal: PointSet = open.iter().filter(|&point| position.is_legal(point)).collect();
    let oversights = Oversights::new(level.weakness(), random, stones);
    let played = match level.method() {
        // The table knows no rule: it would fill a gap that makes six, which wins nothing under some.
        Method::Tuples => tuples::best(stones, &with_fives_first(&position, legal), random),
        Method::Patterns => patterns::best(&position, &legal, &oversights, random),
        Method::Search(_) | Method::Full => {
            if is_blind(&position, &oversights) {
                patterns::best(&position, &legal, &oversights, random)
            } else {
                return Plan::Search { nodes, forgotten: forgotten(&position, &legal, &oversights) };
            }
        }
    };
    // Only forbidden or blocked points are left: a search handles that case, however short it is.
    played.map_or(Plan::Search { nodes: Some(1), forgotten: PointSet::EMPTY }, Plan::Play)
}

/// Those of these points that make a five, or else those that stop one, or else all.
fn with_fives_first<R: RuleSet>(position: &Position<R>, points: PointSet) -> PointSet {
    let own = position.to_move();
    let fives = [own, !own].map(|color| points & *position.map().points(color, Threat::Five));
    fives.into_iter().find(|fives| !fives.is_empty()).unwrap_or(points)
}

/// The opponent's greatest threat, as `threat` sees it.
fn greatest<R: RuleSet>(position: &Position<R>, threat: impl Fn(Point) -> Threat) -> Threat {
    let dangers = [Threat::FourThree, Threat::OpenFour, Threat::Five];
    let points = dangers.map(|danger| *position.map().points(!position.to_move(), danger));
    let all = points.into_iter().fold(PointSet::EMPTY, |all, points| all | points);
    all.iter().map(threat).max().unwrap_or_default()
}

/// Whether the opponent threatens to win and the level sees none of it. A search would see the threat and defend in
/// panic; somebody who has overlooked it goes on as planned.
fn is_blind<R: RuleSet>(position: &Position<R>, oversights: &Oversights) -> bool {
    let other = !position.to_move();
    let real = greatest(position, |point| position.map().threat(point, other));
    let seen = greatest(position, |point| oversights.seen_threat(position.map(), point, other));
    real > Threat::None && seen < Threat::Four
}

/// The moves that the level overlooks: chances on lines that it does not see, and now and then a quiet move. Where the
/// opponent threatens to win, only the chances.
fn forgotten<R: RuleSet>(position: &Position<R>, legal: &PointSet, oversights: &Oversights) -> PointSet {
    let (map, own) = (position.map(), position.to_move());
    let is_pressed = greatest(position, |point| map.threat(point, !own)) > Threat::None;
    let near = PointSet::from_iter(position.stones().history().iter().map(|&(point, _)| point))
        .grown(PLAUSIBLE_REACH);
    let forgets = |point: &Point| {
        let (own_threat, other_threat) = (map.threat(*point, own), map.threat(*point, !own));
        if own_threat == Threat::Five || other_threat == Threat::Five {
            return false;
        }
        let misses = |color, threat| {
            threat >= Threat::OpenThree && oversights.seen_threat(map, *point, color) < Threat::OpenThree
        };
        if misses(own, own_threat) && other_threat < Threat::OpenThree {
            return true;
        }
        if is_pressed || own_threat >= Threat::Four {
            return false;
        }
        // Far from everything, where nobody would look.
        oversights.is_move_overlooked(*point)
            || !near.is_empty() && !near.contains(*point) && own_threat < Threat::Three
    };
    let all: PointSet = legal.iter().filter(forgets).collect();
    // If every move would be forgotten, none is.
    if all.len() < legal.len() { all } else { PointSet::EMPTY }
}

#[cfg(test)]
#[path = "choice_tests.rs"]
mod tests;
