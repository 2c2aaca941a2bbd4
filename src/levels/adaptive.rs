//! Finds the level that fits a person from the results of past games. The person's rating is estimated as the mean of
//! its posterior distribution, whose prior is centred below the middle and dominates as long as there are few games.

use super::level::Level;
use super::ratings::{ELO_PER_NAT, ratings};
use crate::rules::Rule;

/// Step between the ratings of the grid, in Elo.
const STEP: f64 = 10.0;
/// How far beyond the weakest and the strongest level a person's rating may lie, in Elo.
const BEYOND: f64 = 200.0;
/// Where people are expected to be before their first game, as a share of the way up to full strength: most who open a
/// board play for fun.
const CENTER: f64 = 0.35;
/// How far from there they are expected to be, in Elo (one standard deviation).
const SPREAD: f64 = 700.0;

/// What the results say about a person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The closest level: the next game is against it.
    pub level: Level,
    /// The person's rating, in Elo above the weakest level.
    pub elo: f64,
    /// How far off that rating may be, in Elo (one standard deviation).
    pub error: f64,
}

/// The level that fits a person with these results. Each result is the level of a game and the person's score in it: 1
/// for a win, 0.5 for a draw, 0 for a loss. Without games it is a level below the
/// middle.
#[must_use]
pub fn fitting_level(rule: Rule, games: &[(Level, f64)]) -> Fit {
    let levels = ratings(rule);
    let most = levels.last().copied().unwrap_or_default();
    let likelihood = |elo: f64| -> f64 {
        let apart = (elo - most * CENTER) / SPREAD;
        let expected = |level: Level| 1.0 / (1.0 + ((levels[level.number() - 1] - elo) / ELO_PER_NAT).exp());
        let of_game = |&(level, points): &(Level, f64)| {
            let (points, expected) = (points.clamp(0.0, 1.0), expected(level));
            points * expected.ln() + (1.0 - points) * (1.0 - expected).ln()
        };
        games.iter().map(of_game).sum::<f64>() - apart * apart / 2.0
    };
    let count = ((most + 2.0 * BEYOND) / STEP) as usize;
    let grid: Vec<(f64, f64)> =
        (0..=count).map(|n| n as f64 * STEP - BEYOND).map(|elo| (elo, likelihood(elo))).collect();
    let top = grid.iter().map(|&(_, likelihood)| likelihood).fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<(f64, f64)> = grid.into_iter().map(|(elo, l)| (elo, (l - top).exp())).collect();
    let total: f64 = weights.iter().map(|&(_, weight)| weight).sum();
    let elo = weights.iter().map(|&(elo, weight)| elo * weight).sum::<f64>() / total;
    let variance = weights.iter().map(|&(other, weight)| (other - elo).powi(2) * weight).sum::<f64>() / total;
    let apart = |level: &Level| (levels[level.number() - 1] - elo).abs();
    let level = Level::all().min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or(Level::FULL);
    Fit { level, elo, error: variance.sqrt() }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    /// The level that is found after so many games of a person whose rating is exactly that of a level.
    fn found(rule: Rule, person: Level, games: usize, random: &mut StdRng) -> Level {
        let levels = ratings(rule);
        let mut played = Vec::new();
        for _ in 0..games {
            let level = fitting_level(rule, &played).level;
            let apart = levels[person.number() - 1] - levels[level.number() - 1];
            let expected = 1.0 / (1.0 + (-apart / ELO_PER_NAT).exp());
            played.push((level, if random.random_bool(expected) { 1.0 } else { 0.0 }));
        }
        fitting_level(rule, &played).level
    }

    /// Ten games determine a person's rating to about 110 points, which is a level.
    #[test]
    fn ten_games_find_the_level() {
        const PEOPLE: usize = 200;
        let mut random = StdRng::seed_from_u64(26);
        for rule in [Rule::Freestyle, Rule::Renju] {
            let (mut off, mut far, mut all) = (0, 0, 0);
            for person in Level::all() {
                for _ in 0..PEOPLE {
                    let apart = found(rule, person, 10, &mut random).number().abs_diff(person.number());
                    off += apart;
                    far += usize::from(apart > 2);
                    all += 1;
                }
            }
            let (mean, share) = (off as f64 / all as f64, far as f64 / all as f64);
            assert!(mean < 1.1 && share < 0.08, "{rule}: {mean:.2} levels off, {share:.3} more than two");
        }
    }

    #[test]
    fn wins_lead_up_and_losses_down() {
        let start = fitting_level(Rule::Renju, &[]).level;
        assert!((Level::COUNT / 3..=2 * Level::COUNT / 3).contains(&start.number()));
        let after = |points| fitting_level(Rule::Renju, &[(start, points)]).level;
        assert!(after(1.0) > start && after(0.0) < start);
        let always = |points: f64| {
            let mut played = Vec::new();
            (0..12).for_each(|_| played.push((fitting_level(Rule::Renju, &played).level, points)));
            fitting_level(Rule::Renju, &played)
        };
        assert!(always(1.0).level.number() >= Level::COUNT - 2 && always(0.0).level.number() <= 3);
        assert!(always(1.0).error < fitting_level(Rule::Renju, &[]).error);
    }
}
