//! Appearance of the studio.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, RichText, Stroke, TextStyle, Ui};

/// Gap between two panels, points.
pub const GAP: f32 = 2.0;
/// Background of the panels.
pub const FILL: Color32 = Color32::from_rgb(27, 29, 35);
/// Background of lists and graphs.
pub const DEEP: Color32 = Color32::from_rgb(19, 20, 25);
/// Borders.
pub const LINE: Color32 = Color32::from_rgb(54, 58, 68);
/// Text.
pub const TEXT: Color32 = Color32::from_rgb(222, 226, 234);
/// Less important text.
pub const DIM: Color32 = Color32::from_rgb(146, 153, 166);
/// Colour of the active or selected.
pub const ACCENT: Color32 = Color32::from_rgb(120, 208, 164);
/// Colour of fades.
pub const FADING: Color32 = Color32::from_rgb(214, 178, 92);
/// Colour of faults and of blocked transitions.
pub const BLOCKED: Color32 = Color32::from_rgb(232, 128, 116);

/// Sets fonts and colours of a context.
pub fn set_style(context: &egui::Context) {
    context.set_theme(egui::Theme::Dark);
    context.all_styles_mut(|style| {
        let sizes = [
            (TextStyle::Body, 13.0, FontFamily::Proportional),
            (TextStyle::Button, 13.0, FontFamily::Proportional),
            (TextStyle::Heading, 14.0, FontFamily::Proportional),
            (TextStyle::Small, 11.0, FontFamily::Proportional),
            (TextStyle::Monospace, 12.0, FontFamily::Monospace),
        ];
        for (text, size, family) in sizes {
            style.text_styles.insert(text, FontId::new(size, family));
        }
        style.spacing.item_spacing = egui::vec2(6.0, 4.0);
        style.interaction.selectable_labels = false;
        style.animation_time = 0.0;
        let visuals = &mut style.visuals;
        visuals.panel_fill = FILL;
        visuals.window_fill = FILL;
        visuals.extreme_bg_color = DEEP;
        visuals.faint_bg_color = Color32::from_rgb(32, 35, 42);
        visuals.override_text_color = Some(TEXT);
        visuals.selection.bg_fill = Color32::from_rgb(38, 84, 66);
        visuals.selection.stroke = Stroke::new(1.0, ACCENT);
        visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, LINE);
        for widget in [
            &mut visuals.widgets.inactive,
            &mut visuals.widgets.hovered,
            &mut visuals.widgets.active,
        ] {
            widget.corner_radius = CornerRadius::same(4);
            widget.expansion = 0.0;
        }
    });
}

/// Shows a panel with a margin and a background.
pub fn padded(ui: &mut Ui, show: impl FnOnce(&mut Ui)) {
    let frame = egui::Frame::new().fill(FILL).inner_margin(Margin::same(8));
    frame.show(ui, |ui| {
        ui.set_min_size(ui.available_size());
        show(ui);
    });
}

/// Shows what a panel needs before it can show something.
pub fn hint(ui: &mut Ui, text: &str) {
    ui.add_space(4.0);
    ui.label(RichText::new(text).color(DIM));
}

/// A heading within a panel.
pub fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(6.0);
    ui.label(RichText::new(text).strong().color(TEXT));
}

/// A colour for a name, the same each time.
pub fn color_of(name: &str) -> Color32 {
    let hash = name.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    let hue = (hash % 360) as f32 / 360.0;
    let [s, v] = [0.42, 0.52];
    egui::ecolor::HsvaGamma {
        h: hue,
        s,
        v,
        a: 1.0,
    }
    .into()
}
