//! Constraints, helpers in extras and look-at ranges.

use glam::Vec3;
use serde_json::{Value, json};

use super::*;
use galatea_rig::helper::{DriverTarget, Example, HelperKind, Measured};
use galatea_rig::look_at::{GazeKind, GazeRange};

/// An arm whose middle node has additional JSON.
fn with_node(node: &Value) -> Model {
    let mut middle = json!({"name": "twist_l", "translation": [0.1, 0, 0]});
    for (name, value) in node.as_object().unwrap() {
        middle[name] = value.clone();
    }
    File::default()
        .load(json!({"nodes": [
            {"name": "lower_l", "children": [1, 2]}, middle, {"name": "hand_l", "translation": [0.2, 0, 0]}
        ]}))
        .unwrap()
}

fn constrained(constraint: &Value) -> Model {
    with_node(&json!({"extensions": {"VRMC_node_constraint":
        {"specVersion": "1.0", "constraint": constraint}}}))
}

fn helped(helper: &Value) -> Model {
    with_node(&json!({"extras": {"helper": helper}}))
}

#[test]
fn constraints_of_nodes_become_helpers() {
    let cases = [
        (
            json!({"roll": {"source": 2, "rollAxis": "X", "weight": 0.5}}),
            (HelperKind::Roll, Some(Vec3::X), 0.5),
        ),
        (
            json!({"aim": {"source": 2, "aimAxis": "NegativeZ"}}),
            (HelperKind::Aim, Some(Vec3::NEG_Z), 1.0),
        ),
        (
            json!({"rotation": {"source": 2.0, "weight": 0}}),
            (HelperKind::Rotation, None, 0.0),
        ),
    ];
    for (constraint, (kind, axis, weight)) in cases {
        let model = constrained(&constraint);
        assert_eq!(model.warnings, Vec::<String>::new());
        let [spec] = model.constraints.as_slice() else {
            panic!("one constraint");
        };
        assert_eq!((spec.kind, spec.axis), (kind, axis));
        assert_eq!(spec.weights, [weight]);
        assert_eq!(spec.bones, ["twist_l"]);
        assert_eq!(spec.source.as_deref(), Some("hand_l"));
    }
}

#[test]
fn helpers_in_extras_are_read_field_by_field() {
    let model = helped(&json!([
        {"kind": "twist", "source": "hand_l", "weight": 0.4, "axis": [2, 0, 0], "middle": 30, "hold": "hand_l"},
        {"kind": "driver", "source": "hand_l", "measure": "cone", "example": [10, 20, 30], "radius": 45,
         "morph": "wrist_fix", "amount": 0.5},
        {"kind": "push", "source": "hand_l", "direction": [0, 1, 0], "curve": [[0, 0], [90, 0.02]], "smooth": true},
        {"kind": "limit", "bone": "hand_l", "min": [-10, -20, -30], "max": [10, 20, 30]},
        {"kind": "driver", "bone": "twist_l", "source": "hand_l", "from": "lower_l", "measure": "distance",
         "output": "scale", "direction": [0, 1, 1], "curve": [[0.1, 1.5], [0.2, 1]]}
    ]));
    assert_eq!(model.warnings, Vec::<String>::new());
    let [twist, cone, push, limit, scale] = model.helpers.as_slice() else {
        panic!("five helpers: {:?}", model.helpers);
    };
    assert_eq!(twist.bones, ["twist_l"], "the node itself");
    assert_eq!(twist.weights, [0.4]);
    assert_eq!(twist.axis, Some(Vec3::X * 2.0));
    assert_eq!(
        (twist.middle, twist.hold.as_deref()),
        (30.0, Some("hand_l"))
    );
    assert_eq!(cone.measure, Some(Measured::Cone));
    let angles = Vec3::new(10.0, 20.0, 30.0);
    assert_eq!(cone.example, Some(Example::FromRest(angles)));
    assert_eq!((cone.radius, cone.amount), (Some(45.0), Some(0.5)));
    assert!(cone.bones.is_empty(), "a morph target needs no bone");
    assert_eq!(push.curve, [[0.0, 0.0], [90.0, 0.02]]);
    assert!(push.is_smooth);
    assert_eq!(limit.bones, ["hand_l"]);
    assert_eq!(limit.max, Some(angles));
    assert_eq!(
        (scale.measure, scale.output),
        (Some(Measured::Distance), Some(DriverTarget::Scale))
    );
    assert_eq!(scale.from.as_deref(), Some("lower_l"));
}

#[test]
fn bad_constraints_are_skipped_with_a_warning() {
    let cases = [
        (
            json!({}),
            "expected exactly one of roll, aim and rotation, got 0",
        ),
        (json!(7), "the object \"constraint\" is missing"),
        (json!({"roll": 1}), "field \"roll\" is not an object"),
        (
            json!({"roll": {"rollAxis": "X"}}),
            "field \"source\" is missing",
        ),
        (
            json!({"roll": {"source": 2}}),
            "field \"rollAxis\" is missing",
        ),
        (
            json!({"roll": {"source": 2, "rollAxis": "x"}}),
            "did you mean \"X\"?",
        ),
        (
            json!({"roll": {"source": 2, "rollAxis": 3}}),
            "field \"rollAxis\" has the unknown value 3",
        ),
        (
            json!({"roll": {"source": 99, "rollAxis": "X"}}),
            "field \"source\" is 99",
        ),
        (
            json!({"roll": {"source": -1, "rollAxis": "X"}}),
            "field \"source\" is -1",
        ),
        (
            json!({"aim": {"source": 2, "aimAxis": "PositivX"}}),
            "did you mean \"PositiveX\"?",
        ),
        (json!({"rotation": {"source": 1}}), "depends on itself"),
        (
            json!({"rotation": {"source": 2}, "roll": {}}),
            "expected exactly one of roll, aim and rotation, got 2",
        ),
    ];
    for (constraint, expected) in cases {
        let model = constrained(&constraint);
        assert!(model.constraints.is_empty(), "{constraint}");
        assert!(
            warned(&model, expected),
            "{constraint}: {:?}",
            model.warnings
        );
        assert!(warned(&model, "twist_l"), "{:?}", model.warnings);
        assert!(warned(&model, "left out"), "{:?}", model.warnings);
    }
    for weight in [json!("x"), json!(-1), json!(1.5), json!([1])] {
        let model = constrained(&json!({"rotation": {"source": 2, "weight": weight}}));
        assert_eq!(model.constraints.len(), 1);
        assert!(
            warned(&model, "expected a number from 0 to 1"),
            "{:?}",
            model.warnings
        );
    }
    let draft = json!({"rotation": {"source": 2, "freezeAxes": [true, true, false]}});
    assert!(warned(&constrained(&draft), "to a draft of the format"));
    let model = with_node(&json!({"extensions": {"VRMC_node_constraint": "no"}}));
    assert!(warned(&model, "the object \"constraint\" is missing"));
}

#[test]
fn bad_helpers_are_reported_with_node_and_field() {
    let twist = |field: &str, value: Value| {
        let mut twist = json!({"kind": "twist", "source": "hand_l"});
        twist[field] = value;
        twist
    };
    let driver = |field: &str, value: Value| {
        let mut driver = json!({"kind": "driver", "source": "hand_l", "measure": "swing", "output": "turn",
            "direction": [1, 0, 0], "curve": [[0, 0], [90, 45]]});
        driver[field] = value;
        driver
    };
    // Message, and number of remaining helpers.
    let cases = [
        (json!(7), "expected an object, got 7", 0),
        (json!("twist"), "expected an object", 0),
        (json!({"source": "hand_l"}), "field \"kind\" is missing", 0),
        (
            json!({"kind": "twits", "source": "hand_l"}),
            "did you mean \"twist\"?",
            0,
        ),
        (
            json!({"kind": 3}),
            "field \"kind\" has the unknown value 3",
            0,
        ),
        (
            twist("source", json!("hand_r")),
            "there is no bone \"hand_r\"; did you mean \"hand_l\"?",
            0,
        ),
        (twist("source", json!("")), "expected a name", 0),
        (twist("source", json!("twist_l")), "is listed twice", 0),
        (twist("bone", json!([])), "a name or a list of names", 1),
        (
            twist("bone", json!(["twist_l", 3])),
            "a name or a list of names",
            1,
        ),
        (
            twist("bone", json!("twits_l")),
            "did you mean \"twist_l\"?",
            0,
        ),
        (twist("weight", json!(3)), "from -2 to 2", 1),
        (twist("weight", json!("half")), "from -2 to 2", 1),
        (
            twist("weight", json!([0.2, 0.4])),
            "2 values in \"weight\" for 1 bones",
            0,
        ),
        (twist("axis", json!([0, 0, 0])), "a direction", 1),
        (twist("axis", json!([1e300, 0, 0])), "a direction", 1),
        (twist("middle", json!(400)), "from -180 to 180", 1),
        (twist("wieght", json!(0.5)), "did you mean \"weight\"?", 1),
        (
            twist("curve", json!([[0, 0]])),
            "a twist: unknown field \"curve\"",
            1,
        ),
        (
            twist("hold", json!("finger")),
            "there is no bone \"finger\"",
            0,
        ),
        (
            driver("measure", json!("swnig")),
            "did you mean \"swing\"?",
            0,
        ),
        (driver("output", json!("trun")), "did you mean \"turn\"?", 0),
        (
            driver("curve", json!([[90, 0], [0, 1]])),
            "ascending inputs",
            0,
        ),
        (driver("curve", json!([[0, 0, 0]])), "ascending inputs", 0),
        (driver("curve", json!([])), "ascending inputs", 0),
        (driver("smooth", json!(1)), "expected true or false", 1),
        (driver("radius", json!(0)), "above 0", 1),
        (driver("radius", json!(181)), "at most 180", 1),
        (driver("example", json!([0, 0, 0, 0])), "a quaternion", 1),
        (driver("amount", json!(1e9)), "from -100 to 100", 1),
        (driver("morph", json!(4)), "expected a name", 1),
        (
            json!({"kind": "limit", "min": [10, 0, 0], "max": [0, 0, 0]}),
            "above \"max\"",
            0,
        ),
        (
            json!({"kind": "limit", "min": [999, 0, 0]}),
            "-180 to 180",
            1,
        ),
    ];
    for (helper, expected, n) in cases {
        let model = helped(&helper);
        assert_eq!(model.helpers.len(), n, "{helper}: {:?}", model.warnings);
        assert!(warned(&model, expected), "{helper}: {:?}", model.warnings);
        assert!(warned(&model, "left out"), "{:?}", model.warnings);
    }
}

#[test]
fn a_cycle_of_helpers_is_removed_and_the_rest_stays() {
    let rotation = |of: &str, other: &str| json!([{"kind": "rotation", "source": of}, {"kind": "limit", "bone": other, "max": [9, 9, 9]}]);
    let node =
        |name: &str, of: &str| json!({"name": name, "extras": {"helper": rotation(of, "d")}});
    let nodes = json!([node("a", "b"), node("b", "c"), node("c", "a"), {"name": "d"}]);
    let model = File::default().load(json!({"nodes": nodes})).unwrap();
    assert_eq!(model.helpers.len(), 3);
    assert!(
        model
            .helpers
            .iter()
            .all(|spec| spec.kind == HelperKind::Limit)
    );
    assert_eq!(model.warnings.len(), 1, "{:?}", model.warnings);
    assert!(warned(&model, "in a cycle: ") && warned(&model, "rotation of \"b\""));
}

#[test]
fn too_many_cycles_remove_all_helpers_quickly() {
    let list = |of: &str| -> Vec<Value> {
        (0..200)
            .map(|_| json!({"kind": "rotation", "source": of}))
            .collect()
    };
    let nodes = json!([{"name": "a", "extras": {"helper": list("b")}},
        {"name": "b", "extras": {"helper": list("a")}}]);
    let model = File::default().load(json!({"nodes": nodes})).unwrap();
    assert!(model.helpers.is_empty());
    assert!(warned(
        &model,
        "more than 16 dependency cycles; the other 368 helpers are left out too"
    ));
}

#[test]
fn many_helpers_are_counted() {
    let list: Vec<Value> = (0..300)
        .map(|_| json!({"kind": "limit", "max": [9, 9, 9]}))
        .collect();
    let model = helped(&json!(list));
    assert_eq!(model.helpers.len(), 256);
    assert!(warned(&model, "300 helpers; only the first 256 are read"));
    let nodes: Vec<Value> = (0..5)
        .map(|_| json!({"extras": {"helper": list[..256]}}))
        .collect();
    let model = File::default().load(json!({"nodes": nodes})).unwrap();
    assert_eq!(model.helpers.len(), 1024);
    assert!(warned(
        &model,
        "1280 helpers and constraints; only the first 1024 are read"
    ));
}

fn gaze(name: &str, extension: &Value) -> Model {
    File::default()
        .load(
            json!({"nodes": [{"name": "head"}], "extensionsUsed": [name],
            "extensions": {name: extension}}),
        )
        .unwrap()
}

#[test]
fn ranges_of_the_gaze_are_read_from_both_versions() {
    let range = |input: f32, output: f32| GazeRange { input, output };
    let model = gaze(
        "VRMC_vrm",
        &json!({"lookAt": {"type": "expression", "offsetFromHeadBone": [0, 0.06, 0.01],
            "rangeMapHorizontalInner": {"inputMaxValue": 80, "outputScale": 0.9},
            "rangeMapHorizontalOuter": {"inputMaxValue": 70, "outputScale": 0.8},
            "rangeMapVerticalDown": {"inputMaxValue": 60},
            "rangeMapVerticalUp": {"outputScale": 0.6}}}),
    );
    let look = model.look_at.as_ref().unwrap();
    assert_eq!(look.kind, GazeKind::Expression);
    assert_eq!(look.offset, Some(Vec3::new(0.0, 0.06, 0.01)));
    assert_eq!(
        (look.inner, look.outer),
        (range(80.0, 0.9), range(70.0, 0.8))
    );
    assert_eq!((look.down, look.up), (range(60.0, 1.0), range(90.0, 0.6)));
    let model = gaze(
        "VRM",
        &json!({"firstPerson": {"firstPersonBone": 0, "lookAtTypeName": "Bone",
            "firstPersonBoneOffset": {"x": 0.01, "y": 0.06, "z": 0.1},
            "lookAtHorizontalInner": {"curve": [0, 0, 0, 1, 1, 1, 1, 0], "xRange": 90, "yRange": 8},
            "lookAtHorizontalOuter": {"xRange": 90, "yRange": 12},
            "lookAtVerticalDown": {"curve": [0, 0, 0, 3, 1, 1, 1, 0], "xRange": 50, "yRange": 10},
            "lookAtVerticalUp": {"xRange": 40, "yRange": 0}}}),
    );
    let look = model.look_at.as_ref().unwrap();
    assert_eq!(look.kind, GazeKind::Bone);
    assert_eq!(look.offset, Some(Vec3::new(0.01, 0.06, -0.1)));
    assert_eq!(
        (look.inner, look.outer),
        (range(90.0, 8.0), range(90.0, 12.0))
    );
    assert_eq!((look.down, look.up), (range(50.0, 10.0), range(40.0, 0.0)));
    assert!(warned(
        &model,
        "field \"lookAtVerticalDown\": curves are not supported"
    ));
    assert!(!warned(&model, "lookAtHorizontalInner"));
    assert!(gaze("VRMC_vrm", &json!({})).look_at.is_none());
}

#[test]
fn first_person_visibility_is_read_from_both_versions() {
    use crate::model::SeenFrom;
    let load = |name: &str, annotations: &Value| {
        let mesh = json!({"primitives": [{"attributes": {}}]});
        File::default()
            .load(json!({
                "nodes": [{"name": "a", "mesh": 1}, {"name": "b", "mesh": 0}, {"name": "c", "mesh": 1}],
                "meshes": [mesh, mesh], "extensionsUsed": [name],
                "extensions": {name: {"firstPerson": {"meshAnnotations": annotations}}},
            }))
            .unwrap()
    };
    let model = load(
        "VRMC_vrm",
        &json!([{"node": 2, "type": "thirdPersonOnly"}, {"node": 0, "type": "both"},
            {"node": 1, "type": "auto"}]),
    );
    assert_eq!(
        model.seen_from,
        [(0, SeenFrom::Both), (2, SeenFrom::Outside)]
    );
    assert_eq!(model.seen_from(1), SeenFrom::Auto);
    let model = load(
        "VRM",
        &json!([{"mesh": 1, "firstPersonFlag": "FirstPersonOnly"}, {"mesh": 0, "firstPersonFlag": "never"}]),
    );
    assert_eq!(
        model.seen_from,
        [(0, SeenFrom::OwnEyes), (2, SeenFrom::OwnEyes)]
    );
    assert!(warned(&model, "is invalid; left out"));
}

#[test]
fn an_invalid_gaze_is_reported_and_the_default_stays() {
    let cases = [
        (json!([]), "expected an object, got []; left out"),
        (json!({"type": "bones"}), "did you mean \"bone\"?"),
        (json!({"type": 1}), "the eye bones are used"),
        (
            json!({"offsetFromHeadBone": [0, 1]}),
            "expected three numbers in metres",
        ),
        (
            json!({"offsetFromHeadBone": [0, 1e9, 0]}),
            "expected three numbers in metres",
        ),
        (
            json!({"rangeMapVerticalUp": 3}),
            "expected an object, got 3",
        ),
        (
            json!({"rangeMapVerticalUp": {"inputMaxValue": 0}}),
            "an angle above 0 degrees",
        ),
        (
            json!({"rangeMapVerticalUp": {"outputScale": "big"}}),
            "degrees from -360 to 360",
        ),
    ];
    for (look_at, expected) in cases {
        let model = gaze("VRMC_vrm", &json!({"lookAt": look_at}));
        assert!(warned(&model, expected), "{look_at}: {:?}", model.warnings);
        let Some(look) = &model.look_at else { continue };
        assert_eq!(look.kind, GazeKind::Bone);
        assert_eq!(look.up, GazeRange::default_of(GazeKind::Bone));
        assert_eq!(look.offset, None);
    }
}
