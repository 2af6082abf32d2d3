use super::*;

#[test]
fn names_match_kinds_and_errors_suggest_the_nearest() {
    assert_eq!(ViewKind::NAMES.len(), ViewKind::ALL.len());
    for (i, kind) in ViewKind::ALL.into_iter().enumerate() {
        assert_eq!(kind as usize, i);
        assert_eq!(ViewKind::of(kind.name()), Ok(kind));
    }
    let wrong = ViewKind::of("wieghts").unwrap_err();
    assert!(wrong.contains("did you mean \"weights\"?"), "{wrong}");
    assert!(wrong.contains("skeleton, weights, wireframe"), "{wrong}");
    let wrong = ViewKind::of("qqqq").unwrap_err();
    assert_eq!(wrong.matches("available").count(), 1, "{wrong}");
}

#[test]
fn a_key_goes_through_all_views_and_back_to_none() {
    for is_back in [false, true] {
        let mut seen = Vec::new();
        let mut now = None;
        loop {
            now = DebugView::next(now.as_ref(), is_back);
            let Some(view) = &now else { break };
            seen.push(view.kind);
        }
        if is_back {
            seen.reverse();
        }
        assert_eq!(seen, ViewKind::ALL);
    }
}

#[test]
fn colours_of_neighbouring_bones_differ() {
    for i in 0..64 {
        for j in i + 1..i + 4 {
            let (a, b) = (Vec3::from(color_of(i)), Vec3::from(color_of(j)));
            assert!(a.distance(b) > 0.25, "{i} {j}: {a} {b}");
        }
    }
}

#[test]
fn the_legend_has_the_colour_scale_of_the_shader() {
    let text = include_str!("../../../../shaders/inc/heat.wgsl");
    let numbers = |text: &str| -> Vec<f32> {
        let triples = text.split("vec3<f32>(").skip(1);
        let inside = triples.filter_map(|rest| rest.split(')').next());
        let all = inside.flat_map(|three| three.split(','));
        all.filter_map(|number| number.trim().parse().ok())
            .collect()
    };
    let stops = text.split("array<vec3<f32>, 5>(").nth(1).unwrap();
    let stops = numbers(stops.split(';').next().unwrap());
    let ours: Vec<f32> = (0..5).flat_map(|i| ramp(i as f32 / 4.0)).collect();
    let near = |a: &f32, b: &f32| (a - b).abs() < 1e-6;
    assert_eq!(stops.len(), ours.len());
    assert!(
        stops.iter().zip(&ours).all(|(a, b)| near(a, b)),
        "{stops:?} {ours:?}"
    );
    let nothing = text.split("const NOTHING").nth(1).unwrap();
    assert_eq!(numbers(nothing.split(';').next().unwrap()), NOTHING);
}

use galatea_anim::{Bone, Skeleton};
use galatea_asset::model::{Influences, Mesh, MorphTarget, Part, Primitive, Skin};
use galatea_character::{Definition, Placement};
use galatea_math::Trs;
use glam::{Mat4, Vec2};

/// A triangle with weights of `moving` and a little of `half`, and a rigid one on `holder`. `idle` has no weights, `root` is
/// in no skin.
fn model() -> Model {
    let bone = |name: &str, parent, y: f32, skinned| Bone {
        name: name.into(),
        parent,
        rest: Trs::from_translation(Vec3::Y * y),
        skinned,
    };
    let bones = vec![
        bone("root", None, 0.0, false),
        bone("moving", Some(0), 1.0, true),
        bone("half", Some(1), 0.5, true),
        bone("idle", Some(1), 0.25, true),
        bone("holder", Some(1), 0.2, true),
    ];
    let corners = [Vec3::ZERO, Vec3::X, Vec3::new(0.0, 2.0, 0.0)];
    let triangle = |influences| Primitive {
        positions: corners.to_vec(),
        normals: vec![Vec3::Z; 3],
        indices: vec![0, 1, 2],
        influences,
        ..Primitive::default()
    };
    let mut skinned = triangle(Influences {
        per_vertex: 4,
        joints: [0, 1, 2, 0].repeat(3),
        weights: [
            [1.0, 0.0, 0.0, 0.0],
            [0.75, 0.25, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
        ]
        .concat(),
    });
    let offsets = |x: f32, y: f32| MorphTarget {
        positions: vec![Vec3::ZERO, Vec3::X * x, Vec3::Y * y],
        ..MorphTarget::default()
    };
    skinned.targets = vec![offsets(0.03, 0.0), offsets(0.0, 0.04)];
    let mesh = |name: &str, primitive, morphs: &[&str]| Mesh {
        name: name.into(),
        primitives: vec![primitive],
        morph_names: morphs.iter().map(|name| (*name).to_owned()).collect(),
    };
    let part = |name: &str, bone, mesh, skin, n| Part {
        name: name.into(),
        bone,
        mesh,
        skin,
        morph_weights: vec![0.0; n],
        ..Part::default()
    };
    Model {
        uid: 5,
        name: "post".into(),
        skeleton: Arc::new(Skeleton::new(bones).unwrap()),
        skins: vec![Skin {
            name: String::new(),
            joints: vec![1, 2, 3, 4],
            inverse_bind: vec![Mat4::IDENTITY; 4],
        }],
        meshes: vec![
            mesh("hat", triangle(Influences::default()), &[]),
            mesh("body", skinned, &["wide", "tall"]),
        ],
        parts: vec![part("hat", 4, 0, None, 0), part("body", 0, 1, Some(0), 2)],
        materials: vec![Default::default()],
        ..Model::default()
    }
}

/// Two characters; the second, `big`, is twice as large and elsewhere.
fn stage() -> (Stage, [Handle; 2]) {
    let mut stage = Stage::default();
    let definition = Arc::new(Definition::new(Arc::new(model())));
    let at = |x: f32, scale: f32| Placement {
        position: Vec3::X * x,
        scale,
        ..Placement::default()
    };
    let source = "assets/post.glb";
    let small = stage.add_character(definition.clone(), source, None, at(0.0, 1.0));
    let big = stage.add_character(definition, source, Some("big"), at(5.0, 2.0));
    (stage, [small, big])
}

fn shot(stage: &Stage) -> Frame {
    let mut frame = Frame::default();
    stage.snapshot(1.0, &mut frame);
    frame
}

fn texts(frame: &Frame) -> Vec<String> {
    let contents = frame.ui.iter().map(|item| &item.content);
    let texts = contents.filter_map(|content| match content {
        UiContent::Text(text) => Some(text.text.to_string()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn joints_are_coloured_by_role() {
    use skeleton::JointRole::{Carrying, Idle, Moving, Plain};
    let joints = skeleton::joints_of(&model());
    assert_eq!(joints, [Plain, Moving, Moving, Idle, Carrying]);
    let (mut stage, _) = stage();
    stage.picture.view = Some(DebugView::new(ViewKind::Skeleton));
    let frame = shot(&stage);
    // Two characters of four bones with a parent each, eight lines per bone.
    assert_eq!(frame.lines.len(), 2 * 4 * 8);
    let names = frame.ui.iter().filter(|item| {
        let is_text = matches!(item.content, UiContent::Text(_));
        is_text
            && item
                .world_position
                .is_some_and(|world| world.avoids_overlap)
    });
    assert_eq!(names.count(), 2 * 5);
    let green = linear(Carrying.color());
    let dots = frame
        .ui
        .iter()
        .filter(|item| item.color == green && matches!(item.content, UiContent::Box { .. }));
    let places: Vec<Vec3> = dots
        .filter_map(|dot| Some(dot.world_position?.position))
        .collect();
    assert_eq!(places.len(), 2);
    assert!(
        (places[0] - Vec3::new(0.0, 1.2, 0.0)).length() < 1e-5,
        "{places:?}"
    );
    assert!(
        (places[1] - Vec3::new(5.0, 2.4, 0.0)).length() < 1e-5,
        "{places:?}"
    );
}

#[test]
fn weights_of_one_bone_are_shown_and_colours_of_all_bones_are_mixed() {
    let (mut stage, _) = stage();
    let mut view = DebugView::new(ViewKind::Weights);
    view.bone = Some("half".into());
    stage.picture.view = Some(view.clone());
    let shown = shot(&stage).view.unwrap();
    assert_eq!(shown.shown, [true, true]);
    let values = |model: usize, part: usize, view: &FrameView| -> Vec<[f32; 4]> {
        let mut paints = view.paints.iter();
        let paint = paints.find(|paint| (paint.model, paint.part) == (model, part));
        paint.unwrap().values.to_vec()
    };
    let heat = |share: f32| [share, 0.0, 0.0, 0.0];
    assert_eq!(values(1, 1, &shown), [heat(0.0), heat(0.25), heat(1.0)]);
    assert_eq!(
        values(0, 0, &shown),
        [heat(0.0); 3],
        "the hat hangs on another"
    );
    // Bound twice, the second time without weight.
    view.bone = Some("moving".into());
    stage.picture.view = Some(view.clone());
    let moving = shot(&stage).view.unwrap();
    assert_eq!(values(0, 1, &moving), [heat(1.0), heat(0.75), heat(0.0)]);
    view.bone = None;
    stage.picture.view = Some(view);
    let shown = shot(&stage).view.unwrap();
    let [a, b] = [1, 2].map(|bone| Vec3::from(color_of(bone)));
    let mixed = a * 0.75 + b * 0.25;
    assert_eq!(values(0, 1, &shown)[1], mixed.extend(1.0).to_array());
    let hat = Vec3::from(color_of(4)).extend(1.0).to_array();
    assert_eq!(values(0, 0, &shown), [hat; 3]);
}

#[test]
fn morphs_are_measured_in_world_centimetres() {
    let (mut stage, [_, big]) = stage();
    let mut view = DebugView::new(ViewKind::Morphs);
    view.morph = Some("tall".into());
    view.only = Some(CharacterSelector::ByHandle(big));
    stage.picture.view = Some(view);
    let frame = shot(&stage);
    let shown = frame.view.as_ref().unwrap();
    assert_eq!(shown.shown, [false, true]);
    // 4 cm in the file are 8 cm on a body twice as large; the scale ends at 10.
    let paint = shown.paints.iter().find(|paint| paint.part == 1).unwrap();
    assert_eq!(paint.model, 1);
    assert!(
        (paint.values[2][0] - 0.8).abs() < 1e-5,
        "{:?}",
        paint.values
    );
    assert_eq!(paint.values[1][0], 0.0);
    let texts = texts(&frame);
    assert!(texts.contains(&"10 cm".to_owned()), "{texts:?}");
    assert!(
        texts.contains(&"morphs · tall at 1".to_owned()),
        "{texts:?}"
    );
}

#[test]
fn boxes_enclose_the_posed_vertices_exactly() {
    let (mut stage, [small, _]) = stage();
    stage.picture.view = Some(DebugView::new(ViewKind::Bounds));
    let frame = shot(&stage);
    // The skin matrices are those of its bones at rest: `half` at 1.5, `moving` at 1.
    let found = bounds::boxes(&frame, 0);
    let [(0, 0, hat), (1, 0, body)] = found[..] else {
        panic!("{found:?}")
    };
    let near = |a: Vec3, b: Vec3| assert!((a - b).length() < 1e-5, "{a} {b}");
    near(hat.0, Vec3::new(0.0, 1.2, 0.0));
    near(hat.1, Vec3::new(1.0, 3.2, 0.0));
    near(body.0, Vec3::new(0.0, 1.0, 0.0));
    near(body.1, Vec3::new(1.0, 3.5, 0.0));
    // Three boxes of twelve edges and three circles of 48 sides, twice.
    assert_eq!(frame.lines.len(), 2 * (3 * 12 + 3 * 48));
    let texts = texts(&frame);
    assert!(
        texts.contains(&"big  2.00 × 5.00 × 0.00 m".to_owned()),
        "{texts:?}"
    );
    stage
        .characters
        .get_mut(small)
        .unwrap()
        .appearance
        .hidden_parts = vec![1];
    assert_eq!(
        bounds::boxes(&shot(&stage), 0).len(),
        1,
        "what is hidden has no box"
    );
}

#[test]
fn missing_names_are_reported_with_the_nearest_name_and_in_the_picture() {
    let (mut stage, _) = stage();
    let mut view = DebugView::new(ViewKind::Weights);
    view.bone = Some("movin".into());
    let wrong = view.check(&stage.characters).unwrap_err();
    assert_eq!(
        wrong,
        "no character has a bone \"movin\"; did you mean \"moving\"?"
    );
    view.only = Some(CharacterSelector::Named("big".into()));
    let wrong = view.check(&stage.characters).unwrap_err();
    assert_eq!(wrong, "big has no bone \"movin\"; did you mean \"moving\"?");
    stage.picture.view = Some(view.clone());
    let frame = shot(&stage);
    assert_eq!(frame.view.as_ref().unwrap().shown, [false, false]);
    assert!(texts(&frame).contains(&wrong), "{:?}", texts(&frame));
    view.only = Some(CharacterSelector::Named("bgi".into()));
    let wrong = view.check(&stage.characters).unwrap_err();
    assert_eq!(
        wrong,
        "there is no character \"bgi\"; did you mean \"big\"?"
    );
    let mut view = DebugView::new(ViewKind::Morphs);
    view.morph = Some("wdie".into());
    let wrong = view.check(&stage.characters).unwrap_err();
    assert_eq!(
        wrong,
        "no character has a morph \"wdie\"; did you mean \"wide\"?"
    );
    for name in ["post", "assets/post.glb", "assets/post.glb#0"] {
        view.morph = None;
        view.only = Some(CharacterSelector::Named(name.into()));
        assert_eq!(view.check(&stage.characters), Ok(()), "{name}");
    }
}

#[test]
fn each_view_has_an_optional_legend_and_nothing_remains_without_a_view() {
    let (mut stage, _) = stage();
    for kind in ViewKind::ALL {
        let mut view = DebugView::new(kind);
        stage.picture.view = Some(view.clone());
        let frame = shot(&stage);
        let corner = |item: &&UiItem| item.world_position.is_none() && item.anchor == Vec2::Y;
        let n = frame.ui.iter().filter(corner).count();
        assert!(n >= 3, "{}: {n}", kind.name());
        let title = texts(&frame)
            .into_iter()
            .any(|text| text.starts_with(kind.name()));
        assert!(title, "{}", kind.name());
        view.legend = false;
        stage.picture.view = Some(view);
        assert_eq!(shot(&stage).ui.iter().filter(corner).count(), 0);
    }
    stage.picture.view = None;
    let frame = shot(&stage);
    assert!(frame.view.is_none() && frame.lines.is_empty() && frame.ui.is_empty());
}

#[test]
fn a_view_survives_a_reload() {
    let (mut stage, _) = stage();
    let view = DebugView::new(ViewKind::Uv);
    stage.picture.view = Some(view.clone());
    assert_eq!(stage.shadow().picture.view, Some(view));
}

#[test]
fn bodies_follow_the_pose_and_the_scale_of_the_character() {
    let (mut stage, [small, _]) = stage();
    let bodies = stage
        .characters
        .get(small)
        .unwrap()
        .definition
        .ragdoll()
        .clone();
    let n = bodies.bodies.len();
    assert!(n >= 1, "{bodies:?}");
    stage.picture.view = Some(DebugView::new(ViewKind::Bodies));
    let frame = shot(&stage);
    let labels: Vec<_> = texts(&frame)
        .into_iter()
        .filter(|text| text.ends_with(" kg"))
        .collect();
    assert_eq!(labels.len(), 2 * n, "{labels:?}");
    // The second character is 5 m aside and twice as large.
    let (first, second) = frame.lines.split_at(frame.lines.len() / 2);
    assert_eq!(first.len(), second.len());
    for (a, b) in first.iter().zip(second) {
        assert!(
            (a.from * 2.0 + Vec3::X * 5.0).distance(b.from) < 1e-4,
            "{a:?} {b:?}"
        );
    }
    let low = first
        .iter()
        .map(|line| line.from.y)
        .fold(f32::MAX, f32::min);
    let high = first
        .iter()
        .map(|line| line.from.y)
        .fold(f32::MIN, f32::max);
    assert!(
        low > 0.7 && high < 3.8,
        "the mesh is from 1 to 3.5 m: {low} {high}"
    );
}
