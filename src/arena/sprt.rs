//! The sequential probability ratio test: stops a match as soon as its result is clear.
//!
//! The log-likelihood ratio compares the maximum likelihood of the results at a strength of `elo1` with that at `elo0`
//! (generalised SPRT), over pairs of games. This is the method of Michel Van den Bergh, in logistic Elo, as fishtest
//! used it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::stats::{Tally, score_of_elo};

/// Results that never occurred count as this many, so that logarithms exist (fishtest's choice).
const PRIOR: f64 = 1e-3;
/// Default error rates.
const DEFAULT_ERROR: f64 = 0.05;
/// The largest difference that can be tested, in Elo. Far beyond it, expected scores round to 0 or 1, for which there
/// is no log-likelihood ratio.
const MOST_ELO: f64 = 1000.0;

/// A test of "at least `elo1` stronger" against "at most `elo0` stronger".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// In logistic Elo.
    pub elo0: f64,
    /// In logistic Elo.
    pub elo1: f64,
    /// How often a change worth `elo0` passes.
    pub alpha: f64,
    /// How often a change worth `elo1` fails.
    pub beta: f64,
}

/// The verdict on the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtVerdict {
    /// At least `elo1`.
    Passed,
    /// At most `elo0`.
    Failed,
    /// More games are needed.
    Open,
}

impl SprtVerdict {
    /// The verdict after more games. The first one that ends the test stands: games that were under way then are still
    /// counted, and cannot undo it.
    #[must_use]
    pub fn then(self, later: SprtVerdict) -> SprtVerdict {
        if self == SprtVerdict::Open { later } else { self }
    }
}

impl Sprt {
    /// The log-likelihood ratios at which the test fails and passes.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of complete pairs.
    #[must_use]
    pub fn llr(&self, tally: &Tally) -> f64 {
        llr(self.elo0, self.elo1, &tally.pentanomial)
    }

    /// The verdict on the complete pairs.
    #[must_use]
    pub fn verdict(&self, tally: &Tally) -> SprtVerdict {
        let (low, high) = self.bounds();
        match self.llr(tally) {
            llr if llr >= high => SprtVerdict::Passed,
            llr if llr <= low => SprtVerdict::Failed,
            _ => SprtVerdict::Open,
        }
    }

    /// The verdict in words: `gain` and `no gain`, or `no loss` and `loss` where `elo0` is negative.
    #[must_use]
    pub fn describe(&self, verdict: SprtVerdict) -> &'static str {
        match (verdict, self.elo0 < 0.0) {
            (SprtVerdict::Passed, false) => "gain",
            (SprtVerdict::Failed, false) => "no gain",
            (SprtVerdict::Passed, true) => "no loss",
            (SprtVerdict::Failed, true) => "loss",
            (SprtVerdict::Open, _) => "undecided",
        }
    }
}

/// The log-likelihood ratio of results that are worth 0 to 1 in equal steps: three counts for single games (loss, draw,
/// win), five for pairs. 0 if there are no results.
#[must_use]
pub fn llr(elo0: f64, elo1: f64, counts: &[u64]) -> f64 {
    if counts.iter().all(|&count| count == 0) {
        return 0.0;
    }
    let counts: Vec<f64> = counts.iter().map(|&count| (count as f64).max(PRIOR)).collect();
    let total: f64 = counts.iter().sum();
    let results: Vec<(f64, f64)> = counts
        .iter()
        .enumerate()
        .map(|(n, count)| (n as f64 / (counts.len() - 1) as f64, count / total))
        .collect();
    let likely = |elo| with_mean(&results, score_of_elo(elo));
    let ratio = likely(elo1).into_iter().zip(likely(elo0)).zip(&results);
    total * ratio.map(|((one, zero), (_, share))| share * (one / zero).ln()).sum::<f64>()
}

/// The maximum-likelihood probabilities of the results (worth, share) under the constraint that they have this mean.
///
/// By Lagrange multipliers they are `share / (1 + x (worth - mean))` for the `x` at which the mean is right. The
/// condition decreases in `x` between the two poles, so bisection finds it.
fn with_mean(results: &[(f64, f64)], mean: f64) -> Vec<f64> {
    const HALVINGS: usize = 200;
    let worst = results.iter().map(|&(worth, _)| worth - mean).fold(f64::INFINITY, f64::min);
    let best = results.iter().map(|&(worth, _)| worth - mean).fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / best, -1.0 / worst);
    let condition = |x: f64| -> f64 {
        results.iter().map(|&(worth, share)| share * (worth - mean) / (1.0 + x * (worth - mean))).sum()
    };
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if condition(middle) > 0.0 { low = middle } else { high = middle }
    }
    let x = (low + high) / 2.0;
    results.iter().map(|&(worth, share)| share / (1.0 + x * (worth - mean))).collect()
}

/// `elo0,elo1` or `elo0,elo1,alpha,beta`.
impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Sprt, String> {
        let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
        let sprt = match numbers.as_deref() {
            Ok(&[elo0, elo1]) => Sprt { elo0, elo1, alpha: DEFAULT_ERROR, beta: DEFAULT_ERROR },
            Ok(&[elo0, elo1, alpha, beta]) => Sprt { elo0, elo1, alpha, beta },
            _ => return Err("expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA".to_owned()),
        };
        if [sprt.elo0, sprt.elo1].iter().any(|elo| !(-MOST_ELO..=MOST_ELO).contains(elo)) {
            return Err(format!("elo0 and elo1 lie between -{MOST_ELO} and {MOST_ELO}"));
        }
        if sprt.elo0 >= sprt.elo1 {
            return Err("elo0 must be below elo1".to_owned());
        }
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if !is_rate(sprt.alpha) || !is_rate(sprt.beta) {
            return Err("error rates lie between 0 and 0.5".to_owned());
        }
        Ok(sprt)
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.elo0, self.elo1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    fn of_pairs(pentanomial: [u64; 5]) -> Tally {
        Tally { pentanomial, ..Tally::default() }
    }

    /// The figures that fastchess publishes in its tests for its logistic model.
    #[test]
    fn published_ratios() {
        near(llr(0.5, 2.5, &[223, 9863, 20279 + 1000, 10037, 246]), -3.07, 0.01);
        near(llr(0.0, 2.0, &[57030, 106_593, 57433]), -2.59, 0.01);
    }

    /// With two outcomes the maximum-likelihood probabilities are the scores themselves, so the ratio of 30 wins and 10
    /// losses is 30 ln(s1/s0) + 10 ln((1-s1)/(1-s0)).
    #[test]
    fn two_outcomes_by_hand() {
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(100.0));
        let by_hand = 30.0 * (s1 / s0).ln() + 10.0 * ((1.0 - s1) / (1.0 - s0)).ln();
        near(llr(0.0, 100.0, &[10, 30]), by_hand, 1e-9);
    }

    /// Error rates of 5 % and 5 % give ln 19.
    #[test]
    fn bounds() {
        let sprt: Sprt = "0,10".parse().unwrap();
        near(sprt.bounds().1, 19_f64.ln(), 1e-12);
        near(sprt.bounds().0, -(19_f64.ln()), 1e-12);
        assert_eq!(sprt.verdict(&of_pairs([0; 5])), SprtVerdict::Open);
        assert_eq!(sprt.verdict(&of_pairs([10, 40, 100, 80, 70])), SprtVerdict::Passed);
        assert_eq!(sprt.verdict(&of_pairs([70, 80, 100, 40, 10])), SprtVerdict::Failed);
        assert_eq!(sprt.describe(SprtVerdict::Failed), "no gain");
    }

    #[test]
    fn the_opponent_sees_the_opposite() {
        near(llr(-5.0, 5.0, &[3, 10, 20, 14, 6]), -llr(-5.0, 5.0, &[6, 14, 20, 10, 3]), 1e-9);
    }

    #[test]
    fn extremes_are_finite() {
        for pairs in [[1, 0, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 5000, 0, 0], [0, 0, 0, 0, 5000]] {
            assert!(llr(0.0, 5.0, &pairs).is_finite());
        }
    }

    #[test]
    fn mistakes_are_told() {
        for text in ["", "5", "5,0", "0,5,0.05", "0,5,0.6,0.05", "0,x", "nan,1", "0,inf", "0,1001", "-1001,0"]
        {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
        let widest: Sprt = "-1000,1000".parse().unwrap();
        for pairs in [[5, 0, 0, 0, 0], [0, 0, 0, 0, 5], [0, 1000, 0, 0, 0]] {
            assert!(widest.llr(&of_pairs(pairs)).is_finite(), "{pairs:?}");
        }
    }
}
