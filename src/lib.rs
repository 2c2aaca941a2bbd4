//! Kagetsu, an engine for Gomoku and Renju: freestyle, standard, renju and caro on boards from 5x5 to 22x22.
//!
//! The program `kagetsu` speaks the Gomocup (Piskvork) protocol. This crate contains all of it, for programs that
//! need a game with its rules, an engine that chooses moves, or a solver that proves wins.
//!
//! # A game
//!
//! [`Game`] knows the rules and nothing else: it refuses illegal moves, says why, and judges the result.
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
//! Programs of this game count columns and rows from the upper left corner, and so do points here: `a1` is that corner,
//! and a [`Point`] is parsed and printed without knowing its board. Players count rows from below.
//! [`PointNames`](formats::point_names::PointNames) reads and writes both:
//!
//! ```
//! use kagetsu::formats::point_names::{PointNames, Rows};
//! use kagetsu::{Point, Size};
//!
//! let names = PointNames::of(Size::square(15)).with_rows(Rows::FromBottom);
//! let point = names.point("h9")?;
//! assert_eq!((point, names.name(point)), (Point::new(7, 6), "h9".to_owned()));
//! assert_eq!(point.to_string(), "h7");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A move from the engine
//!
//! [`Engine`] answers a [`Question`] within its [`Limits`]. [`Engine::start`] does so in the background; its
//! [`SearchHandle`] reports progress and can stop it.
//!
//! ```
//! use kagetsu::{Control, DEFAULT_MEMORY, Engine, Game, Limits, Point, Question, Request, Rule, Size};
//!
//! // Black has three in a row with both ends open; White is to move.
//! let moves = ["h8", "a1", "i8", "o1", "j8"].map(|name| name.parse::<Point>().unwrap());
//! let game = Game::from_moves(Rule::Standard, Size::square(15), moves)?;
//! let mut engine = Engine::new(1, DEFAULT_MEMORY);
//! let request = Request::best(Limits { nodes: Some(20_000), ..Limits::default() });
//! let answer = engine.think(&Question::new(game.rule(), game.stones(), &request, &Control::new()));
//!
//! // Only a stone beside the three keeps Black from an open four.
//! let defences = ["g8", "k8"].map(|name| name.parse::<Point>().unwrap());
//! assert!(defences.contains(&answer.moves[0]));
//! # Ok::<(), kagetsu::MoveError>(())
//! ```
//!
//! The score of the [`Line`]s that a search reports is in points; [`win_probability`] makes of it what the side to move
//! can expect, from 0 for a loss to 1 for a win.
//!
//! # A proof
//!
//! [`Solver`] looks for a forced win, and [`check()`] verifies its proof using nothing but the rules. [`Solver::start`]
//! runs the solver in the background; its [`SolverHandle`] reports progress and can stop it.
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
//! The modules are listed from the lowest layer up, and a module imports only from those listed before it.
//! `docs/architecture.md` lists the imports of each, and a test checks the source and this table against that list.
//!
//! | module | question |
//! |---|---|
//! | [`board`] | What is where? Points, lines, sets of points, stones and hash keys, but no rules |
//! | `files` | How is a file written whole, by one process at a time, and recognised again? |
//! | [`rules`] | What wins, and what is forbidden? A file for each variant, and a slow judge that is the reference |
//! | [`game`] | What has been played, what may be played, and who has won? The public API for programs that want the game without the engine |
//! | [`formats`] | How are moves, positions and games written, here and by other programs? Reads and writes all formats |
//! | [`shapes`] | What does each empty point offer each side? Updated incrementally, stone by stone |
//! | [`position`] | What do evaluation and search work on? Stones and shapes under one rule |
//! | [`eval`] | How good is a position? |
//! | [`search`] | Which move is best? Returns values and prints nothing |
//! | [`solve`] | Can a win be forced, and is its proof valid? |
//! | [`engine`] | What persists from move to move? Transposition table, history, threads; the only entry point to the search |
//! | [`levels`] | How strong, and how varied? Levels from a beginner to full strength |
//! | [`experience`] | Which moves have lost games? A file that several programs can write to |
//! | [`library`] | What is known about this position? Games, scores and comments, kept in a file |
//! | [`protocol`] | What did the manager say, and how is it answered? |
//! | [`data`] | Which games can the evaluation learn from? Self-play, and its records |
//! | `tune` | Which weights and parameters play best? |
//! | [`arena`] | Who wins? Matches between engines, judged, counted and recorded |
//! | `job` | How is long work split into shards for many machines? |
//! | `page` | What do the pages of report and board share? Script and style |
//! | `report` | How is a match shown as a page? |
//! | [`gui`] | What does the board page ask, and how is it answered? |
//! | [`cli`] | Which subcommand, with which options? |
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | `cli` (default) | the program with its subcommands: [`cli`] |
//! | `gui` (default) | the board in the browser: `kagetsu board` with its server |
//! | `message-handler` | the part that answers that board, without the server: [`gui`] |
//! | `library` (default) | a library of positions in a file: [`library`], and its subcommand |
//! | `tools` | matches, their report, self-play, training and jobs: [`arena`], `report`, [`data`], `tune`, `job` |
//! | `tunable` | search parameters that can be set while the program runs; a fifth to a third slower |
//!
//! Without default features the crate contains everything else, and drops the dependencies that only a command line
//! needs.
//!
//! # In a program of your own
//!
//! Cargo does not take over how this repository builds. Without optimisation the search is a hundred times slower, and
//! for processors of the last ten years (x86-64-v3, with AVX2) it is a fifth faster than for any:
//!
//! ```toml
//! # Cargo.toml
//! [profile.dev.package.kagetsu]
//! opt-level = 2
//!
//! # .cargo/config.toml
//! [target.'cfg(target_arch = "x86_64")']
//! rustflags = ["-C", "target-cpu=x86-64-v3"]
//! ```
//!
//! What the crate exports at its top, and [`game`], [`formats`] and [`rules::judge`], is meant for other programs and
//! changes with the version number only. The other modules are public so that tools and tests can reach them, and may
//! change with any version.

// The map above links to modules that a smaller build leaves out.
#![cfg_attr(
    not(all(feature = "cli", feature = "gui", feature = "library")),
    allow(rustdoc::broken_intra_doc_links)
)]
// The tools are for the command line; without it some of them have no caller.
#![cfg_attr(
    all(any(feature = "tools", feature = "tunable"), not(feature = "cli")),
    allow(dead_code, unused_imports)
)]

// Fixtures shared with the integration tests refer to this crate by its external name.
#[cfg(test)]
extern crate self as kagetsu;

#[cfg(test)]
#[path = "../protocol-tests/harness/random.rs"]
#[allow(dead_code)]
mod random;

// Lowest layer first; the blank lines keep rustfmt from sorting the list.
pub mod board;

pub(crate) mod files;

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

pub mod experience;

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

#[cfg(feature = "message-handler")]
pub mod gui;

#[cfg(feature = "cli")]
pub mod cli;

// With the types of whatever these take and return.
pub use board::{Cell, Color, Coordinates, ParsePointError, ParseSizeError, Point, PointSet, Size, Stones};
pub use engine::opening::{RifChoice, RifQuestion, Swap2Choice, Swap2Question};
pub use engine::{DEFAULT_MEMORY, Engine, Question, SearchHandle};
pub use eval::score::{Score, win_probability};
pub use game::{Game, MoveError, PlayError};
pub use rules::judge::{Foul, Verdict};
pub use rules::{OpeningError, OpeningRule, Rule, UnknownRule};
pub use search::{Answer, Control, Limits, Line, Request, SearchProgress, Task, Threads, TimeControl};
pub use solve::{
    Checked, Flaw, FlawKind, NodeId, Proof, ProofError, ProofNode, ProofNumbers, Solution, Solver,
    SolverControl, SolverError, SolverHandle, SolverLimits, SolverProgress, SolverVerdict, ThreatSpace,
    check,
};
