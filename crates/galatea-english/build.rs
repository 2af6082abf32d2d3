//! Packs the English dictionary while the crate is built.

use std::io;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    words::write()?;
    Ok(())
}

mod words {
    //! The American words of misaki: a line for each, in the order of their bytes, with a tab and how it is spoken; where that
    //! depends on what the word is in its sentence, more of these follow behind `|`, each with a tag and `=`.

    use std::collections::BTreeMap;
    use std::fmt::Write as _;
    use std::path::PathBuf;
    use std::{env, fs, io};

    use misaki_rs::data::{load_us_gold, load_us_silver};
    use misaki_rs::lexicon::PhonemeEntry;

    /// Compression level: the file is packed once and read often.
    const LEVEL: i32 = 19;

    pub fn write() -> io::Result<()> {
        let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
        let packed = zstd::bulk::compress(all().as_bytes(), LEVEL)?;
        fs::write(out.join("english.txt.zst"), packed)
    }

    fn all() -> String {
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
