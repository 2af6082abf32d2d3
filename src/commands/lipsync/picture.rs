//! Draws a recognition result: waveform, words, sounds and mouth shape weights, in rows of ten seconds.

use ab_glyph::{Font as _, FontRef, PxScale, ScaleFont as _};
use anyhow::Context as _;
use tiny_skia::{Color, FillRule, Paint, PathBuilder, Pixmap, Rect, Stroke, Transform};

use galatea_speech::mouth::Mouth;
use galatea_speech::phoneme::Phoneme;
use galatea_speech::plan::Recording;
use galatea_speech::track::SpeechTrack;
use galatea_speech::viseme::{N_VISEMES, VISEMES, Viseme};

/// Sizes in pixels: one second, and the parts of a row.
const PIXELS_PER_SECOND: f32 = 240.0;
const LEFT: f32 = 56.0;
const WAVE: f32 = 96.0;
const LABELS: f32 = 24.0;
const CURVE: f32 = 16.0;
const GAP: f32 = 40.0;
/// Seconds per row, and maximum number of rows; longer recordings are cut off.
const ROW_SECONDS: f32 = 10.0;
const MAX_ROWS: usize = 30;

const PAPER: [u8; 3] = [250, 249, 246];
const INK: [u8; 3] = [38, 40, 46];
const FAINT: [u8; 3] = [222, 220, 214];
const QUIET: [u8; 3] = [150, 150, 150];

/// Encodes the picture as PNG.
///
/// # Errors
/// When the picture would be too large.
pub fn draw(
    recording: Option<&Recording>,
    track: &SpeechTrack,
    mouth: &Mouth,
) -> anyhow::Result<Vec<u8>> {
    let n_rows = ((track.duration / ROW_SECONDS).ceil() as usize).clamp(1, MAX_ROWS);
    let seconds = if n_rows == 1 {
        track.duration.max(0.5)
    } else {
        ROW_SECONDS
    };
    let height = WAVE + 2.0 * LABELS + CURVE * (N_VISEMES - 1) as f32 + GAP;
    let (w, h) = (
        LEFT + PIXELS_PER_SECOND * seconds + 16.0,
        height * n_rows as f32 + 12.0,
    );
    let mut page = Page::new(w as u32, h as u32)?;
    for row in 0..n_rows {
        let from = row as f32 * seconds;
        let span = PictureRow {
            from,
            to: (from + seconds).min(track.duration.max(0.5)),
            top: 8.0 + row as f32 * height,
        };
        span.draw(&mut page, recording, track, mouth);
    }
    page.pixmap.encode_png().context("PNG")
}

/// Layout of a row.
struct PictureRow {
    from: f32,
    to: f32,
    top: f32,
}

impl PictureRow {
    fn x(&self, t: f32) -> f32 {
        LEFT + (t - self.from) * PIXELS_PER_SECOND
    }

    fn draw(
        &self,
        page: &mut Page,
        recording: Option<&Recording>,
        track: &SpeechTrack,
        mouth: &Mouth,
    ) {
        let bottom = self.top + WAVE + 2.0 * LABELS + CURVE * (N_VISEMES - 1) as f32;
        let right = self.x(self.to);
        let first = (self.from * 10.0).ceil() as usize;
        for tenth in first..=(self.to * 10.0).floor() as usize {
            let x = self.x(tenth as f32 / 10.0);
            let is_second = tenth % 10 == 0;
            let color = if is_second { QUIET } else { FAINT };
            page.line(
                [x, self.top],
                [x, bottom],
                color,
                if is_second { 1.0 } else { 0.6 },
            );
            if tenth % 5 == 0 {
                let text = format!("{:.1}", tenth as f32 / 10.0);
                page.text(&text, [x, bottom + 15.0], 11.0, QUIET, true);
            }
        }
        if let Some(recording) = recording {
            self.wave(page, recording);
        }
        page.text("sound", [8.0, self.top + WAVE / 2.0], 12.0, QUIET, false);
        let top = self.top + WAVE;
        for (k, name) in ["words", "sounds"].iter().enumerate() {
            let y = top + LABELS * k as f32;
            page.text(name, [8.0, y + 16.0], 12.0, QUIET, false);
            page.line([LEFT, y], [right, y], FAINT, 1.0);
        }
        for word in track
            .words
            .iter()
            .filter(|word| self.shows(word.start, word.end))
        {
            self.label(page, [word.start, word.end], top, &word.text, INK, 14.0);
        }
        for phone in track.phonemes.iter().filter(|p| self.shows(p.start, p.end)) {
            if phone.phoneme != Phoneme::Sil {
                let shape = phone.phoneme.visemes(Phoneme::Sil).first();
                let color = color_of(shape.map_or(Viseme::Sil, |(viseme, _)| *viseme));
                let span = [phone.start, phone.end];
                self.label(page, span, top + LABELS, phone.phoneme.name(), color, 11.0);
            }
        }
        let top = top + 2.0 * LABELS;
        for (k, viseme) in VISEMES.iter().skip(1).enumerate() {
            let y = top + CURVE * (k + 1) as f32;
            page.text(
                viseme.name(),
                [8.0, y - 3.0],
                12.0,
                color_of(*viseme),
                false,
            );
            page.line([LEFT, y], [right, y], FAINT, 0.6);
            self.curve(page, y, color_of(*viseme), |t| {
                mouth.sample(t)[*viseme as usize]
            });
        }
    }

    fn shows(&self, start: f32, end: f32) -> bool {
        end > self.from && start < self.to
    }

    /// Draws a text between two times, with a bar at its start.
    fn label(
        &self,
        page: &mut Page,
        [start, end]: [f32; 2],
        top: f32,
        text: &str,
        color: [u8; 3],
        size: f32,
    ) {
        let (a, b) = (self.x(start.max(self.from)), self.x(end.min(self.to)));
        page.fill([a, top + 1.0], [b, top + LABELS - 1.0], color, 28);
        page.line([a, top + 1.0], [a, top + LABELS - 1.0], color, 1.4);
        let width = page.width_of(text, size);
        // Shrinks the text to fit, and hides it without room.
        let size = size * ((b - a - 3.0) / width).clamp(0.0, 1.0);
        if size > 6.5 {
            page.text(text, [0.5 * (a + b), top + 16.0], size, INK, true);
        }
    }

    fn wave(&self, page: &mut Page, recording: &Recording) {
        let channels = usize::from(recording.channels.max(1));
        let loudest = recording
            .samples
            .iter()
            .map(|s| s.abs())
            .fold(1e-4, f32::max);
        let middle = self.top + WAVE / 2.0;
        let scale = 0.46 * WAVE / loudest;
        let end = self.x(self.to);
        let mut x = LEFT;
        let at = |x: f32| {
            let t = self.from + (x - LEFT) / PIXELS_PER_SECOND;
            (t * recording.rate as f32) as usize * channels
        };
        while x < end {
            let samples = recording
                .samples
                .get(at(x)..at(x + 1.0).min(recording.samples.len()));
            let samples = samples.unwrap_or_default();
            let low = samples.iter().copied().fold(0.0, f32::min);
            let high = samples.iter().copied().fold(0.0, f32::max);
            page.fill(
                [x, middle - high * scale - 0.4],
                [x + 1.0, middle - low * scale + 0.4],
                [92, 110, 140],
                255,
            );
            x += 1.0;
        }
    }

    fn curve(&self, page: &mut Page, base: f32, color: [u8; 3], value: impl Fn(f32) -> f32) {
        let mut builder = PathBuilder::new();
        builder.move_to(self.x(self.from), base);
        let n = ((self.to - self.from) * 120.0) as usize;
        let mut shows = false;
        for i in 0..=n {
            let t = self.from + i as f32 / 120.0;
            let v = value(t);
            shows |= v > 0.01;
            builder.line_to(self.x(t), base - v * (CURVE - 2.0));
        }
        builder.line_to(self.x(self.to), base);
        builder.close();
        if let (true, Some(path)) = (shows, builder.finish()) {
            page.pixmap.fill_path(
                &path,
                &paint(color, 170),
                FillRule::Winding,
                Transform::identity(),
                None,
            );
        }
    }
}

/// Colour by mouth shape: closed, teeth, tongue, open, round.
fn color_of(viseme: Viseme) -> [u8; 3] {
    match viseme {
        Viseme::Sil => QUIET,
        Viseme::PP | Viseme::FF => [178, 58, 72],
        Viseme::TH | Viseme::DD | Viseme::KK | Viseme::NN => [122, 105, 60],
        Viseme::CH | Viseme::SS | Viseme::RR => [64, 120, 92],
        Viseme::AA | Viseme::E | Viseme::I => [196, 118, 40],
        Viseme::O | Viseme::U => [72, 84, 160],
    }
}

fn paint(color: [u8; 3], alpha: u8) -> Paint<'static> {
    let mut paint = Paint::default();
    let [r, g, b] = color;
    paint.set_color_rgba8(r, g, b, alpha);
    paint
}

struct Page {
    pixmap: Pixmap,
    font: FontRef<'static>,
}

impl Page {
    fn new(w: u32, h: u32) -> anyhow::Result<Self> {
        let mut pixmap = Pixmap::new(w, h).context("the picture would be too large")?;
        let [r, g, b] = PAPER;
        pixmap.fill(Color::from_rgba8(r, g, b, 255));
        let font = FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT)?;
        Ok(Self { pixmap, font })
    }

    fn line(&mut self, a: [f32; 2], b: [f32; 2], color: [u8; 3], width: f32) {
        let mut builder = PathBuilder::new();
        builder.move_to(a[0], a[1]);
        builder.line_to(b[0], b[1]);
        let stroke = Stroke {
            width,
            ..Stroke::default()
        };
        if let Some(path) = builder.finish() {
            let paint = paint(color, 255);
            self.pixmap
                .stroke_path(&path, &paint, &stroke, Transform::identity(), None);
        }
    }

    fn fill(&mut self, a: [f32; 2], b: [f32; 2], color: [u8; 3], alpha: u8) {
        if let Some(rect) = Rect::from_ltrb(a[0], a[1], b[0].max(a[0]), b[1].max(a[1])) {
            let paint = paint(color, alpha);
            self.pixmap
                .fill_rect(rect, &paint, Transform::identity(), None);
        }
    }

    fn width_of(&self, text: &str, size: f32) -> f32 {
        let font = self.font.as_scaled(PxScale::from(size));
        text.chars().map(|c| font.h_advance(font.glyph_id(c))).sum()
    }

    fn text(&mut self, text: &str, at: [f32; 2], size: f32, color: [u8; 3], is_centred: bool) {
        let scale = PxScale::from(size);
        let mut x = at[0];
        if is_centred {
            x -= 0.5 * self.width_of(text, size);
        }
        let (w, h) = (self.pixmap.width(), self.pixmap.height());
        for c in text.chars() {
            let id = self.font.glyph_id(c);
            let glyph = id.with_scale_and_position(scale, ab_glyph::point(x, at[1]));
            x += self.font.as_scaled(scale).h_advance(id);
            let Some(outline) = self.font.outline_glyph(glyph) else {
                continue;
            };
            let bounds = outline.px_bounds();
            let pixels = self.pixmap.data_mut();
            outline.draw(|dx, dy, share| {
                let (px, py) = (
                    bounds.min.x as i64 + i64::from(dx),
                    bounds.min.y as i64 + i64::from(dy),
                );
                if (0..i64::from(w)).contains(&px) && (0..i64::from(h)).contains(&py) {
                    let i = (py as usize * w as usize + px as usize) * 4;
                    for (slot, ink) in pixels[i..i + 3].iter_mut().zip(color) {
                        let mixed =
                            f32::from(*slot) + (f32::from(ink) - f32::from(*slot)) * share.min(1.0);
                        *slot = mixed as u8;
                    }
                }
            });
        }
    }
}
