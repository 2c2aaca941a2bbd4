//! `kagetsu levels`: the levels that there are, and how strong they are.
//!
//! | module | holds |
//! |---|---|
//! | `options` | the options |
//! | `command` | what they ask for |
//! | `table` | the table of levels |
//! | `ladder` | the matches that its ratings come from |
//! | `anchor` | engines whose ratings are known |
//! | `fit` | the level that fits somebody who has played some games |

mod anchor;
mod command;
mod fit;
mod ladder;
mod options;
mod table;

pub(crate) use command::run;
pub(crate) use options::LevelsOptions;
