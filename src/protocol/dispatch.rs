//! Maps each command to what it does: one arm for each, so that a command without one does not compile.

use std::io::Write;
use std::thread;
use std::time::Instant;

use log::warn;

use super::command::Command;
use super::reply::Reply;
use super::running::Purpose;
use super::serve::Server;
use super::session::{Remark, SessionError, Setting};
use crate::board::Color;
use crate::eval::assess;
use crate::search::Task;
use crate::search::clock::TimeBudget;

/// The answer to those who ask for the largest hash table: the binary logarithm of its KB, 16 GB.
const MAX_HASH_SIZE: u32 = 24;

impl<W: Write> Server<W> {
    /// Carries out one command, or begins to. Returns the replies that are due at once; the answer of a
    /// search comes later.
    pub(super) fn execute(&mut self, command: Command, arrived: Instant) -> Result<Vec<Reply>, SessionError> {
        if command.is_owed_a_reply()
            && let Some(complaint) = self.session.take_complaint()
        {
            return Err(complaint);
        }
        let silence = Vec::new();
        match command {
            Command::Start { width, height } => {
                self.session.start(width, height)?;
                Ok(self.game_begun())
            }
            Command::StartSides { width, height } => {
                self.session.start_sides(width, height)?;
                Ok(self.game_begun())
            }
            Command::Restart => {
                self.session.restart()?;
                Ok(self.game_begun())
            }
            Command::TakeBack(at) => self.session.take_back(at).map(|()| vec![Reply::Ok]),
            Command::Play(at) => self.session.play(at).map(|point| vec![Reply::Moves(vec![point])]),
            Command::Begin => {
                self.session.begin()?;
                self.answer_move(arrived)
            }
            Command::Turn(at) => {
                self.session.turn(at)?;
                let remark = self.session.remark_on_move();
                self.answer_with(remark, arrived)
            }
            Command::Board(cells) => {
                self.session.set_board(&cells)?;
                let remark = self.session.remark_on_position();
                self.answer_with(remark, arrived)
            }
            Command::Swap2Board(cells) => self.swap2(&cells, arrived).map(|()| silence),
            Command::Info(setting) => {
                setting.into_iter().for_each(|setting| self.apply(setting));
                Ok(silence)
            }
            Command::About => Ok(vec![Reply::About]),
            Command::Stop => {
                self.running.iter().for_each(|running| running.control.stop());
                Ok(silence)
            }
            // The Yixin-Board dialect.
            Command::AnalysisBoard(cells) => self.session.set_analysis_board(&cells).map(|()| silence),
            Command::Best(lines) => self.analyse(lines, arrived).map(|()| silence),
            Command::BestOfAll => self.analyse(usize::MAX, arrived).map(|()| silence),
            Command::BalanceOne(bias) => {
                self.session.adopt_side_to_move(1)?;
                let purpose = Purpose::Play { moves: 1, ranks: 1, in_game: false };
                self.think(Task::BalanceOne { bias }, purpose, arrived).map(|()| silence)
            }
            Command::BalanceTwo(bias) => {
                self.session.adopt_side_to_move(2)?;
                let purpose = Purpose::Play { moves: 2, ranks: 1, in_game: false };
                self.think(Task::BalanceTwo { bias }, purpose, arrived).map(|()| silence)
            }
            Command::Swap2Step(step) => self.swap2_step(step, arrived).map(|()| silence),
            Command::SoosorvStep(step, cells) => self.soosorv(step, &cells, arrived).map(|()| silence),
            Command::Block(cells) => self.session.block(&cells).map(|()| silence),
            Command::Unblock(cells) => self.session.unblock(&cells).map(|()| silence),
            Command::UnblockAll => {
                self.session.unblock_all();
                Ok(silence)
            }
            Command::BlockLine(cells) => self.session.block_line(&cells).map(|()| silence),
            Command::UnblockLine(cells) => self.session.unblock_line(&cells).map(|()| silence),
            Command::UnblockAllLines => {
                self.session.unblock_all_lines();
                Ok(silence)
            }
            Command::Assess => {
                let stones = self.session.stones()?;
                let assessment = assess(self.session.rule(), stones);
                let side = Reply::Assessment(stones.to_move(), assessment.score);
                let threats = |color| Reply::Threats(color, assessment.threats[color]);
                Ok(vec![side, threats(Color::Black), threats(Color::White)])
            }
            Command::ClearTable => {
                if let Some(engine) = &mut self.idle {
                    engine.new_game();
                    self.table_usage = engine.table_usage();
                }
                Ok(silence)
            }
            Command::ShowInfo => {
                self.session.mark_yixin();
                let threads = thread::available_parallelism().map_or(1, usize::from);
                Ok(vec![Reply::MaxThreads(threads), Reply::MaxHashSize(MAX_HASH_SIZE)])
            }
            Command::ShowForbidden => Ok(vec![Reply::Forbidden(self.session.forbidden_points()?)]),
            Command::ShowTableUsage => Ok(vec![Reply::TableUsage(self.table_usage)]),
            Command::Draw => Ok(vec![Reply::DrawRejected]),
            Command::Resign => Ok(vec![Reply::ResignationNoted]),
            Command::Database(ask, cells) => self.ask_database(&ask, &cells),
            Command::SetDatabase(path) => Ok(self.set_database(&path)),
            Command::SaveDatabase => Ok(self.save_database()),
            Command::CheckDatabase => Ok(self.check_database()),
            Command::ImportLibrary(path) => Ok(self.import_library(&path)),
            Command::Unsupported(what) => Ok(vec![Reply::Unsupported(what)]),
            // END is handled as it arrives.
            Command::End | Command::Ignored => Ok(silence),
        }
    }

    /// Prepares for the game that has begun, and says that it has.
    fn game_begun(&mut self) -> Vec<Reply> {
        self.database.next_game();
        self.prepare();
        vec![Reply::Ok]
    }

    /// What is to be said of the opponent's move, and the answer to it.
    fn answer_with(&mut self, remark: Option<Remark>, arrived: Instant) -> Result<Vec<Reply>, SessionError> {
        let answer = self.answer_move(arrived)?;
        Ok(remark.map(Reply::Remark).into_iter().chain(answer).collect())
    }

    /// The next move of a game: from the book, if there is one and it has a move, or else from a search.
    fn answer_move(&mut self, arrived: Instant) -> Result<Vec<Reply>, SessionError> {
        let blocked = self.session.request(Task::Best, arrived).blocked;
        match self.book_replies(blocked) {
            Some(replies) => Ok(replies),
            None => self.think(Task::Best, Purpose::MOVE, arrived).map(|()| Vec::new()),
        }
    }

    /// Applies an INFO setting. Settings of time also reach a running search.
    pub(super) fn apply(&mut self, setting: Setting) {
        if let Some(expected) = self.session.apply(&setting) {
            warn!("ignored: {setting:?}, since the value must be {expected}");
        }
        match setting {
            Setting::UseDatabase(on) => self.database.is_used = on,
            Setting::DatabaseReadOnly(on) => self.database.is_read_only = on,
            Setting::OwnBook(on) => self.database.is_own_book_used = on,
            _ => {}
        }
        let Some(running) = &mut self.running else {
            // Before START the rule may still change.
            if self.session.stones().is_ok() {
                self.prepare();
            }
            return;
        };
        match setting {
            // Nobody waits for an answer.
            _ if running.purpose.is_idle() => {}
            // "Move now".
            Setting::TurnTime(0) => running.control.stop(),
            Setting::TurnTime(_)
            | Setting::MatchTime(_)
            | Setting::TimeLeft(_)
            | Setting::TimeIncrement(_) => {
                let limits = self.session.limits();
                match running.purpose {
                    Purpose::Play { .. } => {
                        running.control.set_time(limits.time);
                        running.latest =
                            running.purpose.latest_answer(&limits, &running.stones, running.started);
                    }
                    // The opening has divided its time among several searches, and looks only for a stop.
                    Purpose::Opening | Purpose::OpeningStep(_) | Purpose::SoosorvStep(_) => {
                        let budget = TimeBudget::new(&limits, running.stones.empty_count());
                        running.latest = running.started.checked_add(budget.hard);
                    }
                    Purpose::Ponder | Purpose::Overdue { .. } => {}
                }
            }
            _ => {}
        }
    }
}
