//! Binding of clips and blends.

use glam::Vec2;

use super::MachineBinder;
use crate::bound::{Axes, Blend, BlendNode, Child, ClipList, Leaf, StateMotion};
use crate::definition::{
    BlendDef, ListDef, MAX_BLEND_CLIPS, MAX_NESTED_BLENDS, MotionDef, PointContent, SourceLocation,
    SpaceDef, SyncBy,
};
use galatea_anim::blend_space::BlendSpace;
use galatea_anim::{Marker, SyncTrack};

/// Name of the marks that synchronise clips.
pub const STEP: &str = "step";

impl MachineBinder<'_> {
    pub(super) fn motion(&mut self, motion: &MotionDef, at: &SourceLocation) -> StateMotion {
        match motion {
            MotionDef::Clip(name) if name.is_empty() => StateMotion::Rest,
            MotionDef::Clip(name) => {
                let clip = self.clip(name, at);
                let leaf = self.leaf(clip, 1.0, SyncBy::FootSteps);
                StateMotion::Blend(Blend {
                    nodes: Vec::new(),
                    synced: leaf.sync.is_some(),
                    leaves: vec![leaf],
                    match_speed: false,
                })
            }
            MotionDef::List(list) => self.list(list, at),
            MotionDef::Phases {
                intro,
                looped,
                outro,
            } => StateMotion::Phases {
                intro: intro.as_ref().map(|name| self.clip(name, at)),
                looped: self.clip(looped, at),
                outro: outro.as_ref().map(|name| self.clip(name, at)),
            },
            MotionDef::Blend(def) => {
                let mut blend = Blend {
                    nodes: Vec::new(),
                    leaves: Vec::new(),
                    synced: false,
                    match_speed: def.match_speed,
                };
                self.node(def, def.sync, at, 0, &mut blend);
                if blend.leaves.len() > MAX_BLEND_CLIPS {
                    let text = format!("a blend has more than {MAX_BLEND_CLIPS} clips");
                    self.problem(at, text);
                }
                blend.synced = blend.leaves.iter().any(|leaf| leaf.sync.is_some());
                let still = blend.leaves.iter().all(|leaf| leaf.ground_speed == 0.0);
                if blend.match_speed && still && !blend.leaves.is_empty() {
                    let text = "match_speed: cannot measure the ground speed of any clip of this blend; remove \
                        match_speed";
                    self.problem(at, text.into());
                }
                StateMotion::Blend(blend)
            }
        }
    }

    fn list(&mut self, def: &ListDef, at: &SourceLocation) -> StateMotion {
        let what = if def.random { "random" } else { "sequence" };
        if def.clips.is_empty() {
            self.problem(at, format!("{what} {{}} needs at least one clip"));
        }
        StateMotion::List(ClipList {
            clips: def
                .clips
                .iter()
                .map(|(name, _)| self.clip(name, at))
                .collect(),
            chances: def.clips.iter().map(|(_, chance)| *chance).collect(),
            random: def.random,
            repeat: def.repeat,
            fade: def.fade,
        })
    }

    fn leaf(&mut self, clip: usize, speed: f32, sync: SyncBy) -> Leaf {
        let duration = self.clips.duration(clip);
        let marks: &[Marker] = self.markers.get(clip).map_or(&[], |marks| marks);
        let is_step = |mark: &&Marker| mark.event == STEP && mark.duration <= 0.0;
        let has_steps = sync == SyncBy::FootSteps && marks.iter().any(|mark| is_step(&mark));
        let track = match sync {
            SyncBy::Phase => Some(SyncTrack::plain(duration)),
            SyncBy::FootSteps if has_steps => {
                Some(SyncTrack::from_markers(marks, STEP, "foot", duration))
            }
            _ => None,
        };
        let track = track.filter(|_| duration > 0.0);
        Leaf {
            clip,
            speed,
            steps: match &track {
                Some(track) if has_steps => steps(track, marks),
                _ => Vec::new(),
            },
            sync: track,
            ground_speed: self
                .clips
                .ground_velocity(clip)
                .map_or(0.0, |velocity| velocity.length()),
        }
    }

    fn node(
        &mut self,
        def: &BlendDef,
        sync: SyncBy,
        at: &SourceLocation,
        depth: usize,
        blend: &mut Blend,
    ) -> Child {
        let number = blend.nodes.len();
        let (name, axes) = match &def.space {
            SpaceDef::Line(_) => ("blend1d", 1),
            SpaceDef::Plane(..) => ("blend2d", 2),
            SpaceDef::Polar(..) => ("blend_polar", 2),
        };
        if def.points.is_empty() {
            self.problem(at, format!("{name} has no points"));
        }
        let params = match &def.space {
            SpaceDef::Line(by) => Axes::One(self.param(by, at)),
            SpaceDef::Plane(x, y) | SpaceDef::Polar(x, y) => {
                Axes::Two(self.param(x, at), self.param(y, at))
            }
        };
        blend.nodes.push(BlendNode {
            axes: params,
            space: BlendSpace::line([]),
            children: Vec::new(),
        });
        let mut points: Vec<([f32; 2], Child)> = Vec::new();
        for point in &def.points {
            let child = match &point.content {
                PointContent::Clip(name) => {
                    let clip = self.clip(name, at);
                    let leaf = self.leaf(clip, point.speed, sync);
                    blend.leaves.push(leaf);
                    Child::Leaf(blend.leaves.len() - 1)
                }
                PointContent::Blend(_) if depth + 1 >= MAX_NESTED_BLENDS => {
                    let text = format!("blends are nested more than {MAX_NESTED_BLENDS} deep");
                    self.problem(at, text);
                    continue;
                }
                PointContent::Blend(inner) => self.node(inner, sync, at, depth + 1, blend),
            };
            let position = point
                .position
                .or_else(|| self.measured_position(&point.content, axes, at, name));
            points.push((position.unwrap_or_default(), child));
        }
        if axes == 1 {
            points.sort_by(|a, b| a.0[0].total_cmp(&b.0[0]));
        }
        // Blends with too many points are an error already, so the quadratic comparison is limited.
        let compared = &points[..points.len().min(MAX_BLEND_CLIPS)];
        let is_duplicate = |i: usize| compared[..i].iter().any(|other| other.0 == compared[i].0);
        if (0..compared.len()).any(is_duplicate) {
            self.problem(at, format!("two points of {name} have the same position"));
        }
        let positions = points.iter().map(|(position, _)| Vec2::from(*position));
        let node = &mut blend.nodes[number];
        node.space = match def.space {
            SpaceDef::Line(_) => BlendSpace::line(positions.map(|position| position.x)),
            SpaceDef::Plane(..) => BlendSpace::plane(positions),
            SpaceDef::Polar(..) => BlendSpace::polar(positions),
        };
        node.children = points.iter().map(|(_, child)| *child).collect();
        Child::Node(number)
    }

    /// Position of a clip from the motion of the feet: its ground speed, or its velocity to the side and ahead.
    fn measured_position(
        &mut self,
        content: &PointContent,
        axes: usize,
        at: &SourceLocation,
        blend: &str,
    ) -> Option<[f32; 2]> {
        let PointContent::Clip(name) = content else {
            self.problem(
                at,
                format!("{blend}: an inner blend needs a position: {{ value, blend }}"),
            );
            return None;
        };
        let clip = self.clips.find(name)?;
        let Some(velocity) = self.clips.ground_velocity(clip) else {
            let text = format!(
                "{blend}: cannot measure the ground speed of clip {name:?}; give its position: {{ value, \
                 {name:?} }}"
            );
            self.problem(at, text);
            return None;
        };
        Some(if axes == 1 {
            [velocity.length(), 0.0]
        } else {
            [velocity.x, velocity.z]
        })
    }
}

/// For each event of a track, the indices of the step marks. Each mark belongs to the nearest event.
fn steps(track: &SyncTrack, marks: &[Marker]) -> Vec<Vec<usize>> {
    let duration = track.duration();
    let mut steps = vec![Vec::new(); track.events().len()];
    for (i, mark) in marks.iter().enumerate() {
        if mark.event != STEP || mark.duration > 0.0 {
            continue;
        }
        let distance = |t: f32| {
            let distance = (t - mark.time).rem_euclid(duration);
            distance.min(duration - distance)
        };
        let events = track.events().iter().enumerate();
        let nearest = events.min_by(|a, b| distance(a.1.t).total_cmp(&distance(b.1.t)));
        if let Some((event, _)) = nearest {
            steps[event].push(i);
        }
    }
    steps
}
