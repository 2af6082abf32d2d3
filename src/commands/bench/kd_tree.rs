//! A k-d tree over positions as in RVO2, for comparison with Galatea's neighbour search.

use glam::Vec2;

/// Positions per leaf, as in RVO2.
const LEAF: usize = 10;

/// Bounding box of some positions, and its child nodes.
struct KdNode {
    low: Vec2,
    high: Vec2,
    begin: usize,
    end: usize,
    /// Indices of the children; `None` for a leaf.
    halves: Option<[usize; 2]>,
}

/// A k-d tree. Rebuilding reuses its memory.
#[derive(Default)]
pub(super) struct KdTree {
    positions: Vec<Vec2>,
    nodes: Vec<KdNode>,
}

impl KdTree {
    pub(super) fn build(&mut self, places: &[Vec2]) {
        self.positions.clear();
        self.positions.extend_from_slice(places);
        self.nodes.clear();
        if !places.is_empty() {
            self.split(0, places.len());
        }
    }

    fn split(&mut self, begin: usize, end: usize) -> usize {
        let own = &mut self.positions[begin..end];
        let mut bounds = [own[0]; 2];
        for place in &*own {
            bounds = [bounds[0].min(*place), bounds[1].max(*place)];
        }
        let [low, high] = bounds;
        let number = self.nodes.len();
        let halves = None;
        self.nodes.push(KdNode {
            low,
            high,
            begin,
            end,
            halves,
        });
        if end - begin > LEAF {
            let size = high - low;
            let along = usize::from(size.y > size.x);
            let middle = (end - begin) / 2;
            own.select_nth_unstable_by(middle, |a, b| a[along].total_cmp(&b[along]));
            let first = self.split(begin, begin + middle);
            let second = self.split(begin + middle, end);
            self.nodes[number].halves = Some([first, second]);
        }
        number
    }

    /// Number of positions within a distance, given as its square.
    pub(super) fn count(&self, at: Vec2, distance2: f32) -> usize {
        self.count_in(0, at, distance2)
    }

    fn count_in(&self, number: usize, at: Vec2, distance2: f32) -> usize {
        let Some(node) = self.nodes.get(number) else {
            return 0;
        };
        if at.clamp(node.low, node.high).distance_squared(at) >= distance2 {
            return 0;
        }
        match node.halves {
            Some([a, b]) => self.count_in(a, at, distance2) + self.count_in(b, at, distance2),
            None => {
                let own = self.positions[node.begin..node.end].iter();
                own.filter(|place| place.distance_squared(at) < distance2)
                    .count()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galatea_math::random::RandomSource;

    #[test]
    fn it_finds_as_many_as_looking_at_all() {
        let mut chance = RandomSource::new(3);
        let mut at = || Vec2::new(chance.between(-9.0, 9.0), chance.between(-9.0, 9.0));
        let places: Vec<Vec2> = (0..700).map(|_| at()).collect();
        let mut tree = KdTree::default();
        tree.build(&places);
        for a in &places {
            let all = places.iter().filter(|b| a.distance_squared(**b) < 4.0);
            assert_eq!(tree.count(*a, 4.0), all.count());
        }
        tree.build(&[]);
        assert_eq!(tree.count(Vec2::ZERO, 4.0), 0);
    }
}
