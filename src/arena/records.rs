//! What is written of a match: JSON lines with everything, and from them SGF, PSQ and results in PGN.
//!
//! The JSON lines are the truth: a line is written in one go when a game is over, so a match that was
//! killed at any moment has lost nothing but games in progress. A line that was cut off is dropped, and the
//! other files are made anew from the rest.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::adjudication::Adjudication;
use super::game::PlayedGame;
use super::outcome::{GameResult, Reason};
use super::player::Fault;
use super::spec::EngineSpec;
use super::sprt::Sprt;
use crate::board::{Color, Point, Size};
use crate::rules::Rule;

/// The JSON lines inside the output folder.
pub const GAMES_FILE: &str = "games.jsonl";
/// All games for viewers.
const SGF_FILE: &str = "games.sgf";
/// Results without moves, for programs that compute ratings.
const PGN_FILE: &str = "results.pgn";
/// One file per game for Piskvork.
const PSQ_FOLDER: &str = "psq";
/// What the engines said, game by game.
const MESSAGES_FILE: &str = "messages.txt";
/// Raised when a line means something else than before.
pub const VERSION: u32 = 1;

/// One line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum RecordLine {
    /// How the match is played; the first line.
    Match(Box<MatchHeader>),
    /// A finished game.
    Game(Box<GameRecord>),
    /// Something worth knowing that is no game.
    Note {
        /// In words.
        text: String,
    },
}

/// Everything that decides which games are played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchHeader {
    /// [`VERSION`].
    pub version: u32,
    /// The runner's own version.
    pub runner: String,
    /// The engines in order.
    pub engines: Vec<EngineSpec>,
    /// The first engine against all others, not all against all.
    pub gauntlet: bool,
    /// Games of each encounter.
    pub games: usize,
    /// The rule's name.
    pub rule: String,
    /// Columns and rows.
    pub size: (usize, usize),
    /// Where openings come from, in words.
    pub openings: String,
    /// [`Book::fingerprint`](super::openings::Book::fingerprint), in hexadecimal.
    pub openings_fingerprint: String,
    /// Whether each opening is played with both colours.
    #[serde(default = "yes")]
    pub repeat: bool,
    /// Whether a book that is used up is turned and mirrored.
    pub transform: bool,
    /// The seed of the order of openings.
    pub seed: u64,
    /// Sides are chosen by swap2.
    pub swap2: bool,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// When the match is ended early.
    pub sprt: Option<Sprt>,
}

/// Records from before there was a choice.
fn yes() -> bool {
    true
}

impl MatchHeader {
    /// What differs so much that the games of both do not belong together; `None` if nothing does. The
    /// number of games and the SPRT may change.
    #[must_use]
    pub fn conflict(&self, other: &MatchHeader) -> Option<&'static str> {
        let differences = [
            (self.engines != other.engines, "the engines or their options"),
            (self.gauntlet != other.gauntlet, "the kind of tournament"),
            (self.rule != other.rule, "the rule"),
            (self.size != other.size, "the board"),
            (self.openings_fingerprint != other.openings_fingerprint, "the openings or their order"),
            (self.repeat != other.repeat, "the repetition of openings"),
            (self.transform != other.transform, "the turning of openings"),
            (self.swap2 != other.swap2, "swap2"),
            (self.adjudication != other.adjudication, "the adjudication"),
        ];
        differences.into_iter().find(|&(differs, _)| differs).map(|(_, what)| what)
    }
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The game's place in the schedule.
    pub id: usize,
    /// The pair of games with the same opening in this encounter, from 0.
    pub pair: usize,
    /// The two engines of the encounter, as places in the header's list, the lower first.
    pub engines: (usize, usize),
    /// The engine that had Black in the end.
    pub black: usize,
    /// Names of Black and White.
    pub names: (String, String),
    /// The rule's name.
    pub rule: String,
    /// Columns and rows.
    pub size: (usize, usize),
    /// Stones of the opening among the moves.
    pub opening: usize,
    /// All stones, Black first.
    pub moves: Vec<MoveRecord>,
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// How long the game took, in ms.
    pub duration_ms: u64,
    /// What the runner itself took of it, in ms; absent after a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overhead_ms: Option<f64>,
}

/// One stone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// `h8`: column letter, row from the top.
    pub at: String,
    /// Time used; absent for the opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<f64>,
    /// In the engine's units, from its view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// In plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// What the engine said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
}

impl GameRecord {
    /// Half points of the first engine of the encounter: 0, 1 or 2.
    #[must_use]
    pub fn half_points(&self) -> usize {
        match self.result.winner() {
            None => 1,
            Some(Color::Black) if self.black == self.engines.0 => 2,
            Some(Color::White) if self.black == self.engines.1 => 2,
            Some(_) => 0,
        }
    }

    /// The fault that decided the game.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        match &self.reason {
            Reason::Fault { fault } => Some(fault),
            _ => None,
        }
    }

    /// The loser's name.
    #[must_use]
    pub fn loser(&self) -> Option<&str> {
        Some(match self.result.winner()? {
            Color::Black => &self.names.1,
            Color::White => &self.names.0,
        })
    }

    /// The moves of a played game.
    #[must_use]
    pub fn moves_of(game: &PlayedGame) -> Vec<MoveRecord> {
        let record = |played: &super::game::PlayedMove| {
            let at = played.point.to_string();
            match &played.thinking {
                None => MoveRecord { at, ..MoveRecord::default() },
                Some(thinking) => MoveRecord {
                    at,
                    ms: Some(milliseconds(thinking.elapsed)),
                    score: thinking.score,
                    depth: thinking.depth,
                    nodes: thinking.nodes,
                    messages: thinking.messages.clone(),
                },
            }
        };
        game.moves.iter().map(record).collect()
    }

    fn points(&self) -> impl Iterator<Item = (Point, &MoveRecord)> {
        self.moves.iter().filter_map(|record| Some((record.at.parse().ok()?, record)))
    }

    /// The game in SGF.
    #[must_use]
    pub fn sgf(&self) -> String {
        let size = match self.size {
            (width, height) if width == height => width.to_string(),
            (width, height) => format!("{width}:{height}"),
        };
        let how = match &self.reason {
            Reason::Resignation => "R",
            Reason::Fault { fault: Fault::Late { .. } | Fault::Hang { .. } } => "T",
            Reason::Fault { .. } | Reason::Foul => "F",
            _ => "",
        };
        let result = match self.result {
            GameResult::Black => format!("B+{how}"),
            GameResult::White => format!("W+{how}"),
            GameResult::Draw => "0".to_owned(),
        };
        let mut text = format!(
            "(;FF[4]GM[4]CA[UTF-8]AP[Kagetsu:{}]SZ[{size}]RU[{}]GN[game {}]PB[{}]PW[{}]RE[{result}]",
            env!("CARGO_PKG_VERSION"),
            self.rule,
            self.id,
            sgf_text(&self.names.0),
            sgf_text(&self.names.1),
        );
        for (n, (point, record)) in self.points().enumerate() {
            let letter = |n: usize| (b'a' + n as u8) as char;
            let color = if n % 2 == 0 { 'B' } else { 'W' };
            let _ = write!(text, "\n;{color}[{}{}]", letter(point.x()), letter(point.y()));
            let comment = comment(record);
            if !comment.is_empty() {
                let _ = write!(text, "C[{}]", sgf_text(&comment));
            }
        }
        text.push_str(")\n");
        text
    }

    /// The game as Piskvork saves it.
    #[must_use]
    pub fn psq(&self) -> String {
        // Levels and first player, which only the program's own dialogs use.
        let mut text = format!("Piskvorky {}x{}, 11:11, 0\n", self.size.0, self.size.1);
        for (point, record) in self.points() {
            let _ = writeln!(text, "{},{},{}", point.x() + 1, point.y() + 1, record.ms.unwrap_or(0.0) as u64);
        }
        let _ = write!(text, "{}\n{}\n-1\n", self.names.0, self.names.1);
        text
    }

    /// What the engines said, move by move.
    fn dialogue(&self) -> String {
        let mut text = format!("game {}: {} - {}\n", self.id, self.names.0, self.names.1);
        for (ply, (point, record)) in self.points().enumerate() {
            for message in &record.messages {
                let name = if ply % 2 == 0 { &self.names.0 } else { &self.names.1 };
                let _ = writeln!(text, "{} {point} {name}: {message}", ply + 1);
            }
        }
        text.push('\n');
        text
    }

    /// The result as a game of chess without moves.
    fn pgn(&self) -> String {
        let result = match self.result {
            GameResult::Black => "1-0",
            GameResult::White => "0-1",
            GameResult::Draw => "1/2-1/2",
        };
        // The colour that moves first is White there.
        format!(
            "[Round \"{}\"]\n[White \"{}\"]\n[Black \"{}\"]\n[Result \"{result}\"]\n\n{result}\n\n",
            self.id, self.names.0, self.names.1
        )
    }
}

fn sgf_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

fn comment(record: &MoveRecord) -> String {
    let mut parts = Vec::new();
    parts.extend(record.score.map(|score| format!("score {score}")));
    parts.extend(record.depth.map(|depth| format!("depth {depth}")));
    parts.extend(record.nodes.map(|nodes| format!("nodes {nodes}")));
    parts.extend(record.ms.map(|ms| format!("{ms:.0} ms")));
    let mut text = parts.join(", ");
    for message in &record.messages {
        let _ = write!(text, "\n{message}");
    }
    text
}

/// What a file of JSON lines holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records {
    /// The last header.
    pub header: Option<MatchHeader>,
    /// Games in the order in which they ended, each once.
    pub games: Vec<GameRecord>,
    /// Notes in order.
    pub notes: Vec<String>,
    /// Bytes of complete lines.
    pub length: usize,
}

impl Records {
    /// Reads lines; a last one that was cut off is left out.
    ///
    /// # Errors
    /// A line before the last that is no record, or records of another version.
    pub fn parse(bytes: &[u8]) -> anyhow::Result<Records> {
        let mut records = Records::default();
        let mut seen = BTreeSet::new();
        for (n, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            let is_last = records.length + line.len() == bytes.len();
            if is_last && !line.ends_with(b"\n") {
                break;
            }
            match serde_json::from_slice(line) {
                Ok(RecordLine::Match(header)) => {
                    check_version(header.version)?;
                    records.header = Some(*header);
                }
                Ok(RecordLine::Game(game)) => {
                    if seen.insert(game.id) {
                        records.games.push(*game);
                    }
                }
                Ok(RecordLine::Note { text }) => records.notes.push(text),
                Err(error) => {
                    // Other versions may have other fields.
                    serde_json::from_slice(line)
                        .map_or(Ok(()), |Versioned { version }| check_version(version))?;
                    bail!("line {} is no record: {error}", n + 1)
                }
            }
            records.length += line.len();
        }
        Ok(records)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// A file that cannot be read or holds something else.
    pub fn read(path: &Path) -> anyhow::Result<Records> {
        let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        Records::parse(&bytes).with_context(|| path.display().to_string())
    }
}

/// What the first line has in every version.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// The one place where records of another version are refused, whoever reads them.
fn check_version(version: u32) -> anyhow::Result<()> {
    ensure!(
        version == VERSION,
        "records of version {version}, but this program knows version {VERSION} only"
    );
    Ok(())
}

/// Which copies of the games stand beside the JSON lines, for programs that read other formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copies {
    /// Only games that the first engine lost. Results for ratings are of all games.
    pub losses_only: bool,
    /// Also what the engines said, as text.
    pub messages: bool,
}

/// Writes a match into a folder.
#[derive(Debug)]
pub struct Recorder {
    folder: PathBuf,
    games: File,
    sgf: File,
    pgn: File,
    messages: Option<File>,
    copies: Copies,
    /// The name of the first engine.
    first: String,
}

impl Recorder {
    /// Begins or continues the match in this folder, which is made if need be; what was played already comes
    /// back.
    ///
    /// # Errors
    /// The folder belongs to another match or another runner has it, or the system refuses.
    pub fn open(folder: &Path, header: &MatchHeader, copies: Copies) -> anyhow::Result<(Recorder, Records)> {
        fs::create_dir_all(folder.join(PSQ_FOLDER))
            .with_context(|| format!("making the folder {}", folder.display()))?;
        let path = folder.join(GAMES_FILE);
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut games = open.with_context(|| format!("opening {}", path.display()))?;
        ensure!(games.try_lock().is_ok(), "another match is being written to {}", folder.display());
        let mut bytes = Vec::new();
        games.read_to_end(&mut bytes)?;
        let records = Records::parse(&bytes).with_context(|| path.display().to_string())?;
        if let Some(before) = &records.header
            && let Some(what) = before.conflict(header)
        {
            bail!(
                "{} holds a match that differs in {what}; choose another folder for this one",
                folder.display()
            );
        }
        games.set_len(records.length as u64)?;
        games.seek(SeekFrom::End(0))?;
        let anew = |name: &str| {
            let path = folder.join(name);
            File::create(&path).with_context(|| format!("making {}", path.display()))
        };
        let mut recorder = Recorder {
            folder: folder.to_owned(),
            games,
            sgf: anew(SGF_FILE)?,
            pgn: anew(PGN_FILE)?,
            messages: copies.messages.then(|| anew(MESSAGES_FILE)).transpose()?,
            copies,
            first: header.engines.first().map(|engine| engine.name.clone()).unwrap_or_default(),
        };
        for game in &records.games {
            recorder.copy(game)?;
        }
        if records.header.as_ref() != Some(header) {
            recorder.write_line(&RecordLine::Match(Box::new(header.clone())))?;
        }
        Ok((recorder, records))
    }

    /// Writes a finished game.
    ///
    /// # Errors
    /// The system refuses.
    pub fn game(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        self.write_line(&RecordLine::Game(Box::new(game.clone())))?;
        self.copy(game)
    }

    /// Writes a game in the formats of others.
    fn copy(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        self.pgn.write_all(game.pgn().as_bytes())?;
        if self.copies.losses_only && game.loser() != Some(self.first.as_str()) {
            return Ok(());
        }
        self.sgf.write_all(game.sgf().as_bytes())?;
        if let Some(file) = &mut self.messages {
            file.write_all(game.dialogue().as_bytes())?;
        }
        let path = self.folder.join(PSQ_FOLDER).join(format!("{:06}.psq", game.id));
        fs::write(&path, game.psq()).with_context(|| format!("writing {}", path.display()))
    }

    /// Writes a note.
    ///
    /// # Errors
    /// The system refuses.
    pub fn note(&mut self, text: &str) -> anyhow::Result<()> {
        self.write_line(&RecordLine::Note { text: text.to_owned() })
    }

    fn write_line(&mut self, line: &RecordLine) -> anyhow::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.games.write_all(text.as_bytes()).context("writing a record")
    }
}

/// To the microsecond, which is precise enough and short.
#[must_use]
pub fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

/// The board of a header or game.
#[must_use]
pub fn sides(size: Size) -> (usize, usize) {
    (size.width(), size.height())
}

/// The rule of a header or game.
#[must_use]
pub fn rule_name(rule: Rule) -> String {
    rule.name().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> MatchHeader {
        MatchHeader {
            version: VERSION,
            runner: "test".to_owned(),
            engines: vec![EngineSpec::default(), EngineSpec::default()],
            gauntlet: false,
            games: 4,
            rule: "renju".to_owned(),
            size: (15, 15),
            openings: String::new(),
            openings_fingerprint: "0".to_owned(),
            repeat: true,
            transform: true,
            seed: u64::MAX,
            swap2: false,
            adjudication: Adjudication::default(),
            sprt: "0,5".parse().ok(),
        }
    }

    fn game(id: usize) -> GameRecord {
        let at = |at: &str| MoveRecord { at: at.to_owned(), ..MoveRecord::default() };
        let thought = MoveRecord {
            ms: Some(12.345),
            score: Some(-7),
            depth: Some(9),
            nodes: Some(1234),
            messages: vec!["\"é\" ]\\".to_owned()],
            ..at("i9")
        };
        GameRecord {
            id,
            pair: id / 2,
            engines: (0, 1),
            black: id % 2,
            names: ("a]".to_owned(), "b".to_owned()),
            rule: "renju".to_owned(),
            size: (15, 15),
            opening: 1,
            moves: vec![at("h8"), thought, at("a15")],
            result: GameResult::White,
            reason: Reason::Fault { fault: Fault::Late { limit_ms: 100, used_ms: 400 } },
            duration_ms: 5,
            overhead_ms: None,
        }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("kagetsu-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn records_survive_a_cut_at_any_byte() {
        let folder = folder("cut");
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
        // Cut, continued: as if nothing had happened.
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
            assert_eq!(sgf, (0..3).map(|id| game(id).sgf()).collect::<String>());
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn copies_are_those_asked_for() {
        let folder = folder("copies");
        let mut header = header();
        header.engines[0].name = "a]".to_owned();
        let copies = Copies { losses_only: true, messages: true };
        let (mut recorder, _) = Recorder::open(&folder, &header, copies).unwrap();
        let won = GameRecord { result: GameResult::Black, ..game(0) };
        [won.clone(), game(2)].iter().for_each(|game| recorder.game(game).unwrap());
        drop(recorder);
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(Records::read(&folder.join(GAMES_FILE)).unwrap().games, [won, game(2)]);
        assert_eq!((read(SGF_FILE), read(PGN_FILE).matches("[Round").count()), (game(2).sgf(), 2));
        assert_eq!(read(MESSAGES_FILE), "game 2: a] - b\n2 i9 b: \"é\" ]\\\n\n");
        assert_eq!(folder.join(PSQ_FOLDER).read_dir().unwrap().count(), 1);
        // Continued with other wishes: made anew from the records.
        drop(Recorder::open(&folder, &header, Copies::default()).unwrap());
        assert_eq!(read(SGF_FILE).matches("(;FF").count(), 2);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn another_match_is_not_continued() {
        let folder = folder("other");
        drop(Recorder::open(&folder, &header(), Copies::default()).unwrap());
        let more = MatchHeader { games: 8, sprt: None, ..header() };
        drop(Recorder::open(&folder, &more, Copies::default()).unwrap());
        let other = MatchHeader { rule: "caro".to_owned(), ..header() };
        let error = Recorder::open(&folder, &other, Copies::default()).unwrap_err();
        assert!(error.to_string().contains("the rule"), "{error}");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn one_runner_at_a_time() {
        let folder = folder("twice");
        let first = Recorder::open(&folder, &header(), Copies::default()).unwrap();
        assert!(Recorder::open(&folder, &header(), Copies::default()).is_err());
        drop(first);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn files_of_other_kinds_are_told() {
        assert!(Records::parse(b"hello\nworld\n").is_err());
        assert_eq!(Records::parse(b"hello").unwrap(), Records::default());
    }

    #[test]
    fn viewers_get_their_formats() {
        use crate::arena::openings::{Book, Format};
        let folder = folder("formats");
        fs::create_dir_all(&folder).unwrap();
        let moves = ["h8", "i9", "a15"].map(|at| at.parse::<Point>().unwrap());
        for (name, text) in [("g.sgf", game(0).sgf()), ("g.psq", game(0).psq())] {
            let path = folder.join(name);
            fs::write(&path, text).unwrap();
            let book = Book::read(&path, Format::Auto, Rule::Renju, Size::square(15), None).unwrap();
            assert_eq!(book.opening(0, false), moves, "{name}");
        }
        assert!(game(0).sgf().contains("RE[W+T]"));
        assert!(game(0).psq().starts_with("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,12\n1,15,0\n"));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn points_go_to_the_right_engine() {
        // White won; engine 0 had Black in game 0 and White in game 1.
        assert_eq!((game(0).half_points(), game(1).half_points()), (0, 2));
        assert_eq!(game(0).loser(), Some("a]"));
    }
}
