//! Report of the rig: legs, gaze, limbs for reaching, hands for gripping, handles.

use serde::Serialize;

use galatea_anim::humanoid::{Role, Side};
use galatea_asset::interaction::InteractionSpec;
use galatea_character::{Definition, LookAtModifier, LookReach};
use galatea_rig::fingers::HandRig;
use galatea_rig::gaze::{EyeRange, Gaze, GazeLimits, GazeOptions, GazeRig};
use galatea_rig::two_bone::Limb;

#[derive(Debug, Serialize)]
pub struct RigReport {
    /// Legs for `feet`.
    pub(super) legs: Vec<LegReport>,
    /// Gaze rig; `None` without a head.
    pub(super) look: Option<LookReport>,
    /// Limbs for `reach`.
    pub(super) limbs: Vec<LimbReport>,
    /// Hands for `grip`.
    pub(super) hands: Vec<HandReport>,
    /// Handles: points at which characters interact with the model.
    handles: Vec<InteractionReport>,
    /// Missing features, as messages.
    pub(super) missing: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct LegReport {
    name: String,
    /// Thigh, shin, foot.
    bones: [String; 3],
    pub(super) toes: Option<String>,
    /// Stretched length from hip to ankle, metres.
    length: f32,
}

#[derive(Debug, Serialize)]
pub struct LookReport {
    head: String,
    neck: Vec<String>,
    chest: Vec<String>,
    /// Eye bones.
    pub(super) eyes: Vec<String>,
    /// Morph targets of looking left, right, up and down, if these are used.
    pub(super) morphs: [Vec<String>; 4],
    /// The file (VRM) defines the range.
    from_file: bool,
    /// Range in degrees: towards the nose, away from it, up and down.
    eye_range: [f32; 4],
    head_range: [f32; 3],
    chest_range: Option<[f32; 3]>,
}

#[derive(Debug, Serialize)]
pub struct LimbReport {
    pub(super) name: String,
    bones: [String; 3],
    /// Reach from the root, folded and stretched, metres.
    reach: [f32; 2],
}

#[derive(Debug, Serialize)]
pub struct HandReport {
    name: String,
    /// Finger bones that close, from the palm on, without the thumb.
    pub(super) fingers: Vec<Vec<String>>,
    thumb: Option<Vec<String>>,
    /// Diameter of an object that fits the hand, metres.
    holds: f32,
}

#[derive(Debug, Serialize)]
struct InteractionReport {
    name: String,
    on: Option<String>,
    /// Position in the space of that node, metres.
    at: [f32; 3],
    hand: String,
    clip: Option<String>,
}

/// Rig features of a model.
pub fn rig(definition: &Definition) -> RigReport {
    let bones = definition.model.skeleton.bones();
    let name = |bone: u16| {
        let bone = bones.get(usize::from(bone));
        bone.map_or_else(String::new, |bone| bone.name.clone())
    };
    let mut missing = Vec::new();
    let legs = definition.legs();
    if let Err(why) = &legs {
        missing.push(format!("feet: {why}"));
    }
    let legs = legs.as_ref().map_or(&[][..], |rig| &rig.legs);
    let reach = LookReach {
        eyes: 1.0,
        head: 1.0,
        eye_range: [None; 3],
    };
    let gaze = Gaze::new(GazeOptions::default(), 0);
    let (looking, no_look) = LookAtModifier::new(definition, gaze, reach);
    missing.extend(no_look.map(|why| format!("look: {why}")));
    let look = looking.rig.as_ref();
    let look = look.map(|rig| look_report(definition, rig, looking.shows_by_morphs(), &name));
    let arms = [
        (
            "left_hand",
            [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand],
        ),
        (
            "right_hand",
            [Role::RightUpperArm, Role::RightLowerArm, Role::RightHand],
        ),
    ];
    let humanoid = definition.clips.humanoid();
    let hand = |(limb, roles): (&str, [Role; 3])| {
        let [Some(upper), Some(lower), Some(end)] = roles.map(|role| humanoid.bone(role)) else {
            return None;
        };
        let found = definition.limb([upper, lower, end])?;
        Some((limb.to_owned(), found))
    };
    let mut limbs: Vec<(String, Limb)> = arms.into_iter().filter_map(hand).collect();
    if limbs.is_empty() {
        missing.push("reach: no arms found; give limbs by their three bones".into());
    }
    let hands = hands(definition, &name, &mut missing);
    limbs.extend(
        legs.iter()
            .map(|leg| (format!("{} foot", leg.name), leg.limb)),
    );
    RigReport {
        legs: legs
            .iter()
            .map(|leg| LegReport {
                name: leg.name.clone(),
                bones: [leg.limb.upper, leg.limb.lower, leg.limb.end].map(name),
                toes: leg.toe.map(|toe| name(toe.bone)),
                length: leg.length,
            })
            .collect(),
        look,
        limbs: limbs
            .iter()
            .map(|(limb, found)| LimbReport {
                name: limb.clone(),
                bones: [found.upper, found.lower, found.end].map(name),
                reach: definition.limb_reach(found),
            })
            .collect(),
        hands,
        handles: definition.model.interactions.iter().map(handle).collect(),
        missing,
    }
}

/// Hands that can close; for others, the reason.
fn hands(
    definition: &Definition,
    name: &impl Fn(u16) -> String,
    missing: &mut Vec<String>,
) -> Vec<HandReport> {
    let humanoid = definition.clips.humanoid();
    let sides = [("left_hand", Side::Left), ("right_hand", Side::Right)];
    let has = |side| humanoid.bone(Role::LeftHand.on(side)).is_some();
    if !sides.iter().any(|&(_, side)| has(side)) {
        missing.push("grip: no hands found".into());
        return Vec::new();
    }
    let mut hands = Vec::new();
    for (hand, side) in sides {
        match definition.hand_rig(side) {
            Ok(rig) => hands.push(hand_report(definition, hand, &rig, name)),
            Err(why) => missing.push(format!("grip of {hand}: {why}")),
        }
    }
    hands
}

fn hand_report(
    definition: &Definition,
    hand: &str,
    rig: &HandRig,
    name: &impl Fn(u16) -> String,
) -> HandReport {
    let (mut fingers, mut thumb) = (Vec::new(), None);
    let mut joints: Vec<_> = rig.joints.iter().collect();
    joints.sort_by_key(|joint| (joint.finger, joint.index));
    for finger in joints.chunk_by(|a, b| a.finger == b.finger) {
        let bones = finger.iter().map(|joint| name(joint.bone)).collect();
        if finger.iter().any(|joint| joint.is_thumb) {
            thumb = Some(bones);
        } else {
            fingers.push(bones);
        }
    }
    let fits = definition.rest_matrix(rig.hand);
    let fits = fits.transform_vector3(rig.out * rig.fits).length();
    HandReport {
        name: hand.to_owned(),
        fingers,
        thumb,
        holds: 2.0 * fits,
    }
}

fn look_report(
    definition: &Definition,
    rig: &GazeRig,
    by_morphs: bool,
    name: &impl Fn(u16) -> String,
) -> LookReport {
    let shares =
        |list: &[galatea_rig::gaze::BoneFraction]| list.iter().map(|s| name(s.bone)).collect();
    let range = |range: GazeLimits| [range.yaw, range.up, range.down].map(f32::to_degrees);
    let EyeRange {
        inner,
        outer,
        up,
        down,
    } = rig.eye_range;
    let morphs = definition.look_morphs();
    let names = |look: &Vec<(usize, f32)>| -> Vec<String> {
        let names = look.iter().filter(|_| by_morphs);
        names
            .map(|(i, _)| definition.morph_name(*i).to_owned())
            .collect()
    };
    LookReport {
        head: name(rig.head.bone),
        neck: shares(&rig.necks),
        chest: shares(&rig.spine),
        eyes: rig
            .eyes
            .iter()
            .flatten()
            .map(|eye| name(eye.bone))
            .collect(),
        morphs: morphs.looks.each_ref().map(names),
        from_file: definition.model.look_at.is_some(),
        eye_range: [inner, outer, up, down].map(f32::to_degrees),
        head_range: range(rig.head_range),
        chest_range: (!rig.spine.is_empty()).then(|| range(rig.chest_range)),
    }
}

fn handle(handle: &InteractionSpec) -> InteractionReport {
    InteractionReport {
        name: handle.name.clone(),
        on: handle.bone.clone(),
        at: handle.position.to_array(),
        hand: handle.hand.clone(),
        clip: handle.clip.clone(),
    }
}

/// The report as lines of text.
pub fn lines(report: &RigReport) -> Vec<String> {
    let mut lines = vec!["rig".to_owned()];
    for leg in &report.legs {
        let toes = leg.toes.as_ref();
        let toes = toes.map_or_else(String::new, |toes| format!(", toes {toes}"));
        let bones = leg.bones.join(" ");
        lines.push(format!(
            "  leg {}: {bones}{toes}, {:.2} m",
            leg.name, leg.length
        ));
    }
    if let Some(look) = &report.look {
        let range = |[side, up, down]: [f32; 3]| {
            format!("{side:.0}° to the side, {up:.0}° up, {down:.0}° down")
        };
        let neck = match look.neck.len() {
            0 => String::new(),
            _ => format!(" on {}", look.neck.join(" ")),
        };
        lines.push(format!(
            "  look: head {}{neck}, {}",
            look.head,
            range(look.head_range)
        ));
        if let Some(chest) = look.chest_range {
            lines.push(format!(
                "  look: chest {}, {}",
                look.chest.join(" "),
                range(chest)
            ));
        }
        lines.push(format!("  look: {}", look.eyes_text()));
    }
    for limb in &report.limbs {
        let [least, most] = limb.reach;
        lines.push(format!(
            "  reach: {}: {}, {least:.2} to {most:.2} m",
            limb.name,
            limb.bones.join(" ")
        ));
    }
    lines.extend(report.hands.iter().map(HandReport::line));
    for handle in &report.handles {
        let on = handle.on.as_ref();
        let on = on.map_or_else(String::new, |on| format!(" on {on}"));
        let clip = handle.clip.as_ref();
        let clip = clip.map_or_else(String::new, |clip| format!(", clip {clip}"));
        let [x, y, z] = handle.at;
        lines.push(format!(
            "  interaction {}{on}: {} at ({x:.2}, {y:.2}, {z:.2}){clip}",
            handle.name, handle.hand
        ));
    }
    lines.extend(report.missing.iter().map(|why| format!("  no {why}")));
    lines
}

impl HandReport {
    fn line(&self) -> String {
        let n = self.fingers.len();
        let joints: usize = self.fingers.iter().map(Vec::len).sum();
        let several = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let fingers = format!("{} ({})", several(n, "finger"), several(joints, "bone"));
        let thumb = self.thumb.as_ref().map_or_else(
            || "no thumb".into(),
            |thumb| format!("a thumb ({})", several(thumb.len(), "bone")),
        );
        let holds = 100.0 * self.holds;
        format!(
            "  grip: {}: {fingers}, {thumb}, holds up to {holds:.1} cm",
            self.name
        )
    }
}

impl LookReport {
    fn eyes_text(&self) -> String {
        let mut what = Vec::new();
        if !self.eyes.is_empty() {
            what.push(format!("bones {}", self.eyes.join(" ")));
        }
        let morphs: Vec<&str> = self.morphs.iter().flatten().map(String::as_str).collect();
        if !morphs.is_empty() {
            what.push(format!("morphs {}", morphs.join(" ")));
        }
        if what.is_empty() {
            return "no eyes; only the head turns".into();
        }
        let [inner, outer, up, down] = self.eye_range;
        let whose = if self.from_file {
            ", from the file"
        } else {
            ""
        };
        format!(
            "eyes {}, {inner:.0}° inward, {outer:.0}° outward, {up:.0}° up, {down:.0}° down{whose}",
            what.join(" and ")
        )
    }
}
