//! Decals over materials in GPU memory. Each decorated material of an instance has two textures, colour and relief. Only
//! changed tiles are uploaded.

use std::collections::HashMap;
use std::sync::Arc;

use super::gpu::Gpu;
use super::layouts::Layouts;
use super::material::ResidentMaterial;
use galatea_decal::{DecalLayer, LEVELS, TILE, Tile, halved};

/// Draw index for a material without decals.
pub const NO_DECALS: u32 = u32::MAX;
/// Relief channels that hold slopes.
const SLOPES: usize = 2;
/// Frames after which decals that are out of view are dropped.
const UNSEEN_FRAMES: u64 = 120;

/// Instance, and the index of its material in the model file.
type DecalKey = (u64, u16);

/// The material that an instance shows.
#[derive(Clone, Copy)]
pub struct ShownMaterial<'a> {
    /// `uid` of its model.
    pub model: u64,
    /// Index into the model's materials.
    pub index: u32,
    pub material: &'a ResidentMaterial,
}

/// Decals of all instances of one frame.
#[derive(Default)]
pub struct DecalTextures {
    layers: HashMap<DecalKey, LayerTexture>,
    /// Bind groups of materials with decals, for the draws of this frame.
    pub groups: Vec<wgpu::BindGroup>,
    picture: u64,
}

struct LayerTexture {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    /// Last uploaded version of each tile.
    tiles: Vec<Option<Arc<Tile>>>,
    /// Bind groups with these decals, keyed by model and shown material, with the frame in which each was last used.
    bound: Vec<((u64, u32), wgpu::BindGroup, u64)>,
    seen: u64,
}

impl DecalTextures {
    /// Begins a frame.
    pub fn begin(&mut self) {
        self.picture += 1;
        self.groups.clear();
        let picture = self.picture;
        self.layers
            .retain(|_, own| own.seen + UNSEEN_FRAMES >= picture);
    }

    /// Returns the index in `groups` of a material with the decals of an instance. Returns [`NO_DECALS`] if GPU memory is
    /// exhausted.
    pub fn over(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        key: DecalKey,
        layer: &DecalLayer,
        shown: ShownMaterial<'_>,
    ) -> u32 {
        let fits = |own: &LayerTexture| own.texture.width() == layer.side();
        if !self.layers.get(&key).is_some_and(fits) {
            let made = gpu.within_memory(|| make(gpu, layer.side()));
            let Some(texture) = made else {
                return NO_DECALS;
            };
            let view = texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                ..Default::default()
            });
            let own = LayerTexture {
                texture,
                view,
                tiles: Vec::new(),
                bound: Vec::new(),
                seen: 0,
            };
            self.layers.insert(key, own);
        }
        let Some(own) = self.layers.get_mut(&key) else {
            return NO_DECALS;
        };
        let picture = self.picture;
        if own.seen != picture {
            own.seen = picture;
            own.send(gpu, layer);
            own.bound
                .retain(|(_, _, used)| used + UNSEEN_FRAMES >= picture);
        }
        let known = own
            .bound
            .iter_mut()
            .find(|bound| bound.0 == (shown.model, shown.index));
        let group = match known {
            Some((_, group, used)) => {
                *used = picture;
                group.clone()
            }
            None => {
                let group = shown.material.bind(gpu, layouts, &own.view);
                let key = (shown.model, shown.index);
                own.bound.push((key, group.clone(), picture));
                group
            }
        };
        self.groups.push(group);
        self.groups.len() as u32 - 1
    }
}

/// Creates the texture array: colour, then relief, with as many mip levels as a tile has.
fn make(gpu: &Gpu, side: u32) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("decals"),
        size: wgpu::Extent3d {
            width: side,
            height: side,
            depth_or_array_layers: 2,
        },
        mip_level_count: LEVELS,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

impl LayerTexture {
    /// Uploads the tiles that changed.
    fn send(&mut self, gpu: &Gpu, layer: &DecalLayer) {
        let all_new = self.tiles.len() != layer.tiles().len();
        let across = layer.side() / TILE;
        for (i, now) in layer.tiles().iter().enumerate() {
            let same = match (self.tiles.get(i), now) {
                (Some(Some(was)), Some(now)) => Arc::ptr_eq(was, now),
                (Some(None), None) => true,
                _ => false,
            };
            if same && !all_new {
                continue;
            }
            // A new texture is all zeros, but flat relief is not 0.
            let empty;
            let tile = match now {
                Some(tile) => tile,
                None => {
                    empty = Tile::empty();
                    &empty
                }
            };
            let at = (i as u32 % across, i as u32 / across);
            self.send_tile(gpu, at, tile);
        }
        self.tiles = layer.tiles().to_vec();
    }

    /// Uploads a tile at its column and row, in all mip levels. A tile is a power of two texels wide, so each of its halves
    /// maps to whole texels.
    fn send_tile(&self, gpu: &Gpu, (column, row): (u32, u32), tile: &Tile) {
        for (z, picture, sums) in [(0, &tile.color, 0), (1, &tile.relief, SLOPES)] {
            let mut half: Option<Vec<u8>> = None;
            for level in 0..LEVELS {
                let side = TILE >> level;
                if level > 0 {
                    let whole = half.as_deref().unwrap_or(picture);
                    half = Some(halved(whole, 2 * side as usize, sums));
                }
                let bytes = half.as_deref().unwrap_or(picture);
                gpu.queue.write_texture(
                    wgpu::TexelCopyTextureInfo {
                        texture: &self.texture,
                        mip_level: level,
                        origin: wgpu::Origin3d {
                            x: column * side,
                            y: row * side,
                            z,
                        },
                        aspect: wgpu::TextureAspect::All,
                    },
                    bytes,
                    wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(side * 4),
                        rows_per_image: Some(side),
                    },
                    wgpu::Extent3d {
                        width: side,
                        height: side,
                        depth_or_array_layers: 1,
                    },
                );
            }
        }
    }
}
