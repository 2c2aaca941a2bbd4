//! Wins by fours (VCF): each move of the attacker is a four or five, so the opponent has one answer, seldom
//! more. The search is complete: if it says that there is none, there is none.
//!
//! It looks for the shortest win first, one four longer each time, and keeps in a table of fixed size what was
//! refuted with how many fours. Positions are told apart by their 64-bit hash; a proof that came from a
//! mistaken identity would be found out by [`check`](mod@super::check).

use super::budget::Budget;
use crate::board::{Color, Direction, Point, PointSet, zobrist};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::defence::stops_five;
use crate::shapes::{Shape, Threat};

/// More fours than a board has room for.
pub const ALL_FOURS: u32 = 250;

/// What a search for a win by fours found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fours {
    /// The side to move wins with this many fours before the five, and none fewer; by beginning with this
    /// move.
    Win(u32, Point),
    /// There is no win by fours, however long.
    Nothing,
    /// There is none with as many fours as were allowed.
    Beyond,
    /// The search was cut short.
    GivenUp,
}

/// A table of what is known about positions, and the search that fills it.
#[derive(Debug)]
pub struct FoursSearch {
    /// Entries of two words each, as zeros at first: the system hands out such memory when it is used.
    table: Vec<u64>,
    /// Buckets of the table in use. They are few at first and grow with what is stored, since most searches are
    /// short and to touch fresh memory for every position takes longer than the position itself.
    buckets: usize,
    /// Positions stored so far.
    stored: usize,
    /// The count of the budget at which the present search gives up.
    until: u64,
}

/// Words of an entry: a position's hash, and a [`Known`].
const ENTRY: usize = 2;
/// Words of the entries that a position may be in: a line of the cache.
const BUCKET: usize = 4 * ENTRY;
/// The fewest buckets that a search begins with, if the table has as many: 64 KB.
const FIRST_BUCKETS: usize = 1 << 10;

/// What an entry says, in order of worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Unknown,
    /// A search gave up after this many positions, as a power of two.
    GaveUp(u32),
    /// No win with up to this many fours.
    Refuted(u32),
    /// No win at all.
    Nothing,
    /// A win with so many fours, which begins here.
    Win(u32, Point),
}

impl Known {
    fn unpack(data: u64) -> Known {
        let number = (data >> 8) as u32 & 0xff;
        match data & 0xff {
            1 => Known::GaveUp(number),
            2 => Known::Refuted(number),
            3 => Known::Nothing,
            4 => {
                let point = Point::from_index((data >> 16) as usize);
                point.map_or(Known::Unknown, |point| Known::Win(number, point))
            }
            _ => Known::Unknown,
        }
    }

    fn pack(self) -> u64 {
        let number = |number: u32| u64::from(number.min(0xff)) << 8;
        match self {
            Known::Unknown => 0,
            Known::GaveUp(n) => 1 | number(n),
            Known::Refuted(n) => 2 | number(n),
            Known::Nothing => 3,
            Known::Win(n, point) => 4 | number(n) | (point.index() as u64) << 16,
        }
    }
}

impl FoursSearch {
    /// A search whose table takes at most so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> FoursSearch {
        let most = (bytes / size_of::<[u64; BUCKET]>()).max(1);
        let mut buckets = most;
        while buckets >= 2 * FIRST_BUCKETS {
            buckets /= 2;
        }
        FoursSearch { table: vec![0; most * BUCKET], buckets, stored: 0, until: u64::MAX }
    }

    /// The shortest win by fours of the side to move, of at most `most` fours. Gives up after `nodes`
    /// positions, or when the budget is spent.
    pub fn shortest<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        most: u32,
        nodes: u64,
        budget: &mut Budget,
    ) -> Fours {
        let effort = nodes.max(1).ilog2();
        match self.known(position.hash()) {
            Known::GaveUp(before) if before >= effort => return Fours::GivenUp,
            Known::Nothing => return Fours::Nothing,
            _ => {}
        }
        self.until = budget.nodes().saturating_add(nodes);
        for fours in 0..=most {
            match self.attack(position, fours, budget) {
                Fours::Beyond => {}
                Fours::GivenUp => {
                    // Where the whole budget is spent, nothing was learned about this position.
                    if !budget.is_spent() {
                        self.store(position.hash(), Known::GaveUp(effort));
                    }
                    return Fours::GivenUp;
                }
                found => return found,
            }
        }
        Fours::Beyond
    }

    /// A win of the side to move with at most so many fours before the five.
    fn attack<R: RuleSet>(&mut self, position: &mut Position<R>, left: u32, budget: &mut Budget) -> Fours {
        let (own, other) = (position.to_move(), !position.to_move());
        let map = position.map();
        if let Some(five) = first(map.points(own, Threat::Five), map.count(own, Threat::Five)) {
            return Fours::Win(0, five);
        }
        let fives = map.count(other, Threat::Five);
        let needs_open_end = R::winning(other).five_needs_open_end;
        let has_hidden = R::forbids(own) && map.count(own, Threat::Forbidden) > 0;
        if fives > 1 && !needs_open_end || !map.has_four(own) && !has_hidden {
            return Fours::Nothing;
        }
        if left == 0 {
            return Fours::Beyond;
        }
        let key = position.hash();
        match self.known(key) {
            Known::Win(fours, point) if fours <= left => return Fours::Win(fours, point),
            Known::Nothing => return Fours::Nothing,
            Known::Refuted(fours) if fours >= left => return Fours::Beyond,
            _ => {}
        }
        if !budget.spend() || budget.nodes() > self.until {
            return Fours::GivenUp;
        }
        // A five that threatens must be stopped by the four itself.
        let must_block =
            (fives > 0 && !needs_open_end).then(|| first(map.points(other, Threat::Five), fives)).flatten();
        let mut result = Fours::Nothing;
        for threat in [Threat::OpenFour, Threat::FourThree, Threat::FourPlus, Threat::Four, Threat::Forbidden]
        {
            let points = match threat {
                Threat::Forbidden if !has_hidden => continue,
                Threat::Forbidden => hidden_fours(position, own),
                _ if position.map().count(own, threat) == 0 => continue,
                _ => *position.map().points(own, threat),
            };
            for point in points {
                if must_block.is_some_and(|block| block != point) {
                    continue;
                }
                match self.after_four(position, point, left, budget) {
                    Fours::Nothing => {}
                    Fours::Beyond => result = Fours::Beyond,
                    Fours::GivenUp => return Fours::GivenUp,
                    Fours::Win(fours, _) => {
                        self.store(key, Known::Win(fours, point));
                        return Fours::Win(fours, point);
                    }
                }
            }
        }
        let known = if result == Fours::Nothing { Known::Nothing } else { Known::Refuted(left) };
        self.store(key, known);
        result
    }

    /// What becomes of this four: a win, if every way to stop it loses.
    fn after_four<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        point: Point,
        left: u32,
        budget: &mut Budget,
    ) -> Fours {
        let own = position.to_move();
        position.play(point, &mut ());
        let result = self.answers(position, point, own, left, budget);
        position.undo();
        result
    }

    fn answers<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        four: Point,
        own: Color,
        left: u32,
        budget: &mut Budget,
    ) -> Fours {
        let map = position.map();
        let fives = map.count(own, Threat::Five);
        if map.count(!own, Threat::Five) > 0 {
            return Fours::Nothing;
        }
        let Some(five) = first(map.points(own, Threat::Five), fives) else { return Fours::Nothing };
        // One stone cannot be on both points of an open four.
        if fives > 1 && !R::winning(own).five_needs_open_end {
            return Fours::Win(1, four);
        }
        let mut longest = 1;
        for stop in stops_five(map, five, own) {
            if !position.is_legal(stop) {
                continue;
            }
            position.play(stop, &mut ());
            let next = self.attack(position, left - 1, budget);
            position.undo();
            match next {
                Fours::Win(fours, _) => longest = longest.max(fours + 1),
                other => return other,
            }
        }
        Fours::Win(longest, four)
    }

    /// Where the position's entries begin: the high bits choose, all of them tell positions apart.
    #[inline]
    fn bucket(&self, key: u64) -> usize {
        zobrist::place_of(key, self.buckets) * BUCKET
    }

    #[inline]
    fn known(&self, key: u64) -> Known {
        let at = self.bucket(key);
        let mut entries = self.table[at..at + BUCKET].chunks_exact(ENTRY);
        entries.find(|entry| entry[0] == key).map_or(Known::Unknown, |entry| Known::unpack(entry[1]))
    }

    fn store(&mut self, key: u64, known: Known) {
        self.put(key, known.pack());
        self.stored += 1;
        // Twice as many before every second entry is taken.
        if self.stored > self.buckets * BUCKET / ENTRY / 2 && 2 * self.buckets * BUCKET <= self.table.len() {
            self.grow();
        }
    }

    fn put(&mut self, key: u64, data: u64) {
        let at = self.bucket(key);
        let bucket = &mut self.table[at..at + BUCKET];
        let same = bucket.chunks_exact(ENTRY).position(|entry| entry[0] == key || entry[1] == 0);
        // The newest comes first, the oldest goes.
        let last = same.map_or(BUCKET - ENTRY, |n| n * ENTRY);
        bucket.copy_within(..last, ENTRY);
        bucket[0] = key;
        bucket[1] = data;
    }

    /// Twice as many buckets, each entry in its new one.
    fn grow(&mut self) {
        let before = self.buckets;
        self.buckets *= 2;
        // What was in bucket n belongs into 2n or the one after, so from the last on nothing is in the way.
        for n in (0..before).rev() {
            let mut old = [0; BUCKET];
            old.copy_from_slice(&self.table[n * BUCKET..(n + 1) * BUCKET]);
            self.table[n * BUCKET..(n + 1) * BUCKET].fill(0);
            for entry in old.chunks_exact(ENTRY).rev().filter(|entry| entry[1] != 0) {
                self.put(entry[0], entry[1]);
            }
        }
    }
}

/// The first point of a set, asked only where there is one.
#[inline]
fn first(points: &PointSet, count: usize) -> Option<Point> {
    if count == 0 { None } else { points.first() }
}

/// The fours that are hidden among points that look forbidden and are not: one four beside threes that are not
/// real.
fn hidden_fours<R: RuleSet>(position: &mut Position<R>, own: Color) -> PointSet {
    let map = position.map();
    let is_four = |point: &Point| {
        map.threat(*point, own) == Threat::Forbidden
            && Direction::ALL.into_iter().any(|d| map.shape(*point, d, own).is_four())
            && Direction::ALL.into_iter().all(|d| map.shape(*point, d, own) != Shape::Overline)
    };
    let looks_so: Vec<Point> = position.empty_points().iter().filter(is_four).collect();
    looks_so.into_iter().filter(|&point| !position.is_forbidden(point)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::formats::picture;
    use crate::rules::Rule;
    use crate::with_rule;

    fn fours(rule: Rule, picture: &str) -> Fours {
        let stones = picture::read(picture).unwrap().stones;
        let stop = AtomicBool::new(false);
        let mut budget = Budget::new(u64::MAX, None, &stop);
        let mut search = FoursSearch::new(1 << 20);
        with_rule!(rule, R => {
            let mut position = Position::<R>::from_stones(&stones, &mut ());
            search.shortest(&mut position, ALL_FOURS, u64::MAX, &mut budget)
        })
    }

    #[test]
    fn short_wins_are_found() {
        let five = "X X X X . . .\nO O O O . . .";
        let four = ". . . . . . . .\nO . . X X X . .\nO O . . . . . .";
        for rule in Rule::ALL {
            assert_eq!(fours(rule, five), Fours::Win(0, Point::new(4, 0)), "{rule}");
            assert!(matches!(fours(rule, four), Fours::Win(1, _)), "{rule}");
        }
    }

    #[test]
    fn a_five_that_threatens_must_be_met() {
        // Black's open three comes too late.
        let picture = ". . . . . . .\n. . X X X . .\nO O O O . . .\nX . . . . . .";
        assert_eq!(fours(Rule::ALL[0], picture), Fours::Nothing);
        // Here the block is an open four.
        let picture = ". . . . . . .\n. . X X X . .\n. . . . . O .\n. . . . . O .\n. . . . . O .\n. . . . . O .\n. . . . . X .";
        assert_eq!(fours(Rule::ALL[0], picture), Fours::Win(1, Point::new(5, 1)));
    }

    #[test]
    fn a_table_that_grows_forgets_little() {
        let mut search = FoursSearch::new(1 << 22);
        let first = search.buckets;
        let keys: Vec<u64> = (0..60_000).map(zobrist::extra).collect();
        keys.iter().for_each(|&key| search.store(key, Known::Refuted((key % 7) as u32)));
        assert!(search.buckets >= 16 * first, "{} of {}", search.buckets, search.table.len() / BUCKET);
        let known = keys.iter().filter(|&&key| search.known(key) == Known::Refuted((key % 7) as u32)).count();
        assert!(known > 55_000, "{known}");
    }

    #[test]
    fn a_small_table_changes_nothing_but_the_effort() {
        let picture = "
             . . . . . . . . .
             . O X . . . . . .
             . . X . O . . . .
             . . X . X X . . .
             . . . . O X . . .
             . . . . . . X . .
             . . O . O . . . .
             . . . O . . . . .
             . . . . . . . . .";
        let stones = picture::read(picture).unwrap().stones;
        let stop = AtomicBool::new(false);
        let results: Vec<Fours> = [0, 1 << 10, 1 << 20]
            .into_iter()
            .map(|bytes| {
                with_rule!(Rule::ALL[0], R => {
                    let mut position = Position::<R>::from_stones(&stones, &mut ());
                    position.pass();
                    let mut budget = Budget::new(u64::MAX, None, &stop);
                    FoursSearch::new(bytes).shortest(&mut position, ALL_FOURS, u64::MAX, &mut budget)
                })
            })
            .collect();
        assert!(results.iter().all(|found| *found == results[0]), "{results:?}");
    }
}
