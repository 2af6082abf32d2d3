//! Outlines of another run of the same game, over the picture of this one.

use std::f32::consts::TAU;

use glam::Vec3;

use super::Stage;
use super::bone_lines::add_bone_lines;
use super::frame::OverlayLine;
use galatea_character::Character;

/// Distance below which two characters count as equal, metres.
const SAME: f32 = 0.01;
/// Linear colour of the outlines.
const COLOR: Vec3 = Vec3::new(0.15, 0.75, 1.0);
/// Lines of a circle.
const SEGMENTS: u32 = 24;

impl Stage {
    /// Adds outlines of the characters and props of this stage that differ from those of the same name in `shown` by more than
    /// 1 cm: their bones, or circles around a model without bones.
    pub fn add_outlines(&self, shown: &Self, lines: &mut Vec<OverlayLine>) {
        for (_, character) in self.characters.iter() {
            let named = shown.characters.iter();
            let other = named.map(|(_, other)| other);
            let mut same = other.filter(|other| other.shown_name() == character.shown_name());
            if same.next().is_some_and(|other| is_same(character, other)) {
                continue;
            }
            let skinned = |is_skinned: bool| is_skinned.then_some(COLOR);
            match character.definition.model.skeleton.len() {
                0 | 1 => add_circles(character, lines),
                _ => add_bone_lines(character, character.posed.world[0], skinned, lines),
            }
        }
    }
}

fn is_same(a: &Character, b: &Character) -> bool {
    let [in_a, in_b] = [a, b].map(|character| {
        let world = character.posed.world[0];
        let bones = character.posed.model_from_bone.iter();
        let origin = std::iter::once(world.translation);
        origin.chain(bones.map(move |bone| (world * *bone).translation))
    });
    in_a.zip(in_b).all(|(a, b)| a.distance(b) < SAME)
}

fn add_circles(character: &Character, lines: &mut Vec<OverlayLine>) {
    let world = character.posed.world[0];
    let (centre, radius) = character
        .definition
        .bounds
        .posed(&character.skin.palette[0]);
    let point = |i: u32, [x, y]: [Vec3; 2]| {
        let (sin, cos) = (i as f32 * TAU / SEGMENTS as f32).sin_cos();
        world.transform_point3(centre + radius * (x * cos + y * sin))
    };
    for axes in [[Vec3::X, Vec3::Y], [Vec3::Y, Vec3::Z], [Vec3::Z, Vec3::X]] {
        lines.extend((0..SEGMENTS).map(|i| OverlayLine {
            from: point(i, axes),
            to: point(i + 1, axes),
            color: COLOR,
        }));
    }
}
