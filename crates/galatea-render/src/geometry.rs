//! Vertices, influences, morph targets and triangles of one primitive in GPU memory.

use bytemuck::{Zeroable, cast_slice};
use glam::{Vec2, Vec3, Vec4};

use super::buffers::fixed;
use super::gpu::Gpu;
use super::layouts::{Layouts, bind};
use super::uniforms::{Attributes, DEFORMED_FLOATS, GpuMorph};
use galatea_asset::model::{Influences, MorphTarget, Primitive};

/// Level index of the first-person version, without the triangles that are hidden from the owner's own view.
pub const HEADLESS: u8 = u8::MAX;
const NONE: u32 = u32::MAX;
/// Vertices per block of morph offsets. The same number is in the shader.
const BLOCK: usize = 16;

/// An undeformed primitive. The deform pass deforms it for each instance.
pub struct Geometry {
    /// Index buffer and index count per level of detail, finest first. Coarser levels are uploaded when they are first
    /// drawn.
    levels: Vec<(wgpu::Buffer, u32)>,
    /// Triangles of the first-person view, if they differ from the finest level.
    headless: Option<(wgpu::Buffer, u32)>,
    pub attributes: wgpu::Buffer,
    /// Group 1 of `deform`.
    pub group: wgpu::BindGroup,
    pub n_vertices: u32,
    /// Influences per vertex: 0, 4 or 8.
    pub n_influences: u32,
    /// Vertices are on centre lines; `deltas` holds their sideways offsets.
    pub is_ribbon: bool,
    /// Location of each morph target's offsets. The plan fills in the weight.
    pub targets: Vec<GpuMorph>,
    /// Size of the offsets and their tables, bytes.
    pub morph_bytes: u64,
    /// Centre of the vertices in mesh space, and the joint that moves them most.
    pub middle: (Vec3, u16),
}

impl Geometry {
    /// Returns the indices of a level and their count. A missing level is replaced by the finest.
    pub fn level(&self, level: u8) -> (&wgpu::Buffer, u32) {
        let headless = self.headless.as_ref().filter(|_| level == HEADLESS);
        let found = headless.or_else(|| self.levels.get(usize::from(level)));
        let (indices, n) = found.unwrap_or(&self.levels[0]);
        (indices, *n)
    }

    /// Uploads the [`HEADLESS`] triangles, unless they are present.
    pub fn add_headless(&mut self, gpu: &Gpu, triangles: &[u32]) {
        let is_sound = triangles.iter().all(|i| *i < self.n_vertices);
        if self.headless.is_none() && is_sound {
            self.headless = Some(indices_of(gpu, triangles));
        }
    }

    /// Uploads coarser levels, unless they are present.
    pub fn add_levels(&mut self, gpu: &Gpu, coarser: &[Vec<u32>]) {
        let n_present = self.levels.len() - 1;
        for triangles in coarser.iter().skip(n_present) {
            let is_sound = |i: &u32| *i < self.n_vertices;
            let sound: &[u32] = if triangles.iter().all(is_sound) {
                triangles
            } else {
                &[]
            };
            self.levels.push(indices_of(gpu, sound));
        }
    }

    /// Uploads a primitive.
    ///
    /// # Errors
    /// A message if the primitive is inconsistent, or too large for one buffer of the graphics API.
    pub fn new(gpu: &Gpu, layouts: &Layouts, primitive: &Primitive) -> Result<Self, String> {
        let n = primitive.positions.len();
        if primitive.indices.iter().any(|&i| i as usize >= n) {
            return Err("a triangle refers to a vertex that does not exist".into());
        }
        let limit = gpu.device.limits().max_storage_buffer_binding_size;
        let check = |what: &str, bytes: u64| {
            if bytes > limit {
                Err(format!(
                    "{what} need {} MiB; the graphics device can bind at most {} MiB",
                    bytes >> 20,
                    limit >> 20
                ))
            } else {
                Ok(())
            }
        };
        check("its deformed vertices", n as u64 * DEFORMED_FLOATS * 4)?;
        check("its triangles", primitive.indices.len() as u64 * 4)?;

        let vertices = vertices_of(primitive);
        let n_influences = match primitive.influences.per_vertex {
            0 => 0,
            1..=4 => 4,
            _ => 8,
        };
        let influences = pack_influences(&primitive.influences, n, n_influences);
        check("its joints and weights", influences.len() as u64 * 4)?;
        let (mut deltas, mut table_of) = (Vec::new(), Vec::new());
        let targets = primitive
            .targets
            .iter()
            .map(|target| pack_target(target, n, &mut deltas, &mut table_of))
            .collect();
        let is_ribbon = !primitive.ribbon.is_empty();
        if is_ribbon {
            if primitive.ribbon.len() != n || !primitive.targets.is_empty() {
                return Err(
                    "ribbons need a width for every vertex and cannot have morph targets".into(),
                );
            }
            deltas.extend(primitive.ribbon.iter().map(|half| half.to_bits()));
        }
        check("its morph targets", deltas.len() as u64 * 4)?;

        let device = &gpu.device;
        let storage = |label, bytes| fixed(device, label, wgpu::BufferUsages::STORAGE, bytes);
        let morph_bytes = deltas.len() as u64 * 4;
        let vertices = storage("vertices", cast_slice(&vertices));
        let joints = storage("influences", cast_slice(&influences));
        let deltas = storage("morph targets", cast_slice(&deltas));
        let group = bind(
            device,
            "geometry",
            &layouts.deform_geometry,
            &[
                vertices.as_entire_binding(),
                joints.as_entire_binding(),
                deltas.as_entire_binding(),
            ],
        );
        let attributes = attributes_of(primitive);
        Ok(Self {
            levels: vec![indices_of(gpu, &primitive.indices)],
            headless: None,
            attributes: fixed(
                device,
                "attributes",
                wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE,
                cast_slice(&attributes),
            ),
            group,
            n_vertices: n as u32,
            n_influences,
            is_ribbon,
            targets,
            morph_bytes,
            middle: middle_of(primitive),
        })
    }
}

fn indices_of(gpu: &Gpu, triangles: &[u32]) -> (wgpu::Buffer, u32) {
    let usage = wgpu::BufferUsages::INDEX | wgpu::BufferUsages::STORAGE;
    let buffer = fixed(&gpu.device, "indices", usage, cast_slice(triangles));
    (buffer, triangles.len() as u32)
}

/// Packs each vertex into five words, in the layout of the shader.
fn vertices_of(primitive: &Primitive) -> Vec<u32> {
    let mut out = Vec::with_capacity(primitive.positions.len() * 5);
    for (i, position) in primitive.positions.iter().enumerate() {
        let normal = primitive.normals.get(i).copied().unwrap_or(Vec3::Y);
        let tangent = primitive.tangents.get(i).copied().unwrap_or(Vec4::X);
        out.extend(position.to_array().map(f32::to_bits));
        out.push(octahedral(normal));
        let is_negative = u32::from(tangent.w < 0.0);
        out.push(octahedral(tangent.truncate()) & !1 | is_negative);
    }
    out
}

/// Octahedral encoding of a direction as two snorm16 values. The error is below 0.004 degrees.
pub fn octahedral(v: Vec3) -> u32 {
    let size = v.x.abs() + v.y.abs() + v.z.abs();
    let v = if size > 0.0 && size.is_finite() {
        v / size
    } else {
        Vec3::Y
    };
    let folded = if v.z < 0.0 {
        (Vec2::ONE - Vec2::new(v.y, v.x).abs())
            * Vec2::new(1_f32.copysign(v.x), 1_f32.copysign(v.y))
    } else {
        Vec2::new(v.x, v.y)
    };
    let snorm = |x: f32| u32::from((x.clamp(-1.0, 1.0) * 32767.0).round() as i16 as u16);
    snorm(folded.x) | snorm(folded.y) << 16
}

fn attributes_of(primitive: &Primitive) -> Vec<Attributes> {
    let unorm = |x: f32| (x.clamp(0.0, 1.0) * 65535.0).round() as u16;
    let curvatures = curvatures_of(primitive);
    (0..primitive.positions.len())
        .map(|i| {
            let uv0 = primitive.uv0.get(i).copied().unwrap_or(Vec2::ZERO);
            let uv1 = primitive.uv1.get(i).copied().unwrap_or(uv0);
            let color = primitive.colors.get(i).copied().unwrap_or(Vec4::ONE);
            Attributes {
                uv: [uv0.x, uv0.y, uv1.x, uv1.y],
                color: color.to_array().map(unorm),
                curvature: curvatures[i],
            }
        })
        .collect()
}

/// Curvature at each vertex: the change of the normal per unit length, averaged over the edges of all vertices at the same
/// position and of their neighbours. Unit: 1 / mesh unit. Concave vertices count as flat.
fn curvatures_of(primitive: &Primitive) -> Vec<f32> {
    let points = points_of(&primitive.positions);
    let n_points = points.iter().max().map_or(0, |last| last + 1);
    let edges = || {
        primitive.indices.chunks_exact(3).flat_map(|corners| {
            [(0, 1), (1, 2), (2, 0)].map(|(a, b)| (corners[a] as usize, corners[b] as usize))
        })
    };
    let mut sums = vec![(0.0_f32, 0.0_f32); n_points];
    for (a, b) in edges() {
        let positions = (primitive.positions.get(a), primitive.positions.get(b));
        let normals = (primitive.normals.get(a), primitive.normals.get(b));
        let ((Some(from), Some(to)), (Some(n_from), Some(n_to))) = (positions, normals) else {
            continue;
        };
        let edge = *to - *from;
        let length2 = edge.length_squared();
        if length2 > 1e-12 {
            let bend = (*n_to - *n_from).dot(edge) / length2;
            let weight = length2.sqrt();
            for i in [a, b] {
                sums[points[i]].0 += bend * weight;
                sums[points[i]].1 += weight;
            }
        }
    }
    let own: Vec<f32> = sums
        .iter()
        .map(|(sum, weight)| (sum / weight.max(1e-12)).clamp(0.0, 1e6))
        .collect();
    // The second average over the neighbours hides the triangles in effects that look up the curvature.
    let mut smooth: Vec<(f32, f32)> = own.iter().map(|c| (*c, 1.0)).collect();
    for (a, b) in edges() {
        let (Some(&a), Some(&b)) = (points.get(a), points.get(b)) else {
            continue;
        };
        for (to, from) in [(a, b), (b, a)] {
            smooth[to].0 += own[from];
            smooth[to].1 += 1.0;
        }
    }
    points
        .iter()
        .map(|&point| smooth[point].0 / smooth[point].1)
        .collect()
}

/// Numbers the distinct positions; vertices at one position share a number.
fn points_of(positions: &[Vec3]) -> Vec<usize> {
    let mut known = std::collections::HashMap::with_capacity(positions.len());
    positions
        .iter()
        .map(|p| {
            let next = known.len();
            *known.entry(p.to_array().map(f32::to_bits)).or_insert(next)
        })
        .collect()
}

/// Packs `n_influences` influences per vertex, strongest first: `n_influences / 2` words of joint pairs, then as many of
/// weight pairs (unorm16, sum exactly 1). If a vertex has more influences, the largest are used. A joint without weight
/// repeats the strongest joint, because the shader reads its matrix and an unused matrix may hold garbage.
pub fn pack_influences(influences: &Influences, n_vertices: usize, n_influences: u32) -> Vec<u32> {
    let n_influences = n_influences as usize;
    let mut out = Vec::with_capacity(n_vertices * n_influences);
    if n_influences == 0 {
        return out;
    }
    let per_vertex = influences.per_vertex;
    let mut order: Vec<(u16, f32)> = Vec::with_capacity(per_vertex);
    for v in 0..n_vertices {
        let range = v * per_vertex..(v + 1) * per_vertex;
        order.clear();
        if let (Some(joints), Some(weights)) = (
            influences.joints.get(range.clone()),
            influences.weights.get(range),
        ) {
            order.extend(joints.iter().copied().zip(weights.iter().copied()));
        }
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        order.resize(n_influences, (0, 0.0));
        let strongest = order[0].0;
        for slot in &mut order {
            if slot.1 <= 0.0 || slot.1.is_nan() {
                *slot = (strongest, 0.0);
            }
        }
        let sum: f32 = order.iter().map(|(_, weight)| weight.max(0.0)).sum();
        let scale = if sum > 0.0 { 65535.0 / sum } else { 0.0 };
        let mut weights = [0_u32; 8];
        for (packed, (_, weight)) in weights.iter_mut().zip(&order) {
            *packed = (weight.max(0.0) * scale).round() as u32;
        }
        // The rounding error is added to the largest weight.
        let others: u32 = weights[1..].iter().sum();
        weights[0] = 65535_u32.saturating_sub(others);
        let pair = |low: u32, high: u32| low | high << 16;
        out.extend(
            order
                .chunks_exact(2)
                .map(|two| pair(two[0].0.into(), two[1].0.into())),
        );
        out.extend(
            weights[..n_influences]
                .chunks_exact(2)
                .map(|two| pair(two[0], two[1])),
        );
    }
    out
}

/// Appends the offsets of a morph target: only blocks of [`BLOCK`] vertices in which at least one vertex moves, and a table
/// of the blocks' locations. `table` is a scratch buffer.
fn pack_target(
    target: &MorphTarget,
    n_vertices: usize,
    deltas: &mut Vec<u32>,
    table: &mut Vec<u32>,
) -> GpuMorph {
    let arrays = [&target.positions, &target.normals, &target.tangents];
    let moves = |array: &[Vec3], v: usize| array.get(v).is_some_and(|d| *d != Vec3::ZERO);
    let used = arrays
        .iter()
        .rposition(|array| (0..n_vertices).any(|v| moves(array, v)));
    let Some(last) = used else {
        return GpuMorph::zeroed();
    };
    let n_arrays = last + 1;
    let arrays = &arrays[..n_arrays];
    table.clear();
    for block in 0..n_vertices.div_ceil(BLOCK) {
        let vertices = block * BLOCK..((block + 1) * BLOCK).min(n_vertices);
        if !vertices.clone().any(|v| arrays.iter().any(|a| moves(a, v))) {
            table.push(NONE);
            continue;
        }
        table.push(deltas.len() as u32);
        for v in vertices {
            for array in arrays {
                let offset = array.get(v).copied().unwrap_or_default();
                deltas.extend(offset.to_array().map(f32::to_bits));
            }
        }
    }
    let is_there = |start: &u32| *start != NONE;
    let first = table.iter().position(is_there).unwrap_or(0);
    let end = table.iter().rposition(is_there).map_or(first, |i| i + 1);
    let at = deltas.len() as u32;
    deltas.extend(&table[first..end]);
    GpuMorph {
        weight: 0.0,
        table: at,
        first_block: first as u32,
        n_blocks: (end - first) as u32 | (3 * n_arrays as u32) << 28,
    }
}

fn middle_of(primitive: &Primitive) -> (Vec3, u16) {
    let (low, high) = primitive.positions.iter().fold(
        (Vec3::splat(f32::INFINITY), Vec3::splat(f32::NEG_INFINITY)),
        |(low, high), p| (low.min(*p), high.max(*p)),
    );
    let mut moved_by = std::collections::BTreeMap::<u16, f32>::new();
    let influences = &primitive.influences;
    for (joint, weight) in influences.joints.iter().zip(&influences.weights) {
        *moved_by.entry(*joint).or_default() += weight;
    }
    let joint = moved_by
        .iter()
        .max_by(|a, b| a.1.total_cmp(b.1))
        .map_or(0, |(joint, _)| *joint);
    ((low + high) * 0.5, joint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curvature_is_one_over_the_radius_also_across_seams() {
        // A ring of 24 points on a circle of 2 units, with a seam between the last and the first.
        let at = |i: usize| {
            let angle = i as f32 / 24.0 * std::f32::consts::TAU;
            Vec3::new(angle.cos(), 0.0, angle.sin()) * 2.0
        };
        let points: Vec<Vec3> = (0..24).chain([0]).map(at).collect();
        let up: Vec<Vec3> = points.iter().map(|p| *p + Vec3::Y * 0.5).collect();
        let positions: Vec<Vec3> = points.iter().chain(&up).copied().collect();
        let flat = |p: &Vec3| (*p * Vec3::new(1.0, 0.0, 1.0)).normalize();
        let primitive = Primitive {
            normals: positions.iter().map(flat).collect(),
            indices: (0..24)
                .flat_map(|i| [i, i + 1, i + 25, i + 1, i + 26, i + 25])
                .collect(),
            positions,
            ..Primitive::default()
        };
        let curvatures = curvatures_of(&primitive);
        // Curved in one direction, straight in the other, so the curvature is between 0 and 1/2.
        let first = curvatures[0];
        assert!((0.15..0.5).contains(&first), "{first}");
        for c in &curvatures {
            assert!((c - first).abs() < 1e-3, "{curvatures:?}");
        }
    }

    #[test]
    fn the_largest_eight_influences_are_used_and_sum_to_one() {
        let influences = Influences {
            per_vertex: 12,
            joints: (0..12).collect(),
            weights: (0..12).map(|i| i as f32 / 66.0).collect(),
        };
        let packed = pack_influences(&influences, 1, 8);
        let halves = |words: &[u32]| -> Vec<u32> {
            words.iter().flat_map(|w| [w & 0xffff, w >> 16]).collect()
        };
        assert_eq!(halves(&packed[..4]), [11, 10, 9, 8, 7, 6, 5, 4]);
        assert_eq!(halves(&packed[4..]).iter().sum::<u32>(), 65535);
    }

    #[test]
    fn joints_without_weight_repeat_the_strongest() {
        let influences = Influences {
            per_vertex: 4,
            joints: vec![9, 3, 5, 7],
            weights: vec![0.0, 0.25, 0.75, 0.0],
        };
        let packed = pack_influences(&influences, 1, 4);
        assert_eq!(packed[..2], [5 | 3 << 16, 5 | 5 << 16]);
        assert_eq!(packed[3], 0);
    }

    #[test]
    fn a_morph_target_keeps_only_the_blocks_it_moves() {
        let n = 10 * BLOCK;
        let mut positions = vec![Vec3::ZERO; n];
        positions[2 * BLOCK + 3] = Vec3::X;
        positions[5 * BLOCK] = Vec3::Y;
        let target = MorphTarget {
            positions,
            normals: vec![Vec3::ZERO; n],
            tangents: Vec::new(),
        };
        let mut deltas = Vec::new();
        let morph = pack_target(&target, n, &mut deltas, &mut Vec::new());
        assert_eq!((morph.first_block, morph.n_blocks), (2, 4 | 3 << 28));
        let block = 3 * BLOCK as u32;
        assert_eq!(deltas[morph.table as usize..], [0, NONE, NONE, block]);
        assert_eq!(deltas[3 * 3], 1_f32.to_bits());
        assert_eq!(deltas.len(), 2 * 3 * BLOCK + 4);
        let still = pack_target(&MorphTarget::default(), n, &mut deltas, &mut Vec::new());
        assert_eq!(still.n_blocks, 0);
    }

    #[test]
    fn directions_are_packed_within_a_hundredth_of_a_degree() {
        for i in 0..2000 {
            let angle = i as f32 * 2.399_963;
            let z = 1.0 - (i as f32 + 0.5) / 1000.0;
            let flat = (1.0 - z * z).sqrt();
            let v = Vec3::new(angle.cos() * flat, angle.sin() * flat, z);
            let packed = octahedral(v) & !1;
            let part = |bits: u32| f32::from(bits as u16 as i16) / 32767.0;
            let e = Vec2::new(part(packed), part(packed >> 16));
            let z = 1.0 - e.x.abs() - e.y.abs();
            let fold = (-z).max(0.0);
            let side = |x: f32| if x >= 0.0 { x - fold } else { x + fold };
            let again = Vec3::new(side(e.x), side(e.y), z).normalize();
            assert!(again.distance(v).to_degrees() < 0.01, "{v} {again}");
        }
    }
}
