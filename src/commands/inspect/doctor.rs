//! Rig check: which features a character supports, which fallbacks are used, and what to change in Blender.

use serde::Serialize;

use super::ModelReport;
use galatea_face::ARKIT;

/// Result of the rig check.
#[derive(Debug, Serialize)]
pub struct DoctorReport {
    /// Score, 0..=100.
    score: u32,
    findings: Vec<Finding>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Completeness {
    Good,
    /// Partly supported.
    Part,
    Missing,
}

impl DoctorReport {
    /// Score, 0 to 100.
    pub fn score(&self) -> u32 {
        self.score
    }

    /// Incomplete features: name, finding, effect and solution, the heaviest first.
    pub fn advice(&self) -> Vec<[&str; 4]> {
        let mut incomplete: Vec<&Finding> = self.findings.iter().collect();
        incomplete.retain(|finding| finding.instead.is_some());
        incomplete.sort_by_key(|finding| {
            let lost = match finding.state {
                Completeness::Missing => 2 * finding.weight,
                _ => finding.weight,
            };
            std::cmp::Reverse(lost)
        });
        let rows = incomplete.into_iter().filter_map(|finding| {
            let (effect, solution) = (finding.instead?, finding.mend?);
            Some([finding.what, finding.found.as_str(), effect, solution])
        });
        rows.collect()
    }
}

/// One checked feature.
#[derive(Debug, Serialize)]
struct Finding {
    what: &'static str,
    state: Completeness,
    /// Weight in the score; the weights of all features add up to 100.
    weight: u32,
    found: String,
    /// Fallback; `None` if the feature is fully supported.
    instead: Option<&'static str>,
    /// Advice.
    mend: Option<&'static str>,
}

/// Plausible height of a person including headwear, metres.
const HUMAN_HEIGHT: std::ops::RangeInclusive<f32> = 0.5..=3.0;
/// Plausible size of an animal, metres.
const ANIMAL_SIZE: std::ops::RangeInclusive<f32> = 0.03..=30.0;

/// Returns true for a body with more than two legs. It needs no hands, and no mouth shapes for speech.
pub(super) fn is_animal(report: &ModelReport) -> bool {
    report.rig.legs.len() > 2
}

struct Findings(Vec<Finding>);

impl Findings {
    fn add(
        &mut self,
        (what, weight): (&'static str, u32),
        state: Completeness,
        found: String,
        (instead, mend): (&'static str, &'static str),
    ) {
        let is_good = state == Completeness::Good;
        self.0.push(Finding {
            what,
            state,
            weight,
            found,
            instead: (!is_good).then_some(instead),
            mend: (!is_good).then_some(mend),
        });
    }
}

const fn state(good: bool, some: bool) -> Completeness {
    match (good, some) {
        (true, _) => Completeness::Good,
        (_, true) => Completeness::Part,
        _ => Completeness::Missing,
    }
}

/// Checks a model; `None` without bones or mesh, and for objects without a body, such as gates and banners.
pub fn examine(report: &ModelReport) -> Option<DoctorReport> {
    let is_thing =
        report.humanoid.found.is_empty() && report.rig.legs.is_empty() && report.face.is_none();
    if report.parts.is_empty() || report.skins.is_empty() || is_thing {
        return None;
    }
    let mut all = Findings(Vec::new());
    body(report, &mut all);
    limbs(report, &mut all);
    face(report, &mut all);
    clips(report, &mut all);
    let whole: u32 = all.0.iter().map(|finding| finding.weight).sum();
    let own = |finding: &Finding| match finding.state {
        Completeness::Good => 2 * finding.weight,
        Completeness::Part => finding.weight,
        Completeness::Missing => 0,
    };
    let own: u32 = all.0.iter().map(own).sum();
    Some(DoctorReport {
        score: (50 * own).checked_div(whole).unwrap_or(0),
        findings: all.0,
    })
}

fn body(report: &ModelReport, all: &mut Findings) {
    let [width, height, depth] = report.size;
    let size = height.max(width).max(depth);
    let plausible = if is_animal(report) {
        ANIMAL_SIZE
    } else {
        HUMAN_HEIGHT
    };
    all.add(
        ("size", 8),
        state(plausible.contains(&size), false),
        format!("{height:.2} m tall"),
        (
            "the model is drawn at this size; ragdolls, steps and cameras are made for human size",
            "set the scale of the armature's object, 0.01 if centimetres were taken for metres (apply it only before there are clips); or use character(file, { scale = … })",
        ),
    );
    let [x, _, z] = report.humanoid.looks_along;
    // The forward direction of animals cannot be judged from humanoid bones.
    if report.humanoid.missing.is_empty() && !is_animal(report) {
        all.add(
            ("direction", 7),
            state(z > 0.5, false),
            match report.facing.turned {
                turned if z > 0.5 && turned != 0.0 => format!(
                    "it faces +Z, turned by {turned:.0}° from its file ({})",
                    report.facing.signs.join(", ")
                ),
                _ if z > 0.5 => "it faces +Z".into(),
                _ if z < -0.5 => "it faces -Z: backwards".into(),
                _ if x.abs() > 0.5 => "it faces sideways".into(),
                _ => "it is lying down or upside down".into(),
            },
            (
                "the character walks and turns with this wrong direction",
                "character(file, { forward_axis = \"-z\" }), or \"+x\" or \"-x\"; or turn the armature until it faces -Y in Blender (+Z after export), then Object > Apply > Rotation",
            ),
        );
    }
    let lacks = &report.humanoid.missing;
    all.add(
        ("skeleton", 15),
        state(
            lacks.is_empty() || is_animal(report),
            report.humanoid.found.len() >= 8,
        ),
        match lacks.is_empty() {
            _ if is_animal(report) => format!("{} legs", report.rig.legs.len()),
            true => format!("{} roles of a human body", report.humanoid.found.len()),
            false => format!("no {}", lacks.join(", ")),
        },
        (
            "clips of other skeletons are matched by bone names only; ragdoll, gaze and reach use the bones that exist",
            "name the bones like VRM, Mixamo or Rigify (hips, spine, chest, neck, head, upper_arm.L …), or add the missing bones",
        ),
    );
    weights(report, all);
}

/// Checks the skinning weights.
fn weights(report: &ModelReport, all: &mut Findings) {
    // Ignores warnings about weights of morph targets.
    let is_weight = |text: &&String| {
        [
            "weights sum",
            "weights are n",
            "weights refer",
            "weights for",
            "have no weight",
        ]
        .iter()
        .any(|part| text.contains(part))
    };
    let wrong: Vec<&str> = report
        .warnings
        .iter()
        .filter(is_weight)
        .map(String::as_str)
        .collect();
    all.add(
        ("weights", 10),
        state(wrong.is_empty(), true),
        match wrong.first() {
            None => format!("at most {} bones per vertex", report.influences_per_vertex),
            Some(first) => (*first).to_owned(),
        },
        (
            "weights are normalized to sum to 1; vertices without weights follow the first joint",
            "Weight Paint > Weights > Normalize All, and Limit Total 4; give vertices without weights to a bone",
        ),
    );
}

fn limbs(report: &ModelReport, all: &mut Findings) {
    let rig = &report.rig;
    let why = |what: &str| {
        let told = rig.missing.iter().find_map(|text| text.strip_prefix(what));
        told.map_or_else(
            || "none".to_owned(),
            |text| text.trim_start_matches(':').trim().to_owned(),
        )
    };
    let n_legs = rig.legs.len();
    let with_toes = rig.legs.iter().filter(|leg| leg.toes.is_some()).count();
    all.add(
        ("feet", 10),
        state(n_legs >= 2 && with_toes == n_legs, n_legs >= 1),
        match n_legs {
            0 => why("feet"),
            n => format!("{n} legs, {with_toes} of them with toes"),
        },
        (
            "without legs, hero:foot_ik() does nothing; without toes, the feet do not bend",
            "add thigh, shin and foot as a chain of three bones under the hips, and a toe bone at the ball of each foot",
        ),
    );
    if !is_animal(report) {
        hands(report, all);
    }
    let eyes = rig
        .look
        .as_ref()
        .map(|look| !look.eyes.is_empty() || look.morphs.iter().any(|m| !m.is_empty()));
    all.add(
        ("eyes", 9),
        state(eyes == Some(true), eyes.is_some()),
        match eyes {
            Some(true) => "the eyes turn".into(),
            Some(false) => "the head has no eyes that turn".into(),
            None => why("look"),
        },
        (
            "only the head turns to look at things",
            "add a bone in the middle of each eyeball, child of the head, with that eye's weights; or the shapes eyeLookInLeft, eyeLookUpLeft …",
        ),
    );
}

/// Checks arms and fingers.
fn hands(report: &ModelReport, all: &mut Findings) {
    let rig = &report.rig;
    let n_arms = rig
        .limbs
        .iter()
        .filter(|limb| limb.name.ends_with("hand"))
        .count();
    let n_grips = rig
        .hands
        .iter()
        .filter(|hand| !hand.fingers.is_empty())
        .count();
    all.add(
        ("hands", 8),
        state(n_arms == 2 && n_grips == 2, n_arms > 0),
        match (n_arms, n_grips) {
            (0, _) => "no arms found".into(),
            (arms, grips) => format!("{arms} arms, {grips} hands that close"),
        },
        (
            "without arms, hero:reach needs three bone names; without fingers, hands hold props without closing",
            "add upper arm, lower arm and hand as a chain, and two or three bones for each finger, named thumb, index, middle, ring, little",
        ),
    );
}

fn face(report: &ModelReport, all: &mut Findings) {
    let Some(face) = &report.face else {
        all.add(
            ("face", 18),
            Completeness::Missing,
            "none".into(),
            (
                "speech has sound and captions, but the face does not move",
                "add at least a jaw bone under the head; shape keys with ARKit's names (jawOpen, mouthSmileLeft, eyeBlinkLeft …) are best",
            ),
        );
        return;
    };
    let speaks = !face.missing.iter().any(|text| text.starts_with("speech"));
    all.add(
        ("speech", 10),
        state(face.by_shapes || is_animal(report) && speaks, speaks),
        face.speech.to_owned(),
        (
            "only the jaw moves, or nothing moves",
            "add shape keys with ARKit's names, or Oculus's fifteen visemes (viseme_aa, viseme_PP …)",
        ),
    );
    let blinks = !face.blink.is_empty();
    all.add(
        ("expression", 8),
        state(blinks && (is_animal(report) || face.shapes + face.expressions.len() >= 12), blinks || face.shapes > 0 || !face.made.is_empty()),
        format!(
            "{} of {} ARKit shapes, {} expressions in the file, {}",
            face.shapes,
            ARKIT.len(),
            face.expressions.len(),
            if blinks { "it blinks" } else { "it does not blink" }
        ),
        (
            "moods use the shapes that exist and skip the missing ones",
            "add eyeBlinkLeft and eyeBlinkRight first, then smile, frown and brows; use ARKit's 52 names, or VRM's expressions",
        ),
    );
}

fn clips(report: &ModelReport, all: &mut Findings) {
    let has = |part: &str| {
        report
            .clips
            .iter()
            .any(|clip| clip.name.to_lowercase().contains(part))
    };
    let moves = has("walk")
        || has("run")
        || report
            .clips
            .iter()
            .any(|clip| clip.speed.is_some_and(|v| v > 0.3));
    all.add(
        ("clips", 8),
        state(moves && has("idle"), !report.clips.is_empty()),
        match report.clips.len() {
            0 => "none".into(),
            n => format!("{n}{}", if moves { ", including a walk or run" } else { ", but no walk or run" }),
        },
        (
            "a human body without clips breathes with hanging arms, but cannot walk",
            "export actions with the armature (Animation > Animation mode: Actions), or add clips: character(file, { clips = { \"walk.bvh\" } })",
        ),
    );
    let walking = report
        .clips
        .iter()
        .filter(|clip| clip.speed.is_some_and(|v| v > 0.3));
    let (n, marked) = walking.fold((0, 0), |(n, m), clip| {
        (n + 1, m + u32::from(!clip.markers.is_empty()))
    });
    if n > 0 {
        all.add(
            ("steps", 7),
            state(marked == n, marked > 0),
            format!("{marked} of {n} clips that move have markers"),
            (
                "clips without markers have no step sounds",
                "start the action at frame 0 and keep the planted foot still; or add markers in the extras of the action",
            ),
        );
    }
}

/// The result as lines of text.
pub fn lines(report: &DoctorReport) -> Vec<String> {
    let mut lines = vec![format!("doctor: {} of 100", report.score)];
    for finding in &report.findings {
        let mark = match finding.state {
            Completeness::Good => "good",
            Completeness::Part => "part",
            Completeness::Missing => "none",
        };
        lines.push(format!("  {mark}  {}: {}", finding.what, finding.found));
        if let (Some(instead), Some(mend)) = (finding.instead, finding.mend) {
            lines.push(format!("        effect: {instead}"));
            lines.push(format!("        in Blender: {mend}"));
        }
    }
    lines
}
