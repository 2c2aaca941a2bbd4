//! A player that is an [`Engine`] in this process.

use std::time::Instant;

use super::player::{Fault, NoMove, OpeningReply, Player, Thinking};
use super::spec::{DEFAULT_INTERNAL_MEMORY, EngineSpec};
use super::stop::Stop;
use crate::board::{Coordinates, Point, Size, Stones};
use crate::engine::opening::{Swap2Choice, Swap2Question};
use crate::engine::{Engine, Question};
use crate::experience::{Learner, StoreError};
use crate::levels::{Style, choose};
use crate::rules::Rule;
use crate::search::{Limits, Request, TimeControl};

/// The built-in engine under the limits of its specification.
pub struct Internal {
    spec: EngineSpec,
    engine: Engine,
    learner: Option<Learner>,
    rule: Rule,
    /// How it plays in this game.
    style: Style,
}

impl Internal {
    /// A player for an engine without a command.
    #[must_use]
    pub fn new(spec: EngineSpec) -> Internal {
        let engine = Engine::new(spec.threads, spec.memory.unwrap_or(DEFAULT_INTERNAL_MEMORY));
        let style = spec.style();
        Internal { spec, engine, learner: None, rule: Rule::default(), style }
    }

    fn limits(&self, time: TimeControl) -> Limits {
        Limits { time, nodes: self.spec.nodes, depth: self.spec.depth }
    }
}

impl Player for Internal {
    fn start(&mut self, rule: Rule, _size: Size, seed: u64, _stop: &Stop) -> Result<(), NoMove> {
        self.rule = rule;
        self.style = self.spec.style().in_game(seed);
        if let (Some(path), None) = (&self.spec.experience_file, &self.learner) {
            match Learner::open(path) {
                Ok(learner) => self.learner = Some(learner),
                // It is tried again in the next game; a lost game would say nothing about this engine.
                Err(error @ StoreError::Busy(_)) => {
                    log::warn!("this game is played without lessons: {error}")
                }
                Err(error) => return Err(Fault::Launch { error: error.to_string() }.into()),
            }
        }
        // A game must not depend on the games before it, so that a resumed match equals an uninterrupted one. An
        // experience file is the exception: carrying over what was learned is its purpose.
        self.engine.new_game();
        Ok(())
    }

    fn choose(
        &mut self,
        stones: &Stones,
        time: TimeControl,
        stop: &Stop,
    ) -> Result<(Coordinates, Thinking), NoMove> {
        let request = Request::best(self.limits(time));
        let style = self.style;
        let answer = stop.during(|control| {
            let engine = &mut self.engine;
            let question = Question::new(self.rule, stones, &request, control);
            match &self.learner {
                Some(learner) => learner.choose(engine, &style, &question),
                None => choose(engine, &style, &question),
            }
        });
        if stop.is_asked() {
            return Err(NoMove::Stopped);
        }
        let best = answer.lines.first();
        let thinking = Thinking {
            elapsed: request.started.elapsed(),
            score: best.map(|line| line.score),
            depth: best.map(|line| line.depth),
            nodes: Some(answer.nodes),
            messages: Vec::new(),
        };
        Ok((coordinates(answer.moves[0]), thinking))
    }

    fn open(
        &mut self,
        stones: &Stones,
        time: TimeControl,
        stop: &Stop,
    ) -> Result<(OpeningReply, Thinking), NoMove> {
        let started = Instant::now();
        let request = self.style.opening_request(self.limits(time), started);
        // The check refuses it where no question fits.
        let question = Swap2Question::with_stones(stones.history().len()).unwrap_or(Swap2Question::Propose);
        let choice =
            stop.during(|control| self.engine.decide_swap2(question, self.rule, stones, &request, control));
        if stop.is_asked() {
            return Err(NoMove::Stopped);
        }
        let reply = match choice.map_err(|error| Fault::Nonsense { line: error.to_string() })? {
            Swap2Choice::Swap => OpeningReply::Swap,
            Swap2Choice::Place(points) => OpeningReply::Place(points.into_iter().map(coordinates).collect()),
        };
        Ok((reply, Thinking { elapsed: started.elapsed(), ..Thinking::default() }))
    }

    fn discard(&mut self) {
        self.engine.new_game();
    }

    fn quit(&mut self) -> bool {
        true
    }
}

fn coordinates(point: Point) -> Coordinates {
    (point.x() as i64, point.y() as i64)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use super::*;
    use crate::search::Answer;

    #[test]
    fn a_level_decides_about_an_opening_at_its_level() {
        let mut player = Internal::new(EngineSpec::parse("level=strong-2", &[]).unwrap());
        let seen = Arc::new(AtomicU64::new(0));
        let noted = Arc::clone(&seen);
        player.engine = Engine::scripted(Box::new(move |_, question| {
            noted.store(question.request.limits.nodes.unwrap_or(u64::MAX), Ordering::Relaxed);
            Answer { moves: Vec::new(), lines: Vec::new(), nodes: 0, elapsed: Duration::ZERO }
        }));
        let stop = Stop::default();
        player.start(Rule::Standard, Size::square(15), 1, &stop).unwrap();
        player.open(&Stones::new(Size::square(15)), TimeControl::default(), &stop).unwrap();
        assert_eq!(seen.load(Ordering::Relaxed), 2900);
    }
}
