//! Procedural content: models, clips, textures and sounds made by code.
//!
//! A [`field::DistanceField`] is a sculpture as a signed distance field; [`contour`] turns it into a mesh. A [`cage`]
//! is a mesh of quads drawn onto a field, which can be unwrapped and painted ([`layers`], [`bake`]) and skinned
//! ([`skinning`]). [`motion`] turns gait rules into clips. [`sounds`] synthesises footsteps. [`mannequin`] is the
//! figure that tests and benchmarks use. [`glb`] writes a model as a binary glTF file.
//!
//! ```
//! use galatea_forge::{contour::contour, field::DistanceField, sounds};
//! use glam::Vec3;
//!
//! // A bowl: a ball of 10 cm whose upper half and inside are cut away.
//! let ball = |radius| DistanceField::ellipsoid(Vec3::ZERO, Vec3::splat(radius));
//! let bowl = ball(0.1)
//!     .cut(&ball(0.09), 0.002)
//!     .meet(&DistanceField::plane(Vec3::Y, 0.0), 0.002);
//! let mesh = contour(&bowl, Vec3::splat(-0.12), Vec3::splat(0.12), 0.004)?;
//! assert!(mesh.quads.len() > 500);
//! assert!(mesh.positions.iter().all(|p| bowl.at(*p).abs() < 0.002 && p.y < 0.002));
//!
//! // A footstep on gravel: samples in -1..1 at 48 kHz. The seed makes it repeatable.
//! let step = sounds::footstep(sounds::GroundMaterial::Gravel, 7);
//! assert!(step.len() > sounds::RATE as usize / 5);
//! assert_eq!(step, sounds::footstep(sounds::GroundMaterial::Gravel, 7));
//! # Ok::<(), String>(())
//! ```
//!
//! # Dependencies
//!
//! Depends on `galatea-anim`, `galatea-asset` (model types, glTF writing) and `galatea-math`; parry3d casts its rays.
//! Does not use files, the GPU, Lua or the clock: the same code gives the same bytes.

pub mod bake;
mod body;
pub mod cage;
mod charts;
pub mod clips;
pub mod contour;
mod cut;
mod eye_shape;
mod eyes;
pub mod face;
pub mod field;
pub mod gallery_props;
pub mod glb;
mod head;
pub mod layers;
pub mod lighten;
mod loft;
pub mod mannequin;
pub mod maps;
pub mod motion;
pub mod occlusion;
pub mod paint;
pub mod pictures;
pub mod pieces;
pub mod rig;
mod sdf;
mod shapes;
mod sheet;
mod simplify;
pub mod skinning;
mod solve;
pub mod sounds;
mod surface;
mod texels;
mod unwrap;
mod weights;
pub mod wrinkles;

/// A generated character; the type of a loaded one.
pub type Forged = galatea_asset::Model;

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::LazyLock;

    use super::{Forged, mannequin};

    /// A shared figure for tests that only read it.
    pub fn shared() -> &'static Forged {
        static FIGURE: LazyLock<Forged> = LazyLock::new(mannequin::mannequin);
        &FIGURE
    }
}
