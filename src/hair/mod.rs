//! Hair: strands from files and grown between guides, and how guides move.
//!
//! Callers: `stage`, `script`, benchmarks. Data flow: a [`Groom`] is read or grown; some of its strands become
//! guides, which [`Chains`] move; every strand that is drawn follows a few of them. Invariants: plain data in, plain
//! data out; a seed gives the same hair every time; nothing here knows a character or a graphics card.

mod book;
mod chains;
mod groom;
mod grow;
mod mesh;
mod read;
mod spline;
mod spread;

pub use book::BookHair;
pub use chains::{ChainInput, ChainOptions, Chains, STEP};
pub use groom::{Groom, GroomError, MOST_POINTS, MOST_STRANDS, length_of};
pub use grow::{FOLLOWED, Follow, Patch, Strand, grow, patches_between};
pub use mesh::{PARTS, StrandLook, hair_model};
pub use read::{Format, ReadError};
pub use spline::{Spline, segment};
pub use spread::spread;
