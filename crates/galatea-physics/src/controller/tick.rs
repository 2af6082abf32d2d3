//! Data of one tick of a controller.

use super::ControllerTickEvent;
use super::capsule::Capsule;
use crate::tag::Owner;

pub(super) struct ControllerTick<'a> {
    pub owner: Owner,
    pub dt: f32,
    pub scale: f32,
    pub capsule: Capsule,
    pub events: &'a mut Vec<ControllerTickEvent>,
}
