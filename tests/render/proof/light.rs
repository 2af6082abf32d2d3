//! Sun, sky, lights and post-processing.

use galatea::asset::model::Material;
use galatea::stage::Frame;
use galatea::stage::frame::{
    AutoExposure, Camera, Fog, Grade, Ground, GroundPatch, Light, LocalLight, PostProcessing, Spot,
    ToneMap,
};
use glam::{Affine3A, Vec2, Vec3};

use super::super::scenes::{bare, put, under};
use super::super::shapes::{capsule, cuboid, material, rigid};
use super::{Off, Row, row};

/// A ball, a block and a post on the floor, seen from the front; the sun is to the left.
fn still_life() -> Frame {
    let v = Vec3::new;
    let mut frame = bare();
    frame.post_processing = PostProcessing::default();
    frame.light = Light {
        sun_direction: v(-0.7, 0.75, 0.35).normalize(),
        ..Light::default()
    };
    frame.ground = Some(Ground::default());
    frame.camera = Camera {
        eye: v(0.25, 1.2, 2.3),
        target: v(0.05, 0.22, 0.0),
        fov_y: 30.0,
    };
    let things = [
        (
            capsule(v(-0.3, 0.25, 0.1), v(-0.3, 0.25, 0.1), 0.25, 32),
            material(v(0.75, 0.3, 0.2), 0.45, 0.0),
        ),
        (
            cuboid(v(0.3, 0.2, -0.15), v(0.2, 0.2, 0.2)),
            material(v(0.35, 0.45, 0.6), 0.8, 0.0),
        ),
        (
            capsule(v(0.12, 0.0, 0.35), v(0.12, 0.3, 0.35), 0.04, 16),
            material(v(0.9, 0.75, 0.4), 0.25, 1.0),
        ),
    ];
    for (i, (shape, material)) in (0..).zip(things) {
        put(&mut frame, rigid(i, vec![shape], vec![material]));
    }
    frame
}

/// Without the sun, under a dim sky, with one light.
fn by_local_light(lamp: LocalLight) -> Frame {
    let mut frame = still_life();
    let light = &mut frame.light;
    light.sun_color = Vec3::ZERO;
    for sky in [
        &mut light.sky_zenith,
        &mut light.sky_horizon,
        &mut light.sky_ground,
    ] {
        *sky *= 0.15;
    }
    light.local_lights = vec![lamp];
    frame
}

fn sphere_light() -> LocalLight {
    LocalLight {
        position: Vec3::new(-0.75, 0.55, 0.75),
        color: Vec3::new(2.6, 2.0, 1.3),
        source_radius: 0.02,
        ..LocalLight::default()
    }
}

fn spot_light() -> LocalLight {
    let position = Vec3::new(0.9, 1.1, 0.9);
    LocalLight {
        position,
        color: Vec3::new(5.0, 5.5, 6.5),
        source_radius: 0.02,
        spot: Some(Spot {
            direction: (Vec3::new(0.05, 0.1, 0.0) - position).normalize(),
            inner_angle: 22.0,
            outer_angle: 30.0,
        }),
        ..LocalLight::default()
    }
}

/// With the sky alone.
fn overcast() -> Frame {
    let mut frame = still_life();
    frame.light.sun_color = Vec3::ZERO;
    frame
}

/// Studs on a slab, too small for a coarse shadow map.
fn studs() -> Frame {
    let v = Vec3::new;
    let mut frame = bare();
    frame.post_processing = PostProcessing::default();
    frame.light = Light {
        sun_direction: v(-1.0, 0.55, 0.25).normalize(),
        ..Light::default()
    };
    frame.camera = Camera {
        eye: v(0.0, 0.75, 0.8),
        target: Vec3::ZERO,
        fov_y: 30.0,
    };
    let mut shapes = vec![cuboid(v(0.0, -0.05, 0.0), v(2.0, 0.05, 2.0))];
    for (x, z) in (-3..=3).flat_map(|x| (-2..=2).map(move |z| (x, z))) {
        let at = v(x as f32 * 0.1, 0.0, z as f32 * 0.1);
        shapes.push(cuboid(at, v(0.012, 0.03, 0.012)));
    }
    let grey = material(Vec3::splat(0.4), 0.9, 0.0);
    put(&mut frame, rigid(0, shapes, vec![grey]));
    frame
}

/// Posts with long edges, on a floor with patches.
fn patched() -> Frame {
    let mut frame = still_life();
    frame.models.clear();
    frame.palette.clear();
    for i in -4..=4 {
        let post = cuboid(Vec3::Y * 0.25, Vec3::new(0.02, 0.35, 0.02));
        let white = material(Vec3::splat(0.9), 0.8, 0.0);
        put(&mut frame, rigid(0, vec![post], vec![white]));
        if let Some(last) = frame.models.last_mut() {
            let lean = Affine3A::from_rotation_z(i as f32 * 0.06);
            last.world_from_model = Affine3A::from_translation(Vec3::X * (i as f32 * 0.13)) * lean;
        }
    }
    frame.patches = vec![
        GroundPatch {
            centre: Vec2::new(-0.4, 0.35),
            half: Vec2::new(0.3, 0.2),
            round: false,
            color: Vec3::new(0.25, 0.1, 0.03),
        },
        GroundPatch {
            centre: Vec2::new(0.35, 0.3),
            half: Vec2::new(0.35, 0.22),
            round: true,
            color: Vec3::new(0.05, 0.15, 0.03),
        },
    ];
    frame
}

/// A ball that glows in the dark.
fn glow() -> Frame {
    let mut frame = by_local_light(sphere_light());
    let glowing = Material {
        emissive_factor: Vec3::new(1.0, 0.45, 0.1),
        emissive_strength: 20.0,
        ..material(Vec3::splat(0.1), 0.5, 0.0)
    };
    let at = Vec3::new(0.3, 0.5, -0.1);
    let ball = capsule(at, at, 0.07, 24);
    put(&mut frame, rigid(0, vec![ball], vec![glowing]));
    frame.post_processing.bloom = 0.25;
    frame
}

fn with_fog(fog: Fog) -> Frame {
    let mut frame = still_life();
    frame.post_processing.fog = fog;
    frame
}

fn low_fog() -> Fog {
    Fog {
        density: 0.9,
        height: 0.12,
        ..Fog::default()
    }
}

fn with_tone(tone: ToneMap) -> Frame {
    let mut frame = still_life();
    frame.post_processing.exposure = 0.3;
    frame.post_processing.tonemap = tone;
    frame
}

fn graded(grade: Grade) -> impl Fn() -> Frame {
    move || {
        let mut frame = still_life();
        frame.post_processing.grade = grade;
        frame
    }
}

/// An environment of two colours, the warm one to the left.
fn in_surroundings() -> Frame {
    let mut frame = still_life();
    frame.light.sun_color = Vec3::ZERO;
    under(&mut frame, 1, 16, |d| {
        let warm = Vec3::new(2.2, 1.0, 0.4);
        let cold = Vec3::new(0.1, 0.3, 0.9);
        cold.lerp(warm, (0.5 - 1.5 * d.x).clamp(0.0, 1.0))
    });
    frame
}

/// A black wall that gets brighter to the right by one step of 255 in about a dozen pixels.
pub fn slow_gradient() -> Frame {
    let mut frame = bare();
    let mut wall = cuboid(Vec3::ZERO, Vec3::new(3.0, 3.0, 0.1));
    wall.colors = wall
        .positions
        .iter()
        .map(|p| Vec3::splat(0.03 + 0.0025 * p.x).extend(1.0))
        .collect();
    let unlit = Material {
        unlit: true,
        ..material(Vec3::ONE, 1.0, 0.0)
    };
    put(&mut frame, rigid(0, vec![wall], vec![unlit]));
    frame
}

pub fn rows() -> Vec<Row> {
    let plain = Grade::default();
    let of_grade = |feature: &str, grade: Grade| {
        row(feature, graded(grade), |f| {
            f.post_processing.grade = Grade::default()
        })
    };
    let of_tone = |feature: &str, tone| {
        row(
            feature,
            move || with_tone(tone),
            |f| {
                f.post_processing.tonemap = ToneMap::Linear;
            },
        )
    };
    vec![
        Row::new(still_life)
            .shows_by(
                "the sun's shadows",
                Off::Options(|options| options.cascades = 0),
            )
            .shows("light of the sky", |f| {
                f.light.sky_zenith = Vec3::ZERO;
                f.light.sky_horizon = Vec3::ZERO;
                f.light.sky_ground = Vec3::ZERO;
            })
            .shows("lines of the floor", |f| {
                if let Some(ground) = &mut f.ground {
                    ground.grid = 0.0;
                }
            }),
        row(
            "a wide sun's soft shadows",
            || {
                let mut frame = still_life();
                frame.light.sun_source_angle = 20.0;
                frame
            },
            |f| f.light.sun_source_angle = 0.5,
        ),
        row(
            "a point light's shadows",
            || by_local_light(sphere_light()),
            |f| f.light.local_lights[0].casts_shadows = false,
        ),
        row(
            "a large lamp's soft shadows",
            || {
                by_local_light(LocalLight {
                    source_radius: 0.25,
                    ..sphere_light()
                })
            },
            |f| f.light.local_lights[0].source_radius = 0.01,
        ),
        row(
            "a spot light's shadows",
            || by_local_light(spot_light()),
            |f| f.light.local_lights[0].casts_shadows = false,
        )
        .shows("a spot light's cone", |f| {
            f.light.local_lights[0].spot = None
        }),
        row("light from a picture", in_surroundings, |f| {
            f.light.environment = None;
        })
        .shows("the turn of that picture", |f| {
            if let Some(used) = &mut f.light.environment {
                used.yaw = std::f32::consts::PI;
            }
        }),
        row("ambient occlusion", overcast, |f| {
            f.post_processing.ambient_occlusion = 0.0
        }),
        Row::new(|| {
            let mut frame = overcast();
            // It darkens the floor as well.
            frame.post_processing.ambient_occlusion = 0.0;
            frame
        })
        .shows_by(
            "darkening of the floor",
            Off::Shader(
                "ground.wgsl",
                "s.occlusion = ground_openness(in.world);",
                "s.occlusion = 1.0;",
            ),
        ),
        row("contact shadows", studs, |f| {
            f.post_processing.contact_shadows = 0.0
        })
        .with_options(|options| {
            options.shadow_size = 256;
            options.cascades = 1;
        }),
        row("patches of the floor", patched, |f| f.patches.clear())
            .with_options(|options| {
                options.msaa = 1;
                options.smooths = true;
            })
            .shows_by(
                "edges smoothed afterwards",
                Off::Options(|options| options.smooths = false),
            ),
        row("bloom", glow, |f| f.post_processing.bloom = 0.0),
        row(
            "fog",
            || {
                with_fog(Fog {
                    density: 0.25,
                    ..Fog::default()
                })
            },
            |f| f.post_processing.fog.density = 0.0,
        ),
        row(
            "fog that thins out with height",
            || with_fog(low_fog()),
            |f| f.post_processing.fog.height = f32::INFINITY,
        ),
        row(
            "exposure",
            || {
                let mut frame = still_life();
                frame.post_processing.exposure = -1.0;
                frame
            },
            |f| f.post_processing.exposure = 0.0,
        ),
        row(
            "auto exposure",
            || {
                let mut frame = by_local_light(sphere_light());
                frame.light.local_lights[0].color *= 0.2;
                frame.post_processing.auto_exposure = Some(AutoExposure::default());
                // Long after the previous pictures, so that automatic exposure has adapted.
                frame.time = 600.0;
                frame
            },
            |f| f.post_processing.auto_exposure = None,
        ),
        of_tone("the neutral tone map", ToneMap::Neutral),
        of_tone("the tone map AgX", ToneMap::Agx),
        of_tone("the tone map ACES", ToneMap::Aces),
        of_grade(
            "contrast",
            Grade {
                contrast: 1.4,
                ..plain
            },
        ),
        of_grade(
            "saturation",
            Grade {
                saturation: 0.2,
                ..plain
            },
        ),
        of_grade(
            "temperature",
            Grade {
                temperature: 0.6,
                ..plain
            },
        ),
        of_grade("tint", Grade { tint: 0.6, ..plain }),
        of_grade(
            "a colour for what is dark",
            Grade {
                shadow_tint: Vec3::new(0.0, 0.05, 0.2),
                ..plain
            },
        ),
        of_grade(
            "a colour for what is bright",
            Grade {
                highlight_tint: Vec3::new(1.0, 0.8, 0.55),
                ..plain
            },
        ),
        of_grade(
            "vignette",
            Grade {
                vignette: 0.9,
                ..plain
            },
        ),
    ]
}
