//! Guesses the encoding of a text that names none: old programs wrote SGF in the code page of their system.
//!
//! Each candidate decodes the text, and the one whose result looks most like words of its languages is taken. Brackets
//! count as well, since in some encodings the second byte of a character looks like one: a candidate that swallows the
//! end of a value would lose moves. `encoding.js` of the board guesses in the same way; tests of both have the same
//! texts. The crate `chardetng` 1.0, which is made for web pages, takes 4 of 24 such texts for another encoding, names
//! in GBK and Shift-JIS, and knows nothing of brackets.

use std::collections::HashSet;
use std::sync::LazyLock;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, KOI8_R, SHIFT_JIS, UTF_8};
use encoding_rs::{WINDOWS_1250, WINDOWS_1251, WINDOWS_1252};

/// The candidates. The first is taken of those that fit equally well.
const CANDIDATES: [&Encoding; 10] =
    [UTF_8, GB18030, SHIFT_JIS, BIG5, EUC_KR, EUC_JP, WINDOWS_1251, KOI8_R, WINDOWS_1252, WINDOWS_1250];
/// The most bytes that are looked at, from a little before the first that is not ASCII.
const SAMPLE: usize = 1 << 16;
const BEFORE_SAMPLE: usize = 1 << 12;
/// So many characters of UTF-8 for each error come about by chance nowhere.
const SURE: usize = 8;

/// Points for what a candidate makes of the text. A character of two bytes counts as much as two of one.
mod points {
    /// A character of UTF-8 that is not ASCII: other texts are valid by chance only.
    pub(super) const UTF_8: i64 = 6;
    /// Bytes that mean nothing.
    pub(super) const INVALID: i64 = -8;
    /// Characters that no text has.
    pub(super) const CONTROL: i64 = -6;
    /// A character that the language uses, and one that everybody uses.
    pub(super) const USUAL: i64 = 2;
    pub(super) const FREQUENT: i64 = 3;
    /// A letter of an alphabet, and one that often comes behind the one before it.
    pub(super) const LETTER: i64 = 1;
    pub(super) const PAIR: i64 = 3;
    /// A sign that belongs to no word, or a letter where none should be.
    pub(super) const ODD: i64 = -2;
    /// A capital letter behind a small one.
    pub(super) const TURNED: i64 = -3;
    /// An opening bracket within a value, or a text that ends in one: the value has lost its end.
    pub(super) const SWALLOWED: i64 = -20;
}

const FREQUENT_SIMPLIFIED: &str = "的一是不了人我在有他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天能好\
    都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进\
    把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口\
    使教西再平真听世气信北少关并王李张刘陈杨赵黄周吴徐孙胡朱林何郭马罗梁宋郑谢韩唐冯董程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾\
    丁魏薛叶阎余潘杜戴夏钟汪田任姜范石姚谭廖邹熊陆郝孔崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚伟芳娜秀英\
    敏静丽强磊军洋勇艳杰涛超霞刚玉春红梅俊诚黑白胜负棋局连珠赛禁五";
const FREQUENT_TRADITIONAL: &str = "的一是不了人我在有他這中大來上個國到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可裡後小麼\
    王李張劉陳楊趙黃周吳徐孫胡朱林何郭馬羅梁宋鄭謝韓唐馮董程曹許沈曾彭呂蘇盧蔣蔡黑白勝負棋局連珠賽禁五";
const FREQUENT_HANGUL: &str = "이김박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구나민진지엄원현준수영호은경상기동대인도재\
    석철흑승리의가는을를에다사로시자부어일해";
const FREQUENT_JAPANESE: &str = "日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高子外八六下来気小七山北先名川千水半西土木手白黒番\
    勝負連珠良村田藤井野原岡谷河早坂玉杉神牧久松林森池石橋清斎佐加近渡辺伊吉島崎浜沢福宮平竹武安江関尾義弘雄智晴光則\
    史也俊介富隆洋陽郎吾朗典彦純美嘉園希和正信幸夫明博茂樹哲健治司康浩誠寛飯角友";
/// Pairs of letters that are frequent in Russian.
const FREQUENT_PAIRS: &str = "ст но то на ен ов ни ра во ко ро по ос ер ор от ан ал пр го не ел ре ом ет де ат ла ка ав ли ло ил ин та те ес \
    ва ол ир ки ма да тр ри ть ви од ак ам ме мо об со се за ед до ем им ас ис ит ру ле аз ик ча шк ми ти ди си ии \
    ия ый ий ая ое ые ны аю ют ыв иг гр ви бе бы ьн ск ус уш хо ше ло лу вы ай ей ар тв вл ур рн нк па пе са ся сл \
    ны ож сс ср ош шк иб бк ку уб бо ок де еб бю че ем мп ек кс вр мя рг лю ви вн вс вт го гд же жи за зн ич кр мн \
    не ня оз ой ев ед ве вц др ря ье щи ще лы ых ха ух";
/// Letters with marks of Western and of Central Europe. The first list lacks some that are letters of the second there.
const WESTERN: &str = "éèêëàâäáãåçîïíóôöõúûüñæœßÉÖÜÄÅÆÇÑÀÈ’“”–";
const CENTRAL: &str = "ěščřžýáíéúůťďňóąćęłńśźżőűöüäôĚŠČŘŽÝÁÍÉÚŮŤĎŇÓŁŚŻŐŰ’“”„–";

/// The encoding in which these bytes, which are not UTF-8 throughout, were most likely written.
///
/// ```
/// use kagetsu::formats::encoding::guess;
/// assert_eq!(guess(b"(;GM[4]PB[\xBB\xA8\xD4\xC2];B[hh])").name(), "gb18030");
/// assert_eq!(guess(b"(;GM[4]PB[Ren\xE9];B[hh])").name(), "windows-1252");
/// ```
#[must_use]
pub fn guess(bytes: &[u8]) -> &'static Encoding {
    let mut count = Utf8Count::default();
    count.add(bytes);
    if count.is_utf8() { UTF_8 } else { guess_of_part(bytes, true) }
}

/// Like [`guess`], from a part of the text alone, which may be the last.
pub(crate) fn guess_of_part(bytes: &[u8], is_last: bool) -> &'static Encoding {
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let from = first.saturating_sub(BEFORE_SAMPLE);
    let sample = &bytes[from..bytes.len().min(from + SAMPLE)];
    let has_end = is_last && from + sample.len() == bytes.len();
    let mut best = (i64::MIN, WINDOWS_1252);
    for (candidate, usual) in CANDIDATES.into_iter().zip(USUAL.iter()) {
        let (text, _) = candidate.decode_without_bom_handling(sample);
        let found = words(&text, candidate, usual) + brackets(&text, has_end);
        if found > best.0 {
            best = (found, candidate);
        }
    }
    best.1
}

/// How much of a text is UTF-8 beyond ASCII, and how much is not: a single bad byte makes no other text of a long one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Utf8Count {
    characters: usize,
    errors: usize,
}

impl Utf8Count {
    /// Counts a piece of the text. Returns how many bytes were counted: at its end half a character may be left.
    pub(crate) fn add(&mut self, piece: &[u8]) -> usize {
        let mut left = piece;
        loop {
            let (valid, error_len) = match std::str::from_utf8(left) {
                Ok(_) => (left, None),
                Err(error) => (&left[..error.valid_up_to()], error.error_len()),
            };
            self.characters += valid.iter().filter(|&&byte| byte >= 0xC0).count();
            left = &left[valid.len() + error_len.unwrap_or(0)..];
            if error_len.is_none() {
                return piece.len() - left.len();
            }
            self.errors += 1;
        }
    }

    /// Whether there is no error.
    pub(crate) fn is_valid(self) -> bool {
        self.errors == 0
    }

    /// Whether the text is UTF-8, errors aside, and more than ASCII.
    pub(crate) fn is_utf8_beyond_ascii(self) -> bool {
        self.characters > 0 && self.is_utf8()
    }

    /// Whether the text is UTF-8, errors aside.
    pub(crate) fn is_utf8(self) -> bool {
        self.characters >= SURE * self.errors
    }
}

/// Points for the characters that are not ASCII.
fn words(text: &str, encoding: &'static Encoding, usual: &Usual) -> i64 {
    let mut sum = 0;
    let mut before = '\0';
    for c in text.chars() {
        if !c.is_ascii() {
            sum += points_of(c, before, encoding, usual);
        }
        before = c;
    }
    sum
}

fn points_of(c: char, before: char, encoding: &'static Encoding, usual: &Usual) -> i64 {
    match c {
        '\u{FFFD}' => return points::INVALID,
        '\u{80}'..='\u{9F}' | '\u{E000}'..='\u{F8FF}' => return points::CONTROL,
        _ if encoding == UTF_8 => return points::UTF_8,
        _ if usual.frequent.contains(&c) => return points::FREQUENT,
        _ if usual.all.contains(&c) => return points::USUAL,
        _ => {}
    }
    if encoding == WINDOWS_1252 || encoding == WINDOWS_1250 {
        let is_letter = usual.letters.contains(c);
        let in_a_row = if before.is_alphabetic() && !before.is_ascii() { points::ODD } else { 0 };
        return in_a_row + if is_letter { points::LETTER } else { -points::LETTER };
    }
    let is_cyrillic = |c: char| matches!(c, 'А'..='я' | 'Ё' | 'ё');
    if encoding == WINDOWS_1251 || encoding == KOI8_R {
        return if !is_cyrillic(c) || before.is_ascii_alphabetic() {
            points::ODD
        } else if !is_cyrillic(before) {
            // The first letter of a word counts with its second.
            0
        } else if before.is_lowercase() && c.is_uppercase() {
            points::TURNED
        } else {
            let pair: String = [before, c].iter().flat_map(|c| c.to_lowercase()).collect();
            if usual.pairs.contains(pair.as_str()) { points::PAIR } else { 0 }
        };
    }
    let is_japanese = encoding == SHIFT_JIS || encoding == EUC_JP;
    match c {
        '\u{3040}'..='\u{30FF}' if is_japanese => points::USUAL,
        '\u{3040}'..='\u{30FF}' | '\u{FF61}'..='\u{FF9F}' => -points::LETTER,
        '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FF60}' => points::LETTER,
        // A rare one within a word of Latin letters is none.
        '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' if !before.is_ascii_alphabetic() => 0,
        _ => points::ODD,
    }
}

/// Points for brackets: values that end where others begin, and before the text does.
fn brackets(text: &str, has_end: bool) -> i64 {
    let (mut is_value, mut is_escaped, mut swallowed) = (false, false, 0);
    for c in text.chars() {
        match c {
            _ if std::mem::take(&mut is_escaped) => {}
            '\\' if is_value => is_escaped = true,
            '[' if is_value => swallowed += 1,
            '[' => is_value = true,
            ']' => is_value = false,
            _ => {}
        }
    }
    points::SWALLOWED * (swallowed + i64::from(is_value && has_end))
}

/// What the languages of an encoding use.
#[derive(Default)]
struct Usual {
    frequent: HashSet<char>,
    all: HashSet<char>,
    /// Letters with marks, of the two Latin alphabets.
    letters: &'static str,
    pairs: HashSet<&'static str>,
}

/// That of each candidate: thousands of characters, which are the same for every text.
static USUAL: LazyLock<[Usual; CANDIDATES.len()]> = LazyLock::new(|| CANDIDATES.map(usual_of));

/// The characters of the first level of a national standard, which lists those in use before the rare ones.
fn usual_of(encoding: &'static Encoding) -> Usual {
    let (leads, frequent) = if encoding == GB18030 {
        (0xB0..=0xD7, FREQUENT_SIMPLIFIED)
    } else if encoding == BIG5 {
        (0xA4..=0xC6, FREQUENT_TRADITIONAL)
    } else if encoding == SHIFT_JIS {
        (0x88..=0x97, FREQUENT_JAPANESE)
    } else if encoding == EUC_JP {
        (0xB0..=0xCF, FREQUENT_JAPANESE)
    } else if encoding == EUC_KR {
        (0xB0..=0xC8, FREQUENT_HANGUL)
    } else {
        let letters = if encoding == WINDOWS_1252 { WESTERN } else { CENTRAL };
        return Usual { letters, pairs: FREQUENT_PAIRS.split(' ').collect(), ..Usual::default() };
    };
    // Of the pairs beyond ASCII all standards but two have no others.
    let trails = if encoding == BIG5 || encoding == SHIFT_JIS { 0x40..=0xFE_u8 } else { 0xA1..=0xFE };
    let pairs = leads.flat_map(|lead: u8| trails.clone().map(move |trail| [lead, trail]));
    let character = |pair: [u8; 2]| {
        let (text, has_errors) = encoding.decode_without_bom_handling(&pair);
        text.chars().next().filter(|_| !has_errors)
    };
    let all = pairs
        .filter_map(character)
        .filter(|c| matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}'));
    Usual { frequent: frequent.chars().collect(), all: all.collect(), ..Usual::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_comments_are_read_in_the_encoding_of_their_country() {
        for (encoding, text) in [
            (GB18030, "曹冬"),
            (GB18030, "朱建锋"),
            (GB18030, "黑棋先行，白棋必胜。这里应该下在左边"),
            (GB18030, "祁观"),
            (SHIFT_JIS, "中村茂"),
            (SHIFT_JIS, "河村典彦"),
            (SHIFT_JIS, "長谷川一人"),
            (SHIFT_JIS, "ソ"),
            (EUC_JP, "この手は良くない"),
            (EUC_JP, "中村茂"),
            (EUC_JP, "河村典彦"),
            (EUC_JP, "長谷川一人"),
            (SHIFT_JIS, "この手は良くない。白の勝ち"),
            (SHIFT_JIS, "岡部寛"),
            (BIG5, "張毅文"),
            (BIG5, "黑棋先行，白棋必勝。許功蓋"),
            (EUC_KR, "김수현"),
            (EUC_KR, "이상훈 박정호"),
            (WINDOWS_1251, "Сушков Владимир"),
            (WINDOWS_1251, "Чемпионат мира, финал"),
            (WINDOWS_1251, "МОСКВА"),
            (WINDOWS_1251, "ТУРНИР"),
            (WINDOWS_1251, "СССР"),
            (WINDOWS_1251, "белые выигрывают"),
            (KOI8_R, "Сушков Владимир"),
            (KOI8_R, "МОСКВА"),
            (KOI8_R, "СССР"),
            (KOI8_R, "ошибка"),
            (KOI8_R, "москва"),
            (KOI8_R, "белые выигрывают"),
            (WINDOWS_1252, "René"),
            (WINDOWS_1252, "Göran Andersson, Malmö"),
            (WINDOWS_1252, "Peter Jonsson Umeå"),
            (WINDOWS_1250, "Jiří Kovář"),
            (WINDOWS_1250, "Mistrovství České republiky, Štěpán Tesařík"),
            (UTF_8, "花月"),
        ] {
            let whole = format!("(;GM[4]SZ[15]PB[{text}]PW[a]EV[{text}];B[hh]C[{text}];W[ii])");
            let bytes = encoding.encode(&whole).0;
            let found = guess(&bytes);
            let (decoded, has_errors) = found.decode_without_bom_handling(&bytes);
            assert_eq!((decoded.as_ref(), has_errors), (whole.as_str(), false), "{text}: {}", found.name());
        }
    }

    #[test]
    fn moves_are_read_whatever_the_guess() {
        // Second bytes that look like brackets and escapes, in short names.
        for bytes in [
            &b"\x83\x5C"[..],
            b"\xB3\x5C",
            b"\x95\x5C\x8E\xA6",
            b"\x81\x5B",
            b"\xE9",
            b"\xE9\x5D\xE9",
            b"\x8C\x5D",
        ] {
            let text = [b"(;GM[4]PB[", bytes, b"]SZ[15];B[hh]C[", bytes, b"];W[ii])"].concat();
            let (decoded, _) = guess(&text).decode_without_bom_handling(&text);
            let games = crate::formats::sgf::read(&decoded).unwrap();
            assert_eq!(games[0].line(None).map(|line| line.stones.len()), Ok(2), "{bytes:?}: {decoded}");
        }
    }

    /// The last bracket is swallowed where the letter before it begins a character of two bytes.
    #[test]
    fn the_last_value_keeps_its_end() {
        for (encoding, text) in [
            (WINDOWS_1251, "ФИНАЛ"),
            (WINDOWS_1251, "Ш"),
            (KOI8_R, "финал"),
            (KOI8_R, "Вася"),
            (WINDOWS_1252, "Å"),
            (WINDOWS_1252, "Malmö, Umeå"),
        ] {
            let whole = format!("(;GM[4]SZ[15];B[hh]C[{text}])");
            let bytes = encoding.encode(&whole).0;
            let found = guess(&bytes);
            let (decoded, _) = found.decode_without_bom_handling(&bytes);
            assert!(decoded.ends_with("])"), "{text}: {}", found.name());
        }
        // Where the text goes on, a value that is open tells nothing.
        let part = &GB18030.encode("(;GM[4]C[曹冬").0;
        assert_eq!(guess_of_part(part, false), GB18030);
    }

    #[test]
    fn a_single_bad_byte_makes_no_other_text() {
        let game = "(;CA[UTF-8]GM[4];B[hh]C[黑棋必胜])".repeat(300);
        let bytes = [b"(;PB[Ren\xE9])", "(;B[hh])".repeat(1 << 14).as_bytes(), game.as_bytes()].concat();
        assert_eq!(guess(&bytes), UTF_8);
        let mut count = Utf8Count::default();
        assert_eq!((count.add(b"a\xE9b\xE8\x8A"), count.is_valid(), count.is_utf8()), (3, false, false));
        assert_eq!(count.add("花月水".repeat(3).as_bytes()), 27);
        assert!(count.is_utf8() && (count.characters, count.errors) == (9, 1));
    }

    #[test]
    fn a_damaged_text_stays_what_it_is() {
        let mut bytes = "(;GM[4]PB[花月]PW[浦月];B[hh])".as_bytes().to_vec();
        bytes[14] = b'?';
        assert_eq!(guess(&bytes), UTF_8);
        assert_eq!((guess(b""), guess(b"(;B[hh])")), (UTF_8, UTF_8));
        // Nothing is looked at beyond the sample.
        let long = [&b"(;C["[..], &b"\xBB\xA8\xD4\xC2".repeat(1 << 18), b"];B[hh])"].concat();
        assert_eq!(guess(&long), GB18030);
    }
}
