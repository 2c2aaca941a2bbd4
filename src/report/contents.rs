//! The contents of the page: every figure and every game in it, as the page's scripts read them.
//!
//! These are data without any logic; `count` fills them from the records of a match.

use std::collections::BTreeMap;

use serde::Serialize;

/// Everything that the page shows. Field names are those of the JSON that the page's scripts read.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Contents {
    /// Which program wrote the page.
    pub writer: String,
    /// Whether the rows of the boards are labelled from the top; moves are written that way in any case.
    pub rows_from_top: bool,
    /// How the match was played, as pairs of a label and a text.
    pub facts: Vec<(String, String)>,
    /// Notes of the runner, and what was left out of the page.
    pub notes: Vec<String>,
    /// Who played.
    pub engines: Vec<PageEngine>,
    /// Rule and board of the games: name, columns, rows.
    pub variants: Vec<(String, usize, usize)>,
    /// The results of each pair of engines that met.
    pub encounters: Vec<PageEncounter>,
    /// Best first, of engines that met, directly or through others; other such groups follow.
    pub ratings: Vec<PageRating>,
    /// For two engines, Elo of the first against the second; for more, the rating of each.
    pub elo: Vec<EloCurve>,
    /// The sequential test.
    pub sprt: Option<SprtCurve>,
    /// Upper ends in ms of the bins of [`PageEngine::times`]; the last bin has no upper end.
    pub time_steps: Vec<f64>,
    /// The lowest score that means a forced win, and the score of a win on the board.
    pub wins: (i32, i32),
    /// In the order in which they ended.
    pub games: Vec<PageGame>,
    /// Number of games that were in more than one file. It is for the caller; the page has a note instead.
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
    /// Games lost by its own fault, including losses on time, and how many of them were losses on time.
    pub faults: (u64, u64),
    /// Number of its moves.
    pub moves: u64,
    /// Mean and longest time of a move in ms.
    pub ms: Option<(f64, f64)>,
    /// Mean depth in plies.
    pub depth: Option<f64>,
    /// Mean nodes of a move.
    pub nodes: Option<f64>,
    /// Nodes per second.
    pub speed: Option<f64>,
    /// The course of a game in steps: stones on the board (the middle of the step); median, tenth and ninetieth
    /// percentile of the time in ms; mean depth.
    pub by_ply: Vec<(f64, Option<[f64; 3]>, Option<f64>)>,
    /// Share of its moves, in percent, in each bin of time.
    pub times: Vec<f64>,
}

/// The results of two engines against each other, from the first one's view.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PageEncounter {
    /// Indices into the list of engines.
    pub engines: (usize, usize),
    /// Wins, draws, losses.
    pub wdl: (u64, u64, u64),
    /// Complete pairs of games by points: 0, 1/2, 1, 3/2, 2.
    pub pentanomial: [u64; 5],
    /// Share of the points, 0 to 1.
    pub score: f64,
    /// Elo and the ends of its 95 % interval; `None` where infinite.
    pub elo: [Option<f64>; 3],
    /// Likelihood of superiority (LOS), 0 to 1.
    pub los: f64,
}

/// The rating of one engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PageRating {
    /// Index into the list of engines.
    pub engine: usize,
    /// Elo relative to the average of all engines that it met, directly or through others.
    pub elo: f64,
    /// Half the width of its 95 % interval; `None` where infinite.
    pub error: Option<f64>,
}

/// Elo over the games played.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EloCurve {
    /// Index into the list of engines.
    pub engine: usize,
    /// Games played; Elo, lower and upper end of the 95 % interval; `None` where infinite.
    pub points: Vec<(usize, [Option<f64>; 3])>,
}

/// The sequential test over the games played.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct SprtCurve {
    /// What is tested, in words.
    pub what: String,
    /// The verdict, in words.
    pub verdict: String,
    /// Log-likelihood ratios at which it fails and passes.
    pub bounds: (f64, f64),
    /// Games played and log-likelihood ratio.
    pub points: Vec<(usize, f64)>,
}

/// A game. The names are short, because a page has thousands of games.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PageGame {
    /// Its number.
    pub id: usize,
    /// The number of its opening, which the other game of its pair shares unless the match was played without
    /// repetition.
    pub opening: usize,
    /// Index into the list of variants.
    pub v: usize,
    /// Indices of Black and White in the list of engines.
    pub b: usize,
    /// See [`PageGame::b`].
    pub w: usize,
    /// Stones of the opening.
    pub o: usize,
    /// `b`, `w` or `d` for a draw.
    pub r: char,
    /// Why it is over: a keyword for filtering games.
    pub y: &'static str,
    /// The reason as a sentence without its subject, where the keyword does not say everything.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub t: String,
    /// All stones: `h8i9`.
    pub m: String,
    /// One value per stone: the time in ms. This list and those below are empty if no stone has a value.
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
    /// The engines' messages: the index of the stone, from 0, and the lines.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub say: BTreeMap<usize, Vec<String>>,
}
