//! References to objects on the stage, in kept tables of saved games.

use mlua::{AnyUserData, Lua, Value};

use super::character::machine_reference;
use super::character_ref::{CharacterRef, reference};
use super::crowd_ref::CrowdRef;
use super::crowd_stats::CrowdStatsRef;
use super::face_ref::FaceRef;
use super::flock::FlockRef;
use super::light_handle::LightRef;
use super::navmesh_ref::NavmeshRef;
use super::particles::ParticlesRef;
use super::running::MachineRef;
use super::scent_field::ScentFieldRef;
use super::smart_object::ObjectRef;
use super::ui_element_handle::UiElementRef;
use crate::object_kind::{ObjectKind, SavedObject};

/// The object on the stage that a value refers to; `None` for other values, such as sounds and tasks.
pub(crate) fn saved_object(data: &AnyUserData) -> Option<SavedObject> {
    macro_rules! of {
        ($($handle:ty => $kind:ident),* $(,)?) => {$(
            if let Ok(object) = data.borrow::<$handle>() {
                return Some(SavedObject { kind: ObjectKind::$kind, handle: object.0 });
            }
        )*};
    }
    of!(
        CharacterRef => Character,
        MachineRef => Machine,
        FaceRef => Face,
        LightRef => Light,
        UiElementRef => UiElement,
        ParticlesRef => Particles,
        CrowdRef => Crowd,
        ObjectRef => SmartObject,
        FlockRef => Flock,
        NavmeshRef => Navmesh,
        ScentFieldRef => ScentField,
        CrowdStatsRef => CrowdStats,
    );
    None
}

/// The value with which a script refers to an object.
///
/// # Errors
/// Fails if the VM runs out of memory.
pub(crate) fn object_of(lua: &Lua, object: SavedObject) -> mlua::Result<Value> {
    let handle = object.handle;
    let data = match object.kind {
        ObjectKind::Character => return reference(lua, handle),
        ObjectKind::Machine => return machine_reference(lua, handle),
        ObjectKind::Face => lua.create_userdata(FaceRef(handle))?,
        ObjectKind::Light => lua.create_userdata(LightRef(handle))?,
        ObjectKind::UiElement => lua.create_userdata(UiElementRef(handle))?,
        ObjectKind::Particles => lua.create_userdata(ParticlesRef(handle))?,
        ObjectKind::Crowd => lua.create_userdata(CrowdRef(handle))?,
        ObjectKind::SmartObject => lua.create_userdata(ObjectRef(handle))?,
        ObjectKind::Flock => lua.create_userdata(FlockRef(handle))?,
        ObjectKind::Navmesh => lua.create_userdata(NavmeshRef(handle))?,
        ObjectKind::ScentField => lua.create_userdata(ScentFieldRef(handle))?,
        ObjectKind::CrowdStats => lua.create_userdata(CrowdStatsRef(handle))?,
    };
    Ok(Value::UserData(data))
}
