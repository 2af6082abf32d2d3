//! Narrow passages with agents in both directions: each direction keeps to one side.
//!
//! Lanes form without help where there is room (Helbing and Molnár 1995, "Social force model for pedestrian dynamics"). In a
//! door or a narrow corridor, each direction would first fill the whole opening. So this module counts the agents that are
//! about to cross each directed edge of the navigation mesh. While others come over the opposite edge, agents aim at one
//! side of the opening, the side on which they also pass single agents. All agents of all crowds on a mesh take part.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::StageCrowd;
use crate::nav_meshes::StageNavMesh;
use crate::{Arena, Handle};
use galatea_math::lines::{flat, nearest_on};
use galatea_navmesh::{NavMesh, NavPoint};

/// Width between walls up to which a passage is narrow, metres.
const NARROW: f32 = 3.5;
/// Distance from the first narrow edge from which agents take a side, metres.
const NEAR: f32 = 5.0;
/// Position on an edge at which agents cross it, as a fraction from its first end.
const SIDE: f32 = 0.8;
/// Maximum number of edges of a passage.
const MAX_EDGES: usize = 32;

/// The narrow passages of a navigation mesh.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Passages {
    version: Option<u32>,
    is_narrow: Vec<bool>,
    /// Number of agents that are about to cross each edge.
    n_coming: Vec<u32>,
}

/// The passages of all navigation meshes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct PassageSides {
    by_mesh: BTreeMap<Handle, Passages>,
}

impl PassageSides {
    /// Makes agents aim at their sides of passages.
    pub(super) fn advance(&mut self, crowds: &mut Arena<StageCrowd>, paths: &Arena<StageNavMesh>) {
        self.by_mesh
            .retain(|handle, _| paths.get(*handle).is_some());
        for (handle, own) in paths.iter() {
            let Some(mesh) = own.mesh() else {
                continue;
            };
            let passages = self.by_mesh.entry(handle).or_default();
            passages.begin(mesh, own.version());
            if passages.is_narrow.is_empty() {
                continue;
            }
            let on_mesh = || {
                crowds
                    .iter()
                    .filter(|(_, crowd)| crowd.navmesh == Some(handle))
            };
            on_mesh().for_each(|(_, crowd)| passages.count(mesh, crowd));
            let on_mesh = crowds
                .iter_mut()
                .filter(|(_, crowd)| crowd.navmesh == Some(handle));
            on_mesh.for_each(|(_, crowd)| passages.take_sides(mesh, crowd));
        }
    }
}

impl Passages {
    fn begin(&mut self, mesh: &NavMesh, version: u32) {
        if self.version.replace(version) != Some(version) {
            let all = 0..mesh.n_edges() as u32;
            self.is_narrow.clear();
            self.is_narrow.extend(all.map(|edge| is_narrow(mesh, edge)));
            if !self.is_narrow.contains(&true) {
                self.is_narrow.clear();
            }
        }
        self.n_coming.clear();
        self.n_coming.resize(self.is_narrow.len(), 0);
    }

    /// The narrow edges that an agent crosses next, without leaving the passage between them.
    fn edges<'a>(
        &'a self,
        mesh: &'a NavMesh,
        crowd: &'a StageCrowd,
        i: usize,
    ) -> impl Iterator<Item = u32> + 'a {
        let at = crowd.agents[i].agent.at;
        let ahead = crowd.routes.edges_ahead(i).take(MAX_EDGES);
        let narrow = ahead.take_while(|edge| self.is_narrow.get(*edge as usize) == Some(&true));
        let mut is_near = true;
        narrow.enumerate().map_while(move |(k, edge)| {
            // Inside a passage all edges ahead count; before it, only those within reach.
            is_near &= k > 0
                || distance(mesh, edge, at) < NEAR
                || crowd.routes.is_between(mesh, i, &self.is_narrow);
            is_near.then_some(edge)
        })
    }

    fn count(&mut self, mesh: &NavMesh, crowd: &StageCrowd) {
        let mut n_coming = std::mem::take(&mut self.n_coming);
        for i in 0..crowd.agents.len() {
            for edge in self.edges(mesh, crowd, i) {
                n_coming[edge as usize] += 1;
            }
        }
        self.n_coming = n_coming;
    }

    fn take_sides(&self, mesh: &NavMesh, crowd: &mut StageCrowd) {
        for i in 0..crowd.agents.len() {
            let mut edges = self.edges(mesh, crowd, i);
            let Some(first) = edges.next() else {
                continue;
            };
            let is_used = |edge: u32| {
                let n = self.n_coming.get(mesh.twin(edge) as usize);
                n.is_some_and(|n| *n > 0)
            };
            let meets_others = is_used(first) || edges.any(is_used);
            drop(edges);
            if meets_others {
                let [a, b] = mesh.ends(first).map(flat);
                crowd.agents[i].aim = Some(a.lerp(b, SIDE));
            }
        }
    }
}

fn is_narrow(mesh: &NavMesh, edge: u32) -> bool {
    if mesh.link_of(edge).is_some() || mesh.twin(edge) == u32::MAX {
        return false;
    }
    let middle = NavPoint {
        polygon: mesh.owner(edge),
        at: mesh.gate(edge),
    };
    2.0 * (mesh.wall_distance(middle, NARROW) + mesh.radius) <= NARROW
}

/// Distance of a position from an edge on the ground, metres.
fn distance(mesh: &NavMesh, edge: u32, at: glam::Vec2) -> f32 {
    let ends = mesh.ends(edge).map(flat);
    nearest_on(ends, at).distance(at)
}
