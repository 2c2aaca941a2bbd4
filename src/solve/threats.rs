//! Wins by fours and threes (VCT): each move of the attacker threatens to win by fours at once, so that the
//! opponent has to stop that threat, or to make fours of his own.
//!
//! Depth-first proof-number search (df-pn, Nagai 2002): every position has the number of open positions that
//! must be won to prove it, and that must be lost to disprove it; the search goes where the least is missing.
//! Numbers live in a table of fixed size. Stones are only ever added, so a position never follows from itself
//! and what the table says about it holds however it was reached.
//!
//! A move of the attacker is tried out exactly: if the opponent passed, would fours win? The replies to it are
//! all moves after which that very line of fours no longer wins, and all fours of the opponent.

use std::collections::HashMap;

use super::budget::Budget;
use super::fours::{ALL_FOURS, Fours, FoursSearch};
use super::line::FoursLine;
use crate::board::{Cell, Color, Direction, Point, PointSet, zobrist};
use crate::position::Position;
use crate::rules::RuleSet;
use crate::shapes::defence::stops_five;
use crate::shapes::{Shape, Threat};

/// Which moves the attacker may choose from. All of them must threaten to win by fours at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// Fours, and open threes.
    OpenThrees,
    /// Also every other move in line with an own stone, such as a closed three, if it threatens a win by fours.
    AnyThreat,
}

/// A number that is reached only by what is settled.
const INFINITE: u32 = 1 << 30;

/// Positions after which a search for a win by fours within the search is given up. What it then fails to
/// find is missing from the wins that are found, and [`ThreatSearch::is_complete`] says so.
pub(super) const FOURS_NODES: u64 = 20_000;

/// How much missing is expected of a move that has not been looked at: a four, an open three, another threat.
const FIRST_FOUR: u32 = 1;
const FIRST_THREE: u32 = 2;
const FIRST_OTHER: u32 = 5;

/// What is known about a position: how much is missing to prove and to disprove the attacker's win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const UNKNOWN: Numbers = Numbers { proof: 1, disproof: 1 };
    const WON: Numbers = Numbers { proof: 0, disproof: INFINITE };
    const NOT_WON: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    fn settled(is_won: bool) -> Numbers {
        if is_won { Numbers::WON } else { Numbers::NOT_WON }
    }

    pub fn is_won(self) -> bool {
        self.proof == 0
    }

    pub fn is_refuted(self) -> bool {
        self.disproof == 0
    }

    pub fn proof(self) -> u32 {
        self.proof
    }

    pub fn disproof(self) -> u32 {
        self.disproof
    }
}

/// What the table holds about a position.
#[derive(Clone, Copy, Debug)]
struct Entry {
    numbers: Numbers,
    /// Positions searched below, as far as it is known; at least 1.
    work: u32,
    /// In a position that is won with the attacker to move: how, unless fours win.
    point: Option<Point>,
}

/// Words of an entry: hash, numbers, work and point.
const ENTRY: usize = 3;
/// Words of the entries that a position may be in.
const BUCKET: usize = 4 * ENTRY;

impl Entry {
    fn unpack(words: &[u64]) -> Entry {
        Entry {
            numbers: Numbers { proof: (words[1] >> 32) as u32, disproof: words[1] as u32 },
            work: (words[2] >> 32) as u32,
            point: Point::from_index(words[2] as u32 as usize),
        }
    }

    fn pack(&self, key: u64, words: &mut [u64]) {
        let point = self.point.map_or(0, |point| point.index() as u64);
        words[0] = key;
        words[1] = u64::from(self.numbers.proof) << 32 | u64::from(self.numbers.disproof);
        words[2] = u64::from(self.work) << 32 | point;
    }
}

/// A move that can be made, and what is known about the position after it.
#[derive(Clone, Copy, Debug)]
struct Child {
    point: Point,
    key: u64,
    numbers: Numbers,
}

/// What a position leads to.
enum Expansion {
    Settled(bool),
    Open(Vec<Child>),
}

/// The search for one attacker.
#[derive(Debug)]
pub struct ThreatSearch {
    /// Zeros at first: the system hands out such memory when it is used.
    table: Vec<u64>,
    /// What is searched for, as a part of every key: a wider choice of moves makes other numbers.
    question: u64,
    pub(super) fours: FoursSearch,
    attacker: Color,
    space: Space,
    /// Replies that a proof was found to need beside those that the lines of fours tell, by position.
    more_replies: HashMap<u64, Vec<Point>>,
    is_complete: bool,
    deepest: usize,
}

impl ThreatSearch {
    /// A search whose table takes at most so many bytes. `fours` brings a table of its own.
    #[must_use]
    pub fn new(attacker: Color, space: Space, bytes: usize, fours: FoursSearch) -> ThreatSearch {
        let buckets = (bytes / size_of::<[u64; BUCKET]>()).max(1);
        ThreatSearch {
            table: vec![0; buckets * BUCKET],
            question: 0,
            fours,
            attacker,
            space,
            more_replies: HashMap::new(),
            is_complete: true,
            deepest: 0,
        }
    }

    /// Widens or narrows the choice of moves; the table forgets.
    pub(super) fn set_space(&mut self, space: Space) {
        self.space = space;
        self.is_complete = true;
        self.question += 1;
    }

    /// Whether every search for fours within came to its end: only then a refutation says that there is no win
    /// in this space.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Plies of the longest line looked at.
    #[must_use]
    pub fn deepest(&self) -> usize {
        self.deepest
    }

    /// Searches the position until it is settled or the budget is spent. `news` hears the numbers of the
    /// position now and then.
    pub(super) fn solve<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        budget: &mut Budget,
        news: &mut dyn FnMut(Numbers, &Budget, usize),
    ) -> Numbers {
        let mut limit = 16;
        loop {
            let numbers = self.search(position, Numbers { proof: limit, disproof: limit }, 0, budget);
            if numbers.is_won() || numbers.is_refuted() || budget.is_spent() {
                return numbers;
            }
            news(numbers, budget, self.deepest);
            limit = (limit.max(numbers.proof.max(numbers.disproof)) * 5 / 4).min(INFINITE);
        }
    }

    /// The attacker's winning move in a position that was won, if the table still knows it.
    pub(super) fn winning_move<R: RuleSet>(&self, position: &Position<R>) -> Option<Point> {
        self.entry(position.hash()).filter(|entry| entry.numbers.is_won())?.point
    }

    /// Whether the table knows that the attacker wins.
    pub(super) fn is_known_won<R: RuleSet>(&self, position: &Position<R>) -> bool {
        self.entry(position.hash()).is_some_and(|entry| entry.numbers.is_won())
    }

    /// A reply that the search has to consider in this position: it was left out, and a proof needs it.
    pub(super) fn add_reply<R: RuleSet>(&mut self, position: &Position<R>, reply: Point) {
        self.more_replies.entry(position.hash()).or_default().push(reply);
        // Whatever was won may hang on this.
        self.question += 1;
    }

    /// One position: goes on until its numbers reach a limit.
    fn search<R: RuleSet>(
        &mut self,
        position: &mut Position<R>,
        limit: Numbers,
        ply: usize,
        budget: &mut Budget,
    ) -> Numbers {
        self.deepest = self.deepest.max(ply);
        let key = position.hash();
        let is_attack = position.to_move() == self.attacker;
        let start = budget.nodes();
        if !budget.spend() {
            return Numbers::UNKNOWN;
        }
        let expansion =
            if is_attack { self.attacks(position, budget) } else { self.defences(position, budget) };
        // Where the budget ran out on the way, the result may be wrong.
        if budget.is_spent() {
            return Numbers::UNKNOWN;
        }
        let mut children = match expansion {
            Expansion::Settled(is_won) => {
                let numbers = Numbers::settled(is_won);
                self.store(key, numbers, budget.nodes() - start, None);
                return numbers;
            }
            Expansion::Open(children) => children,
        };
        for child in &mut children {
            if let Some(entry) = self.entry(child.key) {
                child.numbers = entry.numbers;
            }
        }
        loop {
            let numbers = if is_attack { of_attack(&children) } else { of_defence(&children) };
            let is_settled = numbers.is_won() || numbers.is_refuted();
            if is_settled || numbers.proof >= limit.proof || numbers.disproof >= limit.disproof {
                let best = children.iter().find(|child| is_attack && child.numbers.is_won());
                self.store(key, numbers, budget.nodes() - start, best.map(|child| child.point));
                return numbers;
            }
            let (at, next) = choose(&children, limit, is_attack);
            position.play(children[at].point, &mut ());
            let numbers = self.search(position, next, ply + 1, budget);
            position.undo();
            if budget.is_spent() {
                return Numbers::UNKNOWN;
            }
            children[at].numbers = numbers;
        }
    }

    /// The attacker's moves.
    fn attacks<R: RuleSet>(&mut self, position: &mut Position<R>, budget: &mut Budget) -> Expansion {
        let (own, other) = (position.to_move(), !position.to_move());
        match self.fours.shortest(position, ALL_FOURS, FOURS_NODES, budget) {
            Fours::Win(..) => return Expansion::Settled(true),
            Fours::GivenUp => self.is_complete = false,
            Fours::Nothing | Fours::Beyond => {}
        }
        let map = position.map();
        let fives = *map.points(other, Threat::Five);
        if !fives.is_empty() {
            if fives.len() > 1 && !R::winning(other).five_needs_open_end {
                return Expansion::Settled(false);
            }
            let stops = fives.first().map(|five| stops_five(map, five, other)).unwrap_or_default();
            let moves: Vec<(Point, u32)> = stops.into_iter().map(|stop| (stop, FIRST_FOUR)).collect();
            return self.children(position, &moves);
        }
        let mut moves: Vec<(Point, u32)> = Vec::new();
        let mut is_taken = PointSet::EMPTY;
        let mut add = |point: Point, first: u32| {
            if !is_taken.contains(point) {
                is_taken.insert(point);
                moves.push((point, first));
            }
        };
        map.fours(own).iter().for_each(|point| add(point, FIRST_FOUR));
        for threat in [Threat::DoubleThree, Threat::OpenThreePlus, Threat::OpenThree] {
            map.points(own, threat).iter().for_each(|point| add(point, FIRST_THREE));
        }
        if R::forbids(own) || self.space == Space::AnyThreat {
            for point in position.empty_points() {
                let shapes = Direction::ALL.map(|direction| map.shape(point, direction, own));
                let best = |is: fn(Shape) -> bool| shapes.into_iter().any(is);
                if map.threat(point, own) == Threat::Forbidden {
                    // It may be legal, and a four or an open three.
                    if best(Shape::is_four) {
                        add(point, FIRST_FOUR);
                    } else if best(Shape::is_open_three) {
                        add(point, FIRST_THREE);
                    }
                }
                if self.space == Space::AnyThreat && best(|shape| shape >= Shape::Two) {
                    add(point, FIRST_OTHER);
                }
            }
        }
        self.children(position, &moves)
    }

    /// The opponent's replies.
    fn defences<R: RuleSet>(&mut self, position: &mut Position<R>, budget: &mut Budget) -> Expansion {
        let (own, attacker) = (position.to_move(), self.attacker);
        let map = position.map();
        if map.count(own, Threat::Five) > 0 {
            return Expansion::Settled(false);
        }
        if map.count(attacker, Threat::Five) > 0 {
            let five = map.points(attacker, Threat::Five).first();
            let stops = five.map(|five| stops_five(map, five, attacker)).unwrap_or_default();
            let moves: Vec<(Point, u32)> = stops.into_iter().map(|stop| (stop, 1)).collect();
            return self.children(position, &moves);
        }
        position.pass();
        let line = FoursLine::find(&mut self.fours, position, FOURS_NODES, budget);
        let is_settled =
            line.is_some() || self.fours.shortest(position, ALL_FOURS, FOURS_NODES, budget) == Fours::Nothing;
        let mut stops = PointSet::EMPTY;
        if let Some(line) = &line {
            line.add_stops(position, &mut stops);
        }
        position.pass();
        self.is_complete &= is_settled;
        let Some(line) = line else { return Expansion::Settled(false) };
        // Who wins by fours himself need not reply.
        if matches!(self.fours.shortest(position, ALL_FOURS, FOURS_NODES, budget), Fours::Win(..)) {
            return Expansion::Settled(false);
        }
        let mut replies = stops | position.map().fours(own);
        if R::forbids(own) {
            for point in position.empty_points() {
                if position.map().threat(point, own) == Threat::Forbidden {
                    replies.insert(point);
                }
            }
        }
        if let Some(more) = self.more_replies.get(&position.hash()) {
            more.iter().for_each(|&point| replies.insert(point));
        }
        let mut moves = Vec::new();
        for point in replies {
            if position.stones().cell(point) != Cell::Empty || !position.is_legal(point) {
                continue;
            }
            position.play(point, &mut ());
            let still_wins = line.holds(position);
            position.undo();
            if !still_wins {
                moves.push((point, 1));
            }
        }
        self.children(position, &moves)
    }

    fn children<R: RuleSet>(&self, position: &mut Position<R>, moves: &[(Point, u32)]) -> Expansion {
        let mut children = Vec::with_capacity(moves.len());
        for &(point, first) in moves {
            if position.is_legal(point) {
                let numbers = Numbers { proof: first, disproof: 1 };
                children.push(Child { point, key: position.stones().hash_after(point), numbers });
            }
        }
        Expansion::Open(children)
    }

    /// The key of a position, and where its entries begin.
    #[inline]
    fn locate(&self, hash: u64) -> (u64, usize) {
        let key = hash ^ zobrist::extra(self.question);
        let buckets = self.table.len() / BUCKET;
        (key, zobrist::place_of(key, buckets) * BUCKET)
    }

    #[inline]
    fn entry(&self, hash: u64) -> Option<Entry> {
        let (key, at) = self.locate(hash);
        let mut entries = self.table[at..at + BUCKET].chunks_exact(ENTRY);
        entries.find(|words| words[0] == key).map(Entry::unpack)
    }

    fn store(&mut self, hash: u64, numbers: Numbers, work: u64, point: Option<Point>) {
        let (key, at) = self.locate(hash);
        let work = u32::try_from(work.max(1)).unwrap_or(u32::MAX);
        let mut entry = Entry { numbers, work, point };
        let bucket = &mut self.table[at..at + BUCKET];
        let is_it = |words: &[u64]| words[0] == key;
        let victim = match bucket.chunks_exact(ENTRY).position(is_it) {
            Some(n) => {
                entry.work = entry.work.saturating_add(Entry::unpack(&bucket[n * ENTRY..]).work);
                n
            }
            // What took the least work goes; nothing took none.
            None => {
                let work_of = |n: &usize| Entry::unpack(&bucket[n * ENTRY..]).work;
                (0..BUCKET / ENTRY).min_by_key(work_of).unwrap_or_default()
            }
        };
        entry.pack(key, &mut bucket[victim * ENTRY..]);
    }
}

/// The numbers of a position in which the attacker chooses. The disproof of the hardest move stands for all, and
/// one more for each other: moves of an attack share most of what follows, and a sum would count it often.
fn of_attack(children: &[Child]) -> Numbers {
    let mut numbers = Numbers::NOT_WON;
    let mut open = 0;
    for child in children.iter().filter(|child| !child.numbers.is_refuted()) {
        numbers.proof = numbers.proof.min(child.numbers.proof);
        numbers.disproof = numbers.disproof.max(child.numbers.disproof);
        open += 1;
    }
    if numbers.is_won() {
        return Numbers::WON;
    }
    numbers.disproof += u32::max(open, 1) - 1;
    numbers
}

/// The numbers of a position in which the opponent chooses, likewise.
fn of_defence(children: &[Child]) -> Numbers {
    let swapped = |child: &Child| {
        let numbers = Numbers { proof: child.numbers.disproof, disproof: child.numbers.proof };
        Child { numbers, ..*child }
    };
    let Numbers { proof, disproof } = of_attack(&children.iter().map(swapped).collect::<Vec<_>>());
    Numbers { proof: disproof, disproof: proof }
}

/// The child that the least is missing in, and how far it may be searched before another comes first.
fn choose(children: &[Child], limit: Numbers, is_attack: bool) -> (usize, Numbers) {
    // From the view of the side to move: what it needs, and what the other side needs.
    let view = |numbers: Numbers| {
        if is_attack { (numbers.proof, numbers.disproof) } else { (numbers.disproof, numbers.proof) }
    };
    let mut best = 0;
    let mut least = u32::MAX;
    let mut second = INFINITE;
    let mut open = 0;
    for (n, child) in children.iter().enumerate() {
        let (own, other) = view(child.numbers);
        if other == 0 {
            continue;
        }
        open += 1;
        if own < least {
            (second, least, best) = (least.min(INFINITE), own, n);
        } else {
            second = second.min(own);
        }
    }
    let (own_limit, other_limit) = view(limit);
    // A quarter more than the second best, so that the search does not hop to and fro.
    let own = own_limit.min(second.saturating_add(second / 4 + 1));
    let other = other_limit - u32::min(other_limit, open - 1);
    let next = if is_attack {
        Numbers { proof: own, disproof: other }
    } else {
        Numbers { proof: other, disproof: own }
    };
    (best, next)
}
