//! How the file of a library begins, for those who are given one and expect a text. Only the module `library` reads it.

/// "KLib", by which `file` and this program tell a library from other databases in SQLite's format.
pub(crate) const APPLICATION: [u8; 4] = *b"KLib";

/// Whether a decoded text is the beginning of a library: SQLite's header with the name of the application in it.
#[must_use]
pub(crate) fn looks_like_library_of_positions(text: &str) -> bool {
    /// Bytes of the header, of which each that means nothing has become three.
    const HEADER: usize = 3 * 100;
    let Some(rest) = text.strip_prefix("SQLite format 3\0") else { return false };
    let header = rest.as_bytes().get(..HEADER).unwrap_or(rest.as_bytes());
    header.windows(APPLICATION.len()).any(|bytes| bytes == APPLICATION)
}
