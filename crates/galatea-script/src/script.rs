//! Calls from the stage into scripts, once per tick.

use mlua::Value;

use super::api::hit::{answer, projectile_hit_table};
use super::api::pose_handle::PoseRef;
use super::delivery;
use super::host::Host;
use super::sounds::end_over;
use galatea_character::HitReaction;
use galatea_machine::Predicate;
use galatea_stage::{Event, Handle, Hit, Script, Stage};

impl Script for Host {
    fn update(&mut self, stage: &mut Stage, dt: f64) {
        puffin::profile_scope!("scripts");
        let now = stage.time();
        self.begin_tick();
        self.has_begun_tick = true;
        self.with_world(|world| {
            if let Some(report) = world.print_limit.begin_tick() {
                world.services.print(&report);
            }
        });
        self.with_program(|program| end_over(&mut program.sounds, now, false));
        self.go_on_with_conversations(stage);
        self.begin_tasks(stage, false);
        let update = self.with_program(|program| program.sources.global_function("update"));
        if let Some(update) = update {
            self.call_guarded::<()>(stage, &update, dt);
        }
        self.run_tasks(stage);
        self.update_states(stage, dt);
        self.run_tasks(stage);
        self.force_flocks(stage);
    }

    fn update_unscaled(&mut self, stage: &mut Stage, dt: f64) {
        // Without a simulated tick, this part has the budget of a tick for itself.
        let has_begun_tick = std::mem::take(&mut self.has_begun_tick);
        let now = stage.unscaled_time();
        let (update, has_tasks) = self.with_program(|program| {
            end_over(&mut program.sounds, now, true);
            let update = program.sources.global_function("update_unscaled");
            (update, program.tasks.has_unscaled())
        });
        if update.is_none() && !has_tasks {
            return;
        }
        if !has_begun_tick {
            self.begin_tick();
        }
        self.begin_tasks(stage, true);
        if let Some(update) = update {
            self.call_guarded::<()>(stage, &update, dt);
        }
        self.run_tasks(stage);
    }

    fn params(&mut self, character: Handle, values: &mut [f32]) {
        self.read_params(character, values);
    }

    fn react_to_hit(
        &mut self,
        stage: &mut Stage,
        character: Handle,
        hit: &Hit,
        reaction: HitReaction,
    ) -> Option<HitReaction> {
        let asks =
            self.with_program(|program| program.hit_callbacks.functions.get(&character).cloned());
        let Some(function) = asks else {
            return Some(reaction);
        };
        let table = projectile_hit_table(self.lua(), stage, character, hit, reaction).ok()?;
        self.with_program(|program| program.hit_callbacks.running.push(character));
        let given = self.call_guarded::<Value>(stage, &function, table);
        self.with_program(|program| program.hit_callbacks.running.pop());
        match answer(&given.unwrap_or(Value::Nil), reaction) {
            Ok(answer) => answer,
            Err(error) => {
                self.note(&error, &function, None);
                Some(reaction)
            }
        }
    }

    fn modify(&mut self, stage: &mut Stage, character: Handle, function: u64, dt: f64) {
        let known =
            self.with_program(|program| program.modifiers.functions.get(&function).cloned());
        let Some(function) = known else { return };
        let Ok(pose) = self.lua().create_userdata(PoseRef(character)) else {
            return;
        };
        self.with_program(|program| program.modifiers.modifying = Some(character));
        self.call_guarded::<()>(stage, &function, (pose, dt));
        self.with_program(|program| program.modifiers.modifying = None);
    }

    fn evaluate(&mut self, character: Handle, predicate: Predicate) -> bool {
        let (function, params) = self.with_program(|program| {
            let machines = &program.machines;
            let is_gone = machines.without_functions.contains(&character);
            let function = machines.predicates.get(predicate.0 as usize);
            let function = function.filter(|_| !is_gone).cloned();
            let params = machines.params.get(&character);
            (function, params.map(|params| params.table.clone()))
        });
        let (Some((function, at)), Some(params)) = (function, params) else {
            return false;
        };
        if self.is_suspended(&function) || self.budget.is_tick_over() {
            return false;
        }
        self.with_world(|world| world.begin_condition(&params));
        self.budget.begin(self.options.call_budget);
        let result = function.call::<Value>(&params);
        self.budget.end();
        self.with_world(|world| world.end_condition(&params));
        match result {
            Ok(value) => !matches!(value, Value::Nil | Value::Boolean(false)),
            Err(error) => {
                self.note(&error, &function, Some(&at));
                false
            }
        }
    }

    fn deliver(&mut self, stage: &mut Stage, events: &[Event]) {
        if let Some(ring) = &mut self.recent_events {
            ring.record(stage, events);
        }
        delivery::deliver(self, stage, events);
        self.deliver_crowd_events(stage);
    }
}
