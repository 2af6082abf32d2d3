//! Compiled scripts: bytecode, encoded as text, that replaces the source text of a script in an executable.
//!
//! Faults keep their line numbers, but the source lines around a fault are not available. Luau does not verify bytecode
//! before it runs it. Therefore bytecode is only accepted from executables: their checksums reveal changes.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use mlua::chunk::{ChunkMode, Compiler};

use super::fault::Fault;
use super::vm::new_vm;

/// Beginning of a compiled script. It is a comment that explains the file to people.
const HEAD: &str = "--!compiled\n";

/// Compiles a script. `path` is its file name in faults.
///
/// # Errors
/// Returns the syntax error with its position.
pub fn compiled(path: &str, text: &str) -> Result<String, Fault> {
    let made = || {
        // The compiler alone does not include the file name in its errors.
        let lua = new_vm()?;
        let chunk = lua.load(text).set_name(format!("@{path}"));
        chunk.set_mode(ChunkMode::Text).into_function()?;
        Compiler::new().compile(text)
    };
    let bytes = made().map_err(|error| Fault::from_lua(&error))?;
    Ok(format!("{HEAD}{}", BASE64_STANDARD.encode(bytes)))
}

/// Returns true if a script has no syntax errors. The compiler also rejects code that is nested more than 1000 deep.
pub fn compiles(text: &str) -> bool {
    Compiler::new().compile(text).is_ok()
}

/// Returns true for a script that [`compiled`] made.
pub fn is_compiled(text: &str) -> bool {
    text.starts_with(HEAD)
}

/// Bytecode in a compiled script; `None` for other scripts.
pub(super) fn bytecode(text: &str) -> Option<Vec<u8>> {
    let code = text.strip_prefix(HEAD)?;
    BASE64_STANDARD.decode(code).ok()
}
