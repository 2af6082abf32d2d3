//! Messages about assignments to read-only properties: they say what a script does instead.

use super::group::Group;

/// Read-only properties that scripts want to change: type, name, and what to write. `…` is a placeholder for a value.
#[rustfmt::skip]
const INSTEAD: &[(&str, &str, &str)] = &[
    ("Character", "name", "give the name at creation: character(\"assets/hero.glb\", { name = \"guard\" })"),
    ("Character", "speed", "move it with hero:move(camera.forward() * 2), or set a parameter of its machine: hero.machine.params.speed = 2"),
    ("Character", "is_sleeping", "wake it with hero:apply_impulse(vec(0, 1, 0))"),
    ("Character", "is_grounded", "leave the ground with hero:jump { height = 1 }"),
    ("Character", "is_down", "call hero:knock_down() or hero:get_up()"),
    ("Character", "is_getting_up", "call hero:get_up()"),
    ("Character", "posture", "call hero:knock_down() or hero:get_up()"),
    ("Character", "is_dead", "call hero:kill(), or hero:get_up() to revive it"),
    ("Character", "face", "set its parts: hero.face:mood(\"happiness\"), hero.face:set(\"jawOpen\", 0.5)"),
    ("Character", "decal_count", "call hero:decal(\"blood\", …) or hero:clear_decals()"),
    ("Character", "is_speaking", "call hero:say(\"Hello.\") or hero:stop_speaking()"),
    ("Character", "required_turn", "turn it with hero.yaw, or hero:look_at(target, { turn_in_place = true })"),
    ("Character", "is_warping", "call hero:motion_warp { … }"),
    ("Character", "root_motion", "move it with hero.position or hero:move(…)"),
    ("Play", "time", "jump to a time with play:seek(0.5)"),
    ("Play", "phase", "jump to a time with play:seek(0.5)"),
    ("Clip", "duration", "change the speed of playback: hero:play(\"walk\", { speed = 0.5 })"),
    ("Clip", "markers", "add a marker with hero:add_marker(\"walk\", 0.3, \"step\")"),
    ("Particles", "is_emitting", "call stop() or start()"),
    ("Particles", "count", "set the rate, or emit some with emit(20)"),
    ("Crowd", "count", "give the number at creation: crowd { count = 100, … }"),
    ("Flock", "count", "give the number at creation: flock { count = 100, … }"),
    ("Flock", "center", "give it an attractor: birds:set_attractor(\"food\", vec(0, 4, 0))"),
    ("Modifier", "effective_weight", "set its weight, or call fade(1, 0.3)"),
    ("Face", "valence", "set the mood: hero.face:mood { valence = 0.5, arousal = 0.2 }"),
    ("Face", "arousal", "set the mood: hero.face:mood { valence = 0.5, arousal = 0.2 }"),
    ("Face", "blink_amount", "call hero.face:blink(), or hero.face:set(\"eyeBlinkLeft\", 1)"),
    ("ShownExpression", "weight", "set its intensity"),
    ("Line", "time", "stop the line and say another one"),
    ("Line", "text", "say another line: hero:say(\"Hello.\")"),
    ("Conversation", "turn", "call skip() or interrupt(turn)"),
    ("Machine", "params", "set one parameter: hero.machine.params.speed = 2"),
    ("Sound", "time", "start the sound again: sound.play(\"step\")"),
];

/// Message about an assignment to a read-only property.
pub(super) fn read_only(group: &Group, name: &str) -> String {
    let owner = group.name;
    let mut all = INSTEAD.iter();
    let known = all.find(|(ty, property, _)| *ty == owner && *property == name);
    let instead = known.map_or_else(String::new, |(_, _, instead)| format!("; {instead}"));
    format!("{name} of a {owner} can be read, but not set{instead}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::groups::GROUPS;

    #[test]
    fn each_entry_is_a_read_only_property() {
        for (ty, name, _) in INSTEAD {
            let group = GROUPS.iter().find(|group| group.name == *ty);
            let properties = group.into_iter().flat_map(|group| group.properties);
            let found: Vec<_> = properties.filter(|one| one.name == *name).collect();
            assert_eq!(found.len(), 1, "{ty}.{name}");
            assert!(!found[0].is_settable(), "{ty}.{name}");
        }
    }
}
