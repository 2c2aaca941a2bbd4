//! Grows a book: the engine searches the most important position that it has not searched yet, and the library stores
//! what it found.
//!
//! The order is best-first: each move away from the root costs a little, plus the amount by which it is worse than the
//! best one, whoever plays it. So the book follows good play of both sides, and is broader near the root. The library
//! contains all that is needed to go on, so a growth that was interrupted goes on as if nothing had happened.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use rusqlite::Connection;

use super::entry::{Decided, Entry, Outcome};
use super::error::LibraryError;
use super::key::{KeyWalk, PositionKey};
use super::ranking::Ranking;
use super::rows::{get, write_row};
use super::store::Library;
use crate::board::Stones;
use crate::engine::Engine;
use crate::eval::score::{MAX_EVAL, Score, is_decided, is_loss, is_win, plies_to_end, win_probability};
use crate::rules::judge::{self, Verdict};
use crate::rules::{Rule, with_rule};
use crate::search::Control;

/// The base cost of a move, in expected score.
const STEP: f64 = 0.03;
/// Costs are compared in millionths of a won game.
const FINE: f64 = 1e6;

/// How a book grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrowthOptions {
    /// Nodes for each position.
    pub nodes: u64,
    /// Moves of each position that the engine ranks, at least 2.
    pub lines: usize,
    /// The winning probability, from 0 to 1, by which a move may be worse than the best one and still be followed.
    pub margin: f64,
    /// The largest number of stones in a position that the engine searches.
    pub most_stones: usize,
}

impl Default for GrowthOptions {
    fn default() -> GrowthOptions {
        GrowthOptions { nodes: 100_000, lines: 4, margin: 0.1, most_stones: 12 }
    }
}

/// The result of one step.
#[derive(Clone, Debug, PartialEq)]
pub struct GrowthStep {
    /// Stones in the position that was searched.
    pub stones: usize,
    /// Its score for the side to move.
    pub score: Score,
    /// Positions that the engine has searched, in all.
    pub searched: usize,
    /// The current score of the root for the side to move.
    pub root: Option<Score>,
}

/// A position of the book, in memory.
#[derive(Clone, Debug, Default)]
struct Node {
    value: Option<Score>,
    is_searched: bool,
    /// The win or loss that a search of this position has seen, in which the moves that nobody ranked count too.
    seen: Option<Score>,
    /// Whether its value is certain, so that those of its moves change nothing: it is proved, or drawn.
    is_certain: bool,
    is_over: bool,
    children: Vec<PositionKey>,
    parents: Vec<PositionKey>,
}

/// A book that grows below a position.
#[derive(Debug)]
pub struct Growth<'l> {
    library: &'l Library,
    options: GrowthOptions,
    root: PositionKey,
    nodes: HashMap<PositionKey, Node>,
    /// How many of them the engine has searched.
    searched: usize,
}

impl<'l> Growth<'l> {
    /// Reads what has grown below this position so far, and backs up what others have written meanwhile, such as
    /// proofs.
    ///
    /// # Errors
    /// The library cannot be read or written, or the position has dead cells.
    pub fn new(
        library: &'l Library,
        rule: Rule,
        root: &Stones,
        options: GrowthOptions,
    ) -> Result<Growth<'l>, LibraryError> {
        let (growth, changed) = Growth::read(library, rule, root, options)?;
        if !changed.is_empty() {
            library.in_transaction(|connection| growth.write(connection, HashMap::new(), &changed))?;
        }
        Ok(growth)
    }

    /// The same for those who only want to know what should be searched next: nothing is written, so the library may be
    /// open for reading alone.
    ///
    /// # Errors
    /// The library cannot be read, or the position has dead cells.
    pub fn look(
        library: &'l Library,
        rule: Rule,
        root: &Stones,
        options: GrowthOptions,
    ) -> Result<Growth<'l>, LibraryError> {
        Growth::read(library, rule, root, options).map(|(growth, _)| growth)
    }

    /// What has grown, and the positions whose values in the library are out of date.
    fn read(
        library: &'l Library,
        rule: Rule,
        root: &Stones,
        options: GrowthOptions,
    ) -> Result<(Growth<'l>, Vec<PositionKey>), LibraryError> {
        let root = PositionKey::of(rule, root).ok_or(LibraryError::DeadCells)?.key;
        let options = GrowthOptions { lines: options.lines.max(2), ..options };
        let mut growth = Growth { library, options, root: root.clone(), nodes: HashMap::new(), searched: 0 };
        let mut open = vec![root];
        while let Some(key) = open.pop() {
            if growth.nodes.contains_key(&key) {
                continue;
            }
            let entry = library.get(&key)?.unwrap_or_default();
            let mut node =
                Node { is_searched: entry.nodes.is_some(), is_over: is_over(&key), ..Node::default() };
            node.take(&entry);
            if node.is_searched {
                let record = library.look_up(rule, &key.position())?;
                let mut walk = walk_to(&key);
                let known = record
                    .branches
                    .iter()
                    .filter(|branch| branch.entry.value().is_some() || branch.entry.nodes.is_some());
                node.children = known.map(|branch| walk.after(branch.point)).collect();
                node.children.sort();
                node.children.dedup();
                open.extend(node.children.iter().cloned());
            }
            growth.nodes.insert(key, node);
        }
        growth.searched = growth.nodes.values().filter(|node| node.is_searched).count();
        growth.find_parents();
        let changed = growth.back_up_all();
        Ok((growth, changed))
    }

    fn find_parents(&mut self) {
        let pairs: Vec<(PositionKey, PositionKey)> = self
            .nodes
            .iter()
            .flat_map(|(key, node)| node.children.iter().map(|child| (child.clone(), key.clone())))
            .collect();
        for (child, parent) in pairs {
            if let Some(node) = self.nodes.get_mut(&child) {
                node.parents.push(parent);
            }
        }
    }

    /// Gives all positions the values of their best moves. Returns those whose value has changed.
    fn back_up_all(&mut self) -> Vec<PositionKey> {
        let mut keys: Vec<PositionKey> = self.nodes.keys().cloned().collect();
        // A move adds a stone, so each position comes after those that its moves lead to.
        keys.sort_by_key(|key| Reverse(key.stone_count()));
        keys.retain(|key| self.update(key));
        keys
    }

    /// Positions that the engine has searched.
    #[must_use]
    pub fn searched(&self) -> usize {
        self.searched
    }

    /// Lets the engine search one more position; `None` if none is left or the search was stopped.
    ///
    /// # Errors
    /// The library cannot be written.
    pub fn step(
        &mut self,
        engine: &mut Engine,
        control: &Control,
    ) -> Result<Option<GrowthStep>, LibraryError> {
        let Some(key) = self.frontier(1).pop() else { return Ok(None) };
        let GrowthOptions { nodes, lines, .. } = self.options;
        let Some(ranking) = Ranking::search(engine, &key, nodes, lines, control) else { return Ok(None) };
        self.enter(&key, &ranking).map(Some)
    }

    /// Whether the engine has searched a position.
    #[must_use]
    pub fn knows(&self, key: &PositionKey) -> bool {
        self.nodes.get(key).is_some_and(|node| node.is_searched)
    }

    /// Stores the engine's ranking of a position, wherever it was made.
    ///
    /// # Errors
    /// The library cannot be written.
    pub fn enter(&mut self, key: &PositionKey, ranking: &Ranking) -> Result<GrowthStep, LibraryError> {
        let best = ranking.moves.first().and_then(|ranked| ranked.worth);
        let mut found: Vec<(PositionKey, Entry)> = Vec::new();
        let mut walk = walk_to(key);
        for ranked in &ranking.moves {
            let after = walk.after(ranked.point);
            if found.iter().all(|(other, _)| *other != after) {
                // The only sensible move has no score, so the position after it will be searched.
                found.push((after, ranked.worth.map(entry_after).unwrap_or_default()));
            }
        }
        let own = Entry {
            score: best.map(|(score, _)| score),
            depth: best.map(|(_, depth)| depth),
            nodes: Some(ranking.nodes),
            decided: best.and_then(|(score, _)| decided(score)),
            ..Entry::default()
        };
        self.link(key, found.iter().map(|(child, _)| child));
        found.push((key.clone(), own));
        let library = self.library;
        // In one transaction with what it is merged with: others may be adding games or comments to the same positions.
        library.in_transaction(|connection| {
            let mut entries: HashMap<PositionKey, Entry> = HashMap::new();
            let mut open = vec![key.clone()];
            for (key, entry) in found {
                let mut known = get(connection, &key)?.unwrap_or_default();
                known.merge(entry);
                if let Some(node) = self.nodes.get_mut(&key)
                    && node.take(&known)
                {
                    open.extend(node.parents.iter().cloned());
                }
                entries.insert(key, known);
            }
            let changed = self.back_up(open);
            self.write(connection, entries, &changed)
        })?;
        let root = self.nodes.get(&self.root).and_then(|node| node.value);
        let score = self.nodes.get(key).and_then(|node| node.value).unwrap_or(0);
        Ok(GrowthStep { stones: key.stone_count(), score, searched: self.searched(), root })
    }

    /// The positions that the engine should search next, the most important first, as far as is known by now.
    #[must_use]
    pub fn frontier(&self, most: usize) -> Vec<PositionKey> {
        let mut found = Vec::new();
        let mut open: BinaryHeap<(Reverse<u64>, PositionKey)> = BinaryHeap::new();
        let mut costs: HashMap<&PositionKey, u64> = HashMap::new();
        open.push((Reverse(0), self.root.clone()));
        costs.insert(&self.root, 0);
        while found.len() < most
            && let Some((Reverse(cost), key)) = open.pop()
        {
            let Some((own, node)) = self.nodes.get_key_value(&key) else { continue };
            if costs.get(own).is_some_and(|&known| known < cost) || node.is_over {
                continue;
            }
            if key.stone_count() > self.options.most_stones || node.value.is_some_and(is_decided) {
                continue;
            }
            if !node.is_searched {
                found.push(key);
                continue;
            }
            let shares =
                |child: &PositionKey| self.nodes.get(child)?.value.map(|value| win_probability(-value));
            let best = node.children.iter().filter_map(shares).fold(0.0, f64::max);
            for child in &node.children {
                // A move of unknown value counts as no loss, so that it gets searched.
                let loss = shares(child).map_or(0.0, |share| best - share);
                if loss > self.options.margin {
                    continue;
                }
                let child_cost = cost + ((loss + STEP) * FINE) as u64;
                if costs.get(child).is_none_or(|&known| child_cost < known) {
                    costs.insert(child, child_cost);
                    open.push((Reverse(child_cost), child.clone()));
                }
            }
        }
        found
    }

    /// A position that was searched, and what its moves lead to.
    fn link<'k>(&mut self, key: &PositionKey, children: impl Iterator<Item = &'k PositionKey>) {
        let mut known = std::mem::take(&mut self.nodes.entry(key.clone()).or_default().children);
        for child in children {
            let node = self
                .nodes
                .entry(child.clone())
                .or_insert_with(|| Node { is_over: is_over(child), ..Node::default() });
            if !node.parents.contains(key) {
                node.parents.push(key.clone());
            }
            if !known.contains(child) {
                known.push(child.clone());
            }
        }
        if let Some(node) = self.nodes.get_mut(key) {
            self.searched += usize::from(!node.is_searched);
            (node.is_searched, node.children) = (true, known);
        }
    }

    /// Gives these positions and those above them the values of their best moves. Returns the positions whose value has
    /// changed.
    fn back_up(&mut self, mut open: Vec<PositionKey>) -> Vec<PositionKey> {
        let mut changed = Vec::new();
        while let Some(key) = open.pop() {
            if self.update(&key) {
                open.extend(self.nodes.get(&key).into_iter().flat_map(|node| node.parents.iter().cloned()));
                if !changed.contains(&key) {
                    changed.push(key);
                }
            }
        }
        changed
    }

    /// Gives a position the value of its best move; returns whether it had another one.
    fn update(&mut self, key: &PositionKey) -> bool {
        let Some(node) = self.nodes.get(key).filter(|node| !node.is_certain) else { return false };
        let worth = |child: &PositionKey| self.nodes.get(child)?.value.map(score_before);
        let Some(best) = node.children.iter().filter_map(worth).max() else { return false };
        // A loss may be an error of a search that was not deep enough, and gives way to a deeper one.
        let seen = node.seen.filter(|&seen| is_win(seen) || is_loss(best));
        let value = match seen {
            Some(win) if is_win(win) => best.max(win),
            // The moves that nobody ranked may hold.
            None if is_loss(best) => -MAX_EVAL,
            _ => best,
        };
        let is_new = node.value != Some(value);
        if let Some(node) = self.nodes.get_mut(key) {
            (node.value, node.seen) = (Some(value), seen);
        }
        is_new
    }

    /// Writes these entries, and the values of the positions that have changed.
    fn write(
        &self,
        connection: &Connection,
        mut entries: HashMap<PositionKey, Entry>,
        changed: &[PositionKey],
    ) -> Result<(), LibraryError> {
        for key in changed {
            let value = self.nodes.get(key).and_then(|node| node.value);
            let entry = match entries.remove(key) {
                Some(entry) => Some(entry),
                None => get(connection, key)?,
            };
            if let (Some(value), Some(mut entry)) = (value, entry) {
                entry.score = Some(value);
                if !entry.decided.is_some_and(is_certain) {
                    entry.decided = decided(value);
                }
                entries.insert(key.clone(), entry);
            }
        }
        entries.iter().try_for_each(|(key, entry)| write_row(connection, key, entry))
    }
}

impl Node {
    /// Takes the value that a library knows; returns whether it is another one.
    fn take(&mut self, entry: &Entry) -> bool {
        let value = entry.value();
        self.seen = value.filter(|&value| is_decided(value));
        self.is_certain = entry.decided.is_some_and(is_certain);
        std::mem::replace(&mut self.value, value) != value
    }
}

/// Whether a verdict stands whatever searches say.
fn is_certain(verdict: Decided) -> bool {
    verdict.is_checked || verdict.outcome == Outcome::Draw
}

fn walk_to(key: &PositionKey) -> KeyWalk {
    let mut walk = KeyWalk::new(key.rule(), key.size());
    key.stones().for_each(|(point, color)| walk.place(point, color));
    walk.set_to_move(key.to_move());
    walk
}

/// Whether the game is over there. A key does not tell the last move, so each stone of the side that has moved is
/// checked.
fn is_over(key: &PositionKey) -> bool {
    let stones = key.position();
    let mover = !key.to_move();
    stones.is_full()
        || key.stones().filter(|&(_, color)| color == mover).any(|(point, color)| {
            let mut last = stones.clone();
            last.remove(point);
            last.place(point, color);
            with_rule!(key.rule(), R => judge::verdict::<R>(&last)) == Verdict::Win(color)
        })
}

/// The score of a move for the side that makes it, from the score of the position after it: the end is one ply farther
/// away.
fn score_before(after: Score) -> Score {
    let score = -after;
    if is_win(score) {
        score - 1
    } else if is_loss(score) {
        score + 1
    } else {
        score
    }
}

/// The inverse of [`score_before`]: the score of the position after a move, from that of the move.
fn score_after(before: Score) -> Score {
    if is_win(before) {
        -(before + 1)
    } else if is_loss(before) {
        -(before - 1)
    } else {
        -before
    }
}

/// The entry of the position after a move, from the score of the move and the depth of the search.
fn entry_after((worth, depth): (Score, u32)) -> Entry {
    let score = score_after(worth);
    Entry {
        score: Some(score),
        depth: Some(depth.saturating_sub(1)),
        decided: decided(score),
        ..Entry::default()
    }
}

/// The verdict that a score implies, if it implies one.
fn decided(score: Score) -> Option<Decided> {
    let plies = plies_to_end(score)?;
    let outcome = if is_win(score) { Outcome::Win } else { Outcome::Loss };
    Some(Decided { outcome, plies: Some(plies.unsigned_abs()), is_checked: false })
}

#[cfg(test)]
#[path = "grow_tests.rs"]
mod tests;
