use super::*;

#[test]
fn names_belong_to_kinds_and_wrong_ones_are_told_with_the_nearest() {
    assert_eq!(ViewKind::NAMES.len(), ViewKind::ALL.len());
    for (i, kind) in ViewKind::ALL.into_iter().enumerate() {
        assert_eq!(kind as usize, i);
        assert_eq!(ViewKind::of(kind.name()), Ok(kind));
    }
    let wrong = ViewKind::of("wieghts").unwrap_err();
    assert!(wrong.contains("did you mean \"weights\"?"), "{wrong}");
    assert!(wrong.contains("skeleton, weights, wireframe"), "{wrong}");
    let wrong = ViewKind::of("qqqq").unwrap_err();
    assert_eq!(wrong.matches("there are").count(), 1, "{wrong}");
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
fn colours_of_neighbouring_bones_are_told_apart() {
    for i in 0..64 {
        for j in i + 1..i + 4 {
            let (a, b) = (Vec3::from(color_of(i)), Vec3::from(color_of(j)));
            assert!(a.distance(b) > 0.25, "{i} {j}: {a} {b}");
        }
    }
}

#[test]
fn the_scale_of_the_legend_is_that_of_the_shader() {
    let text = include_str!("../../../shaders/inc/heat.wgsl");
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
    assert_eq!(stops, ours);
    let nothing = text.split("const NOTHING").nth(1).unwrap();
    assert_eq!(numbers(nothing.split(';').next().unwrap()), NOTHING);
}
