//! Compiled scripts: bytecode that stands, as text, in place of a script's own in an executable.
//!
//! Faults keep their lines; what the text alone could tell, such as the lines around a fault, is gone. Bytecode is not checked
//! by the machine that runs it: it is taken from executables only, whose sums tell what was changed.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use mlua::chunk::{ChunkMode, Compiler};

use super::fault::Fault;
use super::vm::new_vm;

/// How it begins: as a remark, so that who opens it reads what it is.
const HEAD: &str = "--!compiled\n";

/// Compiles a script; `path` is what faults call it.
///
/// # Errors
/// What is wrong in it, and where.
pub fn compiled(path: &str, text: &str) -> Result<String, Fault> {
    let made = || {
        // The compiler by itself does not tell the file.
        let lua = new_vm()?;
        let chunk = lua.load(text).set_name(format!("@{path}"));
        chunk.set_mode(ChunkMode::Text).into_function()?;
        Compiler::new().compile(text)
    };
    let bytes = made().map_err(|error| Fault::from_lua(&error))?;
    Ok(format!("{HEAD}{}", BASE64_STANDARD.encode(bytes)))
}

/// True if a script has no syntax errors. The compiler also refuses code that is nested more than 1000 deep.
pub fn compiles(text: &str) -> bool {
    Compiler::new().compile(text).is_ok()
}

/// Whether a script is one that [`compiled`] made.
pub fn is_compiled(text: &str) -> bool {
    text.starts_with(HEAD)
}

/// The bytecode in a compiled script; `None` in others.
pub(super) fn bytecode(text: &str) -> Option<Vec<u8>> {
    let code = text.strip_prefix(HEAD)?;
    BASE64_STANDARD.decode(code).ok()
}
