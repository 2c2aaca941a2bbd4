//! Cross table and ratings of more than two engines.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::stats::{Tally, Z95};
use crate::levels::ELO_PER_NAT;

/// Draws added as a prior to each pair of engines that met, so that ratings stay finite.
const PRIOR_DRAWS: f64 = 0.5;

/// Results of everyone against everyone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrossTable {
    names: Vec<String>,
    /// Row against column, from the point of view of the row.
    cells: Vec<Vec<Tally>>,
}

/// The rating of one engine.
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    /// The engine's index in the list of engines.
    pub engine: usize,
    /// Elo relative to the average of all engines that it met, directly or through others.
    pub elo: f64,
    /// Half the width of its 95 % interval. It takes draws into account, and pairs of games with the same opening.
    pub error: f64,
}

impl CrossTable {
    /// No results yet.
    #[must_use]
    pub fn new(names: Vec<String>) -> CrossTable {
        let cells = vec![vec![Tally::default(); names.len()]; names.len()];
        CrossTable { names, cells }
    }

    /// Sets the results of `row` against `column`, and the reverse.
    pub fn set(&mut self, row: usize, column: usize, tally: Tally) {
        self.cells[row][column] = tally;
        self.cells[column][row] = tally.reversed();
    }

    /// All games of an engine.
    #[must_use]
    pub fn total(&self, row: usize) -> Tally {
        let mut total = Tally::default();
        self.cells[row].iter().for_each(|tally| total.add(tally));
        total
    }

    /// Maximum-likelihood ratings under the Bradley-Terry model, with a draw as half a win. Engines that met, directly
    /// or through others, stand together, best first, and those that met nobody at the end.
    #[must_use]
    pub fn ratings(&self) -> Vec<Rating> {
        self.ratings_by(&[])
    }

    /// The ratings on the scale of engines whose ratings are known, each given by its index: shifted so that these
    /// anchors keep their ratings on average, of which the intervals say how far each engine is ahead.
    #[must_use]
    pub fn anchored_ratings(&self, anchors: &[(usize, f64)]) -> Vec<Rating> {
        let indices: Vec<usize> = anchors.iter().map(|&(engine, _)| engine).collect();
        let mut ratings = self.ratings_by(&indices);
        let known: BTreeMap<usize, f64> = anchors.iter().copied().collect();
        let apart = |rating: &Rating| Some(known.get(&rating.engine)? - rating.elo);
        let apart: Vec<f64> = ratings.iter().filter_map(apart).collect();
        let shift = apart.iter().sum::<f64>() / apart.len().max(1) as f64;
        ratings.iter_mut().for_each(|rating| rating.elo += shift);
        ratings
    }

    /// The ratings, with intervals relative to the average of these engines; of the whole group if there are none.
    fn ratings_by(&self, base: &[usize]) -> Vec<Rating> {
        let groups = self.groups();
        let strength = self.strength(&groups);
        let errors = self.errors(&strength, &groups, base);
        let rating = |(engine, (&strength, &error))| Rating { engine, elo: ELO_PER_NAT * strength, error };
        let mut ratings: Vec<Rating> = strength.iter().zip(&errors).enumerate().map(rating).collect();
        let place = |rating: &Rating| (rating.error.is_infinite(), groups[rating.engine]);
        ratings.sort_by(|a, b| place(a).cmp(&place(b)).then(b.elo.total_cmp(&a.elo)));
        ratings
    }

    /// A note if the ratings of some engines cannot be compared with those of others, because they never met.
    #[must_use]
    pub fn groups_note(&self) -> Option<String> {
        let mut groups: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
        self.groups()
            .iter()
            .zip(&self.names)
            .for_each(|(&group, name)| groups.entry(group).or_default().push(name));
        groups.retain(|_, names| names.len() > 1);
        let names: Vec<String> = groups.values().map(|names| names.join(", ")).collect();
        let text = "ratings cannot be compared between engines that never met, not even through others";
        (names.len() > 1).then(|| format!("{text}: {}", names.join("; ")))
    }

    /// Games of two engines, and the points of the first in them, with the prior.
    fn games_and_points(&self, a: usize, b: usize) -> (f64, f64) {
        let tally = &self.cells[a][b];
        match tally.games() {
            0 => (0.0, 0.0),
            games => (games as f64 + PRIOR_DRAWS, games as f64 * tally.score() + PRIOR_DRAWS / 2.0),
        }
    }

    /// For each engine, the first of those that it met, directly or through others.
    fn groups(&self) -> Vec<usize> {
        let count = self.names.len();
        let mut groups: Vec<usize> = (0..count).collect();
        loop {
            let met = |a: usize| (0..count).filter(move |&b| b == a || self.cells[a][b].games() > 0);
            let next: Vec<usize> =
                (0..count).map(|a| met(a).map(|b| groups[b]).fold(a, usize::min)).collect();
            if next == groups {
                return groups;
            }
            groups = next;
        }
    }

    /// The ratings in natural units, with an average of 0 in each group, by Newton's method.
    fn strength(&self, groups: &[usize]) -> Vec<f64> {
        /// A ten thousandth of a millionth of a natural unit is much less than is printed.
        const ENOUGH: f64 = 1e-10;
        /// Far more than are needed where each engine wins all games against the next: a round moves each rating by
        /// half a unit at least until it is near.
        const ROUNDS: usize = 2000;
        let count = self.names.len();
        let mut strength = vec![0.0_f64; count];
        for _ in 0..ROUNDS {
            let Some(inverse) = inverted(self.information(&strength, groups)) else { break };
            let missing = |a: usize| -> f64 {
                let met = (0..count).map(|b| (self.games_and_points(a, b), strength[a] - strength[b]));
                met.map(|((games, points), ahead)| points - games * expected(ahead)).sum()
            };
            let missing: Vec<f64> = (0..count).map(missing).collect();
            let step: Vec<f64> =
                inverse.iter().map(|row| row.iter().zip(&missing).map(|(a, b)| a * b).sum()).collect();
            // Differences change by this much at most. A long step is cut, because the likelihood of an engine that
            // wins everything is curved too little to tell how far to go; this length never makes it worse.
            let most = 2.0 * step.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
            let share = if most > ENOUGH { most.ln_1p() / most } else { 1.0 };
            strength.iter_mut().zip(&step).for_each(|(strength, step)| *strength += share * step);
            if most <= ENOUGH {
                break;
            }
        }
        strength
    }

    /// The Fisher information of the ratings. A constant is added to every cell of a group, which changes no difference
    /// of ratings in it and makes the matrix invertible.
    fn information(&self, strength: &[f64], groups: &[usize]) -> Vec<Vec<f64>> {
        let count = strength.len();
        let mut matrix = vec![vec![0.0; count]; count];
        for (a, row) in matrix.iter_mut().enumerate() {
            let own: Vec<usize> = (0..count).filter(|&b| groups[b] == groups[a]).collect();
            own.iter().for_each(|&b| row[b] += 1.0 / own.len() as f64);
            for b in (0..count).filter(|&b| b != a) {
                let share = expected(strength[a] - strength[b]);
                let information = self.games_and_points(a, b).0 * share * (1.0 - share);
                row[b] -= information;
                row[a] += information;
            }
        }
        matrix
    }

    /// Half-widths of the intervals, with the average rating of these engines held where it is, or else that of each
    /// group; infinite for who met nobody.
    ///
    /// The likelihood takes games for independent and without draws, which makes good estimates of the ratings but not
    /// of their errors. So these come from how the results of each encounter scatter in fact, by pairs where there are
    /// pairs: the inverse of the information on both sides of the variance of the gradient (the sandwich estimator).
    fn errors(&self, strength: &[f64], groups: &[usize], base: &[usize]) -> Vec<f64> {
        let count = strength.len();
        let Some(inverse) = inverted(self.information(strength, groups)) else {
            return vec![f64::INFINITY; count];
        };
        // How much the points of an encounter scatter.
        let scatter = |a: usize, b: usize| -> f64 {
            let tally = &self.cells[a][b];
            (tally.games() as f64 * tally.score_error()).powi(2)
        };
        let met = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
        let met: Vec<(usize, usize, f64)> = met.map(|(a, b)| (a, b, scatter(a, b))).collect();
        // How far the average of the base follows each score.
        let share = |column: usize| {
            base.iter().map(|&engine| inverse[engine][column]).sum::<f64>() / base.len().max(1) as f64
        };
        let base_moves: Vec<f64> = (0..count).map(share).collect();
        let is_alone = |engine: usize| groups.iter().filter(|&&group| group == groups[engine]).count() == 1;
        (0..count)
            .map(|engine| {
                if is_alone(engine) {
                    return f64::INFINITY;
                }
                // More points for a and fewer for b move the rating of the engine by this much.
                let moves = |a: usize, b: usize| {
                    inverse[engine][a] - base_moves[a] - (inverse[engine][b] - base_moves[b])
                };
                let variance: f64 = met.iter().map(|&(a, b, scatter)| moves(a, b).powi(2) * scatter).sum();
                Z95 * ELO_PER_NAT * variance.sqrt()
            })
            .collect()
    }

    /// The table as text: rank, name, rating, games, points, and the score against each opponent in rank order; and
    /// below it the note on the ratings.
    #[must_use]
    pub fn draw(&self) -> String {
        let ratings = self.ratings();
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        let mut text = format!(
            "{:>3} {:width$} {:>7} {:>6} {:>6} {:>7}",
            "#", "engine", "elo", "+/-", "games", "points"
        );
        for rank in 1..=ratings.len() {
            let _ = write!(text, " {rank:>9}");
        }
        text.push('\n');
        for (rank, rating) in ratings.iter().enumerate() {
            let total = self.total(rating.engine);
            let points = total.wins as f64 + total.draws as f64 / 2.0;
            let _ = write!(
                text,
                "{:>3} {:width$} {:>+7.1} {:>6.1} {:>6} {:>7.1}",
                rank + 1,
                self.names[rating.engine],
                rating.elo,
                rating.error,
                total.games(),
                points
            );
            for other in &ratings {
                let tally = &self.cells[rating.engine][other.engine];
                let cell = match tally.games() {
                    0 => "-".to_owned(),
                    _ => format!("{}-{}-{}", tally.wins, tally.draws, tally.losses),
                };
                let _ = write!(text, " {cell:>9}");
            }
            text.push('\n');
        }
        text.extend(self.groups_note());
        text
    }
}

/// The share of the points that is expected of an engine so much ahead, in natural units.
fn expected(ahead: f64) -> f64 {
    1.0 / (1.0 + (-ahead).exp())
}

/// The inverse by Gauss-Jordan elimination with partial pivoting; `None` if there is none.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    const TINY: f64 = 1e-12;
    let count = matrix.len();
    for (n, row) in matrix.iter_mut().enumerate() {
        row.extend((0..count).map(|column| if column == n { 1.0 } else { 0.0 }));
    }
    for column in 0..count {
        let largest = |&a: &usize, &b: &usize| matrix[a][column].abs().total_cmp(&matrix[b][column].abs());
        let pivot = (column..count).max_by(largest)?;
        if matrix[pivot][column].abs() < TINY {
            return None;
        }
        matrix.swap(column, pivot);
        let scale = matrix[column][column];
        matrix[column].iter_mut().for_each(|value| *value /= scale);
        let pivot_row = matrix[column].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|&(n, _)| n != column) {
            let factor = row[column];
            row.iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    Some(matrix.into_iter().map(|row| row[count..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::arena::stats::{elo_of_score, score_of_elo};

    fn tally(wins: u64, draws: u64, losses: u64) -> Tally {
        Tally { wins, draws, losses, pentanomial: [0; 5] }
    }

    fn table(results: &[(usize, usize, Tally)]) -> CrossTable {
        let mut table = CrossTable::new(["a", "b", "c"].map(String::from).to_vec());
        results.iter().for_each(|&(row, column, tally)| table.set(row, column, tally));
        table
    }

    /// With two engines, the ratings differ by the Elo of the score, apart from the half draw of the prior.
    #[test]
    fn two_engines_differ_by_the_elo_of_their_score() {
        let mut table = CrossTable::new(["a", "b"].map(String::from).to_vec());
        table.set(0, 1, tally(6000, 2000, 2000));
        let ratings = table.ratings();
        assert!((ratings[0].elo - ratings[1].elo - elo_of_score(0.7)).abs() < 0.1);
        // By hand: a point moves the difference by 1 / (n s (1 - s)) in natural units, and the points of n games have
        // the variance 0.16 n, as in the tests of `stats`. Each rating has half the error of the difference.
        let by_hand = Z95 * ELO_PER_NAT * (10_000.0_f64 * 0.16).sqrt() / (10_000.0 * 0.21) / 2.0;
        assert!((ratings[0].error - by_hand).abs() < 0.05, "{} {by_hand}", ratings[0].error);
    }

    #[test]
    fn an_anchor_keeps_its_rating_and_is_sure() {
        let table = table(&[(0, 1, tally(60, 20, 20)), (1, 2, tally(60, 20, 20))]);
        let by_engine = |mut ratings: Vec<Rating>| {
            ratings.sort_by_key(|rating| rating.engine);
            ratings
        };
        let (free, held) = (by_engine(table.ratings()), by_engine(table.anchored_ratings(&[(2, 1500.0)])));
        assert!((held[2].elo - 1500.0).abs() < 1e-9 && held[2].error < 1e-9);
        assert!((held[0].elo - held[2].elo - (free[0].elo - free[2].elo)).abs() < 1e-9);
        // Two encounters as sure as each other lie between, so the farther one is less sure by the root of two.
        assert!((held[0].error / held[1].error - 2.0_f64.sqrt()).abs() < 1e-6, "{held:?}");
        // Two anchors that have met keep the average of their ratings.
        let held = by_engine(table.anchored_ratings(&[(0, 2000.0), (2, 1500.0)]));
        assert!((held[0].elo + held[2].elo - 3500.0).abs() < 1e-9);
        // All three are half a sum or a difference of two equally sure encounters away from it.
        assert!(held.iter().all(|rating| (rating.error - held[1].error).abs() < 1e-9), "{held:?}");
    }

    /// The two games of a pair share an opening, and many games are drawn. By the binomial distribution, the error of
    /// these ratings was 12.6.
    #[test]
    fn draws_and_pairs_make_ratings_surer() {
        let mut table = CrossTable::new(["a", "b"].map(String::from).to_vec());
        let pentanomial = [3, 47, 245, 70, 2];
        table.set(0, 1, Tally { wins: 133, draws: 489, losses: 112, pentanomial });
        let (rating, encounter) = (&table.ratings()[0], table.cells[0][1].elo());
        let half = (encounter.high - encounter.low) / 4.0;
        assert!((rating.error - half).abs() < 0.05 && rating.error < 6.0, "{} {half}", rating.error);
    }

    /// Simulated tournaments of three engines of known strength: of a hundred intervals, 95 hold the truth.
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        const TRUE: [f64; 3] = [60.0, 0.0, -60.0];
        const DRAWN: f64 = 0.3;
        let mut random = StdRng::seed_from_u64(1);
        let (mut held, mut all) = (0, 0);
        for _ in 0..400 {
            let mut results = Vec::new();
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                let score = score_of_elo(TRUE[a] - TRUE[b]);
                let mut tally = Tally::default();
                for _ in 0..100 {
                    // An opening that is good for one colour costs each engine in one game what it gains in the other.
                    let edge = if random.random::<bool>() { 0.15 } else { -0.15 };
                    let points = [edge, -edge].map(|edge| {
                        let won = score - DRAWN / 2.0 + edge;
                        let drawn = random.random::<f64>() < DRAWN;
                        let share = won / (1.0 - DRAWN);
                        if drawn { 1 } else { 2 * usize::from(random.random::<f64>() < share) }
                    });
                    points.into_iter().for_each(|points| tally.add_game(points));
                    tally.add_pair(points[0] + points[1]);
                }
                results.push((a, b, tally));
            }
            for Rating { engine, elo, error } in table(&results).ratings() {
                held += i32::from((elo - TRUE[engine]).abs() <= error);
                all += 1;
            }
        }
        let share = f64::from(held) / f64::from(all);
        assert!((0.935..0.965).contains(&share), "{share}");
    }

    #[test]
    fn strength_is_passed_on_by_opponents() {
        // a beats b as b beats c; a and c never met.
        let ratings = table(&[(0, 1, tally(300, 0, 100)), (1, 2, tally(300, 0, 100))]).ratings();
        let order: Vec<usize> = ratings.iter().map(|rating| rating.engine).collect();
        assert_eq!(order, [0, 1, 2]);
        let step = elo_of_score(0.75);
        assert!((ratings[0].elo - step).abs() < 1.0 && ratings[1].elo.abs() < 1e-6);
    }

    /// Each engine beats the next in all games, so with the prior every step is that of `games + 1/4` points of
    /// `games + 1/2`, and the field is symmetrical.
    #[test]
    fn ratings_of_a_one_sided_field_converge() {
        const ENGINES: usize = 12;
        let mut table = CrossTable::new((0..ENGINES).map(|n| n.to_string()).collect());
        for (games, beaten) in [(10, 0), (1000, 0), (100_000, 0), (1000, 300)] {
            (1..ENGINES).for_each(|n| table.set(n - 1, n, tally(games, 0, beaten)));
            let (won, lost) = (games as f64 + 0.25, beaten as f64 + 0.25);
            let step = ELO_PER_NAT * (won / lost).ln();
            for (rank, rating) in table.ratings().iter().enumerate() {
                let by_hand = step * ((ENGINES - 1) as f64 / 2.0 - rank as f64);
                assert_eq!(rating.engine, rank);
                assert!(
                    (rating.elo - by_hand).abs() < 1e-3,
                    "{games} games, {rank}: {} {by_hand}",
                    rating.elo
                );
                assert!(rating.error.is_finite() && rating.error > 0.0, "{games} games: {}", rating.error);
            }
        }
    }

    #[test]
    fn engines_that_never_met_are_rated_apart() {
        let mut table = CrossTable::new(["a", "b", "c", "d", "e"].map(String::from).to_vec());
        table.set(0, 3, tally(30, 0, 10));
        table.set(1, 2, tally(10, 0, 30));
        let ratings = table.ratings();
        let of = |engine: usize| ratings.iter().find(|rating| rating.engine == engine).unwrap();
        let half = ELO_PER_NAT * (30.25_f64 / 10.25).ln() / 2.0;
        for (engine, elo) in [(0, half), (3, -half), (2, half), (1, -half), (4, 0.0)] {
            assert!((of(engine).elo - elo).abs() < 1e-6, "{engine}: {}", of(engine).elo);
        }
        assert!((0..4).all(|engine| (of(engine).error - of(0).error).abs() < 1e-6) && of(0).error < 100.0);
        assert_eq!(of(4).error, f64::INFINITY);
        let order: Vec<usize> = ratings.iter().map(|rating| rating.engine).collect();
        assert_eq!(order, [0, 3, 2, 1, 4]);
        assert!(table.draw().ends_with("never met, not even through others: a, d; b, c"), "{}", table.draw());
        table.set(1, 3, tally(1, 0, 1));
        assert_eq!(table.groups_note(), None);
    }

    #[test]
    fn a_clean_score_stays_finite() {
        let table = table(&[(0, 1, tally(5, 0, 0)), (0, 2, tally(5, 0, 0)), (1, 2, tally(2, 1, 2))]);
        assert!(table.ratings().iter().all(|rating| rating.elo.is_finite() && rating.error.is_finite()));
        let text = table.draw();
        assert!(text.lines().count() == 4 && text.contains("5-0-0"), "{text}");
        assert!(!CrossTable::new(vec!["x".to_owned()]).draw().is_empty());
    }
}
