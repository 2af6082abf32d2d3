//! Finds the face of a model: morph target names, the file's expressions, face bones.

use glam::Vec3;

use super::loaded_model::LoadedModel;
use galatea_anim::humanoid::Role;
use galatea_asset::model::{Factor, MaterialValues, TextureSlot};
use galatea_face::{BoneKind, FaceBone, FaceRig, FaceSide, FaceSource, SourceExpression, key};
use galatea_rig::expression::MaterialPart;
use galatea_rig::trunk::Resting;

/// Rotation of a fully open jaw, degrees; human jaws open to 25 or 30.
const JAW_DEGREES: f32 = 22.0;
/// Rotation that closes the upper and the lower eyelids, degrees.
const LID_DEGREES: [f32; 2] = [32.0, -8.0];
/// Maximum rise of the brows relative to body height.
const BROW_RISE: f32 = 0.004;

/// Returns the face rig of a model.
pub(super) fn face_rig(loaded: &LoadedModel) -> FaceRig {
    let expressions = loaded.model.expressions.iter().map(|expression| {
        let binds = expression.morphs.iter().filter_map(|bind| {
            let index = loaded.morph_index_on(bind.bone, bind.target);
            index.map(|i| (i, bind.weight))
        });
        SourceExpression {
            name: &expression.name,
            morphs: binds.collect(),
            materials: &expression.materials,
            is_binary: expression.is_binary,
            overrides: expression.overrides,
        }
    });
    FaceRig::new(&FaceSource {
        morphs: loaded.target_names(),
        parts: loaded.target_parts(),
        rest: &loaded.rest.morphs,
        expressions: expressions.collect(),
        bones: face_bones(loaded),
    })
}

fn face_bones(loaded: &LoadedModel) -> Vec<FaceBone> {
    let skeleton = &loaded.model.skeleton;
    let humanoid = loaded.clips.humanoid();
    let Some(head) = humanoid.bone(Role::Head) else {
        return Vec::new();
    };
    let rest = Resting::new(skeleton, humanoid.model_from_character);
    let is_below_head = |bone: u16| {
        let up = std::iter::successors(Some(bone), |bone| rest.parent(*bone));
        up.skip(1).any(|above| above == head)
    };
    let mut found = Vec::new();
    for (i, bone) in (0..).zip(skeleton.bones()) {
        let of_jaw = humanoid.bone(Role::Jaw) == Some(i);
        let kind = if of_jaw {
            Some((
                BoneKind::Jaw,
                Vec3::X * JAW_DEGREES.to_radians(),
                Vec3::ZERO,
            ))
        } else if is_below_head(i) {
            let above = rest.parent(i).and_then(|parent| rest.model(parent));
            let scale = above.map_or(1.0, |m| m.matrix3.determinant().abs().cbrt());
            let size = skeleton.height() / scale.max(1e-6);
            by_name(&bone.name, size)
        } else {
            None
        };
        let Some((kind, rotation, shift)) = kind else {
            continue;
        };
        // In a chain of bones of the same kind only the first is used; it carries the others.
        let of_kind = |bone: &FaceBone| bone.kind == kind;
        let up = std::iter::successors(rest.parent(i), |bone| rest.parent(*bone));
        let mut up = up.filter(|above| {
            found
                .iter()
                .any(|b: &FaceBone| of_kind(b) && b.bone == *above)
        });
        if up.next().is_some() {
            continue;
        }
        found.push(FaceBone {
            bone: i,
            kind,
            parent_from_character: rest.parent_from_character(i),
            turn: rotation,
            shift,
        });
    }
    // There is only one jaw; the humanoid's jaw has priority.
    if humanoid.bone(Role::Jaw).is_some() {
        let jaw = humanoid.bone(Role::Jaw);
        found.retain(|bone| bone.kind != BoneKind::Jaw || Some(bone.bone) == jaw);
    }
    found
}

fn by_name(name: &str, size: f32) -> Option<(BoneKind, Vec3, Vec3)> {
    let lower = name.to_lowercase();
    let plain = key(name);
    let side = || -> FaceSide {
        let word = lower.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let ends = |ends: &[&str]| ends.iter().any(|end| word.ends_with(end));
        if plain.contains("left") || ends(&[".l", "_l"]) || lower.contains(".l_") {
            FaceSide::Left
        } else if plain.contains("right") || ends(&[".r", "_r"]) || lower.contains(".r_") {
            FaceSide::Right
        } else {
            FaceSide::Middle
        }
    };
    if lower.contains("jaw") || lower.contains("mandible") {
        return Some((
            BoneKind::Jaw,
            Vec3::X * JAW_DEGREES.to_radians(),
            Vec3::ZERO,
        ));
    }
    if lower.contains("eyelid")
        || lower
            .split(['_', '.', ' '])
            .any(|word| word.starts_with("lid"))
    {
        let is_lower = lower.contains("low") || lower.contains("bot") || lower.contains("lid.b");
        let rotation = Vec3::X * LID_DEGREES[usize::from(is_lower)].to_radians();
        return Some((BoneKind::Lid(side()), rotation, Vec3::ZERO));
    }
    if lower.contains("brow") {
        return Some((
            BoneKind::Brow(side()),
            Vec3::ZERO,
            Vec3::Y * (BROW_RISE * size),
        ));
    }
    None
}

/// Collects the changes that expressions make to material values; `weights` are those of [`FaceRig::materials`].
pub(super) fn material_shifts(
    rig: &FaceRig,
    weights: &[f32],
    file: impl Fn(u16) -> Option<MaterialValues>,
    out: &mut Vec<(u16, Factor, usize, f32)>,
) {
    for (binds, weight) in rig
        .materials
        .iter()
        .zip(weights)
        .filter(|(_, w)| **w != 0.0)
    {
        for bind in binds {
            let Some(values) = file(bind.material) else {
                continue;
            };
            let mut add = |factor: Factor, numbers: &[f32]| {
                for (i, target) in numbers.iter().enumerate() {
                    if let Some(base) = values.numbers(factor).get(i) {
                        out.push((bind.material, factor, i, (target - base) * weight));
                    }
                }
            };
            match bind.part {
                MaterialPart::Color => add(Factor::BaseColor, &bind.target),
                MaterialPart::Emission => add(Factor::EmissiveFactor, &bind.target[..3]),
                MaterialPart::Uv => {
                    for slot in TextureSlot::ALL {
                        add(Factor::UvScale(slot), &bind.target[..2]);
                        add(Factor::UvOffset(slot), &bind.target[2..]);
                    }
                }
            }
        }
    }
    out.sort_by_key(|(material, ..)| *material);
}
