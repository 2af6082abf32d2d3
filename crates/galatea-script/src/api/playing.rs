//! `hero:is_playing` and `hero:stop`: the plays of a character, by their clips.

use mlua::{Lua, Value};

use super::character_ref::{clip_index, with_character};
use super::check::{Args, Param, Type};
use super::group::Function;
use galatea_character::{Action, Character, EndReason};

/// Index of the clip named in argument 1; `None` if no clip is named.
fn named_clip(character: &Character, args: &Args) -> mlua::Result<Option<usize>> {
    let name = args.text(1);
    name.map(|name| clip_index(character, &name)).transpose()
}

/// Returns true for a play that goes on, of this clip or of any.
fn is_on(action: &Action, clip: Option<usize>) -> bool {
    action.is_on() && clip.is_none_or(|clip| action.clip == clip)
}

fn is_playing(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_character(lua, &args, |_, character| {
        let clip = named_clip(character, &args)?;
        let mut all = character.playback.actions.iter();
        Ok(Value::Boolean(all.any(|action| is_on(action, clip))))
    })
}

fn stop(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fade = args.number(2);
    with_character(lua, &args, |_, character| {
        let clip = named_clip(character, &args)?;
        let mut n_stopped = 0;
        for action in &mut character.playback.actions {
            if is_on(action, clip) {
                let own = f64::from(action.options.fade_out);
                let fade = fade.unwrap_or(own).clamp(0.0, 1e6) as f32;
                action.leave_within(fade, EndReason::Stopped);
                n_stopped += 1;
            }
        }
        Ok(Value::Number(f64::from(n_stopped)))
    })
}

const CLIP: Param = Param {
    name: "clip",
    ty: Type::Text,
    optional: true,
};

/// `hero:is_playing(clip)`.
pub(super) const IS_PLAYING: Function = Function {
    name: "is_playing",
    params: &[CLIP],
    returns: "boolean",
    doc: "Returns true while this clip plays, started by `hero:play`. Without a name, any clip started by `hero:play` \
          counts. A clip that is fading out does not count. For clips of the state machine, see `hero.machine:state()`.",
    example: "if not hero:is_playing(\"wave\") then hero:play(\"wave\") end",
    call: is_playing,
};

/// `hero:stop(clip, fade)`.
pub(super) const STOP: Function = Function {
    name: "stop",
    params: &[
        CLIP,
        Param {
            name: "fade",
            ty: Type::Number,
            optional: true,
        },
    ],
    returns: "number",
    doc: "Stops every playback of this clip that `hero:play` started. Without a name, it stops all clips that \
          `hero:play` started. They fade out within `fade` seconds, by default the fade-out time of each. Returns the \
          number of stopped playbacks. The state machine continues.",
    example: "hero:play(\"wave\", { mode = \"loop\" })\nhero:stop(\"wave\", 0.3)",
    call: stop,
};
