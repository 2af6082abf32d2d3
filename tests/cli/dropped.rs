//! Files dropped on the window replace the content, or are refused with a message.

use std::fs;
use std::path::{Path, PathBuf};

use galatea::anim::humanoid::Role;
use galatea::app::dropped::session_of;
use galatea::app::{Session, SessionOptions, SoundOutput};
use galatea::asset::Project;

use crate::takes;

const OPTIONS: SessionOptions = SessionOptions {
    sound: SoundOutput::Silent,
    watch: false,
    quiet: true,
    wait: true,
};

fn home() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn viewing(file: &Path) -> Session {
    Session::open(Project::show(file, None).unwrap(), OPTIONS).unwrap()
}

/// A figure that lifts an arm, in its own folder.
fn take() -> PathBuf {
    let dir = std::env::temp_dir().join(format!("galatea-dropped-{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    let file = dir.join("lift.bvh");
    fs::write(&file, takes::human(1.0)).unwrap();
    file
}

#[test]
fn dropped_motion_plays_on_the_shown_model_and_models_replace_it() {
    let take = take();
    let mut session = viewing(&home().join("assets/mannequin.glb"));
    let mut session = session_of(&take, &mut session, OPTIONS).expect("it is played");
    assert_eq!(session.diagnostics.errors().count(), 0);
    for _ in 0..40 {
        session.tick();
    }
    let (_, hero) = session.stage.characters.iter().next().unwrap();
    let clips: Vec<&str> = hero
        .definition
        .clips
        .iter()
        .map(|clip| &*clip.name)
        .collect();
    assert!(clips.contains(&"lift: lift"), "{clips:?}");
    assert!(clips.contains(&"idle"), "its own stay");
    // It plays at once: the left hand rises as in the take.
    let height = |session: &Session| {
        let (_, hero) = session.stage.characters.iter().next().unwrap();
        let humanoid = hero.definition.clips.humanoid();
        let hand = humanoid.bone(Role::LeftHand).unwrap();
        hero.posed.bone_position(hand).y
    };
    let low = height(&session);
    for _ in 0..15 {
        session.tick();
    }
    assert!(height(&session) > low + 0.05, "{low} {}", height(&session));

    // A second one is added to the first.
    let again = take.with_file_name("more.bvh");
    fs::copy(&take, &again).unwrap();
    let mut session = session_of(&again, &mut session, OPTIONS).unwrap();
    let (_, hero) = session.stage.characters.iter().next().unwrap();
    let n_lent = hero
        .definition
        .clips
        .iter()
        .filter(|clip| clip.name.contains(": "))
        .count();
    assert_eq!(n_lent, 2);

    // Another model, a script, a project.
    let mut session = session_of(&home().join("assets/bird.glb"), &mut session, OPTIONS).unwrap();
    assert_eq!(session.project.name(), "bird.glb");
    let mut session = session_of(
        &home().join("scripts/examples/walker.lua"),
        &mut session,
        OPTIONS,
    )
    .unwrap();
    assert!(session.project.viewed.is_none());

    // An unsupported file is reported, and the content continues.
    let junk = take.with_file_name("notes.pdf");
    fs::write(&junk, "nothing").unwrap();
    assert!(session_of(&junk, &mut session, OPTIONS).is_none());
    let told: Vec<String> = session.diagnostics.errors().map(str::to_owned).collect();
    assert!(
        told.iter().any(|text| text.contains("notes.pdf")),
        "{told:?}"
    );
    let broken = take.with_file_name("broken.glb");
    fs::write(&broken, "glTF and no more").unwrap();
    assert!(session_of(&broken, &mut session, OPTIONS).is_none());
    let told: Vec<&str> = session.diagnostics.errors().collect();
    assert!(
        told.iter().any(|text| text.contains("broken.glb")),
        "{told:?}"
    );
    fs::remove_dir_all(take.parent().unwrap()).unwrap();
}
