//! Hair: strand files, procedural haircuts, interpolation between guide strands, and strand simulation.
//!
//! A [`Groom`] holds strands read from a file (`read`). A [`HairCut`] grows a haircut on a [`Scalp`] instead. Some strands
//! become guides; [`Chains`] simulates these. [`patches_between`] finds neighbouring guides and [`grow()`] fills the area
//! between them: each [`Strand`] follows up to four guides ([`GuideWeights`]). [`hair_model`] makes a mesh of ribbons that
//! the renderer can draw.
//!
//! ```
//! use galatea_hair::{ChainInput, ChainSettings, Chains, grow, patches_between};
//! use glam::{Affine3A, Vec3};
//!
//! // Four guides of 20 cm that hang down from the corners of a square.
//! let guide = |x: f32, z: f32| -> Vec<Vec3> {
//!     (0..9).map(|i| Vec3::new(x, 1.7 - 0.025 * i as f32, z)).collect()
//! };
//! let guides = [guide(0.0, 0.0), guide(0.02, 0.0), guide(0.02, 0.02), guide(0.0, 0.02)];
//!
//! // 100 strands between them.
//! let strands = grow(&guides, &patches_between(&guides, false), 100, 7);
//! assert_eq!(strands.len(), 100);
//! assert!(strands.iter().all(|strand| (0.0..=0.02).contains(&strand.points[0].x)));
//!
//! // Half a second of wind along +X pushes the tips aside.
//! let mut chains = Chains::new(&guides, &[], ChainSettings::default());
//! for _ in 0..30 {
//!     chains.advance(&ChainInput {
//!         world_from_rest: Affine3A::IDENTITY,
//!         dt: 1.0 / 60.0,
//!         colliders: &[],
//!         wind: Vec3::X * 5.0,
//!     });
//! }
//! let (tip, _) = chains.frames(0).last().unwrap();
//! assert!(tip.x > 0.01, "{tip}");
//! ```
//!
//! # Dependencies
//!
//! Depends on `galatea-anim`, `galatea-asset` and `galatea-physics` (obstacles), and on `galatea-math`. Input and output are
//! plain data; the crate depends on no character and no GPU code. A seed gives the same hair every time.

mod chains;
mod cut;
mod groom;
mod grow;
mod locks;
mod mesh;
mod read;
mod spline;
mod spread;
mod spring_hair;
mod strip;

pub use chains::{ChainInput, ChainSettings, Chains, STEP};
pub use cut::{
    CUT_NAMES, CUTS, Cap, Grown, HairArea, HairCut, RestSkin, Root, Scalp, ScalpError, SkinRole,
};
pub use groom::{Groom, GroomError, MAX_POINTS, MAX_STRANDS, length_of};
pub use grow::{FOLLOWED, GuideArea, GuideWeights, Strand, grow, keep_together, patches_between};
pub use locks::Locks;
pub use mesh::{PARTS, StrandAppearance, hair_model};
pub use read::{ReadError, StrandFormat};
pub use spline::{Spline, segment};
pub use spread::spread;
pub use spring_hair::SpringHair;
pub use strip::strip_picture;
