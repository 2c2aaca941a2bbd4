//! Extracts search information from engine messages, as far as free text allows.
//!
//! No standard exists, so this looks for the words that engines use: `Depth 12-20 | Eval 35 | Node 12K`,
//! `depth=12 score=+M5`, `INFO EVAL 35`.

use super::player::Thinking;
use crate::eval::score::win_in;

/// The longest forced win in plies that is accepted; the scores of longer ones are ignored.
const LONGEST_MATE: usize = 500;

/// Notes score, depth and nodes if the message names them; a later message replaces an earlier one.
pub fn note(message: &str, thinking: &mut Thinking) {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-');
    let words: Vec<&str> = message.split(|c| !is_part(c)).filter(|word| !word.is_empty()).collect();
    for pair in words.windows(2) {
        let (key, value) = (pair[0].to_ascii_lowercase(), pair[1]);
        match key.as_str() {
            "eval" | "ev" | "score" | "value" | "val" => thinking.score = score(value).or(thinking.score),
            "depth" | "dep" => thinking.depth = leading_number(value).or(thinking.depth),
            "nodes" | "node" | "totalnodes" => thinking.nodes = count(value).or(thinking.nodes),
            _ => {}
        }
    }
}

/// `35`, `-12.0`, `+M5` (win in five plies), `-M4`. A fraction is in another unit than points, such as a probability,
/// and would read as a level position.
fn score(text: &str) -> Option<i32> {
    let (negative, size) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    let size = match size.strip_prefix(['M', 'm', '#']) {
        Some(plies) => win_in(plies.parse::<usize>().ok().filter(|&plies| plies <= LONGEST_MATE)?),
        None => {
            let number: f64 = size.parse().ok()?;
            // The parser accepts "inf" and "nan" as numbers, whose fractions are no number.
            (number.fract() == 0.0).then_some(number as i32)?
        }
    };
    Some(if negative { -size } else { size })
}

/// `12` of `12-20`.
fn leading_number(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// `1234`, `12K`, `1.5M`.
fn count(text: &str) -> Option<u64> {
    let (number, scale) = match text.char_indices().last()? {
        (at, 'k' | 'K') => (&text[..at], 1e3),
        (at, 'm' | 'M') => (&text[..at], 1e6),
        (at, 'g' | 'G') => (&text[..at], 1e9),
        _ => (text, 1.0),
    };
    let number: f64 = number.parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some((number * scale) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(message: &str) -> (Option<i32>, Option<u32>, Option<u64>) {
        let mut thinking = Thinking::default();
        note(message, &mut thinking);
        (thinking.score, thinking.depth, thinking.nodes)
    }

    #[test]
    fn the_words_of_several_engines() {
        let own = "depth 12-20 eval 35 (54 %) nodes 1234567 nps 701000 time 1760 ms pv h8 i9 j10";
        assert_eq!(noted(own), (Some(35), Some(12), Some(1_234_567)));
        assert_eq!(
            noted("Speed 512K | Depth 9-21 | Eval -12 | Node 1.5M | Time 99ms"),
            (Some(-12), Some(9), Some(1_500_000))
        );
        assert_eq!(noted("eval -12.0").0, Some(-12));
        assert_eq!(noted("depth=3, score=+M5"), (Some(win_in(5)), Some(3), None));
        assert_eq!(noted("EVAL: -M4"), (Some(-win_in(4)), None, None));
        assert_eq!(noted("nodes 12k").2, Some(12_000));
        assert_eq!(noted("nodes 2G").2, Some(2_000_000_000));
    }

    #[test]
    fn other_text_says_nothing() {
        for text in [
            "",
            "eval 0.35",
            "eval -1.5 (30 %)",
            "eval inf",
            "hello",
            "eval",
            "eval good depth deep",
            "score -",
            "eval nan nodes -3",
            "ev Mé",
        ] {
            assert_eq!(noted(text), (None, None, None), "{text}");
        }
    }
}
