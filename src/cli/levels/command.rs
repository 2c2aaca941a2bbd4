//! What the options of `kagetsu levels` ask for.

use std::io::Write;

use super::ladder::measure;
use super::options::LevelsOptions;
use super::table::table;
use crate::arena::stop::Stop;
use crate::cli::match_play::stop_on_ctrl_c;
use crate::levels::rating_tables;

/// Prints the table or the level that fits, or plays the ladder.
///
/// # Errors
/// Records that cannot be written, Ctrl-C.
pub fn run(options: &LevelsOptions, mut out: impl Write) -> anyhow::Result<()> {
    match &options.out {
        Some(folder) if options.measure => {
            let stop = Stop::new();
            stop_on_ctrl_c(&stop)?;
            measure(options, folder, &stop, &mut out)
        }
        _ => {
            let text = match &options.fit {
                Some(games) => games.describe(&options.rules),
                None => {
                    let mut tables = rating_tables();
                    tables.retain(|table| options.rules.is_empty() || options.rules.contains(&table.rule));
                    table(&tables)
                }
            };
            out.write_all(text.as_bytes())?;
            Ok(out.flush()?)
        }
    }
}
