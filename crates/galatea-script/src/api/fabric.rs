//! Ropes and cloth: standalone ones, and chains of a character's own bones.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec2, Vec3, Vec4};
use mlua::{Lua, Value};

use super::character_ref::{CharacterRef, bone_index, find, reference};
use super::check::{Args, Options, Param, Type};
use super::fabric_options::{
    BoneHolder, ClothChainOptions, ClothOptions, ClothPins, RopeEnd, RopeOptions, SoftBodyOptions,
    around, options,
};
use super::group::Function;
use super::secondary::SpringRef;
use crate::budget::charge;
use crate::world::with_world;
use galatea_asset::model::{Material, MaterialKind, Sheen};
use galatea_character::{Definition, Placement};
use galatea_physics::BodyType;
use galatea_physics::particles::{Fabric, FabricOptions, sheet_model, tube_model};
use galatea_stage::{
    Drives, FabricPin, Handle, Identity, MAX_FABRICS, MAX_PARTICLES, Stage, StageFabric,
    chain_lanes,
};

/// Maximum number of particles of one rope or piece of cloth.
const MAX_FABRIC_PARTICLES: usize = 1024;
/// Budget steps per particle.
const CHARGE: u64 = 200;

fn make_room(stage: &Stage, what: &str, n: usize) -> mlua::Result<()> {
    // The fabric of a removed character exists until the next tick.
    let fabrics = stage.effects.fabrics.iter().map(|(_, fabric)| fabric);
    let there: Vec<usize> = fabrics
        .filter(|fabric| stage.characters.get(fabric.character).is_some())
        .map(|fabric| fabric.fabric.n_particles())
        .collect();
    let n_particles: usize = there.iter().sum();
    let too_many = if n > MAX_FABRIC_PARTICLES {
        format!("{what}: the limit is {MAX_FABRIC_PARTICLES} particles, got {n}")
    } else if there.len() >= MAX_FABRICS {
        format!(
            "{what}: the stage already has {MAX_FABRICS} ropes and pieces of cloth, which is the limit"
        )
    } else if n_particles + n > MAX_PARTICLES {
        format!(
            "{what}: the stage can have at most {MAX_PARTICLES} particles of ropes and cloth, and this one \
            needs {n}"
        )
    } else {
        return Ok(());
    };
    Err(mlua::Error::runtime(too_many))
}

/// A bone of a character, and a position in the bone's space, metres.
#[derive(Clone, Copy)]
struct BonePoint {
    by: (Handle, u16),
    offset: Vec3,
}

/// Resolves the holder of a pin to a bone and a position in the bone's space.
fn holder(stage: &mut Stage, by: &BoneHolder) -> mlua::Result<Option<BonePoint>> {
    let Some(CharacterRef(handle)) = by.character else {
        return match by.bone {
            Some(_) => Err(mlua::Error::runtime("bone: needs the option character")),
            None => Ok(None),
        };
    };
    let character = find(stage, handle)?;
    let (bone, from) = match &by.bone {
        Some(name) => {
            let bone = bone_index(character, name)?;
            let rest = character.definition.rest_matrix(bone);
            (bone, Vec3::from(rest.translation))
        }
        None if character.body.prop_body.is_some() => (0, Vec3::ZERO),
        None => {
            return Err(mlua::Error::runtime("character: needs the option bone"));
        }
    };
    let rest = character.definition.rest_matrix(bone);
    let at = from + by.offset;
    let place = rest.inverse().transform_point3(at);
    let place = if place.is_finite() { place } else { Vec3::ZERO };
    Ok(Some(BonePoint {
        by: (handle, bone),
        offset: place,
    }))
}

/// World position of a held particle.
fn place_of(stage: &Stage, held: BonePoint) -> Vec3 {
    let BonePoint {
        by: (handle, bone),
        offset,
    } = held;
    let Some(character) = stage.characters.get(handle) else {
        return offset;
    };
    let bone = character.posed.model_from_bone.get(usize::from(bone));
    let matrix = character.posed.world[0] * bone.copied().unwrap_or(Affine3A::IDENTITY);
    matrix.transform_point3(offset)
}

fn fabric_material(name: &str, color: Vec3, roughness: f32) -> Material {
    let color = color.max(Vec3::ZERO);
    Material {
        name: name.into(),
        kind: MaterialKind::Cloth,
        base_color: Vec4::new(color.x, color.y, color.z, 1.0),
        metallic: 0.0,
        roughness,
        double_sided: true,
        sheen: Sheen {
            color: color * 0.5,
            roughness: 0.5,
            ..Sheen::default()
        },
        ..Material::default()
    }
}

/// Adds a generated model to the stage.
pub(super) fn stand(
    stage: &mut Stage,
    what: &str,
    name: Option<String>,
    model: galatea_asset::Model,
    spawn: Placement,
) -> mlua::Result<Handle> {
    if let Some(name) = &name
        && stage.characters.named(name).is_some()
    {
        let taken = format!("{what}: the name {name:?} is already in use");
        return Err(mlua::Error::runtime(taken));
    }
    let definition = Arc::new(Definition::new(Arc::new(model)));
    Ok(stage.add_character(definition, what, name.as_deref(), spawn))
}

/// Attaches a fabric that moves the bones of its own generated character.
fn hang(
    stage: &mut Stage,
    soft: &SoftBodyOptions,
    handle: Handle,
    fabric: Fabric,
    pins: Vec<FabricPin>,
) -> mlua::Result<Handle> {
    let identity = stage.characters.get(handle).map(|c| c.identity.clone());
    let mut fabric = StageFabric::new(
        identity.unwrap_or_default(),
        fabric,
        handle,
        Drives::Particles,
    );
    fabric.pins = pins;
    around(soft, &mut fabric)?;
    stage.effects.fabrics.insert(fabric);
    Ok(handle)
}

pub(super) fn cloth(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let asked: ClothOptions = args.options(0)?;
    let (columns, rows, size) = (asked.columns, asked.rows, asked.size);
    charge(lua, (columns * rows) as u64 * CHARGE)?;
    if size.x <= 0.0 || size.y <= 0.0 {
        return Err(mlua::Error::runtime(
            "size: x (width) and y (height) must be more than 0",
        ));
    }
    let handle = with_world(lua, |world| {
        make_room(&world.stage, "cloth", columns * rows)?;
        let hem = asked.hem.clamp(0.01, 20.0);
        let material = fabric_material("cloth", asked.color, asked.roughness);
        let model = sheet_model((columns, rows), Vec2::new(size.x, size.y), hem, material);
        let model = model.map_err(|error| mlua::Error::runtime(error.to_string()))?;
        let spawn = Placement {
            position: asked.position,
            yaw: asked.yaw,
            tilt: Quat::from_rotation_x(asked.pitch.to_radians())
                * Quat::from_rotation_z(asked.roll.to_radians()),
            ..Placement::default()
        };
        let matrix = spawn.to_affine();
        let places: Vec<Vec3> = model
            .skeleton
            .bones()
            .iter()
            .skip(1)
            .map(|bone| bone.rest.translation)
            .collect();
        let lanes: Vec<Vec<Vec3>> = places
            .chunks(rows)
            .map(|lane| lane.iter().map(|p| matrix.transform_point3(*p)).collect())
            .collect();
        let pins = cloth_pins(&mut world.stage, &asked.pins, (columns, rows), &places)?;
        let handle = stand(&mut world.stage, "cloth", asked.name, model, spawn)?;
        let fabric = Fabric::new(&lanes, options(&asked.soft));
        hang(&mut world.stage, &asked.soft, handle, fabric, pins)
    })?;
    reference(lua, handle)
}

fn cloth_pins(
    stage: &mut Stage,
    pins: &ClothPins,
    (columns, rows): (usize, usize),
    places: &[Vec3],
) -> mlua::Result<Vec<FabricPin>> {
    let free = |particle: usize| FabricPin {
        particle: particle as u32,
        holder: None,
        offset: places.get(particle).copied().unwrap_or(Vec3::ZERO),
    };
    let last = (columns - 1) * rows;
    let list = match pins {
        ClothPins::Top => return Ok((0..columns).map(|column| free(column * rows)).collect()),
        ClothPins::Corners => return Ok(vec![free(0), free(last)]),
        ClothPins::Positions(list) => list,
    };
    let mut found = Vec::new();
    for place in list {
        let near = |share: f32, n: usize| (share * (n - 1) as f32).round() as usize;
        let particle = near(place.u, columns) * rows + near(place.v, rows);
        let mut pin = free(particle);
        if let Some(held) = holder(stage, &place.holder)? {
            (pin.holder, pin.offset) = (Some(held.by), held.offset);
        }
        found.push(pin);
    }
    Ok(found)
}

/// Resolves an end of a rope: a position, or a bone that holds the end.
fn rope_end(stage: &mut Stage, end: &RopeEnd) -> mlua::Result<(Vec3, Option<BonePoint>)> {
    match end {
        RopeEnd::Attached(by) => {
            let held = holder(stage, by)?.ok_or_else(|| {
                mlua::Error::runtime(
                    "rope: an end must be a position or { character, bone, offset }",
                )
            })?;
            Ok((place_of(stage, held), Some(held)))
        }
        RopeEnd::At(place) => Ok((*place, None)),
    }
}

/// Returns an error if the rope is shorter than the distance between its ends.
fn check_length(way: Option<f32>, length: f32, stretch: f32) -> mlua::Result<()> {
    let most = length * (1.0 + stretch.clamp(0.0, 1.0)) * 1.001;
    match way.filter(|way| *way > most) {
        Some(way) => Err(mlua::Error::runtime(format!(
            "rope: the ends are {way:.2} m apart, but the length is {length:.2} m; set length to at least \
             {way:.2} or move the ends closer together"
        ))),
        None => Ok(()),
    }
}

/// Returns an error for ropes that cannot carry their load: between a dynamic body and another rope or cloth, and
/// between two dynamic bodies over an obstacle.
fn check_load(stage: &Stage, ends: [Option<BonePoint>; 2], lies: bool) -> mlua::Result<()> {
    let is_free = |handle: Handle| {
        let character = stage.characters.get(handle);
        let solid = character.and_then(|character| character.body.prop_body.as_ref());
        solid.is_some_and(|solid| solid.options.body_type == BodyType::Dynamic)
    };
    let is_fabric = |handle: Handle| {
        let mut fabrics = stage.effects.fabrics.iter();
        fabrics.any(|(_, fabric)| fabric.character == handle && fabric.drives == Drives::Particles)
    };
    let [Some(one), Some(other)] = ends.map(|end| end.map(|end| end.by.0)) else {
        return Ok(());
    };
    let fault = if (is_free(one) && is_fabric(other)) || (is_free(other) && is_fabric(one)) {
        "rope: a rope or a cloth cannot carry the rigid body at the other end; tie it to a position, a bone of a \
         character or another rigid body"
    } else if is_free(one) && is_free(other) && lies {
        "rope: a rope between two dynamic bodies cannot collide; remove colliders and collide_with, or tie one \
         end to a position"
    } else {
        return Ok(());
    };
    Err(mlua::Error::runtime(fault))
}

pub(super) fn rope(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let asked: RopeOptions = args.options(0)?;
    let (links, radius) = (asked.links, asked.radius);
    charge(lua, links as u64 * CHARGE)?;
    let handle = with_world(lua, |world| {
        make_room(&world.stage, "rope", links)?;
        let (from, from_held) = rope_end(&mut world.stage, &asked.from)?;
        let end = asked
            .to
            .map(|to| rope_end(&mut world.stage, &to))
            .transpose()?;
        let way = end.map(|end| end.0.distance(from));
        let length = asked.length.or(way.map(|way| way * 1.05)).unwrap_or(1.0);
        if length <= 0.0 {
            return Err(mlua::Error::runtime("rope: length must be more than 0"));
        }
        check_length(way, length, asked.soft.stretch)?;
        let held = [from_held, end.and_then(|end| end.1)];
        let lies = !asked.soft.colliders.is_empty() || !asked.soft.collide_with.0.is_empty();
        check_load(&world.stage, held, lies)?;
        let material = fabric_material("rope", asked.color, asked.roughness);
        let model = tube_model(links, length, radius, material);
        let model = model.map_err(|error| mlua::Error::runtime(error.to_string()))?;
        let toward = end.map_or(Vec3::NEG_Y, |end| (end.0 - from).normalize_or(Vec3::NEG_Y));
        let step = length / (links - 1) as f32;
        let lane: Vec<Vec3> = (0..links)
            .map(|i| from + toward * (step * i as f32))
            .collect();
        let spawn = Placement {
            position: from,
            ..Placement::default()
        };
        let handle = stand(&mut world.stage, "rope", asked.name, model, spawn)?;
        let fabric = Fabric::new(
            &[lane],
            FabricOptions {
                collision_margin: asked.soft.collision_margin.unwrap_or(radius),
                end_mass: asked.end_mass.clamp(0.1, 100.0),
                ..options(&asked.soft)
            },
        );
        let pin = |particle: u32, place: Vec3, held: Option<BonePoint>| {
            let own = (None, place - from);
            let (holder, offset) = held.map_or(own, |held| (Some(held.by), held.offset));
            FabricPin {
                particle,
                holder,
                offset,
            }
        };
        let mut pins = vec![pin(0, from, from_held)];
        pins.extend(end.map(|(place, held)| pin(links as u32 - 1, place, held)));
        hang(&mut world.stage, &asked.soft, handle, fabric, pins)
    })?;
    reference(lua, handle)
}

fn chains(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let asked: ClothChainOptions = args.options(1)?;
    let tops = asked.chains;
    let handle = args.character()?;
    let fabric = with_world(lua, |world| {
        let character = &*find(&mut world.stage, handle)?;
        let bones = character.definition.model.skeleton.bones();
        let mut chains: Vec<Vec<u16>> = Vec::new();
        for name in &tops {
            let mut chain = vec![bone_index(character, name)?];
            while let Some(&last) = chain.last()
                && let Some(child) = bones.iter().position(|bone| bone.parent == Some(last))
            {
                chain.push(child as u16);
            }
            // A leaf bone that an exporter adds marks the end of the chain.
            if chain.len() > 2 {
                chain.pop();
            }
            let shares = |other: &Vec<u16>| other.iter().any(|bone| chain.contains(bone));
            if let Some((_, other)) = chains.iter().zip(&tops).find(|(other, _)| shares(other)) {
                return Err(mlua::Error::runtime(format!(
                    "cloth: chains {other:?} and {name:?} have bones in common"
                )));
            }
            chains.push(chain);
        }
        if chains.is_empty() {
            return Err(mlua::Error::runtime("cloth: name at least one chain"));
        }
        let lanes = chain_lanes(&chains, character);
        let n = lanes.iter().map(Vec::len).sum();
        let options = FabricOptions {
            closed: asked.closed,
            pose_stiffness: asked.pose_stiffness,
            ..options(&asked.soft)
        };
        let identity = Identity::PartOf {
            whole: Box::new(character.identity.clone()),
            part: tops.join(","),
        };
        make_room(&world.stage, "cloth", n)?;
        let fabric = Fabric::new(&lanes, options);
        let firsts: Vec<u32> = fabric
            .lanes
            .iter()
            .filter_map(|lane| lane.first().copied())
            .collect();
        let heads: Vec<u16> = chains
            .iter()
            .filter_map(|chain| chain.first().copied())
            .collect();
        let mut fabric = StageFabric::new(identity, fabric, handle, Drives::Chains(chains));
        fabric.pins = firsts
            .into_iter()
            .zip(heads)
            .map(|(particle, bone)| FabricPin {
                particle,
                holder: Some((handle, bone)),
                offset: Vec3::ZERO,
            })
            .collect();
        fabric.weight = asked.weight;
        around(&asked.soft, &mut fabric)?;
        Ok(world.stage.effects.fabrics.insert(fabric))
    })?;
    let held = SpringRef::Fabric(fabric);
    Ok(Value::UserData(lua.create_userdata(held)?))
}

/// `hero:cloth { chains = … }`.
pub(super) const CHAINS: Function = Function {
    name: "cloth",
    params: &[Param {
        name: "options",
        ty: Type::Options(ClothChainOptions::SHAPE),
        optional: false,
    }],
    returns: "Spring",
    doc: "Makes chains of the character's bones move as cloth: a cape, a skirt, the tails of a coat. A single chain moves as \
          a rope. The first bone of each chain keeps its pose from the animation.",
    example: "local strand = hero:cloth { chains = { \"left_upper_arm\" }, pose_stiffness = 0.5, collide_with = hero }",
    call: chains,
};

/// `cloth { … }`.
pub(super) const CLOTH: Function = Function {
    name: "cloth",
    params: &[Param {
        name: "options",
        ty: Type::Options(ClothOptions::SHAPE),
        optional: false,
    }],
    returns: "Character",
    doc: "Creates a sheet of cloth. It is a character of its own with the material \"cloth\". It consists of \
          particles (simulated points), each with a bone named `c0_r0` for column 0, row 0. Pins hold some particles. \
          A pin can belong to a character; then it moves with that character. Without one, the pin moves with the \
          `position` of the cloth. There can be 64 ropes and pieces of cloth with 8192 particles in all.",
    example: "local flag = cloth { position = vec(0, 2, -1), size = vec(1.5, 1, 0), pins = \"corners\" }",
    call: cloth,
};

/// `rope { … }`.
pub(super) const ROPE: Function = Function {
    name: "rope",
    params: &[Param {
        name: "options",
        ty: Type::Options(RopeOptions::SHAPE),
        optional: false,
    }],
    returns: "Character",
    doc: "Creates a rope. It is a character of its own with the material \"rope\". Lights and props can be attached \
          to its bones `link_0`, `link_1` and so on, and `end`. If one end is a rigid body, the body hangs on the \
          rope. If both ends are rigid bodies, the rope pulls at both.",
    example: "local line = rope { from = vec(-1, 2, 0), to = vec(1, 2, 0), length = 2.4 }",
    call: rope,
};
