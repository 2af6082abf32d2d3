//! Binding: checks a definition against a model, replaces names by indices, and collects all errors.

mod motion;
mod states;

pub use motion::STEP;

use std::sync::Arc;

use super::bound::{Layer, Machine, NumberSource};
use super::definition::{LayerDef, MAX_STATES, MachineDef, MaskDef, Scalar, SourceLocation};
use galatea_anim::{ClipSet, MarkerValue, Markers, Mask};
use galatea_math::names::nearest_hint;

/// An error in a machine definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Position in the script.
    pub at: SourceLocation,
    /// Message, with the nearest right name.
    pub text: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.at, self.text)
    }
}

/// Checks a definition against the clips of a model and resolves its names. `marks` holds the marks of each clip.
///
/// # Errors
/// All problems at once: clips, bones, states or parameters that do not exist, duplicate names, layers without
/// states or with too many, and conditions that do not parse.
pub fn bind(
    def: &MachineDef,
    clips: &ClipSet,
    marks: &[Arc<Markers>],
) -> Result<Machine, Vec<Problem>> {
    let mut binder = MachineBinder {
        def,
        clips,
        markers: marks,
        awaited: Vec::new(),
        problems: Vec::new(),
    };
    let layers = binder.layers();
    if binder.problems.is_empty() {
        Ok(Machine {
            def: def.clone(),
            layers,
        })
    } else {
        Err(binder.problems)
    }
}

struct MachineBinder<'a> {
    def: &'a MachineDef,
    clips: &'a ClipSet,
    markers: &'a [Arc<Markers>],
    /// Marks that transitions of the current layer wait for.
    awaited: Vec<(String, Vec<(String, MarkerValue)>)>,
    problems: Vec<Problem>,
}

impl MachineBinder<'_> {
    fn problem(&mut self, at: &SourceLocation, text: String) {
        self.problems.push(Problem {
            at: at.clone(),
            text,
        });
    }

    fn layers(&mut self) -> Vec<Layer> {
        let def = self.def;
        if def.layers.is_empty() {
            self.problem(&def.location, "the machine has no states".into());
        }
        let mut layers: Vec<Layer> = Vec::new();
        for layer in &def.layers {
            if layers.iter().any(|other| other.name == layer.name) {
                self.problem(
                    &layer.location,
                    format!("two layers are named {:?}", layer.name),
                );
            }
            if layer.states.states.is_empty() {
                self.problem(
                    &layer.location,
                    format!("layer {:?} has no states", layer.name),
                );
            }
            let bound = self.layer(layer);
            if let Some(turning) = bound.states.iter().find(|state| state.orient.is_some())
                && !layers.is_empty()
            {
                let text = format!(
                    "state {:?}: only states of the lowest layer can have `orient_param`",
                    turning.path
                );
                self.problem(&layer.location, text);
            }
            layers.push(bound);
        }
        layers
    }

    fn layer(&mut self, def: &LayerDef) -> Layer {
        let (states, groups, transitions) = self.states(&def.states);
        if states.len() > MAX_STATES {
            let text = format!(
                "layer {:?} has {} states; the limit is {MAX_STATES}",
                def.name,
                states.len()
            );
            self.problem(&def.location, text);
        }
        Layer {
            name: def.name.clone(),
            mask: self.mask(&def.mask, &def.location),
            weight: self.number(&def.weight, &def.location),
            mode: def.mode,
            beyond: def.max_distance,
            awaited: std::mem::take(&mut self.awaited),
            inertial: transitions.iter().any(|t| t.fade.inertial),
            outgoing: (0..states.len())
                .map(|state| {
                    let all = transitions.iter().enumerate();
                    all.filter(|(_, t)| t.from[state]).map(|(i, _)| i).collect()
                })
                .collect(),
            states,
            groups,
            transitions,
        }
    }

    fn clip(&mut self, name: &str, at: &SourceLocation) -> usize {
        self.clips.find(name).unwrap_or_else(|| {
            let hint = nearest_hint(name, self.clips.names());
            let text = format!("the model {:?} has no clip {name:?}{hint}", self.clips.name);
            self.problem(at, text);
            0
        })
    }

    fn param(&mut self, name: &str, at: &SourceLocation) -> usize {
        let params = &self.def.params;
        params
            .iter()
            .position(|param| param.name == name)
            .unwrap_or_else(|| {
                let hint = nearest_hint(name, params.iter().map(|p| p.name.as_str()));
                self.problem(at, format!("no parameter {name:?}{hint}"));
                0
            })
    }

    fn number(&mut self, scalar: &Scalar, at: &SourceLocation) -> NumberSource {
        match scalar {
            Scalar::Fixed(n) => NumberSource::Fixed(*n),
            Scalar::Param(name) => NumberSource::Param(self.param(name, at)),
        }
    }

    fn mask(&mut self, def: &MaskDef, at: &SourceLocation) -> Option<Mask> {
        self.clips.masks(&def.entries).unwrap_or_else(|wrong| {
            wrong.into_iter().for_each(|text| self.problem(at, text));
            None
        })
    }
}
