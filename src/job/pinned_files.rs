//! Files that every machine must have to do a job, identified by their hashes: other programs that play, games to be
//! rescored.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::build::sha256;
use crate::arena::command_files::{files_of, is_path, program_path};
use crate::arena::spec::EngineSpec;

/// A file whose contents a job depends on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PinnedFile {
    /// How the job names it: a file or, in the command of an engine, also `--option=file` or the name of a program in
    /// the PATH.
    #[serde(rename = "word")]
    pub name: String,
    /// Where the file was when the job was planned, from the root of the file system. The name of the job does not
    /// depend on it.
    pub path: String,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
}

/// The files that the commands of these engines name: programs, and networks and scripts among their arguments.
///
/// # Errors
/// A program does not exist, a file cannot be read, or two engines mean different things by one word.
pub fn found_in(engines: &[EngineSpec]) -> anyhow::Result<Vec<PinnedFile>> {
    let mut files = Vec::new();
    let mut other_words = BTreeSet::new();
    for engine in engines {
        let named = files_of(engine)?;
        let is_file = |word: &&String| named.iter().any(|(name, _)| name == word);
        other_words.extend(engine.command.iter().flatten().filter(|word| !is_file(word)));
        for (word, path) in named {
            files.push(pinned(word, &path)?);
        }
    }
    files.sort();
    // Copies of one file serve alike, wherever each engine would have found its own.
    files.dedup_by(|other, one| other.name == one.name && other.sha256 == one.sha256);
    // Names are replaced for the whole match.
    for (one, other) in files.iter().zip(files.iter().skip(1)) {
        ensure!(
            one.name != other.name,
            "two engines mean different files by {}: {} and {}; name them by their whole paths",
            one.name,
            one.path,
            other.path
        );
    }
    if let Some(file) = files.iter().find(|file| other_words.contains(&file.name)) {
        bail!(
            "{} is the file {} for one engine and a mere word for another; name the file by its whole path",
            file.name,
            file.path
        );
    }
    Ok(files)
}

fn pinned(name: &str, path: &Path) -> anyhow::Result<PinnedFile> {
    let bytes = std::fs::read(path).with_context(|| format!("reading {}", path.display()))?;
    PinnedFile::new(name, path, &bytes)
}

impl PinnedFile {
    /// A file with these contents. A job may be run from another folder than the one in which it was planned, so the
    /// path is made absolute.
    ///
    /// # Errors
    /// The path is not valid UTF-8, or the current folder is unknown.
    pub(super) fn new(name: &str, path: &Path, contents: &[u8]) -> anyhow::Result<PinnedFile> {
        let path = std::path::absolute(path).with_context(|| format!("reading {}", path.display()))?;
        let path = path.to_str().with_context(|| format!("{} is not valid UTF-8", path.display()))?;
        Ok(PinnedFile { name: name.to_owned(), path: path.to_owned(), sha256: sha256(contents) })
    }

    /// Whether the name is that of the file alone, and not behind an option.
    fn is_named_plainly(&self) -> bool {
        // An absolute path has lost the dot of `./file`, and on Windows also those of `../file`.
        let is_dots = |part: &Component| matches!(part, Component::CurDir | Component::ParentDir);
        let parts = Path::new(&self.name).components().skip_while(is_dots);
        Path::new(&self.path).ends_with(parts.collect::<PathBuf>())
    }
}

/// Where a file is on this machine. If `folder` is given, the file is there under its name or, because two files may
/// have the same name, in a subfolder named after its hash. Otherwise it is where it was when the job was planned. A
/// program may also be in the PATH.
///
/// # Errors
/// The file does not exist or has another hash.
pub fn locate(file: &PinnedFile, folder: Option<&Path>) -> anyhow::Result<PathBuf> {
    let planned = Path::new(&file.path);
    let mut places = match (folder, planned.file_name()) {
        (Some(folder), Some(name)) => vec![folder.join(&file.sha256).join(name), folder.join(name)],
        _ => vec![planned.to_owned()],
    };
    let first = places.last().cloned().unwrap_or_default();
    if !is_path(&file.name) && !file.name.contains('=') {
        places.extend(program_path(&file.name));
    }
    let path = places.into_iter().find(|path| path.is_file()).unwrap_or(first);
    let bytes = std::fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
    ensure!(
        sha256(&bytes) == file.sha256,
        "{} is not the file that the job was planned with; its SHA-256 was {}",
        path.display(),
        file.sha256
    );
    Ok(std::path::absolute(&path).unwrap_or(path))
}

/// The command words that name these files, each with its replacement on this machine.
///
/// # Errors
/// Those of [`locate`].
pub fn moved(files: &[PinnedFile], folder: Option<&Path>) -> anyhow::Result<Vec<(String, OsString)>> {
    let find = |file: &PinnedFile| {
        let path = locate(file, folder)?;
        let mut word = OsString::new();
        if let Some((option, _)) = file.name.split_once('=')
            && !file.is_named_plainly()
        {
            word.push(option);
            word.push("=");
        }
        word.push(path);
        Ok((file.name.clone(), word))
    };
    files.iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn spec(text: &str) -> EngineSpec {
        EngineSpec::parse(text, &[]).unwrap()
    }

    /// A folder with these files, each of which contains its own name; and its path without links.
    fn folder(files: &[&str]) -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, file).unwrap();
        }
        let path = folder.path().canonicalize().unwrap();
        (folder, path)
    }

    #[test]
    fn programs_are_told_by_what_they_are() {
        let (_temp, folder) = folder(&["engine", "there/other"]);
        let (program, moved_to) = (folder.join("engine"), folder.join("there/engine"));
        let spec = spec(&format!("cmd='{}' arg=--fast nodes=1", program.display()));
        let files = found_in(&[spec.clone(), spec]).unwrap();
        assert_eq!(files.len(), 1);
        let word = program.to_str().unwrap().to_owned();
        assert_eq!(moved(&files, None).unwrap(), [(word.clone(), program.into_os_string())]);
        let there = folder.join("there");
        assert!(locate(&files[0], Some(&there)).is_err());
        std::fs::write(&moved_to, "two").unwrap();
        assert!(locate(&files[0], Some(&there)).unwrap_err().to_string().contains("not the file"));
        std::fs::write(&moved_to, "engine").unwrap();
        assert_eq!(moved(&files, Some(&there)).unwrap(), [(word, moved_to.into_os_string())]);
    }

    #[test]
    fn two_files_may_have_the_same_name() {
        let (_temp, folder) = folder(&["old/engine", "new/engine"]);
        let specs = ["old", "new"].map(|name| spec(&format!("cmd='{}/{name}/engine'", folder.display())));
        let files = found_in(&specs).unwrap();
        let shipped = folder.join("shipped");
        for file in &files {
            std::fs::create_dir_all(shipped.join(&file.sha256)).unwrap();
            std::fs::copy(&file.path, shipped.join(&file.sha256).join("engine")).unwrap();
        }
        for file in &files {
            let found = locate(file, Some(&shipped)).unwrap();
            assert_eq!(std::fs::read(found).unwrap(), std::fs::read(&file.path).unwrap());
        }
        // By name alone one of them is the wrong file, and the error says so.
        std::fs::copy(&files[0].path, folder.join("engine")).unwrap();
        assert!(locate(&files[0], Some(&folder)).is_ok());
        assert!(locate(&files[1], Some(&folder)).unwrap_err().to_string().contains(&files[1].sha256));
    }

    #[test]
    fn one_name_for_two_files_is_refused() {
        let (_temp, folder) = folder(&["old/engine", "old/net.bin", "new/engine", "new/net.bin"]);
        let place = folder.display();
        let specs = |word: &str| {
            ["old", "new"].map(|name| {
                spec(&format!(
                    "cmd='{place}/{name}/engine' arg={}",
                    word.replace("FOLDER", &format!("{place}/{name}"))
                ))
            })
        };
        // Tests write the name of a file into it, so these two differ.
        let said = found_in(&specs("net.bin")).unwrap_err().to_string();
        assert!(said.contains("net.bin") && said.contains("old") && said.contains("new"), "{said}");
        assert_eq!(found_in(&specs("FOLDER/net.bin")).unwrap().len(), 4);
        for name in ["old", "new"] {
            std::fs::write(folder.join(name).join("net.bin"), "the same").unwrap();
        }
        assert_eq!(found_in(&specs("net.bin")).unwrap().len(), 3);
    }

    #[test]
    fn a_word_is_a_file_for_every_engine_or_for_none() {
        let (_temp, folder) = folder(&["old/engine", "old/fast", "new/engine"]);
        let spec = |name: &str, word: &str| {
            spec(&format!("cmd='{place}/{name}/engine' arg={word}", place = folder.display()))
        };
        let said = found_in(&[spec("old", "fast"), spec("new", "fast")]).unwrap_err().to_string();
        assert!(said.contains("fast is the file") && said.contains("mere word"), "{said}");
        assert_eq!(found_in(&[spec("old", "fast"), spec("new", "slow")]).unwrap().len(), 3);
    }

    #[test]
    fn what_arguments_name_is_found_where_the_engine_looks_for_it() {
        let (_temp, folder) = folder(&["engine", "own.bin", "net.bin", "there/net.bin"]);
        let (program, net) = (folder.join("engine"), folder.join("net.bin"));
        let text = format!(
            "cmd='{}' arg=own.bin arg=--network={} arg=--name=value",
            program.display(),
            net.display()
        );
        let files = found_in(&[spec(&text)]).unwrap();
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths.len(), 3, "{paths:?}");
        let option = format!("--network={}", net.display());
        let here = moved(&files, None).unwrap();
        assert!(here.contains(&(option.clone(), option.clone().into())), "{here:?}");
        assert!(here.contains(&("own.bin".to_owned(), folder.join("own.bin").into_os_string())), "{here:?}");
        let network = files.iter().find(|file| file.name == option).unwrap();
        let there = folder.join("there");
        std::fs::write(there.join("net.bin"), "net.bin").unwrap();
        let brought = moved(std::slice::from_ref(network), Some(&there)).unwrap();
        assert_eq!(brought[0].1, OsString::from(format!("--network={}", there.join("net.bin").display())));
        assert!(found_in(&[spec("cmd=no-such-program-anywhere")]).is_err());
    }

    #[test]
    fn paths_hold_in_every_folder() {
        // A file of this crate, because tests begin in its root.
        let file = PinnedFile::new("./src/lib.rs", Path::new("./src/lib.rs"), b"").unwrap();
        assert!(Path::new(&file.path).is_absolute() && Path::new(&file.path).is_file(), "{file:?}");
        assert_eq!(file.name, "./src/lib.rs");
        for (word, path, is_plain) in [
            ("./a=b", "./a=b", true),
            ("in/./a=b", "in/./a=b", true),
            ("--net=b", "b", false),
            ("--net=in/b", "in/b", false),
        ] {
            let file = PinnedFile::new(word, Path::new(path), b"").unwrap();
            assert_eq!(file.is_named_plainly(), is_plain, "{file:?}");
        }
        // As on Windows.
        let above = PinnedFile { name: "../a=b/c".to_owned(), path: "/d/a=b/c".to_owned(), ..file };
        assert!(above.is_named_plainly());
    }

    #[cfg(unix)]
    #[test]
    fn programs_of_the_path_are_pinned_too() {
        let files = found_in(&[spec("cmd=sh arg=-c")]).unwrap();
        let [file] = &files[..] else { panic!("{files:?}") };
        assert!(file.name == "sh" && is_path(&file.path), "{file:?}");
        // Such a program may be in its own place on every machine, whatever files were copied there.
        let elsewhere = tempfile::tempdir().unwrap();
        assert_eq!(locate(file, Some(elsewhere.path())).unwrap(), locate(file, None).unwrap());
        let other = PinnedFile { sha256: "0".repeat(64), ..file.clone() };
        assert!(locate(&other, None).unwrap_err().to_string().contains("not the file"));
    }
}
