//! `galatea play`: opens a window, or renders to files if there is no display.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;

use super::autoplay::{self, AutoplayOptions};
use super::view::ViewArg;
use super::{QualityArg, ShowArg, record};
use galatea_app::control::ControlPort;
use galatea_app::recording::{InputRecording, Recorder};
use galatea_app::{PlayerProfile, Session, SessionOptions, SoundOutput};
use galatea_app::{live, microphone, window};

/// Arguments of `play`.
#[derive(Debug, Args)]
pub struct PlayArgs {
    #[command(flatten)]
    show: ShowArg,
    #[command(flatten)]
    quality: QualityArg,
    #[command(flatten)]
    view: ViewArg,
    /// Play without sound
    #[arg(long)]
    silent: bool,
    /// Play recorded input, then accept input from the devices
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Write all input to a file while playing, for `--input`, `record --input` and tests
    #[arg(long, value_name = "FILE", conflicts_with = "render")]
    record_input: Option<PathBuf>,
    /// Use a recording instead of the microphone, for live lip sync
    #[arg(long, value_name = "FILE", conflicts_with = "render")]
    microphone: Option<PathBuf>,
    /// Print the phases until the first picture in the window: time, processor time and memory
    #[arg(long, conflicts_with = "render")]
    pub(super) timings: bool,
    /// Render to files even if there is a display
    #[arg(long)]
    render: bool,
    /// Evaluate Lua or a console command once the script runs, and print the result; may be repeated
    #[arg(long, value_name = "CODE")]
    eval: Vec<String>,
    /// Let other programs on this machine query and control the project, on this port [default: any free port].
    /// Without a display the project then runs in real time
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0", conflicts_with = "render")]
    control: Option<u16>,
    /// Write the control token to this file, readable by its owner only, instead of stdout
    #[arg(long, value_name = "FILE", requires = "control")]
    control_token_file: Option<PathBuf>,
    /// With --render or without a display: render the whole film, not only a sheet of pictures and the beginning
    #[arg(long)]
    full: bool,
    /// Output folder of --render
    #[arg(long, value_name = "FOLDER", default_value = "out/render")]
    render_to: PathBuf,
}

impl PlayArgs {
    /// The project in the current folder.
    pub fn here() -> Self {
        Self {
            show: ShowArg {
                path: ".".into(),
                clip: None,
            },
            quality: QualityArg::default(),
            view: ViewArg::default(),
            silent: false,
            input: None,
            record_input: None,
            microphone: None,
            timings: false,
            render: false,
            full: false,
            eval: Vec::new(),
            control: None,
            control_token_file: None,
            render_to: "out/render".into(),
        }
    }
}

pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let project = args.show.open()?;
    let recording = match &args.input {
        Some(file) => Some(record::read_inputs(file)?),
        None => None,
    };
    let shows = window::has_display() && !args.render;
    if !shows && args.record_input.is_some() {
        anyhow::bail!("no display found, so there is no input to record");
    }
    if !shows && args.control.is_none() {
        if !args.render {
            let folder = args.render_to.display();
            eprintln!("note: no display found; rendering to files in {folder} instead");
        }
        return autoplay::run(
            project,
            recording,
            &AutoplayOptions {
                wishes: args.quality.wishes(false),
                view: &args.view,
                lines: &args.eval,
                is_full: args.full,
                output: &args.render_to,
            },
        );
    }
    let player = match &recording {
        Some(recording) => PlayerProfile::of(recording),
        None => PlayerProfile::here(&project),
    };
    if let Some(recording) = &recording {
        record::report_differences(&project, recording)?;
    }
    let recorder = match &args.record_input {
        Some(file) => {
            let header = player.header(&project).with_files(&project);
            let recorder = Recorder::create(file, header);
            Some(recorder.with_context(|| file.display().to_string())?)
        }
        None => None,
    };
    let options = SessionOptions {
        sound: if args.silent {
            SoundOutput::Silent
        } else {
            SoundOutput::Device
        },
        watch: true,
        quiet: false,
        wait: false,
    };
    let control = match args.control {
        None => None,
        Some(port) => Some(ControlPort::open(port, args.control_token_file.as_deref())?),
    };
    let mut session = Session::open_for_console(project, options, player)?;
    if let Some(file) = &args.microphone {
        let sound = microphone::read(file).map_err(anyhow::Error::msg)?;
        session.use_recording_as_microphone(sound);
    }
    args.view.show(&mut session.stage)?;
    if let Some(InputRecording { events, .. }) = recording {
        session.replay(events);
    }
    if let Some(recorder) = recorder {
        session.record(recorder);
    }
    session.answer_when_loaded(&args.eval);
    if control.is_some() {
        session.record_events();
    }
    match control {
        Some(control) if !shows => live::run(session, control),
        control => window::run(session, options, control, args.quality.wishes(false))?,
    }
    Ok(ExitCode::SUCCESS)
}
