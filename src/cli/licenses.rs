//! `kagetsu licenses`: the licences of the program and of the libraries in it, so that the program can be passed on as
//! a single file.

use std::io::Write;

use anyhow::Context;

/// What Kagetsu itself may be used under.
const OWN: [&str; 2] = [include_str!("../../LICENSE-MIT"), include_str!("../../LICENSE-APACHE")];

/// Written by `packaging/notices`.
const LIBRARIES: &str = include_str!("../../packaging/third-party.txt");

/// Writes all texts.
///
/// # Errors
/// Standard output cannot be written to.
pub(crate) fn run(mut out: impl Write) -> anyhow::Result<()> {
    let write = |out: &mut dyn Write| {
        writeln!(
            out,
            "Kagetsu may be used under the MIT licence or the Apache licence 2.0, whichever you prefer.\n"
        )?;
        for text in OWN {
            writeln!(out, "{}\n", text.trim_end())?;
        }
        out.write_all(LIBRARIES.as_bytes())
    };
    write(&mut out).context("writing the licences")
}
