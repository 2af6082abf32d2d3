//! Report of clips bound to another skeleton, for `inspect` and `clip`.

use serde::Serialize;

use galatea_anim::retarget::RetargetMode;
use galatea_asset::clips::{BoundClips, ClipSource};

#[derive(Debug, Serialize)]
/// A file of clips on a skeleton.
pub struct BindingReport {
    pub file: String,
    /// `names`, `body`, or `none` if the skeletons have too little in common.
    pub bound_by: &'static str,
    /// Size of the model relative to the clips' own body.
    pub scale: f32,
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
    /// Difference between the rest poses, degrees.
    rest_difference: Option<f32>,
    corrected: bool,
}

impl BindingReport {
    /// Report of clips that could not be bound, with the cause.
    pub fn unbound(file: &str, source: &ClipSource, cause: String) -> Self {
        let mut notes = source.warnings.clone();
        notes.push(cause);
        Self {
            file: file.to_owned(),
            bound_by: "none",
            scale: 1.0,
            clips: source.clips.iter().map(|clip| clip.name.clone()).collect(),
            bones: Vec::new(),
            unmatched_source: Vec::new(),
            unmatched_target: Vec::new(),
            left_out: Vec::new(),
            notes,
        }
    }

    /// Report of clips that were bound.
    pub fn bound(file: &str, source: &ClipSource, bound: BoundClips) -> Self {
        let report = bound.report;
        let bones = report.bones.into_iter().map(|bone| MatchReport {
            role: bone.role.map(|role| role.name()),
            source: bone.source,
            target: bone.target,
            rest_difference: bone.rest_difference,
            corrected: bone.corrected,
        });
        Self {
            file: file.to_owned(),
            bound_by: match report.manner {
                RetargetMode::Names => "names",
                RetargetMode::Body => "body",
            },
            scale: report.scale,
            clips: source.clips.iter().map(|clip| clip.name.clone()).collect(),
            bones: bones.collect(),
            unmatched_source: report.unmatched_source,
            unmatched_target: report.unmatched_target,
            left_out: bound.left_out,
            notes: [source.warnings.clone(), report.notes].concat(),
        }
    }

    /// The report as lines of text.
    pub fn lines(&self) -> Vec<String> {
        let mut out = vec![format!(
            "clips of {} ({}), bound by {}, {} bones, scale {:.3}",
            self.file,
            self.clips.len(),
            self.bound_by,
            self.bones.len(),
            self.scale
        )];
        let mut line = |text: String| out.push(format!("  {text}"));
        for bone in &self.bones {
            if let Some(degrees) = bone.rest_difference.filter(|degrees| *degrees >= 1.0) {
                let corrected = if bone.corrected { ", corrected" } else { "" };
                line(format!(
                    "{} -> {}: {degrees:.1} degrees apart at rest{corrected}",
                    bone.source, bone.target
                ));
            }
        }
        for (names, text) in [
            (&self.unmatched_source, "bones of the clips without a match"),
            (
                &self.unmatched_target,
                "bones of the model that keep their rest pose",
            ),
        ] {
            if !names.is_empty() {
                line(format!("{text}: {}", names.join(", ")));
            }
        }
        for text in &self.left_out {
            line(format!("left out: {text}"));
        }
        for note in &self.notes {
            line(format!("note: {note}"));
        }
        out
    }
}
