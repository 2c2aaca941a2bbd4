//! Several matches as one: games get new numbers, and engines of the same name are the same engine.

use std::collections::HashSet;

use crate::arena::adjudication::Adjudication;
use crate::arena::records::{GameRecord, MatchHeader, Records, SWAP2_STONES};
use crate::arena::schedule::{self, ScheduledGame};
use crate::arena::spec::EngineSpec;
use crate::arena::sprt::Sprt;

/// Several matches as one.
pub(super) struct Merged {
    pub(super) engines: Vec<EngineSpec>,
    pub(super) headers: Vec<MatchHeader>,
    pub(super) games: Vec<GameRecord>,
    /// For each game, the number of its opening.
    pub(super) openings: Vec<usize>,
    /// For each game, the index of the first stone whose time belongs to the side that placed it.
    pub(super) begins: Vec<usize>,
    pub(super) notes: Vec<String>,
    /// The sequential test, if all parts agree on it and on the engine that is tested.
    pub(super) sprt: Option<Sprt>,
}

impl Merged {
    pub(super) fn of(parts: Vec<Records>) -> Merged {
        let (mut engines, mut headers, mut notes) = (Vec::<EngineSpec>::new(), Vec::new(), Vec::new());
        let (mut games, mut openings, mut begins) = (Vec::<GameRecord>::new(), Vec::new(), Vec::new());
        let mut sprts = Vec::new();
        for part in parts {
            // The numbers of games and pairs of different parts must not collide.
            let first_id = games.iter().map(|game| game.id + 1).max().unwrap_or(0);
            let first_pair = games.iter().map(|game| game.pair + 1).max().unwrap_or(0);
            let first_opening = openings.iter().map(|opening| opening + 1).max().unwrap_or(0);
            let mut place = |name: &str, spec: Option<&EngineSpec>| {
                let known = engines.iter().position(|engine: &EngineSpec| engine.name == name);
                if let (Some(known), Some(spec)) = (known, spec)
                    && engines[known] != *spec
                {
                    notes.push(format!("{name} did not always play with the same options"));
                }
                known.unwrap_or_else(|| {
                    let unknown = EngineSpec { name: name.to_owned(), ..EngineSpec::default() };
                    engines.push(spec.cloned().unwrap_or(unknown));
                    engines.len() - 1
                })
            };
            for spec in part.header.iter().flat_map(|header| &header.engines) {
                place(&spec.name, Some(spec));
            }
            let repeat = part.header.as_ref().is_none_or(|header| header.repeat);
            let is_swap2 = part.header.as_ref().is_some_and(|header| header.swap2);
            for mut game in part.games {
                let (black, white) = (place(&game.names.0, None), place(&game.names.1, None));
                let own =
                    ScheduledGame { id: game.id, pair: game.pair, engines: game.engines, side: game.id % 2 };
                openings.push(first_opening + own.opening(repeat));
                game.id += first_id;
                game.pair += first_pair;
                game.black = black;
                game.engines = (black.min(white), black.max(white));
                begins.push(if is_swap2 { SWAP2_STONES } else { game.opening });
                games.push(game);
            }
            notes.extend(part.notes);
            let tested = |header: &MatchHeader| Some((header.sprt?, header.engines.first()?.name.clone()));
            sprts.push(part.header.as_ref().and_then(tested));
            headers.extend(part.header);
        }
        // Many parts that differ in the same way say so once.
        let mut noted = HashSet::new();
        notes.retain(|note| noted.insert(note.clone()));
        let first = sprts.first().cloned().flatten();
        let sprt = first.filter(|first| sprts.iter().all(|other| other.as_ref() == Some(first)));
        let sprt = sprt.map(|(sprt, _)| sprt);
        Merged { engines, headers, games, openings, begins, notes, sprt }
    }

    /// How many games were to be played. Files of the same match count once, as far as the longest of them was to go.
    fn planned_games(&self) -> usize {
        let mut matches: Vec<(&MatchHeader, usize)> = Vec::new();
        for header in &self.headers {
            let planned = planned_games(header);
            match matches.iter_mut().find(|(known, _)| known.conflict(header).is_none()) {
                Some((_, most)) => *most = planned.max(*most),
                None => matches.push((header, planned)),
            }
        }
        matches.iter().fold(0, |sum, &(_, planned)| sum.saturating_add(planned))
    }

    /// How the match was played, in words; where the parts differ, each value is listed once.
    pub(super) fn facts(&self) -> Vec<(String, String)> {
        let each = |words: &dyn Fn(&MatchHeader) -> String| {
            let mut all: Vec<String> = Vec::new();
            for text in self.headers.iter().map(words) {
                if !text.is_empty() && !all.contains(&text) {
                    all.push(text);
                }
            }
            all.join("; ")
        };
        let planned = self.planned_games();
        let games = match self.games.len() {
            played if played < planned => format!("{played} of {planned}"),
            played => played.to_string(),
        };
        let kind = |header: &MatchHeader| match header.engines.as_slice() {
            [] | [_, _] => String::new(),
            [first, ..] if header.gauntlet => format!("{} against all others", first.name),
            _ => "all against all".to_owned(),
        };
        let openings = |header: &MatchHeader| {
            let swap2 = if header.swap2 { ", colours by swap2" } else { "" };
            format!("{}{swap2}", header.openings)
        };
        let facts = [
            ("Games", games),
            ("Rule", each(&|header| header.rule.clone())),
            ("Board", each(&|header| format!("{}×{}", header.size.0, header.size.1))),
            ("Kind", each(&kind)),
            ("Openings", each(&openings)),
            ("Ended early", each(&|header| early_ends(&header.adjudication))),
            ("Seed", each(&|header| header.seed.to_string())),
            ("Runner", each(&|header| header.runner.clone())),
        ];
        let shown = facts.into_iter().filter(|(_, words)| !words.is_empty());
        shown.map(|(label, words)| (label.to_owned(), words)).collect()
    }
}

fn planned_games(header: &MatchHeader) -> usize {
    schedule::encounters(header.engines.len(), header.gauntlet).len().saturating_mul(header.games)
}

fn early_ends(rules: &Adjudication) -> String {
    let mut ends = Vec::new();
    ends.extend(rules.draw_after.map(|stones| format!("drawn at {stones} stones")));
    ends.extend(rules.quiet.map(|(count, score)| format!("drawn after {count} moves within ±{score}")));
    ends.extend(rules.resign.map(|(count, score)| {
        let both = if rules.resign_both { ", both agreeing" } else { "" };
        format!("lost after {count} own moves at -{score} or less{both}")
    }));
    ends.join(", ")
}
