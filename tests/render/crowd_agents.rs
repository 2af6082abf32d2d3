//! Crowd agents, skinned at draw time, look like models that are deformed first.

use std::sync::{Arc, OnceLock};

use galatea::character::Definition;
use galatea::forge::mannequin::mannequin;
use galatea::render::{Gpu, Picture, RenderOptions, Renderer, SAME_PICTURE, difference};
use galatea::stage::frame::{Camera, DrawCrowd, DrawnAgent, Ground, Tint};
use galatea::stage::{Frame, Gaits};
use glam::{Quat, Vec3};

use super::{gpu, keep, renderer_with};

/// The mannequin's baked poses.
fn gaits() -> &'static Gaits {
    static GAITS: OnceLock<Gaits> = OnceLock::new();
    GAITS.get_or_init(|| {
        let definition = Arc::new(Definition::new(Arc::new(mannequin())));
        let clip = |name: &str| definition.clips.find(name);
        let clips = [clip("idle"), clip("walk"), clip("run")];
        Gaits::new(definition, clips)
    })
}

fn of_crowd() -> Frame {
    let gaits = gaits();
    let mut frame = Frame {
        ground: Some(Ground::default()),
        camera: Camera {
            eye: Vec3::new(2.0, 2.6, 6.5),
            target: Vec3::new(0.0, 0.7, 0.0),
            fov_y: 40.0,
        },
        ..Frame::default()
    };
    let person = |i: u32| {
        let (level, _) = (i as usize % gaits.levels.len(), i);
        let (poses, _) = gaits.poses(level, i as f32 * 0.137 % 1.0);
        // Every second one leans, like a flyer.
        let leans = Quat::from_rotation_x(0.3 * (i % 2) as f32);
        DrawnAgent {
            number: i,
            at: Vec3::new((i % 5) as f32 - 2.0, 0.0, (i / 5) as f32 - 1.5),
            turn: Quat::from_rotation_y(i as f32 * 0.7) * leans,
            scale: [0.9 + 0.04 * (i % 3) as f32, 0.9 + 0.03 * (i % 5) as f32],
            poses,
            pose_fraction: 0.0,
            level: (i / 5) as u8,
            // However small the picture is, its pixels show all details.
            apparent_size: 9.0,
            seed: i * 7919,
        }
    };
    frame.agents.extend((0..20).map(person));
    let colors = [Vec3::new(0.9, 0.3, 0.2), Vec3::new(0.2, 0.4, 0.9)];
    let tint = |material| Tint {
        material,
        colors: colors.to_vec(),
    };
    let n_materials = gaits.poses.model.materials.len() as u16;
    frame.crowds.push(DrawCrowd {
        poses: gaits.poses.clone(),
        tints: (0..n_materials).map(tint).collect(),
        agents: 0..20,
        instance: 1 << 40,
    });
    frame
}

fn draw(gpu: &Gpu, renderer: &mut Renderer, frame: &Frame, as_models: bool) -> Picture {
    renderer.draw_agents_as_models(if as_models { u8::MAX } else { 0 });
    let picture = renderer.draw_to_picture(gpu, frame, (320, 180), |_, _| {});
    assert_eq!(renderer.take_problems(), Vec::<String>::new());
    picture.expect("it is drawn")
}

#[test]
fn agents_look_like_models_in_the_same_positions_and_poses() {
    let Some(gpu) = gpu() else { return };
    for depth_first in [false, true] {
        let options = RenderOptions {
            depth_first,
            impostors_from: u8::MAX,
            ..RenderOptions::default()
        };
        let mut renderer = renderer_with(&gpu, options);
        // At a distance fewer joints move a vertex: the result is the same within the tolerance.
        let far = of_crowd();
        let models = draw(&gpu, &mut renderer, &far, true);
        let people = draw(&gpu, &mut renderer, &far, false);
        let unlike = difference(&models, &people).expect("they are as large");
        assert!(unlike.mean < SAME_PICTURE * 0.6, "{}", unlike.mean);
        let mut frame = far;
        for person in &mut frame.agents {
            person.level %= 2;
        }
        let models = draw(&gpu, &mut renderer, &frame, true);
        let people = draw(&gpu, &mut renderer, &frame, false);
        let (calls, drawn) = renderer.n_draws();
        assert!(drawn > 20 && calls * 3 < drawn * 2, "{calls} {drawn}");
        keep(&people, "people");
        keep(&models, "people_as_models");
        let unlike = difference(&models, &people).expect("they are as large");
        keep(&unlike.map, "people_unlike");
        assert!(unlike.mean < 0.0011, "{}", unlike.mean);
        // Invisible agents are not drawn, and tints change colours.
        let mut nobody = frame.clone();
        nobody.crowds.clear();
        let empty = draw(&gpu, &mut renderer, &nobody, false);
        assert!(difference(&people, &empty).expect("they are as large").mean > 0.05);
        let mut plain = frame.clone();
        plain.crowds[0].tints = Arc::new([]);
        let plain = draw(&gpu, &mut renderer, &plain, false);
        assert!(difference(&people, &plain).expect("they are as large").mean > 0.01);
    }
}

/// A picture of a quarter of the size; each pixel is the mean of sixteen.
fn coarse(picture: &Picture) -> Picture {
    let (width, height) = (picture.width / 4, picture.height / 4);
    let texel = |i: u32| {
        let (x, y) = (i % width * 4, i / width * 4);
        let at = move |k: u32| ((y + k / 4) * picture.width + x + k % 4) as usize * 4;
        let mean = |c: usize| {
            let sum: u32 = (0..16).map(|k| u32::from(picture.rgba[at(k) + c])).sum();
            (sum / 16) as u8
        };
        [mean(0), mean(1), mean(2), 255]
    };
    Picture {
        width,
        height,
        rgba: (0..width * height).flat_map(texel).collect(),
    }
}

#[test]
fn small_agents_are_impostors_with_the_same_look_and_shadow() {
    let Some(gpu) = gpu() else { return };
    let mut frame = of_crowd();
    for person in &mut frame.agents {
        person.level = 4;
        person.apparent_size = 0.03;
        person.at *= Vec3::new(2.0, 1.0, 6.0);
    }
    // Impostors support four colours.
    frame.crowds[0].tints = Arc::from(&frame.crowds[0].tints[..4]);
    frame.camera.eye = Vec3::new(6.0, 6.0, 36.0);
    frame.camera.fov_y = 20.0;
    let mut finer = frame.clone();
    for person in &mut finer.agents {
        person.level = 1;
        person.apparent_size = 9.0;
    }
    for msaa in [1, 4] {
        let options = |impostors_from| RenderOptions {
            impostors_from,
            msaa,
            ..RenderOptions::default()
        };
        let mut as_they_are = renderer_with(&gpu, options(u8::MAX));
        let mut squares = renderer_with(&gpu, options(3));
        let whole = draw(&gpu, &mut as_they_are, &finer, false);
        let coarsest = draw(&gpu, &mut as_they_are, &frame, false);
        let seen = draw(&gpu, &mut squares, &frame, false);
        keep(&whole, &format!("people_whole_{msaa}"));
        keep(&seen, &format!("people_squares_{msaa}"));
        assert_eq!(squares.n_draws(), (1, 20));
        // A shift by a pixel does not count as a difference.
        let unlike = |a: &Picture, b: &Picture| {
            let [a, b] = [a, b].map(coarse);
            difference(&a, &b).expect("they are as large").mean
        };
        // Missing agents differ far more than impostors do, and so do other colours.
        let mut nobody = frame.clone();
        nobody.crowds.clear();
        let nobody = draw(&gpu, &mut squares, &nobody, false);
        let mut plain = frame.clone();
        plain.crowds[0].tints = Arc::new([]);
        let plain = draw(&gpu, &mut squares, &plain, false);
        let off = [
            unlike(&seen, &whole),
            unlike(&nobody, &whole),
            unlike(&plain, &whole),
            unlike(&coarsest, &whole),
        ];
        assert!(off[0] * 3.0 < off[1], "{off:?}");
        assert!(off[0] * 1.8 < off[2], "{off:?}");
        // Impostors are more similar than the coarse bodies that they replace.
        assert!(off[0] * 1.5 < off[3], "{off:?}");

        // Nothing else casts shadows there.
        let options_without = RenderOptions {
            cascades: 0,
            ..options(3)
        };
        let mut without = renderer_with(&gpu, options_without);
        let unshadowed = draw(&gpu, &mut without, &frame, false);
        assert!(unlike(&unshadowed, &seen) > 0.1 * off[1]);

        // The result is repeatable, whatever was drawn in between, also on another renderer.
        let again = draw(&gpu, &mut squares, &frame, false);
        assert_eq!(seen, again);
        let mut turned = frame.clone();
        for person in &mut turned.agents {
            person.turn *= Quat::from_rotation_y(1.2);
        }
        let turned = draw(&gpu, &mut squares, &turned, false);
        assert!(unlike(&turned, &seen) > 0.1 * off[1]);
        let mut other = renderer_with(&gpu, options(3));
        assert_eq!(seen, draw(&gpu, &mut other, &frame, false));
    }
}

#[test]
fn between_two_poses_agents_are_in_neither() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let at = |share: f32, swapped: bool| {
        let mut frame = of_crowd();
        for person in &mut frame.agents {
            person.level = 0;
            person.poses[1] = person.poses[0].wrapping_add(9) % 20;
            person.pose_fraction = share;
            if swapped {
                person.poses.reverse();
            }
        }
        frame
    };
    let mut seen = |share, swapped| draw(&gpu, &mut renderer, &at(share, swapped), false);
    let unlike = |a: &Picture, b: &Picture| difference(a, b).expect("they are as large").mean;
    let (first, last) = (seen(0.0, false), seen(1.0, false));
    assert_eq!(first, seen(1.0, true));
    let (middle, other_way) = (seen(0.5, false), seen(0.5, true));
    assert!(unlike(&middle, &other_way) < 1e-4);
    assert!(unlike(&middle, &first) > 2e-3 && unlike(&middle, &last) > 2e-3);
}

#[test]
fn poses_that_are_not_there_are_left_out_and_others_drawn() {
    let Some(gpu) = gpu() else { return };
    let mut renderer = renderer_with(&gpu, RenderOptions::default());
    let mut frame = of_crowd();
    let whole = draw(&gpu, &mut renderer, &frame, false);
    let mut broken = (*frame.crowds[0].poses).clone();
    broken.stride += 1;
    frame.crowds.push(DrawCrowd {
        poses: Arc::new(broken),
        ..frame.crowds[0].clone()
    });
    frame.agents.push(DrawnAgent {
        at: Vec3::NAN,
        poses: [u32::MAX, 7],
        ..frame.agents[0]
    });
    frame.crowds[0].agents = 0..21;
    let drawn = draw(&gpu, &mut renderer, &frame, false);
    assert_eq!(whole, drawn);
}

#[test]
fn without_atlas_space_agents_are_drawn_as_bodies() {
    let Some(gpu) = gpu() else { return };
    // 128 texels high: 651 impostor pictures are cached.
    let options = RenderOptions {
        impostors_from: 2,
        msaa: 1,
        cascades: 0,
        occlusion: 0,
        ..RenderOptions::default()
    };
    let draw = |renderer: &mut Renderer, frame: &Frame| {
        renderer.draw_agents_as_models(0);
        let drawn = renderer.draw_to_picture(&gpu, frame, (160, 1280), |_, _| {});
        (drawn.expect("it is drawn"), renderer.n_draws())
    };
    // The position in the atlas affects the last bits of the texture coordinates.
    let unlike = |a: &Picture, b: &Picture| difference(a, b).expect("they are as large").mean;
    let base = of_crowd();
    let mut poses = base.crowds[0].poses.stand_ins.clone();
    poses.dedup();
    // Each agent has its own pose or view angle.
    let people = |first: usize| {
        let mut frame = base.clone();
        frame.camera = Camera {
            eye: Vec3::new(0.0, 200.0, 400.0),
            target: Vec3::ZERO,
            fov_y: 40.0,
        };
        let person = |i: usize| DrawnAgent {
            number: i as u32,
            at: Vec3::new((i % 20) as f32 - 10.0, 0.0, (i / 20) as f32 - 15.0),
            turn: Quat::from_rotation_y((i % 16) as f32 * 22.5_f32.to_radians()),
            scale: [1.0; 2],
            poses: [poses[(first + i) / 16]; 2],
            level: 2,
            ..base.agents[0]
        };
        frame.agents = (0..600).map(person).collect();
        frame.crowds[0].agents = 0..600;
        frame
    };
    assert!(poses.len() * 16 >= 1208, "{}", poses.len());
    let (some, others) = (people(0), people(608));
    let mut renderer = renderer_with(&gpu, options);
    assert_eq!(draw(&mut renderer, &some).1, (1, 600));
    let (_, (calls, drawn)) = draw(&mut renderer, &others);
    assert!(calls > 1 && drawn > 600, "{calls} {drawn}");
    for _ in 0..2 {
        draw(&mut renderer, &others);
    }
    let (seen, draws) = draw(&mut renderer, &others);
    assert_eq!(draws, (1, 600));
    let anew = draw(&mut renderer_with(&gpu, options), &others).0;
    assert!(unlike(&seen, &anew) < 1e-4, "{}", unlike(&seen, &anew));
}
