//! What the program brings along, packed while it is built: the heroine and licences.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// How much work zstd spends on it.
const LEVEL: i32 = 19;
/// The first line of what `licenses` prints.
const TERMS: &str =
    "Galatea may be used under the MIT licence or the Apache licence 2.0, as you like.";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-env-changed=GALATEA_PLAYER");
    println!("cargo::rerun-if-changed=build.rs");
    give_stack();
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    for file in ["assets/galatea.glb", "docs/licences.txt", "LICENSE-MIT"] {
        println!("cargo::rerun-if-changed={file}");
    }
    write(&out, "galatea.glb", &fs::read("assets/galatea.glb")?)?;
    // Written by scripts/licences.sh.
    let others = fs::read_to_string("docs/licences.txt")?;
    let own = fs::read_to_string("LICENSE-MIT")?;
    write(
        &out,
        "licences.txt",
        format!("{TERMS}\n\n{own}\n{others}").as_bytes(),
    )?;
    // A released galatea carries its player (scripts/release.sh); in a build folder it lies beside it.
    match env::var_os("GALATEA_PLAYER") {
        Some(player) => {
            println!("cargo::rerun-if-changed={}", Path::new(&player).display());
            write(&out, "player", &fs::read(player)?)
        }
        None => fs::write(out.join("player.zst"), []),
    }
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
