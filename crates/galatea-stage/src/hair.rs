//! Hair on a stage: carrier, collisions and driven bones.

use glam::{Affine3A, Vec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::reload::Reload;
use super::surroundings::Surroundings;
use super::{Arena, Characters, Effects, Handle, Identity};
use galatea_anim::Skeleton;
use galatea_character::{Character, Definition, HeadNames, HeadSkin, SkinRoot, TimeBase};
use galatea_hair::{ChainInput, Chains, PARTS, SpringHair};
use galatea_math::clamp::ClampTo as _;
use galatea_physics::particles::ParticleObstacle;
use galatea_rig::wind::Wind;

/// Maximum number of hair pieces on a stage.
pub const MAX_HAIR: usize = 64;
/// Maximum number of guide points of all of them together.
pub const MAX_GUIDE_POINTS: usize = 65_536;
/// Simulation steps of new hair before it is shown, and seconds of each.
const SETTLE_STEPS: usize = 90;
const SETTLE_DT: f64 = 1.0 / 60.0;
/// Distance, in radii of the hair, beyond which half of the strands are hidden; at twice and four times the distance
/// more of them. They would be finer than a pixel.
const LOD_DISTANCE: f32 = 12.0;
/// Strands come back at this fraction of the distance.
const HYSTERESIS: f32 = 0.9;

/// Motion model of hair.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum HairSimulation {
    /// Chains of points.
    Chains(Box<Chains>),
    /// Springs and random wind, as in *Character Animation with Direct3D* (Granberg 2009, chapter 15).
    Springs(SpringHair),
}

/// A hair piece that a character wears.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageHair {
    /// Identity over hot reloads.
    pub identity: Identity,
    /// Motion model and its state.
    pub simulation: HairSimulation,
    /// The character whose bones it moves: bone 1 + guide · points + point follows that point.
    pub character: Handle,
    /// The wearer, and the bone that carries the hair.
    pub wearer: (Handle, u16),
    /// Bones of the wearer whose bodies it collides with.
    pub bodies: Vec<u16>,
    /// Other characters whose bodies it collides with.
    pub collide_with: Vec<Handle>,
    /// Fraction of the wind that acts on it.
    pub wind_scale: f32,
    /// Roots that follow the skin as it deforms, as a beard follows the mouth.
    pub skin: Option<SkinHold>,
    /// Number of guides, and of points per guide.
    pub size: (usize, usize),
    world_from_rest: Affine3A,
    /// Pose of the bone in the last tick; the skin still has that palette.
    posed: Option<Affine3A>,
    previous_world_from_model: Option<Affine3A>,
    colliders: Vec<ParticleObstacle>,
    is_new: bool,
    /// Number of visible parts of the model.
    n_parts: usize,
}

/// Guides attached to the skin.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SkinHold {
    /// Skin point of each guide's root; `None` where there is no skin.
    pub roots: Vec<Option<SkinRoot>>,
    /// Rest shape of each guide, in the wearer's space.
    pub shapes: Vec<Vec<Vec3>>,
    /// Parts that the script excluded or chose.
    pub names: HeadNames,
}

impl SkinHold {
    /// Attaches guides at rest to the skin of a head.
    pub fn new(
        definition: &Definition,
        head: &HeadSkin,
        shapes: Vec<Vec<Vec3>>,
        names: HeadNames,
    ) -> Self {
        let roots: Vec<Vec3> = shapes.iter().map(|shape| shape[0]).collect();
        Self {
            roots: head.roots(definition, &roots),
            shapes,
            names,
        }
    }
}

impl StageHair {
    /// Time that the wearer follows.
    fn time_base(&self, characters: &Characters) -> TimeBase {
        let wearer = characters.get(self.wearer.0);
        wearer.map_or(TimeBase::Stage, |wearer| wearer.time.base)
    }

    /// Creates hair at rest; `size` is the number of guides and of points per guide.
    pub fn new(
        identity: Identity,
        motion: HairSimulation,
        character: Handle,
        wearer: (Handle, u16),
        size: (usize, usize),
    ) -> Self {
        Self {
            identity,
            simulation: motion,
            character,
            wearer,
            bodies: Vec::new(),
            collide_with: Vec::new(),
            wind_scale: 1.0,
            skin: None,
            size,
            world_from_rest: Affine3A::IDENTITY,
            posed: None,
            previous_world_from_model: None,
            colliders: Vec::new(),
            is_new: true,
            n_parts: PARTS.len(),
        }
    }

    /// Number of points of all guides.
    pub fn n_points(&self) -> usize {
        self.size.0 * self.size.1
    }

    /// Restarts at rest.
    pub fn reset(&mut self) {
        (self.previous_world_from_model, self.is_new) = (None, true);
        match &mut self.simulation {
            HairSimulation::Chains(chains) => chains.reset(),
            HairSimulation::Springs(book) => book.reset(),
        }
    }

    /// Continues from the state of a hair piece with the same identity.
    fn continue_from(&mut self, was: &Self) {
        if let (HairSimulation::Chains(own), HairSimulation::Chains(other)) =
            (&mut self.simulation, &was.simulation)
        {
            own.continue_from(other);
            self.is_new = was.is_new || own.is_new();
        }
        (self.previous_world_from_model, self.n_parts) =
            (was.previous_world_from_model, was.n_parts);
    }

    /// Finds bones by name again after the wearer's model was replaced. Returns false when the carrying bone is gone.
    pub(super) fn find_bones_again(&mut self, of: Handle, was: &Skeleton, now: &Skeleton) -> bool {
        if self.wearer.0 != of {
            return true;
        }
        let find = |bone: u16| now.find(&was.bones().get(usize::from(bone))?.name);
        self.bodies = self.bodies.iter().filter_map(|bone| find(*bone)).collect();
        let found = find(self.wearer.1);
        self.wearer.1 = found.unwrap_or(0);
        found.is_some()
    }

    /// Finds the skin under the roots again after the wearer's model was replaced.
    pub(super) fn find_skin_again(&mut self, wearer: &Character) {
        let Some(hold) = self.skin.take() else { return };
        let head = HeadSkin::of(
            &wearer.definition,
            self.wearer.1,
            &wearer.appearance.hidden_parts,
            &hold.names,
        );
        self.skin = head
            .ok()
            .map(|head| SkinHold::new(&wearer.definition, &head, hold.shapes, hold.names));
    }

    /// Moves the guides with the skin.
    fn follow_skin(&mut self, wearer: &Character) {
        let (Some(hold), HairSimulation::Chains(chains)) = (&self.skin, &mut self.simulation)
        else {
            return;
        };
        let bone = self.wearer.1;
        let now = wearer.posed.model_from_bone.get(usize::from(bone)).copied();
        let Some(posed) = std::mem::replace(&mut self.posed, now) else {
            return;
        };
        let rest_from_posed = wearer.definition.rest_matrix(bone) * posed.inverse();
        for (i, (root, shape)) in hold.roots.iter().zip(&hold.shapes).enumerate() {
            let moved = root.as_ref().and_then(|root| wearer.skin_moved(root));
            let Some(moved) = moved.map(|moved| rest_from_posed * moved) else {
                continue;
            };
            if moved.is_finite() {
                chains.reshape(i, shape.iter().map(|at| moved.transform_point3(*at)));
            }
        }
    }

    /// Reads the carrier and the obstacles. Returns false when the wearer is gone.
    fn gather(&mut self, characters: &Arena<Character>) -> bool {
        let (handle, bone) = self.wearer;
        let (Some(wearer), Some(_)) = (characters.get(handle), characters.get(self.character))
        else {
            return false;
        };
        self.world_from_rest = hair_world_from_rest(wearer, bone);
        self.follow_skin(wearer);
        self.colliders.clear();
        wearer.body.add_obstacles(
            &wearer.definition,
            &wearer.posed,
            |bone| !self.bodies.contains(&bone),
            &mut self.colliders,
        );
        for other in &self.collide_with {
            if let Some(body) = characters.get(*other) {
                body.body.add_obstacles(
                    &body.definition,
                    &body.posed,
                    |_| false,
                    &mut self.colliders,
                );
            }
        }
        let world = wearer.posed.world[0];
        let before = self
            .previous_world_from_model
            .replace(world)
            .unwrap_or(world);
        let movement = Vec3::from(world.translation - before.translation).length();
        let by = world * before.inverse();
        if movement > wearer.body_length() && by.is_finite() {
            match &mut self.simulation {
                HairSimulation::Chains(chains) => chains.teleport(by),
                HairSimulation::Springs(book) => book.reset(),
            }
        }
        true
    }

    fn advance(&mut self, dt: f64, time: f64, wind: &Wind) {
        let air = wind.at(self.world_from_rest.translation.into(), time) * self.wind_scale;
        match &mut self.simulation {
            HairSimulation::Chains(chains) => {
                let mut input = ChainInput {
                    world_from_rest: self.world_from_rest,
                    dt: SETTLE_DT,
                    colliders: &self.colliders,
                    wind: air,
                };
                // New hair settles on the posed body before it is first shown.
                let n = if std::mem::take(&mut self.is_new) {
                    SETTLE_STEPS
                } else {
                    0
                };
                for _ in 0..n {
                    chains.advance(&input);
                }
                input.dt = dt;
                chains.advance(&input);
            }
            HairSimulation::Springs(book) => {
                book.advance(&self.world_from_rest, dt as f32, &self.colliders)
            }
        }
    }

    /// Poses the bones from the points, and shows as many strands as are visible from the eye.
    fn show(&mut self, character: &mut Character, eye: Vec3) {
        let back = character.posed.world[0].inverse();
        if !back.is_finite() {
            return;
        }
        let (scale, carried, _) = self.world_from_rest.to_scale_rotation_translation();
        let (n_guides, n_levels) = self.size;
        for guide in 0..n_guides {
            let bones = character
                .posed
                .model_from_bone
                .iter_mut()
                .skip(1 + guide * n_levels);
            let place = |bone: &mut Affine3A, at: Vec3, turn| {
                *bone = back * Affine3A::from_scale_rotation_translation(scale, turn, at);
            };
            match &self.simulation {
                HairSimulation::Chains(chains) => {
                    for (bone, (at, turn)) in bones.zip(chains.frames(guide)) {
                        place(bone, at, turn);
                    }
                }
                HairSimulation::Springs(book) => {
                    for (bone, at) in bones.zip(book.points(guide)) {
                        place(bone, at, carried);
                    }
                }
            }
        }
        self.show_parts(character, eye);
    }

    /// World positions of the points of a guide, root first.
    pub fn points(&self, guide: usize) -> Vec<Vec3> {
        match &self.simulation {
            HairSimulation::Chains(chains) => chains.frames(guide).map(|(at, _)| at).collect(),
            HairSimulation::Springs(book) => book.points(guide).collect(),
        }
    }

    /// The obstacles of the last tick.
    pub fn obstacles(&self) -> &[ParticleObstacle] {
        &self.colliders
    }

    /// Hides strands with the distance from the eye.
    fn show_parts(&mut self, character: &mut Character, eye: Vec3) {
        let size =
            character.definition.rest_bounds.1 * self.world_from_rest.matrix3.x_axis.length();
        let away = eye.distance(self.world_from_rest.translation.into()) / size.max(1e-3);
        let parts_at = |away: f32| {
            let halvings = (away / LOD_DISTANCE).max(1.0).log2().ceil() as usize;
            PARTS.len() - halvings.min(PARTS.len() - 1)
        };
        let (min, max) = (parts_at(away), parts_at(away * HYSTERESIS));
        self.n_parts = self.n_parts.clamp_to(min, max);
        let Some(bits) = character.appearance.hidden_parts.first_mut() else {
            return;
        };
        // The first part is visible at any distance; if it is hidden, a script has hidden the hair.
        if *bits & 1 != 0 {
            return;
        }
        for part in 0..PARTS.len() {
            let bit = 1 << part;
            *bits = if part < self.n_parts {
                *bits & !bit
            } else {
                *bits | bit
            };
        }
    }
}

/// World-from-model matrix of a bone relative to its rest pose; the identity if the matrix is singular.
pub fn hair_world_from_rest(wearer: &Character, bone: u16) -> Affine3A {
    let posed = wearer.posed.model_from_bone.get(usize::from(bone));
    let posed = posed.copied().unwrap_or(Affine3A::IDENTITY);
    let carrier = wearer.posed.world[0] * posed * wearer.definition.rest_matrix(bone).inverse();
    if carrier.is_finite() && carrier.matrix3.determinant() != 0.0 {
        carrier
    } else {
        Affine3A::IDENTITY
    }
}

/// Advances all hair by a tick and poses its bones. Returns true if there is any.
pub(super) fn advance(
    effects: &mut Effects,
    characters: &mut Characters,
    surroundings: &Surroundings<'_>,
    base: TimeBase,
    dt: f64,
) -> bool {
    let Surroundings { camera, time, .. } = *surroundings;
    let Effects { hair, wind, .. } = effects;
    if hair.is_empty() {
        return false;
    }
    let eye = camera.camera(1.0).eye;
    let gone: Vec<Handle> = hair
        .iter_mut()
        .filter(|(_, piece)| piece.time_base(characters) == base)
        .filter_map(|(handle, piece)| (!piece.gather(characters)).then_some(handle))
        .collect();
    for handle in gone {
        let is_worn = |piece: &StageHair| characters.get(piece.wearer.0).is_some();
        // Removes the hair model when its wearer is gone.
        if let Some(left) = hair.remove(handle).filter(|piece| !is_worn(piece)) {
            characters.take_off(left.character);
        }
    }
    let all = hair.iter_mut().map(|(_, piece)| piece);
    let mut moving: Vec<&mut StageHair> = all
        .filter(|piece| piece.time_base(characters) == base)
        .collect();
    moving
        .par_iter_mut()
        .for_each(|piece| piece.advance(dt, time, wind));
    for piece in moving {
        if let Some(character) = characters.get_mut(piece.character) {
            piece.show(character, eye);
        }
    }
    true
}

/// Continues hair of the same identity.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let (old, new) = (&reload.old.effects.hair, &mut reload.new.effects.hair);
    new.free_old();
    for (_, own) in new.iter_mut() {
        if let Some((_, was)) = old.iter().find(|(_, was)| was.identity == own.identity) {
            own.continue_from(was);
        }
    }
}
