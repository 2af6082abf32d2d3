//! Messages for missing files and folders, with the nearest name.

use std::io;
use std::path::Path;

use galatea_math::names::nearest;

use super::vfs;

/// The most similar name in the folder of a path, of the entries that fit.
fn similar_name(path: &Path, fits: fn(&Path) -> bool) -> Option<String> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new(".")));
    let entries = entries.into_iter().flatten().flatten();
    let names: Vec<String> = entries
        .filter(|entry| fits(&entry.path()))
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    nearest(&name, names.iter().map(String::as_str)).map(str::to_owned)
}

/// End of the message for a missing file: the file that differs only in letter case, or the most similar name.
pub fn file_hint(path: &Path) -> String {
    let hint = vfs::case_hint(path);
    match hint.is_empty() {
        true => did_you_mean(similar_name(path, Path::is_file)),
        false => hint,
    }
}

/// Message for a missing file, with the most similar name in its folder.
pub fn missing_file(path: &Path) -> String {
    format!("{}: {}", path.display(), no_file(file_hint(path)))
}

/// Message for a missing script, with the most similar name in its folder and in the folder `scripts` there.
pub fn missing_script(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    let in_scripts = path.with_file_name("scripts").join(name);
    let near_in_scripts = || {
        let near = similar_name(&in_scripts, Path::is_file)?;
        Some(format!("scripts/{near}"))
    };
    let near = match in_scripts.is_file() {
        true => near_in_scripts(),
        false => similar_name(path, Path::is_file).or_else(near_in_scripts),
    };
    format!("{}: {}", path.display(), no_file(did_you_mean(near)))
}

/// Message for a file that cannot be read, without its name.
pub fn unreadable(path: &Path, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => no_file(file_hint(path)),
        _ => format!("cannot be read: {error}"),
    }
}

fn no_file(hint: String) -> String {
    format!("there is no such file{hint}")
}

fn did_you_mean(near: Option<String>) -> String {
    near.map_or_else(String::new, |name| format!("; did you mean {name:?}?"))
}

/// End of the message for a missing folder of a project.
pub fn folder_hint(path: &Path) -> String {
    match similar_name(path, Path::exists) {
        _ if vfs::is_file(path) => ", but there is a file of this name".to_owned(),
        Some(name) => format!("; did you mean {name:?}?"),
        None => format!("; create a project with `galatea new {}`", path.display()),
    }
}

/// End of the message for a missing file of a project: the most similar name of `known`, without regard to folders and
/// endings, which most files share; otherwise the names.
pub fn nearest_file<'a>(path: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let stem = |path: &'a str| Path::new(path).file_stem().unwrap_or_default().to_str();
    let stems: Vec<(&str, &str)> = known
        .clone()
        .filter_map(|file| Some((stem(file)?, file)))
        .collect();
    let own = Path::new(path)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    match nearest(&own, stems.iter().map(|(stem, _)| *stem)) {
        Some(near) => {
            let file = stems.iter().find(|(stem, _)| *stem == near);
            file.map_or_else(String::new, |(_, file)| format!("; did you mean {file:?}?"))
        }
        None => {
            let files: Vec<&str> = known.take(MAX_LISTED).collect();
            match files.len() {
                0 | MAX_LISTED => String::new(),
                _ => format!("; available: {}", files.join(", ")),
            }
        }
    }
}

/// Number of files from which a message does not list them.
const MAX_LISTED: usize = 33;

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn folders_and_endings_do_not_make_files_of_a_project_similar() {
        let known = ["assets/galatea.glb", "assets/tree.glb"];
        let hint = |path| nearest_file(path, known.into_iter());
        assert_eq!(
            hint("assets/tre.glb"),
            "; did you mean \"assets/tree.glb\"?"
        );
        let none = "; available: assets/galatea.glb, assets/tree.glb";
        assert_eq!(hint("assets/dog.glb"), none);
    }

    #[test]
    fn the_nearest_file_is_suggested_and_scripts_are_found_in_their_folder() {
        let root = std::env::temp_dir().join(format!("galatea-missing-{}", std::process::id()));
        fs::create_dir_all(root.join("game/scripts")).unwrap();
        for file in ["game/scripts/main.lua", "game/hero.glb", "game/other.lua"] {
            fs::write(root.join(file), "").unwrap();
        }
        let at = |name: &str| root.join(name);
        for (told, end) in [
            (
                missing_file(&at("game/hreo.glb")),
                "hreo.glb: there is no such file; did you mean \"hero.glb\"?",
            ),
            (
                missing_file(&at("game/zzzzzz.bvh")),
                "zzzzzz.bvh: there is no such file",
            ),
            (
                missing_script(&at("game/main.lua")),
                "main.lua: there is no such file; did you mean \"scripts/main.lua\"?",
            ),
            (
                missing_script(&at("game/mian.lua")),
                "mian.lua: there is no such file; did you mean \"scripts/main.lua\"?",
            ),
            (
                missing_script(&at("game/othre.lua")),
                "othre.lua: there is no such file; did you mean \"other.lua\"?",
            ),
            (
                unreadable(&at("game/hreo.glb"), &io::ErrorKind::NotFound.into()),
                "there is no such file; did you mean \"hero.glb\"?",
            ),
            (folder_hint(&at("gmae")), "; did you mean \"game\"?"),
            (
                folder_hint(&at("game/hero.glb")),
                ", but there is a file of this name",
            ),
        ] {
            assert!(told.ends_with(end), "{told}");
        }
        let new = at("game/zzzzzz");
        let hint = format!("; create a project with `galatea new {}`", new.display());
        assert_eq!(folder_hint(&new), hint);
        fs::remove_dir_all(&root).unwrap();
    }
}
