//! `hero:hair { … }`: strands that a character wears on a bone, and how they move.

use glam::{Affine3A, Quat, Vec3, Vec4};
use mlua::{Lua, Table, Value};

use super::Function;
use super::character::{CharacterRef, bone_index, find, reference};
use super::check::{Args, Field, Fields, Param, Type, object, vector};
use super::fabric::stand;
use super::fabric_options::count;
use super::secondary::{least, unit};
use crate::asset::model::{Material, MaterialKind};
use crate::body::particles::Obstacle;
use crate::character::Placement;
use crate::hair::{
    BookHair, ChainOptions, Chains, Follow, Groom, MOST_POINTS, Patch, Spline, Strand, StrandLook,
    grow, hair_model, patches_between, spread,
};
use crate::script::budget::charge;
use crate::script::world::{World, with_world};
use crate::stage::{
    HairMotion, Handle, MOST_GUIDE_POINTS, MOST_HAIR, Stage, StageCharacter, StageHair,
    hair_carrier,
};

/// Strands of a piece at most.
const MOST_STRANDS: f64 = 20_000.0;
/// Guides of a piece at most.
const MOST_GUIDES: f64 = 2000.0;
/// Work of the script that each point of a strand counts for.
const CHARGE: u64 = 20;
/// How dark roots are beside tips.
const ROOT_SHADE: f32 = 0.6;
/// Bodies within this share of the hair's length of it are stayed out of.
const REACH: f32 = 0.6;

pub(super) const FIELDS: &[Field] = &[
    Field {
        name: "file",
        ty: Type::Text,
        doc: "a file of strands: `.tfx` of TressFX, `.hair` of Cem Yuksel or of the book, lines of a `.glb` or `.gltf`",
    },
    Field {
        name: "scale",
        ty: Type::Number,
        doc: "metres of a unit of the file; 1",
    },
    Field {
        name: "yaw",
        ty: Type::Number,
        doc: "degrees by which the file's strands are turned about +Y; 0",
    },
    Field {
        name: "offset",
        ty: Type::Vector,
        doc: "by which they are then moved, in the character's space at rest, metres; (0, 0, 0)",
    },
    Field {
        name: "guides",
        ty: Type::OneOf(&[Type::Table, Type::Number]),
        doc: "a list of strands from root to tip, each a list of places in the world, as the character stands now; of a file, how many of its strands move by themselves, the others with them; 160",
    },
    Field {
        name: "rest",
        ty: Type::Bool,
        doc: "guides are in the character's space at rest in place of the world: metres, +Y up, +Z ahead; false",
    },
    Field {
        name: "patches",
        ty: Type::Table,
        doc: "between which guides strands grow: a list of three or four of their numbers, around the patch; between those that stand near each other",
    },
    Field {
        name: "strands",
        ty: Type::Number,
        doc: "how many are drawn, up to 20000; 2000",
    },
    Field {
        name: "points",
        ty: Type::Number,
        doc: "points of each, 2 to 64; 16",
    },
    Field {
        name: "seed",
        ty: Type::Number,
        doc: "where strands grow and how they differ; 1",
    },
    Field {
        name: "bone",
        ty: Type::Text,
        doc: "on which bone it is worn; \"head\"",
    },
    Field {
        name: "style",
        ty: Type::Word(&["strands", "strips"]),
        doc: "strands turn to the eye, strips lie each at an angle of its own, as for textures; \"strands\"",
    },
    Field {
        name: "width",
        ty: Type::Number,
        doc: "metres across, at the root; 0.0012, of strips 0.02",
    },
    Field {
        name: "tip_width",
        ty: Type::Number,
        doc: "width at the tip as a share of that; 0.3",
    },
    Field {
        name: "color",
        ty: Type::Vector,
        doc: "linear colour at the tip; (0.12, 0.06, 0.03)",
    },
    Field {
        name: "root_color",
        ty: Type::Vector,
        doc: "at the root; six tenths of that",
    },
    Field {
        name: "variety",
        ty: Type::Number,
        doc: "how much lighter or darker than the others a strand may be, 0 to 1; 0.25",
    },
    Field {
        name: "roughness",
        ty: Type::Number,
        doc: "0 to 1; 0.45",
    },
    Field {
        name: "stiffness",
        ty: Type::OneOf(&[Type::Number, Type::Table]),
        doc: "how hard it is to bend out of its shape, 0 to 1, or { at the root, at the tip }; { 0.8, 0.12 }",
    },
    Field {
        name: "hold",
        ty: Type::OneOf(&[Type::Number, Type::Table]),
        doc: "how strongly it is drawn to where it would be if it did not move on the head, 0 to 1, or { at the root, at the tip }; { 0.15, 0 }",
    },
    Field {
        name: "damping",
        ty: Type::Number,
        doc: "how fast it loses motion against the head, 1/s; 4",
    },
    Field {
        name: "air",
        ty: Type::Number,
        doc: "how fast it takes on the motion of the air, 1/s; 1.5",
    },
    Field {
        name: "wind",
        ty: Type::Number,
        doc: "share of the wind that it feels; 1",
    },
    Field {
        name: "gravity",
        ty: Type::Number,
        doc: "factor on gravity, which acts as far as the head leans: at rest hair is as it was made; 1",
    },
    Field {
        name: "wet",
        ty: Type::Number,
        doc: "0 dry to 1 dripping: it hangs and is soft; 0",
    },
    Field {
        name: "follow",
        ty: Type::Number,
        doc: "share of the head's motion that it goes along with at once, 0 to 1; 0.1",
    },
    Field {
        name: "thickness",
        ty: Type::Number,
        doc: "metres kept from bodies; 0.003",
    },
    Field {
        name: "friction",
        ty: Type::Number,
        doc: "share of its motion along a body that it loses on it, 0 to 1; 0.2",
    },
    Field {
        name: "collide",
        ty: Type::OneOf(&[Type::Bool, Type::Object("Character"), Type::Table]),
        doc: "false for nothing, or another character, or a list, on whose body it lies beside the wearer's",
    },
    Field {
        name: "motion",
        ty: Type::Word(&["chains", "book"]),
        doc: "\"book\" moves it as chapter 15 does, by springs and a wind by chance; \"chains\"",
    },
    Field {
        name: "name",
        ty: Type::Text,
        doc: "makes it the same over reloads, whatever the order",
    },
];

fn wrong(text: impl std::fmt::Display) -> mlua::Error {
    mlua::Error::runtime(format!("hair: {text}"))
}

/// Guides, and strands that follow them; the wearer's space at rest.
struct Cut {
    guides: Vec<Vec<Vec3>>,
    strands: Vec<Strand>,
}

/// What is asked for in numbers.
#[derive(Clone, Copy)]
struct Wanted {
    strands: usize,
    points: usize,
    seed: u64,
    spline: Spline,
}

/// Strands of a file: some spread over the whole move by themselves, all others follow those nearest to them.
fn of_file(groom: &Groom, placed: &Affine3A, n_guides: usize, wanted: Wanted) -> Cut {
    let mut groom = groom.clone();
    groom.transform(placed);
    let all = groom.resampled(wanted.points, wanted.spline);
    let n = wanted.strands.min(all.len());
    let mut taken = vec![false; all.len()];
    let order = spread(n, wanted.seed, |chance| {
        let i = (chance.bits() % all.len() as u64) as usize;
        (all[i][0], i)
    });
    // What chance found twice makes room for those that it never found.
    let mut chosen: Vec<usize> = Vec::with_capacity(n);
    for (_, i) in order {
        if !std::mem::replace(&mut taken[i], true) {
            chosen.push(i);
        }
    }
    chosen.extend((0..all.len()).filter(|i| !taken[*i]));
    chosen.truncate(n);
    let guides: Vec<Vec<Vec3>> = chosen
        .iter()
        .take(n_guides)
        .map(|i| all[*i].clone())
        .collect();
    let roots: Vec<Vec3> = guides.iter().map(|guide| guide[0]).collect();
    let strand = |i: &usize| Strand {
        follow: Follow::nearest(all[*i][0], &roots),
        points: all[*i].clone(),
    };
    Cut {
        strands: chosen.iter().map(strand).collect(),
        guides,
    }
}

/// A list of lists of places.
fn listed(table: &Table) -> mlua::Result<Vec<Vec<Vec3>>> {
    let mut guides = Vec::new();
    for (i, entry) in table.sequence_values::<Value>().enumerate() {
        let Value::Table(points) = entry? else {
            return Err(wrong(format!("guide {} is no list of places", i + 1)));
        };
        let points = points.sequence_values::<Value>().map(|value| {
            vector(&value?).ok_or_else(|| wrong(format!("guide {}: a point is a vector", i + 1)))
        });
        guides.push(points.collect::<mlua::Result<Vec<Vec3>>>()?);
    }
    Ok(guides)
}

/// The patches that a script names, its guides counted from 1.
fn patches_of(table: &Table, n_guides: usize) -> mlua::Result<Vec<Patch>> {
    let mut patches = Vec::new();
    for (i, entry) in table.sequence_values::<Value>().enumerate() {
        let what = || {
            wrong(format!(
                "patch {} is no list of three or four numbers of guides",
                i + 1
            ))
        };
        let Value::Table(numbers) = entry? else {
            return Err(what());
        };
        let mut corners = Vec::new();
        for number in numbers.sequence_values::<Value>() {
            let number = super::check::number(&number?).ok_or_else(what)?;
            if number.fract() != 0.0 || !(1.0..=n_guides as f64).contains(&number) {
                let text = format!("patch {}: there is no guide {number} of {n_guides}", i + 1);
                return Err(wrong(text));
            }
            corners.push(number as u16 - 1);
        }
        patches.push(match corners[..] {
            [a, b, c] => Patch::Three([a, b, c]),
            [a, b, c, d] => Patch::Four([a, b, c, d]),
            _ => return Err(what()),
        });
    }
    Ok(patches)
}

/// Strands between the guides of a script.
fn of_guides(
    fields: &Fields,
    table: &Table,
    rest_from_world: &Affine3A,
    wanted: Wanted,
) -> mlua::Result<Cut> {
    let guides = listed(table)?;
    let n = guides.len();
    let mut groom = Groom::new(guides).map_err(wrong)?;
    if !fields.bool("rest").unwrap_or(false) {
        groom.transform(rest_from_world);
    }
    if groom.strands.len() < n {
        return Err(wrong(groom.warnings.join(", ")));
    }
    let guides = groom.resampled(wanted.points, wanted.spline);
    let patches = match fields.value("patches") {
        Value::Table(table) => patches_of(&table, guides.len())?,
        _ => patches_between(&guides),
    };
    let strands = grow(&guides, &patches, wanted.strands, wanted.seed);
    if strands.is_empty() {
        return Err(wrong(
            "there is no patch to grow strands in: it takes three guides near each other",
        ));
    }
    Ok(Cut { guides, strands })
}

fn cut_of(world: &mut World, fields: &Fields, rest_from_world: &Affine3A) -> mlua::Result<Cut> {
    let is_book = fields.text("motion").as_deref() == Some("book");
    let wanted = Wanted {
        strands: fields
            .within("strands", 1.0, MOST_STRANDS)?
            .unwrap_or(2000.0) as usize,
        points: count(fields, "points", 16.0, MOST_POINTS as f64)?,
        seed: fields.number("seed").unwrap_or(1.0) as u64,
        spline: if is_book {
            Spline::Book
        } else {
            Spline::CatmullRom
        },
    };
    match (fields.text("file"), fields.value("guides")) {
        (None, Value::Table(table)) => of_guides(fields, &table, rest_from_world, wanted),
        (Some(_), Value::Table(_)) | (None, _) => Err(wrong(
            "say where the strands come from: either a file, or a list of guides",
        )),
        (Some(file), _) => {
            let groom = world.services.groom(&file).map_err(|why| {
                world.wait_for(file.clone(), false);
                wrong(why)
            })?;
            for warning in &groom.warnings {
                world.services.print(&format!("{file}: {warning}"));
            }
            let placed = Affine3A::from_scale_rotation_translation(
                Vec3::splat(least(fields, "scale", 1.0)?.max(1e-6)),
                Quat::from_rotation_y((fields.number("yaw").unwrap_or(0.0) as f32).to_radians()),
                fields.vector("offset").unwrap_or(Vec3::ZERO),
            );
            let n_guides = fields.within("guides", 1.0, MOST_GUIDES)?.unwrap_or(160.0);
            Ok(of_file(&groom, &placed, n_guides as usize, wanted))
        }
    }
}

/// A number for root and tip, or one for each.
fn both(fields: &Fields, name: &str, default: [f32; 2]) -> mlua::Result<[f32; 2]> {
    let Value::Table(pair) = fields.value(name) else {
        return Ok(fields
            .within(name, 0.0, 1.0)?
            .map_or(default, |both| [both; 2]));
    };
    let of = |i: i64| -> mlua::Result<f32> {
        let value = super::check::number(&pair.raw_get::<Value>(i)?);
        value
            .filter(|share| (0.0..=1.0).contains(share))
            .map(|share| share as f32)
            .ok_or_else(|| {
                wrong(format!(
                    "{name}: two numbers from 0 to 1, at the root and at the tip"
                ))
            })
    };
    Ok([of(1)?, of(2)?])
}

fn options(fields: &Fields) -> mlua::Result<ChainOptions> {
    let plain = ChainOptions::default();
    Ok(ChainOptions {
        stiffness: both(fields, "stiffness", plain.stiffness)?,
        hold: both(fields, "hold", plain.hold)?,
        damping: least(fields, "damping", plain.damping)?.min(120.0),
        air: least(fields, "air", plain.air)?.min(120.0),
        gravity: fields
            .within("gravity", -10.0, 10.0)?
            .unwrap_or(plain.gravity),
        wet: unit(fields, "wet", plain.wet)?,
        follow: unit(fields, "follow", plain.follow)?,
        thickness: least(fields, "thickness", plain.thickness)?.min(0.5),
        friction: unit(fields, "friction", plain.friction)?,
    })
}

fn material(fields: &Fields, color: Vec3) -> mlua::Result<Material> {
    Ok(Material {
        name: "hair".into(),
        kind: MaterialKind::Hair,
        base_color: Vec4::from((color, 1.0)),
        metallic: 0.0,
        roughness: unit(fields, "roughness", 0.45)?,
        double_sided: true,
        ..Material::default()
    })
}

/// Bodies of the wearer that hair of these guides can reach, each with its bone, at rest.
fn reached(wearer: &StageCharacter, guides: &[Vec<Vec3>]) -> Vec<(u16, Obstacle)> {
    let points = || guides.iter().flatten();
    let low = points().fold(Vec3::INFINITY, |low, p| low.min(*p));
    let high = points().fold(Vec3::NEG_INFINITY, |high, p| high.max(*p));
    let longest = guides.iter().map(|guide| crate::hair::length_of(guide));
    let reach = longest.fold(0.0, f32::max) * REACH;
    let is_near = |(_, solid): &(u16, Obstacle)| {
        let [from, to] = solid.bounds();
        (from - reach).cmple(high).all() && (to + reach).cmpge(low).all()
    };
    wearer.rest_obstacles().filter(is_near).collect()
}

fn make_room(stage: &Stage, n_points: usize) -> mlua::Result<()> {
    let there: usize = stage.hair.iter().map(|(_, hair)| hair.n_points()).sum();
    if stage.hair.len() >= MOST_HAIR {
        return Err(wrong(format!(
            "there are {MOST_HAIR} pieces of hair, which is the most"
        )));
    }
    if there + n_points > MOST_GUIDE_POINTS {
        return Err(wrong(format!(
            "with {n_points} points of guides there would be more than {MOST_GUIDE_POINTS} on the stage"
        )));
    }
    Ok(())
}

/// Whom it lies on beside its wearer, and whether on that.
fn lies_on(fields: &Fields) -> mlua::Result<(bool, Vec<Handle>)> {
    match &fields.value("collide") {
        Value::Boolean(on_own) => Ok((*on_own, Vec::new())),
        Value::Table(list) => {
            let each = list.sequence_values::<Value>().map(|entry| {
                let CharacterRef(handle) = object(&entry?)
                    .ok_or_else(|| wrong("collide: expected a list of characters"))?;
                Ok(handle)
            });
            Ok((true, each.collect::<mlua::Result<_>>()?))
        }
        value => Ok((
            true,
            object(value).map(|CharacterRef(h)| h).into_iter().collect(),
        )),
    }
}

fn hair(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let fields = args.fields(1);
    let wearer = args.character()?;
    let strands = fields
        .number("strands")
        .unwrap_or(2000.0)
        .clamp(0.0, MOST_STRANDS);
    let points = fields
        .number("points")
        .unwrap_or(16.0)
        .clamp(0.0, MOST_POINTS as f64);
    charge(lua, (strands * points) as u64 * CHARGE)?;
    let handle = with_world(lua, |world| {
        let character = find(&mut world.stage, wearer)?;
        let bone = bone_index(character, fields.text("bone").as_deref().unwrap_or("head"))?;
        let carrier = hair_carrier(character, bone);
        let cut = cut_of(world, &fields, &carrier.inverse())?;
        let n_levels = cut.guides.first().map_or(0, Vec::len);
        make_room(&world.stage, cut.guides.len() * n_levels)?;
        let (on_own, collide) = lies_on(&fields)?;
        let character = find(&mut world.stage, wearer)?;
        let bodies = if on_own {
            reached(character, &cut.guides)
        } else {
            Vec::new()
        };
        let spawn: Placement = character.placement;
        let motion = if fields.text("motion").as_deref() == Some("book") {
            HairMotion::Book(BookHair::new(&cut.guides, 1))
        } else {
            let rest: Vec<Obstacle> = bodies.iter().map(|(_, solid)| *solid).collect();
            HairMotion::Chains(Box::new(Chains::new(&cut.guides, &rest, options(&fields)?)))
        };
        let color = fields
            .vector("color")
            .unwrap_or(Vec3::new(0.12, 0.06, 0.03))
            .clamp(Vec3::ZERO, Vec3::ONE);
        let roots: Vec<Vec3> = cut.strands.iter().map(|strand| strand.points[0]).collect();
        let plain = StrandLook::default();
        let faces_eye = fields.text("style").as_deref() != Some("strips");
        let root_color = fields.vector("root_color").unwrap_or(color * ROOT_SHADE);
        let brightest = color.max(root_color).max(Vec3::splat(1e-4)).min(Vec3::ONE);
        let look = StrandLook {
            faces_eye,
            width: least(&fields, "width", if faces_eye { plain.width } else { 0.02 })?.min(0.5),
            tip_width: least(&fields, "tip_width", plain.tip_width)?.min(10.0),
            shades: [root_color / brightest, color / brightest],
            variety: unit(&fields, "variety", plain.variety)?,
            center: roots.iter().sum::<Vec3>() / roots.len().max(1) as f32,
            seed: fields.number("seed").unwrap_or(1.0) as u64,
        };
        let model = hair_model(
            &cut.guides,
            &cut.strands,
            &look,
            material(&fields, brightest)?,
        );
        let model = model.map_err(wrong)?;
        let handle = stand(world, "hair", fields.text("name"), model, spawn)?;
        let key = world.stage.characters.get(handle).map(|c| c.key.clone());
        let mut piece = StageHair::new(
            key.unwrap_or_default(),
            motion,
            handle,
            (wearer, bone),
            (cut.guides.len(), n_levels),
        );
        piece.bodies = bodies.iter().map(|(bone, _)| *bone).collect();
        piece.collide = collide;
        piece.wind = least(&fields, "wind", 1.0)?;
        world.stage.hair.insert(piece);
        Ok(handle)
    })?;
    reference(lua, handle)
}

/// `hero:hair { … }`.
pub(super) const HAIR: Function = Function {
    name: "hair",
    params: &[Param {
        name: "options",
        ty: Type::Fields(FIELDS),
        optional: false,
    }],
    returns: "Character",
    doc: "Puts hair on a bone: strands that grow between guides, or those of a file. Guides move as chains of points with \
          their lengths and their shape kept, outside of the body; every strand goes with a few of them. It is a character of its own \
          with the material \"hair\". 64 pieces may be on a stage.",
    example: "local tuft = {}\nfor i = 0, 5 do\n\tlocal at = vector.create(math.cos(i) * 0.06, 1.75, math.sin(i) * 0.06)\n\ttuft[i + 1] = { at, at + vector.create(0, 0.05, 0), at + vector.create(0, 0.09, -0.03) }\nend\nlocal hair = hero:hair { guides = tuft, strands = 300, points = 8, color = vector.create(0.4, 0.1, 0.02) }",
    call: hair,
};
