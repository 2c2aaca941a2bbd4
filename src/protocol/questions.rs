//! Turns what a manager asks of the engine into jobs for the thinking thread.

use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::SendError;
use std::time::Instant;

use log::error;

use super::command::{SoosorvStep, Swap2Step};
use super::messages::{Ask, SearchJob, Work};
use super::running::{Purpose, Running};
use super::serve::{Server, Waiting};
use super::session::{Detail, SessionError};
use crate::board::Coordinates;
use crate::engine::opening::{RifQuestion, Swap2Question};
use crate::levels::Level;
use crate::rules::OpeningRule;
use crate::search::{Control, Limits, Request, Task, TimeControl};

impl<W: Write> Server<W> {
    /// Lets the thinking thread, which is idle, build what the first search will need.
    pub(super) fn prepare(&mut self) {
        let rule = self.session.rule();
        if self.prepared != Some(rule) && self.jobs.send(Work::Prepare(rule)).is_ok() {
            self.prepared = Some(rule);
        }
    }

    pub(super) fn analyse(&mut self, lines: usize, arrived: Instant) -> Result<(), SessionError> {
        self.session.adopt_side_to_move(1)?;
        let lines = lines.min(self.session.stones()?.empty_count());
        let purpose = Purpose::Play { moves: 1, ranks: lines, in_game: false };
        self.think(Task::for_lines(lines), purpose, arrived)
    }

    pub(super) fn swap2(&mut self, cells: &[(i64, i64)], arrived: Instant) -> Result<(), SessionError> {
        // Before START the missing board is the error, not the number of stones.
        self.session.stones()?;
        let question =
            Swap2Question::with_stones(cells.len()).ok_or(SessionError::OpeningStones(cells.len()))?;
        self.session.set_opening(cells)?;
        self.think_about_opening(question, Purpose::Opening, arrived)
    }

    pub(super) fn swap2_step(&mut self, step: Swap2Step, arrived: Instant) -> Result<(), SessionError> {
        let question = match step {
            Swap2Step::Propose => Swap2Question::Propose,
            Swap2Step::Second => Swap2Question::Second,
            Swap2Step::First => Swap2Question::First,
        };
        if question == Swap2Question::Propose {
            // The display asks for a new opening while the stones of the last game are still there.
            self.session.set_opening(&[])?;
        }
        let count = self.session.stones()?.history().len();
        if Swap2Question::with_stones(count) != Some(question) {
            return Err(SessionError::OpeningStones(count));
        }
        self.think_about_opening(question, Purpose::OpeningStep(question), arrived)
    }

    pub(super) fn soosorv(
        &mut self,
        step: SoosorvStep,
        cells: &[Coordinates],
        arrived: Instant,
    ) -> Result<(), SessionError> {
        /// The fifth moves follow the stones that stand on the board by then.
        const STONES: usize = 4;
        // An impossible number of moves is refused like 0.
        let number = |fifths: i64| usize::try_from(fifths).unwrap_or(0);
        let (placed, offered) = match step {
            SoosorvStep::Take => cells.split_at(cells.len().min(STONES)),
            _ => (cells, &[][..]),
        };
        let stones = self.session.opening_of(placed)?;
        let question = match step {
            SoosorvStep::Propose => RifQuestion::Propose,
            SoosorvStep::SwapAfterThree => RifQuestion::Swap,
            SoosorvStep::Fourth => RifQuestion::Fourth,
            SoosorvStep::SwapAfterFour(fifths) => RifQuestion::SwapAfterFourth { fifths: number(fifths) },
            SoosorvStep::Offer(fifths) => RifQuestion::Offer { fifths: number(fifths) },
            SoosorvStep::Take => RifQuestion::Take { offered: self.session.points_of(offered)? },
        };
        question.check(OpeningRule::Soosorv8, self.session.rule(), &stones).map_err(SessionError::Opening)?;
        self.session.adopt_opening(stones);
        let request = self.session.opening_request(arrived);
        self.start_job(Ask::Soosorv { question, request }, Purpose::SoosorvStep(step), arrived)
    }

    pub(super) fn think_about_opening(
        &mut self,
        question: Swap2Question,
        purpose: Purpose,
        arrived: Instant,
    ) -> Result<(), SessionError> {
        let request = self.session.opening_request(arrived);
        self.start_job(Ask::Opening { question, request }, purpose, arrived)
    }

    pub(super) fn think(
        &mut self,
        task: Task,
        purpose: Purpose,
        arrived: Instant,
    ) -> Result<(), SessionError> {
        let request = self.session.request(task, arrived);
        let ask = match purpose {
            Purpose::MOVE => Ask::Move(request, self.session.style(), self.session.experience_file()),
            _ => Ask::Search(request),
        };
        self.start_job(ask, purpose, arrived)
    }

    pub(super) fn start_job(
        &mut self,
        ask: Ask,
        purpose: Purpose,
        started: Instant,
    ) -> Result<(), SessionError> {
        let stones = self.session.stones()?.clone();
        let rule = self.session.rule();
        let latest = match &ask {
            Ask::Move(request, ..) | Ask::Search(request) => {
                purpose.latest_answer(&request.limits, &stones, started)
            }
            Ask::Opening { .. } | Ask::Soosorv { .. } => None,
        };
        // Callers have made sure that no job is running, so the engine is here.
        let Some(engine) = self.idle.take() else { return Ok(()) };
        let control = Arc::new(Control::new());
        let job = SearchJob {
            engine,
            threads: self.session.threads(),
            memory: self.session.memory(),
            rule,
            stones: stones.clone(),
            ask,
            control: Arc::clone(&control),
            detail: if purpose == Purpose::Ponder { Detail::default() } else { self.session.detail() },
        };
        let running = Running::new(control, purpose, latest, rule, stones, started);
        match self.jobs.send(Work::Think(Box::new(job))) {
            Ok(()) => self.running = Some(running),
            // The thinking thread catches panics and ends only with the loop.
            Err(SendError(work)) => {
                error!("the thinking thread is gone");
                if let Work::Think(job) = work {
                    self.idle = Some(job.engine);
                }
                let replies = self.unsearched_replies(&running);
                self.after_move.extend(replies);
            }
        }
        Ok(())
    }

    /// Ponders: fills the table in the opponent's time, if that is wanted and nothing else waits.
    pub(super) fn ponder(&mut self) {
        // A weak level uses nothing from earlier searches.
        let is_full = self.session.style().level == Level::FULL;
        let must_end = |waiting: &Waiting| waiting.ends_search(Purpose::Ponder);
        if !self.session.pondering() || !is_full || self.waiting.iter().any(must_end) {
            return;
        }
        if self.session.stones().is_ok_and(|stones| !stones.is_full()) {
            let limits = Limits { time: TimeControl::UNTIL_STOPPED, ..Limits::default() };
            // A search for lines goes on where the opponent has one reply or can win; one for a move would end at once.
            let request = Request { task: Task::Rank { lines: 1 }, ..Request::best(limits) };
            let started = request.started;
            // There is a board, so nothing can fail.
            let _ = self.start_job(Ask::Search(request), Purpose::Ponder, started);
        }
    }
}
