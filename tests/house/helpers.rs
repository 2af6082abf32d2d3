//! The page about helper bones documents every kind and field, and its examples load.

use galatea::asset::helper::read;
use galatea::rig::helper::{DriverTarget, HelperKind, Measured};
use serde_json::Value;

const PAGE: &str = include_str!("../../docs/helpers.md");

#[test]
fn the_page_has_every_kind_and_field() {
    let quoted = |word: &str| PAGE.contains(&format!("`{word}`"));
    for (name, kind) in HelperKind::ALL {
        assert!(quoted(name), "{name}");
        for field in kind.fields() {
            assert!(quoted(field), "{name}: {field}");
        }
    }
    let measured = Measured::ALL.map(|(word, _)| word);
    let driven = DriverTarget::ALL.map(|(word, _)| word);
    for word in measured.iter().chain(&driven) {
        assert!(quoted(word), "{word}");
    }
}

#[test]
fn the_examples_of_the_page_are_read_without_a_warning() {
    let mut n = 0;
    for block in PAGE.split("```json\n").skip(1) {
        let text = block.split("```").next().unwrap();
        for node in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
            let node = node.unwrap();
            let helper = &node["extras"]["helper"];
            let mut warnings = Vec::new();
            let read = read(helper, "node", &mut |text| warnings.push(text));
            assert_eq!(warnings, Vec::<String>::new(), "{helper}");
            n += read.len();
        }
    }
    assert_eq!(n, 9);
}
