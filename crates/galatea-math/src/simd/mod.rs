//! Vector registers: CPU detection, arithmetic, and kernels compiled and selected for each instruction set.
//!
//! Used by `simd` of `anim` and of `rig`, `deform`, `hair`, whose kernels are written once for all registers. Registers and
//! their proofs are those of [`fearless_simd`].
//!
//! # Processors with bit-identical results
//!
//! The same executable on the same CPU gives the same bits on every run and in every thread. Between CPUs the [`Level`]
//! decides: kernels use no estimate instructions, whose bits differ between makers of CPUs, and add in the same order in
//! every register.
//!
//! | level | fused multiply-add | lanes | same bits |
//! |---|---|---|---|
//! | `Avx2`, `Avx512`, `Neon` | yes | 8 | in all three, on CPUs of any maker |
//! | `Sse2` | no | 4 | on every x86-64 |
//! | `Scalar` | no | 1 | `rig` and `hair`: on every CPU; `anim` and `deform`: on every x86-64 |
//!
//! Levels of different rows differ in the last bits. Unit tests of these four crates compare hashes of their kernels'
//! results with constants ([`PinnedHash`]). They pass at every level of x86-64 on an AMD Zen 4, and at `Scalar` and `Neon`
//! under qemu-user, which emulates a 64-bit Arm CPU. They have not been run on Arm hardware.
//!
//! The table applies to finite results of kernels. Other code can differ between Arm and x86 in the last bits:
//!
//! - functions of the C library, such as sine and arc cosine;
//! - glam, which on Arm normalises vectors by a reciprocal instead of a quotient, adds the products of a dot product of
//!   four components in another order, and interpolates quaternions with fused multiply-add. `anim` and `deform` use it
//!   at `Scalar`; `deform` also for the last vertices of a mesh, which do not fill a register.

mod floats;
mod pinned;
mod quads;
#[cfg(test)]
mod tests;
pub mod vectors;

use std::sync::OnceLock;

#[cfg(target_arch = "aarch64")]
use fearless_simd::aarch64::Neon;
#[cfg(target_arch = "x86_64")]
use fearless_simd::x86::{Avx2, Avx512, Sse2};

pub use fearless_simd::{self, Simd};
pub use floats::Floats;
pub use pinned::PinnedHash;
pub use quads::{Quads, load_vectors, load_xyz, store_vectors, store_xyz};

/// Instruction set of the kernels, ordered from weakest to strongest for one kind of CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Plain Rust, the reference.
    Scalar,
    /// Four floats at a time; every x86-64.
    Sse2,
    /// Eight floats, fused multiply-add: x86-64-v3.
    Avx2,
    /// The same with the 32 registers of AVX-512VL, from Ice Lake and Zen 4 on. Sixteen floats at a time were measured
    /// and are not faster where the CPU halves such operations (Zen 4), and leave more lanes empty in the last group of
    /// a pose.
    Avx512,
    /// Eight floats in pairs of registers, fused multiply-add; every 64-bit Arm.
    Neon,
}

/// A level with the proof that the CPU has its instructions. Created by [`Level::proof`], for [`dispatch`].
#[derive(Clone, Copy, Debug)]
pub enum Proof {
    /// Plain Rust needs no proof.
    Scalar,
    /// Four lanes.
    #[cfg(target_arch = "x86_64")]
    Sse2(Sse2),
    /// Eight lanes.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// Eight lanes; the second token creates the registers.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512, Avx2),
    /// Eight lanes.
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
}

impl Level {
    /// All levels that a CPU of this architecture may have, weakest first.
    #[cfg(target_arch = "x86_64")]
    pub const ALL: [Self; 4] = [Self::Scalar, Self::Sse2, Self::Avx2, Self::Avx512];
    /// All levels that a CPU of this architecture may have, weakest first.
    #[cfg(target_arch = "aarch64")]
    pub const ALL: [Self; 2] = [Self::Scalar, Self::Neon];
    /// All levels that a CPU of this architecture may have, weakest first.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub const ALL: [Self; 1] = [Self::Scalar];

    /// The name in `GALATEA_SIMD`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Sse2 => "sse2",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Neon => "neon",
        }
    }

    /// The strongest level that this CPU can run.
    pub fn best() -> Self {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(|| {
            let strongest = Self::ALL.last().copied().unwrap_or(Self::Scalar);
            strongest.proof().level()
        })
    }

    /// The level in use: the strongest the CPU can run, or a weaker one that the environment
    /// variable `GALATEA_SIMD` names (`scalar`, `sse2`, `avx2`, `avx512`, `neon`; anything else is
    /// ignored). Read once per process.
    #[inline]
    pub fn current() -> Self {
        static CURRENT: OnceLock<Level> = OnceLock::new();
        *CURRENT.get_or_init(|| {
            let requested = std::env::var("GALATEA_SIMD").unwrap_or_default();
            Self::ALL
                .into_iter()
                .find(|level| level.name() == requested)
                .map_or(Self::best(), |level| level.min(Self::best()))
        })
    }

    /// The proof for the strongest level up to this one that the CPU can run.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub fn proof(self) -> Proof {
        let found = fearless_simd::Level::new();
        let avx512 = || Some(Proof::Avx512(found.as_avx512()?, found.as_avx2()?));
        let avx2 = || found.as_avx2().map(Proof::Avx2);
        let sse2 = || found.as_sse2().map(Proof::Sse2);
        let proof = match self {
            Self::Scalar => None,
            Self::Sse2 => sse2(),
            Self::Avx2 => avx2().or_else(sse2),
            Self::Avx512 | Self::Neon => avx512().or_else(avx2).or_else(sse2),
        };
        proof.unwrap_or(Proof::Scalar)
    }

    /// The proof for the strongest level up to this one that the CPU can run.
    #[cfg(target_arch = "aarch64")]
    #[inline]
    pub fn proof(self) -> Proof {
        match fearless_simd::Level::new().as_neon() {
            Some(neon) if self == Self::Neon => Proof::Neon(neon),
            _ => Proof::Scalar,
        }
    }

    /// The proof for the strongest level up to this one that the CPU can run.
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    #[inline]
    pub fn proof(self) -> Proof {
        Proof::Scalar
    }
}

impl Proof {
    fn level(self) -> Level {
        match self {
            Self::Scalar => Level::Scalar,
            #[cfg(target_arch = "x86_64")]
            Self::Sse2(..) => Level::Sse2,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(..) => Level::Avx2,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(..) => Level::Avx512,
            #[cfg(target_arch = "aarch64")]
            Self::Neon(..) => Level::Neon,
        }
    }
}

/// Runs a kernel at a level, or the strongest below it that the CPU can run: `plain` at [`Level::Scalar`], else `kernel`,
/// a function over [`Floats`] or [`Quads`] that takes their token before the arguments. The kernel and all that it calls
/// must be `#[inline(always)]`: only then are they compiled with the level's instructions.
#[macro_export]
macro_rules! dispatch {
    ($level:expr, $plain:path, $($kernel:ident)::+, ($($arg:expr),* $(,)?)) => {
        match $level.proof() {
            $crate::simd::Proof::Scalar => $plain($($arg),*),
            #[cfg(target_arch = "x86_64")]
            $crate::simd::Proof::Sse2(sse2) => $crate::dispatch!(
                @with sse2, ($($kernel)::+), f32x4, sse2, ($($arg),*)
            ),
            #[cfg(target_arch = "x86_64")]
            $crate::simd::Proof::Avx2(avx2) => $crate::dispatch!(
                @with avx2, ($($kernel)::+), f32x8, avx2, ($($arg),*)
            ),
            #[cfg(target_arch = "x86_64")]
            $crate::simd::Proof::Avx512(avx512, avx2) => $crate::dispatch!(
                @with avx512, ($($kernel)::+), f32x8, avx2, ($($arg),*)
            ),
            #[cfg(target_arch = "aarch64")]
            $crate::simd::Proof::Neon(neon) => $crate::dispatch!(
                @with neon, ($($kernel)::+), f32x8, neon, ($($arg),*)
            ),
        }
    };
    (@with $enabled:ident, ($($kernel:ident)::+), $register:ident, $token:ident, ($($arg:expr),*)) => {
        $crate::simd::Simd::vectorize(
            $enabled,
            #[inline(always)]
            || $($kernel)::+::<$crate::simd::fearless_simd::$register<_>>($token, $($arg),*),
        )
    };
}
pub use crate::dispatch;
