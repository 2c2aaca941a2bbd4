//! Searches in the background give the same answers as those in the foreground, and can be stopped.

use super::*;
use crate::board::Size;
use crate::formats::picture;
use crate::solve::{SolverLimits, SolverVerdict};

/// A position without a forced win, in which there is much to search.
fn quiet() -> Stones {
    let mut stones = Stones::new(Size::square(20));
    for at in ["h8", "h9", "i9", "g7", "i7", "j8"] {
        stones.place(at.parse().unwrap(), stones.to_move());
    }
    stones
}

fn solver(nodes: Option<u64>) -> Solver {
    Solver::new(SolverLimits { nodes, memory: 4 << 20, ..SolverLimits::default() })
}

#[test]
fn the_answer_is_that_of_the_foreground() {
    for rule in Rule::ALL {
        let solver = solver(Some(2_000));
        let expected = solver.solve(rule, &quiet()).unwrap();
        let found = solver.start(rule, &quiet()).unwrap().wait();
        assert_eq!((found.nodes, found.deepest), (expected.nodes, expected.deepest), "{rule}");
        assert_eq!((found.space, found.exhausted), (expected.space, expected.exhausted), "{rule}");
    }
}

#[test]
fn progress_rises_and_ends() {
    let search = solver(Some(5_000)).start(Rule::ALL[0], &quiet()).unwrap();
    let reports: Vec<SolverProgress> = search.progress().collect();
    assert!(reports.is_sorted_by_key(|progress| (progress.space, progress.nodes)), "{reports:?}");
    assert_eq!(reports.first().map(|progress| progress.space), Some(ThreatSpace::Vcf));
    assert!(reports.iter().any(|progress| progress.numbers.is_some()), "{reports:?}");
    let solution = search.wait();
    assert!(reports.last().unwrap().nodes <= solution.nodes);
    assert!(solution.nodes <= 5_100, "{}", solution.nodes);
}

/// A search that is stopped before it finds anything out says so.
#[test]
fn a_search_can_be_stopped() {
    let search = solver(None).start(Rule::ALL[0], &quiet()).unwrap();
    let stop = search.stopper();
    std::thread::spawn(stop).join().unwrap();
    let solution = search.wait();
    assert!(matches!(solution.verdict, SolverVerdict::Unknown | SolverVerdict::NoWin(_)));
    // A handle that is dropped leaves nothing behind that the next search could notice.
    drop(solver(None).start(Rule::ALL[0], &quiet()).unwrap());
    let stones = picture::read("X X X X X\nO O O O .").unwrap().stones;
    assert!(matches!(solver(None).start(Rule::ALL[0], &stones), Err(SolverError::Decided(_))));
}
