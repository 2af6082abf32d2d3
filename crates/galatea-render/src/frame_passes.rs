//! The passes of one frame, in call order.

use super::area::PixelRect;
use super::attachments::color;
use super::frame_buffers::FrameBuffers;
use super::maps::Maps;
use super::options::RenderOptions;
use super::pass::Passes;
use super::pass::geometry::GeometryInput;
use super::pass::occlusion;
use super::pass::particles::ParticlesInput;
use super::pass::smooth::REACH;
use super::pass::views::ViewMode;
use super::plan::Plan;
use super::residency::Residency;
use super::sized::SizedTargets;
use super::timing::Timing;
use galatea_stage::Frame;

/// Clears a target that is fully overwritten or stays black.
const CLEAR: wgpu::LoadOp<wgpu::Color> = wgpu::LoadOp::Clear(wgpu::Color::BLACK);

/// The parts of the renderer that the passes of a frame read.
pub struct FramePasses<'a> {
    pub frame: &'a Frame,
    /// The debug view that replaces the lit image.
    pub view: Option<ViewMode>,
    /// Size of the output, pixels.
    pub size: (u32, u32),
    pub options: &'a RenderOptions,
    pub passes: &'a Passes,
    pub plan: &'a Plan,
    pub residency: &'a Residency,
    pub maps: &'a Maps,
    pub sized: &'a SizedTargets,
    pub buffers: &'a FrameBuffers,
}

/// The encoder and the timestamps of a frame.
pub struct Encoding<'a> {
    pub encoder: &'a mut wgpu::CommandEncoder,
    pub timing: &'a mut Option<Timing>,
}

impl Encoding<'_> {
    /// Begins a render pass with one cleared colour target.
    fn begin(&mut self, label: &'static str, target: &wgpu::TextureView) -> wgpu::RenderPass<'_> {
        self.encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some(label),
            color_attachments: &[color(target, CLEAR)],
            timestamp_writes: self.timing.as_mut().and_then(|t| t.render(label)),
            ..Default::default()
        })
    }
}

impl FramePasses<'_> {
    fn has_ground(&self) -> bool {
        self.frame.ground.is_some() && !self.options.transparent
    }

    fn has_particles(&self) -> bool {
        !self.plan.particles.instances.is_empty()
    }

    /// Deforms vertices.
    pub fn deform(&self, encoding: &mut Encoding<'_>) {
        let groups = &self.buffers.groups;
        let deform = &self.passes.deform;
        deform.encode(
            encoding.encoder,
            encoding.timing,
            groups,
            self.plan,
            self.residency,
        );
    }

    /// Draws the shadow maps and the contact map.
    pub fn shadows(&self, encoding: &mut Encoding<'_>) {
        if self.view.is_some() {
            return;
        }
        let (maps, plan, groups) = (self.maps, self.plan, &self.buffers.groups);
        let shadow = &self.passes.shadow;
        shadow.encode(
            encoding.encoder,
            encoding.timing,
            maps,
            groups,
            plan,
            self.residency,
        );
        let is_empty = !plan.casting.has_contacts;
        let contact = &self.passes.contact;
        contact.encode(encoding.encoder, encoding.timing, maps, groups, is_empty);
    }

    /// Draws depth and normals, then ambient occlusion.
    pub fn occlusion(&self, encoding: &mut Encoding<'_>) {
        let is_used = matches!(self.view, None | Some(ViewMode::Occlusion));
        let Some((surface, own)) = self.sized.occlusion().filter(|_| is_used) else {
            return;
        };
        // The floor has no ambient occlusion far from all models.
        let area = match self.view {
            None => PixelRect::of_models(self.frame, surface.size, occlusion::REACH * 1.2),
            Some(_) => PixelRect::whole(surface.size),
        };
        let groups = &self.buffers.groups;
        let solid = GeometryInput {
            groups,
            solid: &self.plan.solid,
            residency: self.residency,
            has_ground: self.has_ground(),
        };
        let geometry = &self.passes.geometry;
        geometry.encode(encoding.encoder, encoding.timing, surface, &solid);
        let occlusion = &self.passes.occlusion;
        occlusion.encode(
            encoding.encoder,
            encoding.timing,
            surface,
            own,
            groups,
            area,
        );
    }

    /// Lights the points of hair strands.
    pub fn strand_points(&self, encoding: &mut Encoding<'_>) {
        if self.view.is_some() {
            return;
        }
        let (groups, strands) = (&self.buffers.groups, &self.buffers.strands);
        let maps = &self.sized.maps;
        let strand_points = &self.passes.strand_points;
        strand_points.encode(
            encoding.encoder,
            encoding.timing,
            groups,
            maps,
            self.plan,
            strands,
        );
    }

    /// Draws the lit image, or the debug view instead.
    pub fn lit(&self, encoding: &mut Encoding<'_>) {
        let stamps = encoding.timing.as_mut().and_then(|t| t.render("lit"));
        let targets = &self.sized.targets;
        let mut pass = targets.begin(encoding.encoder, stamps, self.has_particles());
        self.bind(&mut pass);
        if let Some(view) = self.view {
            self.draw_view(&mut pass, view);
            return;
        }
        self.draw_opaque(&mut pass);
        if self.has_particles() {
            drop(pass);
            self.particles(encoding);
        } else {
            let (groups, strands) = (&self.buffers.groups, &self.buffers.strands);
            let (mesh, blended) = (&self.passes.mesh, &self.plan.blended);
            mesh.draw(&mut pass, groups, blended, strands, self.residency);
        }
    }

    /// Binds groups 0 and 1 of the passes that draw the lit image.
    fn bind(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(0, &self.buffers.groups.scene, &[]);
        pass.set_bind_group(1, &self.sized.maps, &[]);
    }

    fn draw_view(&self, pass: &mut wgpu::RenderPass<'_>, view: ViewMode) {
        let (groups, maps) = (&self.buffers.groups, &self.sized.maps);
        let behind = (!self.options.transparent).then_some(self.frame);
        let views = &self.passes.views;
        views.draw(pass, groups, maps, self.residency, view, behind);
    }

    /// Draws opaque and cut-out models, impostors, the ground and the sky.
    fn draw_opaque(&self, pass: &mut wgpu::RenderPass<'_>) {
        let (passes, residency) = (self.passes, self.residency);
        let (groups, solid) = (&self.buffers.groups, &self.plan.solid);
        if self.options.depth_first {
            passes.prepass.draw(pass, groups, solid, residency);
        }
        let strands = &self.buffers.strands;
        passes.mesh.draw(pass, groups, solid, strands, residency);
        let squares = self.buffers.impostors.buffer();
        let impostors = &self.plan.agents.impostors;
        passes.impostors.draw(pass, squares, impostors);
        if self.has_ground() {
            passes.ground.draw(pass);
        }
        if !self.options.transparent {
            passes.sky.draw(pass);
        }
    }

    /// Draws blended models and particles over the lit image, reading its depth.
    fn particles(&self, encoding: &mut Encoding<'_>) {
        let stamps = encoding.timing.as_mut().and_then(|t| t.render("blended"));
        let mut pass = self.sized.targets.begin_over(encoding.encoder, stamps);
        self.bind(&mut pass);
        let input = ParticlesInput {
            groups: &self.buffers.groups,
            depth: &self.sized.depth,
            particles: self.buffers.particles.buffer(),
            mesh: &self.passes.mesh,
            strands: &self.buffers.strands,
        };
        let particles = &self.passes.particles;
        particles.draw(&mut pass, input, self.plan, self.residency);
    }

    /// Resolves the samples of the lit image.
    pub fn resolve(&self, encoding: &mut Encoding<'_>) {
        if let Some((resolved, group)) = self.sized.resolved() {
            let mut pass = encoding.begin("resolve", resolved);
            self.passes.resolve.draw(&mut pass, group);
        }
    }

    pub fn bloom(&self, encoding: &mut Encoding<'_>) {
        if let Some(groups) = self.sized.bloom.as_ref().filter(|_| self.view.is_none()) {
            let levels = &self.sized.targets.bloom;
            let bloom = &self.passes.bloom;
            bloom.encode(encoding.encoder, encoding.timing, groups, levels);
        }
    }

    /// Measures the image for automatic exposure.
    pub fn exposure(&self, encoding: &mut Encoding<'_>) {
        let adapts = self.frame.post_processing.auto_exposure.is_some() && self.view.is_none();
        if let Some(group) = self.sized.exposure.as_ref().filter(|_| adapts) {
            let exposure = &self.passes.exposure;
            exposure.encode(encoding.encoder, encoding.timing, group);
        }
    }

    /// Area with models, where edges are smoothed. The rest needs no smoothing.
    pub fn edges(&self) -> PixelRect {
        match self.view {
            None => PixelRect::of_models(self.frame, self.size, 0.0),
            Some(_) => PixelRect::whole(self.size),
        }
    }

    /// Returns the target of the tone map before smoothing, and group 1 of `smooth`; `None` if no edge is smoothed.
    fn smoothed(&self, edges: PixelRect) -> Option<(&wgpu::TextureView, &wgpu::BindGroup)> {
        self.sized.smoothed().filter(|_| !edges.is_empty())
    }

    /// Tone-maps the area that is smoothed afterwards.
    pub fn tonemap(&self, encoding: &mut Encoding<'_>, edges: PixelRect) {
        let Some((toned, _)) = self.smoothed(edges) else {
            return;
        };
        let mut pass = encoding.begin("tonemap", toned);
        edges.grown(REACH, self.size).clip(&mut pass);
        let (passes, group) = (self.passes, &self.sized.tonemap);
        match self.view {
            Some(ViewMode::Overdraw) => passes.views.overdraw.draw(&mut pass, group, true),
            _ => passes.tonemap.draw_toned(&mut pass, group),
        }
    }

    /// Tone-maps the rest onto `target`, then smooths edges and draws lines there.
    pub fn output(
        &self,
        encoding: &mut Encoding<'_>,
        edges: PixelRect,
        target: &wgpu::TextureView,
    ) {
        let (passes, buffers) = (self.passes, self.buffers);
        let mut pass = encoding.begin("output", target);
        let smoothed = self.smoothed(edges);
        if smoothed.is_none() || !edges.is_whole(self.size) {
            let group = &self.sized.tonemap;
            match self.view {
                Some(ViewMode::Overdraw) => passes.views.overdraw.draw(&mut pass, group, false),
                _ => passes.tonemap.draw(&mut pass, group),
            }
        }
        if let Some((_, group)) = smoothed {
            edges.clip(&mut pass);
            passes.smooth.draw(&mut pass, group);
            PixelRect::whole(self.size).clip(&mut pass);
        }
        pass.set_bind_group(0, &buffers.groups.scene, &[]);
        pass.set_bind_group(1, &buffers.groups.finish, &[]);
        let (lines, n_lines) = (buffers.lines.buffer(), self.plan.lines.len() as u32);
        passes.lines.draw(&mut pass, lines, n_lines);
    }
}
