//! Cuts a mesh along the zero line of a function, and mirrors one half of a mesh.

use std::collections::BTreeMap;

use glam::Vec3;

use super::surface::Shell;

/// Limit of the difference along an edge; a larger one is a discontinuity of the function and not cut.
const MAX_STEP: f32 = 0.3;

/// Cuts along the zero line of `f`. Vertices nearer to it than a fifth of an edge are moved onto it, to avoid slivers.
pub fn cut_along(shell: &mut Shell, f: impl Fn(Vec3) -> f32) {
    let mut values: Vec<f32> = shell.positions.iter().map(|p| f(*p)).collect();
    for t in &shell.triangles {
        for k in 0..3 {
            let (a, b) = (t[k] as usize, t[(k + 1) % 3] as usize);
            let (va, vb) = (values[a], values[b]);
            if va * vb < 0.0 && (va - vb).abs() < MAX_STEP {
                let u = va / (va - vb);
                let (near, far, u) = if u < 0.5 { (a, b, u) } else { (b, a, 1.0 - u) };
                if u < 0.2 {
                    shell.positions[near] = shell.positions[near].lerp(shell.positions[far], u);
                    values[near] = 0.0;
                }
            }
        }
    }
    let mut new_of: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    let mut triangles = Vec::with_capacity(shell.triangles.len());
    for t in &shell.triangles {
        let mut corners = Vec::with_capacity(6);
        let mut crossed = false;
        for k in 0..3 {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            corners.push(a);
            let (va, vb) = (values[a as usize], values[b as usize]);
            if va * vb < 0.0 && (va - vb).abs() < MAX_STEP {
                let m = *new_of.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    let p = shell.positions[a as usize]
                        .lerp(shell.positions[b as usize], va / (va - vb));
                    shell.positions.push(p);
                    values.push(0.0);
                    shell.positions.len() as u32 - 1
                });
                corners.push(m);
                crossed = true;
            }
        }
        if !crossed {
            triangles.push(*t);
            continue;
        }
        let sides = [true, false].map(|positive| {
            corners
                .iter()
                .copied()
                .filter(|i| values[*i as usize] * if positive { 1.0 } else { -1.0 } >= 0.0)
                .collect::<Vec<u32>>()
        });
        for side in sides {
            // At most four corners in order; the shorter diagonal divides them.
            match side[..] {
                [a, b, c] => triangles.push([a, b, c]),
                [a, b, c, d] => {
                    let p = |i: u32| shell.positions[i as usize];
                    if p(a).distance_squared(p(c)) < p(b).distance_squared(p(d)) {
                        triangles.extend([[a, b, c], [a, c, d]]);
                    } else {
                        triangles.extend([[a, b, d], [b, c, d]]);
                    }
                }
                _ => {}
            }
        }
    }
    shell.triangles = triangles;
}

/// Keeps the part at x ≥ 0 and adds its mirror image, so that both sides are identical.
pub fn mirror(shell: &mut Shell) {
    cut_along(shell, |p| p.x);
    let middle = |p: Vec3| p.x.abs() < 1e-5;
    let positive: Vec<[u32; 3]> = shell
        .triangles
        .iter()
        .copied()
        .filter(|t| {
            t.iter()
                .map(|i| shell.positions[*i as usize].x)
                .sum::<f32>()
                > 3e-5
        })
        .collect();
    let mut half = Shell::default();
    let mut names = BTreeMap::new();
    for t in &positive {
        half.triangles.push(t.map(|i| {
            *names.entry(i).or_insert_with(|| {
                let p = shell.positions[i as usize];
                let p = if middle(p) { p.with_x(0.0) } else { p };
                half.positions.push(p);
                half.positions.len() as u32 - 1
            })
        }));
    }
    let n = half.positions.len();
    let mut image = Vec::with_capacity(n);
    for i in 0..n {
        let p = half.positions[i];
        if p.x == 0.0 {
            image.push(i as u32);
        } else {
            image.push(half.positions.len() as u32);
            half.positions.push(p * Vec3::new(-1.0, 1.0, 1.0));
        }
    }
    let mirrored: Vec<[u32; 3]> = half
        .triangles
        .iter()
        .map(|t| [t[0], t[2], t[1]].map(|i| image[i as usize]))
        .collect();
    half.triangles.extend(mirrored);
    *shell = half;
}
