//! Pose of a figure at one instant: named numbers.

use glam::Vec3;

/// Unit of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Degrees.
    Degrees,
    /// Metres on the reference body.
    Metres,
    /// Fraction from 0 to 1.
    Fraction,
    /// Direction; its length from 0 to 1 is its weight.
    Direction,
}

/// A channel of a pose: one number or three.
#[derive(Clone, Copy, Debug)]
pub struct PoseChannel {
    /// Group of the channel; empty for a channel without a group.
    pub group: &'static str,
    /// Name within the group.
    pub name: &'static str,
    /// Number of components, 1 or 3.
    pub width: usize,
    /// Unit.
    pub unit: Unit,
    /// Index of the first number.
    at: usize,
}

/// Channels of the trunk and of one side; the second list exists for both sides.
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
    ("foot", "knee", 3, Unit::Direction),
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
    ("hand", "hold", 1, Unit::Fraction),
    ("hand", "fingers", 3, Unit::Direction),
    ("hand", "palm", 3, Unit::Direction),
    ("hand", "elbow", 3, Unit::Direction),
    ("hand", "curl", 1, Unit::Fraction),
    ("hand", "index", 1, Unit::Fraction),
    ("hand", "middle", 1, Unit::Fraction),
    ("hand", "ring", 1, Unit::Fraction),
    ("hand", "little", 1, Unit::Fraction),
    ("hand", "thumb", 1, Unit::Fraction),
    ("hand", "oppose", 1, Unit::Fraction),
    ("hand", "spread", 1, Unit::Fraction),
    ("hand", "cup", 1, Unit::Fraction),
];

const N_TRUNK: usize = width_of(&TRUNK);
const N_SIDE: usize = width_of(&SIDE);
/// Number of values in a pose.
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
    /// Both sides.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// Prefix of the bones and groups.
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

/// Frames that a hand's position can be relative to.
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

/// A pose. Values that are not set are 0: the rest pose with hanging arms.
#[derive(Clone, Debug, PartialEq)]
pub struct FigurePose {
    values: [f32; N],
    /// Bit mask of the values that are set.
    given: u128,
    /// Frame of each hand's position, an index into [`HANGS_ON`].
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
    /// Range of the values in a pose.
    pub fn slots(&self) -> std::ops::Range<usize> {
        self.at..self.at + self.width
    }

    /// True for each axis whose value changes its sign when mirrored.
    fn flips(&self) -> [bool; 3] {
        match (self.unit, self.width) {
            (Unit::Degrees, 3) => [false, true, true],
            (Unit::Degrees, _) => [self.group == "root"; 3],
            (Unit::Metres | Unit::Direction, 3) => [true, false, false],
            _ => [false; 3],
        }
    }
}

impl FigurePose {
    /// Returns a value.
    pub fn get(&self, slot: usize) -> f32 {
        self.values[slot]
    }

    /// True if all numbers of the pose are finite and at most `max` in magnitude.
    pub fn is_within(&self, max: f32) -> bool {
        self.values.iter().all(|n| n.abs() <= max)
    }

    /// Returns true if a value is set.
    pub fn says(&self, slot: usize) -> bool {
        self.given >> slot & 1 == 1
    }

    /// Sets a value.
    pub fn set(&mut self, slot: usize, value: f32) {
        self.values[slot] = value;
        self.given |= 1 << slot;
    }

    /// Returns the three components of a channel, or its single one in x.
    pub fn vector(&self, channel: &PoseChannel) -> Vec3 {
        Vec3::from_slice(&self.values[channel.at..channel.at + 3])
    }

    /// Sets a channel.
    pub fn say(&mut self, channel: &PoseChannel, value: Vec3) {
        for (slot, value) in channel.slots().zip(value.to_array()) {
            self.set(slot, value);
        }
    }

    /// Sets a channel of a side, by group and name.
    pub fn say_of(&mut self, side: FigureSide, group: &str, name: &str, value: Vec3) {
        if let Some(channel) = of_side(side).find(|c| c.group == group && c.name == name) {
            self.say(&channel, value);
        }
    }

    fn combined(&self, other: &Self, with: impl Fn(f32, f32) -> f32) -> Self {
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

    /// Sum of two poses.
    pub fn plus(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a + b)
    }

    /// Difference of two poses.
    pub fn minus(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a - b)
    }

    /// The pose scaled by a factor.
    pub fn times(&self, share: f32) -> Self {
        Self {
            values: self.values.map(|v| v * share),
            ..self.clone()
        }
    }

    /// Interpolates to another pose, over the values set in either.
    pub fn mix(&self, other: &Self, share: f32) -> Self {
        self.combined(other, |a, b| a + (b - a) * share)
    }

    /// The values of `other` where it sets them, otherwise those of this pose.
    pub fn with(&self, other: &Self) -> Self {
        let mut out = self.combined(other, |a, _| a);
        for i in (0..N).filter(|i| other.says(*i)) {
            out.values[i] = other.values[i];
        }
        out
    }

    /// The pose mirrored to the other side.
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

    /// The pose rotated to the left by `degrees` about the model's origin and moved by `way`.
    pub fn moved(&self, rests: [Vec3; 3], degrees: f32, way: Vec3) -> Self {
        let q = glam::Quat::from_rotation_y(degrees.to_radians());
        let mut out = self.clone();
        // Offsets from a rest position rotate about the origin.
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
    /// A copy with three components; the second and third of a single number are meaningless.
    fn wide(&self) -> Self {
        Self {
            at: self.at.min(N - 3),
            ..*self
        }
    }
}

/// Named access to a pose for the solver: the values of one side.
#[derive(Clone, Copy, Debug)]
pub struct SidePose<'a> {
    pose: &'a FigurePose,
    side: FigureSide,
}

impl<'a> SidePose<'a> {
    /// Values of one side of a pose.
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
            unit: Unit::Fraction,
            at: 0,
        })
    }

    /// Returns a number.
    pub fn number(&self, group: &str, name: &str) -> f32 {
        self.pose.get(self.channel(group, name).at)
    }

    /// Returns an angle in radians.
    pub fn angle(&self, group: &str, name: &str) -> f32 {
        self.number(group, name).to_radians()
    }

    /// Returns three numbers.
    pub fn vector(&self, group: &str, name: &str) -> Vec3 {
        self.pose.vector(&self.channel(group, name))
    }
}

/// Returns three numbers of the trunk.
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
