//! The thread on which the engine of a connection thinks. It lives from the first job to the end of the connection, or
//! until it is idle and another page wants an engine.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use tokio::sync::mpsc;

use crate::engine::{Engine, THINKING_STACK};
use crate::gui::{Frame, JobControl, PageJob};

/// Most connections that have an engine at a time.
const MOST_ENGINES: usize = 4;
/// Most jobs that wait while the one before them ends.
const MOST_JOBS: usize = 64;
/// The solver gets one part in this many of the memory, and the engine the rest.
const SOLVER_SHARE: u64 = 3;

/// The engines of all connections together.
#[derive(Clone, Debug, Default)]
pub(super) struct Engines {
    pool: Arc<Pool>,
}

/// The slots of all engines.
#[derive(Debug, Default)]
struct Pool {
    /// In the order in which they came. Only the first `MOST_ENGINES` may have an engine; the others wait until one of
    /// these is freed.
    slots: Mutex<Vec<Arc<Slot>>>,
    /// Notified when a slot becomes free.
    slot_freed: Condvar,
}

/// What an engine's thread and its connection share.
#[derive(Debug)]
struct Slot {
    state: Mutex<SlotState>,
}

#[derive(Debug)]
struct SlotState {
    /// The queue of the thread, which ends when this is dropped.
    orders: Option<SyncSender<Order>>,
    /// Jobs that are not done yet.
    jobs: usize,
    /// When the last job was done.
    idle_since: Instant,
}

impl Engines {
    /// A free slot, or the slot of the engine that has been idle for longest; `None` if all engines are thinking.
    fn take_slot(&self, orders: SyncSender<Order>) -> Option<Arc<Slot>> {
        let mut slots = self.pool.slots.lock();
        if slots.len() >= MOST_ENGINES {
            let idle = slots.iter().filter_map(|slot| Some((slot.idle_since()?, slot)));
            let (_, longest) = idle.min_by_key(|&(since, _)| since)?;
            longest.clear();
        }
        let state = SlotState { orders: Some(orders), jobs: 0, idle_since: Instant::now() };
        let slot = Arc::new(Slot { state: Mutex::new(state) });
        slots.push(Arc::clone(&slot));
        Some(slot)
    }

    /// The number of engines.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.pool.slots.lock().len()
    }
}

impl Slot {
    /// Since when its engine has been idle; `None` if it is thinking or about to end anyway.
    fn idle_since(&self) -> Option<Instant> {
        let state = self.state.lock();
        (state.jobs == 0 && state.orders.is_some()).then_some(state.idle_since)
    }

    /// Ends the thread after what it is doing.
    fn clear(&self) {
        self.state.lock().orders = None;
    }

    fn finish_job(&self) {
        let mut state = self.state.lock();
        state.jobs = state.jobs.saturating_sub(1);
        state.idle_since = Instant::now();
    }
}

/// The slot of a running thread. Dropping this frees the slot for another.
struct Permit {
    pool: Arc<Pool>,
    slot: Arc<Slot>,
}

impl Permit {
    /// Waits until enough others have freed their slots.
    fn acquire(pool: Arc<Pool>, slot: Arc<Slot>) -> Permit {
        let mut slots = pool.slots.lock();
        while slots.iter().take(MOST_ENGINES).all(|other| !Arc::ptr_eq(other, &slot)) {
            pool.slot_freed.wait(&mut slots);
        }
        drop(slots);
        Permit { pool, slot }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.pool.slots.lock().retain(|other| !Arc::ptr_eq(other, &self.slot));
        self.pool.slot_freed.notify_all();
    }
}

/// A job, and the control that stops it.
#[derive(Debug)]
struct Order {
    job: Box<PageJob>,
    control: Arc<JobControl>,
}

/// A connection's handle to its engine thread. Dropping it ends the job under way, and the engine with it.
pub(super) struct Worker {
    slot: Arc<Slot>,
    /// The number of the last job, and the control that stops it.
    last: Option<(u64, Arc<JobControl>)>,
}

/// Why a job was not begun.
pub(super) enum NotBegun {
    /// Too many jobs are waiting. Holds the frame that says so.
    Busy(String),
    /// The engine went to another page while it was idle. Holds the job.
    Gone(Box<PageJob>),
}

impl Worker {
    /// Starts a thread with an engine that uses this much memory in bytes and sends what it finds. `None` if all
    /// engines that may exist are thinking.
    pub fn start(engines: &Engines, memory: u64, frames: mpsc::Sender<String>) -> io::Result<Option<Worker>> {
        let (orders, queue) = sync_channel::<Order>(MOST_JOBS);
        let Some(slot) = engines.take_slot(orders) else { return Ok(None) };
        let (pool, own) = (Arc::clone(&engines.pool), Arc::clone(&slot));
        let work = move || {
            // Dropped last, after the engine has given back its memory.
            let permit = Permit::acquire(pool, own);
            let solver_memory = memory / SOLVER_SHARE;
            let new_engine = || Engine::new(1, memory - solver_memory);
            let mut engine = new_engine();
            for Order { job, control } in queue {
                let is_sound = run(&job, &mut engine, solver_memory, &control, &frames);
                permit.slot.finish_job();
                if !is_sound {
                    engine = new_engine();
                }
            }
        };
        let spawned =
            thread::Builder::new().name("board engine".to_owned()).stack_size(THINKING_STACK).spawn(work);
        if let Err(error) = spawned {
            engines.pool.slots.lock().retain(|other| !Arc::ptr_eq(other, &slot));
            return Err(error);
        }
        Ok(Some(Worker { slot, last: None }))
    }

    /// Begins a job, and ends the one before it.
    pub fn begin(&mut self, job: Box<PageJob>) -> Result<(), NotBegun> {
        let mut state = self.slot.state.lock();
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

    /// Whether its engine has been idle for this long.
    pub fn is_idle_for(&self, time: Duration) -> bool {
        self.slot.idle_since().is_some_and(|since| since.elapsed() >= time)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some((_, control)) = &self.last {
            control.stop();
        }
        self.slot.clear();
    }
}

/// Does a job. Progress reports are dropped while the page does not keep up; the answer waits for the page.
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
    use crate::gui::{MessageHandler, MessageHandlerOptions, Reaction};

    fn job(text: &str) -> Box<PageJob> {
        let handler =
            MessageHandler::new(MessageHandlerOptions { threads: 1, is_server: true, can_shut_down: false });
        match handler.handle(text) {
            Reaction::Start(job) => job,
            other => panic!("{other:?}"),
        }
    }

    /// There is room for one frame, and nobody takes it: the search ends all the same, and its answer is kept.
    #[test]
    fn a_search_waits_for_nobody() {
        let engines = Engines::default();
        let (frames, mut waiting) = mpsc::channel(1);
        let room = frames.clone();
        let mut worker = Worker::start(&engines, 64 << 20, frames).unwrap().unwrap();
        let position = r#"{"rule":"standard","width":15,"height":15,"moves":[[7,7],[8,8],[6,8]]}"#;
        let text = format!(r#"{{"id":1,"op":"think","position":{position},"limits":{{"nodes":20000}}}}"#);
        assert!(worker.begin(job(&text)).is_ok());
        while room.capacity() > 0 {
            thread::yield_now();
        }
        drop(room);
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

    /// There are four engines. One is thinking, and the others have finished one after the other. New connections get
    /// the slots of the idle ones in that order, and nobody gets the slot of the one that is thinking.
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
            while worker.slot.idle_since().is_none() {
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
