//! What `galatea inspect` says of a model's humanoid bones, and of clip files tried on it.

use std::path::Path;

use glam::Vec3;
use serde::Serialize;

use crate::anim::humanoid::How;
use crate::anim::retarget::{Manner, Options};
use crate::asset::clips;
use crate::asset::model::Model;

#[derive(Debug, Serialize)]
pub struct HumanoidReport {
    /// 0 to 1; 0 when limbs are missing.
    confidence: f32,
    /// The direction the character looks at rest, model space.
    looks_along: [f32; 3],
    found: Vec<RoleReport>,
    missing: Vec<&'static str>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct RoleReport {
    role: &'static str,
    bone: String,
    how: &'static str,
    confidence: f32,
}

#[derive(Debug, Serialize)]
pub struct PackReport {
    file: String,
    /// `names`, `body`, or `none` when the skeletons have too little in common.
    bound_by: &'static str,
    /// The model's size over the clips' own body.
    scale: f32,
    clips: Vec<String>,
    bones: Vec<MatchReport>,
    unmatched_source: Vec<String>,
    unmatched_target: Vec<String>,
    left_out: Vec<String>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct MatchReport {
    role: Option<&'static str>,
    source: String,
    target: String,
    /// Degrees between the two at rest.
    rest_difference: Option<f32>,
    corrected: bool,
}

/// The humanoid bones of a model.
pub fn humanoid(model: &Model) -> HumanoidReport {
    let (humanoid, report) = model.humanoid();
    let bones = model.skeleton.bones();
    HumanoidReport {
        confidence: report.confidence(),
        looks_along: (humanoid.model_from_character * Vec3::Z).round().to_array(),
        found: report
            .found
            .iter()
            .map(|found| RoleReport {
                role: found.role.name(),
                bone: bones[usize::from(found.bone)].name.clone(),
                how: found.how.word(),
                confidence: found.confidence,
            })
            .collect(),
        missing: report.missing.iter().map(|role| role.name()).collect(),
        notes: report.notes,
    }
}

/// What becomes of a file's clips on a model.
pub fn pack(file: &Path, model: &Model) -> anyhow::Result<PackReport> {
    let source = clips::load(file)?;
    let (humanoid, _) = model.humanoid();
    let mut out = PackReport {
        file: file.display().to_string(),
        bound_by: "none",
        scale: 1.0,
        clips: source.clips.iter().map(|clip| clip.name.clone()).collect(),
        bones: Vec::new(),
        unmatched_source: Vec::new(),
        unmatched_target: Vec::new(),
        left_out: Vec::new(),
        notes: source.warnings.clone(),
    };
    match source.onto(model, &humanoid, Options::default()) {
        Err(error) => out.notes.push(error.to_string()),
        Ok(bound) => {
            let report = bound.report;
            out.bound_by = match report.manner {
                Manner::Names => "names",
                Manner::Body => "body",
            };
            out.scale = report.scale;
            out.left_out = bound.left_out;
            out.unmatched_source = report.unmatched_source;
            out.unmatched_target = report.unmatched_target;
            out.notes.extend(report.notes);
            out.bones = report
                .bones
                .into_iter()
                .map(|bone| MatchReport {
                    role: bone.role.map(|role| role.name()),
                    source: bone.source,
                    target: bone.target,
                    rest_difference: bone.rest_difference,
                    corrected: bone.corrected,
                })
                .collect();
        }
    }
    Ok(out)
}

/// Both as lines of text.
pub fn lines(humanoid: &HumanoidReport, packs: &[PackReport]) -> Vec<String> {
    let mut out = Vec::new();
    let direction = match humanoid.looks_along {
        [0.0, 0.0, 1.0] => "+Z",
        [0.0, 0.0, -1.0] => "-Z",
        [1.0, 0.0, 0.0] => "+X",
        [-1.0, 0.0, 0.0] => "-X",
        [0.0, 1.0, 0.0] => "+Y",
        [0.0, -1.0, 0.0] => "-Y",
        _ => "no axis",
    };
    let found = &humanoid.found;
    let ways = [How::Declared, How::Name, How::Structure, How::Shape];
    let ways = ways.map(|how| {
        (
            how.word(),
            found.iter().filter(|f| f.how == how.word()).count(),
        )
    });
    let ways: Vec<String> = ways
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(word, n)| format!("{n} by {word}"))
        .collect();
    if found.is_empty() {
        out.push("humanoid (no bones of a body found)".into());
    } else {
        out.push(format!(
            "humanoid ({} roles: {}; looks along {direction}; confidence {:.2})",
            found.len(),
            ways.join(", "),
            humanoid.confidence
        ));
        for role in found {
            let unsure = if role.confidence < 0.9 {
                format!(" ({}, {:.2})", role.how, role.confidence)
            } else {
                String::new()
            };
            out.push(format!("  {} = {}{unsure}", role.role, role.bone));
        }
        if !humanoid.missing.is_empty() {
            out.push(format!("  missing: {}", humanoid.missing.join(", ")));
        }
    }
    out.extend(humanoid.notes.iter().map(|note| format!("  note: {note}")));
    for pack in packs {
        out.extend(pack_lines(pack));
    }
    out
}

fn pack_lines(pack: &PackReport) -> Vec<String> {
    let mut out = vec![format!(
        "clips of {} ({}), bound by {}, {} bones, scale {:.3}",
        pack.file,
        pack.clips.len(),
        pack.bound_by,
        pack.bones.len(),
        pack.scale
    )];
    let mut line = |text: String| out.push(format!("  {text}"));
    for bone in &pack.bones {
        if let Some(degrees) = bone.rest_difference.filter(|degrees| *degrees >= 1.0) {
            let corrected = if bone.corrected { ", corrected" } else { "" };
            line(format!(
                "{} -> {}: {degrees:.1} degrees apart at rest{corrected}",
                bone.source, bone.target
            ));
        }
    }
    for (names, text) in [
        (&pack.unmatched_source, "of the clips, without a partner"),
        (&pack.unmatched_target, "of the model, staying at rest"),
    ] {
        if !names.is_empty() {
            line(format!("{text}: {}", names.join(", ")));
        }
    }
    for text in &pack.left_out {
        line(format!("left out: {text}"));
    }
    for note in &pack.notes {
        line(format!("note: {note}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::gltf;

    #[test]
    fn the_built_in_character_is_a_body_and_its_own_clips_bind_by_name() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/galatea.glb");
        let model = gltf::load(&file).unwrap();
        let report = humanoid(&model);
        assert_eq!(report.missing, Vec::<&str>::new());
        assert_eq!(report.looks_along, [0.0, 0.0, 1.0]);
        let pack = pack(&file, &model).unwrap();
        assert_eq!((pack.bound_by, pack.scale), ("names", 1.0));
        let text = lines(&report, &[pack]).join("\n");
        assert!(text.contains("left_upper_arm = left_upper_arm"), "{text}");
        assert!(text.contains("looks along +Z; confidence 0.95"), "{text}");
    }
}
