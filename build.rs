//! What the program brings along, packed while it is built: the heroine, licences, and how English words are spoken.

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
    #[cfg(feature = "dictionary")]
    write(&out, "english.txt", words::all().as_bytes())?;
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

#[cfg(feature = "dictionary")]
mod words {
    //! The American words of misaki: a line for each, in the order of their bytes, with a tab and how it is spoken; where that
    //! depends on what the word is in its sentence, more of these follow behind `|`, each with a tag and `=`.

    use std::collections::BTreeMap;
    use std::fmt::Write as _;

    use misaki_rs::data::{load_us_gold, load_us_silver};
    use misaki_rs::lexicon::PhonemeEntry;

    pub fn all() -> String {
        let mut all: BTreeMap<String, PhonemeEntry> = load_us_silver().into_iter().collect();
        // What was looked through by hand goes before what was not.
        all.extend(load_us_gold());
        let mut text = String::new();
        for (word, entry) in &all {
            let Some(line) = line(entry) else { continue };
            if !word.contains(['\t', '\n']) {
                // Writing to a text does not fail.
                let _ = writeln!(text, "{word}\t{line}");
            }
        }
        text
    }

    /// What stands behind the tab.
    fn line(entry: &PhonemeEntry) -> Option<String> {
        let tagged = match entry {
            PhonemeEntry::Simple(spoken) => return Some(spoken.clone()),
            PhonemeEntry::Tagged(tagged) => tagged.iter().collect::<BTreeMap<_, _>>(),
        };
        let mut line = tagged.get(&"DEFAULT".to_owned())?.as_ref()?.clone();
        for (tag, spoken) in tagged {
            if let Some(spoken) = spoken.as_ref().filter(|_| tag != "DEFAULT") {
                let _ = write!(line, "|{tag}={spoken}");
            }
        }
        Some(line)
    }
}
