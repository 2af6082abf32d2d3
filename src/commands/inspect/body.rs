//! Report of humanoid bones, and of clip files on a model.

use std::path::Path;

use glam::Vec3;
use serde::Serialize;

use super::super::binding::BindingReport;
use galatea_anim::humanoid::RoleSource;
use galatea_anim::retarget::RetargetOptions;
use galatea_asset::clips;
use galatea_asset::model::Model;

#[derive(Debug, Serialize)]
pub struct HumanoidReport {
    /// Confidence, 0..=1; 0 if limbs are missing.
    confidence: f32,
    /// Forward direction at rest, model space.
    pub(super) looks_along: [f32; 3],
    pub(super) found: Vec<RoleReport>,
    pub(super) missing: Vec<&'static str>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct RoleReport {
    role: &'static str,
    bone: String,
    how: &'static str,
    confidence: f32,
}

/// Report of a model's humanoid bones.
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

/// Result of binding a file's clips to a model.
pub fn pack(file: &Path, model: &Model) -> anyhow::Result<BindingReport> {
    let source = clips::load(file)?;
    let (humanoid, _) = model.humanoid();
    let name = file.display().to_string();
    Ok(
        match source.onto(model, &humanoid, RetargetOptions::default()) {
            Err(error) => BindingReport::unbound(&name, &source, error.to_string()),
            Ok(bound) => BindingReport::bound(&name, &source, bound),
        },
    )
}

/// Both reports as lines of text.
pub fn lines(humanoid: &HumanoidReport, packs: &[BindingReport]) -> Vec<String> {
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
    let ways = [
        RoleSource::Declared,
        RoleSource::Name,
        RoleSource::Structure,
        RoleSource::Shape,
    ];
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
        out.push("humanoid (no human bones found)".into());
    } else {
        out.push(format!(
            "humanoid ({} roles: {}; faces {direction}; confidence {:.2})",
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
        out.extend(pack.lines());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_asset::gltf;

    #[test]
    fn the_built_in_character_is_a_body_and_its_own_clips_bind_by_name() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb");
        let model = gltf::load(&file).unwrap();
        let report = humanoid(&model);
        assert_eq!(report.missing, Vec::<&str>::new());
        assert_eq!(report.looks_along, [0.0, 0.0, 1.0]);
        let pack = pack(&file, &model).unwrap();
        assert_eq!((pack.bound_by, pack.scale), ("names", 1.0));
        let text = lines(&report, &[pack]).join("\n");
        assert!(text.contains("left_upper_arm = left_upper_arm"), "{text}");
        assert!(text.contains("faces +Z; confidence 0.95"), "{text}");
    }
}
