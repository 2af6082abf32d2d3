//! Cyclic coordinate descent: rotates each bone so that the tip points at the target as seen from that bone.

use glam::Vec3;

use super::Chain;

impl Chain {
    /// Runs one sweep from the root to the tip. Rotations of the root leave hands and feet unchanged; starting at the tip
    /// would twist and fold them.
    pub(super) fn sweep_ccd(&mut self, target: Vec3) {
        let mut tip = self.tip_point();
        for i in 0..self.links.len() {
            let give = self.links[i].flexibility;
            tip = self.swing(i, tip, target, give);
            self.models[i] = self.above(i) * self.locals[i].to_affine();
        }
        self.forward();
    }
}
