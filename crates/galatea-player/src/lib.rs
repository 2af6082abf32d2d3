//! The player: a program that plays the project that is packed into it.
//!
//! `galatea bundle` appends a packed project to this program. The player opens it without extracting files to the disk, and
//! plays it in a window; [`main`] is the whole program. It has no tools: no model forge, no importers of other model
//! formats, no linters and no benchmarks. `galatea` reads the project in a player with [`open`].
//!
//! ```
//! use std::path::Path;
//!
//! // A bundle for macOS is a folder around its program.
//! let program = Path::new("/Applications/Demo.app/Contents/MacOS/Demo");
//! let app = galatea_player::app_folder(program).unwrap();
//! assert_eq!(app, Path::new("/Applications/Demo.app"));
//! ```
//!
//! # Dependencies
//! Windows and sessions of `galatea-app`, and what these use. It must not depend on `galatea-forge`, `galatea-import` or the
//! commands of `galatea`.

mod args;
mod dialog;
mod log;
mod packed;
mod play;
mod timings;

use std::process::ExitCode;

use galatea_app::crash;
use galatea_guard::contained;

pub use log::start as start_log;
pub use packed::{DICTIONARY, SECTION, app_folder, mount, open, unpack};

/// Plays the project in this program, or executes the command line options. `licences` are the licence texts of the
/// dependencies, compressed by zstd.
pub fn main(licences: &[u8]) -> ExitCode {
    quiet_graphics_libraries();
    crash::install("galatea-player");
    #[cfg(windows)]
    take_terminal();
    let result = contained("playing", || play::run(licences));
    let result = result.unwrap_or_else(|caught| Err(anyhow::Error::msg(caught.notice)));
    if let Err(error) = &result {
        let text = format!("{error:#}");
        dialog::show_without_terminal(&text);
        eprintln!("error: {}", galatea_math::names::printable(&text));
    }
    match (result, crash::has_errors()) {
        (_, true) => ExitCode::from(crash::EXIT_CODE),
        (Ok(()), false) => ExitCode::SUCCESS,
        (Err(_), false) => ExitCode::from(1),
    }
}

/// Sets `XDG_RUNTIME_DIR` if it is missing. Otherwise Vulkan's window-system layer warns on stderr, once per adapter. Call
/// it first in `main`, before any other thread runs.
pub fn quiet_graphics_libraries() {
    if cfg!(target_os = "linux") && std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: both programs call this first in `main`, where no other thread reads the environment.
        unsafe { std::env::set_var("XDG_RUNTIME_DIR", std::env::temp_dir()) };
    }
}

/// Attaches a GUI program to the terminal that started it, because Windows does not.
#[cfg(windows)]
fn take_terminal() {
    use std::os::windows::io::AsRawHandle as _;
    use windows_sys::Win32::System::Console::{ATTACH_PARENT_PROCESS, AttachConsole};
    // Redirected output stays redirected.
    if std::io::stdout().as_raw_handle().is_null() {
        // SAFETY: the call takes no pointer. Without a terminal it fails, and nothing is written.
        unsafe { AttachConsole(ATTACH_PARENT_PROCESS) };
    }
}
