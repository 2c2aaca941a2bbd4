//! `kagetsu library`: a library of positions.
//!
//! | module | subcommands |
//! |---|---|
//! | `command` | the list of subcommands, and the short ones: `create`, `stat`, `check` |
//! | `import`, `input`, `source`, `archive`, `match_files` | `import`, the formats of its files, their reading, archives, and what a match leaves |
//! | `known` | the files that were imported before |
//! | `tally` | what an import has done, and how it is told |
//! | `export` | `export` |
//! | `query` | `query` |
//! | `edit` | `edit` |
//! | `grow` | `grow` |
//! | `new_library` | creates libraries, but none in vain |
//! | `words` | the wording that the subcommands share |

mod archive;
mod command;
mod edit;
mod export;
mod grow;
mod import;
mod input;
mod known;
mod match_files;
mod new_library;
mod place;
mod query;
mod source;
mod tally;
mod words;

pub(crate) use command::{LibraryOptions, run};
pub(crate) use grow::GrowthChoices;
pub(crate) use place::PlaceOptions;
pub(crate) use words::naming;
