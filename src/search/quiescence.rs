//! The [quiescence search](https://www.chessprogramming.org/Quiescence_Search), which takes over when no depth is left.
//!
//! Where a chess program searches captures, this search looks for a VCF: fours are what can turn a position around
//! faster than the evaluation can see.

use super::params::{QUIESCENCE_VCF_FOURS, QUIESCENCE_VCF_NODES};
use super::table::{Bound, Entry};
use super::vcf::VcfLimits;
use super::worker::{Interrupted, Worker};
use crate::eval::Evaluator;
use crate::eval::score::{self, Score};
use crate::rules::RuleSet;

impl<R: RuleSet, E: Evaluator<R>> Worker<'_, R, E> {
    /// The score of a position at which no depth is left: that of a VCF, or the evaluation. No VCF is looked for if the
    /// evaluation already reaches beta. `known` is the table entry of the position, which the threat counts must not
    /// have settled.
    pub(super) fn quiescence(&mut self, known: Option<Entry>, beta: Score) -> Result<Score, Interrupted> {
        if let Some(entry) = known
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && entry.score >= beta
        {
            return Ok(entry.score);
        }
        let eval = known.and_then(|entry| entry.eval).unwrap_or_else(|| {
            let eval = self.evaluator.evaluate(&self.position);
            // Another line may lead here, and the next iteration will.
            self.shared.table.store(self.key(), self.ply, Entry { eval: Some(eval), ..Entry::default() });
            eval
        });
        let eval = self.corrected(eval);
        if eval >= beta {
            return Ok(eval);
        }
        let limits = VcfLimits::local(QUIESCENCE_VCF_FOURS, self.nodes + QUIESCENCE_VCF_NODES);
        let win = self.search_vcf(limits)?;
        Ok(win.map_or(eval, |win| score::win_in(self.ply + win.plies)))
    }
}
