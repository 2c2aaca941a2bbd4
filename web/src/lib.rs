//! The engine of Kagetsu for a worker of a web page: the messages that `kagetsu board` takes over a socket go in as
//! text, and the frames come out by way of a function that the page brings.
//!
//! A message is answered before the call returns. Whoever wants a job to end earlier ends the worker.

use std::cell::RefCell;

use kagetsu::Engine;
use kagetsu::gui::{Frame, JobControl, MessageHandler, MessageHandlerOptions, Reaction};

/// Memory of an engine in bytes: a page shares its machine with others.
const MEMORY: u64 = 96 << 20;

/// Memory of the solver in bytes.
const SOLVER_MEMORY: usize = 64 << 20;

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// The page takes a frame: UTF-8 in the memory of this module, valid during the call.
    fn emit(text: *const u8, length: usize);
}

/// What lives from message to message.
struct Worker {
    handler: MessageHandler,
    engine: Engine,
    /// Where the page writes the next message.
    message: Vec<u8>,
}

thread_local! {
    static WORKER: RefCell<Worker> = RefCell::new(Worker {
        handler: MessageHandler::new(MessageHandlerOptions { threads: 1, is_server: false, can_shut_down: false }),
        engine: Engine::new(1, MEMORY),
        message: Vec::new(),
    });
}

/// Room for a message of this length in bytes, which the page fills before it calls [`take`].
#[unsafe(no_mangle)]
pub extern "C" fn message_buffer(length: usize) -> *mut u8 {
    WORKER.with_borrow_mut(|worker| {
        worker.message.clear();
        worker.message.resize(length, 0);
        worker.message.as_mut_ptr()
    })
}

/// Answers the message in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn take() {
    WORKER.with_borrow_mut(|worker| {
        let message = std::mem::take(&mut worker.message);
        let text = String::from_utf8_lossy(&message);
        match worker.handler.handle(&text) {
            Reaction::Answer(frame) | Reaction::Stop { answer: frame, .. } | Reaction::ShutDown(frame) => {
                send(&frame);
            }
            Reaction::Start(job) => {
                let tell = &mut |frame: Frame| match frame {
                    Frame::Event(text) | Frame::Done(text) => send(&text),
                };
                job.run(&mut worker.engine, SOLVER_MEMORY, &JobControl::new(), tell);
            }
        }
    });
}

fn send(frame: &str) {
    // The page reads the text before the call returns, and the text lives longer than that.
    unsafe { emit(frame.as_ptr(), frame.len()) }
}
