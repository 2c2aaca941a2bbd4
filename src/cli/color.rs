//! The colours of the output, and whether there are any: `--color` decides or, without it, the terminal and the
//! environment (`NO_COLOR`, `CLICOLOR`).
//!
//! Text carries its colours as escape sequences; [`out`] and [`err`] remove them where they do not belong.

use std::ffi::OsString;
use std::fmt::Display;
use std::io;

use anstream::{AutoStream, ColorChoice};
use clap::ValueEnum;
use clap::builder::styling::{AnsiColor, Style};

/// When to use colours, as the option `--color` names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless the environment says otherwise
    #[default]
    Auto,
    /// In files and pipes as well
    Always,
    /// Nowhere
    Never,
}

impl When {
    /// The value in the arguments, found before they are parsed, because help and error messages are coloured as well.
    pub(super) fn in_arguments(arguments: &[OsString]) -> When {
        let words = arguments.iter().map(|argument| argument.to_string_lossy());
        let mut said = When::default();
        let mut is_value = false;
        for word in words.take_while(|word| word != "--") {
            let value = if is_value { Some(&*word) } else { word.strip_prefix("--color=") };
            said = value.and_then(|value| When::from_str(value, false).ok()).unwrap_or(said);
            is_value = word == "--color";
        }
        said
    }

    /// The same choice for the parser of the command line.
    pub(super) fn for_help(self) -> clap::ColorChoice {
        match self {
            When::Auto => clap::ColorChoice::Auto,
            When::Always => clap::ColorChoice::Always,
            When::Never => clap::ColorChoice::Never,
        }
    }

    /// Applies the choice to everything that the process writes from now on.
    pub(super) fn apply(self) {
        match self {
            When::Auto => ColorChoice::Auto,
            When::Always => ColorChoice::AlwaysAnsi,
            When::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

/// Standard output for text with colours.
pub(super) fn out() -> AutoStream<io::StdoutLock<'static>> {
    AutoStream::auto(io::stdout().lock())
}

/// Standard error for text with colours.
pub(super) fn err() -> AutoStream<io::StderrLock<'static>> {
    AutoStream::auto(io::stderr().lock())
}

/// The style of what is wrong.
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
/// The style of what is doubtful.
pub(super) const DOUBTFUL: Style = AnsiColor::Yellow.on_default().bold();
/// The style of what is best.
pub(super) const GOOD: Style = AnsiColor::Green.on_default().bold();

/// The text in this style.
pub(super) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_on_colors_counts() {
        let said = |line: &str| When::in_arguments(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(said("kagetsu bench"), When::Auto);
        assert_eq!(said("kagetsu --color never --help"), When::Never);
        assert_eq!(said("kagetsu analyse --color=always"), When::Always);
        assert_eq!(said("kagetsu --color=always --color never"), When::Never);
        assert_eq!(said("kagetsu --color nonsense"), When::Auto);
        assert_eq!(said("kagetsu measure -- --color never"), When::Auto);
    }

    #[test]
    fn what_is_styled_ends_plain() {
        assert_eq!(styled(BAD, "x"), "\u{1b}[1m\u{1b}[31mx\u{1b}[0m");
    }
}
