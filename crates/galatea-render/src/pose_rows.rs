//! Poses and tint colours of crowds, as rows of one buffer that changes only when the crowds change.

use std::sync::Arc;

use super::uniforms::GpuMatrix;
use galatea_stage::frame::{BakedPoses, DrawCrowd, Frame, Tint};

/// Maximum number of tinted materials.
pub const TINTS: usize = 4;

/// Location of one crowd body's data in the buffer.
pub struct PoseRow {
    poses: Arc<BakedPoses>,
    tints: Arc<[Tint]>,
    /// Row of the first pose, and rows per pose.
    first: u32,
    stride: u32,
    /// Row of the first tint colour.
    first_tint: u32,
    /// First of [`TINTS`] rows that describe the tinted materials: material, first colour row, number of colours.
    pub first_choice: u32,
    /// Sign of the determinant of every matrix of the first pose.
    pub signs: Vec<i8>,
}

impl PoseRow {
    fn is_of(&self, crowd: &DrawCrowd) -> bool {
        Arc::ptr_eq(&self.poses, &crowd.poses) && Arc::ptr_eq(&self.tints, &crowd.tints)
    }

    /// First row of a pose. An index past the end selects the last pose.
    pub fn pose(&self, pose: u32) -> u32 {
        let n = self.poses.palettes.len() / self.poses.stride.max(1);
        self.first + pose.min((n as u32).saturating_sub(1)) * self.stride
    }

    /// Tinted materials: material index, first colour row, number of colours.
    pub fn tints(&self) -> impl Iterator<Item = (u16, u32, u32)> + '_ {
        let mut first = self.first_tint;
        self.tints.iter().map(move |tint| {
            let n = tint.colors.len() as u32;
            first += n;
            (tint.material, first - n, n)
        })
    }
}

/// Poses and tint colours of all crowds.
#[derive(Default)]
pub struct PoseRows {
    held: Vec<PoseRow>,
    /// Rows of the buffer.
    pub rows: Vec<[f32; 4]>,
    /// Changes whenever the rows change.
    pub version: u64,
}

impl PoseRows {
    /// Stores the poses of all crowds of a frame, as far as `limit` bytes allow.
    ///
    /// # Errors
    /// A message if some poses do not fit.
    pub fn hold(&mut self, frame: &Frame, limit: u64) -> Result<(), String> {
        let is_stored = |crowd: &DrawCrowd| self.of(crowd).is_some();
        if frame.crowds.iter().all(is_stored) {
            if frame.crowds.is_empty() {
                (self.held, self.rows) = (Vec::new(), Vec::new());
            }
            return Ok(());
        }
        self.held.clear();
        self.rows.clear();
        self.version += 1;
        let mut lacking = 0;
        for crowd in &frame.crowds {
            if self.of(crowd).is_some() {
                continue;
            }
            let colors = crowd.tints.iter().map(|tint| tint.colors.len());
            let n = 3 * crowd.poses.palettes.len() + colors.sum::<usize>() + TINTS;
            let bytes = (self.rows.len() + n) as u64 * size_of::<[f32; 4]>() as u64;
            if bytes > limit {
                lacking += 1;
            } else {
                self.add(crowd);
            }
        }
        match lacking {
            0 => Ok(()),
            n => Err(format!(
                "{n} crowd models are not drawn: their poses need more than {} MiB, the most that the graphics device can bind",
                limit >> 20
            )),
        }
    }

    fn add(&mut self, crowd: &DrawCrowd) {
        let (book, first) = (&crowd.poses, self.rows.len() as u32);
        let rows = book.palettes.iter().map(GpuMatrix::from);
        self.rows.extend(rows.flat_map(|m| [m.x, m.y, m.z]));
        let first_tint = self.rows.len() as u32;
        let colors = crowd.tints.iter().flat_map(|tint| &tint.colors);
        self.rows
            .extend(colors.map(|color| color.extend(1.0).to_array()));
        let first_choice = self.rows.len() as u32;
        let mut next = first_tint;
        for i in 0..TINTS {
            let tint = crowd.tints.get(i);
            let n = tint.map_or(0, |tint| tint.colors.len() as u32);
            let material = tint.map_or(0, |tint| tint.material);
            self.rows
                .push([f32::from(material), next as f32, n as f32, 0.0]);
            next += n;
        }
        let sign = |determinant: f32| i8::from(determinant > 0.0) - i8::from(determinant < 0.0);
        let signs = book.palette(0).iter().map(|m| m.matrix3.determinant());
        self.held.push(PoseRow {
            poses: book.clone(),
            tints: crowd.tints.clone(),
            first,
            stride: 3 * book.stride as u32,
            first_tint,
            first_choice,
            signs: signs.map(sign).collect(),
        });
    }

    /// Location of a crowd's poses; `None` if they did not fit.
    pub fn of(&self, crowd: &DrawCrowd) -> Option<&PoseRow> {
        self.held.iter().find(|held| held.is_of(crowd))
    }
}
