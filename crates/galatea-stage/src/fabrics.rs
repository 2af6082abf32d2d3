//! Ropes and cloth on a stage: their pins, obstacles and driven bones.

use glam::{Affine3A, Mat3A, Quat, Vec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::reload::Reload;
use super::{Arena, Effects, Floor, Handle, Identity};
use galatea_anim::Skeleton;
use galatea_character::Character;
use galatea_physics::particles::{Fabric, ParticleObstacle};
use galatea_rig::wind::Wind;

/// Maximum number of ropes and pieces of cloth on a stage.
pub const MAX_FABRICS: usize = 64;
/// Maximum number of particles of all of them together.
pub const MAX_PARTICLES: usize = 8192;
/// Number of pins from which on a piece is stretched and starts without creases.
const TAUT_PINS: usize = 3;
/// Ticks simulated before a new piece is first shown.
const SETTLE_TICKS: usize = 90;

/// A rope or a piece of cloth.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageFabric {
    /// Identity over hot reloads.
    pub identity: Identity,
    /// The simulated particles; world space.
    pub fabric: Fabric,
    /// The character whose bones it moves.
    pub character: Handle,
    /// The bones that it moves.
    pub drives: Drives,
    /// Fixed particles.
    pub pins: Vec<FabricPin>,
    /// Characters whose bodies it collides with.
    pub collide_with: Vec<Handle>,
    /// Other obstacles, world space.
    pub colliders: Vec<ParticleObstacle>,
    /// True if it collides with the floor.
    pub on_floor: bool,
    /// Blend weight, 0..=1, for bones of a character.
    pub weight: f32,
    /// Rest lengths between pins along the threads, metres, as requested by ties.
    pub(super) lengths: Vec<([u32; 2], f32)>,
    /// Positions of the pins in the poses before the physics step, world space; empty without ties.
    pub(super) posed_pins: Vec<Vec3>,
    previous_world_from_model: Option<Affine3A>,
    is_ready: bool,
    obstacles: Vec<ParticleObstacle>,
    /// Model matrices of the chain bones as clips posed them, chain after chain.
    posed: Vec<Affine3A>,
}

/// The bones that a fabric moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Drives {
    /// Bone 1 + i follows particle i; for generated models.
    Particles,
    /// Each lane drives a chain of bones, which point at the next particle. The last particle lies beyond the last bone.
    Chains(Vec<Vec<u16>>),
}

/// A fixed particle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FabricPin {
    /// Index of the particle.
    pub particle: u32,
    /// The character and bone that hold it; `None` fixes it in the space of the fabric's own character.
    pub holder: Option<(Handle, u16)>,
    /// Position in the holder's bone space, or in the space of the character, metres.
    pub offset: Vec3,
}

impl StageFabric {
    /// Creates a fabric at its initial position.
    pub fn new(identity: Identity, fabric: Fabric, character: Handle, drives: Drives) -> Self {
        Self {
            identity,
            fabric,
            character,
            drives,
            pins: Vec::new(),
            collide_with: Vec::new(),
            colliders: Vec::new(),
            on_floor: true,
            weight: 1.0,
            lengths: Vec::new(),
            posed_pins: Vec::new(),
            previous_world_from_model: None,
            is_ready: false,
            obstacles: Vec::new(),
            posed: Vec::new(),
        }
    }

    /// Restarts from the current positions of the pins.
    pub fn reset(&mut self) {
        self.is_ready = false;
    }

    /// The obstacles of the last tick.
    pub(super) fn obstacles(&self) -> &[ParticleObstacle] {
        &self.obstacles
    }

    /// Returns true if it is pinned to this character or moves its bones.
    pub fn belongs_to(&self, handle: Handle) -> bool {
        self.character == handle
            || self
                .pins
                .iter()
                .any(|pin| pin.holder.is_some_and(|h| h.0 == handle))
    }

    /// Continues from the state of a fabric with the same identity, if it has as many particles.
    fn continue_from(&mut self, was: &Self) {
        if was.is_ready && was.fabric.n_particles() == self.fabric.n_particles() {
            self.fabric.continue_from(&was.fabric);
            (self.is_ready, self.previous_world_from_model) = (true, was.previous_world_from_model);
        }
    }

    /// Finds bones by name again after a character's model was replaced. Returns false when a bone that it moves is gone.
    pub(super) fn find_bones_again(&mut self, of: Handle, was: &Skeleton, now: &Skeleton) -> bool {
        let find = |bone: u16| now.find(&was.bones().get(usize::from(bone))?.name);
        self.pins.retain_mut(|pin| match &mut pin.holder {
            Some((holder, bone)) if *holder == of => {
                let found = find(*bone);
                *bone = found.unwrap_or(0);
                found.is_some()
            }
            _ => true,
        });
        if self.character != of {
            return true;
        }
        if let Drives::Chains(chains) = &mut self.drives {
            for bone in chains.iter_mut().flatten() {
                let Some(found) = find(*bone) else {
                    return false;
                };
                *bone = found;
            }
        }
        true
    }

    /// The character whose teleports it follows.
    fn leader(&self) -> Handle {
        let holders = self.pins.iter().filter_map(|pin| pin.holder);
        holders
            .map(|holder| holder.0)
            .next()
            .unwrap_or(self.character)
    }

    /// Collects the positions of pins and obstacles. Returns false when its character is gone.
    fn gather(&mut self, characters: &Arena<Character>, floor: f32) -> bool {
        let Some(own) = characters.get(self.character) else {
            return false;
        };
        let n = self.pins.len();
        self.pins.retain(|pin| {
            pin.holder
                .is_none_or(|holder| characters.get(holder.0).is_some())
        });
        if n != self.pins.len() || self.fabric.pins.len() != self.pins.len() {
            let held: Vec<u32> = self.pins.iter().map(|pin| pin.particle).collect();
            self.fabric.hold(&held);
        }
        self.fabric.pins.clear();
        for pin in &self.pins {
            let world = match pin.holder {
                Some((holder, bone)) => {
                    let Some(holder) = characters.get(holder) else {
                        continue;
                    };
                    let bone = holder.posed.model_from_bone.get(usize::from(bone));
                    holder.posed.world[0] * bone.copied().unwrap_or(Affine3A::IDENTITY)
                }
                None => own.posed.world[0],
            };
            let place = world.transform_point3(pin.offset);
            self.fabric.pins.push((pin.particle, place));
        }
        if let Drives::Chains(chains) = &self.drives {
            self.fabric.goals.clear();
            self.fabric
                .goals
                .extend(chain_lanes(chains, own).iter().flatten());
            let matrix = |bone: &u16| own.posed.model_from_bone.get(usize::from(*bone)).copied();
            let posed = chains.iter().flatten().map(matrix);
            self.posed.clear();
            self.posed
                .extend(posed.map(|m| m.unwrap_or(Affine3A::IDENTITY)));
        }
        self.obstacles.clear();
        if self.on_floor {
            self.obstacles.push(ParticleObstacle::Plane {
                normal: Vec3::Y,
                height: floor,
            });
        }
        self.obstacles.extend_from_slice(&self.colliders);
        for handle in &self.collide_with {
            let Some(body) = characters.get(*handle) else {
                continue;
            };
            let driven = match &self.drives {
                Drives::Chains(chains) if *handle == self.character => &chains[..],
                _ => &[],
            };
            let is_driven = |bone: u16| driven.iter().flatten().any(|own| *own == bone);
            body.body.add_obstacles(
                &body.definition,
                &body.posed,
                is_driven,
                &mut self.obstacles,
            );
        }
        self.follow_jump(characters);
        true
    }

    fn follow_jump(&mut self, characters: &Arena<Character>) {
        let Some(leader) = characters.get(self.leader()) else {
            return;
        };
        let world = leader.posed.world[0];
        let before = self
            .previous_world_from_model
            .replace(world)
            .unwrap_or(world);
        let movement = Vec3::from(world.translation - before.translation).length();
        let by = world * before.inverse();
        if movement > leader.body_length().max(self.fabric.reach()) && by.is_finite() {
            self.fabric.teleport(by);
        }
    }

    fn advance(&mut self, dt: f32, time: f64, wind: &Wind) {
        let air = |place: Vec3| wind.at(place, time);
        if !self.is_ready {
            self.is_ready = true;
            self.begin();
            if self.fabric.pins.len() < TAUT_PINS {
                self.fabric.crease();
            }
            // A piece without pins is shown falling from the start.
            if self.fabric.pins.is_empty() {
                self.fabric.advance(dt, &self.obstacles, &air);
                return;
            }
            // Friction would glue the cloth to the body in its initial layout.
            let frictions = self.frictions(|_| 0.0);
            for _ in 0..SETTLE_TICKS {
                self.fabric.advance(1.0 / 60.0, &self.obstacles, &air);
            }
            self.frictions(|i| frictions[i]);
        }
        self.fabric.advance(dt, &self.obstacles, &air);
    }

    /// Sets the friction of each particle and returns the values before.
    fn frictions(&mut self, now: impl Fn(usize) -> f32) -> Vec<f32> {
        let particles = self.fabric.world.particles.iter_mut().enumerate();
        particles
            .map(|(i, particle)| std::mem::replace(&mut particle.friction, now(i)))
            .collect()
    }

    /// Lays the particles out at the pins: each lane moves with its nearest pins.
    fn begin(&mut self) {
        if let Drives::Chains(_) = self.drives {
            let goals = self.fabric.goals.clone();
            self.fabric.set_positions((0..).zip(goals));
            return;
        }
        let fabric = &self.fabric;
        let offset_of = |lane: &Vec<u32>| {
            let held = fabric.pins.iter().find(|(i, _)| lane.contains(i));
            held.map(|(i, at)| *at - fabric.rest_of(*i))
        };
        let offsets: Vec<Option<Vec3>> = fabric.lanes.iter().map(offset_of).collect();
        let known = |i: usize| offsets.get(i).copied().flatten().map(|o| (i, o));
        let mut places = Vec::with_capacity(fabric.n_particles());
        for (i, lane) in fabric.lanes.iter().enumerate() {
            let left = (0..=i).rev().find_map(known);
            let right = (i..offsets.len()).find_map(known);
            let offset = match (left, right) {
                (Some((a, from)), Some((b, to))) if b > a => {
                    from.lerp(to, (i - a) as f32 / (b - a) as f32)
                }
                (Some((_, offset)), _) | (None, Some((_, offset))) => offset,
                (None, None) => Vec3::ZERO,
            };
            places.extend(lane.iter().map(|&p| (p, fabric.rest_of(p) + offset)));
        }
        self.fabric.set_positions(places.into_iter());
    }

    /// Poses the bones from the particles.
    fn show(&self, character: &mut Character) {
        let world = character.posed.world[0];
        let back = world.inverse();
        if !back.is_finite() {
            return;
        }
        match &self.drives {
            Drives::Particles => {
                let size = Vec3::splat(world.matrix3.x_axis.length());
                self.fabric.frames(|i, place, turn| {
                    if let Some(bone) = character.posed.model_from_bone.get_mut(1 + i as usize) {
                        *bone = back * Affine3A::from_scale_rotation_translation(size, turn, place);
                    }
                });
            }
            Drives::Chains(chains) => {
                let place = |i: u32| {
                    let particle = self.fabric.world.particles.get(i as usize);
                    particle.map(|p| back.transform_point3(p.position))
                };
                let mut posed = self.posed.iter();
                for (chain, lane) in chains.iter().zip(&self.fabric.lanes) {
                    for (row, bone) in chain.iter().enumerate() {
                        let (Some(posed), Some(&a), Some(&b)) =
                            (posed.next(), lane.get(row), lane.get(row + 1))
                        else {
                            continue;
                        };
                        let goal = |i: u32| self.fabric.goals.get(i as usize);
                        if let (Some(from), Some(to)) = (place(a), place(b))
                            && let (Some(goal_a), Some(goal_b)) = (goal(a), goal(b))
                        {
                            let turn = ClothBone {
                                posed: *posed,
                                pointed: back.transform_vector3(*goal_b - *goal_a),
                                from,
                                to,
                            };
                            turn.apply(character, *bone, self.weight);
                        }
                    }
                }
            }
        }
    }
}

/// End point of a chain: as far beyond its last bone as that is from the bone before, in the same direction.
fn chain_tip(chain: &[u16], of: &Character) -> Option<Vec3> {
    let (&last, rest) = chain.split_last()?;
    let at = of.posed.bone_position(last);
    let bones = of.definition.model.skeleton.bones();
    let child = bones.iter().position(|bone| bone.parent == Some(last));
    if let Some(child) = child {
        let place = of.posed.bone_position(child as u16);
        if place.distance(at) > 1e-4 {
            return Some(place);
        }
    }
    let before = rest
        .last()
        .map_or(at + Vec3::Y * 0.05, |bone| of.posed.bone_position(*bone));
    Some(at + (at - before))
}

/// World positions of the lanes of chains in the character's current pose, metres.
pub fn chain_lanes(chains: &[Vec<u16>], of: &Character) -> Vec<Vec<Vec3>> {
    let lane = |chain: &Vec<u16>| {
        let bones = chain.iter().map(|bone| of.posed.bone_position(*bone));
        bones.chain(chain_tip(chain, of)).collect()
    };
    chains.iter().map(lane).collect()
}

/// Poses one bone from its particles; model space.
struct ClothBone {
    /// Matrix of the bone as clips posed it.
    posed: Affine3A,
    /// Direction of the bone in that pose.
    pointed: Vec3,
    /// Positions of the bone's particle and of the next one.
    from: Vec3,
    to: Vec3,
}

impl ClothBone {
    /// Rotates and moves the bone; its children follow.
    fn apply(&self, character: &mut Character, bone: u16, weight: f32) {
        let index = usize::from(bone);
        let ways = (
            self.pointed.try_normalize(),
            (self.to - self.from).try_normalize(),
        );
        let (Some(was), (Some(pointed), Some(points))) =
            (character.posed.model_from_bone.get(index).copied(), ways)
        else {
            return;
        };
        let weight = weight.clamp(0.0, 1.0);
        let turn = Quat::IDENTITY.slerp(Quat::from_rotation_arc(pointed, points), weight);
        let mut now = self.posed;
        now.matrix3 = Mat3A::from_quat(turn) * now.matrix3;
        now.translation = now.translation.lerp(self.from.into(), weight);
        let moved = now * was.inverse();
        if !moved.is_finite() {
            return;
        }
        character.posed.model_from_bone[index] = now;
        let parents = character.definition.model.skeleton.parents();
        let mut is_below = vec![false; parents.len()];
        is_below[index] = true;
        for (i, parent) in parents.iter().enumerate().skip(index + 1) {
            if is_below.get(usize::from(*parent)) == Some(&true) {
                is_below[i] = true;
                character.posed.model_from_bone[i] = moved * character.posed.model_from_bone[i];
            }
        }
    }
}

/// Maximum depth of fabrics pinned to fabrics. A deeper one sees the animated pose of its holder.
const MAX_DEPTH: usize = 4;

/// All fabrics, each with its depth: the number of fabrics above it. Smaller depths come first.
fn waves(fabrics: &Arena<StageFabric>) -> Vec<(Handle, usize)> {
    let mut order: Vec<(Handle, usize)> = fabrics.iter().map(|(handle, _)| (handle, 0)).collect();
    for _ in 0..MAX_DEPTH {
        let before = order.clone();
        for (handle, wave) in &mut order {
            let Some(fabric) = fabrics.get(*handle) else {
                continue;
            };
            let under = before.iter().filter(|(other, _)| {
                let other = if other == handle {
                    None
                } else {
                    fabrics.get(*other)
                };
                let holders = || fabric.pins.iter().filter_map(|pin| pin.holder);
                other.is_some_and(|other| holders().any(|holder| holder.0 == other.character))
            });
            *wave = under.map(|(_, w)| w + 1).max().unwrap_or(0).min(MAX_DEPTH);
        }
    }
    order
}

/// Advances all ropes and cloth by a tick and poses their bones. Returns true if there are any.
pub(super) fn advance(
    effects: &mut Effects,
    characters: &mut Arena<Character>,
    floor: &Floor,
    time: f64,
    dt: f64,
) -> bool {
    let Effects { fabrics, wind, .. } = effects;
    if fabrics.is_empty() {
        return false;
    }
    let floor = floor.ground.map_or(0.0, |ground| ground.height);
    let order = waves(fabrics);
    for wave in 0..=order.iter().map(|(_, wave)| *wave).max().unwrap_or(0) {
        let in_wave = || {
            order
                .iter()
                .filter(|(_, w)| *w == wave)
                .map(|(handle, _)| *handle)
        };
        for handle in in_wave() {
            let there = fabrics.get_mut(handle);
            if !there.is_some_and(|fabric| fabric.gather(characters, floor)) {
                fabrics.remove(handle);
            }
        }
        let mut moving: Vec<&mut StageFabric> = fabrics
            .iter_mut()
            .filter(|(handle, _)| in_wave().any(|h| h == *handle))
            .map(|(_, fabric)| fabric)
            .collect();
        moving
            .par_iter_mut()
            .for_each(|fabric| fabric.advance(dt as f32, time, wind));
        for handle in in_wave() {
            if let Some(fabric) = fabrics.get(handle)
                && let Some(character) = characters.get_mut(fabric.character)
            {
                fabric.show(character);
            }
        }
    }
    true
}

/// Continues ropes and cloth of the same identity.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let (old, new) = (&reload.old.effects.fabrics, &mut reload.new.effects.fabrics);
    new.free_old();
    for (_, own) in new.iter_mut() {
        if let Some((_, was)) = old.iter().find(|(_, was)| was.identity == own.identity) {
            own.continue_from(was);
        }
    }
}
