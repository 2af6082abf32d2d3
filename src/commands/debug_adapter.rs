//! `galatea debug-adapter`: starts a project for a code editor, and connects the editor to its debugger.
//!
//! The editor speaks the Debug Adapter Protocol on the standard input and output. The game speaks it on its control port.
//! The adapter passes messages on between them, and the output of the game to the editor.

use std::io::{self, BufRead as _, BufReader, Read, Stdout, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};

use galatea_app::control::dap_frames::{
    capabilities, event, read_message, response, write_message,
};

/// Beginning of the line on which a game prints its control port.
const CONTROL: &str = "control: ";

/// The editor. Clones share the output and its count.
#[derive(Clone)]
struct Editor(Arc<Mutex<(Stdout, u64)>>);

impl Editor {
    fn send(&self, mut message: Value) -> io::Result<()> {
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        out.1 += 1;
        message["seq"] = json!(out.1);
        write_message(&mut out.0, &message)
    }
}

/// Arguments of `debug-adapter`.
#[derive(Debug, Args)]
pub struct DebugAdapterArgs {
    /// Ignored; some editors pass a file
    #[arg(value_name = "FILE", hide = true)]
    _file: Option<PathBuf>,
}

pub fn run() -> anyhow::Result<ExitCode> {
    let editor = Editor(Arc::new(Mutex::new((io::stdout(), 0))));
    let mut input = BufReader::new(io::stdin());
    loop {
        let Some(request) = read_message(&mut input, None)? else {
            return Ok(ExitCode::SUCCESS);
        };
        match request["command"].as_str() {
            Some("initialize") => editor.send(response(&request, Ok(capabilities())))?,
            Some("launch" | "attach") => match begin(&request, &editor) {
                Ok(debugged) => return debugged.relay(input, &editor),
                Err(why) => editor.send(response(&request, Err(format!("{why:#}"))))?,
            },
            Some("disconnect") => {
                editor.send(response(&request, Ok(Value::Null)))?;
                return Ok(ExitCode::SUCCESS);
            }
            _ => {
                let why = "expected launch or attach first".to_owned();
                editor.send(response(&request, Err(why)))?;
            }
        }
    }
}

/// A game that is debugged.
struct DebuggedGame {
    stream: TcpStream,
    /// Process of the game, if the adapter has started it.
    process: Option<Child>,
    outputs: Vec<JoinHandle<()>>,
}

/// Starts a game, or connects to a running one.
fn begin(request: &Value, editor: &Editor) -> anyhow::Result<DebuggedGame> {
    let given = &request["arguments"];
    let (address, token, process, outputs) = if request["command"] == json!("launch") {
        launch(given, editor)?
    } else {
        let port = given["port"].as_u64().context("`attach` needs `port`")?;
        let token = match (given["token"].as_str(), given["tokenFile"].as_str()) {
            (Some(token), _) => token.to_owned(),
            (None, Some(file)) => {
                let text = std::fs::read_to_string(file).with_context(|| file.to_owned())?;
                text.trim().to_owned()
            }
            (None, None) => bail!("`attach` needs `token` or `tokenFile`"),
        };
        (format!("127.0.0.1:{port}"), token, None, Vec::new())
    };
    let stream = TcpStream::connect(&address)
        .with_context(|| format!("cannot connect to a game at {address}"))?;
    stream.set_nodelay(true)?;
    let mut first = request.clone();
    first["arguments"]["token"] = json!(token);
    write_message(&mut &stream, &first)?;
    Ok(DebuggedGame {
        stream,
        process,
        outputs,
    })
}

/// Address and token of a control port, the process that has it, and the threads that read its output.
type LaunchedGame = (String, String, Option<Child>, Vec<JoinHandle<()>>);

/// Starts a game with a control port.
fn launch(given: &Value, editor: &Editor) -> anyhow::Result<LaunchedGame> {
    let program = given["program"].as_str().unwrap_or(".");
    let folder = given["cwd"]
        .as_str()
        .map_or_else(PathBuf::new, PathBuf::from);
    let mut command = Command::new(std::env::current_exe()?);
    command
        .arg("play")
        .arg(folder.join(program))
        .args(["--control", "--wait-for-debugger"]);
    let more = given["args"].as_array();
    command.args(more.into_iter().flatten().filter_map(Value::as_str));
    if !folder.as_os_str().is_empty() {
        command.current_dir(&folder);
    }
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().context("cannot start the game")?;
    let (Some(out), Some(errors)) = (process.stdout.take(), process.stderr.take()) else {
        bail!("the game has no output");
    };
    let mut out = BufReader::new(out);
    let mut line = String::new();
    out.read_line(&mut line)?;
    let parts = line.strip_prefix(CONTROL).map(str::trim);
    let Some((address, token)) = parts.and_then(|parts| parts.split_once(" token ")) else {
        let mut why = String::new();
        BufReader::new(errors).read_to_string(&mut why)?;
        let _ = process.wait();
        bail!("the game did not start: {}", why.trim());
    };
    let outputs = vec![
        pass_on(out, "stdout", editor.clone())?,
        pass_on(BufReader::new(errors), "stderr", editor.clone())?,
    ];
    Ok((address.to_owned(), token.to_owned(), Some(process), outputs))
}

/// Passes the output of a game on to the editor.
fn pass_on(
    mut reader: BufReader<impl Read + Send + 'static>,
    category: &'static str,
    editor: Editor,
) -> io::Result<JoinHandle<()>> {
    let name = format!("{category} of the game");
    std::thread::Builder::new().name(name).spawn(move || {
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
            let text = String::from_utf8_lossy(&line).into_owned();
            let body = json!({ "category": category, "output": text });
            if editor.send(event("output", body)).is_err() {
                return;
            }
            line.clear();
        }
    })
}

impl DebuggedGame {
    /// Passes messages on until the game or the editor ends.
    fn relay(
        mut self,
        mut input: BufReader<io::Stdin>,
        editor: &Editor,
    ) -> anyhow::Result<ExitCode> {
        let to_game = self.stream.try_clone()?;
        // Reading from the editor cannot be interrupted, so it has a thread that ends with the process.
        std::thread::Builder::new()
            .name("editor".into())
            .spawn(move || {
                while let Ok(Some(message)) = read_message(&mut input, None) {
                    if write_message(&mut &to_game, &message).is_err() {
                        return;
                    }
                }
                // The editor has gone.
                let _ = to_game.shutdown(std::net::Shutdown::Write);
            })?;
        let mut from_game = BufReader::new(&self.stream);
        while let Ok(Some(message)) = read_message(&mut from_game, None) {
            editor.send(message)?;
        }
        let mut code = ExitCode::SUCCESS;
        if let Some(process) = &mut self.process {
            let status = process.wait()?;
            for output in std::mem::take(&mut self.outputs) {
                let _ = output.join();
            }
            let number = status.code().unwrap_or(1);
            editor.send(event("exited", json!({ "exitCode": number })))?;
            code = ExitCode::from(u8::try_from(number).unwrap_or(1));
        }
        editor.send(event("terminated", json!({})))?;
        io::stdout().flush()?;
        Ok(code)
    }
}
