//! The console as a widget: output and input line.

use egui::text::{CCursor, CCursorRange};
use egui::{
    Align, Area, Color32, FontId, Id, Layout, Order, RichText, Stroke, TextEdit, UiBuilder, Vec2,
    pos2,
};

use super::panel_style::{MARGIN, PanelColors};
use galatea_stage::frame::MessageKind;

/// Height of the console as a fraction of the image, and its minimum and maximum in points.
const HEIGHT: f32 = 0.46;
const MIN_HEIGHT: f32 = 130.0;
const MAX_HEIGHT: f32 = 460.0;
/// Font size, points.
const SIZE: f32 = 13.0;
/// Height of the input line, points.
const INPUT_ROW: f32 = 30.0;

/// Content of the console.
#[derive(Debug, Default)]
pub struct Prompt {
    /// The input line.
    pub input: String,
    /// Output lines, oldest first.
    pub lines: Vec<PromptLine>,
    /// Cursor position in characters, when the line was last shown.
    pub cursor: usize,
    /// Cursor position to set when the line is next shown, characters.
    pub move_to: Option<usize>,
    /// Text that was copied since it was last taken.
    pub copied: Option<String>,
    /// Seconds of any clock, for the cursor's blinking.
    pub seconds: f64,
}

/// An output line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptLine {
    /// Kind of the line.
    pub kind: LineKind,
    /// Text of one or more lines.
    pub text: String,
}

/// Kind of an output line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Input of the user.
    Asked,
    /// Printed text.
    Printed,
    /// A value.
    Value,
    /// An error.
    Wrong,
    /// Completions.
    Names,
}

/// A keyboard or mouse event.
#[derive(Clone, Debug, PartialEq)]
pub enum Typed {
    /// Typed text.
    Text(String),
    /// An edit key was pressed, with shift, with control (or command).
    Key {
        /// The key.
        key: EditKey,
        /// Shift is held.
        shift: bool,
        /// Control is held.
        control: bool,
    },
    /// Copy the selection.
    Copy,
    /// Cut the selection.
    Cut,
    /// Text from the clipboard.
    Paste(String),
    /// The pointer moved to this position, points.
    Pointer(f32, f32),
    /// The left button changed at this position, points; true if it was pressed.
    Button(f32, f32, bool),
    /// The wheel was turned, points.
    Wheel(f32),
}

/// An edit key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditKey {
    /// One character to the left.
    Left,
    /// One character to the right.
    Right,
    /// To the beginning of the line.
    Home,
    /// To the end of the line.
    End,
    /// Deletes the character before the cursor.
    Backspace,
    /// Deletes the character after the cursor.
    Delete,
    /// With control: selects all.
    A,
    /// With control: undo.
    Z,
}

impl Typed {
    /// Converts to egui events.
    pub(super) fn events(&self) -> Vec<egui::Event> {
        let key = |key, pressed, modifiers| egui::Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers,
        };
        match self {
            Self::Text(text) => vec![egui::Event::Text(text.clone())],
            Self::Key {
                key: which,
                shift,
                control,
            } => {
                let modifiers = egui::Modifiers {
                    shift: *shift,
                    ctrl: *control,
                    command: *control,
                    ..Default::default()
                };
                let which = match which {
                    EditKey::Left => egui::Key::ArrowLeft,
                    EditKey::Right => egui::Key::ArrowRight,
                    EditKey::Home => egui::Key::Home,
                    EditKey::End => egui::Key::End,
                    EditKey::Backspace => egui::Key::Backspace,
                    EditKey::Delete => egui::Key::Delete,
                    EditKey::A => egui::Key::A,
                    EditKey::Z => egui::Key::Z,
                };
                vec![key(which, true, modifiers), key(which, false, modifiers)]
            }
            Self::Copy => vec![egui::Event::Copy],
            Self::Cut => vec![egui::Event::Cut],
            Self::Paste(text) => vec![egui::Event::Paste(text.clone())],
            Self::Pointer(x, y) => vec![egui::Event::PointerMoved(pos2(*x, *y))],
            Self::Button(x, y, pressed) => vec![egui::Event::PointerButton {
                pos: pos2(*x, *y),
                button: egui::PointerButton::Primary,
                pressed: *pressed,
                modifiers: egui::Modifiers::NONE,
            }],
            Self::Wheel(points) => vec![egui::Event::MouseWheel {
                unit: egui::MouseWheelUnit::Point,
                delta: Vec2::new(0.0, *points),
                phase: egui::TouchPhase::Move,
                source: egui::MouseWheelSource::Unknown,
                modifiers: egui::Modifiers::NONE,
            }],
        }
    }
}

impl Prompt {
    /// Top of the console in an image of this height, points from the top.
    pub fn top(height: f32) -> f32 {
        (height - (height * HEIGHT).clamp(MIN_HEIGHT, MAX_HEIGHT)).max(0.0)
    }

    /// Shows the console at the bottom of the image.
    pub(super) fn show(&mut self, context: &egui::Context, size: Vec2) {
        let top = Self::top(size.y);
        let rect = egui::Rect::from_min_max(pos2(0.0, top), size.to_pos2());
        let area = Area::new(Id::unique("console")).order(Order::Foreground);
        let area = area.fixed_pos(rect.min).fade_in(false).constrain(false);
        area.show(context, |ui| {
            ui.set_min_size(rect.size());
            let painter = ui.painter();
            painter.rect_filled(rect, 0, Color32::from_rgba_unmultiplied(11, 13, 18, 236));
            let accent = PanelColors::of(MessageKind::Info).accent;
            painter.hline(
                rect.x_range(),
                rect.top(),
                Stroke::new(1.5, accent.gamma_multiply(0.7)),
            );
            let input_top = rect.bottom() - INPUT_ROW;
            let row = egui::Rect::from_min_max(pos2(rect.left(), input_top), rect.max);
            painter.rect_filled(row, 0, Color32::from_rgba_unmultiplied(255, 255, 255, 12));
            let said = egui::Rect::from_min_max(
                pos2(rect.left() + MARGIN, rect.top() + 6.0),
                pos2(rect.right() - MARGIN, input_top - 4.0),
            );
            ui.scope_builder(UiBuilder::new().max_rect(said), |ui| self.show_lines(ui));
            let row = row.shrink2(Vec2::new(MARGIN, 0.0));
            let layout = Layout::left_to_right(Align::Center);
            ui.scope_builder(UiBuilder::new().max_rect(row).layout(layout), |ui| {
                self.show_input(ui, accent);
            });
        });
    }

    fn show_lines(&self, ui: &mut egui::Ui) {
        let scroll = egui::ScrollArea::vertical()
            .auto_shrink(false)
            .stick_to_bottom(true);
        scroll.show(ui, |ui| {
            ui.spacing_mut().item_spacing = Vec2::new(0.0, 2.0);
            for line in &self.lines {
                let color = match line.kind {
                    LineKind::Asked => Color32::from_rgb(140, 216, 178),
                    LineKind::Printed => Color32::from_rgb(206, 212, 222),
                    LineKind::Value => Color32::from_rgb(250, 224, 168),
                    LineKind::Wrong => Color32::from_rgb(255, 138, 128),
                    LineKind::Names => Color32::from_rgb(140, 176, 224),
                };
                let text = match line.kind {
                    LineKind::Asked => format!("› {}", line.text),
                    _ => line.text.clone(),
                };
                let text = RichText::new(text)
                    .font(FontId::monospace(SIZE))
                    .color(color);
                ui.add(egui::Label::new(text).wrap());
            }
        });
    }

    fn show_input(&mut self, ui: &mut egui::Ui, accent: Color32) {
        ui.label(
            RichText::new("›")
                .font(FontId::monospace(SIZE))
                .color(accent),
        );
        let id = Id::unique("console input");
        if let Some(at) = self.move_to.take() {
            let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
            let range = CCursorRange::one(CCursor::new(at));
            state.cursor.set_char_range(Some(range));
            state.store(ui.ctx(), id);
        }
        let edit = TextEdit::singleline(&mut self.input)
            .id(id)
            .font(FontId::monospace(SIZE))
            .text_color(Color32::from_rgb(238, 241, 246))
            .hint_text("Lua, or help")
            .frame(egui::Frame::NONE)
            .desired_width(f32::INFINITY)
            .margin(egui::Margin::ZERO)
            .align(egui::Align2::LEFT_CENTER)
            .lock_focus(true);
        let output = edit.show(ui);
        output.response.request_focus();
        let n = self.input.chars().count();
        self.cursor = output
            .cursor_range
            .map_or(n, |range| range.primary.index.into());
    }
}
