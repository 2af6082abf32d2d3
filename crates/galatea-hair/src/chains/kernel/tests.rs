use galatea_math::simd::{PinnedHash, dispatch};

use super::*;

/// Two groups of chains that hang down, all different.
fn hanging(n_levels: usize) -> Vec<ChainLanes> {
    let mut nodes = vec![ChainLanes::default(); 2 * n_levels];
    for (i, node) in nodes.iter_mut().enumerate() {
        let (group, level) = (i / n_levels, i % n_levels);
        for lane in 0..LANES {
            let x = (group * LANES + lane) as f32 * 0.01;
            let at = [x, level as f32 * -0.02, x * x];
            for (axis, x) in at.into_iter().enumerate() {
                node.at[axis][lane] = x;
                node.before[axis][lane] = x;
                node.goal[axis][lane] = x;
            }
            node.local[1][lane] = if level == 0 { 0.0 } else { -0.02 };
            node.length[lane] = 0.02;
            node.sunk[lane] = 0.001;
            node.rotation[3][lane] = 1.0;
        }
    }
    nodes
}

#[test]
fn every_level_gives_the_same_bits_on_every_processor() {
    let settings = ChainConstants {
        size: 1.0,
        follow: 0.1,
        damping: 0.02,
        air: 0.01,
        thickness: 0.003,
        friction: 0.2,
        max_displacement: 0.1,
        shift: [0.001, 0.0, -0.001],
    };
    let mut levels = [LevelConstants {
        bend: 0.7,
        hold: 0.01,
        ..LevelConstants::default()
    }; 9];
    LevelConstants::eliminate(&mut levels);
    let still = [[0.0; 3]; 4];
    let step_data = ChainStep {
        world_from_rest: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]],
        rotation: [0.0, 0.0, 0.0, 1.0],
        change: still,
        fall: [0.002, -0.001, 0.001],
        wind: [0.01, 0.0, 0.02],
        colliders: (0, 3),
    };
    let moved = [[0.001, 0.0, 0.0], [0.0; 3]];
    let bounds = [[-1.0; 3], [1.0; 3]];
    let solid = |shape_kind| ChainCollider {
        shape_kind,
        moved,
        bounds,
    };
    let solids = [
        solid(ColliderKind::Round {
            a: [0.05, -0.1, 0.0],
            ab: [0.04, 0.0, 0.01],
            by: 1.0 / 0.0017,
            radius: 0.02,
        }),
        solid(ColliderKind::Plane {
            normal: [0.0, 1.0, 0.0],
            height: -0.15,
        }),
        solid(ColliderKind::Box {
            center: [0.12, -0.08, 0.01],
            axes: [[1.0, 0.0, 0.0], [0.0, 0.6, 0.8], [0.0, -0.8, 0.6]],
            half: [0.02, 0.03, 0.01],
        }),
    ];
    let around = KernelContext {
        settings: &settings,
        levels: &levels,
        moments: &[step_data; 20],
        colliders: &solids,
    };
    let pinned = PinnedHash {
        scalar: Some(0xf36f_4ced_8b52_2fd0),
        sse2: 0xf36f_4ced_8b52_2fd0,
        fused: 0xfaca_dfae_980e_a406,
    };
    pinned.check(|level| {
        let mut nodes = hanging(levels.len());
        let group = nodes.as_mut_slice();
        dispatch!(level, advance_plain, advance, (group, around));
        let rows = nodes
            .iter()
            .flat_map(|node| node.at.iter().chain(&node.rotation));
        rows.flatten().copied().collect()
    });
}
