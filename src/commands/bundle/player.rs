//! The player executable of a bundle.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use galatea_asset::pack::Pack;
use memchr::memmem;

/// Maximum size of a player, bytes.
const MAX_BYTES: usize = 256 << 20;
/// The marker in every player (`src/bin/galatea-player.rs`), with the lowest bit of each byte flipped, so that this program
/// does not contain it.
const MARK: &[u8] = b"f`m`ud`,qm`xds!b`o!inme!`!qsnkdbu";

/// A player and its name in messages.
pub struct PlayerBinary {
    pub name: String,
    pub program: Vec<u8>,
}

/// Reads the player: `runtime` if given, else the one embedded in this program (`carried`, compressed with zstd), else the
/// one next to this program.
///
/// # Errors
/// When there is no player, or a file cannot be read.
pub fn find(runtime: Option<&Path>, carried: &[u8]) -> anyhow::Result<PlayerBinary> {
    if let Some(file) = runtime {
        let name = file.display().to_string();
        let program = fs::read(file).with_context(|| name.clone())?;
        return Ok(PlayerBinary { name, program });
    }
    if !carried.is_empty() {
        let program = zstd::bulk::decompress(carried, MAX_BYTES)
            .context("cannot unpack the built-in player")?;
        let name = "the built-in player".into();
        return Ok(PlayerBinary { name, program });
    }
    let own = std::env::current_exe().context("cannot find this program's own file")?;
    let file = own.with_file_name(format!("galatea-player{}", std::env::consts::EXE_SUFFIX));
    let name = file.display().to_string();
    match fs::read(&file) {
        Ok(program) => Ok(PlayerBinary { name, program }),
        Err(error) => bail!(
            "{name}: {error}; `cargo build` builds it together with galatea; --runtime selects another player"
        ),
    }
}

impl PlayerBinary {
    /// Checks that the program is a player without a project.
    ///
    /// # Errors
    /// When it is another program, or a bundle.
    pub fn check(&self) -> anyhow::Result<()> {
        ensure!(
            Pack::starts(&self.program).next().is_none(),
            "it already contains a project; --runtime needs a plain galatea-player"
        );
        let mark: Vec<u8> = MARK.iter().map(|byte| byte ^ 1).collect();
        ensure!(
            memmem::find(&self.program, &mark).is_some(),
            "it is not Galatea's player; --runtime needs a galatea-player"
        );
        Ok(())
    }
}
