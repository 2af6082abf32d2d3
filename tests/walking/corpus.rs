//! Characters of real files walk.

use std::path::PathBuf;
use std::sync::Arc;

use galatea::asset::gltf;
use galatea::character::{Definition, Placement};
use galatea::physics::{ControllerSettings, ControllerTickEvent};
use glam::Vec3;

use crate::yard::Yard;

#[test]
fn corpus_fox_and_knight_walk_over_stairs() {
    let Some(corpus) = std::env::var_os("GALATEA_CORPUS").map(PathBuf::from) else {
        eprintln!("skipped: GALATEA_CORPUS is not set");
        return;
    };
    for (path, tall) in [
        (
            "01_characters/khronos-samples-via-bevy/animated/Fox.glb",
            0.7,
        ),
        (
            "01_characters/kaykit-adventurers/Characters/gltf/Knight.glb",
            1.9,
        ),
    ] {
        let model = gltf::load(&corpus.join(path)).unwrap();
        let definition = Arc::new(Definition::new(Arc::new(model)));
        let [low, high] = definition.rest_box;
        let scale = tall / (high.y - low.y);
        let mut yard = Yard::new(60.0);
        yard.stairs(Vec3::new(3.0, 0.0, 1.0), 6, 0.12, 0.3);
        yard.block(Vec3::new(3.0, 0.36, 4.8), Vec3::new(2.0, 0.72, 4.0));
        let options = ControllerSettings {
            max_step_height: 0.2 / scale,
            ..ControllerSettings::fitted(definition.rest_box, definition.trunk_box)
        };
        let spawn = Placement {
            position: Vec3::new(3.0, 0.0, -0.5),
            scale,
            ..Placement::default()
        };
        yard.hero = yard.stage.add_character(definition, path, None, spawn);
        yard.stage
            .bodies()
            .set_controller(yard.hero, Some(options))
            .unwrap();
        yard.wish(Vec3::Z * 1.5);
        yard.run(3.5);
        let at = yard.hero().placement.position;
        let soles = at.y + low.y * scale;
        assert!((soles - 0.72).abs() < 0.01, "{path}: {at}");
        assert!(at.z > 3.5, "{path}: {at}");
        let told = yard.told();
        let steps = told
            .iter()
            .filter(|w| matches!(w, ControllerTickEvent::StepUp { .. }));
        assert_eq!(steps.count(), 6, "{path}: {told:?}");
        assert!(
            yard.hero().placement.yaw.abs() < 1.0,
            "it faces where it goes"
        );
    }
}
