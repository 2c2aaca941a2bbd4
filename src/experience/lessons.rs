//! What is remembered of positions, and how it is stored.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::canonical::CanonicalPosition;
use crate::board::{Point, PointSet};
use crate::eval::score::Score;

/// One thing that was learned about a position; a line of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "lesson", rename_all = "kebab-case")]
pub(super) enum Lesson {
    /// A move was followed by a loss.
    Avoid {
        /// The position.
        key: u64,
        /// The move.
        point: (u8, u8),
    },
    /// A deeper search that left out the moves to avoid has found this one.
    Better {
        /// The position.
        key: u64,
        /// The move.
        point: (u8, u8),
        /// The score for the side to move.
        score: Score,
        /// Nodes of that search.
        nodes: u64,
    },
}

/// The move that a deeper search has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Better {
    pub point: (u8, u8),
    pub score: Score,
    pub nodes: u64,
}

/// Everything that is known of one position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Known {
    avoided: Vec<(u8, u8)>,
    better: Option<Better>,
}

/// All lessons, by position.
#[derive(Clone, Debug, Default)]
pub(super) struct Lessons {
    positions: HashMap<u64, Known>,
}

impl Lessons {
    /// Adds a lesson; false if it is not new.
    pub fn take(&mut self, lesson: Lesson) -> bool {
        match lesson {
            Lesson::Avoid { key, point } => {
                let known = self.positions.entry(key).or_default();
                let is_new = !known.avoided.contains(&point);
                if is_new {
                    known.avoided.push(point);
                }
                // The better move has lost as well.
                known.better = known.better.filter(|better| better.point != point);
                is_new
            }
            Lesson::Better { key, point, score, nodes } => {
                let known = self.positions.entry(key).or_default();
                let better = Better { point, score, nodes };
                let is_new =
                    known.better.is_none_or(|old| old.nodes < nodes) && !known.avoided.contains(&point);
                if is_new {
                    known.better = Some(better);
                }
                is_new
            }
        }
    }

    /// Adds the lessons in these lines of the file; lines that this version cannot read are skipped.
    pub fn read<'a>(&mut self, lines: impl IntoIterator<Item = &'a String>) {
        for lesson in lines.into_iter().filter_map(|line| serde_json::from_str(line).ok()) {
            self.take(lesson);
        }
    }

    /// The points to avoid in a position.
    pub fn avoided(&self, canonical: &CanonicalPosition) -> PointSet {
        let known = self.positions.get(&canonical.key);
        let points = known.into_iter().flat_map(|known| &known.avoided);
        points.fold(PointSet::EMPTY, |all, &point| all | canonical.points(point))
    }

    /// What a deeper search has found for a position.
    pub fn better(&self, canonical: &CanonicalPosition) -> Option<Better> {
        self.positions.get(&canonical.key)?.better
    }
}

impl Lesson {
    /// The lesson as a line of the file.
    pub fn line(&self) -> String {
        // Only maps whose keys are not strings fail, and there are none.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// A move not to be played again.
    pub fn avoid(canonical: &CanonicalPosition, point: Point) -> Lesson {
        Lesson::Avoid { key: canonical.key, point: canonical.remembered(point) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Size, Stones};
    use crate::rules::Rule;

    #[test]
    fn lessons_are_kept_once_and_in_every_image() {
        let mut stones = Stones::new(Size::square(15));
        for name in ["h8", "i9", "j12"] {
            stones.place(name.parse().unwrap(), stones.to_move());
        }
        let canonical = CanonicalPosition::new(Rule::Standard, &stones).unwrap();
        let bad: Point = "g7".parse().unwrap();
        let avoid = Lesson::avoid(&canonical, bad);
        let good = canonical.remembered("k10".parse().unwrap());
        let better = Lesson::Better { key: canonical.key, point: good, score: 12, nodes: 500 };
        let mut lessons = Lessons::default();
        assert!(lessons.take(avoid) && !lessons.take(avoid));
        assert!(lessons.take(better) && !lessons.take(better));
        assert_eq!(lessons.avoided(&canonical).iter().collect::<Vec<_>>(), [bad]);
        assert_eq!(lessons.better(&canonical), Some(Better { point: good, score: 12, nodes: 500 }));
        // The better move has lost as well.
        assert!(lessons.take(Lesson::Avoid { key: canonical.key, point: good }) && !lessons.take(better));
        assert_eq!((lessons.better(&canonical), lessons.avoided(&canonical).len()), (None, 2));
        let mut read = Lessons::default();
        read.read(&[avoid.line(), "{}".to_owned(), "rubbish".to_owned(), better.line()]);
        assert_eq!(read.avoided(&canonical).len(), 1);
        assert!(read.better(&canonical).is_some());
    }
}
