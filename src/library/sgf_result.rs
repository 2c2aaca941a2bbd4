//! How a game in SGF ended, as people and programs write it into `RE`.

use super::entry::GameEnd;
use crate::board::Color;

/// What `RE` says of the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SaidEnd {
    /// Who won, or that nobody did; `Unknown` if it says nothing, or that the end is not known.
    Known(GameEnd),
    /// Something else.
    NotUnderstood,
}

/// Words for a draw, with blanks between them.
const DRAWS: &str = "0 = 1/2 1/2-1/2 ½ ½-½ 0.5-0.5 tie jigo remis ничья \
                     和 和棋 和局 平局 引分 引分け 引き分け 持碁 満局 满局 무승부";
/// Words for an end that is not known, or for none.
const UNKNOWN: [&str; 7] = ["", "?", "*", "-", "void", "unknown", "unfinished"];
/// Signs for the sides and for a win.
const BLACK_SIGNS: [char; 3] = ['黑', '黒', '흑'];
const WHITE_SIGNS: [char; 2] = ['白', '백'];
const WINS: [char; 4] = ['胜', '勝', '승', '+'];

/// Reads a result. Blanks and the case of letters mean nothing, and `1-0` is a win of Black, who moves first.
pub(super) fn said_end(text: &str) -> SaidEnd {
    let plain = |c: char| match c {
        '＋' => '+',
        '－' | '–' | '—' => '-',
        'ё' => 'е',
        c => c,
    };
    let said: String = text.to_lowercase().chars().filter(|c| !c.is_whitespace()).map(plain).collect();
    let end = if says_win(&said, Color::Black) {
        GameEnd::Won(Color::Black)
    } else if says_win(&said, Color::White) {
        GameEnd::Won(Color::White)
    } else if DRAWS.split(' ').any(|word| word == said) || said.starts_with("draw") {
        GameEnd::Drawn
    } else if UNKNOWN.contains(&said.as_str()) {
        GameEnd::Unknown
    } else {
        return SaidEnd::NotUnderstood;
    };
    SaidEnd::Known(end)
}

/// Whether it says that this side has won. What is said of one side and is no win, such as that it resigns, is not
/// taken for a win of the other.
fn says_win(said: &str, color: Color) -> bool {
    let (score, names, signs, other_signs): (_, _, &[char], &[char]) = match color {
        Color::Black => ("1-0", ["b", "black", "черные"], &BLACK_SIGNS, &WHITE_SIGNS),
        Color::White => ("0-1", ["w", "white", "белые"], &WHITE_SIGNS, &BLACK_SIGNS),
    };
    let wins = |rest: &str| {
        rest.is_empty() || ["+", "win", "won", "выигр", "побед"].iter().any(|begin| rest.starts_with(begin))
    };
    let is_in_letters = names.iter().any(|name| said.strip_prefix(name).is_some_and(wins));
    // As in 黑胜, 黒の勝ち and 白中盘胜, but not in 黑先白胜.
    let is_in_signs = said.starts_with(signs) && said.contains(WINS) && !said.contains(other_signs);
    said == score || is_in_letters || is_in_signs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_understood_in_many_words() {
        const BLACK: SaidEnd = SaidEnd::Known(GameEnd::Won(Color::Black));
        const WHITE: SaidEnd = SaidEnd::Known(GameEnd::Won(Color::White));
        const DRAWN: SaidEnd = SaidEnd::Known(GameEnd::Drawn);
        const UNKNOWN: SaidEnd = SaidEnd::Known(GameEnd::Unknown);
        for (end, texts) in [
            (BLACK, "B+|b+r|B +|B+ |B＋R|B|B wins|Black|黒勝|黑胜|黑勝|黒の勝ち|黑方中盘胜|흑승|1-0|1 – 0"),
            (BLACK, "Чёрные выиграли|ЧЁРНЫЕ +"),
            (WHITE, "W+T|W + resign|White wins|white won|白勝|白胜|白番勝ち|백 불계승|0-1|Белые выиграли"),
            (DRAWN, "0|Draw|draw by agreement|tie|Jigo|1/2-1/2|½-½|½|和棋|引き分け|持碁|満局|무승부|ничья"),
            (UNKNOWN, "|?|Void| ? |*"),
            (SaidEnd::NotUnderstood, "White resigns|Black loses on time|黑先白胜|黒負|blackboard|2-1|10-0"),
        ] {
            for text in texts.split('|') {
                assert_eq!(said_end(text), end, "{text}");
            }
        }
    }
}
