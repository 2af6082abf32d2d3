//! `ui`: texts, bars, boxes and images over the picture, and captions.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use mlua::{Lua, Value};

use super::character_ref::{CharacterRef, bone_index, find};
use super::check::{Args, Options, Param, Type};
use super::group::{Function, Group, Kind};
use super::ui_element_handle::{UiElementRef, check_text, points};
use crate::words;
use crate::world::with_world;
use galatea_derive::Options;
use galatea_speech::silent::reading_time;
use galatea_stage::{
    MAX_UI, Pinned, Stage, StageUi, UiContent, UiItem, UiText, UiWorldPlacement, add_caption,
};

/// Corner, edge or centre of the screen, as fractions of its width and height.
#[derive(Clone, Copy)]
struct Anchor(Vec2);

words!(Anchor {
    "top_left" => Anchor(Vec2::new(0.0, 0.0)),
    "top" => Anchor(Vec2::new(0.5, 0.0)),
    "top_right" => Anchor(Vec2::new(1.0, 0.0)),
    "left" => Anchor(Vec2::new(0.0, 0.5)),
    "center" => Anchor(Vec2::new(0.5, 0.5)),
    "right" => Anchor(Vec2::new(1.0, 0.5)),
    "bottom_left" => Anchor(Vec2::new(0.0, 1.0)),
    "bottom" => Anchor(Vec2::new(0.5, 1.0)),
    "bottom_right" => Anchor(Vec2::new(1.0, 1.0)),
});

/// Alignment of short lines within a text, as a fraction of its width.
#[derive(Clone, Copy)]
struct Align(f32);

words!(Align {
    "left" => Align(0.0),
    "center" => Align(0.5),
    "right" => Align(1.0),
});

/// Longer side of an image without a given size, points.
const IMAGE_SIDE: f32 = 256.0;

/// Position and appearance of a UI element.
#[derive(Options)]
struct UiOptions {
    /// Offset in points, x to the right and y down, from the anchor or from the label's position in the world.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)")]
    position: Vec3,
    /// Corner, edge or centre of the screen to which the element is attached. `position` is the offset from this point
    /// of the screen to the same point of the element.
    #[option(default_doc = "\"top_left\"; in the world \"bottom\"")]
    anchor: Option<Anchor>,
    /// Colour, as linear RGB.
    #[option(default = Vec3::ONE, default_doc = "(1, 1, 1)")]
    color: Vec3,
    /// Opacity: 0 is invisible, 1 is opaque.
    #[option(default = 1.0, clamp = 0.0..=1.0)]
    opacity: f32,
    /// True shows the element.
    #[option(default = true)]
    visible: bool,
    /// Drawing order. Elements with a higher value cover those with a lower value. With the same value, newer elements
    /// cover older ones.
    #[option(default = 0.0, clamp = -1e6..=1e6)]
    z_index: f32,
    /// Position in the world. With it, the element is a label at this position.
    #[option(unit = "metres")]
    world_position: Option<Vec3>,
    /// Character that the element follows. Use it instead of `world_position`.
    character: Option<CharacterRef>,
    /// Bone of `character` that the element follows. Without it, the element follows the character's position.
    bone: Option<String>,
    /// Offset from `world_position` or from the character, along the world's axes.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    offset: Vec3,
    /// For labels in the world: distance from the camera at which the label has its full size. Farther away, the label
    /// is smaller. Without this option, its size is the same at all distances.
    #[option(unit = "metres", clamp = 0.01..)]
    full_size_distance: Option<f32>,
    /// For labels in the world: distance from the camera beyond which the label is invisible. The label begins to fade
    /// at two thirds of this distance.
    #[option(unit = "metres", clamp = 0.01..)]
    max_distance: Option<f32>,
}

/// Text on the screen.
#[derive(Options)]
struct UiTextOptions {
    #[option(flatten)]
    ui: UiOptions,
    /// Height of the letters (font size).
    #[option(default = 24.0, unit = "points", clamp = 4.0..=300.0)]
    size: f32,
    /// Width of the text, at which longer lines wrap. Without it, lines end only at the line breaks in the text.
    #[option(unit = "points", clamp = 1.0..)]
    width: Option<f32>,
    /// Alignment of the lines of a text with several lines.
    #[option(default_doc = "that of `anchor`")]
    align: Option<Align>,
    /// Width of the black outline around the letters.
    #[option(default = 0.0, unit = "points", clamp = 0.0..=8.0)]
    outline: f32,
    /// True draws a black shadow behind the letters.
    #[option(default = false)]
    shadow: bool,
    /// Colour of a box behind the text, as linear RGB.
    background: Option<Vec3>,
}

/// Progress bar on the screen.
#[derive(Options)]
struct UiBarOptions {
    #[option(flatten)]
    ui: UiOptions,
    /// Width of the bar.
    #[option(default = 200.0, unit = "points", clamp = 0.0..=1e4)]
    width: f32,
    /// Height of the bar.
    #[option(default = 16.0, unit = "points", clamp = 0.0..=1e4)]
    height: f32,
    /// Radius of the rounded corners.
    #[option(default_doc = "half of `height`", unit = "points", clamp = 0.0..=100.0)]
    corner_radius: Option<f32>,
    /// Colour of the empty part, as linear RGB.
    #[option(default = Vec3::new(0.02, 0.02, 0.03), default_doc = "(0.02, 0.02, 0.03)")]
    background: Vec3,
}

/// Rectangle on the screen.
#[derive(Options)]
struct UiBoxOptions {
    #[option(flatten)]
    ui: UiOptions,
    /// Width of the rectangle.
    #[option(default = 200.0, unit = "points", clamp = 0.0..=1e4)]
    width: f32,
    /// Height of the rectangle.
    #[option(default = 100.0, unit = "points", clamp = 0.0..=1e4)]
    height: f32,
    /// Radius of the rounded corners.
    #[option(default = 0.0, unit = "points", clamp = 0.0..=100.0)]
    corner_radius: f32,
    /// Colour of the border, as linear RGB. Without it there is no border.
    border: Option<Vec3>,
}

/// Image on the screen. If only one of width and height is given, the other follows from the image's aspect ratio.
#[derive(Options)]
struct UiImageOptions {
    #[option(flatten)]
    ui: UiOptions,
    /// Width of the image.
    #[option(unit = "points", clamp = 0.0..=1e4)]
    width: Option<f32>,
    /// Height of the image.
    #[option(unit = "points", clamp = 0.0..=1e4)]
    height: Option<f32>,
}

/// Caption of a spoken line.
#[derive(Options)]
struct CaptionOptions {
    /// Time for which the caption is shown.
    #[option(default_doc = "the reading time", unit = "seconds", clamp = 0.1..=600.0)]
    duration: Option<f64>,
    /// Colour of the speaker's name, as linear RGB.
    #[option(default_doc = "made from the speaker's name")]
    color: Option<Vec3>,
}

fn check_room(stage: &Stage) -> mlua::Result<()> {
    if stage.ui.len() >= MAX_UI {
        return Err(mlua::Error::runtime(format!(
            "ui: the limit is {MAX_UI} elements; remove old ones with remove()"
        )));
    }
    Ok(())
}

/// World position for these options, if any, and the character it follows.
fn world_position(
    stage: &mut Stage,
    options: &UiOptions,
) -> mlua::Result<(Option<UiWorldPlacement>, Option<Pinned>)> {
    let mut place = UiWorldPlacement {
        position: Vec3::ZERO,
        full_size_distance: options.full_size_distance,
        max_distance: options.max_distance,
        avoids_overlap: false,
    };
    if let Some(CharacterRef(holder)) = options.character {
        let character = find(stage, holder)?;
        let bone = match &options.bone {
            Some(name) => Some(bone_index(character, name)?),
            None => None,
        };
        let pinned = Pinned {
            holder,
            bone,
            offset: options.offset,
        };
        return Ok((Some(place), Some(pinned)));
    }
    if options.bone.is_some() {
        return Err(mlua::Error::runtime("bone: needs the option character"));
    }
    let Some(at) = options.world_position else {
        return Ok((None, None));
    };
    place.position = at + options.offset;
    Ok((Some(place), None))
}

/// Adds an element to the screen. Its content may depend on its anchor.
fn add(
    lua: &Lua,
    options: UiOptions,
    content: impl FnOnce(Vec2) -> UiContent,
) -> mlua::Result<Value> {
    let handle = with_world(lua, |world| {
        check_room(&world.stage)?;
        let (world_place, pinned) = world_position(&mut world.stage, &options)?;
        let plain = match world_place {
            Some(_) => Vec2::new(0.5, 1.0),
            None => Vec2::ZERO,
        };
        let anchor = options.anchor.map_or(plain, |anchor| anchor.0);
        let item = UiItem {
            content: content(anchor),
            offset: points(options.position),
            anchor,
            color: options.color.max(Vec3::ZERO),
            opacity: options.opacity,
            visible: options.visible,
            z_index: options.z_index as i32,
            order: world.stage.ids.new_id(),
            world_position: world_place,
        };
        Ok(world.stage.ui.insert(StageUi::new(item, pinned)))
    })?;
    Ok(Value::UserData(lua.create_userdata(UiElementRef(handle))?))
}

fn text(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: UiTextOptions = args.options(1)?;
    let text = check_text(args.text(0).unwrap_or_default())?;
    add(lua, options.ui, |anchor| {
        UiContent::Text(UiText {
            text,
            size: options.size,
            width: options.width,
            align: options.align.map_or(anchor.x, |align| align.0),
            outline: options.outline,
            shadow: options.shadow,
            background: options.background.map(|color| color.max(Vec3::ZERO)),
        })
    })
}

fn bar(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: UiBarOptions = args.options(1)?;
    let value = args.number(0).unwrap_or(0.0).clamp(0.0, 1.0) as f32;
    add(lua, options.ui, |_| UiContent::Bar {
        value,
        size: Vec2::new(options.width, options.height),
        back: options.background.max(Vec3::ZERO),
        round: options
            .corner_radius
            .unwrap_or((options.height * 0.5).min(100.0)),
    })
}

fn a_box(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: UiBoxOptions = args.options(0)?;
    add(lua, options.ui, |_| UiContent::Box {
        size: Vec2::new(options.width, options.height),
        round: options.corner_radius,
        border: options.border.map(|color| color.max(Vec3::ZERO)),
    })
}

fn image(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: UiImageOptions = args.options(1)?;
    let file = args.text(0).unwrap_or_default();
    let image = with_world(lua, |world| {
        let image = world.loading.image(&*world.services, &file);
        image.map_err(|why| mlua::Error::runtime(format!("ui.image: {why}")))
    })?;
    let own = Vec2::new(image.width as f32, image.height as f32).max(Vec2::ONE);
    let size = match (options.width, options.height) {
        (Some(width), None) => own * (width / own.x),
        (None, Some(height)) => own * (height / own.y),
        (Some(width), Some(height)) => Vec2::new(width, height),
        (None, None) => own * (IMAGE_SIDE / own.max_element()).min(1.0),
    };
    let size = size.clamp(Vec2::ZERO, Vec2::splat(1e4));
    add(lua, options.ui, |_| UiContent::Image { image, size })
}

/// Linear colours for speakers' names.
const SPEAKERS: [Vec3; 6] = [
    Vec3::new(1.0, 0.62, 0.16),
    Vec3::new(0.24, 0.70, 1.0),
    Vec3::new(0.45, 0.92, 0.35),
    Vec3::new(1.0, 0.42, 0.62),
    Vec3::new(0.72, 0.56, 1.0),
    Vec3::new(0.30, 0.90, 0.80),
];

/// Caption at the bottom of the screen. The speaker's name selects one of six colours.
pub(super) fn caption_item(speaker: Arc<str>, text: Arc<str>) -> UiItem {
    let sum: usize = speaker.bytes().map(usize::from).sum();
    UiItem {
        content: UiContent::Caption { speaker, text },
        offset: Vec2::ZERO,
        anchor: Vec2::new(0.5, 1.0),
        color: SPEAKERS[sum % SPEAKERS.len()],
        opacity: 1.0,
        visible: true,
        z_index: i32::MAX,
        order: 0,
        world_position: None,
    }
}

fn caption(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let speaker = check_text(args.text(0).unwrap_or_default())?;
    let text = check_text(args.text(1).unwrap_or_default())?;
    let options: CaptionOptions = args.options(2)?;
    let seconds = options
        .duration
        .unwrap_or_else(|| f64::from(reading_time(&text)));
    let handle = with_world(lua, |world| {
        check_room(&world.stage)?;
        let mut item = caption_item(speaker, text);
        item.color = options
            .color
            .map_or(item.color, |color| color.max(Vec3::ZERO));
        let now = world.stage.clock.time();
        let (ui, ids) = (&mut world.stage.ui, &mut world.stage.ids);
        Ok(add_caption(ui, ids, item, [now, seconds.clamp(0.1, 600.0)]))
    })?;
    Ok(Value::UserData(lua.create_userdata(UiElementRef(handle))?))
}

const fn given(name: &'static str, ty: Type) -> Param {
    Param {
        name,
        ty,
        optional: false,
    }
}

/// The module `ui`.
pub(super) static GROUP: Group = Group {
    kind: Kind::Module,
    name: "ui",
    doc: "User interface: texts, bars, boxes, images and captions, drawn over the picture. Colours are linear RGB. An \
          element stays until you remove it or the script is reloaded.\n\n\
          - Positions and sizes are in points. The screen always counts as 1280 × 720 points, whatever its real size.\n\
          - The option `anchor` attaches an element to a corner or edge of the screen, so that a layout also fits \
          screens of other shapes.\n\
          - With `world_position` or `character`, an element is a label at a position in the world. It is visible even \
          behind walls and other objects.",
    functions: &[
        Function {
            name: "text",
            params: &[
                given("text", Type::Text),
                Param::options(UiTextOptions::SHAPE),
            ],
            returns: "UiElement",
            doc: "Shows a text; `\\n` in it begins a new line. Returns an element, with which you can change and remove the \
                  text.",
            example: "ui.text(\"Galatea\", { character = hero, bone = \"head\", offset = vec(0, 0.3, 0), size = 20, outline = 2 })",
            call: text,
        },
        Function {
            name: "bar",
            params: &[
                given("value", Type::Number),
                Param::options(UiBarOptions::SHAPE),
            ],
            returns: "UiElement",
            doc: "Shows a bar, for example for health. `value` is how much of it is filled, from the left: 0 is empty, \
                  1 is full. Returns an element, with which you can change and remove the bar.",
            example: "ui.bar(0.7, { position = vec(20, 20, 0), width = 240, color = vec(0.8, 0.1, 0.1) })",
            call: bar,
        },
        Function {
            name: "box",
            params: &[Param::options(UiBoxOptions::SHAPE)],
            returns: "UiElement",
            doc: "Shows a rectangle. Returns an element, with which you can change and remove it.",
            example: "ui.box { anchor = \"bottom\", width = 1280, height = 90, color = vector.zero, opacity = 0.6 }",
            call: a_box,
        },
        Function {
            name: "image",
            params: &[
                given("file", Type::Text),
                Param::options(UiImageOptions::SHAPE),
            ],
            returns: "UiElement",
            doc: "Shows an image file of the project: PNG, JPEG or WebP with at most 2048 × 2048 pixels. If you set \
                  only `width` or only `height`, the shape of the image gives the other one. If you set neither, the \
                  longer side is at most 256 points. When the file changes, the image is loaded again.",
            example: "ui.image(\"tests/logo.png\", { anchor = \"top_right\", position = vec(-20, 20, 0), height = 64 })",
            call: image,
        },
        Function {
            name: "caption",
            params: &[
                given("speaker", Type::Text),
                given("text", Type::Text),
                Param::options(CaptionOptions::SHAPE),
            ],
            returns: "UiElement",
            doc: "Shows a caption, a spoken line as text, at the bottom of the screen. `speaker` is the name before the \
                  text, or \"\" for no name. The text wraps at two thirds of the screen's width. At most two captions \
                  are shown, the newer one below the older one; a third replaces the oldest.",
            example: "ui.caption(\"Galatea\", \"Oh, it is you.\", { duration = 3 })",
            call: caption,
        },
    ],
    properties: &[],
};
