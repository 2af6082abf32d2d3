//! Vector registers: which the CPU has, arithmetic in them, and how a loop is built and picked for each width.
//!
//! Callers: `simd` of `anim` and of `rig`, `deform`, `hair`, whose kernels are written once for all widths.
//!
//! Invariants: the same executable on the same CPU gives the same bits on every run and in every thread. No
//! estimate instructions are used (their bits differ between makers of CPUs), so two CPUs at one [`Level`] agree
//! bit for bit, and AVX2 agrees with AVX-512. Levels with and without fused multiply-add differ in the last bits.

mod floats;
pub mod vectors;

use std::sync::OnceLock;

pub use floats::Floats;
#[cfg(target_arch = "x86_64")]
pub use floats::{transpose128, transpose256};

/// Which instructions the loops use, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Plain Rust, the reference.
    Scalar,
    /// Four floats at a time; every x86-64.
    Sse2,
    /// Eight floats, fused multiply-add.
    Avx2,
    /// The same with the 32 registers of AVX-512VL. Sixteen floats at a time were measured and are
    /// not faster where the CPU halves such operations (Zen 4), and leave more lanes empty in the
    /// last group of a pose.
    Avx512,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Self; 4] = [Self::Scalar, Self::Sse2, Self::Avx2, Self::Avx512];

    /// The name that `GALATEA_SIMD` understands.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Sse2 => "sse2",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// The strongest level this CPU can run.
    pub fn best() -> Self {
        static BEST: OnceLock<Level> = OnceLock::new();
        *BEST.get_or_init(detect)
    }

    /// The level in use: the strongest the CPU can run, or a weaker one that the environment
    /// variable `GALATEA_SIMD` names (`scalar`, `sse2`, `avx2`, `avx512`; anything else is
    /// ignored). Read once per process.
    pub fn current() -> Self {
        static CURRENT: OnceLock<Level> = OnceLock::new();
        *CURRENT.get_or_init(|| {
            let wanted = std::env::var("GALATEA_SIMD").unwrap_or_default();
            Self::ALL
                .into_iter()
                .find(|level| level.name() == wanted)
                .map_or(Self::best(), |level| level.min(Self::best()))
        })
    }
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Level {
    let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    let wide = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512dq");
    match (avx2, wide) {
        (true, true) => Level::Avx512,
        (true, false) => Level::Avx2,
        _ => Level::Sse2,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Level {
    Level::Scalar
}

/// Makes a module of a generic function over [`Floats`], with one function a width, `sse2`, `avx2` and `avx512`,
/// for [`dispatch`]. Their safety is that of the generic function, and the CPU must have what they are named after.
#[macro_export]
macro_rules! per_width {
    ($name:ident = $generic:ident($($arg:ident: $type:ty),* $(,)?)) => {
        #[cfg(target_arch = "x86_64")]
        pub(super) mod $name {
            use std::arch::x86_64::{__m128, __m256};

            use super::*;

            /// # Safety
            /// As the generic function.
            pub(in super::super) unsafe fn sse2($($arg: $type),*) {
                // SAFETY: every x86-64 has SSE2; the rest is the caller's.
                unsafe { $generic::<__m128>($($arg),*) }
            }

            /// # Safety
            /// As the generic function.
            #[target_feature(enable = "avx2,fma")]
            pub(in super::super) unsafe fn avx2($($arg: $type),*) {
                // SAFETY: the features are enabled here; the rest is the caller's.
                unsafe { $generic::<__m256>($($arg),*) }
            }

            /// # Safety
            /// As the generic function.
            #[target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512dq")]
            pub(in super::super) unsafe fn avx512($($arg: $type),*) {
                // SAFETY: the features are enabled here; the rest is the caller's.
                unsafe { $generic::<__m256>($($arg),*) }
            }
        }
    };
}
pub use crate::per_width;

/// Runs the form of a kernel that belongs to a level: a plain function, or one of a module that [`per_width`] made.
/// Who calls it vouches for what the kernel asks of its arguments.
#[macro_export]
macro_rules! dispatch {
    ($level:expr, $plain:path, $($kernel:ident)::+, ($($arg:expr),* $(,)?)) => {
        match $level.min(Level::best()) {
            Level::Scalar => $plain($($arg),*),
            // SAFETY: `best` has found the instructions; the rest is the caller's.
            #[cfg(target_arch = "x86_64")]
            Level::Sse2 => unsafe { $($kernel)::+::sse2($($arg),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { $($kernel)::+::avx2($($arg),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { $($kernel)::+::avx512($($arg),*) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => $plain($($arg),*),
        }
    };
}
pub use crate::dispatch;
