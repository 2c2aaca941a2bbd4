//! What a score says about strength: Elo and its error, the likelihood of superiority (LOS), and the pentanomial
//! model of games that are played in pairs.

use std::collections::BTreeMap;
use std::f64::consts::{LN_10, SQRT_2};
use std::fmt;

/// Half the width of a 95 % confidence interval, in standard deviations of the normal distribution.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// The share of a distribution beyond one end of a 95 % interval.
const TAIL: f64 = 0.025;
/// Fewer games than this say too little about how results scatter.
const FEW_GAMES: u64 = 10;

/// Wins, draws and losses of one engine, and the same by pairs of games with the same opening and swapped
/// colours.
///
/// The two games of a pair share the advantage that the opening gives, so their scores are not independent. Errors are
/// therefore estimated over pairs (the pentanomial model) as soon as there are enough of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Complete pairs by points: 0, 1/2, 1, 3/2, 2.
    pub pentanomial: [u64; 5],
}

impl Tally {
    /// Games counted.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Counts a game by its half points: 0 for a loss, 1 for a draw, 2 for a win.
    pub fn add_game(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Counts a complete pair by the half points of both games, 0 to 4.
    ///
    /// # Panics
    /// If it is more than 4.
    pub fn add_pair(&mut self, half_points: usize) {
        self.pentanomial[half_points] += 1;
    }

    /// Counts the games of another tally as well.
    pub fn add(&mut self, other: &Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.pentanomial.iter_mut().zip(other.pentanomial).for_each(|(sum, pairs)| *sum += pairs);
    }

    /// The pentanomial figures as they are printed: `0-3-10-4-1`.
    #[must_use]
    pub fn pentanomial_text(&self) -> String {
        self.pentanomial.map(|count| count.to_string()).join("-")
    }

    /// The same from the opponent's view.
    #[must_use]
    pub fn reversed(&self) -> Tally {
        let mut pentanomial = self.pentanomial;
        pentanomial.reverse();
        Tally { wins: self.losses, draws: self.draws, losses: self.wins, pentanomial }
    }

    /// The share of the points, 0 to 1; one half without games.
    #[must_use]
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + self.draws as f64 / 2.0) / games as f64,
        }
    }

    /// The standard error of [`Tally::score`]; `None` where there is nothing to estimate it from.
    ///
    /// It is estimated from pairs if at least nine tenths of the games belong to complete pairs, and otherwise from
    /// single games. Single games are also used if all pairs ended alike, which says nothing about how pairs differ.
    #[must_use]
    pub fn score_error(&self) -> Option<f64> {
        let error = |counts: &[u64]| {
            let (count, _, variance) = moments(counts);
            (count >= 2.0 && variance > 0.0).then(|| (variance / count).sqrt())
        };
        let paired = 2 * self.pentanomial.iter().sum::<u64>();
        let of_pairs = if 10 * paired >= 9 * self.games() { error(&self.pentanomial) } else { None };
        of_pairs.or_else(|| error(&[self.losses, self.draws, self.wins]))
    }

    /// Elo of the score with the bounds of its 95 % interval; infinite where the score is 0 or 1. If all games were won
    /// or all were lost, the other bound is that of a uniform prior.
    #[must_use]
    pub fn elo(&self) -> Elo {
        let score = self.score();
        let one_sided = elo_of_score(TAIL.powf(1.0 / (self.games() as f64 + 1.0)));
        match self {
            Tally { wins: 1.., draws: 0, losses: 0, .. } => {
                return Elo { value: f64::INFINITY, low: one_sided, high: f64::INFINITY };
            }
            Tally { wins: 0, draws: 0, losses: 1.., .. } => {
                return Elo { value: f64::NEG_INFINITY, low: f64::NEG_INFINITY, high: -one_sided };
            }
            _ => {}
        }
        let error = self.score_error().map_or(f64::INFINITY, |error| Z95 * error);
        let bound = |score: f64| elo_of_score(score.clamp(0.0, 1.0));
        Elo { value: elo_of_score(score), low: bound(score - error), high: bound(score + error) }
    }

    /// The likelihood of superiority (LOS): the probability that the engine is the stronger one, 0 to 1.
    ///
    /// Few games, or games that all ended alike, do not say how much results scatter. There the probability is that of
    /// a uniform prior for the share of the decided games that the engine wins: 1/4 after one lost game.
    #[must_use]
    pub fn los(&self) -> f64 {
        match self.score_error() {
            Some(error) if self.games() >= FEW_GAMES => normal_cdf((self.score() - 0.5) / error),
            _ => self.los_by_prior(),
        }
    }

    /// The chance that at most as many of fair coins as there are wins fall on one side, if there is one coin more than
    /// decided games. That is the same as the share of the posterior distribution above one half.
    fn los_by_prior(&self) -> f64 {
        let half_to = |games: u64| 0.5_f64.powf(games as f64 + 1.0);
        match (self.wins, self.losses) {
            (wins, 0) => 1.0 - half_to(wins),
            (0, losses) => half_to(losses),
            (wins, losses) => {
                let coins = wins + losses + 1;
                let next =
                    |(n, chance): &(u64, f64)| Some((n + 1, chance * (coins - n) as f64 / (n + 1) as f64));
                let chances = std::iter::successors(Some((0, half_to(coins - 1))), next);
                chances.take(wins as usize + 1).map(|(_, chance)| chance).sum()
            }
        }
    }
}

/// `W-D-L 12-5-3`.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "W-D-L {}-{}-{}", self.wins, self.draws, self.losses)
    }
}

/// A tally that is counted game by game, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairedTally {
    tally: Tally,
    /// Half points of pairs of which one game is known.
    halves: BTreeMap<usize, usize>,
}

impl PairedTally {
    /// Counts a game of this pair by its half points. Returns those of both games once the pair is complete.
    pub fn add(&mut self, pair: usize, half_points: usize) -> Option<usize> {
        self.tally.add_game(half_points);
        let Some(half) = self.halves.remove(&pair) else {
            self.halves.insert(pair, half_points);
            return None;
        };
        self.tally.add_pair(half + half_points);
        Some(half + half_points)
    }

    /// The results so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.tally
    }
}

/// A difference in strength with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.1} [{:+.1}, {:+.1}]", self.value, self.low, self.high)
    }
}

/// Number, mean and variance of results that are worth 0 to 1 in equal steps.
#[must_use]
pub fn moments(counts: &[u64]) -> (f64, f64, f64) {
    let total: f64 = counts.iter().map(|&count| count as f64).sum();
    if total == 0.0 {
        return (0.0, 0.5, 0.0);
    }
    let worth = |n: usize| n as f64 / (counts.len() - 1) as f64;
    let expectation = |value: &dyn Fn(f64) -> f64| {
        counts.iter().enumerate().map(|(n, &count)| count as f64 / total * value(worth(n))).sum::<f64>()
    };
    let mean = expectation(&|worth| worth);
    (total, mean, expectation(&|worth| (worth - mean).powi(2)))
}

/// The difference in strength at which this score is expected.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score expected at this difference in strength.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo * LN_10 / 400.0).exp())
}

/// The standard normal distribution function.
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / SQRT_2)
}

/// The complementary error function: by its power series near 0 and its continued fraction elsewhere.
/// Accurate to about twelve digits.
fn erfc(x: f64) -> f64 {
    const NEAR: f64 = 2.5;
    const TERMS: u32 = 100;
    let positive = x.abs();
    let tail = if positive < NEAR {
        let mut term = positive;
        let mut sum = positive;
        for n in 1..TERMS {
            term *= -positive * positive / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        1.0 - 2.0 / std::f64::consts::PI.sqrt() * sum
    } else {
        let fraction = (1..TERMS).rev().fold(0.0, |rest, n| f64::from(n) / 2.0 / (positive + rest));
        (-positive * positive).exp() / std::f64::consts::PI.sqrt() / (positive + fraction)
    };
    if x < 0.0 { 2.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn the_normal_distribution_is_that_of_tables() {
        near(normal_cdf(0.0), 0.5, 1e-15);
        near(normal_cdf(1.0), 0.841_344_746_068_543, 1e-12);
        near(normal_cdf(-1.96), 0.024_997_895_148_220, 1e-12);
        near(normal_cdf(4.0), 0.999_968_328_758_167, 1e-12);
        near(normal_cdf(Z95), 0.975, 1e-12);
    }

    #[test]
    fn elo_and_score_lead_back() {
        near(elo_of_score(0.75), 190.848_501_887_865, 1e-9);
        near(score_of_elo(400.0), 10.0 / 11.0, 1e-12);
        for elo in [-300.0, 0.0, 5.0] {
            near(elo_of_score(score_of_elo(elo)), elo, 1e-9);
        }
        assert_eq!(elo_of_score(1.0), f64::INFINITY);
        assert_eq!(elo_of_score(0.0), f64::NEG_INFINITY);
    }

    /// By hand: 60 wins, 20 draws, 20 losses of 100. The score is 0.7, the variance of a game
    /// 0.6 * 0.09 + 0.2 * 0.04 + 0.2 * 0.49 = 0.16, the error sqrt(0.16 / 100) = 0.04.
    #[test]
    fn single_games() {
        let tally = Tally { wins: 60, draws: 20, losses: 20, pentanomial: [0; 5] };
        near(tally.score(), 0.7, 1e-12);
        near(tally.score_error().unwrap(), 0.04, 1e-12);
        let elo = tally.elo();
        near(elo.value, 147.190_714, 1e-5);
        near(elo.low, elo_of_score(0.7 - 0.04 * Z95), 1e-9);
        near(tally.los(), normal_cdf(5.0), 1e-12);
    }

    /// By hand: pairs worth 0, 1/4, 1/2, 3/4, 1 counted 1, 2, 4, 2, 1. The mean is 1/2, the variance
    /// (2 * 1/4 + 4 * 1/16) / 10 = 0.075, the error sqrt(0.075 / 10).
    #[test]
    fn pairs_of_games() {
        let tally = Tally { wins: 8, draws: 4, losses: 8, pentanomial: [1, 2, 4, 2, 1] };
        let (count, mean, variance) = moments(&tally.pentanomial);
        assert_eq!(count, 10.0);
        near(mean, 0.5, 1e-12);
        near(variance, 0.075, 1e-12);
        near(tally.score_error().unwrap(), 0.0075_f64.sqrt(), 1e-12);
        near(tally.los(), 0.5, 1e-12);
    }

    #[test]
    fn pairs_that_end_alike_leave_the_single_games() {
        let tally = Tally { wins: 16, draws: 0, losses: 16, pentanomial: [0, 0, 16, 0, 0] };
        near(tally.score_error().unwrap(), (0.25_f64 / 32.0).sqrt(), 1e-12);
    }

    #[test]
    fn the_opponent_sees_the_opposite() {
        let tally = Tally { wins: 9, draws: 2, losses: 5, pentanomial: [0, 1, 3, 3, 1] };
        near(tally.elo().value, -tally.reversed().elo().value, 1e-9);
        near(tally.los(), 1.0 - tally.reversed().los(), 1e-12);
    }

    #[test]
    fn few_games_say_little() {
        assert_eq!(Tally::default().elo().value, 0.0);
        assert_eq!(Tally::default().elo().high, f64::INFINITY);
        let won = Tally { wins: 3, ..Tally::default() };
        assert_eq!((won.elo().value, won.elo().high), (f64::INFINITY, f64::INFINITY));
        // By hand: the score to the power of 4 is 0.025.
        near(won.elo().low, elo_of_score(0.025_f64.sqrt().sqrt()), 1e-9);
        near(won.reversed().elo().high, -won.elo().low, 1e-9);
    }

    /// By hand: after w wins and l losses, the density of the share of wins is that of p^w (1 - p)^l. Above one half it
    /// has the share 1 - 1/2^(w + 1) without a loss; after 2 wins and 1 loss it is 12 (p^3/3 - p^4/4) = 11/16.
    #[test]
    fn few_games_leave_doubts() {
        let los = |wins, draws, losses| Tally { wins, draws, losses, pentanomial: [0; 5] }.los();
        for (found, by_hand) in [
            (los(0, 0, 0), 0.5),
            (los(0, 9, 0), 0.5),
            (los(0, 0, 1), 0.25),
            (los(4, 0, 0), 31.0 / 32.0),
            (los(2, 3, 1), 11.0 / 16.0),
            (los(1, 0, 2), 5.0 / 16.0),
            (los(2000, 0, 0), 1.0),
            (los(0, 500, 0), 0.5),
        ] {
            near(found, by_hand, 1e-12);
        }
        // Where the estimates meet they nearly agree.
        near(los(6, 0, 4), normal_cdf(0.1 / 0.024_f64.sqrt()), 1e-9);
        near(los(6, 0, 3), 1.0 - 176.0 / 1024.0, 1e-9);
    }
}
