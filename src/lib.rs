//! Kagetsu, an engine for Gomoku and Renju: freestyle, standard, renju and caro on boards from 5x5 to
//! 22x22.
//!
//! The binary `kagetsu` speaks the Gomocup (Piskvork) protocol and the Yixin-Board extensions of it. The
//! library holds everything else, so that tests, benches and other programs can use each part alone. The
//! README says how to build it, load it into a manager and prove a change.
//!
//! # The map
//!
//! A floor looks only at the floors above it in this list, the test `layers` holds it to that:
//!
//! | module | question |
//! |---|---|
//! | [`board`] | where is what? Points, lines, sets, stones, hash keys; no rule |
//! | [`rules`] | what wins, what is forbidden? One file a variant, and a slow judge |
//! | [`formats`] | how is it written? Moves, pictures, SGF, PSQ, PGN, read and written |
//! | [`shapes`] | what does each empty point offer each side? Kept current move by move |
//! | [`position`] | stones and shapes under one rule: what evaluation and search look at |
//! | [`solve`] | what can be forced, and is the proof sound? |
//! | [`eval`] | how good is it? |
//! | [`search`] | which move? Returns values, prints nothing |
//! | [`session`] | what has the manager said: board, colours, limits, clocks |
//! | [`engine`] | what lives from move to move: table, history, threads; the door to the search |
//! | [`thinker`] | what a game needs of an engine, as a trait |
//! | [`opening`] | the decisions of the swap2 opening |
//! | [`protocol`] | in which words? All text, and the one writer |
//! | [`data`] | games to learn from: self-play, balanced openings, training records |
//! | [`tune`] | fitting the evaluation, and training its network, on such games |
//! | [`arena`] | who wins? Matches between engines, judged, counted and recorded |
//! | [`report`] | such a match as one page to look at |
//! | [`cli`] | which subcommand? |
//!
//! # Asking for a move
//!
//! ```
//! use kagetsu::board::{Color, Point, Size, Stones};
//! use kagetsu::engine::{DEFAULT_MEMORY, Engine};
//! use kagetsu::rules::Rule;
//! use kagetsu::search::{Control, Limits, Request};
//!
//! // Black has three in a row with both ends open; White is to move.
//! let mut stones = Stones::new(Size::square(15));
//! for (name, color) in [("h8", Color::Black), ("a1", Color::White), ("i8", Color::Black),
//!                       ("o1", Color::White), ("j8", Color::Black)] {
//!     stones.place(name.parse()?, color);
//! }
//!
//! let mut engine = Engine::new(1, DEFAULT_MEMORY);
//! // Positions searched are the limit here; time, depth or all three are as good.
//! let request = Request::best(Limits { nodes: Some(20_000), ..Limits::default() });
//! // A `Control` stops a search from another thread; the last argument hears news while it runs.
//! let answer = engine.think(Rule::Standard, &stones, &request, &Control::new(), &|_| {});
//!
//! // Only a stone beside the three keeps Black from an open four.
//! let defences: [Point; 2] = ["g8".parse()?, "k8".parse()?];
//! assert!(defences.contains(&answer.moves[0]));
//! # Ok::<(), kagetsu::board::point::ParsePointError>(())
//! ```

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

pub mod solve;

pub mod eval;

pub mod search;

pub mod engine;

pub mod protocol;

pub mod data;

pub mod tune;

pub mod arena;

pub mod report;

pub mod cli;

pub use board::{Color, Point, Size, Stones};
pub use engine::Engine;
pub use game::{Game, MoveError, PlayError};
pub use rules::Rule;
pub use rules::reference::{Foul, Verdict};
pub use search::{Answer, Control, Limits, Report, Request, Task, TimeControl};
pub use solve::{Proof, Solution, Solver, SolverLimits, SolverVerdict, ThreatSpace};
