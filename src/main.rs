//! The binary: arguments to [`kagetsu::cli::run`], its result to the exit status.

use std::process::ExitCode;

fn main() -> ExitCode {
    kagetsu::cli::run(std::env::args_os())
}
