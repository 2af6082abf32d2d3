//! Names of the extensions of VRM.

use gltf::json::Root;

/// VRM 0.x.
pub const VRM_0: &str = "VRM";
/// VRM 1.0.
pub const VRM_1: &str = "VRMC_vrm";
/// VRM animations.
pub const VRMA: &str = "VRMC_vrm_animation";

/// Returns true if a file declares the bones of a humanoid body.
pub fn declares_body(document: &Root) -> bool {
    let others = document.extensions.as_ref().map(|root| &root.others);
    others.is_some_and(|others| {
        [VRM_0, VRM_1, VRMA]
            .iter()
            .any(|name| others.contains_key(*name))
    })
}
