//! Navigation meshes of a stage: baked from its fixed colliders in the tick after the request.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::physics::{character_of, surface_of};
use super::reload::Reload;
use super::{Agents, Arena, Floor, Handle, Identity, Ids, PatchShape, Physics};
use galatea_character::Character;
use galatea_navmesh::{
    BakeOptions, Baked, Corner, GroundTriangles, MAX_AREAS, NavMesh, NavVolume, Route, VolumeEffect,
};
use galatea_physics::StillTriangle;

/// Maximum number of navigation meshes on a stage.
pub const MAX_NAV_MESHES: usize = 16;
/// Maximum number of obstacles in a mesh.
pub const MAX_BLOCKS: usize = 1000;
/// Maximum number of links in a mesh.
pub const MAX_LINKS: usize = 1000;
/// Maximum number of doors in a mesh.
pub const MAX_DOORS: usize = 1000;
/// Distance from a mesh within which ends of links, starts and goals count as on it, metres.
pub const REACH: f32 = 1.0;
/// Sides of a round patch of the floor.
const PATCH_SIDES: usize = 16;

/// An off-mesh link.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageNavLink {
    /// Start, world space, metres.
    pub from: Vec3,
    /// End.
    pub to: Vec3,
    /// Cost, in metres of plain ground.
    pub cost: f32,
    /// The link can be used in both directions.
    pub both: bool,
}

/// A door.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct StageNavDoor {
    volume: NavVolume,
    /// Initial state.
    is_open_at_first: bool,
    is_open: bool,
}

/// A navigation mesh of a stage.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageNavMesh {
    /// Identity over hot reloads.
    pub identity: Identity,
    /// Box, agent and resolution.
    pub options: BakeOptions,
    /// Cost of a metre by surface; 1 on others.
    pub costs: BTreeMap<String, f32>,
    links: Vec<StageNavLink>,
    blocks: Vec<(u32, NavVolume)>,
    n_blocked: u32,
    doors: Vec<StageNavDoor>,
    is_due: bool,
    #[serde(with = "galatea_persist::shared")]
    looked_at: Option<(Arc<GroundTriangles>, Arc<Baked>)>,
    #[serde(with = "galatea_persist::shared")]
    mesh: Option<Arc<NavMesh>>,
    version: u32,
    fault: Option<String>,
}

impl StageNavMesh {
    /// A mesh that is baked in the next tick.
    pub fn new(options: BakeOptions, costs: BTreeMap<String, f32>) -> Self {
        Self {
            identity: Identity::default(),
            options,
            costs,
            links: Vec::new(),
            blocks: Vec::new(),
            n_blocked: 0,
            doors: Vec::new(),
            is_due: true,
            looked_at: None,
            mesh: None,
            version: 0,
            fault: None,
        }
    }

    /// The mesh; `None` before the first tick and after an error.
    pub fn mesh(&self) -> Option<&Arc<NavMesh>> {
        self.mesh.as_ref()
    }

    /// Number that changes with the mesh.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Returns true if the mesh is baked again in the next tick.
    pub fn is_due(&self) -> bool {
        self.is_due
    }

    /// The error that prevented baking, as a message.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Bakes again in the next tick.
    pub fn refresh(&mut self) {
        self.is_due = true;
    }

    /// Adds a link. Returns false if there are too many.
    pub fn add_link(&mut self, link: StageNavLink) -> bool {
        let has_room = self.links.len() < MAX_LINKS;
        if has_room {
            self.links.push(link);
            self.is_due = true;
        }
        has_room
    }

    /// Adds an obstacle and returns its number. `None` if there are too many.
    pub fn block(&mut self, block: NavVolume) -> Option<u32> {
        if self.blocks.len() >= MAX_BLOCKS {
            return None;
        }
        self.n_blocked += 1;
        self.blocks.push((self.n_blocked, block));
        self.is_due = true;
        Some(self.n_blocked)
    }

    /// Removes an obstacle. Returns false if there is none with this number.
    pub fn remove_obstacle(&mut self, number: u32) -> bool {
        let n = self.blocks.len();
        self.blocks.retain(|(own, _)| *own != number);
        self.is_due |= self.blocks.len() != n;
        self.blocks.len() != n
    }

    /// Adds a door: floors inside of its volume can be opened and closed. Returns its number; `None` if there are too many.
    pub fn add_door(&mut self, around: Vec<Vec2>, heights: [f32; 2], is_open: bool) -> Option<u32> {
        if self.doors.len() >= MAX_DOORS {
            return None;
        }
        let volume = NavVolume {
            around,
            heights,
            effect: VolumeEffect::Door,
        };
        self.doors.push(StageNavDoor {
            volume,
            is_open_at_first: is_open,
            is_open,
        });
        self.is_due = true;
        Some(self.doors.len() as u32 - 1)
    }

    /// Returns true if a door is open; `None` if there is none with this number.
    pub fn is_open(&self, door: u32) -> Option<bool> {
        Some(self.doors.get(door as usize)?.is_open)
    }

    /// Opens or closes a door, without baking again. Returns false if there is none with this number.
    pub fn set_door(&mut self, door: u32, is_open: bool) -> bool {
        let Some(own) = self.doors.get_mut(door as usize) else {
            return false;
        };
        if own.is_open != is_open {
            own.is_open = is_open;
            if let Some(mesh) = &mut self.mesh
                && Arc::make_mut(mesh).set_door(door as usize, is_open)
            {
                self.version += 1;
            }
        }
        true
    }

    /// Finds the cheapest path: the points at which it turns, the goal last. `None` without a path, or if an end is not on
    /// the mesh.
    pub fn find(&self, from: Vec3, to: Vec3) -> Option<Vec<Corner>> {
        let mesh = self.mesh.as_ref()?;
        let (from, to) = (mesh.nearest(from, REACH)?, mesh.nearest(to, REACH)?);
        Some(Route::find(mesh, from, to)?.corners(mesh, from.at))
    }

    /// Bakes the mesh from the triangles of the stage.
    fn bake(&mut self, ground: GroundTriangles, patches: Vec<NavVolume>) {
        self.version += 1;
        let was = self.looked_at.take().filter(|(known, _)| **known == ground);
        let baked = match was {
            Some((_, baked)) => Ok(baked),
            None => Baked::new(&ground, &self.options).map(Arc::new),
        };
        let made = baked.and_then(|baked| {
            self.looked_at = Some((Arc::new(ground), baked.clone()));
            let blocks = self.blocks.iter().map(|(_, block)| block.clone());
            let doors = self.doors.iter().map(|door| door.volume.clone());
            let volumes: Vec<NavVolume> = patches.into_iter().chain(doors).chain(blocks).collect();
            baked.mesh(&volumes, &self.area_costs())
        });
        match made {
            Ok(mut mesh) => {
                for StageNavLink {
                    from,
                    to,
                    cost,
                    both,
                } in &self.links
                {
                    // A link with an end off the mesh is ignored.
                    let _ = mesh.add_link(*from, *to, *cost, REACH);
                    if *both {
                        let _ = mesh.add_link(*to, *from, *cost, REACH);
                    }
                }
                for (i, door) in self.doors.iter().enumerate() {
                    mesh.set_door(i, door.is_open);
                }
                (self.mesh, self.fault) = (Some(Arc::new(mesh)), None);
            }
            Err(error) => {
                tracing::warn!("{error}");
                (self.mesh, self.fault) = (None, Some(error.to_string()));
            }
        }
    }

    fn area_costs(&self) -> Vec<f32> {
        let own = self.costs.values().copied();
        std::iter::once(1.0).chain(own).collect()
    }

    /// The area of a surface: 0 for all without a cost of their own.
    fn area_of(&self, surface: Option<&str>) -> u8 {
        let at = surface.and_then(|name| self.costs.keys().position(|own| own == name));
        at.map_or(0, |at| (at + 1).min(MAX_AREAS - 1) as u8)
    }
}

/// Bakes the meshes that are due.
pub(super) fn advance(
    paths: &mut Arena<StageNavMesh>,
    characters: &Arena<Character>,
    physics: &Physics,
    floor: &Floor,
) {
    puffin::profile_scope!("nav_meshes");
    if !paths.iter().any(|(_, paths)| paths.is_due) {
        return;
    }
    for (_, paths) in paths.iter_mut().filter(|(_, paths)| paths.is_due) {
        paths.is_due = false;
        let mut ground = GroundTriangles::default();
        let BakeOptions { low, high, .. } = paths.options;
        let mut last = (None, 0);
        physics.world.still_triangles([low, high], |triangle| {
            let StillTriangle { owner, .. } = triangle;
            let whose = character_of(*owner).filter(|handle| characters.get(*handle).is_some());
            let middle = triangle.corners.iter().sum::<Vec3>() / 3.0;
            let key = Some((*owner, triangle.made_of));
            // Triangles of one collider follow each other.
            if !paths.costs.is_empty() && (last.0 != key || triangle.made_of.is_some()) {
                // Patches of the floor are added as volumes below.
                let surface = match whose {
                    None => Some(floor.surface.clone()),
                    whose => surface_of(characters, floor, whose, 0, middle),
                };
                last = (key, paths.area_of(surface.as_deref()));
            }
            let first = ground.vertices.len() as u32;
            ground.vertices.extend(triangle.corners);
            ground.triangles.push([first, first + 1, first + 2]);
            ground.areas.push(last.1);
            ground.bodies.push(triangle.collider);
        });
        let patches = floor.patches.iter().map(|patch| {
            let around = match patch.shape {
                PatchShape::Rectangle(half) => [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                    .map(|(x, z)| patch.centre + half * Vec2::new(x, z))
                    .to_vec(),
                PatchShape::Circle(radius) => (0..PATCH_SIDES)
                    .map(|i| {
                        let angle = i as f32 / PATCH_SIDES as f32 * std::f32::consts::TAU;
                        patch.centre + Vec2::from_angle(angle) * radius
                    })
                    .collect(),
            };
            let height = floor.collision_height.unwrap_or(0.0);
            NavVolume {
                around,
                heights: [height - 0.2, height + 0.2],
                effect: VolumeEffect::Area(paths.area_of(Some(&patch.surface))),
            }
        });
        let patches = if paths.costs.is_empty() {
            Vec::new()
        } else {
            patches.collect()
        };
        paths.bake(ground, patches);
    }
}

impl Agents {
    /// Adds a navigation mesh. `name` identifies it over reloads, as for crowds. `None` if there are too many.
    pub fn add_nav_mesh(
        &mut self,
        ids: &mut Ids,
        name: Option<&str>,
        paths: StageNavMesh,
    ) -> Option<Handle> {
        if self.nav_meshes.len() >= MAX_NAV_MESHES {
            return None;
        }
        let identity = ids.identify(name, "paths");
        Some(self.nav_meshes.insert(StageNavMesh { identity, ..paths }))
    }
}

/// Keeps the baked levels and the doors of meshes with the same options. A door whose `open` the script did not change
/// stays as it was.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let (old, new) = (
        &reload.old.agents.nav_meshes,
        &mut reload.new.agents.nav_meshes,
    );
    new.free_old();
    for (_, paths) in new.iter_mut() {
        let mut known = old.iter();
        let is_same =
            |was: &StageNavMesh| was.identity == paths.identity && was.options == paths.options;
        if let Some((_, was)) = known.find(|(_, was)| is_same(was)) {
            paths.looked_at.clone_from(&was.looked_at);
            paths.version = was.version;
            for (door, was) in paths.doors.iter_mut().zip(&was.doors) {
                if (&door.volume, door.is_open_at_first) == (&was.volume, was.is_open_at_first) {
                    door.is_open = was.is_open;
                }
            }
        }
    }
}
