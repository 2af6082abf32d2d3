//! Decals with their own meshes: they stay exactly on moving surfaces, in any pose.

use std::f32::consts::TAU;
use std::sync::Arc;

use galatea::asset::model::Image;
use galatea::asset::skinning::SkinningMode;
use galatea::character::{Character, DecalSettings, Definition, Placement};
use galatea::decal::DecalMaterial;
use galatea::render::{Picture, RenderOptions, Renderer};
use galatea::stage::Frame;
use galatea::stage::frame::{Camera, Quality};
use glam::{Affine3A, Quat, Vec3};

use super::scenes::{bare, draw, light_at};
use super::shapes::{add, tube};
use super::{gpu, keep, renderer_with};

/// Number of pixels that are red and not brown.
fn n_red(picture: &Picture) -> usize {
    let all = (0..picture.height).flat_map(|y| (0..picture.width).map(move |x| (x, y)));
    let is_red = |(x, y): &(u32, u32)| {
        let seen = light_at(picture, *x, *y);
        seen.x > 0.2 && seen.y < 0.1 * seen.x
    };
    all.filter(is_red).count()
}

fn lit() -> Frame {
    let mut frame = bare();
    frame.light.sky_zenith = Vec3::ONE;
    frame.light.sky_horizon = Vec3::ONE;
    frame.light.sky_ground = Vec3::ONE;
    frame.light.seamless = true;
    frame.camera = Camera {
        eye: Vec3::new(0.0, 1.2, 3.0),
        target: Vec3::new(0.0, 1.0, 0.0),
        fov_y: 30.0,
    };
    frame
}

#[test]
fn a_mesh_decal_covers_its_surface_in_any_pose() {
    let Some(gpu) = gpu() else { return };
    let options = RenderOptions {
        msaa: 1,
        smooths: false,
        ..RenderOptions::of(Quality::Medium)
    };
    for mode in [SkinningMode::IndexedPalette, SkinningMode::Cpu] {
        let mut renderer: Renderer = renderer_with(&gpu, options);
        let mut model = tube(910);
        model.parts[0].skinning_mode = mode;
        for uv in &mut model.meshes[0].primitives[0].uv0 {
            *uv *= 3.0;
        }
        let definition = Arc::new(Definition::new(Arc::new(model)));
        let mut own: Character =
            Character::new("a".into(), "a".into(), definition, Placement::default());
        let (found, _) = own.trace(Vec3::new(0.03, 1.05, 2.0), Vec3::new(0.03, 1.05, -2.0));
        let look = DecalMaterial {
            color: Arc::new(Image {
                name: String::new(),
                width: 1,
                height: 1,
                rgba: vec![255, 0, 0, 255],
            }),
            tint: Vec3::ONE,
            opacity: 1.0,
            roughness: Some(1.0),
            depth: 0.0,
            height_map: None,
        };
        let decal = DecalSettings {
            material: Arc::new(look),
            dry_material: None,
            size: 0.35,
            roll: 0.4,
            planar: false,
            fades: None,
        };
        own.appearance
            .decals
            .put(
                &own.definition,
                own.placement.scale,
                1,
                &found.unwrap(),
                decal,
            )
            .unwrap();
        let (patch, _) = own.appearance.decals.patches().next().unwrap();
        let model = &own.definition.model;
        for bend in [0.0, 0.15, 0.3] {
            let turn = Quat::from_rotation_z(bend * TAU) * Quat::from_rotation_x(bend * 0.5);
            let upper = Affine3A::from_rotation_translation(turn, Vec3::Y);
            let pose = [Affine3A::IDENTITY, upper];
            let mut alone = lit();
            add(&mut alone, patch, Affine3A::IDENTITY, &pose, &[]);
            let wanted = n_red(&draw(&gpu, &mut renderer, &alone));
            let mut both = lit();
            add(&mut both, model, Affine3A::IDENTITY, &pose, &[]);
            add(&mut both, patch, Affine3A::IDENTITY, &pose, &[]);
            let picture = draw(&gpu, &mut renderer, &both);
            keep(&picture, &format!("patch {mode:?} {bend}"));
            let seen = n_red(&picture);
            assert!(wanted > 1500, "{wanted}");
            // All of it is in front of the tube, except for parts hidden by the bend.
            let hidden = wanted.saturating_sub(seen);
            let most = if bend > 0.2 { wanted / 12 } else { 0 };
            assert!(
                hidden <= most,
                "{mode:?} bent by {bend}: {seen} of {wanted}"
            );
        }
    }
}
