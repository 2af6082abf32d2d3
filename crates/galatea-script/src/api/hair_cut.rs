//! Haircuts: which there are, what of them can be other, and `hair.grow`.

use glam::Vec3;
use mlua::{Lua, Table, Value};

use super::character::{CharacterRef, bone_index, find};
use super::check::{Args, Field, Fields, Type, lua_vector, object};
use super::{Function, Group, Kind, Param};
use crate::budget::charge;
use crate::world::with_world;
use galatea_character::{Character, HeadSkin};
use galatea_hair::{CUT_NAMES, Cut, Grown, Locks};

/// Work of the script that a haircut counts for.
pub(super) const CUT_CHARGE: u64 = 20_000;

pub(super) const CUT_TYPE: Type = Type::OneOf(&[Type::Word(&CUT_NAMES), Type::Fields(CUT_FIELDS)]);

const CUT_FIELDS: &[Field] = &[
    Field {
        name: "style",
        ty: Type::Word(&CUT_NAMES),
        doc: "which haircut it is, but for what else is given; \"long\"",
    },
    Field {
        name: "length",
        ty: Type::Number,
        doc: "metres, on top; of beards on the chin",
    },
    Field {
        name: "sides",
        ty: Type::Number,
        doc: "metres, at the sides and at the nape; of beards on the cheeks",
    },
    Field {
        name: "ends",
        ty: Type::OneOf(&[Type::Number, Type::Bool]),
        doc: "nothing hangs deeper than this share of the way from the eyes down to the chin; false for no such line",
    },
    Field {
        name: "parting",
        ty: Type::OneOf(&[Type::Number, Type::Bool]),
        doc: "where it is parted, -1 at the right to 1 at the left; false for no parting",
    },
    Field {
        name: "back",
        ty: Type::Number,
        doc: "1 combed back from the forehead, -1 over it",
    },
    Field {
        name: "fringe",
        ty: Type::Number,
        doc: "metres of what falls over the forehead; 0",
    },
    Field {
        name: "lift",
        ty: Type::Number,
        doc: "metres above the skin at which it lies",
    },
    Field {
        name: "rise",
        ty: Type::Number,
        doc: "how steeply it leaves the skin, 0 to 1",
    },
    Field {
        name: "droop",
        ty: Type::Number,
        doc: "how fast it turns down, radians per metre; up where it is less than 0",
    },
    Field {
        name: "tips",
        ty: Type::Number,
        doc: "1 turns the tips in, -1 out",
    },
    Field {
        name: "band",
        ty: Type::OneOf(&[Type::Number, Type::Bool]),
        doc: "only so wide a band over the middle is long, as a share of the skull; false for no such band",
    },
    Field {
        name: "uneven",
        ty: Type::Number,
        doc: "how much lengths differ, 0 to 1",
    },
    Field {
        name: "bare",
        ty: Type::Number,
        doc: "how much of the skin between strands shows, 0 to 1",
    },
    Field {
        name: "guides",
        ty: Type::Number,
        doc: "how many guides, 3 to 400",
    },
];

pub(super) fn wrong(text: impl std::fmt::Display) -> mlua::Error {
    mlua::Error::runtime(format!("hair: {text}"))
}

/// A number, or none where it is `false`.
fn or_none(fields: &Fields, name: &str, default: Option<f32>) -> Option<f32> {
    match fields.value(name) {
        Value::Boolean(false) => None,
        _ => fields.number(name).map(|x| x as f32).or(default),
    }
}

/// The haircut that a field names, if it does.
pub(super) fn cut_of(value: &Value) -> mlua::Result<Option<Cut>> {
    let table = match value {
        Value::String(name) => return Ok(Cut::named(&name.to_string_lossy())),
        Value::Table(table) => table,
        _ => return Ok(None),
    };
    let fields = Fields(Some(table.clone()));
    let style = fields.text("style").unwrap_or_else(|| "long".into());
    let Some(plain) = Cut::named(&style) else {
        return Ok(None);
    };
    let number = |name: &str, low: f64, high: f64, default: f32| {
        mlua::Result::Ok(fields.within(name, low, high)?.unwrap_or(default))
    };
    let length = number("length", 0.001, 3.0, plain.length)?;
    // Who says how long it is, and no more, means all of it.
    let sides = plain.sides * length / plain.length;
    Ok(Some(Cut {
        length,
        sides: number("sides", 0.001, 3.0, sides)?,
        ends: or_none(&fields, "ends", plain.ends),
        parting: or_none(&fields, "parting", plain.parting),
        band: or_none(&fields, "band", plain.band),
        back: number("back", -1.0, 1.0, plain.back)?,
        fringe: number("fringe", 0.0, 1.0, plain.fringe)?,
        lift: number("lift", 0.0, 0.2, plain.lift)?,
        rise: number("rise", 0.0, 1.0, plain.rise)?,
        droop: number("droop", -100.0, 100.0, plain.droop)?,
        tips: number("tips", -4.0, 4.0, plain.tips)?,
        uneven: number("uneven", 0.0, 1.0, plain.uneven)?,
        bare: number("bare", 0.0, 1.0, plain.bare)?,
        guides: number("guides", 3.0, 400.0, plain.guides as f32)? as usize,
        ..plain
    }))
}

/// How strands lie beside each other: as the haircut has it, or as is said.
pub(super) fn locks_of(fields: &Fields, plain: Locks) -> mlua::Result<Locks> {
    let number = |name: &str, high: f64, default: f32| {
        mlua::Result::Ok(fields.within(name, 0.0, high)?.unwrap_or(default))
    };
    Ok(Locks {
        clump: number("clump", 1.0, plain.clump)?,
        size: number("lock", 10_000.0, plain.size as f32)?.max(1.0) as usize,
        frizz: number("frizz", 0.5, plain.frizz)?,
        curl: number("curl", 0.5, plain.curl)?,
        turns: number("turns", 1000.0, plain.turns)?,
    })
}

/// Grows a haircut on what a bone carries; the model's space at rest.
pub(super) fn grown(
    character: &Character,
    bone: u16,
    cut: &Cut,
    seed: u64,
) -> mlua::Result<(HeadSkin, Grown)> {
    let head = HeadSkin::of(
        &character.definition,
        bone,
        &character.appearance.hidden_parts,
    );
    let head = head.map_err(wrong)?;
    let mut grown = head.scalp.grow(cut, seed).map_err(wrong)?;
    let turn = head.model_from_scalp;
    let points = grown.guides.iter_mut().flatten();
    for at in points
        .chain(&mut grown.cap.positions)
        .chain(&mut grown.cap.normals)
    {
        *at = turn * *at;
    }
    Ok((head, grown))
}

fn lua_guides(lua: &Lua, guides: &[Vec<Vec3>]) -> mlua::Result<Table> {
    let each = guides.iter().map(|guide| {
        let points = guide.iter().map(|at| lua_vector(*at));
        lua.create_sequence_from(points)
    });
    lua.create_sequence_from(each.collect::<mlua::Result<Vec<Table>>>()?)
}

fn grow(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(0);
    let Some(CharacterRef(handle)) = object(&fields.value("character")) else {
        return Err(wrong("say on whom it grows, with character"));
    };
    let Some(cut) = cut_of(&fields.value("cut"))? else {
        return Err(wrong("say which haircut, with cut"));
    };
    charge(lua, CUT_CHARGE)?;
    let bone = fields.text("bone");
    let seed = fields.number("seed");
    let guides = with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        let bone = bone_index(character, bone.as_deref().unwrap_or("head"))?;
        Ok(grown(character, bone, &cut, seed.unwrap_or(1.0) as u64)?
            .1
            .guides)
    })?;
    let out = lua.create_table()?;
    out.raw_set("cut", fields.value("cut"))?;
    out.raw_set("guides", lua_guides(lua, &guides)?)?;
    out.raw_set("rest", true)?;
    out.raw_set("bone", bone)?;
    out.raw_set("seed", seed)?;
    Ok(Value::Table(out))
}

pub(super) const GROUP: Group = Group {
    kind: Kind::Module,
    name: "hair",
    doc: "Haircuts as guides, for those who want to change them by hand; to wear one as it is, give `hero:hair` its `cut`.",
    functions: &[Function {
        name: "grow",
        params: &[Param {
            name: "options",
            ty: Type::Fields(&[
                Field {
                    name: "character",
                    ty: Type::Object("Character"),
                    doc: "on whom it grows, as that is at rest",
                },
                Field {
                    name: "cut",
                    ty: CUT_TYPE,
                    doc: "a haircut by its name, or { style = name, … } with what is to be other about it",
                },
                Field {
                    name: "bone",
                    ty: Type::Text,
                    doc: "on what this bone carries; \"head\"",
                },
                Field {
                    name: "seed",
                    ty: Type::Number,
                    doc: "where guides stand and how they differ; 1",
                },
            ]),
            optional: false,
        }],
        returns: "{ [string]: any }",
        doc: "Guides of a haircut, as options for `hero:hair`: `guides` is a list of strands from root to tip in the character's \
              space at rest, with `rest = true`; the rest is as it was given.",
        example: "local options = hair.grow { character = hero, cut = \"bob\" }\nfor _, guide in options.guides do\n\tguide[#guide] += vector.create(0, 0, 0.02)\nend\nhero:hair(options)",
        call: grow,
    }],
    properties: &[],
};
