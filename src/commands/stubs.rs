//! `galatea stubs`: editor definitions and the API reference, from the registration tables.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::ProjectArg;
use galatea_asset::write_whole;
use galatea_script::{luacats_definitions, reference};

/// Arguments of `stubs`.
#[derive(Debug, Args)]
pub struct StubsArgs {
    #[command(flatten)]
    project: ProjectArg,
    /// Also write the API reference as Markdown to this file
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,
}

pub fn run(args: &StubsArgs) -> anyhow::Result<ExitCode> {
    let stubs = [
        ("galatea.d.luau", reference::luau_definitions()),
        ("galatea.meta.lua", luacats_definitions()),
    ];
    for (name, text) in stubs {
        let file = args.project.dir.join(name);
        write_whole(&file, text.as_bytes())?;
        say!("{}", file.display());
    }
    if let Some(file) = &args.reference {
        write_whole(file, reference::markdown().as_bytes())?;
        say!("{}", file.display());
    }
    Ok(ExitCode::SUCCESS)
}
