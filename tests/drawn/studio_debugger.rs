//! The debugger of the studio, with a scripted mouse.

use galatea::app::debug_facts::DebugAction;
use galatea::app::studio_facts::StudioAction;
use galatea::app::{PlayerProfile, Session, StoppableGame};
use galatea::asset::Project;
use galatea::render::{Gpu, Picture, ShaderSource};
use galatea::script::{ScriptStep, StopReason};
use galatea::stage::Frame;
use galatea::studio::{OverPicture, StudioDock, StudioPane, StudioPass, Typed, View};

use crate::driver::gpu;
use crate::folder::Folder;
use crate::looked_at;
use crate::sessions;

const MAIN: &str = r#"local hero = character("assets/mannequin.glb", { name = "hero" })
camera.orbit { target = vec(0, 0.9, 0), distance = 4.5, yaw = 20, pitch = 6 }
hero:play("walk", { mode = "loop" })

local guard = { post = vec(2, 0, 1), radius = 1.5, alarms = 0 }

local function is_near(place, radius)
	local way = place - hero.position
	return vector.magnitude(way) < radius
end

function update(dt)
	hero.position += vec(0, 0, 1.2 * dt)
	if is_near(guard.post, guard.radius) then
		guard.alarms += 1
		hero.yaw += 90 * dt
	end
end
"#;

/// A game with a studio, without a window.
struct DebugDesk {
    _folder: Folder,
    gpu: Gpu,
    view: View,
    game: StoppableGame,
    dock: StudioDock,
    frame: Frame,
    n_pictures: u32,
}

impl DebugDesk {
    fn new() -> Option<Self> {
        let gpu = gpu()?;
        let folder = Folder::project("studio-debugger", MAIN);
        let project = Project::open(&folder.0).unwrap();
        let player = PlayerProfile::anonymous();
        let session = Session::open_for_console(project, sessions::silent(), player).unwrap();
        let view = View::headless(&gpu, &ShaderSource::embedded()).unwrap();
        let mut desk = Self {
            _folder: folder,
            gpu,
            view,
            game: StoppableGame::new(session),
            dock: StudioDock::default(),
            frame: Frame::default(),
            n_pictures: 0,
        };
        desk.dock.open(StudioPane::Debugger);
        desk.tick(3);
        Some(desk)
    }

    fn tick(&mut self, n: u32) {
        for _ in 0..n {
            self.game.run(Session::tick);
        }
    }

    /// Draws a picture as the window does, and does what the studio wants. Returns the actions too.
    fn picture(&mut self, typed: &[Typed]) -> (Picture, Vec<StudioAction>) {
        if let Some(session) = self.game.session() {
            session.frame(1.0, &mut self.frame);
        }
        self.n_pictures += 1;
        let seconds = f64::from(self.n_pictures) / 60.0;
        let facts = self.game.studio_facts(Some("hero"));
        let over = OverPicture {
            studio: Some(StudioPass::scripted(&mut self.dock, facts, typed, seconds)),
            ..OverPicture::default()
        };
        let (gpu, frame) = (&self.gpu, &self.frame);
        let drawn = self
            .view
            .draw_all_to_picture(gpu, frame, (1280, 720), 1.0, over);
        let actions = self.dock.take_actions();
        for action in &actions {
            if let StudioAction::Debug(action) = action {
                self.game.debug(action);
            }
        }
        (drawn.unwrap(), actions)
    }

    fn click(&mut self, name: &str) -> Vec<StudioAction> {
        self.picture(&[]);
        let area = self.dock.area(name);
        let [left, top, right, bottom] = area.unwrap_or_else(|| panic!("{name} is shown"));
        let (x, y) = ((left + right) * 0.5, (top + bottom) * 0.5);
        self.picture(&[Typed::Pointer(x, y)]);
        let (_, mut actions) = self.picture(&[Typed::Button(x, y, true)]);
        actions.extend(self.picture(&[Typed::Button(x, y, false)]).1);
        actions
    }

    fn line(&self) -> u32 {
        self.game.stop().expect("a script is stopped").frames[0].line
    }
}

#[test]
fn a_click_sets_a_breakpoint_and_the_buttons_step() {
    let Some(mut desk) = DebugDesk::new() else {
        return;
    };
    desk.picture(&[]);
    let toggled = desk.click("line scripts/main.lua:8");
    let toggle = DebugAction::Toggle {
        file: "scripts/main.lua".into(),
        line: 8,
    };
    assert_eq!(toggled, [StudioAction::Debug(toggle)]);
    desk.tick(1);
    assert_eq!(desk.line(), 8);
    assert!(desk.dock.area("button Over").is_none(), "not drawn yet");
    desk.click("button Over");
    assert_eq!(desk.line(), 9);
    // A watched expression, and an opened value.
    desk.click("field watch");
    desk.picture(&[Typed::Text("guard.post - hero.position".into())]);
    desk.click("frame 0");
    let stop = desk.game.stop().unwrap();
    let watched = stop.watches[0].as_ref().unwrap();
    assert!(watched.value.starts_with("vector(2, 0, "), "{watched:?}");
    desk.click("frame 1");
    assert_eq!(desk.game.stop().unwrap().frame, 1);
    desk.click("variable hero");
    let (picture, _) = desk.picture(&[]);
    looked_at::compare("studio_debugger", &picture).unwrap();
    assert_eq!(desk.game.stop().unwrap().parts.len(), 1);
    desk.click("button Out");
    assert_eq!(
        (desk.line(), desk.game.stop().unwrap().reason.clone()),
        (18, StopReason::Step)
    );
    desk.click("button Continue");
    assert!(desk.game.stop().is_none());
    // Without the breakpoint it runs on; a pause stops at the next line.
    desk.click("line scripts/main.lua:8");
    desk.tick(2);
    assert!(desk.game.stop().is_none());
    desk.click("button Pause script");
    desk.tick(1);
    assert_eq!(desk.game.stop().unwrap().reason, StopReason::Pause);
    desk.game.step(ScriptStep::Continue);
    desk.click("button Stop at errors");
    assert!(desk.game.debugger().breaks_on_errors());
}
