//! Procedural models.

use std::sync::Arc;

use galatea::anim::{Bone, Skeleton};
use galatea::asset::Model;
use galatea::asset::model::{Material, Mesh, Part, Primitive, Skin};
use galatea::deform::build_palette;
use galatea::math::Trs;
use galatea::stage::frame::{DrawModel, Frame};
use glam::{Affine3A, Mat4, Vec2, Vec3, Vec4};

/// A capsule between two points.
pub fn capsule(a: Vec3, b: Vec3, radius: f32, segments: u32) -> Primitive {
    let axis = (b - a).try_normalize().unwrap_or(Vec3::Y);
    let side = axis.any_orthonormal_vector();
    let front = axis.cross(side);
    let mut p = Primitive::default();
    let rings = segments / 2 * 2 + 2;
    for ring in 0..rings {
        let half = rings / 2;
        let (center, step) = if ring < half {
            (a, ring)
        } else {
            (b, ring - 1)
        };
        let latitude = (step as f32 / (rings - 2) as f32 - 0.5) * std::f32::consts::PI;
        for i in 0..=segments {
            let u = i as f32 / segments as f32;
            let (sin, cos) = (u * std::f32::consts::TAU).sin_cos();
            let around = side * cos + front * sin;
            let normal = around * latitude.cos() + axis * latitude.sin();
            p.positions.push(center + normal * radius);
            p.normals.push(normal);
            p.tangents.push((front * cos - side * sin).extend(1.0));
            p.uv0.push(Vec2::new(u, ring as f32 / (rings - 1) as f32));
        }
    }
    for ring in 0..rings - 1 {
        for i in 0..segments {
            let at = ring * (segments + 1) + i;
            let up = at + segments + 1;
            p.indices.extend([at, at + 1, up, up, at + 1, up + 1]);
        }
    }
    p
}

/// A box with one colour per side.
pub fn cuboid(center: Vec3, half: Vec3) -> Primitive {
    let mut p = Primitive::default();
    for axis in 0..3 {
        for sign in [-1.0_f32, 1.0] {
            let mut normal = Vec3::ZERO;
            normal[axis] = sign;
            let u = Vec3::from_array(std::array::from_fn(|i| f32::from(i == (axis + 1) % 3)));
            let v = normal.cross(u);
            let first = p.positions.len() as u32;
            for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                p.positions.push(center + (normal + u * x + v * y) * half);
                p.normals.push(normal);
                p.tangents.push(u.extend(1.0));
                p.uv0.push(Vec2::new(x, -y) * 0.5 + 0.5);
            }
            p.indices.extend([0, 1, 2, 0, 2, 3].map(|i: u32| first + i));
        }
    }
    p
}

/// A plain material.
pub fn material(color: Vec3, roughness: f32, metallic: f32) -> Material {
    Material {
        base_color: color.extend(1.0),
        roughness,
        metallic,
        ..Material::default()
    }
}

/// A model of one rigid part on one bone.
pub fn rigid(uid: u64, primitives: Vec<Primitive>, materials: Vec<Material>) -> Model {
    let bone = Bone {
        name: "root".into(),
        parent: None,
        rest: Trs::IDENTITY,
        skinned: false,
    };
    Model {
        uid,
        name: format!("shape {uid}"),
        skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap()),
        meshes: vec![Mesh {
            name: "mesh".into(),
            primitives,
            morph_names: Vec::new(),
        }],
        parts: vec![Part {
            name: "part".into(),
            bone: 0,
            mesh: 0,
            skin: None,
            // The deformation pass is tested, even with software rendering.
            skinning_mode: galatea::asset::skinning::SkinningMode::IndexedPalette,
            ..Part::default()
        }],
        materials,
        ..Model::default()
    }
}

/// A tube along +Y of height 2, bent at 1 by two bones.
pub fn tube(uid: u64) -> Model {
    let mut p = Primitive::default();
    let (rings, segments) = (41_u32, 32_u32);
    for ring in 0..rings {
        let y = ring as f32 / (rings - 1) as f32 * 2.0;
        for i in 0..=segments {
            let u = i as f32 / segments as f32;
            let (sin, cos) = (u * std::f32::consts::TAU).sin_cos();
            p.positions.push(Vec3::new(cos * 0.25, y, -sin * 0.25));
            p.normals.push(Vec3::new(cos, 0.0, -sin));
            p.tangents.push(Vec4::new(-sin, 0.0, -cos, 1.0));
            p.uv0.push(Vec2::new(u, y * 0.5));
            let upper = ((y - 0.7) / 0.6).clamp(0.0, 1.0);
            p.influences.joints.extend([0, 1, 0, 0]);
            p.influences.weights.extend([1.0 - upper, upper, 0.0, 0.0]);
        }
    }
    p.influences.per_vertex = 4;
    for ring in 0..rings - 1 {
        for i in 0..segments {
            let at = ring * (segments + 1) + i;
            let up = at + segments + 1;
            p.indices.extend([at, at + 1, up, up, at + 1, up + 1]);
        }
    }
    let bone = |name: &str, parent, y| Bone {
        name: name.into(),
        parent,
        rest: Trs::from_translation(Vec3::Y * y),
        skinned: true,
    };
    let bones = vec![bone("lower", None, 0.0), bone("upper", Some(0), 1.0)];
    let skin = Skin {
        name: "tube".into(),
        joints: vec![0, 1],
        inverse_bind: vec![Mat4::IDENTITY, Mat4::from_translation(-Vec3::Y)],
    };
    let mut model = rigid(
        uid,
        vec![p],
        vec![Material {
            double_sided: true,
            ..material(Vec3::new(0.65, 0.22, 0.15), 0.45, 0.0)
        }],
    );
    model.name = "tube".into();
    model.skeleton = Arc::new(Skeleton::new(bones).unwrap());
    model.skins = vec![skin];
    model.parts[0].skin = Some(0);
    model
}

/// Adds a model to a frame, posed by `model_from_bone`.
pub fn add(
    frame: &mut Frame,
    model: &Arc<Model>,
    world_from_model: Affine3A,
    model_from_bone: &[Affine3A],
    weights: &[f32],
) {
    let palette_start = frame.palette.len() as u32;
    let morph_start = frame.morph_weights.len() as u32;
    build_palette(model, model_from_bone, &mut frame.palette);
    frame.morph_weights.extend(weights);
    let radius = model
        .primitives()
        .flat_map(|p| &p.positions)
        .map(|p| p.length())
        .fold(0.0, f32::max);
    frame.models.push(DrawModel {
        materials: (0, 0),
        wrinkle_start: 0,
        decals: (0, 0),
        variant: None,
        model: Arc::clone(model),
        instance: frame.models.len() as u64,
        world_from_model,
        palette_start,
        morph_start,
        headless: None,
        coarser: None,
        hidden_parts: Vec::new(),
        bounds: (Vec3::from(world_from_model.translation), radius),
        spheres: 0..0,
    });
}

/// A figure of capsules about 1.8 m tall, as a simple character.
pub fn figure(uid: u64) -> Model {
    let v = Vec3::new;
    let mut primitives = vec![
        capsule(v(0.0, 1.68, 0.02), v(0.0, 1.62, 0.02), 0.11, 48),
        capsule(v(0.0, 1.4, 0.0), v(0.0, 1.5, 0.0), 0.06, 24),
        capsule(v(0.0, 1.0, 0.0), v(0.0, 1.28, 0.0), 0.17, 48),
        capsule(v(-0.05, 0.92, 0.0), v(0.05, 0.92, 0.0), 0.15, 48),
    ];
    for x in [-1.0, 1.0] {
        primitives.extend([
            capsule(v(0.22 * x, 1.38, 0.0), v(0.42 * x, 1.12, 0.0), 0.055, 32),
            capsule(v(0.42 * x, 1.12, 0.0), v(0.46 * x, 0.88, 0.12), 0.045, 32),
            capsule(v(0.1 * x, 0.9, 0.0), v(0.13 * x, 0.48, 0.03), 0.085, 32),
            capsule(v(0.13 * x, 0.48, 0.03), v(0.14 * x, 0.1, -0.02), 0.06, 32),
            capsule(
                v(0.14 * x, 0.05, -0.04),
                v(0.16 * x, 0.045, 0.14),
                0.045,
                32,
            ),
        ]);
    }
    let of = |i: usize| match i {
        0 | 1 => 0,
        2 => 1,
        3 => 2,
        _ if (i - 4) % 5 < 2 => 0,
        _ if (i - 4) % 5 == 4 => 3,
        _ => 2,
    };
    for (i, primitive) in primitives.iter_mut().enumerate() {
        primitive.material = of(i);
    }
    let materials = vec![
        material(v(0.80, 0.52, 0.40), 0.55, 0.0),
        material(v(0.16, 0.34, 0.42), 0.8, 0.0),
        material(v(0.13, 0.13, 0.16), 0.75, 0.0),
        material(v(0.25, 0.12, 0.07), 0.35, 0.0),
    ];
    rigid(uid, primitives, materials)
}
