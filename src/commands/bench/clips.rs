//! Clips of files: size, accuracy, and time to create and to read them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::person::Random;
use super::stopwatch::Stopwatch;
use super::{BenchFigure, ROUNDS, measure};
use galatea_anim::pack::{measure as errors_of, pack_all};
use galatea_anim::{
    Clip, ClipAt, Frames, PackOptions, PackReport, PackedClip, Pose, Skeleton, sample_blend,
};
use galatea_asset::{Model, bvh};
use galatea_character::Definition;
use galatea_forge::mannequin::mannequin;

pub(super) const NAME: &str = "clips";

/// Samples per round.
const SAMPLES: usize = 2000;

/// Measures the clips of each file, or of the built-in character if there are none.
pub(super) fn bench(files: &[PathBuf]) -> anyhow::Result<Vec<BenchFigure>> {
    if files.is_empty() {
        let bytes = galatea_forge::glb::write(&mannequin());
        return rows("mannequin", &|| load(Path::new("mannequin.glb"), &bytes));
    }
    let mut all = Vec::new();
    for file in files {
        let bytes = galatea_asset::read(file)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        all.extend(rows(&name, &|| load(file, &bytes))?);
    }
    Ok(all)
}

/// Skeleton and clips from the bytes of a file, as authored.
fn load(file: &Path, bytes: &[u8]) -> anyhow::Result<Model> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    let is_bvh = file
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("bvh"));
    if is_bvh {
        let (skeleton, clip, _) = bvh::load(bytes, &name)?;
        return Ok(Model {
            name: name.into_owned(),
            skeleton: Arc::new(skeleton),
            clips: vec![Arc::new(clip)],
            ..Model::default()
        });
    }
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    let mut beside =
        |name: &str| galatea_asset::read(&folder.join(name)).map_err(|e| e.to_string());
    let (model, clips) = galatea_asset::gltf::load_motion_slice(&name, bytes, &mut beside)?;
    Ok(Model {
        clips: clips.into_iter().map(Arc::new).collect(),
        ..model
    })
}

/// Median time of a few rounds, milliseconds.
fn milliseconds(mut work: impl FnMut()) -> f64 {
    let mut rounds: Vec<f64> = (0..ROUNDS.div_ceil(2))
        .map(|_| {
            let start = Stopwatch::start();
            work();
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

fn rows(file: &str, load: &dyn Fn() -> anyhow::Result<Model>) -> anyhow::Result<Vec<BenchFigure>> {
    let model = load()?;
    let skeleton = &model.skeleton;
    let clips: Vec<Clip> = model.clips.iter().map(|clip| Clip::clone(clip)).collect();
    let options = PackOptions::default();
    let packed = pack_all(skeleton, &clips, &options).into_iter();
    let packed: Vec<PackedClip> = packed.map(|(packed, _)| packed).collect();
    let reports: Vec<PackReport> = clips
        .iter()
        .zip(&packed)
        .map(|(clip, packed)| errors_of(skeleton, clip, packed, &options))
        .collect();
    let mut all = sizes(&model, &packed, &reports);
    all.extend(errors(&reports));
    let pack_ms = milliseconds(|| {
        std::hint::black_box(pack_all(skeleton, &clips, &options));
    });
    all.push(row("pack", "all clips packed, all cores", pack_ms, "ms"));
    all.extend(reading(load));
    all.extend(sampling(skeleton, &packed));
    for figure in &mut all {
        figure.file = Some(file.to_owned());
    }
    Ok(all)
}

fn row(name: &str, what: &str, value: f64, unit: &'static str) -> BenchFigure {
    BenchFigure::plain(&format!("clips_{name}"), what, value, unit)
}

/// Sizes of the clips of a model.
fn sizes(model: &Model, packed: &[PackedClip], reports: &[PackReport]) -> Vec<BenchFigure> {
    let n_bones = model.skeleton.len();
    let lengths = model.clips.iter().map(|clip| f64::from(clip.duration));
    let seconds: f64 = lengths.sum();
    let bytes: usize = packed.iter().map(PackedClip::bytes).sum();
    let raw: usize = reports.iter().map(|report| report.raw_bytes).sum();
    let disk: usize = packed.iter().map(|packed| packed.to_bytes().len()).sum();
    let ratio = |bytes: usize| raw as f64 / bytes.max(1) as f64;
    let bone_seconds = (seconds * n_bones as f64).max(1e-9);
    let what = format!("{n_bones} bones");
    vec![
        row("n", &what, model.clips.len() as f64, "clips"),
        row("length", "of all clips", seconds, "s"),
        row("raw", "10 numbers per bone, 30 Hz", raw as f64, "bytes"),
        row(
            "resident",
            "in memory while not played",
            bytes as f64,
            "bytes",
        ),
        row("ratio", "raw / resident", ratio(bytes), "times"),
        row(
            "rate",
            "resident bytes per bone and second",
            bytes as f64 / bone_seconds,
            "bytes per bone and second",
        ),
        row("disk", "written to a file", disk as f64, "bytes"),
        row("disk_ratio", "raw / disk", ratio(disk), "times"),
    ]
}

/// Errors of packed clips.
fn errors(reports: &[PackReport]) -> [BenchFigure; 2] {
    let worst = |of: fn(&PackReport) -> f32| f64::from(reports.iter().map(of).fold(0.0, f32::max));
    [
        row(
            "error_p99",
            "99th percentile of the worst clip, 3 cm from the bone, model space",
            worst(|report| report.p99_cm),
            "cm",
        ),
        row(
            "error_worst",
            "maximum of the worst clip",
            worst(|report| report.worst_error_cm),
            "cm",
        ),
    ]
}

/// Times of reading the clips of a file.
fn reading(load: &dyn Fn() -> anyhow::Result<Model>) -> [BenchFigure; 2] {
    let import_ms = milliseconds(|| {
        if let Ok(model) = load() {
            std::hint::black_box(Definition::new(Arc::new(model)));
        }
    });
    let parse_ms = milliseconds(|| {
        let _ = std::hint::black_box(load());
    });
    [
        row(
            "parse",
            "parsing the file into authored clips",
            parse_ms,
            "ms",
        ),
        row(
            "import",
            "parsing and packing the file for playback, all cores",
            import_ms,
            "ms",
        ),
    ]
}

/// Time of sampling one clip, from the packed form and from frames.
fn sampling(skeleton: &Skeleton, packed: &[PackedClip]) -> Vec<BenchFigure> {
    let rest = Pose {
        locals: skeleton.rest().collect(),
        ..Pose::default()
    };
    if packed.is_empty() || skeleton.is_empty() {
        return Vec::new();
    }
    let mut random = Random(9);
    let drawn: Vec<(usize, f32)> = (0..SAMPLES)
        .map(|_| {
            let which = ((random.share() * packed.len() as f32) as usize).min(packed.len() - 1);
            (which, random.share() * packed[which].duration)
        })
        .collect();
    let (mut pose, units) = (rest.clone(), SAMPLES * skeleton.len());
    let decode = measure(
        "clips_decode",
        "a pose decoded directly from the packed clip, random clip and time",
        "ns per bone",
        units,
        || {
            for &(clip, t) in &drawn {
                packed[clip].sample(t, &mut pose.locals);
                std::hint::black_box(&mut pose);
            }
        },
    );
    let frames: Vec<Frames> = packed
        .iter()
        .map(|clip| Frames::of_packed(clip, &rest, &[], None, |_, _| {}))
        .collect();
    let mut sample_at = |name: &str, what: &str, at: &dyn Fn(usize) -> (usize, f32)| {
        measure(name, what, "ns per bone", units, || {
            for i in 0..SAMPLES {
                let (clip, t) = at(i);
                let play = ClipAt {
                    frames: &frames[clip],
                    t,
                    weight: 1.0,
                };
                sample_blend(&[play], &rest, &mut pose);
                std::hint::black_box(&mut pose);
            }
        })
    };
    let duration = packed[0].duration;
    let bytes: usize = frames.iter().map(Frames::bytes).sum();
    vec![
        decode,
        sample_at(
            "clips_frames_ordered",
            "a pose from frames, the first clip, times in order",
            &|i| (0, duration * i as f32 / SAMPLES as f32),
        ),
        sample_at(
            "clips_frames_random",
            "a pose from frames, random clip and time",
            &|i| drawn[i],
        ),
        BenchFigure::plain(
            "clips_frames",
            "memory of frames if all clips played",
            bytes as f64,
            "bytes",
        ),
    ]
}
