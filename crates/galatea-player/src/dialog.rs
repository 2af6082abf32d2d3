//! Error dialogs for people who started a bundle without a terminal.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::Path;

use galatea_math::names::printable;

/// Shows an error in a window if there is no terminal, for example after a double click, or when a folder was dropped on the
/// program. On Linux zenity shows it; without zenity, the text is only on stderr.
pub fn show_without_terminal(why: &str) {
    let is_option = |word: OsString| word.as_encoded_bytes().starts_with(b"-");
    if std::io::stderr().is_terminal() || std::env::args_os().skip(1).any(is_option) {
        return;
    }
    let program = std::env::current_exe().ok();
    let name = program.as_deref().and_then(Path::file_stem);
    let name = name.unwrap_or_default().to_string_lossy();
    rfd::MessageDialog::new()
        .set_level(rfd::MessageLevel::Error)
        .set_title(printable(&name))
        .set_description(printable(why))
        .show();
}
