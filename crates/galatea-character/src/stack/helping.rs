//! Helper bones and constraints of a character: those of its file and those that a script added.

use std::sync::Arc;

use crate::definition::Definition;
use galatea_rig::Posed;
use galatea_rig::helper::{HelperSpec, Helpers};

/// Helpers that a script may add to one character.
pub const MOST_HELPERS: usize = 256;

/// Helpers of one character.
#[derive(Clone, Debug)]
pub struct Helping {
    /// What the script added, in names and numbers.
    pub own: Vec<HelperSpec>,
    bound: Arc<BoundHelpers>,
    /// Weights of morph targets that drivers set, added up.
    weights: Vec<f32>,
}

/// Helpers of a model, and where the morph targets are that they set.
#[derive(Debug)]
struct BoundHelpers {
    helpers: Helpers,
    /// For every name of the helpers' list its places in a pose.
    morphs: Vec<Vec<usize>>,
}

impl BoundHelpers {
    fn of(definition: &Definition, own: &[HelperSpec]) -> Result<Self, String> {
        let skeleton = &definition.model.skeleton;
        let rest = &definition.rest.locals;
        let specs = definition.helpers().iter().chain(own);
        let bound = specs.map(|spec| spec.bind(skeleton, rest).map_err(|why| why.to_string()));
        let helpers = Helpers::new(bound.collect::<Result<_, _>>()?);
        let helpers = helpers.map_err(|why| why.to_string())?;
        let mut morphs = Vec::new();
        for name in helpers.morphs() {
            let found = definition.morph_indices(name);
            // A morph target that a file itself lacks moves nothing; a script's is a slip.
            let is_own = own.iter().any(|spec| spec.morph.as_ref() == Some(name));
            if found.is_empty() && is_own {
                let known = definition.morph_names();
                let hint = galatea_math::names::nearest_hint(name, known.into_iter());
                let model = &definition.model.name;
                return Err(format!("{model} has no morph target {name:?}{hint}"));
            }
            morphs.push(found);
        }
        Ok(Self { helpers, morphs })
    }
}

impl Helping {
    /// The helpers of a model's file and those of a script.
    ///
    /// # Errors
    /// What one of them names and the model has not, with the nearest name; or which of them go round in a circle.
    pub fn new(definition: &Definition, own: Vec<HelperSpec>) -> Result<Self, String> {
        let bound = BoundHelpers::of(definition, &own)?;
        Ok(Self {
            own,
            bound: Arc::new(bound),
            weights: Vec::new(),
        })
    }

    /// The same for another model; what does not fit it any more is left out. Why, if something is.
    pub(super) fn rebind(&mut self, definition: &Definition) -> Option<String> {
        let own = std::mem::take(&mut self.own);
        match Self::new(definition, own.clone()) {
            Ok(new) => {
                *self = new;
                None
            }
            Err(why) => {
                // Those of the script wait for a model that they fit.
                if let Ok(bound) = BoundHelpers::of(definition, &[]) {
                    self.bound = Arc::new(bound);
                }
                self.own = own;
                Some(why)
            }
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.bound.helpers.list().len()
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Turns and moves helper bones, and sets morph weights but for those that `is_held` by a script.
    pub(super) fn apply(
        &mut self,
        posed: &mut Posed<'_>,
        morphs: &mut [f32],
        is_held: impl Fn(usize) -> bool,
        weight: f32,
    ) {
        let bound = &self.bound;
        self.weights.clear();
        self.weights.resize(bound.morphs.len(), 0.0);
        let weights = &mut self.weights;
        bound.helpers.apply(posed, weight, &mut |i, value| {
            if let Some(slot) = weights.get_mut(i) {
                *slot += value;
            }
        });
        for (indices, value) in bound.morphs.iter().zip(weights) {
            for &i in indices.iter().filter(|i| !is_held(**i)) {
                if let Some(slot) = morphs.get_mut(i) {
                    *slot += *value;
                }
            }
        }
    }
}
