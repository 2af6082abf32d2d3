//! A character without its head, as its own first-person camera sees it.

use std::path::Path;
use std::sync::Arc;

use galatea::asset::Project;
use galatea::asset::gltf::load;
use galatea::asset::model::SeenFrom;
use galatea::character::{Definition, Placement};
use galatea::stage::frame::Camera;
use galatea::stage::{CameraTarget, Frame, Stage};
use glam::Vec3;

use super::scenes::{SIZE, draw};
use super::{gpu, keep, renderer, sessions};

/// The hat is part of the same model, and comes first.
const SCRIPT: &str = "hat = character 'assets/mannequin.glb'
    hero = character 'assets/mannequin.glb'
    hero:attach(hat, 'head', { scale = 0.1, offset = vector.create(0, 0.3, 0) })
    light.sun { yaw = 70, pitch = 42, source_angle = 0.5 }
    camera.first_person(hero, { pitch = 65, fov = 90 })";

/// The pixel of a world position.
fn pixel_of(frame: &Frame, point: Vec3) -> usize {
    let p = frame.camera.view_from_world().transform_point3(point);
    let tan = (frame.camera.fov_y.to_radians() * 0.5).tan();
    let half = SIZE.1 as f32 * 0.5;
    let at = |part: f32| (part / (-p.z * tan) * half) as i32;
    let (x, y) = (at(p.x) + SIZE.0 as i32 / 2, SIZE.1 as i32 / 2 - at(p.y));
    (y * SIZE.0 as i32 + x) as usize * 4
}

#[test]
fn head_and_headwear_are_hidden_in_first_person_but_cast_shadows() {
    let Some(gpu) = gpu() else { return };
    let folder = std::env::temp_dir().join(format!("galatea-eyes-{}", std::process::id()));
    for sub in ["scripts", "assets"] {
        std::fs::create_dir_all(folder.join(sub)).unwrap();
    }
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/mannequin.glb");
    std::fs::copy(model, folder.join("assets/mannequin.glb")).unwrap();
    std::fs::write(folder.join("scripts/main.lua"), SCRIPT).unwrap();
    let mut session = sessions::open(Project::open(&folder).unwrap());
    for _ in 0..3 {
        sessions::tick(&mut session);
    }
    let mut renderer = renderer(&gpu);
    let mut frame = Frame::default();
    session.stage.snapshot(1.0, &mut frame);
    let eye = frame.camera.eye;
    assert!((1.4..1.8).contains(&eye.y), "{eye}");
    keep(&draw(&gpu, &mut renderer, &frame), "own eyes");
    assert!(frame.models.iter().all(|model| model.headless.is_some()));

    // The same from the side, with its head and without.
    frame.camera = Camera {
        eye: Vec3::new(0.5, 2.2, 4.5),
        target: Vec3::new(-0.5, 0.8, 0.0),
        fov_y: 40.0,
    };
    let without = draw(&gpu, &mut renderer, &frame);
    keep(&without, "no head");
    for model in &mut frame.models {
        model.headless = None;
    }
    let whole = draw(&gpu, &mut renderer, &frame);
    keep(&whole, "with head");
    let sun = frame.light.sun_direction.normalize();
    let head = eye - Vec3::Z * 0.08;
    let shade = head - sun * (head.y / sun.y);
    let color = |picture: &galatea::render::Picture, point: Vec3| -> [i32; 3] {
        let at = pixel_of(&frame, point);
        [0, 1, 2].map(|i| i32::from(picture.rgba[at + i]))
    };
    let apart = |a: [i32; 3], b: [i32; 3]| (0..3).map(|i| (a[i] - b[i]).abs()).max().unwrap();
    assert!(apart(color(&whole, head), color(&without, head)) > 20);
    let hat = eye + Vec3::Y * 0.32;
    assert!(apart(color(&whole, hat), color(&without, hat)) > 20);
    for same in [Vec3::new(0.0, 1.1, 0.0), shade] {
        assert!(
            apart(color(&whole, same), color(&without, same)) <= 1,
            "{same}"
        );
    }
    let lit = color(&whole, shade + Vec3::new(0.0, 0.0, -0.6));
    assert!(lit[1] - color(&whole, shade)[1] > 20, "a shadow is there");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn first_person_meshes_and_third_person_meshes_are_exclusive() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/mannequin.glb");
    let mut model = load(Path::new(file)).unwrap();
    let of_part = model.parts[0].clone();
    model.parts.push(of_part);
    let other = model.parts.iter().map(|part| part.bone).max().unwrap() - 1;
    model.parts[1].bone = other;
    let own = model.parts[0].bone;
    model.seen_from = vec![(own, SeenFrom::OwnEyes), (other, SeenFrom::Outside)];
    model.seen_from.sort_by_key(|(bone, _)| *bone);
    let definition = Arc::new(Definition::new(Arc::new(model)));
    let mut stage = Stage::default();
    let who = stage.add_character(definition, "x", None, Placement::default());
    let drawn = |stage: &Stage| {
        let mut frame = Frame::default();
        stage.snapshot(1.0, &mut frame);
        let model = &frame.models[0];
        let nothing = |part: usize| {
            let bare = model.headless.as_ref()?.triangles(part, 0)?;
            Some(bare.is_empty())
        };
        [0, 1].map(|part| model.shows(part) && nothing(part) != Some(true))
    };
    assert_eq!(drawn(&stage), [false, true]);
    stage.camera.set.target = CameraTarget::Eyes(who);
    assert_eq!(drawn(&stage), [true, false]);
}
