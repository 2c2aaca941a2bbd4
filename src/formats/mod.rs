//! Files of games as other programs write them. Knows no rule: what a game means is the reader's affair.

pub mod psq;
pub mod sgf;
