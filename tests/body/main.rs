//! Solid things and bodies: what falls, what holds, what comes to rest.

mod exact;
mod falls;
mod laws;
mod level;
mod scenes;
mod things;
