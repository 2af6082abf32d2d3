//! A character with simulated limbs: control of each limb, falling, and recovery.

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::definition::Definition;
use galatea_anim::Skeleton;
use galatea_anim::humanoid::Role;
use galatea_physics::PhysicsWorld;
use galatea_physics::ragdoll::{BodyControl, Ragdoll, RagdollDefinition, RagdollSettings};

/// Initial muscle strength while falling, as a fraction of full strength, and seconds until it has faded.
const FALL_TONE: f32 = 0.05;
const TONE_SECONDS: f32 = 0.9;

/// Overall state of a character with limbs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum LimbState {
    /// The character is upright and follows its clips; single limbs may be limp or powered.
    #[default]
    Up,
    /// The character lies or falls as a limp ragdoll.
    Down {
        /// Seconds since the fall began; the ragdoll can fall asleep only after 2 s.
        since: f32,
        /// Seconds without noticeable movement.
        still: f32,
    },
}

/// Limb controls requested by a script, saved while the character falls and gets up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedLimbControls {
    requested: Vec<BodyControl>,
    settings: RagdollSettings,
}

/// The limbs of a character as physics bodies.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Limbs {
    /// Simulated bodies.
    pub ragdoll: Ragdoll,
    /// Overall state.
    pub state: LimbState,
    /// Control of each body when no hit affects it.
    pub rest: Vec<BodyControl>,
    /// Control of each body requested by a script, kept across falls and hits; `None` without a request.
    pub requested: Option<Vec<BodyControl>>,
    /// The limbs exist only for the reaction to a hit and are removed after it.
    pub is_temporary: bool,
    /// Loss of motor strength of each body after a hit, as a fraction.
    pub dips: Vec<f32>,
    /// Time constant in which the strength recovers, seconds (to 1/e).
    pub back: f32,
    /// Impulses to apply once the bodies are in the world: body index (`None` for all), newton seconds, position.
    pub pending: Vec<(Option<usize>, Vec3, Option<Vec3>)>,
    /// The event that it is at rest was emitted.
    pub settle_reported: bool,
    /// The character stays down until it is commanded to get up.
    pub stays_down: bool,
    /// Initial extra velocity of a fall from its walk, on top of the clips' motion, metres per second.
    pub momentum: Vec3,
    /// Position of the character after the last tick; its bodies follow when the character is teleported.
    pub last_position: Option<Vec3>,
}

impl Limbs {
    /// Creates limbs that all follow the animation.
    pub fn new(definition: Arc<RagdollDefinition>, settings: RagdollSettings) -> Self {
        let n = definition.bodies.len();
        Self {
            ragdoll: Ragdoll::new(definition, settings),
            state: LimbState::Up,
            rest: vec![BodyControl::Animated; n],
            requested: None,
            is_temporary: false,
            dips: vec![0.0; n],
            back: 0.2,
            pending: Vec::new(),
            settle_reported: false,
            stays_down: false,
            momentum: Vec3::ZERO,
            last_position: None,
        }
    }

    /// Moves the bodies along when the character was teleported. While it is down, any offset counts; otherwise only offsets
    /// of more than `jump` metres in a tick.
    pub fn go_along(&mut self, world: &mut PhysicsWorld, position: Vec3, jump: f32) {
        if let Some(placed) = self.last_position.replace(position) {
            let offset = position - placed;
            let min_offset = if self.is_down() { 0.0 } else { jump };
            if offset.is_finite() && offset.length() > min_offset {
                self.ragdoll.translate(world, offset);
            }
        }
    }

    /// Returns true while the character lies or falls.
    pub fn is_down(&self) -> bool {
        matches!(self.state, LimbState::Down { .. })
    }

    /// Sets the control of all bodies, now and after hits.
    pub fn set_all(&mut self, control: BodyControl) {
        self.ragdoll.set_all(control);
        self.rest.fill(control);
    }

    /// Sets the control of one body, now and after hits.
    pub fn set(&mut self, body: usize, control: BodyControl) {
        self.ragdoll.set_control(body, control);
        if let Some(rest) = self.rest.get_mut(body) {
            *rest = control;
        }
    }

    /// Sets the control of one body requested by a script; it is kept across falls.
    pub fn set_control(&mut self, body: usize, control: BodyControl) {
        let n = self.rest.len();
        let asked = self
            .requested
            .get_or_insert_with(|| vec![BodyControl::Animated; n]);
        if let Some(asked) = asked.get_mut(body) {
            *asked = control;
        }
        self.set(body, control);
    }

    /// Sets the control of all bodies requested by a script.
    pub fn set_all_controls(&mut self, control: BodyControl) {
        (0..self.rest.len()).for_each(|body| self.set_control(body, control));
    }

    /// Returns the state to restore after the character has fallen and stands again; `None` if the script requested no
    /// controls or the character stays down.
    pub fn saved_controls(&self) -> Option<SavedLimbControls> {
        let asked = self.requested.clone().filter(|_| !self.stays_down)?;
        Some(SavedLimbControls {
            requested: asked,
            settings: self.ragdoll.settings,
        })
    }

    /// Restores the state saved before a fall.
    pub fn restore_controls(&mut self, kept: SavedLimbControls) {
        self.ragdoll.settings = kept.settings;
        for (body, control) in kept.requested.into_iter().enumerate() {
            self.set_control(body, control);
        }
    }

    /// Returns true when powered limbs have let the hips sink by more than half of their height; `hips_height` in metres.
    pub fn has_sunk(&self, hips_height: f32) -> bool {
        let is_powered = matches!(self.rest.first(), Some(BodyControl::Powered(_)));
        let heights = [self.ragdoll.frame(0), self.ragdoll.target(0)];
        let [Some(actual), Some(target)] = heights.map(|frame| frame.map(|at| at.position.y))
        else {
            return false;
        };
        is_powered && !self.is_temporary && !self.is_down() && target - actual > 0.5 * hips_height
    }

    /// Puts the character down with its current controls until it is commanded to get up.
    pub fn lie_down(&mut self) {
        self.stays_down = true;
        self.settle_reported = false;
        self.state = LimbState::Down {
            since: 0.0,
            still: 0.0,
        };
    }

    /// Recovers from hits for `dt` seconds.
    pub fn recover(&mut self, dt: f32) {
        if let LimbState::Down { since, .. } = self.state {
            // A falling character is tense for a moment.
            let tone = FALL_TONE * (1.0 - since / TONE_SECONDS).max(0.0);
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
        let decay = (-dt / self.back.max(1e-3)).exp();
        for (i, dip) in self.dips.iter_mut().enumerate() {
            *dip *= decay;
            let rest = self.rest.get(i).copied().unwrap_or_default();
            let now = match rest {
                BodyControl::Powered(power) => BodyControl::Powered(power * (1.0 - *dip)),
                other => other,
            };
            self.ragdoll.set_control(i, now);
        }
    }

    /// Returns true when the reaction to a hit is over.
    pub fn is_over(&self) -> bool {
        self.is_temporary && !self.is_down() && self.dips.iter().all(|dip| *dip < 0.02)
    }

    /// Returns the indices of the bodies on these bones and on all bones below them.
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

    /// Makes the character fall as a limp ragdoll.
    pub fn fall(&mut self) {
        self.set_all(BodyControl::Limp);
        self.is_temporary = false;
        if !self.is_down() {
            self.settle_reported = false;
            self.state = LimbState::Down {
                since: 0.0,
                still: 0.0,
            };
        }
    }
}

/// Posture of a body on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LyingPosture {
    /// Lies on its back.
    FaceUp,
    /// Lies on its belly.
    FaceDown,
    /// Lies on its left or right side.
    OnSide,
    /// Upright: does not lie.
    Upright,
}

impl LyingPosture {
    /// Returns the posture for a trunk with the given up and forward directions in the world. `head`: height of the head
    /// above the hips, as a fraction of that at rest.
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

    /// Returns the word that scripts see.
    pub fn word(self) -> &'static str {
        match self {
            Self::FaceUp => "face_up",
            Self::FaceDown => "face_down",
            Self::OnSide => "side",
            Self::Upright => "upright",
        }
    }
}

/// Returns the bone that carries the body, and its height above the ground in the rest pose; model space.
pub fn hips_of(definition: &Definition) -> (u16, f32) {
    let bone = definition.clips.humanoid().bone(Role::Hips);
    let ragdoll = definition.ragdoll();
    let bone = bone
        .or_else(|| ragdoll.bodies.first().map(|body| body.bone))
        .unwrap_or(0);
    let place = definition.rest_positions.get(usize::from(bone));
    let lowest = definition.rest_box[0].y;
    (bone, place.map_or(0.0, |position| position.y - lowest))
}

/// Returns the height of the head above the hips as a fraction of that at rest and at a scale. `position` returns a bone's
/// current position. Returns 0 without a head or hips.
pub(super) fn head_over_hips(
    definition: &Definition,
    scale: f32,
    position: impl Fn(u16) -> Vec3,
) -> f32 {
    let humanoid = definition.clips.humanoid();
    let bones = [Role::Head, Role::Hips].map(|role| humanoid.bone(role));
    let [Some(head), Some(hips)] = bones else {
        return 0.0;
    };
    let rest = |bone: u16| definition.rest_matrix(bone).translation.y;
    let at_rest = (rest(head) - rest(hips)) * scale;
    let now = position(head).y - position(hips).y;
    if at_rest > 1e-6 { now / at_rest } else { 0.0 }
}

/// Returns the angle about +Y, from +Z to +X, of a direction's horizontal part, degrees; `or` if that part is too short.
pub(super) fn yaw_of(direction: Vec3, or: f32) -> f32 {
    let flat = direction.with_y(0.0);
    if flat.length() < 0.05 {
        or
    } else {
        f32::atan2(flat.x, flat.z).to_degrees()
    }
}
