//! The console as it is drawn: what was said, and the line that is written.

use egui::text::{CCursor, CCursorRange};
use egui::{
    Align, Area, Color32, FontId, Id, Layout, Order, RichText, Stroke, TextEdit, UiBuilder, Vec2,
    pos2,
};

use super::look::{MARGIN, PanelColors};
use galatea_stage::frame::MessageKind;

/// The console's share of the picture's height, and the points between which it lies.
const SHARE: f32 = 0.46;
const LEAST: f32 = 130.0;
const MOST: f32 = 460.0;
/// Size of letters, points.
const SIZE: f32 = 13.0;
/// Points of the line that is written.
const INPUT_ROW: f32 = 30.0;

/// What stands in the console.
#[derive(Debug, Default)]
pub struct Prompt {
    /// The line that is written.
    pub input: String,
    /// What was said, oldest first.
    pub lines: Vec<PromptLine>,
    /// Characters before the cursor, as it was when the line was last shown.
    pub cursor: usize,
    /// Where the cursor is to go when the line is next shown, characters.
    pub move_to: Option<usize>,
    /// What was copied since it was last taken.
    pub copied: Option<String>,
    /// Seconds on a clock of any beginning, for the cursor's blinking.
    pub seconds: f64,
}

/// A line that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptLine {
    /// Who said it.
    pub kind: LineKind,
    /// One line or several.
    pub text: String,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// What the user wrote.
    Asked,
    /// What was printed.
    Printed,
    /// A value.
    Value,
    /// What is wrong.
    Wrong,
    /// Names that can follow.
    Names,
}

/// Something that was typed or done with the mouse.
#[derive(Clone, Debug, PartialEq)]
pub enum Typed {
    /// Text.
    Text(String),
    /// A key for editing went down, with shift, with control (or command).
    Key {
        /// The key.
        key: EditKey,
        /// Shift is held.
        shift: bool,
        /// Control is held.
        control: bool,
    },
    /// The selection is to be copied.
    Copy,
    /// The selection is to be copied and taken away.
    Cut,
    /// Text from the clipboard.
    Paste(String),
    /// The pointer moved to here, points.
    Pointer(f32, f32),
    /// The left button changed there, points.
    Button(f32, f32, bool),
    /// The wheel turned, points.
    Wheel(f32),
}

/// A key that edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditKey {
    /// One to the left.
    Left,
    /// One to the right.
    Right,
    /// To the beginning.
    Home,
    /// To the end.
    End,
    /// Takes away what is before the cursor.
    Backspace,
    /// Takes away what is after the cursor.
    Delete,
    /// With control: selects all.
    A,
    /// With control: takes back.
    Z,
}

impl Typed {
    /// The events of egui that it is.
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
    /// Where the console begins in a picture of this height, points from the top.
    pub fn top(height: f32) -> f32 {
        (height - (height * SHARE).clamp(LEAST, MOST)).max(0.0)
    }

    /// Shows the console at the bottom of the picture.
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
