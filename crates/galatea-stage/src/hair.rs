//! Hair on a stage: what carries it, what it stays out of, and whose bones it moves.

use glam::{Affine3A, Vec3};
use rayon::prelude::*;

use super::reload::Reload;
use super::{Arena, CameraRig, Characters, Effects, Handle, Identity};
use galatea_anim::Skeleton;
use galatea_character::{Character, Definition, HeadNames, HeadSkin, SkinRoot};
use galatea_hair::{BookHair, ChainInput, Chains, PARTS};
use galatea_math::clamp::ClampTo as _;
use galatea_physics::particles::ParticleObstacle;
use galatea_rig::wind::Wind;

/// Pieces of hair that there may be on a stage.
pub const MOST_HAIR: usize = 64;
/// Points of guides that all of them may have.
pub const MOST_GUIDE_POINTS: usize = 65_536;
/// Times that new hair moves on before it is seen, and seconds of each.
const SETTLED: usize = 90;
const SETTLING: f64 = 1.0 / 60.0;
/// Radii of the hair away from which half of the strands are left out, at twice and four times that more of them: they
/// would be finer than pixels.
const FAR: f32 = 12.0;
/// Nearer by this share they come back.
const HYSTERESIS: f32 = 0.9;

/// How hair moves.
#[derive(Clone, Debug)]
pub enum HairMotion {
    /// As chains of points.
    Chains(Box<Chains>),
    /// As in the book.
    Book(BookHair),
}

/// Hair that somebody wears.
#[derive(Clone, Debug)]
pub struct StageHair {
    /// Identity over hot reloads.
    pub identity: Identity,
    /// How it moves.
    pub motion: HairMotion,
    /// Whose bones it moves: bone 1 + guide · points + point stands on that point.
    pub character: Handle,
    /// Who wears it, on which bone.
    pub wearer: (Handle, u16),
    /// Bones of the wearer whose bodies it stays out of.
    pub bodies: Vec<u16>,
    /// On whose bodies it lies beside those.
    pub collide: Vec<Handle>,
    /// Share of the wind that it feels.
    pub wind: f32,
    /// Where its roots go with the skin as that moves on its bone, as a beard does with a mouth.
    pub skin: Option<SkinHold>,
    /// Guides, and points of each.
    pub size: (usize, usize),
    carrier: Affine3A,
    /// How the bone was posed in the last tick, whose palette the skin still has.
    posed: Option<Affine3A>,
    placed: Option<Affine3A>,
    solids: Vec<ParticleObstacle>,
    is_new: bool,
    /// How many of the model's parts are shown.
    n_parts: usize,
}

/// Guides that go with the skin.
#[derive(Clone, Debug)]
pub struct SkinHold {
    /// The skin at the root of each, where there is some.
    pub roots: Vec<Option<SkinRoot>>,
    /// Each of them at rest, the wearer's space.
    pub shapes: Vec<Vec<Vec3>>,
    /// Parts that the script excluded or chose.
    pub names: HeadNames,
}

impl SkinHold {
    /// Guides at rest on the skin of a head.
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
    /// Hair that begins at rest; `size` is how many guides there are and points of each.
    pub fn new(
        identity: Identity,
        motion: HairMotion,
        character: Handle,
        wearer: (Handle, u16),
        size: (usize, usize),
    ) -> Self {
        Self {
            identity,
            motion,
            character,
            wearer,
            bodies: Vec::new(),
            collide: Vec::new(),
            wind: 1.0,
            skin: None,
            size,
            carrier: Affine3A::IDENTITY,
            posed: None,
            placed: None,
            solids: Vec::new(),
            is_new: true,
            n_parts: PARTS.len(),
        }
    }

    /// Points of all guides.
    pub fn n_points(&self) -> usize {
        self.size.0 * self.size.1
    }

    /// Begins again at rest.
    pub fn reset(&mut self) {
        (self.placed, self.is_new) = (None, true);
        match &mut self.motion {
            HairMotion::Chains(chains) => chains.reset(),
            HairMotion::Book(book) => book.reset(),
        }
    }

    /// Goes on from the state of one of the same identity.
    fn continue_from(&mut self, was: &Self) {
        if let (HairMotion::Chains(own), HairMotion::Chains(other)) =
            (&mut self.motion, &was.motion)
        {
            own.continue_from(other);
            self.is_new = was.is_new || own.is_new();
        }
        (self.placed, self.n_parts) = (was.placed, was.n_parts);
    }

    /// The wearer's model was replaced: bones are found again by name. False when the one that carries it is gone.
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

    /// The wearer's model was replaced: the skin under roots is found again.
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

    /// Brings guides to where the skin is now.
    fn go_with_skin(&mut self, wearer: &Character) {
        let (Some(hold), HairMotion::Chains(chains)) = (&self.skin, &mut self.motion) else {
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

    /// Reads where its carrier and its solids are. False when it cannot be: who wears it is gone.
    fn gather(&mut self, characters: &Arena<Character>) -> bool {
        let (handle, bone) = self.wearer;
        let (Some(wearer), Some(_)) = (characters.get(handle), characters.get(self.character))
        else {
            return false;
        };
        self.carrier = hair_carrier(wearer, bone);
        self.go_with_skin(wearer);
        self.solids.clear();
        wearer.body.add_obstacles(
            &wearer.definition,
            &wearer.posed,
            |bone| !self.bodies.contains(&bone),
            &mut self.solids,
        );
        for other in &self.collide {
            if let Some(body) = characters.get(*other) {
                body.body
                    .add_obstacles(&body.definition, &body.posed, |_| false, &mut self.solids);
            }
        }
        let world = wearer.posed.world[0];
        let before = self.placed.replace(world).unwrap_or(world);
        let way = Vec3::from(world.translation - before.translation).length();
        let by = world * before.inverse();
        if way > wearer.body_length() && by.is_finite() {
            match &mut self.motion {
                HairMotion::Chains(chains) => chains.teleport(by),
                HairMotion::Book(book) => book.reset(),
            }
        }
        true
    }

    fn advance(&mut self, dt: f64, time: f64, wind: &Wind) {
        let air = wind.at(self.carrier.translation.into(), time) * self.wind;
        match &mut self.motion {
            HairMotion::Chains(chains) => {
                let mut input = ChainInput {
                    carrier: self.carrier,
                    dt: SETTLING,
                    solids: &self.solids,
                    wind: air,
                };
                // It lies on the body as that is posed before it is first seen.
                let n = if std::mem::take(&mut self.is_new) {
                    SETTLED
                } else {
                    0
                };
                for _ in 0..n {
                    chains.advance(&input);
                }
                input.dt = dt;
                chains.advance(&input);
            }
            HairMotion::Book(book) => book.advance(&self.carrier, dt as f32, &self.solids),
        }
    }

    /// Brings the bones to the points, and shows as many strands as can be told apart from an eye.
    fn show(&mut self, character: &mut Character, eye: Vec3) {
        let back = character.posed.world[0].inverse();
        if !back.is_finite() {
            return;
        }
        let (scale, carried, _) = self.carrier.to_scale_rotation_translation();
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
            match &self.motion {
                HairMotion::Chains(chains) => {
                    for (bone, (at, turn)) in bones.zip(chains.frames(guide)) {
                        place(bone, at, turn);
                    }
                }
                HairMotion::Book(book) => {
                    for (bone, at) in bones.zip(book.points(guide)) {
                        place(bone, at, carried);
                    }
                }
            }
        }
        self.show_parts(character, eye);
    }

    /// World places of the points of a guide, root first.
    pub fn points(&self, guide: usize) -> Vec<Vec3> {
        match &self.motion {
            HairMotion::Chains(chains) => chains.frames(guide).map(|(at, _)| at).collect(),
            HairMotion::Book(book) => book.points(guide).collect(),
        }
    }

    /// What it stays out of, as of the last tick.
    pub fn lies_on(&self) -> &[ParticleObstacle] {
        &self.solids
    }

    /// Fewer strands from farther away (HR-17).
    fn show_parts(&mut self, character: &mut Character, eye: Vec3) {
        let size = character.definition.rest_bounds.1 * self.carrier.matrix3.x_axis.length();
        let away = eye.distance(self.carrier.translation.into()) / size.max(1e-3);
        let wanted = |away: f32| {
            let halvings = (away / FAR).max(1.0).log2().ceil() as usize;
            PARTS.len() - halvings.min(PARTS.len() - 1)
        };
        let (least, most) = (wanted(away), wanted(away * HYSTERESIS));
        self.n_parts = self.n_parts.clamp_to(least, most);
        let Some(bits) = character.appearance.hidden_parts.first_mut() else {
            return;
        };
        // The first part is there from any distance: a script has hidden it, and all of them.
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

/// World from a character's space at rest, as a bone carries it now; without a size, the identity.
pub fn hair_carrier(wearer: &Character, bone: u16) -> Affine3A {
    let posed = wearer.posed.model_from_bone.get(usize::from(bone));
    let posed = posed.copied().unwrap_or(Affine3A::IDENTITY);
    let carrier = wearer.posed.world[0] * posed * wearer.definition.rest_matrix(bone).inverse();
    if carrier.is_finite() && carrier.matrix3.determinant() != 0.0 {
        carrier
    } else {
        Affine3A::IDENTITY
    }
}

/// Moves all hair on by a tick and brings bones to it. True when there is any.
pub(super) fn advance(
    effects: &mut Effects,
    characters: &mut Characters,
    camera: &CameraRig,
    time: f64,
    dt: f64,
) -> bool {
    let Effects { hair, wind, .. } = effects;
    if hair.is_empty() {
        return false;
    }
    let eye = camera.camera(1.0).eye;
    let gone: Vec<Handle> = hair
        .iter_mut()
        .filter_map(|(handle, piece)| (!piece.gather(characters)).then_some(handle))
        .collect();
    for handle in gone {
        let is_worn = |piece: &StageHair| characters.get(piece.wearer.0).is_some();
        // Nobody wears what is left of it.
        if let Some(left) = hair.remove(handle).filter(|piece| !is_worn(piece)) {
            characters.take_off(left.character);
        }
    }
    let mut moving: Vec<&mut StageHair> = hair.iter_mut().map(|(_, piece)| piece).collect();
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

/// Hair of the same identity continues.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let (old, new) = (&reload.old.effects.hair, &mut reload.new.effects.hair);
    new.free_old();
    for (_, own) in new.iter_mut() {
        if let Some((_, was)) = old.iter().find(|(_, was)| was.identity == own.identity) {
            own.continue_from(was);
        }
    }
}
