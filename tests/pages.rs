//! Generated pages are what the registration tables say. `./x bless` writes them again.

use std::fs;
use std::path::Path;

use galatea::script::reference;

fn same_as(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("GALATEA_BLESS").is_some() {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).unwrap();
        }
        fs::write(&path, text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == text,
        "{file} is not what the tables say: run ./x bless"
    );
}

#[test]
fn the_reference_page_is_up_to_date() {
    same_as("docs/lua-api.md", &reference::markdown());
}

#[test]
fn the_editor_stubs_are_up_to_date() {
    same_as("galatea.d.luau", &reference::luau_definitions());
}
