//! Ways over a stage: where somebody can walk among what stands still on it, worked out when that is asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::physics::{character_of, surface_of};
use super::reload::Reload;
use super::{Agents, Arena, Floor, Handle, Identity, Ids, PatchShape, Physics};
use galatea_character::Character;
use galatea_navmesh::{
    BakeOptions, Baked, Corner, GroundTriangles, MOST_AREAS, NavMesh, NavVolume, Route,
};
use galatea_physics::StillTriangle;

/// Objects of ways that there may be on a stage, and what may be in the way and linked in each.
pub const MOST_PATHS: usize = 16;
/// See [`MOST_PATHS`].
pub const MOST_BLOCKS: usize = 1000;
/// See [`MOST_PATHS`].
pub const MOST_LINKS: usize = 1000;
/// Metres from a mesh within which ends of links and places that are asked for are on it.
pub const REACH: f32 = 1.0;
/// Sides of a round patch of the floor.
const ROUND: usize = 16;

/// A way that is no ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathLink {
    /// Where it begins, world space.
    pub from: Vec3,
    /// Where it ends.
    pub to: Vec3,
    /// What it costs, in metres of plain ground.
    pub cost: f32,
    /// It can be gone back, too.
    pub both: bool,
}

/// Ways of the same script's call.
#[derive(Clone, Debug)]
pub struct StagePaths {
    /// Identity over hot reloads.
    pub identity: Identity,
    /// Where, and for whom.
    pub options: BakeOptions,
    /// What a metre costs on each surface; 1 on others.
    pub costs: BTreeMap<String, f32>,
    links: Vec<PathLink>,
    blocks: Vec<(u32, NavVolume)>,
    n_blocked: u32,
    is_due: bool,
    looked_at: Option<(Arc<GroundTriangles>, Arc<Baked>)>,
    mesh: Option<Arc<NavMesh>>,
    version: u32,
    fault: Option<String>,
}

impl StagePaths {
    /// Ways that are worked out in the next tick.
    pub fn new(options: BakeOptions, costs: BTreeMap<String, f32>) -> Self {
        Self {
            identity: Identity::default(),
            options,
            costs,
            links: Vec::new(),
            blocks: Vec::new(),
            n_blocked: 0,
            is_due: true,
            looked_at: None,
            mesh: None,
            version: 0,
            fault: None,
        }
    }

    /// Where somebody can walk; nothing before the first tick, and where it could not be worked out.
    pub fn mesh(&self) -> Option<&Arc<NavMesh>> {
        self.mesh.as_ref()
    }

    /// Changes whenever the mesh does.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The mesh will be another one in the next tick.
    pub fn is_due(&self) -> bool {
        self.is_due
    }

    /// Why there is no mesh, in words.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// Looks at the stage again in the next tick.
    pub fn refresh(&mut self) {
        self.is_due = true;
    }

    /// Adds a way that is no ground; false where there are too many.
    pub fn link(&mut self, link: PathLink) -> bool {
        let has_room = self.links.len() < MOST_LINKS;
        if has_room {
            self.links.push(link);
            self.is_due = true;
        }
        has_room
    }

    /// Puts something in the way: its number; nothing where there is too much.
    pub fn block(&mut self, block: NavVolume) -> Option<u32> {
        if self.blocks.len() >= MOST_BLOCKS {
            return None;
        }
        self.n_blocked += 1;
        self.blocks.push((self.n_blocked, block));
        self.is_due = true;
        Some(self.n_blocked)
    }

    /// Takes something out of the way; false where there is no such thing.
    pub fn unblock(&mut self, number: u32) -> bool {
        let n = self.blocks.len();
        self.blocks.retain(|(own, _)| *own != number);
        self.is_due |= self.blocks.len() != n;
        self.blocks.len() != n
    }

    /// Places at which the way from one place to another turns, the goal last; nothing where none leads there, or one of
    /// them is nowhere near.
    pub fn find(&self, from: Vec3, to: Vec3) -> Option<Vec<Corner>> {
        let mesh = self.mesh.as_ref()?;
        let (from, to) = (mesh.nearest(from, REACH)?, mesh.nearest(to, REACH)?);
        Some(Route::find(mesh, from, to)?.corners(mesh, from.at))
    }

    /// Works everything out from what stands still now.
    fn work_out(&mut self, ground: GroundTriangles, patches: Vec<NavVolume>) {
        self.version += 1;
        let was = self.looked_at.take().filter(|(known, _)| **known == ground);
        let baked = match was {
            Some((_, baked)) => Ok(baked),
            None => Baked::new(&ground, &self.options).map(Arc::new),
        };
        let made = baked.and_then(|baked| {
            self.looked_at = Some((Arc::new(ground), baked.clone()));
            let blocks = self.blocks.iter().map(|(_, block)| block.clone());
            let blocks: Vec<NavVolume> = patches.into_iter().chain(blocks).collect();
            baked.mesh(&blocks, &self.area_costs())
        });
        match made {
            Ok(mut mesh) => {
                for PathLink {
                    from,
                    to,
                    cost,
                    both,
                } in &self.links
                {
                    // An end that is nowhere leads nowhere.
                    let _ = mesh.link(*from, *to, *cost, REACH);
                    if *both {
                        let _ = mesh.link(*to, *from, *cost, REACH);
                    }
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

    /// The kind of ground that a surface is: 0 for all that have no cost of their own.
    fn area_of(&self, surface: Option<&str>) -> u8 {
        let at = surface.and_then(|name| self.costs.keys().position(|own| own == name));
        at.map_or(0, |at| (at + 1).min(MOST_AREAS - 1) as u8)
    }
}

/// Works out the ways that are due.
pub(super) fn advance(
    paths: &mut Arena<StagePaths>,
    characters: &Arena<Character>,
    physics: &Physics,
    floor: &Floor,
) {
    if !paths.iter().any(|(_, paths)| paths.is_due) {
        return;
    }
    for (_, paths) in paths.iter_mut().filter(|(_, paths)| paths.is_due) {
        paths.is_due = false;
        let mut ground = GroundTriangles::default();
        let BakeOptions { low, high, .. } = paths.options;
        let mut last = (None, 0);
        physics.world.still_triangles([low, high], |triangle| {
            if !within(&triangle.corners, low, high) {
                return;
            }
            let StillTriangle { owner, .. } = triangle;
            let whose = character_of(*owner).filter(|handle| characters.get(*handle).is_some());
            let middle = triangle.corners.iter().sum::<Vec3>() / 3.0;
            let key = Some((*owner, triangle.made_of));
            // Triangles of the same thing stand together.
            if !paths.costs.is_empty() && (last.0 != key || triangle.made_of.is_some()) {
                // Patches of the floor are laid over it later.
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
        });
        let patches = floor.patches.iter().map(|patch| {
            let around = match patch.shape {
                PatchShape::Rectangle(half) => [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                    .map(|(x, z)| patch.centre + half * Vec2::new(x, z))
                    .to_vec(),
                PatchShape::Circle(radius) => (0..ROUND)
                    .map(|i| {
                        let angle = i as f32 / ROUND as f32 * std::f32::consts::TAU;
                        patch.centre + Vec2::from_angle(angle) * radius
                    })
                    .collect(),
            };
            let height = floor.solid.unwrap_or(0.0);
            NavVolume {
                around,
                heights: [height - 0.2, height + 0.2],
                area: Some(paths.area_of(Some(&patch.surface))),
            }
        });
        let patches = if paths.costs.is_empty() {
            Vec::new()
        } else {
            patches.collect()
        };
        paths.work_out(ground, patches);
    }
}

fn within(corners: &[Vec3; 3], low: Vec3, high: Vec3) -> bool {
    let [a, b, c] = corners;
    let (least, most) = (a.min(*b).min(*c), a.max(*b).max(*c));
    !(least.cmpgt(high).any() || most.cmplt(low).any())
}

impl Agents {
    /// Puts ways on the stage. `name` makes them known over reloads, as for crowds. `None` when there are too many.
    pub fn add_paths(
        &mut self,
        ids: &mut Ids,
        name: Option<&str>,
        paths: StagePaths,
    ) -> Option<Handle> {
        if self.paths.len() >= MOST_PATHS {
            return None;
        }
        let identity = ids.identify(name, "paths");
        Some(self.paths.insert(StagePaths { identity, ..paths }))
    }
}

/// Meshes of the same level are used again.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let (old, new) = (&reload.old.agents.paths, &mut reload.new.agents.paths);
    new.free_old();
    for (_, paths) in new.iter_mut() {
        let mut known = old.iter();
        let is_same =
            |was: &StagePaths| was.identity == paths.identity && was.options == paths.options;
        if let Some((_, was)) = known.find(|(_, was)| is_same(was)) {
            paths.looked_at.clone_from(&was.looked_at);
            paths.version = was.version;
        }
    }
}
