use glam::{Vec2, Vec3};

use crate::tests::{add_box, floor, options, two_rooms};
use crate::{Baked, FlowField, NavMesh, NavPoint, NavVolume, Route, VolumeEffect};

/// A volume over a rectangle.
fn volume(low: [f32; 2], high: [f32; 2], effect: VolumeEffect) -> NavVolume {
    let corners = [[low[0], low[1]], [high[0], low[1]], high, [low[0], high[1]]];
    NavVolume {
        around: corners.map(Vec2::from).to_vec(),
        heights: [0.0, 2.0],
        effect,
    }
}

fn at(mesh: &NavMesh, x: f32, z: f32) -> NavPoint {
    mesh.nearest(Vec3::new(x, 0.0, z), 0.5).unwrap()
}

/// Length of the path through the wall of [`two_rooms`].
fn through(mesh: &NavMesh) -> Option<f32> {
    let (from, goal) = (at(mesh, 6.0, -4.0), at(mesh, 6.0, 4.0));
    Some(Route::find(mesh, from, goal)?.length(mesh, from.at))
}

#[test]
fn a_door_is_passed_while_it_is_open() {
    let mut ground = two_rooms();
    // The second gap, at x = -9.
    ground.vertices[8..16]
        .iter_mut()
        .for_each(|v| v.x = v.x.max(-8.0));
    let baked = Baked::new(&ground, &options(10.0)).unwrap();
    let door = |x: f32| volume([x - 1.0, -0.2], [x + 1.0, 0.2], VolumeEffect::Door);
    let mut mesh = baked.mesh(&[door(6.0), door(-9.0)], &[]).unwrap();
    let open = through(&mesh).unwrap();
    assert!((open - 8.0).abs() < 0.3, "{open}");
    let n_borders = mesh.borders().count();

    assert!(mesh.set_door(0, false));
    assert!(!mesh.set_door(0, false) && !mesh.set_door(2, false));
    let around = through(&mesh).unwrap();
    assert!(around > 25.0, "{around}");
    // The sides of the closed door are borders now, and no position is found in it.
    let is_side = |(ends, inwards): ([Vec3; 2], Vec2)| {
        let middle = (ends[0] + ends[1]) * 0.5;
        (middle.x - 6.0).abs() < 0.5 && middle.z * inwards.y > 0.3
    };
    assert_eq!(mesh.borders().filter(|border| is_side(*border)).count(), 2);
    let near = mesh.nearest(Vec3::new(6.0, 0.0, 0.0), 1.0).unwrap();
    assert!(near.at.z.abs() > 0.4, "{near:?}");
    let step = mesh.step(at(&mesh, 6.0, -1.0), Vec2::new(6.0, 1.0));
    assert!(step.at.z < -0.4, "{step:?}");

    assert!(mesh.set_door(1, false));
    assert_eq!(through(&mesh), None);
    let goal = at(&mesh, 6.0, 4.0);
    let field = FlowField::to(&mesh, goal, |_| 0.0);
    assert!(field.first(&mesh, at(&mesh, 6.0, -4.0), None).is_none());

    assert!(mesh.set_door(0, true) && mesh.set_door(1, true));
    assert_eq!(through(&mesh), Some(open));
    assert_eq!(mesh.borders().count(), n_borders);
}

#[test]
fn links_into_a_closed_door_are_closed() {
    let mut ground = floor(10.0);
    add_box(
        &mut ground,
        Vec3::new(0.0, 1.0, 0.0),
        Vec3::new(20.0, 2.0, 0.4),
        0,
    );
    let baked = Baked::new(&ground, &options(10.0)).unwrap();
    let door = volume([-1.0, 3.0], [1.0, 5.0], VolumeEffect::Door);
    let mut mesh = baked.mesh(&[door], &[]).unwrap();
    mesh.add_link(
        Vec3::new(0.0, 0.0, -4.0),
        Vec3::new(0.0, 0.0, 4.0),
        1.0,
        0.5,
    )
    .unwrap();
    assert!(through(&mesh).is_some());
    mesh.set_door(0, false);
    assert_eq!(through(&mesh), None);
}

#[test]
fn a_toll_leads_to_another_path_and_a_preferred_edge_does_not() {
    let mut ground = two_rooms();
    ground.vertices[8..16]
        .iter_mut()
        .for_each(|v| v.x = v.x.max(-8.0));
    let baked = Baked::new(&ground, &options(10.0)).unwrap();
    let mesh = baked.mesh(&[], &[]).unwrap();
    let (from, goal) = (at(&mesh, 0.0, -4.0), at(&mesh, 0.0, 4.0));
    let field = FlowField::to(&mesh, goal, |_| 0.0);
    let right: Vec<u32> = field.edges(&mesh, from, None).unwrap().collect();
    let tolled = right[0];
    let toll = |edge: u32| if edge == tolled { 30.0 } else { 0.0 };
    let field = FlowField::to(&mesh, goal, toll);
    let left: Vec<u32> = field.edges(&mesh, from, None).unwrap().collect();
    assert_ne!(left[0], tolled);
    assert_eq!(
        Route::find_with(&mesh, from, goal, toll).unwrap().edges[0],
        left[0]
    );
    let kept = crate::PreferredEdge {
        edge: tolled,
        discount: 30.0,
    };
    let (_, first) = field.first(&mesh, from, Some(kept)).unwrap();
    assert_eq!(first, tolled);
}
