//! Interaction points of a prop, as written in files (docs/rig.md). A file has them in a node's
//! extras: `"interaction": { "hand": "right_hand", … }`, or a list of them.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::fields::{JsonField, numbers, set_all};
use super::renamed::{self, rename_fields};

/// Limit of handles per prop.
pub const MAX_INTERACTIONS: usize = 64;
/// Limit of rungs of a ladder.
pub const MAX_RUNGS: f32 = 500.0;
/// Limit of the duration of a phase, seconds.
const MAX_SECONDS: f32 = 600.0;

/// Interaction at a handle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum InteractionKind {
    /// A hand holds it.
    #[default]
    Hold,
    /// The prop swings about its hinge with the hand; the next use swings it back.
    Lever,
    /// The prop stays in the hand.
    PickUp,
    /// The character sits on it.
    Seat,
    /// The character climbs it.
    Ladder,
}

impl InteractionKind {
    /// Names of all kinds.
    pub const WORDS: [&str; 5] = ["hold", "lever", "pick_up", "seat", "ladder"];

    /// Returns the kind with this name.
    pub fn from_word(word: &str) -> Option<Self> {
        let all = [
            Self::Hold,
            Self::Lever,
            Self::PickUp,
            Self::Seat,
            Self::Ladder,
        ];
        let at = Self::WORDS.iter().position(|known| *known == word)?;
        all.get(at).copied()
    }

    /// Default grip, 0..=1: how far the fingers close.
    pub fn usual_grip(self) -> f32 {
        match self {
            Self::Hold => 0.6,
            Self::PickUp => 0.55,
            Self::Lever | Self::Ladder => 0.75,
            Self::Seat => 0.0,
        }
    }

    /// Name of the kind.
    pub fn word(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Lever => "lever",
            Self::PickUp => "pick_up",
            Self::Seat => "seat",
            Self::Ladder => "ladder",
        }
    }
}

/// Interaction point of a prop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InteractionSpec {
    /// Name.
    pub name: String,
    /// Kind of interaction.
    pub kind: InteractionKind,
    /// A lever's hinge: a point on its axis and the axis, in the prop's space, and the angle of the swing in degrees.
    pub pivot: Vec3,
    /// See `pivot`.
    pub axis: Vec3,
    /// See `pivot`.
    pub swing: f32,
    /// Vector from a ladder's rung to the next, in the space of the bone, metres; `at` is the middle of the lowest rung.
    pub rung_offset: Vec3,
    /// Number of rungs, and distance between the rails in metres.
    pub rungs: u32,
    /// See `rungs`.
    pub width: f32,
    /// Height of the rails above the last rung, metres.
    pub rails: f32,
    /// Standing position at the top, in the prop's space; by default half a metre beyond the last rung.
    pub top: Option<Vec3>,
    /// Bone of the prop that it moves with; `None` is the prop itself.
    pub bone: Option<String>,
    /// Hand position in the space of that bone, metres.
    pub position: Vec3,
    /// Hand rotation in degrees: roll about z first, then pitch about x, then yaw about y.
    pub hand_rotation: Option<Vec3>,
    /// Grip, 0..=1: how far the fingers close; `None` is the default of the kind.
    pub grip: Option<f32>,
    /// Distance from the palm to `at`, the centre of the gripped shape, metres; `None` fits the hand.
    pub radius: Option<f32>,
    /// Axis of the gripped shape, in the space of that bone.
    pub bar: Option<Vec3>,
    /// Standing position in the prop's space, metres; the height is ignored. `None` is the current position.
    pub stand_position: Option<Vec3>,
    /// Facing direction of the character, degrees about +Y in the prop's space; `None` faces the handle.
    pub stand_yaw: Option<f32>,
    /// Limb that reaches.
    pub hand: String,
    /// Position of the other hand in the same space, for two-handed interactions.
    pub other_hand: Option<Vec3>,
    /// Clip played during the interaction.
    pub clip: Option<String>,
    /// Durations of reaching, holding and releasing, seconds.
    pub times: [f32; 3],
}

impl InteractionSpec {
    /// A handle with default values.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: InteractionKind::Hold,
            pivot: Vec3::ZERO,
            axis: Vec3::X,
            swing: 60.0,
            rung_offset: Vec3::Y * 0.28,
            rungs: 8,
            width: 0.4,
            rails: 0.0,
            top: None,
            bone: None,
            position: Vec3::ZERO,
            hand_rotation: None,
            grip: None,
            radius: None,
            bar: None,
            stand_position: None,
            stand_yaw: None,
            hand: "right_hand".into(),
            other_hand: None,
            clip: None,
            times: [0.45, 0.5, 0.4],
        }
    }
}

/// Names of the fields.
const FIELDS: [&str; 24] = [
    "kind",
    "pivot",
    "axis",
    "swing",
    "name",
    "bone",
    "position",
    "hand_rotation",
    "stand_position",
    "stand_yaw",
    "hand",
    "other_hand",
    "clip",
    "reach_time",
    "hold_time",
    "release_time",
    "rung_offset",
    "rungs",
    "width",
    "rails",
    "top",
    "grip",
    "bar",
    "radius",
];

/// Reads a handle or a list of them in the extras of a node. By default they belong to this node. Invalid data is skipped
/// and reported through `warn`.
pub fn read(value: &Value, node: &str, warn: &mut dyn FnMut(String)) -> Vec<InteractionSpec> {
    let mut value = value.clone();
    rename_fields(&mut value, renamed::INTERACTION, warn);
    let list = match &value {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    };
    if list.len() > MAX_INTERACTIONS {
        warn(format!(
            "the node has {} interactions; only the first {MAX_INTERACTIONS} are read",
            list.len()
        ));
    }
    let mut all = Vec::new();
    for value in list.iter().take(MAX_INTERACTIONS) {
        let Some(fields) = value.as_object() else {
            warn(format!("expected an object, got {value}; left out"));
            continue;
        };
        let mut handle = InteractionSpec::new(node);
        handle.bone = Some(node.to_owned());
        set_fields(&mut handle, fields, warn);
        all.push(handle);
    }
    all
}

/// Sets the fields of an object. Invalid fields are skipped and reported through `warn`.
pub(crate) fn set_fields(
    handle: &mut InteractionSpec,
    fields: &Map<String, Value>,
    warn: &mut dyn FnMut(String),
) {
    set_all(fields, warn, |field| set(handle, field));
}

fn set(handle: &mut InteractionSpec, field: JsonField<'_>) -> Result<(), String> {
    let place = |field: JsonField<'_>| -> Result<Vec3, String> {
        field
            .numbers("three numbers in metres")
            .map(Vec3::from_array)
    };
    let seconds = |field: JsonField<'_>| field.within(0.0..=MAX_SECONDS, "seconds from 0 to 600");
    match field.name {
        "name" => handle.name = field.text()?,
        "kind" => {
            let word = field.text()?;
            // Files made before the kind had its current name.
            let word = if word == "take" { "pick_up" } else { &word };
            let kind = InteractionKind::from_word(word);
            handle.kind =
                kind.ok_or_else(|| field.wrong("hold, lever, pick_up, seat or ladder"))?;
        }
        "pivot" => handle.pivot = place(field)?,
        "axis" => handle.axis = place(field)?,
        "swing" => handle.swing = field.within(-360.0..=360.0, "degrees from -360 to 360")?,
        "rung_offset" => handle.rung_offset = place(field)?,
        "rungs" => handle.rungs = field.within(1.0..=MAX_RUNGS, "a number from 1 to 500")? as u32,
        "width" => handle.width = field.within(0.1..=10.0, "metres from 0.1 to 10")?,
        "rails" => handle.rails = field.within(0.0..=10.0, "metres from 0 to 10")?,
        "top" => handle.top = Some(place(field)?),
        "bone" => handle.bone = Some(field.text()?),
        "position" => handle.position = place(field)?,
        "hand_rotation" => {
            let angles = numbers(field.value).map(Vec3::from_array);
            handle.hand_rotation =
                Some(angles.ok_or_else(|| field.wrong("yaw, pitch and roll in degrees"))?);
        }
        "grip" => handle.grip = Some(field.within(0.0..=1.0, "a number from 0 to 1")?),
        "radius" => handle.radius = Some(field.within(0.0..=1.0, "metres from 0 to 1")?),
        "bar" => handle.bar = Some(place(field)?),
        "stand_position" => handle.stand_position = Some(place(field)?),
        "stand_yaw" => {
            handle.stand_yaw = Some(field.within(-360.0..=360.0, "degrees from -360 to 360")?)
        }
        "hand" => handle.hand = field.text()?,
        "other_hand" => handle.other_hand = Some(place(field)?),
        "clip" => handle.clip = Some(field.text()?),
        "reach_time" => handle.times[0] = seconds(field)?,
        "hold_time" => handle.times[1] = seconds(field)?,
        "release_time" => handle.times[2] = seconds(field)?,
        _ => return Err(field.unknown(&FIELDS)),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_interaction_is_on_its_node_and_invalid_fields_are_reported() {
        let mut warnings = Vec::new();
        let good = json!({ "name": "knob", "position": [0.9, 1.0, 0.05], "stand_position": [0.9, 0.0, 0.6], "stand_yaw": 180, "hand": "left_hand", "reach_time": 0.3 });
        let all = read(&good, "leaf", &mut |text| warnings.push(text));
        assert!(warnings.is_empty(), "{warnings:?}");
        let [knob] = &all[..] else { panic!("{all:?}") };
        assert_eq!(
            (knob.name.as_str(), knob.bone.as_deref()),
            ("knob", Some("leaf"))
        );
        assert_eq!(
            (knob.position, knob.stand_yaw, knob.times[0]),
            (Vec3::new(0.9, 1.0, 0.05), Some(180.0), 0.3)
        );
        let lever = json!({ "kind": "lever", "pivot": [0, -0.3, 0], "axis": [1, 0, 0], "swing": -50, "grip": 0.5, "bar": [0, 1, 0], "radius": 0.02 });
        let lever = read(&lever, "arm", &mut |text| warnings.push(text)).remove(0);
        assert_eq!((lever.kind, lever.swing), (InteractionKind::Lever, -50.0));
        assert_eq!(
            (lever.grip, lever.bar, lever.radius),
            (Some(0.5), Some(Vec3::Y), Some(0.02))
        );
        let ladder = json!({ "kind": "ladder", "rung_offset": [0, 0.3, 0.02], "rungs": 12, "width": 0.5, "rails": 0.9, "top": [0, 4, 0.6] });
        let ladder = read(&ladder, "rung", &mut |text| warnings.push(text)).remove(0);
        assert!(warnings.is_empty(), "{warnings:?}");
        assert_eq!(
            (ladder.kind, ladder.rungs, ladder.width, ladder.rails),
            (InteractionKind::Ladder, 12, 0.5, 0.9)
        );
        assert_eq!(
            (ladder.rung_offset, ladder.top),
            (Vec3::new(0.0, 0.3, 0.02), Some(Vec3::new(0.0, 4.0, 0.6)))
        );
        for bad in [
            json!(3),
            json!({ "position": [1, 2] }),
            json!({ "position": "here" }),
            json!({ "hold_time": -1 }),
            json!({ "stand_yaw": 1e9 }),
            json!({ "hand": "" }),
            json!({ "clipp": "open" }),
            json!({ "hand_rotation": [0, null, 0] }),
            json!({ "reach_time": "long" }),
            json!({ "kind": "leever" }),
            json!({ "swing": 900 }),
            json!({ "rungs": 0 }),
            json!({ "rung_offset": [0, "up", 0] }),
            json!({ "width": 0 }),
            json!({ "grip": 1.5 }),
        ] {
            warnings.clear();
            read(&bad, "leaf", &mut |text| warnings.push(text));
            assert_eq!(warnings.len(), 1, "{bad}");
        }
        assert!(
            read(&json!({ "clipp": "open" }), "n", &mut |text| warnings
                .push(text))
            .len()
                == 1
        );
        assert!(warnings.last().unwrap().contains("clip"));
    }
}
