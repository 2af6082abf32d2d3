//! Threads of the control port: one listens, and one per connection reads requests and writes answers.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::dap_frames::FIRST_HEADER;
use super::dap_link::{DapClient, serve_debugger};

/// Maximum number of authenticated connections.
const MAX_CONNECTIONS: usize = 16;
/// Maximum number of connections that are not authenticated. Above it, the one that waited longest is closed.
const MAX_WAITING: usize = 16;
/// Idle time after which a connection may be closed in favour of a new one.
const IDLE: Duration = Duration::from_secs(60);
/// Maximum length of a line, bytes.
const MAX_LINE_BYTES: usize = 256 << 10;
/// Time limit until a connection sends its first valid line.
const FIRST_LINE_TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit for a client to read an answer.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum number of bytes read from a rejected client, so that it receives the error.
const MAX_DRAINED: usize = 4 << 20;
const DRAIN_TIMEOUT: Duration = Duration::from_millis(300);
const MAX_DRAIN: Duration = Duration::from_secs(1);

/// An authenticated request.
pub struct Request {
    /// The whole request.
    pub body: Map<String, Value>,
    /// Number of the last event sent to this connection.
    pub last_event_sent: Arc<AtomicU64>,
    reply: SyncSender<Value>,
    shared: Arc<ServerState>,
}

impl Request {
    /// Passes the answer to the connection. It is dropped if the connection has closed.
    pub fn answer(&self, answer: Value) {
        self.shared.n_writing.fetch_add(1, Ordering::SeqCst);
        if self.reply.try_send(answer).is_err() {
            self.shared.n_writing.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// The listening port and its queue of requests.
pub struct Server {
    address: SocketAddr,
    requests: Receiver<Request>,
    debuggers: Receiver<DapClient>,
    shared: Arc<ServerState>,
}

/// Queues for the requests and the debuggers of all connections.
#[derive(Clone)]
struct RequestQueues {
    requests: SyncSender<Request>,
    debuggers: SyncSender<DapClient>,
}

struct ServerState {
    token: String,
    ends: AtomicBool,
    connections: Mutex<Vec<OpenConnection>>,
    /// Number of connections accepted so far.
    n_accepted: AtomicU64,
    /// Number of answers that are queued but not written yet.
    n_writing: AtomicUsize,
}

impl Server {
    /// Listens on the loopback address.
    pub fn start(port: u16, token: String) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let (sender, requests) = sync_channel(MAX_CONNECTIONS);
        let (debugger_sender, debuggers) = sync_channel(MAX_CONNECTIONS);
        let queues = RequestQueues {
            requests: sender,
            debuggers: debugger_sender,
        };
        let shared = Arc::new(ServerState {
            token,
            ends: AtomicBool::new(false),
            connections: Mutex::default(),
            n_accepted: AtomicU64::new(0),
            n_writing: AtomicUsize::new(0),
        });
        let of_listener = shared.clone();
        std::thread::Builder::new()
            .name("control".into())
            .spawn(move || listen(&listener, &queues, &of_listener))?;
        Ok(Self {
            address,
            requests,
            debuggers,
            shared,
        })
    }

    /// Listening address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the next request, if there is one.
    pub fn next(&self) -> Option<Request> {
        self.requests.try_recv().ok()
    }

    /// Returns the next debugger that has connected, if there is one.
    pub fn next_debugger(&self) -> Option<DapClient> {
        self.debuggers.try_recv().ok()
    }

    /// Waits until the last answers are written, at most one second.
    pub fn finish(&self) {
        let start = Instant::now();
        while self.shared.n_writing.load(Ordering::SeqCst) > 0
            && start.elapsed() < Duration::from_secs(1)
        {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::SeqCst);
        // A connection wakes up the listener, which then checks the flag.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_millis(200));
    }
}

fn listen(listener: &TcpListener, queues: &RequestQueues, shared: &Arc<ServerState>) {
    loop {
        let accepted = listener.accept();
        if shared.ends.load(Ordering::SeqCst) {
            return;
        }
        let Ok((stream, _)) = accepted else {
            // The process is probably out of file descriptors; the listener tries again later.
            std::thread::sleep(Duration::from_millis(100));
            continue;
        };
        // Without a handle the connection is closed.
        let Ok(slot) = ConnectionSlot::take(shared, &stream) else {
            continue;
        };
        let (queues, shared) = (queues.clone(), shared.clone());
        // Without a thread the connection is closed.
        let _ = std::thread::Builder::new()
            .name("control connection".into())
            .spawn(move || {
                let _ = converse(&stream, &queues, &shared, &slot);
                drop(slot);
                close_gracefully(&stream);
            });
    }
}

/// Entry of a connection in the shared list.
struct OpenConnection {
    number: u64,
    /// Handle for closing it from another thread.
    stream: TcpStream,
    /// True after it has sent the token.
    is_known: bool,
    /// Time of its last request, or when it was opened.
    used: Instant,
}

impl OpenConnection {
    fn close(&self, why: &str) {
        let _ = self
            .stream
            .set_write_timeout(Some(Duration::from_millis(100)));
        let _ = write(&self.stream, &error(why));
        // The connection's own thread notices the end and cleans up.
        let _ = self.stream.shutdown(Shutdown::Read);
    }
}

/// Entry of a connection in the list of all; removed on drop.
struct ConnectionSlot {
    shared: Arc<ServerState>,
    number: u64,
}

impl ConnectionSlot {
    /// Adds a new connection that is not authenticated yet. If too many wait, the oldest is closed, so silent clients cannot
    /// keep others out.
    fn take(shared: &Arc<ServerState>, stream: &TcpStream) -> std::io::Result<Self> {
        let stream = stream.try_clone()?;
        let mut all = shared.connections();
        let waiting = || all.iter().filter(|other| !other.is_known);
        if waiting().count() >= MAX_WAITING
            && let Some(oldest) = waiting().min_by_key(|other| other.used)
        {
            let number = oldest.number;
            oldest.close(&format!(
                "too many connections: {MAX_WAITING} have sent no request yet; this one was closed because it is the oldest"
            ));
            all.retain(|other| other.number != number);
        }
        let number = shared.n_accepted.fetch_add(1, Ordering::SeqCst);
        all.push(OpenConnection {
            number,
            stream,
            is_known: false,
            used: Instant::now(),
        });
        Ok(Self {
            shared: shared.clone(),
            number,
        })
    }

    /// Records a request with a valid token. Returns false if there is no free connection slot.
    fn mark_used(&self) -> bool {
        let mut all = self.shared.connections();
        let now = Instant::now();
        let known = || all.iter().filter(|other| other.is_known);
        let is_new = !known().any(|other| other.number == self.number);
        if is_new && known().count() >= MAX_CONNECTIONS {
            let oldest = known().min_by_key(|other| other.used);
            let idle = oldest.filter(|oldest| now.duration_since(oldest.used) > IDLE);
            let Some(idle) = idle else { return false };
            let number = idle.number;
            idle.close("too many connections: this one was closed because it was idle for the longest time");
            all.retain(|other| other.number != number);
        }
        for own in all.iter_mut().filter(|own| own.number == self.number) {
            (own.is_known, own.used) = (true, now);
        }
        true
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let number = self.number;
        self.shared
            .connections()
            .retain(|other| other.number != number);
    }
}

impl ServerState {
    fn connections(&self) -> MutexGuard<'_, Vec<OpenConnection>> {
        // A panic while the lock was held leaves a valid list.
        self.connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn error(text: &str) -> Value {
    json!({ "id": null, "ok": false, "error": text })
}

/// Reads requests until the client disconnects or is rejected.
fn converse(
    stream: &TcpStream,
    queues: &RequestQueues,
    shared: &Arc<ServerState>,
    slot: &ConnectionSlot,
) -> std::io::Result<()> {
    stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
    stream.set_read_timeout(Some(FIRST_LINE_TIMEOUT))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    let last_event_sent = Arc::new(AtomicU64::new(0));
    let mut deadline = Some(Instant::now() + FIRST_LINE_TIMEOUT);
    loop {
        let line = match read_line(&mut reader, deadline)? {
            RequestLine::Whole(line) => line,
            RequestLine::TooLong => {
                let text = format!("the line is too long; the limit is {MAX_LINE_BYTES} bytes");
                return write(stream, &error(&text));
            }
            RequestLine::None => return Ok(()),
        };
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if line.starts_with(FIRST_HEADER) && deadline.is_some() {
            return serve_debugger(stream, &mut reader, line, &queues.debuggers, |token| {
                if !same(token.as_bytes(), shared.token.as_bytes()) {
                    return Err("wrong token".to_owned());
                }
                if !slot.mark_used() {
                    return Err(format!("all {MAX_CONNECTIONS} connections are in use"));
                }
                stream
                    .set_read_timeout(None)
                    .map_err(|error| error.to_string())
            });
        }
        let body = match serde_json::from_slice::<Value>(&line) {
            Ok(Value::Object(body)) => body,
            _ => return write(stream, &error("expected a line with one JSON object")),
        };
        let token_text = body
            .get("token")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if !same(token_text.as_bytes(), shared.token.as_bytes()) {
            return write(stream, &error("wrong token"));
        }
        if !slot.mark_used() {
            let text = format!(
                "too many connections: all {MAX_CONNECTIONS} are in use; close one and connect again"
            );
            return write(stream, &error(&text));
        }
        if deadline.take().is_some() {
            stream.set_read_timeout(None)?;
        }
        let (reply, answer) = sync_channel(1);
        let request = Request {
            body,
            last_event_sent: last_event_sent.clone(),
            reply,
            shared: shared.clone(),
        };
        if queues.requests.send(request).is_err() {
            return Ok(());
        }
        // Receiving fails only if the session has ended.
        let Ok(answer) = answer.recv() else {
            return Ok(());
        };
        let written = write(stream, &answer);
        shared.n_writing.fetch_sub(1, Ordering::SeqCst);
        written?;
    }
}

enum RequestLine {
    Whole(Vec<u8>),
    TooLong,
    /// The client disconnected or timed out.
    None,
}

fn read_line(
    reader: &mut BufReader<&TcpStream>,
    deadline: Option<Instant>,
) -> std::io::Result<RequestLine> {
    let mut line = Vec::new();
    loop {
        let chunk = match reader.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() || deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Ok(RequestLine::None);
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let n = end.unwrap_or(chunk.len());
        if line.len() + n > MAX_LINE_BYTES {
            return Ok(RequestLine::TooLong);
        }
        line.extend_from_slice(&chunk[..n]);
        reader.consume(end.map_or(n, |end| end + 1));
        if end.is_some() {
            return Ok(RequestLine::Whole(line));
        }
    }
}

fn write(mut stream: &TcpStream, answer: &Value) -> std::io::Result<()> {
    let mut line = answer.to_string();
    line.push('\n');
    stream.write_all(line.as_bytes())
}

/// Closes a connection so that the last message still arrives. Closing with unread bytes would discard it.
fn close_gracefully(mut stream: &TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.set_read_timeout(Some(DRAIN_TIMEOUT));
    let (start, mut n_read) = (Instant::now(), 0);
    let mut buffer = [0u8; 4096];
    while let Ok(n @ 1..) = stream.read(&mut buffer) {
        n_read += n;
        if n_read > MAX_DRAINED || start.elapsed() > MAX_DRAIN {
            return;
        }
    }
}

/// Compares in constant time, so that the duration reveals nothing about the token.
fn same(token_text: &[u8], token: &[u8]) -> bool {
    let differs = token.iter().enumerate().fold(0, |differs, (i, byte)| {
        differs | (byte ^ token_text.get(i).copied().unwrap_or_default())
    });
    std::hint::black_box(differs) == 0 && token_text.len() == token.len()
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn only_the_exact_token_is_accepted() {
        assert!(same(b"abc", b"abc"));
        for token_text in [&b"abd"[..], b"ab", b"abcd", b"", b"abc\0"] {
            assert!(!same(token_text, b"abc"), "{token_text:?}");
        }
    }
}
