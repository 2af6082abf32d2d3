//! The program `galatea`: reads the command line, runs a command, says what went wrong.

use std::process::ExitCode;

use clap::Parser as _;

/// What a new project begins with, packed by zstd. It is here and not in the library, which would be built anew for each change of it.
static CHARACTER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/galatea.glb.zst"));

fn main() -> ExitCode {
    quiet_graphics_libraries();
    #[cfg(windows)]
    take_terminal();
    let done = match galatea::commands::run_shipped(CHARACTER) {
        Ok(Some(code)) => Ok(code),
        Ok(None) => {
            let cli = galatea::commands::Cli::parse();
            galatea::commands::start_log();
            galatea::commands::run(cli, CHARACTER)
        }
        Err(error) => {
            galatea::commands::show_without_terminal(&format!("{error:#}"));
            Err(error)
        }
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            // A reader that went away (`galatea inspect … | head`) is no fault.
            let broken_pipe = error
                .downcast_ref::<std::io::Error>()
                .is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe);
            if broken_pipe {
                return ExitCode::SUCCESS;
            }
            let text = format!("{error:#}");
            eprintln!("error: {}", galatea::math::names::printable(&text));
            ExitCode::from(1)
        }
    }
}

/// Vulkan's window-system layer complains on stderr, once per adapter, when this is not set.
fn quiet_graphics_libraries() {
    if cfg!(target_os = "linux") && std::env::var_os("XDG_RUNTIME_DIR").is_none() {
        // SAFETY: nothing else runs yet, so nobody reads the environment meanwhile.
        unsafe { std::env::set_var("XDG_RUNTIME_DIR", std::env::temp_dir()) };
    }
}

/// A program with windows, as a bundle is, has no part in the terminal that it was started in until it asks.
#[cfg(windows)]
fn take_terminal() {
    use std::os::windows::io::AsRawHandle as _;
    use windows_sys::Win32::System::Console::{ATTACH_PARENT_PROCESS, AttachConsole};
    // What leads into a file or another program stays as it is.
    if std::io::stdout().as_raw_handle().is_null() {
        // SAFETY: it takes no pointer. It fails where there is no terminal, and then nothing is written.
        unsafe { AttachConsole(ATTACH_PARENT_PROCESS) };
    }
}
