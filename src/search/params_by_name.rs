//! Sets the [parameters](super::params) of the search by name while the program runs.

pub(crate) use super::params::{Parameter, TUNABLE};

use super::param_overrides;

/// Former names of parameters, from before they took the names usual in chess programming: the old name and the new.
const ALIASES: [(&str, &str); 17] = [
    ("futility_depth", "rfp_depth"),
    ("futility_per_ply", "rfp_per_ply"),
    ("move_count_base", "lmp_base"),
    ("move_count_factor", "lmp_factor"),
    ("move_count_important", "lmp_important"),
    ("reduction_from", "lmr_depth"),
    ("reduction_factor", "lmr_factor"),
    ("reduction_not_improving", "lmr_not_improving"),
    ("reduction_cut_node", "lmr_cut_node"),
    ("reduction_trivial", "lmr_trivial"),
    ("reduction_important", "lmr_important"),
    ("reduction_pv", "lmr_pv"),
    ("reduction_history", "lmr_history"),
    ("no_table_move_reduction", "iir_reduction"),
    ("no_table_move_depth", "iir_depth"),
    ("history_per_promise", "history_per_ordering_point"),
    ("counter_move_promise", "counter_move_bonus"),
];

/// The index in [`TUNABLE`] of the parameter with this name or former name.
#[must_use]
pub(crate) fn index_of(name: &str) -> Option<usize> {
    let alias = ALIASES.into_iter().find(|(old, _)| *old == name);
    let name = alias.map_or(name, |(_, new)| new);
    TUNABLE.iter().position(|parameter| parameter.name == name)
}

/// Sets a parameter, given by its name or former name, for this thread and for threads that start from now on.
///
/// # Errors
/// If there is no such parameter.
pub(crate) fn set_default(name: &str, value: i32) -> Result<(), String> {
    let index = index_of(name).ok_or_else(|| format!("there is no parameter {name}"))?;
    param_overrides::set_default(index, value);
    Ok(())
}

/// Sets the values of all parameters for this thread, in the order of [`TUNABLE`].
///
/// # Panics
/// If there are more or fewer values than parameters.
pub(crate) fn set_for_this_thread(all: &[i32]) {
    assert_eq!(all.len(), TUNABLE.len(), "a value for each parameter");
    all.iter().enumerate().for_each(|(index, &value)| param_overrides::set(index, value));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_names_still_name_parameters() {
        for (old, new) in ALIASES {
            assert_eq!(index_of(old), index_of(new));
            assert_eq!(index_of(old).map(|n| TUNABLE[n].name), Some(new));
        }
        assert_eq!(index_of("no_such"), None);
    }
}
