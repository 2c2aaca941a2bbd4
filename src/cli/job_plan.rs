//! `kagetsu job plan`: the options of other subcommands, written down as a job.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::{Arg, Args, Subcommand};

use super::arguments::{DEFAULT_MEGABYTES, parse_size, seed_or_random};
use super::bench::short_signature;
use super::ending::Mistake;
use super::files::read_text;
#[cfg(feature = "library")]
use super::job_grow::PlannedGrowth;
use super::match_options::{MatchOptions, identities_of};
use super::output::counted;
#[cfg(feature = "tunable")]
use super::selfplay::GamesOptions;
use super::selfplay::RecipeOptions;
use crate::arena::match_config::MatchConfig;
use crate::arena::process::MatchContext;
use crate::arena::stop::Stop;
use crate::board::Size;
use crate::files::write_whole;
use crate::formats::moves;
use crate::formats::point_names::Rows;
use crate::formats::text::lines;
use crate::job::recipe::RecipeFile;
use crate::job::work::{MatchWork, ProofWork, RescoreWork, SelfplayWork};
use crate::job::{Build, Job, Work};
use crate::rules::Rule;

/// An option of `kagetsu match` that a job does not have.
struct Refused {
    name: &'static str,
    /// The command that has it for a job.
    command: &'static str,
    is_given: fn(&MatchOptions) -> bool,
}

const REFUSED: [Refused; 9] = [
    Refused { name: "out", command: "kagetsu job run and merge", is_given: |given| given.out.is_some() },
    Refused {
        name: "report",
        command: "kagetsu report, after the merge",
        is_given: |given| given.report.is_some(),
    },
    Refused { name: "log", command: "kagetsu match", is_given: |given| given.log.is_some() },
    Refused { name: "messages", command: "kagetsu match", is_given: |given| given.messages },
    Refused { name: "losses-only", command: "kagetsu match", is_given: |given| given.losses_only },
    Refused { name: "json", command: "kagetsu job show", is_given: |given| given.json },
    Refused { name: "fatal-faults", command: "kagetsu match", is_given: |given| given.fatal_faults },
    Refused { name: "quiet", command: "kagetsu match", is_given: |given| given.quiet },
    Refused {
        name: "concurrency",
        command: "kagetsu job run, as --threads",
        is_given: |given| given.concurrency != 1,
    },
];

/// In place of what the help of `kagetsu match` ends with, which tells of its records.
const MATCH_HELP: &str = "\
Engine options (--engine and --each): those that `kagetsu match --help` lists. `kagetsu job run` and `kagetsu job merge`
take what a job leaves open: where the games are written, and how many are played at a time.";

/// Options of `kagetsu job plan`.
#[derive(Args, Clone, Debug)]
pub struct PlanOptions {
    /// The job file to write
    #[arg(value_name = "JOB")]
    pub job: PathBuf,

    /// Replace the file if it holds another job; the shards of that one are of no use to the new one
    #[arg(long)]
    pub force: bool,

    /// Size of a shard: by default, 8 pairs of games for match, 1000 games for selfplay, 200 for rescore, 1 position
    /// for solve and 20 for grow
    #[cfg_attr(feature = "tunable", doc = "(and 8 pairs of games for spsa)")]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub shard_size: Option<u32>,

    /// The work to be done
    #[command(subcommand)]
    pub work: PlannedWork,
}

/// The kinds of work, with their options.
#[derive(Clone, Debug, Subcommand)]
pub enum PlannedWork {
    /// Play engines against each other, with the options of `kagetsu match`, including --gauntlet and --sprt
    #[command(
        mut_args(|option| { let is_refused = is_refused(&option); option.hide(is_refused) }),
        after_long_help = MATCH_HELP
    )]
    Match(Box<MatchOptions>),
    /// Play the engine against itself, for games to learn from
    Selfplay(PlannedSelfplay),
    /// Search the positions of training records again, for better scores
    Rescore {
        /// Files of records, or folders of them
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,

        /// Nodes for each position
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        nodes: u32,
    },
    /// Search positions for wins
    Solve(PlannedProofs),
    /// Grow a book: let the engine rank the best moves of positions in a library
    #[cfg(feature = "library")]
    Grow(Box<PlannedGrowth>),
    /// Tune parameters of the search
    #[cfg(feature = "tunable")]
    Spsa(PlannedSpsa),
}

/// Games of the engine against itself.
#[derive(Args, Clone, Debug)]
pub struct PlannedSelfplay {
    /// Games in all
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub games: u32,

    /// Seed from which everything follows [default: random]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// How the games are played.
    #[command(flatten)]
    pub recipe: RecipeOptions,
}

/// Positions to be searched for wins.
#[derive(Args, Clone, Debug)]
pub struct PlannedProofs {
    /// File of positions, one a line, as moves: `h8 i9` with rows counted from the top, or `7,7 8,8`
    #[arg(value_name = "FILE")]
    pub positions: PathBuf,

    /// Rule of the game
    #[arg(long, default_value_t)]
    pub rule: Rule,

    /// Board: a side such as 15, or width and height such as 20x15
    #[arg(long, value_name = "SIZE", default_value = "15", value_parser = parse_size)]
    pub size: Size,

    /// Look only for a VCF, not for a VCT as well
    #[arg(long)]
    pub vcf_only: bool,

    /// Nodes for each position
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,

    /// Memory in MB
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_MEGABYTES, value_parser = clap::value_parser!(u32).range(32..=1 << 20))]
    pub memory: u32,
}

/// Parameters to be tuned.
#[cfg(feature = "tunable")]
#[derive(Args, Clone, Debug)]
pub struct PlannedSpsa {
    /// Pairs of games in all
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(1..))]
    pub pairs: u32,

    /// Seed of the openings and the perturbations
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Parameters to tune [default: all, see src/search/params.rs]
    #[arg(long = "only", value_name = "NAME", value_delimiter = ',')]
    pub names: Vec<String>,

    /// What is played.
    #[command(flatten)]
    pub games: GamesOptions,
}

/// Writes the job and says what it is.
///
/// # Errors
/// Work that cannot be done, or not in shards; files that cannot be read or written, or hold another job.
#[cfg_attr(not(feature = "library"), expect(unused_variables, reason = "only a book begins at a place"))]
pub(super) fn plan(options: &PlanOptions, rows: Rows, out: &mut impl Write) -> anyhow::Result<()> {
    let size = options.shard_size;
    let work = match &options.work {
        PlannedWork::Match(options) => Work::Match(Box::new(match_work(options, size.unwrap_or(8))?)),
        PlannedWork::Selfplay(PlannedSelfplay { games, seed, recipe }) => Work::Selfplay(SelfplayWork {
            recipe: RecipeFile::of(&recipe.recipe()),
            seed: seed_or_random(*seed),
            games: *games,
            games_per_shard: size.unwrap_or(1000),
        }),
        PlannedWork::Rescore { files, nodes } => {
            Work::Rescore(RescoreWork::of(files, *nodes, size.unwrap_or(200))?)
        }
        PlannedWork::Solve(options) => Work::Solve(proof_work(options, size.unwrap_or(1))?),
        #[cfg(feature = "library")]
        PlannedWork::Grow(options) => Work::Grow(options.work(rows, size.unwrap_or(20))?),
        #[cfg(feature = "tunable")]
        PlannedWork::Spsa(PlannedSpsa { pairs, seed, names, games }) => {
            let start = crate::tune::spsa::Progress::new().values;
            let known = |name: &String| start.iter().any(|(other, _)| other == name);
            if let Some(name) = names.iter().find(|name| !known(name)) {
                anyhow::bail!(crate::tune::spsa::no_parameter(name));
            }
            Work::Spsa(crate::job::work::SpsaWork {
                recipe: RecipeFile::of(&games.recipe()),
                seed: *seed,
                pairs: *pairs,
                pairs_per_shard: size.unwrap_or(8),
                names: names.clone(),
                start,
            })
        }
    };
    let job = Job::new(this_build()?, work)?;
    if options.job.is_file() && !options.force {
        // Without --seed, the same command plans another job, to which the shards so far do not belong.
        let name = job.name()?;
        let there = Job::read(&options.job).and_then(|there| there.name());
        let is_same = there.is_ok_and(|there| there == name);
        let path = options.job.display();
        ensure!(is_same, "{path} is there already and holds something else; --force replaces it");
    }
    write_whole(&options.job, job.to_json()?)?;
    let (name, path, shards) = (job.name()?, options.job.display(), counted(job.shards.into(), "shard"));
    writeln!(out, "job {name}, {}: {shards}, numbered from 0, in {path}", job.work.kind())?;
    Ok(())
}

/// This build.
///
/// # Errors
/// None, as long as the positions of the signature are sound.
pub(super) fn this_build() -> anyhow::Result<Build> {
    Ok(Build::this(short_signature()?))
}

/// Whether a job refuses this option of `kagetsu match`, so that the help does not offer it.
fn is_refused(option: &Arg) -> bool {
    option.get_long().is_some_and(|name| REFUSED.iter().any(|refused| refused.name == name))
}

fn match_work(options: &MatchOptions, pairs_per_shard: u32) -> anyhow::Result<MatchWork> {
    if let Some(Refused { name, command, .. }) = REFUSED.iter().find(|refused| (refused.is_given)(options)) {
        anyhow::bail!(Mistake(format!("--{name} is not part of a job; it is an option of {command}")));
    }
    // Looked at first: reading the rest starts programs and begins files of experience.
    MatchWork::ensure_independent(&options.engines()?).map_err(|error| Mistake(error.to_string()))?;
    let config = options.config(&MatchContext::default(), &Stop::new())?;
    // The merged match may be continued, and then by nobody else.
    let config = MatchConfig { identities: identities_of(&config.engines)?, ..config };
    MatchWork::of(&config, pairs_per_shard as usize)
}

fn proof_work(options: &PlannedProofs, positions_per_shard: u32) -> anyhow::Result<ProofWork> {
    let path = options.positions.display();
    let text = read_text(&options.positions)?;
    let mut positions = Vec::new();
    for (number, line) in lines(&text) {
        let points = moves::read(line, options.size).with_context(|| format!("{path}, line {number}"))?;
        positions.push(moves::letters(&points, ""));
    }
    ensure!(!positions.is_empty(), "{path} holds no position");
    let work = ProofWork {
        rule: options.rule.name().to_owned(),
        size: (options.size.width(), options.size.height()),
        positions,
        vcf_only: options.vcf_only,
        nodes: options.nodes,
        memory: (options.memory as usize) << 20,
        positions_per_shard: positions_per_shard as usize,
    };
    work.check()?;
    Ok(work)
}
