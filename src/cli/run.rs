//! Chooses the subcommand. Without one the engine speaks the protocol at once, because that is how managers start it.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::Context;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use super::analyse::{self, AnalyseOptions};
use super::arguments::Edge;
use super::bench::{self, BenchOptions};
use super::check_proof::{self, CheckOptions};
use super::color::{self, When};
use super::completions::{self, CompletionsOptions, ManOptions};
use super::data::{self, DataOptions};
use super::demo;
use super::ending::{Ending, exit_code};
use super::job::{self, JobOptions};
use super::levels::{self, LevelsOptions};
use super::licenses;
use super::match_options::MatchOptions;
use super::match_play;
use super::measure::{self, MeasureOptions};
use super::openings::{self, OpeningsOptions};
use super::output::{complain, in_words, unless_reader_left};
use super::play::{self, PlayOptions};
use super::report::{self, ReportOptions};
use super::samples::{self, SampleOptions};
use super::selfplay::{self, SelfplayOptions};
use super::solve::{self, SolveOptions};
use super::train::{self, TrainOptions};
use super::tune::{self, TuneOptions};
use crate::formats::point_names::Rows;

/// What the exit status says.
const STATUSES: &str = "\
Exit status: 0 done, 2 a mistake in the command line, 1 any other failure. Ctrl-C and SIGTERM end with 130 what has\n\
results to show or save; the signal itself ends all else, such as play, board, bench and demo.\n\
kagetsu solve: 0 a win, 10 no win, 11 not found within the limits.\n\
kagetsu job: 12 this is not the build that the job was planned with.";

/// What `--version` prints after the name. A build whose parameters can be set is slower, so it must not be taken for
/// another.
const VERSION: &str = if cfg!(feature = "tunable") {
    concat!(env!("CARGO_PKG_VERSION"), " (tunable)")
} else {
    env!("CARGO_PKG_VERSION")
};

/// Kagetsu, an engine for Gomoku and Renju.
///
/// Without a subcommand it speaks the Gomocup (Piskvork) protocol with the Yixin-Board extensions on
/// standard input and output, for a manager or GUI to drive. To try it by hand, type START 15, then BEGIN,
/// then TURN 5,5 and so on; END ends it.
#[derive(Debug, Parser)]
#[command(name = "kagetsu", bin_name = "kagetsu", version = VERSION, args_conflicts_with_subcommands = true, after_help = STATUSES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    #[command(flatten)]
    play: PlayOptions,

    /// Count board rows from the bottom (a1 is the lower left corner) or from the top
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "EDGE",
        default_value_t,
        help_heading = "Global options"
    )]
    rows: Edge,

    /// When to use colours
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        help_heading = "Global options"
    )]
    color: When,
}

/// The subcommands, in the order in which the help lists them: for playing, analysing, matches, positions and levels,
/// learning, many machines, and the program itself.
#[derive(Debug, Subcommand)]
enum Command {
    /// Speak the protocol (the default without a subcommand)
    Play(PlayOptions),
    /// Play, analyse and solve on a board in the browser
    #[cfg(feature = "gui")]
    Board(super::board::BoardOptions),
    /// Show a short game as messages of the protocol, and exit
    Demo,
    /// Show the best moves of a position, or analyse every move of a game and mark the mistakes
    Analyse(AnalyseOptions),
    /// Prove that a side wins by force (VCF, VCT), or that it does not; or solve a small game of k in a row
    Solve(SolveOptions),
    /// Check a proof that `kagetsu solve --format json` has written, using only the rules of the game
    CheckProof(CheckOptions),
    /// Play engines against each other: two, a gauntlet or all against all, with SPRT, records and resumption
    Match(Box<MatchOptions>),
    /// Write a match as one HTML page: tables, curves, and every game to step through
    Report(ReportOptions),
    /// Generate balanced openings for matches
    Openings(OpeningsOptions),
    /// Build a commit and the working tree, and play them against each other until it is clear which is stronger
    Measure(MeasureOptions),
    /// Keep positions with games, scores and comments: import, export, look up, and grow a book
    #[cfg(feature = "library")]
    Library(super::library::LibraryOptions),
    /// Show the levels from beginner to full strength, or measure how far apart they are
    Levels(LevelsOptions),
    /// Play games of the engine against itself, and write them as training records
    Selfplay(SelfplayOptions),
    /// Inspect training records, or give them new scores
    Data(DataOptions),
    /// Extract training positions from recorded matches
    Samples(SampleOptions),
    /// Fit the hand-crafted evaluation (HCE) to games of self-play
    Tune(TuneOptions),
    /// Train the NNUE-style networks of the evaluation on games of self-play
    Train(TrainOptions),
    /// Tune the parameters of the search by playing games (SPSA)
    #[cfg(feature = "tunable")]
    Spsa(super::spsa::SpsaOptions),
    /// Split long work into shards for many machines: plan it, run the shards, merge them
    Job(JobOptions),
    /// Search fixed positions to a fixed depth, and print the speed and the signature of the search
    Bench(BenchOptions),
    /// Write a completion script for a shell
    Completions(CompletionsOptions),
    /// Write the manual page of the program, or one for each subcommand
    Man(ManOptions),
    /// Print the licences of the program and of the libraries in it
    Licenses,
    /// Kill engines when the runner that reports them on standard input is gone
    #[command(name = crate::arena::watchdog::SUBCOMMAND, hide = true)]
    Watchdog,
}

/// Runs the subcommand that the arguments (the program's name first) ask for.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match parse(arguments.into_iter().collect()) {
        Ok(cli) => cli,
        Err(error) => return show(&error),
    };
    cli.color.apply();
    let command = cli.command.unwrap_or(Command::Play(cli.play));
    let ended = unless_reader_left(run_subcommand(command, cli.rows.into()));
    if let Err(error) = &ended {
        complain(in_words(error));
    }
    exit_code(&ended)
}

/// Prints what the parser has to say: help and version to stdout with status 0, mistakes to stderr with status 2.
fn show(error: &clap::Error) -> ExitCode {
    let printed = error.print().context("writing to standard output").map(|()| Ending::Done);
    if error.use_stderr() {
        return ExitCode::from(2);
    }
    let ended = unless_reader_left(printed);
    if let Err(error) = &ended {
        complain(in_words(error));
    }
    exit_code(&ended)
}

fn run_subcommand(command: Command, rows: Rows) -> anyhow::Result<Ending> {
    let done = match command {
        Command::Play(options) => play::play(&options),
        #[cfg(feature = "gui")]
        Command::Board(options) => super::board::run(&options),
        Command::Demo => demo::run(rows, std::io::stdout().lock()),
        Command::Bench(options) => bench::run(&options, std::io::stdout().lock()),
        Command::Openings(options) => openings::run(&options),
        Command::Selfplay(options) => selfplay::run(&options),
        Command::Data(options) => data::run(&options, rows, std::io::stdout().lock()),
        Command::Match(options) => match_play::play(&options, rows),
        Command::Job(options) => job::run(&options, rows, std::io::stdout()),
        Command::Report(options) => report::run(&options, rows),
        Command::Samples(options) => samples::run(&options),
        Command::Levels(options) => levels::run(&options, std::io::stdout().lock()),
        Command::Measure(options) => measure::measure(&options, rows),
        Command::Watchdog => {
            crate::arena::watchdog::serve(std::io::stdin().lock());
            Ok(())
        }
        Command::Tune(options) => tune::run(&options, std::io::stdout().lock()),
        Command::Train(options) => train::run(&options, std::io::stdout()),
        Command::Solve(options) => return solve::run(&options, rows, std::io::stdout().lock()),
        Command::Analyse(options) => analyse::run(&options, rows, color::out()),
        #[cfg(feature = "library")]
        Command::Library(options) => super::library::run(&options, rows, std::io::stdout().lock()),
        Command::Completions(options) => {
            completions::complete(&options, Cli::command(), std::io::stdout().lock())
        }
        Command::Man(options) => completions::man(&options, Cli::command(), std::io::stdout().lock()),
        Command::Licenses => licenses::run(std::io::stdout().lock()),
        Command::CheckProof(options) => check_proof::run(&options, std::io::stdout().lock()),
        #[cfg(feature = "tunable")]
        Command::Spsa(options) => super::spsa::run(&options, std::io::stdout().lock()),
    };
    done.map(|()| Ending::Done)
}

/// Reads the arguments. Without a subcommand, unknown switches are left out, because managers pass their own to every
/// engine (Yixin-Board for Windows: `--force-utf8`).
fn parse(mut arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    let mut ignored: Vec<String> = Vec::new();
    loop {
        let choice = When::in_arguments(&arguments).for_help();
        let parsed = command().color(choice).try_get_matches_from_mut(&arguments);
        let error = match parsed.and_then(|matches| Cli::from_arg_matches(&matches)) {
            Ok(cli) => return Ok(Cli { play: PlayOptions { ignored, ..cli.play }, ..cli }),
            Err(error) => error,
        };
        let Some(at) = unknown_switch(&error, &arguments) else { return Err(explained(error, &ignored)) };
        if names_subcommand(&arguments) {
            return Err(error);
        }
        ignored.push(arguments.remove(at).to_string_lossy().into_owned());
    }
}

/// The error, or what is to be done if it is about an option before its subcommand, about a subcommand that another
/// build has, or about what may be the value of one of the switches that were ignored.
fn explained(error: clap::Error, ignored: &[String]) -> clap::Error {
    if error.kind() == ErrorKind::ArgumentConflict
        && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        && let Some(ContextValue::String(option)) = error.get(ContextKind::PriorArg)
    {
        let told = format!("options come after the subcommand: kagetsu {name} {option}");
        return command().error(ErrorKind::ArgumentConflict, told);
    }
    #[cfg(not(feature = "tunable"))]
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        && name == "spsa"
    {
        return command().error(ErrorKind::InvalidSubcommand, crate::job::SPSA_NEEDED);
    }
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        && !ignored.is_empty()
    {
        let switches = ignored.join(", ");
        let told =
            format!("`{name}` is no subcommand, and there is no option {switches} that it could belong to");
        return command().error(ErrorKind::InvalidSubcommand, told);
    }
    error
}

/// The index of the switch that the parser did not know, if that is what the error is about.
fn unknown_switch(error: &clap::Error, arguments: &[OsString]) -> Option<usize> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(unknown)) = error.get(ContextKind::InvalidArg) else { return None };
    if !unknown.starts_with('-') {
        return None;
    }
    // `-xyz` is reported as `-x`, `--name=value` as `--name`.
    let is_it = |argument: &OsString| {
        let argument = argument.to_string_lossy();
        let rest = argument.strip_prefix(unknown.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('=') || !unknown.starts_with("--"))
    };
    arguments.iter().skip(1).position(is_it).map(|n| n + 1)
}

/// The command line. `-1` counts as a value wherever one is expected. It is wrong in most places, but then the error
/// says so instead of reporting a missing value.
fn command() -> clap::Command {
    fn with_negative_values(command: clap::Command) -> clap::Command {
        let command = command.mut_args(|argument| match argument.get_action().takes_values() {
            true => argument.allow_negative_numbers(true),
            false => argument,
        });
        command.mut_subcommands(with_negative_values)
    }
    with_negative_values(Cli::command())
}

fn names_subcommand(arguments: &[OsString]) -> bool {
    let command = Cli::command();
    arguments
        .iter()
        .skip(1)
        .any(|argument| argument == "help" || command.get_subcommands().any(|sub| argument == sub.get_name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Cli, clap::Error> {
        parse(line.split(' ').map(OsString::from).collect())
    }

    #[test]
    fn the_command_line_is_well_formed() {
        command().debug_assert();
    }

    #[test]
    fn managers_may_pass_what_they_like() {
        for line in ["kagetsu", "kagetsu --force-utf8", "kagetsu -x --y=3 --force-utf8 -zz"] {
            let cli = parsed(line).unwrap();
            assert!(cli.command.is_none() && cli.play.threads == 1 && cli.play.memory == 350, "{line}");
        }
        assert_eq!(parsed("kagetsu --force-utf8 --threads 2").unwrap().play.threads, 2);
        // A switch that is known stays, although an unknown one begins it.
        assert_eq!(parsed("kagetsu --threads 2 --thr").unwrap().play.threads, 2);
        assert_eq!(parsed("kagetsu --thr=3 --threads=2").unwrap().play.threads, 2);
        assert_eq!(parsed("kagetsu --thr=3 --threads=2 -x").unwrap().play.ignored, ["--thr=3", "-x"]);
    }

    #[test]
    fn rows_are_counted_from_the_bottom_unless_told_otherwise() {
        let edge = |line: &str| parsed(line).unwrap().rows;
        assert_eq!(edge("kagetsu solve --moves h8"), Edge::Bottom);
        assert_eq!(edge("kagetsu solve --moves h8 --rows top"), Edge::Top);
        assert_eq!(edge("kagetsu demo --rows bottom"), Edge::Bottom);
        assert!(parsed("kagetsu demo --rows left").is_err());
    }

    #[test]
    fn mistakes_are_told() {
        for line in ["kagetsu bnech", "kagetsu play --bogus", "kagetsu --threads 0", "kagetsu --threads x"] {
            assert!(parsed(line).is_err(), "{line}");
        }
        // Without the switch that is ignored, its value looks like a subcommand.
        let error = parsed("kagetsu --thread 2").unwrap_err();
        assert!(
            error.to_string().contains("`2` is no subcommand, and there is no option --thread"),
            "{error}"
        );
        assert_eq!(error.kind(), ErrorKind::InvalidSubcommand);
        for line in ["kagetsu --rows top demo", "kagetsu --threads 2 play"] {
            let error = parsed(line).unwrap_err().to_string();
            assert!(error.contains("options come after the subcommand: kagetsu "), "{error}");
        }
        for line in ["kagetsu --threads -1", "kagetsu play --threads -1", "kagetsu bench --threads -1"] {
            let error = parsed(line).unwrap_err().to_string();
            assert!(error.contains("-1"), "{error}");
        }
        #[cfg(not(feature = "tunable"))]
        for line in ["kagetsu spsa --out f", "kagetsu job plan j.json spsa"] {
            let error = parsed(line).unwrap_err().to_string();
            assert!(error.contains("--features tunable"), "{error}");
        }
        assert_eq!(parsed("kagetsu --help").unwrap_err().kind(), ErrorKind::DisplayHelp);
        let version = parsed("kagetsu --version").unwrap_err();
        assert_eq!(version.kind(), ErrorKind::DisplayVersion);
        let is_tunable = cfg!(feature = "tunable");
        assert_eq!(version.to_string().trim_end().ends_with(" (tunable)"), is_tunable, "{version}");
    }
}
