//! The positions of `solver/*.pos`: what can be forced, and what cannot.
//!
//! One position a line, in fields parted by semicolons; the side to move at the end is to win:
//!
//! ```text
//! freestyle 15 h8h9i8i9j8j9; vcf 3
//! ```
//!
//! ```text
//! vcf N        there is a VCF; the shortest makes five on ply N
//! win N        the same, in the files of `suites/`
//! vct N        there is a VCT, and no VCF; a proof with N plies is known
//! none         there is no VCT; the search has exhausted them
//! from TEXT    where the position is from
//! ```

use std::path::PathBuf;

use kagetsu::formats::moves;
use kagetsu::{Rule, Stones};

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A VCF, in so many plies and no fewer.
    Vcf(u32),
    /// A VCT, in so many plies or fewer.
    Vct(u32),
    /// Neither.
    Nothing,
}

/// One line of a file.
#[derive(Clone, Debug)]
pub struct Known {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    pub rule: Rule,
    pub stones: Stones,
    pub claim: Claim,
}

/// All positions: those of `solver/`, and the VCFs of `suites/`.
pub fn read_all() -> Vec<Known> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("protocol-tests");
    let mut paths = Vec::new();
    for (name, start) in [("solver", ""), ("suites", "vcf-")] {
        for entry in std::fs::read_dir(folder.join(name)).expect("the folder can be read") {
            let path = entry.expect("an entry of the folder").path();
            let file = path.file_name().expect("it is a file").to_string_lossy().into_owned();
            if file.starts_with(start) && file.ends_with(".pos") {
                paths.push((file, path));
            }
        }
    }
    paths.sort();
    let mut all = Vec::new();
    for (file, path) in paths {
        let text = std::fs::read_to_string(&path).expect("the file is text");
        for (n, line) in text.lines().enumerate() {
            if !line.is_empty() && !line.starts_with('#') {
                let known = parse(&file, n + 1, line);
                all.push(known.unwrap_or_else(|| panic!("{file}:{}: `{line}` is not a position", n + 1)));
            }
        }
    }
    all
}

/// The first field of a line, which all files of positions have: rule, size (`15`, or `20x15`) and moves.
pub fn parse_head(text: &str) -> Option<(Rule, Stones)> {
    let mut words = text.splitn(3, char::is_whitespace);
    let rule = words.next()?.parse().ok()?;
    let size = words.next()?.parse().ok()?;
    Some((rule, moves::position(words.next()?, size).ok()?))
}

/// Writes what [`parse_head`] reads.
pub fn head(rule: Rule, stones: &Stones) -> String {
    let size = stones.size();
    let sides = if size.width() == size.height() { size.width().to_string() } else { size.to_string() };
    let moves: String = stones.history().iter().map(|(point, _)| point.to_string()).collect();
    format!("{rule} {sides} {moves}")
}

fn parse(file: &str, line: usize, text: &str) -> Option<Known> {
    let mut fields = text.split(';').map(str::trim);
    let (rule, stones) = parse_head(fields.next()?)?;
    let mut claim = None;
    for field in fields {
        let (key, value) = field.split_once(' ').unwrap_or((field, ""));
        match key {
            "vcf" | "win" => claim = Some(Claim::Vcf(value.parse().ok()?)),
            "vct" => claim = Some(Claim::Vct(value.parse().ok()?)),
            "none" => claim = Some(Claim::Nothing),
            "from" => {}
            _ => return None,
        }
    }
    Some(Known { file: file.to_owned(), line, rule, stones, claim: claim? })
}
