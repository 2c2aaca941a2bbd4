//! The matches that the ratings of the levels come from.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::{anyhow, bail, ensure};

use super::options::LevelsOptions;
use crate::arena::match_config::MatchConfig;
use crate::arena::match_play::run as run_match;
use crate::arena::opening_book::Book;
use crate::arena::process::MatchContext;
use crate::arena::ratings::CrossTable;
use crate::arena::recorder::Copies;
use crate::arena::spec::{EngineSpec, make_names_unique};
use crate::arena::stats::Tally;
use crate::arena::stop::Stop;
use crate::cli::ending::{Interrupted, Mistake};
use crate::cli::match_options::identities_of;
use crate::cli::openings::{self, OpeningNotation, OpeningsOptions};
use crate::cli::output::in_words;
use crate::cli::output::remark;
use crate::cli::progress::live_line;
use crate::files::{read_if_there, write_whole};
use crate::formats::text::decode;
use crate::levels::{Level, LevelRating, Method, RatingTable};
use crate::rules::Rule;

/// Random stones of an opening, least and most.
const OPENING_STONES: (usize, usize) = (3, 7);
/// Most points by which a side may stand better in an opening, and nodes searched to find that out.
const OPENING_LIMIT: i32 = 50;
const OPENING_NODES: u32 = 3000;
/// Memory of a level that searches few nodes, in bytes: a small table is quicker to clear, and no search fills it. It
/// is less than `memory=` allows, and stays so: the ratings were measured with it, and a measurement goes on only with
/// the memory that its records name.
const SMALL_MEMORY: u64 = 29 << 20;
/// Such levels search fewer nodes than this.
const FEW_NODES: u64 = 10_000;
/// A match is shorter where a level searches more nodes than this, so that it takes no longer.
const CHEAP_NODES: u64 = 3000;
/// The file in the folder of a measurement that holds its tables.
const TABLES_FILE: &str = "ratings.txt";

/// Plays the ladder under each rule and prints the ratings.
pub(super) fn measure(
    options: &LevelsOptions,
    folder: &Path,
    stop: &Arc<Stop>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let levels: Vec<Level> =
        Level::all().filter(|level| (options.from..=options.to).contains(level)).collect();
    ensure!(
        levels.len() >= 2,
        Mistake("a ladder needs at least two levels: --from must be below --to".to_owned())
    );
    let players = players(options, &levels)?;
    let rules = if options.rules.is_empty() { Rule::ALL.to_vec() } else { options.rules.clone() };
    // A file that cannot be read is told before the games, not after them.
    measured(folder)?;
    let mut tables = Vec::new();
    for rule in rules {
        let book = balanced_book(options, rule, stop)?;
        let mut results = CrossTable::new(players.iter().map(|player| player.name().to_owned()).collect());
        let mut games = vec![0; levels.len()];
        let mut meet = |one: usize, other: usize| -> anyhow::Result<Tally> {
            let pair = [&players[one], &players[other]];
            let [stronger, weaker] = pair.map(Player::name);
            let tally = play(options, rule, &book, pair, folder, stop)?;
            let (size, games, elo) = (options.size, tally.games(), tally.elo());
            writeln!(out, "{rule} {size}  {stronger} - {weaker}  {games} games  {tally}  elo {elo}")?;
            out.flush()?;
            results.set(one, other, tally);
            Ok(tally)
        };
        for (n, games) in games.iter_mut().enumerate().skip(1) {
            *games = meet(n, n - 1)?.games();
        }
        for anchor in 0..options.against.len() {
            (0..levels.len()).try_for_each(|level| meet(level, levels.len() + anchor).map(drop))?;
        }
        tables.push(rated(options, rule, &levels, &results, &games));
        if !options.against.is_empty() {
            out.write_all(anchored(options, rule, &players, &results).as_bytes())?;
        }
    }
    let text = |tables: &[RatingTable]| tables.iter().map(RatingTable::write).collect::<String>();
    let measured_now = text(&tables);
    // Other rules and boards may have been measured into the same folder.
    let mut all = measured(folder)?;
    for table in tables {
        match all.iter_mut().find(|other| (other.rule, other.size) == (table.rule, table.size)) {
            Some(other) if !has_levels_of(&table, other) => remark(format_args!(
                "{} keeps the ratings of more levels of {} on {}; --measure without --from and --to brings them up to \
                 date",
                folder.join(TABLES_FILE).display(),
                table.rule,
                table.size
            )),
            Some(other) => *other = table,
            None => all.push(table),
        }
    }
    // The file comes first: nobody may be left to read what is printed.
    write_whole(&folder.join(TABLES_FILE), text(&all))?;
    out.write_all(measured_now.as_bytes())?;
    Ok(out.flush()?)
}

/// Whether a table has all levels of another one.
fn has_levels_of(table: &RatingTable, other: &RatingTable) -> bool {
    let measured = |level| table.levels.iter().any(|rating| rating.level == level);
    other.levels.iter().all(|rating| measured(rating.level))
}

/// The tables that were measured into this folder so far.
///
/// # Errors
/// Their file cannot be read, or holds something else.
fn measured(folder: &Path) -> anyhow::Result<Vec<RatingTable>> {
    let path = folder.join(TABLES_FILE);
    let Some(bytes) = read_if_there(&path)? else { return Ok(Vec::new()) };
    let tables = RatingTable::read_all(&decode(&bytes));
    tables.map_err(|line| anyhow!("{}, line {line}: this is no table of ratings", path.display()))
}

/// The maximum-likelihood ratings of these results, counted from the weakest level.
fn rated(
    options: &LevelsOptions,
    rule: Rule,
    levels: &[Level],
    results: &CrossTable,
    games: &[u64],
) -> RatingTable {
    let ratings = results.ratings();
    let of = |engine: usize| ratings.iter().find(|rating| rating.engine == engine);
    let base = of(0).map_or(0.0, |rating| rating.elo);
    let rating = |(n, &level): (usize, &Level)| {
        let rating = of(n)?;
        Some(LevelRating { level, elo: rating.elo - base, error: rating.error, games: games[n] })
    };
    RatingTable {
        rule,
        size: options.size,
        date: options.date.clone(),
        full_nodes: options.full_nodes,
        levels: levels.iter().enumerate().filter_map(rating).collect(),
    }
}

/// The ratings on the scale of the anchors, for the user.
fn anchored(options: &LevelsOptions, rule: Rule, players: &[Player], results: &CrossTable) -> String {
    let levels = players.len() - options.against.len();
    let anchors: Vec<(usize, f64)> =
        options.against.iter().enumerate().map(|(n, anchor)| (levels + n, anchor.rating)).collect();
    let ratings = results.anchored_ratings(&anchors);
    let of = |engine: usize| ratings.iter().find(|rating| rating.engine == engine);
    let lines = players.iter().enumerate().filter_map(|(n, player)| {
        let (name, rating) = (player.name(), of(n)?);
        Some(format!("{rule} {}  {name}  {:.0} +/- {:.0}\n", options.size, rating.elo, rating.error))
    });
    lines.collect()
}

/// Openings that are balanced for a strong player, the same for all matches under the rule.
fn balanced_book(options: &LevelsOptions, rule: Rule, stop: &Stop) -> anyhow::Result<Book> {
    let recipe = OpeningsOptions {
        rule,
        size: options.size,
        count: options.openings,
        seed: Some(options.seed),
        out: None,
        format: OpeningNotation::Offset,
        stones: OPENING_STONES,
        limit: OPENING_LIMIT,
        nodes: OPENING_NODES,
        threads: Some(1),
    };
    let made = openings::make(&recipe, options.seed, || stop.is_interrupted())?;
    ensure!(!stop.is_interrupted(), Interrupted { goes_on: true });
    ensure!(
        made.len() == recipe.count,
        "{rule} {}: found only {} different openings; ask for fewer with --openings",
        options.size,
        made.len()
    );
    Book::of(made, rule, options.size)
}

/// Whether a level searches so little that its games are cheap.
fn searches_little(level: Level) -> bool {
    !matches!(level.method(), Method::Search(FEW_NODES..) | Method::Full)
}

/// Who plays: the levels, and then the other engines, under names and in folders of their own.
///
/// # Errors
/// The user has given two of them the same name, or names that mean the same folder.
fn players(options: &LevelsOptions, levels: &[Level]) -> anyhow::Result<Vec<Player>> {
    let mut players: Vec<Player> =
        levels.iter().map(|&level| Player::of_level(options, level)).collect::<anyhow::Result<_>>()?;
    let mut specs: Vec<EngineSpec> = players.iter().map(|player| player.spec().clone()).collect();
    specs.extend(options.against.iter().map(|anchor| anchor.spec.clone()));
    let named = levels.iter().map(|_| true).chain(options.against.iter().map(|anchor| anchor.is_named));
    make_names_unique(&mut specs, &named.collect::<Vec<bool>>())
        .map_err(|error| Mistake(in_words(&error)))?;
    players.extend(specs.drain(levels.len()..).map(Player::Anchor));
    let mut folders = BTreeSet::new();
    for player in &players {
        // Some file systems do not tell capital letters from small ones.
        ensure!(
            folders.insert(player.short_name().to_lowercase()),
            Mistake(format!(
                "the games of `{}` would go into a folder that is taken; name it otherwise",
                player.name()
            ))
        );
    }
    Ok(players)
}

/// Who plays in a match.
enum Player {
    Level(Level, EngineSpec),
    Anchor(EngineSpec),
}

impl Player {
    fn of_level(options: &LevelsOptions, level: Level) -> anyhow::Result<Player> {
        let nodes = if level == Level::FULL { options.full_nodes } else { 0 };
        // Without a seed of its own a level makes other choices in each game, which follow from the seed of the match:
        // with one it would play the same game again wherever an opening comes again.
        let text = format!("level={} nodes={nodes}", level.number());
        let mut spec = EngineSpec::parse(&text, &[])?;
        spec.name = level.to_string();
        spec.memory = searches_little(level).then_some(SMALL_MEMORY);
        Ok(Player::Level(level, spec))
    }

    fn name(&self) -> &str {
        &self.spec().name
    }

    /// Its name as part of a folder name.
    fn short_name(&self) -> String {
        match self {
            Player::Level(level, _) => format!("{:02}", level.number()),
            Player::Anchor(spec) => {
                let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
                spec.name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
            }
        }
    }

    /// Nodes a move, as an estimate of how long a game takes.
    fn nodes(&self, options: &LevelsOptions) -> u64 {
        match self {
            Player::Level(level, _) => match level.method() {
                Method::Full => options.full_nodes,
                Method::Search(nodes) => nodes,
                Method::Tuples | Method::Patterns => 0,
            },
            Player::Anchor(_) => 0,
        }
    }

    fn spec(&self) -> &EngineSpec {
        let (Player::Level(_, spec) | Player::Anchor(spec)) = self;
        spec
    }
}

/// Plays a match. The result is from the point of view of the first player, which is the stronger of two levels.
fn play(
    options: &LevelsOptions,
    rule: Rule,
    book: &Book,
    [first, second]: [&Player; 2],
    folder: &Path,
    stop: &Arc<Stop>,
) -> anyhow::Result<Tally> {
    let nodes = first.nodes(options).max(second.nodes(options));
    let affordable = (options.games as u64).saturating_mul(CHEAP_NODES) / nodes.max(CHEAP_NODES);
    let games = (affordable as usize).next_multiple_of(2).max(options.min_games).min(options.games);
    let below = format!("{}-{}/{}-{}", rule.name(), options.size, second.short_name(), first.short_name());
    let met = format!("{rule}: {} - {}", first.name(), second.name());
    let engines = vec![first.spec().clone(), second.spec().clone()];
    let config = MatchConfig {
        identities: identities_of(&engines)?,
        games,
        rule,
        book_name: "balanced".to_owned(),
        seed: options.seed,
        concurrency: options.concurrency.max(1),
        faults_are_fatal: true,
        out: Some(folder.join(below)),
        copies: Copies { losses_only: true, ..Copies::default() },
        ..MatchConfig::new(engines, book.clone())
    };
    let line = live_line(games as u64);
    line.set_message(met);
    let summary = run_match(&config, &MatchContext::default(), stop, |standings, _| {
        line.set_position(standings.games() as u64);
    })?;
    line.finish_and_clear();
    if summary.interrupted {
        bail!(Interrupted { goes_on: true });
    }
    if let Some(fault) = summary.fatal {
        bail!("a player failed: {fault}");
    }
    Ok(summary.standings.encounter((0, 1)))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Words {
        #[command(flatten)]
        options: LevelsOptions,
    }

    #[test]
    fn players_have_names_and_folders_of_their_own() {
        let of = |against: &[&str]| {
            let words = ["levels", "--measure", "--out", "x", "--from", "3", "--to", "4"].into_iter();
            let more = against.iter().flat_map(|&anchor| ["--against", anchor]);
            let options = Words::try_parse_from(words.chain(more)).unwrap().options;
            players(&options, &Level::all().skip(2).take(2).collect::<Vec<Level>>())
        };
        let names = |against| {
            let players = of(against).unwrap();
            players.iter().map(|player| player.name().to_owned()).collect::<Vec<String>>()
        };
        assert_eq!(names(&["nodes=5=100", "nodes=9=200"]), ["tuples", "patterns", "kagetsu", "kagetsu-2"]);
        assert_eq!(names(&["nodes=5 name=patterns-2=100"])[2], "patterns-2");
        for against in [&["nodes=5 name=a=1", "nodes=9 name=a=2"][..], &["nodes=5 name=patterns=1"]] {
            assert!(of(against).is_err_and(|error| error.is::<Mistake>()), "{against:?}");
        }
        for against in [&["nodes=5 name=03=1"][..], &["nodes=5 name=a+b=1", "nodes=9 name=A*b=2"]] {
            let said = of(against).err().unwrap().to_string();
            assert!(said.contains("folder that is taken"), "{said}");
        }
        for date in ["1 January", ""] {
            assert!(Words::try_parse_from(["levels", "--measure", "--out", "x", "--date", date]).is_err());
        }
    }

    #[test]
    fn the_ladder_is_measured_and_goes_on() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("levels");
        let words = |rule: &str, games: &str| {
            let words =
                "levels --measure --size 9 --from 3 --to 5 --openings 2".split(' ').map(str::to_owned);
            let out = folder.to_string_lossy().into_owned();
            let more = ["--rule", rule, "--games", games, "--out", &out].map(str::to_owned);
            Words::try_parse_from(words.chain(more)).unwrap()
        };
        let measured = || {
            let table = std::fs::read_to_string(folder.join(TABLES_FILE)).unwrap();
            RatingTable::read_all(&table).unwrap()
        };
        // More than twice as many as there are openings, which are then turned.
        for games in ["2", "6"] {
            let mut out = Vec::new();
            measure(&words("renju", games).options, &folder, &Stop::new(), &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.contains(&format!("patterns - tuples  {games} games")), "{text}");
            let tables = measured();
            assert_eq!((tables.len(), tables[0].levels.len()), (1, 3));
            assert_eq!(tables[0].levels[2].games.to_string(), games);
        }
        // Fewer levels leave the table alone, since their scale begins elsewhere.
        let renju = measured();
        let fewer = LevelsOptions { to: Level::from_number(4).unwrap(), ..words("renju", "2").options };
        measure(&fewer, &folder, &Stop::new(), &mut Vec::new()).unwrap();
        assert_eq!(measured(), renju);
        // Another rule leaves this one alone.
        measure(&words("freestyle", "2").options, &folder, &Stop::new(), &mut Vec::new()).unwrap();
        let both = measured();
        assert_eq!((both.len(), &both[0], both[1].rule), (2, &renju[0], Rule::Freestyle));
        std::fs::write(folder.join(TABLES_FILE), "no table").unwrap();
        let refused = measure(&words("caro", "2").options, &folder, &Stop::new(), &mut Vec::new());
        assert!(
            refused.unwrap_err().to_string().ends_with("ratings.txt, line 1: this is no table of ratings")
        );
        assert!(Words::try_parse_from(["levels", "--measure"]).is_err());
        for more in [["--out", "x"], ["--games", "5"], ["--from", "3"], ["--date", "d"], ["--size", "9"]] {
            let words = ["levels", "--fit", "8:1"].into_iter().chain(more);
            assert!(Words::try_parse_from(words).is_err(), "{more:?}");
        }
        assert!(Words::try_parse_from(["levels", "--fit", "8:1", "--rule", "renju"]).is_ok());
        assert!(Words::try_parse_from(["levels", "--measure", "--out", "x", "--games", "0"]).is_err());
    }
}
