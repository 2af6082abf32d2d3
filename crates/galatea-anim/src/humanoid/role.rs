//! Roles of the bones of a human body: VRM 1.0's humanoid bones with name, side and parent.

use serde::{Deserialize, Serialize};

use super::Side::{self, Left, Middle, Right};

/// Number of roles.
pub const N_ROLES: usize = 55;

/// A bone of the human body (VRM 1.0, `humanoid.humanBones`), named as in the specification, in snake case. A thumb
/// has metacarpal, proximal and distal; the other fingers have proximal, intermediate and distal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Role {
    Hips,
    Spine,
    Chest,
    UpperChest,
    Neck,
    Head,
    Jaw,
    LeftEye,
    RightEye,
    LeftShoulder,
    LeftUpperArm,
    LeftLowerArm,
    LeftHand,
    RightShoulder,
    RightUpperArm,
    RightLowerArm,
    RightHand,
    LeftUpperLeg,
    LeftLowerLeg,
    LeftFoot,
    LeftToes,
    RightUpperLeg,
    RightLowerLeg,
    RightFoot,
    RightToes,
    LeftThumbMetacarpal,
    LeftThumbProximal,
    LeftThumbDistal,
    LeftIndexProximal,
    LeftIndexIntermediate,
    LeftIndexDistal,
    LeftMiddleProximal,
    LeftMiddleIntermediate,
    LeftMiddleDistal,
    LeftRingProximal,
    LeftRingIntermediate,
    LeftRingDistal,
    LeftLittleProximal,
    LeftLittleIntermediate,
    LeftLittleDistal,
    RightThumbMetacarpal,
    RightThumbProximal,
    RightThumbDistal,
    RightIndexProximal,
    RightIndexIntermediate,
    RightIndexDistal,
    RightMiddleProximal,
    RightMiddleIntermediate,
    RightMiddleDistal,
    RightRingProximal,
    RightRingIntermediate,
    RightRingDistal,
    RightLittleProximal,
    RightLittleIntermediate,
    RightLittleDistal,
}

use Role as R;

/// Role, name, side and parent role, in the order of [`Role`].
const TABLE: [(Role, &str, Side, Option<Role>); N_ROLES] = [
    (R::Hips, "hips", Middle, None),
    (R::Spine, "spine", Middle, Some(R::Hips)),
    (R::Chest, "chest", Middle, Some(R::Spine)),
    (R::UpperChest, "upper_chest", Middle, Some(R::Chest)),
    (R::Neck, "neck", Middle, Some(R::UpperChest)),
    (R::Head, "head", Middle, Some(R::Neck)),
    (R::Jaw, "jaw", Middle, Some(R::Head)),
    (R::LeftEye, "left_eye", Left, Some(R::Head)),
    (R::RightEye, "right_eye", Right, Some(R::Head)),
    (R::LeftShoulder, "left_shoulder", Left, Some(R::UpperChest)),
    (
        R::LeftUpperArm,
        "left_upper_arm",
        Left,
        Some(R::LeftShoulder),
    ),
    (
        R::LeftLowerArm,
        "left_lower_arm",
        Left,
        Some(R::LeftUpperArm),
    ),
    (R::LeftHand, "left_hand", Left, Some(R::LeftLowerArm)),
    (
        R::RightShoulder,
        "right_shoulder",
        Right,
        Some(R::UpperChest),
    ),
    (
        R::RightUpperArm,
        "right_upper_arm",
        Right,
        Some(R::RightShoulder),
    ),
    (
        R::RightLowerArm,
        "right_lower_arm",
        Right,
        Some(R::RightUpperArm),
    ),
    (R::RightHand, "right_hand", Right, Some(R::RightLowerArm)),
    (R::LeftUpperLeg, "left_upper_leg", Left, Some(R::Hips)),
    (
        R::LeftLowerLeg,
        "left_lower_leg",
        Left,
        Some(R::LeftUpperLeg),
    ),
    (R::LeftFoot, "left_foot", Left, Some(R::LeftLowerLeg)),
    (R::LeftToes, "left_toes", Left, Some(R::LeftFoot)),
    (R::RightUpperLeg, "right_upper_leg", Right, Some(R::Hips)),
    (
        R::RightLowerLeg,
        "right_lower_leg",
        Right,
        Some(R::RightUpperLeg),
    ),
    (R::RightFoot, "right_foot", Right, Some(R::RightLowerLeg)),
    (R::RightToes, "right_toes", Right, Some(R::RightFoot)),
    (
        R::LeftThumbMetacarpal,
        "left_thumb_metacarpal",
        Left,
        Some(R::LeftHand),
    ),
    (
        R::LeftThumbProximal,
        "left_thumb_proximal",
        Left,
        Some(R::LeftThumbMetacarpal),
    ),
    (
        R::LeftThumbDistal,
        "left_thumb_distal",
        Left,
        Some(R::LeftThumbProximal),
    ),
    (
        R::LeftIndexProximal,
        "left_index_proximal",
        Left,
        Some(R::LeftHand),
    ),
    (
        R::LeftIndexIntermediate,
        "left_index_intermediate",
        Left,
        Some(R::LeftIndexProximal),
    ),
    (
        R::LeftIndexDistal,
        "left_index_distal",
        Left,
        Some(R::LeftIndexIntermediate),
    ),
    (
        R::LeftMiddleProximal,
        "left_middle_proximal",
        Left,
        Some(R::LeftHand),
    ),
    (
        R::LeftMiddleIntermediate,
        "left_middle_intermediate",
        Left,
        Some(R::LeftMiddleProximal),
    ),
    (
        R::LeftMiddleDistal,
        "left_middle_distal",
        Left,
        Some(R::LeftMiddleIntermediate),
    ),
    (
        R::LeftRingProximal,
        "left_ring_proximal",
        Left,
        Some(R::LeftHand),
    ),
    (
        R::LeftRingIntermediate,
        "left_ring_intermediate",
        Left,
        Some(R::LeftRingProximal),
    ),
    (
        R::LeftRingDistal,
        "left_ring_distal",
        Left,
        Some(R::LeftRingIntermediate),
    ),
    (
        R::LeftLittleProximal,
        "left_little_proximal",
        Left,
        Some(R::LeftHand),
    ),
    (
        R::LeftLittleIntermediate,
        "left_little_intermediate",
        Left,
        Some(R::LeftLittleProximal),
    ),
    (
        R::LeftLittleDistal,
        "left_little_distal",
        Left,
        Some(R::LeftLittleIntermediate),
    ),
    (
        R::RightThumbMetacarpal,
        "right_thumb_metacarpal",
        Right,
        Some(R::RightHand),
    ),
    (
        R::RightThumbProximal,
        "right_thumb_proximal",
        Right,
        Some(R::RightThumbMetacarpal),
    ),
    (
        R::RightThumbDistal,
        "right_thumb_distal",
        Right,
        Some(R::RightThumbProximal),
    ),
    (
        R::RightIndexProximal,
        "right_index_proximal",
        Right,
        Some(R::RightHand),
    ),
    (
        R::RightIndexIntermediate,
        "right_index_intermediate",
        Right,
        Some(R::RightIndexProximal),
    ),
    (
        R::RightIndexDistal,
        "right_index_distal",
        Right,
        Some(R::RightIndexIntermediate),
    ),
    (
        R::RightMiddleProximal,
        "right_middle_proximal",
        Right,
        Some(R::RightHand),
    ),
    (
        R::RightMiddleIntermediate,
        "right_middle_intermediate",
        Right,
        Some(R::RightMiddleProximal),
    ),
    (
        R::RightMiddleDistal,
        "right_middle_distal",
        Right,
        Some(R::RightMiddleIntermediate),
    ),
    (
        R::RightRingProximal,
        "right_ring_proximal",
        Right,
        Some(R::RightHand),
    ),
    (
        R::RightRingIntermediate,
        "right_ring_intermediate",
        Right,
        Some(R::RightRingProximal),
    ),
    (
        R::RightRingDistal,
        "right_ring_distal",
        Right,
        Some(R::RightRingIntermediate),
    ),
    (
        R::RightLittleProximal,
        "right_little_proximal",
        Right,
        Some(R::RightHand),
    ),
    (
        R::RightLittleIntermediate,
        "right_little_intermediate",
        Right,
        Some(R::RightLittleProximal),
    ),
    (
        R::RightLittleDistal,
        "right_little_distal",
        Right,
        Some(R::RightLittleIntermediate),
    ),
];

impl Role {
    /// Every role; parents come before children of the same limb.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    /// Name in snake case, as in scripts and messages.
    pub fn name(self) -> &'static str {
        TABLE[self.index()].1
    }

    /// Side of the body.
    pub fn side(self) -> Side {
        TABLE[self.index()].2
    }

    /// Parent role; `None` for the hips. If the body lacks this optional bone, call it again for the next ancestor.
    pub fn parent(self) -> Option<Self> {
        TABLE[self.index()].3
    }

    /// Role of the same bone on the other side; roles in the middle return themselves.
    pub fn opposite(self) -> Self {
        let name = self.name();
        let (from, to) = match self.side() {
            Middle => return self,
            Left => ("left_", "right_"),
            Right => ("right_", "left_"),
        };
        let bare = name.strip_prefix(from).unwrap_or(name);
        let found = TABLE
            .iter()
            .find(|row| row.1.strip_prefix(to) == Some(bare));
        found.map_or(self, |row| row.0)
    }

    /// Index of the role in [`super::Humanoid::bones`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// Finds a role by its snake-case name, or by VRM's camel-case name (`leftUpperArm`).
    pub fn from_name(name: &str) -> Option<Self> {
        let found = TABLE.iter().find(|row| {
            let plain = row.1.chars().filter(|c| *c != '_');
            row.1 == name
                || name.contains(char::is_uppercase) && {
                    plain.eq(name.chars().map(|c| c.to_ascii_lowercase()))
                }
        });
        found.map(|row| row.0)
    }

    /// Returns true for the bones that VRM 1.0 requires of every humanoid.
    pub fn is_required(self) -> bool {
        use Role::*;
        matches!(
            self,
            Hips | Spine
                | Head
                | LeftUpperArm
                | LeftLowerArm
                | LeftHand
                | RightUpperArm
                | RightLowerArm
                | RightHand
                | LeftUpperLeg
                | LeftLowerLeg
                | LeftFoot
                | RightUpperLeg
                | RightLowerLeg
                | RightFoot
        )
    }

    /// Returns true for the bones of fingers and thumbs.
    pub fn is_finger(self) -> bool {
        self >= Role::LeftThumbMetacarpal
    }

    /// Returns the role of the same bone on `side`; roles in the middle stay.
    pub fn on(self, side: Side) -> Self {
        if self.side() == Middle || self.side() == side {
            self
        } else {
            self.opposite()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_is_in_the_order_of_the_roles() {
        for (i, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0.index(), i);
            assert!(row.3.is_none_or(|parent| parent.index() < i), "{}", row.1);
        }
    }

    #[test]
    fn opposite_of_the_opposite_is_the_role_itself() {
        for role in Role::all() {
            assert_eq!(role.opposite().opposite(), role);
            assert_eq!(role.opposite() == role, role.side() == Middle);
            let parent = role.parent().map(Role::opposite);
            assert_eq!(parent, role.opposite().parent(), "{}", role.name());
        }
    }

    #[test]
    fn roles_are_found_by_snake_case_and_vrm_names() {
        for role in Role::all() {
            assert_eq!(Role::from_name(role.name()), Some(role));
        }
        assert_eq!(
            Role::from_name("leftThumbMetacarpal"),
            Some(Role::LeftThumbMetacarpal)
        );
        assert_eq!(Role::from_name("upperChest"), Some(Role::UpperChest));
        assert_eq!(Role::from_name("leftupperarm"), None);
    }
}
