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
                format!("the physics engine cannot compute a body of {name}: it was removed, all else continues")
            }
            EngineFailure::Held(owner) => {
                let name = name(owner);
                format!("the controller of {name} does not move: capsules overlap too many triangles of a mesh; make them smaller or the mesh coarser")
            }
            EngineFailure::Emptied => "the physics engine failed: all bodies were removed; save a script to start again".into(),
            EngineFailure::Crowded => "too many bodies overlap: the newest of them were removed from the physics; create them farther apart".into(),
            EngineFailure::TooFine => "bodies overlap too many triangles of a mesh: those over most of them were removed from the physics; make the bodies smaller or the mesh coarser".into(),
            EngineFailure::Query => {
                "the physics engine cannot answer a query: the shapes are too large, too thin or too far away".into()
            }
        });
        in_words.collect()
    }
}
