//! `kagetsu check-proof`: checks whether a proof holds, with nothing but the rules.

use super::files::{is_standard, read_standard_input, read_text};
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use clap::Args;

use crate::solve::{Proof, check};

/// Options of `kagetsu check-proof`.
#[derive(Args, Clone, Debug)]
pub struct CheckOptions {
    /// Proof in JSON, as `kagetsu solve --format json` writes it; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// Checks a proof.
///
/// # Errors
/// A file that cannot be read or is not a proof; a proof that does not hold, with the place where it breaks.
pub fn run(options: &CheckOptions, mut out: impl Write) -> anyhow::Result<()> {
    let (name, text) = if is_standard(&options.file) {
        ("standard input".to_owned(), read_standard_input()?)
    } else {
        (options.file.display().to_string(), read_text(&options.file)?)
    };
    ensure!(!text.trim().is_empty(), "{name} is empty");
    let proof = Proof::from_json(&text).with_context(|| name.clone())?;
    let started = Instant::now();
    match check(&proof) {
        Ok(checked) => writeln!(
            out,
            "verified: {} to move wins, {}, five on ply {} at the latest ({} nodes, {} replies, {} ms)",
            proof.stones.to_move().name(),
            proof.rule,
            checked.plies,
            checked.nodes,
            checked.replies,
            started.elapsed().as_millis()
        )
        .context("writing the result"),
        Err(flaw) => bail!("the proof in {name} breaks: {flaw}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black to move has an open three.
    const PROOF: &str = r#"{"format":"kagetsu proof 1","rule":"freestyle","size":"15x15",
        "black":["h8","i8","j8"],"white":["a1","a15","o1"],"attacker":"black","root":2,"nodes":[
        {"move":"f8"},{"move":"k8"},{"move":"g8","threat":0,"replies":{"f8":1}}]}"#;

    fn checked(text: &str) -> anyhow::Result<String> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("proof.json");
        std::fs::write(&file, text).unwrap();
        let mut out = Vec::new();
        run(&CheckOptions { file }, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn a_proof_is_verified_and_a_broken_one_refused() {
        let text = checked(PROOF).unwrap();
        assert!(text.starts_with("verified: Black to move wins, freestyle, five on ply 3"), "{text}");
        assert!(text.contains("(3 nodes, "), "{text}");
        // What the proof does not need is not checked.
        let longer = PROOF.replace("}}]}", "}},{\"move\":\"a2\"}]}");
        assert_ne!(PROOF, longer);
        assert!(checked(&longer).unwrap().contains("(3 nodes, "), "{text}");
        let broken = PROOF.replacen("\"o1\"", "\"k8\"", 1);
        assert_ne!(PROOF, broken);
        let error = checked(&broken).unwrap_err().to_string();
        assert!(error.contains("breaks"), "{error}");
        assert!(checked("{}").is_err());
        let error = |text: &str| format!("{:#}", checked(text).unwrap_err());
        let other = error(r#"{"format":"kagetsu analysis 1","nodes":0}"#);
        assert!(other.ends_with("the format is `kagetsu analysis 1`, not `kagetsu proof 1`"), "{other}");
        let damaged = error(&PROOF.replacen("[", "0,[", 1));
        assert!(damaged.contains("this is not a proof in JSON"), "{damaged}");
        assert!(checked("\n").unwrap_err().to_string().ends_with("is empty"));
    }
}
