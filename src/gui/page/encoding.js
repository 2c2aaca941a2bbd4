// Guesses the encoding of a text that names none: old programs wrote SGF in the code page of their system.
//
// Each candidate decodes the text, and the one whose result looks most like words of its languages is taken. Brackets
// count as well, since in some encodings the second byte of a character looks like one: a candidate that swallows the end
// of a value would lose moves. `src/formats/encoding.rs` guesses in the same way; tests of both have the same texts.

// The first is taken of those that fit equally well.
const CANDIDATES = [
  "utf-8",
  "gb18030",
  "shift_jis",
  "big5",
  "euc-kr",
  "euc-jp",
  "windows-1251",
  "koi8-r",
  "windows-1252",
  "windows-1250",
];
// The most bytes that are looked at, from a little before the first that is not ASCII.
const SAMPLE = 1 << 16;
const BEFORE_SAMPLE = 1 << 12;
// So many characters of UTF-8 for each error come about by chance nowhere.
const SURE = 8;

// Points for what a candidate makes of the text. A character of two bytes counts as much as two of one.
const POINTS = {
  utf8: 6,
  invalid: -8,
  control: -6,
  usual: 2,
  frequent: 3,
  letter: 1,
  pair: 3,
  odd: -2,
  turned: -3,
  swallowed: -20,
};

const FREQUENT_SIMPLIFIED =
  "的一是不了人我在有他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里" +
  "后小么心多天能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动" +
  "两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等" +
  "几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并王李张刘陈杨赵黄周吴" +
  "徐孙胡朱林何郭马罗梁宋郑谢韩唐冯董程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范" +
  "石姚谭廖邹熊陆郝孔崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚伟芳娜秀英敏静丽强磊军洋勇" +
  "艳杰涛超霞刚玉春红梅俊诚黑白胜负棋局连珠赛禁五";
const FREQUENT_TRADITIONAL =
  "的一是不了人我在有他這中大來上個國到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可裡後小" +
  "麼王李張劉陳楊趙黃周吳徐孫胡朱林何郭馬羅梁宋鄭謝韓唐馮董程曹許沈曾彭呂蘇盧蔣蔡黑白勝負棋局連珠賽禁五";
const FREQUENT_HANGUL =
  "이김박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구나민진지엄원현준수영호" +
  "은경상기동대인도재석철흑승리의가는을를에다사로시자부어일해";
const FREQUENT_JAPANESE =
  "日一国人年大十二本中長出三時行見月分後前生五間上東四今金九入学高子外八六下来気小七山北先名川千水" +
  "半西土木手白黒番勝負連珠良村田藤井野原岡谷河早坂玉杉神牧久松林森池石橋清斎佐加近渡辺伊吉島崎浜沢" +
  "福宮平竹武安江関尾義弘雄智晴光則史也俊介富隆洋陽郎吾朗典彦純美嘉園希和正信幸夫明博茂樹哲健治司康" +
  "浩誠寛飯角友";
// Pairs of letters that are frequent in Russian.
const FREQUENT_PAIRS =
  "ст но то на ен ов ни ра во ко ро по ос ер ор от ан ал пр го не ел ре ом ет де ат ла ка ав ли ло ил ин та те ес " +
  "ва ол ир ки ма да тр ри ть ви од ак ам ме мо об со се за ед до ем им ас ис ит ру ле аз ик ча шк ми ти ди си ии " +
  "ия ый ий ая ое ые ны аю ют ыв иг гр ви бе бы ьн ск ус уш хо ше ло лу вы ай ей ар тв вл ур рн нк па пе са ся сл " +
  "ны ож сс ср ош шк иб бк ку уб бо ок де еб бю че ем мп ек кс вр мя рг лю ви вн вс вт го гд же жи за зн ич кр мн " +
  "не ня оз ой ев ед ве вц др ря ье щи ще лы ых ха ух";
// Letters with marks of Western and of Central Europe. The first list lacks some that are letters of the second there.
const WESTERN = "éèêëàâäáãåçîïíóôöõúûüñæœßÉÖÜÄÅÆÇÑÀÈ’“”–";
const CENTRAL = "ěščřžýáíéúůťďňóąćęłńśźżőűöüäôĚŠČŘŽÝÁÍÉÚŮŤĎŇÓŁŚŻŐŰ’“”„–";

// The first level of a national standard, which lists the characters in use before the rare ones: from which first byte
// to which, the least second byte, and the characters that are used most.
const LEVELS = {
  gb18030: [0xb0, 0xd7, 0xa1, FREQUENT_SIMPLIFIED],
  big5: [0xa4, 0xc6, 0x40, FREQUENT_TRADITIONAL],
  shift_jis: [0x88, 0x97, 0x40, FREQUENT_JAPANESE],
  "euc-jp": [0xb0, 0xcf, 0xa1, FREQUENT_JAPANESE],
  "euc-kr": [0xb0, 0xc8, 0xa1, FREQUENT_HANGUL],
};
const PAIRS = new Set(FREQUENT_PAIRS.split(" "));
const LETTERS = { "windows-1252": WESTERN, "windows-1250": CENTRAL };

// The encoding in which bytes, which are not UTF-8 throughout, were most likely written.
export function guessEncoding(bytes) {
  if (isUtf8(bytes)) return "utf-8";
  const first = Math.max(
    0,
    bytes.findIndex((byte) => byte > 127),
  );
  const from = Math.max(0, first - BEFORE_SAMPLE);
  const sample = bytes.subarray(from, from + SAMPLE);
  const hasEnd = from + sample.length === bytes.length;
  let best = { points: -Infinity, candidate: null };
  for (const candidate of CANDIDATES) {
    const text = new TextDecoder(candidate, { ignoreBOM: true }).decode(sample);
    const points = words(text, candidate) + brackets(text, hasEnd);
    if (points > best.points) best = { points, candidate };
  }
  return best.candidate;
}

// Whether a text is UTF-8, errors aside: a single bad byte makes no other text of a long one.
export function isUtf8(bytes) {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  let [characters, errors] = [0, 0];
  for (const c of text) {
    if (c === "\ufffd") errors++;
    else if (c > "\x7f") characters++;
  }
  return characters >= SURE * errors;
}

// Points for the characters that are not ASCII.
function words(text, encoding) {
  const usual = usualOf(encoding);
  let sum = 0;
  let before = "";
  for (const c of text) {
    if (c > "\x7f") sum += pointsOf(c, before, encoding, usual);
    before = c;
  }
  return sum;
}

function pointsOf(c, before, encoding, usual) {
  if (c === "\ufffd") return POINTS.invalid;
  if (/[\x80-\x9f\ue000-\uf8ff]/.test(c)) return POINTS.control;
  if (encoding === "utf-8") return POINTS.utf8;
  if (usual.frequent.has(c)) return POINTS.frequent;
  if (usual.all.has(c)) return POINTS.usual;
  if (encoding in LETTERS) {
    const inARow = before > "\x7f" && /\p{Alphabetic}/u.test(before) ? POINTS.odd : 0;
    return inARow + (LETTERS[encoding].includes(c) ? POINTS.letter : -POINTS.letter);
  }
  const isCyrillic = (c) => /[А-яЁё]/.test(c);
  if (encoding === "windows-1251" || encoding === "koi8-r") {
    if (!isCyrillic(c) || /[A-Za-z]/.test(before)) return POINTS.odd;
    // The first letter of a word counts with its second.
    if (!isCyrillic(before)) return 0;
    if (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(c)) return POINTS.turned;
    return PAIRS.has((before + c).toLowerCase()) ? POINTS.pair : 0;
  }
  if (/[\u3040-\u30ff]/.test(c) && (encoding === "shift_jis" || encoding === "euc-jp")) return POINTS.usual;
  if (/[\u3040-\u30ff\uff61-\uff9f]/.test(c)) return -POINTS.letter;
  if (/[\u3000-\u303f\uff00-\uff60]/.test(c)) return POINTS.letter;
  // A rare one within a word of Latin letters is none.
  return /[\u3400-\u9fff\uac00-\ud7a3]/.test(c) && !/[A-Za-z]/.test(before) ? 0 : POINTS.odd;
}

// Points for brackets: values that end where others begin, and before the text does.
function brackets(text, hasEnd) {
  let [isValue, isEscaped, swallowed] = [false, false, 0];
  for (const c of text) {
    if (isEscaped) isEscaped = false;
    else if (c === "\\" && isValue) isEscaped = true;
    else if (c === "[" && isValue) swallowed++;
    else if (c === "[") isValue = true;
    else if (c === "]") isValue = false;
  }
  return POINTS.swallowed * (swallowed + (isValue && hasEnd ? 1 : 0));
}

// What the languages of an encoding use.
function usualOf(encoding) {
  if (!(encoding in LEVELS)) return { frequent: new Set(), all: new Set() };
  const [first, last, least, frequent] = LEVELS[encoding];
  const decoder = new TextDecoder(encoding);
  const all = new Set();
  for (let lead = first; lead <= last; lead++)
    for (let trail = least; trail <= 0xfe; trail++) {
      const text = decoder.decode(new Uint8Array([lead, trail]));
      if (text.length === 1 && /[\u3400-\u9fff\uac00-\ud7a3]/.test(text)) all.add(text);
    }
  return { frequent: new Set(frequent), all };
}
