//! What `kagetsu match` prints: a live line while it plays, and the result.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::output::{counted, print_line};
use super::progress::live_line;
use crate::arena::match_config::MatchConfig;
use crate::arena::match_play::{Event, MatchSummary};
use crate::arena::ratings::{CrossTable, Rating};
use crate::arena::records::GameRecord;
use crate::arena::sprt::{Sprt, SprtVerdict};
use crate::arena::standings::Standings;
use crate::arena::stats::Tally;

/// How often the figures are printed where there is no terminal for a live line.
const PRINT_INTERVAL: Duration = Duration::from_secs(30);
/// How often the live line shows the ratings of more than two engines. They take longer to compute than a game of
/// little time takes to play.
const RATINGS_INTERVAL: Duration = Duration::from_secs(1);

/// The live line, and the messages that get a line of their own.
pub(super) struct Progress<'a> {
    config: &'a MatchConfig,
    quiet: bool,
    is_live: bool,
    bar: ProgressBar,
    /// When the figures were shown; without a terminal, at first the beginning of the match.
    shown: Option<Instant>,
}

impl<'a> Progress<'a> {
    pub(super) fn new(config: &'a MatchConfig, quiet: bool) -> Progress<'a> {
        let is_live = std::io::stderr().is_terminal() && !quiet;
        let bar = if is_live { live_line(config.schedule().len() as u64) } else { ProgressBar::hidden() };
        Progress { config, quiet, is_live, bar, shown: (!is_live).then(Instant::now) }
    }

    /// Shows what has happened.
    ///
    /// # Errors
    /// Standard output is closed.
    pub(super) fn on_event(&mut self, standings: &Standings, event: &Event) -> io::Result<()> {
        match event {
            Event::Resumed(games) => {
                self.bar.reset_eta();
                self.say(&format!("resumed after {}", counted(*games as u64, "game")))?;
            }
            Event::Note(text) => self.say(text)?,
            Event::Game(game) => {
                if let Some(text) = fault_text(game) {
                    self.say(&text)?;
                }
            }
        }
        self.bar.set_position(standings.games() as u64);
        if self.figures_are_due(Instant::now()) {
            let figures = self.figures(standings);
            if self.is_live {
                self.bar.set_message(figures);
            } else {
                self.say(&format!("{}  {figures}", counted(standings.games() as u64, "game")))?;
            }
        }
        Ok(())
    }

    /// Whether the figures are to be shown now. They are not computed for nobody.
    fn figures_are_due(&mut self, now: Instant) -> bool {
        let pause = match self.config.engines.as_slice() {
            _ if self.quiet => return false,
            _ if !self.is_live => PRINT_INTERVAL,
            [_, _] => Duration::ZERO,
            _ => RATINGS_INTERVAL,
        };
        let is_due = self.shown.is_none_or(|shown| now.saturating_duration_since(shown) >= pause);
        if is_due {
            self.shown = Some(now);
        }
        is_due
    }

    /// Prints a line above the live one, unless only the result is wanted.
    ///
    /// # Errors
    /// Standard output is closed.
    pub(super) fn say(&self, text: &str) -> io::Result<()> {
        match (self.quiet, self.is_live) {
            (true, _) => Ok(()),
            (false, true) => {
                self.bar.println(text);
                Ok(())
            }
            (false, false) => print_line(text),
        }
    }

    /// Removes the live line.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn figures(&self, standings: &Standings) -> String {
        if let [_, _] = self.config.engines.as_slice() {
            return describe(&standings.encounter((0, 1)), self.config.sprt);
        }
        let names: Vec<String> = self.config.engines.iter().map(|engine| engine.name.clone()).collect();
        let ratings = standings.table(names.clone()).ratings();
        let rating = |rating: &Rating| format!("{} {:+.0}", names[rating.engine], rating.elo);
        ratings.iter().map(rating).collect::<Vec<_>>().join("  ")
    }
}

fn fault_text(game: &GameRecord) -> Option<String> {
    let (fault, loser) = (game.fault()?, game.loser()?);
    Some(format!("game {} ({} - {}): {loser} {fault}", game.id, game.names.0, game.names.1))
}

/// The result in a few lines.
pub(super) fn result_text(config: &MatchConfig, summary: &MatchSummary) -> String {
    let standings = &summary.standings;
    let names: Vec<String> = config.engines.iter().map(|engine| engine.name.clone()).collect();
    let mut lines = Vec::new();
    if let [first, second] = names.as_slice() {
        let tally = standings.encounter((0, 1));
        let test = config.sprt.zip(summary.verdict).map(|(sprt, verdict)| (sprt, verdict, tally));
        lines = duel_lines(first, second, &counted(tally.games(), "game"), &tally, test);
    } else {
        lines.push(standings.table(names).draw().trim_end().to_owned());
    }
    for (name, count) in standings.faults() {
        lines.push(format!("{name} lost {count} by its own fault"));
    }
    if config.engines.iter().any(|engine| engine.command.is_some()) {
        lines.extend(standings.overhead_ms().map(|ms| format!("the runner added {ms:.2} ms to a move")));
    }
    lines.join("\n")
}

/// The result of two engines, after the number of games in words. The test comes with the results that it is based on.
pub(super) fn duel_lines(
    first: &str,
    second: &str,
    played: &str,
    tally: &Tally,
    test: Option<(Sprt, SprtVerdict, Tally)>,
) -> Vec<String> {
    let mut lines = vec![
        format!("{first} vs {second}: {played}"),
        describe(tally, None),
        format!("pentanomial (0, 1/2, 1, 3/2, 2 points): {}", tally.pentanomial_text()),
    ];
    lines.extend(test.map(|(sprt, verdict, tally)| verdict_text(sprt, verdict, &tally)));
    lines
}

/// The cross table of several engines.
pub(super) fn table_of(names: Vec<String>, results: &[((usize, usize), Tally)]) -> String {
    let mut table = CrossTable::new(names);
    results.iter().for_each(|&((row, column), tally)| table.set(row, column, tally));
    table.draw().trim_end().to_owned()
}

/// The SPRT in one line.
#[must_use]
pub(super) fn verdict_text(sprt: Sprt, verdict: SprtVerdict, tally: &Tally) -> String {
    let (low, high) = sprt.bounds();
    format!(
        "SPRT {sprt} alpha {} beta {}: LLR {:.2} ({low:.2}, {high:.2}): {}",
        sprt.alpha,
        sprt.beta,
        sprt.llr(tally),
        sprt.describe(verdict)
    )
}

/// The running figures of two engines in one line.
fn describe(tally: &Tally, sprt: Option<Sprt>) -> String {
    let mut text = format!(
        "{tally}  score {:.1} %  elo {}  LOS {:.1} %",
        100.0 * tally.score(),
        tally.elo(),
        100.0 * tally.los()
    );
    if let Some(sprt) = sprt {
        let (low, high) = sprt.bounds();
        text += &format!("  LLR {:.2} ({low:.2}, {high:.2}) {sprt}", sprt.llr(tally));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::match_options::tests::config;

    #[test]
    fn figures_are_computed_only_where_they_are_shown() {
        let (two, three) = (config("-e nodes=1 -e nodes=1"), config("-e nodes=1 -e nodes=1 -e nodes=1"));
        let due = |config: &MatchConfig, quiet: bool, is_live: bool| {
            let mut progress = Progress { is_live, ..Progress::new(config, true) };
            progress.quiet = quiet;
            let begin = Instant::now();
            progress.shown = (!is_live).then_some(begin);
            [0, 500, 1_000, 30_000, 30_500]
                .map(|ms| progress.figures_are_due(begin + Duration::from_millis(ms)))
        };
        assert_eq!(due(&three, true, false), [false; 5]);
        assert_eq!(due(&three, false, false), [false, false, false, true, false]);
        assert_eq!(due(&three, false, true), [true, false, true, true, false]);
        assert_eq!(due(&two, false, true), [true; 5]);
    }
}
