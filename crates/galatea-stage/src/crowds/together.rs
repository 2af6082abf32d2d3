//! People with each other: those who follow somebody, those who meet, and what spreads from one to the next.

use glam::Vec2;

use super::mind::{EventSubject, Leader, Teller};
use super::{Handle, StageCrowd};
use galatea_crowd::SortedRows;

/// Of so many ticks meetings and what spreads are looked at in one.
const LOOKS: u64 = 6;
/// Metres within which two may meet, and seconds until who met may meet somebody again.
const MEETS: f32 = 1.6;
const AGAIN: f32 = 20.0;
/// Seconds until two who passed each other may meet after all.
const PASSED: f32 = 4.0;
/// Seconds in which who follows is where it wants to be, and times its own pace that it hurries at most.
const CATCHES_UP: f32 = 0.7;
const HURRIES: f32 = 1.35;
/// Metres from its place at which who follows is there, and beyond which it looks for a way of its own.
const THERE: f32 = 0.25;
const FAR: f32 = 5.0;
/// Of so many ticks who is far looks where the leader is in one.
const LOOKS_AFTER: u64 = 30;
/// Metres a second under which a leader stands.
const STANDS: f32 = 0.2;

/// Where somebody is who is followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Led {
    pub at: Vec2,
    pub velocity: Vec2,
    pub heading: f32,
}

impl StageCrowd {
    /// Those who follow wish to be beside whom they follow. `character` tells where one of the stage is.
    pub(super) fn follow(
        &mut self,
        tick: u64,
        character: impl Fn(Handle) -> Option<Led>,
        places: &mut Vec<Led>,
    ) {
        if self
            .people
            .iter()
            .all(|person| person.mind.leader.is_none())
        {
            return;
        }
        places.clear();
        places.extend(self.people.iter().map(|person| Led {
            at: person.agent.at,
            velocity: person.agent.velocity,
            heading: person.heading,
        }));
        let has_ways = self.paths.is_some();
        for (i, person) in (0_u64..).zip(&mut self.people) {
            let Some((leader, off)) = person.mind.leader else {
                continue;
            };
            let led = match leader {
                Leader::Person(number) => places.get(number as usize).copied(),
                Leader::Character(handle) => character(handle),
            };
            let Some(led) = led else {
                person.mind.leader = None;
                continue;
            };
            if person.mind.stands || person.mind.using.is_some() {
                continue;
            }
            // Headings turn from +Z to +X, the left of who faces +Z is +X.
            let (sin, cos) = led.heading.sin_cos();
            let beside = Vec2::new(cos, -sin) * off.x + Vec2::new(sin, cos) * off.y;
            let way = led.at + beside - person.agent.at;
            let distance = way.length();
            if has_ways && distance > FAR {
                if person.goal.is_none() || (tick + i).is_multiple_of(LOOKS_AFTER) {
                    person.send(Some(led.at));
                }
                continue;
            }
            if person.goal.is_some() {
                person.send(None);
            }
            let is_there = distance < THERE && led.velocity.length() < STANDS;
            let wish = led.velocity + way / CATCHES_UP;
            let most = person.pace.max(led.velocity.length()) * HURRIES;
            person.agent.fastest = most;
            person.agent.wish = if is_there {
                Vec2::ZERO
            } else {
                wish.clamp_length_max(most)
            };
        }
    }

    /// Those who come near each other meet, by chance; what somebody spreads is heard by those around.
    pub(super) fn meet(&mut self, tick: u64, rows: &mut SortedRows, teller: &mut Teller<'_>) {
        if !tick.is_multiple_of(LOOKS) {
            return;
        }
        let meets = self.states.iter().any(|state| {
            let mut events = state.on.iter();
            events.any(|(event, _)| event == "met")
        });
        let spreads = self
            .states
            .iter()
            .filter_map(|state| state.spreads.as_ref());
        let reach = spreads.map(|(_, reach)| *reach).fold(0.0, f32::max);
        let reach = if meets { reach.max(MEETS) } else { reach };
        if reach <= 0.0 {
            return;
        }
        let places: Vec<Vec2> = self.people.iter().map(|person| person.agent.at).collect();
        rows.sort(&places, reach);
        let order = rows.order().to_vec();
        let mut walk = rows.walk();
        for k in 0..order.len() {
            let i = order[k] as usize;
            let may_meet = meets && self.may_meet(i);
            let spread = self.state_of(i).and_then(|state| state.spreads.clone());
            if !may_meet && spread.is_none() {
                continue;
            }
            let about = self.people[i]
                .mind
                .fear
                .map_or(EventSubject::Nothing, EventSubject::Place);
            for j in walk.around(k, reach).into_iter().flatten() {
                let j = order[j] as usize;
                let distance = places[i].distance(places[j]);
                if i == j {
                    continue;
                }
                if let Some((event, reach)) = &spread
                    && distance < *reach
                {
                    self.hear(j, event, about, teller);
                }
                if may_meet && distance < MEETS && self.may_meet(i) && self.may_meet(j) {
                    self.come_together(i, j, teller);
                }
            }
        }
        for i in 0..self.people.len() {
            let partner = self.people[i].mind.partner;
            let Some(partner) = partner.and_then(|at| self.people.get(at as usize)) else {
                continue;
            };
            let at = partner.agent.at;
            self.people[i].mind.faces = Some(at);
        }
    }

    fn may_meet(&self, i: usize) -> bool {
        let mind = &self.people[i].mind;
        let is_free = mind.alone <= 0.0 && mind.using.is_none() && mind.partner.is_none();
        is_free && self.answers(i, "met")
    }

    /// Two are near each other: those who see each other may stop for each other.
    fn come_together(&mut self, i: usize, j: usize, teller: &mut Teller<'_>) {
        let way = (self.people[j].agent.at - self.people[i].agent.at).normalize_or_zero();
        let faces = |i: usize| Vec2::from(self.people[i].heading.sin_cos());
        let sees_each_other = faces(i).dot(way) > 0.3 && faces(j).dot(way) < -0.3;
        if !sees_each_other {
            return;
        }
        if !self.chance.is(self.meets) {
            for one in [i, j] {
                self.people[one].mind.alone = PASSED;
            }
            return;
        }
        for (one, other) in [(i, j), (j, i)] {
            self.people[one].mind.alone = AGAIN;
            self.hear(one, "met", EventSubject::Person(other as u32), teller);
        }
    }
}
