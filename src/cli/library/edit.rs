//! `kagetsu library edit`: what people and the solver say about a position.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::Args;

use super::new_library::open_or_create;
use super::place::PlaceOptions;
use crate::board::Stones;
use crate::cli::ending::Mistake;
use crate::cli::output::{counted, remark};
use crate::formats::duration::parse_duration;
use crate::formats::moves;
use crate::formats::point_names::Rows;
use crate::library::{Decided, Entry, Library, LibraryAccess, Mark, MarkKind, Outcome};
use crate::rules::Rule;
use crate::solve::{Solver, SolverLimits, SolverVerdict, check};

/// Options of `kagetsu library edit`.
#[derive(Args, Clone, Debug)]
pub(super) struct EditOptions {
    /// The library; it is created if it does not exist
    #[arg(value_name = "LIBRARY")]
    pub(super) library: PathBuf,

    #[command(flatten)]
    place: PlaceOptions,

    /// Replace the comment with this one
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,

    /// Label a point, such as h9=A; with nothing after the =, its label is removed
    #[arg(long, value_name = "POINT=TEXT")]
    label: Vec<String>,

    /// Give the position a letter; an empty one removes it
    #[arg(long, value_name = "LETTER")]
    tag: Option<String>,

    /// Mark the position
    #[arg(long, conflicts_with = "unmark")]
    mark: bool,

    /// Remove the mark of the position
    #[arg(long)]
    unmark: bool,

    /// Let the solver look for a win of the side to move (VCF, VCT), and keep what it proves
    #[arg(long)]
    prove: bool,

    /// With --prove: time, such as 500ms, 10s or 10m
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "10s", requires = "prove")]
    time: Duration,

    /// Delete the position
    #[arg(long, conflicts_with_all = ["comment", "label", "tag", "mark", "unmark", "prove"])]
    remove: bool,

    /// Delete the positions that only this one leads to
    #[arg(long)]
    remove_after: bool,
}

/// Writes what the options say.
///
/// # Errors
/// A library that cannot be written, a position that cannot be read, a label on no point.
pub(super) fn run(options: &EditOptions, rows: Rows) -> anyhow::Result<()> {
    let (rule, stones) = options.place.read(rows)?;
    // What may fail comes first, so that nothing is deleted and no library is made in vain.
    let mut added = Entry::default();
    options.change(&mut added, &stones, rows)?;
    let decided = options.prove.then(|| prove(rule, &stones, options.time)).transpose()?;
    if options.remove_after || options.remove {
        let library = Library::open(&options.library)?;
        if options.remove_after {
            let count = library.remove_after(rule, &stones)?;
            remark(format_args!("{} deleted", counted(count, "position")));
        }
        if options.remove {
            ensure!(library.remove(rule, &stones)?, "this position is not in the library");
            return Ok(());
        }
    }
    if options.changes_nothing() {
        ensure!(options.remove_after, Mistake("nothing to do; --help lists what can be changed".to_owned()));
        return Ok(());
    }
    let change = |library: &mut Library| {
        library.change(rule, &stones, |entry| {
            options.change(entry, &stones, rows)?;
            entry.decided = decided.or(entry.decided);
            Ok(())
        })
    };
    // A new library would hold an entry that says nothing.
    if added == Entry::default() && decided.is_none() {
        return change(&mut Library::open(&options.library)?);
    }
    open_or_create(&options.library, "nothing was changed", change)
}

impl EditOptions {
    fn changes_nothing(&self) -> bool {
        let texts = self.comment.is_none() && self.label.is_empty() && self.tag.is_none();
        texts && !self.mark && !self.unmark && !self.prove
    }

    fn change(&self, entry: &mut Entry, stones: &Stones, rows: Rows) -> anyhow::Result<()> {
        if let Some(comment) = &self.comment {
            entry.comment.clear();
            entry.add_comment(comment);
        }
        for label in &self.label {
            let no_label = || Mistake(format!("--label: `{label}` is not POINT=TEXT"));
            let (name, text) = label.split_once('=').ok_or_else(no_label)?;
            let points = moves::read_with_rows(name, stones.size(), rows)
                .map_err(|error| Mistake(format!("--label: {}", error.mistake)))?;
            let &[point] = points.as_slice() else { bail!(no_label()) };
            entry.marks.retain(|mark| mark.point != point || mark.kind != MarkKind::Label);
            if !text.trim().is_empty() {
                entry.put_mark(Mark { point, kind: MarkKind::Label, text: text.trim().to_owned() });
            }
        }
        if let Some(tag) = &self.tag {
            ensure!(tag.chars().count() <= 1, Mistake(format!("--tag: `{tag}` is more than one letter")));
            entry.tag = tag.chars().next();
        }
        entry.is_marked = (entry.is_marked || self.mark) && !self.unmark;
        Ok(())
    }
}

/// A win of the side to move, proved and checked.
fn prove(rule: Rule, stones: &Stones, time: Duration) -> anyhow::Result<Decided> {
    let limits = SolverLimits { time: Some(time), ..SolverLimits::default() };
    let solution = Solver::new(limits).solve(rule, stones)?;
    match solution.verdict {
        SolverVerdict::Win(proof) => {
            let checked = check(&proof).context("the proof does not hold: this is a mistake in Kagetsu")?;
            Ok(Decided { outcome: Outcome::Win, plies: Some(checked.plies), is_checked: true })
        }
        SolverVerdict::NoWin(space) => bail!("there is no win by {space}; that decides nothing"),
        _ => bail!("no win was found in {} s", time.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use clap::Parser;

    use super::*;
    use crate::board::{Color, Size};

    #[derive(Debug, Parser)]
    struct Words {
        #[command(flatten)]
        options: EditOptions,
    }

    fn edit(library: &Path, words: &[&str]) -> anyhow::Result<()> {
        let words = [&["edit", library.to_str().unwrap()], words].concat();
        run(&Words::try_parse_from(words).unwrap().options, Rows::FromTop)
    }

    #[test]
    fn a_mistake_deletes_nothing_and_makes_no_library() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.kgl");
        for words in [["--comment", ""], ["--tag", ""], ["--label", "h8="]] {
            assert!(edit(&path, &words).is_err() && !path.exists(), "{words:?}");
        }
        edit(&path, &["--moves", "h8 i9", "--comment", "after h8"]).unwrap();
        let positions = || Library::open(&path).unwrap().count().unwrap().positions;
        for words in [["--label", "zz=1"], ["--label", "h8 i9=1"], ["--tag", "ab"], ["--time", "1ms"]] {
            let more = if words[0] == "--time" { &["--prove"][..] } else { &[] };
            let words = [&["--moves", "h8", "--remove-after"], &words[..], more].concat();
            assert!(edit(&path, &words).is_err(), "{words:?}");
            assert_eq!(positions(), 1, "{words:?}");
        }
        edit(&path, &["--moves", "h8", "--remove-after", "--label", "7,7=1"]).unwrap();
        let library = Library::open(&path).unwrap();
        let mut first = Stones::new(Size::square(15));
        first.place(first.size().center(), Color::Black);
        let entry = library.entry(Rule::default(), &first).unwrap().unwrap();
        assert_eq!((positions(), entry.label(first.size().center())), (1, Some("1")));
    }
}
