//! A small model and a project in memory, for tests of the stage and of scripts.
#![allow(dead_code, reason = "each test file uses a part")]

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use galatea::anim::{Bone, BoneTracks, Clip, Interpolation, Marker, MarkerValue, Skeleton, Track};
use galatea::app::SaveStore;
use galatea::asset::model::{
    Image, Influences, Material, Mesh, MorphTarget, Part, Primitive, Skin,
};
use galatea::asset::{Environment, Model, ModelSource};
use galatea::character::{Definition, DefinitionSource};
use galatea::hair::{Groom, StrandFormat};
use galatea::math::Trs;
use galatea::script::{
    Fault, GameStore, Host, HostOptions, LoadError, ModelState, NO_FILE, ScriptSource, Services,
};
use galatea::stage::{CrowdAgent, Stage, tick};
use glam::{Mat4, Quat, Vec3};

/// A post of two bones, one metre each, with clips `idle` (2 s), `walk` (1 s, steps at 0.1 left and
/// 0.6 right), `run` (0.5 s, steps at 0.3 left and 0.05 right), `jump` (0.5 s) and a morph `smile`.
pub fn post() -> Model {
    let bone = |name: &str, parent, y: f32| Bone {
        name: name.into(),
        parent,
        rest: Trs::from_translation(Vec3::Y * y),
        skinned: true,
    };
    let skeleton = Skeleton::new(vec![
        bone("root", None, 0.0),
        bone("upper", Some(0), 1.0),
        bone("foot_l", Some(0), 0.0),
        bone("foot_r", Some(0), 0.0),
    ])
    .expect("parents stand before children");
    let positions: Vec<Vec3> = (0..=8)
        .flat_map(|i| {
            let y = i as f32 * 0.25;
            [Vec3::new(-0.1, y, 0.0), Vec3::new(0.1, y, 0.0)]
        })
        .collect();
    let n = positions.len();
    let (mut joints, mut weights) = (Vec::new(), Vec::new());
    for p in &positions {
        let w = ((p.y - 0.75) / 0.5).clamp(0.0, 1.0);
        joints.extend([0u16, 1, 0, 0]);
        weights.extend([1.0 - w, w, 0.0, 0.0]);
    }
    let indices = (0..8u32)
        .flat_map(|i| {
            let a = 2 * i;
            [a, a + 1, a + 2, a + 1, a + 3, a + 2]
        })
        .collect();
    let primitive = Primitive {
        normals: vec![Vec3::Z; n],
        uv0: vec![glam::Vec2::ZERO; n],
        influences: Influences {
            per_vertex: 4,
            joints,
            weights,
        },
        targets: vec![MorphTarget {
            positions: vec![Vec3::Z * 0.1; n],
            ..MorphTarget::default()
        }],
        indices,
        positions,
        ..Primitive::default()
    };
    Model {
        uid: 1,
        name: "post".into(),
        skeleton: Arc::new(skeleton),
        skins: vec![Skin {
            name: String::new(),
            joints: vec![0, 1],
            inverse_bind: vec![Mat4::IDENTITY, Mat4::from_translation(-Vec3::Y)],
        }],
        meshes: vec![Mesh {
            name: "post".into(),
            primitives: vec![primitive],
            morph_names: vec!["smile".into()],
        }],
        parts: vec![Part {
            name: "post".into(),
            bone: 0,
            mesh: 0,
            skin: Some(0),
            morph_weights: vec![0.0],
            ..Part::default()
        }],
        materials: vec![Material {
            name: "hair".into(),
            ..Material::default()
        }],
        clips: [
            clip("idle", 2.0, 0.05, &[]),
            clip("walk", 1.0, 0.4, &[(0.1, "left"), (0.6, "right")]),
            clip("run", 0.5, 0.8, &[(0.05, "right"), (0.3, "left")]),
            clip("jump", 0.5, 1.0, &[]),
        ]
        .into_iter()
        .map(Arc::new)
        .collect(),
        ..Model::default()
    }
}

fn clip(name: &str, duration: f32, swing: f32, steps: &[(f32, &str)]) -> Clip {
    Clip {
        name: name.into(),
        duration,
        bones: vec![BoneTracks {
            bone: 1,
            translation: None,
            rotation: Some(Track {
                times: vec![0.0, duration * 0.5, duration],
                values: vec![
                    Quat::from_rotation_z(-swing),
                    Quat::from_rotation_z(swing),
                    Quat::from_rotation_z(-swing),
                ],
                interpolation: Interpolation::Linear,
            }),
            scale: None,
        }],
        morphs: Vec::new(),
        curves: Vec::new(),
        markers: steps
            .iter()
            .map(|(t, foot)| Marker {
                time: *t,
                duration: 0.0,
                event: "step".into(),
                fields: vec![("foot".into(), MarkerValue::Text((*foot).into()))],
            })
            .collect(),
    }
}

/// The definition of a model that every project in memory has.
pub fn defined(model: Model) -> Arc<Definition> {
    let source = DefinitionSource::File(ModelSource::new("post.glb").to_json());
    Arc::new(Definition::new(Arc::new(model)).with_source(source))
}

/// A project in memory.
pub struct Memory {
    pub scripts: Mutex<HashMap<String, String>>,
    pub printed: Mutex<Vec<String>>,
    saves: SaveStore,
    definition: Arc<Definition>,
}

impl Memory {
    /// A project without scripts, with one model.
    pub fn new(definition: Arc<Definition>) -> Arc<Self> {
        Arc::new(Self {
            scripts: Mutex::default(),
            printed: Mutex::default(),
            saves: SaveStore::in_memory("test"),
            definition,
        })
    }
}

impl Services for Memory {
    fn model(&self, source: &ModelSource) -> ModelState {
        let path = source.path.as_str();
        match path {
            "post.glb" | "assets/mannequin.glb" | "assets/galatea.glb" | "assets/bird.glb" => {
                ModelState::Ready(self.definition.clone())
            }
            "slow.glb" => ModelState::Pending,
            _ => ModelState::Failed(format!("{path}: there is no such file")),
        }
    }

    fn model_now(&self, source: &ModelSource) -> ModelState {
        match source.path.as_str() {
            "slow.glb" => ModelState::Ready(self.definition.clone()),
            _ => self.model(source),
        }
    }

    fn environment(&self, path: &str) -> Result<Arc<Environment>, String> {
        match path {
            "tests/sky.hdr" => Ok(Arc::new(Environment::from_fn(2, |d| d.abs()))),
            _ => Err(format!("{path}: there is no such file")),
        }
    }

    fn groom(&self, path: &str) -> Result<Arc<Groom>, String> {
        let known = path.strip_prefix("corpus/");
        let corpus = std::env::var_os("GALATEA_CORPUS").map(PathBuf::from);
        let (Some(file), Some(corpus)) = (known, corpus) else {
            return Err(format!("{path}: there is no such file"));
        };
        let bytes = std::fs::read(corpus.join(file)).map_err(|error| error.to_string())?;
        let groom = StrandFormat::TressFx.read(&bytes);
        Ok(Arc::new(groom.map_err(|error| error.to_string())?))
    }

    fn image(&self, path: &str) -> Result<Arc<Image>, String> {
        match path {
            "tests/logo.png" => Ok(Arc::new(Image {
                name: String::new(),
                width: 2,
                height: 1,
                rgba: vec![255; 8],
            })),
            _ => Err(format!("{path}: there is no such file")),
        }
    }

    fn saves(&self) -> Option<&dyn GameStore> {
        Some(&self.saves)
    }

    fn sound_names(&self) -> Vec<String> {
        ["step_stone_1", "step_stone_2", "step_grass", "land"]
            .map(String::from)
            .to_vec()
    }

    fn sound_seconds(&self, _: &str) -> Option<f64> {
        Some(0.5)
    }

    fn script(&self, path: &str) -> Result<String, String> {
        let scripts = self.scripts.lock().expect("no panic while held");
        scripts.get(path).cloned().ok_or_else(|| NO_FILE.into())
    }

    fn print(&self, line: &str) {
        self.printed
            .lock()
            .expect("no panic while held")
            .push(line.to_owned());
    }
}

/// A stage with a script on it.
pub struct Bench {
    pub memory: Arc<Memory>,
    pub host: Host,
    pub stage: Stage,
}

impl Bench {
    pub fn empty() -> Self {
        Self::with_options(HostOptions::default())
    }

    pub fn with_options(options: HostOptions) -> Self {
        Self::with_model(options, post())
    }

    /// Creates one with another model instead of the post.
    pub fn with_model(options: HostOptions, model: Model) -> Self {
        Self::with_definition(options, defined(model))
    }

    /// Creates one with a shared definition.
    pub fn with_definition(options: HostOptions, definition: Arc<Definition>) -> Self {
        galatea::install();
        let memory = Memory::new(definition);
        let host = Host::new(options, memory.clone()).expect("the VM is set up");
        Self {
            memory,
            host,
            stage: Stage::default(),
        }
    }

    /// Runs `main`, which must load.
    pub fn new(main: &str) -> Self {
        let mut bench = Self::empty();
        if let Err(error) = bench.load(main) {
            panic!("the script does not load: {error:?}");
        }
        bench
    }

    pub fn write(&self, path: &str, text: &str) {
        let mut scripts = self.memory.scripts.lock().expect("no panic while held");
        scripts.insert(path.into(), text.into());
    }

    pub fn load(&mut self, main: &str) -> Result<Vec<PathBuf>, LoadError> {
        self.write("scripts/main.lua", main);
        let source = ScriptSource::default();
        self.host
            .load(&mut self.stage, &source)
            .map(|loaded| loaded.scripts)
    }

    /// Loads a script, which must fail.
    pub fn fault(&mut self, main: &str) -> Fault {
        match self.load(main) {
            Err(LoadError::Fault { fault, .. }) => fault,
            other => panic!("expected a fault, got {other:?}"),
        }
    }

    pub fn run(&mut self, seconds: f64) {
        let n = (seconds / self.stage.clock.dt).round() as usize;
        for _ in 0..n {
            tick(&mut self.stage, &mut self.host);
        }
    }

    /// Runs ticks, which must not fail.
    pub fn ticks(&mut self, n: usize) {
        for _ in 0..n {
            tick(&mut self.stage, &mut self.host);
        }
        let faults = self.host.take_faults();
        assert!(faults.is_empty(), "{faults:?}");
    }

    /// Agents of all crowds.
    pub fn agents(&self) -> Vec<CrowdAgent> {
        let all = self.stage.agents.crowds.iter();
        all.flat_map(|(_, crowd)| crowd.agents.clone()).collect()
    }

    pub fn printed(&self) -> Vec<String> {
        std::mem::take(&mut *self.memory.printed.lock().expect("no panic while held"))
    }
}

/// First line of scripts with the [`post`].
pub const HERO: &str = "local hero = character 'post.glb'\n";

/// Output of a script in some seconds, after [`HERO`]. Errors fail the test.
pub fn printed_in_ticks(script: &str, seconds: f64, dt: f64) -> Vec<String> {
    let mut bench = Bench::empty();
    bench.stage.clock.dt = dt;
    if let Err(error) = bench.load(&format!("{HERO}{script}")) {
        panic!("the script does not load: {error:?}");
    }
    bench.run(seconds);
    let faults = bench.host.take_faults();
    assert!(faults.is_empty(), "{faults:?}");
    bench.printed()
}

/// [`printed_in_ticks`] at 60 Hz.
pub fn printed(script: &str, seconds: f64) -> Vec<String> {
    printed_in_ticks(script, seconds, 1.0 / 60.0)
}

/// Runs one Lua test, after [`HERO`].
pub fn lua_test(body: &str) -> Result<(), String> {
    let mut bench = Bench::empty();
    let text = format!("test('it', function(t)\n{HERO}{body}\nend)");
    bench.write("tests/it.lua", &text);
    let names = bench.host.load_tests(&mut bench.stage, "tests/it.lua");
    assert_eq!(names.expect("it loads").len(), 1);
    let result = bench.host.run_test(&mut bench.stage, 0, &mut ());
    result.map_err(|fault| fault.text)
}
