//! The face of a character, as a modifier: it acts after all others.

use std::sync::Arc;

use crate::character::definition::Definition;
use crate::face::{Face, FaceRig};
use crate::rig::Posed;

/// A character's face.
#[derive(Clone, Debug)]
pub struct Facing {
    /// What it can do.
    pub rig: Arc<FaceRig>,
    /// What its owners show.
    pub face: Face,
    /// Weights of what expressions make of materials.
    pub(in crate::character) materials: Vec<f32>,
    /// Clips' curves of expressions (VRM animations): which control, and which curve.
    curves: Vec<(u16, usize)>,
}

impl Facing {
    /// A face at rest, and what the model lacks for one.
    pub fn new(definition: &Definition, seed: u64) -> (Self, Option<String>) {
        let mut facing = Self {
            rig: Arc::default(),
            face: Face::new(seed),
            materials: Vec::new(),
            curves: Vec::new(),
        };
        let missing = facing.rebind(definition).err();
        (facing, missing)
    }

    /// Finds its names in a model.
    pub(super) fn rebind(&mut self, definition: &Definition) -> Result<(), String> {
        self.rig = definition.face_rig();
        self.face.rebind(&self.rig);
        let names = definition.clips.curve_names().iter().enumerate();
        let control = |name: &str| self.rig.find(name.strip_prefix("expression.")?);
        let found = names.filter_map(|(i, name)| Some((control(name)?, i)));
        self.curves = found.collect();
        if self.rig.is_empty() {
            return Err("its model has no morph targets and no bones of a face".into());
        }
        Ok(())
    }

    /// Moves on and writes into a pose, with the curves of this. `sight`: how far a blink closes the lids and where it
    /// looks, of one that looks; else it blinks by itself, unless it `sleeps`.
    pub(super) fn apply(
        &mut self,
        (morphs, curves): (&mut [f32], &[f32]),
        posed: &mut Posed<'_>,
        (sight, sleeps): (Option<(f32, [f32; 4])>, bool),
        weight: f32,
        dt: f32,
    ) {
        self.face.advance(dt);
        let holds = sleeps || sight.is_some() || self.face.holds_lids(&self.rig);
        self.face.advance_lids(holds, dt);
        let (lids, looks) = sight.unwrap_or_default();
        self.face.lids = lids.max(self.face.own_lids.closed());
        self.face.looks = looks;
        // What clips say of expressions is part of what lies below all owners.
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
