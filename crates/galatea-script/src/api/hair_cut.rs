//! Haircuts: their styles and options, and `hair.grow`.

use glam::Vec3;
use mlua::{Lua, Table, Value};

use super::character_ref::{CharacterRef, bone_index, find};
use super::check::{Args, OneOrMany, OptionValue, Param, Type, describe, lua_vector, text};
use super::group::{Function, Group, Kind};
use crate::budget::charge;
use crate::world::with_world;
use galatea_character::{Character, HeadNames, HeadSkin};
use galatea_derive::Options;
use galatea_hair::{CUT_NAMES, Grown, HairCut, Locks};

/// Budget steps of a haircut, and of a metre of all its guides together.
const CUT_STEPS: u64 = 20_000;
const METRE_STEPS: f32 = 12_000.0;

/// Budget steps of growing the guides of a haircut.
pub(super) fn cut_steps(cut: &HairCut) -> u64 {
    let metres = cut.guides as f32 * cut.length.max(cut.sides).max(cut.fringe);
    CUT_STEPS + (metres * METRE_STEPS) as u64
}

impl OptionValue for HairCut {
    const TYPE: Type = Type::Word(&CUT_NAMES);

    fn from_value(value: Value) -> Result<Self, String> {
        let cut = text(&value).and_then(|name| Self::named(&name));
        cut.ok_or_else(|| format!("unknown haircut {}", describe(&value)))
    }
}

/// A number of a haircut: `false` for none, `true` for the number of the style.
enum CutNumber {
    None,
    Usual,
    Number(f32),
}

impl OptionValue for CutNumber {
    const TYPE: Type = Type::OneOf(&[Type::Number, Type::Bool]);

    fn from_value(value: Value) -> Result<Self, String> {
        match value {
            Value::Boolean(false) => Ok(Self::None),
            Value::Boolean(true) => Ok(Self::Usual),
            other => f32::from_value(other).map(Self::Number),
        }
    }
}

impl CutNumber {
    fn over(given: Option<Self>, usual: Option<f32>) -> Option<f32> {
        match given {
            Some(Self::None) => None,
            Some(Self::Number(n)) => Some(n),
            Some(Self::Usual) | None => usual,
        }
    }
}

/// A haircut based on one of the styles. Options left out are those of the style.
#[derive(Options)]
struct HaircutOptions {
    /// Haircut that the other fields change.
    #[option(default_doc = "long")]
    style: Option<HairCut>,
    /// Length on top; for beards, on the chin.
    #[option(unit = "metres", range = 0.001..=3.0)]
    length: Option<f32>,
    /// Length at the sides and at the nape (back of the neck); for beards, on the cheeks.
    #[option(
        default_doc = "in proportion to `length`",
        unit = "metres",
        range = 0.001..=3.0
    )]
    sides: Option<f32>,
    /// Height below which no hair hangs: 0 is the height of the eyes, 1 that of the chin. False means no limit.
    end_height: Option<CutNumber>,
    /// Position of the parting, from -1 at the right to 1 at the left, or false for no parting.
    parting: Option<CutNumber>,
    /// Direction of combing: 1 back from the forehead, -1 forward over it.
    #[option(range = -1.0..=1.0)]
    comb_back: Option<f32>,
    /// Length of the fringe, the hair that falls over the forehead.
    #[option(unit = "metres", range = 0.0..=1.0)]
    fringe: Option<f32>,
    /// Height of the hair above the skin of the head.
    #[option(unit = "metres", range = 0.0..=0.2)]
    lift: Option<f32>,
    /// How steeply the hair leaves the skin: 0 is flat, 1 is upright.
    #[option(range = 0.0..=1.0)]
    rise: Option<f32>,
    /// How much the hair bends down along its length. A negative value bends it up.
    #[option(unit = "radians per metre", range = -100.0..=100.0)]
    droop: Option<f32>,
    /// How far the tips turn: 1 inwards, -1 outwards.
    #[option(range = -4.0..=4.0)]
    tips: Option<f32>,
    /// Width of the band of long hair over the middle of the head, as a fraction of the skull; the hair next to it is
    /// short. False means no band.
    band: Option<CutNumber>,
    /// How much the lengths of strands differ; 0 is not at all.
    #[option(range = 0.0..=1.0)]
    uneven: Option<f32>,
    /// Fraction of the skin that is visible between strands.
    #[option(range = 0.0..=1.0)]
    bare: Option<f32>,
    /// Number of strands that are simulated.
    #[option(range = 3.0..=400.0)]
    guides: Option<f32>,
}

impl HaircutOptions {
    fn over(self, plain: HairCut) -> HairCut {
        let length = self.length.unwrap_or(plain.length);
        // A length without other lengths scales the whole haircut.
        let sides = plain.sides * length / plain.length;
        HairCut {
            length,
            sides: self.sides.unwrap_or(sides),
            end_height: CutNumber::over(self.end_height, plain.end_height),
            parting: CutNumber::over(self.parting, plain.parting),
            band: CutNumber::over(self.band, plain.band),
            comb_back: self.comb_back.unwrap_or(plain.comb_back),
            fringe: self.fringe.unwrap_or(plain.fringe),
            lift: self.lift.unwrap_or(plain.lift),
            rise: self.rise.unwrap_or(plain.rise),
            droop: self.droop.unwrap_or(plain.droop),
            tips: self.tips.unwrap_or(plain.tips),
            uneven: self.uneven.unwrap_or(plain.uneven),
            bare: self.bare.unwrap_or(plain.bare),
            guides: self.guides.unwrap_or(plain.guides as f32) as usize,
            ..plain
        }
    }
}

/// A haircut by its name, or with changes.
pub(super) struct Haircut {
    /// The haircut.
    pub cut: HairCut,
    given: Value,
}

impl OptionValue for Haircut {
    const TYPE: Type = Type::OneOf(&[HairCut::TYPE, HaircutOptions::TYPE]);

    fn from_value(given: Value) -> Result<Self, String> {
        let cut = if given.is_table() {
            let mut options = HaircutOptions::from_value(given.clone())?;
            let style = options.style.take().or_else(|| HairCut::named("long"));
            options.over(style.ok_or("there is no haircut \"long\"")?)
        } else {
            HairCut::from_value(given.clone())?
        };
        Ok(Self { cut, given })
    }
}

/// Locks, which are groups of strands. Options left out are those of the haircut.
#[derive(Options)]
pub(super) struct LockOptions {
    /// How far the strands of a lock (a tuft of hair) come together at their tips; at 1 they meet in a point.
    #[option(default_doc = "0 or as the haircut", range = 0.0..=1.0)]
    clump: Option<f32>,
    /// Approximate number of strands in a lock.
    #[option(default_doc = "20 or as the haircut", range = 0.0..=10_000.0)]
    lock_size: Option<f32>,
    /// Random distance by which the tips of strands stand out.
    #[option(default_doc = "0 or as the haircut", unit = "metres", range = 0.0..=0.5)]
    frizz: Option<f32>,
    /// Radius of the curls. Curls need at least eight `points` per curl.
    #[option(default_doc = "0 or as the haircut", unit = "metres", range = 0.0..=0.5)]
    curl: Option<f32>,
    /// Number of curls per metre of hair.
    #[option(default_doc = "0 or as the haircut", range = 0.0..=1000.0)]
    curls_per_meter: Option<f32>,
}

impl LockOptions {
    /// Locks of a haircut with these changes.
    pub fn over(&self, plain: Locks) -> Locks {
        Locks {
            clump: self.clump.unwrap_or(plain.clump),
            lock_size: self.lock_size.unwrap_or(plain.lock_size as f32).max(1.0) as usize,
            frizz: self.frizz.unwrap_or(plain.frizz),
            curl: self.curl.unwrap_or(plain.curl),
            curls_per_meter: self.curls_per_meter.unwrap_or(plain.curls_per_meter),
        }
    }
}

pub(super) fn wrong(text: impl std::fmt::Display) -> mlua::Error {
    mlua::Error::runtime(format!("hair: {text}"))
}

/// Parts of the head on which hair grows.
#[derive(Options)]
pub(super) struct HeadPartOptions {
    /// Names of nodes, meshes or materials on which no hair grows; `*` matches any text. Use it for a hat that Galatea
    /// does not recognise by its name.
    #[option(default_doc = "hair, hats, eyes and jewellery, recognised by name and shape")]
    exclude: Option<OneOrMany<String>>,
    /// Names of nodes, meshes or materials on which hair grows; `*` matches any text.
    #[option(default_doc = "the skin of the head, recognised by name and shape")]
    scalp: Option<OneOrMany<String>>,
}

impl HeadPartOptions {
    pub fn names(&self) -> HeadNames {
        let list = |given: &Option<OneOrMany<String>>| {
            given.as_ref().map_or_else(Vec::new, |g| g.0.clone())
        };
        HeadNames {
            exclude: list(&self.exclude),
            scalp: list(&self.scalp),
        }
    }
}

/// Grows a haircut on the meshes of a bone, in the rest space of the model.
pub(super) fn grown(
    character: &Character,
    bone: u16,
    cut: &HairCut,
    seed: u64,
    names: &HeadNames,
) -> mlua::Result<(HeadSkin, Grown)> {
    let hidden = &character.appearance.hidden_parts;
    let head = HeadSkin::of(&character.definition, bone, hidden, names).map_err(wrong)?;
    let grown = head.scalp.grow(cut, seed);
    let mut grown = grown.map_err(|why| wrong(head.explain(why)))?;
    let points = grown.guides.iter_mut().flatten();
    for at in points.chain(&mut grown.cap.positions) {
        *at = head.to_model(*at);
    }
    for normal in &mut grown.cap.normals {
        *normal = head.direction_to_model(*normal);
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

/// Options of `hair.grow`.
#[derive(Options)]
struct HairGuideOptions {
    /// Character on which the haircut grows.
    character: CharacterRef,
    /// Haircut: its name, or { style = name, … } with changes.
    cut: Haircut,
    /// Bone with the skin on which the hair grows.
    #[option(default_doc = "head")]
    bone: Option<String>,
    /// Seed of the random positions and differences of the strands.
    #[option(default_doc = "1")]
    seed: Option<f64>,
    #[option(flatten)]
    parts: HeadPartOptions,
}

fn grow(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: HairGuideOptions = args.options(0)?;
    let CharacterRef(handle) = options.character;
    let Haircut { cut, given } = options.cut;
    charge(lua, cut_steps(&cut))?;
    let HairGuideOptions {
        bone, seed, parts, ..
    } = options;
    let names = parts.names();
    let guides = with_world(lua, |world| {
        let character = find(&mut world.stage, handle)?;
        let bone = bone_index(character, bone.as_deref().unwrap_or("head"))?;
        let seed = seed.unwrap_or(1.0) as u64;
        Ok(grown(character, bone, &cut, seed, &names)?.1.guides)
    })?;
    let out = lua.create_table()?;
    out.raw_set("cut", given)?;
    out.raw_set("guides", lua_guides(lua, &guides)?)?;
    out.raw_set("in_rest_space", true)?;
    out.raw_set("bone", bone)?;
    out.raw_set("seed", seed)?;
    for (key, list) in [("exclude", names.exclude), ("scalp", names.scalp)] {
        if !list.is_empty() {
            out.raw_set(key, list)?;
        }
    }
    Ok(Value::Table(out))
}

pub(super) const GROUP: Group = Group {
    kind: Kind::Module,
    name: "hair",
    doc: "Haircuts as lists of strands, which a script can change before a character gets them. If you do not want to \
          change a haircut, use the option `cut` of `hero:hair` instead.",
    functions: &[Function {
        name: "grow",
        params: &[Param {
            name: "options",
            ty: HairGuideOptions::TYPE,
            optional: false,
        }],
        returns: "HairOptions & { guides: { { vector } } }",
        doc: "Returns a haircut as a table of options for `hero:hair`. In the result, `guides` is a list of strands, \
              each a list of points from root to tip. The points are in the space of the character in its rest pose, so \
              the result has `in_rest_space = true`. Options of `hero:hair` that you pass are in the result too.",
        example: "local options = hair.grow { character = hero, cut = \"bob\" }\nfor _, guide in options.guides do\n\tguide[#guide] += vec(0, 0, 0.02)\nend\nhero:hair(options)",
        call: grow,
    }],
    properties: &[],
};
