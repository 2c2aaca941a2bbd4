//! `kagetsu library import`: games and files of other programs.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow, ensure};
use clap::Args;
use encoding_rs::Encoding;

use super::archive::{ARCHIVE, Archive, whole};
use super::input::{BEGIN, ENDS, InputFormat, has_no_moves, is_of_library, rule_of};
use super::known::KnownFiles;
use super::match_files::{is_copy, is_record};
use super::new_library::open_or_create;
use super::source::{Identified, Input};
use super::tally::Tally;
use crate::arena::records::GAMES_FILE;
use crate::board::Size;
use crate::cli::arguments::parse_size;
use crate::cli::ending::{Interrupted, note_ctrl_c};
use crate::cli::files::is_standard;
use crate::cli::output::{in_words, remark};
use crate::cli::progress::live_line;
use crate::formats::library_file::looks_like_library_of_positions;
use crate::formats::opening_file::has_extension;
use crate::formats::text::decode;
use crate::library::{ImportCount, ImportOptions, Library, Source};
use crate::rules::Rule;

/// What standard input is called; it is given as `-`.
const STANDARD_INPUT: &str = "standard input";
/// Bytes of a file that are read at a time.
const BUFFER: usize = 1 << 16;

/// Options of `kagetsu library import`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "\
Each file is imported as a whole or not at all, and files that are known already are skipped, whatever options they\n\
were imported with, so the same command resumes an interrupted import. Formats are detected from the contents;\n\
docs/library.md says what is taken from each.")]
pub(super) struct ImportArguments {
    /// The library; it is created if it does not exist
    #[arg(value_name = "LIBRARY")]
    pub(super) library: PathBuf,

    /// Files, zip archives of files, or folders of either; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Rule, if a file does not name one [default: the one in the folder's name, else freestyle]
    #[arg(long, value_name = "RULE")]
    rule: Option<Rule>,

    /// Board, if a file does not give it: a side such as 15, or width and height such as 20x15
    #[arg(long, value_name = "SIZE", default_value = "15", value_parser = parse_size)]
    size: Size,

    /// Keep positions of games and their variations up to this many stones, and all with comments or marks
    #[arg(long, value_name = "N", default_value_t = 24)]
    stones: usize,

    /// Format of the files [default: detected from their contents]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<InputFormat>,

    /// Encoding of texts that do not name theirs, as SGF does by CA, or are not the UTF-8 that they name: such as gbk,
    /// big5, shift_jis or windows-1251
    /// [default: UTF-8; where a text is not UTF-8, guessed in SGF, and Latin-1 in libraries of RenLib and Yixin]
    #[arg(long, value_name = "NAME", value_parser = encoding_of)]
    encoding: Option<&'static Encoding>,

    /// Leave out the comments of games in SGF
    #[arg(long)]
    no_comments: bool,

    /// Believe files that a library has written where they call a proof checked; otherwise it counts as a score would
    #[arg(long)]
    trust_proofs: bool,

    /// Import RenLib files that end early, as far as they go
    #[arg(long, alias = "accept-cut")]
    accept_truncated: bool,

    /// Import files again that were imported before, or have grown since; their games then count twice
    #[arg(long)]
    again: bool,

    /// Skip files that cannot be read, instead of stopping at the first of them
    #[arg(long)]
    skip_bad: bool,
}

/// Imports the files.
///
/// # Errors
/// A file that cannot be read, a library that cannot be written, Ctrl-C.
pub(super) fn run(options: &ImportArguments, out: impl Write) -> anyhow::Result<()> {
    let files = files_of(&options.files)?;
    open_or_create(&options.library, "there was nothing to import", |library| {
        import(options, &files, library, &note_ctrl_c(), out)
    })
}

/// Imports the files into the library.
fn import(
    options: &ImportArguments,
    files: &[PathBuf],
    library: &mut Library,
    stop: &Arc<AtomicBool>,
    mut out: impl Write,
) -> anyhow::Result<()> {
    let bar = live_line(files.len() as u64);
    let mut known = KnownFiles::of(library)?;
    let mut tally = Tally::default();
    let mut done = Ok(());
    for file in files {
        let is_archive = has_extension(file, ARCHIVE);
        let is_one_of_several = is_archive || files.len() > 1;
        let mut is_counted = |result: anyhow::Result<Option<Imported>>| {
            match result {
                Ok(Some(Imported { count, remarks, is_namesake })) => {
                    tally.add(count);
                    tally.namesakes += u64::from(is_namesake);
                    bar.suspend(|| remarks.iter().for_each(remark));
                }
                Ok(None) => tally.known += 1,
                // Whatever else is wrong with this file is told by the next run. After the last file there is none.
                Err(_) if stop.load(Ordering::Relaxed) => return Err(options.interrupted(file, is_archive)),
                Err(error) if is_of_library(&error) => return Err(error),
                Err(error) if options.skip_bad || has_no_moves(&error) && is_one_of_several => {
                    tally.left_out += 1;
                    bar.suspend(|| remark(format_args!("left out: {}", in_words(&error))));
                }
                Err(error) if is_one_of_several => {
                    return Err(error.context("without --skip-bad the import ends at this file"));
                }
                Err(error) => return Err(error),
            }
            Ok(())
        };
        done = if is_archive {
            match Archive::open(file, &ENDS) {
                Ok(mut archive) => archive.members().try_for_each(|member| {
                    is_counted(member.and_then(|(path, bytes)| {
                        options.take(library, &mut known, &path, Input::new(Cursor::new(bytes)), stop)
                    }))
                }),
                Err(error) => is_counted(Err(error)),
            }
        } else {
            is_counted(options.take_file(library, &mut known, file, stop))
        };
        bar.inc(1);
        if done.is_err() {
            break;
        }
    }
    bar.finish_and_clear();
    // What came in before an error stays in.
    if done.is_ok() || !tally.is_blank() {
        let told = tally.tell(options.size, options.rule.is_some(), &mut out);
        done = done.and(told);
    }
    done
}

/// What came of a file.
struct Imported {
    count: ImportCount,
    /// What was not as it should be, each in a line that names the file.
    remarks: Vec<String>,
    /// Whether another file of this name was imported before, which perhaps held the same games.
    is_namesake: bool,
}

impl ImportArguments {
    /// What is said if Ctrl-C comes while this file is read.
    fn interrupted(&self, file: &Path, is_archive: bool) -> anyhow::Error {
        let file = file.display();
        let rest = if self.again {
            anyhow!("{file} is not done; --again counts what is done once more, so give it the rest alone")
        } else if is_archive {
            anyhow!("the same command imports the rest of {file}, and the files after it")
        } else {
            anyhow!("nothing of {file} is kept; the same command imports it, and the files after it")
        };
        rest.context(Interrupted { goes_on: false })
    }

    /// Imports a file that is not in an archive, or what comes through a pipe.
    fn take_file(
        &self,
        library: &mut Library,
        known: &mut KnownFiles,
        path: &Path,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Option<Imported>> {
        let is_standard_input = is_standard(path);
        let path = if is_standard_input { Path::new(STANDARD_INPUT) } else { path };
        let reading = || format!("reading {}", path.display());
        // A file is read more than once, and a pipe cannot be.
        let mut take_pipe = |pipe: &mut dyn Read| {
            let bytes = whole(pipe).with_context(reading)?;
            self.take(library, known, path, Input::new(Cursor::new(bytes)), stop)
        };
        if is_standard_input {
            return take_pipe(&mut io::stdin().lock());
        }
        let mut file = File::open(path).with_context(reading)?;
        if !file.metadata().with_context(reading)?.is_file() {
            return take_pipe(&mut file);
        }
        self.take(library, known, path, Input::new(BufReader::with_capacity(BUFFER, file)), stop)
    }

    /// Imports a file; `None` if it is known already.
    ///
    /// # Errors
    /// The file cannot be read, the library cannot be written, or the flag is set; then nothing was imported.
    fn take(
        &self,
        library: &mut Library,
        known: &mut KnownFiles,
        path: &Path,
        mut input: Input<impl BufRead + Seek>,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Option<Imported>> {
        let named = || path.display().to_string();
        let begin = input.begin().with_context(named)?;
        ensure!(
            !looks_like_library_of_positions(&decode(&begin)),
            "{}: this is a library already; `kagetsu library export --format json` makes a file of it that can be \
             imported",
            path.display()
        );
        let found = self.format.or_else(|| InputFormat::of(path, &begin));
        let format = found.with_context(|| {
            let why = if begin.is_empty() {
                "the file is empty"
            } else {
                "it is in none of the formats that can be imported: SGF, PSQ, PGN, RenLib (.lib), YXDB (.db), records \
                 of matches and training, and JSON and CSV of `kagetsu library export`"
            };
            format!("{}: {why}", path.display())
        })?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut identified = input.fingerprint(known.named(&name), stop).with_context(named)?;
        identified.beginning = identified.beginning.filter(|_| !self.again);
        let Identified { fingerprint, beginning, .. } = identified;
        let import_options = ImportOptions {
            rule: self.rule.or_else(|| rule_of(path)).unwrap_or_default(),
            size: self.size,
            most_stones: self.stones,
            comments: !self.no_comments,
            trust_proofs: self.trust_proofs,
            accept_truncated: self.accept_truncated,
            encoding: self.encoding,
        };
        let mut import = library.import(import_options)?;
        import.stop_on(Arc::clone(stop));
        if !self.again && import.knows(fingerprint)? || beginning.is_some_and(|known| known.is_all) {
            return Ok(None);
        }
        // What is behind the beginning of another format is not easily told from it.
        ensure!(
            beginning.is_none() || format == InputFormat::Match,
            "{}: it has grown since it was imported, and its first games would count twice; --again imports it \
             nevertheless",
            path.display()
        );
        let read_as =
            input.take_into(&mut import, format, path, self.encoding, &identified).with_context(named)?;
        let count = import.count();
        let mut remarks: Vec<String> =
            import.left_out().remarks().map(|line| format!("{}: {line}", path.display())).collect();
        let source = Source { fingerprint, name, games: count.games, positions: count.positions };
        import.note_source(&source)?;
        remarks.extend(read_as.map(|read_as| format!("{}: {read_as}", path.display())));
        if beginning.is_some() {
            remarks
                .push(format!("{}: known up to where it has grown; only what is new counts", path.display()));
        }
        let count = import.commit().with_context(named)?;
        // Standard input has no name, and of what has grown it is known which games are new.
        let has_name = path != Path::new(STANDARD_INPUT);
        let is_namesake = !self.again && has_name && beginning.is_none() && known.had(&source.name);
        known.add(&source);
        Ok(Some(Imported { count, remarks, is_namesake }))
    }
}

fn encoding_of(name: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label(name.as_bytes()).ok_or_else(|| format!("`{name}` is not a known encoding"))
}

/// Whether the record of a match is in this folder.
fn has_record(folder: &Path) -> bool {
    let (path, mut begin) = (folder.join(GAMES_FILE), Vec::new());
    let read = File::open(&path).and_then(|file| file.take(BEGIN).read_to_end(&mut begin));
    read.is_ok() && is_record(&path, &begin)
}

/// The files; those in folders come in the order of their names. Of a match only its record is taken.
fn files_of(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if is_standard(path) || !path.is_dir() {
            found.push(path.clone());
            continue;
        }
        let mut open = vec![path.clone()];
        let mut inside = Vec::new();
        while let Some(folder) = open.pop() {
            let is_of_match = has_record(&folder);
            let entries = fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))?;
            for entry in entries {
                let entry = entry.with_context(|| format!("reading {}", folder.display()))?;
                let (kind, path) = (entry.file_type()?, entry.path());
                if is_of_match && is_copy(&folder, &path) {
                    continue;
                }
                if kind.is_dir() {
                    open.push(path);
                } else if ENDS.iter().chain([&ARCHIVE]).any(|end| has_extension(&path, end)) {
                    inside.push(path);
                }
            }
        }
        inside.sort();
        found.extend(inside);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Words {
        #[command(flatten)]
        options: ImportArguments,
    }

    fn words(library: &Path, more: &[&Path]) -> ImportArguments {
        let words = [Path::new("import"), library].into_iter().chain(more.iter().copied());
        Words::try_parse_from(words).unwrap().options
    }

    #[test]
    fn an_interrupted_import_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.sgf");
        fs::write(&file, "(;GM[4]SZ[15];B[hh];W[ii])").unwrap();
        // Not a file that is left out because it is bad.
        let options = words(Path::new("memory"), &[Path::new("--skip-bad"), &file]);
        let mut library = Library::in_memory().unwrap();
        let stop = Arc::new(AtomicBool::new(true));
        let mut out = Vec::new();
        let error = import(&options, std::slice::from_ref(&file), &mut library, &stop, &mut out).unwrap_err();
        assert!(error.downcast_ref::<Interrupted>().is_some(), "{error}");
        let said = format!("{error:#}");
        assert!(said.starts_with("interrupted: nothing of ") && said.contains("the same command"), "{said}");
        assert!(out.is_empty() && library.sources().unwrap().is_empty());
        // With this option the same command would count what came in again.
        let again = words(Path::new("memory"), &[Path::new("--again"), &file]);
        let error = import(&again, std::slice::from_ref(&file), &mut library, &stop, &mut out).unwrap_err();
        assert!(!format!("{error:#}").contains("the same command"), "{error:#}");
        stop.store(false, Ordering::Relaxed);
        import(&options, &[file], &mut library, &stop, &mut out).unwrap();
        assert_eq!(library.sources().unwrap().len(), 1);
    }

    #[test]
    fn what_came_in_before_an_error_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let (good, bad) = (folder.path().join("good.sgf"), folder.path().join("bad.sgf"));
        fs::write(&good, "(;GM[4]SZ[15];B[hh];W[ii])").unwrap();
        fs::write(&bad, "(;").unwrap();
        let said = |files: &[PathBuf]| {
            let options = words(Path::new("memory"), &[&good]);
            let (mut library, mut out) = (Library::in_memory().unwrap(), Vec::new());
            let stop = Arc::new(AtomicBool::new(false));
            let error = import(&options, files, &mut library, &stop, &mut out).unwrap_err();
            (String::from_utf8(out).unwrap(), format!("{error:#}"))
        };
        let (out, error) = said(&[good.clone(), bad.clone()]);
        assert_eq!(out, "1 file, 1 game, 3 positions\n");
        assert!(error.starts_with("without --skip-bad the import ends at this file: "), "{error}");
        // Alone there is nothing to be told, and nothing to be skipped to.
        let (out, error) = said(&[bad]);
        assert!(out.is_empty() && !error.contains("--skip-bad"), "{error}");
    }

    #[test]
    fn a_file_that_has_grown_does_not_count_twice() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("games.sgf");
        let mut library = Library::in_memory().unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let mut import = |text: &str, more: &str| {
            fs::write(&file, text).unwrap();
            let options = words(Path::new("memory"), &[Path::new(more), &file]);
            let mut out = Vec::new();
            let done = import(&options, std::slice::from_ref(&file), &mut library, &stop, &mut out);
            let games: Vec<u64> = library.sources().unwrap().iter().map(|source| source.games).collect();
            (done.map(|()| String::from_utf8(out).unwrap()).map_err(|error| error.to_string()), games)
        };
        const FIRST: &str = "(;GM[4]SZ[15];B[hh])";
        const BOTH: &str = "(;GM[4]SZ[15];B[hh])\n(;GM[4]SZ[15];B[ii])";
        assert_eq!(import(FIRST, "--no-comments").1, [1]);
        let (said, games) = import(&format!("{FIRST}\n"), "--no-comments");
        assert!(said.unwrap().contains("files known already: 1") && games == [1]);
        let (said, games) = import(BOTH, "--no-comments");
        let said = said.unwrap_err();
        assert!(said.contains("its first games would count twice; --again") && games == [1], "{said}");
        let (said, games) = import(BOTH, "--skip-bad");
        assert!(said.unwrap().contains("left out: 1") && games == [1]);
        assert_eq!(import(BOTH, "--again").1.iter().sum::<u64>(), 3);
        // What counts twice is told so.
        assert_eq!(import(FIRST, "--again").1.iter().sum::<u64>(), 4);
        // Another file of this name.
        let (said, games) = import("(;GM[4]SZ[15];B[jj])", "--no-comments");
        assert!(said.is_ok() && games.iter().sum::<u64>() == 5);
    }

    #[test]
    fn files_of_one_import_know_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let mut files = Vec::new();
        for (name, text) in [("a", "(;GM[4]SZ[15];B[hh])"), ("b", "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[ii])")]
        {
            fs::create_dir(folder.path().join(name)).unwrap();
            files.push(folder.path().join(name).join("games.sgf"));
            fs::write(&files[files.len() - 1], text).unwrap();
        }
        let mut library = Library::in_memory().unwrap();
        let options = words(Path::new("memory"), &[Path::new("--skip-bad"), folder.path()]);
        let (stop, mut out) = (Arc::new(AtomicBool::new(false)), Vec::new());
        import(&options, &files, &mut library, &stop, &mut out).unwrap();
        let said = String::from_utf8(out).unwrap();
        assert!(said.starts_with("1 file, 1 game, ") && said.contains("left out: 1"), "{said}");
    }

    #[test]
    fn a_folder_of_a_match_means_its_record() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().to_owned();
        fs::create_dir_all(folder.join("match/psq")).unwrap();
        fs::create_dir_all(folder.join("match/more")).unwrap();
        for name in ["games.sgf", "match/games.sgf", "match/psq/0000.psq", "match/z.sgf", "match/more/b.sgf"]
        {
            fs::write(folder.join(name), "").unwrap();
        }
        fs::write(folder.join("match/games.jsonl"), "{\"type\":\"match\"}\n").unwrap();
        // Another file of this name hides nothing.
        fs::write(folder.join("games.jsonl"), "{\"rule\":\"renju\"}\n").unwrap();
        let found = files_of(std::slice::from_ref(&folder)).unwrap();
        let expected = ["games.jsonl", "games.sgf", "match/games.jsonl", "match/more/b.sgf", "match/z.sgf"];
        assert_eq!(found, expected.map(|name| folder.join(name)));
    }

    #[test]
    fn a_database_of_another_program_stops_no_import() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().to_owned();
        fs::write(folder.join("Thumbs.db"), b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0\0\0\0").unwrap();
        fs::write(folder.join("game.sgf"), "(;GM[4]SZ[15];B[hh];W[ii])").unwrap();
        let mut library = Library::in_memory().unwrap();
        let files = files_of(std::slice::from_ref(&folder)).unwrap();
        let options = words(Path::new("memory"), &[&folder]);
        let stop = Arc::new(AtomicBool::new(false));
        import(&options, &files, &mut library, &stop, Vec::new()).unwrap();
        assert_eq!(library.sources().unwrap().len(), 1);
    }

    #[test]
    fn no_library_is_made_of_nothing() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path();
        let (library, empty, bad) = (folder.join("new.kgl"), folder.join("empty"), folder.join("bad.sgf"));
        fs::create_dir(&empty).unwrap();
        fs::write(&bad, "(;").unwrap();
        for files in [vec![empty.as_path()], vec![Path::new("--skip-bad"), &bad]] {
            let error = run(&words(&library, &files), Vec::new()).unwrap_err().to_string();
            assert!(error.contains("new.kgl was not created"), "{error}");
            assert_eq!(folder.read_dir().unwrap().count(), 2);
        }
        // A library that is there already stays.
        drop(Library::open_or_create(&library).unwrap());
        run(&words(&library, &[&empty]), Vec::new()).unwrap();
        assert!(library.exists());
    }
}
