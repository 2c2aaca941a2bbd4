//! Kagetsu, an engine for Gomoku and Renju: freestyle, standard, renju and caro on boards from 5x5 to 22x22.
//!
//! The program `kagetsu` speaks the Gomocup (Piskvork) protocol. This library is everything in it, for programs that
//! want a game with its rules, an engine that answers, or a solver that proves.
//!
//! # A game
//!
//! [`Game`] knows the rules and nothing else: it refuses what is not legal, says why, and judges.
//!
//! ```
//! use kagetsu::{Game, PlayError, Rule, Size, Verdict};
//!
//! let mut game = Game::new(Rule::Renju, Size::square(15));
//! game.play("h8".parse()?)?;
//! assert_eq!(game.play("h8".parse()?), Err(PlayError::Occupied("h8".parse()?)));
//! assert_eq!(game.verdict(), Verdict::Ongoing);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A move from the engine
//!
//! [`Engine`] answers a [`Request`] within its [`Limits`]; [`Background`] does so on a thread of its own and streams
//! what the search finds.
//!
//! ```
//! use kagetsu::{Control, DEFAULT_MEMORY, Engine, Game, Limits, Point, Request, Rule, Size};
//!
//! // Black has three in a row with both ends open; White is to move.
//! let moves = ["h8", "a1", "i8", "o1", "j8"].map(|name| name.parse::<Point>().unwrap());
//! let game = Game::from_moves(Rule::Standard, Size::square(15), moves)?;
//! let mut engine = Engine::new(1, DEFAULT_MEMORY);
//! let request = Request::best(Limits { nodes: Some(20_000), ..Limits::default() });
//! let answer = engine.think(game.rule(), game.stones(), &request, &Control::new(), &|_| {});
//!
//! // Only a stone beside the three keeps Black from an open four.
//! let defences = ["g8", "k8"].map(|name| name.parse::<Point>().unwrap());
//! assert!(defences.contains(&answer.moves[0]));
//! # Ok::<(), kagetsu::MoveError>(())
//! ```
//!
//! # A proof
//!
//! [`Solver`] looks for a win by force, and [`check()`] verifies what it found with nothing but the rules.
//! [`Solver::start`] does so in the background: its [`SolverHandle`] tells how the search stands and stops it.
//!
//! ```
//! use kagetsu::{Game, Point, Rule, Size, Solver, SolverLimits, SolverVerdict, check};
//!
//! // Black has three in a row with both ends open, and is to move.
//! let moves = ["h8", "a1", "i8", "o1", "j8", "a15"].map(|name| name.parse::<Point>().unwrap());
//! let game = Game::from_moves(Rule::Renju, Size::square(15), moves)?;
//! let solver = Solver::new(SolverLimits { nodes: Some(100_000), ..SolverLimits::default() });
//!
//! let SolverVerdict::Win(proof) = solver.solve(game.rule(), game.stones())?.verdict else {
//!     panic!("an open three wins")
//! };
//! assert_eq!(check(&proof)?.plies, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The map
//!
//! The list begins with the ground floor, and a room imports only from those before it. `docs/architecture.md` says which,
//! and a test holds the source to it.
//!
//! | room | question |
//! |---|---|
//! | [`board`] | Where is what? Points, lines, sets, stones, hash keys; no rule. |
//! | [`rules`] | What wins, and what is forbidden? One file a variant, and a slow judge. |
//! | [`game`] | May this stone be played, and is the game over? |
//! | [`formats`] | How is it written? Moves, pictures, SGF, PSQ and PGN, read and written. |
//! | [`shapes`] | What does each empty point offer each side? Kept current move by move. |
//! | [`position`] | What do evaluation and search look at? Stones and shapes under one rule. |
//! | [`eval`] | How good is it? |
//! | [`search`] | Which move? It returns values and prints nothing. |
//! | [`solve`] | What can be forced, and is the proof sound? |
//! | [`engine`] | What lives from move to move? Table, history and threads. |
//! | [`levels`] | How strong, and how varied? Levels from a beginner to full strength. |
//! | [`memory`] | Which moves have lost games? |
//! | [`library`] | What is known of this position? Games, scores and comments, kept in a file |
//! | [`protocol`] | What does a manager say, and in which words is it answered? |
//! | [`data`] | Which games can be learned from? |
//! | `tune` | How are evaluation and network fitted to them? |
//! | [`arena`] | Who wins? Matches between engines, judged, counted and recorded. |
//! | `job` | How is long work shared out among machines? |
//! | `page` | What do the pages of report and board have in common? Script and style, no Rust |
//! | `report` | How does such a match look? |
//! | [`gui`] | What does the page of the board ask, and what is it answered? |
//! | [`cli`] | Which subcommand runs? |
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `cli` (default) | the program with its subcommands: [`cli`] |
//! | `gui` (default) | the board in the browser: `kagetsu board` with its server |
//! | `desk` | what answers that board, without the server: [`gui`] |
//! | `library` (default) | a library of positions in a file: [`library`], and its subcommand |
//! | `tools` | matches, their report, self-play, training and jobs: [`arena`], `report`, [`data`], `tune`, `job` |
//! | `tunable` | parameters of the search that can be set while the program runs; somewhat slower |
//!
//! Without default features the library is all the rest, without the crates that only a command line needs.

// Fixtures shared with the tests outside name the library as those do.
#[cfg(test)]
extern crate self as kagetsu;

#[cfg(test)]
#[path = "../protocol-tests/harness/random.rs"]
#[allow(dead_code)]
mod random;

// From the ground up; the blank lines keep rustfmt from sorting.
pub mod board;

#[macro_use]
pub mod rules;

pub mod game;

pub mod formats;

pub mod shapes;

pub mod position;

pub mod eval;

pub mod search;

pub mod solve;

pub mod engine;

pub mod levels;

pub mod memory;

pub mod library;

pub mod protocol;

#[cfg(feature = "tools")]
pub mod data;

#[cfg(feature = "tools")]
pub(crate) mod tune;

#[cfg(feature = "tools")]
pub mod arena;

#[cfg(feature = "tools")]
pub(crate) mod job;

#[cfg(feature = "tools")]
pub(crate) mod report;

#[cfg(feature = "desk")]
pub mod gui;

#[cfg(feature = "cli")]
pub mod cli;

pub use board::{Color, Point, Size, Stones};
pub use engine::{Background, DEFAULT_MEMORY, Engine};
pub use game::{Game, MoveError, PlayError};
pub use rules::Rule;
pub use rules::judge::{Foul, Verdict};
pub use search::{Answer, Control, Limits, Line, Report, Request, Task, TimeControl};
pub use solve::{
    Proof, Solution, Solver, SolverControl, SolverError, SolverHandle, SolverLimits, SolverVerdict,
    ThreatSpace, check,
};
