use super::*;
use crate::arena::standings::Standings;

#[derive(Debug, Parser)]
struct Words {
    #[command(flatten)]
    options: MeasureOptions,
}

fn options(words: &str) -> MeasureOptions {
    Words::try_parse_from(words.split_whitespace()).unwrap().options
}

#[test]
fn the_verdict_fits_into_a_line() {
    let summary =
        MatchSummary { standings: Standings::default(), verdict: None, interrupted: false, fatal: None };
    let line = |size: usize| {
        let options = options("measure --sprt=-5,0 --rule renju");
        verdict_line(&options, Size::square(size), &summary, "abc")
    };
    assert!(line(15).starts_with("Match: against abc, renju, nodes=10000: W-D-L 0-0-0"), "{}", line(15));
    assert!(line(15).ends_with("LLR 0.00 (-2.94, 2.94) [-5, 0]: undecided"), "{}", line(15));
    assert!(line(20).starts_with("Match: against abc, renju 20x20, nodes=10000: "), "{}", line(20));
    assert_eq!(limit(&options("measure --turn 0.1 -- --concurrency 2")), "turn=0.1");
}

#[test]
fn mistakes_are_told_before_anything_is_built() {
    let described = |words: &str| described_match(&options(words));
    let further = described("measure --turn 0.1 -- --concurrency 4 --openings book.txt --size 20").unwrap();
    assert_eq!((further.openings.as_deref(), further.size), (Some("book.txt"), Size::square(20)));
    assert_eq!(described("measure -- --opening-plies 5").unwrap().openings.as_deref(), Some("random"));
    for words in [
        "measure --nodes 60 -- --nodes 70",
        "measure -- --turn 1s",
        "measure -- --tc 60/1",
        "measure -- --each depth=3",
        "measure -- --each nodes=70",
        "measure --turn soon",
        "measure --openings a -- --openings b",
        "measure -- -e cmd=./x",
        "measure -- --no-such-option",
    ] {
        assert!(described(words).is_err(), "{words}");
    }
    let said = described("measure -- --out foo").unwrap_err().to_string();
    assert!(said.contains("--out cannot be given") && !said.contains("--engine"), "{said}");
    let said = described("measure -- --no-such-option").unwrap_err().to_string();
    assert!(said.contains("kagetsu measure [OPTIONS]") && !said.contains("--engine"), "{said}");
    for option in ["--games", "--nodes"] {
        assert!(Words::try_parse_from(["measure", option, "0"]).is_err(), "{option}");
    }
    let refused = |words: &str| ensure_playable(&described(words).unwrap()).unwrap_err().to_string();
    assert!(refused("measure --openings /does/not/exist.txt").contains("/does/not/exist.txt"));
    assert!(refused("measure -- --swap2 --opening-plies 4").contains("swap2"));
    assert!(refused("measure -- --report /does/not/exist/a.html").contains("--report"));
    assert!(ensure_playable(&described("measure --turn 0.1 -- --each info.x=1").unwrap()).is_ok());
}

#[test]
fn a_match_that_a_fault_has_ended_has_no_verdict() {
    let whole =
        MatchSummary { standings: Standings::default(), verdict: None, interrupted: false, fatal: None };
    assert!(ensure_played(&whole).is_ok());
    let error = |summary: MatchSummary| ensure_played(&summary).unwrap_err().to_string();
    let fault = Some("game 3: base hangs".to_owned());
    assert_eq!(error(MatchSummary { fatal: fault, ..whole.clone() }), "ended by game 3: base hangs");
    assert!(error(MatchSummary { interrupted: true, ..whole }).contains("same command"));
}

#[test]
fn matches_that_differ_have_folders_of_their_own() {
    let name = |words: &str| records_name(&options(words), "1-2", None);
    assert_eq!(name("measure"), "1-2-freestyle-nodes10000");
    let all = ["measure", "measure --openings a", "measure -- --size 20", "measure -- --size 19"].map(name);
    assert!((0..4).all(|n| !all[..n].contains(&all[n])), "{all:?}");
    // A report can be added later, and another machine may play more games at a time.
    for same in ["-- --report a.html", "-- --report=a.html --concurrency 2 -q"] {
        assert_eq!(name(&format!("measure {same}")), all[0], "{same}");
    }
    assert_eq!(name("measure -- --concurrency 2 --size 20"), all[2]);
    let with = |openings| records_name(&options("measure --openings a"), "1-2", openings);
    assert!(with(Some(1)) != with(Some(2)) && with(Some(1)) != all[1]);
}

#[test]
fn openings_are_known_by_their_contents() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openings.txt");
    let words = format!("measure --openings {} -- --shuffle", path.display());
    let fingerprint = |text: &str| {
        std::fs::write(&path, text).unwrap();
        ensure_playable(&described_match(&options(&words)).unwrap()).unwrap()
    };
    let [one, other] = ["h8 i9\nh8 i8\n", "h8 i9\nh8 j8\n"].map(fingerprint);
    assert!(one.is_some() && one == fingerprint("h8 i9\nh8 i8\n") && one != other);
    assert_eq!(ensure_playable(&described_match(&options("measure")).unwrap()).unwrap(), None);
}
