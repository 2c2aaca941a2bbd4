//! Dispatches the messages of a page: quick questions are answered here, and the others become jobs.

use std::sync::Arc;

use serde::Serialize;
use serde::de::IgnoredAny;

use super::facts::FactsQuestion;
use super::files::{ReadQuestion, WriteQuestion};
use super::fit::{FitQuestion, LevelMessage, level_messages};
use super::heat::HeatQuestion;
use super::library::{Library, LibraryQuestion};
use super::messages::{Bare, Code, Envelope, Rejection, done, done_alone, read};
use super::openings::OpeningQuestion;
use super::page_jobs::{AnalyseQuestion, BalanceQuestion, PageJob, ThinkQuestion};
use super::proofs::SolveMessage;
use super::small_game::SmallQuestion;
use crate::board::{MAX_SIDE, MIN_SIDE};
use crate::engine::guarded;
use crate::experience::Learner;
use crate::library::LibraryAccess;
use crate::rules::Rule;

/// What a message handler can offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageHandlerOptions {
    /// The most search threads that a job gets, at least 1.
    pub threads: usize,
    /// Whether a server answers rather than a worker of the page itself.
    pub is_server: bool,
    /// Whether the page may end the server.
    pub can_shut_down: bool,
}

/// How to react to a message.
#[derive(Debug)]
pub enum Reaction {
    /// Send this; there is nothing else to do.
    Answer(String),
    /// Run this job, and end the one before it.
    Start(Box<PageJob>),
    /// End the job with this number if it is under way, and send this.
    Stop {
        /// The job's number.
        target: u64,
        /// The answer to the message itself.
        answer: String,
    },
    /// Send this, then shut down.
    ShutDown(String),
}

/// Handles messages one by one and keeps no state between them, but for what its learner remembers of lost games.
#[derive(Clone, Debug)]
pub struct MessageHandler {
    options: MessageHandlerOptions,
    library: Library,
    learner: Option<Arc<Learner>>,
}

impl MessageHandler {
    /// A handler with these options.
    #[must_use]
    pub fn new(options: MessageHandlerOptions) -> MessageHandler {
        MessageHandler {
            options: MessageHandlerOptions { threads: options.threads.max(1), ..options },
            library: None,
            learner: None,
        }
    }

    /// The same handler, answering from this library as well.
    #[must_use]
    pub fn with_library(self, library: Arc<dyn LibraryAccess>) -> MessageHandler {
        MessageHandler { library: Some(library), ..self }
    }

    /// The same handler, whose engine learns from the games that it loses. Several handlers may share a learner.
    #[must_use]
    pub fn with_learner(self, learner: Arc<Learner>) -> MessageHandler {
        MessageHandler { learner: Some(learner), ..self }
    }

    /// Reads a message and answers it, or says what the caller has to do. Accepts any text. A panic is turned into an
    /// answer as well.
    #[must_use]
    pub fn handle(&self, text: &str) -> Reaction {
        let envelope = match Envelope::read(text) {
            Ok(envelope) => envelope,
            Err(rejection) => return Reaction::Answer(rejection.frame(None)),
        };
        let id = envelope.id;
        // Questions are guarded against panics here and nowhere else; jobs guard themselves.
        let reaction = guarded(|| self.react(&envelope, text));
        let reaction = reaction.unwrap_or_else(|cause| {
            log::error!("{} panicked: {cause}", envelope.op);
            Err(Rejection::new(Code::Internal, "this went wrong, which is a mistake in Kagetsu"))
        });
        reaction.unwrap_or_else(|rejection| Reaction::Answer(rejection.frame(Some(id))))
    }

    /// The answer to a message that is not text.
    #[must_use]
    pub fn refuse_binary(&self) -> String {
        Rejection::bad_request("messages are text").frame(None)
    }

    fn react(&self, envelope: &Envelope, text: &str) -> Result<Reaction, Rejection> {
        let id = envelope.id;
        let threads = self.options.threads;
        let start = |job| Reaction::Start(Box::new(job));
        match envelope.op.as_str() {
            "hello" => read::<Bare>(text).map(|_| Reaction::Answer(done(id, &self.greeting()))),
            "position" => read::<FactsQuestion>(text)?.answer().map(|facts| answer(id, &facts)),
            "heat" => read::<HeatQuestion>(text)?.answer().map(|heat| answer(id, &heat)),
            "read" => read::<ReadQuestion>(text)?.answer().map(|games| answer(id, &games)),
            "write" => read::<WriteQuestion>(text)?.answer().map(|text| answer(id, &text)),
            "fit" => read::<FitQuestion>(text)?.answer().map(|fit| answer(id, &fit)),
            "small" => read::<SmallQuestion>(text)?.answer().map(|small| answer(id, &small)),
            "library" => read::<LibraryQuestion>(text)?.answer(&self.library).map(|found| answer(id, &found)),
            "think" => {
                let question = read::<ThinkQuestion>(text)?;
                match question.book_answer(&self.library, self.learner.as_ref())? {
                    Some(found) => Ok(answer(id, &found)),
                    None => question.job(id, threads, self.learner.as_ref()).map(start),
                }
            }
            "analyse" => read::<AnalyseQuestion>(text)?.job(id, threads).map(start),
            "solve" => read::<SolveMessage>(text)?.job(id).map(start),
            "balance" => read::<BalanceQuestion>(text)?.job(id).map(start),
            "opening" => read::<OpeningQuestion>(text)?.job(id).map(start),
            "stop" => {
                let StopMessage { target, .. } = read(text)?;
                Ok(Reaction::Stop { target, answer: done_alone(id) })
            }
            "shut-down" => {
                read::<Bare>(text)?;
                if self.options.can_shut_down {
                    Ok(Reaction::ShutDown(done_alone(id)))
                } else {
                    Err(Rejection::new(Code::Refused, "only a page on the same machine may end the server"))
                }
            }
            other => Err(Rejection::new(Code::UnknownOp, format!("there is no operation {other:?}"))),
        }
    }

    fn greeting(&self) -> Greeting {
        Greeting {
            name: "Kagetsu",
            version: env!("CARGO_PKG_VERSION"),
            rules: Rule::ALL.map(Rule::name),
            min_side: MIN_SIDE,
            max_side: MAX_SIDE,
            levels: level_messages(),
            threads: self.options.threads,
            server: self.options.is_server,
            library: self.library.is_some(),
            experience: self.learner.is_some(),
            can_shut_down: self.options.can_shut_down,
        }
    }
}

fn answer(id: u64, body: &impl Serialize) -> Reaction {
    Reaction::Answer(done(id, body))
}

#[derive(Debug, Serialize)]
struct Greeting {
    name: &'static str,
    version: &'static str,
    rules: [&'static str; Rule::ALL.len()],
    min_side: usize,
    max_side: usize,
    levels: Vec<LevelMessage>,
    threads: usize,
    server: bool,
    library: bool,
    experience: bool,
    can_shut_down: bool,
}

/// `stop`: ends a job early.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct StopMessage {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "op")]
    _op: IgnoredAny,
    target: u64,
}

#[cfg(test)]
#[path = "message_handler_tests.rs"]
mod tests;
