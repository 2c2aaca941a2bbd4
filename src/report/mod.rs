//! A match as a single HTML page: results, curves, and every game to step through.
//!
//! [`contents`] defines what the page contains. `count` fills it from the records of a match, with the help of `merged`
//! (several matches as one), `results`, `engines` and `games`, and [`mod@page`] writes the HTML. The page renders
//! itself in the browser: `page.html` is its frame, `page.css` its style, and the scripts beside them read the
//! contents, which are embedded in the page as JSON. Nothing is loaded from anywhere, so a page can be sent by mail and
//! opened without a network.
//!
//! Names and messages come from untrusted programs. They reach the page only as JSON and are inserted as text, never as
//! HTML.

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
