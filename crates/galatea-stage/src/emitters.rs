//! Particle emitters on a stage: attachment, emission and collisions.

use std::sync::Arc;

use glam::{Affine3A, Vec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::frame::Frame;
use super::physics::{character_of, owner};
use super::reload::Reload;
use super::{Arena, Clock, Effects, Handle, Identity, Ids, Physics};
use galatea_anim::Skeleton;
use galatea_character::{Character, Definition, ModifierKind, SkinRoot, SkinSampler};
use galatea_emitter::{
    Emitter, EmitterInput, MAX_PREWARM_UPDATES, ParticleHit, SpawnPoint, SurfaceSampler,
};
use galatea_math::random::RandomSource;
use galatea_physics::{BodyType, Filter, Owner};
use galatea_rig::idle_motion::Breath;
use galatea_rig::wind::Wind;

/// Maximum number of emitters on a stage.
pub const MAX_EMITTERS: usize = 256;
/// Maximum number of particles of all emitters together.
pub const MAX_SPRITES: usize = 16_384;
/// Speed of maximum effort, body lengths per second, and the time until it is reached, seconds.
const MAX_EFFORT_SPEED: f32 = 3.0;
const EFFORT_TIME: f32 = 10.0;
/// Number of particles above which emitters run in parallel.
const MIN_PARALLEL: usize = 512;

/// Attachment of an emitter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum EmitterAttachment {
    /// Fixed in the world.
    World,
    /// A bone of a character.
    Bone(Handle, u16),
    /// A point on a character's skin; +Y is the surface normal.
    Skin(Handle, SkinRoot),
    /// The whole surface of a character.
    Surface(
        Handle,
        #[serde(with = "galatea_persist::shared")] Arc<SkinSampler>,
    ),
}

impl EmitterAttachment {
    fn holder(&self) -> Option<Handle> {
        match self {
            Self::World => None,
            Self::Bone(holder, _) | Self::Skin(holder, _) | Self::Surface(holder, _) => {
                Some(*holder)
            }
        }
    }
}

/// An emitter of a stage.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageEmitter {
    /// Identity over hot reloads.
    pub identity: Identity,
    /// The emitter and its particles.
    pub emitter: Emitter,
    /// Attachment.
    pub attachment: EmitterAttachment,
    /// Local frame relative to the attachment; particles leave along +Y.
    pub local: Affine3A,
    /// Emits only while its holder breathes out.
    pub breathes: bool,
    /// Fill level of the lungs in the last tick.
    lungs: f32,
    /// Simulated breath of a holder without a breathing modifier, and its effort, 0..=1.
    breath: (Breath, f32),
    /// World from emitter space in the last tick.
    world: Affine3A,
    /// Rate factor of this tick.
    open: f32,
    /// Created while the script was loaded; a reload creates it again.
    is_from_load: bool,
}

impl StageEmitter {
    /// Creates an emitter that emits from the coming tick on.
    pub fn new(
        identity: Identity,
        emitter: Emitter,
        place: EmitterAttachment,
        local: Affine3A,
    ) -> Self {
        Self {
            identity,
            emitter,
            attachment: place,
            local,
            breathes: false,
            lungs: 0.0,
            breath: (Breath::new(0), 0.0),
            world: local,
            open: 1.0,
            is_from_load: false,
        }
    }

    /// World position.
    pub fn position(&self) -> Vec3 {
        self.world.translation.into()
    }

    /// Finds the attachment again after the holder's model was replaced; if it is gone, the emitter stops.
    pub(super) fn find_again(
        &mut self,
        of: Handle,
        (was, now): (&Definition, &Arc<Definition>),
        hidden: &[u64],
    ) {
        if self.attachment.holder() != Some(of) {
            return;
        }
        let find = |bone: u16, from: &Skeleton, to: &Skeleton| {
            to.find(&from.bones().get(usize::from(bone))?.name)
        };
        let found = match &mut self.attachment {
            EmitterAttachment::World => true,
            EmitterAttachment::Bone(_, bone) => {
                let again = find(*bone, &was.model.skeleton, &now.model.skeleton);
                *bone = again.unwrap_or(0);
                again.is_some()
            }
            EmitterAttachment::Skin(..) => was.model.n_vertices() == now.model.n_vertices(),
            EmitterAttachment::Surface(_, places) => match SkinSampler::of(now, hidden) {
                Some(again) => {
                    *places = Arc::new(again);
                    true
                }
                None => false,
            },
        };
        if !found {
            self.detach();
        }
    }

    /// Detaches the emitter and stops it at its current position.
    fn detach(&mut self) {
        self.attachment = EmitterAttachment::World;
        self.local = self.world;
        self.emitter.run(false);
    }

    /// Follows the attachment.
    fn follow(&mut self, characters: &Arena<Character>, dt: f32) {
        let holder = self.attachment.holder();
        let body = holder.and_then(|holder| characters.get(holder));
        let carrier = match (&self.attachment, body) {
            (EmitterAttachment::World, _) => Some(Affine3A::IDENTITY),
            (_, None) => None,
            (EmitterAttachment::Bone(_, bone), Some(body)) => {
                let bone = body.posed.model_from_bone.get(usize::from(*bone));
                bone.map(|bone| body.posed.world[0] * *bone)
            }
            (EmitterAttachment::Skin(_, root), Some(body)) => body.skin_frame(root),
            (EmitterAttachment::Surface(..), Some(body)) => Some(body.posed.world[0]),
        };
        match carrier.map(|carrier| carrier * self.local) {
            Some(world) if world.is_finite() => self.world = world,
            _ => self.detach(),
        }
        self.open = 1.0;
        if let Some(body) = body.filter(|_| self.breathes && dt > 0.0) {
            let volume = lungs_of(body).unwrap_or_else(|| self.breathe(body, dt));
            self.open = ((self.lungs - volume) / dt).max(0.0);
            self.lungs = volume;
        }
    }

    /// Fill level of the lungs of a character of which only the movement is known.
    fn breathe(&mut self, body: &Character, dt: f32) -> f32 {
        let movement = body.posed.world[0].translation - body.posed.world[1].translation;
        let speed = movement.length() / dt / body.body_length().max(0.1);
        let works = (speed / MAX_EFFORT_SPEED).min(1.0);
        let (breath, effort) = &mut self.breath;
        *effort += (works - *effort) * (dt / EFFORT_TIME).min(1.0);
        breath.advance(*effort, 0.0, dt);
        breath.volume()
    }
}

/// Fill level of a character's lungs; `None` if it does not breathe.
fn lungs_of(body: &Character) -> Option<f32> {
    let stack = body.modifiers.modifier_stack.as_ref()?;
    stack
        .modifiers
        .iter()
        .find_map(|modifier| match &modifier.kind {
            ModifierKind::IdleMotion(living) if living.rig.is_some() => {
                Some(living.idle_motion.volume())
            }
            _ => None,
        })
}

/// Advances all particles by a tick.
pub(super) fn advance(
    effects: &mut Effects,
    characters: &Arena<Character>,
    physics: &Physics,
    clock: Clock,
) {
    puffin::profile_scope!("particles");
    let Effects { emitters, wind, .. } = effects;
    if emitters.is_empty() {
        return;
    }
    let (time, dt) = (clock.time(), clock.dt as f32);
    for (_, own) in emitters.iter_mut() {
        own.follow(characters, dt);
    }
    let n_there: usize = emitters.iter().map(|(_, own)| own.emitter.len()).sum();
    let running = emitters.iter().filter(|(_, own)| !own.emitter.is_over());
    let room = MAX_SPRITES.saturating_sub(n_there) / running.count().max(1);
    let starting = emitters
        .iter()
        .filter(|(_, own)| own.emitter.will_prewarm());
    let max_prewarm_updates = MAX_PREWARM_UPDATES / starting.count().max(1);
    let tick = EmitterTick {
        characters,
        physics,
        wind,
        time,
        dt,
        room,
        max_prewarm_updates,
    };
    if n_there > MIN_PARALLEL {
        let mut all: Vec<&mut StageEmitter> = emitters.iter_mut().map(|(_, own)| own).collect();
        all.par_iter_mut().for_each(|own| tick.advance(own));
    } else {
        emitters.iter_mut().for_each(|(_, own)| tick.advance(own));
    }
    let over = emitters.iter().filter(|(_, own)| own.emitter.is_over());
    let over: Vec<Handle> = over.map(|(handle, _)| handle).collect();
    for handle in over {
        emitters.remove(handle);
    }
}

/// Inputs of a tick that all emitters share.
struct EmitterTick<'a> {
    characters: &'a Arena<Character>,
    physics: &'a Physics,
    wind: &'a Wind,
    time: f64,
    dt: f32,
    /// Maximum number of new particles per emitter.
    room: usize,
    /// Maximum number of particle updates per emitter that starts with particles.
    max_prewarm_updates: usize,
}

impl EmitterTick<'_> {
    fn advance(&self, own: &mut StageEmitter) {
        let holder = own.attachment.holder();
        let without: Vec<Owner> = holder.map(owner).into_iter().collect();
        let filter = Filter {
            exclude: &without,
            ..Filter::default()
        };
        let met = |from: Vec3, to: Vec3| self.raycast(from, to, &filter);
        let body = holder.and_then(|holder| self.characters.get(holder));
        let on_skin = match (&own.attachment, body) {
            (EmitterAttachment::Surface(_, places), Some(body)) => Some((places.clone(), body)),
            _ => None,
        };
        let place = |chance: &mut RandomSource| {
            let (places, body) = on_skin.as_ref()?;
            let numbers = [chance.unit(), chance.unit(), chance.unit()];
            let frame = body.skin_place(places, numbers)?;
            Some(SpawnPoint {
                at: frame.translation.into(),
                normal: Vec3::from(frame.matrix3.y_axis).try_normalize()?,
            })
        };
        let surface: SurfaceSampler<'_> = &place;
        own.emitter.advance(&EmitterInput {
            dt: self.dt,
            time: self.time,
            transform: own.world,
            open: own.open,
            wind: self.wind,
            gravity: self.physics.gravity,
            surface: on_skin.is_some().then_some(surface),
            raycast: &met,
            room: self.room,
            max_prewarm_updates: self.max_prewarm_updates,
        });
    }

    /// The first hit of a particle between two positions.
    fn raycast(&self, from: Vec3, to: Vec3, filter: &Filter<'_>) -> Option<ParticleHit> {
        let movement = to - from;
        let length = movement.length();
        let hit = (self.physics.world).ray(from, movement.try_normalize()?, length, filter)?;
        let body = character_of(hit.owner).and_then(|handle| self.characters.get(handle));
        let is_fixed = body.is_none_or(|body| {
            let solid = body.body.prop_body.as_ref();
            solid.is_some_and(|solid| solid.options.body_type == BodyType::Static)
        });
        Some(ParticleHit {
            at: hit.position,
            normal: hit.normal,
            is_fixed,
        })
    }
}

impl Effects {
    /// Adds an emitter. `name` identifies it over hot reloads; without a name, the order of creation while the script loads
    /// does. Returns `None` at [`MAX_EMITTERS`].
    pub fn add_emitter(
        &mut self,
        ids: &mut Ids,
        characters: &Arena<Character>,
        name: Option<&str>,
        own: StageEmitter,
    ) -> Option<Handle> {
        if self.emitters.len() >= MAX_EMITTERS {
            return None;
        }
        let identity = ids.identify(name, "particles");
        let mut own = StageEmitter { identity, ..own };
        own.follow(characters, 0.0);
        Some(self.emitters.insert(own))
    }

    /// Adds all particles to a frame, interpolated between the last two ticks by `alpha` (0..=1).
    pub(super) fn add_particles(&self, alpha: f32, dt: f64, frame: &mut Frame) {
        for (_, own) in self.emitters.iter() {
            if own.emitter.is_empty() {
                continue;
            }
            let picture = own.emitter.picture();
            let mut known = frame.particle_pictures.iter();
            let known = known.position(|known| Arc::ptr_eq(known, picture));
            let number = known.unwrap_or_else(|| {
                frame.particle_pictures.push(picture.clone());
                frame.particle_pictures.len() - 1
            });
            let (number, dt) = (number as u16, dt as f32);
            own.emitter
                .add_sprites(alpha, number, dt, &mut frame.particles);
        }
    }
}

/// Continues particles in the air. Emitters of the same identity continue, emitters that a script created while running
/// stay, and all others stop emitting.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let Reload { old, new, .. } = reload;
    let (characters, new) = (&new.characters, &mut new.effects.emitters);
    let (bodies, old) = (&old.characters, &mut old.effects.emitters);
    new.free_old();
    for (_, own) in new.iter_mut() {
        own.is_from_load = true;
        let same = |was: &StageEmitter| was.identity == own.identity && was.is_from_load;
        let was = old
            .iter()
            .find_map(|(handle, was)| same(was).then_some(handle));
        if let Some(was) = was.and_then(|handle| old.remove(handle)) {
            own.emitter.continue_from(&was.emitter);
            (own.lungs, own.breath) = (was.lungs, was.breath);
        }
    }
    let left: Vec<Handle> = old.iter().map(|(handle, _)| handle).collect();
    for mut was in left.into_iter().filter_map(|handle| old.remove(handle)) {
        let holder = was.attachment.holder();
        let now = holder.and_then(|holder| characters.get(holder));
        let body = holder.and_then(|holder| bodies.get(holder));
        if was.is_from_load || holder.is_some() && now.is_none() {
            was.detach();
        } else if let (Some(of), Some(now), Some(body)) = (holder, now, body)
            && !Arc::ptr_eq(&body.definition, &now.definition)
        {
            let both = (&*body.definition, &now.definition);
            was.find_again(of, both, &now.appearance.hidden_parts);
        }
        if !was.emitter.is_over() && new.len() < MAX_EMITTERS {
            new.insert(was);
        }
    }
}
