//! `kagetsu match`: engines play each other.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::arguments::parse_size;
use super::report;
use crate::arena::child::Surroundings;
use crate::arena::game::Adjudication;
use crate::arena::match_play::{
    Event, MatchConfig, Standings, Summary, describe, introduce, open_dialogue, run,
};
use crate::arena::opening_book::Book;
use crate::arena::recorder::Copies;
use crate::arena::records::{GAMES_FILE, GameRecord, Records};
use crate::arena::spec::{EngineSpec, make_names_unique};
use crate::arena::sprt::{Sprt, SprtVerdict};
use crate::arena::stop::Stop;
use crate::arena::warden;
use crate::board::Size;
use crate::formats::opening_file::OpeningFormat;
use crate::formats::text::printable;
use crate::rules::Rule;

/// Openings that are made when random ones are asked for.
const RANDOM_OPENINGS: usize = 1000;
/// Stones of a random opening unless told otherwise.
const RANDOM_PLIES: usize = 4;
/// How often the figures are printed where there is no terminal for a live line.
const PRINT_INTERVAL: Duration = Duration::from_secs(30);

/// Options of `kagetsu match`.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = "\
Engine options (--engine and --each, KEY=VALUE separated by blanks; values with blanks in quotes):
  cmd=COMMAND     program and arguments; without it, or with cmd=internal, the built-in engine
  name=NAME       how records call it [default: what it answers to ABOUT, else its file name]
  dir=FOLDER      where it runs [default: where the program lies]
  turn=TIME       limit for a move: seconds, or with unit as in 100ms, 2s, 3m
  match=TIME      limit for a game        inc=TIME      added after each move
  tc=M/T+I        all three, in seconds; M = 0 is no limit for the game
  nodes=N         positions a move        depth=N       plies a move
  threads=N       search threads          memory=SIZE   such as 350M; sent and enforced
  margin=TIME     forgiven beyond a limit [default: 200ms]
  hang=TIME       how long a move without a time limit may take [default: 60s]
  sendboard=true  send the whole position for each move (BOARD)
  info.KEY=VALUE  sent as INFO KEY VALUE  raw=LINE      sent as it is before each game

Examples:
  Two engines, a tenth of a second a move, 200 games, kept in the folder m1:
    kagetsu match -e cmd=./one -e cmd=./other --turn 100ms --games 200 --openings random --out m1
  Is the new one stronger? Stop as soon as that is clear:
    kagetsu match -e cmd=./new -e cmd=./old --nodes 20000 --openings random --sprt 0,10 --games 20000 --out m2
  All against all, one of them with less time, and a page to look at:
    kagetsu match -e cmd=./a -e cmd=./b -e 'cmd=./c turn=0.5' --turn 1 --openings random --report all.html
  Nothing installed? The built-in engine against itself:
    kagetsu match -e 'name=more nodes=3000' -e 'name=less nodes=300' --openings random --games 20

A match that was killed goes on with the same command if it has --out. `kagetsu report` turns its folder into a page,
`kagetsu samples` takes positions out of it.")]
pub struct MatchOptions {
    /// An engine; at least twice
    #[arg(short, long, value_name = "OPTIONS", required = true, help_heading = "Players")]
    pub engine: Vec<String>,

    /// Options for every engine
    #[arg(long, value_name = "OPTIONS", help_heading = "Players")]
    pub each: Vec<String>,

    /// Limit for a move, for every engine: seconds, or with unit as in 100ms
    #[arg(long, value_name = "TIME", help_heading = "Players")]
    pub turn: Option<String>,

    /// Positions a move, for every engine
    #[arg(long, value_name = "N", help_heading = "Players")]
    pub nodes: Option<u64>,

    /// Time of match, turn and increment in seconds, for every engine
    #[arg(long, value_name = "MATCH/TURN+INC", help_heading = "Players")]
    pub tc: Option<String>,

    /// freestyle, standard, renju, caro or exact-caro
    #[arg(long, default_value_t = Rule::Freestyle, help_heading = "Games")]
    pub rule: Rule,

    /// Side of the board, or WIDTHxHEIGHT
    #[arg(long, default_value = "15", value_parser = parse_size, help_heading = "Games")]
    pub size: Size,

    /// Games of each encounter
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Games")]
    pub games: usize,

    /// Play the whole tournament so many times: N times the games of each encounter
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Games")]
    pub rounds: usize,

    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Games")]
    pub concurrency: usize,

    /// The first engine against all others [default: all against all]
    #[arg(long, help_heading = "Games")]
    pub gauntlet: bool,

    /// The engines choose colours by swap2, from an empty board or from openings of three stones
    #[arg(long, help_heading = "Games")]
    pub swap2: bool,

    /// Openings: a file, a folder with .sgf or .psq files, or `random`; each is played with both colours
    #[arg(long, value_name = "FILE", help_heading = "Openings")]
    pub openings: Option<String>,

    /// auto, offset, absolute, pos, sgf or psq
    #[arg(long, value_name = "FORMAT", default_value = "auto", help_heading = "Openings")]
    pub openings_format: OpeningFormat,

    /// Cut openings to so many stones; the stones of random ones [default for those: 4]
    #[arg(long, value_name = "N", help_heading = "Openings")]
    pub opening_plies: Option<usize>,

    /// Play openings in random order
    #[arg(long, help_heading = "Openings")]
    pub shuffle: bool,

    /// Seed of the order and of random openings [default: random, and printed]
    #[arg(long, value_name = "N", help_heading = "Openings")]
    pub seed: Option<u64>,

    /// Play each opening once, with the colours in turn, instead of twice
    #[arg(long, help_heading = "Openings")]
    pub no_repeat: bool,

    /// Do not turn and mirror openings when all have been played
    #[arg(long, help_heading = "Openings")]
    pub no_transform: bool,

    /// A draw when so many stones are on the board
    #[arg(long, value_name = "N", visible_alias = "max-moves", help_heading = "Ending games early")]
    pub draw_after: Option<usize>,

    /// A draw after N moves in a row with scores no further from 0 than SCORE
    #[arg(long, value_name = "N,SCORE", value_parser = parse_count_and_score, help_heading = "Ending games early")]
    pub draw_quiet: Option<(usize, i32)>,

    /// A loss after N own moves in a row with scores of -SCORE or less
    #[arg(long, value_name = "N,SCORE", value_parser = parse_count_and_score, help_heading = "Ending games early")]
    pub resign: Option<(usize, i32)>,

    /// The opponent's scores must agree with a resignation
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
    #[arg(long, value_name = "DIR", help_heading = "Records and output")]
    pub out: Option<PathBuf>,

    /// Write the match as a page of HTML to look at when it ends, as `kagetsu report` does
    #[arg(long, value_name = "FILE", help_heading = "Records and output")]
    pub report: Option<PathBuf>,

    /// Write SGF, PSQ and messages only of games that the first engine lost; games.jsonl has them all
    #[arg(long, requires = "out", help_heading = "Records and output")]
    pub losses_only: bool,

    /// Keep what the engines say in the records
    #[arg(long, help_heading = "Records and output")]
    pub messages: bool,

    /// Append all that is sent and received to this file
    #[arg(long, value_name = "FILE", help_heading = "Records and output")]
    pub log: Option<PathBuf>,

    /// Print the result only
    #[arg(short, long, help_heading = "Records and output")]
    pub quiet: bool,
}

/// A seed that differs each time and is short enough to be typed again.
fn fresh_seed() -> u64 {
    RandomState::new().build_hasher().finish() >> 32
}

fn parse_count_and_score(text: &str) -> Result<(usize, i32), String> {
    let parsed = text.split_once(',').and_then(|(count, score)| {
        Some((count.trim().parse().ok().filter(|&count| count > 0)?, score.trim().parse().ok()?))
    });
    parsed.ok_or_else(|| "expected N,SCORE such as 4,500".to_owned())
}

impl MatchOptions {
    /// What is to be played. Starts the engines once to ask for their names.
    fn config(&self, around: &Surroundings, stop: &Stop) -> anyhow::Result<MatchConfig> {
        let mut each = self.each.clone();
        each.extend(self.turn.as_ref().map(|turn| format!("turn={turn}")));
        each.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        each.extend(self.tc.as_ref().map(|tc| format!("tc={tc}")));
        let mut engines: Vec<EngineSpec> =
            self.engine.iter().map(|text| EngineSpec::parse(text, &each)).collect::<anyhow::Result<_>>()?;
        ensure!(engines.len() >= 2, "a match wants two engines at least: give --engine twice");
        let named: Vec<bool> = self
            .engine
            .iter()
            .map(|text| text.split_whitespace().any(|word| word.starts_with("name=")))
            .collect();
        introduce(&mut engines, &named, around, stop)?;
        make_names_unique(&mut engines);
        let seed = self.seed.or(self.recorded_seed()?).unwrap_or_else(fresh_seed);
        let (mut book, mut book_name) = self.book(seed)?;
        if self.shuffle {
            book.shuffle(seed);
            book_name += " shuffled";
        }
        Ok(MatchConfig {
            engines,
            gauntlet: self.gauntlet,
            games: self.games.saturating_mul(self.rounds),
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
            copies: Copies { losses_only: self.losses_only, messages: self.messages },
        })
    }

    /// The seed of the match that is to be continued.
    fn recorded_seed(&self) -> anyhow::Result<Option<u64>> {
        let Some(path) = self.out.as_ref().map(|folder| folder.join(GAMES_FILE)).filter(|path| path.exists())
        else {
            return Ok(None);
        };
        Ok(Records::read(&path)?.header.map(|header| header.seed))
    }

    fn book(&self, seed: u64) -> anyhow::Result<(Book, String)> {
        Ok(match self.openings.as_deref() {
            None => (Book::empty(self.size), "empty board".to_owned()),
            Some("random") => {
                let plies = self.opening_plies.unwrap_or(RANDOM_PLIES);
                let book = Book::random(self.rule, self.size, plies, RANDOM_OPENINGS, seed)?;
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

/// Plays the match and prints its result.
///
/// # Errors
/// A match that cannot be played as described, an engine that cannot be started, records that cannot be
/// written, Ctrl-C.
pub fn play(options: &MatchOptions) -> anyhow::Result<()> {
    let stop = Stop::new();
    let handler = Arc::clone(&stop);
    ctrlc::set_handler(move || handler.interrupt()).context("catching Ctrl-C")?;
    let summary = play_until(options, &stop)?;
    if let Some(fault) = summary.fatal {
        bail!("ended by {fault}");
    }
    if summary.interrupted {
        match &options.out {
            Some(_) => bail!("interrupted; the same command goes on where this one ended"),
            None => bail!("interrupted"),
        }
    }
    Ok(())
}

/// Plays the match until it is over or `stop` says so, and prints its result.
///
/// # Errors
/// A match that cannot be played as described, an engine that cannot be started, records that cannot be
/// written.
pub fn play_until(options: &MatchOptions, stop: &Arc<Stop>) -> anyhow::Result<Summary> {
    let around = Surroundings {
        warden: Some(Arc::new(warden::start(&own_program()?).context("starting the warden")?)),
        dialogue: options.log.as_deref().map(open_dialogue).transpose()?,
        keep_messages: options.messages,
    };
    if let Some(page) = &options.report {
        // Told now rather than after hours of play.
        let folder = page.parent().filter(|folder| !folder.as_os_str().is_empty());
        let is_there = folder.is_none_or(Path::is_dir) && !page.is_dir();
        ensure!(is_there, "--report: {} cannot be written: no such folder", page.display());
    }
    let config = options.config(&around, stop)?;
    let say = |text: &str| {
        if !options.quiet {
            println!("{text}");
        }
    };
    let names = shown_names(&config);
    say(&format!(
        "{}  {} {}  {} games  openings: {} ({})  seed {}",
        names.join(" - "),
        config.rule,
        config.size,
        config.schedule().len(),
        printable(&config.book_name),
        config.book.len(),
        config.seed
    ));
    if config.book.len() == 1 && config.games > 2 && !config.swap2 {
        say("note: there is one opening only; give --openings, or games repeat each other");
    }
    let mut progress = Progress::new(&config, options.quiet);
    let mut played = Records { header: Some(config.header()), ..Records::default() };
    let summary = run(&config, &around, stop, |standings, event| {
        if options.report.is_some() && options.out.is_none() {
            match &event {
                Event::Game(game) => played.games.push((*game).clone()),
                Event::Note(text) => played.notes.push((*text).to_owned()),
                Event::Resumed(_) => {}
            }
        }
        progress.on_event(standings, &event);
    })?;
    progress.bar.finish_and_clear();
    println!("{}", result_text(&config, &summary));
    if let Some(page) = &options.report
        && summary.standings.games() > 0
    {
        let records = match &options.out {
            Some(folder) => Records::read(&folder.join(GAMES_FILE))?,
            None => played,
        };
        report::write(page, None, vec![records])?;
        say(&format!("report: {}", page.display()));
    }
    Ok(summary)
}

/// This program's own file. On Linux through the running process, so that it is found even if a build has
/// replaced it in the meantime.
fn own_program() -> anyhow::Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && running.exists() {
        return Ok(running);
    }
    std::env::current_exe().context("finding this program's own file")
}

/// The live line, and what is worth a line of its own.
struct Progress<'a> {
    config: &'a MatchConfig,
    quiet: bool,
    is_live: bool,
    bar: ProgressBar,
    printed: Instant,
}

impl<'a> Progress<'a> {
    fn new(config: &'a MatchConfig, quiet: bool) -> Progress<'a> {
        let is_live = std::io::stderr().is_terminal() && !quiet;
        let bar =
            if is_live { ProgressBar::new(config.schedule().len() as u64) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{pos}/{len} {wide_msg} {elapsed}<{eta}");
        bar.set_style(style.expect("the template is well-formed"));
        if is_live {
            bar.enable_steady_tick(Duration::from_millis(500));
        }
        Progress { config, quiet, is_live, bar, printed: Instant::now() }
    }

    fn on_event(&mut self, standings: &Standings, event: &Event) {
        match event {
            Event::Resumed(games) => {
                self.bar.reset_eta();
                self.say(&format!("resumed after {games} games"));
            }
            Event::Note(text) => self.say(&printable(text)),
            Event::Game(game) => {
                if let Some(text) = fault_text(game) {
                    self.say(&text);
                }
            }
        }
        self.bar.set_position(standings.games() as u64);
        let figures = self.figures(standings);
        if self.is_live {
            self.bar.set_message(figures);
        } else if !self.quiet && self.printed.elapsed() >= PRINT_INTERVAL {
            self.printed = Instant::now();
            println!("{} games  {figures}", standings.games());
        }
    }

    fn say(&self, text: &str) {
        if self.is_live {
            self.bar.println(text);
        } else if !self.quiet {
            println!("{text}");
        }
    }

    fn figures(&self, standings: &Standings) -> String {
        if let [_, _] = self.config.engines.as_slice() {
            return describe(&standings.encounter((0, 1)), self.config.sprt);
        }
        let names = shown_names(self.config);
        let ratings = standings.table(names.clone()).ratings();
        let rating =
            |rating: &crate::arena::ratings::Rating| format!("{} {:+.0}", names[rating.engine], rating.elo);
        ratings.iter().map(rating).collect::<Vec<_>>().join("  ")
    }
}

/// The engines' names, fit for a terminal.
fn shown_names(config: &MatchConfig) -> Vec<String> {
    config.engines.iter().map(|engine| printable(&engine.name).into_owned()).collect()
}

fn fault_text(game: &GameRecord) -> Option<String> {
    let (fault, loser) = (game.fault()?, game.loser()?);
    let text = format!("game {} ({} - {}): {loser} {fault}", game.id, game.names.0, game.names.1);
    Some(printable(&text).into_owned())
}

/// The result in a few lines.
fn result_text(config: &MatchConfig, summary: &Summary) -> String {
    let standings = &summary.standings;
    let names = shown_names(config);
    let mut lines = Vec::new();
    if let [first, second] = names.as_slice() {
        let tally = standings.encounter((0, 1));
        lines.push(format!("{first} vs {second}: {} games", tally.games()));
        lines.push(describe(&tally, None));
        let pairs = tally.pairs.map(|count| count.to_string()).join("-");
        lines.push(format!("pairs (0, 1/2, 1, 3/2, 2 points): {pairs}"));
        if let (Some(sprt), Some(verdict)) = (config.sprt, summary.verdict) {
            lines.push(verdict_text(sprt, verdict, &tally));
        }
    } else {
        lines.push(standings.table(names).draw().trim_end().to_owned());
    }
    for (name, count) in standings.faults() {
        lines.push(format!("{} lost {count} by its own fault", printable(name)));
    }
    if config.engines.iter().any(|engine| engine.command.is_some()) {
        lines.extend(standings.overhead_ms().map(|ms| format!("the runner added {ms:.2} ms to a move")));
    }
    lines.join("\n")
}

/// The SPRT in one line.
#[must_use]
pub fn verdict_text(sprt: Sprt, verdict: SprtVerdict, tally: &crate::arena::stats::Tally) -> String {
    let (low, high) = sprt.bounds();
    format!(
        "SPRT {sprt} alpha {} beta {}: LLR {:.2} ({low:.2}, {high:.2}): {}",
        sprt.alpha,
        sprt.beta,
        sprt.llr(tally),
        sprt.describe(verdict)
    )
}
