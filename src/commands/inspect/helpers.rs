//! Report of helper bones, constraints and the range of the eyes.

use serde::Serialize;

use galatea_asset::model::Model;
use galatea_math::Trs;
use galatea_rig::helper::{DriverTarget, HelperKind, HelperSpec};
use galatea_rig::look_at::{GazeKind, GazeRange, LookAt};

#[derive(Debug, Serialize)]
pub struct HelpersReport {
    /// Constraints of VRMC_node_constraint.
    constraints: Vec<HelperReport>,
    /// Helpers in the extras of nodes.
    helpers: Vec<HelperReport>,
    /// Twist bones detected by name, which nothing else in the file moves.
    twists_by_name: Vec<HelperReport>,
    look_at: Option<GazeReport>,
}

#[derive(Debug, Serialize)]
struct HelperReport {
    kind: &'static str,
    bones: Vec<String>,
    source: Option<String>,
    weights: Vec<f32>,
    morph: Option<String>,
}

#[derive(Debug, Serialize)]
struct GazeReport {
    /// Kind of the gaze control: `bone` or `expression`.
    kind: &'static str,
    /// Offset of the gaze origin in head space, metres.
    offset: Option<[f32; 3]>,
    /// Maximum gaze angle in degrees, and the eye output at that angle: degrees, or a weight.
    inner: [f32; 2],
    outer: [f32; 2],
    down: [f32; 2],
    up: [f32; 2],
}

/// Helpers of a file, including those detected by name.
pub fn helpers(model: &Model) -> HelpersReport {
    let skeleton = &model.skeleton;
    let rest: Vec<Trs> = skeleton.rest().collect();
    let (humanoid, _) = model.humanoid();
    let own: Vec<&HelperSpec> = model.constraints.iter().chain(&model.helpers).collect();
    let found = HelperSpec::found_in(skeleton, &rest, &humanoid, |bone| {
        let name = skeleton.bones().get(usize::from(bone));
        let helped = |spec: &&HelperSpec| name.is_some_and(|b| spec.bones.contains(&b.name));
        let mut tracks = model.clips.iter().flat_map(|clip| &clip.bones);
        own.iter().any(helped) || tracks.any(|track| track.bone == bone)
    });
    let list = |specs: &[HelperSpec]| specs.iter().map(report).collect();
    HelpersReport {
        constraints: list(&model.constraints),
        helpers: list(&model.helpers),
        twists_by_name: list(&found),
        look_at: model.look_at.as_ref().map(gaze),
    }
}

fn report(spec: &HelperSpec) -> HelperReport {
    let is_morph = spec.output.is_none_or(|to| to == DriverTarget::Morph);
    HelperReport {
        kind: spec.kind.name(),
        bones: spec.bones.clone(),
        source: spec.source.clone(),
        weights: spec.weights.clone(),
        morph: spec
            .morph
            .clone()
            .filter(|_| spec.kind == HelperKind::Driver && is_morph),
    }
}

fn gaze(look: &LookAt) -> GazeReport {
    let range = |range: GazeRange| [range.input, range.output];
    GazeReport {
        kind: match look.kind {
            GazeKind::Bone => "bone",
            GazeKind::Expression => "expression",
        },
        offset: look.offset.map(|offset| offset.to_array()),
        inner: range(look.inner),
        outer: range(look.outer),
        down: range(look.down),
        up: range(look.up),
    }
}

/// The report as lines; empty for a file without helpers.
pub fn lines(report: &HelpersReport) -> Vec<String> {
    let mut lines = Vec::new();
    let lists = [
        ("constraints", &report.constraints),
        ("helpers", &report.helpers),
        ("twist bones by name", &report.twists_by_name),
    ];
    for (title, list) in lists {
        if !list.is_empty() {
            lines.push(format!("{title} ({})", list.len()));
            lines.extend(list.iter().map(|helper| format!("  {}", helper.text())));
        }
    }
    if let Some(gaze) = &report.look_at {
        let range = |[input, output]: [f32; 2]| format!("{input}° to {output}{}", gaze.unit());
        lines.push(format!(
            "look at: {}s, inner {}, outer {}, down {}, up {}",
            gaze.kind,
            range(gaze.inner),
            range(gaze.outer),
            range(gaze.down),
            range(gaze.up)
        ));
    }
    lines
}

impl HelperReport {
    fn text(&self) -> String {
        let what = match &self.morph {
            Some(morph) => format!("morph {morph}"),
            None => self.bones.join(", "),
        };
        let source = self.source.as_deref();
        let source = source.map_or_else(String::new, |source| format!(" < {source}"));
        let weights = self.weights.iter().map(|weight| format!("{weight:.2}"));
        let weights: Vec<String> = weights.collect();
        let weights = match weights.len() {
            0 => String::new(),
            _ => format!(", weight {}", weights.join(" ")),
        };
        format!("{} {what}{source}{weights}", self.kind)
    }
}

impl GazeReport {
    fn unit(&self) -> &'static str {
        if self.kind == "bone" { "°" } else { "" }
    }
}
