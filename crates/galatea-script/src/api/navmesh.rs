//! `navmesh { … }`: navigation meshes and path finding.

use glam::{Vec2, Vec3};
use mlua::{Lua, UserData, UserDataFields, UserDataMethods, Value};

use super::bind::{add_object, add_properties};
use super::check::{Args, ByName, Options, Param, Type, lua_number, lua_vector};
use super::group::{Function, Group, Kind, Property};
use super::nav_door::NavDoorRef;
use super::navmesh_ref::{NavmeshRef, with_navmesh};
use crate::budget::{charge, left};
use crate::world::with_world;
use galatea_derive::Options;
use galatea_navmesh::{BakeOptions, MAX_AREAS, NavVolume, VolumeEffect};
use galatea_stage::nav_meshes::{
    MAX_BLOCKS, MAX_DOORS, MAX_LINKS, MAX_NAV_MESHES, StageNavLink, StageNavMesh,
};

/// Budget steps for creating a mesh, and for each query.
const COST: u64 = 20_000;
const COST_OF_ONE: u64 = 200;
/// Budget steps per cell of the grid when the mesh is built.
const CELL_STEPS: u64 = 8;
/// Number of sides of a round obstacle.
const ROUND: usize = 12;

impl UserData for NavmeshRef {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_properties(&GROUP, fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_object(&GROUP, methods);
    }
}

fn wrong(text: impl Into<String>) -> mlua::Error {
    mlua::Error::runtime(text.into())
}

/// Extent of a navigation mesh, and the agents that walk on it.
#[derive(Options)]
struct NavmeshOptions {
    /// Centre of the box that the mesh covers.
    #[option(default = Vec3::ZERO, default_doc = "(0, 0, 0)", unit = "metres")]
    position: Vec3,
    /// Size of the box that the mesh covers, along each axis. A height of 0 means 20.
    #[option(
        default = Vec3::new(40.0, 20.0, 40.0),
        default_doc = "(40, 20, 40)",
        unit = "metres"
    )]
    size: Vec3,
    /// Distance from walls at which the mesh ends, rounded down to whole cells.
    #[option(default = 0.3, unit = "metres", range = 0.0..=100.0)]
    agent_radius: f32,
    /// Height that an agent needs above the ground.
    #[option(default = 1.8, unit = "metres", range = 0.05..=1000.0)]
    agent_height: f32,
    /// Maximum height of a step that agents can walk up.
    #[option(default = 0.4, unit = "metres", range = 0.0..=100.0)]
    max_step_height: f32,
    /// Steepest slope that agents can walk on.
    #[option(default = 45.0, unit = "degrees", range = 0.0..=89.0)]
    max_slope: f32,
    /// Width of a cell of the grid from which the mesh is computed.
    #[option(default = 0.15, unit = "metres", range = 0.02..=100.0)]
    cell_size: f32,
    /// Cost of walking one metre, by the name of the surface: { mud = 4 }. Agents prefer cheap paths. Other surfaces
    /// cost 1.
    #[option(default = ByName::default(), range = 0.01..=1000.0)]
    costs: ByName<f32>,
    /// Name by which a hot reload finds the mesh again.
    #[option(default_doc = "none: found by the order of creation")]
    name: Option<String>,
}

impl NavmeshOptions {
    fn baked(&self) -> mlua::Result<BakeOptions> {
        // A size with only x and z uses the default height.
        let half = if self.size.y == 0.0 {
            self.size.with_y(20.0)
        } else {
            self.size
        } * 0.5;
        let options = BakeOptions {
            low: self.position - half.abs(),
            high: self.position + half.abs(),
            radius: self.agent_radius,
            height: self.agent_height,
            step: self.max_step_height,
            slope: self.max_slope,
            cell: self.cell_size,
        };
        options.check().map_err(|error| wrong(error.to_string()))?;
        Ok(options)
    }
}

/// Charges a call for building a mesh.
///
/// # Errors
/// Fails if the remaining budget of the call does not cover the cells of the grid.
fn charge_cells(lua: &Lua, options: &BakeOptions) -> mlua::Result<()> {
    let n_cells = options.n_cells();
    let steps = COST + CELL_STEPS * n_cells;
    if steps > left(lua) {
        return Err(wrong(format!(
            "a grid of {n_cells} cells is too large for one call; use a larger cell_size or a smaller size, or \
             create the mesh in the main part of the script"
        )));
    }
    charge(lua, steps)
}

fn navmesh(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: NavmeshOptions = args.options(0)?;
    let baked = options.baked()?;
    charge_cells(lua, &baked)?;
    let costs = options.costs.0;
    if costs.len() >= MAX_AREAS {
        let max = MAX_AREAS - 1;
        return Err(wrong(format!("costs: at most {max} surfaces have a cost")));
    }
    let made = StageNavMesh::new(baked, costs.into_iter().collect());
    let handle = with_world(lua, |world| {
        let handle =
            world
                .stage
                .agents
                .add_nav_mesh(&mut world.stage.ids, options.name.as_deref(), made);
        handle.ok_or_else(|| wrong(format!("navmesh: the limit is {MAX_NAV_MESHES} meshes")))
    })?;
    lua.create_userdata(NavmeshRef(handle)).map(Value::UserData)
}

fn with_own<T>(
    lua: &Lua,
    args: &Args,
    work: impl FnOnce(&mut StageNavMesh) -> mlua::Result<T>,
) -> mlua::Result<T> {
    let own: Option<NavmeshRef> = args.object(0);
    let NavmeshRef(handle) = own.ok_or_else(|| wrong("expected a Navmesh"))?;
    with_navmesh(lua, handle, work)
}

fn place(args: &Args, i: usize) -> mlua::Result<Vec3> {
    let at = args.vector(i).filter(|at| at.is_finite());
    at.ok_or_else(|| wrong("expected a position with finite coordinates"))
}

fn find_path(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST_OF_ONE)?;
    let (from, to) = (place(&args, 1)?, place(&args, 2)?);
    let found = with_own(lua, &args, |paths| {
        if let Some(fault) = paths.fault() {
            return Err(wrong(fault));
        }
        if paths.mesh().is_none() {
            return Err(wrong(
                "the navigation mesh is not baked yet; call find_path in update() or later",
            ));
        }
        Ok(paths.find(from, to))
    })?;
    let Some(corners) = found else {
        return Ok(Value::Nil);
    };
    let places = corners.into_iter().map(|corner| lua_vector(corner.at));
    lua.create_sequence_from(places).map(Value::Table)
}

/// A link between two positions of a navigation mesh.
#[derive(Options)]
struct NavLinkOptions {
    /// Cost of the link, as the length of walking that costs the same.
    #[option(
        default_doc = "the length of the link",
        unit = "metres of plain ground",
        range = 0.0..=1e6
    )]
    cost: Option<f32>,
    /// True allows both directions; false allows only `from` → `to`.
    #[option(default = false)]
    bidirectional: bool,
}

fn add_link(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST_OF_ONE)?;
    let (from, to) = (place(&args, 1)?, place(&args, 2)?);
    let options: NavLinkOptions = args.options(3)?;
    with_own(lua, &args, |paths| {
        let link = StageNavLink {
            from,
            to,
            cost: options.cost.unwrap_or(from.distance(to)),
            both: options.bidirectional,
        };
        match paths.add_link(link) {
            true => Ok(Value::Nil),
            false => Err(wrong(format!("add_link: the limit is {MAX_LINKS} links"))),
        }
    })
}

/// An obstacle in a navigation mesh: a box with `size`, or a cylinder with `radius`.
#[derive(Options)]
struct NavObstacleOptions {
    /// Centre of its bottom side.
    #[option(unit = "metres")]
    position: Vec3,
    /// For a box: its size along each axis.
    #[option(unit = "metres")]
    size: Option<Vec3>,
    /// For a cylinder: its radius.
    #[option(unit = "metres", range = 0.01..=1000.0)]
    radius: Option<f32>,
    /// For a box: rotation around the Y axis.
    #[option(default = 0.0, unit = "degrees")]
    yaw: f32,
}

/// A door in a navigation mesh: a box that agents cannot enter while it is closed.
#[derive(Options)]
struct NavDoorOptions {
    /// Centre of its bottom side.
    #[option(unit = "metres")]
    position: Vec3,
    /// Size of the doorway along each axis.
    #[option(unit = "metres")]
    size: Vec3,
    /// Rotation of the doorway around the Y axis.
    #[option(default = 0.0, unit = "degrees")]
    yaw: f32,
    /// True if the door is open at the start.
    #[option(default = true)]
    open: bool,
}

/// Corners of the base of a box, x and z, and its height in metres.
fn base_of(at: Vec3, size: Vec3, yaw: f32) -> (Vec<Vec2>, f32) {
    let half = Vec2::new(size.x, size.z) * 0.5;
    // A yaw turns from +Z to +X.
    let turn = Vec2::from_angle(-yaw.to_radians());
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let corner = |(x, z)| Vec2::new(at.x, at.z) + turn.rotate(half * Vec2::new(x, z));
    (corners.map(corner).to_vec(), size.y.abs())
}

fn add_door(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST_OF_ONE)?;
    let options: NavDoorOptions = args.options(1)?;
    let at = options.position;
    let (around, height) = base_of(at, options.size, options.yaw);
    let own: Option<NavmeshRef> = args.object(0);
    let number = with_own(lua, &args, |paths| {
        let number = paths.add_door(around, [at.y, at.y + height], options.open);
        number.ok_or_else(|| wrong(format!("add_door: the limit is {MAX_DOORS} doors")))
    })?;
    let NavmeshRef(paths) = own.ok_or_else(|| wrong("expected a Navmesh"))?;
    let door = NavDoorRef {
        navmesh: paths,
        number,
    };
    lua.create_userdata(door).map(Value::UserData)
}

fn add_obstacle(lua: &Lua, args: Args) -> mlua::Result<Value> {
    charge(lua, COST_OF_ONE)?;
    let options: NavObstacleOptions = args.options(1)?;
    let at = options.position;
    let middle = Vec2::new(at.x, at.z);
    let (around, tall) = match (options.size, options.radius) {
        (Some(size), None) => base_of(at, size, options.yaw),
        (None, Some(radius)) => {
            let corner = |i: usize| {
                let angle = i as f32 / ROUND as f32 * std::f32::consts::TAU;
                // The sides touch the circle.
                let out = radius / (std::f32::consts::PI / ROUND as f32).cos();
                middle + Vec2::from_angle(angle) * out
            };
            ((0..ROUND).map(corner).collect(), 0.0)
        }
        _ => return Err(wrong("add_obstacle: give either size or radius")),
    };
    let tall = if tall > 0.0 { tall } else { 2.0 };
    let block = NavVolume {
        around,
        heights: [at.y - 0.1, at.y + tall],
        effect: VolumeEffect::Obstacle,
    };
    let number = with_own(lua, &args, |paths| {
        let number = paths.block(block);
        number.ok_or_else(|| wrong(format!("add_obstacle: the limit is {MAX_BLOCKS} obstacles")))
    })?;
    Ok(lua_number(number as f32))
}

fn remove_obstacle(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let number = args.number(1).unwrap_or(0.0);
    with_own(lua, &args, |paths| {
        match paths.remove_obstacle(number as u32) {
            true => Ok(Value::Nil),
            false => Err(wrong(format!(
                "remove_obstacle: there is no obstacle with the number {number}"
            ))),
        }
    })
}

fn rebuild(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options = with_own(lua, &args, |paths| Ok(paths.options))?;
    charge_cells(lua, &options)?;
    with_own(lua, &args, |paths| {
        paths.refresh();
        Ok(Value::Nil)
    })
}

fn get_is_ready(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |paths| {
        Ok(Value::Boolean(paths.mesh().is_some()))
    })
}

fn get_polygon_count(lua: &Lua, args: Args) -> mlua::Result<Value> {
    with_own(lua, &args, |paths| {
        let n = paths.mesh().map_or(0, |mesh| mesh.n_polygons());
        Ok(lua_number(n as f32))
    })
}

const FROM: Param = Param {
    name: "from",
    ty: Type::Vector,
    optional: false,
};

const TO: Param = Param {
    name: "to",
    ty: Type::Vector,
    optional: false,
};

/// `navmesh { … }`.
pub(super) const NAVMESH: Function = Function {
    name: "navmesh",
    params: &[Param {
        name: "options",
        ty: Type::Options(NavmeshOptions::SHAPE),
        optional: false,
    }],
    returns: "Navmesh",
    doc: "Creates a navigation mesh: a map of the ground on which agents can walk. It covers the floor, static bodies, \
          levels and terrain. Agents can walk up steps and slopes; the inside of closed bodies is not walkable.\n\n\
          The mesh is baked (computed) in the next tick. A crowd uses it with `crowd { navmesh = … }`. For other characters, \
          `find_path` returns paths. There can be 16 meshes.",
    example: "physics.box { position = vec(0, 1, 4), size = vec(6, 2, 0.4) }\nlocal level = navmesh { size = vec(30, 10, 30) }\nfunction update()\n\tlocal way = level:find_path(vec(0, 0, 0), vec(0, 0, 8))\n\tif way then print(#way, way[1]) end\nend",
    call: navmesh,
};

/// Methods and properties of a navigation mesh.
pub(super) static GROUP: Group = Group {
    kind: Kind::Object,
    name: "Navmesh",
    doc: "A navigation mesh (the walkable area of the scene, as polygons), created by `navmesh { … }`.",
    functions: &[
        Function {
            name: "find_path",
            params: &[FROM, TO],
            returns: "{vector}?",
            doc: "Returns the cheapest path between two positions, as a list of the points where it turns; the last \
                  point is the target. Returns nil if there is no path. `from` and `to` may be up to 1 m away from the \
                  mesh.",
            example: "local level = navmesh { size = vec(30, 10, 30) }\nfunction update()\n\tprint(level:find_path(vec(0, 0, 0), vec(0, 0, 8)))\nend",
            call: find_path,
        },
        Function {
            name: "add_link",
            params: &[FROM, TO, Param::options(NavLinkOptions::SHAPE)],
            returns: "",
            doc: "Adds a link, which connects two positions over a gap in the mesh, for example for a jump, a ladder or \
                  a lift. Agents cross a link in a straight line, one after another. While agents cross it in one \
                  direction, agents in the other direction wait.",
            example: "local level = navmesh { size = vec(30, 10, 30) }\nlevel:add_link(vec(0, 3, 0), vec(0, 0, 2), { cost = 1 })",
            call: add_link,
        },
        Function {
            name: "add_obstacle",
            params: &[Param {
                name: "options",
                ty: Type::Options(NavObstacleOptions::SHAPE),
                optional: false,
            }],
            returns: "number",
            doc: "Adds an obstacle that agents walk around, such as a fire. It is a box with a `size`, or a cylinder \
                  with a `radius`. The mesh is computed again in the next tick. Returns the number of the obstacle, \
                  with which `remove_obstacle` removes it. For small obstacles, the option `obstacles` of a crowd is \
                  faster; for doors, use `add_door`.",
            example: "local level = navmesh { size = vec(30, 10, 30) }\nlocal fire = level:add_obstacle { position = vec(0, 0, 4), size = vec(1.2, 2, 0.4) }\nlevel:remove_obstacle(fire)",
            call: add_obstacle,
        },
        Function {
            name: "add_door",
            params: &[Param {
                name: "options",
                ty: Type::Options(NavDoorOptions::SHAPE),
                optional: false,
            }],
            returns: "NavDoor",
            doc: "Adds a doorway that you can open and close without computing the mesh again. When you do, agents \
                  search a new path at once. The doorway is invisible: create a body for the visible door. That body \
                  must not be static, because static bodies are obstacles of the mesh.",
            example: "local level = navmesh { size = vec(30, 10, 30) }\nlocal door = level:add_door { position = vec(0, 0, 4), size = vec(1.2, 2, 0.2), open = false }\ndoor.open = true",
            call: add_door,
        },
        Function {
            name: "remove_obstacle",
            params: &[Param {
                name: "number",
                ty: Type::Number,
                optional: false,
            }],
            returns: "",
            doc: "Removes an obstacle by the number that `add_obstacle` returned. The mesh is computed again in the next tick.",
            example: "local level = navmesh { size = vec(30, 10, 30) }\nlevel:remove_obstacle(level:add_obstacle { position = vec(0, 0, 4), radius = 1 })",
            call: remove_obstacle,
        },
        Function {
            name: "rebuild",
            params: &[],
            returns: "",
            doc: "Computes the mesh again in the next tick. Call it after you have added or removed static bodies.",
            example: "local level = navmesh { size = vec(30, 10, 30) }\nphysics.box { position = vec(0, 1, 4), size = vec(6, 2, 0.4) }\nlevel:rebuild()",
            call: rebuild,
        },
    ],
    properties: &[
        Property {
            name: "is_ready",
            ty: "boolean",
            doc: "True if the mesh has been computed, so that `find_path` works.",
            get: get_is_ready,
            set: None,
        },
        Property {
            name: "polygon_count",
            ty: "number",
            doc: "Number of polygons of the mesh.",
            get: get_polygon_count,
            set: None,
        },
    ],
};
