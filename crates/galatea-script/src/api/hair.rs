//! `hero:hair { … }`: hair strands attached to a bone of a character, and their simulation.

use glam::{Affine3A, Quat, Vec3, Vec4};
use mlua::{Lua, Table, Value};

use super::character_ref::{bone_index, find, reference};
use super::check::{Args, OptionValue, Param, vector};
use super::fabric::stand;
use super::group::Function;
use super::hair_cut::{cut_steps, grown, wrong};
use super::hair_fields::{
    Guides, HairAppearanceOptions, HairGeometry, HairOptions, HairSimulationOptions, HairSolver,
    RootToTip,
};
use crate::budget::charge;
use crate::loading::Loading;
use crate::services::Services;
use crate::world::{World, with_world};
use galatea_asset::model::{Image, Material, MaterialKind};
use galatea_character::{Character, HeadSkin, Placement};
use galatea_hair::{
    Cap, ChainSettings, Chains, Groom, GuideArea, GuideWeights, HairArea, HairCut, Spline,
    SpringHair, Strand, StrandAppearance, grow, hair_model, keep_together, patches_between, spread,
    strip_picture,
};
use galatea_physics::particles::ParticleObstacle;
use galatea_stage::{
    HairSimulation, Handle, MAX_GUIDE_POINTS, MAX_HAIR, SkinHold, Stage, StageHair,
    hair_world_from_rest,
};

/// Maximum number of guides of a piece.
const MAX_GUIDES: f64 = 2000.0;
/// Number of guides of a file when the script does not set it.
const FILE_GUIDES: f64 = 160.0;
/// Budget steps per point of a strand.
const CHARGE: u64 = 20;
/// Default width of a card, metres.
const STRIP_WIDTH: f32 = 0.02;
/// Number of strands of a haircut that one card replaces.
const AS_STRIP: f32 = 12.0;
/// Tilt of the cards of a haircut, radians.
const CUT_TILT: f32 = 0.5;
/// Factor from the colour of the tips to the default colour of the roots.
const ROOT_SHADE: f32 = 0.6;
/// Hair collides with bodies within this fraction of its length.
const REACH: f32 = 0.6;

/// Guides, and strands that follow them, in the wearer's rest space.
struct Hair {
    guides: Vec<Vec<Vec3>>,
    strands: Vec<Strand>,
    cap: Cap,
    head: Option<HeadSkin>,
}

impl Hair {
    fn of(guides: Vec<Vec<Vec3>>, strands: Vec<Strand>) -> Self {
        Self {
            guides,
            strands,
            cap: Cap::default(),
            head: None,
        }
    }
}

/// Counts, seed and spline from the options.
#[derive(Clone, Copy)]
struct StrandCounts {
    strands: usize,
    points: usize,
    seed: u64,
    spline: Spline,
}

impl StrandCounts {
    fn of(options: &HairOptions, cut: Option<&HairCut>) -> Self {
        let points = cut.map_or(16, |cut| cut.points);
        let in_one = match options.appearance.geometry {
            HairGeometry::Cards => AS_STRIP,
            HairGeometry::Strands => 1.0,
        };
        let strands = cut.map_or(2000.0, |cut| cut.strands as f32) / in_one;
        Self {
            strands: options.strands.unwrap_or(strands) as usize,
            points: options.points.unwrap_or(points),
            seed: options.seed,
            spline: match options.motion.simulation {
                HairSolver::Springs => Spline::Book,
                HairSolver::Chains => Spline::CatmullRom,
            },
        }
    }
}

/// Strands of a file. A random sample of `n_guides` strands becomes the guides; all others follow the nearest guides.
fn of_file(groom: &Groom, placed: &Affine3A, n_guides: usize, wanted: StrandCounts) -> Hair {
    let mut groom = groom.clone();
    groom.transform(placed);
    let all = groom.resampled(wanted.points, wanted.spline);
    let n = wanted.strands.min(all.len());
    let mut taken = vec![false; all.len()];
    let order = spread(n, wanted.seed, |chance| {
        let i = (chance.bits() % all.len() as u64) as usize;
        (all[i][0], i)
    });
    // Random picks repeat strands; strands that were never picked fill the gaps.
    let mut chosen: Vec<usize> = Vec::with_capacity(n);
    for (_, i) in order {
        if !std::mem::replace(&mut taken[i], true) {
            chosen.push(i);
        }
    }
    chosen.extend((0..all.len()).filter(|i| !taken[*i]));
    chosen.truncate(n);
    let guides: Vec<Vec<Vec3>> = chosen
        .iter()
        .take(n_guides)
        .map(|i| all[*i].clone())
        .collect();
    let roots: Vec<Vec3> = guides.iter().map(|guide| guide[0]).collect();
    let strand = |i: &usize| Strand {
        follow: GuideWeights::nearest(all[*i][0], &roots),
        points: all[*i].clone(),
    };
    let strands = chosen.iter().map(strand).collect();
    Hair::of(guides, strands)
}

/// Reads a list of lists of positions.
fn listed(table: &Table) -> mlua::Result<Vec<Vec<Vec3>>> {
    let mut guides = Vec::new();
    for (i, entry) in table.sequence_values::<Value>().enumerate() {
        let Value::Table(points) = entry? else {
            return Err(wrong(format!(
                "guide {}: expected a list of positions",
                i + 1
            )));
        };
        let points = points.sequence_values::<Value>().map(|value| {
            vector(&value?)
                .ok_or_else(|| wrong(format!("guide {}: each point must be a vector", i + 1)))
        });
        guides.push(points.collect::<mlua::Result<Vec<Vec3>>>()?);
    }
    Ok(guides)
}

/// Reads the patches of a script, which counts guides from 1.
fn patches_of(table: &Table, n_guides: usize) -> mlua::Result<Vec<GuideArea>> {
    let mut patches = Vec::new();
    for (i, entry) in table.sequence_values::<Value>().enumerate() {
        let what = || {
            wrong(format!(
                "patch {}: expected a list of three or four guide numbers",
                i + 1
            ))
        };
        let Value::Table(numbers) = entry? else {
            return Err(what());
        };
        let mut corners = Vec::new();
        for number in numbers.sequence_values::<Value>() {
            let number = super::check::number(&number?).ok_or_else(what)?;
            if number.fract() != 0.0 || !(1.0..=n_guides as f64).contains(&number) {
                let text = format!(
                    "patch {}: there is no guide {number}; the guides are 1 to {n_guides}",
                    i + 1
                );
                return Err(wrong(text));
            }
            corners.push(number as u16 - 1);
        }
        patches.push(match corners[..] {
            [a, b, c] => GuideArea::Three([a, b, c]),
            [a, b, c, d] => GuideArea::Four([a, b, c, d]),
            _ => return Err(what()),
        });
    }
    Ok(patches)
}

/// The guides of a script in the wearer's rest space, each resampled to the number of points in `wanted`.
fn guides_of(
    options: &HairOptions,
    table: &Table,
    rest_from_world: &Affine3A,
    wanted: StrandCounts,
) -> mlua::Result<Vec<Vec<Vec3>>> {
    let guides = listed(table)?;
    let n = guides.len();
    if n as f64 > MAX_GUIDES {
        let text = format!("guides: the limit is {MAX_GUIDES} guides, got {n}");
        return Err(wrong(text));
    }
    let mut groom = Groom::new(guides).map_err(wrong)?;
    if !options.in_rest_space {
        groom.transform(rest_from_world);
    }
    if groom.strands.len() < n {
        return Err(wrong(groom.warnings.join(", ")));
    }
    Ok(groom.resampled(wanted.points, wanted.spline))
}

/// Grows strands between guides: in the given patches, or between neighbouring guides.
fn between(
    options: &HairOptions,
    guides: Vec<Vec<Vec3>>,
    plain: impl FnOnce(&[Vec<Vec3>]) -> Vec<GuideArea>,
    wanted: StrandCounts,
) -> mlua::Result<Hair> {
    let patches = match &options.patches {
        Some(table) => patches_of(table, guides.len())?,
        None => plain(&guides),
    };
    let strands = grow(&guides, &patches, wanted.strands, wanted.seed);
    if strands.is_empty() {
        return Err(wrong(
            "no strands can grow: this needs at least three guides near each other",
        ));
    }
    Ok(Hair::of(guides, strands))
}

/// Grows a haircut, with its own guides or with the guides of a script instead.
fn of_cut(
    options: &HairOptions,
    cut: &HairCut,
    character: &Character,
    bone: u16,
    own: Option<Vec<Vec<Vec3>>>,
    wanted: StrandCounts,
) -> mlua::Result<Hair> {
    let names = options.parts.names();
    let (head, grown) = grown(character, bone, cut, wanted.seed, &names)?;
    let guides = own.unwrap_or_else(|| {
        let groom = Groom {
            strands: grown.guides,
            warnings: Vec::new(),
        };
        groom.resampled(wanted.points, wanted.spline)
    });
    let within = |guides: &[Vec<Vec3>]| {
        let roots: Vec<Vec<Vec3>> = guides
            .iter()
            .map(|guide| guide.iter().map(|at| head.to_scalp(*at)).collect())
            .collect();
        head.scalp.patches_within(cut.area, &roots)
    };
    let mut hair = between(options, guides, within, wanted)?;
    keep_together(&mut hair.strands, &hair.guides);
    Ok(Hair {
        cap: grown.cap,
        head: Some(head),
        ..hair
    })
}

/// Builds the hair that the options describe, on a bone of a character.
fn hair_of(
    world: &mut World,
    options: &HairOptions,
    (wearer, bone): (Handle, u16),
    cut: Option<&HairCut>,
) -> mlua::Result<Hair> {
    let wanted = StrandCounts::of(options, cut);
    let character = find(&mut world.stage, wearer)?;
    let rest_from_world = hair_world_from_rest(character, bone).inverse();
    let own = match &options.guides {
        Some(Guides::Listed(table)) => Some(guides_of(options, table, &rest_from_world, wanted)?),
        _ => None,
    };
    match (&options.file, own, cut) {
        (None, own, Some(cut)) => of_cut(options, cut, character, bone, own, wanted),
        (None, Some(guides), None) => {
            let apart = |guides: &[Vec<Vec3>]| patches_between(guides, true);
            between(options, guides, apart, wanted)
        }
        (Some(file), None, None) => {
            let groom = world.services.groom(file).map_err(|why| {
                world.loading.wait_for(file.clone(), false);
                wrong(why)
            })?;
            for warning in &groom.warnings {
                world.print(format!("{file}: {warning}"));
            }
            let placed = Affine3A::from_scale_rotation_translation(
                Vec3::splat(options.scale.max(1e-6)),
                Quat::from_rotation_y(options.yaw.to_radians()),
                options.offset,
            );
            let n_guides = match options.guides {
                Some(Guides::Count(n)) => n,
                _ => FILE_GUIDES,
            };
            if !(1.0..=MAX_GUIDES).contains(&n_guides) {
                let text = format!("guides: must be 1 to {MAX_GUIDES}, got {n_guides}");
                return Err(wrong(text));
            }
            Ok(of_file(&groom, &placed, n_guides as f32 as usize, wanted))
        }
        _ => Err(wrong("give exactly one of cut, file or guides")),
    }
}

fn chain_options(options: &HairSimulationOptions, cut: Option<&HairCut>) -> ChainSettings {
    let mut plain = ChainSettings::default();
    if let Some(cut) = cut {
        (plain.stiffness, plain.rest_stiffness) = (cut.stiffness, cut.rest_stiffness);
    }
    let both = |given: Option<RootToTip>, plain| given.map_or(plain, |RootToTip(both)| both);
    ChainSettings {
        stiffness: both(options.stiffness, plain.stiffness),
        rest_stiffness: both(options.rest_stiffness, plain.rest_stiffness),
        damping: options.damping.min(120.0),
        air_drag: options.air_drag.min(120.0),
        gravity_scale: options.gravity_scale,
        wet: options.wet,
        follow: options.follow,
        collision_margin: options.collision_margin.min(0.5),
        friction: options.friction,
    }
}

fn material(roughness: f32, color: Vec3) -> Material {
    Material {
        name: "hair".into(),
        kind: MaterialKind::Hair,
        base_color: Vec4::from((color, 1.0)),
        metallic: 0.0,
        roughness,
        double_sided: true,
        ..Material::default()
    }
}

/// Bodies of the wearer within reach of the guides, each with its bone, in the rest pose.
fn reached(wearer: &Character, guides: &[Vec<Vec3>]) -> Vec<(u16, ParticleObstacle)> {
    let points = || guides.iter().flatten();
    let low = points().fold(Vec3::INFINITY, |low, p| low.min(*p));
    let high = points().fold(Vec3::NEG_INFINITY, |high, p| high.max(*p));
    let longest = guides.iter().map(|guide| galatea_hair::length_of(guide));
    let reach = longest.fold(0.0, f32::max) * REACH;
    let is_near = |(_, solid): &(u16, ParticleObstacle)| {
        let [from, to] = solid.bounds();
        (from - reach).cmple(high).all() && (to + reach).cmpge(low).all()
    };
    wearer
        .body
        .rest_obstacles(&wearer.definition)
        .filter(is_near)
        .collect()
}

fn make_room(stage: &Stage, n_points: usize) -> mlua::Result<()> {
    let there: usize = stage
        .effects
        .hair
        .iter()
        .map(|(_, hair)| hair.n_points())
        .sum();
    if stage.effects.hair.len() >= MAX_HAIR {
        return Err(wrong(format!(
            "the stage already has {MAX_HAIR} pieces of hair, which is the limit"
        )));
    }
    if there + n_points > MAX_GUIDE_POINTS {
        return Err(wrong(format!(
            "the guides of a stage can have at most {MAX_GUIDE_POINTS} points, and these have {n_points} more"
        )));
    }
    Ok(())
}

/// Appearance of strands from the options.
fn appearance_of(
    options: &HairAppearanceOptions,
    cut: Option<&HairCut>,
    strands: &[Strand],
    seed: u64,
) -> (StrandAppearance, Vec3) {
    let color = options.color.clamp(Vec3::ZERO, Vec3::ONE);
    let roots: Vec<Vec3> = strands.iter().map(|strand| strand.points[0]).collect();
    let plain = StrandAppearance::default();
    let faces_eye = options.geometry == HairGeometry::Strands;
    let width = match (faces_eye, cut) {
        (false, Some(cut)) => cut.width * AS_STRIP,
        (false, None) => STRIP_WIDTH,
        (true, Some(cut)) => cut.width,
        (true, None) => plain.width,
    };
    let root_color = options.root_color.unwrap_or(color * ROOT_SHADE);
    let brightest = color.max(root_color).max(Vec3::splat(1e-4)).min(Vec3::ONE);
    let look = StrandAppearance {
        faces_eye,
        tilt: if cut.is_some() { CUT_TILT } else { plain.tilt },
        width: options.width.unwrap_or(width).min(0.5),
        tip_width: options.tip_width.min(10.0),
        shades: [root_color / brightest, color / brightest],
        brightness_variation: options.brightness_variation,
        center: roots.iter().sum::<Vec3>() / roots.len().max(1) as f32,
        seed,
    };
    (look, brightest)
}

/// Texture of each card.
fn picture_of(
    loading: &mut Loading,
    services: &dyn Services,
    options: &HairOptions,
    is_strand: bool,
) -> mlua::Result<Option<Image>> {
    match &options.appearance.texture {
        Some(_) if is_strand => Err(wrong(
            "texture: strands have no texture; set geometry = \"cards\"",
        )),
        Some(path) => {
            let picture = loading.image(services, path).map_err(wrong)?;
            Ok(Some((*picture).clone()))
        }
        None => Ok((!is_strand).then(|| strip_picture(options.seed))),
    }
}

/// Binds the guides to the skin under their roots, if the options enable it.
fn skin_hold(
    options: &HairOptions,
    cut: Option<&HairCut>,
    character: &Character,
    bone: u16,
    hair: &Hair,
) -> mlua::Result<Option<SkinHold>> {
    let plain = cut.is_some_and(|cut| cut.area != HairArea::Scalp);
    if !options.follow_skin.unwrap_or(plain) {
        return Ok(None);
    }
    let definition = &character.definition;
    let names = options.parts.names();
    let found;
    let head = match &hair.head {
        Some(head) => head,
        None => {
            let hidden = &character.appearance.hidden_parts;
            found = HeadSkin::of(definition, bone, hidden, &names).map_err(wrong)?;
            &found
        }
    };
    let hold = SkinHold::new(definition, head, hair.guides.clone(), names);
    Ok(Some(hold))
}

fn put(
    world: &mut World,
    options: &HairOptions,
    wearer: Handle,
    cut: Option<&HairCut>,
) -> mlua::Result<Handle> {
    let character = find(&mut world.stage, wearer)?;
    let bone = bone_index(character, &options.bone)?;
    let mut hair = hair_of(world, options, (wearer, bone), cut)?;
    // A haircut scales with the size of the head.
    let scale = hair.head.as_ref().map_or(1.0, |head| head.scalp.scale);
    let cut = cut.map(|cut| cut.sized(scale));
    let cut = cut.as_ref();
    let n_levels = hair.guides.first().map_or(0, Vec::len);
    make_room(&world.stage, hair.guides.len() * n_levels)?;
    let locks = options
        .locks
        .over(cut.map(|cut| cut.locks).unwrap_or_default());
    locks.arrange(&mut hair.strands, options.seed);
    let (on_own, collide) = match &options.motion.collide_with {
        Some(collide) => (collide.wearer, collide.others.clone()),
        None => (true, Vec::new()),
    };
    let character = find(&mut world.stage, wearer)?;
    let bodies = if on_own {
        reached(character, &hair.guides)
    } else {
        Vec::new()
    };
    let spawn: Placement = character.placement;
    let motion = if options.motion.simulation == HairSolver::Springs {
        HairSimulation::Springs(SpringHair::new(&hair.guides, 1))
    } else {
        let rest: Vec<ParticleObstacle> = bodies.iter().map(|(_, solid)| *solid).collect();
        let chains = Chains::new(&hair.guides, &rest, chain_options(&options.motion, cut));
        HairSimulation::Chains(Box::new(chains))
    };
    let skin = skin_hold(options, cut, character, bone, &hair)?;
    let (look, color) = appearance_of(&options.appearance, cut, &hair.strands, options.seed);
    let material = material(options.appearance.roughness, color);
    let picture = picture_of(
        &mut world.loading,
        &*world.services,
        options,
        look.faces_eye,
    )?;
    let model = hair_model(
        &hair.guides,
        &hair.strands,
        &hair.cap,
        &look,
        (material, picture),
    );
    let model = model.map_err(wrong)?;
    let handle = stand(&mut world.stage, "hair", options.name.clone(), model, spawn)?;
    let identity = world
        .stage
        .characters
        .get(handle)
        .map(|c| c.identity.clone());
    let mut piece = StageHair::new(
        identity.unwrap_or_default(),
        motion,
        handle,
        (wearer, bone),
        (hair.guides.len(), n_levels),
    );
    piece.bodies = bodies.iter().map(|(bone, _)| *bone).collect();
    piece.collide_with = collide;
    piece.wind_scale = options.motion.wind_scale;
    piece.skin = skin;
    world.stage.effects.hair.insert(piece);
    Ok(handle)
}

fn hair(lua: &Lua, args: Args) -> mlua::Result<Value> {
    let options: HairOptions = args.options(1)?;
    let wearer = args.character()?;
    let cut = options.cut.as_ref().map(|haircut| &haircut.cut);
    let wanted = StrandCounts::of(&options, cut);
    let for_cut = cut.map_or(0, cut_steps);
    charge(
        lua,
        (wanted.strands * wanted.points) as u64 * CHARGE + for_cut,
    )?;
    let handle = with_world(lua, |world| put(world, &options, wearer, cut))?;
    reference(lua, handle)
}

/// `hero:hair { … }`.
pub(super) const HAIR: Function = Function {
    name: "hair",
    params: &[Param {
        name: "options",
        ty: HairOptions::TYPE,
        optional: false,
    }],
    returns: "Character",
    doc: "Gives the character hair. There are three ways: a haircut (`cut`), strands that grow between curves of your own \
          (`guides`), or the strands of a file (`file`). A few strands, the guides, are simulated: they keep their length \
          and shape and stay outside the body. All other strands follow the guides near them.\n\n\
          The hair is a character of its own with the material \"hair\" and, under a haircut, \"scalp\". There can be 64 \
          pieces of hair.",
    example: "hero:hair { cut = \"bob\", color = vec(0.25, 0.1, 0.03) }\nlocal tuft = {}\nfor i = 0, 5 do\n\tlocal at = vec(math.cos(i) * 0.06, 1.75, math.sin(i) * 0.06)\n\ttuft[i + 1] = { at, at + vec(0, 0.05, 0), at + vec(0, 0.09, -0.03) }\nend\nlocal hair = hero:hair { guides = tuft, strands = 300, points = 8, color = vec(0.4, 0.1, 0.02) }",
    call: hair,
};
