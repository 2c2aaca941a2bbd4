//! The format of a file to be imported.

use std::ffi::OsStr;
use std::path::{Component, Path};

use crate::formats::text::decode;
use crate::formats::{psq, renlib};
use crate::library::{ImportError, LibraryError};
use crate::rules::Rule;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum InputFormat {
    /// Games with variations and comments, one or many
    Sgf,
    /// A game of Piskvork
    Psq,
    /// Games with their moves in PGN
    Pgn,
    /// A library of RenLib
    Lib,
    /// A database of Yixin or Rapfi
    Yxdb,
    /// Records of `kagetsu match`
    Match,
    /// Training records of `kagetsu selfplay`
    Training,
    /// What `kagetsu library export --format json` writes
    Json,
    /// What `kagetsu library export --format csv` writes
    Csv,
}

/// Number of first bytes from which a format is detected.
pub(super) const BEGIN: u64 = 4096;
/// Extensions of the files that are taken from folders.
pub(super) const ENDS: [&str; 9] = ["sgf", "psq", "rec", "pgn", "lib", "db", "jsonl", "kgr", "csv"];

impl InputFormat {
    /// The format of a file, detected from its first bytes ([`BEGIN`] are enough), and from its name where they do
    /// not tell.
    pub fn of(path: &Path, bytes: &[u8]) -> Option<InputFormat> {
        let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        if renlib::looks_like_library(bytes) || end == "lib" {
            return Some(InputFormat::Lib);
        }
        match end.as_str() {
            "db" => return Some(InputFormat::Yxdb),
            "kgr" => return Some(InputFormat::Training),
            "csv" => return Some(InputFormat::Csv),
            _ => {}
        }
        let start = decode(bytes.get(..4096).unwrap_or(bytes)).trim_start().to_owned();
        match start.bytes().next()? {
            b'(' => Some(InputFormat::Sgf),
            b'[' => Some(InputFormat::Pgn),
            b'{' if start.starts_with("{\"type\"") => Some(InputFormat::Match),
            b'{' => Some(InputFormat::Json),
            _ if psq::begins(&start) || end == "psq" || end == "rec" => Some(InputFormat::Psq),
            _ if start.starts_with("rule,size,") => Some(InputFormat::Csv),
            // Both formats allow text before the first game.
            _ if end == "sgf" => Some(InputFormat::Sgf),
            _ if end == "pgn" => Some(InputFormat::Pgn),
            _ => None,
        }
    }
}

/// Whether the only thing wrong with the file is that it has no moves, or is of a program that has nothing to do with
/// games, such as the pictures that Windows keeps in `Thumbs.db`.
pub(super) fn has_no_moves(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(ImportError::NoMoves | ImportError::OtherDatabase))
}

/// Whether it is the library that cannot be read or written, so that every other file would fare the same.
pub(super) fn is_of_library(error: &anyhow::Error) -> bool {
    let found = match error.downcast_ref() {
        Some(ImportError::Library(error)) => Some(error),
        _ => error.downcast_ref::<LibraryError>(),
    };
    matches!(found, Some(LibraryError::Store(_)))
}

/// The rule that a folder's name contains, as in the archives of Gomocup. It is a word of the name, with or without
/// digits after it, in the nearest folder that has one. It is the same folder however the path is typed.
pub(super) fn rule_of(path: &Path) -> Option<Rule> {
    let of_word = |word: &str| match word {
        "renju" | "exact-caro" | "caro" | "standard" | "freestyle" => word.parse().ok(),
        "fastgame" => Some(Rule::Freestyle),
        _ => None,
    };
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut folders: Vec<&OsStr> = Vec::new();
    for part in whole.parent()?.components() {
        match part {
            Component::Normal(name) => folders.push(name),
            // The file may be in an archive, so the system cannot resolve its path.
            Component::ParentDir => drop(folders.pop()),
            _ => {}
        }
    }
    folders.into_iter().rev().find_map(|folder| {
        let name = folder.to_string_lossy().to_lowercase();
        let words: Vec<&str> = name.split(|c: char| !c.is_alphabetic()).collect();
        // The one name that is two words comes before the one that is its second.
        let pairs = words.windows(2).map(|pair| pair.join("-"));
        pairs.chain(words.iter().map(|&word| word.to_owned())).find_map(|word| of_word(&word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_what_they_hold() {
        for (name, bytes, expected) in [
            ("a", &b"\xFFRenLib\xFF"[..], Some(InputFormat::Lib)),
            ("a.LIB", b"\x78\x00", Some(InputFormat::Lib)),
            ("rapfi.db", b"\0", Some(InputFormat::Yxdb)),
            ("a.txt", b"\xEF\xBB\xBF (;B[hh])", Some(InputFormat::Sgf)),
            ("a.txt", b"Piskvorky 15x15, 1", Some(InputFormat::Psq)),
            ("results.pgn", b"[Round \"1\"]", Some(InputFormat::Pgn)),
            ("games.jsonl", b"{\"type\":\"match\"}", Some(InputFormat::Match)),
            ("a.jsonl", b"{\"rule\":\"renju\"}", Some(InputFormat::Json)),
            ("a.txt", b"rule,size,to_move", Some(InputFormat::Csv)),
            ("final.sgf", b"Final of 1927 (;SZ[15];B[hh])", Some(InputFormat::Sgf)),
            ("final.pgn", b"% by hand\n[Round \"1\"]", Some(InputFormat::Pgn)),
            ("a.txt", b"hello", None),
            ("a.txt", b"", None),
        ] {
            assert_eq!(InputFormat::of(Path::new(name), bytes), expected, "{name}");
        }
    }

    #[test]
    fn folders_name_rules() {
        let rule = |path: &str| rule_of(Path::new(path)).map(Rule::name);
        assert_eq!(rule("gomocup2024/Renju/0_1_2.psq"), Some("renju"));
        assert_eq!(rule("Fastgame/1.psq"), Some("freestyle"));
        assert_eq!(rule("gomocup 2024/results_renju15/a.psq"), Some("renju"));
        assert_eq!(rule("/a/b.psq"), None);
        // Parts of words and names of files do not count, and the nearest folder decides.
        assert_eq!(rule("/home/caroline/nonstandard/x.psq"), None);
        assert_eq!(rule("/games/renju.psq"), None);
        assert_eq!(rule("renju/archive/Freestyle2/x.psq"), Some("freestyle"));
        for name in ["exact-caro", "Exact Caro 15", "results_exact_caro"] {
            assert_eq!(rule(&format!("/games/{name}/x.psq")), Some("exact-caro"), "{name}");
        }
        // A folder that is left again does not count.
        assert_eq!(rule("/caro/renju/../x.psq"), Some("caro"));
    }
}
