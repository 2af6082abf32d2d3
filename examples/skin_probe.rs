use galatea::asset::model::Primitive;
use galatea::asset::skinning::Skinning;
use galatea::deform::{Deformed, Deformer};
use glam::*;
fn main() {
    for n in [1728usize, 5000, 20000, 100000] {
        let mut seed = 5u32;
        let mut next = move || {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let mut p = Primitive::default();
        p.influences.per_vertex = 4;
        for _ in 0..n {
            p.positions.push(Vec3::new(next(), next(), next()));
            p.normals
                .push(Vec3::new(next(), next(), next() + 1.5).normalize());
            let raw: [f32; 4] = std::array::from_fn(|_| next().abs() + 0.1);
            let s: f32 = raw.iter().sum();
            p.influences.weights.extend(raw.map(|w| w / s));
            for _ in 0..4 {
                p.influences.joints.push(((next() + 1.0) * 33.0) as u16);
            }
        }
        let palette: Vec<Affine3A> = (0..67)
            .map(|_| {
                Affine3A::from_rotation_translation(
                    Quat::from_euler(EulerRot::XYZ, next() * 0.7, next() * 0.7, next() * 0.7),
                    Vec3::new(next(), next(), next()),
                )
            })
            .collect();
        let mut d = Deformer::default();
        let mut out = Deformed::default();
        let mut best = f64::MAX;
        let rounds = 20_000_000 / n;
        for _ in 0..rounds.min(2000) {
            let t = std::time::Instant::now();
            d.deform(&p, &[], &palette, Skinning::Linear, &mut out);
            best = best.min(t.elapsed().as_secs_f64());
        }
        println!("{n}: {:.2} ns per vertex", best / n as f64 * 1e9);
    }
}
