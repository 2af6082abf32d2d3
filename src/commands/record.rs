//! `galatea record`: renders frames, an animated image and the sound; the result is the same on every run.

mod sound;
pub mod writer;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;

use self::sound::SoundFile;
use self::writer::{Writer, write_packed};
use super::animation::{Animation, Moving};
use super::many::{self, Shard};
use super::progress::Progress;
use super::video::Video;
use super::view::ViewArg;
use super::{QualityArg, ShowArg, fail_on_errors, headless, seconds};
use galatea_app::headless::{HeadlessCamera, advance_to};
use galatea_app::png::Compression;
use galatea_app::recording::InputRecording;
use galatea_app::sheet::PixelSize;
use galatea_app::studio::StudioOptions;
use galatea_app::{PlayerProfile, Session, SoundOutput, microphone};
use galatea_asset::{Project, missing_file, vfs};
use galatea_math::names::printable;
use galatea_render::Picture;

/// Arguments of `record`.
#[derive(Debug, Args)]
pub struct RecordArgs {
    #[command(flatten)]
    show: ShowArg,
    #[command(flatten)]
    quality: QualityArg,
    #[command(flatten)]
    view: ViewArg,
    /// Duration, seconds
    #[arg(long, value_parser = seconds, default_value = "5")]
    seconds: f64,
    /// Frames per second
    #[arg(long, value_parser = super::whole::<u32>(1, 240, "frames per second"), default_value = "30")]
    fps: u32,
    /// Frame size, pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720")]
    size: PixelSize,
    /// Input to play: one JSON object per line, {"t": 0.5, "down": "w"}
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Use a recording instead of the microphone, for live lip sync
    #[arg(long, value_name = "FILE")]
    microphone: Option<PathBuf>,
    /// Draw only the models, on a transparent background
    #[arg(long)]
    transparent: bool,
    /// Record only the sound (needs no graphics driver)
    #[arg(long)]
    no_pictures: bool,
    /// Turn the camera once around its target from the first frame to the last
    #[arg(long)]
    turntable: bool,
    /// Kind of the small animated image
    #[arg(long, value_enum, value_name = "KIND", default_value = "png")]
    animation: Animation,
    /// Also write a video with sound: .mp4, .mkv, .mov or .webm; needs ffmpeg on the PATH
    #[arg(long, value_name = "FILE", conflicts_with = "no_pictures")]
    video: Option<PathBuf>,
    /// Draw only every Nth frame, starting at the Ith. To use 4 machines, give them 1/4, 2/4, 3/4 and 4/4. The first
    /// writes the sound
    #[arg(long, value_name = "I/N", value_parser = many::shard, conflicts_with = "video")]
    shard: Option<Shard>,
    /// Continue an interrupted recording: keep existing frames
    #[arg(long, conflicts_with = "no_pictures")]
    resume: bool,
    /// Folder for frames/00000.png …, animation.png and sound.wav
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
}

/// Maximum size of an input recording, bytes.
const MAX_RECORDING_BYTES: u64 = 256 << 20;
/// Maximum width and frame rate of the animated image, which is meant for web pages.
const ANIMATION_WIDTH: u32 = 640;
const ANIMATION_FPS: u32 = 20;

pub fn run(args: &RecordArgs) -> anyhow::Result<ExitCode> {
    let inputs = match &args.input {
        None => InputRecording::default(),
        Some(file) => read_inputs(file)?,
    };
    let take = RecordPlan {
        seconds: args.seconds,
        fps: args.fps,
        size: args.size,
        pictures: !args.no_pictures,
        wishes: args.quality.wishes(args.transparent),
        turntable: args.turntable,
        // The animated image needs all frames.
        animation: match args.shard.is_some() || args.resume {
            true => Animation::None,
            false => args.animation,
        },
        shard: args.shard,
        resume: args.resume,
        video: args.video.as_deref().map(Video::to).transpose()?,
    };
    let mut session = open_recorded(args.show.open()?, inputs)?;
    if let Some(file) = &args.microphone {
        let sound = microphone::read(file).map_err(anyhow::Error::msg)?;
        session.use_recording_as_microphone(sound);
    }
    args.view.show(&mut session.stage)?;
    record(session, None, take, &args.output)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads an input file.
pub fn read_inputs(file: &Path) -> anyhow::Result<InputRecording> {
    anyhow::ensure!(vfs::exists(file), missing_file(file));
    let text =
        vfs::read_text(file, MAX_RECORDING_BYTES).with_context(|| file.display().to_string())?;
    InputRecording::parse(&text).with_context(|| file.display().to_string())
}

/// Reports differences between this machine or project and those of the recording.
///
/// # Errors
/// When the recording cannot be played here.
pub fn report_differences(project: &Project, recording: &InputRecording) -> anyhow::Result<()> {
    if let Some(header) = &recording.header
        && let Some(text) = header.differs(project)?
    {
        eprintln!("note: {}", printable(&text));
    }
    Ok(())
}

/// Opens a project with recorded inputs.
pub fn open_recorded(project: Project, recording: InputRecording) -> anyhow::Result<Session> {
    report_differences(&project, &recording)?;
    let options = headless(SoundOutput::Capture, false);
    let mut session = Session::open_for_console(project, options, PlayerProfile::of(&recording))?;
    session.replay(recording.events);
    Ok(session)
}

/// Settings of a recording.
pub struct RecordPlan {
    /// Duration, seconds.
    pub seconds: f64,
    /// Frames per second.
    pub fps: u32,
    /// Frame size.
    pub size: PixelSize,
    /// Frames are drawn.
    pub pictures: bool,
    /// Drawing options.
    pub wishes: StudioOptions,
    /// The camera turns once around its target.
    pub turntable: bool,
    /// Kind of the animated image.
    pub animation: Animation,
    /// The frames that this machine draws; `None` for all.
    pub shard: Option<Shard>,
    /// Existing frames are kept.
    pub resume: bool,
    /// The video, if one is written.
    pub video: Option<Video>,
}

/// Records a session from its start. Without a camera, it creates one.
///
/// # Errors
/// If the session has errors, or something cannot be drawn or written.
pub fn record(
    mut session: Session,
    camera: Option<HeadlessCamera>,
    take: RecordPlan,
    output: &Path,
) -> anyhow::Result<()> {
    fail_on_errors(&session)?;
    fs::create_dir_all(output).with_context(|| output.display().to_string())?;
    let n_frames = ((take.seconds * f64::from(take.fps)).round() as u32).max(1);
    let camera = match camera {
        None if take.pictures => Some(HeadlessCamera::new(&mut session)?),
        camera => camera,
    };
    let pictures = camera.map(|camera| FrameWriter::new(camera, &take, n_frames, output));
    let mut pictures = pictures.transpose()?;
    let is_written = take.shard.is_none_or(Shard::is_first);
    let mut sound = SoundFile::begin(output.join("sound.wav"), take.seconds, is_written)?;
    let progress = Progress::new("rendering", u64::from(n_frames));
    for i in 0..n_frames {
        let t = f64::from(i) / f64::from(take.fps);
        advance_to(&mut session, t);
        sound.take(&mut session)?;
        let is_own = take.shard.is_none_or(|shard| shard.takes(i as usize));
        if let Some(pictures) = pictures
            .as_mut()
            .filter(|pictures| is_own && !pictures.has(i))
        {
            if take.turntable {
                let turned = 360.0 * f64::from(i) / f64::from(n_frames);
                pictures.camera.turn(turned as f32);
            }
            pictures.take(&mut session, i, t)?;
        }
        progress.at(u64::from(i + 1));
    }
    advance_to(&mut session, take.seconds);
    sound.take(&mut session)?;
    progress.done();
    if let Some(pictures) = pictures {
        let (n, animation) = pictures.finish()?;
        say!("{n} frames in {}", output.join("frames").display());
        if let Some(animation) = animation {
            say!("{}", animation.display());
        }
    }
    let wav = sound.path().to_owned();
    if let Some(wav) = sound.finish()? {
        say!("{}", wav.display());
    }
    if let Some(video) = take.video {
        let video = video.write(&output.join("frames"), &wav, take.fps)?;
        say!("{}", video.display());
    }
    fail_on_errors(&session)
}

struct FrameWriter {
    camera: HeadlessCamera,
    size: (u32, u32),
    frames: PathBuf,
    writer: Writer,
    every: u32,
    shrink: u32,
    animation: Option<Moving>,
    /// Index of the frame that is being drawn.
    pending: Option<u32>,
    /// Existing frames are kept.
    resume: bool,
    n_drawn: u32,
}

impl FrameWriter {
    fn new(
        mut camera: HeadlessCamera,
        take: &RecordPlan,
        n_frames: u32,
        output: &Path,
    ) -> anyhow::Result<Self> {
        let frames = output.join("frames");
        if frames.is_dir() && !take.resume && take.shard.is_none() {
            remove_old_frames(&frames)?;
        }
        fs::create_dir_all(&frames).with_context(|| frames.display().to_string())?;
        let every = take.fps.div_ceil(ANIMATION_FPS);
        camera.set_options(take.wishes);
        let shrink = take.size.0.div_ceil(ANIMATION_WIDTH);
        let size = shrunk_size((take.size.0, take.size.1), shrink);
        let animation = take.animation.begin(
            output,
            (n_frames.div_ceil(every), size),
            take.wishes.transparent,
            (every, take.fps),
        )?;
        Ok(Self {
            camera,
            size: (take.size.0, take.size.1),
            frames,
            writer: Writer::new()?,
            every,
            shrink,
            animation,
            pending: None,
            resume: take.resume,
            n_drawn: 0,
        })
    }

    /// Returns true if a frame exists and is kept.
    fn has(&self, i: u32) -> bool {
        self.resume && self.file(i).is_file()
    }

    fn file(&self, i: u32) -> PathBuf {
        self.frames.join(format!("{i:05}.png"))
    }

    fn take(&mut self, session: &mut Session, i: u32, t: f64) -> anyhow::Result<()> {
        // The simulation continues while the renderer works.
        let before = self.camera.picture_before(session, t, self.size)?;
        match (before, self.pending.replace(i)) {
            (Some(picture), Some(before)) => self.keep(before, picture),
            _ => Ok(()),
        }
    }

    fn keep(&mut self, i: u32, picture: Picture) -> anyhow::Result<()> {
        if let Some(animation) = &mut self.animation
            && i.is_multiple_of(self.every)
        {
            animation.put(&shrunk(&picture, self.shrink))?;
        }
        self.n_drawn += 1;
        self.writer.put(self.file(i), picture)
    }

    /// Waits for the frames and finishes the animated image. Returns the number of drawn frames, and the file of the
    /// image if there is one.
    fn finish(mut self) -> anyhow::Result<(u32, Option<PathBuf>)> {
        if let (Some(picture), Some(i)) = (self.camera.last()?, self.pending) {
            self.keep(i, picture)?;
        }
        self.writer.finish()?;
        Ok((
            self.n_drawn,
            self.animation.map(Moving::finish).transpose()?,
        ))
    }
}

/// Frames of an earlier, longer recording would look like part of this one.
fn remove_old_frames(folder: &Path) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let stem = path
            .file_stem()
            .map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        let is_frame = stem.len() == 5 && stem.bytes().all(|b| b.is_ascii_digit());
        if is_frame && path.extension().is_some_and(|e| e == "png") {
            fs::remove_file(&path).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

/// Writes a picture as PNG.
pub fn write_png(path: &Path, picture: &Picture) -> anyhow::Result<()> {
    write_packed(path, picture, Compression::Fast)
}

/// Size reduced by a factor; a size that would become 0 is kept.
fn shrunk_size((width, height): (u32, u32), factor: u32) -> (u32, u32) {
    let smaller = (width / factor.max(1), height / factor.max(1));
    if smaller.0 == 0 || smaller.1 == 0 {
        (width, height)
    } else {
        smaller
    }
}

/// A picture reduced by `factor`, by averaging squares.
fn shrunk(picture: &Picture, factor: u32) -> Picture {
    let (width, height) = shrunk_size((picture.width, picture.height), factor);
    if (width, height) == (picture.width, picture.height) {
        return picture.clone();
    }
    let mut rgba = Vec::with_capacity((width * height * 4) as usize);
    for y in 0..height {
        for x in 0..width {
            for c in 0..4 {
                let mut sum = 0;
                for (dx, dy) in (0..factor).flat_map(|dy| (0..factor).map(move |dx| (dx, dy))) {
                    let i = ((y * factor + dy) * picture.width + x * factor + dx) * 4 + c;
                    sum += u32::from(picture.rgba[i as usize]);
                }
                rgba.push((sum / (factor * factor)) as u8);
            }
        }
    }
    Picture {
        width,
        height,
        rgba,
    }
}
