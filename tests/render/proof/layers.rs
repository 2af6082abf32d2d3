//! Layers above and below the surface: reflection, clear coat, sheen, glass.

use galatea::asset::model::{Clearcoat, Material, Sheen, Transmission};
use galatea::stage::Frame;
use glam::Vec3;

use super::super::scenes::put;
use super::super::shapes::{cuboid, material, rigid};
use super::surface::{WHITE, ball, bumps, changed, checks, pictured};
use super::{Row, model, row};

/// A red wall behind a sphere of glass.
fn glass(roughness: f32) -> Frame {
    let pane = Material {
        transmission: Transmission {
            factor: 1.0,
            ..Transmission::default()
        },
        ..material(Vec3::new(0.95, 0.97, 1.0), roughness, 0.0)
    };
    let mut frame = ball(pane);
    for i in -3..=3 {
        let bar = cuboid(
            Vec3::new(i as f32 * 0.4, 0.0, -1.5),
            Vec3::new(0.1, 1.5, 0.1),
        );
        let red = material(Vec3::new(0.8, 0.06, 0.04), 0.9, 0.0);
        put(&mut frame, rigid(0, vec![bar], vec![red]));
    }
    frame
}

fn varnished() -> Material {
    Material {
        clearcoat: Clearcoat {
            factor: 1.0,
            roughness: 0.05,
            ..Clearcoat::default()
        },
        ..material(Vec3::new(0.4, 0.03, 0.03), 0.9, 0.0)
    }
}

fn woolly() -> Material {
    Material {
        sheen: Sheen {
            color: Vec3::new(0.7, 0.6, 0.9),
            roughness: 0.4,
            ..Sheen::default()
        },
        ..material(Vec3::new(0.15, 0.05, 0.2), 0.9, 0.0)
    }
}

pub fn rows() -> Vec<Row> {
    let smooth = || material(Vec3::splat(0.05), 0.15, 0.0);
    vec![
        changed(
            "the strength of the reflection",
            || {
                let mut m = material(Vec3::splat(0.05), 0.15, 0.0);
                m.specular.factor = 0.0;
                m
            },
            |m| m.specular.factor = 1.0,
        ),
        changed(
            "the colour of the reflection",
            || {
                let mut m = material(Vec3::splat(0.05), 0.15, 0.0);
                m.specular.color = Vec3::new(4.0, 1.5, 0.2);
                m
            },
            |m| m.specular.color = Vec3::ONE,
        ),
        row(
            "the index of refraction",
            move || {
                ball(Material {
                    ior: 2.4,
                    ..smooth()
                })
            },
            |f| model(f).materials[0].ior = 1.5,
        ),
        changed("varnish", varnished, |m| m.clearcoat.factor = 0.0),
        changed("fibres", woolly, |m| m.sheen.color = Vec3::ZERO),
        pictured(
            "a picture of the reflection's strength",
            || checks(WHITE, [255, 255, 255, 0]),
            || material(Vec3::splat(0.03), 0.15, 0.0),
            |m| &mut m.specular.texture,
        ),
        pictured(
            "a picture of the reflection's colour",
            || checks([255, 200, 40, 255], [40, 120, 255, 255]),
            || {
                let mut m = material(Vec3::splat(0.03), 0.15, 0.0);
                m.specular.color = Vec3::splat(6.0);
                m
            },
            |m| &mut m.specular.color_texture,
        ),
        pictured(
            "a picture of the varnish",
            || checks(WHITE, [0, 0, 0, 255]),
            varnished,
            |m| &mut m.clearcoat.texture,
        ),
        pictured(
            "a picture of the varnish's roughness",
            || checks(WHITE, [0, 0, 0, 255]),
            || {
                let mut m = varnished();
                m.clearcoat.roughness = 1.0;
                m
            },
            |m| &mut m.clearcoat.roughness_texture,
        ),
        pictured("a normal map of the varnish", bumps, varnished, |m| {
            &mut m.clearcoat.normal_texture
        }),
        pictured(
            "a picture of the fibres' colour",
            || checks([255, 160, 40, 255], [40, 60, 255, 255]),
            woolly,
            |m| &mut m.sheen.color_texture,
        ),
        pictured(
            "a picture of the fibres' roughness",
            || checks(WHITE, [255, 255, 255, 60]),
            || {
                let mut m = woolly();
                m.sheen.roughness = 1.0;
                m
            },
            |m| &mut m.sheen.roughness_texture,
        ),
        pictured(
            "a picture of what glass lets through",
            || checks(WHITE, [0, 0, 0, 255]),
            || Material {
                transmission: Transmission {
                    factor: 1.0,
                    ..Transmission::default()
                },
                ..material(Vec3::new(0.9, 0.5, 0.3), 0.0, 0.0)
            },
            |m| &mut m.transmission.texture,
        ),
        pictured(
            "a picture of the glass's thickness",
            || checks(WHITE, [0, 0, 0, 255]),
            || Material {
                transmission: Transmission {
                    factor: 1.0,
                    thickness: 1.0,
                    attenuation_color: Vec3::new(0.2, 0.8, 0.4),
                    attenuation_distance: 0.5,
                    ..Transmission::default()
                },
                ..material(Vec3::ONE, 0.0, 0.0)
            },
            |m| &mut m.transmission.thickness_texture,
        ),
        row(
            "glass",
            || glass(0.0),
            |f| {
                model(f).materials[0].transmission.factor = 0.0;
            },
        ),
        row(
            "rough glass",
            || glass(0.5),
            |f| {
                model(f).materials[0].roughness = 0.0;
            },
        ),
        row(
            "light swallowed in glass",
            || {
                let mut frame = glass(0.0);
                let glass = &mut model(&mut frame).materials[0].transmission;
                glass.thickness = 1.0;
                glass.attenuation_color = Vec3::new(0.2, 0.8, 0.4);
                glass.attenuation_distance = 0.5;
                frame
            },
            |f| {
                let glass = &mut model(f).materials[0].transmission;
                glass.attenuation_distance = f32::INFINITY;
            },
        ),
    ]
}
