//! Post-processing: each part is visible in the picture.

use galatea::render::{Picture, RenderOptions};
use galatea::stage::Frame;
use galatea::stage::frame::{AutoExposure, Fog, Grade, ToneMap};
use glam::Vec3;

use super::scenes::{SIZE, draw, largest_difference, lit_scene, local_light};
use super::{gpu, keep, renderer_with};

type Change = fn(&mut Frame);

#[test]
fn every_part_of_post_processing_is_visible_in_the_picture() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let before = draw(&gpu, &mut renderer, &lit_scene());
    keep(&before, "look");
    let changes: [(&str, Change); 19] = [
        ("bloom", |f| f.post_processing.bloom = 0.3),
        ("occlusion", |f| f.post_processing.ambient_occlusion = 0.0),
        ("contact shadows", |f| {
            f.post_processing.contact_shadows = 0.0
        }),
        ("exposure", |f| f.post_processing.exposure = 1.0),
        ("auto exposure", |f| {
            f.post_processing.exposure = -1.0;
            f.post_processing.auto_exposure = Some(AutoExposure::default());
        }),
        ("aces", |f| f.post_processing.tonemap = ToneMap::Aces),
        ("agx", |f| f.post_processing.tonemap = ToneMap::Agx),
        ("plain", |f| f.post_processing.tonemap = ToneMap::Linear),
        ("fog", |f| {
            f.post_processing.fog = Fog {
                density: 0.1,
                ..Fog::default()
            }
        }),
        ("low fog", |f| {
            f.post_processing.fog = Fog {
                density: 0.3,
                height: 0.3,
                ..Fog::default()
            }
        }),
        ("contrast", |f| {
            f.post_processing.grade = Grade {
                contrast: 1.4,
                ..Grade::default()
            }
        }),
        ("saturation", |f| {
            f.post_processing.grade = Grade {
                saturation: 0.0,
                ..Grade::default()
            }
        }),
        ("warmth", |f| {
            f.post_processing.grade = Grade {
                temperature: 0.6,
                ..Grade::default()
            }
        }),
        ("vignette", |f| {
            f.post_processing.grade = Grade {
                vignette: 0.8,
                ..Grade::default()
            }
        }),
        ("tint", |f| f.post_processing.grade.tint = 0.6),
        ("dark parts", |f| {
            f.post_processing.grade.shadow_tint = Vec3::new(0.0, 0.05, 0.15)
        }),
        ("bright parts", |f| {
            f.post_processing.grade.highlight_tint = Vec3::new(1.0, 0.8, 0.6)
        }),
        ("haze of the sun", |f| f.light.sun_source_angle = 12.0),
        ("lamp", |f| {
            f.light.local_lights = vec![local_light(Vec3::new(0.5, 0.8, 0.8), 1.0)]
        }),
    ];
    for (name, change) in changes {
        let mut frame = lit_scene();
        change(&mut frame);
        let picture = draw(&gpu, &mut renderer, &frame);
        keep(&picture, &format!("look {name}"));
        let difference = largest_difference(&before, &picture);
        assert!(difference >= 12, "{name} changes nothing: {difference}");
    }
}

#[test]
fn an_eye_adapts_to_a_dark_picture_at_once_and_to_a_change_slowly() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let mut frame = lit_scene();
    // Removes the emissive lamp model.
    frame.models.pop();
    frame.post_processing.auto_exposure = Some(AutoExposure::default());
    let mean = |picture: &Picture| {
        let sum: u64 = picture.rgba.chunks_exact(4).map(|t| u64::from(t[1])).sum();
        sum as f32 / (SIZE.0 * SIZE.1) as f32
    };
    let bright = mean(&draw(&gpu, &mut renderer, &frame));
    let dim = |frame: &mut Frame, factor: f32| {
        let light = &mut frame.light;
        for color in [
            &mut light.sun_color,
            &mut light.sky_zenith,
            &mut light.sky_horizon,
            &mut light.sky_ground,
        ] {
            *color *= factor;
        }
    };
    dim(&mut frame, 0.1);
    frame.time = 1.0 / 60.0;
    let first = mean(&draw(&gpu, &mut renderer, &frame));
    frame.time = 1.9;
    let later = mean(&draw(&gpu, &mut renderer, &frame));
    frame.time = 60.0;
    let adapted = mean(&draw(&gpu, &mut renderer, &frame));
    assert!(first < 0.6 * bright, "{first} {later} {adapted} {bright}");
    assert!(
        first < later && later <= adapted + 0.5,
        "{first} {later} {adapted}"
    );
    assert!((adapted / bright - 1.0).abs() < 0.05, "{adapted} {bright}");
}

#[test]
fn the_alpha_of_clear_pictures_shows_the_models() {
    let Some(gpu) = gpu() else { return };
    let options = RenderOptions {
        transparent: true,
        ..RenderOptions::default()
    };
    let mut renderer = renderer_with(&gpu, options);
    let picture = draw(&gpu, &mut renderer, &lit_scene());
    let alpha = |x: u32, y: u32| picture.rgba[((y * SIZE.0 + x) * 4 + 3) as usize];
    assert_eq!((alpha(2, 2), alpha(2, 250)), (0, 0));
    assert_eq!(alpha(128, 128), 255);
    let half = picture
        .rgba
        .chunks_exact(4)
        .filter(|t| (1..255).contains(&t[3]));
    assert!(half.count() > 50, "edges are soft");
}

#[test]
fn passes_are_timed_where_the_device_has_a_clock() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    if !renderer.time_passes(&gpu) {
        return;
    }
    draw(&gpu, &mut renderer, &lit_scene());
    let times = renderer.pass_times(&gpu).unwrap();
    for name in [
        "deform",
        "sun shadows",
        "occlusion",
        "lit",
        "bloom",
        "output",
    ] {
        let found = times.iter().find(|(known, _)| *known == name);
        assert!(found.is_some_and(|(_, ms)| *ms > 0.0), "{name}: {times:?}");
    }
}
