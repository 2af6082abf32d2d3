//! Handles to navigation meshes.

use mlua::Lua;

use crate::objects;
use crate::world::with_world;
use galatea_stage::Handle;
use galatea_stage::nav_meshes::StageNavMesh;

/// Handle to a navigation mesh.
#[derive(Clone, Copy)]
pub(super) struct NavmeshRef(pub(super) Handle);

objects!(NavmeshRef: "Navmesh");

/// Calls `work` with a navigation mesh.
///
/// # Errors
/// Fails if the mesh no longer exists.
pub(super) fn with_navmesh<T>(
    lua: &Lua,
    handle: Handle,
    work: impl FnOnce(&mut StageNavMesh) -> mlua::Result<T>,
) -> mlua::Result<T> {
    with_world(lua, |world| {
        let paths = world.stage.agents.nav_meshes.get_mut(handle);
        let gone = "this navigation mesh was removed";
        work(paths.ok_or_else(|| mlua::Error::runtime(gone))?)
    })
}
