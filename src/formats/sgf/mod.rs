//! SGF (red-bean.com/sgf), the format of viewers: games with variations and comments.
//!
//! | module | question |
//! |---|---|
//! | `tree` | what is a game? Nodes with properties, and which follows which |
//! | `reader` | which games are in a text? One at a time, in one pass |
//! | `outside` | where does a game begin, and what belongs to no game? |
//! | `anew` | where does a game begin although the one before has no end? |
//! | `left_out` | which games of a collection could not be read? |
//! | `remark` | what was not as it should be, and how was it read nevertheless? |
//! | `stream` | which games are in a file that is too large for the memory? |
//! | `node` | what does a node mean? How it changes the board, and which marks it puts on points |
//! | `writer` | how is a game written? |
//! | `line` | what does a game mean on a board? Its main line, stone by stone |
//!
//! No external crate is used: the maintained ones know the properties of Go, put set-up stones into sets, which loses
//! the order in which an opening was played, and do not give the place of a mistake.

mod anew;
mod left_out;
mod line;
mod node;
mod outside;
mod reader;
mod remark;
mod stream;
mod tree;
mod writer;

pub use left_out::{LeftOut, LeftOutGames, ends_collection};
pub use line::{SgfLine, SgfStone};
pub use node::{MarkKind, SgfChange, SgfMarks};
pub use outside::begins_in;
pub use reader::{SgfGames, games, read};
pub use remark::{SgfRemark, USUAL_SIDES};
pub use stream::{SgfStream, stream};
pub use tree::{SgfGame, SgfNode, SgfProperty, SgfValue};
