//! Hair: strands from files, haircuts grown on heads, what grows between guides, and how guides move.
//!
//! Callers: `character`, `stage`, `script`, benchmarks. Data flow: a [`Groom`] is read, or a [`Cut`] grown on a
//! [`Scalp`]; some of its strands become guides, which [`Chains`] move; every strand that is drawn follows a few of them.
//! Invariants: plain data in, plain data out; a seed gives the same hair every time; nothing here knows a character or a
//! graphics card.

mod book;
mod chains;
mod cut;
mod groom;
mod grow;
mod locks;
mod mesh;
mod read;
mod spline;
mod spread;
mod strip;

pub use book::BookHair;
pub use chains::{ChainInput, ChainOptions, Chains, STEP};
pub use cut::{Area, CUT_NAMES, CUTS, Cap, Cut, Grown, Root, Scalp, ScalpError, Skin};
pub use groom::{Groom, GroomError, MOST_POINTS, MOST_STRANDS, length_of};
pub use grow::{FOLLOWED, Follow, Patch, Strand, grow, keep_together, patches_between};
pub use locks::Locks;
pub use mesh::{PARTS, StrandLook, hair_model};
pub use read::{Format, ReadError};
pub use spline::{Spline, segment};
pub use spread::spread;
pub use strip::strip_picture;
