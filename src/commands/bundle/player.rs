//! The player that a bundle is made of.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use galatea_asset::pack::Pack;

/// Bytes of the largest player.
const MAX_BYTES: usize = 256 << 20;
/// What every player contains (`src/bin/galatea-player.rs`), in two halves, so that this program does not contain it.
const MARK: [&str; 2] = ["galatea", "-player can hold a project"];

/// Reads the player: `runtime` if it is given, else the one that this program carries (`carried`, compressed by zstd),
/// else the one beside this program.
///
/// # Errors
/// No player, or a file that is none.
pub fn find(runtime: Option<&Path>, carried: &[u8]) -> anyhow::Result<Vec<u8>> {
    if let Some(file) = runtime {
        let program = fs::read(file).with_context(|| file.display().to_string())?;
        return checked(program).with_context(|| file.display().to_string());
    }
    if !carried.is_empty() {
        return zstd::bulk::decompress(carried, MAX_BYTES).context("the player in this program");
    }
    let own = std::env::current_exe().context("this program does not find itself")?;
    let name = format!("galatea-player{}", std::env::consts::EXE_SUFFIX);
    let beside = own.with_file_name(&name);
    match fs::read(&beside) {
        Ok(program) => checked(program).with_context(|| beside.display().to_string()),
        Err(error) => bail!(
            "{}: {error}; it comes with galatea, `cargo build` makes both, and --runtime names another",
            beside.display()
        ),
    }
}

fn checked(program: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    ensure!(
        Pack::starts(&program).next().is_none(),
        "it holds a project already; --runtime takes a plain galatea-player"
    );
    let mark = MARK.concat();
    let is_player = program.windows(mark.len()).any(|at| at == mark.as_bytes());
    ensure!(
        is_player,
        "it is not galatea's player; --runtime takes a galatea-player"
    );
    Ok(program)
}
