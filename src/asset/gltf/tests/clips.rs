//! Animations of whole files.

use glam::{Quat, Vec3};
use serde_json::{Value, json};

use super::*;
use crate::anim::{Interpolation, MarkValue};

/// A file with two nodes, a morph mesh on the second, and one animation with these channels.
fn animated(build: impl FnOnce(&mut File) -> (Value, Value)) -> Model {
    let mut file = File::default();
    let positions = file.triangle();
    let (samplers, channels) = build(&mut file);
    let target = json!({"POSITION": positions});
    file.load(json!({
        "nodes": [{"name": "a"}, {"name": "b", "mesh": 0}],
        "meshes": [{"primitives": [{"attributes": target, "targets": [target, target]}]}],
        "animations": [{"samplers": samplers, "channels": channels,
            "extras": {"marks": [{"t": 0.5, "event": "step", "foot": "left", "loud": 2},
                                 {"t": 0.1, "event": "start", "length": 0.25},
                                 {"event": "no time"}]}}],
    }))
    .unwrap()
}

#[test]
fn channels_of_all_kinds_become_tracks() {
    let model = animated(|file| {
        let times = file.floats("SCALAR", &[0.0, 2.0]);
        let quats = file.accessor(I16, "VEC4", 2, &[0i16, 0, 0, 32_767, 0, 32_767, 0, 32_767]);
        let spline = file.floats("VEC3", &[0.5; 18]);
        let weights = file.accessor(U8, "SCALAR", 4, &[0u8, 255, 255, 0]);
        (
            json!([{"input": times, "output": quats, "interpolation": "STEP"},
                   {"input": times, "output": spline, "interpolation": "CUBICSPLINE"},
                   {"input": times, "output": weights}]),
            json!([{"sampler": 1, "target": {"node": 1, "path": "scale"}},
                   {"sampler": 0, "target": {"node": 0, "path": "rotation"}},
                   {"sampler": 2, "target": {"node": 1, "path": "weights"}}]),
        )
    });
    let clip = &model.clips[0];
    assert_eq!((clip.name.as_str(), clip.duration), ("clip_0", 2.0));
    assert_eq!(clip.bones[0].bone, 0);
    let rotation = clip.bones[0].rotation.as_ref().unwrap();
    assert_eq!(rotation.interpolation, Interpolation::Step);
    let quarter = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
    assert!(rotation.values[1].abs_diff_eq(quarter, 1e-4));
    let scale = clip.bones[1].scale.as_ref().unwrap();
    assert_eq!((scale.times.len(), scale.values.len()), (2, 6));
    let morph = &clip.morphs[0];
    assert_eq!((morph.part, morph.n_targets), (0, 2));
    assert_eq!(morph.track.values, [0.0, 1.0, 1.0, 0.0]);
    assert_eq!(clip.marks.len(), 2);
    assert_eq!(clip.marks[0].event, "start");
    assert_eq!((clip.marks[0].length, clip.marks[1].length), (0.25, 0.0));
    let fields = [
        ("foot".into(), MarkValue::Text("left".into())),
        ("loud".into(), MarkValue::Number(2.0)),
    ];
    assert_eq!(clip.marks[1].fields, fields);
    assert!(model.warnings.is_empty(), "{:?}", model.warnings);
}

fn marked(marks: Vec<Value>) -> Model {
    let mut file = File::default();
    let times = file.floats("SCALAR", &[0.0, 2.0]);
    let moved = file.floats("VEC3", &[0.0; 6]);
    file.load(json!({
        "nodes": [{"name": "a"}],
        "animations": [{
            "samplers": [{"input": times, "output": moved}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            "extras": {"marks": marks}}],
    }))
    .unwrap()
}

#[test]
fn of_more_intervals_than_a_clip_may_have_the_later_are_left_out_with_a_warning() {
    let mark =
        |i: i32, length: f64| json!({"t": f64::from(i) / 100.0, "event": "e", "length": length});
    let model = marked((0..70).map(|i| mark(i, f64::from(i % 10) / 10.0)).collect());
    assert_eq!(model.clips[0].marks.len(), 70, "63 of them have a length");
    assert!(model.warnings.is_empty(), "{:?}", model.warnings);
    let model = marked((0..70).map(|i| mark(i, 0.01)).collect());
    assert_eq!(model.clips[0].marks.len(), 64);
    let warnings = model.warnings.join("; ");
    assert!(warnings.contains("6 are left out"), "{warnings}");
}

#[test]
fn keys_out_of_order_and_keys_that_are_no_numbers_are_mended() {
    let model = animated(|file| {
        let times = file.floats("SCALAR", &[1.0, 0.0, 1.0, 3.0, f32::NAN]);
        let values = [
            1.,
            0.,
            0.,
            0.,
            0.,
            0.,
            2.,
            0.,
            0.,
            f32::NAN,
            0.,
            0.,
            9.,
            9.,
            9.,
        ];
        let values = file.floats("VEC3", &values);
        (
            json!([{"input": times, "output": values}]),
            json!([{"sampler": 0, "target": {"node": 0, "path": "translation"}}]),
        )
    });
    let track = model.clips[0].bones[0].translation.as_ref().unwrap();
    assert_eq!(track.times, [0.0, 1.0]);
    // Of two keys at one time the last counts.
    assert_eq!(track.values[1], Vec3::X * 2.0);
    assert_eq!(model.clips[0].duration, 1.0);
    assert!(warned(&model, "2 keys are no numbers"));
    assert!(warned(&model, "do not ascend"));
}

#[test]
fn channels_that_cannot_be_read_are_left_out_by_name() {
    let model = animated(|file| {
        let times = file.floats("SCALAR", &[0.0, 2.0]);
        let zero = file.floats("VEC4", &[0.0; 8]);
        (
            json!([{"input": times, "output": zero}, {"input": times, "output": times},
                   {"input": 99, "output": zero}]),
            json!([
                {"sampler": 0, "target": {"node": 0, "path": "rotation"}},
                {"sampler": 0, "target": {"node": 0, "path": "rotation"}},
                {"sampler": 1, "target": {"node": 1, "path": "weights"}},
                {"sampler": 2, "target": {"node": 1, "path": "rotation"}},
                {"sampler": 7, "target": {"node": 1, "path": "rotation"}},
                {"sampler": 0, "target": {"node": 7, "path": "rotation"}},
                {"sampler": 0, "target": {"node": 0, "path": "weights"}},
                {"sampler": 0, "target": {"path": "pointer"}},
                {"sampler": 0, "target": {"path": "rotation"}},
            ]),
        )
    });
    let clip = &model.clips[0];
    assert_eq!((clip.bones.len(), clip.morphs.len()), (1, 0));
    let rotation = clip.bones[0].rotation.as_ref().unwrap();
    assert_eq!(rotation.values, [Quat::IDENTITY; 2]);
    for part in [
        "2 rotations have no direction",
        "channel 1 is left out: the clip already moves",
        "channel 2 is left out: 2 keys need 4 values, there are 2",
        "channel 3 is left out: accessor 99 does not exist",
        "channel 4 is left out: its sampler 7",
        "channel 5 is left out: its target node 7",
        "channel 6 is left out: \"a\" has no mesh",
        "is left out: it has no pointer",
        "channel 8 is left out: it has no target node",
    ] {
        assert!(warned(&model, part), "{part}: {:#?}", model.warnings);
    }
}
