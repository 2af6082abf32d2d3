//! The control port: other programs on this machine query and control a session.
//!
//! Requests are lines of JSON over TCP, or messages of the Debug Adapter Protocol. They are accepted from the loopback address only, with the token that was printed at
//! the start. `docs/control.md` lists all requests. Each connection has its own thread and passes on one request at a time,
//! so no client can delay a tick. The session answers between two ticks.

mod answer;
mod dap;
pub mod dap_frames;
mod dap_link;
mod server;
mod state;

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;

use super::headless::HeadlessCamera;
use super::{Session, StoppableGame};
use crate::debug_facts::{ScriptStop, reason_text};
use answer::answer_while_stopped;
use dap::{DapOutcome, DapSession};
use galatea_render::ShaderSource;
use server::Server;

/// Maximum number of requests answered between two ticks; the others wait for the next tick.
const MAX_REQUESTS: usize = 16;

/// Time for the last messages to a debugger when the program ends.
const LAST_MESSAGES: Duration = Duration::from_millis(100);

/// An open control port.
pub struct ControlPort {
    server: Server,
    responder: Responder,
    /// The debugger that is connected.
    debugger: Option<DapSession>,
    /// The game runs only when a debugger is ready.
    pub waits_for_debugger: bool,
}

/// Answers the requests of a control port.
#[derive(Default)]
pub struct Responder {
    /// Camera for screenshots, created on first use, with the shaders that it was created with.
    camera: Option<(HeadlessCamera, ShaderSource)>,
}

impl ControlPort {
    /// Opens the port (0: any free port) on the loopback address and prints the address on stdout. The token is printed
    /// there too, or written to a file that only its owner can read.
    ///
    /// # Errors
    /// If the port is in use, the system provides no random bytes for the token, or the file cannot be written.
    pub fn open(port: u16, token_file: Option<&Path>) -> anyhow::Result<Self> {
        let mut bytes = [0u8; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| anyhow::anyhow!("cannot create the control token: {error}"))?;
        let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let server = Server::start(port, token.clone())
            .with_context(|| format!("cannot open the control port {port}"))?;
        let address = server.address();
        let line = match token_file {
            None => format!("control: {address} token {token}"),
            Some(file) => {
                write_token(file, &token)?;
                format!("control: {address}")
            }
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{line}").and_then(|()| out.flush())?;
        Ok(Self {
            server,
            responder: Responder::default(),
            debugger: None,
            waits_for_debugger: false,
        })
    }

    /// Answers the requests since the last tick. Returns true if a client requested the end of the session.
    pub fn serve(&mut self, game: &mut StoppableGame) -> bool {
        if self.serve_debugger(game) {
            self.server.finish();
            return true;
        }
        for _ in 0..MAX_REQUESTS {
            let Some(request) = self.server.next() else {
                break;
            };
            let stop = game.stop().map(stop_text);
            let (answer, ends) = match game.session() {
                Some(session) => {
                    let (body, last) = (&request.body, &request.last_event_sent);
                    self.responder.answer(session, body, last)
                }
                None => answer_while_stopped(&request.body, &stop.unwrap_or_default()),
            };
            request.answer(answer);
            if ends {
                self.server.finish();
                return true;
            }
        }
        false
    }
}

impl ControlPort {
    /// Returns true while a code editor is connected to the debugger.
    pub fn has_editor(&self) -> bool {
        self.debugger.is_some()
    }

    /// Answers the requests of the debugger since the last tick. Returns true if it requested the end of the session.
    fn serve_debugger(&mut self, game: &mut StoppableGame) -> bool {
        while let Some(client) = self.server.next_debugger() {
            match &self.debugger {
                Some(_) => client.refuse("another debugger is connected"),
                None => self.debugger = Some(DapSession::begin(client, game)),
            }
        }
        let outcome = self.debugger.as_mut().map(|debugger| debugger.serve(game));
        if outcome != Some(DapOutcome::Stays) {
            self.debugger = None;
        }
        let ends = outcome == Some(DapOutcome::EndsProgram);
        if ends {
            // The connection still sends the last messages.
            std::thread::sleep(LAST_MESSAGES);
        }
        ends
    }
}

/// Position and reason of a stop.
fn stop_text(stop: &ScriptStop) -> String {
    let reason = reason_text(&stop.reason);
    match stop.frames.first() {
        Some(frame) => format!("{}:{}: {reason}", frame.file, frame.line),
        None => reason,
    }
}

impl Responder {
    /// Draws the session in its current state.
    fn picture(
        &mut self,
        session: &mut Session,
        size: (u32, u32),
    ) -> anyhow::Result<galatea_render::Picture> {
        let shaders = session.shaders();
        let fits = self.camera.as_ref().is_some_and(|(_, was)| *was == shaders);
        let (mut camera, shaders) = match self.camera.take().filter(|_| fits) {
            Some(camera) => camera,
            None => (HeadlessCamera::new(session)?, shaders),
        };
        let picture = camera.now(session, size);
        self.camera = Some((camera, shaders));
        picture
    }
}

/// Writes the token to a new file that only its owner can read. An existing file is replaced.
fn write_token(file: &Path, token: &str) -> anyhow::Result<()> {
    let write = || -> std::io::Result<()> {
        match fs::remove_file(file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        writeln!(options.open(file)?, "{token}")
    };
    write().with_context(|| format!("{}: cannot write the control token", file.display()))
}
