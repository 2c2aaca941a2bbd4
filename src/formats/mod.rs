//! Files of games as other programs write them. Knows no rule: what a game means is the reader's affair.

pub mod psq;
pub mod sgf;

use anyhow::{Context, ensure};

use crate::board::{Point, Size};

/// The point in this column and row, from 0.
///
/// # Errors
/// One off the board.
pub fn on_board(x: i64, y: i64, size: Size) -> anyhow::Result<Point> {
    Point::checked(x, y, size).with_context(|| format!("{x},{y} is off the board of {size}"))
}

/// Whether a game is on the board that is wanted.
///
/// # Errors
/// It is on another one.
pub fn ensure_size(found: Size, wanted: Size) -> anyhow::Result<()> {
    ensure!(found == wanted, "the board is {found}, not {wanted}");
    Ok(())
}
