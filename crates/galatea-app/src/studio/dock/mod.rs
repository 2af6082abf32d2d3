//! The studio: panels around the picture that show the running scene. Actions of the user come out as [`StudioAction`]s.

mod debugger_pane;
mod decisions;
mod face_pane;
mod game_bar;
mod graph_layout;
mod graph_view;
mod icons;
mod layout;
mod machine_pane;
mod meters_pane;
mod output;
mod picture_pane;
mod pose_pane;
mod profile_pane;
mod scene_pane;
mod style;
mod test_menu;
mod timeline_pane;
mod timeline_tracks;
mod value_editor;
mod values_pane;
mod variables_view;

use egui::{Rect, Ui};

use crate::studio_facts::{StudioAction, StudioFacts};
use debugger_pane::DebuggerPane;
use face_pane::FacePane;
pub use layout::StudioPane;
use machine_pane::MachinePane;
use output::StudioOutput;
use picture_pane::PicturePane;
use pose_pane::PosePane;
use profile_pane::ProfilePane;
use scene_pane::ScenePane;
pub use style::set_style;
use timeline_pane::TimelinePane;
use values_pane::ValuesPane;

/// The studio of a window: the layout of its panels, the selection, and the state of each panel.
pub struct StudioDock {
    tree: egui_tiles::Tree<StudioPane>,
    /// Name of the selected character.
    selected: Option<String>,
    scene: ScenePane,
    machine: MachinePane,
    pose: PosePane,
    face: FacePane,
    values: ValuesPane,
    profile: ProfilePane,
    timeline: TimelinePane,
    debugger: DebuggerPane,
    picture: PicturePane,
    /// Actions since the last call of [`StudioDock::take_actions`], and areas of the last pass.
    out: StudioOutput,
}

impl Default for StudioDock {
    fn default() -> Self {
        Self {
            tree: layout::usual(),
            selected: None,
            scene: ScenePane::default(),
            machine: MachinePane::default(),
            pose: PosePane::default(),
            face: FacePane::default(),
            values: ValuesPane::default(),
            profile: ProfilePane::default(),
            timeline: TimelinePane::default(),
            debugger: DebuggerPane::default(),
            picture: PicturePane::default(),
            out: StudioOutput::default(),
        }
    }
}

impl StudioDock {
    /// A studio with a layout that [`StudioDock::layout`] has returned; the usual one if it cannot be read.
    pub fn with_layout(text: &str) -> Self {
        Self {
            tree: layout::read(text).unwrap_or_else(layout::usual),
            ..Self::default()
        }
    }

    /// The layout as text.
    pub fn layout(&self) -> Option<String> {
        serde_json::to_string(&self.tree).ok()
    }

    /// Name of the selected character.
    pub fn selected(&self) -> Option<&str> {
        self.selected.as_deref()
    }

    /// Selects a character by its name; `None` selects nothing.
    pub fn select(&mut self, name: Option<&str>) {
        self.selected = name.map(str::to_owned);
    }

    /// Brings a panel to the front of its tabs.
    pub fn open(&mut self, pane: StudioPane) {
        let wanted = self.tree.tiles.find_pane(&pane);
        self.tree.make_active(|tile, _| Some(tile) == wanted);
    }

    /// Returns and removes the actions of the user. A selection has taken effect already.
    pub fn take_actions(&mut self) -> Vec<StudioAction> {
        std::mem::take(&mut self.out.actions)
    }

    /// Corners of something in the last pass, points: left, top, right and bottom. Names are a kind and a name: `row hero`,
    /// `state walk`, `param speed`, `layer arms`, `button Pause`, `tick 120`. For programs that drive the studio.
    pub fn area(&self, name: &str) -> Option<[f32; 4]> {
        let area = self.out.area(name)?;
        Some([area.min.x, area.min.y, area.max.x, area.max.y])
    }

    /// Area of the picture in the last pass, points.
    pub fn picture_area(&self) -> Rect {
        self.picture.area
    }

    /// Shows all panels. `texture` is the picture.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        facts: &StudioFacts<'_>,
        texture: Option<egui::TextureId>,
    ) {
        let Self {
            tree,
            selected,
            scene,
            machine,
            pose,
            face,
            values,
            profile,
            timeline,
            debugger,
            picture,
            out,
        } = self;
        out.begin();
        let n_before = out.actions.len();
        if game_bar::show(ui, facts, selected.as_deref(), out) {
            *tree = layout::usual();
        }
        let mut panes = Panes {
            facts,
            texture,
            picture_tile: tree.tiles.find_pane(&StudioPane::Picture),
            scene,
            machine,
            pose,
            face,
            values,
            profile,
            timeline,
            debugger,
            picture,
            out,
        };
        egui::CentralPanel::default()
            .frame(egui::Frame::NONE)
            .show(ui, |ui| tree.ui(&mut panes, ui));
        for action in out.actions.iter().skip(n_before) {
            if let StudioAction::Select(name) = action {
                selected.clone_from(name);
            }
        }
    }
}

/// The panes while they are shown.
struct Panes<'p, 'f> {
    facts: &'p StudioFacts<'f>,
    texture: Option<egui::TextureId>,
    picture_tile: Option<egui_tiles::TileId>,
    scene: &'p mut ScenePane,
    machine: &'p mut MachinePane,
    pose: &'p mut PosePane,
    face: &'p mut FacePane,
    values: &'p mut ValuesPane,
    profile: &'p mut ProfilePane,
    timeline: &'p mut TimelinePane,
    debugger: &'p mut DebuggerPane,
    picture: &'p mut PicturePane,
    out: &'p mut StudioOutput,
}

impl egui_tiles::Behavior<StudioPane> for Panes<'_, '_> {
    fn pane_ui(
        &mut self,
        ui: &mut Ui,
        _: egui_tiles::TileId,
        pane: &mut StudioPane,
    ) -> egui_tiles::UiResponse {
        let (facts, out) = (self.facts, &mut *self.out);
        match pane {
            StudioPane::Picture => self.picture.show(ui, self.texture),
            StudioPane::Scene => style::padded(ui, |ui| self.scene.show(ui, facts, out)),
            StudioPane::Machine => style::padded(ui, |ui| self.machine.show(ui, facts, out)),
            StudioPane::Pose => style::padded(ui, |ui| self.pose.show(ui, facts, out)),
            StudioPane::Face => style::padded(ui, |ui| self.face.show(ui, facts, out)),
            StudioPane::Values => style::padded(ui, |ui| self.values.show(ui, facts, out)),
            StudioPane::Profile => style::padded(ui, |ui| self.profile.show(ui, facts, out)),
            StudioPane::Meters => style::padded(ui, |ui| meters_pane::show(ui, facts, out)),
            StudioPane::Timeline => style::padded(ui, |ui| self.timeline.show(ui, facts, out)),
            StudioPane::Debugger => style::padded(ui, |ui| self.debugger.show(ui, facts, out)),
        }
        egui_tiles::UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &StudioPane) -> egui::WidgetText {
        pane.title().into()
    }

    fn simplification_options(&self) -> egui_tiles::SimplificationOptions {
        egui_tiles::SimplificationOptions {
            all_panes_must_have_tabs: true,
            ..Default::default()
        }
    }

    fn is_tab_bar_visible(&self, _: egui_tiles::TileId, tabs: &egui_tiles::Tabs) -> bool {
        // The picture needs no title.
        !matches!((tabs.children.as_slice(), self.picture_tile), ([only], Some(picture)) if *only == picture)
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        style::GAP
    }
}
