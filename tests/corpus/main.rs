//! Real files of `GALATEA_CORPUS` and intentionally broken files: loading, and all features on them.

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
