//! The player that `galatea bundle` combines with a project. The code is in the crate `galatea-player`.

use std::process::ExitCode;

/// Licence texts of the built-in components, compressed with zstd.
static LICENCES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/licences.txt.zst"));

/// Marker by which `galatea bundle` recognises a player.
#[used]
static MARK: [u8; 33] = *b"galatea-player can hold a project";

fn main() -> ExitCode {
    galatea_player::main(LICENCES)
}
