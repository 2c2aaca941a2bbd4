//! Who may import whom, held against the source itself: each floor looks only at the floors below it.

use std::fs;
use std::path::{Path, PathBuf};

/// The floors from the ground up: the files and folders of `src/`. A floor may import any that stands
/// before it.
const FLOORS: [&str; 18] = [
    "board", "formats", "rules", "shapes", "position", "solve", "eval", "search", "session", "engine",
    "thinker", "opening", "protocol", "data", "tune", "arena", "report", "cli",
];

/// Floors that name variants of the game: the rules, and where numbers and positions are told apart by
/// variant. All others ask a `RuleSet`.
const NAME_VARIANTS: [&str; 3] = ["rules", "session", "cli"];

const VARIANTS: [&str; 5] = ["Freestyle", "Standard", "Renju", "Caro", "ExactCaro"];

/// Every file of a floor with its code: no comments, and no tests (which may look at floors above).
fn code() -> Vec<(String, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![root.clone()];
    let mut all = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("src can be read") {
            let path = entry.expect("src can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.file_name().expect("files have names").to_string_lossy().into_owned();
            let is_top = path.parent() == Some(&root);
            let outside = is_top && ["lib.rs", "main.rs", "layers.rs"].contains(&name.as_str());
            if outside || name.ends_with("tests.rs") || !name.ends_with(".rs") {
                continue;
            }
            let inside = path.strip_prefix(&root).expect("it was found there");
            let floor = inside.iter().next().expect("it is a file").to_string_lossy();
            let floor = floor.trim_end_matches(".rs").to_owned();
            let text = fs::read_to_string(&path).expect("source is text");
            let text = text.rsplit_once("#[cfg(test)]").map_or(text.as_str(), |(code, _)| code);
            let code: String = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
                .collect::<Vec<_>>()
                .join("\n");
            all.push((floor, inside.to_owned(), code));
        }
    }
    all
}

/// The words that follow `prefix` in the code.
fn words_after<'a>(code: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    let word =
        |text: &'a str| text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    code.match_indices(prefix).map(move |(at, _)| word(&code[at + prefix.len()..]))
}

#[test]
fn imports_point_down() {
    let height = |floor: &str| FLOORS.iter().position(|&f| f == floor);
    for (floor, path, code) in code() {
        let path = path.display();
        let own =
            height(&floor).unwrap_or_else(|| panic!("{path}: `{floor}` is missing in the list of floors"));
        for imported in words_after(&code, "crate::") {
            // The macro stands in rules/rule.rs; the crate exports it at its root.
            let imported = if imported == "with_rule" { "rules" } else { imported };
            let found = height(imported).unwrap_or_else(|| panic!("{path}: crate::{imported} is no floor"));
            assert!(found <= own, "{path}: imports {imported}, which stands above {floor}");
        }
        // Ways around the check above.
        assert!(!code.contains("super::super"), "{path}: climbs with super::super");
        let is_file = path.to_string() == format!("{floor}.rs");
        assert!(!is_file || !code.contains("super::"), "{path}: imports a floor through super");
    }
}

#[test]
fn only_the_rules_know_the_variants() {
    for (floor, path, code) in code() {
        if NAME_VARIANTS.contains(&floor.as_str()) {
            continue;
        }
        let is_word = |word: &str| VARIANTS.contains(&word) || floor == "search" && word == "Rule";
        let named = code.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| is_word(word));
        assert_eq!(named, None, "{} names a variant", path.display());
    }
}

/// A proof is worth as much as its checker is independent of what found it.
#[test]
fn the_checker_knows_only_the_judge() {
    let allowed = ["board", "rules", "with_rule"];
    for name in ["check.rs", "proof.rs"] {
        let path = Path::new("solve").join(name);
        let (_, _, code) = code().into_iter().find(|(_, found, _)| *found == path).expect("it is there");
        let imported: Vec<&str> = words_after(&code, "crate::").collect();
        assert!(imported.iter().all(|module| allowed.contains(module)), "{name} imports {imported:?}");
        let beside: Vec<&str> = words_after(&code, "super::").collect();
        assert!(beside.iter().all(|module| *module == "proof"), "{name} imports {beside:?}");
    }
}
