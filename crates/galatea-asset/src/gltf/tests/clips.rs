//! Animations of complete files.

use glam::{Quat, Vec3};
use serde_json::{Value, json};

use super::super::{Additions, repack};
use super::*;
use galatea_anim::{Interpolation, MarkerValue};

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
            "extras": {"markers": [{"time": 0.5, "event": "step", "foot": "left", "loud": 2},
                                 {"time": 0.1, "event": "start", "duration": 0.25}]}}],
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
    assert_eq!(clip.markers.len(), 2);
    assert_eq!(clip.markers[0].event, "start");
    assert_eq!(
        (clip.markers[0].duration, clip.markers[1].duration),
        (0.25, 0.0)
    );
    let fields = [
        ("foot".into(), MarkerValue::Text("left".into())),
        ("loud".into(), MarkerValue::Number(2.0)),
    ];
    assert_eq!(clip.markers[1].fields, fields);
    assert!(model.warnings.is_empty(), "{:?}", model.warnings);
}

fn marked(marks: Vec<Value>) -> Model {
    with_extras(&json!({"markers": marks}))
}

/// A clip of 2 s with these extras.
fn with_extras(extras: &Value) -> Model {
    let mut file = File::default();
    let times = file.floats("SCALAR", &[0.0, 2.0]);
    let moved = file.floats("VEC3", &[0.0; 6]);
    file.load(json!({
        "nodes": [{"name": "a"}],
        "animations": [{
            "samplers": [{"input": times, "output": moved}],
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            "extras": extras}],
    }))
    .unwrap()
}

#[test]
fn former_names_of_markers_are_read_with_a_warning() {
    let former = json!({"marks": [{"t": 0.5, "event": "step", "length": 0.25}]});
    let model = with_extras(&former);
    let marks = &model.clips[0].markers;
    assert_eq!((marks[0].time, marks[0].duration), (0.5, 0.25), "{marks:?}");
    assert_eq!(
        model.warnings,
        [
            "extras of clips: \"marks\" is now \"markers\"; the former name still works",
            "extras.markers of clips: \"t\" is now \"time\", \"length\" is now \"duration\"; the former name still works",
        ]
    );
    let current = json!({"markers": [{"time": 0.5, "event": "jump", "length": 3}]});
    let model = with_extras(&current);
    assert!(model.warnings.is_empty(), "{:?}", model.warnings);
    let fields = &model.clips[0].markers[0].fields;
    assert_eq!(fields[..], [("length".into(), MarkerValue::Number(3.0))]);
}

#[test]
fn intervals_beyond_the_limit_are_skipped_with_a_warning() {
    let mark = |i: i32, length: f64| json!({"time": f64::from(i) / 100.0, "event": "e", "duration": length});
    let model = marked((0..70).map(|i| mark(i, f64::from(i % 10) / 10.0)).collect());
    assert_eq!(model.clips[0].markers.len(), 70, "63 of them have a length");
    assert!(model.warnings.is_empty(), "{:?}", model.warnings);
    let model = marked((0..70).map(|i| mark(i, 0.01)).collect());
    assert_eq!(model.clips[0].markers.len(), 64);
    let warnings = model.warnings.join("; ");
    assert!(warnings.contains("6 are left out"), "{warnings}");
}

#[test]
fn reinterpreted_markers_are_reported_with_clip_marker_and_time() {
    let model = marked(vec![
        json!({"time": 0.5, "event": "fine", "duration": 9}),
        json!({"time": 2.0004, "event": "rounded"}),
        json!({"time": 3.5, "event": "late"}),
        json!({"time": -1, "event": "early", "duration": 0.5}),
        json!({"time": "0.5", "event": "spoken"}),
        json!({"event": "timeless"}),
        json!({"time": 1.5}),
        json!("step"),
        json!({"time": 1.25, "event": "long", "duration": "2"}),
        json!({"time": 0.75, "event": "step", "foot": ["left"], "loud": true}),
    ]);
    let clip = &model.clips[0];
    let marks: Vec<(&str, f32)> = clip
        .markers
        .iter()
        .map(|m| (&*m.event, m.duration))
        .collect();
    assert_eq!(
        marks,
        [
            ("early", 0.5),
            ("fine", 9.0),
            ("step", 0.0),
            ("long", 0.0),
            ("rounded", 0.0),
            ("late", 0.0)
        ]
    );
    assert_eq!(
        clip.markers[2].fields,
        [("loud".into(), MarkerValue::Bool(true))]
    );
    for text in [
        "clip \"clip_0\": marker \"late\" at 3.5 s is outside the clip, which is 2 s long; it was moved to the end",
        "clip \"clip_0\": marker \"early\" at -1 s is outside the clip, which is 2 s long; it was moved to the start",
        "marker \"spoken\" is left out: field \"time\" is \"0.5\", expected a number of seconds",
        "marker \"timeless\" is left out: field \"time\" is missing, expected a number of seconds",
        "marker 7 of the list at 1.5 s is left out: field \"event\" is missing, expected a name",
        "marker 8 of the list is left out: it is not an object",
        "marker \"long\" at 1.25 s is used without a duration: field \"duration\" is \"2\", expected a number of seconds",
        "marker \"step\" at 0.75 s: field \"foot\" is not a number, string or boolean; left out",
    ] {
        assert!(warned(&model, text), "{text}: {:#?}", model.warnings);
    }
    assert_eq!(model.warnings.len(), 8, "{:#?}", model.warnings);
}

#[test]
fn keys_so_large_that_poses_would_overflow_are_skipped() {
    let model = animated(|file| {
        let times = file.floats("SCALAR", &[0.0, 1.0, 2.0]);
        let late = file.floats("SCALAR", &[0.0, 1.0, 3e38]);
        // Tangent of the second key.
        let mut spline = [0.5; 27];
        spline[9] = 3e38;
        let spline = file.floats("VEC3", &spline);
        let turns = [[0.0, 0.0, 0.0, 5.0], [3e38; 4], [0.0, 3.0, 0.0, 0.0]];
        let turns = file.floats("VEC4", turns.as_flattened());
        let places = file.floats("VEC3", &[0.0, 0.0, 0.0, 1e6, 0.0, -2e6, 0.0, 0.0, 0.0]);
        (
            json!([{"input": times, "output": spline, "interpolation": "CUBICSPLINE"},
                   {"input": times, "output": turns},
                   {"input": late, "output": places}]),
            json!([{"sampler": 0, "target": {"node": 0, "path": "scale"}},
                   {"sampler": 1, "target": {"node": 0, "path": "rotation"}},
                   {"sampler": 2, "target": {"node": 0, "path": "translation"}}]),
        )
    });
    let tracks = &model.clips[0].bones[0];
    assert_eq!(tracks.scale.as_ref().unwrap().times, [0.0, 2.0]);
    let turns = tracks.rotation.as_ref().unwrap();
    assert_eq!(
        turns.values,
        [Quat::IDENTITY, Quat::from_xyzw(0.0, 1.0, 0.0, 0.0)]
    );
    assert_eq!(tracks.translation.as_ref().unwrap().times, [0.0]);
    for text in [
        "scale of \"a\": 1 keys have values beyond 1e6 or times beyond 1e6 s; left out",
        "rotation of \"a\": 1 keys have values",
        "translation of \"a\": 2 keys have values",
    ] {
        assert!(warned(&model, text), "{text}: {:#?}", model.warnings);
    }
}

#[test]
fn unsorted_keys_and_nan_keys_are_repaired() {
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
    assert!(warned(&model, "2 keys are NaN or infinite"));
    assert!(warned(&model, "are not ascending"));
}

#[test]
fn unreadable_channels_are_reported_by_name_and_skipped() {
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
        "2 rotations have length 0",
        "channel 1 is left out: another channel already animates",
        "channel 2 is left out: 2 keys need 4 values, got 2",
        "channel 3 is left out: accessor 99 does not exist",
        "channel 4 is left out: sampler 7",
        "channel 5 is left out: the target node 7",
        "channel 6 is left out: node \"a\" has no mesh",
        "is left out: the channel has no pointer",
        "channel 8 is left out: the channel has no target node",
    ] {
        assert!(warned(&model, part), "{part}: {:#?}", model.warnings);
    }
}

/// A file with one clip that animates node 0 at the times `first` and node 1 at `second`, two keys each.
fn with_times(first: [f32; 2], second: [f32; 2]) -> (File, Value) {
    let mut file = File::default();
    let inputs = [first, second].map(|times| file.floats("SCALAR", &times));
    let output = file.floats("VEC3", &[0., 0., 0., 1., 0., 0.]);
    let samplers = inputs.map(|input| json!({"input": input, "output": output}));
    let channel = |i: usize| json!({"sampler": i, "target": {"node": i, "path": "translation"}});
    let rest = json!({
        "nodes": [{"name": "a"}, {"name": "b"}],
        "animations": [{"name": "jump", "samplers": samplers, "channels": [channel(0), channel(1)],
            "extras": {"markers": [{"time": -0.5, "event": "up"}, {"time": 1.0, "event": "down"}]}}],
    });
    (file, rest)
}

fn times(model: &Model) -> Vec<Vec<f32>> {
    let tracks = model.clips[0].bones.iter();
    let times = tracks.map(|bone| bone.translation.as_ref().unwrap().times.clone());
    times.collect()
}

#[test]
fn a_clip_with_keys_before_zero_is_moved_as_a_whole_and_a_late_one_stays() {
    let (file, rest) = with_times([-1.0, 1.0], [0.5, 1.5]);
    let model = file.load(rest).unwrap();
    assert_eq!(times(&model), [[0.0, 2.0], [1.5, 2.5]]);
    assert_eq!(model.clips[0].duration, 2.5);
    let marks: Vec<f32> = model.clips[0]
        .markers
        .iter()
        .map(|mark| mark.time)
        .collect();
    assert_eq!(marks, [0.5, 2.0]);
    assert_eq!(model.warnings.len(), 1, "{:?}", model.warnings);
    assert!(warned(&model, "clip \"jump\": the first key is at -1 s"));
    let (file, rest) = with_times([-2.0, -1.0], [-1.5, 0.0]);
    let model = file.load(rest).unwrap();
    assert_eq!(model.clips[0].duration, 2.0);
    // Before a late first key, the clip holds that key (appendix C.1).
    let (file, rest) = with_times([1.0, 3.0], [2.0, 3.0]);
    let model = file.load(rest).unwrap();
    assert_eq!(times(&model), [[1.0, 3.0], [2.0, 3.0]]);
    assert_eq!(model.clips[0].duration, 3.0);
    assert!(!warned(&model, "first key"));
}

#[test]
fn a_repacked_file_has_no_times_before_zero_and_weights_that_sum_to_one() {
    let (mut file, mut rest) = with_times([-1.0, 1.0], [0.5, 1.5]);
    let primitive = skinned(
        &mut file,
        &[0.5, 0., 0., 0., 0.25, 0.25, 0., 0., 1., 0., 0., 0.],
    );
    rest["meshes"] = json!([{"primitives": [primitive]}]);
    rest["skins"] = json!([{"joints": [0, 1]}]);
    rest["nodes"][0] = json!({"name": "a", "mesh": 0, "skin": 0});
    let bytes = file.glb(rest);
    let model = from_bytes(&bytes).unwrap();
    assert!(warned(&model, "sum to 0.500 … 1.000"));
    let mut none = |name: &str| Err(format!("no file {name}"));
    let nothing = Additions::default();
    let repacked = repack::repack(&bytes, &mut none, &model, &nothing).unwrap();
    let written = from_bytes(&repacked).unwrap();
    assert_eq!(written.warnings, [""; 0]);
    assert_eq!(written.clips, model.clips);
    let weights = |model: &Model| model.meshes[0].primitives[0].influences.weights.clone();
    assert_eq!(weights(&written), weights(&model));
}
