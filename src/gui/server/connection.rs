//! One page: its messages come in, answers and news go out, and its engine goes when it does.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use super::patience::Patience;
use super::worker::{Engines, NotBegun, Worker};
use crate::gui::{Desk, PageJob, Reaction};

/// Frames that wait for the page.
const MOST_FRAMES: usize = 64;
/// Bytes of a message.
pub(super) const MOST_BYTES: usize = 16 << 20;
/// Pings in a row that a page may leave unanswered.
const MOST_SILENCE: u32 = 2;
/// Pages that are served at a time: each may send a message of many bytes.
const MOST_PAGES: usize = 32;

/// What all connections share.
#[derive(Clone)]
pub(super) struct Shared {
    /// Places for engines.
    pub engines: Engines,
    /// Bytes for the engine of one connection.
    pub memory: u64,
    /// Told when the server is to end.
    pub end: Arc<Notify>,
    /// Places for pages.
    pub pages: Arc<Semaphore>,
    pub patience: Patience,
}

impl Shared {
    /// Engines with so many bytes each, for pages that are waited for as long as this.
    pub fn new(memory: u64, patience: Patience) -> Shared {
        Shared {
            engines: Engines::default(),
            memory,
            end: Arc::new(Notify::new()),
            pages: Arc::new(Semaphore::new(MOST_PAGES)),
            patience,
        }
    }
}

/// Serves a page until it leaves.
pub(super) async fn serve(mut socket: WebSocket, desk: Desk, shared: Shared) {
    let (frames, mut waiting) = mpsc::channel::<String>(MOST_FRAMES);
    let patience = shared.patience;
    let mut connection = Connection { desk, shared, frames, worker: None };
    // A phone that has left the network does not say so.
    let mut pulse = interval_at(Instant::now() + patience.between_pings, patience.between_pings);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut silence = 0;
    // A message that is being answered on another thread; meanwhile no other is read, but news go on.
    let mut question: Option<JoinHandle<Reaction>> = None;
    loop {
        tokio::select! {
            message = socket.recv(), if question.is_none() => {
                silence = 0;
                match message {
                    Some(Ok(Message::Text(text))) => question = Some(connection.ask(text.to_string())),
                    Some(Ok(Message::Binary(_))) => {
                        if !send(&mut socket, connection.desk.refuse_binary(), patience).await {
                            return;
                        }
                    }
                    // The socket answers pings by itself.
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Close(_))) | None => return,
                    Some(Err(_)) => {
                        // Most likely too long a message; a page that is gone does not hear it.
                        let reason = format!("messages have at most {} MB", MOST_BYTES >> 20);
                        let frame = CloseFrame { code: close_code::SIZE, reason: reason.into() };
                        let _ = timeout(patience.with_answers, socket.send(Message::Close(Some(frame)))).await;
                        return;
                    }
                }
            }
            _ = pulse.tick() => {
                connection.rest();
                // Nothing is read while a message is answered, so nothing can be missed.
                if question.is_none() {
                    if silence == MOST_SILENCE {
                        return;
                    }
                    silence += 1;
                    let ping = socket.send(Message::Ping(Bytes::new()));
                    if !matches!(timeout(patience.with_answers, ping).await, Ok(Ok(()))) {
                        return;
                    }
                }
            }
            Some(frame) = waiting.recv() => {
                if !send(&mut socket, frame, patience).await {
                    return;
                }
            }
            reaction = finished(&mut question) => {
                question = None;
                let Some(reaction) = reaction else { continue };
                let is_end = matches!(reaction, Reaction::ShutDown(_));
                if let Some(frame) = connection.act(reaction)
                    && !send(&mut socket, frame, patience).await
                {
                    return;
                }
                if is_end {
                    let _ = timeout(patience.with_answers, socket.send(Message::Close(None))).await;
                    connection.shared.end.notify_one();
                    return;
                }
            }
        }
    }
}

/// Sends a frame; false if the page is gone or does not take it.
async fn send(socket: &mut WebSocket, frame: String, patience: Patience) -> bool {
    matches!(timeout(patience.with_answers, socket.send(Message::Text(frame.into()))).await, Ok(Ok(())))
}

/// Waits for the answer to a question; for ever if there is none. `None` if it broke off, which the desk prevents.
async fn finished(question: &mut Option<JoinHandle<Reaction>>) -> Option<Reaction> {
    match question {
        Some(question) => question.await.ok(),
        None => std::future::pending().await,
    }
}

struct Connection {
    desk: Desk,
    shared: Shared,
    /// To the page.
    frames: mpsc::Sender<String>,
    /// From the first job on.
    worker: Option<Worker>,
}

impl Connection {
    /// Looks at a message on another thread: reading a large file would hold up all pages.
    fn ask(&self, text: String) -> JoinHandle<Reaction> {
        let desk = self.desk.clone();
        tokio::task::spawn_blocking(move || desk.take(&text))
    }

    /// Does what a message asks for; the frame to be sent at once, if there is one.
    fn act(&mut self, reaction: Reaction) -> Option<String> {
        match reaction {
            Reaction::Answer(frame) | Reaction::ShutDown(frame) => Some(frame),
            Reaction::Start(job) => self.begin(job).err(),
            Reaction::Stop { target, answer } => {
                if let Some(worker) = &self.worker {
                    worker.stop(target);
                }
                Some(answer)
            }
        }
    }

    fn begin(&mut self, job: Box<PageJob>) -> Result<(), String> {
        let job = match &mut self.worker {
            None => job,
            Some(worker) => match worker.begin(job) {
                Ok(()) => return Ok(()),
                Err(NotBegun::Busy(frame)) => return Err(frame),
                Err(NotBegun::Gone(job)) => job,
            },
        };
        let started = Worker::start(&self.shared.engines, self.shared.memory, self.frames.clone());
        let worker = match started {
            Ok(Some(worker)) => self.worker.insert(worker),
            Ok(None) => return Err(job.busy("other pages use all engines that there may be")),
            Err(error) => return Err(job.busy(&format!("there is no thread for it: {error}"))),
        };
        worker.begin(job).map_err(|not_begun| match not_begun {
            NotBegun::Busy(frame) => frame,
            NotBegun::Gone(job) => job.busy("the engine is gone"),
        })
    }

    /// Gives an engine back that has had nothing to do for long.
    fn rest(&mut self) {
        self.worker.take_if(|worker| worker.is_idle_for(self.shared.patience.with_engines));
    }
}
