//! Tries the transitions of every character that the script created.

use std::sync::Arc;

use clap::Args;

use super::findings::{CheckFindings, MeasuredTransition};
use galatea_character::{Character, TransitionLimits, test_transitions};
use galatea_stage::Stage;

/// Limits of the transition test.
#[derive(Debug, Args)]
pub struct TransitionArgs {
    /// Maximum jolt of the body in a transition, relative to the largest jolt in its two states
    #[arg(long, value_name = "N", default_value_t = 2.0, value_parser = limit)]
    max_pop: f32,
    /// Maximum additional slide of a planted foot compared with the two states, centimetres
    #[arg(long, value_name = "CM", default_value_t = 1.0, value_parser = limit)]
    max_slide: f32,
    /// Skip the transitions
    #[arg(long)]
    no_transitions: bool,
}

fn limit(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(n) if n.is_finite() && n >= 0.0 => Ok(n),
        _ => Err("expected a number of 0 or more".into()),
    }
}

/// Tries the machines of all characters, each machine of a model once.
pub(super) fn check_transitions(
    stage: &Stage,
    args: &TransitionArgs,
    findings: &mut CheckFindings,
) {
    if args.no_transitions {
        return;
    }
    let limits = TransitionLimits {
        pop: args.max_pop,
        slide: args.max_slide / 100.0,
    };
    let mut tried: Vec<&Character> = Vec::new();
    for (_, character) in stage.characters.iter() {
        if tried.iter().any(|other| plays_the_same(other, character)) {
            continue;
        }
        tried.push(character);
        let tested = test_transitions(character);
        for edge in tested.edges {
            let faults = edge.faults(&limits);
            findings.transitions.push(MeasuredTransition {
                character: character.source.to_string(),
                at: edge.at.to_string(),
                layer: edge.layer,
                from: edge.from,
                to: edge.to,
                pop: edge.pop,
                pop_bone: edge.pop_bone,
                slide_cm: edge.slide * 100.0,
                own_slide_cm: edge.own_slide * 100.0,
                lost: edge.lost,
                suppressed: edge.suppressed,
                good: faults.is_empty(),
            });
            findings.warnings.extend(faults);
        }
        if tested.n_left_out > 0 {
            findings.notes.push(format!(
                "{}: {} more pairs of transition and source state were not tried",
                character.source, tested.n_left_out
            ));
        }
    }
}

fn plays_the_same(one: &Character, other: &Character) -> bool {
    let machine = |character: &Character| {
        character
            .playback
            .machine
            .as_ref()
            .map(|m| Arc::clone(&m.0))
    };
    let same = match (machine(one), machine(other)) {
        (Some(one), Some(other)) => one.def == other.def,
        (None, None) => true,
        _ => false,
    };
    same && Arc::ptr_eq(&one.definition, &other.definition)
}
