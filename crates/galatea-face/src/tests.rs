//! Faces of several kinds, and the combination of their owners.

mod vrm;

use glam::{Quat, Vec3};

use super::*;
use galatea_anim::{Bone, Skeleton, local_to_model};
use galatea_math::Trs;
use galatea_rig::Posed;
use galatea_rig::expression::Override;
use galatea_speech::viseme::{N_VISEMES, VISEMES, Viseme};

fn source<'a>(morphs: &[&'a str], rest: &'a [f32]) -> FaceSource<'a> {
    FaceSource {
        morphs: morphs.to_vec(),
        rest,
        ..FaceSource::default()
    }
}

fn full() -> FaceRig {
    let oculus: Vec<String> = VISEMES
        .iter()
        .map(|v| format!("viseme_{}", v.name()))
        .collect();
    let mut morphs: Vec<&str> = ARKIT.to_vec();
    morphs.extend(oculus.iter().map(String::as_str));
    FaceRig::new(&source(&morphs, &[0.0; 67]))
}

fn jaw() -> FaceBone {
    FaceBone {
        bone: 1,
        kind: BoneKind::Jaw,
        parent_from_character: Quat::IDENTITY,
        turn: Vec3::X * 0.4,
        shift: Vec3::ZERO,
    }
}

/// Test setup: a face with morph weights, and a skull with a jaw.
struct Bench {
    rig: FaceRig,
    face: Face,
    base: Vec<f32>,
    morphs: Vec<f32>,
    materials: Vec<f32>,
    jaw: Quat,
}

impl Bench {
    fn new(rig: FaceRig) -> Self {
        let n = rig
            .sinks
            .iter()
            .filter(|s| matches!(s.target, SinkTarget::Morph(_)))
            .count();
        let base: Vec<f32> = rig.sinks.iter().take(n).map(|sink| sink.rest).collect();
        let mut face = Face::new(7);
        face.options.asymmetry = 0.0;
        face.options.blink_rate = 0.0;
        Self {
            rig,
            face,
            morphs: base.clone(),
            base,
            materials: Vec::new(),
            jaw: Quat::IDENTITY,
        }
    }

    fn step(&mut self, dt: f32) {
        let bone = |name: &str, parent: Option<u16>| Bone {
            name: name.into(),
            parent,
            rest: Trs::default(),
            skinned: false,
        };
        let skeleton = Skeleton::new(vec![bone("head", None), bone("jaw", Some(0))]).unwrap();
        let mut locals: Vec<Trs> = skeleton.rest().collect();
        let mut matrices = Vec::new();
        local_to_model(&skeleton, &locals, &mut matrices);
        let mut posed = Posed::new(&skeleton, &mut locals, &matrices);
        self.morphs.clone_from(&self.base);
        self.face.advance(dt);
        self.face.apply(
            &self.rig,
            &mut self.morphs,
            &mut posed,
            &mut self.materials,
            1.0,
        );
        self.jaw = locals[1].rotation;
    }

    fn of(&self, name: &str) -> f32 {
        let control = self.rig.find(name).unwrap();
        self.face.shown_of(&self.rig, control)
    }

    fn mood(&mut self, name: &str, intensity: f32) {
        let mix = Mix::new(vec![(name.into(), 1.0)], &self.rig);
        assert_eq!(mix.controls().count(), 1, "{name}");
        self.face.set_mood(mix, intensity, 0.1);
    }

    fn say(&mut self, viseme: Viseme, weight: f32) {
        self.face.visemes = [0.0; N_VISEMES];
        self.face.visemes[viseme as usize] = weight;
        self.face.speaking = 1.0;
    }
}

#[test]
fn a_face_with_all_shapes_shows_every_expression_directly() {
    let rig = full();
    assert_eq!(rig.speech_by, SpeechBy::Visemes);
    assert!(rig.missing.is_empty());
    assert_eq!(rig.blink.len(), 2);
    for (name, _) in EXPRESSIONS {
        let control = &rig.controls[usize::from(rig.find(name).unwrap())];
        assert_eq!(control.origin, ControlOrigin::Made, "{name}");
    }
    for (i, viseme) in VISEMES.iter().enumerate() {
        assert_eq!(rig.visemes[i], vec![(52 + i as u16, 1.0)], "{viseme:?}");
    }
    assert_eq!(rig.find("joy"), rig.find("happiness"));
    assert_eq!(rig.find("eye_blink_L"), rig.find("eyeBlinkLeft"));
    let error = rig.control("suprise").unwrap_err();
    assert!(error.contains("surprise"), "{error}");
}

#[test]
fn other_faces_use_substitutes_and_list_missing_expressions() {
    let own = [
        "blink",
        "smile",
        "blink_left",
        "blink_right",
        "brows_up",
        "brows_down",
        "brows_sad",
        "frown",
        "pucker",
    ];
    let rig = FaceRig::new(&source(&own, &[0.0; 9]));
    assert_eq!(
        rig.blink,
        vec![(0, 1.0)],
        "both lids by the target for both"
    );
    let smile = &rig.controls[usize::from(rig.find("mouthSmileLeft").unwrap())];
    assert_eq!(
        (smile.origin, &smile.binds),
        (ControlOrigin::StandIn, &vec![(1, 0.5)])
    );
    let sad = &rig.controls[usize::from(rig.find("sadness").unwrap())];
    assert!(
        sad.binds
            .iter()
            .any(|(sink, w)| *sink == 7 && (*w - 0.6).abs() < 1e-6),
        "both halves of a frown"
    );
    assert_eq!(rig.speech_by, SpeechBy::Nothing);

    let robot = FaceRig::new(&source(&["Angry", "Surprised", "Sad"], &[0.0; 3]));
    assert_eq!(robot.find("anger"), robot.find("Angry"));
    let fear = &robot.controls[usize::from(robot.find("fear").unwrap())];
    assert_eq!(
        (fear.origin, fear.binds.clone()),
        (ControlOrigin::Instead, vec![(1, 0.6), (2, 0.4)])
    );
    assert!(robot.missing.contains(&"happiness"), "{:?}", robot.missing);
    assert!(robot.lacks("joy") && !robot.lacks("fear") && !robot.lacks("happyness"));
    assert_eq!(
        robot.control("joy").unwrap_err(),
        "this face has no morph target or bone for \"joy\" (it has Angry, Surprised, Sad, concentration, contempt, \
         disgust, fear, confusion …)"
    );
    let vrm = FaceRig::new(&source(&["happy", "angry", "sad"], &[0.0; 3]));
    let smile = &vrm.controls[usize::from(vrm.find("smile").unwrap())];
    assert_eq!(
        (smile.origin, smile.binds.clone()),
        (ControlOrigin::Instead, vec![(0, 0.7)])
    );

    let mut with_jaw = source(&[], &[]);
    with_jaw.bones = vec![jaw()];
    let with_jaw = FaceRig::new(&with_jaw);
    assert_eq!(with_jaw.speech_by, SpeechBy::Jaw);
    assert!(
        with_jaw.visemes[Viseme::PP as usize]
            .iter()
            .all(|(_, w)| *w == 0.0)
    );

    let vowels = ["aa", "ih", "ou", "ee", "oh"].map(|name| SourceExpression {
        name,
        morphs: vec![(0, 1.0)],
        materials: &[],
        is_binary: false,
        overrides: [Override::None; 3],
    });
    let mut vrm = source(&["face_1"], &[0.0]);
    vrm.expressions = vowels.to_vec();
    let vrm = FaceRig::new(&vrm);
    assert_eq!(vrm.speech_by, SpeechBy::Vowels);
    assert_eq!(
        vrm.sinks[0].region,
        FaceRegion::Mouth,
        "the vowel expression moves the mouth"
    );
    assert!(FaceRig::new(&source(&[], &[])).is_empty());
}

#[test]
fn owners_are_added_up_and_a_script_replaces_all() {
    let mut bench = Bench::new(full());
    bench.mood("happiness", 1.0);
    (0..20).for_each(|_| bench.step(0.02));
    assert!((bench.of("mouthSmileLeft") - 0.8).abs() < 1e-4);
    // A third of the mood remains at the mouth during speech; the cheeks do not belong to the mouth.
    bench.say(Viseme::AA, 0.9);
    bench.step(0.02);
    assert!((bench.of("mouthSmileLeft") - 0.8 / 3.0).abs() < 1e-4);
    assert!((bench.of("cheekSquintLeft") - 0.6).abs() < 1e-4);
    assert!((bench.of("viseme_aa") - 0.9).abs() < 1e-4);
    // Clips are the base layer.
    let smile = 43;
    assert_eq!(ARKIT[smile], "mouthSmileLeft");
    bench.face.visemes = [0.0; N_VISEMES];
    bench.face.speaking = 0.0;
    bench.base[smile] = 0.5;
    bench.step(0.02);
    assert_eq!(
        bench.of("mouthSmileLeft"),
        1.0,
        "they add up to no more than all of it"
    );
    let rig = bench.rig.clone();
    bench.face.hold(&rig, "mouthSmileLeft", 0.1, 0.0);
    bench.say(Viseme::E, 1.0);
    bench.step(0.02);
    assert!((bench.of("mouthSmileLeft") - 0.1).abs() < 1e-6);
    assert!(bench.face.release_control(Some("mouthSmileLeft"), 0.1));
    assert!(!bench.face.release_control(Some("mouthSmileRight"), 0.1));
    bench.face.speaking = 0.0;
    (0..10).for_each(|_| bench.step(0.02));
    assert_eq!(bench.of("mouthSmileLeft"), 1.0);
    // A value stays until its owner clears it.
    (0..1000).for_each(|_| bench.step(0.1));
    assert_eq!(bench.of("mouthSmileLeft"), 1.0);
    bench.face.set_mood(Mix::default(), 0.0, 0.1);
    bench.base[smile] = 0.0;
    (0..20).for_each(|_| bench.step(0.02));
    assert_eq!(bench.of("mouthSmileLeft"), 0.0);
    assert!(bench.face.expressions.is_empty());
}

#[test]
fn a_blink_closes_an_eye_unless_a_script_controls_it() {
    let mut bench = Bench::new(full());
    bench.mood("fear", 1.0);
    (0..20).for_each(|_| bench.step(0.02));
    assert!(bench.of("eyeWideLeft") > 0.7);
    bench.face.lids = 1.0;
    bench.step(0.02);
    assert_eq!(bench.of("eyeBlinkLeft"), 1.0);
    assert_eq!(bench.of("eyeWideLeft"), 0.0, "a closed eye is not wide");
    let rig = bench.rig.clone();
    assert!(!bench.face.holds_lids(&rig));
    bench.face.hold(&rig, "eyeBlinkLeft", 0.0, 0.0);
    bench.step(0.02);
    assert!(bench.face.holds_lids(&rig));
    assert_eq!(
        (bench.of("eyeBlinkLeft"), bench.of("eyeBlinkRight")),
        (0.0, 1.0)
    );
    // No blink starts while a script controls the eyelids.
    bench.face.options.blink_rate = 20.0;
    for _ in 0..6000 {
        bench.face.advance_lids(true, 1.0 / 60.0);
        assert_eq!(bench.face.own_lids.closed(), 0.0);
    }
    let mut n = 0;
    for _ in 0..6000 {
        bench.face.advance_lids(false, 1.0 / 60.0);
        n += usize::from(bench.face.own_lids.closed() > 0.9);
    }
    assert!(n > 60, "{n}");
}

#[test]
fn speech_closes_the_lips_in_any_mood() {
    let mut bench = Bench::new(full());
    bench.mood("surprise", 1.0);
    bench.base[24] = 0.6;
    assert_eq!(ARKIT[24], "jawOpen");
    (0..20).for_each(|_| bench.step(0.02));
    assert!(bench.of("jawOpen") > 0.9);
    for viseme in [Viseme::PP, Viseme::FF] {
        bench.say(viseme, 1.0);
        bench.step(0.02);
        assert_eq!(bench.of("jawOpen"), 0.0, "{viseme:?}");
        assert_eq!(bench.of(&format!("viseme_{}", viseme.name())), 1.0);
    }
    // Lips do not close further than they were open.
    bench.face.speaking = 0.0;
    bench.face.visemes = [0.0; N_VISEMES];
    bench.face.set_mood(Mix::default(), 0.0, 0.0);
    bench.base[24] = 0.2;
    let close = Mix::new(vec![("mouthClose".into(), 1.0)], &bench.rig);
    bench.face.set_mood(close, 1.0, 0.0);
    bench.step(0.1);
    assert!((bench.of("mouthClose") - 0.2).abs() < 1e-5);
}

#[test]
fn the_classic_channels_are_one_emotion_two_visemes_and_four_targets() {
    let mut bench = Bench::new(full());
    bench.face.options = FaceSettings {
        blink_rate: 0.0,
        ..FaceSettings::CLASSIC
    };
    for (i, viseme) in [(0, 0.5), (10, 0.9), (12, 0.7), (14, 0.2)] {
        bench.face.visemes[i] = viseme;
    }
    bench.face.speaking = 1.0;
    bench.step(0.02);
    assert_eq!((bench.of("viseme_aa"), bench.of("viseme_I")), (0.9, 0.7));
    assert_eq!((bench.of("viseme_U"), bench.of("viseme_sil")), (0.0, 0.0));
    // The previous emotion has faded out before the next fades in.
    bench.mood("eyeSquintLeft", 1.0);
    (0..20).for_each(|_| bench.step(0.01));
    bench.mood("cheekPuff", 1.0);
    let mut both = 0.0_f32;
    for _ in 0..40 {
        bench.step(0.01);
        both = both.max(bench.of("eyeSquintLeft").min(bench.of("cheekPuff")));
        let n = bench.morphs.iter().filter(|w| **w > 1e-3).count();
        assert!(n <= 4, "{n}");
    }
    assert!(both < 0.03, "{both}");
    assert_eq!(bench.of("cheekPuff"), 1.0);
    // Without a limit the whole expression shows.
    bench.face.options.max_active_targets = 0;
    bench.mood("fear", 1.0);
    bench.step(1.0);
    bench.step(1.0);
    assert!(bench.morphs.iter().filter(|w| **w > 1e-3).count() > 6);
}

#[test]
fn sides_can_differ_and_passing_expressions_replace_the_mood() {
    let mut bench = Bench::new(full());
    bench.mood("happiness", 0.5);
    bench.step(1.0);
    let mix = Mix::new(vec![("surprise".into(), 1.0)], &bench.rig);
    let id = bench
        .face
        .show(mix, FaceOwner::Mood, 1.0, Envelope::PASSING);
    bench.face.expression_mut(id).unwrap().side = -1.0;
    (0..50).for_each(|_| bench.step(0.02));
    assert_eq!(bench.of("mouthSmileLeft"), 0.0, "the mood gives way");
    assert!((bench.of("browOuterUpLeft") - 0.8).abs() < 1e-4);
    assert_eq!(bench.of("browOuterUpRight"), 0.0);
    assert!(
        (bench.of("jawOpen") - 0.38).abs() < 1e-4,
        "the part without a side shows"
    );
    (0..100).for_each(|_| bench.step(0.02));
    assert!(
        (bench.of("mouthSmileLeft") - 0.4).abs() < 1e-4,
        "and comes back"
    );
    // Some asymmetry by default.
    bench.face.options.asymmetry = 0.2;
    bench.step(0.02);
    let (left, right) = (bench.of("mouthSmileLeft"), bench.of("mouthSmileRight"));
    assert!(
        (left - right).abs() > 0.05 && left.max(right) > 0.39,
        "{left} {right}"
    );
}

#[test]
fn micro_expressions_appear_now_and_then_and_are_short() {
    let mut bench = Bench::new(full());
    let mix = Mix::new(vec![("contempt".into(), 1.0)], &bench.rig);
    bench.face.set_micro_expression(mix, 0.5, [2.0, 5.0]);
    let (mut starts, mut length, mut longest) = (Vec::new(), 0.0_f32, 0.0_f32);
    for i in 0..6000 {
        bench.step(0.01);
        if bench.of("mouthDimpleRight") > 0.0 {
            if length == 0.0 {
                starts.push(i as f32 * 0.01);
            }
            length += 0.01;
            longest = longest.max(length);
        } else {
            length = 0.0;
        }
    }
    let gaps: Vec<f32> = starts.windows(2).map(|w| w[1] - w[0]).collect();
    assert!(
        starts.len() > 10 && gaps.iter().all(|gap| (1.9..5.2).contains(gap)),
        "{gaps:?}"
    );
    assert!((0.15..0.25).contains(&longest), "{longest}");
}

#[test]
fn a_jaw_rotates_and_correctives_follow_the_product() {
    let mut with_jaw = source(&["jawLeft", "cheekPuff", "jawLeft__cheekPuff"], &[0.0; 3]);
    with_jaw.bones = vec![jaw()];
    let mut bench = Bench::new(FaceRig::new(&with_jaw));
    bench.say(Viseme::AA, 1.0);
    bench.step(0.02);
    let angle = bench.jaw.to_axis_angle().1;
    assert!((angle - 0.4 * 0.75).abs() < 1e-4, "{angle}");
    bench.say(Viseme::PP, 1.0);
    bench.step(0.02);
    assert_eq!(bench.jaw, Quat::IDENTITY);
    let rig = bench.rig.clone();
    bench.face.hold(&rig, "jawLeft", 0.5, 0.0);
    bench.face.hold(&rig, "cheekPuff", 0.8, 0.0);
    bench.step(0.02);
    assert!((bench.morphs[2] - 0.4).abs() < 1e-6);
}

#[test]
fn invalid_values_and_many_expressions_are_handled() {
    let mut bench = Bench::new(full());
    bench.mood("anger", f32::NAN);
    bench.face.visemes = [f32::NAN; N_VISEMES];
    bench.face.speaking = f32::INFINITY;
    bench.face.lids = f32::NAN;
    bench.step(f32::NAN);
    bench.face.visemes = [7.0; N_VISEMES];
    bench.face.lids = 9.0;
    bench.step(1e9);
    assert!(
        bench.morphs.iter().all(|w| (0.0..=1.0).contains(w)),
        "{:?}",
        bench.morphs
    );
    for _ in 0..100 {
        bench.mood("fear", 1.0);
        let mix = Mix::new(vec![("nothing".into(), 1.0)], &bench.rig);
        bench
            .face
            .show(mix, FaceOwner::Speech, 1.0, Envelope::PASSING);
    }
    assert!(bench.face.expressions.len() <= MAX_SHOWN);
    // Another model is loaded.
    let other = FaceRig::new(&source(&["smile"], &[0.3]));
    bench.face.rebind(&other);
    bench.rig = other;
    bench.base = vec![0.3];
    bench.step(0.1);
    assert_eq!(bench.morphs.len(), 1);
}

#[test]
fn shapes_with_a_common_prefix_work_like_the_shapes() {
    let names: Vec<String> = ARKIT
        .iter()
        .map(|name| {
            let short = name.replace("Left", "_L").replace("Right", "_R");
            let group = if name.starts_with("mouth") {
                "ai"
            } else {
                "ca"
            };
            format!("face_shapes.{group}_{short}")
        })
        .chain(["teeth.jawOpen".into()])
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let parts = [vec![0; ARKIT.len()], vec![1]].concat();
    let rig = FaceRig::new(&FaceSource {
        parts,
        ..source(&names, &[0.0; 53])
    });
    let plain = FaceRig::new(&source(&ARKIT, &[0.0; 52]));
    for shape in ARKIT {
        let binds = |rig: &FaceRig| {
            let control = rig.control(shape).unwrap();
            rig.controls[usize::from(control)].binds.clone()
        };
        let mut expected = binds(&plain);
        if shape == "jawOpen" {
            expected.push((52, 1.0));
        }
        assert_eq!(binds(&rig), expected, "{shape}");
        let (a, b) = (
            &rig.sinks[usize::from(expected[0].0)],
            &plain.sinks[usize::from(expected[0].0)],
        );
        assert_eq!(
            (a.region, a.side, a.act),
            (b.region, b.side, b.act),
            "{shape}"
        );
    }
    assert_eq!(
        (rig.speech_by, &rig.missing),
        (plain.speech_by, &plain.missing)
    );
    assert_eq!(rig.blink, plain.blink);
    // The whole name is still a name.
    assert!(rig.control("face_shapes.ai_mouthSmile_L").is_ok());
    // Two names do not form a set.
    let few = FaceRig::new(&source(
        &["face_shapes.jawOpen", "face_shapes.jawLeft"],
        &[0.0; 2],
    ));
    assert!(few.control("jawOpen").is_err());
}
