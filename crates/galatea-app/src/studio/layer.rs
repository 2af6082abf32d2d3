//! The studio over a window or a picture: its egui context, and the texture that the picture is drawn into.

use std::sync::Arc;

use egui::{Rect, TextureId, Vec2};

use super::dock::{StudioDock, set_style};
use super::egui_painter::{EguiPainter, PaintTarget, clamped_scale};
use super::fonts::FallbackFonts;
use super::prompt::Typed;
use super::system_fonts::SystemFonts;
use crate::studio_facts::StudioFacts;
use galatea_render::Gpu;

/// The studio in a picture.
pub struct StudioPass<'a> {
    /// The panels.
    pub dock: &'a mut StudioDock,
    /// Facts that they show.
    pub facts: StudioFacts<'a>,
    /// Input since the last pass. Its area and its scale are set by the pass.
    pub input: egui::RawInput,
}

impl<'a> StudioPass<'a> {
    /// A pass with input from a program instead of a window, at a time in seconds.
    pub fn scripted(
        dock: &'a mut StudioDock,
        facts: StudioFacts<'a>,
        typed: &[Typed],
        seconds: f64,
    ) -> Self {
        Self {
            dock,
            facts,
            input: egui::RawInput {
                events: typed.iter().flat_map(Typed::events).collect(),
                time: Some(seconds),
                focused: true,
                ..Default::default()
            },
        }
    }
}

/// Draws the studio.
pub(super) struct StudioLayer {
    context: egui::Context,
    painter: EguiPainter,
    format: wgpu::TextureFormat,
    picture: Option<PictureTexture>,
    fonts: FallbackFonts,
}

/// The texture that the picture is drawn into.
struct PictureTexture {
    view: wgpu::TextureView,
    size: (u32, u32),
    id: TextureId,
}

/// A studio that is laid out and not yet painted.
pub(super) struct LaidOutStudio {
    shapes: Vec<egui::epaint::ClippedShape>,
    textures: egui::TexturesDelta,
    /// Cursor, clipboard and other requests to the window system.
    pub platform: egui::PlatformOutput,
    /// Size of the picture, pixels.
    pub picture_size: (u32, u32),
}

impl StudioLayer {
    /// A layer for textures of `format`.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, searches_in_background: bool) -> Self {
        let context = egui::Context::default();
        set_style(&context);
        let fonts = FallbackFonts::new(SystemFonts::shared());
        if searches_in_background {
            fonts.search_in_background();
        }
        context.add_font_provider(Arc::new(fonts.clone()));
        Self {
            context,
            painter: EguiPainter::new(gpu, format),
            format,
            picture: None,
            fonts,
        }
    }

    /// The egui context.
    pub fn context(&self) -> &egui::Context {
        &self.context
    }

    /// Shows the panels of an image of `size` pixels with `scale` pixels per point.
    pub fn lay_out(
        &mut self,
        gpu: &Gpu,
        size: (u32, u32),
        scale: f32,
        pass: StudioPass<'_>,
    ) -> LaidOutStudio {
        puffin::profile_scope!("studio_layout");
        if self.fonts.take_answers() {
            self.context
                .set_font_providers(vec![Arc::new(self.fonts.clone())]);
        }
        let scale = clamped_scale(scale);
        let StudioPass {
            dock,
            facts,
            mut input,
        } = pass;
        let points = Vec2::new(size.0 as f32, size.1 as f32) / scale;
        input.screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, points));
        if let Some(viewport) = input.viewports.get_mut(&egui::ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(scale);
        }
        let texture = self.picture(gpu, (1, 1));
        let output = self
            .context
            .run_ui(input, |ui| dock.show(ui, &facts, Some(texture)));
        let area = dock.picture_area().size() * scale;
        let pixels = |length: f32, most: u32| (length.round() as u32).min(most).max(1);
        LaidOutStudio {
            shapes: output.shapes,
            textures: output.textures_delta,
            platform: output.platform_output,
            picture_size: (pixels(area.x, size.0), pixels(area.y, size.1)),
        }
    }

    /// The egui texture of the picture. It is created with `size` if there is none.
    fn picture(&mut self, gpu: &Gpu, size: (u32, u32)) -> TextureId {
        match &self.picture {
            Some(picture) => picture.id,
            None => self.resize(gpu, size),
        }
    }

    fn resize(&mut self, gpu: &Gpu, size: (u32, u32)) -> TextureId {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("studio picture"),
            size: wgpu::Extent3d {
                width: size.0,
                height: size.1,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: self.format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let id = self.picture.as_ref().map(|picture| picture.id);
        let id = self.painter.set_texture(gpu, &view, id);
        self.picture = Some(PictureTexture { view, size, id });
        id
    }

    /// The view into which the picture of `size` pixels is drawn.
    pub fn picture_view(&mut self, gpu: &Gpu, size: (u32, u32)) -> Option<wgpu::TextureView> {
        if self
            .picture
            .as_ref()
            .is_none_or(|picture| picture.size != size)
        {
            self.resize(gpu, size);
        }
        self.picture.as_ref().map(|picture| picture.view.clone())
    }

    /// Paints the studio, with the picture that was drawn before.
    pub fn paint(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: (&wgpu::TextureView, (u32, u32), f32),
        laid_out: (Vec<egui::epaint::ClippedShape>, egui::TexturesDelta),
    ) {
        puffin::profile_scope!("studio_paint");
        let (view, size, scale) = target;
        // egui's painter panics on a lost device.
        if gpu.is_lost() || size.0 == 0 || size.1 == 0 {
            return self.painter.keep(laid_out.1);
        }
        let target = PaintTarget {
            view,
            size,
            scale: clamped_scale(scale),
            load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
        };
        self.painter
            .paint(gpu, encoder, target, &self.context, laid_out);
    }
}

impl LaidOutStudio {
    /// Shapes and textures to paint.
    pub fn into_shapes(self) -> (Vec<egui::epaint::ClippedShape>, egui::TexturesDelta) {
        (self.shapes, self.textures)
    }
}
