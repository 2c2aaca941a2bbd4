//! What `kagetsu match` prints: a live line while it plays, and the result.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::output::print_line;
use crate::arena::match_config::MatchConfig;
use crate::arena::match_play::{Event, MatchSummary};
use crate::arena::ratings::Rating;
use crate::arena::records::GameRecord;
use crate::arena::sprt::{Sprt, SprtVerdict};
use crate::arena::standings::Standings;
use crate::arena::stats::Tally;

/// How often the figures are printed where there is no terminal for a live line.
const PRINT_INTERVAL: Duration = Duration::from_secs(30);

/// The live line, and the messages that get a line of their own.
pub(super) struct Progress<'a> {
    config: &'a MatchConfig,
    quiet: bool,
    is_live: bool,
    bar: ProgressBar,
    printed: Instant,
}

impl<'a> Progress<'a> {
    pub(super) fn new(config: &'a MatchConfig, quiet: bool) -> Progress<'a> {
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

    /// Shows what has happened.
    ///
    /// # Errors
    /// Standard output is closed.
    pub(super) fn on_event(&mut self, standings: &Standings, event: &Event) -> io::Result<()> {
        match event {
            Event::Resumed(games) => {
                self.bar.reset_eta();
                self.say(&format!("resumed after {games} games"))?;
            }
            Event::Note(text) => self.say(text)?,
            Event::Game(game) => {
                if let Some(text) = fault_text(game) {
                    self.say(&text)?;
                }
            }
        }
        self.bar.set_position(standings.games() as u64);
        let figures = self.figures(standings);
        if self.is_live {
            self.bar.set_message(figures);
        } else if self.printed.elapsed() >= PRINT_INTERVAL {
            self.printed = Instant::now();
            self.say(&format!("{} games  {figures}", standings.games()))?;
        }
        Ok(())
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
        lines.push(format!("{first} vs {second}: {} games", tally.games()));
        lines.push(describe(&tally, None));
        lines.push(format!("pentanomial (0, 1/2, 1, 3/2, 2 points): {}", tally.pentanomial_text()));
        if let (Some(sprt), Some(verdict)) = (config.sprt, summary.verdict) {
            lines.push(verdict_text(sprt, verdict, &tally));
        }
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
