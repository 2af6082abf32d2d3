//! The threads of the control port: one listens, one per connection reads lines and writes answers.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

/// Connections at once that have shown the token.
const MAX_CONNECTIONS: usize = 16;
/// Connections at once that have not; of more, the one that waited longest is closed.
const MAX_WAITING: usize = 16;
/// Time without a request after which a connection may be closed for a new one.
const IDLE: Duration = Duration::from_secs(60);
/// Bytes of the longest line.
const LONGEST_LINE: usize = 256 << 10;
/// How long a connection may take to its first good line.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a client may take to read an answer.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);
/// Bytes that are still read from a rejected client, so that it receives the error.
const MAX_DRAINED: usize = 4 << 20;
const DRAIN_PATIENCE: Duration = Duration::from_millis(300);
const MAX_DRAIN: Duration = Duration::from_secs(1);

/// A request with the right token.
pub struct Request {
    /// The whole of it.
    pub body: Map<String, Value>,
    /// Number of the last event that this connection was told.
    pub told: Arc<AtomicU64>,
    reply: SyncSender<Value>,
    shared: Arc<ServerState>,
}

impl Request {
    /// Hands the answer to the connection; one that went away misses it.
    pub fn answer(&self, answer: Value) {
        self.shared.n_writing.fetch_add(1, Ordering::SeqCst);
        if self.reply.try_send(answer).is_err() {
            self.shared.n_writing.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// The port and the requests that came in.
pub struct Server {
    address: SocketAddr,
    requests: Receiver<Request>,
    shared: Arc<ServerState>,
}

struct ServerState {
    token: String,
    ends: AtomicBool,
    connections: Mutex<Vec<OpenConnection>>,
    /// Connections that there have been.
    n_accepted: AtomicU64,
    /// Answers that were handed over and are not written yet.
    n_writing: AtomicUsize,
}

impl Server {
    /// Listens on the loopback address.
    pub fn start(port: u16, token: String) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let (sender, requests) = sync_channel(MAX_CONNECTIONS);
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
            .spawn(move || listen(&listener, &sender, &of_listener))?;
        Ok(Self {
            address,
            requests,
            shared,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The next request, if one has come.
    pub fn next(&self) -> Option<Request> {
        self.requests.try_recv().ok()
    }

    /// Waits until the last answers are written, for a moment at most.
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
        // The listener sees it when somebody comes.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_millis(200));
    }
}

fn listen(listener: &TcpListener, sender: &SyncSender<Request>, shared: &Arc<ServerState>) {
    loop {
        let accepted = listener.accept();
        if shared.ends.load(Ordering::SeqCst) {
            return;
        }
        let Ok((stream, _)) = accepted else {
            // No descriptors left, most likely: later there may be.
            std::thread::sleep(Duration::from_millis(100));
            continue;
        };
        // Without a handle the connection is closed.
        let Ok(slot) = ConnectionSlot::take(shared, &stream) else {
            continue;
        };
        let (sender, shared) = (sender.clone(), shared.clone());
        // Without a thread the connection is closed.
        let _ = std::thread::Builder::new()
            .name("control connection".into())
            .spawn(move || {
                let _ = converse(&stream, &sender, &shared, &slot);
                drop(slot);
                part(&stream);
            });
    }
}

/// A connection as the others see it.
struct OpenConnection {
    number: u64,
    /// To close it from outside.
    stream: TcpStream,
    /// True once it has sent the token.
    is_known: bool,
    /// When it last asked something, or was opened.
    used: Instant,
}

impl OpenConnection {
    fn close(&self, why: &str) {
        let _ = self
            .stream
            .set_write_timeout(Some(Duration::from_millis(100)));
        let _ = write(&self.stream, &error(why));
        // Its own thread sees the end and does the rest.
        let _ = self.stream.shutdown(Shutdown::Read);
    }
}

/// Entry of a connection in the list of all; removed on drop.
struct ConnectionSlot {
    shared: Arc<ServerState>,
    number: u64,
}

impl ConnectionSlot {
    /// Adds a new connection, which has not sent the token yet. If too many wait, the oldest is closed, so that silent
    /// clients cannot keep others out.
    fn take(shared: &Arc<ServerState>, stream: &TcpStream) -> std::io::Result<Self> {
        let stream = stream.try_clone()?;
        let mut all = shared.connections();
        let waiting = || all.iter().filter(|other| !other.is_known);
        if waiting().count() >= MAX_WAITING
            && let Some(oldest) = waiting().min_by_key(|other| other.used)
        {
            let number = oldest.number;
            oldest.close(&format!(
                "too many connections: {MAX_WAITING} wait for their first request, and this one waited longest"
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

    /// Notes that the connection asks something with the token. False if there is no room for it.
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
            idle.close("too many connections: this one asked nothing for the longest time");
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
        // A panic while the lock was held leaves a list that is still a list.
        self.connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn error(text: &str) -> Value {
    json!({ "id": null, "ok": false, "error": text })
}

/// Reads requests until the client goes away or is turned away.
fn converse(
    stream: &TcpStream,
    sender: &SyncSender<Request>,
    shared: &Arc<ServerState>,
    slot: &ConnectionSlot,
) -> std::io::Result<()> {
    stream.set_write_timeout(Some(WRITE_PATIENCE))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream);
    let told = Arc::new(AtomicU64::new(0));
    let mut deadline = Some(Instant::now() + PATIENCE);
    loop {
        let line = match read_line(&mut reader, deadline)? {
            RequestLine::Whole(line) => line,
            RequestLine::TooLong => {
                let text = format!("a line may have {LONGEST_LINE} bytes");
                return write(stream, &error(&text));
            }
            RequestLine::None => return Ok(()),
        };
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let body = match serde_json::from_slice::<Value>(&line) {
            Ok(Value::Object(body)) => body,
            _ => return write(stream, &error("expected a line with one JSON object")),
        };
        let given = body
            .get("token")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if !same(given.as_bytes(), shared.token.as_bytes()) {
            return write(stream, &error("wrong token"));
        }
        if !slot.mark_used() {
            let text = format!(
                "too many connections: {MAX_CONNECTIONS} are open and in use, which is the limit; close one and connect again"
            );
            return write(stream, &error(&text));
        }
        if deadline.take().is_some() {
            stream.set_read_timeout(None)?;
        }
        let (reply, answer) = sync_channel(1);
        let request = Request {
            body,
            told: told.clone(),
            reply,
            shared: shared.clone(),
        };
        if sender.send(request).is_err() {
            return Ok(());
        }
        // The session is gone when nobody will answer.
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
    /// The client went away, or took too long.
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
        if line.len() + n > LONGEST_LINE {
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

/// Ends a connection so that what was written last arrives: closing one with unread bytes would take it
/// back.
fn part(mut stream: &TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.set_read_timeout(Some(DRAIN_PATIENCE));
    let (start, mut n_read) = (Instant::now(), 0);
    let mut buffer = [0u8; 4096];
    while let Ok(n @ 1..) = stream.read(&mut buffer) {
        n_read += n;
        if n_read > MAX_DRAINED || start.elapsed() > MAX_DRAIN {
            return;
        }
    }
}

/// Compares in a time that does not tell where two texts differ.
fn same(given: &[u8], token: &[u8]) -> bool {
    let differs = token.iter().enumerate().fold(0, |differs, (i, byte)| {
        differs | (byte ^ given.get(i).copied().unwrap_or_default())
    });
    std::hint::black_box(differs) == 0 && given.len() == token.len()
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn only_the_whole_token_is_the_token() {
        assert!(same(b"abc", b"abc"));
        for given in [&b"abd"[..], b"ab", b"abcd", b"", b"abc\0"] {
            assert!(!same(given, b"abc"), "{given:?}");
        }
    }
}
