//! Objects that stick where their tip enters, such as arrows.

use glam::{Affine3A, Vec3};

use super::event::{Event, EventKind, StickEvent};
use super::hits::Hit;
use super::knocks::{apply_hit, reacts_to_objects};
use super::script::Script;
use super::{Handle, Stage};
use galatea_character::{Attachment, Character, Placement};
use galatea_math::Trs;
use galatea_physics::{BodyType, PropBody, RigidFrame, Velocity};

/// Minimum speed at which an object sticks, metres per second.
const MIN_STICK_SPEED: f32 = 2.0;
/// Penetration depth in metres, and its limit as a fraction of the object's length.
const DEPTH: (f32, f32) = (0.06, 0.3);

/// Movement of an object in the last tick.
struct Flight {
    /// Pose before the tick.
    was: RigidFrame,
    /// Position of the tip before and after the tick, world space.
    tip: [Vec3; 2],
    along: Vec3,
    speed: f32,
    /// Distance from origin to tip, metres.
    reach: f32,
    depth: f32,
}

impl Flight {
    fn of(character: &Character, dt: f32) -> Option<Self> {
        let solid = character.body.prop_body.as_ref()?;
        let flies = solid.options.stick_on_hit
            && solid.options.body_type == BodyType::Dynamic
            && character.attachment.is_none()
            && solid.body().is_some();
        let speed = solid.velocity_before.linear.length();
        if !flies || speed < MIN_STICK_SPEED {
            return None;
        }
        let along = solid.velocity_before.linear / speed;
        let was = RigidFrame::of_bone(character.posed.world[1]);
        let own = was.rotation.conjugate() * along;
        let [back, reach] = extent(solid, own).map(|far| far * character.placement.scale);
        let tip = was.position + along * reach;
        Some(Self {
            was,
            tip: [tip - along * 0.02, tip + along * (speed * dt + 0.02)],
            along,
            speed,
            reach,
            depth: DEPTH.0.min(DEPTH.1 * (reach - back)),
        })
    }
}

/// Extent of a solid along a direction in its own space: minimum and maximum.
fn extent(solid: &PropBody, along: Vec3) -> [f32; 2] {
    let (mut min, mut max) = (f32::INFINITY, f32::NEG_INFINITY);
    for piece in solid.options.pieces.iter() {
        let [low, high] = piece.shape.bounds();
        for i in 0..8 {
            let pick = |axis: usize| {
                if i >> axis & 1 == 1 {
                    high[axis]
                } else {
                    low[axis]
                }
            };
            let far = piece
                .at
                .point(Vec3::new(pick(0), pick(1), pick(2)))
                .dot(along);
            (min, max) = (min.min(far), max.max(far));
        }
    }
    if min > max { [0.0; 2] } else { [min, max] }
}

/// Entry point of a tip: position, character and bone.
struct StuckTip {
    at: Vec3,
    of: Option<(Handle, u16)>,
}

fn into(stage: &Stage, arrow: Handle, flight: &Flight) -> Option<StuckTip> {
    let [from, to] = flight.tip;
    let mut best = 1.0;
    let mut found = None;
    if let Some(height) = stage.floor.collision_height
        && from.y > height
        && to.y <= height
    {
        best = (from.y - height) / (from.y - to.y);
        found = Some(StuckTip {
            at: from.lerp(to, best),
            of: None,
        });
    }
    for (handle, character) in stage.characters.iter() {
        let passes = character
            .body
            .prop_body
            .as_ref()
            .is_some_and(|solid| solid.options.stick_on_hit || solid.options.sensor);
        if handle == arrow || passes {
            continue;
        }
        let (met, _) = character.trace(from, to);
        if let Some(met) = met.filter(|met| met.u < best) {
            best = met.u;
            found = Some(StuckTip {
                at: met.position,
                of: Some((handle, met.bone)),
            });
        }
    }
    found
}

/// Sticks objects with a tip that entered something. Call it after all world matrices are computed.
pub(super) fn stick(stage: &mut Stage, script: &mut dyn Script) {
    let dt = stage.clock.dt as f32;
    let flights: Vec<(Handle, Flight)> = stage
        .characters
        .iter()
        .filter_map(|(handle, character)| Some((handle, Flight::of(character, dt)?)))
        .collect();
    for (arrow, flight) in flights {
        if let Some(into) = into(stage, arrow, &flight) {
            hold(stage, script, arrow, &flight, &into);
        }
    }
}

fn hold(
    stage: &mut Stage,
    script: &mut dyn Script,
    arrow: Handle,
    flight: &Flight,
    into: &StuckTip,
) {
    let bone_now = into.of.and_then(|(holder, bone)| {
        let holder = stage.characters.get(holder)?;
        Some(holder.posed.world[0] * *holder.posed.model_from_bone.get(usize::from(bone))?)
    });
    let Some(character) = stage.characters.get_mut(arrow) else {
        return;
    };
    let position = into.at + flight.along * (flight.depth - flight.reach);
    let placement = Placement {
        position,
        ..character.placement.turned(flight.was.rotation)
    };
    character.placement = placement;
    let world = placement.to_affine();
    let own = character.body.prop_body.as_mut().map(|solid| {
        solid.velocity = Velocity::default();
        (solid.options.clone(), solid.body())
    });
    let Some((options, body)) = own else {
        return;
    };
    let mass = body.map_or(0.0, |body| stage.physics.world.mass(body));
    match (into.of, bone_now) {
        (Some((holder, bone)), Some(bone_now)) if bone_now.matrix3.determinant() != 0.0 => {
            character.attachment = Some(attachment(holder, bone, bone_now, world, placement.scale));
            character.posed.world[0] = world;
            let impulse = flight.along * flight.speed * mass;
            let hit = Hit {
                bone,
                position: Some(into.at),
                impulse,
                damage: 0.0,
                other: Some(arrow),
            };
            if stage.characters.get(holder).is_some_and(reacts_to_objects) {
                apply_hit(stage, script, holder, &hit);
            } else {
                stage.bodies().push(holder, impulse, Some(into.at));
            }
        }
        _ => {
            character.posed.world[0] = world;
            let stays = galatea_physics::PropBodySettings {
                body_type: BodyType::Static,
                ..options
            };
            // Rebuilding a solid that existed before cannot fail.
            let _ = stage
                .bodies()
                .set_prop_body(arrow, Some(stays), Velocity::default());
        }
    }
    let event = StickEvent {
        other: into.of.map(|(holder, _)| holder),
        bone: into.of.map(|(_, bone)| bone),
        position: into.at,
        speed: flight.speed,
    };
    let time = stage.time() + stage.clock.dt;
    let kind = EventKind::Stick(Box::new(event));
    stage.events.push(Event::new(arrow, time, kind));
}

fn attachment(
    holder: Handle,
    bone: u16,
    bone_now: Affine3A,
    world: Affine3A,
    scale: f32,
) -> Attachment {
    let (local, _) = Trs::from_matrix((bone_now.inverse() * world).into());
    Attachment {
        holder,
        bone,
        offset: local.translation,
        rotation: local.rotation,
        scale: local.scale.y / scale,
    }
}
