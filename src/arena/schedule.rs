//! Which games a match consists of, and in which order they start.
//!
//! It knows only numbers: of engines, of games, of openings in a book.

/// One game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// The game's number.
    pub id: usize,
    /// The pair of games with the same opening.
    pub pair: usize,
    /// The two engines.
    pub engines: (usize, usize),
    /// 0 if the first of them begins, 1 if the second does.
    pub side: usize,
}

impl ScheduledGame {
    /// The number of its opening in the book: with `repeat` both games of a pair have the same.
    #[must_use]
    pub fn opening(&self, repeat: bool) -> usize {
        if repeat { self.pair } else { 2 * self.pair + self.side }
    }
}

/// How many openings an encounter of this many games needs, so that none is used again.
#[must_use]
pub(crate) fn openings(games: usize, repeat: bool) -> usize {
    if repeat { games.div_ceil(2) } else { games }
}

/// The encounters between this many engines, the lower number first: all against all, or in a gauntlet the first
/// against all others.
#[must_use]
pub(crate) fn encounters(engines: usize, gauntlet: bool) -> Vec<(usize, usize)> {
    let firsts = if gauntlet { 0..1.min(engines) } else { 0..engines };
    firsts.flat_map(|first| (first + 1..engines).map(move |second| (first, second))).collect()
}

/// This many games of each encounter: pair after pair, and in each pair all encounters. The number of a game does not
/// depend on how many games there are, so a match can be extended after it was played.
#[must_use]
pub(super) fn schedule(encounters: &[(usize, usize)], games: usize) -> Vec<ScheduledGame> {
    let mut all = Vec::new();
    for pair in 0..games.div_ceil(2) {
        for (n, &engines) in encounters.iter().enumerate() {
            for side in 0..2.min(games - 2 * pair) {
                all.push(ScheduledGame { id: (pair * encounters.len() + n) * 2 + side, pair, engines, side });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_two_engines_play_both_colours() {
        let games = schedule(&encounters(3, false), 3);
        assert_eq!(games.len(), 9);
        let ids: BTreeSet<usize> = games.iter().map(|game| game.id).collect();
        assert_eq!(ids.len(), 9);
        assert_eq!(encounters(4, true), [(0, 1), (0, 2), (0, 3)]);
        assert!(encounters(0, true).is_empty() && encounters(1, false).is_empty());
        // A longer schedule keeps the numbers of the games before.
        let more = schedule(&encounters(3, false), 10);
        assert!(games.iter().all(|game| more.contains(game)));
    }

    #[test]
    fn openings_are_repeated_unless_told_otherwise() {
        let games = schedule(&encounters(3, false), 4);
        let openings = |repeat| -> Vec<usize> {
            let own = |game: &&ScheduledGame| game.engines == (0, 1);
            games.iter().filter(own).map(|game| game.opening(repeat)).collect()
        };
        assert_eq!((openings(true), openings(false)), (vec![0, 0, 1, 1], vec![0, 1, 2, 3]));
        assert_eq!(
            (super::openings(4, true), super::openings(3, true), super::openings(4, false)),
            (2, 2, 4)
        );
    }
}
