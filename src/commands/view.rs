//! The debug view of a command.

use clap::Args;

use galatea_stage::{CharacterSelector, DebugView, Stage, ViewKind};

/// Arguments of commands that draw.
#[derive(Clone, Debug, Default, Args)]
pub struct ViewArg {
    /// Debug view: skeleton, weights, wireframe, normals, tangents, uv, overdraw, bounds, bodies, light, morphs, unlit,
    /// roughness, metallic, occlusion, depth or springs (docs/views.md)
    #[arg(long, value_name = "NAME", value_parser = ViewKind::of)]
    view: Option<ViewKind>,
    /// With --view weights: show only this bone
    #[arg(long, value_name = "NAME", requires = "view")]
    bone: Option<String>,
    /// With --view morphs: show only this morph, at weight 1
    #[arg(long, value_name = "NAME", requires = "view")]
    morph: Option<String>,
    /// Show only this character, by its name or its file name
    #[arg(long, value_name = "CHARACTER", requires = "view")]
    character: Option<String>,
    /// With --view normals or tangents: draw a line at every vertex
    #[arg(long, requires = "view")]
    vertex_lines: bool,
    /// Hide the legend of the colours
    #[arg(long, requires = "view")]
    no_legend: bool,
}

impl ViewArg {
    /// Applies the view to a stage, if one was requested.
    ///
    /// # Errors
    /// When an argument does not fit the view.
    pub fn show(&self, stage: &mut Stage) -> anyhow::Result<()> {
        let Some(kind) = self.view else { return Ok(()) };
        let goes_with = |given: bool, what: &str, with: &[ViewKind]| {
            let names: Vec<_> = with.iter().map(|kind| kind.name()).collect();
            let names = names.join(" or ");
            anyhow::ensure!(
                !given || with.contains(&kind),
                "{what} requires --view {names}"
            );
            Ok(())
        };
        goes_with(self.bone.is_some(), "--bone", &[ViewKind::Weights])?;
        goes_with(self.morph.is_some(), "--morph", &[ViewKind::Morphs])?;
        goes_with(
            self.vertex_lines,
            "--vertex-lines",
            &[ViewKind::Normals, ViewKind::Tangents],
        )?;
        let text = |name: &Option<String>| name.as_deref().map(Into::into);
        stage.picture.view = Some(DebugView {
            bone: text(&self.bone),
            morph: text(&self.morph),
            only: self
                .character
                .as_deref()
                .map(|name| CharacterSelector::Named(name.into())),
            vertex_lines: self.vertex_lines,
            legend: !self.no_legend,
            ..DebugView::new(kind)
        });
        Ok(())
    }

    /// Removes the legend, for pictures too small to read it.
    pub fn without_legend(&self) -> Self {
        Self {
            no_legend: true,
            ..self.clone()
        }
    }
}
