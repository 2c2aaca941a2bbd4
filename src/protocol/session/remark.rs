//! What the rules say of a move that the opponent was not allowed to make. Whether it counts is for the manager to
//! decide, so the move stands and is answered; but whoever drives the engine by hand wants to know.

use super::state::Session;
use crate::board::{Color, Point};
use crate::rules::judge::{self, Foul};
use crate::rules::with_rule;

/// Why the game should not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remark {
    /// The opponent's last stone is forbidden.
    Forbidden(Point, Foul),
    /// This colour has won.
    Over(Color),
}

impl Session {
    /// What is to be said of the position after a move of the opponent. That the game is over is said once.
    pub fn remark_on_move(&mut self) -> Option<Remark> {
        let remark = self.remark_on_position();
        if remark.is_some() {
            return remark;
        }
        let rule = self.rule();
        let stones = self.stones().ok()?;
        let (point, color) = stones.recent(0)?;
        let mut before = stones.clone();
        before.undo();
        let foul = with_rule!(rule, R => judge::foul::<R>(&before, point, color))?;
        // A stone after the end is none of the game.
        (!self.is_end_told).then_some(Remark::Forbidden(point, foul))
    }

    /// What is to be said of a position whose stones have no known order.
    pub fn remark_on_position(&mut self) -> Option<Remark> {
        let rule = self.rule();
        let stones = self.stones().ok()?;
        let winner = with_rule!(rule, R => judge::winning_stone::<R>(stones)).map(|(_, color)| color);
        let was_told = std::mem::replace(&mut self.is_end_told, winner.is_some());
        winner.filter(|_| !was_told).map(Remark::Over)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::levels::Style;
    use crate::protocol::session::Setting;

    fn started() -> Session {
        let mut session = Session::new(1, 350 << 20, Style::PLAIN);
        session.start(15, 15).unwrap();
        session
    }

    #[test]
    fn the_end_is_told_once() {
        let mut session = started();
        session
            .set_board(&[(3, 7, 2), (0, 0, 1), (4, 7, 2), (2, 0, 1), (5, 7, 2), (4, 0, 1), (12, 12, 2)])
            .unwrap();
        assert_eq!(session.remark_on_position(), None);
        session.turn((6, 7)).unwrap();
        assert_eq!(session.remark_on_move(), None);
        session.play((6, 0)).unwrap();
        session.turn((7, 7)).unwrap();
        assert_eq!(session.remark_on_move(), Some(Remark::Over(Color::Black)));
        session.play((8, 0)).unwrap();
        session.turn((14, 14)).unwrap();
        assert_eq!(session.remark_on_move(), None);
        // The last stones are taken back, and another one ends the game again.
        for at in [(14, 14), (8, 0), (7, 7)] {
            session.take_back(at).unwrap();
        }
        session.turn((10, 10)).unwrap();
        assert_eq!(session.remark_on_move(), None);
        session.turn((2, 7)).unwrap();
        assert_eq!(session.remark_on_move(), Some(Remark::Over(Color::Black)));
        // Another game begins with another end.
        let row = [(3, 7, 2), (4, 7, 2), (5, 7, 2), (6, 7, 2), (7, 7, 2)];
        for _ in 0..2 {
            session.set_board(&row).unwrap();
            assert_eq!(session.remark_on_position(), Some(Remark::Over(Color::Black)));
        }
        session.set_analysis_board(&row).unwrap();
        session.turn((14, 14)).unwrap();
        assert_eq!(session.remark_on_move(), Some(Remark::Over(Color::Black)));
    }

    #[test]
    fn a_forbidden_move_is_told() {
        let threes = [
            (7, 8, 2),
            (0, 0, 1),
            (7, 9, 2),
            (2, 0, 1),
            (8, 7, 2),
            (4, 0, 1),
            (9, 7, 2),
            (6, 0, 1),
            (14, 14, 2),
        ];
        for (rule, remark) in [
            (Setting::Rule(4), Some(Remark::Forbidden(Point::new(7, 7), Foul::DoubleThree))),
            (Setting::Rule(0), None),
        ] {
            let mut session = started();
            session.apply(&rule);
            session.set_board(&threes).unwrap();
            assert_eq!(session.remark_on_position(), None);
            session.turn((7, 7)).unwrap();
            assert_eq!(session.remark_on_move(), remark);
        }
    }
}
