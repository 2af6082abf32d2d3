//! Differences between two versions of a machine, as text.

use std::collections::BTreeMap;

use super::definition::{
    Behaviour, Content, LayerDef, MachineDef, ParamDef, Predicate, SourceLocation, StateDef,
    StatesDef, TransitionDef, WhenDef,
};

/// Part of a machine that only its script can compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptedPart {
    /// A condition that is a function.
    Condition(Predicate),
    /// Script functions of a state.
    Behaviour(Behaviour),
}

/// Describes the differences of `new`, as in "2 transitions changed", "1 state added (jump)". Ignores positions in
/// the source; empty when nothing else differs. `same` compares an old with a new scripted part.
pub fn changes(
    old: &MachineDef,
    new: &MachineDef,
    same: &dyn Fn(ScriptedPart, ScriptedPart) -> bool,
) -> Vec<String> {
    let mut words = Vec::new();
    let params = |def: &MachineDef| {
        let pair = |param: &ParamDef| (param.name.clone(), param.clone());
        def.params.iter().map(pair).collect::<Vec<_>>()
    };
    let by_name = KeyedDifference::of(params(old), params(new), |a, b| a == b);
    by_name.describe("parameter", |name| Some(name), &mut words);
    let layers = |def: &MachineDef| {
        let bare = |layer: &LayerDef| LayerDef {
            states: StatesDef::default(),
            location: SourceLocation::default(),
            ..layer.clone()
        };
        let pair = |layer: &LayerDef| (layer.name.clone(), bare(layer));
        def.layers.iter().map(pair).collect::<Vec<_>>()
    };
    let by_name = KeyedDifference::of(layers(old), layers(new), |a, b| a == b);
    by_name.describe("layer", |name| Some(name), &mut words);
    let [before, after] = [FlatMachine::of(old), FlatMachine::of(new)];
    let states = KeyedDifference::of(before.states, after.states, |a, b| same_state(a, b, same));
    states.describe("state", |path| Some(path), &mut words);
    let mut transitions = KeyedDifference::of(before.transitions, after.transitions, |a, b| {
        same_transition(a, b, same)
    });
    transitions.pair_by(|(layer, _, to)| (layer.clone(), to.clone()));
    transitions.describe("transition", |_| None, &mut words);
    words
}

/// Layer, source states and target.
type TransitionKey = (String, String, String);

/// States and transitions of all layers; nested ones have their paths as names.
#[derive(Default)]
struct FlatMachine<'a> {
    states: Vec<(String, &'a StateDef)>,
    transitions: Vec<(TransitionKey, &'a TransitionDef)>,
}

impl<'a> FlatMachine<'a> {
    fn of(def: &'a MachineDef) -> Self {
        let mut flat = Self::default();
        let several = def.layers.len() > 1;
        for layer in &def.layers {
            let prefix = if several {
                format!("{}: ", layer.name)
            } else {
                String::new()
            };
            flat.add(&layer.name, &prefix, &layer.states);
        }
        flat
    }

    fn add(&mut self, layer: &str, prefix: &str, def: &'a StatesDef) {
        for state in &def.states {
            let path = format!("{prefix}{}", state.name);
            if let Content::Nested(inner) = &state.content {
                self.add(layer, &format!("{path}/"), inner);
            }
            self.states.push((path, state));
        }
        for transition in &def.transitions {
            let from = format!("{prefix}{:?}", transition.from);
            let to = format!("{prefix}{}", transition.to);
            self.transitions
                .push(((layer.to_owned(), from, to), transition));
        }
    }
}

fn same_state(
    a: &StateDef,
    b: &StateDef,
    same: &dyn Fn(ScriptedPart, ScriptedPart) -> bool,
) -> bool {
    let behaviours = match (a.behaviour, b.behaviour) {
        (Some(a), Some(b)) => same(ScriptedPart::Behaviour(a), ScriptedPart::Behaviour(b)),
        (a, b) => a.is_none() && b.is_none(),
    };
    let bare = |state: &StateDef| StateDef {
        content: match &state.content {
            // The content is compared state by state.
            Content::Nested(_) => Content::Nested(StatesDef::default()),
            motion => motion.clone(),
        },
        behaviour: None,
        location: SourceLocation::default(),
        ..state.clone()
    };
    behaviours && bare(a) == bare(b)
}

fn same_transition(
    a: &TransitionDef,
    b: &TransitionDef,
    same: &dyn Fn(ScriptedPart, ScriptedPart) -> bool,
) -> bool {
    let conditions = match (&a.when, &b.when) {
        (Some(WhenDef::Predicate(a)), Some(WhenDef::Predicate(b))) => {
            same(ScriptedPart::Condition(*a), ScriptedPart::Condition(*b))
        }
        (a, b) => a == b,
    };
    let bare = |transition: &TransitionDef| TransitionDef {
        when: None,
        location: SourceLocation::default(),
        ..transition.clone()
    };
    conditions && bare(a) == bare(b)
}

/// Added, removed and changed keys.
struct KeyedDifference<K> {
    added: Vec<K>,
    removed: Vec<K>,
    changed: Vec<K>,
}

impl<K: Ord + Clone> KeyedDifference<K> {
    /// Pairs values with the same key in their order.
    fn of<T>(old: Vec<(K, T)>, new: Vec<(K, T)>, same: impl Fn(&T, &T) -> bool) -> Self {
        let mut known: BTreeMap<K, std::collections::VecDeque<T>> = BTreeMap::new();
        for (key, value) in old {
            known.entry(key).or_default().push_back(value);
        }
        let (mut added, mut changed) = (Vec::new(), Vec::new());
        for (key, value) in new {
            let before = known.get_mut(&key).and_then(|values| values.pop_front());
            match before {
                Some(before) if same(&before, &value) => {}
                Some(_) => changed.push(key),
                None => added.push(key),
            }
        }
        let left = known.into_iter();
        let removed = left.flat_map(|(key, values)| values.into_iter().map(move |_| key.clone()));
        Self {
            added,
            removed: removed.collect(),
            changed,
        }
    }

    /// Reports a removed and an added key as one change if `like` maps both to the same value.
    fn pair_by<L: PartialEq>(&mut self, like: impl Fn(&K) -> L) {
        let removed = std::mem::take(&mut self.removed);
        for key in removed {
            let same = |other: &K| like(other) == like(&key);
            match self.added.iter().position(same) {
                Some(at) => self.changed.push(self.added.remove(at)),
                None => self.removed.push(key),
            }
        }
    }
}

impl<K> KeyedDifference<K> {
    /// Describes how many were changed, added and removed, with their names if they have names.
    fn describe(&self, noun: &str, name: impl Fn(&K) -> Option<&str>, words: &mut Vec<String>) {
        for (keys, verb) in [
            (&self.changed, "changed"),
            (&self.added, "added"),
            (&self.removed, "removed"),
        ] {
            if keys.is_empty() {
                continue;
            }
            let plural = if keys.len() == 1 { "" } else { "s" };
            let mut text = format!("{} {noun}{plural} {verb}", keys.len());
            let names: Vec<&str> = keys.iter().filter_map(&name).take(MAX_NAMES).collect();
            if !names.is_empty() {
                let more = if keys.len() > MAX_NAMES { ", …" } else { "" };
                text += &format!(" ({}{more})", names.join(", "));
            }
            words.push(text);
        }
    }
}

/// Maximum number of names in a description.
const MAX_NAMES: usize = 4;
