//! Texts, bars, boxes and images over the picture, at a place of the picture or of the world, and captions
//! of what is said.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::{Arena, Handle, Ids, Stage};
use galatea_anim::Skeleton;
use galatea_asset::model::Image;
use galatea_character::Character;

/// The picture in which places and sizes are told, points. It is scaled to the real one, whole.
pub const UI_SIZE: Vec2 = Vec2::new(1280.0, 720.0);
/// Things that there may be over a picture.
pub const MOST_UI: usize = 1024;
/// Captions that are shown at once; another one takes the place of the oldest.
pub const MOST_CAPTIONS: usize = 2;
/// Seconds in which a caption appears, and in which it goes.
const FADE_IN: f64 = 0.15;
const FADE_OUT: f64 = 0.35;

/// What stands over the picture, as it is drawn.
#[derive(Clone, Debug)]
pub struct UiItem {
    /// What it is.
    pub content: UiContent,
    /// Points to the right and down from its anchor or from its place in the world.
    pub at: Vec2,
    /// The place of the picture from which `at` counts, and the place of the thing that lies there:
    /// (0, 0) is top left, (1, 1) bottom right.
    pub anchor: Vec2,
    /// Linear colour of letters, of a bar and of a box; an image is multiplied by it.
    pub color: Vec3,
    /// 0..=1.
    pub opacity: f32,
    /// Not hidden by the script.
    pub visible: bool,
    /// Higher ones lie over lower ones, of one layer later ones over earlier ones.
    pub layer: i32,
    /// Its number among all that were made.
    pub order: u64,
    /// In the world, not on the picture.
    pub world: Option<UiPlace>,
}

/// A place of the world at which something is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UiPlace {
    /// Metres.
    pub place: Vec3,
    /// Metres from the eye at which it has its size; the farther, the smaller. `None`: always its size.
    pub size_at: Option<f32>,
    /// Metres from the eye at which it has faded away; that begins at two thirds. `None`: never.
    pub gone_at: Option<f32>,
    /// It stands beside its place where it covers no other that gives way, and is left out where it finds none.
    pub gives_way: bool,
}

impl UiPlace {
    /// Its size and its opacity, seen from `distance` metres. What is near is at most four times as large.
    pub fn seen_from(&self, distance: f32) -> (f32, f32) {
        let size = self.size_at.map_or(1.0, |at| at / distance.max(0.01));
        let opacity = self.gone_at.map_or(1.0, |gone| {
            (3.0 - 3.0 * distance / gone.max(0.01)).clamp(0.0, 1.0)
        });
        (size.min(4.0), opacity)
    }
}

/// What stands over the picture.
#[derive(Clone, Debug)]
pub enum UiContent {
    /// Letters.
    Text(UiText),
    /// A bar that is filled from the left.
    Bar {
        /// How far, 0..=1.
        value: f32,
        /// Points.
        size: Vec2,
        /// Linear colour of what is not filled.
        back: Vec3,
        /// Radius of its corners, points.
        round: f32,
    },
    /// A rectangle.
    Box {
        /// Points.
        size: Vec2,
        /// Radius of its corners, points.
        round: f32,
        /// Linear colour of a line around it.
        border: Option<Vec3>,
    },
    /// A picture of the project.
    Image {
        /// Its pixels.
        image: Arc<Image>,
        /// Points.
        size: Vec2,
    },
    /// What somebody says, at the bottom of the picture; the anchor counts for nothing.
    Caption {
        /// Who; empty for nobody.
        speaker: Arc<str>,
        /// What.
        text: Arc<str>,
    },
}

/// Letters over the picture.
#[derive(Clone, Debug)]
pub struct UiText {
    /// The text.
    pub text: Arc<str>,
    /// Height of a line's letters, points.
    pub size: f32,
    /// Lines are at most so wide, points.
    pub width: Option<f32>,
    /// Where short lines stand: 0 left, 0.5 in the middle, 1 right.
    pub align: f32,
    /// Points of black around the letters.
    pub outline: f32,
    /// A soft black below the letters.
    pub shadow: bool,
    /// Linear colour of a box behind them.
    pub background: Option<Vec3>,
}

/// What stands over a stage's picture.
#[derive(Clone, Debug)]
pub struct StageUi {
    /// As it is now.
    pub item: UiItem,
    /// Whom it follows.
    pub pinned: Option<Pinned>,
    /// Stage seconds from when to when it is shown; it is taken away afterwards.
    pub span: Option<(f64, f64)>,
    /// It was brought to the one it follows.
    is_placed: bool,
    before: Vec3,
}

/// A thing that follows a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pinned {
    /// Whom.
    pub holder: Handle,
    /// Which bone; `None` is where the character stands.
    pub bone: Option<u16>,
    /// Metres from there, along the world's axes.
    pub offset: Vec3,
}

impl StageUi {
    /// A thing that stands where it says, or follows a character.
    pub fn new(item: UiItem, pinned: Option<Pinned>) -> Self {
        Self {
            before: item.world.map_or(Vec3::ZERO, |world| world.place),
            is_placed: pinned.is_none(),
            item,
            pinned,
            span: None,
        }
    }

    /// Takes note that the one it follows has another model; without a bone of the same name it is where
    /// that one stands.
    pub(super) fn find_bone_again(&mut self, holder: Handle, before: &Skeleton, now: &Skeleton) {
        if let Some(pinned) = self.pinned.as_mut().filter(|it| it.holder == holder) {
            let bone = pinned
                .bone
                .and_then(|bone| before.bones().get(usize::from(bone)));
            pinned.bone = bone.and_then(|bone| now.find(&bone.name));
        }
    }

    /// Moves one in the world: to a place, or along the axes from the one it follows.
    pub fn move_to(&mut self, place: Vec3) {
        match (&mut self.pinned, &mut self.item.world) {
            (Some(pinned), _) => pinned.offset = place,
            (None, Some(world)) => world.place = place,
            (None, None) => {}
        }
    }

    /// As it is `alpha` (0..=1) of the way from the tick before to the last one, at `time` stage seconds;
    /// `None` when nothing of it is seen.
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
        if let Some(world) = &mut item.world {
            world.place = self.before.lerp(world.place, alpha);
        }
        Some(item)
    }
}

/// Shows what somebody says for `seconds` from `now`. With two captions there, the older one goes.
pub fn add_caption(
    ui: &mut Arena<StageUi>,
    ids: &mut Ids,
    mut item: UiItem,
    [now, seconds]: [f64; 2],
) -> Handle {
    let captions = || ui.iter().filter(|(_, ui)| ui.span.is_some());
    let oldest = captions().min_by_key(|(_, ui)| ui.item.order);
    if captions().count() >= MOST_CAPTIONS
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
    /// What is seen over the picture, lowest first.
    pub(super) fn add_ui(&self, alpha: f32, time: f64, out: &mut Vec<UiItem>) {
        let is_there = |ui: &StageUi| {
            let holder = ui.pinned.map(|pinned| pinned.holder);
            holder.is_none_or(|holder| self.characters.get(holder).is_some())
        };
        let there = self.ui.iter().filter(|(_, ui)| is_there(ui));
        out.extend(there.filter_map(|(_, ui)| ui.at(alpha, time)));
        out.sort_unstable_by_key(|item| (item.layer, item.order));
    }
}

/// What the tick begins with: captions whose time is over go.
pub(super) fn begin(ui: &mut Arena<StageUi>, time: f64) {
    for (_, slot) in ui.slots_mut() {
        if let Some(ui) = slot {
            ui.before = ui.item.world.map_or(ui.before, |world| world.place);
            if ui.span.is_some_and(|(_, to)| to <= time) {
                *slot = None;
            }
        }
    }
}

/// Brings what follows characters to them.
pub(super) fn follow(ui: &mut Arena<StageUi>, characters: &Arena<Character>) {
    for (_, ui) in ui.iter_mut() {
        let (Some(pinned), Some(world)) = (ui.pinned, &mut ui.item.world) else {
            continue;
        };
        let Some(holder) = characters.get(pinned.holder) else {
            continue;
        };
        let own = holder.posed.world[0];
        let bone = pinned.bone.map(usize::from);
        let from = match bone.and_then(|bone| holder.posed.model_from_bone.get(bone)) {
            Some(bone) => own * *bone,
            None => own,
        };
        world.place = Vec3::from(from.translation) + pinned.offset;
        if !std::mem::replace(&mut ui.is_placed, true) {
            ui.before = world.place;
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
            at: Vec2::ZERO,
            anchor: Vec2::ZERO,
            color: Vec3::ONE,
            opacity: 1.0,
            visible: true,
            layer: 0,
            order: 0,
            world: None,
        }
    }

    fn shown(stage: &Stage, alpha: f32) -> Vec<UiItem> {
        let mut out = Vec::new();
        stage.add_ui(alpha, stage.time(), &mut out);
        out
    }

    #[test]
    fn captions_fade_and_go_and_a_third_takes_the_place_of_the_first() {
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
        begin(&mut stage.ui, 1.5);
        assert!(stage.ui.is_empty());
    }

    #[test]
    fn a_place_is_mixed_between_ticks_and_higher_layers_come_last() {
        let mut stage = Stage::default();
        let at = |x: f32, layer: i32| UiItem {
            world: Some(UiPlace {
                place: Vec3::X * x,
                ..UiPlace::default()
            }),
            layer,
            ..caption("")
        };
        let a = stage.ui.insert(StageUi::new(at(0.0, 5), None));
        stage.ui.insert(StageUi::new(at(9.0, -1), None));
        begin(&mut stage.ui, 0.0);
        stage.ui.get_mut(a).unwrap().move_to(Vec3::X * 2.0);
        let places: Vec<_> = shown(&stage, 0.25)
            .into_iter()
            .filter_map(|item| Some(item.world?.place.x))
            .collect();
        assert_eq!(places, [9.0, 0.5]);
    }

    #[test]
    fn what_is_far_is_small_and_fades() {
        let place = UiPlace {
            size_at: Some(4.0),
            gone_at: Some(12.0),
            ..UiPlace::default()
        };
        assert_eq!(place.seen_from(4.0), (1.0, 1.0));
        assert_eq!(place.seen_from(8.0), (0.5, 1.0));
        assert_eq!(place.seen_from(10.0).1, 0.5);
        assert_eq!(place.seen_from(12.0).1, 0.0);
        assert_eq!(place.seen_from(0.0).0, 4.0);
        assert_eq!(UiPlace::default().seen_from(1e6), (1.0, 1.0));
    }
}
