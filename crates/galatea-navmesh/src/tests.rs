use glam::{Vec2, Vec3};

use super::*;

/// A box of a level with a walkable top.
pub(super) fn add_box(ground: &mut GroundTriangles, middle: Vec3, size: Vec3, area: u8) {
    let first = ground.vertices.len() as u32;
    for i in 0..8 {
        let side = |bit: u32| if i >> bit & 1 == 0 { -0.5 } else { 0.5 };
        ground
            .vertices
            .push(middle + size * Vec3::new(side(0), side(1), side(2)));
    }
    let faces = [
        [2, 6, 7, 3],
        [0, 1, 5, 4],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    for [a, b, c, d] in faces {
        ground.triangles.push([first + a, first + b, first + c]);
        ground.triangles.push([first + a, first + c, first + d]);
        ground.areas.extend([area; 2]);
    }
}

/// A slope from one edge to another; each edge is given by two points.
pub(super) fn add_slope(ground: &mut GroundTriangles, low: [Vec3; 2], high: [Vec3; 2]) {
    let first = ground.vertices.len() as u32;
    ground.vertices.extend([low[0], low[1], high[1], high[0]]);
    for [a, b, c] in [[0, 1, 2], [0, 2, 3]] {
        let up = (ground.vertices[first as usize + b] - ground.vertices[first as usize + a])
            .cross(ground.vertices[first as usize + c] - ground.vertices[first as usize + a]);
        let corners = if up.y > 0.0 { [a, b, c] } else { [a, c, b] };
        ground.triangles.push(corners.map(|i| first + i as u32));
        ground.areas.push(0);
    }
}

pub(super) fn floor(half: f32) -> GroundTriangles {
    let mut ground = GroundTriangles::default();
    let size = Vec3::new(2.0 * half, 0.2, 2.0 * half);
    add_box(&mut ground, Vec3::NEG_Y * 0.1, size, 0);
    ground
}

pub(super) fn options(half: f32) -> BakeOptions {
    BakeOptions {
        low: Vec3::new(-half, -1.0, -half),
        high: Vec3::new(half, 6.0, half),
        ..BakeOptions::default()
    }
}

pub(super) fn baked(ground: &GroundTriangles, half: f32) -> NavMesh {
    let baked = Baked::new(ground, &options(half)).unwrap();
    baked.mesh(&[], &[]).unwrap()
}

/// Two rooms with a wall between them, which has a gap of 2 m at x = 6.
pub(super) fn two_rooms() -> GroundTriangles {
    let mut ground = floor(10.0);
    let wall = |x: f32, wide: f32| (Vec3::new(x, 1.0, 0.0), Vec3::new(wide, 2.0, 0.4));
    for (middle, size) in [wall(-2.5, 15.0), wall(8.5, 3.0)] {
        add_box(&mut ground, middle, size, 0);
    }
    ground
}

fn at(mesh: &NavMesh, x: f32, y: f32, z: f32) -> NavPoint {
    mesh.nearest(Vec3::new(x, y, z), 0.5).unwrap()
}

#[test]
fn a_path_goes_through_the_gap_of_a_wall_and_turns_at_its_corners() {
    let mesh = baked(&two_rooms(), 10.0);
    let (from, goal) = (at(&mesh, -5.0, 0.0, -4.0), at(&mesh, -5.0, 0.0, 4.0));
    let route = Route::find(&mesh, from, goal).unwrap();
    let corners = route.corners(&mesh, from.at);
    assert_eq!(corners.last().map(|c| c.at), Some(goal.at));
    // The path turns around the end of the wall, at the distance of the agent's radius.
    assert!((2..=4).contains(&(corners.len() - 1)), "{corners:?}");
    for corner in &corners[..corners.len() - 1] {
        assert!((corner.at.x - 5.3).abs() < 0.25, "{corners:?}");
        assert!(corner.at.z.abs() < 0.8);
    }
    // The position next to a corner is in free space.
    let mut widest = 0.0_f32;
    let mut before = Vec2::new(from.at.x, from.at.z);
    for corner in &corners[..corners.len() - 1] {
        let free = corner.beside(before, 0.2, 0.0);
        let place = Vec2::new(corner.at.x, corner.at.z);
        let off = |place: Vec2| {
            let spot = at(&mesh, place.x, 0.0, place.y);
            Vec2::new(spot.at.x, spot.at.z).distance(place)
        };
        assert!((free.distance(place) - 0.2).abs() < 1e-4);
        assert!(off(free) < 0.02 && free.x > place.x, "{corner:?}");
        // It moves farther away, as far as there is room.
        let wide = corner.across.length();
        let farther = corner.beside(before, 0.2, 0.5);
        let room = (wide - 0.4).clamp(0.0, 0.5);
        assert!((farther.distance(free) - room).abs() < 1e-4, "{corner:?}");
        let end = corner.beside(before, 0.0, 99.0);
        assert!((end.distance(place) - wide).abs() < 1e-3 && off(end) < 0.02);
        widest = widest.max(wide);
        before = place;
    }
    assert!(widest > 1.0, "{widest}");
    assert_eq!(corners.last().map(|corner| corner.side), Some(0));
    let best = 2.0 * Vec2::new(10.3, 3.5).length() + 1.0;
    let length = route.length(&mesh, from.at);
    assert!((length / best - 1.0).abs() < 0.03, "{length} {best}");
    // In front of the door the path is straight.
    let (from, goal) = (at(&mesh, 6.0, 0.0, -4.0), at(&mesh, 6.2, 0.0, 4.0));
    let straight = Route::find(&mesh, from, goal).unwrap();
    assert_eq!(straight.corners(&mesh, from.at).len(), 1);
}

#[test]
fn at_a_corner_the_directions_of_the_walls_are_known() {
    let mesh = baked(&two_rooms(), 10.0);
    let (from, goal) = (at(&mesh, -5.0, 0.0, -4.0), at(&mesh, -5.0, 0.0, 4.0));
    let route = Route::find(&mesh, from, goal).unwrap();
    let corners = route.corners(&mesh, from.at);
    let walls = mesh.walls_at(corners[0].vertex, 0.5).unwrap();
    // One border leads back along the wall, the other one around its end.
    let most = |way: Vec2| {
        walls
            .map(|wall| wall.dot(way))
            .into_iter()
            .fold(-1.0, f32::max)
    };
    assert!(most(Vec2::NEG_X) > 0.9 && most(Vec2::Y) > 0.6, "{walls:?}");
    // The goal has no vertex of the mesh.
    assert_eq!(mesh.walls_at(corners[corners.len() - 1].vertex, 0.5), None);
}

#[test]
fn paths_around_many_obstacles_are_nearly_the_shortest_and_flow_fields_agree() {
    let mut ground = floor(15.0);
    let mut chance = 7_u32;
    let mut next = || {
        chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (chance >> 8) as f32 / (1 << 24) as f32
    };
    let mut boxes = Vec::new();
    for _ in 0..40 {
        let middle = Vec3::new(next() * 26.0 - 13.0, 1.0, next() * 26.0 - 13.0);
        let size = Vec3::new(0.5 + 3.0 * next(), 2.0, 0.5 + 3.0 * next());
        add_box(&mut ground, middle, size, 0);
        boxes.push((middle, size));
    }
    let mesh = baked(&ground, 15.0);
    let goal = at(&mesh, 14.0, 0.0, 14.0);
    let field = FlowField::to(&mesh, goal, |_| 0.0);
    let is_free = |p: Vec2| {
        let inside = p.abs().max_element() < 14.65;
        inside
            && boxes.iter().all(|(middle, size)| {
                let off =
                    (p - Vec2::new(middle.x, middle.z)).abs() - Vec2::new(size.x, size.z) * 0.5;
                off.max_element() > 0.4
            })
    };
    let shortest = grid(&is_free, Vec2::new(goal.at.x, goal.at.z));
    let (mut sum, mut worst, mut n) = (0.0, 0.0_f32, 0);
    for i in 0..12 {
        for k in 0..12 {
            let place = Vec2::new(i as f32 * 2.3 - 13.0, k as f32 * 2.3 - 13.0);
            let Some(best) = shortest(place).filter(|_| is_free(place)) else {
                continue;
            };
            let from = mesh.nearest(Vec3::new(place.x, 0.0, place.y), 0.4).unwrap();
            let route = Route::find(&mesh, from, goal).unwrap();
            let (cost, _) = field.first(&mesh, from, None).unwrap();
            let by_field: Vec<u32> = field.edges(&mesh, from, None).unwrap().collect();
            let own = Route {
                goal,
                edges: by_field,
            };
            let length = route.length(&mesh, from.at);
            let length_by_field = own.length(&mesh, from.at);
            let same = length / length_by_field - 1.0;
            assert!(
                same.abs() < 0.06 && cost < 2.0 * length + 1.0,
                "{length} {length_by_field} {cost}"
            );
            let over = length_by_field / best.max(0.5);
            (sum, worst, n) = (sum + over, worst.max(over), n + 1);
        }
    }
    let mean = sum / n as f32;
    assert!(
        n > 60 && mean < 1.0 && worst < 1.08,
        "{n} places, mean {mean}, worst {worst}"
    );
}

/// Lengths of the shortest paths to a goal over a fine grid with steps in 16 directions.
fn grid(is_free: &dyn Fn(Vec2) -> bool, goal: Vec2) -> impl Fn(Vec2) -> Option<f32> + use<> {
    const N: i32 = 101;
    let place = |i: i32, k: i32| Vec2::new(i as f32, k as f32) * 0.3 - 15.0;
    let free: Vec<bool> = (0..N * N).map(|c| is_free(place(c % N, c / N))).collect();
    let nearest = |p: Vec2| ((p + 15.0) / 0.3).round().as_ivec2();
    let mut far = vec![f32::INFINITY; (N * N) as usize];
    let start = nearest(goal);
    far[(start.y * N + start.x) as usize] = 0.0;
    // The grid is small enough to be solved by sweeps.
    for _ in 0..60 {
        let before = far.clone();
        for c in 0..N * N {
            let (x, y) = (c % N, c / N);
            for dx in -2..=2_i32 {
                for dy in -2..=2_i32 {
                    let (i, k) = (x + dx, y + dy);
                    if !(0..N).contains(&i) || !(0..N).contains(&k) || !free[c as usize] {
                        continue;
                    }
                    let steps = dx.abs().max(dy.abs()).max(1) * 2;
                    let is_open = (0..=steps).all(|s| {
                        let t = s as f32 / steps as f32;
                        is_free(place(x, y).lerp(place(i, k), t))
                    });
                    let by =
                        far[(k * N + i) as usize] + 0.3 * Vec2::new(dx as f32, dy as f32).length();
                    if by < far[c as usize] && is_open {
                        far[c as usize] = by;
                    }
                }
            }
        }
        if before == far {
            break;
        }
    }
    move |p: Vec2| {
        let cell = nearest(p);
        let found =
            far[(cell.y * N + cell.x) as usize] + (p - (cell.as_vec2() * 0.3 - 15.0)).length();
        found.is_finite().then_some(found)
    }
}

/// A floor with another above half of it, and a slope of `degrees` that leads up.
fn two_floors(degrees: f32) -> GroundTriangles {
    let mut ground = floor(10.0);
    add_box(
        &mut ground,
        Vec3::new(5.0, 2.9, 0.0),
        Vec3::new(10.0, 0.2, 20.0),
        0,
    );
    let run = 3.0 / degrees.to_radians().tan();
    let edge = |x: f32, y: f32| [Vec3::new(x, y, -2.0), Vec3::new(x, y, 2.0)];
    add_slope(&mut ground, edge(0.02 - run, 0.0), edge(0.02, 3.0));
    ground
}

#[test]
fn a_slope_leads_to_the_floor_above_unless_it_is_too_steep() {
    let mesh = baked(&two_floors(24.0), 10.0);
    let (below, above) = (at(&mesh, 6.0, 0.0, 7.0), at(&mesh, 6.0, 3.0, 7.0));
    assert!(below.at.y.abs() < 0.2 && (above.at.y - 3.0).abs() < 0.2);
    let route = Route::find(&mesh, below, above).unwrap();
    let corners = route.corners(&mesh, below.at);
    assert!(corners.iter().any(|c| c.at.x < -5.0), "{corners:?}");
    let length = route.length(&mesh, below.at);
    assert!((26.0..31.0).contains(&length), "{length}");
    // A step from one floor never ends on the other.
    let mut spot = below;
    for i in 0..400 {
        let angle = i as f32 * 2.4;
        let to = Vec2::new(spot.at.x, spot.at.z) + Vec2::from_angle(angle) * 0.6;
        spot = mesh.step(spot, to);
        assert!(spot.at.y < 0.3 || spot.at.x < 0.3, "{spot:?}");
    }
    let steep = baked(&two_floors(60.0), 10.0);
    let (below, above) = (at(&steep, 6.0, 0.0, 7.0), at(&steep, 6.0, 3.0, 7.0));
    assert_eq!(Route::find(&steep, below, above), None);
    assert!(
        FlowField::to(&steep, above, |_| 0.0)
            .first(&steep, below, None)
            .is_none()
    );
}

#[test]
fn paths_avoid_costly_ground_if_that_is_cheaper() {
    let mut ground = floor(10.0);
    add_box(
        &mut ground,
        Vec3::new(-2.0, 0.01, 0.0),
        Vec3::new(14.0, 0.02, 4.0),
        1,
    );
    let baked = Baked::new(&ground, &options(10.0)).unwrap();
    let mud = |cost: f32| {
        let mesh = baked.mesh(&[], &[1.0, cost]).unwrap();
        let (from, goal) = (at(&mesh, -2.0, 0.0, -6.0), at(&mesh, -2.0, 0.0, 6.0));
        let route = Route::find(&mesh, from, goal).unwrap();
        route.length(&mesh, from.at)
    };
    assert!(mud(1.0) < 12.6, "{}", mud(1.0));
    assert!(mud(20.0) > 16.0, "{}", mud(20.0));
    assert!(mud(1.3) < 13.5);
}

#[test]
fn links_connect_separate_ground_only_in_their_direction() {
    let mut ground = GroundTriangles::default();
    for x in [-6.0, 6.0] {
        add_box(
            &mut ground,
            Vec3::new(x, -0.1, 0.0),
            Vec3::new(8.0, 0.2, 8.0),
            0,
        );
    }
    let mut mesh = baked(&ground, 10.0);
    let (left, right) = (at(&mesh, -6.0, 0.0, 2.0), at(&mesh, 6.0, 0.0, 2.0));
    assert_eq!(Route::find(&mesh, left, right), None);
    let ends = [Vec3::new(-2.5, 0.0, -1.0), Vec3::new(2.5, 0.0, -1.0)];
    assert!(mesh.add_link(ends[0], ends[1], 8.0, 0.5).is_some());
    assert!(mesh.add_link(Vec3::Y * 50.0, ends[1], 8.0, 0.5).is_none());
    let route = Route::find(&mesh, left, right).unwrap();
    let corners = route.corners(&mesh, left.at);
    let jump = corners.iter().position(|c| c.link.is_some()).unwrap();
    assert!(corners[jump].at.distance(ends[0]) < 0.3, "{corners:?}");
    let link = mesh.link_of(corners[jump].link.unwrap()).unwrap();
    assert!(link.to.at.distance(ends[1]) < 0.3);
    assert_eq!(corners.len(), jump + 2);
    assert_eq!(Route::find(&mesh, right, left), None);
    let field = FlowField::to(&mesh, right, |_| 0.0);
    let (cost, _) = field.first(&mesh, left, None).unwrap();
    let straight = left.at.distance(ends[0]) + 8.0 + ends[1].distance(right.at);
    assert!((cost - straight).abs() < 1.5, "{cost} {straight}");
}

#[test]
fn obstacles_are_avoided_until_they_are_removed() {
    let mut ground = two_rooms();
    // A second gap, far from the first, between the long wall and the border.
    ground.vertices[8..16]
        .iter_mut()
        .for_each(|v| v.x = v.x.max(-8.0));
    let baked = Baked::new(&ground, &options(10.0)).unwrap();
    let length = |blocks: &[NavVolume]| {
        let mesh = baked.mesh(blocks, &[]).unwrap();
        let (from, goal) = (at(&mesh, 3.0, 0.0, -4.0), at(&mesh, 3.0, 0.0, 4.0));
        Route::find(&mesh, from, goal).map(|route| route.length(&mesh, from.at))
    };
    let block = |low: Vec2, high: Vec2| NavVolume {
        around: vec![
            low,
            Vec2::new(high.x, low.y),
            high,
            Vec2::new(low.x, high.y),
        ],
        heights: [0.0, 2.0],
        effect: VolumeEffect::Obstacle,
    };
    let open = length(&[]).unwrap();
    let door = block(Vec2::new(4.5, -0.4), Vec2::new(7.5, 0.4));
    let around = length(std::slice::from_ref(&door)).unwrap();
    assert!(open < 11.0 && around > 20.0, "{open} {around}");
    let other = block(Vec2::new(-11.0, -0.4), Vec2::new(-7.5, 0.4));
    assert_eq!(length(&[door.clone(), other]), None);
    let above = NavVolume {
        heights: [4.0, 6.0],
        ..door
    };
    assert_eq!(length(&[above]), Some(open));
}

#[test]
fn steps_stay_on_the_mesh_and_slide_along_its_borders() {
    let mesh = baked(&two_rooms(), 10.0);
    let mut spot = at(&mesh, 0.0, 0.0, -4.0);
    // It walks straight at the wall at an angle, slides along it to the gap and through it.
    for _ in 0..800 {
        let to = Vec2::new(spot.at.x, spot.at.z) + Vec2::new(0.01, 0.02);
        spot = mesh.step(spot, to);
        let p = Vec2::new(spot.at.x, spot.at.z);
        assert!(mesh.holds(spot.polygon, p));
    }
    assert!(spot.at.z > 1.0, "{spot:?}");
    let far = mesh.step(spot, Vec2::new(50.0, 3.0));
    assert!(far.at.x < 9.9 && far.at.x > spot.at.x);
    assert_eq!(mesh.step(spot, Vec2::NAN), spot);
}

#[test]
fn straight_lines_end_at_walls() {
    let mesh = baked(&two_rooms(), 10.0);
    let from = at(&mesh, 6.0, 0.0, -4.0);
    for x in -8..=8 {
        for z in [-8.0, -1.0, 2.0, 6.0] {
            let to = Vec2::new(x as f32, z);
            // The line passes the wall at z = 0 through the gap from 5 to 7 m, minus the radius.
            let crossing = 6.0 + (to.x - 6.0) * 4.0 / (z + 4.0);
            let is_free = z < 0.0 || (5.5..6.5).contains(&crossing);
            let is_close = ((crossing - 6.0).abs() - 0.5).abs() < 0.3;
            if z < 0.0 || !is_close {
                assert_eq!(mesh.straight(from, to) == 1.0, is_free, "{to}");
            }
        }
    }
    assert_eq!(mesh.wall_distance(from, 2.0), 2.0);
    let gap = mesh.wall_distance(at(&mesh, 6.0, 0.0, 0.0), 2.0);
    assert!((gap - 0.65).abs() < 0.1, "{gap}");
    // The border is 0.3 to 0.45 m before the end of the floor at 10 m.
    let reached = mesh.straight(from, Vec2::new(16.0, -4.0));
    assert!((reached - 0.365).abs() < 0.02, "{reached}");
    assert_eq!(mesh.straight(from, Vec2::new(6.0, -4.0)), 1.0);
}

#[test]
fn the_same_level_gives_the_same_paths_and_odd_ones_an_error_or_nothing() {
    let ground = two_rooms();
    let (a, b) = (baked(&ground, 10.0), baked(&ground, 10.0));
    let goal = at(&a, 3.0, 0.0, 4.0);
    assert_eq!(
        FlowField::to(&a, goal, |_| 0.0),
        FlowField::to(&b, at(&b, 3.0, 0.0, 4.0), |_| 0.0)
    );

    let empty = baked(&GroundTriangles::default(), 5.0);
    assert_eq!((empty.n_polygons(), empty.borders().count()), (0, 0));
    assert_eq!(empty.nearest(Vec3::ZERO, 1.0), None);
    let mut odd = floor(5.0);
    odd.vertices.push(Vec3::NAN);
    odd.triangles.extend([[0, 1, 8], [0, 1, 99], [2, 2, 2]]);
    assert!(baked(&odd, 5.0).n_polygons() > 0);
    assert_eq!(a.nearest(Vec3::NAN, 1.0), None);
    assert_eq!(a.nearest(Vec3::ONE * 900.0, 1.0), None);

    let told = |change: fn(&mut BakeOptions)| {
        let mut own = options(5.0);
        change(&mut own);
        Baked::new(&floor(5.0), &own).unwrap_err().to_string()
    };
    assert!(told(|o| o.high.x = -9.0).contains("must be above 0"));
    assert!(told(|o| o.low.x = f32::NAN).contains("must be above 0"));
    assert!(told(|o| o.slope = 95.0).contains("slope must be between 0 and 89"));
    assert!(told(|o| o.high = Vec3::splat(9000.0)).contains("needs cells of"));
    assert!(told(|o| o.radius = f32::NAN).contains("radius must be"));
}

#[test]
fn odd_levels_have_paths_too() {
    // A floor that extends a thousand kilometres, with fine cells.
    let mut far = GroundTriangles::default();
    let size = Vec3::new(2e6, 0.2, 2e6);
    add_box(&mut far, Vec3::new(3e5, -0.1, -7e5), size, 0);
    let fine = BakeOptions {
        cell: 0.04,
        ..options(3.0)
    };
    let mesh = Baked::new(&far, &fine).unwrap().mesh(&[], &[]).unwrap();
    let (from, goal) = (at(&mesh, -2.0, 0.0, -2.0), at(&mesh, 2.0, 0.0, 2.0));
    let route = Route::find(&mesh, from, goal).unwrap();
    assert!((route.length(&mesh, from.at) - 32_f32.sqrt()).abs() < 0.05);
    // A very tall agent with small steps has the maximum number of cells in height.
    let giant = BakeOptions {
        height: 5.5,
        step: 0.05,
        ..options(5.0)
    };
    let mesh = Baked::new(&floor(5.0), &giant)
        .unwrap()
        .mesh(&[], &[])
        .unwrap();
    assert!(mesh.nearest(Vec3::ZERO, 0.5).is_some());
    let wide = BakeOptions {
        radius: 4.0,
        cell: 0.02,
        ..options(9.0)
    };
    let told = Baked::new(&floor(9.0), &wide).unwrap_err().to_string();
    assert!(told.contains("needs cells of at least 0.03 m"), "{told}");
    // Random triangles, some of them degenerate.
    let mut chance = 5_u32;
    let mut next = || {
        chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (chance >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    for k in 0..60 {
        let mut heap = floor(5.0);
        for i in 0..60 {
            let middle = Vec3::new(next(), next() * 0.3, next()) * 12.0;
            let size = if i % 9 == 0 {
                1e5
            } else {
                0.2 + 5.0 * next().abs()
            };
            let first = heap.vertices.len() as u32;
            heap.vertices.extend((0..3).map(|_| {
                let corner = middle + Vec3::new(next(), next() * 0.4, next()) * size;
                if i % 2 == 0 { corner.round() } else { corner }
            }));
            heap.triangles
                .extend([[0, 1, 2], [0, 2, 1]].map(|t| t.map(|c| first + c)));
            heap.areas.extend([i as u8; 2]);
        }
        let own = BakeOptions {
            radius: 0.1 + 0.2 * next().abs(),
            slope: 80.0,
            ..options(5.0)
        };
        let baked = Baked::new(&heap, &own).unwrap();
        let mesh = baked.mesh(&[], &[1.0, 3.0]).unwrap();
        assert!(mesh.n_polygons() > 0, "{k}");
        let place = |x: f32, z: f32| mesh.nearest(Vec3::new(x, 0.0, z) * 9.0, 1.0);
        if let (Some(from), Some(goal)) = (place(next(), next()), place(next(), next())) {
            let by_field = FlowField::to(&mesh, goal, |_| 0.0)
                .first(&mesh, from, None)
                .is_some();
            assert_eq!(Route::find(&mesh, from, goal).is_some(), by_field, "{k}");
        }
    }
}
