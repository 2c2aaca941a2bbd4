//! Watches games from move to move: whether one is lost, and which moves were to blame.

use std::cmp::Reverse;
use std::collections::VecDeque;

use crate::board::{Point, Stones};
use crate::eval::score::{Score, is_loss, lost_in, win_probability};
use crate::rules::Rule;

/// How many games are watched at a time, as many as the board has pages. The one that has waited longest is given up.
const MOST_GAMES: usize = 32;

/// A move of the engine, and the score that the search gave it.
#[derive(Clone, Debug)]
pub(super) struct OwnMove {
    /// The position before it.
    pub stones: Stones,
    pub point: Point,
    /// The score for the side that moved.
    pub score: Score,
}

/// A move to blame for a loss.
#[derive(Clone, Debug)]
pub(super) struct Blamed {
    /// The engine's moves of the game up to this one, which is the last.
    pub moves: Vec<OwnMove>,
    /// What the move was worth by the engine's next one: the score for the side that moved.
    pub score: Score,
}

/// The games that are being played, the latest first. They are told apart by their moves, so that nobody has to say
/// when a game begins, ends or goes back.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    games: VecDeque<Game>,
}

/// A game so far.
#[derive(Clone, Debug)]
struct Game {
    rule: Rule,
    /// The engine's moves.
    own: Vec<OwnMove>,
}

impl Watch {
    /// Records a move. If it makes clear that its game is lost, returns the moves to blame, the most important first.
    pub fn note(&mut self, rule: Rule, stones: &Stones, point: Point, score: Score) -> Vec<Blamed> {
        let mut game = self.continued(rule, stones);
        let was_lost = game.own.iter().any(|own| is_loss(own.score));
        game.own.push(OwnMove { stones: stones.clone(), point, score });
        let blamed = if was_lost || !is_loss(score) { Vec::new() } else { game.blamed() };
        self.games.push_front(game);
        self.games.truncate(MOST_GAMES);
        blamed
    }

    /// The game that this position continues, up to the moves that were taken back since; a new one if there is none.
    fn continued(&mut self, rule: Rule, stones: &Stones) -> Game {
        let kept = |game: &Game| if game.rule == rule { game.kept(stones) } else { 0 };
        let games = self.games.iter().enumerate().map(|(n, game)| (n, kept(game)));
        let found = games.max_by_key(|&(n, kept)| (kept, Reverse(n))).filter(|&(_, kept)| kept > 0);
        let Some((n, kept)) = found else { return Game { rule, own: Vec::new() } };
        // What was taken back may be played again, and another game may have begun in the same way.
        let is_whole = self.games.get(n).is_some_and(|game| game.own.len() == kept);
        let game = if is_whole { self.games.remove(n) } else { self.games.get(n).cloned() };
        let mut own = game.map(|game| game.own).unwrap_or_default();
        own.truncate(kept);
        Game { rule, own }
    }
}

impl Game {
    /// How many of the engine's moves, from the first on, were played on the way to this position.
    fn kept(&self, stones: &Stones) -> usize {
        let was_played = |own: &&OwnMove| {
            let before = own.stones.history();
            own.stones.size() == stones.size()
                && stones.history().len() > before.len() + 1
                && stones.history().starts_with(before)
                && stones.history().get(before.len()).is_some_and(|&(point, _)| point == own.point)
        };
        self.own.iter().take_while(was_played).count()
    }

    /// The move after which the winning probability fell most, and the last one before the loss was certain.
    fn blamed(&self) -> Vec<Blamed> {
        let Some(last) = self.own.len().checked_sub(2) else { return Vec::new() };
        let score = |n: usize| self.own.get(n).map_or(lost_in(0), |own| own.score);
        let fall = |n: &usize| win_probability(score(*n)) - win_probability(score(n + 1));
        let most = (0..=last).max_by(|a, b| fall(a).total_cmp(&fall(b))).unwrap_or(last);
        let blamed = if most == last { vec![last] } else { vec![most, last] };
        let moves = |n: usize| self.own.iter().take(n + 1).cloned().collect();
        blamed.into_iter().map(|n| Blamed { moves: moves(n), score: score(n + 1) }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    /// Plays a game in which the engine's moves had these scores; returns the moves that are blamed in the end, and
    /// what they are worth.
    fn blamed(scores: &[Score]) -> Vec<(usize, Score)> {
        let mut stones = Stones::new(Size::square(15));
        let mut watch = Watch::default();
        let mut blamed = Vec::new();
        for (n, &score) in scores.iter().enumerate() {
            let [own, other] = [2 * n, 2 * n + 1].map(|n| Point::new(n % 15, n / 15));
            let found = watch.note(Rule::Freestyle, &stones, own, score);
            if !found.is_empty() {
                blamed = found.iter().map(|found| (found.moves.len() - 1, found.score)).collect();
            }
            stones.place(own, stones.to_move());
            stones.place(other, stones.to_move());
        }
        blamed
    }

    #[test]
    fn the_fall_is_found() {
        let lost = lost_in(12);
        assert_eq!(blamed(&[10, 20, -900, -1500, lost, lost_in(10)]), [(1, -900), (3, lost)]);
        assert_eq!(blamed(&[10, 20, 15, lost]), [(2, lost)]);
        assert!(blamed(&[10, 20, -900]).is_empty());
        assert!(blamed(&[lost_in(4)]).is_empty());
    }

    #[test]
    fn a_new_game_begins_anew() {
        let mut watch = Watch::default();
        watch.note(Rule::Renju, &stones(""), point("h8"), 10);
        // The same position under another rule, and another game of the same length.
        assert!(lost(&mut watch, Rule::Freestyle, "h8 i9", "j9").is_empty());
        assert!(lost(&mut watch, Rule::Renju, "g7 i9", "j9").is_empty());
        assert_eq!(lost(&mut watch, Rule::Renju, "h8 i9", "j9"), ["h8"]);
    }

    #[test]
    fn what_is_taken_back_leaves_the_moves_before_it() {
        let mut watch = Watch::default();
        for (moves, own) in [("", "h8"), ("h8 i9", "j9"), ("h8 i9 j9 k9", "l9")] {
            watch.note(Rule::Renju, &stones(moves), point(own), 10);
        }
        // The answer to j9 is another now, and that one wins.
        assert_eq!(lost(&mut watch, Rule::Renju, "h8 i9 j9 j10", "m9"), ["j9"]);
        // So does the first one after all, and a new answer to h8.
        assert_eq!(lost(&mut watch, Rule::Renju, "h8 i9 j9 k9 l9 l10", "m9"), ["l9"]);
        assert_eq!(lost(&mut watch, Rule::Renju, "h8 i10", "m9"), ["h8"]);
    }

    #[test]
    fn games_are_told_apart_by_their_moves() {
        let mut watch = Watch::default();
        for (moves, own) in [("h8", "i9"), ("g8", "i8"), ("h8 i9 j9", "j10"), ("g8 i8 j9", "j7")] {
            assert!(watch.note(Rule::Caro, &stones(moves), point(own), 10).is_empty());
        }
        assert_eq!(lost(&mut watch, Rule::Caro, "h8 i9 j9 j10 k9", "l9"), ["j10"]);
        assert_eq!(lost(&mut watch, Rule::Caro, "g8 i8 j9 j7 k9", "l9"), ["j7"]);
        // Its loss is known by now.
        assert!(lost(&mut watch, Rule::Caro, "h8 i9 j9 j10 k9 l9 a1", "m9").is_empty());
        for n in 0..MOST_GAMES + 5 {
            let mut stones = Stones::new(Size::square(15));
            stones.place(Point::new(n % 15, n / 15), stones.to_move());
            watch.note(Rule::Caro, &stones, Point::new(14, 14), 10);
        }
        assert_eq!(watch.games.len(), MOST_GAMES);
    }

    fn point(name: &str) -> Point {
        name.parse().unwrap()
    }

    fn stones(moves: &str) -> Stones {
        let mut stones = Stones::new(Size::square(15));
        moves.split_whitespace().for_each(|name| stones.place(point(name), stones.to_move()));
        stones
    }

    /// The moves that are blamed when this one is found to lose.
    fn lost(watch: &mut Watch, rule: Rule, moves: &str, own: &str) -> Vec<String> {
        let blamed = watch.note(rule, &stones(moves), point(own), lost_in(6));
        blamed.iter().map(|found| found.moves.last().unwrap().point.to_string()).collect()
    }
}
