//! The engine's decisions in openings, as the page asks for them.
//!
//! | opening | steps |
//! |---|---|
//! | `swap` | `propose`, `first` (which side to take after three stones) |
//! | `swap2` | `propose`, `second` (after three stones), `first` (after five) |
//! | `soosorv8` | `propose`, `swap`, `fourth`, `offer`, `pick` |
//! | `taraguchi10` | `stone`, `swap`, `fork` (one fifth move or ten, unless sides were swapped just before), `offer`, `pick` |

use std::time::Instant;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::fit::StyleMessage;
use super::limits::LimitsMessage;
use super::messages::{At, Code, Rejection, at, milliseconds, point};
use super::position::PositionMessage;
use crate::board::{Point, Stones};
use crate::engine::Engine;
use crate::engine::opening::{RifChoice, RifQuestion, Swap2Choice, Swap2Question};
use crate::game::Game;
use crate::rules::Rule;
use crate::rules::opening_rule::OpeningRule;
use crate::search::{Control, Request};

/// `opening`: what the engine decides at a step of an opening.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpeningQuestion {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "op")]
    _op: IgnoredAny,
    position: PositionMessage,
    opening: String,
    step: String,
    /// How many fifth moves were asked for.
    #[serde(default)]
    fifths: Option<usize>,
    /// The fifth moves to choose from.
    #[serde(default)]
    offered: Vec<At>,
    #[serde(default)]
    limits: LimitsMessage,
    /// Only the level counts.
    #[serde(default)]
    style: StyleMessage,
}

/// A question for the engine that was checked against the position.
#[derive(Clone, Debug)]
pub(super) enum OpeningStep {
    Swap2(Swap2Question),
    Rif(OpeningRule, RifQuestion),
}

impl OpeningQuestion {
    /// The position, the request with its limits, and what is to be decided.
    pub fn question(self) -> Result<(Game, Request, OpeningStep), Rejection> {
        let game = self.position.open_game()?;
        let step = self.step(game.rule(), game.stones())?;
        let request = self.style.style()?.opening_request(self.limits.limits(), Instant::now());
        Ok((game, request, step))
    }

    fn step(&self, rule: Rule, stones: &Stones) -> Result<OpeningStep, Rejection> {
        let count = stones.history().len();
        let fifths = self.fifths.unwrap_or_default();
        let swap2 = |question: Swap2Question, wanted| {
            let refused = |message: String| Rejection::new(Code::BadPosition, message);
            if count != wanted {
                let step = &self.step;
                return Err(refused(format!("the step {step:?} is taken with {wanted} stones on the board")));
            }
            question.check(stones).map_err(|error| refused(error.to_string()))?;
            Ok(OpeningStep::Swap2(question))
        };
        let rif = |opening: OpeningRule, question: RifQuestion| {
            let fits = question.check(opening, rule, stones);
            fits.map_err(|error| Rejection::new(Code::BadPosition, error.to_string()))?;
            Ok(OpeningStep::Rif(opening, question))
        };
        let (soosorv, taraguchi) = (OpeningRule::Soosorv8, OpeningRule::Taraguchi10);
        match (self.opening.as_str(), self.step.as_str()) {
            ("swap" | "swap2", "propose") => swap2(Swap2Question::Propose, 0),
            ("swap2", "second") => swap2(Swap2Question::Second, 3),
            ("swap", "first") => swap2(Swap2Question::First, 3),
            ("swap2", "first") => swap2(Swap2Question::First, 5),
            ("soosorv8", "propose") => rif(soosorv, RifQuestion::Propose),
            ("soosorv8", "swap") if count == 4 => rif(soosorv, RifQuestion::SwapAfterFourth { fifths }),
            ("soosorv8", "swap") => rif(soosorv, RifQuestion::Swap),
            ("soosorv8", "fourth") => rif(soosorv, RifQuestion::Fourth),
            ("soosorv8", "offer") => rif(soosorv, RifQuestion::Offer { fifths }),
            ("soosorv8", "pick") => rif(soosorv, RifQuestion::Take { offered: self.offered(stones)? }),
            ("taraguchi10", "stone") => rif(taraguchi, RifQuestion::Stone),
            ("taraguchi10", "swap") => rif(taraguchi, RifQuestion::Swap),
            ("taraguchi10", "fork") => rif(taraguchi, RifQuestion::Fifth),
            ("taraguchi10", "offer") => rif(taraguchi, RifQuestion::Offer { fifths }),
            ("taraguchi10", "pick") => rif(taraguchi, RifQuestion::Take { offered: self.offered(stones)? }),
            (opening, step) => {
                let message = format!("the engine knows no step {step:?} of the opening {opening:?}");
                Err(Rejection::new(Code::NotSupported, message))
            }
        }
    }

    fn offered(&self, stones: &Stones) -> Result<Vec<Point>, Rejection> {
        let inside = |&at: &At| {
            point(at, stones.size()).ok_or_else(|| Rejection::bad_request("an offered move is off the board"))
        };
        self.offered.iter().map(inside).collect()
    }
}

impl OpeningStep {
    /// Lets the engine decide.
    pub fn decide(
        &self,
        engine: &mut Engine,
        rule: Rule,
        stones: &Stones,
        request: &Request,
        control: &Control,
    ) -> Result<Decided, Rejection> {
        let decided = match self {
            OpeningStep::Swap2(question) => {
                engine.decide_swap2(*question, rule, stones, request, control).map(Decided::from)
            }
            OpeningStep::Rif(opening, question) => {
                engine.decide_rif(*opening, question, stones, request, control).map(Decided::from)
            }
        };
        let ms = milliseconds(request.started.elapsed());
        let decided = decided.map(|decided| Decided { ms, ..decided });
        decided.map_err(|error| Rejection::new(Code::BadPosition, error.to_string()))
    }
}

/// A decision; of the others only the fields that it is about are set.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Decided {
    /// Whether the engine takes the other side; in swap and swap2, that it takes Black.
    #[serde(skip_serializing_if = "Option::is_none")]
    swap: Option<bool>,
    /// Stones that it places.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<Vec<At>>,
    /// How many fifth moves it asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    fifths: Option<usize>,
    /// Fifth moves that it offers.
    #[serde(skip_serializing_if = "Option::is_none")]
    offer: Option<Vec<At>>,
    /// How long the engine took.
    ms: u64,
}

fn points(points: Vec<Point>) -> Option<Vec<At>> {
    Some(points.into_iter().map(at).collect())
}

impl From<Swap2Choice> for Decided {
    fn from(choice: Swap2Choice) -> Decided {
        match choice {
            Swap2Choice::Swap => Decided { swap: Some(true), ..Decided::default() },
            Swap2Choice::Place(stones) => Decided { place: points(stones), ..Decided::default() },
        }
    }
}

impl From<RifChoice> for Decided {
    fn from(choice: RifChoice) -> Decided {
        match choice {
            RifChoice::Place(stones) => Decided { place: points(stones), ..Decided::default() },
            RifChoice::Swap(swap) => Decided { swap: Some(swap), ..Decided::default() },
            RifChoice::Fourth { point, fifths } => {
                Decided { place: points(vec![point]), fifths: Some(fifths), ..Decided::default() }
            }
            RifChoice::Offer(stones) => Decided { offer: points(stones), ..Decided::default() },
            RifChoice::Take(point) => Decided { place: points(vec![point]), ..Decided::default() },
        }
    }
}
