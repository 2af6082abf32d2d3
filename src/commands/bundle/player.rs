//! The player that a bundle is made of.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use galatea_asset::pack::Pack;
use memchr::memmem;

/// Bytes of the largest player.
const MAX_BYTES: usize = 256 << 20;
/// What every player contains (`src/bin/galatea-player.rs`), with each byte flipped in its lowest bit, so that this
/// program does not contain it.
const MARK: &[u8] = b"f`m`ud`,qm`xds!b`o!inme!`!qsnkdbu";

/// A player and the name that messages give it.
pub struct PlayerBinary {
    pub name: String,
    pub program: Vec<u8>,
}

/// Reads the player: `runtime` if it is given, else the one that this program carries (`carried`, compressed by zstd),
/// else the one beside this program.
///
/// # Errors
/// No player, or a file that cannot be read.
pub fn find(runtime: Option<&Path>, carried: &[u8]) -> anyhow::Result<PlayerBinary> {
    if let Some(file) = runtime {
        let name = file.display().to_string();
        let program = fs::read(file).with_context(|| name.clone())?;
        return Ok(PlayerBinary { name, program });
    }
    if !carried.is_empty() {
        let program = zstd::bulk::decompress(carried, MAX_BYTES).context("the carried player")?;
        let name = "the carried player".into();
        return Ok(PlayerBinary { name, program });
    }
    let own = std::env::current_exe().context("this program does not find itself")?;
    let file = own.with_file_name(format!("galatea-player{}", std::env::consts::EXE_SUFFIX));
    let name = file.display().to_string();
    match fs::read(&file) {
        Ok(program) => Ok(PlayerBinary { name, program }),
        Err(error) => bail!(
            "{name}: {error}; it comes with galatea, `cargo build` makes both, and --runtime names another"
        ),
    }
}

impl PlayerBinary {
    /// Checks that the program is a player, and an empty one.
    ///
    /// # Errors
    /// Another program, or a bundle.
    pub fn check(&self) -> anyhow::Result<()> {
        ensure!(
            Pack::starts(&self.program).next().is_none(),
            "it holds a project already; --runtime takes a plain galatea-player"
        );
        let mark: Vec<u8> = MARK.iter().map(|byte| byte ^ 1).collect();
        ensure!(
            memmem::find(&self.program, &mark).is_some(),
            "it is not galatea's player; --runtime takes a galatea-player"
        );
        Ok(())
    }
}
