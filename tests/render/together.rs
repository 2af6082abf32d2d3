//! Batching and reordering of draws does not change the picture.

use std::sync::Arc;

use galatea::asset::Lods;
use galatea::asset::skinning::SkinningMode;
use galatea::render::{Gpu, Picture, RenderOptions, Renderer, difference};
use galatea::stage::Frame;
use galatea::stage::frame::{Camera, Ground};
use glam::{Affine3A, Quat, Vec3};

use super::shapes::{add, capsule, cuboid, material, rigid, tube};
use super::{gpu, keep, renderer, renderer_with};

fn draw(gpu: &Gpu, renderer: &mut Renderer, frame: &Frame) -> Picture {
    let picture = renderer.draw_to_picture(gpu, frame, (240, 135), |_, _| {});
    assert_eq!(renderer.take_problems(), Vec::<String>::new());
    picture.unwrap()
}

/// Five by four posts of two materials behind each other, and two bending tubes.
fn posts(mode: SkinningMode, bones_of: impl Fn(usize) -> Affine3A) -> Frame {
    let mut frame = Frame {
        ground: Some(Ground::default()),
        camera: Camera {
            eye: Vec3::new(1.5, 3.0, 6.0),
            target: Vec3::new(0.0, 0.4, 0.0),
            fov_y: 40.0,
        },
        ..Frame::default()
    };
    let (foot, post) = (Vec3::new(0.0, 0.1, 0.0), Vec3::new(0.0, 0.9, 0.0));
    let mut model = rigid(
        900,
        vec![
            cuboid(foot, Vec3::new(0.3, 0.1, 0.3)),
            capsule(foot, post, 0.15, 16),
        ],
        vec![
            material(Vec3::new(0.6, 0.3, 0.2), 0.7, 0.0),
            material(Vec3::new(0.7, 0.7, 0.75), 0.3, 1.0),
        ],
    );
    model.meshes[0].primitives[1].material = 1;
    model.parts[0].skinning_mode = mode;
    let model = Arc::new(model);
    for i in 0..20 {
        let place = Vec3::new((i % 5) as f32 - 2.0, 0.0, (i / 5) as f32 - 2.0);
        let turn = Quat::from_rotation_y(i as f32);
        let world = Affine3A::from_rotation_translation(turn, place);
        add(&mut frame, &model, world, &[bones_of(i)], &[]);
    }
    let mut tube = tube(901);
    tube.parts[0].skinning_mode = mode;
    let tube = Arc::new(tube);
    for x in [-0.5, 0.5] {
        let bend = Affine3A::from_rotation_translation(Quat::from_rotation_x(x), Vec3::Y);
        let world = Affine3A::from_translation(Vec3::new(x, 0.0, 2.0));
        add(&mut frame, &tube, world, &[Affine3A::IDENTITY, bend], &[]);
    }
    frame
}

#[test]
fn rigid_instances_of_one_shape_are_one_draw_call_and_the_same_picture() {
    let Some(gpu) = gpu() else { return };
    for mode in [SkinningMode::IndexedPalette, SkinningMode::Cpu] {
        let together = posts(mode, |_| Affine3A::IDENTITY);
        // Different bits without any movement (signed zeros).
        let zeros = |i: usize| {
            let mut bone = Affine3A::IDENTITY;
            bone.translation.x = if i.is_multiple_of(2) { 0.0 } else { -0.0 };
            bone
        };
        let apart = posts(mode, zeros);
        let mut renderer = renderer(&gpu);
        let at_once = draw(&gpu, &mut renderer, &together);
        assert_eq!(renderer.n_draws(), (4, 42), "two of posts, one per tube");
        keep(&at_once, "together");
        let one_by_one = draw(&gpu, &mut renderer, &apart);
        assert_eq!(renderer.n_draws(), (42, 42));
        assert_eq!(at_once, one_by_one, "{mode:?}");
        // Each instance is still found separately.
        draw(&gpu, &mut renderer, &together);
        for instance in [0, 7, 19, 20, 21] {
            let found = renderer.read_deformed(&gpu, instance, 0, 0).unwrap();
            assert!(found.is_some_and(|vertices| !vertices.is_empty()));
        }
        assert_eq!(renderer.read_deformed(&gpu, 22, 0, 0).unwrap(), None);
    }
}

#[test]
fn instances_whose_bones_differ_keep_their_own_shapes() {
    let Some(gpu) = gpu() else { return };
    let tall = |i: usize| Affine3A::from_scale(Vec3::new(1.0, 1.0 + (i / 10) as f32, 1.0));
    let frame = posts(SkinningMode::IndexedPalette, tall);
    let mut renderer = renderer(&gpu);
    draw(&gpu, &mut renderer, &frame);
    assert_eq!(renderer.n_draws(), (6, 42), "two heights of two materials");
    let height = |instance| {
        let vertices = renderer.read_deformed(&gpu, instance, 0, 1).unwrap();
        let heights = vertices.unwrap().into_iter().map(|v| v.position.y);
        heights.fold(0.0, f32::max)
    };
    assert!((height(9) - 1.05).abs() < 1e-5, "{}", height(9));
    assert!((height(10) - 2.1).abs() < 1e-5, "{}", height(10));
}

#[test]
fn depth_first_changes_no_pixel() {
    let Some(gpu) = gpu() else { return };
    let frame = posts(SkinningMode::IndexedPalette, |_| Affine3A::IDENTITY);
    for msaa in [1, 4] {
        let with = |depth_first| RenderOptions {
            msaa,
            depth_first,
            ..RenderOptions::default()
        };
        let first = draw(&gpu, &mut renderer_with(&gpu, with(true)), &frame);
        let plain = draw(&gpu, &mut renderer_with(&gpu, with(false)), &frame);
        assert_eq!(first, plain, "{msaa} samples");
    }
}

#[test]
fn culling_does_not_change_the_picture() {
    let Some(gpu) = gpu() else { return };
    if !gpu.is_software() {
        println!(
            "SKIPPED: {} does not draw with the processor",
            gpu.info.name
        );
        return;
    }
    // Apart, so that triangles are culled for each one; near and far, at odd angles, into the camera and behind it.
    let lean = |i: usize| {
        let turn = Quat::from_rotation_x(0.3 * i as f32);
        Affine3A::from_rotation_translation(turn, Vec3::new(0.0, 0.0, 1e-4 * i as f32))
    };
    let mut frame = posts(SkinningMode::Cpu, lean);
    let mirrored = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    frame.models[3].world_from_model *= mirrored;
    let views = [
        (Vec3::new(1.5, 3.0, 6.0), Vec3::new(0.0, 0.4, 0.0)),
        (Vec3::new(-40.0, 20.0, 30.0), Vec3::ZERO),
        (Vec3::new(0.0, 0.5, 0.1), Vec3::new(0.3, 0.5, -1.0)),
    ];
    for (k, (eye, target)) in views.into_iter().enumerate() {
        frame.camera = Camera {
            eye,
            target,
            fov_y: 40.0,
        };
        for msaa in [1, 4] {
            let with = |skips_unseen| RenderOptions {
                msaa,
                skips_unseen,
                depth_first: k == 0,
                ..RenderOptions::default()
            };
            let mut skipping = renderer_with(&gpu, with(true));
            let mut plain = renderer_with(&gpu, with(false));
            let picture = draw(&gpu, &mut skipping, &frame);
            keep(&picture, "unseen");
            assert_eq!(picture, draw(&gpu, &mut plain, &frame), "{eye} {msaa}");
            let (drawn, all) = (skipping.n_triangles(), plain.n_triangles());
            assert!(
                drawn > 0 && drawn * 10 < all * 7,
                "{eye} {msaa}: {drawn} of {all}"
            );
        }
    }
}

#[test]
fn instances_in_one_pose_are_deformed_and_drawn_once_and_the_same_picture() {
    let Some(gpu) = gpu() else { return };
    for mode in [SkinningMode::IndexedPalette, SkinningMode::Cpu] {
        let apart = posts(mode, |_| Affine3A::IDENTITY);
        let mut alike = apart.clone();
        let last = alike.models.len() - 1;
        // The second tube bends like the first, with its own matrices or the same ones.
        let first = alike.models[last - 1].palette_start;
        let (from, to) = (first as usize, alike.models[last].palette_start as usize);
        alike.palette.copy_within(from..from + 2, to);
        let mut shared = alike.clone();
        shared.models[last].palette_start = first;
        let mut renderer = renderer(&gpu);
        let one_by_one = draw(&gpu, &mut renderer, &alike);
        assert_eq!(renderer.n_draws(), (4, 42));
        let at_once = draw(&gpu, &mut renderer, &shared);
        assert_eq!(renderer.n_draws(), (3, 42), "both tubes at once");
        assert_eq!(at_once, one_by_one, "{mode:?}");
        assert_ne!(at_once, draw(&gpu, &mut renderer, &apart));
    }
}

#[test]
fn coarser_triangles_are_fewer_and_from_afar_nearly_the_same_picture() {
    let Some(gpu) = gpu() else { return };
    let heads = vec![capsule(Vec3::Y * 0.5, Vec3::Y * 1.2, 0.4, 48)];
    let model = Arc::new(rigid(
        902,
        heads,
        vec![material(Vec3::new(0.6, 0.3, 0.2), 0.7, 0.0)],
    ));
    let lods = Arc::new(Lods::of(&model));
    for is_apart in [false, true] {
        let mut frame = Frame {
            ground: Some(Ground::default()),
            camera: Camera {
                eye: Vec3::new(0.0, 4.0, 24.0),
                target: Vec3::Y * 0.6,
                fov_y: 30.0,
            },
            ..Frame::default()
        };
        for i in 0..5 {
            let world = Affine3A::from_translation(Vec3::X * (i as f32 - 2.0) * 2.0);
            // Separately culled triangles, with software rendering.
            let off = if is_apart { 1e-5 * i as f32 } else { 0.0 };
            let bone = Affine3A::from_translation(Vec3::Y * off);
            add(&mut frame, &model, world, &[bone], &[]);
        }
        let mut renderer = renderer(&gpu);
        let fine = draw(&gpu, &mut renderer, &frame);
        let all = renderer.n_triangles();
        for level in 1..=2 {
            for model in &mut frame.models {
                model.coarser = Some((lods.clone(), level));
            }
            let coarse = draw(&gpu, &mut renderer, &frame);
            let few = renderer.n_triangles();
            assert!(few * 3 < all, "level {level}: {few} of {all}");
            let off = difference(&fine, &coarse).map(|d| d.mean);
            assert!(off < Some(0.004), "level {level}: {off:?}");
        }
        // Several levels of detail at once are all drawn.
        frame.models[1].coarser = None;
        frame.models[2].coarser = Some((lods.clone(), 1));
        draw(&gpu, &mut renderer, &frame);
        let n_draws = renderer.n_draws().0;
        assert_eq!(n_draws, if is_apart { 5 } else { 3 });
    }
}
