//! One character's place in a machine.

use super::bind::{Machine, Number};

/// Parameters' values and where each layer is. Plain data: kept over reloads by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MachineState {
    /// Values in the definition's order; true is 1.
    pub params: Vec<f32>,
    /// Layers in the definition's order.
    pub layers: Vec<LayerState>,
    /// Events sent since the last tick.
    pub sent: Vec<String>,
}

/// Where a layer is: the current state last, before it those still fading out, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerState {
    /// Never empty while the layer plays.
    pub active: Vec<Active>,
}

/// A state that plays.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Active {
    /// Index of the state in its layer.
    pub state: usize,
    /// Seconds since it was entered.
    pub age: f64,
    /// Seconds played on the clip (age times speed), for clips that run free.
    pub elapsed: f64,
    /// Laps of the shared cycle, for synced blends.
    pub cycles: f64,
    /// Seconds of its cross-fade.
    pub fade: f32,
    /// Which of several clips was chosen.
    pub choice: u32,
    /// True once a clip that plays once has reached its end.
    pub ended: bool,
}

impl Active {
    pub(super) fn enter(state: usize, fade: f32, choice: u32) -> Self {
        Self {
            state,
            fade,
            choice,
            ..Self::default()
        }
    }

    /// How much of this state shows over those before it, 0..=1, smooth at both ends.
    pub fn weight(&self) -> f32 {
        if self.fade <= 0.0 {
            return 1.0;
        }
        let u = (self.age as f32 / self.fade).clamp(0.0, 1.0);
        u * u * (3.0 - 2.0 * u)
    }
}

impl MachineState {
    /// Every layer in its first state, every parameter at its default.
    pub fn new(machine: &Machine) -> Self {
        Self {
            params: machine
                .def
                .params
                .iter()
                .map(|param| param.default.as_number())
                .collect(),
            layers: machine
                .layers
                .iter()
                .map(|_| LayerState {
                    active: vec![Active::enter(0, 0.0, 0)],
                })
                .collect(),
            sent: Vec::new(),
        }
    }

    /// The same place in a new machine: parameters, states and their times are kept by name; a state
    /// that is gone gives way to the layer's first state.
    pub fn carried_over(&self, old: &Machine, new: &Machine) -> Self {
        let mut state = Self::new(new);
        for (i, param) in new.def.params.iter().enumerate() {
            let was = old.def.params.iter().position(|p| {
                p.name == param.name
                    && std::mem::discriminant(&p.default) == std::mem::discriminant(&param.default)
            });
            if let Some(value) = was.and_then(|was| self.params.get(was)) {
                state.params[i] = *value;
            }
        }
        for (i, layer) in new.def.layers.iter().enumerate() {
            let Some(was) = old.def.layers.iter().position(|l| l.name == layer.name) else {
                continue;
            };
            let kept: Vec<Active> = self.layers[was]
                .active
                .iter()
                .filter_map(|active| {
                    let name = &old.def.layers[was].states[active.state].name;
                    let now = layer.states.iter().position(|s| s.name == *name)?;
                    Some(Active {
                        state: now,
                        ..*active
                    })
                })
                .collect();
            let current_survived = self.layers[was].active.last().is_some_and(|last| {
                let name = &old.def.layers[was].states[last.state].name;
                layer.states.iter().any(|s| s.name == *name)
            });
            if current_survived {
                state.layers[i].active = kept;
            }
        }
        state
    }

    /// Index of the current state of a layer.
    pub fn current(&self, layer: usize) -> Option<&Active> {
        self.layers.get(layer)?.active.last()
    }

    pub(super) fn number(&self, number: Number) -> f32 {
        match number {
            Number::Fixed(n) => n,
            Number::Param(i) => self.params.get(i).copied().unwrap_or(0.0),
        }
    }
}
