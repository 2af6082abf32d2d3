//! Handles: places of a thing at which somebody does something with it, as files and scripts write them
//! (docs/rig.md). In a file they stand in a node's extras: `"handle": { "hand": "right_hand", … }`, or a list of such.

use glam::Vec3;
use serde_json::{Map, Value};

use super::fields::{JsonField, numbers, set_all};

/// Handles of one thing.
pub const MOST_HANDLES: usize = 64;
/// The most rungs of a ladder.
pub const MOST_RUNGS: f32 = 500.0;
/// The longest time of a part, seconds.
const LONGEST: f32 = 600.0;

/// What is done with a thing at a handle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HandleKind {
    /// A hand holds on to it.
    #[default]
    Hold,
    /// The thing swings about its hinge with the hand, there and at the next use back.
    Lever,
    /// The thing stays in the hand.
    Take,
    /// One sits on it.
    Seat,
    /// One climbs it.
    Ladder,
}

impl HandleKind {
    /// Words for all of them.
    pub const WORDS: [&str; 5] = ["hold", "lever", "take", "seat", "ladder"];

    /// The kind of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        let all = [
            Self::Hold,
            Self::Lever,
            Self::Take,
            Self::Seat,
            Self::Ladder,
        ];
        let at = Self::WORDS.iter().position(|known| *known == word)?;
        all.get(at).copied()
    }

    /// How far fingers close there where nothing is said, 0..=1.
    pub fn usual_grip(self) -> f32 {
        match self {
            Self::Hold => 0.6,
            Self::Take => 0.55,
            Self::Lever | Self::Ladder => 0.75,
            Self::Seat => 0.0,
        }
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Hold => "hold",
            Self::Lever => "lever",
            Self::Take => "take",
            Self::Seat => "seat",
            Self::Ladder => "ladder",
        }
    }
}

/// A place of a thing at which somebody does something with it.
#[derive(Clone, Debug, PartialEq)]
pub struct HandleSpec {
    /// Its name.
    pub name: String,
    /// What is done there.
    pub kind: HandleKind,
    /// A lever's hinge: a place of its axis and the axis, in the thing's own space, and degrees that it swings.
    pub pivot: Vec3,
    /// See `pivot`.
    pub axis: Vec3,
    /// See `pivot`.
    pub swing: f32,
    /// A ladder's way from a rung to the next, in the space of the bone, metres; `at` is the middle of the lowest.
    pub rise: Vec3,
    /// How many rungs there are, and metres from rail to rail.
    pub rungs: u32,
    /// See `rungs`.
    pub width: f32,
    /// Metres by which the rails go on above the last rung.
    pub rails: f32,
    /// Where one stands at the top, in the thing's own space; half a metre beyond the last rung without.
    pub top: Option<Vec3>,
    /// Bone of the thing that it moves with; the thing itself without.
    pub on: Option<String>,
    /// Where the hand goes, in the space of that bone, metres.
    pub at: Vec3,
    /// Degrees by which the hand is turned there: yaw about y last, pitch about x, roll about z first.
    pub turn: Option<Vec3>,
    /// How far the fingers close, 0..=1; as its kind has it without.
    pub grip: Option<f32>,
    /// Metres from the palm to `at`, the middle of what they close about; as fits the hand without.
    pub radius: Option<f32>,
    /// The axis of what they close about, in the space of that bone.
    pub bar: Option<Vec3>,
    /// Where one stands, in the thing's own space, metres; the height does not count. None: where one is.
    pub stand: Option<Vec3>,
    /// Degrees about +Y in the thing's own space to which one faces; to the handle without.
    pub face: Option<f32>,
    /// The limb that reaches.
    pub hand: String,
    /// Where the other hand goes, in the same space, for what takes two.
    pub other: Option<Vec3>,
    /// The clip that is played over it.
    pub clip: Option<String>,
    /// Seconds in which the hand goes there, holds on, and lets go.
    pub times: [f32; 3],
}

impl HandleSpec {
    /// A handle of a thing that has nothing but a name.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: HandleKind::Hold,
            pivot: Vec3::ZERO,
            axis: Vec3::X,
            swing: 60.0,
            rise: Vec3::Y * 0.28,
            rungs: 8,
            width: 0.4,
            rails: 0.0,
            top: None,
            on: None,
            at: Vec3::ZERO,
            turn: None,
            grip: None,
            radius: None,
            bar: None,
            stand: None,
            face: None,
            hand: "right_hand".into(),
            other: None,
            clip: None,
            times: [0.45, 0.5, 0.4],
        }
    }
}

/// Names of the fields.
const FIELDS: [&str; 24] = [
    "kind", "pivot", "axis", "swing", "name", "on", "at", "turn", "stand", "face", "hand", "other",
    "clip", "reach", "hold", "release", "rise", "rungs", "width", "rails", "top", "grip", "bar",
    "radius",
];

/// Reads a handle or a list of them in the extras of a node, on which they are unless they say otherwise. What
/// cannot be used is left out and told in words through `warn`.
pub fn read(value: &Value, node: &str, warn: &mut dyn FnMut(String)) -> Vec<HandleSpec> {
    let list = match value {
        Value::Array(list) => list.as_slice(),
        one => std::slice::from_ref(one),
    };
    if list.len() > MOST_HANDLES {
        warn(format!(
            "of {} handles the first {MOST_HANDLES} are read",
            list.len()
        ));
    }
    let mut all = Vec::new();
    for value in list.iter().take(MOST_HANDLES) {
        let Some(fields) = value.as_object() else {
            warn(format!("it is {value}, not an object; left out"));
            continue;
        };
        let mut handle = HandleSpec::new(node);
        handle.on = Some(node.to_owned());
        set_fields(&mut handle, fields, warn);
        all.push(handle);
    }
    all
}

/// Sets what an object says. A field that cannot be used is left out and told through `warn`.
pub(crate) fn set_fields(
    handle: &mut HandleSpec,
    fields: &Map<String, Value>,
    warn: &mut dyn FnMut(String),
) {
    set_all(fields, warn, |field| set(handle, field));
}

fn set(handle: &mut HandleSpec, field: JsonField<'_>) -> Result<(), String> {
    let place = |field: JsonField<'_>| -> Result<Vec3, String> {
        field
            .numbers("three numbers in metres")
            .map(Vec3::from_array)
    };
    let seconds = |field: JsonField<'_>| field.within(0.0..=LONGEST, "seconds from 0 to 600");
    match field.name {
        "name" => handle.name = field.text()?,
        "kind" => {
            let word = field.text()?;
            let kind = HandleKind::from_word(&word);
            handle.kind = kind.ok_or_else(|| field.wrong("hold, lever, take, seat or ladder"))?;
        }
        "pivot" => handle.pivot = place(field)?,
        "axis" => handle.axis = place(field)?,
        "swing" => handle.swing = field.within(-360.0..=360.0, "degrees from -360 to 360")?,
        "rise" => handle.rise = place(field)?,
        "rungs" => handle.rungs = field.within(1.0..=MOST_RUNGS, "a number from 1 to 500")? as u32,
        "width" => handle.width = field.within(0.1..=10.0, "metres from 0.1 to 10")?,
        "rails" => handle.rails = field.within(0.0..=10.0, "metres from 0 to 10")?,
        "top" => handle.top = Some(place(field)?),
        "on" => handle.on = Some(field.text()?),
        "at" => handle.at = place(field)?,
        "turn" => {
            let angles = numbers(field.value).map(Vec3::from_array);
            handle.turn =
                Some(angles.ok_or_else(|| field.wrong("yaw, pitch and roll in degrees"))?);
        }
        "grip" => handle.grip = Some(field.within(0.0..=1.0, "a number from 0 to 1")?),
        "radius" => handle.radius = Some(field.within(0.0..=1.0, "metres from 0 to 1")?),
        "bar" => handle.bar = Some(place(field)?),
        "stand" => handle.stand = Some(place(field)?),
        "face" => handle.face = Some(field.within(-360.0..=360.0, "degrees from -360 to 360")?),
        "hand" => handle.hand = field.text()?,
        "other" => handle.other = Some(place(field)?),
        "clip" => handle.clip = Some(field.text()?),
        "reach" => handle.times[0] = seconds(field)?,
        "hold" => handle.times[1] = seconds(field)?,
        "release" => handle.times[2] = seconds(field)?,
        _ => return Err(field.unknown(&FIELDS)),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_handle_is_on_its_node_and_what_cannot_be_meant_is_told() {
        let mut told = Vec::new();
        let good = json!({ "name": "knob", "at": [0.9, 1.0, 0.05], "stand": [0.9, 0.0, 0.6], "face": 180, "hand": "left_hand", "reach": 0.3 });
        let all = read(&good, "leaf", &mut |text| told.push(text));
        assert!(told.is_empty(), "{told:?}");
        let [knob] = &all[..] else { panic!("{all:?}") };
        assert_eq!(
            (knob.name.as_str(), knob.on.as_deref()),
            ("knob", Some("leaf"))
        );
        assert_eq!(
            (knob.at, knob.face, knob.times[0]),
            (Vec3::new(0.9, 1.0, 0.05), Some(180.0), 0.3)
        );
        let lever = json!({ "kind": "lever", "pivot": [0, -0.3, 0], "axis": [1, 0, 0], "swing": -50, "grip": 0.5, "bar": [0, 1, 0], "radius": 0.02 });
        let lever = read(&lever, "arm", &mut |text| told.push(text)).remove(0);
        assert_eq!((lever.kind, lever.swing), (HandleKind::Lever, -50.0));
        assert_eq!(
            (lever.grip, lever.bar, lever.radius),
            (Some(0.5), Some(Vec3::Y), Some(0.02))
        );
        let ladder = json!({ "kind": "ladder", "rise": [0, 0.3, 0.02], "rungs": 12, "width": 0.5, "rails": 0.9, "top": [0, 4, 0.6] });
        let ladder = read(&ladder, "rung", &mut |text| told.push(text)).remove(0);
        assert!(told.is_empty(), "{told:?}");
        assert_eq!(
            (ladder.kind, ladder.rungs, ladder.width, ladder.rails),
            (HandleKind::Ladder, 12, 0.5, 0.9)
        );
        assert_eq!(
            (ladder.rise, ladder.top),
            (Vec3::new(0.0, 0.3, 0.02), Some(Vec3::new(0.0, 4.0, 0.6)))
        );
        for bad in [
            json!(3),
            json!({ "at": [1, 2] }),
            json!({ "at": "here" }),
            json!({ "hold": -1 }),
            json!({ "face": 1e9 }),
            json!({ "hand": "" }),
            json!({ "clipp": "open" }),
            json!({ "turn": [0, null, 0] }),
            json!({ "reach": "long" }),
            json!({ "kind": "leever" }),
            json!({ "swing": 900 }),
            json!({ "rungs": 0 }),
            json!({ "rise": [0, "up", 0] }),
            json!({ "width": 0 }),
            json!({ "grip": 1.5 }),
        ] {
            told.clear();
            read(&bad, "leaf", &mut |text| told.push(text));
            assert_eq!(told.len(), 1, "{bad}");
        }
        assert!(
            read(&json!({ "clipp": "open" }), "n", &mut |text| told
                .push(text))
            .len()
                == 1
        );
        assert!(told.last().unwrap().contains("clip"));
    }
}
