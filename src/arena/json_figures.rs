//! Results as JSON, for scripts: the same figures for a match and for a job.

use serde_json::{Value, json};

use super::sprt::{Sprt, SprtVerdict};
use super::stats::Tally;

/// The results of two engines, from the view of the first. Infinite values are `null`.
pub(crate) fn encounter(engines: [&str; 2], tally: &Tally) -> Value {
    let Tally { wins, draws, losses, pentanomial } = tally;
    let elo = tally.elo();
    json!({
        "engines": engines,
        "wins": wins, "draws": draws, "losses": losses, "pentanomial": pentanomial,
        "score": tally.score(), "elo": elo.value, "elo_low": elo.low, "elo_high": elo.high, "los": tally.los(),
    })
}

/// A sequential test with its verdict and the results that it is based on.
pub(crate) fn sprt(sprt: Sprt, verdict: SprtVerdict, tally: &Tally) -> Value {
    json!({
        "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta,
        "llr": sprt.llr(tally), "bounds": sprt.bounds(), "verdict": verdict, "words": sprt.describe(verdict),
    })
}
