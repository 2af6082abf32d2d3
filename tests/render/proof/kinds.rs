//! Material types: skin, eyes, hair, cloth.

use galatea::asset::model::{Iris, Material, MaterialKind};
use galatea::stage::Frame;
use glam::{Quat, Vec2, Vec3, Vec4};

use super::super::scenes::{local_light, put};
use super::super::shapes::{cuboid, rigid};
use super::surface::{ball, daylight, first_image, image, plain};
use super::{Off, Row, model, row};

/// A light behind it to the right, which shows differences between skin, hair and cloth.
fn backlit(material: Material) -> Frame {
    let mut frame = ball(material);
    frame.light.local_lights = vec![local_light(Vec3::new(1.8, 0.8, -0.6), 5.0)];
    frame
}

fn of_kind(kind: MaterialKind) -> Material {
    Material { kind, ..plain() }
}

fn standard(frame: &mut Frame) {
    model(frame).materials[0].kind = MaterialKind::Standard;
}

/// A sheet of skin as thin as an ear, lit from behind.
fn thin_skin() -> Frame {
    let mut frame = daylight();
    frame.light.sun_direction = Vec3::new(-0.6, 0.35, -1.0).normalize();
    // As bright as a flash, because little of the light comes through.
    frame.light.sun_color *= 8.0;
    let skin = Material {
        base_color: Vec3::new(0.6, 0.36, 0.28).extend(1.0),
        ..of_kind(MaterialKind::Skin)
    };
    let ear = cuboid(Vec3::ZERO, Vec3::new(0.6, 0.7, 0.003));
    put(&mut frame, rigid(0, vec![ear], vec![skin]));
    frame
}

/// An eye whose iris is painted in the visible centre.
fn eye() -> Frame {
    let mut frame = ball(Material {
        iris: Some(Iris {
            center: Vec2::new(0.5, 0.5),
            radius: 0.2,
            depth: 0.8,
        }),
        roughness: 0.1,
        base_color: Vec4::ONE,
        ..of_kind(MaterialKind::Eye)
    });
    let model = model(&mut frame);
    // Seen from the side, so that refraction shifts the iris.
    let shape = &mut model.meshes[0].primitives[0];
    let turn = Quat::from_rotation_y(-0.6);
    shape.uv0 = shape
        .positions
        .iter()
        .map(|p| {
            let p = turn * *p;
            if p.z > 0.0 {
                Vec2::new(0.5 + p.x * 0.5, 0.5 - p.y * 0.5)
            } else {
                Vec2::ZERO
            }
        })
        .collect();
    model.images = vec![image(64, |uv| {
        let r = uv.distance(Vec2::splat(0.5));
        let ray = ((uv.y - 0.5).atan2(uv.x - 0.5) * 12.0).sin() > 0.0;
        match r {
            r if r < 0.07 => [10, 10, 12, 255],
            r if r < 0.2 && ray => [60, 110, 60, 255],
            r if r < 0.2 => [110, 160, 70, 255],
            _ => [235, 230, 225, 255],
        }
    })];
    model.materials[0].base_color_texture = first_image();
    frame
}

pub fn rows() -> Vec<Row> {
    let of = |feature: &str, kind, color: Vec3| {
        let on = move || {
            backlit(Material {
                base_color: color.extend(1.0),
                ..of_kind(kind)
            })
        };
        row(feature, on, standard)
    };
    vec![
        of("skin", MaterialKind::Skin, Vec3::new(0.6, 0.36, 0.28)),
        row("eyes", eye, standard).shows("the iris behind the cornea", |f| {
            model(f).materials[0].iris = None;
        }),
        Row::new(thin_skin).shows_by(
            "light through thin skin",
            Off::Shader("skin.wgsl", "if behind > 0.0 {", "if false {"),
        ),
        of("hair", MaterialKind::Hair, Vec3::new(0.22, 0.1, 0.05)),
        of("cloth", MaterialKind::Cloth, Vec3::new(0.06, 0.1, 0.25)),
    ]
}
