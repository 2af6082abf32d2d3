//! A character whose limbs are bodies: which of them move freely, and how it goes on from there.

use std::sync::Arc;

use glam::Vec3;

use super::definition::Definition;
use galatea_anim::Skeleton;
use galatea_anim::humanoid::Role;
use galatea_physics::PhysicsWorld;
use galatea_physics::ragdoll::{BodyControl, Ragdoll, RagdollDefinition, RagdollSettings};

/// Share of its strength that one who falls holds itself with at first, and seconds until it is gone.
const TONE: f32 = 0.05;
const TENSE: f32 = 0.9;

/// What a character with limbs does as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LimbState {
    /// It stands, as its clips have it; some limbs may hang or be pulled.
    #[default]
    Up,
    /// It lies or falls: nothing holds it. Seconds since it does, and since it has been nearly still.
    Down {
        /// Seconds since it fell; from 2 on it stands still while it sleeps.
        since: f32,
        /// Seconds for which it has hardly moved.
        still: f32,
    },
}

/// What a script wants of limbs, kept while their character falls and gets up.
#[derive(Clone, Debug)]
pub struct Kept {
    asked: Vec<BodyControl>,
    settings: RagdollSettings,
}

/// The limbs of a character as bodies.
#[derive(Clone, Debug)]
pub struct Limbs {
    /// The bodies.
    pub ragdoll: Ragdoll,
    /// What it does as a whole.
    pub state: LimbState,
    /// What moves each body when nothing has hit it for a while.
    pub rest: Vec<BodyControl>,
    /// What a script wants of each body, over falls and blows; `None` where it wants nothing.
    pub asked: Option<Vec<BodyControl>>,
    /// They are there for a blow alone: gone when it is over.
    pub passing: bool,
    /// How far each body gives way to a blow: the share of its power that is gone.
    pub dips: Vec<f32>,
    /// Seconds in which what gave way comes back by two thirds.
    pub back: f32,
    /// Pushes that wait for the bodies to be in the world: which body, or all; newton seconds; where.
    pub pending: Vec<(Option<usize>, Vec3, Option<Vec3>)>,
    /// It was told that it rests.
    pub told_rest: bool,
    /// It lies until it is told to get up.
    pub stays: bool,
    /// Metres per second that it has besides what its clips do, as it begins to fall: that of its walk.
    pub momentum: Vec3,
    /// Where the last tick left the character: put elsewhere, its bodies go along.
    pub placed: Option<Vec3>,
}

impl Limbs {
    /// Limbs that are all where the animation has them.
    pub fn new(definition: Arc<RagdollDefinition>, settings: RagdollSettings) -> Self {
        let n = definition.bodies.len();
        Self {
            ragdoll: Ragdoll::new(definition, settings),
            state: LimbState::Up,
            rest: vec![BodyControl::Animated; n],
            asked: None,
            passing: false,
            dips: vec![0.0; n],
            back: 0.2,
            pending: Vec::new(),
            told_rest: false,
            stays: false,
            momentum: Vec3::ZERO,
            placed: None,
        }
    }

    /// Moves its bodies along when the character was put elsewhere: at all while it lies, else by more than
    /// `jump` metres in a tick.
    pub fn go_along(&mut self, world: &mut PhysicsWorld, position: Vec3, jump: f32) {
        if let Some(placed) = self.placed.replace(position) {
            let offset = position - placed;
            let least = if self.is_down() { 0.0 } else { jump };
            if offset.is_finite() && offset.length() > least {
                self.ragdoll.carry(world, offset);
            }
        }
    }

    /// True while it lies or falls.
    pub fn is_down(&self) -> bool {
        matches!(self.state, LimbState::Down { .. })
    }

    /// Sets what moves all of its bodies, now and when nothing hits it.
    pub fn set_all(&mut self, control: BodyControl) {
        self.ragdoll.set_all(control);
        self.rest.fill(control);
    }

    /// Sets what moves one of its bodies, now and when nothing hits it.
    pub fn set(&mut self, body: usize, control: BodyControl) {
        self.ragdoll.set_control(body, control);
        if let Some(rest) = self.rest.get_mut(body) {
            *rest = control;
        }
    }

    /// Sets what a script wants of one of its bodies: until it wants another, also after a fall.
    pub fn ask(&mut self, body: usize, control: BodyControl) {
        let n = self.rest.len();
        let asked = self
            .asked
            .get_or_insert_with(|| vec![BodyControl::Animated; n]);
        if let Some(asked) = asked.get_mut(body) {
            *asked = control;
        }
        self.set(body, control);
    }

    /// Sets what a script wants of all of its bodies.
    pub fn ask_all(&mut self, control: BodyControl) {
        (0..self.rest.len()).for_each(|body| self.ask(body, control));
    }

    /// What is to be as it is now once it has fallen and stands again: nothing where nothing but falling was
    /// wanted of it.
    pub fn kept(&self) -> Option<Kept> {
        let asked = self.asked.clone().filter(|_| !self.stays)?;
        Some(Kept {
            asked,
            settings: self.ragdoll.settings,
        })
    }

    /// Has again what it had before a fall.
    pub fn keep(&mut self, kept: Kept) {
        self.ragdoll.settings = kept.settings;
        for (body, control) in kept.asked.into_iter().enumerate() {
            self.ask(body, control);
        }
    }

    /// True when motors that are to hold it have let its hips sink by more than half of their height, metres.
    pub fn has_sunk(&self, hips_height: f32) -> bool {
        let is_powered = matches!(self.rest.first(), Some(BodyControl::Powered(_)));
        let heights = [self.ragdoll.frame(0), self.ragdoll.target(0)];
        let [Some(is), Some(wanted)] = heights.map(|frame| frame.map(|at| at.position.y)) else {
            return false;
        };
        is_powered && !self.passing && !self.is_down() && wanted - is > 0.5 * hips_height
    }

    /// It lies, pulled as it is, until it is told to get up.
    pub fn lie(&mut self) {
        self.stays = true;
        self.told_rest = false;
        self.state = LimbState::Down {
            since: 0.0,
            still: 0.0,
        };
    }

    /// What gave way to a blow comes back, for `dt` seconds more.
    pub fn recover(&mut self, dt: f32) {
        if let LimbState::Down { since, .. } = self.state {
            // Who falls is tense for a moment.
            let tone = TONE * (1.0 - since / TENSE).max(0.0);
            for i in 1..self.rest.len() {
                if self.rest[i] == BodyControl::Limp {
                    let now = if tone > 0.0 {
                        BodyControl::Powered(tone)
                    } else {
                        BodyControl::Limp
                    };
                    self.ragdoll.set_control(i, now);
                }
            }
            return;
        }
        let keep = (-dt / self.back.max(1e-3)).exp();
        for (i, dip) in self.dips.iter_mut().enumerate() {
            *dip *= keep;
            let rest = self.rest.get(i).copied().unwrap_or_default();
            let now = match rest {
                BodyControl::Powered(power) => BodyControl::Powered(power * (1.0 - *dip)),
                other => other,
            };
            self.ragdoll.set_control(i, now);
        }
    }

    /// True when no blow shows any more.
    pub fn is_over(&self) -> bool {
        self.passing && !self.is_down() && self.dips.iter().all(|dip| *dip < 0.02)
    }

    /// Its bodies on these bones, and all that hang on them.
    pub fn bodies_under(&self, skeleton: &Skeleton, bones: &[u16]) -> Vec<usize> {
        let definition = &self.ragdoll.definition;
        let is_under = |bone: u16| {
            let mut bone = Some(bone);
            while let Some(at) = bone {
                if bones.contains(&at) {
                    return true;
                }
                bone = skeleton.bones().get(usize::from(at)).and_then(|b| b.parent);
            }
            false
        };
        let all = definition.bodies.iter().enumerate();
        all.filter(|(_, body)| is_under(body.bone))
            .map(|(i, _)| i)
            .collect()
    }

    /// Lets it fall.
    pub fn fall(&mut self) {
        self.set_all(BodyControl::Limp);
        self.passing = false;
        if !self.is_down() {
            self.told_rest = false;
            self.state = LimbState::Down {
                since: 0.0,
                still: 0.0,
            };
        }
    }
}

/// How a body lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LyingPosture {
    /// On its back.
    FaceUp,
    /// On its belly.
    FaceDown,
    /// On its left or right side.
    OnSide,
    /// It does not lie: it is upright.
    Upright,
}

impl LyingPosture {
    /// Of a trunk by where its top and its front point in the world, and how far its head is above its hips, as a
    /// share of that at rest.
    pub fn of(up: Vec3, forward: Vec3, head: f32) -> Self {
        if up.y > 0.75 || head > 0.6 {
            Self::Upright
        } else if forward.y > 0.45 {
            Self::FaceUp
        } else if forward.y < -0.45 {
            Self::FaceDown
        } else {
            Self::OnSide
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::FaceUp => "face_up",
            Self::FaceDown => "face_down",
            Self::OnSide => "side",
            Self::Upright => "upright",
        }
    }
}

/// The bone from which the body hangs, and its directions at rest: height over the ground, model space.
pub fn hips_of(definition: &Definition) -> (u16, f32) {
    let bone = definition.clips.humanoid().bone(Role::Hips);
    let ragdoll = definition.ragdoll();
    let bone = bone
        .or_else(|| ragdoll.bodies.first().map(|body| body.bone))
        .unwrap_or(0);
    let place = definition.rest_places.get(usize::from(bone));
    let lowest = definition.rest_box[0].y;
    (bone, place.map_or(0.0, |place| place.y - lowest))
}

/// How far the head is above the hips, as a share of that at rest and at a scale, by where bones are; 0 where it has
/// none of them.
pub(super) fn head_over_hips(
    definition: &Definition,
    scale: f32,
    place: impl Fn(u16) -> Vec3,
) -> f32 {
    let humanoid = definition.clips.humanoid();
    let bones = [Role::Head, Role::Hips].map(|role| humanoid.bone(role));
    let [Some(head), Some(hips)] = bones else {
        return 0.0;
    };
    let rest = |bone: u16| definition.rest_matrix(bone).translation.y;
    let at_rest = (rest(head) - rest(hips)) * scale;
    let now = place(head).y - place(hips).y;
    if at_rest > 1e-6 { now / at_rest } else { 0.0 }
}

/// Degrees about +Y, from +Z to +X, of a direction's horizontal part; `or` where it has none.
pub(super) fn yaw_of(direction: Vec3, or: f32) -> f32 {
    let flat = direction.with_y(0.0);
    if flat.length() < 0.05 {
        or
    } else {
        f32::atan2(flat.x, flat.z).to_degrees()
    }
}
