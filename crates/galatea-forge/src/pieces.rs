//! Assembles a model from quad meshes with weights and morph targets.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::{Mat4, Vec2, Vec3, Vec4};

use super::cage::{CageFace, normals};
use super::sdf::smoothstep;
use galatea_anim::{Bone, Skeleton};
use galatea_asset::Model;
use galatea_asset::model::{Image, Influences, Material, Mesh, MorphTarget, Part, Primitive, Skin};
use galatea_math::Trs;

/// Influences per vertex.
const PER_VERTEX: usize = 4;
/// Minimum offset of a morph target, in metres and as a fraction of the maximum; smaller ones are removed.
const MIN_OFFSET: f32 = 1e-4;
const MIN_OFFSET_FRACTION: f32 = 0.008;
/// Minimum change of a normal by a morph target; smaller ones are removed.
const MIN_NORMAL_CHANGE: f32 = 0.02;
/// Half the width of the strip around x = 0 in which left and right are blended, metres.
const BLEND_HALF_WIDTH: f32 = 0.012;

/// A morph target of a piece.
#[derive(Clone, Debug)]
pub struct Morph {
    /// Name.
    pub name: String,
    /// Offset of each point, metres.
    pub offsets: Vec<Vec3>,
}

/// A quad mesh, ready to become a part of a model.
#[derive(Clone, Debug, Default)]
pub struct QuadMesh {
    /// Name of the part.
    pub name: String,
    /// Positions of the points, metres.
    pub positions: Vec<Vec3>,
    /// Faces; their paint is an index of the model's materials.
    pub faces: Vec<CageFace>,
    /// Bones and weights of each point; weights need no particular sum.
    pub weights: Vec<Vec<(u16, f32)>>,
    /// Morph targets.
    pub morphs: Vec<Morph>,
    /// UV seams; the lower point index first.
    pub seams: BTreeSet<(u32, u32)>,
    /// Texture corners of each face; empty without a texture.
    pub laid: Vec<[UvCorner; 4]>,
    /// Ambient light of each point; empty for 1 everywhere.
    pub shade: Vec<f32>,
}

/// Texture coordinates and tangent of a face's corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UvCorner {
    /// 0..=1, v downwards.
    pub uv: Vec2,
    /// Tangent along u; w is the sign of the bitangent, which points against v.
    pub tangent: Vec4,
}

impl UvCorner {
    /// Key that distinguishes corners at the same point.
    fn key(&self) -> [u32; 3] {
        [self.uv.x, self.uv.y, self.tangent.w].map(f32::to_bits)
    }
}

/// Weight of one side at a point: 0.5 in the middle; `x` grows towards that side.
pub fn smooth_side(x: f32) -> f32 {
    smoothstep(-BLEND_HALF_WIDTH, BLEND_HALF_WIDTH, x)
}

/// Contents of a model besides its bones.
#[derive(Clone, Debug, Default)]
pub struct Stuff {
    /// Materials; faces refer to them by `paint`.
    pub materials: Vec<Material>,
    /// Images of the materials.
    pub images: Vec<Image>,
    /// Meshes.
    pub pieces: Vec<QuadMesh>,
    /// Names of variants.
    pub variants: Vec<String>,
    /// Replacement materials of each material: variant and material, ascending. May be shorter.
    pub instead: Vec<Vec<(u16, usize)>>,
}

/// Builds a model from pieces. Bones must come after their parents.
///
/// # Errors
/// If the skeleton is invalid.
pub fn model(name: &str, mut bones: Vec<Bone>, stuff: Stuff) -> Result<Model, String> {
    let Stuff {
        materials,
        images,
        pieces,
        variants,
        instead,
    } = stuff;
    let n_bones = bones.len();
    let mut places: Vec<Vec3> = Vec::with_capacity(n_bones);
    for bone in &bones {
        let origin = bone.parent.map_or(Vec3::ZERO, |p| places[usize::from(p)]);
        places.push(origin + bone.rest.translation);
    }
    let mut parts = Vec::new();
    let mut meshes = Vec::new();
    for piece in &pieces {
        let carrier = bones.len() as u16;
        let taken = |name: &str| bones.iter().any(|bone| bone.name == name);
        let mut own = piece.name.clone();
        while taken(&own) {
            own.push_str("_mesh");
        }
        bones.push(Bone {
            name: own,
            parent: None,
            rest: Trs::IDENTITY,
            skinned: false,
        });
        parts.push(Part {
            name: piece.name.clone(),
            bone: carrier,
            mesh: meshes.len(),
            skin: Some(0),
            morph_weights: vec![0.0; piece.morphs.len()],
            ..Part::default()
        });
        meshes.push(Mesh {
            name: piece.name.clone(),
            primitives: primitives(piece, &instead),
            morph_names: piece
                .morphs
                .iter()
                .map(|morph| morph.name.clone())
                .collect(),
        });
    }
    let skeleton = Skeleton::new(bones).map_err(|why| why.to_string())?;
    Ok(Model {
        name: name.into(),
        skins: vec![Skin {
            name: name.into(),
            joints: (0..n_bones as u16).collect(),
            inverse_bind: places
                .iter()
                .map(|at| Mat4::from_translation(-*at))
                .collect(),
        }],
        meshes,
        parts,
        materials,
        variants,
        images,
        skeleton: Arc::new(skeleton),
        ..Model::default()
    })
}

/// One primitive per material of a piece.
fn primitives(piece: &QuadMesh, instead: &[Vec<(u16, usize)>]) -> Vec<Primitive> {
    let smooth = normals(&piece.positions, &piece.faces);
    let turned: Vec<Vec<Vec3>> = piece
        .morphs
        .iter()
        .map(|morph| {
            let moved = piece
                .positions
                .iter()
                .zip(&morph.offsets)
                .map(|(p, offset)| *p + *offset);
            normals(&moved.collect::<Vec<_>>(), &piece.faces)
        })
        .collect();
    let mut of_paint: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
    for (f, face) in piece.faces.iter().enumerate() {
        of_paint.entry(face.paint).or_default().push(f);
    }
    let one = |(paint, faces): (u16, Vec<usize>)| Primitive {
        material: usize::from(paint),
        variants: instead.get(usize::from(paint)).cloned().unwrap_or_default(),
        ..primitive(piece, &smooth, &turned, &faces)
    };
    of_paint.into_iter().map(one).collect()
}

/// Vertices merged by equal point and texture corner.
struct Welded {
    /// Point index of each vertex.
    points: Vec<usize>,
    /// Texture corner of each vertex; empty without a texture.
    corners: Vec<UvCorner>,
    indices: Vec<u32>,
}

fn welded(piece: &QuadMesh, faces: &[usize]) -> Welded {
    let mut number: BTreeMap<(u32, [u32; 3]), u32> = BTreeMap::new();
    let mut points: Vec<usize> = Vec::new();
    let mut corners: Vec<UvCorner> = Vec::new();
    let mut indices = Vec::new();
    for &f in faces {
        let face = &piece.faces[f];
        let own = piece.laid.get(f).copied().unwrap_or_default();
        let numbers = face.corners().iter().zip(own).map(|(i, corner)| {
            *number.entry((*i, corner.key())).or_insert_with(|| {
                points.push(*i as usize);
                corners.push(corner);
                points.len() as u32 - 1
            })
        });
        let c: Vec<u32> = numbers.collect();
        // A quad is split along its shorter diagonal.
        let at = |k: usize| piece.positions[points[c[k] as usize]];
        if c.len() == 3 {
            indices.extend([c[0], c[1], c[2]]);
        } else if at(0).distance_squared(at(2)) <= at(1).distance_squared(at(3)) {
            indices.extend([c[0], c[1], c[2], c[0], c[2], c[3]]);
        } else {
            indices.extend([c[0], c[1], c[3], c[1], c[2], c[3]]);
        }
    }
    if piece.laid.is_empty() {
        corners.clear();
    }
    Welded {
        points,
        corners,
        indices,
    }
}

/// Builds a primitive of some faces, without a material.
fn primitive(
    piece: &QuadMesh,
    smooth: &[Vec3],
    turned: &[Vec<Vec3>],
    faces: &[usize],
) -> Primitive {
    let Welded {
        points,
        corners,
        indices,
    } = welded(piece, faces);
    let strongest: Vec<[(u16, f32); PER_VERTEX]> = points
        .iter()
        .map(|i| strongest(&piece.weights[*i]))
        .collect();
    let targets = piece.morphs.iter().zip(turned);
    Primitive {
        positions: points.iter().map(|i| piece.positions[*i]).collect(),
        normals: points.iter().map(|i| smooth[*i]).collect(),
        tangents: corners.iter().map(|corner| corner.tangent).collect(),
        uv0: corners.iter().map(|corner| corner.uv).collect(),
        colors: shaded(piece, &points),
        influences: Influences {
            per_vertex: PER_VERTEX,
            joints: strongest.iter().flatten().map(|(bone, _)| *bone).collect(),
            weights: strongest
                .iter()
                .flatten()
                .map(|(_, weight)| *weight)
                .collect(),
        },
        targets: targets
            .map(|(morph, turned)| target(morph, smooth, turned, &points))
            .collect(),
        indices,
        ..Primitive::default()
    }
}

/// Morph target for the vertices at some points; too small changes are removed.
fn target(morph: &Morph, smooth: &[Vec3], turned: &[Vec3], points: &[usize]) -> MorphTarget {
    let far = morph.offsets.iter().map(|by| by.length());
    let min_offset = (far.fold(0.0, f32::max) * MIN_OFFSET_FRACTION).max(MIN_OFFSET);
    let seen = |i: &usize| morph.offsets[*i].length() > min_offset;
    let moved = |i: &usize| {
        if seen(i) {
            morph.offsets[*i]
        } else {
            Vec3::ZERO
        }
    };
    let bent = |i: &usize| {
        let by = turned[*i] - smooth[*i];
        if by.length() > MIN_NORMAL_CHANGE {
            by
        } else {
            Vec3::ZERO
        }
    };
    MorphTarget {
        positions: points.iter().map(moved).collect(),
        normals: points.iter().map(bent).collect(),
        ..MorphTarget::default()
    }
}

/// Vertex colours from the ambient light.
fn shaded(piece: &QuadMesh, points: &[usize]) -> Vec<Vec4> {
    if piece.shade.is_empty() {
        return Vec::new();
    }
    let light = points
        .iter()
        .map(|i| Vec3::splat(piece.shade[*i]).extend(1.0));
    light.collect()
}

/// The four strongest influences, normalised; the first bone if there are none.
fn strongest(weights: &[(u16, f32)]) -> [(u16, f32); PER_VERTEX] {
    let mut all: Vec<(u16, f32)> = weights.iter().copied().filter(|(_, w)| *w > 0.0).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all.truncate(PER_VERTEX);
    let largest = all.first().map_or(0.0, |(_, w)| *w);
    all.retain(|(_, w)| *w > 0.004 * largest);
    let sum: f32 = all.iter().map(|(_, w)| w).sum();
    let mut out = [(0, 0.0); PER_VERTEX];
    for (slot, (bone, weight)) in out.iter_mut().zip(&all) {
        *slot = (*bone, weight / sum);
    }
    if all.is_empty() {
        out[0].1 = 1.0;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_bones_are_kept_and_sum_to_one() {
        let many = [(7, 0.2), (3, 0.4), (1, 0.0), (9, 0.2), (2, 0.1), (4, 0.3)];
        let found = strongest(&many);
        assert_eq!(found.map(|(bone, _)| bone), [3, 4, 7, 9]);
        assert!((found.iter().map(|(_, w)| w).sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(strongest(&[])[0], (0, 1.0));
    }

    #[test]
    fn a_piece_has_a_primitive_for_each_paint_and_its_targets() {
        let at = |x: f32, y: f32| Vec3::new(x, y, 0.0);
        let face = |corners: [u32; 4], paint: u16| CageFace {
            corners,
            paint,
            chart: 0,
        };
        let piece = QuadMesh {
            name: "sheet".into(),
            positions: vec![
                at(0.0, 0.0),
                at(1.0, 0.0),
                at(2.0, 0.0),
                at(0.0, 1.0),
                at(1.0, 1.0),
                at(2.0, 1.0),
            ],
            faces: vec![face([0, 1, 4, 3], 0), face([1, 2, 5, 4], 1)],
            weights: vec![vec![(0, 1.0)]; 6],
            morphs: vec![Morph {
                name: "bulge".into(),
                offsets: (0..6)
                    .map(|i| if i == 5 { Vec3::Z } else { Vec3::ZERO })
                    .collect(),
            }],
            ..QuadMesh::default()
        };
        let root = Bone {
            name: "sheet".into(),
            parent: None,
            rest: Trs::IDENTITY,
            skinned: true,
        };
        let made = model(
            "m",
            vec![root],
            Stuff {
                materials: vec![Material::default(); 2],
                pieces: vec![piece],
                ..Stuff::default()
            },
        )
        .unwrap();
        let mesh = &made.meshes[0];
        assert_eq!((mesh.primitives.len(), mesh.morph_names.len()), (2, 1));
        assert_eq!(mesh.primitives[1].indices.len(), 6);
        assert_eq!(mesh.primitives[0].normals, vec![Vec3::Z; 4]);
        let second = &mesh.primitives[1].targets[0];
        assert_eq!(second.positions.iter().filter(|p| p.z > 0.5).count(), 1);
        assert!(second.normals.iter().any(|n| n.length() > 0.1));
        // The bone of the mesh node has a unique name.
        assert_eq!(made.skeleton.bones()[1].name, "sheet_mesh");
    }
}
