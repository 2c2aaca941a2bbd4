//! The engine's decisions in the opening, under rules that are meant to balance the sides.
//!
//! `swap2` is the opening rule of Gomoku, and `rif` covers those of renju. A decision consists of a few
//! searches within one time budget, which `inquiry` enforces. Decisions are requested from an
//! [`Engine`](super::Engine). Knows no text.

mod inquiry;
pub(super) mod rif;
pub(super) mod swap2;

pub(super) use inquiry::Inquiry;
pub use rif::{RifChoice, RifQuestion};
pub use swap2::{Swap2Choice, Swap2Question};
