//! Statistics of a set of games: counts, results, lengths, scores and duplicates.

use std::collections::{BTreeMap, HashSet};

use super::record::{Ending, Origin, TrainingGame};
use crate::board::{Color, Size, Symmetry, zobrist};
use crate::eval::score::{self, Score};
use crate::rules::Rule;

/// The width of one bin in the histogram of scores, in points.
pub const SCORE_STEP: Score = 50;
/// Scores from this on are counted together, and so are those below its negative.
pub const SCORE_END: Score = 1000;
/// The number of bins: those from `-SCORE_END` to [`SCORE_END`], and one more on either side for what lies beyond.
pub const SCORE_STEPS: usize = (2 * SCORE_END / SCORE_STEP) as usize + 2;

/// Wins, draws and losses of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Counts a game: 1 won, 0 drawn, -1 lost.
    pub fn add(&mut self, result: i32) {
        match result {
            1.. => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// Games counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Wins plus half of the draws, as a share of all games, 0 to 1; one half if there are none.
    #[must_use]
    pub fn share(&self) -> f64 {
        if self.count() == 0 {
            return 0.5;
        }
        (self.wins as f64 + self.draws as f64 / 2.0) / self.count() as f64
    }
}

/// Figures of the games under one rule.
#[derive(Clone, Debug, Default)]
pub struct RuleStat {
    /// Results for Black.
    pub black: Wdl,
    /// Games by width and height of the board, in ascending order.
    pub sizes: BTreeMap<(usize, usize), u64>,
    /// Games by ending, in the order of [`Ending::ALL`].
    pub endings: [u64; Ending::ALL.len()],
    /// Games by their length in moves.
    pub lengths: BTreeMap<usize, u64>,
    /// Moves after the openings.
    pub moves: u64,
    /// Random moves among them.
    pub random: u64,
    /// Forced moves among them.
    pub forced: u64,
    /// Positions with a score that is not decided, from which values can be learned.
    pub scored: u64,
    /// Positions with a score that says who wins.
    pub decided: u64,
    /// Results for the side to move, by the bin of its score, see [`step_of`].
    pub by_score: Vec<Wdl>,
}

impl RuleStat {
    /// The length in moves that this share of the games (0 to 1) does not exceed.
    #[must_use]
    pub fn length_at(&self, share: f64) -> usize {
        let wanted = (share * self.black.count() as f64).max(1.0);
        let mut seen = 0.0;
        let mut lengths = self.lengths.iter().map(|(&length, &games)| {
            seen += games as f64;
            (length, seen)
        });
        lengths.find(|&(_, seen)| seen >= wanted).map_or(0, |(length, _)| length)
    }

    /// The mean length of a game in moves.
    #[must_use]
    pub fn mean_length(&self) -> f64 {
        let moves: u64 = self.lengths.iter().map(|(&length, &games)| length as u64 * games).sum();
        moves as f64 / self.black.count().max(1) as f64
    }
}

/// The bin of an undecided score in [`RuleStat::by_score`].
#[must_use]
pub fn step_of(score: Score) -> usize {
    ((score + SCORE_END).div_euclid(SCORE_STEP) + 1).clamp(0, SCORE_STEPS as Score - 1) as usize
}

/// The lowest score of a bin in [`RuleStat::by_score`]; for bin 0, which has none, one bin width below that of bin 1.
#[must_use]
pub fn step_start(step: usize) -> Score {
    step as Score * SCORE_STEP - SCORE_STEP - SCORE_END
}

/// Figures of a set of games.
#[derive(Clone, Debug, Default)]
pub struct Stat {
    /// By rule, for the rules that occur.
    pub rules: BTreeMap<u8, RuleStat>,
    /// Games with the same moves as another one under the same rule, possibly rotated or mirrored.
    pub equal_games: u64,
    /// Positions with a score that occurred before under the same rule, possibly rotated or mirrored.
    pub equal_positions: u64,
    games: HashSet<u64>,
    positions: HashSet<u64>,
}

impl Stat {
    /// Counts a game.
    pub fn add(&mut self, game: &TrainingGame) {
        let of_rule = self.rules.entry(game.rule.gomocup_number()).or_default();
        of_rule.black.add(game.result_for(Color::Black));
        *of_rule.sizes.entry((game.size.width(), game.size.height())).or_default() += 1;
        *of_rule.lengths.entry(game.moves.len()).or_default() += 1;
        if let Some(n) = Ending::ALL.iter().position(|&ending| ending == game.ending) {
            of_rule.endings[n] += 1;
        }
        of_rule.by_score.resize(SCORE_STEPS, Wdl::default());
        let mut hashes = Hashes::new(game.rule, game.size);
        let mut color = Color::Black;
        for played in &game.moves {
            of_rule.moves += u64::from(played.origin != Origin::Opening);
            of_rule.random += u64::from(played.origin == Origin::Random);
            of_rule.forced += u64::from(played.origin == Origin::Forced);
            if let Some(score) = played.score {
                if score::is_decided(score) {
                    of_rule.decided += 1;
                } else {
                    of_rule.scored += 1;
                    of_rule.by_score[step_of(score)].add(game.result_for(color));
                }
                self.equal_positions += u64::from(!self.positions.insert(hashes.least()));
            }
            hashes.place(color, played.point);
            color = !color;
        }
        self.equal_games += u64::from(!self.games.insert(hashes.least()));
    }

    /// Games counted.
    #[must_use]
    pub fn game_count(&self) -> u64 {
        self.rules.values().map(|rule| rule.black.count()).sum()
    }

    /// Positions with a score, of any kind.
    #[must_use]
    pub fn searched_count(&self) -> u64 {
        self.rules.values().map(|rule| rule.scored + rule.decided).sum()
    }
}

/// The hashes of a position and its images under the symmetries of the board.
struct Hashes {
    size: Size,
    images: Vec<(Symmetry, u64)>,
}

impl Hashes {
    fn new(rule: Rule, size: Size) -> Hashes {
        let salt = zobrist::variant(rule.gomocup_number(), size);
        Hashes { size, images: Symmetry::of(size).map(|symmetry| (symmetry, salt)).collect() }
    }

    fn place(&mut self, color: Color, point: crate::board::Point) {
        for (symmetry, hash) in &mut self.images {
            *hash ^= zobrist::stone(color, symmetry.apply(point, self.size));
        }
    }

    fn least(&self) -> u64 {
        self.images.iter().map(|&(_, hash)| hash).min().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::TrainingMove;
    use super::super::record::tests::game;
    use super::*;

    #[test]
    fn scores_fall_into_their_steps() {
        for score in [-20_000, -1001, -1000, -51, -50, -1, 0, 49, 50, 999, 1000, 20_000] {
            let step = step_of(score);
            assert!(step == 0 || step_start(step) <= score, "{score}");
            assert!(step == SCORE_STEPS - 1 || score < step_start(step + 1), "{score}");
        }
        assert_eq!((step_start(1), step_start(SCORE_STEPS - 1)), (-SCORE_END, SCORE_END));
    }

    #[test]
    fn games_are_counted() {
        let mut stat = Stat::default();
        (0..30).for_each(|n| stat.add(&game(n)));
        assert_eq!((stat.game_count(), stat.equal_games), (30, 0));
        let caro = &stat.rules[&Rule::Caro.gomocup_number()];
        // Games 3, 8, 13, 18, 23, 28, of 10 moves and one more for each number; 3 and 18 are draws.
        assert_eq!(caro.black, Wdl { wins: 2, draws: 2, losses: 2 });
        assert_eq!((caro.length_at(0.0), caro.length_at(0.5), caro.length_at(1.0)), (13, 23, 38));
        assert_eq!(caro.mean_length(), 25.5);
        assert_eq!(caro.sizes.values().sum::<u64>(), 6);
        assert_eq!(caro.endings, [0, 0, 0, 6, 0]);
        let searched = (0..30).flat_map(|n| game(n).moves).filter(|m| m.score.is_some()).count() as u64;
        assert_eq!(stat.searched_count(), searched);
        let by_score: u64 = caro.by_score.iter().map(Wdl::count).sum();
        assert_eq!(by_score, caro.scored);
    }

    #[test]
    fn turned_games_are_found() {
        let first = game(5);
        let mut stat = Stat::default();
        for symmetry in Symmetry::of(first.size) {
            let turn = |m: &TrainingMove| TrainingMove { point: symmetry.apply(m.point, first.size), ..*m };
            let turned = TrainingGame { moves: first.moves.iter().map(turn).collect(), ..first.clone() };
            stat.add(&turned);
        }
        assert_eq!(stat.equal_games, stat.game_count() - 1);
        let searched = stat.searched_count();
        assert_eq!(stat.equal_positions, searched - searched / stat.game_count());
        let other_rule = TrainingGame { rule: Rule::Caro, ..first };
        stat.add(&other_rule);
        assert_eq!(stat.equal_games, stat.game_count() - 2);
    }
}
