//! Eye gaze settings in VRM files: `VRMC_vrm.lookAt` of VRM 1.0, `firstPerson` of VRM 0.x.
//!
//! Caller: the parent module. Invariant: everything skipped is reported in a warning.

use glam::Vec3;
use gltf::json::Root;
use serde_json::Value;

use super::error::Warnings;
use crate::fields::{JsonField, number, numbers};
use galatea_rig::expression::Expression;
use galatea_rig::look_at::{GazeKind, GazeRange, LookAt};

/// Names of the four ranges in a version of the format.
struct LookAtFields {
    kind: &'static str,
    kinds: [(&'static str, GazeKind); 2],
    offset: &'static str,
    ranges: [&'static str; 4],
    input: &'static str,
    output: &'static str,
}

const VRM_1: LookAtFields = LookAtFields {
    kind: "type",
    kinds: [
        ("bone", GazeKind::Bone),
        ("expression", GazeKind::Expression),
    ],
    offset: "offsetFromHeadBone",
    ranges: [
        "rangeMapHorizontalInner",
        "rangeMapHorizontalOuter",
        "rangeMapVerticalDown",
        "rangeMapVerticalUp",
    ],
    input: "inputMaxValue",
    output: "outputScale",
};

const VRM_0: LookAtFields = LookAtFields {
    kind: "lookAtTypeName",
    kinds: [
        ("Bone", GazeKind::Bone),
        ("BlendShape", GazeKind::Expression),
    ],
    offset: "firstPersonBoneOffset",
    ranges: [
        "lookAtHorizontalInner",
        "lookAtHorizontalOuter",
        "lookAtVerticalDown",
        "lookAtVerticalUp",
    ],
    input: "xRange",
    output: "yRange",
};

/// A linear curve as written by VRM 0.x: time, value and tangents of two keys.
const STRAIGHT: [f64; 8] = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0];
/// Names of the gaze expressions.
const LOOKS: [&str; 4] = ["lookLeft", "lookRight", "lookUp", "lookDown"];

/// Gaze settings of a file; `None` if it has none.
pub fn read(document: &Root, expressions: &[Expression], warnings: &Warnings) -> Option<LookAt> {
    let others = &document.extensions.as_ref()?.others;
    let (value, words) = match (others.get("VRMC_vrm"), others.get("VRM")) {
        (Some(extension), _) => (extension.get("lookAt")?, VRM_1),
        (None, extension) => (extension?.get("firstPerson")?, VRM_0),
    };
    let warn = |text: String| warnings.add(format!("look at: {text}"));
    let Some(fields) = value.as_object() else {
        warn(format!("expected an object, got {value}; left out"));
        return None;
    };
    let kind = fields.get(words.kind).map(|value| {
        let field = JsonField {
            name: words.kind,
            value,
        };
        field.word(&words.kinds)
    });
    let kind = kind.unwrap_or(Ok(GazeKind::Bone)).unwrap_or_else(|cause| {
        warn(format!("{cause}; the eye bones are used"));
        GazeKind::Bone
    });
    let mut look = LookAt::new(kind);
    if let Some(value) = fields.get(words.offset) {
        // VRM 0.x writes this offset with z negated, like those of the colliders.
        look.offset = numbers(value).map(Vec3::from_array).or_else(|| {
            let part = |name: &str| value.get(name).and_then(number);
            Some(Vec3::new(part("x")?, part("y")?, -part("z")?))
        });
        look.offset = look.offset.filter(|offset| offset.length() < 1e3);
        if look.offset.is_none() {
            let name = words.offset;
            warn(format!(
                "field {name:?} is {value}, expected three numbers in metres; left out"
            ));
        }
    }
    let ranges = [
        &mut look.inner,
        &mut look.outer,
        &mut look.down,
        &mut look.up,
    ];
    for (range, name) in ranges.into_iter().zip(words.ranges) {
        if let Some(value) = fields.get(name) {
            match read_range(value, &words, kind) {
                Ok(read) => *range = read,
                Err(cause) => warn(format!("field {name:?}: {cause}; the default is used")),
            }
            let curve = value.get("curve").and_then(Value::as_array);
            let bends = |curve: &Vec<Value>| {
                let off = |(key, straight): (&Value, f64)| {
                    key.as_f64().is_none_or(|key| (key - straight).abs() > 1e-3)
                };
                curve.len() != STRAIGHT.len() || curve.iter().zip(STRAIGHT).any(off)
            };
            if curve.is_some_and(bends) {
                warn(format!(
                    "field {name:?}: curves are not supported; a straight line is used"
                ));
            }
        }
    }
    look.looks = LOOKS.map(|name| {
        let found = expressions
            .iter()
            .find(|expression| expression.name == name);
        found.map_or_else(Vec::new, |expression| expression.morphs.clone())
    });
    Some(look)
}

fn read_range(value: &Value, words: &LookAtFields, kind: GazeKind) -> Result<GazeRange, String> {
    let fields = value
        .as_object()
        .ok_or_else(|| format!("expected an object, got {value}"))?;
    let mut range = GazeRange::default_of(kind);
    if let Some(value) = fields.get(words.input) {
        let name = words.input;
        let input = JsonField { name, value }.above_0("an angle above 0 degrees")?;
        range.input = input;
    }
    if let Some(value) = fields.get(words.output) {
        let name = words.output;
        let output = JsonField { name, value };
        range.output = output.within(-360.0..=360.0, "degrees from -360 to 360")?;
    }
    Ok(range)
}
