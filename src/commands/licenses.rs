//! `galatea licenses`: prints the licences of the program and of its built-in components.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;

/// Licence texts, compressed with zstd by `build.rs`.
const TERMS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/licences.txt.zst"));
/// Maximum size of the text, bytes.
const MAX_BYTES: usize = 4 << 20;

pub fn run() -> anyhow::Result<ExitCode> {
    let terms = zstd::bulk::decompress(TERMS, MAX_BYTES).context("cannot read the licences")?;
    std::io::stdout().lock().write_all(&terms)?;
    Ok(ExitCode::SUCCESS)
}
