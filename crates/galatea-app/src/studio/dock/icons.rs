//! Small drawn symbols, because fonts do not have them everywhere.

use egui::{Color32, Painter, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, pos2, vec2};

use super::style::{DIM, TEXT};

/// Size of a button with a symbol, points.
pub const BUTTON: f32 = 22.0;

/// A symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// A ring with a dot: look at it.
    Target,
    /// An open eye.
    Eye,
    /// A closed eye.
    ClosedEye,
    /// Two bars.
    Pause,
    /// A triangle to the right.
    Play,
    /// A triangle to the left.
    PlayBack,
    /// A bar and a triangle to the left.
    First,
    /// A triangle to the right and a bar.
    Last,
}

/// Shows a button with a symbol.
pub fn icon_button(ui: &mut Ui, icon: Icon) -> Response {
    let (area, response) = ui.allocate_exact_size(vec2(BUTTON, BUTTON), Sense::click());
    let is_hovered = response.hovered();
    if is_hovered {
        let fill = Color32::from_rgb(52, 57, 68);
        ui.painter().rect_filled(area.shrink(1.0), 4, fill);
    }
    let color = match (is_hovered, icon) {
        (true, _) => Color32::WHITE,
        (false, Icon::ClosedEye) => DIM,
        (false, _) => TEXT,
    };
    draw(ui.painter(), area.center(), icon, color);
    response
}

fn draw(painter: &Painter, at: Pos2, icon: Icon, color: Color32) {
    let stroke = Stroke::new(1.4, color);
    match icon {
        Icon::Target => {
            painter.circle_stroke(at, 5.5, stroke);
            painter.circle_filled(at, 1.8, color);
        }
        Icon::Eye => {
            lids(painter, at, stroke, [-4.5, 4.5]);
            painter.circle_filled(at, 2.2, color);
        }
        Icon::ClosedEye => lids(painter, at, stroke, [4.5, 4.5]),
        Icon::Pause => {
            for x in [-3.0, 3.0] {
                let bar = Rect::from_center_size(at + vec2(x, 0.0), vec2(3.0, 10.0));
                painter.rect_filled(bar, 0, color);
            }
        }
        Icon::Play => triangle(painter, at, 5.0, color),
        Icon::PlayBack => triangle(painter, at, -5.0, color),
        Icon::First => {
            triangle(painter, at + vec2(1.5, 0.0), -5.0, color);
            painter.vline(at.x - 5.5, at.y - 5.0..=at.y + 5.0, Stroke::new(2.0, color));
        }
        Icon::Last => {
            triangle(painter, at - vec2(1.5, 0.0), 5.0, color);
            painter.vline(at.x + 5.5, at.y - 5.0..=at.y + 5.0, Stroke::new(2.0, color));
        }
    }
}

/// The upper and the lower lid, as curves with these heights in their middles.
fn lids(painter: &Painter, at: Pos2, stroke: Stroke, heights: [f32; 2]) {
    for height in heights {
        let points = (-6..=6).map(|i| {
            let x = i as f32;
            pos2(at.x + x, at.y + height * (1.0 - x * x / 36.0))
        });
        painter.add(Shape::line(points.collect(), stroke));
    }
}

fn triangle(painter: &Painter, at: Pos2, size: f32, color: Color32) {
    let back = at.x - size * 0.8;
    let points = vec![
        pos2(back, at.y - size.abs()),
        pos2(at.x + size, at.y),
        pos2(back, at.y + size.abs()),
    ];
    painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
}
