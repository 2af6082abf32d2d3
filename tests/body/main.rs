//! Solid things and bodies: what falls, what holds, what comes to rest.

mod falls;
mod proof;
mod scenes;
mod things;
