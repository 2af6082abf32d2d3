//! The simulation: characters, clock, camera, light, and one function that tells the frame.
//!
//! Callers: `script`, `app`, `commands`. Invariants: no GPU, no Lua, no sound device; both can be absent.

pub mod frame;

pub use frame::Frame;
