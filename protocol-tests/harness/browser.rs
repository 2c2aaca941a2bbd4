//! The browser that pages are looked at in.
//!
//! `KAGETSU_BROWSER` names one. Otherwise Chromium is looked for on the path: first the shell without windows, which
//! needs two thirds of the time. With `KAGETSU_REQUIRE_BROWSER` set, as in CI, a test that has to be skipped fails.

use std::path::PathBuf;

#[path = "skipped.rs"]
mod skipped;
use skipped::tell_skipped;

const BROWSERS: [&str; 5] =
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"];

/// Which of these programs is on the path, if any is: the earlier in the list, the better.
pub fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.find(|place| place.is_file())
}

/// The browser. `None` if there is none: then this test has been told to be skipped.
pub fn browser() -> Option<PathBuf> {
    let found = std::env::var_os("KAGETSU_BROWSER").map(PathBuf::from).or_else(|| on_path(&BROWSERS));
    if found.is_none() {
        skip("there is no Chromium (apt install chromium-headless-shell or chromium)");
    }
    found
}

/// Leaves out the test of this thread, and tells why; a test that is required fails instead.
pub fn skip(why: &str) {
    let is_required = std::env::var_os("KAGETSU_REQUIRE_BROWSER").is_some_and(|value| !value.is_empty());
    assert!(!is_required, "KAGETSU_REQUIRE_BROWSER is set, but {why}");
    tell_skipped(why);
}
