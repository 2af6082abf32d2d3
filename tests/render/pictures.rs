//! Properties of any good picture. The pictures are written to `target/pictures/`.

use std::sync::Arc;

use galatea::asset::model::{AlphaMode, Image, Material, Sampler, TextureRef, UvTransform};
use galatea::render::{Picture, RenderOptions, ShaderSource};
use galatea::stage::Frame;
use galatea::stage::frame::{Camera, Ground, Message, MessageKind, OverlayLine, SourceLine};
use galatea::studio::{Overlay, OverlayContent};
use glam::{Affine3A, Quat, Vec3};

use super::shapes::{add, capsule, cuboid, figure, material, rigid, tube};
use super::{gpu, keep, renderer, renderer_with};

fn texel(picture: &Picture, x: u32, y: u32) -> [u8; 4] {
    let at = ((y * picture.width + x) * 4) as usize;
    picture.rgba[at..at + 4].try_into().unwrap()
}

fn n_different(a: &Picture, b: &Picture) -> usize {
    let pairs = a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4));
    pairs
        .filter(|(a, b)| a.iter().zip(b.iter()).any(|(a, b)| a.abs_diff(*b) > 8))
        .count()
}

fn empty_frame() -> Frame {
    Frame {
        ground: Some(Ground::default()),
        ..Frame::default()
    }
}

#[test]
fn an_empty_frame_shows_sky_above_ground() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer(&gpu);
    let picture = renderer
        .draw_to_picture(&gpu, &empty_frame(), (640, 360), |_, _| {})
        .unwrap();
    keep(&picture, "empty");
    assert_eq!(gpu.take_error(), None);
    let (sky, ground) = (texel(&picture, 320, 10), texel(&picture, 320, 350));
    assert!(sky[2] > sky[0], "the sky is blue: {sky:?}");
    assert!(
        ground[0].abs_diff(ground[2]) < 40,
        "the ground is grey: {ground:?}"
    );
    assert!(sky != ground);
    assert!(picture.rgba.chunks_exact(4).all(|t| t[3] == 255));
}

#[test]
fn a_lit_figure_has_a_shadow() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer(&gpu);
    let mut frame = empty_frame();
    frame.camera = Camera {
        eye: Vec3::new(1.1, 1.35, 3.4),
        target: Vec3::new(0.0, 0.88, 0.0),
        fov_y: 36.0,
    };
    let size = (960, 720);
    let empty = renderer
        .draw_to_picture(&gpu, &frame, size, |_, _| {})
        .unwrap();
    let identity = [Affine3A::IDENTITY];
    add(
        &mut frame,
        &Arc::new(figure(1)),
        Affine3A::IDENTITY,
        &identity,
        &[],
    );
    let v = Vec3::new;
    let balls = [
        (v(-1.1, 0.25, 0.4), material(v(0.95, 0.64, 0.54), 0.15, 1.0)),
        (v(1.2, 0.25, -0.3), material(v(0.18, 0.18, 0.18), 0.5, 0.0)),
        (v(0.75, 0.25, 0.8), material(v(0.6, 0.05, 0.05), 0.1, 0.0)),
    ];
    for (i, (at, material)) in balls.into_iter().enumerate() {
        let ball = rigid(
            10 + i as u64,
            vec![capsule(at, at, 0.25, 64)],
            vec![material],
        );
        add(
            &mut frame,
            &Arc::new(ball),
            Affine3A::IDENTITY,
            &identity,
            &[],
        );
    }
    let block = cuboid(v(-0.9, 0.3, -0.9), v(0.3, 0.3, 0.3));
    let block = rigid(20, vec![block], vec![material(v(0.5, 0.5, 0.5), 0.9, 0.0)]);
    add(
        &mut frame,
        &Arc::new(block),
        Affine3A::IDENTITY,
        &identity,
        &[],
    );
    for draw in &mut frame.models {
        draw.bounds = (v(0.0, 0.9, 0.0), 1.8);
    }
    let start = std::time::Instant::now();
    let picture = renderer
        .draw_to_picture(&gpu, &frame, size, |_, _| {})
        .unwrap();
    println!("first {:?}", start.elapsed());
    let start = std::time::Instant::now();
    renderer
        .draw_to_picture(&gpu, &frame, size, |_, _| {})
        .unwrap();
    println!("again {:?}", start.elapsed());
    keep(&picture, "figure");
    assert_eq!(gpu.take_error(), None);
    assert_eq!(renderer.take_problems(), Vec::<String>::new());
    let changed = n_different(&picture, &empty);
    assert!(
        changed > 20_000,
        "{changed} pixels differ from the empty picture"
    );
    frame.camera.eye = v(-0.5, 0.35, 0.9);
    frame.camera.target = v(0.05, 0.08, 0.0);
    let feet = renderer
        .draw_to_picture(&gpu, &frame, size, |_, _| {})
        .unwrap();
    keep(&feet, "feet");
}

#[test]
fn a_bent_tube_and_lines_are_drawn() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer(&gpu);
    let mut frame = empty_frame();
    let bend = Affine3A::from_rotation_translation(Quat::from_rotation_z(-1.0), Vec3::Y);
    let tube = Arc::new(tube(2));
    add(
        &mut frame,
        &tube,
        Affine3A::IDENTITY,
        &[Affine3A::IDENTITY, bend],
        &[],
    );
    for (from, to) in [
        (Vec3::ZERO, Vec3::Y),
        (Vec3::Y, bend.transform_point3(Vec3::Y)),
    ] {
        frame.lines.push(OverlayLine {
            from,
            to,
            color: Vec3::new(1.0, 0.7, 0.1),
        });
    }
    let size = (640, 480);
    let picture = renderer
        .draw_to_picture(&gpu, &frame, size, |_, _| {})
        .unwrap();
    keep(&picture, "tube");
    assert_eq!(gpu.take_error(), None);
    let middle = texel(&picture, 310, 300);
    assert!(middle[0] > middle[2] + 20, "the tube is red: {middle:?}");
}

#[test]
fn messages_are_painted_over_the_picture() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer(&gpu);
    let mut overlay = Overlay::new(&gpu, renderer.output_format());
    let mut frame = empty_frame();
    let size = (960, 540);
    let before = renderer
        .draw_to_picture(&gpu, &frame, size, |_, _| {})
        .unwrap();
    let message = |kind, text: &str| Message::new(kind, text);
    frame.messages = vec![
        message(
            MessageKind::Error,
            "scripts/hero.lua:41: attempt to index nil with 'wave'\n  the last good version goes \
             on: press F5 after mending it, or read the whole story in the log, line by line",
        ),
        message(
            MessageKind::Warning,
            "knight.glb: 3 weights did not sum to 1 and were mended",
        ),
        message(MessageKind::Info, "reloaded hero.lua"),
    ];
    let line = |number, text: &str, mark| SourceLine {
        number,
        text: text.into(),
        mark,
    };
    frame.messages[0].location = "scripts/hero.lua:41".into();
    frame.messages[0].source = vec![
        line(39, "function wave(who)", None),
        line(40, "    -- The one who waves", None),
        line(41, &"    x.wave(who) ".repeat(20), Some((4, 1))),
        line(42, "end", None),
    ];
    frame.messages[0].times = 12;
    for scale in [1.0, 1.5, 2.0] {
        let messages = frame.messages.clone();
        let picture = renderer
            .draw_to_picture(&gpu, &frame, size, |encoder, view| {
                let content = OverlayContent {
                    messages: &messages,
                    ..OverlayContent::default()
                };
                overlay.draw(&gpu, encoder, view, size, scale, content);
            })
            .unwrap();
        keep(&picture, &format!("messages_{scale}"));
        let changed = n_different(&before, &picture);
        assert!(changed > 10_000, "{changed} pixels");
        let panel = texel(&picture, (17.0 * scale) as u32, (20.0 * scale) as u32);
        assert!(
            panel[0] > panel[1] + 20,
            "the error's panel is red: {panel:?}"
        );
    }
    assert_eq!(gpu.take_error(), None);
}

#[test]
fn a_broken_shader_is_reported_and_the_last_good_one_stays() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer(&gpu);
    let size = (160, 90);
    let frame = empty_frame();
    let before = renderer
        .draw_to_picture(&gpu, &frame, size, |_, _| {})
        .unwrap();
    let mut shaders = ShaderSource::embedded();
    shaders.replace(
        "sky.wgsl",
        "@fragment fn fs() -> @location(0) vec4<f32> { return 1; }\n",
    );
    let error = renderer.reload_shaders(&gpu, &shaders).unwrap_err();
    assert_eq!((error.file.as_str(), error.line), ("sky.wgsl", 1));
    // Valid by itself, but it does not match the bindings of the pass: the interface check finds it, not the parser.
    let foreign = "@group(0) @binding(0) var t: texture_2d<f32>;\n\
        @vertex fn vs() -> @builtin(position) vec4<f32> { return vec4<f32>(0.0); }\n\
        @fragment fn fs() -> @location(0) vec4<f32> { return textureLoad(t, vec2<i32>(0), 0); }\n";
    shaders.replace("sky.wgsl", foreign);
    let error = renderer.reload_shaders(&gpu, &shaders).unwrap_err();
    assert_eq!(error.file, "sky.wgsl");
    let after = renderer
        .draw_to_picture(&gpu, &frame, size, |_, _| {})
        .unwrap();
    assert_eq!(before, after);
    shaders.replace(
        "tonemap.wgsl",
        "@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {\n\
         return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0); }\n\
         @fragment fn fs() -> @location(0) vec4<f32> { return vec4<f32>(1.0, 0.0, 0.0, 1.0); }\n",
    );
    let mut red = ShaderSource::embedded();
    red.replace(
        "tonemap.wgsl",
        shaders.assemble("tonemap.wgsl").unwrap().text,
    );
    renderer.reload_shaders(&gpu, &red).unwrap();
    let after = renderer
        .draw_to_picture(&gpu, &frame, size, |_, _| {})
        .unwrap();
    assert_eq!(texel(&after, 80, 45), [255, 0, 0, 255]);
    assert_eq!(gpu.take_error(), None);
}

#[test]
fn a_mirrored_model_is_lit_and_culled_like_any_other() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer(&gpu);
    let size = (240, 240);
    let block = rigid(
        1,
        vec![cuboid(Vec3::Y * 0.9, Vec3::new(0.5, 0.5, 0.5))],
        vec![material(Vec3::splat(0.5), 0.8, 0.0)],
    );
    let block = Arc::new(block);
    let mut picture = |world: Affine3A, bone: Affine3A| {
        let mut frame = empty_frame();
        add(&mut frame, &block, world, &[bone], &[]);
        renderer
            .draw_to_picture(&gpu, &frame, size, |_, _| {})
            .unwrap()
    };
    let plain = picture(Affine3A::IDENTITY, Affine3A::IDENTITY);
    let flip = Affine3A::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    // The block is symmetric, so its mirror image must look the same, at both positions.
    assert!(n_different(&plain, &picture(flip, Affine3A::IDENTITY)) < 30);
    assert!(n_different(&plain, &picture(Affine3A::IDENTITY, flip)) < 30);
    assert!(n_different(&plain, &picture(flip, flip)) < 30);
}

#[test]
fn cut_out_and_blended_materials_let_the_background_through() {
    let Some(gpu) = gpu() else { return };
    let size = (320, 240);
    let checker: Vec<u8> = (0..64 * 64)
        .flat_map(|i| {
            let solid = (i % 64 / 16 + i / 64 / 16) % 2 == 0;
            [230, 120, 40, if solid { 255 } else { 0 }]
        })
        .collect();
    let textured = |alpha| Material {
        alpha,
        double_sided: true,
        base_color_texture: Some(TextureRef {
            image: 0,
            uv_set: 0,
            uv_transform: UvTransform::IDENTITY,
            sampler: Sampler::default(),
        }),
        ..material(Vec3::ONE, 0.8, 0.0)
    };
    for msaa in [1, 4] {
        let options = RenderOptions {
            msaa,
            ..RenderOptions::default()
        };
        let mut renderer = renderer_with(&gpu, options);
        let mut frame = empty_frame();
        let kinds = [AlphaMode::Mask(0.5), AlphaMode::Blend, AlphaMode::Opaque];
        for (i, alpha) in kinds.into_iter().enumerate() {
            let at = Vec3::new(i as f32 * 1.2 - 1.2, 0.9, 0.0);
            let mut board = cuboid(at, Vec3::new(0.5, 0.5, 0.0));
            // Only the side that faces the camera.
            board.indices.drain(..30);
            let mut model = rigid(i as u64 + 1, vec![board], vec![textured(alpha)]);
            model.images.push(Image {
                name: "checker".into(),
                width: 64,
                height: 64,
                rgba: checker.clone(),
            });
            let identity = [Affine3A::IDENTITY];
            add(
                &mut frame,
                &Arc::new(model),
                Affine3A::IDENTITY,
                &identity,
                &[],
            );
        }
        let picture = renderer
            .draw_to_picture(&gpu, &frame, size, |_, _| {})
            .unwrap();
        keep(&picture, &format!("alpha_{msaa}"));
        assert_eq!(gpu.take_error(), None);
        // The first two boards are half transparent, the third is opaque.
        let orange = |x: std::ops::Range<u32>| {
            let texels = x.flat_map(|x| (80..160).map(move |y| (x, y)));
            let is_orange = |(x, y): &(u32, u32)| {
                let t = texel(&picture, *x, *y);
                t[0] > t[2].saturating_add(40)
            };
            texels.filter(is_orange).count()
        };
        let (cut, over, solid) = (orange(50..110), orange(130..190), orange(210..270));
        assert!(cut * 4 > solid && cut * 4 < solid * 3, "{cut} of {solid}");
        assert!(
            over * 4 > solid && over * 4 < solid * 3,
            "{over} of {solid}"
        );
    }
}
