//! When feet stand on the ground: contacts, step marks and the natural speed of a clip.
//!
//! Callers: loaders and the `clip` command (marks), `machine` (speeds of blend spaces). Works from
//! heights and velocities of the soles, with hysteresis. A planted foot has the velocity of the ground:
//! none in a clip that travels, a steady one backwards in a clip that stays in place; which one it is
//! comes from the feet themselves.
//! Invariants: everything scales with the skeleton's size; nothing here is called by the tick.

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
use super::{Clip, Mark, MarkValue, Skeleton};

/// What the feet of a clip tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GaitAnalysis {
    /// By start, then by foot.
    pub contacts: Vec<Contact>,
    /// How planted feet move in model space, metres per second: zero in a clip that travels.
    pub planted_velocity: Vec3,
    /// How the ground passes under the character, metres per second, level. Its opposite is the natural
    /// velocity of the clip, whether the clip travels or stays in place.
    pub ground_velocity: Vec3,
    /// The clip's end goes on at its start.
    pub looping: bool,
}

impl GaitAnalysis {
    /// The clip's natural velocity over the ground, model space, metres per second.
    pub fn velocity(&self) -> Vec3 {
        -self.ground_velocity
    }

    /// The clip's natural speed, metres per second.
    pub fn speed(&self) -> f32 {
        self.ground_velocity.length()
    }

    /// True when the feet tell a speed: above 0.3 m/s for a skeleton as high as a human, `height` metres.
    pub fn moves(&self, height: f32) -> bool {
        self.speed() > LEAST_SPEED * height / HUMAN_HEIGHT
    }

    /// True of walks, runs and what else goes its way on `n_feet` feet, whose contacts are steps.
    pub fn steps(&self, n_feet: usize, height: f32) -> bool {
        self.moves(height) && (!self.in_place() || self.is_even(n_feet))
    }

    /// True when each of `n_feet` feet stands as often as the others and for about as long, as in walking
    /// and running; a blow or a throw that happens to end as it began does not.
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

    /// True when the feet carry the ground backwards while the character stays.
    pub fn in_place(&self) -> bool {
        self.planted_velocity.length() > 0.5 * self.speed() && self.speed() > 0.0
    }
}

/// Metres per second.
const LEAST_SPEED: f32 = 0.3;
/// Metres.
const HUMAN_HEIGHT: f32 = 1.7;

/// Finds when each of `feet` (the foot's bone and, if there is one, that of the toes) stands on the
/// ground, and how fast the ground passes. Bones that the skeleton does not have are never planted.
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

/// The bones of feet and of their toes.
pub fn feet_and_toes(feet: &[(u16, Option<u16>)]) -> impl Iterator<Item = u16> + '_ {
    feet.iter()
        .flat_map(|(foot, toe)| [Some(*foot), *toe])
        .flatten()
}

/// [`detect`] in poses of the clip at the options' rate that hold the feet and all bones of the first
/// pose.
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
    // Which frames count depends on the velocity and the other way round; it settles at once.
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

/// A mark `step` for every time a foot comes down, with the field `foot` from `names` (one per foot:
/// `left`, `right`), ascending. A foot that never leaves the ground makes no step, nor does one that
/// stands when a clip without loop begins.
pub fn step_marks(gait: &GaitAnalysis, duration: f32, names: &[String]) -> Vec<Mark> {
    let comes_down = |contact: &&Contact| {
        let whole = contact.end - contact.start >= duration * 0.999;
        !whole && (gait.looping || contact.start > 0.0)
    };
    let steps = gait.contacts.iter().filter(comes_down);
    let mut marks: Vec<Mark> = steps
        .filter(|contact| contact.start < duration)
        .map(|contact| Mark {
            length: 0.0,
            t: contact.start,
            event: "step".into(),
            fields: names
                .get(contact.foot)
                .map(|name| ("foot".to_owned(), MarkValue::Text(name.clone())))
                .into_iter()
                .collect(),
        })
        .collect();
    marks.sort_by(|a, b| a.t.total_cmp(&b.t));
    marks
}
