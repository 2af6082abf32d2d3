//! Strands combed over a head.

use glam::Vec3;

use super::super::groom::{MOST_POINTS, evenly};
use super::super::grow::{GuideArea, patches_between};
use super::super::spline::Spline;
use super::super::spread::spread;
use super::cuts::HairCut;
use super::scalp::{HairArea, Root, Scalp, ScalpError};
use super::skin::SkinRole;
use galatea_math::chance::Chance;

/// Places by chance, of which guides are chosen, for each of those.
const CANDIDATES: usize = 12;
/// Metres of a step along a strand at most.
const STEP: f32 = 0.012;
/// Metres inside of the skin at which a strand begins.
const ROOTED: f32 = 0.001;
/// Metres from the border of an area within which the skin under hair shows.
const SOFT: f32 = 0.014;
/// Metres of a beard over the mouth at most.
const OVER_LIP: f32 = 0.016;
/// Half the width of the face that hair above the shoulders is kept out of, and how far ahead of the middle it begins, as
/// fractions of the skull. With a wider face, a bob would stand off the head to both sides; farther back, hair falls next
/// to the face.
const FACE_WIDTH: f32 = 0.92;
const FACE_BEGIN: f32 = 0.3;
/// Degrees around from the front within which longer hair is kept out of the face, so that it falls past the shoulders.
const FRONT: f32 = 58.0;
/// Degrees around from the front within which hair falls before the shoulders.
const BEFORE: f32 = 35.0;
/// Factor on the lift on top of the head, where hair is flat, so that a parting is not a notch.
const TOP_LIFT: f32 = 0.4;
/// Half the width of a parting, as a share of the skull, and how much of the skin in it shows.
const PARTED: f32 = 0.09;
const IN_PARTING: f32 = 0.55;
/// Metres beyond the border to which a skull that was open is covered.
const CLOSED: f32 = 0.012;
/// Metres of the cap above the skin.
const CAP: f32 = 0.0007;

/// Skin under hair, in the colour of its roots: where strands part, no bald head shines through.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cap {
    /// Metres.
    pub positions: Vec<Vec3>,
    /// Unit.
    pub normals: Vec<Vec3>,
    /// How much each covers, 0..=1.
    pub covers: Vec<f32>,
    /// Three corners each.
    pub triangles: Vec<[u32; 3]>,
}

/// What was grown, in the space of its scalp.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grown {
    /// From root to tip, equally many points each.
    pub guides: Vec<Vec<Vec3>>,
    /// What is under them.
    pub cap: Cap,
}

impl Scalp {
    /// Guides of a haircut.
    ///
    /// # Errors
    /// When there is no room for any.
    pub fn grow(&self, cut: &HairCut, seed: u64) -> Result<Grown, ScalpError> {
        let n = cut.guides.max(3);
        let candidates = self.roots(cut.area, n * CANDIDATES, seed)?;
        let chosen = spread(
            n.min(candidates.len()),
            seed ^ 0x6a09_e667,
            |chance: &mut Chance| {
                let i = (chance.bits() % candidates.len() as u64) as usize;
                (candidates[i].at, i)
            },
        );
        let mut chosen: Vec<usize> = chosen.into_iter().map(|(_, i)| i).collect();
        let mut seen = vec![false; candidates.len()];
        chosen.retain(|i| !std::mem::replace(&mut seen[*i], true));
        let mut chance = Chance::new(seed ^ 0x3c6e_f372);
        let points = cut.points.clamp(2, MOST_POINTS);
        let guides = chosen.into_iter().map(|i| {
            let uneven = 1.0 + cut.uneven * (chance.unit() * 2.0 - 1.0);
            self.comb(&candidates[i], cut, uneven, points)
        });
        Ok(Grown {
            guides: guides.collect(),
            cap: self.cap(cut),
        })
    }

    /// Those patches between guides under which there is skin of the area: none goes over an ear or a mouth.
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

    /// Where a beard is a moustache.
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
                return cut.sides.min(OVER_LIP);
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

    /// The way in which a strand is combed at its root, along the skin; unit.
    fn way(&self, root: &Root, cut: &HairCut) -> Vec3 {
        let (p, radii) = (root.at - self.middle, self.radii);
        let outer = if p.x < 0.0 { -1.0 } else { 1.0 };
        let wanted = match cut.area {
            HairArea::Scalp => {
                // Hair grows away from the crown.
                let crown = Vec3::new(0.0, 0.92 * radii.y, -0.35 * radii.z);
                let from_crown = p - crown;
                let away = from_crown - root.normal * from_crown.dot(root.normal);
                let mut combed = Vec3::new(0.0, 0.0, -cut.back);
                if let Some(parting) = cut.parting {
                    let off = p.x / radii.x - parting;
                    combed.x += if off < 0.0 { -0.9 } else { 0.9 };
                    // Off the face.
                    combed.z -= 0.5 * smooth(0.5, 0.9, p.z / radii.z);
                }
                let share =
                    smooth(-0.5, 0.1, p.z / radii.z) * smooth(-0.2, 0.45, self.height(root.at));
                if self.is_fringe(root, cut) {
                    Vec3::new(p.x / radii.x * 0.3, -0.2, 1.0)
                } else {
                    away.normalize_or(Vec3::NEG_Z)
                        .lerp(combed.normalize_or(Vec3::NEG_Z), share)
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
        let along = wanted - root.normal * wanted.dot(root.normal);
        along.normalize_or(root.normal.any_orthonormal_vector())
    }

    /// A strand from a root.
    fn comb(&self, root: &Root, cut: &HairCut, uneven: f32, points: usize) -> Vec<Vec3> {
        let length = self.length(root, cut) * uneven;
        let along = self.way(root, cut);
        let n = ((length / STEP).ceil() as usize).max(points - 1).max(2);
        let step = length / n as f32;
        let (of_scalp, is_fringe) = (cut.area == HairArea::Scalp, self.is_fringe(root, cut));
        let lowest = cut
            .ends
            .map_or(f32::MIN, |ends| self.eye().y - ends * self.face());
        let is_short = lowest >= self.chin;
        let mut way = (along * (1.0 - cut.rise) + root.normal * cut.rise).normalize_or(root.normal);
        let mut at = root.at - root.normal * ROOTED;
        let mut line = vec![at];
        for i in 1..=n {
            let share = i as f32 / n as f32;
            // It turns down as fast as it may, and no farther.
            let turn = cut.droop * step * if at.y < self.chin { 2.0 } else { 1.0 };
            way = (way + Vec3::NEG_Y * turn).normalize_or(way);
            if cut.tips != 0.0 {
                let inward = (self.middle - at) * Vec3::new(1.0, 0.0, 1.0);
                let turned = inward.normalize_or_zero() * cut.tips * smooth(0.6, 1.0, share);
                way = (way + turned * (step / 0.03)).normalize_or(way);
            }
            let is_low = at.y < self.eye().y;
            if of_scalp && !is_fringe && self.is_on_face(at, is_short) {
                let aside = if at.x < self.middle.x { -1.0 } else { 1.0 };
                let away = if is_short { [0.3, -0.35] } else { [0.4, -0.25] };
                way = (way + Vec3::new(away[0] * aside, 0.0, away[1])).normalize_or(way);
            }
            // Hair that ends above the shoulders hangs straight down.
            if of_scalp && is_low && !is_short {
                way = self.past_shoulder(root, at, way, cut.lift);
            }
            let lift = if of_scalp && cut.band.is_none() {
                cut.lift * (1.0 - (1.0 - TOP_LIFT) * smooth(0.55, 0.95, self.height(at)))
            } else {
                cut.lift
            };
            let keep = 0.0015 + lift * smooth(0.0, 0.35, share * length / 0.12);
            let mut goal = at + way * step;
            // Twice, since what it is pushed off may push it to something else.
            for _ in 0..2 {
                if let Some((away, outward)) = self.outside(goal)
                    && away < keep
                {
                    goal += outward * (keep - away).min(step);
                    goal = at + (goal - at).normalize_or(way) * step;
                }
            }
            if goal.y < lowest && way.y < 0.0 && line.len() > 2 {
                break;
            }
            way = (goal - at).normalize_or(way);
            at = goal;
            line.push(at);
        }
        evenly(&line, points, Spline::CatmullRom)
    }

    /// How much of the skin shows because hair parts there.
    fn in_parting(&self, at: Vec3, cut: &HairCut) -> f32 {
        let p = (at - self.middle) / self.radii;
        let off = cut.parting.map_or(1.0, |parting| (p.x - parting).abs());
        IN_PARTING
            * (1.0 - smooth(0.0, PARTED, off))
            * smooth(-0.05, 0.35, p.z)
            * smooth(0.2, 0.5, p.y)
    }

    /// From the ears down, locks from the front fall before the shoulders and all others behind them.
    fn past_shoulder(&self, root: &Root, at: Vec3, way: Vec3, lift: f32) -> Vec3 {
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
        (way + Vec3::new(0.0, -0.1, steer * ahead)).normalize_or(way)
    }

    /// Returns whether hair at a point would hang into the face; `is_short` hair ends above the shoulders.
    fn is_on_face(&self, at: Vec3, is_short: bool) -> bool {
        let p = (at - self.middle) / self.radii;
        let is_ahead = if is_short {
            p.x.abs() < FACE_WIDTH && p.z > FACE_BEGIN
        } else {
            self.around(at) < FRONT
        };
        is_ahead && self.height(at) < 0.6 && at.y > self.chin
    }

    /// Whether it lies on something that looks up.
    fn is_on_shoulder(&self, at: Vec3, lift: f32) -> bool {
        let outside = self.outside(at);
        at.y < self.chin
            && outside.is_some_and(|(away, outward)| away < lift + 0.012 && outward.y > 0.7)
    }

    /// The skin of the area, and how much of it the hair covers.
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
                        .push(skin.positions[corner as usize] + normal * CAP);
                    cap.normals.push(normal);
                    let soft = smooth(0.0, SOFT * self.size(), inside(corner));
                    let at = skin.positions[corner as usize];
                    // Where the model has no skin, nothing must shine through.
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

/// 0 up to the first, 1 from the second on.
fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let u = ((x - from) / (to - from)).clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}
