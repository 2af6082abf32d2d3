//! Real files, those of `GALATEA_CORPUS`, and files that are broken on purpose: what is loaded of them, and what is done with it.

mod baked_faces;
mod clip_files;
#[path = "../driver/mod.rs"]
mod driver;
mod faces;
mod files;
#[path = "../folder/mod.rs"]
mod folder;
mod formats;
mod frames;
mod gaze;
mod hair;
mod helpers;
mod inspect_rig;
mod load;
mod materials;
mod motion;
mod pack;
mod play;
mod ragdolls;
mod retarget;
mod rig;
#[path = "../sessions/mod.rs"]
mod sessions;
mod smoke;
mod speech;
mod speech_torture;
mod torture;
mod views;
mod words;
