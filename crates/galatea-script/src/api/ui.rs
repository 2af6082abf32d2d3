//! `ui`: texts, bars, boxes and images over the picture, and captions.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use mlua::{Lua, Value};

use super::character::{CharacterRef, bone_index, find};
use super::check::{Args, Field, Fields, Param, Type, object};
use super::ui_handle::{UiRef, check_text, points};
use super::{Function, Group, Kind};
use crate::world::{World, with_world};
use galatea_stage::{MOST_UI, Pinned, StageUi, UiContent, UiItem, UiPlace, UiText, add_caption};

/// Places of the picture, and the shares of its width and height that they are.
const ANCHORS: &[&str] = &[
    "top_left",
    "top",
    "top_right",
    "left",
    "centre",
    "right",
    "bottom_left",
    "bottom",
    "bottom_right",
];
const ALIGNS: &[&str] = &["left", "centre", "right"];

/// Points of an image's longer side where nothing is said of its size.
const IMAGE_SIDE: f32 = 256.0;

macro_rules! ui_fields {
    ($($own:expr),* $(,)?) => {
        &[
            $($own,)*
            Field { name: "at", ty: Type::Vector, doc: "x points to the right and y points down from its anchor, or from its place in the world; (0, 0, 0)" },
            Field { name: "anchor", ty: Type::Word(ANCHORS), doc: "the corner, edge or middle of the picture from which at counts, and which of its own lies there; top_left, in the world bottom" },
            Field { name: "opacity", ty: Type::Number, doc: "0 to 1; 1" },
            Field { name: "visible", ty: Type::Bool, doc: "true" },
            Field { name: "layer", ty: Type::Number, doc: "higher ones lie over lower ones, later ones over earlier ones; 0" },
            Field { name: "world", ty: Type::Vector, doc: "the place in the world at which it is seen, metres" },
            Field { name: "character", ty: Type::Object("Character"), doc: "whom it follows, in place of world" },
            Field { name: "bone", ty: Type::Text, doc: "which bone of the character; without it, where the character stands" },
            Field { name: "offset", ty: Type::Vector, doc: "metres from there along the axes of the world; (0, 0, 0)" },
            Field { name: "size_at", ty: Type::Number, doc: "in the world: metres from the camera at which it has its size, farther away it is smaller; without it always the same" },
            Field { name: "gone_at", ty: Type::Number, doc: "in the world: metres from the camera at which it has faded away, beginning at two thirds" },
        ]
    };
}

const COLOR: Field = Field {
    name: "color",
    ty: Type::Vector,
    doc: "linear colour; (1, 1, 1)",
};
const WIDTH: Field = Field {
    name: "width",
    ty: Type::Number,
    doc: "points",
};
const HEIGHT: Field = Field {
    name: "height",
    ty: Type::Number,
    doc: "points",
};
const ROUND: Field = Field {
    name: "round",
    ty: Type::Number,
    doc: "radius of its corners, points; 0, of a bar half its height",
};

const TEXT_FIELDS: &[Field] = ui_fields!(
    COLOR,
    Field {
        name: "size",
        ty: Type::Number,
        doc: "height of its letters, points, 4 to 300; 24"
    },
    Field {
        name: "width",
        ty: Type::Number,
        doc: "points at which lines are broken; without it where the text is"
    },
    Field {
        name: "align",
        ty: Type::Word(ALIGNS),
        doc: "where short lines stand; as the anchor is"
    },
    Field {
        name: "outline",
        ty: Type::Number,
        doc: "points of black around the letters, 0 to 8; 0"
    },
    Field {
        name: "shadow",
        ty: Type::Bool,
        doc: "black below the letters; false"
    },
    Field {
        name: "background",
        ty: Type::Vector,
        doc: "linear colour of a box behind them"
    },
);
const BAR_FIELDS: &[Field] = ui_fields!(
    COLOR,
    WIDTH,
    HEIGHT,
    ROUND,
    Field {
        name: "back",
        ty: Type::Vector,
        doc: "linear colour of what is not filled; (0.02, 0.02, 0.03)"
    },
);
const BOX_FIELDS: &[Field] = ui_fields!(
    COLOR,
    WIDTH,
    HEIGHT,
    ROUND,
    Field {
        name: "border",
        ty: Type::Vector,
        doc: "linear colour of a line around it"
    },
);
const IMAGE_FIELDS: &[Field] = ui_fields!(COLOR, WIDTH, HEIGHT);

const CAPTION_FIELDS: &[Field] = &[
    Field {
        name: "time",
        ty: Type::Number,
        doc: "seconds for which it is shown, up to 600; as long as it takes to read",
    },
    Field {
        name: "color",
        ty: Type::Vector,
        doc: "linear colour of the speaker's name; one by the name",
    },
];

/// The share of the picture's width and height at which an anchor lies.
fn anchor_of(name: &str) -> Vec2 {
    let x = match name {
        name if name.ends_with("left") => 0.0,
        name if name.ends_with("right") => 1.0,
        _ => 0.5,
    };
    let y = match name {
        name if name.starts_with("top") => 0.0,
        name if name.starts_with("bottom") => 1.0,
        _ => 0.5,
    };
    Vec2::new(x, y)
}

fn number(fields: &Fields, name: &str, default: f32, low: f32, high: f32) -> f32 {
    let given = fields.number(name).map_or(default, |n| n as f32);
    given.clamp(low, high)
}

fn color(fields: &Fields, name: &str) -> Option<Vec3> {
    Some(fields.vector(name)?.max(Vec3::ZERO))
}

fn size(fields: &Fields, default: Vec2) -> Vec2 {
    let side = |name, default| number(fields, name, default, 0.0, 1e4);
    Vec2::new(side("width", default.x), side("height", default.y))
}

fn check_room(world: &World) -> mlua::Result<()> {
    if world.stage.ui.len() >= MOST_UI {
        return Err(mlua::Error::runtime(format!(
            "ui: there may be {MOST_UI} things over the picture; remove() those that are over"
        )));
    }
    Ok(())
}

/// The place in the world that the fields tell, if they tell one.
fn place(world: &mut World, fields: &Fields) -> mlua::Result<(Option<UiPlace>, Option<Pinned>)> {
    let far = |name| fields.number(name).map(|n| n.max(0.01) as f32);
    let mut place = UiPlace {
        place: Vec3::ZERO,
        size_at: far("size_at"),
        gone_at: far("gone_at"),
        gives_way: false,
    };
    let bone = fields.text("bone");
    if let Some(CharacterRef(holder)) = object(&fields.value("character")) {
        let character = find(&mut world.stage, holder)?;
        let bone = match bone {
            Some(name) => Some(bone_index(character, &name)?),
            None => None,
        };
        let offset = fields.vector("offset").unwrap_or(Vec3::ZERO);
        let pinned = Pinned {
            holder,
            bone,
            offset,
        };
        return Ok((Some(place), Some(pinned)));
    }
    if bone.is_some() {
        return Err(mlua::Error::runtime("bone: say whose, with character"));
    }
    let Some(at) = fields.vector("world") else {
        return Ok((None, None));
    };
    place.place = at + fields.vector("offset").unwrap_or(Vec3::ZERO);
    Ok((Some(place), None))
}

/// Puts something over the picture.
fn add(lua: &Lua, fields: &Fields, content: UiContent) -> mlua::Result<Value> {
    let handle = with_world(lua, |world| {
        check_room(world)?;
        let (world_place, pinned) = place(world, fields)?;
        let plain = match world_place {
            Some(_) => "bottom",
            None => "top_left",
        };
        let anchor = anchor_of(fields.text("anchor").as_deref().unwrap_or(plain));
        let mut content = content;
        if let (UiContent::Text(text), None) = (&mut content, fields.text("align")) {
            text.align = anchor.x;
        }
        let item = UiItem {
            content,
            at: fields.vector("at").map_or(Vec2::ZERO, points),
            anchor,
            color: color(fields, "color").unwrap_or(Vec3::ONE),
            opacity: number(fields, "opacity", 1.0, 0.0, 1.0),
            visible: fields.bool("visible").unwrap_or(true),
            layer: number(fields, "layer", 0.0, -1e6, 1e6) as i32,
            order: world.stage.ids.new_id(),
            world: world_place,
        };
        Ok(world.stage.ui.insert(StageUi::new(item, pinned)))
    })?;
    Ok(Value::UserData(lua.create_userdata(UiRef(handle))?))
}

fn text(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(1);
    let text = UiText {
        text: check_text(args.text(0).unwrap_or_default())?,
        size: number(&fields, "size", 24.0, 4.0, 300.0),
        width: fields.number("width").map(|n| n.max(1.0) as f32),
        align: fields.text("align").map_or(0.0, |name| anchor_of(&name).x),
        outline: number(&fields, "outline", 0.0, 0.0, 8.0),
        shadow: fields.bool("shadow").unwrap_or(false),
        background: color(&fields, "background"),
    };
    add(lua, &fields, UiContent::Text(text))
}

fn bar(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(1);
    let size = size(&fields, Vec2::new(200.0, 16.0));
    let content = UiContent::Bar {
        value: args.number(0).unwrap_or(0.0).clamp(0.0, 1.0) as f32,
        size,
        back: color(&fields, "back").unwrap_or(Vec3::new(0.02, 0.02, 0.03)),
        round: number(&fields, "round", size.y * 0.5, 0.0, 100.0),
    };
    add(lua, &fields, content)
}

fn a_box(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    let content = UiContent::Box {
        size: size(&fields, Vec2::new(200.0, 100.0)),
        round: number(&fields, "round", 0.0, 0.0, 100.0),
        border: color(&fields, "border"),
    };
    add(lua, &fields, content)
}

fn image(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(1);
    let file = args.text(0).unwrap_or_default();
    let image = with_world(lua, |world| {
        world.services.image(&file).map_err(|why| {
            world.wait_for(file, false);
            mlua::Error::runtime(format!("ui.image: {why}"))
        })
    })?;
    let own = Vec2::new(image.width as f32, image.height as f32).max(Vec2::ONE);
    let size = match (fields.number("width"), fields.number("height")) {
        (Some(width), None) => own * (width as f32 / own.x),
        (None, Some(height)) => own * (height as f32 / own.y),
        _ => size(&fields, own * (IMAGE_SIDE / own.max_element()).min(1.0)),
    };
    let size = size.clamp(Vec2::ZERO, Vec2::splat(1e4));
    add(lua, &fields, UiContent::Image { image, size })
}

/// Seconds that it takes to read a text: a third of a second a word, as subtitles are timed (BBC Subtitle
/// Guidelines, 160 to 180 words a minute), and some to find it.
fn reading_time(text: &str) -> f64 {
    0.7 + 0.35 * text.split_whitespace().count() as f64
}

/// Colours of speakers' names, linear.
const SPEAKERS: [Vec3; 6] = [
    Vec3::new(1.0, 0.62, 0.16),
    Vec3::new(0.24, 0.70, 1.0),
    Vec3::new(0.45, 0.92, 0.35),
    Vec3::new(1.0, 0.42, 0.62),
    Vec3::new(0.72, 0.56, 1.0),
    Vec3::new(0.30, 0.90, 0.80),
];

/// What somebody says, at the foot of the picture; everybody's name has its own colour.
pub(super) fn caption_item(speaker: Arc<str>, text: Arc<str>) -> UiItem {
    let sum: usize = speaker.bytes().map(usize::from).sum();
    UiItem {
        content: UiContent::Caption { speaker, text },
        at: Vec2::ZERO,
        anchor: Vec2::new(0.5, 1.0),
        color: SPEAKERS[sum % SPEAKERS.len()],
        opacity: 1.0,
        visible: true,
        layer: i32::MAX,
        order: 0,
        world: None,
    }
}

fn caption(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let speaker = check_text(args.text(0).unwrap_or_default())?;
    let text = check_text(args.text(1).unwrap_or_default())?;
    let fields = args.fields(2);
    let seconds = fields.number("time").unwrap_or_else(|| reading_time(&text));
    let handle = with_world(lua, |world| {
        check_room(world)?;
        let mut item = caption_item(speaker, text);
        item.color = color(&fields, "color").unwrap_or(item.color);
        let now = world.stage.clock.time();
        let (ui, ids) = (&mut world.stage.ui, &mut world.stage.ids);
        Ok(add_caption(ui, ids, item, [now, seconds.clamp(0.1, 600.0)]))
    })?;
    Ok(Value::UserData(lua.create_userdata(UiRef(handle))?))
}

const fn given(name: &'static str, ty: Type) -> Param {
    Param {
        name,
        ty,
        optional: false,
    }
}

const fn options(fields: &'static [Field]) -> Param {
    Param::options(fields)
}

/// The module `ui`.
pub(super) static GROUP: Group = Group {
    kind: Kind::Module,
    name: "ui",
    doc: "Texts, bars, boxes and images over the picture, and captions. Places and sizes are points of a \
          picture of 1280 × 720 that is scaled to the real one; anchors hold them to its corners and edges, \
          so a layout holds at any size. With world or character they are labels in the world, not \
          hidden by anything. Each stays until it is removed or the script is saved. Colours are linear.",
    functions: &[
        Function {
            name: "text",
            params: &[given("text", Type::Text), options(TEXT_FIELDS)],
            returns: "Ui",
            doc: "Shows a text; \\n begins a new line.",
            example: "ui.text(\"Galatea\", { character = hero, bone = \"head\", offset = vector.create(0, 0.3, 0), size = 20, outline = 2 })",
            call: text,
        },
        Function {
            name: "bar",
            params: &[given("value", Type::Number), options(BAR_FIELDS)],
            returns: "Ui",
            doc: "Shows a bar that is filled from the left by a value from 0 to 1, 200 × 16 points.",
            example: "ui.bar(0.7, { at = vector.create(20, 20, 0), width = 240, color = vector.create(0.8, 0.1, 0.1) })",
            call: bar,
        },
        Function {
            name: "box",
            params: &[options(BOX_FIELDS)],
            returns: "Ui",
            doc: "Shows a rectangle, 200 × 100 points.",
            example: "ui.box { anchor = \"bottom\", width = 1280, height = 90, color = vector.zero, opacity = 0.6 }",
            call: a_box,
        },
        Function {
            name: "image",
            params: &[given("file", Type::Text), options(IMAGE_FIELDS)],
            returns: "Ui",
            doc: "Shows a picture of the project: PNG, JPEG or WebP of at most 2048 × 2048 pixels. With one of \
                  width and height the other follows; with neither its longer side is 256 points or fewer. A \
                  save of the file is seen at once.",
            example: "ui.image(\"tests/logo.png\", { anchor = \"top_right\", at = vector.create(-20, 20, 0), height = 64 })",
            call: image,
        },
        Function {
            name: "caption",
            params: &[
                given("speaker", Type::Text),
                given("text", Type::Text),
                options(CAPTION_FIELDS),
            ],
            returns: "Ui",
            doc: "Shows what somebody says at the bottom of the picture, broken at two thirds of its width. Two \
                  are there at once, the later one below; a third takes the place of the first. The speaker \
                  may be \"\".",
            example: "ui.caption(\"Galatea\", \"Oh, it is you.\", { time = 3 })",
            call: caption,
        },
    ],
    properties: &[],
};
