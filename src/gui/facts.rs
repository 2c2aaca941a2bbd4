//! What the rule and the shapes say about a position, at once and without search.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::messages::{At, Rejection, at};
use super::position::{PositionMessage, foul_name};
use crate::board::{Color, Stones};
use crate::game::Game;
use crate::position::Position;
use crate::rules::judge::Verdict;
use crate::rules::renju_openings::RenjuOpening;
use crate::rules::{RuleSet, with_rule};
use crate::shapes::Threat;

/// The question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FactsQuestion {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(rename = "op")]
    _op: IgnoredAny,
    position: PositionMessage,
}

/// The answer.
#[derive(Debug, Serialize)]
pub(super) struct Facts {
    to_move: Color,
    verdict: VerdictMessage,
    /// Points that the side to move must not play, and why.
    forbidden: Vec<(i64, i64, &'static str)>,
    /// The threat that a stone of each colour would make at a point; empty once the game is over.
    threats: Threats,
    /// The Renju opening with which the game began.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<OpeningMessage>,
    hash: String,
}

#[derive(Debug, Serialize)]
struct OpeningMessage {
    code: &'static str,
    name: &'static str,
    kanji: &'static str,
}

#[derive(Debug, Serialize)]
struct VerdictMessage {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<Color>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Vec<At>>,
}

#[derive(Debug, Default, Serialize)]
struct Threats {
    black: Vec<(i64, i64, &'static str)>,
    white: Vec<(i64, i64, &'static str)>,
}

impl FactsQuestion {
    /// Looks at the position.
    pub fn answer(&self) -> Result<Facts, Rejection> {
        let game = self.position.game()?;
        let forbidden = game.forbidden_points().into_iter().map(|(point, foul)| {
            let (x, y) = at(point);
            (x, y, foul_name(foul))
        });
        let threats = match game.verdict() {
            Verdict::Ongoing => with_rule!(game.rule(), R => threats::<R>(game.stones())),
            _ => Threats::default(),
        };
        Ok(Facts {
            to_move: game.to_move(),
            verdict: verdict(&game),
            forbidden: forbidden.collect(),
            threats,
            opening: opening(&game, self.position.set_up()),
            hash: format!("{:016x}", game.stones().hash()),
        })
    }
}

fn opening(game: &Game, set_up: usize) -> Option<OpeningMessage> {
    let &RenjuOpening { code, name, kanji, .. } = RenjuOpening::of_game(game.rule(), game.stones(), set_up)?;
    Some(OpeningMessage { code, name, kanji })
}

fn verdict(game: &Game) -> VerdictMessage {
    let verdict = game.verdict();
    let kind = match verdict {
        Verdict::Ongoing => "ongoing",
        Verdict::Win(_) => "win",
        Verdict::Foul(_) => "foul",
        Verdict::Draw => "draw",
    };
    let line: Vec<At> = game.winning_line().into_iter().map(at).collect();
    VerdictMessage { kind, winner: verdict.winner(), line: (!line.is_empty()).then_some(line) }
}

fn threats<R: RuleSet>(stones: &Stones) -> Threats {
    let position = Position::<R>::from_stones(stones, &mut ());
    let of = |color: Color| {
        let named = |point| {
            let (x, y) = at(point);
            Some((x, y, name(position.map().threat(point, color))?))
        };
        stones.size().points().filter(|&point| stones.is_empty_at(point)).filter_map(named).collect()
    };
    Threats { black: of(Color::Black), white: of(Color::White) }
}

/// The name under which the page shows a threat. Weaker threats are not shown.
fn name(threat: Threat) -> Option<&'static str> {
    match threat {
        Threat::Five => Some("five"),
        Threat::OpenFour => Some("open-four"),
        Threat::FourThree => Some("four-three"),
        Threat::Four | Threat::FourPlus => Some("four"),
        Threat::DoubleThree => Some("double-three"),
        Threat::OpenThree | Threat::OpenThreePlus => Some("open-three"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_was_played_is_named_as_an_opening() {
        let named = |moves: serde_json::Value, setup: serde_json::Value| {
            let position =
                json!({"rule": "renju", "width": 15, "height": 15, "moves": moves, "setup": setup});
            let question = json!({"id": 1, "op": "position", "position": position});
            let question: FactsQuestion = serde_json::from_value(question).unwrap();
            question.answer().unwrap().opening.is_some()
        };
        let kagetsu = json!([[7, 7], [6, 7], [6, 8]]);
        assert!(named(kagetsu.clone(), json!(null)));
        // The file says that Black is to move, which he is anyway.
        assert!(named(kagetsu.clone(), json!({"to_move": "black"})));
        assert!(!named(kagetsu, json!({"to_move": "white"})));
        assert!(!named(json!([]), json!({"black": [[7, 7], [6, 8]], "white": [[6, 7]]})));
        assert!(!named(json!([]), json!({"black": [[7, 7], [6, 7], [6, 8]]})));
        assert!(!named(json!([[6, 7], [6, 8]]), json!({"black": [[7, 7]]})));
    }
}
