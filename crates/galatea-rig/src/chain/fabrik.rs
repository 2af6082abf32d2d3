//! FABRIK (Aristidou and Lasenby 2011): joints are drawn along from the target back to the root, and from the
//! root out again, each at its length from the next.

use glam::Vec3;

use super::Chain;

impl Chain {
    /// One way there and back, then the bones are turned to where their joints came to, within their limits.
    pub(super) fn sweep_fabrik(&mut self, target: Vec3) {
        let n = self.links.len();
        let root = self.points[0];
        // Lengths are those of the pose, which the models still hold.
        let place = |chain: &Self, i: usize| match chain.models.get(i) {
            Some(model) => Vec3::from(model.translation),
            None => chain.tip_point(),
        };
        self.points[n] = target;
        for i in (0..n).rev() {
            let length = place(self, i).distance(place(self, i + 1));
            self.points[i] = drawn(self.points[i], self.points[i + 1], length);
        }
        self.points[0] = root;
        for i in 0..n {
            let length = place(self, i).distance(place(self, i + 1));
            self.points[i + 1] = drawn(self.points[i + 1], self.points[i], length);
        }
        for i in 0..n {
            let model = self.above(i) * self.locals[i].to_affine();
            let from = Vec3::from(model.translation);
            let next = self
                .locals
                .get(i + 1)
                .map_or(self.tip_at, |l| l.translation);
            let way = self.points[i + 1] - self.points[i];
            self.swing(i, model.transform_point3(next), from + way, 1.0);
            self.models[i] = self.above(i) * self.locals[i].to_affine();
        }
        self.forward();
    }
}

/// `point` brought to a length from an anchor, in the direction in which it is; a link without length or
/// direction ends where it is anchored.
fn drawn(point: Vec3, anchor: Vec3, length: f32) -> Vec3 {
    anchor + (point - anchor).normalize_or_zero() * length
}
