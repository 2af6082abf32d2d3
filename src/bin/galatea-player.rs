//! The player that `galatea bundle` puts a project into; everything is in the crate `galatea-player`.

use std::process::ExitCode;

/// Terms of what is built in, compressed by zstd.
static LICENCES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/licences.txt.zst"));

/// What `galatea bundle` recognises a player by.
#[used]
static MARK: [u8; 33] = *b"galatea-player can hold a project";

fn main() -> ExitCode {
    galatea_player::main(LICENCES)
}
