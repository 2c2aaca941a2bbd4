//! The page of the board over HTTP, and its messages over a WebSocket.
//!
//! | module | question |
//! |---|---|
//! | [`serve`] | where does it listen, and who gets which answer? |
//! | [`accept`] | how many requests at a time, and how long may one take? |
//! | [`guard`] | may this request be answered at all? |
//! | [`assets`] | which files are the page? |
//! | [`connection`] | what passes between one page and its engine? |
//! | [`worker`] | on which thread does an engine think, and whose is it? |
//! | [`timeouts`] | how long does the server wait for those who do not answer? |
//!
//! HTTP runs on one thread; messages are parsed and answered on a few blocking threads. Each connection that asks for a
//! search gets one more for its engine.

mod accept;
mod assets;
mod connection;
mod guard;
mod serve;
mod timeouts;
mod worker;

pub(crate) use serve::{Server, ServerOptions, USUAL_PORT};
pub(crate) use timeouts::Timeouts;
