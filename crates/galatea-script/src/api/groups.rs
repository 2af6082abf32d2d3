//! All groups of the API.

use mlua::Lua;

use super::bind::register_groups;
use super::check::Shape;
use super::group::Group;
use super::{
    camera, character_table, clip, clip_handle, clip_sources, conversation, conversation_handle,
    crowd, crowd_stats, decal, event_types, expression, face, flock, force_field, globals, grab,
    ground, hair_cut, input, light, light_handle, line_handle, listen, machine, marker_handle,
    material, modifier_list, nav_door, navmesh, particles, physics, play, pose_handle, running,
    scent_field, secondary, shown_expression_handle, smart_object, sound, sound_handle, task, time,
    ui, ui_element_handle, words,
};

/// Shapes that appear only in the texts of types, such as the tables after `state "idle"`.
pub static NAMED: &[&[&Shape]] = &[
    clip::SHAPES,
    clip_sources::SHAPES,
    conversation::SHAPES,
    event_types::SHAPES,
    machine::group::SHAPES,
    words::SHAPES,
];

/// Every group, in the order of the reference.
pub static GROUPS: &[&Group] = &[
    &globals::GROUP,
    &character_table::GROUP,
    &play::GROUP,
    &task::GROUP,
    &clip::GROUP,
    &clip_handle::GROUP,
    &material::GROUP,
    &decal::GROUP,
    &particles::GROUP,
    &crowd::GROUP,
    &smart_object::GROUP,
    &flock::GROUP,
    &crowd_stats::GROUP,
    &scent_field::GROUP,
    &navmesh::GROUP,
    &nav_door::GROUP,
    &listen::GROUP,
    &marker_handle::GROUP,
    &modifier_list::GROUP,
    &pose_handle::GROUP,
    &secondary::GROUP,
    &face::GROUP,
    &shown_expression_handle::GROUP,
    &expression::GROUP,
    &words::GROUP,
    &line_handle::GROUP,
    &conversation::GROUP,
    &conversation_handle::GROUP,
    &machine::group::GROUP,
    &running::GROUP,
    &time::GROUP,
    &input::GROUP,
    &sound::GROUP,
    &sound_handle::GROUP,
    &camera::GROUP,
    &light::GROUP,
    &light_handle::GROUP,
    &ground::GROUP,
    &hair_cut::GROUP,
    &physics::GROUP,
    &force_field::GROUP,
    &grab::GROUP,
    &ui::GROUP,
    &ui_element_handle::GROUP,
];

/// Registers the API in the globals of the VM.
pub(crate) fn register(lua: &Lua) -> mlua::Result<()> {
    register_groups(lua, GROUPS)?;
    task::register(lua)
}
