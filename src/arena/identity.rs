//! Who plays under an engine's description. The description names a program and files, whose contents may change from
//! one run of a match to the next; then the games of both runs are not those of one match.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::command_files::files_of;
use super::spec::EngineSpec;
use crate::files::Fingerprint;
use crate::levels::Level;

/// What identifies the player behind the description of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// The build of the built-in engine and what its level can do, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The fingerprint of the program, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Those of the files that its arguments name, by the words that name them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
}

impl Identity {
    /// The player behind this description. `build` names this build, which plays if no program is described. Files that
    /// cannot be read are left out: whether the engine can do without them shows when it is started.
    #[must_use]
    pub fn of(engine: &EngineSpec, build: &str) -> Identity {
        if engine.command.is_none() {
            // The signature of the build says nothing of how weak its levels are.
            let build = match engine.style().level {
                Level::FULL => build.to_owned(),
                level => format!("{build}, {:?}, {:?}", level.method(), level.weakness()),
            };
            return Identity { build: Some(build), ..Identity::default() };
        }
        let mut files = files_of(engine).unwrap_or_default().into_iter();
        let program = files.next().and_then(|(_, path)| fingerprint(&path));
        let files = files.filter_map(|(word, path)| Some((word.to_owned(), fingerprint(&path)?))).collect();
        Identity { build: None, program, files }
    }

    /// What has changed since a match began with the player `self`, in words. Files that were not there then do not
    /// count: an engine may write a log or remember lost games.
    pub(super) fn change(&self, now: &Identity) -> Option<String> {
        if self.build != now.build {
            return Some("the build".to_owned());
        }
        if self.program != now.program {
            return Some("the program".to_owned());
        }
        let changed = self.files.iter().find(|(word, fingerprint)| now.files.get(*word) != Some(fingerprint));
        changed.map(|(word, _)| format!("the file of `{word}`"))
    }
}

fn fingerprint(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    Some(Fingerprint::EMPTY.with_bytes(&bytes).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_names_is_part_of_the_player() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("engine", "one");
        write("net.bin", "one");
        let text =
            format!("cmd='{}/engine' arg=--network=net.bin arg=--log arg=log.txt", folder.path().display());
        let spec = EngineSpec::parse(&text, &[]).unwrap();
        let first = Identity::of(&spec, "build");
        // What the engine writes by itself makes no other player.
        write("log.txt", "a line");
        assert_eq!(first.change(&Identity::of(&spec, "another build")), None);
        write("net.bin", "two");
        let change = first.change(&Identity::of(&spec, "build"));
        assert_eq!(change.as_deref(), Some("the file of `--network=net.bin`"));
        write("engine", "two");
        assert_eq!(first.change(&Identity::of(&spec, "build")).as_deref(), Some("the program"));
        folder.close().unwrap();
        assert_eq!(Identity::of(&spec, "build"), Identity::default());
        let own = Identity::of(&EngineSpec::default(), "build");
        assert_eq!(own.change(&Identity::of(&EngineSpec::default(), "other")).as_deref(), Some("the build"));
        let levels = ["level=1", "level=2", "level=full"].map(|text| EngineSpec::parse(text, &[]).unwrap());
        let players = levels.map(|spec| Identity::of(&spec, "build"));
        assert!(players[0] != players[1] && players[1] != players[2] && players[2] == own, "{players:?}");
    }
}
