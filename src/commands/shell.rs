//! `galatea completions` and `galatea man`: shell completions and manual pages.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Command, CommandFactory as _};
use clap_complete::Shell;
use galatea_asset::write_whole;

use super::Cli;

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  galatea completions bash > ~/.local/share/bash-completion/completions/galatea\n  galatea completions zsh > ~/.zfunc/_galatea\n  galatea completions fish > ~/.config/fish/completions/galatea.fish"
)]
pub struct CompletionsArgs {
    /// Shell to write completions for
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  galatea man -o ~/.local/share/man/man1\n  galatea man | man -l -"
)]
pub struct ManArgs {
    /// Output folder for one page per command; without it the page of the program is printed
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

pub fn completions(args: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "galatea", &mut text);
    std::io::stdout().lock().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}

pub fn man(args: &ManArgs) -> anyhow::Result<ExitCode> {
    let Some(folder) = &args.output else {
        clap_mangen::Man::new(Cli::command()).render(&mut std::io::stdout().lock())?;
        return Ok(ExitCode::SUCCESS);
    };
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    write_pages(&program, folder)?;
    say!("{}", folder.display());
    Ok(ExitCode::SUCCESS)
}

/// Writes the page of a command and those of its subcommands.
fn write_pages(command: &Command, folder: &Path) -> anyhow::Result<()> {
    for part in command.get_subcommands().filter(|part| !part.is_hide_set()) {
        write_pages(part, folder)?;
    }
    let man = clap_mangen::Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    write_whole(&folder.join(man.get_filename()), &page)?;
    Ok(())
}
