//! The files of the page, embedded in the program or, for work on the page, read from a folder.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

/// The embedded files: the name in the address, and the content. A new file needs a new line.
const EMBEDDED: &[(&str, &[u8])] = &[
    ("analysis.js", include_bytes!("../page/analysis.js")),
    ("analysis_panel.js", include_bytes!("../page/analysis_panel.js")),
    ("analysis_visit.js", include_bytes!("../page/analysis_visit.js")),
    ("archive.js", include_bytes!("../page/archive.js")),
    ("arrivals.js", include_bytes!("../page/arrivals.js")),
    ("assumed_rule.js", include_bytes!("../page/assumed_rule.js")),
    ("board.css", include_bytes!("../page/board.css")),
    ("board_view.js", include_bytes!("../page/board_view.js")),
    ("clock.js", include_bytes!("../page/clock.js")),
    ("collection.js", include_bytes!("../page/collection.js")),
    ("commands.js", include_bytes!("../page/commands.js")),
    ("comment_field.js", include_bytes!("../page/comment_field.js")),
    ("dialogs.js", include_bytes!("../page/dialogs.js")),
    ("double_clicks.js", include_bytes!("../page/double_clicks.js")),
    ("encoding.js", include_bytes!("../page/encoding.js")),
    ("engine_turn.js", include_bytes!("../page/engine_turn.js")),
    ("exchange.js", include_bytes!("../page/exchange.js")),
    ("figures.js", include_bytes!("../page/figures.js")),
    ("files.js", include_bytes!("../page/files.js")),
    ("focus.js", include_bytes!("../page/focus.js")),
    ("former_games.js", include_bytes!("../page/former_games.js")),
    ("found_lines.js", include_bytes!("../page/found_lines.js")),
    ("game.js", include_bytes!("../page/game.js")),
    ("graph.js", include_bytes!("../page/graph.js")),
    ("help.js", include_bytes!("../page/help.js")),
    ("hindsight.js", include_bytes!("../page/hindsight.js")),
    ("hint.js", include_bytes!("../page/hint.js")),
    ("icon.svg", include_bytes!("../page/icon.svg")),
    ("in_sight.js", include_bytes!("../page/in_sight.js")),
    ("index.html", include_bytes!("../page/index.html")),
    ("lang/cs.json", include_bytes!("../page/lang/cs.json")),
    ("lang/en.json", include_bytes!("../page/lang/en.json")),
    ("lang/ja.json", include_bytes!("../page/lang/ja.json")),
    ("lang/ru.json", include_bytes!("../page/lang/ru.json")),
    ("lang/zh.json", include_bytes!("../page/lang/zh.json")),
    ("library.js", include_bytes!("../page/library.js")),
    ("link.js", include_bytes!("../page/link.js")),
    ("locks.js", include_bytes!("../page/locks.js")),
    ("main.js", include_bytes!("../page/main.js")),
    ("match_state.js", include_bytes!("../page/match_state.js")),
    ("mistakes.js", include_bytes!("../page/mistakes.js")),
    ("move_list.js", include_bytes!("../page/move_list.js")),
    ("new_game.js", include_bytes!("../page/new_game.js")),
    ("notes.js", include_bytes!("../page/notes.js")),
    ("opening_turn.js", include_bytes!("../page/opening_turn.js")),
    ("openings.js", include_bytes!("../page/openings.js")),
    ("opponent.js", include_bytes!("../page/opponent.js")),
    ("overlooked.js", include_bytes!("../page/overlooked.js")),
    ("play.js", include_bytes!("../page/play.js")),
    ("preview.js", include_bytes!("../page/preview.js")),
    ("proof.js", include_bytes!("../page/proof.js")),
    ("proof_panel.js", include_bytes!("../page/proof_panel.js")),
    ("puzzle_list.js", include_bytes!("../page/puzzle_list.js")),
    ("puzzles.js", include_bytes!("../page/puzzles.js")),
    ("puzzles.json", include_bytes!("../page/puzzles.json")),
    ("ranked_lines.js", include_bytes!("../page/ranked_lines.js")),
    ("result.js", include_bytes!("../page/result.js")),
    ("set_up.js", include_bytes!("../page/set_up.js")),
    ("settings.js", include_bytes!("../page/settings.js")),
    ("small.js", include_bytes!("../page/small.js")),
    ("sound.js", include_bytes!("../page/sound.js")),
    ("storage.js", include_bytes!("../page/storage.js")),
    ("store.js", include_bytes!("../page/store.js")),
    ("strength.js", include_bytes!("../page/strength.js")),
    ("view.js", include_bytes!("../page/view.js")),
    ("words.js", include_bytes!("../page/words.js")),
    ("page/board.js", include_bytes!("../../page/board.js")),
    ("page/charts.js", include_bytes!("../../page/charts.js")),
    ("page/course.js", include_bytes!("../../page/course.js")),
    ("page/elements.js", include_bytes!("../../page/elements.js")),
    ("page/points.js", include_bytes!("../../page/points.js")),
    ("page/stepping.js", include_bytes!("../../page/stepping.js")),
    ("page/theme.css", include_bytes!("../../page/theme.css")),
];

/// Content types by file extension.
const TYPES: &[(&str, &str)] = &[
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("ico", "image/x-icon"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("mp3", "audio/mpeg"),
    ("ogg", "audio/ogg"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("webmanifest", "application/manifest+json"),
    ("webp", "image/webp"),
    ("woff2", "font/woff2"),
];

/// A file to be sent.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Asset {
    pub content_type: &'static str,
    pub bytes: Cow<'static, [u8]>,
}

/// Where the files are.
#[derive(Clone, Debug, Default)]
pub(super) struct Assets {
    /// The folder of the page and the folder of files that pages share; the embedded files if there are none.
    folders: Option<(PathBuf, PathBuf)>,
}

impl Assets {
    /// The embedded files, or the files of this folder. In the second case, addresses under `page/` are read from the
    /// folder of files that pages share, at its place in the source tree relative to this one.
    pub fn new(folder: Option<&Path>) -> Assets {
        let folders = folder.map(|folder| (folder.to_owned(), folder.join("../../page")));
        Assets { folders }
    }

    /// The file at an address; `None` if there is none, or if the address leads out of the folders.
    pub fn find(&self, path: &str) -> Option<Asset> {
        let name = match path.strip_prefix('/')? {
            "" => "index.html",
            name => name,
        };
        if !name.split('/').all(is_plain) {
            return None;
        }
        let (_, end) = name.rsplit_once('.')?;
        let &(_, content_type) = TYPES.iter().find(|(known, _)| *known == end)?;
        let bytes = match (&self.folders, name.strip_prefix("page/")) {
            (None, _) => Cow::Borrowed(EMBEDDED.iter().find(|(known, _)| *known == name)?.1),
            (Some((_, shared)), Some(name)) => Cow::Owned(read(shared, name)?),
            (Some((own, _)), None) => Cow::Owned(read(own, name)?),
        };
        Some(Asset { content_type, bytes })
    }
}

/// Whether a part of an address is the name of a file or folder and nothing else.
fn is_plain(part: &str) -> bool {
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    !part.is_empty() && !part.starts_with('.') && part.bytes().all(is_usual)
}

/// A file below the folder; links that lead out of it are not followed.
fn read(folder: &Path, name: &str) -> Option<Vec<u8>> {
    let folder = folder.canonicalize().ok()?;
    let path = folder.join(name).canonicalize().ok()?;
    if !path.starts_with(&folder) {
        return None;
    }
    fs::read(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_in_the_program() {
        let assets = Assets::new(None);
        let page = assets.find("/").unwrap();
        assert_eq!(page.content_type, "text/html; charset=utf-8");
        assert_eq!(assets.find("/index.html"), Some(page));
        for (name, bytes) in EMBEDDED {
            let asset =
                assets.find(&format!("/{name}")).unwrap_or_else(|| panic!("{name} has no known type"));
            assert_eq!(&*asset.bytes, *bytes);
        }
    }

    /// Files below a folder, named from there.
    fn files(folder: &Path, before: &str) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
        let named = entries.map(|entry| (entry.path(), format!("{before}{}", entry.file_name().display())));
        named
            .flat_map(
                |(path, name)| {
                    if path.is_dir() { files(&path, &format!("{name}/")) } else { vec![name] }
                },
            )
            .collect()
    }

    #[test]
    fn no_file_of_the_page_is_forgotten() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut expected = files(&source.join("gui/page"), "");
        expected.extend(files(&source.join("page"), "page/"));
        expected.sort();
        let mut embedded: Vec<&str> = EMBEDDED.iter().map(|&(name, _)| name).collect();
        embedded.sort_unstable();
        assert_eq!(embedded, expected);
    }

    #[test]
    fn nothing_else_is_found() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/gui/page");
        for assets in [Assets::new(None), Assets::new(Some(&folder))] {
            assert!(assets.find("/").is_some());
            for path in [
                "",
                "index.html",
                "/nothing.js",
                "/../mod.rs",
                "/..%2fmod.rs",
                "//etc/passwd",
                "/../../lib.rs",
                "/index.html/",
                "/./index.html",
                "/.index.html",
                "/index",
                "/c:\\x.js",
                "/index.html\0.js",
            ] {
                assert_eq!(assets.find(path), None, "{path}");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_nowhere() {
        let temp = tempfile::tempdir().unwrap();
        let folder = temp.path().join("gui/page");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("own.js"), "1").unwrap();
        fs::write(folder.join("../secret.js"), "2").unwrap();
        std::os::unix::fs::symlink(folder.join("../secret.js"), folder.join("link.js")).unwrap();
        fs::create_dir(folder.join("../../page")).unwrap();
        fs::write(folder.join("../../page/shared.js"), "3").unwrap();
        let assets = Assets::new(Some(&folder));
        let text = |path| assets.find(path).map(|asset| String::from_utf8(asset.bytes.into_owned()).unwrap());
        assert_eq!(text("/own.js").as_deref(), Some("1"));
        assert_eq!(text("/page/shared.js").as_deref(), Some("3"));
        assert_eq!(text("/link.js"), None);
    }
}
