//! Decals on the surface of one character: wounds, dirt, dents. A ray hit places a decal. It is painted into layers over the
//! character's materials, or becomes a mesh of its own (a patch) where texture coordinates overlap. Decals dry and fade, and
//! the oldest are removed when there are too many.

mod patch;

use std::collections::HashSet;
use std::sync::Arc;

use glam::{Mat3A, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use self::patch::OnPatch;
use super::definition::Definition;
use super::following::linear;
use galatea_asset::Model;
use galatea_asset::model::Primitive;
use galatea_decal::{
    ChartOrigin, DecalLayer, DecalMaterial, Flood, Stamp, StampTriangle, project_planar, unfold,
};
use galatea_deform::{TriangleHit, build_palette};

/// Maximum number of decals of one character; the oldest are removed.
pub const MAX_DECALS: usize = 256;
/// Maximum number of patches (decals that are meshes of their own, one draw call each); the oldest are removed.
pub const MAX_PATCHES: usize = 32;
/// Side length of a layer, texels, unless the material's own texture is smaller.
const LAYER_SIDE: u32 = 1024;
/// Seconds between two updates of drying and fading.
const UPDATE_INTERVAL: f64 = 0.05;
/// Maximum number of decals repainted per update, the most changed first; the others wait for the next update. Decals that
/// have faded out do not wait.
const MAX_REPAINTS: usize = 4;
/// Number of steps in which decals dry and fade, so that they are not repainted every tick.
const DRY_STEPS: f64 = 8.0;
const FADE_STEPS: f64 = 16.0;

/// Settings of a decal: material, size, drying and fading.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecalSettings {
    /// Material of the fresh decal.
    #[serde(with = "galatea_persist::shared")]
    pub material: Arc<DecalMaterial>,
    /// Material of the dry decal, and the time until it is dry, seconds.
    #[serde(with = "galatea_persist::shared")]
    pub dry_material: Option<(Arc<DecalMaterial>, f64)>,
    /// Width and height, metres.
    pub size: f32,
    /// Rotation about the normal, radians.
    pub roll: f32,
    /// Projects the decal straight along the normal, like a stencil, instead of wrapping it around the surface.
    pub planar: bool,
    /// Seconds until the decal starts to fade, and duration of the fade, seconds; `None` never fades.
    pub fades: Option<(f64, f64)>,
}

/// Stamps by material: fresh and dry.
type Stamped = Vec<(u16, [Option<Stamp>; 2])>;

/// Part, primitive and triangle that a decal was placed on, and the barycentric coordinates.
type SurfacePoint = (usize, usize, usize, Vec3);

/// One decal.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Decal {
    id: u64,
    options: DecalSettings,
    point: SurfacePoint,
    age: f64,
    /// Seconds since its removal started, and duration of the removal.
    removal: Option<(f64, f64)>,
    stamps: Stamped,
    /// Patch meshes, fresh and dry.
    #[serde(with = "galatea_persist::shared")]
    patches: [Option<Arc<Model>>; 2],
    /// Painted opacity of the fresh and the dry decal.
    opacity: [f32; 2],
}

impl Decal {
    fn has_patch(&self) -> bool {
        self.patches.iter().any(Option::is_some)
    }
}

/// Geometry of a decal on a model.
struct DecalPlacement {
    stamps: Stamped,
    patches: [Option<Arc<Model>>; 2],
}

/// The decals of one character.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Decals {
    /// All decals, oldest first.
    all: Vec<Decal>,
    /// Layers by material index, ascending.
    #[serde(with = "galatea_persist::shared")]
    layers: Vec<(u16, Arc<DecalLayer>)>,
    /// Seconds since the last update.
    since_update: f64,
    /// Number of decals ever placed.
    n_put: u32,
    /// Decals at the end of the script's main part.
    baseline: Vec<(u64, SurfacePoint, DecalSettings)>,
}

impl Decals {
    /// Returns the layers by material index, ascending.
    pub fn layers(&self) -> &[(u16, Arc<DecalLayer>)] {
        &self.layers
    }

    /// Returns the patches, oldest first, each with its opacity, 0..=1. A patch is a model that uses the character's
    /// matrices and morph weights.
    pub fn patches(&self) -> impl Iterator<Item = (&Arc<Model>, f32)> {
        let all = self.all.iter();
        all.flat_map(|decal| decal.patches.iter().zip(decal.opacity))
            .filter_map(|(patch, opacity)| Some((patch.as_ref()?, opacity)))
            .filter(|(_, opacity)| *opacity > 0.0)
    }

    /// Returns the number of decals.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns true when there are no decals.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the number of decals ever placed, including removed ones. It seeds the random rotation of the next decal, so
    /// that every run gives the same result.
    pub fn n_put(&self) -> u32 {
        self.n_put
    }

    /// Records the state at the end of the script's main part.
    pub(super) fn record_baseline(&mut self) {
        let left = |decal: &Decal| (decal.id, decal.point, decal.options.clone());
        self.baseline = self.all.iter().map(left).collect();
    }

    /// Returns true when both main parts of the script placed the same decals.
    fn begins_as(&self, other: &Self) -> bool {
        let own = self
            .baseline
            .iter()
            .map(|(_, point, options)| (point, options));
        own.eq(other
            .baseline
            .iter()
            .map(|(_, point, options)| (point, options)))
    }

    /// Removes a decal over `seconds`; `None` removes all. Returns false if there is no such decal.
    pub fn remove(&mut self, id: Option<u64>, seconds: f64) -> bool {
        let mut any = false;
        for decal in &mut self.all {
            if id.is_none_or(|id| id == decal.id) {
                decal.removal = Some((0.0, seconds));
                any = true;
            }
        }
        if any && seconds <= 0.0 {
            self.remove_where(|decal| decal.removal.is_some_and(|(_, seconds)| seconds <= 0.0));
        }
        any
    }

    /// Removes decals immediately.
    fn remove_where(&mut self, is_removed: impl Fn(&Decal) -> bool) {
        let mut changed = RepaintedTiles::default();
        self.all.retain(|decal| {
            if is_removed(decal) {
                changed.add(&decal.stamps);
            }
            !is_removed(decal)
        });
        self.paint(&changed);
    }

    /// Returns true while a decal with this id exists.
    pub fn has(&self, id: u64) -> bool {
        self.all.iter().any(|decal| decal.id == id)
    }

    /// Advances time. Updates drying and fading decals 20 times per second.
    pub fn advance(&mut self, dt: f64) {
        if self.all.is_empty() {
            return;
        }
        self.since_update += dt;
        if self.since_update < UPDATE_INTERVAL {
            return;
        }
        let dt = std::mem::take(&mut self.since_update);
        let mut changing: Vec<(f32, &mut Decal)> = Vec::new();
        for decal in &mut self.all {
            decal.age += dt;
            if let Some((gone, _)) = &mut decal.removal {
                *gone += dt;
            }
            let opacities = decal.opacities();
            let by =
                (opacities[0] - decal.opacity[0]).abs() + (opacities[1] - decal.opacity[1]).abs();
            if opacities == [0.0; 2] {
                changing.push((f32::INFINITY, decal));
            } else if by > 0.0 {
                changing.push((by, decal));
            }
        }
        changing.sort_by(|a, b| b.0.total_cmp(&a.0));
        let n_gone = changing
            .iter()
            .take_while(|(by, _)| by.is_infinite())
            .count();
        let mut changed = RepaintedTiles::default();
        for (_, decal) in changing.into_iter().take(n_gone + MAX_REPAINTS) {
            decal.opacity = decal.opacities();
            changed.add(&decal.stamps);
        }
        if n_gone > 0 || !changed.0.is_empty() {
            self.all
                .retain(|decal| decal.opacity.iter().any(|opacity| *opacity > 0.0));
            self.paint(&changed);
        }
    }

    /// Repaints tiles and removes layers that have no decals left.
    fn paint(&mut self, tiles: &RepaintedTiles) {
        for (material, layer) in &mut self.layers {
            let own = tiles.0.iter().filter(|(of, _)| of == material);
            own.for_each(|(_, tile)| Arc::make_mut(layer).clear(*tile));
        }
        for decal in &self.all {
            decal.paint(&mut self.layers, |material, tile| tiles.has(material, tile));
        }
        let used = |material: u16| {
            let mut all = self.all.iter().flat_map(|decal| &decal.stamps);
            all.any(|(own, _)| *own == material)
        };
        self.layers.retain(|(material, _)| used(*material));
    }

    fn add(&mut self, decal: Decal, sides: impl Fn(u16) -> u32) {
        for (material, _) in &decal.stamps {
            if let Err(at) = self.layers.binary_search_by_key(material, |layer| layer.0) {
                let layer = DecalLayer::new(sides(*material));
                self.layers.insert(at, (*material, Arc::new(layer)));
            }
        }
        decal.paint(&mut self.layers, |_, _| true);
        self.all.push(decal);
        let n_patches = self.all.iter().filter(|decal| decal.has_patch()).count();
        let oldest = if n_patches > MAX_PATCHES {
            self.all.iter().position(Decal::has_patch)
        } else {
            (self.all.len() > MAX_DECALS).then_some(0)
        };
        if let Some(oldest) = oldest {
            let mut changed = RepaintedTiles::default();
            changed.add(&self.all.remove(oldest).stamps);
            self.paint(&changed);
        }
    }
}

impl Decal {
    /// Returns the opacity of the fresh and of the dry decal.
    fn opacities(&self) -> [f32; 2] {
        let left = |past: f64, seconds: f64, steps: f64| {
            let left = (1.0 - past / seconds.max(1e-3)).clamp(0.0, 1.0);
            ((left * steps).ceil() / steps) as f32
        };
        let mut opacity = 1.0;
        if let Some((stays, fades)) = self.options.fades {
            opacity *= left(self.age - stays, fades, FADE_STEPS);
        }
        if let Some((gone, seconds)) = self.removal {
            opacity *= left(gone, seconds, FADE_STEPS);
        }
        match self.options.dry_material {
            Some((_, seconds)) => {
                let dry = 1.0 - left(self.age, seconds, DRY_STEPS);
                [opacity * (1.0 - dry), opacity * dry]
            }
            None => [opacity, 0.0],
        }
    }

    /// Paints the decal with its current opacity into the selected tiles.
    fn paint(&self, layers: &mut [(u16, Arc<DecalLayer>)], is_selected: impl Fn(u16, u32) -> bool) {
        for (material, stamps) in &self.stamps {
            let Ok(at) = layers.binary_search_by_key(material, |layer| layer.0) else {
                continue;
            };
            for (stamp, opacity) in stamps.iter().zip(self.opacity) {
                let stamp = stamp.as_ref().filter(|_| opacity > 0.0);
                // An unchanged layer is not uploaded to the GPU again.
                if let Some(stamp) =
                    stamp.filter(|s| s.tiles().any(|tile| is_selected(*material, tile)))
                {
                    let layer = Arc::make_mut(&mut layers[at].1);
                    layer.put(stamp, opacity, |tile| is_selected(*material, tile));
                }
            }
        }
    }
}

/// Tiles of layers that must be repainted, by material.
#[derive(Default)]
struct RepaintedTiles(HashSet<(u16, u32)>);

impl RepaintedTiles {
    fn add(&mut self, stamps: &Stamped) {
        for (material, stamps) in stamps {
            let tiles = stamps.iter().flatten().flat_map(Stamp::tiles);
            self.0.extend(tiles.map(|tile| (*material, tile)));
        }
    }

    fn has(&self, material: u16, tile: u32) -> bool {
        self.0.contains(&(material, tile))
    }
}

impl Decals {
    /// Places a decal on the triangle that a ray hit. `id` identifies the decal; `scale` is the scale of the character.
    ///
    /// # Errors
    /// Returns a message that says why no decal can be placed there.
    pub fn put(
        &mut self,
        definition: &Definition,
        scale: f32,
        id: u64,
        traced: &TriangleHit,
        options: DecalSettings,
    ) -> Result<(), String> {
        let point = (
            traced.part,
            traced.primitive,
            traced.triangle,
            traced.barycentric,
        );
        let placement = place_on_model(definition, (point, id), &options, scale)?;
        let decal = Decal {
            id,
            options,
            point,
            age: 0.0,
            removal: None,
            stamps: placement.stamps,
            patches: placement.patches,
            opacity: [0.0; 2],
        };
        let decal = Decal {
            opacity: decal.opacities(),
            ..decal
        };
        let model = &definition.model;
        self.add(decal, |material| layer_side(model, material));
        self.n_put += 1;
        Ok(())
    }

    /// Takes over the decals of the character that this one replaces after a hot reload. If both main parts place the same
    /// decals, all decals keep their state; otherwise those of the main part are placed again.
    pub(super) fn take_over(&mut self, was: Self, definitions: [&Arc<Definition>; 2], scale: f32) {
        let own = std::mem::replace(self, was);
        let [old, new] = definitions;
        let is_same_model = Arc::ptr_eq(&old.model, &new.model);
        if is_same_model && own.begins_as(self) {
            return;
        }
        let begun = std::mem::replace(&mut self.baseline, own.baseline);
        let is_begun = |decal: &Decal| begun.iter().any(|(id, ..)| *id == decal.id);
        if is_same_model {
            self.remove_where(is_begun);
        } else {
            self.all.retain(|decal| !is_begun(decal));
            self.put_again([old, new], scale);
        }
        for decal in own.all {
            self.add(decal, |material| layer_side(&new.model, material));
        }
    }

    /// Places the decals again after the model was replaced: on the same triangle of the part with the same name. Removes
    /// decals for which there is no such triangle.
    pub(super) fn put_again(&mut self, [old, new]: [&Definition; 2], scale: f32) {
        self.layers.clear();
        for decal in std::mem::take(&mut self.all) {
            let (part, primitive, triangle, barycentric) = decal.point;
            let name = old.model.parts.get(part).map(|part| &part.name);
            let mut now = new.model.parts.iter();
            let Some(part) = now.position(|part| Some(&part.name) == name) else {
                continue;
            };
            let point = (part, primitive, triangle, barycentric);
            let again = place_on_model(new, (point, decal.id), &decal.options, scale);
            if let Ok(DecalPlacement { stamps, patches }) = again {
                let decal = Decal {
                    point,
                    stamps,
                    patches,
                    ..decal
                };
                self.add(decal, |material| layer_side(&new.model, material));
            }
        }
    }
}

fn layer_side(model: &Model, material: u16) -> u32 {
    let material = model.materials.get(usize::from(material));
    let picture = material.and_then(|m| m.base_color_texture.or(m.normal_texture));
    let image = picture.and_then(|picture| model.images.get(picture.image));
    image.map_or(LAYER_SIDE, |image| {
        image.width.max(image.height).clamp(256, LAYER_SIDE)
    })
}

/// Computes the stamps and patches of a decal around a surface point; `id` makes its patches unique.
fn place_on_model(
    definition: &Definition,
    ((part, primitive, triangle, barycentric), id): (SurfacePoint, u64),
    options: &DecalSettings,
    scale: f32,
) -> Result<DecalPlacement, String> {
    let model = &definition.model;
    let gone = || "the surface that was hit no longer exists".to_owned();
    let own = model.parts.get(part).ok_or_else(gone)?;
    let mesh = model.meshes.get(own.mesh).ok_or_else(gone)?;
    let hit = mesh.primitives.get(primitive).ok_or_else(gone)?;
    let surface = definition.decal_surfaces().surface(model, own.mesh);
    let surface = surface.ok_or_else(gone)?;
    let start = surface.triangle(primitive, triangle).ok_or_else(gone)?;
    let corners = surface.corners(&surface.triangles[start as usize]);
    let at = corners[0] * barycentric.x + corners[1] * barycentric.y + corners[2] * barycentric.z;
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let normal = normal.try_normalize();
    let normal = normal.ok_or("the triangle that was hit has no area")?;
    // Scale and up direction in mesh space.
    let world_from_mesh = rest_from_mesh(definition, part, hit, triangle) * scale;
    let stretch = world_from_mesh.determinant().abs().cbrt();
    if !(1e-6..=1e6).contains(&stretch) {
        return Err("its mesh has zero size".into());
    }
    let size = options.size / stretch;
    let up = (world_from_mesh.inverse() * glam::Vec3A::Y).normalize_or_zero();
    let origin = ChartOrigin {
        triangle: start,
        at,
        normal,
        up: up.into(),
        roll: options.roll,
    };
    let reach = size * 0.5 * std::f32::consts::SQRT_2;
    let found = surface.flood(start, at, reach, &mut Flood::default());
    let laid = match options.planar {
        true => project_planar(&surface, &found, &origin),
        false => unfold(&surface, &found, &origin),
    };
    let unwrapped = |material: usize| definition.decal_surfaces().is_unwrapped(model, material);
    let mut spots: Vec<(u16, Vec<StampTriangle>)> = Vec::new();
    let mut others: Vec<OnPatch> = Vec::new();
    for (triangle, on) in found.iter().zip(laid) {
        let (p, t) = surface.of_primitive(*triangle);
        let primitive = &mesh.primitives[p];
        let spot = spot(primitive, t, on).filter(|_| unwrapped(primitive.material));
        let Some(spot) = spot else {
            others.push((p, t, on));
            continue;
        };
        let material = primitive.material as u16;
        match spots.iter_mut().find(|(own, _)| *own == material) {
            Some((_, list)) => list.push(spot),
            None => spots.push((material, vec![spot])),
        }
    }
    // Depths are given in world metres too.
    let sized = |look: &DecalMaterial| DecalMaterial {
        depth: look.depth / stretch,
        ..look.clone()
    };
    let fresh = sized(&options.material);
    let dry = options.dry_material.as_ref().map(|(look, _)| sized(look));
    let stamps = stamps_of(model, spots, (&fresh, dry.as_ref()), size);
    let one = |look: &DecalMaterial, n: u64| {
        let settings = (look, size, 2 * id + n);
        patch::patch(model, part, &others, settings)
            .map_err(|reason| format!("{:?}: {reason}", model.materials[hit.material].name))
    };
    let patches = match one(&fresh, 0) {
        Ok(fresh) => [Some(fresh), dry.and_then(|dry| one(&dry, 1).ok())],
        // Parts of a decal beyond the primitive that was hit may be missing.
        Err(reason) if stamps.is_empty() => return Err(reason),
        Err(_) => [None, None],
    };
    Ok(DecalPlacement { stamps, patches })
}

/// Returns the stamps of a decal, fresh and dry, for each material with triangles; `size` in mesh units.
fn stamps_of(
    model: &Model,
    spots: Vec<(u16, Vec<StampTriangle>)>,
    (fresh, dry): (&DecalMaterial, Option<&DecalMaterial>),
    size: f32,
) -> Stamped {
    let stamped = spots.into_iter().map(|(material, spots)| {
        let layer = DecalLayer::new(layer_side(model, material));
        let one = |look: &DecalMaterial| Stamp::new(look, size, &spots, layer.side());
        let own = one(fresh);
        let dried = dry.map(|dry| own.toned(fresh, dry).unwrap_or_else(|| one(dry)));
        (material, [Some(own), dried])
    });
    stamped
        .filter(|(_, [fresh, _])| fresh.as_ref().is_some_and(|fresh| !fresh.is_empty()))
        .collect()
}

/// Returns the linear map from mesh space to the model's rest pose, at a corner of a triangle.
fn rest_from_mesh(
    definition: &Definition,
    part: usize,
    primitive: &Primitive,
    triangle: usize,
) -> Mat3A {
    let mut palette = Vec::new();
    build_palette(&definition.model, &definition.rest_matrices(), &mut palette);
    let start = definition.layout.part_start[part] as usize;
    let corner = primitive.indices.get(3 * triangle).copied().unwrap_or(0);
    linear(primitive, corner as usize, &palette[start..])
}

/// Returns a triangle with its texture coordinates, or `None` if it has none.
fn spot(primitive: &Primitive, triangle: usize, on: [Vec2; 3]) -> Option<StampTriangle> {
    let corners = primitive.indices.get(3 * triangle..3 * triangle + 3)?;
    let uv = |k: usize| primitive.uv0.get(corners[k] as usize).copied();
    let uv = [uv(0)?, uv(1)?, uv(2)?];
    let tangent = primitive.tangents.get(corners[0] as usize);
    let hand = tangent.map_or_else(
        || {
            // Same convention as for tangents that the importer computes: v points down.
            let area = (uv[1] - uv[0]).perp_dot(uv[2] - uv[0]);
            if area > 0.0 { -1.0 } else { 1.0 }
        },
        |tangent| tangent.w,
    );
    Some(StampTriangle { uv, on, hand })
}

#[cfg(test)]
mod tests;
