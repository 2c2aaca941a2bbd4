//! The names that other programs and people give the rules, as they stand in files.
//!
//! The openings of renju name their rule, since nothing else is played with them. "Gomoku" and its translations name
//! none: they may mean freestyle as well as standard.

use super::rule::Rule;

const RENJU: [&str; 32] = [
    "renju",
    "rendzyu",
    "rendju",
    // The Renju International Federation, after which some programs name its rule.
    "rif",
    "soosorv",
    "soosyrv",
    "taraguchi",
    "yamaguchi",
    "sakata",
    "tarannikov",
    "рэндзю",
    "рендзю",
    "рэнджу",
    "ренджу",
    "ренцзю",
    "соосырв",
    "соосорв",
    "тарагучи",
    "тарагути",
    "ямагучи",
    "ямагути",
    "саката",
    "таранников",
    "连珠",
    "連珠",
    "聯珠",
    "有禁手",
    "有禁",
    "禁手",
    "れんじゅ",
    "レンジュ",
    "렌주",
];
const STANDARD: [&str; 5] = ["standard", "стандарт", "стандартные", "标准", "標準"];
const FREESTYLE: [&str; 7] = ["freestyle", "фристайл", "свободные", "无禁手", "無禁手", "无禁", "無禁"];
/// Words beside the name of a rule that name no other.
const BESIDE: [&str; 11] = [
    "rule",
    "rules",
    "opening",
    "international",
    "gomoku",
    "правила",
    "правило",
    "по",
    "дебют",
    "классические",
    "гомоку",
];
/// The words "rule" and "gomoku" as the end of another.
const ENDS: [&str; 8] = ["规则", "規則", "ルール", "规", "룰", "五子棋", "五目並べ", "오목"];

impl Rule {
    /// The rule of this name, in one of several languages, with the word "rule" or the number of an opening beside it,
    /// or the rule with this number in the Gomocup protocol; `None` for a name that is not known or may mean several.
    ///
    /// ```
    /// use kagetsu::Rule;
    /// assert_eq!(Rule::from_spelling("RIF rules"), Some(Rule::Renju));
    /// assert_eq!(Rule::from_spelling("Рэндзю, Soosyrv-8"), Some(Rule::Renju));
    /// assert_eq!(Rule::from_spelling("Gomoku"), None);
    /// ```
    #[must_use]
    pub fn from_spelling(text: &str) -> Option<Rule> {
        let name = match text.rsplit_once(' ') {
            Some((name, last)) if ["rule", "rules"].iter().any(|word| word.eq_ignore_ascii_case(last)) => {
                name.trim_end()
            }
            _ => text,
        };
        let known = name.parse().ok().or_else(|| Rule::from_gomocup_number(name.parse().ok()?));
        known.or_else(|| rule_of_words(text))
    }
}

/// The one rule that all words name which name any.
fn rule_of_words(text: &str) -> Option<Rule> {
    let text = text.to_lowercase().replace(['õ', 'ö', 'ő'], "o");
    let mut found = None;
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
        let mut word = word;
        while let Some(shorter) = ENDS.iter().find_map(|end| word.strip_suffix(end)) {
            word = shorter;
        }
        if word.is_empty() || BESIDE.contains(&word) {
            continue;
        }
        let lists = [(Rule::Renju, &RENJU[..]), (Rule::Standard, &STANDARD), (Rule::Freestyle, &FREESTYLE)];
        let rule = lists.into_iter().find_map(|(rule, names)| names.contains(&word).then_some(rule))?;
        if found.is_some_and(|before| before != rule) {
            return None;
        }
        found = Some(rule);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_other_languages_are_known() {
        for name in [
            "Renju",
            "RENJU RULES",
            "RIF",
            "RIF 1996",
            "Soosyrv-8",
            "Soosõrv8",
            "Soosorv-8 rule",
            "Renju: Taraguchi-10",
            "Рэндзю",
            "рендзю, правила RIF",
            "РЭНДЗЮ (Соосырв-8)",
            "连珠",
            "連珠",
            "连珠规则",
            "連珠ルール",
            "有禁手",
            "Yamaguchi",
            "4",
        ] {
            assert_eq!(Rule::from_spelling(name), Some(Rule::Renju), "{name}");
        }
        for (name, rule) in [
            ("Стандарт", Rule::Standard),
            ("Standard Gomoku", Rule::Standard),
            ("标准五子棋规则", Rule::Standard),
            ("Freestyle gomoku", Rule::Freestyle),
            ("Gomoku, freestyle", Rule::Freestyle),
            ("无禁手规则", Rule::Freestyle),
            ("无禁手五子棋", Rule::Freestyle),
            ("Exact-Caro", Rule::ExactCaro),
        ] {
            assert_eq!(Rule::from_spelling(name), Some(rule), "{name}");
        }
        for name in [
            "",
            "gomoku",
            "Gomoku rules",
            "五子棋",
            "五子棋规则",
            "五目並べ",
            "renju swap2",
            "no rules",
            "standard renju",
            "Japanese",
            "规则",
        ] {
            assert_eq!(Rule::from_spelling(name), None, "{name}");
        }
    }
}
