//! A tick allocates no memory once every buffer has its size. Tested with fifty characters with machines that blend,
//! change state, run inertial transitions, play actions and cross markers, with animated materials and attached labels,
//! and without the script's own work. People with faces, helper bones and idle motion, and lying characters allocate
//! nothing either, nor does the code around a falling ragdoll; the physics engine allocates for new contacts.

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use galatea::asset::Model;
use galatea::asset::gltf::load;
use galatea::asset::model::Factor;
use galatea::character::{Action, ActionOptions, Definition, Placement};
use galatea::machine::{
    BlendDef, Content, Fade, FromStates, LayerDef, MachineDef, MachineState, MotionDef, ParamDef,
    ParamValue, PointContent, PointDef, Predicate, SpaceDef, StateDef, StatesDef, SyncBy,
    TransitionDef, WhenDef, bind,
};
use galatea::physics::ragdoll::{BodyControl, Ragdoll, RagdollSettings};
use galatea::physics::{Owner, PhysicsMaterial, PhysicsWorld};
use galatea::stage::{
    Event, EventKind, Handle, Pinned, Script, Stage, StageUi, UiContent, UiItem, UiWorldPlacement,
    tick,
};
use glam::{Affine3A, Vec2, Vec3};

/// The character of the repository.
fn hero() -> Model {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/mannequin.glb")).unwrap()
}

/// The system allocator, counting the allocations of all threads.
struct Counting;

static COUNT: AtomicU64 = AtomicU64::new(0);

fn count() {
    COUNT.fetch_add(1, Ordering::Relaxed);
}

// SAFETY: every call is passed unchanged to the system allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller upholds the conditions of `GlobalAlloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller upholds the conditions of `GlobalAlloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller upholds the conditions of `GlobalAlloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const CHARACTERS: usize = 50;
/// Ten seconds in which every buffer reaches its size, and ten that are counted.
const WARM_UP: usize = 600;
const COUNTED: usize = 600;
/// Nothing changes for lying characters: two seconds suffice.
const RESTING: usize = 120;

fn state(name: &str, motion: MotionDef) -> StateDef {
    StateDef {
        name: name.into(),
        content: Content::Motion(motion),
        ..StateDef::default()
    }
}

fn way(from: &str, to: &str, when: &str, inertial: bool) -> TransitionDef {
    TransitionDef {
        from: FromStates::States(vec![from.into()]),
        to: to.into(),
        when: Some(WhenDef::Text(when.into())),
        fade: Fade {
            seconds: 0.2,
            inertial,
            ..Fade::default()
        },
        ..TransitionDef::default()
    }
}

/// Idle, and walking to running in sync; one transition is inertial.
fn machine() -> MachineDef {
    let point = |place: f32, clip: &str| PointDef {
        position: Some([place, 0.0]),
        content: PointContent::Clip(clip.into()),
        speed: 1.0,
    };
    let gait = BlendDef {
        space: SpaceDef::Line("speed".into()),
        points: vec![point(1.4, "walk"), point(4.2, "run")],
        sync: SyncBy::FootSteps,
        match_speed: true,
    };
    MachineDef {
        params: vec![ParamDef {
            name: "speed".into(),
            default: ParamValue::Number(0.0),
        }],
        layers: vec![LayerDef {
            name: "body".into(),
            states: StatesDef {
                states: vec![
                    state("idle", MotionDef::Clip("idle".into())),
                    state("gait", MotionDef::Blend(gait)),
                ],
                transitions: vec![
                    way("idle", "gait", "speed > 0.1", false),
                    way("gait", "idle", "speed <= 0.1", true),
                ],
            },
            ..LayerDef::default()
        }],
        ..MachineDef::default()
    }
}

/// Changes speeds now and then, and makes a character play a clip.
#[derive(Default)]
struct Busy {
    n: u64,
    markers: u64,
    changes: u64,
    ends: u64,
}

impl Script for Busy {
    fn update(&mut self, stage: &mut Stage, _: f64) {
        self.n += 1;
        let which = (self.n as usize * 7) % CHARACTERS;
        let id = stage.ids.new_id();
        if let Some((_, character)) = stage.characters.iter_mut().nth(which)
            && self.n.is_multiple_of(5)
            && character.playback.actions.is_empty()
        {
            let clip = 1 % character.definition.clips.len();
            let duration = character.definition.clips.duration(clip);
            let action = Action::new(id, clip, duration, ActionOptions::default());
            character.playback.actions.push(action);
        }
    }

    fn params(&mut self, character: Handle, values: &mut [f32]) {
        let own = self.n + character.to_u64() * 13;
        if own.is_multiple_of(40) {
            values[0] = ((own / 40) % 4) as f32 * 1.5;
        }
    }

    fn evaluate(&mut self, _: Handle, _: Predicate) -> bool {
        false
    }

    fn deliver(&mut self, _: &mut Stage, events: &[Event]) {
        for event in events {
            match event.kind {
                EventKind::Marker(_) => self.markers += 1,
                EventKind::Enter { .. } => self.changes += 1,
                EventKind::ActionEnd { .. } => self.ends += 1,
                _ => {}
            }
        }
    }
}

/// A caption-like label attached to a character's first bone, for a long time.
fn label(holder: Handle) -> StageUi {
    let item = UiItem {
        content: UiContent::Caption {
            speaker: "".into(),
            text: "name".into(),
        },
        offset: Vec2::ZERO,
        anchor: Vec2::ZERO,
        color: Vec3::ONE,
        opacity: 1.0,
        visible: true,
        z_index: 0,
        order: 0,
        world_position: Some(UiWorldPlacement::default()),
    };
    let pinned = Pinned {
        holder,
        bone: Some(0),
        offset: Vec3::Y,
    };
    let mut ui = StageUi::new(item, Some(pinned));
    ui.span = Some((0.0, 1e6));
    ui
}

/// Includes people who stand, and lying and falling characters. The count is that of the whole process, so no other test
/// may run at the same time.
#[test]
fn fifty_characters_with_machines_tick_without_allocating() {
    fifty_characters_with_machines();
    idle_people();
    downed_characters();
    ragdolls_that_fall();
}

fn fifty_characters_with_machines() {
    let definition = Arc::new(Definition::new(Arc::new(hero())));
    let machine = bind(&machine(), &definition.clips, &definition.markers).unwrap();
    let machine = Arc::new(machine);
    let mut stage = Stage::default();
    for _ in 0..CHARACTERS {
        let handle = stage.add_character(definition.clone(), "x", None, Placement::default());
        let state = MachineState::new(&machine);
        stage.characters.get_mut(handle).unwrap().playback.machine = Some((machine.clone(), state));
    }
    let model = definition.model.clone();
    for (_, character) in stage.characters.iter_mut() {
        let surface = &mut character.appearance.surface;
        surface.set(&model, 1, Factor::Roughness, 0, 0.25);
        surface.fade(&model, 2, (Factor::Tint, 0), 0.0, 600.0);
    }
    let handles: Vec<Handle> = stage.characters.iter().map(|(handle, _)| handle).collect();
    for holder in handles {
        stage.ui.insert(label(holder));
    }
    let mut script = Busy::default();
    // Inside of the pool, because handing work to it from outside sometimes allocates a block of its queue.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap();
    let allocated = pool.install(|| {
        (0..WARM_UP).for_each(|_| tick(&mut stage, &mut script));
        script = Busy {
            n: script.n,
            ..Busy::default()
        };
        // A thread may get work of a new size late. Only memory that is allocated in every round counts.
        let mut round = || {
            let before = COUNT.load(Ordering::Relaxed);
            (0..COUNTED).for_each(|_| tick(&mut stage, &mut script));
            COUNT.load(Ordering::Relaxed) - before
        };
        let mut least = round();
        for _ in 0..4 {
            least = least.min(if least > 0 { round() } else { 0 });
        }
        least
    });
    assert!(script.markers > 100 && script.changes > 100 && script.ends > 10);
    assert_eq!(allocated, 0, "allocations in {COUNTED} ticks");
}

/// People with the modifiers that scripts give them: face, helper bones, gaze, breathing.
fn idle_people() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/galatea.glb");
    let definition = Arc::new(Definition::new(Arc::new(load(&file).unwrap())));
    let mut stage = Stage::default();
    for i in 0..5 {
        let placement = Placement {
            position: Vec3::X * i as f32,
            ..Placement::default()
        };
        let handle = stage.add_character(definition.clone(), "x", None, placement);
        let id = stage.ids.new_id();
        let character = stage.characters.get_mut(handle).unwrap();
        character
            .modifiers
            .add_default_idle_motion(&definition, id, handle.to_u64());
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let allocated = pool.install(|| {
        (0..WARM_UP).for_each(|_| tick(&mut stage, &mut Still));
        let before = COUNT.load(Ordering::Relaxed);
        (0..COUNTED).for_each(|_| tick(&mut stage, &mut Still));
        COUNT.load(Ordering::Relaxed) - before
    });
    assert_eq!(allocated, 0, "allocations in {COUNTED} ticks of people");
}

/// Three characters that fell on each other and came to rest; none gets up.
fn downed_characters() {
    let definition = Arc::new(Definition::new(Arc::new(hero())));
    let mut stage = Stage::default();
    stage.floor.collision_height = Some(0.0);
    let handles: Vec<Handle> = (0..3)
        .map(|i| {
            let position = Vec3::new((i % 2) as f32 * 0.7, (i / 2) as f32 * 2.0, 0.0);
            let placement = Placement {
                position,
                yaw: i as f32 * 50.0,
                ..Placement::default()
            };
            stage.add_character(definition.clone(), "x", None, placement)
        })
        .collect();
    for handle in &handles {
        stage
            .characters
            .get_mut(*handle)
            .unwrap()
            .body
            .vitals
            .get_up_delay = None;
        stage.bodies().knock_down(*handle);
    }
    let rest = |stage: &Stage| {
        handles.iter().all(|handle| {
            let limbs = stage.characters.get(*handle).unwrap().body.limbs.as_ref();
            limbs.is_some_and(|limbs| limbs.ragdoll.asleep && limbs.settle_reported)
        })
    };
    let mut n = 0;
    while !rest(&stage) && n < 20 * WARM_UP {
        tick(&mut stage, &mut Still);
        n += 1;
    }
    assert!(rest(&stage), "they come to rest");
    // The first job of a second worker allocates, whenever it comes.
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let allocated = pool.install(|| {
        (0..10).for_each(|_| tick(&mut stage, &mut Still));
        let before = COUNT.load(Ordering::Relaxed);
        (0..RESTING).for_each(|_| tick(&mut stage, &mut Still));
        COUNT.load(Ordering::Relaxed) - before
    });
    assert!(rest(&stage));
    assert_eq!(allocated, 0, "allocations in {RESTING} ticks of rest");
}

/// Six falling ragdolls, some with motors; only the code outside of the engine's own step counts.
fn ragdolls_that_fall() {
    let definition = Definition::new(Arc::new(hero()));
    let skeleton = &definition.model.skeleton;
    let bones: Vec<Affine3A> = (0..skeleton.len() as u16)
        .map(|bone| definition.rest_matrix(bone))
        .collect();
    let locals: Vec<_> = skeleton.rest().collect();
    let mut world = PhysicsWorld::new();
    world.set_gravity(Vec3::NEG_Y * 9.81);
    let surface = PhysicsMaterial::new("stone", 0.7, 0.0);
    world.set_floor(Some((0.0, &surface)));
    let mut ragdolls: Vec<(Ragdoll, Affine3A)> = (0..6)
        .map(|i| {
            let settings = RagdollSettings::default();
            let mut ragdoll = Ragdoll::new(definition.ragdoll().clone(), settings);
            let power = i as f32 * 0.05;
            ragdoll.set_all(if i < 4 {
                BodyControl::Limp
            } else {
                BodyControl::Powered(power)
            });
            let place = Vec3::new((i % 3) as f32 * 0.8, 0.5 + (i / 3) as f32 * 2.0, 0.0);
            (ragdoll, Affine3A::from_translation(place))
        })
        .collect();
    let (mut pose, mut matrices) = (locals.clone(), bones.clone());
    let mut touches = Vec::new();
    let mut allocated = 0;
    for n in 0..150 {
        let before = COUNT.load(Ordering::Relaxed);
        for (i, (ragdoll, place)) in ragdolls.iter_mut().enumerate() {
            ragdoll.aim(*place, &bones, 1.0);
            ragdoll.before_step(&mut world, Owner(i as u64), &surface, 1.0 / 60.0);
        }
        let own = COUNT.load(Ordering::Relaxed) - before;
        world.step(1.0 / 60.0, &mut touches);
        touches.clear();
        let before = COUNT.load(Ordering::Relaxed);
        for (ragdoll, place) in &mut ragdolls {
            ragdoll.after_step(&mut world);
            pose.copy_from_slice(&locals);
            matrices.copy_from_slice(&bones);
            ragdoll.pose(*place, skeleton, &mut pose, &mut matrices);
        }
        let own = own + COUNT.load(Ordering::Relaxed) - before;
        // The first ticks add them to the world.
        allocated += if n < 60 { 0 } else { own };
    }
    let fastest = ragdolls.iter().map(|(ragdoll, _)| ragdoll.fastest());
    assert!(fastest.fold(0.0, f32::max) > 0.1, "they move to the end");
    assert_eq!(allocated, 0, "allocations outside of the engine's step");
}

/// A script that does nothing.
struct Still;

impl Script for Still {
    fn update(&mut self, _: &mut Stage, _: f64) {}

    fn params(&mut self, _: Handle, _: &mut [f32]) {}

    fn evaluate(&mut self, _: Handle, _: Predicate) -> bool {
        false
    }

    fn deliver(&mut self, _: &mut Stage, _: &[Event]) {}
}
