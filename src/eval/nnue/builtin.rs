//! The networks that this build plays with.

use std::sync::{Arc, OnceLock};

use super::network::Network;
use super::transformer::FeatureTransformer;
use super::weights::NnueWeights;
use crate::rules::{Rule, RuleSet};

/// By [`Rule::index`].
type Networks = [Option<Network>; Rule::ALL.len()];

static IN_USE: OnceLock<Networks> = OnceLock::new();

fn networks(weights: &NnueWeights) -> Networks {
    let transformer = Arc::new(FeatureTransformer::new(&weights.features));
    weights.heads.each_ref().map(|heads| Network::new(&transformer, heads))
}

/// Plays with these weights instead of the embedded ones.
///
/// # Errors
/// If the embedded weights are already in use.
#[cfg(feature = "tunable")]
pub fn replace(weights: &NnueWeights) -> Result<(), &'static str> {
    IN_USE.set(networks(weights)).map_err(|_| "the networks are in use already")
}

/// The network to play with under the rule, if there is one.
#[must_use]
pub(crate) fn of<R: RuleSet>() -> Option<&'static Network> {
    IN_USE.get_or_init(|| networks(&NnueWeights::builtin()))[R::RULE.index()].as_ref()
}
