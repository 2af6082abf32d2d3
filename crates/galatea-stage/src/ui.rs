//! Texts, bars, boxes and images over the picture, at positions in the picture or in the world, and captions of speech.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::{Arena, Handle, Ids, Stage};
use galatea_anim::Skeleton;
use galatea_asset::model::Image;
use galatea_character::{Character, TimeBase};

/// Reference size of the picture in points. Positions and sizes are scaled from it to the real picture as a whole.
pub const UI_SIZE: Vec2 = Vec2::new(1280.0, 720.0);
/// Maximum number of items over a picture.
pub const MAX_UI: usize = 1024;
/// Maximum number of captions at once; another one replaces the oldest.
pub const MAX_CAPTIONS: usize = 2;
/// Fade-in and fade-out times of a caption, seconds.
const FADE_IN: f64 = 0.15;
const FADE_OUT: f64 = 0.35;

/// An item over the picture, as it is drawn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UiItem {
    /// Content of the item.
    pub content: UiContent,
    /// Offset right and down from its anchor or from its world position, points.
    pub offset: Vec2,
    /// Anchor, both in the picture and in the item: (0, 0) is top left, (1, 1) bottom right.
    pub anchor: Vec2,
    /// Linear colour of text, bars and boxes; images are multiplied by it.
    pub color: Vec3,
    /// Opacity, 0..=1.
    pub opacity: f32,
    /// False if the script hides it.
    pub visible: bool,
    /// Layer; higher ones are drawn over lower ones, and within a layer later items over earlier ones.
    pub z_index: i32,
    /// Creation number, for the order within a layer.
    pub order: u64,
    /// World position; `None` for an item on the picture.
    pub world_position: Option<UiWorldPlacement>,
}

/// World position of an interface item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UiWorldPlacement {
    /// World position, metres.
    pub position: Vec3,
    /// Distance at which the item has its nominal size, metres; farther away it is smaller. `None`: constant size.
    pub full_size_distance: Option<f32>,
    /// Distance at which the item has faded out, metres; the fade begins at two thirds of it. `None`: never.
    pub max_distance: Option<f32>,
    /// Moves the item next to its position to avoid overlaps with other such items; hides it if there is no room.
    pub avoids_overlap: bool,
}

impl UiWorldPlacement {
    /// Size factor and opacity at `distance` metres. The size factor is at most 4.
    pub fn seen_from(&self, distance: f32) -> (f32, f32) {
        let size = self
            .full_size_distance
            .map_or(1.0, |at| at / distance.max(0.01));
        let opacity = self.max_distance.map_or(1.0, |gone| {
            (3.0 - 3.0 * distance / gone.max(0.01)).clamp(0.0, 1.0)
        });
        (size.min(4.0), opacity)
    }
}

/// Content of an interface item.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum UiContent {
    /// Text.
    Text(UiText),
    /// A progress bar, filled from the left.
    Bar {
        /// Fill level, 0..=1.
        value: f32,
        /// Size, points.
        size: Vec2,
        /// Linear colour of the unfilled part.
        back: Vec3,
        /// Corner radius, points.
        round: f32,
    },
    /// A rectangle.
    Box {
        /// Size, points.
        size: Vec2,
        /// Corner radius, points.
        round: f32,
        /// Linear colour of the border, if any.
        border: Option<Vec3>,
    },
    /// An image of the project.
    Image {
        /// The image.
        #[serde(with = "galatea_persist::shared")]
        image: Arc<Image>,
        /// Size, points.
        size: Vec2,
    },
    /// A caption of speech at the bottom of the picture; the anchor is ignored.
    Caption {
        /// Name of the speaker; may be empty.
        #[serde(with = "galatea_persist::shared")]
        speaker: Arc<str>,
        /// The text.
        #[serde(with = "galatea_persist::shared")]
        text: Arc<str>,
    },
}

/// Text over the picture.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UiText {
    /// The text.
    #[serde(with = "galatea_persist::shared")]
    pub text: Arc<str>,
    /// Font size, points.
    pub size: f32,
    /// Maximum line width, points.
    pub width: Option<f32>,
    /// Alignment of lines: 0 left, 0.5 centred, 1 right.
    pub align: f32,
    /// Width of the black outline, points.
    pub outline: f32,
    /// Draws a soft shadow.
    pub shadow: bool,
    /// Linear colour of a background box, if any.
    pub background: Option<Vec3>,
}

/// An interface item of a stage.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageUi {
    /// Current state.
    pub item: UiItem,
    /// Character or bone that it follows.
    pub attachment: Option<Pinned>,
    /// Stage times between which it is shown, seconds; then it is removed.
    pub span: Option<(f64, f64)>,
    /// The item has reached the character at least once.
    is_placed: bool,
    before: Vec3,
    /// Time that its character follows.
    base: TimeBase,
}

/// Attachment of an item to a character.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pinned {
    /// The character.
    pub holder: Handle,
    /// Index of the bone; `None` for the character's position.
    pub bone: Option<u16>,
    /// Offset along the world axes, metres.
    pub offset: Vec3,
}

impl StageUi {
    /// Creates an item that stays at its position or follows a character.
    pub fn new(item: UiItem, pinned: Option<Pinned>) -> Self {
        Self {
            before: item
                .world_position
                .map_or(Vec3::ZERO, |world| world.position),
            is_placed: pinned.is_none(),
            item,
            attachment: pinned,
            span: None,
            base: TimeBase::Stage,
        }
    }

    /// Finds the bone again after the holder's model was replaced; without a bone of the same name the item follows the
    /// character's position.
    pub(super) fn find_bone_again(&mut self, holder: Handle, before: &Skeleton, now: &Skeleton) {
        if let Some(pinned) = self.attachment.as_mut().filter(|it| it.holder == holder) {
            let bone = pinned
                .bone
                .and_then(|bone| before.bones().get(usize::from(bone)));
            pinned.bone = bone.and_then(|bone| now.find(&bone.name));
        }
    }

    /// Moves an item in the world: sets its position, or its offset from the character it follows.
    pub fn move_to(&mut self, place: Vec3) {
        match (&mut self.attachment, &mut self.item.world_position) {
            (Some(pinned), _) => pinned.offset = place,
            (None, Some(world)) => world.position = place,
            (None, None) => {}
        }
    }

    /// The item, interpolated between the last two ticks by `alpha` (0..=1), at stage time `time` in seconds. `None` when it
    /// is invisible.
    fn at(&self, alpha: f32, time: f64) -> Option<UiItem> {
        let span = self.span.map_or(1.0, |(from, to)| {
            let share = ((time - from) / FADE_IN).min((to - time) / FADE_OUT);
            share.clamp(0.0, 1.0) as f32
        });
        let opacity = self.item.opacity * span;
        if !self.item.visible || !self.is_placed || opacity <= 0.0 {
            return None;
        }
        let mut item = self.item.clone();
        item.opacity = opacity;
        if let Some(world) = &mut item.world_position {
            world.position = self.before.lerp(world.position, alpha);
        }
        Some(item)
    }
}

/// Adds a caption for `seconds` from `now`. A third caption replaces the oldest.
pub fn add_caption(
    ui: &mut Arena<StageUi>,
    ids: &mut Ids,
    mut item: UiItem,
    [now, seconds]: [f64; 2],
) -> Handle {
    let captions = || ui.iter().filter(|(_, ui)| ui.span.is_some());
    let oldest = captions().min_by_key(|(_, ui)| ui.item.order);
    if captions().count() >= MAX_CAPTIONS
        && let Some((oldest, _)) = oldest
    {
        ui.remove(oldest);
    }
    item.order = ids.new_id();
    let mut caption = StageUi::new(item, None);
    caption.span = Some((now, now + seconds));
    ui.insert(caption)
}

impl Stage {
    /// Visible items over the picture, lowest first. `alpha` gives the position between two ticks of a time.
    pub(super) fn add_ui(&self, alpha: impl Fn(TimeBase) -> f32, time: f64, out: &mut Vec<UiItem>) {
        let is_there = |ui: &StageUi| {
            let holder = ui.attachment.map(|pinned| pinned.holder);
            holder.is_none_or(|holder| self.characters.get(holder).is_some())
        };
        let there = self.ui.iter().filter(|(_, ui)| is_there(ui));
        out.extend(there.filter_map(|(_, ui)| ui.at(alpha(ui.base), time)));
        out.sort_unstable_by_key(|item| (item.z_index, item.order));
    }
}

/// Start of a tick of a time: keeps previous positions, and removes expired captions.
pub(super) fn begin(ui: &mut Arena<StageUi>, base: TimeBase, time: f64) {
    for (_, slot) in ui.slots_mut() {
        if let Some(ui) = slot
            && ui.base == base
        {
            ui.before = ui
                .item
                .world_position
                .map_or(ui.before, |world| world.position);
            if ui.span.is_some_and(|(_, to)| to <= time) {
                *slot = None;
            }
        }
    }
}

/// Moves items to the characters they follow.
pub(super) fn follow(ui: &mut Arena<StageUi>, characters: &Arena<Character>) {
    for (_, ui) in ui.iter_mut() {
        let (Some(pinned), Some(world)) = (ui.attachment, &mut ui.item.world_position) else {
            continue;
        };
        let Some(holder) = characters.get(pinned.holder) else {
            continue;
        };
        ui.base = holder.time.base;
        let own = holder.posed.world[0];
        let bone = pinned.bone.map(usize::from);
        let from = match bone.and_then(|bone| holder.posed.model_from_bone.get(bone)) {
            Some(bone) => own * *bone,
            None => own,
        };
        world.position = Vec3::from(from.translation) + pinned.offset;
        if !std::mem::replace(&mut ui.is_placed, true) {
            ui.before = world.position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caption(text: &str) -> UiItem {
        UiItem {
            content: UiContent::Caption {
                speaker: "A".into(),
                text: text.into(),
            },
            offset: Vec2::ZERO,
            anchor: Vec2::ZERO,
            color: Vec3::ONE,
            opacity: 1.0,
            visible: true,
            z_index: 0,
            order: 0,
            world_position: None,
        }
    }

    fn shown(stage: &Stage, alpha: f32) -> Vec<UiItem> {
        let mut out = Vec::new();
        stage.add_ui(|_| alpha, stage.time(), &mut out);
        out
    }

    #[test]
    fn captions_fade_out_and_a_third_one_replaces_the_first() {
        let mut stage = Stage::new(0.05);
        let show = |stage: &mut Stage, text: &str| {
            let now = stage.time();
            add_caption(&mut stage.ui, &mut stage.ids, caption(text), [now, 1.0]);
        };
        show(&mut stage, "a");
        assert!(shown(&stage, 1.0).is_empty(), "it begins clear");
        stage.clock.n_ticks = 10;
        assert_eq!(shown(&stage, 1.0)[0].opacity, 1.0);
        show(&mut stage, "b");
        show(&mut stage, "c");
        let texts = |stage: &Stage| -> Vec<String> {
            let texts = shown(stage, 1.0).into_iter().map(|item| item.content);
            let texts = texts.map(|content| match content {
                UiContent::Caption { text, .. } => text.to_string(),
                other => format!("{other:?}"),
            });
            texts.collect()
        };
        stage.clock.n_ticks = 20;
        assert_eq!(texts(&stage), ["b", "c"]);
        stage.clock.n_ticks = 30;
        begin(&mut stage.ui, TimeBase::Stage, 1.5);
        assert!(stage.ui.is_empty());
    }

    #[test]
    fn positions_are_interpolated_and_higher_layers_come_last() {
        let mut stage = Stage::default();
        let at = |x: f32, layer: i32| UiItem {
            world_position: Some(UiWorldPlacement {
                position: Vec3::X * x,
                ..UiWorldPlacement::default()
            }),
            z_index: layer,
            ..caption("")
        };
        let a = stage.ui.insert(StageUi::new(at(0.0, 5), None));
        stage.ui.insert(StageUi::new(at(9.0, -1), None));
        begin(&mut stage.ui, TimeBase::Stage, 0.0);
        stage.ui.get_mut(a).unwrap().move_to(Vec3::X * 2.0);
        let places: Vec<_> = shown(&stage, 0.25)
            .into_iter()
            .filter_map(|item| Some(item.world_position?.position.x))
            .collect();
        assert_eq!(places, [9.0, 0.5]);
    }

    #[test]
    fn distant_items_are_small_and_fade() {
        let place = UiWorldPlacement {
            full_size_distance: Some(4.0),
            max_distance: Some(12.0),
            ..UiWorldPlacement::default()
        };
        assert_eq!(place.seen_from(4.0), (1.0, 1.0));
        assert_eq!(place.seen_from(8.0), (0.5, 1.0));
        assert_eq!(place.seen_from(10.0).1, 0.5);
        assert_eq!(place.seen_from(12.0).1, 0.0);
        assert_eq!(place.seen_from(0.0).0, 4.0);
        assert_eq!(UiWorldPlacement::default().seen_from(1e6), (1.0, 1.0));
    }
}
