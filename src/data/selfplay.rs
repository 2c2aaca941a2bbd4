//! Self-play games of the engine, many at once, each determined by a seed and its number alone.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::opening_generator::{OpeningRecipe, balanced, score_of};
use super::ordered_games::{Maker, make_all};
use super::record::{Ending, Origin, TrainingGame, TrainingMove};
use crate::board::{Color, Point, Size, Stones};
use crate::engine::{Engine, Question};
use crate::eval::score::{self, Score};
use crate::position::Position;
use crate::rules::judge::{self, Verdict};
use crate::rules::{Rule, RuleSet, with_rule};
use crate::search::threats::{ForcedReply, forced_reply};
use crate::search::{Answer, Control, Limits, Request};

/// Bytes of transposition table per node of a move: 16 bytes per entry, times about as many moves as a game has.
const TABLE_BYTES_PER_NODE: u64 = 16 * 64;
/// The largest table of one engine, in bytes; there is one engine for each core.
const MOST_TABLE_BYTES: u64 = 64 << 20;
/// The smallest table, in bytes. It is cleared for every game, so it must not be much larger than what a game fills.
const LEAST_TABLE_BYTES: u64 = 1 << 20;
/// How far from the last stone a random move may lie, in columns and rows.
const LAST_STONE_REACH: usize = 3;

/// Random moves, so that games differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomMoves {
    /// The share of moves that are random, in thousandths.
    pub permille: u32,
    /// Number of the first move that may be random, counted from 1 at the empty board.
    pub from: usize,
    /// Number of the last such move.
    pub until: usize,
}

/// When a game in which nothing happens any more is adjudicated a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietDraw {
    /// Scores of up to this many points for either side count as quiet.
    pub limit: Score,
    /// Moves in a row that must have such scores.
    pub moves: usize,
    /// The minimum number of stones on the board.
    pub from: usize,
}

/// How games are played. Its text form is the settings of the shards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecipe {
    /// Rules, taken in turn; at least one.
    pub rules: Vec<Rule>,
    /// Boards, taken in turn with each rule; at least one.
    pub sizes: Vec<Size>,
    /// Nodes searched for each move.
    pub nodes: u32,
    /// How openings are made.
    pub opening: OpeningRecipe,
    /// How often a move is random.
    pub random: RandomMoves,
    /// Whether a game ends as soon as the search has proved a win for the side to move.
    pub stop_at_proof: bool,
    /// When a game is adjudicated a draw; `None` if only a full board is a draw.
    pub quiet_draw: Option<QuietDraw>,
}

impl GameRecipe {
    /// The recipe for everyday use: all rules, boards of 15 and 20, and openings within 100 points.
    #[must_use]
    pub fn new(nodes: u32) -> GameRecipe {
        GameRecipe {
            rules: Rule::ALL.to_vec(),
            sizes: vec![Size::square(15), Size::square(20)],
            nodes,
            opening: OpeningRecipe { least_stones: 3, most_stones: 7, limit: 100, nodes: nodes.into() },
            random: RandomMoves { permille: 100, from: 5, until: 12 },
            stop_at_proof: true,
            quiet_draw: Some(QuietDraw { limit: 10, moves: 14, from: 100 }),
        }
    }

    /// The rule and board size of the game with this number.
    ///
    /// # Panics
    /// If there are no rules or no sizes.
    #[must_use]
    pub fn variant(&self, number: u32) -> (Rule, Size) {
        let (n, rules, sizes) = (number as usize, &self.rules, &self.sizes);
        (rules[n % rules.len()], sizes[n / rules.len() % sizes.len()])
    }
}

/// The memory of an engine that searches this many nodes for each move of a game. It is a function of the nodes alone,
/// because it affects what searches find: a small table overwrites more entries.
pub(super) fn memory_for(nodes: u32) -> u64 {
    let table = u64::from(nodes).saturating_mul(TABLE_BYTES_PER_NODE);
    Engine::memory_for(1, table.clamp(LEAST_TABLE_BYTES, MOST_TABLE_BYTES))
}

impl fmt::Display for GameRecipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GameRecipe { rules, sizes, nodes, opening, random, stop_at_proof, quiet_draw } = self;
        let rules: Vec<&str> = rules.iter().map(|rule| rule.name()).collect();
        let sizes: Vec<String> = sizes.iter().map(Size::to_string).collect();
        write!(f, "rules={} sizes={} nodes={nodes}", rules.join(","), sizes.join(","))?;
        let OpeningRecipe { least_stones, most_stones, limit, nodes } = opening;
        write!(f, " opening={least_stones}-{most_stones} opening-limit={limit} opening-nodes={nodes}")?;
        let RandomMoves { permille, from, until } = random;
        write!(f, " random={permille}/1000 random-from={from} random-until={until}")?;
        write!(f, " stop-at-proof={stop_at_proof} quiet-draw=")?;
        match quiet_draw {
            Some(QuietDraw { limit, moves, from }) => write!(f, "{limit},{moves},{from}"),
            None => f.write_str("never"),
        }
    }
}

/// The cost of playing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Games finished.
    pub games: u64,
    /// Moves after the openings, including forced ones, for which nothing is searched.
    pub moves: u64,
    /// Time of all threads together.
    pub total: Duration,
    /// The part of it in which the engine searched, including searches for openings.
    pub searching: Duration,
}

impl Effort {
    /// Adds the effort of another player.
    pub fn add(&mut self, other: Effort) {
        self.games += other.games;
        self.moves += other.moves;
        self.total += other.total;
        self.searching += other.searching;
    }

    /// The share of the time outside the search, 0 to 1.
    #[must_use]
    pub fn overhead(&self) -> f64 {
        let total = self.total.as_secs_f64().max(f64::MIN_POSITIVE);
        1.0 - self.searching.as_secs_f64() / total
    }
}

/// One engine that plays game after game against itself.
pub struct SelfPlayer<'a> {
    recipe: &'a GameRecipe,
    seed: u64,
    engine: Engine,
    /// The effort so far.
    pub effort: Effort,
}

impl<'a> SelfPlayer<'a> {
    /// A player of games by this recipe and seed.
    #[must_use]
    pub fn new(recipe: &'a GameRecipe, seed: u64) -> SelfPlayer<'a> {
        SelfPlayer {
            recipe,
            seed,
            engine: Engine::new(1, memory_for(recipe.nodes)),
            effort: Effort::default(),
        }
    }

    /// Plays the game with this number. The result does not depend on which games were played before.
    pub fn play(&mut self, number: u32) -> TrainingGame {
        let started = Instant::now();
        let (rule, size) = self.recipe.variant(number);
        let mut rng = rng_for(self.seed, number);
        self.engine.new_game();
        let before = Instant::now();
        let opening = balanced(&mut self.engine, rule, size, self.recipe.opening, &mut rng);
        self.effort.searching += before.elapsed();
        let game = with_rule!(rule, R => self.play_from::<R>(number, size, &opening, &mut rng));
        self.effort.games += 1;
        self.effort.total += started.elapsed();
        game
    }

    fn play_from<R: RuleSet>(
        &mut self,
        number: u32,
        size: Size,
        opening: &[Point],
        rng: &mut Xoshiro256PlusPlus,
    ) -> TrainingGame {
        let mut stones = Stones::new(size);
        let mut moves: Vec<TrainingMove> = Vec::with_capacity(size.area());
        for &point in opening {
            stones.place(point, stones.to_move());
            moves.push(TrainingMove { point, origin: Origin::Opening, score: None });
        }
        let (ending, winner) = loop {
            let played = self.choose::<R>(&stones, rng);
            moves.push(played);
            stones.place(played.point, stones.to_move());
            if let Some(end) = ended::<R>(&stones).or_else(|| self.adjudicated(&moves)) {
                break end;
            }
        };
        self.effort.moves += (moves.len() - opening.len()) as u64;
        let opening = opening.len() as u8;
        TrainingGame { number, rule: R::RULE, size, opening, winner, ending, moves }
    }

    /// Chooses the move to play.
    fn choose<R: RuleSet>(&mut self, stones: &Stones, rng: &mut Xoshiro256PlusPlus) -> TrainingMove {
        let limits = Limits { nodes: Some(self.recipe.nodes.into()), ..Limits::default() };
        let before = Instant::now();
        let answer: Answer =
            self.engine.think(&Question::new(R::RULE, stones, &Request::best(limits), &Control::new()));
        self.effort.searching += before.elapsed();
        let (point, score) = (answer.moves[0], score_of(&answer));
        let Some(score) = score else { return TrainingMove { point, origin: Origin::Forced, score } };
        let RandomMoves { permille, from, until } = self.recipe.random;
        let may_be_random = (from..=until).contains(&(stones.history().len() + 1));
        if may_be_random
            && !score::is_decided(score)
            && rng.random_range(0..1000) < permille
            && let Some(point) = random_move::<R>(stones, rng)
        {
            return TrainingMove { point, origin: Origin::Random, score: Some(score) };
        }
        TrainingMove { point, origin: Origin::Search, score: Some(score) }
    }

    /// How the game is adjudicated, if it ends here although it could go on.
    fn adjudicated(&self, moves: &[TrainingMove]) -> Option<(Ending, Option<Color>)> {
        let last = moves.last()?;
        let mover = Color::ALL[(moves.len() + 1) % 2];
        // A proven win ends with a stone of the winner, an odd number of plies from here. Where the score says instead
        // that the opponent will have no move left, the game is played on to show it.
        let is_proof = |plies: i32| plies > 0 && plies % 2 == 1;
        if self.recipe.stop_at_proof && last.score.and_then(score::plies_to_end).is_some_and(is_proof) {
            return Some((Ending::Proven, Some(mover)));
        }
        let QuietDraw { limit, moves: count, from } = self.recipe.quiet_draw?;
        // A forced move has no score and is skipped.
        let mut scores = moves.iter().rev().filter_map(|played| played.score);
        let is_quiet = moves.len() >= from.max(count)
            && scores.by_ref().take(count).filter(|score| score.abs() <= limit).count() == count;
        is_quiet.then_some((Ending::Quiet, None))
    }
}

/// How the last move ended the game, according to the judge; `None` if the game goes on.
pub(crate) fn ended<R: RuleSet>(stones: &Stones) -> Option<(Ending, Option<Color>)> {
    match judge::verdict::<R>(stones) {
        Verdict::Ongoing => None,
        Verdict::Win(color) => Some((Ending::Line, Some(color))),
        Verdict::Foul(color) => Some((Ending::Foul, Some(!color))),
        Verdict::Draw => Some((Ending::Full, None)),
    }
}

/// A random legal move near the last one that does not win; `None` if a threat has to be answered or there is no such
/// move.
fn random_move<R: RuleSet>(stones: &Stones, rng: &mut Xoshiro256PlusPlus) -> Option<Point> {
    let (last, _) = stones.recent(0)?;
    let mut position = Position::<R>::from_stones(stones, &mut ());
    if forced_reply(&mut position) != ForcedReply::Free {
        return None;
    }
    let near = position.candidates();
    let near: Vec<Point> = near
        .iter()
        .filter(|&point| point.distance(last) <= LAST_STONE_REACH)
        .filter(|&point| position.is_legal(point) && !position.wins_at(point))
        .collect();
    (!near.is_empty()).then(|| near[rng.random_range(0..near.len())])
}

/// The random number generator of one game, of a kind that gives the same numbers in every version of the library and
/// on every machine.
#[must_use]
pub fn rng_for(seed: u64, number: u32) -> Xoshiro256PlusPlus {
    let mut bytes = [0; 32];
    // Seeded in two stages, so that similar seeds and similar numbers give unrelated games.
    Xoshiro256PlusPlus::seed_from_u64(seed).fill(&mut bytes[..24]);
    bytes[24..28].copy_from_slice(&number.to_le_bytes());
    let first = Xoshiro256PlusPlus::from_seed(bytes).random::<u64>();
    Xoshiro256PlusPlus::seed_from_u64(first)
}

/// Plays the games with these numbers on this many threads and passes them to `sink` in order. Begins no more games
/// when `stop` is set or `sink` fails. Games in progress are finished all the same; after `stop` they are passed on
/// too, after an error of `sink` they are not.
///
/// # Errors
/// Those of `sink`, or if the system provides no threads.
pub fn play_all(
    recipe: &GameRecipe,
    seed: u64,
    numbers: Range<u32>,
    threads: usize,
    stop: &AtomicBool,
    sink: impl FnMut(TrainingGame) -> anyhow::Result<()> + Send,
) -> anyhow::Result<Effort> {
    let players = make_all(numbers, threads, stop, || SelfPlayer::new(recipe, seed), sink)?;
    let mut effort = Effort::default();
    players.into_iter().for_each(|player| effort.add(player.effort));
    Ok(effort)
}

impl Maker for SelfPlayer<'_> {
    fn make(&mut self, number: u32) -> TrainingGame {
        self.play(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe() -> GameRecipe {
        GameRecipe::new(100)
    }

    fn play(recipe: &GameRecipe, seed: u64, numbers: Range<u32>, threads: usize) -> Vec<TrainingGame> {
        let mut games = Vec::new();
        let sink = |game| {
            games.push(game);
            Ok(())
        };
        play_all(recipe, seed, numbers, threads, &AtomicBool::new(false), sink).unwrap();
        games
    }

    #[test]
    fn a_game_follows_from_seed_and_number() {
        let recipe = recipe();
        let games = play(&recipe, 9, 0..12, 3);
        assert!(games.iter().map(|game| game.number).eq(0..12), "games come in order");
        // Played alone, on one thread, from the middle, they are the same.
        assert_eq!(play(&recipe, 9, 7..10, 1), games[7..10]);
        let others = play(&recipe, 10, 0..2, 1);
        assert!(others[0].moves != games[0].moves && others[1].moves != games[1].moves);
    }

    #[test]
    fn games_are_sound() {
        let recipe = GameRecipe { stop_at_proof: false, quiet_draw: None, ..recipe() };
        for game in play(&recipe, 4, 0..20, 2) {
            assert_eq!((game.rule, game.size), recipe.variant(game.number));
            let mut stones = Stones::new(game.size);
            let mut end = None;
            for (n, played) in game.moves.iter().enumerate() {
                assert_eq!(end, None, "nothing is played after the end");
                assert_eq!(played.origin == Origin::Opening, n < usize::from(game.opening));
                stones.place(played.point, stones.to_move());
                end = with_rule!(game.rule, R => ended::<R>(&stones));
            }
            assert_eq!(end, Some((game.ending, game.winner)));
            let read = TrainingGame::from_bytes(&game.to_bytes());
            assert_eq!(read.map(|(game, _)| game), Ok(game));
        }
    }

    #[test]
    fn random_moves_come_when_they_may() {
        let random = RandomMoves { permille: 1000, from: 6, until: 9 };
        let recipe = GameRecipe { random, ..recipe() };
        let games = play(&recipe, 1, 0..5, 1);
        let numbers: Vec<usize> = games
            .iter()
            .flat_map(|game| game.moves.iter().enumerate())
            .filter(|(_, played)| played.origin == Origin::Random)
            .map(|(n, _)| n + 1)
            .collect();
        assert!(!numbers.is_empty() && numbers.iter().all(|n| (6..=9).contains(n)), "{numbers:?}");
    }

    #[test]
    fn games_are_adjudicated_on_request() {
        let recipe = GameRecipe { quiet_draw: Some(QuietDraw { limit: 10, moves: 4, from: 6 }), ..recipe() };
        let player = SelfPlayer::new(&recipe, 0);
        let line = |scores: &[Option<Score>]| -> Vec<TrainingMove> {
            let played =
                |(n, &score)| TrainingMove { point: Point::new(n, 0), origin: Origin::Search, score };
            scores.iter().enumerate().map(played).collect()
        };
        let quiet = [None, Some(90), Some(5), Some(-10), None, Some(0), Some(3)];
        assert_eq!(player.adjudicated(&line(&quiet)), Some((Ending::Quiet, None)));
        assert_eq!(player.adjudicated(&line(&quiet[..6])), None, "three quiet scores");
        assert_eq!(player.adjudicated(&line(&quiet[2..])), None, "five stones");
        let won = [Some(0), Some(score::win_in(5))];
        assert_eq!(player.adjudicated(&line(&won)), Some((Ending::Proven, Some(Color::White))));
        let lost = [Some(0), Some(score::lost_in(6))];
        assert_eq!(player.adjudicated(&line(&lost)), None, "the winner has to show it");
        let no_move_left = [Some(0), Some(score::win_in(4))];
        assert_eq!(player.adjudicated(&line(&no_move_left)), None);
        let played_out = GameRecipe { stop_at_proof: false, ..recipe.clone() };
        assert_eq!(SelfPlayer::new(&played_out, 0).adjudicated(&line(&won)), None);
    }

    #[test]
    fn a_sink_that_fails_ends_the_games() {
        let mut taken = 0;
        let sink = |_| {
            taken += 1;
            anyhow::ensure!(taken < 3, "the disk is full");
            Ok(())
        };
        let result = play_all(&recipe(), 1, 0..1_000_000, 2, &AtomicBool::new(false), sink);
        assert_eq!((result.unwrap_err().to_string().as_str(), taken), ("the disk is full", 3));
    }
}
