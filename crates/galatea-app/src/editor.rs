//! Opening a line of a script in an editor.

use std::path::Path;
use std::process::{Command, Stdio};

use galatea_machine::SourceLocation;

/// Command that is tried if none is given: Visual Studio Code.
const USUAL: &str = "code --goto {file}:{line}";

/// Opens a line of a file of the project. `command` is a program and its arguments, separated by spaces; `{file}` and
/// `{line}` are replaced. Does not wait for the editor.
///
/// # Errors
/// The reason why it cannot be opened, as a message for the user.
pub fn open(command: Option<&str>, root: &Path, at: &SourceLocation) -> Result<(), String> {
    let file = root.join(&at.file);
    if !file.is_file() {
        return Err(format!("{at} cannot be opened: there is no such file"));
    }
    let words = words(
        command.unwrap_or(USUAL),
        &file.display().to_string(),
        at.line,
    );
    let Some((program, arguments)) = words.split_first() else {
        return Err("--editor names no program".to_owned());
    };
    let started = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match started {
        Ok(mut editor) => {
            // The process is collected when it ends.
            let wait = std::thread::Builder::new().name("editor".into());
            let waits = wait.spawn(move || drop(editor.wait()));
            waits.map(drop).map_err(|error| error.to_string())
        }
        Err(error) => Err(format!(
            "{at} cannot be opened: {program} does not start ({error}). Start with `--editor \"PROGRAM {{file}}:{{line}}\"`"
        )),
    }
}

/// The words of a command with its placeholders replaced. A command without `{file}` gets the file at its end.
fn words(command: &str, file: &str, line: u32) -> Vec<String> {
    let has_file = command.contains("{file}");
    let line = line.to_string();
    let words = command.split_whitespace();
    let words = words.map(|word| word.replace("{line}", &line).replace("{file}", file));
    let last = (!has_file).then(|| file.to_owned());
    words.chain(last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_and_paths_with_spaces_stay_whole() {
        assert_eq!(
            words(USUAL, "/a b/main.lua", 7),
            ["code", "--goto", "/a b/main.lua:7"]
        );
        assert_eq!(words("vim +{line}", "x.lua", 3), ["vim", "+3", "x.lua"]);
    }

    #[test]
    fn missing_files_and_programs_are_reported() {
        let at = |file: &str| SourceLocation {
            file: file.into(),
            line: 1,
        };
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let missing = open(None, here, &at("none.lua")).unwrap_err();
        assert_eq!(
            missing,
            "none.lua:1 cannot be opened: there is no such file"
        );
        let program = open(Some("no-such-editor {file}"), here, &at("Cargo.toml")).unwrap_err();
        assert!(
            program.contains("no-such-editor does not start"),
            "{program}"
        );
    }
}
