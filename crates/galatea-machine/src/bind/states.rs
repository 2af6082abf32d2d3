//! Binding of states, nested machines and transitions into flat lists.

use super::MachineBinder;
use crate::bound::{
    BoundEntry, NumberSource, Orient, State, StateMotion, SubMachine, Target, Transition,
    TransitionTest,
};
use crate::condition::{Condition, ParamType};
use crate::definition::{
    ClipStart, Content, FromStates, MAX_NESTED, ParamValue, Predicate, SourceLocation, StateDef,
    StatesDef, TransitionDef, WhenDef,
};
use crate::orient::can_turn;
use galatea_anim::{MarkerValue, PlayMode};
use galatea_math::names::nearest_hint;

/// A transition with the nested machine that contains it.
struct ScopedTransition<'a> {
    def: &'a TransitionDef,
    prefix: String,
    depth: usize,
}

impl MachineBinder<'_> {
    /// Binds the states of a layer, its nested machines, and all transitions in evaluation order: higher priority
    /// first, then inner before outer, then as written.
    pub(super) fn states(
        &mut self,
        def: &StatesDef,
    ) -> (Vec<State>, Vec<SubMachine>, Vec<Transition>) {
        let mut flat = FlatStates::default();
        self.flatten(def, "", &mut Vec::new(), &mut flat);
        let mut written = std::mem::take(&mut flat.written);
        written.sort_by_key(|t| {
            (
                std::cmp::Reverse(t.def.priority),
                std::cmp::Reverse(t.depth),
            )
        });
        let transitions = written
            .iter()
            .filter_map(|transition| self.transition(transition, &flat))
            .collect();
        (flat.states, flat.groups, transitions)
    }

    fn flatten<'d>(
        &mut self,
        def: &'d StatesDef,
        prefix: &str,
        groups: &mut Vec<usize>,
        flat: &mut FlatStates<'d>,
    ) {
        let mut names: Vec<&str> = Vec::new();
        for state in &def.states {
            if names.contains(&state.name.as_str()) {
                self.problem(
                    &state.location,
                    format!("two states are named {:?}", state.name),
                );
            }
            if state.name.is_empty() || state.name.contains('/') || state.name == "*" {
                let text = format!("a state cannot be named {:?}", state.name);
                self.problem(&state.location, text);
            }
            names.push(&state.name);
            let path = format!("{prefix}{}", state.name);
            match &state.content {
                Content::Motion(motion) => {
                    let motion = self.motion(motion, &state.location);
                    flat.states
                        .push(self.state(state, path, groups.clone(), motion));
                }
                Content::Nested(inner) => {
                    if inner.states.is_empty() {
                        self.problem(
                            &state.location,
                            format!("state {path:?} has no inner states"),
                        );
                        continue;
                    }
                    if groups.len() >= MAX_NESTED {
                        let text = format!("machines are nested more than {MAX_NESTED} deep");
                        self.problem(&state.location, text);
                        continue;
                    }
                    groups.push(flat.groups.len());
                    flat.groups.push(SubMachine {
                        path: path.clone(),
                        entry: flat.states.len(),
                        history: state.history,
                        behaviour: state.behaviour,
                    });
                    self.flatten(inner, &format!("{path}/"), groups, flat);
                    groups.pop();
                }
            }
        }
        flat.written
            .extend(def.transitions.iter().map(|def| ScopedTransition {
                def,
                prefix: prefix.to_owned(),
                depth: groups.len(),
            }));
    }

    fn state(
        &mut self,
        def: &StateDef,
        path: String,
        groups: Vec<usize>,
        motion: StateMotion,
    ) -> State {
        let mode = match &motion {
            StateMotion::Blend(blend) if blend.leaves.len() > 1 => PlayMode::Loop,
            _ => def.mode,
        };
        let orient = def.orient_param.as_ref().and_then(|param| {
            if !can_turn(self.clips) {
                let text = format!(
                    "{} cannot use `orient_param`: its skeleton has no humanoid legs",
                    self.clips.name
                );
                self.problem(&def.location, text);
                return None;
            }
            Some(Orient {
                param: self.param(param, &def.location),
                heading: self.heading(&motion),
            })
        });
        State {
            path,
            groups,
            motion,
            mode,
            speed: self.number(&def.speed, &def.location),
            time: def
                .time_param
                .as_ref()
                .map(|name| self.param(name, &def.location)),
            mirror: match &def.mirror {
                Some(mirror) => self.number(mirror, &def.location),
                None => NumberSource::Fixed(0.0),
            },
            root_motion: def.root_motion,
            orient,
            behaviour: def.behaviour,
        }
    }

    /// Walking direction of a motion's first clip, radians about +Y; 0 (straight ahead) when unknown.
    fn heading(&self, motion: &StateMotion) -> f32 {
        let clip = match motion {
            StateMotion::Rest => None,
            StateMotion::Blend(blend) => blend.leaves.first().map(|leaf| leaf.clip),
            StateMotion::List(list) => list.clips.first().copied(),
            StateMotion::Phases { looped, .. } => Some(*looped),
        };
        let velocity = clip.and_then(|clip| {
            let travel = self.clips.travel(clip).map(|root| root.lap().translation);
            travel.or(self.clips.ground_velocity(clip))
        });
        let velocity = velocity.filter(|velocity| velocity.x.hypot(velocity.z) > 0.05);
        velocity.map_or(0.0, |velocity| velocity.x.atan2(velocity.z))
    }

    fn transition(
        &mut self,
        written: &ScopedTransition<'_>,
        flat: &FlatStates<'_>,
    ) -> Option<Transition> {
        let def = written.def;
        let to = self.target(&def.to, &written.prefix, flat, &def.location)?;
        let mut from = vec![false; flat.states.len()];
        let any = ["*".to_owned()];
        let names = match &def.from {
            FromStates::Any => &any[..],
            FromStates::States(names) => names,
        };
        for name in names {
            if name == "*" {
                let is_target = |i: usize| match to {
                    Target::State(to) => to == i,
                    Target::Group(group) => flat.states[i].groups.contains(&group),
                };
                for (i, state) in flat.states.iter().enumerate() {
                    // An event can enter the same state again; a condition that stays true cannot.
                    let is_source = def.on.is_some() || !is_target(i);
                    from[i] |= is_source && state.path.starts_with(&written.prefix);
                }
                continue;
            }
            match self.target(name, &written.prefix, flat, &def.location) {
                Some(Target::State(state)) => from[state] = true,
                Some(Target::Group(group)) => {
                    for (i, state) in flat.states.iter().enumerate() {
                        let is_source = def.on.is_some() || to != Target::State(i);
                        from[i] |= is_source && state.groups.contains(&group);
                    }
                }
                None => {}
            }
        }
        Some(Transition {
            from,
            to,
            when: def.when.as_ref().map(|when| self.when(when, &def.location)),
            plain: matches!(def.when, Some(WhenDef::Text(_)))
                && def.on.is_none()
                && def.exit_time.is_none()
                && def.marker.is_none()
                && !def.at_end
                && def.min_time <= 0.0,
            on: def.on.clone(),
            at_end: def.at_end,
            after: f64::from(def.min_time),
            exit: def.exit_time,
            awaited_marker: def.marker.as_ref().map(|mark| self.awaited(mark)),
            priority: def.priority,
            interrupt: def.interrupt,
            allow_travel: def.allow_travel,
            skip_outro: def.skip_outro,
            fade: def.fade,
            entry: match &def.entry {
                ClipStart::Auto => BoundEntry::Auto,
                ClipStart::Start => BoundEntry::Start,
                ClipStart::Phase => BoundEntry::Phase,
                ClipStart::Time(t) => BoundEntry::Time(*t),
                ClipStart::Fraction(u) => BoundEntry::Fraction(*u),
                ClipStart::Marker {
                    event,
                    fields,
                    index,
                } => BoundEntry::Marker {
                    event: event.clone(),
                    fields: fields.clone(),
                    index: *index,
                },
            },
            at: def.location.clone(),
        })
    }

    /// Index of a mark among those that the layer's transitions wait for, added if it is new.
    fn awaited(&mut self, mark: &(String, Vec<(String, MarkerValue)>)) -> usize {
        let known = self.awaited.iter().position(|known| known == mark);
        known.unwrap_or_else(|| {
            self.awaited.push(mark.clone());
            self.awaited.len() - 1
        })
    }

    fn when(&mut self, when: &WhenDef, at: &SourceLocation) -> TransitionTest {
        match when {
            WhenDef::Predicate(predicate) => TransitionTest::Predicate(*predicate),
            WhenDef::Text(text) => {
                let params: Vec<(&str, ParamType)> = self
                    .def
                    .params
                    .iter()
                    .map(|param| {
                        let kind = match param.default {
                            ParamValue::Number(_) => ParamType::Number,
                            ParamValue::Bool(_) => ParamType::Bool,
                        };
                        (param.name.as_str(), kind)
                    })
                    .collect();
                match Condition::compile(text, &params) {
                    Ok(condition) => TransitionTest::Condition(condition),
                    Err(error) => {
                        let short: String = text.chars().take(60).collect();
                        self.problem(at, format!("condition {short:?}: {error}"));
                        TransitionTest::Predicate(Predicate(u32::MAX))
                    }
                }
            }
        }
    }

    /// Resolves a name from inside a nested machine: its own states first, then those of the machines around it.
    fn target(
        &mut self,
        name: &str,
        prefix: &str,
        flat: &FlatStates<'_>,
        at: &SourceLocation,
    ) -> Option<Target> {
        let mut scope = prefix;
        loop {
            let path = format!("{scope}{name}");
            if let Some(i) = flat.states.iter().position(|state| state.path == path) {
                return Some(Target::State(i));
            }
            if let Some(i) = flat.groups.iter().position(|group| group.path == path) {
                return Some(Target::Group(i));
            }
            if scope.is_empty() {
                break;
            }
            let outer = scope.trim_end_matches('/').rfind('/');
            scope = outer.map_or("", |end| &scope[..=end]);
        }
        let names = flat.states.iter().map(|state| state.path.as_str());
        let groups = flat.groups.iter().map(|group| group.path.as_str());
        let hint = nearest_hint(name, names.chain(groups));
        self.problem(at, format!("no state {name:?}{hint}"));
        None
    }
}

/// Output of flattening.
#[derive(Default)]
struct FlatStates<'a> {
    states: Vec<State>,
    groups: Vec<SubMachine>,
    written: Vec<ScopedTransition<'a>>,
}
