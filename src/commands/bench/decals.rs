//! Decals: raycast on a posed character, placing, surface preparation, and repainting of fading decals.

use std::path::PathBuf;
use std::sync::Arc;

use glam::Vec3;

use super::{BenchFigure, measure};
use galatea_asset::Model;
use galatea_character::{Character, DecalSettings, Definition, MAX_DECALS, Placement};
use galatea_decal::kinds::{DecalKind, KINDS};
use galatea_decal::{DecalMaterial, Flood, Surface};
use galatea_deform::TriangleHit;
use galatea_forge::mannequin::mannequin;

pub(super) const NAME: &str = "decals";

/// Number of rays across and upwards.
const ACROSS: usize = 12;
const UP: usize = 24;
/// Radius of the flood fill around a hit, metres.
const REACH: f32 = 0.06;
/// Kinds of decals to place.
const PLACED_KINDS: [&str; 3] = ["wound", "hole", "mud"];

/// Measures each file, or the built-in character if there are none.
pub(super) fn bench(files: &[PathBuf]) -> anyhow::Result<Vec<BenchFigure>> {
    let mut models = Vec::new();
    if files.is_empty() {
        models.push(mannequin());
    }
    for file in files {
        models.push(galatea_asset::gltf::load(file)?);
    }
    Ok(models.into_iter().flat_map(of_model).collect())
}

fn of_model(model: Model) -> Vec<BenchFigure> {
    let name = model.name.clone();
    let definition = Arc::new(Definition::new(Arc::new(model)));
    let spawn = Placement::default();
    let mut hero: Character =
        Character::new("hero".into(), "hero".into(), definition.clone(), spawn);
    let size = hero.body_length();
    let line = |i: usize, k: usize| {
        let share = |i: usize, n: usize| (i as f32 + 0.5) / n as f32;
        let at = Vec3::new(0.4 * (share(i, ACROSS) - 0.5), share(k, UP), 0.0) * size;
        (at + Vec3::Z * 2.0 * size, at - Vec3::Z * 2.0 * size)
    };
    let lines: Vec<(Vec3, Vec3)> = (0..ACROSS)
        .flat_map(|i| (0..UP).map(move |k| line(i, k)))
        .collect();
    let mut hits: Vec<TriangleHit> = Vec::new();
    let pick = measure(
        "decal_pick",
        &format!(
            "raycast through the posed character, {} triangles",
            definition.model.n_triangles()
        ),
        "ns per ray",
        lines.len(),
        || {
            hits.clear();
            hits.extend(
                lines
                    .iter()
                    .filter_map(|(from, to)| hero.trace(*from, *to).0),
            );
        },
    );
    let mut figures = vec![pick];
    let takes = |hit: &&TriangleHit| {
        let model = &definition.model;
        let mesh = &model.meshes[model.parts[hit.part].mesh];
        let material = mesh.primitives[hit.primitive].material;
        definition.decal_surfaces().is_unwrapped(model, material)
    };
    let marked: Vec<TriangleHit> = hits.iter().filter(takes).cloned().collect();
    if let Some(hit) = marked.get(marked.len() / 2) {
        for kind in KINDS
            .iter()
            .filter(|kind| PLACED_KINDS.contains(&kind.name))
        {
            figures.push(put(&mut hero, &marked, kind));
        }
        figures.push(fade(&mut hero, &marked));
        figures.extend(surface(&definition, hit).into_iter().flatten());
    }
    for figure in &mut figures {
        figure.file = Some(name.clone());
    }
    figures
}

fn options(kind: &DecalKind, fades: Option<(f64, f64)>) -> DecalSettings {
    let (color, relief) = kind.pictures();
    DecalSettings {
        material: Arc::new(DecalMaterial {
            color,
            tint: Vec3::ONE,
            opacity: 1.0,
            roughness: kind.roughness,
            depth: kind.depth,
            height_map: Some(relief),
        }),
        dry_material: None,
        size: kind.size,
        roll: 0.3,
        planar: false,
        fades,
    }
}

/// Places a decal at every hit, and removes them.
fn put(hero: &mut Character, hits: &[TriangleHit], kind: &DecalKind) -> BenchFigure {
    let options = options(kind, None);
    let hits = &hits[..hits.len().min(MAX_DECALS)];
    let what = format!("adding a {} of {:.0} cm", kind.name, kind.size * 100.0);
    measure(
        &format!("decal_{}", kind.name),
        &what,
        "ns per decal",
        hits.len(),
        || {
            for (id, hit) in (0..).zip(hits) {
                // A decal that does not fit costs the same.
                let _ = hero.appearance.decals.put(
                    &hero.definition,
                    hero.placement.scale,
                    id,
                    hit,
                    options.clone(),
                );
            }
            hero.appearance.decals.remove(None, 0.0);
        },
    )
}

/// Repaints the maximum number of decals, as happens five times a second while one fades.
fn fade(hero: &mut Character, hits: &[TriangleHit]) -> BenchFigure {
    let options = options(&KINDS[0], Some((0.0, 1e6)));
    for (id, hit) in (0..MAX_DECALS as u64).zip(hits.iter().cycle()) {
        let _ = hero.appearance.decals.put(
            &hero.definition,
            hero.placement.scale,
            id,
            hit,
            options.clone(),
        );
    }
    let n = hero.appearance.decals.len();
    let figure = measure(
        "decal_fade",
        &format!("repainting {n} fading decals"),
        "ns per decal",
        n.max(1),
        || hero.appearance.decals.advance(0.5),
    );
    hero.appearance.decals.remove(None, 0.0);
    figure
}

/// Triangles around a hit, by flood fill and by testing every triangle.
fn surface(definition: &Definition, hit: &TriangleHit) -> Option<[BenchFigure; 3]> {
    let mesh = &definition.model.meshes[definition.model.parts[hit.part].mesh];
    let surface = Surface::of(mesh);
    let n = surface.triangles.len();
    let start = surface.triangle(hit.primitive, hit.triangle)?;
    let corners = surface.corners(&surface.triangles[start as usize]);
    let at = corners.iter().sum::<Vec3>() / 3.0;
    let made = measure(
        "decal_surface",
        &format!("finding the neighbors of {n} triangles, once per model"),
        "ns per triangle",
        n,
        || {
            std::hint::black_box(Surface::of(mesh));
        },
    );
    let mut flood = Flood::default();
    let filled = surface.flood(start, at, REACH, &mut flood).len();
    let within = surface.within(at, REACH).len();
    let filling = measure(
        "decal_flood",
        &format!("{filled} triangles within 6 cm, by flood fill"),
        "ns per hit",
        1,
        || {
            std::hint::black_box(surface.flood(start, at, REACH, &mut flood).len());
        },
    );
    let all = measure(
        "decal_brute",
        &format!(
            "{within} triangles within 6 cm, by testing all {n}; includes those on the far side"
        ),
        "ns per hit",
        1,
        || {
            std::hint::black_box(surface.within(at, REACH).len());
        },
    );
    Some([made, filling, all])
}
