//! Compresses the English dictionary while the crate is built.

use std::io;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    words::write()?;
    Ok(())
}

mod words {
    //! Writes the American English words of misaki: one line per word, sorted by bytes, with a tab and the pronunciation. If
    //! that depends on the part of speech, further pronunciations follow after `|`, each with a tag and `=`.

    use std::collections::BTreeMap;
    use std::fmt::Write as _;
    use std::path::PathBuf;
    use std::{env, fs, io};

    use misaki_rs::data::{load_us_gold, load_us_silver};
    use misaki_rs::lexicon::PhonemeEntry;

    /// Compression level; high, because the file is compressed once and read often.
    const LEVEL: i32 = 19;

    pub fn write() -> io::Result<()> {
        let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
        let packed = zstd::bulk::compress(all().as_bytes(), LEVEL)?;
        fs::write(out.join("english.txt.zst"), packed)
    }

    fn all() -> String {
        let mut all: BTreeMap<String, PhonemeEntry> = load_us_silver().into_iter().collect();
        // Reviewed entries have priority over unreviewed ones.
        all.extend(load_us_gold());
        let mut text = String::new();
        for (word, entry) in &all {
            let Some(line) = line(entry) else { continue };
            if !word.contains(['\t', '\n']) {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{word}\t{line}");
            }
        }
        text
    }

    /// Returns the part of a line after the tab.
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
