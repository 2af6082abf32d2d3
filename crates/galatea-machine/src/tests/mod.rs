//! Tests of machines with small generated clips.

mod blends;
mod events;
mod graph;
mod inertial;
mod lists;
mod markers;
mod migration;
mod random_runs;
mod rehearse;
mod transitions;
mod why;

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::*;
use galatea_anim::humanoid::Humanoid;
use galatea_anim::{
    Bone, BoneTracks, Clip, ClipMotion, ClipSet, Interpolation, Marker, MarkerValue, Markers,
    MirrorMap, PackOptions, PlayMode, Pose, RootDelta, RootTrack, Skeleton, Track, pack,
};
use galatea_math::Trs;

/// A clip with a bone `tip` that moves along x with the clip's time (metres = seconds times `pace`).
pub struct Made {
    pub name: &'static str,
    pub seconds: f32,
    pub pace: f32,
    pub markers: Vec<Marker>,
    pub root_speed: Option<f32>,
}

pub fn clip(name: &'static str, seconds: f32) -> Made {
    Made {
        name,
        seconds,
        pace: 1.0,
        markers: Vec::new(),
        root_speed: None,
    }
}

impl Made {
    pub fn pace(mut self, pace: f32) -> Self {
        self.pace = pace;
        self
    }

    pub fn markers(mut self, marks: &[(f32, &str, &str)]) -> Self {
        self.markers = marks
            .iter()
            .map(|(t, event, foot)| Marker {
                time: *t,
                event: (*event).into(),
                duration: 0.0,
                fields: match *foot {
                    "" => Vec::new(),
                    foot => vec![("foot".into(), MarkerValue::Text(foot.into()))],
                },
            })
            .collect();
        self
    }
}

/// A clip set with its marks, and a machine on it.
pub struct Rig {
    pub set: ClipSet,
    pub markers: Vec<Arc<Markers>>,
}

pub fn rig(clips: Vec<Made>) -> Rig {
    let bone = |name: &str, parent| Bone {
        name: name.into(),
        parent,
        rest: Trs::IDENTITY,
        skinned: true,
    };
    let bones = vec![
        bone("root", None),
        bone("tip", Some(0)),
        bone("arm", Some(0)),
    ];
    let skeleton = Arc::new(Skeleton::new(bones).unwrap());
    let rest = Pose {
        locals: skeleton.rest().collect(),
        ..Pose::default()
    };
    let mut marks = Vec::new();
    let made: Vec<_> = clips
        .into_iter()
        .map(|made| {
            let authored = Clip {
                name: made.name.into(),
                duration: made.seconds,
                bones: vec![BoneTracks {
                    bone: 1,
                    translation: Some(Track {
                        times: vec![0.0, made.seconds],
                        values: vec![Vec3::ZERO, Vec3::X * made.seconds * made.pace],
                        interpolation: Interpolation::Linear,
                    }),
                    rotation: Some(Track {
                        times: vec![0.0, made.seconds],
                        values: vec![Quat::IDENTITY, Quat::from_rotation_z(made.pace * 0.5)],
                        interpolation: Interpolation::Linear,
                    }),
                    scale: None,
                }],
                markers: made.markers.clone(),
                ..Clip::default()
            };
            marks.push(Arc::new(Markers::new(made.markers, made.seconds).unwrap()));
            let (packed, _) = pack(&skeleton, &authored, &PackOptions::default());
            let root = made.root_speed.map(|speed| {
                let delta_at = |t: f32| RootDelta {
                    translation: Vec3::Z * speed * t,
                    yaw: 0.0,
                };
                RootTrack::new(0, made.seconds, vec![delta_at(0.0), delta_at(made.seconds)])
            });
            let motion = ClipMotion {
                has_root_motion: root.is_some(),
                root,
                ..ClipMotion::default()
            };
            (Arc::new(packed), motion)
        })
        .collect();
    let mirror = MirrorMap::new(&skeleton, None, &[]);
    Rig {
        set: ClipSet::new(
            "model",
            skeleton,
            Humanoid::default(),
            mirror,
            rest,
            Vec::new(),
            made,
        ),
        markers: marks,
    }
}

pub const DT: f64 = 1.0 / 60.0;

/// Host for tests: records the events and gives prepared answers.
#[derive(Default)]
pub struct Log {
    /// Answers to script conditions.
    pub answers: Vec<bool>,
    /// Number of random numbers drawn.
    pub n_chances: usize,
    pub events: Vec<(f64, Happening)>,
    pub now: f64,
}

impl MachineHost for Log {
    fn evaluate(&mut self, predicate: Predicate) -> bool {
        self.answers
            .get(predicate.0 as usize)
            .copied()
            .unwrap_or(false)
    }

    fn random(&mut self) -> f64 {
        self.n_chances += 1;
        let mixed = (self.n_chances as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 11) as f64 / (1u64 << 53) as f64
    }

    fn emit(&mut self, happening: Happening) {
        self.events.push((self.now, happening));
    }
}

/// A machine in playback.
pub struct Player {
    pub rig: Rig,
    pub machine: Machine,
    pub state: MachineState,
    pub log: Log,
}

pub fn play(rig: Rig, def: MachineDef) -> Player {
    let machine = match bind(&def, &rig.set, &rig.markers) {
        Ok(machine) => machine,
        Err(problems) => panic!("{problems:?}"),
    };
    let state = MachineState::new(&machine);
    Player {
        rig,
        machine,
        state,
        log: Log::default(),
    }
}

impl Player {
    pub fn step(&mut self, dt: f64) {
        let clips = Clips {
            set: &self.rig.set,
            markers: &self.rig.markers,
        };
        advance(&self.machine, clips, &mut self.state, dt, &mut self.log);
        self.log.now += dt;
    }

    pub fn run(&mut self, seconds: f64) {
        for _ in 0..(seconds / DT).round() as usize {
            self.step(DT);
        }
    }

    pub fn set(&mut self, param: &str, value: f32) {
        let params = &self.machine.def.params;
        let i = params.iter().position(|p| p.name == param).unwrap();
        self.state.params[i] = value;
    }

    /// Returns the name of the first layer's current state.
    pub fn at(&self) -> &str {
        let current = self.state.current(0).unwrap();
        self.machine.state_name(0, current.state)
    }

    pub fn current(&self) -> &Active {
        self.state.current(0).unwrap()
    }

    pub fn pose(&mut self) -> Pose {
        let mut out = Pose::default();
        let mut scratch = MachineScratch::default();
        evaluate(
            &self.machine,
            &self.rig.set,
            &mut self.state,
            DT,
            &mut scratch,
            &mut out,
        );
        out
    }

    /// Position of the tip: the blended time of the playing clips.
    pub fn tip(&mut self) -> f32 {
        self.pose().locals[1].translation.x
    }

    /// Names of states entered so far.
    pub fn entered(&self) -> Vec<&str> {
        let events = self.log.events.iter();
        events
            .filter_map(|(_, happening)| match happening {
                Happening::Enter { layer, state, .. } => {
                    Some(self.machine.state_name(*layer, *state))
                }
                _ => None,
            })
            .collect()
    }

    /// Times and names of the marks crossed by the heaviest clips.
    pub fn markers(&self) -> Vec<(f64, String)> {
        let events = self.log.events.iter();
        events
            .filter_map(|(now, happening)| match happening {
                Happening::Marker(crossed) if crossed.has_max_weight => {
                    let mark = &self.rig.markers[crossed.clip][crossed.marker];
                    Some((now + crossed.offset, mark.event.clone()))
                }
                _ => None,
            })
            .collect()
    }
}

pub fn state(name: &str, motion: MotionDef) -> StateDef {
    StateDef {
        name: name.into(),
        content: Content::Motion(motion),
        ..StateDef::default()
    }
}

pub fn plays(name: &str, clip: &str) -> StateDef {
    state(name, MotionDef::Clip(clip.into()))
}

pub fn once(name: &str, clip: &str) -> StateDef {
    StateDef {
        mode: PlayMode::Once,
        ..plays(name, clip)
    }
}

pub fn to(target: &str, from: &[&str]) -> TransitionDef {
    TransitionDef {
        to: target.into(),
        from: if from.is_empty() {
            FromStates::Any
        } else {
            FromStates::States(from.iter().map(|s| (*s).to_owned()).collect())
        },
        allow_travel: true,
        ..TransitionDef::default()
    }
}

pub fn when(text: &str) -> Option<WhenDef> {
    Some(WhenDef::Text(text.into()))
}

pub fn fade(seconds: f32) -> Fade {
    Fade {
        seconds,
        ..Fade::default()
    }
}

pub fn params(names: &[(&str, f32)]) -> Vec<ParamDef> {
    names
        .iter()
        .map(|(name, default)| ParamDef {
            name: (*name).into(),
            default: ParamValue::Number(*default),
        })
        .collect()
}

pub fn machine(
    params: Vec<ParamDef>,
    states: Vec<StateDef>,
    transitions: Vec<TransitionDef>,
) -> MachineDef {
    MachineDef {
        params,
        layers: vec![LayerDef {
            name: "body".into(),
            states: StatesDef {
                states,
                transitions,
            },
            ..LayerDef::default()
        }],
        ..MachineDef::default()
    }
}

pub fn line(by: &str, points: &[(f32, &str)]) -> MotionDef {
    MotionDef::Blend(BlendDef {
        space: SpaceDef::Line(by.into()),
        points: points
            .iter()
            .map(|(at, clip)| PointDef {
                position: Some([*at, 0.0]),
                content: PointContent::Clip((*clip).into()),
                speed: 1.0,
            })
            .collect(),
        sync: SyncBy::FootSteps,
        match_speed: false,
    })
}
