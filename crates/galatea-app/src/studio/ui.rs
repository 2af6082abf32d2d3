//! Interface items of scripts: texts, bars, boxes and images, at screen or world positions, and captions at the bottom.

use std::sync::Arc;

use egui::emath::GuiRounding;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Color32, ColorImage, Context, CornerRadius, FontId, Galley, Painter, Pos2, Rect, Rgba,
    Stroke, StrokeKind, TextureHandle, TextureOptions, Vec2, pos2,
};
use glam::{Vec2 as Share, Vec3};

use galatea_stage::frame::{Camera, Image, UI_SIZE, UiContent, UiItem, UiText, UiWorldPlacement};

/// Maximum width of a caption, as a fraction of the image.
const MAX_CAPTION_WIDTH: f32 = 2.0 / 3.0;
/// Font size of captions, distance from the bottom, and gap between two captions, points.
const CAPTION_SIZE: f32 = 27.0;
const CAPTION_BOTTOM: f32 = 40.0;
const CAPTION_GAP: f32 = 8.0;
/// Opacity of the background behind text.
const BACKGROUND: f32 = 0.72;
/// Opacity of each of the eight shifted copies that form an outline.
const HALO: f32 = 0.36;
/// Gap between a position and the text next to it, points.
const LABEL_GAP: f32 = 6.0;
/// Minimum font size that is drawn, points.
const MIN_FONT_SIZE: f32 = 1.0;

/// Textures of the images in the last frame.
#[derive(Default)]
pub struct Textures(Vec<(Arc<Image>, TextureHandle)>);

impl Textures {
    fn of(&mut self, context: &Context, image: &Arc<Image>) -> egui::TextureId {
        let known = self.0.iter().find(|(known, _)| Arc::ptr_eq(known, image));
        if let Some((_, texture)) = known {
            return texture.id();
        }
        let size = [image.width as usize, image.height as usize];
        let pixels = ColorImage::from_rgba_unmultiplied(size, &image.rgba);
        let texture = context.load_texture("ui", pixels, TextureOptions::LINEAR);
        let id = texture.id();
        self.0.push((image.clone(), texture));
        id
    }

    /// Releases the textures of images that are not drawn.
    fn keep(&mut self, items: &[UiItem]) {
        self.0.retain(|(kept, _)| {
            items.iter().any(|item| match &item.content {
                UiContent::Image { image, .. } => Arc::ptr_eq(image, kept),
                _ => false,
            })
        });
    }
}

/// Shows the items of scripts over an image of `size` points, seen from `camera`.
pub fn show_ui(
    painter: &Painter,
    size: Vec2,
    camera: &Camera,
    items: &[UiItem],
    textures: &mut Textures,
) {
    textures.keep(items);
    let scale = (size.x / UI_SIZE.x).min(size.y / UI_SIZE.y);
    let mut bottom = size.y - CAPTION_BOTTOM * scale;
    let mut captions = Vec::new();
    let mut occupied = Vec::new();
    for item in items {
        if let UiContent::Caption { speaker, text } = &item.content {
            captions.push((item, speaker, text));
            continue;
        }
        let Some(mut spot) = ItemLayout::of(item, size, scale, camera) else {
            continue;
        };
        if item
            .world_position
            .is_some_and(|world| world.avoids_overlap)
            && !spot.find_room(painter, size, item, &mut occupied)
        {
            continue;
        }
        spot.paint(painter, item, textures);
    }
    for (item, speaker, text) in captions.into_iter().rev() {
        let height = show_caption(painter, size, (bottom, scale), item, speaker, text);
        bottom -= (height + CAPTION_GAP * scale) * item.opacity;
    }
}

/// Position, scale and opacity of an item.
struct ItemLayout {
    at: Pos2,
    /// Screen points per point of the item.
    scale: f32,
    opacity: f32,
}

impl ItemLayout {
    /// Returns `None` if the item is behind the camera or has faded out.
    fn of(item: &UiItem, size: Vec2, scale: f32, camera: &Camera) -> Option<Self> {
        let (from, own, opacity) = match item.world_position {
            None => (
                pos2(item.anchor.x * size.x, item.anchor.y * size.y),
                1.0,
                1.0,
            ),
            Some(world) => seen(&world, size, camera)?,
        };
        let opacity = opacity * item.opacity;
        let scale = scale * own;
        let at = from + Vec2::new(item.offset.x, item.offset.y) * scale;
        (opacity > 0.0).then_some(Self { at, scale, opacity })
    }

    /// Rectangle of an item of `size` points, whose `anchor` is at this position.
    fn rect(&self, size: Vec2, anchor: Share) -> Rect {
        Rect::from_min_size(self.at - size * Vec2::new(anchor.x, anchor.y), size)
    }

    /// Moves a text next to its position so that it overlaps none of `occupied`, and adds it to them. Returns false if there
    /// is no free position within the image.
    fn find_room(
        &mut self,
        painter: &Painter,
        picture: Vec2,
        item: &UiItem,
        occupied: &mut Vec<Rect>,
    ) -> bool {
        let UiContent::Text(text) = &item.content else {
            return true;
        };
        let letters = text.size * self.scale;
        let galley = lay_out(
            painter,
            &[(&text.text, Color32::WHITE)],
            letters,
            f32::INFINITY,
            0.0,
        );
        let size = galley.size();
        let away = 0.5 * size + Vec2::splat(LABEL_GAP * self.scale);
        // To the sides, then a line higher or lower.
        let sides = [
            (1.0, 0.0),
            (-1.0, 0.0),
            (1.0, -1.3),
            (-1.0, -1.3),
            (1.0, 1.3),
            (-1.0, 1.3),
            (0.0, -1.3),
            (0.0, 1.3),
        ];
        let whole = Rect::from_min_size(Pos2::ZERO, picture);
        for (x, y) in sides {
            let middle = self.at + away * Vec2::new(x, y);
            let rect = Rect::from_center_size(middle, size);
            if whole.contains_rect(rect) && !occupied.iter().any(|other| other.intersects(rect)) {
                occupied.push(rect.expand(1.5 * self.scale));
                self.at = rect.min + size * Vec2::new(item.anchor.x, item.anchor.y);
                return true;
            }
        }
        false
    }

    fn paint(&self, painter: &Painter, item: &UiItem, textures: &mut Textures) {
        let color = color_of(item.color, self.opacity);
        let sized = |size: Share| Vec2::new(size.x, size.y) * self.scale;
        match &item.content {
            UiContent::Text(text) => self.paint_text(painter, item, text),
            UiContent::Bar {
                value,
                size,
                back,
                round,
            } => {
                let rect = self.rect(sized(*size), item.anchor);
                let corners = corners(*round * self.scale, rect);
                painter.rect_filled(rect, corners, color_of(*back, self.opacity * BACKGROUND));
                let filled = rect.with_max_x(rect.left() + rect.width() * value);
                // The filled part is clipped from a full bar, so that its left corners stay round for any fill level.
                let within = painter.with_clip_rect(filled.intersect(painter.clip_rect()));
                within.rect_filled(rect, corners, color);
            }
            UiContent::Box {
                size,
                round,
                border,
            } => {
                let rect = self.rect(sized(*size), item.anchor);
                let corners = corners(*round * self.scale, rect);
                painter.rect_filled(rect, corners, color);
                if let Some(border) = border {
                    let width = (1.5 * self.scale).max(1.0);
                    let stroke = Stroke::new(width, color_of(*border, self.opacity));
                    painter.rect_stroke(rect, corners, stroke, StrokeKind::Inside);
                }
            }
            UiContent::Image { image, size } => {
                let rect = self.rect(sized(*size), item.anchor);
                let texture = textures.of(painter.ctx(), image);
                let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
                painter.image(texture, rect, whole, color);
            }
            UiContent::Caption { .. } => {}
        }
    }

    fn paint_text(&self, painter: &Painter, item: &UiItem, text: &UiText) {
        let letters = text.size * self.scale;
        if letters < MIN_FONT_SIZE {
            return;
        }
        let color = color_of(item.color, self.opacity);
        let width = text.width.map_or(f32::INFINITY, |width| width * self.scale);
        let galley = lay_out(painter, &[(&text.text, color)], letters, width, text.align);
        let padding = match text.background {
            Some(_) => Vec2::new(0.45, 0.22) * letters,
            None => Vec2::ZERO,
        };
        let rect = self.rect(galley.size() + 2.0 * padding, item.anchor);
        if let Some(background) = text.background {
            let fill = color_of(background, self.opacity * BACKGROUND);
            painter.rect_filled(rect, corners(0.3 * letters, rect), fill);
        }
        let at = rect.min + padding - galley.rect.min.to_vec2();
        let black = Color32::BLACK.gamma_multiply(self.opacity);
        if text.shadow {
            let below = Vec2::new(0.05, 0.07) * letters;
            let shade = black.gamma_multiply(0.6);
            painter.galley_with_override_text_color(at + below, galley.clone(), shade);
        }
        paint_outlined(
            painter,
            at,
            galley,
            text.outline * self.scale,
            (black, color),
        );
    }
}

/// Screen position of a world position, scale and opacity of an item there.
fn seen(world: &UiWorldPlacement, size: Vec2, camera: &Camera) -> Option<(Pos2, f32, f32)> {
    let view = camera.view_from_world().transform_point3(world.position);
    let depth = -view.z;
    if depth <= 1e-3 {
        return None;
    }
    let half = (camera.fov_y.clamp(1.0, 170.0).to_radians() * 0.5).tan();
    let per_metre = 0.5 * size.y / (half * depth);
    let at = pos2(
        0.5 * size.x + view.x * per_metre,
        0.5 * size.y - view.y * per_metre,
    );
    let (own, opacity) = world.seen_from(view.length());
    Some((at, own, opacity))
}

/// Paints a caption that ends at `bottom` and returns its height.
fn show_caption(
    painter: &Painter,
    size: Vec2,
    (bottom, scale): (f32, f32),
    item: &UiItem,
    speaker: &str,
    text: &str,
) -> f32 {
    let letters = CAPTION_SIZE * scale;
    let name = match speaker {
        "" => String::new(),
        name => format!("{name}  "),
    };
    let white = color_of(Vec3::ONE, item.opacity);
    let pieces = [(&*name, color_of(item.color, item.opacity)), (text, white)];
    let galley = lay_out(painter, &pieces, letters, size.x * MAX_CAPTION_WIDTH, 0.5);
    let padding = Vec2::new(0.6, 0.25) * letters;
    let content = galley.size() + 2.0 * padding;
    let rect = Rect::from_min_size(
        pos2((size.x - content.x) * 0.5, bottom - content.y),
        content,
    );
    let black = Color32::BLACK.gamma_multiply(item.opacity);
    painter.rect_filled(
        rect,
        corners(0.35 * letters, rect),
        black.gamma_multiply(0.5),
    );
    let at = rect.min + padding - galley.rect.min.to_vec2();
    paint_outlined(painter, at, galley, 1.5 * scale, (black, white));
    content.y
}

/// Paints text on whole pixels over an outline of `width` points with a soft edge. Antialiased pixels of thin strokes would
/// be dark over the outline, so the text is painted twice.
fn paint_outlined(
    painter: &Painter,
    at: Pos2,
    galley: Arc<Galley>,
    width: f32,
    (halo, color): (Color32, Color32),
) {
    if width <= 0.0 {
        painter.galley(at, galley, color);
        return;
    }
    let pixels = painter.pixels_per_point();
    let at = at.round_to_pixels(pixels);
    let width = width.max(1.0 / pixels);
    let halo = halo.gamma_multiply(HALO);
    for i in 0..8 {
        let away = Vec2::angled(std::f32::consts::TAU * i as f32 / 8.0) * width;
        painter.galley_with_override_text_color(at + away, galley.clone(), halo);
    }
    painter.galley(at, galley.clone(), color);
    painter.galley(at, galley, color);
}

/// Lays out text of one size in lines of at most `width` points; `align` is 0 for left to 1 for right.
fn lay_out(
    painter: &Painter,
    pieces: &[(&str, Color32)],
    size: f32,
    width: f32,
    align: f32,
) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    // Font sizes are rounded, so that the glyph cache stays small while an item moves.
    let size = if size < 64.0 {
        (size * 2.0).round() * 0.5
    } else {
        size.round()
    };
    for (text, color) in pieces {
        let format = TextFormat::simple(FontId::proportional(size), *color);
        job.append(text, 0.0, format);
    }
    job.wrap.max_width = width;
    job.halign = match align {
        0.0 => Align::LEFT,
        1.0 => Align::RIGHT,
        _ => Align::Center,
    };
    painter.layout_job(job)
}

/// Display colour of a linear colour.
fn color_of(linear: Vec3, opacity: f32) -> Color32 {
    let rgb = linear.clamp(Vec3::ZERO, Vec3::ONE);
    Color32::from(Rgba::from_rgb(rgb.x, rgb.y, rgb.z)).gamma_multiply(opacity.clamp(0.0, 1.0))
}

fn corners(radius: f32, rect: Rect) -> CornerRadius {
    let most = 0.5 * rect.width().min(rect.height());
    CornerRadius::same(radius.min(most).clamp(0.0, 255.0) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_position_is_projected_as_drawn_and_not_behind_the_camera() {
        let camera = Camera {
            eye: Vec3::new(0.0, 0.0, 4.0),
            target: Vec3::ZERO,
            fov_y: 90.0,
        };
        let at = |place: Vec3| {
            let world = UiWorldPlacement {
                position: place,
                ..UiWorldPlacement::default()
            };
            seen(&world, Vec2::new(800.0, 400.0), &camera).map(|(at, ..)| at)
        };
        let near = |place, x, y| {
            let at = at(place).unwrap();
            assert!((at - pos2(x, y)).length() < 1e-3, "{at}");
        };
        near(Vec3::ZERO, 400.0, 200.0);
        near(Vec3::new(4.0, 4.0, 0.0), 600.0, 0.0);
        near(Vec3::new(-1.0, 0.0, 2.0), 300.0, 200.0);
        assert_eq!(at(Vec3::new(0.0, 0.0, 5.0)), None);
    }

    /// Rectangles of labels at these positions in an image of 400 by 200 points.
    fn labels(places: &[Vec3]) -> Vec<Rect> {
        let camera = Camera {
            eye: Vec3::new(0.0, 0.0, 4.0),
            target: Vec3::ZERO,
            fov_y: 90.0,
        };
        let size = Vec2::new(400.0, 200.0);
        let mut occupied = Vec::new();
        let context = Context::default();
        let input = egui::RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, size)),
            ..Default::default()
        };
        let mut output = context.run_pass(input, |context| {
            let layer = egui::LayerId::background();
            let painter = context.layer_painter(layer);
            for place in places {
                let item = UiItem {
                    content: UiContent::Text(UiText {
                        text: "left_hand".into(),
                        size: 12.0,
                        width: None,
                        align: 0.0,
                        outline: 0.0,
                        shadow: false,
                        background: None,
                    }),
                    offset: Share::ZERO,
                    anchor: Share::splat(0.5),
                    color: Vec3::ONE,
                    opacity: 1.0,
                    visible: true,
                    z_index: 0,
                    order: 0,
                    world_position: Some(UiWorldPlacement {
                        position: *place,
                        avoids_overlap: true,
                        ..UiWorldPlacement::default()
                    }),
                };
                let before = occupied.len();
                let mut spot = ItemLayout::of(&item, size, 1.0, &camera).unwrap();
                let found = spot.find_room(&painter, size, &item, &mut occupied);
                assert_eq!(found, occupied.len() > before);
                if found {
                    // The text is painted there, slightly inside its reserved rectangle.
                    let middle: Pos2 = occupied[before].center();
                    assert!((spot.at - middle).length() < 0.6, "{} {middle}", spot.at);
                }
            }
        });
        // These glyphs are never drawn; egui expects the delta to be cleared.
        output.textures_delta.clear();
        occupied
    }

    #[test]
    fn labels_that_avoid_overlap_never_overlap_and_as_many_as_fit_are_shown() {
        let occupied = labels(&[Vec3::ZERO; 20]);
        assert_eq!(occupied.len(), 6);
        for (i, a) in occupied.iter().enumerate() {
            assert!(
                occupied[..i]
                    .iter()
                    .all(|b| !a.shrink(1.5).intersects(b.shrink(1.5)))
            );
        }
        let apart: Vec<Vec3> = (0..4).map(|i| Vec3::Y * (i as f32 - 1.5)).collect();
        assert_eq!(labels(&apart).len(), 4);
        let outside = [Vec3::new(30.0, 0.0, 0.0)];
        assert_eq!(labels(&outside).len(), 0);
    }
}
