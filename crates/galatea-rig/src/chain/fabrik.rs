//! FABRIK (Aristidou and Lasenby 2011): a backward pass places joints from the target to the root, a forward pass from the
//! root out, each at its bone length from the next.

use glam::Vec3;

use super::Chain;

impl Chain {
    /// Runs one backward and one forward pass, then rotates the bones towards the new joint positions, within their limits.
    pub(super) fn sweep_fabrik(&mut self, target: Vec3) {
        let n = self.links.len();
        let root = self.points[0];
        // Bone lengths come from the pose, which the matrices still describe.
        let position = |chain: &Self, i: usize| match chain.models.get(i) {
            Some(model) => Vec3::from(model.translation),
            None => chain.tip_point(),
        };
        self.points[n] = target;
        for i in (0..n).rev() {
            let length = position(self, i).distance(position(self, i + 1));
            self.points[i] = at_length(self.points[i], self.points[i + 1], length);
        }
        self.points[0] = root;
        for i in 0..n {
            let length = position(self, i).distance(position(self, i + 1));
            self.points[i + 1] = at_length(self.points[i + 1], self.points[i], length);
        }
        for i in 0..n {
            let model = self.above(i) * self.locals[i].to_affine();
            let from = Vec3::from(model.translation);
            let next = self
                .locals
                .get(i + 1)
                .map_or(self.tip_at, |l| l.translation);
            let direction = self.points[i + 1] - self.points[i];
            self.swing(i, model.transform_point3(next), from + direction, 1.0);
            self.models[i] = self.above(i) * self.locals[i].to_affine();
        }
        self.forward();
    }
}

/// Moves `point` to a distance `length` from the anchor, in its direction; without length or direction, onto the anchor.
fn at_length(point: Vec3, anchor: Vec3, length: f32) -> Vec3 {
    anchor + (point - anchor).normalize_or_zero() * length
}
