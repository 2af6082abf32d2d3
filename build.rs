//! What the program brings along, packed while it is built: the heroine and licences.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// How much work zstd spends on it.
const LEVEL: i32 = 19;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    give_stack();
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    for file in ["assets/galatea.glb", "docs/licences.txt"] {
        println!("cargo::rerun-if-changed={file}");
        let name = file.rsplit('/').next().unwrap_or(file);
        write(&out, name, &fs::read(file)?)?;
    }
    Ok(())
}

/// The first thread of a program has 8 MB of stack on Linux and macOS, and 1 MB on Windows unless its file says otherwise.
fn give_stack() {
    const BYTES: u32 = 8 << 20;
    let is = |what: &str, value: &str| env::var(what).is_ok_and(|it| it == value);
    if is("CARGO_CFG_TARGET_OS", "windows") {
        let argument = if is("CARGO_CFG_TARGET_ENV", "msvc") {
            format!("/STACK:{BYTES}")
        } else {
            format!("-Wl,--stack,{BYTES}")
        };
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}

fn write(out: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let packed = zstd::bulk::compress(bytes, LEVEL)?;
    fs::write(out.join(format!("{name}.zst")), packed)
}
