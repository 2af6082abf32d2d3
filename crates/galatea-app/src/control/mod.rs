//! The control port: other programs on this machine ask a session what it does and tell it what to do.
//!
//! Requests come as lines of JSON over TCP, from the loopback address only and with the token that was
//! printed once; `docs/control.md` tells them all. Connections have threads of their own and hand over one
//! request at a time, so that no client can hold up a tick; the session answers between two ticks.

mod answer;
mod server;
mod state;

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;

use super::Session;
use super::headless::HeadlessCamera;
use galatea_render::ShaderSource;
use server::Server;

/// Requests that are answered between two ticks; the others wait for the next.
const MOST_REQUESTS: usize = 16;

/// A control port that is open.
pub struct ControlPort {
    server: Server,
    responder: Responder,
}

/// Answers requests; the port hands them over.
#[derive(Default)]
pub struct Responder {
    /// What draws screenshots, made for the first, and the shaders it was made with.
    camera: Option<(HeadlessCamera, ShaderSource)>,
}

impl ControlPort {
    /// Opens the port (0: any that is free) on the loopback address and says on stdout where; the token
    /// is said there too, or written to a file that only its owner can read.
    ///
    /// # Errors
    /// When the port is taken, there is no randomness for the token, or the file cannot be written.
    pub fn open(port: u16, token_file: Option<&Path>) -> anyhow::Result<Self> {
        let mut bytes = [0u8; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| anyhow::anyhow!("no randomness for the control token: {error}"))?;
        let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let server = Server::start(port, token.clone())
            .with_context(|| format!("the control port {port}"))?;
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
        })
    }

    /// Answers what has been asked since the last tick. True when one asked to end.
    pub fn serve(&mut self, session: &mut Session) -> bool {
        for _ in 0..MOST_REQUESTS {
            let Some(request) = self.server.next() else {
                break;
            };
            let (answer, ends) = self.responder.answer(session, &request.body, &request.told);
            request.answer(answer);
            if ends {
                self.server.finish();
                return true;
            }
        }
        false
    }
}

impl Responder {
    /// Draws the session as it is now.
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

/// Writes the token to a new file that only its owner can read, in place of one that is there.
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
    write().with_context(|| format!("{}: the control token", file.display()))
}
