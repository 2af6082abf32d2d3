//! Helper bones and constraints of a character: those of the file and those added by a script.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::definition::Definition;
use galatea_rig::Posed;
use galatea_rig::helper::{HelperSpec, Helpers};

/// Maximum number of helpers that a script may add to one character.
pub const MAX_HELPERS: usize = 256;

/// Helper bones and constraints of one character.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HelperBonesModifier {
    /// Helpers added by the script.
    pub own: Vec<HelperSpec>,
    #[serde(with = "galatea_persist::shared")]
    bound: Arc<BoundHelpers>,
    /// Sum of the driven weights, by morph target.
    weights: Vec<f32>,
}

/// Helpers bound to a model, and the morph targets that they drive.
#[derive(Debug, Serialize, Deserialize)]
struct BoundHelpers {
    helpers: Helpers,
    /// For each morph name of the helpers: its indices into a pose's morph weights.
    morphs: Vec<Vec<usize>>,
}

impl BoundHelpers {
    fn of(definition: &Definition, own: &[HelperSpec]) -> Result<Self, String> {
        let skeleton = &definition.model.skeleton;
        let rest = &definition.rest.locals;
        let specs = definition.helpers().iter().chain(own);
        let bound = specs.map(|spec| spec.bind(skeleton, rest).map_err(|error| error.to_string()));
        let helpers = Helpers::new(bound.collect::<Result<_, _>>()?);
        let helpers = helpers.map_err(|error| error.to_string())?;
        let mut morphs = Vec::new();
        for name in helpers.morphs() {
            let found = definition.morph_indices(name);
            // A morph target missing in the file's own helpers is ignored; in a script's helper it is an error.
            let is_own = own.iter().any(|spec| spec.morph.as_ref() == Some(name));
            if found.is_empty() && is_own {
                let known = definition.morph_names();
                let hint = galatea_math::names::nearest_hint(name, known.into_iter());
                let model = &definition.model.name;
                return Err(format!(
                    "the model {model:?} has no morph target {name:?}{hint}"
                ));
            }
            morphs.push(found);
        }
        Ok(Self { helpers, morphs })
    }
}

impl HelperBonesModifier {
    /// Binds the helpers of a model's file and those of a script.
    ///
    /// # Errors
    /// Returns a message that names the missing bone or morph target with the most similar name, or the helpers that form a
    /// cycle.
    pub fn new(definition: &Definition, own: Vec<HelperSpec>) -> Result<Self, String> {
        let bound = BoundHelpers::of(definition, &own)?;
        Ok(Self {
            own,
            bound: Arc::new(bound),
            weights: Vec::new(),
        })
    }

    /// Rebinds to another model. Returns a message if some helpers do not fit it; these are left out.
    pub(super) fn rebind(&mut self, definition: &Definition) -> Option<String> {
        let own = std::mem::take(&mut self.own);
        match Self::new(definition, own.clone()) {
            Ok(new) => {
                *self = new;
                None
            }
            Err(error) => {
                // The script's helpers stay stored until a model fits them.
                if let Ok(bound) = BoundHelpers::of(definition, &[]) {
                    self.bound = Arc::new(bound);
                }
                self.own = own;
                Some(error)
            }
        }
    }

    /// Returns the number of helpers.
    pub fn len(&self) -> usize {
        self.bound.helpers.list().len()
    }

    /// Returns true when there are no helpers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Moves helper bones and sets morph weights, except those for which `is_held` returns true.
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
