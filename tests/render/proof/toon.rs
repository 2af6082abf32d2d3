//! MToon.

use galatea::asset::model::{Image, Material, MaterialKind, OutlineMode, TextureRef, Toon};
use galatea::stage::Frame;
use glam::Vec3;

use super::super::scenes::{bare, first_image_unmixed, put, toon};
use super::super::shapes::{capsule, rigid};
use super::{Row, model, row};

/// A ball with a cap, so that outlines also run across it, in light from the left.
fn ball(material: Material) -> Frame {
    let mut frame = bare();
    frame.light.sun_color = Vec3::splat(std::f32::consts::PI);
    frame.light.sun_direction = Vec3::new(-0.8, 0.5, 0.6).normalize();
    frame.light.sky_zenith = Vec3::splat(0.18);
    frame.light.sky_horizon = Vec3::splat(0.15);
    frame.light.sky_ground = Vec3::splat(0.12);
    let cap = Vec3::new(0.35, 0.15, 0.75);
    let shapes = vec![
        capsule(Vec3::ZERO, Vec3::ZERO, 0.8, 48),
        capsule(cap, cap, 0.35, 32),
    ];
    put(&mut frame, rigid(0, shapes, vec![material]));
    frame
}

fn outlined(mode: OutlineMode, width: f32) -> Material {
    toon(|t| {
        t.outline.mode = mode;
        t.outline.width = width;
        t.outline.color = Vec3::new(0.15, 0.02, 0.1);
        t.outline.lighting_mix = 0.0;
    })
}

/// An image of two colours, left and right.
fn halves(left: [u8; 4], right: [u8; 4]) -> Image {
    Image {
        name: String::new(),
        width: 2,
        height: 1,
        rgba: [left, right].concat(),
    }
}

/// With an image for the texture that `of` returns.
fn with_picture(
    material: Material,
    image: Image,
    of: fn(&mut Toon) -> &mut Option<TextureRef>,
) -> Frame {
    let mut frame = ball(material);
    model(&mut frame).images = vec![image];
    *of(look(&mut frame)) = first_image_unmixed();
    frame
}

fn look(frame: &mut Frame) -> &mut Toon {
    let toon = model(frame).materials[0].toon.as_mut();
    toon.expect("a toon")
}

pub fn rows() -> Vec<Row> {
    let plain = || ball(toon(|_| {}));
    let rim = || {
        ball(toon(|t| {
            t.rim_color = Vec3::splat(0.7);
            t.rim_lighting_mix = 0.0;
            t.rim_fresnel_power = 2.0;
        }))
    };
    let on_world = || ball(outlined(OutlineMode::World, 0.04));
    let matcap = || {
        with_picture(
            toon(|t| t.matcap_color = Vec3::splat(0.8)),
            halves([200, 30, 30, 255], [20, 60, 200, 255]),
            |t| &mut t.matcap_texture,
        )
    };
    let half_wide = || {
        with_picture(
            outlined(OutlineMode::World, 0.06),
            halves([0, 0, 0, 255], [255, 255, 255, 255]),
            |t| &mut t.outline.width_texture,
        )
    };
    vec![
        row("toon", plain, |f| {
            let material = &mut model(f).materials[0];
            material.kind = MaterialKind::Standard;
            material.toon = None;
        })
        .shows("the toon's shade", |f| {
            look(f).shade_color = Vec3::new(0.9, 0.6, 0.5);
        }),
        row(
            "its border",
            || ball(toon(|t| t.shading_toony = 1.0)),
            |f| {
                look(f).shading_toony = 0.0;
            },
        ),
        row("its rim", rim, |f| look(f).rim_color = Vec3::ZERO),
        row("its matcap", matcap, |f| look(f).matcap_texture = None),
        row("its outline in metres", on_world, |f| {
            look(f).outline.width = 0.0;
        })
        .shows("the width of that outline", |f| {
            look(f).outline.width = 0.015;
        })
        .shows("the outline's colour", |f| {
            look(f).outline.color = Vec3::new(0.9, 0.6, 0.5);
        }),
        row(
            "its outline in shares of the picture",
            || ball(outlined(OutlineMode::Screen, 0.02)),
            |f| look(f).outline.mode = OutlineMode::None,
        ),
        row("a picture of the outline's width", half_wide, |f| {
            look(f).outline.width_texture = None;
        }),
    ]
}
