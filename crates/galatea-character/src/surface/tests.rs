use glam::{Vec2, Vec3, Vec4};

use super::*;
use galatea_asset::model::Material;

fn model() -> Model {
    let named = |name: &str| Material {
        name: name.into(),
        ..Material::default()
    };
    Model {
        materials: vec![named("skin"), named("hair"), Material::default()],
        variants: vec!["red".into(), "blue".into()],
        ..Model::default()
    }
}

fn built(surface: &mut MaterialOverrides, model: &Model) -> Vec<InstanceMaterial> {
    surface.build(model, &[], &[], &[]);
    surface.forget_motion();
    let mut out = Vec::new();
    surface.snapshot(model, 1.0, &mut out);
    out
}

#[test]
fn pointers_name_every_factor() {
    let of = |path: &str| target(&format!("/materials/2/{path}"));
    let texture = "extensions/KHR_texture_transform";
    for (path, factor, number) in [
        (
            "pbrMetallicRoughness/baseColorFactor.a",
            Factor::BaseColor,
            3,
        ),
        ("pbrMetallicRoughness/metallicFactor", Factor::Metallic, 0),
        ("pbrMetallicRoughness/roughnessFactor", Factor::Roughness, 0),
        ("normalTexture/scale", Factor::NormalScale, 0),
        ("occlusionTexture/strength", Factor::OcclusionStrength, 0),
        ("emissiveFactor.g", Factor::EmissiveFactor, 1),
        ("alphaCutoff", Factor::AlphaCutoff, 0),
        (
            "extensions/KHR_materials_emissive_strength/emissiveStrength",
            Factor::EmissiveStrength,
            0,
        ),
        ("extensions/KHR_materials_ior/ior", Factor::Ior, 0),
        (
            "extensions/KHR_materials_specular/specularFactor",
            Factor::Specular,
            0,
        ),
        (
            "extensions/KHR_materials_specular/specularColorFactor.b",
            Factor::SpecularColor,
            2,
        ),
        (
            "extensions/KHR_materials_clearcoat/clearcoatFactor",
            Factor::Clearcoat,
            0,
        ),
        (
            "extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor",
            Factor::ClearcoatRoughness,
            0,
        ),
        (
            "extensions/KHR_materials_sheen/sheenColorFactor.r",
            Factor::Sheen,
            0,
        ),
        (
            "extensions/KHR_materials_sheen/sheenRoughnessFactor",
            Factor::SheenRoughness,
            0,
        ),
        (
            "extensions/KHR_materials_transmission/transmissionFactor",
            Factor::Transmission,
            0,
        ),
        (
            "extensions/KHR_materials_volume/thicknessFactor",
            Factor::Thickness,
            0,
        ),
        (
            "extensions/KHR_materials_volume/attenuationColor.g",
            Factor::AttenuationColor,
            1,
        ),
        (
            "extensions/KHR_materials_volume/attenuationDistance",
            Factor::AttenuationDistance,
            0,
        ),
        (
            &format!("normalTexture/{texture}/offset.y"),
            Factor::UvOffset(TextureSlot::Normal),
            1,
        ),
        (
            &format!("emissiveTexture/{texture}/rotation"),
            Factor::UvRotation(TextureSlot::Emissive),
            0,
        ),
        (
            &format!("pbrMetallicRoughness/metallicRoughnessTexture/{texture}/scale.x"),
            Factor::UvScale(TextureSlot::MetallicRoughness),
            0,
        ),
    ] {
        assert_eq!(of(path), Some((2, factor, number)), "{path}");
    }
    for other in [
        "normalTexture/offset.x",
        "alphaCutoff.y",
        "emissiveFactor.a",
        "extensions/KHR_materials_iridescence/iridescenceIor",
        "emissiveFactor.rg",
    ] {
        assert_eq!(of(other), None, "{other}");
    }
    assert_eq!(target("/nodes/0/scale"), None);
    assert_eq!(target("/materials/x/alphaCutoff"), None);
}

#[test]
fn a_curve_rests_at_the_files_value_and_moves_the_material_away_from_it() {
    let mut model = model();
    model.materials[1].roughness = 0.5;
    let names = ["glow", "/materials/1/pbrMetallicRoughness/roughnessFactor"].map(String::from);
    assert_eq!(at_rest(&model, &names[0]), None);
    assert_eq!(at_rest(&model, &names[1]), Some(0.5));
    assert_eq!(at_rest(&model, "/materials/9/alphaCutoff"), None);
    let driven = driven(&model, &names);
    let mut surface = MaterialOverrides::default();
    surface.build(&model, &driven, &[7.0, 0.5], &[]);
    let mut out = Vec::new();
    surface.snapshot(&model, 1.0, &mut out);
    assert_eq!(out, []);
    surface.begin_build();
    surface.build(&model, &driven, &[7.0, 0.9], &[]);
    surface.snapshot(&model, 0.5, &mut out);
    assert_eq!(out.len(), 1);
    assert_eq!(out[0].material, 1);
    assert_eq!(out[0].values.roughness, 0.7);
    // The script's value has priority over the clip's.
    surface.set(&model, 1, Factor::Roughness, 0, 0.2);
    surface.build(&model, &driven, &[7.0, 0.9], &[]);
    out.clear();
    surface.snapshot(&model, 1.0, &mut out);
    assert_eq!(out[0].values.roughness, 0.2);
    surface.reset(1, Factor::Roughness.bits(), false);
    surface.build(&model, &driven, &[7.0, 0.9], &[]);
    out.clear();
    surface.snapshot(&model, 1.0, &mut out);
    assert_eq!(out[0].values.roughness, 0.9);
}

#[test]
fn a_value_set_by_a_script_is_kept_until_its_reset() {
    let model = model();
    let mut surface = MaterialOverrides::default();
    surface.set(&model, 1, Factor::BaseColor, 1, 0.25);
    surface.set_kind(&model, 0, MaterialKind::Skin);
    let shown = built(&mut surface, &model);
    assert_eq!(shown.len(), 2);
    assert_eq!(shown[0].values.kind, MaterialKind::Skin);
    assert_eq!(shown[1].values.base_color, Vec4::new(1.0, 0.25, 1.0, 1.0));
    surface.reset(1, u64::MAX, true);
    surface.reset(0, u64::MAX, false);
    let shown = built(&mut surface, &model);
    assert_eq!(shown.len(), 1);
    assert_eq!(shown[0].material, 0);
    surface.reset(0, 0, true);
    assert_eq!(built(&mut surface, &model), []);
}

#[test]
fn a_fade_is_linear_and_ends_at_its_value() {
    let model = model();
    let mut surface = MaterialOverrides::default();
    surface.fade(&model, 0, (Factor::Tint, 0), 0.0, 1.0);
    surface.fade(&model, 0, (Factor::Tint, 1), 0.5, 0.0);
    let tint = |surface: &MaterialOverrides| surface.values(&model, 0).tint;
    assert_eq!(tint(&surface), Vec3::new(1.0, 0.5, 1.0));
    surface.advance(&model, 0.25);
    assert_eq!(tint(&surface).x, 0.75);
    surface.advance(&model, 0.8);
    assert_eq!(tint(&surface).x, 0.0);
    surface.advance(&model, 1.0);
    assert_eq!(tint(&surface), Vec3::new(0.0, 0.5, 1.0));
    // Setting the value ends the fade.
    surface.fade(&model, 0, (Factor::Tint, 2), 0.0, 1.0);
    surface.set(&model, 0, Factor::Tint, 2, 0.3);
    surface.advance(&model, 0.5);
    assert_eq!(tint(&surface).z, 0.3);
}

#[test]
fn materials_and_variant_are_rebound_by_name_in_a_new_version() {
    let old = model();
    let mut new = model();
    new.materials.swap(0, 1);
    new.variants = vec!["blue".into()];
    let mut surface = MaterialOverrides {
        variant: Some(1),
        ..MaterialOverrides::default()
    };
    surface.set(&old, 0, Factor::Metallic, 0, 0.5);
    surface.fade(&old, 1, (Factor::Roughness, 0), 0.0, 1.0);
    surface.rebind(&old, &new);
    assert_eq!(surface.variant, Some(0));
    assert_eq!(surface.values(&new, 1).metallic, 0.5);
    surface.advance(&new, 0.5);
    assert_eq!(surface.values(&new, 0).roughness, 0.5);
    new.materials.remove(0);
    new.variants.clear();
    surface.rebind(&old, &new);
    assert_eq!(surface.variant, None);
}

#[test]
fn texture_transforms_follow_their_curves() {
    let model = model();
    let path = "pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform";
    let names = [
        format!("/materials/0/{path}/offset.x"),
        format!("/materials/0/{path}/scale.y"),
    ];
    assert_eq!(at_rest(&model, &names[1]), Some(1.0));
    let driven = driven(&model, &names);
    let mut surface = MaterialOverrides::default();
    surface.build(&model, &driven, &[0.5, 2.0], &[]);
    let mut out = Vec::new();
    surface.snapshot(&model, 1.0, &mut out);
    let uv = out[0].values.uv(TextureSlot::BaseColor);
    assert_eq!(
        (uv.offset, uv.scale),
        (Vec2::new(0.5, 0.0), Vec2::new(1.0, 2.0))
    );
}
