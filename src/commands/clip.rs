//! `galatea clip`: converts motion capture and clips to one animation file: cuts, closes loops, resamples, reduces,
//! adds markers.

mod report;
mod source;
mod text;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, ValueEnum};

use self::report::{
    CentredReport, ClipFileReport, ClipReport, FeetReport, FootContact, KeyReduction, LoopReport,
};
use self::source::MotionFiles;
pub use self::text::{few, marker};
use galatea_anim::Clip;
use galatea_anim::contacts::{ContactOptions, FootBones, GaitAnalysis, detect, step_markers};
use galatea_anim::root_motion::{RootOptions, RootTrack, find_root_bone};
use galatea_anim::tools::{
    Centred, CloseOptions, LoopCandidate, LoopOptions, ReduceOptions, ReduceReport, centre,
    close_loop, find_loops, reduce_keys, resample,
};
use galatea_asset::write_whole;
use galatea_forge::glb;
use galatea_math::names::printable;

/// Arguments of `clip`.
#[derive(Debug, Args)]
pub struct ClipArgs {
    /// Files with clips: .bvh, .glb, .gltf, .vrm, .vrma, .x, .fbx, or DeepMimic's .txt. Clips of further files are
    /// bound to the bones of the first by name, or retargeted
    #[arg(value_name = "IN", required = true)]
    inputs: Vec<PathBuf>,
    /// Output file
    #[arg(short, long, value_name = "OUT.glb")]
    output: Option<PathBuf>,
    /// Process only the clip with this name
    #[arg(long, value_name = "NAME")]
    clip: Option<String>,
    /// List the clips of the files
    #[arg(long)]
    list: bool,
    /// List the loops found in each clip, best first
    #[arg(long)]
    find_loop: bool,
    /// Cut out a loop and close it: from START to END seconds, or the best loop found
    #[arg(long = "loop", value_names = ["START", "END"], num_args = 0..=2, value_parser = super::seconds)]
    cut: Option<Vec<f64>>,
    /// Duration of the blend that closes a loop, seconds
    #[arg(long, value_name = "SECONDS", default_value = "0.2", value_parser = super::seconds)]
    blend: f64,
    /// Minimum duration of a loop, seconds
    #[arg(long, value_name = "SECONDS", default_value = "0.6", value_parser = super::seconds)]
    shortest: f64,
    /// Remove root motion: make the clips in-place
    #[arg(long, conflicts_with = "add_root_motion")]
    in_place: bool,
    /// Add root motion to in-place clips, with the speed of their planted feet
    #[arg(long)]
    add_root_motion: bool,
    /// Start position of a clip: centred at the origin facing +Z, or as in the file; auto centres motion capture (.bvh,
    /// .txt, .json)
    #[arg(long, value_name = "WHERE", value_enum, default_value_t = TakePlacement::Auto)]
    place: TakePlacement,
    /// Keys per second
    #[arg(long, value_name = "HZ", value_parser = rate)]
    resample: Option<f64>,
    /// Remove keys; maximum error at 3 cm from a bone, centimetres
    #[arg(long, value_name = "CM", value_parser = centimetres)]
    reduce: Option<f64>,
    /// Add a marker for each footstep to clips without markers
    #[arg(long)]
    markers: bool,
    /// Report the changes and the movement of the feet
    #[arg(long)]
    report: bool,
    /// Metres per unit of a BVH file; guessed by default
    #[arg(long, value_name = "METRES", value_parser = unit)]
    unit: Option<f64>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Position and direction in which a clip begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TakePlacement {
    /// Centred for motion capture, else kept.
    Auto,
    /// Over the origin, facing +Z.
    Centre,
    /// As in the file.
    Keep,
}

pub fn run(args: &ClipArgs) -> anyhow::Result<ExitCode> {
    let asks = args.list || args.find_loop || args.report;
    if args.output.is_none() && !asks {
        anyhow::bail!("nothing to do: give -o OUT.glb, --list, --find-loop or --report");
    }
    let mut source = MotionFiles::open(&args.inputs, args.unit)?;
    if let Some(name) = &args.clip {
        source.keep(name)?;
    }
    let mut report = ClipFileReport {
        bones: source.skeleton.len(),
        warnings: Vec::new(),
        clips: Vec::new(),
        packs: std::mem::take(&mut source.packs),
        written: None,
    };
    for i in 0..source.clips.len() {
        let (clip, said) = work(args, &source, &source.clips[i])?;
        source.clips[i] = clip;
        report.clips.push(said);
    }
    if let Some(output) = &args.output {
        anyhow::ensure!(
            source.clips.iter().any(|clip| !clip.bones.is_empty()),
            "{}: the file was not written: {}",
            output.display(),
            match source.clips.len() {
                0 => "there are no clips".to_owned(),
                1 => format!("clip {:?} moves no bone", source.clips[0].name),
                n => format!("none of the {n} clips moves a bone"),
            }
        );
        let still = source.clips.iter().filter(|clip| clip.bones.is_empty());
        let empty = still.map(|clip| format!("clip {:?} moves no bone and is left out", clip.name));
        source.warnings.extend(empty);
        let bytes = glb::write_clips(&source.name, &source.skeleton, &source.clips);
        write_whole(output, &bytes)?;
        report.written = Some(output.display().to_string());
    }
    report.warnings = source.warnings;
    if args.json {
        say!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        for warning in &report.warnings {
            tracing::warn!("{}", printable(warning));
        }
        say!("{}", text::text(&report, asks).trim_end());
    }
    Ok(ExitCode::SUCCESS)
}

/// Processes one clip according to the arguments.
fn work(args: &ClipArgs, source: &MotionFiles, clip: &Clip) -> anyhow::Result<(Clip, ClipReport)> {
    let skeleton = &source.skeleton;
    let cut = cut_of(args, source, clip)?;
    let mut clip_out = match &cut {
        Some(cut) => cut_out(args, source, clip, cut)?,
        None => clip.clone(),
    };
    if args.in_place || args.add_root_motion {
        clip_out = moved(source, &clip_out, args.add_root_motion)?;
    }
    let centred = centred(args, source, &clip_out);
    if let Some(centred) = &centred {
        clip_out = centred.clip.clone();
    }
    if let Some(rate) = args.resample {
        clip_out = resample(&clip_out, rate as f32);
    }
    let FootBones { bones: feet, sides } = FootBones::of(skeleton, &source.humanoid);
    let mut reduced = None;
    if let Some(cm) = args.reduce {
        let options = ReduceOptions {
            tolerance: cm as f32 * 0.01,
            // Sliding feet are visible earlier than errors of hands.
            tighter: feet
                .iter()
                .map(|(foot, _)| (*foot, cm as f32 * 0.005))
                .collect(),
        };
        let (fewer, said) = reduce_keys(skeleton, &clip_out, &options);
        clip_out = fewer;
        reduced = Some(reduced_report(source, &said));
    }
    let gait = (args.markers || args.report)
        .then(|| detect(skeleton, &clip_out, &feet, &ContactOptions::default()))
        .filter(|_| !feet.is_empty());
    if let Some(gait) = gait.as_ref().filter(|_| args.markers)
        && clip_out.markers.is_empty()
    {
        clip_out.markers = step_markers(gait, clip_out.duration, &sides);
    }
    let loops = || {
        loops_of(args, source, clip)
            .iter()
            .map(loop_report)
            .collect()
    };
    let said = ClipReport {
        name: clip_out.name.clone(),
        seconds: clip_out.duration,
        bones: clip_out.bones.len(),
        keys: n_keys(&clip_out),
        loops: args.find_loop.then(loops),
        cut,
        centred: centred.map(|centred| CentredReport {
            from: [centred.from.x, centred.from.z],
            facing: centred.yaw.to_degrees(),
        }),
        reduced,
        feet: gait.as_ref().map(|gait| feet_report(gait, &sides)),
        markers: clip_out.markers.iter().map(text::marker).collect(),
    };
    Ok((clip_out, said))
}

/// The loops found in a clip, best first.
fn loops_of(args: &ClipArgs, source: &MotionFiles, clip: &Clip) -> Vec<LoopCandidate> {
    let options = LoopOptions {
        shortest: args.shortest as f32,
        ..LoopOptions::default()
    };
    find_loops(&source.skeleton, clip, &options)
}

/// The loop to cut out of a clip: the given one or the best found; `None` without `--loop`.
fn cut_of(
    args: &ClipArgs,
    source: &MotionFiles,
    clip: &Clip,
) -> anyhow::Result<Option<LoopReport>> {
    let Some(ends) = args.cut.as_deref() else {
        return Ok(None);
    };
    anyhow::ensure!(
        clip.duration > 0.0,
        "clip {:?} has a length of 0 s, so it contains no loop; choose another clip with --clip NAME",
        clip.name
    );
    match ends {
        [] => {
            let best = loops_of(args, source, clip).first().map(loop_report);
            let best = best.with_context(|| {
                format!(
                    "clip {:?}: no loop found; give its times with --loop START END",
                    clip.name
                )
            })?;
            Ok(Some(best))
        }
        [start, end] if end > start => Ok(Some(LoopReport {
            start: *start as f32,
            end: (*end as f32).min(clip.duration),
            distance: None,
            velocity: None,
            root_translation: None,
            turn: None,
        })),
        _ => anyhow::bail!("--loop needs START and END in seconds, START before END, or no values"),
    }
}

/// Cuts a loop out of a clip and closes it.
fn cut_out(
    args: &ClipArgs,
    source: &MotionFiles,
    clip: &Clip,
    cut: &LoopReport,
) -> anyhow::Result<Clip> {
    anyhow::ensure!(
        cut.start < clip.duration,
        "clip {:?} ends at {:.3} s, before the loop starts",
        clip.name,
        clip.duration
    );
    let close = CloseOptions {
        blend: args.blend as f32,
        ..CloseOptions::default()
    };
    let skeleton = &source.skeleton;
    Ok(close_loop(skeleton, clip, cut.start, cut.end, &close))
}

/// Removes the root motion of a clip, or adds it.
fn moved(source: &MotionFiles, clip: &Clip, travel: bool) -> anyhow::Result<Clip> {
    let skeleton = &source.skeleton;
    let bone = find_root_bone(skeleton, clip);
    let bone = bone.with_context(|| format!("clip {:?}: no root bone found", clip.name))?;
    if !travel {
        let way = RootTrack::extract(skeleton, clip, bone, &RootOptions::default());
        return Ok(way.strip(skeleton, clip));
    }
    let gait = detect(
        skeleton,
        clip,
        &FootBones::of(skeleton, &source.humanoid).bones,
        &ContactOptions::default(),
    );
    if !gait.in_place() {
        return Ok(clip.clone());
    }
    let way = RootTrack::even(bone, clip.duration, gait.velocity());
    Ok(way.restore(skeleton, clip))
}

/// The clip centred over the origin, if requested.
fn centred(args: &ClipArgs, source: &MotionFiles, clip: &Clip) -> Option<Centred> {
    let is_wanted = match args.place {
        TakePlacement::Auto => source.is_capture,
        TakePlacement::Centre => true,
        TakePlacement::Keep => false,
    };
    let centred = is_wanted.then(|| centre(&source.skeleton, &source.humanoid, clip))??;
    (centred.from.length() > 1e-3 || centred.yaw.abs() > 1e-3).then_some(centred)
}

fn loop_report(found: &LoopCandidate) -> LoopReport {
    LoopReport {
        start: found.start,
        end: found.end,
        distance: Some(found.distance),
        velocity: Some(found.velocity),
        root_translation: Some(found.lap.translation.with_y(0.0).length()),
        turn: Some(found.lap.yaw.to_degrees()),
    }
}

fn reduced_report(source: &MotionFiles, said: &ReduceReport) -> KeyReduction {
    let bones = source.skeleton.bones();
    let worst = said.worst_bone.and_then(|b| bones.get(usize::from(b)));
    KeyReduction {
        keys_before: said.keys_before,
        keys_after: said.keys_after,
        error_cm: said.error * 100.0,
        worst_bone: worst.map_or_else(String::new, |bone| bone.name.clone()),
    }
}

fn feet_report(gait: &GaitAnalysis, names: &[String]) -> FeetReport {
    let velocity = gait.velocity();
    let contacts = gait.contacts.iter().map(|contact| FootContact {
        foot: names.get(contact.foot).cloned().unwrap_or_default(),
        start: contact.start,
        end: contact.end,
    });
    FeetReport {
        speed: gait.speed(),
        direction: if gait.speed() > 0.0 {
            velocity.x.atan2(velocity.z).to_degrees()
        } else {
            0.0
        },
        in_place: gait.in_place(),
        looping: gait.looping,
        contacts: contacts.collect(),
    }
}

fn n_keys(clip: &Clip) -> usize {
    let bones = clip.bones.iter().map(|tracks| {
        let translation = tracks.translation.as_ref().map_or(0, |t| t.times.len());
        let rotation = tracks.rotation.as_ref().map_or(0, |t| t.times.len());
        translation + rotation + tracks.scale.as_ref().map_or(0, |t| t.times.len())
    });
    bones.sum()
}

fn within(text: &str, low: f64, high: f64, what: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(n) if (low..=high).contains(&n) => Ok(n),
        _ => Err(format!("expected {what}, {low} to {high}")),
    }
}

fn rate(text: &str) -> Result<f64, String> {
    within(text, 1.0, 1000.0, "keys per second")
}

fn centimetres(text: &str) -> Result<f64, String> {
    within(text, 0.0001, 100.0, "centimetres")
}

fn unit(text: &str) -> Result<f64, String> {
    within(text, 1e-6, 1e6, "metres")
}
