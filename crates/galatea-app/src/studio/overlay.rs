//! The overlay: interface items of scripts, errors in red, warnings in amber, watched values, notices at the bottom, and the
//! console while it is open.

use std::sync::Arc;

use egui::{Id, LayerId, Order, Painter, Vec2};

use super::change_panel::show_change;
use super::egui_painter::{EguiPainter, PaintTarget, clamped_scale};
use super::fonts::{FallbackFonts, FontWarnings};
use super::panels::show_panels;
use super::past_bar::{show_past_bar, top_of_past_bar};
use super::prompt::{Prompt, Typed};
use super::system_fonts::SystemFonts;
use super::toast::show_toasts;
use super::ui::{Textures, show_ui};
use super::watches::show_watches;
use crate::past_position::{PastChange, PastPosition};
use galatea_render::Gpu;
use galatea_stage::frame::{Camera, Message, UiItem, WatchRow};

/// Paints onto finished images.
pub struct Overlay {
    context: egui::Context,
    painter: EguiPainter,
    /// The console was shown in the last pass.
    shows_console: bool,
    images: Textures,
    fonts: FallbackFonts,
    font_warnings: FontWarnings,
}

/// Content to paint.
#[derive(Default)]
pub struct OverlayContent<'a> {
    /// Interface items of scripts, lowest first.
    pub ui: &'a [UiItem],
    /// Camera of the image.
    pub camera: Camera,
    /// Errors, warnings and notices.
    pub messages: &'a [Message],
    /// Watched values.
    pub watches: &'a [WatchRow],
    /// The past, while it is displayed.
    pub past: Option<PastPosition>,
    /// The last change of the displayed past.
    pub change: Option<&'a PastChange>,
    /// The console, while it is open.
    pub console: Option<&'a mut Prompt>,
}

impl OverlayContent<'_> {
    fn is_empty(&self) -> bool {
        self.ui.is_empty()
            && self.messages.is_empty()
            && self.watches.is_empty()
            && self.past.is_none()
            && self.console.is_none()
    }
}

impl Overlay {
    /// Creates an overlay for images of `format`. Characters that egui's fonts lack are drawn with installed fonts.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        let context = egui::Context::default();
        context.set_theme(egui::Theme::Dark);
        let fonts = FallbackFonts::new(SystemFonts::shared());
        context.add_font_provider(Arc::new(fonts.clone()));
        Self {
            context,
            painter: EguiPainter::new(gpu, format),
            shows_console: false,
            images: Textures::default(),
            fonts,
            font_warnings: FontWarnings::default(),
        }
    }

    /// Searches installed fonts on a thread from now on: no frame waits for them, and boxes are drawn until they are found.
    /// Otherwise a frame waits, and is the same each time.
    pub fn search_fonts_in_background(&mut self) {
        self.fonts.search_in_background();
    }

    /// Returns warnings about scripts and signs that no font supports, each once.
    pub fn take_font_warnings(&mut self) -> Vec<String> {
        self.font_warnings.of(&self.fonts.take_missing())
    }

    /// Types into the console's line. `size` is the image size in pixels, with `scale` pixels per point.
    pub fn type_into(
        &mut self,
        prompt: &mut Prompt,
        size: (u32, u32),
        scale: f32,
        typed: &[Typed],
    ) {
        let scale = clamped_scale(scale);
        if !self.shows_console {
            // A widget receives no keys in its first pass.
            let content = OverlayContent {
                console: Some(&mut *prompt),
                ..OverlayContent::default()
            };
            let output = self.pass(size, scale, Vec::new(), content);
            self.painter.keep(output.textures_delta);
        }
        let events = typed.iter().flat_map(Typed::events).collect();
        let content = OverlayContent {
            console: Some(prompt),
            ..OverlayContent::default()
        };
        let output = self.pass(size, scale, events, content);
        self.painter.keep(output.textures_delta);
    }

    /// Paints over the image in `target`, `size` pixels large, with `scale` pixels per point. Does nothing if there is no
    /// content.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: (u32, u32),
        scale: f32,
        content: OverlayContent<'_>,
    ) {
        // egui's painter panics on a lost device.
        if content.is_empty() || size.0 == 0 || size.1 == 0 || gpu.is_lost() {
            return;
        }
        let scale = clamped_scale(scale);
        let output = self.pass(size, scale, Vec::new(), content);
        let target = PaintTarget {
            view: target,
            size,
            scale,
            load: wgpu::LoadOp::Load,
        };
        let painted = (output.shapes, output.textures_delta);
        self.painter
            .paint(gpu, encoder, target, &self.context, painted);
    }

    /// Runs an egui pass with all content.
    fn pass(
        &mut self,
        size: (u32, u32),
        scale: f32,
        events: Vec<egui::Event>,
        mut content: OverlayContent<'_>,
    ) -> egui::FullOutput {
        self.shows_console = content.console.is_some();
        if self.fonts.take_answers() {
            self.context
                .set_font_providers(vec![Arc::new(self.fonts.clone())]);
        }
        let points = Vec2::new(size.0 as f32, size.1 as f32) / scale;
        let mut input = egui::RawInput {
            screen_rect: Some(egui::Rect::from_min_size(egui::Pos2::ZERO, points)),
            time: content.console.as_ref().map(|prompt| prompt.seconds),
            focused: content.console.is_some(),
            events,
            ..Default::default()
        };
        if let Some(viewport) = input.viewports.get_mut(&egui::ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(scale);
        }
        let bottom = match (&content.console, content.past) {
            (Some(_), _) => Prompt::top(points.y),
            (None, Some(_)) => top_of_past_bar(points),
            (None, None) => points.y,
        };
        let images = &mut self.images;
        let output = self.context.run_pass(input, |context| {
            // A pass for keys alone paints no items and releases no image.
            if !content.ui.is_empty() {
                let layer = LayerId::new(Order::Background, Id::unique("ui"));
                let painter = context.layer_painter(layer);
                show_ui(&painter, points, &content.camera, content.ui, images);
            }
            show_panels(&painter_of(context, "panels"), points, content.messages);
            show_watches(&painter_of(context, "watches"), points, content.watches);
            show_toasts(
                &painter_of(context, "toasts"),
                points,
                bottom,
                content.messages,
            );
            if let (Some(past), None) = (&content.past, &content.console) {
                let painter = painter_of(context, "past");
                show_past_bar(&painter, points, past, content.change);
                if let Some(change) = content.change {
                    show_change(&painter, points, bottom, change);
                }
            }
            if let Some(prompt) = content.console.as_deref_mut() {
                prompt.show(context, points);
            }
        });
        if let Some(prompt) = content.console {
            for command in &output.platform_output.commands {
                if let egui::OutputCommand::CopyText(text) = command {
                    prompt.copied = Some(text.clone());
                }
            }
        }
        output
    }
}

fn painter_of(context: &egui::Context, name: &str) -> Painter {
    context.layer_painter(LayerId::new(Order::Foreground, Id::unique(name)))
}
