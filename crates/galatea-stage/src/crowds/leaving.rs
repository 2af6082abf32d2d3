//! The end of a use of a smart object: after the outro, at once when the state of the agent changes, or when a script sends
//! the agent elsewhere.

use std::collections::VecDeque;

use glam::{Vec2, Vec3};

use super::mind::{EventSubject, Leader, Tale, Teller};
use super::using::{UsePhase, Using};
use super::{Agents, Handle, StageCrowd};
use galatea_math::lines::flat;

/// Time after a use in which no smart object attracts the agent, seconds.
const ALONE: f32 = 15.0;

impl StageCrowd {
    /// Takes an agent away from its smart object and sends it on to its goal. Its state stays the same, and no event is
    /// sent.
    pub(super) fn drop_object(&mut self, i: usize) -> Option<Using> {
        let person = &mut self.people[i];
        let using = person.mind.using.take()?;
        person.agent.yields = if person.is_led() { 0.0 } else { 1.0 };
        (person.mind.alone, person.mind.faces) = (ALONE, None);
        if using.is_there() {
            person.act(None);
        }
        person.send(Some(using.goal.unwrap_or(using.spot)));
        person.goal_height = using.goal_height;
        person.passes = using.passes;
        Some(using)
    }

    /// Ends the use of an object at once: the agent continues with its state, which gets the event `use_end`.
    pub(super) fn let_go(&mut self, i: usize, teller: &mut Teller<'_>) {
        let act = self.people[i].acts();
        let Some(using) = self.drop_object(i) else {
            return;
        };
        if using.is_there() {
            teller.tell(i, Tale::Leaves(using.object));
        }
        self.resume(i);
        // A clip that a script started during the outro continues.
        let ends = matches!(using.phase, UsePhase::Ends(_));
        if let Some(act) = act.filter(|act| ends && !act.is_outro()) {
            self.people[i].act(Some(act));
        }
        let about = EventSubject::Object(using.object);
        self.hear(i, "use_end", about, teller);
    }

    /// Takes an agent away from its object before it enters another state, unless that state keeps the object. The state
    /// before gets no `use_end`.
    pub(super) fn leave_for(&mut self, i: usize, next: u16, teller: &mut Teller<'_>) {
        let next = self.states.get(usize::from(next));
        let Some(flees) = next.filter(|next| !next.keeps_object).map(|s| s.flees) else {
            return;
        };
        // The first state of a new crowd does not end a use.
        if self.people[i].mind.state.is_none() {
            return;
        }
        let Some(using) = self.drop_object(i) else {
            return;
        };
        if using.is_there() {
            teller.tell(i, Tale::Leaves(using.object));
        }
        // It does not return to where it stood; the new state decides.
        if flees.is_some() || using.goal.is_none() {
            self.people[i].send(None);
        }
    }

    /// Sends an agent to positions, one after another; without any it stays where it is. An agent that uses an object goes
    /// there afterwards.
    fn send_after_use(&mut self, i: usize, mut places: VecDeque<Vec3>) {
        let person = &mut self.people[i];
        let first = places.pop_front();
        let passes = !places.is_empty();
        match &mut person.mind.using {
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
        work: impl FnOnce(&mut StageCrowd, &mut Teller<'_>),
    ) {
        let Some(own) = self.crowds.get_mut(crowd) else {
            return;
        };
        let Some(before) = own.people.get(i).map(|person| person.uses()) else {
            return;
        };
        let told = &mut self.crowding.told;
        work(own, &mut Teller { crowd, told });
        let now = own.people[i].uses();
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
            if own.people[i]
                .mind
                .using
                .is_some_and(|using| !using.is_there())
            {
                own.let_go(i, teller);
            }
            own.send_after_use(i, VecDeque::new());
        });
    }

    /// Makes an agent of a crowd follow a leader; `None` ends that. It leaves its object as with [`Agents::send`].
    pub fn follow(&mut self, crowd: Handle, i: usize, leader: Option<(Leader, Vec2)>) {
        if leader.is_some() {
            self.stop_using(crowd, i);
        }
        self.with_agent(crowd, i, |own, _| own.people[i].follow(leader));
    }

    /// Teleports an agent of a crowd; `heading` in radians. An agent on a slot leaves it.
    pub fn place(&mut self, crowd: Handle, i: usize, at: Vec3, heading: Option<f32>) {
        self.with_agent(crowd, i, |own, teller| {
            let using = own.people[i].mind.using.filter(|using| using.is_there());
            if let Some(using) = using {
                own.let_go(i, teller);
                if using.goal.is_none() && own.people[i].goal == Some(using.spot) {
                    own.people[i].send(None);
                }
            }
            own.people[i].place(at, heading);
        });
    }

    /// Ends the use of an object by an agent: it plays the outro, then continues. An agent that waits or walks to its slot
    /// leaves at once.
    pub fn stop_using(&mut self, crowd: Handle, i: usize) {
        let using = self.crowds.get(crowd).and_then(|own| own.people.get(i));
        let Some(using) = using.and_then(|person| person.mind.using) else {
            return;
        };
        let told = &mut self.crowding.told;
        match (
            using.phase,
            self.crowds.get_mut(crowd),
            self.objects.get_mut(using.object),
        ) {
            (UsePhase::Ends(_), _, Some(_)) => {}
            (UsePhase::Uses(slot), Some(own), Some(object)) => {
                own.end_use(i, object, slot, &mut Teller { crowd, told });
                if own.people[i].uses().is_none() {
                    object.forget((crowd, i as u32));
                }
            }
            _ => self.with_agent(crowd, i, |own, teller| own.let_go(i, teller)),
        }
    }
}
