//! Smart objects: objects that describe how they are used. A near agent may be attracted by one. It waits in the
//! object's queue, takes a slot, acts the object's clips there, and continues as before.

use std::collections::VecDeque;

use glam::{Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::behaviour::{CrowdEvent, CrowdEventKind, CrowdEventSink, EventSubject, USE_EVENT};
use super::clip_sequence::{AgentPlayback, ClipSequence};
use super::crowd_agent::{CrowdAgent, turn};
use super::using::{UsePhase, Using};
use super::{Agents, Arena, Handle, Identity, Ids, StageCrowd};
use crate::reload::{HandleMap, Reload};

/// Maximum number of smart objects on a stage.
pub const MAX_OBJECTS: usize = 2000;
/// Maximum number of slots of a smart object.
pub const MAX_SLOTS: usize = 64;
/// Maximum length of a queue.
const MAX_WAITING: usize = 200;
/// Interval at which objects attract agents, ticks.
const LOOKS: u64 = 6;
/// Distance from a slot or a queue position at which an agent is there, metres; larger if its path ends before it.
const NEAR: f32 = 0.4;
const ENDS_BEFORE: f32 = 1.6;
/// Duration of the move from there onto the slot, seconds.
const SETTLES: f32 = 0.5;
/// Distance by which a queue position must move before the agent follows, metres.
const MOVES: f32 = 0.05;

/// Position at which an object is used.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slot {
    /// Position in the object's space: x to its left, z ahead, metres.
    pub position: Vec3,
    /// Heading relative to the object's, radians about +Y.
    pub yaw: f32,
}

/// A limb and the point that it reaches for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SlotIkTarget {
    /// Humanoid name of the limb's end bone.
    pub limb: String,
    /// Position in the slot's space: x to its left, z ahead, metres.
    pub position: Vec3,
    /// Closing of the hand, 0..=1; true if the palm moves to the point.
    pub grip: Option<(f32, bool)>,
    /// The body helps if the arm is too short.
    pub full_body: bool,
}

/// A smart object; see the module.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SmartObject {
    /// Identity over hot reloads.
    pub identity: Identity,
    /// World position.
    pub position: Vec3,
    /// Heading, radians about +Y from +Z.
    pub yaw: f32,
    /// Radius within which it attracts agents, metres.
    pub attract_radius: f32,
    /// Probability per second that it attracts an agent within the radius, 0..=1.
    pub attract_chance: f32,
    /// Positions at which it is used.
    pub slots: Vec<Slot>,
    /// Names of the clips that agents act there: intro, main clips, outro.
    pub clips: [Vec<String>; 3],
    /// Points that promoted agents reach for there.
    pub ik_targets: Vec<SlotIkTarget>,
    /// The use ends with the main clip.
    pub once: bool,
    /// Duration of a use, drawn from this range, seconds; without one, a script ends the use.
    pub duration: Option<[f32; 2]>,
    /// First position of its queue in its space, and the distance between two positions, metres.
    pub queue: Option<(Slot, f32)>,
    /// Speed by which it pushes agents away at its centre, m/s; falls to 0 at `reach`. A negative value attracts.
    pub push_speed: f32,
    /// Range of `force`, metres.
    pub push_radius: f32,
    /// Reports the beginning and the end of a use to the script.
    pub reports: [bool; 2],
    /// Interval at which a use is reported to the script, seconds.
    pub update_interval: Option<f32>,
    users: Vec<Option<(Handle, u32)>>,
    waiting: VecDeque<(Handle, u32)>,
}

impl SmartObject {
    /// An object without slots that attracts no agents; `yaw` in radians.
    pub fn new(at: Vec3, yaw: f32) -> Self {
        Self {
            identity: Identity::default(),
            position: at,
            yaw,
            attract_radius: 4.0,
            attract_chance: 0.0,
            slots: Vec::new(),
            clips: Default::default(),
            ik_targets: Vec::new(),
            once: false,
            duration: None,
            queue: None,
            push_speed: 0.0,
            push_radius: 2.0,
            reports: [false; 2],
            update_interval: None,
            users: Vec::new(),
            waiting: VecDeque::new(),
        }
    }
}

impl SmartObject {
    /// World position and heading of a slot.
    fn world(&self, slot: &Slot) -> (Vec3, f32) {
        let turned = Quat::from_rotation_y(self.yaw) * slot.position;
        (self.position + turned, self.yaw + slot.yaw)
    }

    /// World position of a point in a slot's space.
    pub(super) fn in_slot(&self, slot: u16, at: Vec3) -> Option<Vec3> {
        let (from, yaw) = self.world(self.slots.get(usize::from(slot))?);
        Some(from + Quat::from_rotation_y(yaw) * at)
    }

    /// World position of the queue position `number`.
    fn queue_position(&self, number: usize) -> Option<Vec3> {
        let (first, gap) = self.queue.as_ref()?;
        let (at, yaw) = self.world(first);
        // Agents face the start of the queue, which extends backwards from there.
        let back = Quat::from_rotation_y(yaw) * Vec3::NEG_Z;
        Some(at + back * (*gap * number as f32))
    }

    /// Frees the slot or the queue position of an agent.
    pub(super) fn forget(&mut self, agent: (Handle, u32)) {
        for user in &mut self.users {
            *user = user.filter(|user| *user != agent);
        }
        self.waiting.retain(|user| *user != agent);
    }

    /// Number of agents that use it or walk to a slot, and number of agents in its queue.
    pub fn n_users(&self) -> (usize, usize) {
        (self.users.iter().flatten().count(), self.waiting.len())
    }

    /// All agents with a slot, then all agents in the queue.
    pub fn users(&self) -> impl Iterator<Item = (Handle, u32)> + '_ {
        self.users.iter().flatten().chain(&self.waiting).copied()
    }

    fn has_room(&self) -> bool {
        let is_free = self.users.iter().any(Option::is_none) && self.waiting.is_empty();
        is_free || self.queue.is_some() && self.waiting.len() < MAX_WAITING
    }

    /// Change of an agent's preferred velocity at a position, m/s; largest at the centre.
    fn push(&self, at: Vec2) -> Vec2 {
        let away = at - Vec2::new(self.position.x, self.position.z);
        let share = 1.0 - away.length() / self.push_radius.max(1e-3);
        away.normalize_or_zero() * (self.push_speed * share.max(0.0))
    }
}

impl StageCrowd {
    /// Adds an agent to the object's queue. Returns false if the object has no room.
    fn take(&mut self, own: Handle, i: usize, object: (Handle, &mut SmartObject)) -> bool {
        let (handle, object) = object;
        let person = &mut self.agents[i];
        if !object.has_room() || person.behaviour.used_object.is_some() {
            return false;
        }
        object.waiting.push_back((own, i as u32));
        person.behaviour.used_object = Some(Using {
            object: handle,
            phase: UsePhase::Wait,
            left: f32::INFINITY,
            t: 0.0,
            from: (person.position(), person.heading),
            goal: person.goal,
            goal_height: person.goal_height,
            passes: person.passes,
            spot: person.agent.at,
            sent: None,
        });
        // The agent stops its act and walks to the object; `Using` keeps its goal for later.
        person.behaviour.stationary = false;
        person.play(None);
        person.send(None);
        true
    }

    fn clips_of_object(&mut self, object: &SmartObject) -> ClipSequence {
        let mut numbers = |names: &[String]| -> Vec<u16> {
            let known = names.iter().filter_map(|name| {
                let number = self.clip_number(name);
                if number.is_none() {
                    self.lack(name);
                }
                number
            });
            known.collect()
        };
        let [intro, clips, outro] = [0, 1, 2].map(|k| numbers(&object.clips[k]));
        ClipSequence {
            intro: intro.first().copied(),
            clips,
            outro: outro.first().copied(),
            once: object.once,
        }
    }
}

/// Attracts near agents, assigns free slots to waiting agents, and sends all users to their positions.
pub(super) fn assign_users(
    objects: &mut Arena<SmartObject>,
    crowds: &mut Arena<StageCrowd>,
    tick: u64,
    dt: f32,
    told: &mut Vec<CrowdEvent>,
) {
    for (handle, object) in objects.iter_mut() {
        free_unused_slots(handle, object, crowds);
        if tick.is_multiple_of(LOOKS) && object.attract_chance > 0.0 {
            draw((handle, object), crowds, LOOKS as f32 * dt);
        }
        while let Some(slot) = object.users.iter().position(Option::is_none)
            && let Some((crowd, i)) = object.waiting.pop_front()
        {
            let crowd = crowds.get_mut(crowd).zip(Some(crowd));
            if let Some((found, crowd)) = crowd {
                object.users[slot] = Some((crowd, i));
                let person = &mut found.agents[i as usize];
                set_phase(person, UsePhase::Approach(slot as u16));
            }
        }
        for (number, (crowd, i)) in (0..).zip(&object.waiting) {
            let place = object.queue_position(number);
            let crowd = crowds.get_mut(*crowd);
            if let (Some(crowd), Some(place)) = (crowd, place) {
                wait_at(&mut crowd.agents[*i as usize], place, object.position);
            }
        }
    }
    for (own, crowd) in crowds.iter_mut() {
        let mut teller = CrowdEventSink {
            crowd: own,
            events: told,
        };
        for i in 0..crowd.agents.len() {
            if crowd.agents[i].behaviour.used_object.is_some() {
                crowd.go_and_use(i, objects, dt, &mut teller);
            }
        }
    }
}

fn set_phase(person: &mut CrowdAgent, phase: UsePhase) {
    if let Some(using) = &mut person.behaviour.used_object {
        (using.phase, using.sent) = (phase, None);
    }
    person.behaviour.faces = None;
}

/// Sends an agent to a position at its object; sends it again only if the position moved by `margin` metres or more.
fn send_to(person: &mut CrowdAgent, to: Vec2, margin: f32) {
    let Some(using) = &mut person.behaviour.used_object else {
        return;
    };
    if using.sent.is_none_or(|sent| sent.distance(to) >= margin) {
        using.sent = Some(to);
        person.send(Some(to));
    }
}

/// Sends an agent to a queue position, where it looks ahead.
fn wait_at(person: &mut CrowdAgent, place: Vec3, ahead: Vec3) {
    let to = Vec2::new(place.x, place.z);
    person.behaviour.faces = Some(Vec2::new(ahead.x, ahead.z));
    // The agent arrived at the point of the mesh nearest to `place`; others may have pushed it away since.
    let came = person.reached_goal.unwrap_or(to);
    let is_off = person.goal.is_none() && came.distance(person.agent.at) > NEAR;
    send_to(person, to, if is_off { 0.0 } else { MOVES });
}

/// Frees slots and positions in queues of agents that left.
pub(super) fn free(objects: &mut Arena<SmartObject>, crowds: &Arena<StageCrowd>) {
    for (handle, object) in objects.iter_mut() {
        free_unused_slots(handle, object, crowds);
    }
}

/// Frees the slots and queue positions of agents that were removed or no longer use the object.
fn free_unused_slots(handle: Handle, object: &mut SmartObject, crowds: &Arena<StageCrowd>) {
    let using = |(crowd, i): (Handle, u32)| {
        let person = crowds.get(crowd)?.agents.get(i as usize)?;
        person
            .behaviour
            .used_object
            .filter(|using| using.object == handle)
    };
    for (slot, user) in (0..).zip(&mut object.users) {
        *user = user.filter(|user| using(*user).and_then(Using::slot) == Some(slot));
    }
    let waits = |user: &(Handle, u32)| using(*user).is_some_and(|u| u.phase == UsePhase::Wait);
    object.waiting.retain(waits);
}

/// Attracts near agents at random.
fn draw(
    (handle, object): (Handle, &mut SmartObject),
    crowds: &mut Arena<StageCrowd>,
    seconds: f32,
) {
    let at = Vec2::new(object.position.x, object.position.z);
    for (own, crowd) in crowds.iter_mut() {
        if crowd.uses_push {
            continue;
        }
        for i in 0..crowd.agents.len() {
            if !object.has_room() {
                return;
            }
            let person = &crowd.agents[i];
            let mind = &person.behaviour;
            let is_near = person.agent.at.distance_squared(at)
                < object.attract_radius * object.attract_radius
                && (person.height - object.position.y).abs() < 2.0;
            if !is_near || mind.used_object.is_some() || mind.leader.is_some() || mind.alone > 0.0 {
                continue;
            }
            let uses = crowd.state_of(i).is_none_or(|state| state.use_objects);
            if uses && crowd.random.is((object.attract_chance * seconds).min(1.0)) {
                crowd.take(own, i, (handle, object));
            }
        }
    }
}

impl StageCrowd {
    /// Advances an agent that walks to a slot or uses it.
    fn go_and_use(
        &mut self,
        i: usize,
        objects: &Arena<SmartObject>,
        dt: f32,
        teller: &mut CrowdEventSink<'_>,
    ) {
        let Some(mut using) = self.agents[i].behaviour.used_object else {
            return;
        };
        let object = objects.get(using.object);
        let Some(object) = object.filter(|_| !self.agents[i].leads_agent()) else {
            self.end_use_now(i, teller);
            return;
        };
        let slot = using.slot();
        let slot = slot.and_then(|slot| object.slots.get(usize::from(slot)));
        let place = slot.map(|slot| object.world(slot));
        match (using.phase, place) {
            (UsePhase::Wait, _) => {}
            (_, None) => self.end_use_now(i, teller),
            (UsePhase::Approach(slot), Some((at, _))) => {
                let person = &mut self.agents[i];
                let to = Vec2::new(at.x, at.z);
                let off = to.distance(person.agent.at);
                let has_come = person.reached_goal.is_some() && using.sent.is_some();
                let reached = off < NEAR || has_come && off < ENDS_BEFORE;
                if reached {
                    using.phase = UsePhase::Use(slot);
                    using.from = (person.position(), person.heading);
                    using.left = object
                        .duration
                        .map_or(f32::INFINITY, |[low, high]| self.random.between(low, high));
                    let acting = self.clips_of_object(object);
                    let act = acting.begin(&mut self.random);
                    let person = &mut self.agents[i];
                    person.send(None);
                    person.behaviour.used_object = Some(using);
                    person.play(act);
                    person.agent.yields = 0.0;
                    if object.reports[0] {
                        teller.report(i, CrowdEventKind::Use(using.object));
                    }
                    self.receive(i, USE_EVENT, EventSubject::Object(using.object), teller);
                } else if has_come && using.sent == Some(to) {
                    // No path leads nearer to the slot.
                    self.end_use_now(i, teller);
                } else {
                    let is_on_its_way = person.goal.is_some() || has_come;
                    send_to(person, to, if is_on_its_way { NEAR } else { 0.0 });
                }
            }
            (UsePhase::Use(slot), Some(_)) => {
                using.t += dt;
                using.left -= dt;
                self.agents[i].behaviour.used_object = Some(using);
                let is_over = self.advance_use_clip(i, object, dt) || using.left <= 0.0;
                let before = using.t - dt;
                if let Some(every) = object.update_interval
                    && (using.t / every).floor() > (before / every).floor()
                {
                    teller.report(i, CrowdEventKind::UpdateUse(using.object, every));
                }
                if is_over {
                    self.end_use(i, object, slot, teller);
                }
            }
            (UsePhase::Exit(_), Some(_)) => {
                using.t += dt;
                self.agents[i].behaviour.used_object = Some(using);
                // A script or a hot reload may have replaced the outro.
                let is_acted = self.agents[i]
                    .playback()
                    .is_some_and(AgentPlayback::is_outro);
                if !is_acted || self.advance_use_clip(i, object, dt) {
                    self.end_use_now(i, teller);
                }
            }
        }
    }

    /// Advances the clips that an agent acts there. Returns true when all are over.
    fn advance_use_clip(&mut self, i: usize, object: &SmartObject, dt: f32) -> bool {
        let person = &mut self.agents[i];
        let Some(gaits) = self.bodies.get(usize::from(person.body)) else {
            return true;
        };
        if person.playback().is_none() && !object.clips[1].is_empty() {
            // A hot reload has removed the act.
            let mut acting = self.clips_of_object(object);
            acting.intro = None;
            let act = acting.begin(&mut self.random);
            self.agents[i].play(act);
            return act.is_none() && object.once;
        }
        if !person.advance_clip(gaits, dt) {
            return false;
        }
        let Some(act) = person.playback() else {
            return false;
        };
        let acting = self.clips_of_object(object);
        let next = acting.next(act, &mut self.random);
        let Some(next) = next else {
            return true;
        };
        self.agents[i].play(Some(next));
        false
    }

    pub(super) fn end_use(
        &mut self,
        i: usize,
        object: &SmartObject,
        slot: u16,
        teller: &mut CrowdEventSink<'_>,
    ) {
        match self.clips_of_object(object).end() {
            Some(act) => {
                set_phase(&mut self.agents[i], UsePhase::Exit(slot));
                self.agents[i].play(Some(act));
            }
            None => self.end_use_now(i, teller),
        }
    }
}

/// Adds the forces of objects to the preferred velocities of agents that use none.
pub(super) fn push(objects: &Arena<SmartObject>, crowds: &mut Arena<StageCrowd>) {
    for (_, object) in objects
        .iter()
        .filter(|(_, object)| object.push_speed != 0.0)
    {
        for (_, crowd) in crowds.iter_mut() {
            for person in &mut crowd.agents {
                if person.behaviour.used_object.is_none() {
                    person.agent.desired_velocity += object.push(person.agent.at);
                }
            }
        }
    }
}

/// Moves agents with their slots.
pub(super) fn hold(objects: &Arena<SmartObject>, crowd: &mut StageCrowd) {
    for person in &mut crowd.agents {
        let Some(using) = person
            .behaviour
            .used_object
            .filter(|using| using.is_on_slot())
        else {
            continue;
        };
        let place = objects.get(using.object).and_then(|object| {
            let slot = object.slots.get(usize::from(using.slot()?))?;
            Some(object.world(slot))
        });
        let Some((at, yaw)) = place else {
            continue;
        };
        let share = (using.t / SETTLES).min(1.0);
        let share = share * share * (3.0 - 2.0 * share);
        let (from, facing) = using.from;
        let now = from.lerp(at, share);
        person.agent.at = Vec2::new(now.x, now.z);
        // Also needed after the agent was a character for a while.
        (person.agent.velocity, person.agent.yields) = (Vec2::ZERO, 0.0);
        (person.height, person.ground) = (now.y, now.y);
        person.heading = facing + turn(facing, yaw) * share;
    }
}

impl Agents {
    /// Adds a smart object to the stage. `name` identifies it over reloads; without one, the order of creation in the
    /// script does. Returns `None` if there are too many.
    pub fn add_object(
        &mut self,
        ids: &mut Ids,
        name: Option<&str>,
        object: SmartObject,
    ) -> Option<Handle> {
        if self.objects.len() >= MAX_OBJECTS {
            return None;
        }
        let identity = ids.identify(name, "object");
        let users = vec![None; object.slots.len()];
        let object = SmartObject {
            identity,
            users,
            ..object
        };
        Some(self.objects.insert(object))
    }

    /// Makes an agent use an object. Returns false if the object has no room or the agent uses another one.
    pub fn use_object(&mut self, crowd: Handle, i: usize, object: Handle) -> bool {
        let found = self.crowds.get_mut(crowd).zip(self.objects.get_mut(object));
        found.is_some_and(|(own, used)| {
            i < own.agents.len() && !own.uses_push && own.take(crowd, i, (object, used))
        })
    }
}

/// Smart objects keep their users.
pub(crate) fn migrate(reload: &mut Reload<'_>) {
    let (old, new) = (&reload.old.agents.objects, &mut reload.new.agents);
    let crowds = &reload.crowds;
    new.objects.free_old();
    let mut known = HandleMap::default();
    for (handle, object) in new.objects.iter_mut() {
        let mut found = old.iter();
        let Some((before, was)) = found.find(|(_, was)| was.identity == object.identity) else {
            continue;
        };
        known.insert(before, handle);
        let now = |(crowd, i): (Handle, u32)| Some((crowds.new_of(crowd)?, i));
        object.users = was.users.iter().map(|user| user.and_then(now)).collect();
        object.users.resize(object.slots.len(), None);
        object.waiting = was.waiting.iter().copied().filter_map(now).collect();
    }
    for (own, crowd) in new.crowds.iter_mut() {
        if !crowds.has_new(own) {
            continue;
        }
        let mut lost = Vec::new();
        for (i, person) in crowd.agents.iter_mut().enumerate() {
            let Some(using) = &mut person.behaviour.used_object else {
                continue;
            };
            match known.new_of(using.object) {
                Some(now) => using.object = now,
                None => lost.push(i),
            }
        }
        for i in lost {
            crowd.drop_object(i);
            crowd.resume(i);
        }
    }
}
