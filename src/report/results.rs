//! Results as the page shows them: ratings, encounters, and how both developed game by game.
//!
//! The statistics are those of the match itself ([`arena`](crate::arena)). Here they are computed again and again along
//! the games, so that they can be drawn as curves. Curves of long matches are thinned out.

use super::contents::{Contents, EloCurve, PageEncounter, PageRating, SprtCurve};
use super::figures::{hundredths, tenths};
use super::merged::Merged;
use crate::arena::ratings::{CrossTable, Rating};
use crate::arena::sprt::SprtVerdict;
use crate::arena::standings::Standings;
use crate::arena::stats::Tally;

/// Maximum number of points of a curve; more cannot be told apart on a screen.
pub(super) const CURVE_POINTS: usize = 400;
/// The same for curves in which each point needs a fit of all ratings.
const RATING_POINTS: usize = 60;

/// Computes results, ratings and their curves.
pub(super) fn count(contents: &mut Contents, merged: &Merged) {
    let is_duel = merged.engines.len() == 2;
    let names: Vec<String> = merged.engines.iter().map(|engine| engine.name.clone()).collect();
    let sprt = merged.sprt.filter(|_| is_duel);
    let most = if is_duel { CURVE_POINTS } else { RATING_POINTS };
    let step = merged.games.len().div_ceil(most);
    let mut elo = vec![EloCurve::default(); if is_duel { 1 } else { names.len() }];
    elo.iter_mut().enumerate().for_each(|(engine, curve)| curve.engine = engine);
    let mut llr = Vec::new();
    let mut standings = Standings::default();
    let mut verdict = SprtVerdict::Open;
    for (n, game) in merged.games.iter().enumerate() {
        standings.add(game);
        if let Some(sprt) = sprt.filter(|_| verdict == SprtVerdict::Open) {
            // As in the match, the first verdict stands, whatever the games say that were under way then.
            verdict = verdict.then(sprt.verdict(&standings.encounter((0, 1))));
        }
        let games = n + 1;
        if games % step != 0 && games != merged.games.len() {
            continue;
        }
        let tally = standings.encounter((0, 1));
        if is_duel {
            elo[0].points.push((games, elo_of(&tally)));
        } else {
            for rating in ratings(&standings.table(names.clone())) {
                let bound = |sign: f64| rating.error.map(|error| tenths(rating.elo + sign * error));
                let point = [Some(rating.elo), bound(-1.0), bound(1.0)];
                elo[rating.engine].points.push((games, point));
            }
        }
        llr.extend(sprt.map(|sprt| (games, hundredths(sprt.llr(&tally)))));
    }
    contents.elo = elo;
    contents.sprt = sprt.map(|sprt| SprtCurve {
        what: format!("SPRT {sprt}, alpha {}, beta {}", sprt.alpha, sprt.beta),
        verdict: sprt.describe(verdict).to_owned(),
        bounds: (hundredths(sprt.bounds().0), hundredths(sprt.bounds().1)),
        points: llr,
    });
    contents.encounters = encounters(names.len(), &standings);
    let table = standings.table(names);
    contents.ratings = ratings(&table);
    contents.notes.extend(table.groups_note());
}

fn encounters(engines: usize, standings: &Standings) -> Vec<PageEncounter> {
    let all = (0..engines).flat_map(|first| (first + 1..engines).map(move |second| (first, second)));
    let met =
        all.map(|engines| (engines, standings.encounter(engines))).filter(|(_, tally)| tally.games() > 0);
    let encounter = |(engines, tally): ((usize, usize), Tally)| PageEncounter {
        engines,
        wdl: (tally.wins, tally.draws, tally.losses),
        pentanomial: tally.pentanomial,
        score: tally.score(),
        elo: elo_of(&tally),
        los: tally.los(),
    };
    met.map(encounter).collect()
}

fn ratings(table: &CrossTable) -> Vec<PageRating> {
    let rating = |rating: Rating| PageRating {
        engine: rating.engine,
        elo: tenths(rating.elo),
        error: rating.error.is_finite().then(|| tenths(rating.error)),
    };
    table.ratings().into_iter().map(rating).collect()
}

fn elo_of(tally: &Tally) -> [Option<f64>; 3] {
    let elo = tally.elo();
    [elo.value, elo.low, elo.high].map(|elo| elo.is_finite().then(|| tenths(elo)))
}
