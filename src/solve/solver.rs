//! The entry point of the solver. It knows nothing of how wins are found.

use super::budget::{SolverControl, SolverLimits};
use super::solution::{Solution, SolverError, SolverProgress, ThreatSpace};
use super::stages;
use crate::board::Stones;
use crate::rules::{Rule, RuleSet, judge, with_rule};

/// Looks for forced wins, and proves those that it finds.
///
/// A solver is only a configuration: it holds the limits and the threat space. It can be used for any number of
/// positions, and remembers nothing from one to the next.
///
/// ```
/// use kagetsu::{Game, Rule, Size, Solver, SolverLimits, SolverVerdict, ThreatSpace};
///
/// let mut game = Game::new(Rule::Renju, Size::square(15));
/// for point in ["h8", "h9", "i9", "g7", "i7", "j8"] {
///     game.play(point.parse()?)?;
/// }
///
/// // Is there a VCF for the side to move? The table of such a search needs little memory.
/// let limits = SolverLimits { memory: 1 << 20, ..SolverLimits::default() };
/// let solution = Solver::new(limits).within(ThreatSpace::Vcf).solve(game.rule(), game.stones())?;
/// assert!(matches!(solution.verdict, SolverVerdict::NoWin(ThreatSpace::Vcf)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Solver {
    limits: SolverLimits,
    widest: ThreatSpace,
}

impl Solver {
    /// A solver that looks for a VCF first and then for a VCT, within these limits.
    #[must_use]
    pub fn new(limits: SolverLimits) -> Solver {
        Solver { limits, widest: ThreatSpace::Vct }
    }

    /// The same solver, limited to this threat space and narrower ones.
    #[must_use]
    pub fn within(self, widest: ThreatSpace) -> Solver {
        Solver { widest, ..self }
    }

    /// Looks for a forced win of the side to move, and returns when the position is settled or a limit is reached. The
    /// proof of a win has not been verified; to be certain, pass it to [`check()`](super::check()).
    ///
    /// [`Solver::start`] does the same in the background.
    ///
    /// # Errors
    /// A game that is over: [`SolverError::Decided`] and [`SolverError::Full`].
    pub fn solve(&self, rule: Rule, stones: &Stones) -> Result<Solution, SolverError> {
        ensure_open(rule, stones)?;
        Ok(self.run(rule, stones, &SolverControl::default(), &mut |_| {}))
    }

    /// The same as [`Solver::solve`], for a caller without a spare thread: `tell` receives progress reports during the
    /// search, and `control` can stop it.
    ///
    /// # Errors
    /// A game that is over: [`SolverError::Decided`] and [`SolverError::Full`].
    pub fn solve_with_progress(
        &self,
        rule: Rule,
        stones: &Stones,
        control: &SolverControl,
        tell: &mut dyn FnMut(SolverProgress),
    ) -> Result<Solution, SolverError> {
        ensure_open(rule, stones)?;
        Ok(self.run(rule, stones, control, tell))
    }

    /// Searches a position in which the game is not over.
    pub(super) fn run(
        &self,
        rule: Rule,
        stones: &Stones,
        control: &SolverControl,
        tell: &mut dyn FnMut(SolverProgress),
    ) -> Solution {
        with_rule!(rule, R => stages::search::<R>(stones, &self.limits, self.widest, control, tell))
    }
}

/// An error if the game is over.
pub(crate) fn ensure_open(rule: Rule, stones: &Stones) -> Result<(), SolverError> {
    with_rule!(rule, R => ensure_open_under::<R>(stones))
}

fn ensure_open_under<R: RuleSet>(stones: &Stones) -> Result<(), SolverError> {
    if let Some((point, _)) = judge::winning_stone::<R>(stones) {
        return Err(SolverError::Decided(point));
    }
    if stones.is_full() { Err(SolverError::Full) } else { Ok(()) }
}

#[cfg(test)]
#[path = "solver_tests.rs"]
mod tests;
