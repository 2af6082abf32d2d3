//! What the face of one character is like: weights of its shapes, which are added to what moves.

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::baked_face::BakedFace;
use super::definition::Definition;
use galatea_face::{FaceShape, ShapeRequest, ShapeSet};
use galatea_math::Trs;
use galatea_math::clamp::ClampTo as _;

/// Weights of shapes of one face, by their names, and what they come to on the present model.
#[derive(Clone, Debug)]
pub struct Likeness {
    set: Arc<ShapeSet>,
    /// Targets that a script calls shapes.
    wanted: Vec<ShapeRequest>,
    /// What was given, also of shapes that the present model lacks.
    given: Vec<(String, f32)>,
    /// What the main part of the script left.
    begun: Vec<(String, f32)>,
    /// What is added to morph weights.
    added: Vec<(usize, f32)>,
    /// Eyes that are bones, and how far they move in their parents.
    eyes: Vec<(u16, Vec3)>,
    /// Matrices of the palette that carry eyes which their own targets move already, and how far, mesh space.
    taken: Vec<(usize, Vec3)>,
}

impl Likeness {
    /// As in the file.
    pub fn new(definition: &Definition) -> Self {
        Self {
            set: definition.shapes(),
            wanted: Vec::new(),
            given: Vec::new(),
            begun: Vec::new(),
            added: Vec::new(),
            eyes: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// All its shapes.
    pub fn set(&self) -> &Arc<ShapeSet> {
        &self.set
    }

    /// The weight of each shape.
    pub fn weights(&self) -> Vec<f32> {
        self.set
            .shapes
            .iter()
            .map(|shape| self.weight(shape))
            .collect()
    }

    fn weight(&self, shape: &FaceShape) -> f32 {
        let given = self.given.iter().find(|(name, _)| *name == shape.name);
        let [low, high] = shape.range;
        given.map_or(shape.rest, |(_, weight)| (*weight).clamp_to(low, high))
    }

    /// Gives shapes, by their numbers, weights; those outside a shape's range are its ends.
    pub fn give(
        &mut self,
        definition: &Definition,
        weights: impl IntoIterator<Item = (usize, f32)>,
    ) {
        for (i, weight) in weights {
            let Some(shape) = self.set.shapes.get(i) else {
                continue;
            };
            match self.given.iter_mut().find(|(name, _)| *name == shape.name) {
                Some((_, known)) => *known = weight,
                None => self.given.push((shape.name.clone(), weight)),
            }
        }
        self.resolve(definition);
    }

    /// Calls other targets shapes as well.
    ///
    /// # Errors
    /// Says which target there is not, and the nearest name; then nothing has changed.
    pub fn want(
        &mut self,
        definition: &Definition,
        wanted: Vec<ShapeRequest>,
    ) -> Result<(), String> {
        let mut all = self.wanted.clone();
        for (name, range) in wanted {
            all.retain(|(known, _)| *known != name);
            all.push((name, range));
        }
        let names = definition.target_names();
        let set = definition
            .shapes()
            .with(&names, &definition.rest.morphs, &all)?;
        (self.set, self.wanted) = (Arc::new(set), all);
        self.resolve(definition);
        Ok(())
    }

    /// Finds its shapes again by their names in another version of the model.
    pub(super) fn rebind(&mut self, definition: &Definition) {
        let names = definition.target_names();
        let mut set = (*definition.shapes()).clone();
        for one in &self.wanted {
            // What is gone may come back with the next version.
            if let Ok(more) = set.with(&names, &definition.rest.morphs, std::slice::from_ref(one)) {
                set = more;
            }
        }
        self.set = Arc::new(set);
        self.resolve(definition);
    }

    pub(super) fn note_begun(&mut self) {
        self.begun.clone_from(&self.given);
    }

    /// Shapes that are not as in the file, and how far they are from that.
    fn away(&self) -> impl Iterator<Item = (&[usize], f32)> {
        let all = self.set.shapes.iter();
        let away = all.map(|shape| (&shape.targets[..], self.weight(shape) - shape.rest));
        away.filter(|(_, away)| *away != 0.0)
    }

    fn resolve(&mut self, definition: &Definition) {
        let mut added = Vec::new();
        for (targets, weight) in self.away() {
            added.extend(targets.iter().map(|target| (*target, weight)));
        }
        let (mut eyes, mut taken) = (Vec::new(), Vec::new());
        if !added.is_empty() {
            for eye in definition.eye_surroundings().iter() {
                let moved = eye.moved(definition, self.away());
                eyes.push((eye.bone, moved.in_parent));
                taken.extend(moved.taken);
            }
        }
        (self.added, self.eyes, self.taken) = (added, eyes, taken);
    }

    /// Moves eyes that are bones along with the skin around them, so that they turn about where they are.
    pub(super) fn place_eyes(&self, locals: &mut [Trs]) {
        for (bone, by) in &self.eyes {
            if let Some(local) = locals.get_mut(usize::from(*bone)) {
                local.translation += *by;
            }
        }
    }

    /// Adds its weights to those that are drawn.
    pub(super) fn shape(&self, morphs: &mut [f32], palette: &mut [Affine3A]) {
        for (target, weight) in &self.added {
            if let Some(value) = morphs.get_mut(*target) {
                *value += weight;
            }
        }
        for (at, by) in &self.taken {
            if let Some(matrix) = palette.get_mut(*at) {
                *matrix *= Affine3A::from_translation(-*by);
            }
        }
    }

    /// Works its shapes into the meshes of its model.
    pub fn bake(&self, definition: &Definition) -> BakedFace {
        BakedFace::new(definition, &self.added, &self.eyes, &self.taken)
    }

    /// Returns whether the main part of the script set the same weights on both faces; `None` is the face of the file.
    pub(super) fn began_as(&self, other: Option<&Self>) -> bool {
        *self.begun == *other.map_or(&[][..], |other| &other.begun)
    }

    /// Takes over the weights of the face that this one replaces.
    pub(super) fn take_over(&mut self, was: Self, definition: &Definition) {
        for (name, range) in was.wanted {
            if !self.wanted.iter().any(|(known, _)| *known == name) {
                self.wanted.push((name, range));
            }
        }
        self.given = was.given;
        self.rebind(definition);
    }
}
