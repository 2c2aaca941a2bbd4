//! What an import has done so far, and how it is told.

use std::io::Write;

use crate::board::Size;
use crate::cli::output::{counted, remark};
use crate::library::{ImportCount, LONGEST_COMMENT};

/// Files and what came of them.
#[derive(Debug, Default)]
pub(super) struct Tally {
    all: ImportCount,
    taken: u64,
    /// Files that were imported before.
    pub known: u64,
    /// Files with the name of one that was imported before, but other contents.
    pub namesakes: u64,
    /// Files that cannot be imported.
    pub left_out: u64,
}

impl Tally {
    /// Adds a file that was imported.
    pub fn add(&mut self, count: ImportCount) {
        // Whoever adds a figure is reminded to add it up, and to tell it.
        let ImportCount {
            games,
            positions,
            comments_left_out,
            comments_misread,
            unknown_rules,
            results_refuted,
            results_not_understood,
            games_without_end,
            boards_enlarged,
        } = count;
        self.taken += 1;
        self.all.games += games;
        self.all.positions += positions;
        self.all.comments_left_out += comments_left_out;
        self.all.comments_misread += comments_misread;
        self.all.unknown_rules += unknown_rules;
        self.all.results_refuted += results_refuted;
        self.all.results_not_understood += results_not_understood;
        self.all.games_without_end += games_without_end;
        self.all.boards_enlarged += boards_enlarged;
    }

    /// Whether nothing came of any file yet.
    pub fn is_blank(&self) -> bool {
        self.taken + self.known + self.left_out == 0
    }

    /// Says what was imported, and remarks on what was not as it should be. `size` is the board of games that name
    /// none, and `names_rule` is whether the user gave a rule for those that name none.
    ///
    /// # Errors
    /// The writer fails.
    pub fn tell(&self, size: Size, names_rule: bool, out: &mut impl Write) -> anyhow::Result<()> {
        let Tally { all, taken, known, namesakes, left_out } = self;
        let (files, games) = (counted(*taken, "file"), counted(all.games, "game"));
        writeln!(out, "{files}, {games}, {}", counted(all.positions, "position"))?;
        if known + left_out > 0 {
            writeln!(out, "files known already: {known}, left out: {left_out}")?;
        }
        let room = format!("a position has room for {} MB of them", LONGEST_COMMENT >> 20);
        let boards = format!("games that name no board and do not fit on {size}");
        let remarks = [
            (all.comments_left_out, "comments left out", room.as_str()),
            (
                all.comments_misread,
                "comments with unreadable characters",
                "if a file does not name its encoding, --encoding does",
            ),
            (
                if names_rule { 0 } else { all.unknown_rules },
                "games that name a rule which is not known",
                "they were imported as if they named none",
            ),
            (
                all.results_refuted,
                "games whose result is not that of the line on their board",
                "they count as the board shows",
            ),
            (
                all.results_not_understood,
                "games whose result (`RE`) is not understood",
                "they count as games without a result",
            ),
            (all.games_without_end, "games whose end is missing", "they were imported as far as they go"),
            (all.boards_enlarged, &boards, "they were imported on a larger one"),
            (
                *namesakes,
                "files with the name of one that was imported before, and other contents",
                "if they hold its games, these count twice now",
            ),
        ];
        for (count, what, consequence) in remarks.into_iter().filter(|&(count, ..)| count > 0) {
            remark(format_args!("{what}: {count}; {consequence}"));
        }
        if *known > 0 {
            // What it was imported with is not kept.
            remark(
                "what is known was imported before, perhaps with other options; --again imports it with these, and \
                 counts its games twice",
            );
        }
        out.flush()?;
        Ok(())
    }
}
