//! `galatea licenses`: under which terms the program and what is built into it may be used.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;

/// The terms, compressed by zstd while the program is built (`build.rs`).
const TERMS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/licences.txt.zst"));
/// Bytes of the longest text.
const MAX_BYTES: usize = 4 << 20;

pub fn run() -> anyhow::Result<ExitCode> {
    let terms = zstd::bulk::decompress(TERMS, MAX_BYTES).context("the licences")?;
    std::io::stdout().lock().write_all(&terms)?;
    Ok(ExitCode::SUCCESS)
}
