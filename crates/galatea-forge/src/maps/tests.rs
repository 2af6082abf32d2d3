use glam::{Vec2, Vec3, Vec4};

use super::*;

/// A square in the plane y = 0, two metres wide, with n × n cells; u along +X, v along +Z, so its bitangent is -Z.
fn plane(n: u32, height: impl Fn(Vec2) -> f32) -> BakeMesh {
    let mut mesh = BakeMesh::default();
    for i in 0..=n {
        for k in 0..=n {
            let uv = Vec2::new(k as f32, i as f32) / n as f32;
            let flat = uv * 2.0 - 1.0;
            let at = |p: Vec2| Vec3::new(p.x, height(p), p.y);
            let step = 1e-3;
            let right = at(flat + Vec2::X * step) - at(flat - Vec2::X * step);
            let ahead = at(flat + Vec2::Y * step) - at(flat - Vec2::Y * step);
            let normal = ahead.cross(right).normalize();
            mesh.at.push(at(flat));
            mesh.normal.push(normal);
            let tangent = right - normal * normal.dot(right);
            mesh.tangent.push(tangent.normalize().extend(1.0));
            mesh.uv.push(uv);
        }
    }
    for i in 0..n {
        for k in 0..n {
            let [a, b] = [i * (n + 1) + k, (i + 1) * (n + 1) + k];
            mesh.triangles.push([a, b, a + 1]);
            mesh.triangles.push([a + 1, b, b + 1]);
        }
    }
    mesh
}

/// A ball around the origin, with spherical texture coordinates.
fn ball(radius: f32, n: u32) -> BakeMesh {
    let mut mesh = BakeMesh::default();
    for i in 0..=n {
        for k in 0..=2 * n {
            let uv = Vec2::new(k as f32 / (2 * n) as f32, i as f32 / n as f32);
            let (around, down) = (uv.x * std::f32::consts::TAU, uv.y * std::f32::consts::PI);
            let out = Vec3::new(
                down.sin() * around.sin(),
                down.cos(),
                down.sin() * around.cos(),
            );
            mesh.at.push(out * radius);
            mesh.normal.push(out);
            mesh.tangent
                .push(Vec4::new(around.cos(), 0.0, -around.sin(), 1.0));
            mesh.uv.push(uv);
        }
    }
    let row = 2 * n + 1;
    for i in 0..n {
        for k in 0..2 * n {
            let [a, b] = [i * row + k, (i + 1) * row + k];
            mesh.triangles.push([a, b, a + 1]);
            mesh.triangles.push([a + 1, b, b + 1]);
        }
    }
    mesh
}

fn options() -> MapOptions {
    MapOptions {
        side: 64,
        reach: 0.5,
        rays: 32,
        samples: 1,
        gutter: 2,
    }
}

fn texel(image: &Image, x: u32, y: u32) -> Vec3 {
    direction(image, x, y)
}

fn share(image: &Image, x: u32, y: u32) -> f32 {
    texel(image, x, y).x * 0.5 + 0.5
}

#[test]
fn baked_normals_equal_those_of_the_high_poly_mesh() {
    let wave = |p: Vec2| 0.08 * (p.x * 6.0).sin() * (p.y * 4.0).cos() + 0.02;
    let (flat, fine) = (plane(2, |_| 0.0), plane(160, wave));
    let rays = Rays::new(&fine).unwrap();
    let map = normals(&flat, &rays, &options()).unwrap();
    assert_eq!((map.covered, map.missed, map.doubled), (1.0, 0.0, 0.0));
    let mut worst: f32 = 0.0;
    for y in 0..64 {
        for x in 0..64 {
            let p = (Vec2::new(x as f32, y as f32) + 0.5) / 32.0 - 1.0;
            let right = 0.48 * (p.x * 6.0).cos() * (p.y * 4.0).cos();
            let ahead = -0.32 * (p.x * 6.0).sin() * (p.y * 4.0).sin();
            // Along the tangent, the bitangent (-Z), the normal.
            let expected = Vec3::new(-right, ahead, 1.0).normalize();
            worst = worst.max(texel(&map.image, x, y).angle_between(expected));
        }
    }
    assert!(worst < 0.02, "{worst} radians");
    // A mesh out of reach is not hit, so the map is flat.
    let far = plane(4, |_| 0.8);
    let map = normals(&flat, &Rays::new(&far).unwrap(), &options()).unwrap();
    assert_eq!(map.missed, 1.0);
    assert!(texel(&map.image, 30, 30).angle_between(Vec3::Z) < 0.01);
}

#[test]
fn the_side_with_the_same_facing_counts() {
    // A plate around the mesh, its back a little nearer than its front.
    let mut plate = plane(8, |p| 0.12 + 0.05 * p.x);
    let back = plane(8, |_| 0.02);
    let first = plate.at.len() as u32;
    plate.at.extend(&back.at);
    plate.normal.extend(back.normal.iter().map(|n| -*n));
    plate.triangles.extend(
        back.triangles
            .iter()
            .map(|t| [t[0], t[2], t[1]].map(|i| i + first)),
    );
    let inside = plane(2, |_| 0.06);
    let map = normals(&inside, &Rays::new(&plate).unwrap(), &options()).unwrap();
    let seen = texel(&map.image, 20, 40);
    assert!(
        seen.angle_between(Vec3::new(-0.05, 0.0, 1.0)) < 0.02,
        "{seen}"
    );
}

#[test]
fn a_corner_is_darker_by_the_fraction_it_occludes() {
    // A wall on one side of the floor, as high as the reach of rays.
    let floor = plane(2, |_| 0.0);
    let mut room = floor.clone();
    let first = room.at.len() as u32;
    room.at.extend([
        Vec3::new(-1.0, 0.0, -9.0),
        Vec3::new(-1.0, 9.0, -9.0),
        Vec3::new(-1.0, 9.0, 9.0),
        Vec3::new(-1.0, 0.0, 9.0),
    ]);
    room.normal.extend([Vec3::X; 4]);
    room.triangles
        .extend([[0, 1, 2], [0, 2, 3]].map(|t: [u32; 3]| t.map(|i| i + first)));
    let options = MapOptions {
        rays: 256,
        ..options()
    };
    let map = openness(&floor, &Rays::new(&room).unwrap(), &options).unwrap();
    let along: Vec<f32> = [0, 4, 8, 15, 40].map(|x| share(&map.image, x, 32)).to_vec();
    assert!(
        along.windows(2).all(|pair| pair[0] <= pair[1] + 0.01),
        "{along:?}"
    );
    // Reference: an integral over the disc under the hemisphere; a wall hides the directions that lean towards it.
    for (x, seen) in [(0.5, along[0]), (4.5, along[1]), (8.5, along[2])] {
        let away = x / 32.0;
        let (mut hidden, mut n) = (0.0, 0.0);
        for i in 0..400 {
            for k in 0..400 {
                let flat = Vec2::new(i as f32 + 0.5, k as f32 + 0.5) / 200.0 - 1.0;
                if flat.length() < 1.0 {
                    n += 1.0;
                    let far = away / flat.x;
                    let hides = flat.x > 0.0 && far < 0.5;
                    hidden += if hides {
                        1.0 - (far / 0.5_f32).sqrt()
                    } else {
                        0.0
                    };
                }
            }
        }
        let expected = 1.0 - hidden / n;
        assert!(
            (seen - expected).abs() < 0.015,
            "at {away} m: {seen}, not {expected}"
        );
    }
    assert!(along[4] > 0.99, "{along:?}");
}

#[test]
fn the_thickness_of_a_slab_is_exact() {
    let mut slab = plane(2, |_| 0.0);
    let back = plane(2, |_| -0.2);
    let first = slab.at.len() as u32;
    slab.at.extend(&back.at);
    slab.normal.extend(back.normal.iter().map(|n| -*n));
    slab.triangles.extend(
        back.triangles
            .iter()
            .map(|t| [t[0], t[2], t[1]].map(|i| i + first)),
    );
    let mesh = plane(2, |_| 0.0);
    let map = thickness(&mesh, &Rays::new(&slab).unwrap(), &options()).unwrap();
    assert!(
        (share(&map.image, 32, 32) - 0.4).abs() < 0.006,
        "0.2 of 0.5 m"
    );
}

#[test]
fn curvature_is_one_over_the_radius_out_and_in() {
    let options = MapOptions {
        reach: 0.05,
        ..options()
    };
    let map = curvature(&ball(0.1, 24), &options).unwrap();
    // Halfway from grey to white.
    assert!(
        (share(&map.image, 30, 32) - 0.75).abs() < 0.01,
        "{}",
        share(&map.image, 30, 32)
    );
    let mut hollow = ball(0.1, 24);
    for normal in &mut hollow.normal {
        *normal = -*normal;
    }
    let map = curvature(&hollow, &options).unwrap();
    assert!((share(&map.image, 30, 32) - 0.25).abs() < 0.01);
    let map = curvature(&plane(4, |_| 0.0), &options).unwrap();
    assert!((share(&map.image, 30, 32) - 0.5).abs() < 0.004);
}

#[test]
fn displacement_is_white_in_proportion() {
    let mesh = plane(16, |_| 0.0);
    let to: Vec<Vec3> = mesh
        .at
        .iter()
        .map(|at| *at + Vec3::Y * at.x.max(0.0) * 0.3)
        .collect();
    let (map, farthest) = moved(&mesh, &to, &options()).unwrap();
    assert!((farthest - 0.3).abs() < 1e-5);
    assert_eq!(share(&map.image, 10, 20), 0.0);
    assert!(
        (share(&map.image, 48, 20) - 0.516).abs() < 0.01,
        "{}",
        share(&map.image, 48, 20)
    );
}

#[test]
fn object_space_and_tangent_space_are_the_same_normals() {
    let mesh = ball(0.5, 16);
    let bumps: Vec<u8> = (0..64 * 64_u32)
        .flat_map(|i| {
            let (x, y) = ((i % 64) as f32 * 0.4, (i / 64) as f32 * 0.3);
            let own = as_color(Vec3::new(0.4 * x.sin(), 0.3 * y.cos(), 1.0));
            let [r, g, b] = own.to_array().map(|c| (c * 255.0).round() as u8);
            [r, g, b, 255]
        })
        .collect();
    let bumps = Image {
        name: String::new(),
        width: 64,
        height: 64,
        rgba: bumps,
    };
    let object = other_space(&mesh, &bumps, true, &options()).unwrap();
    // On the ball's +Z side bumps lean about +Z.
    assert!(texel(&object.image, 1, 32).dot(Vec3::Z) > 0.8);
    assert!(texel(&object.image, 32, 32).dot(Vec3::NEG_Z) > 0.8);
    let back = other_space(&mesh, &object.image, false, &options()).unwrap();
    let mut worst: f32 = 0.0;
    for y in 6..58 {
        for x in 0..64 {
            let off = texel(&back.image, x, y).angle_between(texel(&bumps, x, y));
            worst = worst.max(off);
        }
    }
    assert!(
        worst < 0.03,
        "{worst} radians, of which 8 bits twice are most"
    );
}

#[test]
fn samples_are_averaged_and_unusable_meshes_give_an_error() {
    // A step through the centre of a pixel.
    let mesh = plane(64, |_| 0.0);
    let to: Vec<Vec3> = mesh
        .at
        .iter()
        .map(|at| *at + Vec3::Y * if at.x >= 0.0 { 1.0 } else { 0.0 })
        .collect();
    let options = MapOptions {
        side: 33,
        samples: 4,
        ..options()
    };
    let (map, _) = moved(&mesh, &to, &options).unwrap();
    let seen = share(&map.image, 16, 10);
    assert!((0.4..0.85).contains(&seen), "{seen}");
    let bare = BakeMesh {
        uv: Vec::new(),
        ..mesh.clone()
    };
    assert_eq!(
        curvature(&bare, &options).unwrap_err(),
        MapError::NoCoordinates
    );
    let mut outside = mesh.clone();
    outside.uv.iter_mut().for_each(|uv| *uv += 3.0);
    assert_eq!(
        curvature(&outside, &options).unwrap_err(),
        MapError::NothingLaid
    );
    assert!(matches!(
        Rays::new(&BakeMesh::default()),
        Err(MapError::NoTriangles)
    ));
    let mut twice = plane(1, |_| 0.0);
    let first = twice.at.len() as u32;
    let again = plane(1, |_| 0.5);
    twice.at.extend(&again.at);
    twice.normal.extend(&again.normal);
    twice.tangent.extend(&again.tangent);
    twice.uv.extend(again.uv.iter().map(|uv| *uv * 0.5));
    twice
        .triangles
        .extend(again.triangles.iter().map(|t| t.map(|i| i + first)));
    let map = curvature(&twice, &options).unwrap();
    assert!((map.doubled - 0.25).abs() < 0.02, "{}", map.doubled);
}
