//! The swap2 opening: three stones are placed, the second player takes a side or places two more, and
//! then the first player takes a side.
//!
//! Each decision is a few searches under one budget of time. Knows no text.

use std::time::{Duration, Instant};

use crate::board::{Color, Point, Size, Stones};
use crate::eval::score::{Score, is_decided};
use crate::search::{Answer, Control, Limits, Request, Task, TimeControl};

/// Up to this, in points, a position counts as even: about a percent of winning probability, and less
/// than two searches of the same position differ. Chosen, not measured.
const EVEN: Score = 10;
/// From here on, in points, an advantage is taken rather than played around. Chosen, not measured.
const CLEAR: Score = 40;
/// Plies to which a proposal is searched; shallow enough that all of them fit into a few seconds.
const PROBE_DEPTH: u32 = 10;
/// Positions searched for one proposal, so that the choice does not hang on the machine's speed.
const PROBE_NODES: u64 = 200_000;
/// The most that one decision takes, whatever the manager allows.
const LONGEST: Duration = Duration::from_secs(10);
/// The part of the time for the game that one decision may take.
const SHARE_OF_GAME: u32 = 20;
/// Kept back for what happens between the searches.
const MARGIN: Duration = Duration::from_millis(40);

/// Three stones (black, white, black), in steps from the corner of a square of five by five points.
/// The more they lie apart and towards an edge, the less Black makes of the extra stone; which of them
/// is even under the rule in force is for the search to say.
const TEMPLATES: [[(usize, usize); 3]; 8] = [
    [(1, 2), (2, 1), (4, 3)],
    [(0, 2), (2, 2), (3, 0)],
    [(2, 1), (2, 2), (4, 1)],
    [(1, 1), (3, 2), (2, 4)],
    [(3, 0), (3, 2), (1, 3)],
    [(2, 0), (2, 3), (4, 4)],
    [(0, 0), (2, 1), (4, 2)],
    [(1, 3), (2, 2), (3, 3)],
];
/// The side of the square that holds a template.
const TEMPLATE_SIDE: usize = 5;

/// What the engine has to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Place three stones on an empty board, as first player.
    Propose,
    /// Choose after three stones, as second player and White for the time being.
    Second,
    /// Choose after five stones, as first player and White for the time being.
    First,
}

impl Question {
    /// The question that is asked with this number of stones on the board.
    #[must_use]
    pub fn with_stones(count: usize) -> Option<Question> {
        match count {
            0 => Some(Question::Propose),
            3 => Some(Question::Second),
            5 => Some(Question::First),
            _ => None,
        }
    }
}

/// What the engine decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Take Black.
    Swap,
    /// Place these stones: three to propose; one to stay White; two to let the opponent choose.
    Place(Vec<Point>),
}

impl Choice {
    /// The engine's colour after its choice; `None` if the opponent chooses next.
    #[must_use]
    pub fn own_color(&self) -> Option<Color> {
        match self {
            Choice::Swap => Some(Color::Black),
            Choice::Place(points) if points.len() == 1 => Some(Color::White),
            Choice::Place(_) => None,
        }
    }
}

/// Whose decision it is, and under which limits.
pub(super) struct Decision<'a> {
    /// Searches; the moves of its answer are legal.
    pub search: &'a mut dyn FnMut(&Stones, &Request) -> Answer,
    /// As many stones as the question wants; at least one cell is empty.
    pub stones: &'a Stones,
    /// Limits for the whole decision.
    pub limits: Limits,
    /// When the question arrived.
    pub started: Instant,
    /// Ends the decision early.
    pub control: &'a Control,
}

impl Decision<'_> {
    /// Decides.
    pub fn decide(mut self, question: Question) -> Choice {
        let budget = self.budget();
        match question {
            Question::Propose => Choice::Place(self.propose(budget)),
            Question::Second => self.second(budget),
            Question::First => self.first(budget),
        }
    }

    /// The time for all searches together.
    fn budget(&self) -> Duration {
        let TimeControl { turn, left, .. } = self.limits.time;
        let allowed = turn.unwrap_or(LONGEST).min(left.map_or(LONGEST, |left| left / SHARE_OF_GAME));
        allowed.min(LONGEST).saturating_sub(MARGIN).saturating_sub(self.started.elapsed())
    }

    fn search(&mut self, stones: &Stones, task: Task, time: Duration, probe: bool) -> Answer {
        let limits = Limits {
            time: TimeControl { turn: Some(time), ..TimeControl::default() },
            nodes: if probe { least(self.limits.nodes, PROBE_NODES) } else { self.limits.nodes },
            depth: if probe { least(self.limits.depth, PROBE_DEPTH) } else { self.limits.depth },
        };
        let request = Request { task, ..Request::best(limits) };
        (self.search)(stones, &request)
    }

    fn propose(&mut self, budget: Duration) -> Vec<Point> {
        let proposals = proposals(self.stones.size());
        let share = budget / u32::try_from(proposals.len()).unwrap_or(u32::MAX).max(1);
        let mut best: Option<(Score, [Point; 3])> = None;
        for points in proposals {
            let mut stones = self.stones.clone();
            points.iter().for_each(|&point| stones.place(point, stones.to_move()));
            let answer = self.search(&stones, Task::Best { lines: 1 }, share, true);
            let imbalance = answer.lines.first().map_or(Score::MAX, |line| line.score.saturating_abs());
            if best.is_none_or(|(least, _)| imbalance < least) {
                best = Some((imbalance, points));
            }
            if imbalance <= EVEN || self.control.is_stopped() || share.is_zero() {
                break;
            }
        }
        best.map_or_else(Vec::new, |(_, points)| points.to_vec())
    }

    /// White is to move. Black is taken where it is clearly better, White kept where that is clearly
    /// better or nothing speaks against it. In between the score says little; two stones that the search
    /// holds for even leave the choice, and the risk, to the opponent.
    fn second(&mut self, budget: Duration) -> Choice {
        let best = self.search(self.stones, Task::Best { lines: 1 }, budget / 2, false);
        let stay = Choice::Place(vec![best.moves[0]]);
        let Some(score) = best.lines.first().map(|line| line.score) else { return stay };
        if score <= -CLEAR {
            return Choice::Swap;
        }
        if score >= CLEAR || score.abs() <= EVEN || self.control.is_stopped() {
            return stay;
        }
        let pair = self.search(self.stones, Task::BalanceTwo { bias: 0 }, budget / 2, false);
        let balanced =
            pair.lines.first().is_some_and(|line| line.score.abs() <= EVEN && !is_decided(line.score));
        match *pair.moves.as_slice() {
            [a, b] if balanced && a != b && self.stones.is_empty_at(a) && self.stones.is_empty_at(b) => {
                Choice::Place(vec![a, b])
            }
            _ if score < 0 => Choice::Swap,
            _ => stay,
        }
    }

    /// White is to move: Black is taken if it is better.
    fn first(&mut self, budget: Duration) -> Choice {
        let best = self.search(self.stones, Task::Best { lines: 1 }, budget, false);
        match best.lines.first() {
            Some(line) if line.score < 0 => Choice::Swap,
            _ => Choice::Place(vec![best.moves[0]]),
        }
    }
}

fn least<N: Ord + Copy>(asked: Option<N>, limit: N) -> Option<N> {
    Some(asked.map_or(limit, |asked| asked.min(limit)))
}

/// Openings to choose from: the templates in a corner, at the middle of an edge and around the centre.
/// On a board of five by five these fall together.
fn proposals(size: Size) -> Vec<[Point; 3]> {
    let middle = |side: usize| side.saturating_sub(TEMPLATE_SIDE) / 2;
    let (x, y) = (middle(size.width()), middle(size.height()));
    let mut corners = vec![(x, 0), (0, 0), (x, y)];
    corners.sort_unstable();
    corners.dedup();
    let mut proposals = Vec::new();
    for template in TEMPLATES {
        for &(x, y) in &corners {
            proposals.push(template.map(|(dx, dy)| Point::new(x + dx, y + dy)));
        }
    }
    proposals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Line;

    /// Decides with a search that answers every task with a fixed score; also what it was asked.
    fn decide(count: usize, best: Score, pair: Score) -> (Choice, Vec<Task>) {
        let mut stones = Stones::new(Size::square(15));
        for n in 0..count {
            stones.place(Point::new(5 + n, 7), stones.to_move());
        }
        let mut asked = Vec::new();
        let mut search = |stones: &Stones, request: &Request| {
            asked.push(request.task);
            let (count, score) = match request.task {
                Task::BalanceTwo { .. } => (2, pair),
                _ => (1, best),
            };
            let empty = stones.size().points().filter(|&p| stones.is_empty_at(p));
            let moves: Vec<Point> = empty.take(count).collect();
            let line = Line { points: moves.clone(), score, depth: 1, selective_depth: 1 };
            Answer { moves, lines: vec![line], nodes: 1, elapsed: Duration::ZERO }
        };
        let decision = Decision {
            search: &mut search,
            stones: &stones,
            limits: Limits::default(),
            started: Instant::now(),
            control: &Control::new(),
        };
        let choice = decision.decide(Question::with_stones(count).unwrap());
        (choice, asked)
    }

    #[test]
    fn the_second_player_has_three_answers() {
        assert_eq!(decide(3, -CLEAR, 0).0, Choice::Swap);
        assert_eq!(decide(3, CLEAR, 0).0.own_color(), Some(Color::White));
        assert_eq!(decide(3, 0, 0).0.own_color(), Some(Color::White));
        // Slightly worse or better: two stones, if an even pair is found.
        assert!(matches!(decide(3, -25, 3).0, Choice::Place(points) if points.len() == 2));
        assert!(matches!(decide(3, 25, -3).0, Choice::Place(points) if points.len() == 2));
        assert_eq!(decide(3, -25, 60).0, Choice::Swap);
        assert_eq!(decide(3, 25, 60).0.own_color(), Some(Color::White));
    }

    #[test]
    fn the_first_player_takes_the_better_side() {
        assert_eq!(decide(5, -1, 0).0, Choice::Swap);
        assert_eq!(decide(5, 1, 0).0.own_color(), Some(Color::White));
    }

    #[test]
    fn an_even_proposal_ends_the_search_for_one() {
        let (choice, asked) = decide(0, EVEN, 0);
        assert_eq!(asked.len(), 1);
        assert!(matches!(choice, Choice::Place(points) if points.len() == 3));
        let (_, asked) = decide(0, 500, 0);
        assert_eq!(asked.len(), proposals(Size::square(15)).len());
    }

    #[test]
    fn proposals_fit_every_board() {
        for width in 5..=22 {
            for height in 5..=22 {
                let size = Size::new(width, height).unwrap();
                for [a, b, c] in proposals(size) {
                    assert!(a != b && b != c && a != c);
                    assert!([a, b, c].iter().all(|&point| size.contains(point)));
                }
            }
        }
        assert_eq!(proposals(Size::square(5)).len(), TEMPLATES.len());
    }
}
