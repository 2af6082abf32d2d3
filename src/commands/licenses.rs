//! `galatea licenses`: under which terms the program and what is built into it may be used.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;

/// What is built in and its licences, written by `scripts/licences.sh`, packed by zstd.
const OTHERS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/licences.txt.zst"));
const OWN: &str = include_str!("../../LICENSE-MIT");
/// Bytes of the longest text.
const LONGEST: usize = 4 << 20;

pub fn run() -> anyhow::Result<ExitCode> {
    let others = zstd::bulk::decompress(OTHERS, LONGEST).context("the licences")?;
    let mut out = std::io::stdout().lock();
    let terms = "Galatea may be used under the MIT licence or the Apache licence 2.0, as you like.";
    write!(out, "{terms}\n\n{OWN}\n")?;
    out.write_all(&others)?;
    Ok(ExitCode::SUCCESS)
}
