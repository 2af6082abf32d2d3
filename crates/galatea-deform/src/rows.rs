//! Bone transforms as rows of floats, in the layout that the kernels load.

use glam::Vec4;

/// Three rows of a matrix, and padding.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct MatrixRows(pub [f32; 16]);

impl AsRef<[f32]> for MatrixRows {
    #[inline(always)]
    fn as_ref(&self) -> &[f32] {
        &self.0
    }
}

/// A dual quaternion, the real part first.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(32))]
pub(super) struct Dual(pub [f32; 8]);

impl Dual {
    /// The real part.
    pub fn real(&self) -> Vec4 {
        Vec4::from_slice(&self.0)
    }
}

impl AsRef<[f32]> for Dual {
    #[inline(always)]
    fn as_ref(&self) -> &[f32] {
        &self.0
    }
}
