//! Names of morph targets behind what exporters put before them: the mesh (`face_shapes.jawOpen`), a group (`ai_jawOpen`).

use std::collections::{HashMap, HashSet};

use super::shape::{ARKIT, key};
use galatea_speech::viseme::VISEMES;

/// So many names of shapes behind one prefix make a set; fewer may be chance.
const MIN_SET: usize = 4;
/// Bytes of the longest name that is compared with those of shapes.
const MAX_SHAPE_BYTES: usize = 128;

/// The names of shapes of morph targets: of each target that belongs to a set behind a prefix what is behind it, of the
/// others the whole name. `parts` holds the part of the model of each target; where it is empty, all are of one part.
///
/// A shape of ARKit or viseme that one part has twice is only the one without a prefix, or that of the larger set.
pub fn shape_names<'a>(morphs: &[&'a str], parts: &[usize]) -> Vec<&'a str> {
    let shapes: HashSet<String> = ARKIT.iter().map(|name| key(name)).collect();
    let is_shape = |name: &str| shapes.contains(&key(name)) || is_viseme(name);
    let splits: Vec<Option<usize>> = morphs
        .iter()
        .map(|name| {
            let separators = name.char_indices().filter(|(_, c)| !c.is_alphanumeric());
            let ends = separators.map(|(i, c)| i + c.len_utf8());
            // No shape has a longer name, and a name may be as long as a file.
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
    // A prefix that is none makes the largest set.
    let size = |prefix: &str| match prefix {
        "" => usize::MAX,
        prefix => sizes.get(prefix).map_or(0, HashSet::len),
    };
    let is_set =
        |prefix: &str| size(prefix) >= MIN_SET || has_mesh(prefix) && of_meshes.len() >= MIN_SET;
    let part = |i: usize| parts.get(i).copied().unwrap_or_default();
    // For each shape of a mesh the size of the largest set that has it, and the first prefix of that size.
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

/// A prefix that names a mesh or a node, as programs write it before the names of its targets.
fn has_mesh(prefix: &str) -> bool {
    prefix.contains(['.', ':', '|'])
}

/// A viseme with the word before it; the short names alone are of too many things.
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
    fn shapes_are_found_behind_the_prefixes_of_their_set() {
        let names = [
            "face_shapes.ai_mouthSmile_L",
            "face_shapes.ai_mouthSmile_R",
            "face_shapes.ca_jawOpen",
            "face_shapes.ca_eye_blink_left",
            "face_shapes.viseme_PP",
            "face_shapes.hat",
        ];
        let wanted = [
            "mouthSmile_L",
            "mouthSmile_R",
            "jawOpen",
            "eye_blink_left",
            "viseme_PP",
            "face_shapes.hat",
        ];
        assert_eq!(shape_names(&names, &[]), wanted);
        let group = ["ai_jawOpen", "ai_jawLeft", "ai_jawRight", "ai_tongueOut"];
        assert_eq!(
            shape_names(&group, &[]),
            ["jawOpen", "jawLeft", "jawRight", "tongueOut"]
        );
    }

    #[test]
    fn a_few_names_are_no_set_and_names_without_prefix_stay() {
        let few = ["fix_jawOpen", "fix_jawLeft", "fix_jawRight"];
        assert_eq!(shape_names(&few, &[]), few);
        assert_eq!(shape_names(&ARKIT, &[]), ARKIT);
        let odd = ["", "_", "é.jawOpen", "Fcl_MTH_A"];
        assert_eq!(shape_names(&odd, &[]), odd);
    }

    #[test]
    fn a_part_has_each_shape_once_and_other_parts_their_own() {
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
