//! Reading shards from files: a single one, all of a run, or those of many machines together.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};

use super::record::game::Damage;
use super::record::header::HeaderError;
use super::record::{Header, Rest, Shard};

/// The file name extension of a shard.
pub const EXTENSION: &str = "kgr";

/// Reads one shard.
///
/// # Errors
/// If the file cannot be read, is not a shard, or has a damaged header. Truncated or damaged games are not an error,
/// see [`Shard::rest`].
pub fn read(path: &Path) -> anyhow::Result<Shard> {
    read_or_damage(path)?.map_err(|damaged| anyhow!("{damaged}"))
}

/// Reads one shard; what is wrong with it if not even its header can be read.
///
/// # Errors
/// If the file cannot be read or is not a shard.
pub fn read_or_damage(path: &Path) -> anyhow::Result<Result<Shard, DamagedShard>> {
    let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    match Shard::from_bytes(&bytes) {
        Err(error) if error.is_damage() => Ok(Err(DamagedShard::without_header(path, bytes.len(), error))),
        read => read.map(Ok).with_context(|| format!("reading {}", path.display())),
    }
}

/// The files that these paths stand for: a file stands for itself, a folder for all shards in it, sorted by name.
///
/// # Errors
/// If a path does not exist, or if a folder cannot be read or contains no shard.
pub fn find(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let data = path.metadata().with_context(|| format!("looking for {}", path.display()))?;
        if !data.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = path.read_dir().with_context(|| format!("reading {}", path.display()))?;
        let mut shards = Vec::new();
        for entry in entries {
            let file = entry.with_context(|| format!("reading {}", path.display()))?.path();
            if file.extension().is_some_and(|extension| extension == EXTENSION) {
                shards.push(file);
            }
        }
        ensure!(!shards.is_empty(), "there is no file of records (*.{EXTENSION}) in {}", path.display());
        shards.sort();
        files.extend(shards);
    }
    Ok(files)
}

/// Checks shards that are combined: the same games must not be counted twice.
#[derive(Debug, Default)]
pub struct Union {
    seeds: BTreeMap<u64, (PathBuf, Header, BTreeMap<u32, PathBuf>)>,
}

impl Union {
    /// Adds a shard.
    ///
    /// # Errors
    /// If a shard of the same seed has been added already, unless the two are different parts of one run.
    pub fn add(&mut self, path: &Path, header: &Header) -> anyhow::Result<()> {
        let new = || (path.to_owned(), header.clone(), BTreeMap::new());
        let (first, known, shards) = self.seeds.entry(header.seed).or_insert_with(new);
        let seed = header.seed;
        if (Header { shard: known.shard, ..header.clone() }) != *known {
            bail!(
                "{} and {} have the same seed {seed} but come from different runs",
                first.display(),
                path.display()
            );
        }
        if let Some(other) = shards.insert(header.shard, path.to_owned()) {
            bail!("{} and {} are both file {} of seed {seed}", other.display(), path.display(), header.shard);
        }
        Ok(())
    }
}

/// A shard that could not be read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DamagedShard {
    /// Its file.
    pub path: PathBuf,
    /// Games before the damage.
    pub games: usize,
    /// Bytes that these games take.
    pub game_bytes: usize,
    /// What follows them.
    pub rest: Rest,
}

impl DamagedShard {
    /// What is wrong with this shard, if anything.
    #[must_use]
    pub fn of(path: &Path, shard: &Shard) -> Option<DamagedShard> {
        shard.rest.map(|rest| DamagedShard {
            path: path.to_owned(),
            games: shard.games.len(),
            game_bytes: shard.good_bytes - shard.header.to_bytes().len(),
            rest,
        })
    }

    /// A shard of this many bytes, of which nothing can be read because its header is damaged.
    #[must_use]
    pub fn without_header(path: &Path, bytes: usize, error: HeaderError) -> DamagedShard {
        let rest = Rest { bytes, damage: Damage::Header(error) };
        DamagedShard { path: path.to_owned(), games: 0, game_bytes: 0, rest }
    }

    /// The estimated number of games after the damage, at least one, if they are as long as those before it; `None` if
    /// there is no game before it to judge by.
    #[must_use]
    pub fn games_left_out(&self) -> Option<usize> {
        let games = self.rest.bytes as f64 * self.games as f64 / self.game_bytes as f64;
        (self.games > 0).then_some((games.round() as usize).max(1))
    }
}

impl fmt::Display for DamagedShard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DamagedShard { path, games, rest, .. } = self;
        write!(f, "{}: {}", path.display(), rest.damage)?;
        if !matches!(rest.damage, Damage::Header(_)) {
            write!(f, " after {games} games")?;
        }
        write!(f, "; {} bytes", rest.bytes)?;
        match self.games_left_out() {
            Some(1) => f.write_str(", about one game, are left out"),
            Some(count) => write!(f, ", about {count} games, are left out"),
            None => f.write_str(" are left out"),
        }
    }
}

/// What was read, and what could not be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadReport {
    /// Shards read.
    pub shards: usize,
    /// Games read.
    pub games: usize,
    /// Bytes of all shards, whether they could be read or not.
    pub bytes: usize,
    /// The shards that are damaged.
    pub damaged: Vec<DamagedShard>,
}

impl ReadReport {
    /// Bytes that could not be read.
    #[must_use]
    pub fn bytes_left_out(&self) -> usize {
        self.damaged.iter().map(|shard| shard.rest.bytes).sum()
    }

    /// How much of the data could not be read, in percent of the bytes, 0 to 100. A file without a header, as a power
    /// failure leaves it empty, counts as if it were as long as the others are on average.
    #[must_use]
    pub fn percent_left_out(&self) -> f64 {
        let without_header = |shard: &&DamagedShard| matches!(shard.rest.damage, Damage::Header(_));
        let lengths: Vec<usize> =
            self.damaged.iter().filter(without_header).map(|shard| shard.rest.bytes).collect();
        let others = self.bytes - lengths.iter().sum::<usize>();
        let average = others.checked_div(self.shards - lengths.len()).unwrap_or(0);
        let missing: usize = lengths.iter().map(|&length| average.saturating_sub(length)).sum();
        match (self.bytes_left_out() + missing, self.bytes + missing) {
            (_, 0) if self.damaged.is_empty() => 0.0,
            (_, 0) => 100.0,
            (lost, all) => 100.0 * lost as f64 / all as f64,
        }
    }
}

/// Reads all shards that the paths stand for, one after the other, and passes each to `take`. The parts of shards that
/// could not be read are reported.
///
/// # Errors
/// If a file cannot be read or is not a shard, if shards have the same seed, see [`Union::add`], or those of `take`.
pub fn read_all(
    paths: &[PathBuf],
    mut take: impl FnMut(Shard) -> anyhow::Result<()>,
) -> anyhow::Result<ReadReport> {
    let mut union = Union::default();
    let mut report = ReadReport::default();
    for path in find(paths)? {
        report.shards += 1;
        let shard = match read_or_damage(&path)? {
            Ok(shard) => shard,
            Err(damaged) => {
                report.bytes += damaged.rest.bytes;
                report.damaged.push(damaged);
                continue;
            }
        };
        union.add(&path, &shard.header)?;
        report.games += shard.games.len();
        report.bytes += shard.good_bytes + shard.rest.map_or(0, |rest| rest.bytes);
        report.damaged.extend(DamagedShard::of(&path, &shard));
        take(shard)?;
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::{game, header, shard_bytes};
    use super::*;

    #[test]
    fn the_same_seed_is_refused() {
        let mut union = Union::default();
        let mut add = |name: &str, header: Header| union.add(Path::new(name), &header);
        add("a", header(1, 0)).unwrap();
        add("b", header(1, 1)).unwrap();
        add("c", header(2, 0)).unwrap();
        let error = add("d", header(1, 1)).unwrap_err().to_string();
        assert!(error.contains('b') && error.contains('d'), "{error}");
        assert!(add("e", Header { signature: 1, ..header(1, 7) }).is_err());
    }

    #[test]
    fn folders_stand_for_their_shards() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().to_owned();
        let (first, second) = (folder.join("a.kgr"), folder.join("b.kgr"));
        std::fs::write(&first, shard_bytes(&header(3, 0), (0..10).map(game))).unwrap();
        let mut cut = shard_bytes(&header(3, 1), (10..20).map(game));
        let bytes = std::fs::metadata(&first).unwrap().len() as usize + cut.len();
        // A bit of the sixth game.
        let at = shard_bytes(&header(3, 1), (10..15).map(game)).len() + 20;
        cut[at] ^= 4;
        std::fs::write(&second, &cut).unwrap();
        std::fs::write(folder.join("notes.txt"), "nothing").unwrap();

        let mut games = Vec::new();
        let mut take = |shard: Shard| {
            games.extend(shard.games);
            Ok(())
        };
        let report = read_all(std::slice::from_ref(&folder), &mut take).unwrap();
        assert!(games.into_iter().eq((0..15).map(game)));
        let [damaged] = &report.damaged[..] else { panic!("{report:?}") };
        assert_eq!((report.shards, report.games, report.bytes), (2, 15, bytes));
        assert_eq!((damaged.games, damaged.rest.damage), (5, Damage::Checksum));
        // Games become longer with their numbers.
        assert_eq!(damaged.games_left_out(), Some(6));
        let left_out = (10..20).map(|n| game(n).to_bytes().len()).skip(5).sum::<usize>();
        assert_eq!(report.bytes_left_out(), left_out);
        assert_eq!(report.percent_left_out(), 100.0 * left_out as f64 / bytes as f64);

        assert!(read_all(&[folder.clone(), first], |_| Ok(())).is_err(), "the same shard twice");
        // Files whose header is damaged or was never written are left out like damaged games.
        let (flipped, empty) = (folder.join("c.kgr"), folder.join("d.kgr"));
        let mut changed = shard_bytes(&header(3, 2), (20..30).map(game));
        changed[50] ^= 4;
        std::fs::write(&flipped, &changed).unwrap();
        std::fs::write(&empty, "").unwrap();
        let more = read_all(std::slice::from_ref(&folder), |_| Ok(())).unwrap();
        assert_eq!((more.shards, more.games, more.bytes), (4, 15, bytes + changed.len()));
        assert_eq!(more.bytes_left_out(), left_out + changed.len());
        let average = bytes / 2;
        let (lost, all) =
            (left_out + average.max(changed.len()) + average, bytes + average.max(changed.len()) + average);
        assert_eq!(more.percent_left_out(), 100.0 * lost as f64 / all as f64);
        assert_eq!(read_all(std::slice::from_ref(&empty), |_| Ok(())).unwrap().percent_left_out(), 100.0);
        assert_eq!(ReadReport::default().percent_left_out(), 0.0);
        let told = more.damaged[1].to_string();
        assert!(
            told.ends_with(&format!("the header is damaged; {} bytes are left out", changed.len())),
            "{told}"
        );
        assert_eq!(more.damaged[2].rest.damage, Damage::Header(HeaderError::Truncated));
        assert!(read(&flipped).is_err());
        std::fs::write(&empty, "no shard").unwrap();
        assert!(read_all(std::slice::from_ref(&folder), |_| Ok(())).is_err(), "this is another file");
        assert!(find(&[folder.join("nowhere")]).is_err());
        let error = read_all(&[folder.join("a.kgr")], |_| Err(anyhow!("enough"))).unwrap_err();
        assert_eq!(error.to_string(), "enough");
    }
}
