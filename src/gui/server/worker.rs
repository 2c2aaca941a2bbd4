//! The thread on which the engine of a connection thinks. It lives from the first job to the end of the
//! connection, or until it has nothing to do and another page wants an engine.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use tokio::sync::mpsc;

use crate::engine::{Engine, THINKING_STACK};
use crate::gui::{Frame, JobControl, PageJob};

/// Connections that have an engine at a time.
const MOST_ENGINES: usize = 4;
/// Jobs that wait while the one before them ends.
const MOST_JOBS: usize = 64;
/// The part of the memory that is the solver's; the rest is the engine's.
const SOLVER_SHARE: u64 = 3;

/// The engines of all connections together.
#[derive(Clone, Debug, Default)]
pub(super) struct Engines {
    room: Arc<Room>,
}

#[derive(Debug, Default)]
struct Room {
    /// In the order in which they came. Only the first so many may have an engine; others wait for one that goes.
    seats: Mutex<Vec<Arc<Seat>>>,
    /// Told when a seat is left.
    left: Condvar,
}

/// What an engine's thread and its connection share.
#[derive(Debug)]
struct Seat {
    state: Mutex<SeatState>,
}

#[derive(Debug)]
struct SeatState {
    /// To the thread, which ends without it.
    orders: Option<SyncSender<Order>>,
    /// Jobs that are not done.
    jobs: usize,
    /// When the last of them was.
    idle_since: Instant,
}

impl Engines {
    /// A seat that is free, or that of the engine that has had nothing to do for longest; `None` if all of them think.
    fn take_seat(&self, orders: SyncSender<Order>) -> Option<Arc<Seat>> {
        let mut seats = self.room.seats.lock();
        if seats.len() >= MOST_ENGINES {
            let idle = seats.iter().filter_map(|seat| Some((seat.idle_since()?, seat)));
            let (_, longest) = idle.min_by_key(|&(since, _)| since)?;
            longest.clear();
        }
        let state = SeatState { orders: Some(orders), jobs: 0, idle_since: Instant::now() };
        let seat = Arc::new(Seat { state: Mutex::new(state) });
        seats.push(Arc::clone(&seat));
        Some(seat)
    }

    /// Engines that there are.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.room.seats.lock().len()
    }
}

impl Seat {
    /// Since when its engine has nothing to do; `None` if it thinks, or is to go anyway.
    fn idle_since(&self) -> Option<Instant> {
        let state = self.state.lock();
        (state.jobs == 0 && state.orders.is_some()).then_some(state.idle_since)
    }

    /// Ends the thread after what it does.
    fn clear(&self) {
        self.state.lock().orders = None;
    }

    fn finish_job(&self) {
        let mut state = self.state.lock();
        state.jobs = state.jobs.saturating_sub(1);
        state.idle_since = Instant::now();
    }
}

/// A seat that a thread sits on. Another may have it when this is dropped.
struct Place {
    room: Arc<Room>,
    seat: Arc<Seat>,
}

impl Place {
    /// Waits until enough others have left.
    fn take(room: Arc<Room>, seat: Arc<Seat>) -> Place {
        let mut seats = room.seats.lock();
        while seats.iter().take(MOST_ENGINES).all(|other| !Arc::ptr_eq(other, &seat)) {
            room.left.wait(&mut seats);
        }
        drop(seats);
        Place { room, seat }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.room.seats.lock().retain(|other| !Arc::ptr_eq(other, &self.seat));
        self.room.left.notify_all();
    }
}

/// A job and how to end it.
#[derive(Debug)]
struct Order {
    job: Box<PageJob>,
    control: Arc<JobControl>,
}

/// The thread, as its connection sees it. When it is dropped the job under way ends, and the engine with it.
pub(super) struct Worker {
    seat: Arc<Seat>,
    /// The number of the last job, and how to end it.
    last: Option<(u64, Arc<JobControl>)>,
}

/// Why a job is not begun.
pub(super) enum NotBegun {
    /// There is too much to do; the frame that says so.
    Busy(String),
    /// The engine went to another page while it had nothing to do. Here is the job.
    Gone(Box<PageJob>),
}

impl Worker {
    /// A thread with an engine that uses this much memory in bytes, and sends what it finds; `None` if all engines that
    /// there may be are thinking.
    pub fn start(engines: &Engines, memory: u64, frames: mpsc::Sender<String>) -> io::Result<Option<Worker>> {
        let (orders, queue) = sync_channel::<Order>(MOST_JOBS);
        let Some(seat) = engines.take_seat(orders) else { return Ok(None) };
        let (room, own) = (Arc::clone(&engines.room), Arc::clone(&seat));
        let work = move || {
            // Left last, when the engine has given its memory back.
            let place = Place::take(room, own);
            let solver_memory = memory / SOLVER_SHARE;
            let new_engine = || Engine::new(1, memory - solver_memory);
            let mut engine = new_engine();
            for Order { job, control } in queue {
                let is_sound = run(&job, &mut engine, solver_memory, &control, &frames);
                place.seat.finish_job();
                if !is_sound {
                    engine = new_engine();
                }
            }
        };
        let spawned =
            thread::Builder::new().name("board engine".to_owned()).stack_size(THINKING_STACK).spawn(work);
        if let Err(error) = spawned {
            engines.room.seats.lock().retain(|other| !Arc::ptr_eq(other, &seat));
            return Err(error);
        }
        Ok(Some(Worker { seat, last: None }))
    }

    /// Begins a job, and ends the one before it.
    pub fn begin(&mut self, job: Box<PageJob>) -> Result<(), NotBegun> {
        let mut state = self.seat.state.lock();
        let Some(orders) = &state.orders else { return Err(NotBegun::Gone(job)) };
        let control = Arc::new(JobControl::new());
        let order = Order { control: Arc::clone(&control), job };
        let id = order.job.id();
        if let Some((_, last)) = &self.last {
            last.stop();
        }
        match orders.try_send(order) {
            Ok(()) => {
                state.jobs += 1;
                self.last = Some((id, control));
                Ok(())
            }
            Err(TrySendError::Full(order)) => {
                Err(NotBegun::Busy(order.job.busy("too many jobs are waiting")))
            }
            Err(TrySendError::Disconnected(order)) => Err(NotBegun::Gone(order.job)),
        }
    }

    /// Ends the job with this number, if it is the one under way.
    pub fn stop(&self, target: u64) {
        if let Some((id, control)) = &self.last
            && *id == target
        {
            control.stop();
        }
    }

    /// Whether its engine has had nothing to do for so long.
    pub fn is_idle_for(&self, time: Duration) -> bool {
        self.seat.idle_since().is_some_and(|since| since.elapsed() >= time)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some((_, control)) = &self.last {
            control.stop();
        }
        self.seat.clear();
    }
}

/// Does a job. News are left out while the page does not keep up; the answer waits for it.
fn run(
    job: &PageJob,
    engine: &mut Engine,
    solver_memory: u64,
    control: &JobControl,
    frames: &mpsc::Sender<String>,
) -> bool {
    let solver_memory = usize::try_from(solver_memory).unwrap_or(usize::MAX);
    job.run(engine, solver_memory, control, &mut |frame| match frame {
        Frame::Event(text) => drop(frames.try_send(text)),
        // The connection may be gone, and the answer with it.
        Frame::Done(text) => drop(frames.blocking_send(text)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::{Desk, DeskOptions, Reaction};

    fn job(text: &str) -> Box<PageJob> {
        let desk = Desk::new(DeskOptions { threads: 1, is_server: true, can_shut_down: false });
        match desk.take(text) {
            Reaction::Start(job) => job,
            other => panic!("{other:?}"),
        }
    }

    /// News have one place, and nobody takes them: the search ends all the same, and its answer is kept.
    #[test]
    fn a_search_waits_for_nobody() {
        let engines = Engines::default();
        let (frames, mut waiting) = mpsc::channel(1);
        let mut worker = Worker::start(&engines, 64 << 20, frames).unwrap().unwrap();
        let position = r#"{"rule":"standard","width":15,"height":15,"moves":[[7,7],[8,8],[6,8]]}"#;
        let text = format!(r#"{{"id":1,"op":"think","position":{position},"limits":{{"nodes":20000}}}}"#);
        assert!(worker.begin(job(&text)).is_ok());
        // Long enough for the search, most likely; whatever it takes, the answer comes last.
        thread::sleep(Duration::from_millis(300));
        let mut received = Vec::new();
        while let Some(frame) = waiting.blocking_recv() {
            let is_last = frame.contains("\"done\":true");
            received.push(frame);
            if is_last {
                break;
            }
        }
        assert!(received.last().is_some_and(|frame| frame.contains("\"move\"")), "{received:?}");
        drop(worker);
        assert_eq!(waiting.blocking_recv(), None);
    }

    fn think(worker: &mut Worker, limits: &str) {
        let position = r#"{"rule":"standard","width":15,"height":15,"moves":[[7,7],[8,8],[6,8]]}"#;
        let text = format!(r#"{{"id":1,"op":"analyse","lines":1,"position":{position},"limits":{limits}}}"#);
        assert!(worker.begin(job(&text)).is_ok());
    }

    fn answer(frames: &mut mpsc::Receiver<String>) -> String {
        std::iter::from_fn(|| frames.blocking_recv()).find(|frame| frame.contains("\"done\":true")).unwrap()
    }

    /// Four engines; one thinks, and the others have done so, the first of them first. Who comes gets their seats in
    /// this order, and nobody that of the one that thinks.
    #[test]
    fn engines_without_work_make_room() {
        let engines = Engines::default();
        let start = || {
            let (frames, waiting) = mpsc::channel(64);
            Some((Worker::start(&engines, 64 << 20, frames).unwrap()?, waiting))
        };
        let mut first: Vec<_> = (0..MOST_ENGINES).map(|_| start().unwrap()).collect();
        for (worker, frames) in &mut first[1..] {
            think(worker, r#"{"nodes":100}"#);
            assert!(answer(frames).contains("\"move\""));
            while worker.seat.idle_since().is_none() {
                thread::yield_now();
            }
        }
        think(&mut first[0].0, "{}");
        let mut later = Vec::new();
        for (gone, its_frames) in &mut first[1..] {
            let (mut worker, mut frames) = start().unwrap();
            think(&mut worker, r#"{"nodes":100}"#);
            assert!(answer(&mut frames).contains("\"move\""));
            think(&mut worker, "{}");
            later.push((worker, frames));
            // Its thread has ended, and its connection is told when it asks.
            assert_eq!(its_frames.blocking_recv(), None);
            let text =
                r#"{"id":2,"op":"think","position":{"rule":"standard","width":15,"height":15,"moves":[]}}"#;
            assert!(matches!(gone.begin(job(text)), Err(NotBegun::Gone(_))));
        }
        assert!(start().is_none());
        // One that leaves makes room as well, when its search has ended.
        drop(first);
        let begun = Instant::now();
        while start().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(30));
            thread::sleep(Duration::from_millis(5));
        }
    }
}
