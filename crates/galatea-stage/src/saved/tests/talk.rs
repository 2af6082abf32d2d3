use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::{add_machine, add_man, check, man, run, stage};
use crate::ui::{UiContent, UiItem};
use crate::{Saying, SpeechVoice, StageUi};
use galatea_speech::line::Line;
use galatea_speech::marks::parse;
use galatea_speech::mouth::MouthOptions;
use galatea_speech::plan::{LipSync, PlanOptions, plan};
use galatea_speech::text::Pronouncer;

fn caption(text: &str) -> UiItem {
    UiItem {
        content: UiContent::Caption {
            speaker: "Anna".into(),
            text: text.into(),
        },
        offset: Vec2::ZERO,
        anchor: Vec2::ZERO,
        color: Vec3::ONE,
        opacity: 1.0,
        visible: true,
        z_index: 0,
        order: 0,
        world_position: None,
    }
}

fn saying(text: &str) -> Saying {
    let marked = parse(text).unwrap();
    let options = PlanOptions {
        rate: 1.0,
        lipsync: LipSync::Auto,
        level: true,
    };
    let planned = plan(&marked, None, &options, &Pronouncer::default()).unwrap();
    let line = Line::new(&marked, planned.track, &MouthOptions::default());
    Saying {
        mixes: vec![None; line.items.len()],
        caption: Some(caption(&line.text)),
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

#[test]
fn a_spoken_line_with_a_caption_and_an_interface() {
    let mut stage = stage();
    let handle = add_man(&mut stage, "anna", Vec3::ZERO);
    stage.ui.insert(StageUi::new(caption("hello"), None));
    let saying = saying("Hello there, {event=bow} how are you today? I am very well indeed.");
    stage
        .speech
        .say(&mut stage.ids, handle, saying, 0.0)
        .unwrap();
    check("speech", stage, 40);
}

#[test]
fn ten_characters() {
    let mut stage = stage();
    for i in 0..10 {
        let handle = add_man(&mut stage, &format!("man {i}"), Vec3::X * i as f32);
        add_machine(&mut stage, handle);
        if let Some(character) = stage.characters.get_mut(handle) {
            let definition = man();
            character
                .modifiers
                .add_default_idle_motion(&definition, i, handle.to_u64());
        }
    }
    run(&mut stage, 2);
    let n = check("ten", stage, 60);
    assert!(n < 600_000, "{n}");
}
