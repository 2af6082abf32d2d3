//! Debug views: replace the materials of characters and add lines, labels and a legend, as plain data.
//!
//! Used by `snapshot`, which fills a frame; `script`, `app` and `commands` choose the view. A view that is off costs
//! nothing.

mod bodies;
mod bounds;
mod forces;
mod legend;
mod paint;
mod skeleton;
mod springs;

use std::borrow::Cow;
use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::frame::{DrawModel, Frame};
use super::frame_view::{FrameView, ViewKind};
use super::ui::{UiContent, UiItem, UiText, UiWorldPlacement};
use super::{Drives, Handle, Stage, StageFabric};
use crate::Characters;
use galatea_asset::Model;
use galatea_character::Character;
use galatea_math::names::nearest_hint;
use galatea_math::srgb;

/// Settings of a debug view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DebugView {
    /// Kind of view.
    pub kind: ViewKind,
    /// For [`ViewKind::Weights`]: only this bone, on all characters that have one of this name.
    #[serde(with = "galatea_persist::shared")]
    pub bone: Option<Arc<str>>,
    /// For [`ViewKind::Morphs`]: only this morph target, at weight 1, on all characters that have it.
    #[serde(with = "galatea_persist::shared")]
    pub morph: Option<Arc<str>>,
    /// Restricts the view to one character.
    pub only: Option<CharacterSelector>,
    /// For [`ViewKind::Normals`] and [`ViewKind::Tangents`]: draws a line at each vertex.
    pub vertex_lines: bool,
    /// Draws a legend.
    pub legend: bool,
}

/// Selects a character for a view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum CharacterSelector {
    /// By handle.
    ByHandle(Handle),
    /// By name: the name given by the script, the file, or the file name without folders and extension.
    Named(#[serde(with = "galatea_persist::shared")] Arc<str>),
}

impl DebugView {
    /// A view of all characters.
    pub fn new(kind: ViewKind) -> Self {
        Self {
            kind,
            bone: None,
            morph: None,
            only: None,
            vertex_lines: false,
            legend: true,
        }
    }

    /// The next or previous view in key order; `None` before the first and after the last.
    pub fn next(now: Option<&Self>, is_back: bool) -> Option<Self> {
        let n = ViewKind::ALL.len() as isize;
        let at = now.map_or(-1, |view| view.kind as isize);
        let step = if is_back { -1 } else { 1 };
        let next = (at + 1 + step).rem_euclid(n + 1) - 1;
        let kind = ViewKind::ALL.get(usize::try_from(next).ok()?)?;
        Some(Self::new(*kind))
    }

    fn is_of(&self, handle: Handle, character: &Character) -> bool {
        match &self.only {
            None => true,
            Some(CharacterSelector::ByHandle(only)) => *only == handle,
            Some(CharacterSelector::Named(name)) => {
                names_of(character).iter().any(|known| **known == **name)
            }
        }
    }

    /// Returns true if a model has the bone or morph target of the view.
    fn is_in(&self, model: &Model) -> bool {
        let has_bone = |bone: &Arc<str>| model.skeleton.find(bone).is_some();
        let has_morph = |morph: &Arc<str>| morphs_of(model).any(|name| name == &**morph);
        match self.kind {
            ViewKind::Weights => self.bone.as_ref().is_none_or(has_bone),
            ViewKind::Morphs => self.morph.as_ref().is_none_or(has_morph),
            _ => true,
        }
    }

    /// Checks that the stage has the character, bone or morph target of the view.
    ///
    /// # Errors
    /// A message with the nearest valid name.
    pub fn check(&self, characters: &Characters) -> Result<(), String> {
        let of = || {
            let all = characters.iter();
            all.filter(|(handle, character)| self.is_of(*handle, character))
        };
        if let (Some(CharacterSelector::Named(name)), None) = (&self.only, of().next()) {
            let all = characters.iter();
            let known: Vec<_> = all.flat_map(|(_, character)| names_of(character)).collect();
            let hint = nearest_hint(name, known.iter().map(|name| &**name));
            return Err(format!("there is no character {name:?}{hint}"));
        }
        if of().any(|(_, character)| self.is_in(&character.definition.model)) {
            return Ok(());
        }
        let models = of().map(|(_, character)| &character.definition.model);
        let (what, name, known): (_, _, Vec<&str>) = match (self.kind, &self.bone, &self.morph) {
            (ViewKind::Weights, Some(bone), _) => {
                let bones = models.flat_map(|model| model.skeleton.bones());
                ("bone", bone, bones.map(|bone| &*bone.name).collect())
            }
            (ViewKind::Morphs, _, Some(morph)) => (
                "morph",
                morph,
                models.flat_map(|model| morphs_of(model)).collect(),
            ),
            _ => return Ok(()),
        };
        let hint = nearest_hint(name, known.into_iter());
        Err(match of().next().filter(|_| self.only.is_some()) {
            Some((_, one)) => format!("{} has no {what} {name:?}{hint}", one.shown_name()),
            None => format!("no character has a {what} {name:?}{hint}"),
        })
    }
}

/// The names by which a character can be selected.
fn names_of(character: &Character) -> [Cow<'_, str>; 3] {
    let model = &character.definition.model.name;
    let source = character.source.to_string();
    [character.shown_name().into(), source.into(), model.into()]
}

fn morphs_of(model: &Model) -> impl Iterator<Item = &str> {
    let names = model.meshes.iter().flat_map(|mesh| &mesh.morph_names);
    names.map(String::as_str)
}

impl Stage {
    /// Adds the view to a frame that has its models already.
    pub(super) fn add_view(&self, frame: &mut Frame) {
        let Some(view) = &self.picture.view else {
            return;
        };
        let shown = ViewedCharacters::of(view, &self.characters);
        let mut paints = Vec::new();
        let legend = match view.kind {
            ViewKind::Skeleton => {
                for (i, _, character) in shown.iter() {
                    skeleton::add(character, i, frame);
                }
                legend::skeleton()
            }
            ViewKind::Bounds => {
                for (i, _, character) in shown.iter() {
                    bounds::add(character, i, frame);
                }
                legend::bounds()
            }
            ViewKind::Bodies => {
                self.add_bodies(&shown, frame);
                legend::bodies(self.physics.world.energy_of_motion())
            }
            ViewKind::Springs => {
                for (_, _, character) in shown.iter() {
                    springs::add(character, frame);
                }
                let is_shown = |handle| shown.contains(handle);
                springs::add_fabrics(&self.effects.fabrics, is_shown, frame);
                springs::add_hair(&self.effects.hair, is_shown, frame);
                legend::springs()
            }
            ViewKind::Weights => {
                let models = shown.iter().map(|(i, ..)| i);
                paint::weights(frame, models, view.bone.as_deref(), &mut paints);
                legend::weights(view.bone.as_deref())
            }
            ViewKind::Morphs => {
                let models = shown.iter().map(|(i, ..)| i);
                let range = paint::morphs(frame, models, view.morph.as_deref(), &mut paints);
                legend::morphs(view.morph.as_deref(), range)
            }
            kind => legend::of(kind, view.vertex_lines),
        };
        if view.legend {
            legend.add(view.check(&self.characters).err(), &mut frame.ui);
        }
        frame.view = Some(FrameView {
            kind: view.kind,
            vertex_lines: view.vertex_lines,
            shown: shown.flags,
            paints,
        });
    }

    /// Adds rigid bodies and contacts.
    fn add_bodies(&self, shown: &ViewedCharacters<'_>, frame: &mut Frame) {
        let is_shown = |handle| shown.contains(handle);
        let contacts = forces::add_contacts(&self.physics.world, is_shown, &mut frame.lines);
        // Bones that follow cloth and rope particles are not rigid bodies.
        let is_fabric = |handle: Handle| {
            let of = |fabric: &StageFabric| {
                fabric.drives == Drives::Particles && fabric.character == handle
            };
            self.effects.fabrics.iter().any(|(_, fabric)| of(fabric))
        };
        for (i, handle, character) in shown.iter() {
            if is_fabric(handle) {
                continue;
            }
            let own = contacts
                .iter()
                .filter(|(owners, _)| owners.contains(&Some(handle)) && owners[0] != owners[1]);
            let own: Vec<Vec3> = own.map(|(_, place)| *place).collect();
            bodies::add(character, i, &own, frame);
        }
    }
}

/// The characters that a view shows.
struct ViewedCharacters<'a> {
    characters: Vec<(Handle, &'a Character)>,
    /// For each character, true if it is shown.
    flags: Vec<bool>,
}

impl<'a> ViewedCharacters<'a> {
    fn of(view: &DebugView, characters: &'a Characters) -> Self {
        let characters: Vec<_> = characters.iter().collect();
        let flags = characters
            .iter()
            .map(|(handle, c)| view.is_of(*handle, c) && view.is_in(&c.definition.model))
            .collect();
        Self { characters, flags }
    }

    /// Shown characters, each with its index among the models of the frame.
    fn iter(&self) -> impl Iterator<Item = (usize, Handle, &'a Character)> {
        let all = self.characters.iter().zip(&self.flags).enumerate();
        let shown = all.filter(|(_, (_, is_shown))| **is_shown);
        shown.map(|(i, ((handle, character), _))| (i, *handle, *character))
    }

    fn contains(&self, handle: Handle) -> bool {
        self.iter().any(|(_, shown, _)| shown == handle)
    }
}

/// Morph weights of a part of a model of the frame, one per target.
fn weights_of<'a>(frame: &'a Frame, draw: &DrawModel, part: usize) -> &'a [f32] {
    let before = &draw.model.parts[..part];
    let n = |mesh: usize| draw.model.meshes[mesh].morph_names.len();
    let first = draw.morph_start as usize + before.iter().map(|part| n(part.mesh)).sum::<usize>();
    let end = first + n(draw.model.parts[part].mesh);
    frame.morph_weights.get(first..end).unwrap_or_default()
}

/// Converts an encoded colour to linear.
fn linear(encoded: [f32; 3]) -> Vec3 {
    Vec3::from_array(encoded.map(srgb::decoded))
}

/// Encoded colour for a fraction 0..=1 of the heat scale, as in `inc/heat.wgsl`.
fn ramp(share: f32) -> [f32; 3] {
    const STOPS: [[f32; 3]; 5] = [
        [0.12, 0.20, 0.80],
        [0.05, 0.62, 0.86],
        [0.12, 0.76, 0.28],
        [0.96, 0.80, 0.14],
        [0.90, 0.14, 0.10],
    ];
    let at = share.clamp(0.0, 1.0) * 4.0;
    let i = (at as usize).min(3);
    let (from, to) = (STOPS[i], STOPS[i + 1]);
    std::array::from_fn(|c| from[c] + (to[c] - from[c]) * (at - i as f32))
}

/// Encoded colour for values outside of the scale, as in `inc/heat.wgsl`.
const NOTHING: [f32; 3] = [0.27, 0.27, 0.285];

/// A distinct encoded colour for each number; neighbouring numbers differ most.
fn color_of(number: usize) -> [f32; 3] {
    // Multiples of the golden ratio keep hues as far apart as possible.
    let hue = (number as f32 * 0.618_034).fract();
    let bright = [0.95, 0.72, 0.84][number % 3];
    [0.0_f32, 2.0 / 3.0, 1.0 / 3.0].map(|turn| {
        let wheel = (((hue + turn).fract() * 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0);
        (0.18 + 0.82 * wheel) * bright
    })
}

/// An item of the view at a world position.
fn item_at(content: UiContent, place: Vec3, color: Vec3, order: u64, gives_way: bool) -> UiItem {
    UiItem {
        content,
        offset: glam::Vec2::ZERO,
        anchor: glam::Vec2::splat(0.5),
        color,
        opacity: 1.0,
        visible: true,
        z_index: i32::MAX,
        order,
        world_position: Some(UiWorldPlacement {
            position: place,
            avoids_overlap: gives_way,
            ..UiWorldPlacement::default()
        }),
    }
}

/// A name next to a position; hidden where it would cover another.
fn label(text: &str, place: Vec3, color: Vec3, order: u64) -> UiItem {
    let text = UiText {
        text: text.into(),
        size: 12.0,
        width: None,
        align: 0.0,
        outline: 1.5,
        shadow: false,
        background: None,
    };
    item_at(UiContent::Text(text), place, color, order, true)
}

#[cfg(test)]
mod tests;
