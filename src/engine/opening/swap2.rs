//! The swap2 opening: three stones are placed, the second player takes a side or places two more, and
//! then the first player takes a side.
//!
//! Each decision consists of a few searches within one time budget. Knows no text.

use std::time::Duration;

use super::inquiry::{EVEN, Effort, Inquiry};
use crate::board::{Color, Point, Stones};
use crate::eval::score::{Score, is_decided};
use crate::rules::OpeningError;
use crate::search::Task;

/// An advantage of this many points or more is taken rather than balanced out. Chosen, not measured.
const CLEAR: Score = 40;

/// Three stones (black, white, black), as offsets from the corner of a square of five by five points. The
/// further apart they lie and the nearer to an edge, the less the extra stone is worth to Black. Which of
/// them is even under the rule in force is for the search to find out.
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

/// The stones of a proposal.
pub(in crate::engine) const PROPOSED: usize = 3;

/// What the engine has to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swap2Question {
    /// Place three stones on an empty board, as first player.
    Propose,
    /// Choose after three stones, as second player and White for the time being.
    Second,
    /// Choose after five stones, or in the opening `swap` after three, as first player and White for the time being.
    First,
}

impl Swap2Question {
    /// The question that is asked with this number of stones on the board.
    #[must_use]
    pub fn with_stones(count: usize) -> Option<Swap2Question> {
        match count {
            0 => Some(Swap2Question::Propose),
            3 => Some(Swap2Question::Second),
            5 => Some(Swap2Question::First),
            _ => None,
        }
    }

    /// Whether the question can be asked with these stones. Dead cells are allowed.
    ///
    /// # Errors
    /// What is wrong: the number of stones, or too few empty points for the answer.
    pub fn check(self, stones: &Stones) -> Result<(), OpeningError> {
        let found = stones.history().len();
        let (needed, placed) = match self {
            Swap2Question::Propose => (0, PROPOSED),
            Swap2Question::Second => (3, 2),
            Swap2Question::First if found == 3 => (3, 1),
            Swap2Question::First => (5, 1),
        };
        if found != needed {
            return Err(OpeningError::Count { needed, found });
        }
        if stones.empty_count() <= placed {
            return Err(OpeningError::NoRoom);
        }
        Ok(())
    }
}

/// What the engine decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Swap2Choice {
    /// Take Black.
    Swap,
    /// Place these stones: three to propose; one to stay White; two to let the opponent choose.
    Place(Vec<Point>),
}

impl Swap2Choice {
    /// The engine's colour after its choice; `None` if the opponent chooses next.
    #[must_use]
    pub fn own_color(&self) -> Option<Color> {
        match self {
            Swap2Choice::Swap => Some(Color::Black),
            Swap2Choice::Place(points) if points.len() == 1 => Some(Color::White),
            Swap2Choice::Place(_) => None,
        }
    }
}

/// A decision about these stones, within the limits of its searches.
pub(in crate::engine) struct Decision<'a> {
    /// Runs searches within the limits for the whole decision.
    pub inquiry: Inquiry<'a>,
    /// Stones that the question fits.
    pub stones: &'a Stones,
}

impl Decision<'_> {
    /// Decides.
    pub fn decide(mut self, question: Swap2Question) -> Swap2Choice {
        let budget = self.inquiry.budget();
        match question {
            Swap2Question::Propose => Swap2Choice::Place(self.propose(budget)),
            Swap2Question::Second => self.second(budget),
            Swap2Question::First => self.first(budget),
        }
    }

    fn propose(&mut self, budget: Duration) -> Vec<Point> {
        let proposals = proposals(self.stones);
        let share = budget / u32::try_from(proposals.len()).unwrap_or(u32::MAX).max(1);
        let mut best: Option<(Score, [Point; PROPOSED])> = None;
        for points in proposals {
            let mut stones = self.stones.clone();
            points.iter().for_each(|&point| stones.place(point, stones.to_move()));
            let answer = self.inquiry.ask(&stones, Task::Best, share, Effort::Probe);
            let imbalance = answer.lines.first().map_or(Score::MAX, |line| line.score.saturating_abs());
            if best.is_none_or(|(least, _)| imbalance < least) {
                best = Some((imbalance, points));
            }
            if imbalance <= EVEN || self.inquiry.control.is_stopped() || share.is_zero() {
                break;
            }
        }
        best.map_or_else(Vec::new, |(_, points)| points.to_vec())
    }

    /// White is to move. The engine takes Black if Black is clearly better, and stays White if White is
    /// clearly better or the position is even. In between the score says little: two more stones that the
    /// search considers even leave the choice, and the risk, to the opponent.
    fn second(&mut self, budget: Duration) -> Swap2Choice {
        let best = self.inquiry.ask(self.stones, Task::Best, budget / 2, Effort::Full);
        let stay = Swap2Choice::Place(vec![best.moves[0]]);
        let Some(score) = best.lines.first().map(|line| line.score) else { return stay };
        if score <= -CLEAR {
            return Swap2Choice::Swap;
        }
        if score >= CLEAR || score.abs() <= EVEN || self.inquiry.control.is_stopped() {
            return stay;
        }
        let pair = self.inquiry.ask(self.stones, Task::BalanceTwo { bias: 0 }, budget / 2, Effort::Full);
        let balanced =
            pair.lines.first().is_some_and(|line| line.score.abs() <= EVEN && !is_decided(line.score));
        match *pair.moves.as_slice() {
            [a, b] if balanced && a != b && self.stones.is_empty_at(a) && self.stones.is_empty_at(b) => {
                Swap2Choice::Place(vec![a, b])
            }
            _ if score < 0 => Swap2Choice::Swap,
            _ => stay,
        }
    }

    /// White is to move. The engine takes Black if Black is better.
    fn first(&mut self, budget: Duration) -> Swap2Choice {
        let best = self.inquiry.ask(self.stones, Task::Best, budget, Effort::Full);
        match best.lines.first() {
            Some(line) if line.score < 0 => Swap2Choice::Swap,
            _ => Swap2Choice::Place(vec![best.moves[0]]),
        }
    }
}

/// Openings to choose from: the templates in a corner, at the middle of an edge and around the centre. On a
/// board of five by five these places coincide. Templates of which a point is dead or off the board are left out.
fn proposals(stones: &Stones) -> Vec<[Point; PROPOSED]> {
    let size = stones.size();
    let middle = |side: usize| side.saturating_sub(TEMPLATE_SIDE) / 2;
    let (x, y) = (middle(size.width()), middle(size.height()));
    let mut places = vec![(x, 0), (0, 0), (x, y)];
    places.sort_unstable();
    places.dedup();
    let mut proposals = Vec::new();
    for template in TEMPLATES {
        for &(x, y) in &places {
            proposals.push(template.map(|(dx, dy)| Point::new(x + dx, y + dy)));
        }
    }
    proposals.retain(|points| points.iter().all(|&point| stones.is_empty_at(point)));
    proposals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::engine::Engine;
    use crate::rules::Rule;
    use crate::search::{Answer, Control, Limits, Line, Request};

    /// Decides with a search that answers every task with a fixed score. Also returns the tasks that the
    /// search was given.
    fn decide(count: usize, best: Score, pair: Score) -> (Swap2Choice, Vec<Task>) {
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
        let control = Control::new();
        let request = Request::best(Limits::default());
        let inquiry = Inquiry { search: &mut search, request: &request, control: &control };
        let decision = Decision { inquiry, stones: &stones };
        let choice = decision.decide(Swap2Question::with_stones(count).unwrap());
        (choice, asked)
    }

    #[test]
    fn the_second_player_has_three_answers() {
        assert_eq!(decide(3, -CLEAR, 0).0, Swap2Choice::Swap);
        assert_eq!(decide(3, CLEAR, 0).0.own_color(), Some(Color::White));
        assert_eq!(decide(3, 0, 0).0.own_color(), Some(Color::White));
        // Slightly worse or better: two stones, if an even pair is found.
        assert!(matches!(decide(3, -25, 3).0, Swap2Choice::Place(points) if points.len() == 2));
        assert!(matches!(decide(3, 25, -3).0, Swap2Choice::Place(points) if points.len() == 2));
        assert_eq!(decide(3, -25, 60).0, Swap2Choice::Swap);
        assert_eq!(decide(3, 25, 60).0.own_color(), Some(Color::White));
    }

    #[test]
    fn the_first_player_takes_the_better_side() {
        assert_eq!(decide(5, -1, 0).0, Swap2Choice::Swap);
        assert_eq!(decide(5, 1, 0).0.own_color(), Some(Color::White));
    }

    #[test]
    fn an_even_proposal_ends_the_search_for_one() {
        let (choice, asked) = decide(0, EVEN, 0);
        assert_eq!(asked.len(), 1);
        assert!(matches!(choice, Swap2Choice::Place(points) if points.len() == 3));
        let (_, asked) = decide(0, 500, 0);
        assert_eq!(asked.len(), proposals(&Stones::new(Size::square(15))).len());
    }

    #[test]
    fn proposals_fit_every_board() {
        for width in 5..=22 {
            for height in 5..=22 {
                let size = Size::new(width, height).unwrap();
                for [a, b, c] in proposals(&Stones::new(size)) {
                    assert!(a != b && b != c && a != c);
                    assert!([a, b, c].iter().all(|&point| size.contains(point)));
                }
            }
        }
        assert_eq!(proposals(&Stones::new(Size::square(5))).len(), TEMPLATES.len());
    }

    #[test]
    fn a_question_fits_its_stones() {
        let mut stones = Stones::new(Size::square(5));
        let found = |stones: &Stones| {
            [Swap2Question::Propose, Swap2Question::Second, Swap2Question::First]
                .map(|question| question.check(stones).is_ok())
        };
        let expected = [
            [true, false, false],
            [false; 3],
            [false; 3],
            [false, true, true],
            [false; 3],
            [false, false, true],
        ];
        for (count, expected) in expected.into_iter().enumerate() {
            assert_eq!(found(&stones), expected, "{count} stones");
            stones.place(Point::new(count % 5, count / 5), stones.to_move());
        }
        let error = Swap2Question::Second.check(&stones);
        assert_eq!(error, Err(OpeningError::Count { needed: 3, found: 6 }));
    }

    #[test]
    fn a_proposal_fits_between_dead_cells() {
        let size = Size::square(5);
        let propose = |stones: &Stones| {
            let request = Request::best(Limits { depth: Some(1), ..Limits::default() });
            let question = Swap2Question::Propose;
            let mut engine = Engine::new(1, 64 << 20);
            engine.decide_swap2(question, Rule::Standard, stones, &request, &Control::new())
        };
        // With every dead cell, fewer and fewer templates fit, and at last none does.
        for dead in 0..=21 {
            let mut stones = Stones::new(size);
            size.points().step_by(3).chain(size.points()).for_each(|point| {
                if stones.empty_count() > size.area() - dead && stones.is_empty_at(point) {
                    stones.kill(point);
                }
            });
            let Ok(Swap2Choice::Place(points)) = propose(&stones) else { panic!("{dead} dead cells") };
            assert_eq!(points.len(), 3, "{dead} dead cells");
            points.into_iter().for_each(|point| {
                assert!(stones.is_empty_at(point), "{point} of {dead} dead cells");
                stones.place(point, stones.to_move());
            });
        }
        let mut stones = Stones::new(size);
        size.points().skip(3).for_each(|point| stones.kill(point));
        assert_eq!(propose(&stones), Err(OpeningError::NoRoom));
        let mut stones = Stones::new(size);
        stones.place(Point::new(0, 0), Color::Black);
        assert_eq!(propose(&stones), Err(OpeningError::Count { needed: 0, found: 1 }));
    }
}
