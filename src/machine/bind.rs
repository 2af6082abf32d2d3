//! Names to indices: a definition checked against a model, with every fault found at once.

use std::collections::HashSet;
use std::sync::Arc;

use super::definition::{From, MachineDef, MotionDef, Place, Predicate, Scalar, SyncBy};
use crate::anim::{MarkValue, Marks, Mask, PlayMode};
use crate::asset::Model;
use crate::math::names::nearest_hint;

/// A definition bound to one model. Immutable; no name is looked up while it plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// The definition it came from.
    pub def: MachineDef,
    pub(super) layers: Vec<Layer>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layer {
    pub mask: Option<Mask>,
    pub weight: Number,
    pub states: Vec<State>,
    pub transitions: Vec<Transition>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub motion: Motion,
    pub mode: PlayMode,
    pub speed: Number,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Motion {
    Rest,
    Clip(usize),
    Random(Vec<usize>),
    Blend1d { by: usize, points: Vec<Point> },
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Point {
    pub value: f32,
    pub clip: usize,
    /// Seconds into the clip at which the shared cycle begins; `None` runs free.
    pub sync: Option<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Fixed(f32),
    Param(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Transition {
    /// `None` is any state but the target.
    pub from: Option<Vec<usize>>,
    pub to: usize,
    pub when: Option<Predicate>,
    pub on: Option<String>,
    pub done: bool,
    pub after: f64,
    pub fade: f32,
}

/// A fault in a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where the faulty thing was written.
    pub at: Place,
    /// What is wrong, in plain words, with the nearest right name.
    pub text: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.at, self.text)
    }
}

/// Binds a definition to a model. `marks` holds the marks of each clip of the model.
///
/// # Errors
/// Every clip, bone, state or parameter that does not exist, each with its place and the nearest
/// right name; doubled names; a machine or layer without states.
pub fn bind(
    def: &MachineDef,
    model: &Model,
    marks: &[Arc<Marks>],
) -> Result<Machine, Vec<Problem>> {
    let mut binder = Binder {
        def,
        model,
        marks,
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

struct Binder<'a> {
    def: &'a MachineDef,
    model: &'a Model,
    marks: &'a [Arc<Marks>],
    problems: Vec<Problem>,
}

impl Binder<'_> {
    fn problem(&mut self, at: &Place, text: String) {
        self.problems.push(Problem {
            at: at.clone(),
            text,
        });
    }

    fn layers(&mut self) -> Vec<Layer> {
        let def = self.def;
        if def.layers.is_empty() {
            self.problem(&def.at, "the machine has no states".into());
        }
        let mut seen = HashSet::new();
        let mut layers = Vec::new();
        for layer in &def.layers {
            if !seen.insert(&layer.name) {
                self.problem(&layer.at, format!("two layers are named {:?}", layer.name));
            }
            if layer.states.is_empty() {
                self.problem(&layer.at, format!("layer {:?} has no states", layer.name));
            }
            let mut names: Vec<&str> = Vec::new();
            for state in &layer.states {
                if names.contains(&state.name.as_str()) {
                    self.problem(&state.at, format!("two states are named {:?}", state.name));
                }
                names.push(&state.name);
            }
            layers.push(Layer {
                mask: self.mask(&layer.mask, &layer.at),
                weight: self.number(&layer.weight, &layer.at),
                states: layer
                    .states
                    .iter()
                    .map(|state| State {
                        motion: self.motion(&state.motion, &state.at),
                        mode: match state.motion {
                            MotionDef::Blend1d { .. } => PlayMode::Loop,
                            _ => state.mode,
                        },
                        speed: self.number(&state.speed, &state.at),
                    })
                    .collect(),
                transitions: layer
                    .transitions
                    .iter()
                    .map(|t| Transition {
                        from: match &t.from {
                            From::Any => None,
                            From::States(from) => Some(
                                from.iter()
                                    .map(|name| self.state(name, &names, &t.at))
                                    .collect(),
                            ),
                        },
                        to: self.state(&t.to, &names, &t.at),
                        when: t.when,
                        on: t.on.clone(),
                        done: t.done,
                        after: f64::from(t.after),
                        fade: t.fade,
                    })
                    .collect(),
            });
        }
        layers
    }

    fn state(&mut self, name: &str, names: &[&str], at: &Place) -> usize {
        names.iter().position(|n| *n == name).unwrap_or_else(|| {
            let hint = nearest_hint(name, names.iter().copied());
            self.problem(at, format!("no state {name:?}{hint}"));
            0
        })
    }

    fn clip(&mut self, name: &str, at: &Place) -> usize {
        self.model.clip(name).unwrap_or_else(|| {
            let names = self.model.clips.iter().map(|clip| clip.name.as_str());
            let hint = nearest_hint(name, names);
            let text = format!("{} has no clip {name:?}{hint}", self.model.name);
            self.problem(at, text);
            0
        })
    }

    fn param(&mut self, name: &str, at: &Place) -> usize {
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

    fn number(&mut self, scalar: &Scalar, at: &Place) -> Number {
        match scalar {
            Scalar::Fixed(n) => Number::Fixed(*n),
            Scalar::Param(name) => Number::Param(self.param(name, at)),
        }
    }

    fn mask(&mut self, roots: &[String], at: &Place) -> Option<Mask> {
        if roots.is_empty() {
            return None;
        }
        let skeleton = &self.model.skeleton;
        let mut found = Vec::new();
        for name in roots {
            match skeleton.find(name) {
                Some(bone) => found.push(bone),
                None => {
                    let names = skeleton.bones().iter().map(|bone| bone.name.as_str());
                    let hint = nearest_hint(name, names);
                    let text = format!("{} has no bone {name:?}{hint}", self.model.name);
                    self.problem(at, text);
                }
            }
        }
        Some(Mask::subtree(skeleton, &found))
    }

    fn motion(&mut self, motion: &MotionDef, at: &Place) -> Motion {
        match motion {
            MotionDef::Clip(name) if name.is_empty() => Motion::Rest,
            MotionDef::Clip(name) => Motion::Clip(self.clip(name, at)),
            MotionDef::Random(names) => {
                if names.is_empty() {
                    self.problem(at, "random {} names no clip".into());
                }
                Motion::Random(names.iter().map(|name| self.clip(name, at)).collect())
            }
            MotionDef::Blend1d { by, points, sync } => {
                if points.is_empty() {
                    self.problem(at, "blend1d has no points".into());
                }
                if !points.is_sorted_by(|a, b| a.0 < b.0) {
                    self.problem(at, "the points of blend1d do not ascend".into());
                }
                Motion::Blend1d {
                    by: self.param(by, at),
                    points: points
                        .iter()
                        .map(|(value, name)| {
                            let clip = self.clip(name, at);
                            Point {
                                value: *value,
                                clip,
                                sync: self.sync(*sync, clip),
                            }
                        })
                        .collect(),
                }
            }
        }
    }

    fn sync(&self, by: SyncBy, clip: usize) -> Option<f32> {
        match by {
            SyncBy::Free => None,
            SyncBy::Phase => Some(0.0),
            SyncBy::Feet => self.marks.get(clip).and_then(|marks| {
                let left = ("foot".to_owned(), MarkValue::Text("left".into()));
                let steps = || marks.iter().filter(|mark| mark.event == "step");
                steps()
                    .find(|mark| mark.fields.contains(&left))
                    .or_else(|| steps().next())
                    .map(|mark| mark.t)
            }),
        }
    }
}
