//! SGF (red-bean.com/sgf), the format of viewers: games with variations and comments.
//!
//! | module | question |
//! |---|---|
//! | [`tree`] | what is a game? Nodes with properties, and which follows which |
//! | [`reader`] | which games are in a text? One at a time, in one pass |
//! | `writer` | how is a game written? |
//! | [`mod@line`] | what does a game mean on a board? Its main line, stone by stone |
//!
//! No library: those that are kept know the properties of Go, put set-up stones into sets, where the order in which an
//! opening was played is lost, and do not know the place of a mistake.

pub mod line;
pub mod reader;
pub mod tree;
mod writer;

pub use line::{SgfLine, SgfStone};
pub use reader::{SgfGames, games, read};
pub use tree::{SgfGame, SgfNode, SgfProperty, SgfValue};
