//! What is remembered of positions, and how it is stored.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::canonical::CanonicalPosition;
use crate::board::{Point, PointSet};
use crate::eval::score::{Score, lost_in};

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
        /// What it is worth by what is known since, for the side to move. Earlier versions did not write this and
        /// avoided the move at any price.
        #[serde(default = "worst")]
        score: Score,
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

/// A move that was followed by a loss, and what it is worth by what is known since.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Avoided {
    pub point: (u8, u8),
    pub score: Score,
}

/// Everything that is known of one position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Known {
    avoided: Vec<Avoided>,
    better: Option<Better>,
}

/// The score of a move that is worse than every other.
fn worst() -> Score {
    lost_in(0)
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
            Lesson::Avoid { key, point, score } => {
                let known = self.positions.entry(key).or_default();
                // The better move has lost as well.
                known.better = known.better.filter(|better| better.point != point);
                match known.avoided.iter_mut().find(|avoided| avoided.point == point) {
                    // Lines may be read twice and by several programs, so the lowest score holds, not the last.
                    Some(avoided) => {
                        let is_new = score < avoided.score;
                        avoided.score = avoided.score.min(score);
                        is_new
                    }
                    None => {
                        known.avoided.push(Avoided { point, score });
                        true
                    }
                }
            }
            Lesson::Better { key, point, score, nodes } => {
                let known = self.positions.entry(key).or_default();
                let better = Better { point, score, nodes };
                let has_lost = known.avoided.iter().any(|avoided| avoided.point == point);
                let is_new = known.better.is_none_or(|old| old.nodes < nodes) && !has_lost;
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
        let points = self.moves_avoided(canonical).iter();
        points.fold(PointSet::EMPTY, |all, avoided| all | canonical.points(avoided.point))
    }

    /// The move to avoid that is worth most.
    pub fn best_avoided(&self, canonical: &CanonicalPosition) -> Option<Avoided> {
        self.moves_avoided(canonical).iter().max_by_key(|avoided| avoided.score).copied()
    }

    /// What this move is worth, if it is one to avoid.
    pub fn score_avoided(&self, canonical: &CanonicalPosition, point: Point) -> Option<Score> {
        let point = canonical.remembered(point);
        let avoided = self.moves_avoided(canonical).iter().find(|avoided| avoided.point == point)?;
        Some(avoided.score)
    }

    fn moves_avoided(&self, canonical: &CanonicalPosition) -> &[Avoided] {
        self.positions.get(&canonical.key).map_or(&[], |known| &known.avoided)
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

    /// A move to avoid, which is worth this much by what is known since.
    pub fn avoid(canonical: &CanonicalPosition, point: Point, score: Score) -> Lesson {
        Lesson::Avoid { key: canonical.key, point: canonical.remembered(point), score }
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
        let avoid = Lesson::avoid(&canonical, bad, -300);
        let good = canonical.remembered("k10".parse().unwrap());
        let better = Lesson::Better { key: canonical.key, point: good, score: 12, nodes: 500 };
        let mut lessons = Lessons::default();
        assert!(lessons.take(avoid) && !lessons.take(avoid));
        assert!(lessons.take(better) && !lessons.take(better));
        assert_eq!(lessons.avoided(&canonical).iter().collect::<Vec<_>>(), [bad]);
        assert_eq!(lessons.better(&canonical), Some(Better { point: good, score: 12, nodes: 500 }));
        // The better move has lost as well.
        let lost = Lesson::Avoid { key: canonical.key, point: good, score: -200 };
        assert!(lessons.take(lost) && !lessons.take(better));
        assert_eq!((lessons.better(&canonical), lessons.avoided(&canonical).len()), (None, 2));
        let mut read = Lessons::default();
        read.read(&[avoid.line(), "{}".to_owned(), "rubbish".to_owned(), better.line()]);
        assert_eq!(read.avoided(&canonical).len(), 1);
        assert!(read.better(&canonical).is_some());
        // Worth less each time, whatever the order in which the lines are read.
        assert!(lessons.take(Lesson::avoid(&canonical, bad, -400)) && !lessons.take(avoid));
        assert_eq!(lessons.score_avoided(&canonical, bad), Some(-400));
        assert_eq!(lessons.best_avoided(&canonical), Some(Avoided { point: good, score: -200 }));
    }

    #[test]
    fn a_line_without_a_score_avoids_the_move_at_any_price() {
        let mut stones = Stones::new(Size::square(15));
        stones.place("h8".parse().unwrap(), stones.to_move());
        let canonical = CanonicalPosition::new(Rule::Standard, &stones).unwrap();
        let mut lessons = Lessons::default();
        lessons.read(&[format!(r#"{{"lesson":"avoid","key":{},"point":[7,8]}}"#, canonical.key)]);
        assert_eq!(lessons.best_avoided(&canonical), Some(Avoided { point: (7, 8), score: worst() }));
    }
}
