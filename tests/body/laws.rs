//! Newton's laws as the bodies follow them.

use galatea::asset::PrimitiveMesh;
use galatea::physics::{CollisionShape, ForceField, ForceFieldKind, PropBodySettings, RigidFrame};
use galatea::stage::{Handle, Stage};
use glam::{Quat, Vec3};

use super::scenes::{at, loose, put, run};

/// A stage without gravity.
fn empty() -> Stage {
    let mut stage = Stage::default();
    stage.physics.gravity = Vec3::ZERO;
    stage
}

fn ball(stage: &mut Stage, radius: f32, x: f32, mass: f32) -> Handle {
    let options = PropBodySettings {
        damping: [0.0, 0.0],
        restitution: Some(1.0),
        friction: Some(0.0),
        ..loose(mass)
    };
    put(
        stage,
        PrimitiveMesh::Sphere(radius),
        at(x, 5.0, 0.0),
        options,
    )
}

fn velocity(stage: &Stage, who: Handle) -> Vec3 {
    stage.characters.get(who).unwrap().body.velocity().linear
}

fn force(stage: &mut Stage, region: Option<CollisionShape>, push: ForceFieldKind) {
    let at = RigidFrame {
        position: Vec3::Y * 5.0,
        ..RigidFrame::IDENTITY
    };
    let id = stage.ids.new_id();
    let force = ForceField::new(region, at, push, u32::MAX);
    stage.physics.forces.push((id, force));
}

/// Newton's first and second laws: nothing changes without a force, and a = F/m.
#[test]
fn speed_changes_by_force_over_mass_and_by_nothing_else() {
    let mut stage = empty();
    let (light, heavy) = (
        ball(&mut stage, 0.1, 0.0, 2.0),
        ball(&mut stage, 0.1, -3.0, 10.0),
    );
    force(&mut stage, None, ForceFieldKind::Force(Vec3::X * 6.0));
    run(&mut stage, 1.0);
    assert!((velocity(&stage, light).x - 3.0).abs() < 1e-3);
    assert!((velocity(&stage, heavy).x - 0.6).abs() < 1e-3);
    stage.physics.forces.clear();
    run(&mut stage, 1.0);
    assert!(
        (velocity(&stage, light).x - 3.0).abs() < 1e-3,
        "its velocity stays"
    );
}

/// Newton's third law: the forces of two bodies on each other are equal and opposite.
#[test]
fn collisions_conserve_momentum_and_energy() {
    let mut stage = empty();
    let (a, b) = (
        ball(&mut stage, 0.2, -1.0, 1.0),
        ball(&mut stage, 0.2, 1.0, 3.0),
    );
    stage.bodies().push(a, Vec3::X * 4.0, None);
    run(&mut stage, 1.0);
    let (va, vb) = (velocity(&stage, a).x, velocity(&stage, b).x);
    // An elastic collision: -u/2 and u/2 for masses of 1 and 3.
    assert!((va + 3.0 * vb - 4.0).abs() < 1e-3, "{va} {vb}");
    assert!(
        (va + 2.0).abs() < 0.05 && (vb - 2.0).abs() < 0.02,
        "{va} {vb}"
    );
}

/// Forces add as vectors.
#[test]
fn forces_add_up_and_equal_and_opposite_ones_cancel() {
    let mut stage = empty();
    let one = ball(&mut stage, 0.1, 0.0, 1.0);
    force(&mut stage, None, ForceFieldKind::Force(Vec3::X * 5.0));
    force(&mut stage, None, ForceFieldKind::Force(Vec3::NEG_X * 5.0));
    force(&mut stage, None, ForceFieldKind::Force(Vec3::Y * 2.0));
    run(&mut stage, 0.5);
    let velocity = velocity(&stage, one);
    assert!(velocity.distance(Vec3::Y) < 1e-3, "{velocity}");
}

/// Point gravity falls with the square of the distance, independent of the mass; orbits close.
#[test]
fn bodies_orbit_a_planet() {
    let mut stage = empty();
    let moon = ball(&mut stage, 0.1, 4.0, 7.0);
    let pull = ForceFieldKind::Attractor {
        at: Vec3::Y * 5.0,
        strength: 64.0,
    };
    force(&mut stage, None, pull);
    // v² = strength / distance: one orbit in 2π · 4 / 4 seconds.
    stage.bodies().push(moon, Vec3::NEG_Z * 7.0 * 4.0, None);
    let round = f64::from(std::f32::consts::TAU);
    run(&mut stage, round / 4.0);
    let place = |stage: &Stage| stage.characters.get(moon).unwrap().placement.position;
    assert!(
        place(&stage).distance(Vec3::new(0.0, 5.0, -4.0)) < 0.15,
        "{}",
        place(&stage)
    );
    run(&mut stage, round * 0.75);
    assert!(
        place(&stage).distance(Vec3::new(4.0, 5.0, 0.0)) < 0.35,
        "{}",
        place(&stage)
    );
}

/// An impulse through the centre only moves a body; off-centre it also rotates it: ω = r × J / I.
#[test]
fn an_off_centre_impulse_moves_as_much_and_also_rotates() {
    let mut stage = empty();
    let (a, b) = (
        ball(&mut stage, 0.5, 0.0, 2.0),
        ball(&mut stage, 0.5, 3.0, 2.0),
    );
    let blow = Vec3::Z * 3.0;
    stage.bodies().push(a, blow, Some(Vec3::new(0.0, 5.0, 0.5)));
    stage.bodies().push(b, blow, Some(Vec3::new(3.3, 5.0, 0.0)));
    let [a, b] = [a, b].map(|who| stage.characters.get(who).unwrap().body.velocity());
    assert!(a.linear.distance(Vec3::Z * 1.5) < 1e-4 && a.angular.length() < 1e-4);
    assert!(b.linear.distance(Vec3::Z * 1.5) < 1e-4);
    let inertia = 0.4 * 2.0 * 0.5 * 0.5;
    assert!(
        (b.angular - Vec3::X.cross(blow) * 0.3 / inertia).length() < 1e-3,
        "{}",
        b.angular
    );
}

/// Rotations are unit quaternions, and stay so.
#[test]
fn rotation_equals_angular_velocity_times_time() {
    let mut stage = empty();
    let one = ball(&mut stage, 0.3, 0.0, 1.0);
    let axis = Vec3::new(0.2, 0.6, -0.3).normalize();
    let spin = galatea::physics::Velocity {
        linear: Vec3::ZERO,
        angular: axis * 1.5,
    };
    stage.bodies().set_velocity(one, spin);
    run(&mut stage, 10.0);
    let turned = stage.characters.get(one).unwrap().placement.rotation();
    let wanted = Quat::from_axis_angle(axis, 15.0);
    assert!((turned.length() - 1.0).abs() < 1e-5);
    assert!(
        turned.angle_between(wanted) < 0.02,
        "{}",
        turned.angle_between(wanted)
    );
}

/// A point is in an axis-aligned box if it is between both corners along each axis.
#[test]
fn a_force_acts_in_its_box_and_nowhere_else() {
    let mut stage = empty();
    let inside = ball(&mut stage, 0.1, 0.9, 1.0);
    let outside = ball(&mut stage, 0.1, 1.1, 1.0);
    let region = CollisionShape::Box(Vec3::new(1.0, 0.5, 0.5));
    force(
        &mut stage,
        Some(region),
        ForceFieldKind::Acceleration(Vec3::Z),
    );
    run(&mut stage, 0.2);
    assert!(velocity(&stage, inside).z > 0.15);
    assert_eq!(velocity(&stage, outside).z, 0.0);
}
