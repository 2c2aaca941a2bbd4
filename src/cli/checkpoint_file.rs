//! The checkpoint file of a training or tuning run, from which the same command resumes.

use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;

use super::files::{CHECKPOINT, LOSSES_CSV, LOSSES_SVG};
use super::output::{in_words, remark};
use crate::files::{beside, lock, read_if_there, remove_parts_of, write_whole_to_disk};
use crate::tune::checkpoint::{Checkpoint, CheckpointError};

/// How often a run writes a checkpoint.
#[derive(Args, Clone, Copy, Debug)]
pub struct CheckpointOptions {
    /// Minutes between two checkpoints, from which the same command resumes an interrupted run; 0 means one after every
    /// step
    #[arg(long, value_name = "MINUTES", default_value = "1", value_parser = parse_minutes)]
    pub checkpoint_minutes: Duration,
}

/// `5` or `0.5`: up to a year.
fn parse_minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse().ok().filter(|minutes| (0.0..=525_600.0).contains(minutes));
    minutes
        .map(|minutes: f64| Duration::from_secs_f64(60.0 * minutes))
        .ok_or_else(|| "a number from 0 to 525600".to_owned())
}

/// The checkpoint of a run. While it is open, no other process can open it.
pub(super) struct CheckpointFile {
    /// `None` if no checkpoint is kept.
    file: Option<(PathBuf, Option<File>)>,
    identity: String,
    every: Duration,
    written: Instant,
}

impl CheckpointFile {
    /// Opens the checkpoint beside a file of weights, for a run with this identity; see [`Checkpoint`].
    ///
    /// # Errors
    /// Another process is writing it.
    pub(super) fn open(
        weights: Option<&Path>,
        identity: String,
        options: CheckpointOptions,
    ) -> anyhow::Result<CheckpointFile> {
        let mut file = None;
        if let Some(weights) = weights {
            let path = beside(weights, CHECKPOINT);
            let taken = lock::take(&lock_of(&path))?;
            ensure!(taken.is_some(), "{} belongs to a run that is still under way", path.display());
            let companions = [CHECKPOINT, LOSSES_CSV, LOSSES_SVG].map(|ending| beside(weights, ending));
            companions.iter().map(PathBuf::as_path).chain([weights]).for_each(remove_parts_of);
            file = Some((path, taken));
        }
        Ok(CheckpointFile { file, identity, every: options.checkpoint_minutes, written: Instant::now() })
    }

    /// The state to resume from, if the run was begun before.
    ///
    /// # Errors
    /// A file that cannot be read, is damaged, or belongs to another run.
    pub(super) fn read(&self) -> anyhow::Result<Option<Vec<u8>>> {
        let Some((path, _)) = &self.file else { return Ok(None) };
        let Some(bytes) = read_if_there(path)? else { return Ok(None) };
        match Checkpoint::from_bytes(&bytes).and_then(|checkpoint| checkpoint.state_for(&self.identity)) {
            Ok(state) => Ok(Some(state)),
            Err(error) => bail!("{}", self.refusal(&error)),
        }
    }

    /// Why the checkpoint cannot be used, and what to do.
    pub(super) fn refusal(&self, error: &CheckpointError) -> String {
        let path = self.file.as_ref().map(|(path, _)| path.display().to_string()).unwrap_or_default();
        let instead = match error {
            CheckpointError::OtherRun(..) => {
                "continue with the command that began it, write to another file with --out, or "
            }
            CheckpointError::OtherVersion(_) => "continue with the program that wrote it, or ",
            CheckpointError::Foreign | CheckpointError::Damaged => "",
        };
        format!("{path}: {error}; {instead}remove the file to start afresh")
    }

    /// Writes the state if the last checkpoint is as old as the options say. A failed write does not end the run.
    pub(super) fn write_if_due(&mut self, state: impl FnOnce() -> Vec<u8>) {
        if self.written.elapsed() >= self.every {
            self.write(state);
        }
    }

    /// Writes the state now.
    pub(super) fn write(&mut self, state: impl FnOnce() -> Vec<u8>) {
        let Some((path, _)) = &self.file else { return };
        let checkpoint = Checkpoint { identity: self.identity.clone(), state: state() };
        if let Err(error) = write_whole_to_disk(path, checkpoint.to_bytes()) {
            remark(format_args!("there is no new checkpoint: {}", in_words(&error)));
        }
        // Counted from the end of the write, so that a slow disk does not take all of the time.
        self.written = Instant::now();
    }

    /// Whether there is a checkpoint from which the run can be resumed.
    pub(super) fn is_kept(&self) -> bool {
        self.file.as_ref().is_some_and(|(path, _)| path.exists())
    }

    /// Removes the checkpoint of a run whose weights are written. Its lock file stays; see [`lock::take`].
    ///
    /// # Errors
    /// The system refuses.
    pub(super) fn remove(self) -> anyhow::Result<()> {
        let Some((path, _lock)) = self.file else { return Ok(()) };
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).with_context(|| format!("removing {}", path.display()))
            }
            _ => Ok(()),
        }
    }
}

/// The lock file with which a process keeps others from writing the checkpoint. It is a separate file because a
/// checkpoint is replaced whenever it is written.
fn lock_of(checkpoint: &Path) -> PathBuf {
    beside(checkpoint, ".lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPTIONS: CheckpointOptions = CheckpointOptions { checkpoint_minutes: Duration::ZERO };

    fn open(weights: &Path, identity: &str) -> anyhow::Result<CheckpointFile> {
        CheckpointFile::open(Some(weights), identity.to_owned(), OPTIONS)
    }

    #[test]
    fn a_state_is_kept_until_its_run_is_over() {
        let folder = tempfile::tempdir().unwrap();
        let weights = folder.path().join("network.bin");
        let mut file = open(&weights, "rate 1\n").unwrap();
        assert!(file.read().unwrap().is_none() && !file.is_kept());
        file.write_if_due(|| vec![1]);
        assert!(file.is_kept());
        file.write(|| vec![2]);
        assert_eq!(file.read().unwrap(), Some(vec![2]));
        let error = open(&weights, "rate 1\n").err().unwrap().to_string();
        assert!(error.contains("network.bin.checkpoint") && error.contains("still under way"), "{error}");
        drop(file);

        let error = open(&weights, "rate 2\n").unwrap().read().unwrap_err().to_string();
        for said in ["network.bin.checkpoint", "rate 1", "rate 2", "remove the file"] {
            assert!(error.contains(said), "{error}");
        }
        let path = beside(&weights, CHECKPOINT);
        let mut bytes = std::fs::read(&path).unwrap();
        bytes[20] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        let file = open(&weights, "rate 1\n").unwrap();
        let error = file.read().unwrap_err().to_string();
        assert!(error.contains("is damaged; remove the file to start afresh"), "{error}");
        // What cannot be read is not missing.
        std::fs::rename(&path, folder.path().join("kept")).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(file.read().is_err());
        std::fs::remove_dir(&path).unwrap();
        std::fs::rename(folder.path().join("kept"), &path).unwrap();

        // A run that begins now has opened the lock file, and must find it held or hold the only one.
        let early = File::options().write(true).open(lock_of(&path)).unwrap();
        file.remove().unwrap();
        assert!(!path.exists());
        assert!(lock::try_hold(&early).unwrap());
        let error = open(&weights, "rate 1\n").err().unwrap().to_string();
        assert!(error.contains("still under way"), "{error}");
    }

    #[test]
    fn between_two_checkpoints_time_passes() {
        let every = CheckpointOptions { checkpoint_minutes: parse_minutes("60").unwrap() };
        let mut file = CheckpointFile::open(None, String::new(), every).unwrap();
        file.write_if_due(|| unreachable!("an hour has not passed"));
        assert!(file.read().unwrap().is_none() && !file.is_kept());
        file.remove().unwrap();
        assert_eq!(parse_minutes("0.5"), Ok(Duration::from_secs(30)));
        assert!(parse_minutes("-1").is_err() && parse_minutes("NaN").is_err());
    }
}
