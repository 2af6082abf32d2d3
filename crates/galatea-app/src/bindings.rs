//! `bindings.toml`: the key bindings that a player chose, stored next to `galatea.toml`.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use toml::Spanned;

use galatea_asset::{OutputFolder, toml_fault, vfs};
use galatea_math::data_fault::{DataFault, TextPosition};
use galatea_math::names::nearest_hint;
use galatea_stage::{AxisKeys, Bindings, keys};

/// Name of the file in the project's folder.
pub const FILE: &str = "bindings.toml";
/// Maximum file size, bytes.
const MAX_BYTES: u64 = 256 << 10;
/// Number of attempts to read a faulty file, and the pause between two attempts.
const TRIES: u32 = 4;
const PAUSE: Duration = Duration::from_millis(20);
/// Comment at the start of the file.
const HEAD: &str = "# Key bindings chosen by the player. They override the bindings of the scripts.\n# Delete this file to use the bindings of the scripts again.\n\n";

/// Content of the file. Every key has its position, for error messages.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct BindingsFile {
    actions: BTreeMap<String, Vec<Spanned<String>>>,
    axes: BTreeMap<String, Axis>,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Axis {
    negative: Vec<Spanned<String>>,
    positive: Vec<Spanned<String>>,
    stick: Vec<Spanned<String>>,
}

/// Loads the bindings that a player saved in a project; empty if there is no file. A faulty file is read again a few times,
/// because an editor may be writing it.
///
/// # Errors
/// The error in the file, with its position.
pub fn load(root: &Path) -> Result<Bindings, String> {
    let mut read = load_once(root);
    for _ in 1..TRIES {
        if let Ok(Some(bindings)) = read {
            return Ok(bindings);
        }
        std::thread::sleep(PAUSE);
        read = load_once(root);
    }
    read.map(Option::unwrap_or_default)
}

/// Loads the bindings; `None` for an empty file, which an editor may have emptied to write it.
fn load_once(root: &Path) -> Result<Option<Bindings>, String> {
    let path = root.join(FILE);
    let file = path.display().to_string();
    match vfs::read_text(&path, MAX_BYTES) {
        Ok(text) if text.is_empty() => Ok(None),
        Ok(text) => parse(&text).map(Some).map_err(|fault| fault.in_file(&file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some(Bindings::default())),
        Err(error) => Err(format!("{file}: {error}")),
    }
}

/// Parses the text of a bindings file.
///
/// # Errors
/// The error, with its position.
fn parse(text: &str) -> Result<Bindings, DataFault> {
    let read: BindingsFile = toml::from_str(text).map_err(|error| toml_fault(&error, text))?;
    let mut bindings = Bindings::default();
    let key = |names| {
        checked(text, names, "key", keys::is_key, || {
            keys::key_names().collect()
        })
    };
    for (action, names) in read.actions {
        if !bindings.bind(&action, key(names)?) {
            return Err(too_many("actions"));
        }
    }
    for (name, axis) in read.axes {
        let axis = AxisKeys {
            negative: key(axis.negative)?,
            positive: key(axis.positive)?,
            sticks: checked(text, axis.stick, "stick", keys::is_stick, || {
                keys::stick_names().collect()
            })?,
        };
        if !bindings.bind_axis(&name, axis) {
            return Err(too_many("axes"));
        }
    }
    Ok(bindings)
}

fn too_many(what: &str) -> DataFault {
    DataFault {
        position: None,
        problem: format!("too many {what}; the limit is {}", Bindings::MAX_NAMES),
    }
}

fn checked(
    text: &str,
    names: Vec<Spanned<String>>,
    what: &str,
    is_one: fn(&str) -> bool,
    known: fn() -> Vec<&'static str>,
) -> Result<Vec<String>, DataFault> {
    let fault = |name: &Spanned<String>, problem: String| DataFault {
        position: TextPosition::of(text, name.span().start),
        problem,
    };
    if let Some(first) = names.get(Bindings::MAX_KEYS) {
        let limit = Bindings::MAX_KEYS;
        let problem =
            format!("too many keys; an action or one side of an axis has at most {limit}");
        return Err(fault(first, problem));
    }
    if let Some(wrong) = names.iter().find(|name| !is_one(name.get_ref())) {
        let name = wrong.get_ref();
        let hint = nearest_hint(name, known().into_iter());
        return Err(fault(wrong, format!("unknown {what} {name:?}{hint}")));
    }
    Ok(names.into_iter().map(Spanned::into_inner).collect())
}

/// Saves the bindings of a project. The file is replaced atomically; without bindings it is removed.
///
/// # Errors
/// The reason why the file cannot be written.
pub fn save(root: &Path, bindings: &Bindings) -> Result<(), String> {
    let folder = OutputFolder::new(root, "");
    let in_root = |error: io::Error| format!("{}: {error}", root.display());
    if bindings.is_empty() {
        return match root.exists() {
            true => folder.remove(FILE).map_err(in_root),
            false => Ok(()),
        };
    }
    let text = toml::to_string(bindings).map_err(|error| format!("{FILE}: {error}"))?;
    let text = format!("{HEAD}{text}");
    // A script may request saving in every tick.
    if vfs::read_text(&root.join(FILE), MAX_BYTES).is_ok_and(|before| before == text) {
        return Ok(());
    }
    let written = folder.write(FILE, text.as_bytes());
    written.map(drop).map_err(in_root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn bindings_survive_a_round_trip_and_the_file_is_readable() {
        let mut bindings = Bindings::default();
        bindings.bind("jump", vec!["j".into(), "pad_east".into()]);
        bindings.bind("two words", Vec::new());
        let axis = AxisKeys {
            negative: vec!["left".into()],
            sticks: vec!["pad2_right_x".into()],
            ..AxisKeys::default()
        };
        bindings.bind_axis("lean", axis);
        let root = std::env::temp_dir().join(format!("galatea-bindings-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        save(&root, &bindings).unwrap();
        let path = root.join(FILE);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(load(&root), Ok(bindings));
        let lines = "\n[actions]\njump = [\"j\", \"pad_east\"]\n\"two words\" = []\n\n[axes.lean]\nnegative = [\"left\"]\nstick = [\"pad2_right_x\"]\n";
        assert!(text.ends_with(lines), "{text}");
        save(&root, &Bindings::default()).unwrap();
        assert!(!path.exists());
        assert_eq!(load(&root), Ok(Bindings::default()));
        fs::remove_dir_all(&root).unwrap();
        fs::write(&root, "a file").unwrap();
        assert!(save(&root, &parse("[actions]\njump = []").unwrap()).is_err());
        fs::remove_file(&root).unwrap();
    }

    /// Several programs that play the same project save, while another one starts.
    #[test]
    fn several_programs_save_at_once_and_none_reads_a_half_written_file() {
        let root = std::env::temp_dir().join(format!("galatea-shared-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        let of = |key: &str| {
            let mut bindings = Bindings::default();
            for i in 0..200 {
                bindings.bind(&format!("action {i}"), vec![key.into()]);
            }
            bindings
        };
        let both = [of("j"), of("space")];
        save(&root, &both[0]).unwrap();
        std::thread::scope(|scope| {
            for own in &both {
                let root = &root;
                scope.spawn(move || (0..60).for_each(|_| save(root, own).unwrap()));
            }
            for _ in 0..200 {
                let read = load_once(&root);
                assert!(
                    matches!(&read, Ok(Some(read)) if both.contains(read)),
                    "{read:?}"
                );
            }
        });
        assert_eq!(fs::read_dir(&root).unwrap().count(), 1);
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_file_that_an_editor_is_about_to_write_is_read_again() {
        let root = std::env::temp_dir().join(format!("galatea-half-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        // Half a file, and one that was emptied to be written.
        for begun in ["[actions]\njump = [\"j", ""] {
            fs::write(root.join(FILE), begun).unwrap();
            let editor = root.join(FILE);
            let writer = std::thread::spawn(move || {
                std::thread::sleep(PAUSE);
                fs::write(editor, "[actions]\njump = [\"j\"]").unwrap();
            });
            assert!(load(&root).is_ok_and(|read| !read.is_empty()));
            writer.join().unwrap();
        }
        fs::write(root.join(FILE), "[actions]\njump = [\"j").unwrap();
        assert!(load(&root).unwrap_err().contains("bindings.toml:2:"));
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn errors_name_their_line() {
        let many = format!("[actions]\njump = {:?}", ["a"; 40]);
        for (text, line, what) in [
            (
                "[actions]\njump = [\"spcae\"]",
                2,
                "did you mean \"space\"?",
            ),
            ("[actions]\njump =", 2, "expected"),
            (
                "[actions]\njump = \"j\"",
                2,
                "jump: expected a list, got the text \"j\"",
            ),
            (
                "[action]\njump = [\"j\"]",
                1,
                "unknown field \"action\"; did you mean \"actions\"?",
            ),
            (
                "[axes.lean]\nnegative = []\nstick = [\n\"pad_lfet_x\"]",
                4,
                "pad_left_x",
            ),
            (&many, 2, "at most 32"),
        ] {
            let error = parse(text).unwrap_err().in_file(FILE);
            assert!(error.starts_with(&format!("{FILE}:{line}:")), "{error}");
            assert!(error.contains(what), "{error}");
        }
    }
}
