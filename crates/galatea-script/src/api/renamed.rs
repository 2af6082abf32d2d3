//! Names of earlier API versions and of other engines, with their replacements.
//!
//! Messages about unknown names look here before they search for the nearest name.

use super::renamed_members::{EVENTS, MEMBERS, OPTIONS};

/// Context in which a script reads a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameOwner {
    /// Global functions and tables.
    Globals,
    /// Functions of a module, such as `physics`.
    Module(&'static str),
    /// Methods and properties of an object type, such as `Character`.
    Object(&'static str),
    /// Methods and properties of every object type.
    AnyObject,
    /// Fields of an option table, by its type, such as `NavmeshOptions`.
    Options(&'static str),
}

/// A renamed name of the API.
pub struct RenamedName {
    /// Context in which scripts read it.
    pub owner: NameOwner,
    /// Name in earlier versions.
    pub old: &'static str,
    /// Current name.
    pub new: &'static str,
    /// One line of code with the new name. `…` is a placeholder for a value.
    pub usage: &'static str,
}

/// Names of another engine and their equivalent here.
pub struct ForeignNames {
    /// Engine or language that uses these names; empty for words that users expect here.
    pub engine: &'static str,
    /// Context in which scripts read them.
    pub owner: NameOwner,
    /// Names in that engine.
    pub names: &'static [&'static str],
    /// One line of code with the same effect here. `…` is a placeholder for a value.
    pub usage: &'static str,
}

/// Returns the message for a renamed name; `None` for other names.
pub fn renamed(owner: NameOwner, name: &str) -> Option<String> {
    let mut all = RENAMED.iter();
    let known = all.find(|known| known.owner == owner && known.old == name);
    let usage = match known {
        Some(known) => known.usage,
        None => new_name(owner, name)?,
    };
    Some(format!("{}; write {usage}", unknown(owner, name)))
}

fn unknown(owner: NameOwner, name: &str) -> String {
    match owner {
        NameOwner::Module(module) => format!("{module} has no {name:?}"),
        NameOwner::Object(ty) => format!("a {ty} has no {name:?}"),
        NameOwner::Options(_) => format!("unknown field {name:?}"),
        NameOwner::Globals | NameOwner::AnyObject => format!("there is no {name:?}"),
    }
}

/// Returns the message about a function of Roblox's `task` library; here `task` is a function.
pub fn roblox_task(name: &str) -> String {
    format!(
        "task.{name} is from Roblox; write task(function(t) t:wait(1) end), and t:wait(1) inside of a task"
    )
}

/// Returns the new name of a renamed method, property or option.
pub(super) fn new_name(owner: NameOwner, name: &str) -> Option<&'static str> {
    let (lists, ty) = match owner {
        NameOwner::Object(ty) => (MEMBERS, ty),
        NameOwner::Options(ty) => (OPTIONS, ty),
        _ => return None,
    };
    let (_, names) = lists.iter().find(|(known, _)| *known == ty)?;
    find_new(names, name)
}

/// Returns the message for a renamed event of characters; `None` for other names.
pub(super) fn renamed_event(name: &str) -> Option<String> {
    let new = find_new(EVENTS, name)?;
    Some(format!("there is no event {name:?}; write {new:?}"))
}

fn find_new(names: &[(&'static str, &'static str)], name: &str) -> Option<&'static str> {
    let found = names.iter().find(|(old, _)| *old == name);
    found.map(|(_, new)| *new)
}

/// Origin of the methods of tasks in messages.
const TASK: &str = "a task, a function that can wait";

/// Returns the message about a name of another engine, such as `wait is from Roblox; write …`; `None` for other names.
pub fn foreign_message(owner: NameOwner, name: &str) -> Option<String> {
    let ForeignNames { engine, usage, .. } = foreign_name(owner, name)?;
    Some(match *engine {
        "" => format!("{}; write {usage}", unknown(owner, name)),
        TASK => format!("{name} is a method of {TASK}; write {usage}"),
        engine => format!("{name} is from {engine}; write {usage}"),
    })
}

/// Returns the entry of a name of another engine.
pub fn foreign_name(owner: NameOwner, name: &str) -> Option<&'static ForeignNames> {
    let fits = |listed: NameOwner| match (listed, owner) {
        (NameOwner::AnyObject, NameOwner::Object(_)) => true,
        (listed, owner) => listed == owner,
    };
    let mut all = FOREIGN.iter();
    all.find(|known| fits(known.owner) && known.names.contains(&name))
}

const fn renamed_name(
    owner: NameOwner,
    old: &'static str,
    new: &'static str,
    usage: &'static str,
) -> RenamedName {
    RenamedName {
        owner,
        old,
        new,
        usage,
    }
}

const GLOBALS: NameOwner = NameOwner::Globals;
const PHYSICS: NameOwner = NameOwner::Module("physics");

/// All renamed names.
#[rustfmt::skip]
pub static RENAMED: &[RenamedName] = &[
    renamed_name(GLOBALS, "act", "task", "task(function(t) t:wait(1) end)"),
    renamed_name(GLOBALS, "to", "transition_to", "transition_to \"walk\" { from = \"idle\", when = \"speed > 0.1\" }"),
    renamed_name(GLOBALS, "random", "random_clips", "random_clips { \"idle\", \"idle_look\" }"),
    renamed_name(GLOBALS, "survey", "crowd_stats", "crowd_stats { size = … }"),
    renamed_name(GLOBALS, "trail", "scent_field", "scent_field { size = … }"),
    renamed_name(GLOBALS, "paths", "navmesh", "navmesh { size = … }"),
    renamed_name(GLOBALS, "keep", "keep_on_reload", "keep_on_reload(\"game\", { score = 0 })"),
    renamed_name(GLOBALS, "chance", "random_range", "random_range(0.9, 1.1)"),
    renamed_name(GLOBALS, "show_view", "debug_view", "debug_view(\"bodies\")"),
    renamed_name(PHYSICS, "ray", "raycast", "physics.raycast(from, to)"),
    renamed_name(PHYSICS, "ray_all", "raycast_all", "physics.raycast_all(from, to)"),
    renamed_name(PHYSICS, "cast", "shape_cast", "physics.shape_cast(from, to, { radius = 0.3 })"),
    renamed_name(PHYSICS, "burst", "explosion", "physics.explosion(position, { radius = 4 })"),
    renamed_name(PHYSICS, "force", "force_field", "physics.force_field { wind = … }"),
    renamed_name(NameOwner::Module("light"), "look", "post_process", "light.post_process { tonemap = \"aces\" }"),
];

const fn foreign(
    engine: &'static str,
    names: &'static [&'static str],
    usage: &'static str,
) -> ForeignNames {
    ForeignNames {
        engine,
        owner: NameOwner::Globals,
        names,
        usage,
    }
}

const fn foreign_member(
    engine: &'static str,
    names: &'static [&'static str],
    usage: &'static str,
) -> ForeignNames {
    ForeignNames {
        engine,
        owner: NameOwner::AnyObject,
        names,
        usage,
    }
}

/// Names of other engines that scripts read as a global or as a member of an object.
#[rustfmt::skip]
pub static FOREIGN: &[ForeignNames] = &[
    foreign("Roblox", &["wait"], "task(function(t) t:wait(1) end), and t:wait(1) inside of a task"),
    foreign("Roblox", &["delay"], "after(1, function() end)"),
    foreign("Godot", &["AnimationPlayer", "AnimationTree"], "hero:play(\"walk\")"),
    foreign("Roblox", &["spawn"], "task(function(t) t:wait(1) end) for code, character(\"assets/hero.glb\") for objects"),
    foreign("Roblox", &["workspace", "Instance", "script"], "local crate = physics.box { mass = 5 }"),
    foreign("Roblox", &["game"], "input.pressed(\"jump\"), sound.play(\"step\"), camera.follow(hero) and other modules"),
    foreign("Roblox", &["Players", "Humanoid"], "local hero = character(\"assets/hero.glb\")"),
    foreign("Roblox", &["HumanoidRootPart"], "hero.position"),
    foreign("Roblox and Unity", &["Vector3", "Vector2"], "hero.position = vec(0, 0, 2)"),
    foreign("Roblox", &["CFrame"], "hero.position = vec(0, 0, 2) hero.yaw = 90"),
    foreign("Roblox", &["Color3", "BrickColor"], "physics.box { color = vec(0.8, 0.1, 0.1) }"),
    foreign("Roblox", &["RunService"], "function update(dt) hero.yaw += 90 * dt end"),
    foreign("Roblox", &["UserInputService", "ContextActionService"], "input.pressed(\"jump\")"),
    foreign("Roblox", &["TweenService", "TweenInfo"], "hero:material(\"Skin\"):fade { color = …, duration = 0.5 }"),
    foreign("Roblox", &["warn"], "print(\"warning\")"),
    foreign("Lua", &["os"], "now()"),
    foreign("Lua", &["io"], "keep_on_reload(\"game\", { score = 0 })"),
    foreign("Lua", &["loadstring", "dofile", "loadfile"], "require \"module\""),
    foreign("LÖVE", &["love"], "function update(dt) end, input.down(\"w\"), sound.play(\"step\"), ui.text(\"hello\") and other modules"),
    foreign("Godot and Unity", &["Quaternion"], "hero.yaw = 90"),
    foreign("Godot and Unity", &["Color"], "light.sun { color = vec(1, 0.9, 0.8) }"),
    foreign("Godot", &["get_node", "get_tree"], "local hero = character(\"assets/hero.glb\", { name = \"hero\" })"),
    foreign("Godot and Unity", &["instantiate", "Instantiate", "preload"], "local other = character(\"assets/hero.glb\")"),
    foreign("Godot", &["queue_free"], "crate:remove()"),
    foreign("Godot", &["add_child"], "hero:attach(sword, \"right_hand\")"),
    foreign("Godot", &["create_timer", "await", "yield"], "task(function(t) t:wait(1) end)"),
    foreign("Godot", &["emit_signal"], "hero.machine:send(\"hurt\")"),
    foreign("Godot", &["randf", "randf_range", "randi_range"], "random_range(0.9, 1.1)"),
    foreign("Godot", &["print_debug", "printerr", "printf"], "print(hero.position)"),
    foreign("Unity", &["Time"], "function update(dt) hero.yaw += 90 * dt end"),
    foreign("Unity", &["Input"], "input.pressed(\"jump\")"),
    foreign("Unity", &["Physics"], "physics.raycast(from, to)"),
    foreign("Unity", &["Debug"], "print(hero.position)"),
    foreign("Unity", &["Random"], "random_range(0.9, 1.1)"),
    foreign("Unity", &["StartCoroutine"], "task(function(t) t:wait(1) end)"),
    foreign("Unity and Unreal", &["Destroy", "DestroyActor"], "crate:remove()"),
    foreign("Unity", &["transform", "GameObject"], "hero.position += vec(0, 0, 1)"),
    foreign("Unreal", &["SpawnActor"], "local crate = physics.box { mass = 5 }"),
    foreign("Unreal", &["LineTraceSingle"], "physics.raycast(from, to)"),
    foreign("Unreal", &["Delay", "SetTimer"], "after(2, function() end)"),
    foreign("Unreal", &["SetGamePaused", "SetGlobalTimeDilation"], "time.pause()"),
    foreign("Defold", &["timer"], "after(2, function() end)"),
    foreign("Godot", &["Engine"], "time.scale(0.5)"),
    foreign("Defold", &["go"], "function update(dt) hero.position += vec(0, 0, dt) end"),
    foreign("Defold", &["msg"], "hero.machine:send(\"hurt\")"),
    foreign("Defold", &["vmath"], "vec(0, 0, 2)"),
    foreign("Defold", &["factory"], "local other = character(\"assets/hero.glb\")"),
    foreign("Defold", &["sys"], "keep_on_reload(\"game\", { score = 0 })"),
    foreign("Defold", &["hash"], "hero:play(\"wave\")"),
    foreign("a task or a test", &["t"], "task(function(t) t:wait(1) end) -- in tests/: test(\"name\", function(t) t:expect(1 < 2, \"why\") end)"),
    foreign("", &["interval", "schedule"], "every(1, function() print(\"again\") end)"),
    foreign("", &["prop", "object", "model", "mesh", "entity", "actor"], "local door = character(\"assets/door.glb\")"),
    foreign("JavaScript", &["setTimeout", "setInterval"], "after(2, function() end)"),
    foreign("JavaScript", &["console"], "print(hero.position)"),
    foreign_member("Roblox", &["Humanoid", "HumanoidRootPart"], "hero:controller {} hero:move(vec(0, 0, 1.4))"),
    foreign_member("Godot", &["get_node", "find_child", "get_children", "get_parent"], "hero:play(\"walk\")"),
    ForeignNames {
        engine: TASK,
        owner: NameOwner::Object("Character"),
        names: &["walk_to", "turn_to", "wait_until", "wait"],
        usage: "hero:task(function(t) t:walk_to(target) end)",
    },
    ForeignNames {
        engine: "",
        owner: NameOwner::Options("SayOptions"),
        names: &["emotion", "mood", "expression", "face"],
        usage: "hero:say(\"{mood=anger}Stop!\")",
    },
    ForeignNames {
        engine: "",
        owner: NameOwner::Object("Character"),
        names: &["bones", "skeleton", "joints"],
        usage: "hero:bone_position(\"right_hand\") -- the names of all bones: galatea inspect FILE --verbose",
    },
    foreign_member("Roblox", &["MoveTo"], "hero:task(function(t) t:walk_to(target) end)"),
    foreign_member("Roblox", &["Move", "WalkSpeed"], "hero:move(vec(0, 0, 1.4))"),
    foreign_member("Roblox", &["JumpPower", "JumpHeight"], "hero:jump { height = 1 }"),
    foreign_member("Roblox", &["TakeDamage"], "hero:hit { damage = 0.1, impulse = … }"),
    foreign_member("Roblox", &["Died"], "hero:on(\"die\", function(e) print(e.character.name) end)"),
    foreign_member("Roblox", &["PlayAnimation", "LoadAnimation", "Animator"], "hero:play(\"wave\", { fade = 0.2 })"),
    foreign_member("Roblox", &["AdjustSpeed"], "hero:play(\"walk\", { mode = \"loop\" }).speed = 1.5"),
    foreign_member("Roblox", &["AdjustWeight"], "hero:play(\"wave\").weight = 0.5"),
    foreign_member("Roblox", &["GetMarkerReachedSignal", "Connect", "Once"], "hero:on(\"step\", function(e) print(e.foot) end)"),
    foreign_member("Roblox", &["Touched"], "crate:on(\"touch\", function(e) print(e.other) end)"),
    foreign_member("Roblox", &["TouchEnded"], "crate:on(\"touch_end\", function(e) print(e.other) end)"),
    foreign_member("Roblox", &["Disconnect"], "local listener = hero:on(\"step\", print) listener:off()"),
    foreign_member("Roblox", &["WaitForChild", "FindFirstChild", "Clone", "Parent"], "local other = character(\"assets/hero.glb\")"),
    foreign_member("Roblox", &["ApplyImpulse"], "crate:apply_impulse(vec(0, 20, 0))"),
    foreign_member("Roblox", &["AssemblyLinearVelocity"], "crate.velocity = vec(0, 0, 5)"),
    foreign_member("Roblox", &["CanCollide"], "physics.box { sensor = true }"),
    foreign_member("Roblox", &["Transparency"], "hero:material(\"Glass\").alpha = 0.3"),
    foreign_member("Godot", &["move_and_slide"], "hero:controller() hero:move(vec(0, 0, 1.4))"),
    foreign_member("Godot", &["is_on_floor"], "hero.is_grounded"),
    foreign_member("Godot", &["set_blend_shape_value"], "hero:morph(\"smile\", 0.6)"),
    foreign_member("Godot", &["get_bone_global_pose"], "hero:bone_position(\"right_hand\")"),
    foreign_member("Godot", &["add_child"], "hero:attach(sword, \"right_hand\")"),
    foreign_member("Godot", &["emit_signal"], "hero.machine:send(\"hurt\")"),
    foreign_member("Godot", &["queue_free"], "crate:remove()"),
    foreign_member("Unity", &["GetComponent"], "hero:collider { mass = 60 }"),
    foreign_member("Unity", &["SetTrigger"], "hero.machine:send(\"jump\")"),
    foreign_member("Unity", &["SetFloat", "SetBool"], "hero.machine.params.speed = 1.4"),
    foreign_member("Unity", &["CrossFade"], "hero.machine:jump_to(\"run\", { fade = 0.2 })"),
    foreign_member("Unity", &["SetDestination"], "hero:task(function(t) t:walk_to(target) end)"),
    foreign_member("Unity", &["AddForce"], "crate:apply_impulse(vec(0, 20, 0))"),
    foreign_member("Unity", &["StartCoroutine"], "hero:task(function(t) t:wait(1) end)"),
    foreign_member("Unreal", &["Montage_Play"], "hero:play(\"wave\")"),
    foreign_member("Unreal", &["SetActorLocation"], "hero.position = vec(0, 0, 2)"),
    foreign_member("Unreal", &["AddMovementInput"], "hero:move(vec(0, 0, 1.4))"),
    foreign_member("Unreal", &["LaunchCharacter"], "hero.velocity = vec(0, 6, 0)"),
    foreign_member("Unreal", &["SetSimulatePhysics"], "hero:ragdoll()"),
    foreign_member("Unreal", &["SetMorphTarget"], "hero:morph(\"smile\", 0.6)"),
    foreign_member("Unreal", &["GetSocketLocation"], "hero:bone_position(\"right_hand\")"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::group::Kind;
    use crate::api::groups::GROUPS;

    /// Returns true if the API has a function, property or module of this name.
    fn has(owner: NameOwner, name: &str) -> bool {
        let mut groups = GROUPS.iter();
        match owner {
            NameOwner::Globals => {
                groups.any(|group| group.kind == Kind::Module && group.name == name)
                    || GROUPS
                        .iter()
                        .filter(|group| group.kind == Kind::Globals)
                        .any(|group| group.functions.iter().any(|f| f.name == name))
            }
            NameOwner::AnyObject => groups.any(|group| {
                group.kind == Kind::Object && group.functions.iter().any(|f| f.name == name)
            }),
            // Option types belong to the functions that take them, so no group lists their fields.
            NameOwner::Options(_) => false,
            owner => groups.filter(|group| group.owner() == owner).any(|group| {
                group.functions.iter().any(|f| f.name == name)
                    || group.properties.iter().any(|p| p.name == name)
            }),
        }
    }

    #[test]
    fn old_names_are_gone_and_new_names_exist() {
        for known in RENAMED {
            let RenamedName {
                owner,
                old,
                new,
                usage,
            } = known;
            assert!(!has(*owner, old), "{owner:?} still has {old}");
            if !matches!(owner, NameOwner::Options(_)) {
                assert!(has(*owner, new), "{owner:?} has no {new}");
            }
            assert!(usage.contains(new), "{usage}");
        }
    }

    #[test]
    fn names_of_other_engines_are_not_in_the_api_and_listed_once() {
        let mut seen = Vec::new();
        for known in FOREIGN {
            for name in known.names {
                assert!(!has(known.owner, name), "{name}");
                assert!(!seen.contains(&(known.owner, name)), "{name} twice");
                seen.push((known.owner, name));
            }
        }
    }

    #[test]
    fn a_message_names_the_owner_and_the_new_name() {
        assert_eq!(
            renamed(NameOwner::Globals, "paths").as_deref(),
            Some("there is no \"paths\"; write navmesh { size = … }")
        );
        assert_eq!(
            renamed(NameOwner::Module("physics"), "ray").as_deref(),
            Some("physics has no \"ray\"; write physics.raycast(from, to)")
        );
        assert_eq!(renamed(NameOwner::Module("camera"), "ray"), None);
        assert_eq!(
            foreign_message(NameOwner::Object("Character"), "MoveTo").as_deref(),
            Some("MoveTo is from Roblox; write hero:task(function(t) t:walk_to(target) end)")
        );
        assert_eq!(foreign_message(NameOwner::Globals, "MoveTo"), None);
    }
}
