//! Messages about failures of the physics engine.

use galatea_physics::{EngineFailure, Owner};

use super::Stage;
use super::physics::character_of;

impl Stage {
    /// Failures of the physics engine since the last call, each as a sentence.
    pub fn take_physics_failures(&mut self) -> Vec<String> {
        let failures = self.physics.world.take_failures();
        let name = |owner: Owner| {
            let handle = character_of(owner);
            let character = handle.and_then(|handle| self.characters.get(handle));
            character.map_or_else(
                || "an object".into(),
                |character| character.source.to_string(),
            )
        };
        let in_words = failures.into_iter().map(|failure| match failure {
            EngineFailure::Removed(owner) => {
                let name = name(owner);
                format!("the physics engine failed on a body of {name}; the body was removed from the simulation")
            }
            EngineFailure::Held(owner) => {
                let name = name(owner);
                format!("the controller of {name} cannot move, because capsules overlap too many triangles of a \
                    mesh; use smaller capsules or a coarser mesh")
            }
            EngineFailure::Emptied => "the physics engine failed and all bodies were removed; save a script to \
                restart the simulation".into(),
            EngineFailure::Crowded => "too many bodies overlap, so the newest were removed from the simulation; \
                create bodies farther apart".into(),
            EngineFailure::TooFine => "bodies overlap too many triangles of a mesh, so those with the most \
                overlaps were removed from the simulation; use smaller bodies or a coarser mesh".into(),
            EngineFailure::Query => {
                "a physics query failed: its shapes are too large, too thin or too far away".into()
            }
        });
        in_words.collect()
    }
}
