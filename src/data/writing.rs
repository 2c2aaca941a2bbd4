//! Writing shards to files while games are played, and resuming them after a run was interrupted.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use super::aside::place_aside;
use super::reading::{DamagedShard, EXTENSION};
use super::record::{Header, Shard, TrainingGame};
use crate::files::{lock, make_folder, read_if_there};

/// Writes the games of one run, in order, into numbered shards in one folder.
///
/// Each game is on its way to the disk when [`Writer::push`] returns. An interrupted run resumes where it stopped, and
/// ends with the same files as one that was not interrupted.
#[derive(Debug)]
pub struct Writer {
    folder: PathBuf,
    /// The header of shard 0.
    header: Header,
    next: u32,
    /// The shard that was written to last, and its number.
    file: Option<(u32, File)>,
    cut_off: Vec<DamagedShard>,
    /// What to choose where shards of another run are in the way.
    way_out: &'static str,
    /// Held as long as this writer lives, so that no other process writes the same shards.
    _lock: File,
}

impl Writer {
    /// A writer for the games that this header determines; its shard number does not matter. What such a run has
    /// written into the folder before is kept, except for damaged games and all that comes after them in the same
    /// shard.
    ///
    /// # Errors
    /// If a folder or file cannot be read or written, if there are shards of the same seed from a different run, or if
    /// another run is writing them at the moment.
    pub fn new(folder: &Path, header: Header) -> anyhow::Result<Writer> {
        Writer::begin(folder, header, 0, "another seed or folder")
    }

    /// The same for games whose seed is given, starting from this shard; the games before it are for others to write.
    ///
    /// # Errors
    /// Those of [`Writer::new`].
    pub fn from_shard(folder: &Path, header: Header, shard: u32) -> anyhow::Result<Writer> {
        Writer::begin(folder, header, shard, "another folder")
    }

    fn begin(folder: &Path, header: Header, shard: u32, way_out: &'static str) -> anyhow::Result<Writer> {
        ensure!(header.capacity > 0, "a file of records must hold at least one game");
        make_folder(folder)?;
        let lock = lock(folder, header.seed, way_out)?;
        let folder = folder.to_owned();
        let next = shard.checked_mul(header.capacity).context("so many games cannot be numbered")?;
        let mut writer =
            Writer { folder, header, next, file: None, cut_off: Vec::new(), way_out, _lock: lock };
        writer.resume()?;
        Ok(writer)
    }

    /// Number of the first game that is missing.
    #[must_use]
    pub fn next(&self) -> u32 {
        self.next
    }

    /// The next range of missing games below `end`, up to the next shard that exists already. Once they are written,
    /// [`Writer::resume`] continues with that shard.
    #[must_use]
    pub fn missing(&self, end: u32) -> Range<u32> {
        let capacity = self.header.capacity;
        let later = (self.shard() + 1..).take_while(|shard| shard.saturating_mul(capacity) < end);
        let known = later.into_iter().find(|&shard| self.path(shard).exists());
        self.next..known.map_or(end, |shard| shard * capacity).max(self.next)
    }

    /// Continues with the existing shards that come after what was written last.
    ///
    /// # Errors
    /// Those of [`Writer::new`].
    pub fn resume(&mut self) -> anyhow::Result<()> {
        // In the middle of a shard there is no later one to continue with yet.
        while self.next.is_multiple_of(self.header.capacity) && self.resume_shard()? {}
        Ok(())
    }

    /// Shards whose damaged end was cut off, to be written again, and those that were renamed because their header is
    /// damaged, under their new names.
    #[must_use]
    pub fn cut_off(&self) -> &[DamagedShard] {
        &self.cut_off
    }

    /// Appends the next game.
    ///
    /// # Errors
    /// If it cannot be written, or is not the next one.
    pub fn push(&mut self, game: &TrainingGame) -> anyhow::Result<()> {
        ensure!(game.number == self.next, "game {} comes in place of game {}", game.number, self.next);
        let shard = self.shard();
        let mut file = match self.file.take() {
            Some((open, file)) if open == shard => file,
            _ => self.create_shard()?,
        };
        let written = file.write_all(&game.to_bytes());
        written.with_context(|| format!("writing {}", self.path(shard).display()))?;
        self.file = Some((shard, file));
        self.next += 1;
        Ok(())
    }

    /// The shard that the next game belongs to.
    fn shard(&self) -> u32 {
        self.next / self.header.capacity
    }

    /// The file of the shard with this number.
    #[must_use]
    pub fn path(&self, shard: u32) -> PathBuf {
        self.folder.join(shard_name(self.header.seed, shard))
    }

    fn create_shard(&self) -> anyhow::Result<File> {
        let path = self.path(self.shard());
        let write = || {
            let mut file = OpenOptions::new().append(true).create_new(true).open(&path)?;
            file.write_all(&Header { shard: self.shard(), ..self.header.clone() }.to_bytes())?;
            Ok::<File, std::io::Error>(file)
        };
        write().with_context(|| format!("writing {}", path.display()))
    }

    /// Continues with the next shard if it exists. Returns false if it does not, or is not full yet.
    fn resume_shard(&mut self) -> anyhow::Result<bool> {
        let path = self.path(self.shard());
        let expected = Header { shard: self.shard(), ..self.header.clone() };
        let Some(bytes) = read_if_there(&path)? else { return Ok(false) };
        if expected.to_bytes().starts_with(&bytes) && bytes.len() < expected.to_bytes().len() {
            // Truncated within its header: treated as missing.
            std::fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))?;
            return Ok(false);
        }
        let shard = match Shard::from_bytes(&bytes) {
            Err(error) if error.is_damage() => {
                // Its games may be intact, and of another run. They are kept where no command looks for shards.
                let aside = place_aside(&path);
                std::fs::rename(&path, &aside).with_context(|| format!("renaming {}", path.display()))?;
                self.cut_off.push(DamagedShard::without_header(&aside, bytes.len(), error));
                return Ok(false);
            }
            read => read.with_context(|| format!("reading {}", path.display()))?,
        };
        if shard.header != expected {
            bail!(
                "{} was begun by another engine or with other settings\n  there: {}\n  here:  {}\n\
                 choose {}",
                path.display(),
                describe(&shard.header),
                describe(&expected),
                self.way_out
            );
        }
        let is_full = shard.games.len() as u64 >= u64::from(self.header.capacity);
        let file = OpenOptions::new().append(true).open(&path);
        let file = file.with_context(|| format!("opening {}", path.display()))?;
        if let Some(damaged) = DamagedShard::of(&path, &shard) {
            file.set_len(shard.good_bytes as u64).with_context(|| format!("cutting {}", path.display()))?;
            self.cut_off.push(damaged);
        }
        self.next += shard.games.len() as u32;
        self.file = Some((expected.shard, file));
        Ok(is_full)
    }
}

/// The file name of a shard.
#[must_use]
pub fn shard_name(seed: u64, shard: u32) -> String {
    format!("seed-{seed}-{shard:04}.{EXTENSION}")
}

/// Locks the shards of a seed for this process.
fn lock(folder: &Path, seed: u64, way_out: &str) -> anyhow::Result<File> {
    let taken = lock::take(&folder.join(format!("seed-{seed}.lock")))?;
    taken.with_context(|| {
        format!("another run is writing seed {seed} into {}; choose {way_out}", folder.display())
    })
}

fn describe(header: &Header) -> String {
    let Header { capacity, signature, settings, .. } = header;
    format!("engine {signature}, {capacity} games a file, {settings}")
}

#[cfg(test)]
mod tests {
    use super::super::reading::find;
    use super::super::record::tests::{game, header};
    use super::*;
    use crate::files::beside;

    fn write(folder: &Path, until: u32) {
        let mut writer = Writer::new(folder, header(3, 0)).unwrap();
        (writer.next()..until).for_each(|n| writer.push(&game(n)).unwrap());
    }

    fn contents(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let files = find(&[folder.to_owned()]).unwrap();
        files.into_iter().map(|f| (f.file_name().unwrap().into(), std::fs::read(&f).unwrap())).collect()
    }

    #[test]
    fn one_run_writes_at_a_time() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("shards");
        let mut first = Writer::new(&folder, header(3, 0)).unwrap();
        first.push(&game(0)).unwrap();
        let error = Writer::new(&folder, header(3, 0)).unwrap_err().to_string();
        assert!(error.contains("another run is writing seed 3"), "{error}");
        // Machines that share a folder take different seeds.
        drop(Writer::new(&folder, header(4, 0)).unwrap());
        drop(first);
        assert_eq!(Writer::new(&folder, header(3, 0)).unwrap().next(), 1);
    }

    #[test]
    fn a_run_cut_short_anywhere_ends_the_same() {
        let temp = tempfile::tempdir().unwrap();
        let whole = temp.path().join("shards");
        // 10 games a shard.
        write(&whole, 23);
        let expected = contents(&whole);
        assert_eq!(expected.len(), 3);
        let lengths: Vec<usize> = expected.iter().map(|(_, bytes)| bytes.len()).collect();
        for shard in 0..3 {
            let header = header(3, 0).to_bytes().len();
            for length in (0..lengths[shard]).step_by(37).chain([header - 1, header, header + 1]) {
                let temp = tempfile::tempdir().unwrap();
                let cut = temp.path();
                for (name, bytes) in &expected[..shard] {
                    std::fs::write(cut.join(name), bytes).unwrap();
                }
                let (name, bytes) = &expected[shard];
                std::fs::write(cut.join(name), &bytes[..length]).unwrap();
                write(cut, 23);
                assert_eq!(contents(cut), expected, "shard {shard} cut to {length} bytes");
            }
        }
        // Full shards are left alone, and a longer run continues.
        write(&whole, 20);
        assert_eq!(contents(&whole), expected);
        write(&whole, 31);
        assert_eq!(contents(&whole).len(), 4);
    }

    #[test]
    fn a_shard_alone_is_what_it_is_among_others() {
        let temp = tempfile::tempdir().unwrap();
        let [whole, alone] = ["whole", "alone"].map(|name| temp.path().join(name));
        write(&whole, 30);
        let mut writer = Writer::from_shard(&alone, header(3, 0), 1).unwrap();
        assert_eq!(writer.missing(20), 10..20);
        (10..15).for_each(|n| writer.push(&game(n)).unwrap());
        drop(writer);
        let mut writer = Writer::from_shard(&alone, header(3, 0), 1).unwrap();
        assert_eq!(writer.missing(20), 15..20);
        (15..20).for_each(|n| writer.push(&game(n)).unwrap());
        assert_eq!(contents(&alone), contents(&whole)[1..2]);
        assert!(Writer::from_shard(&alone, header(3, 0), u32::MAX).is_err());
    }

    #[test]
    fn damage_in_an_early_shard_is_made_good() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("shards");
        write(&folder, 35);
        let expected = contents(&folder);
        let path = folder.join("seed-3-0001.kgr");
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&path, bytes).unwrap();

        let mut writer = Writer::new(&folder, header(3, 0)).unwrap();
        let [damaged] = writer.cut_off() else { panic!("{:?}", writer.cut_off()) };
        assert_eq!((damaged.path.clone(), damaged.games), (path, writer.next() as usize - 10));
        let gap = writer.missing(35);
        assert!(gap.start > 10 && gap.end == 20, "{gap:?}");
        gap.for_each(|n| writer.push(&game(n)).unwrap());
        writer.resume().unwrap();
        assert_eq!(writer.missing(38), 35..38, "the other shards were taken up");
        assert_eq!(contents(&folder), expected);
    }

    #[test]
    fn a_shard_with_a_damaged_header_is_set_aside_and_written_again() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("shards");
        write(&folder, 25);
        let expected = contents(&folder);
        let path = folder.join("seed-3-0001.kgr");
        let mut changed = expected[1].1.clone();
        changed[50] ^= 1;
        std::fs::write(&path, &changed).unwrap();

        let mut writer = Writer::new(&folder, header(3, 0)).unwrap();
        assert_eq!(writer.missing(25), 10..20);
        let aside = beside(&path, ".damaged");
        let [damaged] = writer.cut_off() else { panic!("{:?}", writer.cut_off()) };
        assert_eq!((&damaged.path, damaged.games, damaged.rest.bytes), (&aside, 0, changed.len()));
        assert_eq!(std::fs::read(&aside).unwrap(), changed);
        (10..20).for_each(|n| writer.push(&game(n)).unwrap());
        drop(writer);
        assert_eq!(contents(&folder), expected);

        std::fs::write(&path, "another file").unwrap();
        assert!(Writer::new(&folder, header(3, 0)).is_err());
    }

    #[test]
    fn other_settings_do_not_go_on() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("shards");
        write(&folder, 3);
        let other = Header { settings: "rules=renju".into(), ..header(3, 0) };
        let error = Writer::new(&folder, other.clone()).unwrap_err().to_string();
        assert!(error.contains("rules=renju") && error.ends_with("choose another seed or folder"), "{error}");
        // Who rescores games cannot choose their seed.
        let error = Writer::from_shard(&folder, other, 0).unwrap_err().to_string();
        assert!(error.contains("rules=renju") && error.ends_with("choose another folder"), "{error}");
        let engine = Header { signature: 78, ..header(3, 0) };
        assert!(Writer::new(&folder, engine).is_err());
        assert_eq!(Writer::new(&folder, header(3, 0)).unwrap().next(), 3);
        assert_eq!(Writer::new(&folder, header(4, 0)).unwrap().next(), 0, "another seed, another run");
    }
}
