//! Clips of recipes: the heroine's set of clips on figures of several sizes, clips of other models, and errors with their
//! positions.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use galatea::anim::contacts::{ContactOptions, detect, find_feet};
use galatea::anim::tools::SampledPoses;
use galatea::anim::{Clip, Skeleton};
use galatea::asset::{Model, gltf};
use galatea::forge::glb;
use galatea::recipe::bake;
use galatea::script::Fault;

const ROUNDS: u64 = 20_000_000;

fn made(text: &str) -> Result<Model, Fault> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = text.to_owned();
    let read = move |path: &str| {
        if path == "recipe.lua" {
            return Ok(own.clone());
        }
        fs::read_to_string(home.join(path)).map_err(|error| error.to_string())
    };
    let print = Rc::new(|line: &str| println!("{line}"));
    bake("recipe.lua", Rc::new(read), print, ROUNDS, 1.0).map(|(model, _)| model)
}

/// A skeleton of `scale` times the height of the woman of 1.70 m.
fn bones(scale: f32) -> String {
    let fingers: String = ["index", "middle", "ring", "little"]
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let z = 0.02 - 0.018 * i as f32;
            format!(
                "{{ 'left_{name}_proximal', 'left_hand', p(0.586, 0.957, {z} - 0.028) }},
                 {{ 'left_{name}_intermediate', 'left_{name}_proximal', p(0.61, 0.933, {z} - 0.028) }},"
            )
        })
        .collect();
    format!(
        "local function p(x, y, z) return vector.create(x, y, z) * {scale} end
        local skeleton = bones {{
            {{ 'root', false, p(0, 0, 0) }}, {{ 'hips', 'root', p(0, 0.93, 0) }}, {{ 'spine', 'hips', p(0, 1.03, -0.008) }},
            {{ 'chest', 'spine', p(0, 1.165, -0.018) }}, {{ 'neck', 'chest', p(0, 1.438, -0.03) }}, {{ 'head', 'neck', p(0, 1.515, -0.012) }},
            {{ 'left_shoulder', 'chest', p(0.025, 1.395, -0.015) }}, {{ 'left_upper_arm', 'left_shoulder', p(0.158, 1.385, -0.028) }},
            {{ 'left_lower_arm', 'left_upper_arm', p(0.3525, 1.1905, -0.028) }}, {{ 'left_hand', 'left_lower_arm', p(0.5257, 1.0173, -0.028) }},
            {fingers}
            {{ 'left_upper_leg', 'hips', p(0.088, 0.895, 0) }}, {{ 'left_lower_leg', 'left_upper_leg', p(0.092, 0.487, 0.01) }},
            {{ 'left_foot', 'left_lower_leg', p(0.092, 0.082, -0.014) }}, {{ 'left_toes', 'left_foot', p(0.098, 0.022, 0.112) }},
            {{ 'skirt_front', 'hips', p(0, 0.9, 0.1) }}, {{ 'left_lower_arm_twist', 'left_lower_arm', p(0.44, 1.1, -0.028) }},
        }}\n"
    )
}

fn repertoire(scale: f32) -> Model {
    let text = format!(
        "{}return model {{ bones = skeleton, clips = require './scripts/forge/motion/all' (figure(skeleton)) }}",
        bones(scale)
    );
    let model = made(&text).unwrap_or_else(|fault| panic!("{fault}"));
    let bytes = glb::write(&model);
    let back = gltf::load_slice("motion.glb", &bytes, &mut |_| Err("none".into())).unwrap();
    assert!(back.warnings.is_empty(), "{:?}", back.warnings);
    back
}

fn clip<'a>(model: &'a Model, name: &str) -> &'a Clip {
    let found = model.clips.iter().find(|clip| clip.name == name);
    found.unwrap_or_else(|| panic!("there is no {name}"))
}

const NAMES: [&str; 46] = [
    "idle",
    "idle_look",
    "idle_shift",
    "walk",
    "run",
    "sneak",
    "walk_start",
    "walk_stop",
    "run_stop",
    "turn_left_90",
    "turn_right_90",
    "turn_180",
    "strafe_left",
    "strafe_right",
    "walk_back",
    "jump",
    "jump_intro",
    "jump_loop",
    "jump_land",
    "sit_down",
    "sit",
    "stand_up",
    "wave",
    "point",
    "shrug",
    "laugh",
    "punch",
    "flinch",
    "flinch_left",
    "flinch_right",
    "flinch_back",
    "get_up_front",
    "get_up_back",
    "talk_beat_1",
    "talk_beat_2",
    "talk_beat_3",
    "talk_beat_4",
    "talk_beat_5",
    "talk_beat_6",
    "carry_idle",
    "carry_walk",
    "push",
    "climb_step",
    "reach",
    "statue",
    "wake",
];
const ROUND: [&str; 13] = [
    "idle",
    "idle_look",
    "idle_shift",
    "walk",
    "run",
    "sneak",
    "strafe_left",
    "strafe_right",
    "walk_back",
    "jump_loop",
    "sit",
    "carry_walk",
    "push",
];

#[test]
fn all_clips_exist_and_loops_close_exactly() {
    let model = repertoire(1.0);
    for name in NAMES.iter().chain(&["crouch_down", "crouch", "crouch_up"]) {
        clip(&model, name);
    }
    for name in ROUND {
        for tracks in &clip(&model, name).bones {
            if let Some(turn) = &tracks.rotation {
                let (first, last) = (turn.values[0], turn.values[turn.values.len() - 1]);
                assert!(
                    first.dot(last).abs() > 1.0 - 1e-6,
                    "{name}, {}",
                    tracks.bone
                );
            }
            if let Some(at) = &tracks.translation {
                let (first, last) = (at.values[0], at.values[at.values.len() - 1]);
                assert!(first.distance(last) < 1e-6, "{name}, {}", tracks.bone);
            }
        }
    }
    // Bones without a role stay at rest.
    for (i, bone) in model.skeleton.bones().iter().enumerate() {
        if bone.name.starts_with("skirt") || bone.name.contains("twist") {
            let moves = |clip: &&std::sync::Arc<Clip>| {
                clip.bones.iter().any(|own| usize::from(own.bone) == i)
            };
            assert_eq!(model.clips.iter().filter(moves).count(), 0, "{}", bone.name);
        }
    }
}

#[test]
fn clips_have_the_lengths_speeds_and_markers_that_scripts_expect() {
    for scale in [1.0, 0.62, 1.1] {
        let model = repertoire(scale);
        let feet = find_feet(&model.skeleton);
        for (name, seconds, speed) in [
            ("walk", 1.0, 1.4),
            ("run", 0.7, 4.2),
            ("sneak", 1.25, 0.7),
            ("carry_walk", 1.05, 1.1),
            ("walk_back", 1.0, 0.9),
            ("strafe_left", 0.64, 0.9),
        ] {
            let own = clip(&model, name);
            assert!(
                (own.duration - seconds).abs() < 1e-4,
                "{name}: {}",
                own.duration
            );
            let gait = detect(&model.skeleton, own, &feet, &ContactOptions::default());
            let wanted = speed * scale;
            assert!(
                (gait.speed() - wanted).abs() < 0.015 * wanted,
                "{name}: {} for {wanted}",
                gait.speed()
            );
        }
    }
    let model = repertoire(1.0);
    let marks = |name: &str| -> Vec<(f32, String)> {
        let marks = clip(&model, name).markers.iter();
        marks.map(|mark| (mark.time, mark.event.clone())).collect()
    };
    assert_eq!(marks("walk"), [(0.0, "step".into()), (0.5, "step".into())]);
    assert_eq!(
        marks("jump"),
        [(0.46, "takeoff".into()), (0.84, "land".into())]
    );
    for i in 1..=6 {
        assert_eq!(marks(&format!("talk_beat_{i}"))[0].1, "stroke");
    }
    for (name, seconds) in [
        ("idle", 4.0),
        ("jump", 1.3),
        ("wave", 2.2),
        ("crouch_down", 0.7),
        ("crouch", 3.0),
        ("crouch_up", 0.8),
        ("flinch", 0.6),
    ] {
        assert!(
            (clip(&model, name).duration - seconds).abs() < 1e-4,
            "{name}"
        );
    }
}

/// Bend of knees and elbows in radians, frame by frame.
fn bends(skeleton: &Skeleton, own: &Clip, rate: f32) -> Vec<(String, Vec<f32>)> {
    let frames = SampledPoses::new(skeleton, own, rate);
    let mut out = Vec::new();
    for side in ["left", "right"] {
        for (limb, three) in [
            ("knee", ["upper_leg", "lower_leg", "foot"]),
            ("elbow", ["upper_arm", "lower_arm", "hand"]),
        ] {
            let at =
                three.map(|bone| usize::from(skeleton.find(&format!("{side}_{bone}")).unwrap()));
            let bend = |i: usize| {
                let [a, b, c] = at.map(|bone| frames.position(i, bone));
                (b - a).angle_between(c - b)
            };
            out.push((
                format!("{side} {limb}"),
                (0..frames.len()).map(bend).collect(),
            ));
        }
    }
    out
}

#[test]
fn knees_and_elbows_do_not_jerk() {
    let model = repertoire(1.0);
    for own in &model.clips {
        for (limb, bend) in bends(&model.skeleton, own, 60.0) {
            let fastest = bend
                .windows(2)
                .map(|two| (two[1] - two[0]).abs() * 60.0)
                .fold(0.0, f32::max);
            assert!(
                fastest < 28.0,
                "{}: the {limb} turns at {fastest} radians a second",
                own.name
            );
            // The speed changes from frame to frame by no more than in a kick.
            let jerk = bend
                .windows(3)
                .map(|b| (b[2] - 2.0 * b[1] + b[0]).abs() * 60.0)
                .fold(0.0, f32::max);
            assert!(jerk < 24.0, "{}: the {limb} jerks by {jerk}", own.name);
        }
    }
}

#[test]
fn get_up_clips_start_lying_and_rotations_are_in_the_root() {
    let model = repertoire(1.0);
    let skeleton = &model.skeleton;
    for (name, face) in [("get_up_back", 1.0), ("get_up_front", -1.0)] {
        let frames = SampledPoses::new(skeleton, clip(&model, name), 30.0);
        let [hips, head] = ["hips", "head"].map(|bone| usize::from(skeleton.find(bone).unwrap()));
        let ahead = frames.matrix(0, hips).transform_vector3(glam::Vec3::Z);
        assert!(ahead.y * face > 0.9, "{name}: {ahead}");
        let at = frames.position(0, hips);
        assert!(at.y < 0.2 && at.with_y(0.0).length() < 0.05, "{name}: {at}");
        assert!(frames.position(0, head).y < 0.35);
        let last = frames.len() - 1;
        assert!(frames.position(last, hips).y > 0.9);
    }
    for (name, degrees) in [
        ("turn_left_90", 90.0),
        ("turn_right_90", -90.0),
        ("turn_180", 180.0_f32),
    ] {
        let frames = SampledPoses::new(skeleton, clip(&model, name), 30.0);
        let root = usize::from(skeleton.find("root").unwrap());
        let ahead = frames
            .matrix(frames.len() - 1, root)
            .transform_vector3(glam::Vec3::Z);
        let wanted = glam::Quat::from_rotation_y(degrees.to_radians()) * glam::Vec3::Z;
        assert!(ahead.dot(wanted) > 0.999, "{name}: {ahead}");
    }
}

#[test]
fn models_that_are_no_figures_are_animated_by_bones_and_shapes() {
    let text = "
        local v = vector.create
        local c = cage()
        c:grid { { v(0, 0, 0), v(1, 0, 0) }, { v(0, 1, 0), v(1, 1, 0) } }
        local wag = clip {
            name = 'wag', seconds = 1, loop = true,
            at = function(t) return { tail = { turn = v(0, 30 * math.sin(t * math.pi * 2), 0), at = v(0, 0.1 * math.sin(t * math.pi * 2), 0) } } end,
            morphs = { wink = { { 0, 0 }, { 0.5, 1 }, { 1, 0 } } },
            markers = { { 0.25, 'left', duration = 0.1, loud = 2 } },
        }
        return model {
            bones = bones { { 'body', false, v(0, 1, 0) }, { 'tail', 'body', v(0, 1, -1) } },
            parts = { part { cage = c, mirror = false, weights = 'tail', morphs = { { name = 'wink', offsets = { [1] = v(0, 0, 0.1) } } } } },
            materials = { skin = {} },
            clips = { { wag } },
        }";
    let model = made(text).unwrap_or_else(|fault| panic!("{fault}"));
    let bytes = glb::write(&model);
    let back = gltf::load_slice("wag.glb", &bytes, &mut |_| Err("none".into())).unwrap();
    assert!(back.warnings.is_empty(), "{:?}", back.warnings);
    let own = clip(&back, "wag");
    assert_eq!(own.duration, 1.0);
    let frames = SampledPoses::new(&back.skeleton, own, 20.0);
    let tail = usize::from(back.skeleton.find("tail").unwrap());
    let ahead = frames.matrix(5, tail).transform_vector3(glam::Vec3::Z);
    assert!((ahead.x - 0.5).abs() < 5e-3, "{ahead}");
    assert!((frames.position(5, tail).y - 1.1).abs() < 2e-3);
    let weights = &own.morphs[0].track;
    let highest = weights.values.iter().copied().fold(0.0, f32::max);
    assert!((highest - 1.0).abs() < 1e-3);
    assert_eq!((own.markers[0].time, own.markers[0].duration), (0.25, 0.1));
}

#[test]
fn errors_are_reported_with_their_positions() {
    let cases = [
        (
            "figure(bones { { 'hips', false, vector.zero } })",
            "the skeleton has no bone \"chest\"",
        ),
        (
            "pose { chset = vector.zero }",
            "unknown field \"chset\"; did you mean \"chest\"?",
        ),
        (
            "pose { left_arm = { swng = 3 } }",
            "left_arm: unknown field \"swng\"; did you mean \"swing\"?",
        ),
        ("pose { chest = 3 }", "expected a vector"),
        (
            "pose { left_hand = { at = vector.zero, on = 'hed' } }",
            "cannot be attached to \"hed\"; did you mean \"head\"?",
        ),
        ("keys { { 0, {} }, { 0, {} } }", "times must be ascending"),
        ("keys { { 0, { head = 1 } } }", "keys: at 0 s"),
        (
            "keys { { 0, {}, ease = 'hti' } }",
            "unknown ease \"hti\"; did you mean \"hit\"?",
        ),
        (
            "keys { { 0, {} }, late = { heads = 1 } }",
            "late: unknown body part \"heads\"; did you mean \"head\"?",
        ),
        (
            "curve { { 0, 'a' } }",
            "expected a row { time, number or vector }",
        ),
        ("clip { seconds = 1 }", "field \"name\" is missing"),
        (
            "clip { name = 'a', seconds = 1, figure = woman, at = function() return 3 end }",
            "clip \"a\": at 0.000 s: expected a pose",
        ),
        (
            "clip { name = 'a', seconds = 1, figure = woman, at = function(t) return { hips = vector.create(0, 0.2, 0) } end }",
            "foot is",
        ),
        (
            "clip { name = 'a', seconds = 1, figure = woman, at = function(t) return { left_foot = { at = vector.create(0, 0, 0.1 * t) } } end }",
            "the left foot slides while planted by",
        ),
        (
            "clip { name = 'a', seconds = 1, figure = woman, at = function(t) return { feet = { at = vector.create(0, -0.05, 0) }, hips = vector.create(0, -0.06, 0) } end }",
            "sinks into the ground by 5.0 cm",
        ),
        (
            "clip { name = 'a', seconds = 1, loop = true, figure = woman, at = function(t) return { head = vector.create(0, 30 * t, 0) } end }",
            "the loop is not closed",
        ),
        (
            "clip { name = 'a', seconds = 1, markers = { { 2, 'late' } } }",
            "2 s is not between 0 and 1 s",
        ),
        (
            "model { clips = { 3 } }",
            "expected a list of clips, got the number 3",
        ),
        (
            "local c = clip { name = 'a', seconds = 1 } model { clips = { c, c } }",
            "two clips have the name \"a\"",
        ),
        (
            "return model { bones = skeleton, clips = { clip { name = 'a', seconds = 1, at = function() return { hed = { turn = vector.one } } end } } }",
            "the model has no bone \"hed\"; did you mean \"head\"?",
        ),
        (
            "return model { clips = { clip { name = 'a', seconds = 1, morphs = { wink = { { 0, 1 } } } } } }",
            "the model has no morph \"wink\"",
        ),
    ];
    for (text, wanted) in cases {
        let whole = format!("{}local woman = figure(skeleton)\n{text}", bones(1.0));
        let told = match made(&whole) {
            Ok(_) => panic!("nothing is wrong with {text}"),
            Err(fault) => fault.to_string(),
        };
        assert!(told.contains(wanted), "{text}: {told}");
        assert!(told.contains("recipe.lua:"), "{text}: {told}");
    }
}
