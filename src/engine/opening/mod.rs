//! The decisions of the engine before a game is under way: openings that are meant to make the sides even.
//!
//! `swap2` is the opening of Gomoku, `rif` are those of renju. A decision is a few searches under one budget of
//! time, which `inquiry` keeps. It is asked of an [`Engine`](super::Engine). Knows no text.

mod inquiry;
pub(super) mod rif;
pub(super) mod swap2;

pub(super) use inquiry::Inquiry;
pub use rif::{RifChoice, RifQuestion};
pub use swap2::{Swap2Choice, Swap2Question};
