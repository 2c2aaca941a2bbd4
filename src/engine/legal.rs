//! The last check of moves before they leave the engine.

use log::error;

use crate::board::{Point, Stones};
use crate::rules::{Rule, fallback};

/// `count` moves, played in turn; fewer only if the board has no room for them. The moves of the search are kept
/// where they are legal, and each one that is not is replaced by a fallback move.
pub(crate) fn legal_moves(rule: Rule, stones: &Stones, found: &[Point], count: usize) -> Vec<Point> {
    let mut stones = stones.clone();
    let mut moves = Vec::new();
    for n in 0..count {
        let found = found.get(n).copied();
        let fallback = || fallback::fallback_move(rule, &stones);
        // A foul is legal only where nothing else is left; then the fallback move is a foul too.
        let foul = |point| fallback::is_forbidden(rule, &stones, point);
        let legal = found
            .filter(|&point| stones.is_empty_at(point))
            .filter(|&point| !foul(point) || fallback().is_none_or(foul));
        if legal.is_none() {
            error!("no legal move came from the search, but {found:?}; in its place: {:?}", fallback());
        }
        if let Some(point) = legal.or_else(fallback) {
            stones.place(point, stones.to_move());
            moves.push(point);
        }
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Size};

    #[test]
    fn what_is_not_legal_is_replaced() {
        let point = |text: &str| text.parse::<Point>().unwrap();
        let mut stones = Stones::new(Size::square(15));
        stones.place(point("h8"), Color::Black);
        let found = [point("i9"), point("j10")];
        assert_eq!(legal_moves(Rule::Freestyle, &stones, &found, 2), found);
        // A taken point, the same point twice, a point off the board, or no move at all.
        for bad in [&[point("h8"), point("i9")][..], &[point("i9"), point("i9")], &[point("p16")], &[]] {
            let moves = legal_moves(Rule::Freestyle, &stones, bad, 2);
            assert!(moves.len() == 2 && moves[0] != moves[1], "{moves:?}");
            assert!(moves.iter().all(|&at| stones.is_empty_at(at) && stones.size().contains(at)));
        }
        // Two threes of Black meet at h8.
        let mut stones = Stones::new(Size::square(15));
        ["h9", "h10", "i8", "j8"].iter().for_each(|at| stones.place(point(at), Color::Black));
        stones.set_to_move(Color::Black);
        assert_eq!(legal_moves(Rule::Freestyle, &stones, &[point("h8")], 1), [point("h8")]);
        assert_ne!(legal_moves(Rule::Renju, &stones, &[point("h8")], 1), [point("h8")]);
    }
}
