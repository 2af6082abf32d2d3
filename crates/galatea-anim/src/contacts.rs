//! Foot contact detection: contacts with the ground, step marks, and the natural speed of a clip.
//!
//! Used by loaders and the `clip` command (marks), and by `machine` (speeds in blend spaces). The detection uses
//! heights and velocities of the soles, with hysteresis. A planted foot has the velocity of the ground: zero in a
//! clip that travels, a constant velocity backwards in a clip that stays in place. Which case applies is measured
//! from the feet themselves. Invariants: all results scale with the size of the skeleton. Nothing here is called by
//! the tick.

mod contact;
mod feet;
mod sole;
#[cfg(test)]
mod tests;

pub use contact::{Contact, ContactOptions};
pub use feet::{FootBones, find_feet, side_names};

use glam::Vec3;

use self::sole::Soles;
use super::tools::SampledPoses;
use super::{Clip, Marker, MarkerValue, Skeleton};

/// Result of the contact detection for one clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GaitAnalysis {
    /// Sorted by start time, then by foot.
    pub contacts: Vec<Contact>,
    /// Velocity of planted feet in model space, metres per second; zero in a clip that travels.
    pub planted_velocity: Vec3,
    /// Horizontal velocity of the ground relative to the character, metres per second. Its opposite is the natural
    /// velocity of the clip, whether the clip travels or stays in place.
    pub ground_velocity: Vec3,
    /// The clip loops without a jump.
    pub looping: bool,
}

impl GaitAnalysis {
    /// Natural velocity of the clip over the ground, model space, metres per second.
    pub fn velocity(&self) -> Vec3 {
        -self.ground_velocity
    }

    /// Natural speed of the clip, metres per second.
    pub fn speed(&self) -> f32 {
        self.ground_velocity.length()
    }

    /// Returns true if the feet show a speed: above 0.3 m/s for a skeleton of human height; `height` in metres.
    pub fn moves(&self, height: f32) -> bool {
        self.speed() > MIN_SPEED * height / HUMAN_HEIGHT
    }

    /// Returns true for walks, runs and other locomotion on `n_feet` feet; their contacts are then steps.
    pub fn steps(&self, n_feet: usize, height: f32) -> bool {
        self.moves(height) && (!self.in_place() || self.is_even(n_feet))
    }

    /// Returns true if each of `n_feet` feet is planted as often as the others and for about as long, as in walking
    /// and running. A punch or throw that happens to end in its start pose does not qualify.
    pub fn is_even(&self, n_feet: usize) -> bool {
        let of = |foot: usize| {
            let own = self.contacts.iter().filter(move |c| c.foot == foot);
            own.fold((0, 0.0_f32), |(n, seconds), c| {
                (n + 1, seconds + c.end - c.start)
            })
        };
        let (n, first) = of(0);
        let (mut least, mut most) = (first, first);
        for foot in 1..n_feet {
            let (other, seconds) = of(foot);
            if other != n {
                return false;
            }
            (least, most) = (least.min(seconds), most.max(seconds));
        }
        n > 0 && most <= 2.5 * least
    }

    /// Returns true if the planted feet move backwards while the character stays in place.
    pub fn in_place(&self) -> bool {
        self.planted_velocity.length() > 0.5 * self.speed() && self.speed() > 0.0
    }
}

/// Minimum speed of locomotion for a human, metres per second.
const MIN_SPEED: f32 = 0.3;
/// Reference height, metres.
const HUMAN_HEIGHT: f32 = 1.7;

/// Detects when each foot is planted, and the speed of the ground. `feet` lists each foot's bone and, if there is
/// one, its toe bone. Bones that the skeleton does not have are never planted.
pub fn detect(
    skeleton: &Skeleton,
    clip: &Clip,
    feet: &[(u16, Option<u16>)],
    options: &ContactOptions,
) -> GaitAnalysis {
    let bones: Vec<u16> = feet_and_toes(feet).collect();
    let frames = SampledPoses::of_bones(skeleton, clip, options.rate, &bones);
    detect_in(skeleton, &frames, feet, options)
}

/// Returns the bones of feet and toes.
pub fn feet_and_toes(feet: &[(u16, Option<u16>)]) -> impl Iterator<Item = u16> + '_ {
    feet.iter()
        .flat_map(|(foot, toe)| [Some(*foot), *toe])
        .flatten()
}

/// Runs [`detect`] on poses that were sampled at the rate of the options. They must hold the feet and, in the first
/// pose, all bones.
pub fn detect_in(
    skeleton: &Skeleton,
    frames: &SampledPoses,
    feet: &[(u16, Option<u16>)],
    options: &ContactOptions,
) -> GaitAnalysis {
    let Some(soles) = Soles::new(skeleton, frames, feet, options.looping) else {
        return GaitAnalysis::default();
    };
    let mut planted_velocity = soles.usual_velocity();
    let mut planted = Vec::new();
    // The contact frames depend on the velocity and vice versa; three iterations are enough to converge.
    for _ in 0..3 {
        planted = (0..feet.len())
            .map(|foot| soles.planted(foot, planted_velocity, options))
            .collect();
        planted_velocity = soles.planted_velocity(&planted, planted_velocity);
    }
    let mut contacts: Vec<Contact> = planted
        .iter()
        .enumerate()
        .flat_map(|(foot, planted)| soles.contacts(foot, planted))
        .collect();
    contacts.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.foot.cmp(&b.foot)));
    let ground_velocity = if contacts.is_empty() {
        Vec3::ZERO
    } else {
        planted_velocity - soles.travel_velocity()
    };
    GaitAnalysis {
        contacts,
        planted_velocity,
        ground_velocity,
        looping: soles.looping,
    }
}

/// Creates a `step` mark for each foot contact, in ascending order. The field `foot` comes from `names`, one per
/// foot: `left`, `right`. A foot that never leaves the ground makes no step. Neither does a foot that is already
/// planted at the start of a clip without loop.
pub fn step_markers(gait: &GaitAnalysis, duration: f32, names: &[String]) -> Vec<Marker> {
    let comes_down = |contact: &&Contact| {
        let whole = contact.end - contact.start >= duration * 0.999;
        !whole && (gait.looping || contact.start > 0.0)
    };
    let steps = gait.contacts.iter().filter(comes_down);
    let mut marks: Vec<Marker> = steps
        .filter(|contact| contact.start < duration)
        .map(|contact| Marker {
            duration: 0.0,
            time: contact.start,
            event: "step".into(),
            fields: names
                .get(contact.foot)
                .map(|name| ("foot".to_owned(), MarkerValue::Text(name.clone())))
                .into_iter()
                .collect(),
        })
        .collect();
    marks.sort_by(|a, b| a.time.total_cmp(&b.time));
    marks
}
