//! Proof that each rendering feature works: a small scene in a golden picture, which must differ when the feature is off.
//! `./x bless` draws the pictures again.

mod corpus;
mod kinds;
mod layers;
mod light;
mod rigs;
mod shape;
mod surface;
mod toon;

use std::sync::Arc;

use galatea::asset::Model;
use galatea::render::{
    Gpu, Picture, RenderOptions, Renderer, SAME_PICTURE, ShaderSource, difference,
};
use galatea::stage::Frame;

use super::{gpu, looked_at, renderer};

/// Size of a scene, pixels.
const SIZE: (u32, u32) = (160, 120);
/// Minimum difference that a feature makes, in units of [`SAME_PICTURE`]: twice the tolerance of the golden picture.
const LEAST: f32 = 2.0;

/// Method of turning a feature off.
enum Off {
    Frame(Box<dyn Fn(&mut Frame)>),
    Options(fn(&mut RenderOptions)),
    /// A shader file, a part of its text (after includes), and the replacement.
    Shader(&'static str, &'static str, &'static str),
}

/// A scene with the features that it shows.
struct Row {
    scene: Box<dyn Fn() -> Frame>,
    /// Render options while all features are on.
    options: RenderOptions,
    features: Vec<(String, Off)>,
}

impl Row {
    fn new(scene: impl Fn() -> Frame + 'static) -> Self {
        Self {
            scene: Box::new(scene),
            options: RenderOptions::default(),
            features: Vec::new(),
        }
    }

    fn with_options(mut self, change: fn(&mut RenderOptions)) -> Self {
        change(&mut self.options);
        self
    }

    /// Adds a feature that is turned off in the frame.
    fn shows(mut self, feature: &str, off: impl Fn(&mut Frame) + 'static) -> Self {
        let off = Off::Frame(Box::new(off));
        self.features.push((feature.to_owned(), off));
        self
    }

    /// Adds a feature that is turned off in another way.
    fn shows_by(mut self, feature: &str, off: Off) -> Self {
        self.features.push((feature.to_owned(), off));
        self
    }
}

/// A scene that shows one feature, which is turned off in the frame.
fn row(
    feature: &str,
    scene: impl Fn() -> Frame + 'static,
    off: impl Fn(&mut Frame) + 'static,
) -> Row {
    Row::new(scene).shows(feature, off)
}

/// The first model of the frame, mutable.
fn model(frame: &mut Frame) -> &mut Model {
    Arc::get_mut(&mut frame.models[0].model).expect("nobody else has it")
}

/// Draws scenes with a new model id for each of their models.
struct Painter {
    gpu: Gpu,
    renderer: Renderer,
    last_uid: u64,
}

impl Painter {
    fn draw(&mut self, mut frame: Frame, options: RenderOptions) -> Picture {
        self.renderer.set_options(&self.gpu, options).unwrap();
        for model in &mut frame.models {
            self.last_uid += 1;
            let model = Arc::get_mut(&mut model.model).expect("nobody else has it");
            model.uid = self.last_uid;
        }
        let picture = self
            .renderer
            .draw_to_picture(&self.gpu, &frame, SIZE, |_, _| {});
        assert_eq!(self.renderer.take_problems(), Vec::<String>::new());
        assert_eq!(self.gpu.take_error(), None);
        picture.unwrap()
    }

    fn draw_without(&mut self, row: &Row, off: &Off) -> Picture {
        let mut frame = (row.scene)();
        match off {
            Off::Frame(change) => {
                change(&mut frame);
                self.draw(frame, row.options)
            }
            Off::Options(change) => {
                let mut without = row.options;
                change(&mut without);
                self.draw(frame, without)
            }
            Off::Shader(file, text, instead) => {
                let whole = ShaderSource::embedded().assemble(file).unwrap().text;
                assert_eq!(whole.matches(text).count(), 1, "{file}: {text}");
                let mut shaders = ShaderSource::embedded();
                shaders.replace(*file, whole.replace(text, instead));
                self.renderer.reload_shaders(&self.gpu, &shaders).unwrap();
                let picture = self.draw(frame, row.options);
                let embedded = ShaderSource::embedded();
                self.renderer.reload_shaders(&self.gpu, &embedded).unwrap();
                picture
            }
        }
    }
}

fn painter() -> Option<Painter> {
    let gpu = gpu()?;
    Some(Painter {
        renderer: renderer(&gpu),
        gpu,
        last_uid: 0,
    })
}

/// Draws a sheet, compares it scene by scene with the golden one, and draws each scene without its features too.
fn prove(name: &str, columns: u32, rows: Vec<Row>) {
    let Some(mut painter) = painter() else { return };
    let drawn: Vec<Picture> = rows
        .iter()
        .map(|row| painter.draw((row.scene)(), row.options))
        .collect();
    let known = if looked_at::can_compare() {
        looked_at::known_sheet(name, &drawn, columns)
    } else {
        drawn.clone()
    };
    let mut wrong = Vec::new();
    for (row, (drawn, known)) in rows.iter().zip(drawn.iter().zip(&known)) {
        let error = |picture: &Picture| difference(known, picture).expect("one size").mean;
        let is_as_known = error(drawn);
        if is_as_known > SAME_PICTURE {
            let first = &row.features[0].0;
            wrong.push(format!(
                "{first}: FLIP {is_as_known:.4} to the golden picture"
            ));
        }
        for (feature, off) in &row.features {
            let factor = error(&painter.draw_without(row, off)) / SAME_PICTURE;
            println!("{name}: without {feature} {factor:.1} times what is allowed");
            if factor < LEAST {
                wrong.push(format!("{feature}: {factor:.2} times, so it may be off"));
            }
        }
    }
    if !wrong.is_empty() {
        super::keep(&looked_at::side_by_side(&drawn, columns), name);
    }
    assert!(wrong.is_empty(), "{name}:\n{}", wrong.join("\n"));
}

#[test]
fn every_feature_of_light_is_in_a_golden_picture_that_fails_without_it() {
    prove("features_light", 5, light::rows());
}

#[test]
fn every_light_rig_is_in_a_golden_picture_that_fails_without_it() {
    prove("features_rigs", 3, rigs::rows());
}

#[test]
fn every_feature_of_materials_is_in_a_golden_picture_that_fails_without_it() {
    prove("features_surface", 8, surface::rows());
}

#[test]
fn every_feature_of_toons_is_in_a_golden_picture_that_fails_without_it() {
    prove("features_toon", 4, toon::rows());
}

#[test]
fn each_deformation_feature_has_a_golden_picture_that_needs_it() {
    prove("features_shape", 3, shape::rows());
}

/// Fraction of steps between neighbours in a row that go against the gradient.
fn steps_back(picture: &Picture) -> f32 {
    let levels: Vec<u8> = picture.rgba.chunks_exact(4).map(|t| t[1]).collect();
    let lines = levels.chunks_exact(picture.width as usize);
    let pairs = lines.flat_map(|line| line.windows(2));
    let back = pairs.clone().filter(|two| two[1] < two[0]).count();
    back as f32 / pairs.count() as f32
}

/// Half a step of 255 is invisible in a golden picture, but measurable.
#[test]
fn slow_gradients_are_dithered() {
    let Some(mut painter) = painter() else { return };
    let row = Row::new(light::slow_gradient);
    let off = Off::Shader("tonemap.wgsl", "encoded + dither", "encoded");
    let on = steps_back(&painter.draw((row.scene)(), row.options));
    let off = steps_back(&painter.draw_without(&row, &off));
    assert!(on > 0.1, "{on} of the steps go back");
    assert_eq!(off, 0.0);
}

#[test]
fn transparent_objects_are_sorted_from_far_to_near() {
    let Some(mut painter) = painter() else { return };
    let near_first = painter.draw(surface::panes(), RenderOptions::default());
    let mut frame = surface::panes();
    frame.models.swap(0, 1);
    assert_eq!(painter.draw(frame, RenderOptions::default()), near_first);
}
