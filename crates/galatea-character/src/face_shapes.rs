//! The face shape weights of one character, which are added to the animated morph weights.

use std::sync::Arc;

use glam::{Affine3A, Vec3};
use serde::{Deserialize, Serialize};

use super::baked_face::BakedFace;
use super::definition::Definition;
use galatea_face::{FaceShape, ShapeRequest, ShapeSet};
use galatea_math::Trs;
use galatea_math::clamp::ClampTo as _;

/// Weights of one face's shapes by name, and the resulting morph weights on the current model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FaceShapeWeights {
    #[serde(with = "galatea_persist::shared")]
    set: Arc<ShapeSet>,
    /// Other morph targets that a script declared as shapes.
    declared_shapes: Vec<ShapeRequest>,
    /// Weights set by the script, including those of shapes that the current model lacks.
    script_weights: Vec<(String, f32)>,
    /// Weights at the end of the script's main part.
    baseline: Vec<(String, f32)>,
    /// Offsets added to morph weights.
    added: Vec<(usize, f32)>,
    /// Eye bones and their displacement in the parent's space.
    eyes: Vec<(u16, Vec3)>,
    /// Palette matrices of eyes that their own morph targets already move, and that displacement, mesh space.
    eye_displacement: Vec<(usize, Vec3)>,
}

impl FaceShapeWeights {
    /// Creates the face of the model file.
    pub fn new(definition: &Definition) -> Self {
        Self {
            set: definition.shapes(),
            declared_shapes: Vec::new(),
            script_weights: Vec::new(),
            baseline: Vec::new(),
            added: Vec::new(),
            eyes: Vec::new(),
            eye_displacement: Vec::new(),
        }
    }

    /// Returns all its shapes.
    pub fn set(&self) -> &Arc<ShapeSet> {
        &self.set
    }

    /// Returns the weight of each shape.
    pub fn weights(&self) -> Vec<f32> {
        self.set
            .shapes
            .iter()
            .map(|face_shape| self.weight(face_shape))
            .collect()
    }

    fn weight(&self, apply: &FaceShape) -> f32 {
        let given = self
            .script_weights
            .iter()
            .find(|(name, _)| *name == apply.name);
        let [low, high] = apply.range;
        given.map_or(apply.rest, |(_, weight)| (*weight).clamp_to(low, high))
    }

    /// Sets weights of shapes by index; weights are clamped to the shape's range.
    pub fn set_weights(
        &mut self,
        definition: &Definition,
        weights: impl IntoIterator<Item = (usize, f32)>,
    ) {
        for (i, weight) in weights {
            let Some(apply) = self.set.shapes.get(i) else {
                continue;
            };
            match self
                .script_weights
                .iter_mut()
                .find(|(name, _)| *name == apply.name)
            {
                Some((_, known)) => *known = weight,
                None => self.script_weights.push((apply.name.clone(), weight)),
            }
        }
        self.resolve(definition);
    }

    /// Declares other morph targets as shapes.
    ///
    /// # Errors
    /// Returns a message that names the missing target and the most similar name; in this case nothing changes.
    pub fn declare_shapes(
        &mut self,
        definition: &Definition,
        wanted: Vec<ShapeRequest>,
    ) -> Result<(), String> {
        let mut all = self.declared_shapes.clone();
        for (name, range) in wanted {
            all.retain(|(known, _)| *known != name);
            all.push((name, range));
        }
        let names = definition.target_names();
        let set = definition
            .shapes()
            .with(&names, &definition.rest.morphs, &all)?;
        (self.set, self.declared_shapes) = (Arc::new(set), all);
        self.resolve(definition);
        Ok(())
    }

    /// Rebinds the shapes by name to another version of the model.
    pub(super) fn rebind(&mut self, definition: &Definition) {
        let names = definition.target_names();
        let mut set = (*definition.shapes()).clone();
        for one in &self.declared_shapes {
            // A missing target is skipped, because the next version may have it again.
            if let Ok(more) = set.with(&names, &definition.rest.morphs, std::slice::from_ref(one)) {
                set = more;
            }
        }
        self.set = Arc::new(set);
        self.resolve(definition);
    }

    pub(super) fn record_baseline(&mut self) {
        self.baseline.clone_from(&self.script_weights);
    }

    /// Returns the shapes that differ from the file, with the difference.
    fn differences(&self) -> impl Iterator<Item = (&[usize], f32)> {
        let all = self.set.shapes.iter();
        let differences = all.map(|apply| (&apply.targets[..], self.weight(apply) - apply.rest));
        differences.filter(|(_, differences)| *differences != 0.0)
    }

    fn resolve(&mut self, definition: &Definition) {
        let mut added = Vec::new();
        for (targets, weight) in self.differences() {
            added.extend(targets.iter().map(|target| (*target, weight)));
        }
        let (mut eyes, mut taken) = (Vec::new(), Vec::new());
        if !added.is_empty() {
            for eye in definition.eye_surroundings().iter() {
                let moved = eye.moved(definition, self.differences());
                eyes.push((eye.bone, moved.in_parent));
                taken.extend(moved.taken);
            }
        }
        (self.added, self.eyes, self.eye_displacement) = (added, eyes, taken);
    }

    /// Moves eye bones along with the skin around them, so that they rotate about the right centre.
    pub(super) fn place_eyes(&self, locals: &mut [Trs]) {
        for (bone, by) in &self.eyes {
            if let Some(local) = locals.get_mut(usize::from(*bone)) {
                local.translation += *by;
            }
        }
    }

    /// Adds its weights to the drawn morph weights and corrects the palette of the eyes.
    pub(super) fn apply(&self, morphs: &mut [f32], palette: &mut [Affine3A]) {
        for (target, weight) in &self.added {
            if let Some(value) = morphs.get_mut(*target) {
                *value += weight;
            }
        }
        for (at, by) in &self.eye_displacement {
            if let Some(matrix) = palette.get_mut(*at) {
                *matrix *= Affine3A::from_translation(-*by);
            }
        }
    }

    /// Bakes its shapes into the model's meshes.
    pub fn bake(&self, definition: &Definition) -> BakedFace {
        BakedFace::new(definition, &self.added, &self.eyes, &self.eye_displacement)
    }

    /// Returns true if the script's main part set the same weights on both faces; `None` is the face of the file.
    pub(super) fn began_as(&self, other: Option<&Self>) -> bool {
        *self.baseline == *other.map_or(&[][..], |other| &other.baseline)
    }

    /// Takes over the weights of the face that this one replaces after a hot reload.
    pub(super) fn take_over(&mut self, was: Self, definition: &Definition) {
        for (name, range) in was.declared_shapes {
            if !self.declared_shapes.iter().any(|(known, _)| *known == name) {
                self.declared_shapes.push((name, range));
            }
        }
        self.script_weights = was.script_weights;
        self.rebind(definition);
    }
}
