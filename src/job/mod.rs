//! Long-running work, cut into shards that any number of machines can do: matches, self-play, rescoring, tuning,
//! proofs, growing books.
//!
//! A [`Job`] is a file with everything that determines the result, including the build. What a shard holds depends only
//! on the job and the shard's number, and in tuning also on the values that it is played around, so it does not matter
//! who does it, in which order, or how often: a shard that was done twice holds the same games twice, and counts once.
//! What starts the shards is not known here. It may be a shell loop, a batch system or a cluster; they exchange nothing
//! but files.
//!
//! | what a job is | |
//! |---|---|
//! | [`file`] | the job file and the job's name |
//! | [`build`] | which build of the program does it |
//! | [`recipe`], [`pinned_files`] | parts of a job: how self-play games are played, which files it depends on |
//! | [`work`] | the kinds of work, and how each is cut into shards |
//!
//! | what is done with it | |
//! |---|---|
//! | [`matches`], [`selfplay`], [`rescore`], [`spsa`] with `spsa_pairs` and [`spsa_run`], [`proofs`], [`grow`] | one kind of work each: doing a shard, and merging all shards |
//! | [`shard_environment`] | where and how a shard is done |
//! | [`run`] | a shard from its beginning to its manifest |
//! | [`manifest`] | what a finished shard records about itself |
//! | [`job_state`] | the results of all manifests so far, and whether they are enough |
//! | [`merge`] | merges all shards into one result |
//! | `line_files` | files with one line per task, which are continued where they were cut off |

pub(crate) mod build;
pub(crate) mod file;
pub(crate) mod grow;
pub(crate) mod job_state;
mod line_files;
pub(crate) mod manifest;
pub(crate) mod matches;
pub(crate) mod merge;
pub(crate) mod pinned_files;
pub(crate) mod proofs;
pub(crate) mod recipe;
pub(crate) mod rescore;
pub(crate) mod run;
pub(crate) mod selfplay;
pub(crate) mod shard_environment;
pub(crate) mod spsa;
mod spsa_pairs;
pub(crate) mod spsa_run;
pub(crate) mod work;

pub use build::Build;
pub use file::Job;
#[cfg(not(feature = "tunable"))]
pub(crate) use spsa_pairs::NEEDED as SPSA_NEEDED;
pub use work::Work;
