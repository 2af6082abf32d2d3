//! Materials of FBX and MTL files.

use glam::Vec3;
use ufbx::{Material, MaterialMap, Prop};

use crate::scene::{Scene, SceneMaterial};

/// Reads a material; its images are added to the scene.
pub fn read(material: &Material, scene: &mut Scene) -> SceneMaterial {
    let pbr = &material.pbr;
    let mut picture = |map: &MaterialMap| picture(map, scene);
    let color_picture = picture(&pbr.base_color);
    let emission = pbr
        .emission_factor
        .has_value
        .then_some(pbr.emission_factor.value_vec4.x);
    let normal = picture(&pbr.normal_map).or_else(|| picture(&material.fbx.bump));
    SceneMaterial {
        name: material.element.name.to_string(),
        color: color(&pbr.base_color, Vec3::splat(0.8)).extend(opacity(material)),
        // Files have a factor for the texture that other programs ignore.
        picture_replaces_color: true,
        metallic: number(&pbr.metalness, 0.0),
        roughness: number(&pbr.roughness, 0.8),
        emissive: (color(&pbr.emission_color, Vec3::ZERO) * emission.unwrap_or(1.0) as f32)
            .clamp(Vec3::ZERO, Vec3::ONE),
        color_picture,
        normal_picture: normal,
        emissive_picture: picture(&pbr.emission_color),
        double_sided: material.features.double_sided.enabled,
    }
}

fn number(map: &MaterialMap, or: f32) -> f32 {
    match map.has_value {
        true => (map.value_vec4.x as f32).clamp(0.0, 1.0),
        false => or,
    }
}

fn color(map: &MaterialMap, or: Vec3) -> Vec3 {
    let v = map.value_vec4;
    match map.has_value {
        true => Vec3::new(v.x as f32, v.y as f32, v.z as f32).clamp(Vec3::ZERO, Vec3::ONE),
        false => or,
    }
}

/// Index of a map's image in the scene.
fn picture(map: &MaterialMap, scene: &mut Scene) -> Option<usize> {
    let texture = map.texture.as_ref().filter(|_| map.texture_enabled)?;
    let names = [
        &texture.relative_filename,
        &texture.filename,
        &texture.absolute_filename,
    ];
    let path = names.into_iter().find(|name| !name.is_empty())?;
    let place = scene.picture(path);
    let embedded = [
        Some(&texture.content),
        texture.video.as_ref().map(|video| &video.content),
    ];
    let embedded = embedded
        .into_iter()
        .flatten()
        .find(|content| !content.is_empty());
    if let Some(bytes) = embedded {
        scene.pictures[place].bytes = bytes.to_vec();
    }
    Some(place)
}

/// Opacity of a material, 0..=1. Lambert and Phong materials store it as `Opacity`, which FBX SDK and Blender add, or as a
/// transparent colour with a factor (FBX SDK, `FbxSurfaceLambert`).
fn opacity(material: &Material) -> f32 {
    if material.pbr.opacity.has_value {
        return number(&material.pbr.opacity, 1.0);
    }
    let fbx = &material.fbx;
    let maps = [&fbx.transparency_color, &fbx.transparency_factor];
    if maps.iter().any(|map| map.texture.is_some()) {
        return 1.0;
    }
    let own = |name: &str| {
        let props = material.element.props.props.iter();
        props.into_iter().find(|prop| &*prop.name == name)
    };
    let first = |prop: &Prop| prop.value_vec4.x;
    let mean = |prop: &Prop| (prop.value_vec4.x + prop.value_vec4.y + prop.value_vec4.z) / 3.0;
    let opacity = own("Opacity").map(first).unwrap_or_else(|| {
        let color = own("TransparentColor").map(mean);
        let factor = own("TransparencyFactor").map(first);
        match (color, factor) {
            (None, None) => 1.0,
            (color, factor) => 1.0 - color.unwrap_or(1.0) * factor.unwrap_or(1.0),
        }
    });
    match opacity.is_finite() {
        true => (opacity as f32).clamp(0.0, 1.0),
        false => 1.0,
    }
}
