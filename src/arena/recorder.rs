//! Writes the records of a match into a folder, and copies of the games for programs that read other formats.
//!
//! The JSON lines are authoritative: all other files are rewritten from them when a match is continued.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::records::{GAMES_FILE, GameRecord, MatchHeader, RecordLine, Records, hold};
use crate::files::{is_part_of, make_folder, write_whole};

/// All games for viewers.
pub const SGF_FILE: &str = "games.sgf";
/// Results without moves, for programs that compute ratings.
pub const PGN_FILE: &str = "results.pgn";
/// One file per game for Piskvork.
pub const PSQ_FOLDER: &str = "psq";
/// The engines' messages, game by game.
const MESSAGES_FILE: &str = "messages.txt";
/// All files of a match.
pub(crate) const FILES: [&str; 4] = [GAMES_FILE, SGF_FILE, PGN_FILE, MESSAGES_FILE];

/// Which copies of the games are written beside the JSON lines, for programs that read other formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// Only games that the first engine lost. The results for ratings cover all games.
    pub losses_only: bool,
    /// Also the engines' messages, as text.
    pub messages: bool,
    /// No copies at all, because these records are merged with others before anyone looks at them.
    pub records_only: bool,
}

/// An open file and its path, so that an error such as a full disk can name the file.
#[derive(Debug)]
struct Named {
    file: File,
    path: PathBuf,
}

impl Named {
    /// Creates a file in place of one that was there.
    fn create(path: PathBuf) -> anyhow::Result<Named> {
        let file = File::create(&path).with_context(|| format!("making {}", path.display()))?;
        Ok(Named { file, path })
    }

    fn write(&mut self, text: &str) -> anyhow::Result<()> {
        self.file.write_all(text.as_bytes()).with_context(|| format!("writing {}", self.path.display()))
    }
}

/// Writes a match into a folder.
#[derive(Debug)]
pub struct Recorder {
    folder: PathBuf,
    games: Named,
    sgf: Option<Named>,
    pgn: Option<Named>,
    messages: Option<Named>,
    copies: Copies,
    /// The name of the first engine.
    first: String,
}

impl Recorder {
    /// Starts or continues the match in this folder, which is created if necessary. Returns the records so far.
    ///
    /// # Errors
    /// The folder belongs to another match or has files of the same names that no match has written, another runner is
    /// using it, or a file cannot be read or written.
    pub fn open(folder: &Path, header: &MatchHeader, copies: Copies) -> anyhow::Result<(Recorder, Records)> {
        let has_copies = !copies.records_only;
        let path = folder.join(GAMES_FILE);
        if has_copies {
            refuse_foreign_copies(folder)?;
        }
        let whole = if has_copies { folder.join(PSQ_FOLDER) } else { folder.to_owned() };
        make_folder(&whole)?;
        let mut games = hold(folder)?;
        let mut bytes = Vec::new();
        games.read_to_end(&mut bytes).with_context(|| format!("reading {}", path.display()))?;
        let records = Records::parse(&bytes).with_context(|| path.display().to_string())?;
        if let Some(before) = &records.header
            && let Some(what) = before.conflict(header)
        {
            bail!(
                "{} holds a match that differs in {what}; choose another folder for this one",
                folder.display()
            );
        }
        let cut = games.set_len(records.length as u64).and_then(|()| games.seek(SeekFrom::End(0)));
        cut.with_context(|| format!("writing {}", path.display()))?;
        if has_copies {
            remove_games(&folder.join(PSQ_FOLDER))?;
        }
        let anew = |name: &str| Named::create(folder.join(name));
        // One that is there must not miss games, even if messages are no longer kept.
        let has_messages = has_copies && (copies.messages || folder.join(MESSAGES_FILE).exists());
        let mut recorder = Recorder {
            folder: folder.to_owned(),
            games: Named { file: games, path },
            sgf: has_copies.then(|| anew(SGF_FILE)).transpose()?,
            pgn: has_copies.then(|| anew(PGN_FILE)).transpose()?,
            messages: has_messages.then(|| anew(MESSAGES_FILE)).transpose()?,
            copies,
            first: header.engines.first().map(|engine| engine.name.clone()).unwrap_or_default(),
        };
        for game in &records.games {
            recorder.copy(game)?;
        }
        let mut header = header.clone();
        if let Some(before) = &records.header
            && !before.identities.is_empty()
        {
            // They stay those of the first games, because what an engine has written since is not what it began with.
            header.identities.clone_from(&before.identities);
        }
        if records.header.as_ref() != Some(&header) {
            recorder.write_line(&RecordLine::Match(Box::new(header)))?;
        }
        Ok((recorder, records))
    }

    /// Writes a finished game.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn game(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        self.write_line(&RecordLine::Game(Box::new(game.clone())))?;
        self.copy(game)
    }

    /// Writes a game in the other formats.
    fn copy(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        let in_context = || format!("game {} of the records", game.id);
        let (Some(sgf), Some(pgn)) = (&mut self.sgf, &mut self.pgn) else { return Ok(()) };
        pgn.write(&game.pgn().to_string())?;
        if self.copies.losses_only && game.loser() != Some(self.first.as_str()) {
            return Ok(());
        }
        sgf.write(&game.sgf().with_context(in_context)?.to_string())?;
        if let Some(file) = &mut self.messages {
            file.write(&game.dialogue())?;
        }
        let path = self.folder.join(PSQ_FOLDER).join(psq_name(game.id));
        let psq = game.psq().with_context(in_context)?.to_string();
        write_whole(&path, psq)
    }

    /// Writes a note.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn note(&mut self, text: &str) -> anyhow::Result<()> {
        self.write_line(&RecordLine::Note { text: text.to_owned() })
    }

    fn write_line(&mut self, line: &RecordLine) -> anyhow::Result<()> {
        self.games.write(&line.text()?)
    }
}

/// The name of a game's file for Piskvork.
fn psq_name(id: usize) -> String {
    format!("{id:06}.psq")
}

/// Fails if a folder without records holds files where copies of them would be written: they belong to someone else.
pub(crate) fn refuse_foreign_copies(folder: &Path) -> anyhow::Result<()> {
    if folder.join(GAMES_FILE).exists() {
        return Ok(());
    }
    let is_foreign = |name: &&&str| fs::metadata(folder.join(name)).is_ok_and(|file| file.len() > 0);
    let file = [SGF_FILE, PGN_FILE, MESSAGES_FILE].iter().find(is_foreign).map(|name| folder.join(name));
    let foreign = file.or_else(|| game_files(&folder.join(PSQ_FOLDER)).ok()?.into_iter().next());
    if let Some(path) = foreign {
        bail!(
            "{} would be overwritten, and {GAMES_FILE}, from which it could be written again, is not beside it; \
             choose another folder",
            path.display()
        );
    }
    Ok(())
}

/// Removes the files of games from this folder, and nothing else: before a match is continued, more games may have been
/// copied than are now.
fn remove_games(folder: &Path) -> anyhow::Result<()> {
    game_files(folder)?
        .into_iter()
        .try_for_each(|path| fs::remove_file(&path).with_context(|| format!("removing {}", path.display())))
}

/// The files in this folder that have the name of a game's file.
fn game_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    // A kill leaves a part of one behind.
    let is_game = |name: &str| {
        let id = name.split_once(".psq").and_then(|(id, _)| id.parse().ok());
        id.map(psq_name).is_some_and(|whole| whole == name || is_part_of(OsStr::new(name), &whole))
    };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let entry = entry.with_context(|| format!("reading {}", folder.display()))?;
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && entry.file_name().to_str().is_some_and(is_game) {
            files.push(entry.path());
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::identity::Identity;
    use crate::arena::outcome::GameResult;
    use crate::arena::test_records::{game, header};

    fn sgf_of(id: usize) -> String {
        game(id).sgf().unwrap().to_string()
    }

    #[test]
    fn records_survive_a_cut_at_any_byte() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("match");
        let (mut recorder, _) = Recorder::open(&folder, &header(), Copies::default()).unwrap();
        for id in 0..3 {
            recorder.game(&game(id)).unwrap();
        }
        recorder.note("done").unwrap();
        drop(recorder);
        let path = folder.join(GAMES_FILE);
        let whole = fs::read(&path).unwrap();
        let all = Records::parse(&whole).unwrap();
        assert_eq!((all.games.len(), all.notes.len(), all.length), (3, 1, whole.len()));
        assert_eq!(all.games, [game(0), game(1), game(2)]);
        for length in 0..whole.len() {
            let cut = Records::parse(&whole[..length]).unwrap();
            let complete = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
            assert_eq!(usize::from(cut.header.is_some()) + cut.games.len() + cut.notes.len(), complete);
        }
        // A match that is cut off and continued equals an uninterrupted one.
        for length in [0, 10, whole.len() / 2, whole.len() - 30] {
            fs::write(&path, &whole[..length]).unwrap();
            let (mut recorder, records) = Recorder::open(&folder, &header(), Copies::default()).unwrap();
            for id in records.games.len()..3 {
                recorder.game(&game(id)).unwrap();
            }
            if records.notes.is_empty() {
                recorder.note("done").unwrap();
            }
            drop(recorder);
            assert_eq!(fs::read(&path).unwrap(), whole, "cut at {length}");
            let sgf = fs::read_to_string(folder.join(SGF_FILE)).unwrap();
            assert_eq!(sgf, (0..3).map(sgf_of).collect::<String>());
        }
    }

    #[test]
    fn copies_are_those_asked_for() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("match");
        let mut header = header();
        header.engines[0].name = "a]".to_owned();
        let copies = Copies { losses_only: true, messages: true, records_only: false };
        let (mut recorder, _) = Recorder::open(&folder, &header, copies).unwrap();
        let won = GameRecord { result: GameResult::Black, ..game(0) };
        [won.clone(), game(2)].iter().for_each(|game| recorder.game(game).unwrap());
        drop(recorder);
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(Records::read(&folder.join(GAMES_FILE)).unwrap().games, [won, game(2)]);
        assert_eq!((read(SGF_FILE), read(PGN_FILE).matches("[Round").count()), (sgf_of(2), 2));
        assert_eq!(read(MESSAGES_FILE), "game 2: a] - b\n2 i9 b: \"é\" ]\\\n\n");
        assert_eq!(folder.join(PSQ_FOLDER).read_dir().unwrap().count(), 1);
        // A match continued with other options: the copies are rewritten from the records.
        drop(Recorder::open(&folder, &header, Copies::default()).unwrap());
        assert_eq!(read(SGF_FILE).matches("(;FF").count(), 2);
        assert_eq!(read(MESSAGES_FILE).matches("game ").count(), 2);
        // And back again, which leaves only the files of lost games, and those of others.
        let psq = folder.join(PSQ_FOLDER);
        fs::write(psq.join("000007.psq.4711-0.part"), "half").unwrap();
        ["notes.psq", "1.psq", "000000.txt"].iter().for_each(|name| fs::write(psq.join(name), "").unwrap());
        drop(Recorder::open(&folder, &header, copies).unwrap());
        let mut names: Vec<_> = psq.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["000000.txt", "000002.psq", "1.psq", "notes.psq"]);
    }

    #[test]
    fn files_that_no_match_has_written_stay() {
        for (name, text) in
            [(SGF_FILE, "(;GM[4])"), (PGN_FILE, "x"), (MESSAGES_FILE, "x"), ("psq/000001.psq", "")]
        {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir(folder.path().join(PSQ_FOLDER)).unwrap();
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            let open = |copies| Recorder::open(folder.path(), &header(), copies);
            let error = open(Copies::default()).unwrap_err().to_string();
            assert!(error.starts_with(&path.display().to_string()), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
            // Beside records that are written without copies they are safe; then they are copies like others.
            open(Copies { records_only: true, ..Copies::default() }).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn a_copy_is_replaced_as_a_whole() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("match");
        let (mut recorder, _) = Recorder::open(&folder, &header(), Copies::default()).unwrap();
        recorder.game(&game(0)).unwrap();
        drop(recorder);
        let copy = folder.join(PSQ_FOLDER).join("000000.psq");
        let (whole, held) = (fs::read(&copy).unwrap(), folder.join("held"));
        fs::hard_link(&copy, &held).unwrap();
        fs::write(&held, "old").unwrap();
        drop(Recorder::open(&folder, &header(), Copies::default()).unwrap());
        // A link to the old file keeps its contents: the old file was not written to.
        assert_eq!((fs::read(&copy).unwrap(), fs::read(&held).unwrap()), (whole, b"old".to_vec()));
        assert_eq!(folder.join(PSQ_FOLDER).read_dir().unwrap().count(), 1);
    }

    #[test]
    fn records_can_do_without_copies() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("match");
        let copies = Copies { records_only: true, ..Copies::default() };
        let (mut recorder, _) = Recorder::open(&folder, &header(), copies).unwrap();
        recorder.game(&game(0)).unwrap();
        assert_eq!(folder.read_dir().unwrap().count(), 1);
        assert_eq!(Records::read(&folder.join(GAMES_FILE)).unwrap().games, [game(0)]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_named_with_the_file() {
        for name in [SGF_FILE, PGN_FILE, MESSAGES_FILE, "psq/000000.psq"] {
            let folder = tempfile::tempdir().unwrap();
            fs::create_dir(folder.path().join(PSQ_FOLDER)).unwrap();
            std::os::unix::fs::symlink("/dev/full", folder.path().join(name)).unwrap();
            let copies = Copies { messages: true, ..Copies::default() };
            let (mut recorder, _) = Recorder::open(folder.path(), &header(), copies).unwrap();
            // The record of the second says something, and all of them have a file of their own.
            let said = [game(0), game(2)].iter().find_map(|game| recorder.game(game).err()).unwrap();
            assert!(format!("{said:#}").contains(name), "{said:#}");
        }
        let full = File::options().write(true).open("/dev/full").unwrap();
        let said = Named { file: full, path: GAMES_FILE.into() }.write("x").unwrap_err();
        assert!(said.to_string().ends_with(GAMES_FILE), "{said:#}");
    }

    #[test]
    fn another_match_is_not_continued() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("match");
        drop(Recorder::open(&folder, &header(), Copies::default()).unwrap());
        let more = MatchHeader { games: 8, sprt: None, ..header() };
        drop(Recorder::open(&folder, &more, Copies::default()).unwrap());
        for (other, what) in [
            (MatchHeader { rule: "caro".to_owned(), ..header() }, "the rule"),
            (MatchHeader { seed: header().seed ^ 1, ..header() }, "the seed"),
        ] {
            let error = Recorder::open(&folder, &other, Copies::default()).unwrap_err();
            assert!(error.to_string().contains(what), "{error}");
        }
    }

    #[test]
    fn other_players_do_not_go_on() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("match");
        let of = |program: &str, files: &[(&str, &str)]| {
            let files = files.iter().map(|&(word, hash)| (word.to_owned(), hash.to_owned())).collect();
            let identities = vec![Identity { program: Some(program.to_owned()), files, build: None }];
            let mut header = MatchHeader { identities, ..header() };
            header.engines[0].name = "a".to_owned();
            header
        };
        let open = |header: &MatchHeader| Recorder::open(&folder, header, Copies::default());
        // Records of versions that did not know their players go on, and know them from then on.
        drop(open(&MatchHeader { identities: Vec::new(), ..of("1", &[]) }).unwrap());
        drop(open(&of("1", &[("net", "1")])).unwrap());
        for (other, what) in [
            (of("2", &[("net", "1")]), "differs in the program of a; choose another folder"),
            (of("1", &[("net", "2")]), "differs in the file of `net` of a"),
        ] {
            let error = open(&other).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
        // A log that came with the first games changes with the next ones.
        for log in ["1", "2"] {
            drop(open(&of("1", &[("log", log), ("net", "1")])).unwrap());
        }
    }

    #[test]
    fn one_runner_at_a_time() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("match");
        let _first = Recorder::open(&folder, &header(), Copies::default()).unwrap();
        assert!(Recorder::open(&folder, &header(), Copies::default()).is_err());
    }
}
