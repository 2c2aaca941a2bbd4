//! Watches a game from move to move: whether it is lost, and which moves were to blame.

use crate::board::{Point, Stones};
use crate::eval::score::{Score, is_loss, win_probability};
use crate::rules::Rule;

/// A move of the engine, and the score that the search gave it.
#[derive(Clone, Debug)]
pub(super) struct OwnMove {
    /// The position before it.
    pub stones: Stones,
    pub point: Point,
    /// The score for the side that moved.
    pub score: Score,
}

/// The game so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    game: Option<Rule>,
    own: Vec<OwnMove>,
    is_lost: bool,
}

impl Watch {
    /// Records a move. If it makes clear that the game is lost, returns the moves to blame, the most important first,
    /// as indices into the list of the engine's moves.
    pub fn note(&mut self, rule: Rule, stones: &Stones, point: Point, score: Option<Score>) -> Vec<usize> {
        if !self.goes_on(rule, stones) {
            *self = Watch { game: Some(rule), ..Watch::default() };
        }
        let Some(score) = score else { return Vec::new() };
        self.own.push(OwnMove { stones: stones.clone(), point, score });
        if self.is_lost || !is_loss(score) {
            return Vec::new();
        }
        self.is_lost = true;
        self.blamed()
    }

    /// Whether this position continues the same game.
    fn goes_on(&self, rule: Rule, stones: &Stones) -> bool {
        let Some(last) = self.own.last() else { return self.game == Some(rule) };
        let before = last.stones.history();
        self.game == Some(rule)
            && last.stones.size() == stones.size()
            && stones.history().len() > before.len() + 1
            && stones.history().starts_with(before)
            && stones.history().get(before.len()).is_some_and(|&(point, _)| point == last.point)
    }

    /// The engine's moves so far.
    pub fn moves(&self) -> &[OwnMove] {
        &self.own
    }

    /// The move after which the winning probability fell most, and the last one before the loss was certain.
    fn blamed(&self) -> Vec<usize> {
        let Some(last) = self.own.len().checked_sub(2) else { return Vec::new() };
        let share = |n: usize| self.own.get(n).map_or(0.0, |own| win_probability(own.score));
        let fall = |n: &usize| share(*n) - share(n + 1);
        let most = (0..=last).max_by(|a, b| fall(a).total_cmp(&fall(b))).unwrap_or(last);
        if most == last { vec![last] } else { vec![most, last] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::eval::score::lost_in;

    /// Plays a game in which the engine's moves had these scores; returns the moves that are blamed in the end.
    fn blamed(scores: &[Score]) -> Vec<usize> {
        let mut stones = Stones::new(Size::square(15));
        let mut watch = Watch::default();
        let mut blamed = Vec::new();
        for (n, &score) in scores.iter().enumerate() {
            let [own, other] = [2 * n, 2 * n + 1].map(|n| Point::new(n % 15, n / 15));
            let found = watch.note(Rule::Freestyle, &stones, own, Some(score));
            if !found.is_empty() {
                blamed = found;
            }
            stones.place(own, stones.to_move());
            stones.place(other, stones.to_move());
        }
        blamed
    }

    #[test]
    fn the_fall_is_found() {
        assert_eq!(blamed(&[10, 20, -900, -1500, lost_in(12), lost_in(10)]), [1, 3]);
        assert_eq!(blamed(&[10, 20, 15, lost_in(12)]), [2]);
        assert!(blamed(&[10, 20, -900]).is_empty());
        assert!(blamed(&[lost_in(4)]).is_empty());
    }

    #[test]
    fn a_new_game_begins_anew() {
        let mut watch = Watch::default();
        let mut stones = Stones::new(Size::square(15));
        let point = |name: &str| name.parse::<Point>().unwrap();
        watch.note(Rule::Renju, &stones, point("h8"), Some(10));
        stones.place(point("h8"), stones.to_move());
        stones.place(point("i9"), stones.to_move());
        watch.note(Rule::Renju, &stones, point("j9"), Some(0));
        assert_eq!(watch.moves().len(), 2);
        // Another move than the one that was recorded: taken back, or another game.
        stones.place(point("k9"), stones.to_move());
        stones.place(point("l9"), stones.to_move());
        watch.note(Rule::Renju, &stones, point("m9"), Some(lost_in(6)));
        assert_eq!(watch.moves().len(), 1);
        watch.note(Rule::Freestyle, &Stones::new(Size::square(15)), point("h8"), Some(5));
        assert_eq!(watch.moves().len(), 1);
    }
}
