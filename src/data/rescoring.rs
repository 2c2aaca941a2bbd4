//! New scores for existing games: every position that has a score is searched again, with more nodes or by a better
//! engine, unless its score already says who wins. Moves, results and random choices stay as they are, so the games
//! need not be played again.

use std::sync::atomic::AtomicBool;

use super::opening_generator::score_of;
use super::ordered_games::{Maker, make_all};
use super::record::{Header, TrainingGame, TrainingMove};
use super::selfplay::memory_for;
use crate::board::Stones;
use crate::engine::{Engine, Question};
use crate::eval::score::{self, Score};
use crate::search::{Control, Limits, Request};

/// The cost of rescoring, and what it changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RescoreEffort {
    /// Games processed.
    pub games: u64,
    /// Positions that were scored again.
    pub positions: u64,
    /// Sum of the absolute differences between old and new scores, in points; scores that say who wins are left out.
    pub moved: u64,
    /// Positions counted in that sum.
    pub compared: u64,
    /// Positions that have a decided score now and had none before.
    pub decided: u64,
}

impl RescoreEffort {
    /// Adds the effort of another rescorer.
    pub fn add(&mut self, other: RescoreEffort) {
        self.games += other.games;
        self.positions += other.positions;
        self.moved += other.moved;
        self.compared += other.compared;
        self.decided += other.decided;
    }
}

/// The header for the games of `header` after they are searched again by the engine with this signature.
#[must_use]
pub fn rescored_header(header: &Header, nodes: u32, signature: u64) -> Header {
    let Header { signature: by, settings, .. } = header;
    let settings = format!("{settings} played-by={by} rescored-nodes={nodes}");
    Header { nodes, signature, settings, ..header.clone() }
}

/// Searches the positions of games, which are numbered without a gap, with this many nodes each and passes the games to
/// `sink` in order. Begins no more games when `stop` is set or `sink` fails. Games in progress are finished all the
/// same; after `stop` they are passed on too, after an error of `sink` they are not.
///
/// # Errors
/// Those of `sink`, or if the system provides no threads.
pub fn rescore_all(
    games: &[TrainingGame],
    nodes: u32,
    threads: usize,
    stop: &AtomicBool,
    sink: impl FnMut(TrainingGame) -> anyhow::Result<()> + Send,
) -> anyhow::Result<RescoreEffort> {
    let Some(first) = games.first().map(|game| game.number) else { return Ok(RescoreEffort::default()) };
    let numbers = first..first + games.len() as u32;
    let rescorer = || Rescorer {
        games,
        first,
        nodes,
        engine: Engine::new(1, memory_for(nodes)),
        effort: RescoreEffort::default(),
    };
    let mut effort = RescoreEffort::default();
    for rescorer in make_all(numbers, threads, stop, rescorer, sink)? {
        effort.add(rescorer.effort);
    }
    Ok(effort)
}

/// One engine that rescores game after game.
struct Rescorer<'a> {
    games: &'a [TrainingGame],
    first: u32,
    nodes: u32,
    engine: Engine,
    effort: RescoreEffort,
}

impl Maker for Rescorer<'_> {
    fn make(&mut self, number: u32) -> TrainingGame {
        let game = &self.games[(number - self.first) as usize];
        // A game must not depend on the games before it.
        self.engine.new_game();
        let mut stones = Stones::new(game.size);
        let mut moves = Vec::with_capacity(game.moves.len());
        for played in &game.moves {
            let score = played.score.map(|old| self.search(game, &stones, old));
            moves.push(TrainingMove { score, ..*played });
            stones.place(played.point, stones.to_move());
        }
        self.effort.games += 1;
        TrainingGame { moves, ..game.clone() }
    }
}

impl Rescorer<'_> {
    /// The new score of a position whose score was `old`.
    fn search(&mut self, game: &TrainingGame, stones: &Stones, old: Score) -> Score {
        // A win that was proven stays a win, however long the search.
        if score::is_decided(old) {
            return old;
        }
        let limits = Limits { nodes: Some(self.nodes.into()), ..Limits::default() };
        let (request, control) = (Request::best(limits), Control::new());
        let answer = self.engine.think(&Question::new(game.rule, stones, &request, &control));
        self.effort.positions += 1;
        let new = score_of(&answer).unwrap_or(old);
        if score::is_decided(new) {
            self.effort.decided += 1;
        } else {
            self.effort.moved += u64::from(new.abs_diff(old));
            self.effort.compared += 1;
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::Origin;
    use super::super::selfplay::{GameRecipe, play_all};
    use super::*;

    fn games(nodes: u32) -> Vec<TrainingGame> {
        let mut games = Vec::new();
        let recipe = GameRecipe::new(nodes);
        let sink = |game| {
            games.push(game);
            Ok(())
        };
        play_all(&recipe, 3, 4..10, 2, &AtomicBool::new(false), sink).unwrap();
        games
    }

    fn rescored(games: &[TrainingGame], nodes: u32, threads: usize) -> (Vec<TrainingGame>, RescoreEffort) {
        let mut new = Vec::new();
        let sink = |game| {
            new.push(game);
            Ok(())
        };
        let effort = rescore_all(games, nodes, threads, &AtomicBool::new(false), sink).unwrap();
        (new, effort)
    }

    #[test]
    fn only_scores_change_and_threads_do_not_matter() {
        let old = games(60);
        let (new, effort) = rescored(&old, 300, 1);
        assert_eq!(rescored(&old, 300, 3).0, new);
        assert_ne!(new, old);
        assert_eq!(effort.games, 6);
        let mut searched = 0;
        for (old, new) in old.iter().zip(&new) {
            let plain = |game: &TrainingGame| TrainingGame { moves: Vec::new(), ..game.clone() };
            assert_eq!(plain(old), plain(new));
            for (old, new) in old.moves.iter().zip(&new.moves) {
                assert_eq!(
                    (old.point, old.origin, old.score.is_some()),
                    (new.point, new.origin, new.score.is_some())
                );
                if old.is_decided() || old.origin == Origin::Opening {
                    assert_eq!(old, new);
                } else if old.score.is_some() {
                    searched += 1;
                }
            }
        }
        assert_eq!(effort.positions, searched);
        assert_eq!(effort.compared + effort.decided, searched);
        assert_eq!(rescored(&[], 300, 1).1, RescoreEffort::default());
    }
}
