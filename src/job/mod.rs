//! Long work cut into shards that any number of machines can do: matches, self-play, rescoring, tuning, proofs,
//! books that grow.
//!
//! A [`Job`] is a file that says everything that decides the result, the build included. What a shard of it holds
//! follows from the job and the shard's number alone, so it does not matter who does it, in which order, or how often:
//! a shard that was done twice is the same games twice, and counts once. Who starts the shards is not known here. It may
//! be a loop in a shell, a batch system or a cluster; all that passes between them are files.
//!
//! | what a job is | |
//! |---|---|
//! | [`file`] | the job as it is written down, and its name |
//! | [`build`] | which program does it |
//! | [`recipe`], [`program_files`] | parts of it: how games of self-play go, which programs play |
//! | [`work`] | its kinds, and how each is cut |
//!
//! | what is done with it | |
//! |---|---|
//! | [`matches`], [`selfplay`], [`rescore`], [`spsa`] with `spsa_pairs`, [`proofs`], [`grow`] | a kind each: a shard of it, and all of them merged |
//! | [`workplace`] | where and how a shard is done |
//! | [`run`] | a shard from its beginning to its seal |
//! | [`seal`] | what a finished shard says of itself |
//! | [`standing`] | what the seals together say so far, and whether that is enough |
//! | [`merge`] | one result out of all shards |
//! | `line_files` | files with a line for each task, gone on with where they were cut off |

pub(crate) mod build;
pub(crate) mod file;
pub(crate) mod grow;
mod line_files;
pub(crate) mod matches;
pub(crate) mod merge;
pub(crate) mod program_files;
pub(crate) mod proofs;
pub(crate) mod recipe;
pub(crate) mod rescore;
pub(crate) mod run;
pub(crate) mod seal;
pub(crate) mod selfplay;
pub(crate) mod spsa;
mod spsa_pairs;
pub(crate) mod standing;
pub(crate) mod work;
pub(crate) mod workplace;

pub(crate) use crate::arena::whole_file;
pub use build::Build;
pub use file::Job;
pub use work::Work;
