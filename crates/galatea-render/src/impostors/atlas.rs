//! Impostor atlas in GPU memory: two textures, one of colour and one of shape (normal and depth). It grows on demand up to a
//! limit.

use super::raster::{ImpostorQuad, ImpostorTile, levels_of, size_of};
use crate::gpu::Gpu;
use crate::layouts::{Layouts, bind};
use galatea_math::clamp::ClampTo as _;

/// Maximum width of the textures, texels.
const ACROSS: u32 = 2048;
/// Initial number of tile rows.
const MIN_ROWS: u32 = 8;
/// Maximum size of the finest mip level of both textures, bytes.
const MAX_BYTES: u64 = 64 << 20;
const FORMATS: [wgpu::TextureFormat; 2] = [
    wgpu::TextureFormat::Rgba8UnormSrgb,
    wgpu::TextureFormat::Rgba8Unorm,
];

/// Texture atlas of impostor tiles.
pub struct Atlas {
    /// Height of a tile, texels.
    pub height: usize,
    textures: [wgpu::Texture; 2],
    /// Group 2 of `impostor`.
    pub group: wgpu::BindGroup,
    columns: u32,
    rows: u32,
    max_rows: u32,
    tiles: Vec<AtlasSlot>,
    /// Index at which the next search for a replaceable tile starts.
    next: usize,
}

/// State of an atlas tile.
#[derive(Clone, Copy)]
struct AtlasSlot {
    placed: ImpostorQuad,
    /// Number of the last frame that used the tile.
    needed: u64,
    owner: TileOwner,
}

/// Owner of a tile: the body, and the index of its view.
pub type TileOwner = (u64, u32);

impl Atlas {
    pub fn new(gpu: &Gpu, layouts: &Layouts, height: usize) -> Option<Self> {
        let (across, up) = size_of(height);
        let side = gpu.device.limits().max_texture_dimension_2d;
        let columns = (side.min(ACROSS) / across as u32).max(1);
        let bytes = u64::from(columns) * (across * up * 8) as u64;
        let max_rows = ((MAX_BYTES / bytes) as u32).clamp_to(1, side / up as u32);
        let rows = MIN_ROWS.min(max_rows);
        let textures = make(gpu, (columns, rows), height)?;
        Some(Self {
            height,
            group: group(gpu, layouts, &textures),
            textures,
            columns,
            rows,
            max_rows,
            tiles: Vec::new(),
            next: 0,
        })
    }

    /// Location of a tile: column in the lower 12 bits, row above.
    pub fn tile_position(&self, tile: u32) -> u32 {
        (tile % self.columns) | ((tile / self.columns) << 12)
    }

    pub fn placed(&self, tile: u32) -> &ImpostorQuad {
        &self.tiles[tile as usize].placed
    }

    /// Records that a frame uses a tile.
    pub fn need(&mut self, tile: u32, picture: u64) {
        self.tiles[tile as usize].needed = picture;
    }

    /// Allocates a tile for this frame and returns it with its previous owner. Returns `None` if all tiles are in use.
    pub fn room(
        &mut self,
        gpu: &Gpu,
        layouts: &Layouts,
        owner: TileOwner,
        picture: u64,
    ) -> Option<(u32, Option<TileOwner>)> {
        let new = AtlasSlot {
            placed: ImpostorQuad::default(),
            needed: picture,
            owner,
        };
        if self.tiles.len() == (self.columns * self.rows) as usize {
            let rows = (self.rows * 2).min(self.max_rows);
            if rows == self.rows || !self.grow(gpu, layouts, rows) {
                return self.replace(new);
            }
        }
        self.tiles.push(new);
        Some((self.tiles.len() as u32 - 1, None))
    }

    fn replace(&mut self, new: AtlasSlot) -> Option<(u32, Option<TileOwner>)> {
        let n = self.tiles.len();
        // A tile that the previous frame used will probably be used again.
        let is_free = |tile: &AtlasSlot| tile.needed + 2 < new.needed;
        let at = (0..n).map(|k| (self.next + k) % n);
        let at = at.into_iter().find(|at| is_free(&self.tiles[*at]))?;
        self.next = at + 1;
        let old = std::mem::replace(&mut self.tiles[at], new);
        Some((at as u32, Some(old.owner)))
    }

    fn grow(&mut self, gpu: &Gpu, layouts: &Layouts, rows: u32) -> bool {
        let Some(textures) = make(gpu, (self.columns, rows), self.height) else {
            self.max_rows = self.rows;
            return false;
        };
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        for (old, new) in self.textures.iter().zip(&textures) {
            for level in 0..old.mip_level_count() {
                let size = wgpu::Extent3d {
                    width: old.width() >> level,
                    height: old.height() >> level,
                    depth_or_array_layers: 1,
                };
                let [from, to] = [old, new].map(|texture| wgpu::TexelCopyTextureInfo {
                    mip_level: level,
                    ..texture.as_image_copy()
                });
                encoder.copy_texture_to_texture(from, to, size);
            }
        }
        gpu.queue.submit([encoder.finish()]);
        self.group = group(gpu, layouts, &textures);
        (self.textures, self.rows) = (textures, rows);
        true
    }

    /// Uploads an image into its tile.
    pub fn put(&mut self, gpu: &Gpu, tile: u32, picture: &ImpostorTile) {
        self.tiles[tile as usize].placed = picture.slot;
        let (across, up) = size_of(self.height);
        let (column, row) = (tile % self.columns, tile / self.columns);
        for (level, both) in (0..).zip(&picture.levels) {
            let (across, up) = (across as u32 >> level, up as u32 >> level);
            for (texture, texels) in self.textures.iter().zip(both) {
                gpu.queue.write_texture(
                    wgpu::TexelCopyTextureInfo {
                        mip_level: level,
                        origin: wgpu::Origin3d {
                            x: column * across,
                            y: row * up,
                            z: 0,
                        },
                        ..texture.as_image_copy()
                    },
                    bytemuck::cast_slice(texels),
                    wgpu::TexelCopyBufferLayout {
                        offset: 0,
                        bytes_per_row: Some(across * 4),
                        rows_per_image: Some(up),
                    },
                    wgpu::Extent3d {
                        width: across,
                        height: up,
                        depth_or_array_layers: 1,
                    },
                );
            }
        }
    }
}

fn make(gpu: &Gpu, (columns, rows): (u32, u32), height: usize) -> Option<[wgpu::Texture; 2]> {
    let (across, up) = size_of(height);
    gpu.within_memory(|| {
        FORMATS.map(|format| {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("impostors"),
                size: wgpu::Extent3d {
                    width: columns * across as u32,
                    height: rows * up as u32,
                    depth_or_array_layers: 1,
                },
                mip_level_count: levels_of(height) as u32,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::COPY_DST
                    | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            })
        })
    })
}

fn group(gpu: &Gpu, layouts: &Layouts, textures: &[wgpu::Texture; 2]) -> wgpu::BindGroup {
    let [light, shape] = textures
        .each_ref()
        .map(|texture| texture.create_view(&Default::default()));
    let sampler = gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("impostors"),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        mipmap_filter: wgpu::MipmapFilterMode::Linear,
        ..Default::default()
    });
    bind(
        &gpu.device,
        "impostors",
        &layouts.tiles,
        &[
            wgpu::BindingResource::TextureView(&light),
            wgpu::BindingResource::TextureView(&shape),
            wgpu::BindingResource::Sampler(&sampler),
        ],
    )
}
