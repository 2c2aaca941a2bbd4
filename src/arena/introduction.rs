//! Starts the external engines once before a match, to check that they can be started and to ask for their names.

use super::external::External;
use super::player::{NoMove, Player};
use super::process::MatchContext;
use super::spec::{EngineSpec, shown_name};
use super::stop::Stop;

/// Checks that all engines can be started, and names those that the user did not name after their answer to `ABOUT`.
/// `named` tells which engines the user named. Ends at once when it is told to stop; then names are missing.
///
/// # Errors
/// An engine cannot be started or ends at once.
pub fn introduce(
    engines: &mut [EngineSpec],
    named: &[bool],
    context: &MatchContext,
    stop: &Stop,
) -> anyhow::Result<()> {
    for (engine, &named) in engines.iter_mut().zip(named) {
        if engine.command.is_none() {
            continue;
        }
        let mut player = External::new(engine.clone(), context.clone());
        let about = match player.about(stop) {
            Ok(about) => about,
            Err(NoMove::Stopped) => return Ok(()),
            Err(NoMove::Fault(fault)) => {
                let command = engine.command_text().unwrap_or_default();
                anyhow::bail!("{} ({command}) {fault}", engine.name);
            }
        };
        player.discard();
        if let Some(name) = about.as_deref().and_then(name_in_about).filter(|_| !named) {
            engine.name = name;
        }
    }
    Ok(())
}

/// `X` of `name="X", version="1.0"`.
fn name_in_about(about: &str) -> Option<String> {
    let rest = &about[about.to_ascii_lowercase().find("name=\"")? + "name=\"".len()..];
    shown_name(rest.split('"').next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_about() {
        let name = |about| name_in_about(about);
        assert_eq!(name(r#"name="Pela", version="7.9""#).as_deref(), Some("Pela"));
        assert_eq!(name(r#"version="1", NAME=" X ""#).as_deref(), Some("X"));
        assert_eq!(name("Kagetsu 1.0"), None);
        assert_eq!(name(r#"name="""#), None);
        assert_eq!(name("name=\"a\u{1b}[2Jb\"").as_deref(), Some("a[2Jb"));
    }
}
