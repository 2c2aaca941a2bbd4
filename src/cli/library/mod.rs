//! `kagetsu library`: a library of positions.
//!
//! | module | subcommands |
//! |---|---|
//! | `command` | the list of them, and those of a few lines: `create`, `stat`, `check` |
//! | `import`, `input`, `source`, `archive` | `import`, what its files are, how they are read, and those in archives |
//! | `export` | `export` |
//! | `query` | `query` |
//! | `edit` | `edit` |
//! | `grow` | `grow` |
//! | `words` | what they say alike |

mod archive;
mod command;
mod edit;
mod export;
mod grow;
mod import;
mod input;
mod place;
mod query;
mod source;
mod words;

pub(crate) use command::{LibraryOptions, run};
pub(crate) use grow::GrowthChoices;
pub(crate) use place::PlaceOptions;
pub(crate) use words::naming;
