//! What a search returns, on its way to the manager: progress reports while it runs, its result, and what is said for a
//! search that does not return in time.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use log::{error, warn};

use super::command::SoosorvStep;
use super::messages::SearchOutcome;
use super::reply::{Realtime, Reply, ReportedLine, SoosorvReply};
use super::running::{Purpose, Running};
use super::serve::Server;
use super::session::SessionError;
use crate::board::{Point, PointSet};
use crate::engine::opening::{RifChoice, Swap2Choice, Swap2Question};
use crate::engine::{Engine, legal_moves};
use crate::search::{Answer, SearchProgress};

/// No progress is reported before a search has run this long: quick moves stay silent.
pub(super) const QUIET: Duration = Duration::from_millis(200);
/// An overdue search that has no move yet is asked again after this.
const OVERDUE_RETRY: Duration = Duration::from_millis(5);

impl<W: Write> Server<W> {
    /// Reports the progress of the running search, as far as the manager wants it.
    pub(super) fn tell(&mut self, report: SearchProgress) -> io::Result<()> {
        let detail = self.session.detail();
        let Some(running) = &mut self.running else { return Ok(()) };
        let now = Instant::now();
        if now.saturating_duration_since(running.started) < QUIET || running.purpose.is_idle() {
            return Ok(());
        }
        let mut replies = Vec::new();
        match report {
            SearchProgress::IterationStarted { .. } if detail.realtime => {
                running.shown = PointSet::EMPTY;
                replies.push(Reply::Realtime(Realtime::Refresh));
            }
            SearchProgress::MoveStarted(point) if detail.realtime && running.moves.allows(now) => {
                running.shown.insert(point);
                replies.push(Reply::Realtime(Realtime::Searching(point)));
            }
            SearchProgress::MoveFinished { point, lost } if detail.realtime => {
                // A move that was shown must be cleared, throttled or not.
                if running.shown.contains(point) {
                    running.shown.remove(point);
                    replies.push(Reply::Realtime(Realtime::Done(point)));
                }
                if lost && running.moves.allows(now) {
                    replies.push(Reply::Realtime(Realtime::Lost(point)));
                }
            }
            SearchProgress::NewBest(point) if detail.realtime && running.moves.allows(now) => {
                replies.push(Reply::Realtime(Realtime::Best(point)));
            }
            SearchProgress::Line { rank, ranks, line, nodes, elapsed } if running.lines.allows(now) => {
                if detail.realtime && rank == 0 {
                    replies.push(Reply::Realtime(Realtime::Value(line.score)));
                    replies.push(Reply::Realtime(Realtime::Variation(line.points.clone())));
                }
                if detail.lines {
                    let found = ReportedLine { rank, ranks, line, nodes, elapsed };
                    running.note_sent(&found);
                    replies.push(Reply::Line(Box::new(found)));
                }
            }
            _ => {}
        }
        replies.iter().try_for_each(|reply| self.send(reply))
    }

    /// The search is over: its result is printed and becomes part of the game.
    pub(super) fn finish(&mut self, engine: Engine, outcome: SearchOutcome) -> io::Result<()> {
        self.table_usage = engine.table_usage();
        self.idle = Some(engine);
        let Some(running) = self.running.take() else { return Ok(()) };
        match (running.purpose, outcome) {
            (Purpose::Ponder | Purpose::Overdue { in_game: false }, _) => Ok(()),
            (Purpose::Overdue { in_game: true }, _) => {
                self.ponder();
                Ok(())
            }
            (Purpose::Play { ranks, in_game, .. }, SearchOutcome::Answer(answer)) => {
                self.sum_up(&running, &answer, ranks)?;
                self.session.record_time(running.started.elapsed());
                self.session.play_answer(&answer.moves);
                self.send(&Reply::Moves(answer.moves))?;
                if in_game {
                    self.ponder();
                }
                Ok(())
            }
            (Purpose::Opening, SearchOutcome::Choice(Ok(choice))) => {
                self.session.record_time(running.started.elapsed());
                self.session.set_own(choice.own_color());
                match choice {
                    Swap2Choice::Swap => self.send(&Reply::Swap),
                    Swap2Choice::Place(points) => {
                        self.session.play_answer(&points);
                        self.send(&Reply::Moves(points))
                    }
                }
            }
            (Purpose::OpeningStep(question), SearchOutcome::Choice(Ok(choice))) => {
                self.session.record_time(running.started.elapsed());
                step_replies(question, &choice).iter().try_for_each(|reply| self.send(reply))
            }
            (Purpose::SoosorvStep(step), SearchOutcome::Soosorv(Ok(choice))) => {
                self.session.record_time(running.started.elapsed());
                soosorv_replies(step, &choice)
                    .into_iter()
                    .try_for_each(|reply| self.send(&Reply::Soosorv(reply)))
            }
            (Purpose::SoosorvStep(_), SearchOutcome::Soosorv(Err(error)))
            | (Purpose::Opening | Purpose::OpeningStep(_), SearchOutcome::Choice(Err(error))) => {
                self.send(&Reply::Error(SessionError::Opening(error).into()))
            }
            // A job's question determines the kind of its outcome: the two should not differ.
            (Purpose::Play { .. }, _)
            | (Purpose::Opening | Purpose::OpeningStep(_) | Purpose::SoosorvStep(_), _) => {
                error!("the answer to another question came back for {:?}", running.purpose);
                self.unsearched_replies(&running).iter().try_for_each(|reply| self.send(reply))
            }
        }
    }

    /// What is said where there is nothing to tell of a search, so that no manager waits for ever: some legal move,
    /// which becomes part of the game.
    pub(super) fn unsearched_replies(&mut self, running: &Running) -> Vec<Reply> {
        let Running { purpose, rule, ref stones, started, .. } = *running;
        if !matches!(purpose, Purpose::Ponder | Purpose::Overdue { .. }) {
            self.session.record_time(started.elapsed());
        }
        let count = match purpose {
            Purpose::Ponder | Purpose::Overdue { .. } => return Vec::new(),
            Purpose::SoosorvStep(_) => return vec![Reply::Error(SessionError::NoAnswer.into())],
            Purpose::Play { moves, .. } => moves,
            // Three stones as the first player, and then one, which says that the engine stays White.
            Purpose::Opening | Purpose::OpeningStep(_) if stones.history().is_empty() => 3,
            Purpose::Opening | Purpose::OpeningStep(_) => 1,
        };
        let points = legal_moves(rule, stones, &[], count);
        let choice = Swap2Choice::Place(points.clone());
        match purpose {
            Purpose::OpeningStep(question) => return step_replies(question, &choice),
            Purpose::Opening => self.session.set_own(choice.own_color()),
            _ => {}
        }
        self.session.play_answer(&points);
        vec![Reply::Moves(points)]
    }

    /// The search should have returned by now. If it looks for a move, its thread gets no processor, or waits for
    /// memory: the best move that it has found so far is printed and becomes part of the game. In a game, a fallback
    /// move takes its place where the search has hardly begun, since a weak move costs less than a late one. A decision
    /// about an opening, whose time was cut short meanwhile, is stopped and answers by itself.
    pub(super) fn answer_overdue(&mut self) -> io::Result<()> {
        let Some(running) = &mut self.running else { return Ok(()) };
        running.latest = None;
        let Purpose::Play { in_game, .. } = running.purpose else {
            running.control.stop();
            return Ok(());
        };
        let best = running.control.best();
        // Only a game needs a move at any price.
        let may_fall_back = std::mem::replace(&mut running.is_asked_again, true) && in_game;
        if best.is_none() && !may_fall_back {
            running.latest = Some(Instant::now() + OVERDUE_RETRY);
            return Ok(());
        }
        running.control.stop();
        running.purpose = Purpose::Overdue { in_game };
        let elapsed = running.started.elapsed();
        warn!("the search is not back after {elapsed:?}; its best move so far is played: {best:?}");
        let points = legal_moves(running.rule, &running.stones, best.as_slice(), 1);
        self.session.record_time(elapsed);
        self.session.play_answer(&points);
        self.send(&Reply::Moves(points))?;
        self.send_refusals()
    }

    /// Sends the replies that were held back while a move was awaited.
    pub(super) fn send_refusals(&mut self) -> io::Result<()> {
        let refusals = std::mem::take(&mut self.after_move);
        refusals.iter().try_for_each(|reply| self.send(reply))
    }

    /// Reports what a search found, once, before the move: the lines that a display was not sent yet, and for people
    /// one message per line, since Yixin-Board shows nothing else in its log.
    pub(super) fn sum_up(&mut self, running: &Running, answer: &Answer, ranks: usize) -> io::Result<()> {
        let detail = self.session.detail();
        let elapsed = running.started.elapsed();
        for (rank, line) in answer.lines.iter().enumerate().filter(|(_, line)| line.depth > 0) {
            let found = ReportedLine { rank, ranks, line: line.clone(), nodes: answer.nodes, elapsed };
            if detail.lines && elapsed >= QUIET && !running.was_sent(&found) {
                self.send(&Reply::Line(Box::new(found.clone())))?;
            }
            self.send(&Reply::Summary(Box::new(found)))?;
        }
        Ok(())
    }
}

/// The answer to a step of Yixin-Board's Soosõrv-8.
fn soosorv_replies(step: SoosorvStep, choice: &RifChoice) -> Vec<SoosorvReply> {
    match choice {
        RifChoice::Place(points) => {
            points.iter().enumerate().map(|(n, &point)| SoosorvReply::Move(n + 1, point)).collect()
        }
        RifChoice::Swap(swap) => {
            let question = if step == SoosorvStep::SwapAfterThree { 1 } else { 2 };
            vec![SoosorvReply::Swap { question, swap: *swap }]
        }
        RifChoice::Fourth { point, fifths } => {
            vec![SoosorvReply::Fourth { point: *point, fifths: *fifths }]
        }
        RifChoice::Offer(points) => {
            let fifths = points.iter().map(|&point| SoosorvReply::Fifth(point));
            let begin = std::iter::once(SoosorvReply::FifthsBegin);
            begin.chain(fifths).chain([SoosorvReply::FifthsEnd]).collect()
        }
        RifChoice::Take(point) => vec![SoosorvReply::Taken(*point)],
    }
}

/// The answer to a step of Yixin-Board's swap2.
fn step_replies(question: Swap2Question, choice: &Swap2Choice) -> Vec<Reply> {
    let moves = |points: &[Point], first: usize| {
        points.iter().enumerate().map(|(n, &point)| Reply::Swap2Move(first + n, point)).collect()
    };
    match (question, choice) {
        (Swap2Question::Propose, Swap2Choice::Place(points)) => moves(points, 1),
        (Swap2Question::Second, Swap2Choice::Place(points)) if points.len() == 2 => moves(points, 4),
        (Swap2Question::First, choice) => {
            vec![Reply::Swap2Answer { question: 2, swap: *choice == Swap2Choice::Swap }]
        }
        (_, choice) => vec![Reply::Swap2Answer { question: 1, swap: *choice == Swap2Choice::Swap }],
    }
}
