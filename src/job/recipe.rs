//! How self-play games are played, as it is written in a job.

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use crate::board::Size;
use crate::data::opening_generator::OpeningRecipe;
use crate::data::selfplay::{GameRecipe, QuietDraw, RandomMoves};
use crate::eval::score::Score;
use crate::rules::Rule;

/// A [`GameRecipe`] in words and numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecipeFile {
    rules: Vec<String>,
    sizes: Vec<String>,
    nodes: u32,
    opening_stones: (usize, usize),
    opening_limit: Score,
    opening_nodes: u64,
    random_permille: u32,
    random_moves: (usize, usize),
    stop_at_proof: bool,
    /// Limit of the scores, moves in a row, stones on the board.
    quiet_draw: Option<(Score, usize, usize)>,
}

impl RecipeFile {
    /// The recipe in the form in which a job stores it.
    #[must_use]
    pub fn of(recipe: &GameRecipe) -> RecipeFile {
        let GameRecipe { rules, sizes, nodes, opening, random, stop_at_proof, quiet_draw } = recipe;
        RecipeFile {
            rules: rules.iter().map(|rule| rule.name().to_owned()).collect(),
            sizes: sizes.iter().map(Size::to_string).collect(),
            nodes: *nodes,
            opening_stones: (opening.least_stones, opening.most_stones),
            opening_limit: opening.limit,
            opening_nodes: opening.nodes,
            random_permille: random.permille,
            random_moves: (random.from, random.until),
            stop_at_proof: *stop_at_proof,
            quiet_draw: quiet_draw.map(|quiet| (quiet.limit, quiet.moves, quiet.from)),
        }
    }

    /// The recipe that is stored.
    ///
    /// # Errors
    /// A rule or a board is unknown, or there is none.
    pub fn recipe(&self) -> anyhow::Result<GameRecipe> {
        let rules = self.rules.iter().map(|rule| rule.parse().with_context(|| format!("rule `{rule}`")));
        let sizes =
            self.sizes.iter().map(|size| size.parse().ok().with_context(|| format!("board `{size}`")));
        let (least_stones, most_stones) = self.opening_stones;
        let (from, until) = self.random_moves;
        let recipe = GameRecipe {
            rules: rules.collect::<anyhow::Result<Vec<Rule>>>()?,
            sizes: sizes.collect::<anyhow::Result<Vec<Size>>>()?,
            nodes: self.nodes,
            opening: OpeningRecipe {
                least_stones,
                most_stones,
                limit: self.opening_limit,
                nodes: self.opening_nodes,
            },
            random: RandomMoves { permille: self.random_permille, from, until },
            stop_at_proof: self.stop_at_proof,
            quiet_draw: self.quiet_draw.map(|(limit, moves, from)| QuietDraw { limit, moves, from }),
        };
        ensure!(!recipe.rules.is_empty() && !recipe.sizes.is_empty(), "a recipe needs a rule and a board");
        Ok(recipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_comes_back() {
        let everyday = GameRecipe::new(123);
        let other = GameRecipe { quiet_draw: None, rules: vec![Rule::ALL[2]], ..everyday.clone() };
        for recipe in [everyday, other] {
            assert_eq!(RecipeFile::of(&recipe).recipe().unwrap(), recipe);
        }
        let wrong = RecipeFile { rules: vec!["chess".to_owned()], ..RecipeFile::of(&GameRecipe::new(1)) };
        assert!(format!("{:#}", wrong.recipe().unwrap_err()).contains("chess"));
        let nothing = RecipeFile { sizes: Vec::new(), ..RecipeFile::of(&GameRecipe::new(1)) };
        assert!(nothing.recipe().is_err());
    }
}
