//! Debug view of bounding boxes of characters and primitives, and of the culling spheres.

use std::f32::consts::TAU;

use glam::Vec3;

use super::{color_of, label, linear, weights_of};
use crate::frame::{Frame, OverlayLine};
use galatea_character::Character;
use galatea_deform::{Deformed, Deformer, PaletteLayout};

/// Encoded colours of a character's box and sphere.
pub const WHOLE: [f32; 3] = [1.0, 0.96, 0.82];
pub const SPHERE: [f32; 3] = [0.45, 0.47, 0.5];

/// Lowest and highest corner.
type BoxCorners = (Vec3, Vec3);

const NOTHING: BoxCorners = (Vec3::INFINITY, Vec3::NEG_INFINITY);

/// Exact world boxes of the visible primitives of a frame's model: part, primitive and corners.
pub fn boxes(frame: &Frame, i: usize) -> Vec<(usize, usize, BoxCorners)> {
    let draw = &frame.models[i];
    let model = &draw.model;
    let layout = PaletteLayout::new(model);
    let (mut deformer, mut deformed) = (Deformer::default(), Deformed::default());
    let mut out = Vec::new();
    for (part_idx, part) in model.parts.iter().enumerate() {
        if !draw.shows(part_idx) {
            continue;
        }
        let start = (draw.palette_start + layout.part_start[part_idx]) as usize;
        let n = part.skin.map_or(1, |skin| model.skins[skin].joints.len());
        let palette = frame.palette.get(start..start + n).unwrap_or_default();
        let weights = weights_of(frame, draw, part_idx);
        for (p, primitive) in model.meshes[part.mesh].primitives.iter().enumerate() {
            deformer.deform(primitive, weights, palette, part.skinning, &mut deformed);
            let points = deformed.positions.iter();
            let world = points.map(|point| draw.world_from_model.transform_point3(*point));
            let found = world.fold(NOTHING, |(low, high), p| (low.min(p), high.max(p)));
            if found.0.x <= found.1.x {
                out.push((part_idx, p, found));
            }
        }
    }
    out
}

/// Adds the boxes of a character, which is the frame's model `i`.
pub fn add(character: &Character, i: usize, frame: &mut Frame) {
    let found = boxes(frame, i);
    let model = character.definition.model.clone();
    let mut whole = NOTHING;
    for (number, (part, primitive, (low, high))) in found.iter().enumerate() {
        whole = (whole.0.min(*low), whole.1.max(*high));
        let color = linear(color_of(number));
        add_box((*low, *high), color, &mut frame.lines);
        let mesh = &model.meshes[model.parts[*part].mesh];
        let of = &mesh.primitives[*primitive];
        let material = model.materials.get(of.material).map_or("", |m| &m.name);
        let name = match (&*mesh.name, material) {
            ("", material) => material.to_owned(),
            (mesh, "") => mesh.to_owned(),
            (mesh, material) => format!("{mesh} · {material}"),
        };
        let place = Vec3::new(high.x, high.y, high.z);
        let light = color.lerp(Vec3::ONE, 0.4);
        frame.ui.push(label(&name, place, light, number as u64 + 1));
    }
    if whole.0.x > whole.1.x {
        return;
    }
    add_box(whole, linear(WHOLE), &mut frame.lines);
    add_sphere(frame.models[i].bounds, linear(SPHERE), &mut frame.lines);
    let size = whole.1 - whole.0;
    let text = format!(
        "{}  {:.2} × {:.2} × {:.2} m",
        character.shown_name(),
        size.x,
        size.y,
        size.z
    );
    let top = Vec3::new((whole.0.x + whole.1.x) * 0.5, whole.1.y, whole.1.z);
    let name = label(&text, top, linear(WHOLE), 0);
    let first = frame.ui.len() - found.len();
    frame.ui.insert(first, name);
}

fn add_box((low, high): BoxCorners, color: Vec3, lines: &mut Vec<OverlayLine>) {
    let corner = |i: usize| {
        let pick = |bit: usize, low: f32, high: f32| if i >> bit & 1 == 0 { low } else { high };
        Vec3::new(
            pick(0, low.x, high.x),
            pick(1, low.y, high.y),
            pick(2, low.z, high.z),
        )
    };
    for from in 0..8 {
        for bit in (0..3).filter(|bit| from >> bit & 1 == 0) {
            lines.push(OverlayLine {
                from: corner(from),
                to: corner(from | 1 << bit),
                color,
            });
        }
    }
}

/// Adds a sphere as three circles.
pub(super) fn add_sphere((center, radius): (Vec3, f32), color: Vec3, lines: &mut Vec<OverlayLine>) {
    const SIDES: usize = 48;
    for (a, b) in [(Vec3::X, Vec3::Y), (Vec3::Y, Vec3::Z), (Vec3::Z, Vec3::X)] {
        let at = |i: usize| {
            let (sin, cos) = (TAU * i as f32 / SIDES as f32).sin_cos();
            center + (a * cos + b * sin) * radius
        };
        lines.extend((0..SIDES).map(|i| OverlayLine {
            from: at(i),
            to: at(i + 1),
            color,
        }));
    }
}
