//! Connection of a debugger to the control port.

use std::io::{self, BufReader};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError, channel, sync_channel};

use serde_json::{Value, json};

use super::dap_frames::{capabilities, read_message, response, write_message};

/// Number of requests that wait for the next tick; a client that sends more waits.
const MAX_WAITING_REQUESTS: usize = 64;

/// A debugger that has connected and has sent the token.
pub struct DapClient {
    /// The `attach` or `launch` request.
    pub first: Value,
    requests: Receiver<Value>,
    messages: Sender<Value>,
}

impl DapClient {
    /// The next request.
    ///
    /// # Errors
    /// If there is none, or the client has disconnected.
    pub fn next(&self) -> Result<Value, TryRecvError> {
        self.requests.try_recv()
    }

    /// Answers the first request with an error, and disconnects.
    pub fn refuse(self, why: &str) {
        self.send(response(&self.first, Err(why.to_owned())));
    }

    /// Sends a message. It is dropped if the client has disconnected.
    pub fn send(&self, message: Value) {
        let _ = self.messages.send(message);
    }
}

/// Serves a debugger until it disconnects. `first` is the first line that it has sent. `admits` checks its token, and that
/// there is room for it.
///
/// # Errors
/// If the connection fails.
pub fn serve_debugger(
    stream: &TcpStream,
    reader: &mut BufReader<&TcpStream>,
    first: Vec<u8>,
    clients: &SyncSender<DapClient>,
    mut admits: impl FnMut(&str) -> Result<(), String>,
) -> io::Result<()> {
    let mut first = Some(first);
    let mut seq = 0;
    let mut send = |mut message: Value| {
        seq += 1;
        message["seq"] = json!(seq);
        write_message(&mut &*stream, &message)
    };
    let attach = loop {
        let Some(request) = read_message(reader, first.take())? else {
            return Ok(());
        };
        match request.get("command").and_then(Value::as_str) {
            Some("initialize") => send(response(&request, Ok(capabilities())))?,
            Some("attach" | "launch") => {
                let token = request["arguments"]["token"].as_str().unwrap_or_default();
                match admits(token) {
                    Ok(()) => break request,
                    Err(why) => return send(response(&request, Err(why))),
                }
            }
            _ => {
                let why = "expected initialize, then attach with the token".to_owned();
                return send(response(&request, Err(why)));
            }
        }
    };
    let (requests, of_client) = sync_channel(MAX_WAITING_REQUESTS);
    let (messages, to_client) = channel();
    let client = DapClient {
        first: attach,
        requests: of_client,
        messages,
    };
    if clients.send(client).is_err() {
        return Ok(());
    }
    let writing = stream.try_clone()?;
    // A slow client delays only its own thread.
    let writer = std::thread::Builder::new()
        .name("debugger connection".into())
        .spawn(move || {
            for mut message in to_client {
                seq += 1;
                message["seq"] = json!(seq);
                if write_message(&mut &writing, &message).is_err() {
                    break;
                }
            }
            // The session has dropped the client, so there is nothing more to read.
            let _ = writing.shutdown(Shutdown::Both);
        });
    while let Ok(Some(request)) = read_message(reader, None) {
        if requests.send(request).is_err() {
            break;
        }
    }
    drop(requests);
    if let Ok(writer) = writer {
        let _ = writer.join();
    }
    Ok(())
}
