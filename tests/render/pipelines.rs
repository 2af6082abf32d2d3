//! Pipelines compiled in the background: nothing is missing meanwhile, and the final picture is the same.

use std::time::{Duration, Instant};

use galatea::render::{Gpu, Picture, RenderOptions, Renderer};
use galatea::stage::Frame;
use glam::Vec3;

use super::scenes::{lit_scene, local_light};
use super::{gpu, renderer_with};

fn draw(gpu: &Gpu, renderer: &mut Renderer, frame: &Frame) -> Picture {
    let picture = renderer.draw_to_picture(gpu, frame, (160, 90), |_, _| {});
    assert_eq!(renderer.take_problems(), Vec::<String>::new());
    picture.unwrap()
}

/// Number of pixels that differ by more than three steps in any channel.
fn n_different(a: &Picture, b: &Picture) -> usize {
    let pixels = a.rgba.chunks_exact(4).zip(b.rgba.chunks_exact(4));
    pixels
        .filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 3))
        .count()
}

#[test]
fn new_content_is_drawn_at_once_and_finally_without_differences() {
    let Some(gpu) = gpu() else { return };
    let mut waiting = renderer_with(&gpu, RenderOptions::default());
    let mut beside = renderer_with(&gpu, RenderOptions::default());
    beside.wait_for_pipelines(false);
    let plain = lit_scene();
    let first = draw(&gpu, &mut beside, &plain);
    assert_eq!(beside.pipelines_in_work(), 0, "the first picture waits");
    assert_eq!(first, draw(&gpu, &mut waiting, &plain));
    // General pipelines are used from the second picture on.
    settle(&gpu, &mut beside, &plain);

    let mut changed = lit_scene();
    changed.light.local_lights = vec![local_light(Vec3::new(0.5, 1.5, 1.0), 3.0)];
    changed.post_processing.fog.density = 0.05;
    changed.post_processing.grade.contrast = 1.2;
    let wanted = draw(&gpu, &mut waiting, &changed);
    assert!(n_different(&wanted, &first) > 5000, "the change is seen");
    let at_once = draw(&gpu, &mut beside, &changed);
    // General pipelines also support lights, fog and grading. They evaluate occlusion everywhere, which gives only noise
    // here.
    let n = n_different(&at_once, &wanted);
    assert!(n < 60, "{n} pixels differ");
    settle(&gpu, &mut beside, &changed);
    assert_eq!(draw(&gpu, &mut beside, &changed), wanted);
}

#[test]
fn the_first_picture_of_a_project_is_complete_after_those_of_its_loading() {
    let Some(gpu) = gpu() else { return };
    let mut waiting = renderer_with(&gpu, RenderOptions::default());
    let mut window = renderer_with(&gpu, RenderOptions::default());
    // Nothing is visible while the project loads.
    draw(&gpu, &mut window, &Frame::default());
    draw(&gpu, &mut window, &Frame::default());
    let plain = lit_scene();
    assert_eq!(
        draw(&gpu, &mut window, &plain),
        draw(&gpu, &mut waiting, &plain)
    );
    assert_eq!(window.pipelines_in_work(), 0);
}

#[test]
fn a_continuing_scene_recreates_no_pipelines() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    renderer.wait_for_pipelines(false);
    let mut frame = lit_scene();
    settle(&gpu, &mut renderer, &frame);
    let made = renderer.n_pipelines();
    for step in 1..20 {
        frame.camera.eye += Vec3::new(0.1, 0.02, -0.05);
        frame.light.sun_direction.x += 0.01 * step as f32;
        draw(&gpu, &mut renderer, &frame);
        assert_eq!((renderer.pipelines_in_work(), step), (0, step));
    }
    assert_eq!(renderer.n_pipelines(), made);
}

/// Draws until all pending pipelines are compiled.
fn settle(gpu: &Gpu, renderer: &mut Renderer, frame: &Frame) {
    let end = Instant::now() + Duration::from_secs(120);
    draw(gpu, renderer, frame);
    draw(gpu, renderer, frame);
    while renderer.pipelines_in_work() > 0 {
        assert!(Instant::now() < end, "pipelines are never made");
        std::thread::sleep(Duration::from_millis(20));
        draw(gpu, renderer, frame);
    }
}
