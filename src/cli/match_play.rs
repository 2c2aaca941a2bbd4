//! `kagetsu match`: engines play each other.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};

use super::ending::{INTERRUPTED, Interrupted};
use super::files::{ensure_is_no_input, ensure_page_can_be_written};
use super::match_json::result_json;
use super::match_options::MatchOptions;
use super::match_text::{Progress, result_text};
use super::output::{counted, print_line};
use super::report;
use crate::arena::descendants::{adopt_orphans, kill_all_below};
use crate::arena::match_config::MatchConfig;
use crate::arena::match_play::{Event, MatchSummary, run};
use crate::arena::process::{MatchContext, open_dialogue};
use crate::arena::recorder::FILES;
use crate::arena::records::{GAMES_FILE, Records};
use crate::arena::stop::Stop;
use crate::arena::watchdog;
use crate::formats::point_names::Rows;
use crate::formats::text::printable;

/// Plays the match and prints its result.
///
/// # Errors
/// A match that cannot be played as described, an engine that cannot be started, records that cannot be
/// written, Ctrl-C.
pub fn play(options: &MatchOptions, rows: Rows) -> anyhow::Result<()> {
    let stop = Stop::new();
    stop_on_ctrl_c(&stop)?;
    let summary = play_until(options, rows, &stop)?;
    if let Some(fault) = summary.fatal {
        bail!("ended by {fault}");
    }
    if summary.interrupted {
        bail!(Interrupted { goes_on: options.out.is_some() });
    }
    Ok(())
}

/// Ends the match in good order at the first Ctrl-C or SIGTERM, and the program at the second. Whatever holds it up
/// then, the watchdog takes care of the engines.
///
/// # Errors
/// The system refuses.
pub(super) fn stop_on_ctrl_c(stop: &Arc<Stop>) -> anyhow::Result<()> {
    let stop = Arc::clone(stop);
    let handler = move || {
        if stop.is_interrupted() {
            std::process::exit(INTERRUPTED.into());
        }
        stop.interrupt();
    };
    ctrlc::set_handler(handler).context("catching Ctrl-C")
}

/// Plays the match until it is over or `stop` says so, and prints its result.
///
/// # Errors
/// A match that cannot be played as described, an engine that cannot be started, records that cannot be
/// written.
pub fn play_until(options: &MatchOptions, rows: Rows, stop: &Arc<Stop>) -> anyhow::Result<MatchSummary> {
    adopt_orphans();
    let summary = play_watched(options, rows, stop);
    // The watchdog and all engines have ended; processes that they left behind are killed now.
    kill_all_below();
    summary
}

fn play_watched(options: &MatchOptions, rows: Rows, stop: &Arc<Stop>) -> anyhow::Result<MatchSummary> {
    let context = MatchContext {
        watchdog: Some(Arc::new(watchdog::start(&own_program()?).context("starting the watchdog")?)),
        dialogue: options.log.as_deref().map(open_dialogue).transpose()?,
        keep_messages: options.messages,
        moved: Vec::new(),
    };
    if let Some(page) = &options.report {
        // The match makes the folder of its record.
        let is_to_be_made = |out: &PathBuf| page.parent() == Some(out) && !out.exists();
        if !options.out.as_ref().is_some_and(is_to_be_made) {
            ensure_page_can_be_written("--report", page)?;
        }
        let records = |folder: &PathBuf| FILES.map(|name| folder.join(name));
        let records = options.out.as_ref().map(records).unwrap_or_default();
        let openings = options.openings.as_deref().map(Path::new);
        let read = records.iter().map(PathBuf::as_path).chain(openings);
        ensure_is_no_input(page, read).context("--report")?;
    }
    let config = options.config(&context, stop)?;
    let quiet = options.quiet || options.json;
    let names: Vec<String> = config.engines.iter().map(|engine| engine.name.clone()).collect();
    let mut progress = Progress::new(&config, quiet);
    progress.say(&format!(
        "{}  {} {}  {}  openings: {} ({})  seed {}",
        names.join(" - "),
        config.rule,
        config.size,
        counted(config.schedule().len() as u64, "game"),
        printable(&config.book_name),
        config.book.len(),
        config.seed
    ))?;
    if let Some(note) = openings_note(&config) {
        progress.say(&note)?;
    }
    let mut played = Records { header: Some(config.header()), ..Records::default() };
    let mut unheard = None;
    let summary = run(&config, &context, stop, |standings, event| {
        if options.report.is_some() && options.out.is_none() {
            match &event {
                Event::Game(game) => played.games.push((*game).clone()),
                Event::Note(text) => played.notes.push((*text).to_owned()),
                Event::Resumed(_) => {}
            }
        }
        if let Err(error) = progress.on_event(standings, &event) {
            // Nobody reads the output any more. As with other programs in a pipe, that is the end.
            unheard.get_or_insert(error);
            stop.interrupt();
        }
    })?;
    progress.finish();
    if let Some(error) = unheard {
        return Err(error).context("printing to standard output");
    }
    if options.json {
        print_line(result_json(&config, &summary))?;
    } else {
        print_line(result_text(&config, &summary))?;
    }
    if let Some(page) = &options.report
        && summary.standings.games() > 0
    {
        let records = match &options.out {
            Some(folder) => summarised(Records::read(&folder.join(GAMES_FILE))?, &config),
            None => played,
        };
        report::write(page, None, &report::contents(vec![records], rows)?)?;
        progress.say(&format!("report: {}", page.display()))?;
    }
    Ok(summary)
}

/// The records without games of a match that was longer before, which are not in its result either.
fn summarised(mut records: Records, config: &MatchConfig) -> Records {
    let planned: HashSet<usize> = config.schedule().iter().map(|game| game.id).collect();
    records.games.retain(|game| planned.contains(&game.id));
    records
}

/// What is to be said if openings will be used again.
fn openings_note(config: &MatchConfig) -> Option<String> {
    let (len, needed) = (config.book.len(), config.openings_needed());
    let distinct = config.book.distinct(needed, config.transform);
    if distinct == needed && needed <= len {
        return None;
    }
    let (planned, played) = (config.games * config.encounters().len(), config.schedule().len());
    let ends = (played < planned).then(|| {
        format!(
            "; the test leaves out what would be the same again and has {}",
            counted(played as u64, "game")
        )
    });
    let ends = ends.unwrap_or_default();
    if len == 1 {
        let note = "note: there is one opening only; give --openings, or games repeat each other";
        return (!config.swap2 || !ends.is_empty()).then(|| format!("{note}{ends}"));
    }
    if needed <= len {
        let are = if distinct == 1 { "is" } else { "are" };
        return Some(format!(
            "note: {needed} different openings are needed, and there {are} only {distinct}{ends}"
        ));
    }
    let how = match (config.transform, distinct < needed) {
        (false, _) => "exactly as they are",
        (true, false) => "rotated and mirrored",
        (true, true) => "rotated and mirrored, and in part exactly as they were",
    };
    Some(format!("note: {needed} openings are needed and there are {len}; they are used again, {how}{ends}"))
}

/// This program's own file. On Linux through the running process, so that it is found even if a build has
/// replaced it in the meantime.
pub(super) fn own_program() -> anyhow::Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    if cfg!(target_os = "linux") && running.exists() {
        return Ok(running);
    }
    std::env::current_exe().context("finding this program's own file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::match_options::tests::config;

    #[test]
    fn openings_that_come_again_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("two.txt");
        std::fs::write(&file, "h8i9\nh8i9k10\n").unwrap();
        let config = |words: &str, games: usize| {
            let openings = format!("--openings {}", file.display());
            config(&format!("{words} --games {games} --seed 1 {openings}"))
        };
        let of_nodes = "-e nodes=1 -e nodes=2";
        let note = |words: &str, games: usize| openings_note(&config(words, games)).unwrap_or_default();
        assert_eq!(note(of_nodes, 4), "");
        let used = "note: 8 openings are needed and there are 2; they are used again, rotated and mirrored";
        assert_eq!(note(of_nodes, 16), used);
        // The shorter one has four sides, the longer one eight.
        assert!(note(of_nodes, 18).ends_with("and in part exactly as they were"));
        assert!(note(&format!("{of_nodes} --no-transform"), 32).ends_with("exactly as they are"));
        // A test learns nothing from the same games, but from those that time makes others of.
        let test = format!("{of_nodes} --sprt 0,5");
        assert!(note(&test, 40).contains("and has 24 games"), "{}", note(&test, 40));
        assert_eq!(config(&test, 40).schedule().len(), 24);
        for words in
            ["-e turn=1 -e nodes=2", "-e variety=5 -e nodes=2 --nodes 9", "-e threads=2 -e nodes=2 --nodes 9"]
        {
            assert_eq!(config(&format!("{words} --sprt 0,5"), 40).schedule().len(), 40, "{words}");
        }
        // Openings may be equal in the file, or once they were cut or turned.
        let cut = format!("{test} --opening-plies 2");
        assert_eq!((config(&cut, 4).schedule().len(), config(&cut, 40).schedule().len()), (2, 8));
        let same = "2 different openings are needed, and there is only 1; the test leaves out";
        assert!(note(&cut, 4).contains(same), "{}", note(&cut, 4));
    }
}
