//! Weights that parts get from bones by themselves, in recipes.

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
/// Radius of an envelope as a share of its bone's length, where it is not said.
const RADIUS: f32 = 0.5;
/// Bones without a child are so long, as a share of their parent.
const END: f32 = 0.6;

/// How weights come about.
#[derive(Clone, Debug)]
pub(super) struct Rigged {
    heat: bool,
    /// Names of the bones that are meant, with radii, metres; all of them where it is empty.
    only: BTreeMap<String, Option<f32>>,
}

impl Rigged {
    /// From `{ by = "heat", bones = { … } }`.
    ///
    /// # Errors
    /// A way that is not known; a radius that is none.
    pub fn of(table: &Table) -> mlua::Result<Self> {
        let by = text(&table.raw_get("by")?).unwrap_or_default();
        if !WAYS.contains(&by.as_str()) {
            let hint = nearest_hint(&by, WAYS.into_iter());
            return Err(wrong(format!(
                "part: weights: by = {by:?}{hint}: there are heat and envelopes"
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
                            "part: weights: bones are names, or names with radii above 0",
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
    /// A bone that the model lacks.
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

    /// From every joint one to each of its children; an end goes on as its parent came.
    fn segments(&self, bones: &BonesRef) -> Vec<BoneSegment> {
        let mut all = Vec::new();
        for (i, name) in bones.names.iter().enumerate() {
            let said = self.only.get(name);
            if said.is_none() && !self.only.is_empty() {
                continue;
            }
            let from = bones.places[i];
            let children = bones.parents.iter().zip(&bones.places);
            let mut ends: Vec<Vec3> = children
                .filter(|(parent, _)| **parent == Some(i as u16))
                .map(|(_, at)| *at)
                .collect();
            if ends.is_empty() {
                let before = bones.parents[i].map(|p| bones.places[usize::from(p)]);
                ends.push(before.map_or(from, |before| from + (from - before) * END));
            }
            for to in ends {
                let radius = said.copied().flatten();
                let radius = radius.unwrap_or(from.distance(to).max(0.02) * RADIUS);
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
