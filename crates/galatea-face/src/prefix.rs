//! Removes prefixes that exporters add to morph target names: the mesh (`face_shapes.jawOpen`) or a group (`ai_jawOpen`).

use std::collections::{HashMap, HashSet};

use super::shape::{ARKIT, key};
use galatea_speech::viseme::VISEMES;

/// Minimum number of shape names with the same prefix that form a set; fewer may be a coincidence.
const MIN_SET: usize = 4;
/// Maximum length of a name that is compared with shape names, bytes.
const MAX_SHAPE_BYTES: usize = 128;

/// Returns the shape name of each morph target: without the prefix for targets of a set, the whole name for others. `parts`
/// is the part of each target; empty means that all belong to one part.
///
/// If a part has an ARKit shape or viseme twice, only the name without a prefix counts, or the one of the larger set.
pub fn shape_names<'a>(morphs: &[&'a str], parts: &[usize]) -> Vec<&'a str> {
    let shapes: HashSet<String> = ARKIT.iter().map(|name| key(name)).collect();
    let is_shape = |name: &str| shapes.contains(&key(name)) || is_viseme(name);
    let splits: Vec<Option<usize>> = morphs
        .iter()
        .map(|name| {
            let separators = name.char_indices().filter(|(_, c)| !c.is_alphanumeric());
            let ends = separators.map(|(i, c)| i + c.len_utf8());
            // No shape has a longer name, but a name in a file may be arbitrarily long.
            let splits = std::iter::once(0).chain(ends);
            let mut splits = splits.filter(|i| name.len() - i <= MAX_SHAPE_BYTES);
            splits.find(|i| is_shape(&name[*i..]))
        })
        .collect();
    let mut sizes: HashMap<&str, HashSet<String>> = HashMap::new();
    let mut of_meshes = HashSet::new();
    for (name, split) in morphs.iter().zip(&splits) {
        let Some((prefix, shape)) = split.map(|i| name.split_at(i)) else {
            continue;
        };
        sizes.entry(prefix).or_default().insert(key(shape));
        if has_mesh(prefix) {
            of_meshes.insert(key(shape));
        }
    }
    // The empty prefix counts as the largest set.
    let size = |prefix: &str| match prefix {
        "" => usize::MAX,
        prefix => sizes.get(prefix).map_or(0, HashSet::len),
    };
    let is_set =
        |prefix: &str| size(prefix) >= MIN_SET || has_mesh(prefix) && of_meshes.len() >= MIN_SET;
    let part = |i: usize| parts.get(i).copied().unwrap_or_default();
    // For each shape of a part: the size of the largest set that contains it, and the first prefix of that size.
    let mut largest: HashMap<(usize, String), (usize, &str)> = HashMap::new();
    for (i, (name, split)) in morphs.iter().zip(&splits).enumerate() {
        if let Some((prefix, shape)) = split.map(|i| name.split_at(i)) {
            let slot = largest.entry((part(i), key(shape))).or_insert((0, prefix));
            if size(prefix) > slot.0 {
                *slot = (size(prefix), prefix);
            }
        }
    }
    let named = morphs.iter().zip(&splits).enumerate();
    let names = named.map(|(i, (name, split))| {
        let Some((prefix, shape)) = split.map(|i| name.split_at(i)) else {
            return *name;
        };
        let best = largest.get(&(part(i), key(shape)));
        let is_largest = best.is_some_and(|(_, first)| *first == prefix);
        match is_set(prefix) && is_largest {
            true => shape,
            false => *name,
        }
    });
    names.collect()
}

/// Returns true for a prefix that names a mesh or a node.
fn has_mesh(prefix: &str) -> bool {
    prefix.contains(['.', ':', '|'])
}

/// Returns true for a viseme name with its prefix word; the short names alone would be ambiguous.
fn is_viseme(name: &str) -> bool {
    let lower = name.to_lowercase();
    ["viseme_", "vrc.v_"].iter().any(|word| {
        let rest = lower.strip_prefix(word);
        rest.is_some_and(|rest| VISEMES.iter().any(|v| v.name().eq_ignore_ascii_case(rest)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_found_after_the_prefix_of_their_set() {
        let names = [
            "face_shapes.ai_mouthSmile_L",
            "face_shapes.ai_mouthSmile_R",
            "face_shapes.ca_jawOpen",
            "face_shapes.ca_eye_blink_left",
            "face_shapes.viseme_PP",
            "face_shapes.hat",
        ];
        let expected = [
            "mouthSmile_L",
            "mouthSmile_R",
            "jawOpen",
            "eye_blink_left",
            "viseme_PP",
            "face_shapes.hat",
        ];
        assert_eq!(shape_names(&names, &[]), expected);
        let group = ["ai_jawOpen", "ai_jawLeft", "ai_jawRight", "ai_tongueOut"];
        assert_eq!(
            shape_names(&group, &[]),
            ["jawOpen", "jawLeft", "jawRight", "tongueOut"]
        );
    }

    #[test]
    fn a_few_names_are_not_a_set_and_names_without_prefix_stay() {
        let few = ["fix_jawOpen", "fix_jawLeft", "fix_jawRight"];
        assert_eq!(shape_names(&few, &[]), few);
        assert_eq!(shape_names(&ARKIT, &[]), ARKIT);
        let odd = ["", "_", "é.jawOpen", "Fcl_MTH_A"];
        assert_eq!(shape_names(&odd, &[]), odd);
    }

    #[test]
    fn each_part_has_a_shape_only_once() {
        let mut names = vec![
            "jawOpen",
            "fix_jawOpen",
            "fix_jawLeft",
            "fix_jawRight",
            "fix_mouthLeft",
        ];
        let of_fix = ["jawOpen", "fix_jawOpen", "jawLeft", "jawRight", "mouthLeft"];
        assert_eq!(shape_names(&names, &[]), of_fix);
        names.push("teeth_jawOpen");
        assert_eq!(shape_names(&names, &[0; 6])[5], "teeth_jawOpen");
        names.extend(["teeth_jawLeft", "teeth_jawRight", "teeth_mouthLeft"]);
        let parts = [0, 0, 0, 0, 0, 1, 1, 1, 1];
        assert_eq!(
            shape_names(&names, &parts)[5..],
            ["jawOpen", "jawLeft", "jawRight", "mouthLeft"]
        );
    }
}
