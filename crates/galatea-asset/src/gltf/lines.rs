//! Line primitives of a file: hair strands as exported by other programs. They are not drawn themselves.

use std::path::Path;

use glam::Vec3;
use gltf::json;
use gltf::json::mesh::{Mode, Semantic};
use gltf::json::validation::Checked;

use super::accessor::{GltfSource, Integers};
use super::error::{LoadFault, Warnings};
use super::nodes::Tree;
use super::{Buffers, External, ModelLoadError, container, with_files};
use galatea_anim::local_to_model;

/// Polylines of a file in the order of the nodes, in model space at rest, metres. They come from primitives of the modes
/// LINE_STRIP, LINE_LOOP and LINES. With LINES, a segment that begins at the end of another continues it.
///
/// # Errors
/// As [`load`](super::load).
pub fn load_lines(path: &Path) -> Result<Vec<Vec<Vec3>>, ModelLoadError> {
    Ok(with_files(path, |_, bytes, read| lines(bytes, read))?.0)
}

/// Loads lines from memory like [`load_lines`]; `read` returns referenced files.
pub(super) fn lines(
    bytes: &[u8],
    read: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<Vec<Vec<Vec3>>, LoadFault> {
    let warnings = Warnings::default();
    let (document, bin) = container::open(bytes, &warnings)?;
    let mut external = External::new(bytes, read);
    let tree = Tree::build(&document, &warnings)?;
    let buffers = Buffers::fetch(&document, bin.as_deref(), &mut external, &warnings)?;
    let source = GltfSource {
        document: &document,
        buffers: &buffers,
        warnings: &warnings,
    };
    let rest: Vec<_> = tree.skeleton.rest().collect();
    let mut places = Vec::new();
    local_to_model(&tree.skeleton, &rest, &mut places);
    let mut out = Vec::new();
    for &node in &tree.shown {
        let mesh = document.nodes[node].mesh.map(|mesh| mesh.value());
        let mesh = mesh.and_then(|mesh| document.meshes.get(mesh));
        let world = tree
            .bone(node)
            .and_then(|bone| places.get(usize::from(bone)));
        let (Some(mesh), Some(world)) = (mesh, world) else {
            continue;
        };
        let first = out.len();
        for primitive in &mesh.primitives {
            add(&source, primitive, &mut out)?;
        }
        for point in out[first..].iter_mut().flatten() {
            *point = world.transform_point3(*point);
        }
    }
    Ok(out)
}

fn add(
    source: &GltfSource,
    primitive: &json::mesh::Primitive,
    out: &mut Vec<Vec<Vec3>>,
) -> Result<(), LoadFault> {
    let fault = |part: &str, cause: String| LoadFault::data(format!("lines, {part}"), cause);
    let mode = match primitive.mode {
        Checked::Valid(mode @ (Mode::Lines | Mode::LineStrip | Mode::LineLoop)) => mode,
        _ => return Ok(()),
    };
    let positions = primitive
        .attributes
        .get(&Checked::Valid(Semantic::Positions));
    let Some(positions) = positions else {
        return Ok(());
    };
    let places = source
        .floats::<3>(*positions, Integers::AsMarked)
        .map_err(|cause| fault("positions", cause))?;
    let order: Vec<u32> = match primitive.indices {
        Some(accessor) => {
            let read = source.integers::<1>(accessor);
            let read = read.map_err(|cause| fault("indices", cause))?;
            read.into_iter().flatten().collect()
        }
        None => (0..places.len() as u32).collect(),
    };
    let at = |i: u32| places.get(i as usize).copied().map(Vec3::from_array);
    let known: Vec<u32> = order.into_iter().filter(|i| at(*i).is_some()).collect();
    let strands: Vec<Vec<u32>> = match mode {
        Mode::Lines => joined(&known),
        Mode::LineLoop => {
            let closing = known.first().copied();
            vec![known.into_iter().chain(closing).collect()]
        }
        _ => vec![known],
    };
    let strands = strands.into_iter().filter(|strand| !strand.is_empty());
    out.extend(strands.map(|strand| strand.into_iter().filter_map(at).collect()));
    Ok(())
}

/// Joins consecutive segments to strands.
fn joined(ends: &[u32]) -> Vec<Vec<u32>> {
    let mut strands: Vec<Vec<u32>> = Vec::new();
    for pair in ends.chunks_exact(2) {
        match strands.last_mut() {
            Some(strand) if strand.last() == Some(&pair[0]) => strand.push(pair[1]),
            _ => strands.push(pair.to_vec()),
        }
    }
    strands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_that_follow_each_other_are_one_strand() {
        assert_eq!(
            joined(&[0, 1, 1, 2, 5, 6, 6, 7, 9]),
            [vec![0, 1, 2], vec![5, 6, 7]]
        );
        assert!(joined(&[3]).is_empty());
    }
}
