//! A match as one page of HTML: results, curves, and every game to step through.
//!
//! [`contents`] is what the page says; `count` fills it from the records of a match, with the help of `merged` (several
//! matches as one), `results`, `engines` and `games`; [`mod@page`] writes it down. The page draws itself:
//! `page.html` is its frame, `page.css` its look, and the scripts beside them read the contents,
//! which stand in the page as JSON. Nothing is loaded from anywhere, so a page can be sent by mail and
//! opened without a network.
//!
//! Names and messages come from strangers' programs. They reach the page as JSON only and are put into it as
//! text, never as HTML.

pub(crate) mod contents;
mod count;
mod engines;
mod figures;
mod games;
mod merged;
pub(crate) mod page;
mod results;

pub use contents::Contents;
pub use page::page;
