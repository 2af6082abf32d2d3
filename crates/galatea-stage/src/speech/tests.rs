use galatea_anim::{Bone, Skeleton};
use galatea_asset::Model;
use galatea_asset::model::{Mesh, MorphTarget, Part, Primitive};
use galatea_character::{Definition, Placement};
use galatea_math::Trs;
use galatea_speech::marks::parse;
use galatea_speech::mouth::MouthOptions;
use galatea_speech::plan::{LipSync, PlanOptions, plan};
use galatea_speech::text::Pronouncer;
use galatea_speech::viseme::VISEMES;
use glam::Vec2;

use super::*;
use crate::event::{ConversationEnd, ConversationEventKind};
use crate::hits::Hit;
use crate::ui::UiContent;
use crate::{
    Addressed, ConversationOptions, ConversationPlan, ConversationStep, ConversationTurn, Frame,
    Member, Script, Stage, StepKind, tick,
};

/// Records the events that a script receives.
#[derive(Default)]
struct HeardEvents {
    heard: Vec<Event>,
}

impl Script for HeardEvents {
    fn update(&mut self, _: &mut Stage, _: f64) {}
    fn params(&mut self, _: Handle, _: &mut [f32]) {}
    fn evaluate(&mut self, _: Handle, _: galatea_machine::Predicate) -> bool {
        false
    }
    fn react_to_hit(
        &mut self,
        _: &mut Stage,
        _: Handle,
        _: &Hit,
        reaction: galatea_character::HitReaction,
    ) -> Option<galatea_character::HitReaction> {
        Some(reaction)
    }
    fn deliver(&mut self, _: &mut Stage, events: &[Event]) {
        self.heard.extend_from_slice(events);
    }
}

impl HeardEvents {
    /// Names of speech and conversation events, with the number of the turn or mark.
    fn names(&self) -> Vec<String> {
        let name = |event: &Event| match &event.kind {
            EventKind::Say(say) => match &say.kind {
                LineEvent::Phoneme(..) => None,
                LineEvent::Cue(line, i) => match &line.items[*i].action {
                    MarkAction::Event { name, .. } => Some(format!("cue {name}")),
                    other => Some(format!("{other:?}")),
                },
                LineEvent::End(reason, _) => Some(format!("said {reason:?}")),
                other => Some(other.name().to_owned()),
            },
            EventKind::Converse(talk) => match &talk.kind {
                ConversationEventKind::Turn(taken, _) => Some(format!("turn {}", taken.number)),
                ConversationEventKind::TurnEnd(taken, why) => {
                    Some(format!("{why} of {}", taken.number))
                }
                ConversationEventKind::End(ConversationEnd::End) => Some("over".to_owned()),
                other => Some(format!("{other:?}")),
            },
            _ => None,
        };
        self.heard.iter().filter_map(name).collect()
    }
}

/// An English line without a recording.
fn saying(text: &str) -> Saying {
    let marked = parse(text).unwrap();
    let options = PlanOptions {
        rate: 1.0,
        lipsync: LipSync::Auto,
        level: true,
    };
    let planned = plan(&marked, None, &options, &Pronouncer::default()).unwrap();
    let line = Line::new(&marked, planned.track, &MouthOptions::default());
    let caption = UiItem {
        content: UiContent::Caption {
            speaker: "Anna".into(),
            text: line.text.as_str().into(),
        },
        offset: Vec2::ZERO,
        anchor: Vec2::ZERO,
        color: Vec3::ONE,
        opacity: 1.0,
        visible: true,
        z_index: 0,
        order: 0,
        world_position: None,
    };
    Saying {
        mixes: vec![None; line.items.len()],
        caption: (!line.text.is_empty()).then_some(caption),
        line: Arc::new(line),
        voice: SpeechVoice {
            sound: None,
            volume: 1.0,
            keys: None,
            loudness: Arc::default(),
        },
        overlaps: false,
        delay: 0.0,
        names: Arc::default(),
    }
}

/// A triangle with a morph target for each viseme except silence.
fn model() -> Model {
    let visemes = &VISEMES[1..];
    let primitive = Primitive {
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        normals: vec![Vec3::Z; 3],
        indices: vec![0, 1, 2],
        targets: vec![
            MorphTarget {
                positions: vec![Vec3::Z; 3],
                ..MorphTarget::default()
            };
            visemes.len()
        ],
        ..Primitive::default()
    };
    let names = visemes
        .iter()
        .map(|viseme| format!("viseme_{}", viseme.name()));
    let bone = Bone {
        name: "head".into(),
        parent: None,
        rest: Trs::IDENTITY,
        skinned: false,
    };
    Model {
        skeleton: Arc::new(Skeleton::new(vec![bone]).unwrap()),
        meshes: vec![Mesh {
            name: "face".into(),
            primitives: vec![primitive],
            morph_names: names.collect(),
        }],
        parts: vec![Part {
            name: "face".into(),
            morph_weights: vec![0.0; visemes.len()],
            ..Part::default()
        }],
        materials: vec![Default::default()],
        ..Model::default()
    }
}

fn stage() -> (Stage, [Handle; 2]) {
    let mut stage = Stage::default();
    let definition = Arc::new(Definition::new(Arc::new(model())));
    let mut add = |name| {
        let spawn = Placement::default();
        stage.add_character(definition.clone(), "post.glb", Some(name), spawn)
    };
    let handles = [add("anna"), add("ben")];
    (stage, handles)
}

/// Sum of the mouth weights in the frame.
fn mouth(stage: &Stage) -> f32 {
    let mut frame = Frame::default();
    stage.snapshot(1.0, &mut frame);
    assert!(!frame.morph_weights.is_empty());
    frame.morph_weights.iter().sum()
}

fn captions(stage: &Stage) -> usize {
    let now = stage.clock.time();
    let spans = stage.ui.iter().filter_map(|(_, ui)| ui.span);
    spans
        .filter(|(from, to)| (*from..*to).contains(&now))
        .count()
}

#[test]
fn a_line_without_anything_to_pronounce_shows_its_caption_and_fires_its_marks_with_a_closed_mouth()
{
    for (text, seconds) in [
        ("…{event=bow}", 1.05),
        ("🙂{event=bow}", 1.05),
        ("{event=bow}", 0.7),
        ("Доброе утро{event=bow}, как дела?", 2.1),
    ] {
        let (mut stage, [anna, _]) = stage();
        let saying = saying(text);
        let has_caption = saying.caption.is_some();
        stage.speech.say(&mut stage.ids, anna, saying, 0.0).unwrap();
        let mut events = HeardEvents::default();
        let n_ticks = (seconds / stage.clock.dt).ceil() as usize;
        for _ in 0..n_ticks - 2 {
            tick(&mut stage, &mut events);
            assert!(stage.speech.is_speaking(anna), "{text}");
            assert_eq!(captions(&stage), usize::from(has_caption), "{text}");
            assert_eq!(mouth(&stage), 0.0, "{text}");
        }
        for _ in 0..4 {
            tick(&mut stage, &mut events);
        }
        assert!(!stage.speech.is_speaking(anna), "{text}");
        assert_eq!(events.names(), ["say", "cue bow", "said End"], "{text}");
    }
}

#[test]
fn the_mouth_of_a_line_with_words_opens() {
    let (mut stage, [anna, _]) = stage();
    let saying = saying("Good morning.");
    stage.speech.say(&mut stage.ids, anna, saying, 0.0).unwrap();
    let mut events = HeardEvents::default();
    let mut widest = 0.0_f32;
    for _ in 0..40 {
        tick(&mut stage, &mut events);
        widest = widest.max(mouth(&stage));
    }
    assert!(widest > 0.3, "{widest}");
}

#[test]
fn a_conversation_continues_after_a_turn_without_anything_to_pronounce() {
    let (mut stage, [anna, ben]) = stage();
    let member = |name: &str, character| Member {
        name: name.into(),
        character,
    };
    let turn = |number, who, text| ConversationStep {
        number,
        chance: 1.0,
        action: StepKind::Turn(Arc::new(ConversationTurn {
            number,
            speaker: who,
            to: Addressed::Usual,
            saying: Some(saying(text)),
            gap: Some(0.1),
            interrupt: None,
            resume: false,
        })),
    };
    let plan = ConversationPlan {
        key: "silence".to_owned(),
        cast: vec![member("anna", anna), member("ben", ben)],
        steps: vec![turn(1, 0, "So?"), turn(2, 1, "…"), turn(3, 0, "I see.")],
        options: ConversationOptions::default(),
    };
    let now = stage.clock.time();
    let (ids, rng) = (&mut stage.ids, &mut stage.rng);
    stage
        .conversations
        .begin(Arc::new(plan), ids, rng, &mut stage.speech, now)
        .unwrap();
    let mut events = HeardEvents::default();
    let mut shown = 0.0;
    for _ in 0..(5.0 / stage.clock.dt) as usize {
        tick(&mut stage, &mut events);
        if stage.speech.is_speaking(ben) {
            shown += stage.clock.dt;
        }
    }
    let names = events.names();
    let turns: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|name| !["say", "word", "said End"].contains(name))
        .collect();
    assert_eq!(
        turns,
        [
            "turn 1", "end of 1", "turn 2", "end of 2", "turn 3", "end of 3", "over"
        ]
    );
    assert!((shown - 1.05).abs() < 0.05, "{shown}");
}
