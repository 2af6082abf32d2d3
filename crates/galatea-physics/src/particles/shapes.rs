//! Shapes of particles and rods: boxes, tetrahedra, and a simple figure.

use glam::Vec3;

use super::{Particle, ParticleLinkKind, ParticleWorld};

const RIGID: ParticleLinkKind = ParticleLinkKind::Rod { compliance: 0.0 };

/// Adds a rigid tetrahedron with edges of `size` metres about a centre. `mass` is the total, kg. Returns the index of the
/// first of its four particles.
pub fn add_tetrahedron(world: &mut ParticleWorld, center: Vec3, size: f32, mass: f32) -> u32 {
    let half = size / 8.0_f32.sqrt();
    let corners = [
        Vec3::new(1.0, 1.0, 1.0),
        Vec3::new(1.0, -1.0, -1.0),
        Vec3::new(-1.0, 1.0, -1.0),
        Vec3::new(-1.0, -1.0, 1.0),
    ];
    add_rigid(world, corners.map(|c| center + c * half), mass)
}

/// Adds a rigid box, `size` metres along the axes. Returns the index of the first of its eight particles.
pub fn add_box(world: &mut ParticleWorld, center: Vec3, size: Vec3, mass: f32) -> u32 {
    let corner = |i: usize| {
        let side = |bit: usize| if i >> bit & 1 == 1 { 0.5 } else { -0.5 };
        center + size * Vec3::new(side(0), side(1), side(2))
    };
    add_rigid(world, std::array::from_fn::<_, 8, _>(corner), mass)
}

/// Adds particles that are all joined with each other: rigid in every orientation.
fn add_rigid<const N: usize>(world: &mut ParticleWorld, corners: [Vec3; N], mass: f32) -> u32 {
    let first = world.particles.len() as u32;
    for corner in corners {
        world.add(Particle::new(corner, mass / N as f32));
    }
    for a in 0..N as u32 {
        for b in a + 1..N as u32 {
            world.join(first + a, first + b, RIGID);
        }
    }
    first
}

/// Adds a figure: a simple ragdoll for crowds. Positions are joined along bones, given as the parent of each (`None` for the
/// first). Elastic rods from each position to that of its grandparent keep joints from folding. Returns the index of its
/// first particle.
pub fn add_figure(
    world: &mut ParticleWorld,
    positions: &[(Vec3, Option<usize>)],
    mass: f32,
) -> u32 {
    let first = world.particles.len() as u32;
    for (position, _) in positions {
        world.add(Particle {
            friction: 0.6,
            ..Particle::new(*position, mass / positions.len().max(1) as f32)
        });
    }
    let parent = |i: usize| {
        positions
            .get(i)
            .and_then(|position| position.1)
            .filter(|p| *p < i)
    };
    for i in 0..positions.len() {
        let Some(above) = parent(i) else { continue };
        world.join(first + above as u32, first + i as u32, RIGID);
        if let Some(top) = parent(above) {
            let soft = ParticleLinkKind::Rod { compliance: 2e-3 };
            world.join(first + top as u32, first + i as u32, soft);
        }
        // Siblings, such as both shoulders or hips, keep their distance.
        for j in (0..i).filter(|&j| parent(j) == Some(above)) {
            world.join(first + j as u32, first + i as u32, RIGID);
        }
    }
    first
}
