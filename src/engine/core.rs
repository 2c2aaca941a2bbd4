//! The engine itself: the transposition table, the history heuristic and the threads, which persist from move to
//! move, and the only path from a question to the search.
//!
//! It knows no text. A caller always gets a legal answer: a panic of the search is caught here, so that callers need
//! not do so, and every move is checked before it is returned.

use std::fmt;
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::guard::guarded;
use super::legal::legal_moves;
use super::opening::swap2::{Decision, PROPOSED};
use super::opening::{Inquiry, RifChoice, RifQuestion, Swap2Choice, Swap2Question, rif};
use super::question::Question;
use crate::board::{Size, Stones, zobrist};
use crate::eval::{Evaluator, NnueEval};
use crate::rules::{OpeningError, OpeningRule, Rule, with_rule};
use crate::search::clock::TimeBudget;
use crate::search::history::History;
use crate::search::think::{Resources, think};
use crate::search::{Answer, Control, Limits, Request, Table, Task, Threads};
use crate::shapes::Tables;

/// The memory limit of the process unless set otherwise, in bytes: the limit of tournaments.
pub const DEFAULT_MEMORY: u64 = 350 << 20;

/// What a process needs in addition to the transposition table, in bytes: code, rule tables, and shared libraries as
/// the manager counts them.
pub const MEMORY_RESERVE: u64 = 26 << 20;
/// Memory reserved for each search thread, in bytes: stack, move lists and accumulators. In searches of some seconds a
/// thread uses a third to two thirds of it.
const MEMORY_PER_THREAD: u64 = 1 << 20;
/// The smallest table worth having, in bytes.
const LEAST_TABLE: u64 = 1 << 20;
/// The table for a limited search has room for the results of this many searches of the same length.
const TABLE_MOVES: u64 = 8;
/// Nodes that count as a second where a table is made for a search, or memory is claimed for it. A thread searches
/// about twice as many.
const NODES_PER_SECOND: u64 = 1_000_000;
/// The smallest table that a limited search gets, in bytes.
const LEAST_LIMITED_TABLE: u64 = 16 << 20;
/// Searches of at least this length can spare the time that it takes to claim large pages.
const LARGE_PAGES_FROM: Duration = Duration::from_secs(4);
/// What part of a search may go into claiming the memory of a table, and the longest time for it. 64 MB take 20 ms.
const CLAIM_DIVISOR: u32 = 10;
const LONGEST_CLAIM: Duration = Duration::from_millis(50);
/// The same for searches that are known to last long enough to claim large pages. A gigabyte takes 200 ms.
const LONG_CLAIM_DIVISOR: u32 = 20;
const LONGEST_LONG_CLAIM: Duration = Duration::from_millis(500);
/// Tables up to this size, in bytes, are cleared rather than freed.
const CHEAP_TO_WIPE: u64 = 64 << 20;
/// Stack of a search thread in bytes; a ply takes about a kilobyte.
const STACK: usize = 16 << 20;
/// The most search threads that an engine can have; larger numbers are reduced to it.
pub const MAX_THREADS: usize = 256;

/// Answers in place of the search, so that tests can examine the code around it.
#[cfg(test)]
pub(crate) type Script = Box<dyn FnMut(Means, &Question<'_>) -> Answer + Send>;

/// What a [`Script`] is told in addition to the question.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Means {
    pub threads: usize,
    pub memory: u64,
}

/// An engine that searches. Engines in the same process do not affect each other.
pub struct Engine {
    threads: usize,
    memory: u64,
    table: Option<Table>,
    /// Bytes that were requested for the table; it may have turned out smaller.
    table_asked: u64,
    history: History,
    pool: Option<ThreadPool>,
    /// The rule and board size that the contents of table and history belong to.
    searched: Option<(Rule, Size)>,
    #[cfg(test)]
    script: Option<Script>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Engine");
        fields
            .field("threads", &self.threads)
            .field("memory", &self.memory)
            .field("searched", &self.searched);
        fields.finish_non_exhaustive()
    }
}

impl Engine {
    /// An engine with this many search threads (at least 1) that keeps the whole process below `memory` bytes. Cheap
    /// to create: memory is claimed as it is used.
    #[must_use]
    pub fn new(threads: usize, memory: u64) -> Engine {
        Engine {
            threads: threads.clamp(1, MAX_THREADS),
            memory,
            table: None,
            table_asked: 0,
            history: History::default(),
            pool: None,
            searched: None,
            #[cfg(test)]
            script: None,
        }
    }

    /// An engine whose searches are answered by a script.
    #[cfg(test)]
    pub(crate) fn scripted(script: Script) -> Engine {
        Engine { script: Some(script), ..Engine::new(1, DEFAULT_MEMORY) }
    }

    /// Builds the tables that all searches under the rule share, unless they exist already. This takes some ten
    /// milliseconds. A search does it by itself; this is for callers that have time to spare before it.
    pub fn prepare(rule: Rule) {
        with_rule!(rule, R => {
            let _ = Tables::of::<R>();
            let _ = <NnueEval as Evaluator<R>>::new(Size::square(15));
        });
    }

    /// The memory in bytes for an engine with this many threads whose table takes `table` bytes.
    #[must_use]
    pub const fn memory_for(threads: usize, table: u64) -> u64 {
        MEMORY_RESERVE + MEMORY_PER_THREAD * threads as u64 + table
    }

    /// The number of search threads: as many as were asked for, or as many as the memory limit has room for.
    #[must_use]
    pub fn threads(&self) -> usize {
        let room = self.memory.saturating_sub(Engine::memory_for(0, LEAST_TABLE)) / MEMORY_PER_THREAD;
        self.threads.min(usize::try_from(room).unwrap_or(usize::MAX)).max(1)
    }

    /// Sets the number of search threads, 1 to [`MAX_THREADS`]. If it differs from the number before, the results of
    /// earlier searches are forgotten.
    pub fn set_threads(&mut self, threads: usize) {
        let threads = threads.clamp(1, MAX_THREADS);
        if threads != self.threads {
            self.threads = threads;
            self.pool = None;
            self.history = History::default();
            self.table = None;
        }
    }

    /// Sets the memory limit of the whole process, in bytes. If it differs from the limit before, the contents of the
    /// transposition table are forgotten.
    pub fn set_memory(&mut self, memory: u64) {
        if memory != self.memory {
            let threads = self.threads();
            self.memory = memory;
            self.table = None;
            if self.threads() != threads {
                self.pool = None;
            }
        }
    }

    /// Forgets the results of all earlier searches, so that a game does not depend on the games before it. A search
    /// under another rule or on a board of another size does this by itself.
    pub fn new_game(&mut self) {
        self.searched = None;
        // Memory in use is quicker to clear than to claim again, unless there is a lot of it.
        match &mut self.table {
            Some(table) if table.bytes() <= CHEAP_TO_WIPE => table.clear(),
            _ => self.table = None,
        }
        self.history = History::default();
    }

    /// How full the transposition table is with entries of the last search, in thousandths, estimated from a sample.
    #[must_use]
    pub fn table_usage(&self) -> u32 {
        self.table.as_ref().map_or(0, Table::usage)
    }

    /// The most bytes that the transposition table may use.
    #[must_use]
    pub fn table_bytes(&self) -> u64 {
        self.memory.saturating_sub(Engine::memory_for(self.threads(), 0)).max(LEAST_TABLE)
    }

    /// The size in bytes of the table for a search within these limits: no more than it can use. A short search does
    /// not fill a large table, and touching the table's memory for the first time can take longer than the move may.
    fn table_bytes_for(&self, limits: &Limits) -> u64 {
        let most = self.table_bytes();
        let by_time = limits.time.limit().map(|time| {
            let nodes = time.as_millis().saturating_mul(u128::from(NODES_PER_SECOND / 1000));
            u64::try_from(nodes).unwrap_or(u64::MAX).saturating_mul(self.threads() as u64)
        });
        let Some(nodes) = by_time.into_iter().chain(limits.nodes).min() else { return most };
        let bytes = nodes.saturating_mul(TABLE_MOVES * Table::BYTES_PER_ENTRY).max(LEAST_LIMITED_TABLE);
        // Rounded up to a power of two, so that small changes of the limits do not discard the contents of the table.
        bytes.checked_next_power_of_two().map_or(most, |bytes| bytes.min(most))
    }

    /// Answers the question for the side to move. The answer's moves are always legal, and as many as the task asks
    /// for if the board has room for them. A panic of the search is caught and logged.
    ///
    /// # Panics
    /// If the board is full.
    pub fn think(&mut self, question: &Question<'_>) -> Answer {
        let &Question { rule, stones, request, .. } = question;
        assert!(!stones.is_full(), "there is no move on a full board");
        let searched = self.guarded(stones, |engine| engine.search(question));
        let mut answer = searched.unwrap_or_else(|| Answer {
            moves: Vec::new(),
            lines: Vec::new(),
            nodes: 0,
            elapsed: request.started.elapsed(),
        });
        let count = if matches!(request.task, Task::BalanceTwo { .. }) { 2 } else { 1 };
        answer.moves = legal_moves(rule, stones, &answer.moves, count);
        answer
    }

    /// Decides a question of the swap2 opening, within the limits and with the threads of the request. The choice can
    /// always be carried out, even after a panic of the search.
    ///
    /// # Errors
    /// A question that does not fit the stones; see [`Swap2Question::check`].
    pub fn decide_swap2(
        &mut self,
        question: Swap2Question,
        rule: Rule,
        stones: &Stones,
        request: &Request,
        control: &Control,
    ) -> Result<Swap2Choice, OpeningError> {
        question.check(stones)?;
        let decide = |engine: &mut Engine| {
            let mut search = |stones: &Stones, request: &Request| {
                engine.think(&Question::new(rule, stones, request, control))
            };
            let inquiry = Inquiry { search: &mut search, request, control };
            Decision { inquiry, stones }.decide(question)
        };
        let count = if question == Swap2Question::Propose { PROPOSED } else { 1 };
        // After a panic, and where dead cells leave no room for any of the proposals.
        let decided = self.guarded(stones, decide).filter(|choice| match choice {
            Swap2Choice::Place(points) => points.len() >= count,
            Swap2Choice::Swap => true,
        });
        Ok(decided.unwrap_or_else(|| Swap2Choice::Place(legal_moves(rule, stones, &[], count))))
    }

    /// Decides a question of a renju opening, within the limits and with the threads of the request. The choice can
    /// always be carried out, even after a panic of the search.
    ///
    /// # Errors
    /// A question that does not fit the opening rule or the stones; see [`RifQuestion::check`].
    pub fn decide_rif(
        &mut self,
        opening: OpeningRule,
        question: &RifQuestion,
        stones: &Stones,
        request: &Request,
        control: &Control,
    ) -> Result<RifChoice, OpeningError> {
        let rule = opening.rule();
        question.check(opening, rule, stones)?;
        let decide = |engine: &mut Engine| {
            let mut search = |stones: &Stones, request: &Request| {
                engine.think(&Question::new(rule, stones, request, control))
            };
            let inquiry = Inquiry { search: &mut search, request, control };
            rif::Decision { inquiry, opening, stones }.decide(question)
        };
        Ok(self.guarded(stones, decide).unwrap_or_else(|| rif::unsearched(opening, question, stones)))
    }

    /// Runs `work` on the position; `None` after a panic, which is logged.
    fn guarded<T>(&mut self, stones: &Stones, work: impl FnOnce(&mut Engine) -> T) -> Option<T> {
        // The engine stays usable: whatever a panic left behind is discarded below.
        let done = guarded(|| work(self));
        done.inspect_err(|cause| {
            log::error!("the search panicked: {cause}; {}", described(stones));
            self.new_game();
            self.pool = None;
        })
        .ok()
    }

    fn search(&mut self, question: &Question<'_>) -> Answer {
        let &Question { rule, stones, request, control, report } = question;
        if self.searched.is_some_and(|searched| searched != (rule, stones.size())) {
            self.new_game();
        }
        self.searched = Some((rule, stones.size()));
        let threads = if request.threads == Threads::One { 1 } else { self.threads() };
        #[cfg(test)]
        if let Some(script) = &mut self.script {
            return script(Means { threads, memory: self.memory }, question);
        }
        let wanted = self.table_bytes_for(&request.limits);
        if self.table_asked < wanted {
            // The old table is freed first: both together would exceed the limit.
            self.table = None;
        }
        let table = self.table.get_or_insert_with(|| {
            self.table_asked = wanted;
            Table::new(wanted)
        });
        // Without a pool (if the system provides no threads) a single worker searches.
        if threads > 1 && self.pool.is_none() {
            self.pool = build_pool(threads);
        }
        let salt = zobrist::variant(rule.gomocup_number(), stones.size());
        let pool = self.pool.as_ref().filter(|_| threads > 1);
        let planned = planned_time(&request.limits, stones.empty_count());
        let end = Instant::now() + claim_time(planned, request.limits.nodes);
        let wants_large_pages = planned.is_none_or(|time| time >= LARGE_PAGES_FROM);
        table.claim(wants_large_pages, || Instant::now() < end && !control.is_stopped(), pool);
        let resources = Resources { table, history: &mut self.history, pool, salt };
        with_rule!(rule, R => think::<R, NnueEval>(resources, stones, request, control, report))
    }
}

/// How long a search within these limits lasts as planned, on a board with so many empty points: less than it may where
/// the time for the game counts. `None` without a limit of time.
fn planned_time(limits: &Limits, empty: usize) -> Option<Duration> {
    let longest = limits.time.limit()?;
    let budget = TimeBudget::new(limits, empty);
    Some(if budget.saving_pays { budget.soft } else { longest })
}

/// How long a search may claim memory that is planned to last this long, or to search so many nodes.
fn claim_time(planned: Option<Duration>, nodes: Option<u64>) -> Duration {
    let by_nodes = nodes.map(|nodes| Duration::from_secs(nodes) / NODES_PER_SECOND as u32);
    let shortest = planned.into_iter().chain(by_nodes).min();
    shortest.map_or(LONGEST_CLAIM, |time| {
        let (divisor, longest) = if time < LARGE_PAGES_FROM {
            (CLAIM_DIVISOR, LONGEST_CLAIM)
        } else {
            (LONG_CLAIM_DIVISOR, LONGEST_LONG_CLAIM)
        };
        (time / divisor).min(longest)
    })
}

/// What stands on the board, in the order in which it came there.
fn described(stones: &Stones) -> String {
    let list = |points: Vec<String>| if points.is_empty() { "none".to_owned() } else { points.join(", ") };
    let placed = stones.history().iter().map(|(point, color)| format!("{} {point}", color.name())).collect();
    let dead = stones.dead_cells().map(|point| point.to_string()).collect();
    let (size, to_move) = (stones.size(), stones.to_move());
    let to_move = to_move.name();
    format!("{to_move} to move on {size}; stones: {}; dead cells: {}", list(placed), list(dead))
}

fn build_pool(threads: usize) -> Option<ThreadPool> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK)
        .thread_name(|n| format!("search {n}"))
        .build()
        .inspect_err(|error| log::warn!("no pool of {threads} threads: {error}; searching with one"))
        .ok()
}

#[cfg(test)]
#[path = "core_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "balance_tests.rs"]
mod balance_tests;

#[cfg(test)]
#[path = "full_board_tests.rs"]
mod full_board_tests;
