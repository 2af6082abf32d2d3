//! Overrides and binary expressions of VRM.

use super::*;

fn vrm(overrides: [Override; 3], is_binary: bool) -> FaceRig {
    let one = |name: &'static str, morph: usize| SourceExpression {
        name,
        morphs: vec![(morph, 1.0)],
        materials: &[],
        is_binary: false,
        overrides: [Override::None; 3],
    };
    let mut all = source(&["m0", "m1", "m2", "m3", "m4"], &[0.0; 5]);
    let happy = SourceExpression {
        is_binary,
        overrides,
        ..one("happy", 0)
    };
    all.expressions = vec![
        happy,
        one("blink", 1),
        one("aa", 2),
        one("ih", 3),
        one("ou", 4),
    ];
    FaceRig::new(&all)
}

#[test]
fn vrm_expressions_override_mouth_and_blink_as_specified() {
    use Override::{Blend, Block, None};
    // Weights of happy, blink and aa.
    let seen = |overrides: [Override; 3], is_binary: bool, happy: f32| {
        let mut bench = Bench::new(vrm(overrides, is_binary));
        bench.face.options.mouth_weight = 1.0;
        bench.mood("happy", happy);
        bench.face.lids = 1.0;
        bench.say(Viseme::AA, 1.0);
        bench.step(5.0);
        [bench.of("happy"), bench.of("blink"), bench.of("aa")].map(|w| (w * 100.0).round() / 100.0)
    };
    assert_eq!(seen([None; 3], false, 0.4), [0.4, 1.0, 1.0]);
    assert_eq!(seen([Blend, None, None], false, 0.4), [0.4, 1.0, 0.6]);
    assert_eq!(seen([None, Blend, None], false, 0.4), [0.4, 0.6, 1.0]);
    assert_eq!(seen([Block, None, None], false, 0.01), [0.01, 1.0, 0.0]);
    assert_eq!(seen([Block, Block, Block], false, 0.0), [0.0, 1.0, 1.0]);
    // The binary value determines the override.
    assert_eq!(seen([None, Blend, None], true, 0.4), [0.0, 1.0, 1.0]);
    assert_eq!(seen([None, Blend, None], true, 0.6), [1.0, 0.0, 1.0]);
    let mut bench = Bench::new(vrm([None, None, Blend], false));
    bench.mood("happy", 0.7);
    bench.step(5.0);
    assert!((bench.face.look_factor() - 0.3).abs() < 1e-5);
}

/// Returns the face of [`vrm`] with binary `blink` and `aa`.
fn binary_face(overrides: [Override; 3]) -> FaceRig {
    let one = |name: &'static str, morph: usize, is_binary: bool| SourceExpression {
        name,
        morphs: vec![(morph, 1.0)],
        materials: &[],
        is_binary,
        overrides: [Override::None; 3],
    };
    let mut all = source(&["m0", "m1", "m2", "m3", "m4"], &[0.0; 5]);
    all.expressions = vec![
        SourceExpression {
            overrides,
            ..one("happy", 0, false)
        },
        one("blink", 1, true),
        one("aa", 2, true),
        one("ih", 3, false),
        one("ou", 4, false),
    ];
    FaceRig::new(&all)
}

#[test]
fn binary_blinks_and_visemes_are_fully_on_or_off() {
    use Override::{Blend, None};
    // Weights of blink and aa.
    let seen = |overrides: [Override; 3], happy: f32, weight: f32| {
        let mut bench = Bench::new(binary_face(overrides));
        bench.face.options.mouth_weight = 1.0;
        if happy > 0.0 {
            bench.mood("happy", happy);
            bench.step(5.0);
        }
        bench.face.lids = weight;
        bench.say(Viseme::AA, weight);
        bench.step(0.02);
        [bench.of("blink"), bench.of("aa")]
    };
    for (weight, expected) in [
        (0.16, 0.0),
        (0.5, 0.0),
        (0.51, 1.0),
        (0.84, 1.0),
        (1.0, 1.0),
    ] {
        assert_eq!(seen([None; 3], 0.0, weight), [expected; 2], "{weight}");
    }
    // A partly overridden binary expression is off.
    assert_eq!(seen([Blend, Blend, None], 0.1, 1.0), [0.0, 0.0]);
}

#[test]
fn overrides_also_apply_to_expressions_and_controls_of_a_script() {
    use Override::{Block, None};
    let rig = vrm([Block, None, None], false);
    let mut bench = Bench::new(rig);
    bench.face.hold(&bench.rig, "aa", 0.8, 0.0);
    bench.face.hold(&bench.rig, "m3", 0.6, 0.0);
    bench.step(0.02);
    assert_eq!([bench.of("aa"), bench.of("m3")], [0.8, 0.6]);
    bench.mood("happy", 0.5);
    bench.step(5.0);
    // The file's mouth expression is overridden; a morph target named by the script is not.
    assert_eq!([bench.of("aa"), bench.of("m3")], [0.0, 0.6]);
}
