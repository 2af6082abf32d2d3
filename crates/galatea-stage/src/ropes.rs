//! Two-way ropes: rope joints between the rigid bodies at the ends of ropes and cloth.
//!
//! The particles of a rope follow its ends. A joint in the physics world keeps the ends together: before each physics step
//! its maximum length is set to the length of the rope between them.

use glam::Vec3;

use super::physics::{Physics, StageTie};
use super::{Arena, Drives, FabricPin, Handle, StageFabric};
use galatea_character::{Character, LimbState};
use galatea_physics::particles::{path_length, taut_path};
use galatea_physics::{BodyId, BodyType, PhysicsWorld, TieEnd};

/// Still time given to a hanging ragdoll, seconds, so that it does not sleep.
const STILL_TIME: f32 = 0.15;
/// Maximum shortening per tick of a rope that bends around something, beyond the movement of its other end, metres.
const MAX_SHORTENING: f32 = 0.002;
/// Largest correction of a pin after the physics step, metres. A larger one is a teleport.
const MAX_CORRECTION: f32 = 0.5;

/// A rope joint to create or update in this tick.
struct NeededTie {
    particles: [u32; 2],
    /// The second end is the first bend of the rope next to the pin.
    is_bent: bool,
    ends: [TieEnd; 2],
    /// Maximum length, metres.
    max: f32,
    /// Lower limit for the maximum length in this tick, metres.
    min_length: f32,
}

/// Updates the rope joints before the physics step, and removes joints of removed ropes.
pub(super) fn hold(
    physics: &mut Physics,
    characters: &mut Arena<Character>,
    fabrics: &mut Arena<StageFabric>,
) {
    if fabrics.is_empty() && physics.ties.is_empty() {
        return;
    }
    let mut ties = std::mem::take(&mut physics.ties);
    let world = &mut physics.world;
    for tie in &mut ties {
        tie.is_used = false;
    }
    for (handle, fabric) in fabrics.iter_mut() {
        for needed in needed_ties(fabric, characters, world) {
            hold_one(world, &mut ties, handle, needed);
        }
    }
    ties.retain(|tie| {
        if !tie.is_used {
            world.untie(&tie.tie);
        }
        tie.is_used
    });
    physics.ties = ties;
}

fn hold_one(world: &mut PhysicsWorld, ties: &mut Vec<StageTie>, fabric: Handle, needed: NeededTie) {
    let NeededTie {
        particles,
        is_bent,
        ends,
        max,
        min_length,
    } = needed;
    let max = max.max(min_length);
    let known = ties.iter().position(|tie| {
        tie.fabric == fabric && tie.particles == particles && tie.is_bent == is_bent
    });
    if let Some(at) = known {
        let known = &mut ties[at];
        if world.hold_tie(&mut known.tie, ends, max) {
            known.is_used = true;
            return;
        }
        let known = ties.swap_remove(at);
        world.untie(&known.tie);
    }
    if let Some(tie) = world.tie(ends, max) {
        ties.push(StageTie {
            fabric,
            particles,
            is_bent,
            tie,
            is_used: true,
        });
    }
}

/// Joints of a rope or cloth: from each pin on a dynamic body to the nearest pin of another holder.
fn needed_ties(
    fabric: &mut StageFabric,
    characters: &mut Arena<Character>,
    world: &PhysicsWorld,
) -> Vec<NeededTie> {
    let mut needed = Vec::new();
    let is_made_for_it = fabric.drives == Drives::Particles;
    let is_free = |pin: &FabricPin| free_body(pin, characters, world).is_some();
    if !is_made_for_it || fabric.pins.len() < 2 || !fabric.pins.iter().any(is_free) {
        fabric.posed_pins.clear();
        return needed;
    }
    let ends = pin_ends(fabric, characters, world);
    for (i, end) in ends.iter().enumerate() {
        let Some(own @ TieEnd::Body(..)) = *end else {
            continue;
        };
        let Some((j, length)) = other_pin(fabric, i) else {
            continue;
        };
        let particles = [i, j].map(|pin| fabric.pins[pin].particle);
        let is_known = |tie: &NeededTie| tie.particles == [particles[1], particles[0]];
        let Some(other) = ends[j] else {
            continue;
        };
        // Two bodies are joined straight; scripts cannot lead a rope between two bodies around something.
        if let TieEnd::Point(place) = other {
            let bends = bends(fabric, particles);
            if !bends.is_empty() {
                needed.push(tie_to_bend(fabric, [i, j], own, place, length, &bends));
                continue;
            }
        }
        if !needed.iter().any(is_known) {
            needed.push(NeededTie {
                particles,
                is_bent: false,
                ends: [own, other],
                max: length,
                min_length: 0.0,
            });
        }
    }
    needed
}

/// The joint from a pin to the next bend of the rope.
fn tie_to_bend(
    fabric: &StageFabric,
    pins: [usize; 2],
    own: TieEnd,
    other: Vec3,
    length: f32,
    bends: &[Vec3],
) -> NeededTie {
    let [from, to] = pins.map(|pin| fabric.fabric.pins.get(pin).map_or(Vec3::ZERO, |pin| pin.1));
    let (first, last) = (bends[0], bends[bends.len() - 1]);
    let straight = from.distance(first);
    NeededTie {
        particles: pins.map(|pin| fabric.pins[pin].particle),
        is_bent: true,
        ends: [own, TieEnd::Bend(first)],
        max: length - path_length(bends) - last.distance(to),
        // Each tick detects bends at slightly different points. The limit keeps this from jerking the body.
        min_length: straight - MAX_SHORTENING - other.distance(to),
    }
}

/// The points at which a rope bends between two of its particles, in the order from the first to the second.
fn bends(fabric: &StageFabric, [from, to]: [u32; 2]) -> Vec<Vec3> {
    let [lane] = &fabric.fabric.lanes[..] else {
        return Vec::new();
    };
    let places: Vec<Vec3> = lane
        .iter()
        .filter(|i| (from.min(to)..=from.max(to)).contains(i))
        .filter_map(|i| fabric.fabric.world.particles.get(*i as usize))
        .map(|particle| particle.position)
        .collect();
    let radius = fabric.fabric.options.collision_margin;
    let mut path = taut_path(&places, fabric.obstacles(), radius);
    if from > to {
        path.reverse();
    }
    if path.len() < 3 {
        return Vec::new();
    }
    path.remove(0);
    path.pop();
    path
}

/// The pin of another holder that is nearest along the threads, and the distance to it along them, metres.
fn other_pin(fabric: &mut StageFabric, own: usize) -> Option<(usize, f32)> {
    let holder = |pin: &FabricPin| pin.holder.map(|holder| holder.0);
    let pins = &fabric.pins;
    let mut nearest: Option<(usize, f32)> = None;
    for (i, pin) in pins.iter().enumerate() {
        if i == own || holder(pin) == holder(&pins[own]) {
            continue;
        }
        let particles = [pins[own].particle, pin.particle];
        let known = fabric.lengths.iter().find(|known| known.0 == particles);
        let length = match known {
            Some((_, length)) => *length,
            None => {
                let length = fabric.fabric.length_between(particles);
                fabric.lengths.push((particles, length));
                length
            }
        };
        if length.is_finite() && nearest.is_none_or(|(_, shortest)| length < shortest) {
            nearest = Some((i, length));
        }
    }
    let (pin, length) = nearest?;
    Some((
        pin,
        length * (1.0 + fabric.fabric.options.stretch.clamp(0.0, 1.0)),
    ))
}

/// The dynamic body that holds a pin, and true if it is a whole object.
fn free_body(
    pin: &FabricPin,
    characters: &Arena<Character>,
    world: &PhysicsWorld,
) -> Option<(BodyId, bool)> {
    let (holder, bone) = pin.holder?;
    let character = characters.get(holder)?;
    let found = if let Some(solid) = &character.body.prop_body {
        let skeleton = &character.definition.model.skeleton;
        let mut bones = std::iter::successors(Some(bone), |bone| {
            skeleton.bones().get(usize::from(*bone))?.parent
        });
        let node = bones.find_map(|bone| {
            let mut nodes = solid.options.nodes.iter().zip(&solid.nodes);
            let own = nodes.find(|(node, _)| node.bone == bone && node.is_free());
            own?.1.body
        });
        let whole = || {
            solid
                .body()
                .filter(|_| solid.options.body_type == BodyType::Dynamic)
        };
        node.map(|body| (body, false))
            .or_else(|| whole().map(|body| (body, true)))
    } else {
        let ragdoll = &character.body.limbs.as_ref()?.ragdoll;
        let limb = ragdoll.body_of(&character.definition.model.skeleton, bone)?;
        let is_free = ragdoll.control(limb).is_free();
        ragdoll
            .body(limb)
            .filter(|_| is_free)
            .map(|body| (body, false))
    };
    found.filter(|(body, _)| world.is_free(*body) == Some(true))
}

/// Joint ends of all pins; `None` while unknown.
fn pin_ends(
    fabric: &mut StageFabric,
    characters: &mut Arena<Character>,
    world: &PhysicsWorld,
) -> Vec<Option<TieEnd>> {
    let own = characters
        .get(fabric.character)
        .map(|own| own.placement.to_affine());
    let posed = std::mem::take(&mut fabric.posed_pins);
    let mut ends = Vec::with_capacity(fabric.pins.len());
    for (i, pin) in fabric.pins.iter().enumerate() {
        let last = fabric.fabric.pins.get(i).map(|pin| pin.1);
        let Some((holder, bone)) = pin.holder else {
            let place = own.map(|own| own.transform_point3(pin.offset));
            fabric.posed_pins.push(place.unwrap_or(Vec3::ZERO));
            ends.push(place.map(TieEnd::Point));
            continue;
        };
        let body = free_body(pin, characters, world);
        let Some(character) = characters.get_mut(holder) else {
            ends.push(None);
            continue;
        };
        if let Some(limbs) = character.body.limbs.as_mut().filter(|_| body.is_some())
            && let LimbState::Down { still, .. } = &mut limbs.state
        {
            *still = STILL_TIME.min(*still);
        }
        let bone = character.posed.model_from_bone.get(usize::from(bone));
        let place = bone.map_or(pin.offset, |bone| bone.transform_point3(pin.offset));
        // Bodies of limbs still have the pose of the last tick, so the offset is taken from that pose.
        let local = |body: BodyId| Some(world.frame(body)?.inverse().point(last?));
        let world_from_model = if character.attachment.is_some() {
            character.posed.world[0]
        } else {
            character.placement.to_affine()
        };
        let posed_now = world_from_model.transform_point3(place);
        ends.push(match body {
            Some((body, true)) => Some(TieEnd::Body(body, place * character.placement.scale)),
            Some((body, false)) => local(body).map(|own| TieEnd::Body(body, own)),
            None => {
                // Modifiers after the physics, such as a reach, move bones about as far as in the last tick.
                let late = posed
                    .get(i)
                    .zip(last)
                    .map_or(Vec3::ZERO, |(posed, last)| last - *posed);
                let late = if late.length() < MAX_CORRECTION {
                    late
                } else {
                    Vec3::ZERO
                };
                Some(TieEnd::Point(posed_now + late))
            }
        });
        fabric.posed_pins.push(posed_now);
    }
    ends
}
