//! What a score says about strength: Elo and its error, the likelihood of superiority (LOS), and the pentanomial
//! model of games that are played in pairs.

use std::collections::BTreeMap;
use std::f64::consts::{LN_10, SQRT_2};
use std::fmt;

/// Half the width of a 95 % confidence interval, in standard deviations of the normal distribution.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// Wins, draws and losses of one engine, and the same by pairs of games with the same opening and swapped
/// colours.
///
/// The two games of a pair share the advantage that the opening gives, so their scores are not independent. Errors are
/// therefore estimated over pairs (the pentanomial model) as soon as there are enough of them.
///
/// Few results, or results that are all alike, do not say how much results scatter. So errors are estimated as if one
/// more game had been won and one more lost; otherwise results that are all alike would leave no doubt. Of 100
/// intervals of 2 to 30 pairs at most 7 then miss the true strength if a third of the games of equal engines is drawn,
/// for engines up to 400 Elo apart and openings that are worth up to as much to one colour. Without draws, the results
/// of few pairs are coarse, and up to 16 miss it; from 10 pairs on up to 11, from 20 on up to 8.
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

    /// The standard error of [`Tally::score`].
    ///
    /// It is estimated from pairs if at least nine tenths of the games belong to complete pairs, with the remaining
    /// games as single ones, and otherwise from single games alone.
    #[must_use]
    pub fn score_error(&self) -> f64 {
        self.estimate().1
    }

    /// Mean and standard deviation of the score after one more game was won and one was lost: those of the posterior
    /// distribution if these games are its prior.
    fn estimate(&self) -> (f64, f64) {
        let (games, mean, variance) =
            moments(&[self.losses as f64 + 1.0, self.draws as f64, self.wins as f64 + 1.0]);
        let paired = 2 * self.pentanomial.iter().sum::<u64>();
        if 10 * paired < 9 * self.games() {
            return (mean, (variance / (games + 1.0)).sqrt());
        }
        // Half a pair of two won games, and half a pair of two lost ones.
        let [zero, half, one, three_halves, two] = self.pentanomial.map(|count| count as f64);
        let (pairs, _, variance_of_pair) = moments(&[zero + 0.5, half, one, three_halves, two + 0.5]);
        let unpaired = games - 2.0 * pairs;
        // The variances of the sums of both, as shares of all games.
        let of_pairs = (2.0 * pairs).powi(2) * variance_of_pair / (pairs + 1.0);
        (mean, (of_pairs + unpaired * variance).sqrt() / games)
    }

    /// Elo of the score with the bounds of its 95 % interval; infinite where the score is 0 or 1.
    #[must_use]
    pub fn elo(&self) -> Elo {
        let (mean, deviation) = self.estimate();
        let bound = |deviations: f64| elo_of_score((mean + deviations * deviation).clamp(0.0, 1.0));
        Elo { value: elo_of_score(self.score()), low: bound(-Z95), high: bound(Z95) }
    }

    /// The likelihood of superiority (LOS): the probability that the engine is the stronger one, 0 to 1. It is above
    /// 97.5 % exactly if the 95 % interval of [`Tally::elo`] lies above 0.
    #[must_use]
    pub fn los(&self) -> f64 {
        let (mean, deviation) = self.estimate();
        normal_cdf((mean - 0.5) / deviation)
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
fn moments(counts: &[f64]) -> (f64, f64, f64) {
    let total: f64 = counts.iter().sum();
    let worth = |n: usize| n as f64 / (counts.len() - 1) as f64;
    let expectation = |value: &dyn Fn(f64) -> f64| {
        counts.iter().enumerate().map(|(n, &count)| count / total * value(worth(n))).sum::<f64>()
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

    /// By hand: 60 wins, 20 draws, 20 losses, and one win and one loss more. The mean is 71 of 102 points, the variance
    /// of a game (61 + 20/4) / 102 - mean^2.
    #[test]
    fn single_games() {
        let tally = Tally { wins: 60, draws: 20, losses: 20, pentanomial: [0; 5] };
        near(tally.score(), 0.7, 1e-12);
        let mean: f64 = 71.0 / 102.0;
        let error = ((66.0 / 102.0 - mean.powi(2)) / 103.0).sqrt();
        near(tally.score_error(), error, 1e-12);
        near(error, 0.04, 1e-3);
        let elo = tally.elo();
        near(elo.value, 147.190_714, 1e-5);
        near(elo.low, elo_of_score(mean - error * Z95), 1e-9);
        near(tally.los(), normal_cdf((mean - 0.5) / error), 1e-12);
    }

    /// By hand: pairs worth 0, 1/4, 1/2, 3/4, 1 counted 1, 2, 4, 2, 1, and one half more at each end. The mean is 1/2,
    /// the variance (3 * 1/4 + 4 * 1/16) / 11 = 1/11, the error sqrt(1 / 11 / 12).
    #[test]
    fn pairs_of_games() {
        let tally = Tally { wins: 8, draws: 4, losses: 8, pentanomial: [1, 2, 4, 2, 1] };
        near(tally.score_error(), (1.0_f64 / 132.0).sqrt(), 1e-12);
        near(tally.los(), 0.5, 1e-12);
    }

    /// By hand: nine drawn pairs and the two half pairs have the variance 1/40, so the sum of their 20 games has the
    /// variance 20^2 / 40 / 11 = 10/11. To this come two games with the variance of all 22: 3 won, 18 drawn, 1 lost.
    #[test]
    fn games_without_the_other_of_their_pair_count_by_themselves() {
        let tally = Tally { wins: 2, draws: 18, losses: 0, pentanomial: [0, 0, 9, 0, 0] };
        let mean: f64 = 12.0 / 22.0;
        let variance = (3.0 + 18.0 / 4.0) / 22.0 - mean.powi(2);
        near(tally.score_error(), (10.0_f64 / 11.0 + 2.0 * variance).sqrt() / 22.0, 1e-12);
        let (elo, los) = (tally.elo(), tally.los());
        near(los, normal_cdf((mean - 0.5) / tally.score_error()), 1e-12);
        assert!(elo.low < elo.value && elo.value < elo.high, "{elo}");
        // The drawn pairs alone would leave no doubt.
        let many = Tally { wins: 22, draws: 200, losses: 0, pentanomial: [0, 0, 100, 0, 0] };
        let elo = many.elo();
        assert!(elo.low < elo.value && elo.value < elo.high && many.los() > 0.97, "{elo}");
    }

    /// By hand: pairs that were all drawn, and one more with the variance 1/4. The interval becomes narrower with their
    /// number, but never says that nothing else can happen.
    #[test]
    fn results_that_are_all_alike_leave_doubts() {
        for pairs in [3_u64, 16, 1000] {
            let drawn = Tally { draws: 2 * pairs, pentanomial: [0, 0, pairs, 0, 0], ..Tally::default() };
            let count = pairs as f64 + 1.0;
            near(drawn.score_error(), (0.25 / count / (count + 1.0)).sqrt(), 1e-12);
            near(drawn.los(), 0.5, 1e-12);
            assert!(drawn.elo().high.is_finite() && drawn.elo().low < 0.0, "{}", drawn.elo());
        }
    }

    #[test]
    fn the_opponent_sees_the_opposite() {
        let tally = Tally { wins: 9, draws: 2, losses: 5, pentanomial: [0, 1, 3, 3, 1] };
        near(tally.elo().value, -tally.reversed().elo().value, 1e-9);
        near(tally.los(), 1.0 - tally.reversed().los(), 1e-12);
    }

    #[test]
    fn few_games_say_little() {
        assert_eq!((Tally::default().elo().value, Tally::default().los()), (0.0, 0.5));
        assert_eq!(Tally::default().elo().high, f64::INFINITY);
        for games in 1..100 {
            let won = Tally { wins: games, ..Tally::default() };
            assert_eq!((won.elo().value, won.elo().high), (f64::INFINITY, f64::INFINITY));
            near(won.reversed().elo().high, -won.elo().low, 1e-9);
        }
        // By hand: after a lost game and the two games that are added, the mean is 1/3, the error sqrt(2 / 9 / 4). A
        // uniform prior gives 1/4 and, after four won games, 31/32.
        let lost = Tally { losses: 1, ..Tally::default() };
        near(lost.los(), normal_cdf(-0.5_f64.sqrt()), 1e-12);
        near(lost.los(), 0.25, 0.02);
        near(Tally { wins: 4, ..Tally::default() }.los(), 31.0 / 32.0, 0.03);
    }

    /// The interval and the likelihood of superiority tell the same.
    #[test]
    fn an_interval_above_zero_is_a_likely_superiority() {
        for (wins, draws, losses) in
            (0..12).flat_map(|w| (0..12).flat_map(move |d| (0..12).map(move |l| (w, d, l))))
        {
            let single = Tally { wins, draws, losses, pentanomial: [0; 5] };
            let mut paired = single;
            paired.add(&Tally { pentanomial: [losses, 0, draws, 0, wins], ..single });
            // As many games without the other one of their pair as there may be, all won.
            let with_rest = Tally { wins: paired.wins + (wins + draws + losses) * 2 / 9, ..paired };
            for tally in [single, paired, with_rest] {
                assert_eq!(tally.elo().low > 0.0, tally.los() > 0.975, "{tally:?}");
                assert_eq!(tally.elo().high < 0.0, tally.los() < 0.025, "{tally:?}");
                let Elo { value, low, high } = tally.elo();
                assert!((low..=high).contains(&value), "{tally:?}");
            }
        }
    }

    /// Every possible result of few pairs, with its probability: about one interval of twenty misses the true score.
    #[test]
    fn intervals_of_few_pairs_hold_the_truth() {
        for (chances, most) in [
            // Games of equal engines, of engines 100 and 200 Elo apart, and openings that decide most pairs.
            ([0.1225, 0.21, 0.335, 0.21, 0.1225], 0.07),
            ([0.05, 0.15, 0.3, 0.3, 0.2], 0.07),
            ([0.02, 0.08, 0.2, 0.35, 0.35], 0.07),
            ([0.15, 0.0, 0.7, 0.0, 0.15], 0.07),
            // Without draws: equal engines, and engines 300 Elo apart with openings worth 200 to one colour.
            ([0.25, 0.0, 0.5, 0.0, 0.25], 0.11),
            ([0.0192, 0.0, 0.3748, 0.0, 0.606], 0.16),
        ] {
            let truth: f64 =
                chances.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).map(|(p, worth)| p * worth).sum();
            for pairs in [2, 3, 5, 8, 10, 20] {
                let missed = missed(&chances, pairs, elo_of_score(truth));
                assert!(missed < most, "{pairs} pairs of {chances:?}: {missed}");
            }
        }
    }

    /// How often so many pairs give an interval without the truth.
    fn missed(chances: &[f64; 5], pairs: u64, truth: f64) -> f64 {
        let mut results = vec![([0_u64; 5], 1.0)];
        for _ in 0..pairs {
            let mut next = BTreeMap::new();
            for (counts, chance) in results {
                for (result, share) in chances.iter().enumerate() {
                    let mut counts: [u64; 5] = counts;
                    counts[result] += 1;
                    *next.entry(counts).or_insert(0.0) += chance * share;
                }
            }
            results = next.into_iter().collect();
        }
        let misses = results.into_iter().filter(|&(pentanomial, _)| {
            // Which games brought the points does not matter where pairs count.
            let half_points: u64 = (0..).zip(pentanomial).map(|(points, count)| points * count).sum();
            let (wins, draws) = (half_points / 2, half_points % 2);
            let elo = Tally { wins, draws, losses: 2 * pairs - wins - draws, pentanomial }.elo();
            !(elo.low - 1e-9..=elo.high + 1e-9).contains(&truth)
        });
        misses.map(|(_, chance)| chance).sum()
    }
}
