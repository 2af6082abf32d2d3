//! One tick of the simulation. [`simulate`] shows all steps in order.

use std::sync::Arc;

use super::marker_events::{advance_actions, locate_events};
use super::script::Script;
use super::steps::{
    advance_machines, advance_surfaces, begin, deliver_events, evaluate_poses, follow_camera,
    move_after_poses, place_in_world, turn_on_the_spot,
};
use super::talk::TalkContext;
use super::{
    Arena, Stage, attachments, conversation, crowd_stats, crowds, emitters, flocks, hits, knocks,
    limbs, modifier_stacks, nav_meshes, prop_bodies, scent_fields, speech, sticking, time_bases,
    ui,
};
use galatea_character::{Character, Pass, TimeBase};

/// Advances the stage by one tick of unscaled time. At normal speed one tick is simulated in it, in slow motion sometimes
/// none.
pub fn tick(stage: &mut Stage, script: &mut dyn Script) {
    puffin::profile_scope!("tick");
    // Changes of keys during a pause are not for the tick after it.
    let forgets = stage.time_control.is_stopped();
    let n = stage.time_control.begin_tick();
    let has_unscaled = time_bases::assign(&mut stage.characters, &stage.effects);
    for i in 0..n {
        simulate(stage, script, i + 1 == n);
    }
    if has_unscaled {
        time_bases::advance_unscaled(stage, script);
    }
    if n == 0 {
        ui::follow(&mut stage.ui, &stage.characters);
        if stage.base_of_camera_target() == TimeBase::Stage && !stage.camera_has_eyes() {
            follow_camera(stage);
        }
    }
    stage.input.begin_unscaled();
    script.update_unscaled(stage, stage.clock.dt);
    stage.input.end_tick(forgets);
    stage.time_control.n_ticks += 1;
}

/// Simulates one tick. Cameras that are not the eyes of a character move only in the last one of a tick of unscaled time
/// (`is_last`). This is the order of a frame:
fn simulate(stage: &mut Stage, script: &mut dyn Script, is_last: bool) {
    let (clock, dt) = (stage.clock, stage.clock.dt);
    let base = TimeBase::Stage;
    begin(&mut stage.characters, base);
    stage.lighting.begin();
    nav_meshes::advance(
        &mut stage.agents.nav_meshes,
        &stage.characters,
        &stage.physics,
        &stage.floor,
    );
    ui::begin(&mut stage.ui, base, clock.time());
    script.update(stage, dt);
    advance_machines(stage, base, script);
    turn_on_the_spot(&mut stage.characters, &mut stage.ids, base, dt);
    advance_actions(&mut stage.characters, base, clock, &mut stage.events);
    advance_talk(stage);
    advance_surfaces(&mut stage.characters, base, dt);
    hits::advance(&mut stage.bodies());
    limbs::remember(&mut stage.characters);
    crowds::advance(
        &mut stage.agents,
        &mut stage.characters,
        &mut stage.ids,
        &stage.camera,
        &stage.speech.lines,
        clock,
    );
    evaluate_poses(&mut stage.characters, base, dt, true);
    let before_bodies = (Pass::BeforeBodies, base);
    modifier_stacks::apply(stage, Some(&mut *script), before_bodies, dt);
    prop_bodies::step(
        &mut stage.characters,
        &mut stage.physics,
        &mut stage.effects.fabrics,
        &stage.floor,
        clock,
        &mut stage.events,
    );
    knocks::hit_by_objects(stage, script);
    place_in_world(&mut stage.characters, base);
    modifier_stacks::apply(stage, Some(&mut *script), (Pass::Last, base), dt);
    attachments::place_attachments(&mut stage.characters);
    move_after_poses(stage, base, dt);
    attachments::update_attached_velocities(&mut stage.characters, dt as f32);
    sticking::stick(stage, script);
    let Stage {
        characters,
        physics,
        floor,
        agents,
        effects,
        lighting,
        camera,
        ui,
        events,
        scratch,
        ..
    } = &mut *stage;
    lighting.follow(characters);
    emitters::advance(effects, characters, physics, clock);
    crowds::observe(agents, characters, physics, clock);
    scent_fields::advance(&mut agents.scent_fields, &agents.crowds, clock);
    crowd_stats::advance(&mut agents.crowd_stats, &agents.crowds, clock);
    flocks::advance(&mut agents.flocks, physics, camera, clock);
    ui::follow(ui, characters);
    update_metrics(characters, dt);
    locate_events(events, characters, floor, &mut scratch.order);
    let moves_camera = is_last || stage.camera_has_eyes();
    if moves_camera && stage.base_of_camera_target() == base {
        follow_camera(stage);
    }
    deliver_events(stage, script);
    forget_frames(&stage.characters, clock.n_ticks);
    stage.input.end_simulated();
    stage.clock.n_ticks += 1;
}

/// Advances conversations and spoken lines.
fn advance_talk(stage: &mut Stage) {
    puffin::profile_scope!("speech");
    let clock = stage.clock;
    let mut talk = TalkContext {
        clock,
        ids: &mut stage.ids,
        rng: &mut stage.rng,
        characters: &mut stage.characters,
        speech: &mut stage.speech,
        events: &mut stage.events,
    };
    conversation::advance(&mut stage.conversations, &mut talk);
    speech::advance(&mut talk, &mut stage.audio, &mut stage.ui);
}

/// Memory limit for the decoded clip frames of one model, bytes.
const FRAME_BUDGET: usize = 16 << 20;

/// Every 64 ticks, drops the decoded frames of clips that no longer play.
fn forget_frames(characters: &Arena<Character>, tick: u64) {
    const EVERY: u64 = 64;
    if !tick.is_multiple_of(EVERY) {
        return;
    }
    let mut last = None;
    for (_, character) in characters.iter() {
        let definition = Arc::as_ptr(&character.definition);
        if last.replace(definition) != Some(definition) {
            let clips = &character.definition.clips;
            clips.keep_frames_within(FRAME_BUDGET, tick);
        }
    }
}

fn update_metrics(characters: &mut Arena<Character>, dt: f64) {
    puffin::profile_scope!("metrics");
    for (_, character) in characters.iter_mut() {
        character.update_metrics(dt);
    }
}
