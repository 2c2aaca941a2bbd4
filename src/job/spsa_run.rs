//! What a file with the progress of SPSA says about the run that it belongs to. Without this, values that other games
//! have moved would go on as if nothing had happened.

use serde::{Deserialize, Serialize};

use super::build::Build;
use super::recipe::RecipeFile;

/// A run of SPSA, apart from its length: a run may be made longer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaRun {
    /// How the games are played.
    pub recipe: RecipeFile,
    /// The seed of the openings and the perturbations.
    pub seed: u64,
    /// The parameters that may move; all if empty.
    pub names: Vec<String>,
    /// The build that plays.
    pub build: Build,
}

#[cfg(feature = "tunable")]
impl SpsaRun {
    /// The first difference because of which one run cannot go on with the values of the other.
    #[must_use]
    pub fn difference(&self, other: &SpsaRun) -> Option<&'static str> {
        let SpsaRun { recipe, seed, names, build } = self;
        let sorted = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort();
            names
        };
        let differences = [
            (*recipe != other.recipe, "the rules, boards, nodes or openings of its games"),
            (*seed != other.seed, "the seed"),
            (sorted(names) != sorted(&other.names), "the parameters that are tuned"),
            (*build != other.build, "the build"),
        ];
        differences.into_iter().find(|&(differs, _)| differs).map(|(_, what)| what)
    }
}
