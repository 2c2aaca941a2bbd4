//! The connection of one page. Its messages come in, answers and progress reports go out, and its engine ends with it.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

use super::timeouts::Timeouts;
use super::worker::{Engines, NotBegun, Worker};
use crate::gui::{MessageHandler, PageJob, Reaction};

/// Most frames that wait for the page.
const MOST_FRAMES: usize = 64;
/// Most bytes of a message.
pub(super) const MOST_BYTES: usize = 16 << 20;
/// Pings in a row that a page may leave unanswered.
const MOST_SILENCE: u32 = 2;
/// What a page hears while it waits for long: it takes a connection for dead that says nothing for twenty seconds.
const WORKING: &str = r#"{"id":null,"event":"working"}"#;
/// Most pages served at a time: each may send a large message.
const MOST_PAGES: usize = 32;

/// What all connections share.
#[derive(Clone)]
pub(super) struct Shared {
    /// The engines of all connections.
    pub engines: Engines,
    /// Memory of the engine of one connection, in bytes.
    pub memory: u64,
    /// Notified when the server is to end.
    pub end: Arc<Notify>,
    /// A permit for each page that may be served.
    pub pages: Arc<Semaphore>,
    pub timeouts: Timeouts,
}

impl Shared {
    /// The shared state for engines with this many bytes each, and for pages that are given this long to respond.
    pub fn new(memory: u64, timeouts: Timeouts) -> Shared {
        Shared {
            engines: Engines::default(),
            memory,
            end: Arc::new(Notify::new()),
            pages: Arc::new(Semaphore::new(MOST_PAGES)),
            timeouts,
        }
    }
}

/// Serves a page until it leaves.
pub(super) async fn serve(mut socket: WebSocket, handler: MessageHandler, shared: Shared) {
    let (frames, mut waiting) = mpsc::channel::<String>(MOST_FRAMES);
    let timeouts = shared.timeouts;
    let mut connection = Connection { handler, shared, frames, worker: None };
    // A phone that has left the network does not say so.
    let mut pulse = interval_at(Instant::now() + timeouts.between_pings, timeouts.between_pings);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut silence = 0;
    // The message that is being answered on another thread. Meanwhile no other message is read, but progress reports go
    // on.
    let mut question: Option<JoinHandle<Reaction>> = None;
    loop {
        tokio::select! {
            message = socket.recv(), if question.is_none() => {
                silence = 0;
                match message {
                    Some(Ok(Message::Text(text))) => question = Some(connection.ask(text.to_string())),
                    Some(Ok(Message::Binary(_))) => {
                        if !send(&mut socket, connection.handler.refuse_binary(), timeouts).await {
                            return;
                        }
                    }
                    // The socket answers pings by itself.
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                    Some(Ok(Message::Close(_))) | None => return,
                    Some(Err(_)) => {
                        // Most likely the message is too long. If instead the page is gone, it does not hear this.
                        let reason = format!("messages have at most {} MB", MOST_BYTES >> 20);
                        let frame = CloseFrame { code: close_code::SIZE, reason: reason.into() };
                        let _ = timeout(timeouts.with_answers, socket.send(Message::Close(Some(frame)))).await;
                        return;
                    }
                }
            }
            _ = pulse.tick() => {
                connection.rest();
                // Nothing is read while a message is being answered, so silence then means nothing; and scripts see no
                // pings, so the page is told in words that somebody is there.
                if question.is_some() {
                    if !send(&mut socket, WORKING.to_owned(), timeouts).await {
                        return;
                    }
                    continue;
                }
                if silence == MOST_SILENCE {
                    return;
                }
                silence += 1;
                let ping = socket.send(Message::Ping(Bytes::new()));
                if !matches!(timeout(timeouts.with_answers, ping).await, Ok(Ok(()))) {
                    return;
                }
            }
            Some(frame) = waiting.recv() => {
                if !send(&mut socket, frame, timeouts).await {
                    return;
                }
            }
            reaction = finished(&mut question) => {
                question = None;
                let Some(reaction) = reaction else { continue };
                let is_end = matches!(reaction, Reaction::ShutDown(_));
                if let Some(frame) = connection.act(reaction)
                    && !send(&mut socket, frame, timeouts).await
                {
                    return;
                }
                if is_end {
                    let _ = timeout(timeouts.with_answers, socket.send(Message::Close(None))).await;
                    connection.shared.end.notify_one();
                    return;
                }
            }
        }
    }
}

/// Sends a frame; false if the page is gone or does not take it.
async fn send(socket: &mut WebSocket, frame: String, timeouts: Timeouts) -> bool {
    matches!(timeout(timeouts.with_answers, socket.send(Message::Text(frame.into()))).await, Ok(Ok(())))
}

/// Waits for the answer to the question, or for ever if there is no question. `None` if its thread panicked, which the
/// message handler prevents.
async fn finished(question: &mut Option<JoinHandle<Reaction>>) -> Option<Reaction> {
    match question {
        Some(question) => question.await.ok(),
        None => std::future::pending().await,
    }
}

struct Connection {
    handler: MessageHandler,
    shared: Shared,
    /// Frames to the page.
    frames: mpsc::Sender<String>,
    /// The thread of the engine, started by the first job.
    worker: Option<Worker>,
}

impl Connection {
    /// Answers a message on another thread, because reading a large file would hold up all pages.
    fn ask(&self, text: String) -> JoinHandle<Reaction> {
        let handler = self.handler.clone();
        tokio::task::spawn_blocking(move || handler.handle(&text))
    }

    /// Does what a message asks for and returns the frame to be sent at once, if there is one.
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

    /// Releases the engine if it has been idle for long.
    fn rest(&mut self) {
        self.worker.take_if(|worker| worker.is_idle_for(self.shared.timeouts.with_engines));
    }
}
