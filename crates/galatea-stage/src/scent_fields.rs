//! Scent fields of a stage: agents in some states leave scent on the ground, it fades, and other agents follow it.

use serde::{Deserialize, Serialize};

use super::reload::Reload;
use super::{Agents, Arena, Clock, Handle, Identity, Ids, StageCrowd};
use galatea_crowd::ScentField;

/// Maximum number of scent fields on a stage, and of cells of each.
pub const MAX_SCENT_FIELDS: usize = 16;
/// See [`MAX_SCENT_FIELDS`].
pub const MAX_SCENT_CELLS: usize = 512 * 512;
/// Scent fades once in this many ticks.
const FADE_INTERVAL: u64 = 6;

/// A scent field that a script created.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StageScentField {
    /// Identity over hot reloads.
    identity: Identity,
    /// The field.
    pub field: ScentField,
}

impl Agents {
    /// Adds a scent field. `name` identifies it over reloads; without a name, the order of creation does. Returns `None` if
    /// there are too many.
    pub fn add_scent_field(
        &mut self,
        ids: &mut Ids,
        name: Option<&str>,
        trail: ScentField,
    ) -> Option<Handle> {
        if self.scent_fields.len() >= MAX_SCENT_FIELDS {
            return None;
        }
        let identity = ids.identify(name, "trail");
        Some(self.scent_fields.insert(StageScentField {
            identity,
            field: trail,
        }))
    }
}

/// Adds the scent that agents leave, and fades the fields.
pub(super) fn advance(
    trails: &mut Arena<StageScentField>,
    crowds: &Arena<StageCrowd>,
    clock: Clock,
) {
    puffin::profile_scope!("scent_fields");
    let (dt, tick) = (clock.dt as f32, clock.n_ticks);
    if trails.is_empty() {
        return;
    }
    for (_, crowd) in crowds.iter() {
        for (i, person) in crowd.agents.iter().enumerate() {
            let lays = crowd.state_of(i).and_then(|state| state.leave_scent);
            if let Some((handle, amount)) = lays
                && let Some(own) = trails.get_mut(handle)
            {
                let gone = person.agent.velocity.length() * dt;
                own.field.add(person.agent.at, amount * gone);
            }
        }
    }
    if tick.is_multiple_of(FADE_INTERVAL) {
        for (_, own) in trails.iter_mut() {
            own.field.fade(FADE_INTERVAL as f32 * dt);
        }
    }
}

/// Copies the scent to fields of the new version with the same cells.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let (old, new) = (
        &reload.old.agents.scent_fields,
        &mut reload.new.agents.scent_fields,
    );
    new.free_old();
    for (_, own) in new.iter_mut() {
        if let Some((_, was)) = old.iter().find(|(_, was)| was.identity == own.identity) {
            own.field.continue_from(&was.field);
        }
    }
}
