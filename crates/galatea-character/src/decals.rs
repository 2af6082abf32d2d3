//! Decals on the surface of one character: wounds, dirt, dents. They are put where a line meets it, lie in layers over its
//! materials, or are meshes of their own where its texture coordinates do not show every place once; they dry and fade,
//! and give way to newer ones.

mod patch;

use std::collections::HashSet;
use std::sync::Arc;

use glam::{Mat3A, Vec2, Vec3};

use self::patch::OnPatch;
use super::definition::Definition;
use super::following::linear;
use galatea_asset::Model;
use galatea_asset::model::Primitive;
use galatea_decal::{
    ChartOrigin, DecalLayer, DecalMaterial, Flood, Stamp, StampTriangle, lay_flat, lay_planar,
};
use galatea_deform::{TriangleHit, build_palette};

/// Decals of one character; the oldest give way.
pub const MOST_DECALS: usize = 256;
/// Those of them that are meshes of their own, which cost a draw call each; the oldest give way.
pub const MOST_PATCHES: usize = 32;
/// Texels of each side of a layer, unless the material's own picture is smaller.
const SIDE: u32 = 1024;
/// Seconds between two looks at what dries and fades.
const PACE: f64 = 0.05;
/// Decals that are painted anew at one look, those first that changed most; the others wait for the next. What is gone
/// does not wait.
const MOST_CHANGES: usize = 4;
/// Steps in which decals dry and fade, so that they are not painted anew each time.
const DRYING: f64 = 8.0;
const FADING: f64 = 16.0;

/// How a decal is put and what becomes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct DecalSettings {
    /// What it looks like when it is fresh.
    pub look: Arc<DecalMaterial>,
    /// What it looks like when it has dried, and after how many seconds.
    pub dried: Option<(Arc<DecalMaterial>, f64)>,
    /// Metres across.
    pub size: f32,
    /// Radians by which it is turned.
    pub roll: f32,
    /// It is laid on straight along the normal, as a stencil, in place of over the surface.
    pub planar: bool,
    /// Seconds that it stays, and in which it then fades; `None` stays.
    pub fades: Option<(f64, f64)>,
}

/// By material: as it is when fresh, and when dry.
type Stamped = Vec<(u16, [Option<Stamp>; 2])>;

/// Part, primitive and triangle that a decal was put on, and where in it.
type SurfacePoint = (usize, usize, usize, Vec3);

/// One decal.
#[derive(Clone, Debug)]
struct Decal {
    id: u64,
    options: DecalSettings,
    place: SurfacePoint,
    age: f64,
    /// Seconds since it was told to go, and in how many it does.
    going: Option<(f64, f64)>,
    stamps: Stamped,
    /// What of it is a mesh of its own, fresh and dry.
    patches: [Option<Arc<Model>>; 2],
    /// How much of it is on the layers, fresh and dry.
    shown: [f32; 2],
}

impl Decal {
    fn has_patch(&self) -> bool {
        self.patches.iter().any(Option::is_some)
    }
}

/// How a decal lies on a model.
struct DecalPlacement {
    stamps: Stamped,
    patches: [Option<Arc<Model>>; 2],
}

/// The decals of one character.
#[derive(Clone, Debug, Default)]
pub struct Decals {
    /// The oldest first.
    all: Vec<Decal>,
    /// By material, ascending.
    layers: Vec<(u16, Arc<DecalLayer>)>,
    /// Seconds since the last look at what changes.
    waited: f64,
    /// How many were ever put.
    n_put: u32,
    /// What the main part of the script left.
    begun: Vec<(u64, SurfacePoint, DecalSettings)>,
}

impl Decals {
    /// Layers by material, ascending.
    pub fn layers(&self) -> &[(u16, Arc<DecalLayer>)] {
        &self.layers
    }

    /// Decals that are meshes of their own, the oldest first: models that the character's matrices and shapes move, and
    /// how much of each is seen, 0..=1.
    pub fn patches(&self) -> impl Iterator<Item = (&Arc<Model>, f32)> {
        let all = self.all.iter();
        all.flat_map(|decal| decal.patches.iter().zip(decal.shown))
            .filter_map(|(patch, share)| Some((patch.as_ref()?, share)))
            .filter(|(_, share)| *share > 0.0)
    }

    /// How many decals there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Without decals.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// How many were ever put, those that are gone too: the next one is turned by chance of this number, the same in
    /// each run.
    pub fn n_put(&self) -> u32 {
        self.n_put
    }

    /// Remembers what the main part of the script has left.
    pub(super) fn note_begun(&mut self) {
        let left = |decal: &Decal| (decal.id, decal.place, decal.options.clone());
        self.begun = self.all.iter().map(left).collect();
    }

    /// The main part of the script left the same as that of another.
    fn begins_as(&self, other: &Self) -> bool {
        let own = self
            .begun
            .iter()
            .map(|(_, place, options)| (place, options));
        own.eq(other
            .begun
            .iter()
            .map(|(_, place, options)| (place, options)))
    }

    /// Takes a decal away, over some seconds; all without a number. False when there is none.
    pub fn remove(&mut self, id: Option<u64>, seconds: f64) -> bool {
        let mut any = false;
        for decal in &mut self.all {
            if id.is_none_or(|id| id == decal.id) {
                decal.going = Some((0.0, seconds));
                any = true;
            }
        }
        if any && seconds <= 0.0 {
            self.take_off(|decal| decal.going.is_some_and(|(_, seconds)| seconds <= 0.0));
        }
        any
    }

    /// Takes decals off at once.
    fn take_off(&mut self, goes: impl Fn(&Decal) -> bool) {
        let mut changed = RepaintedTiles::default();
        self.all.retain(|decal| {
            if goes(decal) {
                changed.add(&decal.stamps);
            }
            !goes(decal)
        });
        self.paint(&changed);
    }

    /// True while a decal is there.
    pub fn has(&self, id: u64) -> bool {
        self.all.iter().any(|decal| decal.id == id)
    }

    /// Moves time on: what dries and fades is painted anew, five times a second.
    pub fn advance(&mut self, dt: f64) {
        if self.all.is_empty() {
            return;
        }
        self.waited += dt;
        if self.waited < PACE {
            return;
        }
        let dt = std::mem::take(&mut self.waited);
        let mut changing: Vec<(f32, &mut Decal)> = Vec::new();
        for decal in &mut self.all {
            decal.age += dt;
            if let Some((gone, _)) = &mut decal.going {
                *gone += dt;
            }
            let shares = decal.shares();
            let by = (shares[0] - decal.shown[0]).abs() + (shares[1] - decal.shown[1]).abs();
            if shares == [0.0; 2] {
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
        for (_, decal) in changing.into_iter().take(n_gone + MOST_CHANGES) {
            decal.shown = decal.shares();
            changed.add(&decal.stamps);
        }
        if n_gone > 0 || !changed.0.is_empty() {
            self.all
                .retain(|decal| decal.shown.iter().any(|share| *share > 0.0));
            self.paint(&changed);
        }
    }

    /// Paints tiles anew, and lets layers go that nothing lies on.
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
        let oldest = if n_patches > MOST_PATCHES {
            self.all.iter().position(Decal::has_patch)
        } else {
            (self.all.len() > MOST_DECALS).then_some(0)
        };
        if let Some(oldest) = oldest {
            let mut changed = RepaintedTiles::default();
            changed.add(&self.all.remove(oldest).stamps);
            self.paint(&changed);
        }
    }
}

impl Decal {
    /// How much of the fresh and of the dry decal there is.
    fn shares(&self) -> [f32; 2] {
        let left = |past: f64, seconds: f64, steps: f64| {
            let left = (1.0 - past / seconds.max(1e-3)).clamp(0.0, 1.0);
            ((left * steps).ceil() / steps) as f32
        };
        let mut share = 1.0;
        if let Some((stays, fades)) = self.options.fades {
            share *= left(self.age - stays, fades, FADING);
        }
        if let Some((gone, seconds)) = self.going {
            share *= left(gone, seconds, FADING);
        }
        match self.options.dried {
            Some((_, seconds)) => {
                let dry = 1.0 - left(self.age, seconds, DRYING);
                [share * (1.0 - dry), share * dry]
            }
            None => [share, 0.0],
        }
    }

    /// Paints it as it is shown, on those tiles of materials that are wanted.
    fn paint(&self, layers: &mut [(u16, Arc<DecalLayer>)], wanted: impl Fn(u16, u32) -> bool) {
        for (material, stamps) in &self.stamps {
            let Ok(at) = layers.binary_search_by_key(material, |layer| layer.0) else {
                continue;
            };
            for (stamp, share) in stamps.iter().zip(self.shown) {
                let stamp = stamp.as_ref().filter(|_| share > 0.0);
                // A layer that is not changed is not sent to the graphics card again.
                if let Some(stamp) = stamp.filter(|s| s.tiles().any(|tile| wanted(*material, tile)))
                {
                    let layer = Arc::make_mut(&mut layers[at].1);
                    layer.put(stamp, share, |tile| wanted(*material, tile));
                }
            }
        }
    }
}

/// Tiles of layers that are painted anew, by material.
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
    /// Puts a decal on the triangle that a ray hit; `id` names the decal, `scale` is the scale of the character.
    ///
    /// # Errors
    /// Says in plain words why nothing can be marked there.
    pub fn put(
        &mut self,
        definition: &Definition,
        scale: f32,
        id: u64,
        traced: &TriangleHit,
        options: DecalSettings,
    ) -> Result<(), String> {
        let place = (
            traced.part,
            traced.primitive,
            traced.triangle,
            traced.barycentric,
        );
        let lying = lie(definition, (place, id), &options, scale)?;
        let decal = Decal {
            id,
            options,
            place,
            age: 0.0,
            going: None,
            stamps: lying.stamps,
            patches: lying.patches,
            shown: [0.0; 2],
        };
        let decal = Decal {
            shown: decal.shares(),
            ..decal
        };
        let model = &definition.model;
        self.add(decal, |material| layer_side(model, material));
        self.n_put += 1;
        Ok(())
    }

    /// Takes over the decals of the character that this one replaces after the script was saved. Those that the main
    /// part puts are as they have become where it puts the same as before; else they are put anew.
    pub(super) fn take_over(&mut self, was: Self, definitions: [&Arc<Definition>; 2], scale: f32) {
        let own = std::mem::replace(self, was);
        let [old, new] = definitions;
        let is_same_model = Arc::ptr_eq(&old.model, &new.model);
        if is_same_model && own.begins_as(self) {
            return;
        }
        let begun = std::mem::replace(&mut self.begun, own.begun);
        let is_begun = |decal: &Decal| begun.iter().any(|(id, ..)| *id == decal.id);
        if is_same_model {
            self.take_off(is_begun);
        } else {
            self.all.retain(|decal| !is_begun(decal));
            self.put_again([old, new], scale);
        }
        for decal in own.all {
            self.add(decal, |material| layer_side(&new.model, material));
        }
    }

    /// Puts the decals on again after the model was replaced: on the same triangle of a part of the same name. Those
    /// that find none there are gone.
    pub(super) fn put_again(&mut self, [old, new]: [&Definition; 2], scale: f32) {
        self.layers.clear();
        for decal in std::mem::take(&mut self.all) {
            let (part, primitive, triangle, shares) = decal.place;
            let name = old.model.parts.get(part).map(|part| &part.name);
            let mut now = new.model.parts.iter();
            let Some(part) = now.position(|part| Some(&part.name) == name) else {
                continue;
            };
            let place = (part, primitive, triangle, shares);
            let again = lie(new, (place, decal.id), &decal.options, scale);
            if let Ok(DecalPlacement { stamps, patches }) = again {
                let decal = Decal {
                    place,
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
    image.map_or(SIDE, |image| image.width.max(image.height).clamp(256, SIDE))
}

/// A decal as it lies on the materials around a place; `id` tells it from others.
fn lie(
    definition: &Definition,
    ((part, primitive, triangle, shares), id): (SurfacePoint, u64),
    options: &DecalSettings,
    scale: f32,
) -> Result<DecalPlacement, String> {
    let model = &definition.model;
    let gone = || "what was hit is no longer there".to_owned();
    let own = model.parts.get(part).ok_or_else(gone)?;
    let mesh = model.meshes.get(own.mesh).ok_or_else(gone)?;
    let hit = mesh.primitives.get(primitive).ok_or_else(gone)?;
    let surface = definition
        .decal_surfaces()
        .surface(model, own.mesh)
        .ok_or_else(gone)?;
    let start = surface.triangle(primitive, triangle).ok_or_else(gone)?;
    let corners = surface.corners(&surface.triangles[start as usize]);
    let at = corners[0] * shares.x + corners[1] * shares.y + corners[2] * shares.z;
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let normal = normal
        .try_normalize()
        .ok_or("the triangle that was hit has no area")?;
    // Metres of the world, and up, in the mesh.
    let world_from_mesh = at_rest(definition, part, hit, triangle) * scale;
    let stretch = world_from_mesh.determinant().abs().cbrt();
    if !(1e-6..=1e6).contains(&stretch) {
        return Err("its mesh has no size".into());
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
    let lay = if options.planar { lay_planar } else { lay_flat };
    let laid = lay(&surface, &found, &origin);
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
    // Depths are metres of the world as well.
    let sized = |look: &DecalMaterial| DecalMaterial {
        depth: look.depth / stretch,
        ..look.clone()
    };
    let fresh = sized(&options.look);
    let dry = options.dried.as_ref().map(|(look, _)| sized(look));
    let stamps = stamps_of(model, spots, (&fresh, dry.as_ref()), size);
    let one = |look: &DecalMaterial, n: u64| {
        let told = (look, size, 2 * id + n);
        patch::patch(model, part, &others, told)
            .map_err(|why| format!("{:?}: {why}", model.materials[hit.material].name))
    };
    let patches = match one(&fresh, 0) {
        Ok(fresh) => [Some(fresh), dry.and_then(|dry| one(&dry, 1).ok())],
        // Beside what it was put on a decal may be seen in part.
        Err(why) if stamps.is_empty() => return Err(why),
        Err(_) => [None, None],
    };
    Ok(DecalPlacement { stamps, patches })
}

/// The stamps of a decal, fresh and dried, on each material that has spots for it; `size` in metres of the mesh.
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

/// Takes offsets of the mesh to the model's space at rest, at a corner of a triangle.
fn at_rest(definition: &Definition, part: usize, primitive: &Primitive, triangle: usize) -> Mat3A {
    let mut palette = Vec::new();
    build_palette(&definition.model, &definition.rest_matrices(), &mut palette);
    let start = definition.layout.part_start[part] as usize;
    let corner = primitive.indices.get(3 * triangle).copied().unwrap_or(0);
    linear(primitive, corner as usize, &palette[start..])
}

/// A triangle with its coordinates; `None` where it has none.
fn spot(primitive: &Primitive, triangle: usize, on: [Vec2; 3]) -> Option<StampTriangle> {
    let corners = primitive.indices.get(3 * triangle..3 * triangle + 3)?;
    let uv = |k: usize| primitive.uv0.get(corners[k] as usize).copied();
    let uv = [uv(0)?, uv(1)?, uv(2)?];
    let tangent = primitive.tangents.get(corners[0] as usize);
    let hand = tangent.map_or_else(
        || {
            // As tangents are made where a file has none: v grows downwards.
            let area = (uv[1] - uv[0]).perp_dot(uv[2] - uv[0]);
            if area > 0.0 { -1.0 } else { 1.0 }
        },
        |tangent| tangent.w,
    );
    Some(StampTriangle { uv, on, hand })
}

#[cfg(test)]
mod tests;
