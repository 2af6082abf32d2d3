//! The plain virtual machine of scripts and recipes.

use std::sync::Once;

use mlua::{Function, Lua, LuaOptions, StdLib};

/// Creates a VM with the libraries that scripts may use, and with native code generation.
pub fn new_vm() -> mlua::Result<Lua> {
    static FLAGS: Once = Once::new();
    // When Luau 0.740 copies blocks of native code one after another, it may use the result of a call in place of its
    // argument, as in the test below. The flag disables only that step.
    FLAGS.call_once(|| _ = Lua::set_fflag("DebugCodegenOptSize", true));
    Lua::new_with(StdLib::ALL_SAFE ^ StdLib::OS, LuaOptions::new())
}

/// Loads a part of the API that is written in Luau, without native code. Native code generation took most of the
/// startup time of a VM, and functions that mostly wait run no faster with it.
///
/// # Errors
/// Fails if the VM runs out of memory.
pub fn part(lua: &Lua, name: &str, text: &str) -> mlua::Result<Function> {
    lua.enable_jit(false);
    let loaded = lua.load(text).set_name(name).into_function();
    lua.enable_jit(true);
    loaded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn native_code_and_interpreter_give_the_same_result() {
        let lua = new_vm().unwrap();
        lua.sandbox(true).unwrap();
        let text = "
            local sin, cos = math.sin, math.cos
            local function phase(u) return 2 * u - 0.161 * (1 - cos(2 * u)) end
            local function fly(u)
                local a = phase(u)
                local s = cos(a)
                local bob = -0.0075 * cos(phase(u - 0.03))
                return {
                    b = { at = vector.create(0, bob, 0), t = vector.create(1.5 * sin(a), 0, 0) },
                    h = { at = vector.create(0, -0.3 * bob, 0), t = vector.create(-1.5 * sin(a), 0, 0) },
                    s = s,
                }
            end
            local o = fly(0.7)
            return o.b.t.x, o.h.t.x";
        let (b, h): (f64, f64) = lua.load(text).eval().unwrap();
        assert!(
            (b - 1.431_026).abs() < 1e-5 && (h + b).abs() < 1e-6,
            "{b} {h}"
        );
    }
}
