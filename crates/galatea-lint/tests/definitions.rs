//! Both editor definitions define the same types.

use std::collections::BTreeSet;

use galatea_script::{luacats_definitions, reference::luau_definitions};

#[test]
fn both_definitions_define_the_same_types() {
    let names = |text: &str, prefixes: &[&str]| -> BTreeSet<String> {
        let name = |line: &str| {
            let rest = prefixes
                .iter()
                .find_map(|prefix| line.strip_prefix(prefix))?;
            rest.split([' ', ':']).next().map(str::to_owned)
        };
        text.lines().filter_map(name).collect()
    };
    let mut luacats = names(&luacats_definitions(), &["---@class "]);
    for own in ["vector", "vectorlib"] {
        assert!(luacats.remove(own), "{own}");
    }
    let luau = names(&luau_definitions(), &["declare class ", "export type "]);
    let only =
        |a: &BTreeSet<String>, b: &BTreeSet<String>| a.difference(b).cloned().collect::<Vec<_>>();
    assert_eq!(only(&luacats, &luau), [""; 0], "only in LuaCATS");
    assert_eq!(only(&luau, &luacats), ["Test"], "only in Luau");
}
