//! The options of `kagetsu match`, and the match that they describe.

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::Args;

use super::arguments::{parse_positive, parse_size, seed_or_random};
use super::bench::short_signature;
use super::ending::{Interrupted, Mistake};
use super::output::in_words;
use crate::arena::adjudication::Adjudication;
use crate::arena::identity::Identity;
use crate::arena::introduction::introduce;
use crate::arena::match_config::{DEFAULT_GAMES, MatchConfig};
use crate::arena::opening_book::Book;
use crate::arena::process::MatchContext;
use crate::arena::recorder::Copies;
use crate::arena::records::{GAMES_FILE, MatchHeader, Records};
use crate::arena::schedule;
use crate::arena::spec::{EngineSpec, make_names_unique};
use crate::arena::sprt::Sprt;
use crate::arena::stop::Stop;
use crate::board::Size;
use crate::experience::ensure_usable;
use crate::formats::opening_file::OpeningFormat;
use crate::job::Build;
use crate::rules::Rule;

/// The least number of openings that are made when random ones are asked for: so many make the fingerprint of a book.
const LEAST_RANDOM_OPENINGS: usize = 1000;
/// The most: they are made in half a second, and then used again.
const MOST_RANDOM_OPENINGS: usize = 100_000;
/// Stones of a random opening unless told otherwise.
const RANDOM_PLIES: usize = 4;
/// The same for swap2, which begins with three stones.
const SWAP2_PLIES: usize = 3;

/// Options of `kagetsu match`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = "\
Engine options (--engine and --each): KEY=VALUE, separated by spaces. Quotes of either kind keep spaces in a value; a
backslash stands for itself, as in Windows paths.
  cmd=COMMAND     the program: the path of a file, or a program followed by its arguments; without it, or with
                  cmd=internal, the built-in engine
  arg=ARGUMENT    another argument; may be given several times
  name=NAME       its name in the records [default: the name in its reply to ABOUT, else its file name]
  dir=FOLDER      the folder in which it runs [default: that of the program]
  turn=TIME       limit for a move: in seconds, or with a unit as in 100ms, 2s, 3m
  match=TIME      limit for a game        inc=TIME      added after each move
  tc=M/T+I        all three, in seconds; M = 0 means no limit for the game
  nodes=N         nodes a move            depth=N       plies a move
  threads=N       search threads
  memory=SIZE     such as 350M; sent to a program and, on Linux, enforced [default: 96M for the built-in engine; a program
                  is told 350M, which is not enforced]
  margin=TIME     time allowed beyond a limit [default: 200ms]
  hang=TIME       how long a move without a time limit may take [default: 60s]; under 5s it also limits the wait for OK
                  after START
  sendboard=true  send the whole position for each move (BOARD)
  info.KEY=VALUE  sent as INFO KEY VALUE  raw=LINE      sent as it is before each game
                  (these, dir= and sendboard= are for programs; in --each, the built-in engine ignores them)
  level=N         level of the built-in engine, see kagetsu levels; a level is a limit by itself
  variety=PERCENT as --variety of kagetsu play, for the built-in engine
  seed=N          seed of the random choices that level= and variety= make, the same in every game; without it they
                  follow from --seed and the number of the game
  experiencefile=FILE
                  as --experience-file of kagetsu play, for the built-in engine

Examples:
  Two engines, a tenth of a second a move, 200 games, kept in the folder m1:
    kagetsu match -e cmd=./one -e cmd=./other --turn 100ms --games 200 --openings random --out m1
  Is the new one stronger? Stop as soon as that is clear:
    kagetsu match -e cmd=./new -e cmd=./old --nodes 20000 --openings random --sprt 0,10 --games 20000 --out m2
  All against all, one of them with less time, and a page to look at:
    kagetsu match -e cmd=./a -e cmd=./b -e 'cmd=./c turn=0.5' --turn 1 --openings random --report all.html
  A path with spaces, and an argument:
    kagetsu match -e \"cmd='C:\\My Engines\\pbrain.exe' arg=--fast\" -e cmd=other.exe --turn 1
  Nothing installed? The built-in engine against itself:
    kagetsu match -e 'name=more nodes=3000' -e 'name=less nodes=300' --openings random --games 20

The same command resumes a match that was interrupted or killed, if it has --out. `kagetsu report` turns the folder
into a page, and `kagetsu samples` extracts positions from it.")]
pub struct MatchOptions {
    /// An engine; give it at least twice
    #[arg(short, long, value_name = "OPTIONS", required = true, help_heading = "Players")]
    pub engine: Vec<String>,

    /// Options for every engine
    #[arg(long, value_name = "OPTIONS", help_heading = "Players")]
    pub each: Vec<String>,

    /// Limit for a move, for every engine: in seconds, or with a unit as in 100ms
    #[arg(long, value_name = "TIME", help_heading = "Players", value_parser = |text: &str| checked("turn", text))]
    pub turn: Option<String>,

    /// Nodes a move, for every engine
    #[arg(long, value_name = "N", help_heading = "Players")]
    pub nodes: Option<u64>,

    /// Times for the game, for a move and added after each move, in seconds, for every engine
    #[arg(long, value_name = "MATCH/TURN+INC", help_heading = "Players", value_parser = |text: &str| checked("tc", text))]
    pub tc: Option<String>,

    /// Rule: freestyle, standard, renju, caro or exact-caro
    #[arg(long, default_value_t = Rule::Freestyle, help_heading = "Games")]
    pub rule: Rule,

    /// Board: a side such as 15, or width and height such as 20x15
    #[arg(long, value_name = "SIZE", default_value = "15", value_parser = parse_size, help_heading = "Games")]
    pub size: Size,

    /// Games of each encounter
    #[arg(long, value_name = "N", value_parser = parse_positive, default_value_t = DEFAULT_GAMES, help_heading = "Games")]
    pub games: usize,

    /// Number of times to play the whole tournament
    #[arg(long, value_name = "N", value_parser = parse_positive, default_value_t = 1, help_heading = "Games")]
    pub rounds: usize,

    /// Games at a time
    #[arg(long, value_name = "N", value_parser = parse_positive, default_value_t = 1, help_heading = "Games")]
    pub concurrency: usize,

    /// The first engine against all others [default: all against all]
    #[arg(long, help_heading = "Games")]
    pub gauntlet: bool,

    /// The engines choose colours by swap2, from an empty board or from openings of three stones
    #[arg(long, help_heading = "Games")]
    pub swap2: bool,

    /// Openings: a file, a folder with .sgf or .psq files, or `random`; each is played with both colours [default: the
    /// empty board]
    #[arg(long, value_name = "FILE", help_heading = "Openings")]
    pub openings: Option<String>,

    /// Format of the openings: auto, offset, absolute, pos, sgf or psq
    #[arg(long, value_name = "FORMAT", default_value = "auto", help_heading = "Openings")]
    pub openings_format: OpeningFormat,

    /// Cut openings to N stones; for random openings, their number of stones, by default 4, and 3 with --swap2
    #[arg(long, value_name = "N", requires = "openings", help_heading = "Openings")]
    pub opening_plies: Option<usize>,

    /// Play openings in random order
    #[arg(long, help_heading = "Openings")]
    pub shuffle: bool,

    /// Seed of --shuffle, random openings and the random choices of built-in engines [default: random, and printed]
    #[arg(long, value_name = "N", help_heading = "Openings")]
    pub seed: Option<u64>,

    /// Play each opening once, with alternating colours, instead of twice
    #[arg(long, help_heading = "Openings")]
    pub no_repeat: bool,

    /// Do not rotate and mirror openings when all have been played
    #[arg(long, help_heading = "Openings")]
    pub no_transform: bool,

    /// Declare a draw when N stones are on the board
    #[arg(
        long,
        value_name = "N",
        visible_alias = "max-moves",
        value_parser = parse_positive,
        help_heading = "Ending games early"
    )]
    pub draw_after: Option<usize>,

    /// Declare a draw after N moves in a row with scores within SCORE of 0
    #[arg(long, value_name = "N,SCORE", value_parser = |text: &str| parse_count_and_score(text, 0), help_heading = "Ending games early")]
    pub draw_quiet: Option<(usize, i32)>,

    /// Resign for an engine after N of its own moves in a row with scores of -SCORE or less
    #[arg(long, value_name = "N,SCORE", value_parser = |text: &str| parse_count_and_score(text, 1), help_heading = "Ending games early")]
    pub resign: Option<(usize, i32)>,

    /// Resign only if the opponent's scores agree
    #[arg(long, requires = "resign", help_heading = "Ending games early")]
    pub resign_both: bool,

    /// Stop when it is clear whether the first engine is stronger: ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA
    #[arg(
        long,
        value_name = "ELO0,ELO1",
        allow_hyphen_values = true,
        help_heading = "Ending the match early"
    )]
    pub sprt: Option<Sprt>,

    /// End the match when an engine fails
    #[arg(long, help_heading = "Ending the match early")]
    pub fatal_faults: bool,

    /// Folder for records: games.jsonl, games.sgf, results.pgn, psq/, and messages.txt with --messages
    #[arg(long, value_name = "FOLDER", help_heading = "Records and output")]
    pub out: Option<PathBuf>,

    /// When the match ends, write it as an HTML page, as `kagetsu report` does
    #[arg(long, value_name = "FILE", help_heading = "Records and output")]
    pub report: Option<PathBuf>,

    /// Write SGF, PSQ and messages only of games that the first engine lost; games.jsonl has them all
    #[arg(long, requires = "out", help_heading = "Records and output")]
    pub losses_only: bool,

    /// Keep the messages of the engines in the records
    #[arg(long, requires = "out", help_heading = "Records and output")]
    pub messages: bool,

    /// Append everything that is sent and received to this file
    #[arg(long, value_name = "FILE", help_heading = "Records and output")]
    pub log: Option<PathBuf>,

    /// Print only the result
    #[arg(short, long, help_heading = "Records and output")]
    pub quiet: bool,

    /// Print nothing but the result, as one line of JSON for scripts
    #[arg(long, help_heading = "Records and output")]
    pub json: bool,
}

/// Checks the value of an option that sets a key in every engine's description.
fn checked(key: &str, value: &str) -> Result<String, String> {
    EngineSpec::check(key, value).map(|()| value.to_owned()).map_err(|error| in_words(&error))
}

/// `4,500`: a number of moves and a score of at least `least`. The option implies the sign: with a negative score,
/// nearly every game would end by resignation.
fn parse_count_and_score(text: &str, least: i32) -> Result<(usize, i32), String> {
    let parsed = text.split_once(',').and_then(|(count, score)| {
        Some((count.trim().parse().ok().filter(|&count| count > 0)?, score.trim().parse().ok()?))
    });
    let (count, score) = parsed.ok_or_else(|| "expected N,SCORE such as 4,500".to_owned())?;
    if score < least {
        return Err(format!("SCORE must be at least {least}; its sign is implied"));
    }
    Ok((count, score))
}

impl MatchOptions {
    /// The engines as they are described, whose programs may have other names.
    ///
    /// # Errors
    /// A [`Mistake`]: a description that cannot be read, fewer than two, or options for programs where there are none.
    pub(super) fn engines(&self) -> anyhow::Result<Vec<EngineSpec>> {
        let mut each = self.each.clone();
        each.extend(self.turn.as_ref().map(|turn| format!("turn={turn}")));
        each.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        each.extend(self.tc.as_ref().map(|tc| format!("tc={tc}")));
        let engines: Vec<EngineSpec> = self
            .engine
            .iter()
            .map(|text| EngineSpec::parse(text, &each))
            .collect::<anyhow::Result<_>>()
            .map_err(|error| Mistake(in_words(&error)))?;
        ensure!(
            engines.len() >= 2,
            Mistake("a match needs at least two engines: give --engine twice".to_owned())
        );
        if engines.iter().all(|engine| engine.command.is_none())
            && let Some(word) = each.iter().find_map(|text| EngineSpec::option_for_programs(text))
        {
            bail!(Mistake(format!("--each: `{word}` is for programs, and only the built-in engine plays")));
        }
        Ok(engines)
    }

    /// What is to be played. Starts the engines once to ask for their names.
    pub(super) fn config(&self, context: &MatchContext, stop: &Stop) -> anyhow::Result<MatchConfig> {
        let mut engines = self.engines()?;
        let named: Vec<bool> = self.engine.iter().map(|text| EngineSpec::is_named(text)).collect();
        for path in engines.iter().filter_map(|engine| engine.experience_file.as_deref()) {
            ensure_usable(path).context("experiencefile=")?;
        }
        introduce(&mut engines, &named, context, stop)?;
        // Not all engines have said their names, and no match may begin or go on under wrong ones.
        ensure!(!stop.is_interrupted(), Interrupted { goes_on: self.out.is_some() });
        make_names_unique(&mut engines, &named).map_err(|error| Mistake(in_words(&error)))?;
        let recorded =
            self.recorded()?.filter(|recorded| are_the_same(&engines, recorded.engines.as_slice(), &named));
        self.config_of(recorded.map_or(engines, |recorded| recorded.engines))
    }

    /// What is to be played between these engines, whatever the options say about engines.
    ///
    /// # Errors
    /// Openings or earlier records that cannot be read, or a match that cannot be played.
    pub(super) fn config_of(&self, engines: Vec<EngineSpec>) -> anyhow::Result<MatchConfig> {
        let seed = seed_or_random(self.seed.or(self.recorded()?.map(|header| header.seed)));
        let games = self.games.saturating_mul(self.rounds);
        let (mut book, mut book_name) = self.book(seed, schedule::openings(games, !self.no_repeat))?;
        if self.shuffle {
            book.shuffle(seed);
            book_name += " shuffled";
        }
        let config = MatchConfig {
            identities: if self.out.is_some() { identities_of(&engines)? } else { Vec::new() },
            engines,
            gauntlet: self.gauntlet,
            games,
            pairs: None,
            rule: self.rule,
            size: self.size,
            book,
            book_name,
            repeat: !self.no_repeat,
            transform: !self.no_transform,
            seed,
            swap2: self.swap2,
            adjudication: Adjudication {
                draw_after: self.draw_after,
                quiet: self.draw_quiet,
                resign: self.resign,
                resign_both: self.resign_both,
            },
            sprt: self.sprt,
            concurrency: self.concurrency,
            faults_are_fatal: self.fatal_faults,
            out: self.out.clone(),
            copies: Copies { losses_only: self.losses_only, messages: self.messages, records_only: false },
        };
        config.check().map_err(|error| Mistake(in_words(&error)))?;
        Ok(config)
    }

    /// The match that is to be continued.
    fn recorded(&self) -> anyhow::Result<Option<MatchHeader>> {
        let Some(path) = self.out.as_ref().map(|folder| folder.join(GAMES_FILE)).filter(|path| path.exists())
        else {
            return Ok(None);
        };
        Ok(Records::read(&path)?.header)
    }

    /// The openings, of which the match has use for so many, and where they come from.
    fn book(&self, seed: u64, needed: usize) -> anyhow::Result<(Book, String)> {
        Ok(match self.openings.as_deref() {
            None => (Book::empty(self.size), "empty board".to_owned()),
            Some("random") => {
                let default = if self.swap2 { SWAP2_PLIES } else { RANDOM_PLIES };
                let plies = self.opening_plies.unwrap_or(default);
                let count = needed.clamp(LEAST_RANDOM_OPENINGS, MOST_RANDOM_OPENINGS);
                let book = Book::random(self.rule, self.size, plies, count, seed)
                    .map_err(|error| Mistake(format!("--opening-plies: {}", in_words(&error))))?;
                (book, format!("random, {plies} stones"))
            }
            Some(path) => {
                let book = Book::read(
                    path.as_ref(),
                    self.openings_format,
                    self.rule,
                    self.size,
                    self.opening_plies,
                )?;
                (book, path.to_owned())
            }
        })
    }
}

/// Who plays, for records that might be continued.
///
/// # Errors
/// The build of this program cannot be told.
pub(in crate::cli) fn identities_of(engines: &[EngineSpec]) -> anyhow::Result<Vec<Identity>> {
    let is_built_in = engines.iter().any(|engine| engine.command.is_none());
    let build = if is_built_in { Build::this(short_signature()?).to_string() } else { String::new() };
    Ok(engines.iter().map(|engine| Identity::of(engine, &build)).collect())
}

/// Whether these are the engines of the records, apart from the names of those that the user did not name: an engine
/// may answer too late to `ABOUT` in one run and in time in the next.
fn are_the_same(engines: &[EngineSpec], recorded: &[EngineSpec], named: &[bool]) -> bool {
    let is_same = |((engine, recorded), &named): ((&EngineSpec, &EngineSpec), &bool)| {
        let name = if named { &engine.name } else { &recorded.name };
        EngineSpec { name: name.clone(), ..engine.clone() } == *recorded
    };
    engines.len() == recorded.len() && engines.iter().zip(recorded).zip(named).all(is_same)
}

#[cfg(test)]
pub(super) mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Words {
        #[command(flatten)]
        options: MatchOptions,
    }

    fn parsed(words: &str) -> Result<MatchOptions, clap::Error> {
        let words = std::iter::once("match").chain(words.split_whitespace());
        Words::try_parse_from(words).map(|words| words.options)
    }

    /// The match that these words describe, between built-in engines.
    pub(in crate::cli) fn config(words: &str) -> MatchConfig {
        parsed(words).unwrap().config(&MatchContext::default(), &Stop::new()).unwrap()
    }

    #[test]
    fn the_crate_has_the_same_defaults() {
        let parsed = config("-e nodes=1 -e nodes=1 --seed 0");
        let made = MatchConfig::new(parsed.engines.clone(), parsed.book.clone());
        let made = MatchConfig { book_name: parsed.book_name.clone(), ..made };
        assert_eq!(format!("{made:?}"), format!("{parsed:?}"));
    }

    #[test]
    fn nothing_is_no_number_of_anything() {
        for option in ["--draw-after", "--games", "--rounds", "--concurrency"] {
            let words = |number: &str| format!("-e nodes=1 -e nodes=1 {option} {number}");
            assert!(parsed(&words("0")).is_err() && parsed(&words("x")).is_err(), "{option}");
            assert!(parsed(&words("1")).is_ok(), "{option}");
        }
    }

    #[test]
    fn the_sign_of_a_score_is_implied() {
        let with = |option: &str, value: &str| parsed(&format!("-e nodes=1 -e nodes=1 {option} {value}"));
        assert_eq!(with("--resign", "4,1500").unwrap().resign, Some((4, 1500)));
        assert_eq!(with("--draw-quiet", "20,0").unwrap().draw_quiet, Some((20, 0)));
        for (option, value) in [
            ("--resign", "4,-1500"),
            ("--resign", "4,0"),
            ("--resign", "4,-2147483648"),
            ("--draw-quiet", "20,-1"),
        ] {
            let error = with(option, value).unwrap_err().to_string();
            assert!(error.contains("its sign is implied"), "{error}");
        }
        assert!(with("--resign", "4").is_err() && with("--resign", "0,5").is_err());
    }

    #[test]
    fn no_random_opening_is_used_twice() {
        let book =
            |words: &str| config(&format!("-e nodes=1 -e nodes=1 --openings random --seed 4 {words}")).book;
        let [few, many] = ["--games 100", "--games 20000"].map(book);
        assert_eq!((few.len(), many.len()), (1000, 10_000));
        assert_eq!((few.fingerprint(), few.openings()), (many.fingerprint(), &many.openings()[..1000]));
        assert_eq!(book("--games 1500 --no-repeat").len(), 1500);
    }

    /// The mistake in these words, which shows only after parsing.
    fn mistake(words: &str) -> String {
        let config = parsed(words).unwrap().config(&MatchContext::default(), &Stop::new());
        let error = config.unwrap_err();
        error.downcast_ref::<Mistake>().unwrap_or_else(|| panic!("{words}: {error:#}")).to_string()
    }

    #[test]
    fn an_engine_keeps_the_name_that_the_records_have() {
        let spec = |text: &str| EngineSpec::parse(text, &[]).unwrap();
        let engines = [spec("cmd=./pela turn=1"), spec("name=own nodes=9")];
        let recorded =
            |name: &str, own: &str| [EngineSpec { name: name.to_owned(), ..engines[0].clone() }, spec(own)];
        let is_same = |recorded: &[EngineSpec]| are_the_same(&engines, recorded, &[false, true]);
        assert!(is_same(&recorded("Pela 8", "name=own nodes=9")));
        assert!(!is_same(&recorded("Pela 8", "name=other nodes=9")));
        assert!(!is_same(&recorded("Pela 8", "name=own nodes=8")));
        assert!(!is_same(&engines[..1]));
    }

    #[test]
    fn matches_that_cannot_be_played_are_mistakes() {
        for (words, said) in [
            ("-e nodes=1", "at least two engines"),
            ("-e name=a -e name=b", "a has no limit"),
            ("-e name=a -e name=a --nodes 1", "two engines are called `a`"),
            ("-e nodes=1 -e nodes=2 -e nodes=3 --sprt 0,10", "exactly two engines"),
            ("-e nodes=1 -e nodes=2 --swap2 --openings random --opening-plies 4", "three stones"),
            ("-e nodes=1 -e nodes=2 --each info.hash=5", "`info.hash=5` is for programs"),
            (
                "-e nodes=1 -e nodes=2 --openings random --opening-plies 30",
                "--opening-plies: a random opening",
            ),
            ("-e nodes=1 -e nodes=2 --games 10000001", "at most 10000000 games"),
            ("-e nodes=1 -e nodes=2 --games 18446744073709551615 --rounds 2", "at most 10000000 games"),
        ] {
            let error = mistake(words);
            assert!(error.contains(said), "{words}: {error}");
        }
        assert!(parsed("-e nodes=1 -e nodes=1 --opening-plies 3").is_err());
        let swap2 = config("-e nodes=1 -e nodes=1 --swap2 --openings random --seed 1");
        assert!(swap2.book.openings().iter().all(|opening| opening.len() == 3));
    }
}
