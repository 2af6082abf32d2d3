//! Aiming a line of a bone, or of what it holds, by all bones down to it; and chains that reach.

use glam::Vec3;

use super::goal::{Goal, GoalPosition};
use crate::definition::Definition;
use galatea_rig::Posed;
use galatea_rig::aim::{AimGoal, AimLimits, AimLine, aim_chain};
use galatea_rig::chain::{Chain, ChainGoal};

/// Bones that point at something.
#[derive(Clone, Debug)]
pub struct Aiming {
    /// Each above the next, with its share of the way.
    pub bones: Vec<(u16, f32)>,
    /// Their names, to find them again in another model.
    pub names: Vec<String>,
    /// Where the line is: in the space of the last bone, or of the bone that `by` names.
    pub sight: AimLine,
    /// The bone, below the last one, that has the line: a hand with a weapon.
    pub by: Option<(u16, String)>,
    /// What it points at; nothing while it has none.
    pub goal: Option<Goal>,
    /// How far to the side, up and down, radians; from straight ahead of the character.
    pub ranges: [f32; 3],
    /// Where the goal is in this tick.
    pub place: Option<GoalPosition>,
    /// Radians by which it misses.
    pub missed: f32,
}

impl Aiming {
    /// Whether there are bones that turn.
    ///
    /// # Errors
    /// What the skeleton lacks.
    pub fn lacks(&self) -> Result<(), String> {
        if self.bones.is_empty() {
            return Err("it needs a spine, or bones that are named: bones = { … }".into());
        }
        Ok(())
    }

    pub(super) fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        let find = |name: &String| {
            let found = definition.model.skeleton.find(name);
            found.ok_or_else(|| format!("it needs the bone {name:?}"))
        };
        for ((bone, _), name) in self.bones.iter_mut().zip(&self.names) {
            *bone = find(name)?;
        }
        if let Some((bone, name)) = &mut self.by {
            *bone = find(name)?;
        }
        self.lacks()
    }

    /// Points at a place of model space. `ahead`: where the character looks, model space.
    pub(super) fn advance(
        &mut self,
        posed: &mut Posed<'_>,
        target: Vec3,
        ahead: Vec3,
        weight: f32,
    ) {
        let Some(&(last, _)) = self.bones.last() else {
            return;
        };
        let mut sight = self.sight;
        if let Some((by, _)) = self.by {
            let Some(below) = posed.below(last, by) else {
                return;
            };
            sight = AimLine {
                offset: below.transform_point3(sight.offset),
                forward: below.transform_vector3(sight.forward),
            };
        }
        let [yaw, up, down] = self.ranges;
        let limits = AimLimits {
            yaw: [-yaw, yaw],
            pitch: [-down, up],
            ..AimLimits::none(ahead)
        };
        let goal = AimGoal {
            target,
            up: Vec3::Y,
            keep_up: true,
            limits: Some(limits),
            weight,
        };
        self.missed = aim_chain(posed, &self.bones, &sight, &goal);
    }
}

/// A chain of bones whose tip reaches.
#[derive(Clone, Debug)]
pub struct Chaining {
    /// The bones.
    pub chain: Chain,
    /// Names of the first and of the last, to find them again in another model.
    pub ends: [String; 2],
    /// Radians that each bone may be turned from rest, where that is limited.
    pub limit: Option<f32>,
    /// How it is looked for; target and weight are those of the tick.
    pub how: ChainGoal,
    /// What it reaches for; nothing while it has none.
    pub goal: Option<Goal>,
    /// The tip is turned as the goal is.
    pub turns: bool,
    /// Where the goal is in this tick.
    pub place: Option<GoalPosition>,
    /// Metres by which it misses.
    pub missed: f32,
}

impl Chaining {
    pub(super) fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        let skeleton = &definition.model.skeleton;
        let [root, tip] = &self.ends;
        let find = |name: &String| {
            let found = skeleton.find(name);
            found.ok_or_else(|| format!("it needs the bone {name:?}"))
        };
        let chain = Chain::of(skeleton, find(root)?, find(tip)?);
        self.chain = chain.ok_or_else(|| format!("{tip:?} does not hang on {root:?}"))?;
        self.set_limits();
        Ok(())
    }

    /// Holds every bone within its limit.
    pub fn set_limits(&mut self) {
        if let Some(limit) = self.limit {
            for link in 0..self.chain.links().len() {
                self.chain.limit(link, limit, [-limit, limit]);
            }
        }
    }

    pub(super) fn advance(
        &mut self,
        posed: &mut Posed<'_>,
        place: glam::Affine3A,
        scale: f32,
        weight: f32,
    ) {
        let turned = galatea_math::Trs::nearest(place).rotation;
        let goal = ChainGoal {
            target: place.translation.into(),
            rotation: self.turns.then_some(turned),
            weight,
            ..self.how
        };
        self.missed = self.chain.solve(posed, &goal).missed * scale;
    }
}
