//! The sole of a foot, measured on its mesh.

use glam::{Quat, Vec3};

/// Pitches tried, degrees to each side of the rest pose, and the step between them.
const MAX_PITCH: i32 = 50;
const PITCH_STEP: i32 = 2;
/// Vertices within this fraction of the body height above the lowest one touch the ground.
const CONTACT: f32 = 0.006;
/// A foot within this angle of flat at rest counts as flat, degrees.
const MIN_PITCH: f32 = 5.0;
/// Pitches with a contact of at least this fraction of the longest one count as flat too.
const MIN_CONTACT_RATIO: f32 = 0.9;

/// The part of a foot that touches flat ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sole {
    /// Bone of the ankle.
    pub foot: u16,
    /// Rotation about the ankle, in model space, that lays the foot flat.
    pub flat: Quat,
    /// Height of the ankle over the ground, metres.
    pub drop: f32,
    /// Position of the rear end of the sole, metres from the ankle towards the toes; usually negative.
    pub back: f32,
    /// Position of the front end of the sole, metres from the ankle towards the toes.
    pub front: f32,
    /// Horizontal direction from heel to toes, model space, unit length.
    pub ahead: Vec3,
}

impl Sole {
    /// Measures a foot from its vertices, in metres from the ankle, model space, at rest. The body is `height` metres tall
    /// and faces `ahead`. Returns `None` with fewer than three vertices or when the foot has no length.
    pub fn measure(foot: u16, vertices: &[Vec3], ahead: Vec3, height: f32) -> Option<Self> {
        let ahead = ahead.with_y(0.0).try_normalize()?;
        if vertices.len() < 3 || height <= 0.0 {
            return None;
        }
        let left = Vec3::Y.cross(ahead);
        let at = |degrees: i32| {
            let pitch_rotation = Quat::from_axis_angle(left, (degrees as f32).to_radians());
            contact(vertices, pitch_rotation, ahead, CONTACT * height)
        };
        let pitches = (-MAX_PITCH..=MAX_PITCH).step_by(PITCH_STEP as usize);
        let tried: Vec<(i32, SoleContact)> = pitches.map(|pitch| (pitch, at(pitch))).collect();
        let longest = tried.iter().map(|(_, c)| c.length()).fold(0.0, f32::max);
        let is_flat = |contact: &SoleContact| contact.length() >= MIN_CONTACT_RATIO * longest;
        let flat: Vec<usize> = (0..tried.len()).filter(|i| is_flat(&tried[*i].1)).collect();
        // The middle of the run of flat pitches that contains the one nearest to the rest pose.
        let nearest = *flat.iter().min_by_key(|i| tried[**i].0.abs())?;
        let last = (nearest..tried.len())
            .take_while(|i| flat.contains(i))
            .last()?;
        let first = (0..=nearest)
            .rev()
            .take_while(|i| flat.contains(i))
            .last()?;
        let middle = (tried[first].0 + tried[last].0) / 2;
        let pitch = if (middle.abs() as f32) < MIN_PITCH {
            0
        } else {
            middle
        };
        let found = at(pitch);
        (longest > CONTACT * height).then(|| Self {
            foot,
            flat: Quat::from_axis_angle(left, (pitch as f32).to_radians()),
            drop: -found.lowest,
            back: found.back,
            front: found.front,
            ahead,
        })
    }
}

/// Extent of the vertices that touch the ground.
#[derive(Clone, Copy, Debug)]
struct SoleContact {
    lowest: f32,
    back: f32,
    front: f32,
}

impl SoleContact {
    fn length(&self) -> f32 {
        self.front - self.back
    }
}

fn contact(vertices: &[Vec3], rotation: Quat, ahead: Vec3, thick: f32) -> SoleContact {
    let placed = vertices.iter().map(|vertex| rotation * *vertex);
    let lowest = placed
        .clone()
        .map(|position| position.y)
        .fold(f32::MAX, f32::min);
    let touching = placed.filter(|position| position.y <= lowest + thick);
    let along = touching.map(|position| position.dot(ahead));
    let (back, front) = along.fold((f32::MAX, f32::MIN), |(back, front), at| {
        (back.min(at), front.max(at))
    });
    SoleContact {
        lowest,
        back,
        front,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shoe from 8 cm behind the ankle to 18 cm in front of it, with the sole 9 cm below.
    fn shoe(rotation: Quat) -> Vec<Vec3> {
        let mut vertices = Vec::new();
        for i in 0..=13 {
            let z = -0.08 + 0.02 * i as f32;
            for x in [-0.04, 0.0, 0.04] {
                vertices.push(rotation * Vec3::new(x, -0.09, z));
                vertices.push(rotation * Vec3::new(x, -0.02, z * 0.8));
            }
        }
        vertices
    }

    #[test]
    fn a_flat_shoe_is_measured_without_rotation() {
        let sole = Sole::measure(3, &shoe(Quat::IDENTITY), Vec3::Z, 1.7).unwrap();
        assert_eq!(sole.flat, Quat::IDENTITY);
        assert!((sole.drop - 0.09).abs() < 1e-4, "{sole:?}");
        assert!(
            (sole.back + 0.08).abs() < 1e-4 && (sole.front - 0.18).abs() < 1e-4,
            "{sole:?}"
        );
    }

    #[test]
    fn a_foot_that_is_pitched_at_rest_is_laid_flat() {
        for degrees in [-40.0_f32, -20.0, 12.0, 30.0] {
            let pitch_rotation = Quat::from_rotation_x(degrees.to_radians());
            let sole = Sole::measure(3, &shoe(pitch_rotation), Vec3::Z, 1.7).unwrap();
            let off = (sole.flat * pitch_rotation)
                .angle_between(Quat::IDENTITY)
                .to_degrees();
            assert!(off < 2.5, "{degrees}: {off}");
            assert!((sole.drop - 0.09).abs() < 0.006, "{degrees}: {sole:?}");
            assert!((sole.front - 0.18).abs() < 0.01, "{degrees}: {sole:?}");
        }
    }

    #[test]
    fn a_stump_has_no_sole() {
        let stump = [Vec3::ZERO, Vec3::NEG_Y * 0.1, Vec3::NEG_Y * 0.2];
        assert_eq!(Sole::measure(3, &stump, Vec3::Z, 1.7), None);
    }
}
