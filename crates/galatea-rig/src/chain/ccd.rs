//! Cyclic coordinate descent: each bone in turn is turned so that the tip is seen where the target is.

use glam::Vec3;

use super::Chain;

impl Chain {
    /// One sweep from the root to the leaf. What the root can do, hands and feet need not: leaf first would
    /// twist and fold them (IK-03).
    pub(super) fn sweep_ccd(&mut self, target: Vec3) {
        let mut tip = self.tip_point();
        for i in 0..self.links.len() {
            let give = self.links[i].give;
            tip = self.swing(i, tip, target, give);
            self.models[i] = self.above(i) * self.locals[i].to_affine();
        }
        self.forward();
    }
}
