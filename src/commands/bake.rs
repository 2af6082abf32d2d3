//! `galatea bake`: bakes normal, occlusion, thickness and curvature maps for a model's texture coordinates, and
//! converts maps.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use clap::{Args, Subcommand};
use glam::{Affine3A, Vec3};

use galatea_anim::local_to_model;
use galatea_app::png::linear_png;
use galatea_asset::gltf::with_tangents;
use galatea_asset::model::Image;
use galatea_asset::normals::{from_heights, unit};
use galatea_asset::{Model, picture, write_whole};
use galatea_deform::{Deformed, Deformer, PaletteLayout, build_palette};
use galatea_forge::maps::{
    BakeMesh, Map, MapOptions, Rays, curvature, moved, normals, openness, other_space, thickness,
};
use galatea_math::names::nearest_hint;

/// Maximum width and height of input images, pixels.
const MAX_SIDE: u32 = 16_384;

/// Arguments of `bake`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    galatea bake normals low.glb --from high.glb -o normals.png\n  \
    galatea bake normals low.glb --from high.glb --morph browInnerUp=1 -o folds.png\n  \
    galatea bake occlusion hero.glb --material skin --reach 0.1 -o occlusion.png\n  \
    galatea bake mask hero.glb --morph mouthSmileLeft=1 -o smile.png\n  \
    galatea bake heights bricks.png --depth 0.02 --wrap -o bricks_normals.png\n\n\
    The maps are described in docs/forge.md.")]
pub struct BakeArgs {
    #[command(subcommand)]
    what: BakeCommand,
}

#[derive(Debug, Subcommand)]
enum BakeCommand {
    /// Tangent-space normals of a high-poly model; --morph applies to both models, for a wrinkle map
    Normals(OfModel),
    /// Ambient occlusion by the model, or by a high-poly model: glTF's occlusionTexture
    Occlusion(OfModel),
    /// Thickness of the model under each point: glTF's thicknessTexture; --reach is the thicknessFactor
    Thickness(OfModel),
    /// Curvature: grey on flat areas, white on ridges, black in grooves
    Curvature(OfModel),
    /// Displacement by a morph target: white at the largest displacement
    Mask(OfModel),
    /// Convert a normal map from tangent space to object space
    Object(OfMap),
    /// Convert a normal map from object space to tangent space
    Tangent(OfMap),
    /// Convert a height map to a normal map
    Heights(OfHeights),
    /// Normalise the vectors of a normal map
    Unit(OfPicture),
}

#[derive(Debug, Args)]
struct LayoutArgs {
    /// The model to bake for; its texture coordinates give the layout
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// Bake only the parts with this material; required if the model has several materials
    #[arg(long, value_name = "NAME")]
    material: Option<String>,
    /// Output picture
    #[arg(short, long, value_name = "FILE.png")]
    output: PathBuf,
    /// Set a morph target on all meshes that have it; may be repeated
    #[arg(long, value_name = "NAME=WEIGHT", value_parser = morph)]
    morph: Vec<(String, f32)>,
}

#[derive(Debug, Args)]
struct OfModel {
    #[command(flatten)]
    laid: LayoutArgs,
    /// A high-poly model at the same position
    #[arg(long, value_name = "MODEL")]
    from: Option<PathBuf>,
    /// Width and height of the picture, 16 to 8192 pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 1024, value_parser = super::whole::<u32>(16, 8192, "pixels"))]
    size: u32,
    /// Ray length in metres: normals 0.02, occlusion 0.15, thickness 0.05; for curvature the radius drawn white, 0.01
    #[arg(long, value_name = "METRES", value_parser = length)]
    reach: Option<f32>,
    /// Rays per sample, 1 to 4096
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = super::whole::<u32>(1, 4096, "rays"))]
    rays: u32,
    /// Samples per pixel along each axis, 1 to 8
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = super::whole::<u32>(1, 8, "samples"))]
    samples: u32,
    /// Padding around the UV charts, 0 to 64 pixels
    #[arg(long, value_name = "PIXELS", default_value_t = 8, value_parser = super::whole::<u32>(0, 64, "pixels"))]
    gutter: u32,
}

#[derive(Debug, Args)]
struct OfMap {
    #[command(flatten)]
    laid: LayoutArgs,
    /// The normal map; must be square
    #[arg(long, value_name = "FILE.png")]
    map: PathBuf,
}

#[derive(Debug, Args)]
struct OfHeights {
    /// A height map; brighter is higher
    #[arg(value_name = "PICTURE")]
    picture: PathBuf,
    /// Height of white above black, as a fraction of the picture's width
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, value_parser = depth)]
    depth: f32,
    /// The picture tiles: opposite edges continue each other
    #[arg(long)]
    wrap: bool,
    /// Output picture
    #[arg(short, long, value_name = "FILE.png")]
    output: PathBuf,
}

#[derive(Debug, Args)]
struct OfPicture {
    /// A normal map
    #[arg(value_name = "PICTURE")]
    picture: PathBuf,
    /// Output picture
    #[arg(short, long, value_name = "FILE.png")]
    output: PathBuf,
}

fn morph(text: &str) -> Result<(String, f32), String> {
    let (name, weight) = text.split_once('=').unwrap_or((text, "1"));
    let weight = weight.parse::<f32>().ok().filter(|w| w.is_finite());
    let weight = weight.ok_or("expected NAME=WEIGHT, such as smile=1")?;
    Ok((name.to_owned(), weight))
}

fn length(text: &str) -> Result<f32, String> {
    let metres = text.parse::<f32>().ok();
    let metres = metres.filter(|metres| (1e-5..=1000.0).contains(metres));
    metres.ok_or_else(|| "expected metres from 0.00001 to 1000".into())
}

fn depth(text: &str) -> Result<f32, String> {
    let share = text.parse::<f32>().ok();
    let share = share.filter(|share| (-10.0..=10.0).contains(share));
    share.ok_or_else(|| "expected a number from -10 to 10".into())
}

/// # Errors
/// A file that cannot be read, baked or written.
pub fn run(args: &BakeArgs) -> anyhow::Result<ExitCode> {
    match &args.what {
        BakeCommand::Normals(own) => of_model(own, BakedMap::Normals),
        BakeCommand::Occlusion(own) => of_model(own, BakedMap::Occlusion),
        BakeCommand::Thickness(own) => of_model(own, BakedMap::Thickness),
        BakeCommand::Curvature(own) => of_model(own, BakedMap::Curvature),
        BakeCommand::Mask(own) => of_model(own, BakedMap::Mask),
        BakeCommand::Object(own) => of_map(own, true),
        BakeCommand::Tangent(own) => of_map(own, false),
        BakeCommand::Heights(own) => {
            let image = read(&own.picture)?;
            write(&own.output, &from_heights(&image, own.depth, own.wrap))
        }
        BakeCommand::Unit(own) => {
            let (image, share) = unit(&read(&own.picture)?);
            say!(
                "{:.1} % of the texels did not have unit length",
                share * 100.0
            );
            write(&own.output, &image)
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum BakedMap {
    Normals,
    Occlusion,
    Thickness,
    Curvature,
    Mask,
}

/// A model with the mesh to bake for, morphs applied.
struct Opened {
    model: Model,
    material: usize,
    mesh: BakeMesh,
}

impl LayoutArgs {
    fn open(&self) -> anyhow::Result<Opened> {
        let file = &self.model;
        let model = galatea_asset::gltf::load(file)?;
        let material = material_of(&model, self.material.as_deref())
            .with_context(|| file.display().to_string())?;
        check(&self.morph, &model, file)?;
        let mesh = collected(&model, Some(material), &self.morph);
        Ok(Opened {
            model,
            material,
            mesh,
        })
    }
}

fn of_model(own: &OfModel, kind: BakedMap) -> anyhow::Result<ExitCode> {
    let Opened {
        model,
        material,
        mesh,
    } = own.laid.open()?;
    let (file, morphs) = (&own.laid.model, own.laid.morph.as_slice());
    if own.from.is_some() && matches!(kind, BakedMap::Curvature | BakedMap::Mask) {
        bail!("--from cannot be used for curvature and masks, which need only the model itself");
    }
    let finer = own.from.as_ref().map(|from| -> anyhow::Result<BakeMesh> {
        let model = galatea_asset::gltf::load(from)?;
        // The finer mesh need not have all morphs.
        Ok(collected(&model, None, morphs))
    });
    let finer = finer.transpose()?;
    let reach = own.reach.unwrap_or(match kind {
        BakedMap::Normals => 0.02,
        BakedMap::Occlusion => 0.15,
        BakedMap::Thickness => 0.05,
        BakedMap::Curvature | BakedMap::Mask => 0.01,
    });
    let options = MapOptions {
        side: own.size,
        reach,
        rays: own.rays,
        samples: own.samples,
        gutter: own.gutter,
    };
    let whole = match &finer {
        Some(finer) => finer.clone(),
        None => collected(&model, None, morphs),
    };
    let rays = || Rays::new(&whole);
    let named = || file.display().to_string();
    let map = match kind {
        BakedMap::Normals => {
            if finer.is_none() {
                bail!("a normal map needs a high-poly model: give one with --from");
            }
            normals(&mesh, &rays()?, &options)
        }
        BakedMap::Occlusion => openness(&mesh, &rays()?, &options),
        BakedMap::Thickness => thickness(&mesh, &rays()?, &options),
        BakedMap::Curvature => curvature(&mesh, &options),
        BakedMap::Mask => {
            if morphs.is_empty() {
                bail!("a mask needs a morph target: give one with --morph");
            }
            let rest = collected(&model, Some(material), &[]);
            let (map, farthest) = moved(&rest, &mesh.at, &options).with_context(named)?;
            say!("largest displacement: {:.1} mm", farthest * 1000.0);
            Ok(map)
        }
    };
    let map = map.with_context(named)?;
    print_coverage(&map, kind == BakedMap::Normals)?;
    write(&own.laid.output, &map.image)
}

fn of_map(own: &OfMap, to_object: bool) -> anyhow::Result<ExitCode> {
    let file = &own.laid.model;
    let mesh = own.laid.open()?.mesh;
    let image = read(&own.map)?;
    if image.width != image.height {
        bail!("{}: the map must be square", own.map.display());
    }
    let map = other_space(&mesh, &image, to_object, &MapOptions::default());
    let map = map.with_context(|| file.display().to_string())?;
    print_coverage(&map, false)?;
    write(&own.laid.output, &map.image)
}

/// Prints the coverage of a map and its warnings.
fn print_coverage(map: &Map, is_of_rays: bool) -> anyhow::Result<()> {
    say!("{:.1} % of the picture is covered", map.covered * 100.0);
    if is_of_rays && map.missed > 0.0 {
        eprintln!(
            "warning: {:.1} % of it did not hit the high-poly model and is flat; try a larger --reach",
            map.missed * 100.0
        );
    }
    if map.doubled > 0.001 {
        eprintln!(
            "warning: {:.1} % of it is covered by several triangles, which share the same texels",
            map.doubled * 100.0
        );
    }
    Ok(())
}

/// Index of a material by name, or of the only material.
fn material_of(model: &Model, name: Option<&str>) -> anyhow::Result<usize> {
    let used = |i: &usize| {
        let parts = model.parts.iter();
        let mut all = parts.flat_map(|part| &model.meshes[part.mesh].primitives);
        all.any(|primitive| primitive.material == *i)
    };
    let names = model
        .materials
        .iter()
        .map(|material| material.name.as_str());
    match name {
        Some(name) => names
            .clone()
            .position(|known| known == name)
            .ok_or_else(|| anyhow!("there is no material {name:?}{}", nearest_hint(name, names))),
        None => match (0..model.materials.len()).filter(used).collect::<Vec<_>>()[..] {
            [only] => Ok(only),
            [] => bail!("the model has no meshes"),
            _ => bail!(
                "the model has several materials; choose one with --material: {}",
                names.collect::<Vec<_>>().join(", ")
            ),
        },
    }
}

/// Checks that each morph exists on some mesh.
fn check(morphs: &[(String, f32)], model: &Model, file: &Path) -> anyhow::Result<()> {
    let names = || model.meshes.iter().flat_map(|mesh| &mesh.morph_names);
    for (name, _) in morphs {
        if !names().any(|known| known == name) {
            let hint = nearest_hint(name, names().map(String::as_str));
            bail!("{}: no morph target {name:?}{hint}", file.display());
        }
    }
    Ok(())
}

/// The model at rest with morphs applied, or its parts with one material.
fn collected(model: &Model, material: Option<usize>, morphs: &[(String, f32)]) -> BakeMesh {
    let locals: Vec<_> = model
        .skeleton
        .bones()
        .iter()
        .map(|bone| bone.rest)
        .collect();
    let mut matrices: Vec<Affine3A> = Vec::new();
    local_to_model(&model.skeleton, &locals, &mut matrices);
    let mut palette = Vec::new();
    build_palette(model, &matrices, &mut palette);
    let starts = PaletteLayout::new(model).part_start;
    let (mut deformer, mut deformed) = (Deformer::default(), Deformed::default());
    let mut all = BakeMesh::default();
    for (part, start) in model.parts.iter().zip(starts) {
        let mesh = &model.meshes[part.mesh];
        let mut weights = part.morph_weights.clone();
        for (name, weight) in morphs {
            if let Some(i) = mesh.morph_names.iter().position(|known| known == name)
                && let Some(own) = weights.get_mut(i)
            {
                *own = *weight;
            }
        }
        for primitive in &mesh.primitives {
            if material.is_some_and(|wanted| primitive.material != wanted) {
                continue;
            }
            let made = primitive
                .tangents
                .is_empty()
                .then(|| with_tangents(primitive));
            let made = made.flatten();
            let primitive = made.as_ref().unwrap_or(primitive);
            let palette = &palette[start as usize..];
            deformer.deform(primitive, &weights, palette, part.skinning, &mut deformed);
            let first = all.at.len() as u32;
            all.at.extend(&deformed.positions);
            all.normal.extend(&deformed.normals);
            all.normal.resize(all.at.len(), Vec3::Y);
            all.tangent.extend(&deformed.tangents);
            // A mesh without texture coordinates has no tangents.
            let across = |normal: &Vec3| normal.any_orthonormal_vector().extend(1.0);
            let bare = &all.normal[all.tangent.len()..];
            all.tangent.extend(bare.iter().map(across));
            all.uv.extend(&primitive.uv0);
            let triangles = primitive.indices.chunks_exact(3);
            all.triangles
                .extend(triangles.map(|t| [t[0], t[1], t[2]].map(|i| i + first)));
        }
    }
    all
}

fn read(file: &Path) -> anyhow::Result<Image> {
    picture::load_up_to(file, MAX_SIDE).map_err(|why| anyhow!("{}: {why}", file.display()))
}

fn write(file: &Path, image: &Image) -> anyhow::Result<ExitCode> {
    let bytes = linear_png(image)?;
    write_whole(file, &bytes)?;
    say!("{}: {} × {}", file.display(), image.width, image.height);
    Ok(ExitCode::SUCCESS)
}
