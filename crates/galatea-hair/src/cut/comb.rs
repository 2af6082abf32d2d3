//! Grows and combs strands over a head.

use glam::Vec3;

use super::super::groom::{MAX_POINTS, evenly};
use super::super::grow::{GuideArea, patches_between};
use super::super::spline::Spline;
use super::super::spread::spread;
use super::cuts::HairCut;
use super::scalp::{HairArea, Root, Scalp, ScalpError};
use super::skin::SkinRole;
use galatea_math::random::RandomSource;

/// Random candidate positions per guide.
const CANDIDATES: usize = 12;
/// Maximum step along a strand, metres.
const MAX_STEP: f32 = 0.012;
/// Depth of the root inside the skin, metres.
const ROOT_DEPTH: f32 = 0.001;
/// Width of the zone at the border of an area in which the skin shows through, metres.
const BORDER: f32 = 0.014;
/// Maximum length of a beard over the mouth, metres.
const MAX_OVER_LIP: f32 = 0.016;
/// Half width of the face area that hair above the shoulders avoids, and its start in front of the centre, as fractions of
/// the skull. With a wider area, a bob would stand off the head at both sides; with an earlier start, hair would fall next
/// to the face.
const FACE_WIDTH: f32 = 0.92;
const FACE_BEGIN: f32 = 0.3;
/// Angle from the front within which longer hair avoids the face and falls past the shoulders, degrees.
const FRONT: f32 = 58.0;
/// Angle from the front within which hair falls in front of the shoulders, degrees.
const BEFORE: f32 = 35.0;
/// Factor on the lift on top of the head. It is low, so that a parting does not look like a notch.
const TOP_LIFT: f32 = 0.4;
/// Half width of a parting, as a fraction of the skull, and the visibility of the skin in it.
const PARTING_WIDTH: f32 = 0.09;
const PARTING_SKIN: f32 = 0.55;
/// Distance beyond the border to which a closed skull is covered, metres.
const CLOSED: f32 = 0.012;
/// Height of the cap above the skin, metres.
const CAP_HEIGHT: f32 = 0.0007;

/// Skin below hair, in the colour of the hair's roots. It hides the bald head where strands part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cap {
    /// Positions, metres.
    pub positions: Vec<Vec3>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
    /// Opacity of each vertex, 0..=1.
    pub covers: Vec<f32>,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
}

/// Result of growing hair, in the space of its scalp.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grown {
    /// Guides from root to tip, with equal numbers of points.
    pub guides: Vec<Vec<Vec3>>,
    /// The cap below them.
    pub cap: Cap,
}

impl Scalp {
    /// Grows the guides of a haircut.
    ///
    /// # Errors
    /// If there is no room for any.
    pub fn grow(&self, cut: &HairCut, seed: u64) -> Result<Grown, ScalpError> {
        let n = cut.guides.max(3);
        let candidates = self.roots(cut.area, n * CANDIDATES, seed)?;
        let chosen = spread(
            n.min(candidates.len()),
            seed ^ 0x6a09_e667,
            |chance: &mut RandomSource| {
                let i = (chance.bits() % candidates.len() as u64) as usize;
                (candidates[i].at, i)
            },
        );
        let mut chosen: Vec<usize> = chosen.into_iter().map(|(_, i)| i).collect();
        let mut seen = vec![false; candidates.len()];
        chosen.retain(|i| !std::mem::replace(&mut seen[*i], true));
        let mut chance = RandomSource::new(seed ^ 0x3c6e_f372);
        let points = cut.points.clamp(2, MAX_POINTS);
        let guides = chosen.into_iter().map(|i| {
            let uneven = 1.0 + cut.uneven * (chance.unit() * 2.0 - 1.0);
            self.comb(&candidates[i], cut, uneven, points)
        });
        Ok(Grown {
            guides: guides.collect(),
            cap: self.cap(cut),
        })
    }

    /// Patches between guides that have skin of the area below them; none crosses an ear or a mouth.
    pub fn patches_within(&self, area: HairArea, guides: &[Vec<Vec3>]) -> Vec<GuideArea> {
        let root = |guide: u16| guides.get(usize::from(guide))?.first().copied();
        let is_within = |at: Vec3| {
            let near = self.nearest_root(at);
            near.is_some_and(|near| self.inside(area, near.at, near.normal) > -0.001)
        };
        let mut patches = patches_between(guides, false);
        patches.retain(|patch| {
            let guides = patch.guides();
            let roots: Option<Vec<Vec3>> = guides.iter().map(|guide| root(*guide)).collect();
            roots.is_some_and(|roots| {
                let middle = roots.iter().sum::<Vec3>() / roots.len() as f32;
                let sides = roots.iter().zip(roots.iter().skip(1).chain(&roots[..1]));
                is_within(middle) && sides.map(|(a, b)| (*a + *b) * 0.5).all(is_within)
            })
        });
        patches
    }

    /// 0 at the sides and at the nape, 1 on top.
    fn on_top(&self, root: &Root) -> f32 {
        smooth(0.15, 0.8, self.height(root.at))
    }

    fn is_fringe(&self, root: &Root, cut: &HairCut) -> bool {
        cut.fringe > 0.0
            && self.around(root.at) < 36.0
            && root.at.z > self.middle.z + 0.45 * self.radii.z
    }

    /// Returns true in the moustache part of a beard.
    fn is_over_lip(&self, root: &Root) -> bool {
        self.down(root.at) < 0.62 && (root.at.x - self.eye().x).abs() < 0.3 * self.face()
    }

    fn length(&self, root: &Root, cut: &HairCut) -> f32 {
        let side = match cut.area {
            HairArea::Scalp if self.is_fringe(root, cut) => return cut.fringe,
            HairArea::Scalp => {
                let off = ((root.at.x - self.middle.x) / self.radii.x).abs();
                let band = cut
                    .band
                    .map_or(1.0, |band| 1.0 - smooth(0.8 * band, 1.2 * band, off));
                self.on_top(root).max(f32::from(cut.band.is_some())) * band
            }
            HairArea::Beard if self.is_over_lip(root) => {
                return cut.sides.min(MAX_OVER_LIP);
            }
            // Longest on the chin.
            HairArea::Beard => 1.0 - smooth(15.0, 70.0, self.around(root.at)),
            // Longest at its ends.
            HairArea::Moustache => {
                1.0 - smooth(0.0, 0.25, (root.at.x - self.eye().x).abs() / self.face())
            }
            HairArea::Brows => 1.0 - smooth(0.0, 0.03, (root.at.x - self.eye().x).abs() - 0.012),
        };
        cut.sides + (cut.length - cut.sides) * side
    }

    /// Unit direction in which a strand is combed at its root, along the skin.
    fn comb_direction(&self, root: &Root, cut: &HairCut) -> Vec3 {
        let (p, radii) = (root.at - self.middle, self.radii);
        let outer = if p.x < 0.0 { -1.0 } else { 1.0 };
        let target = match cut.area {
            HairArea::Scalp => {
                // Hair grows away from the crown.
                let crown = Vec3::new(0.0, 0.92 * radii.y, -0.35 * radii.z);
                let from_crown = p - crown;
                let away = from_crown - root.normal * from_crown.dot(root.normal);
                let mut combed = Vec3::new(0.0, 0.0, -cut.comb_back);
                if let Some(parting) = cut.parting {
                    let off = p.x / radii.x - parting;
                    combed.x += if off < 0.0 { -0.9 } else { 0.9 };
                    // Away from the face.
                    combed.z -= 0.5 * smooth(0.5, 0.9, p.z / radii.z);
                }
                let blend =
                    smooth(-0.5, 0.1, p.z / radii.z) * smooth(-0.2, 0.45, self.height(root.at));
                if self.is_fringe(root, cut) {
                    Vec3::new(p.x / radii.x * 0.3, -0.2, 1.0)
                } else {
                    away.normalize_or(Vec3::NEG_Z)
                        .lerp(combed.normalize_or(Vec3::NEG_Z), blend)
                }
            }
            HairArea::Beard if !self.is_over_lip(root) => {
                Vec3::new(0.25 * p.x / radii.x, -1.0, 0.15)
            }
            HairArea::Moustache | HairArea::Beard => {
                Vec3::new(outer * (0.4 + 3.0 * p.x.abs() / radii.x), -0.7, 0.0)
            }
            HairArea::Brows => {
                let along = ((root.at.x - self.eye().x).abs() / self.size() - 0.014) / 0.04;
                Vec3::new(outer, 1.3 - 1.6 * along.clamp(0.0, 1.0), 0.0)
            }
        };
        let along = target - root.normal * target.dot(root.normal);
        along.normalize_or(root.normal.any_orthonormal_vector())
    }

    /// Combs a strand from a root.
    fn comb(&self, root: &Root, cut: &HairCut, uneven: f32, points: usize) -> Vec<Vec3> {
        let length = self.length(root, cut) * uneven;
        let along = self.comb_direction(root, cut);
        let n = ((length / MAX_STEP).ceil() as usize).max(points - 1).max(2);
        let step = length / n as f32;
        let (of_scalp, is_fringe) = (cut.area == HairArea::Scalp, self.is_fringe(root, cut));
        let lowest = cut
            .end_height
            .map_or(f32::MIN, |ends| self.eye().y - ends * self.face());
        let is_short = lowest >= self.chin;
        let mut direction =
            (along * (1.0 - cut.rise) + root.normal * cut.rise).normalize_or(root.normal);
        let mut at = root.at - root.normal * ROOT_DEPTH;
        let mut line = vec![at];
        for i in 1..=n {
            let fraction = i as f32 / n as f32;
            // The strand turns down at the rate of `droop`, and no further than straight down.
            let bend = cut.droop * step * if at.y < self.chin { 2.0 } else { 1.0 };
            direction = (direction + Vec3::NEG_Y * bend).normalize_or(direction);
            if cut.tips != 0.0 {
                let inward = (self.middle - at) * Vec3::new(1.0, 0.0, 1.0);
                let curl = inward.normalize_or_zero() * cut.tips * smooth(0.6, 1.0, fraction);
                direction = (direction + curl * (step / 0.03)).normalize_or(direction);
            }
            let is_low = at.y < self.eye().y;
            if of_scalp && !is_fringe && self.is_on_face(at, is_short) {
                let aside = if at.x < self.middle.x { -1.0 } else { 1.0 };
                let away = if is_short { [0.3, -0.35] } else { [0.4, -0.25] };
                direction =
                    (direction + Vec3::new(away[0] * aside, 0.0, away[1])).normalize_or(direction);
            }
            // Hair that ends above the shoulders hangs straight down.
            if of_scalp && is_low && !is_short {
                direction = self.past_shoulder(root, at, direction, cut.lift);
            }
            let lift = if of_scalp && cut.band.is_none() {
                cut.lift * (1.0 - (1.0 - TOP_LIFT) * smooth(0.55, 0.95, self.height(at)))
            } else {
                cut.lift
            };
            let keep = 0.0015 + lift * smooth(0.0, 0.35, fraction * length / 0.12);
            let mut goal = at + direction * step;
            // Two passes, because pushing a point out of one surface may push it into another.
            for _ in 0..2 {
                if let Some((away, outward)) = self.outside(goal)
                    && away < keep
                {
                    goal += outward * (keep - away).min(step);
                    goal = at + (goal - at).normalize_or(direction) * step;
                }
            }
            if goal.y < lowest && direction.y < 0.0 && line.len() > 2 {
                break;
            }
            direction = (goal - at).normalize_or(direction);
            at = goal;
            line.push(at);
        }
        evenly(&line, points, Spline::CatmullRom)
    }

    /// Visibility of the skin because of a parting.
    fn in_parting(&self, at: Vec3, cut: &HairCut) -> f32 {
        let p = (at - self.middle) / self.radii;
        let off = cut.parting.map_or(1.0, |parting| (p.x - parting).abs());
        PARTING_SKIN
            * (1.0 - smooth(0.0, PARTING_WIDTH, off))
            * smooth(-0.05, 0.35, p.z)
            * smooth(0.2, 0.5, p.y)
    }

    /// Below the ears, hair from the front falls in front of the shoulders, all other hair behind them.
    fn past_shoulder(&self, root: &Root, at: Vec3, direction: Vec3, lift: f32) -> Vec3 {
        let ahead = if self.around(root.at) < BEFORE {
            1.0
        } else {
            -1.0
        };
        let off = (at.z - self.middle.z) / self.radii.z * ahead;
        let steer = if self.is_on_shoulder(at, lift) {
            0.5
        } else {
            0.3 * (1.0 - smooth(0.3, 0.8, off))
        };
        (direction + Vec3::new(0.0, -0.1, steer * ahead)).normalize_or(direction)
    }

    /// Returns true if hair at a point would hang into the face; `is_short` hair ends above the shoulders.
    fn is_on_face(&self, at: Vec3, is_short: bool) -> bool {
        let p = (at - self.middle) / self.radii;
        let is_ahead = if is_short {
            p.x.abs() < FACE_WIDTH && p.z > FACE_BEGIN
        } else {
            self.around(at) < FRONT
        };
        is_ahead && self.height(at) < 0.6 && at.y > self.chin
    }

    /// Returns true if the point is on a surface that faces up.
    fn is_on_shoulder(&self, at: Vec3, lift: f32) -> bool {
        let outside = self.outside(at);
        at.y < self.chin
            && outside.is_some_and(|(away, outward)| away < lift + 0.012 && outward.y > 0.7)
    }

    /// Creates the cap: the skin of the area, with its opacity.
    fn cap(&self, cut: &HairCut) -> Cap {
        let skin = self.skin();
        let covers = 1.0 - cut.bare.clamp(0.0, 1.0);
        if covers <= 0.0 {
            return Cap::default();
        }
        let mut cap = Cap::default();
        let mut known = vec![u32::MAX; skin.positions.len()];
        let inside = |i: u32| {
            let (at, normal) = (skin.positions[i as usize], skin.normals[i as usize]);
            self.inside(cut.area, at, normal)
        };
        for i in skin.with_role(SkinRole::Skin) {
            let triangle = &skin.triangles[i];
            let is_there = |corner: &u32| {
                let least = if self.is_own(*corner) { 0.0 } else { -CLOSED };
                inside(*corner) >= least
            };
            if cut.area != HairArea::Scalp && !self.is_own(triangle[0])
                || !triangle.iter().any(is_there)
            {
                continue;
            }
            cap.triangles.push(triangle.map(|corner| {
                let known = &mut known[corner as usize];
                if *known == u32::MAX {
                    *known = cap.positions.len() as u32;
                    let normal = skin.normals[corner as usize];
                    cap.positions
                        .push(skin.positions[corner as usize] + normal * CAP_HEIGHT);
                    cap.normals.push(normal);
                    let soft = smooth(0.0, BORDER * self.size(), inside(corner));
                    let at = skin.positions[corner as usize];
                    // No background may show where the model itself has no skin.
                    cap.covers.push(if self.is_own(corner) {
                        covers * soft * (1.0 - self.in_parting(at, cut))
                    } else {
                        1.0
                    });
                }
                *known
            }));
        }
        cap
    }
}

/// Smoothstep: 0 up to `from`, 1 from `to` on.
fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let u = ((x - from) / (to - from)).clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}
