//! Light against physics: energy, a Monte-Carlo integral of the same reflectance, colour spaces,
//! shadows that begin where things stand, lamps.

use std::f32::consts::PI;
use std::sync::Arc;

use galatea::asset::Environment;
use galatea::asset::model::{
    Clearcoat, Image, InstanceMaterial, Iris, Material, MaterialKind, MaterialValues, Model,
    OutlineMode, Primitive, Sampler, Sheen, TextureRef, Toon, UvTransform,
};
use galatea::render::{Gpu, Picture, RenderOptions, Renderer};
use galatea::stage::Frame;
use galatea::stage::frame::{
    AutoExposure, Camera, EnvironmentUse, Fog, Grade, Ground, Lamp, Look, Quality, Spot, ToneMap,
};
use glam::{Affine3A, Vec2, Vec3, Vec4};

use super::shapes::{add, capsule, cuboid, material, rigid};
use super::{gpu, keep, renderer_with};

pub const SIZE: (u32, u32) = (256, 256);

/// Nothing but the light that is given: no sun, no sky, no lens.
pub fn bare() -> Frame {
    let mut frame = Frame {
        look: Look {
            tone: ToneMap::Plain,
            bloom: 0.0,
            occlusion: 0.0,
            contact_shadows: 0.0,
            ..Look::default()
        },
        camera: Camera {
            eye: Vec3::new(0.0, 0.0, 4.0),
            target: Vec3::ZERO,
            fov_y: 32.0,
        },
        ..Frame::default()
    };
    let light = &mut frame.light;
    light.sun_color = Vec3::ZERO;
    light.sky_zenith = Vec3::ZERO;
    light.sky_horizon = Vec3::ZERO;
    light.sky_ground = Vec3::ZERO;
    frame
}

pub fn put(frame: &mut Frame, model: Model) {
    let identity = [Affine3A::IDENTITY];
    add(frame, &Arc::new(model), Affine3A::IDENTITY, &identity, &[]);
}

/// A unit ball with a material.
pub fn ball(uid: u64, material: Material) -> Model {
    let smooth = capsule(Vec3::ZERO, Vec3::ZERO, 1.0, 192);
    rigid(uid, vec![smooth], vec![material])
}

fn under(frame: &mut Frame, uid: u64, size: u32, radiance: impl Fn(Vec3) -> Vec3) {
    let environment = Environment {
        uid,
        ..Environment::from_fn(size, radiance)
    };
    frame.light.environment = Some(EnvironmentUse {
        environment: Arc::new(environment),
        yaw: 0.0,
        strength: 1.0,
        background: true,
        blur: 0.0,
    });
}

pub fn draw(gpu: &Gpu, renderer: &mut Renderer, frame: &Frame) -> Picture {
    let picture = renderer.draw_to_picture(gpu, frame, SIZE, |_, _| {});
    assert_eq!(gpu.take_error(), None);
    picture.unwrap()
}

fn linear(byte: u8) -> f32 {
    let c = f32::from(byte) / 255.0;
    if c <= 0.04045 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
    }
}

pub fn light_at(picture: &Picture, x: u32, y: u32) -> Vec3 {
    let at = ((y * picture.width + x) * 4) as usize;
    let c = &picture.rgba[at..at + 3];
    Vec3::new(linear(c[0]), linear(c[1]), linear(c[2]))
}

/// Direction of the eye, normal of the unit ball that a pixel shows, and where; `None` beside it.
fn ball_at(frame: &Frame, x: u32, y: u32) -> Option<(Vec3, Vec3)> {
    let tan = (frame.camera.fov_y.to_radians() * 0.5).tan();
    let at = |i: u32, n: u32| ((i as f32 + 0.5) / n as f32 * 2.0 - 1.0) * tan;
    let ray = Vec3::new(at(x, SIZE.0), -at(y, SIZE.1), -1.0).normalize();
    let eye = frame.camera.eye;
    let (b, c) = (eye.dot(ray), eye.length_squared() - 1.0);
    let inside = b * b - c;
    (inside > 0.0).then(|| (-ray, (eye + ray * (-b - inside.sqrt())).normalize()))
}

#[test]
fn white_things_vanish_in_an_even_white_light() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::of(Quality::High));
    let white = |roughness, metallic| material(Vec3::ONE, roughness, metallic);
    let cases = [
        ("smooth metal", white(0.1, 1.0)),
        ("metal", white(0.5, 1.0)),
        ("rough metal", white(1.0, 1.0)),
        ("smooth body", white(0.1, 0.0)),
        ("rough body", white(0.9, 0.0)),
    ];
    for (i, (name, material)) in cases.into_iter().enumerate() {
        let mut frame = bare();
        under(&mut frame, 77, 32, |_| Vec3::splat(0.5));
        put(&mut frame, ball(20 + i as u64, material));
        let picture = draw(&gpu, &mut renderer, &frame);
        let (mut sum, mut n) = (0.0, 0.0);
        for (x, y) in (0..SIZE.0).flat_map(|x| (0..SIZE.1).map(move |y| (x, y))) {
            if ball_at(&frame, x, y).is_some_and(|(v, n)| v.dot(n) > 0.15) {
                sum += light_at(&picture, x, y).y;
                n += 1.0;
            }
        }
        let share = sum / n / 0.5;
        keep(&picture, &format!("furnace {name}"));
        assert!((share - 1.0).abs() < 0.02, "{name} gives back {share}");
        let behind = light_at(&picture, 3, 3);
        assert!((behind.y - 0.5).abs() < 0.01, "{behind}");
    }
}

/// Radiance of a smoothly changing light from all around.
fn gradient(d: Vec3) -> Vec3 {
    Vec3::new(0.42 + 0.3 * d.y, 0.4 + 0.25 * d.x, 0.38 + 0.2 * d.z)
}

/// The integral of the reflectance over all light, by chance directions: GGX with height-correlated
/// masking, what bounces more than once inside it (Fdez-Agüera 2019), and a matt body that gets the
/// rest.
fn integral(material: &Material, n: Vec3, v: Vec3, n_samples: u32) -> Vec3 {
    let base = material.base_color.truncate();
    let f0 = Vec3::splat(0.04).lerp(base, material.metallic);
    let alpha = material.roughness * material.roughness;
    let (side, up) = n.any_orthonormal_pair();
    let n_v = n.dot(v).max(1e-4);
    let mut random = galatea::stage::Rng::new(3);
    let (mut reflected, mut single, mut kept, mut around) =
        (Vec3::ZERO, Vec3::ZERO, 0.0, Vec3::ZERO);
    let lambda = |cosine: f32| {
        let c2 = cosine * cosine;
        0.5 * ((1.0 + alpha * alpha * (1.0 - c2) / c2).sqrt() - 1.0)
    };
    for _ in 0..n_samples {
        let (a, b) = (random.unit() as f32, random.unit() as f32 * 2.0 * PI);
        // Half vectors as the distribution has them.
        let cos2 = (1.0 - a) / (1.0 + (alpha * alpha - 1.0) * a);
        let (cos, sin) = (cos2.sqrt(), (1.0 - cos2).max(0.0).sqrt());
        let h = side * (sin * b.cos()) + up * (sin * b.sin()) + n * cos;
        let v_h = v.dot(h);
        let l = h * (2.0 * v_h) - v;
        let n_l = n.dot(l);
        if n_l > 0.0 && v_h > 0.0 {
            let fresnel = f0 + (Vec3::ONE - f0) * (1.0 - v_h).powi(5);
            let weight = v_h / ((1.0 + lambda(n_v) + lambda(n_l)) * cos * n_v);
            reflected += gradient(l) * fresnel * weight;
            single += fresnel * weight;
            kept += weight;
        }
        let (r, z) = (a.sqrt(), (1.0 - a).sqrt());
        around += gradient(side * (r * b.cos()) + up * (r * b.sin()) + n * z);
    }
    let share = 1.0 / n_samples as f32;
    let (single, around, lost) = (single * share, around * share, 1.0 - kept * share);
    let f_mean = f0 + (Vec3::ONE - f0) / 21.0;
    let multiple = single * f_mean / (Vec3::ONE - f_mean * lost) * lost;
    let body = base * (1.0 - material.metallic) * (Vec3::ONE - single - multiple);
    reflected * share + (body + multiple) * around
}

#[test]
fn balls_look_as_a_monte_carlo_integral_of_their_reflectance_says() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let cases = [
        ("gold", material(Vec3::new(0.9, 0.7, 0.35), 0.25, 1.0)),
        ("plastic", material(Vec3::new(0.2, 0.35, 0.6), 0.35, 0.0)),
        ("clay", material(Vec3::new(0.6, 0.4, 0.3), 0.8, 0.0)),
    ];
    for (i, (name, material)) in cases.into_iter().enumerate() {
        let mut frame = bare();
        under(&mut frame, 78, 128, gradient);
        put(&mut frame, ball(30 + i as u64, material.clone()));
        let picture = draw(&gpu, &mut renderer, &frame);
        keep(&picture, &format!("integral {name}"));
        let (mut error, mut light) = (0.0, 0.0);
        for i in 0..40_u32 {
            let (x, y) = (64 + i * 37 % 128, 64 + i * 53 % 128);
            let Some((v, n)) = ball_at(&frame, x, y).filter(|(v, n)| v.dot(*n) > 0.2) else {
                continue;
            };
            let wanted = integral(&material, n, v, 6000);
            error += (light_at(&picture, x, y) - wanted).abs().element_sum();
            light += wanted.element_sum();
        }
        let mean = error / light;
        assert!(mean <= 0.01, "{name} is wrong by {mean}");
    }
}

#[test]
fn unlit_colours_are_shown_as_they_are() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::of(Quality::Low));
    for (i, color) in [0.02_f32, 0.18, 0.5, 0.9].into_iter().enumerate() {
        let mut frame = bare();
        let unlit = Material {
            unlit: true,
            ..material(Vec3::new(color, 0.25, 1.0 - color), 1.0, 0.0)
        };
        put(&mut frame, ball(40 + i as u64, unlit));
        let shown = light_at(&draw(&gpu, &mut renderer, &frame), 128, 128);
        let wanted = Vec3::new(color, 0.25, 1.0 - color);
        // One step of 255.
        assert!(
            (shown - wanted).abs().max_element() < 0.01,
            "{shown} {wanted}"
        );
    }
}

/// A slab whose top is the height 0, seen from above at a slant, with a post on it.
fn slab_and_post(sun: Vec3) -> Frame {
    let mut frame = bare();
    frame.light.sun_direction = sun.normalize();
    frame.light.sun_color = Vec3::splat(2.5);
    frame.light.sun_width = 0.5;
    frame.camera = Camera {
        eye: Vec3::new(0.0, 2.2, 2.2),
        target: Vec3::ZERO,
        fov_y: 32.0,
    };
    let grey = || vec![material(Vec3::splat(0.5), 1.0, 0.0)];
    let slab = cuboid(Vec3::new(0.0, -0.5, 0.0), Vec3::new(3.0, 0.5, 3.0));
    put(&mut frame, rigid(50, vec![slab], grey()));
    let post = cuboid(Vec3::new(0.0, 0.15, 0.0), Vec3::new(0.05, 0.15, 0.05));
    put(&mut frame, rigid(51, vec![post], grey()));
    frame
}

/// The pixel that shows a world point.
fn pixel_of(frame: &Frame, point: Vec3) -> (u32, u32) {
    let p = frame.camera.view_from_world().transform_point3(point);
    let tan = (frame.camera.fov_y.to_radians() * 0.5).tan();
    let at = |part: f32, n: u32| ((part / (-p.z * tan) * 0.5 + 0.5) * n as f32) as u32;
    (at(p.x, SIZE.0), at(-p.y, SIZE.1))
}

#[test]
fn lit_ground_has_no_speckles_and_shadows_begin_where_things_stand() {
    let Some(gpu) = gpu() else { return };
    for quality in Quality::ALL {
        let mut renderer = renderer_with(&gpu, RenderOptions::of(quality));
        for sun in [Vec3::new(-1.0, 1.0, 0.0), Vec3::new(-1.0, 0.35, 0.2)] {
            let frame = slab_and_post(sun);
            let picture = draw(&gpu, &mut renderer, &frame);
            keep(&picture, &format!("post {} {}", quality.name(), sun.y));
            let lit = 0.5 / PI * 2.5 * sun.normalize().y;
            let light = |x: f32, z: f32| {
                let (x, y) = pixel_of(&frame, Vec3::new(x, 0.0, z));
                light_at(&picture, x, y).y
            };
            for i in 0..200 {
                let (x, z) = (
                    -0.6 + 0.5 * (i % 20) as f32 / 20.0,
                    -0.5 + (i / 20) as f32 / 10.0,
                );
                let share = light(x, z) / lit;
                assert!((share - 1.0).abs() < 0.06, "{quality:?} {x} {z}: {share}");
            }
            // Behind the post, from 2 cm on, and beside it.
            let behind = light(0.075, 0.0) / lit;
            assert!(behind < 0.15, "{quality:?}: {behind} just behind the post");
            assert!(light(0.12, 0.0) / lit < 0.1, "{quality:?}");
            assert!(light(0.1, 0.3) / lit > 0.94, "{quality:?}");
        }
    }
}

pub fn lamp(position: Vec3, strength: f32) -> Lamp {
    Lamp {
        position,
        color: Vec3::splat(strength),
        range: 50.0,
        radius: 0.01,
        spot: None,
        casts: true,
    }
}

#[test]
fn lamps_fall_with_the_square_end_with_their_cone_and_throw_shadows() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let mut frame = slab_and_post(Vec3::Y);
    frame.light.sun_color = Vec3::ZERO;
    let light = |renderer: &mut Renderer, frame: &Frame, x: f32| {
        let (px, py) = pixel_of(frame, Vec3::new(x, 0.0, 0.25));
        light_at(&draw(&gpu, renderer, frame), px, py).y
    };
    let under = |height: f32, strength: f32| lamp(Vec3::new(0.3, height, 0.25), strength);
    frame.light.lamps = vec![under(1.0, 3.0)];
    let near = light(&mut renderer, &frame, 0.3);
    assert!((near / (0.5 / PI * 3.0) - 1.0).abs() < 0.02, "{near}");
    frame.light.lamps = vec![under(2.0, 3.0)];
    let far = light(&mut renderer, &frame, 0.3);
    assert!((near / far - 4.0).abs() < 0.12, "{near} {far}");

    frame.light.lamps[0].spot = Some(Spot {
        direction: Vec3::NEG_Y,
        inner: 10.0,
        outer: 15.0,
    });
    let in_cone = light(&mut renderer, &frame, 0.3);
    assert!((in_cone / far - 1.0).abs() < 0.03, "{in_cone} {far}");
    // 15 degrees from 2 m is 0.54 m.
    assert_eq!(light(&mut renderer, &frame, -0.35), 0.0);

    // Through the post: a lamp low beside it, lit on this side only.
    for spot in [None, Some(Vec3::new(1.0, -0.15, 0.0))] {
        frame.light.lamps = vec![Lamp {
            spot: spot.map(|direction| Spot {
                direction: direction.normalize(),
                inner: 40.0,
                outer: 50.0,
            }),
            ..lamp(Vec3::new(-0.5, 0.1, 0.0), 2.0)
        }];
        let picture = draw(&gpu, &mut renderer, &frame);
        keep(&picture, if spot.is_some() { "spot" } else { "ball" });
        let at = |x: f32, z: f32| {
            let (x, y) = pixel_of(&frame, Vec3::new(x, 0.0, z));
            light_at(&picture, x, y).y
        };
        assert!(
            at(0.1, 0.0) < 0.1 * at(0.1, 0.2),
            "{} {}",
            at(0.1, 0.0),
            at(0.1, 0.2)
        );
        assert!(at(-0.1, 0.0) > 0.02);
    }
}

/// How much two pictures differ where they differ most, 0..=255.
pub fn largest_difference(a: &Picture, b: &Picture) -> u8 {
    let pairs = a.rgba.iter().zip(&b.rgba);
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

pub fn lit_scene() -> Frame {
    let mut frame = bare();
    frame.look = Look::default();
    frame.light = Default::default();
    frame.ground = Some(Ground::default());
    frame.camera = Camera {
        eye: Vec3::new(0.8, 1.2, 3.0),
        target: Vec3::new(0.0, 0.4, 0.0),
        fov_y: 36.0,
    };
    let glowing = Material {
        emissive_factor: Vec3::new(1.0, 0.4, 0.1),
        emissive_strength: 12.0,
        ..material(Vec3::splat(0.1), 0.5, 0.0)
    };
    let v = Vec3::new;
    let shapes = [
        (
            capsule(v(-0.3, 0.3, 0.0), v(-0.3, 0.3, 0.0), 0.3, 48),
            material(v(0.7, 0.5, 0.4), 0.4, 0.0),
        ),
        (
            capsule(v(0.28, 0.28, 0.1), v(0.28, 0.28, 0.1), 0.28, 48),
            material(v(0.9, 0.8, 0.5), 0.2, 1.0),
        ),
        (
            cuboid(v(0.0, 0.4, -0.4), v(0.6, 0.4, 0.1)),
            material(v(0.4, 0.45, 0.5), 0.8, 0.0),
        ),
        (
            capsule(v(0.0, 0.95, -0.3), v(0.0, 0.95, -0.3), 0.08, 24),
            glowing,
        ),
    ];
    for (i, (shape, material)) in shapes.into_iter().enumerate() {
        put(
            &mut frame,
            rigid(60 + i as u64, vec![shape], vec![material]),
        );
    }
    frame
}

type Change = fn(&mut Frame);

#[test]
fn every_part_of_the_look_is_seen_in_the_picture() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let before = draw(&gpu, &mut renderer, &lit_scene());
    keep(&before, "look");
    let changes: [(&str, Change); 19] = [
        ("bloom", |f| f.look.bloom = 0.3),
        ("occlusion", |f| f.look.occlusion = 0.0),
        ("contact shadows", |f| f.look.contact_shadows = 0.0),
        ("exposure", |f| f.look.exposure = 1.0),
        ("auto exposure", |f| {
            f.look.exposure = -1.0;
            f.look.auto_exposure = Some(AutoExposure::default());
        }),
        ("aces", |f| f.look.tone = ToneMap::Aces),
        ("agx", |f| f.look.tone = ToneMap::Agx),
        ("plain", |f| f.look.tone = ToneMap::Plain),
        ("fog", |f| {
            f.look.fog = Fog {
                density: 0.1,
                ..Fog::default()
            }
        }),
        ("low fog", |f| {
            f.look.fog = Fog {
                density: 0.3,
                height: 0.3,
                ..Fog::default()
            }
        }),
        ("contrast", |f| {
            f.look.grade = Grade {
                contrast: 1.4,
                ..Grade::default()
            }
        }),
        ("saturation", |f| {
            f.look.grade = Grade {
                saturation: 0.0,
                ..Grade::default()
            }
        }),
        ("warmth", |f| {
            f.look.grade = Grade {
                temperature: 0.6,
                ..Grade::default()
            }
        }),
        ("vignette", |f| {
            f.look.grade = Grade {
                vignette: 0.8,
                ..Grade::default()
            }
        }),
        ("tint", |f| f.look.grade.tint = 0.6),
        ("dark parts", |f| {
            f.look.grade.shadows = Vec3::new(0.0, 0.05, 0.15)
        }),
        ("bright parts", |f| {
            f.look.grade.highlights = Vec3::new(1.0, 0.8, 0.6)
        }),
        ("haze of the sun", |f| f.light.sun_width = 12.0),
        ("lamp", |f| {
            f.light.lamps = vec![lamp(Vec3::new(0.5, 0.8, 0.8), 1.0)]
        }),
    ];
    for (name, change) in changes {
        let mut frame = lit_scene();
        change(&mut frame);
        let picture = draw(&gpu, &mut renderer, &frame);
        keep(&picture, &format!("look {name}"));
        let difference = largest_difference(&before, &picture);
        assert!(difference >= 12, "{name} changes nothing: {difference}");
    }
}

#[test]
fn an_eye_adapts_to_a_dark_picture_at_once_and_to_a_change_slowly() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let mut frame = lit_scene();
    // The lamp that glows by itself.
    frame.models.pop();
    frame.look.auto_exposure = Some(AutoExposure::default());
    let mean = |picture: &Picture| {
        let sum: u64 = picture.rgba.chunks_exact(4).map(|t| u64::from(t[1])).sum();
        sum as f32 / (SIZE.0 * SIZE.1) as f32
    };
    let bright = mean(&draw(&gpu, &mut renderer, &frame));
    let dim = |frame: &mut Frame, factor: f32| {
        let light = &mut frame.light;
        for color in [
            &mut light.sun_color,
            &mut light.sky_zenith,
            &mut light.sky_horizon,
            &mut light.sky_ground,
        ] {
            *color *= factor;
        }
    };
    dim(&mut frame, 0.1);
    frame.time = 1.0 / 60.0;
    let first = mean(&draw(&gpu, &mut renderer, &frame));
    frame.time = 1.9;
    let later = mean(&draw(&gpu, &mut renderer, &frame));
    frame.time = 60.0;
    let adapted = mean(&draw(&gpu, &mut renderer, &frame));
    assert!(first < 0.6 * bright, "{first} {later} {adapted} {bright}");
    assert!(
        first < later && later <= adapted + 0.5,
        "{first} {later} {adapted}"
    );
    assert!((adapted / bright - 1.0).abs() < 0.05, "{adapted} {bright}");
}

#[test]
fn clear_pictures_tell_in_their_alpha_where_the_models_are() {
    let Some(gpu) = gpu() else { return };
    let options = RenderOptions {
        transparent: true,
        ..RenderOptions::default()
    };
    let mut renderer = renderer_with(&gpu, options);
    let picture = draw(&gpu, &mut renderer, &lit_scene());
    let alpha = |x: u32, y: u32| picture.rgba[((y * SIZE.0 + x) * 4 + 3) as usize];
    assert_eq!((alpha(2, 2), alpha(2, 250)), (0, 0));
    assert_eq!(alpha(128, 128), 255);
    let half = picture
        .rgba
        .chunks_exact(4)
        .filter(|t| (1..255).contains(&t[3]));
    assert!(half.count() > 50, "edges are soft");
}

fn kinds() -> [(&'static str, Material); 9] {
    let plain = material(Vec3::new(0.75, 0.5, 0.42), 0.45, 0.0);
    let of = |kind| Material {
        kind,
        ..plain.clone()
    };
    [
        ("plain", plain.clone()),
        ("skin", of(MaterialKind::Skin)),
        ("eye", of(MaterialKind::Eye)),
        (
            "eye with an iris",
            Material {
                iris: Some(Iris {
                    center: Vec2::new(0.3, 0.0),
                    radius: 0.5,
                    depth: 0.5,
                }),
                ..of(MaterialKind::Eye)
            },
        ),
        ("hair", of(MaterialKind::Hair)),
        ("cloth", of(MaterialKind::Cloth)),
        (
            "coat",
            Material {
                clearcoat: Clearcoat {
                    factor: 1.0,
                    roughness: 0.05,
                    ..Clearcoat::default()
                },
                ..plain.clone()
            },
        ),
        (
            "sheen",
            Material {
                sheen: Sheen {
                    color: Vec3::splat(0.9),
                    roughness: 0.4,
                    ..Sheen::default()
                },
                ..plain.clone()
            },
        ),
        ("dense", Material { ior: 1.8, ..plain }),
    ]
}

#[test]
fn every_kind_of_material_looks_its_own_way_and_keeps_its_energy() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let mut drawn: Vec<(&str, Picture)> = Vec::new();
    for (i, (name, material)) in kinds().into_iter().enumerate() {
        let mut frame = bare();
        frame.look = Look::default();
        frame.light = Default::default();
        frame.light.lamps = vec![lamp(Vec3::new(2.0, 1.0, -1.5), 4.0)];
        put(&mut frame, ball(80 + i as u64, material.clone()));
        let picture = draw(&gpu, &mut renderer, &frame);
        keep(&picture, &format!("kind {name}"));
        for (other, known) in &drawn {
            let difference = largest_difference(known, &picture);
            assert!(difference >= 10, "{name} looks like {other}: {difference}");
        }
        drawn.push((name, picture));

        let mut frame = bare();
        under(&mut frame, 79, 16, |_| Vec3::splat(0.5));
        let white = Material {
            base_color: Vec4::ONE,
            ..material
        };
        put(&mut frame, ball(90 + i as u64, white));
        let picture = draw(&gpu, &mut renderer, &frame);
        let brightest = (64..192)
            .map(|x| light_at(&picture, x, 128).y)
            .fold(0.0, f32::max);
        assert!(brightest < 0.5 * 1.06, "{name} makes light: {brightest}");
    }
}

#[test]
fn things_made_of_glass_show_what_is_behind_them() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let scene = |glass: f32, uid: u64| {
        let mut frame = bare();
        frame.look = Look::default();
        frame.light = Default::default();
        let red = material(Vec3::new(0.8, 0.05, 0.05), 0.9, 0.0);
        let wall: Primitive = cuboid(Vec3::new(0.0, 0.0, -1.5), Vec3::new(2.0, 2.0, 0.1));
        put(&mut frame, rigid(uid, vec![wall], vec![red]));
        let mut pane = material(Vec3::new(0.9, 0.95, 1.0), 0.05, 0.0);
        pane.transmission.factor = glass;
        put(&mut frame, ball(uid + 1, pane));
        frame
    };
    let solid = draw(&gpu, &mut renderer, &scene(0.0, 100));
    let clear = draw(&gpu, &mut renderer, &scene(1.0, 102));
    keep(&clear, "glass");
    let (solid, clear) = (light_at(&solid, 110, 140), light_at(&clear, 110, 140));
    assert!(clear.x > 2.0 * clear.y, "the wall is seen: {clear}");
    assert!(solid.x < 1.3 * solid.y, "{solid}");
}

#[test]
fn an_environment_is_seen_where_its_turn_puts_it() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let mut frame = bare();
    let spot = |d: Vec3| Vec3::splat(if d.x > 0.8 { 0.8 } else { 0.05 });
    under(&mut frame, 120, 64, spot);
    let mut middle = |yaw: f32| {
        if let Some(used) = &mut frame.light.environment {
            used.yaw = yaw.to_radians();
        }
        light_at(&draw(&gpu, &mut renderer, &frame), 128, 128).y
    };
    // The camera looks along -Z, where +X is turned to by 90 degrees about +Y.
    let (plain, right, wrong) = (middle(0.0), middle(90.0), middle(-90.0));
    assert!(
        plain < 0.1 && wrong < 0.1 && right > 0.7,
        "{plain} {right} {wrong}"
    );
}

fn toon(change: impl FnOnce(&mut Toon)) -> Material {
    let mut toon = Toon {
        shade_color: Vec3::new(0.2, 0.1, 0.3),
        ..Toon::default()
    };
    change(&mut toon);
    Material {
        kind: MaterialKind::Toon,
        toon: Some(Box::new(toon)),
        ..material(Vec3::new(0.9, 0.6, 0.5), 1.0, 0.0)
    }
}

#[test]
fn toons_have_two_colours_a_rim_and_an_outline() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let mut picture = |uid: u64, material: Material| {
        let mut frame = bare();
        frame.light.sun_color = Vec3::splat(PI);
        frame.light.sun_direction = Vec3::X;
        put(&mut frame, ball(uid, material));
        let picture = draw(&gpu, &mut renderer, &frame);
        keep(&picture, &format!("toon {uid}"));
        picture
    };
    let plain = picture(130, toon(|_| {}));
    let (lit, shade) = (light_at(&plain, 190, 128), light_at(&plain, 70, 128));
    assert!(lit.abs_diff_eq(Vec3::new(0.9, 0.6, 0.5), 0.02), "{lit}");
    assert!(shade.abs_diff_eq(Vec3::new(0.2, 0.1, 0.3), 0.02), "{shade}");
    // From shade to light without a line between them.
    let across: Vec<f32> = (70..190).map(|x| light_at(&plain, x, 128).y).collect();
    assert!(
        across.windows(2).all(|two| two[1] > two[0] - 0.02),
        "{across:?}"
    );
    let rim = picture(
        131,
        toon(|t| {
            t.rim_color = Vec3::splat(0.6);
            t.rim_lighting_mix = 0.0;
            t.rim_fresnel_power = 2.0;
        }),
    );
    // The ball's edge is about 113 pixels from its middle.
    assert!(light_at(&rim, 20, 128).y > light_at(&plain, 20, 128).y + 0.2);
    let outlined = picture(
        132,
        toon(|t| {
            t.outline.mode = OutlineMode::World;
            t.outline.width = 0.06;
            t.outline.color = Vec3::new(0.0, 0.8, 0.0);
            t.outline.lighting_mix = 0.0;
        }),
    );
    let greens = |picture: &Picture| {
        let is_green = |t: &&[u8]| t[1] > 150 && t[0] < 60;
        picture.rgba.chunks_exact(4).filter(is_green).count()
    };
    assert!(
        greens(&outlined) > 2000 && greens(&plain) == 0,
        "{}",
        greens(&outlined)
    );
}

#[test]
fn a_toons_pictures_move_by_themselves() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    // Two colours side by side, one of which a whole ball shows, since its coordinates are 0.
    let stripes = Image {
        name: String::new(),
        width: 2,
        height: 1,
        rgba: vec![255, 0, 0, 255, 0, 0, 255, 255],
    };
    let mut material = toon(|t| t.uv_animation.scroll = Vec2::new(0.5, 0.0));
    material.base_color = Vec4::ONE;
    material.base_color_texture = Some(TextureRef {
        image: 0,
        uv_set: 0,
        uv_transform: UvTransform::IDENTITY,
        sampler: Sampler {
            mag_linear: false,
            min_linear: false,
            mipmaps: false,
            ..Sampler::default()
        },
    });
    let mut model = ball(140, material);
    model.images = vec![stripes];
    for primitive in model
        .meshes
        .iter_mut()
        .flat_map(|mesh| &mut mesh.primitives)
    {
        primitive.uv0 = vec![Vec2::new(0.25, 0.5); primitive.positions.len()];
    }
    let mut frame = bare();
    frame.light.sun_direction = Vec3::Z;
    frame.light.sun_color = Vec3::splat(PI);
    put(&mut frame, model);
    let mut at = |time: f64| {
        frame.time = time;
        light_at(&draw(&gpu, &mut renderer, &frame), 128, 128)
    };
    let (first, later) = (at(0.0), at(1.0));
    assert!(first.x > 0.8 && first.z < 0.1, "{first}");
    assert!(later.z > 0.8 && later.x < 0.1, "{later}");
}

#[test]
fn an_instance_shows_its_own_values_and_its_variant() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let unlit = |color: Vec3| Material {
        unlit: true,
        ..material(color, 1.0, 0.0)
    };
    let (red, blue) = (unlit(Vec3::X), unlit(Vec3::Z));
    let mut shape = capsule(Vec3::ZERO, Vec3::ZERO, 1.0, 48);
    shape.variants = vec![(0, 1)];
    let mut model = rigid(150, vec![shape], vec![red.clone()]);
    model.materials.push(blue);
    model.variants = vec!["blue".into()];
    let mut frame = bare();
    put(&mut frame, model);
    let shown =
        |renderer: &mut Renderer, frame: &Frame| light_at(&draw(&gpu, renderer, frame), 128, 128);
    assert!(shown(&mut renderer, &frame).abs_diff_eq(Vec3::X, 0.01));
    frame.models[0].variant = Some(0);
    assert!(shown(&mut renderer, &frame).abs_diff_eq(Vec3::Z, 0.01));
    frame.models[0].variant = None;
    let mut values = MaterialValues::of(&red);
    values.base_color = Vec4::new(0.0, 0.5, 0.0, 1.0);
    let own = InstanceMaterial {
        material: 0,
        values,
    };
    frame.material_values = vec![own];
    frame.models[0].materials = (0, 1);
    let green = shown(&mut renderer, &frame);
    assert!(green.abs_diff_eq(Vec3::new(0.0, 0.5, 0.0), 0.01), "{green}");
}

#[test]
fn passes_are_timed_where_the_device_has_a_clock() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    if !renderer.time_passes(&gpu) {
        return;
    }
    draw(&gpu, &mut renderer, &lit_scene());
    let times = renderer.pass_times(&gpu).unwrap();
    for name in [
        "deform",
        "sun shadows",
        "occlusion",
        "lit",
        "bloom",
        "output",
    ] {
        let found = times.iter().find(|(known, _)| *known == name);
        assert!(found.is_some_and(|(_, ms)| *ms > 0.0), "{name}: {times:?}");
    }
}
