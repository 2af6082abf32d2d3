//! Positions of each skin's and each rigid part's matrices in a model's palette, and their values.

use glam::Affine3A;

use galatea_asset::Model;

/// Layout of a model's palette: first the joints of every skin, then one matrix per rigid part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PaletteLayout {
    /// First matrix of each part's palette: its skin's joints, or its single matrix.
    pub part_start: Vec<u32>,
    /// Total number of matrices.
    pub len: usize,
}

impl PaletteLayout {
    /// Computes the palette layout of a model.
    pub fn new(model: &Model) -> Self {
        let mut len = 0;
        let skin_start: Vec<usize> = model
            .skins
            .iter()
            .map(|skin| {
                let start = len;
                len += skin.joints.len();
                start
            })
            .collect();
        let part_start = model
            .parts
            .iter()
            .map(|part| match part.skin {
                Some(skin) => skin_start[skin] as u32,
                None => {
                    len += 1;
                    (len - 1) as u32
                }
            })
            .collect();
        Self { part_start, len }
    }
}

/// Appends the palette of one posed model: for each joint `model_from_bone * inverse_bind`, for each rigid part
/// `model_from_bone` of its node.
///
/// `model_from_bone` holds one matrix per bone of the model's skeleton.
pub fn build_palette(model: &Model, model_from_bone: &[Affine3A], out: &mut Vec<Affine3A>) {
    for skin in &model.skins {
        out.extend(
            skin.joints
                .iter()
                .zip(&skin.inverse_bind)
                .map(|(&joint, bind)| {
                    model_from_bone[usize::from(joint)] * Affine3A::from_mat4(*bind)
                }),
        );
    }
    out.extend(
        model
            .parts
            .iter()
            .filter(|part| part.skin.is_none())
            .map(|part| model_from_bone[usize::from(part.bone)]),
    );
}
