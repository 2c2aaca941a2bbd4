//! Decisions under the opening rules of renju, Soosõrv-8 and Taraguchi-10: where the first stones go, whether to swap,
//! which fifth moves to offer and which of them to take.
//!
//! Black offers the N best fifth moves, and White takes the one that is worst for Black. So the position after four
//! stones is worth to Black what the N-th best fifth move is worth, and all reasoning begins there. White places the
//! fourth stone and chooses N so that this value is as near to even as possible, since Black chooses the side
//! afterwards. Before that, whoever is to place the fourth stone can at best make the game even. So after three stones
//! White swaps only if that is not possible, and leaves the fourth stone to the other player.
//!
//! Under Taraguchi-10 Black has another option after four stones: a single fifth move, after which White may swap. It
//! costs Black the amount by which that move misses an even game. Whoever swaps after the fourth stone leaves only this
//! option to the other player, and gains that amount. So White chooses the fourth stone to keep both small.

use std::cmp::Reverse;
use std::time::Duration;

use super::inquiry::{EVEN, Effort, Inquiry};
use crate::board::{Point, Stones};
use crate::eval::score::Score;
use crate::rules::Rule;
use crate::rules::opening_rule::{OpeningError, OpeningRule, StoneSymmetries};
use crate::rules::renju_openings::{CENTER, RENJU_OPENINGS};
use crate::search::{Answer, Control, Limits, Request, Task};

/// How many openings of three stones are examined before the most even of them is taken. Chosen, not measured.
const OPENINGS_TRIED: u32 = 4;
/// How many candidates for the fourth stone are examined: White's best moves in their order, after a weaker one where
/// the best is too good. Chosen, not measured.
const FOURTHS_TRIED: usize = 6;
/// Searches for a fourth stone in addition to one for each candidate: for White's best, and for a weaker one.
const SEARCHES_BESIDE: usize = 2;
/// How many fifth moves are asked for if nothing could be searched.
const FIFTHS_UNSEARCHED: usize = 4;

/// What the engine has to decide. Numbers of stones are those on the board; the player who is asked holds the colour
/// that the question is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RifQuestion {
    /// Soosõrv-8, no stones: place the first three.
    Propose,
    /// Taraguchi-10, 0 to 4 stones: place the next one. The fifth is placed so only after a swap, which leaves no
    /// choice between one fifth move and ten.
    Stone,
    /// Whether to take the other colour, as the player who did not place the last stone: after three stones under
    /// Soosõrv-8, after one to five under Taraguchi-10.
    Swap,
    /// Soosõrv-8, three stones: White places the fourth and says how many fifth moves are to be offered.
    Fourth,
    /// Soosõrv-8, four stones and a number of fifth moves asked for: whether Black swaps and takes White.
    SwapAfterFourth {
        /// How many fifth moves White asked for.
        fifths: usize,
    },
    /// Taraguchi-10, four stones, and nobody has swapped after the last: Black places the fifth near the centre, or
    /// offers ten.
    Fifth,
    /// Four stones: the fifth moves that Black offers.
    Offer {
        /// How many.
        fifths: usize,
    },
    /// Four stones: which of the offered fifth moves White takes.
    Take {
        /// The offered moves, as many as the opening rule allows to ask for.
        offered: Vec<Point>,
    },
}

impl RifQuestion {
    /// Whether the question can be asked under the opening rule with these stones.
    ///
    /// # Errors
    /// What is wrong: another variant or board, the number of stones or of fifth moves, or a point that is taken.
    /// Offered moves that are the same by symmetry are not refused here: that is for a judge to do
    /// ([`StoneSymmetries::are_distinct`]), and it does not matter to the answer.
    pub fn check(&self, opening: OpeningRule, rule: Rule, stones: &Stones) -> Result<(), OpeningError> {
        opening.check(rule, stones)?;
        let count = stones.history().len();
        let counts = match (self, opening) {
            (RifQuestion::Propose, OpeningRule::Soosorv8) => 0..=0,
            (RifQuestion::Stone, OpeningRule::Taraguchi10) => 0..=4,
            (RifQuestion::Swap, OpeningRule::Soosorv8) | (RifQuestion::Fourth, OpeningRule::Soosorv8) => {
                3..=3
            }
            (RifQuestion::Swap, OpeningRule::Taraguchi10) => 1..=5,
            (RifQuestion::SwapAfterFourth { .. }, OpeningRule::Soosorv8)
            | (RifQuestion::Fifth, OpeningRule::Taraguchi10)
            | (RifQuestion::Offer { .. } | RifQuestion::Take { .. }, _) => 4..=4,
            _ => return Err(OpeningError::NoQuestion(opening)),
        };
        if !counts.contains(&count) {
            let needed = if count < *counts.start() { *counts.start() } else { *counts.end() };
            return Err(OpeningError::Count { needed, found: count });
        }
        let fifths = match self {
            RifQuestion::SwapAfterFourth { fifths } | RifQuestion::Offer { fifths } => Some(*fifths),
            RifQuestion::Take { offered } => Some(offered.len()),
            _ => None,
        };
        if let Some(fifths) = fifths.filter(|&fifths| !opening.allows_fifths(fifths)) {
            return Err(OpeningError::Fifths(opening, fifths));
        }
        if let RifQuestion::Take { offered } = self {
            let is_taken =
                |n: usize, point: Point| !stones.is_empty_at(point) || offered[..n].contains(&point);
            if let Some((_, &point)) = offered.iter().enumerate().find(|&(n, &point)| is_taken(n, point)) {
                return Err(OpeningError::Offered(point));
            }
        }
        Ok(())
    }
}

/// What the engine decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RifChoice {
    /// Place these stones: three for [`RifQuestion::Propose`], one for [`RifQuestion::Stone`] and
    /// [`RifQuestion::Fifth`].
    Place(Vec<Point>),
    /// Whether to take the other colour.
    Swap(bool),
    /// The fourth stone, and how many fifth moves are to be offered.
    Fourth {
        /// Where White's stone goes.
        point: Point,
        /// A number that [`OpeningRule::allows_fifths`] accepts.
        fifths: usize,
    },
    /// The fifth moves to choose from, no two of them the same by symmetry.
    Offer(Vec<Point>),
    /// The fifth move that was chosen.
    Take(Point),
}

/// A fourth stone and what follows from it.
struct Fourth {
    point: Point,
    fifths: usize,
    /// How far from even the game is then, in points; `None` if there was no time to find out.
    missed: Option<Score>,
}

/// A decision under an opening rule.
pub(in crate::engine) struct Decision<'a> {
    /// Runs searches within the limits for the whole decision.
    pub inquiry: Inquiry<'a>,
    pub opening: OpeningRule,
    /// Stones that the question fits.
    pub stones: &'a Stones,
}

/// A choice without any search.
pub(in crate::engine) fn unsearched(
    opening: OpeningRule,
    question: &RifQuestion,
    stones: &Stones,
) -> RifChoice {
    let nothing = |_: &Stones, request: &Request| Answer {
        moves: Vec::new(),
        lines: Vec::new(),
        nodes: 0,
        elapsed: request.started.elapsed(),
    };
    let control = Control::new();
    control.stop();
    let (mut search, request) = (nothing, Request::best(Limits::default()));
    let inquiry = Inquiry { search: &mut search, request: &request, control: &control };
    Decision { inquiry, opening, stones }.decide(question)
}

impl Decision<'_> {
    /// Decides a question that has been checked.
    pub fn decide(mut self, question: &RifQuestion) -> RifChoice {
        let budget = self.inquiry.budget();
        let stones = self.stones;
        match question {
            RifQuestion::Propose => RifChoice::Place(self.proposal(budget).to_vec()),
            RifQuestion::Stone => RifChoice::Place(vec![self.next_stone(budget)]),
            RifQuestion::Swap => RifChoice::Swap(self.swaps(budget)),
            RifQuestion::Fourth => {
                let found = self.even_fourth(stones, budget, Effort::Full);
                let point = found.as_ref().map(|fourth| fourth.point);
                let fifths = found.map_or(FIFTHS_UNSEARCHED, |fourth| fourth.fifths);
                RifChoice::Fourth { point: self.in_zone(4, point), fifths }
            }
            RifQuestion::SwapAfterFourth { fifths } => {
                let best = self.fifths(stones, *fifths, budget, Effort::Full);
                RifChoice::Swap(best.last().is_some_and(|&(_, score)| score < 0))
            }
            RifQuestion::Fifth => self.one_fifth_or_ten(budget),
            RifQuestion::Offer { fifths } => {
                let best = self.fifths(stones, *fifths, budget, Effort::Full);
                RifChoice::Offer(self.completed(&best, *fifths))
            }
            RifQuestion::Take { offered } => RifChoice::Take(self.worst_for_black(offered, budget)),
        }
    }

    /// The first three stones, continuing those on the board, after which the fourth can make the game even. Openings
    /// are tried in the order of their codes, as far as there is time, and the first even one is taken.
    fn proposal(&mut self, budget: Duration) -> [Point; 3] {
        let share = budget / OPENINGS_TRIED;
        let mut best: Option<(Score, [Point; 3])> = None;
        let openings = openings_from(self.stones);
        for &points in openings.iter().take(OPENINGS_TRIED as usize) {
            if self.inquiry.control.is_stopped() {
                break;
            }
            let stones = with_stones(self.stones, &points[self.stones.history().len()..]);
            let fourth = self.even_fourth(&stones, share, Effort::Probe);
            let missed = fourth.and_then(|fourth| fourth.missed).unwrap_or(Score::MAX);
            if best.is_none_or(|(least, _)| missed < least) {
                best = Some((missed, points));
            }
            if missed <= EVEN || share.is_zero() {
                break;
            }
        }
        best.map_or(openings[0], |(_, points)| points)
    }

    /// Taraguchi-10: the next of the first five stones. Up to the second any will do, since the third decides.
    fn next_stone(&mut self, budget: Duration) -> Point {
        let count = self.stones.history().len();
        let found = match count {
            0 | 1 => Some(RENJU_OPENINGS[0].stones[count]),
            2 => Some(self.proposal(budget)[2]),
            3 => self.even_fourth(self.stones, budget, Effort::Full).map(|fourth| fourth.point),
            _ => self.balanced_fifth(budget),
        };
        self.in_zone(count + 1, found)
    }

    fn swaps(&mut self, budget: Duration) -> bool {
        let stones = self.stones;
        match stones.history().len() {
            3 => self
                .even_fourth(stones, budget, Effort::Full)
                .and_then(|fourth| fourth.missed)
                .is_some_and(|missed| missed > EVEN),
            // Taraguchi-10 from here on: Black is asked, who gains at least nothing by a swap ...
            4 => {
                let best = self.fifths(stones, self.opening.most_fifths(), budget, Effort::Full);
                self.worth_of_both_ways(&best).is_some_and(|worth| worth < 0)
            }
            // ... and White.
            5 => {
                let answer = self.inquiry.ask(stones, Task::Best, budget, Effort::Full);
                answer.lines.first().is_some_and(|line| line.score < 0)
            }
            _ => false,
        }
    }

    /// The fourth stone and the number of fifth moves that together come nearest to even. The candidates are White's
    /// best moves and, before them if the best is too good, a weaker one that a search found balanced. If there is no
    /// time for more, the first candidate alone; `None` if there is not even time for that.
    fn even_fourth(&mut self, stones: &Stones, budget: Duration, effort: Effort) -> Option<Fourth> {
        let share = budget / (FOURTHS_TRIED + SEARCHES_BESIDE) as u32;
        let symmetries = StoneSymmetries::of(stones);
        let lines = FOURTHS_TRIED * symmetries.count();
        let outside = !self.opening.zone(4);
        let mut ask = |task| self.inquiry.ask_without(outside, stones, task, share, Effort::Probe);
        let answer = ask(Task::for_lines(lines));
        // White's best move is already too good, so a weaker one is wanted.
        let weaker = answer
            .lines
            .first()
            .is_some_and(|line| line.score > EVEN)
            .then(|| ask(Task::BalanceOne { bias: 0 }));
        let weaker = weaker.iter().flat_map(|answer| answer.moves.first().copied());
        let lines = answer.lines.iter().filter_map(|line| line.points.first().copied());
        let points = weaker.chain(lines).chain(answer.moves.first().copied());
        let points = points.filter(|&point| stones.is_empty_at(point) && self.opening.allows(4, point));
        let points = distinct(&symmetries, points);
        let mut best: Option<Fourth> = None;
        for &point in points.iter().take(FOURTHS_TRIED) {
            if self.inquiry.control.is_stopped() {
                break;
            }
            let fifths =
                self.fifths(&with_stones(stones, &[point]), self.opening.most_fifths(), share, effort);
            let found = match self.opening {
                OpeningRule::Soosorv8 => {
                    let least =
                        fifths.iter().enumerate().min_by_key(|&(n, &(_, score))| (score.saturating_abs(), n));
                    least.map(|(n, &(_, score))| (n + 1, score))
                }
                OpeningRule::Taraguchi10 => {
                    self.worth_with_swap(&fifths).map(|worth| (self.opening.most_fifths(), worth))
                }
            };
            let Some((fifths, worth)) = found else { continue };
            let missed = worth.saturating_abs();
            if best.as_ref().and_then(|best| best.missed).is_none_or(|least| missed < least) {
                best = Some(Fourth { point, fifths, missed: Some(missed) });
            }
            if missed <= EVEN {
                break;
            }
        }
        let unseen = |&point: &Point| Fourth { point, fifths: FIFTHS_UNSEARCHED, missed: None };
        best.or_else(|| points.first().map(unseen))
    }

    /// The `count` best fifth moves of Black, best first, no two of them the same by symmetry; fewer if the search
    /// ended early.
    fn fifths(
        &mut self,
        stones: &Stones,
        count: usize,
        time: Duration,
        effort: Effort,
    ) -> Vec<(Point, Score)> {
        let symmetries = StoneSymmetries::of(stones);
        let lines = count * symmetries.count();
        let answer = self.inquiry.ask(stones, Task::for_lines(lines), time, effort);
        let points = answer.lines.iter().filter_map(|line| line.points.first().copied());
        let points = distinct(&symmetries, points.filter(|&point| stones.is_empty_at(point)));
        let score = |point: Point| {
            answer.lines.iter().find(|line| line.points.first() == Some(&point)).map(|l| l.score)
        };
        let mut fifths: Vec<(Point, Score)> =
            points.into_iter().filter_map(|point| Some((point, score(point)?))).collect();
        // A search that was cut short has the first lines from one iteration and the rest from the one before it.
        fifths.sort_by_key(|&(_, score)| Reverse(score));
        fifths.truncate(count);
        fifths
    }

    /// Taraguchi-10: what the position after four stones is worth to Black without a swap. This is the better of two
    /// options: the worst of ten fifth moves, or a single one near the centre, which costs Black what it misses of an
    /// even game. `None` if nothing was searched.
    fn worth_of_both_ways(&self, fifths: &[(Point, Score)]) -> Option<Score> {
        let ten = fifths.get(self.opening.most_fifths() - 1).map(|&(_, score)| score);
        let single = self.even_fifth(fifths).map(|(_, score)| -score.saturating_abs());
        ten.max(single)
    }

    /// Taraguchi-10: what the position after four stones is worth to the player who did not place the last, and may
    /// swap. The other then has to play a single fifth move. `None` if nothing was searched.
    fn worth_with_swap(&self, fifths: &[(Point, Score)]) -> Option<Score> {
        let swapped = self.even_fifth(fifths).map(|(_, score)| score.saturating_abs());
        self.worth_of_both_ways(fifths).max(swapped)
    }

    /// The fifth move within its permitted square after which the game is nearest to even.
    fn even_fifth(&self, fifths: &[(Point, Score)]) -> Option<(Point, Score)> {
        let near = fifths.iter().filter(|(point, _)| self.opening.allows(5, *point));
        near.min_by_key(|(_, score)| score.saturating_abs()).copied()
    }

    fn one_fifth_or_ten(&mut self, budget: Duration) -> RifChoice {
        let most = self.opening.most_fifths();
        let fifths = self.fifths(self.stones, most, budget, Effort::Full);
        let single = self.even_fifth(&fifths);
        let missed = single.map_or(0, |(_, score)| score.saturating_abs());
        if fifths.get(most - 1).is_some_and(|&(_, worst)| worst >= -missed) {
            return RifChoice::Offer(self.completed(&fifths, most));
        }
        let rest = self.inquiry.budget();
        // All moves that were found may lie too far from the centre.
        let point = single.map(|(point, _)| point).or_else(|| self.balanced_fifth(rest));
        RifChoice::Place(vec![self.in_zone(5, point)])
    }

    /// The fifth move within its permitted square that a search finds most even.
    fn balanced_fifth(&mut self, time: Duration) -> Option<Point> {
        let outside = !self.opening.zone(5);
        let task = Task::BalanceOne { bias: 0 };
        let answer = self.inquiry.ask_without(outside, self.stones, task, time, Effort::Probe);
        answer.moves.first().copied()
    }

    /// The offered fifth move after which White stands best.
    fn worst_for_black(&mut self, offered: &[Point], budget: Duration) -> Point {
        let share = budget / u32::try_from(offered.len()).unwrap_or(u32::MAX).max(1);
        let mut best = (Score::MIN, offered[0]);
        for &point in offered {
            if self.inquiry.control.is_stopped() || offered.len() == 1 {
                break;
            }
            let stones = with_stones(self.stones, &[point]);
            let answer = self.inquiry.ask(&stones, Task::Best, share, Effort::Full);
            if let Some(line) = answer.lines.first().filter(|line| line.score > best.0) {
                best = (line.score, point);
            }
        }
        best.1
    }

    /// The point if the stone with this number may stand there, otherwise the permitted free point nearest to the
    /// centre.
    fn in_zone(&self, number: usize, point: Option<Point>) -> Point {
        let may = |point: Point| self.stones.is_empty_at(point) && self.opening.allows(number, point);
        point.filter(|&point| may(point)).unwrap_or_else(|| {
            let free = self.opening.zone(number).iter().filter(|&point| may(point));
            // There are at most four stones, so every square but the first has room, and the first is needed only while
            // it is empty.
            free.min_by_key(|&point| point.distance(CENTER)).unwrap_or(CENTER)
        })
    }

    /// These fifth moves, filled up to `count` with points from around the centre.
    fn completed(&self, fifths: &[(Point, Score)], count: usize) -> Vec<Point> {
        let mut free: Vec<Point> =
            self.opening.zone(6).iter().filter(|&point| self.stones.is_empty_at(point)).collect();
        free.sort_by_key(|&point| point.distance(CENTER));
        let points = fifths.iter().map(|&(point, _)| point).chain(free);
        let mut points = distinct(&StoneSymmetries::of(self.stones), points);
        points.truncate(count);
        points
    }
}

/// The points without those that are the same as an earlier one by symmetry.
fn distinct(symmetries: &StoneSymmetries, points: impl IntoIterator<Item = Point>) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for point in points {
        if !kept.iter().any(|&before| symmetries.are_same(before, point)) {
            kept.push(point);
        }
    }
    kept
}

/// The openings of renju that begin with these stones, at most three, in matching orientation. Never empty if the
/// stones are those of an opening.
fn openings_from(stones: &Stones) -> Vec<[Point; 3]> {
    let placed: Vec<Point> = stones.history().iter().map(|&(point, _)| point).collect();
    RENJU_OPENINGS.iter().filter_map(|opening| opening.beginning_with(&placed)).collect()
}

fn with_stones(stones: &Stones, points: &[Point]) -> Stones {
    let mut stones = stones.clone();
    points.iter().for_each(|&point| stones.place(point, stones.to_move()));
    stones
}

#[cfg(test)]
#[path = "rif_tests.rs"]
mod tests;
