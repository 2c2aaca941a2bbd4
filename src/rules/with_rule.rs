//! Converts a [`Rule`](super::Rule), known at run time, to the [`RuleSet`](super::RuleSet) type that stands for it.

/// Evaluates `$body` with `$ruleset` as the type that stands for the run-time `$rule`.
#[macro_export]
macro_rules! with_rule {
    ($rule:expr, $ruleset:ident => $body:expr) => {
        match $rule {
            $crate::rules::Rule::Freestyle => {
                type $ruleset = $crate::rules::Freestyle;
                $body
            }
            $crate::rules::Rule::Standard => {
                type $ruleset = $crate::rules::Standard;
                $body
            }
            $crate::rules::Rule::Renju => {
                type $ruleset = $crate::rules::Renju;
                $body
            }
            $crate::rules::Rule::Caro => {
                type $ruleset = $crate::rules::Caro;
                $body
            }
            $crate::rules::Rule::ExactCaro => {
                type $ruleset = $crate::rules::ExactCaro;
                $body
            }
        }
    };
}
