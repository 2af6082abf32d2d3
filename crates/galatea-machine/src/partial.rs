//! States that leave most of the body in the rest pose, which is seldom meant.

use super::bind::Problem;
use super::bound::{Machine, StateMotion};
use super::definition::{Content, LayerMode, StateDef, StatesDef};
use galatea_anim::ClipSet;

/// States of the lowest layer that play one clip, where that moves less than half of the bones that
/// the fullest of all clips moves.
pub fn partial_states(machine: &Machine, clips: &ClipSet) -> Vec<Problem> {
    let (Some(layer), Some(def)) = (machine.layers.first(), machine.def.layers.first()) else {
        return Vec::new();
    };
    // A mask says by itself that the rest is left alone.
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
        let (own, most) = (own.filter(|bone| bones.contains(bone)).count(), bones.len());
        (2 * own < most).then(|| Problem {
            at: written(&def.states, &state.path).map_or_else(Default::default, |s| s.at.clone()),
            text: format!(
                "state {:?} plays {:?} alone, which moves {own} of the {most} bones that {:?} moves: the \
                 others stand in the rest pose; play it in a layer above, or with `play`",
                state.path,
                clips.clip_name(leaf.clip),
                clips.clip_name(fullest),
            ),
        })
    });
    states.collect()
}

/// The definition of a state by its path.
fn written<'a>(states: &'a StatesDef, path: &str) -> Option<&'a StateDef> {
    let (name, inner) = match path.split_once('/') {
        Some((name, inner)) => (name, Some(inner)),
        None => (path, None),
    };
    let state = states.states.iter().find(|state| state.name == name)?;
    match (inner, &state.content) {
        (None, _) => Some(state),
        (Some(inner), Content::Nested(states)) => written(states, inner),
        (Some(_), Content::Motion(_)) => None,
    }
}
