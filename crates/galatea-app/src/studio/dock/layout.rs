//! Layout of the panels.

use egui_tiles::{Container, Linear, LinearDir, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};

/// A panel of the studio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StudioPane {
    /// The picture of the game.
    Picture,
    /// Everything in the scene.
    Scene,
    /// The state machine of the selected character.
    Machine,
    /// Modifiers and bones of the selected character.
    Pose,
    /// Expressions and speech of the selected character.
    Face,
    /// Values in the scripts.
    Values,
    /// Meters of the selected character.
    Meters,
    /// Durations of the parts of a frame.
    Profile,
    /// Tracks of the selected character over time.
    Timeline,
    /// Breakpoints, and the stopped script.
    Debugger,
}

impl StudioPane {
    /// All panels.
    const ALL: [Self; 10] = [
        Self::Picture,
        Self::Scene,
        Self::Machine,
        Self::Pose,
        Self::Face,
        Self::Values,
        Self::Meters,
        Self::Profile,
        Self::Timeline,
        Self::Debugger,
    ];

    /// Title of its tab.
    pub fn title(self) -> &'static str {
        match self {
            Self::Picture => "Picture",
            Self::Scene => "Scene",
            Self::Machine => "Machine",
            Self::Pose => "Pose",
            Self::Face => "Face",
            Self::Values => "Values",
            Self::Meters => "Meters",
            Self::Profile => "Profile",
            Self::Timeline => "Timeline",
            Self::Debugger => "Debugger",
        }
    }
}

/// The usual layout.
pub fn usual() -> Tree<StudioPane> {
    let mut tiles = Tiles::default();
    let scene = tiles.insert_pane(StudioPane::Scene);
    let picture = tiles.insert_pane(StudioPane::Picture);
    let machine = tiles.insert_pane(StudioPane::Machine);
    let others = [
        StudioPane::Pose,
        StudioPane::Face,
        StudioPane::Values,
        StudioPane::Profile,
        StudioPane::Debugger,
    ];
    let others = others.map(|pane| tiles.insert_pane(pane));
    let right = std::iter::once(machine).chain(others).collect();
    let character = tiles.insert_tab_tile(right);
    let below = [StudioPane::Timeline, StudioPane::Meters].map(|pane| tiles.insert_pane(pane));
    let below = tiles.insert_tab_tile(below.to_vec());
    let middle = linear(
        &mut tiles,
        LinearDir::Vertical,
        [(picture, 0.68), (below, 0.32)],
    );
    let parts = [(scene, 0.17), (middle, 0.53), (character, 0.30)];
    let root = linear(&mut tiles, LinearDir::Horizontal, parts);
    Tree::new(tree_id(), root, tiles)
}

fn tree_id() -> egui::Id {
    egui::Id::unique("studio")
}

fn linear<const N: usize>(
    tiles: &mut Tiles<StudioPane>,
    direction: LinearDir,
    children: [(TileId, f32); N],
) -> TileId {
    let mut linear = Linear::new(
        direction,
        children.iter().map(|(child, _)| *child).collect(),
    );
    for (child, share) in children {
        linear.shares.set_share(child, share);
    }
    tiles.insert_container(Container::Linear(linear))
}

/// Reads a saved layout; `None` if it is not a layout with each panel once.
pub fn read(text: &str) -> Option<Tree<StudioPane>> {
    let tree: Tree<StudioPane> = serde_json::from_str(text).ok()?;
    let is_complete = StudioPane::ALL.iter().all(|pane| {
        let same = tree.tiles.tiles().filter(|tile| match tile {
            egui_tiles::Tile::Pane(known) => known == pane,
            egui_tiles::Tile::Container(_) => false,
        });
        same.count() == 1
    });
    (is_complete && tree.root().is_some()).then_some(tree)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_read_again_and_incomplete_ones_refused() {
        let text = serde_json::to_string(&usual()).unwrap();
        assert!(read(&text).is_some());
        assert!(read(&text.replace("\"Machine\"", "\"Scene\"")).is_none());
        assert!(read(&text.replace("\"Machine\"", "\"Unknown\"")).is_none());
        assert!(read("").is_none());
    }
}
