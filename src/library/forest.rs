//! The positions of one rule and board as trees: each position is attached to one of those from which a move
//! leads to it.

use std::collections::HashMap;

use super::entry::Entry;
use super::error::LibraryError;
use super::key::{KeyWalk, PositionKey};
use super::store::Library;
use crate::board::{Color, Point, Size};
use crate::rules::Rule;

/// Positions of a library as trees.
pub(super) struct Forest<'l> {
    library: &'l Library,
    keys: Vec<PositionKey>,
    /// For each position its children, each with the move in the image that the key of the position shows.
    children: Vec<Vec<(u32, Point)>>,
    roots: Vec<usize>,
}

/// A stone with its colour.
pub(super) type Stone = (Point, Color);

/// A position on a walk through a tree.
pub(super) struct TreeNode {
    /// Moves from the root.
    pub depth: usize,
    /// The move that leads there; `None` for the root.
    pub stone: Option<Stone>,
    /// For the root, a stone that is already on the board.
    pub first: Option<Point>,
    /// What is known of it, in the orientation of this walk.
    pub entry: Entry,
    /// The moves after it.
    pub moves: Vec<Point>,
}

impl<'l> Forest<'l> {
    /// Reads the keys of a rule and a board.
    pub(super) fn new(library: &'l Library, rule: Rule, size: Size) -> Result<Forest<'l>, LibraryError> {
        let mut keys = library.keys(rule, size)?;
        keys.sort_by_key(PositionKey::stone_count);
        let numbers: HashMap<&PositionKey, u32> = keys.iter().zip(0..).collect();
        let mut children = vec![Vec::new(); keys.len()];
        let mut roots = Vec::new();
        for (number, key) in keys.iter().enumerate() {
            let parent =
                key.before().into_iter().find_map(|(before, point)| Some((*numbers.get(&before)?, point)));
            match parent {
                Some((parent, point)) => children[parent as usize].push((number as u32, point)),
                None => roots.push(number),
            }
        }
        drop(numbers);
        Ok(Forest { library, keys, children, roots })
    }

    /// The positions without a parent.
    pub(super) fn roots(&self) -> &[usize] {
        &self.roots
    }

    pub(super) fn key(&self, number: usize) -> &PositionKey {
        &self.keys[number]
    }

    /// Positions in all trees.
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Walks through a tree, each position before its children.
    pub(super) fn walk<E: From<LibraryError>>(
        &self,
        root: usize,
        mut tell: impl FnMut(&TreeNode) -> Result<(), E>,
    ) -> Result<(), E> {
        let key = &self.keys[root];
        let size = key.size();
        let mut walk = KeyWalk::new(key.rule(), size);
        key.stones().for_each(|(point, color)| walk.place(point, color));
        walk.set_to_move(key.to_move());
        let mut path: Vec<Stone> = Vec::new();
        // The stack of positions still to be visited: the position, its depth, and the move that leads there.
        let mut open: Vec<(usize, usize, Option<Stone>)> = vec![(root, 0, None)];
        while let Some((number, depth, stone)) = open.pop() {
            while path.len() >= depth.max(1) {
                if let Some((point, color)) = path.pop() {
                    walk.take(point, color);
                }
            }
            if let Some((point, color)) = stone {
                walk.place(point, color);
                path.push((point, color));
            }
            let back = walk.canonical().symmetry.inverse();
            let color = walk.to_move();
            let children = &self.children[number];
            let moves: Vec<Point> = children.iter().map(|&(_, point)| back.apply(point, size)).collect();
            let entry = self.library.get(&self.keys[number])?.unwrap_or_default().turned(back, size);
            let first = self.keys[number].stones().next().map(|(point, _)| point).filter(|_| depth == 0);
            for (&(child, _), &point) in children.iter().zip(&moves).rev() {
                open.push((child as usize, depth + 1, Some((point, color))));
            }
            tell(&TreeNode { depth, stone, first, entry, moves })?;
        }
        Ok(())
    }
}
