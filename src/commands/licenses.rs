//! `galatea licenses`: under which terms the program and what is built into it may be used.

use std::io::Write as _;
use std::process::ExitCode;

/// What is built in and its licences, written by `scripts/licences.sh`.
const OTHERS: &str = include_str!("../../docs/licences.txt");
const OWN: &str = include_str!("../../LICENSE-MIT");

/// All of it as one text.
pub fn text() -> String {
    format!(
        "Galatea may be used under the MIT licence or the Apache licence 2.0, as you like.\n\n{OWN}\n{OTHERS}"
    )
}

pub fn run() -> anyhow::Result<ExitCode> {
    std::io::stdout().lock().write_all(text().as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
