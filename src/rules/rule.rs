//! The variants as values, for code that learns only at run time which one is played.

use std::fmt;
use std::str::FromStr;

/// A variant of the game, known only at run time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Five or more in a row win.
    #[default]
    Freestyle,
    /// Exactly five in a row win.
    Standard,
    /// Exactly five for Black, who has forbidden points; five or more for White.
    Renju,
    /// Six or more in a row win; five win unless they are closed at both ends.
    Caro,
    /// Exactly five in a row win unless they are closed at both ends.
    ExactCaro,
}

impl Rule {
    /// Every variant.
    pub const ALL: [Rule; 5] = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::ExactCaro];

    /// The index in [`Rule::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The variant's name in lower case, which [`Rule::from_str`] reads.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
            Rule::Caro => "caro",
            Rule::ExactCaro => "exact-caro",
        }
    }

    /// The variant's number in the Gomocup protocol (`INFO rule`).
    #[must_use]
    pub const fn gomocup_number(self) -> u8 {
        match self {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 4,
            Rule::Caro => 8,
            Rule::ExactCaro => 9,
        }
    }

    /// The variant that a manager selects with `INFO rule`: a sum of 1 (exactly five), 2 (continuous
    /// game, which changes nothing for a single move), 4 (renju) and 8 (caro). Renju takes precedence
    /// over the others.
    ///
    /// `None` for numbers with other bits.
    #[must_use]
    pub const fn from_gomocup_number(number: i64) -> Option<Rule> {
        const EXACT: i64 = 1;
        const CONTINUOUS: i64 = 2;
        const RENJU: i64 = 4;
        const CARO: i64 = 8;
        if number & !(EXACT | CONTINUOUS | RENJU | CARO) != 0 {
            return None;
        }
        Some(match (number & RENJU != 0, number & CARO != 0, number & EXACT != 0) {
            (true, _, _) => Rule::Renju,
            (false, true, false) => Rule::Caro,
            (false, true, true) => Rule::ExactCaro,
            (false, false, true) => Rule::Standard,
            (false, false, false) => Rule::Freestyle,
        })
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that belongs to no [`Rule`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule(pub String);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Rule::ALL.map(Rule::name).join(", ");
        write!(f, "`{}` is not a rule; the rules are {names}", self.0)
    }
}

impl std::error::Error for UnknownRule {}

/// Reads the name that `Display` writes, ignoring case.
///
/// ```
/// use kagetsu::rules::Rule;
/// assert_eq!("Exact-Caro".parse(), Ok(Rule::ExactCaro));
/// assert_eq!(Rule::ExactCaro.to_string(), "exact-caro");
/// assert!("gobang".parse::<Rule>().unwrap_err().to_string().contains("freestyle"));
/// ```
impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(text: &str) -> Result<Rule, UnknownRule> {
        Rule::ALL
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownRule(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_lead_back() {
        for rule in Rule::ALL {
            assert_eq!(rule.to_string().parse(), Ok(rule));
            assert_eq!(rule.name().to_uppercase().parse(), Ok(rule));
            assert_eq!(Rule::from_gomocup_number(rule.gomocup_number().into()), Some(rule));
            assert_eq!(Rule::ALL[rule.index()], rule);
        }
        let unknown = "gobang".parse::<Rule>().unwrap_err().to_string();
        assert_eq!(
            unknown,
            "`gobang` is not a rule; the rules are freestyle, standard, renju, caro, exact-caro"
        );
    }

    #[test]
    fn bits_combine() {
        assert_eq!(Rule::from_gomocup_number(2), Some(Rule::Freestyle));
        assert_eq!(Rule::from_gomocup_number(3), Some(Rule::Standard));
        assert_eq!(Rule::from_gomocup_number(5), Some(Rule::Renju));
        assert_eq!(Rule::from_gomocup_number(10), Some(Rule::Caro));
        for unknown in [16, -1, 32, i64::MAX, i64::MIN] {
            assert_eq!(Rule::from_gomocup_number(unknown), None);
        }
    }
}
