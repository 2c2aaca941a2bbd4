//! The queue of commands on their way to an engine.
//!
//! A pipe holds about 64 KB and then makes its writer wait for the reader. An engine that does not read must not block
//! the match, because its clocks and its end would be blocked as well. So a separate thread does the writing.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Instant;

use parking_lot::{Condvar, Mutex};

/// How many texts may wait. A player sends two or three before it waits for an answer, and it accepts no answer to a
/// question before all of them are written.
const WAITING_TEXTS: usize = 16;

/// The writing end of an engine's input. Its thread ends when this value is dropped and everything is written, or when
/// the engine is gone; nothing waits for the thread.
pub(super) struct Outbox {
    /// `None` once it is closed.
    queue: Option<SyncSender<String>>,
    sent: u64,
    written: Arc<Written>,
}

#[derive(Default)]
struct Written {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    texts: u64,
    /// The engine has closed its input: nothing more will be written.
    ended: bool,
}

impl Outbox {
    /// Starts a thread with this name, which writes into the pipe.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub(super) fn new(pipe: impl Write + Send + 'static, name: String) -> io::Result<Outbox> {
        let (queue, texts) = sync_channel(WAITING_TEXTS);
        let written = Arc::<Written>::default();
        let news = Arc::clone(&written);
        thread::Builder::new().name(name).spawn(move || write_texts(pipe, texts, &news))?;
        Ok(Outbox { queue: Some(queue), sent: 0, written })
    }

    /// Queues a text to be written in one go. Never blocks.
    ///
    /// # Errors
    /// [`io::ErrorKind::BrokenPipe`] if the engine is gone, [`io::ErrorKind::WouldBlock`] if the queue is full.
    pub(super) fn send(&mut self, text: String) -> io::Result<()> {
        let queue = self.queue.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        match queue.try_send(text) {
            Ok(()) => {
                self.sent += 1;
                Ok(())
            }
            Err(TrySendError::Full(_)) => Err(io::ErrorKind::WouldBlock.into()),
            Err(TrySendError::Disconnected(_)) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Waits until everything that was sent is in the pipe, or can never be; false if `until` comes first.
    pub(super) fn is_written(&self, until: Instant) -> bool {
        let is_open = |state: &mut State| state.texts < self.sent && !state.ended;
        !self.written.changed.wait_while_until(&mut self.written.state.lock(), is_open, until).timed_out()
    }

    /// Closes the engine's input once everything is written.
    pub(super) fn close(&mut self) {
        self.queue = None;
    }
}

fn write_texts(mut pipe: impl Write, texts: Receiver<String>, written: &Written) {
    for text in &texts {
        if pipe.write_all(text.as_bytes()).is_err() {
            break;
        }
        written.state.lock().texts += 1;
        written.changed.notify_all();
    }
    // The queue is dropped first, so that a caller that sees the end can send no more.
    drop(texts);
    written.state.lock().ended = true;
    written.changed.notify_all();
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use super::*;

    /// Accepts one write per permission.
    struct Slow {
        permissions: Receiver<()>,
        taken: Sender<Vec<u8>>,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.permissions.recv().map_err(|_| io::ErrorKind::BrokenPipe)?;
            self.taken.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn who_sends_does_not_wait_for_who_reads() {
        let (permit, permissions) = channel();
        let (taken, texts) = channel();
        let mut outbox = Outbox::new(Slow { permissions, taken }, "test".to_owned()).unwrap();
        let now = Instant::now;
        assert!(outbox.is_written(now()));
        // The writer may hold one text, and the others wait in a queue of limited length.
        let mut refused = None;
        let sent =
            (0..100).take_while(|n| outbox.send(n.to_string()).map_err(|e| refused = Some(e.kind())).is_ok());
        let sent = sent.count();
        assert!((WAITING_TEXTS..=WAITING_TEXTS + 1).contains(&sent), "{sent}");
        assert_eq!(refused, Some(io::ErrorKind::WouldBlock));
        assert!(!outbox.is_written(now()));
        (0..sent).for_each(|_| permit.send(()).unwrap());
        let far = now() + std::time::Duration::from_secs(60);
        assert!(outbox.is_written(far));
        assert_eq!(texts.iter().take(sent).count(), sent);
        // The reader is gone: the remaining text can never be written, so there is nothing to wait for.
        drop(permit);
        outbox.send("x".to_owned()).unwrap();
        assert!(outbox.is_written(far));
        assert_eq!(outbox.send("y".to_owned()).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        outbox.close();
        assert!(outbox.send("z".to_owned()).is_err());
    }
}
