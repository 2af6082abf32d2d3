//! Requests to the control port.

use std::cell::RefCell;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use galatea::app::control::ControlPort;
use galatea::app::{Session, StoppableGame};
use galatea::asset::Project;

use crate::folder::Folder;
use crate::mutate::InputFormat;
use crate::sessions;
use crate::target::Target;
use crate::texts::text_seeds;

pub const TARGETS: &[Target] = &[Target::new("control", InputFormat::Text, 100)
    .seeds(|| text_seeds(&[REQUESTS, &debugger_requests()]))
    .run(|bytes| {
        OPEN.with_borrow_mut(|open| open.get_or_insert_with(OpenPort::new).request(bytes))
    })];

const REQUESTS: &str = "{\"token\":\"TOKEN\",\"id\":1,\"do\":\"state\"}\n{\"token\":\"TOKEN\",\"do\":\"characters\"}\n\
    {\"token\":\"TOKEN\",\"do\":\"events\",\"since\":0}\n{\"token\":\"TOKEN\",\"do\":\"eval\",\"code\":\"1 + 1\"}\n\
    {\"token\":\"TOKEN\",\"do\":\"input\",\"events\":[{\"down\":\"w\"},{\"turn\":[1,2]},{\"axis\":[\"pad_left_x\",0.5]},{\"zoom\":0.1},{\"pan\":[0,0]},{\"pointer\":[0.5,0.5]},{\"aspect\":1.5}]}\n\
    {\"token\":\"TOKEN\",\"do\":\"reload\"}\n{\"token\":\"TOKEN\",\"do\":\"undo\"}\n{\"token\":\"TOKEN\",\"do\":\"redo\"}\n";

/// Requests of a debugger, with the lengths that they have with a token.
fn debugger_requests() -> String {
    let requests = [
        r#"{"seq":1,"type":"request","command":"initialize","arguments":{}}"#,
        r#"{"seq":2,"type":"request","command":"attach","arguments":{"token":"TOKEN"}}"#,
        r#"{"seq":3,"type":"request","command":"setBreakpoints","arguments":{"source":{"path":"scripts/main.lua"},"breakpoints":[{"line":2,"condition":"x","hitCondition":">2","logMessage":"a {b}"}]}}"#,
        r#"{"seq":4,"type":"request","command":"setExceptionBreakpoints","arguments":{"filters":["uncaught"]}}"#,
        r#"{"seq":5,"type":"request","command":"configurationDone"}"#,
        r#"{"seq":6,"type":"request","command":"evaluate","arguments":{"expression":"1 + 1","frameId":1}}"#,
        r#"{"seq":7,"type":"request","command":"stackTrace","arguments":{"threadId":1}}"#,
        r#"{"seq":8,"type":"request","command":"variables","arguments":{"variablesReference":1}}"#,
        r#"{"seq":9,"type":"request","command":"pause","arguments":{"threadId":1}}"#,
        r#"{"seq":10,"type":"request","command":"next","arguments":{"threadId":1}}"#,
        r#"{"seq":11,"type":"request","command":"disconnect"}"#,
    ];
    let framed = requests.map(|text| {
        let length = text.replace("TOKEN", &"0".repeat(32)).len();
        format!("Content-Length: {length}\r\n\r\n{text}")
    });
    framed.concat()
}

thread_local! {
    static OPEN: RefCell<Option<OpenPort>> = const { RefCell::new(None) };
}

/// A session with an open control port.
struct OpenPort {
    game: StoppableGame,
    port: ControlPort,
    address: String,
    token: String,
    folder: Folder,
}

impl OpenPort {
    fn new() -> Self {
        let folder = Folder::project("fuzz-control", "hero = character 'assets/mannequin.glb'");
        let mut session = sessions::open(Project::open(&folder.0).unwrap());
        let file = folder.0.join("token");
        // Finds a free port; the session opens it next.
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let number = free.local_addr().unwrap().port();
        drop(free);
        let port = ControlPort::open(number, Some(&file)).unwrap();
        sessions::tick(&mut session);
        Self {
            game: StoppableGame::new(session),
            port,
            address: format!("127.0.0.1:{number}"),
            token: fs::read_to_string(file).unwrap().trim().to_owned(),
            folder,
        }
    }

    /// Sends bytes, handles the requests, and checks that a valid request is answered afterwards.
    fn request(&mut self, bytes: &[u8]) {
        assert!(self.folder.0.exists());
        let text = String::from_utf8_lossy(bytes).replace("TOKEN", &self.token);
        // A screenshot needs a driver, and ending the session is not part of this test.
        let text = text.replace("screenshot", "state").replace("quit", "state");
        self.converse(text.as_bytes());
        self.game.run(Session::tick);
        // A debugger may have stopped a script.
        self.game.finish();
        let camera = self.game.session().unwrap().stage.camera.camera(1.0);
        assert!(camera.eye.is_finite(), "{camera:?}");
        let good = format!("{{\"token\":\"{}\",\"do\":\"state\"}}\n", self.token);
        let answer = self.converse(good.as_bytes());
        assert!(answer.contains("\"ok\":true"), "{answer}");
    }

    /// Sends bytes and serves until the connection is idle. Returns all answers.
    fn converse(&mut self, bytes: &[u8]) -> String {
        let stream = TcpStream::connect(&self.address).unwrap();
        let mut writer = stream.try_clone().unwrap();
        let bytes = bytes.to_vec();
        let sender = std::thread::spawn(move || {
            // The connection may be closed early.
            let _ = writer.write_all(&bytes);
            let _ = writer.shutdown(std::net::Shutdown::Write);
        });
        let reader = std::thread::spawn(move || {
            let mut answers = String::new();
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                answers.push_str(&line);
            }
            answers
        });
        let begin = Instant::now();
        while !reader.is_finished() && begin.elapsed() < Duration::from_secs(20) {
            self.port.serve(&mut self.game);
            std::thread::sleep(Duration::from_millis(1));
        }
        sender.join().unwrap();
        reader.join().unwrap()
    }
}
