use super::super::file::tests::job;
use super::*;

/// An attempt at the first shard.
fn attempt(job: &Job, results: &Path) -> anyhow::Result<ShardEnd> {
    run_shard(job, 0, results, &ShardEnvironment::of_the_job())
}

/// The same job with games of another seed.
fn other_job() -> Job {
    let mut other = job();
    let Work::Selfplay(work) = &mut other.work else { panic!("it is self-play") };
    work.seed += 1;
    other
}

#[test]
fn an_unfinished_shard_belongs_to_its_job() {
    let temp = tempfile::tempdir().unwrap();
    let results = temp.path().join("results");
    let folder = folder_of(&results, 0);
    let interrupted = ShardEnvironment::of_the_job();
    interrupted.stop_request.interrupt();
    assert_eq!(run_shard(&job(), 0, &results, &interrupted).unwrap(), ShardEnd::Interrupted);
    let error = attempt(&other_job(), &results).unwrap_err().to_string();
    assert!(error.contains("000000 was begun for another job; remove it"), "{error}");
    assert!(matches!(attempt(&job(), &results).unwrap(), ShardEnd::Done(_)));
    // Files of an unknown job are no better. A process that died at once has left nothing.
    std::fs::remove_file(folder.join(MANIFEST_FILE)).unwrap();
    std::fs::remove_file(folder.join(BEGUN_FILE)).unwrap();
    let error = attempt(&job(), &results).unwrap_err().to_string();
    assert!(
        error.contains("000000 holds ") && error.contains("(begun.txt is missing); remove it"),
        "{error}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(LOCK_FILE), "").unwrap();
    std::fs::write(folder.join(format!("{BEGUN_FILE}.123-0.part")), "").unwrap();
    assert!(matches!(attempt(&other_job(), &results).unwrap(), ShardEnd::Done(_)));
}

#[test]
fn only_what_is_proved_to_be_damaged_is_done_again() {
    let temp = tempfile::tempdir().unwrap();
    let results = temp.path().join("results");
    let ShardEnd::Done(manifest) = attempt(&job(), &results).unwrap() else { panic!("nobody else is there") };
    let folder = folder_of(&results, 0);
    let path = folder.join(&manifest.files[0].name);
    let whole = std::fs::read(&path).unwrap();
    // A file that cannot be read, like a folder, may be sound. Nothing is removed.
    std::fs::rename(&path, folder.join("kept")).unwrap();
    std::fs::create_dir(&path).unwrap();
    let error = attempt(&job(), &results).unwrap_err();
    assert!(format!("{error:#}").contains("reading "), "{error:#}");
    assert!(folder.join("kept").exists() && folder.join(MANIFEST_FILE).exists());
    std::fs::remove_dir(&path).unwrap();
    // Whoever holds the lock may be writing.
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let lock = lock::take(&folder.join(LOCK_FILE)).unwrap();
    assert_eq!(attempt(&job(), &results).unwrap(), ShardEnd::HeldElsewhere);
    assert!(folder.join("kept").exists());
    drop(lock);
    assert!(matches!(attempt(&job(), &results).unwrap(), ShardEnd::Done(_)));
    assert_eq!(std::fs::read(&path).unwrap(), whole);
    assert!(!folder.join("kept").exists());
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(attempt(&job(), &results).unwrap(), ShardEnd::Done(_)));
    assert!(matches!(attempt(&job(), &results).unwrap(), ShardEnd::DoneBefore(_)));
}
