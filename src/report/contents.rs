//! What the page says: every figure and every game in it, as the page's scripts read them.
//!
//! These are data without any logic; `count` fills them from the records of a match.

use std::collections::BTreeMap;

use serde::Serialize;

/// Everything that the page shows. Field names are those of the JSON that the page's scripts read.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Contents {
    /// Which program wrote the page.
    pub writer: String,
    /// Whether the rows of the boards are numbered from the top; moves are written so in any case.
    pub rows_from_top: bool,
    /// How the match was played: a label and words.
    pub facts: Vec<(String, String)>,
    /// What is worth knowing: notes of the runner, and what was left out of the page.
    pub notes: Vec<String>,
    /// Who played.
    pub engines: Vec<PageEngine>,
    /// Rule and board of the games: name, columns, rows.
    pub variants: Vec<(String, usize, usize)>,
    /// The results of each two engines that met.
    pub encounters: Vec<PageEncounter>,
    /// Best first.
    pub ratings: Vec<PageRating>,
    /// Two engines: Elo of the first against the second. More: the rating of each.
    pub elo: Vec<EloCurve>,
    /// The sequential test.
    pub sprt: Option<SprtCurve>,
    /// Ends of the steps of [`PageEngine::times`] in ms; a last step has no end.
    pub time_steps: Vec<f64>,
    /// From here on a score is a forced win, and the score of a win on the board.
    pub wins: (i32, i32),
    /// In the order in which they ended.
    pub games: Vec<PageGame>,
    /// Games that stood in more than one file; for who writes the page, which has a note of it.
    #[serde(skip)]
    pub copies: usize,
}

/// An engine and what it used.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PageEngine {
    /// Its name.
    pub name: String,
    /// Command and limits in words.
    pub how: String,
    /// Limit for a move in ms.
    pub turn: Option<u64>,
    /// Games with Black, and points in them.
    pub black: (u64, f64),
    /// Games with White, and points in them.
    pub white: (u64, f64),
    /// Games lost by its own fault, those on time among them, and the latter.
    pub faults: (u64, u64),
    /// Moves of its own.
    pub moves: u64,
    /// Mean and longest time of a move in ms.
    pub ms: Option<(f64, f64)>,
    /// Mean depth in plies.
    pub depth: Option<f64>,
    /// Mean nodes of a move.
    pub nodes: Option<f64>,
    /// Nodes in a second.
    pub speed: Option<f64>,
    /// Steps along the game: stones on the board (the middle of the step); median, tenth and ninetieth
    /// percentile of the time in ms; mean depth.
    pub by_ply: Vec<(f64, Option<[f64; 3]>, Option<f64>)>,
    /// Share of its moves, in percent, in each step of time.
    pub times: Vec<f64>,
}

/// The results of two engines against each other, from the first one's view.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PageEncounter {
    /// Places in the list of engines.
    pub engines: (usize, usize),
    /// Wins, draws, losses.
    pub wdl: (u64, u64, u64),
    /// Complete pairs of games by points: 0, 1/2, 1, 3/2, 2.
    pub pentanomial: [u64; 5],
    /// Share of the points, 0 to 1.
    pub score: f64,
    /// Elo and the ends of its 95 % interval; none where infinite.
    pub elo: [Option<f64>; 3],
    /// Likelihood of superiority (LOS), 0 to 1.
    pub los: f64,
}

/// The rating of one engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PageRating {
    /// Place in the list of engines.
    pub engine: usize,
    /// Elo against the average of all.
    pub elo: f64,
    /// Half the width of its 95 % interval; none where infinite.
    pub error: Option<f64>,
}

/// Elo over games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EloCurve {
    /// Place in the list of engines.
    pub engine: usize,
    /// Games played; Elo, lower and upper end of the 95 % interval; none where infinite.
    pub points: Vec<(usize, [Option<f64>; 3])>,
}

/// The sequential test over games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SprtCurve {
    /// What is tested, in words.
    pub what: String,
    /// What came out, in words.
    pub verdict: String,
    /// Log-likelihood ratios at which it fails and passes.
    pub bounds: (f64, f64),
    /// Games played and log-likelihood ratio.
    pub points: Vec<(usize, f64)>,
}

/// A game. Short names, because there are thousands of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PageGame {
    /// Its number.
    pub id: usize,
    /// Its pair, which tells the opening.
    pub pair: usize,
    /// Place in the list of variants.
    pub v: usize,
    /// Places of Black and White in the list of engines.
    pub b: usize,
    /// See [`PageGame::b`].
    pub w: usize,
    /// Stones of the opening.
    pub o: usize,
    /// `b`, `w` or `d` for a draw.
    pub r: char,
    /// Why it is over: a word to choose games by.
    pub y: &'static str,
    /// The same in a sentence without its subject, where the word does not say it all.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub t: String,
    /// All stones: `h8i9`.
    pub m: String,
    /// By stone, each list empty if it says nothing at all: time in ms.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ms: Vec<Option<f64>>,
    /// Scores.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub s: Vec<Option<i32>>,
    /// Depths.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub d: Vec<Option<u32>>,
    /// Nodes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub n: Vec<Option<u64>>,
    /// What the engines said: the stone's place, from 0, and the lines.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub say: BTreeMap<usize, Vec<String>>,
}
