//! Costs of functions of the API, in steps of the script's budget.
//!
//! `galatea bench costs` measures the examples of the reference. A step is [`STEP_NS`](crate::budget::STEP_NS)
//! nanoseconds. The functions themselves charge costs that depend on the size of a model, text or list.

/// Cost of reading or writing a property, steps.
pub(super) const PROPERTY_STEPS: u64 = 8;
/// Cost of an element of a list that a function returns, steps.
pub(super) const LISTED_STEPS: u64 = 4;
/// Cost of a function that is not in [`COSTS`], steps.
const FUNCTION_STEPS: u64 = 16;

/// Cost of a function.
struct Cost {
    group: &'static str,
    function: &'static str,
    steps: u64,
}

const fn cost(group: &'static str, function: &'static str, steps: u64) -> Cost {
    Cost {
        group,
        function,
        steps,
    }
}

/// Costs of functions and properties that take longer, by groups.
#[rustfmt::skip]
static COSTS: &[Cost] = &[
    cost("Character", "event_log", 200),
    cost("Character", "face", 16),
    cost("Character", "morph", 24),
    cost("Character", "name", 16),
    cost("Character", "apply_impulse", 24),
    cost("Character", "stop_speaking", 24),
    cost("Conversation", "skip", 24),
    cost("Conversation", "stop", 24),
    cost("Crowd", "arrived", 24),
    cost("Crowd", "no_path", 24),
    cost("Material", "reset", 24),
    cost("SmartObject", "remove", 24),
    cost("Crowd", "used_object", 100),
    cost("Material", "roughness", 150),
    cost("Material", "color", 150),
    cost("Task", "all", 150),
    cost("Task", "checkpoint", 1_700),
    cost("Task", "last_checkpoint", 1_700),
    cost("Task", "turn_to", 140),
    cost("Task", "play", 90),
    cost("Task", "race", 110),
    cost("Task", "start", 83),
    cost("Task", "use", 1_400),
    cost("Task", "wait", 70),
    cost("Task", "wait_until", 42),
    cost("Task", "walk_to", 310),
    cost("Character", "task", 87),
    cost("Character", "add_clip", 7_000),
    cost("Character", "aim_at", 310),
    cost("Character", "idle_motion", 340),
    cost("Character", "attach", 37),
    cost("Character", "bone_transform", 150),
    cost("Character", "ragdoll_bodies", 600_000),
    cost("Character", "chain_ik", 360),
    cost("Character", "clip", 33),
    cost("Character", "clips", 300),
    cost("Character", "cloth", 370),
    cost("Character", "controller", 350),
    cost("Character", "curve", 72),
    cost("Character", "decal", 150_000),
    cost("Character", "foot_ik", 47),
    cost("Character", "get_up", 400),
    cost("Character", "grip", 110),
    cost("Character", "hair", 500_000),
    cost("Character", "add_interaction", 390),
    cost("Character", "hit", 520),
    cost("Character", "jiggle_bone", 130),
    cost("Character", "jump", 70),
    cost("Character", "knock_down", 440),
    cost("Character", "lean", 170),
    cost("Character", "look_at", 270),
    cost("Character", "machine", 1_700),
    cost("Character", "material", 35),
    cost("Character", "materials", 280),
    cost("Character", "metrics", 260),
    cost("Character", "add_modifier", 49),
    cost("Character", "on", 79),
    cost("Character", "once", 79),
    cost("Character", "particles", 600),
    cost("Character", "play", 49),
    cost("Character", "ragdoll", 170),
    cost("Character", "reach", 230),
    cost("Character", "hit_reactions", 130),
    cost("Character", "remove", 980),
    cost("Character", "rest_bounds", 92),
    cost("Character", "say", 1_500),
    cost("Character", "sit", 210),
    cost("Character", "collider", 1_900),
    cost("Character", "spring_bone", 260),
    cost("Character", "modifiers", 83),
    cost("Character", "orientation_warp", 36),
    cost("Character", "variants", 39),
    cost("Character", "motion_warp", 61),
    cost("Clip", "curve", 160),
    cost("Clip", "sample", 4_500),
    cost("Conversation", "interrupt", 750),
    cost("Conversation", "on", 41),
    cost("Crowd", "play", 16_000),
    cost("Crowd", "set_state", 130),
    cost("Crowd", "character", 48),
    cost("Crowd", "demote", 490),
    cost("Crowd", "turn_to", 65),
    cost("Crowd", "follow", 48),
    cost("Crowd", "walk_to", 88),
    cost("Crowd", "walk_all_to", 44),
    cost("Crowd", "stop_using", 150),
    cost("Crowd", "find_near", 160),
    cost("Crowd", "teleport", 48),
    cost("Crowd", "position", 64),
    cost("Crowd", "promote", 870),
    cost("Crowd", "remove", 89),
    cost("Crowd", "state", 48),
    cost("Crowd", "stop", 53),
    cost("Crowd", "use", 87),
    cost("Crowd", "velocity", 42),
    cost("Decal", "remove", 300),
    cost("Face", "clear", 34),
    cost("Face", "randomize", 31_000),
    cost("Face", "micro_expression", 490),
    cost("Face", "mood", 440),
    cost("Face", "names", 2_500),
    cost("Face", "configure", 91),
    cost("Face", "contributions", 210),
    cost("Face", "set", 40),
    cost("Face", "shape", 3_200),
    cost("Face", "shapes", 3_200),
    cost("Face", "show", 360),
    cost("Flock", "find_near", 180),
    cost("Flock", "teleport", 48),
    cost("Flock", "remove", 76),
    cost("Line", "stop", 24),
    cost("Line", "track", 210),
    cost("Line", "words", 250),
    cost("Machine", "jump_to", 44),
    cost("Machine", "send", 54),
    cost("Machine", "travel", 44),
    cost("Machine", "why", 400),
    cost("Material", "fade", 490),
    cost("Play", "on", 42),
    cost("Play", "seek", 36),
    cost("ShownExpression", "set", 440),
    cost("SmartObject", "users", 110),
    cost("CrowdStats", "density", 95),
    cost("CrowdStats", "flow", 53),
    cost("camera", "first_person", 120),
    cost("camera", "follow", 180),
    cost("camera", "frame", 200),
    cost("camera", "orbit", 180),
    cost("camera", "ray", 370),
    cost("clips", "clip", 70),
    cost("conversations", "conversation", 1_900),
    cost("expressions", "expression", 34),
    cost("globals", "task", 73),
    cost("globals", "after", 140),
    cost("time", "keep_history", 200),
    cost("time", "rewind", 100),
    cost("globals", "delete_save", 1_000),
    cost("globals", "load", 2_000),
    cost("globals", "save", 2_000),
    cost("globals", "saves", 2_000),
    cost("globals", "every", 140),
    cost("globals", "cloth", 18_000),
    cost("globals", "crowd", 12_000),
    cost("globals", "keep_on_reload", 84),
    cost("globals", "particles", 600),
    cost("globals", "rope", 7_700),
    cost("globals", "debug_view", 100),
    cost("globals", "smart_object", 500),
    cost("globals", "crowd_stats", 330),
    cost("globals", "scent_field", 310),
    cost("globals", "wind", 71),
    cost("ground", "patch", 170),
    cost("ground", "set", 190),
    cost("hair", "grow", 2_000_000),
    cost("input", "actions", 110),
    cost("input", "axes", 84),
    cost("input", "bind", 76),
    cost("input", "bind_axis", 160),
    cost("input", "bound", 81),
    cost("input", "bound_axis", 360),
    cost("input", "rebind", 46),
    cost("input", "rebind_axis", 160),
    cost("languages and words", "language", 34),
    cost("languages and words", "pronounce", 640),
    cost("light", "fog", 90),
    cost("light", "post_process", 310),
    cost("light", "point", 230),
    cost("light", "rig", 170),
    cost("light", "sky", 150),
    cost("light", "spot", 340),
    cost("light", "sun", 180),
    cost("machines", "blend1d", 180),
    cost("machines", "blend2d", 280),
    cost("machines", "blend_polar", 280),
    cost("machines", "layer", 52),
    cost("machines", "machine", 520),
    cost("machines", "random_clips", 49),
    cost("machines", "sequence", 52),
    cost("machines", "state", 120),
    cost("machines", "transition_to", 82),
    cost("physics", "box", 710),
    cost("physics", "explosion", 70),
    cost("physics", "capsule", 700),
    cost("physics", "cylinder", 680),
    cost("physics", "force_field", 280),
    cost("physics", "grab", 180),
    cost("physics", "layer", 60),
    cost("physics", "overlap", 41),
    cost("physics", "ramp", 1_200),
    cost("physics", "sphere", 830),
    cost("physics", "stairs", 1_600),
    cost("physics", "surface", 65),
    cost("physics", "terrain", 60_000),
    cost("sound", "play", 380),
    cost("ui", "bar", 360),
    cost("ui", "box", 270),
    cost("ui", "caption", 120),
    cost("ui", "image", 260),
    cost("ui", "text", 310),
];

/// Cost of a call of a function, steps, without the costs that the function charges itself.
pub(super) fn steps_of(group: &str, function: &str) -> u64 {
    found(group, function).unwrap_or(FUNCTION_STEPS)
}

/// Cost of reading or writing a property, steps.
pub(super) fn steps_of_property(group: &str, property: &str) -> u64 {
    found(group, property).unwrap_or(PROPERTY_STEPS)
}

fn found(group: &str, name: &str) -> Option<u64> {
    let mut costs = COSTS.iter();
    let cost = costs.find(|cost| cost.group == group && cost.function == name);
    cost.map(|cost| cost.steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::groups::GROUPS;

    #[test]
    fn every_name_in_the_table_is_in_the_api() {
        for Cost {
            group, function, ..
        } in COSTS
        {
            let mut groups = GROUPS.iter().filter(|g| g.name == *group);
            let is_there = groups.any(|group| {
                group.functions.iter().any(|f| f.name == *function)
                    || group.properties.iter().any(|p| p.name == *function)
            });
            assert!(is_there, "{group} {function}");
        }
    }
}
