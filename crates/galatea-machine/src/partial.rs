//! A check for states that leave most of the body in the rest pose, which is rarely intended.

use super::bind::Problem;
use super::bound::{Machine, StateMotion};
use super::definition::{Content, LayerMode, StateDef, StatesDef};
use galatea_anim::ClipSet;

/// Returns a problem for each state of the lowest layer that plays a single clip which moves few bones: fewer than
/// half of the bones moved by the clip that moves the most.
pub fn partial_states(machine: &Machine, clips: &ClipSet) -> Vec<Problem> {
    let (Some(layer), Some(def)) = (machine.layers.first(), machine.def.layers.first()) else {
        return Vec::new();
    };
    // A mask shows that the author wants to leave the other bones alone.
    if layer.mask.is_some() || layer.mode != LayerMode::Override {
        return Vec::new();
    }
    let n_moved = |clip: &usize| clips.touched_bones(*clip).count();
    let Some(fullest) = (0..clips.len()).rev().max_by_key(n_moved) else {
        return Vec::new();
    };
    let bones: Vec<u16> = clips.touched_bones(fullest).collect();
    let states = layer.states.iter().filter_map(|state| {
        let StateMotion::Blend(blend) = &state.motion else {
            return None;
        };
        let [leaf] = &blend.leaves[..] else {
            return None;
        };
        let own = clips.touched_bones(leaf.clip);
        let (own, n_all) = (own.filter(|bone| bones.contains(bone)).count(), bones.len());
        (2 * own < n_all).then(|| Problem {
            at: definition_of(&def.states, &state.path).map_or_else(Default::default, |s| s.location.clone()),
            text: format!(
                "state {:?} plays only clip {:?}, which moves {own} of the {n_all} bones of clip {:?}; the other \
                 bones stay in the rest pose. Play the clip in an upper layer or with `play`",
                state.path,
                clips.clip_name(leaf.clip),
                clips.clip_name(fullest),
            ),
        })
    });
    states.collect()
}

/// Finds the definition of a state by its path.
fn definition_of<'a>(states: &'a StatesDef, path: &str) -> Option<&'a StateDef> {
    let (name, inner) = match path.split_once('/') {
        Some((name, inner)) => (name, Some(inner)),
        None => (path, None),
    };
    let state = states.states.iter().find(|state| state.name == name)?;
    match (inner, &state.content) {
        (None, _) => Some(state),
        (Some(inner), Content::Nested(states)) => definition_of(states, inner),
        (Some(_), Content::Motion(_)) => None,
    }
}
