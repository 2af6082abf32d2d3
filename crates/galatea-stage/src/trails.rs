//! Trails of a stage: what people of crowds in states that say so leave on the ground, how it fades, and how others follow it
//! (CR-02).

use super::reload::Reload;
use super::{Agents, Arena, Clock, Handle, Identity, Ids, StageCrowd};
use galatea_crowd::Trail;

/// Trails that there may be on a stage, and cells of each.
pub const MOST_TRAILS: usize = 16;
/// See [`MOST_TRAILS`].
pub const MOST_TRAIL_CELLS: usize = 512 * 512;
/// Of so many ticks trails fade in one.
const FADES: u64 = 6;

/// A trail that a script made.
#[derive(Clone, Debug)]
pub struct StageTrail {
    /// Identity over hot reloads.
    identity: Identity,
    /// What lies there.
    pub trail: Trail,
}

impl Agents {
    /// Puts a trail on the stage. `name` makes it known over reloads; without one it is known by the order in which a
    /// script makes them. `None` when there are too many.
    pub fn add_trail(&mut self, ids: &mut Ids, name: Option<&str>, trail: Trail) -> Option<Handle> {
        if self.trails.len() >= MOST_TRAILS {
            return None;
        }
        let identity = ids.identify(name, "trail");
        Some(self.trails.insert(StageTrail { identity, trail }))
    }
}

/// Those in states that lay something lay it, and what lies there fades.
pub(super) fn advance(trails: &mut Arena<StageTrail>, crowds: &Arena<StageCrowd>, clock: Clock) {
    let (dt, tick) = (clock.dt as f32, clock.n_ticks);
    if trails.is_empty() {
        return;
    }
    for (_, crowd) in crowds.iter() {
        for (i, person) in crowd.people.iter().enumerate() {
            let lays = crowd.state_of(i).and_then(|state| state.lays);
            if let Some((handle, amount)) = lays
                && let Some(own) = trails.get_mut(handle)
            {
                let gone = person.agent.velocity.length() * dt;
                own.trail.lay(person.agent.at, amount * gone);
            }
        }
    }
    if tick.is_multiple_of(FADES) {
        for (_, own) in trails.iter_mut() {
            own.trail.fade(FADES as f32 * dt);
        }
    }
}

/// What lies on trails lies on those of the new version that have the same cells.
pub(super) fn migrate(reload: &mut Reload<'_>) {
    let (old, new) = (&reload.old.agents.trails, &mut reload.new.agents.trails);
    new.free_old();
    for (_, own) in new.iter_mut() {
        if let Some((_, was)) = old.iter().find(|(_, was)| was.identity == own.identity) {
            own.trail.continue_from(&was.trail);
        }
    }
}
