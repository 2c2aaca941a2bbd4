//! The source checked against its map: who imports whom, read from the source and compared with the table in
//! `docs/architecture.md`, arrow by arrow.
//!
//! The modules here are the files and folders of `src/`. An import that the table does not list fails, and so does one
//! that it lists and nobody makes, so the table cannot go out of date.

#[path = "harness/source.rs"]
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use source::{Segments, Source, modules_of_scripts, source_root, sources};
use syn::{Item, Visibility};

/// Modules that name variants of the game: the rules themselves, and where numbers and names are told apart by variant.
/// All others ask a `RuleSet`.
const NAME_VARIANTS: [&str; 3] = ["rules", "protocol", "cli"];

const VARIANTS: [&str; 5] = ["Freestyle", "Standard", "Renju", "Caro", "ExactCaro"];

/// Constants that only happen to have the name and the value of others: versions of files of their own, and the like.
const EQUAL_BY_CHANCE: [&str; 5] = ["BOARD", "BUCKET", "EXACT", "STACK", "VERSION"];

/// Lines that an example may have which is to be read at a glance.
const EXAMPLE_LINES: usize = 40;

/// A row of the table in `docs/architecture.md`.
struct Row {
    module: String,
    question: String,
    imports: BTreeSet<String>,
}

/// The modules of the table in `docs/architecture.md`, from the ground up.
fn table() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let text = fs::read_to_string(path).expect("there is an architecture document");
    let words = |cell: &str| -> Vec<String> {
        cell.split('`').skip(1).step_by(2).map(|word| word.trim_end_matches('/').to_owned()).collect()
    };
    let rows = text.lines().skip_while(|line| !line.starts_with("| Module")).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
            let module = words(cells[0]).pop().unwrap_or_else(|| panic!("no module in: {line}"));
            let imports = cells.last().map(|cell| words(cell)).unwrap_or_default();
            Row { module, question: cells[1].trim().to_owned(), imports: imports.into_iter().collect() }
        })
        .collect()
}

#[test]
fn the_map_shows_every_arrow_and_no_other() {
    let mut found = modules_of_scripts();
    for source in sources() {
        let imports = found.entry(source.top_module().to_owned()).or_default();
        for path in source.paths() {
            // The macro stands in rules/with_rule.rs; the crate exports it at its root.
            let module = if path[0] == "with_rule" { "rules" } else { &path[0] };
            if module != source.top_module() {
                imports.insert(module.to_owned());
            }
        }
        imports.extend(source.included_modules().into_iter().filter(|module| module != source.top_module()));
    }
    let table = table();
    let rows: BTreeSet<&String> = table.iter().map(|row| &row.module).collect();
    assert_eq!(rows, found.keys().collect(), "the modules of the table are not those of src/");
    let mut below = BTreeSet::new();
    for Row { module, imports: listed, .. } in &table {
        assert_eq!(
            listed, &found[module],
            "`{module}`: the table lists the left, the source imports the right"
        );
        let upward: Vec<&String> = listed.difference(&below).collect();
        assert!(upward.is_empty(), "`{module}` imports {upward:?}, whose rows come after its own");
        below.insert(module.clone());
    }
}

#[test]
fn the_crate_lists_every_room() {
    let text = fs::read_to_string(source_root().join("lib.rs")).expect("the crate has a face");
    for Row { module, question, .. } in table() {
        // The modules that are public are links.
        let row = [format!("| [`{module}`] | {question} |"), format!("| `{module}` | {question} |")];
        assert!(row.iter().any(|row| text.contains(row)), "the crate's documentation lacks: {}", row[1]);
    }
}

/// Files that import each other cannot be read, tested or moved one by one.
#[test]
fn no_files_import_each_other() {
    let sources = sources();
    let by_module: BTreeMap<&Segments, usize> =
        sources.iter().map(|source| &source.module).zip(0..).collect();
    // What a face passes on: the item's path there, and where it comes from.
    let mut passed_on: BTreeMap<Segments, Segments> = BTreeMap::new();
    for face in sources.iter().filter(|source| source.is_face()) {
        for path in face.paths() {
            let Some(name) = path.last() else { continue };
            passed_on.insert([face.module.clone(), vec![name.clone()]].concat(), path);
        }
    }
    let file_of = |path: &Segments| {
        let mut path = path.clone();
        for _ in 0..8 {
            match passed_on.get(&path) {
                Some(source) if *source != path => path = source.clone(),
                _ => break,
            }
        }
        (1..=path.len()).rev().find_map(|length| by_module.get(&path[..length].to_vec()).copied())
    };
    let arrows: Vec<BTreeSet<usize>> = sources
        .iter()
        .enumerate()
        .map(|(own, source)| {
            if source.is_face() {
                return BTreeSet::new();
            }
            source.paths().iter().filter_map(file_of).filter(|&file| file != own).collect()
        })
        .collect();
    for start in 0..sources.len() {
        let mut seen = BTreeSet::new();
        let mut open: Vec<usize> = arrows[start].iter().copied().collect();
        while let Some(file) = open.pop() {
            assert!(file != start, "{} is in a circle of imports", sources[start].path.display());
            if seen.insert(file) {
                open.extend(&arrows[file]);
            }
        }
    }
}

/// A folder's `mod.rs` says what is in it; the logic has files with names.
#[test]
fn faces_have_no_logic() {
    for source in sources() {
        let path = source.path.display();
        if source.is_face() {
            for item in &source.items {
                let is_declaration = match item {
                    Item::Mod(item) => item.content.is_none(),
                    Item::Use(_) => true,
                    _ => false,
                };
                assert!(is_declaration, "{path} holds more than declarations: {}", item.to_token_stream());
            }
        } else {
            let folder = source_root().join(source.path.with_extension(""));
            assert!(!folder.exists(), "{path} stands beside a folder of its name: one of them is too many");
        }
    }
}

#[test]
fn only_the_rules_know_the_variants() {
    fn named(tokens: TokenStream, words: &[&str]) -> Option<String> {
        tokens.into_iter().find_map(|token| match token {
            TokenTree::Group(group) => named(group.stream(), words),
            TokenTree::Ident(ident) => words.iter().find(|word| ident == **word).map(|&word| word.to_owned()),
            _ => None,
        })
    }
    for source in sources() {
        if NAME_VARIANTS.contains(&source.top_module()) {
            continue;
        }
        let mut words = VARIANTS.to_vec();
        if source.top_module() == "search" {
            words.push("Rule");
        }
        for item in &source.items {
            let found = named(item.to_token_stream(), &words);
            assert_eq!(found, None, "{} names a variant", source.path.display());
        }
    }
}

/// A proof is worth as much as its checker is independent of what found it.
#[test]
fn the_checker_knows_only_the_judge() {
    let allowed = ["board", "rules", "with_rule"];
    for name in ["check", "proof"] {
        let module = vec!["solve".to_owned(), name.to_owned()];
        let source = sources().into_iter().find(|source| source.module == module);
        let source = source.unwrap_or_else(|| panic!("there is no solve/{name}.rs"));
        for path in source.paths() {
            let is_proof = path[0] == "solve" && path.get(1).is_none_or(|module| module == "proof");
            assert!(is_proof || allowed.contains(&path[0].as_str()), "solve/{name}.rs imports {path:?}");
        }
    }
}

/// What a number means is said once, and whoever wants it asks there.
#[test]
fn a_constant_stands_in_one_place() {
    let mut places: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for source in sources() {
        for item in &source.items {
            if let Item::Const(item) = item
                && item.ident != "_"
                && !EQUAL_BY_CHANCE.iter().any(|name| item.ident == name)
            {
                let text = format!("{} = {}", item.ident, item.expr.to_token_stream());
                places.entry(text).or_default().insert(source.path.clone());
            }
        }
    }
    places.retain(|_, files| files.len() > 1);
    assert_eq!(places, BTreeMap::new());
}

/// One name means one thing: a reader who meets a type need not ask which of two it is.
#[test]
fn no_two_public_types_share_a_name() {
    let mut places: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
    for source in sources() {
        for item in &source.items {
            let (visibility, name) = match item {
                Item::Struct(item) => (&item.vis, &item.ident),
                Item::Enum(item) => (&item.vis, &item.ident),
                Item::Trait(item) => (&item.vis, &item.ident),
                Item::Type(item) => (&item.vis, &item.ident),
                _ => continue,
            };
            if matches!(visibility, Visibility::Public(_)) {
                places.entry(name.to_string()).or_default().insert(source.path.clone());
            }
        }
    }
    places.retain(|_, files| files.len() > 1);
    assert_eq!(places, BTreeMap::new());
}

/// Whoever catches a panic must say what became of the work, so there is one door to it.
#[test]
fn one_file_catches_panics() {
    assert_eq!(files_that_name(&|token| token == "catch_unwind"), ["engine/guard.rs"]);
}

/// A file system without locks is no other process, which callers of the standard library would have to know.
#[test]
fn one_file_asks_for_locks_of_files() {
    assert_eq!(files_that_name(&|token| token == "try_lock"), ["files/lock.rs"]);
}

/// The tree of a viewer, the main line and the library must not differ in what a node means.
#[test]
fn one_file_knows_what_sgf_does_to_a_board() {
    let files = files_that_name(&|token| token == "\"AE\"" || token == "\"AB\"" || token == "\"AW\"");
    // The writer of such nodes stands in `tree`.
    assert_eq!(files, ["formats/sgf/node.rs", "formats/sgf/tree.rs"]);
}

/// The files outside tests in which one of these words or literals stands.
fn files_that_name(is_it: &dyn Fn(&str) -> bool) -> Vec<String> {
    fn names(tokens: TokenStream, is_it: &dyn Fn(&str) -> bool) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Group(group) => names(group.stream(), is_it),
            other => is_it(&other.to_string()),
        })
    }
    let named = |source: &Source| source.items.iter().any(|item| names(item.to_token_stream(), is_it));
    let path = |source: &Source| source.path.to_string_lossy().replace('\\', "/");
    sources().iter().filter(|source| named(source)).map(path).collect()
}

/// What the program includes from elsewhere must be copied before it is built.
#[test]
fn the_image_is_built_from_all_that_the_program_contains() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let containerfile = fs::read_to_string(root.join("distributed/Containerfile")).expect("it is there");
    let build = containerfile.split("\nFROM ").nth(1).expect("a stage builds the program");
    let copied: Vec<PathBuf> = build
        .lines()
        .filter_map(|line| line.strip_prefix("COPY ")?.rsplit_once(' '))
        .flat_map(|(from, _)| from.split(' ').map(|name| root.join(name)))
        .collect();
    let mut included = 0;
    for source in sources() {
        let file = source_root().join(&source.path);
        let text: String = source.items.iter().map(|item| item.to_token_stream().to_string()).collect();
        for rest in text.split("include_").skip(1) {
            let name = rest.split('"').nth(1).expect("a file is named");
            // Not all that is called so includes something.
            let Ok(path) = file.with_file_name(name).canonicalize() else { continue };
            included += 1;
            assert!(copied.iter().any(|place| path.starts_with(place)), "{}: {name}", file.display());
        }
    }
    assert!(included > 50, "{included}");
}

#[test]
fn examples_can_be_read_at_a_glance() {
    for name in ["play", "analyse", "solve", "match"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("examples/{name}.rs"));
        let lines = fs::read_to_string(path).expect("it is one of the examples").lines().count();
        assert!(lines <= EXAMPLE_LINES, "{name}: {lines} lines");
    }
}

/// The rule of CONTRIBUTING.md, for Rust and for the scripts of the pages.
#[test]
fn no_file_has_more_than_five_hundred_lines() {
    fn visit(folder: &Path, seen: &mut usize) {
        for entry in fs::read_dir(folder).expect("folders of src can be read") {
            let path = entry.expect("their entries can be read").path();
            if path.is_dir() {
                visit(&path, seen);
            } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "js") {
                let lines = fs::read_to_string(&path).expect("source is text").lines().count();
                assert!(lines <= 500, "{}: {lines} lines", path.display());
                *seen += 1;
            }
        }
    }
    let mut seen = 0;
    visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut seen);
    assert!(seen > 100, "only {seen} files were looked at");
}

/// rustfmt leaves comments as they are.
#[test]
fn comments_are_no_wider_than_the_page() {
    const WIDTH: usize = 120;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for source in sources() {
        let text = fs::read_to_string(folder.join(&source.path)).expect("source is text");
        for (n, line) in text.lines().enumerate() {
            let comment =
                line.trim_start().strip_prefix("//").map(|text| text.trim_start_matches(['/', '!', ' ']));
            // A row of a table cannot be broken.
            let is_too_wide =
                comment.is_some_and(|text| !text.starts_with('|')) && line.chars().count() > WIDTH;
            assert!(!is_too_wide, "{}:{}: wider than {WIDTH}", source.path.display(), n + 1);
        }
    }
}

/// The harness swallows what a passing test prints, so a skip that is printed is never seen.
#[test]
fn skips_are_told_past_the_harness() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol-tests");
    for entry in fs::read_dir(folder).expect("there are tests") {
        let path = entry.expect("there are tests").path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("source is text").to_lowercase();
            assert!(!text.contains(concat!("println!(", "\"skip")), "{} prints a skip", path.display());
        }
    }
}
