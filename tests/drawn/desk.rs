//! A studio without a window, with a scripted mouse.

use galatea::app::studio_facts::StudioAction;
use galatea::app::{PlayerProfile, Session};
use galatea::asset::Project;
use galatea::render::{Gpu, Picture, ShaderSource};
use galatea::stage::Frame;
use galatea::studio::{OverPicture, StudioDock, StudioPass, Typed, View};

use crate::driver::gpu;
use crate::folder::Folder;
use crate::sessions;

pub const MAIN: &str = r#"local hero = character("assets/mannequin.glb", { name = "hero" })
camera.orbit { target = vec(0, 0.9, 0), distance = 4.5, yaw = 20, pitch = 6 }
hero.machine = machine {
	params = { speed = 0, armed = false },
	layer "body" {
		state "stand" { "idle" },
		state "move" { blend1d { param = "speed", { 0, "idle" }, { 1.4, "walk" }, { 4, "run" } } },
		state "air" {
			state "up" { "jump", mode = "once" },
			state "fall" { "idle" },
			transition_to "fall" { from = "up", at_end = true },
		},
		transition_to "move" { from = "stand", when = "speed > 0.2", fade = 0.4 },
		transition_to "stand" { from = "move", when = "speed < 0.2", fade = 0.3 },
		transition_to "air" { from = { "stand", "move" }, on = "jump" },
		transition_to "stand" { from = "air", when = "speed < 0 and not armed" },
	},
	layer "arms" { mask = "upper_body", state "rest" {}, state "hail" { "wave" }, transition_to "hail" { on = "hail" } },
}
hero:foot_ik()
physics.box { position = vec(1.2, 0.3, -0.5), size = vec(0.5, 0.6, 0.5), mass = 2 * 15, name = "crate" }
light.point { position = vec(2, 2, 2), color = vec(1, 0.8, 0.6) }
local shown = ui.text("score 12", { position = vec(12, 12) })
hero:task(function(t)
	t:wait(0.5)
	hero.machine.params.speed = 1.2
	t:wait(0.8)
	hero:say "Hello there."
end)
"#;

/// A studio without a window.
pub struct Desk {
    _folder: Folder,
    pub gpu: Gpu,
    pub view: View,
    pub session: Session,
    pub dock: StudioDock,
    pub size: (u32, u32),
    pub scale: f32,
    /// Number of pictures so far.
    pub n_pictures: u32,
    pub script: String,
}

impl Desk {
    pub fn new() -> Option<Self> {
        Self::with_script("")
    }

    /// A studio of [`MAIN`] with more lines.
    pub fn with_script(more: &str) -> Option<Self> {
        let gpu = gpu()?;
        let script = format!("{MAIN}{more}");
        let folder = Folder::project("studio", &script);
        let project = Project::open(&folder.0).unwrap();
        let player = PlayerProfile::anonymous();
        let mut session = Session::open_for_console(project, sessions::silent(), player).unwrap();
        session.keep_past(60.0);
        let view = View::headless(&gpu, &ShaderSource::embedded()).unwrap();
        Some(Self {
            _folder: folder,
            gpu,
            view,
            session,
            dock: StudioDock::default(),
            size: (1280, 720),
            scale: 1.0,
            n_pictures: 0,
            script,
        })
    }

    /// Number of the first line of the script that contains a text.
    pub fn line_of(&self, text: &str) -> u32 {
        let line = self.script.lines().position(|line| line.contains(text));
        line.unwrap() as u32 + 1
    }

    pub fn tick(&mut self, n: u32) {
        for _ in 0..n {
            sessions::tick(&mut self.session);
        }
    }

    /// Draws a picture after some input, and does what the studio wants. Returns the actions too.
    pub fn picture(&mut self, typed: &[Typed]) -> (Picture, Vec<StudioAction>) {
        let mut frame = Frame::default();
        self.session.frame(1.0, &mut frame);
        self.n_pictures += 1;
        let seconds = f64::from(self.n_pictures) / 60.0;
        let selected = self.dock.selected().map(str::to_owned);
        let facts = self.session.studio_facts(selected.as_deref());
        let over = OverPicture {
            studio: Some(StudioPass::scripted(&mut self.dock, facts, typed, seconds)),
            ..OverPicture::default()
        };
        let drawn = self
            .view
            .draw_all_to_picture(&self.gpu, &frame, self.size, self.scale, over);
        let actions = self.dock.take_actions();
        for action in &actions {
            self.session.perform(action).unwrap();
        }
        (drawn.unwrap(), actions)
    }

    pub fn center(&self, name: &str) -> (f32, f32) {
        let area = self.dock.area(name);
        let [left, top, right, bottom] = area.unwrap_or_else(|| panic!("{name} is shown"));
        ((left + right) * 0.5, (top + bottom) * 0.5)
    }

    /// Presses and releases the mouse on something. Returns the actions.
    pub fn click(&mut self, name: &str) -> Vec<StudioAction> {
        // Shows what the last actions have changed.
        self.picture(&[]);
        let (x, y) = self.center(name);
        self.picture(&[Typed::Pointer(x, y)]);
        let (_, mut actions) = self.picture(&[Typed::Button(x, y, true)]);
        actions.extend(self.picture(&[Typed::Button(x, y, false)]).1);
        actions
    }

    pub fn state(&mut self) -> String {
        let answer = self
            .session
            .answer("find_character('hero').machine:state()");
        answer.result.unwrap().join(" ")
    }
}
