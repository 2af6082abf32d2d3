//! The face of a character as a modifier, which acts after all others.

use std::sync::Arc;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::definition::Definition;
use galatea_face::{Face, FaceRig};
use galatea_rig::Posed;
use galatea_rig::trunk::Resting;
use galatea_speech::viseme::N_VISEMES;

/// Maximum number of simultaneous head movements.
const MAX_MOVES: usize = 8;

/// A head movement that accompanies speech.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HeadMove {
    /// Short nod: a beat.
    Beat,
    /// Nods twice.
    Nod,
    /// Shakes the head.
    Shake,
    /// Tilts towards one shoulder and stays there for a while.
    Tilt,
}

impl HeadMove {
    /// Returns the movement with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "beat" => Self::Beat,
            "nod" => Self::Nod,
            "shake" => Self::Shake,
            "tilt" => Self::Tilt,
            _ => return None,
        })
    }

    /// Returns the time from the start to the largest deflection, seconds.
    pub fn time_to_peak(self) -> f32 {
        match self {
            Self::Beat | Self::Nod => 0.16,
            Self::Shake => 0.14,
            Self::Tilt => 0.3,
        }
    }

    fn seconds(self) -> f32 {
        match self {
            Self::Beat => 0.5,
            Self::Nod => 0.85,
            Self::Shake => 0.95,
            Self::Tilt => 1.6,
        }
    }

    /// Returns the rotation after `t` seconds, degrees about the character's axes: +X bows, +Y turns left, +Z tilts to the
    /// right shoulder.
    fn angles(self, t: f32) -> Vec3 {
        let whole = self.seconds();
        let u = (t / whole).clamp(0.0, 1.0);
        // It fades out towards its end and starts without a jerk.
        let fade = (std::f32::consts::PI * u).sin();
        let wave = |period: f32| (std::f32::consts::TAU * t / period).sin();
        match self {
            Self::Beat => {
                Vec3::X
                    * (6.5
                        * (0.25 * std::f32::consts::TAU * t / self.time_to_peak())
                            .sin()
                            .max(0.0)
                        * fade.sqrt())
            }
            Self::Nod => {
                Vec3::X
                    * (8.0
                        * (0.5 - 0.5 * (std::f32::consts::TAU * t / (0.5 * whole)).cos())
                        * (1.0 - 0.4 * u))
            }
            Self::Shake => Vec3::Y * (9.0 * wave(0.48) * fade),
            Self::Tilt => Vec3::Z * (7.0 * fade.powf(0.6)),
        }
    }
}

/// The face of a character.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FaceModifier {
    /// Controls of the face.
    #[serde(with = "galatea_persist::shared")]
    pub rig: Arc<FaceRig>,
    /// State of the face: what its owners show.
    pub face: Face,
    /// The mouth follows the microphone.
    pub live: bool,
    /// Weights of the material changes of expressions.
    pub(crate) materials: Vec<f32>,
    /// Expression curves of clips (VRM animations): index of the control and of the curve.
    curves: Vec<(u16, usize)>,
    /// Neck and head bones, their fraction of a head movement, and the rotation from character axes to the parent's space.
    head: Vec<(u16, f32, Quat)>,
    /// Active head movements: kind, seconds since the start, strength.
    moves: Vec<(HeadMove, f32, f32)>,
    /// Viseme weights and speaking level of this tick.
    said: Option<([f32; N_VISEMES], f32)>,
}

impl FaceModifier {
    /// Creates a face at rest. Also returns a message that says what the model lacks.
    pub fn new(definition: &Definition, seed: u64) -> (Self, Option<String>) {
        let mut facing = Self {
            rig: Arc::default(),
            face: Face::new(seed),
            live: false,
            materials: Vec::new(),
            curves: Vec::new(),
            head: Vec::new(),
            moves: Vec::new(),
            said: None,
        };
        let missing = facing.rebind(definition).err();
        (facing, missing)
    }

    /// Rebinds the face to a model by name.
    pub(super) fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        self.rig = definition.face_rig();
        self.face.rebind(&self.rig);
        let names = definition.clips.curve_names().iter().enumerate();
        let control = |name: &str| self.rig.find(name.strip_prefix("expression.")?);
        let found = names.filter_map(|(i, name)| Some((control(name)?, i)));
        self.curves = found.collect();
        self.head.clear();
        if let Ok(gaze) = definition.gaze_rig() {
            let rest = Resting::new(&definition.model.skeleton, gaze.model_from_character);
            let necks = gaze.necks.iter().map(|neck| (neck.bone, neck.fraction));
            let remainder = 1.0 - gaze.necks.iter().map(|neck| neck.fraction).sum::<f32>();
            let all = necks.chain([(gaze.head.bone, remainder.clamp(0.0, 1.0))]);
            self.head.extend(
                all.map(|(bone, fraction)| (bone, fraction, rest.parent_from_character(bone))),
            );
        }
        if self.rig.is_empty() {
            return Err("the model has no morph targets and no face bones".into());
        }
        Ok(())
    }

    /// Sets the speech of this tick: viseme weights, and the fraction of the mouth that speech controls.
    pub fn speak(&mut self, visemes: [f32; N_VISEMES], level: f32) {
        self.said = Some((visemes, level));
    }

    /// Starts a head movement; the usual strength is 1.
    pub fn move_head(&mut self, head: HeadMove, strength: f32) {
        if self.moves.len() < MAX_MOVES {
            self.moves.push((head, 0.0, strength.clamp(0.0, 2.0)));
        }
    }

    fn rotate_head(&mut self, posed: &mut Posed<'_>, weight: f32, dt: f32) {
        let mut angles = Vec3::ZERO;
        self.moves.retain_mut(|(head, t, strength)| {
            *t += dt;
            angles += head.angles(*t) * *strength;
            *t < head.seconds()
        });
        let angles = angles * (weight * std::f32::consts::PI / 180.0);
        if angles == Vec3::ZERO {
            return;
        }
        for (bone, fraction, parent) in &self.head {
            let rotation =
                *parent * Quat::from_scaled_axis(angles * *fraction) * parent.conjugate();
            posed.turn(*bone, rotation);
        }
    }

    /// Advances the face and writes it into a pose. `sight`: eyelid closure of a blink, and the gaze direction, from a gaze
    /// modifier. Without it the face blinks on its own, unless it `sleeps`.
    pub(super) fn apply(
        &mut self,
        (morphs, curves): (&mut [f32], &[f32]),
        posed: &mut Posed<'_>,
        (sight, sleeps): (Option<(f32, [f32; 4])>, bool),
        weight: f32,
        dt: f32,
    ) {
        self.face.advance(dt);
        let (visemes, speaking) = self.said.take().unwrap_or_default();
        (self.face.visemes, self.face.speaking) = (visemes, speaking);
        self.rotate_head(posed, weight, dt);
        let holds = sleeps || sight.is_some() || self.face.holds_lids(&self.rig);
        self.face.advance_lids(holds, dt);
        let (lids, looks) = sight.unwrap_or_default();
        self.face.lids = lids.max(self.face.own_lids.closed());
        self.face.looks = looks;
        // Expression curves of clips form the base below all owners.
        let base = self.curves.iter().filter_map(|&(control, curve)| {
            let value = curves.get(curve).copied().filter(|value| *value != 0.0);
            value.map(|value| (control, value))
        });
        self.face.base.clear();
        self.face.base.extend(base);
        let Self {
            rig,
            face,
            materials,
            ..
        } = self;
        face.apply(rig, morphs, posed, materials, weight);
    }
}
