//! The end of a use of a smart object: after the outro, at once when the state of the agent changes, or when a script sends
//! the agent elsewhere.

use std::collections::VecDeque;

use glam::{Vec2, Vec3};

use super::behaviour::{CrowdEventKind, CrowdEventSink, EventSubject, Leader};
use super::using::{UsePhase, Using};
use super::{Agents, Handle, StageCrowd};
use galatea_math::lines::flat;

/// Time after a use in which no smart object attracts the agent, seconds.
const ALONE: f32 = 15.0;

impl StageCrowd {
    /// Takes an agent away from its smart object and sends it on to its goal. Its state stays the same, and no event is
    /// sent.
    pub(super) fn drop_object(&mut self, i: usize) -> Option<Using> {
        let person = &mut self.agents[i];
        let using = person.behaviour.used_object.take()?;
        person.agent.yields = if person.leads_agent() { 0.0 } else { 1.0 };
        (person.behaviour.alone, person.behaviour.faces) = (ALONE, None);
        if using.is_on_slot() {
            person.play(None);
        }
        person.send(Some(using.goal.unwrap_or(using.spot)));
        person.goal_height = using.goal_height;
        person.passes = using.passes;
        Some(using)
    }

    /// Ends the use of an object at once: the agent continues with its state, which gets the event `use_end`.
    pub(super) fn end_use_now(&mut self, i: usize, teller: &mut CrowdEventSink<'_>) {
        let act = self.agents[i].playback();
        let Some(using) = self.drop_object(i) else {
            return;
        };
        if using.is_on_slot() {
            teller.report(i, CrowdEventKind::UseEnd(using.object));
        }
        self.resume(i);
        // A clip that a script started during the outro continues.
        let ends = matches!(using.phase, UsePhase::Exit(_));
        if let Some(act) = act.filter(|act| ends && !act.is_outro()) {
            self.agents[i].play(Some(act));
        }
        let about = EventSubject::Object(using.object);
        self.receive(i, "use_end", about, teller);
    }

    /// Takes an agent away from its object before it enters another state, unless that state keeps the object. The state
    /// before gets no `use_end`.
    pub(super) fn leave_for(&mut self, i: usize, next: u16, teller: &mut CrowdEventSink<'_>) {
        let next = self.states.get(usize::from(next));
        let Some(flees) = next
            .filter(|next| !next.keep_object)
            .map(|s| s.flee_distance)
        else {
            return;
        };
        // The first state of a new crowd does not end a use.
        if self.agents[i].behaviour.state.is_none() {
            return;
        }
        let Some(using) = self.drop_object(i) else {
            return;
        };
        if using.is_on_slot() {
            teller.report(i, CrowdEventKind::UseEnd(using.object));
        }
        // It does not return to where it stood; the new state decides.
        if flees.is_some() || using.goal.is_none() {
            self.agents[i].send(None);
        }
    }

    /// Sends an agent to positions, one after another; without any it stays where it is. An agent that uses an object goes
    /// there afterwards.
    fn send_after_use(&mut self, i: usize, mut places: VecDeque<Vec3>) {
        let person = &mut self.agents[i];
        let first = places.pop_front();
        let passes = !places.is_empty();
        match &mut person.behaviour.used_object {
            Some(using) => {
                (using.goal, using.goal_height) = (first.map(flat), first.map(|at| at.y));
                (using.passes, using.spot) = (passes, person.agent.at);
            }
            None => {
                match first {
                    Some(place) => person.send_to(place),
                    None => person.send(None),
                }
                person.passes = passes;
            }
        }
        if passes {
            self.tours.insert(i as u32, places);
        } else {
            self.tours.remove(&(i as u32));
        }
    }
}

impl Agents {
    /// Calls `work` with an agent, and frees the object if the agent has left it.
    pub(super) fn with_agent(
        &mut self,
        crowd: Handle,
        i: usize,
        work: impl FnOnce(&mut StageCrowd, &mut CrowdEventSink<'_>),
    ) {
        let Some(own) = self.crowds.get_mut(crowd) else {
            return;
        };
        let Some(before) = own.agents.get(i).map(|person| person.used_object()) else {
            return;
        };
        let told = &mut self.crowding.events;
        work(
            own,
            &mut CrowdEventSink {
                crowd,
                events: told,
            },
        );
        let now = own.agents[i].used_object();
        if let Some(left) = before.filter(|_| now != before)
            && let Some(object) = self.objects.get_mut(left)
        {
            object.forget((crowd, i as u32));
        }
    }

    /// Sends an agent of a crowd to positions, one after another. It leaves the object that it waits for; on a slot it ends
    /// the use first, as with [`Agents::stop_using`].
    pub fn send(&mut self, crowd: Handle, i: usize, places: impl IntoIterator<Item = Vec3>) {
        self.stop_using(crowd, i);
        let places = places.into_iter().collect();
        self.with_agent(crowd, i, |own, _| own.send_after_use(i, places));
    }

    /// Stops an agent of a crowd. On a slot it continues the use, and stays there afterwards.
    pub fn stop(&mut self, crowd: Handle, i: usize) {
        self.with_agent(crowd, i, |own, teller| {
            if own.agents[i]
                .behaviour
                .used_object
                .is_some_and(|using| !using.is_on_slot())
            {
                own.end_use_now(i, teller);
            }
            own.send_after_use(i, VecDeque::new());
        });
    }

    /// Makes an agent of a crowd follow a leader; `None` ends that. It leaves its object as with [`Agents::send`].
    pub fn follow(&mut self, crowd: Handle, i: usize, leader: Option<(Leader, Vec2)>) {
        if leader.is_some() {
            self.stop_using(crowd, i);
        }
        self.with_agent(crowd, i, |own, _| own.agents[i].follow(leader));
    }

    /// Teleports an agent of a crowd; `heading` in radians. An agent on a slot leaves it.
    pub fn teleport(&mut self, crowd: Handle, i: usize, at: Vec3, heading: Option<f32>) {
        self.with_agent(crowd, i, |own, teller| {
            let using = own.agents[i]
                .behaviour
                .used_object
                .filter(|using| using.is_on_slot());
            if let Some(using) = using {
                own.end_use_now(i, teller);
                if using.goal.is_none() && own.agents[i].goal == Some(using.spot) {
                    own.agents[i].send(None);
                }
            }
            own.agents[i].teleport(at, heading);
        });
    }

    /// Ends the use of an object by an agent: it plays the outro, then continues. An agent that waits or walks to its slot
    /// leaves at once.
    pub fn stop_using(&mut self, crowd: Handle, i: usize) {
        let using = self.crowds.get(crowd).and_then(|own| own.agents.get(i));
        let Some(using) = using.and_then(|person| person.behaviour.used_object) else {
            return;
        };
        let told = &mut self.crowding.events;
        match (
            using.phase,
            self.crowds.get_mut(crowd),
            self.objects.get_mut(using.object),
        ) {
            (UsePhase::Exit(_), _, Some(_)) => {}
            (UsePhase::Use(slot), Some(own), Some(object)) => {
                own.end_use(
                    i,
                    object,
                    slot,
                    &mut CrowdEventSink {
                        crowd,
                        events: told,
                    },
                );
                if own.agents[i].used_object().is_none() {
                    object.forget((crowd, i as u32));
                }
            }
            _ => self.with_agent(crowd, i, |own, teller| own.end_use_now(i, teller)),
        }
    }
}
