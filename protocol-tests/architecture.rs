//! The house held against its map: who imports whom, read from the source and compared with the table in
//! `docs/architecture.md`, arrow by arrow.
//!
//! The rooms are the files and folders of `src/`. An import that the table does not list fails, and so does one that it
//! lists and nobody makes, so the table cannot grow old.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, UseTree};

/// Rooms that name variants of the game: the rules themselves, and where numbers and names are told apart by variant.
/// All others ask a `RuleSet`.
const NAME_VARIANTS: [&str; 3] = ["rules", "protocol", "cli"];

const VARIANTS: [&str; 5] = ["Freestyle", "Standard", "Renju", "Caro", "ExactCaro"];

/// Files of the root that are no rooms: the crate's face and the program.
const OUTSIDE: [&str; 2] = ["lib.rs", "main.rs"];

/// A path from the crate's root: rooms, modules, and at last perhaps an item.
type Segments = Vec<String>;

/// A file of the library without its tests.
struct Source {
    /// Below `src/`.
    path: PathBuf,
    /// The module that the file is.
    module: Segments,
    items: Vec<Item>,
}

impl Source {
    fn room(&self) -> &str {
        &self.module[0]
    }

    fn is_face(&self) -> bool {
        self.path.ends_with("mod.rs")
    }

    /// Everything of this crate that the file names, as paths from the root.
    fn paths(&self) -> BTreeSet<Segments> {
        let mut paths = BTreeSet::new();
        for item in &self.items {
            match item {
                Item::Use(item) => self.flatten(&item.tree, Vec::new(), &mut paths),
                other => self.scan(other.to_token_stream(), &mut paths),
            }
        }
        paths
    }

    fn flatten(&self, tree: &UseTree, mut before: Segments, paths: &mut BTreeSet<Segments>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.flatten(&path.tree, before, paths);
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.flatten(tree, before.clone(), paths));
            }
            UseTree::Name(name) => {
                before.push(name.ident.to_string());
                paths.extend(self.resolve(&before));
            }
            UseTree::Rename(rename) => {
                before.push(rename.ident.to_string());
                paths.extend(self.resolve(&before));
            }
            UseTree::Glob(_) => paths.extend(self.resolve(&before)),
        }
    }

    /// Paths within code and within the arguments of macros.
    fn scan(&self, tokens: TokenStream, paths: &mut BTreeSet<Segments>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for (n, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.scan(group.stream(), paths),
                TokenTree::Ident(ident) if ["crate", "super", "self"].iter().any(|word| ident == word) => {
                    let mut path = vec![ident.to_string()];
                    let mut rest = &tokens[n + 1..];
                    while let [TokenTree::Punct(a), TokenTree::Punct(b), TokenTree::Ident(next), ..] = rest
                        && a.as_char() == ':'
                        && b.as_char() == ':'
                    {
                        path.push(next.to_string());
                        rest = &rest[3..];
                    }
                    // A word alone is a value or a visibility.
                    if path.len() > 1 {
                        paths.extend(self.resolve(&path));
                    }
                }
                _ => {}
            }
        }
    }

    /// `crate::`, `self::` and `super::` resolved; `None` for paths out of the crate.
    fn resolve(&self, path: &[String]) -> Option<Segments> {
        let mut at = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => self.module.clone(),
            "super" => self.module[..self.module.len() - 1].to_vec(),
            // In a face, a child is named without `self::`.
            _ if self.is_face() => [self.module.clone(), vec![path[0].clone()]].concat(),
            _ => return None,
        };
        for word in &path[1..] {
            match word.as_str() {
                "super" => at.truncate(at.len().saturating_sub(1)),
                word => at.push(word.to_owned()),
            }
        }
        Some(at).filter(|at| !at.is_empty())
    }
}

fn source_root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn is_test(item: &Item) -> bool {
    let attributes = match item {
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Const(item) => &item.attrs,
        _ => return false,
    };
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg") && attribute.to_token_stream().to_string().contains("(test)")
    })
}

/// Every file of the library, sorted.
fn sources() -> Vec<Source> {
    let root = source_root();
    let mut folders = vec![root.clone()];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("src can be read") {
            let path = entry.expect("src can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.file_name().expect("files have names").to_string_lossy().into_owned();
            let is_outside = folder == root && OUTSIDE.contains(&name.as_str());
            if is_outside || name.ends_with("_tests.rs") || !name.ends_with(".rs") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("source is text");
            let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let path = path.strip_prefix(&root).expect("it was found there").to_owned();
            let mut module: Segments = path
                .with_extension("")
                .iter()
                .map(|segment| segment.to_string_lossy().into_owned())
                .collect();
            if path.ends_with("mod.rs") {
                module.pop();
            }
            let items = file.items.into_iter().filter(|item| !is_test(item)).collect();
            sources.push(Source { path, module, items });
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources
}

/// The rooms of the table in `docs/architecture.md`, from the ground up, and what each imports.
fn table() -> Vec<(String, BTreeSet<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/architecture.md");
    let text = fs::read_to_string(path).expect("there is an architecture document");
    let words = |cell: &str| -> Vec<String> {
        cell.split('`').skip(1).step_by(2).map(|word| word.trim_end_matches('/').to_owned()).collect()
    };
    let rows = text.lines().skip_while(|line| !line.starts_with("| Room")).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
            let room = words(cells[0]).pop().unwrap_or_else(|| panic!("no room in: {line}"));
            let imports = cells.last().map(|cell| words(cell)).unwrap_or_default();
            (room, imports.into_iter().collect())
        })
        .collect()
}

#[test]
fn the_map_shows_every_arrow_and_no_other() {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources() {
        let imports = found.entry(source.room().to_owned()).or_default();
        for path in source.paths() {
            // The macro stands in rules/rule.rs; the crate exports it at its root.
            let room = if path[0] == "with_rule" { "rules" } else { &path[0] };
            if room != source.room() {
                imports.insert(room.to_owned());
            }
        }
    }
    let table = table();
    let rows: BTreeSet<&String> = table.iter().map(|(room, _)| room).collect();
    assert_eq!(rows, found.keys().collect(), "the rooms of the table are not those of src/");
    let mut below = BTreeSet::new();
    for (room, listed) in &table {
        assert_eq!(listed, &found[room], "`{room}`: the table lists the left, the source imports the right");
        let upward: Vec<&String> = listed.difference(&below).collect();
        assert!(upward.is_empty(), "`{room}` imports {upward:?}, which stand above it");
        below.insert(room.clone());
    }
}

#[test]
fn the_crate_lists_every_room() {
    let text = fs::read_to_string(source_root().join("lib.rs")).expect("the crate has a face");
    for (room, _) in table() {
        assert!(text.contains(&format!("[`{room}`]")), "`{room}` is missing in the crate's documentation");
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
        if NAME_VARIANTS.contains(&source.room()) {
            continue;
        }
        let mut words = VARIANTS.to_vec();
        if source.room() == "search" {
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
