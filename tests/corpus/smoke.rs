//! Every character of GALATEA_CORPUS stands, looks, walks, is knocked down, gets up and plays each of its clips.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use galatea::anim::humanoid::Role;
use galatea::app::Session;
use galatea::asset::model::{Part, Primitive};
use galatea::asset::{Model, Project, gltf};
use galatea::character::{Character, Definition};
use galatea::deform::{Deformed, Deformer, build_palette};
use galatea::math::Trs;
use glam::{Affine3A, Vec3};

use crate::files::{corpus, files};
use crate::folder::Folder;
use crate::sessions::{self, tick};

const TICKS_PER_SECOND: f32 = 60.0;

/// Models with fewer bones are props.
const MIN_BONES: usize = 8;

/// Height at which every character is played, metres: the limits below are those of a person.
const HEIGHT_M: f32 = 1.7;

/// Maximum distance of a sole from the ground while its character stands, metres.
const MAX_SOLE_M: f32 = 0.02;

/// Maximum angle between the head and a target within its range, degrees.
const MAX_HEAD_DEGREES: f32 = 15.0;

/// Time for which each clip is played, seconds.
const CLIP_S: f32 = 0.5;

/// Maximum time from a hit until the body is at rest, seconds.
const MAX_REST_S: f32 = 5.0;

/// Maximum time from a hit until the character stands again, seconds.
const MAX_STAND_S: f32 = 12.0;

/// Files with bones but without a body mesh: a flat sheet on every bone.
const NO_BODIES: [&str; 2] = ["armature_transform.vrm", "bone_child_mesh.vrm"];

const SCRIPT: &str = r#"
local hero = character FILE { scale = SCALE }
hero:controller {}
local function play_all(task)
    for name in hero:clips() do
        hero:play(name)
        task:wait(CLIP_SECONDS)
    end
end
if BODY then
    hero:on("get_up_end", function() hero:task(play_all) end)
    hero:foot_ik()
    hero:idle_motion()
    hero:task(function(task)
        task:wait(2)
        hero:look_at(LOOK)
        task:wait(3)
        hero:look_at(false)
        local walk
        for name in hero:clips() do
            if name:lower():find "walk" and not (walk and #walk <= #name) then walk = name end
        end
        local play = hero:play(walk, { mode = "loop" })
        hero:move(vector.create(0, 0, 1))
        task:wait(3)
        hero:move(vector.zero)
        play:stop()
        task:wait(0.5)
        local mass = 0
        for _, body in hero:ragdoll_bodies() do mass += body.mass end
        hero:hit { impulse = vector.create(0.6, 0, -3) * mass }
    end)
else
    hero:task(play_all)
end
"#;

fn hero(session: &Session) -> &Character {
    session.stage.characters.iter().next().unwrap().1
}

/// Height of mesh and bones at rest.
fn height_of(definition: &Definition) -> f32 {
    let bones = definition.rest_matrices();
    let heights = bones.iter().map(|matrix| matrix.translation.y);
    let [low, high] = definition.rest_box;
    let lowest = heights.clone().fold(low.y, f32::min);
    heights.fold(high.y, f32::max) - lowest
}

/// The bone with the largest weight of a vertex.
fn dominant_bone(model: &Model, part: &Part, primitive: &Primitive, vertex: usize) -> u16 {
    let n = primitive.influences.per_vertex;
    let Some(skin) = part.skin.filter(|_| n > 0) else {
        return part.bone;
    };
    let weights = &primitive.influences.weights[vertex * n..(vertex + 1) * n];
    let most = (0..n).max_by(|a, b| weights[*a].total_cmp(&weights[*b]));
    let joint = primitive.influences.joints[vertex * n + most.unwrap()];
    model.skins[skin].joints[usize::from(joint)]
}

/// Heights of the lowest vertices of both feet in a pose given by its palette and morph weights, model space; `None`
/// for a foot without mesh.
fn soles(definition: &Definition, palette: &[Affine3A], morphs: &[f32]) -> [Option<f32>; 2] {
    let model = &definition.model;
    let humanoid = definition.clips.humanoid();
    let bones = definition.clips.skeleton().bones();
    let feet = [Role::LeftFoot, Role::RightFoot].map(|role| humanoid.bone(role));
    let foot_of = |bone: u16| {
        let up = |bone: &u16| bones[usize::from(*bone)].parent;
        let mut above = std::iter::successors(Some(bone), up);
        above.find_map(|bone| feet.iter().position(|foot| *foot == Some(bone)))
    };
    let mut lowest = [None; 2];
    let mut deformed = Deformed::default();
    for (i, part) in model.parts.iter().enumerate() {
        let start = definition.layout.part_start[i] as usize;
        let weights = &morphs[definition.morph_start[i]..];
        for primitive in &model.meshes[part.mesh].primitives {
            Deformer::default().deform(
                primitive,
                &weights[..part.morph_weights.len()],
                &palette[start..],
                part.skinning,
                &mut deformed,
            );
            for (v, position) in deformed.positions.iter().enumerate() {
                if let Some(foot) = foot_of(dominant_bone(model, part, primitive, v)) {
                    lowest[foot] = Some(f32::min(lowest[foot].unwrap_or(f32::MAX), position.y));
                }
            }
        }
    }
    lowest
}

/// Heights of the soles, metres; `None` for a body whose rest pose is a step.
fn standing_soles(character: &Character) -> Option<[f32; 2]> {
    let definition = &character.definition;
    let mut palette = Vec::new();
    build_palette(&definition.model, &definition.rest_matrices(), &mut palette);
    let scale = character.placement.scale;
    let [left, right] = soles(definition, &palette, &definition.rest.morphs).map(Option::unwrap);
    let now = soles(
        definition,
        &character.skin.palette[0],
        &character.posed.pose.morphs,
    );
    let heights = now.map(|y| character.placement.position.y + y.unwrap() * scale);
    ((left - right).abs() * scale < MAX_SOLE_M).then_some(heights)
}

/// Degrees between the direction of the head and a target.
fn head_off(character: &Character, place: Vec3) -> f32 {
    let rig = character.definition.gaze_rig().unwrap();
    let world = character.placement.to_affine();
    let bone = character.posed.model_from_bone[usize::from(rig.head.bone)];
    let rotation = Trs::nearest(bone).rotation * rig.head.bone_from_character;
    let eyes = world.transform_point3(bone.transform_point3(rig.eye_middle));
    let forward = world.transform_vector3(rotation * Vec3::Z);
    forward.angle_between(place - eyes).to_degrees()
}

/// A character on a stage.
struct Smoke {
    name: String,
    session: Session,
    n_clips: usize,
    /// Number of comparisons of the soles with the ground.
    n_standing: u32,
    wrong: Vec<String>,
    _folder: Folder,
}

impl Smoke {
    /// Runs for some seconds, or until `is_done`. Nothing may be NaN. Returns the elapsed seconds.
    fn run(&mut self, seconds: f32, mut is_done: impl FnMut(&Character) -> bool) -> f32 {
        let n = (seconds * TICKS_PER_SECOND) as usize;
        for i in 0..n {
            tick(&mut self.session);
            let character = hero(&self.session);
            let is_finite = character.placement.position.is_finite()
                && character.skin.palette[0].iter().all(|m| m.is_finite());
            assert!(is_finite, "{}", self.name);
            if is_done(character) {
                return (i + 1) as f32 / TICKS_PER_SECOND;
            }
        }
        seconds
    }

    fn expect(&mut self, is_right: bool, what: String) {
        if !is_right {
            self.wrong.push(format!("{}: {what}", self.name));
        }
    }

    fn expect_standing(&mut self, when: &str) {
        let Some(soles) = standing_soles(hero(&self.session)) else {
            return;
        };
        self.n_standing += 1;
        let is_right = soles.iter().all(|y| y.abs() <= MAX_SOLE_M);
        self.expect(is_right, format!("{when} its soles are at {soles:.3?} m"));
    }

    /// The test sequence of a character with a body.
    fn body(&mut self, target: Vec3) {
        self.run(2.0, |_| false);
        self.expect_standing("at the start");
        self.run(2.9, |_| false);
        let off = head_off(hero(&self.session), target);
        let is_right = off < MAX_HEAD_DEGREES;
        self.expect(
            is_right,
            format!("its head is {off:.1} degrees off its target"),
        );
        let start = hero(&self.session).placement.position;
        self.run(3.4, |_| false);
        let way = (hero(&self.session).placement.position - start).z;
        self.expect(way > 2.8, format!("it walked {way:.2} m"));
        let hips = hero(&self.session)
            .definition
            .clips
            .humanoid()
            .bone(Role::Hips)
            .unwrap();
        let (mut lowest, mut rest, mut t) = (f32::MAX, None, 0.0);
        let mut was_down = false;
        let stood = self.run(MAX_STAND_S, |character| {
            t += 1.0 / TICKS_PER_SECOND;
            lowest = lowest.min(character.posed.bone_position(hips).y);
            was_down |= character.body.is_down();
            let limbs = character.body.limbs.as_ref();
            if limbs.is_some_and(|limbs| limbs.settle_reported) {
                rest.get_or_insert(t);
            }
            was_down && !character.body.is_down() && character.body.rising.is_none()
        });
        self.expect(was_down, "it did not fall".into());
        self.expect(
            rest.is_some_and(|rest| rest < MAX_REST_S),
            format!("it lay at rest after {rest:?} s"),
        );
        self.expect(stood < MAX_STAND_S, "it did not get up".into());
        self.expect(lowest > 0.0, format!("its hips went down to {lowest:.3} m"));
        self.run(CLIP_S * self.n_clips as f32, |_| false);
        self.run(1.5, |_| false);
        self.expect_standing("after the fall");
    }
}

/// A project with a file and its neighbours; `None` for props and for files that do not load.
fn project(path: &Path, test: &str) -> Option<(Smoke, Definition)> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    let model = gltf::load(path).ok()?;
    if model.skeleton.bones().len() < MIN_BONES {
        return None;
    }
    let definition = Definition::new(Arc::new(model));
    let height = height_of(&definition);
    let folder = Folder::new(test);
    for near in std::fs::read_dir(path.parent()?).unwrap().flatten() {
        let beside = near.path();
        let is_model = |file: &Path| {
            let end = file.extension().and_then(|end| end.to_str());
            end.is_some_and(|end| ["glb", "gltf", "vrm"].contains(&end))
        };
        if beside.is_file() && (beside == path || !is_model(&beside)) {
            let bytes = std::fs::read(&beside).unwrap();
            folder.write(&format!("assets/{}", near.file_name().display()), bytes);
        }
    }
    let is_body = is_body(&name, &definition);
    let mut file = format!("\"assets/{name}\"");
    let is_walk = |name: &str| name.to_lowercase().contains("walk");
    if is_body && !definition.clips.names().any(is_walk) {
        folder.copy("assets/mannequin.glb", "assets/walks.glb");
        file = format!("({file}, {{ clips = \"assets/walks.glb\" }})");
    }
    let scale = (HEIGHT_M / height).clamp(0.001, 1000.0);
    let target = target();
    let script = SCRIPT
        .replace("FILE", &file)
        .replace("SCALE", &scale.to_string())
        .replace("BODY", &is_body.to_string())
        .replace("CLIP_SECONDS", &CLIP_S.to_string())
        .replace(
            "LOOK",
            &format!("vector.create({}, {}, {})", target.x, target.y, target.z),
        );
    folder.write("scripts/main.lua", script);
    let session = sessions::open(Project::open(&folder.0).unwrap());
    let smoke = Smoke {
        name,
        n_clips: hero(&session).definition.clips.len(),
        session,
        n_standing: 0,
        wrong: Vec::new(),
        _folder: folder,
    };
    Some((smoke, definition))
}

/// A target 35 degrees to the left.
fn target() -> Vec3 {
    let (sin, cos) = 35_f32.to_radians().sin_cos();
    Vec3::new(4.0 * sin, HEIGHT_M, 4.0 * cos)
}

/// Bones that have the largest weight of some vertex.
fn carriers(definition: &Definition) -> HashSet<u16> {
    let mut found = HashSet::new();
    for part in &definition.model.parts {
        for primitive in &definition.model.meshes[part.mesh].primitives {
            for v in 0..primitive.positions.len() {
                found.insert(dominant_bone(&definition.model, part, primitive, v));
            }
        }
    }
    found
}

/// Returns true for a human body with a mesh on its head and feet.
fn is_body(name: &str, definition: &Definition) -> bool {
    let humanoid = definition.clips.humanoid();
    let carriers = carriers(definition);
    let bones = definition.clips.skeleton().bones();
    // The mesh of a head may belong to bones below it.
    let has_mesh = |role: Role| {
        let own = humanoid.bone(role);
        let up = |bone: &u16| bones[usize::from(*bone)].parent;
        let mut all = carriers.iter();
        all.any(|bone| std::iter::successors(Some(*bone), up).any(|bone| Some(bone) == own))
    };
    let ends = [Role::Head, Role::LeftFoot, Role::RightFoot];
    humanoid.is_body() && ends.into_iter().all(has_mesh) && !NO_BODIES.contains(&name)
}

#[test]
fn every_character_stands_looks_walks_falls_and_gets_up() {
    let Some(corpus) = corpus() else { return };
    let folders = [
        "01_characters",
        "02_faces_lipsync",
        "03_vrm",
        "07_directx_x",
        "09_reference_runtime",
    ];
    let ends = ["glb", "gltf", "vrm", "x"];
    let paths: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| files(&corpus.join(folder), &ends))
        .collect();
    let (mut wrong, mut n_bodies, mut n_others, mut n_standing) = (Vec::new(), 0, 0, 0);
    for path in &paths {
        let Some((mut smoke, definition)) = project(path, "smoke") else {
            continue;
        };
        if is_body(&smoke.name, &definition) {
            smoke.body(target());
            n_bodies += 1;
        } else {
            smoke.run(1.0 + CLIP_S * smoke.n_clips as f32, |_| false);
            n_others += 1;
        }
        n_standing += smoke.n_standing;
        wrong.append(&mut smoke.wrong);
    }
    println!("{n_bodies} bodies, {n_standing} times on the ground, {n_others} others");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        n_bodies >= 15 && n_standing >= 30,
        "{n_bodies} {n_standing}"
    );
    assert!(n_others >= 20, "{n_others}");
}
