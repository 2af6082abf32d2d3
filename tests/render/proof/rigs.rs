//! Light rigs by name.

use galatea::stage::frame::Camera;
use galatea::stage::frame::Ground;
use galatea::stage::{Frame, LightRigPlacement, RIGS, Stage, light_by};
use glam::Vec3;

use super::super::scenes::{bare, put};
use super::super::shapes::figure;
use super::{Row, row};

/// Applies the last rig after the ones before it.
fn lit_by(frame: &mut Frame, rigs: &[&str]) {
    let mut stage = Stage::default();
    let place = LightRigPlacement {
        at: Vec3::Y * 0.9,
        yaw: 0.0,
        size: 1.8,
        strength: 1.0,
    };
    for rig in rigs {
        assert!(
            light_by(
                &mut stage.lighting,
                &mut stage.picture.post_processing,
                rig,
                place
            ),
            "{rig}"
        );
    }
    frame.post_processing = stage.picture.post_processing;
    frame.light.clone_from(&stage.lighting.light);
    frame.light.local_lights = stage
        .lighting
        .local_lights
        .iter()
        .map(|(_, lamp)| lamp.local_light)
        .collect();
}

/// A figure from the hips up.
fn figure_by(rigs: &[&str]) -> Frame {
    let mut frame = bare();
    lit_by(&mut frame, rigs);
    frame.ground = Some(Ground::default());
    frame.camera = Camera {
        eye: Vec3::new(0.6, 1.5, 2.7),
        target: Vec3::new(0.0, 1.3, 0.0),
        fov_y: 26.0,
    };
    put(&mut frame, figure(0));
    frame
}

pub fn rows() -> Vec<Row> {
    let rows = RIGS.iter().map(|rig| {
        // Noon is the initial state, so it is tested after another rig.
        let before = if *rig == "noon" { "night" } else { "noon" };
        row(
            &format!("the rig {rig}"),
            move || figure_by(&[before, rig]),
            move |f| lit_by(f, &[before]),
        )
    });
    rows.collect()
}
