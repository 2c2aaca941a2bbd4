//! The files that an engine's command names: the program, and networks and scripts among its arguments.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::spec::EngineSpec;

/// The words of an engine's command that name files, each with the place of its file. The program comes first. Nothing
/// for the built-in engine.
///
/// # Errors
/// The program does not exist.
pub(crate) fn files_of(engine: &EngineSpec) -> anyhow::Result<Vec<(&str, PathBuf)>> {
    let Some((program, arguments)) = engine.command.as_deref().and_then(|command| command.split_first())
    else {
        return Ok(Vec::new());
    };
    let path = program_path(program)
        .with_context(|| format!("there is no program `{program}`, neither as a file nor in the PATH"))?;
    // An engine runs in its own folder unless told otherwise, so that is where it looks for files that its arguments
    // name.
    let own = path.parent().filter(|_| is_path(program)).unwrap_or(Path::new(""));
    let home = engine.folder.as_deref().unwrap_or(own).to_owned();
    let mut files = vec![(program.as_str(), path)];
    for word in arguments {
        let name = named(word);
        let path = [home.join(name), PathBuf::from(name)].into_iter().find(|path| path.is_file());
        files.extend(path.map(|path| (word.as_str(), path)));
    }
    Ok(files)
}

/// Whether a program is named with its folder, so that it is not looked up in the PATH.
pub(crate) fn is_path(program: &str) -> bool {
    Path::new(program).components().count() > 1
}

/// Where a program is on this machine.
pub(crate) fn program_path(program: &str) -> Option<PathBuf> {
    if is_path(program) {
        return Path::new(program).is_file().then(|| program.into());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&folders).map(|folder| folder.join(program));
    let endings = places.flat_map(|path| {
        let mut with_ending = path.clone().into_os_string();
        with_ending.push(std::env::consts::EXE_SUFFIX);
        [path, with_ending.into()]
    });
    endings.chain([program.into()]).find(|path| path.is_file())
}

/// The file in `--network=file`, and any other word as it is.
fn named(word: &str) -> &str {
    match word.split_once('=') {
        Some((_, value)) if !Path::new(word).is_file() => value,
        _ => word,
    }
}
