//! The program `galatea`: reads the command line, runs a command, reports errors.

use std::process::ExitCode;

use galatea::app::crash;
use galatea::commands::EmbeddedFiles;
use galatea::guard::contained;

/// Files embedded in the program, compressed with zstd. They are here and not in the library, which would be rebuilt
/// whenever one changes.
static EMBEDDED: EmbeddedFiles = EmbeddedFiles {
    character: include_bytes!(concat!(env!("OUT_DIR"), "/galatea.glb.zst")),
    player: include_bytes!(concat!(env!("OUT_DIR"), "/player.zst")),
};

fn main() -> ExitCode {
    galatea_player::quiet_graphics_libraries();
    crash::install("galatea");
    let cli = match galatea::commands::parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    galatea::commands::start_log(cli.wants_timings());
    let activity = format!("running {}", cli.name());
    let result = contained(activity, || galatea::commands::run(cli, &EMBEDDED));
    let result = result.unwrap_or_else(|caught| Err(anyhow::Error::msg(caught.notice)));
    let code = exit_code(result);
    match crash::has_errors() {
        true => ExitCode::from(crash::EXIT_CODE),
        false => code,
    }
}

/// Reports the error of a command.
fn exit_code(result: anyhow::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) => {
            // A closed pipe (`galatea inspect … | head`) is no error.
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
