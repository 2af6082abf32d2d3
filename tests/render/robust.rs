//! Pictures on weaker adapters, with textures that are too large, and after the device is lost.

use std::sync::Arc;

use galatea::app::headless::{HeadlessCamera, advance_to};
use galatea::asset::model::{Image, Material, Sampler, TextureRef, UvTransform};
use galatea::asset::{Model, Project};
use galatea::render::{Gpu, GpuError, RenderOptions};
use galatea::stage::Stage;
use galatea::stage::frame::{Camera, Frame, Ground, Message, MessageKind, Quality};
use glam::{Affine3A, Vec3};

use super::shapes::{add, cuboid, rigid};
use super::{gpu, renderer, renderer_with, sessions};

const SIZE: (u32, u32) = (96, 96);

/// A box of 2 m with an image on its sides, unlit and without tone mapping.
fn painted(uid: u64, image: Image) -> Model {
    let texture = TextureRef {
        image: 0,
        sampler: Sampler::default(),
        uv_set: 0,
        uv_transform: UvTransform::default(),
    };
    let material = Material {
        base_color_texture: Some(texture),
        unlit: true,
        ..Material::default()
    };
    let mut model = rigid(uid, vec![cuboid(Vec3::ZERO, Vec3::ONE)], vec![material]);
    model.name = "crate".into();
    model.images = vec![image];
    model
}

fn of(model: Model) -> Frame {
    let mut frame = Frame {
        camera: Camera {
            eye: Vec3::new(0.0, 0.0, 4.0),
            target: Vec3::ZERO,
            ..Camera::default()
        },
        ..Frame::default()
    };
    add(
        &mut frame,
        &Arc::new(model),
        Affine3A::IDENTITY,
        &[Affine3A::IDENTITY],
        &[],
    );
    frame
}

/// Left half red, right half blue.
fn two_colours(width: u32, height: u32) -> Image {
    let texel = |i: u32| match i % width < width / 2 {
        true => [230, 20, 20, 255],
        false => [20, 20, 230, 255],
    };
    Image {
        name: "planks".into(),
        width,
        height,
        rgba: (0..width * height).flat_map(texel).collect(),
    }
}

#[test]
fn an_oversized_texture_is_downscaled_and_reported_once() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer(&gpu);
    let mut draw = |frame: &Frame| {
        renderer
            .draw_to_picture(&gpu, frame, SIZE, |_, _| {})
            .unwrap()
    };
    let right = draw(&of(painted(1, two_colours(64, 2))));
    let halved = draw(&of(painted(2, two_colours(20000, 2))));
    draw(&of(painted(3, two_colours(20000, 2))));
    assert_eq!(gpu.take_error(), None);
    let texel = |x: u32| {
        let at = ((48 * SIZE.0 + x) * 4) as usize;
        let of = |picture: &[u8]| [0, 1, 2].map(|i| picture[at + i]);
        (of(&halved.rgba), of(&right.rgba))
    };
    let (left, wanted_left) = texel(30);
    let (across, wanted_across) = texel(66);
    assert_eq!((left, across), (wanted_left, wanted_across));
    let [red, _, blue] = left;
    assert!(red > 180 && blue < 60, "{left:?}");
    let [red, _, blue] = across;
    assert!(red < 60 && blue > 180, "{across:?}");
    assert_eq!(
        renderer.take_lessened(),
        [
            "crate: texture \"planks\" of 20000 × 2 pixels is reduced to 5000 × 1: the graphics device supports at most 8192 per side"
        ]
    );
    assert_eq!(renderer.take_problems(), Vec::<String>::new());
}

#[test]
fn a_weaker_adapter_draws_with_its_features() {
    if gpu().is_none() {
        return;
    }
    let poor = Gpu::headless_as(|facts| {
        facts.limits.max_texture_dimension_2d = 2048;
        facts.hdr.flags -= wgpu::TextureFormatFeatureFlags::MULTISAMPLE_X4;
        facts.downlevel -= wgpu::DownlevelFlags::ANISOTROPIC_FILTERING;
        facts.features = wgpu::Features::empty();
    })
    .unwrap();
    assert_eq!(poor.device.limits().max_texture_dimension_2d, 2048);
    assert_eq!(poor.means().without.len(), 3);
    let mut renderer = renderer_with(&poor, RenderOptions::of(Quality::High));
    let options = renderer.options();
    assert_eq!((options.msaa, options.smooths), (1, true));
    assert_eq!(
        (options.shadow_size, options.light_shadow_size.0),
        (2048, 2048)
    );
    assert_eq!(
        renderer.take_lessened(),
        [
            "the sun's shadow maps have 2048 texels per side instead of 4096, the maximum of the graphics device",
            "the shadow map of the lights has 2048 texels per side instead of 4096, the maximum of the graphics device",
        ]
    );
    assert!(!renderer.time_passes(&poor));

    let mut frame = of(painted(4, two_colours(4096, 2)));
    frame.ground = Some(Ground {
        height: -1.0,
        ..Ground::default()
    });
    let picture = renderer
        .draw_to_picture(&poor, &frame, SIZE, |_, _| {})
        .unwrap();
    assert_eq!(poor.take_error(), None);
    assert_eq!(renderer.take_problems(), Vec::<String>::new());
    let lessened = renderer.take_lessened();
    assert!(
        lessened.len() == 1 && lessened[0].contains("4096 × 2 pixels is reduced to 2048 × 1"),
        "{lessened:?}"
    );
    let red = picture.rgba[((48 * SIZE.0 + 30) * 4) as usize];
    assert!(red > 180, "{red}");
    // The same options again change and report nothing.
    renderer
        .set_options(&poor, RenderOptions::of(Quality::High))
        .unwrap();
    assert_eq!(renderer.take_lessened(), Vec::<String>::new());

    frame.models[0].world_from_model = Affine3A::from_rotation_z(0.3);
    let mut smooth_and_rough = [true, false].map(|smooths| {
        let options = RenderOptions {
            msaa: if smooths { 4 } else { 1 },
            ..RenderOptions::of(Quality::High)
        };
        renderer.set_options(&poor, options).unwrap();
        let drawn = renderer.draw_to_picture(&poor, &frame, SIZE, |_, _| {});
        drawn.unwrap()
    });
    let [smooth, rough] = &mut smooth_and_rough;
    let changed = smooth.rgba.chunks(4).zip(rough.rgba.chunks(4));
    let changed = changed.filter(|(a, b)| a[1].abs_diff(b[1]) > 20).count();
    assert!(changed > 40, "{changed} pixels of its edges are smoothed");
}

#[test]
fn a_picture_without_pixels_is_an_error_and_one_of_a_single_pixel_is_drawn() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer(&gpu);
    let frame = of(painted(6, two_colours(64, 2)));
    let mut draw = |size| renderer.draw_to_picture(&gpu, &frame, size, |_, _| {});
    for size in [(0, 4), (4, 0), (8193, 4)] {
        let error = draw(size).unwrap_err();
        assert!(matches!(error, GpuError::Size { .. }), "{size:?}: {error}");
    }
    let [red, _, blue, alpha] = draw((1, 1)).unwrap().rgba[..] else {
        panic!("not one pixel");
    };
    assert!(red > 100 || blue > 100, "the crate fills the middle");
    assert_eq!(alpha, 255);
    assert_eq!(gpu.take_error(), None);
}

#[test]
fn an_adapter_without_required_features_is_refused_by_name() {
    let Some(gpu) = gpu() else { return };
    let refused = Gpu::headless_as(|facts| {
        facts.limits.max_storage_buffers_per_shader_stage = 4;
        facts.downlevel -= wgpu::DownlevelFlags::VERTEX_STORAGE;
    });
    let Err(error @ GpuError::Unfit { .. }) = refused else {
        panic!("it was taken");
    };
    let told = error.to_string();
    for part in [
        gpu.info.name.as_str(),
        "it lacks storage buffers in vertex shaders; 8 storage buffers per shader (it has 4)",
        "--backend vulkan",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn a_lost_device_is_an_error_and_rendering_continues_with_a_new_one() {
    let Some(lost) = gpu() else { return };
    let mut renderer = renderer(&lost);
    let mut frame = of(painted(5, two_colours(64, 2)));
    frame.messages = vec![Message::new(MessageKind::Error, "painted by egui")];
    renderer
        .draw_to_picture(&lost, &frame, SIZE, |_, _| {})
        .unwrap();
    lost.device.destroy();
    let error = renderer
        .draw_to_picture(&lost, &frame, SIZE, |_, _| {})
        .unwrap_err();
    assert!(matches!(error, GpuError::Lost), "{error}");
    assert!(lost.is_lost());

    let Some(gpu) = gpu() else { return };
    let device = gpu.device.clone();
    let folder = std::env::temp_dir().join(format!("galatea-lost-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("scripts")).unwrap();
    std::fs::write(folder.join("scripts/main.lua"), "").unwrap();
    let project = Project::open(&folder).unwrap();
    let mut pictures = HeadlessCamera::for_project(gpu, &project).unwrap();
    let stage = Stage::default();
    let before = pictures.still(&stage, SIZE).unwrap();
    device.destroy();
    let after = pictures.still(&stage, SIZE).unwrap();
    assert!(before == after, "the same picture from another device");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_recording_continues_after_a_lost_device() {
    let folder = std::env::temp_dir().join(format!("galatea-film-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("scripts")).unwrap();
    let script = "function update() ground.set { color = vector.create(now(), 0.2, 0.1) } end";
    std::fs::write(folder.join("scripts/main.lua"), script).unwrap();
    // The device is lost before the picture with this index, or before the last one is read.
    let film = |lost_before: Option<u32>| {
        let gpu = gpu()?;
        let device = gpu.device.clone();
        let mut session = sessions::open(Project::open(&folder).unwrap());
        let mut pictures = HeadlessCamera::for_project(gpu, &session.project).unwrap();
        let mut film = Vec::new();
        for i in 0..4 {
            if lost_before == Some(i) {
                device.destroy();
            }
            let time = 0.2 * f64::from(i);
            advance_to(&mut session, time);
            film.extend(pictures.picture_before(&mut session, time, SIZE).unwrap());
        }
        if lost_before == Some(4) {
            device.destroy();
        }
        film.extend(pictures.last().unwrap());
        assert!(pictures.last().unwrap().is_none());
        let errors: Vec<&str> = session.diagnostics.errors().collect();
        assert!(errors.is_empty(), "{errors:?}");
        Some(film)
    };
    let Some(whole) = film(None) else { return };
    assert!(whole.len() == 4 && whole.windows(2).all(|pair| pair[0] != pair[1]));
    for number in [0, 2, 4] {
        assert!(film(Some(number)).as_ref() == Some(&whole), "{number}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
