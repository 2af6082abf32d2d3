//! Legend of a debug view, in a corner of the picture.

use glam::{Vec2, Vec3};

use super::bodies::{BEYOND, CONE, HINGE, LOOSE, SHAPE};
use super::bounds::{SPHERE, WHOLE};
use super::forces::{CONTACT, MASS, MOVES, STAYS, SUPPORT};
use super::skeleton::JointRole;
use super::springs::{BODY, COLLIDER, PIN, SPRING, THREAD};
use super::{NOTHING, ViewKind, linear, ramp};
use crate::ui::{UiContent, UiItem, UiText};

/// Sizes in points: panel width, outer and inner margin, line height, font size, and font size of the title.
const WIDTH: f32 = 268.0;
const OUTER_MARGIN: f32 = 18.0;
const INNER_MARGIN: f32 = 12.0;
const LINE_HEIGHT: f32 = 19.0;
const FONT_SIZE: f32 = 13.0;
const TITLE_SIZE: f32 = 16.0;
/// Number of boxes in a colour scale, and its height in points.
const STEPS: usize = 64;
const SCALE_HEIGHT: f32 = 12.0;

/// A title and entries below it.
pub struct Legend {
    title: String,
    lines: Vec<LegendEntry>,
}

enum LegendEntry {
    /// An encoded colour and its meaning.
    Key([f32; 3], String),
    /// Colours over the whole width, and labels at fractions of it.
    Scale(Vec<[f32; 3]>, Vec<(f32, String)>),
    /// A line of text.
    Note(String),
}

pub fn skeleton() -> Legend {
    let key = |joint: JointRole, what: &str| LegendEntry::Key(joint.color(), what.into());
    Legend {
        title: "skeleton".into(),
        lines: vec![
            key(JointRole::Moving, "moves vertices of a skin"),
            key(JointRole::Carrying, "a mesh is attached to it"),
            key(JointRole::Idle, "joint of a skin, moves no vertex"),
            key(JointRole::Plain, "node outside all skins"),
        ],
    }
}

pub fn bounds() -> Legend {
    Legend {
        title: "bounds".into(),
        lines: vec![
            LegendEntry::Key(WHOLE, "bounding box of the pose, metres".into()),
            LegendEntry::Note("each primitive has its own colour".into()),
            LegendEntry::Key(SPHERE, "culling sphere".into()),
        ],
    }
}

/// `energy`: kinetic energy, joules.
pub fn bodies(energy: f32) -> Legend {
    let key = |color: [f32; 3], what: &str| LegendEntry::Key(color, what.into());
    Legend {
        title: "bodies".into(),
        lines: vec![
            key(SHAPE, "bodies of the ragdoll, with their mass"),
            key(CONE, "swing limit of a joint"),
            key(HINGE, "range of a hinge"),
            key(BEYOND, "limit that is exceeded"),
            key(LOOSE, "current direction of the limb"),
            key(CONTACT, "contact point and normal"),
            key(MASS, "centre of mass"),
            key(SUPPORT, "support polygon"),
            key(STAYS, "static colliders"),
            key(MOVES, "moving colliders; dark: sleeping"),
            // Adding 0 turns the -0 of an empty sum into 0.
            LegendEntry::Note(format!("kinetic energy {:.0} J", energy + 0.0)),
        ],
    }
}

pub fn springs() -> Legend {
    let key = |color: [f32; 3], what: &str| LegendEntry::Key(color, what.into());
    Legend {
        title: "springs".into(),
        lines: vec![
            key(SPRING, "spring and jiggle bones"),
            key(COLLIDER, "colliders of springs"),
            key(THREAD, "ropes, cloth, hair guides"),
            key(PIN, "pins"),
            key(BODY, "their colliders"),
        ],
    }
}

pub fn weights(bone: Option<&str>) -> Legend {
    match bone {
        None => Legend {
            title: "weights".into(),
            lines: vec![
                LegendEntry::Note("each bone has its own colour,".into()),
                LegendEntry::Note("mixed by weight".into()),
            ],
        },
        Some(bone) => Legend {
            title: format!("weights · {bone}"),
            lines: vec![
                heat([(0.0, "0".into()), (0.5, "0.5".into()), (1.0, "1".into())]),
                LegendEntry::Key(NOTHING, "weight 0".into()),
            ],
        },
    }
}

/// `range`: end of the scale, centimetres.
pub fn morphs(morph: Option<&str>, range: f32) -> Legend {
    let title = match morph {
        None => "morphs · all active".into(),
        Some(morph) => format!("morphs · {morph} at 1"),
    };
    let half = format!("{}", range * 0.5);
    Legend {
        title,
        lines: vec![
            heat([(0.0, "0".into()), (0.5, half), (1.0, format!("{range} cm"))]),
            LegendEntry::Key(NOTHING, "not moved".into()),
        ],
    }
}

fn heat(words: [(f32, String); 3]) -> LegendEntry {
    let fraction = |i: usize| i as f32 / (STEPS - 1) as f32;
    let colors = (0..STEPS).map(|i| ramp(fraction(i))).collect();
    LegendEntry::Scale(colors, words.into())
}

/// Colours for counts from 1 to 8 and more.
fn counts() -> LegendEntry {
    let colors = (0..8).map(|i| ramp(i as f32 / 7.0)).collect();
    let words = (0..8).map(|i| {
        let more = if i == 7 { "+" } else { "" };
        ((i as f32 + 0.5) / 8.0, format!("{}{more}", i + 1))
    });
    LegendEntry::Scale(colors, words.collect())
}

fn greys() -> LegendEntry {
    let colors = (0..STEPS).map(|i| [i as f32 / (STEPS - 1) as f32; 3]);
    let words = [(0.0, "0"), (0.5, "0.5"), (1.0, "1")];
    let words = words.map(|(at, word)| (at, word.to_owned()));
    LegendEntry::Scale(colors.collect(), words.into())
}

/// Legends of the views that are drawn by a shader alone.
pub fn of(kind: ViewKind, hairs: bool) -> Legend {
    let note = |text: &str| LegendEntry::Note(text.into());
    let direction = |what: &str| {
        vec![
            LegendEntry::Key([1.0, 0.5, 0.5], format!("{what} along +X of the world")),
            LegendEntry::Key([0.5, 1.0, 0.5], "+Y, up".into()),
            LegendEntry::Key([0.5, 0.5, 1.0], "+Z".into()),
        ]
    };
    let mut lines = match kind {
        ViewKind::Wireframe => vec![note("visible edges of triangles")],
        ViewKind::Normals => direction("normal"),
        ViewKind::Tangents => {
            let mut lines = direction("tangent");
            lines.push(note("striped: mirrored, bitangent sign -1"));
            lines
        }
        ViewKind::Uv => vec![
            note("A–H along u, 1–8 along v, A1 at (0, 0)"),
            note("pale: outside of 0 to 1"),
        ],
        ViewKind::Overdraw => vec![counts(), note("layers shaded per pixel")],
        ViewKind::Light => vec![
            counts(),
            LegendEntry::Key(NOTHING, "none".into()),
            note("lights evaluated per pixel"),
        ],
        ViewKind::Unlit => vec![note("base colour, without light")],
        ViewKind::Roughness => vec![greys(), note("perceptual; 0 is a mirror")],
        ViewKind::Metallic => vec![greys(), note("1 is metal")],
        ViewKind::Occlusion => vec![greys(), note("ambient light; 1 is unoccluded")],
        ViewKind::Depth => vec![
            {
                let colors = (0..STEPS).map(|i| ramp(i as f32 / (STEPS - 1) as f32));
                let words = [
                    (0.0, "0.25"),
                    (0.25, "1"),
                    (0.5, "4"),
                    (0.75, "16"),
                    (1.0, "64 m"),
                ];
                let words = words.map(|(at, word)| (at, word.to_owned()));
                LegendEntry::Scale(colors.collect(), words.into())
            },
            note("along the view; a line every 10 cm"),
        ],
        ViewKind::Skeleton
        | ViewKind::Weights
        | ViewKind::Bounds
        | ViewKind::Bodies
        | ViewKind::Morphs
        | ViewKind::Springs => Vec::new(),
    };
    if hairs && matches!(kind, ViewKind::Normals | ViewKind::Tangents) {
        lines.push(note("one line per vertex"));
    }
    Legend {
        title: kind.name().into(),
        lines,
    }
}

impl Legend {
    /// Adds the legend to the lower left corner, with an error of the view if there is one.
    pub fn add(&self, fault: Option<String>, ui: &mut Vec<UiItem>) {
        let height_of = |entry: &LegendEntry| match entry {
            LegendEntry::Scale(..) => SCALE_HEIGHT + 4.0 + LINE_HEIGHT,
            LegendEntry::Key(..) | LegendEntry::Note(_) => LINE_HEIGHT,
        };
        let lines: f32 = self.lines.iter().map(height_of).sum();
        let height = 2.0 * INNER_MARGIN + TITLE_SIZE + 8.0 + lines - 4.0;
        let mut panel = LegendPanel { height, ui };
        let size = Vec2::new(WIDTH, height);
        panel.rect(Vec2::ZERO, size, 8.0, linear([0.05, 0.055, 0.065]), 0.82);
        let mut y = INNER_MARGIN;
        panel.text(
            &self.title,
            Vec2::new(INNER_MARGIN, y),
            0.0,
            TITLE_SIZE,
            Vec3::ONE,
        );
        y += TITLE_SIZE + 8.0;
        let inner = WIDTH - 2.0 * INNER_MARGIN;
        let pale = linear([0.82, 0.84, 0.87]);
        for entry in &self.lines {
            match entry {
                LegendEntry::Key(color, what) => {
                    let at = Vec2::new(INNER_MARGIN, y + 2.0);
                    panel.rect(at, Vec2::splat(11.0), 2.5, linear(*color), 1.0);
                    let at = Vec2::new(INNER_MARGIN + 19.0, y);
                    panel.text(what, at, 0.0, FONT_SIZE, pale);
                }
                LegendEntry::Note(what) => {
                    panel.text(what, Vec2::new(INNER_MARGIN, y), 0.0, FONT_SIZE, pale)
                }
                LegendEntry::Scale(colors, words) => {
                    let step = inner / colors.len() as f32;
                    for (i, color) in colors.iter().enumerate() {
                        let at = Vec2::new(INNER_MARGIN + step * i as f32, y);
                        // Slightly wider, so that no gap is visible between boxes.
                        let size = Vec2::new(step + 0.6, SCALE_HEIGHT);
                        panel.rect(at, size, 0.0, linear(*color), 1.0);
                    }
                    for (fraction, word) in words {
                        let at = Vec2::new(INNER_MARGIN + inner * fraction, y + SCALE_HEIGHT + 3.0);
                        let align = match *fraction {
                            s if s <= 0.0 => 0.0,
                            s if s >= 1.0 => 1.0,
                            _ => 0.5,
                        };
                        panel.text(word, at, align, FONT_SIZE, pale);
                    }
                }
            }
            y += height_of(entry);
        }
        if let Some(fault) = fault {
            let at = Vec2::new(0.0, -LINE_HEIGHT - 6.0);
            panel.text(&fault, at, 0.0, FONT_SIZE + 1.0, linear([1.0, 0.5, 0.42]));
        }
    }
}

struct LegendPanel<'a> {
    height: f32,
    ui: &'a mut Vec<UiItem>,
}

impl LegendPanel<'_> {
    /// `at`: upper left corner, points.
    fn rect(&mut self, at: Vec2, size: Vec2, round: f32, color: Vec3, opacity: f32) {
        let content = UiContent::Box {
            size,
            round,
            border: None,
        };
        self.push(content, at + Vec2::Y * size.y, color, opacity);
    }

    /// `align`: 0 starts at the position, 1 ends there. The width is estimated: letters are about half as wide as high.
    fn text(&mut self, text: &str, at: Vec2, align: f32, size: f32, color: Vec3) {
        let width = text.chars().count() as f32 * 0.52 * size;
        let at = at + Vec2::new(-align * width, 1.22 * size);
        let text = UiText {
            text: text.into(),
            size,
            width: None,
            align: 0.0,
            outline: 0.0,
            shadow: true,
            background: None,
        };
        self.push(UiContent::Text(text), at, color, 1.0);
    }

    /// `at`: lower left corner, because position and item use the same anchor.
    fn push(&mut self, content: UiContent, at: Vec2, color: Vec3, opacity: f32) {
        self.ui.push(UiItem {
            content,
            offset: at + Vec2::new(OUTER_MARGIN, -OUTER_MARGIN - self.height),
            anchor: Vec2::Y,
            color,
            opacity,
            visible: true,
            z_index: i32::MAX,
            order: u64::MAX,
            world_position: None,
        });
    }
}
