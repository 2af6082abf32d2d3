//! Automatic skin weights of parts in recipes.

use std::collections::BTreeMap;

use glam::Vec3;
use mlua::{Table, Value};

use super::bones::BonesRef;
use super::wrong;
use galatea_forge::cage::Cage;
use galatea_forge::skinning::{BoneSegment, envelopes, heat};
use galatea_math::names::nearest_hint;
use galatea_script::toolkit::{number, text};

const WAYS: [&str; 2] = ["heat", "envelopes"];
/// Default radius of an envelope as a fraction of its bone's length.
const DEFAULT_RADIUS: f32 = 0.5;
/// Length of bones without a child, as a fraction of their parent's length.
const END_LENGTH: f32 = 0.6;

/// Options for automatic weights.
#[derive(Clone, Debug)]
pub(super) struct Rigged {
    heat: bool,
    /// Names of the bones to use, with optional radii, metres; empty for all bones.
    only: BTreeMap<String, Option<f32>>,
}

impl Rigged {
    /// Reads `{ by = "heat", bones = { … } }`.
    ///
    /// # Errors
    /// If the method is unknown or a radius is invalid.
    pub fn of(table: &Table) -> mlua::Result<Self> {
        let by = text(&table.raw_get("by")?).unwrap_or_default();
        if !WAYS.contains(&by.as_str()) {
            let hint = nearest_hint(&by, WAYS.into_iter());
            return Err(wrong(format!(
                "part: weights: by has the unknown value {by:?}{hint}"
            )));
        }
        let mut only = BTreeMap::new();
        if let Some(bones) = table.raw_get::<Option<Table>>("bones")? {
            for pair in bones.pairs::<Value, Value>() {
                let (key, value) = pair?;
                match (text(&key), text(&value), number(&value)) {
                    (Some(name), _, Some(radius)) if radius > 0.0 => {
                        only.insert(name, Some(radius as f32));
                    }
                    (None, Some(name), _) => {
                        only.insert(name, None);
                    }
                    _ => {
                        return Err(wrong(
                            "part: weights: bones must be names, or names with radii above 0",
                        ));
                    }
                }
            }
        }
        Ok(Self {
            heat: by == "heat",
            only,
        })
    }

    /// Bones and weights of the points of a mesh.
    ///
    /// # Errors
    /// If the model lacks a bone.
    pub fn weights(
        &self,
        mesh: &Cage,
        bones: &BonesRef,
        part: &str,
    ) -> mlua::Result<Vec<Vec<(u16, f32)>>> {
        for name in self.only.keys() {
            bones
                .find(name)
                .map_err(|why| wrong(format!("part {part:?}: weights: {why}")))?;
        }
        let segments = self.segments(bones);
        let places: Vec<Vec3> = mesh.points.iter().map(|p| p.at).collect();
        Ok(if self.heat {
            heat(&places, &mesh.faces, &segments)
        } else {
            envelopes(&places, &segments)
        })
    }

    /// Segments from every joint to each of its children; an end bone continues in its parent's direction.
    fn segments(&self, bones: &BonesRef) -> Vec<BoneSegment> {
        let mut all = Vec::new();
        for (i, name) in bones.names.iter().enumerate() {
            let entry = self.only.get(name);
            if entry.is_none() && !self.only.is_empty() {
                continue;
            }
            let from = bones.positions[i];
            let children = bones.parents.iter().zip(&bones.positions);
            let mut ends: Vec<Vec3> = children
                .filter(|(parent, _)| **parent == Some(i as u16))
                .map(|(_, at)| *at)
                .collect();
            if ends.is_empty() {
                let before = bones.parents[i].map(|p| bones.positions[usize::from(p)]);
                ends.push(before.map_or(from, |before| from + (from - before) * END_LENGTH));
            }
            for to in ends {
                let radius = entry.copied().flatten();
                let radius = radius.unwrap_or(from.distance(to).max(0.02) * DEFAULT_RADIUS);
                all.push(BoneSegment {
                    bone: i as u16,
                    from,
                    to,
                    radius,
                });
            }
        }
        all
    }
}
