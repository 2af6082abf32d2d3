//! One instant of a motion: numbers by the names that a mover has for them.

use glam::Vec3;

/// What a channel measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Degrees.
    Degrees,
    /// Metres of the standing woman.
    Metres,
    /// From 0 to 1.
    Share,
    /// A direction, as long as it counts: nothing at length 0, all at length 1.
    Way,
}

/// A number, or three, that a pose may say.
#[derive(Clone, Copy, Debug)]
pub struct PoseChannel {
    /// The group that it belongs to; empty for what stands by itself.
    pub group: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// One or three numbers.
    pub width: usize,
    /// What it measures.
    pub unit: Unit,
    /// Where its numbers begin.
    at: usize,
}

/// What a mover may say of the trunk and of one side; sides have all of the second list twice.
type ChannelSpec = (&'static str, &'static str, usize, Unit);

const TRUNK: [ChannelSpec; 9] = [
    ("", "body", 3, Unit::Degrees),
    ("", "hips", 3, Unit::Metres),
    ("", "pelvis", 3, Unit::Degrees),
    ("", "chest", 3, Unit::Degrees),
    ("", "head", 3, Unit::Degrees),
    ("", "eyes", 3, Unit::Degrees),
    ("", "breath", 1, Unit::Degrees),
    ("root", "at", 3, Unit::Metres),
    ("root", "turn", 1, Unit::Degrees),
];

const SIDE: [ChannelSpec; 29] = [
    ("foot", "at", 3, Unit::Metres),
    ("foot", "turn", 1, Unit::Degrees),
    ("foot", "pitch", 1, Unit::Degrees),
    ("foot", "tilt", 1, Unit::Degrees),
    ("foot", "toes", 1, Unit::Degrees),
    ("foot", "knee", 3, Unit::Way),
    ("arm", "swing", 1, Unit::Degrees),
    ("arm", "out", 1, Unit::Degrees),
    ("arm", "twist", 1, Unit::Degrees),
    ("arm", "elbow", 1, Unit::Degrees),
    ("arm", "roll", 1, Unit::Degrees),
    ("arm", "wrist", 1, Unit::Degrees),
    ("arm", "tilt", 1, Unit::Degrees),
    ("arm", "lift", 1, Unit::Degrees),
    ("arm", "reach", 1, Unit::Degrees),
    ("hand", "at", 3, Unit::Metres),
    ("hand", "hold", 1, Unit::Share),
    ("hand", "fingers", 3, Unit::Way),
    ("hand", "palm", 3, Unit::Way),
    ("hand", "elbow", 3, Unit::Way),
    ("hand", "curl", 1, Unit::Share),
    ("hand", "index", 1, Unit::Share),
    ("hand", "middle", 1, Unit::Share),
    ("hand", "ring", 1, Unit::Share),
    ("hand", "little", 1, Unit::Share),
    ("hand", "thumb", 1, Unit::Share),
    ("hand", "oppose", 1, Unit::Share),
    ("hand", "spread", 1, Unit::Share),
    ("hand", "cup", 1, Unit::Share),
];

const N_TRUNK: usize = width_of(&TRUNK);
const N_SIDE: usize = width_of(&SIDE);
/// Numbers of a pose.
pub const N: usize = N_TRUNK + 2 * N_SIDE;

const fn width_of(list: &[ChannelSpec]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < list.len() {
        sum += list[i].2;
        i += 1;
    }
    sum
}

/// Left or right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureSide {
    /// At x > 0.
    Left,
    /// At x < 0.
    Right,
}

impl FigureSide {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The word before its bones and groups.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// 1 on the left, -1 on the right.
    pub const fn sign(self) -> f32 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }
}

fn listed(list: &'static [ChannelSpec], from: usize) -> impl Iterator<Item = PoseChannel> {
    let mut at = from;
    list.iter().map(move |(group, name, width, unit)| {
        let channel = PoseChannel {
            group,
            name,
            width: *width,
            unit: *unit,
            at,
        };
        at += width;
        channel
    })
}

/// Channels of the trunk.
pub fn trunk() -> impl Iterator<Item = PoseChannel> {
    listed(&TRUNK, 0)
}

/// Channels of a side.
pub fn of_side(side: FigureSide) -> impl Iterator<Item = PoseChannel> {
    let from = match side {
        FigureSide::Left => N_TRUNK,
        FigureSide::Right => N_TRUNK + N_SIDE,
    };
    listed(&SIDE, from)
}

/// What a hand's place goes along with.
pub const HANGS_ON: [&str; 8] = [
    "model",
    "hips",
    "chest",
    "head",
    "left_upper_leg",
    "right_upper_leg",
    "left_lower_leg",
    "right_lower_leg",
];

/// One instant of a motion. What is not said is 0: the rest pose, with arms that hang.
#[derive(Clone, Debug, PartialEq)]
pub struct FigurePose {
    values: [f32; N],
    /// Which numbers were said.
    given: u128,
    /// What the hands hang on, numbers of [`HANGS_ON`].
    pub on: [u8; 2],
}

const _: () = assert!(N <= 128);

impl Default for FigurePose {
    fn default() -> Self {
        Self {
            values: [0.0; N],
            given: 0,
            on: [0; 2],
        }
    }
}

impl PoseChannel {
    /// The numbers that it has in a pose.
    pub fn slots(&self) -> std::ops::Range<usize> {
        self.at..self.at + self.width
    }

    /// Whether its numbers change their sign on the other side, by axis.
    fn flips(&self) -> [bool; 3] {
        match (self.unit, self.width) {
            (Unit::Degrees, 3) => [false, true, true],
            (Unit::Degrees, _) => [self.group == "root"; 3],
            (Unit::Metres | Unit::Way, 3) => [true, false, false],
            _ => [false; 3],
        }
    }
}

impl FigurePose {
    /// A number.
    pub fn get(&self, slot: usize) -> f32 {
        self.values[slot]
    }

    /// True if all numbers of the pose are finite and at most `max` in magnitude.
    pub fn is_within(&self, max: f32) -> bool {
        self.values.iter().all(|n| n.abs() <= max)
    }

    /// True when it says that number.
    pub fn says(&self, slot: usize) -> bool {
        self.given >> slot & 1 == 1
    }

    /// Says a number.
    pub fn set(&mut self, slot: usize, value: f32) {
        self.values[slot] = value;
        self.given |= 1 << slot;
    }

    /// Three numbers of a channel, or one.
    pub fn vector(&self, channel: &PoseChannel) -> Vec3 {
        Vec3::from_slice(&self.values[channel.at..channel.at + 3])
    }

    /// Says a channel.
    pub fn say(&mut self, channel: &PoseChannel, value: Vec3) {
        for (slot, value) in channel.slots().zip(value.to_array()) {
            self.set(slot, value);
        }
    }

    /// Says one number or three by the names of group and channel of a side.
    pub fn say_of(&mut self, side: FigureSide, group: &str, name: &str, value: Vec3) {
        if let Some(channel) = of_side(side).find(|c| c.group == group && c.name == name) {
            self.say(&channel, value);
        }
    }

    fn joined(&self, other: &Self, with: impl Fn(f32, f32) -> f32) -> Self {
        let mut on = self.on;
        for (own, others) in on.iter_mut().zip(other.on) {
            if others != 0 {
                *own = others;
            }
        }
        Self {
            values: std::array::from_fn(|i| with(self.values[i], other.values[i])),
            given: self.given | other.given,
            on,
        }
    }

    /// Both together.
    pub fn plus(&self, other: &Self) -> Self {
        self.joined(other, |a, b| a + b)
    }

    /// What leads from another to this.
    pub fn minus(&self, other: &Self) -> Self {
        self.joined(other, |a, b| a - b)
    }

    /// So much of it.
    pub fn times(&self, share: f32) -> Self {
        Self {
            values: self.values.map(|v| v * share),
            ..self.clone()
        }
    }

    /// A share of the way to another, over what either says.
    pub fn mix(&self, other: &Self, share: f32) -> Self {
        self.joined(other, |a, b| a + (b - a) * share)
    }

    /// What the other says, and else this.
    pub fn with(&self, other: &Self) -> Self {
        let mut out = self.joined(other, |a, _| a);
        for i in (0..N).filter(|i| other.says(*i)) {
            out.values[i] = other.values[i];
        }
        out
    }

    /// The same on the other side.
    pub fn mirrored(&self) -> Self {
        let mut out = Self::default();
        let mut copy = |from: &PoseChannel, to: &PoseChannel| {
            for (k, flips) in from.flips().into_iter().enumerate().take(from.width) {
                if self.says(from.at + k) {
                    let value = self.values[from.at + k];
                    out.set(to.at + k, if flips { -value } else { value });
                }
            }
        };
        for channel in trunk() {
            copy(&channel, &channel);
        }
        for (left, right) in of_side(FigureSide::Left).zip(of_side(FigureSide::Right)) {
            copy(&left, &right);
            copy(&right, &left);
        }
        let other = |on: u8| match HANGS_ON.get(usize::from(on)) {
            Some(name) if name.starts_with("left_") => on + 1,
            Some(name) if name.starts_with("right_") => on - 1,
            _ => on,
        };
        out.on = [other(self.on[1]), other(self.on[0])];
        out
    }

    /// The same after a turn to the left by `degrees` about the model's middle and a way.
    pub fn moved(&self, rests: [Vec3; 3], degrees: f32, way: Vec3) -> Self {
        let q = glam::Quat::from_rotation_y(degrees.to_radians());
        let mut out = self.clone();
        // Ways from a place of rest turn about the middle.
        let about = |from: Vec3, rest: Vec3| q * (rest + from) - rest + way;
        let word = |channel: &PoseChannel| (channel.group, channel.name);
        for channel in trunk() {
            let own = self.vector(&channel.wide());
            match word(&channel) {
                ("", "hips") => out.say(&channel, about(own, rests[0])),
                ("", "body") => out.say(&channel, own + Vec3::Y * degrees),
                ("root", "at") => out.say(&channel, q * own + way),
                ("root", "turn") => out.say(&channel, Vec3::splat(own.x + degrees)),
                _ => {}
            }
        }
        for (k, side) in FigureSide::BOTH.into_iter().enumerate() {
            let of_model = self.on[k] == 0;
            for channel in of_side(side) {
                let own = self.vector(&channel.wide());
                match word(&channel) {
                    ("foot", "at") => out.say(&channel, about(own, rests[k + 1])),
                    ("foot", "turn") => {
                        out.say(&channel, Vec3::splat(own.x + side.sign() * degrees));
                    }
                    ("foot", "knee") => out.say(&channel, q * own),
                    ("hand", "at") if of_model => out.say(&channel, q * own + way),
                    ("hand", "fingers" | "palm" | "elbow") if of_model => {
                        out.say(&channel, q * own);
                    }
                    _ => {}
                }
            }
        }
        out
    }
}

impl PoseChannel {
    /// Reads three numbers also where it has one; those after the first then mean nothing.
    fn wide(&self) -> Self {
        Self {
            at: self.at.min(N - 3),
            ..*self
        }
    }
}

/// A pose by names, for the solver: all numbers of a side.
#[derive(Clone, Copy, Debug)]
pub struct SidePose<'a> {
    pose: &'a FigurePose,
    side: FigureSide,
}

impl<'a> SidePose<'a> {
    /// One side of a pose.
    pub fn new(pose: &'a FigurePose, side: FigureSide) -> Self {
        Self { pose, side }
    }

    fn channel(&self, group: &str, name: &str) -> PoseChannel {
        let mut all = of_side(self.side);
        let found = all.find(|c| c.group == group && c.name == name);
        debug_assert!(found.is_some(), "{group}.{name}");
        found.unwrap_or(PoseChannel {
            group: "",
            name: "",
            width: 0,
            unit: Unit::Share,
            at: 0,
        })
    }

    /// A number.
    pub fn number(&self, group: &str, name: &str) -> f32 {
        self.pose.get(self.channel(group, name).at)
    }

    /// Degrees as radians.
    pub fn angle(&self, group: &str, name: &str) -> f32 {
        self.number(group, name).to_radians()
    }

    /// Three numbers.
    pub fn vector(&self, group: &str, name: &str) -> Vec3 {
        self.pose.vector(&self.channel(group, name))
    }
}

/// Three numbers of the trunk.
pub(crate) fn of_trunk(pose: &FigurePose, group: &str, name: &str) -> Vec3 {
    let found = trunk().find(|c| c.group == group && c.name == name);
    debug_assert!(found.is_some(), "{group}.{name}");
    let Some(channel) = found else {
        return Vec3::ZERO;
    };
    if channel.width == 1 {
        return Vec3::splat(pose.get(channel.at));
    }
    pose.vector(&channel)
}
