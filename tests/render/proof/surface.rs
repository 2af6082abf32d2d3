//! Materials: textures, values, alpha.

use galatea::asset::model::{
    AlphaMode, Image, InstanceMaterial, Material, MaterialValues, Primitive, Sampler, TextureRef,
    UvTransform,
};
use galatea::stage::Frame;
use galatea::stage::frame::{Light, PostProcessing};
use glam::{Vec2, Vec3, Vec4};

use super::super::scenes::{bare, put};
use super::super::shapes::{capsule, cuboid, material, rigid};
use super::{Row, kinds, layers, model, row};

/// Sky and sun; the sun is behind the camera to the left.
pub fn daylight() -> Frame {
    let mut frame = bare();
    frame.post_processing = PostProcessing::default();
    frame.light = Light {
        sun_direction: Vec3::new(-0.6, 0.6, 0.6).normalize(),
        ..Light::default()
    };
    frame
}

fn round() -> Primitive {
    capsule(Vec3::ZERO, Vec3::ZERO, 0.95, 64)
}

/// A ball that fills the picture.
pub fn ball(material: Material) -> Frame {
    let mut frame = daylight();
    put(&mut frame, rigid(0, vec![round()], vec![material]));
    frame
}

pub fn plain() -> Material {
    material(Vec3::new(0.75, 0.5, 0.42), 0.45, 0.0)
}

/// An image from a function of u and v in 0..1.
pub fn image(size: u32, color: impl Fn(Vec2) -> [u8; 4]) -> Image {
    let texel = |i: u32| (i as f32 + 0.5) / size as f32;
    let places = (0..size).flat_map(|y| (0..size).map(move |x| (x, y)));
    Image {
        name: String::new(),
        width: size,
        height: size,
        rgba: places
            .flat_map(|(x, y)| color(Vec2::new(texel(x), texel(y))))
            .collect(),
    }
}

/// A checkerboard of 16 by 8 fields in two colours.
pub fn checks(a: [u8; 4], b: [u8; 4]) -> Image {
    image(128, move |uv| {
        let field = (uv.x * 16.0) as u32 + (uv.y * 8.0) as u32;
        if field.is_multiple_of(2) { a } else { b }
    })
}

pub const WHITE: [u8; 4] = [255; 4];

pub fn first_image() -> Option<TextureRef> {
    Some(TextureRef {
        image: 0,
        uv_set: 0,
        uv_transform: UvTransform::IDENTITY,
        sampler: Sampler::default(),
    })
}

/// A ball with a texture in the slot that `slot` returns; the slot is emptied to turn the feature off.
pub fn pictured(
    feature: &str,
    image: fn() -> Image,
    material: fn() -> Material,
    slot: fn(&mut Material) -> &mut Option<TextureRef>,
) -> Row {
    row(
        feature,
        move || {
            let mut frame = ball(material());
            let model = model(&mut frame);
            model.images = vec![image()];
            *slot(&mut model.materials[0]) = first_image();
            frame
        },
        move |f| *slot(&mut model(f).materials[0]) = None,
    )
}

/// A row whose ball has another material when the feature is off.
pub fn changed(feature: &str, on: fn() -> Material, off: fn(&mut Material)) -> Row {
    row(
        feature,
        move || ball(on()),
        move |f| off(&mut model(f).materials[0]),
    )
}

/// A normal map of bumps.
pub fn bumps() -> Image {
    image(64, |uv| {
        let wave = |u: f32| (u * 8.0 * std::f32::consts::TAU).sin();
        let n = Vec3::new(wave(uv.x), wave(uv.y), 1.2).normalize();
        let byte = |c: f32| ((c * 0.5 + 0.5) * 255.0).round() as u8;
        [byte(n.x), byte(n.y), byte(n.z), 255]
    })
}

/// Two transparent panes, the near one first in the frame.
pub fn panes() -> Frame {
    let mut frame = daylight();
    for (z, x, color) in [(0.6, 0.3, Vec3::X), (-0.6, -0.3, Vec3::Z)] {
        let pane = Material {
            alpha: AlphaMode::Blend,
            base_color: color.extend(0.7),
            unlit: true,
            ..plain()
        };
        let shape = cuboid(Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.6, 0.6, 0.01));
        put(&mut frame, rigid(0, vec![shape], vec![pane]));
        if let Some(last) = frame.models.last_mut() {
            last.world_from_model.translation = Vec3::new(x, 0.0, z).into();
            last.bounds.0 = Vec3::new(x, 0.0, z);
        }
    }
    frame
}

/// Moves a model along the view rays, so that it looks the same.
fn from_the_eye(frame: &mut Frame, i: usize, factor: f32) {
    let eye = frame.camera.eye;
    let model = &mut frame.models[i];
    let at = Vec3::from(model.world_from_model.translation);
    model.world_from_model.translation = (eye + (at - eye) * factor).into();
    model.world_from_model.matrix3 *= factor;
    model.bounds = (
        eye + (model.bounds.0 - eye) * factor,
        model.bounds.1 * factor,
    );
}

/// A sheet seen from behind.
fn back_of_a_sheet() -> Frame {
    let mut frame = daylight();
    let mut sheet = cuboid(Vec3::ZERO, Vec3::new(0.9, 0.7, 0.001));
    // Only one side of a box, which faces away.
    sheet.indices = vec![16, 17, 18, 16, 18, 19];
    let sheet_of = Material {
        double_sided: true,
        ..plain()
    };
    put(&mut frame, rigid(0, vec![sheet], vec![sheet_of]));
    frame
}

fn with_variant() -> Frame {
    let mut frame = daylight();
    let mut shape = round();
    shape.variants = vec![(0, 1)];
    let other = material(Vec3::new(0.1, 0.35, 0.6), 0.3, 0.0);
    let mut model = rigid(0, vec![shape], vec![plain(), other]);
    model.variants = vec!["blue".into()];
    put(&mut frame, model);
    frame.models[0].variant = Some(0);
    frame
}

fn with_own_values() -> Frame {
    let mut frame = ball(plain());
    let mut values = MaterialValues::of(&plain());
    values.base_color = Vec4::new(0.2, 0.55, 0.25, 1.0);
    frame.material_values = vec![InstanceMaterial {
        material: 0,
        values,
    }];
    frame.models[0].materials = (0, 1);
    frame
}

fn painted_vertices() -> Frame {
    let mut shape = round();
    shape.colors = shape
        .positions
        .iter()
        .map(|p| (p.abs() + 0.05).extend(1.0))
        .collect();
    let mut frame = daylight();
    let white = material(Vec3::ONE, 0.6, 0.0);
    put(&mut frame, rigid(0, vec![shape], vec![white]));
    frame
}

fn pictures() -> Vec<Row> {
    vec![
        pictured(
            "a picture of the base colour",
            || checks(WHITE, [200, 60, 30, 255]),
            plain,
            |m| &mut m.base_color_texture,
        ),
        row(
            "the transform of a picture",
            || {
                let mut frame = ball(plain());
                let model = model(&mut frame);
                model.images = vec![checks(WHITE, [40, 90, 140, 255])];
                model.materials[0].base_color_texture = first_image().map(|texture| TextureRef {
                    uv_transform: UvTransform {
                        offset: Vec2::new(0.1, 0.2),
                        rotation: 0.6,
                        scale: Vec2::splat(0.5),
                    },
                    ..texture
                });
                frame
            },
            |f| {
                if let Some(texture) = &mut model(f).materials[0].base_color_texture {
                    texture.uv_transform = UvTransform::IDENTITY;
                }
            },
        ),
        pictured("a normal map", bumps, plain, |m| &mut m.normal_texture),
        pictured(
            "an occlusion map",
            || checks(WHITE, [0, 0, 0, 255]),
            plain,
            |m| &mut m.occlusion_texture,
        ),
        pictured(
            "a map of roughness and metal",
            || checks([0, 60, 255, 255], [0, 255, 0, 255]),
            || material(Vec3::new(0.9, 0.7, 0.35), 1.0, 1.0),
            |m| &mut m.metallic_roughness_texture,
        ),
        pictured(
            "a picture of emitted light",
            || checks(WHITE, [0, 0, 0, 255]),
            || Material {
                emissive_factor: Vec3::new(0.1, 0.6, 0.9),
                ..plain()
            },
            |m| &mut m.emissive_texture,
        ),
        changed(
            "the strength of emitted light",
            || Material {
                emissive_factor: Vec3::new(0.1, 0.06, 0.02),
                emissive_strength: 5.0,
                ..plain()
            },
            |m| m.emissive_strength = 1.0,
        ),
        row("colours of vertices", painted_vertices, |f| {
            model(f).meshes[0].primitives[0].colors.clear();
        }),
        row("a variant", with_variant, |f| f.models[0].variant = None),
        row("values of an instance", with_own_values, |f| {
            f.models[0].materials = (0, 0);
        }),
    ]
}

fn alpha() -> Vec<Row> {
    vec![
        row(
            "an alpha mask",
            || {
                let mut frame = ball(Material {
                    alpha: AlphaMode::Mask(0.5),
                    double_sided: true,
                    ..plain()
                });
                let model = model(&mut frame);
                model.images = vec![checks(WHITE, [255, 255, 255, 0])];
                model.materials[0].base_color_texture = first_image();
                frame
            },
            |f| model(f).materials[0].alpha = AlphaMode::Opaque,
        ),
        changed(
            "blending",
            || Material {
                alpha: AlphaMode::Blend,
                base_color: Vec4::new(0.6, 0.1, 0.1, 0.4),
                ..plain()
            },
            |m| m.alpha = AlphaMode::Opaque,
        ),
        // As if drawn in the order of the frame: the first one is moved far away without changing its appearance.
        row("the order of what blends", panes, |f| {
            from_the_eye(f, 0, 2.0)
        }),
        row("back faces", back_of_a_sheet, |f| {
            model(f).materials[0].double_sided = false;
        }),
        changed(
            "what is unlit",
            || Material {
                unlit: true,
                ..plain()
            },
            |m| m.unlit = false,
        ),
    ]
}

pub fn rows() -> Vec<Row> {
    [pictures(), alpha(), layers::rows(), kinds::rows()]
        .into_iter()
        .flatten()
        .collect()
}
