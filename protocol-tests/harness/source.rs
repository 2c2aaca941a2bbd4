//! The source of the crate, read as Rust, for the test that checks it against its map: which files there are, and what
//! each of them names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Item, UseTree};

/// Files of the root that are not modules: the crate's root and the program.
const OUTSIDE: [&str; 2] = ["lib.rs", "main.rs"];

/// A path from the crate's root: modules, and at last perhaps an item.
pub type Segments = Vec<String>;

/// A file of the crate without its tests.
pub struct Source {
    /// Below `src/`.
    pub path: PathBuf,
    /// The module that the file is.
    pub module: Segments,
    pub items: Vec<Item>,
}

impl Source {
    pub fn top_module(&self) -> &str {
        &self.module[0]
    }

    pub fn is_face(&self) -> bool {
        self.path.ends_with("mod.rs")
    }

    /// The modules whose files the compiler puts into this one.
    pub fn included_modules(&self) -> BTreeSet<String> {
        let mut modules = BTreeSet::new();
        for item in &self.items {
            visit(item.to_token_stream(), &mut |tokens| {
                if let [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Group(argument)] = tokens
                    && (name == "include_str" || name == "include_bytes")
                {
                    let argument = argument.stream().to_string();
                    modules.extend(module_of(&self.path, argument.trim_matches('"')));
                }
            });
        }
        modules
    }

    /// Everything of this crate that the file names, as paths from the root.
    pub fn paths(&self) -> BTreeSet<Segments> {
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

/// Shows every three neighbours among the tokens, groups and what is in them alike.
fn visit(tokens: TokenStream, look: &mut impl FnMut(&[TokenTree])) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.windows(3).for_each(&mut *look);
    for token in tokens {
        if let TokenTree::Group(group) = token {
            visit(group.stream(), look);
        }
    }
}

/// The module of a file below `src/` that another one names relative to itself; `None` for files outside.
fn module_of(from: &Path, relative: &str) -> Option<String> {
    let mut folders: Vec<&str> = from.iter().filter_map(|name| name.to_str()).collect();
    folders.pop();
    for name in relative.split('/') {
        match name {
            "." => {}
            ".." => drop(folders.pop()?),
            name => folders.push(name),
        }
    }
    (folders.len() > 1).then(|| folders[0].to_owned())
}

/// What the scripts of the pages import from other modules, and every module that has a folder, though it be of scripts
/// alone.
pub fn modules_of_scripts() -> BTreeMap<String, BTreeSet<String>> {
    let mut modules: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut folders = vec![source_root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("src can be read") {
            let path = entry.expect("src can be read").path();
            let own = path.strip_prefix(source_root()).expect("it was found there").to_owned();
            let module = own.iter().next().expect("it has a name").to_string_lossy().into_owned();
            if path.is_dir() {
                modules.entry(module).or_default();
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "js") {
                let text = fs::read_to_string(&path).expect("a script is text");
                let imports =
                    text.lines().filter_map(|line| line.split_once(" from \"")?.1.split('"').next());
                let others =
                    imports.filter_map(|import| module_of(&own, import)).filter(|other| *other != module);
                modules.entry(module.clone()).or_default().extend(others);
            }
        }
    }
    modules
}

pub fn source_root() -> PathBuf {
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

/// Every file of the crate, sorted.
pub fn sources() -> Vec<Source> {
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
